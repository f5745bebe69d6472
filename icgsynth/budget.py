"""A deadline that everything long-running shares."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from icgsynth.errors import BudgetSpent

__all__ = ["UNBOUNDED", "Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """``seconds`` from construction; ``float("inf")`` for no bound."""

    seconds: float
    started: float = field(default_factory=time.monotonic)

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.seconds - self.elapsed())

    @property
    def is_spent(self) -> bool:
        return self.elapsed() >= self.seconds

    def check(self) -> None:
        """Raise :class:`BudgetSpent` once the time is up."""
        if self.is_spent:
            raise BudgetSpent(f"the budget of {self.seconds:g} s is spent")

    def share(self, fraction: float, at_least: float = 0.0) -> Budget:
        """A part of what is left, for one step; never more than what is left."""
        left = self.remaining()
        return Budget(min(left, max(left * fraction, at_least)))


UNBOUNDED = Budget(float("inf"))

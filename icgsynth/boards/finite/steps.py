"""A record of the steps of solving a game, for messages: times, counts, and the largest step."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

StepName: TypeAlias = Literal[
    "grounding", "compiling", "symmetry", "exploring", "solving", "deciding"
]

_SMALLER: dict[StepName, str] = {
    "grounding": "a smaller board, shorter counters or fewer variables in one rule make it smaller",
    "compiling": "a smaller board, shorter counters or fewer variables in one rule make it smaller",
    "symmetry": "fewer rules make it smaller",
    "exploring": "a smaller board, fewer pieces or fewer rounds make it smaller, and 'icgsynth "
    "solve --at' takes a position nearer to the end",
    "solving": "a smaller board, fewer pieces or fewer rounds make it smaller",
    "deciding": "a smaller board, fewer pieces or fewer rounds make it smaller",
}
"""Advice how to make each step smaller."""


def _nothing() -> str:
    return ""


@dataclass
class WorkStep:
    """One step of solving a game: when it began and ended (seconds), and what it has counted."""

    name: StepName
    begun: float
    counted: Callable[[], str] = _nothing
    ended: float | None = None

    @property
    def seconds(self) -> float:
        """How many seconds the step has taken so far."""
        return (time.monotonic() if self.ended is None else self.ended) - self.begun

    def __str__(self) -> str:
        counted = self.counted()
        return f"{self.name}: {self.seconds:.1f} s{', ' * bool(counted)}{counted}"


@dataclass
class WorkSteps:
    """The steps of solving one game, in order; the last one may still go on."""

    game: str
    steps: list[WorkStep] = field(default_factory=list)

    def begin(self, name: StepName, counted: Callable[[], str] = _nothing) -> None:
        """End the last step, and begin the step ``name``; ``counted()`` is its progress as text."""
        now = time.monotonic()
        if self.steps:
            self.steps[-1].ended = now
        self.steps.append(WorkStep(name, now, counted))

    def too_large(self, why: str) -> str:
        """Return the message that the game is not solved, ``why``, and which step took longest."""
        if not self.steps:
            return f"{self.game}: not solved: {why}"
        last, longest = self.steps[-1], max(self.steps, key=lambda step: step.seconds)
        undone = "not done" if last is longest else f"{last.name} was not done"
        return (
            f"{self.game}: not solved: {why}\n"
            f"  the step that was too large: {longest.name} "
            f"({'; '.join(map(str, self.steps))}; {undone})\n"
            f"  {_SMALLER[longest.name]}; --timeout gives more time"
        )

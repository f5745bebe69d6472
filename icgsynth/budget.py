"""Budgets of time for long computations, and functions that take messages on their progress.

A second of a budget is one on the clock, unless the environment variable ``ICGSYNTH_PACE`` says how
many it takes: on a machine that is five times slower than others, 5 gives the same answers.  The
clock stands still while kernels are compiled, which each machine does once and keeps for later
runs; unless a person has set the number of seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import inf
from numbers import Real
from typing import TypeAlias

from icgsynth.errors import BudgetSpent, InputError

Progress: TypeAlias = Callable[[str], None]
"""A function that takes one line about progress; that of a command writes the line to stderr."""


class Notice(str):
    """A message that people should see even where progress is not shown."""


def silent(message: str) -> None:
    """Ignore a ``message`` on progress."""


@cache
def _pace() -> float:
    try:
        told = float(os.environ.get("ICGSYNTH_PACE", ""))
    except ValueError:
        return 1.0
    return told if 1 <= told < inf else 1.0


def on_the_clock(seconds: float) -> float:
    """Return ``seconds`` of a budget in real seconds: times ICGSYNTH_PACE, by default 1."""
    return seconds * _pace()


class _Clock:
    """A clock in seconds that can be stopped; with ``counts_all`` it counts stopped time too."""

    def __init__(self) -> None:
        self.counts_all = False
        self._stops: list[float] = []
        self._stood = 0.0

    def now(self) -> float:
        """Return the seconds since a fixed moment; they never decrease."""
        stands = self._stops and not self.counts_all
        return (self._stops[0] if stands else time.monotonic()) - self._stood

    def stop(self) -> None:
        """Stop the clock until :meth:`go`; of nested stops only the outermost counts."""
        self._stops.append(time.monotonic())

    def go(self) -> None:
        """End the last :meth:`stop`; the clock runs again once no stop is left."""
        since = self._stops.pop()
        self._stood += 0 if self._stops or self.counts_all else time.monotonic() - since


CLOCK = _Clock()


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit of time: ``seconds`` from construction, 0 or more, ``float("inf")`` for no bound.

    ``work`` bounds the seconds of processor time as well, and then parts of the budget are parts of
    ``work``: what is done in them does not depend on what else the machine does.
    ``whole`` is the budget in seconds that this one is a share of; 0 for a budget that is no share.
    """

    seconds: float
    work: float = inf
    started: float = field(default_factory=CLOCK.now)
    worked: float = field(default_factory=time.process_time)
    whole: float = 0.0

    def __post_init__(self) -> None:
        for given in (self.seconds, self.work):
            if isinstance(given, bool) or not isinstance(given, Real) or not given >= 0:
                mend = 'give a number from 0, or float("inf") for no limit'
                raise InputError(f"no number of seconds: {given!r}", mend=mend)

    @property
    def runtime(self) -> float:
        """The seconds of the budget that have passed since its start."""
        return (CLOCK.now() - self.started) / _pace()

    def remaining(self) -> float:
        """Return the seconds that are left, never negative."""
        return max(0.0, min(self.seconds - self.runtime, self._work_left()))

    @property
    def counts_work(self) -> bool:
        """Whether processor time is bounded."""
        return self.work != inf

    @property
    def is_spent(self) -> bool:
        return self.remaining() <= 0

    def check(self) -> None:
        """Raise :class:`BudgetSpent` once the time is up."""
        if self.is_spent:
            share = "a share of " if self.whole else ""
            given = self.whole or min(self.seconds, self.work)
            raise BudgetSpent(f"{share}the budget of {given:g} s is spent")

    def within(self, seconds: float) -> Budget:
        """Return a part of what is left: at most ``seconds``, of processor time if it is bounded.

        A negative number counts as 0."""
        seconds, given = max(0.0, seconds), self.whole or min(self.seconds, self.work)
        whole = given if given < inf else 0.0
        if not self.counts_work:
            return Budget(min(seconds, self.remaining()), whole=whole)
        left = max(0.0, self.seconds - self.runtime)
        return Budget(left, work=min(seconds, max(0.0, self._work_left())), whole=whole)

    def share(self, fraction: float) -> Budget:
        """Return the budget of a ``fraction``, from 0 to 1, of the time that is left."""
        return self.within(self.remaining() * fraction)

    def _work_left(self) -> float:
        if not self.counts_work:
            return inf
        return self.work - (time.process_time() - self.worked) / _pace()


UNBOUNDED = Budget(inf)

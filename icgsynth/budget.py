"""What all long work is given: a deadline, and whom to tell how far it is.

A second of a budget is one on the clock, unless the environment variable ``ICGSYNTH_PACE`` says how
many it takes: on a machine that is five times slower than others, 5 gives the same answers.  The
clock stands still while machine code is made, once a machine, for later runs as well; unless a
person has said how many seconds there are.
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
"""Takes one line for the person who waits; a command writes it to stderr."""


class Notice(str):
    """A message that people should see even where progress is not shown."""


def silent(message: str) -> None:
    """Take a ``message`` on progress, and say nothing."""


@cache
def _pace() -> float:
    try:
        told = float(os.environ.get("ICGSYNTH_PACE", ""))
    except ValueError:
        return 1.0
    return told if 1 <= told < inf else 1.0


def on_the_clock(seconds: float) -> float:
    """Return how long ``seconds`` of a budget last on the clock."""
    return seconds * _pace()


class _Clock:
    """Seconds, without those for which it was stopped; ``counts_all``: with them."""

    def __init__(self) -> None:
        self.counts_all = False
        self._stops: list[float] = []
        self._stood = 0.0

    def now(self) -> float:
        """Since some moment; it never goes back."""
        stands = self._stops and not self.counts_all
        return (self._stops[0] if stands else time.monotonic()) - self._stood

    def stop(self) -> None:
        """Stand still until :meth:`go`; a stop within another one changes nothing."""
        self._stops.append(time.monotonic())

    def go(self) -> None:
        """Run again, after the last stop."""
        since = self._stops.pop()
        self._stood += 0 if self._stops or self.counts_all else time.monotonic() - since


CLOCK = _Clock()


@dataclass(frozen=True, slots=True)
class Budget:
    """``seconds`` from construction; ``float("inf")`` for no bound, and 0 or more in any case.

    With ``work`` there are so many seconds of processor time as well, and parts of the budget are
    parts of these: what is done in them does not depend on what else the machine does.
    ``whole`` is the budget that this one is a share of, in seconds; 0 where it is none.
    """

    seconds: float
    work: float = inf
    started: float = field(default_factory=CLOCK.now)
    worked: float = field(default_factory=time.process_time)
    whole: float = 0.0

    def __post_init__(self) -> None:
        """:class:`InputError` for what is no number of seconds, such as -1, NaN, "5" or True."""
        for given in (self.seconds, self.work):
            if isinstance(given, bool) or not isinstance(given, Real) or not given >= 0:
                mend = 'give a number from 0, or float("inf") for no limit'
                raise InputError(f"no number of seconds: {given!r}", mend=mend)

    @property
    def runtime(self) -> float:
        """Seconds since the start."""
        return (CLOCK.now() - self.started) / _pace()

    def remaining(self) -> float:
        """Seconds left, never negative."""
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
        """Return a part: at most so many seconds, of processor time where that is bounded.

        None are left where ``seconds`` is negative.
        """
        seconds, given = max(0.0, seconds), self.whole or min(self.seconds, self.work)
        whole = given if given < inf else 0.0
        if not self.counts_work:
            return Budget(min(seconds, self.remaining()), whole=whole)
        left = max(0.0, self.seconds - self.runtime)
        return Budget(left, work=min(seconds, max(0.0, self._work_left())), whole=whole)

    def share(self, fraction: float) -> Budget:
        """A part of what is left, for one step."""
        return self.within(self.remaining() * fraction)

    def _work_left(self) -> float:
        if not self.counts_work:
            return inf
        return self.work - (time.process_time() - self.worked) / _pace()


UNBOUNDED = Budget(inf)

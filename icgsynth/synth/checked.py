"""What every stage of a search is given.

The stages are functions from frozen values to frozen values.  Should the search be stopped after
a stage, the method ``so_far`` of its value gives an answer of status "unknown" with what is known
then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from icgsynth.budget import Budget, Progress
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.prove.well_formed import RulesReport

# The claims of an answer before any formula is proved.
OPEN = {"winning": Verdict.UNKNOWN, "strategy": Verdict.UNKNOWN}


@dataclass(frozen=True)
class Run:
    """One search under one rule of play.

    ``seconds`` says how long each part of the work has taken, ``notes`` what was tried in vain;
    the stages add to both as they go.
    """

    rule: PlayRule
    budget: Budget
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """Add the time that the block takes to ``part``."""
        start = self.budget.runtime
        try:
            yield
        finally:
            spent = self.budget.runtime - start
            self.seconds[part] = self.seconds.get(part, 0.0) + spent

    def times(self) -> dict[str, float]:
        """Seconds for each part so far, and in ``total``."""
        return {"total": self.budget.runtime, **self.seconds}


@dataclass(frozen=True)
class CheckedRules:
    """Rules with what is proved of them; all further stages take those without quantifiers."""

    rule: PlayRule
    report: RulesReport

    @property
    def game(self) -> ParametricGame:
        return self.report.game

    def proof(self) -> dict[str, Verdict]:
        """Return how the three claims about the rules stand."""
        return {part: found.verdict for part, found in self.report.findings.items()}

    def so_far(self) -> Solution:
        return Solution(
            game=self.game,
            rule=self.rule,
            status="unknown",
            ranking=self.report.components,
            proof=self.proof() | OPEN,
            confirmed=self.report.confirmed,
            written=self.report.written,
            cycle=self.report.cycle or (),
        )

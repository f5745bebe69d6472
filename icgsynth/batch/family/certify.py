"""The project's verifier on an answer with a constant in it, member by member."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.batch.family.rule_parts import instantiate_rule
from icgsynth.batch.family.shape import instantiate
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.process.worker import Worker

__all__ = ["Certifier"]


@dataclass
class Certifier:
    """The project's verifier on an answer with the constant ``over`` put in."""

    games: Mapping[int, ParametricGame]
    rule: PlayRule
    over: str
    seconds: float
    worker: Worker
    progress: Callable[[str], None] = lambda _: None

    def certify(
        self, k: int, losing: t.Formula, rules: Sequence[Rule]
    ) -> tuple[str, Mapping[str, int] | None]:
        """ "proved", "refuted" or "unknown" for member ``k``; where a formula is refuted, a state.

        Everything is proved anew: termination, formulas, strategy; and compared with a box.
        """
        self.progress(f"checking the conjecture at {self.over} = {k}")
        here = instantiate(losing, {self.over: k})
        put = [instantiate_rule(rule, self.over, k) for rule in rules]
        if here is None or None in put:
            return "refuted", None
        solution = Solution(
            game=self.games[k],
            rule=self.rule,
            status="conditional",
            winning=Claim(negation(here)),
            losing=Claim(here),
            strategy=Strategy(tuple(rule for rule in put if rule is not None)),
        )
        try:
            return self.worker.call(self.seconds, _certify, solution, self.seconds)
        except BudgetSpent:
            return "unknown", None


def _certify(solution: Solution, seconds: float) -> tuple[str, Mapping[str, int] | None]:
    """In the worker."""
    from icgsynth.prove.certificate import certify

    certificate = certify(solution, Budget(seconds))
    witness = certificate.parts["winning"].witness
    if witness is not None:
        witness = {name: witness[name] for name in solution.game.variables}
    return certificate.verdict, witness

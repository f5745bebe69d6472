"""A strategy with the constant in it, kept where the project's verifier certifies it.

The verifier looks at the answer member by member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.batch.family.conjecture import Case, candidates, settled_from
from icgsynth.batch.family.shape import (
    Head,
    head_of,
    instantiate,
    instantiate_rule,
    nodes_of,
    rule_of,
)
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.process.worker import Worker

# --- certify -------------------------------------------------------------------------------------


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


# --- fitted strategy -----------------------------------------------------------------------------

_TRIED = 3  # strategies put to the verifier


@dataclass(frozen=True, slots=True)
class FittedStrategy:
    """``rules`` with the constant's name free; the verifier proved it for ``certified`` members.

    It is refuted for ``refuted`` ones, a few of the smallest; for ``undecided`` ones the budget
    did not do.
    """

    rules: tuple[Rule, ...]
    fitted_on: tuple[int, ...]
    certified: tuple[int, ...]
    refuted: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()


def find_strategy(
    case: Case, found: Mapping[int, Sequence[Rule]], certifier: Certifier
) -> FittedStrategy | None:
    """A strategy for the members that agree with ``case``, made from those ``found`` for them.

    None unless it is certified from some member on, a few undecided ones aside.
    """
    for rules, fitted_on in _candidates(case, found, certifier.over):
        results: dict[str, list[int]] = {"proved": [], "refuted": [], "unknown": []}
        for k in case.judgement.agreeing:
            results[certifier.certify(k, case.losing, rules)[0]].append(k)
            if len(results["refuted"]) > len(case.judgement.agreeing) // 2:
                break
        if settled_from(results["proved"], results["refuted"]) is not None:
            return FittedStrategy(
                rules,
                fitted_on,
                tuple(results["proved"]),
                tuple(results["refuted"]),
                tuple(results["unknown"]),
            )
    return None


def _candidates(
    case: Case, found: Mapping[int, Sequence[Rule]], over: str
) -> Iterator[tuple[tuple[Rule, ...], tuple[int, ...]]]:
    """Strategies with the constant in them, those that most members bear out first."""
    alike: dict[tuple[Head, ...], dict[int, tuple[t.Node, ...]]] = {}
    for k in case.judgement.agreeing:
        if found.get(k):
            heads = tuple([head_of(rule) for rule in found[k]])
            nodes = [node for rule in found[k] for node in nodes_of(rule)]
            alike.setdefault(heads, {})[k] = tuple(nodes)
    made = [
        (candidate, heads)
        for heads, answers in alike.items()
        for candidate in candidates(answers, over)
    ]
    made.sort(key=lambda m: -len(m[0].fitted_on) - len(m[0].predicted))
    for candidate, heads in made[:_TRIED]:
        rest = iter(candidate.nodes)
        yield tuple([rule_of(head, rest) for head in heads]), candidate.fitted_on

"""A whole solution against the rules: the rules' claims, the answer's, and a box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from icgsynth.budget import Budget
from icgsynth.decide.quantifiers import without_quantifiers
from icgsynth.errors import Refused
from icgsynth.ranges import box_of
from icgsynth.solution import BoxCheck, Claim, Solution, Verdict
from icgsynth.solve.box import Box
from icgsynth.solve.labels import label
from icgsynth.strategy import Rule, SemiGroundAction, TargetRule
from icgsynth.verify.answer import verify_answer
from icgsynth.verify.boxcheck import check_on_box
from icgsynth.verify.discharge import Finding
from icgsynth.verify.rules import RulesReport, check_rules, quantifier_free

__all__ = ["Certificate", "certify"]

_STATES = 20_000


@dataclass(frozen=True)
class Certificate:
    """How every part of ``solution`` stands."""

    solution: Solution
    report: RulesReport
    parts: Mapping[str, Finding]
    explicit: BoxCheck | None
    notes: tuple[str, ...] = ()

    @property
    def refuted(self) -> list[str]:
        """Parts that are wrong; a refuted closure or ending is only a warning."""
        wrong = [
            name
            for name, finding in self.parts.items()
            if finding.verdict is Verdict.REFUTED and name not in ("closure", "ending")
        ]
        if self.explicit is not None and self.explicit.disagreements:
            wrong.append("explicit")
        return wrong

    @property
    def is_proved(self) -> bool:
        """Whether play ends and everything that ``solution`` states is proved."""
        stated = {"termination", "winning", "fft", "cover"} & self.parts.keys()
        if self.solution.strategy:
            stated.add("strategy")
        return not self.refuted and all(self.parts[name].is_proved for name in stated)

    @property
    def verdict(self) -> str:
        """ "proved", "refuted" or "unknown"."""
        return "refuted" if self.refuted else "proved" if self.is_proved else "unknown"


def certify(solution: Solution, budget: Budget) -> Certificate:
    """Prove or refute ``solution``; what is proved is compared with labels of a box."""
    plain = _quantifier_free(solution, budget.share(0.3))
    report = check_rules(plain.game, budget.share(0.5))
    answer = verify_answer(report, plain, budget)
    parts = {
        "closure": report.closure,
        "ending": report.ending,
        "termination": report.termination,
        "winning": answer.winning,
        "strategy": answer.strategy,
    }
    if solution.tree:
        parts["fft"] = answer.tree
    if solution.cover:
        parts["cover"] = answer.cover
    notes = ["whether a formula is minimal is not checked again"] if _claims(solution) else []
    if not solution.strategy and not answer.strategy.is_proved:
        notes.append("the file states no strategy: only its formulas are judged")
    explicit = None
    if report.cycle is None:
        explicit = _compare(plain, report, notes)
    return Certificate(solution, report, parts, explicit, tuple(notes))


def _quantifier_free(solution: Solution, budget: Budget) -> Solution:
    """``solution`` about rules without quantifiers, and without any of its own."""

    def plain(node: Any) -> Any:
        return without_quantifiers(node, budget)

    def claim(made: Claim | None) -> Claim | None:
        return made and replace(made, formula=plain(made.formula))

    def pair(rule: Rule | TargetRule) -> Any:
        if isinstance(rule, TargetRule):
            return replace(rule, when=plain(rule.when))
        return Rule(plain(rule.when), act(rule.act))

    def act(move: SemiGroundAction) -> SemiGroundAction:
        return replace(move, arguments=tuple((name, plain(term)) for name, term in move.arguments))

    return replace(
        solution,
        game=quantifier_free(solution.game, budget),
        winning=claim(solution.winning),
        losing=claim(solution.losing),
        cover=tuple(map(plain, solution.cover)),
        strategy=tuple(map(pair, solution.strategy)),
        tree=tuple(map(pair, solution.tree)),
    )


def _claims(solution: Solution) -> bool:
    return any(c is not None and c.minimal for c in (solution.winning, solution.losing))


def _compare(solution: Solution, report: RulesReport, notes: list[str]) -> BoxCheck | None:
    bound = 64
    while bound > 1:
        sides = box_of(report.game.legal, report.game.variables, bound)
        cells = 1
        for lo, hi in sides:
            cells *= max(0, hi - lo + 1)
        if cells <= _STATES:
            break
        bound -= 1
    ranking = report.ranking.components if report.ranking is not None else None
    try:
        labels = label(report.game, Box.of(report.game, bound), solution.rule, ranking)
    except Refused as refused:
        notes.append(f"not compared with explicit play: {refused}")
        return None
    return check_on_box(solution, labels, bound)

"""A whole solution against the rules: the rules' claims, the answer's, and a box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.box import Box
from icgsynth.game.game import require_defined
from icgsynth.game.labels import label
from icgsynth.game.solution import BoxCheck, Solution, Verdict
from icgsynth.logic import term as t
from icgsynth.logic.ranges import box_of
from icgsynth.prove.answer import verify_answer
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.confirm import RULES, check_twice
from icgsynth.prove.deciders.quantifiers import without_quantifiers
from icgsynth.prove.discharge import Finding
from icgsynth.prove.twice import PARTS_WITH_DRAWS, believed_draws, second_look
from icgsynth.prove.well_formed import RulesReport

_STATES = 20_000  # of the largest box that is compared


@dataclass(frozen=True)
class Certificate:
    """How every part of ``solution`` stands."""

    solution: Solution
    report: RulesReport
    parts: Mapping[str, Finding]
    explicit: BoxCheck | None
    notes: tuple[str, ...] = ()
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def refuted(self) -> list[str]:
        """Parts that are wrong; a refuted closure or ending is only a warning."""
        wrong = [
            name
            for name, finding in self.parts.items()
            if finding.verdict is Verdict.REFUTED and name not in self._no_fault
        ]
        if self.explicit is not None and self.explicit.disagreements:
            wrong.append("explicit")
        if self.explicit is not None and self.explicit.far is not None:
            wrong += ["far"] * (self.explicit.far.disagreements > 0)
        return wrong

    @property
    def _no_fault(self) -> tuple[str, ...]:
        """Parts that may be refuted; with drawn states, that play may never end as well."""
        always = ("closure", "ending")
        return always if self.solution.draws is None else (*always, "termination")

    @property
    def is_proved(self) -> bool:
        """Whether everything that ``solution`` states is proved, and that play ends.

        With drawn states play need not end.
        """
        if self.solution.draws is not None:
            needed = PARTS_WITH_DRAWS
            return not self.refuted and all(self.parts[name].is_proved for name in needed)
        stated = {"termination", "winning", "fft", "cover"} & self.parts.keys()
        if self.solution.strategy:
            stated.add("strategy")
        return not self.refuted and all(self.parts[name].is_proved for name in stated)

    @property
    def verdict(self) -> str:
        """ "proved", "refuted" or "unknown"."""
        return "refuted" if self.refuted else "proved" if self.is_proved else "unknown"


def certify(solution: Solution, budget: Budget) -> Certificate:
    """Prove or refute ``solution``, from the rules as they were written.

    What is proved is proved twice, by engines that share nothing, and compared with labels of a
    box and with far states.
    """
    require_defined(solution.game, solution.rule)
    report = check_twice(solution.game, budget.share(0.5))
    elimination = budget.share(0.3)

    def plain_node(node: t.Kind) -> t.Kind:
        return without_quantifiers(node, elimination)

    plain = replace(solution.mapped(plain_node), game=report.game)
    parts = {name: getattr(report, name) for name in RULES}
    if solution.draws is not None:
        found, by, explicit = believed_draws(solution, report, plain, budget)
        by = {**report.confirmed, **by}
        return Certificate(solution, report, parts | {**found}, explicit, (), by)
    parts |= verify_answer(report, plain, budget)
    notes = ["whether a formula is minimal is not checked again"] if _claims(solution) else []
    if not solution.strategy and not parts["strategy"].is_proved:
        notes.append("the file states no strategy: only its formulas are judged")
    proved = {n: f for n, f in parts.items() if f.is_proved and n not in RULES}
    look = second_look(report, plain, solution, proved, budget)
    parts |= {n: c.finding for n, c in look.parts.items() if not c.finding.is_proved}
    confirmed = {name: found.by for name, found in look.parts.items() if found.by}
    box = None
    if report.cycle is None:
        box = replace(_compare(plain, report, notes) or BoxCheck(0, 0, 0), far=look.far)
    return Certificate(
        solution, report, parts, box, tuple(notes), {**report.confirmed, **confirmed}
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
    try:
        labels = label(report.game, Box.of(report.game, bound), solution.rule, report.components)
    except Refused as refused:
        notes.append(f"not compared with explicit play: {refused}")
        return None
    return check_on_box(solution, labels, bound)

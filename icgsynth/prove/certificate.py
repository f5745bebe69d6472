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
from icgsynth.logic.ranges import bound_of_box
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.confirm import RULES, check_twice
from icgsynth.prove.deciders.quantifiers import without_quantifiers
from icgsynth.prove.discharge import Finding
from icgsynth.prove.twice import PARTS_WITH_DRAWS, judged
from icgsynth.prove.well_formed import RulesReport

_STATES = 20_000  # of the largest box that is compared
_FARTHEST = 64  # coordinate in it


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
    found, look = judged(report, plain, solution, budget)
    notes = ["whether a formula is minimal is not checked again"] if _claims(solution) else []
    if not solution.strategy and not found["strategy"].is_proved:
        notes.append("the file states no strategy: only its formulas are judged")
    box = look.box
    if box is None and report.cycle is None:
        box = replace(_compare(plain, report, notes) or BoxCheck(0, 0, 0), far=look.far)
    parts = {name: getattr(report, name) for name in RULES} | found
    return Certificate(solution, report, parts, box, tuple(notes), {**report.confirmed, **look.by})


def _claims(solution: Solution) -> bool:
    return any(c is not None and c.minimal for c in (solution.winning, solution.losing))


def _compare(solution: Solution, report: RulesReport, notes: list[str]) -> BoxCheck | None:
    bound = bound_of_box(report.game.legal, report.game.variables, _FARTHEST, _STATES)
    try:
        labels = label(report.game, Box.of(report.game, bound), solution.rule, report.components)
    except Refused as refused:
        notes.append(f"not compared with explicit play: {refused}")
        return None
    return check_on_box(solution, labels, bound)

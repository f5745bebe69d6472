"""One short formula for each value of a variable that has few, in place of a long one for all."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import Box
from icgsynth.export import report as doc
from icgsynth.export.solution_report import solution_report
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import READABLE, Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, integers, reading, size, substitute
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import bound_of_box, sides_of
from icgsynth.logic.simplify import simplified
from icgsynth.prove.deciders.portfolio import decide, second_opinion
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.polish import Legal, shorter, tidy

_FEW = 5  # values of a variable with a formula for each
_SECONDS = 4.0  # for all of its values
_STATES, _FARTHEST = 3_000, 60  # of a box in which short formulas are looked for
_TRIED = 12  # formulas that agree with the box, for one value


@dataclass(frozen=True)
class FlagCases:
    """For each value of the variable ``name`` a formula of the others, of the lost states."""

    name: str
    losing: tuple[tuple[int, t.Formula], ...]


def flag_cases(solution: Solution, budget: Budget) -> FlagCases | None:
    """Formulas for the values of a variable that are shorter than the proved one, all in all.

    Each is proved twice to say what that one says where the variable has the value.  None where
    the formula is short, there is one variable, none has few values, or none are found in a few
    seconds.
    """
    if solution.losing is None or not solution.is_proved or not solution.is_linear:
        return None
    if solution.draws is not None or solution.losing.size <= READABLE or solution.losing_states:
        return None
    game, within = solution.game, budget.within(_SECONDS)
    if len(game.variables) == 1:
        return None
    sides = zip(game.variables, sides_of(game.legal, game.variables), strict=True)
    bounded = [(variable, *ends) for variable, ends in sides if ends is not None]
    few = [(hi - lo, v, range(lo, hi + 1)) for v, lo, hi in bounded if lo < hi < lo + _FEW]
    with suppress(BudgetSpent, Refused):
        for _, name, values in sorted(few, key=lambda each: each[0]):
            found = [(n, _short(solution, name, n, within)) for n in values]
            cases = tuple((n, formula) for n, formula in found if formula is not None)
            if len(cases) == len(found) and sum(size(f) for _, f in cases) < solution.losing.size:
                return FlagCases(name, cases)
    return None


def _short(solution: Solution, name: str, number: int, budget: Budget) -> t.Formula | None:
    """A formula of the other variables for the lost states where ``name`` is ``number``."""
    game, by = solution.game, {name: t.Int(number)}
    names = tuple(v for v in game.variables if v != name)
    legal, losing = fold(substitute(game.legal, by)), fold(substitute(solution.losing_formula, by))
    if decide((legal,), names, budget).kind == "unsat":
        return t.FALSE if _says(t.FALSE, losing, legal, names, budget) else None
    part = ParametricGame(game.name, names, (), legal)
    box = Box.of(part, bound_of_box(legal, names, _FARTHEST, _STATES))
    there = Legal(part, box.states, budget, 0.2)
    found = shorter(simplified(tidy(there, simplified(losing))))
    examples = Examples(names, box.states, on_states(losing, names, box.states))
    most = max(integers(losing) | integers(legal), default=1)
    sides = sides_of(legal, names)
    free = [i for i, side in enumerate(sides) if side is None]
    learner = FormulaLearner(examples, max(4, min(most, 24)), budget.share(0.5), free=free)
    for candidate in islice(learner.candidates(), _TRIED):
        if reading(candidate) < reading(found) and there.are_equal(candidate, losing):
            found = candidate
            break
    return found if _says(found, losing, legal, names, budget) else None


def _says(
    one: t.Formula, other: t.Formula, legal: t.Formula, names: tuple[str, ...], budget: Budget
) -> bool:
    """Whether two independent engines prove that both hold in the same legal states."""
    differs = (legal, t.Not(t.Iff(one, other)))
    first = decide(differs, names, budget)
    if first.kind != "unsat":
        return False
    return second_opinion(differs, names, first.by, budget).kind == "unsat"


def case_report(solution: Solution, cases: FlagCases, spec: str) -> doc.Report:
    """The report on the answer, with the cases in place of the formulas, which are for --all."""
    legal = t.spoken(solution.game.legal)
    lead = (
        f"In the legal states ({legal}) the player to move loses in these, and wins in the others:"
    )
    rows = [doc.Note(_say(f), f"  {cases.name} = {n}:  ") for n, f in cases.losing]
    parts: list[doc.Part] = []
    for part in solution_report(solution, spec):
        if not isinstance(part, doc.Sides):
            parts.append(part)
            continue
        sides = [doc.Note(s.formula, f"  {s.word}  iff  ", detail="all") for s in part.sides]
        lead_all = doc.Note("In one formula, the player to move", detail="all")
        parts += [doc.notes(lead), doc.notes(*rows), doc.notes(lead_all, *sides)]
    return tuple(parts)


def _say(formula: t.Formula) -> str:
    words = {t.TRUE: "always", t.FALSE: "never"}
    return words[formula] if isinstance(formula, t.Truth) else t.spoken(formula)

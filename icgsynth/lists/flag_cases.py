"""Split a long formula of lost states into cases, each with a short formula.

Cases are the values of a variable that has few, of all such variables at once, or the small values
of a variable whose larger values are all alike.  Where the order of some numbers does not
matter, a case has only states with these numbers sorted.  Each formula is proved twice to agree
with the long formula on its states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise, product
from math import prod

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.explicit.box import Box
from icgsynth.export import report as doc
from icgsynth.export.solution_report import solution_report
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution
from icgsynth.lists.state_list import is_known, lost_rows
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    fold,
    free_names,
    integers,
    reading,
    size,
    substitute,
    walk,
)
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import bound_of_box, sides_of
from icgsynth.logic.simplify import simplified
from icgsynth.prove.deciders.portfolio import decide, second_opinion
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.polish import Legal, shorter, tidy
from icgsynth.synth.linear.quotient import tells

_LONG = 12  # most leaves and connectives of a formula that is not split
_FEW = 5  # most values of a variable with a formula for each
_CELLS = 8  # most combinations of values of such variables, with a formula for each
_SMALL = 3  # most values of a variable that matter, where larger ones are all alike
_SECONDS = 8.0  # time for all ways to split the states
_STATES, _FARTHEST = 3_000, 60  # most states and coordinate of a box for finding formulas
_TRIED = 12  # formulas that agree with the box and are tried for one case
_CLIPPED = 6  # most leaves and connectives of a formula with ``min(variable, 1)``


@dataclass(frozen=True)
class Case:
    """A case: the formula ``losing`` of the lost states with ``when`` and ``ordered`` sorted.

    A state with the variables ``ordered`` in another order is lost if the sorted state is.
    """

    when: t.Formula
    ordered: tuple[str, ...]
    losing: t.Formula

    @property
    def states(self) -> t.Formula:
        """The formula of the states of this case: ``when``, with ``ordered`` sorted."""
        in_order = (t.compare(t.Name(x), "<=", t.Name(y)) for x, y in pairwise(self.ordered))
        return conjunction([self.when, *in_order])


def flag_cases(solution: Solution, budget: Budget) -> tuple[Case, ...]:
    """Return cases, each with a short proved formula of its lost states, in place of a long
    formula; () if none are found."""
    if solution.losing is None or not is_known(solution) or not solution.is_linear:
        return ()
    if solution.draws is not None or solution.losing_states or len(solution.game.variables) == 1:
        return ()
    least = min(size(solution.losing_formula), size(solution.winning_formula))
    if least <= _LONG and not _adds_mark(solution):
        return ()
    # The cost of reading the long formula: its size twice, as the only and as the longest one.
    most = 2 * least
    best: tuple[Case, ...] = ()
    with suppress(BudgetSpent, Refused):
        parts = _Parts(solution, budget.within(_SECONDS))
        for split in parts.splits() if len(parts.lost) else ():
            cases = parts.cases(split)
            if cases and (cost := _effort([case.losing for case in cases])) <= most:
                best, most = cases, cost
    return best


def _adds_mark(solution: Solution) -> bool:
    """Return whether the losing formula has a remainder of a sum of a variable of few values and
    another one, as ``(2 * n + passed) mod 6``."""
    names = solution.game.variables
    sides = zip(names, sides_of(solution.game.legal, names), strict=True)
    marks = {name for name, ends in sides if ends is not None and ends[1] < ends[0] + _FEW}
    sums = [node.arg for node in walk(solution.losing_formula) if isinstance(node, t.Mod)]
    return any(0 < len(free_names(arg) & marks) < len(free_names(arg)) for arg in sums)


def _effort(formulas: Sequence[t.Formula]) -> int:
    """Return how hard ``formulas`` are to read: the sum of their sizes plus the largest size."""
    sizes = [size(formula) for formula in formulas]
    return sum(sizes) + max(sizes)


class _Parts:
    """Finds cases with short formulas for the lost states of a solved game."""

    def __init__(self, solution: Solution, budget: Budget) -> None:
        game = solution.game
        self.names, self.legal, self.budget = game.variables, game.legal, budget
        self.losing = solution.losing_formula
        self.box = _box_of(self.legal, self.names)
        self.lost = on_states(self.losing, self.names, self.box.states)

    def splits(self) -> Iterator[Sequence[t.Formula]]:
        """Yield ways to split the legal states: lists of conditions, as v = 0, v = 1, v >= 2."""
        sides = sides_of(self.legal, self.names)
        marks = [
            [t.compare(t.Name(variable), "=", n) for n in range(ends[0], ends[1] + 1)]
            for variable, ends in zip(self.names, sides, strict=True)
            if ends is not None and ends[0] < ends[1] < ends[0] + _FEW
        ]
        yield from marks
        if 1 < len(marks) < len(self.names) and prod(map(len, marks)) <= _CELLS:
            yield [conjunction(values) for values in product(*marks)]
        yield (t.TRUE,)
        for column, (variable, ends) in enumerate(zip(self.names, sides, strict=True)):
            states, name = self.box.states.copy(), t.Name(variable)
            least = int(states[:, column].min())
            for most in range(least + 1, least + _SMALL if ends is None else least):
                # The bound works if lost and won states still differ with larger values cut to
                # ``most``.
                states[:, column] = np.minimum(self.box.states[:, column], most)
                if tells(states, self.lost):
                    below = [t.compare(name, "=", n) for n in range(least, most)]
                    yield [*below, t.compare(name, ">=", most)]
                    break

    def cases(self, split: Sequence[t.Formula]) -> tuple[Case, ...]:
        """Return a case for each condition of ``split``; () if one has no proved formula."""
        found: list[Case] = []
        for when in split:
            if (case := self._case(when)) is None:
                return ()
            found.append(case)
        return tuple(found)

    def _case(self, when: t.Formula) -> Case | None:
        part = self.box.states[on_states(when, self.names, self.box.states)]
        if not len(part):  # perhaps no state satisfies ``when``
            return None
        told = free_names(when)
        known = {v: int(part[:, i].min()) for i, v in enumerate(self.names) if v in told}
        names = tuple(v for v in self.names if v not in known)
        case = Case(when, self._interchangeable(when, names), t.FALSE)
        if case.states == t.TRUE:
            return None
        # The fixed variables become numbers, so the formula of a part does not mention them.
        numbers = {v: t.Int(n) for v, n in known.items()}
        legal, losing = (
            fold(substitute(formula, numbers))
            for formula in (conjunction([self.legal, case.states]), self.losing)
        )
        for formula in self._formulas(names, legal, losing):
            if self._is_proved(conjunction([self.legal, case.states]), formula, self.losing):
                is_told = not isinstance(formula, t.Truth)
                return Case(when, case.ordered if is_told else (), formula)
        return None

    def _formulas(
        self, names: tuple[str, ...], legal: t.Formula, losing: t.Formula
    ) -> Iterator[t.Formula]:
        """Yield formulas in the variables ``names`` that agree with ``losing`` on a box of
        ``legal``, shortest first."""
        there = ParametricGame("part", names, (), legal)
        box = _box_of(legal, names)
        examples = Examples(names, box.states, on_states(losing, names, box.states))
        if examples.is_one_kind:
            yield t.TRUE if examples.target.any() else t.FALSE
        found = [shorter(simplified(tidy(Legal(there, box.states, self.budget, 0.2), losing)))]
        free = [i for i, side in enumerate(sides_of(legal, names)) if side is None]
        most = max(4, min(max(integers(losing) | integers(legal), default=1), 24))
        learner = FormulaLearner(examples, most, self.budget.share(0.3), wide=examples, free=free)
        with suppress(BudgetSpent, OutOfReach):
            found += islice(chain(learner.candidates(), _clip_one(examples, self.budget)), _TRIED)
        yield from sorted(found, key=reading)

    def _interchangeable(self, when: t.Formula, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of ``names`` whose exchange provably leaves the lost states, among those
        where ``when`` holds, as they are; or ()."""
        groups: list[list[str]] = []
        for name in names:
            for group in groups:
                if self._may_swap(when, group[-1], name):
                    group.append(name)
                    break
            else:
                groups.append([name])
        largest = max(groups, key=len, default=[])
        return tuple(largest) if len(largest) > 1 else ()

    def _may_swap(self, when: t.Formula, one: str, other: str) -> bool:
        there = conjunction([self.legal, when])
        swap = {one: t.Name(other), other: t.Name(one)}
        swapped, lost = substitute(there, swap), substitute(self.losing, swap)
        rows = on_states(conjunction([there, swapped]), self.names, self.box.states)
        again = on_states(lost, self.names, self.box.states)
        # The box refutes most exchanges; the rest is proved.
        if (rows & (again != self.lost)).any():
            return False
        return self._is_proved(t.TRUE, there, swapped) and self._is_proved(there, lost, self.losing)

    def _is_proved(self, there: t.Formula, one: t.Formula, other: t.Formula) -> bool:
        """Return whether two engines prove ``one`` iff ``other`` wherever ``there`` holds."""
        differs = (there, t.Not(t.Iff(one, other)))
        first = decide(differs, self.names, self.budget)
        if first.kind != "unsat":
            return False
        return second_opinion(differs, self.names, first.by, self.budget).kind == "unsat"


def _box_of(legal: t.Formula, names: tuple[str, ...]) -> Box:
    bound = bound_of_box(legal, names, _FARTHEST, _STATES)
    return Box.of(ParametricGame("part", names, (), legal), bound)


def _clip_one(examples: Examples, budget: Budget) -> Iterator[t.Formula]:
    """Yield formulas that fit ``examples`` with one variable clipped to ``min(variable, 1)``."""
    for column in range(len(examples.variables)):
        states = examples.states.copy()
        states[:, column] = np.minimum(states[:, column], 1)
        if not tells(states, examples.target):
            continue
        terms: list[t.Term] = [t.Name(v) for v in examples.variables]
        terms[column] = t.Min(terms[column], t.Int(1))
        derived = examples.of_terms(terms)
        learner = FormulaLearner(derived, 4, budget.share(0.2))
        for formula in islice(learner.up_to(_CLIPPED), 1):
            yield fold(substitute(formula, dict(zip(derived.variables, terms, strict=True))))


def case_report(solution: Solution, cases: Sequence[Case], spec: str) -> doc.Report:
    """Return the report on ``solution`` with ``cases``, and with its formulas only for --all; if it
    has no formula, with its first lost states. ``spec`` names the game in a command."""
    rows_told = lost_rows(solution)
    # The report's own line of first lost states would repeat a part of these rows.
    first = () if rows_told else solution.losing_states
    whole = (*solution_report(replace(solution, losing_states=first), spec), *rows_told)
    if not cases:
        return whole
    legal = t.spell(solution.game.legal)
    lead = (
        f"In the legal states ({legal}) the player to move loses in these, and wins in the others:"
    )
    rows = [doc.Note(_say(case.losing), f"  {_say_states(case)}:  ") for case in cases]
    orders = dict.fromkeys(case.ordered for case in cases if case.ordered)
    sort = [f"The order of {' and '.join(names)} does not matter." for names in orders]
    parts: list[doc.Part] = []
    for part in whole:
        if not isinstance(part, doc.Sides):
            parts.append(part)
            continue
        sides = [doc.Note(s.formula, f"  {s.word}  iff  ", detail="all") for s in part.sides]
        lead_all = doc.Note("In one formula, the player to move", detail="all")
        parts += [doc.notes(lead), doc.notes(*rows, *sort), doc.notes(lead_all, *sides)]
    return tuple(parts)


def _say_states(case: Case) -> str:
    order = " <= ".join(case.ordered)
    when = "" if case.when == t.TRUE else t.spell(case.when)
    return ", ".join(filter(None, (when, order)))


def _say(formula: t.Formula) -> str:
    words = {t.TRUE: "always", t.FALSE: "never"}
    return words[formula] if isinstance(formula, t.Truth) else t.spell(formula)

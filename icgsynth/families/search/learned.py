"""Learn formulas for the losing states of all members from one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.families.search.member_columns import ColumnSet
from icgsynth.families.search.member_table import GameFamily, MemberTable
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, substitute, walk
from icgsynth.logic.ranges import linear
from icgsynth.synth.linear.bank import EnumerationEffort
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.quotient import tells

_CONSTANTS_UP_TO = 3  # larger numbers are columns, or factors in the rules
_FACTORS_UP_TO = 12
_SHORT = 5  # leaves and connectives of a short formula: two literals
_EFFORT = EnumerationEffort(rows=50_000, pairs=4_000_000)
_EACH = 2  # formulas that are learned from one set of columns


def formulas_for(
    table: MemberTable, columns: ColumnSet, budget: Budget, costly: bool
) -> Iterator[t.Formula]:
    """Yield at most two formulas over the terms ``columns`` that tell the losing rows of ``table``:
    short ones, or if ``costly`` long ones; nothing where ``columns`` do not tell the labels."""

    def short(learner: FormulaLearner) -> Iterator[t.Formula]:
        return chain(learner.candidates(), learner.up_to(_SHORT))

    if tells(columns.data(table), table.losing):
        asked = FormulaLearner.costly if costly else short
        largest = _largest(table.family)
        yield from islice(learn(table, columns, largest, _EFFORT, budget, asked), _EACH)


def learn(
    table: MemberTable,
    columns: ColumnSet,
    constants_up_to: int,
    effort: EnumerationEffort,
    budget: Budget,
    asked: Callable[[FormulaLearner], Iterator[t.Formula]],
) -> Iterator[t.Formula]:
    """Yield formulas over the terms ``columns`` that tell exactly the losing rows of ``table``.
    ``asked`` tells which formulas a learner is asked for, ``constants_up_to`` the largest number in
    them; ``effort`` bounds their enumeration. The search ends once ``budget`` is spent."""
    # Rows that are equal in these columns have one label (tells), so one of each is enough.
    distinct, index = np.unique(columns.data(table), axis=0, return_index=True)
    examples = Examples(columns.names(), distinct, table.losing[index])
    terms = dict(zip(columns.names(), columns.terms, strict=True))
    with suppress(BudgetSpent, OutOfReach):
        for formula in asked(FormulaLearner(examples, constants_up_to, budget, effort)):
            yield fold(substitute(formula, terms))


@cache
def _largest(family: GameFamily) -> int:
    """Return the largest number in a formula: 3, or a larger factor, up to 12, in the rules."""
    nodes = [node for formula in family.game.formulas() for node in walk(formula)]
    sides = [term for node in nodes if isinstance(node, t.Compare) for term in node.terms]
    factors = {abs(factor) for term in sides for factor in linear(term).factors.values()}
    return max(_CONSTANTS_UP_TO, *(f for f in factors if f <= _FACTORS_UP_TO), 1)

"""Formulas for the losing states of all members, learned from one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold, negation, size, substitute, walk
from icgsynth.logic.ranges import linear
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.families.member_columns import ColumnSet, is_function
from icgsynth.synth.families.member_table import GameFamily, MemberTable
from icgsynth.synth.linear.bank import EnumerationEffort
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner

_CONSTANTS_UP_TO = 3  # larger numbers are columns, or factors in the rules
_FACTORS_UP_TO = 12
_EQUATION = 3  # of an equation of a variable and a number
_SHORT = 5  # leaves and connectives: two literals
_EFFORT = EnumerationEffort(rows=50_000, pairs=4_000_000)
_EACH = 2  # formulas of one set of columns


def formulas_for(
    table: MemberTable, columns: ColumnSet, budget: Budget, costly: bool
) -> Iterator[t.Formula]:
    """Formulas over these columns that agree with the whole table.

    Very short ones, which are quick to find, or else the ``costly`` longer ones.
    """
    data = columns.data(table)
    if not is_function(data, table.losing):
        return
    distinct, index = np.unique(data, axis=0, return_index=True)
    examples = Examples(columns.names(), distinct, table.losing[index])
    terms = dict(zip(columns.names(), columns.terms, strict=True))
    try:
        learner = FormulaLearner(examples, _largest(table.family), budget, _EFFORT)
        short = chain(learner.candidates(), learner.up_to(_SHORT))
        found = learner.costly() if costly else short
        for formula in islice(found, _EACH):
            yield fold(substitute(formula, terms))
    except BudgetSpent:
        return


@cache
def _largest(family: GameFamily) -> int:
    """Of the constants of a formula: at least as large as factors in the rules, k + k + k as 3."""
    nodes = [node for formula in family.game.formulas() for node in walk(formula)]
    sides = [term for node in nodes if isinstance(node, t.Compare) for term in node.terms]
    factors = {abs(factor) for term in sides for factor in linear(term).factors.values()}
    return max(_CONSTANTS_UP_TO, *(f for f in factors if f <= _FACTORS_UP_TO), 1)


def tidied(table: MemberTable, losing: t.Formula, budget: Budget) -> t.Formula:
    """A shorter formula, proved to say the same of all legal states.

    Conjuncts and disjuncts that say nothing go, and "at most" becomes "equal" where it can.
    """
    game, best = table.family.game, losing
    while True:
        for other in _simpler(best, game.variables):
            if (table.values(other) != table.values(best)).any():
                continue
            differs = (game.legal, negation(t.Iff(other, best)))
            if decide(differs, game.variables, budget.share(0.2)).kind == "unsat":
                best = other
                break
        else:
            return best


def _simpler(formula: t.Formula, names: Sequence[str]) -> Iterator[t.Formula]:
    """The formula with one part of it left out, or made an equation, of one variable and 0, say."""
    if isinstance(formula, t.Compare) and size(formula) > _EQUATION:
        yield from (t.compare(t.Name(name), "=", 0) for name in names)
    if isinstance(formula, t.Compare) and formula.ops in ((("<="),), ((">="),)):
        yield t.Compare(formula.terms, ("=",))
    if isinstance(formula, t.Compare) and formula.ops == ("=",):
        left, right = formula.terms
        if isinstance(right, t.Neg):  # two numbers that are not negative
            yield conjunction(t.compare(term, "=", 0) for term in (left, right.arg))
    if not isinstance(formula, t.And | t.Or):
        return
    join = conjunction if isinstance(formula, t.And) else disjunction
    parts = formula.args
    for i in sorted(range(len(parts)), key=lambda i: -size(parts[i])):
        yield join(parts[:i] + parts[i + 1 :])
    for i, part in enumerate(parts):
        for other in _simpler(part, names):
            yield join((*parts[:i], other, *parts[i + 1 :]))

"""Conditions without parts that say nothing in a legal state, as the rest of the condition does."""

from __future__ import annotations

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, size
from icgsynth.prove.deciders import decide
from icgsynth.synth.families.member_table import MemberTable

__all__ = ["shortened"]

_SHARE = 0.05  # of the budget, for one question


def shortened(table: MemberTable, formula: t.Formula, budget: Budget) -> t.Formula:
    """What says the same in all legal states of all members, which is proved part by part.

    The states of the table refute most of what is no reason to leave a part out.
    """
    return _within(table, (), formula, budget)


def _within(
    table: MemberTable, given: tuple[t.Formula, ...], formula: t.Formula, budget: Budget
) -> t.Formula:
    """The same where ``given`` holds too."""
    if not isinstance(formula, t.And | t.Or):
        if _follows(table, given, formula, budget):
            return t.TRUE
        return t.FALSE if _follows(table, given, negation(formula), budget) else formula
    join = conjunction if isinstance(formula, t.And) else disjunction
    parts = list(formula.args)
    for part in sorted(parts, key=size, reverse=True):  # long ones are left out first
        others = [other for other in parts if other is not part]
        known = others if isinstance(formula, t.And) else [negation(other) for other in others]
        parts[parts.index(part)] = _within(table, (*given, *known), part, budget)
    return join(parts)


def _follows(
    table: MemberTable, given: tuple[t.Formula, ...], formula: t.Formula, budget: Budget
) -> bool:
    wrong = (*given, negation(formula))
    if table.values(conjunction(wrong)).any():
        return False
    game = table.family.game
    return decide((game.legal, *wrong), game.variables, budget.share(_SHARE)).kind == "unsat"

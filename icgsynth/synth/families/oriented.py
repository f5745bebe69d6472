"""Formulas of families as people write them, without parts that say nothing.

What is said of the state stands first, or between its bounds.  A part of a condition goes where the
rest says as much in every legal state.
"""

from __future__ import annotations

from collections.abc import Collection

from icgsynth.budget import Budget
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, size
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.families.member_table import MemberTable
from icgsynth.synth.linear.polish import chained

# --- oriented ------------------------------------------------------------------------------------


def oriented_rule(rule: Rule, constants: Collection[str]) -> Rule:
    """The same rule."""
    return Rule(oriented(rule.when, constants), rule.act)


def oriented(formula: t.Formula, constants: Collection[str]) -> t.Formula:
    """The same with ``1 <= v`` as ``v >= 1``, and ``v >= a and v <= b`` as ``a <= v <= b``.

    Divisors are positive, so that the remainder ``v mod n >= 1`` is one that is not 0.
    """
    match formula:
        case t.Compare((t.Mod() as term, t.Int(0)), (">",)) | t.Compare(
            (t.Mod() as term, t.Int(1)), (">=",)
        ):
            return t.compare(term, "!=", 0)
        case t.Compare((t.Mod(), t.Int(0)) as terms, ("<=",)):
            return t.Compare(terms, ("=",))
        case t.Compare((t.Sum((left, t.Neg(right))), t.Int(0)), (sign,)):
            return t.compare(left, sign, right)
        case t.Compare((left, right), (sign,)):
            if free_names(left) <= set(constants) and not free_names(right) <= set(constants):
                return oriented(t.compare(right, SWAPPED[sign], left), constants)
        case t.And(parts):
            return conjunction(chained([oriented(part, constants) for part in parts]))
        case t.Or(parts):
            return disjunction([oriented(part, constants) for part in parts])
        case t.Not(part):
            return negation(oriented(part, constants))
    return formula


# --- shortened -----------------------------------------------------------------------------------

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

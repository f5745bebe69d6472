"""Formulas of families as people write them, without parts that say nothing.

Terms of the state stand first, or between their bounds.  A part of a condition is dropped where the
rest implies it in every legal state.
"""

from __future__ import annotations

from collections.abc import Collection

from icgsynth.budget import Budget
from icgsynth.families.search.member_table import MemberTable
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation
from icgsynth.logic.nodes import SWAPPED
from icgsynth.synth.linear.polish import Legal, chain_bounds, say_plainly

# --- oriented ------------------------------------------------------------------------------------


def oriented_rule(rule: Rule, constants: Collection[str]) -> Rule:
    """Return ``rule`` with its condition as :func:`oriented` writes it; the move stays."""
    return Rule(oriented(rule.when, constants), rule.act)


def oriented(formula: t.Formula, constants: Collection[str]) -> t.Formula:
    """Return ``formula`` with ``1 <= v`` as ``v >= 1``, and ``v >= a and v <= b`` as ``a <= v <=
    b``: terms in ``constants`` alone stand on the right, or around the others. Divisors are
    positive, so that the remainder ``v mod n >= 1`` is one that is not 0."""
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
            # A side of constants alone stands on the right: the state is what the formula speaks
            # of.
            if free_names(left) <= set(constants) and not free_names(right) <= set(constants):
                return oriented(t.compare(right, SWAPPED[sign], left), constants)
        case t.And(parts):
            return conjunction(
                chain_bounds([oriented(part, constants) for part in parts], constants)
            )
        case t.Or(parts):
            return disjunction([oriented(part, constants) for part in parts])
        case t.Not(part):
            return negation(oriented(part, constants))
    return formula


# --- shortened -----------------------------------------------------------------------------------

_SHARE = 0.05  # of the budget, for one question


def shortened(table: MemberTable, formula: t.Formula, budget: Budget) -> t.Formula:
    """Return a formula equivalent to ``formula`` in all legal states of all members, proved part by
    part: parts that the rest implies go, and "at most" becomes "equal" where it can. The states of
    ``table`` refute most attempts."""
    legal = Legal(table.family.game, table.rows, budget, _SHARE)
    return say_plainly(legal, formula)

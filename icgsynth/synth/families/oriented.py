"""Formulas as people write them: what is said of the state stands first, or between its bounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from icgsynth.game.strategy import Rule
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.logic.term import (
    And,
    Compare,
    Formula,
    Int,
    Mod,
    Neg,
    Not,
    Or,
    Sum,
    conjunction,
    disjunction,
    free_names,
    negation,
)

__all__ = ["oriented", "oriented_rule"]


def oriented_rule(rule: Rule, constants: Collection[str]) -> Rule:
    """The same rule."""
    return Rule(oriented(rule.when, constants), rule.act)


def oriented(formula: Formula, constants: Collection[str]) -> Formula:
    """The same with ``1 <= v`` as ``v >= 1``, and ``v >= a and v <= b`` as ``a <= v <= b``.

    Divisors are positive, so that the remainder ``v mod n >= 1`` is one that is not 0.
    """
    match formula:
        case Compare((Mod() as term, Int(0)), (">",)) | Compare((Mod() as term, Int(1)), (">=",)):
            return Compare((term, Int(0)), ("!=",))
        case Compare((Mod(), Int(0)) as terms, ("<=",)):
            return Compare(terms, ("=",))
        case Compare((Sum((left, Neg(right))), Int(0)), (sign,)):
            return Compare((left, right), (sign,))
        case Compare((left, right), (sign,)):
            if free_names(left) <= set(constants) and not free_names(right) <= set(constants):
                return oriented(Compare((right, left), (SWAPPED[sign],)), constants)
        case And(parts):
            return conjunction(_chained([oriented(part, constants) for part in parts]))
        case Or(parts):
            return disjunction([oriented(part, constants) for part in parts])
        case Not(part):
            return negation(oriented(part, constants))
    return formula


def _chained(parts: Sequence[Formula]) -> list[Formula]:
    """With a lower and an upper bound of one term in one comparison."""
    found = list(parts)
    for low in [p for p in parts if _is_bound(p, ">")]:
        for high in [p for p in found if _is_bound(p, "<")]:
            (term, least), (other, most) = cast("Compare", low).terms, cast("Compare", high).terms
            if term == other:
                signs = SWAPPED[cast("Compare", low).ops[0]], cast("Compare", high).ops[0]
                found[found.index(low)] = Compare((least, term, most), signs)
                found.remove(high)
                break
    return found


def _is_bound(formula: Formula, sign: str) -> bool:
    return isinstance(formula, Compare) and formula.ops in ((sign,), (sign + "=",))

"""Formulas by cases: another one for each remainder of a constant, or value of a small variable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from icgsynth.budget import Budget
from icgsynth.logic.term import Compare, Formula, Int, Mod, Name, conjunction, disjunction, fold
from icgsynth.synth.families.learned import formulas_for
from icgsynth.synth.families.member_columns import column_tiers, few_valued
from icgsynth.synth.families.member_table import MemberTable

__all__ = ["formulas_by_cases"]

_TIERS = 3  # of columns in which the formula of a case is looked for
_SHORT, _COSTLY = 8, 3  # sets of columns of a tier


def formulas_by_cases(table: MemberTable, budget: Budget) -> Iterator[Formula]:
    """Formulas that agree with the whole table, of two cases first."""
    known: dict[Formula, Formula | None] = {}
    for cases in _splits(table):
        parts: list[Formula] = []
        for case in cases:
            if budget.is_spent:
                return
            if case not in known:
                known[case] = _of_case(table.where(case), budget)
            found = known[case]
            if found is None:
                break
            parts.append(conjunction((case, found)))
        else:
            yield fold(disjunction(parts))


def _of_case(table: MemberTable, budget: Budget) -> Formula | None:
    """The first formula found for this case alone; none without a state of it."""
    if not len(table.rows):
        return None
    for _, tier in zip(range(_TIERS), column_tiers(table), strict=False):
        for costly, most in ((False, _SHORT), (True, _COSTLY)):
            for chosen in tier[:most]:
                for formula in formulas_for(table, chosen, budget, costly):
                    return formula
    return None


def _splits(table: MemberTable) -> Iterator[list[Formula]]:
    """Conditions of which exactly one holds in every state."""
    family = table.family
    few = [[_is(x, n) for n in values] for x, values in few_valued(family).items()]
    several = [values for values in few if len(values) > 1]
    yield from several
    halves: list[list[Formula]] = []
    for name in family.free:
        c = Name(name)
        for n in (2, 3):
            rest = Mod(c, Int(n))
            halves.append([_is(rest, 0), Compare((rest, Int(0)), ("!=",))])
        least = int(table.values(c).min())
        halves.append([_is(c, least), Compare((c, Int(least)), (">",))])
    yield from halves
    for name in family.free:
        for n in (3, 4):
            yield [_is(Mod(Name(name), Int(n)), r) for r in range(n)]
    for one, other in product(several, halves):
        yield [conjunction(pair) for pair in product(one, other)]


def _is(term: Name | Mod, number: int) -> Formula:
    return Compare((term, Int(number)), ("=",))

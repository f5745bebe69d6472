"""Learn formulas by cases: one for each remainder of a constant, or value of a small variable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.families.search.learned import formulas_for
from icgsynth.families.search.member_columns import column_tiers, few_valued
from icgsynth.families.search.member_table import MemberTable
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold

_TIERS = 4  # of columns in which the formula of a case is looked for
_SHORT, _COSTLY = 8, 3  # sets of columns of a tier
_LEFT_OUT = 3  # at most one case in so many may be left out
_PERIOD = 12  # remainders of a constant by the sum of two numbers of the rules


def formulas_by_cases(
    table: MemberTable,
    budget: Budget,
    find: Callable[[MemberTable, Budget], t.Formula | None] | None = None,
) -> Iterator[t.Formula]:
    """Yield formulas that are true in exactly the losing rows of ``table``, each a disjunction over
    the remainders of a constant or the values of a variable with few values. ``find`` returns the
    formula for the rows of one case, or None; by default one is learned."""
    yield from (formula for _, formula in formulas_of_cases(table, budget, find or _of_case, True))


def formulas_of_cases(
    table: MemberTable,
    budget: Budget,
    find: Callable[[MemberTable, Budget], t.Formula | None],
    has_all: bool,
) -> Iterator[tuple[list[t.Formula], t.Formula]]:
    """Yield pairs (left out, formula): the formula tells the losing rows of ``table`` by cases, in
    all cases but those in the list ``left out``. It ends with ``budget``. ``find`` returns the
    formula for the rows of one case, or None. If ``has_all``, no case may be left out; else at most
    a third of all remainders of a constant."""
    known: dict[t.Formula, t.Formula | None] = {}
    for cases in _splits(table):
        left_out, is_by_remainder = list[t.Formula](), all(map(_is_remainder, cases))
        most = len(cases) // _LEFT_OUT if is_by_remainder and not has_all else 0
        # The case with the most states is mostly the one without a formula.
        for case in sorted(cases, key=lambda case: -table.values(case).sum()):
            if budget.is_spent:
                return
            # A case may be part of several splits, and is learned once.
            if case not in known:
                try:
                    known[case] = find(table.where(case), budget)
                except (BudgetSpent, OutOfReach):
                    return
            left_out += [case] * (known[case] is None)
            if len(left_out) > most:
                break
        else:
            by_formula = defaultdict[t.Formula, list[t.Formula]](list)
            for case in cases:
                if (found := known[case]) is not None:
                    by_formula[found].append(case)
            parts = [(_some_of(some), found) for found, some in by_formula.items()]
            yield left_out, fold(disjunction(map(conjunction, parts)))


def _of_case(table: MemberTable, budget: Budget) -> t.Formula | None:
    """Return a formula that tells the losing rows of ``table``, those of one case, or None."""
    if not len(table.rows):
        return None
    for _, tier in zip(range(_TIERS), column_tiers(table, budget), strict=False):
        for costly, most in ((False, _SHORT), (True, _COSTLY)):
            for chosen in tier[:most]:
                for formula in formulas_for(table, chosen, budget, costly):
                    return formula
    return None


def _splits(table: MemberTable) -> Iterator[list[t.Formula]]:
    """Yield lists of conditions of which exactly one holds in every state of ``table``."""
    family = table.family
    few = [[_is(x, n) for n in values] for x, values in few_valued(family).items()]
    several = [values for values in few if len(values) > 1]
    yield from several
    free = [t.Name(name) for name in family.free]
    # Where y >= x for all members, y - x is split as a constant is: 0 or above.
    apart = [t.Sum((y, t.Neg(x))) for x, y in permutations(free, 2) if _is_above(table, y, x)]
    halves = [_from_least(table, term, 1) for term in apart]
    for c in free:
        for n in (2, 3):
            rest = t.Mod(c, t.Int(n))
            halves.append([_is(rest, 0), t.compare(rest, "!=", 0)])
    halves += [_from_least(table, c, 1) for c in free]
    yield from halves
    for c in free:
        for n in (3, 4):
            yield [_is(t.Mod(c, t.Int(n)), r) for r in range(n)]
        yield _from_least(table, c, 2)
    # "2, 3 or k" is played as "2 or 3", whose period is 5, but for some remainders of k by 5.
    numbers = sorted(n for n in family.game.integers if n >= 1)
    sums = {one + other for one, other in combinations(numbers, 2)}
    for c, n in product(free, sorted(n for n in sums if 4 < n <= _PERIOD)):
        yield [_is(t.Mod(c, t.Int(n)), r) for r in range(n)]
    for one, other in product(several, halves):
        yield [conjunction(pair) for pair in product(one, other)]


def _is_above(table: MemberTable, one: t.Term, other: t.Term) -> bool:
    return bool((table.values(one) >= table.values(other)).all())


def _from_least(table: MemberTable, term: t.Term, count: int) -> list[t.Formula]:
    """Return a condition for each of the ``count`` least values of ``term`` in ``table``, and one
    for all larger values."""
    least = int(table.values(term).min())
    last = t.compare(term, ">", least + count - 1)
    return [*(_is(term, least + i) for i in range(count)), last]


def _some_of(cases: list[t.Formula]) -> t.Formula:
    """Return the formula that one of ``cases`` holds; remainders of one term become one set."""
    of = [case.terms for case in cases if isinstance(case, t.Compare) and _is_remainder(case)]
    if 1 < len(of) == len(cases):
        return t.Member(of[0][0], tuple(number for _, number in of))
    return disjunction(cases)


def _is_remainder(case: t.Formula) -> bool:
    return isinstance(case, t.Compare) and isinstance(case.terms[0], t.Mod)


def _is(term: t.Term, number: int) -> t.Formula:
    return t.compare(term, "=", number)

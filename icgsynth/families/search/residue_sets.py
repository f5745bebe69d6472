"""Find short formulas about one remainder that agree with a whole table, the shortest first.

``t mod m``, of a variable or a sum or difference of two, moved by a constant, where the modulus is
a number or a short term in the constants: it is 0, or below a term, or has one of a few remainders
by a small number, or both.  Many games of one pile are lost there: ``(goal - s) mod 4 = 0``,
``n mod (4 * k) < 2 * k and n mod 2 = 0``, ``n mod (k + 3) < k and n mod (k + 3) mod 5 <= 1``.  By
cases there is one for each remainder of a constant.  A few small numbers may be exceptions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.families.search.member_table import MemberTable
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, walk
from icgsynth.logic.simplify import linear_sum

_NUMBERS = 12  # the largest modulus that is a number
_FACTORS = (1, 2, 3, 4, 5, 6)  # factors of a constant in a modulus or a bound
_ADDED = (-1, 0, 1, 2, 3)  # numbers added to a multiple of a constant, besides those of the rules
_SHIFTS = (-2, -1, 0, 1, 2)  # numbers added to the term whose remainder is taken
_PARTS = range(2, 13)  # by which the remainder may have a remainder of its own: one of a few
_FEW = 3  # remainders in a set that are no neighbours; at most half of all
_REACH = 400  # the largest number of a member's table in which exceptions are looked for
_FAR = _REACH // 3  # from there on a formula has no exceptions
_EXCEPTIONS = 3  # numbers near 0 for which a formula is mended, at most
_MENDED = 4  # formulas of far numbers for which exceptions are looked for
_ROWS = 400  # of the table that are looked at first: most formulas fail there

Ints = NDArray[np.int64]


def residue_sets(table: MemberTable, budget: Budget) -> Iterator[t.Formula]:
    """Yield formulas about one remainder, such as ``(a - b) mod 4 = 0``, that are true in exactly
    the losing rows of ``table``; the shortest first."""
    if not len(table.rows):
        return
    rng = np.random.default_rng(0)
    few = np.sort(rng.permutation(len(table.rows))[:_ROWS])
    # A few random rows, in their order, refute most formulas; the others are checked on all rows.
    lost, constants = table.losing[few], table.rows[few][:, : len(table.family.free)]
    member = np.unique(constants, axis=0, return_inverse=True)[1].reshape(-1)
    sides = [(side, table.values(side)) for side in _sides(table)]
    terms = list(_list_terms(table))
    of_terms = np.array([table.values(term)[few] for term in terms])
    numbers = [t.Int(n) for n in range(2, _NUMBERS + 1)]
    found: list[t.Formula] = []
    for modulus in (*numbers, *(side for side, _ in sides), *_even_moduli(table)):
        budget.check()
        m = np.broadcast_to(table.values(modulus), len(table.rows))
        if m.min() < 1 or (m == 1).all():
            continue
        m = m[few]
        rests = of_terms % m
        # If one member has a lost and a won state with one remainder, no formula in this remainder
        # is right, and none is built.
        for place in np.flatnonzero(_tells(member, rests, lost)):
            rest = t.Mod(terms[place], modulus)
            for formula, holds in _shapes(rest, rests[place], m, sides, few, lost):
                if (holds == lost).all():
                    whole = np.asarray(table.values(formula), dtype=bool)
                    found += [formula] * bool((whole == table.losing).all())
    yield from sorted(dict.fromkeys(found), key=_length)


def _length(formula: t.Formula) -> int:
    """Return the size of ``formula``, where sets count twice: a bound explains more than a set."""
    sets = [node for node in walk(formula) if isinstance(node, t.Member)]
    return size(formula) + sum(map(size, sets))


def residue_set(table: MemberTable, budget: Budget) -> t.Formula | None:
    """Return the shortest formula about one remainder that tells the losing rows of ``table``, or
    else one with exceptions (:func:`with_exceptions`); None without either."""
    return next(chain(residue_sets(table, budget), with_exceptions(table, budget)), None)


def with_exceptions(table: MemberTable, budget: Budget) -> Iterator[t.Formula]:
    """Yield formulas about one remainder that tell the losing rows of ``table``, for a game of one
    variable, with ``v = e`` or ``v != e`` for at most three exceptions e: small numbers, or terms
    in the constants. "Take 1, 4 or 10" is lost at 0, and won at 10, but lost at 21."""
    family = table.family
    own = [t.Name(v) for v in family.game.variables[len(family.free) :]]
    if len(own) != 1:
        return
    for values in np.unique(table.rows[:, : len(family.free)], axis=0).tolist():
        table = table.with_member(dict(zip(family.free, values, strict=True)), _REACH, budget)
    far = table.where(t.compare(own[0], ">=", _FAR))
    points = [*map(t.Int, range(_EXCEPTIONS)), *_sides(table)]
    places = [(p, table.values(t.Compare((own[0], p), ("=",))).astype(bool)) for p in points]
    for formula in islice(residue_sets(far, budget), _MENDED):
        wrong = table.values(formula).astype(bool) != table.losing
        lost, won = list[t.Formula](), list[t.Formula]()
        for point, here in places:
            if wrong[here].any() and wrong[here].all() and len(set(table.losing[here])) == 1:
                is_lost = bool(table.losing[here][0])
                (lost if is_lost else won).append(
                    t.Compare((own[0], point), ("=" if is_lost else "!=",))
                )
                wrong = wrong & ~here
        if not wrong.any() and len(lost) + len(won) <= _EXCEPTIONS:
            yield disjunction((conjunction((formula, *won)), *lost))


def _tells(member: Ints, rests: Ints, lost: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each term whether its remainder separates lost from won states of each member.
    ``rests`` (terms, states) has the remainders, ``member`` (states,) numbers the states' members,
    ``lost`` (states,) is True for lost states; returned is a mask (terms,)."""
    # Remainders by a large constant are numbered, so that no table is as long as they are large.
    found, number = np.unique(rests, return_inverse=True)
    # One number for each term, member and remainder that occur together.
    row = np.arange(len(rests))[:, None] * (member.max() + 1) + member
    key = row * len(found) + number.reshape(rests.shape)
    _, first, cell = np.unique(key, return_index=True, return_inverse=True)
    all_ = np.bincount(cell.reshape(-1))
    losing = np.bincount(cell.reshape(-1), weights=np.broadcast_to(lost, rests.shape).ravel())
    tells = np.ones(len(rests), dtype=bool)
    tells[first[(losing > 0) & (losing < all_)] // rests.shape[1]] = False
    return tells


def _shapes(
    rest: t.Mod,
    r: Ints,
    m: Ints,
    sides: list[tuple[t.Term, Ints]],
    few: Ints,
    lost: NDArray[np.bool_],
) -> Iterator[tuple[t.Formula, NDArray[np.bool_]]]:
    """Yield pairs (formula, mask of rows it holds in): ``rest`` is 0, is below one of ``sides``,
    pairs (bound, its values), has by a small number a remainder of the losing rows, or both. Rows
    are the places ``few`` of the table; there ``rest`` is ``r``, modulus ``m``, lost: ``lost``."""
    yield t.compare(rest, "=", 0), r == 0
    inner: list[tuple[t.Formula, NDArray[np.bool_]]] = []
    # By a number the remainder is told itself, as "n mod 5 in {0, 2}", and not one of its own.
    parts = [p for p in _PARTS if not isinstance(rest.divisor, t.Int) or m[0] % p == 0]
    for part in parts:
        left = np.unique(r[lost] % part)
        if 1 <= len(left) <= part // 2 and (len(left) <= _FEW or left[-1] - left[0] < len(left)):
            # Where the part divides the modulus, the term has the remainder that its own has.
            by_part = t.Mod(rest.arg if (m % part == 0).all() else rest, t.Int(part))
            inner.append((_among(by_part, left.tolist()), np.isin(r % part, left)))
    yield from inner
    for side, values in sides:
        below = values[few]
        # Below the modulus says nothing, and below 0 is never true.
        if (below < m).all() and (below > 0).any():
            is_below, holds = t.compare(rest, "<", side), r < below
            yield is_below, holds
            for condition, is_so in inner:
                yield conjunction((is_below, condition)), holds & is_so


def _among(term: t.Term, numbers: list[int]) -> t.Formula:
    """Return the formula that ``term`` is one of ``numbers``, ascending and not negative."""
    first, last = numbers[0], numbers[-1]
    if first == last:
        return t.compare(term, "=", first)
    if last - first >= len(numbers):
        return t.Member(term, tuple(map(t.Int, numbers)))
    below = t.compare(term, "<=", last)
    return below if first == 0 else conjunction((t.compare(term, ">=", first), below))


def _sides(table: MemberTable) -> Iterator[t.Term]:
    """Yield terms in the constants, as 2 * k + 1, that may be a modulus or bound of a remainder."""
    names = [t.Name(name) for name in table.family.free]
    of_rules = [n for n in table.family.game.integers if 0 < n <= _NUMBERS]
    for factor in _FACTORS:
        for added in sorted({*_ADDED, *of_rules}):
            yield from (linear_sum({name: factor}, added) for name in names)
    for one, other in combinations(names, 2):
        yield from (linear_sum({one: 1, other: 1}, added) for added in _ADDED)


def _even_moduli(table: MemberTable) -> Iterator[t.Term]:
    """Yield ``f * c + c mod 2`` for each constant c and each even factor f up to 6."""
    for name in map(t.Name, table.family.free):
        for factor in _FACTORS[1::2]:
            yield t.Sum((linear_sum({name: factor}, 0), t.Mod(name, t.Int(2))))


def _list_terms(table: MemberTable) -> Iterator[t.Term]:
    """Yield the terms whose remainder is taken: variables, sums, differences, perhaps shifted by a
    constant and a small number."""
    family = table.family
    own = [t.Name(v) for v in family.game.variables[len(family.free) :]]
    bases: list[dict[t.Term, int]] = [{v: 1} for v in own]
    for one, other in combinations(own, 2):
        bases += [{one: 1, other: 1}, {one: 1, other: -1}]
    if len(own) > 2:
        bases.append(dict.fromkeys(own, 1))
    for base in bases:
        for shift in _SHIFTS:
            yield linear_sum(base, shift)
            for name in map(t.Name, family.free):
                yield linear_sum({name: 1} | {v: -k for v, k in base.items()}, shift)
                yield linear_sum(base | {name: 1}, shift)

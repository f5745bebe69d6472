"""Find columns over which the losing states of all members may have a short formula.

Residues of the variables modulo a short linear term in the constants, with what else the formulas
of games speak of.  Equal rows with different labels exclude a set of columns at once.  From a set
that is not excluded, columns are left out as long as the others tell the labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.families.search.member_table import GameFamily, MemberTable
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.ranges import box_of
from icgsynth.logic.simplify import linear_sum

_COEFFICIENTS = range(-1, 3)  # factors of a constant in a modulus: -1 to 2
_CONSTANTS = range(-1, 3)  # numbers added in a modulus: -1 to 2
_INNER = 8  # moduli tried for the residue of a residue
_MIXED = 6  # moduli of which the two variables may have different ones
_FAR = 1_000  # a variable whose bound is nearer has few values
_FEW = 4  # values of a variable whose cases are looked at one by one
_HUGE = 1_000_000  # from there on no box of a table comes near
_OWN = 4  # larger numbers of the rules that a formula may speak of
_MOST = 24  # sets of columns of one tier
_BEST = 2  # sets of columns for one condition
_NEAR = 4  # sets with how far variables are from a constant, or from one another
_TOLD = 10  # sets with quotients or whole variables: the labels always follow from these


@dataclass(frozen=True)
class ColumnSet:
    """The terms that a formula may use as columns; constants and variables stand for themselves."""

    terms: tuple[t.Term, ...]

    def names(self) -> tuple[str, ...]:
        """Return a name for each term: its own if it is a name, else one with a dot."""
        named = enumerate(self.terms)
        return tuple([term.name if isinstance(term, t.Name) else f"icg.{i}" for i, term in named])

    def data(self, table: MemberTable) -> NDArray[np.int64]:
        """Return the values of the terms in the rows of ``table``, of shape (rows, terms)."""
        return np.stack([table.values(term) for term in self.terms], axis=1).astype(np.int64)


def few_valued(family: GameFamily) -> dict[t.Name, range]:
    """Return the variables that the rules bound to at most four values, with these values."""
    game, count = family.game, len(family.free)
    sides = box_of(game.legal, game.variables, _FAR)[count:]
    bounded = zip(game.variables[count:], sides, strict=True)
    return {t.Name(x): range(lo, hi + 1) for x, (lo, hi) in bounded if hi - lo < _FEW}


def large_numbers(family: GameFamily) -> list[t.Int]:
    """Return the numbers from 5 to a million in the rules of ``family``, at most the first four."""
    return [t.Int(n) for n in sorted(family.game.integers) if _FEW < n < _HUGE][:_OWN]


def column_tiers(table: MemberTable, budget: Budget) -> Iterator[list[ColumnSet]]:
    """Yield lists of column sets to try in turn. Each set determines the labels of ``table``; in a
    list, sets with few different rows come first. The lists have, in this order:

    the variables alone; the least of two with a parity; residues modulo one term, or modulo one for
    each of two variables, and then how far they are from a constant or the least of two modulo one
    term; residues of residues and their quotients; differences with a parity; quotients; all
    variables. :class:`~icgsynth.errors.BudgetSpent` once the time of ``budget`` is over."""
    work = _Columns(table, budget)
    # With a variable of few values its cases need columns of their own; without one, the variables
    # alone are tried if they tell the labels.
    if work.few:
        yield work.telling([(*work.constants, *work.own), (*work.largest(), *work.own)])
    elif work.count(work.own):
        yield [ColumnSet(tuple(work.own))]
    yield work.telling(pool for m in work.moduli for pool in work.list_least(m))[:_NEAR]
    plain = [pool for m in work.moduli for pool in work.residues(m)]
    measured = work.telling(pool for m in work.moduli for pool in work.list_distances(m))
    yield [*work.telling([*plain, *work.list_mixed()])[:_MOST], *measured[:_NEAR]]
    passed = [m for m in work.moduli if work.count((*work.constants, *work.of(m)))]
    # Residues of residues are tried for moduli whose residues tell the labels already: they make a
    # formula shorter, and do not tell more.
    nested = [pair for m in passed for pair in work.nest(m)]
    found = [made for pool, kept in nested for made in work.reduce_pool((*pool, *kept), kept)]
    yield work.rank(found)[:_MOST]
    yield work.telling(pool for m in work.moduli for pool in work.apart(m))[:_NEAR]
    yield work.telling(work.quotients(m) for m in work.moduli)[:_TOLD]
    whole = [(*work.constants, *work.of(m), *work.own) for m in work.moduli]
    yield [ColumnSet((*work.constants, *work.own)), *work.rank(whole)[:_TOLD]]


def find_columns(table: MemberTable, pool: Sequence[t.Term]) -> list[ColumnSet]:
    """Return at most two sets of terms from ``pool`` that determine which rows of ``table`` are
    lost. Needless terms are left out, the first ones of ``pool`` first."""
    return _Columns(table).telling([pool])[:_BEST]


@dataclass
class _Columns:
    """The terms over one table, and how many different rows a set of terms has."""

    table: MemberTable
    budget: Budget = UNBOUNDED
    hashes: dict[t.Term, NDArray[np.uint64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        family = self.table.family
        self.constants = [t.Name(name) for name in family.free]
        self.own = [t.Name(name) for name in family.game.variables[len(self.constants) :]]
        self.few = [x for x in few_valued(family) if len(self.own) > 1]
        self.wide = [x for x in self.own if x not in self.few]
        self.pairs = list(combinations(self.wide[:2], 2))
        self.numbers = sorted({n for n in family.game.integers if 1 < n <= _FEW} | {2, 3})
        self.large = large_numbers(family)
        self.moduli = list(_moduli(self.table, self.constants, self.numbers, self.large))

    # --- sets of columns -------------------------------------------------------------------------

    def of(self, modulus: t.Term) -> tuple[t.Term, ...]:
        """Return all variables of a state modulo ``modulus``; those of few values unchanged."""
        return tuple(x if x in self.few else t.Mod(x, modulus) for x in self.own)

    def largest(self) -> Iterator[t.Term]:
        """Yield ``max(c, d)`` if the family has just two constants, c and d."""
        if len(self.constants) == 2:
            yield t.Max(*self.constants)

    def list_distances(self, modulus: t.Term) -> Iterator[tuple[t.Term, ...]]:
        """Yield sets of terms with the distances, modulo ``modulus``, of the variables from a
        constant; then with the difference of two variables and their minimum modulo ``modulus``."""
        goals: list[t.Term] = [*self.constants, *self.large]
        for c in goals:
            if free_names(c).isdisjoint(free_names(modulus)):
                far = (t.Mod(_less(c, x), modulus) for x in self.wide)
                yield (*self.constants, *self.few, *far)
        for x, y in self.pairs:
            less, least = _less(x, y), t.Mod(t.Min(x, y), modulus)
            yield (less, t.Mod(less, modulus), *self.constants, *self.few, least)

    def residues(self, modulus: t.Term) -> Iterator[tuple[t.Term, ...]]:
        """Yield sets of terms: constants and variables modulo ``modulus``, first with the sum and
        the difference of two variables modulo ``modulus`` as well."""
        other = [c for c in self.constants if c.name not in free_names(modulus)]
        others = [
            *(t.Mod(c, modulus) for c in other),
            *(self._rest(n, modulus) for n in self.large),
        ]
        # Differences and sums first: what is left out first in reduced() are the first columns of a
        # pool.
        base = (*self.constants, *others, *self.of(modulus))
        for x, y in self.pairs:
            less, more = _less(x, y), t.Sum((x, y))
            sums = (t.Mod(less, modulus), t.Mod(more, modulus))
            yield (*self.of(modulus), *self.constants, *others, *sums)
            yield (less, *sums, *self.constants, *others, *self.of(modulus))
        yield base

    def list_mixed(self) -> Iterator[tuple[t.Term, ...]]:
        """Yield sets of the constants and both variables, each variable modulo a term of its own;
        none unless there are two variables."""
        if len(self.own) == 2:
            for one, other in product(self.moduli[:_MIXED], repeat=2):
                if one != other:
                    yield (*self.constants, t.Mod(self.own[0], one), t.Mod(self.own[1], other))

    def nest(self, modulus: t.Term) -> Iterator[tuple[tuple[t.Term, ...], tuple[t.Term, ...]]]:
        """Yield pairs (columns, outer): the constants and the variables modulo ``modulus``; and
        these residues taken modulo, or divided by, one more term."""
        residues = [r for r in self.of(modulus) if isinstance(r, t.Mod)]
        doubled = [t.Mul(t.Int(2), c) for c in self.constants]
        inner = [*map(t.Int, self.numbers), *self.constants, *doubled, *self.moduli[:_INNER]]
        for other in dict.fromkeys(inner):
            if other == modulus or self.table.values(other).min(initial=1) < 1:
                continue
            for kind in (t.Mod, t.Div):
                # A residue that is 0, or unchanged, on the whole table says nothing new.
                outer = tuple(self._plainer(kind(r, other)) for r in residues)
                if any(self._is_trivial(new, r) for new, r in zip(outer, residues, strict=True)):
                    continue
                yield (*self.constants, *self.of(modulus)), outer

    def apart(self, modulus: t.Term) -> Iterator[tuple[t.Term, ...]]:
        """Yield sets of terms for two variables x, y and a constant c: the constants, x - y, r = y
        mod ``modulus``, and (r + c) mod 2."""
        for (x, y), c in product(self.pairs, self.constants):
            residue = t.Mod(y, modulus)
            parity = t.Mod(t.Sum((residue, c)), t.Int(2))
            yield (*self.constants, residue, _less(x, y), parity)

    def list_least(self, modulus: t.Term) -> Iterator[tuple[t.Term, ...]]:
        """Yield sets of terms: the minimum of two variables x, y modulo ``modulus``, and the parity
        of x + y + (minimum div ``modulus``)."""
        for x, y in self.pairs:
            least = t.Min(x, y)
            # Of two piles with a period in the least: lost by the parity of x + y and of the
            # periods passed.
            total = t.Sum((x, y, t.Div(least, modulus)))
            yield (*self.constants, *self.few, t.Mod(least, modulus), t.Mod(total, t.Int(2)))

    def _rest(self, number: t.Int, modulus: t.Term) -> t.Term:
        """Return ``number`` if it is below ``modulus`` on the whole table, else its residue."""
        rest = t.Mod(number, modulus)
        return number if (self.table.values(rest) == number.value).all() else rest

    def _plainer(self, term: t.Mod | t.Div) -> t.Term:
        """Return ``v mod 2`` for a ``term`` like ``v mod (2 * n) mod 2`` if both are equal on the
        table; otherwise ``term``."""
        if isinstance(term, t.Mod) and isinstance(term.arg, t.Mod):
            plain = t.Mod(term.arg.arg, term.divisor)
            if (self.table.values(plain) == self.table.values(term)).all():
                return plain
        return term

    def _is_trivial(self, new: t.Term, old: t.Term) -> bool:
        values = self.table.values(new)
        return not values.any() or bool((values == self.table.values(old)).all())

    def quotients(self, modulus: t.Term) -> tuple[t.Term, ...]:
        sums = [t.Mod(t.Sum(pair), modulus) for pair in self.pairs]
        divided = (t.Div(x, modulus) for x in self.wide)
        return (*self.constants, *self.of(modulus), *sums, *divided)

    # --- which columns tell the labels -----------------------------------------------------------

    def count(self, terms: Iterable[t.Term]) -> int:
        """Return how many different rows ``terms`` have; 0 if they are equal for a lost and a won
        state."""
        key = np.zeros(len(self.table.rows), np.uint64)
        for term in terms:
            # The hash of a row is a sum over its columns, so that a column is left out by one
            # subtraction.
            key = key + self._hash(term)
        return self._count(key)

    def _count(self, key: NDArray[np.uint64]) -> int:
        return _different(key, self.table.losing)

    def _hash(self, term: t.Term) -> NDArray[np.uint64]:
        if term not in self.hashes:
            values = self.table.values(term)
            low = int(values.min(initial=0))
            # A random number for each value of the column: two different rows have equal sums once
            # in 2^63.
            random = np.random.default_rng(len(self.hashes))
            size = int(values.max(initial=0)) - low + 1
            self.hashes[term] = random.integers(0, 2**63, size, np.uint64)[values - low]
        return self.hashes[term]

    def reduce_pool(
        self, pool: Sequence[t.Term], kept: Sequence[t.Term] = ()
    ) -> Iterator[tuple[t.Term, ...]]:
        """Yield parts of ``pool`` that determine the labels: without needless terms but with
        constants, without any needless term, and all of it; nothing if ``pool`` does not determine
        them. Terms are left out in the order of ``pool``, those in ``kept`` never."""
        key = np.zeros(len(self.table.rows), np.uint64)
        for term in pool:
            key = key + self._hash(term)
        self.budget.check()
        if not self._count(key):
            return
        # Greedy: a column goes if the rest still tells the labels; what stays depends on the order
        # alone.
        for needed in ((*self.constants, *kept), kept):
            left, rest = list(pool), key
            for term in pool:
                without = rest - self._hash(term)
                if term not in needed and len(left) > 1 and self._count(without):
                    left.remove(term)
                    rest = without
            yield tuple(left)
        yield tuple(pool)

    def telling(self, pools: Iterable[Sequence[t.Term]]) -> list[ColumnSet]:
        """Return the column sets that ``pools`` are reduced to, without needless terms: each
        determines the labels of the table. Those with few different rows come first."""
        return self.rank(made for pool in pools for made in self.reduce_pool(pool))

    def rank(self, pools: Iterable[Sequence[t.Term]]) -> list[ColumnSet]:
        """Return those sets of terms in ``pools`` that determine the labels of the table, each
        once; those with few different rows come first."""
        sets = dict.fromkeys(frozenset(pool) for pool in pools)
        names: list[t.Term] = [*self.constants, *self.own]
        order = {term: i for i, term in enumerate(names)}
        counted = []
        for i, terms in enumerate(sets):
            count = self.count(terms)
            if count:
                listed = sorted(terms, key=lambda part: (order.get(part, len(order)), str(part)))
                counted.append((count, i, ColumnSet(tuple(listed))))
        return [chosen for *_, chosen in sorted(counted, key=lambda each: each[:2])]


def _less(one: t.Term, other: t.Term) -> t.Term:
    return t.Sum((one, t.Neg(other)))


def _different(key: NDArray[np.uint64], losing: NDArray[np.bool_]) -> int:
    """Return how many different hashes of rows ``key`` has, not counting their lowest bit; 0 where
    two equal ones differ in ``losing``, whether the row is lost."""
    one = np.uint64(1)
    # The lowest bit of a key is its label: equal rows with different labels become neighbours.
    found = np.sort(key & ~one | losing)
    changes = found[1:] != found[:-1]
    if (changes & (found[1:] | one == found[:-1] | one)).any():
        return 0
    return int(changes.sum()) + min(1, len(found))


def _moduli(
    table: MemberTable, constants: list[t.Name], numbers: Sequence[int], large: Sequence[t.Int]
) -> Iterator[t.Term]:
    """Yield short terms in ``constants`` that are at least 1 in all rows of ``table``. To multiples
    of constants ``numbers`` are added; terms with one of the ``large`` numbers come last."""
    found: list[tuple[int, t.Term]] = [(n, t.Int(n)) for n in numbers]
    for factors in product(_COEFFICIENTS, repeat=len(constants)):
        if any(factors):
            # Short terms come first; a negative factor costs one more.
            weight = sum(map(abs, factors)) + sum(f < 0 for f in factors)
            for number in sorted({*_CONSTANTS, *numbers}):
                form: dict[t.Term, int] = {
                    c: f for c, f in zip(constants, factors, strict=True) if f
                }
                found.append((weight + abs(number), linear_sum(form, number)))
    terms = [term for _, term in sorted(found, key=lambda pair: pair[0])]
    terms += [t.Sum((t.Mul(t.Int(2), c), t.Mod(c, t.Int(2)))) for c in constants]
    terms += [t.Sum((c, n)) for n in large for c in constants]
    for term in terms:
        if len(table.rows) and table.values(term).min() >= 1:
            yield term

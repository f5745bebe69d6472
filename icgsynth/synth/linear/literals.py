"""The literals of the search grammar, and tables of all literals of a size on sample states.

A literal is a comparison of a linear form with an integer, or a congruence.  Its size is
the number of leaves of the shortest way to write it: ``a = b`` has 2, ``a + b = 0``,
``a = b + 1`` and ``2 * a <= b`` have 3, ``(a + b) mod 3 = 0`` 4.

With each literal its complement is listed at equal size, so the search needs no ``not``.  The
values of literals are bit vectors, rows of ``uint64`` words; state ``i`` of a sample is bit ``i``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints, Words, pack, words_for
from icgsynth.logic import term as t
from icgsynth.logic.nodes import MEANING, NEGATED, SWAPPED
from icgsynth.logic.simplify import linear_sum

# --- one literal ---------------------------------------------------------------------------------

Coefficients: TypeAlias = tuple[int, ...]


def form_of(count: int, at: Mapping[int, int]) -> Coefficients:
    """Return ``count`` coefficients of a linear form: ``at[i]`` of variable i, 0 if it has none."""
    return tuple(at.get(i, 0) for i in range(count))


def form_size(coefficients: Coefficients, largest: int) -> int:
    """Return the fewest leaves of a linear form, written with integers of at most ``largest``."""
    # ``largest`` is 2 or more. A variable is one leaf, its coefficient another; a coefficient past
    # ``largest`` is a sum of several, as in ``24 * a + 2 * a``.
    size = 0
    for c in coefficients:
        whole, rest = divmod(abs(c), largest)
        size += 2 * whole + min(rest, 2)
    return size


def number_size(op: str, number: int, mixed: bool, largest: int) -> int:
    """Return the fewest leaves that ``number`` takes in ``form op number``, with integers up to
    ``largest``; 0 takes none if the form is ``mixed`` (has a minus), as in ``a = b``."""
    # An inequality may be made strict or not.
    numbers = (number, number + 1) if op in ("<=", ">") else (number,)
    least = min(map(abs, numbers))
    return -(-least // largest) if least or mixed else 1


def is_mixed(coefficients: Coefficients) -> bool:
    """Return whether some coefficients are positive and some negative."""
    return min(coefficients) < 0 < max(coefficients)


@dataclass(frozen=True, slots=True)
class LinearLiteral:
    """A literal ``sum(c * x) op number``; with a modulus ``sum(c * x) mod modulus op number``."""

    coefficients: Coefficients
    op: str
    number: int
    modulus: int = 0

    @property
    def size(self) -> int:
        """The number of leaves of the literal, if integers may be of any size."""
        form = form_size(self.coefficients, max(2, *map(abs, self.coefficients)))
        if self.modulus:
            return form + 2
        return form + number_size(
            self.op, self.number, is_mixed(self.coefficients), abs(self.number) + 1
        )

    @property
    def complement(self) -> LinearLiteral:
        """The literal that is true exactly where this literal is false."""
        return LinearLiteral(self.coefficients, NEGATED[self.op], self.number, self.modulus)

    def formula(self, variables: Sequence[str]) -> t.Formula:
        """Return the literal as a formula, without negative numbers where that costs no leaf."""
        if self.modulus:
            term = t.Mod(linear_term(self.coefficients, variables), t.Int(self.modulus))
            if self.modulus == 2 and self.op == "!=":
                return t.compare(term, "=", 1 - self.number)
            return t.compare(term, self.op, self.number)
        return _comparison(self, variables)

    def holds(self, states: Ints) -> Flags:
        """Return whether the literal holds in each of ``states`` (n, d), shape (n,)."""
        return self.on(states @ np.array(self.coefficients, dtype=np.int64))

    def on(self, values: Ints) -> Flags:
        """Return for each of ``values`` of its linear form whether the literal holds, as flags."""
        if self.modulus:
            values = values % self.modulus
        return np.asarray(MEANING[self.op](values, self.number))


def linear_term(coefficients: Coefficients, variables: Sequence[str], number: int = 0) -> t.Term:
    """Return the term ``c1 * x1 + c2 * x2 + .. + number``, summands with positive factors first."""
    return linear_sum(dict(zip(map(t.Name, variables), coefficients, strict=True)), number)


def _comparison(literal: LinearLiteral, variables: Sequence[str]) -> t.Formula:
    """Return ``literal``, without modulus, as a comparison with positive factors on both sides."""
    c, op, number = literal.coefficients, literal.op, literal.number
    if op in ("<=", ">") and is_mixed(c) and number == -1:
        op, number = ("<" if op == "<=" else ">="), 0
    left = tuple(max(x, 0) for x in c)
    right = tuple(max(-x, 0) for x in c)
    if not any(left):
        left, right, op, number = right, left, SWAPPED[op], -number
    if not any(right):
        return t.compare(linear_term(left, variables), op, number)
    if number < 0:
        # a - b <= -3 reads better as a + 3 <= b.
        if op in ("<=", ">"):
            op, number = ("<" if op == "<=" else ">="), number + 1
        if number:
            left, right, op, number = right, left, SWAPPED[op], -number
    return t.compare(linear_term(left, variables), op, linear_term(right, variables, number))


# --- all of a size -------------------------------------------------------------------------------


def meets(a: Words, b: Words) -> Flags:
    """Return flags (i, j): whether row i of ``a`` and row j of ``b``, sets of states, intersect."""
    common = np.zeros((len(a), len(b)), np.uint64)
    for word in range(a.shape[1]):
        common |= a[:, word, None] & b[None, :, word]
    return np.asarray(common != 0)


def row_keys(bits: Words) -> NDArray[np.void]:
    """Return (rows,) a key of each row of ``bits``, equal for equal rows, to sort and compare."""
    return np.ascontiguousarray(bits).view(np.dtype((np.void, 8 * bits.shape[1]))).ravel()


_FORMS = 4_000  # linear forms evaluated at once
_BLOCKS = 200  # arrays of booleans packed at once, to save memory
_NEAR = 8  # states on which nearly all forms have several values


@dataclass(frozen=True, slots=True)
class LiteralTable:
    """The literals of one size on a sample: ``bits[i]`` are the values of ``literal(i)``."""

    bits: Words
    forms: tuple[Coefficients, ...]
    recipes: Ints

    def __len__(self) -> int:
        return len(self.bits)

    def literal(self, index: int) -> LinearLiteral:
        form, op, number, modulus = (int(x) for x in self.recipes[index])
        return LinearLiteral(self.forms[form], _OPS[op], number, modulus)

    def take(self, keep: Ints) -> LiteralTable:
        """Return the table of the rows with the indices ``keep``, in their order."""
        return LiteralTable(self.bits[keep], self.forms, self.recipes[keep])


# Each operator is followed by its complement.
_OPS = ("=", "!=", "<=", ">")


class Literals:
    """All literals over one sample of states, by size, made when needed.  ``limit`` bounds the rows
    of one size: past the limit :meth:`of_size` is None, because the table would be incomplete.
    Past the ``budget`` all methods raise :class:`~icgsynth.errors.BudgetSpent`."""

    def __init__(self, states: Ints, constants_up_to: int, limit: int, budget: Budget) -> None:
        self.states = states
        self.budget = budget
        self.constants_up_to = constants_up_to
        self.limit = limit
        self._by_size: dict[int, LiteralTable | None] = {}

    def of_size(self, size: int) -> LiteralTable | None:
        """Return the table of literals of ``size`` leaves that are not constant on the sample, one
        of each meaning; None if they are more than the limit."""
        self.budget.check()
        if size not in self._by_size:
            self._by_size[size] = self._table(size)
        return self._by_size[size]

    def _table(self, size: int) -> LiteralTable | None:
        states, largest = self.states, self.constants_up_to
        forms = tuple(_forms(states.shape[1], size, largest))
        blocks: list[Flags] = []
        recipes: list[Ints] = []
        rows = 0
        for index, form in enumerate(forms):
            values = states @ np.array(form, dtype=np.int64)
            for block, recipe in _rows_of_form(form, index, values, size, largest):
                blocks.append(block)
                recipes.append(recipe)
                rows += len(block)
            if rows > self.limit:
                return None
        if not blocks:
            empty = np.zeros((0, words_for(len(states))), np.uint64)
            return LiteralTable(empty, forms, np.zeros((0, 4), np.int64))
        some = (blocks[i : i + _BLOCKS] for i in range(0, len(blocks), _BLOCKS))
        bits = np.concatenate([pack(np.concatenate(each)) for each in some])
        return _with_complements(LiteralTable(bits, forms, np.concatenate(recipes)), len(states))

    def exact(self, size: int, target: Flags) -> list[LinearLiteral]:
        """Return literals of ``size`` leaves that hold in exactly the sample states flagged in
        ``target`` (n,), one for each linear form, operator and modulus.  They follow from extreme
        values of each form inside and outside, without a table; ``target`` is neither all true nor
        false."""
        forms = _forms(self.states.shape[1], size, self.constants_up_to)
        found: list[LinearLiteral] = []
        for start in range(0, len(forms), _FORMS):
            self.budget.check()
            chunk = forms[start : start + _FORMS]
            values = np.array(chunk, dtype=np.int64) @ self.states.T
            found += self._exact(size, chunk, values[:, target], values[:, ~target])
        return found

    def _exact(
        self, size: int, forms: Sequence[Coefficients], inside: Ints, outside: Ints
    ) -> Iterator[LinearLiteral]:
        largest = self.constants_up_to
        leaves = np.array([form_size(f, largest) for f in forms])
        for op, here, there in (("<=", inside, outside), (">", outside, inside)):
            # `form <= n` is exact iff the largest value inside is at most n, and the least outside
            # above.
            least, most = here.max(axis=1), there.min(axis=1) - 1
            for i in map(int, np.flatnonzero(least <= most)):
                numbers = _right_sides(op, size - int(leaves[i]), is_mixed(forms[i]), largest)
                fitting = numbers[(least[i] <= numbers) & (numbers <= most[i])]
                yield from (LinearLiteral(forms[i], op, int(n)) for n in fitting[:1])
        for modulus in (0, *range(2, largest + 1)):
            rows = np.flatnonzero(leaves == size - 2 if modulus else leaves <= size)
            for op, here, there in (("=", inside, outside), ("!=", outside, inside)):
                alike = _alike(here, _alike(here[:, :_NEAR], rows, modulus), modulus)
                first, others = here[alike, :1], there[alike]
                if modulus:
                    first, others = first % modulus, others % modulus
                # One value inside, and never outside: `=` is exact. For `!=` the two sides change
                # places.
                fits = (others != first).all(axis=1)
                for i, number in zip(alike[fits].tolist(), first[fits, 0].tolist(), strict=True):
                    if modulus:
                        has_size = modulus > max(map(abs, forms[i]))
                    else:
                        needed = number_size(op, number, is_mixed(forms[i]), largest)
                        has_size = needed == size - leaves[i]
                    if has_size:
                        yield LinearLiteral(forms[i], op, number, modulus)


def _alike(values: Ints, rows: NDArray[np.intp], modulus: int) -> NDArray[np.intp]:
    """Return those of the indices ``rows`` whose row of ``values`` is constant modulo ``modulus``,
    where 0 means no modulus."""
    some = values[rows] % modulus if modulus else values[rows]
    return np.asarray(rows[(some == some[:, :1]).all(axis=1)])


def _with_complements(table: LiteralTable, count: int) -> LiteralTable:
    """Return ``table`` with just one literal for a set of states and its complement, each followed
    by its complement; ``count`` is the number of states."""
    full = pack(np.ones((1, count), bool))[0]
    # A vector and its complement are one class: take the one without state 0.
    flipped = (table.bits[:, 0] & np.uint64(1)).astype(bool)
    canonical = np.where(flipped[:, None], table.bits ^ full, table.bits)
    _, first = np.unique(row_keys(canonical), return_index=True)
    first = np.sort(first)
    kept = table.take(first)
    bits = np.empty((2 * len(first), len(full)), np.uint64)
    bits[0::2], bits[1::2] = kept.bits, kept.bits ^ full
    recipes = np.repeat(kept.recipes, 2, axis=0)
    recipes[1::2, 1] += 1
    return LiteralTable(bits, table.forms, recipes)


def _forms(count: int, size: int, largest: int) -> list[Coefficients]:
    """Return the coefficients of all linear forms in ``count`` variables of at most ``size``
    leaves, with integers up to ``largest``, gcd 1, and a first coefficient above 0."""
    # Forms with a common factor are left out: divided by it, a literal is no longer.
    return [
        form
        for backwards in _shapes(count, size)
        for form in product(*(_coefficients(leaves, largest) for leaves in backwards[::-1]))
        if gcd(*form) == 1 and next(c for c in form if c) > 0
    ]


def _shapes(count: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of ``count`` natural numbers (leaves by variable) of sum up to ``size``."""
    if not count:
        yield ()
        return
    for leaves in range(size + 1):
        for rest in _shapes(count - 1, size - leaves):
            yield (leaves, *rest)


@lru_cache(maxsize=256)
def _coefficients(leaves: int, largest: int) -> tuple[int, ...]:
    """Return all coefficients of exactly ``leaves`` leaves, with integers up to ``largest``."""
    found = range(leaves // 2 * largest + 2)
    sized = [c for c in found if form_size((c,), largest) == leaves]
    return tuple(x for c in sized for x in ((c, -c) if c else (0,)))


def _rows_of_form(
    form: Coefficients, index: int, values: Ints, size: int, constants_up_to: int
) -> Iterator[tuple[Flags, Ints]]:
    """Yield (truth, recipes) for the literals of ``size`` leaves with ``=``, ``<=`` or a modulus on
    the linear form with the given ``index``, whose ``values`` (n,) in the sample are given:
    ``truth`` (k, n) of k literals in each state, ``recipes`` (k, 4) of form, operator, number,
    modulus."""
    leaves = form_size(form, constants_up_to)
    lowest, highest = int(values.min()), int(values.max())
    for op, last in (("=", highest), ("<=", highest - 1)):
        numbers = _right_sides(op, size - leaves, is_mixed(form), constants_up_to)
        numbers = numbers[(lowest <= numbers) & (numbers <= last)]
        if len(numbers):
            column = numbers[:, None]
            yield (values == column if op == "=" else values <= column), _recipe(index, op, numbers)
    if leaves == size - 2:
        yield from _congruences(form, index, values, constants_up_to)


def _congruences(
    form: Coefficients, index: int, values: Ints, constants_up_to: int
) -> Iterator[tuple[Flags, Ints]]:
    """Yield (truth (k, n), recipes (k, 4)) of the literals ``form mod m = r`` for all moduli m and
    for the residues r that occur in ``values`` (n,)."""
    moduli = np.arange(max(2, max(map(abs, form)) + 1), constants_up_to + 1)
    if not len(moduli):
        return
    residues = values % moduli[:, None]
    occurs = np.zeros((len(moduli), constants_up_to), bool)
    occurs[np.arange(len(moduli))[:, None], residues] = True
    # A residue that all states have makes a literal that is constant.
    occurs &= (occurs.sum(axis=1) > 1)[:, None]
    row, residue = np.nonzero(occurs)
    if len(row):
        yield residues[row] == residue[:, None], _recipe(index, "=", residue, moduli[row])


@lru_cache(maxsize=256)
def _right_sides(op: str, size: int, mixed: bool, largest: int) -> Ints:
    """Return the integers n that take exactly ``size`` leaves in ``form op n``, with integers up to
    ``largest``; ``mixed``: the form has a minus."""
    span = range(-size * largest - 1, size * largest + 1) if size else (0, -1)
    found = [n for n in span if number_size(op, n, mixed, largest) == size]
    return np.array(found, np.int64)


def _recipe(form: int, op: str, numbers: Ints, moduli: int | Ints = 0) -> Ints:
    recipe = np.empty((len(numbers), 4), np.int64)
    recipe[:, 0], recipe[:, 1], recipe[:, 2] = form, _OPS.index(op), numbers
    recipe[:, 3] = moduli
    return recipe

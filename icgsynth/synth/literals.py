"""The literals of the search grammar, by size, as bit vectors over sample states.

A literal is a comparison of a linear form with an integer, or a congruence.  Its size is
the number of leaves of the shortest way to write it: ``a = b`` has 2, ``a = b + 1`` 3,
``2 * a <= b`` 3, ``(a + b) mod 3 = 0`` 4.  With each literal its complement is in the
list at the same size, so the search needs no ``not``.

Bit vectors are rows of ``uint64`` words; state ``i`` of the sample is bit ``i``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.term import Compare, Formula, Int, Mod, Mul, Name, Neg, Sum, Term

__all__ = [
    "Bits",
    "Literal",
    "LiteralTable",
    "Literals",
    "linear_term",
    "meets",
    "pack",
    "row_keys",
]

Bits: TypeAlias = NDArray[np.uint64]
Coefficients: TypeAlias = tuple[int, ...]


def pack(rows: NDArray[np.bool_]) -> Bits:
    """Boolean rows of shape (k, n) as words of shape (k, ceil(n / 64))."""
    k, n = rows.shape
    words = -(-n // 64)
    if n % 64:
        rows = np.concatenate([rows, np.zeros((k, words * 64 - n), bool)], axis=1)
    packed = np.packbits(rows, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64)


def meets(a: Bits, b: Bits) -> NDArray[np.bool_]:
    """Whether row ``i`` of ``a`` and row ``j`` of ``b`` have a state in common, shape (a, b)."""
    common = np.zeros((len(a), len(b)), np.uint64)
    for word in range(a.shape[1]):
        common |= a[:, word, None] & b[None, :, word]
    return np.asarray(common != 0)


def row_keys(bits: Bits) -> NDArray[np.void]:
    """One opaque value a row, compared byte by byte."""
    return np.ascontiguousarray(bits).view(np.dtype((np.void, 8 * bits.shape[1]))).ravel()


_FORMS = 4_000  # linear forms evaluated at once


@dataclass(frozen=True, slots=True)
class Literal:
    """``sum(c * x) op number``, or with a modulus ``sum(c * x) mod modulus op number``."""

    coefficients: Coefficients
    op: str
    number: int
    modulus: int = 0

    @property
    def size(self) -> int:
        form = form_size(self.coefficients)
        if self.modulus:
            return form + 2
        free = _is_mixed(self.coefficients) and (
            self.number == 0 or (self.op in ("<=", ">") and self.number == -1)
        )
        return form + (not free)

    @property
    def complement(self) -> Literal:
        """The literal that holds where this one does not."""
        op = {"=": "!=", "!=": "=", "<=": ">", ">": "<="}[self.op]
        return Literal(self.coefficients, op, self.number, self.modulus)

    def formula(self, variables: Sequence[str]) -> Formula:
        """The literal in concrete syntax, with nothing negative where that can be avoided."""
        if self.modulus:
            term = Mod(linear_term(self.coefficients, variables), Int(self.modulus))
            if self.modulus == 2 and self.op == "!=":
                return Compare((term, Int(1 - self.number)), ("=",))
            return Compare((term, Int(self.number)), (self.op,))
        return _comparison(self, variables)

    def holds(self, states: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Its value on each of ``states``, shape (n, d)."""
        return self.on(states @ np.array(self.coefficients, dtype=np.int64))

    def on(self, values: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Its value where the linear form has ``values``, of the same shape."""
        if self.modulus:
            values = values % self.modulus
        equal = np.asarray(values == self.number)
        at_most = np.asarray(values <= self.number)
        return {"=": equal, "!=": ~equal, "<=": at_most, ">": ~at_most}[self.op]


def form_size(coefficients: Coefficients) -> int:
    """Leaves of a linear form: one a variable, one more for a coefficient but 1 and -1."""
    return sum((c != 0) + (abs(c) > 1) for c in coefficients)


def _is_mixed(coefficients: Coefficients) -> bool:
    return min(coefficients) < 0 < max(coefficients)


def linear_term(coefficients: Coefficients, variables: Sequence[str], number: int = 0) -> Term:
    """``sum(c * x) + number``, positive parts first."""
    parts: list[Term] = []
    pairs = sorted(zip(coefficients, variables, strict=True), key=lambda p: p[0] < 0)
    for c, name in pairs:
        if c:
            scaled = Name(name) if abs(c) == 1 else Mul(Int(abs(c)), Name(name))
            parts.append(scaled if c > 0 else Neg(scaled))
    if number or not parts:
        parts.append(Int(number))
    return Sum(tuple(parts)) if len(parts) > 1 else parts[0]


_FLIP = {"<=": ">=", ">": "<", "=": "=", "!=": "!=", "<": ">", ">=": "<="}


def _comparison(literal: Literal, variables: Sequence[str]) -> Formula:
    """Positive variables left, negative right, the number where it is positive."""
    c, op, number = literal.coefficients, literal.op, literal.number
    if literal.op in ("<=", ">") and _is_mixed(c) and number == -1:
        op, number = ("<" if op == "<=" else ">="), 0
    left = tuple(max(x, 0) for x in c)
    right = tuple(max(-x, 0) for x in c)
    if not any(left):
        left, right, op, number = right, left, _FLIP[op], -number
    if not any(right):
        return Compare((linear_term(left, variables), Int(number)), (op,))
    if number < 0:
        # a - b <= -3 reads better as a + 3 <= b.
        if op in ("<=", ">"):
            op, number = ("<" if op == "<=" else ">="), number + 1
        if number:
            left, right, op, number = right, left, _FLIP[op], -number
    return Compare((linear_term(left, variables), linear_term(right, variables, number)), (op,))


@dataclass(frozen=True, slots=True)
class LiteralTable:
    """Literals of one size over a sample: ``bits[i]`` are the values of ``literal(i)``."""

    bits: Bits
    forms: tuple[Coefficients, ...]
    recipes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bits)

    def literal(self, index: int) -> Literal:
        form, op, number, modulus = (int(x) for x in self.recipes[index])
        return Literal(self.forms[form], _OPS[op], number, modulus)

    def take(self, keep: NDArray[np.int64]) -> LiteralTable:
        """The rows at the indices ``keep``."""
        return LiteralTable(self.bits[keep], self.forms, self.recipes[keep])


# Each operator is followed by its complement.
_OPS = ("=", "!=", "<=", ">")


class Literals:
    """All literals over one sample, by size, made when they are asked for.

    ``limit`` bounds the rows of one size: past it :meth:`of_size` is None, for then nothing
    complete can be said about that size.  Past the ``budget`` everything here, and what is
    built on it, raises :class:`~icgsynth.errors.BudgetSpent`.
    """

    def __init__(
        self, states: NDArray[np.int64], constants_up_to: int, limit: int, budget: Budget
    ) -> None:
        self.states = states
        self.budget = budget
        self.constants_up_to = constants_up_to
        self.limit = limit
        self._by_size: dict[int, LiteralTable | None] = {}

    def of_size(self, size: int) -> LiteralTable | None:
        """The literals of exactly ``size`` leaves that are not constant on the sample."""
        self.budget.check()
        if size not in self._by_size:
            self._by_size[size] = literals_of_size(
                size, self.states, self.constants_up_to, self.limit
            )
        return self._by_size[size]

    def exact(self, size: int, target: NDArray[np.bool_]) -> list[Literal]:
        """The literals of ``size`` that hold on exactly the ``target`` rows of the sample.

        Found from the extreme values of each form inside and outside, without making the
        table of that size; ``target`` is neither empty nor everything.
        """
        forms = list(_forms(self.states.shape[1], size, self.constants_up_to))
        found: list[Literal] = []
        for start in range(0, len(forms), _FORMS):
            self.budget.check()
            chunk = forms[start : start + _FORMS]
            values = np.array(chunk, dtype=np.int64) @ self.states.T
            found += self._exact(size, chunk, values[:, target], values[:, ~target])
        return found

    def _exact(
        self,
        size: int,
        forms: Sequence[Coefficients],
        inside: NDArray[np.int64],
        outside: NDArray[np.int64],
    ) -> Iterator[Literal]:
        leaves = np.array([form_size(f) for f in forms])
        for op, here, there in (("<=", inside, outside), (">", outside, inside)):
            least, most = here.max(axis=1), there.min(axis=1) - 1
            for i in map(int, np.flatnonzero((least <= most) & (leaves >= size - 1))):
                numbers = (n for n in range(int(least[i]), int(most[i]) + 1))
                yield from self._of_size(size, (Literal(forms[i], op, n) for n in numbers))
        for modulus in (0, *range(2, self.constants_up_to + 1)):
            rows = np.flatnonzero(leaves == size - 2 if modulus else leaves >= size - 1)
            for op, here, there in (("=", inside, outside), ("!=", outside, inside)):
                a, b = here[rows], there[rows]
                if modulus:
                    a, b = a % modulus, b % modulus
                first = a[:, :1]
                fits = (a == first).all(axis=1) & (b != first).all(axis=1)
                for i in map(int, np.flatnonzero(fits)):
                    form = forms[int(rows[i])]
                    if modulus == 0 or modulus > max(map(abs, form)):
                        literal = Literal(form, op, int(first[i, 0]), modulus)
                        yield from self._of_size(size, (literal,))

    def _of_size(self, size: int, literals: Iterable[Literal]) -> Iterator[Literal]:
        """The first that has the size and keeps to the bound on constants."""
        for literal in literals:
            slack = literal.op in ("<=", ">") and literal.number == -self.constants_up_to - 1
            if literal.size == size and (abs(literal.number) <= self.constants_up_to or slack):
                yield literal
                return


def literals_of_size(
    size: int, states: NDArray[np.int64], constants_up_to: int, limit: int
) -> LiteralTable | None:
    """Every literal of exactly ``size`` leaves that is not constant on ``states``.

    ``limit`` bounds the rows generated; None where there would be more, for then nothing
    complete could be said about this size.
    """
    forms = tuple(_forms(states.shape[1], size, constants_up_to))
    blocks: list[NDArray[np.bool_]] = []
    recipes: list[NDArray[np.int64]] = []
    rows = 0
    for index, form in enumerate(forms):
        values = states @ np.array(form, dtype=np.int64)
        for block, recipe in _rows_of_form(form, index, values, size, constants_up_to):
            blocks.append(block)
            recipes.append(recipe)
            rows += len(block)
        if rows > limit:
            return None
    if not blocks:
        empty = np.zeros((0, -(-len(states) // 64)), np.uint64)
        return LiteralTable(empty, forms, np.zeros((0, 4), np.int64))
    bits = np.concatenate([pack(block) for block in _grouped(blocks)])
    return _with_complements(LiteralTable(bits, forms, np.concatenate(recipes)), len(states))


def _with_complements(table: LiteralTable, count: int) -> LiteralTable:
    """One literal a bit vector, the first of each, followed by its complement."""
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


def _grouped(blocks: list[NDArray[np.bool_]], rows: int = 50_000) -> Iterator[NDArray[np.bool_]]:
    """Concatenated in pieces, so that the unpacked booleans never stand in memory at once."""
    group: list[NDArray[np.bool_]] = []
    count = 0
    for block in blocks:
        group.append(block)
        count += len(block)
        if count >= rows:
            yield np.concatenate(group)
            group, count = [], 0
    if group:
        yield np.concatenate(group)


def _forms(count: int, size: int, constants_up_to: int) -> Iterator[Coefficients]:
    """Linear forms that a literal of ``size`` can have; the first nonzero is positive."""
    for backwards in product((0, 1, 2), repeat=count):
        shape = backwards[::-1]  # the first variable comes first
        leaves = sum(shape)
        if not max(1, size - 2) <= leaves <= size:
            continue
        nonzero = sum(1 for s in shape if s)
        if nonzero == 1 and 2 in shape:
            continue  # c * x op d and c * x mod m = r say nothing that x alone does not
        ranges: list[Sequence[int]] = [
            (0,) if s == 0 else (1, -1) if s == 1 else _scaled(constants_up_to) for s in shape
        ]
        for form in product(*ranges):
            if next(c for c in form if c) > 0:
                yield form


def _scaled(constants_up_to: int) -> list[int]:
    return [s * c for c in range(2, constants_up_to + 1) for s in (1, -1)]


def _rows_of_form(
    form: Coefficients, index: int, values: NDArray[np.int64], size: int, constants_up_to: int
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
    """The ``=`` and ``<=`` rows; their complements come later, on packed words."""
    leaves = form_size(form)
    if leaves in (size, size - 1):
        equal, at_most = _numbers(form, values, leaves == size, constants_up_to)
        if len(equal):
            yield values == equal[:, None], _recipe(index, "=", equal)
        if len(at_most):
            yield values <= at_most[:, None], _recipe(index, "<=", at_most)
    if leaves == size - 2:
        yield from _congruences(form, index, values, constants_up_to)


def _congruences(
    form: Coefficients, index: int, values: NDArray[np.int64], constants_up_to: int
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
    """Every modulus and every residue that occurs, in one comparison of arrays."""
    moduli = np.arange(max(2, max(map(abs, form)) + 1), constants_up_to + 1)
    if not len(moduli):
        return
    residues = values % moduli[:, None]
    occurs = np.zeros((len(moduli), constants_up_to), bool)
    occurs[np.arange(len(moduli))[:, None], residues] = True
    occurs &= (occurs.sum(axis=1) > 1)[:, None]
    row, residue = np.nonzero(occurs)
    if len(row):
        recipe = np.empty((len(row), 4), np.int64)
        recipe[:, 0], recipe[:, 1], recipe[:, 2], recipe[:, 3] = index, 0, residue, moduli[row]
        yield residues[row] == residue[:, None], recipe


def _numbers(
    form: Coefficients, values: NDArray[np.int64], free: bool, constants_up_to: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Right sides for ``=`` and for ``<=``; ``free`` are those that cost no leaf."""
    lowest, highest = int(values.min()), int(values.max())
    mixed = _is_mixed(form)
    if free:
        equal, at_most = ([0], [0, -1]) if mixed else ([], [])
    else:
        span = range(-constants_up_to, constants_up_to + 1)
        equal = [d for d in span if d or not mixed]
        at_most = [-constants_up_to - 1, *span]
        if mixed:
            at_most = [d for d in at_most if d not in (0, -1)]
    return (
        np.array([d for d in equal if lowest <= d <= highest], np.int64),
        np.array([d for d in at_most if lowest <= d < highest], np.int64),
    )


def _recipe(form: int, op: str, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    recipe = np.zeros((len(numbers), 4), np.int64)
    recipe[:, 0], recipe[:, 1], recipe[:, 2] = form, _OPS.index(op), numbers
    return recipe

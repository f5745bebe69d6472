"""Vocabularies: literals that formulas are made of, with their values on some states.

A quotient allows literals of its thresholds, residues, and sums of coordinates.  Each is a
function of the quotient's key, so a literal that holds on one state of a key holds on all;
and there are few literals, so that search goes deep.
Where no quotient is seen, the vocabulary has all literals of a few leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from icgsynth.digits.arrays import Flags, Ints, Words, pack, unpack, words_for
from icgsynth.synth.linear.literals import (
    Coefficients,
    LinearLiteral,
    Literals,
    LiteralTable,
    form_of,
)
from icgsynth.synth.linear.quotient import Quotient

_COEFFICIENTS = (1, 2, 3)  # coefficients in sums of two coordinates
_STEEP = range(4, 13)  # coefficients of a bounded coordinate, for steep lines of losing states
_MOST = 6_000  # most literals kept, the smallest first


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Literals by rising size; ``bits[i]`` and ``rows[i]`` are values of ``literals[i]`` on states.
    Each literal is followed by its complement."""

    literals: tuple[LinearLiteral, ...]
    sizes: Ints
    rows: Flags
    bits: Words

    def __len__(self) -> int:
        return len(self.literals)


def of_quotient(quotient: Quotient, free: Sequence[int], states: Ints) -> Vocabulary:
    """Return the literals whose truth the keys of ``quotient`` tell, with their values on
    ``states`` (n, d); ``free`` are the columns of the unbounded variables."""
    return _told_apart(_literals(quotient, free, states), states)


def of_sizes(literals: Literals, largest: int) -> Vocabulary:
    """Return the ``literals`` of 2 to ``largest`` leaves, with their values on ``literals.states``.
    A literal's leaves are its variables and numbers.  Of those of one size with the same values one
    is kept, of those with one value on all states none.  The list ends before the first size that
    has over ``literals.limit``, or with which there are over :data:`_MOST` in all."""
    tables: list[LiteralTable] = []
    for s in range(2, largest + 1):
        table = literals.of_size(s)
        if table is None or sum(map(len, tables)) + len(table) > _MOST:
            break
        tables.append(table)
    kept = tuple(table.literal(i) for table in tables for i in range(len(table)))
    empty = np.zeros((0, words_for(len(literals.states))), np.uint64)
    bits = np.concatenate([empty, *(table.bits for table in tables)])
    sizes = np.repeat(np.arange(2, 2 + len(tables)), [len(table) for table in tables])
    return Vocabulary(kept, sizes, unpack(bits, len(literals.states)), bits)


def _told_apart(literals: Iterable[LinearLiteral], states: Ints) -> Vocabulary:
    """Return the smallest of ``literals`` and their complements with their values on ``states`` (n,
    d), where no two are equal and none is constant."""
    found = sorted(dict.fromkeys(literals), key=_order)
    seen: set[bytes] = set()
    kept: list[LinearLiteral] = []
    rows: list[Flags] = []
    values: dict[Coefficients, Ints] = {}
    for literal in found:
        form = literal.coefficients
        if form not in values:
            values[form] = states @ np.array(form, dtype=np.int64)
        row = literal.on(values[form])
        key = row.tobytes()
        if key in seen or row.all() or not row.any():
            continue
        seen |= {key, (~row).tobytes()}
        complement = literal.complement
        kept += [literal, complement]
        rows += [row, ~row]
        if len(kept) >= _MOST:
            break
    matrix = np.array(rows) if rows else np.zeros((0, len(states)), bool)
    sizes = np.array([literal.size for literal in kept], dtype=np.int64)
    return Vocabulary(tuple(kept), sizes, matrix, pack(matrix))


def _order(literal: LinearLiteral) -> tuple[int, ...]:
    """Return a sort key: small literals first, then equations and small numbers."""
    return (
        literal.size,
        literal.modulus,
        literal.op != "=",
        sum(abs(c) for c in literal.coefficients),
        abs(literal.number),
    )


def _literals(quotient: Quotient, free: Sequence[int], states: Ints) -> Iterator[LinearLiteral]:
    low, high = states.min(axis=0), states.max(axis=0)
    for form, lo, hi in quotient.forms:
        yield from _thresholds(form, lo, hi - 1)
    bounded = [i for i in range(states.shape[1]) if i not in set(free)]
    for i in bounded:
        form = form_of(states.shape[1], {i: 1})
        lo, hi = int(low[i]), int(high[i])
        yield from _thresholds(form, lo, hi)
        for modulus in (2, 3, 4):
            if hi - lo >= modulus:
                yield from (LinearLiteral(form, "=", r, modulus) for r in range(modulus))
    yield from _sums(quotient, free, bounded, low, high)
    moduli = sorted({q for p in quotient.moduli for q in range(2, p + 1) if p % q == 0})
    for modulus in moduli:
        for form in _residue_forms(states.shape[1], free):
            for r in range(modulus):
                yield LinearLiteral(form, "=", r, modulus)
                if 0 < r < modulus - 2:
                    yield LinearLiteral(form, "<=", r, modulus)


def _thresholds(form: Coefficients, lo: int, hi: int) -> Iterator[LinearLiteral]:
    for t in range(lo, hi + 1):
        yield LinearLiteral(form, "<=", t)
        # A mixed form at the lower end of its clipped range may have any smaller value too.
        if t > lo or min(form) >= 0:
            yield LinearLiteral(form, "=", t)


def _sums(
    quotient: Quotient, free: Sequence[int], bounded: Sequence[int], low: Ints, high: Ints
) -> Iterator[LinearLiteral]:
    """Yield literals on ``a * x + b * y`` and on the sum of all unbounded variables whose truth the
    keys of ``quotient`` tell; ``free`` and ``bounded`` are columns of variables, of which ``low``
    and ``high`` (d,) have the least and largest values."""
    # Only literals that are functions of the clipped coordinates are made.
    d = len(low)
    # An unbounded coordinate is known exactly below its threshold.
    clip = {i: int(high[i]) for i in bounded}
    for i in free:
        unit = form_of(d, {i: 1})
        clip[i] = next((hi for form, _, hi in quotient.forms if form == unit), 0) - 1
    for i, j in combinations(range(d), 2):
        for a, b in product(_COEFFICIENTS, repeat=2):
            if np.gcd(a, b) != 1 or (i in free and j in free and a + b > 3):
                continue
            # Past its threshold a coordinate must make the sum too large by itself.
            ends = [a * (clip[i] + 1) + b * int(low[j]) - 1] if i in free else []
            ends += [b * (clip[j] + 1) + a * int(low[i]) - 1] if j in free else []
            least = a * int(low[i]) + b * int(low[j])
            most = min([*ends, a * int(high[i]) + b * int(high[j])])
            yield from _thresholds(form_of(d, {i: a, j: b}), least, min(most, least + 60))
            if (i in free) == (j in free):
                continue
            x, y, p, q = (i, j, a, b) if i in free else (j, i, b, a)
            yield from _list_slanted(x, y, p, q, clip[x] + 1, low, high)
    for x, y in product(free, bounded):
        for q in _STEEP:
            yield from _list_slanted(x, y, 1, q, clip[x] + 1, low, high)
    if len(free) > 2:
        total, least = form_of(d, dict.fromkeys(free, 1)), int(low[list(free)].sum())
        yield from _thresholds(total, least, min(least + clip[i] - int(low[i]) for i in free))


def _list_slanted(
    x: int, y: int, p: int, q: int, end: int, low: Ints, high: Ints
) -> Iterator[LinearLiteral]:
    """Yield literals on ``p * x - q * y``, for columns x, y, that are false for all x from ``end``
    on; the columns have values from ``low`` to ``high``, each (d,)."""
    form = form_of(len(low), {x: p, y: -q})
    start = p * int(low[x]) - q * int(high[y])
    stop = p * end - q * int(high[y])  # from where x is past its threshold
    for t in range(start, min(stop, start + 80)):
        yield LinearLiteral(form, "<=", t)
        yield LinearLiteral(form, "=", t)


def _residue_forms(d: int, free: Sequence[int]) -> Iterator[Coefficients]:
    for i in free:
        yield form_of(d, {i: 1})
    for i, j in combinations(range(d), 2):
        if i in free or j in free:
            for a, b in ((1, 1), (1, -1), (1, 2), (2, 1)):
                yield form_of(d, {i: a, j: b})
    if d == 3:
        for signs in product((1, -1), repeat=2):
            yield (1, *signs)
    elif d > 3:
        yield (1,) * d

"""Formulas evaluated on all residue classes at once, as far as residues settle them.

The result of a formula is an array over the classes: of truth values, or of *codes*, where 0
is false, 1 is true and each larger code is a remaining formula without congruences over the
quotients.  Equal remainders get equal codes (hash consing), so that classes that pose the
same question can be asked once.

Small systems of linear inequalities without a solution, by elimination in Python integers.

Fourier and Motzkin's elimination, where each inequality is first divided by the common divisor
of its coefficients and its constant rounded down (Schrijver, *Theory of Linear and Integer
Programming*, 1986, sections 12.2 and 23.1).  That refutes most of what the residue classes of a
game leave; what it does not refute, another decider is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.int64 import WithinReach
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts
from icgsynth.logic.nodes import MEANING, SWAPPED
from icgsynth.logic.normal import Unsupported, all_of, any_of
from icgsynth.logic.ranges import difference
from icgsynth.prove.deciders.grid import Grid

# --- shadow --------------------------------------------------------------------------------------

Row: TypeAlias = tuple[int, ...]  # coefficients, and a constant at the end: their sum is >= 0
_Rows: TypeAlias = dict[tuple[int, ...], int]  # the least constant for each vector of coefficients

_MOST_ROWS = 120  # inequalities at a time: elimination may square their number
_MOST_LEAVES = 200  # alternatives looked at for one question


def refutes(formulas: Iterable[t.Formula], names: Sequence[str]) -> bool:
    """Return whether elimination shows that ``formulas`` have no common integer solution.

    They are made of ``And``, ``Or``, ``Truth`` and comparisons; comparisons that are not linear in
    ``names`` are left out.  False says nothing."""
    place = {name: i for i, name in enumerate(names)}
    leaves = [_MOST_LEAVES]
    return _closes({}, list(formulas), place, leaves)


def _closes(rows: _Rows, todo: list[t.Formula], place: dict[str, int], leaves: list[int]) -> bool:
    """Return whether the conjunction of ``rows`` and ``todo`` is refuted, case by case.  ``rows``
    are inequalities, ``todo`` formulas; ``place`` is the column of each name.  The number
    ``leaves[0]`` of cases that may still be looked at is counted down.  False says nothing."""
    rows, choices = dict(rows), []
    for formula in conjuncts(*todo):
        if isinstance(formula, t.Truth):
            if not formula.value:
                return True
        elif isinstance(formula, t.Compare) and formula.ops[0] != "!=":
            for row in _rows(formula, place):
                if not _add(rows, row):
                    return True
        else:
            choices.append(formula)
    if _empty(rows):
        return True
    if not choices or leaves[0] <= 0:
        return False
    # The choice with the fewest branches first (``!=`` has two); each of them has to close.
    choices.sort(key=lambda choice: len(choice.args) if isinstance(choice, t.Or) else 2)
    for branch in _branches(choices[0]):
        # Counted over the whole search; past the limit no choice is opened, and nothing is refuted.
        leaves[0] -= 1
        if not _closes(rows, [branch, *choices[1:]], place, leaves):
            return False
    return True


def _branches(choice: t.Formula) -> Iterable[t.Formula]:
    if isinstance(choice, t.Or):
        return choice.args
    assert isinstance(choice, t.Compare)
    return [t.Compare(choice.terms, (op,)) for op in ("<", ">")]


def _rows(link: t.Compare, place: dict[str, int]) -> list[Row]:
    """Return the comparison ``link`` as inequalities ``row >= 0``: coefficients of the names, by
    ``place``, and a constant.  [] if it is not linear."""
    form = difference(*link.terms)
    over = [0] * len(place) + [form.constant]
    for atom, factor in form.factors.items():
        if not isinstance(atom, t.Name):
            return []
        over[place[atom.name]] = factor
    under = [-x for x in over]
    (op,) = link.ops
    sides = [over] * (op in (">", ">=", "=")) + [under] * (op in ("<", "<=", "="))
    # Integers: form > 0 is form - 1 >= 0.
    return [(*side[:-1], side[-1] - (op in ("<", ">"))) for side in sides]


# --- elimination -----------------------------------------------------------------------


def _add(rows: _Rows, row: Row) -> bool:
    """Add the inequality ``row >= 0``, tightened, to ``rows``.  Return False if it contradicts the
    inequality in ``rows`` with the opposite coefficients."""
    # With d = gcd(a), a x + c >= 0 and (a / d) x + floor(c / d) >= 0 have the same whole solutions;
    # beside -a x + e >= 0 there is one only if c + e >= 0.
    *factors, constant = row
    divisor = gcd(*factors)
    if divisor == 0:
        return constant >= 0
    vector = tuple(f // divisor for f in factors)
    constant //= divisor
    rows[vector] = constant = min(constant, rows.get(vector, constant))
    opposite = rows.get(tuple(-f for f in vector))
    return opposite is None or constant + opposite >= 0


def _empty(rows: _Rows) -> bool:
    """Return whether eliminating one name after the other from the inequalities ``rows`` shows a
    contradiction; False says nothing."""
    while rows:
        counts = []
        for i in range(len(next(iter(rows)))):
            lower = sum(vector[i] > 0 for vector in rows)
            upper = sum(vector[i] < 0 for vector in rows)
            if lower or upper:
                # How many rows more there are without the name i: each pair gives one.
                counts.append((lower * upper - lower - upper, i))
        if not counts or min(counts)[0] + len(rows) > _MOST_ROWS:
            return False
        # Without tightening, ``left`` has the real solutions of ``rows``, projected (Fourier,
        # Motzkin); tightening in ``_add`` loses no whole one. So a contradiction in ``left`` is one
        # in ``rows``.
        i = min(counts)[1]
        left: _Rows = {}
        rest = [(*vector, constant) for vector, constant in rows.items()]
        above = [row for row in rest if row[i] > 0]
        below = [row for row in rest if row[i] < 0]
        for row in rest:
            if row[i] == 0:
                left[row[:-1]] = row[-1]
        for one in above:
            for other in below:
                # Positive multiples of both rows, in whose sum the coefficient of the name i is 0.
                sum_ = tuple(a * -other[i] + b * one[i] for a, b in zip(one, other, strict=True))
                if not _add(left, sum_):
                    return True
        rows = left
    return False


# --- partial -------------------------------------------------------------------------------------

Codes: TypeAlias = NDArray[Any]  # bool, or int64 codes


@dataclass
class Partial:
    """The remaining formulas (remainders) of one question, each with its code.

    Raises :class:`Unsupported` for more than ``most_codes`` of them, and for more than
    ``most_work`` truth values and codes computed on the way (about a second for 10**9)."""

    names: tuple[str, ...]
    most_codes: int
    most_work: int
    formulas: list[t.Formula] = field(default_factory=lambda: [t.FALSE, t.TRUE])
    work: int = 0  # truth values and codes computed so far
    _codes: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _members: dict[int, tuple[type, frozenset[int]]] = field(default_factory=dict)

    # --- remainders ---------------------------------------------------------------------

    def atom(self, factors: tuple[int, ...], offset: int, op: str) -> int:
        """Return the code, a number for a formula, of ``sum(factors[i] * q[i]) + offset op 0``,
        q[i] being the quotient of the i-th name."""
        key = (factors, offset, op)
        code = self._codes.get(key)
        if code is None:
            terms: list[t.Term] = [
                t.Mul(t.Int(f), t.Name(n)) for f, n in zip(factors, self.names, strict=True) if f
            ]
            code = self._new(key, t.compare(t.Sum((*terms, t.Int(offset))), op, 0))
        return code

    def join(self, kind: type[t.And] | type[t.Or], left: int, right: int) -> int:
        """Return the code of the conjunction or disjunction (``kind``) of two remaining formulas,
        which have the codes ``left`` and ``right``, both above 1."""
        members = self._parts(kind, left) | self._parts(kind, right)
        key = (kind, members)
        code = self._codes.get(key)
        if code is None:
            join = all_of if kind is t.And else any_of
            code = self._new(key, join(self.formulas[m] for m in sorted(members)))
            self._members[code] = (kind, members)
        return code

    def count(self, work: int) -> None:
        """Add ``work`` to the count of values computed; raise Unsupported past the limit."""
        self.work += work
        if self.work > self.most_work:
            raise Unsupported("too much work")

    def _parts(self, kind: type, code: int) -> frozenset[int]:
        found = self._members.get(code)
        return found[1] if found is not None and found[0] is kind else frozenset((code,))

    def _new(self, key: tuple[Any, ...], formula: t.Formula) -> int:
        if len(self.formulas) >= self.most_codes:
            raise Unsupported("too many different remainders")
        code = self._codes[key] = len(self.formulas)
        self.formulas.append(formula)
        return code


class OnGrid:
    """An evaluator of formulas on all classes of one grid; codes agree across grids."""

    def __init__(self, partial: Partial, grid: Grid) -> None:
        self._partial = partial
        self._grid = grid
        self._atoms: dict[int, Codes] = {}  # by id, for equal comparisons are one object

    def of(self, formula: t.Formula) -> Codes:
        """Return an array over the classes of what ``formula``, in normal form, is there: truth
        values, or codes (0 false, 1 true, above 1 a formula that remains)."""
        match formula:
            case t.Compare():
                known = self._atoms.get(id(formula))
                if known is None:
                    known = self._atoms[id(formula)] = self._compare(formula)
                return known
            case t.And(args):
                return self.join_parts(t.And, [self.of(a) for a in args])
            case t.Or(args):
                return self.join_parts(t.Or, [self.of(a) for a in args])
            case t.Truth(value):
                return np.full((1,) * len(self._grid.shape), value)
        raise Unsupported(str(formula))

    # --- connectives ----------------------------------------------------------------------

    def join_parts(self, kind: type[t.And] | type[t.Or], parts: Sequence[Codes]) -> Codes:
        """Return the conjunction or disjunction (``kind``) of ``parts`` on every residue class.
        Each part is an array over the classes, of truth values or of codes of formulas."""
        settle = np.logical_and if kind is t.And else np.logical_or
        settled = sorted((p for p in parts if p.dtype == np.bool_), key=lambda p: p.size)
        # Truth values are joined first, by broadcasting from small shapes to large ones: they may
        # settle classes before codes are built.
        total, *others = [*settled, *(p for p in parts if p.dtype != np.bool_)]
        for part in others:
            is_settled = part.dtype == np.bool_
            total = settle(total, part) if is_settled else self._pair(kind, total, part)
        self._partial.count(total.size * len(parts))
        return total

    def _pair(self, kind: type[t.And] | type[t.Or], left: Codes, right: Codes) -> Codes:
        left, right = np.broadcast_arrays(left.astype(np.int64), right.astype(np.int64))
        # Where one side is settled the maximum is the answer: true (1) leaves the other side of
        # "and", false (0) that of "or"; two equal codes leave that code.
        if kind is t.And:
            result = np.where((left == 0) | (right == 0), 0, np.maximum(left, right))
        else:
            either = (left == 1) | (right == 1)
            result = np.where(either, 1, np.maximum(left, right))
        both = (left > 1) & (right > 1) & (left != right)
        if both.any():
            base = len(self._partial.formulas)
            # Two different open codes: one number per pair, so that each pair is joined once.
            pairs, back = np.unique(left[both] * base + right[both], return_inverse=True)
            codes = [self._partial.join(kind, *divmod(int(p), base)) for p in pairs]
            result[both] = np.array(codes)[back]
        return _plain(result)

    # --- comparisons ------------------------------------------------------------------------

    def _compare(self, link: t.Compare) -> Codes:
        left, right = (self._grid.column(term) for term in link.terms)
        difference = left.plus(right.times(-1))
        op = link.ops[0]
        if op in ("<", "<="):
            difference, op = difference.times(-1), SWAPPED[op]
        offsets = difference.offsets.plus(-1) if op == ">" else difference.offsets
        # Only ">=", "=" and "!=" are left: x > 0 is x - 1 >= 0 for integers, x <= 0 is -x >= 0.
        op = ">=" if op == ">" else op
        if difference.is_constant:
            settled: Codes = MEANING[op](offsets.numbers, 0)
            return settled
        step = gcd(*difference.factors)
        # sum(factors * q) + offset op 0 is divided by the gcd of the factors; for ">=" the offset
        # is rounded down, for "=" it must be a multiple (_open).
        factors = tuple(f // step for f in difference.factors)
        return self._open(factors, offsets, step, op)

    def _open(self, factors: tuple[int, ...], offsets: WithinReach, step: int, op: str) -> Codes:
        """Return an array over the classes: 0 or 1 where the bounds of the quotients q settle
        ``sum(factors[i] * q[i]) + offsets / step op 0``, else the code of what is left of it."""
        whole = offsets.floor(step)
        quotient = whole.numbers
        least, most = self.extent(factors)
        low = None if least is None else least.plus(whole).numbers
        high = None if most is None else most.plus(whole).numbers
        shape = np.broadcast_shapes(
            quotient.shape, *(b.shape for b in (low, high) if b is not None)
        )
        # low and high bound the sum over the box of quotients; ``never`` and ``always`` are classes
        # that these bounds, or a remainder of the offset modulo step, settle.
        never, always = np.zeros(shape, bool), np.zeros(shape, bool)
        if op == ">=":
            if high is not None:
                never |= high < 0
            if low is not None:
                always |= low >= 0
        else:
            fails = offsets.modulo(step).numbers != 0
            if low is not None:
                fails = fails | (low > 0)
            if high is not None:
                fails = fails | (high < 0)
            if op == "=":
                never |= fails
            else:
                always |= fails
        result = always.astype(np.int64)
        left = ~(never | always)
        if left.any():
            values, back = np.unique(np.broadcast_to(quotient, shape)[left], return_inverse=True)
            codes = [self._partial.atom(factors, int(v), op) for v in values]
            result[left] = np.array(codes)[back]
        return _plain(result)

    def extent(self, factors: tuple[int, ...]) -> tuple[WithinReach | None, WithinReach | None]:
        """Return the least and the largest ``sum(factors[i] * q[i])`` on each class, for quotients
        q within their bounds; None where that is unbounded."""
        least: WithinReach | None = WithinReach.point(0, len(self._grid.shape))
        most = least
        for factor, axis in zip(factors, self._grid.axes.values(), strict=True):
            if factor:
                low, high = (axis.low, axis.high) if factor > 0 else (axis.high, axis.low)
                least = least.plus(low.times(factor)) if least and low else None
                most = most.plus(high.times(factor)) if most and high else None
        return least, most


def _plain(codes: Codes) -> Codes:
    """Return ``codes`` as booleans if each entry is 0 or 1, else as they are."""
    return codes if (codes > 1).any() else codes.astype(np.bool_)

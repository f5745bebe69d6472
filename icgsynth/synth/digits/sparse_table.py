"""The losing states of a sparse game in the plane, row by row, without a cell for each state.

The moves into one losing state (x', y') that begin in row x begin at an interval of y, or at
every m-th state of one: the bounds are linear in x, x' and y'.  So a row costs as much as there are
losing states before it, and a table of side N some N^2 steps, also for moves with two parameters.

What comes out is a conjecture like all that is learned: that moves never lead to later rows, say,
is not proved here.  It has to agree with a labelled cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.game.steps import primed, solved_for
from icgsynth.logic.evaluate import columns
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import linear
from icgsynth.logic.term import (
    Compare,
    Formula,
    Int,
    Mod,
    Name,
    Neg,
    Sum,
    Term,
    conjunction,
    free_names,
    substitute,
)
from icgsynth.prove.automata.cones import cases

__all__ = ["SparseTable"]

_LARGEST_STRIDE = 12
_LARGEST = 2**40  # number in a bound: its sums stay within 64 bits
_MOST_IN_ROW = 16  # losing states, on average
_ROWS = 64  # evaluated at once

_Ints = NDArray[np.int64]
_Flags = NDArray[np.bool_]


class _Odd(Exception):
    """The rules are not of the kind that this table is for."""


@dataclass(frozen=True, eq=False)
class _Case:
    """Moves from (x, y) to (x', y'): those where every bound is at least 0.

    A bound is ``slopes[i] @ (x, y)``, (slopes, 2), and the least of ``rests[i] @ (x', y', 1)``,
    (bounds, 3).  ``residues`` (m, m, m * m), m being the ``stride``, says for x and y, and then for
    ``m x' + y'``, all modulo m, whether they allow the move.
    """

    slopes: tuple[tuple[int, int], ...]
    rests: tuple[_Ints, ...]
    residues: _Flags

    @property
    def stride(self) -> int:
        return len(self.residues)

    def rest(self, after: _Ints) -> _Ints:
        """(slopes, len(after)): what the bounds are without their parts of x and y."""
        parts = [rests[:, :2] @ after.T + rests[:, 2:] for rests in self.rests]
        return np.array([part.min(axis=0) for part in parts]).reshape(len(parts), len(after))

    def code(self, after: _Ints) -> _Ints:
        """(len(after),): where ``residues`` has them."""
        x, y = (after % self.stride).T
        return np.asarray(x * self.stride + y)


class _Marks:
    """The losing states so far, as one case sees them."""

    def __init__(self, case: _Case, most: int) -> None:
        self.case = case
        self._rest = np.zeros((len(case.slopes), most), np.int64)
        self._code = np.zeros(most, np.int64)
        self._count = 0

    def note(self, after: _Ints) -> None:
        end = self._count + len(after)
        self._rest[:, self._count : end] = self.case.rest(after)
        self._code[self._count : end] = self.case.code(after)
        self._count = end

    def mark(self, won: _Flags, x: int) -> None:
        """Mark what moves lead from, in row x, into the losing states."""
        count = self._count
        _mark(self.case, won, x, self._rest[:, :count], self._code[:count])


def _mark(case: _Case, won: _Flags, x: int, rest: _Ints, code: _Ints) -> None:
    low, high = np.zeros(len(code), np.int64), np.full(len(code), len(won) - 1)
    may = np.ones(len(code), np.bool_)
    for (at_x, at_y), least in zip(case.slopes, rest, strict=True):
        if at_y == 0:
            may &= least >= -at_x * x
            continue
        value = least + at_x * x
        if at_y > 0:
            np.maximum(low, -value if at_y == 1 else -(value // at_y), out=low)
        else:
            np.minimum(high, value if at_y == -1 else value // -at_y, out=high)
    may &= low <= high
    low, high, code = low[may], high[may], code[may]
    stride = case.stride
    for r, allowed in enumerate(case.residues[x % stride]):
        if not allowed.any():
            continue
        kept = allowed[code]
        first, last = (low[kept] - r + stride - 1) // stride, (high[kept] - r) // stride
        _cover(won[r::stride], first, last)


def _cover(row: _Flags, first: _Ints, last: _Ints) -> None:
    """Mark the intervals ``first .. last`` of ``row``, some of which may be empty."""
    if not len(first):
        return
    if len(first) == 1:
        row[first[0] : max(first[0], last[0] + 1)] = True
        return
    begin = np.bincount(first, minlength=len(row) + 1)
    begin -= np.bincount(np.maximum(last + 1, first), minlength=len(row) + 1)
    row |= np.cumsum(begin)[: len(row)] > 0


@dataclass(frozen=True, eq=False)
class SparseTable:
    """The rules of a game with two variables, as :meth:`losing` needs them."""

    game: ParametricGame
    rule: PlayRule
    cases: tuple[_Case, ...]
    ending: _Flags  # (side, side): the ending states of a labelled cube; there are no others

    @staticmethod
    def of(game: ParametricGame, rule: PlayRule, ending: _Flags) -> SparseTable | None:
        """None where the rules are of another kind.

        ``ending`` (side, side) marks the ending states with coordinates below ``side``.
        """
        half = len(ending) // 2
        if len(game.variables) != 2 or game.is_quantified or game.block:
            return None
        if ending[half:].any() or ending[:, half:].any():
            return None
        try:
            cases = tuple(case for action in game.actions for case in _cases(game, action))
        except (_Odd, Unsupported):
            return None
        return SparseTable(game, rule, cases, ending)

    def losing(self, side: int, budget: Budget) -> _Ints | None:
        """(count, 2): the losing states with both coordinates below ``side``, in order.

        None where they are not sparse.
        """
        found = np.zeros((_MOST_IN_ROW * side, 2), np.int64)
        before = [_Marks(case, len(found)) for case in self.cases]
        count = 0
        for x, (won, free) in enumerate(self._rows(side)):
            budget.check()
            for marks in before:
                marks.mark(won, x)
            won[free] = False
            start = count
            y = _next(won, 0)
            while y < side:
                if count == len(found):
                    return None
                found[count] = x, y
                here = found[count : count + 1]
                for case in self.cases:
                    _mark(case, won, x, case.rest(here), case.code(here))
                won[free] = False
                count += 1
                y = _next(won, y + 1)
            for marks in before:
                marks.note(found[start:count])
        return found[:count]

    def _rows(self, side: int) -> Iterator[tuple[_Flags, _Ints]]:
        """For each row, (side,): where it is won whatever its moves; and where it is lost so."""
        ending = np.zeros((side, side), np.bool_)
        ending[: len(self.ending), : len(self.ending)] = self.ending[:side, :side]
        for start in range(0, side, _ROWS):
            rows = np.arange(start, min(start + _ROWS, side))
            cells = np.broadcast_arrays(rows[:, None], np.arange(side))
            env = dict(zip(self.game.variables, cells, strict=True))
            legal = _flags(self.game.legal, env)
            over = (_flags(self.game.end, env) | ending[rows]) & legal
            for won, ends in zip(~legal, over, strict=True):
                if self.rule == "normal":
                    yield won, np.flatnonzero(ends)
                else:
                    yield won | ends, np.zeros(0, np.int64)


def _next(won: _Flags, start: int) -> int:
    """The first place from ``start`` on that is not won."""
    rest = won[start:]
    if not len(rest):
        return len(won)
    place = int(rest.argmin())
    return len(won) if rest[place] else start + place


def _flags(formula: Formula, env: dict[str, NDArray[np.int64]]) -> _Flags:
    shape = next(iter(env.values())).shape
    names = free_names(formula)
    found = columns(formula, {name: column for name, column in env.items() if name in names})
    return np.broadcast_to(np.asarray(found, np.bool_), shape).copy()


# --- rules as cases --------------------------------------------------------------------------


def _cases(game: ParametricGame, action: Action) -> Iterator[_Case]:
    effects = game.after(action)
    solved, left = solved_for(action.parameters, effects)
    if len(solved) < len(action.parameters):
        raise _Odd
    parts: list[Formula] = [action.precondition]
    parts += [Compare((Name(primed(v)), effects[v]), ("=",)) for v in left]
    for name, term in reversed(solved):
        parts = [substitute(part, {name: term}) for part in parts]
    (relation,) = normal([conjunction(parts)])
    for case in cases(relation):
        yield _case(game, case)


def _case(game: ParametricGame, links: tuple[Compare, ...]) -> _Case:
    x, y = game.variables
    names = [Name(name) for name in (x, y, primed(x), primed(y))]
    bounds: dict[tuple[int, int], list[list[int]]] = {}
    others: list[Formula] = []
    stride = 1
    for link in links:
        left, right = link.terms
        forms = [linear(Sum((left, Neg(right)))), linear(Sum((right, Neg(left))))]
        if not all(factor in names for factor in forms[0].factors):
            stride = lcm(stride, *map(_modulus, forms[0].factors))
            others.append(link)
            continue
        for form, sign in zip(forms, _SIGNS[link.ops[0]], strict=True):
            if sign is not None:
                a, b, *rest = (form.factors.get(name, 0) for name in names)
                rest.append(form.constant + sign)
                if max(map(abs, (a, b, *rest))) > _LARGEST:
                    raise _Odd
                bounds.setdefault((a, b), []).append(rest)
    if stride > _LARGEST_STRIDE:
        raise _Odd
    residues = np.indices((stride,) * 4, np.int64).reshape(4, -1)
    env = dict(zip((name.name for name in names), residues, strict=True))
    allowed = _flags(conjunction(others), env).reshape(stride, stride, -1)
    return _Case(tuple(bounds), tuple(np.array(rests) for rests in bounds.values()), allowed)


# What is to be added to left - right, and to right - left, so that they are at least 0.
_SIGNS: dict[str, tuple[int | None, int | None]] = {
    ">=": (0, None),
    ">": (-1, None),
    "<=": (None, 0),
    "<": (None, -1),
    "=": (0, 0),
}


def _modulus(term: Term) -> int:
    """What the value of ``term`` depends on the variables modulo."""
    match term:
        case Mod(arg, Int(divisor)) if all(isinstance(t, Name) for t in linear(arg).factors):
            return divisor
    raise _Odd

"""A finite box of states, and the moves within it, forwards and backwards, as numpy columns.

A :class:`Box` numbers its legal states 0 .. n-1 in lexicographic order.  A :class:`Step` is
one action over a box.  Backwards, the equations ``x' = effect(x, k)`` are solved for as many
unknowns as are linear in them with coefficient 1 or -1 (parameters first); the rest is
enumerated within bounds from :mod:`icgsynth.ranges`, and everything is checked by
evaluation, so that the bounds decide how long it takes and never what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.evaluate import columns
from icgsynth.game import Action, ParametricGame
from icgsynth.ranges import Domain, Interval, box_of, linear, narrow
from icgsynth.term import (
    FALSE,
    TRUE,
    Compare,
    Formula,
    Int,
    Mul,
    Name,
    Neg,
    Node,
    Not,
    Or,
    Sum,
    Term,
    conjunction,
    fold,
    free_names,
    map_names,
    substitute,
)

__all__ = ["MAX_CELLS", "Boundless", "Box", "Step", "index_dtype"]

Columns: TypeAlias = dict[str, NDArray[Any]]
Rows: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

MAX_CELLS = 2**24  # default memory cap: cells of a box, and moves held at once
_CHUNK = 2**20  # entries of one enumeration step
_WIDEST = 2**20  # values tried for one unknown of one state
_DENSE = 2**14  # below this, the whole side of the box is cheaper than computing bounds
_FARTHEST = 2**60  # ends of a box beyond this would not be safe in 64 bits
index_dtype = np.int32


class Boundless(Exception):
    """An unknown has no bound (or far too wide a one) to enumerate it."""


@dataclass(frozen=True)
class Box:
    """The legal states with ``lo <= variable <= hi`` for each variable's ``(lo, hi)``."""

    variables: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]
    legal: Formula = TRUE

    @staticmethod
    def of(game: ParametricGame, bound: int) -> Box:
        """The legal states of ``game`` with every variable within ``[-bound, bound]``."""
        sides = box_of(game.legal, game.variables, bound)
        return Box(game.variables, sides, game.legal)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(max(0, hi - lo + 1) for lo, hi in self.ranges)

    @property
    def cells(self) -> int:
        """Integer points, legal or not: what memory is needed for."""
        return prod(self.shape)

    def require(self, max_cells: int) -> None:
        """:class:`~icgsynth.errors.Refused` past ``max_cells`` cells, or past 64 bits."""
        if self.cells > max_cells:
            need = self.cells * (8 * len(self.variables) + 4)
            raise Refused(
                f"a box of {self.cells:,} cells (about {need / 2**20:,.0f} MiB) is past the cap of "
                f"{max_cells:,} cells; choose a smaller box"
            )
        if any(abs(end) > _FARTHEST for side in self.ranges for end in side):
            raise Refused(f"a box that reaches past {_FARTHEST} does not fit 64-bit columns")

    @cached_property
    def _layout(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        self.require(MAX_CELLS * 8)
        index = np.full(self.cells, -1, dtype=index_dtype)
        found: list[NDArray[np.int64]] = []
        count = 0
        lows = np.array([lo for lo, _ in self.ranges], dtype=np.int64)
        for start in range(0, self.cells, _CHUNK):
            cells = np.arange(start, min(start + _CHUNK, self.cells))
            points = np.stack(np.unravel_index(cells, self.shape), axis=1) + lows
            env = dict(zip(self.variables, points.T, strict=True))
            legal = np.broadcast_to(columns(self.legal, env), cells.shape)
            kept = points[legal]
            index[cells[legal]] = np.arange(count, count + len(kept))
            count += len(kept)
            found.append(kept)
        empty = np.zeros((0, len(self.variables)), dtype=np.int64)
        return np.concatenate([empty, *found]), index

    @property
    def states(self) -> NDArray[np.int64]:
        """Shape (n, variables): the legal states, in lexicographic order."""
        return self._layout[0]

    @property
    def size(self) -> int:
        return len(self.states)

    def columns(self, rows: Rows | slice = slice(None)) -> Columns:
        """Each variable's column over the states at ``rows``."""
        return {v: self.states[rows, i] for i, v in enumerate(self.variables)}

    def intervals(self) -> dict[str, Interval]:
        """Each variable's side, as bounds for interval reasoning."""
        sides = zip(self.variables, self.ranges, strict=True)
        return {v: Interval(lo, hi) for v, (lo, hi) in sides}

    def rows(self, points: Sequence[NDArray[Any]]) -> Rows:
        """The row of each point, given one column a variable; -1 outside or not legal.

        The columns may hold Python integers (dtype object) of any size.
        """
        inside: Flags = np.ones(len(points[0]), dtype=bool)
        for column, (lo, hi) in zip(points, self.ranges, strict=True):
            inside &= np.asarray((column >= lo) & (column <= hi), dtype=bool)
        cell: Rows = np.zeros(int(inside.sum()), dtype=np.int64)
        for column, (lo, _), side in zip(points, self.ranges, self.shape, strict=True):
            # Only what lies inside is cast, so that nothing is cut to 64 bits.
            cell = cell * side + (column[inside] - lo).astype(np.int64)
        rows = np.full(len(inside), -1, dtype=np.int64)
        rows[inside] = self._layout[1][cell]
        return rows


def primed(name: str) -> str:
    """The name of a variable's value after the move; no name of a rule has a quote in it."""
    return name + "'"


@dataclass(frozen=True)
class Step:
    """One action over a box: its moves forwards from, and backwards into, given rows.

    ``relation`` speaks of the variables, the parameters and the primed variables.
    ``free`` are the unknowns to enumerate backwards, ``solved`` the others with their terms
    (in an order in which they can be computed), ``checks`` the equations left to check.
    """

    box: Box
    action: Action
    effects: Mapping[str, Term]
    relation: Formula
    solved: tuple[tuple[str, Term], ...]
    free: tuple[str, ...]
    checks: tuple[tuple[str, Term], ...]
    live: Flags = field(repr=False, compare=False)

    @staticmethod
    def of(game: ParametricGame, box: Box, action: Action, live: Flags) -> Step:
        """``live`` (n,) marks the states in which no declared end holds."""
        effects = game.after(action)
        legal_after: Formula = map_names(game.legal, primed)  # type: ignore[assignment]
        equations = [Compare((Name(primed(v)), t), ("=",)) for v, t in effects.items()]
        relation = conjunction(
            [game.legal, Not(game.end), action.precondition, legal_after, *equations]
        )
        solved, checks = _invert(effects, action.parameters)
        known = {name for name, _ in solved}
        free = tuple(n for n in (*game.variables, *action.parameters) if n not in known)
        folded: Formula = fold(relation)  # type: ignore[assignment]
        return Step(box, action, effects, folded, solved, free, checks, live)

    def into(self, rows: Rows) -> Iterator[tuple[Rows, Rows]]:
        """Moves that end in ``rows``, each once a choice of parameters: (from, to) rows.

        Raises :class:`Boundless` where they cannot be enumerated.
        """
        after = {primed(v): c for v, c in self.box.columns(rows).items()}
        start = {**after, "": np.asarray(rows)}
        for cells in _spread(start, self.free, self._sides):
            for name, term in self.solved:
                cells[name] = np.broadcast_to(columns(term, _numeric(cells)), cells[""].shape)
            source = self.box.rows([cells[v] for v in self.box.variables])
            inside = source >= 0
            inside[inside] = self.live[source[inside]]
            kept = np.flatnonzero(inside)
            cells = {name: column[kept] for name, column in cells.items()}
            holds = self._holds(self.action.precondition, cells)
            for variable, term in self.checks:
                holds &= self._holds(Compare((Name(primed(variable)), term), ("=",)), cells)
            if holds.any():
                yield source[kept][holds], cells[""][holds]

    def out_of(
        self, rows: Rows, where: Formula = TRUE, first: tuple[Any, Any] | None = None
    ) -> Iterator[tuple[Rows, Rows, Columns]]:
        """Moves from live ``rows`` that satisfy ``where`` (over states before and after).

        Yields (from rows, to rows, cells); a result outside the box has row -1.  ``first``
        gives other bounds for the first parameter, columns like ``rows``.  Raises
        :class:`Boundless` where they cannot be enumerated.
        """
        names = self.action.parameters

        def bounds(name: str, cells: Columns) -> tuple[Any, Any]:
            if first is not None and name == names[0]:
                return first[0][batch], first[1][batch]
            return self.bounds(name, cells, where)

        for start in range(0, len(rows), _CHUNK):
            batch = slice(start, start + _CHUNK)
            given: Columns = {**self.box.columns(rows[batch]), "": rows[batch]}
            for cells in _spread(given, names, bounds):
                found = self._moves(cells, where)
                if len(found[0]):
                    yield found

    def bounds(self, name: str, cells: Columns, where: Formula = TRUE) -> tuple[Any, Any]:
        """Bounds for a parameter forwards: ``cells`` holds states and earlier parameters."""
        missing = [p for p in self.action.parameters if p not in cells]
        unknowns = [*missing, *map(primed, self.box.variables)]
        relation = conjunction([self.relation, where])
        return narrow(relation, Domain.of(_numeric(cells), unknowns)).bounds(name)

    def _moves(self, cells: Columns, where: Formula) -> tuple[Rows, Rows, Columns]:
        """The entries of ``cells`` (states and parameters) that are moves, with results."""
        kept = np.flatnonzero(self._holds(self.action.precondition, cells))
        cells = {name: column[kept] for name, column in cells.items()}
        numeric = _numeric(cells)
        for variable, term in self.effects.items():
            cells[primed(variable)] = np.broadcast_to(columns(term, numeric), kept.shape)
        after = {v: cells[primed(v)] for v in self.box.variables}
        legal = self._holds(self.box.legal, after) & self._holds(where, cells)
        cells = {name: column[legal] for name, column in cells.items()}
        target = self.box.rows([cells[primed(v)] for v in self.box.variables])
        return cells[""], target, cells

    def possible(self, rows: Rows, where: Formula = TRUE) -> Flags:
        """Shape of ``rows``: False only where no move satisfies ``where``."""
        unknowns = [*self.action.parameters, *map(primed, self.box.variables)]
        relation = conjunction([self.relation, where])
        domain = narrow(relation, Domain.of(_numeric(self.box.columns(rows)), unknowns))
        return (
            np.broadcast_to(np.asarray(domain.possible, dtype=bool), rows.shape) & self.live[rows]
        )

    @cached_property
    def leaving(self) -> Formula:
        """That the result lies outside the box: ``false`` where bounds rule that out."""
        unknowns = [*self.action.parameters, *map(primed, self.box.variables)]
        room = Domain.of(self.box.intervals(), unknowns)
        sides: list[Formula] = []
        for variable, (lo, hi) in zip(self.box.variables, self.box.ranges, strict=True):
            for op, end in (("<", lo), (">", hi)):
                side = Compare((Name(primed(variable)), Int(end)), (op,))
                if narrow(conjunction([self.relation, side]), room).possible:
                    sides.append(side)
        return Or(tuple(sides)) if sides else FALSE

    def _sides(self, name: str, cells: Columns) -> tuple[Any, Any]:
        """Bounds for ``name`` backwards, where ``cells`` holds what is chosen so far."""
        sides = self.box.intervals()
        entries = len(cells[""])
        if name in sides:
            lo, hi = sides[name].lo, sides[name].hi
            assert isinstance(lo, int) and isinstance(hi, int)
            if entries * (hi - lo + 1) <= _DENSE:
                return np.full(entries, lo), np.full(entries, hi)
        env: dict[str, NDArray[Any] | Interval] = {**sides, **_numeric(cells)}
        return narrow(self.relation, Domain.of(env, self.action.parameters)).bounds(name)

    @staticmethod
    def _holds(formula: Formula, cells: Columns) -> Flags:
        size = len(next(iter(cells.values())))
        names = free_names(formula)
        env = {name: column for name, column in cells.items() if name in names}
        return np.array(np.broadcast_to(columns(formula, env), (size,)), dtype=bool)


def _numeric(cells: Columns) -> Columns:
    """Without the row numbers, which go along under the empty name."""
    return {name: column for name, column in cells.items() if name}


def _spread(
    cells: Columns, names: Sequence[str], bounds: Callable[[str, Columns], tuple[Any, Any]]
) -> Iterator[Columns]:
    """Every entry of ``cells`` with every choice of ``names`` within their bounds.

    In pieces of about ``_CHUNK`` entries; a name's bounds may depend on those before it.
    """
    if not names:
        yield cells
        return
    lo, hi = bounds(names[0], cells)
    if lo is None or hi is None:
        raise Boundless(names[0])
    wide = hi - lo + 1
    if len(wide) and wide.max() > _WIDEST:
        raise Boundless(names[0])
    counts = np.maximum(wide, 0).astype(np.int64)
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _CHUNK, side="right")))
        entry = np.repeat(np.arange(start, stop), counts[start:stop])
        first = np.repeat(ends[start:stop] - counts[start:stop] - done, counts[start:stop])
        piece = {name: column[entry] for name, column in cells.items()}
        piece[names[0]] = lo[entry] + (np.arange(len(entry)) - first)
        start = stop
        if len(entry):
            yield from _spread(piece, names[1:], bounds)


def _invert(
    effects: Mapping[str, Term], parameters: Sequence[str]
) -> tuple[tuple[tuple[str, Term], ...], tuple[tuple[str, Term], ...]]:
    """Solve ``x' = effect`` for unknowns; returns what is solved, and the equations left.

    Each equation gives one unknown that occurs in it once, linearly, with coefficient 1 or
    -1; what was solved first may need what was solved later, so the order is reversed.
    """
    open_equations = dict(effects)
    solved: list[tuple[str, Term]] = []
    for unknown in (*parameters, *effects):
        for variable, term in open_equations.items():
            solution = _solve(variable, term, unknown)
            if solution is None:
                continue
            del open_equations[variable]
            solved.append((unknown, solution))
            for other, there in open_equations.items():
                put: Node = fold(substitute(there, {unknown: solution}))
                open_equations[other] = put  # type: ignore[assignment]
            break
    return tuple(reversed(solved)), tuple((v, effects[v]) for v in open_equations)


def _solve(variable: str, term: Term, unknown: str) -> Term | None:
    """``unknown`` from ``variable' = term``, or None where that is not one exact solution."""
    form = linear(term)
    factor = form.factors.get(Name(unknown), 0)
    others = {atom: f for atom, f in form.factors.items() if atom != Name(unknown)}
    if abs(factor) != 1 or any(unknown in free_names(atom) for atom in others):
        return None
    rest = [Mul(Int(f), atom) for atom, f in others.items()]
    gap = Sum((Name(primed(variable)), *(Neg(part) for part in rest), Int(-form.constant)))
    return fold(gap if factor == 1 else Neg(gap))  # type: ignore[return-value]

"""The moves of one action over a box, forwards and backwards, as numpy columns.

Backwards, the equations ``x' = effect(x, k)`` are solved for as many unknowns as are linear
in them with coefficient 1 or -1 (parameters first); the rest is enumerated within bounds from
:mod:`icgsynth.logic.ranges`, and everything is checked by evaluation, so that the bounds decide how
long it takes and never what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.int64 import combinations_of
from icgsynth.errors import Refused
from icgsynth.explicit.box import CHUNK, Box, Columns, Flags, Rows
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import PRIME
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names, map_names, size, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Domain, Value
from icgsynth.logic.ranges import linear, narrow, narrow_by_cases

_WORK = 2**20  # entries times nodes of the rules that are looked at in one go: about a second
_WIDEST = 2**20  # values tried for one unknown of one state
_DENSE = 2**14  # below this, all that a name can be is cheaper than computing bounds
_NARROW = 4  # values that a name can be, up to which that holds for any number of entries
_ROW = ""  # cells hold the row numbers they came from under this name


class Boundless(Exception):
    """Raised where an unknown has no bound, or one far too wide, to enumerate it."""


class Opaque(Exception):
    """Raised for an action whose moves into a state cannot be enumerated."""

    def __init__(self, action: str) -> None:
        super().__init__(action)
        self.action = action


def primed(name: str) -> str:
    """Return the name of the value of the variable ``name`` after a move: ``name`` and a quote,
    which no name in rules has."""
    return name + PRIME


@dataclass(frozen=True, eq=False)
class Step:
    """One action over a box: its moves forwards from, and backwards into, given rows.  ``relation``
    speaks of the variables, the parameters and the primed variables. ``free`` are the unknowns to
    enumerate backwards, ``solved`` the others with their terms (in an order in which they can be
    computed), ``checks`` the equations left to check. ``live`` (n,) marks the states in which no
    declared end holds.  Moves are listed until the ``budget`` is spent."""

    box: Box
    action: Action
    effects: Mapping[str, t.Term]
    relation: t.Formula
    solved: tuple[tuple[str, t.Term], ...]
    free: tuple[str, ...]
    checks: tuple[t.Formula, ...]
    live: Flags
    budget: Budget

    @staticmethod
    def of(game: ParametricGame, box: Box, action: Action, live: Flags, budget: Budget) -> Step:
        effects = game.after(action)
        legal_after: t.Formula = map_names(game.legal, primed)
        equations = {v: t.compare(t.Name(primed(v)), "=", term) for v, term in effects.items()}
        parts = [game.legal, t.Not(game.end), action.precondition, legal_after]
        relation: t.Formula = fold(conjunction([*parts, *equations.values()]))
        solved, left = solved_for((*action.parameters, *effects), effects)
        known = {name for name, _ in solved}
        free = tuple(n for n in (*game.variables, *action.parameters) if n not in known)
        checks = tuple(equations[v] for v in left)
        return Step(box, action, effects, relation, solved, free, checks, live, budget)

    # --- backwards -----------------------------------------------------------------

    def into(self, rows: Rows) -> Iterator[tuple[Rows, Rows]]:
        """Yield the moves of the action that end in the states ``rows``, one for each choice of
        parameters, as arrays (from rows, to rows): in pieces, some of them empty, so that whoever
        asks can look at the time.  Raises :class:`Boundless` where they cannot be enumerated."""
        given = {primed(v): column for v, column in self.box.columns(rows).items()}
        for cells in spread({**given, _ROW: rows}, self.free, self._sides, self._piece):
            for name, term in self.solved:
                cells[name] = _evaluate(term, cells)
            source = self.box.rows([cells[v] for v in self.box.variables])
            kept = np.flatnonzero(source >= 0)
            kept = kept[self.live[source[kept]]]
            if len(kept) < len(source):
                source, cells = source[kept], _take(cells, kept)
            holds = _holds(self.action.precondition, cells)
            for equation in self.checks:
                holds = holds & _holds(equation, cells)
            yield source[holds], cells[_ROW][holds]

    @cached_property
    def _piece(self) -> int:
        """Return how many entries of columns an enumeration of moves makes at a time: fewer where
        the rules are long."""
        return min(CHUNK, _WORK // max(1, size(self.relation)) + 1)

    def within(self) -> Iterator[tuple[Rows, Rows]]:
        """Yield all moves of the action within the box as arrays (from rows, to rows), enumerated
        forwards or backwards, as is shorter."""
        if self._fan_back <= self._fan_out:
            yield from self.into(np.arange(self.box.size))
            return
        for source, target in self.out_of(np.flatnonzero(self.live)):
            yield source[target >= 0], target[target >= 0]

    @property
    def fan(self) -> float:
        """Return how many choices of values :meth:`within` tries at most for each state to list all
        moves; infinity if some value has no bound."""
        return min(self._fan_back, self._fan_out)

    @property
    def _fan_back(self) -> float:
        sides = dict(zip(self.box.variables, self.box.shape, strict=True))
        return combinations_of(sides.get(name, inf) for name in self.free)

    @cached_property
    def _fan_out(self) -> float:
        ends = [self._room.intervals[name] for name in self.action.parameters]
        return combinations_of(
            end.hi - end.lo + 1 if isinstance(end.lo, int) and isinstance(end.hi, int) else inf
            for end in ends
        )

    def _sides(self, name: str, cells: Columns) -> tuple[Any, Any]:
        """Return bounds (lo, hi) on the variable or parameter ``name`` before a move, for each
        entry of ``cells``, {name: column} of the values chosen so far and of the state after the
        move."""
        self.budget.check()
        sides = self.box.intervals()
        entries = len(cells[_ROW])
        # Of a parameter, what it can be over the whole box.
        widest = sides[name] if name in sides else self._room.intervals[name]
        lo, hi = widest.lo, widest.hi
        if isinstance(lo, int) and isinstance(hi, int):
            wide = hi - lo + 1
            if wide <= _NARROW or entries * wide <= _DENSE:
                return np.full(entries, lo), np.full(entries, hi)
        env: dict[str, Value] = {**sides, **_numeric(cells)}
        return narrow_by_cases(self.relation, Domain.of(env, self.action.parameters)).bounds(name)

    # --- forwards ------------------------------------------------------------------

    def out_of(
        self, rows: Rows, where: t.Formula = t.TRUE, first: tuple[Any, Any] | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield the moves from those states ``rows`` where play has not ended, as (from, to) rows.
        The arrays have row -1 for a result outside the box.  The moves satisfy ``where``, which
        speaks of variables and, primed, of their values after the move.  ``first`` gives other
        bounds for the first parameter, columns like ``rows``.  Raises :class:`Boundless` where they
        cannot be enumerated."""
        names = self.action.parameters

        def bounds(name: str, cells: Columns) -> tuple[Any, Any]:
            if first is not None and name == names[0]:
                return first[0][batch], first[1][batch]
            return self._forwards(cells, where).bounds(name)

        for start in range(0, len(rows), self._piece):
            batch = slice(start, start + self._piece)
            given: Columns = {**self.box.columns(rows[batch]), _ROW: rows[batch]}
            for cells in spread(given, names, bounds, self._piece):
                yield self._moves(cells, where)

    def _moves(self, cells: Columns, where: t.Formula) -> tuple[Rows, Rows]:
        """Return arrays (from rows, to rows) of those entries of ``cells``, {name: column} of
        variables and parameters, that are moves and satisfy ``where``."""
        cells = _take(cells, np.flatnonzero(_holds(self.action.precondition, cells)))
        after = {v: _evaluate(term, cells) for v, term in self.effects.items()}
        legal = _holds(self.box.legal, {**after, _ROW: cells[_ROW]})
        if where != t.TRUE:
            legal = legal & _holds(where, cells | {primed(v): c for v, c in after.items()})
        target = self.box.rows([after[v][legal] for v in self.box.variables])
        return cells[_ROW][legal], target

    def reach(self, rows: Rows, where: t.Formula = t.TRUE) -> tuple[Flags, Domain]:
        """Return flags for ``rows``, False where no move satisfies ``where``, and a domain that
        bounds the parameters and the primed variables of such moves."""
        domain = self._forwards(self.box.columns(rows), where)
        return np.broadcast_to(domain.possible, rows.shape) & self.live[rows], domain

    def _forwards(self, cells: Columns, where: t.Formula) -> Domain:
        """Return a domain that bounds the other parameters and the primed variables, for the states
        and parameters in ``cells``, {name: column}, where ``where`` holds as well."""
        self.budget.check()
        unknowns = [*self.action.parameters, *map(primed, self.box.variables)]
        relation = conjunction([self.relation, where])
        return narrow_by_cases(
            relation, Domain.of(_numeric(cells), [n for n in unknowns if n not in cells])
        )

    @cached_property
    def leaving(self) -> t.Formula:
        """Return the formula, on primed variables, that a move leads out of the box; ``false`` if
        interval bounds show that none does."""
        sides: list[t.Formula] = []
        for variable, (lo, hi) in zip(self.box.variables, self.box.ranges, strict=True):
            for op, end in (("<", lo), (">", hi)):
                side = t.compare(t.Name(primed(variable)), op, end)
                if not narrow(self.relation, narrow(side, self._room)).is_empty:
                    sides.append(side)
        return t.Or(tuple(sides)) if sides else t.FALSE

    @cached_property
    def _room(self) -> Domain:
        """Return a domain that bounds parameters and primed variables over all states of the
        box."""
        unknowns = [*self.action.parameters, *map(primed, self.box.variables)]
        return narrow_by_cases(self.relation, Domain.of(self.box.intervals(), unknowns))


def steps_of(
    game: ParametricGame, box: Box, max_cells: int, budget: Budget = UNBOUNDED
) -> tuple[Step, ...]:
    """Return the actions of ``game`` as steps over ``box``, which list moves within ``budget``.
    :class:`~icgsynth.errors.Refused` for more than ``max_cells`` cells, or a quantifier in a
    rule."""
    if game.is_quantified:
        raise Refused("a rule with a quantifier cannot be solved explicitly; eliminate it first")
    box.require(max_cells)
    live = ~np.broadcast_to(np.asarray(columns(game.end, box.columns()), dtype=bool), (box.size,))
    steps: list[Step] = []
    for action in game.actions:
        budget.check()
        steps.append(Step.of(game, box, action, live, budget))
    return tuple(steps)


def arrivals(steps: Sequence[Step], rows: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Yield the moves of ``steps`` that end in the states ``rows``, as arrays (from rows, to rows);
    raises :class:`Opaque` for an action whose moves cannot be enumerated."""
    if not len(rows):
        return
    for step in steps:
        yield from _list_moves(step, step.into(rows))


def moves_within(steps: Sequence[Step]) -> Iterator[tuple[Rows, Rows]]:
    """Yield all moves of ``steps`` within their box, as arrays (from rows, to rows); raises
    :class:`Opaque` for an action whose moves cannot be enumerated."""
    for step in steps:
        yield from _list_moves(step, step.within())


def _list_moves(step: Step, moves: Iterator[tuple[Rows, Rows]]) -> Iterator[tuple[Rows, Rows]]:
    try:
        yield from moves
    except Boundless:
        raise Opaque(step.action.name) from None


# --- cells: columns of one length, the row numbers among them ----------------------------


def _numeric(cells: Columns) -> Columns:
    return {name: column for name, column in cells.items() if name != _ROW}


def _take(cells: Columns, entries: Rows) -> Columns:
    return {name: column[entries] for name, column in cells.items()}


_names = lru_cache(maxsize=1024)(free_names)


def _evaluate(node: t.Node, cells: Columns) -> NDArray[Any]:
    if isinstance(node, t.Name):
        return cells[node.name]
    column = columns(node, {name: cells[name] for name in _names(node)})
    shape = cells[_ROW].shape
    return column if column.shape == shape else np.broadcast_to(column, shape)


def _holds(formula: t.Formula, cells: Columns) -> Flags:
    return np.asarray(_evaluate(formula, cells), dtype=bool)


def spread(
    cells: Columns,
    names: Sequence[str],
    bounds: Callable[[str, Columns], tuple[Any, Any]],
    most: int = CHUNK,
) -> Iterator[Columns]:
    """Yield the entries of ``cells``, {name: column}, with every choice of the further ``names``,
    in pieces of about ``most`` entries.  ``bounds(name, cells)`` returns columns (lo, hi), which
    may depend on the names before it.  :class:`Boundless` where a name lacks a bound."""
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
        stop = max(start + 1, int(np.searchsorted(ends, done + most, side="right")))
        entry = np.repeat(np.arange(start, stop), counts[start:stop])
        first = np.repeat(ends[start:stop] - counts[start:stop] - done, counts[start:stop])
        piece = _take(cells, entry)
        piece[names[0]] = lo[entry] + (np.arange(len(entry)) - first)
        start = stop
        if len(entry):
            yield from spread(piece, names[1:], bounds, most)


# --- effects solved backwards --------------------------------------------------------------


def solved_for(
    unknowns: Iterable[str], effects: Mapping[str, t.Term]
) -> tuple[tuple[tuple[str, t.Term], ...], tuple[str, ...]]:
    """Return (solved, left): pairs (unknown, its term), and the variables whose equation is left.
    Each equation ``x' = effect``, by variable in ``effects``, gives one of the ``unknowns`` that
    occurs in it once, linearly, with coefficient 1 or -1; the first unknowns are preferred.  What
    was solved first may need what was solved later, so the order is reversed."""
    open_equations = dict(effects)
    solved: list[tuple[str, t.Term]] = []
    for unknown in unknowns:
        for variable, term in open_equations.items():
            solution = _solve(variable, term, unknown)
            if solution is None:
                continue
            del open_equations[variable]
            solved.append((unknown, solution))
            for other, there in open_equations.items():
                open_equations[other] = fold(substitute(there, {unknown: solution}))
            break
    return tuple(reversed(solved)), tuple(open_equations)


def _solve(variable: str, term: t.Term, unknown: str) -> t.Term | None:
    """Return the term for ``unknown`` that the equation ``variable' = term`` gives; None if
    ``unknown`` is not in it linearly with coefficient 1 or -1."""
    form = linear(term)
    factor = form.factors.get(t.Name(unknown), 0)
    others = {atom: f for atom, f in form.factors.items() if atom != t.Name(unknown)}
    if abs(factor) != 1 or any(unknown in free_names(atom) for atom in others):
        return None
    rest = [t.Mul(t.Int(f), atom) for atom, f in others.items()]
    gap = t.Sum((t.Name(primed(variable)), *(t.Neg(part) for part in rest), t.Int(-form.constant)))
    return fold(gap if factor == 1 else t.Neg(gap))

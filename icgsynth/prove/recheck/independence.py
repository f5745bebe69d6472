"""Proof that no move within given bounds on its parameters joins two losing states.

The bounds are :class:`~icgsynth.prove.recheck.steep_bounds.Bounds`.  A move from (x, y) to (x', y')
with ``a k + b l + c >= 0`` has ``d - d' + c >= 0`` for the form ``d = a x + b y``.  The tracks d
and d' hold a natural number or -1 minus one, so there are four cases of signs; in each, variables
are eliminated one by one, and three tracks are together at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from icgsynth.game.game import State
from icgsynth.prove.recheck.algebra import FALSE, but_not, eliminate, join, project, renamed, union
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.linear import LinearForm, read_signed
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, difference
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.steep_bounds import Bounds

_FEW = 48  # states that are asked about one by one
_FORM = ("d", "d'")  # before and after the move


class _Half:
    """The losing states on one side of the diagonal, with the values of forms there."""

    def __init__(self, states: Machine, relations: Relations, effort: Effort) -> None:
        self.states = states
        self._relations = relations
        self._effort = effort
        self._seen: dict[tuple[int, int, int, int], Machine] = {}

    def see(self, a: int, b: int, place: int, sign: int) -> Machine:
        """Return the pairs (x or y by ``place``, value of ``a x + b y``) of these states (x, y).
        The value d is on its track as d for ``sign`` 1, as -1 - d for ``sign`` -1."""
        key = a, b, place, sign
        if key not in self._seen:
            x, y = self.states.tracks
            value = LinearForm.of({x: a, y: b}) - read_signed(_FORM[0], sign < 0)
            parts = [self.states, self._relations.relation(value, "=")]
            self._seen[key] = eliminate(self._effort, parts, ((x, y)[1 - place],))
        return self._seen[key]


def conflict(
    relations: Relations, variables: Sequence[str], losing: Machine, cases: Sequence[Bounds]
) -> State | None:
    """Return a state in ``losing`` with a move in one of ``cases`` to another one; else None.
    ``variables`` are in the order of ``cases``.  :class:`Undecided` if too many states are open."""
    if tuple(variables) == losing.tracks:
        return _Search(relations, losing, cases).find()
    # The parameters change places with the variables.
    state = _Search(relations, losing, [case.mirrored for case in cases]).find()
    return state and (state[1], state[0])


class _Search:
    """The search for a move between losing states; ``cases`` are by the tracks of ``losing``."""

    def __init__(self, relations: Relations, losing: Machine, cases: Sequence[Bounds]) -> None:
        self._relations = relations
        self._effort = relations.numbers.effort
        self._x, self._y = losing.tracks
        self._losing = losing
        self._cases = cases
        apart = LinearForm.of({self._y: 1, self._x: -1})
        low = join(self._effort, losing, relations.relation(apart, ">="))
        rest = but_not(self._effort, losing, low)
        self._halves = [_Half(states, relations, self._effort) for states in (low, rest)]

    def find(self) -> State | None:
        sources = (0,) if self._is_symmetric() else (0, 1)
        for case, source, target in product(self._cases, sources, (0, 1)):
            state = self._between(case, self._halves[source], self._halves[target], source)
            if state is not None:
                return state
        return None

    def _is_symmetric(self) -> bool:
        swapped = renamed(self._losing, {self._x: self._y, self._y: self._x})
        given = {*self._cases}
        mirrored = {case.mirrored for case in self._cases}
        return given == mirrored and difference(swapped, self._losing) is None

    def _between(self, case: Bounds, source: _Half, target: _Half, half: int) -> State | None:
        suspects = target.states
        pairs = sorted(case.pairs, key=lambda pair: pair[1 - half])
        for place, pair in product((half, 1 - half), pairs):
            if suspects.is_empty or source.states.is_empty:
                return None
            if case.least[place]:
                reached = self._reach(case, pair, place, source, target)
                suspects = join(self._effort, suspects, reached)
        for state in self._few(suspects):
            before = self._before(case, source.states, state)
            if not before.is_empty:
                return next(self._each(before))
        return None

    def _reach(
        self, case: Bounds, pair: tuple[int, int, int], place: int, source: _Half, target: _Half
    ) -> Machine:
        """Return numbers at ``place``, among them those of all states of ``target`` that a move of
        ``case`` from ``source`` leads to, as far as its bound ``pair`` alone tells."""
        a, b, c = pair
        name = (self._x, self._y)[place]
        before = f"{name}+"
        gap = LinearForm.of({before: 1, name: -1}, -case.least[place])
        found = FALSE
        for one, other in product((1, -1), repeat=2):
            start = renamed(source.see(a, b, place, one), {name: before})
            end = renamed(target.see(a, b, place, other), {_FORM[0]: _FORM[1]})
            if start.is_empty or end.is_empty:
                continue
            fall = (
                read_signed(_FORM[0], one < 0)
                - read_signed(_FORM[1], other < 0)
                + LinearForm.of({}, c)
            )
            later, drop = (self._relations.relation(form, ">=") for form in (gap, fall))
            if later.is_empty or drop.is_empty:
                continue
            start = eliminate(self._effort, [start, later], (before,))
            met = self._meet(start, end, drop, name)
            if met.is_empty:
                continue
            found = met if found.is_empty else union(self._effort, found, met)
        return found

    def _meet(self, start: Machine, end: Machine, drop: Machine, name: str) -> Machine:
        """Return the numbers on the track ``name`` for which forms in ``start`` (before a move) and
        ``end`` (after it) are a pair that ``drop`` allows."""
        # The values of the forms alone often exclude each other, or leave few.
        near = drop
        for machine in (start, end):
            few = join(self._effort, near, project(self._effort, machine, (name,)))
            if few.is_empty:
                return FALSE
            near = few if len(few) <= len(near) else near
        allowed = eliminate(self._effort, [end, near], (_FORM[1],))
        return eliminate(self._effort, [start, allowed], (_FORM[0],))

    def _before(self, case: Bounds, sources: Machine, target: State) -> Machine:
        k = LinearForm.of({self._x: 1}, -target[0])
        l_ = LinearForm.of({self._y: 1}, -target[1])
        for form in case.forms(k, l_):
            sources = join(self._effort, sources, self._relations.relation(form, ">="))
        return sources

    def _few(self, states: Machine) -> Iterator[State]:
        for count, state in enumerate(self._each(states)):
            if count == _FEW:
                raise Undecided("a form leaves too many states open")
            yield state

    def _each(self, states: Machine) -> Iterator[State]:
        none = Machine(states.tracks, FALSE.rows, FALSE.accepting)
        while (word := difference(states, none)) is not None:
            state = self._state(states, word)
            yield state
            states = but_not(self._effort, states, self._only(states.tracks, state))

    def _state(self, states: Machine, word: Sequence[Symbol]) -> State:
        values = self._relations.numbers.values(states.tracks, word)
        return values[self._x], values[self._y]

    def _only(self, tracks: Sequence[str], state: State) -> Machine:
        parts = [
            self._relations.relation(LinearForm.of({t: 1}, -n), "=")
            for t, n in zip(tracks, state, strict=True)
        ]
        return join(self._effort, *parts)

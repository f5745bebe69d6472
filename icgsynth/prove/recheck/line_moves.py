"""Proof that moves along a line win: the line's term after a move tells where it leads.

The move takes u from one variable and w from another, and the line's term falls by f, which is a
linear form of u and w; so u and f tell w.  That a move of the action takes them is a matter of
inequalities about u alone, which integers decide.  That the state after it is losing, and from
which states there is such a move, are relations between three numbers at most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from icgsynth.game.line import Line
from icgsynth.game.strategy import PRIME
from icgsynth.prove.recheck.algebra import FALSE, but_not, eliminate, join, renamed, union
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.linear import LinearForm, read_signed
from icgsynth.prove.recheck.machine import Machine
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.steep_bounds import Bounds, linear_form

_BEFORE = "before?"  # no name of the language


@dataclass(frozen=True)
class LineMoves:
    """The moves within ``cases`` along ``line``, in a game with two variables.

    ``target`` has two tracks: the line's, and primed the variable that the line does not give.
    :class:`Undecided` where the line is no linear form of the two variables."""

    relations: Relations
    variables: tuple[str, str]
    cases: Sequence[Bounds]
    line: Line
    target: Machine

    def winning(self, where: Machine, losing: Machine) -> Machine:
        """Return the states in ``where`` from which the line leads to a target, after a proof that
        all moves to targets lead into ``losing``.  Raises :class:`Undecided` where some may not."""
        if self.line.track in self.variables or self.line.gives not in self.variables:
            raise Undecided("a line with tracks that it cannot have")
        if sorted(self.target.tracks) != sorted((self.line.track, self._name + PRIME)):
            raise Undecided("an automaton along a line with other tracks")
        for fall in range(self.line.least, self.line.most + 1):
            if not _covers([self._takes(case, fall) for case in self.cases], self.line.takes):
                raise Undecided("not all that a line allows is a move")
        if not but_not(self.relations.numbers.effort, self.target, self._into(losing)).is_empty:
            raise Undecided("not all targets along a line are losing")
        return self._sources(where)

    @property
    def _name(self) -> str:
        return next(v for v in self.variables if v != self.line.gives)

    @property
    def _form(self) -> LinearForm:
        return linear_form(self.line.term, {v: LinearForm.of({v: 1}) for v in self.variables})

    def _takes(self, case: Bounds, fall: int) -> tuple[int, int | None]:
        """Return the first and last u >= 0 for which ``case`` has a move that takes u and lowers
        the term of the line by ``fall``; the last is None where there is none."""
        parts = dict(self._form.parts)
        own, other = int(parts.get(self._name, 0)), parts.get(self.line.gives)
        if other not in (1, -1):
            raise Undecided("a line that does not give its variable")
        # own u + other w = fall, so w = slope u + rest.
        slope, rest = -own * int(other), fall * int(other)
        u = self.variables.index(self._name)
        bounds = [(1, -case.least[u]), (slope, rest - case.least[1 - u])]
        for pair in case.pairs:
            a, b = pair[u], pair[1 - u]
            bounds.append((a + b * slope, pair[2] + b * rest))
        return _interval(bounds)

    def _into(self, losing: Machine) -> Machine:
        """Return the automaton of the pairs (n, u') that tell a state (u', w') ``losing`` accepts.
        u is the variable other than w = ``line.gives``; primed is after the move.  n, not negative,
        is the value of ``line.term`` there.  The tracks are ``line.track`` and u's name primed."""
        after = {v: v + PRIME for v in self.variables}
        form = self._form
        for v, then in after.items():
            form = form.replaced(v, LinearForm.of({then: 1}))
        same = self.relations.relation(form - LinearForm.of({self.line.track: 1}), "=")
        effort = self.relations.numbers.effort
        return eliminate(effort, [renamed(losing, after), same], (after[self.line.gives],))

    def _sources(self, where: Machine) -> Machine:
        line, relation = self.line, self.relations.relation
        effort, then = self.relations.numbers.effort, self._name + PRIME
        gap = LinearForm.of({self._name: 1, then: -1}, -line.takes)
        known = eliminate(effort, [self.target, relation(gap, ">=")], (then,))
        found = Machine(where.tracks, FALSE.rows, FALSE.accepting)
        for below in (False, True):
            before = read_signed(_BEFORE, below)
            fall = before - LinearForm.of({line.track: 1})
            sides = (fall - LinearForm.of({}, line.least), LinearForm.of({}, line.most) - fall)
            near = [relation(side, ">=") for side in sides]
            if any(part.is_empty for part in near):
                continue
            seen = eliminate(effort, [known, *near], (line.track,))
            if not seen.is_empty:
                here = relation(self._form - before, "=")
                led = eliminate(effort, [here, seen], (_BEFORE,))
                found = union(effort, found, join(effort, where, led))
        return found


def _interval(bounds: Iterable[tuple[int, int]]) -> tuple[int, int | None]:
    """Return (first, last) u >= 0 with ``factor * u + constant >= 0`` for each pair in ``bounds``.
    ``last`` is None where there is none.  The interval is empty if it ends before it begins."""
    low: int = 0
    high: int | None = None
    for factor, constant in bounds:
        if factor > 0:
            low = max(low, -(constant // factor))
        elif factor < 0:
            most = constant // -factor
            high = most if high is None else min(high, most)
        elif constant < 0:
            return 0, -1
    return low, high


def _covers(intervals: Sequence[tuple[int, int | None]], start: int) -> bool:
    """Return whether every u from ``start`` on is in one of the (first, last) ``intervals``."""
    for low, high in sorted(intervals, key=lambda ends: ends[0]):
        if low > start:
            return False
        if high is None:
            return True
        start = max(start, high + 1)
    return False

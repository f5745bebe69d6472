"""Moves along a :class:`~icgsynth.game.line.Line`, without their four numbers side by side.

An automaton of such moves knows one variable after the move, and what the line's term is then.
The other variable is a linear term of these, after the move and before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.minimise import Flags, Table
from icgsynth.game.line import Line
from icgsynth.game.steps import primed
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.cones import Cone

__all__ = ["Along", "signed"]

_AFTER = "~"  # no name of the language, nor are these; the last of all names
_NAME, _GIVEN, _THEN = "?n", "?o", "?t"  # both variables, and the first one after the move
_TRACK, _BEFORE = "?d", "?e"  # a line's term after the move, and before it
_TAKEN = "?u"

# States by the moves that begin in them: the search, the strategy and the proof ask for the same.
_known: dict[object, tuple[Table, Flags]] = {}
_MOST_KNOWN = 64


@dataclass(frozen=True, eq=False)
class Along:
    """Moves that follow ``line``, in a game with two ``variables``.

    ``aims`` has two tracks: the line's, and the variable that it does not give, primed.
    """

    compiler: Compiler
    variables: tuple[str, str]
    line: Line
    aims: DFA

    @property
    def _name(self) -> str:
        """The variable that the automaton computes."""
        x, y = self.variables
        return y if self.line.gives == x else x

    def sources(self, among: DFA) -> DFA:
        """Those of the states ``among`` from which a move leads to one of the aims."""
        names = {self.line.track: _TRACK, primed(self._name): _THEN}
        factors = linear(self.line.term).factors
        slopes = tuple(factors.get(t.Name(v), 0) for v in (self._name, self.line.gives))
        rest = linear(self.line.term).constant
        fall = self.line.least, self.line.most
        found = _led(self.compiler, self.aims.renamed(names), slopes, rest, fall, self.line.takes)
        return found.renamed({_NAME: self._name, _GIVEN: self.line.gives}) & among

    def is_right(self, cones: Iterable[Cone], losing: DFA) -> bool:
        """Whether all aims are ``losing``, and all ways to fall as far as the line asks for are
        moves by one of the ``cones``."""
        if not self._lead_into(losing):
            return False
        falls = range(self.line.least, self.line.most + 1)
        given = tuple(cones)
        return all(self._is_move(fall, given) for fall in falls)

    def _is_move(self, fall: int, cones: tuple[Cone, ...]) -> bool:
        """Whether the line falls by ``fall`` with moves of the cones alone.

        What is taken is a form of what is taken from the first variable, which has a track.
        """
        if self.line.takes < 0:
            return False
        left, name = t.Name(self.line.track), self._name
        before = self._state(t.Sum((left, t.Int(fall))), {name: t.Name(_TAKEN)})
        after = self._state(left, {name: t.Int(0)})
        found = self.compiler.formula(t.Compare((t.Name(_TAKEN), t.Int(self.line.takes)), (">=",)))
        x, y = self.variables
        for cone in cones:
            inside = conjunction(cone.where((before[x], before[y]), (after[x], after[y])))
            found = found - self.compiler.formula(inside)
        return found.is_empty

    def _state(self, left: t.Term, others: dict[str, t.Term]) -> dict[str, t.Term]:
        """The state where the line's term is ``left``, as terms."""
        return {**others, self.line.gives: self.line.solved(left, others)}

    def _lead_into(self, losing: DFA) -> bool:
        """Whether the state after the move, to any of the aims, is losing."""
        then = {self._name: primed(self._name), self.line.gives: _AFTER}
        left, there = t.Name(self.line.track), {v: t.Name(name) for v, name in then.items()}
        after = t.Compare((substitute(self.line.term, there), left), ("=",))
        states = self.aims & self.compiler.formula(after)
        here = {self._name: there[self._name]}
        natural = t.Compare((self.line.solved(left, here), t.Int(0)), (">=",))
        is_state = (self.aims - self.compiler.formula(natural)).is_empty
        return is_state and (states - losing.renamed(then)).is_empty


def _led(
    compiler: Compiler,
    aims: DFA,
    slopes: tuple[int, ...],
    rest: int,
    fall: tuple[int, int],
    takes: int,
) -> DFA:
    """The states from which the term ``slopes * state + rest`` falls to an aim."""
    table = aims.delta.tobytes(), aims.accepting.tobytes()
    key = (aims.system, *table, slopes, rest, fall, takes)
    if key in _known:
        return DFA(aims.system, (_NAME, _GIVEN), *_known[key])
    term = linear_sum(dict(zip((t.Name(_NAME), t.Name(_GIVEN)), slopes, strict=True)), rest)
    gap = t.Compare((t.Sum((t.Name(_NAME), t.Neg(t.Name(_THEN)))), t.Int(takes)), (">=",))
    known = (aims & compiler.formula(gap)).without((_THEN,))
    found = nothing(compiler.system, (_NAME, _GIVEN))
    for sign in (1, -1):
        before = signed(_BEFORE, sign)
        falls = t.Sum((before, t.Neg(t.Name(_TRACK))))
        allowed = t.Compare((t.Int(fall[0]), falls, t.Int(fall[1])), ("<=", "<="))
        seen = (known & compiler.formula(allowed)).without((_TRACK,))
        if not seen.is_empty:
            here = compiler.formula(t.Compare((term, before), ("=",)))
            found = found | (here & seen).without((_BEFORE,))
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[key] = found.delta, found.accepting
    return found


def signed(track: str, sign: int) -> t.Term:
    """The value on ``track``: a natural number, or -1 minus one."""
    return t.Name(track) if sign > 0 else t.Sum((t.Int(-1), t.Neg(t.Name(track))))

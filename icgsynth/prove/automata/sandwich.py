"""Proofs that a set is the losing one, for games with cones, whose relations are too large.

Two inclusions take the place of the equation ``P = C \\ Pre(P)``.  No move leads from P into P
(independence), and from every other state, but those that end the game under misère, some move
does (absorption).  Both look at states through one linear form at a time, which a bound of the cone
is about: never more than three numbers are together, and one is eliminated at a time.

What a form alone does not decide leaves few states, which are then asked about one by one; where
they are not few, nothing is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import islice, product
from operator import or_

from icgsynth.digits.dfa import DFA, nothing
from icgsynth.errors import Refused
from icgsynth.explicit.steps import primed
from icgsynth.game.line import Line
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.cones import Along, Cone, Face, sign_track

_FEW = 48  # states that are asked about one by one
_FIRST = 8  # targets that moves are looked for into, wherever they begin
_HERE, _THERE = "?d", "?e"  # values of a form, or -1 minus one; no names of the language
_LATER = "?z"

State = dict[str, int]


@dataclass(frozen=True, eq=False)
class Sandwich:
    """The claim that ``losing`` are the losing states of a game with two ``variables``."""

    compiler: Compiler
    variables: tuple[str, str]
    legal: DFA
    losing: DFA
    cones: tuple[Cone, ...]
    _known: dict[tuple[int, ...], DFA] = field(default_factory=dict)

    # --- independence ---------------------------------------------------------------------

    def conflict(self) -> State | None:
        """Return a losing state from which a move in a cone leads to a losing one, or None."""
        # Where x and y can change places, a conflict from one half is one from the other.
        sources = (0,) if self._is_symmetric(self.losing) else (0, 1)
        for cone, source, target in product(self.cones, sources, (0, 1)):
            found = self._conflict(cone, source, target)
            if found is not None:
                return found
        return None

    @cached_property
    def _halves(self) -> tuple[DFA, DFA]:
        """Return the losing states with x <= y, and the others: a form is one-sided in each."""
        low = self._diagonal
        return self.losing & low, self.losing - low

    @cached_property
    def _diagonal(self) -> DFA:
        x, y = map(t.Name, self.variables)
        return self._where(t.compare(x, "<=", y))

    def _conflict(self, cone: Cone, source: int, target: int) -> State | None:
        """Return a state of half ``source`` (0: x <= y) of the losing states that a cone leads into
        half ``target`` of them; None if there is none."""
        suspects = self._halves[target]
        # In the half with x <= y, what bounds l from above tells most, and x which state it is.
        bounds = sorted(cone.bounds, key=lambda bound: bound[1 - source])
        for place, bound in product((source, 1 - source), bounds):
            if suspects.is_empty or self._halves[source].is_empty:
                return None
            if cone.least[place]:
                # Each bound alone leaves a superset of the targets that a move reaches, so suspects
                # only get fewer; those that are left are tried one by one.
                suspects = suspects & self._reach(cone, bound, place, source, target)
        for state in self._few(suspects):
            found = (self._halves[source] & self._from(cone, state)).shortest()
            if found is not None:
                return found
        return None

    def _reach(
        self, cone: Cone, bound: tuple[int, int, int], place: int, source: int, target: int
    ) -> DFA:
        """Return values of the variable at ``place``, among them all of losing states in half
        ``target`` that a move within ``bound`` of ``cone`` leads to from half ``source``."""
        # Known of the move are the bound and the least parameter at ``place`` alone.
        a, b, c = bound
        parts = []
        for one, other in product((1, -1), repeat=2):
            seen, here = (
                self._see(source, a, b, place, one),
                self._see(target, a, b, place, other),
            )
            if seen.is_empty or here.is_empty:
                continue
            later = self._within(seen, place, cone.least[place])
            if later.is_empty:
                continue
            here = here.renamed({_HERE: _THERE})
            drop = t.Sum((sign_track(_HERE, one), t.Neg(sign_track(_THERE, other)), t.Int(c)))
            # The values of the form alone often exclude each other, or leave few.
            near = self._where(t.compare(drop, ">=", 0))
            for part in (later, here):
                few = near & part.without((self.variables[place],))
                near = few if few.is_empty or len(few) <= len(near) else near
            if not near.is_empty:
                allowed = (here & near).without((_THERE,))
                parts.append((later & allowed).without((_HERE,)))
        return self._any(parts, (self.variables[place],))

    def _within(self, seen: DFA, place: int, least: int) -> DFA:
        """Return the pairs (v, d) with (v', d) in ``seen`` for some v' >= v + ``least``."""
        name = self.variables[place]
        gap = t.compare(t.Sum((t.Name(_LATER), t.Neg(t.Name(name)))), ">=", least)
        return (seen.renamed({name: _LATER}) & self._where(gap)).without((_LATER,))

    def _see(self, half: int, a: int, b: int, place: int, sign: int) -> DFA:
        """Return the pairs (v, d) of losing states (x, y) in ``half``: v is x or y, by ``place``,
        and ``a x + b y`` is d for ``sign`` 1, or -1 - d for ``sign`` -1."""
        key = half, a, b, place, sign
        found = self._known.get(key)
        if found is None:
            met = self._halves[half] & self._form(a, b, sign, _HERE)
            found = self._known[key] = met.without((self.variables[1 - place],))
        return found

    def _form(self, a: int, b: int, sign: int, track: str) -> DFA:
        return self._where(t.compare(self._line(a, b, 0), "=", sign_track(track, sign)))

    def _line(self, a: int, b: int, c: int) -> t.Term:
        factors = zip(map(t.Name, self.variables), (a, b), strict=True)
        return linear_sum(dict(factors), c)

    def _from(self, cone: Cone, target: State) -> DFA:
        """Return the states from which a move of ``cone`` leads to the one state ``target``."""
        x, y = self.variables
        aim = t.Int(target[x]), t.Int(target[y])
        return self._where(conjunction(cone.where((t.Name(x), t.Name(y)), aim)))

    # --- absorption -----------------------------------------------------------------------

    def find_unabsorbed(self, states: DFA) -> State | None:
        """Return one of ``states`` from which no cone leads into ``losing``; None if there is none.
        Raises Refused where automata do not settle that."""
        halves: tuple[int, ...] = (0, 1)
        if self._is_symmetric(self.losing) and self._is_symmetric(states):
            halves, states = (0,), states & self._diagonal
        for face, half in self.steep():
            if half in halves:
                states = states - self.find_absorbed(face, half, states)
        # Cheap cases first: a move next to a steep bound, then one into a small losing state; each
        # removes the states that it absorbs.
        for target in self.first():
            for cone in self.cones:
                if not states.is_empty:
                    states = states - self._from(cone, target)
        for face, half in self._others():
            if states.is_empty:
                return None
            states = states - self.find_absorbed(face, half, states)
        for state in self._few(states):
            if all((self.losing & self._after(cone, state)).is_empty for cone in self.cones):
                return state
        return None

    def find_stuck(self, states: DFA) -> DFA:
        """Return those of ``states`` from which no move of a cone leads to a legal state."""
        for state in self._few(states):
            if any(not (self.legal & self._after(cone, state)).is_empty for cone in self.cones):
                states = states - self._only(state)
        return states

    def steep(self) -> Iterator[tuple[Face, int]]:
        """Yield (face, half of ``losing`` to reach) for each face: moves next to a steep bound."""
        found = dict.fromkeys(face for cone in self.cones for face in cone.faces())
        for face in found:
            if abs(face.a) != abs(face.b) and face.values[0] == 0:
                yield face, face.place

    def first(self) -> Iterator[State]:
        """Yield some of the smallest losing states."""
        return islice(self._each(self.losing), _FIRST)

    def _others(self) -> Iterator[tuple[Face, int]]:
        """Yield the pairs (face: moves near a bound, half of ``losing`` to reach) that
        :meth:`steep` leaves out, those at steep bounds first."""
        found = dict.fromkeys(face for cone in self.cones for face in cone.faces())
        first = dict.fromkeys(self.steep())
        rest = sorted(found, key=lambda face: (abs(face.a) == abs(face.b), face.least))
        yield from (pair for pair in product(rest, (0, 1)) if pair not in first)

    def outside(self, moves: DFA, cones: tuple[Cone, ...]) -> DFA:
        """Return the state pairs in ``moves`` that are no moves in ``cones`` into ``losing``."""
        after = {v: primed(v) for v in self.variables}
        aims = moves & self.losing.renamed(after)
        (x, x_after), (y, y_after) = ((t.Name(v), t.Name(w)) for v, w in after.items())
        right = nothing(self.compiler.system, moves.tracks)
        for cone in cones:
            inside = aims
            for bound in cone.where((x, y), (x_after, y_after)):
                # One bound at a time, within ``aims``: no relation of all bounds is built.
                inside = inside & self._where(bound)
            right = right | inside
        return moves - right

    def _is_symmetric(self, states: DFA) -> bool:
        x, y = self.variables
        given = {(cone.least, cone.bounds) for cone in self.cones}
        mirrored = {(cone.mirrored.least, cone.mirrored.bounds) for cone in self.cones}
        return mirrored == given and states.renamed({x: y, y: x}) == states

    def find_absorbed(self, face: Face, half: int, among: DFA) -> DFA:
        """Return the states ``among`` with a move of ``face`` into the ``half`` 0 (x <= y) or 1 (x
        > y) of the states ``losing``."""
        parts = [along.sources(among) for along in self.along(face, half, _HERE)]
        return self._any(parts, self.variables)

    def along(self, face: Face, half: int, track: str) -> Iterator[Along]:
        """Yield the moves of ``face`` into one half of ``losing``, for each sign of its form.
        ``track`` is to hold the value of the form after a move."""
        name = self.variables[face.place]
        for sign in (1, -1):
            seen = self._see(half, face.a, face.b, face.place, sign)
            if not seen.is_empty:
                aims = seen.renamed({name: primed(name), _HERE: track})
                line = self._follow(face, sign, track)
                yield Along(self.compiler, self.variables, line, aims)

    def _follow(self, face: Face, sign: int, track: str) -> Line:
        """Return the line of ``face``, a linear term that its moves lower, with its value on
        ``track``: the form of the face for ``sign`` 1, else -1 minus that form."""
        term = self._line(sign * face.a, sign * face.b, 0 if sign > 0 else -1)
        falls = [sign * (value - face.c) for value in (face.values[0], face.values[-1])]
        gives = self.variables[1 - face.place]
        return Line(track, term, gives, min(falls), max(falls), face.least)

    # --- sets -----------------------------------------------------------------------------

    def _where(self, formula: t.Formula) -> DFA:
        return self.compiler.formula(formula)

    def _after(self, cone: Cone, state: State) -> DFA:
        x, y = self.variables
        here = t.Int(state[x]), t.Int(state[y])
        return self._where(conjunction(cone.where(here, (t.Name(x), t.Name(y))))).over((x, y))

    def _only(self, state: State) -> DFA:
        return self._where(conjunction(t.compare(t.Name(v), "=", n) for v, n in state.items()))

    def _any(self, parts: list[DFA], tracks: tuple[str, ...]) -> DFA:
        return reduce(or_, parts, nothing(self.compiler.system, tuple(sorted(tracks))))

    def _few(self, states: DFA) -> Iterator[State]:
        for count, state in enumerate(self._each(states)):
            if count == _FEW:
                raise Refused("a form of a cone leaves too many states open")
            yield state

    def _each(self, states: DFA) -> Iterator[State]:
        while (state := states.shortest()) is not None:
            yield state
            # The shortest state is taken out: each is given once.
            states = states - self._only(state)

"""Strategies: an ordered list of tiers, each of which filters the legal moves.

The first tier that keeps a move decides, except that a tier that *narrows* (a preference, such
as weak constraints) passes what it keeps on to the tiers below.  A :class:`Rule` (a pair of a
condition and a semi-ground action, Definition 2.4 of Wu et al., AAMAS 2020) is one kind of tier,
a :class:`TargetRule` (an automaton computes the state to move to) another, and
:class:`IntoLosing` needs no more than the formula of the losing states; rules of fast-and-frugal
trees and weak constraints are more.  First match is written here alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, overload

from icgsynth.digits.automaton import Automaton
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, conjunction, size, substitute
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.nodes import Readable
from icgsynth.logic.ranges import candidates

if TYPE_CHECKING:
    from icgsynth.game.line import Line

# After the name of a variable: its value after the move.
PRIME = "'"
_PATIENCE = 10_000  # parameters tried for one target

_G = TypeVar("_G")
_G_contra = TypeVar("_G_contra", contravariant=True)
_Tier_co = TypeVar("_Tier_co", covariant=True)


class Tier(ABC, Generic[_G_contra]):
    """One step of a strategy, which keeps some of the moves still open.  ``narrows`` says that the
    kept moves are passed on to the next tier; else this one decides."""

    __slots__ = ()
    narrows: ClassVar[bool] = False

    @abstractmethod
    def keep(
        self, game: _G_contra, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        """Return those of ``moves`` that this rule of a strategy keeps in ``state``; None for
        ``moves`` stands for all legal ones, not listed yet."""


@dataclass(frozen=True, slots=True, repr=False)
class SemiGroundAction(Readable):
    """An action whose parameters are terms over the state: ``take_a(a - b)``."""

    action: str
    arguments: tuple[tuple[str, t.Term], ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(t.spell(term) for _, term in self.arguments)
        return f"{self.action}({inner})" if self.arguments else self.action

    @property
    def size(self) -> int:
        """Return the number of leaves of all parameter terms."""
        return sum(size(term) for _, term in self.arguments)

    def ground(self, game: ParametricGame, state: State) -> Move:
        """Return the move in ``state``, the values of the parameters' terms as its numbers, whether
        it applies or not."""
        env = game.env(state)
        return Move(self.action, tuple((name, value(term, env)) for name, term in self.arguments))

    def mapped(self, by: Rewriting) -> SemiGroundAction:
        """Return the action with the function ``by`` applied to its parameters' terms."""
        return replace(self, arguments=tuple((name, by(term)) for name, term in self.arguments))


@dataclass(frozen=True, slots=True, repr=False)
class Rule(Readable, Tier[ParametricGame]):
    """A rule: where ``when`` holds and the action applies, keep that move alone."""

    when: t.Formula
    act: SemiGroundAction

    def __str__(self) -> str:
        return str(self.act) if self.when == t.TRUE else f"if {t.spell(self.when)}: {self.act}"

    def keep(
        self, game: ParametricGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        if not satisfies(self.when, game.env(state)):
            return ()
        move = self.act.ground(game, state)
        if moves is not None:
            return (move,) if move in moves else ()
        return (move,) if game.applies(state, move) else ()

    def to_json(self) -> dict[str, Any]:
        """Return the entry for this rule in ``strategy`` or ``fft`` of an answer file."""
        arguments = {name: str(term) for name, term in self.act.arguments}
        return {"when": str(self.when), "action": self.act.action, "args": arguments}

    def mapped(self, by: Rewriting) -> Rule:
        """Return the rule with the function ``by`` applied to its condition and its terms."""
        return Rule(by(self.when), self.act.mapped(by))


@dataclass(frozen=True, slots=True, repr=False)
class TargetRule(Readable, Tier[ParametricGame]):
    """A rule: where ``when`` holds, move by ``action`` to the state that ``target`` computes.  The
    tracks of ``target`` are state variables and, primed (``a'``), those that the action changes.
    Of several targets the least is taken, and the first parameters that lead to it. Where a
    ``line`` is given, the tracks are the line's and one primed variable.  The smallest fall with a
    target is taken.  ValueError where the tracks are others."""

    when: t.Formula
    action: str
    target: Automaton
    line: Line | None = None

    def __post_init__(self) -> None:
        if (line := self.line) is not None:
            rest = [track for track in self.target.tracks if track != line.track]
            if len(rest) != 1 or line.track.endswith(PRIME) or line.gives + PRIME in rest:
                raise ValueError(f"the tracks are {line.track} and another primed variable")
            if not rest[0].endswith(PRIME):
                raise ValueError(f"{rest[0]} is not primed")

    def __str__(self) -> str:
        text = f"{self.action} to a losing {self.after}"
        if self.line is not None:
            text += f", so that {self.line}, and {self.changed[0]} by at least {self.line.takes}"
        return text if self.when == t.TRUE else f"if {t.spell(self.when)}: {text}"

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the names of the variables whose new values the rule computes."""
        found = tuple(
            track.removesuffix(PRIME) for track in self.target.tracks if track.endswith(PRIME)
        )
        return found if self.line is None else (*found, self.line.gives)

    @property
    def after(self) -> str:
        """Return the state after the move as text, with a quote for each change: ``(a', b)``."""
        tracks = [
            track for track in self.target.tracks if self.line is None or track != self.line.track
        ]
        tracks += [] if self.line is None else [self.line.gives + PRIME]
        names = dict.fromkeys(track.removesuffix(PRIME) for track in tracks)
        seen = [f"{n}{PRIME}" if f"{n}{PRIME}" in tracks else n for n in names]
        return f"({', '.join(seen)})" if len(seen) > 1 else seen[0]

    def aim(self, env: Mapping[str, int]) -> dict[str, int] | None:
        """Return {variable: new value} for the variables that the move from the state ``env``
        changes; None where the automaton accepts no new values."""
        if self.line is not None:
            return next(self._along(self.line, env, 1), None)
        known = {track: env[track] for track in self.target.tracks if not track.endswith(PRIME)}
        found = self.target.complete(known)
        return (
            None if found is None else {track.removesuffix(PRIME): n for track, n in found.items()}
        )

    def aims(self, env: Mapping[str, int], most: int) -> list[dict[str, int]]:
        """Return up to ``most`` targets of a move from the state ``env``, each {variable: new
        value} for the variables that change."""
        if self.line is not None:
            return list(islice(self._along(self.line, env, most), most))
        known = {track: env[track] for track in self.target.tracks if not track.endswith(PRIME)}
        found = self.target.completions(known, most)
        return [{track.removesuffix(PRIME): n for track, n in one.items()} for one in found]

    def _along(self, line: Line, env: Mapping[str, int], most: int) -> Iterator[dict[str, int]]:
        """Yield targets of a move from ``env``, {variable: new value}: for each amount by which the
        term of ``line`` may fall up to ``most`` of them, the least ones."""
        name = self.changed[0]
        for left in line.values(env):
            least = self.target.complete({line.track: left})
            if least is None or least[name + PRIME] + line.takes > env[name]:
                continue
            more = self.target.completions({line.track: left}, most) if most > 1 else [least]
            for aim in ({name: found[name + PRIME]} for found in more):
                if aim[name] + line.takes <= env[name]:
                    yield aim | {line.gives: line.evaluate(left, {**env, **aim})}

    def keep(
        self, game: ParametricGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        env = game.env(state)
        if not satisfies(self.when, env) or (aim := self.aim(env)) is None:
            return ()
        action = game.action(self.action)
        there = _leads(game, action, tuple(aim))
        env |= {name + PRIME: number for name, number in aim.items()}
        for arguments in islice(candidates(there, action.parameters, env), _PATIENCE):
            move = action.move(arguments)
            if game.applies(state, move) and (moves is None or move in moves):
                after = game.env(game.result(state, move))
                if all(after[name] == number for name, number in aim.items()):
                    return (move,)
        return ()

    def to_json(self) -> dict[str, Any]:
        """Return the entry for this rule in ``strategy`` of an answer file."""
        data = {"when": str(self.when), "action": self.action, "to": self.target.to_json()}
        return data if self.line is None else data | {"line": self.line.to_json()}

    def mapped(self, by: Rewriting) -> TargetRule:
        """Return the rule with the function ``by`` applied to its condition, not to its
        automaton."""
        return replace(self, when=by(self.when))


def renamed(rule: Rule | TargetRule, names: Mapping[str, str]) -> Rule | TargetRule:
    """Return ``rule`` with its variables renamed by ``names``, {old: new}."""
    terms = {old: t.Name(new) for old, new in names.items()}
    rule = rule.mapped(lambda node: substitute(node, terms))
    if isinstance(rule, Rule):
        return rule
    primes = {old + PRIME: new + PRIME for old, new in names.items()}
    tracks = tuple({**names, **primes}.get(track, track) for track in rule.target.tracks)
    line = None if rule.line is None else rule.line.renamed(names)
    return TargetRule(rule.when, rule.action, replace(rule.target, tracks=tracks), line)


@lru_cache(maxsize=256)
def _leads(game: ParametricGame, action: Action, changed: tuple[str, ...]) -> t.Formula:
    after = game.after(action)
    aims = (t.compare(after[name], "=", t.Name(name + PRIME)) for name in changed)
    return conjunction((*aims, game.applicable(action)))


@dataclass(frozen=True, slots=True, repr=False)
class IntoLosing(Readable, Tier[ParametricGame]):
    """A tier that keeps the moves to states of ``losing``, the formula of the losing states.
    Without a list of the moves it tries those near the bounds of their parameters, which are all
    where these are few (:func:`~icgsynth.game.moves.some_moves`)."""

    losing: t.Formula

    def __str__(self) -> str:
        return f"to a losing state: {self.losing}"

    def keep(
        self, game: ParametricGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        from icgsynth.game.moves import some_moves

        tried = some_moves(game, state) if moves is None else iter(moves)
        return tuple(m for m in tried if satisfies(self.losing, game.env(game.result(state, m))))


class Kept(NamedTuple, Generic[_Tier_co]):
    """The moves that a tier keeps in a state; ``number`` is the tier's place, from 1."""

    number: int
    tier: _Tier_co
    moves: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """Return the first of the moves that the rule keeps, which is the one to make."""
        return self.moves[0]


@dataclass(frozen=True, slots=True, repr=False)
class Strategy(Readable, Sequence[_Tier_co]):
    """Tiers in order; the first that keeps a move decides, and within it the first move.  A tier
    that narrows leaves the decision to those below.  Printed, it is one tier a line."""

    tiers: tuple[_Tier_co, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.tiers))

    def __iter__(self) -> Iterator[_Tier_co]:
        return iter(self.tiers)

    def __len__(self) -> int:
        return len(self.tiers)

    @overload
    def __getitem__(self, index: int) -> _Tier_co: ...

    @overload
    def __getitem__(self, index: slice) -> Strategy[_Tier_co]: ...

    def __getitem__(self, index: int | slice) -> _Tier_co | Strategy[_Tier_co]:
        found = self.tiers[index]
        return Strategy(found) if isinstance(found, tuple) else found

    def steps(
        self: Strategy[Tier[_G]], game: _G, state: State, moves: tuple[Move, ...] | None = None
    ) -> Iterator[Kept[Tier[_G]]]:
        """Yield each rule that keeps any of ``moves`` in ``state`` (None: all legal ones), with
        what it keeps, up to the rule that decides.  The last one's moves are what the strategy
        leaves; if no rule keeps any, that is all moves."""
        for number, tier in enumerate(self.tiers, start=1):
            if found := tier.keep(game, state, moves):
                yield Kept(number, tier, found)
                if not tier.narrows:
                    return
                moves = found

    def choose(self: Strategy[Tier[_G]], game: _G, state: State) -> Kept[Tier[_G]] | None:
        """Return the rule that decides in ``state``, with its place and the moves it keeps; None if
        no rule keeps any move."""
        return next(iter(deque(self.steps(game, state), maxlen=1)), None)

    def keep(
        self: Strategy[Tier[_G]], game: _G, state: State, moves: tuple[Move, ...]
    ) -> tuple[Move, ...]:
        """Return those of ``moves`` that all rules of the strategy keep in ``state``; a rule that
        would keep none is passed over."""
        for step in self.steps(game, state, moves):
            moves = step.moves
        return moves

"""Strategies: an ordered list of tiers, each of which filters the legal moves.

The first tier that keeps a move decides, except that a tier that *narrows* (a preference, such
as weak constraints) passes what it keeps on to the tiers below.  A :class:`Rule` (a pair of a
condition and a semi-ground action, Definition 2.4 of Wu et al., AAMAS 2020) is one kind of tier,
a :class:`TargetRule` (an automaton computes the state to move to) another; rules of
fast-and-frugal trees and weak constraints are more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from icgsynth.digits.automaton import Automaton
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.ranges import candidates
from icgsynth.logic.term import TRUE, Compare, Formula, Name, Term, conjunction, size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PRIME", "BulkTier", "Rule", "SemiGroundAction", "Strategy", "TargetRule", "Tier"]

# After the name of a variable: its value after the move.
PRIME = "'"
_PATIENCE = 10_000  # parameters tried for one target

_S = TypeVar("_S")
_G_contra = TypeVar("_G_contra", contravariant=True)
_S_contra = TypeVar("_S_contra", contravariant=True)
_G = TypeVar("_G")
_T_contra = TypeVar("_T_contra", contravariant=True)


class Tier(Protocol[_G_contra, _S_contra]):
    """One step of a strategy: from the moves still open, those it keeps.

    ``narrows`` says that what it keeps is passed on to the next tier; else it decides.
    """

    @property
    def narrows(self) -> bool: ...

    def keep(
        self, game: _G_contra, state: _S_contra, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        """The kept moves; ``moves`` is None for "all legal moves", not listed yet."""
        ...


class BulkTier(Protocol[_T_contra]):
    """A tier of a finite game that filters the moves of all its states at once."""

    @property
    def narrows(self) -> bool: ...

    def mask(self, table: _T_contra, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the moves ``still`` open (m,) are kept."""
        ...


@dataclass(frozen=True, slots=True)
class SemiGroundAction:
    """An action whose parameters are terms over the state: ``take_a(a - b)``."""

    action: str
    arguments: tuple[tuple[str, Term], ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(str(term) for _, term in self.arguments)
        return f"{self.action}({inner})" if self.arguments else self.action

    @property
    def size(self) -> int:
        """Leaves of all parameter terms."""
        return sum(size(term) for _, term in self.arguments)

    def ground(self, game: ParametricGame, state: State) -> Move:
        """The move in ``state``, whether it applies there or not."""
        env = game.env(state)
        return Move(self.action, tuple((name, value(t, env)) for name, t in self.arguments))


@dataclass(frozen=True, slots=True)
class Rule:
    """Where ``when`` holds and the action applies, keep that move alone."""

    when: Formula
    act: SemiGroundAction
    narrows: ClassVar[bool] = False

    def __str__(self) -> str:
        return str(self.act) if self.when == TRUE else f"if {self.when}: {self.act}"

    def keep(
        self, game: ParametricGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        if not satisfies(self.when, game.env(state)):
            return ()
        move = self.act.ground(game, state)
        if moves is not None:
            return (move,) if move in moves else ()
        return (move,) if game.applies(state, move) else ()


@dataclass(frozen=True, slots=True)
class TargetRule:
    """Where ``when`` holds and ``target`` knows a state to move to by ``action``, move there.

    The tracks of ``target`` are state variables and, primed (``a'``), those that the action
    changes.  Of several targets the least is taken, and the first parameters that lead to it.
    """

    when: Formula
    action: str
    target: Automaton
    narrows: ClassVar[bool] = False

    def __str__(self) -> str:
        text = f"{self.action} to a losing {self.after}"
        return text if self.when == TRUE else f"if {self.when}: {text}"

    @property
    def changed(self) -> tuple[str, ...]:
        """The variables whose values after the move the automaton computes."""
        return tuple(t.removesuffix(PRIME) for t in self.target.tracks if t.endswith(PRIME))

    @property
    def after(self) -> str:
        """The state after the move as the automaton sees it: ``(a', b)``, or ``n'``."""
        tracks = self.target.tracks
        names = dict.fromkeys(track.removesuffix(PRIME) for track in tracks)
        seen = [f"{n}{PRIME}" if f"{n}{PRIME}" in tracks else n for n in names]
        return f"({', '.join(seen)})" if len(seen) > 1 else seen[0]

    def aim(self, env: Mapping[str, int]) -> dict[str, int] | None:
        """The values of the changed variables after the move; None where there is no target."""
        known = {t: env[t] for t in self.target.tracks if not t.endswith(PRIME)}
        found = self.target.complete(known)
        return None if found is None else {t.removesuffix(PRIME): n for t, n in found.items()}

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
            move = Move(action.name, tuple(zip(action.parameters, arguments, strict=True)))
            if game.applies(state, move) and (moves is None or move in moves):
                after = game.env(game.result(state, move))
                if all(after[name] == number for name, number in aim.items()):
                    return (move,)
        return ()


@lru_cache(maxsize=256)
def _leads(game: ParametricGame, action: Action, changed: tuple[str, ...]) -> Formula:
    """Where ``action`` applies and gives the variables ``changed`` their primed values."""
    after = game.after(action)
    aims = (Compare((after[name], Name(name + PRIME)), ("=",)) for name in changed)
    return conjunction((*aims, game.applicable(action)))


@dataclass(frozen=True, slots=True)
class Strategy(Generic[_G, _S]):
    """Tiers in order; the first that keeps a move decides, and within it the first move.

    A tier that narrows leaves the decision to those below.
    """

    tiers: tuple[Tier[_G, _S], ...]

    def __iter__(self) -> Iterator[Tier[_G, _S]]:
        return iter(self.tiers)

    def __len__(self) -> int:
        return len(self.tiers)

    def move(self, game: _G, state: _S) -> tuple[Move, Tier[_G, _S]] | None:
        """The chosen move and the last tier that chose; None where no tier keeps any."""
        kept, by = self.kept(game, state, None)
        return None if by is None or kept is None else (kept[0], by)

    def kept(
        self, game: _G, state: _S, moves: tuple[Move, ...] | None
    ) -> tuple[tuple[Move, ...] | None, Tier[_G, _S] | None]:
        """What all tiers leave of ``moves`` (None: all legal ones), and the last that kept any."""
        by: Tier[_G, _S] | None = None
        for tier in self.tiers:
            found = tier.keep(game, state, moves)
            if found:
                moves, by = found, tier
                if not tier.narrows:
                    break
        return moves, by

"""Strategies: an ordered list of tiers, each of which filters the legal moves.

The first tier that keeps a move decides.  A :class:`Rule` (a pair of a condition and a
semi-ground action, Definition 2.4 of Wu et al., AAMAS 2020) is one kind of tier; rules of
fast-and-frugal trees and weak constraints are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from icgsynth.evaluate import satisfies, value
from icgsynth.game import Move, ParametricGame, State
from icgsynth.term import TRUE, Formula, Term, size

__all__ = ["Rule", "SemiGroundAction", "Strategy", "Tier"]

_S = TypeVar("_S")
_G_contra = TypeVar("_G_contra", contravariant=True)
_S_contra = TypeVar("_S_contra", contravariant=True)
_G = TypeVar("_G")


class Tier(Protocol[_G_contra, _S_contra]):
    """One step of a strategy: from the moves still open, those it keeps."""

    def keep(
        self, game: _G_contra, state: _S_contra, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        """The kept moves; ``moves`` is None for "all legal moves", not listed yet."""
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
class Strategy(Generic[_G, _S]):
    """Tiers in order; the first that keeps a move decides, and within it the first move."""

    tiers: tuple[Tier[_G, _S], ...]

    def __iter__(self) -> Iterator[Tier[_G, _S]]:
        return iter(self.tiers)

    def __len__(self) -> int:
        return len(self.tiers)

    def move(self, game: _G, state: _S) -> tuple[Move, Tier[_G, _S]] | None:
        """The chosen move and the tier that chose it; None where no tier keeps any."""
        for tier in self.tiers:
            kept = tier.keep(game, state, None)
            if kept:
                return kept[0], tier
        return None

"""Learned weak constraints and rules as the tiers of a :class:`~icgsynth.game.strategy.Strategy`.

:class:`Prefer` keeps the moves of least cost on one level and passes them on; :class:`Act` keeps
the moves that its ``best_do`` rules name and decides.  Both work on one state of a
:class:`~icgsynth.boards.finite.game.FiniteGame` and on all moves of a
:class:`~icgsynth.boards.learn.stage.Stage`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.learn.best_do import BestDo, Index
from icgsynth.boards.learn.candidates import Charge
from icgsynth.boards.learn.move_view import MoveView, RuledGame, view_of
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import read_term, signature_of
from icgsynth.boards.learn.weak import Constraint, Hypothesis
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier

FiniteStrategy: TypeAlias = Strategy[Tier[FiniteGame]]


@dataclass(frozen=True, eq=False)
class Prefer(Tier[FiniteGame]):
    """A tier of weak constraints of one level: keeps the moves that cost least."""

    constraints: tuple[Constraint, ...]
    view: MoveView
    narrows: ClassVar[bool] = True

    def __str__(self) -> str:
        return "; ".join(map(str, self.constraints))

    def keep(
        self, game: FiniteGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        open_moves = tuple(game.moves(state)) if moves is None else moves
        if len(open_moves) < 2:
            return open_moves
        role = game.roles[game.mover(state)]
        states = np.tile(np.array(state, np.uint64), (len(open_moves), 1))
        said = [(role, move.action) for move in open_moves]
        charged = self._charge(states, said, np.arange(len(said)))
        least = charged.min()
        return tuple(m for m, c in zip(open_moves, charged, strict=True) if c == least)

    def mask(self, table: Stage, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a mask (m,): which of the moves ``still`` open (m,) cost least, state by state."""
        arena, source = table.arena, table.source
        said = [(role, action) for role in arena.roles for action in arena.actions]
        # The number in `said` of each move: its player first, then its action.
        number = arena.mover[source].astype(np.int64) * len(arena.actions) + arena.action
        charged = self._charge(table.states[source], said, number)
        high = np.iinfo(np.int64).max
        least = np.full(len(arena.mover), high)
        # The least cost among the moves that are still open, state by state.
        np.minimum.at(least, source, np.where(still, charged, high))
        kept: NDArray[np.bool_] = still & (charged == least[source])
        return kept

    def _charge(
        self, states: NDArray[np.uint64], said: list[tuple[str, str]], number: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        truth = self.view.truth(states, said, number)
        total = np.zeros(len(states), np.int64)
        for charge in self._charges:
            total += charge.of(truth, len(states))
        return total

    @cached_property
    def _charges(self) -> tuple[Charge, ...]:
        return tuple(Charge(constraint, self.view) for constraint in self.constraints)


@dataclass(frozen=True, eq=False)
class Act(Tier[FiniteGame]):
    """A tier of ``best_do`` rules: keeps the moves of the rules that match the state."""

    rules: tuple[BestDo, ...]

    def __str__(self) -> str:
        return f"{len(self.rules)} best_do rules"

    def keep(
        self, game: FiniteGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        open_moves = tuple(game.moves(state)) if moves is None else moves
        if not open_moves:
            return ()
        role = game.roles[game.mover(state)]
        facts = frozenset(map(read_term, game.facts(state)))
        named = self._index.moves(facts, role)
        return tuple(m for m in open_moves if m.action in named)

    @cached_property
    def _index(self) -> Index:
        return Index(self.rules)

    def mask(self, table: Stage, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a mask (m,): which of the moves ``still`` open (m,) a rule names for the state."""
        kept = np.zeros(len(still), bool)
        terms = [read_term(fact) for fact in table.board.facts]
        for state in np.flatnonzero(table.arena.mover >= 0):
            span = table.arena.moves_of(int(state))
            role = table.arena.mover_name(int(state))
            facts = frozenset(terms[bit] for bit in bits_of(table.states[state]))
            named = self._index.moves(facts, role)
            for move in span:
                kept[move] = still[move] and table.arena.action_name(move) in named
        return kept


def strategy_of(hypothesis: Hypothesis, game: RuledGame) -> FiniteStrategy:
    """Convert learned weak constraints to a strategy of ``game``, with one step for each level."""
    signatures = {
        signature_of(literal.atom)
        for constraint in hypothesis.constraints
        for literal in constraint.body
    }
    view = view_of(game, hypothesis.background, tuple(sorted(signatures)))
    return Strategy(
        tuple(
            Prefer(tuple(c for c in hypothesis.constraints if c.level == level), view)
            for level in hypothesis.levels
        )
    )

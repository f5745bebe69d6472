"""Play impartial games within a bound, and test strategies there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.boards.finite.bounded import ROLES, arena_of_box
from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.strategy import Strategy, Tier


@dataclass(frozen=True, eq=False)
class BoundedPlay:
    """An impartial game within a bound; a state is that of ``parametric`` and the player to move.

    Moves are named ``take_a(3)``, without arguments; ``initial`` is the state play starts in.
    """

    parametric: ParametricGame
    rule: PlayRule
    initial: State

    @property
    def name(self) -> str:
        return self.parametric.name

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES

    def mover(self, state: State) -> int:
        """Return the player to move, 0 or 1; -1 in a terminal state."""
        return state[-1] if next(self.moves(state), None) is not None else -1

    def goals(self, state: State) -> tuple[int, ...]:
        """Return each player's payoff in a terminal state: 100 for the winner, 0 for the loser."""
        # Play has ended because the player to move has no move.
        loses = state[-1] if self.rule == "normal" else 1 - state[-1]
        return (0, 100) if loses == 0 else (100, 0)

    def is_legal(self, state: State) -> bool:
        """Return whether the state satisfies the game's condition on legal states."""
        return self.parametric.is_legal(state[:-1])

    def applies(self, state: State, move: Move) -> bool:
        """Return whether a move is legal in a state."""
        return move in self.moves_by_name(state)

    def moves(self, state: State) -> Iterator[Move]:
        for move in self.parametric.moves(state[:-1]):
            yield Move(str(move))

    def moves_by_name(self, state: State) -> dict[Move, Move]:
        """Return the parametric game's moves in ``state``, keyed by their one-word names."""
        return {Move(str(move)): move for move in self.parametric.moves(state[:-1])}

    def result(self, state: State, move: Move) -> State:
        """Return the state after ``move``; :class:`IllegalMove` if it is not legal in ``state``."""
        found = self.moves_by_name(state).get(move)
        if found is None:
            raise IllegalMove(f"{move} does not apply in {self.show(state)}")
        return (*self.parametric.result(state[:-1], found), 1 - state[-1])

    def show(self, state: State) -> str:
        """Return a state as text: ``(3, 5), first to move``."""
        return f"{self.parametric.show(state[:-1])}, {ROLES[state[-1]]} to move"

    def facts(self, state: State) -> tuple[str, ...]:
        """Return the literals of ``state``: ``a=3``, and ``control(first)`` for the turn."""
        values = zip(self.parametric.variables, state[:-1], strict=True)
        return (*(f"{name}={value}" for name, value in values), f"control({ROLES[state[-1]]})")


def bounded_table(
    game: ParametricGame, bound: int, rule: PlayRule, start: State | None
) -> ArenaTable[BoundedPlay]:
    """Solve ``game`` on values up to ``bound``; return the table of its states, ``start`` in row 0.
    None for ``start`` is the greatest legal state with a move; ``rule`` is normal or misère."""
    arena, turns = arena_of_box(game, bound, rule, start)
    rows = [(*state, player) for state, player in turns]
    return ArenaTable(BoundedPlay(game, rule, rows[0]), arena, np.array(rows, np.int64))


@dataclass(frozen=True)
class OnBox(Tier[BoundedPlay]):
    """A strategy tier of a parametric game, made to work on the game within a bound."""

    tier: Tier[ParametricGame]

    def __str__(self) -> str:
        return str(self.tier)

    def keep(
        self, game: BoundedPlay, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        named = game.moves_by_name(state)
        open_ = tuple(real for name, real in named.items() if moves is None or name in moves)
        kept = self.tier.keep(game.parametric, state[:-1], open_)
        return tuple(Move(str(move)) for move in kept)


def on_box(strategy: Strategy[Tier[ParametricGame]]) -> Strategy[OnBox]:
    """Return ``strategy``, of a parametric game, as a strategy of the game within a bound."""
    return Strategy(tuple(map(OnBox, strategy)))


@dataclass(frozen=True)
class BoundedVerdict:
    """The result of testing a strategy in all legal states with variables from 0 to ``bound``.

    ``states`` counts them, ``won`` those among them that the player to move can win, with a
    move.  ``flaw`` is the first state, the smallest sums first, where the strategy gives a win
    away: by ``move`` of the tier number ``tier`` (from 1), or both None where it is silent;
    ``winning`` are the moves that win there.
    """

    bound: int
    states: int
    won: int
    flaw: State | None = None
    move: Move | None = None
    tier: int | None = None
    winning: tuple[str, ...] = ()

    @property
    def is_optimal(self) -> bool:
        """Whether the strategy wins from every state of the box that can be won."""
        return self.flaw is None


def follow(
    game: ParametricGame,
    strategy: Strategy[Tier[ParametricGame]],
    bound: int,
    rule: PlayRule = "normal",
) -> BoundedVerdict:
    """Test whether ``strategy`` keeps the win in every won state with values from 0 to ``bound``.
    Play is normal or misère by ``rule``.  That it keeps every win is enough: the box has the states
    that play reaches from a won one.  :class:`~icgsynth.errors.Refused` where a move leaves it."""
    arena, turns = arena_of_box(game, bound, rule)
    states = [state for state, _ in turns]
    # Each state has a row for each player to move; both are alike, so one row is judged.
    mine = [row for row in range(len(states)) if arena.mover[row] == 0 and arena.value[row] > 0]
    legal = len(set(states))
    for row in sorted(mine, key=lambda r: (sum(states[r]), states[r])):
        state = states[row]
        span = arena.moves_of(row)
        winning = tuple(arena.action_name(m) for m in span if arena.optimal[m])
        found = strategy.choose(game, state)
        if found is None:
            return BoundedVerdict(bound, legal, len(mine), state, winning=winning)
        if str(move := found.move) not in winning:
            return BoundedVerdict(bound, legal, len(mine), state, move, found.number, winning)
    return BoundedVerdict(bound, legal, len(mine))

"""Impartial games within a bound, which are finite: solved, played, and strategies followed there.

They are solved by retrograde analysis, which knows nothing of formulas: a second opinion on a
proof, and a first one on a strategy that has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from icgsynth.digits.int64 import FARTHEST
from icgsynth.errors import IllegalMove, OutOfReach, Refused
from icgsynth.finite.arena import Arena, GameGraph, solved, unfolded
from icgsynth.finite.worth import ArenaTable
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.moves import is_over
from icgsynth.game.strategy import StateByState, Strategy, Tier
from icgsynth.logic.bits import Words, pack

# --- bounded -------------------------------------------------------------------------------------

ROLES = ("first", "second")
_MAX_STATES = 200_000

Turn: TypeAlias = tuple[State, int]
"""A state and the player to move, 0 or 1."""

Facts: TypeAlias = tuple[tuple[str, ...], Words]
"""The literals of an arena, and its rows as their bits (n, words)."""


def bounded(
    game: ParametricGame,
    bound: int,
    rule: PlayRule = "normal",
    initial: State | None = None,
    max_states: int = _MAX_STATES,
) -> tuple[Arena, list[Turn]]:
    """The arena of ``game`` on the legal states with every variable from 0 to ``bound``.

    Also for each row the state of ``game`` and the player to move.

    Row 0 is ``initial``, without it the greatest legal state with a move (by sum, then
    lexicographically), or the greatest where none has one;
    with ``initial`` only what play reaches from it is in the arena, without it every legal
    state of the box is, the first player to move, and what play reaches from there.  Literals
    are ``a=3`` and ``control(first)``; the group is the identity alone.

    :class:`~icgsynth.errors.Refused` where a move leaves the box (with that move), a parameter
    has no bound, or there are more than ``max_states`` states; also past 64 bits.
    """
    if bound > FARTHEST:
        raise Refused(f"{game.name}: values up to {bound} do not fit 64 bits")
    order, moves = _explored(game, bound, roots(game, bound, initial, max_states), max_states)
    arena = arena_of_moves(game, rule, order, moves, _literals(game, order))
    return arena, order


def roots(
    game: ParametricGame, bound: int, initial: State | None, max_states: int = _MAX_STATES
) -> list[State]:
    """Where play of :func:`bounded` starts: ``initial``, or all legal states.

    The greatest with a move is the first of them.

    :class:`~icgsynth.errors.Refused` where there is none, or the box is too large.
    """
    if initial is None:
        cells = (bound + 1) ** len(game.variables)
        if cells > max_states:
            raise OutOfReach(
                f"{game.name}: the box has {cells:,} states, more than the limit of {max_states:,}"
            )
        box = product(range(bound + 1), repeat=len(game.variables))
        found = sorted(filter(game.is_legal, box), key=lambda s: (sum(s), s), reverse=True)
        start = next((s for s in found if not is_over(game, s)), None)
        found.sort(key=lambda state: state != start)
    else:
        found = [initial] if game.is_legal(initial) else []
    if not found:
        raise Refused(f"{game.name}: no legal state to start from with values from 0 to {bound}")
    return found


def arena_of_moves(
    game: ParametricGame,
    rule: PlayRule,
    order: list[Turn],
    moves: list[list[tuple[str, Turn]]],
    facts: Facts | None = None,
) -> Arena:
    """The arena whose rows are ``order``, from the moves of each: their names and where they lead.

    Every turn that a move leads to is in ``order``.  Without ``facts`` a row has no literals:
    a view that only asks who wins and how soon needs none, and they take much room.
    """
    row = {key: i for i, key in enumerate(order)}
    names = sorted({move for found in moves for move, _ in found})
    place = {name: i for i, name in enumerate(names)}
    action = [place[name] for found in moves for name, _ in found]
    target = [row[after] for found in moves for _, after in found]
    first = np.zeros(len(order) + 1, np.int64)
    np.cumsum([len(found) for found in moves], out=first[1:])
    turn = np.array([player for _, player in order], np.int8)
    ended = np.diff(first) == 0
    # Without a move the player whose turn it is has lost, and has won under misère.
    lost = np.where(turn == 0, -1, 1) * (1 if rule == "normal" else -1)
    literals, states = facts or ((), np.zeros((len(order), 1), np.uint64))
    graph = GameGraph(
        name=game.name,
        roles=ROLES,
        literals=literals,
        actions=tuple(names),
        states=states,
        mover=np.where(ended, -1, turn).astype(np.int8),
        first=first,
        action=np.array(action, np.int32),
        target=np.array(target, np.int32),
        **unfolded(len(literals), len(names), len(order)),
    )
    return solved(graph, lost.astype(np.int8))


def _explored(
    game: ParametricGame, bound: int, roots: list[State], max_states: int
) -> tuple[list[Turn], list[list[tuple[str, Turn]]]]:
    """Every state with the player to move, and the moves of each; row 0 is the first root."""
    order: list[Turn] = [(state, 0) for state in roots]
    seen = set(order)
    found: list[list[tuple[str, Turn]]] = []
    known: dict[State, list[tuple[str, State]]] = {}
    for state, player in order:  # grows while it is walked
        if state not in known:
            known[state] = _moves(game, bound, state, max_states)
        found.append([(name, (after, 1 - player)) for name, after in known[state]])
        for _, key in found[-1]:
            if key not in seen:
                seen.add(key)
                order.append(key)
        if len(order) > max_states:
            raise OutOfReach(
                f"{game.name}: more than {max_states:,} states (it reached {len(order):,})"
            )
    return order, found


def _moves(game: ParametricGame, bound: int, state: State, most: int) -> list[tuple[str, State]]:
    found: list[tuple[str, State]] = []
    try:
        for move in game.moves(state):
            after = game.result(state, move)
            if min(after, default=0) < 0 or max(after, default=0) > bound:
                raise Refused(
                    f"{game.name}: {move} leads from {game.show(state)} to {game.show(after)}, "
                    f"outside 0 to {bound}"
                )
            found.append((str(move), after))
            if len(found) > most:
                raise Refused(f"{game.name}: {game.show(state)} has more than {most:,} moves")
    except OverflowError:
        raise Refused(f"{game.name}: {game.show(state)} has infinitely many moves") from None
    return found


def _literals(game: ParametricGame, order: list[Turn]) -> Facts:
    """The facts that vary, and the states as their bits."""
    values = np.array([state for state, _ in order], np.int64)
    columns = [
        (f"{variable}={value}", values[:, i] == value)
        for i, variable in enumerate(game.variables)
        for value in range(int(values[:, i].min()), int(values[:, i].max()) + 1)
    ]
    turn = np.array([player for _, player in order])
    columns += [(f"control({name})", turn == player) for player, name in enumerate(ROLES)]
    columns = [(name, holds) for name, holds in columns if holds.any() and not holds.all()]
    truth = np.zeros((len(order), len(columns)), bool)
    for i, (_, holds) in enumerate(columns):
        truth[:, i] = holds
    return tuple(name for name, _ in columns), pack(truth)


# --- bounded play --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BoundedPlay:
    """One state at a time; a state is that of ``parametric`` with the player to move, 0 or 1.

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
        """The player to move; -1 at the end."""
        return state[-1] if next(self.moves(state), None) is not None else -1

    def goals(self, state: State) -> tuple[int, ...]:
        """At the end, 100 for the winner and 0 for the loser."""
        loses = state[-1] if self.rule == "normal" else 1 - state[-1]
        return (0, 100) if loses == 0 else (100, 0)

    def is_legal(self, state: State) -> bool:
        """Whether the rules speak of the state."""
        return self.parametric.is_legal(state[:-1])

    def applies(self, state: State, move: Move) -> bool:
        """Whether a move applies."""
        return move in self.named(state)

    def moves(self, state: State) -> Iterator[Move]:
        for move in self.parametric.moves(state[:-1]):
            yield Move(str(move))

    def named(self, state: State) -> dict[Move, Move]:
        """The moves of the parametric game by their names here."""
        return {Move(str(move)): move for move in self.parametric.moves(state[:-1])}

    def result(self, state: State, move: Move) -> State:
        """The state after a move; :class:`IllegalMove` where it does not apply."""
        found = self.named(state).get(move)
        if found is None:
            raise IllegalMove(f"{move} does not apply in {self.show(state)}")
        return (*self.parametric.result(state[:-1], found), 1 - state[-1])

    def show(self, state: State) -> str:
        """``(3, 5), first to move``."""
        return f"{self.parametric.show(state[:-1])}, {ROLES[state[-1]]} to move"

    def facts(self, state: State) -> tuple[str, ...]:
        """The state as trees speak of it: ``a=3``, and whose turn it is."""
        values = zip(self.parametric.variables, state[:-1], strict=True)
        return (*(f"{name}={value}" for name, value in values), f"control({ROLES[state[-1]]})")


def bounded_table(
    game: ParametricGame, bound: int, rule: PlayRule, start: State | None
) -> ArenaTable[BoundedPlay]:
    """The table of ``game``; without ``start`` play begins in the greatest state of the box."""
    arena, turns = bounded(game, bound, rule, start)
    rows = [(*state, player) for state, player in turns]
    return ArenaTable(BoundedPlay(game, rule, rows[0]), arena, np.array(rows, np.int64))


@dataclass(frozen=True)
class OnBox(StateByState[BoundedPlay]):
    """A tier of the parametric game, whoever of the two is to move."""

    tier: Tier[ParametricGame, Any]

    def __str__(self) -> str:
        return str(self.tier)

    def keep(
        self, game: BoundedPlay, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        named = game.named(state)
        open_ = tuple(real for name, real in named.items() if moves is None or name in moves)
        kept = self.tier.keep(game.parametric, state[:-1], open_)
        return tuple(Move(str(move)) for move in kept)


def on_box(strategy: Strategy[Tier[ParametricGame, Any]]) -> Strategy[OnBox]:
    """A strategy of the parametric game, to be played within a bound."""
    return Strategy(tuple(map(OnBox, strategy)))


# --- bounded strategy ----------------------------------------------------------------------------


@dataclass(frozen=True)
class BoundedVerdict:
    """What a strategy does in the legal states with all variables from 0 to ``bound``.

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
        """Whether the strategy wins every state of the box that can be won."""
        return self.flaw is None


def follow(
    game: ParametricGame,
    strategy: Strategy[Tier[ParametricGame, Any]],
    bound: int,
    rule: PlayRule = "normal",
) -> BoundedVerdict:
    """Play ``strategy`` in every won state of the box.

    That it keeps every win is enough: the states that play reaches from a won state are in the
    box as well.  :class:`~icgsynth.errors.Refused` where the box is no finite game.
    """
    arena, turns = bounded(game, bound, rule)
    states = [state for state, _ in turns]
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

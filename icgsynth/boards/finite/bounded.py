"""Impartial games within a bound on their variables, solved as finite games.

They are solved by retrograde analysis, which knows nothing of formulas: a second opinion on a
proof, and a first one on a strategy that has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from icgsynth.boards.finite.arena import Arena, GameGraph, identity_fields, solve_graph
from icgsynth.digits.arrays import Words, pack
from icgsynth.digits.int64 import FARTHEST, spoken_count
from icgsynth.errors import OutOfReach, Refused
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.moves import is_over

ROLES = ("first", "second")
_MAX_STATES = 200_000  # states, each a Python tuple

Turn: TypeAlias = tuple[State, int]
"""A state and the player to move, 0 or 1."""

Facts: TypeAlias = tuple[tuple[str, ...], Words]
"""The literals of an arena, and its states as bit sets of literals (n, words)."""


def arena_of_box(
    game: ParametricGame,
    bound: int,
    rule: PlayRule = "normal",
    initial: State | None = None,
    max_states: int = _MAX_STATES,
) -> tuple[Arena, list[Turn]]:
    """Solve ``game`` on legal states with values from 0 to ``bound``; return arena and turns.

    The turns are the state of ``game`` and the player to move, by row.  Row 0 is ``initial``;
    without it the greatest legal state with a move (by sum, then in lexicographic order), or the
    greatest if none has one.  With ``initial`` the arena has only what play reaches from it,
    without it every legal state of the box, the first player to move, and what play then reaches.
    ``rule`` is normal or misère.  Literals are ``a=3`` and ``control(first)``; there is no
    symmetry.

    :class:`~icgsynth.errors.Refused` where a move leaves the box (with that move), a state has
    infinitely many moves, or there are more than ``max_states`` states; also past 64 bits.
    """
    if bound > FARTHEST:
        raise Refused(f"{game.name}: values up to {bound} do not fit 64 bits")
    order, moves = _explore(game, bound, roots(game, bound, initial, max_states), max_states)
    arena = arena_of_moves(game.name, rule, order, moves, facts_of(game.variables, order))
    return arena, order


def roots(
    game: ParametricGame, bound: int, initial: State | None, max_states: int = _MAX_STATES
) -> list[State]:
    """Return the states from which play may start: ``initial``, or all legal ones within ``bound``.
    The first is the greatest that has a move.  :class:`~icgsynth.errors.Refused` where there is
    none, :class:`~icgsynth.errors.OutOfReach` where the box has more than ``max_states``."""
    if initial is None:
        cells = (bound + 1) ** len(game.variables)
        if cells > max_states:
            raise OutOfReach(
                f"{game.name}: the box has {spoken_count(cells)} states, more than the limit "
                f"of {max_states:,}"
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
    name: str,
    rule: PlayRule,
    order: list[Turn],
    moves: list[list[tuple[str, Turn]]],
    facts: Facts | None = None,
) -> Arena:
    """Build and solve the arena of a game ``name`` from its turns ``order`` and their ``moves``.

    ``moves`` has for each row the names of the moves and the turns they lead to, all in ``order``.
    Who cannot move has lost, or has won if ``rule`` is misère.  Without ``facts`` a row has no
    literals: a view that only asks who wins and how soon needs none, and they take much room.
    """
    row = {key: i for i, key in enumerate(order)}
    named = sorted({move for found in moves for move, _ in found})
    place = {move: i for i, move in enumerate(named)}
    action = [place[move] for found in moves for move, _ in found]
    target = [row[after] for found in moves for _, after in found]
    first = np.zeros(len(order) + 1, np.int64)
    np.cumsum([len(found) for found in moves], out=first[1:])
    turn = np.array([player for _, player in order], np.int8)
    ended = np.diff(first) == 0
    # Without a move the player whose turn it is has lost, and has won under misère.
    lost = np.where(turn == 0, -1, 1) * (1 if rule == "normal" else -1)
    literals, states = facts or ((), np.zeros((len(order), 1), np.uint64))
    graph = GameGraph(
        name=name,
        roles=ROLES,
        literals=literals,
        actions=tuple(named),
        states=states,
        mover=np.where(ended, -1, turn).astype(np.int8),
        first=first,
        action=np.array(action, np.int32),
        target=np.array(target, np.int32),
        **identity_fields(len(literals), len(named), len(order)),
    )
    return solve_graph(graph, lost.astype(np.int8))


def _explore(
    game: ParametricGame, bound: int, roots: list[State], max_states: int
) -> tuple[list[Turn], list[list[tuple[str, Turn]]]]:
    """Return all turns (state, mover) that play reaches, ``roots`` first, and the moves by row. A
    move is its name and the next turn; OutOfReach past ``max_states`` turns."""
    order: list[Turn] = [(state, 0) for state in roots]
    seen = set(order)
    found: list[list[tuple[str, Turn]]] = []
    known: dict[State, list[tuple[str, State]]] = {}
    # Both players have the same moves, so the moves of a state are listed once for both turns.
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


def facts_of(variables: Sequence[str], order: list[Turn]) -> Facts:
    """Return the facts that vary between states, and the states as bit sets (n, words) of facts.  A
    fact is ``a=3`` for one of the ``variables``, or who is to move; ``order`` has the turns."""
    values = np.array([state for state, _ in order], np.int64)
    columns = [
        (f"{variable}={value}", values[:, i] == value)
        for i, variable in enumerate(variables)
        for value in range(int(values[:, i].min()), int(values[:, i].max()) + 1)
    ]
    turn = np.array([player for _, player in order])
    # A fact that holds everywhere, or nowhere, tells no states apart and is left out.
    columns += [(f"control({name})", turn == player) for player, name in enumerate(ROLES)]
    columns = [(name, holds) for name, holds in columns if holds.any() and not holds.all()]
    truth = np.zeros((len(order), len(columns)), bool)
    for i, (_, holds) in enumerate(columns):
        truth[:, i] = holds
    return tuple(name for name, _ in columns), pack(truth)

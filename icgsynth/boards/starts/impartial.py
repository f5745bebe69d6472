"""Solve an impartial game on the states within a bound: distances to the end, symmetries.

The distance is that of best play (Steinhaus' remoteness: who wins hurries, who loses delays).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import arena_kernels
from icgsynth.boards.finite.bounded import arena_of_moves
from icgsynth.boards.finite.datalog import components
from icgsynth.boards.starts.tasks import SolvedGame
from icgsynth.budget import Progress, silent
from icgsynth.errors import InputError, Refused
from icgsynth.explicit.box import Box
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.strategy import Strategy
from icgsynth.process.compiled import announce

_MOST_STATES = 30_000  # states of a box: their moves are Python tuples
_DEFAULT_STATES = 500  # states under the default bound: enough starts for a sheet
_MOST_MOVES = 2_000_000  # moves of all states, each a Python tuple
_OUTSIDE = -1  # the index of a state outside the box


@dataclass(frozen=True, eq=False)
class SolvedBox(SolvedGame):
    """A solved impartial game on the states within a bound from which play stays within it.

    ``states`` (n) come children before parents.  Row i of ``arena`` is ``states[i]`` with player
    0 to move, row n + i the same with player 1 to move; it has no literals.  A move is an action
    with its parameters: two that lead to one state are two."""

    game: ParametricGame
    rule: PlayRule
    states: tuple[State, ...]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The rows of the states that have a move, with the first player to move."""
        return np.flatnonzero(np.diff(self.arena.first[: len(self.states) + 1]) > 0)

    def state_at(self, row: int) -> State:
        return self.states[row % len(self.states)]

    def points(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([self.states[row] for row in rows], np.int64)

    def unlike(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        first: dict[State, int] = {}
        for row in rows.tolist():
            first.setdefault(self.canonical(self.states[row]), row)
        return np.array(list(first.values()), np.int64)

    def names(self, row: int, moves: Iterable[int]) -> Iterator[str]:
        return map(self.arena.action_name, moves)

    def obeying(self, knows: Strategy[Any]) -> Iterator[tuple[int, int]]:
        for row in self.rows.tolist() if knows else ():
            if (known := knows.choose(self.game, self.states[row])) is not None:
                name = str(known.move)
                moves = self.arena.moves_of(row)
                yield next(m for m in moves if self.arena.action_name(m) == name), row

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each state, the indices of the states that its moves lead to, one for each move."""
        first, count = self.arena.first[: len(self.states) + 1], len(self.states)
        # Rows 0 to n - 1 have the first player to move, n to 2 n - 1 the second: a move changes it.
        child = (self.arena.target[: first[-1]].astype(np.int64) - count).tolist()
        return tuple(tuple(child[i:j]) for i, j in pairwise(first.tolist()))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of the variables that preserve how many moves lead from any state to any
        other; the identity alone where there are more than 5 variables."""
        size = len(self.game.variables)
        if size > 5:
            return (tuple(range(size)),)
        after = {
            state: Counter(self.states[c] for c in self.children[i])
            for i, state in enumerate(self.states)
        }

        def image(state: State, order: tuple[int, ...]) -> State:
            return tuple(state[v] for v in order)

        def holds(order: tuple[int, ...]) -> bool:
            return all(
                {image(to, order): many for to, many in found.items()}
                == after.get(image(state, order))
                for state, found in after.items()
            )

        return tuple(order for order in permutations(range(size)) if holds(order))

    def canonical(self, state: State) -> State:
        """Return the least image of ``state`` under the symmetries, which permute its variables."""
        return min(tuple(state[v] for v in order) for order in self.symmetries)


def default_bound(game: ParametricGame) -> int:
    """Return the largest of a few bounds on the variables that leaves at most 500 states, else
    1."""
    for bound in (100, 60, 30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2):
        box = Box.of(game, bound)
        if box.cells <= _MOST_STATES and box.size <= _DEFAULT_STATES:
            return bound
    return 1


def solved_box(
    game: ParametricGame, rule: PlayRule, bound: int, progress: Progress = silent
) -> SolvedBox:
    """Return ``game`` solved on the states with variables up to ``bound`` from which play stays
    there. :class:`~icgsynth.errors.Refused` where they are too many, have infinitely many moves, or
    the game may never end; InputError where no state is left."""
    box = Box.of(game, bound)
    if box.size > _MOST_STATES:
        raise Refused(
            f"{box.size:,} states are more than {_MOST_STATES:,}; choose a smaller --bound"
        )
    progress(f"listing the moves of {box.size:,} states")
    states = [tuple(row) for row in box.states.tolist()]
    moves = _list_moves(game, states)
    order = _order_states(game, states, [[c for _, c in found] for found in moves])
    if not order:
        raise InputError(
            f"from no state up to {bound} does all play of {game.name} stay there",
            mend="give a larger --bound",
        )
    announce([arena_kernels.into], progress)
    rows = [(states[i], player) for player in (0, 1) for i in order]
    named = [
        [(str(move), (states[c], 1 - player)) for move, c in moves[i]]
        for player in (0, 1)
        for i in order
    ]
    return SolvedBox(
        arena_of_moves(game.name, rule, rows, named),
        game,
        rule,
        tuple(states[i] for i in order),
    )


def _list_moves(game: ParametricGame, states: Sequence[State]) -> list[list[tuple[Move, int]]]:
    """Return each state's moves, each with the index of the state after it, -1 for one not in
    ``states``. Refused if there are too many."""
    place = {state: i for i, state in enumerate(states)}
    moves: list[list[tuple[Move, int]]] = []
    count = 0
    for state in states:
        found: list[tuple[Move, int]] = []
        try:
            for move in game.moves(state):
                found.append((move, place.get(game.result(state, move), _OUTSIDE)))
                count += 1
        except OverflowError:
            raise Refused(f"{game.name}: {game.show(state)} has infinitely many moves") from None
        if count > _MOST_MOVES:
            raise Refused(f"more than {_MOST_MOVES:,} moves; choose a smaller --bound")
        moves.append(found)
    return moves


def _order_states(
    game: ParametricGame, states: Sequence[State], children: Sequence[Sequence[int]]
) -> list[int]:
    """Return the indices of the states from which all play stays in ``states``, each after its
    successors. ``children[i]`` has the indices of the successors of state i, -1 for others. Refused
    if play can cycle."""
    order: dict[int, None] = {}

    def below(i: int) -> Iterator[int]:
        return (c for c in reversed(children[i]) if c != _OUTSIDE)

    # Components come with all that they depend on before them. One of several states, or a state
    # that leads to itself, is a cycle.
    for i, *others in components(below, range(len(states))):
        if others or i in children[i]:
            raise Refused(f"{game.name}: the game may never end, see {game.show(states[i])}")
        if all(c in order for c in children[i]):
            order[i] = None
    return list(order)

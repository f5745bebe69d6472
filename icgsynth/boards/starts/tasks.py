"""Choose positions of a solved game for a learner: won, in so many moves, as hard as wanted.

How hard a position is, is the exact chance that a player wins who looks k rounds ahead, or who
knows the first rules of a strategy, against one who looks k' rounds ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena import Arena, whole_states
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.look import Mask, chances, choices
from icgsynth.boards.starts.hardness import LEVELS, Level, category, level_of, levels_of
from icgsynth.digits.arrays import unpack
from icgsynth.errors import InputError
from icgsynth.game.game import State
from icgsynth.game.strategy import Strategy, Tier

_MOST_COMPARED = 30_000  # positions at most among which unlike ones are chosen
_FAR = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class SolvedGame:
    """A solved finite game, up to symmetry, from whose states some are chosen."""

    arena: Arena
    game: Any

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The rows of the states to choose from: all before the end."""
        return np.flatnonzero(self.arena.mover >= 0)

    def state_at(self, row: int) -> State:
        """Return the state in a row of the arena, as a tuple that the game takes."""
        board, literals = self.game.board, self.arena.literals
        return tuple(map(int, whole_states(board, literals, self.arena.states[row : row + 1])[0]))

    def unlike(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one of ``rows`` for each class of symmetric states: here all, for each row of the
        arena stands for a class of its own."""
        return rows

    def points(self, rows: NDArray[np.int64]) -> NDArray[np.signedinteger[Any]]:
        """Return the states in ``rows`` as points (k, axes), to be compared by L1 distance."""
        return unpack(self.arena.states[rows], len(self.arena.literals)).astype(np.int8)

    def names(self, row: int, moves: Iterable[int]) -> Iterator[str]:
        """Yield the names of the arena's ``moves``, made in turn from ``row``, as the states really
        reached have them: a row stands for all symmetric states, in which a move has other
        names."""
        state = self.state_at(row)
        for move in moves:
            name = self._lookup.name(self.game.facts(state), move)
            yield name
            made = next(each for each in self.game.moves(state) if each.action == name)
            state = self.game.result(state, made)

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.arena)

    def obeying(self, knows: Strategy[Any]) -> Iterator[tuple[int, int]]:
        """Yield nothing; a subclass yields (move, row) where the strategy ``knows`` moves."""
        return iter(())


@dataclass(frozen=True)
class Pupil:
    """A learner who searches ``depth`` rounds ahead (0: plays at random) but obeys known rules."""

    depth: int
    knows: Strategy[Tier[Any]] = field(default=Strategy(()))

    def choices(self, of: SolvedGame) -> Mask:
        """Return a mask (m,) over the moves of the solved game ``of``: True for those that the
        learner draws from."""
        arena = of.arena
        found = choices(arena, self.depth)
        for move, row in of.obeying(self.knows):
            found[arena.moves_of(row)] = False
            found[move] = True
        return found


@dataclass(frozen=True)
class TasksWanted:
    """The request for positions of a solved game; ``moves`` None for any distance."""

    moves: int | None = 3
    you: Pupil = Pupil(2)
    opponent: int = 3
    level: Level | None = None
    count: int = 12
    unique_first_move: bool = False
    seed: int = 0
    depths: tuple[int, ...] = field(default=(1, 2, 3))

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError("no position is asked for", mend="--count 12")
        if not 0 <= self.you.depth <= 50 or not 0 <= self.opponent <= 50:
            raise InputError("players look 0 to 50 rounds ahead", mend="--you 1 --opponent 3")
        if self.moves is not None and self.moves < 1:
            raise InputError("a win takes a move", mend="--moves 3")


@dataclass(frozen=True)
class StartTask:
    """A chosen position in which the player to move wins: how soon, how likely, and solution.

    Best play takes ``moves`` own moves, ``distance`` in all. ``chance`` is that of the learner,
    ``chances`` those at look-ahead 1, 2, 3.  ``line`` is play at its best from here, ``tempting`` a
    move that the learner may make and that gives the win away, ``answer`` the best reply to it."""

    row: int
    state: State
    moves: int
    distance: int
    chance: float
    chances: tuple[float, ...]
    keys: tuple[str, ...]
    line: tuple[str, ...]
    tempting: str | None
    answer: str | None

    @property
    def level(self) -> Level:
        return level_of(self.chance)

    def value(self) -> dict[str, Any]:
        """Return as JSON, without the state: moves to the win, level, chances, first moves, best
        play, and the tempting move with the reply to it."""
        return {
            "moves": self.moves,
            "distance": self.distance,
            "level": self.level,
            "category": category(self.chances),
            "chance": round(self.chance, 9),
            "chances": [round(c, 9) for c in self.chances],
            "first_moves": self.keys,
            "line": self.line,
            "temptation": self.tempting and {"move": self.tempting, "reply": self.answer},
        }


def tasks(of: SolvedGame, wanted: TasksWanted) -> tuple[list[StartTask], dict[Level, int]]:
    """Return the positions that are ``wanted`` of the game ``of``, easiest first; and a count for
    each level. The counts are of all states that are won in ``wanted.moves`` moves; of those chosen
    no two are symmetric, and they lie far from each other."""
    arena, rows = of.arena, of.rows
    # Values are those of player 0: the player to move wins at 1 if it is player 0, else at -1.
    won = rows[arena.value[rows] == np.where(arena.mover[rows] == 0, 1, -1)]
    own = own_moves(arena)
    if wanted.moves is not None:
        won = won[own[won] == wanted.moves]
    mine, theirs = wanted.you.choices(of), choices(arena, wanted.opponent)
    players = [mine, *(choices(arena, depth) for depth in wanted.depths)]
    graded = np.array([_chances(arena, player, theirs, won) for player in players])
    levels = levels_of(graded[0])
    counts = {name: int(arena.orbit[won[levels == i]].sum()) for i, name in enumerate(LEVELS)}
    keep = np.ones(len(won), bool)
    if wanted.level is not None:
        keep &= levels == LEVELS.index(wanted.level)
    if wanted.unique_first_move:
        # How many moves of each state keep its value; with one alone the first move is unique.
        keys = np.bincount(arena.source[arena.optimal], minlength=len(arena.mover))
        keep &= keys[won] == 1
    kept = won[keep]
    # A learner who knows rules may do better in one of two symmetric positions.
    chosen = _far_apart(of, kept if wanted.you.knows else of.unlike(kept), wanted)
    place = {int(row): i for i, row in enumerate(won)}
    found = [_task(of, row, mine, int(own[row]), graded[:, place[row]]) for row in chosen]
    return sorted(found, key=lambda task: (-task.chance, task.distance, task.state)), counts


def own_moves(arena: Arena) -> NDArray[np.int32]:
    """Return how many moves the winner of each state makes under best play (n,); 0 in ends and in
    draws. Of the moves that are equally quick for the winner, or equally slow for the loser, the
    winner takes one with the fewest own moves after it, the loser one with the most."""
    own = np.zeros(len(arena.mover), np.int32)
    decided = np.flatnonzero((arena.value != 0) & (arena.mover >= 0))
    # By rising distance: a best move leads to a state one ply nearer to the end, which is known by
    # then. All states of one distance are done at once.
    order = decided[np.argsort(arena.distance[decided], kind="stable")]
    steps = np.flatnonzero(np.diff(arena.distance[order])) + 1
    for rows in np.split(order, steps) if len(order) else ():
        moves = arena.moves_from(rows)
        counts = np.diff(arena.first)[rows]
        ahead = own[arena.target[moves]]
        # Best for both: keeps the value, and the end comes no later (winner), no sooner (loser).
        is_best = arena.optimal[moves] & (
            arena.distance[arena.target[moves]] == np.repeat(arena.distance[rows] - 1, counts)
        )
        starts = np.cumsum(counts) - counts
        fewest = np.minimum.reduceat(np.where(is_best, ahead, _FAR), starts)
        most = np.maximum.reduceat(np.where(is_best, ahead, -1), starts)
        is_winner = arena.value[rows] == np.where(arena.mover[rows] == 0, 1, -1)
        own[rows] = np.where(is_winner, fewest + 1, most)
    return own


def _chances(
    arena: Arena, mine: Mask, theirs: Mask, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the chance (k,) that the player to move in each of ``rows`` wins, who draws from the
    moves of the mask ``mine``, against one who draws from ``theirs``."""
    found = np.zeros(len(rows))
    turn = arena.mover[rows]
    for player in np.unique(turn):
        of = turn == player
        found[of] = chances(arena, mine, theirs, int(player))[rows[of]]
    return found


def _far_apart(of: SolvedGame, rows: NDArray[np.int64], wanted: TasksWanted) -> list[int]:
    """Return as many of ``rows`` as are wanted: one at random, then always the one that is farthest
    from all that are chosen."""
    # At most so many candidates, drawn evenly, so that comparing all pairs stays cheap.
    order = np.random.default_rng(wanted.seed).permutation(rows)[:_MOST_COMPARED]
    points = of.points(order)

    def distances(place: int) -> NDArray[np.int64]:
        apart: NDArray[np.int64] = np.abs(points - points[place]).sum(axis=1)
        return apart

    return [int(order[at]) for at in farthest(wanted.count, len(order), distances)]


def farthest(
    count: int, number: int, distances: Callable[[int], NDArray[np.int64]]
) -> Iterator[int]:
    """Yield ``count`` of the numbers below ``number``: first 0, then always the farthest from all
    before. ``distances(i)`` returns the distances from i to all."""
    at, far = 0, np.full(number, np.iinfo(np.int64).max)
    for _ in range(min(count, number)):
        yield at
        # far[i]: how far i is from the nearest one chosen (greedy k-center, Gonzalez 1985).
        far = np.minimum(far, distances(at))
        at = int(far.argmax())


def _task(
    of: SolvedGame, row: int, mine: Mask, moves: int, graded: NDArray[np.float64]
) -> StartTask:
    """Return the task of the state in ``row``, whose winner needs ``moves`` own moves. ``mine``:
    the moves that the learner draws from; ``graded``: the chances of the learner, then of a player
    at each depth."""
    arena = of.arena
    # A move that the learner may draw and that gives the win away, with the best reply to it.
    tempting = next((m for m in arena.moves_of(row) if mine[m] and not arena.optimal[m]), None)
    lost: tuple[str | None, ...] = (None, None)
    if tempting is not None:
        after = int(arena.target[tempting])
        replies = _best(arena, after)[:1] if arena.mover[after] == 1 - arena.mover[row] else ()
        lost = (*of.names(row, (tempting, *replies)), None)
    chance, *chances_ = graded.tolist()
    return StartTask(
        row,
        of.state_at(row),
        moves,
        int(arena.distance[row]),
        chance,
        tuple(chances_),
        tuple(map(arena.action_name, _best(arena, row))),
        tuple(of.names(row, _line(arena, row))),
        *lost[:2],
    )


def _best(arena: Arena, row: int) -> Sequence[int]:
    """Return the moves of the state ``row`` that keep its value, the soonest to the end first."""
    kept = [m for m in arena.moves_of(row) if arena.optimal[m]]
    return sorted(kept, key=lambda m: int(arena.distance[arena.target[m]]))


def _line(arena: Arena, row: int) -> Iterator[int]:
    """Yield the moves of best play from ``row``, which one player wins: win soon, lose late."""
    while arena.mover[row] >= 0:
        is_won = arena.value[row] == 1 - 2 * arena.mover[row]
        best = _best(arena, row)
        by = arena.distance[arena.target[best[0 if is_won else -1]]]
        move = next(m for m in best if arena.distance[arena.target[m]] == by)
        yield move
        row = int(arena.target[move])

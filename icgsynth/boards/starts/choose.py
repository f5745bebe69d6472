"""Choose starting positions: of a level, no two symmetric, unlike each other, by a seed."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.starts.dense import boards, sets, space
from icgsynth.boards.starts.hardness import LEVELS, Level, categories, hardness, levels_of
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.boards.starts.puzzles import Puzzle, puzzle_of
from icgsynth.boards.starts.query import Query, path_to
from icgsynth.boards.starts.reward import Reward
from icgsynth.boards.starts.symbolic import SymbolicSets, symbolic_sets
from icgsynth.boards.starts.tasks import farthest
from icgsynth.budget import Progress, silent
from icgsynth.digits.arrays import Words
from icgsynth.errors import InputError
from icgsynth.process.compiled import announce

Chances: TypeAlias = NDArray[np.float32]
Keep: TypeAlias = Callable[[Chances], NDArray[np.bool_]]
"""A function: which rows of chances (n, depths) to keep (n,)."""

_CROWD = 40  # candidates for each wanted position
_SHARE = 64  # positions in the first share of a shuffled list; later ones are larger
_DRAWS = 5_000  # positions drawn from a diagram before giving up, as many as the paper drew


@dataclass(frozen=True)
class Wanted:
    """The request for positions of a line game: how soon X wins, how hard, how many.

    X wins with ``moves`` stones; ``level`` is what the position is to a depth-``you`` player
    against depth ``opponent``, None for any.  Only reachable positions are chosen."""

    moves: int = 3
    you: int = 2
    opponent: int = 3
    level: Level | None = None
    count: int = 12
    unique_first_move: bool = False
    seed: int = 0
    reward: Reward = field(default_factory=Reward)

    def __post_init__(self) -> None:
        if not 1 <= self.moves <= 32:
            raise InputError(f"no win in {self.moves} moves", mend="--moves 1 to 32")
        if not (1 <= self.you <= 8 and 1 <= self.opponent <= 8):
            raise InputError("players look 1 to 8 rounds ahead", mend="--you 2 --opponent 3")
        if self.count < 1:
            raise InputError("no position is asked for", mend="--count 12")

    @property
    def depths(self) -> tuple[int, ...]:
        """The look-ahead depths, in rounds, at which positions are graded: 1, 2, 3, .., ``you``."""
        return tuple(range(1, max(3, self.you) + 1))


@dataclass(frozen=True, eq=False)
class PositionSource(ABC):
    """A source of positions to choose from: a whole set, or random draws from a diagram."""

    wanted: Wanted
    query: Query

    @property
    def game(self) -> LineGame:
        """The line game whose positions are chosen."""
        return self.query.game

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of positions from which X wins with ``wanted.moves`` stones and no fewer."""

    @abstractmethod
    def counts(self, depth: int) -> Mapping[Level, int] | None:
        """Return how many positions have each level for a player who looks ``depth`` rounds ahead;
        None if not all were graded."""

    @abstractmethod
    def candidates(self, keep: Keep) -> Iterator[tuple[Position, tuple[float, ...]]]:
        """Yield positions, each with the chance of X at every depth, in an order drawn by the seed.
        ``keep`` says which rows of chances (n, depths) belong to positions that are wanted."""


@dataclass(frozen=True, eq=False)
class Graded(PositionSource):
    """All positions of W_(moves - 1), each with the chance of X at every depth of ``wanted``.

    ``states`` (n, 2), the stones of X and of O, and ``chances`` (n, depths) are complete."""

    states: Words
    chances: Chances

    @property
    def size(self) -> int:
        return len(self.states)

    def counts(self, depth: int) -> Mapping[Level, int]:
        levels = levels_of(self.chances[:, depth - 1])
        return {level: int((levels == i).sum()) for i, level in enumerate(LEVELS)}

    def candidates(self, keep: Keep) -> Iterator[tuple[Position, tuple[float, ...]]]:
        rows = np.flatnonzero(keep(self.chances))
        order = np.random.default_rng(self.wanted.seed).permutation(rows)
        # Rows rise in each share, as the decoder wants; shares grow, for the first often suffice.
        at, share = 0, _SHARE
        while at < len(order):
            for row in np.sort(order[at : at + share]).tolist():
                x, o = self.states[row].tolist()
                yield (x, o), tuple(self.chances[row].tolist())
            at += share
            share *= 4


def grade(game: LineGame, wanted: Wanted, progress: Progress = silent) -> Graded:
    """Return all positions from which X wins in ``wanted.moves`` moves, with chances by depth."""
    whole = space(game, progress)
    found = sets(whole, wanted.moves - 1, progress)
    ranks = found.members(wanted.moves - 1)
    query = Query(game, wanted.reward, progress)
    chances = np.zeros((len(ranks), len(wanted.depths)), np.float32)
    if len(ranks):
        looked = hardness(whole, {*wanted.depths, wanted.opponent}, wanted.reward, progress)
        progress("playing every position to its end")
        for i, depth in enumerate(wanted.depths):  # a table of all depths at once would be large
            chances[:, i] = looked.chances((depth,), wanted.opponent)[ranks, 0]
    announce([boards], progress)
    return Graded(wanted, query, whole.stones(ranks), chances)


@dataclass(frozen=True, eq=False)
class Drawn(PositionSource):
    """A source that draws positions evenly from a decision diagram and grades each one."""

    sets: SymbolicSets

    @property
    def size(self) -> int:
        return self.sets.counts[self.wanted.moves - 1]

    def counts(self, depth: int) -> None:
        return None

    def candidates(self, keep: Keep) -> Iterator[tuple[Position, tuple[float, ...]]]:
        wanted = self.wanted
        drawn = self.sets.sample(wanted.moves - 1, wanted.seed)
        for state in islice(drawn, min(_DRAWS, 4 * self.size)):
            chances = [self.query.chance(state, k, wanted.opponent) for k in wanted.depths]
            if keep(np.array([chances], np.float32))[0]:
                yield state, tuple(chances)


def draw(game: LineGame, wanted: Wanted, progress: Progress = silent) -> Drawn:
    """Return a source of ``wanted`` positions that draws from decision diagrams (large boards)."""
    found = symbolic_sets(game, wanted.moves - 1, progress)
    return Drawn(wanted, Query(game, wanted.reward, progress), found)


# --- choosing --------------------------------------------------------------------------------


def spread(game: LineGame, found: Sequence[Position], count: int) -> list[Position]:
    """Return ``count`` positions of ``found`` that differ from each other in many cells, whatever
    symmetries are applied to them."""
    images = np.array([game.images(other) for other in found], np.uint64)

    def distances(place: int) -> NDArray[np.int64]:
        # The least number of cells in which an image of a position differs from this one.
        x, o = np.moveaxis(images ^ images[place, 0], 2, 0)
        apart: NDArray[np.int64] = np.bitwise_count(x | o).min(axis=1).astype(np.int64)
        return apart

    return [found[i] for i in farthest(count, len(found), distances)]


def choose(source: PositionSource, progression: bool = False) -> list[Puzzle]:
    """Return as many puzzles as are wanted, from positions unlike each other, easy ones first. With
    ``progression`` they are shared out over the categories instead of having one level: category k
    is easy for a player who looks k rounds ahead and not for one who looks k - 1; the last one is
    easy for none of those looked at."""
    wanted = source.wanted
    if not progression:
        return _choose(source, _has_level(wanted), wanted.count)
    found: list[Puzzle] = []
    kinds = range(1, len(wanted.depths) + 2)
    puzzles = {kind: _choose(source, _has_category(kind), wanted.count) for kind in kinds}
    filled = [kind for kind in kinds if puzzles[kind]]
    for i, kind in enumerate(filled):
        # Positions that earlier categories lack are shared by later ones; -(-a // b) rounds up.
        left = len(filled) - i
        found += puzzles[kind][: -((len(found) - wanted.count) // left)]
    return found


def _has_level(wanted: Wanted) -> Keep:
    def keep(chances: Chances) -> NDArray[np.bool_]:
        if wanted.level is None:
            return np.ones(len(chances), bool)
        return np.equal(levels_of(chances[:, wanted.you - 1]), LEVELS.index(wanted.level))

    return keep


def _has_category(kind: int) -> Keep:
    return lambda chances: np.equal(categories(chances), kind)


def _choose(source: PositionSource, keep: Keep, count: int) -> list[Puzzle]:
    """Return up to ``count`` puzzles, easy ones first, on positions of ``source`` that differ in
    many cells. ``keep`` says which rows of chances (n, depths) are wanted."""
    game, wanted, query = source.game, source.wanted, source.query
    rng = random.Random(f"{wanted.seed} {game}")
    found: dict[Position, tuple[float, ...]] = {}
    for state, chances in source.candidates(keep):
        least = game.canonical(state)
        if least in found:
            continue
        if wanted.unique_first_move and len(query.winning(least, wanted.moves)) != 1:
            continue
        found[least] = chances
        if len(found) >= _CROWD * count:
            break
    puzzles = [
        puzzle_of(
            query,
            state,
            wanted.moves,
            wanted.you,
            wanted.opponent,
            found[state],
            path_to(game, state, rng),
        )
        for state in spread(game, list(found), count)
    ]
    return sorted(puzzles, key=lambda puzzle: (-puzzle.chance, puzzle.state))

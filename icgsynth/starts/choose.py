"""Choosing positions: a level, one of each symmetric family, unlike each other, by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from icgsynth.compiled import Progress, silent
from icgsynth.errors import InputError
from icgsynth.starts.dense import Rule, Sets, Space, sets, space
from icgsynth.starts.hardness import LEVELS, Level, Reward, category, hardness, level_of
from icgsynth.starts.lines import LineGame, Position
from icgsynth.starts.paths import path_to
from icgsynth.starts.puzzles import Puzzle, puzzle_of
from icgsynth.starts.query import Query

__all__ = ["Graded", "Wanted", "choose", "distance", "grade", "progression", "spread"]

_CROWD = 40  # candidates for each position that is asked for
_SHARE = 64  # candidates that are looked at before it is asked whether there are enough


@dataclass(frozen=True)
class Wanted:
    """What positions to choose.

    X wins with ``moves`` stones; ``level`` is what the position is to a depth-``you`` player
    against depth ``opponent``, None for any.
    """

    moves: int
    you: int
    opponent: int
    level: Level | None = None
    count: int = 12
    unique_first_move: bool = False
    seed: int = 0
    reward: Reward = field(default_factory=Reward)
    rule: Rule = "exact"

    def __post_init__(self) -> None:
        if not 1 <= self.moves <= 32:
            raise InputError(f"no win in {self.moves} moves", mend="--moves 1 to 32")
        if not (1 <= self.you <= 8 and 1 <= self.opponent <= 8):
            raise InputError("players look 1 to 8 rounds ahead", mend="--you 2 --opponent 3")


@dataclass(frozen=True, eq=False)
class Graded:
    """The positions of W_(moves - 1), and the chances of X at each depth up to 3, or ``you``.

    ``ranks`` (n,), ``chances`` (n, depths); all of them, not a sample.
    """

    space: Space
    sets: Sets
    wanted: Wanted
    ranks: NDArray[np.int64]
    chances: NDArray[np.float32]

    @property
    def game(self) -> LineGame:
        return self.space.game

    def counts(self, depth: int) -> dict[Level, int]:
        """How many are easy, medium and hard at a depth."""
        found = self.chances[:, depth - 1]
        easy = int((found >= 2 / 3 - 1e-5).sum())
        hard = int((found <= 1 / 3 + 1e-5).sum())
        return dict(zip(LEVELS, (easy, len(found) - easy - hard, hard), strict=True))


def grade(game: LineGame, wanted: Wanted, progress: Progress = silent) -> Graded:
    """Every position from which X wins in the moves wanted, with its chances."""
    whole = space(game, "reachable", progress)
    found = sets(whole, wanted.rule, wanted.moves - 1, progress)
    ranks = found.members(wanted.moves - 1)
    depths = tuple(range(1, max(3, wanted.you) + 1))
    if not len(ranks):
        return Graded(whole, found, wanted, ranks, np.zeros((0, len(depths)), np.float32))
    looked = hardness(whole, {*depths, wanted.opponent}, wanted.reward, progress)
    progress("playing every position to its end")
    chances = np.empty((len(ranks), len(depths)), np.float32)
    # One depth at a time where a table of all of them would be large.
    together = depths if whole.size < 5_000_000 else ()
    if together:
        chances[:] = looked.chances(depths, wanted.opponent)[ranks]
    else:
        for i, depth in enumerate(depths):
            chances[:, i] = looked.chances((depth,), wanted.opponent)[ranks, 0]
    return Graded(whole, found, wanted, ranks, chances)


def distance(game: LineGame, one: Position, other: Position) -> int:
    """In how many cells two boards differ, at the best fit of their symmetries."""
    return min(
        ((one[0] ^ x) | (one[1] ^ o)).bit_count() for x, o in game.images(other)
    )


def spread(game: LineGame, found: Sequence[Position], count: int) -> list[Position]:
    """``count`` of ``found`` that differ much: the first, then always the one farthest off."""
    if not found:
        return []
    chosen = [found[0]]
    far = [distance(game, found[0], other) for other in found]
    while len(chosen) < min(count, len(found)):
        best = max(range(len(found)), key=lambda i: far[i])
        chosen.append(found[best])
        far = [
            min(d, distance(game, found[best], other)) if d else 0
            for d, other in zip(far, found, strict=True)
        ]
    return chosen


def choose(graded: Graded, query: Query | None = None) -> list[Puzzle]:
    """Positions of the level that is wanted, the hardest to win last."""
    wanted = graded.wanted
    levels = _levels(graded.chances[:, wanted.you - 1])
    fits = np.ones(len(graded.ranks), bool)
    if wanted.level is not None:
        fits = levels == LEVELS.index(wanted.level)
    return _chosen(graded, fits, wanted.count, query or Query(graded.game, wanted.reward))


def progression(graded: Graded, query: Query | None = None) -> list[Puzzle]:
    """From easy to hard: as many positions of each category as ``count`` holds.

    Category k is easy for a depth-k player and not for one of depth k - 1; the last one is easy
    for none of those looked at.
    """
    wanted = graded.wanted
    asked = query or Query(graded.game, wanted.reward)
    easy = graded.chances >= 2 / 3 - 1e-5
    depths = graded.chances.shape[1]
    first = np.where(easy.any(axis=1), easy.argmax(axis=1) + 1, depths + 1)
    kinds = [k for k in range(1, depths + 2) if (first == k).any()]
    puzzles: list[Puzzle] = []
    for i, kind in enumerate(kinds):
        share = (wanted.count - len(puzzles)) // (len(kinds) - i)
        puzzles += _chosen(graded, first == kind, share, asked)
    return puzzles


def _levels(chances: NDArray[np.float32]) -> NDArray[np.int8]:
    """The index in ``LEVELS`` of every chance."""
    found = np.ones(len(chances), np.int8)
    found[chances >= 2 / 3 - 1e-5] = 0
    found[chances <= 1 / 3 + 1e-5] = 2
    return found


def _chosen(
    graded: Graded, fits: NDArray[np.bool_], count: int, query: Query
) -> list[Puzzle]:
    """``count`` of the positions where ``fits``, each with its solution."""
    game, wanted = graded.game, graded.wanted
    rng = random.Random(f"{wanted.seed} {game}")
    found: dict[Position, int] = {}
    for row, state in _shuffled(graded, np.flatnonzero(fits), wanted.seed):
        if len(found) >= _CROWD * count:
            break
        least = game.canonical(state)
        if least in found:
            continue
        if wanted.unique_first_move and len(query.winning(least, wanted.moves)) != 1:
            continue
        found[least] = row
    puzzles = []
    for state in spread(game, list(found), count):
        chances = graded.chances[found[state]]
        path = path_to(game, state, rng, lambda at: graded.space.rank(at) >= 0)
        puzzles.append(
            puzzle_of(
                query, state, wanted.moves, wanted.you, wanted.opponent,
                chances.tolist(), path, category(chances.tolist()),
            )  # fmt: skip
        )
    puzzles.sort(key=lambda puzzle: (-puzzle.chance, puzzle.state))
    return puzzles


def _shuffled(
    graded: Graded, rows: NDArray[np.int64], seed: int
) -> Iterator[tuple[int, Position]]:
    """Rows of ``graded`` in an order that depends on the seed alone, with their positions."""
    order = np.random.default_rng(seed).permutation(rows)
    share = _SHARE
    at = 0
    while at < len(order):
        part = np.sort(order[at : at + share])
        states = graded.space.states(graded.ranks[part])
        yield from zip(part.tolist(), states, strict=True)
        at += share
        share *= 4  # decoding sweeps all words, so few sweeps


__all__ += ["level_of"]

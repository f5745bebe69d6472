"""How hard a position is to win: exact chances of players who look a few rounds ahead.

A depth-k player (section 2.2) looks k rounds, that is 2k plies, ahead, judges the boards there by a
reward, and draws evenly among the moves that min-max values most.  The paper let two of them play
30 times; here the chance of X is computed exactly, for every board of a game at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.starts.dense import Space
from icgsynth.boards.starts.lines import LineGame
from icgsynth.boards.starts.reward import PAPER, Reward
from icgsynth.budget import Progress, silent
from icgsynth.errors import InputError
from icgsynth.process.compiled import announce

Level: TypeAlias = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
PLAYS = 30
"""The number of games that the paper let two players play from a position."""

EPSILON = 1e-5
"""The rounding of chances, of 32 bits: so near to 1/3 or 2/3 they count as equal."""


def level_of(chance: float) -> Level:
    """Return the level of a ``chance`` to win: easy from 2/3 on, hard up to 1/3 (definition 1)."""
    return LEVELS[int(levels_of(np.array(chance)))]


def levels_of(chances: NDArray[np.floating[Any]]) -> NDArray[np.int8]:
    """Return the level of each of ``chances``, as an index into :data:`LEVELS`."""
    found = np.ones(chances.shape, np.int8)
    found[chances >= 2 / 3 - EPSILON] = 0
    found[chances <= 1 / 3 + EPSILON] = 2
    return found


def percent(chance: float, form: str = ".0f") -> str:
    """Format ``chance`` (0 to 1) in percent by ``form``; 0 and 100 only where they are exact."""
    text = format(100 * chance, form)
    if text in ("0", "100") and chance not in (0, 1):
        return "below 1" if text == "0" else "above 99"
    return text


def expected_classes(chance: float, plays: int = PLAYS) -> tuple[float, float, float]:
    """Return the probabilities that ``plays`` plays look easy (2/3 or more won), medium, hard (1/3
    or fewer), where each is won with ``chance``."""
    # The number of wins in independent plays is binomial; easy: at least 2/3, hard: at most 1/3.
    odds = [comb(plays, n) * chance**n * (1 - chance) ** (plays - n) for n in range(plays + 1)]
    easy = sum(p for n, p in enumerate(odds) if 3 * n >= 2 * plays)
    hard = sum(p for n, p in enumerate(odds) if 3 * n <= plays)
    return easy, max(0.0, 1.0 - easy - hard), hard


def expected_class(chance: float) -> dict[str, float]:
    """Return as JSON the chances that 30 plays, each won with ``chance``, look easy, medium,
    hard."""
    parts = zip(LEVELS, expected_classes(chance), strict=True)
    return {level: round(part, 6) for level, part in parts}


def category(chances: Sequence[float]) -> int:
    """Return the first depth 1, 2, .. at which a position is easy, from the ``chances`` of X by
    depth. Category i is easy at depth i and not at depth i - 1; who is easy at none of the depths
    is put into the next one, as the paper does for category 4."""
    return int(categories(np.array([chances]))[0])


def categories(chances: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return the category (see :func:`category`) of each position, from ``chances`` (n, depths)."""
    easy = levels_of(chances) == LEVELS.index("easy")
    found = np.where(easy.any(axis=1), easy.argmax(axis=1), chances.shape[1])
    return np.asarray(found + 1, np.int64)


@dataclass(frozen=True, eq=False)
class Hardness:
    """The moves that players of several look-ahead depths draw from, on every board.

    ``best[k]`` (ranks,): the moves of a depth-k player as bits, in the order of
    :mod:`~icgsynth.boards.starts.play_kernels`."""

    space: Space
    reward: Reward
    best: Mapping[int, NDArray[np.unsignedinteger]]

    def chances(self, yours: Sequence[int], theirs: int) -> NDArray[np.float32]:
        """Return the chance of X (boards, len(yours)) who looks ``yours`` rounds ahead, against O,
        who looks ``theirs``. It is given for every board whoever moves; draws are not won."""
        from icgsynth.boards.starts.play_kernels import chances

        won = np.zeros((self.space.size, len(yours)), np.float32)
        stacked = np.stack([self.best[k] for k in yours])
        chances(self.space.tables, self.space.ranked, stacked, self.best[theirs], won)
        return won


def hardness(
    of: Space, depths: Iterable[int], reward: Reward = PAPER, progress: Progress = silent
) -> Hardness:
    """Return, for all boards of the space ``of``, the moves of players who look ``depths`` rounds
    ahead and judge boards there by ``reward``. InputError for a depth below 1."""
    from icgsynth.boards.starts.play_kernels import KERNELS, look, rewards

    wanted = set(depths)
    if min(wanted, default=1) < 1:
        raise InputError("a player looks at least one round ahead", mend="depths from 1")
    announce(KERNELS, progress)
    game = of.game
    inner = (1 << of.layout.inner_rows) - 1
    # Windows without inner cells first: they are scored once a word.
    apart = sorted(game.windows, key=lambda window: window & inner != 0)
    outer = sum(window & inner == 0 for window in apart)
    before = np.zeros(of.size, np.int8)
    progress("judging every board")
    windows = np.array(apart, np.uint64)
    rewards(of.tables, of.boards, windows, outer, reward.table(game), before)
    after = np.zeros(of.size, np.int8)
    none: NDArray[np.unsignedinteger] = np.zeros(0, _bits(game))
    best: dict[int, NDArray[np.unsignedinteger]] = {}
    # After ply p `after` holds the values of a look p plies ahead, from those of p - 1; k rounds
    # are 2 k plies, and there the best moves are kept.
    for ply in range(1, 2 * max(wanted, default=0) + 1):
        progress(f"looking {ply} plies ahead from every board")
        kept = none
        if ply % 2 == 0 and ply // 2 in wanted:
            kept = best[ply // 2] = np.zeros(of.size, none.dtype)
        look(of.tables, of.ranked, before, reward.haste, after, kept)
        before, after = after, before
    return Hardness(of, reward, best)


def _bits(game: LineGame) -> type[np.unsignedinteger]:
    most = game.columns * game.lowest
    return next(t for t, n in ((np.uint8, 8), (np.uint16, 16), (np.uint64, 64)) if most <= n)

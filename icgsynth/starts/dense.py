"""The sets of section 3, explicitly: every board of a game as one bit of an array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import Progress, announce, silent
from icgsynth.logic.bits import Words
from icgsynth.starts.board_index import BoardIndex
from icgsynth.starts.lines import LineGame, Position
from icgsynth.starts.tables import BoardTables, Ranked

__all__ = ["Domain", "Rule", "Sets", "Space", "paper_domain", "predicted_bytes", "sets", "space"]

Domain: TypeAlias = Literal["reachable", "balanced"]
Rule: TypeAlias = Literal["exact", "paper"]


def predicted_bytes(game: LineGame, most: int = 4) -> int:
    """What :func:`space` and :func:`sets` will hold at once, without building anything.

    One word for the boards themselves, ``most + 1`` for the sets, half a word for the ranks.
    """
    return BoardIndex(game).words * (8 * (most + 2) + 4)


def paper_domain(game: LineGame) -> Domain:
    """The boards among which the paper's |W_j| of this kind of game were counted.

    Decoded from the printed figures: for Connect (full gravity) all boards without a line on
    which the players have taken turns, reached or not; otherwise the reachable ones.
    """
    return "balanced" if game.lowest == 1 else "reachable"


@dataclass(frozen=True, eq=False)
class Space:
    """The boards of ``domain`` on which play goes on, one bit each, in the order of ``layout``.

    A board's *rank* is its place in that order.  ``reachable``, ``won`` count all boards that
    play reaches, ends included, and those with a line of X and of O (|V|, |T1|, |T2|).
    """

    layout: BoardIndex
    domain: Domain
    boards: Words
    first: NDArray[np.uint32]
    size: int
    reachable: int
    won: tuple[int, int]
    target: Words
    """T1 where it cannot be read off ``boards``, else of length 0."""

    @property
    def game(self) -> LineGame:
        return self.layout.game

    @property
    def tables(self) -> BoardTables:
        """The layout as the compiled kernels take it."""
        return self.layout.tables

    @property
    def ranked(self) -> Ranked:
        """The boards with their ranks, as the compiled kernels take them."""
        return Ranked(self.boards, self.first)

    def __len__(self) -> int:
        return self.size

    def rank(self, state: Position) -> int:
        """The rank of a board; -1 where play has ended or does not come."""
        if not self.game.is_legal(state):
            return -1
        word, bit = self.layout.locate(state)
        held = int(self.boards[word])
        if not held >> bit & 1:
            return -1
        return int(self.first[word]) + (held & ((1 << bit) - 1)).bit_count()

    def stones(self, wanted: NDArray[np.int64]) -> Words:
        """(n, 2): the stones of X and of O on the boards of these ranks, which rise."""
        from icgsynth.starts.board_sweeps import boards

        out = np.zeros((len(wanted), 2), np.uint64)
        boards(self.tables, self.ranked, wanted, out)
        return out

    def states(self, wanted: Iterable[int]) -> list[Position]:
        """The boards of these ranks, in rising order of rank."""
        found = self.stones(np.unique(np.fromiter(wanted, np.int64)))
        return [(int(x), int(o)) for x, o in found]


def space(game: LineGame, domain: Domain = "reachable", progress: Progress = silent) -> Space:
    """Enumerate the boards of ``game``."""
    from icgsynth.starts.board_sweeps import KERNELS, balanced, forward, ranks

    announce([k for k in KERNELS if k is not balanced or domain == "balanced"], progress)
    progress(f"enumerating the boards of {game}")
    lay = BoardIndex(game)
    found = np.zeros(lay.words, np.uint64)
    totals = np.zeros(3, np.int64)
    start = np.uint64(1 << lay.inner[0, 0])
    target = np.zeros(lay.words if domain == "balanced" else 0, np.uint64)
    forward(lay.tables, found, start, target, totals)
    if domain == "balanced":
        balanced(lay.tables, found)
    first = np.zeros(lay.words, np.uint32)
    size = int(ranks(found, first))
    won = int(totals[1]), int(totals[2])
    return Space(lay, domain, found, first, size, int(totals[0]), won, target)


@dataclass(frozen=True, eq=False)
class Sets:
    """W_0, W_1, ... of X by one rule, as a number for every board.

    ``distance`` (ranks,) int8: j on the boards of W_j, -1 on the others; ``counts`` |W_j|.

    * ``exact``: W_j is where X, to move, forces a win with j + 1 stones of its own, and no
      sooner, whatever O does.
    * ``paper``: the sets whose sizes the paper prints.  X_0 = EPre(T1), B_j = APre(X_j) less
      the earlier B, X_j+1 = EPre(B_j), W_j = X_j less the earlier X: every reply of O must lead
      into the same X_j, so that positions with a quick and a slow defence are left out.  The
      empty board is not counted.
    """

    space: Space
    rule: Rule
    distance: NDArray[np.int8]
    counts: tuple[int, ...]

    def members(self, j: int) -> NDArray[np.int64]:
        """The ranks of W_j, rising."""
        return np.flatnonzero(self.distance == j)


def sets(of: Space, rule: Rule = "exact", most: int = 4, progress: Progress = silent) -> Sets:
    """W_0 to W_most of X."""
    from icgsynth.starts.board_sweeps import backward, distances

    progress(f"walking back from the won boards of {of.game}")
    reach = np.zeros((of.layout.words, most + 1), np.uint64)
    ends = of.target.reshape(-1, 1)
    backward(of.tables, of.boards.reshape(-1, 1), ends, rule == "exact", reach)
    found = np.full(of.size, -1, np.int8)
    sizes = np.zeros(most + 1, np.int64)
    distances(of.tables, of.boards, reach, 0, found, sizes)
    empty = of.rank(of.game.initial)
    if rule == "paper" and found[empty] >= 0:
        sizes[found[empty]] -= 1
        found[empty] = -1
    return Sets(of, rule, found, tuple(int(n) for n in sizes))

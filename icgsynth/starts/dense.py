"""The sets of section 3, explicitly: every board of a game as one bit of an array.

Sweeps over words of boards are machine code.  A *set* is (words,) of uint64, one bit a board; see
:mod:`icgsynth.starts.decode`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Progress, silent
from icgsynth.finite.compiled import announce, compiled
from icgsynth.logic.bits import Words
from icgsynth.starts.board_index import BoardIndex
from icgsynth.starts.decode import (
    ALL,
    NONE,
    ONE,
    BoardTables,
    Ints,
    Ranked,
    column_lines,
    decoded,
    into,
    popcount,
    trailing,
)
from icgsynth.starts.lines import LineGame, Position

# --- board sweeps --------------------------------------------------------------------------------

U = np.uint64


@compiled
def forward(tables: BoardTables, sets: Words, start: U, won: Words, totals: Ints) -> None:
    """All boards that play reaches from the one of bit ``start`` of word 0; ``sets`` begins empty.

    Leaves in ``sets`` those where play goes on, in ``won`` (where not of length 0) those that X
    has won, in ``totals`` how many there are of all, won by X, won by O.
    """
    digits = len(tables.radix)
    masks = tables.masks
    code = np.zeros(max(digits, 1), np.int64)
    sets[0] = start
    for w in range(len(sets)):
        r = sets[w]
        if r == NONE:
            continue
        x, o = decoded(tables, w, code)
        won_x = column_lines(tables, x, 0, code[0])
        won_o = column_lines(tables, o, 1, code[0])
        goes_on = ~(won_x | won_o)
        odd = popcount(x | o) & 1
        turn_x = tables.parity[odd]
        turn_o = tables.parity[1 - odd]
        before = NONE
        while before != r:
            before = r
            for k in range(len(masks)):
                r |= (r & goes_on & turn_x & masks[k]) << tables.shifts[0, k]
                r |= (r & goes_on & turn_o & masks[k]) << tables.shifts[1, k]
        live = r & goes_on
        for d in range(digits):
            for m in range(tables.counts[d, code[d]]):
                allowed = live & tables.legal[d, code[d], m]
                if allowed & turn_x:
                    sets[w + tables.steps[0, d, code[d], m]] |= allowed & turn_x
                if allowed & turn_o:
                    sets[w + tables.steps[1, d, code[d], m]] |= allowed & turn_o
        totals[0] += popcount(r)
        totals[1] += popcount(r & won_x)
        totals[2] += popcount(r & won_o)
        if len(won):
            won[w] = r & won_x
        sets[w] = live


@compiled
def balanced(tables: BoardTables, sets: Words) -> None:
    """All boards without a line on which the players have taken turns, reached or not."""
    inner_rows = tables.sizes[0]
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    for w in range(len(sets)):
        x, o = decoded(tables, w, code)
        lead = popcount(x) - popcount(o)
        r = NONE
        for total in range(2):
            if -inner_rows <= total - lead <= inner_rows:
                r |= tables.balance[total - lead + inner_rows]
        if r:
            won_x = column_lines(tables, x, 0, code[0])
            won_o = column_lines(tables, o, 1, code[0])
            sets[w] = r & ~(won_x | won_o)


@compiled
def backward(tables: BoardTables, sets: Words, target: Words, nested: bool, reach: Words) -> None:
    """How soon X can force a win, one sweep from the last word to the first.

    ``sets`` is (words, 1).  ``reach`` (words, most + 1) begins empty.  With ``nested``, bit b of
    ``reach[w, j]`` says that X can win with at most j + 1 stones of its own.  Without it, the
    sets are the paper's: X_0 = EPre(T1), B_j = APre(X_j) less the earlier B, X_j+1 = EPre(B_j).
    T1 is ``target`` (words, 1) where it has words; otherwise whatever a move of X leads to that
    is not in ``sets``.
    """
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    ends = target if len(target) else sets
    flip = NONE if len(target) else ALL
    for w in range(len(sets) - 1, -1, -1):
        live = sets[w, 0]
        if live == NONE:
            continue
        x, o = decoded(tables, w, code)
        odd = popcount(x | o) & 1
        on_x = live & tables.parity[odd]
        moves = into(tables, code, w, 1, sets, 0, NONE) | into(tables, code, w, 1, sets, 0, ALL)
        can_o = live & tables.parity[1 - odd] & moves
        wins = into(tables, code, w, 0, ends, 0, flip) & on_x
        earlier = NONE
        for j in range(reach.shape[1]):
            if j:
                wins = into(tables, code, w, 0, reach, j - 1, NONE) & on_x
                if nested:
                    wins |= reach[w, j - 1] & on_x
            reach[w, j] = wins
            lost = can_o & ~into(tables, code, w, 1, reach, j, ALL)  # APre
            if not nested:
                lost &= ~earlier
                earlier |= lost
            reach[w, j] = wins | lost


@compiled
def ranks(sets: Words, first: Ints) -> int:
    """``first[w]``: how many boards lie in earlier words; their number in all."""
    total = 0
    for w in range(len(sets)):
        first[w] = total
        if sets[w]:
            total += popcount(sets[w])
    return total


@compiled
def distances(
    tables: BoardTables, sets: Words, reach: Words, seat: int, found: Ints, counts: Ints
) -> None:
    """``found[rank]``: the least j of a board on which ``seat`` moves, -1 for none; counted."""
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == NONE:
            continue
        x, o = decoded(tables, w, code)
        turn = tables.parity[(popcount(x | o) & 1) ^ seat]
        while live:
            bit = live & (~live + ONE)
            live ^= bit
            if bit & turn:
                for j in range(reach.shape[1]):
                    if reach[w, j] & bit:
                        found[rank] = j
                        counts[j] += 1
                        break
            rank += 1


@compiled
def boards(tables: BoardTables, ranked: Ranked, wanted: Ints, out: Words) -> None:
    """``out[i]``: the stones of X and of O of the board whose rank is ``wanted[i]`` (rising)."""
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    w = 0
    for i in range(len(wanted)):
        while w + 1 < len(ranked.sets) and ranked.first[w + 1] <= wanted[i]:
            w += 1
        live = ranked.sets[w]
        for _ in range(wanted[i] - ranked.first[w]):
            live &= live - ONE
        low = trailing(live)
        x, o = decoded(tables, w, code)
        out[i, 0] = x | tables.inner[0, low]
        out[i, 1] = o | tables.inner[1, low]


# --- dense ---------------------------------------------------------------------------------------

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

        out = np.zeros((len(wanted), 2), np.uint64)
        boards(self.tables, self.ranked, wanted, out)
        return out

    def states(self, wanted: Iterable[int]) -> list[Position]:
        """The boards of these ranks, in rising order of rank."""
        found = self.stones(np.unique(np.fromiter(wanted, np.int64)))
        return [(int(x), int(o)) for x, o in found]


def space(game: LineGame, domain: Domain = "reachable", progress: Progress = silent) -> Space:
    """Enumerate the boards of ``game``."""
    announce((forward, ranks, *([balanced] if domain == "balanced" else [])), progress)
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
    announce((backward, distances), progress)
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

"""The boards of a line game as bit sets: all reachable ones, and those from which X wins.

Sweeps over words of boards are machine code.  A *set* is (words,) of uint64, one bit a board; see
:mod:`icgsynth.boards.starts.decode`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_kernels import ALL, NONE, ONE, U, lowest, popcount
from icgsynth.boards.starts.board_index import BoardIndex
from icgsynth.boards.starts.decode import BoardTables, Ints, Ranked, column_lines, decode_word, into
from icgsynth.boards.starts.lines import LineGame, Seat
from icgsynth.boards.starts.walk_back import walk_back
from icgsynth.budget import Progress, silent
from icgsynth.digits.arrays import Words
from icgsynth.process.compiled import announce, compiled

# --- board sweeps --------------------------------------------------------------------------------


@compiled
def forward(tables: BoardTables, sets: Words, start: U, totals: Ints) -> None:
    """Find the boards on which play goes on, of all that play reaches from the board of bit
    ``start``, a mask, in word 0. They become the bit set ``sets``; ``totals`` gets how many are
    reached, won by X, won by O."""
    masks = tables.masks
    code = np.zeros(len(tables.radix) + 1, np.int64)
    sets[0] = start
    for w in range(len(sets)):
        r = sets[w]
        if r == NONE:
            continue
        x, o = decode_word(tables, w, code)
        # Sets of inner codes again: on which boards of this word X, or O, has a line. Digits
        # outside the word are the same for all, so their stones x and o are decoded once.
        won_x = column_lines(tables, x, 0, code[0])
        won_o = column_lines(tables, o, 1, code[0])
        goes_on = ~(won_x | won_o)
        # Whose turn it is follows from the number of stones: those outside the word are counted
        # here, and parity[] has the inner codes with an even and an odd number.
        odd = popcount(x | o) & 1
        turn_x = tables.parity[odd]
        turn_o = tables.parity[1 - odd]
        # Moves within the word lead to other boards of it: repeated until none is new.
        before = NONE
        while before != r:
            before = r
            for k in range(len(masks)):
                r |= (r & goes_on & turn_x & masks[k]) << tables.shifts[0, k]
                r |= (r & goes_on & turn_o & masks[k]) << tables.shifts[1, k]
        live = r & goes_on
        # Moves on another digit: its code says how many there are, which inner codes allow each,
        # and by how much the word grows.
        for d in range(len(tables.counts)):
            for m in range(tables.counts[d, code[d]]):
                allowed = live & tables.legal[d, code[d], m]
                if allowed & turn_x:
                    sets[w + tables.steps[0, d, code[d], m]] |= allowed & turn_x
                if allowed & turn_o:
                    sets[w + tables.steps[1, d, code[d], m]] |= allowed & turn_o
        totals[0] += popcount(r)
        totals[1] += popcount(r & won_x)
        totals[2] += popcount(r & won_o)
        # Moves lead to greater words alone, so a word is complete when its turn comes.
        sets[w] = live


@compiled
def before(tables: BoardTables, seat: int, after: Words, flip: U, among: Words, out: Words) -> None:
    """Write to ``out``, which is empty, the boards in ``among`` on which ``seat`` (0: X, 1: O) is
    to move and can move into ``after`` (its complement if ``flip`` is all ones): bit sets."""
    code = np.zeros(len(tables.radix) + 1, np.int64)
    for w in range(len(among)):
        if among[w] == NONE:
            continue
        x, o = decode_word(tables, w, code)
        # X moves where the number of all stones is even, O where it is odd.
        turn = among[w] & tables.parity[(popcount(x | o) & 1) ^ seat]
        if turn:
            out[w] = turn & into(tables, code, w, seat, after, flip)


@compiled
def members(ranked: Ranked, some: Words, out: Ints) -> None:
    """Write the ranks of the boards in the bit set ``some``, which are their numbers among all
    boards of ``ranked`` in order, to ``out``, rising."""
    sets, first = ranked
    found = 0
    for w in range(len(some)):
        left = some[w]
        while left:
            # The lowest bit that is set. Its rank: boards in earlier words, and lower bits of this.
            bit = left & (~left + ONE)
            left ^= bit
            out[found] = np.int64(first[w]) + popcount(sets[w] & (bit - ONE))
            found += 1


@compiled
def boards(tables: BoardTables, ranked: Ranked, wanted: Ints, out: Words) -> None:
    """Write the stones of X and of O (n, 2), as bits, on the n boards whose ranks, their numbers in
    the order of ``ranked``, are ``wanted``, to ``out``; ``wanted`` rises."""
    code = np.zeros(len(tables.radix) + 1, np.int64)
    w = 0
    for i in range(len(wanted)):
        while w + 1 < len(ranked.sets) and ranked.first[w + 1] <= wanted[i]:
            w += 1
        live = ranked.sets[w]
        for _ in range(wanted[i] - ranked.first[w]):
            # The lowest board is removed each time, until the wanted board is the lowest.
            live &= live - ONE
        low = lowest(live)
        x, o = decode_word(tables, w, code)
        out[i, 0] = x | tables.inner[0, low]
        out[i, 1] = o | tables.inner[1, low]


# --- dense ---------------------------------------------------------------------------------------


def predicted_bytes(game: LineGame) -> int:
    """Return the memory in bytes that the bit sets of ``game`` will take; nothing is built. One
    word for the boards themselves, five for sets on the way back, half a word for the ranks."""
    return BoardIndex(game).words * (8 * 6 + 4)


@dataclass(frozen=True, eq=False)
class Space:
    """The reachable boards of a line game on which play goes on, as a bit set with ranks.

    A board's *rank* is its place in that order, in which a move leads further on. ``reachable`` and
    ``won`` count all boards that play reaches, and those with a line of X, O (|V|, |T1|, |T2|)."""

    layout: BoardIndex
    boards: Words
    first: NDArray[np.uint32]
    size: int
    reachable: int
    won: tuple[int, int]

    @property
    def game(self) -> LineGame:
        return self.layout.game

    @property
    def tables(self) -> BoardTables:
        """The tables of the boards' index, as the compiled kernels take them."""
        return self.layout.tables

    @property
    def ranked(self) -> Ranked:
        """The bit set of boards with their ranks, as the compiled kernels take it."""
        return Ranked(self.boards, self.first)

    def stones(self, wanted: NDArray[np.int64]) -> Words:
        """Return the stones of X and of O (n, 2) on the boards of the ranks ``wanted``, rising."""
        out = np.zeros((len(wanted), 2), np.uint64)
        boards(self.tables, self.ranked, wanted, out)
        return out


def space(game: LineGame, progress: Progress = silent) -> Space:
    """Return all boards of ``game`` that play reaches from the empty board."""
    announce([forward], progress)
    progress(f"enumerating the boards of {game}")
    lay = BoardIndex(game)
    found = np.zeros(lay.words, np.uint64)
    totals = np.zeros(3, np.int64)
    start = np.uint64(1 << lay.inner[0, 0])
    forward(lay.tables, found, start, totals)
    reachable, *won = totals.tolist()
    return Space(lay, found, *number_boards(found), reachable, (won[0], won[1]))


def number_boards(boards: Words) -> tuple[NDArray[np.uint32], int]:
    """Return how many boards of a bit set lie before each word (words,), and how many in all."""
    first = np.zeros(len(boards), np.uint32)
    np.cumsum(np.bitwise_count(boards[:-1]), dtype=np.uint32, out=first[1:])
    return first, int(first[-1]) + int(np.bitwise_count(boards[-1]))


@dataclass(frozen=True, eq=False)
class Sets:
    """The sets W_0, W_1, .. of boards from which X wins, as ranks; j + 1 stones win in W_j."""

    space: Space
    ranks: tuple[NDArray[np.uint32], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of boards in each set W_0, W_1, ..: those on which X wins with 1, 2, .. own
        stones."""
        return tuple(map(len, self.ranks))

    def members(self, j: int) -> NDArray[np.int64]:
        """Return the ranks, rising, of the boards in W_j, on which X wins with j + 1 own stones."""
        return self.ranks[j].astype(np.int64)


def epre(of: Space, seat: Seat, after: Words, among: Words, flip: U = NONE) -> Words:
    """Return the boards in ``among`` on which ``seat`` is to move and can move into ``after`` (bit
    sets). With ``flip`` of all ones, into the complement of ``after``."""
    out = np.zeros(len(after), np.uint64)  # not zeros_like, which writes to every page
    before(of.tables, seat, after, flip, among, out)
    return out


def movable(of: Space) -> Words:
    """Return the bit set of boards where O is to move, has a move, and cannot make a line."""
    # First the boards with a move after which play goes on; then those are taken away that have a
    # move after which it does not: by that move O makes a line.
    moving = epre(of, 1, of.boards, of.boards)
    moving ^= epre(of, 1, of.boards, moving, ALL)
    return moving


def ranks_of(of: Space, some: Words) -> NDArray[np.uint32]:
    """Return the ranks, rising, in the space ``of`` of the boards in the bit set ``some``."""
    found = np.zeros(int(np.bitwise_count(some).sum()), np.uint32)
    members(of.ranked, some, found)
    return found


def sets(of: Space, most: int = 4, progress: Progress = silent) -> Sets:
    """Return the sets W_0 to W_``most`` of boards in the space ``of``: in W_j X, to move, forces a
    win with j + 1 own stones and no fewer."""
    announce((before, members), progress)
    # Nothing is named that is large and no longer needed while the next set is formed.  Where play
    # does not go on after a move, who made it has a line.
    found = walk_back(
        partial(epre, of),
        of.boards,
        epre(of, 0, of.boards, of.boards, ALL),
        movable(of),
        most,
        progress,
    )
    return Sets(of, tuple(map(partial(ranks_of, of), found)))

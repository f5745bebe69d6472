"""W_0, W_1, ... of a game of lines as the paper (AAAI 2015) counted them, decoded from its figures.

X_0 = EPre(T1), B_j = APre(X_j) less the earlier B, X_j+1 = EPre(B_j), W_j = X_j less the earlier X:
every reply of O must lead into the same X_j, so that positions with a quick and a slow defence are
left out.  The empty board is not counted.  For Connect (full gravity) the boards are all those
without a line on which the players have taken turns, whether play reaches them or not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from icgsynth.boards.finite.bit_kernels import ALL, NONE, popcount
from icgsynth.boards.starts.decode import BoardTables, column_lines, decode_word
from icgsynth.boards.starts.dense import Sets, Space, epre, movable, number_boards, ranks_of, space
from icgsynth.boards.starts.lines import LineGame
from icgsynth.digits.arrays import Words
from icgsynth.process.compiled import compiled


def paper_sets(game: LineGame, most: int = 3) -> Sets:
    """W_0 to W_most among the boards of the paper."""
    whole = reached = space(game)
    if game.lowest == 1:
        whole = _balanced(reached)
        lines = np.zeros_like(reached.boards)
        won_next(reached.tables, reached.boards, lines)
        wins = epre(whole, 0, lines, whole.boards)
    else:
        wins = epre(whole, 0, whole.boards, whole.boards, ALL)
    open_, held = whole.boards ^ wins, movable(whole)  # boards in no set yet; where O has not lost
    found = [ranks_of(whole, wins)]
    for _ in range(most):
        still = epre(whole, 1, whole.boards & ~wins, held)
        wins = epre(whole, 0, held ^ still, whole.boards)
        held = still
        found.append(ranks_of(whole, wins & open_))
        open_ &= ~wins
    return Sets(whole, tuple(one[one > 0] for one in found))  # the empty board has rank 0


def _balanced(reached: Space) -> Space:
    """All boards without a line on which the players have taken turns; |V| stays that of play."""
    layout = reached.layout
    lead = np.zeros(2 * layout.inner_rows + 1, np.uint64)
    for (x, o), code in layout.inner.items():
        lead[x.bit_count() - o.bit_count() + layout.inner_rows] |= np.uint64(1 << code)
    boards = np.zeros_like(reached.boards)
    balanced(layout.tables, lead, boards)
    first, size = number_boards(boards)
    return replace(reached, boards=boards, first=first, size=size)


@compiled
def balanced(tables: BoardTables, lead: Words, boards: Words) -> None:
    """The boards of :func:`_balanced`; ``lead`` has the inner codes by how many more X they hold.

    Its first entry is for as many more O as there are inner rows; ``boards`` begins empty.
    """
    inner_rows = tables.sizes[0]
    code = np.zeros(len(tables.radix) + 1, np.int64)
    for w in range(len(boards)):
        x, o = decode_word(tables, w, code)
        outer = popcount(x) - popcount(o)
        r = NONE
        for total in range(2):
            if -inner_rows <= total - outer <= inner_rows:
                r |= lead[total - outer + inner_rows]
        if r:
            won_x = column_lines(tables, x, 0, code[0])
            won_o = column_lines(tables, o, 1, code[0])
            boards[w] = r & ~(won_x | won_o)


@compiled
def won_next(tables: BoardTables, boards: Words, won: Words) -> None:
    """T1: the boards with a line that a move of X makes from one of ``boards``, where play goes on.

    ``won`` begins empty.
    """
    code = np.zeros(len(tables.radix) + 1, np.int64)
    for w in range(len(boards)):
        if boards[w] == NONE:
            continue
        x, o = decode_word(tables, w, code)
        mine = boards[w] & tables.parity[popcount(x | o) & 1]
        for k in range(len(tables.masks)):
            won[w] |= (mine & tables.masks[k]) << tables.shifts[0, k]
        for d in range(len(tables.counts)):
            for m in range(tables.counts[d, code[d]]):
                won[w + tables.steps[0, d, code[d], m]] |= mine & tables.legal[d, code[d], m]
    for w in range(len(won)):
        if won[w]:
            x, _ = decode_word(tables, w, code)
            won[w] &= column_lines(tables, x, 0, code[0])

"""Machine code for :mod:`icgsynth.starts.query`: one position, nothing enumerated beforehand.

What was found is kept in tables with one place a board, where the last one stays.  A table is
three columns: the boards, a tag, the result.  No kernel calls itself: machine code of those that
do crashes when numba loads it from its cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled
from icgsynth.starts.kernels import popcount
from icgsynth.starts.reward import MOST, WIN

__all__ = ["KERNELS", "chance", "soonest", "values"]

Words = NDArray[np.uint64]
Ints = NDArray[Any]

U = np.uint64
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_NEVER = 99


@compiled
def _has_line(board: U, shifts: Ints, match: int) -> bool:
    for d in range(len(shifts)):
        run = board
        step = U(shifts[d])
        far = U(0)
        for _ in range(match - 1):
            far += step
            run &= board >> far
        if run:
            return True
    return False


@compiled
def _moves(taken: U, columns: Words, lowest: int, out: Words) -> int:
    """The cells that may be played, by columns and from below, as ``LineGame.empty``."""
    n = 0
    for c in range(len(columns)):
        free = columns[c] & ~taken
        for _ in range(lowest):
            if free == _NONE:
                break
            out[n] = free & (~free + _ONE)
            n += 1
            free &= free - _ONE
    return n


@compiled
def _slot(x: U, o: U, tag: int, size: int) -> int:
    """A place in a table of ``size`` (a power of two): splitmix64 of the board."""
    h = x * U(0x9E3779B97F4A7C15) ^ (o + U(tag)) * U(0xBF58476D1CE4E5B9)
    h ^= h >> U(29)
    h *= U(0x94D049BB133111EB)
    h ^= h >> U(32)
    return np.int64(h & U(size - 1))  # type: ignore[return-value]


@compiled
def _reward(x: U, o: U, windows: Words, weights: Ints) -> int:
    score = 0
    for i in range(len(windows)):
        mine = x & windows[i]
        theirs = o & windows[i]
        if theirs == _NONE:
            score += weights[popcount(mine)]
        elif mine == _NONE:
            score -= weights[popcount(theirs)]
    return score


@compiled
def _value(
    x: U,
    o: U,
    plies: int,
    columns: Words,
    lowest: int,
    shifts: Ints,
    match: int,
    windows: Words,
    weights: Ints,
    haste: bool,
    boards: Words,
    tags: Ints,
    found: Ints,
    path: Words,
    cells: Words,
    frame: Ints,
) -> int:
    """The min-max value to X of a board on which play goes on, ``plies`` ahead.

    ``path`` (plies, 2), ``cells`` (plies, 64) and ``frame`` (plies, 3), the number of moves, the
    next one and the best value so far, are room for the boards on the way.
    """
    if plies == 0:
        return _reward(x, o, windows, weights)
    slot = _slot(x, o, plies, len(found))
    if tags[slot] == plies and boards[slot, 0] == x and boards[slot, 1] == o:
        return np.int64(found[slot])  # type: ignore[return-value]
    level = 0
    path[0, 0] = x
    path[0, 1] = o
    opening = True
    value = np.int64(0)
    while True:
        x = path[level, 0]
        o = path[level, 1]
        odd = popcount(x | o) & 1
        rest = plies - level
        if opening:
            frame[level, 0] = _moves(x | o, columns, lowest, cells[level])
            frame[level, 1] = 0
            frame[level, 2] = -WIN - 1 if odd == 0 else WIN + 1
            opening = False
        top = frame[level, 2]
        if frame[level, 1] == frame[level, 0] or (top == WIN if odd == 0 else top == -WIN):
            if frame[level, 0] == 0:
                top = np.int64(0)
            elif haste:
                if top > MOST:
                    top -= 1
                elif top < -MOST:
                    top += 1
            slot = _slot(x, o, rest, len(found))
            boards[slot, 0] = x
            boards[slot, 1] = o
            tags[slot] = rest
            found[slot] = top
            if level == 0:
                return top  # type: ignore[no-any-return]
            level -= 1
            value = top
        else:
            cell = cells[level, frame[level, 1]]
            frame[level, 1] += 1
            if odd == 0:
                x |= cell
            else:
                o |= cell
            slot = _slot(x, o, rest - 1, len(found))
            if _has_line(x if odd == 0 else o, shifts, match):
                value = np.int64(WIN if odd == 0 else -WIN)
            elif rest == 1:
                value = np.int64(_reward(x, o, windows, weights))
            elif tags[slot] == rest - 1 and boards[slot, 0] == x and boards[slot, 1] == o:
                value = np.int64(found[slot])
            else:
                level += 1
                path[level, 0] = x
                path[level, 1] = o
                opening = True
                continue
        before = frame[level, 2]
        if popcount(path[level, 0] | path[level, 1]) & 1 == 0:
            frame[level, 2] = max(before, value)
        else:
            frame[level, 2] = min(before, value)


@compiled
def values(
    x: U,
    o: U,
    plies: int,
    columns: Words,
    lowest: int,
    shifts: Ints,
    match: int,
    windows: Words,
    weights: Ints,
    haste: bool,
    boards: Words,
    tags: Ints,
    found: Ints,
    cells: Words,
    worth: Ints,
) -> int:
    """The cells that may be played, and what a look ``plies`` ahead values each to X; how many."""
    path = np.empty((plies, 2), np.uint64)
    open_cells = np.empty((plies, 64), np.uint64)
    frame = np.empty((plies, 3), np.int64)
    odd = popcount(x | o) & 1
    n = _moves(x | o, columns, lowest, cells)
    for i in range(n):
        after_x = x | cells[i] if odd == 0 else x
        after_o = o if odd == 0 else o | cells[i]
        if _has_line(after_x if odd == 0 else after_o, shifts, match):
            worth[i] = WIN if odd == 0 else -WIN
        else:
            worth[i] = _value(
                after_x, after_o, plies - 1, columns, lowest, shifts, match, windows, weights,
                haste, boards, tags, found, path, open_cells, frame,
            )  # fmt: skip
    return n


@compiled
def chance(
    x: U,
    o: U,
    plies_x: int,
    plies_o: int,
    columns: Words,
    lowest: int,
    shifts: Ints,
    match: int,
    windows: Words,
    weights: Ints,
    haste: bool,
    boards: Words,
    tags: Ints,
    found: Ints,
    met: Words,
    seen: Ints,
    won: Ints,
) -> float:
    """The chance of X to win from a board on which play goes on."""
    path = np.empty((65, 2), np.uint64)
    cells = np.empty((65, 64), np.uint64)
    worth = np.empty((65, 64), np.int64)
    frame = np.empty((65, 4), np.int64)  # moves, the next one, the best worth, how many have it
    total = np.zeros(65)
    level = 0
    path[0, 0] = x
    path[0, 1] = o
    opening = True
    while True:
        x = path[level, 0]
        o = path[level, 1]
        odd = popcount(x | o) & 1
        if opening:
            opening = False
            plies = plies_x if odd == 0 else plies_o
            n = values(
                x, o, plies, columns, lowest, shifts, match, windows, weights, haste, boards,
                tags, found, cells[level], worth[level],
            )  # fmt: skip
            best = np.int64(0)
            for i in range(n):
                one = worth[level, i]
                if i == 0 or (one > best if odd == 0 else one < best):
                    best = one
            frame[level, 0] = n
            frame[level, 1] = 0
            frame[level, 2] = best
            frame[level, 3] = 0
            total[level] = 0.0
        best = frame[level, 2]
        if frame[level, 1] == frame[level, 0]:
            result = total[level] / frame[level, 3] if frame[level, 3] > 0 else 0.0
            slot = _slot(x, o, 77, len(won))
            met[slot, 0] = x
            met[slot, 1] = o
            seen[slot] = 1
            won[slot] = result
            if level == 0:
                return result
            level -= 1
            total[level] += result
            continue
        i = frame[level, 1]
        frame[level, 1] += 1
        if worth[level, i] != best:
            continue
        frame[level, 3] += 1
        if best == WIN:
            total[level] += 1.0
        elif best != -WIN:
            if odd == 0:
                x |= cells[level, i]
            else:
                o |= cells[level, i]
            slot = _slot(x, o, 77, len(won))
            if seen[slot] and met[slot, 0] == x and met[slot, 1] == o:
                total[level] += won[slot]
            else:
                level += 1
                path[level, 0] = x
                path[level, 1] = o
                opening = True


@compiled
def soonest(
    mine: U,
    theirs: U,
    my_turn: bool,
    most: int,
    columns: Words,
    lowest: int,
    shifts: Ints,
    match: int,
    boards: Words,
    tags: Ints,
    found: Ints,
) -> int:
    """The least count of own stones, at most ``most``, that force a line; 99 for none.

    On the other's turn: after the best reply.
    """
    path = np.empty((65, 2), np.uint64)
    cells = np.empty((65, 64), np.uint64)
    frame = np.empty((65, 4), np.int64)  # moves, the next one, the most allowed, the result
    level = 0
    path[0, 0] = mine
    path[0, 1] = theirs
    frame[0, 2] = most
    opening = True
    turn = my_turn
    while True:
        mine = path[level, 0]
        theirs = path[level, 1]
        turn = my_turn if level & 1 == 0 else not my_turn
        most = frame[level, 2]
        tag = most + 1 if turn else -most - 1
        slot = _slot(mine, theirs, most, len(found))
        closing = False
        if opening:
            opening = False
            n = _moves(mine | theirs, columns, lowest, cells[level])
            frame[level, 0] = n
            frame[level, 1] = 0
            frame[level, 3] = _NEVER if turn or n == 0 else 0
            known = tags[slot] == tag and boards[slot, 0] == mine and boards[slot, 1] == theirs
            if known:
                frame[level, 3] = found[slot]
                closing = True
            else:
                for i in range(n):
                    if _has_line((mine if turn else theirs) | cells[level, i], shifts, match):
                        frame[level, 3] = 1 if turn else _NEVER
                        closing = True
                        break
                if turn and most <= 1:
                    closing = True
        least = frame[level, 3]
        if turn:
            # Two stones are the least where one does not do; a slower win is of no use.
            closing = closing or least == 2 or min(most, least - 1) < 2
        else:
            closing = closing or least > most
        if closing or frame[level, 1] == frame[level, 0]:
            least = min(least, _NEVER) if least <= most else _NEVER
            boards[slot, 0] = mine
            boards[slot, 1] = theirs
            tags[slot] = tag
            found[slot] = least
            if level == 0:
                return least
            level -= 1
            if turn:
                frame[level, 3] = max(frame[level, 3], least)
            elif least < _NEVER:
                frame[level, 3] = min(frame[level, 3], 1 + least)
            continue
        cell = cells[level, frame[level, 1]]
        frame[level, 1] += 1
        level += 1
        opening = True
        path[level, 0] = mine | cell if turn else mine
        path[level, 1] = theirs if turn else theirs | cell
        frame[level, 2] = min(most, least - 1) - 1 if turn else most


KERNELS = (values, chance, soonest)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""

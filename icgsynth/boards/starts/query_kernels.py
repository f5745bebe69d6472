"""Compiled searches of a line game from one position, for :mod:`icgsynth.boards.starts.query`.

What was found is kept in a :class:`~icgsynth.boards.starts.decode.Memory`.  No kernel calls itself:
machine code of those that do crashes when numba loads it from its cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from icgsynth.boards.finite.bit_kernels import NONE, ONE, U, popcount
from icgsynth.boards.starts.decode import (
    WIN,
    BoardJudge,
    Ints,
    LineRules,
    Memory,
    step_back,
    window_score,
)
from icgsynth.digits.arrays import Words
from icgsynth.process.compiled import compiled, inlined, part

_CHANCE = 77  # a tag in the hashes of boards for chances; any number would do


@inlined
def _has_line(board: U, rules: LineRules) -> bool:
    for d in range(len(rules.steps)):
        run = board
        step = U(rules.steps[d])
        far = U(0)
        for _ in range(rules.match - 1):
            far += step
            # Bit i of ``run`` stays where bits i, i + step, i + 2 step, .. of ``board`` are set.
            run &= board >> far
        if run:
            return True
    return False


@inlined
def _moves(taken: U, rules: LineRules, out: Words) -> int:
    """Write the cells (bit masks) where a stone may go to ``out``, by columns; return how many they
    are. ``taken``: the cells that have a stone."""
    n = 0
    for c in range(len(rules.columns)):
        free = rules.columns[c] & ~taken
        for _ in range(rules.lowest):
            if free == NONE:
                break
            # The lowest free cell of a column; the next line takes it away.
            out[n] = free & (~free + ONE)
            n += 1
            free &= free - ONE
    return n


@inlined
def _slot(x: U, o: U, tag: int, size: int) -> int:
    """Return the place of the board (x, o) and ``tag`` in a hash table of ``size`` (2^k) places."""
    h = x * U(0x9E3779B97F4A7C15) ^ (o + U(tag)) * U(0xBF58476D1CE4E5B9)
    h ^= h >> U(29)
    h *= U(0x94D049BB133111EB)
    h ^= h >> U(32)
    return np.int64(h & U(size - 1))  # type: ignore[return-value]


@inlined
def _knows(memory: Memory, slot: int, tag: int, x: U, o: U) -> bool:
    return bool(
        memory.tags[slot] == tag and memory.boards[slot, 0] == x and memory.boards[slot, 1] == o
    )


@inlined
def _keep(memory: Memory, slot: int, tag: int, x: U, o: U) -> None:
    """Give the place ``slot`` to the board (x, o) with ``tag``; the caller stores the result."""
    memory.boards[slot, 0] = x
    memory.boards[slot, 1] = o
    memory.tags[slot] = tag


class _Way(NamedTuple):
    """The stack of a depth-first search: a row for each board on the current path."""

    path: Words  # (plies, 2): the stones of X and O
    cells: Words  # (plies, 64): the moves
    frame: Ints  # int64 (plies, 3): the number of moves, the next one, the best value so far


@part
def _value(
    x: U, o: U, plies: int, rules: LineRules, judge: BoardJudge, memory: Memory, way: _Way
) -> int:
    """Return the min-max value to X of a board (x, o) that has not ended, searched ``plies`` deep;
    outside the alpha-beta window in ``judge``, maybe another on that side. ``memory`` stores
    results. ``way`` is the memory of the search's stack."""
    # A value outside the judge's window may be another one on that side of the window.
    path, cells, frame = way
    windows, weights, haste, low, high = judge
    found = memory.found
    if plies == 0:
        return window_score(x, o, windows, 0, len(windows), weights)
    slot = _slot(x, o, plies, len(found))
    # The tag is the depth: a value for another depth is another value.
    if _knows(memory, slot, plies, x, o):
        return np.int64(found[slot])  # type: ignore[return-value]
    level = 0
    path[0, 0] = x
    path[0, 1] = o
    opening = True
    # Depth-first search with a stack of its own: one round of the loop either opens the board at
    # the deepest level, tries its next move, or closes it and hands its value to the level above.
    value = np.int64(0)
    while True:
        x = path[level, 0]
        o = path[level, 1]
        # X moves on an even number of stones and takes the greatest value, O the least.
        odd = popcount(x | o) & 1
        rest = plies - level
        if opening:
            frame[level, 0] = _moves(x | o, rules, cells[level])
            frame[level, 1] = 0
            frame[level, 2] = -WIN - 1 if odd == 0 else WIN + 1
            opening = False
            for i in range(frame[level, 0]):
                # A move that makes a line wins: no other is worth more.
                if _has_line((x if odd == 0 else o) | cells[level, i], rules):
                    frame[level, 2] = WIN if odd == 0 else -WIN
        top = frame[level, 2]
        # All moves were looked at, or the value lies outside the window (low, high) already.
        if frame[level, 1] == frame[level, 0] or (top >= high if odd == 0 else top <= low):
            if frame[level, 0] == 0:
                top = np.int64(0)
            # A win is worth less the later it comes, so each level takes a step from the value.
            elif haste:
                top = step_back(top)
            slot = _slot(x, o, rest, len(found))
            _keep(memory, slot, rest, x, o)
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
            # At the last ply the reward judges the board, else a known value serves, else it is
            # opened.
            if rest == 1:
                value = np.int64(window_score(x, o, windows, 0, len(windows), weights))
            elif _knows(memory, slot, rest - 1, x, o):
                value = np.int64(found[slot])
            else:
                level += 1
                path[level, 0] = x
                path[level, 1] = o
                opening = True
                continue
        # Hand the value to the level above, whose mover keeps the greatest, or the least.
        before = frame[level, 2]
        if popcount(path[level, 0] | path[level, 1]) & 1 == 0:
            frame[level, 2] = max(before, value)
        else:
            frame[level, 2] = min(before, value)


@part
def _way(plies: int) -> _Way:
    word, long = np.uint64, np.int64
    return _Way(np.empty((plies, 2), word), np.empty((plies, 64), word), np.empty((plies, 3), long))


@compiled
def value(
    board: tuple[U, U], plies: int, rules: LineRules, judge: BoardJudge, memory: Memory
) -> int:
    """Return the min-max value to X of a ``board`` (stones of X, of O) that has not ended, searched
    ``plies`` deep; outside the alpha-beta window in ``judge``, which also tells the worth of boards
    at that depth, maybe another on that side. ``memory`` stores results."""
    return _value(board[0], board[1], plies, rules, judge, memory, _way(plies))


@compiled
def chance(
    board: tuple[U, U],
    plies: tuple[int, int],
    rules: LineRules,
    judge: BoardJudge,
    memory: Memory,
    known: Memory,
) -> float:
    """Return the chance that X wins from a ``board`` (of X, of O) that has not ended. X looks
    ``plies[0]`` plies ahead, O ``plies[1]``, and both draw evenly among the moves that look best by
    ``judge``. ``memory`` stores values, ``known`` chances."""
    won = known.found
    path = np.empty((65, 2), np.uint64)
    cells = np.empty((65, 64), np.uint64)
    worth = np.empty((65, 64), np.int64)
    frame = np.empty((65, 4), np.int64)  # moves, the next one, the best worth, how many have it
    total = np.zeros(65)
    way = _way(max(plies[0], plies[1]))
    level = 0
    path[0, 0] = board[0]
    path[0, 1] = board[1]
    opening = True
    while True:
        x = path[level, 0]
        o = path[level, 1]
        odd = popcount(x | o) & 1
        if opening:
            opening = False
            n = _moves(x | o, rules, cells[level])
            best = np.int64(0)
            for i in range(n):
                after_x = x | cells[level, i] if odd == 0 else x
                after_o = o if odd == 0 else o | cells[level, i]
                # A line wins at once. Other moves have the worth seen by a look plies - 1 further.
                one: Any = np.int64(WIN if odd == 0 else -WIN)
                if not _has_line(after_x if odd == 0 else after_o, rules):
                    one = _value(after_x, after_o, plies[odd] - 1, rules, judge, memory, way)
                worth[level, i] = one
                if i == 0 or (one > best if odd == 0 else one < best):
                    best = one
            frame[level, 0] = n
            frame[level, 1] = 0
            frame[level, 2] = best
            frame[level, 3] = 0
            total[level] = 0.0
        best = frame[level, 2]
        if frame[level, 1] == frame[level, 0]:
            # Each of the best moves is drawn with the same chance, so X's chance is the mean over
            # them; a full board has no move, and is not won.
            result = total[level] / frame[level, 3] if frame[level, 3] > 0 else 0.0
            slot = _slot(x, o, _CHANCE, len(won))
            _keep(known, slot, 1, x, o)
            won[slot] = result
            if level == 0:
                return result
            level -= 1
            total[level] += result
            continue
        i = frame[level, 1]
        frame[level, 1] += 1
        # Moves that look worse to the player are never drawn.
        if worth[level, i] != best:
            continue
        frame[level, 3] += 1
        # A best move of worth WIN makes a line at once, or is seen to win; -WIN adds nothing.
        if best == WIN:
            total[level] += 1.0
        elif best != -WIN:
            if odd == 0:
                x |= cells[level, i]
            else:
                o |= cells[level, i]
            slot = _slot(x, o, _CHANCE, len(won))
            if _knows(known, slot, 1, x, o):
                total[level] += won[slot]
            else:
                level += 1
                path[level, 0] = x
                path[level, 1] = o
                opening = True


KERNELS = (value, chance)
"""All kernels of this module, for :func:`~icgsynth.process.compiled.announce`."""

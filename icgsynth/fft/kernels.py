"""Compiled kernels: which moves a rule fires, and whether a tree is optimal.

A tree is a list ``order[:size]`` of slots in a :class:`Bench`; a slot holds one rule, or one
locked group of rules (a meta-rule), and the moves that it fires in every state of the
player.  Slots are never overwritten while a list refers to them, so that a change is taken
back by restoring the list.  A rule under trial is matched only in the states that the walk
reaches, and only where no earlier rule fires.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from icgsynth.compiled import compiled
from icgsynth.fft.board import Board, Ints, Words

__all__ = ["Bench", "bench_for", "drop", "fill", "literals", "place", "put", "spare", "walk"]

ONE = np.uint64(1)
NONE = np.uint64(0)


class Bench(NamedTuple):
    """Rules in slots, and the scratch memory of the kernels.  c slots."""

    need: Words  # (c, w): the literals of the rule
    act: Ints  # int32 (c,): its action
    locked: Ints  # int32 (c,): rules in the meta-rule, 0 for a free rule
    weight: Ints  # int32 (c,): literals in the meta-rule
    fire: Words  # (c, p): mask of the moves it fires
    order: Ints  # int32 (c,): the tree
    kept: Ints  # int32 (c,): a second list whose slots must live
    used: Ints  # int8 (c,)
    seen: Ints  # int32 (n,): the stamp of the last walk that met the state
    known: Ints  # int32 (p,): the stamp of the trial that matched the state
    stack: Ints  # int32 (n + 1,)
    stamp: Ints  # int32 (1,)
    row: Words  # (p,): the moves of the rule under trial
    image: Words  # (g, w): its images
    image_act: Ints  # int32 (g,)
    table: Ints  # int32 (power of 2,): hashes of the images
    bits: Ints  # int32 (64 * w,): literals in a random order


def bench_for(board: Board, slots: int) -> Bench:
    """An empty bench of ``slots`` slots."""
    (p, w), n, g = board.bits.shape, len(board.who), len(board.action_images)
    size = 4
    while size < 2 * g:
        size *= 2

    def zeros(count: int) -> Ints:
        return np.zeros(count, np.int32)

    return Bench(
        need=np.zeros((slots, w), np.uint64),
        act=zeros(slots),
        locked=zeros(slots),
        weight=zeros(slots),
        fire=np.zeros((slots, p), np.uint64),
        order=zeros(slots),
        kept=zeros(slots),
        used=np.zeros(slots, np.int8),
        seen=zeros(n),
        known=zeros(p),
        stack=zeros(n + 1),
        stamp=zeros(1),
        row=np.zeros(p, np.uint64),
        image=np.zeros((g, w), np.uint64),
        image_act=zeros(g),
        table=zeros(size),
        bits=np.arange(board.literal_images.shape[1], dtype=np.int32),
    )


@compiled
def images(board: Board, bench: Bench, need: Words, action: int) -> int:
    """Write the distinct images of a rule to the bench; their number."""
    words = need.shape[0]
    held = np.empty(board.literal_images.shape[1], np.int64)
    count = 0
    for i in range(held.shape[0]):
        if (need[i >> 6] >> np.uint64(i & 63)) & ONE:
            held[count] = i
            count += 1
    table = bench.table
    table[:] = -1
    last = table.shape[0] - 1
    found = 0
    for g in range(board.action_images.shape[0]):
        for w in range(words):
            bench.image[found, w] = NONE
        for j in range(count):
            i = board.literal_images[g, held[j]]
            bench.image[found, i >> 6] |= ONE << np.uint64(i & 63)
        act = board.action_images[g, action]
        hashed = np.uint64(act) * np.uint64(0x9E3779B97F4A7C15)
        for w in range(words):
            hashed = (hashed ^ bench.image[found, w]) * np.uint64(0xBF58476D1CE4E5B9)
            hashed ^= hashed >> np.uint64(29)
        at = np.int64(hashed & np.uint64(last))
        new = True
        while table[at] >= 0:
            other = table[at]
            same = bench.image_act[other] == act
            for w in range(words):
                if bench.image[other, w] != bench.image[found, w]:
                    same = False
            if same:
                new = False
                break
            at = (at + 1) & last
        if new:
            table[at] = found
            bench.image_act[found] = act
            found += 1
    return found


@compiled
def match(board: Board, bench: Bench, count: int, p: int, hurry: bool) -> np.uint64:
    """The moves that the images fire in a state; in a hurry, the first that is not optimal."""
    moves = NONE
    words = board.bits.shape[1]
    head = board.bits[p, 0]
    for j in range(count):
        if head & bench.image[j, 0] != bench.image[j, 0]:
            continue
        holds = True
        for w in range(1, words):
            if board.bits[p, w] & bench.image[j, w] != bench.image[j, w]:
                holds = False
                break
        if holds:
            at = board.local[p, bench.image_act[j]]
            if at >= 0:
                moves |= ONE << np.uint64(at)
                if hurry and moves & ~board.optimal[p]:
                    return moves
    return moves


@compiled
def walk(
    board: Board, bench: Bench, size: int, skip: int, trial: int, count: int, strong: bool
) -> int:
    """Definition 4: -1 where the tree is optimal, else a reachable state where it is not.

    The slot ``skip`` is passed over; that of ``trial`` is matched with the ``count`` images on
    the bench.  ``bench.seen`` holds the new stamp in the states reached.
    """
    bench.stamp[0] += 1
    stamp = bench.stamp[0]
    seen, stack = bench.seen, bench.stack
    seen[0] = stamp
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        s = stack[top]
        p = board.who[s]
        start = board.first[s]
        stop = board.first[s + 1]
        moves = ~NONE
        if p >= 0:
            moves = NONE
            for j in range(size):
                slot = bench.order[j]
                if slot == skip:
                    continue
                if slot == trial:
                    if bench.known[p] != stamp:
                        bench.row[p] = match(board, bench, count, p, True)
                        bench.known[p] = stamp
                    moves = bench.row[p]
                else:
                    moves = bench.fire[slot, p]
                if moves:
                    break
            if moves:
                if moves & ~board.optimal[p]:
                    return int(s)
            elif strong:
                if board.optimal[p] != board.legal[p]:
                    return int(s)
                moves = board.legal[p]
            else:
                moves = board.optimal[p]
        for m in range(start, stop):
            if (moves >> np.uint64(m - start)) & ONE:
                t = board.target[m]
                if t >= 0 and seen[t] != stamp:
                    seen[t] = stamp
                    stack[top] = t
                    top += 1
    return -1


@compiled
def fill(board: Board, bench: Bench, slot: int, count: int) -> None:
    """After a trial that passed: match what the walk did not, and keep the row."""
    stamp = bench.stamp[0]
    for p in range(board.bits.shape[0]):
        if bench.known[p] != stamp:
            bench.row[p] = match(board, bench, count, p, False)
        bench.fire[slot, p] = bench.row[p]


@compiled
def put(board: Board, bench: Bench, slot: int, need: Words, action: int) -> None:
    """A free rule in ``slot``, matched everywhere."""
    bench.need[slot] = need
    bench.act[slot] = action
    bench.locked[slot] = 0
    bench.weight[slot] = 0
    count = images(board, bench, need, action)
    for p in range(board.bits.shape[0]):
        bench.fire[slot, p] = match(board, bench, count, p, False)


@compiled
def spare(bench: Bench, size: int, kept: int) -> int:
    """A slot that no meta-rule has and neither list refers to, or -1."""
    bench.used[:] = 0
    for j in range(size):
        bench.used[bench.order[j]] = 1
    for j in range(kept):
        bench.used[bench.kept[j]] = 1
    for slot in range(bench.used.shape[0]):
        if bench.used[slot] == 0 and bench.locked[slot] == 0:
            return slot
    return -1


@compiled
def place(
    board: Board,
    bench: Bench,
    size: int,
    at: int,
    slot: int,
    need: Words,
    action: int,
    strong: bool,
) -> bool:
    """Try a rule in the spare ``slot`` at place ``at`` of the tree; whether it is optimal there."""
    before = bench.order[at]
    bench.need[slot] = need
    bench.act[slot] = action
    bench.locked[slot] = 0
    bench.weight[slot] = 0
    bench.order[at] = slot
    count = images(board, bench, bench.need[slot], action)
    if walk(board, bench, size, -1, slot, count, strong) >= 0:
        bench.order[at] = before
        return False
    fill(board, bench, slot, count)
    return True


@compiled
def drop(board: Board, bench: Bench, size: int, kept: int, at: int, bit: int, strong: bool) -> bool:
    """Take literal ``bit`` out of the rule at ``at`` where the tree stays optimal."""
    slot = bench.order[at]
    word = bit >> 6
    mask = ONE << np.uint64(bit & 63)
    if bench.locked[slot] or not bench.need[slot, word] & mask:
        return False
    free = spare(bench, size, kept)
    need = bench.need[slot].copy()
    need[word] &= ~mask
    return place(board, bench, size, at, free, need, bench.act[slot], strong)


@compiled
def literals(bench: Bench, slot: int) -> int:
    """The number of literals in a slot."""
    if bench.locked[slot]:
        return int(bench.weight[slot])
    count = 0
    for w in range(bench.need.shape[1]):
        rest = bench.need[slot, w]
        while rest:
            rest &= rest - ONE
            count += 1
    return count

"""Compiled kernels: which moves a rule fires, and whether a tree is optimal.

A tree is a list ``order[:size]`` of slots in a :class:`Bench`; a slot holds one rule, or one
locked group of rules (a meta-rule), and the moves that it fires in every state of the
player.  Slots are never overwritten while a list refers to them, so that a change is taken
back by restoring the list (and :func:`rank`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from icgsynth.compiled import compiled
from icgsynth.fft.board import Board, Ints, Words

__all__ = [
    "Bench",
    "bench_for",
    "drop",
    "literals",
    "place",
    "put",
    "rank",
    "remove",
    "settle",
    "spare",
    "walk",
]

ONE = np.uint64(1)
NONE = np.uint64(0)
FAR = 1_000_000  # a place past the end of every list
# The place of a word's only bit is _PLACE[(word * _DE_BRUIJN) >> 58].
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _PLACE[((0x03F79D71B4CB0A89 << _bit) & (2**64 - 1)) >> 58] = _bit


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
    deep: Ints  # int32 (n,): and the last place of a rule on its way there
    base: Ints  # int32 (n,): the same for the tree on the bench, FAR where not known
    lead: Ints  # int32 (p,): the place of the first rule that fires
    stack: Ints  # int32 (n + 1,)
    stamp: Ints  # int32 (1,)
    held: Ints  # int32 (64 * w,): the literals of the rule under trial
    image: Words  # (g, w): its images
    parts: Ints  # int16 (g, 64 * w): their literals one by one
    there: Words  # (v,): the states where one holds
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
        deep=zeros(n),
        base=np.full(n, FAR, np.int32),
        lead=zeros(p),
        stack=zeros(n + 1),
        stamp=zeros(1),
        held=zeros(64 * w),
        image=np.zeros((g, w), np.uint64),
        parts=np.zeros((g, 64 * w), np.int16),
        there=np.zeros(board.able.shape[1], np.uint64),
        image_act=zeros(g),
        table=zeros(size),
        bits=np.arange(board.literal_images.shape[1], dtype=np.int32),
    )


@compiled
def images(board: Board, bench: Bench, need: Words, action: int) -> tuple[int, int]:
    """Write the literals of a rule's distinct images to the bench: how many, of how many each."""
    words = need.shape[0]
    held = bench.held
    count = 0
    for i in range(board.literal_images.shape[1]):
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
            bench.parts[found, j] = i
            bench.image[found, i >> 6] |= ONE << np.uint64(i & 63)
        act = board.action_images[g, action]
        hashed = np.uint64(act) * np.uint64(0x9E3779B97F4A7C15)
        for w in range(words):
            hashed = (hashed ^ bench.image[found, w]) * np.uint64(0xBF58476D1CE4E5B9)
            hashed ^= hashed >> np.uint64(29)
        at = np.int64(hashed >> np.uint64(40)) & last
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
    return found, count


@compiled
def put(board: Board, bench: Bench, slot: int, need: Words, action: int) -> None:
    """A free rule in ``slot``, matched in all states: by sets of states, 64 at a time."""
    bench.need[slot] = need
    bench.act[slot] = action
    bench.locked[slot] = 0
    bench.weight[slot] = 0
    fire = bench.fire[slot]
    fire[:] = NONE
    found, count = images(board, bench, need, action)
    there = bench.there
    words = there.shape[0]
    for j in range(found):
        act = bench.image_act[j]
        for v in range(words):
            there[v] = board.able[act, v]
        some = ONE
        for i in range(count):
            literal = bench.parts[j, i]
            some = NONE
            for v in range(words):
                there[v] &= board.having[literal, v]
                some |= there[v]
            if some == NONE:
                break
        if some == NONE:
            continue
        for v in range(words):
            rest = there[v]
            while rest:
                low = rest & (~rest + ONE)
                rest ^= low
                p = (v << 6) + _PLACE[np.int64((low * _DE_BRUIJN) >> np.uint64(58))]
                fire[p] |= ONE << np.uint64(board.local[p, act])


@compiled
def rank(bench: Bench, size: int) -> None:
    """Note for every state the place of the first rule that fires; ``size`` where none does.

    To be called whenever the list has changed.
    """
    for p in range(bench.lead.shape[0]):
        j = 0
        while j < size and bench.fire[bench.order[j], p] == NONE:
            j += 1
        bench.lead[p] = j
    bench.base[:] = FAR


@compiled
def settle(bench: Bench) -> None:
    """After a walk that passed, and :func:`rank`: remember by which rules play came where.

    ``bench.base`` is the last place of a rule on one line of play to each state, FAR where
    none is known, and the size where no rule fired on the way.
    """
    stamp = bench.stamp[0]
    for s in range(bench.base.shape[0]):
        bench.base[s] = bench.deep[s] if bench.seen[s] == stamp else FAR


@compiled
def walk(
    board: Board, bench: Bench, size: int, at: int, slot: int, insert: bool, strong: bool
) -> int:
    """Definition 4: -1 where the tree is optimal, else a reachable state where it is not.

    Of the tree on the bench, or, with ``at`` not -1, of another: without the rule at ``at``,
    or with that of ``slot`` instead of it, or (``insert``) before it.  ``bench.seen`` holds
    the new stamp in the states reached.
    """
    bench.stamp[0] += 1
    stamp = bench.stamp[0]
    seen, stack = bench.seen, bench.stack
    seen[0] = stamp
    bench.deep[0] = -1
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        s = stack[top]
        p = board.who[s]
        start = board.first[s]
        stop = board.first[s + 1]
        moves = ~NONE
        last = bench.deep[s]
        if p >= 0:
            moves = NONE
            j = bench.lead[p]
            shift = 0
            if at >= 0 and j >= at:
                if slot >= 0:
                    moves = bench.fire[slot, p]
                if moves:
                    j = at
                elif insert:
                    shift = 1
                else:
                    if j == at:
                        j += 1
                        while j < size and bench.fire[bench.order[j], p] == NONE:
                            j += 1
                    if slot < 0:
                        shift = -1
            if moves == NONE and j < size:
                moves = bench.fire[bench.order[j], p]
            last = max(last, j + shift)
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
                    bench.deep[t] = last
                    stack[top] = t
                    top += 1
    return -1


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
    insert: bool,
    strong: bool,
) -> bool:
    """Put a rule in the spare ``slot`` and at ``at`` of the list, if the tree is optimal so."""
    put(board, bench, slot, need, action)
    for p in range(board.bits.shape[0]):
        # Play still comes here, past rules before ``at`` alone, and now meets a wrong move.
        if bench.lead[p] < at or bench.base[board.state[p]] >= at:
            continue
        if bench.fire[slot, p] & ~board.optimal[p]:
            return False
    if walk(board, bench, size, at, slot, insert, strong) >= 0:
        return False
    if insert:
        for j in range(size, at, -1):
            bench.order[j] = bench.order[j - 1]
    bench.order[at] = slot
    rank(bench, size + insert)
    settle(bench)
    return True


@compiled
def remove(board: Board, bench: Bench, size: int, at: int, strong: bool) -> bool:
    """Take the rule at ``at`` out of the list, if the tree is optimal without it."""
    if walk(board, bench, size, at, -1, False, strong) >= 0:
        return False
    for j in range(at, size - 1):
        bench.order[j] = bench.order[j + 1]
    rank(bench, size - 1)
    settle(bench)
    return True


@compiled
def drop(board: Board, bench: Bench, size: int, kept: int, at: int, bit: int, strong: bool) -> bool:
    """Take literal ``bit`` out of the rule at ``at``, if the tree stays optimal."""
    slot = bench.order[at]
    word = bit >> 6
    mask = ONE << np.uint64(bit & 63)
    if bench.locked[slot] or not bench.need[slot, word] & mask:
        return False
    free = spare(bench, size, kept)
    need = bench.need[slot].copy()
    need[word] &= ~mask
    return place(board, bench, size, at, free, need, bench.act[slot], False, strong)


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

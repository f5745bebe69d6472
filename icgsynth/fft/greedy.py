"""Algorithms 1 and 2 of the paper as compiled kernels, with all their choices open."""

from __future__ import annotations

import numpy as np

from icgsynth.compiled import compiled
from icgsynth.fft.board import Board, Ints, Words
from icgsynth.fft.kernels import Bench, drop, place, put, rank, remove, spare, walk

__all__ = [
    "algorithm_1",
    "algorithm_2",
    "choose",
    "drop_rules",
    "induced",
    "shuffle",
    "simplify",
    "simplify_rule",
]

ONE = np.uint64(1)
NONE = np.uint64(0)


@compiled
def shuffle(bench: Bench, order: int) -> None:
    """Literals in the order 0 random, 1 as given, 2 backwards."""
    count = bench.bits.shape[0]
    for i in range(count):
        bench.bits[i] = i if order == 1 else count - 1 - i
    if order == 0:
        np.random.shuffle(bench.bits)


@compiled
def choose(mask: np.uint64) -> int:
    """The place of a random move of ``mask``."""
    count = 0
    rest = mask
    while rest:
        rest &= rest - ONE
        count += 1
    pick = np.random.randint(count)
    for i in range(64):
        if (mask >> np.uint64(i)) & ONE:
            if pick == 0:
                return i
            pick -= 1
    return -1


@compiled
def induced(board: Board, p: int, action: int) -> Words:
    """Definition 8: the rule that a state and an action induce, in the literals on offer."""
    need: Words = board.bits[p] & board.offered[action]
    return need


@compiled
def simplify_rule(
    board: Board, bench: Bench, size: int, kept: int, at: int, literal_order: int, strong: bool
) -> int:
    """Try each literal of a rule once; how many went."""
    shuffle(bench, literal_order)
    gone = 0
    for bit in bench.bits:
        if drop(board, bench, size, kept, at, bit, strong):
            gone += 1
    return gone


@compiled
def shortest(board: Board, bench: Bench, size: int, at: int) -> None:
    """Section IX: all subsets of a rule's literals by size; the first that is weakly optimal."""
    slot = bench.order[at]
    full = bench.need[slot].copy()
    held = np.empty(bench.bits.shape[0], np.int64)
    count = 0
    for i in range(held.shape[0]):
        if (full[i >> 6] >> np.uint64(i & 63)) & ONE:
            held[count] = i
            count += 1
    pick = np.empty(count + 1, np.int64)
    free = spare(bench, size, 0)
    for many in range(count):
        for j in range(many):
            pick[j] = j
        while True:
            need = np.zeros_like(full)
            for j in range(many):
                i = held[pick[j]]
                need[i >> 6] |= ONE << np.uint64(i & 63)
            if place(board, bench, size, at, free, need, bench.act[slot], False, False):
                return
            j = many - 1
            while j >= 0 and pick[j] == count - many + j:
                j -= 1
            if j < 0:
                break
            pick[j] += 1
            for i in range(j + 1, many):
                pick[i] = pick[i - 1] + 1


@compiled
def drop_rules(board: Board, bench: Bench, size: int, rule_order: int, strong: bool) -> int:
    """Lines 13-15: try each rule once; the new size.  0 random, 1 left to right, 2 backwards."""
    queue = bench.order[:size].copy()
    if rule_order == 0:
        np.random.shuffle(queue)
    for q in range(size):
        slot = queue[len(queue) - 1 - q] if rule_order == 2 else queue[q]
        at = 0
        while bench.order[at] != slot:
            at += 1
        if remove(board, bench, size, at, strong):
            size -= 1
    return size


@compiled
def drop_dead(board: Board, bench: Bench, size: int) -> int:
    """Definition 9, part 2: without the rules that fire first in no state; the new size."""
    bench.used[:] = 0
    for p in range(board.bits.shape[0]):
        if bench.lead[p] < size:
            bench.used[bench.order[bench.lead[p]]] = 1
    alive = 0
    for j in range(size):
        slot = bench.order[j]
        if bench.used[slot] or bench.locked[slot]:
            bench.order[alive] = slot
            alive += 1
    rank(bench, alive)
    return alive


@compiled
def simplify(
    board: Board, bench: Bench, size: int, literal_order: int, rule_order: int, strong: bool
) -> int:
    """Remove rules and literals until neither is possible; the new size."""
    rank(bench, size)
    changed = True
    while changed:
        before = size
        size = drop_rules(board, bench, size, rule_order, strong)
        changed = size < before
        queue = bench.order[:size].copy()
        if rule_order == 0:
            np.random.shuffle(queue)
        for q in range(size):
            slot = queue[size - 1 - q] if rule_order == 2 else queue[q]
            at = 0
            while bench.order[at] != slot:
                at += 1
            if simplify_rule(board, bench, size, 0, at, literal_order, strong):
                changed = True
    return size


@compiled
def append(board: Board, bench: Bench, size: int, p: int) -> int:
    """Line 8: a rule induced by state ``p``, as far back as it is valid; the new size.

    In the full language the end always is; where literals are missing the rule may fire in
    other states, so earlier places and the other optimal moves are tried.
    """
    free = spare(bench, size, 0)
    if free < 0:
        return size
    rest = board.optimal[p]
    while rest:
        i = choose(rest)
        rest &= ~(ONE << np.uint64(i))
        action = board.action[board.first[board.state[p]] + i]
        need = induced(board, p, action)
        for at in range(size, -1, -1):
            if place(board, bench, size, at, free, need, action, True, False):
                return size + 1
    return size


@compiled
def algorithm_2(
    board: Board,
    bench: Bench,
    size: int,
    scores: Ints,
    literal_order: int,
    rule_order: int,
    exhaustive: bool,
    seed: int,
) -> int:
    """Algorithm 2 from the tree on the bench; the size of a strongly optimal tree.

    -1 where the language cannot say one this way, -2 where the slots run out.  States come
    by ascending ``scores`` (float64 (p,)), and those that no play reaches are passed over
    until one does.
    """
    np.random.seed(seed)
    queue = np.argsort(scores)
    rank(bench, size)
    if walk(board, bench, size, -1, -1, False, False) >= 0:
        return -1
    grown = True
    while grown:
        grown = False
        for p in queue:
            if bench.seen[board.state[p]] != bench.stamp[0]:
                continue
            if board.optimal[p] == board.legal[p] or bench.lead[p] < size:
                continue
            if size + 2 >= bench.order.shape[0]:
                return -2
            more = append(board, bench, size, p)
            if more > size:
                size = more
                grown = True
                at = bench.lead[p]  # only the new rule fires there
                if exhaustive:
                    shortest(board, bench, size, at)
                else:
                    simplify_rule(board, bench, size, 0, at, literal_order, False)
            walk(board, bench, size, -1, -1, False, False)
    if walk(board, bench, size, -1, -1, False, True) >= 0:
        return -1
    return simplify(board, bench, size, literal_order, rule_order, True)


@compiled
def algorithm_1(board: Board, bench: Bench, literal_order: int, rule_order: int, seed: int) -> int:
    """Algorithm 1: a rule for every state, then single-step simplifications; the size.

    Needs as many slots as states, and two more.  -1 where the language is too poor.
    """
    np.random.seed(seed)
    size = 0
    for p in range(board.bits.shape[0]):
        action = board.action[board.first[board.state[p]] + choose(board.optimal[p])]
        put(board, bench, size, induced(board, p, action), action)
        bench.order[size] = size
        size += 1
    np.random.shuffle(bench.order[:size])
    rank(bench, size)
    if walk(board, bench, size, -1, -1, False, False) >= 0:
        return -1
    changed = True
    while changed:
        changed = False
        size = drop_dead(board, bench, size)
        queue = bench.order[:size].copy()
        if rule_order == 0:
            np.random.shuffle(queue)
        for q in range(len(queue)):
            slot = queue[len(queue) - 1 - q] if rule_order == 2 else queue[q]
            at = 0
            while at < size and bench.order[at] != slot:
                at += 1
            if at < size and simplify_rule(board, bench, size, 0, at, literal_order, False):
                changed = True
                size = drop_dead(board, bench, size)
    return drop_rules(board, bench, size, rule_order, True)

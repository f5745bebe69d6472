"""Local search over strongly optimal trees: a compiled kernel.

Moves: carry a rule elsewhere; write a rule anew from a state where it fires (or change its
action, or give it one literal more) and drop what can be dropped; insert a rule and delete
those that became redundant.  Every tree on the way is optimal.
"""

from __future__ import annotations

import numpy as np

from icgsynth.compiled import compiled
from icgsynth.fft.board import Board
from icgsynth.fft.greedy import choose, drop_rules, induced, simplify_rule
from icgsynth.fft.kernels import Bench, drop, literals, place, rank, settle, spare, walk

__all__ = ["RULE", "anneal", "cost"]

RULE = 6.0  # what a rule costs, in literals, while the search walks
MANY = 1e6  # and what it costs when the best is kept: more than all literals
ONE = np.uint64(1)
NONE = np.uint64(0)


@compiled
def cost(bench: Bench, size: int, rule: float) -> float:
    """``rule`` a rule and one a literal; the rules of a meta-rule count as rules."""
    total = 0.0
    for j in range(size):
        slot = bench.order[j]
        total += rule * max(1, bench.locked[slot]) + literals(bench, slot)
    return total


@compiled
def carry(bench: Bench, start: int, stop: int) -> None:
    """Take the rule at ``start`` to place ``stop``."""
    slot = bench.order[start]
    step = 1 if stop > start else -1
    for j in range(start, stop, step):
        bench.order[j] = bench.order[j + step]
    bench.order[stop] = slot


@compiled
def reached(board: Board, bench: Bench, slot: int) -> int:
    """A random state that play reaches, where a move is wrong, and ``slot`` fires if not -1."""
    found = -1
    many = 0
    for p in range(board.bits.shape[0]):
        if bench.seen[board.state[p]] != bench.stamp[0] or board.optimal[p] == board.legal[p]:
            continue
        if slot >= 0 and bench.fire[slot, p] == NONE:
            continue
        many += 1
        if np.random.randint(many) == 0:
            found = p
    return found


@compiled
def rewrite(board: Board, bench: Bench, size: int, at: int, insert: bool, strong: bool) -> bool:
    """Write the rule at ``at`` anew, or a new one there; whether the tree stays optimal."""
    old = -1 if insert else bench.order[at]
    p = reached(board, bench, old)
    free = spare(bench, size, size)
    if p < 0 or free < 0:
        return False
    action = board.action[board.first[board.state[p]] + choose(board.optimal[p])]
    need = induced(board, p, action)
    if not insert and np.random.random() < 0.3:
        need = bench.need[old].copy()
        bit = np.random.randint(board.literal_images.shape[1])
        if np.random.random() < 0.7:
            action = bench.act[old]
        need[bit >> 6] |= ONE << np.uint64(bit & 63)
        need &= board.offered[action]
    return place(board, bench, size, at, free, need, action, insert, strong)


@compiled
def trim(board: Board, bench: Bench, size: int, kept: int, strong: bool) -> None:
    """Try to drop one random literal of every rule."""
    for at in range(size):
        slot = bench.order[at]
        many = literals(bench, slot)
        if bench.locked[slot] or many == 0:
            continue
        pick = np.random.randint(many)
        for bit in range(bench.bits.shape[0]):
            if (bench.need[slot, bit >> 6] >> np.uint64(bit & 63)) & ONE:
                if pick == 0:
                    drop(board, bench, size, kept, at, bit, strong)
                    break
                pick -= 1


@compiled
def anneal(
    board: Board,
    bench: Bench,
    size: int,
    rounds: int,
    temperature: float,
    seed: int,
    strong: bool,
) -> int:
    """``rounds`` steps from the optimal tree on the bench; the size of the best one met.

    Fewer rules are better, then fewer literals, then later.  Its slots come in
    ``bench.kept`` and their rules in ``bench.need`` and ``bench.act``; ``bench.fire`` is
    spoiled.  Needs twice as many slots as rules and some.
    """
    np.random.seed(seed)
    rank(bench, size)
    slots = bench.order.shape[0]
    best = size
    now = cost(bench, size, RULE)
    lowest = cost(bench, size, MANY)
    top = bench.order[:size].copy()
    need = np.zeros_like(bench.need)
    act = np.zeros_like(bench.act)
    for j in range(size):
        need[j] = bench.need[top[j]]
        act[j] = bench.act[top[j]]
    for _ in range(rounds):
        if size == 0 or walk(board, bench, size, -1, -1, False, strong) >= 0:
            break
        settle(bench)
        old = size
        bench.kept[:size] = bench.order[:size]
        at = np.random.randint(size)
        kind = np.random.random()
        if kind < 0.25:
            carry(bench, at, np.random.randint(size))
            rank(bench, size)
            done = walk(board, bench, size, -1, -1, False, strong) < 0
        elif kind < 0.8:
            done = bench.locked[bench.order[at]] == 0
            if done:
                done = rewrite(board, bench, size, at, False, strong)
        else:
            at = np.random.randint(size + 1)
            done = 2 * size + 4 < slots
            if done:
                done = rewrite(board, bench, size, at, True, strong)
            if done:
                size += 1
        after = now
        if done:
            if kind >= 0.25:
                simplify_rule(board, bench, size, old, at, 0, strong)
            size = drop_rules(board, bench, size, 0, strong)
            trim(board, bench, size, old, strong)
            after = cost(bench, size, RULE)
            worse = after - now
            done = worse <= 0 or np.random.random() < np.exp(-worse / temperature)
        if not done:
            size = old
            bench.order[:size] = bench.kept[:size]
            rank(bench, size)
            continue
        now = after
        figure = cost(bench, size, MANY)
        if figure <= lowest:
            lowest = figure
            best = size
            top = bench.order[:size].copy()
            for j in range(size):
                need[j] = bench.need[top[j]]
                act[j] = bench.act[top[j]]
    bench.kept[:best] = top
    for j in range(best):
        if bench.locked[top[j]] == 0:
            bench.need[top[j]] = need[j]
            bench.act[top[j]] = act[j]
    return best

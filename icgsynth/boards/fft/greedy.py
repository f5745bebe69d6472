"""Algorithm 2 of Bolander and Pjetursson (CoG 2020), which builds a tree greedily, as kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.boards.fft.bench import FAR, Bench
from icgsynth.boards.fft.chance import arrange, choose, shuffle
from icgsynth.boards.fft.optimality import (
    NO,
    YES,
    accuse,
    drop,
    fires_at_killer,
    guard,
    list_literals,
    match,
    place,
    remove,
    spare,
)
from icgsynth.boards.fft.player_view import Ints, PlayerView
from icgsynth.boards.finite.bit_kernels import NONE, ONE
from icgsynth.process.compiled import compiled, part

RANDOM: Any = np.int64(0)  # order of literals: shuffled (1 is rising, 2 falling)
ALL: Any = np.int64(-1)  # as a number of literals to try: no limit


@part
def induce(view: PlayerView, bench: Bench, slot: int, p: int, move: int) -> None:
    """Write to ``slot`` the rule induced by state ``p`` and the ``move``-th of its moves
    (definition 8). Its literals are those that hold in the state and that ``view.offered`` lists
    for the action: others are implied, or not in the language."""
    action = np.int64(view.action[view.first[view.state[p]] + move])
    bench.act[slot] = action
    for w in range(bench.need.shape[1]):
        # All literals that hold in the state: the strongest rule that still fires there.
        bench.need[slot, w] = view.bits[p, w] & view.offered[action, w]


@part
def simplify_rule(
    view: PlayerView,
    bench: Bench,
    size: int,
    kept: int,
    at: int,
    most: int,
    strong: bool,
) -> int:
    """Drop literals of the rule at place ``at`` while the tree of ``size`` rules stays optimal
    (strongly if ``strong``). Return how many went. At most ``most`` are tried, in the order of
    ``bench.bits`` (-1: all). The slots in ``bench.kept[:kept]`` are not overwritten."""
    guard(view, bench, at)
    gone = 0
    for i in range(bench.bits.shape[0]):
        bit = bench.bits[i]
        if bench.late[0]:
            break
        if not (bench.need[bench.order[at], bit >> 6] >> np.uint64(bit & 63)) & ONE:
            continue
        if most == 0:
            break
        most -= 1
        if drop(view, bench, size, kept, at, bit, strong):
            gone += 1
    return gone


@part
def shortest(view: PlayerView, bench: Bench, size: int, at: int, strong: bool) -> None:
    """Replace the rule at place ``at`` by one with as few of its literals as keep the tree of
    ``size`` rules optimal (strongly if ``strong``); subsets are tried, the smallest first.
    ``bench.bits`` is spoiled."""
    slot = bench.order[at]
    held, pick = bench.bits, bench.pick
    count = list_literals(bench, slot, held)
    free = spare(bench, size, NO)
    bench.act[free] = bench.act[slot]
    guard(view, bench, at)
    for many in range(count):
        # The first subset of ``many`` literals in lexicographic order; below, the next one is made.
        for j in range(many):
            pick[j] = j
        while bench.late[0] == 0:
            for w in range(bench.need.shape[1]):
                bench.need[free, w] = NONE
            for j in range(many):
                i = held[pick[j]]
                bench.need[free, i >> 6] |= ONE << np.uint64(i & 63)
            # Three tests, the cheapest first: a killer known already, the states where this rule
            # must not fire, and play with the whole tree.
            if not fires_at_killer(bench, free):
                p, g = match(view, bench, free, YES)
                if p >= 0:
                    accuse(view, bench, p, g)
                elif place(view, bench, size, at, free, NO, strong):
                    return
            j = many - 1
            # The last index that can still rise does so by one; those after it follow closely.
            while j >= 0 and pick[j] == count - many + j:
                j -= 1
            if j < 0:
                break
            pick[j] += 1
            for i in range(j + 1, many):
                pick[i] = pick[i - 1] + 1


@compiled
def drop_rules(view: PlayerView, bench: Bench, size: int, order: int, strong: bool) -> int:
    """Drop rules of the tree ``bench.order[:size]`` without which it stays optimal (strongly if
    ``strong``); return the new size. They are tried at random (``order`` 0), from the left (1) or
    from the right (2)."""
    for q in range(queue_slots(bench, size, order)):
        if bench.late[0]:
            break
        # Places shift as rules go, so the queue holds slots, and the place is looked up.
        if remove(view, bench, size, where(bench, size, bench.queue[q]), strong):
            size -= 1
    return size


@part
def queue_slots(bench: Bench, size: int, order: int) -> int:
    """Write the slots ``bench.order[:size]`` to ``bench.queue``: shuffled (``order`` 0), from the
    left (1) or from the right (2); return ``size``."""
    queue = bench.queue
    arrange(bench, queue, size, order)
    for j in range(size):
        queue[j] = bench.order[queue[j]]
    return size


@part
def where(bench: Bench, size: int, slot: int) -> int:
    """Return the index of ``slot`` in ``bench.order[:size]``, or ``size`` if it is not there."""
    at = 0
    while at < size and bench.order[at] != slot:
        at += 1
    return at


@compiled
def simplify(
    view: PlayerView, bench: Bench, size: int, literal_order: int, rule_order: int, strong: bool
) -> int:
    """Drop rules and literals of the tree ``bench.order[:size]`` while it stays optimal (strongly
    if ``strong``), until none can go or time is up; return the new size. ``literal_order``,
    ``rule_order``: they are tried at random (0), from the first on (1) or from the last on (2)."""
    changed = True
    while changed and bench.late[0] == 0:
        before = size
        size = drop_rules(view, bench, size, rule_order, strong)
        changed = size < before
        for q in range(queue_slots(bench, size, rule_order)):
            at = where(bench, size, bench.queue[q])
            shuffle(bench, literal_order)
            if simplify_rule(view, bench, size, NO, at, ALL, strong):
                changed = True
    return size


@part
def append(view: PlayerView, bench: Bench, size: int, p: int, strong: bool) -> int:
    """Insert a rule induced by state ``p`` into the tree of ``size`` rules, as late as it stays
    optimal (line 8 of Algorithm 2; strongly if ``strong``); return its place, or -1. In the full
    language it can always be last; where literals are missing the rule may fire in other states, so
    earlier places and the other optimal moves are tried."""
    free = spare(bench, size, NO)
    # The optimal moves in a drawn order; each is tried at all places from the end to the front.
    rest = view.optimal[p]
    while rest:
        move = choose(bench, rest)
        rest &= ~(ONE << np.uint64(move))
        induce(view, bench, free, p, move)
        match(view, bench, free, NO)
        for at in range(size, -1, -1):
            if bench.late[0]:
                return -1
            if place(view, bench, size, at, free, YES, strong):
                return at
    return -1


@compiled
def algorithm_2(
    view: PlayerView,
    bench: Bench,
    size: int,
    queue: Ints,
    exhaustive: bool,
    strong: bool,
) -> int:
    """Complete the weakly optimal tree of ``size`` rules by Algorithm 2; return the new size.

    A rule is added for each state of ``queue`` (indices of the player's states, in this order) that
    play reaches and no rule decides, while the tree stays optimal (strongly if ``strong``). If
    ``exhaustive``, new rules are shortened by trying all subsets of their literals. -1 where the
    slots run out; where time is up, the size by then."""
    grown = True
    while grown:
        grown = False
        for q in range(queue.shape[0]):
            p = queue[q]
            if bench.late[0]:
                return size
            # Nothing to do: play does not come here, or a rule decides already.
            if bench.base[view.state[p]] == FAR or bench.lead[p] < size:
                continue
            if view.optimal[p] == view.legal[p]:
                continue
            if size + 2 >= bench.order.shape[0]:
                return -1
            at = append(view, bench, size, p, strong)
            if at < 0:
                continue
            size += 1
            grown = True
            if exhaustive:
                shortest(view, bench, size, at, strong)
            else:
                shuffle(bench, RANDOM)
                simplify_rule(view, bench, size, NO, at, ALL, strong)
    return size

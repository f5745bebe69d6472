"""Simulated annealing over optimal trees, as a compiled kernel.

A step changes one rule (:data:`STEPS`), then drops what can be dropped and deletes the rules that
became redundant.  Every tree on the way is optimal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.boards.fft.bench import FAR, FLAW, KILLERS, TESTS, Bench
from icgsynth.boards.fft.chance import choose, draw, shuffle
from icgsynth.boards.fft.greedy import ALL, RANDOM, drop_rules, induce, simplify_rule
from icgsynth.boards.fft.optimality import (
    NO,
    YES,
    accuse,
    adopt,
    guard,
    literals,
    match,
    place,
    spare,
)
from icgsynth.boards.fft.player_view import PlayerView
from icgsynth.boards.finite.bit_kernels import NONE, ONE
from icgsynth.process.compiled import compiled, part

RULE: Any = np.float64(6.0)  # the cost of a rule, in literals, during the search
MANY: Any = np.float64(1e6)  # the cost of a rule in comparing best trees: more than all literals
BILLION: Any = np.int64(1_000_000_000)

# The kinds of steps, and how often each is drawn: move a rule elsewhere, rewrite a rule from a
# state where it fires, or insert one more.
CARRY, REWRITE, INSERT = range(3)
STEPS = (25, 55, 20)  # shares: out of 100 steps carry, rewrite, insert
# How a rule is written: grown from no literal, induced by the state, or the old rule with a literal
# more.  An inserted rule has no old one, and is induced instead.
GROW, INDUCE, LENGTHEN = range(3)
WRITINGS = (4, 3, 3)  # shares: out of 10 rules grow, induce, lengthen
# Which action a lengthened rule has: the old one, or that of the state.
OLD_ACTION, NEW_ACTION = range(2)
ACTIONS = (7, 3)  # shares: out of 10 rules the old action, the new one


@part
def one_of(bench: Bench, table: tuple[int, ...]) -> int:
    """Return a random index of ``table``; each index is drawn in proportion to its entry."""
    total: Any = np.int64(0)
    for many in table:
        total += many
    left = draw(bench, total)
    place = 0
    while left >= table[place]:
        left -= table[place]
        place += 1
    return place


@part
def cost(bench: Bench, size: int, rule: float) -> float:
    """Return the cost of the tree ``bench.order[:size]`` (slots of rules): ``rule`` for each rule,
    and 1 for each literal."""
    total = 0.0
    for j in range(size):
        slot = bench.order[j]
        # A locked slot stands for as many rules as `locked` says; its literals are its `weight`.
        total += rule * max(1, bench.locked[slot]) + literals(bench, slot)
    return total


@part
def carry(view: PlayerView, bench: Bench, size: int, start: int, stop: int, strong: bool) -> bool:
    """Move the rule at place ``start`` of the tree ``bench.order[:size]`` to place ``stop`` if the
    tree stays optimal: strongly if ``strong``, else weakly. Return whether it was moved."""
    for j in range(size):
        bench.trial[j] = bench.order[j]
    step = 1 if stop > start else -1
    # The rules between the two places move one place towards `start`.
    for j in range(start, stop, step):
        bench.trial[j] = bench.order[j + step]
    bench.trial[stop] = bench.order[start]
    return adopt(view, bench, size, min(start, stop), strong)


@part
def draw_reached_state(view: PlayerView, bench: Bench, slot: int) -> int:
    """Return a random state of the player that play with the tree reaches and where some move is
    wrong; if ``slot`` >= 0, one where the rule in this slot fires. -1 where there is none."""
    found = -1
    many = 0
    for p in range(view.legal.shape[0]):
        if bench.base[view.state[p]] == FAR or view.optimal[p] == view.legal[p]:
            continue
        if slot >= 0 and bench.fire[slot, p] == NONE:
            continue
        many += 1
        # The k-th candidate is chosen in place of the last with chance 1 / k: all are as likely.
        if draw(bench, many) == 0:
            found = p
    return found


@part
def rewrite(view: PlayerView, bench: Bench, size: int, at: int, more: int, strong: bool) -> bool:
    """Replace the rule at place ``at`` of the tree ``bench.order[:size]`` by a random new one, or
    insert one before it if ``more`` is 1. Return False, the tree unchanged, where it would not stay
    optimal (strongly if ``strong``, else weakly)."""
    old: Any = np.int64(-1) if more else bench.order[at]
    p = draw_reached_state(view, bench, old)
    free = spare(bench, size, size)
    if p < 0 or free < 0:
        return False
    writing = one_of(bench, WRITINGS)
    guard(view, bench, at)
    if writing == GROW:
        return compose(view, bench, size, at, p, more, strong)
    induce(view, bench, free, p, choose(bench, view.optimal[p]))
    # The old rule with one drawn literal more; the action may be that of the state. Literals that
    # its action does not offer fall away.
    if more == 0 and writing == LENGTHEN:
        for w in range(bench.need.shape[1]):
            bench.need[free, w] = bench.need[old, w]
        if one_of(bench, ACTIONS) == OLD_ACTION:
            bench.act[free] = bench.act[old]
        bit = draw(bench, view.literal_images.shape[1])
        bench.need[free, bit >> 6] |= ONE << np.uint64(bit & 63)
        for w in range(bench.need.shape[1]):
            bench.need[free, w] &= view.offered[bench.act[free], w]
    p, _ = match(view, bench, free, YES)
    return p < 0 and place(view, bench, size, at, free, more, strong)


@part
def compose(
    view: PlayerView, bench: Bench, size: int, at: int, p: int, more: int, strong: bool
) -> bool:
    """Put a new rule for state ``p`` at place ``at``, inserted if ``more`` is 1, else in place of
    the old. It has an optimal action and at first no literal; each counterexample adds one that
    holds in ``p``, not there. Return whether the tree stays optimal (strongly if ``strong``)."""
    slot = spare(bench, size, size)
    move = choose(bench, view.optimal[p])
    action = np.int64(view.action[view.first[view.state[p]] + move])
    bench.act[slot] = action
    for w in range(bench.need.shape[1]):
        bench.need[slot, w] = NONE
    while True:
        wrong, g = match(view, bench, slot, YES)
        if wrong < 0:
            if place(view, bench, size, at, slot, more, strong):
                return True
            wrong = bench.tally[FLAW]
            # Another rule makes the wrong move: no literal of this one mends that.
            if bench.next_lead[wrong] != at:
                return False
            g = culprit(view, bench, slot, wrong)
            if g < 0:
                return False
        # Keep one killer only: the counterexample, as the symmetry that fires there maps it.
        bench.tally[KILLERS] = 0
        accuse(view, bench, wrong, g)
        many = 0
        chosen = -1
        for i in range(view.literal_images.shape[1]):
            bit = ONE << np.uint64(i & 63)
            w = i >> 6
            # Candidates hold in p, so that the rule still fires there, and do not hold at the
            # counterexample.
            if view.bits[p, w] & view.offered[action, w] & ~bench.killers[0, w] & bit:
                many += 1
                if draw(bench, many) == 0:
                    chosen = i
        if chosen < 0:
            return False
        bench.need[slot, chosen >> 6] |= ONE << np.uint64(chosen & 63)


@part
def culprit(view: PlayerView, bench: Bench, slot: int, p: int) -> int:
    """Return the index of a symmetry such that the image of the rule in ``slot`` plays a wrong move
    in state ``p``; -1 if there is none."""
    action = bench.act[slot]
    for g in range(view.action_images.shape[0]):
        # The image's action has to be a legal and wrong move, and all its literals have to hold.
        local = np.int64(view.local[p, view.action_images[g, action]])
        if local < 0 or (view.optimal[p] >> np.uint64(local)) & ONE:
            continue
        holds = True
        for i in range(view.literal_images.shape[1]):
            if (bench.need[slot, i >> 6] >> np.uint64(i & 63)) & ONE:
                j = np.int64(view.literal_images[g, i])
                if not (view.bits[p, j >> 6] >> np.uint64(j & 63)) & ONE:
                    holds = False
                    break
        if holds:
            return g
    return -1


@part
def save(bench: Bench, size: int) -> None:
    for j in range(size):
        bench.kept[j] = bench.order[j]
    for p in range(bench.lead.shape[0]):
        bench.kept_lead[p] = bench.lead[p]
    for s in range(bench.base.shape[0]):
        bench.kept_base[s] = bench.base[s]


@part
def restore(bench: Bench, size: int) -> None:
    for j in range(size):
        bench.order[j] = bench.kept[j]
    for p in range(bench.lead.shape[0]):
        bench.lead[p] = bench.kept_lead[p]
    for s in range(bench.base.shape[0]):
        bench.base[s] = bench.kept_base[s]


@part
def note(bench: Bench, size: int) -> int:
    """Copy the tree ``bench.order[:size]``, with each rule's literals and action, to
    ``bench.best``, ``best_need`` and ``best_act``; return ``size``."""
    for j in range(size):
        slot = bench.order[j]
        bench.best[j] = slot
        bench.best_act[j] = bench.act[slot]
        for w in range(bench.need.shape[1]):
            bench.best_need[j, w] = bench.need[slot, w]
    return size


@part
def recall(bench: Bench, size: int) -> None:
    """Copy the tree in ``bench.best``, of ``size`` rules, to ``bench.kept``, and the literals and
    actions of its rules back to their slots."""
    for j in range(size):
        slot = bench.best[j]
        bench.kept[j] = slot
        if bench.locked[slot] == 0:
            bench.act[slot] = bench.best_act[j]
            for w in range(bench.need.shape[1]):
                bench.need[slot, w] = bench.best_need[j, w]


@compiled
def anneal(
    view: PlayerView,
    bench: Bench,
    size: int,
    effort: int,
    temperature: float,
    strong: bool,
) -> int:
    """Improve the optimal tree ``bench.order[:size]`` by annealing; return the size of the best
    tree met, after ``effort`` tests of rules and trees.

    A step to a tree that costs c more is taken with chance exp(-c / ``temperature``). Trees stay
    strongly optimal if ``strong``, else weakly. Best has the fewest rules, then literals, then is
    last; its slots come in ``bench.kept``, their rules in ``bench.need`` and ``bench.act``."""
    bench.tally[TESTS] = 0
    slots = bench.order.shape[0]
    now = cost(bench, size, RULE)
    lowest = cost(bench, size, MANY)
    best = note(bench, size)
    while size > 0 and bench.tally[TESTS] < effort and bench.late[0] == 0:
        old = size
        save(bench, size)
        at = draw(bench, size)
        step = one_of(bench, STEPS)
        if step == CARRY:
            done = carry(view, bench, size, at, draw(bench, size), strong)
        elif step == REWRITE:
            free = bench.locked[bench.order[at]] == 0
            done = free and rewrite(view, bench, size, at, NO, strong)
        else:
            at = draw(bench, size + 1)
            # The tree and its saved copy may have no slot in common, and trials need some more.
            done = 2 * size + 4 < slots and rewrite(view, bench, size, at, YES, strong)
            if done:
                size += 1
        if not done:
            bench.tally[TESTS] += 1
            continue
        if step != CARRY:
            shuffle(bench, RANDOM)
            simplify_rule(view, bench, size, old, at, ALL, strong)
        size = drop_rules(view, bench, size, RANDOM, strong)
        for at in range(size):
            shuffle(bench, RANDOM)
            simplify_rule(view, bench, size, old, at, YES, strong)
        after = cost(bench, size, RULE)
        worse = after - now
        # What costs more is kept with chance exp(-worse / temperature) (Metropolis et al. 1953).
        chance = (draw(bench, BILLION) + 0.5) / BILLION
        if worse > 0 and chance >= np.exp(-worse / temperature):
            size = old
            restore(bench, size)
            continue
        now = after
        figure = cost(bench, size, MANY)
        if figure <= lowest:
            lowest = figure
            best = note(bench, size)
    recall(bench, best)
    return best

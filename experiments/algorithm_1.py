"""Algorithm 1 of Bolander and Pjetursson (CoG 2020): a rule for every state, then fewer rules."""

from __future__ import annotations

from icgsynth.boards.fft.bench import Bench
from icgsynth.boards.fft.chance import choose, shuffle
from icgsynth.boards.fft.greedy import (
    ALL,
    RANDOM,
    drop_rules,
    induce,
    queue_slots,
    simplify_rule,
    where,
)
from icgsynth.boards.fft.optimality import NO, adopt, match
from icgsynth.boards.fft.player_view import PlayerView
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.tree import EMPTY, Tree
from icgsynth.process.compiled import compiled, part

__all__ = ["algorithm_1"]


def algorithm_1(workshop: Workshop, seed: int = 0) -> Tree | None:
    """The optimal tree that one run finds; None where the language cannot say it this way."""
    view = workshop.view
    workshop.stands(workshop.load(EMPTY, len(view.bits) + 4), False, seed)
    bench = workshop.bench  # with a slot for each state
    size = _simplified(view, bench, RANDOM, RANDOM, False)
    if size < 0 or not workshop.stands(size, True, seed):
        return None
    return workshop.read(drop_rules(view, bench, size, RANDOM, True))


@part
def drop_dead(view: PlayerView, bench: Bench, size: int, strong: bool) -> int:
    """Definition 9, part 2: without the rules that fire first in no state; the new size."""
    used = bench.used
    for slot in range(used.shape[0]):
        used[slot] = 0
    for p in range(view.legal.shape[0]):
        if bench.lead[p] < size:
            used[bench.order[bench.lead[p]]] = 1
    alive = 0
    for j in range(size):
        slot = bench.order[j]
        if used[slot] or bench.locked[slot]:
            bench.trial[alive] = slot
            alive += 1
    if alive < size:
        adopt(view, bench, alive, NO, strong)
    return alive


@compiled
def _simplified(
    view: PlayerView, bench: Bench, literal_order: int, rule_order: int, strong: bool
) -> int:
    """The size of the tree, on the bench: a rule for every state, then single simplifications.

    Needs as many slots as states, and two more.  -1 where the language is too poor.
    """
    size = 0
    for p in range(view.legal.shape[0]):
        induce(view, bench, size, p, choose(bench, view.optimal[p]))
        match(view, bench, size, NO)
        bench.order[size] = size
        size += 1
    for q in range(queue_slots(bench, size, RANDOM)):
        bench.trial[q] = bench.queue[q]
    if not adopt(view, bench, size, NO, strong):
        return -1
    changed = True
    while changed and bench.late[0] == 0:
        changed = False
        size = drop_dead(view, bench, size, strong)
        for q in range(queue_slots(bench, size, rule_order)):
            at = where(bench, size, bench.queue[q])
            if at >= size:
                continue
            shuffle(bench, literal_order)
            if simplify_rule(view, bench, size, NO, at, ALL, strong):
                changed = True
                size = drop_dead(view, bench, size, strong)
    return size

"""Compiled kernels: which moves a rule fires, and whether a tree is optimal.

A tree on the :class:`~icgsynth.boards.fft.bench.Bench` changes by :func:`adopt` alone, which takes
a trial list for the tree if it is optimal too.  What makes that fast is ``bench.base``: for every
state that play reaches, the least place such that rules before it (or no rule: the size) suffice to
come there.  A rule that fires a wrong move in a state with a base before its own place, where no
rule before it fires, is wrong whatever else the tree holds; most trials end there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.boards.fft.bench import FAR, FLAW, KILLERS, STAMP, TESTS, Bench
from icgsynth.boards.fft.player_view import Ints, PlayerView
from icgsynth.boards.finite.bit_kernels import NONE, ONE, lowest, popcount
from icgsynth.process.compiled import compiled, part

# The numbers 0 and 1 as arguments of kernels.  Numba compiles a function once more for an argument
# that is written as a literal number, and not for one that is read from a name.
NO: Any = np.int64(0)
YES: Any = np.int64(1)  # so that numba compiles no function twice

# --- slots --------------------------------------------------------------------


@part
def spare(bench: Bench, size: int, kept: int) -> int:
    """Return a slot that holds no meta-rule and is in neither ``bench.order[:size]`` nor
    ``bench.kept[:kept]``; -1 if there is none."""
    used = bench.used
    for slot in range(used.shape[0]):
        used[slot] = 0
    for j in range(size):
        used[bench.order[j]] = 1
    for j in range(kept):
        used[bench.kept[j]] = 1
    for slot in range(used.shape[0]):
        if used[slot] == 0 and bench.locked[slot] == 0:
            return slot
    return -1


@part
def literals(bench: Bench, slot: int) -> int:
    """Return the number of literals of the rule or meta-rule in slot ``slot``."""
    if bench.locked[slot]:
        many: int = bench.weight[slot]
        return many
    count = 0
    for w in range(bench.need.shape[1]):
        count += popcount(bench.need[slot, w])
    return count


# --- what a rule fires ----------------------------------------------------------


@part
def guard(view: PlayerView, bench: Bench, at: int) -> None:
    """Write to ``bench.bad`` the states in which each action is wrong for a rule at place ``at`` of
    the tree: play comes there by earlier rules alone, and none of these fires."""
    bench.tally[KILLERS] = 0
    bad = bench.bad
    for act in range(bad.shape[0]):
        for v in range(bad.shape[1]):
            bad[act, v] = NONE
    for p in range(view.legal.shape[0]):
        s = np.int64(view.state[p])
        # A rule before ``at`` decides there, or play comes there by this or later rules alone.
        if bench.lead[p] < at or bench.base[s] >= at:
            continue
        bit = ONE << np.uint64(p & 63)
        rest = view.legal[p] & ~view.optimal[p]
        start = np.int64(view.first[s])
        while rest:
            bad[view.action[start + lowest(rest)], p >> 6] |= bit
            rest &= rest - ONE


@part
def accuse(view: PlayerView, bench: Bench, p: int, g: int) -> None:
    """Add state ``p``, mapped by the symmetry of index ``g``, to ``bench.killers``: a rule must not
    fire there. A rule whose literals hold in a killer, its action unchanged, fires in ``p``."""
    killers = bench.killers
    count = bench.tally[KILLERS]
    if count == killers.shape[0]:
        count = NO
    bench.tally[KILLERS] = count + 1
    # A killer is the state as the element sees it: the rule (need, action) fires at the state by
    # this element iff need is a subset of the killer. So a trial rule with fewer literals, which is
    # such a subset, is wrong without a further test.
    for w in range(killers.shape[1]):
        killers[count, w] = NONE
    for i in range(view.literal_images.shape[1]):
        j = np.int64(view.literal_images[g, i])
        if (view.bits[p, j >> 6] >> np.uint64(j & 63)) & ONE:
            killers[count, i >> 6] |= ONE << np.uint64(i & 63)


@part
def fires_at_killer(bench: Bench, slot: int) -> bool:
    """Return whether the literals of the rule in ``slot`` all hold in one of the states
    ``bench.killers``, in which it must not fire."""
    for k in range(bench.tally[KILLERS]):
        inside = True
        for w in range(bench.need.shape[1]):
            # need is a subset of the killer iff no bit of need lies outside it.
            if bench.need[slot, w] & ~bench.killers[k, w]:
                inside = False
        if inside:
            return True
    return False


@part
def list_literals(bench: Bench, slot: int, out: Ints) -> int:
    """Write the indices of the literals of the rule in ``slot`` to ``out``; return their number."""
    count = 0
    for i in range(bench.bits.shape[0]):
        if (bench.need[slot, i >> 6] >> np.uint64(i & 63)) & ONE:
            out[count] = i
            count += 1
    return count


@compiled
def match(view: PlayerView, bench: Bench, slot: int, guarded: int) -> tuple[int, int]:
    """Write the moves that the rule in ``slot`` fires, by state, to ``bench.fire``; return (-1,
    -1). If ``guarded`` is not 0, stop at the first move in ``bench.bad``; return its state and the
    index of the symmetry whose image of the rule fires it. Sets are met 64 states at a time."""
    bench.tally[TESTS] += 1
    held = bench.held
    count = list_literals(bench, slot, held)
    there, fired, acts = bench.there, bench.fired, bench.acts
    words = there.shape[0]
    action = bench.act[slot]
    bench.tally[STAMP] += 1
    stamp = bench.tally[STAMP]
    found = 0
    for g in range(view.action_images.shape[0]):
        act = np.int64(view.action_images[g, action])
        some = ONE
        for v in range(words):
            there[v] = view.able[act, v]  # below: and where all literals of the image hold
        for j in range(count):
            literal = np.int64(view.literal_images[g, held[j]])
            some = NONE
            for v in range(words):
                there[v] &= view.having[literal, v]
                some |= there[v]
            if some == NONE:
                break
        if some == NONE:
            continue
        if guarded != 0:
            some = NONE
            for v in range(words):
                some |= there[v] & bench.bad[act, v]
            if some:
                for v in range(words):
                    some = there[v] & bench.bad[act, v]
                    if some:
                        return (v << 6) + lowest(some), g
        if bench.met[act] != stamp:  # fired[act] is of another rule
            bench.met[act] = stamp
            acts[found] = act
            found += 1
            for v in range(words):
                fired[act, v] = there[v]
        else:
            for v in range(words):
                fired[act, v] |= there[v]
    fire = bench.fire
    for p in range(fire.shape[1]):
        fire[slot, p] = NONE
    for j in range(found):
        act = acts[j]
        for v in range(words):
            rest = fired[act, v]
            while rest:
                p = (v << 6) + lowest(rest)
                rest &= rest - ONE
                fire[slot, p] |= ONE << np.uint64(view.local[p, act])
    return -1, -1


# --- whether a tree is optimal ----------------------------------------------------


@compiled
def adopt(view: PlayerView, bench: Bench, size: int, low: int, strong: bool) -> bool:
    """Make ``bench.trial[:size]`` the tree if it is optimal (Definition 4); return whether it is.

    Where no rule fires all legal moves must be optimal if ``strong``. The trial must not differ
    from the present tree before place ``low``. If it is not optimal, ``bench.tally[FLAW]`` is a
    state of the player that play reaches and in which a move is wrong."""
    bench.tally[TESTS] += 1
    trial, lead = bench.trial, bench.next_lead
    for p in range(view.legal.shape[0]):
        j: Any = np.int64(bench.lead[p])
        if j >= low:
            j = low
            # The rules before ``low`` are the old ones, and none of them fires here: the search
            # starts there.
            while j < size and bench.fire[trial[j], p] == NONE:
                j += 1
            # Rules that did not change lead here, so a wrong move is a flaw whatever the walk
            # finds.
            if bench.base[view.state[p]] < low:
                moves = view.legal[p] if strong else NONE
                if j < size:
                    moves = bench.fire[trial[j], p]
                if moves & ~view.optimal[p]:
                    bench.tally[FLAW] = p
                    return False
        lead[p] = j
    if not walk(view, bench, size, strong):
        return False
    for j in range(size):
        bench.order[j] = trial[j]
    for p in range(view.legal.shape[0]):
        bench.lead[p] = lead[p]
    stamp = bench.tally[STAMP]
    for s in range(bench.base.shape[0]):
        bench.base[s] = bench.next_base[s] if bench.seen[s] == stamp else FAR
    return True


@part
def walk(view: PlayerView, bench: Bench, size: int, strong: bool) -> bool:
    """Play by the tree ``bench.trial[:size]``; return whether its moves in all reached states are
    optimal.

    Where no rule fires all legal moves are made if ``strong``, else the optimal ones. The states
    reached get the new stamp in ``bench.seen``. Their ``bench.next_base`` is the least place up to
    which rules must be read on some way there, found as by Dijkstra (1959)."""
    bench.tally[STAMP] += 1
    stamp = bench.tally[STAMP]
    seen, base, stack, waiting = bench.seen, bench.next_base, bench.stack, bench.waiting
    seen[0] = stamp
    base[0] = -1
    stack[0] = 0
    top = 1
    level = -1
    queue = 0
    while True:
        while top > 0:
            top -= 1
            # The stack holds states that can be reached with rules up to the place `level` alone.
            s = np.int64(stack[top])
            p = np.int64(view.who[s])
            start = np.int64(view.first[s])
            stop = np.int64(view.first[s + 1])
            moves = ~NONE
            # The latest place of a rule on the way to s; after s the place of its own counts, too.
            last: Any = level
            if p >= 0:
                j = np.int64(bench.next_lead[p])
                last = max(level, j)
                if j < size:
                    moves = bench.fire[bench.trial[j], p]
                elif strong:
                    moves = view.legal[p]
                else:
                    moves = view.optimal[p]
                if moves & ~view.optimal[p]:
                    bench.tally[FLAW] = p
                    return False
            for m in range(start, stop):
                t = np.int64(view.target[m])
                if t < 0 or not (moves >> np.uint64(m - start)) & ONE:
                    continue
                if seen[t] == stamp and base[t] <= last:
                    continue
                # A state is entered anew if the way to it now asks for fewer rules than the last.
                new = seen[t] != stamp
                seen[t] = stamp
                base[t] = last
                # Within the level it is looked at at once, else it waits for its level.
                if last <= level:
                    stack[top] = t
                    top += 1
                elif new:
                    waiting[queue] = t
                    queue += 1
        # Nothing is left at this level: on to the least level at which a state waits.
        following: Any = FAR
        for i in range(queue):
            there = np.int64(base[waiting[i]])
            if level < there < following:
                following = there
        if following == FAR:
            return True
        left = 0
        for i in range(queue):
            t = np.int64(waiting[i])
            if base[t] == following:
                stack[top] = t
                top += 1
            elif base[t] > following:
                waiting[left] = t
                left += 1
        queue = left
        level = following


# --- single steps -----------------------------------------------------------------


@part
def place(
    view: PlayerView, bench: Bench, size: int, at: int, slot: int, more: int, strong: bool
) -> bool:
    """Insert the rule in ``slot`` at place ``at`` if ``more`` is 1, else replace the rule there.
    Return False, the tree unchanged, where it would not be optimal (strongly if ``strong``)."""
    for j in range(at):
        bench.trial[j] = bench.order[j]
    bench.trial[at] = slot
    for j in range(at + 1 - more, size):
        bench.trial[j + more] = bench.order[j]
    return adopt(view, bench, size + more, at, strong)


@part
def remove(view: PlayerView, bench: Bench, size: int, at: int, strong: bool) -> bool:
    """Remove the rule at place ``at`` of the tree ``bench.order[:size]``, unless it is a meta-rule
    or the tree would not stay optimal (strongly if ``strong``); return whether it was removed."""
    if bench.locked[bench.order[at]]:
        return False
    for j in range(size - 1):
        bench.trial[j] = bench.order[j if j < at else j + 1]
    return adopt(view, bench, size - 1, at, strong)


@part
def drop(
    view: PlayerView, bench: Bench, size: int, kept: int, at: int, bit: int, strong: bool
) -> bool:
    """Drop the literal of index ``bit`` from the rule at place ``at`` if the tree of ``size`` rules
    stays optimal (strongly if ``strong``); return whether it was dropped. ``bench.kept[:kept]``:
    slots not to be reused."""
    slot = bench.order[at]
    word = bit >> 6
    mask = ONE << np.uint64(bit & 63)
    if bench.locked[slot] or not bench.need[slot, word] & mask:
        return False
    free = spare(bench, size, kept)
    if free < 0:
        return False
    for w in range(bench.need.shape[1]):
        bench.need[free, w] = bench.need[slot, w]
    bench.need[free, word] &= ~mask
    bench.act[free] = bench.act[slot]
    if fires_at_killer(bench, free):
        return False
    p, g = match(view, bench, free, YES)
    if p >= 0:
        accuse(view, bench, p, g)
        return False
    return place(view, bench, size, at, free, NO, strong)

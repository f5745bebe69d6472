"""The memory of the compiled kernels for trees: rules in slots, lists of slots, and scratch arrays.

A tree is a list ``order[:size]`` of slots; a slot holds one rule, or one locked group of rules (a
meta-rule), and the moves that it fires in every state of the player.  Slots are never overwritten
while a list refers to them, so that a change is taken back by restoring the list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from icgsynth.boards.fft.player_view import Ints, PlayerView
from icgsynth.digits.arrays import Words

FAR = 1_000_000  # an index past the end of every list of rules
_KILLERS = 512  # states remembered where a rule must not fire; past that, collected anew
STAMP, TESTS, FLAW, KILLERS = range(4)  # indices of Bench.tally


class Bench(NamedTuple):
    """The kernels' memory: c slots, p player's states, n states, g symmetries, w words."""

    need: Words  # (c, w): the literals of the rule
    act: Ints  # int64 (c,): its action
    locked: Ints  # int64 (c,): rules in the meta-rule, 0 for a free rule
    weight: Ints  # int64 (c,): literals in the meta-rule
    fire: Words  # (c, p): mask of the moves it fires
    order: Ints  # int64 (c,): the tree
    trial: Ints  # int64 (c,): a tree that may take its place
    kept: Ints  # int64 (c,): a list to go back to, whose slots must live
    queue: Ints  # int64 (c,): slots in the order in which they are tried
    best: Ints  # int64 (c,): the slots of the best tree met; their rules:
    best_need: Words  # (c, w)
    best_act: Ints  # int64 (c,)
    used: Ints  # int8 (c,)
    lead: Ints  # int32 (p,): the place of the first rule that fires, the size where none does
    next_lead: Ints  # int32 (p,): as ``lead``, for the trial
    kept_lead: Ints  # int32 (p,)
    base: Ints  # int32 (n,): least place to which the list must be read on a way there, or FAR
    next_base: Ints  # int32 (n,): as ``base``, for the trial, where it was seen
    kept_base: Ints  # int32 (n,)
    seen: Ints  # int32 (n,): the stamp of the last walk that met the state
    stack: Ints  # int32 (n + 1,)
    waiting: Ints  # int32 (n + 1,)
    bad: Words  # (actions, v): the states where a rule at some place must not fire it
    tally: Ints  # int64 (4,): the last stamp; tests made; the last flaw; killers known
    chance: Words  # (1,): the state of the random numbers
    bits: Ints  # int64 (signed literals,): literals in a random order
    held: Ints  # int64 (64 * w,): the literals of the rule under trial
    pick: Ints  # int64 (64 * w,): places of some of a rule's literals in their list
    killers: Words  # (k, w): literals that hold where a rule must not fire
    there: Words  # (v,): the states where an image of the rule under trial fires
    fired: Words  # (actions, v): those where some image does, by action
    acts: Ints  # int64 (actions,): the actions of its images
    met: Ints  # int64 (actions,): the stamp of the last rule that had the action
    late: Ints  # int64 (1,): not 0 once the time is over; a search then ends with what it has


def bench_for(view: PlayerView, slots: int, late: Ints) -> Bench:
    """Return a new bench, the memory of the compiled searches, for ``slots`` rules of trees for
    ``view``. A search in it ends early once ``late[0]`` is not 0, which another thread may set."""
    (p, w), n = view.bits.shape, len(view.who)
    actions, v = view.able.shape
    long, short, word = np.int64, np.int32, np.uint64
    return Bench(
        **_zeros(word, (slots, w), "need", "best_need"),
        **_zeros(long, (slots,), "act", "locked", "weight", "best_act"),
        **_zeros(long, (slots,), "order", "trial", "kept", "queue", "best"),
        **_zeros(word, (slots, p), "fire"),
        **_zeros(np.int8, (slots,), "used"),
        **_zeros(short, (p,), "lead", "next_lead", "kept_lead"),
        base=np.full(n, FAR, short),
        **_zeros(short, (n,), "next_base", "kept_base", "seen"),
        **_zeros(short, (n + 1,), "stack", "waiting"),
        **_zeros(word, (actions, v), "bad", "fired"),
        **_zeros(long, (4,), "tally"),
        **_zeros(word, (1,), "chance"),
        bits=np.arange(view.literal_images.shape[1], dtype=long),
        **_zeros(long, (64 * w,), "held", "pick"),
        **_zeros(word, (_KILLERS, w), "killers"),
        **_zeros(word, (v,), "there"),
        **_zeros(long, (actions,), "acts", "met"),
        late=late,
    )


def _zeros(kind: type[np.generic], shape: tuple[int, ...], *names: str) -> dict[str, Ints]:
    return {name: np.zeros(shape, kind) for name in names}

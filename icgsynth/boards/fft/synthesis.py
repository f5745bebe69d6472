"""Find short optimal trees of a solved game: an anytime search, and one greedy run.

:func:`improve` is the anytime interface: it yields each better tree once a fresh match of all its
rules has confirmed it.  :func:`greedy` runs Algorithm 2 of the paper once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from icgsynth.boards.fft.anneal import anneal
from icgsynth.boards.fft.greedy import RANDOM, algorithm_2, simplify
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.tree import EMPTY, Tree
from icgsynth.errors import Refused

StateOrder: TypeAlias = Literal["random", "near_end", "far_end", "near_start"]
Order: TypeAlias = Literal["random", "forward", "backward"]

_ORDERS: tuple[Order, ...] = ("random", "forward", "backward")
_MIXED: tuple[StateOrder, ...] = ("random", "near_end", "far_end")
_TEMPERATURES = (0.5, 2.0, 4.0)  # literals that a worse step may cost, in turn
_POOL = 4  # best trees that are kept and annealed in turn
_BURST = 0.4  # seconds between two looks at the clock
_RESTARTS = 0.15  # share of the budget for fresh starts, before the pool is annealed
_MOST_RESTARTS = 4.0  # seconds at most for fresh starts
_SPARE = 512  # extra slots for rules, so that a small game has enough


@dataclass(frozen=True)
class GreedyChoices:
    """The options of Algorithm 2: the orders that its lines 6, 9 and 13 leave open."""

    states: StateOrder = "near_end"
    simplify: Order = "random"
    exhaustive: bool = False  # all subsets of a new rule's literals, instead of one pass


@dataclass(frozen=True)
class FoundTree:
    """A tree better than all before, the seconds it took, and the method that found it."""

    tree: Tree
    seconds: float
    how: str


def greedy(
    workshop: Workshop,
    seed: int = 0,
    choices: GreedyChoices = GreedyChoices(),
    start: Tree = EMPTY,
) -> Tree | None:
    """Return the tree that one run of Algorithm 2 finds, by ``choices`` and ``seed``; None if it
    finds none. ``start`` is a weakly optimal partial strategy that is completed. Where
    :meth:`Workshop.within` ends the run, the tree may not be simplified to the end, or be None."""
    view, order = workshop.view, _ORDERS.index(choices.simplify)
    queue = np.argsort(_scores(workshop, choices.states, seed))
    slots, size = 256, -1
    # A run that has no slot left is begun again with twice as many.
    while size < 0 and slots < 2 * len(view.state) + _SPARE:  # no two rules are for one state
        slots *= 2
        size = workshop.load(start, slots)
        if not workshop.stands(size, False, seed):
            return None
        size = algorithm_2(view, workshop.bench, size, queue, choices.exhaustive, False)
    if size < 0 or not workshop.stands(size, True, seed):
        return None
    tree = workshop.read(simplify(view, workshop.bench, size, RANDOM, order, True))
    # The kernels judge rules as they go; the tree is judged once more from its text.
    if not workshop.is_optimal(tree):
        raise AssertionError("an algorithm returned a tree that is not optimal")
    return tree


def _scores(workshop: Workshop, order: StateOrder, seed: int) -> npt.NDArray[np.float64]:
    """Return keys (p,) that sort the player's states into ``order``; ``seed`` breaks ties.
    ``order``: at random, or those near the end, far from the end, or near the start first."""
    arena, view = workshop.arena, workshop.view
    states = view.row[view.state]
    chance = np.random.default_rng(seed).random(len(states))
    if order == "near_end":
        return np.asarray(arena.distance[states] + chance, np.float64)
    if order == "far_end":
        return np.asarray(chance - arena.distance[states], np.float64)
    if order == "near_start":
        return _depths(workshop)[states] + chance
    return chance


def _depths(workshop: Workshop) -> npt.NDArray[np.float64]:
    """Return the fewest plies from the initial state to each state of the arena (n,)."""
    arena = workshop.arena
    depth = np.full(len(arena.mover), -1.0)
    front, level = np.array([0]), 0
    while len(front):
        depth[front] = level
        after = np.unique(arena.target[arena.moves_from(front)])
        front, level = after[depth[after] < 0], level + 1
    return depth


def minimise(workshop: Workshop, tree: Tree, seed: int = 0, strong: bool = True) -> Tree:
    """Return ``tree`` with rules and literals removed while it stays optimal, in an order drawn by
    ``seed``. It stays strongly optimal, or weakly unless ``strong``; ``Refused`` if it was not."""
    size = workshop.load(tree)
    if not workshop.stands(size, strong, seed):
        raise Refused("only an optimal tree can be minimised")
    return workshop.read(simplify(workshop.view, workshop.bench, size, 2, 1, strong))


def _next_rounds(rounds: int, factor: float) -> int:
    """Return how many tests the next local search makes: ``rounds``, those of the last, times
    ``factor``, but at least 200, and at most 500,000 and 4 times as many as before."""
    return max(200, min(int(rounds * factor), 4 * rounds, 500_000))


def improve(
    workshop: Workshop,
    budget: float,
    seed: int = 0,
    start: Tree | None = None,
    strong: bool = True,
    patience: float = float("inf"),
) -> Iterator[FoundTree]:
    """Yield better and better optimal trees for ``budget`` seconds, by annealing drawn by ``seed``.

    Local search ends earlier once it has brought no better tree for ``patience`` seconds, and this
    wait is also twice as long as the time from the beginning to the last better tree. ``start``: an
    optimal tree to make smaller; or, where it is only a partial strategy, one to complete: its
    meta-rules stay as they are, its other rules may be simplified. Trees are strongly optimal if
    ``strong``, else weakly."""
    begun = time.monotonic()
    pool: list[Tree] = []
    best: Tree | None = None
    last = 0.0  # when the best tree came
    partial = start or EMPTY
    if start is not None and workshop.is_optimal(start, strong):
        pool, best = [start], start
        yield FoundTree(start, time.monotonic() - begun, "given")
    # First part: Algorithm 2 from new random orders, until there is a tree and this time is over.
    fresh = min(budget * _RESTARTS, _MOST_RESTARTS)
    run = 0
    while time.monotonic() - begun < (fresh if pool else budget):
        states: StateOrder = _MIXED[run % 3]
        with workshop.within(begun + budget - time.monotonic()):
            tree = greedy(workshop, seed * 7919 + run, GreedyChoices(states), start=partial)
        run += 1
        if tree is None:
            continue
        pool = sorted([*pool, tree], key=lambda t: t.figure)[:_POOL]
        if best is None or tree.figure < best.figure:
            best, last = tree, time.monotonic() - begun
            yield FoundTree(tree, last, f"Algorithm 2, states {states}")
    # Second part: each tree of the pool is annealed in turn, and replaced by one that is no worse.
    rounds, burst, local = 2000, 0, time.monotonic() - begun
    while pool and (left := begun + budget - time.monotonic()) > 0:
        if time.monotonic() - begun > max(3 * last, max(local, last) + patience):
            return
        at = burst % len(pool)
        size = workshop.load(pool[at])
        since = time.monotonic()
        heat = _TEMPERATURES[burst % len(_TEMPERATURES)]
        workshop.stands(size, strong, seed * 7919 + burst)
        with workshop.within(left):
            size = anneal(workshop.view, workshop.bench, size, rounds, heat, strong)
        tree = workshop.read(size, kept=True)
        spent = max(time.monotonic() - since, 1e-4)
        rounds, burst = _next_rounds(rounds, min(_BURST, left) / spent), burst + 1
        if tree.figure <= pool[at].figure:
            pool[at] = tree
        if best is None or tree.figure < best.figure:
            if not workshop.is_optimal(tree, strong):
                raise AssertionError("local search returned a tree that is not optimal")
            best, last = tree, time.monotonic() - begun
            yield FoundTree(tree, last, "local search")

"""Find a small optimal tree and prove it minimal, within one budget.

:func:`warm` compiles the kernels of the search before a budget starts to run. They are run once on
a game of a few states: the layout of a view is the same for all games, so that this is all the
compiling there is.  With machine code in the cache it takes a moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from icgsynth.boards.fft.anneal import anneal
from icgsynth.boards.fft.greedy import algorithm_2, simplify
from icgsynth.boards.fft.minimality import Minimality, prove_minimal
from icgsynth.boards.fft.optimality import adopt, match
from icgsynth.boards.fft.synthesis import FoundTree, greedy, improve, minimise
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.bounded import Turn, arena_of_moves, facts_of
from icgsynth.boards.finite.tree import EMPTY, Meta, Tree
from icgsynth.budget import Progress
from icgsynth.errors import Refused
from icgsynth.process.compiled import announce

# --- search --------------------------------------------------------------------------------------

_CLAUSES = 5e6  # clauses; a larger SAT encoding is not tried
_LEAST = 3.0  # seconds without progress after which a proof is tried


def search(
    workshop: Workshop,
    budget: float,
    seed: int = 0,
    start: Tree | None = None,
    prove: bool = True,
    progress: Callable[[str], None] = lambda _: None,
    better: Callable[[FoundTree], None] = lambda _: None,
) -> Minimality | None:
    """Return the smallest strongly optimal tree found, and what is proved of it; None where there
    is none.

    Local search, drawn by ``seed``, runs until it stalls; then, with ``prove``, SAT asks for
    smaller trees; both in ``budget`` seconds. ``better`` gets each tree that is better than all
    before it, and ``progress`` a sentence now and then. ``start`` is a partial strategy to
    complete, weakly optimal (else :class:`Refused`)."""
    begun = time.monotonic()
    if start is not None and not workshop.is_optimal(start, strong=False):
        raise Refused("the partial strategy is not weakly optimal: 'fft verify' shows where")
    metas = start is not None and any(isinstance(item, Meta) for item in start.items)
    prove = prove and not metas
    best: Tree | None = None
    until = budget
    while True:
        given, left = best or start, begun + until - time.monotonic()
        last = time.monotonic()
        # With a proof to follow, local search gets 2 fifths of the time, or less where it stalls.
        share = left if not prove else min(left, max(_LEAST, 0.4 * left))
        for found in improve(workshop, share, seed, given, patience=_LEAST if prove else left):
            if best is None or found.tree.figure < best.figure:
                best, last = found.tree, time.monotonic()
                rules, literals = best.figure
                spent = last - begun
                progress(f"{found.how}: {rules} rules, {literals} literals after {spent:.1f} s")
                better(FoundTree(best, spent, found.how))
        left = begun + until - time.monotonic()
        if best is None or left <= 0 or not prove:
            return Minimality(best) if best else None
        if _clauses(workshop, best) > _CLAUSES:
            prove = False
            continue
        certificate = prove_minimal(workshop, best, left, progress)
        if certificate.tree.figure < best.figure:
            better(FoundTree(certificate.tree, time.monotonic() - begun, "SAT"))
        return certificate


def _clauses(workshop: Workshop, tree: Tree) -> float:
    """Estimate and return the number of clauses that ask SAT for a tree smaller than ``tree``."""
    view = workshop.view
    # About one clause for each raw state, rule and literal that holds there; half of them do.
    raw = float(
        np.minimum(workshop.arena.orbit[view.row[view.state]], len(view.action_images)).sum()
    )
    return float(raw * tree.figure[0] * view.literal_images.shape[1] / 2)


# --- compiling -----------------------------------------------------------------------------------

_JUDGING = (match, adopt)
_SEARCH = (*_JUDGING, simplify, algorithm_2, anneal)
_TOY = 4  # counters of the toy game on which the kernels are compiled


def warm(progress: Progress, search: bool = True) -> None:
    """Compile the kernels that check trees, or load them from the cache; if ``search``, also those
    that find trees. ``progress`` is told before they are compiled."""
    announce(_SEARCH if search else _JUDGING, progress)
    shop = Workshop(_toy(), 0)
    if not search:
        shop.is_optimal(EMPTY)
        return
    tree = greedy(shop)
    assert tree is not None
    minimise(shop, tree)
    size = shop.load(tree)
    shop.stands(size, True, 0)
    anneal(shop.view, shop.bench, size, 1, 1.0, True)


def _toy() -> Arena:
    """Return a solved toy game, taking 1 or 2 of a few counters, to compile the kernels on."""
    order: list[Turn] = [((left,), player) for left in range(_TOY, -1, -1) for player in (0, 1)]
    moves: list[list[tuple[str, Turn]]] = [
        [(f"take({k})", ((left - k,), 1 - player)) for k in (1, 2) if k <= left]
        for left in range(_TOY, -1, -1)
        for player in (0, 1)
    ]
    return arena_of_moves("toy", "normal", order, moves, facts_of(("a",), order))

"""Search, then proof, within one budget.

The kernels of the search, compiled before a budget starts to run.

They are run once on a game of a few states: the layout of a view is the same for all games, so
that this is all the compiling there is.  With machine code in the cache it takes a moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from icgsynth.budget import Progress
from icgsynth.errors import Refused
from icgsynth.fft.anneal import anneal
from icgsynth.fft.greedy import algorithm_2, simplify
from icgsynth.fft.minimality import Minimality, certify
from icgsynth.fft.optimality import adopt, match
from icgsynth.fft.synthesis import FoundTree, greedy, improve, minimise
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.bounded import bounded
from icgsynth.finite.compiled import announce
from icgsynth.finite.tree import EMPTY, Meta, Tree
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

# --- search --------------------------------------------------------------------------------------

_CLAUSES = 5e6  # an encoding larger than this is not tried
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
    """Local search until it stalls, then SAT, for ``budget`` seconds in all: the best tree.

    None where there is none yet.

    ``better`` takes each tree that is better than all before it, as it comes.

    ``start`` is a partial strategy to complete, weakly optimal (else :class:`Refused`).
    """
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
        certificate = certify(workshop, best, left, progress)
        if certificate.tree.figure < best.figure:
            better(FoundTree(certificate.tree, time.monotonic() - begun, "SAT"))
        return certificate


def _clauses(workshop: Workshop, tree: Tree) -> float:
    """About how many clauses the question would have."""
    view = workshop.view
    raw = float(
        np.minimum(workshop.arena.orbit[view.row[view.state]], len(view.action_images)).sum()
    )
    return float(raw * tree.figure[0] * view.literal_images.shape[1] / 2)


# --- compiling -----------------------------------------------------------------------------------

_JUDGING = (match, adopt)
_SEARCH = (*_JUDGING, simplify, algorithm_2, anneal)
_TOY = "game toy var a legal a >= 0 action take(k) pre 1 <= k <= 2 and k <= a eff a := a - k"


def warm(progress: Progress, search: bool = True) -> None:
    """Compile or load the kernels of verdicts, or those of the ``search`` as well.

    It says so first where one has to be compiled.
    """
    announce(_SEARCH if search else _JUDGING, progress)
    shop = Workshop(bounded(parse(Source("toy", _TOY)).game(), 4)[0], 0)
    if not search:
        shop.is_optimal(EMPTY)
        return
    tree = greedy(shop)
    assert tree is not None
    minimise(shop, tree)
    size = shop.load(tree)
    shop.stands(size, True, 0)
    anneal(shop.view, shop.bench, size, 1, 1.0, True)

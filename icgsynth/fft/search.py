"""Search, then proof, within one budget."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from icgsynth.errors import Refused
from icgsynth.fft.minimality import Minimality, certify
from icgsynth.fft.synthesis import FoundTree, improve
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.tree import Meta, Tree

__all__ = ["search"]

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

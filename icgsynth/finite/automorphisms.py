"""The only door to nauty: generators of the automorphism group of a coloured graph.

nauty cannot be interrupted, and a large graph may keep it for long; such a graph is looked at
in a process of its own, which is ended when its time is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from icgsynth.errors import BudgetSpent, InputError
from icgsynth.process.worker import Worker

__all__ = ["generators"]

_SMALL = 2_000  # vertices that take nauty some hundredths of a second


def generators(
    edges: Mapping[int, Sequence[int]],
    cells: Sequence[Sequence[int]],
    seconds: float = float("inf"),
) -> list[list[int]] | None:
    """Permutations of the vertices that generate the group; None where nauty has no answer:
    after ``seconds``, or without enough memory.

    The ``cells`` hold the vertices 0, 1, ... by their colour.
    :class:`~icgsynth.errors.InputError` where pynauty is not installed.
    """
    if find_spec("pynauty") is None:
        raise InputError(
            "symmetry needs pynauty, which is not installed",
            mend="pip install 'icgsynth[fft]', or leave symmetry off",
        )
    if sum(map(len, cells)) <= _SMALL:
        return _found(edges, cells)
    if seconds <= 0:
        return None
    with Worker() as worker:
        try:
            return worker.call(seconds, _found, dict(edges), list(cells))
        except BudgetSpent:
            return None


def _found(edges: Mapping[int, Sequence[int]], cells: Sequence[Sequence[int]]) -> list[list[int]]:
    from pynauty import Graph, autgrp

    graph = Graph(
        sum(map(len, cells)),
        adjacency_dict={vertex: list(joined) for vertex, joined in edges.items()},
        vertex_coloring=[set(cell) for cell in cells],
    )
    return [list(map(int, permutation)) for permutation in autgrp(graph)[0]]

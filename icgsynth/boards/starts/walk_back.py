"""Backward induction for line games: the sets W_j of boards from which X wins.

W_j is where X, to move, forces a win with j + 1 stones of its own, and no sooner, whatever O does.

It works for all ways to hold a set of boards: as bits (:mod:`~icgsynth.boards.starts.dense`) or as
a decision diagram (:mod:`~icgsynth.boards.starts.symbolic`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from icgsynth.boards.starts.lines import Seat
from icgsynth.budget import Progress

BoardSet: TypeAlias = Any
"""A set of boards that has the operator ``^``."""

Before: TypeAlias = Callable[[Seat, BoardSet, BoardSet], BoardSet]
"""EPre: of ``(seat, after, among)`` the boards in ``among`` on which ``seat`` is to move and has a
move into ``after``."""


def walk_back(
    before: Before,
    boards: BoardSet,
    wins: BoardSet,
    held: BoardSet,
    most: int,
    progress: Progress,
) -> Iterator[BoardSet]:
    """Yield the sets W_0 to W_``most`` of boards from which X wins with 1 to ``most`` + 1 stones.

    ``before(seat, after, among)`` returns the boards in ``among`` from which ``seat`` can move into
    ``after``. ``boards`` are those on which play goes on and X is to move, and maybe others; on
    ``wins``, W_0, X wins with one move. On the boards ``held`` O has to move and cannot make a
    line; they are used up, for sets may be large. Boards of O from which all moves lead into a set
    are those from which none escapes. What is taken away from a set with ``^`` lies within it."""
    hopeful = boards ^ wins  # in no set yet
    yield wins
    for j in range(1, most + 1):
        progress(f"walking back: W_{j}")
        still = before(1, hopeful, held)
        held ^= still  # from here O loses
        new = before(0, held, hopeful)
        held = still
        hopeful ^= new
        yield new
        del new

"""The operators of section 3 one at a time: T1, T2, EPre and APre on sets of boards.

:func:`~icgsynth.starts.dense.sets` takes all of W_0, W_1, ... in one sweep; these are for other
questions, and the tests hold one against the other.  A set is an array of words in the layout of
its space.
"""

from __future__ import annotations

import numpy as np

from icgsynth.logic.bits import Words
from icgsynth.starts.dense import Space

__all__ = ["apre", "count", "epre", "targets"]


def targets(of: Space) -> tuple[Words, Words]:
    """T1 and T2: the boards on which X, and O, has just made a line."""
    from icgsynth.starts.kernels import ends

    won = np.zeros((2, of.layout.words), np.uint64)
    ends(of.tables, of.boards, won)
    return won[0], won[1]


def epre(of: Space, target: Words) -> Words:
    """The boards on which X, to move, has a move into ``target``."""
    return _step(of, 0, False, target)


def apre(of: Space, target: Words) -> Words:
    """The boards on which O, to move, can move, and only into ``target``."""
    return _step(of, 1, True, target)


def count(boards: Words) -> int:
    """How many boards a set holds."""
    from icgsynth.starts.kernels import size

    return int(size(boards))


def _step(of: Space, seat: int, every: bool, target: Words) -> Words:
    from icgsynth.starts.kernels import one_step

    out = np.zeros(of.layout.words, np.uint64)
    one_step(of.tables, of.boards, seat, every, target.reshape(-1, 1), out)
    return out

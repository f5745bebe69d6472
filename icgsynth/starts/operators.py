"""The operators of section 3 one at a time: T1, T2, EPre and APre on sets of boards.

:func:`~icgsynth.starts.dense.sets` takes all of W_0, W_1, ... in one sweep; these are for other
questions, and the tests hold one against the other.  A set is an array of words in the layout of
its space.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icgsynth.starts.dense import Space

__all__ = ["apre", "count", "epre", "targets"]

Words = NDArray[np.uint64]


def targets(of: Space) -> tuple[Words, Words]:
    """T1 and T2: the boards on which X, and O, has just made a line."""
    from icgsynth.starts.kernels import ends

    lay = of.layout
    masks, to_x, to_o, _ = lay.inner_moves
    counts, steps, legal, _ = lay.digit_moves
    won = np.zeros(lay.words, np.uint64), np.zeros(lay.words, np.uint64)
    ends(
        of.boards, lay.radix, lay.stones, counts, steps, legal, masks, to_x, to_o, lay.parity, *won
    )
    return won


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

    lay = of.layout
    masks, to_x, to_o, _ = lay.inner_moves
    counts, steps, legal, _ = lay.digit_moves
    out = np.zeros(lay.words, np.uint64)
    one_step(
        of.boards, seat, every, target, lay.radix, lay.stones, counts, steps, legal, masks,
        to_x if seat == 0 else to_o, lay.parity, out,
    )  # fmt: skip
    return out

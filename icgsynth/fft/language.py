"""Which facts of a game the rules of a tree may speak of.

The paper's rules speak of who owns which cell.  From the game alone the same facts follow by
what is left out:

* *unspecific*: facts with one truth value in all states where the player moves (control);
* *default*: of facts of which exactly one holds at any time, and that differ in one
  argument, the value that every such group has at the start (blank): where nothing else of
  the group holds, it does, so that no knowledge is lost.

Nim's heaps start with different values, so they have no default and keep all their facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from icgsynth.errors import Refused
from icgsynth.finite.arena import Arena
from icgsynth.finite.names import words
from icgsynth.logic.bits import unpack

Sign: TypeAlias = Literal["signed", "positive"]


@dataclass(frozen=True)
class Language:
    """The atoms that rules may hold (indices of the arena's literals), and with which signs."""

    sign: Sign
    atoms: tuple[int, ...]
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    extra: tuple[int, ...] = ()  # known to the view because a given tree speaks of them

    def __str__(self) -> str:
        signs = "true or negated" if self.sign == "signed" else "true only"
        text = f"{self.sign}: {len(self.atoms)} facts, {signs}"
        if not self.left_out:
            return text
        shown = ", ".join(self.left_out[:3]) + (", ..." if len(self.left_out) > 3 else "")
        return f"{text}; left out: {shown}"


def language_of(
    arena: Arena,
    player: int,
    sign: Sign = "signed",
    every: bool = False,
    spoken: Iterable[int] = (),
) -> Language:
    """The language of ``player``'s trees; with ``every``, all facts but the constant ones.

    ``spoken`` facts (indices) are readable, not offered.  :class:`Refused` where none is left.
    """
    arena.require_move()
    width = len(arena.literals)
    truth = unpack(arena.states, width)
    mine = truth[arena.mover == player]
    out: npt.NDArray[np.bool_] = np.asarray(mine.all(axis=0)) | ~np.asarray(mine.any(axis=0))
    out = _under_symmetry(out, arena, every=True)
    if not every:
        out |= _under_symmetry(_defaults(arena, truth[arena.mover >= 0], out), arena, every=False)
    atoms = tuple(int(i) for i in np.flatnonzero(~out))
    if not atoms:
        raise Refused(f"{arena.name}: no fact tells the player's states apart")
    return Language(
        sign,
        atoms,
        tuple(arena.literals[i] for i in atoms),
        tuple(arena.literals[int(i)] for i in np.flatnonzero(out)),
        tuple(sorted({int(i) for s in spoken for i in arena.literal_images[:, s]} - set(atoms))),
    )


def _under_symmetry(
    chosen: npt.NDArray[np.bool_], arena: Arena, every: bool
) -> npt.NDArray[np.bool_]:
    """What the symmetries send to chosen facts: always (``every``), or once."""
    images = chosen[arena.literal_images]
    return np.asarray(images.all(axis=0) if every else images.any(axis=0), np.bool_)


def _defaults(
    arena: Arena, truth: npt.NDArray[np.bool_], constant: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """The facts that hold in all groups of their kind at the start."""
    chosen = np.zeros(len(arena.literals), bool)
    start = truth[0]
    parted = [words(name) for name in arena.literals]
    shapes: dict[tuple[str, int, int], dict[tuple[str, ...], list[int]]] = {}
    for i, parts in enumerate(parted):
        for hole in range(1, len(parts)):
            shape = shapes.setdefault((parts[0], len(parts), hole), defaultdict(list))
            shape[(*parts[1:hole], *parts[hole + 1 :])].append(i)
    for (_, _, hole), groups in shapes.items():
        members = [i for group in groups.values() for i in group]
        values = {_start_value(group, start, parted, hole) for group in groups.values()}
        exact = all((truth[:, group].sum(axis=1) == 1).all() for group in groups.values())
        if exact and len(values) == 1 and len(groups) > 1 and min(map(len, groups.values())) > 1:
            chosen[members] |= start[members]
    return chosen & ~constant


def _start_value(
    group: list[int], start: npt.NDArray[np.bool_], parted: list[tuple[str, ...]], hole: int
) -> str:
    holding = [parted[i][hole] for i in group if start[i]]
    return holding[0] if len(holding) == 1 else f"?{len(holding)}"

"""Choose the facts of a game that the rules of a tree may use.

The paper's rules speak of who owns which cell.  From the game alone these facts follow by what is
left out:

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

from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.names import words
from icgsynth.digits.arrays import unpack
from icgsynth.errors import Refused

Sign: TypeAlias = Literal["signed", "positive"]


@dataclass(frozen=True)
class Language:
    """The facts that rules may use (``atoms``, indices of arena literals), and with what signs."""

    sign: Sign
    atoms: tuple[int, ...]
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    extra: tuple[int, ...] = ()  # known to the view because a given tree speaks of them
    is_whole: bool = False  # all facts that tell states apart are offered, with both signs

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
    """Return the facts that rules of trees for ``player`` (0 or 1) may use, with their signs.

    Facts that never vary are left out, and default ones (that a cell is blank) unless ``every``.
    ``sign``: whether a rule may negate facts ("signed") or not ("positive"). The facts ``spoken``
    (indices) may stand in given trees, but not in new ones; so may all facts where none is left.
    Refused if no fact changes."""
    arena.require_move()
    truth = unpack(arena.states, len(arena.literals))
    mine = truth[arena.mover == player]
    constant = _always(mine, arena) | _always(~mine, arena)
    out = constant if every else constant | _defaults(arena, truth[arena.mover >= 0])
    if not len(out):
        raise Refused(f"{arena.name}: no fact ever changes")
    atoms = tuple(int(i) for i in np.flatnonzero(~out))
    read = {int(i) for s in spoken for i in arena.literal_images[:, s]} - set(atoms)
    return Language(
        sign,
        atoms,
        tuple(arena.literals[i] for i in atoms),
        tuple(arena.literals[int(i)] for i in np.flatnonzero(out)),
        tuple(sorted(read)) if atoms or read else tuple(range(len(out))),
        sign == "signed" and bool((out == constant).all()),
    )


def _always(truth: npt.NDArray[np.bool_], arena: Arena) -> npt.NDArray[np.bool_]:
    """Return a mask (literals,) of facts that hold in all rows of ``truth`` (states, literals) and
    in all symmetric images of these states."""
    # A fact holds in an image of a state where its own image under the inverse holds in the state.
    held = np.asarray(truth.all(axis=0))
    return np.asarray(held[arena.literal_images].all(axis=0), np.bool_)


def _defaults(arena: Arena, truth: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return a mask (literals,) of default facts, such as that a cell is blank: of the facts that
    differ in one argument exactly one always holds, and at the start it is this one in each such
    group. ``truth`` (states, literals): the facts of each state; row 0 is the start."""
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
        alike = len(values) == 1 and len(groups) > 1 and min(map(len, groups.values())) > 1
        if alike and all(_exactly_one(group, truth, arena) for group in groups.values()):
            chosen[members] |= start[members]
    return np.asarray(chosen[arena.literal_images].any(axis=0), np.bool_)


def _exactly_one(group: list[int], truth: npt.NDArray[np.bool_], arena: Arena) -> bool:
    """Return whether exactly one fact of ``group`` (indices) holds in each state of ``truth``
    (states, literals), and in each of their symmetric images."""
    images = np.unique(np.sort(arena.literal_images[:, group], axis=1), axis=0)
    return all(bool((truth[:, image].sum(axis=1) == 1).all()) for image in images)


def _start_value(
    group: list[int], start: npt.NDArray[np.bool_], parted: list[tuple[str, ...]], hole: int
) -> str:
    holding = [parted[i][hole] for i in group if start[i]]
    return holding[0] if len(holding) == 1 else f"?{len(holding)}"

"""Learning problems: ordered examples over a table of moves, which a hypothesis has to satisfy.

A *group* asks that one of its alternatives holds; an alternative is a list of pairs of moves, the
first of which must cost less than the second.  A fixed pair is a group with one alternative of one
pair; "some optimal move beats every bad one" has an alternative for each optimal move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.learn.stage import Stage

_MOST_IMAGES = 3_000_000  # symmetries times states: beyond, images are not compared

Alternative = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """An example: one of ``alternatives`` must hold, or ``penalty`` is paid unless it is 0."""

    alternatives: tuple[Alternative, ...]
    penalty: int = 0
    name: str = ""


@dataclass(frozen=True, eq=False)
class Problem:
    """A learning problem: k moves, and examples in which some of them must be preferred to others.

    Move i is ``moves[chosen[i]]``, a pair (role, action), made in ``states[i]`` (k, words); the
    ``groups`` are about these rows.
    """

    states: NDArray[np.uint64]
    moves: tuple[tuple[str, str], ...]
    chosen: NDArray[np.int64]
    groups: tuple[ExampleGroup, ...]

    @property
    def count(self) -> int:
        """The number of moves in the table of the problem."""
        return len(self.states)


def _table(stage: Stage, chosen_moves: list[int], groups: list[ExampleGroup]) -> Problem:
    rows = np.array(chosen_moves, np.int64)
    arena = stage.arena
    moves = tuple((role, action) for role in arena.roles for action in arena.actions)
    source = stage.source[rows]
    number = arena.mover[source].astype(np.int64) * len(arena.actions) + arena.action[rows]
    return Problem(stage.states[source], moves, number, tuple(groups))


def _decisions(stage: Stage, folded: bool) -> list[int]:
    """Return the rows of states with both optimal and other moves; if ``folded``, one of each orbit
    under the game's symmetries."""
    arena = stage.arena
    found = []
    seen: set[int] = set()
    small = folded and len(stage.symmetry.facts) * len(arena.mover) <= _MOST_IMAGES
    images = _images(stage) if small else None
    for state in np.flatnonzero(arena.mover >= 0):
        optimal = arena.optimal[arena.first[state] : arena.first[state + 1]]
        if optimal.all() or not optimal.any():
            continue
        if images is not None:
            if int(state) in seen:
                continue
            seen.update(images[:, state].tolist())
        found.append(int(state))
    return found


def _images(stage: Stage) -> NDArray[np.int64]:
    """Return the row to which each symmetry sends each state (g, n)."""
    found = [
        [stage.row[tuple(state)] for state in image.tolist()]
        for image in stage.symmetry.images(stage.states)
    ]
    return np.array(found, np.int64)


def of_stage(stage: Stage, folded: bool = True) -> Problem:
    """Return the learning problem of a solved game: optimal moves must cost less than bad ones.

    With ``folded`` one state of each orbit under the symmetries of the game gives an example,
    unless states times symmetries are more than 3,000,000.
    """
    rows: list[int] = []
    groups: list[ExampleGroup] = []
    for state in _decisions(stage, folded):
        base, span = len(rows), stage.arena.moves_of(state)
        rows += span
        good = [base + i for i, move in enumerate(span) if stage.arena.optimal[move]]
        bad = [base + i for i, move in enumerate(span) if not stage.arena.optimal[move]]
        alternatives = tuple(tuple((g, b) for b in bad) for g in good)
        groups.append(ExampleGroup(alternatives, 0, f"s{state}"))
    return _table(stage, rows, groups)


def pairs_of_stage(stage: Stage, pairs: list[tuple[int, int]]) -> Problem:
    """Return the learning problem in which, for each of ``pairs`` of moves of the arena (indices),
    the first must cost less than the second."""
    rows = sorted({move for pair in pairs for move in pair})
    place = {move: i for i, move in enumerate(rows)}
    groups = [ExampleGroup((((place[g], place[b]),),), 0) for g, b in dict.fromkeys(pairs)]
    return _table(stage, rows, groups)

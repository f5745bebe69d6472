"""Positions of impartial games chosen for a learner: won, at a distance, and as hard as wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import InputError
from icgsynth.game.game import Move, ParametricGame, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.starts.hardness import Level, category, level_of
from icgsynth.starts.impartial import SolvedBox

__all__ = ["ImpartialWanted", "PileTask", "Pupil", "tasks"]


@dataclass(frozen=True)
class Pupil:
    """Looks ``depth`` rounds ahead (0: plays at random), and first obeys the rules it ``knows``."""

    depth: int
    knows: Strategy[Tier[ParametricGame, Any]] = field(default=Strategy(()))

    def choices(self, graph: SolvedBox) -> NDArray[np.bool_]:
        """The moves of ``graph`` that it draws from (m,)."""
        found = graph.choices(self.depth)
        for i, state in enumerate(graph.states):
            if graph.children[i] and (known := self.knows.choose(graph.game, state)):
                after = graph.place[graph.game.result(state, known.move)]
                span = slice(int(graph.first[i]), int(graph.first[i + 1]))
                found[span] = graph.child[span] == after
        return found


@dataclass(frozen=True)
class ImpartialWanted:
    """What positions to choose; ``moves`` None for every distance."""

    moves: int | None = 3
    you: Pupil = Pupil(2)
    opponent: int = 3
    level: Level | None = None
    count: int = 12
    unique_first_move: bool = False
    seed: int = 0
    depths: tuple[int, ...] = field(default=(1, 2, 3))

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError("no position is asked for", mend="--count 12")
        if not 0 <= self.you.depth <= 50 or not 0 <= self.opponent <= 50:
            raise InputError("players look 0 to 50 rounds ahead", mend="--you 1 --opponent 3")
        if self.moves is not None and self.moves < 1:
            raise InputError("a win takes a move", mend="--moves 3")


@dataclass(frozen=True)
class PileTask:
    """A winning position: with best play it takes ``moves`` own moves, ``distance`` in all.

    ``chance`` is that of the learner, ``chances`` those at look-ahead 1, 2, 3.  ``line`` is play
    at its best from here, ``tempting`` a move that the learner may make and that loses.
    """

    state: State
    distance: int
    chance: float
    chances: tuple[float, ...]
    keys: tuple[Move, ...]
    line: tuple[Move, ...]
    tempting: Move | None
    answer: Move | None

    @property
    def moves(self) -> int:
        return (self.distance + 1) // 2

    @property
    def level(self) -> Level:
        return level_of(self.chance)

    def value(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "state": list(self.state),
            "moves": self.moves,
            "distance": self.distance,
            "level": self.level,
            "category": category(self.chances),
            "chance": round(self.chance, 9),
            "chances": [round(c, 9) for c in self.chances],
            "first_moves": [str(move) for move in self.keys],
            "line": [str(move) for move in self.line],
            "temptation": None
            if self.tempting is None
            else {
                "move": str(self.tempting),
                "reply": None if self.answer is None else str(self.answer),
            },
        }


def tasks(graph: SolvedBox, wanted: ImpartialWanted) -> tuple[list[PileTask], dict[str, int]]:
    """The positions wanted, the easiest first; and how many there are of each level.

    The counts are of all states at that distance; of those chosen no two are symmetric, and
    they lie far from each other.
    """
    mine = wanted.you.choices(graph)
    theirs = graph.choices(wanted.opponent)
    chances = graph.chances(mine, theirs)
    ladder = [graph.chances(graph.choices(k), theirs) for k in wanted.depths]
    won = [
        i
        for i in range(len(graph.states))
        if graph.children[i]
        and graph.wins(i)
        and (wanted.moves is None or (graph.distance[i] + 1) // 2 == wanted.moves)
    ]
    counts = {"easy": 0, "medium": 0, "hard": 0}
    for i in won:
        counts[level_of(chances[i])] += 1
    kept: dict[State, int] = {}
    for i in won:
        if wanted.level is not None and level_of(chances[i]) != wanted.level:
            continue
        if wanted.unique_first_move and len(_keys(graph, i)) != 1:
            continue
        # Who knows some rules may do better in one of two symmetric positions.
        state = graph.states[i]
        kept.setdefault(state if wanted.you.knows else graph.canonical(state), i)
    drawn = graph.kept(mine)
    found = [
        _task(graph, i, drawn[i], chances[i], tuple(rung[i] for rung in ladder))
        for i in _far_apart(graph, list(kept.values()), wanted)
    ]
    return sorted(found, key=lambda task: (-task.chance, task.distance, task.state)), counts


def _keys(graph: SolvedBox, i: int) -> list[int]:
    """The children that keep the win."""
    return [c for c in graph.children[i] if not graph.wins(c)]


def _named(graph: SolvedBox, i: int) -> dict[int, Move]:
    """The move to each child."""
    return dict(zip(graph.children[i], graph.moves[i], strict=True))


def _far_apart(graph: SolvedBox, places: list[int], wanted: ImpartialWanted) -> Iterator[int]:
    if not places:
        return
    order = np.random.default_rng(wanted.seed).permutation(len(places))
    points = np.array([graph.states[places[i]] for i in order], np.int64)
    at = 0
    far = np.full(len(points), np.iinfo(np.int64).max)
    for _ in range(min(wanted.count, len(points))):
        yield places[order[at]]
        far = np.minimum(far, np.abs(points - points[at]).sum(axis=1))
        at = int(far.argmax())


def _task(
    graph: SolvedBox, i: int, mine: tuple[int, ...], chance: float, chances: tuple[float, ...]
) -> PileTask:
    named = _named(graph, i)
    keys = sorted(_keys(graph, i), key=lambda c: graph.distance[c])
    line, at = [], i
    while graph.children[at]:
        by = graph.distance[at] - 1
        after = next(
            c
            for c in graph.children[at]
            if graph.distance[c] == by and graph.wins(c) != graph.wins(at)
        )
        line.append(_named(graph, at)[after])
        at = after
    tempting = next((c for c in mine if graph.wins(c)), None)
    answer = None
    if tempting is not None and (held := _keys(graph, tempting)):
        best = min(held, key=lambda c: graph.distance[c])
        answer = _named(graph, tempting)[best]
    return PileTask(
        graph.states[i],
        graph.distance[i],
        chance,
        chances,
        tuple(named[c] for c in keys),
        tuple(line),
        None if tempting is None else named[tempting],
        answer,
    )

"""Graded positions of impartial games: how far from the end, and how far a learner gets.

On the states of a box: the distance to the end with best play (Steinhaus' remoteness: who wins
hurries, who loses delays), and the exact chance that a player wins who looks k rounds ahead, or
who knows only the first rules of a strategy, against one who looks k' rounds ahead.  A player
sees a win or a loss within its rounds and takes all else to be alike.

Positions of impartial games chosen for a learner: won, at a distance, and as hard as wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Progress, silent
from icgsynth.errors import InputError, Refused
from icgsynth.finite import arena_kernels
from icgsynth.finite.arena import Arena
from icgsynth.finite.bounded import arena_of_moves
from icgsynth.finite.compiled import announce
from icgsynth.finite.datalog import components
from icgsynth.game.box import Box
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.starts.hardness import Level, category, level_of

# --- impartial -----------------------------------------------------------------------------------

_MOST_STATES = 30_000
_DEFAULT_STATES = 500
_MOST_MOVES = 2_000_000
_WIN = 1 << 20  # one less for every further move
_OUTSIDE = -1


@dataclass(frozen=True, eq=False)
class SolvedBox:
    """The states of a box from which play cannot leave it, solved: a view of their arena.

    ``states`` (n) come children before parents.  Row i of ``arena`` is ``states[i]`` with player
    0 to move, row n + i the same with player 1 to move; it has no literals.  Of the moves of a
    state that lead to the same state one is kept; ``moves[i]`` are in the arena's order.
    """

    game: ParametricGame
    rule: PlayRule
    states: tuple[State, ...]
    moves: tuple[tuple[Move, ...], ...]
    arena: Arena

    @cached_property
    def place(self) -> dict[State, int]:
        return {state: i for i, state in enumerate(self.states)}

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The moves of state i are ``first[i]:first[i + 1]`` of :attr:`child` (n + 1,)."""
        return self.arena.first[: len(self.states) + 1]

    @cached_property
    def child(self) -> NDArray[np.int64]:
        """The place in ``states`` that each move leads to (m,)."""
        return self.arena.target[: self.first[-1]].astype(np.int64) - len(self.states)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The places that the moves of each state lead to."""
        return self.kept(np.ones(len(self.child), bool))

    def kept(self, mask: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
        """The places that the moves in ``mask`` (m,) lead to, by state."""
        child, held = self.child.tolist(), mask.tolist()
        spans = pairwise(self.first.tolist())
        return tuple(tuple(child[m] for m in range(*span) if held[m]) for span in spans)

    @cached_property
    def distance(self) -> tuple[int, ...]:
        """Moves to the end with best play."""
        return tuple(self.arena.distance[: len(self.states)].tolist())

    def wins(self, i: int) -> bool:
        """Whether the player to move wins with best play."""
        return bool(self.arena.value[i] > 0)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The orders of the variables that change nothing, as far as the box shows."""
        size = len(self.game.variables)
        if size > 5:
            return (tuple(range(size)),)
        known = set(self.states)
        after = {
            state: {self.states[c] for c in self.children[i]} for i, state in enumerate(self.states)
        }

        def holds(order: tuple[int, ...]) -> bool:
            def image(state: State) -> State:
                return tuple(state[v] for v in order)

            return all(
                image(state) in known and {image(to) for to in after[state]} == after[image(state)]
                for state in self.states
            )

        return tuple(order for order in permutations(range(size)) if holds(order))

    def canonical(self, state: State) -> State:
        """The least of the images of a state."""
        return min(tuple(state[v] for v in order) for order in self.symmetries)

    def looked(self, plies: int) -> NDArray[np.int64]:
        """The value to the player to move of every state, looking ``plies`` ahead (n,)."""
        ended = np.diff(self.first) == 0
        start = self.first[:-1][~ended]
        values = np.where(ended, -_WIN if self.rule == "normal" else _WIN, 0)
        for _ in range(plies if len(start) else 0):
            best = np.maximum.reduceat(-values[self.child], start)
            values[~ended] = best - np.sign(best)  # a win or a loss one move farther off
        return values

    def choices(self, depth: int) -> NDArray[np.bool_]:
        """The moves that a depth-k player draws from (m,); all of them at depth 0."""
        if depth == 0 or not len(self.child):
            return np.ones(len(self.child), bool)
        worth = -self.looked(2 * depth - 1)[self.child]
        counts = np.diff(self.first)
        best = np.maximum.reduceat(worth, self.first[:-1][counts > 0])
        found: NDArray[np.bool_] = worth == np.repeat(best, counts[counts > 0])
        return found

    def chances(self, mine: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> list[float]:
        """The chance of the player to move, who draws from ``mine``, against ``theirs`` (m,)."""
        at_end = 0.0 if self.rule == "normal" else 1.0
        my_turn: list[float] = []
        their_turn: list[float] = []
        for here, there in zip(self.kept(mine), self.kept(theirs), strict=True):
            my_turn.append(sum(their_turn[c] for c in here) / len(here) if here else at_end)
            their_turn.append(sum(my_turn[c] for c in there) / len(there) if there else 1 - at_end)
        return my_turn


def default_bound(game: ParametricGame) -> int:
    """The largest of some bounds within which about five hundred states lie."""
    for bound in (100, 60, 30, 20, 15, 12, 10, 8, 6, 5, 4, 3):
        box = Box.of(game, bound)
        if box.cells <= _MOST_STATES and box.size <= _DEFAULT_STATES:
            return bound
    return 2


def solved_box(
    game: ParametricGame, rule: PlayRule, bound: int, progress: Progress = silent
) -> SolvedBox:
    """The states up to ``bound`` from which all play stays among them, and ends.

    :class:`~icgsynth.errors.Refused` where they are too many, have infinitely many moves, or
    the game may never end; InputError where none is left.
    """
    if game.is_quantified:
        raise Refused(f"{game.name} has a rule with a quantifier: its moves cannot be listed")
    box = Box.of(game, bound)
    if box.size > _MOST_STATES:
        raise Refused(
            f"{box.size:,} states are more than {_MOST_STATES:,}; choose a smaller --bound"
        )
    progress(f"listing the moves of {box.size:,} states")
    states = [tuple(row) for row in box.states.tolist()]
    moves = _listed(game, states)
    order = _ordered(game, states, [list(found) for found in moves])
    if not order:
        raise InputError(
            f"from no state up to {bound} does all play of {game.name} stay there",
            mend="give a larger --bound",
        )
    announce(arena_kernels.KERNELS, progress)
    rows = [(states[i], player) for player in (0, 1) for i in order]
    named = [
        [(str(move), (states[c], 1 - player)) for c, move in moves[i].items()]
        for player in (0, 1)
        for i in order
    ]
    return SolvedBox(
        game,
        rule,
        tuple(states[i] for i in order),
        tuple(tuple(moves[i].values()) for i in order),
        arena_of_moves(game, rule, rows, named),
    )


def _listed(game: ParametricGame, states: Sequence[State]) -> list[dict[int, Move]]:
    """For each state the places that moves lead to, with one move to each of them."""
    place = {state: i for i, state in enumerate(states)}
    moves: list[dict[int, Move]] = []
    count = 0
    for state in states:
        found: dict[int, Move] = {}
        try:
            for move in game.moves(state):
                found.setdefault(place.get(game.result(state, move), _OUTSIDE), move)
                count += 1
        except OverflowError:
            raise Refused(f"{game.name}: {game.show(state)} has infinitely many moves") from None
        if count > _MOST_MOVES:
            raise Refused(f"more than {_MOST_MOVES:,} moves; choose a smaller --bound")
        moves.append(found)
    return moves


def _ordered(
    game: ParametricGame, states: Sequence[State], children: Sequence[Sequence[int]]
) -> list[int]:
    """The places whose play stays inside, children first; Refused where there is a cycle."""
    order: dict[int, None] = {}

    def below(i: int) -> Iterator[int]:
        return (c for c in reversed(children[i]) if c != _OUTSIDE)

    for i, *others in components(below, range(len(states))):
        if others or i in children[i]:
            raise Refused(f"{game.name}: the game may never end, see {game.show(states[i])}")
        if all(c in order for c in children[i]):
            order[i] = None
    return list(order)


# --- pile tasks ----------------------------------------------------------------------------------


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

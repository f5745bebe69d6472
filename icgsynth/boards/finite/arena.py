"""Solve a finite game in all its states: values, distances to the end, optimal moves, symmetry.

Player 0 moves first.  A value is +1 where player 0 wins under best play, -1 where player 1 does,
else 0; play that never ends is worth 0.  A move is optimal where it keeps the value.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import arena_kernels as kernels
from icgsynth.boards.finite.bit_sets import bits_of, move_bits, words_of
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.explore import MAX_STATES, Explored, explore
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.symmetry import symmetry_of, trivial
from icgsynth.budget import Budget, Progress, silent
from icgsynth.digits.arrays import distinct, words_for
from icgsynth.errors import OutOfReach, Refused
from icgsynth.explicit.retrograde import Edges, settle
from icgsynth.process.compiled import announce

_FAR = 32_767  # plies: the largest 16-bit integer, the type of distances
_BLOCK = 1 << 18  # states that are checked at once
_SHARE = 0.25  # share of the time that the search for symmetry may take
_NOBODY = "nobody"  # the name of a puzzle's second role, which never moves
SYMMETRY = 20.0
"""Seconds that the search for the symmetry group of a game's rules may take."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GameGraph:
    """The explicit state graph of a finite game: n states, m moves, g symmetries.

    ``literals`` are the facts that vary, bit i of the state words the i-th; ``states``
    (n, words), row 0 the initial state, one representative an orbit where ``literal_images``
    has more than the identity; ``mover`` (n,) 0 or 1, -1 at the end.  The moves of state s are
    ``first[s]:first[s + 1]`` of ``action`` and ``target`` (a row: the representative of the
    successor).  Element e of the group sends literal i to ``literal_images[e, i]`` and action a
    to ``action_images[e, a]``.  ``orbit`` (n,) counts the raw states that a row stands for.
    """

    name: str
    roles: tuple[str, str]
    literals: tuple[str, ...]
    actions: tuple[str, ...]
    states: NDArray[np.uint64]
    mover: NDArray[np.int8]
    first: NDArray[np.int64]
    action: NDArray[np.int32]
    target: NDArray[np.int32]
    literal_images: NDArray[np.int16]
    action_images: NDArray[np.int32]
    orbit: NDArray[np.uint16]
    notes: tuple[str, ...] = ()

    def require_move(self) -> None:
        """Raise :class:`~icgsynth.errors.Refused` if the initial state, row 0, is terminal."""
        if self.mover[0] < 0:
            raise Refused(
                f"{self.name}: the game is over before it begins\n"
                "  let it start where no rule for terminal holds"
            )

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The names of the roles that make moves: two, or one if only one ever moves (a puzzle)."""
        is_puzzle = self.roles[1] == _NOBODY and not (self.mover == 1).any()
        return self.roles[: 1 if is_puzzle else 2]

    @cached_property
    def source(self) -> NDArray[np.int64]:
        """The row of the state in which each move is made (m,), in ascending order."""
        return np.repeat(np.arange(len(self.mover)), np.diff(self.first))

    def moves_of(self, row: int) -> range:
        """Return the indices (into ``action`` and ``target``) of the moves of the state ``row``."""
        return range(int(self.first[row]), int(self.first[row + 1]))

    def moves_from(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the indices of all moves from the states ``rows`` (k,), state by state."""
        counts = self.first[rows + 1] - self.first[rows]
        shift = np.repeat(self.first[rows] - np.cumsum(counts) + counts, counts)
        moves: NDArray[np.int64] = np.arange(int(counts.sum())) + shift
        return moves

    def action_name(self, move: int) -> str:
        """Return the name of the action of the move with the index ``move``."""
        return self.actions[int(self.action[move])]

    def mover_name(self, row: int) -> str:
        """Return the name of the role to move in the state ``row``, which is not terminal."""
        return self.roles[int(self.mover[row])]

    def images_at(self, row: int, facts: Collection[str]) -> dict[str, str]:
        """Return a dictionary from action names in the state ``row`` to names in its symmetric
        image in which ``facts`` hold; AssertionError where there is none."""
        held, there = bits_of(self.states[row]), frozenset(self.literals).intersection(facts)
        for images, actions in zip(self.literal_images, self.action_images, strict=True):
            if {self.literals[int(images[i])] for i in held} == there:
                return {self.actions[i]: self.actions[int(a)] for i, a in enumerate(actions)}
        raise AssertionError("a row stands for no state of these facts")

    def facts(self, row: int) -> tuple[str, ...]:
        """Return the names of the literals (facts that vary) that hold in the state ``row``."""
        return tuple(self.literals[i] for i in bits_of(self.states[row]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Arena(GameGraph):
    """A solved game graph: values, distances to the end and optimal moves (defined by the module).

    ``value`` (n,); ``distance`` (n,) plies to the end, the winner hurrying and the loser delaying
    (in a draw, to the nearest drawn end over drawing moves), -1 where there is no end to a draw;
    ``optimal`` (m,) which moves keep the value.
    """

    value: NDArray[np.int8]
    distance: NDArray[np.int16]
    optimal: NDArray[np.bool_]

    def __str__(self) -> str:
        winner = {1: f"{self.roles[0]} wins", -1: f"{self.roles[1]} wins", 0: "a draw"}
        return (
            f"{self.name}: {int(self.orbit.sum()):,} states, "
            f"{int(self.orbit[self.mover >= 0].sum()):,} before the end; "
            f"{len(self.states):,} up to a symmetry group of {len(self.literal_images):,}; "
            f"{winner[int(self.value[0])]}"
        )


def identity_fields(literals: int, actions: int, states: int) -> dict[str, Any]:
    """Return by name the fields ``literal_images``, ``action_images`` and ``orbit`` (all 1) of a
    :class:`GameGraph` without symmetry, for so many ``literals``, ``actions`` and ``states``."""
    return {
        "literal_images": np.arange(literals, dtype=np.int16)[None, :],
        "action_images": np.arange(actions, dtype=np.int32)[None, :],
        "orbit": np.ones(states, np.uint16),
    }


def arena_of_board(
    board: Board,
    symmetric: bool = True,
    max_states: int = MAX_STATES,
    seconds: float = float("inf"),
    progress: Progress = silent,
    steps: WorkSteps | None = None,
) -> Arena:
    """Explore all reachable states of a board, solve the game, and return graph and solution.

    If ``symmetric``, one state stands for all its images under the symmetries of the rules, which
    are sought for :data:`SYMMETRY` seconds at most.  ``progress`` gets lines of text, ``steps`` a
    record of the work.  :class:`~icgsynth.errors.Refused` for simultaneous moves or a game that is
    not zero-sum, with a state; OutOfReach past ``max_states`` or ``seconds``.
    """
    budget = Budget(seconds)
    share = min(SYMMETRY, seconds * _SHARE)
    steps = WorkSteps(board.name) if steps is None else steps
    steps.begin("symmetry")
    symmetry = symmetry_of(board, seconds=share) if symmetric else trivial(board)
    if symmetry.note:
        progress(f"{board.name}: {symmetry.note}")
    announce([kernels.into], progress)
    found = explore(board, symmetry, max_states, budget.remaining(), progress, steps)
    mover = found.mover
    steps.begin("solving", lambda: f"{len(mover):,} states")
    # Player 0 of an arena moves first: otherwise roles, movers and outcomes change places.
    roles = (*board.roles, _NOBODY)[:2]
    swap = mover[0] == 1
    outcome = _outcomes(board, found)
    if swap:
        roles = roles[::-1]
        mover = np.where(mover >= 0, 1 - mover, mover).astype(np.int8)
        outcome = -outcome
    # Only facts that differ between states are literals, which the symmetries permute, too.
    varied = _list_varied(found.states, symmetry.facts)
    # Actions that no move of an explored state uses are left out, but images of used ones stay: the
    # states that a row stands for have those.
    used = np.zeros(len(board.actions), bool)
    used[found.action] = True
    used = np.logical_or.reduce(used[symmetry.actions], axis=0)
    graph = GameGraph(
        name=board.name,
        roles=(roles[0], roles[1]),
        literals=tuple(board.facts[i] for i in varied),
        actions=tuple(board.actions[i] for i in np.flatnonzero(used)),
        states=_projected(found.states, varied),
        mover=mover,
        first=found.first,
        action=_renumbered(np.flatnonzero(used), len(used))[found.action],
        target=found.target,
        literal_images=_restrict_images(symmetry.facts, varied).astype(np.int16),
        action_images=_restrict_images(symmetry.actions, np.flatnonzero(used)),
        orbit=found.orbit,
        notes=(symmetry.note,) if symmetry.note else (),
    )
    del found  # the graph has all that is still needed: this is half the memory
    return solve_graph(graph, outcome)


def whole_states(
    board: Board, literals: tuple[str, ...], states: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return states of an arena as states of ``board`` (k, ``board.words``), with all its facts.
    Bit i of ``states`` (k, words) is the fact ``literals[i]``; the board's facts that are not among
    ``literals`` never change, and are taken from the initial state."""
    place = {fact: i for i, fact in enumerate(board.facts)}
    varied = [place[literal] for literal in literals]
    # A fact that never changes holds in all states if and only if it holds in the first.
    fixed = board.initial & ~words_of(varied, board.words)
    whole = np.tile(fixed, (len(states), 1))
    move_bits(states, range(len(varied)), varied, whole)
    return whole


def solve_graph(graph: GameGraph, outcome: NDArray[np.int8]) -> Arena:
    """Solve ``graph`` by retrograde analysis; return it with values, distances and optimal moves.

    ``outcome`` (n,) is 1, 0 or -1 at each end, a win, draw or loss of player 0; elsewhere it is not
    read. :class:`~icgsynth.errors.Refused` where the values break their own equations (a fault
    here), :class:`~icgsynth.errors.OutOfReach` where play lasts more plies than 16 bits hold.
    """
    mover, first, target = graph.mover, graph.first, graph.target
    value, distance = settle_graph(first, target, mover, outcome)
    if not _obeys_equations(mover, value, distance, first, target):
        raise Refused(
            f"{graph.name}: the values do not satisfy their equations: please report this"
        )
    if distance.max(initial=0) > _FAR:
        raise OutOfReach(f"{graph.name}: play can last more than {_FAR:,} plies")
    return Arena(
        **{part.name: getattr(graph, part.name) for part in fields(graph)},
        value=value,
        distance=distance.astype(np.int16),
        optimal=np.equal(value[target], np.repeat(value, np.diff(first))),
    )


@dataclass(frozen=True, eq=False)
class _Moves(Edges):
    """A graph's moves by source and by target; ``options`` (n,) counts those from each state."""

    options: NDArray[np.int64]

    def out_degrees(self) -> NDArray[np.int64]:
        return self.options.copy()


def settle_graph(
    first: NDArray[np.int64],
    target: NDArray[np.int32],
    mover: NDArray[np.int8],
    outcome: NDArray[np.int8],
) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Solve a game graph: return the value (n,) and the distance to the end (n,) of each state.

    The moves of state s lead to ``target[first[s]:first[s + 1]]``.  ``mover`` (n,) is -1 at an end,
    where ``outcome`` (n,) is 1, 0 or -1 for player 0, as values are.  Distances are plies: the
    winner hurries, the loser delays; in a draw, to the nearest drawn end, -1 if there is none.
    """
    # Retrograde analysis: all ends are settled at distance 0. A state is settled as won once a move
    # leads to a state lost for the other, as lost once all its moves lead to won ones. What is left
    # when nothing changes is a draw: each player has a move that avoids losing.
    ends = mover < 0
    value = np.where(ends, outcome, 0).astype(np.int8)
    distance = np.where(ends, 0, -1).astype(np.int32)
    edges = _Moves(*kernels.into(first, target), np.diff(first))
    settle(edges, value, distance, np.where(mover == 1, -1, 1).astype(np.int8))
    # In a draw the distance is that to the nearest drawn end, breadth first backwards from these
    # ends; only states that are drawn themselves have distance -1 so far, so no path leaves them.
    plies = 0
    drawn: NDArray[Any] = np.flatnonzero(ends & (value == 0))
    while len(drawn):
        plies += 1
        before = edges.sources(drawn)
        drawn = distinct(before[distance[before] < 0])
        distance[drawn] = plies
    return value, distance


def _obeys_equations(
    mover: NDArray[np.int8],
    value: NDArray[np.int8],
    distance: NDArray[np.int32],
    first: NDArray[np.int64],
    target: NDArray[np.int32],
) -> bool:
    """Return whether each state's ``value`` and ``distance`` (n,) follow from its successors'. The
    moves of s lead to ``target[first[s]:first[s + 1]]``; ``mover`` (n,) is -1 at ends."""
    # A check by other code, which finds wrong machine code as well.  A state's value is the best
    # that a move leads to; a decided one is a ply further from the end than the move that the
    # winner hurries to make, or the loser to put off.  By induction nothing else satisfies this.
    count = np.diff(first)
    if (mover[count > 0] < 0).any():
        return False
    for start in range(0, len(mover), _BLOCK):
        live = start + np.flatnonzero(count[start : start + _BLOCK])
        if not len(live):
            continue
        begin = int(first[live[0]])
        starts = first[live] - begin
        after = target[begin : int(first[live[-1] + 1])]
        sign = np.where(mover[live] == 0, 1, -1).astype(np.int8)
        gain = value[after] * np.repeat(sign, count[live])  # for the player to move
        best = np.maximum.reduceat(gain, starts)
        if not np.array_equal(best * sign, value[live]):
            return False
        won, lost, here = best > 0, best < 0, distance[live]
        near = np.where(gain > 0, distance[after], np.iinfo(np.int32).max)
        soonest = np.minimum.reduceat(near, starts)
        latest = np.maximum.reduceat(distance[after], starts)
        if (here[won] != soonest[won] + 1).any() or (here[lost] != latest[lost] + 1).any():
            return False
    return True


def _outcomes(board: Board, found: Explored) -> NDArray[np.int8]:
    """Return (n,): 1 at ends role 0 wins, -1 where it loses, 0 else; Refused if not zero-sum."""
    goals, ends = found.goals.astype(np.int64), np.flatnonzero(found.mover < 0)
    outcome = np.zeros(len(found.mover), np.int8)
    if len(board.roles) == 1:
        # A puzzle: 0 is a loss, the best goal a win, any other that is worth something a draw.
        mine = goals[:, 0] - board.ground.raised
        outcome[ends] = np.where(mine <= 0, -1, np.where(mine == mine.max(initial=0), 1, 0))
        return outcome
    total = goals.sum(axis=1)
    if len(others := np.flatnonzero(total != total[:1])):
        a, b = goals[0], goals[others[0]]
        one, two = board.roles
        least = board.ground.raised
        raise Refused(
            f"{board.ground.at('goal', one, str(b[0] - least))}: not zero-sum: one end is worth "
            f"{a[0] - least} to {one} and {a[1] - least} to {two}, another {b[0] - least} and "
            f"{b[1] - least}: {board.show(found.states[ends[others[0]]])}\n"
            "  let the goals of both players have one sum in all ends, such as 100"
        )
    outcome[ends] = np.sign(goals[:, 0] - goals[:, 1])
    return outcome


def _list_varied(states: NDArray[np.uint64], images: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the indices of the facts that hold in some states but not in all, in ascending order.
    ``states`` (n, words) are representatives under the permutations ``images`` (g, facts)."""
    # The states are least images; a fact varies in raw states if some image of it varies in these.
    anywhere = np.bitwise_or.reduce(states, axis=0)
    everywhere = np.bitwise_and.reduce(states, axis=0)
    chosen = np.zeros(images.shape[1], bool)
    chosen[bits_of(anywhere & ~everywhere)] = True
    return np.flatnonzero(chosen[images].any(axis=0))


def _projected(states: NDArray[np.uint64], kept: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return ``states`` (n, words) reduced to the facts ``kept``: bit i is the fact kept[i]."""
    out = np.zeros((len(states), words_for(len(kept))), np.uint64)
    move_bits(states, kept.tolist(), range(len(kept)), out)
    return out


def _renumbered(kept: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """Return a table (count,) that has i at the index ``kept[i]``, and -1 at all other indices."""
    place = np.full(count, -1, np.int32)
    place[kept] = np.arange(len(kept))
    return place


def _restrict_images(images: NDArray[np.int32], kept: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the permutations ``images`` (g, n) of the points ``kept`` alone, renumbered from 0."""
    found: NDArray[np.int32] = _renumbered(kept, images.shape[1])[images[:, kept]]
    return found

"""Who wins a finite game from a position, by which moves, and in how many: read off a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena import Arena, GameGraph, solve_graph, whole_states
from icgsynth.boards.finite.board import Board, in_order
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.game.game import Move, State
from icgsynth.logic.nodes import ShownByName

if TYPE_CHECKING:
    from icgsynth.boards.finite.proof_numbers import Forced, Plan
    from icgsynth.boards.finite.puzzle_line import PuzzleLine

_LONGEST = 60  # moves of an example of best play at most


@dataclass(frozen=True, repr=False)
class PlayOutcome(ShownByName):
    """The outcome of best play from one position of the game ``name``.

    ``facts`` hold there; ``mover`` is the role to move, None where play is over.  ``worth`` is what
    the end gives each role, None where best play never ends.  ``moves`` keep that, of ``options``
    moves in all, the best first: the winner hurries, the loser delays.  ``after`` are the facts
    that hold after the first of them.  ``length`` counts the moves of both roles to the end, None
    where there is no end.  ``line`` is an example of best play, who moves and how.  ``states``
    positions were solved, ``stored`` of them up to symmetry; None where a search looked ahead and
    kept no list.  Where ``states`` were met and none is ``stored``, the line is all that is known
    of the moves: it leads to the best goal, others may as well, and sooner.  Where strategies show
    the outcome, ``planned`` counts their positions, in which they were played against every reply,
    and play lasts ``longest`` moves at most.
    """

    name: str
    facts: tuple[str, ...]
    mover: str | None
    winner: str | None
    worth: Mapping[str, float | None]
    moves: tuple[str, ...]
    options: int
    length: int | None
    line: tuple[tuple[str, str], ...]
    states: int | None
    stored: int | None
    after: tuple[str, ...] = ()
    planned: int | None = None
    longest: int | None = None

    @property
    def is_by_line(self) -> bool:
        """Whether only one line or strategy shows the outcome, and other moves were not judged."""
        return self.states is not None and self.stored is None

    @property
    def is_drawn(self) -> bool:
        """Whether the game is a draw: nobody wins."""
        return self.winner is None


def start_at(board: Board, start: State) -> Board:
    """Return ``board`` with the initial state ``start``; known idle moves, as noop, are kept."""
    found = replace(board, initial=np.array(start, np.uint64))
    vars(found)["idle"] = board.idle  # from the first moves of the game, not of this position
    return found


def outcome_from(board: Board, arena: Arena) -> PlayOutcome:
    """Return the outcome of a game from its start, read off ``arena``, explored from ``board``."""
    game, goals = FiniteGame(board), _goals(board, arena)
    best, level = _by_goals(arena, goals[0])
    line = tuple(_line(board, best))
    found = _outcome(best, goals, level, (board.roles, game.facts(game.initial), line))
    if not found.moves:
        return found
    return replace(found, after=game.facts(game.result(game.initial, Move(found.moves[0]))))


def outcome_by_line(board: Board, found: PuzzleLine) -> PlayOutcome:
    """Return the outcome at the start of a game of one role, read off a line to the best goal.  The
    line ``found`` has at least one action; whether its goal is the best is not checked here."""
    game, role = FiniteGame(board), board.roles[0]
    start, first = game.facts(game.initial), Move(found.actions[0])
    return PlayOutcome(
        board.name,
        start,
        role,
        role if found.goal else None,
        {role: found.goal},
        found.actions[:1],
        len(list(game.moves(game.initial))),
        len(found.actions),
        tuple((role, action) for action in found.actions),
        found.states,
        None,
        game.facts(game.result(game.initial, first)),
    )


def outcome_by_plans(board: Board, found: Forced) -> PlayOutcome:
    """Return the outcome at the start of a game of two roles, shown by the strategies ``found``.  A
    role without a strategy gets its least goal by any move."""
    game, goals = FiniteGame(board), found.goals
    mover = game.mover(game.initial)
    plans = [plan for plan in found.plans if plan is not None]
    line = tuple(_follow_plans(game, found.plans))
    options = sorted((str(move) for move in game.moves(game.initial)), key=in_order)
    state = game.initial
    return PlayOutcome(
        board.name,
        game.facts(state),
        None if mover < 0 else board.roles[mover],
        None if goals[0] == goals[1] else board.roles[goals[0] < goals[1]],
        dict(zip(board.roles, goals, strict=True)),
        tuple(options) if found.plans[mover] is None else tuple(a for _, a in line[:1]),
        len(options),
        len(line),
        line,
        found.met,
        None,
        game.facts(game.result(state, Move(line[0][1]))) if line else (),
        sum(len(plan.states) for plan in plans),
        min((plan.length for plan in plans), default=0),
    )


def _follow_plans(game: FiniteGame, plans: Sequence[Plan | None]) -> Iterator[tuple[str, str]]:
    """Yield (role, action) along play from the start in which each role follows its strategy in
    ``plans``; a role without one (None) makes its first move by name."""
    state = game.initial
    while (mover := game.mover(state)) >= 0:
        plan = plans[mover]
        if plan is None:
            action = min(map(str, game.moves(state)), key=in_order)
        else:
            at = np.flatnonzero((plan.states == np.array(state, np.uint64)).all(axis=1))[0]
            action = game.board.actions[int(plan.action[at])]
        yield game.roles[mover], action
        state = game.result(state, Move(action))


def outcome_in(arena: Arena, goals: Sequence[NDArray[Any]], facts: tuple[str, ...]) -> PlayOutcome:
    """Return the outcome at row 0 of ``arena``, where ``facts`` hold, by the ``goals`` of its ends.
    These are arrays (n,), of player 0 and of player 1; at other states they are not read."""
    best, level = _by_goals(arena, goals[0])
    line = ((best.mover_name(row), best.action_name(move)) for row, move in _best_play(best))
    return _outcome(best, goals, level, (tuple(sorted(arena.roles)), facts, tuple(line)))


def _outcome(
    arena: Arena,
    goals: Sequence[NDArray[Any]],
    level: float | None,
    said: tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]],
) -> PlayOutcome:
    """Return the outcome at row 0: ``level`` is the goal of player 0 (None if play need not end).
    ``goals`` (n,) are by player; ``said`` has the roles in order, the facts and a line of play."""
    order, facts, line = said
    sign, ends = int(arena.value[0]), int(arena.distance[0]) >= 0
    roles = arena.roles[: len(order)]
    worth: dict[str, float | None] = dict.fromkeys(order)
    if ends and level is not None:
        at = int(np.flatnonzero(goals[0] == level)[0])
        worth |= {role: _plain(goals[k][at]) for k, role in enumerate(roles)}
    winner = None if not sign else arena.roles[sign < 0]
    if winner not in roles or (len(roles) == 1 and not worth[roles[0]]):
        winner = None
    return PlayOutcome(
        arena.name,
        facts,
        None if arena.mover[0] < 0 else arena.mover_name(0),
        winner,
        worth,
        tuple(_best_first(arena)),
        len(arena.moves_of(0)),
        _length(arena, len(line)) if ends else None,
        line,
        int(arena.orbit.sum()),
        len(arena.states),
    )


def _length(arena: Arena, shown: int) -> int:
    """Return the plies of best play to the end: ``shown``, the length of a line of it, or the
    distance of row 0 where there is no line, or it was cut off after 60 moves."""
    return shown if 0 < shown < _LONGEST else int(arena.distance[0])


def _plain(number: Any) -> float:
    return int(number) if int(number) == number else float(number)


def _goals(board: Board, arena: Arena) -> tuple[NDArray[np.int64], ...]:
    """Return for each role of ``arena`` its goals (n,) at ends; -2^63 for states before the end."""
    ends = np.flatnonzero(arena.mover < 0)
    found = np.full((2, len(arena.mover)), np.iinfo(np.int64).min)
    for start in range(0, len(ends), board.batch):
        rows = ends[start : start + board.batch]
        states = whole_states(board, arena.literals, arena.states[rows])
        found[:, rows] = board.successors(states).goals.T.astype(np.int64) - board.ground.raised
    order = [board.roles.index(role) for role in arena.roles[: len(board.roles)]]
    return tuple(found[place] for place in order)


def _by_goals(arena: Arena, goals: NDArray[Any]) -> tuple[Arena, float | None]:
    """Return ``arena`` solved anew, and player 0's best goal that the winner at row 0 can force.

    That goal is now the win; it is None if no end has this winner.  ``goals`` (n,) are player 0's.
    """
    # The goal is the most that player 0 can force, or the least that player 1 can.  A move of the
    # loser is optimal there where the winner cannot force more after it.
    ends, sign = arena.mover < 0, int(arena.value[0])
    alike = np.unique(goals[ends & (arena.value == sign)])
    if len(alike) <= 1:
        return arena, float(alike[0]) if len(alike) else None
    graph = GameGraph(**{part.name: getattr(arena, part.name) for part in fields(GameGraph)})
    levels = alike[::sign]  # the winner forces a level, and perhaps the next one
    best, more, low, high = arena, arena, 0, len(levels) - 1
    while low < high:
        middle = (low + high + 1) // 2
        enough = goals >= levels[middle] if sign > 0 else goals <= levels[middle]
        tried = solve_graph(graph, np.where(enough, sign, -sign).astype(np.int8))
        if int(tried.value[0]) == sign:
            best, low = tried, middle
        else:
            more, high = tried, middle - 1
    if more is not arena:
        best = replace(best, optimal=best.optimal & (more.value[best.target] != sign))
    return best, float(levels[low])


def _best_first(arena: Arena) -> Iterator[str]:
    """Yield the names of the best moves at row 0: the soonest win or the latest loss first."""
    moves = [move for move in arena.moves_of(0) if arena.optimal[move]]
    names = {move: in_order(arena.action_name(move)) for move in moves}
    return map(arena.action_name, sorted(moves, key=lambda m: (_haste(arena, 0, m), names[m])))


def _haste(arena: Arena, row: int, move: int) -> int:
    """Return a sort key for ``move`` of ``row``, less for a better one: win soon, lose late."""
    after, sign = int(arena.target[move]), int(arena.value[row])
    plies = int(arena.distance[after])
    if sign == 0:
        return plies if plies >= 0 else 1 << 20
    return plies if (sign > 0) == (int(arena.mover[row]) == 0) else -plies


def _best_play(arena: Arena) -> Iterator[tuple[int, int]]:
    """Yield (row, move) along a line of best play from row 0, to the end or for 60 moves."""
    row = 0
    for _ in range(min(_LONGEST, int(arena.distance[0]))):
        if arena.mover[row] < 0:
            return  # the loser could delay the end for a worse one
        kept = [move for move in arena.moves_of(row) if arena.optimal[move]]
        best = min(kept, key=lambda m: (_haste(arena, row, m), in_order(arena.action_name(m))))
        yield row, best
        row = int(arena.target[best])


def _line(board: Board, arena: Arena) -> Iterator[tuple[str, str]]:
    """Yield (role, action) along best play from row 0, the actions named as in the states met; rows
    are symmetric images of these."""
    game = FiniteGame(board)
    state = game.initial
    for row, best in _best_play(arena):
        action = arena.images_at(row, game.facts(state))[arena.action_name(best)]
        yield arena.mover_name(row), action
        state = game.result(state, Move(action))

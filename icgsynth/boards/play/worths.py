"""The worth of each move in a state of an impartial game, and players that choose by worth.

The values of an impartial game without any formula, where few states are ahead: the moves are
followed one state at a time, by the rules as they are written, and the ends are counted back from.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from math import inf
from typing import NamedTuple

import numpy as np

from icgsynth.boards.finite.arena_table import MoveWorth
from icgsynth.budget import on_the_clock
from icgsynth.errors import IllegalMove, Refused
from icgsynth.explicit.retrograde import Edges, settle
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.moves import is_over, some_moves
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import satisfies
from icgsynth.play.match import Choice

# --- reached -------------------------------------------------------------------------------------

_MOST = 12_000  # moves followed at most: about a second
_MOST_LISTED = 200  # moves listed one by one; of more, those near bounds


class Fate(NamedTuple):
    """Whether the player to move wins, and after how many plies: winners hurry, losers delay."""

    wins: bool
    plies: int


def fates(
    game: ParametricGame,
    rule: PlayRule,
    start: State,
    known: dict[State, Fate],
    most: int = _MOST,
    until: float = inf,
) -> bool:
    """Add to ``known`` who wins each state that play reaches from ``start``, and in how many plies.
    Return True; or False, and nothing is added, where more than ``most`` moves would have to be
    followed, the clock (``time.monotonic``) passes ``until``, or a parameter has no bound. A state
    in which nobody can force the end gets no entry."""
    moves = _follow(game, start, known, most, until)
    if moves is None:
        return False
    place = {state: i for i, state in enumerate(moves)}
    for state in chain.from_iterable(moves.values()):
        place.setdefault(state, len(place))
    value, plies = np.zeros(len(place), np.int8), np.full(len(place), -1, np.int32)
    for state, i in place.items():
        if state in known:
            value[i], plies[i] = 1 if known[state].wins else -1, known[state].plies
        elif not moves[state]:
            # No move is left: under misère play who is to move has won.
            value[i], plies[i] = 1 if rule == "misere" else -1, 0
    source = np.repeat(np.arange(len(moves)), [len(afters) for afters in moves.values()])
    target = np.array([place[after] for afters in moves.values() for after in afters], np.int64)
    settle(Edges.of(source, target, len(place)), value, plies)
    found = zip(place, value.tolist(), plies.tolist(), strict=True)
    known |= {state: Fate(wins > 0, left) for state, wins, left in found if wins}
    return True


def _follow(
    game: ParametricGame, start: State, known: dict[State, Fate], most: int, until: float
) -> dict[State, list[State]] | None:
    """Return each state that play reaches from ``start``, with its successors; states in ``known``
    are left out. None past ``most`` moves or the time ``until``, or if a parameter is unbounded."""
    found: dict[State, list[State]] = {}
    count, todo = 0, [start]
    while todo:
        state = todo.pop()
        if state in found or state in known:
            continue
        after = found[state] = []
        try:
            for move in game.moves(state):
                count += 1
                if count > most or time.monotonic() > until:
                    return None
                after.append(game.result(state, move))
        except OverflowError:  # a parameter without a bound
            return None
        todo += after
    return found


# --- worths --------------------------------------------------------------------------------------

_NEAR = 400  # moves followed to see the end behind one move of a large state
_SECONDS = 0.5  # seconds to follow play from a state, and again from its moves


def parametric_worths(
    game: ParametricGame,
    rule: PlayRule,
    state: State,
    moves: Iterable[Move],
    answer: Solution | None,
    known: dict[State, Fate],
) -> list[MoveWorth]:
    """Return the worth of each of ``moves`` in ``state``: by following play if it is short, else by
    ``answer``. What was followed is added to ``known``; what takes longer than a second is left to
    the answer, if that is proved (else the worth is None). :class:`~icgsynth.errors.Refused` where
    both give a value and they differ, for then one of them is wrong."""
    begun = time.monotonic()
    near = fates(game, rule, state, known, until=begun + on_the_clock(_SECONDS))
    found = []
    for move in moves:
        after = game.result(state, move)
        if not near:
            fates(game, rule, after, known, _NEAR, begun + on_the_clock(2 * _SECONDS))
        fate = known.get(after)
        said = None if answer is None else says_lost(answer, game, rule, after)
        # `said` is whether the player to move loses there.
        if fate is not None and said == fate.wins:
            raise Refused(f"the answer and the rules differ in {game.show(after)}")
        if fate is not None:
            found.append(MoveWorth(move, -1 if fate.wins else 1, fate.plies + 1))
        else:
            found.append(MoveWorth(move, None if said is None else 1 if said else -1, None))
    return found


def moves_that_count(
    game: ParametricGame, rule: PlayRule, state: State, answer: Solution | None
) -> tuple[list[Move], bool]:
    """Return the moves of ``state`` worth a look, and whether one of them wins if any move does. In
    a large state they are the moves near the bounds, and that of ``answer`` if it is proved."""
    moves, is_all = listed_moves(game, state)
    if is_all or answer is None or (lost := says_lost(answer, game, rule, state)) is None:
        return moves, is_all
    kept = None if lost else answer.plan.choose(game, state)
    if kept is not None and kept.move not in moves:
        moves.append(kept.move)
    return moves, lost or kept is not None


def listed_moves(game: ParametricGame, state: State) -> tuple[list[Move], bool]:
    """Return moves of ``state``, and whether these are all; of more than 200, those with parameters
    near their bounds."""
    try:
        moves = list(islice(game.moves(state), _MOST_LISTED + 1))
    except OverflowError:  # a parameter without a bound
        moves = []
    if 0 < len(moves) <= _MOST_LISTED:
        return moves, True
    near = list(islice(some_moves(game, state), _MOST_LISTED))
    return near, not (moves or near)


def says_lost(answer: Solution, game: ParametricGame, rule: PlayRule, state: State) -> bool | None:
    """Return whether the player to move loses in ``state`` by the formulas of ``answer``; None for
    a draw, or where the answer is not proved."""
    if not answer.is_proved or (answer.winning is None and answer.losing is None):
        return None
    if rule == "misere" and is_over(game, state):
        return False
    if answer.draws is not None:
        winning, losing, _ = answer.three_sides()
        env = game.env(state)
        return True if satisfies(losing, env) else False if satisfies(winning, env) else None
    return satisfies(answer.sides()[1], game.env(state))


def far_sighted(worths: Sequence[MoveWorth], seed: int, knows_all: bool = True) -> Choice:
    """Return the best of a state's moves by ``worths``: keep the value, win fast and lose late. Of
    equal ones one is drawn by ``seed``. ``knows_all`` is False where moves are missing that could
    win; then the reason does not say that the state is lost."""
    best = max(_rank(each) for each in worths) if worths else 0.0
    move = _draw([each for each in worths if _rank(each) == best], seed)
    if move.value is None:
        return Choice(move.move, "any move: nothing is known of them")
    plies = (
        ""
        if move.plies is None
        else f", {move.plies} pl{'y' if move.plies == 1 else 'ies'} to the end"
    )
    if move.value == 0:
        return Choice(move.move, "it keeps the draw")
    if move.value < 0 and not knows_all:
        return Choice(move.move, "no move that it looked at wins")
    word = "it wins" if move.value > 0 else "delaying: every move loses"
    return Choice(move.move, word + plies, wins=move.value > 0)


def keeping(worths: Sequence[MoveWorth]) -> tuple[Move, ...]:
    """Return the moves that keep the value of a state; ``worths`` has all its moves."""
    best = max(each.value or 0 for each in worths)
    return tuple(each.move for each in worths if each.value == best)


def near_sighted(
    worths: Sequence[MoveWorth], depth: int, seed: int, knows_all: bool = True
) -> Choice:
    """Return the move of a player who sees forced ends within ``depth`` plies, and none beyond. Of
    equal ``worths`` one is drawn by ``seed``; ``knows_all``: ``worths`` has all moves."""
    seen = [
        each if each.plies is not None and each.plies <= depth else each._replace(value=0)
        for each in worths
    ]
    best = max((each.value or 0 for each in seen), default=0)
    move = _draw([each for each in seen if (each.value or 0) == best], seed)
    # A move that was not looked at may be better than all of these losses.
    best = max(best, 0) if not knows_all else best
    word = {1: "it sees a win", -1: "it sees that it loses"}.get(best, "it sees no end")
    plies = f"looking {depth} pl{'y' if depth == 1 else 'ies'} ahead"
    return Choice(move.move, f"{word}, {plies}", wins={1: True, -1: False}.get(best))


def by_lot(worths: Sequence[MoveWorth], seed: int) -> Choice:
    """Return one of the moves of ``worths``, drawn at random by ``seed``."""
    move = _draw(list(worths), seed).move
    return Choice(move, f"by lot, one of {len(worths)}" if len(worths) > 1 else "the only move")


def _rank(worth: MoveWorth) -> float:
    """Return a number for the quality of a move: quick wins highest, then draws, then losses."""
    # A win of unknown length comes after all others, for it may be longer than any.
    value, plies = worth.value or 0, worth.plies
    return value if plies is None else value * 2 - value * plies / (plies + 1)


def _draw(worths: Sequence[MoveWorth], seed: int) -> MoveWorth:
    if not worths:
        raise IllegalMove("no move is left")
    return random.Random(seed).choice(worths)

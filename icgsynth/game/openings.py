"""States to begin play with: neither tiny nor huge, and won by one move alone where that is so."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.moves import any_move

_BOUNDS = (20, 12, 30, 100, 3)  # of the boxes that states are drawn from
_SIZES = range(10, 21)  # of the largest number of a state that people like to begin with
_TRIES = 150  # states drawn from a box
_CELLS = 400_000  # of a box, all states of which are listed
_SECONDS = 1.0
_ENOUGH = 12  # states, so that no other box is asked
_MOVES = 300  # of a state that are looked at
_BEST, _WON, _OPEN = range(3)


def openings(
    game: ParametricGame, seed: int, loses: Callable[[State], bool] | None = None
) -> Iterator[State]:
    """Legal states that have moves, each once, the best to begin with first.

    These are those that one move wins, as ``loses`` tells of the player to move in a state; then
    others that are won; then all others.  Without ``loses`` nothing is known of them.  Where
    states have very many moves, those are chosen from that a second is enough for.
    """
    rng, seen, later = random.Random(seed), set[State](), list[tuple[int, State]]()
    within = Budget(_SECONDS)
    for bound in _BOUNDS:
        for state in _drawn(game, bound, rng):
            if later and within.is_spent:
                break
            rank = None if state in seen else _rank(game, state, loses)
            seen.add(state)
            if rank == _BEST:
                yield state
            elif rank is not None:
                later.append((rank, state))
        if len(later) >= _ENOUGH or (later and within.is_spent):
            break
    yield from (state for _, state in sorted(later, key=lambda each: each[0]))


def _drawn(game: ParametricGame, bound: int, rng: random.Random) -> Iterator[State]:
    """Legal states of a box by lot, also where few of its points are legal."""
    box = Box.of(game, bound)
    if box.cells <= _CELLS:
        states = [tuple(state) for state in box.states.tolist()]
        yield from rng.sample(states, min(_TRIES, len(states)))
        return
    for _ in range(_TRIES):
        state = tuple(rng.randint(lo, hi) for lo, hi in box.ranges)
        if game.is_legal(state):
            yield state


def _rank(game: ParametricGame, state: State, loses: Callable[[State], bool] | None) -> int | None:
    """How good it is to begin with ``state``; None where it has no move, or that is not known."""
    try:
        if any_move(game, state) is None:
            return None
    except Refused:
        return None
    fits = max(map(abs, state)) in _SIZES and all(state)  # no pile is empty
    if loses is None:
        return _BEST if fits else _OPEN
    if loses(state):
        return _OPEN
    try:
        after = {game.result(state, move) for move in islice(game.moves(state), _MOVES)}
    except OverflowError:  # a parameter without a bound
        return _WON
    wins = sum(map(loses, after))
    return _BEST if fits and wins == 1 else _WON if wins else _OPEN

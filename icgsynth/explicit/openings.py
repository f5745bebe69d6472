"""States to begin play with: neither tiny nor huge, and won by one move alone where that is so."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeAlias

from icgsynth.errors import InputError
from icgsynth.explicit.box import OPENINGS, Box
from icgsynth.game.answers import SHOWN
from icgsynth.game.game import Move, ParametricGame, State
from icgsynth.game.moves import some_moves
from icgsynth.logic.evaluate import satisfies

_BOUNDS = (20, 12, 30, 100, 3)  # of the boxes that states are drawn from
_AROUND = 20  # how far from a state that is found far out the others are looked for
_SIZES = range(10, 21)  # of the largest number of a state that people like to begin with
_TRIES = 150  # states drawn from a box
_ENOUGH = 12  # states, so that no other box is asked
_MOVES = 300  # of a state that are looked at
_CANDIDATES = 4_000  # values of parameters that are tried in a state: some hundredths of a second
_ALL_CANDIDATES = 40_000  # and in all states: about a second
_BEST, _WON, _OPEN = range(3)
Loses: TypeAlias = Callable[[State], bool]


def openings(game: ParametricGame, seed: int, loses: Loses | None = None) -> Iterator[State]:
    """Yield legal states that have moves, each once, the best to begin with first.

    Best are those that one move wins, as ``loses`` tells of the player to move in a state; then
    others that are won; then all others, drawn at random from ``seed``.  Without ``loses`` nothing
    is known of them.  Where states have very many moves, so many are chosen from as a bound on the
    work allows: no clock is asked, and the states are the same on every machine.  Where no state
    with numbers up to 100 has a move, a solver is asked for one, and others are looked for near it.
    """
    looked = _Looked(game, loses)
    rng = random.Random(seed)
    for bound in _BOUNDS:
        yield from looked.best_of(_draw(Box.of(game, bound), rng))
        if looked.is_enough:
            break
    if not looked.seen_open and (known := SHOWN["state_with_move"](game)) is not None:
        sides = tuple((number - _AROUND, number + _AROUND) for number in known)
        around = Box(game.variables, sides, game.legal)
        yield from looked.best_of(chain([known], _draw(around, rng)))
    yield from (state for _, state in sorted(looked.later, key=lambda each: each[0]))


class _Looked:
    """The states looked at in search of openings; ``later`` are those that are not best."""

    def __init__(self, game: ParametricGame, loses: Loses | None) -> None:
        self.game, self.loses = game, loses
        self.later: list[tuple[int, State]] = []
        self.seen_open = False
        self._seen: set[State] = set()
        self._left = _ALL_CANDIDATES

    @property
    def is_enough(self) -> bool:
        """Return whether enough states to begin play with are found, so that no further box is
        searched for them."""
        return len(self.later) >= _ENOUGH or (bool(self.later) and self._left <= 0)

    def best_of(self, states: Iterable[State]) -> Iterator[State]:
        """Yield the best of the new ``states`` to begin with; append others with a move to
        ``later``."""
        for state in states:
            if self.later and self._left <= 0:
                return
            if state in self._seen:
                continue
            self._seen.add(state)
            rank = self._rank(state)
            self.seen_open |= rank is not None
            if rank == _BEST:
                yield state
            elif rank is not None:
                self.later.append((rank, state))

    def _rank(self, state: State) -> int | None:
        """Return 0 if ``state`` is best to begin play with, 1 if it is won by some move, 2 if it
        has a move and no more is known or it is lost; None if no move is found."""
        near, loses = {*islice(some_moves(self.game, state), _MOVES)}, self.loses
        self._left -= 1 + len(near)
        if not near and not any(True for _ in self._list_moves(state, 1)):
            return None
        fits = max(map(abs, state)) in _SIZES and all(state)  # no pile is empty
        if loses is None:
            return _BEST if fits else _OPEN
        if loses(state):
            return _OPEN
        try:
            after = {self.game.result(state, move) for move in self._list_moves(state, _MOVES)}
        except OverflowError:  # a parameter without a bound
            return _WON
        wins = sum(map(loses, after))
        return _BEST if fits and wins == 1 else _WON if wins else _OPEN

    def _list_moves(self, state: State, most: int) -> Iterator[Move]:
        for move in islice(self.game.propose(state), _CANDIDATES):
            self._left -= 1
            if self.game.applies(state, move):
                yield move
                most -= 1
            if not most:
                return


def _draw(box: Box, rng: random.Random) -> Iterator[State]:
    """Yield at most 150 random legal states of ``box``, also where few of its points are legal."""
    if box.cells <= OPENINGS.states and not box.is_far:
        states = [tuple(state) for state in box.states.tolist()]
        yield from rng.sample(states, min(_TRIES, len(states)))
        return
    for _ in range(_TRIES):
        state = tuple(rng.randint(lo, hi) for lo, hi in box.ranges)
        if satisfies(box.legal, dict(zip(box.variables, state, strict=True))):
            yield state


def some_state(game: ParametricGame, seed: int, loses: Loses | None = None) -> State:
    """Return the state of ``game`` to begin play with that :func:`openings` yields first for
    ``seed`` and ``loses``; InputError if it yields none."""
    found = next(openings(game, seed, loses), None)
    if found is None:
        raise InputError("no state with a move was found", mend="give one with --start")
    return found

"""How play comes to a position: the moves from the empty board."""

from __future__ import annotations

import random

from icgsynth.starts.lines import LineGame, Position

__all__ = ["path_to"]


def path_to(
    game: LineGame,
    state: Position,
    rng: random.Random,
) -> tuple[int, ...] | None:
    """Cells that X and O take in turn to reach ``state``; None where play does not come.

    Stones are taken back one by one, in an order drawn by ``rng``, and a dead end is not
    entered twice.  Of a board without a line every part is without one, so that only gravity
    and the turns matter; a board with a line must lose it with the last stone.
    """
    if not game.is_legal(state):
        return None
    dead: set[Position] = set()
    path: list[int] = []
    open_: list[list[Position]] = [_before(game, state, rng)]
    while open_:
        if len(path) == (state[0] | state[1]).bit_count():
            return tuple(reversed(path))
        if not open_[-1]:
            open_.pop()
            if path:
                path.pop()
            continue
        at = open_[-1].pop()
        if at in dead:
            continue
        dead.add(at)  # left for good, or on the way and then not needed again
        after = _last(state, path)
        path.append((after[0] | after[1]) ^ (at[0] | at[1]))
        open_.append(_before(game, at, rng))
    return () if state == game.initial else None


def _last(state: Position, taken_back: list[int]) -> Position:
    """The board after some stones were taken back."""
    gone = sum(taken_back)
    return state[0] & ~gone, state[1] & ~gone


def _before(
    game: LineGame,
    state: Position,
    rng: random.Random,
) -> list[Position]:
    """The boards one move earlier, in random order."""
    seat = 1 - game.mover(state)
    ended = game.has_line(state[seat])
    found = []
    left = state[seat]
    while left:
        bit = left & -left
        left ^= bit
        x, o = state
        before = (x ^ bit, o) if seat == 0 else (x, o ^ bit)
        if game.may_take(before, bit) and not (ended and game.has_line(before[seat])):
            found.append(before)
    rng.shuffle(found)
    return found

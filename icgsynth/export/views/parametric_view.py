"""Boards of games over integer states: piles, rows of squares, a lattice, a table."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.moves import some_moves
from icgsynth.logic import term as t
from icgsynth.logic.ranges import linear, ranges

MOST_MOVES = 200  # that are listed; of more, the actions are
_LATTICE = 12  # the least number of rows and columns of a lattice
_WIDEST = 60  # the greatest
_SQUARES = 40  # squares in a row that are drawn


def listed_moves(game: ParametricGame, state: State) -> tuple[list[Move], bool]:
    """The moves of a state, and whether these are all: of many, only those near their bounds."""
    try:
        moves = list(islice(game.moves(state), MOST_MOVES + 1))
    except OverflowError:  # a parameter without a bound
        moves = []
    if 0 < len(moves) <= MOST_MOVES:
        return moves, True
    near = list(islice(some_moves(game, state), MOST_MOVES))
    return near, not (moves or near)


@lru_cache(maxsize=64)
def board_kinds(game: ParametricGame) -> tuple[str, ...]:
    """The kinds of boards on which a game can be drawn, the plainest first.

    ``squares`` where each move cuts rows off (Chomp); ``piles`` where no variable is negative;
    ``lattice`` for two variables; ``facts``, a table, for every game.
    """
    bounds = ranges(game.legal, game.variables, {})
    counts = all(low is not None and low >= 0 for low, _ in bounds.values())
    found = []
    if counts and all(cut(action) is not None for action in game.actions):
        found.append("squares")
    if counts:
        found.append("piles")
    if len(game.variables) == 2:
        found.append("lattice")
    return (*found, "facts")


def parametric_board(game: ParametricGame, state: State, kind: str = "") -> dict[str, Any]:
    """The board of a ``state``, of the first kind of :func:`board_kinds` where ``kind`` is none."""
    kinds = board_kinds(game)
    if kind not in kinds or (kind == "squares" and max(state) > _SQUARES):
        kind = next(k for k in kinds if k != "squares" or max(state) <= _SQUARES)
    numbers = [str(number) for number in state]
    if kind == "squares":
        return {"kind": kind, "rows": numbers}
    if kind == "piles":
        return {"kind": kind, "names": list(game.variables), "counts": numbers}
    if kind == "lattice":
        return _lattice(game, state)
    facts = [f"{name} = {number}" for name, number in game.env(state).items()]
    return {"kind": "facts", "facts": facts}


def _lattice(game: ParametricGame, state: State) -> dict[str, Any]:
    """The part of the plane around a state that is drawn, from 0 where that is near."""
    size = min(max(*state, _LATTICE) + 2, _WIDEST)
    corner = [0 if 0 <= number <= size else number - size + 2 for number in state]
    return {
        "kind": "lattice",
        "names": list(game.variables),
        "at": [str(number) for number in state],
        "from": [str(number) for number in corner],
        "size": size,
        "losing": [],
    }


def cut(action: Action) -> tuple[str, t.Term] | None:
    """The row that an action cuts, with the rows below it that are longer, and to which length.

    That is ``a := k - 1, b := min(b, k - 1)`` for a parameter k; None for any other action.
    """
    if len(action.parameters) != 1:
        return None
    found: dict[str, t.Term] = {}
    lengths = set()
    for variable, term in action.effects:
        if isinstance(term, t.Min) and t.Name(variable) in (term.left, term.right):
            term = term.right if term.left == t.Name(variable) else term.left
        else:
            found[variable] = term
        lengths.add(str(term))
        form = linear(term)
        if dict(form.factors) != {t.Name(action.parameters[0]): 1}:
            return None
    if len(found) != 1 or len(lengths) != 1:
        return None
    return next(iter(found.items()))

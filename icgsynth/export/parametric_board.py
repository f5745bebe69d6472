"""Draw states of parametric games as boards: piles, rows of squares, a lattice, a table.

A board is a JSON object, which ``icgsynth/formats/page/board.js`` draws, or lines of text.  Its
integers are decimal strings, because a pile may have more counters than JavaScript's numbers can
count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from icgsynth.game.game import Action, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.ranges import linear, ranges

_LATTICE = 12  # least number of rows and columns of a lattice
_WIDEST = 60  # greatest number of rows and columns of a lattice
_SQUARES = 40  # most squares in a row that are drawn
_LONGEST = 60  # most counters or squares in a row of text
_HIGHEST = 24  # most rows of piles


@lru_cache(maxsize=64)
def board_kinds(game: ParametricGame) -> tuple[str, ...]:
    """Return the kinds of boards on which ``game`` can be drawn, the plainest first.

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
    """Return the JSON board of ``state``, of the given ``kind`` or else the plainest possible."""
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
    """Return as JSON which part of the plane around ``state`` to draw, beginning at 0 if near."""
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
    """Return the variable that a Chomp-like action cuts, and the length left; None for others.

    With a parameter k this is ("a", k - 1) for ``a := k - 1, b := min(b, k - 1)``.
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


def board_lines(board: Mapping[str, Any]) -> list[str]:
    """Return ``board`` as lines of text; [] for a lattice or a table, or if a line is too long."""
    match board["kind"]:
        case "piles":
            return _rows(board["names"], board["counts"], "o")
        case "squares":
            names = [str(i) for i in range(1, len(board["rows"]) + 1)]
            return _rows(board.get("names", names), board["rows"], "#")
        case _:
            return []


def _rows(names: Sequence[str], counts: Sequence[str], counter: str) -> list[str]:
    """Return a line with ``counter`` signs for each pile; [] if one would be too long."""
    if len(names) > _HIGHEST or any(not 0 <= int(count) <= _LONGEST for count in counts):
        return []
    width = max(map(len, names))
    return [
        f"  {name:>{width}}  {counter * int(count)}".rstrip()
        for name, count in zip(names, counts, strict=True)
    ]

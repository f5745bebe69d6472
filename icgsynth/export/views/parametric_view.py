"""Views of games over integer states: piles, rows of squares, a lattice, a table.

Who wins by the remainders of the numbers alone is a table of its own, where a formula says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, product
from math import lcm
from typing import Any

from icgsynth.export.sentences import move_said
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.moves import some_moves
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.ranges import as_number, linear, ranges

MOST_MOVES = 200  # that are listed; of more, the actions are
_LATTICE = 12  # the least number of rows and columns of a lattice
_WIDEST = 60  # the greatest
_SQUARES = 40  # squares in a row that are drawn


def parametric_view(game: ParametricGame, state: State, kind: str = "") -> dict[str, Any]:
    """The view of a legal ``state``; ``kind`` one of :func:`board_kinds`, the first by default."""
    kinds, board = board_kinds(game), parametric_board(game, state, kind)
    kind = board["kind"]
    moves, is_all = listed_moves(game, state)
    view: dict[str, Any] = {
        "game": game.name,
        "title": game.title or game.name,
        "kinds": list(kinds),
        "board": board,
        "moves": [_shown(game, state, kind, move) for move in moves],
        "turn": None,
        "ended": None,
        "notes": [],
        "text": game.show(state),
    }
    if not is_all:
        view["actions"] = [
            {"action": a.name, "parameters": list(a.parameters), "label": _described(a)}
            for a in game.actions
        ]
    return view


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
    if counts and all(_cut(action) is not None for action in game.actions):
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


def shaded(board: dict[str, Any], game: ParametricGame, answer: Solution) -> dict[str, Any]:
    """A lattice with the losing states of an answer in it."""
    losing = conjunction((game.legal, answer.sides()[1]))
    first, second = (int(number) for number in board["from"])
    cells = product(range(board["size"] + 1), repeat=2)
    states = ((first + x, second + y) for x, y in cells)
    found = [[str(x), str(y)] for x, y in states if satisfies(losing, game.env((x, y)))]
    return {**board, "losing": found}


def _shown(game: ParametricGame, state: State, kind: str, move: Move) -> dict[str, Any]:
    after = game.result(state, move)
    said = move_said(game, state, after)
    shown: dict[str, Any] = {"move": str(move), "label": said, "value": None}
    shown |= {"distance": None, "rule": None, "hint": False}
    if (spot := _spot(game, state, kind, move, after)) is not None:
        shown["spot"] = spot
    return shown


def _spot(
    game: ParametricGame, state: State, kind: str, move: Move, after: State
) -> dict[str, Any] | None:
    """What is clicked for a move; None where nothing on the board stands for it alone."""
    if kind == "lattice":
        return {"to": [str(number) for number in after]}
    changed = [i for i, (old, new) in enumerate(zip(state, after, strict=True)) if old != new]
    if kind == "piles" and len(changed) == 1 and after[changed[0]] < state[changed[0]]:
        return {"pile": changed[0], "leaves": str(after[changed[0]])}
    if kind == "squares":
        action = game.action(move.action)
        row, term = _cut(action) or ("", t.Name(""))
        env: Mapping[str, int] = dict(move.arguments)
        return {"row": game.variables.index(row), "column": value(term, env)}
    return None


def _cut(action: Action) -> tuple[str, t.Term] | None:
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


def _described(action: Action) -> str:
    effects = ", ".join(f"{name} := {term}" for name, term in action.effects)
    return f"{action.name}: {effects}, where {action.precondition}"


# --- by remainders -------------------------------------------------------------------------------

_MOST = {1: 40, 2: 12}  # remainders that are shown, by the number of variables


def remainder_table(answer: Solution) -> dict[str, Any] | None:
    """``rows`` of whether states lose, by their remainders modulo ``modulus``; None for no table.

    ``names`` are the one or two variables that decide; the last one's remainders are the columns.
    """
    losing = answer.sides()[1]
    found = _periodic(losing)
    if found is None:
        return None
    modulus, read = found
    names = [name for name in answer.game.variables if name in read]
    if modulus > _MOST.get(len(names), 0):
        return None
    others = dict.fromkeys(answer.game.variables, 0) | dict(answer.game.constants)
    cells = [
        satisfies(losing, others | dict(zip(names, remainders, strict=True)))
        for remainders in product(range(modulus), repeat=len(names))
    ]
    rows = [cells[start : start + modulus] for start in range(0, len(cells), modulus)]
    return {"modulus": modulus, "names": names, "rows": rows}


def _periodic(formula: t.Formula) -> tuple[int, set[str]] | None:
    """By which number remainders decide, and those of which names; None where more counts."""
    moduli, names = [1], set()
    todo: list[t.Node] = [formula]
    while todo:
        node = todo.pop()
        if isinstance(node, t.Mod):
            divisor, atoms = as_number(node.divisor), linear(node.arg).factors
            if not divisor or not all(isinstance(atom, t.Name) for atom in atoms):
                return None
            moduli.append(divisor)
            names |= {str(atom) for atom in atoms}
        elif isinstance(node, t.Name | t.Digital | t.Recognised | t.Quantified):
            return None
        else:
            todo += t.children(node)
    return lcm(*moduli), names

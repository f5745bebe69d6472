"""Views of games over integer states for pages: a board, and the place to click for each move.

Where remainders of the numbers alone decide who wins, there is also a table by remainders.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import lcm
from typing import Any

from icgsynth.boards.play.worths import listed_moves
from icgsynth.export.parametric_board import board_kinds, cut, parametric_board
from icgsynth.export.sentences import move_said
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.prose import in_rules
from icgsynth.logic.ranges import as_number, linear

_MOST = {1: 40, 2: 12}  # remainders that are shown, by the number of variables


def parametric_view(game: ParametricGame, state: State, kind: str = "") -> dict[str, Any]:
    """Return as JSON how a page shows ``state``, on a board of the ``kind``; "" is the first
    kind."""
    kinds, board = board_kinds(game), parametric_board(game, state, kind)
    kind = board["kind"]
    moves, is_all = listed_moves(game, state)
    view: dict[str, Any] = {
        "game": game.name,
        "title": game.title or game.name,
        "kinds": list(kinds),
        "board": board,
        "moves": [_show(game, state, kind, move) for move in moves],
        "turn": None,
        "ended": None,
        "notes": [],
        "text": game.show(state),
    }
    if not is_all:
        view["actions"] = [
            {"action": a.name, "parameters": list(a.parameters), "label": _describe(a)}
            for a in game.actions
        ]
    return view


def shade(board: dict[str, Any], game: ParametricGame, answer: Solution) -> dict[str, Any]:
    """Return ``board``, JSON of a lattice, with the losing states of ``answer`` added."""
    losing = conjunction((game.legal, answer.sides()[1]))
    first, second = (int(number) for number in board["from"])
    cells = product(range(board["size"] + 1), repeat=2)
    states = ((first + x, second + y) for x, y in cells)
    found = [[str(x), str(y)] for x, y in states if satisfies(losing, game.env((x, y)))]
    return {**board, "losing": found}


def _show(game: ParametricGame, state: State, kind: str, move: Move) -> dict[str, Any]:
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
    """Return as JSON what to click on a board of the ``kind`` to make ``move``, which leads from
    ``state`` to ``after``; None where nothing stands for this move alone."""
    if kind == "lattice":
        return {"to": [str(number) for number in after]}
    changed = [i for i, (old, new) in enumerate(zip(state, after, strict=True)) if old != new]
    if kind == "piles" and len(changed) == 1 and after[changed[0]] < state[changed[0]]:
        return {"pile": changed[0], "leaves": str(after[changed[0]])}
    if kind == "squares":
        action = game.action(move.action)
        row, term = cut(action) or ("", t.Name(""))
        env: Mapping[str, int] = dict(move.arguments)
        return {"row": game.variables.index(row), "column": value(term, env)}
    return None


def _describe(action: Action) -> str:
    effects = ", ".join(f"{name} := {in_rules(term)}" for name, term in action.effects)
    return f"{action.name}: {effects}, where {in_rules(action.precondition)}"


def remainder_table(answer: Solution) -> dict[str, Any] | None:
    """Return a table of who loses by remainders modulo ``modulus``, as JSON; None without one.
    ``names`` are the one or two variables that decide; the last one's remainders are the columns.
    Entries of ``rows`` are True where the player to move loses."""
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
    """Return (modulus, names) if all ``names`` in ``formula`` stand in remainders by numbers, which
    divide the modulus; None where one stands elsewhere."""
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

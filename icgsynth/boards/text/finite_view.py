"""Pictures of finite games as JSON: grids, columns of falling men, graphs, piles, or facts.

At the end the pictures of line games: Tic-tac-toe, Connect, and games between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, pi, sin
from typing import Any

from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.layout import Cell, Layout, layout_of
from icgsynth.boards.finite.names import is_number, words
from icgsynth.boards.finite.turns import IDLE
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.boards.starts.puzzles import cell_name
from icgsynth.game.game import Move, State

_EMPTY = frozenset({"b", "blank", "empty", "e", "none"})
"""Usual values of an empty cell in rules of games, unless the value is the name of a role."""
_LINE = 3  # equal cells in a row that are marked as a line
_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def finite_view(game: FiniteGame, state: State, kind: str = "") -> dict[str, Any]:
    """Return a state as JSON for a web page; ``kind`` is ``facts`` to show facts, not a board."""
    board = finite_board(game)
    facts = game.facts(state)
    mover = game.mover(state)
    moves = [] if mover < 0 else list(game.moves(state))
    drawn = board.draw(facts) if kind != "facts" else None
    if drawn is None:
        drawn = {"kind": "facts", "facts": list(facts)}
    if mover < 0 and drawn["kind"] == "grid":
        drawn["line"] = _line(drawn)
    kinds = [board.kind, "facts"] if board.kind != "facts" else ["facts"]
    return {
        "game": game.name,
        "title": game.name,
        "kinds": kinds,
        "board": drawn,
        "moves": [_show(game, board, drawn["kind"], state, move) for move in moves],
        "turn": None if mover < 0 else game.roles[mover],
        "ended": outcome(game, state) if mover < 0 else None,
        "notes": [],
        "text": " ".join(facts),
    }


def outcome(game: FiniteGame, state: State) -> str:
    """Return how the game ended in a terminal state, in words: ``x has won.``"""
    goals = game.goals(state)
    if goals[0] == goals[1]:
        return "A draw."
    return f"{game.roles[0] if goals[0] > goals[1] else game.roles[1]} has won."


@lru_cache(maxsize=16)
def finite_board(game: FiniteGame) -> FiniteBoard:
    """Return how to draw the states of ``game``: found from its facts and first moves."""
    start = game.facts(game.initial)
    layout = layout_of(game.board.facts, start)
    if layout is not None:
        return FiniteBoard(layout, None, _falls(game, layout), _EMPTY - set(game.roles))
    return FiniteBoard(None, _piles(game.board.facts, start), False)


@dataclass(frozen=True)
class FiniteBoard:
    """How a game's facts are drawn: by a ``layout``, as the relation ``piles``, or as text alone.

    ``falls`` says that men fall down the columns, which the first coordinate then names.  The
    values in ``empty`` say that no man stands on a cell."""

    layout: Layout | None
    piles: str | None
    falls: bool
    empty: frozenset[str] = _EMPTY

    @property
    def kind(self) -> str:
        """The kind of board: a layout's shape (grid, graph), ``piles`` or ``facts``."""
        if self.layout is not None:
            return self.layout.shape
        return "facts" if self.piles is None else "piles"

    @cached_property
    def _where(self) -> Mapping[Cell, tuple[int, int]]:
        """The (row, column) of each cell of a grid, from the upper left, counted from 0."""
        assert self.layout is not None
        rows, columns = self.layout.rows, self.layout.columns
        if self.falls:
            last = len(columns) - 1
            return {
                (c, r): (last - j, i) for i, c in enumerate(rows) for j, r in enumerate(columns)
            }
        return {(r, c): (i, j) for i, r in enumerate(rows) for j, c in enumerate(columns)}

    def shows(self, fact: str) -> bool:
        """Return whether the board's picture shows a fact."""
        if self.layout is not None:
            return self.layout.place(fact) is not None or words(fact)[0] == self.layout.vacant
        return self.piles is not None and words(fact)[0] == self.piles

    def say(self, game: FiniteGame, facts: Iterable[str], mover: int) -> list[str]:
        """Return who moves, and the facts that the picture of the board does not show, as a list of
        texts. Left out are relations that at the start name the role to move, as ``control(x)``.
        ``mover`` is the index of the role to move, -1 at the end."""
        first = game.mover(game.initial)
        start = map(words, game.facts(game.initial))
        turns = {part[0] for part in start if first >= 0 and part[1:] == (game.roles[first],)}
        other = [f for f in facts if not self.shows(f) and words(f)[0] not in turns]
        return other if mover < 0 else [f"{game.roles[mover]} to move", *other]

    def draw(self, facts: Iterable[str]) -> dict[str, Any] | None:
        """Return the picture of a state's facts as JSON; None where only text can show them."""
        if self.layout is None and self.piles is not None:
            counts = self._counts(facts)
            return {"kind": "piles", "names": list(counts), "counts": list(counts.values())}
        if self.layout is None:
            return None
        placed = [at for fact in facts if (at := self.layout.place(fact)) is not None]
        if self.layout.shape == "graph":
            return _graph(self.layout, dict(placed))
        cells = [
            {"at": list(self._where[cell]), "mark": mark or "■"}
            for cell, mark in placed
            if mark.lower() not in self.empty
        ]
        rows, columns = self.layout.rows, self.layout.columns
        if self.falls:
            rows, columns = columns[::-1], rows
        return {
            "kind": "grid",
            "rows": len(rows),
            "columns": len(columns),
            "names": {"rows": list(rows), "columns": list(columns)},
            "cells": cells,
            "drops": self.falls,
        }

    def place(self, fact: str) -> dict[str, Any] | None:
        """Return the place and mark of a fact in the picture as JSON; None if it is not shown."""
        if self.layout is None or (found := self.layout.place(fact)) is None:
            return None
        cell, value = found
        mark = "□" if value.lower() in self.empty else value or "■"
        if self.layout.shape == "graph":
            return {"ends": list(cell), "mark": mark}
        return {"cell": list(self._where[cell]), "mark": mark}

    def spots(self, actions: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the place to click, as JSON, for each action by name; {} for piles, where the
        place depends on the state."""
        if self.kind == "piles":
            return {}
        found = ((action, self.spot(Move(action), (), ())) for action in actions)
        return {action: spot for action, spot in found if spot is not None}

    def spot(
        self, move: Move, before: Iterable[str], after: Iterable[str]
    ) -> dict[str, Any] | None:
        """Return the place to click for ``move`` as JSON, None if there is none. ``before`` and
        ``after``: the facts of the states before and after the move."""
        if self.piles is not None:
            return self._pile_spot(before, after)
        if self.layout is None:
            return None
        cells = self.layout.cells(move.action)
        if self.layout.shape == "graph":
            return {"ends": list(cells[0])} if cells else None
        if self.falls and len(arguments := words(move.action)[1:]) == 1:
            return {"column": self.layout.rows.index(arguments[0])}
        return {"cell": list(self._where[cells[-1]])} if cells else None

    def _counts(self, facts: Iterable[str]) -> dict[str, str]:
        parts = (words(fact) for fact in facts)
        return {p[1]: p[2] for p in parts if p[0] == self.piles and len(p) == 3}

    def _pile_spot(self, before: Iterable[str], after: Iterable[str]) -> dict[str, Any] | None:
        old, new = self._counts(before), self._counts(after)
        changed = [i for i, name in enumerate(old) if new.get(name) != old[name]]
        if len(changed) != 1:
            return None
        return {"pile": changed[0], "leaves": new[list(old)[changed[0]]]}


def _graph(layout: Layout, marks: Mapping[Cell, str]) -> dict[str, Any]:
    points = layout.rows
    turn = 2 * pi / len(points)
    nodes = [
        {"name": p, "at": [_share(sin(i * turn)), _share(-cos(i * turn))]}
        for i, p in enumerate(points)
    ]
    edges = [
        {"ends": [one, other], "mark": marks.get((one, other))}
        for i, one in enumerate(points)
        for other in points[i + 1 :]
    ]
    return {"kind": "graph", "nodes": nodes, "edges": edges}


def _share(part: float) -> float:
    return round(0.5 + part / 2, 4)


def _piles(facts: tuple[str, ...], start: tuple[str, ...]) -> str | None:
    """Return the relation whose facts ``heap(NAME, COUNT)`` hold once for each name, or None.
    ``start`` has the facts of the initial state, ``facts`` all."""
    parts = [words(fact) for fact in facts]
    for relation in dict.fromkeys(p[0] for p in parts if len(p) == 3):
        mine = [p for p in parts if p[0] == relation]
        held = [w[1] for fact in start if (w := words(fact))[0] == relation]
        numbers = all(len(p) == 3 and is_number(p[2]) for p in mine)
        if numbers and len(held) > 0 and sorted(held) == sorted({p[1] for p in mine}):
            return relation
    return None


def _falls(game: FiniteGame, layout: Layout) -> bool:
    """Return whether moves name only a column, and the men fall down the column."""
    # Looked up in the moves from the start: ``drop(2)`` puts a man on ``cell(2,1)``.
    if layout.shape != "grid":
        return False
    found = []
    here = set(game.facts(game.initial))
    for move in game.moves(game.initial):
        arguments = words(move.action)[1:]
        there = set(game.facts(game.result(game.initial, move))) - here
        cells = [at[0] for fact in there if (at := layout.place(fact)) is not None]
        if len(arguments) != 1 or len(cells) != 1:
            return False
        found.append(cells[0][0] == arguments[0])
    return bool(found) and all(found)


def _line(board: Mapping[str, Any]) -> list[list[int]]:
    """Return the cells [row, column] of the longest line of equal marks; [] if below three."""
    marks = {(at[0], at[1]): cell["mark"] for cell in board["cells"] if (at := cell["at"])}
    best: list[tuple[int, int]] = []
    for start, mark in marks.items():
        for down, right in _WAYS:
            line = [start]
            while marks.get(step := (line[-1][0] + down, line[-1][1] + right)) == mark:
                line.append(step)
            best = max(best, line, key=len)
    return [list(cell) for cell in best] if len(best) >= _LINE else []


def finite_move_said(move: Move) -> str:
    """Return the label of a move: the name in the rules, or "pass" for a move of waiting."""
    return move.action if move.action not in IDLE else "pass"


def _show(
    game: FiniteGame, board: FiniteBoard, kind: str, state: State, move: Move
) -> dict[str, Any]:
    shown: dict[str, Any] = {"move": str(move), "label": finite_move_said(move), "value": None}
    shown |= {"distance": None, "rule": None, "hint": False}
    if kind == board.kind and kind != "facts":
        after = game.facts(game.result(state, move))
        if (spot := board.spot(move, game.facts(state), after)) is not None:
            shown["spot"] = spot
    return shown


# --- games of lines ------------------------------------------------------------------------------


def line_view(game: LineGame, state: Position) -> dict[str, Any]:
    """Return ``state`` of a line game as JSON; cells are clicked, or columns if stones fall."""
    drops = game.lowest == 1 and game.rows > 1
    winner = game.winner(state)
    open_cells = [] if winner is not None else list(game.empty(state))
    return {
        "game": game.name,
        "title": game.name,
        "board": {
            "kind": "grid",
            "rows": game.rows,
            "columns": game.columns,
            "drops": drops,
            "names": {
                "rows": [str(row) for row in range(game.rows, 0, -1)],
                "columns": [chr(ord("a") + column) for column in range(game.columns)],
            },
            "cells": [
                {"at": _at(game, 1 << bit), "mark": mark}
                for mark, stones in zip("xo", state, strict=True)
                for bit in range(stones.bit_length())
                if stones >> bit & 1
            ],
        },
        "moves": [
            {
                "move": cell_name(game, cell),
                "label": cell_name(game, cell),
                "spot": {"column": game.place(cell)[1]} if drops else {"cell": _at(game, cell)},
            }
            for cell in open_cells
        ],
        "turn": None if winner is not None else "XO"[game.mover(state)],
        "ended": None if winner is None else f"{'XO'[winner]} has won.",
        "notes": [],
    }


def _at(game: LineGame, bit: int) -> list[int]:
    """Return the [row, column] of the cell ``bit``, counted from 0 at the upper left."""
    row, column = game.place(bit)
    return [game.rows - 1 - row, column]

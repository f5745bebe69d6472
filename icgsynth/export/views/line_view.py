"""Views of games of lines: Tic-tac-toe, Connect, and what lies between them."""

from __future__ import annotations

from typing import Any

from icgsynth.starts.lines import LineGame, Position
from icgsynth.starts.puzzles import cell_name


def line_view(game: LineGame, state: Position) -> dict[str, Any]:
    """The view of a position; a move is the name of a cell, such as ``b3``.

    Where stones fall, a move is clicked by its column.
    """
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
    """Row and column as a board counts them: the upper row is 0."""
    row, column = game.place(bit)
    return [game.rows - 1 - row, column]

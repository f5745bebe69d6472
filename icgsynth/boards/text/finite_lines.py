"""States of finite games in a terminal, as lines of plain characters."""

from __future__ import annotations

from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.text.finite_view import finite_board
from icgsynth.export.board_text import board_lines, grid_lines
from icgsynth.game.game import State


def finite_lines(game: FiniteGame, state: State) -> list[str]:
    """A state of a finite game: its board, where there is one, who moves, and the other facts."""
    board, facts, mover = finite_board(game), game.facts(state), game.mover(state)
    drawn = board.draw(facts)
    lines = [] if drawn is None else board_lines(drawn)
    if drawn is not None and drawn["kind"] == "grid" and board.layout is not None:
        names = board.layout.rows, board.layout.columns
        lines = grid_lines(drawn, *(names[::-1] if board.falls else names))
    said = board.say(game, facts, mover)
    return [*lines, *([", ".join(said)] if said else [])]

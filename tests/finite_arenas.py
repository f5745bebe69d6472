"""Make the arena of a game description in one step."""

from __future__ import annotations

from math import inf

from icgsynth.boards.finite.arena import Arena, arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.grounder import GROUNDING, ground
from icgsynth.budget import Budget

__all__ = ["arena_of_rules"]


def arena_of_rules(
    book: Rulebook, symmetric: bool = True, seconds: float = inf, **limits: int
) -> Arena:
    """Return the arena of ``book``: ground, compiled, explored and solved within ``seconds``."""
    budget = Budget(seconds)
    board = board_of(ground(book, seconds=min(GROUNDING, seconds)))
    return arena_of_board(board, symmetric, seconds=budget.remaining(), **limits)

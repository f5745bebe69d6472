"""What games and answers are called, for people."""

from __future__ import annotations

from icgsynth.game.game import ParametricGame
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.solution import Solution
from icgsynth.logic.prose import equalities


def named(game: ParametricGame | HeapGame) -> str:
    """``take_away (n = 3): Take away``: what the command line calls a game, and its title."""
    constants = f" ({equalities(game.constants)})" if game.constants else ""
    return game.name + constants + (f": {game.title}" if game.title else "")


def in_prose(game: ParametricGame | HeapGame) -> str:
    """``Take away with n = 3``; the name of a game that has no title."""
    name = " ".join((game.title or game.name).split())
    return name + (f" with {equalities(game.constants)}" if game.constants else "")


def title(solution: Solution) -> str:
    """``Two-pile Nim, normal play``; the file's name of the game where it has no title."""
    return f"{in_prose(solution.game)}, {rule_words(solution)}"


def rule_words(solution: Solution) -> str:
    """The rule of play in words."""
    rule = "normal play" if solution.rule == "normal" else "misère play"
    most = solution.game.block
    return f"{rule}, {most} option{'s' * (most > 1)} may be forbidden" if most else rule

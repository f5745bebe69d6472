"""What games and answers are called, for people."""

from __future__ import annotations

from typing import Protocol

from icgsynth.game.solution import Solution
from icgsynth.logic.prose import equalities


class Titled(Protocol):
    """A game with a name, a title, which may be empty, and constants."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def constants(self) -> tuple[tuple[str, int], ...]: ...


def call_game(game: Titled) -> str:
    """Return the name, constants and title of ``game``: ``take_away (n = 3): Take away``."""
    constants = f" ({equalities(game.constants)})" if game.constants else ""
    return game.name + constants + (f": {game.title}" if game.title else "")


def in_prose(game: Titled) -> str:
    """Return the title of ``game`` for prose: ``Take away with n = 3``; without one the name."""
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

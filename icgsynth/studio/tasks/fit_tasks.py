"""A task of every page: tell which pages are for the game, and where to look instead."""

from __future__ import annotations

from icgsynth.game.game import ParametricGame
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import answer_of, game_of, other_subject, rule_of, title_of

_WITH_DIGITS = ("wythoff", "nim3", "fibonacci_nim")  # games whose answers have an automaton
_WITH_VALUES = ("nim2", "subtraction_134", "wythoff")
_ON_BOARDS = ("play", "build", "puzzles")


@task
def list_unfit(data: Data) -> Data:
    """Return the pages that have nothing to show of ``data``'s game: ``unfit`` has, by page,
    ``why``, other ``pages`` for this game, and other ``games`` for this page. Whether an answer has
    an automaton is known only where ``data`` has the ``answer``."""
    if (other := other_subject(data["game"])) is not None:
        why = f"{other.game.name} is {other.what}, which is not drawn here."
        unfit = _unfit(why, ("rules", "values"), ("nim2", "tictactoe"))
        return {"unfit": dict.fromkeys(("play", "build", "puzzles"), unfit) | _no_automaton(why)}
    game = game_of(data["game"])
    if not isinstance(game, ParametricGame):
        title = title_of(data["game"], game)
        why = f"{title} is a board game: its positions are no numbers with digits."
        worth = f"{title} is a board game: a move wins, draws or loses, and has no value."
        values = _unfit(worth, _ON_BOARDS, _WITH_VALUES)
        return {"unfit": _no_automaton(why, _ON_BOARDS) | {"values": values}}
    name = game.title or game.name
    found: Data = {}
    if (answer := answer_of(data, game)) is not None and answer.automaton is None:
        why = f"The answer of {name} needs no digits, so it has no automaton."
        found |= _no_automaton(why, ("play", "build"))
    if rule_of(data["game"]) == "misere" and len(game.variables) > 1:
        why = f"Under misère play the values of {name} do not say who wins."
        found["values"] = _unfit(why, ("play", "rules"), ())
    return {"unfit": found}


def _unfit(why: str, pages: tuple[str, ...], games: tuple[str, ...]) -> Data:
    return {"why": why, "pages": pages, "games": games}


def _no_automaton(why: str, pages: tuple[str, ...] = ("rules", "values")) -> Data:
    return {"automaton": _unfit(why, pages, _WITH_DIGITS)}

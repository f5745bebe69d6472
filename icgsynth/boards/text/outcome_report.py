"""Reports on who wins a finite game from a position, by which moves, and in how many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from icgsynth.boards.finite.arena import Arena
from icgsynth.export.report import Facts, Report, Title
from icgsynth.game.position import Position, move_json

if TYPE_CHECKING:
    from icgsynth.boards.finite.outcome import PlayOutcome

_NAMED = 12  # moves that a report names
_WIDTH = 12  # characters of the column of names
_SEARCHED = "a search looked ahead to the ends of play, by all moves that can matter"
_LINE = "a line of play leads to the best goal that can be reached"
_PLAN = "a strategy was found, and played from there against every reply"
_BY = "each position was counted back from the ends, and its value compared with its moves"


def outcome_report(found: PlayOutcome, is_start: bool) -> Report:
    """Return the report on who wins, by which moves, in how many, and of how many positions.
    ``found`` is about the start of the game if ``is_start``, else about a given position."""
    rows = [] if is_start else [("position", " ".join(found.facts) or "no fact holds")]
    rows += [("result", _results(found))]
    if found.mover is None:
        return Title(f"{found.name}: {_say(found)}", "play is over there"), Facts(
            tuple(rows), _WIDTH
        )
    rows += [("to move", found.mover), (*_by(found),), ("length", _length(found))]
    if found.line:
        rows.append(("as in", _list_names([action for _, action in found.line])))
    rows.append(("positions", _positions(found)))
    where = "from the start" if is_start else "from this position"
    return Title(f"{found.name}: {_say(found)}", where), Facts(tuple(rows), _WIDTH)


def _say(found: PlayOutcome) -> str:
    if found.winner is not None:
        return f"{found.winner} wins"
    if len(found.worth) == 1:
        return f"{next(iter(found.worth))} cannot win"
    return "a draw" if found.length is not None else "a draw: best play never ends"


def _results(found: PlayOutcome) -> str:
    """Return the payoff of each role in words, such as "x gets 100"."""
    return ", ".join(
        f"{role} {'plays on for ever' if goal is None else f'gets {goal:g}'}"
        for role, goal in found.worth.items()
    )


def _by(found: PlayOutcome) -> tuple[str, str]:
    """Return a row of a report, (heading, text), on the moves that keep the value."""
    count, won = len(found.moves), found.winner == found.mover
    head = "won by" if won else "best" if found.winner else "drawn by"
    if found.is_by_line and count < found.options:
        return head, f"{found.moves[0]} (the others were not judged)"
    some, one = ("win", "wins") if won else ("lose", "loses") if found.winner else ("draw", "draws")
    if found.winner is None and len(found.worth) == 1:
        head, some, one = "best", "lead there", "leads there"
    if count < found.options:
        many = f"{count} of {found.options} moves"
    else:
        many = f"all {count} moves {some}" if count > 1 else f"the only move {one}"
    return head, f"{_list_names(found.moves)} ({many})"


def _length(found: PlayOutcome) -> str:
    if found.length is None:
        return "play never ends"
    if found.longest is not None:
        return f"at most {found.longest} moves to the end, of both roles together"
    moves = f"{found.length} move{'s' * (found.length != 1)}"
    if found.is_by_line:
        return f"{moves} to the end; there may be shorter lines"
    if len(found.worth) == 1:
        return f"{moves} to the end"
    hurry = "" if found.winner is None else ", the winner hurrying and the loser delaying"
    return f"{moves} to the end, of both roles together{hurry}"


def _positions(found: PlayOutcome) -> str:
    if found.planned is not None:
        return f"{found.states:,} were met until {_PLAN}: {found.planned:,} positions"
    if found.is_by_line:
        return f"{found.states:,} were met until {_LINE}"
    if found.states is None or found.stored is None:
        return _SEARCHED
    folded = f", {found.stored:,} up to symmetry" if found.stored != found.states else ""
    return f"{found.states:,} can be reached{folded}; all of them are solved"


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return " ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def outcome_value(found: PlayOutcome) -> dict[str, Any]:
    """Return ``found`` as JSON: who wins a position, by which moves and in how many."""
    more = {
        "mover": found.mover,
        "value": dict(found.worth),
        "winner": found.winner,
        "moves": list(found.moves),
        "length": None if found.is_by_line else found.length,  # there may be shorter lines
        "line": [{"role": role, "move": action} for role, action in found.line],
        "states": found.states,
        "stored": found.stored,
    }
    winner = "winning" if found.winner == found.mover else "losing"
    if found.mover is None:
        winner = "over"
    elif found.is_drawn and len(found.worth) > 1:
        winner = "drawn"
    move = move_json(found.after, found.moves[0]) if found.moves else None
    by = _LINE if found.is_by_line else _BY if found.states is not None else _SEARCHED
    by = by if found.planned is None else _PLAN
    return Position(
        found.name, "normal", found.facts, winner, move, by=by, is_proved=True, more=more
    ).to_json()


def winner_line(arena: Arena) -> str:
    """Return a line that says who wins from the start and how many positions there are."""
    value, plies = int(arena.value[0]), int(arena.distance[0])
    said = f"{arena.roles[0]} cannot win" if value else "a draw"
    if (winner := winner_value(arena)["outcome"]["winner"]) is not None:
        said = f"{winner} wins in {plies} move{'s' * (plies != 1)}"
    endless = ", best play never ends" * (plies < 0)
    return f"{arena.name}: {said} from the start{endless}; {int(arena.orbit.sum()):,} positions"


def winner_value(arena: Arena) -> dict[str, Any]:
    """Return who wins from the start (None for nobody) and in how many moves, as JSON."""
    value, plies = int(arena.value[0]), int(arena.distance[0])
    winner = next(iter(arena.players[value < 0 :]), None) if value else None
    return {"outcome": {"winner": winner, "length": plies if plies >= 0 else None}}

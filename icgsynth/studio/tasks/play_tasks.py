"""What the page Play asks: the view of a state, a move made, and the answer of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from icgsynth.budget import Budget
from icgsynth.errors import IllegalMove, InputError
from icgsynth.export.sentences import move_said
from icgsynth.game.box import Box
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.labels import LOSING, label
from icgsynth.game.moves import is_over
from icgsynth.game.solution import Solution
from icgsynth.play.parametric import read_move, read_state, some_state
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import entries, finite_entries
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import answer_of, game_of, impartial_of, read_answer, rule_of

if TYPE_CHECKING:
    from icgsynth.finite.game import FiniteGame

_BOUND, _CELLS = 20, 50_000  # of the box that tells a state to begin in


@task
def games(data: Data) -> Data:
    """The catalog: the name and the title of each game, the finite ones last."""
    found = {entry.name: entry.title for entry in (*entries(), *finite_entries())}
    return {"games": [{"name": name, "title": title} for name, title in found.items()]}


@task
def view_of(data: Data) -> Data:
    """The view of ``state`` of ``game``, of its own start where none is given.

    ``kind`` is the kind of board that is wanted; with ``shade`` and a proved ``answer`` a
    lattice has its losing states.
    """
    game = game_of(data["game"])
    state = state_of(game, data.get("state"), rule_of(data["game"]))
    return _viewed(game, data, state)


@task
def move_made(data: Data) -> Data:
    """The view after ``move``, a text as a person types it, in ``state``; ``said`` in words."""
    game = game_of(data["game"])
    state = state_of(game, data["state"])
    try:
        move = read(game, state, str(data["move"]))
        after = game.result(state, move)
    except IllegalMove as error:
        raise InputError(str(error)) from None
    return {**_viewed(game, data, after), "made": str(move), "said": said(game, state, move)}


@task
def solved(data: Data) -> Data:
    """The answer of an impartial game as its file has it, and ``told`` in words, in ``seconds``.

    ``answer`` is None where no formula was found.  An answer that is ``given`` is proved again
    instead, or refuted, and then it is none.
    """
    from icgsynth.synth.search import solve

    game = impartial_of(data["game"], "find a strategy on Play, or make one on Build and verify")
    if data.get("given") is not None:
        tell("proving the answer of the file again")
        return _proved_again(read_answer(data["given"], game), data["seconds"])
    tell("reading the rules")
    answer = solve(game, rule_of(data["game"]), Budget(data["seconds"]), tell)
    # Without a proof it may be asked again, with more time.
    told = _told(answer)
    found = None if told["losing"] is None else answer.to_json()
    return {"answer": found, "told": told, "passing": not answer.is_proved}


def _proved_again(answer: Solution, seconds: float) -> Data:
    from icgsynth.prove.certificate import certify
    from icgsynth.prove.verdict_report import answer_text

    certificate = certify(answer, Budget(seconds))
    report = answer_text(certificate, None)
    if certificate.verdict == "refuted":
        told = {**_told(answer), "status": "refuted", "report": report}
        return {"answer": None, "told": told}
    judged = replace(answer, status="solved" if certificate.is_proved else "conditional")
    told = {**_told(judged), "report": report}
    return {"answer": judged.to_json(), "told": told, "passing": not certificate.is_proved}


def _told(answer: Solution) -> Data:
    """An answer in words; each of ``rules`` has a sentence in ``words``.

    ``meanings`` explain functions of digits and sets, ``remainders`` is a table of who loses.
    """
    from icgsynth.export.digit_words import meanings
    from icgsynth.export.sentences import sentences
    from icgsynth.export.views.remainder_table import remainder_table

    known = answer.winning is not None or answer.losing is not None
    rules = answer.tree or answer.strategy
    return {
        "status": answer.status,
        "losing": str(answer.sides()[1]) if known else None,
        "rules": list(map(str, rules)),
        "words": list(sentences(answer.game, rules)),
        "meanings": meanings(answer),
        "remainders": remainder_table(answer) if known else None,
        "report": str(answer),
        "cycle": [list(map(str, state)) for state in answer.cycle],
    }


def state_of(game: ParametricGame | FiniteGame, text: Any, rule: PlayRule = "normal") -> State:
    """A state from its text in a permalink: ``3,5``, or the facts that hold.  None: the start."""
    if isinstance(game, ParametricGame):
        return read_state(game, str(text)) if text else _some_state(game, rule)
    return game.state_of(tuple(str(text).split())) if text else game.initial


def _some_state(game: ParametricGame, rule: PlayRule) -> State:
    """A state to begin in, won by one move where the states of a box say so."""
    box = Box.of(game, _BOUND)
    if box.cells > _CELLS:
        return some_state(game, 0)
    labels = label(game, box, rule)
    return some_state(game, 0, lambda state: labels.at(state) == LOSING)


def text_of(game: ParametricGame | FiniteGame, state: State) -> str:
    """The text of a state in a permalink."""
    if isinstance(game, ParametricGame):
        return ",".join(map(str, state))
    return " ".join(game.facts(state))


def read(game: ParametricGame | FiniteGame, state: State, text: str) -> Move:
    """The move that a text means; :class:`~icgsynth.errors.IllegalMove` where it does not apply."""
    if isinstance(game, ParametricGame):
        return read_move(game, state, text)
    from icgsynth.play.finite import read_finite_move

    return read_finite_move(game, state, text)


def said(game: ParametricGame | FiniteGame, state: State, move: Move) -> str:
    """A move as the lists of moves have it: ``take 4 from a: a = 5``."""
    if isinstance(game, ParametricGame):
        return move_said(game, state, game.result(state, move))
    from icgsynth.export.views.finite_view import finite_move_said

    return finite_move_said(move)


def state_view(game: ParametricGame | FiniteGame, state: State, kind: str = "") -> Data:
    """The view of a state on a ``kind`` of board, the game's own by default."""
    if isinstance(game, ParametricGame):
        from icgsynth.export.views.parametric_view import parametric_view

        return parametric_view(game, state, kind)
    from icgsynth.export.views.finite_view import finite_view

    return finite_view(game, state, kind)


class Ply(NamedTuple):
    """A move of a play that is shown, who makes it, and by which rule."""

    move: Move
    by: str
    rule: int | None = None


def line_of(
    game: ParametricGame | FiniteGame, state: State, step: Callable[[State, int], Ply | None]
) -> list[Data]:
    """A play as a page shows it, one state an entry, with what is made there.

    ``step`` says what comes in a state after so many plies; None: that is where the play ends.
    """
    line: list[Data] = [{"state": text_of(game, state)}]
    while (made := step(state, len(line) - 1)) is not None:
        line[-1] |= {"made": str(made.move), "by": made.by, "rule": made.rule}
        state = game.result(state, made.move)
        line.append({"state": text_of(game, state)})
    return line


def _viewed(game: ParametricGame | FiniteGame, data: Data, state: State) -> Data:
    """The view of a state, its text, whether play is over, and who has won."""
    kind = str(data.get("kind", ""))
    if isinstance(game, ParametricGame):
        return {**_parametric(game, data, state, kind), "state": text_of(game, state)}
    mover = game.mover(state)
    goals = game.goals(state)
    winner = None if mover >= 0 or goals[0] == goals[1] else int(goals[1] > goals[0])
    return {
        "view": state_view(game, state, kind),
        "state": text_of(game, state),
        "finite": True,
        "over": mover < 0,
        "mover": mover,
        "winner": winner,
        "roles": list(game.roles),
    }


def _parametric(game: ParametricGame, data: Data, state: State, kind: str) -> Data:
    from icgsynth.export.views.parametric_view import shaded

    view = state_view(game, state, kind)
    over = is_over(game, state)
    last = "wins" if rule_of(data["game"]) == "misere" else "loses"
    if over:
        view["ended"] = f"No move is left: whoever is to move {last}."
    if data.get("shade") and view["board"]["kind"] == "lattice":
        answer = answer_of(data, game)
        if answer is not None and answer.is_proved:
            view["board"] = shaded(view["board"], game, answer)
    constants = dict(game.constants)
    return {"view": view, "finite": False, "over": over, "last": last, "constants": constants}

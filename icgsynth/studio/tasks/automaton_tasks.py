"""Tasks of the page Automaton: the automaton of the lost states, and how it reads a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.game.game import State
from icgsynth.logic import term as t
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import answer_of, impartial_of
from icgsynth.studio.tasks.page_states import state_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icgsynth.digits.automaton import Automaton

_LISTED = "wythoff, nim3, fibonacci_nim"
_MOST_COLUMNS = 400  # digits that are shown at most


@task
def walk(data: Data) -> Data:
    """Return as JSON the automaton of the ``answer`` in ``data``, and how it reads the ``state``.

    ``digits`` are rows of equal length, one for each of ``tracks``; ``weights`` belong to their
    columns. ``path`` has the state before the first column and after each; None is the state from
    which no word is accepted. InputError without an answer that has an automaton."""
    from icgsynth.digits.transitions import live
    from icgsynth.export.digit_words import explanations, notation

    game = impartial_of(data["game"], f"choose one such as {_LISTED}")
    if (answer := answer_of(data, game)) is None:
        raise InputError("there is no answer yet", mend="solve the game first")
    if (automaton := answer.automaton) is None:
        found = "no answer was found" if answer.status == "unknown" else "its answer has no digits"
        raise InputError(f"{game.name}: {found}", mend=f"choose one such as {_LISTED}")
    state = state_of(game, data.get("state"))
    # Without the state from which nothing is accepted; the others are numbered anew, from 0.
    number = {state: i for i, state in enumerate(live(automaton))}
    system = automaton.system
    said = t.Recognised(automaton, tuple(map(t.Name, automaton.tracks)))
    return {
        "title": game.title or game.name,
        "rule": answer.rule,
        "state": text_of(game, state),
        "proved": answer.is_proved,
        "text": " ".join(explanations([said])),
        "losing": str(answer.sides()[1]),
        "system": notation(system),
        "tracks": list(automaton.tracks),
        "states": list(number.values()),
        "accepting": [i for q, i in number.items() if automaton.accepting[q]],
        "edges": _edges(automaton, number),
        "accepts": automaton.accepts(state),
        **_walk(automaton, state, number),
    }


def _edges(automaton: Automaton, number: Mapping[int, int]) -> list[Data]:
    """Return as JSON each edge between live states, with the columns of digits that it reads.
    ``number`` has the numbers of the live states on the page."""
    from icgsynth.digits.transitions import columns
    from icgsynth.formats.dot import edges

    shown = columns(automaton)
    return [
        {
            "from": number[start],
            "to": number[end],
            "reads": [",".join(map(str, shown[symbol])) for symbol in symbols],
        }
        for start, end, symbols in edges(automaton)
    ]


def _walk(automaton: Automaton, state: State, number: Mapping[int, int]) -> Data:
    system = automaton.system
    words = [system.representation(number) for number in state]
    length = max(1, *map(len, words))
    if length > _MOST_COLUMNS:
        raise InputError(f"{length} digits are too many to show", mend="try a smaller state")
    rows = [[0] * (length - len(word)) + list(word) for word in words]
    at, path = 0, [0]
    for column in zip(*rows, strict=True):
        symbol = 0
        for digit in column:
            symbol = symbol * system.digits + digit
        at = automaton.transitions[at][symbol]
        path.append(at)
    return {
        "digits": rows,
        "weights": [str(weight) for weight in reversed(system.weights(length))],
        "path": [number.get(q) for q in path],
    }

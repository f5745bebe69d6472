"""Answer files of Grundy functions: the term or the automaton that ``icgsynth value -o`` writes."""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.game import ParametricGame
from icgsynth.logic.term import Term
from icgsynth.spec.icg import parse_term
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_file import inside, read_automaton, require_same
from icgsynth.spec.source import Source

__all__ = ["read_value"]


def read_value(source: Source, game: ParametricGame) -> Term | Automaton | None:
    """The value that ``source`` claims for ``game``; None where it claims none.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken or is for
    another game.
    """
    top = read_json(source)
    top.need("kind", '"value"').one_of(["value"])
    if (code := top.get("code")) is not None:
        raise code.error("values of heaps, and not of a game", "icgsynth verify CODE FILE")
    require_same(top, game)
    told = top.get("value")
    if told is None or told.value is None:
        return None
    if (term := told.get("term")) is not None:
        return _term(top, term, game)
    place = told.need("automaton", "{...}")
    automaton, tracks = read_automaton(place), beside_heap(game).variables
    if automaton.tracks != tracks:
        mend = f"its tracks are to be the variables and then the value: {', '.join(tracks)}"
        raise place.need("tracks", "[...]").error("these tracks are of another game", mend)
    return automaton


def _term(top: Located, place: Located, game: ParametricGame) -> Term:
    logic = top.get("logic")
    try:
        system = None if logic is None or logic.value == "lia" else numeration(logic.string())
    except ValueError as error:
        assert logic is not None
        raise logic.error(str(error), 'write "lia", or "base-2"') from None
    text = place.string()
    return inside(place, lambda: parse_term(text, game.variables, system=system))

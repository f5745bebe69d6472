"""Automata in answer files, and the numeration system that formulas speak of."""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, numeration
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import numeration_json
from icgsynth.spec.json_text import Located

__all__ = ["losing_set", "read_automaton", "system_of"]


def system_of(entry: Located, automaton: Automaton | None) -> Numeration | None:
    """The numeration system in which formulas speak of digits: that of ``logic``.

    None for a logic that is none, such as "lia"; what the file says of the system's numbers
    must be what is known of them.
    """
    place = entry.get("logic")
    try:
        system = None if place is None else numeration(place.string())
    except InputError:
        system = None
    if place is not None and automaton is not None and automaton.system != system:
        mend = f'write "{automaton.system}"'
        raise place.error(f"the automaton reads numbers in {automaton.system}", mend)
    spelled = entry.get("numeration")
    if spelled is not None and system is not None and _plain(spelled) != numeration_json(system):
        raise spelled.error(f"this is not the system {system}", "leave 'numeration' out")
    return system


def losing_set(entry: Located, game: ParametricGame) -> Automaton | None:
    if (place := entry.get("automaton")) is None:
        return None
    automaton = read_automaton(place)
    if automaton.tracks != game.variables:
        wanted = ", ".join(game.variables)
        raise place.need("tracks", "[...]").error(
            f"the automaton reads ({', '.join(automaton.tracks)})",
            f"its tracks are to be the variables of the game in their order: {wanted}",
        )
    return automaton


def read_automaton(place: Located) -> Automaton:
    """``{"system": name, "tracks": [...], "transitions": [[...], ...], "accepting": [...]}``."""
    system = place.need("system", '"base-2"')
    try:
        numeration(system.string())
    except InputError as error:
        raise system.error(error.message, error.mend) from None
    rows = place.need("transitions", "[[0, 0]]")
    data = {
        "system": system.string(),
        "tracks": [track.string() for track in place.need("tracks", '["a", "b"]').list()],
        "transitions": [[state.integer() for state in row.list()] for row in rows.list()],
        "accepting": [state.integer() for state in place.need("accepting", "[0]").list()],
    }
    if not data["tracks"]:
        raise place.need("tracks", "").error("an automaton reads one number or more", 'add "a"')
    try:
        return Automaton.of_json(data)
    except ValueError as error:
        raise rows.error(str(error), "correct the automaton, or let solve write it") from None


def _plain(place: Located) -> object:
    """The value without its places."""
    match place.value:
        case dict(members):
            return {key: _plain(value) for key, value in members.items()}
        case list(items):
            return [_plain(item) for item in items]
        case value:
            return value

"""Read parts of answer files that several kinds of answers share.

These are the choice between two answers, the number of options that may be forbidden before each
move, and automata with the numeration system of formulas.
"""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, numeration
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.spec.json_text import Located


def require_block(entry: Located, game: ParametricGame) -> None:
    """Raise InputError unless the answer ``entry`` and the rules of ``game`` have equal 'block'."""
    if (most := entry.find("block", Located.integer, 0)) != game.block:
        message = f"the solution is for 'block {most}', {game.name} has 'block {game.block}'"
        raise (entry.get("block") or entry).error(message, "solve the game anew")


_RULES: tuple[PlayRule, ...] = ("normal", "misere")


def chosen_answer(top: Located, rule: PlayRule | None, game: str | None = None) -> Located:
    """Return ``top`` if it is an object; from a list of objects the answer for ``rule``.

    Without a ``rule`` the list must hold one answer.  ``game`` chooses the answers for one of
    several games.  Raises InputError unless exactly one answer fits.
    """
    if isinstance(top.value, dict):
        return top
    if not isinstance(top.value, list):
        raise top.error(f"a solution is an object, not {top.kind}", "write {...}")
    entries = top.list()
    if not entries:
        raise top.error("the list holds no solution", 'write [{"game": ...}]')
    about, entries = _about(top, entries, game)
    if rule is None:
        if len(entries) == 1:
            return entries[0]
        several = {rule_of(entry, None) for entry in entries}
        mend = "choose one with --rule" if len(several) > 1 else "keep one of them in a file"
        raise top.error(f"the file holds {len(entries)} solutions{about}", mend)
    fitting = [entry for entry in entries if rule_of(entry, None) == rule]
    if len(fitting) != 1:
        message = f"the file holds {len(fitting) or 'no'} solutions for {rule} play{about}"
        raise top.error(
            message, "keep one of them in a file" if fitting else "choose another --rule"
        )
    return fitting[0]


def _about(top: Located, entries: list[Located], game: str | None) -> tuple[str, list[Located]]:
    """Return a phrase for messages, " of GAME" or "", and the ``entries`` whose game is ``game``.

    If all are for one game, all are returned; if they are for several, InputError unless ``game``
    is one of these.
    """
    named = [place.value if (place := entry.get("game")) else None for entry in entries]
    games = sorted({name for name in named if isinstance(name, str)})
    if len(games) < 2:
        return "", entries
    if game is None:
        raise top.error(f"the file answers {len(games)} games", "keep one of them in a file")
    if game not in games:
        shown = ", ".join(games[:5]) + (", ..." if len(games) > 5 else "")
        raise top.error(f"the file has no answer for {game}", f"it has answers for {shown}")
    kept = [entry for entry, name in zip(entries, named, strict=True) if name == game]
    return f" of {game}", kept


def rule_of(entry: Located, asked: PlayRule | None) -> PlayRule:
    """Return the rule of play ``asked``, or if that is None the one in ``entry``; InputError if
    both are given and differ, or neither is given."""
    if asked is None:
        return entry.need("rule", '"normal", or "misere"').one_of(_RULES)
    place = entry.get("rule")
    if place is not None and (rule := place.one_of(_RULES)) != asked:
        raise place.error(f"the solution is for {rule} play, not {asked}", f"use --rule {rule}")
    return asked


def system_of(entry: Located, automaton: Automaton | None) -> Numeration | None:
    """Return the numeration system of digits in formulas, named by the key "logic" of ``entry``.

    None for a logic without digits, such as "lia".  Raises InputError where ``automaton`` has
    another system, or the file describes the system wrongly.
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
    if spelled is not None and system is not None and _plain(spelled) != system.to_json():
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
    """Return the automaton in the JSON that ``Automaton.to_json`` wrote; InputError for a fault."""
    system = place.need("system", '"base-2"')
    try:
        numeration(system.string())
    except InputError as error:
        raise system.error(error.message, error.mend) from None
    rows = place.need("transitions", "[[0, 0]]")
    data = {
        "system": system.string(),
        "tracks": place.need("tracks", '["a", "b"]').strings(),
        "transitions": [row.integers() for row in rows.list()],
        "accepting": place.need("accepting", "[0]").integers(),
    }
    if not data["tracks"]:
        raise place.need("tracks", "").error("an automaton reads one number or more", 'add "a"')
    try:
        return Automaton.of_json(data)
    except ValueError as error:
        raise rows.error(str(error), "correct the automaton, or let solve write it") from None


def _plain(place: Located) -> object:
    match place.value:
        case dict(members):
            return {key: _plain(value) for key, value in members.items()}
        case list(items):
            return [_plain(item) for item in items]
        case value:
            return value

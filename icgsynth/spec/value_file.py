"""Read the answer files of Grundy functions that ``icgsynth value -o`` writes."""

from __future__ import annotations

from typing import Literal

from icgsynth.digits.numeration import Numeration, numeration
from icgsynth.errors import InputError
from icgsynth.game.answers import Verdict
from icgsynth.game.beside_heap import aiming, beside_heap
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.game.value_forms import ExponentValue, Single, SumValue, Value, WindowValue
from icgsynth.logic import term as t
from icgsynth.spec.icg import parse_term
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_file import RuleReader, inside, own_game, read_explicit, require_same
from icgsynth.spec.solution_parts import read_automaton
from icgsynth.spec.source import Source

_STATUSES: tuple[Literal["solved", "unknown"], ...] = ("solved", "unknown")


def read_value(source: Source | Located, game: ParametricGame) -> Value | None:
    """Read the Grundy function that ``source`` claims for ``game``; None where there is none.

    Raises :class:`~icgsynth.errors.InputError` with the place where the file is broken or is for
    another game.
    """
    top = read_json(source)
    top.need("kind", '"value"').one_of(["value"])
    if (code := top.get("code")) is not None:
        raise code.error("values of heaps, and not of a game", "icgsynth verify CODE FILE")
    if (several := top.get("sum")) is not None:
        raise several.error("values of a sum, and not of one game", "icgsynth verify SUM FILE")
    require_same(top, game)
    told = top.get("value")
    if told is None or told.value is None:
        return None
    if (parts := told.get("xor")) is None:
        return _one(top, told, game, beside_heap(game).variables)
    found = [_one(top, part, game, None) for part in parts.list()]
    if not found:
        raise parts.error("a xor of nothing", 'write {"term": "0"} instead')
    return SumValue(tuple(found))


def _one(
    top: Located, told: Located, game: ParametricGame, tracks: tuple[str, ...] | None
) -> Single:
    """Return the value in ``told``: a term, a window, or an automaton on ``tracks`` (None: any)."""
    if (term := told.get("term")) is not None:
        return _term(top, term, game)
    if (place := told.get("window")) is not None:
        return _window(place, game)
    place = told.need("automaton", "{...}")
    automaton = read_automaton(place)
    read = automaton.tracks
    if tracks is None:
        tracks = (*(v for v in game.variables if v in read[:-1]), read[-1])
    if read != tracks or len(read) < 2:
        mend = f"its tracks are to be the variables and then the value: {', '.join(tracks)}"
        raise place.need("tracks", "[...]").error("these tracks are of another game", mend)
    if (track := told.get("value_track")) is None:
        return automaton
    track.one_of(["power"])
    if len(automaton.system.recurrence) > 1:
        mend = "powers are those of a base: base-2, base-3, ..."
        raise place.need("system", '"base-2"').error("a system without a base", mend)
    return ExponentValue(automaton)


def _window(place: Located, game: ParametricGame) -> WindowValue:
    name = place.need("variable", f'"{game.variables[0]}"')
    variable = name.one_of(game.variables)
    low = place.need("low", '"(v + 1) div 2"')
    text = low.string()
    term = inside(low, lambda: parse_term(text, (variable,)))
    return WindowValue(variable, term, place.need("least", "0").integer())


def read_moves(source: Source | Located, game: ParametricGame) -> tuple[Rule | TargetRule, ...]:
    """Return the strategy rules in ``source`` that move to any smaller Grundy value.

    The value to be reached is one more variable, the last of ``aiming(game)``.  Raises InputError
    with the place where the file is broken.
    """
    top, there = read_json(source), aiming(game)
    reader = RuleReader(there, _system(top), {})
    rules = []
    for place in top.items("strategy"):
        place.need("target", f'"{there.variables[-1]}"').one_of([there.variables[-1]])
        if (line := place.get("line")) is not None:
            raise line.error("moves to smaller values follow no line", "leave it out")
        rules.append(reader.tier(place))
    return tuple(rules)


def _system(top: Located) -> Numeration | None:
    logic = top.get("logic")
    if logic is None or logic.value == "lia":
        return None
    try:
        return numeration(logic.string())
    except InputError as error:
        raise logic.error(error.message, error.mend) from None


def _term(top: Located, place: Located, game: ParametricGame) -> t.Term:
    system, text = _system(top), place.string()
    return inside(place, lambda: parse_term(text, game.variables, system=system))


def read_value_answer(source: Source | Located, game: ParametricGame | None = None) -> GrundyAnswer:
    """Read the Grundy function in ``source``, of ``game`` or if None of the game that it names.

    Raises :class:`~icgsynth.errors.InputError` with the place of a fault, or for another game.
    """
    top = read_json(source)
    for key, what in (("sum", "a sum of games"), ("code", "heaps")):
        if (place := top.get(key)) is not None:
            raise place.error(f"the values of {what}, where those of one game belong")
    game = game or own_game(top)
    value = read_value(source, game)
    return GrundyAnswer(
        game,
        "unknown" if value is None else top.need("status", '"solved"').one_of(_STATUSES),
        value=value,
        strategy=Strategy(read_moves(source, game)),
        proof=top.by_name("proof", lambda verdict: verdict.one_of(Verdict)),
        confirmed=top.by_name("confirmed", Located.strings),
        explicit=top.find("explicit", read_explicit, None),
        cycle=top.every("cycle", RuleReader(game, None, {}).state),
        ranking=top.every("ranking", RuleReader(game, None, {}).component),
        seconds=top.by_name("seconds", Located.number),
        notes=top.every("notes", Located.string),
    )

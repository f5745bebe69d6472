"""Files of Grundy values as the answers that they hold; nothing is proved here."""

from __future__ import annotations

from typing import Literal

import numpy as np

from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Verdict
from icgsynth.game.strategy import Strategy
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_file import read_function, read_game_period, read_period
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.load import load_rules
from icgsynth.spec.solution_file import RuleReader, inside, own_game, read_explicit
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_moves, read_value

_MOST = (1 << 31) - 1
_STATUSES: tuple[Literal["solved", "unknown"], ...] = ("solved", "unknown")


def read_value_answer(source: Source, game: ParametricGame | None = None) -> GrundyAnswer:
    """The Grundy function in ``source``, of ``game`` or else of the game that the file names.

    Raises as :func:`~icgsynth.spec.value_file.read_value` does.
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
        proof=top.named("proof", lambda verdict: verdict.one_of(Verdict)),
        confirmed=top.named("confirmed", _names),
        explicit=top.given("explicit", read_explicit, None),
        ranking=top.every("ranking", RuleReader(game, None, {}).component),
        seconds=top.named("seconds", Located.number),
        notes=top.every("notes", Located.string),
    )


def _names(place: Located) -> tuple[str, ...]:
    return tuple(name.string() for name in place.list())


def own_heaps(source: Source) -> HeapGame | None:
    """The game of heaps whose rules are in the file; None where they are of another game."""
    if (rules := read_json(source).get("rules")) is None:
        return None
    text = rules.string()
    found = inside(rules, lambda: load_rules(Source(rules.source.name, text)))
    return found if isinstance(found, HeapGame) else None


def read_heap_game_answer(source: Source, game: HeapGame) -> HeapGameAnswer:
    """The values in ``source`` of a game of heaps by rules that has no code; raises as
    :func:`~icgsynth.spec.heap_file.read_game_period` does."""
    top = read_json(source)
    return HeapGameAnswer(
        game,
        np.array(top.need("values", "[0, 1, 2]").naturals(_MOST), np.int64),
        read_game_period(source, game),
        top.named("confirmed", _names).get("values", ()),
        function=read_function(source, game.one_heap),
        seconds=top.named("seconds", Located.number).get("total", 0.0),
    )


def read_heap_answer(source: Source) -> HeapAnswer:
    """The nim sequence in ``source``; raises as
    :func:`~icgsynth.spec.heap_file.read_period` does."""
    top = read_json(source)
    code = read_code(top.need("code", '"0.77"').string())
    period = read_period(source, code)
    values = np.array(top.need("values", "[0, 1, 2]").naturals(_MOST), np.int64)
    proved = top.given("proved", Located.boolean, False)
    return HeapAnswer(code, values, period, proved, checked_to=len(values))

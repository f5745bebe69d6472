"""Read the answers in files of heaps and of sums; nothing is proved here."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from icgsynth.game.answers import Verdict
from icgsynth.heaps.rules.game_sum import PartAnswer, SumAnswer
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_file import (
    holds_quotient,
    of_heaps,
    read_fickle,
    read_function,
    read_game_period,
    read_heaps,
    read_period,
    read_quotient,
)
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapAnswer
from icgsynth.heaps.rules.misere import MisereAnswer, MisereProof, TameAnswer
from icgsynth.heaps.rules.sum_text import SumEntry, holds_sum, read_entries
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.solution_file import file_constants, inside
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer

_MOST = (1 << 31) - 1  # the largest value that a file may have


def read_values(
    source: Source, rules: Source | None
) -> HeapAnswer | HeapGameAnswer | SumAnswer | MisereAnswer | TameAnswer | None:
    """Return the answer that the file ``source`` has on a code of heaps, a game of heaps by rules,
    or a sum of games; None if it is on another kind of game.

    ``rules``, if given, replace those in the file, but not its code or sum.  InputError for a
    broken file.
    """
    top = read_json(source)
    if holds_sum(top):
        parts = [_part(entry) for entry in read_entries(source) for _ in range(entry.times)]
        return SumAnswer(tuple(parts), _seconds(top))
    if top.get("code") is not None:
        return read_misere_answer(top) if holds_quotient(top) else read_heap_answer(top)
    game = own_heaps(source)
    if rules is not None:
        given = load_rules(rules, file_constants(source))
        game = given if isinstance(given, HeapGame) else None
    if game is not None and (claim := read_fickle(source)) is not None:
        normal = read_heap_game_answer(claim.normal, game)
        verdict, by = _verdict(top), top.by_name("confirmed", Located.strings).get("misere", ())
        why = top.find("why", Located.string, "")
        found = TameAnswer(normal, verdict, claim.heaps, by, why=why, seconds=_seconds(top))
        return replace(found, all_fickle=claim.are_all)
    return None if game is None else read_heap_game_answer(source, game)


def read_misere_answer(top: Located) -> MisereAnswer:
    """Return the answer on misère play of a code of heaps in the JSON object ``top``; InputError if
    it is broken."""
    code, why = read_code(top.need("code", '"0.77"').string()), top.find("why", Located.string, "")
    proof = MisereProof(_verdict(top))
    return MisereAnswer(code, read_quotient(top, code), proof, why=why, seconds=_seconds(top))


def _part(entry: SumEntry) -> PartAnswer:
    is_code = entry.answer.get("code") is not None
    return read_heap_answer(entry.answer) if is_code else read_value_answer(entry.answer)


def _verdict(top: Located) -> Verdict:
    is_proved = top.find("proved", Located.boolean, False)
    return Verdict.PROVED if is_proved else Verdict.UNKNOWN


def _seconds(top: Located) -> float:
    return top.by_name("seconds", Located.number).get("total", 0.0)


def own_heaps(source: Source) -> HeapGame | None:
    """Return the game of heaps whose rules are in the file ``source``; None where it has none."""
    if (rules := read_json(source).get("rules")) is None:
        return None
    text = rules.string()
    found = inside(rules, lambda: load_rules(Source(rules.source.name, text)))
    return found if isinstance(found, HeapGame) else None


def read_heap_game_answer(source: Source | Located, game: HeapGame) -> HeapGameAnswer:
    """Return the answer in ``source`` on the Grundy values of ``game``, a game by rules without a
    code. :class:`~icgsynth.errors.InputError` where the file is broken or for another game."""
    top = read_json(source)
    return HeapGameAnswer(
        game,
        of_heaps(read_heaps(top.need("values", "[0, 1, 2]")), game),
        read_game_period(source, game),
        top.by_name("confirmed", Located.strings).get("values", ()),
        function=read_function(source, game.one_heap),
        seconds=_seconds(top),
    )


def read_heap_answer(source: Source | Located) -> HeapAnswer:
    """Return the answer in the file ``source`` on the nim sequence of a code of heaps, which it
    names; InputError if it is broken."""
    top = read_json(source)
    code = read_code(top.need("code", '"0.77"').string())
    period = read_period(source, code)
    values = np.array(top.need("values", "[0, 1, 2]").naturals(_MOST), np.int64)
    proved = top.find("proved", Located.boolean, False)
    return HeapAnswer(code, values, period, proved, checked_to=len(values))

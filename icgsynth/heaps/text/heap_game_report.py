"""The report on the values of heaps by rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from icgsynth.explicit.box import Box
from icgsynth.export import report as doc
from icgsynth.export.panels import Table
from icgsynth.export.sentences import call_game
from icgsynth.export.table import values_text
from icgsynth.export.value_report import function_lines
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.text.heap_report import (
    heap_report,
    repeats,
    sequence,
    solved_line,
    tell_seen,
    unknown_line,
)

_SIDES = (64, 32, 16, 8, 4, 2, 1)  # numbers; sides of the box that is tried to be shown
_CELLS = 400  # heaps; the most that a box which is shown holds, so that it fits a screen


def heap_game_report(answer: HeapGameAnswer) -> doc.Report:
    """Return the report on the values of heaps by rules: of a code, a function or a period."""
    name, period = call_game(answer.game), answer.period
    if answer.by_code is not None:
        how = "shown by automata, and by listing the moves of small heaps"
        same = f"the game of the code {answer.by_code.code.name}, {how}"
        return (doc.Title(name, same), *heap_report(answer.by_code))
    ends = f"Heaps are legal where {answer.game.legal}, and play always ends: {answer.falls}."
    if answer.function is not None:
        said = "no option of a heap has its value, each smaller one is that of an option"
        function = (doc.Listing(tuple(function_lines(answer.of_one_heap))),)
        text = doc.notes(
            *doc.tell_proofs([(said, answer.by)], "for all heaps"), doc.Note(ends, " " * 8)
        )
        shown = _sequences(answer) if answer.periods else function
        return (doc.Title(name, solved_line(answer)), *shown, text)
    if period is None:
        known = _grid(answer) if answer.known else tell_seen(answer.values, answer.saltus)
        return (doc.Title(name, unknown_line(answer)), *known)
    proof = doc.notes(*repeats(period, answer.by), doc.Note(ends, " " * 8))
    return (doc.Title(name, solved_line(answer)), *sequence(period), proof)


def _sequences(answer: HeapGameAnswer) -> Iterator[doc.Part]:
    for few, period in answer.periods.items():
        names = dict(few)
        first = period.first_heap
        heaps = [
            ", ".join(str(names.get(v, n)) for v in answer.game.variables)
            for n in (first, first + 1)
        ]
        yield from sequence(period, f"G({heaps[0]}), G({heaps[1]}), ... =")


def _grid(answer: HeapGameAnswer) -> Iterator[doc.Part]:
    """Yield the part of the report with the values in the largest box where all are known."""
    game = answer.game.one_heap
    for side in _SIDES:
        states = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal).states
        values = [answer.known.get(tuple(state)) for state in states.tolist()]
        if 0 < len(values) <= _CELLS and None not in values:
            table = Table.of_values(game, states, np.array(values, np.int64), "")
            table = replace(table, title="Values by definition; nothing is claimed of other heaps.")
            yield doc.Listing(tuple(values_text(table).splitlines()))
            return
    yield doc.notes("no value was computed")

"""Write the values of heaps as Python modules, LaTeX, Coq, JSON and b-files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any, TypeAlias

from icgsynth import wings
from icgsynth.errors import CannotExpress
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report
from icgsynth.export.sentences import in_prose
from icgsynth.formats.bfile import TERMS, bfile, format_bfile
from icgsynth.formats.python import docstring, joined
from icgsynth.formats.value_python import value_module
from icgsynth.game.answers import Answer
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapAnswer
from icgsynth.heaps.text.heap_game_report import heap_game_report
from icgsynth.heaps.text.heap_report import heap_report
from icgsynth.mathematics.latex import theorem, value_latex

_Values: TypeAlias = "HeapAnswer | HeapGameAnswer"

_LARGEST = 20_000  # values that a module lists


def report(answer: _Values) -> Report:
    """Return the report on the values of heaps in ``answer``."""
    return heap_game_report(answer) if isinstance(answer, HeapGameAnswer) else heap_report(answer)


def writers(answer: Answer) -> Mapping[str, Callable[[Any], str]]:
    """Return the functions that write ``answer``, by the name of the format; only "json" for sums
    and misère play."""
    if isinstance(answer, HeapAnswer):
        return _HEAP_WRITERS
    return _RULES_WRITERS if isinstance(answer, HeapGameAnswer) else {"json": answer_json}


def some_values(answer: _Values, terms: int | None) -> str:
    """Return the first ``terms`` values of ``answer``, or the usual number of them, as a b-file."""
    return heap_bfile(answer, terms or TERMS)


def heap_bfile(answer: _Values, terms: int = TERMS) -> str:
    """Return at most ``terms`` values from the first legal heap to a gap, as a b-file."""
    if isinstance(answer, HeapGameAnswer) and answer.function is not None:
        return bfile(answer.of_one_heap, terms)
    values = answer.first(terms)
    start = next((n for n, value in enumerate(values) if value != NO_HEAP), len(values))
    legal = takewhile(lambda value: value != NO_HEAP, values[start:])
    return format_bfile(_header(answer), legal, start)


def heap_latex(answer: _Values) -> str:
    """Return the theorem on the values in LaTeX; CannotExpress without a period."""
    return theorem(f"{_title(answer)}, normal play", _is_proved(answer), _in_latex(answer))


def heap_module(answer: _Values) -> str:
    """Return a Python module with the function of the values; CannotExpress without a period."""
    if (period := answer.period) is None:
        raise CannotExpress(f"no period of {answer.game.name} is known: there is nothing to export")
    if len(period.values) > _LARGEST:
        raise CannotExpress(f"{len(period.values):,} values are too many for a Python module")
    values = docstring(_header(answer)) + _HEAP_TOP
    listed = [None if value == NO_HEAP else value for value in period.values.tolist()]
    values += f"VALUES = {tuple(listed)}\n"
    numbers = f"PREPERIOD, PERIOD, SALTUS = {period.preperiod}, {period.period}, {period.saltus}\n"
    return joined([values + numbers, _HEAPS])


def _title(answer: _Values) -> str:
    if isinstance(answer, HeapAnswer):
        return f"The game of heaps {answer.code.name}, Grundy values"
    return f"{in_prose(answer.game)}, Grundy values"


def _is_proved(answer: _Values) -> bool:
    return answer.proved if isinstance(answer, HeapAnswer) else answer.is_proved


def _header(answer: _Values) -> list[str]:
    head = f"{_title(answer)}."
    if (period := answer.period) is None:
        return [head, "status:   the values by definition; no period is known"]
    claim = f"{period.law} for n >= {period.preperiod}"
    proved = "proved" if _is_proved(answer) else "not proved"
    return [head, f"values:   {claim}", f"status:   {proved}"]


def _in_latex(answer: _Values) -> Iterator[str]:
    if (period := answer.period) is None:
        raise CannotExpress(f"no period of {answer.game.name} is known: there is nothing to export")
    yield f"For all $n \\ge {period.preperiod}$, ${period.law}$."
    first = period.first_heap
    values = ["--" if value == NO_HEAP else str(value) for value in period.values[first:]]
    yield rf"The first values $G({first}), G({first + 1}), \ldots$ are {', '.join(values)}."


_HEAP_TOP = """
from __future__ import annotations

__all__ = ["PERIOD", "PREPERIOD", "SALTUS", "VALUES", "is_winning", "value"]

# G(0), G(1), ... before the period and in the first one; None for what is no legal heap.
"""

_HEAPS = '''def value(*heaps: int) -> int:
    """The Grundy value of a row of heaps, the xor of theirs; ValueError for what is no heap."""
    found = 0
    for heap in heaps:
        if type(heap) is not int or heap < 0:
            raise ValueError(f"a heap is a natural number, not {heap!r}")
        periods, place = divmod(max(0, heap - PREPERIOD), PERIOD)
        first = VALUES[min(heap, PREPERIOD + place)]
        if first is None:
            raise ValueError(f"{heap} is no legal heap")
        found ^= first + periods * SALTUS
    return found


def is_winning(*heaps: int) -> bool:
    """Whether the player to move wins a row of heaps."""
    return value(*heaps) != 0
'''


def _coq(answer: HeapAnswer) -> str:
    text: str = wings.require("writer", "coq").heaps(answer)
    return text


_HEAP_WRITERS: Mapping[str, Callable[[HeapAnswer], str]] = {
    "python": heap_module,
    "latex": heap_latex,
    "coq": _coq,
    "json": answer_json,
    "bfile": heap_bfile,
}


def _of_rules(
    of_period: Callable[[HeapGameAnswer], str], of_function: Callable[[GrundyAnswer], str]
) -> Callable[[HeapGameAnswer], str]:
    """Return a writer of answers: ``of_function`` where a function is known, else ``of_period``."""
    return lambda a: of_period(a) if a.function is None else of_function(a.of_one_heap)


_RULES_WRITERS: Mapping[str, Callable[[HeapGameAnswer], str]] = {
    "python": _of_rules(heap_module, partial(value_module, has_moves=False)),
    "latex": _of_rules(heap_latex, value_latex),
    "json": answer_json,
    "bfile": heap_bfile,
}

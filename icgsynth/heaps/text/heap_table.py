"""Write a nim sequence as a table.

Each line is one period, so that what repeats stands in columns.
"""

from __future__ import annotations

import numpy as np

from icgsynth.export.json import csv_text
from icgsynth.export.panels import Table
from icgsynth.heaps.rules.heaps import HeapAnswer

_MOST_COLUMNS = 40  # values in a line: a terminal's width
_USUAL = 20  # values in a line where no period says how many


def columns_of(answer: HeapAnswer) -> int:
    """Return how many values a line has: the period, or a divisor or multiple of it near 20."""
    if answer.period is None:
        return _USUAL
    period = answer.period.period
    if 5 <= period <= _MOST_COLUMNS:
        return period
    fitting = (n for n in range(5, _MOST_COLUMNS + 1) if n % period == 0 or period % n == 0)
    return min(fitting, key=lambda n: abs(n - _USUAL), default=_USUAL)


def heap_table_text(answer: HeapAnswer, count: int) -> str:
    """Return G(0) to G(``count`` - 1) as a table; exceptions to the period are in brackets."""
    values, columns = answer.first(count), columns_of(answer)
    cells = [f"{value} " for value in values]
    for heap in _exceptions(answer):
        if heap < len(cells):
            cells[heap] = f"({values[heap]})"
    width = max(*map(len, cells), len(f"+{columns - 1}")) + 1
    edge = len(f"{max(0, count - 1):,}")
    head = "".join(f"{f'+{i} ':>{width}}" for i in range(columns))
    lines = [f"{'n':>{edge}} │{head.rstrip()}", f"{'─' * edge}─┼{'─' * (columns * width)}"]
    for start in range(0, len(cells), columns):
        row = "".join(f"{cell:>{width}}" for cell in cells[start : start + columns])
        lines.append(f"{start:>{edge},} │{row.rstrip()}")
    return "\n".join(lines) + "\n"


def heap_picture(answer: HeapAnswer, count: int) -> Table:
    """Return G(0) to G(``count`` - 1) as a table of two variables: place in a line, and line. A
    line is as long as a period, where that fits."""
    columns, heaps = columns_of(answer), np.arange(count)
    states = np.stack([heaps % columns, heaps // columns], axis=1)
    is_period = answer.period is not None and answer.period.period == columns
    how = "a line for each period" if is_period else f"{columns} in a line"
    return Table(
        f"{answer.code.name}: values of the heaps, {how}",
        (f"n mod {columns}", f"n div {columns}"),
        states,
        np.array(answer.first(count), np.int64),
        np.zeros(count, np.bool_),
        is_valued=True,
    )


def heap_table_csv(answer: HeapAnswer, count: int) -> str:
    """Return CSV of G(0) to G(``count`` - 1): heap, value, 1 for an exception to the period."""
    exceptions = frozenset(_exceptions(answer))
    rows = ([n, value, int(n in exceptions)] for n, value in enumerate(answer.first(count)))
    return csv_text([["heap", "value", "exception"], *rows])


def _exceptions(answer: HeapAnswer) -> list[int]:
    return [] if answer.period is None else answer.period.exceptions().tolist()

"""A nim sequence as a table, and as a b-file of the OEIS: a line ``n a(n)`` for each value.

In the table each line is one period, so that what repeats stands in columns.
"""

from __future__ import annotations

import numpy as np

from icgsynth.errors import InputError
from icgsynth.export.header import value_header
from icgsynth.export.json import csv_text
from icgsynth.export.panels import Table
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.logic.ranges import ranges

# --- heap table ----------------------------------------------------------------------------------

_MOST_COLUMNS = 40
_USUAL = 20


def columns_of(answer: HeapAnswer) -> int:
    """How many values stand in a line: a period, or the number nearest to 20 that divides it."""
    if answer.period is None:
        return _USUAL
    period = answer.period.period
    if 5 <= period <= _MOST_COLUMNS:
        return period
    fitting = (n for n in range(5, _MOST_COLUMNS + 1) if n % period == 0 or period % n == 0)
    return min(fitting, key=lambda n: abs(n - _USUAL), default=_USUAL)


def heap_table_text(answer: HeapAnswer, count: int) -> str:
    """G(0) to G(count - 1) in characters; the values that do not repeat are in brackets."""
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
    """The same as a table of two variables: where in its line a heap stands, and which line."""
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
    """One line a heap: its size, its value, and 1 where the value does not repeat."""
    exceptions = frozenset(_exceptions(answer))
    rows = ([n, value, int(n in exceptions)] for n, value in enumerate(answer.first(count)))
    return csv_text([["heap", "value", "exception"], *rows])


def _exceptions(answer: HeapAnswer) -> list[int]:
    return [] if answer.period is None else answer.period.exceptions()


# --- bfile ---------------------------------------------------------------------------------------

TERMS = 1_000


def bfile(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer, terms: int = TERMS) -> str:
    """At most ``terms`` values, fewer where fewer are known or legal; comments begin with #.

    Of a game the values of its only variable, from 0 or the least legal number above on; of
    heaps G(0), G(1), ...  :class:`~icgsynth.errors.InputError` for other games.
    """
    if isinstance(answer, HeapGameAnswer) and answer.function is not None:
        answer = answer.of_one_heap
    lines = [f"# {line}" for line in value_header(answer)]
    start, values = _values(answer, terms)
    return "\n".join([*lines, *(f"{n} {value}" for n, value in enumerate(values, start))]) + "\n"


def _values(
    answer: GrundyAnswer | HeapAnswer | HeapGameAnswer, terms: int
) -> tuple[int, list[int]]:
    if not isinstance(answer, GrundyAnswer):
        return 0, answer.first(terms)
    game = answer.game
    if len(game.variables) != 1:
        message = f"a b-file has one number a line, and {game.name} has {len(game.variables)}"
        raise InputError(f"{message} variables", mend="export to python or json instead")
    low, _ = ranges(game.legal, game.variables, {})[game.variables[0]]
    start = max(0, low) if isinstance(low, int) else 0
    values: list[int] = []
    for n in range(start, start + terms):
        if not game.is_legal((n,)):
            break
        values.append(answer.at((n,)))
    if not values:
        raise InputError(f"{game.name} has no legal state {start}, where a b-file begins")
    return start, values

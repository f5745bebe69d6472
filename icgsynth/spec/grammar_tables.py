"""The parser's tables, ``icg.tables``.

``python tests/grammar.py`` makes them from the grammar in ``icg.lark``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from icgsynth.spec.lalr import Reduction, Tables

STARTS = ("file", "heaps", "piles", "formula", "term")
TABLES = Path(__file__).with_name("icg.tables")


@cache
def tables(start: str) -> Tables:
    """Those that read the rule ``start``."""
    with TABLES.open(encoding="utf-8") as stream:
        next(stream)  # what they are made from
        for line in stream:
            if line.startswith(f'["{start}"'):
                return of_json(line)
    raise KeyError(start)


def of_json(line: str) -> Tables:
    """The tables in one line of the file."""
    (first, last, reductions), *rest = json.loads(line)[1:]
    rules = tuple(
        Reduction(symbol, name, length, tuple(parts), collapses)
        for symbol, name, length, parts, collapses in reductions
    )
    return Tables(first, last, rules, *rest)

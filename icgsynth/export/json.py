"""JSON as people read it, and CSV; the schema of answer files stands beside this module."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from io import StringIO
from typing import Any

from icgsynth.game.answers import Answer

# Over several lines; a string of JSON never is.
_INTEGERS = re.compile(r"\[\n\s*(-?[0-9]+(?:,\n\s*-?[0-9]+)*)\n\s*\]")


def answer_json(answer: Answer) -> str:
    """The answer file, indented."""
    return indented(answer.to_json()) + "\n"


def indented(value: Any) -> str:
    """``value`` as JSON, a list of integers on one line: the rows of an automaton, a state."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _INTEGERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """``rows`` as lines of a table; the first has the names of the columns."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()

"""Write indented JSON, and CSV; the JSON Schema of answer files stands beside this module."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from io import StringIO
from typing import Any

from icgsynth.game.answers import Answer

# A list of integers over several lines; strings in JSON have no line breaks.
_INTEGERS = re.compile(r"\[\n\s*(-?[0-9]+(?:,\n\s*-?[0-9]+)*)\n\s*\]")


def answer_json(answer: Answer) -> str:
    """Return ``answer`` as the text of its file: indented JSON."""
    return indented(answer.to_json()) + "\n"


def indented(value: Any) -> str:
    """Return ``value`` as indented JSON, with each list of integers on one line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _INTEGERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return ``rows`` as CSV text; the first row has the names of the columns."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()

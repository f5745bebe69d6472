"""Records of a sweep: a game under a rule, the limits and the result, on one line of a file.

It is a JSON value; or a row of a table (.csv), where a text stands as it is if it can, and all else
as JSON, null as an empty cell.  :data:`HEAD` is the first row: the names of the columns.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

SCHEMA = "icgsynth/sweep/1"
STATUSES = ("solved", "conditional", "unknown", "endless", "error")
Record: TypeAlias = dict[str, Any]

# How each JSON line begins; a last line that was cut off is recognised by this beginning.
PREFIX = b'{"schema": "' + SCHEMA.encode() + b'", "file": "'

_JOB = ("file", "family", "game", "rule", "sha256", "timeout", "memory")
COLUMNS = (
    "status",
    "exit",
    "reason",
    "logic",
    "losing",
    "winner",
    "size",
    "minimal",
    "strategy",
    "unbounded",
    "disagreements",
    "seconds",
    "megabytes",
    "solution",
)
_NAMES = ("schema", *_JOB, *COLUMNS)
HEAD = ",".join(_NAMES).encode() + b"\n"
_TEXTS = {"schema", "file", "family", "game", "rule", "sha256", "status", "reason", "logic"}
_TEXTS |= {"losing", "winner"}
_MOST = 10**18  # the greatest number in a record: the summary's columns hold 64 bits


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST


def _is_count(value: Any) -> bool:
    return _is_number(value) and isinstance(value, int)


_NEEDED: dict[str, Callable[[Any], bool]] = {
    "file": _is_text,
    "family": _is_text,
    "sha256": _is_text,
    "timeout": _is_number,
    "memory": _is_count,
    "status": _is_text,
    "seconds": _is_number,
    "strategy": _is_count,
}
_KNOWN: dict[str, Callable[[Any], bool]] = {
    "rule": _is_text,
    "reason": _is_text,
    "size": _is_count,
    "unbounded": _is_count,
}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for solving a game under a rule: ``timeout`` in seconds, ``memory`` in bytes."""

    timeout: float
    memory: int

    def __str__(self) -> str:
        return f"--timeout {self.timeout:g} --memory {memory_text(self.memory)}"


def memory_text(size: int) -> str:
    """Return a number of bytes as ``--memory`` takes it, such as ``2GB`` or ``1500MB``."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "KB")):
        if size % unit == 0:
            return f"{size // unit}{name}"
    return f"{size}B"


def complete(message: Mapping[str, Any], columns: Mapping[str, Any]) -> Record:
    """Return the record of a job's ``message`` and result ``columns``; None for unknown fields."""
    known = {"strategy": 0, **message, **columns}
    return {name: known.get(name) for name in _NAMES} | {"schema": SCHEMA}


def line(record: Record, is_row: bool = False) -> bytes:
    """Return a record as one line of JSON in ASCII, or, if ``is_row``, as a CSV row in UTF-8."""
    if not is_row:
        return json.dumps(record).encode("ascii") + b"\n"
    cells = (_cell(name, record[name]).replace('"', '""') for name in _NAMES)
    return ",".join(f'"{c}"' if set(c) & set(',"') else c for c in cells).encode() + b"\n"


def _cell(name: str, value: Any) -> str:
    if name in _TEXTS and value and value.isprintable() and value[0] != '"':
        return str(value)
    return "" if value is None else json.dumps(value)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def parse(text: bytes, is_row: bool = False) -> Record:
    """Parse a line of a results file; ValueError, with the reason, if no sweep wrote the line."""
    try:
        record = _of_row(text) if is_row else json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError, csv.Error):
        raise ValueError(f"this line is not {'a row' if is_row else 'JSON'}") from None
    if not isinstance(record, dict) or "schema" not in record:
        raise ValueError("this line was not written by a sweep")
    if record["schema"] != SCHEMA:
        raise ValueError(f"the schema is {str(record['schema'])[:60]!r}, not {SCHEMA!r}")
    for name, fits in (*_NEEDED.items(), *_KNOWN.items()):
        value = record.get(name)
        if not fits(value) and not (value is None and name in _KNOWN):
            raise ValueError(f"{name!r} is missing or is of the wrong kind")
    if record["status"] not in STATUSES:
        raise ValueError(f"'status' is none of {', '.join(STATUSES)}")
    return record


def _of_row(text: bytes) -> Record:
    csv.field_size_limit(1 << 30)  # a cell may hold a whole solution
    (cells,) = csv.reader([text.decode()], strict=True)
    return {name: _of_cell(name, cell) for name, cell in zip(_NAMES, cells, strict=True)}


def _of_cell(name: str, cell: str) -> Any:
    if name in _TEXTS and cell and cell[0] != '"':
        return cell
    return json.loads(cell, parse_constant=_refuse) if cell else None

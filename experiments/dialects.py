"""Numeric PDDL as the world writes it: which files are read, and why others are refused.

``python -m experiments dialects NAME=DIR ..`` reads every ``.pddl`` file below each folder, and
prints for each corpus how many are read, and how many are refused for each reason, with one of
them as an example.  The files are not part of this package: NAME says which they are, such as a
repository and its commit.  ``--update`` writes the rows of these corpora into ``dialects.csv``;
else they are compared with it.  The exit code is 1 where a row differs, or a file is not answered
by one message with its place and a mend.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.tables import read, write
from icgsynth.benchmark.rules.pddl import parse_pddl
from icgsynth.errors import InputError
from icgsynth.spec.source import Source

TABLE = Path(__file__).with_suffix(".csv")
FIELDS = ("corpus", "reason", "files", "example", "line", "mend")
READ, CRASHED = "read", "crashed"
_WORD = re.compile(r"'[^']*'")  # what a message quotes: a section's name is kept, others are not

Row = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Read all files, print the table; 1 where it differs or a refusal lacks its place."""
    parser = argparse.ArgumentParser(prog="python -m experiments dialects")
    parser.add_argument("corpora", nargs="+", metavar="NAME=DIR")
    parser.add_argument("--update", action="store_true", help=f"write {TABLE.name}")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for given in options.corpora:
        name, _, folder = given.rpartition("=")
        rows += corpus(name or Path(folder).name, Path(folder))
    rows.sort(key=lambda row: row["corpus"])
    for row in rows:
        print("{corpus:<28} {files:>6}  {reason:<52} {example}".format(**row))
    corpora = {row["corpus"] for row in rows}
    committed = read(TABLE) if TABLE.exists() else []
    if options.update:
        kept = [row for row in committed if row["corpus"] not in corpora]
        write(TABLE, FIELDS, sorted((*kept, *rows), key=lambda row: row["corpus"]))
    elif [row for row in committed if row["corpus"] in corpora] != rows:
        print(f"not as in {TABLE.name}", file=sys.stderr)
        return 1
    return int(any(row["reason"] == CRASHED for row in rows))


def corpus(name: str, folder: Path) -> list[Row]:
    """A row for each thing that becomes of files below ``folder``, the most frequent first."""
    found: dict[str, list[Row]] = {}
    for path in sorted(folder.rglob("*.pddl")):
        told = answered(path)
        example = {"example": path.relative_to(folder).as_posix()} | told
        found.setdefault(told["reason"], []).append(example)
    ordered = sorted(found.values(), key=lambda rows: (-len(rows), rows[0]["reason"]))
    return [{"corpus": name, "files": str(len(rows)), **rows[0]} for rows in ordered]


def answered(path: Path) -> Row:
    """What the reader says of a file: the reason, its line, and what to write instead."""
    try:
        parse_pddl(Source.read(path))
    except InputError as error:
        if error.span is None or not error.mend:
            return {"reason": CRASHED, "line": "", "mend": str(error)}
        reason = "".join(_reason(error.message))
        return {"reason": reason, "line": str(error.span.line), "mend": error.mend}
    except Exception as error:  # a traceback is what this table looks for
        return {"reason": CRASHED, "line": "", "mend": f"{type(error).__name__}: {error}"}
    return {"reason": READ, "line": "", "mend": ""}


def _reason(message: str) -> Iterator[str]:
    """The message without the names of one file's own."""
    place = 0
    for word in _WORD.finditer(message):
        yield message[place : word.start()]
        yield word.group() if word.group().startswith("':") else "'..'"
        place = word.end()
    yield message[place:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

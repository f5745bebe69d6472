"""Games in GDL as the world writes them: which are read, which are solved, and why others are not.

``python -m experiments gdl --gdl DIR`` takes every ``.kif`` file of a folder, as the public base
games have them, and solves each in a process of its own, with a limit of time and memory.  The
files are not part of this package.  The table says how far each game came: its rules, its ground
rules, its states; who wins in how many plies; or the line of its file and the reason why not.

``--update`` rewrites ``gdl.csv``, ``--table FILE`` writes another one; else the committed table is
compared.  ``--only NAME`` takes the files whose names hold NAME.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.tables import compared_rows, read, table_of, write
from icgsynth.errors import InputError, OutOfReach, Refused
from icgsynth.finite.arena import Arena, arena_of_board
from icgsynth.finite.board import board_of
from icgsynth.finite.grounder import ground
from icgsynth.process.ending import MEGABYTE
from icgsynth.process.forked import Tell, forked
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.source import Source

COMMITTED = Path(__file__).with_suffix(".csv")
FIELDS = (
    *("file", "result", "players", "rules", "ground", "facts", "states", "stored"),
    *("winner", "plies", "line", "why", "seconds", "megabytes"),
)
_SPARE = 60.0  # seconds for reading, grounding and symmetry, besides those for the states
_LINE = re.compile(r"\bline (\d+)")


def main(arguments: Sequence[str]) -> int:
    """Run the experiment; 1 where the table differs, or a process crashed."""
    options = _options(arguments)
    files = [path for path in sorted(options.gdl.glob("*.kif")) if options.only in path.name]
    if not files:
        print(f"no .kif file in {options.gdl}", file=sys.stderr)
        return 2
    made = []
    for path in files:
        made.append(row(path, options.seconds, options.megabytes))
        print("  ".join(value for value in made[-1].values() if value), flush=True)
    results = Counter(each["result"] for each in made)
    print(", ".join(f"{count} {result}" for result, count in sorted(results.items())))
    if options.update or options.table:
        write(options.table or COMMITTED, FIELDS, made)
        return int("crashed" in results)
    names = {each["file"] for each in made}
    committed = [each for each in read(COMMITTED) if each["file"] in names or not options.only]
    differing = compared_rows(table_of("gdl"), committed, made)
    print("\n".join(differing) or f"as in {COMMITTED.name}")
    return int("crashed" in results or bool(differing))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments gdl")
    parser.add_argument("--gdl", type=Path, required=True, metavar="DIR", help="the .kif files")
    parser.add_argument("--only", default="", metavar="NAME", help="files whose names hold NAME")
    parser.add_argument("--seconds", type=float, default=20, help="for the states of a game (20)")
    parser.add_argument("--megabytes", type=int, default=6_000, help="for a game (6,000)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help=f"rewrite {COMMITTED.name}")
    options = parser.parse_args(arguments)
    if options.update and options.only:
        parser.error("--update is for all files, without --only")
    return options


def row(path: Path, seconds: float, megabytes: int) -> dict[str, str]:
    """The row of one file."""

    def work(tell: Tell) -> None:
        for told in _told(path, seconds):
            tell(json.dumps(told).encode())

    ending = forked(work, seconds + _SPARE, megabytes * MEGABYTE)
    found: dict[str, Any] = {"file": path.stem, "result": ""}
    for line in ending.told:
        found |= json.loads(line)
    if not found["result"]:
        if ending.killed:
            found |= {"result": "too large", "why": f"more than {seconds + _SPARE:g} s in all"}
        elif ending.lacked_memory(megabytes * MEGABYTE):
            found |= {"result": "too large", "why": f"more than {megabytes:,} MB"}
        else:
            found |= {"result": "crashed", "why": f"{ending.how}: {ending.last_words}"}
    found |= {"seconds": f"{ending.seconds:.1f}", "megabytes": f"{ending.megabytes:.0f}"}
    return {field: str(found.get(field, "")) for field in FIELDS}


def _told(path: Path, seconds: float) -> Iterator[dict[str, Any]]:
    """What is known after each step; the last says the result."""
    try:
        book = parse_gdl(Source.read(path, path.name))
        yield {"rules": len(book.rules)}
        rules = ground(book)
        yield {"ground": len(rules.rules), "players": len(rules.roles)}
        board = board_of(rules)
        yield {"facts": len(board.facts)}
        yield _solved(arena_of_board(board, seconds=seconds))
    except InputError as fault:
        line = "" if fault.span is None else fault.span.line
        yield {"result": "faulty", "line": line, "why": fault.message}
    except Refused as refused:
        place = _LINE.search(str(refused))
        result = "too large" if isinstance(refused, OutOfReach) else "refused"
        yield {"result": result, "line": place[1] if place else "", "why": str(refused)}


def _solved(arena: Arena) -> dict[str, Any]:
    sign, plies = int(arena.value[0]), int(arena.distance[0])
    return {
        "result": "solved",
        "states": int(arena.orbit.sum()),
        "stored": len(arena.states),
        "winner": "nobody" if not sign else arena.roles[0 if sign > 0 else 1],
        "plies": "endless" if plies < 0 else plies,
    }

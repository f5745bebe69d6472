"""Game descriptions: how many states, how fast, and how many public games are done whole.

``python -m experiments gdl [--games DIR]`` counts the states of the games in ``specs/gdl``
against published counts, measures exploration with warm kernels and with none, and solves
every ``*.kif`` in DIR in a process of its own with a limit of 10 s (``--seconds``) for
grounding, symmetry, exploration and labels.  What a process pays before that (imports, loading
the kernels) is shown beside it.  The table goes to stdout and to ``build/gdl.csv``; the exit
code is 1 where a count is wrong, a goal is missed or a process crashes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from experiments.measure import ROOT
from experiments.tables import write

RESULTS = ROOT / "build" / "gdl.csv"
SPECS = ROOT / "specs" / "gdl"
GOAL_RATE, GOAL_SIM, GOAL_WHOLE = 100_000, 30.0, 20
_GRACE = 20.0  # seconds past its limit that a process is killed; loading takes some of them

# Reachable states, and those before the end.  Tic-tac-toe: 5,478 positions (Schaefer 2002);
# all counts before the end: Bolander and Pjetursson (CoG 2020), Table II.
PUBLISHED: dict[str, tuple[int | None, int]] = {
    "tictactoe": (5_478, 4_520),
    "nim": (None, 342),
    "sim": (None, 1_350_022),
}
_REASONS = (
    ("players (", "more than two players"),
    ("simultaneous moves", "simultaneous moves"),
    ("not zero-sum", "not zero-sum"),
    ("grounding took", "grounding past the limit"),
    ("grounds to more", "grounding past the limit"),
    ("exploration took", "exploration past the limit of seconds"),
    ("the game has more", "more states or moves than the limit"),
    ("no legal move", "a state without a legal move"),
    ("no goal", "an end without a goal"),
)


@dataclass(frozen=True)
class Row:
    """One process.  Seconds: ``process`` is all of it by the wall clock; ``imports`` (and the
    start of Python) and ``kernels`` come before the game; ``total`` is the game, of it
    ``ground``, ``circuit`` and ``solve``; ``cpu`` are the processor seconds of the game.
    ``rate`` is states a second.
    """

    part: str
    game: str
    outcome: str
    states: int | None = None
    before_end: int | None = None
    rows: int | None = None
    group: int | None = None
    process: float = 0.0
    imports: float | None = None
    kernels: float | None = None
    total: float | None = None
    ground: float | None = None
    circuit: float | None = None
    solve: float | None = None
    cpu: float | None = None
    megabytes: int | None = None
    rate: int | None = None
    ok: bool = True
    note: str = ""


def row_of(
    part: str,
    file: Path,
    seconds: float,
    options: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> tuple[Row, dict[str, Any]]:
    """Run one process, and what it said."""
    command = [sys.executable, "-m", "experiments.gdl_game", str(file), *options]
    begun = time.perf_counter()
    try:
        done = subprocess.run(
            [*command, "--seconds", f"{seconds:g}"],
            cwd=ROOT,
            env={**os.environ, **(settings or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds + _GRACE + (120 if settings else 0),
        )
    except subprocess.TimeoutExpired:
        spent = time.perf_counter() - begun
        return Row(part, file.stem, "killed", process=spent, ok=False, note="past its limit"), {}
    spent = time.perf_counter() - begun
    if done.returncode:
        last = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        return Row(part, file.stem, "crashed", process=spent, ok=False, note=last), {}
    found = json.loads(done.stdout)
    by = found["seconds"]
    row = Row(
        part,
        file.stem,
        found["outcome"],
        found.get("states"),
        found.get("before_end"),
        found.get("rows"),
        found.get("group"),
        spent,
        spent - found["inside"],
        by["kernels"],
        by["total"],
        by.get("ground"),
        by.get("circuit"),
        by.get("solve"),
        found["cpu"],
        found["megabytes"],
    )
    return replace(row, note=" ".join(found["why"].split())), found


# --- the parts ----------------------------------------------------------------------------


def counted(_: argparse.Namespace) -> Iterator[Row]:
    """The games of ``specs/gdl`` on raw states, against published counts where there are any."""
    for file in sorted(SPECS.glob("*.kif")):
        row, _found = row_of("counts", file, 120, ["--raw"])
        whole, before = PUBLISHED.get(file.stem, (None, None))
        ok = row.outcome == "whole" and (before is None or row.before_end == before)
        ok &= whole is None or row.states == whole
        says = "" if before is None else f"published: {before:,} before the end"
        if file.stem == "sim":
            ok &= (row.total or 1e9) < GOAL_SIM
            says += f"; goal: all states in {GOAL_SIM:g} s"
        yield replace(row, ok=ok, note=says if row.outcome == "whole" else row.note)


def timed(_: argparse.Namespace) -> Iterator[Row]:
    """States a second with warm kernels: the median processor time of 20 runs on one board."""
    for options, how in ((["--raw"], "raw states"), ([], "up to symmetry, raw states counted")):
        row, found = row_of("rate", SPECS / "tictactoe.kif", 60, [*options, "--repeat", "20"])
        rate = int(found["states"] / found["warm"]) if found else None
        note = f"{how}: explored and labelled; goal {GOAL_RATE:,} a second"
        yield replace(row, rate=rate, ok=row.ok and (rate or 0) >= GOAL_RATE, note=note)


def compiled(_: argparse.Namespace) -> Iterator[Row]:
    """The first process on a machine compiles the kernels and says so; the second does not."""
    with tempfile.TemporaryDirectory() as folder:
        for name, first in (("first process", True), ("second process", False)):
            file = SPECS / "tictactoe.kif"
            row, found = row_of("kernels", file, 60, (), {"NUMBA_CACHE_DIR": folder})
            note = f"{name}: {'compiles, and says so' if first else 'finds them in the cache'}"
            yield replace(row, ok=bool(found) and found["compiled"] == first, note=note)


def public(options: argparse.Namespace) -> Iterator[Row]:
    """Every game of the folder that ``--games`` names."""
    if options.games is None:
        print("no folder of games is given (--games DIR): that part is left out", file=sys.stderr)
        return
    for file in sorted(options.games.glob("*.kif")):
        yield row_of("games", file, options.seconds)[0]


PARTS = {"counts": counted, "rate": timed, "kernels": compiled, "games": public}


# --- the command --------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> int:
    """Run the parts asked for; 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m experiments gdl")
    parser.add_argument("--games", type=Path, help="a folder of .kif files")
    parser.add_argument("--seconds", type=float, default=10.0, help="the limit for each of them")
    parser.add_argument("--part", choices=PARTS, action="append", help="one part; may repeat")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args(list(arguments))
    if given.games is not None and not given.games.is_dir():
        parser.error(f"{given.games} is no folder")
    rows = []
    print(_HEAD)
    for part in given.part or PARTS:
        for row in PARTS[part](given):
            rows.append(row)
            print(_line(row), flush=True)
    names = [field.name for field in fields(Row)]
    write(given.results, names, (_written(row) for row in rows))
    summary, reached = _summary([row for row in rows if row.part == "games"], given.seconds)
    print("".join(f"{line}\n" for line in summary), end="")
    return 0 if reached and all(row.ok for row in rows) else 1


def _written(row: Row) -> dict[str, str]:
    """A cell for each field; empty where there is no figure, seconds to the millisecond."""
    return {
        name: "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
        for name, value in asdict(row).items()
    }


_HEAD = (
    f"{'part':<8}{'game':<32}{'outcome':<9}{'states':>10}{'before end':>11}{'rows':>10}"
    f"{'group':>6}{'process':>9}{'imports':>8}{'kernels':>8}{'ground':>7}{'circuit':>8}"
    f"{'solve':>7}{'total':>7}{'cpu':>7}{'MB':>6}"
)


def _line(row: Row) -> str:
    def number(value: float | None, width: int, shape: str = ".2f") -> str:
        return f"{'-' if value is None else format(value, shape):>{width}}"

    counts = "".join(
        number(value, width, ",")
        for value, width in (
            (row.states, 10), (row.before_end, 11), (row.rows, 10), (row.group, 6)
        )
    )  # fmt: skip
    times = "".join(
        number(value, width)
        for value, width in (
            (row.process, 9), (row.imports, 8), (row.kernels, 8), (row.ground, 7),
            (row.circuit, 8), (row.solve, 7), (row.total, 7), (row.cpu, 7),
        )
    )  # fmt: skip
    rate = f"  {row.rate:,} states/s" if row.rate else ""
    mark = "" if row.ok else "  MISSED"
    head = f"{row.part:<8}{row.game[:31]:<32}{row.outcome:<9}"
    return f"{head}{counts}{times}{number(row.megabytes, 6, ',')}{rate}{mark}  {row.note}".rstrip()


def _summary(rows: Sequence[Row], seconds: float) -> tuple[list[str], bool]:
    """What became of the public games, and whether that is enough of them."""
    if not rows:
        return [], True
    whole = [row for row in rows if row.outcome == "whole"]
    faults = [row for row in rows if row.outcome in ("crashed", "killed")]
    goal = min(GOAL_WHOLE, len(rows))
    slowest = max((row.total or 0.0 for row in whole), default=0.0)
    why = Counter(_reason(row) for row in rows if row.outcome == "refused")
    lines = [
        f"{len(whole)} of {len(rows)} games enumerated whole within {seconds:g} s each "
        f"(goal {GOAL_WHOLE}); the slowest of them took {slowest:.2f} s",
        *(f"{count} refused: {reason}" for reason, count in why.most_common()),
        f"{len(faults)} crashed or ran past the limit",
    ]
    return lines, len(whole) >= goal and not faults


def _reason(row: Row) -> str:
    return next((reason for key, reason in _REASONS if key in row.note), "the text")

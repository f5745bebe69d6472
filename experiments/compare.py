"""Compare icgsynth with two peers on the same games, machine and limits, in one run.

The peers are an enumerator after the IJCAI 2020 line of work (``transit``) and cvc5's SyGuS
solver (``sygus``).  They have the easier task.  The enumerator looks for the winning formula and
proves it; cvc5 looks for a strategy too; neither proves that play ends, shortens what it has
found, or compares it with explicit play.  icgsynth does all of that in the time given for it.
An answer of any of them counts as solved only if it agrees with the labels of a box.

``python -m experiments compare --pddl DIR`` runs the games of the seed paper, 40 benchmark files
below DIR and the series that grow, and prints tables and figures; ``--update`` also rewrites
``compare.csv``, the plots and the figures in ``docs/explanation/comparison.md``.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from math import inf, isfinite
from pathlib import Path

import numpy as np

from experiments.cases import SERIES, benchmark, scaling, seed
from experiments.measure import OURS, PEERS, ROOT, TOOLS, Case, Journal, Limits, Outcome, measure
from experiments.tables import read, write
from icgsynth import load
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, Labels, label
from icgsynth.logic.evaluate import columns
from icgsynth.spec.icg import parse_formula

TABLE = Path(__file__).parent / "compare.csv"
PAGE = ROOT / "docs" / "explanation" / "comparison.md"
JOURNAL = ROOT / "build" / "compare.jsonl"
GROUPS = ("seed", "benchmark", *(series.name for series in SERIES))
TABLED = GROUPS[:2]  # the others are for the plots

FIELDS = [
    *("group", "game", "constants", "rule", "size", "limit_s"),
    *(f"{OURS}_{part}" for part in ("status", "s", "inside_s", "search_prove_s", "losing")),
    *(f"{p}_{part}" for p in PEERS for part in ("status", "s", "inside_s", "losing", "ratio")),
]


@dataclass(frozen=True)
class Row:
    """One game under one rule, and what each tool made of it."""

    case: Case
    outcomes: Mapping[str, Outcome]

    def outcome(self, tool: str) -> Outcome:
        """Return the outcome of ``tool``; "not run" where its series ended before."""
        return self.outcomes.get(tool, Outcome("not run"))

    def ratio(self, peer: str, part: str = "seconds") -> float | None:
        """How many times the time of icgsynth the peer takes; None unless both solved it."""
        ours, theirs = self.outcome(OURS), self.outcome(peer)
        if not (ours.is_solved and theirs.is_solved):
            return None
        return float(getattr(theirs, part) / getattr(ours, part))

    def record(self, limits: Limits) -> dict[str, str]:
        """The line of the CSV."""
        case = self.case
        fields = {
            "group": case.group,
            "game": case.game,
            "constants": " ".join(f"{n}={v}" for n, v in case.constants),
            "rule": case.rule,
            "size": "" if case.size is None else str(case.size),
            "limit_s": f"{limits.seconds:g}",
        }
        for tool in TOOLS:
            outcome = self.outcome(tool)
            fields[f"{tool}_status"] = outcome.status
            if outcome.is_solved:
                fields[f"{tool}_s"] = f"{outcome.seconds:.3f}"
                fields[f"{tool}_inside_s"] = f"{outcome.inside:.3f}"
            fields[f"{tool}_losing"] = outcome.losing
            if tool == OURS and outcome.is_solved:
                fields[f"{tool}_search_prove_s"] = f"{outcome.searched:.3f}"
            ratio = self.ratio(tool)
            if tool != OURS and ratio is not None:
                fields[f"{tool}_ratio"] = f"{ratio:.2f}"
        return {field: fields.get(field, "") for field in FIELDS}


# --- the command --------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    """Run, check, print; the exit code is 1 where an answer of icgsynth is wrong."""
    options = _options(arguments)
    if options.plots:
        _draw()
        return 0
    limits = Limits(options.timeout, options.memory, options.runs)
    tools = [tool for tool in TOOLS if tool != "cvc5" or find_spec("cvc5") is not None]
    if len(tools) < len(TOOLS):
        print("cvc5 is not installed (pip install cvc5): left out", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        work = _work(tools, options.pddl, Path(folder), options.only)
        journal = Journal(options.journal, limits, fresh=not options.resume)
        rows = _rows(work, limits, journal, options.jobs)
    _print(rows)
    lines = figures(rows, limits)
    print("\n" + "\n".join(f"* {line}" for line in lines))
    if options.table:
        write(options.table, FIELDS, [row.record(limits) for row in rows])
    if options.update:
        _write(rows, lines, limits)
    wrong = [row.case.name for row in rows if row.outcome(OURS).status == "wrong"]
    print("".join(f"icgsynth is wrong on {name}\n" for name in wrong), end="")
    return 1 if wrong else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments compare", allow_abbrev=False)
    add = parser.add_argument
    add("--pddl", type=Path, metavar="DIR", help="where the benchmark files are")
    add("--runs", type=int, default=5, help="of which the median counts (5)")
    add("--timeout", type=float, default=60.0, help="seconds a run (60)")
    add("--memory", type=int, default=2048, help="megabytes a run (2048)")
    add("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="runs at a time")
    add("--only", action="append", default=[], metavar="PART", help="a group, or part of a name")
    add("--journal", type=Path, default=JOURNAL, help="where the runs are written down")
    add("--resume", action="store_true", help="go on with the runs that are written down there")
    add("--table", type=Path, metavar="FILE", help="write the table there")
    add("--update", action="store_true", help="rewrite the CSV, the plots and the page")
    add("--plots", action="store_true", help="only draw the plots again, from the CSV")
    options = parser.parse_args(arguments)
    if options.pddl is not None and not options.pddl.is_dir():
        parser.error(f"there is no folder {options.pddl}")
    if options.update and (options.pddl is None or options.only):
        parser.error("--update wants the whole comparison: with --pddl, without --only")
    absent = [name for name in ("cvc5", "matplotlib") if find_spec(name) is None]
    if options.update and absent:
        parser.error(f"--update needs {' and '.join(absent)} (pip install {' '.join(absent)})")
    return options


def _work(
    tools: Sequence[str], pddl: Path | None, folder: Path, only: Sequence[str]
) -> list[tuple[str, list[Case]]]:
    """What is measured one after the other: single games, and series up to the first failure."""
    single = seed() + (benchmark(pddl) if pddl is not None else [])
    lines = [[case] for case in single] + scaling(folder)
    if only:
        kept = ([case for case in line if _is_asked(case, only)] for line in lines)
        lines = [line for line in kept if line]
    return [(tool, line) for line in lines for tool in tools]


def _is_asked(case: Case, only: Sequence[str]) -> bool:
    return any(part == case.group or part in case.name for part in only)


def _rows(
    work: Sequence[tuple[str, list[Case]]], limits: Limits, journal: Journal, jobs: int
) -> list[Row]:
    """In the order of ``work``; what a series did not come to is left out."""
    found: dict[Case, dict[str, Outcome]] = {case: {} for _, line in work for case in line}
    for done, (tool, case, outcome) in enumerate(measure(work, limits, journal, jobs), 1):
        print(f"{done:4} {tool:<10} {case.name} {case.rule}: {_shown(outcome)}", file=sys.stderr)
        found[case][tool] = outcome
    # Only now, so that nothing else runs beside what is measured.
    return [
        Row(case, {tool: checked(case, outcomes[tool]) for tool in TOOLS if tool in outcomes})
        for case, outcomes in found.items()
        if outcomes
    ]


# --- whether an answer is right ---------------------------------------------------------------

_BOX = {1: 300, 2: 60, 3: 20, 4: 10}  # by the number of variables
_FEW = 200  # labelled states; with fewer, a wider box is tried
_CELLS = 2_000_000


def checked(case: Case, outcome: Outcome) -> Outcome:
    """``outcome``, unless its formula disagrees with explicit play on the states of a box."""
    if not outcome.is_solved:
        return outcome
    labels = _labels(case)
    known = labels.known
    formula = parse_formula(outcome.losing, labels.box.variables)
    says = np.broadcast_to(columns(formula, labels.box.columns()), known.shape)
    wrong = known & (says != (labels.outcome == LOSING))
    if not known.any() or wrong.any():
        return replace(outcome, status="wrong", seconds=inf, inside=inf, searched=inf)
    return outcome


@cache
def _labels(case: Case) -> Labels:
    game = load(case.spec, dict(case.constants)).game
    bound = _BOX.get(len(game.variables), 6)
    while True:
        labels = label(game, Box.of(game, bound), case.rule)  # type: ignore[arg-type]
        wider = Box.of(game, 2 * bound)
        if labels.known.sum() >= _FEW or wider.cells > _CELLS or wider.cells == labels.box.cells:
            return labels
        bound *= 2


# --- what is printed ---------------------------------------------------------------------------


def _shown(outcome: Outcome) -> str:
    return f"{outcome.seconds:.2f} s" if outcome.is_solved else outcome.status


def _print(rows: Iterable[Row]) -> None:
    head = f"{'game':<52} {'rule':<7} {OURS:>9} {'inside':>8}"
    print(head + "".join(f" {peer:>11} {'ratio':>7}" for peer in PEERS))
    for row in rows:
        ours = row.outcome(OURS)
        inside = f"{ours.inside:.2f} s" if ours.is_solved else ""
        line = f"{row.case.name[-52:]:<52} {row.case.rule:<7} {_shown(ours):>9} {inside:>8}"
        for peer in PEERS:
            ratio = row.ratio(peer)
            shown = "" if ratio is None else f"{ratio:.1f}"
            line += f" {_shown(row.outcome(peer)):>11} {shown:>7}"
        print(line)


def figures(rows: Sequence[Row], limits: Limits) -> list[str]:
    """The comparison in sentences, over the games of the table."""
    tabled = [row for row in rows if row.case.group in TABLED]
    lines = []
    for group in TABLED:
        inside = [row for row in tabled if row.case.group == group]
        counts = ", ".join(f"{tool} {_solved(inside, tool)}" for tool in TOOLS)
        lines.append(f"{group}, solved of {len(inside)}: {counts}")
    for peer in PEERS:
        lines += _against(tabled, peer, limits)
    return lines


def _solved(rows: Iterable[Row], tool: str) -> int:
    return sum(row.outcome(tool).is_solved for row in rows)


def _against(rows: Sequence[Row], peer: str, limits: Limits) -> Iterable[str]:
    both = [row for row in rows if row.ratio(peer) is not None]
    if both:
        medians = (
            statistics.median(r for row in both if (r := row.ratio(peer, part)) is not None)
            for part in ("seconds", "inside", "searched")
        )
        whole, inside, searched = (f"{median:.1f}" for median in medians)
        yield (
            f"{peer} / {OURS}, median ratio on the {len(both)} that both solve: {whole} (whole "
            f"processes), {inside} (without start-up), {searched} (search and proof alone)"
        )
    bounds = [b for row in rows if (b := _at_least(row, peer, limits)) is not None]
    if bounds:
        yield (
            f"{peer} / {OURS}, median over the {len(bounds)} that {OURS} solves, a run without an "
            f"answer counted as {limits.seconds:g} s: at least {statistics.median(bounds):.1f}"
        )
    for status in ("wrong", "unknown", "memory", "failed"):
        count = sum(row.outcome(peer).status == status for row in rows)
        if count:
            yield f"{peer}: {count} {status}"


def _at_least(row: Row, peer: str, limits: Limits) -> float | None:
    """The ratio with the limit for a missing time; it may be missing because it gave up."""
    ours, theirs = row.outcome(OURS), row.outcome(peer)
    if not ours.is_solved or theirs.status == "not run":
        return None
    return (theirs.seconds if isfinite(theirs.seconds) else limits.seconds) / ours.seconds


# --- what is written ---------------------------------------------------------------------------

_BEGIN, _END = "<!-- figures: begin -->", "<!-- figures: end -->"


def _write(rows: Sequence[Row], lines: Sequence[str], limits: Limits) -> None:
    write(TABLE, FIELDS, [row.record(limits) for row in rows])
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    listed = "\n".join(f"* {line}" for line in lines)
    PAGE.write_text(f"{before}{_BEGIN}\n\n{listed}\n\n{_END}{after}", encoding="utf-8")
    _draw()
    print(f"written: {PAGE.name} and its plots")


def _draw() -> None:
    from experiments.plots import draw

    draw(read(TABLE), PAGE.parent)

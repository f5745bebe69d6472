"""Every answer of the catalog in Coq: made, checked and timed.

``python -m experiments coq`` solves each game of the catalog under both rules, exports what is
solved, the theorems about families (those of the catalog, and what the experiment "families" has
found) and the Grundy values, and has ``coqc`` check each file.  The table ``coq.csv`` has a row for
each; the files are not kept.  ``--pddl DIR --sample 200`` checks that many answers of the benchmark
instead, chosen at random (``--seed``), and counts them by family in ``coq_benchmark.csv``.
``--mutations 500`` makes that many right answers wrong, and counts in ``coq_mutants.csv`` what Coq
says of them: it may accept none.

Seconds are processor time.  ``--resume`` goes on where a run was cut off.  The exit code is 1
where the table differs from the committed one, or Coq accepts what is wrong; ``--update``
rewrites the table.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median

from experiments import coq_mutants
from experiments.coq_runs import Case, Row, Seconds, checked_case
from experiments.family_theorems import found_theorems
from experiments.measure import ROOT
from experiments.tables import differences, read, write
from icgsynth.families.rules.theorem_catalog import theorem_entries
from icgsynth.spec.catalog import names

TABLE = Path(__file__).with_suffix(".csv")
BENCHMARK = TABLE.with_name("coq_benchmark.csv")
VALUES = TABLE.with_name("values.csv")
JOURNAL = ROOT / "build" / "coq.jsonl"
RULES = ("normal", "misere")
KEY = ("what", "rule", "kind")
SAME = ("accepted", "why")
FIELDS = (*KEY, "accepted", "coqc_s", "generator_s", "bytes", "why")
FAMILY_FIELDS = ("family", "answers", "accepted", "coqc_s", "bytes", "why")
KINDS = ("linear", "digits", "family", "value")
GOALS = (2.0, 5.0, 12_000)  # median and 90th percentile of seconds, median of bytes

Check = Callable[[Case], Row | None]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    options = _options(arguments)
    if options.mutations is not None:
        return coq_mutants.main(options)
    limits = Seconds(options.timeout, options.seconds, options.seconds)
    with Journal(options.journal, options.resume) as journal:
        check = partial(_once, journal, limits)
        if options.pddl is not None:
            rows = list(_sampled(options, check))
        else:
            rows = [row for row in _all(list(catalog(options.only)), check, options.jobs) if row]
    _figures(rows)
    if options.pddl is not None:
        return _ended(_by_family(rows), BENCHMARK, ("family",), FAMILY_FIELDS, options)
    return _ended(rows, TABLE, KEY, FIELDS, options)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments coq", description=__doc__)
    parser.add_argument("--only", metavar="GAME", action="append", help="this one; may repeat")
    parser.add_argument("--pddl", type=Path, metavar="DIR", help="answers of the benchmark instead")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="so many (200)")
    parser.add_argument("--mutations", type=int, metavar="N", help="wrong answers instead")
    parser.add_argument("--seed", type=int, default=7, help="of both choices (7)")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for each solve (20)")
    parser.add_argument("--seconds", type=int, default=120, help="of coqc, and of export (120)")
    parser.add_argument("--jobs", type=int, default=1, help="at a time (1)")
    parser.add_argument("--journal", type=Path, default=JOURNAL, metavar="FILE", help="(in build)")
    parser.add_argument("--resume", action="store_true", help="keep what the journal has")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    counts = (options.sample, options.seconds, options.jobs, options.mutations or 1)
    if min(counts) < 1:
        parser.error("--sample, --mutations, --seconds and --jobs are 1 or more")
    return options


# --- what is checked ---------------------------------------------------------------------------


def catalog(only: Sequence[str] | None = None) -> Iterator[Case]:
    """The games under both rules, the theorems about families, and the Grundy values."""
    chosen = [name for name in names() if only is None or name in only]
    for name in chosen:
        for rule in RULES:
            yield Case(name, rule, "game", name)
    for entry in theorem_entries():
        if entry["game"] in chosen:
            what = f"{entry['game']} for every {entry['for']}"
            yield Case(what, entry["rule"], "family", json.dumps(entry))
    for what, rule, theorem in found_theorems():
        if only is None or what in only:
            yield Case(what, rule, "family", json.dumps(theorem))
    for row in read(VALUES):
        if row["game"] in chosen and row["status"] == "solved":
            yield Case(row["game"], "normal", "value", row["game"])


def drawn(folder: Path, seed: int) -> list[Case]:
    """All files of the benchmark with a rule, in the order of the draw."""
    files = sorted(path for path in folder.rglob("*.pddl") if path.is_file())
    pairs = [
        Case(path.relative_to(folder).parts[0], rule, "game", str(path.resolve()))
        for path in files
        for rule in RULES
    ]
    random.Random(seed).shuffle(pairs)
    return pairs


def _sampled(options: argparse.Namespace, check: Check) -> Iterator[Row]:
    """The first so many of them that have an answer."""
    todo, missing = drawn(options.pddl, options.seed), options.sample
    while todo and missing:
        batch, todo = todo[:missing], todo[missing:]
        for row in filter(None, _all(batch, check, options.jobs)):
            missing -= 1
            yield row


def _all(cases: Sequence[Case], check: Check, jobs: int) -> Iterator[Row | None]:
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for case, row in zip(cases, pool.map(check, cases), strict=True):
                _progress(case, row)
                yield row
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _progress(case: Case, row: Row | None) -> None:
    said = "no answer"
    if row is not None:
        said = "{kind:<7} {accepted:<4} {coqc_s:>7} s {generator_s:>7} s {bytes:>8}  {why}"
        said = said.format(**row)
    print(f"{case.what:<40} {case.rule:<7} {said}", flush=True)


# --- what is kept ------------------------------------------------------------------------------


class Journal:
    """The rows so far, one line of JSON each; a case without an answer has none."""

    def __init__(self, path: Path, resume: bool) -> None:
        self._rows: dict[str, Row | None] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if resume and path.exists():
            for line in path.read_text("utf-8").splitlines():
                key, row = json.loads(line)
                self._rows[key] = row
        self._stream = path.open("a" if resume else "w", encoding="utf-8")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __contains__(self, case: Case) -> bool:
        return case.key in self._rows

    def row(self, case: Case) -> Row | None:
        """What was found of a case that is in the journal."""
        return self._rows[case.key]

    def add(self, case: Case, row: Row | None) -> None:
        """Write one down, at once."""
        self._rows[case.key] = row
        self._stream.write(json.dumps([case.key, row]) + "\n")
        self._stream.flush()


def _once(journal: Journal, limits: Seconds, case: Case) -> Row | None:
    if case not in journal:
        journal.add(case, checked_case(case, limits))
    return journal.row(case)


# --- what is printed ---------------------------------------------------------------------------


def _figures(rows: Sequence[Row]) -> None:
    """For each kind and rule: accepted, seconds of coqc, and bytes of what was accepted."""
    print(f"\n{'':<16} accepted      median s    p90 s  median bytes")
    for kind in KINDS:
        for rule in (*RULES, ""):
            these = [row for row in rows if row["kind"] == kind and rule in ("", row["rule"])]
            if these:
                _line(f"{kind} {rule or 'in all'}", these)
    seconds, p90, size = GOALS
    print(f"{'goal, linear':<16} all {seconds:>17.1f} {p90:>8.1f} {size:>13,}")


def _line(name: str, rows: Sequence[Row]) -> None:
    good = [row for row in rows if row["accepted"] == "yes"]
    said = f"{len(good)} of {len(rows)}"
    if good:
        times = sorted(float(row["coqc_s"]) for row in good)
        sizes = [int(row["bytes"]) for row in good]
        p90 = times[ceil(0.9 * len(times)) - 1]
        said = f"{said:<12} {median(times):>8.1f} {p90:>8.1f} {median(sizes):>13,.0f}"
    print(f"{name:<16} {said}")


def _by_family(rows: Iterable[Row]) -> list[Row]:
    """The rows of a family counted together; medians of what was accepted."""
    families: dict[str, list[Row]] = {}
    for row in rows:
        families.setdefault(row["what"], []).append(row)
    found = []
    for name, these in sorted(families.items()):
        good = [row for row in these if row["accepted"] == "yes"]
        counted = {"answers": str(len(these)), "accepted": str(len(good))}
        counted["coqc_s"] = f"{median(float(r['coqc_s']) for r in good):.2f}" if good else ""
        counted["bytes"] = f"{median(int(r['bytes']) for r in good):.0f}" if good else ""
        counted["why"] = " | ".join(sorted({row["why"] for row in these} - {""}))
        found.append({"family": name} | counted)
    return found


def _ended(
    rows: Sequence[Row],
    table: Path,
    key: Sequence[str],
    fields: Sequence[str],
    options: argparse.Namespace,
) -> int:
    """Write the table, or compare it with the committed one; the exit code."""
    whole = options.only is None
    if options.table or options.update:
        kept = read(table) if options.update and not whole else []
        merged = {tuple(row[field] for field in key): row for row in (*kept, *rows)}
        ordered = sorted(merged.values(), key=lambda row: _place(row, key))
        write(options.table or table, fields, ordered)
        return 0
    same = [field for field in ("answers", *SAME) if field in fields]
    found = list(differences(read(table), rows, key, same, whole))
    print(*found, sep="\n")
    return int(bool(found))


def _place(row: Row, key: Sequence[str]) -> tuple[object, ...]:
    """Kinds in their order, then names; normal play first."""
    if key != KEY:
        return tuple(row[field] for field in key)
    return (KINDS.index(row["kind"]), row["what"], RULES.index(row["rule"]))

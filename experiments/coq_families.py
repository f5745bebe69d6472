"""Theorems about all members of families, put to Coq.

``python -m experiments coq_families`` makes a file for Coq of each theorem of the catalog and of
each that the table of the experiment "families" has, and asks ``coqc``.

The exit code is 1 where the table differs from the committed one; ``--update`` rewrites it, or with
``--only`` the rows of these families.
"""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from experiments.families import TABLE as THEOREMS
from experiments.family_statements import OPEN, RULES, STATEMENTS, Family
from experiments.tables import differences, read, write
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.export.coq.coqc import checked
from icgsynth.export.coq.theorem_file import family_coq
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.spec.catalog import resolve
from icgsynth.spec.family_file import read_family
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.spec.theorem_catalog import theorem_entries

TABLE = Path(__file__).with_suffix(".csv")
KEYS = ("source", "family", "range", "rule")
SAME = ("accepted",)
FIELDS = (*KEYS, "accepted", "why", "coqc", "bytes")
MAKING = 120.0  # seconds of processor time for making one file

Row = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments coq_families", description=__doc__)
    parser.add_argument("--only", metavar="FAMILY", action="append", help="this one; may repeat")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds of coqc for each")
    parser.add_argument("--keep", type=Path, default=None, help="write the files for Coq there")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for row, claim in (*_catalog(), *_table()):
        if options.only is None or row["family"] in options.only:
            rows.append(_judged(row, claim, options.timeout, options.keep))
            print("{family:<30} {rule:<7} {accepted:<4} {coqc:>6} s  {why}".format(**rows[-1]))
    _summary(rows)
    if options.update:
        kept = read(TABLE) if options.only and TABLE.exists() else []
        merged = {tuple(row[key] for key in KEYS): row for row in (*kept, *rows)}
        write(TABLE, FIELDS, list(merged.values()))
        return 0
    found = list(differences(read(TABLE), rows, KEYS, SAME, whole=options.only is None))
    print(*found, sep="\n")
    return int(bool(found))


def _catalog() -> Iterator[tuple[Row, FamilyClaim]]:
    for entry in theorem_entries():
        name = str(entry["game"])
        spec = parse(Source.read(resolve(name)))
        claim = read_family(Source(name, json.dumps(entry)), spec).claim
        row = {"source": "catalog", "family": name, "range": str(entry["for"])}
        yield row | {"rule": claim.rule}, claim


def _table() -> Iterator[tuple[Row, FamilyClaim]]:
    by_name = {family.name: family for family in (*STATEMENTS, *OPEN)}
    for row in read(THEOREMS):
        family = by_name[row["family"]]
        if row["found"] == "yes":
            said = {"source": "families", "family": family.name, "range": family.range_}
            yield said | {"rule": family.rule}, _claim(family, row)


def _claim(family: Family, row: Row) -> FamilyClaim:
    """The theorem of a row of the table."""
    rules = RULES.get(family.rules)
    spec = parse(
        Source("rules", f"game g {rules}") if rules else Source.read(resolve(family.rules))
    )
    fixed = dict(family.fixed)
    free = family.free.split()
    parameters = {action.name: action.parameters for action in spec.members(free, fixed).actions}
    strategy = []
    for text in row["strategy"].split("; ") if row["strategy"] else ():
        when, _, act = text.rpartition(": ")
        action, _, inner = act.removesuffix(")").partition("(")
        terms = inner.split(", ") if inner else []
        args = dict(zip(parameters[action], terms, strict=True))
        strategy.append({"when": when, "action": action, "args": args})
    entry = {
        "schema": "icgsynth/solution/2",
        "kind": "family",
        "game": spec.name,
        "constants": free,
        "fixed": fixed,
        "rule": family.rule,
        "status": "theorem",
        "for": family.range_,
        "losing": {"formula": row["losing"]},
        "strategy": strategy,
    }
    return read_family(Source(family.name, json.dumps(entry)), spec).claim


def _judged(row: Row, claim: FamilyClaim, seconds: float, keep: Path | None) -> Row:
    signal.signal(signal.SIGVTALRM, _spent)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAKING)
    try:
        text = family_coq(claim)
    except (Refused, BudgetSpent) as refused:
        return row | _seen("no", str(refused))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if keep is not None:
        word = "".join(c if c.isalnum() else "_" for c in "_".join(row[key] for key in KEYS))
        (keep / f"{word}.v").write_text(text, "utf-8")
    said = checked(text, seconds)
    return row | _seen("yes" if said.is_proved else "no", said.why, said.seconds, len(text))


def _spent(*_: object) -> None:
    raise BudgetSpent(f"no file was made in {MAKING:g} s")


def _seen(accepted: str, why: str, coqc: float = 0.0, size: int = 0) -> Row:
    return {"accepted": accepted, "why": why, "coqc": f"{coqc:.1f}", "bytes": str(size)}


def _summary(rows: Sequence[Row]) -> None:
    accepted = [row for row in rows if row["accepted"] == "yes"]
    print(f"\n{len(accepted)} of {len(rows)} accepted by Coq")
    if accepted:
        seconds = median(float(row["coqc"]) for row in accepted)
        size = median(int(row["bytes"]) for row in accepted)
        print(f"median: coqc {seconds:.1f} s, {size / 1000:.0f} kB")

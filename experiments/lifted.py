"""The benchmark's files lifted to families, and theorems for all values of their constants.

``python -m experiments lifted --pddl DIR`` reads every file below DIR, lifts the files with the
same rules but for integers to one family, and looks for theorems, for as many files as it can in
``--timeout`` seconds on a processor for each family, and one more for each of its files.  A file
that a theorem is about is then judged by brute force that shares no code with icgsynth: the judge
reads the file by itself, and the formula and the strategy with the file's numbers have to agree
with play in a box.

The exit code is 1 where the judge disagrees, or where families or files of them differ from the
committed table; ``--update`` writes it, with ``--only FOLDER`` the rows of these folders.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from experiments.lifted_families import lifted
from experiments.lifted_theorems import (
    LiftedResult,
    LiftedTheorem,
    prove_lifted,
    read_folder,
)
from experiments.reach import judge_file
from experiments.tables import differences, read, write
from icgsynth.families.search.run import new_worker
from icgsynth.families.text.family_text import spans
from icgsynth.prove.recheck.drawn_members import put_constants

TABLE = Path(__file__).with_suffix(".csv")
KEY = ("first", "rule")
SAME = ("files", "constants", "wrong")
FIELDS = (
    *(*KEY, "files", "constants", "found", "inside", "theorems", "why", "judged", "wrong"),
    "seconds",
)

Row = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments lifted", description=__doc__)
    parser.add_argument("--pddl", type=Path, required=True, metavar="DIR", help="the files")
    parser.add_argument("--only", metavar="FOLDER", action="append", help="below DIR; may repeat")
    parser.add_argument("--timeout", type=float, default=8.0, help="seconds for each family")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for row in _rows(options.pddl, options.only, options.timeout):
        rows.append(row)
        print("{files:>4} {inside:>4} {seconds:>6} s  {first}  {constants}".format(**row))
        print("          " + (row["theorems"] or row["why"]), flush=True)
    _summary(rows)
    wrong = sum(int(row["wrong"] or 0) for row in rows)
    if options.table or options.update:
        kept = read(TABLE) if options.update and options.only else []
        merged = {tuple(row[field] for field in KEY): row for row in (*kept, *rows)}
        write(options.table or TABLE, FIELDS, [merged[key] for key in sorted(merged)])
        return int(wrong > 0)
    found = list(differences(read(TABLE), rows, KEY, SAME, whole=options.only is None))
    print(*found, sep="\n")
    return int(wrong > 0 or bool(found))


def _rows(folder: Path, only: Sequence[str] | None, seconds: float) -> Iterator[Row]:
    games, unread = read_folder(str(folder))
    for name, why in unread.items():
        print(f"{name}: {why}")
    chosen = {n: g for n, g in games.items() if only is None or Path(n).parts[0] in only}
    with new_worker() as worker:
        for family in lifted(chosen.items()):
            budget = seconds + len(family.members)
            yield _row(folder, prove_lifted(family, "normal", budget, worker))


def _row(folder: Path, result: LiftedResult) -> Row:
    family = result.family
    judged = [each for theorem in result.theorems for each in _judged(folder, result, theorem)]
    found = "part" if result.outside else "all"
    return {
        "first": next(iter(family.members)),
        "rule": result.rule,
        "files": str(len(family.members)),
        "constants": "; ".join(
            f"{name} = {spans(family.values(name))}" for name in family.constants
        ),
        "found": found if result.theorems else "none",
        "inside": str(len(result.inside)),
        "theorems": " | ".join(map(_said, result.theorems)),
        "why": result.why,
        "judged": str(sum(states for states, _ in judged)) if judged else "",
        "wrong": str(sum(wrong != "" for _, wrong in judged)) if judged else "",
        "seconds": f"{result.seconds:.1f}",
    }


def _said(theorem: LiftedTheorem) -> str:
    claim = theorem.proof.claim
    held = "".join(f"{name} = {value}, " for name, value in theorem.fixed.items())
    return f"{held}every {claim.where}: {claim.losing}"


def _judged(
    folder: Path, result: LiftedResult, theorem: LiftedTheorem
) -> Iterator[tuple[int, str]]:
    """Yield for each file of the theorem the number of states compared, and the fault."""
    claim = theorem.proof.claim
    for name in theorem.files:
        values = result.family.members[name]
        own = {constant: values[constant] for constant in claim.constants}
        member = put_constants(claim.solution, (), own).solution
        record = {
            "file": str(folder / name),
            "rule": result.rule,
            "status": "solved",
            "strategy": len(claim.strategy),
            "solution": member.to_json(),
        }
        [said] = judge_file([record])
        if said.wrong or said.skipped:
            print(f"{name}: {said.wrong or said.skipped}")
        yield said.states, said.wrong or said.skipped


def _summary(rows: Sequence[Mapping[str, str]]) -> None:
    families = [row for row in rows if row["constants"]]
    proved = [row for row in families if row["found"] != "none"]
    files, inside = (sum(int(row[key]) for row in families) for key in ("files", "inside"))
    whole = sum(row["found"] == "all" for row in proved)
    wrong = sum(int(row["wrong"] or 0) for row in proved)
    states = sum(int(row["judged"] or 0) for row in proved)
    print(f"\n{len(families)} families of {files} files, {len(rows) - len(families)} files alone")
    print(f"theorems for {len(proved)} families, of which {whole} have all their files inside")
    print(f"{inside} files inside; {wrong} wrong at {states:,} states by the judge")

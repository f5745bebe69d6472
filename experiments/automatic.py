"""Games whose losing states are automatic: what is solved and proved, how fast, and is it right?

``python -m experiments automatic`` solves each game of the list of issue 4, each in a process of
its own, beside the figures of the prototype (``notes/automatic.md``).  Every answer is compared
on a box with the losing states as the literature gives them, or with brute force: an answer that
differs anywhere is wrong.  ``--variants`` does the same with the variants of the prior art
(``automatic_variants``), ``--pddl DIR`` solves the public benchmark with what ``reach`` uses and
lists by which logic, and what became of the families with irrational slopes.

The exit code is 1 where a figure misses its bound, an answer is wrong, or one differs from the
committed table; ``--update`` rewrites the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments import automatic_variants as prior
from experiments import reach
from experiments.automatic_answers import Answer, Solved, brute_force, compared, solve
from experiments.automatic_known import Figure, figures
from experiments.automatic_variants import unsaid_row, variant_line, variant_row, variants
from experiments.measure import ROOT
from experiments.tables import differences, read, write
from icgsynth import load
from icgsynth.spec.catalog import resolve
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source

FIGURES = Path(__file__).with_suffix(".csv")
VARIANTS = Path(__file__).with_name("automatic_variants.csv")
FAMILIES = Path(__file__).with_name("automatic_families.csv")
RESULTS = ROOT / "build" / "automatic.jsonl"

PROOF = 0.5  # seconds that a proof may take
GOAL = 97.0  # percent of the benchmark, solved and proved
REACH_SECONDS = 30.0
IRRATIONAL = (
    "wythoff",
    "l-wythoffff-game",
    "wythoff-game-with-a-function-f",
    "1st-l-m-restricted-wythoff",
    "3rd-l-m-restricted-wythoff",
)

Row = dict[str, str]

# --- the table of the figures ------------------------------------------------------------------

KEY = ("game", "rule")
SAME = ("game", "rule", "status", "logic", "states", "losing", "strategy", "wrong")
NOTES = ("notes_system", "notes_states", "notes_prove", "notes_seconds")
FIELDS = (*SAME, "compared", "seconds", "bound", "prove", *NOTES, "verdict")


def figure_row(figure: Figure, solved: Solved, counts: tuple[int, int]) -> Row:
    """A cell for each of :data:`FIELDS`; ``counts`` are of states compared and wrong."""
    number, wrong = counts
    return {
        "game": figure.case.name,
        "rule": figure.rule,
        "status": solved.status,
        "logic": solved.logic,
        "states": solved.states,
        "losing": solved.formula,
        "strategy": solved.strategy,
        "wrong": str(wrong),
        "compared": str(number),
        "seconds": f"{solved.wall:.2f}",
        "bound": "" if figure.bound is None else f"{figure.bound:g}",
        "prove": f"{solved.prove:.3f}",
        **dict(zip(NOTES, figure.notes, strict=True)),
        "verdict": ", ".join(misses(figure, solved, counts)) or "OK",
    }


def misses(figure: Figure, solved: Solved, counts: tuple[int, int]) -> Iterator[str]:
    """What is amiss: nothing where the figure is met."""
    number, wrong = counts
    if solved.status != "solved":
        yield "MISS: not solved"
    elif wrong:
        yield "MISS: wrong"
    elif not number:
        yield "MISS: nothing to compare"
    if figure.bound is not None:
        if solved.wall >= figure.bound:
            yield f"MISS: {figure.bound:g} s"
        if solved.prove >= PROOF:
            yield f"MISS: proof {PROOF:g} s"


def _figures(options: argparse.Namespace) -> int:
    chosen = [f for f in figures() if options.only in (None, f.game)]
    rows = []
    for figure in chosen:
        solved = solve(figure.case, options.timeout, options.runs)
        game = load(figure.game, dict(figure.constants)).game
        counts = compared(solved.answer, game, figure.loses, figure.side)
        rows.append(figure_row(figure, solved, counts))
        print(figure_line(rows[-1], solved.reason), flush=True)
    failures = sum(row["verdict"] != "OK" for row in rows)
    wrong = sum(row["wrong"] != "0" for row in rows)
    print(f"\n{len(rows) - failures} of {len(rows)} figures met, {wrong} answers wrong")
    return failures + _kept(FIGURES, FIELDS, rows, options)


def figure_line(row: Row, reason: str = "") -> str:
    """The row as it is printed, with the prototype's figures in a second line."""
    bound = f" < {row['bound']}" if row["bound"] else ""
    answer = row["losing"] or reason or "no short formula"
    first = (
        f"{row['game']:<22} {row['rule']:<7} {row['status']:<8} {row['logic'] or '-':<12} "
        f"{row['states'] or '-':>4} states  {row['seconds']:>6}{bound} s  "
        f"proof {row['prove']} s  strategy: {row['strategy'] or 'none'}  "
        f"wrong {row['wrong']} of {row['compared']}  {row['verdict']}"
    )
    notes = [row[name] for name in NOTES]
    if not any(notes):
        return f"{first}\n{'':<22} {answer}"
    system, states, proof, total = notes
    measured = f"prototype: {system}, {states} states, proof {proof}, {total}"
    return f"{first}\n{'':<22} {answer}\n{'':<22} {measured}"


# --- the variants ------------------------------------------------------------------------------

SIDES = {1: 100, 2: 12, 3: 5, 4: 3}  # of the boxes that brute force covers, by variables
_SMALLEST = 1


def _variants(options: argparse.Namespace) -> int:
    rows = []
    for variant in variants():
        if options.only not in (None, variant.game):
            continue
        if variant.unsaid:
            rows.append(unsaid_row(variant))
            print(variant_line(rows[-1]), flush=True)
        for case in variant.cases():
            solved = solve(case, options.timeout, options.runs)
            source = Source.read(resolve(case.spec))
            game = load_spec(source, dict(case.constants), blocking=True)
            side = SIDES.get(len(game.variables), _SMALLEST)
            counts = compared(solved.answer, game, brute_force(game, case.rule), side)
            rows.append(variant_row(variant, case.rule, solved, counts))
            print(variant_line(rows[-1]), flush=True)
    outcomes = Counter(row["outcome"] for row in rows)
    print("\n" + ", ".join(f"{outcome}: {number}" for outcome, number in outcomes.most_common()))
    failures = outcomes["wrong"] + outcomes["failed"]
    return failures + _kept(VARIANTS, prior.FIELDS, rows, options)


# --- the benchmark -----------------------------------------------------------------------------

FAMILY_FIELDS = ("family", "pairs", "solved", "logics", "endless", "not_found")


def _benchmark(options: argparse.Namespace) -> int:
    """Sweep and judge as ``reach`` does, then count by logic."""
    limits = [f"--timeout={REACH_SECONDS:g}", f"--jobs={options.jobs}", f"--results={RESULTS}"]
    code = reach.main(["--pddl", str(options.pddl), *limits])
    if code > 1 or not RESULTS.exists():
        return code
    records = read_records(RESULTS, options.pddl)
    print()
    for line in logic_lines(records):
        print(line)
    print()
    rows = family_rows(records)
    for row in rows:
        print(family_line(row))
    for record in records:
        if record["family"] in IRRATIONAL and record["status"] not in ("solved", "endless"):
            print(f"not found: {record['file']} ({record['rule']}): {_why(record)}")
    if options.update or options.table:
        write(options.table or FAMILIES, FAMILY_FIELDS, rows)
    return code or int(solved_percent(records) < GOAL)


def read_records(results: Path, folder: Path) -> list[Answer]:
    """The last record of each pair of a file below ``folder``."""
    files = {str(path) for path in folder.rglob("*.pddl")}
    found: dict[tuple[str, str], Answer] = {}
    for line in results.read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["file"] in files:
            found[record["file"], record["rule"]] = record
    return [found[key] for key in sorted(found)]


def solved_percent(records: Sequence[Answer]) -> float:
    """Of all pairs, those of endless games too."""
    solved = [record for record in records if record["status"] == "solved"]
    return 100 * len(solved) / max(len(records), 1)


def logic_lines(records: Sequence[Answer]) -> Iterator[str]:
    """How much each logic solves and proves, and the sum against the goal."""
    logics = Counter(r["logic"] for r in records if r["status"] == "solved")
    whole = max(len(records), 1)
    yield f"solved and proved, of {len(records):,} pairs"
    for logic, number in logics.most_common():
        yield f"  {logic:<16} {number:>6,}  {100 * number / whole:5.1f} %"
    percent = solved_percent(records)
    verdict = f"goal >= {GOAL:g} %  {'met' if percent >= GOAL else 'MISSED'}"
    yield f"  {'all':<16} {sum(logics.values()):>6,}  {percent:5.1f} %   {verdict}"


def family_rows(records: Sequence[Answer]) -> list[Row]:
    """For each family with irrational slopes: solved in which logic, or not found."""
    rows = []
    for family in IRRATIONAL:
        own = [r for r in records if r["family"] == family]
        logics = Counter(r["logic"] for r in own if r["status"] == "solved")
        endless = sum(r["status"] == "endless" for r in own)
        rows.append(
            {
                "family": family,
                "pairs": str(len(own)),
                "solved": str(sum(logics.values())),
                "logics": ", ".join(f"{name} {n}" for name, n in logics.most_common()),
                "endless": str(endless),
                "not_found": str(len(own) - sum(logics.values()) - endless),
            }
        )
    return rows


def family_line(row: Row) -> str:
    """The row as it is printed."""
    return (
        f"{row['family']:<32} {row['pairs']:>5} pairs  {row['solved']:>5} solved  "
        f"{row['endless']:>3} endless  {row['not_found']:>3} not found   {row['logics'] or '-'}"
    )


def _why(record: Answer) -> str:
    return str(record["reason"] or "no reason was given").partition("\n")[0]


# --- the committed tables ----------------------------------------------------------------------


def _kept(path: Path, fields: Sequence[str], rows: list[Row], options: argparse.Namespace) -> int:
    """Write the table, or count how the answers differ from it; times may differ."""
    if options.table:
        write(options.table, fields, rows)
        return 0
    if options.update:
        write(path, fields, rows)
        return 0
    if not path.exists():
        print(f"{path.name} is missing: run with --update")
        return 0 if options.only else 1
    same = SAME if path == FIGURES else prior.SAME
    found = list(differences(read(path), rows, KEY, same, whole=options.only is None))
    print("\n".join(found) or f"all answers as in {path.name}")
    return len(found)


# --- the command -------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for; the exit code is 1 where something is amiss."""
    options = _options(arguments)
    if options.pddl:
        return _benchmark(options)
    return int(bool(_variants(options) if options.variants else _figures(options)))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments automatic")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each game (60)")
    parser.add_argument("--runs", type=int, default=1, help="runs, of which the median counts (1)")
    parser.add_argument("--only", metavar="NAME", help="only the rows of this game")
    parser.add_argument("--update", action="store_true", help="rewrite the table")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--variants", action="store_true", help="the variants of the prior art")
    parser.add_argument("--pddl", type=Path, metavar="DIR", help="the benchmark, 30 s for a pair")
    parser.add_argument("--jobs", type=int, default=2, help="of --pddl (2)")
    options = parser.parse_args(arguments)
    if options.update and options.only:
        parser.error("--update is for all rows, without --only")
    names = {v.game for v in variants()} if options.variants else {f.game for f in figures()}
    if options.only and options.only not in names:
        parser.error(f"--only takes one of {', '.join(sorted(names))}")
    if options.runs < 1 or options.jobs < 1:
        parser.error("--runs and --jobs are 1 or more")
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

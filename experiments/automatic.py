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
import csv
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from experiments import automatic_variants as prior
from experiments import reach
from experiments.automatic_known import Figure, Loses, figures
from experiments.automatic_variants import unsaid_row, variant_line, variant_row, variants
from experiments.measure import OURS, ROOT, Case
from icgsynth import load
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse_formula

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

Answer = Mapping[str, Any]
Row = dict[str, str]

# --- is an answer right? -----------------------------------------------------------------------


def box(game: ParametricGame, side: int) -> Iterator[State]:
    """The legal states without negative numbers up to ``side``."""
    return filter(game.is_legal, product(range(side + 1), repeat=len(game.variables)))


def brute_force(game: ParametricGame, rule: str) -> Loses:
    """Losing states by recursion over the moves of the rules; for small states."""

    @cache
    def loses(*state: int) -> bool:
        after = {game.result(state, move) for move in game.moves(state)}
        if not after:
            return rule == "normal"
        return not any(loses(*each) for each in after)

    return loses


def answered(answer: Answer, game: ParametricGame) -> list[Loses]:
    """The losing states of an answer: of its automaton and of its formula, if it has them."""
    said: list[Loses] = []
    sets: dict[str, Automaton] = {}
    if answer.get("automaton"):
        automaton = sets["L"] = Automaton.of_json(answer["automaton"])
        order = [game.variables.index(track) for track in automaton.tracks]
        said.append(lambda *state: automaton.accepts([state[i] for i in order]))
    if text := _formula(answer):
        system = numeration(answer["logic"]) if sets else None
        formula = parse_formula(text, game.variables, system=system, sets=sets)
        said.append(lambda *state: satisfies(formula, game.env(state)))
    return said


def _formula(answer: Answer) -> str:
    return str((answer.get("losing") or {}).get("formula") or "")


def compared(answer: Answer, game: ParametricGame, loses: Loses, side: int) -> tuple[int, int]:
    """How many states of the box were compared, and how many differ; (0, 0) without an answer.

    An answer that cannot be read counts as none.
    """
    try:
        said = answered(answer, game)
    except (KeyError, ValueError, InputError) as error:
        print(f"{game.name}: the answer cannot be read: {error}", file=sys.stderr)
        said = []
    if not said:
        return 0, 0
    differ = [any(one(*state) != loses(*state) for one in said) for state in box(game, side)]
    return len(differ), sum(differ)


# --- runs --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Solved:
    """What ``icgsynth solve`` says: the last answer, the medians of the seconds."""

    answer: Answer
    wall: float
    prove: float

    @property
    def status(self) -> str:
        return str(self.answer["status"])

    @property
    def logic(self) -> str:
        """Of an answer, proved or not."""
        found = self.answer.get("automaton") or self.formula
        return str(self.answer.get("logic", "")) if found else ""

    @property
    def states(self) -> str:
        """How many states the automaton has."""
        automaton = self.answer.get("automaton")
        return str(len(automaton["transitions"])) if automaton else ""

    @property
    def formula(self) -> str:
        return _formula(self.answer)

    @property
    def strategy(self) -> str:
        """Whether the moves are terms, or a proved automaton without terms."""
        if self.answer.get("strategy"):
            return "terms"
        proved = self.answer.get("proof", {}).get("strategy") == "proved"
        return "automaton" if proved and self.answer.get("automaton") else ""

    @property
    def reason(self) -> str:
        """Why there is no proved answer: the first note."""
        notes = self.answer.get("notes") or ["no reason was given"]
        return "" if self.status == "solved" else str(notes[0]).partition("\n")[0]


def solve(case: Case, timeout: float, runs: int = 1) -> Solved:
    """Run the command ``runs`` times; a run without an answer is not repeated."""
    done = [_run(case, timeout)]
    while len(done) < runs and done[0][0]["status"] == "solved":
        done.append(_run(case, timeout))
    answers, walls = [answer for answer, _ in done], [wall for _, wall in done]
    proofs = [answer.get("seconds", {}).get("prove", 0.0) for answer in answers]
    return Solved(answers[-1], statistics.median(walls), statistics.median(proofs))


def _run(case: Case, timeout: float) -> tuple[Answer, float]:
    command = case.command(OURS, timeout)
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=timeout + 10
        )
        output, errors = done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        output, errors = "", f"it did not end within {timeout:g} s"
    wall = time.perf_counter() - start
    try:
        answer: Answer = json.loads(output)
    except ValueError:
        last = (errors.strip() or "no answer").splitlines()[-1]
        answer = {"status": "failed", "notes": [last[:200]]}
    return answer, wall


# --- the table of the figures ------------------------------------------------------------------

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
            game = load(case.spec, dict(case.constants)).game
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
    if options.update:
        _write(FAMILIES, FAMILY_FIELDS, rows)
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
    if options.update:
        _write(path, fields, rows)
        return 0
    if not path.exists():
        print(f"{path.name} is missing: run with --update")
        return 0 if options.only else 1
    with path.open(newline="", encoding="utf-8") as stream:
        committed = list(csv.DictReader(stream))
    same = SAME if path == FIGURES else prior.SAME
    found = list(differences(committed, rows, same, whole=options.only is None))
    print("\n".join(found) or f"all answers as in {path.name}")
    return len(found)


def differences(
    committed: Iterable[Row], rows: Iterable[Row], same: Sequence[str], whole: bool
) -> Iterator[str]:
    """How ``rows`` differ from the committed ones, of which they are all if ``whole``."""
    before = {(row["game"], row["rule"]): row for row in committed}
    for row in rows:
        key = (row["game"], row["rule"])
        old = before.pop(key, None)
        name = " ".join(key).strip()
        if old is None:
            yield f"{name}: a new row"
            continue
        for field in same:
            if old[field] != row[field]:
                yield f"{name}: {field} was {old[field]!r}, is {row[field]!r}"
    if whole:
        for key in before:
            yield f"{' '.join(key).strip()}: no such row now"


def _write(path: Path, fields: Sequence[str], rows: Iterable[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"written: {path.name}")


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

"""How far icgsynth reaches on the benchmark of the field, every answer judged by a referee.

``python -m experiments reach --pddl DIR`` solves all PDDL files below DIR under both rules with
``icgsynth sweep``, so a run that was stopped goes on with the same command.  Then every answer is
compared with brute force on a small box by :mod:`experiments.judge`, which reads the file by
itself, and a table by family is printed with the goals.  The exit code is 1 where an answer is
wrong.

What is judged is the Python module that ``icgsynth export --to python`` makes of the answer.
Where the box says who wins, ``is_winning`` has to say so; where the answer is called solved, play
in the box must not come back to a state, ``move`` has to name a legal move that does not lead to a
winning state, or None where none wins, and ``result`` has to make that move as the rules do.  Of an
answer with drawn states the three formulas and the moves are judged instead.  That a game is
endless is confirmed where play in the box comes back to a state.

``--update`` rewrites ``reach.csv``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from experiments.judge.claims import Answer, FalseClaim, labels, module_fault, wrong_at
from experiments.judge.graph import Graph, box, endless, explored, outcomes
from experiments.judge.meaning import Undecided
from experiments.judge.pddl import read_pddl
from experiments.judge.play import Play
from experiments.judge.reading import Unreadable
from experiments.measure import ROOT
from experiments.reach_table import FIELDS, TOTAL, Group, Pair, goals, group_named, groups, table
from experiments.tables import write
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

TABLE = Path(__file__).with_suffix(".csv")
RESULTS = ROOT / "build" / "reach.jsonl"
RULES = 2
Record = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Sweep, judge, print; the exit code is 1 where an answer is wrong."""
    options = _options(arguments)
    files = chosen_files(options.pddl, options.sample, options.seed)
    if not files:
        print(f"no .pddl file below {options.pddl}", file=sys.stderr)
        return 2
    code = _sweep(files, options)
    if code:
        return code
    records = list(_records(options.results, files))
    judgements = _judged(records, options.jobs)
    wrong = {(each.file, each.rule): each.wrong for each in judgements}
    pairs = [Pair.of(record, wrong.get((record["file"], record["rule"]), "")) for record in records]
    listed = groups(pairs)
    _print(listed, judgements)
    if options.list:
        _print_unsolved(pairs)
    if options.update or options.table:
        write(options.table or TABLE, FIELDS, [group.row() for group in listed])
    faults = [each for each in judgements if each.wrong]
    for each in faults:
        print(f"WRONG {each.file} ({each.rule}): {each.wrong}")
    return 1 if faults else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments reach")
    parser.add_argument("--pddl", type=Path, required=True, metavar="DIR", help="the benchmark")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each pair (10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help=f"({RESULTS.name} in build)"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="only N files, chosen at random")
    parser.add_argument("--seed", type=int, default=0, help="of that choice (0)")
    parser.add_argument("--list", action="store_true", help="name the pairs that are not solved")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help=f"rewrite {TABLE.name}")
    options = parser.parse_args(arguments)
    if options.update and options.sample is not None:
        parser.error("--update is for the whole benchmark, without --sample")
    if options.jobs < 1 or (options.sample is not None and options.sample < 1):
        parser.error("--jobs and --sample are 1 or more")
    return options


def chosen_files(folder: Path, sample: int | None, seed: int) -> list[str]:
    """The files by the names that the sweep gets; a sample is the same in any order of the disk."""
    files = sorted(str(path) for path in folder.rglob("*.pddl") if path.is_file())
    if sample is None or sample >= len(files):
        return files
    return sorted(random.Random(seed).sample(files, sample))


# --- the sweep -------------------------------------------------------------------------------


def _sweep(files: Sequence[str], options: argparse.Namespace) -> int:
    """Run the command on what is not in the results yet; its progress is seen, not its table."""
    options.results.parent.mkdir(parents=True, exist_ok=True)
    limits = [f"--timeout={options.timeout:g}", f"--jobs={options.jobs}"]
    command = [sys.executable, "-m", "icgsynth", "sweep", *limits, "-o", str(options.results)]
    # "--": a name may begin with a dash.
    done = subprocess.run([*command, "--", *files], stdout=subprocess.DEVNULL, check=False)
    return done.returncode


def _records(results: Path, files: Sequence[str]) -> Iterator[Record]:
    """The records of these files as they are now, each pair once, in the order of the files."""
    hashes = {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}
    found: dict[tuple[str, str], Record] = {}
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if hashes.get(record["file"]) == record["sha256"]:
                found[record["file"], record["rule"]] = record
    if len(found) != RULES * len(files):
        raise SystemExit(f"{results}: {len(found)} pairs, not {RULES * len(files)}")
    for key in sorted(found):
        yield found[key]


# --- the judge -------------------------------------------------------------------------------

_JUDGED = ("solved", "conditional", "endless")
_CELLS = 1000  # of the box that is labelled
_MOVES = 2_000  # of an action at a state of the box


@dataclass(frozen=True, slots=True)
class Judgement:
    """``states`` were compared; ``wrong`` says what is wrong, ``skipped`` why nothing was judged.

    Both are empty where the answer stands, or where it is that the game is endless and the box
    confirms it.
    """

    file: str
    rule: str
    status: str
    states: int = 0
    wrong: str = ""
    skipped: str = ""


def judge_file(records: Iterable[Record]) -> list[Judgement]:
    """The judgements of the answers among the records of one file, whose moves are listed once."""
    answers = [record for record in records if record["status"] in _JUDGED]
    if not answers:
        return []
    try:
        play = Play(read_pddl(Path(answers[0]["file"]).read_text(encoding="utf-8")))
        graph = explored(play, box(play, _CELLS), _MOVES, random.Random(0))
    except (OSError, UnicodeDecodeError, Unreadable, Undecided, RecursionError) as error:
        return [replace(_blank(each), skipped=f"{error}") for each in answers]
    return [judge(play, graph, record) for record in answers]


def judge(play: Play, graph: Graph, record: Record) -> Judgement:
    """The judgement of one answer."""
    blank = _blank(record)
    if record["status"] == "endless":
        unseen = "play does not come back to a state in the box"
        return replace(blank, skipped="" if endless(graph) else unseen)
    try:
        states, wrong = _compared(play, graph, record)
    except Refused as refused:
        return replace(blank, skipped=str(refused))
    except Exception as error:
        return replace(blank, wrong=f"the answer cannot be asked: {error!r}")
    return replace(blank, states=states, wrong=wrong)


def _blank(record: Record) -> Judgement:
    return Judgement(record["file"], record["rule"], record["status"])


def _compared(play: Play, graph: Graph, record: Record) -> tuple[int, str]:
    """How many states have a label by brute force, and what is wrong; empty where nothing is."""
    data, is_solved = record["solution"], record["status"] == "solved"
    if "drawn" in data:
        answer = Answer.of_json(data, ("winning", "strategy"))
        return _drawn(play, graph, answer)
    module: dict[str, Any] = {"__name__": "answer"}
    solution = read_solution(Source(record["file"], json.dumps(data)))
    exec(compile(export(solution, "python"), "answer", "exec"), module)
    if tuple(module["VARIABLES"]) != play.rules.variables:
        return 0, f"the variables are {play.rules.variables}, not {module['VARIABLES']}"
    known = outcomes(graph, record["rule"], play.rules.block)
    known = {state: side for state, side in known.items() if side != "drawn"}
    start = endless(graph)
    if is_solved and start is not None:
        return len(known), f"play from {start} may never end"
    with_moves = is_solved and record["strategy"] > 0
    faults = (
        module_fault(module, play, state, known.get, with_moves) for state in box(play, _CELLS)
    )
    return len(known), next(filter(None, faults), "")


def _drawn(play: Play, graph: Graph, answer: Answer) -> tuple[int, str]:
    known = labels(graph, play, answer)
    try:
        for state, moves in graph.moves.items():
            wrong_at(play, answer, state, random.Random(0), moves, known)
    except FalseClaim as wrong:
        return len(known), str(wrong)
    return len(known), ""


def _judged(records: Sequence[Record], jobs: int) -> list[Judgement]:
    """The judgements of all answers; a process takes the records of a file at a time."""
    by_file: dict[str, list[Record]] = {}
    for record in records:
        by_file.setdefault(record["file"], []).append(record)
    found: list[Judgement] = []
    with ExitStack() as stack:
        judged: Iterable[list[Judgement]] = map(judge_file, by_file.values())
        if jobs > 1:
            pool = stack.enter_context(get_context("spawn").Pool(jobs))
            judged = pool.imap_unordered(judge_file, by_file.values())
        for done, each in enumerate(judged, 1):
            found += each
            _progress(done, len(by_file))
    return sorted(found, key=lambda each: (each.file, each.rule))


def _progress(done: int, number: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == number else ""
        print(f"\rjudged {done:,} of {number:,} files", end=end, file=sys.stderr, flush=True)


# --- what is printed -------------------------------------------------------------------------


def _print(listed: Sequence[Group], judgements: Sequence[Judgement]) -> None:
    print(table(listed))
    print()
    for line in goals(listed):
        print(line)
    print()
    judged = [each for each in judgements if not each.skipped]
    answers = [each for each in judged if each.status != "endless"]
    states = sum(each.states for each in answers)
    print(f"judged: {len(answers):,} answers on {states:,} states that brute force determines")
    bare = sum(not each.states and not each.wrong for each in answers)
    if bare:
        print(f"of these, {bare:,} have no such state: nothing was compared")
    endless = group_named(listed, TOTAL).count("endless")
    if endless:
        print(f"endless: {endless:,} pairs, which are not counted as solved;", end=" ")
        print(f"{len(judged) - len(answers):,} confirmed, as play comes back to a state of the box")
    for each in judgements:
        if each.skipped:
            print(f"not judged: {each.file} ({each.rule}), {each.status}: {each.skipped}")


def _print_unsolved(pairs: Sequence[Pair]) -> None:
    print()
    for pair in pairs:
        if pair.outcome != "solved":
            print(f"{pair.outcome:<11} {pair.file} ({pair.rule}): {pair.reason}")

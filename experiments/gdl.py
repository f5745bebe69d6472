"""Read and solve games in GDL as the world writes them, and tell why others are refused.

``python -m experiments gdl --gdl DIR`` takes every ``.kif`` file of a folder, as the public base
games have them, and solves each in a process of its own, with a limit of time and memory.  Seconds
are those of the processor, of all processes that work on the game: what else the machine does
changes no result.  The files are not part of this package.  The table says how far each game came:
its rules, its ground rules, its states; who wins in how many plies; or the line of its file and the
reason why not.  A game that is solved and has at most ``--second`` states is solved again by
definition, by :mod:`experiments.judge.whole`, which shares no code with the package: the states,
the ends, the states that each role wins, the winner and the plies must agree.

A game of one role that is too large is solved by a line of play to the best goal, where one is
found in as much time again; the second reader plays it.  A game for two that is too large is solved
by a strategy from the start, where one is found in as much time again; the second reader plays it
against all replies, where it has at most ``--second`` states.  ``states`` counts what was met until
then.
``--update`` puts what was found into ``gdl.csv``, where the rows of other files stay, ``--table
FILE`` writes another table; else the committed one is compared.  ``--only NAME`` takes the files
whose names hold NAME, such as those that are given more seconds.

``--corpus NAME=DIR`` takes every file below a folder that holds rules in GDL, whatever it is
called, and counts them by result and reason; ``--update`` writes the counts into
``gdl_corpora.csv``, in which NAME says what the files are, such as a repository and its commit.

``--read`` stops after reading: the rules of a file are valid GDL, or GDL's keywords in clingo's
language under the name of GDL, or the fault has a line; the counts then say how many were read.

``--states`` limits a game by a count, which is the same on a slow machine, in a search from the
start as well.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from experiments import gdl_corpora
from experiments.judge import whole
from experiments.processor import at_most, processor_seconds
from experiments.tables import compared_rows, read, table_of, write
from icgsynth.benchmark.sweep.forked import Tell, run_forked
from icgsynth.boards.finite.arena import SYMMETRY, Arena, arena_of_board
from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.board import Board, board_of
from icgsynth.boards.finite.explore import MAX_STATES
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.proof_numbers import Plan, find_forced
from icgsynth.boards.finite.puzzle_line import find_line
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.symmetry import symmetry_of
from icgsynth.boards.rules.finite import read_finite
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.budget import Budget
from icgsynth.errors import InputError, OutOfReach, Refused
from icgsynth.process.started import MEGABYTE, Ending, kill_all
from icgsynth.spec.source import Source

COMMITTED = Path(__file__).with_suffix(".csv")
FIELDS = (
    *("file", "result", "players", "rules", "ground", "facts", "states", "stored"),
    *("winner", "plies", "line", "why", "seconds", "megabytes", "second"),
)
AGREES, NOT_ASKED = "agrees", "not asked"
BY_LINE, FROM_START = "by a line", "from the start"
_BUSY = 30.0  # seconds on the clock for one of the processor, on a machine with much other work
_SECOND = 1_800.0  # seconds for the second reader, which is a thousand times as slow
_LINE = re.compile(r"\bline (\d+)")


def main(arguments: Sequence[str]) -> int:
    """Run the experiment; 1 where the table differs, or a process crashed."""
    options = _options(arguments)
    if options.corpus:
        return _corpus(options)
    files = [path for path in sorted(options.gdl.glob("*.kif")) if options.only in path.name]
    if not files:
        print(f"no .kif file in {options.gdl}", file=sys.stderr)
        return 2
    made = []
    for path in files:
        made.append(row(path, *_limits(options)))
        print("  ".join(value for value in made[-1].values() if value), flush=True)
    results = Counter(each["result"] for each in made)
    print(", ".join(f"{count} {result}" for result, count in sorted(results.items())))
    names = {each["file"] for each in made}
    if options.update or options.table:
        kept = [each for each in read(COMMITTED) if options.update and each["file"] not in names]
        rows = sorted((*kept, *made), key=lambda each: each["file"])
        write(options.table or COMMITTED, FIELDS, rows)
        return int("crashed" in results)
    committed = [each for each in read(COMMITTED) if each["file"] in names or not options.only]
    differing = compared_rows(table_of("gdl"), committed, made)
    print("\n".join(differing) or f"as in {COMMITTED.name}")
    return int("crashed" in results or bool(differing))


def _corpus(options: argparse.Namespace) -> int:
    """Count what becomes of the files of a collection; 1 where a process crashed."""
    name, _, place = options.corpus.rpartition("=")
    folder = Path(place)
    name, made = name or folder.name, []
    for path in gdl_corpora.games(folder):
        file = path.relative_to(folder).as_posix()
        if options.only in file:
            told = read_row(path) if options.read else row(path, *_limits(options))
            made.append((file, told))
            shown = (told["result"], file, *map(told.get, ("line", "why", "seconds", "second")))
            print("  ".join(value for value in shown if value), flush=True)
    if not made:
        print(f"no file of rules in GDL below {folder}", file=sys.stderr)
        return 2
    rows = gdl_corpora.counted(name, made)
    for each in rows:
        print("{files:>5}  {result:<10} {reason}".format(**each))
    if options.update:
        gdl_corpora.kept(name, rows)
    return int(any(each["result"] == "crashed" for each in rows))


def _limits(options: argparse.Namespace) -> tuple[float, int, int, int]:
    return options.seconds, options.megabytes, options.second, options.states


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments gdl")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--gdl", type=Path, metavar="DIR", help="the .kif files")
    what.add_argument("--corpus", metavar="NAME=DIR", help="a collection, told by content")
    parser.add_argument("--read", action="store_true", help="do not solve them (with --corpus)")
    parser.add_argument("--only", default="", metavar="NAME", help="files whose names hold NAME")
    parser.add_argument("--seconds", type=float, default=20, help="of the processor (20)")
    parser.add_argument("--megabytes", type=int, default=6_000, help="for a game (6,000)")
    parser.add_argument("--states", type=int, default=MAX_STATES, help=f"({MAX_STATES:,})")
    parser.add_argument(
        "--second",
        type=int,
        default=20_000,
        metavar="N",
        help="states of games solved twice (20,000; 0: not even a line is played again)",
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help=f"put them into {COMMITTED.name}")
    return parser.parse_args(arguments)


def read_row(path: Path) -> dict[str, str]:
    """The row of one file of which the rules are read and no more."""
    found = {"file": path.stem, "result": "read", "line": "", "why": "", "second": NOT_ASKED}
    try:
        read_finite(Source.read(path, path.name))
    except InputError as fault:
        line = "" if fault.span is None else str(fault.span.line)
        found |= {"result": "faulty", "line": line, "why": fault.message}
    return found


def row(
    path: Path, seconds: float, megabytes: int, second: int = 0, states: int = MAX_STATES
) -> dict[str, str]:
    """The row of one file, of ``states`` at most; the second reader is asked up to ``second``."""

    def work(tell: Tell) -> None:
        steps = WorkSteps(path.stem)

        def say(told: dict[str, Any]) -> None:
            tell(json.dumps(told | {"seconds": f"{processor_seconds():.1f}"}).encode())

        def give_up() -> None:
            say({"result": "too large", "why": _spent(steps, seconds)})
            kill_all()
            os._exit(0)

        with at_most(seconds, give_up):
            for told in _told(path, states, steps):
                say(told)

    ending = run_forked(work, seconds * _BUSY, megabytes * MEGABYTE)
    found: dict[str, Any] = {"file": path.stem, "result": "", "seconds": f"{ending.seconds:.1f}"}
    for line in ending.told:
        found |= json.loads(line)
        if found["result"]:  # what is said after it, because the time is over, comes too late
            break
    else:
        found |= _unfinished(ending, seconds, megabytes)
    found["megabytes"] = f"{ending.megabytes:.0f}"
    if found["result"] == "too large" and found.get("players") in (1, 2):
        found |= _by_play(path, (seconds, megabytes, second, states))
    found["second"] = NOT_ASKED
    if found["result"] == BY_LINE and second:
        found["second"] = _replay(path, *found["told"])
    elif found["result"] == FROM_START and found["told"]:
        found["second"] = _follow(path, found["told"])
    elif found["result"] == "solved" and found["states"] <= second:
        found["second"] = _second(path, found["told"])
    return {field: str(found.get(field, "")) for field in FIELDS}


def _unfinished(ending: Ending, seconds: float, megabytes: int) -> dict[str, str]:
    """What became of a game whose process said no result."""
    if ending.killed:
        return {"result": "too large", "why": f"more than {seconds * _BUSY:g} s on the clock"}
    if ending.lacked_memory(megabytes * MEGABYTE):
        return {"result": "too large", "why": f"more than {megabytes:,} MB"}
    return {"result": "crashed", "why": f"{ending.how}: {ending.last_words}"}


def _spent(steps: WorkSteps, seconds: float) -> str:
    """Why a game is not solved in ``seconds``: the step that took most of them."""
    most = max(steps.steps, key=lambda step: step.seconds, default=None)
    name, counted = ("reading", "") if most is None else (most.name, most.counted())
    reached = f"; it reached {counted}" if counted else ""
    return f"{steps.game}: {name} took most of {seconds:g} s of the processor{reached}"


def _told(path: Path, states: int, steps: WorkSteps) -> Iterator[dict[str, Any]]:
    """What is known after each step; the last says the result."""
    try:
        book = parse_gdl(Source.read(path, path.name))
        yield {"rules": len(book.rules)}
        rules = ground(book, seconds=inf, steps=steps)
        yield {"ground": len(rules.rules), "players": len(rules.roles)}
        steps.begin("compiling")
        board = board_of(rules)
        yield {"facts": len(board.facts)}
        yield _solved(arena_of_board(board, max_states=states, steps=steps))
    except InputError as fault:
        line = "" if fault.span is None else fault.span.line
        yield {"result": "faulty", "line": line, "why": fault.message}
    except Refused as refused:
        place = _LINE.search(str(refused))
        result = "too large" if isinstance(refused, OutOfReach) else "refused"
        yield {
            "result": result,
            "line": place[1] if place else "",
            "why": str(refused).partition("\n")[0],
        }


def _by_play(path: Path, limits: tuple[float, int, int, int]) -> dict[str, Any]:
    """What play from the start shows of a game that is too large; nothing where it shows nothing.

    The ``limits`` are seconds, megabytes, states that the second reader is asked for, and states.
    """
    seconds, megabytes, second, states = limits

    def work(tell: Tell) -> None:
        try:
            board = board_of(ground(parse_gdl(Source.read(path, path.name)), seconds=inf))
            alone, budget = len(board.roles) == 1, Budget(inf, work=seconds)
            said = _line(board, budget) if alone else _forced(board, budget, second, states)
            tell(json.dumps(said).encode())
        except OutOfReach:
            return
        except Refused as refused:
            place = _LINE.search(str(refused))
            why = str(refused).partition("\n")[0]
            fault = {"result": "refused", "line": place[1] if place else "", "why": why}
            tell(json.dumps(fault).encode())

    ending = run_forked(work, seconds * _BUSY, megabytes * MEGABYTE)
    told: dict[str, Any] = json.loads(ending.told[-1]) if ending.told else {}
    return told


def _line(board: Board, budget: Budget) -> dict[str, Any]:
    """What a line to the best goal shows of a game of one role."""
    if (found := find_line(board, budget=budget)) is None:
        return {}
    line = [list(found.actions), found.goal]
    winner = board.roles[0] if found.goal else "nobody"
    said = {"winner": winner, "plies": len(found.actions), "states": found.states}
    return {"result": BY_LINE, "why": "", "told": line} | said


def _forced(board: Board, budget: Budget, second: int, states: int) -> dict[str, Any]:
    """What strategies from the start show of a game for two; OutOfReach where there are none.

    They are told with the rest where they have at most ``second`` states.
    """
    found = find_forced(board, symmetry_of(board, seconds=SYMMETRY), states, budget)
    plans = [plan for plan in found.plans if plan is not None]
    one, two = found.goals
    told = [[board.roles[p.role], found.goals[p.role], _listed(board, p)] for p in plans]
    return {
        "result": FROM_START,
        "why": "",
        "winner": "nobody" if one == two else board.roles[one < two],
        "states": found.met,
        "told": told if sum(len(plan.states) for plan in plans) <= second else [],
    }


def _listed(board: Board, plan: Plan) -> list[list[Any]]:
    """The facts of each state in which the role of a plan chooses, and what it does there."""
    rows = zip(plan.states, plan.action.tolist(), strict=True)
    return [
        [[board.facts[i] for i in bits_of(state)], board.actions[action]]
        for state, action in rows
        if action >= 0
    ]


def _solved(arena: Arena) -> dict[str, Any]:
    sign, plies = int(arena.value[0]), int(arena.distance[0])
    states, winner = int(arena.orbit.sum()), "nobody" if not sign else arena.roles[sign < 0]
    sides = zip(arena.roles, (1, -1), strict=True)
    won = {role: int(arena.orbit[arena.value == side].sum()) for role, side in sides}
    return {
        "result": "solved",
        "states": states,
        "stored": len(arena.states),
        "winner": winner,
        "plies": "endless" if plies < 0 else plies,
        "told": [states, int(arena.orbit[arena.mover < 0].sum()), won, winner, plies],
    }


def _second(path: Path, first: list[Any]) -> str:
    """What the second reader says to what the first one told of all states."""
    second = _judged(path, lambda text: whole.told(text, first[0]))
    if isinstance(second, str):
        return second
    first[2] = {role: first[2].get(role) for role in second[2]}
    pairs = zip(whole.Told._fields, first, second, strict=True)
    differing = [f"{name} {a} and {b}" for name, a, b in pairs if a != b]
    return f"differs: {', '.join(differing)}" if differing else AGREES


def _replay(path: Path, actions: list[str], goal: int) -> str:
    """What the second reader says to a line that should lead to the best goal."""
    second = _judged(path, lambda text: whole.replayed(text, actions))
    if isinstance(second, str):
        return second
    return AGREES if second == [True, goal] else f"differs: goal {goal} and {second[1]}"


def _follow(path: Path, plans: list[Any]) -> str:
    """What the second reader says to strategies: a role, its goal, and what it does where."""
    for role, goal, listed in plans:
        plan = {frozenset(facts): action for facts, action in listed}
        second = _judged(path, partial(whole.forces, role=role, plan=plan))
        if isinstance(second, str):
            return second
        if second[1] != goal:
            return f"differs: goal {goal} of {role} and {second[1]}"
    return AGREES


def _judged(path: Path, judge: Callable[[str], object]) -> Any:
    """What ``judge`` says to the rules of a file, or a text that says why it says nothing."""

    def work(tell: Tell) -> None:
        text = path.read_text("utf-8", "replace")
        try:
            tell(json.dumps(judge(text)).encode())
        except (ValueError, KeyError) as fault:
            tell(json.dumps(f"differs: {fault}").encode())

    ending = run_forked(work, _SECOND, 8_000 * MEGABYTE)
    if not ending.told:
        return f"{NOT_ASKED}: {'late' if ending.killed else ending.how}"
    return json.loads(ending.told[-1])

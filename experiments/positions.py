"""Judge whether ``icgsynth solve --at`` is right on positions, and names winning moves.

``python -m experiments positions`` draws some 10,000 positions of the catalog, 55 of every game
under both rules (of a blocking game under normal play): a quarter from the lost states of a box,
the others from those that are won or drawn.  Each game is solved once, and what is found is asked
of its positions one by one, by the code of ``solve --at``.  The answers are compared with who
wins by brute force: the judge reads the rules itself and shares no code with icgsynth.  A move
must be one of the rules and lead to a state that is lost; in a drawn state it must lead to a
drawn one.

``unknown`` counts the positions of which nothing is said, ``unjudged`` those whose move leaves the
box.  ``wrong`` counts the others that fail, and ``first`` names one; the exit code is 1 where there
is one.  Of a game all of whose moves the judge cannot list nothing is asked.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NoReturn

from experiments.catalog import RULES, committed
from experiments.judge.graph import box, explored, outcomes
from experiments.judge.play import Play, State
from experiments.judge.reading import read_rules
from experiments.tables import write
from icgsynth import load
from icgsynth.budget import Budget, silent
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Solution
from icgsynth.spec.catalog import entries, names, resolve
from icgsynth.subjects.position_questions import PositionAnswer, to_position
from icgsynth.subjects.question import Question, Work

FIELDS = ("game", "rule", "status", "asked", "unknown", "unjudged", "wrong", "first")
EACH = 55  # positions of a game under a rule
CELLS = 1_000  # of the box that is labelled by brute force
MOVES = 5_000  # of one action in one state
SECONDS = 1.0  # for one position of a game that is not solved
LOST = 0.25  # of the positions

SIDES = {"winning": "won", "losing": "lost", "drawn": "drawn"}

Row = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments positions", description=__doc__)
    parser.add_argument("--only", metavar="GAME", action="append", help="this game; may repeat")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds to solve a game")
    parser.add_argument("--unknown", type=float, default=5.0, help="for one that was unknown")
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    options = parser.parse_args(arguments)
    every = [(name, rule) for name in names() for rule in RULES]
    every += [(entry.name, "normal") for entry in entries("blocking")]
    asked = [pair for pair in every if not options.only or pair[0] in options.only]
    unknown = {key for key, row in committed().items() if row["status"] == "unknown"}
    limits = {True: options.unknown, False: options.timeout}
    rows, total = [], Counter[str]()
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(found, *pair, limits[pair in unknown], options.seed) for pair in asked]
        for job in as_completed(jobs):
            rows.append(row := job.result())
            total.update({key: int(row[key]) for key in ("asked", "unknown", "unjudged", "wrong")})
            line = "{game:<34} {rule:<7} {status:<11} {asked:>4} asked, {unknown:>3} unknown,"
            print(f"{line} {{wrong}} wrong  {{first}}".format(**row), flush=True)
    print(f"\n{', '.join(f'{number:,} {key}' for key, number in total.items())}")
    if options.table:
        write(options.table, FIELDS, sorted(rows, key=lambda row: (row["game"], row["rule"])))
    return int(total["wrong"] > 0)


def found(name: str, rule: PlayRule, seconds: float, seed: int) -> Row:
    """The row of a game under a rule."""
    rng = random.Random(f"{seed} {name} {rule}")
    play = Play(read_rules(Path(resolve(name)).read_text("utf-8")))
    graph = explored(play, box(play, CELLS), MOVES, rng)
    labels = outcomes(graph, rule, play.rules.block)
    solution = load(name).solve(rule=rule, timeout=seconds)
    said: Counter[str] = Counter()
    first = ""
    for state in drawn(labels, EACH, rng):
        verdict, why = judged(play, labels, asked_at(solution, state))
        said[verdict] += 1
        if verdict == "wrong":
            first = first or f"{state}: {why}"
    return {
        "game": name,
        "rule": rule,
        "status": solution.status,
        "asked": str(said.total()),
        **{key: str(said[key]) for key in ("unknown", "unjudged", "wrong")},
        "first": first,
    }


def drawn(labels: Mapping[State, str], count: int, rng: random.Random) -> Iterator[State]:
    """So many positions at random, a part of them lost ones."""
    lost = sorted(state for state, side in labels.items() if side == "lost")
    others = sorted(state for state, side in labels.items() if side != "lost")
    for _ in range(count if labels else 0):
        yield rng.choice(lost if lost and (not others or rng.random() < LOST) else others)


def asked_at(solution: Solution, state: State) -> PositionAnswer:
    """What ``solve --at`` says of a state of a game that is solved already."""
    solved = Question(lambda *_: Work(lambda: solution), _not_shown)
    text = ",".join(map(str, state))
    question = to_position(solved, solution.game, solution.rule, text)
    seconds = 0.0 if solution.is_proved else SECONDS
    return question.search(Budget(seconds), silent).run()


def _not_shown(_: Solution) -> NoReturn:
    raise NotImplementedError


def judged(play: Play, labels: Mapping[State, str], said: PositionAnswer) -> tuple[str, str]:
    """ "right", "unknown", "unjudged" or "wrong", and what is wrong."""
    if said.winner is None:
        return "unknown", ""
    side, claimed = labels[said.state], SIDES[said.winner]
    if claimed != side:
        return "wrong", f"called {claimed}, it is {side}"
    can_move = bool(play.moves(said.state, MOVES, random.Random(0)).moves)
    if said.move is None:
        is_missing = can_move and side == "won"
        return ("wrong", "it is won, and no move is named") if is_missing else ("right", "")
    if side == "lost":
        return "wrong", f"it is lost, and {said.move.written} is named"
    after = play.made(said.state, said.move.action, dict(said.move.arguments))
    if after is None:
        return "wrong", f"{said.move.written} is no move"
    if after not in labels:
        return "unjudged", ""
    wanted = "lost" if side == "won" else "drawn"
    is_right = labels[after] == wanted
    return ("right", "") if is_right else ("wrong", f"{said.move.written} leads to {labels[after]}")

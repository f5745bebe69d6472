"""Measure what one small position costs on the command line, and judge the answer.

``python -m experiments at`` draws 200 states of the catalog, under both rules, that have at most
1,000 states below them, and asks ``icgsynth solve GAME --at STATE`` of each in a process of its
own.  Who wins is compared with play by the judge, which reads the rules itself and shares no code
with icgsynth.  A row has the states below, the seconds of the processor and what was wrong; the
exit code is 1 where an answer is wrong or missing.  ``--limit`` marks what takes longer.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.catalog import RULES
from experiments.judge.graph import Graph, box, outcomes
from experiments.judge.play import Moves, Play, State
from experiments.judge.reading import read_rules
from experiments.tables import write
from icgsynth.spec.catalog import entries, names, resolve

FIELDS = ("game", "rule", "state", "below", "said", "is", "seconds")
BELOW = 1_000  # states that play from one may reach
CELLS = 400  # of the box from which states are drawn
MOVES = 2_000  # of one action in one state
WORDS = {True: "won", False: "lost"}


class Position(NamedTuple):
    """A state under a rule, with who wins it by the judge, and how many states are below it."""

    game: str
    rule: str
    state: State
    side: str
    below: int


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments at", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="positions")
    parser.add_argument("--seed", type=int, default=62)
    parser.add_argument("--limit", type=float, default=1.5, help="seconds of the processor")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    options = parser.parse_args(arguments)
    rows = []
    for position in positions(options.count, random.Random(options.seed)):
        said, seconds = asked(position)
        rows.append(row := _row(position, said, seconds))
        mark = "WRONG" if said != position.side else "slow" if seconds > options.limit else ""
        print("  ".join(row.values()), mark, flush=True)
    wrong = sum(row["said"] != row["is"] for row in rows)
    taken = sorted(float(row["seconds"]) for row in rows)
    slow = sum(seconds > options.limit for seconds in taken)
    middle, most = taken[len(taken) // 2], taken[-1]
    print(f"\n{len(rows)} positions, {wrong} wrong or unknown, {slow} took over {options.limit} s")
    print(f"median {middle:.2f} s of the processor, the dearest {most:.2f} s")
    if options.table:
        write(options.table, FIELDS, rows)
    return int(wrong > 0)


def _row(position: Position, said: str, seconds: float) -> dict[str, str]:
    shown = ",".join(map(str, position.state)), str(position.below), said, position.side
    values = (position.game, position.rule, *shown, f"{seconds:.2f}")
    return dict(zip(FIELDS, values, strict=True))


def positions(count: int, rng: random.Random) -> Iterator[Position]:
    """So many small positions, each of a game and a rule drawn at random."""
    blocking = {entry.name for entry in entries("blocking")}
    plays: dict[str, Play] = {}
    missing = 20 * count  # draws that come to nothing, at most
    while count and missing:
        missing -= 1
        game, rule = rng.choice(names()), rng.choice(RULES)
        if game in blocking:
            continue
        play = plays.get(game) or Play(read_rules(Path(resolve(game)).read_text("utf-8")))
        plays[game] = play
        legal = [state for state in box(play, CELLS) if play.legal(*state)]
        state = rng.choice(legal) if legal else ()
        if legal and (side := judged(play, state, rule)) is not None:
            count -= 1
            yield Position(game, rule, state, *side)


def judged(play: Play, state: State, rule: str) -> tuple[str, int] | None:
    """Who wins by play from the state, and how many states it reaches; None where they are many."""
    moves: dict[State, Moves] = {}
    todo = [state]
    while todo:
        here = todo.pop()
        if here in moves:
            continue
        if len(moves) >= BELOW or not (found := play.moves(here, MOVES, random.Random(0))).complete:
            return None
        moves[here] = found
        todo += [move.after for move in found.moves]
    return outcomes(Graph(moves), rule)[state], len(moves)


def asked(position: Position) -> tuple[str, float]:
    """What the command says, and the seconds of the processor that it took."""
    state = ",".join(map(str, position.state))
    command = ["solve", position.game, "--rule", position.rule, "--at", state, "--json", "--quiet"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "icgsynth", *command], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 4):
        return f"exit code {done.returncode}", seconds
    found = json.loads(done.stdout)
    if "winning" not in found:
        return "unknown", seconds
    return "drawn" if found.get("drawn") else WORDS[found["winning"]], seconds

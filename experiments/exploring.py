"""Measure exploring a game, positions a second and bytes each, beside OpenSpiel in Python.

The same game is explored twice, in processes of their own: here from rules in GDL, every position
by itself (no symmetry) with all its moves, and by a loop over ``pyspiel`` that keeps a Python dict
from the text of a position and its player to a number.  Both must find as many positions and moves.
Seconds are those of the processor, without imports and machine code.  ``dict_bytes`` are those
of the dict with its keys and numbers, ``kept_bytes`` those of the table of positions here, and
``peak_bytes`` are by how much the process here grew at most, moves included; all for one position.

``--update`` rewrites ``exploring.csv``; else a game is measured and printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from experiments.tables import write
from icgsynth.benchmark.sweep.forked import Tell, run_forked
from icgsynth.boards.finite.board import Board, board_of
from icgsynth.boards.finite.explore import StateStore, explore
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.symmetry import trivial
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.process.started import MEGABYTE
from icgsynth.spec.source import Source

TABLE = Path(__file__).with_suffix(".csv")
FIELDS = (
    *("game", "positions", "moves", "ours_s", "pyspiel_s", "ours_a_second", "pyspiel_a_second"),
    *("speed_ratio", "kept_bytes", "peak_bytes", "dict_bytes", "bytes_ratio"),
)
GAMES = (
    "breakthrough(rows=4,columns=3)",
    "breakthrough(rows=6,columns=2)",
    "breakthrough(rows=4,columns=4)",
    "connect_four(rows=4,columns=4,x_in_row=4)",
    "connect_four(rows=4,columns=5,x_in_row=4)",
)
_SECONDS, _MEMORY = 900.0, 8_000 * MEGABYTE

Counted: TypeAlias = dict[str, float]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment; 1 where the two sides differ."""
    parser = argparse.ArgumentParser(prog="python -m experiments exploring")
    parser.add_argument("--only", default="", metavar="NAME", help="games whose names hold NAME")
    parser.add_argument("--update", action="store_true", help=f"rewrite {TABLE.name}")
    options = parser.parse_args(arguments)
    made, wrong = [], 0
    for game in GAMES:
        if options.only in game:
            ours, theirs = told(of_rules, game), told(of_pyspiel, game)
            wrong += any(ours[what] != theirs[what] for what in ("positions", "moves"))
            made.append(row(game, ours, theirs))
            print("  ".join(f"{name} {value}" for name, value in made[-1].items()), flush=True)
    if wrong:
        print(f"{wrong} games have other positions or moves there", file=sys.stderr)
    elif options.update and not options.only:
        write(TABLE, FIELDS, made)
    return int(wrong > 0)


def row(game: str, ours: Counted, theirs: Counted) -> dict[str, str]:
    """The row of a game."""
    positions = ours["positions"]
    speeds = [positions / side["seconds"] for side in (ours, theirs)]
    kept, peak, held = (
        side[what] / positions for side, what in ((ours, "kept"), (ours, "peak"), (theirs, "kept"))
    )
    values = (
        *(game, f"{positions:.0f}", f"{ours['moves']:.0f}"),
        *(f"{ours['seconds']:.3f}", f"{theirs['seconds']:.3f}"),
        *(f"{speed:.0f}" for speed in speeds),
        f"{speeds[0] / speeds[1]:.1f}",
        *(f"{count:.1f}" for count in (kept, peak, held, held / kept)),
    )
    return dict(zip(FIELDS, values, strict=True))


def told(work: Callable[[str], Counted], game: str) -> Counted:
    """What ``work`` counts of a game, in a process of its own."""

    def child(tell: Tell) -> None:
        tell(json.dumps(work(game)).encode())

    ending = run_forked(child, _SECONDS, _MEMORY)
    if not ending.told:
        raise RuntimeError(f"{game}: {ending.how}: {ending.last_words}")
    found: Counted = json.loads(ending.told[-1])
    return found


# --- both sides ----------------------------------------------------------------------------------


def of_rules(game: str) -> Counted:
    """What exploring the rules in GDL takes."""
    board = _board(game)
    explore(_board("breakthrough(rows=3,columns=2)"), trivial(board))  # the machine code is there
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak begins here
    before, start = _resident("VmRSS"), time.process_time()
    found = explore(board, trivial(board))
    seconds, peak = time.process_time() - start, _resident("VmHWM")
    store = StateStore(len(board.facts), folded=False)
    store.add(found.states, found.orbit)
    return {
        "positions": len(found.states),
        "moves": len(found.target),
        "seconds": seconds,
        "kept": store.nbytes,
        "peak": peak - before,
    }


def _resident(what: str) -> int:
    """The memory of this process in bytes: ``VmRSS`` now, ``VmHWM`` at most so far."""
    status = Path("/proc/self/status").read_text("ascii")
    found = re.search(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None, what
    return int(found[1]) * 1024


def of_pyspiel(game: str) -> Counted:
    """What a loop over OpenSpiel's Python API takes."""
    import pyspiel

    start = time.process_time()
    first = pyspiel.load_game(game).new_initial_state()
    seen = {_text(first): 0}
    waiting, moves = deque([first]), 0
    while waiting:
        state = waiting.popleft()
        if state.is_terminal():
            continue
        for action in state.legal_actions():
            moves += 1
            after = state.child(action)
            if (text := _text(after)) not in seen:
                seen[text] = len(seen)
                waiting.append(after)
    seconds = time.process_time() - start
    kept = sys.getsizeof(seen) + sum(map(sys.getsizeof, [*seen, *seen.values()]))
    return {"positions": len(seen), "moves": moves, "seconds": seconds, "kept": kept}


def _text(state: Any) -> str:
    return f"{state.current_player()}{state}"  # the text alone leaves out who is to move


# --- the rules -----------------------------------------------------------------------------------


def _board(game: str) -> Board:
    return board_of(ground(parse_gdl(Source(game, "\n".join(rules(game))))))


def rules(game: str) -> Iterator[str]:
    """The lines of a game in GDL, which OpenSpiel calls ``game``."""
    name, *rest = re.findall(r"[a-z_]+(?=\()|\d+", game)
    rows, columns, *line = map(int, rest)
    yield _COMMON
    yield from (f"(row {y})" for y in range(1, rows + 1))
    yield from (f"(column {x})" for x in range(1, columns + 1))
    yield from (f"(above {y} {y + 1})" for y in range(1, rows))
    if name == "breakthrough":
        deep = 2 if rows >= 6 else 1
        for x, y in product(range(1, columns + 1), range(1, deep + 1)):
            yield f"(init (piece a {x} {y})) (init (piece b {x} {rows + 1 - y}))"
        yield from (f"(beside {x} {x + 1}) (beside {x + 1} {x})" for x in range(1, columns))
        yield f"(last a {rows}) (last b 1) {_BREAKTHROUGH}"
        return
    yield f"(top {rows}) {_CONNECT}"
    steps = product(range(1, columns + 1), range(1, rows + 1), ((1, 0), (0, 1), (1, 1), (1, -1)))
    for x, y, (right, up) in steps:
        cells = [(x + k * right, y + k * up) for k in range(line[0])]
        if all(u <= columns and 1 <= v <= rows for u, v in cells):
            held = " ".join(f"(true (piece ?r {u} {v}))" for u, v in cells)
            yield f"(<= (won ?r) {held})"


_COMMON = """(role a) (role b) (init (control a))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (occupied ?x ?y) (true (piece ?r ?x ?y)))
(<= (next (piece ?r ?x ?y)) (true (piece ?r ?x ?y)) (not (touched ?x ?y)))
(<= somebody_won (won ?r)) (<= terminal somebody_won)
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) somebody_won (not (won ?r)))
(<= (goal ?r 50) (role ?r) (not somebody_won))"""
_BREAKTHROUGH = """(<= (ahead a ?y ?v) (above ?y ?v)) (<= (ahead b ?v ?y) (above ?y ?v))
(<= (legal ?r (move ?x ?y ?x ?v)) (true (control ?r)) (true (piece ?r ?x ?y)) (ahead ?r ?y ?v)
    (not (occupied ?x ?v)))
(<= (legal ?r (move ?x ?y ?u ?v)) (true (control ?r)) (true (piece ?r ?x ?y)) (ahead ?r ?y ?v)
    (beside ?x ?u) (not (true (piece ?r ?u ?v))))
(<= (next (piece ?r ?u ?v)) (does ?r (move ?x ?y ?u ?v)))
(<= (touched ?x ?y) (does ?r (move ?x ?y ?u ?v)))
(<= (touched ?u ?v) (does ?r (move ?x ?y ?u ?v)))
(<= (there ?r) (true (piece ?r ?x ?y)))
(<= (won ?r) (true (piece ?r ?x ?y)) (last ?r ?y))
(<= (won a) (not (there b))) (<= (won b) (not (there a)))"""
_CONNECT = """(<= (touched ?x ?y) (row ?y) (column ?x) (true (piece outside ?x ?y)))
(<= (open ?x) (column ?x) (top ?y) (not (occupied ?x ?y))) (<= some_open (open ?x))
(<= (legal ?r (drop ?x)) (true (control ?r)) (open ?x))
(<= (next (piece ?r ?x ?y)) (does ?r (drop ?x)) (lands ?x ?y))
(<= (lands ?x 1) (column ?x) (not (occupied ?x 1)))
(<= (lands ?x ?v) (occupied ?x ?y) (above ?y ?v) (not (occupied ?x ?v)))
(<= terminal (not some_open))"""

"""One game description in a process of its own, for :mod:`experiments.gdl`: prints JSON.

``python -m experiments.gdl_game FILE --seconds 10`` grounds, explores and solves the game
within the limit.  Loading (or compiling) the kernels is timed apart, on a game of four states.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from icgsynth.errors import IcgError
from icgsynth.finite.arena import Arena, arena_of_board, arena_of_rules
from icgsynth.finite.board import board_of
from icgsynth.finite.grounder import ground
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.source import Source

_TINY = """
(role a) (role b) (init (coin 1)) (init (coin 2)) (init (turn a))
(<= (legal ?p (take ?c)) (true (turn ?p)) (true (coin ?c)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (taken ?c) (does ?p (take ?c))) (<= (next (coin ?c)) (true (coin ?c)) (not (taken ?c)))
(<= some (true (coin ?c))) (<= terminal (not some))
(<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))
"""


class _Clock:
    """Seconds by the name of what took them."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[what] = round(time.perf_counter() - begun, 4)


def main() -> int:
    """Print what became of the game; 0 unless this program crashes."""
    parser = argparse.ArgumentParser(prog="python -m experiments.gdl_game")
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--raw", action="store_true", help="without symmetry")
    parser.add_argument("--repeat", type=int, default=0, help="solve it so often again, warm")
    given = parser.parse_args()
    clock, begun = _Clock(), time.perf_counter()
    said: list[str] = []
    with clock.on("kernels"):
        for symmetric in (False, True):
            arena_of_rules(parse_gdl(Source("tiny", _TINY)), symmetric, progress=said.append)
    found: dict[str, Any] = {"compiled": any(line.startswith("compiling") for line in said)}
    before = _cpu()
    with clock.on("total"):
        try:
            arena, again = _solved(given.file, not given.raw, given.seconds, clock)
        except IcgError as error:
            found |= {"outcome": "refused", "why": str(error)}
        else:
            found |= {"outcome": "whole", "why": "", **_counts(arena)}
    found["cpu"] = round(_cpu() - before, 4)
    if found["outcome"] == "whole" and given.repeat:
        times = [_warm(again) for _ in range(given.repeat)]
        found["warm"] = statistics.median(times)
    found["seconds"] = clock.seconds
    found["inside"] = time.perf_counter() - begun
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    json.dump(found, sys.stdout)
    return 0


def _solved(
    file: Path, symmetric: bool, seconds: float, clock: _Clock
) -> tuple[Arena, Callable[[], Arena]]:
    """The game, and how to solve its board again; the steps of ``arena_of_rules``, timed."""
    end = time.perf_counter() + seconds
    with clock.on("ground"):
        rules = ground(parse_gdl(Source.read(file)), seconds=seconds)
    with clock.on("circuit"):
        board = board_of(rules)
    with clock.on("solve"):
        left = max(0.0, end - time.perf_counter())
        arena = arena_of_board(board, symmetric, seconds=left)
    return arena, lambda: arena_of_board(board, symmetric)


def _counts(arena: Arena) -> dict[str, int]:
    return {
        "states": int(arena.orbit.sum()),
        "before_end": int(arena.orbit[arena.mover >= 0].sum()),
        "rows": len(arena.states),
        "group": len(arena.literal_images),
    }


def _warm(again: Callable[[], Arena]) -> float:
    begun = time.process_time()
    again()
    return time.process_time() - begun


def _cpu() -> float:
    """Processor seconds of this process and of its children (clingo) so far."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


if __name__ == "__main__":
    sys.exit(main())

"""Writes ``catalog.json``: what is claimed of every game of the catalog under both rules.

    python -m tests.golden.update            all games (some minutes: unknown ones search on)
    python -m tests.golden.update nim2 mark  only these

Look at the diff before you commit it: it is what people read.  ``fast.json`` beside it lists the
quick entries, which have to be the same to the letter; the default test run compares some of them,
``pytest -m slow`` the rest, and of the entries that take long what they claim.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import icgsynth as icg
from icgsynth.game.solution import Solution
from icgsynth.spec.catalog import names

HERE = Path(__file__).parent
GOLDEN = HERE / "catalog.json"
FAST = HERE / "fast.json"
RULES = ("normal", "misere")
LIMIT = 1.5  # seconds that an entry of fast.json took
BUDGET = 10.0  # seconds for each entry when the file is written


def entry(name: str, rule: str, budget: float) -> dict[str, Any]:
    """What is claimed of a game that is solved within ``budget`` seconds."""
    return said(icg.load(name).solve(rule=rule, timeout=budget))  # type: ignore[arg-type]


def said(solution: Solution) -> dict[str, Any]:
    """What is claimed, without times and other facts of one run."""
    data = solution.to_json()
    claims = [data["winning"], data["losing"]]
    automaton = data.get("automaton")
    if automaton is not None:  # on one line of the file
        automaton = json.dumps(automaton)
    return {
        "status": data["status"],
        "logic": data["logic"],
        "winning": claims[0] and claims[0]["formula"],
        "losing": claims[1] and claims[1]["formula"],
        "minimal": [bool(c and c["minimal"]) for c in claims],
        "strategy": [_said(r) for r in data["strategy"]],
        "fft": [_said(r) for r in data["fft"]],
        "automaton": automaton,
    }


def _said(rule: dict[str, Any]) -> str:
    if "to" in rule:
        to = rule["to"]
        return f"if {rule['when']}: {rule['action']} to {to['tracks']}, {len(to['accepting'])}"
    arguments = ", ".join(f"{n} = {t}" for n, t in rule["args"].items())
    return f"if {rule['when']}: {rule['action']}({arguments})"


def _timed(task: tuple[str, str]) -> tuple[str, str, dict[str, Any], float]:
    start = time.process_time()  # not the clock: other work may share the machine
    found = entry(*task, BUDGET)
    return (*task, found, time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    golden = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.exists() else {}
    fast = {tuple(pair) for pair in json.loads(FAST.read_text("utf-8"))} if FAST.exists() else set()
    catalog = names()
    tasks = [(n, r) for n in arguments.games or catalog for r in RULES]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name, rule, found, seconds in pool.map(_timed, tasks):
            golden.setdefault(name, {})[rule] = found
            fast.discard((name, rule))
            if seconds < LIMIT and found["status"] != "unknown":
                fast.add((name, rule))
            print(f"{name:34} {rule:7} {found['status']:12} {seconds:6.2f} s", file=sys.stderr)
    golden = {name: golden[name] for name in catalog if name in golden}
    GOLDEN.write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n", "utf-8")
    kept = [list(pair) for pair in sorted(fast) if pair[0] in golden]
    FAST.write_text(json.dumps(kept, indent=None).replace("], ", "],\n") + "\n", "utf-8")


if __name__ == "__main__":
    main()

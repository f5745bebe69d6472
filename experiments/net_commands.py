"""Commands that two work trees answer in JSON: values, theorems, trees and sheets, by a seed.

:func:`drawn` draws commands of each kind, :func:`answers` runs them with the package in a folder,
and :func:`differing` tells in which leaves of the JSON two answers differ.  What depends on the
clock is left out: seconds, and searches that go on as long as their budget lasts.
"""

from __future__ import annotations

import csv
import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.measure import ROOT

_SHOWN = 4  # leaves of JSON that are printed where two answers differ
_TIMES = {"seconds", "spent"}  # keys of JSON whose values are times
_FAILED = 4  # the exit code for nothing found
_TABLED = 5.0  # seconds that a game's value took in the table of values, at most


@dataclass(frozen=True, slots=True)
class Answered:
    """The exit code of a command, and its JSON; where it printed none, the text of its error."""

    code: int
    answer: Any

    def is_worse_than(self, before: Answered) -> bool:
        """Whether there is no longer an answer where there was one."""
        return before.code == 0 != self.code


def drawn(count: int, seed: int) -> list[str]:
    """``count`` commands of each kind, without repetitions; the same for the same seed."""
    found: dict[str, None] = {}
    for kind, draw in KINDS.items():
        rng = random.Random(f"{kind} {seed}")
        commands: dict[str, None] = {}
        for _ in range(20 * count):
            if len(commands) < count:
                commands[shlex.join([*draw(rng), "--json", "--quiet"])] = None
        found |= commands
    return list(found)


def _value(rng: random.Random) -> list[str]:
    """The values of heaps by an octal code, or of a game of the catalog that has a formula."""
    if rng.random() < 0.6:
        digits = "".join(rng.choice("01234567") for _ in range(rng.randint(2, 3)))
        return ["value", f"0.{digits}", "--timeout", "20"]
    with (ROOT / "experiments" / "values.csv").open(newline="") as stream:
        rows = [r for r in csv.DictReader(stream) if r["status"] == "solved"]
    quick = [row["game"] for row in rows if float(row["seconds"]) < _TABLED]
    return ["value", rng.choice(quick), "--timeout", "60"]


def _theorem(rng: random.Random) -> list[str]:
    """A family whose theorem is in the catalog, to be found and proved again."""
    theorems = json.loads((ROOT / "specs" / "theorems.json").read_text("utf-8"))
    row = rng.choice([theorem for theorem in theorems if len(theorem["constants"]) <= 2])
    most = {1: 12, 2: 6}[len(row["constants"])]
    over = [word for name in row["constants"] for word in ("--over", f"{name}=1..{most}")]
    fixed = [word for name, n in row["fixed"].items() for word in ("--set", f"{name}={n}")]
    words = ["family", row["game"], *over, *fixed, "--for", row["for"], "--rule", row["rule"]]
    return [*words, "--timeout", "120"]


def _tree(rng: random.Random) -> list[str]:
    """One run of Algorithm 2, which no clock bounds; of a board or of an impartial game."""
    if rng.random() < 0.5:
        game = [rng.choice(("tictactoe", "nim_1357", "chomp", "nim_s", "ttt_m", "nim_m"))]
    else:
        names = ("nim2", "wythoff", "euclid", "chomp_2row", "slow_nim2", "take_away")
        game = [rng.choice(names), "--bound", str(rng.randint(5, 15))]
    states = rng.choice(("random", "near_end", "far_end", "near_start"))
    literals = rng.choice(("signed", "positive"))
    words = ["fft", "synth", *game, "--method", "algorithm2", "--states", states]
    return [*words, "--literals", literals, "--seed", str(rng.randrange(100)), "--no-certify"]


def _sheet(rng: random.Random) -> list[str]:
    """Positions of a chosen difficulty, of lines, of a board or of piles."""
    game = rng.choice((["tictactoe"], ["connect", "--size", "4x4", "--match", "3"], ["nim2"]))
    game = rng.choice((game, ["nim3", "--bound", "8"], ["chomp_2row"], ["ttt_l"]))
    level = rng.choice(("easy", "medium", "hard", "any"))
    moves = rng.choice(("2", "3"))
    words = ["starts", *game, "--moves", moves, "--level", level, "--count", "6"]
    return [*words, "--seed", str(rng.randrange(100))]


KINDS: Mapping[str, Callable[[random.Random], list[str]]] = {
    "values": _value,
    "theorems": _theorem,
    "trees": _tree,
    "sheets": _sheet,
}


def answers(tree: Path, commands: Sequence[str], results: Path) -> dict[str, Answered]:
    """What the package in ``tree`` answers; what is in the file ``results`` is not asked again."""
    known: dict[str, Answered] = {}
    if results.exists():
        for line in results.read_text("utf-8").splitlines():
            row = json.loads(line)
            known[row["command"]] = Answered(row["code"], row["answer"])
    for command in commands:
        if command not in known:
            found = known[command] = _asked(tree, command)
            row = {"command": command, "code": found.code, "answer": found.answer}
            with results.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")
    return {command: known[command] for command in commands}


def _asked(tree: Path, command: str) -> Answered:
    words = [sys.executable, "-m", "icgsynth", *shlex.split(command)]
    settings = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(words, cwd=tree, env=settings, capture_output=True, check=False)
    try:
        return Answered(done.returncode, _timeless(json.loads(done.stdout)))
    except ValueError:
        return Answered(done.returncode, done.stderr.decode().strip())


def _timeless(value: Any) -> Any:
    """A JSON value without the keys that hold times."""
    if isinstance(value, dict):
        return {key: _timeless(v) for key, v in value.items() if key not in _TIMES}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def differing(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """A line for each leaf in which two JSON values differ, with its place and both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from differing(before.get(key), after.get(key), f"{place}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from differing(*pair, f"{place}[{number}]")
    elif before != after:
        yield f"{place}: {_short(before)} -> {_short(after)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:87]}..."


def compared(
    before: Mapping[str, Answered], after: Mapping[str, Answered]
) -> Iterator[tuple[str, bool]]:
    """A text for each command that the two answer otherwise; with whether an answer is lost."""
    for command in before:
        old, new = before[command], after[command]
        if old.code == new.code == _FAILED:
            continue  # how far a search came that found nothing, the clock decides
        lines = list(differing(old.answer, new.answer))
        if old.code != new.code:
            lines.insert(0, f"exit code: {old.code} -> {new.code}")
        if lines:
            lost = new.is_worse_than(old)
            more = [f"and {len(lines) - _SHOWN} more"] * (len(lines) > _SHOWN)
            head = f"{'WORSE ' * lost}icgsynth {command}"
            yield "\n    ".join([head, *lines[:_SHOWN], *more]), lost

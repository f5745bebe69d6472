"""Compare the answers of two work trees on the same games: has one become worse?

``python -m experiments net BEFORE AFTER`` solves every game of the catalog under both rules with
``icgsynth sweep``, once by the package in the folder BEFORE and once by that in AFTER; with
``--spec`` also files, and with ``--pddl DIR`` also 120 files of the benchmark chosen by ``--seed``.
Where an answer differs it is printed, and the exit code is 1 if one became worse: no longer solved
or no longer minimal, a longer losing formula, more rules in the tree or the cases, or disagreement
with the labels of a box.

With ``--commands N`` also N commands of each kind, values, theorems, trees and sheets, are drawn by
``--seed``, and what they print with ``--json`` is compared (:mod:`experiments.net_commands`);
``--only`` without a name leaves the catalog out.

The results stay in ``build/net``, in a file named after the code of the tree, so a run that was
stopped goes on with the same command.  What is not solved in time depends on the machine: give it
nothing else to do, and ``--timeout`` enough.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments import net_commands
from experiments.measure import ROOT
from experiments.reach import chosen_files

Key = tuple[str, str]  # the file or the name of the game, and the rule of play


@dataclass(frozen=True, slots=True)
class Found:
    """What a sweep says of a game under a rule; rules are counted, and given by their text."""

    status: str
    logic: str
    losing: str
    size: int
    minimal: bool
    disagreements: int
    tree: tuple[str, ...]
    cases: int
    seconds: float

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Found:
        """Return what a line of the results says."""
        rules = (record["solution"] or {}).get("fft") or ()
        return cls(
            record["status"],
            record["logic"] or "",
            record["losing"] or "",
            record["size"] or 0,
            bool(record["minimal"]),
            record["disagreements"] or 0,
            tuple(json.dumps(rule) for rule in rules),
            record["strategy"],
            record["seconds"],
        )

    @property
    def is_solved(self) -> bool:
        return self.status == "solved"


def worse(before: Found, after: Found) -> list[str]:
    """What an answer has lost, in words; nothing where it is as good or better."""
    if before.is_solved and not after.is_solved:
        return [f"solved before, now {after.status}"]
    if not after.is_solved:
        return []
    lost = []
    if after.disagreements > before.disagreements:
        lost.append(f"{after.disagreements} states disagree")
    if not before.is_solved:
        return lost
    if before.logic == "lia" != after.logic:
        lost.append("linear before, now by digits")
    if before.logic == after.logic and after.size > before.size:
        lost.append(f"size {before.size} -> {after.size}")
    if before.minimal and not after.minimal:
        lost.append("no longer minimal")
    if len(after.tree) > len(before.tree):
        lost.append(f"rules {len(before.tree)} -> {len(after.tree)}")
    if after.cases > before.cases:
        lost.append(f"cases {before.cases} -> {after.cases}")
    return lost


def compared(before: Mapping[Key, Found], after: Mapping[Key, Found]) -> Iterator[tuple[str, bool]]:
    """A line for each answer that differs in what a reader sees; with whether it became worse."""
    for key in sorted(before.keys() & after.keys()):
        old, new = before[key], after[key]
        lost = worse(old, new)
        parts = [
            f"{name}: {getattr(old, name)} -> {getattr(new, name)}"
            for name in ("status", "logic", "losing", "minimal", "cases")
            if getattr(old, name) != getattr(new, name)
        ]
        if old.tree != new.tree:
            parts.append(f"tree: {len(old.tree)} -> {len(new.tree)} rules")
        if parts or lost:
            head = f"WORSE ({', '.join(lost)}) " if lost else ""
            yield f"{head}{key[0]} ({key[1]})\n    " + "\n    ".join(parts), bool(lost)


def totals(found: Iterable[Found]) -> str:
    """Sums over answers, in one line."""
    answers = list(found)
    solved = [each for each in answers if each.is_solved]
    sums = Counter[str]()
    for each in solved:
        sums.update(rules=len(each.tree), cases=each.cases, leaves=each.size)
    seconds = sum(each.seconds for each in answers)
    return (
        f"{len(solved)} of {len(answers)} solved, {sums['rules']} rules of trees, "
        f"{sums['cases']} cases, losing formulas of size {sums['leaves']}, {seconds:.0f} s"
    )


def main(arguments: Sequence[str]) -> int:
    """Solve in both trees, print what differs; 1 where an answer became worse."""
    options = _options(arguments)
    results = options.results
    results.mkdir(parents=True, exist_ok=True)
    files = [str(path.resolve()) for path in options.spec]
    if options.pddl is not None:
        files += chosen_files(options.pddl.resolve(), options.sample, options.seed)
    sides = []
    for tree in (options.before, options.after):
        found = results / f"{_code(tree)}.jsonl"
        code = _sweep(tree.resolve(), files, found, options)
        if code:
            return code
        sides.append(read(found))
    before, after = sides
    both = sorted(before.keys() & after.keys())
    differences = list(compared(before, after))
    for text, _ in differences:
        print(text)
    print(f"{len(both)} pairs, {len(differences)} differ")
    print("before:", totals(before[key] for key in both))
    print("after: ", totals(after[key] for key in both))
    differences += _of_commands(options)
    return 1 if any(is_worse for _, is_worse in differences) else 0


def _of_commands(options: argparse.Namespace) -> list[tuple[str, bool]]:
    """What drawn commands answer otherwise, printed; with whether an answer is lost."""
    commands = net_commands.drawn(options.commands, options.seed)
    sides = [
        net_commands.answers(
            tree.resolve(), commands, options.results / f"{_code(tree)}.commands.jsonl"
        )
        for tree in (options.before, options.after)
    ]
    differences = list(net_commands.compared(*sides))
    for text, _ in differences:
        print(text)
    print(f"{len(commands)} commands, {len(differences)} differ")
    return differences


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments net")
    parser.add_argument("before", type=Path, help="a folder with the package as it was")
    parser.add_argument("after", type=Path, nargs="?", default=ROOT, help="and as it is (here)")
    parser.add_argument("--spec", type=Path, nargs="*", default=[], help="files of rules")
    parser.add_argument("--only", nargs="*", help="these games of the catalog, not all")
    parser.add_argument("--pddl", type=Path, metavar="DIR", help="the benchmark")
    parser.add_argument("--sample", type=int, default=120, metavar="N", help="of its files (120)")
    parser.add_argument("--seed", type=int, default=0, help="of all choices (0)")
    parser.add_argument("--commands", type=int, default=0, metavar="N", help="of each kind (0)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for each pair (30)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "net", metavar="DIR")
    return parser.parse_args(arguments)


def _sweep(tree: Path, files: Sequence[str], results: Path, options: argparse.Namespace) -> int:
    """Run the command of a work tree on the catalog and the files that are not in the results."""
    settings = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "icgsynth"]
    names = options.only
    if names is None:
        listed = subprocess.run(
            [*command, "list", "--json"], env=settings, cwd=tree, capture_output=True, check=True
        )
        names = [game["name"] for game in json.loads(listed.stdout)]
    if not (names or files):
        results.touch()
        return 0
    limits = [f"--timeout={options.timeout:g}", f"--jobs={options.jobs}", "--rule=both"]
    sweep = [*command, "sweep", *limits, "-o", str(results.resolve()), "--", *names, *files]
    done = subprocess.run(sweep, env=settings, cwd=tree, stdout=subprocess.DEVNULL, check=False)
    return done.returncode


def _code(tree: Path) -> str:
    """A name for the package in a work tree, that is another one as soon as a line changes."""
    sources = sorted((tree / "icgsynth").rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def read(results: Path) -> dict[Key, Found]:
    """The answers in a file that a sweep wrote."""
    lines = results.read_text(encoding="utf-8").splitlines()
    records = map(json.loads, lines)
    return {(record["file"], record["rule"]): Found.of(record) for record in records}

"""What ``icgsynth solve`` says of a game beyond linear arithmetic, and whether it is right.

An answer is compared on a box of states with the losing states as the literature gives them, or
with brute force.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from experiments.automatic_known import Loses
from experiments.measure import OURS, ROOT, Case
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse_formula

__all__ = ["Answer", "Solved", "answered", "box", "brute_force", "compared", "solve"]

Answer = Mapping[str, Any]

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
        # Up to so many of the options are forbidden; lost ones, if there are any.
        return sum(loses(*each) for each in after) <= game.block

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

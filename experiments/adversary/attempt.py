"""One attempt at a false claim: a generated game is solved and judged."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import icgsynth as icg
from experiments.attempts import Outcome, crashed
from experiments.judge.claims import Answer, judged
from experiments.judge.graph import box
from experiments.judge.meaning import Undecided
from experiments.judge.play import Play, State
from experiments.judge.reading import read_rules
from icgsynth.errors import IcgError, InputError
from icgsynth.game.solution import Solution

__all__ = ["RULES", "More", "refusal", "solve_and_judge", "wrong_cycle"]

RULES = ("normal", "misere")
More: TypeAlias = Callable[[Solution, Play, Answer, random.Random], str]
_CYCLE_MOVES = 2_000
_BOX = 600  # states that are tried for a legal one
_LATE = 5.0  # seconds of the processor past the time that was given: other work takes none of them


def solve_and_judge(
    text: str,
    rule: str,
    rng: random.Random,
    seconds: float,
    cells: int,
    far: int,
    planted: Sequence[State] = (),
    more: More | None = None,
) -> Outcome:
    """Solve the game within ``seconds`` and judge all that is claimed of it.

    ``more`` says what else is wrong with a solution that has both formulas.
    """
    play = Play(read_rules(text))
    shown = f"{text}\nrule {rule}"
    begun = time.process_time()
    try:
        solution = icg.loads(text).solve(rule, timeout=seconds)  # type: ignore[arg-type]
        data = solution.to_json()
    except InputError as error:
        return refusal(play, error, shown)
    except IcgError:
        return Outcome("unknown")
    except Exception:
        return crashed(shown)
    if (spent := time.process_time() - begun) > seconds + _LATE:
        return Outcome("late", wrong=f"{spent:.1f} s, of {seconds:g}", text=shown)
    shown += f"\nlosing {data['losing'] and data['losing']['formula']}"
    if "cycle" in data:
        wrong = wrong_cycle(play, [tuple(state) for state in data["cycle"]], rng)
        if wrong or "drawn" not in data:
            return Outcome("refuted", len(data["cycle"]), wrong, shown if wrong else "")
    answer = _answer(data)
    judgement = judged(play, answer, rng, cells, far, planted)
    wrong = judgement.wrong
    if more is not None and not wrong and data["winning"] is not None:
        try:
            wrong = more(solution, play, answer, rng)
        except Exception:
            return crashed(shown)
    verdict = {"solved": "proved"}.get(data["status"], "unknown")
    return Outcome(verdict, judgement.states, wrong, shown if wrong else "")


def _answer(data: dict[str, Any]) -> Answer:
    claimed = {part for part, verdict in data["proof"].items() if verdict == "proved"}
    if data["status"] == "solved":
        claimed.add("cover")
    if data["winning"] is None or data["losing"] is None:
        claimed &= {"closure", "ending", "termination"}
        data = data | {"winning": {"formula": "true"}, "losing": {"formula": "false"}}
    return Answer.of_json(data, claimed)


def refusal(play: Play, error: InputError, shown: str) -> Outcome:
    """That there is no legal state is a claim."""
    if "no legal state" not in str(error):
        return Outcome("refused")
    legal = next((state for state in box(play, _BOX) if play.legal(*state)), None)
    if legal is None:
        return Outcome("refused")
    return Outcome("refused", 1, f"there is no legal state; {legal} is", shown)


def wrong_cycle(play: Play, states: Sequence[State], rng: random.Random) -> str:
    """What is wrong with a line of play that comes back to where it began; empty if nothing."""
    closed = states if states[0] == states[-1] and len(states) > 1 else [*states, states[0]]
    try:
        for state, new in pairwise(closed):
            if not play.legal(*state):
                return f"{state} of the cycle is not legal"
            moves = play.moves(state, _CYCLE_MOVES, rng)
            if moves.complete and new not in {move.after for move in moves.moves}:
                return f"no move leads from {state} of the cycle to {new}"
    except Undecided:
        pass
    return ""

"""One attempt at a false claim: a generated game is solved and judged."""

from __future__ import annotations

import random
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import icgsynth as icg
from experiments.adversary.judge import Answer, judged
from experiments.adversary.meaning import Undecided
from experiments.adversary.play import Play, State
from experiments.adversary.reading import read_rules
from icgsynth.errors import IcgError, InputError

__all__ = ["RULES", "Outcome", "crashed", "refusal", "solve_and_judge", "wrong_cycle"]

RULES = ("normal", "misere")
_CYCLE_MOVES = 2_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """``verdict`` is what icgsynth said: "proved", "refuted", "unknown", "refused" or "crash".

    ``checked`` counts what the judge looked at; ``wrong`` says what is false, or how it crashed,
    and ``text`` is then all that is needed to see it again.
    """

    verdict: str
    checked: int = 0
    wrong: str = ""
    text: str = ""

    @property
    def is_false(self) -> bool:
        return bool(self.wrong) and self.verdict != "crash"


def crashed(text: str) -> Outcome:
    """The outcome for the exception that is being handled."""
    return Outcome("crash", wrong=traceback.format_exc(limit=-3), text=text)


def solve_and_judge(
    text: str,
    rule: str,
    rng: random.Random,
    seconds: float,
    bound: int,
    far: int,
    planted: Sequence[State] = (),
) -> Outcome:
    """Solve the game within ``seconds`` and judge all that is claimed of it."""
    play = Play(read_rules(text))
    shown = f"{text}\nrule {rule}"
    try:
        data = icg.loads(text).solve(rule, timeout=seconds).to_json()  # type: ignore[arg-type]
    except InputError as error:
        return refusal(play, error, shown)
    except IcgError:
        return Outcome("unknown")
    except Exception:
        return crashed(shown)
    shown += f"\nlosing {data['losing'] and data['losing']['formula']}"
    if "cycle" in data:
        wrong = wrong_cycle(play, [tuple(state) for state in data["cycle"]], rng)
        return Outcome("refuted", len(data["cycle"]), wrong, shown if wrong else "")
    judgement = judged(play, _answer(data), rng, bound, far, planted)
    verdict = {"solved": "proved"}.get(data["status"], "unknown")
    return Outcome(verdict, judgement.states, judgement.wrong, shown if judgement.wrong else "")


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
    reach = 200 if len(play.rules.variables) == 1 else 12
    cells = product(range(-reach, reach + 1), repeat=len(play.rules.variables))
    legal = next((state for state in cells if play.is_legal(state)), None)
    if legal is None:
        return Outcome("refused")
    return Outcome("refused", 1, f"there is no legal state; {legal} is", shown)


def wrong_cycle(play: Play, states: Sequence[State], rng: random.Random) -> str:
    """What is wrong with a line of play that comes back to where it began; empty if nothing."""
    closed = states if states[0] == states[-1] and len(states) > 1 else [*states, states[0]]
    try:
        for state, new in pairwise(closed):
            if not play.is_legal(state):
                return f"{state} of the cycle is not legal"
            moves = play.moves(state, _CYCLE_MOVES, rng)
            if moves.complete and new not in {move.after for move in moves.moves}:
                return f"no move leads from {state} of the cycle to {new}"
    except Undecided:
        pass
    return ""

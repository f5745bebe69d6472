"""Right answers made wrong, for ``verify``, which has to refute each.

A mutation is known to be wrong where the judge finds a legal state on which it says otherwise
than the right answer, or plays what does not win.  Where no such state is found, nothing is asked
of the verdict.
"""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import icgsynth as icg
from experiments.adversary.attempt import RULES
from experiments.adversary.games import LIMITS
from experiments.attempts import Outcome, crashed
from experiments.judge.claims import Answer, FalseClaim, wrong_at
from experiments.judge.meaning import PLAIN
from experiments.judge.play import Play, State
from experiments.judge.reading import parsed, read_rules
from experiments.judge.states import far_states, state_with
from experiments.measure import ROOT
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.prove.certificate import certify
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

__all__ = [
    "GAMES",
    "MUTATIONS",
    "certified",
    "known_wrong",
    "mutated",
    "mutations",
    "right_answer",
    "said_by_command",
]

_SECONDS = 3.0
_GIVEN = 6.0  # seconds to find the right answer
_STATES = 60  # at which a mutant is compared with the right answer
_COMMANDS = 25  # one mutant in so many is put to the command as well
_CODES = {0: "proved", 3: "refuted", 4: "unknown"}
Data = dict[str, Any]

# Of the catalog; none has an action of two parameters.
GAMES = (
    "nim2",
    "chomp_2row",
    "take_away",
    "subtraction_23",
    "subtraction_134",
    "subtraction2",
    "odd_only",
    "monotonic_nim2",
    "circular_nim_2_2",
    "modular_nim2",
    "nim3",
    "wythoff",
)


@lru_cache(maxsize=256)
def right_answer(spec: str, rule: str) -> tuple[str, Data] | None:
    """The rules and the proved solution of a game of the catalog, or of the text of a game."""
    loaded = icg.load(spec) if spec in GAMES else icg.loads(spec)
    solution = loaded.solve(rule, timeout=_GIVEN)  # type: ignore[arg-type]
    if not solution.is_proved:
        return None
    # The constants stand in the rules by their values.
    return str(loaded.game), solution.to_json() | {"constants": {}}


def mutations(rng: random.Random) -> Outcome:
    """One mutation of one answer."""
    return mutated(rng.choice(GAMES) if rng.random() < 0.7 else _random_game(rng), rng)


def mutated(spec: str, rng: random.Random) -> Outcome:
    """One mutation of the answer for ``spec``, a game of the catalog or the text of one."""
    try:
        found = right_answer(spec, rng.choice(RULES))
    except IcgError:
        return Outcome("unknown")
    except Exception:
        return crashed(spec)
    if found is None:
        return Outcome("unknown")
    text, right = found
    name = rng.choice(tuple(MUTATIONS))
    mutant = copy.deepcopy(right)
    play = Play(read_rules(text))
    if not MUTATIONS[name](mutant, play, rng):
        return Outcome("refused")
    return _put(play, text, right, mutant, name, rng)


def _random_game(rng: random.Random) -> str:
    """Take-away with some numbers, or with a limit on either of two piles."""
    if rng.random() < 0.5:
        numbers = sorted({1, *rng.choices(range(2, 9), k=2)})
        pre = f"k in {{{', '.join(map(str, numbers))}}} and k <= v"
        return f"game random var v legal v >= 0 action take(k) pre {pre} eff v := v - k"
    take = "action take_{0}(k) pre 1 <= k <= {0} and k <= {1} eff {0} := {0} - k"
    most = rng.randint(1, 5)
    actions = " ".join(take.format(pile, most) for pile in "ab")
    return f"game random var a, b legal a >= 0 and b >= 0 {actions}"


def _put(
    play: Play, text: str, right: Data, mutant: Data, name: str, rng: random.Random
) -> Outcome:
    """What ``verify`` says of the mutant."""
    shown = f"{text}\n{name}\n{json.dumps(mutant)}"
    try:
        verdict = certified(text, mutant)
        if rng.randrange(_COMMANDS) == 0:
            by_command = said_by_command(text, mutant)
            verdict = "proved" if by_command == "proved" else verdict
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(shown)
    if verdict != "proved":
        return Outcome(verdict, 1)
    looked_at, wrong = known_wrong(play, right, mutant, rng)
    return Outcome(verdict, looked_at, wrong and f"{name}: {wrong}", shown if wrong else "")


def certified(text: str, mutant: Data) -> str:
    game = icg.loads(text).game
    solution = read_solution(Source("mutant.json", json.dumps(mutant)), game)
    return certify(solution, Budget(_SECONDS)).verdict


def said_by_command(text: str, mutant: Data) -> str:
    with tempfile.TemporaryDirectory() as folder:
        rules, answer = Path(folder) / "game.icg", Path(folder) / "mutant.json"
        rules.write_text(text, "utf-8")
        answer.write_text(json.dumps(mutant), "utf-8")
        command = [sys.executable, "-m", "icgsynth", "verify", str(rules), str(answer)]
        options = ["--quiet", f"--timeout={_SECONDS:g}"]
        done = subprocess.run(
            [*command, *options], cwd=ROOT, capture_output=True, text=True, check=False
        )
    if done.returncode not in _CODES:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-500:]}")
    return _CODES[done.returncode]


def known_wrong(play: Play, right: Data, mutant: Data, rng: random.Random) -> tuple[int, str]:
    """How many states were looked at, and what is wrong with the mutant; empty if nothing is."""
    before = Answer.of_json(right, ())
    after = Answer.of_json(mutant, ("winning", "strategy", "cover"))
    planted = [tuple(state) for state in mutant.get("planted", ())]
    formulas = [*before.formulas(), *after.formulas()]
    states = [*planted, *far_states(play, formulas, _STATES, rng)]
    for looked_at, state in enumerate(states, 1):
        try:
            if before.said(play, state) != after.said(play, state):
                return looked_at, f"another player wins at {state}"
            wrong_at(play, after, state, rng)
        except FalseClaim as wrong:
            return looked_at, str(wrong)
    return len(states), ""


# --- the mutations: each changes the solution in place, or returns False -----------------------


def _losing(data: Data, formula: str) -> bool:
    """State that these are the losing states, and nothing else but the strategy."""
    data["losing"] = {"formula": formula}
    data["winning"] = {"formula": f"not ({formula})"}
    data["cover"], data["fft"] = [], []
    data.pop("automaton" if data["logic"] == "lia" else "", None)
    return True


def _of(data: Data) -> str:
    return str(data["losing"]["formula"])


def _far_state(play: Play, data: Data, rng: random.Random) -> State | None:
    """A legal state that is not small."""
    answer = Answer.of_json(data, ())
    for state in far_states(play, tuple(answer.formulas()), 12, rng):
        if max(map(abs, state)) > 100:
            return state
    return None


def _at(play: Play, state: State) -> str:
    pairs = zip(play.rules.variables, state, strict=True)
    return " and ".join(f"{name} = {number}" for name, number in pairs)


def _far_exception(data: Data, play: Play, rng: random.Random) -> bool:
    """One far state changes sides."""
    state = _far_state(play, data, rng)
    if state is None:
        return False
    data["planted"] = [list(state)]
    place = _at(play, state)
    if rng.random() < 0.4:  # said once more, with huge coefficients
        factor = rng.choice(LIMITS)
        total = " + ".join(f"{factor}*{name}" for name in play.rules.variables)
        place += f" and {total} >= {factor * sum(state)}"
    return _losing(data, f"({_of(data)}) <-> not ({place})")


def _far_congruence(data: Data, play: Play, rng: random.Random) -> bool:
    """From a far place on, an integer of the formula is another one."""
    changed = _with_integer(_of(data), rng)
    if changed is None:
        return False
    name = rng.choice(play.rules.variables)
    place = _place(rng)
    return _losing(
        data, f"({name} < {place} and ({_of(data)})) or ({name} >= {place} and ({changed}))"
    )


def _place(rng: random.Random) -> int:
    return rng.choice((100, 1000, 10 ** rng.randint(3, 30), *LIMITS)) + rng.randrange(100)


def _with_integer(text: str, rng: random.Random) -> str | None:
    """``text`` with one integer that is one more or less."""
    places = list(re.finditer(r"(?<![\w])[0-9]+", text))
    if not places:
        return None
    place = rng.choice(places)
    number = max(0, int(place[0]) + rng.choice((-1, 1)))
    return f"{text[: place.start()]}{number}{text[place.end() :]}"


def _moved(data: Data, play: Play, rng: random.Random) -> bool:
    """A boundary, modulus, remainder or coefficient moves by one."""
    changed = _with_integer(_of(data), rng)
    return changed is not None and _losing(data, changed)


def _swapped(data: Data, play: Play, rng: random.Random) -> bool:
    """Another comparison."""
    places = list(re.finditer(r"<=|>=|!=|=|<|>", _of(data)))
    if not places:
        return False
    place = rng.choice(places)
    sign = rng.choice([s for s in ("<=", ">=", "!=", "=", "<", ">") if s != place[0]])
    text = _of(data)
    return _losing(data, f"{text[: place.start()]}{sign}{text[place.end() :]}")


def _quantified(data: Data, play: Play, rng: random.Random) -> bool:
    """A far exception that a quantifier says."""
    name = rng.choice(play.rules.variables)
    modulus, factor = rng.randint(2, 9), rng.randint(2, 7)
    shift = rng.choice((97, 1000, 10**6 + 7))
    inside = f"q mod {modulus} {rng.choice(('=', '>=', '<='))} {rng.randrange(1, modulus)}"
    exception = f"(exists q. {inside} and {factor}*q = {name} - {shift} and q >= 0)"
    holds = parsed(exception)
    numbers = range(shift + 61, shift + 61 + 2 * modulus * factor)
    hit = [n for n in numbers if PLAIN.truth(holds, {name: n})]
    states = [state_with(play, name, number, rng) for number in hit * 3]
    data["planted"] = [list(state) for state in states if state is not None]
    if rng.random() < 0.5:
        return _losing(data, f"({_of(data)}) and not {exception}")
    return _losing(data, f"({_of(data)}) or ({exception} and {name} > {shift + 60})")


def _argument(data: Data, play: Play, rng: random.Random) -> bool:
    """From a far place on, the strategy plays something else."""
    pairs = [pair for pair in data["strategy"] if pair.get("args")]
    if not pairs:
        return False
    pair = rng.choice(pairs)
    key = rng.choice(sorted(pair["args"]))
    term, name = pair["args"][key], rng.choice(play.rules.variables)
    change = rng.choice(("+ 1", "- 1"))
    pair["args"][key] = f"if {name} >= {_place(rng)} then {term} {change} else {term}"
    data["cover"], data["fft"] = [], []
    return True


def _condition(data: Data, play: Play, rng: random.Random) -> bool:
    """The strategy has no move at a far state, or one too many."""
    state = _far_state(play, data, rng)
    if state is None or not data["strategy"]:
        return False
    pair = rng.choice(data["strategy"])
    pair["when"] = f"({pair['when']}) <-> not ({_at(play, state)})"
    data["planted"] = [list(state)]
    data["cover"], data["fft"] = [], []
    return True


def _cover(data: Data, play: Play, rng: random.Random) -> bool:
    """A cell is missing, or another one."""
    if not data["cover"]:
        return False
    cell = rng.randrange(len(data["cover"]))
    state = _far_state(play, data, rng)
    if rng.random() < 0.5 and state is not None:
        data["cover"][cell] = f"({data['cover'][cell]}) <-> not ({_at(play, state)})"
        data["planted"] = [list(state)]
    elif len(data["cover"]) > 1:
        del data["cover"][cell]
    data["fft"] = []
    return True


MUTATIONS: dict[str, Callable[[Data, Play, random.Random], bool]] = {
    "far exception": _far_exception,
    "far congruence": _far_congruence,
    "boundary moved": _moved,
    "comparison swapped": _swapped,
    "quantified exception": _quantified,
    "strategy argument": _argument,
    "strategy condition": _condition,
    "cover": _cover,
}

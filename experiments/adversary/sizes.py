"""Games on which a program may stumble over sizes: states far from 0, tiny games, large rules."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from experiments.adversary.attempt import RULES, solve_and_judge
from experiments.attempts import Outcome
from experiments.judge.graph import box, explored, outcomes
from experiments.judge.play import Play, State
from experiments.judge.reading import read_rules
from experiments.measure import ROOT

__all__ = ["large", "large_game", "offset_game", "offsets", "tiny", "tiny_game", "wrong_by_command"]

_SECONDS = 4.0
_COMMANDS = 4  # one game in so many is put to a command as well
_STATES = 900  # integer points of the largest box of a game here
_MOVES = 4_000
_PATIENCE = 30.0  # seconds past its time, on a busy machine, after which a command hangs
_CODES = (0, 2, 3, 4)
_OFFSETS = (5_000, 10**6, 2**31, 2**53, 2**60, 2**62, 2**63, 2**64, 10**20, 10**30, 10**400)


# --- far from 0 ----------------------------------------------------------------------------------


def offsets(rng: random.Random) -> Outcome:
    """A game of few states, all of them far from 0."""
    return _attempted(offset_game(rng), rng)


def offset_game(rng: random.Random) -> str:
    """One pile or two, each with some numbers above or below an offset."""
    names = "a" if rng.random() < 0.7 else "ab"
    widest = 40 if names == "a" else 9
    lows = [rng.choice((1, 1, -1)) * rng.choice(_OFFSETS) + rng.randint(-9, 9) for _ in names]
    if names == "ab" and rng.random() < 0.5:
        lows[1] = 0
    parts = [
        f"{low} <= {name} <= {low + rng.randint(0, widest)}"
        for name, low in zip(names, lows, strict=True)
    ]
    actions: list[str] = []
    for name, low in zip(names, lows, strict=True):
        sign = rng.choice("--+")
        pre = f"1 <= k <= {rng.randint(1, 5)}"
        modulus = rng.randint(2, 5)
        more = (
            "",
            "",
            f" and {name} mod {modulus} != {rng.randrange(modulus)}",
            f" and {name} {rng.choice(('<', '>', '!='))} {low + rng.randint(0, 12)}",
            f" and k != {name} - {low}",
        )
        actions.append(
            f"action m_{name}(k) pre {pre}{rng.choice(more)} eff {name} := {name} {sign} k"
        )
    return f"game offset var {', '.join(names)} legal {' and '.join(parts)} {' '.join(actions)}"


# --- tiny ----------------------------------------------------------------------------------------


def tiny(rng: random.Random) -> Outcome:
    """A game of a handful of states, in which all may be lost, or won, or without a move."""
    return _attempted(tiny_game(rng), rng)


def tiny_game(rng: random.Random) -> str:
    """One variable or two, one or two actions; some games have one state, or no move at all."""
    names = "p" if rng.random() < 0.75 else "pq"
    lows = [rng.choice((0, 0, 1, 1, -3)) for _ in names]
    ends = [rng.choice((None, low, low + 1, low + rng.randint(1, 6))) for low in lows]
    parts = [
        f"{name} >= {low}" if end is None else f"{low} <= {name} <= {end}"
        for name, low, end in zip(names, lows, ends, strict=True)
    ]
    if rng.random() < 0.2:
        parts.append(f"{names[0]} mod 2 = {rng.randint(0, 1)}")
    declared = f" end {names[0]} <= {rng.randint(-1, 3)}" if rng.random() < 0.2 else ""
    actions = [_tiny_action(rng, number, names) for number in range(rng.randint(1, 2))]
    legal = " and ".join(parts)
    return f"game tiny var {', '.join(names)} legal {legal}{declared} {' '.join(actions)}"


def _tiny_action(rng: random.Random, number: int, names: str) -> str:
    name = rng.choice(names)
    if rng.random() < 0.2:
        pre = rng.choice(("false", f"{name} = {rng.randint(0, 3)}", "true"))
        effect = rng.choice(("0", "1", f"{name} - 1", f"{names[-1]} - 1"))
        return f"action s{number} pre {pre} eff {name} := {effect}"
    low = rng.randint(1, 3)
    limit = rng.choice((f"{name} < {rng.randint(1, 20)}", f"k <= {name}", f"{name} > {2 * low}"))
    effect = rng.choice(
        (f"{name} - k", f"{name} - k", f"k * {name}", f"{name} div 2", f"k - {name}")
    )
    pre = f"{low} <= k <= {low + rng.choice((0, 1, 2, 7))} and {limit}"
    return f"action m{number}(k) pre {pre} eff {name} := {effect}"


def _attempted(text: str, rng: random.Random) -> Outcome:
    """The game solved and judged; one in some is put to a command as well."""
    rule = rng.choice(RULES)
    found = solve_and_judge(text, rule, rng, _SECONDS, cells=_STATES, far=5)
    if found.verdict in ("crash", "late", "refused") or found.is_false or rng.randrange(_COMMANDS):
        return found
    wrong = wrong_by_command(text, rule, rng)
    if "Traceback" in wrong or "exit code" in wrong or "hangs" in wrong:
        return Outcome("crash", found.checked, wrong, f"{text}\nrule {rule}")
    return found if not wrong else Outcome("proved", found.checked, wrong, f"{text}\nrule {rule}")


# --- commands ------------------------------------------------------------------------------------


def wrong_by_command(text: str, rule: str, rng: random.Random) -> str:
    """What is wrong with what one command says of the states of a box; empty if nothing is."""
    play = Play(read_rules(text))
    graph = explored(play, box(play, _STATES), _MOVES, rng)
    winners = outcomes(graph, rule)
    state = rng.choice(list(graph.moves)) if graph.moves else None
    verbs = ["table", "check", "family", "export"]
    verbs += ["solve --at", "value --at", "value", "play", "verify"] if state is not None else []
    verb = rng.choice(verbs)
    code, said = _asked(verb, text, rule, state)
    if code not in _CODES:
        return f"{verb}: {'it hangs' if code is None else f'exit code {code}'}: {said[-600:]}"
    if "Traceback" in said:
        return f"{verb}: {said[-600:]}"
    if code == 0 and verb == "table":
        return _wrong_table(json.loads(said), winners)
    if state is None or state not in winners or code != 0 or not verb.endswith("--at"):
        return ""
    answer = json.loads(said)
    if verb == "solve --at" and answer.get("proved") and not answer.get("drawn"):
        return _differs(state, "won" if answer["winning"] else "lost", winners)
    if verb == "value --at" and answer.get("proved"):
        normal = outcomes(graph, "normal")
        return _differs(state, "won" if answer["value"] else "lost", normal)
    return ""


def _wrong_table(value: dict[str, Any], winners: dict[State, str]) -> str:
    words = {"winning": "won", "losing": "lost"}
    for row in value["states"]:
        state = tuple(row["state"])
        said = words.get(row["outcome"])
        if said is not None and (wrong := _differs(state, said, winners)):
            return wrong
    return ""


def _differs(state: State, said: str, winners: dict[State, str]) -> str:
    right = winners.get(state, said)
    return "" if said == right else f"{state} is {right}, and {said} is said"


def _asked(verb: str, text: str, rule: str, state: State | None) -> tuple[int | None, str]:
    """The exit code, None where the command hangs, and what it said."""
    at = "" if state is None else ",".join(map(str, state))
    more = {
        "table": ["--json", "--rule", rule],
        "check": ["--json"],
        "family": ["--rule", rule],
        "export": ["--to", "python"],
        "solve --at": [f"--at={at}", "--json", "--rule", rule],
        "value --at": [f"--at={at}", "--json"],
        "value": ["--table", "-"],
        "play": [f"--start={at}", "--rule", rule],
        "verify": ["--losing", "false", "--rule", rule],
    }[verb]
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "game.icg"
        rules.write_text(text, "utf-8")
        budget = [] if verb == "export" else [f"--timeout={_SECONDS:g}"]
        command = [sys.executable, "-m", "icgsynth", verb.split()[0], str(rules), *more, *budget]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
                timeout=_SECONDS + _PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return None, ""
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr


# --- large rules ---------------------------------------------------------------------------------


def large(rng: random.Random) -> Outcome:
    """Rules of hundreds of variables, actions, parameters or digits: no answer is false or late."""
    text = large_game(rng)
    rule = rng.choice(RULES)
    verb = rng.choice(("check", "solve", "value", "table", "verify", "play", "solve --at"))
    state = tuple(1 for _ in read_rules(text).variables)
    if verb == "solve":
        verb, state = "solve --at", state
    code, said = _asked(verb, text, rule, state)
    if code is None or code not in _CODES or "Traceback" in said:
        wrong = "it hangs" if code is None else f"exit code {code}: {said[-600:]}"
        return Outcome("crash", 1, f"{verb}: {wrong}", text)
    return Outcome({0: "proved", 3: "refuted", 2: "refused", 4: "unknown"}[code], 1)


def large_game(rng: random.Random) -> str:
    """Take-away that is large in one way."""
    count = rng.choice((33, 64, 65, 66, 100, 300, 400, 1_000))
    kind = rng.choice(("variables", "fixed", "actions", "parameters", "digits"))
    if kind == "actions":
        moves = [f"action t{i} pre v >= {i} eff v := v - {i}" for i in range(1, count + 1)]
        return f"game large var v legal v >= 0 {' '.join(moves)}"
    if kind == "parameters":
        names = [f"k{i}" for i in range(min(count, 200))]
        ranges = " and ".join(f"0 <= {name} <= 1" for name in names)
        pre = f"{ranges} and 1 <= {' + '.join(names)} <= v"
        choose = f"action t({', '.join(names)}) pre {pre} eff v := v - {' - '.join(names)}"
        return f"game large var v legal v >= 0 {choose}"
    if kind == "digits":
        number = 10 ** rng.choice((19, 100, 308, 309, 400, 900))
        pre = rng.choice(
            (f"1 <= k <= {number}", f"k in {{1, {number}}}", f"{number} * k <= v and k >= 1")
        )
        return f"game large var v legal v >= 0 action t(k) pre {pre} and k <= v eff v := v - k"
    names = [f"p{i}" for i in range(count)]
    legal = [f"{name} >= 0" for name in names]
    moved = names
    if kind == "fixed":
        moved, legal = names[:1], [f"0 <= {names[0]} <= 9", *(f"{name} = 1" for name in names[1:])]
    moves = [f"action t{i}(k) pre 1 <= k <= {p} eff {p} := {p} - k" for i, p in enumerate(moved)]
    return f"game large var {', '.join(names)} legal {' and '.join(legal)} {' '.join(moves)}"

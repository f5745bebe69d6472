"""Answers in every format, played against the rules as they were written."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import icgsynth as icg
from experiments.adversary.attempt import RULES
from experiments.adversary.pages import NODE, asked_of_page
from experiments.adversary.same_game import (
    different_module,
    different_page,
    different_rules,
    rules_in_words,
)
from experiments.attempts import Outcome, crashed
from experiments.fuzz.exports import wrong_asp, wrong_module
from experiments.fuzz.grammar import rules
from experiments.judge.claims import Answer
from experiments.judge.meaning import Undecided
from experiments.judge.play import Play, State
from experiments.judge.reading import read_rules
from experiments.judge.states import far_states
from icgsynth.errors import IcgError
from icgsynth.export import FORMATS, export
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.logic import term as t
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer

__all__ = ["answers", "digit_values", "texts", "without_answer", "wrong_formats", "wrong_page"]

_SECONDS = 2.5
_ASKED = 60  # questions of one text
_BOX = {1: 25, 2: 6, 3: 3}  # the largest number of states near 0, by variables
_PLAYED, _FAR = 40, 10  # states, near and far
_TOGETHER = ("python", "html", "asp", "smt2", "latex", "dot", "walnut", "fft", "json")
_VALUED = 16  # the largest number of states whose value is found by definition


def without_answer(game: ParametricGame) -> Solution:
    """An answer that claims nothing: what is printed of it are the rules."""
    return Solution(game, "normal", "unknown", winning=Claim(t.FALSE), losing=Claim(t.TRUE))


def texts(rng: random.Random) -> Outcome:
    """A game's rules read back, as a module and on a page: nothing is solved."""
    text = rules_in_words(rng)
    try:
        game = icg.loads(text).game
    except IcgError:
        return Outcome("refused")
    play = Play(read_rules(text))
    bare = without_answer(game)
    forms: list[Callable[[], str]] = [
        lambda: different_rules(play, game, str(game), rng, _ASKED),
        lambda: different_module(play, game, export(bare, "python"), rng, _ASKED),
        lambda: different_page(play, game, export(bare, "html"), rng, _ASKED) if NODE else "",
    ]
    for told in forms:
        try:
            wrong = told()
        except IcgError:  # no state has a move
            continue
        except Exception:
            return crashed(text)
        if wrong:
            return Outcome("proved", _ASKED, wrong, text)
    return Outcome("proved", len(forms) * _ASKED)


def answers(rng: random.Random) -> Outcome:
    """An answer in every format, from what was solved and from its file."""
    text, rule = rng.choice((rules, rules_in_words))(rng), rng.choice(RULES)
    try:
        solution = icg.loads(text).solve(rule, timeout=_SECONDS)  # type: ignore[arg-type]
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(text)
    if solution.winning is None or solution.losing is None or solution.draws is not None:
        return Outcome("unknown")
    play = Play(read_rules(text))
    shown = f"{text}\nrule {rule}\nlosing {solution.losing.formula}"
    try:
        wrong = wrong_formats(solution, play, rng)
    except Undecided:
        return Outcome("unknown")
    except Exception:
        return crashed(shown)
    return Outcome("proved", len(FORMATS), wrong, shown if wrong else "")


def wrong_formats(solution: Solution, play: Play, rng: random.Random) -> str:
    """What is wrong with one of the formats of an answer; empty if nothing is."""
    data = json.loads(json.dumps(solution.to_json()))
    if wrong := different_rules(play, solution.game, data["rules"], rng, _ASKED):
        return f"the rules of the file: {wrong}"
    again = read_solution(Source("answer.json", json.dumps(data)))
    made: dict[str, str] = {}
    for fmt in _TOGETHER:
        told = [_text(one, fmt) for one in (solution, solution, again)]
        if len(set(told)) > 1:
            return f"as {fmt} the same answer has several texts"
        if told[0] is not None:
            made[fmt] = told[0]
    if not solution.is_proved or solution.written is not None:
        return ""
    # The same game; in its text a list of a named set says up to where it goes.
    play, answer = Play(read_rules(data["rules"])), Answer.of_json(data)
    checks: Mapping[str, Callable[[str], str]] = {
        "python": lambda text: wrong_module(text, play, answer, rng),
        "html": lambda text: wrong_page(text, play, answer, rng) if NODE else "",
        "asp": lambda text: wrong_asp(text, play, answer),
    }
    for fmt, check in checks.items():
        if fmt in made and (wrong := check(made[fmt])):
            return f"as {fmt}: {wrong}"
    return ""


def _text(solution: Solution, fmt: str) -> str | None:
    try:
        return export(solution, fmt)
    except IcgError:
        return None  # this format cannot say it


def wrong_page(text: str, play: Play, answer: Answer, rng: random.Random) -> str:
    """What is wrong with what a page says of states near 0 and far off, and with its moves."""
    count = len(play.rules.variables)
    near = list(product(range(-2, _BOX.get(count, 2)), repeat=count))
    states = rng.sample(near, min(_PLAYED, len(near)))
    states += far_states(play, tuple(answer.formulas()), _FAR, rng)
    said = asked_of_page(text, [(state, "", {}) for state in states])
    for state, found in zip(states, said["answers"], strict=True):
        if isinstance(found, str):
            return f"{state}: {found}"
        if fault := _fault(play, answer, state, found):
            return f"{state}: {fault}"
    return ""


def _fault(play: Play, answer: Answer, state: State, found: Mapping[str, Any]) -> str:
    if found["legal"] != play.legal(*state):
        return f"legal is {found['legal']}"
    if not found["legal"]:
        return ""
    if found["end"] != play.ended(*state):
        return f"the end is {found['end']}"
    label = answer.said(play, state)
    if found["wins"] != (label == "won"):
        return f"wins is {found['wins']}, and it is {label}"
    if found["after"] is None or label != "won":
        return ""
    after = tuple(map(int, found["after"]))
    if answer.said(play, after) != "lost":
        return f"the page moves to {after}, which does not win"
    return ""


# --- values --------------------------------------------------------------------------------------


def digit_values(rng: random.Random) -> Outcome:
    """Grundy values as a file and as a module, against the values by definition."""
    text = rules_in_words(rng)
    try:
        found = icg.loads(text).values(timeout=_SECONDS)
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(text)
    if not isinstance(found, GrundyAnswer) or found.value is None:
        return Outcome("unknown")
    shown = f"{text}\nvalue {found.value}"
    try:
        wrong = _wrong_values(found, Play(read_rules(text)), rng)
    except Undecided:
        return Outcome("unknown")
    except Exception:
        return crashed(shown)
    return Outcome("proved", _VALUED, wrong, shown if wrong else "")


def _wrong_values(found: GrundyAnswer, play: Play, rng: random.Random) -> str:
    data = json.dumps(found.to_json())
    if wrong := different_rules(play, found.game, found.to_json()["rules"], rng, _ASKED):
        return f"the rules of the file: {wrong}"
    again = read_value_answer(Source("value.json", data))
    text = export(found, "python")
    if text != export(again, "python"):
        return "as python the same values have two texts"
    if wrong := different_module(play, found.game, text, rng, _ASKED):
        return f"as python: {wrong}"
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), module)
    known: dict[State, int] = {}
    box = product(range(_VALUED), repeat=len(play.rules.variables))
    for state in sorted(box, key=lambda each: (sum(each), each)):
        if play.legal(*state) and found.game.is_legal(state):
            right = _value(play, state, known)
            if module["value"](*state) != right:
                return f"the value of {state} is {module['value'](*state)}, not {right}"
    return ""


def _value(play: Play, state: State, known: dict[State, int]) -> int:
    """By definition: the least number that is no value of an option."""
    if state not in known:
        moves = play.moves(state, 10_000, random.Random(0)).moves
        options = {_value(play, move.after, known) for move in moves}
        known[state] = next(n for n in range(len(options) + 1) if n not in options)
    return known[state]

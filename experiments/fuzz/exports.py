"""Every export of a solution, played or read against the answer that it was made from."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

from experiments.judge.claims import Answer, module_fault
from experiments.judge.meaning import Undecided
from experiments.judge.play import Play, State
from experiments.judge.states import far_states
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.export import FORMATS, export
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Solution
from icgsynth.prove.certificate import certify
from icgsynth.prove.crosscheck import cross_check

__all__ = ["wrong_asp", "wrong_export", "wrong_module"]

_NEAR = 12  # coordinates up to which a module is played
_PLAYED, _FAR = 40, 10  # states, near and far
_BOX = {1: 30, 2: 5, 3: 2}  # the largest coordinate in a box of clingo's, by variables
_SECONDS = 3.0  # for a second proof


def wrong_export(solution: Solution, play: Play, answer: Answer, rng: random.Random) -> str:
    """What is wrong with one of the formats, or with a second proof; empty if nothing is."""
    texts: dict[str, str] = {}
    for name in FORMATS:
        try:
            texts[name] = export(solution, name)
        except IcgError:
            continue  # this format cannot say it
    if "python" in texts and (wrong := wrong_module(texts["python"], play, answer, rng)):
        return f"as Python: {wrong}"
    if "asp" in texts and (wrong := wrong_asp(texts["asp"], play, answer)):
        return f"as ASP: {wrong}"
    if "json" in texts and json.loads(texts["json"]) != json.loads(json.dumps(solution.to_json())):
        return "as JSON it is another"
    return _disputed(solution)


def _disputed(solution: Solution) -> str:
    """What ``verify``, and cvc5 after it, say against a solution that calls itself solved."""
    if not solution.is_proved:
        return ""
    certificate = certify(solution, Budget(_SECONDS))
    if certificate.refuted:
        return f"verify refutes {', '.join(certificate.refuted)}"
    opinion = cross_check(certificate, Budget(_SECONDS))
    if opinion.verdict is Verdict.REFUTED:
        return f"{opinion.solver} disagrees: {'; '.join(opinion.disputes)}"
    return ""


def wrong_module(text: str, play: Play, answer: Answer, rng: random.Random) -> str:
    """What is wrong with the Python module, at states near 0 and far off."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), module)
    near = list(product(range(-3, _NEAR), repeat=len(play.rules.variables)))
    states = rng.sample(near, min(_PLAYED, len(near)))
    states += far_states(play, tuple(answer.formulas()), _FAR, rng)
    with_moves = "strategy" in answer.claimed
    for state in states:
        try:
            fault = module_fault(module, play, state, partial(answer.said, play), with_moves)
        except Undecided:
            continue
        if fault:
            return fault
    return ""


def wrong_asp(text: str, play: Play, answer: Answer) -> str:
    """What clingo says otherwise of a small box."""
    import clingo

    names = play.rules.variables
    bound = _BOX[len(names)]
    control = clingo.Control(["-c", f"n={bound}"], logger=lambda code, message: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        shown = list(handle.model().symbols(shown=True))
    said: dict[State, set[str]] = {}
    for symbol in shown:
        state = tuple(argument.number for argument in symbol.arguments[: len(names)])
        said.setdefault(state, set()).add(symbol.name)
    for state in product(range(-bound, bound + 1), repeat=len(names)):
        words = said.get(state, set()) - {"move"}
        if words != _expected(play, answer, state):
            return f"{state}: {' and '.join(sorted(words)) or 'not legal'}"
    return ""


def _expected(play: Play, answer: Answer, state: Sequence[int]) -> set[str]:
    if not play.legal(*state):
        return set()
    return {"winning" if answer.said(play, tuple(state)) == "won" else "losing"}

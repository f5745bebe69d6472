"""The formats that Grundy values are written in: functions of games, and nim sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from icgsynth.coq.function_file import heaps_coq
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import InputError, Refused
from icgsynth.export.asp import asp
from icgsynth.export.automata import mona, walnut
from icgsynth.export.dot import dot
from icgsynth.export.heap_report import heap_game_report, heap_report
from icgsynth.export.heap_table import bfile
from icgsynth.export.json import answer_json
from icgsynth.export.latex import value_latex
from icgsynth.export.report import Report
from icgsynth.export.smt2 import smt2
from icgsynth.export.strategy_formats import html
from icgsynth.export.value_python import heap_module, value_module
from icgsynth.export.value_report import value_report
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy, TargetRule, renamed
from icgsynth.game.value_forms import is_term, power_of, value_logic
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation


def as_losing_set(answer: GrundyAnswer) -> Solution:
    """The same claim on the game beside a Nim heap, its last variable: lost where that is the
    value.  :class:`~icgsynth.errors.InputError` where the value cannot be said so."""
    game, value = beside_heap(answer.game), answer.value
    if value is None:
        raise Refused(f"no Grundy function of {answer.game.name} is known: nothing to export")
    if power_of(value) or not (isinstance(value, Automaton) or is_term(value)):
        message = f"this format cannot say the values of {answer.game.name}"
        raise InputError(message, mend="export to python, latex or json instead")
    names = tuple(map(t.Name, game.variables))
    losing: t.Formula
    if isinstance(value, Automaton):
        value = replace(value, tracks=game.variables)
        losing = t.Recognised(value, names, LOSING_SET)
    else:
        losing = t.compare(names[-1], "=", value)
    solved = answer.status == "solved"
    return Solution(
        game=replace(game, title=f"{answer.game.title or answer.game.name}, beside a Nim heap"),
        rule="normal",
        status="solved" if solved else "unknown",
        winning=Claim(negation(losing)),
        losing=Claim(losing),
        strategy=_beside(answer),
        ranking=(*answer.ranking, names[-1]) if answer.ranking else (),
        automaton=value if isinstance(value, Automaton) else None,
        logic=value_logic(value),
    )


def _beside(answer: GrundyAnswer) -> Strategy[Rule | TargetRule]:
    """How to win beside the heap, where that can be said by rules."""
    game, term = beside_heap(answer.game), answer.term
    if term is None or not answer.strategy:
        return Strategy()
    heap, action = t.Name(game.variables[-1]), game.actions[-1]
    rest = SemiGroundAction(action.name, ((action.parameters[0], t.Sum((heap, t.Neg(term)))),))
    rules: list[Rule | TargetRule] = [Rule(t.compare(heap, ">", term), rest)]
    falls = t.compare(heap, "<", term)
    for rule in answer.strategy:
        here = renamed(rule, {answer.target: heap.name})
        rules.append(replace(here, when=conjunction(dict.fromkeys((falls, here.when)))))
    return Strategy(tuple(rules))


def _through(write: Callable[[Solution], str]) -> Callable[[GrundyAnswer], str]:
    """What writes the losing set of the game beside a heap."""

    def written(answer: GrundyAnswer) -> str:
        solution = as_losing_set(answer)
        try:
            return write(solution)
        except InputError as error:
            mend = "export to python, html, latex, dot, coq or json instead"
            raise InputError(error.message, mend=mend) from None

    return written


def _coq(answer: GrundyAnswer) -> str:
    from icgsynth.coq.function_file import value_coq  # late: no other format needs a solver

    return value_coq(answer)


_VALUE_WRITERS: Mapping[str, Callable[[GrundyAnswer], str]] = {
    "python": value_module,
    "html": _through(html),
    "latex": value_latex,
    "smt2": _through(smt2),
    "asp": _through(asp),
    "dot": _through(dot),
    "walnut": _through(walnut),
    "mona": _through(mona),
    "coq": _coq,
    "json": answer_json,
    "bfile": bfile,
}
_HEAP_WRITERS = {
    "python": heap_module,
    "latex": value_latex,
    "coq": heaps_coq,
    "json": answer_json,
    "bfile": bfile,
}


def _of_rules(
    of_period: Callable[[HeapGameAnswer], str], of_function: Callable[[GrundyAnswer], str]
) -> Callable[[HeapGameAnswer], str]:
    """What writes values of heaps by rules: a period, or the function of one heap."""
    return lambda a: of_period(a) if a.function is None else of_function(a.of_one_heap)


_RULES_WRITERS: Mapping[str, Callable[[HeapGameAnswer], str]] = {
    "python": _of_rules(heap_module, partial(value_module, has_moves=False)),
    "latex": _of_rules(value_latex, value_latex),
    "json": answer_json,
    "bfile": bfile,
}


def report(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> Report:
    """What is said of Grundy values."""
    if isinstance(answer, HeapGameAnswer):
        return heap_game_report(answer)
    return heap_report(answer) if isinstance(answer, HeapAnswer) else value_report(answer)


def writers(
    answer: GrundyAnswer | HeapAnswer | HeapGameAnswer,
) -> Mapping[str, Callable[[Any], str]]:
    """What writes Grundy values, by format."""
    if isinstance(answer, HeapGameAnswer):
        return _RULES_WRITERS
    return _HEAP_WRITERS if isinstance(answer, HeapAnswer) else _VALUE_WRITERS

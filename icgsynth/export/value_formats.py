"""The functions that write Grundy functions of games, by format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from icgsynth import wings
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import CannotExpress, InputError
from icgsynth.export.json import answer_json
from icgsynth.export.strategy_formats import of_wing
from icgsynth.export.value_report import value_report as report
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy, TargetRule, renamed
from icgsynth.game.value_forms import is_term, power_of, value_logic
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation


def as_losing_set(answer: GrundyAnswer) -> Solution:
    """Return Grundy values as a solution of the game's sum with a Nim heap, the last variable.

    A state is lost where the heap has the state's value.  CannotExpress where no values are known,
    :class:`~icgsynth.errors.InputError` for values that are no term or automaton.
    """
    game, value = beside_heap(answer.game), answer.value
    if value is None:
        raise CannotExpress(f"no Grundy function of {answer.game.name} is known: nothing to export")
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
    """Return the strategy of ``answer`` for the sum with a Nim heap; it is empty where the values
    are no term or have no rules."""
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
    def write_through(answer: GrundyAnswer) -> str:
        solution = as_losing_set(answer)
        try:
            return write(solution)
        except InputError as error:
            mend = "export to python, html, latex, dot, coq or json instead"
            raise InputError(error.message, mend=mend) from None

    return write_through


__all__ = ["as_losing_set", "report", "some_values", "writers"]

_VALUE_WRITERS: Mapping[str, Callable[[GrundyAnswer], str]] = {
    "python": of_wing("python", "value_module", "value writer"),
    "html": _through(of_wing("html", "impartial_page")),
    "latex": of_wing("latex", "value_latex"),
    "smt2": _through(of_wing("smt2", "smt2")),
    "asp": _through(of_wing("asp", "asp")),
    "dot": _through(of_wing("dot", "dot")),
    "walnut": _through(of_wing("walnut", "walnut")),
    "coq": of_wing("coq", "value"),
    "json": answer_json,
    "bfile": of_wing("bfile", "bfile", "value writer"),
}


def writers(answer: GrundyAnswer) -> Mapping[str, Callable[[Any], str]]:
    """Return the functions that write Grundy values as text, by the name of the format."""
    return _VALUE_WRITERS


def some_values(answer: GrundyAnswer, terms: int | None) -> str:
    """Return the first ``terms`` Grundy values as a b-file of the OEIS; None: as many as usual."""
    text: str = wings.require("value writer", "bfile").bfile(answer, terms)
    return text

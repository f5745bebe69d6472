"""The formats that answers of impartial games are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icgsynth.export.asp import asp
from icgsynth.export.automata import mona, walnut
from icgsynth.export.dot import dot
from icgsynth.export.header import header
from icgsynth.export.header import rules as rules_of
from icgsynth.export.json import answer_json
from icgsynth.export.latex import latex
from icgsynth.export.python import python_module
from icgsynth.export.report import Report
from icgsynth.export.smt2 import smt2
from icgsynth.export.solution_report import solution_report
from icgsynth.game.solution import Solution


def fft(solution: Solution) -> str:
    """The fast-and-frugal tree, or the strategy without one, as text that people read and write.

    One rule a line, the first that fits decides: ``if COND: action(terms)``, or ``action(terms)``
    alone; ``#`` starts a comment.
    """
    rules = solution.tree or rules_of(solution)
    lines = [f"# {line}" for line in header(solution)]
    lines += [
        "#",
        "# From the top, in a winning state: the first rule whose condition holds and whose",
        "# action applies gives the move.",
    ]
    if solution.rule == "misere":
        lines.append("# A winning state without any move is won already.")
    return "\n".join([*lines, "", *map(str, rules)]) + "\n"


def _coq(solution: Solution) -> str:
    from icgsynth.coq.coq_file import coq  # late: needs a solver

    return coq(solution)


def html(solution: Solution) -> str:
    """A page to play against the strategy."""
    from icgsynth.export.page.impartial_page import impartial_page

    return impartial_page(solution)


_WRITERS = {
    "fft": fft,
    "python": python_module,
    "html": html,
    "smt2": smt2,
    "latex": latex,
    "asp": asp,
    "dot": dot,
    "walnut": walnut,
    "mona": mona,
    "coq": _coq,
    "json": answer_json,
}


def report(answer: Solution) -> Report:
    """What is said of the answer of an impartial game."""
    return solution_report(answer)


def writers(answer: Solution) -> Mapping[str, Callable[[Solution], str]]:
    """What writes answers of impartial games, by format."""
    return _WRITERS

"""The functions that write answers of impartial games, by format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from icgsynth import wings
from icgsynth.export.header import header
from icgsynth.export.header import rules as rules_of
from icgsynth.export.json import answer_json
from icgsynth.export.solution_report import solution_report as report
from icgsynth.game.solution import Solution


def fft(solution: Solution) -> str:
    """Return the fast-and-frugal tree of ``solution``, else its strategy, as text of rules.

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


def of_wing(fmt: str, function: str, sort: str = "writer") -> Callable[[Any], str]:
    """Return a function that writes an answer as ``fmt`` by calling ``function`` of a module, the
    one that an optional folder of the package adds to ``sort`` under the name ``fmt``."""

    def write(answer: Any) -> str:
        text: str = getattr(wings.require(sort, fmt), function)(answer)
        return text

    return write


__all__ = ["fft", "of_wing", "report", "writers"]

_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "fft": fft,
    "python": of_wing("python", "python_module"),
    "html": of_wing("html", "impartial_page"),
    "smt2": of_wing("smt2", "smt2"),
    "latex": of_wing("latex", "latex"),
    "asp": of_wing("asp", "asp"),
    "dot": of_wing("dot", "dot"),
    "walnut": of_wing("walnut", "walnut"),
    "coq": of_wing("coq", "strategy"),
    "json": answer_json,
}


def writers(answer: Solution) -> Mapping[str, Callable[[Solution], str]]:
    """Return the functions that write answers of impartial games as text, by name of the format."""
    return _WRITERS

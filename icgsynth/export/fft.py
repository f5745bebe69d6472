"""The strategy as text that people read and write: one rule a line, the first that fits decides.

``if COND: action(terms)``, or ``action(terms)`` alone; ``#`` starts a comment.
"""

from __future__ import annotations

from icgsynth.export.header import header
from icgsynth.export.header import rules as rules_of
from icgsynth.game.solution import Solution


def fft(solution: Solution) -> str:
    """The fast-and-frugal tree, or the strategy where there is no tree."""
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

"""The formats that trees of finite games are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icgsynth.export.finite_asp import tree_asp
from icgsynth.export.finite_latex import tree_latex
from icgsynth.export.finite_python import tree_module
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report, ordered_rules
from icgsynth.fft.tiers import TreeAnswer


def _rules(answer: TreeAnswer) -> str:
    return f"# {answer.game.name}: a fast-and-frugal tree\n{answer.tree}\n"


def _html(answer: TreeAnswer) -> str:
    from icgsynth.export.page.tree_page import tree_page  # late, as few ask for it

    return tree_page(answer)


def report(answer: TreeAnswer) -> Report:
    """What is said of a tree: its rules, in order."""
    return ordered_rules(answer.game.name, answer.brief, answer.strategy)


def writers(answer: TreeAnswer) -> Mapping[str, Callable[[TreeAnswer], str]]:
    """What writes trees, by format."""
    return {
        "fft": _rules,
        "python": tree_module,
        "html": _html,
        "latex": tree_latex,
        "asp": tree_asp,
        "json": answer_json,
    }

"""The formats that trees and learned strategies of finite games are written in."""

from __future__ import annotations

from icgsynth.errors import Refused
from icgsynth.export.finite_asp import tree_asp
from icgsynth.export.finite_latex import learned_latex, tree_latex
from icgsynth.export.finite_python import tree_module
from icgsynth.export.json import answer_json
from icgsynth.fft.tiers import TreeAnswer
from icgsynth.learn.saved import LearnedAnswer, frugal_text, program_of

__all__ = ["LEARNED_WRITERS", "TREE_WRITERS"]


def _rules(answer: TreeAnswer) -> str:
    return f"# {answer.game.name}: a fast-and-frugal tree\n{answer.tree}\n"


def _cues(answer: LearnedAnswer) -> str:
    if (hypothesis := answer.hypothesis) is None or answer.rules:
        raise Refused(f"{answer.game.name}: a list of cues is made from weak constraints alone")
    return frugal_text(hypothesis)


def _html(answer: TreeAnswer) -> str:
    from icgsynth.export.page.tree_page import tree_page  # late, as few ask for it

    return tree_page(answer)


TREE_WRITERS = {
    "fft": _rules,
    "python": tree_module,
    "html": _html,
    "latex": tree_latex,
    "asp": tree_asp,
    "json": answer_json,
}
LEARNED_WRITERS = {
    "fft": _cues,
    "latex": learned_latex,
    "asp": program_of,
    "json": answer_json,
}

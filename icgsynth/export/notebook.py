"""Answers in a notebook: one piece of HTML with the report, and a picture where there is one."""

from __future__ import annotations

from typing import Any

from icgsynth.export import report_of
from icgsynth.export.picture import picture
from icgsynth.export.report import as_html
from icgsynth.game.solution import Solution


def notebook_html(answer: Any) -> str:
    """``answer``, of any kind, as HTML without scripts; all text of the game is escaped."""
    parts = (as_html(report_of(answer)), _drawn(answer))
    return "\n".join(['<div class="icgsynth">', *filter(None, parts), "</div>"])


def _drawn(answer: Any) -> str:
    """SVG of the states, or of the tree over the board's facts; empty without either."""
    if isinstance(answer, Solution):
        return picture(answer)
    facts = getattr(getattr(answer.game, "board", None), "facts", None)
    if answer.kind != "tree" or facts is None:
        return ""
    from icgsynth.export.tree_svg import tree_svg

    return tree_svg(answer.tree, facts, answer.game.name)

"""The formats that learned strategies of finite games are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icgsynth.errors import Refused
from icgsynth.export.finite_latex import learned_latex
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report, ordered_rules
from icgsynth.learn.saved import LearnedAnswer, frugal_text, program_of


def _cues(answer: LearnedAnswer) -> str:
    if (hypothesis := answer.hypothesis) is None or answer.rules:
        raise Refused(f"{answer.game.name}: a list of cues is made from weak constraints alone")
    return frugal_text(hypothesis)


def report(answer: LearnedAnswer) -> Report:
    """What is said of a learned strategy: its rules, in order."""
    return ordered_rules(answer.game.name, answer.brief, answer.strategy)


def writers(answer: LearnedAnswer) -> Mapping[str, Callable[[LearnedAnswer], str]]:
    """What writes learned strategies, by format."""
    return {"fft": _cues, "latex": learned_latex, "asp": program_of, "json": answer_json}

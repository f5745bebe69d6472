"""A sheet for a class: a game, who wins it and how, and positions to win, with their answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from icgsynth.errors import Refused
from icgsynth.export.canvas import A4, Page, pdf, text_width
from icgsynth.export.sentences import rules_in_words, sentences
from icgsynth.export.solution_report import losing_states
from icgsynth.game.game import State
from icgsynth.game.openings import openings
from icgsynth.game.solution import Solution
from icgsynth.game.titles import in_prose
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import wrapped

_INK, _FAINT, _RULE = "#1c232b", "#5d6670", "#b9c0c8"
_MARGIN, _LINE = 48.0, 15.0
_WIDTH = 88  # characters of a line
_PUZZLES = 8
_LISTED = 12  # losing states
_MOST_RULES = 16  # sentences of a strategy


def answer_sheet(solution: Solution) -> bytes:
    """The sheet as PDF; :class:`~icgsynth.errors.Refused` where the answer has no formulas."""
    if solution.winning is None or solution.losing is None:
        raise Refused(f"the answer for {solution.game.name} has no formulas to put on a sheet")
    return pdf(sheet_pages(solution), in_prose(solution.game))


def sheet_pages(solution: Solution) -> list[Page]:
    """The page with the questions, and the one with the answers."""
    title = in_prose(solution.game)
    puzzles = list(_puzzles(solution))
    page, answers = Page(), Page()
    at = _heading(page, title)
    page.text(A4[0] - 250, 40, "Name", 10, _FAINT)
    page.line((A4[0] - 218, 42), (A4[0] - _MARGIN, 42), colour=_RULE, width=0.8)
    for heading, lines in _parts(solution):
        at = _written(page, heading, lines, at)
    asked = [f"{n}.  {solution.game.show(state)}" for n, state in enumerate(puzzles, 1)]
    half = -(-len(asked) // 2)
    if asked:
        page.text(_MARGIN, at + _LINE, "Make a winning move", 12, _INK, bold=True)
    for i, said in enumerate(asked):
        left, top = _MARGIN + i // half * 250, at + 2.6 * _LINE + i % half * 26
        page.text(left, top, said, 10.5, _INK)
        page.line((left + 120, top + 2), (left + 225, top + 2), colour=_RULE, width=0.8)
    at = _heading(answers, f"Answers. {title}")
    reasons = [f"{n}.  {solution.why(state)}" for n, state in enumerate(puzzles, 1)]
    _written(answers, "", reasons, at)
    return [page, answers]


def _parts(solution: Solution) -> Iterator[tuple[str, list[str]]]:
    game = solution.game
    last = "loses" if solution.rule == "normal" else "wins"
    yield "Rules", [*rules_in_words(game), f"Who cannot move {last}."]
    losing = t.spoken(solution.losing_formula)
    drawn = [] if solution.draws is None else [f"Neither wins where {solution.draws.drawn}."]
    states = [
        str(s[0]) if len(s) == 1 else str(s) for s in islice(losing_states(solution), _LISTED)
    ]
    listed = [f"The first of these positions: {', '.join(states)}."] if states else []
    yield (
        "Who wins",
        [f"The player to move loses where {losing}, and wins elsewhere.", *drawn, *listed],
    )
    rules = list(sentences(game, solution.tree or solution.strategy))
    yield "How to win", [f"{n}.  {rule}" for n, rule in enumerate(rules[:_MOST_RULES], 1)]


def _puzzles(solution: Solution) -> Iterator[State]:
    """Positions with a winning move; the same ones every time."""
    game = solution.game
    states = openings(game, 0, lambda state: satisfies(solution.losing_formula, game.env(state)))
    won = (state for state in states if solution.is_winning(state))
    return islice((state for state in won if solution.move(state) is not None), _PUZZLES)


def _heading(page: Page, title: str) -> float:
    size = 18 * min(1.0, (A4[0] - 2 * _MARGIN) / text_width(title, 18, bold=True))
    page.text(_MARGIN, 72, title, size, _INK, bold=True)
    page.line((_MARGIN, 82), (A4[0] - _MARGIN, 82), colour=_RULE, width=0.8)
    return 92.0


def _written(page: Page, heading: str, lines: list[str], at: float) -> float:
    """Paragraphs under a heading; how far down they end."""
    if heading:
        at += _LINE
        page.text(_MARGIN, at + 2, heading, 12, _INK, bold=True)
        at += 4
    for line in (part for text in lines for part in wrapped(text, rest="    ", width=_WIDTH)):
        at += _LINE
        if at > A4[1] - _MARGIN:
            break
        page.text(_MARGIN, at, line, 10, _INK)
    return at + 4

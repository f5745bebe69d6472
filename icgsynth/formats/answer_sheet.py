"""Make a work sheet for a class as PDF: rules, positions to win, and the solution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from icgsynth.errors import CannotExpress
from icgsynth.explicit.box import Box
from icgsynth.explicit.openings import openings
from icgsynth.export import sentences as words
from icgsynth.export.digit_words import meanings
from icgsynth.export.solution_report import list_states, losing_states
from icgsynth.formats.paper import A4, FAINT, INK, RULE, Page, fitting, lines_of, pdf, text_width
from icgsynth.game.game import State, without_blocking
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import IntoLosing
from icgsynth.logic.evaluate import satisfies

_PALE = "#e6eaee"
_MARGIN, _LINE = 48.0, 15.0
_WIDTH = A4[0] - 2 * _MARGIN
_PUZZLES = 8  # states to solve on a sheet
_LISTED = 12  # losing states that are listed
_SIDES = {1: 20, 2: 10}  # largest number in the table, by the number of variables
_CELL = 13.0  # points of a cell of that table
_MOST_RULES = 16  # most sentences of a strategy


def answer_sheet(solution: Solution) -> bytes:
    """Return the work sheet on ``solution`` as PDF; :class:`CannotExpress` where it has no
    formulas."""
    if solution.winning is None or solution.losing is None:
        raise CannotExpress(
            f"the answer for {solution.game.name} has no formulas to put on a sheet"
        )
    return pdf(sheet_pages(solution), words.in_prose(solution.game))


def sheet_pages(solution: Solution) -> list[Page]:
    """Return the pages of a work sheet on ``solution``: rules and questions, then the answers."""
    title = words.in_prose(solution.game)
    puzzles = list(_puzzles(solution))
    sheet = _Sheet(title)
    sheet.page.text(A4[0] - 250, 40, "Name", 10, FAINT)
    sheet.page.line((A4[0] - 218, 42), (A4[0] - _MARGIN, 42), colour=RULE, width=0.8)
    last = "loses" if solution.rule == "normal" else "wins"
    sheet.write("Rules", [*words.rules_in_words(solution.game), f"Who cannot move {last}."])
    sheet.ask([f"{n}.  {solution.game.show(state)}" for n, state in enumerate(puzzles, 1)])
    sheet.begin(f"Solution. {title}")
    for heading, lines in _parts(solution):
        sheet.write(heading, lines)
        if heading == _WHO:
            sheet.table(solution)
    sheet.write("Answers", [f"{n}.  {_answer(solution, s)}" for n, s in enumerate(puzzles, 1)])
    return sheet.pages


class _Sheet:
    """The pages of a sheet, filled from above; a new page begins where a part has no room."""

    def __init__(self, title: str) -> None:
        self.pages: list[Page] = []
        self.begin(title)

    @property
    def page(self) -> Page:
        return self.pages[-1]

    def begin(self, title: str) -> None:
        """Begin a new page with the heading ``title``."""
        self.pages.append(Page())
        size = fitting(title, _WIDTH, 18, bold=True)
        self.page.text(_MARGIN, 72, title, size, INK, bold=True)
        self.page.line((_MARGIN, 82), (A4[0] - _MARGIN, 82), colour=RULE, width=0.8)
        self.at = 92.0

    def room(self, height: float) -> float:
        """Return where a part that is ``height`` points high begins, on this page or a new one."""
        if self.at + height > A4[1] - _MARGIN:
            self.pages.append(Page())
            self.at = _MARGIN
        self.at += height
        return self.at - height

    def write(self, heading: str, lines: list[str]) -> None:
        """Write the paragraphs ``lines``, with ``heading`` above unless it is ""."""
        if heading:
            at = self.room(2 * _LINE + 4) + _LINE + 2
            self.page.text(_MARGIN, at, heading, 12, INK, bold=True)
            self.at -= _LINE
        for text in lines:
            for i, part in enumerate(lines_of(text, _WIDTH - 12, 10)):
                at = self.room(_LINE) + _LINE
                self.page.text(_MARGIN + 12 * (i > 0), at, part, 10, INK)
        self.at += 4

    def ask(self, asked: list[str]) -> None:
        """Write the questions ``asked`` in two columns, each with a line for the answer."""
        half, wide = -(-len(asked) // 2), _WIDTH / 2
        if not asked:
            return
        top = self.room(2.6 * _LINE + 26 * half) + _LINE
        self.page.text(_MARGIN, top, "Make a winning move", 12, INK, bold=True)
        for i, said in enumerate(asked):
            left, at = _MARGIN + i // half * wide, top + 1.6 * _LINE + i % half * 26
            size = fitting(said, wide - 90, 10.5)
            self.page.text(left, at, said, size, INK)
            start = left + text_width(said, size) + 8
            self.page.line((start, at + 2), (left + wide - 12, at + 2), colour=RULE, width=0.8)

    def table(self, solution: Solution) -> None:
        """Draw who wins in small states as a grid of squares, for one or two variables."""
        game = solution.game
        names = game.variables
        if len(names) not in _SIDES:
            return
        (low, high), *more = Box.of(game, _SIDES[len(names)]).ranges
        first, last = more[0] if more else (0, 0)
        top = self.room((last - first + 3) * _CELL + 4) + 2 * _CELL
        left = _MARGIN + 3 * _CELL
        for y in range(first, last + 1):
            down = top + (y - first) * _CELL
            if more:
                self.page.text(left - 4, down + 0.7 * _CELL, str(y), 8, FAINT, align=1)
            for x in range(low, high + 1):
                state = (x, y) if more else (x,)
                if game.is_legal(state):
                    loses = satisfies(solution.losing_formula, game.env(state))
                    place = left + (x - low) * _CELL, down, _CELL - 1, _CELL - 1
                    self.page.box(*place, INK if loses else _PALE)
        for x in range(low, high + 1):
            self.page.text(left + (x - low + 0.45) * _CELL, top - 3, str(x), 8, FAINT, align=0.5)
        beside = left + (high - low + 1) * _CELL + 10
        axes = f"{names[0]} to the right" + (f", {names[1]} down" if more else "")
        self.page.text(beside, top + 8, axes, 9, FAINT)
        self.page.text(beside, top + 20, "dark: the player to move loses", 9, FAINT)


_WHO = "Who wins"


def _parts(solution: Solution) -> Iterator[tuple[str, list[str]]]:
    game = solution.game
    losing = words.formula_said(solution.losing_formula)
    drawn = "" if solution.draws is None else f"neither player wins where {solution.draws.drawn}, "
    said = [f"The player to move loses where {losing}, {drawn}and wins elsewhere."]
    said += meanings(solution)
    if not solution.is_proved:
        said.append("This is not proved.")
    states = list(islice(losing_states(solution), _LISTED))
    if states and len(game.variables) not in _SIDES:
        said.append(f"The first of these positions: {list_states(states)}")
    yield _WHO, said
    if rules := list(
        words.sentences(game, solution.tree or solution.strategy, words.goes_by_aim(solution))
    ):
        told = [f"{n}.  {rule}" for n, rule in enumerate(rules[:_MOST_RULES], 1)]
        if more := len(rules) - len(told):
            told.append(f"{more} more rules have no room here.")
        yield "How to win", told


def _puzzles(solution: Solution) -> Iterator[State]:
    """Yield at most 8 states in which ``solution`` has a winning move, always the same ones."""
    game = solution.game
    states = openings(game, 0, lambda state: satisfies(solution.losing_formula, game.env(state)))
    won = (state for state in states if solution.is_winning(state))
    return islice((state for state in won if solution.move(state) is not None), _PUZZLES)


def _answer(solution: Solution, state: State) -> str:
    """Return a sentence on the winning move in ``state``: by which rule, and where it leads."""
    game = solution.game
    found = solution.plan.choose(without_blocking(game), state)
    assert found is not None  # the puzzles have a move
    by = "" if isinstance(found.tier, IntoLosing) else f"By rule {found.number}: "
    after = game.show(game.result(state, found.move))
    return f"{game.show(state)}.  {by}{words.in_words(game, found.move)}. Then {after} loses."

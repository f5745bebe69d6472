"""A printed sheet of positions for a class: pages of positions, then pages of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from icgsynth.formats.paper import A4, Page, fitting, lines_of

INK, FAINT, RULE = "#1c232b", "#5d6670", "#b9c0c8"
_MARGIN = 42.0  # points: 15 mm, which every printer leaves
_RIGHT, _BOTTOM = A4[0] - _MARGIN, A4[1] - 40
_ACROSS = 3  # positions beside each other on a page
_COLUMNS, _GAP = 2, 18.0  # columns of answers, and points between them
_SMALL, _LINE = 8.0, 10.5  # points: letters of the answers, and one line to the next
_PICTURE = 78.0, 92.0  # points: width and height of the position beside its answer
_MOST_RULES = 8  # lines of rules on a page
_MOST_LINES = 60  # lines of an answer


class Frame(NamedTuple):
    """The rectangle of a page in which a state is drawn, from its upper left corner; in points."""

    x: float
    y: float
    width: float
    height: float


Draw: TypeAlias = Callable[[Page, Frame, bool], None]
"""A function that draws a position in a frame; if the flag is true, with its answer."""


class AnswerLine(NamedTuple):
    """A line of an answer; the solution itself unless it is a ``note``."""

    text: str
    depth: int = 0
    note: bool = False


class Sheet(NamedTuple):
    """The contents of a printed sheet: positions with their answers, titles and explanations."""

    title: str
    rules: Sequence[str]  # in lines
    asked: str  # what is to be done
    positions: Sequence[tuple[Draw, Sequence[AnswerLine]]]
    explained: Sequence[str]  # above the answers, in lines
    foot: str
    plays: str = "I play"  # before the line on which a move is written
    down: int = 4  # rows of positions on a page


def sheet_pages(sheet: Sheet) -> list[Page]:
    """Return the pages of a sheet: the positions, some rows a page, then their answers."""
    pages = [*_questions(sheet), *_answers(sheet)]
    for number, page in enumerate(pages, start=1):
        page.text(_MARGIN, A4[1] - 26, sheet.foot, fitting(sheet.foot, 440, _SMALL), FAINT)
        page.text(_RIGHT, A4[1] - 26, f"{number} of {len(pages)}", _SMALL, FAINT, align=1)
    return pages


def _questions(sheet: Sheet) -> Iterator[Page]:
    per_page = _ACROSS * sheet.down
    for start in range(0, len(sheet.positions), per_page) or (0,):
        page = Page()
        below = _head(page, sheet.title, 19, sheet.rules[:_MOST_RULES], sheet.asked)
        page.text(_RIGHT - 150, 38, "Name", 10, FAINT)
        page.line((_RIGHT - 120, 40), (_RIGHT, 40), colour=RULE, width=0.8)
        width, height = (_RIGHT - _MARGIN) / _ACROSS, (A4[1] - 54 - below) / sheet.down
        for i, (draw, _) in enumerate(sheet.positions[start : start + per_page]):
            left, top = _MARGIN + i % _ACROSS * width, below + i // _ACROSS * height
            page.text(left + 2, top + 12, str(start + i + 1), 12, INK, bold=True)
            draw(page, Frame(left + 24, top + 6, width - 40, height - 42), False)
            page.text(left + 24, top + height - 16, sheet.plays, 9, FAINT)
            line = top + height - 15
            page.line((left + 62, line), (left + width - 16, line), colour=RULE, width=0.8)
        yield page


def _head(page: Page, title: str, size: float, lines: Sequence[str], asked: str = "") -> float:
    """Draw a page's title in letters of ``size`` points, ``lines`` below it, and the task
    ``asked``. Return the height, in points from the top, where they end."""
    room, below = _RIGHT - _MARGIN, 76.0
    page.text(_MARGIN, 58, title, fitting(title, room, size, bold=True), INK, bold=True)
    for line in lines:
        page.text(_MARGIN, below, line, fitting(line, room, 9), FAINT)
        below += 12
    if asked:
        page.text(_MARGIN, below + 2, asked, fitting(asked, room, 10.5, True), INK, bold=True)
        below += 14
    page.line((_MARGIN, below), (_RIGHT, below), colour=RULE, width=0.8)
    return below + 12


def _answers(sheet: Sheet) -> Iterator[Page]:
    """Yield the pages of answers, in columns, each answer beside a picture of its position."""
    width = (_RIGHT - _MARGIN - _GAP * (_COLUMNS - 1)) / _COLUMNS
    page: Page | None = None
    column, high, below = 0, 0.0, 0.0
    for number, (draw, answer) in enumerate(sheet.positions, start=1):
        lines = list(_fit_lines(answer, width - _PICTURE[0] - 35))
        needs = max(_LINE * len(lines) + 6, _PICTURE[1] + 18)
        if page is not None and high + needs > _BOTTOM:
            column, high = column + 1, below
        if page is None or column == _COLUMNS:
            if page is not None:
                yield page
            page = Page()
            below = _head(page, f"Answers. {sheet.title}", 15, sheet.explained)
            column, high = 0, below
        left = _MARGIN + column * (width + _GAP)
        page.text(left, high + 9, str(number), 11, INK, bold=True)
        draw(page, Frame(left + 24, high + 2, *_PICTURE), True)
        for i, line in enumerate(lines):
            at, colour = left + _PICTURE[0] + 35 + 9 * line.depth, FAINT if line.note else INK
            size = fitting(line.text, left + width - at, _SMALL)
            is_first = line.depth == 0 and not line.note
            page.text(at, high + 9 + _LINE * i, line.text, size, colour, is_first)
        high += needs + 7
    if page is not None:
        yield page


def _fit_lines(answer: Iterable[AnswerLine], width: float) -> Iterator[AnswerLine]:
    """Yield ``answer`` broken into lines of ``width`` points; a long answer ends with "..."."""
    left = _MOST_LINES
    for line in answer:
        for i, part in enumerate(lines_of(line.text, width - 9 * line.depth - 9, _SMALL)):
            left -= 1
            if left < 0:
                yield AnswerLine("...", note=True)
                return
            yield line._replace(text=part, depth=line.depth + (i > 0))

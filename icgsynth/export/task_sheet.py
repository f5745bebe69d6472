"""A sheet of positions of a solved game: pages with the positions, then pages with the answers."""

from __future__ import annotations

from icgsynth.export.canvas import A4, Page, text_width
from icgsynth.export.drawn_states import Frame
from icgsynth.export.task_report import TaskReport
from icgsynth.starts.hardness import percent

_INK, _FAINT, _RULE = "#1c232b", "#5d6670", "#b9c0c8"
_MARGIN = 42.0
_ACROSS, _DOWN = 3, 4
_MOST_RULES = 8  # lines of them on a page


def task_pages(report: TaskReport) -> list[Page]:
    """The positions, twelve a page, then their answers."""
    found, moves = report.found, report.wanted.moves
    often = "" if moves is None else f" It takes {moves} of your moves, played best."
    per_page = _ACROSS * _DOWN
    pages = []
    for start in range(0, len(found), per_page) or (0,):
        page = Page()
        _head(page, report.title, 19)
        page.text(_MARGIN, 78, report.asked + often, 10.5, _INK)
        below = 92.0
        for rule in report.rules[:_MOST_RULES]:
            page.text(_MARGIN, below, rule, 9, _FAINT)
            below += 12
        page.line((_MARGIN, below), (A4[0] - _MARGIN, below), colour=_RULE, width=0.8)
        below += 14
        width, height = (A4[0] - 2 * _MARGIN) / _ACROSS, (A4[1] - 56 - below) / _DOWN
        for i, task in enumerate(found[start : start + per_page]):
            left, top = _MARGIN + i % _ACROSS * width, below + i // _ACROSS * height
            page.text(left + 2, top + 12, str(start + i + 1), 12, _INK, bold=True)
            report.draw(page, task, Frame(left + 24, top + 6, width - 40, height - 52))
            page.text(left + 24, top + height - 16, "I play", 9, _FAINT)
            line = top + height - 15
            page.line((left + 54, line), (left + width - 16, line), colour=_RULE, width=0.8)
        foot = f"{report.graph.game.name}  ·  seed {report.wanted.seed}"
        page.text(_MARGIN, A4[1] - 26, foot, 8, _FAINT)
        pages.append(page)
    return [*pages, *_answers(report)]


def _head(page: Page, title: str, size: float) -> None:
    """The title of a page, in smaller letters where it is too long for the paper."""
    size *= min(1.0, (A4[0] - 2 * _MARGIN) / text_width(title, size, bold=True))
    page.text(_MARGIN, 58, title, size, _INK, bold=True)


def _answers(report: TaskReport) -> list[Page]:
    pages: list[Page] = []
    high = A4[1]
    for number, task in enumerate(report.found, start=1):
        chances = ", ".join(f"{percent(c)}%" for c in task.chances)
        lines = [
            f"{report.said(task)}: {', '.join(task.keys)}",
            f"Best play: {' '.join(task.line)}",
        ]
        if task.tempting is not None:
            reply = f", answered by {task.answer}" if task.answer is not None else ""
            lines.append(f"Tempting: {task.tempting}{reply}")
        lines.append(f"Depth 1 to 3 wins {chances}")
        needs = 12.0 * len(lines) + 10
        if high + needs > A4[1] - 40:
            pages.append(Page())
            _head(pages[-1], f"Answers. {report.title}", 15)
            pages[-1].line((_MARGIN, 70), (A4[0] - _MARGIN, 70), colour=_RULE, width=0.8)
            high = 86.0
        pages[-1].text(_MARGIN, high + 8, str(number), 10, _INK, bold=True)
        for i, line in enumerate(lines):
            at, room = high + 8 + 12 * i, A4[0] - 2 * _MARGIN - 26
            shown = line
            while text_width(shown, 9) > 0.9 * room:
                shown = shown[: -len("....")] + "..."
            pages[-1].text(_MARGIN + 26, at, shown, 9, _FAINT if i else _INK, i == 0)
        high += needs
    return pages

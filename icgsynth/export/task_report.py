"""Positions chosen from a solved game: as JSON, lines of text, a table, and sheets for a class.

A sheet has pages with the positions, then pages with the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from icgsynth.export.board_text import finite_lines
from icgsynth.export.canvas import A4, FAINT, INK, RULE, Page, fitting, text_width
from icgsynth.export.drawn_states import Frame, draw_piles, draw_state
from icgsynth.export.json import csv_text
from icgsynth.export.sentences import rules_in_words
from icgsynth.game.titles import in_prose
from icgsynth.starts.hardness import Level, percent
from icgsynth.starts.impartial import SolvedBox
from icgsynth.starts.tasks import SolvedGame, StartTask, TasksWanted

_CHARACTERS = 112  # of a line of rules, in letters of 9 points


@dataclass(frozen=True)
class TaskReport:
    """The positions of a finite game that were ``found``, whoever is to move.

    ``counts`` says how many of the states that are won in so many moves are of each level.
    """

    found: Sequence[StartTask]
    counts: Mapping[Level, int]
    wanted: TasksWanted
    graph: SolvedGame

    @property
    def asked(self) -> str:
        """What a sheet asks."""
        return "You are the player to move, who wins."

    @property
    def title(self) -> str:
        """The title of a sheet."""
        return str(self.graph.game.name)

    @property
    def rules(self) -> Sequence[str]:
        """The rules of the game for a sheet, in lines."""
        return ()

    def said(self, task: StartTask) -> str:
        """A state in one line, for the answers."""
        return f"{self.graph.arena.mover_name(task.row)} to move"

    def draw(self, page: Page, task: StartTask, frame: Frame) -> None:
        """Draw a state."""
        draw_state(page, self.graph.game, task.state, frame)

    @property
    def about(self) -> dict[str, Any]:
        """The game as JSON."""
        game, arena = self.graph.game, self.graph.arena
        return {"game": game.name, "roles": list(game.roles), "states": int(arena.orbit.sum())}

    @property
    def total(self) -> str:
        """How many of which states of the game are won in so many moves."""
        won, states = sum(self.counts.values()), int(self.graph.arena.orbit.sum())
        return (
            f"{self.graph.game.name}: {won:,} of {states:,} states are won in {self.wanted.moves}"
        )

    def place(self, task: StartTask) -> dict[str, Any]:
        """A state as JSON."""
        mover = self.graph.arena.mover_name(task.row)
        return {"mover": mover, "facts": list(self.graph.game.facts(task.state))}

    def cells(self, task: StartTask) -> dict[str, Any]:
        """A state as columns of a table."""
        return self.place(task) | {"facts": " ".join(self.graph.game.facts(task.state))}

    def shown(self, task: StartTask) -> Sequence[str]:
        """A state in lines of text."""
        return finite_lines(self.graph.game, task.state)

    def value(self) -> dict[str, Any]:
        """As JSON."""
        wanted = self.wanted
        return {
            **self.about,
            "moves": wanted.moves,
            "you": wanted.you.depth,
            "knows": [str(one) for one in wanted.you.knows],
            "opponent": wanted.opponent,
            "levels": self.counts,
            "positions": [self.place(task) | task.value() for task in self.found],
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        wanted = self.wanted
        levels = ", ".join(f"{n:,} {level}" for level, n in self.counts.items())
        yield self.total
        depth = wanted.you.depth
        ahead = f"looks {depth} round{'s' * (depth != 1)} ahead"
        you = f"who {ahead}" if depth else "who plays at random"
        yield f"  for one {you}, against one who looks {wanted.opponent}: {levels}"
        yield from (f"  who knows: {one}" for one in wanted.you.knows)
        for number, task in enumerate(self.found, start=1):
            *above, last = self.shown(task)
            yield f"\n{number}. {last}   {task.level}, {percent(task.chance, '.4g')} %"
            yield from (f"   {line}" for line in above)
            yield f"   wins: {', '.join(task.keys)}"
            yield f"   best play: {' '.join(task.line)}"
            if task.tempting is not None:
                answer = f", answered by {task.answer}" if task.answer is not None else ""
                yield f"   tempting: {task.tempting}{answer}"
            yield f"   depth 1 to 3 wins {', '.join(f'{percent(c)}%' for c in task.chances)}"

    def csv(self) -> str:
        """A row a position."""
        names = [f"chance_{k}" for k in (1, 2, 3)]
        rows: list[list[Any]] = []
        for number, task in enumerate(self.found, start=1):
            cells = self.cells(task)
            if number == 1:
                head = ["number", *cells, "moves", "level", "chance", *names]
                rows.append([*head, "first_moves", "tempting"])
            row: list[Any] = [number, *cells.values(), task.moves, task.level]
            row += [round(c, 6) for c in (task.chance, *task.chances)]
            rows.append([*row, " ".join(task.keys), task.tempting or ""])
        return csv_text(rows)


@dataclass(frozen=True)
class PileReport(TaskReport):
    """Of an impartial game, whose states in ``graph`` have coordinates up to ``bound``."""

    graph: SolvedBox
    bound: int

    @property
    def asked(self) -> str:
        last = "loses" if self.graph.rule == "normal" else "wins"
        return f"Who cannot move {last}. You move and win."

    @property
    def title(self) -> str:
        return in_prose(self.graph.game)

    @property
    def rules(self) -> Sequence[str]:
        said = rules_in_words(self.graph.game)
        return [part for line in said for part in wrap(line, _CHARACTERS)]

    def said(self, task: StartTask) -> str:
        return self.graph.game.show(task.state)

    def draw(self, page: Page, task: StartTask, frame: Frame) -> None:
        draw_piles(page, self.cells(task), frame)

    @property
    def about(self) -> dict[str, Any]:
        game = self.graph.game
        return {
            "game": game.name,
            "rule": self.graph.rule,
            "bound": self.bound,
            "states": len(self.graph.states),
            "variables": list(game.variables),
        }

    @property
    def total(self) -> str:
        states = f"{sum(self.counts.values()):,} of {len(self.graph.states):,} states"
        won = f"up to {self.bound} are won in {self.wanted.moves}"
        return f"{self.graph.game.name}, {self.graph.rule} play: {states} {won}"

    def place(self, task: StartTask) -> dict[str, Any]:
        return {"state": list(task.state)}

    def cells(self, task: StartTask) -> dict[str, Any]:
        return dict(zip(self.graph.game.variables, task.state, strict=True))

    def shown(self, task: StartTask) -> Sequence[str]:
        return [self.said(task)]


# --- sheets --------------------------------------------------------------------------------------

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
        page.text(_MARGIN, 78, report.asked + often, 10.5, INK)
        below = 92.0
        for rule in report.rules[:_MOST_RULES]:
            page.text(_MARGIN, below, rule, 9, FAINT)
            below += 12
        page.line((_MARGIN, below), (A4[0] - _MARGIN, below), colour=RULE, width=0.8)
        below += 14
        width, height = (A4[0] - 2 * _MARGIN) / _ACROSS, (A4[1] - 56 - below) / _DOWN
        for i, task in enumerate(found[start : start + per_page]):
            left, top = _MARGIN + i % _ACROSS * width, below + i // _ACROSS * height
            page.text(left + 2, top + 12, str(start + i + 1), 12, INK, bold=True)
            report.draw(page, task, Frame(left + 24, top + 6, width - 40, height - 52))
            page.text(left + 24, top + height - 16, "I play", 9, FAINT)
            line = top + height - 15
            page.line((left + 54, line), (left + width - 16, line), colour=RULE, width=0.8)
        foot = f"{report.graph.game.name}  ·  seed {report.wanted.seed}"
        page.text(_MARGIN, A4[1] - 26, foot, 8, FAINT)
        pages.append(page)
    return [*pages, *_answers(report)]


def _head(page: Page, title: str, size: float) -> None:
    """The title of a page, in smaller letters where it is too long for the paper."""
    size = fitting(title, A4[0] - 2 * _MARGIN, size, bold=True)
    page.text(_MARGIN, 58, title, size, INK, bold=True)


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
            pages[-1].line((_MARGIN, 70), (A4[0] - _MARGIN, 70), colour=RULE, width=0.8)
            high = 86.0
        pages[-1].text(_MARGIN, high + 8, str(number), 10, INK, bold=True)
        for i, line in enumerate(lines):
            at, room = high + 8 + 12 * i, A4[0] - 2 * _MARGIN - 26
            shown = line
            while text_width(shown, 9) > 0.9 * room:
                shown = shown[: -len("....")] + "..."
            pages[-1].text(_MARGIN + 26, at, shown, 9, FAINT if i else INK, i == 0)
        high += needs
    return pages

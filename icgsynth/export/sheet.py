"""A sheet of puzzles for a class: pages with boards, then pages with the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from icgsynth.export.canvas import A4, FAINT, INK, RULE, Page, lines_of
from icgsynth.export.json import csv_text
from icgsynth.starts.choose import PositionSource, Wanted
from icgsynth.starts.hardness import percent
from icgsynth.starts.lines import LineGame, Position
from icgsynth.starts.puzzles import Puzzle, WinningMove, cell_name

_X, _O, _KEY, _TEMPT = "#1b4f8f", "#c4571a", "#cfe8cf", "#f6dcd2"
_MARGIN = 42.0
_ACROSS = 3
_LINES = 24  # of a solution
_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def sheet_csv(puzzles: Sequence[Puzzle]) -> str:
    """A row a position; moves and boards as in the JSON."""
    depths = range(1, max((len(p.chances) for p in puzzles), default=3) + 1)
    head = ["number", "board", "moves", "level", "category"] + [f"chance_{k}" for k in depths]
    rows: list[list[Any]] = [[*head, "first_moves", "tempting", "path"]]
    for number, puzzle in enumerate(puzzles, start=1):
        value = puzzle.value()
        tempting = value["temptation"]
        row: list[Any] = [number, value["board"], puzzle.moves, puzzle.level, puzzle.category]
        row += value["chances"]
        row += [" ".join(value["first_moves"]), tempting["move"] if tempting else ""]
        rows.append([*row, " ".join(value["path"] or [])])
    return csv_text(rows)


# --- words -----------------------------------------------------------------------------------


def line_title(game: LineGame) -> str:
    noun = {"full": "Connect", "none": "Tic-tac-toe"}.get(game.gravity, game.gravity.capitalize())
    return (
        f"{noun}: {_WORDS.get(game.match, str(game.match))} in a line on {game.rows}×{game.columns}"
    )


def _rules(game: LineGame) -> str:
    ways = {"R": "across", "C": "up and down", "D": "on a slant"}
    named = [ways[d] for d in game.win]
    lines = " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    where = {
        "full": "A stone falls to the lowest empty cell of its column.",
        "none": "A mark goes into any empty cell.",
    }.get(
        game.gravity,
        f"A mark goes into one of the {_WORDS.get(game.lowest, str(game.lowest))} lowest empty "
        "cells of a column.",
    )
    return f"{where} {game.match} in a line wins: {lines}."


def _task(wanted: Wanted) -> str:
    if wanted.moves == 1:
        return "X moves and wins at once. Where?"
    return (
        f"X moves and wins with {_WORDS.get(wanted.moves, str(wanted.moves))} marks of its own, "
        "whatever O replies. Find the first move."
    )


def _grading(wanted: Wanted) -> str:
    level = wanted.level or "graded"
    return (
        f"{level} for a player who looks {wanted.you} round{'s' * (wanted.you > 1)} ahead, "
        f"against one who looks {wanted.opponent}"
    )


def answer_lines(puzzle: Puzzle, most: int = _LINES) -> Iterator[tuple[int, str]]:
    """The solution as lines of text with their depth of indentation; the JSON has all of it."""
    lines = list(_all_lines(puzzle))
    yield from lines[:most]
    if len(lines) > most:
        yield 1, f"... {len(lines) - most} more lines"


def _all_lines(puzzle: Puzzle) -> Iterator[tuple[int, str]]:
    game = puzzle.game
    also = f"  (or {', '.join(cell_name(game, c) for c in puzzle.keys[1:])})"
    wins = " wins" if not puzzle.answer.replies else ""
    yield 0, f"{cell_name(game, puzzle.keys[0])}!{wins}{also if puzzle.keys[1:] else ''}"
    yield from _replies(game, puzzle.answer, 1)


def _replies(game: LineGame, answer: WinningMove, depth: int) -> Iterator[tuple[int, str]]:
    for i, reply in enumerate(answer.replies):
        last = i == len(answer.replies) - 1
        names = ", ".join(cell_name(game, c) for c in reply.cells)
        who = "else" if last and i and len(reply.cells) > 1 else names
        move = cell_name(game, reply.answer.cell)
        if reply.answer.replies:
            yield depth, f"{who}: {move}"
            yield from _replies(game, reply.answer, depth + 1)
        elif reply.answer.rest:
            yield depth, f"{who}: {move}, wins in {reply.answer.rest} more"
        else:
            yield depth, f"{who}: {move} wins"


def _temptation_line(puzzle: Puzzle) -> str:
    tempting = puzzle.temptation
    if tempting is None:
        return ""
    reply = "" if tempting.reply is None else f" {cell_name(puzzle.game, tempting.reply)}:"
    return f"Tempting: {cell_name(puzzle.game, tempting.cell)}?{reply} {tempting.verdict}"


def _chance_line(puzzle: Puzzle) -> str:
    odds = ", ".join(f"{percent(c)}%" for c in puzzle.chances)
    return f"Depth 1 to {len(puzzle.chances)} wins {odds}"


def note_lines(puzzle: Puzzle) -> list[str]:
    """The tempting move, the chances and the way to the position, a line each."""
    names = " ".join(cell_name(puzzle.game, c) for c in puzzle.path or ())
    notes = (_temptation_line(puzzle), _chance_line(puzzle), f"Path: {names}" if names else "")
    return [note for note in notes if note]


# --- pages -----------------------------------------------------------------------------------


def sheet_pages(source: PositionSource, puzzles: Sequence[Puzzle]) -> list[Page]:
    """Puzzles, twelve a page, then their answers."""
    return [*_questions(source, puzzles), *_answers(source, puzzles)]


def _questions(source: PositionSource, puzzles: Sequence[Puzzle]) -> Iterator[Page]:
    game, wanted = source.game, source.wanted
    tall = game.rows > 1.2 * game.columns
    down = 3 if tall else 4
    per_page = _ACROSS * down
    pages = max(1, -(-len(puzzles) // per_page))
    for number in range(pages):
        page = Page()
        top = _head(page, game, _rules(game), _task(wanted), name=True)
        width = (A4[0] - 2 * _MARGIN) / _ACROSS
        height = (A4[1] - top - 54) / down
        for i, puzzle in enumerate(puzzles[number * per_page : (number + 1) * per_page]):
            left = _MARGIN + (i % _ACROSS) * width
            high = top + (i // _ACROSS) * height
            _question(page, puzzle, number * per_page + i + 1, left, high, width, height)
        foot = f"{_grading(wanted)}  ·  {game.name}  ·  seed {wanted.seed}"
        _foot(page, foot, f"{number + 1} of {pages}")
        yield page


def _head(page: Page, game: LineGame, rules: str, task: str, name: bool) -> float:
    """The title and what to do; where the page is free from."""
    page.text(_MARGIN, 58, line_title(game), 19, INK, bold=True)
    if name:
        right = A4[0] - _MARGIN
        page.text(right - 150, 58, "Name", 10, FAINT)
        page.line((right - 120, 60), (right, 60), colour=RULE, width=0.8)
    page.text(_MARGIN, 78, rules, 10, FAINT)
    page.text(_MARGIN, 94, task, 10.5, INK, bold=True)
    page.line((_MARGIN, 104), (A4[0] - _MARGIN, 104), colour=RULE, width=0.8)
    return 116.0


def _foot(page: Page, left: str, right: str) -> None:
    page.text(_MARGIN, A4[1] - 26, left, 8, FAINT)
    page.text(A4[0] - _MARGIN, A4[1] - 26, right, 8, FAINT, align=1)


def _question(
    page: Page, puzzle: Puzzle, number: int, left: float, top: float, width: float, height: float
) -> None:
    game = puzzle.game
    side = min((width - 46) / game.columns, (height - 46) / game.rows)
    x = left + (width - side * game.columns) / 2
    page.text(left - 4, top + 12, str(number), 12, INK, bold=True)
    draw_board(page, game, puzzle.state, x, top + 4, side)
    line = top + 4 + side * game.rows + 28
    page.text(x, line, "X plays", 9, FAINT)
    page.line((x + 38, line + 1), (x + side * game.columns, line + 1), colour=RULE, width=0.8)


def draw_board(
    page: Page,
    game: LineGame,
    state: Position,
    x: float,
    y: float,
    side: float,
    marked: Sequence[tuple[int, str]] = (),
    labels: bool = True,
) -> None:
    """A board with its top left corner at (x, y); ``marked`` cells have a colour."""
    right, bottom = x + side * game.columns, y + side * game.rows
    for cell, colour in marked:
        row, column = game.place(cell)
        page.box(x + column * side, bottom - (row + 1) * side, side, side, colour)
    for i in range(game.rows + 1):
        page.line((x, y + i * side), (right, y + i * side), colour=RULE, width=0.7)
    for i in range(game.columns + 1):
        page.line((x + i * side, y), (x + i * side, bottom), colour=RULE, width=0.7)
    frame = [(x, y), (x, bottom), (right, bottom), (right, y)]
    if game.lowest == game.rows:
        frame.append((x, y))
    page.line(*frame, colour=INK, width=1.3)  # open at the top where stones fall in
    for row in range(game.rows):
        for column in range(game.columns):
            bit = game.bit(row, column)
            at = x + (column + 0.5) * side, bottom - (row + 0.5) * side
            if state[0] & bit:
                r = 0.26 * side
                for s in (1, -1):
                    ends = (at[0] - r, at[1] - s * r), (at[0] + r, at[1] + s * r)
                    page.line(*ends, colour=_X, width=max(1.2, side / 9))
            elif state[1] & bit:
                page.ring(*at, 0.28 * side, _O, max(1.1, side / 10))
    if labels:
        size = min(8.0, max(5.5, side / 3))
        for column in range(game.columns):
            middle = x + (column + 0.5) * side
            page.text(middle, bottom + size + 2, chr(97 + column), size, FAINT, align=0.5)
        for row in range(game.rows):
            middle = bottom - (row + 0.5) * side + size / 3
            page.text(x - 4, middle, str(row + 1), size, FAINT, align=1)


_COLUMNS = 2
_BOARD_WIDTH = 78.0
_SMALL = 8.0  # the size of the answers


def _answers(source: PositionSource, puzzles: Sequence[Puzzle]) -> Iterator[Page]:
    """The answers in two columns, each as high as it needs."""
    game, wanted = source.game, source.wanted
    width = (A4[0] - 2 * _MARGIN - 18) / _COLUMNS
    page: Page | None = None
    number, column, high = 1, _COLUMNS, 0.0
    for i, puzzle in enumerate(puzzles, start=1):
        lines = list(_answer_text(puzzle, width - _BOARD_WIDTH - 18))
        side = min(_BOARD_WIDTH / game.columns, 92 / game.rows)
        needs = max(10.5 * len(lines) + 6, side * game.rows + 30)
        if page is None or high + needs > A4[1] - 44:
            column += 1
            high = 112.0
            if page is None or column >= _COLUMNS:
                if page is not None:
                    yield page
                    number += 1
                page = Page()
                _answer_head(page, source, puzzles)
                column, high = 0, 112.0
                _foot(page, f"answers  ·  {game.name}  ·  seed {wanted.seed}", str(number))
        left = _MARGIN + column * (width + 18)
        marked = [(c, _KEY) for c in puzzle.keys]
        if puzzle.temptation is not None:
            marked.append((puzzle.temptation.cell, _TEMPT))
        page.text(left, high + 9, str(i), 11, INK, bold=True)
        draw_board(page, game, puzzle.state, left + 24, high + 2, side, marked)
        for n, (indent, text, bold, colour) in enumerate(lines):
            at = left + _BOARD_WIDTH + 35 + 9 * indent
            page.text(at, high + 9 + 10.5 * n, text, _SMALL, colour, bold)
        high += needs + 7
    if page is not None:
        yield page


def _answer_head(page: Page, source: PositionSource, puzzles: Sequence[Puzzle]) -> None:
    game, wanted = source.game, source.wanted
    page.text(_MARGIN, 58, f"Answers. {line_title(game)}", 15, INK, bold=True)
    about = (
        f"Green wins in {wanted.moves}; red tempts and does not. Replies of O stand before the "
        "colon, the move of X behind it."
    )
    page.text(_MARGIN, 76, about, 9, FAINT)
    counts = source.counts(wanted.you)
    whole = f"{source.size:,} such positions"
    if counts is not None:
        whole += ": " + ", ".join(f"{n:,} {level}" for level, n in counts.items())
        whole += f" at depth {wanted.you}"
    whole += f". Percentages: exact chances against depth {wanted.opponent}."
    page.text(_MARGIN, 90, whole, 8.5, FAINT)
    page.line((_MARGIN, 99), (A4[0] - _MARGIN, 99), colour=RULE, width=0.8)


def _answer_text(puzzle: Puzzle, width: float) -> Iterator[tuple[int, str, bool, str]]:
    """The lines beside a small board: indentation, text, bold, colour; wrapped to ``width``."""
    for depth, text in answer_lines(puzzle):
        for j, part in enumerate(lines_of(text, width - 9 * depth, _SMALL)):
            yield depth + (j > 0), part, depth == 0, INK
    for note in note_lines(puzzle):
        for j, part in enumerate(lines_of(note, width - 9, _SMALL)):
            yield int(j > 0), part, False, FAINT

"""Reports of positions chosen from a line game: as JSON, as text, as a table and on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from icgsynth.boards.starts.choose import PositionSource, Wanted
from icgsynth.boards.starts.hardness import percent
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.boards.starts.puzzles import Puzzle, WinningMove, cell_name
from icgsynth.boards.starts.starts_report import rules_value
from icgsynth.boards.text.sheet import FAINT, INK, RULE, AnswerLine, Frame, Sheet
from icgsynth.export.json import csv_text
from icgsynth.formats.paper import Page

_X, _O, _KEY, _TEMPT = "#1b4f8f", "#c4571a", "#cfe8cf", "#f6dcd2"
_LINES = 24  # lines of a solution at most
_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


@dataclass(frozen=True)
class LineSheet:
    """A sheet of chosen positions of a line game, ``found`` in ``source`` by ``engine``."""

    source: PositionSource
    found: Sequence[Puzzle]
    engine: str

    @property
    def game(self) -> LineGame:
        return self.source.game

    @property
    def wanted(self) -> Wanted:
        return self.source.wanted

    # --- as JSON, as text, as a table -----------------------------------------------------------

    def value(self) -> dict[str, Any]:
        """Return the positions, and the set they were chosen from, as JSON."""
        wanted, counts = self.wanted, self.source.counts
        return {
            **rules_value(self.game),
            "engine": self.engine,
            "moves": wanted.moves,
            "you": wanted.you,
            "opponent": wanted.opponent,
            "level": wanted.level or "any",
            "seed": wanted.seed,
            "such_positions": self.source.size,
            "levels": {
                f"depth {k}": found for k in wanted.depths if (found := counts(k)) is not None
            },
            "positions": [puzzle.value() for puzzle in self.found],
        }

    @property
    def _levels(self) -> str:
        """The number of positions of each level, in words; empty if not all were graded."""
        counts = self.source.counts(self.wanted.you)
        return "" if counts is None else ": " + ", ".join(f"{n:,} {x}" for x, n in counts.items())

    def lines(self) -> Iterator[str]:
        """Yield the positions as lines of text, with their solutions."""
        wanted = self.wanted
        yield f"{self.game}: X to move wins in {wanted.moves} from {self.source.size:,} positions"
        ahead = f"looks {wanted.you} round{'s' * (wanted.you != 1)} ahead"
        yield f"  for X, who {ahead}, against an opponent who looks {wanted.opponent}{self._levels}"
        for number, puzzle in enumerate(self.found, start=1):
            lines = [f"{'  ' * line.depth}{line.text}" for line in _answer(puzzle)]
            grid = self.game.grid(puzzle.state)
            blank = " " * len(grid[0])
            yield f"\n{number}. {puzzle.level}, category {puzzle.category}"
            for i in range(max(len(grid), len(lines))):
                left = grid[i] if i < len(grid) else blank
                yield f"  {left}   {lines[i] if i < len(lines) else ''}".rstrip()

    def csv(self) -> str:
        """Return the positions as CSV, one a row, with moves and boards as text."""
        return csv_text(self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        depths = max((len(puzzle.chances) for puzzle in self.found), default=3)
        names = [f"chance_{k}" for k in range(1, depths + 1)]
        head = ["number", "board", "moves", "level", "category"]
        yield [*head, *names, "first_moves", "tempting", "path"]
        for number, puzzle in enumerate(self.found, start=1):
            value = puzzle.value()
            tempting = value["temptation"]
            row = [number, value["board"], puzzle.moves, puzzle.level, puzzle.category]
            row += [*value["chances"], " ".join(value["first_moves"])]
            yield [*row, tempting["move"] if tempting else "", " ".join(value["path"] or [])]

    def sheet(self) -> Sheet:
        """Return the sheet to be printed: the rules, the task, the positions with answers."""
        game, wanted = self.game, self.wanted
        marks = f"X moves and wins with {_word(wanted.moves)} marks of its own, whatever O replies."
        levels = self._levels and f"{self._levels} at depth {wanted.you}"
        return Sheet(
            title_of(game),
            [_rules(game)],
            f"{marks} Find the first move."
            if wanted.moves > 1
            else "X moves and wins at once. Where?",
            [(partial(_draw, puzzle), list(_answer(puzzle))) for puzzle in self.found],
            (
                f"Green wins in {wanted.moves}; red tempts and does not. Replies of O stand "
                "before the colon, the move of X behind it.",
                f"{self.source.size:,} such positions{levels}. Percentages: exact chances "
                f"against depth {wanted.opponent}.",
            ),
            f"{wanted.level or 'graded'} for a player who looks {wanted.you} "
            f"round{'s' * (wanted.you > 1)} ahead, against an opponent who looks {wanted.opponent}"
            f"  ·  {game.name}  ·  seed {wanted.seed}",
            "X plays",
            3 if game.rows > 1.2 * game.columns else 4,
        )


# --- words ----------------------------------------------------------------------------------------


def title_of(game: LineGame) -> str:
    """Return the title of a game for a sheet, such as ``Connect: four in a line on 5×5``."""
    noun = {"full": "Connect", "none": "Tic-tac-toe"}.get(game.gravity, game.gravity.capitalize())
    return f"{noun}: {_word(game.match)} in a line on {game.rows}×{game.columns}"


def _rules(game: LineGame) -> str:
    ways = {"R": "across", "C": "up and down", "D": "on a slant"}
    named = [ways[d] for d in game.win]
    lines = " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    where = {
        "full": "A stone falls to the lowest empty cell of its column.",
        "none": "A mark goes into any empty cell.",
    }.get(
        game.gravity,
        f"A mark goes into one of the {_word(game.lowest)} lowest empty cells of a column.",
    )
    return f"{where} {game.match} in a line wins: {lines}."


def _word(number: int) -> str:
    return _WORDS.get(number, str(number))


def answer_lines(puzzle: Puzzle, most: int = _LINES) -> Iterator[AnswerLine]:
    """Yield the solution of a puzzle as at most ``most`` lines of text, indented by depth."""
    game, keys = puzzle.game, [cell_name(puzzle.game, cell) for cell in puzzle.keys]
    also = f"  (or {', '.join(keys[1:])})" if keys[1:] else ""
    first = AnswerLine(f"{keys[0]}!{'' if puzzle.answer.replies else ' wins'}{also}")
    lines = [first, *_replies(game, puzzle.answer, 1)]
    yield from lines[:most]
    if len(lines) > most:
        yield AnswerLine(f"... {len(lines) - most} more lines", 1)


def _replies(game: LineGame, answer: WinningMove, depth: int) -> Iterator[AnswerLine]:
    for i, reply in enumerate(answer.replies):
        last = i == len(answer.replies) - 1
        names = ", ".join(cell_name(game, c) for c in reply.cells)
        who = "else" if last and i and len(reply.cells) > 1 else names
        move = cell_name(game, reply.answer.cell)
        if reply.answer.replies:
            yield AnswerLine(f"{who}: {move}", depth)
            yield from _replies(game, reply.answer, depth + 1)
        elif reply.answer.rest:
            yield AnswerLine(f"{who}: {move}, wins in {reply.answer.rest} more", depth)
        else:
            yield AnswerLine(f"{who}: {move} wins", depth)


def _answer(puzzle: Puzzle) -> Iterator[AnswerLine]:
    """Yield the lines of a puzzle's answer: solution, tempting move, chances, path."""
    yield from answer_lines(puzzle)
    if (tempting := puzzle.temptation) is not None:
        reply = "" if tempting.reply is None else f" {cell_name(puzzle.game, tempting.reply)}:"
        move = cell_name(puzzle.game, tempting.cell)
        yield AnswerLine(f"Tempting: {move}?{reply} {tempting.verdict}", note=True)
    odds = ", ".join(f"{percent(c)}%" for c in puzzle.chances)
    yield AnswerLine(f"Looking 1 to {len(puzzle.chances)} rounds ahead wins {odds}", note=True)
    if puzzle.path:
        names = " ".join(cell_name(puzzle.game, cell) for cell in puzzle.path)
        yield AnswerLine(f"Path: {names}", note=True)


# --- boards ---------------------------------------------------------------------------------------


def _draw(puzzle: Puzzle, page: Page, frame: Frame, is_solved: bool) -> None:
    """Draw a puzzle's board on ``page``; if ``is_solved``, mark winning and tempting moves."""
    game, marked = puzzle.game, []
    if is_solved:
        marked = [(cell, _KEY) for cell in puzzle.keys]
        if puzzle.temptation is not None:
            marked.append((puzzle.temptation.cell, _TEMPT))
    side = min(frame.width / game.columns, (frame.height - 10) / game.rows)
    left = frame.x + (frame.width - side * game.columns) / 2
    draw_board(page, game, puzzle.state, left, frame.y, side, marked)


def draw_board(
    page: Page,
    game: LineGame,
    state: Position,
    x: float,
    y: float,
    side: float,
    marked: Sequence[tuple[int, str]] = (),
) -> None:
    """Draw the board of ``state`` with its top left at (x, y) and cells of ``side`` points.
    ``marked`` has cells, as bit masks, with the colours to fill them."""
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
    size = min(8.0, max(5.5, side / 3))
    for column in range(game.columns):
        middle = x + (column + 0.5) * side
        page.text(middle, bottom + size + 2, chr(97 + column), size, FAINT, align=0.5)
    for row in range(game.rows):
        middle = bottom - (row + 0.5) * side + size / 3
        page.text(x - 4, middle, str(row + 1), size, FAINT, align=1)

"""Starting positions as JSON values and as lines of text; those of impartial games as CSV too."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.export.sheet import answer_lines, note_lines
from icgsynth.starts.choose import PositionSource
from icgsynth.starts.dense import Rule
from icgsynth.starts.hardness import percent
from icgsynth.starts.impartial import ImpartialWanted, PileTask, SolvedBox
from icgsynth.starts.lines import LineGame
from icgsynth.starts.puzzles import Puzzle

# --- starts report -------------------------------------------------------------------------------


def _rules_value(game: LineGame) -> dict[str, Any]:
    return {
        "game": game.name,
        "rows": game.rows,
        "columns": game.columns,
        "match": game.match,
        "win": game.win,
        "gravity": game.gravity,
    }


@dataclass(frozen=True)
class Counted:
    """How many positions play reaches, how many of them are won, and how large the sets are."""

    game: LineGame
    rule: Rule
    engine: str
    reachable: int
    won: tuple[int, int]
    counts: Sequence[int]

    def value(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **_rules_value(self.game),
            "rule": self.rule,
            "engine": self.engine,
            "reachable": self.reachable,
            "T1": self.won[0],
            "T2": self.won[1],
            "W": list(self.counts),
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        reached = f"{self.reachable:,} positions that play reaches ({self.engine} engine)"
        yield f"{self.game}: {reached}"
        yield f"  won by X    {self.won[0]:>15,}"
        yield f"  won by O    {self.won[1]:>15,}"
        for j, size in enumerate(self.counts):
            yield f"  X wins in {j + 1:<2}{size:>15,}   W_{j}, {self.rule} rule"


@dataclass(frozen=True)
class GradedPosition:
    """One position: how soon X wins, and how likely X does who looks so far ahead.

    ``most`` is how many marks the win was looked for; ``you`` and ``opponent`` are depths in
    rounds; ``classes`` are the expected parts of easy, medium and hard; ``values`` are what the
    moves are worth to the player to move.
    """

    game: LineGame
    board: tuple[int, int]
    most: int
    soonest: int | None
    you: int
    opponent: int
    chance: float
    level: str
    classes: tuple[float, float, float]
    values: dict[str, int]

    @property
    def mover(self) -> str:
        """``X`` or ``O``."""
        return "XO"[self.game.mover(self.board)]

    def value(self) -> dict[str, Any]:
        """As JSON."""
        names = ("easy", "medium", "hard")
        return {
            **_rules_value(self.game),
            "board": self.game.show(self.board),
            "mover": self.mover,
            "wins_in": self.soonest,
            "you": self.you,
            "opponent": self.opponent,
            "chance": round(self.chance, 9),
            "level": self.level,
            "expected_class": {
                name: round(part, 6) for name, part in zip(names, self.classes, strict=True)
            },
            "values": self.values,
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        yield from (f"  {row}" for row in self.game.grid(self.board))
        wins = f"a win in {self.soonest}" if self.soonest else f"no win in {self.most}"
        yield f"{self.mover} to move; X forces {wins}"
        yield (
            f"chance of X at depth {self.you} against depth {self.opponent}: "
            f"{percent(self.chance, '.4g')} %, {self.level}"
        )
        depth = self.you if self.mover == "X" else self.opponent
        worth = ", ".join(f"{name} {v:+d}" for name, v in self.values.items())
        yield f"worth of each move to X, as {self.mover} sees it at depth {depth}: {worth}"


def sheet_value(source: PositionSource, puzzles: Sequence[Puzzle], engine: str) -> dict[str, Any]:
    """The positions of a sheet, and what they were chosen from, as JSON."""
    wanted = source.wanted
    return {
        **_rules_value(source.game),
        "rule": wanted.rule,
        "engine": engine,
        "moves": wanted.moves,
        "you": wanted.you,
        "opponent": wanted.opponent,
        "level": wanted.level or "any",
        "seed": wanted.seed,
        "such_positions": source.size,
        "levels": {
            f"depth {k}": counts for k in wanted.depths if (counts := source.counts(k)) is not None
        },
        "positions": [puzzle.value() for puzzle in puzzles],
    }


def sheet_lines(source: PositionSource, puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """The positions as text, with their solutions."""
    wanted = source.wanted
    counts = source.counts(wanted.you)
    graded = "" if counts is None else ": " + ", ".join(f"{n:,} {x}" for x, n in counts.items())
    yield f"{source.game}: X to move wins in {wanted.moves} from {source.size:,} positions"
    yield f"  depth {wanted.you} against depth {wanted.opponent}{graded}"
    for number, puzzle in enumerate(puzzles, start=1):
        lines = [f"{'  ' * depth}{text}" for depth, text in answer_lines(puzzle)]
        lines += note_lines(puzzle)
        grid = puzzle.game.grid(puzzle.state)
        blank = " " * len(grid[0])
        yield f"\n{number}. {puzzle.level}, category {puzzle.category}"
        for i in range(max(len(grid), len(lines))):
            left = grid[i] if i < len(grid) else blank
            yield f"  {left}   {lines[i] if i < len(lines) else ''}".rstrip()


# --- pile report ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class PileReport:
    """What was ``found`` among the states of ``graph`` with coordinates up to ``bound``.

    ``counts`` says how many of the states that are won in so many moves are of each level.
    """

    graph: SolvedBox
    found: Sequence[PileTask]
    counts: dict[str, int]
    wanted: ImpartialWanted
    bound: int

    def value(self) -> dict[str, Any]:
        """As JSON."""
        game, wanted = self.graph.game, self.wanted
        return {
            "game": game.name,
            "rule": self.graph.rule,
            "bound": self.bound,
            "states": len(self.graph.states),
            "moves": wanted.moves,
            "you": wanted.you.depth,
            "knows": [str(one) for one in wanted.you.knows],
            "opponent": wanted.opponent,
            "variables": list(game.variables),
            "levels": self.counts,
            "positions": [task.value() for task in self.found],
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        game, wanted = self.graph.game, self.wanted
        levels = ", ".join(f"{n:,} {level}" for level, n in self.counts.items())
        total = f"{sum(self.counts.values()):,} of {len(self.graph.states):,} states"
        won = f"up to {self.bound} are won in {wanted.moves}"
        yield f"{game.name}, {self.graph.rule} play: {total} {won}"
        depth = wanted.you.depth
        ahead = f"looks {depth} round{'s' * (depth != 1)} ahead"
        you = f"who {ahead}" if depth else "who plays at random"
        yield f"  for one {you}, against one who looks {wanted.opponent}: {levels}"
        yield from (f"  who knows: {one}" for one in wanted.you.knows)
        for number, task in enumerate(self.found, start=1):
            chances = ", ".join(f"{percent(c)}%" for c in task.chances)
            state = game.show(task.state)
            yield f"\n{number}. {state}   {task.level}, {percent(task.chance, '.4g')} %"
            yield f"   wins: {', '.join(map(str, task.keys))}"
            yield f"   best play: {' '.join(map(str, task.line))}"
            if task.tempting is not None:
                answer = f", answered by {task.answer}" if task.answer is not None else ""
                yield f"   tempting: {task.tempting}{answer}"
            yield f"   depth 1 to 3 wins {chances}"

    def csv(self) -> str:
        """A row a position."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        names = [f"chance_{k}" for k in (1, 2, 3)]
        head = ["number", *self.graph.game.variables, "moves", "level", "chance", *names]
        writer.writerow([*head, "first_moves", "tempting"])
        for number, task in enumerate(self.found, start=1):
            row: list[Any] = [number, *task.state, task.moves, task.level, round(task.chance, 6)]
            row += [round(c, 6) for c in task.chances]
            writer.writerow([*row, " ".join(map(str, task.keys)), task.tempting or ""])
        return stream.getvalue()

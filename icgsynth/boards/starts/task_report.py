"""Reports of positions chosen from a solved game: as JSON, as lines of text and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from typing import Any

from icgsynth.boards.starts.hardness import Level, percent
from icgsynth.boards.starts.impartial import SolvedBox
from icgsynth.boards.starts.tasks import SolvedGame, StartTask, TasksWanted
from icgsynth.boards.text.drawn_states import draw_piles, draw_state
from icgsynth.boards.text.finite_lines import finite_lines
from icgsynth.boards.text.sheet import AnswerLine, Frame, Sheet
from icgsynth.export.json import csv_text
from icgsynth.export.sentences import in_prose, rules_in_words
from icgsynth.formats.paper import Page

_CHARACTERS = 112  # characters of a line of rules, in letters of 9 points


@dataclass(frozen=True)
class TaskSheet:
    """A sheet of positions chosen from a solved finite game, in which the player to move wins.

    ``counts`` says how many of the states that are won in so many moves are of each level."""

    found: Sequence[StartTask]
    counts: Mapping[Level, int]
    wanted: TasksWanted
    graph: SolvedGame

    @property
    def title(self) -> str:
        """The title of the sheet: the name of the game."""
        return str(self.graph.game.name)

    @property
    def goal(self) -> str:
        """A sentence for the sheet that tells the reader what to do."""
        return "You are the player to move, who wins."

    @property
    def rules(self) -> Sequence[str]:
        """The rules of the game as lines of text for the sheet; none here."""
        return ()

    def sheet(self) -> Sheet:
        """Return the sheet to be printed: the rules, the task, the positions with answers."""
        moves = self.wanted.moves
        often = "" if moves is None else f" It takes {moves} of your moves, played best."
        positions = [(partial(self.draw, task), list(self._answer(task))) for task in self.found]
        foot = f"{self.graph.game.name}  ·  seed {self.wanted.seed}"
        return Sheet(self.title, self.rules, self.goal + often, positions, (), foot)

    def _answer(self, task: StartTask) -> Iterator[AnswerLine]:
        yield AnswerLine(f"{self.say(task)}: {', '.join(task.keys)}")
        yield AnswerLine(f"Best play: {' '.join(task.line)}", note=True)
        if task.tempting is not None:
            yield AnswerLine(f"Tempting: {_tempting(task)}", note=True)
        chances = ", ".join(f"{percent(c)}%" for c in task.chances)
        yield AnswerLine(f"Looking 1 to 3 rounds ahead wins {chances}", note=True)

    def say(self, task: StartTask) -> str:
        """Return in words who is to move in ``task``: the line below its picture in the answers."""
        return f"{self.graph.arena.mover_name(task.row)} to move"

    def draw(self, task: StartTask, page: Page, frame: Frame, _: bool) -> None:
        """Draw the state of ``task`` on ``page``, within ``frame``."""
        draw_state(page, self.graph.game, task.state, frame)

    @property
    def about(self) -> dict[str, Any]:
        """The game's name, roles and number of states as JSON."""
        game, arena = self.graph.game, self.graph.arena
        return {"game": game.name, "roles": list(game.roles), "states": int(arena.orbit.sum())}

    @property
    def total(self) -> str:
        """A sentence: how many of all states are won in the wanted number of moves."""
        won, states = sum(self.counts.values()), int(self.graph.arena.orbit.sum())
        return f"{self.graph.game.name}: {won:,} of {states:,} states are won{self._often}"

    @property
    def _often(self) -> str:
        moves = self.wanted.moves
        return "" if moves is None else f" in {moves} move{'s' * (moves != 1)}"

    def place(self, task: StartTask) -> dict[str, Any]:
        """Return as JSON the facts that hold in the state of ``task``, and who is to move."""
        mover = self.graph.arena.mover_name(task.row)
        return {"mover": mover, "facts": list(self.graph.game.facts(task.state))}

    def cells(self, task: StartTask) -> dict[str, Any]:
        """Return the state of ``task`` for CSV, as a dict from names of columns to cells."""
        return self.place(task) | {"facts": " ".join(self.graph.game.facts(task.state))}

    def show(self, task: StartTask) -> Sequence[str]:
        """Return the state of ``task`` as lines of text."""
        return finite_lines(self.graph.game, task.state)

    def value(self) -> dict[str, Any]:
        """Return as JSON the game, what was wanted, the states of each level, the positions."""
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
        """Yield the positions and their answers as lines of text."""
        wanted = self.wanted
        levels = ", ".join(f"{n:,} {level}" for level, n in self.counts.items())
        yield self.total
        depth = wanted.you.depth
        ahead = f"looks {depth} round{'s' * (depth != 1)} ahead"
        you = f"who {ahead}" if depth else "who plays at random, each move as likely as another"
        yield f"  for a player {you}, against an opponent who looks {wanted.opponent}: {levels}"
        yield from (f"  who knows: {one}" for one in wanted.you.knows)
        for number, task in enumerate(self.found, start=1):
            *above, last = self.show(task)
            yield f"\n{number}. {last}   {task.level}, {percent(task.chance, '.4g')} %"
            yield from (f"   {line}" for line in above)
            yield f"   wins: {', '.join(task.keys)}"
            yield f"   best play: {' '.join(task.line)}"
            if task.tempting is not None:
                yield f"   tempting: {_tempting(task)}"
            chances = ", ".join(f"{percent(c)}%" for c in task.chances)
            yield f"   looking 1 to 3 rounds ahead wins {chances}"

    def csv(self) -> str:
        """Return the positions as CSV, one a row."""
        return csv_text(self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        names = [f"chance_{k}" for k in (1, 2, 3)]
        for number, task in enumerate(self.found, start=1):
            cells = self.cells(task)
            if number == 1:
                head = ["number", *cells, "moves", "level", "chance", *names]
                yield [*head, "first_moves", "tempting"]
            row: list[Any] = [number, *cells.values(), task.moves, task.level]
            row += [round(c, 6) for c in (task.chance, *task.chances)]
            yield [*row, " ".join(task.keys), task.tempting or ""]


def _tempting(task: StartTask) -> str:
    answer = "" if task.answer is None else f", answered by {task.answer}"
    return f"{task.tempting}{answer}"


@dataclass(frozen=True)
class PileSheet(TaskSheet):
    """A sheet of positions of an impartial game, with coordinates up to ``bound``."""

    graph: SolvedBox
    bound: int

    @property
    def goal(self) -> str:
        last = "loses" if self.graph.rule == "normal" else "wins"
        return f"Who cannot move {last}. You move and win."

    @property
    def title(self) -> str:
        return in_prose(self.graph.game)

    @property
    def rules(self) -> Sequence[str]:
        said = rules_in_words(self.graph.game)
        return [part for line in said for part in wrap(line, _CHARACTERS)]

    def say(self, task: StartTask) -> str:
        return self.graph.game.show(task.state)

    def draw(self, task: StartTask, page: Page, frame: Frame, _: bool) -> None:
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
        won = f"up to {self.bound} are won{self._often}"
        return f"{self.graph.game.name}, {self.graph.rule} play: {states} {won}"

    def place(self, task: StartTask) -> dict[str, Any]:
        return {"state": list(task.state)}

    def cells(self, task: StartTask) -> dict[str, Any]:
        return dict(zip(self.graph.game.variables, task.state, strict=True))

    def show(self, task: StartTask) -> Sequence[str]:
        return [self.say(task)]

"""Starting positions of OpenSpiel games, whose states are tuples of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.rules.openspiel import OpenSpielGame, Played, played_out
from icgsynth.boards.starts.task_report import TaskSheet
from icgsynth.boards.starts.tasks import SolvedGame, StartTask, TasksWanted, tasks
from icgsynth.boards.text.sheet import Frame
from icgsynth.budget import Budget
from icgsynth.formats.paper import INK, Page, fitting
from icgsynth.game.game import State

_SIZE, _LINE = 9.0, 11.0  # points: letters of a line on a sheet, and one line to the next


@dataclass(frozen=True, eq=False)
class SolvedOpenSpiel(SolvedGame):
    """A solved game of OpenSpiel, from whose positions some are chosen."""

    played: Played

    def state_at(self, row: int) -> State:
        """Return the state in a row of the arena, as the tuple of actions that lead to it."""
        return self.played.state_at(row)

    def names(self, row: int, moves: Iterable[int]) -> Iterator[str]:
        """Yield the names of ``moves``, given as indices into the arena, which has no symmetry."""
        return (self.arena.action_name(move) for move in moves)


@dataclass(frozen=True)
class OpenSpielSheet(TaskSheet):
    """A sheet of chosen positions, shown as OpenSpiel prints them."""

    def show(self, task: StartTask) -> Sequence[str]:
        """Return a position as lines of text."""
        return str(self.graph.game.show(task.state)).split("\n")

    def draw(self, task: StartTask, page: Page, frame: Frame, _: bool) -> None:
        """Draw the position of ``task`` as text on ``page``, within ``frame``."""
        for i, line in enumerate(self.show(task)):
            size = fitting(line, frame.width, _SIZE)
            page.text(frame.x, frame.y + _LINE * (i + 1), line, size, INK)


def openspiel_report(
    game: OpenSpielGame, wanted: TasksWanted, budget: Budget, steps: WorkSteps
) -> TaskSheet:
    """Solve a game of OpenSpiel and return a sheet of the positions that are ``wanted``."""
    played = played_out(game, (), budget, steps)
    played.arena.require_move()
    graph = SolvedOpenSpiel(played.arena, game, played)
    return OpenSpielSheet(*tasks(graph, wanted), wanted, graph)

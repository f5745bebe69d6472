"""Starting positions: sets counted, one position graded, sheets of positions chosen."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError, Refused
from icgsynth.export.canvas import Page, html, pdf, svg
from icgsynth.export.line_report import LineReport
from icgsynth.export.sheet import sheet_pages
from icgsynth.export.starts_report import Counted, GradedPosition
from icgsynth.export.task_report import PileReport, TaskReport
from icgsynth.finite.arena import arena_of_board
from icgsynth.finite.board import board_of
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import Encoding
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import GROUNDING, ground
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Verdict
from icgsynth.starts.choose import PositionSource, Wanted, choose, draw, grade
from icgsynth.starts.dense import predicted_bytes, sets, space
from icgsynth.starts.impartial import solved_box
from icgsynth.starts.lines import LineGame
from icgsynth.starts.puzzles import cell_name
from icgsynth.starts.query import Query
from icgsynth.starts.symbolic import symbolic_sets
from icgsynth.starts.tasks import SolvedGame, TasksWanted, tasks
from icgsynth.subjects.question import Question, Searching, Told, Work
from icgsynth.subjects.subject import remarks_on

Engine = Literal["dense", "symbolic"]
_GIGA = 10**9  # bytes
_PAPER: dict[str, Callable[[list[Page], str], str | bytes]]
_PAPER = {".pdf": pdf, ".html": html, ".svg": svg}


def engine_for(game: LineGame, asked: str, memory: float) -> Engine:
    """An array of bits where it takes at most ``memory`` gigabytes, else decision diagrams.

    ``asked`` is "auto" or names one; :class:`~icgsynth.errors.Refused` for an array too large.
    """
    needs = predicted_bytes(game)
    if asked == "symbolic" or (asked == "auto" and needs > memory * _GIGA):
        return "symbolic"
    if needs > memory * _GIGA:
        raise Refused(
            f"{game} takes {needs / _GIGA:.1f} GB as an array, and --memory is "
            f"{memory:g}\n  raise --memory, or take --engine symbolic"
        )
    return "dense"


def to_count(game: LineGame, most: int, engine: Engine) -> Question[Counted]:
    """How many positions there are, and from how many the win takes 0, 1, .. ``most`` moves."""
    begun = time.perf_counter()

    def counted(progress: Progress) -> Counted:
        if engine == "dense":
            whole = space(game, progress)
            counts = sets(whole, most, progress).counts
            return Counted(game, engine, whole.reachable, whole.won, counts)
        drawn = symbolic_sets(game, most, progress)
        return Counted(game, engine, drawn.reachable, drawn.won, drawn.counts)

    def search(_: Budget, progress: Progress) -> Searching[Counted]:
        return Work(lambda: counted(progress))

    def shown(found: Counted) -> Told:
        value = found.value() | _since(begun)
        return Told(Verdict.PROVED, lambda: "\n".join(found.lines()), lambda: value)

    return Question(search, shown)


def _since(begun: float) -> dict[str, Any]:
    return {"seconds": {"total": round(time.perf_counter() - begun, 3)}}


def to_grade(game: LineGame, wanted: Wanted, board: str) -> Question[GradedPosition]:
    """How hard the position ``board`` is."""
    state = game.read(board)
    if game.winner(state) is not None:
        raise InputError("play has ended on this board", mend="give one without a line")

    def graded(progress: Progress) -> GradedPosition:
        query = Query(game, wanted.reward, progress)
        chance = query.chance(state, wanted.you, wanted.opponent)
        depth = wanted.you if game.mover(state) == 0 else wanted.opponent
        return GradedPosition(
            game,
            state,
            wanted.moves,
            query.soonest(state, wanted.moves),
            wanted.you,
            wanted.opponent,
            chance,
            {cell_name(game, c): v for c, v in query.values(state, depth).items()},
        )

    def search(_: Budget, progress: Progress) -> Searching[GradedPosition]:
        return Work(lambda: graded(progress))

    def shown(found: GradedPosition) -> Told:
        return Told(Verdict.PROVED, lambda: "\n".join(found.lines()), found.value)

    return Question(search, shown)


# --- sheets -----------------------------------------------------------------------------------


def to_choose(
    game: LineGame, wanted: Wanted, engine: Engine, progression: bool, output: str | None
) -> Question[LineReport]:
    """Positions of a game of lines; ``output`` is the file for the sheet."""
    begun = time.perf_counter()

    def search(_: Budget, progress: Progress) -> Searching[LineReport]:
        def run() -> LineReport:
            source: PositionSource
            source = (grade if engine == "dense" else draw)(game, wanted, progress)
            return LineReport(source, choose(source, progression), engine)

        return Work(run)

    def shown(report: LineReport) -> Told:
        mend = "others have another --level or --moves"
        return _told(report, report.value() | _since(begun), output, mend)

    return Question(search, shown)


def to_choose_piles(
    game: ParametricGame, rule: PlayRule, bound: int, wanted: TasksWanted, output: str | None
) -> Question[PileReport]:
    """Positions of an impartial game with coordinates up to ``bound``."""

    def search(_: Budget, progress: Progress) -> Searching[PileReport]:
        def run() -> PileReport:
            graph = solved_box(game, rule, bound, progress)
            return PileReport(*tasks(graph, wanted), wanted, graph, bound)

        return Work(run)

    def shown(report: PileReport) -> Told:
        return _told(report, report.value(), output, _mend(report))

    return Question(search, shown, remarks_on(game))


def to_choose_boards(
    rules: Rulebook | Encoding, wanted: TasksWanted, output: str | None
) -> Question[TaskReport]:
    """Positions of a finite game that is solved whole."""

    def search(budget: Budget, progress: Progress) -> Searching[TaskReport]:
        def run() -> TaskReport:
            board = board_of(ground(rules, seconds=min(GROUNDING, budget.remaining())))
            arena = arena_of_board(board, seconds=budget.remaining(), progress=progress)
            arena.require_move()
            progress(f"playing every position of {board.name} to its end")
            graph = SolvedGame(arena, FiniteGame(board))
            return TaskReport(*tasks(graph, wanted), wanted, graph)

        return Work(run)

    def shown(report: TaskReport) -> Told:
        return _told(report, report.value(), output, _mend(report))

    remarks = tuple(f"warning: {line}" for line in rules.warnings)
    return Question(search, shown, remarks)


def _mend(report: TaskReport) -> str:
    """Which option to change where too few positions are found."""
    wanted, counts = report.wanted, report.counts
    if wanted.level is not None and (more := sum(counts.values()) - counts[wanted.level]):
        return f"--level any has {more:,} more"
    if wanted.unique_first_move and any(counts.values()):
        return "leave --unique-first-move out for others"
    return "another --moves has others, or a larger --bound"


def _told(
    report: LineReport | TaskReport, value: dict[str, Any], output: str | None, mend: str
) -> Told:
    """A sheet and its JSON; ``mend`` says how to find more where there are too few positions."""
    found, wanted = len(report.found), report.wanted.count
    text = "\n".join(report.lines())
    if output is not None:
        text += f"\n{output}: {found} positions"

    def drawings() -> Mapping[str, str | bytes | dict[str, Any]]:
        if output is None:
            return {}
        ending = Path(output).suffix.lower()
        if ending == ".json":
            return {output: value}
        if ending == ".csv":
            return {output: report.csv()}
        return {output: _PAPER[ending](sheet_pages(sheet := report.sheet()), sheet.title)}

    few = (f"{found} of {wanted} found, up to symmetry: {mend}",)
    warnings = few if found < wanted else ()
    return Told(Verdict.PROVED, lambda: text, lambda: value, drawings=drawings, warnings=warnings)

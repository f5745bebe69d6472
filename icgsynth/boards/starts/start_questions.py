"""Questions about starting positions: count sets, grade one position, choose sheets of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.rules.openspiel import OpenSpielGame
from icgsynth.boards.starts.choose import PositionSource, Wanted, choose, draw, grade
from icgsynth.boards.starts.dense import predicted_bytes, sets, space
from icgsynth.boards.starts.impartial import solved_box
from icgsynth.boards.starts.line_report import LineSheet
from icgsynth.boards.starts.lines import LineGame
from icgsynth.boards.starts.openspiel_tasks import openspiel_report
from icgsynth.boards.starts.puzzles import cell_name
from icgsynth.boards.starts.query import Query
from icgsynth.boards.starts.starts_report import Counted, GradedPosition
from icgsynth.boards.starts.symbolic import symbolic_sets
from icgsynth.boards.starts.task_report import PileSheet, TaskSheet
from icgsynth.boards.starts.tasks import SolvedGame, TasksWanted, tasks
from icgsynth.boards.text.outcome_report import winner_line, winner_value
from icgsynth.boards.text.sheet import sheet_pages
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.formats.paper import Page, html, pdf, svg
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.subjects import remarks_on
from icgsynth.subjects.question import Question, Searching, Told, Work

Engine = Literal["dense", "symbolic"]
_GIGA = 10**9  # bytes
_PAPER: dict[str, Callable[[list[Page], str], str | bytes]]
_PAPER = {".pdf": pdf, ".html": html, ".svg": svg}


def engine_for(game: LineGame, asked: str, memory: float) -> Engine:
    """Return which engine to use: dense (bits) if it fits ``memory`` gigabytes, else symbolic.
    ``asked`` is "auto" or names one; :class:`~icgsynth.errors.Refused` for an array too large."""
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
    """Return the question how many positions play reaches, and from how many X wins with 1, 2, ..
    stones: the sets W_0 to W_``most``."""
    begun = time.perf_counter()

    def count(progress: Progress) -> Counted:
        if engine == "dense":
            whole = space(game, progress)
            counts = sets(whole, most, progress).counts
            return Counted(game, engine, whole.reachable, whole.won, counts)
        drawn = symbolic_sets(game, most, progress)
        return Counted(game, engine, drawn.reachable, drawn.won, drawn.counts)

    def search(_: Budget, progress: Progress) -> Searching[Counted]:
        return Work(lambda: count(progress))

    def show(found: Counted) -> Told:
        value = found.value() | _since(begun)
        return Told(Verdict.PROVED, lambda: "\n".join(found.lines()), lambda: value)

    return Question(search, show)


def _since(begun: float) -> dict[str, Any]:
    return {"seconds": {"total": round(time.perf_counter() - begun, 3)}}


def to_grade(game: LineGame, wanted: Wanted, board: str) -> Question[GradedPosition]:
    """Return the question how hard ``board``, written as text, is for the players in ``wanted``.
    InputError where play has ended on it."""
    state = game.read(board)
    if game.winner(state) is not None:
        raise InputError("play has ended on this board", mend="give one without a line")

    def grade_position(progress: Progress) -> GradedPosition:
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
        return Work(lambda: grade_position(progress))

    def show(found: GradedPosition) -> Told:
        return Told(Verdict.PROVED, lambda: "\n".join(found.lines()), found.value)

    return Question(search, show)


# --- sheets -----------------------------------------------------------------------------------


def to_choose(
    game: LineGame, wanted: Wanted, engine: Engine, progression: bool, output: str | None
) -> Question[LineSheet]:
    """Return the question for the ``wanted`` positions of a line game, to be written to ``output``.
    With ``progression`` they go from easy to hard."""
    begun = time.perf_counter()

    def search(_: Budget, progress: Progress) -> Searching[LineSheet]:
        def run() -> LineSheet:
            source: PositionSource
            source = (grade if engine == "dense" else draw)(game, wanted, progress)
            return LineSheet(source, choose(source, progression), engine)

        return Work(run)

    def show(report: LineSheet) -> Told:
        mend = "others have another --level or --moves"
        return _tell(report, report.value() | _since(begun), output, mend)

    return Question(search, show)


def to_choose_piles(
    game: ParametricGame, rule: PlayRule, bound: int, wanted: TasksWanted, output: str | None
) -> Question[PileSheet]:
    """Return the question for the ``wanted`` positions of an impartial game, with variables up to
    ``bound``, to be written to ``output``."""

    def search(_: Budget, progress: Progress) -> Searching[PileSheet]:
        def run() -> PileSheet:
            graph = solved_box(game, rule, bound, progress)
            return PileSheet(*tasks(graph, wanted), wanted, graph, bound)

        return Work(run)

    def show(report: PileSheet) -> Told:
        return _tell(report, report.value(), output, _mend(report))

    return Question(search, show, remarks_on(game))


def to_choose_boards(
    rules: Rulebook | Encoding | OpenSpielGame, wanted: TasksWanted, output: str | None
) -> Question[TaskSheet]:
    """Return the question for the ``wanted`` positions of a finite game, written to ``output``."""

    def search(budget: Budget, progress: Progress) -> Searching[TaskSheet]:
        steps = WorkSteps(rules.name)

        def run() -> TaskSheet:
            if isinstance(rules, OpenSpielGame):
                return openspiel_report(rules, wanted, budget, steps)
            table = SolvingTable(rules, budget, progress, steps)
            board = table.board()
            arena = table.arena(board)
            arena.require_move()
            progress(f"playing every position of {board.name} to its end")
            graph = SolvedGame(arena, FiniteGame(board))
            return TaskSheet(*tasks(graph, wanted), wanted, graph)

        def unknown(why: str) -> TaskSheet:
            raise BudgetSpent(steps.too_large(why))

        return Work(run, unknown)

    def show(report: TaskSheet) -> Told:
        arena = report.graph.arena
        value = report.value() | winner_value(arena)
        return _tell(report, value, output, _mend(report), f"{winner_line(arena)}\n")

    remarks = tuple(f"warning: {line}" for line in rules.warnings)
    return Question(search, show, remarks)


def _mend(report: TaskSheet) -> str:
    """Return in words which option to change for more positions than ``report`` has."""
    wanted, counts = report.wanted, report.counts
    if wanted.level is not None and (more := sum(counts.values()) - counts[wanted.level]):
        return f"--level any has {more:,} more"
    if wanted.unique_first_move and any(counts.values()):
        return "leave --unique-first-move out for others"
    return "another --moves has others, or a larger --bound"


def _tell(
    report: LineSheet | TaskSheet,
    value: dict[str, Any],
    output: str | None,
    mend: str,
    head: str = "",
) -> Told:
    """Return what is shown of a sheet: ``head`` and its lines, its JSON ``value``, the file
    ``output``, and a warning with ``mend`` where fewer positions are found than wanted."""
    # Without any position no file is written, and the question counts as not answered.
    found, wanted = len(report.found), report.wanted.count
    text = head + "\n".join(report.lines())
    if output is not None:
        said = f": {found} position{'s' * (found != 1)}" if found else " is not written"
        text += f"\n{output}{said}"

    def drawings() -> Mapping[str, str | bytes | dict[str, Any]]:
        if output is None or not found:
            return {}
        ending = Path(output).suffix.lower()
        if ending == ".json":
            return {output: value}
        if ending == ".csv":
            return {output: report.csv()}
        return {output: _PAPER[ending](sheet_pages(sheet := report.sheet()), sheet.title)}

    few = (f"{found} of {wanted} found, up to symmetry: {mend}",)
    warnings = few if found < wanted else ()
    verdict = Verdict.UNKNOWN if output is not None and not found else Verdict.PROVED
    return Told(verdict, lambda: text, lambda: value, drawings=drawings, warnings=warnings)

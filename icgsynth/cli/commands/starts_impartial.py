"""``icgsynth starts`` for impartial games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.screen import say

if TYPE_CHECKING:
    from icgsynth.export.starts_report import PileReport
    from icgsynth.game.game import ParametricGame, PlayRule
    from icgsynth.game.strategy import Rule, Strategy, TargetRule

__all__ = ["impartial"]

_LINE_GAME = ("size", "match", "gravity", "reward", "position")


def impartial(given: dict[str, Any]) -> int:
    """Positions of one impartial game, chosen, printed and written."""
    from icgsynth.cli.options import load_game, require_use
    from icgsynth.cli.output import Progress, as_json, write_file
    from icgsynth.errors import InputError
    from icgsynth.export.starts_report import PileReport
    from icgsynth.starts.impartial import ImpartialWanted, Pupil, default_bound, solved_box, tasks

    if misplaced := [name for name in _LINE_GAME if given[name] is not None]:
        raise InputError(f"--{misplaced[0]} is for connect, tictactoe and bottom")
    if given["count_sets"] or given["progression"] or given["rule"] in ("exact", "paper"):
        raise InputError(
            "--count-sets, --progression and the rules exact and paper are for connect, "
            "tictactoe and bottom"
        )
    lines = "connect, tictactoe and bottom"
    require_use(False, lines, "win", "engine", "memory", "up_to")
    rule: PlayRule = given["rule"] or "normal"
    game = load_game(given["game"], given["constants"], given["quiet"])
    if given["bound"] is None:
        given["bound"] = default_bound(game)
    known = _known(game, rule, given["solution"], given["knows"])
    progress = Progress(given["quiet"])
    try:
        wanted = ImpartialWanted(
            given["moves"],
            Pupil(given["you"], known),
            given["opponent"],
            None if given["level"] == "any" else given["level"],
            given["count"],
            given["unique_first_move"],
            given["seed"],
        )
        graph = solved_box(game, rule, given["bound"], progress)
        found, counts = tasks(graph, wanted)
    finally:
        progress.clear()
    report = PileReport(graph, found, counts, wanted, given["bound"])
    text = as_json(report.value())
    if given["output"]:
        write_file(given["output"], _written(report, given["output"], text))
    if given["as_json"]:
        click.echo(text)
        return 0
    say("\n".join(report.lines()))
    if given["output"] and not given["quiet"]:
        click.echo(f"{given['output']}: {len(found)} positions")
    if len(found) < given["count"] and not given["quiet"]:
        say(f"warning: {len(found)} of {given['count']} found, up to symmetry", err=True)
    return 0


def _known(
    game: ParametricGame, rule: PlayRule, solution: str | None, knows: int | None
) -> Strategy[Rule | TargetRule]:
    """The first rules of the strategy in a file."""
    from icgsynth.cli.answer_source import answer_source
    from icgsynth.errors import InputError
    from icgsynth.game.strategy import Strategy
    from icgsynth.spec.solution_file import read_solution

    if solution is None:
        if knows is not None:
            raise InputError("--knows says how many rules of --solution", mend="give --solution")
        return Strategy()
    answer = read_solution(answer_source(solution), game)
    if answer.rule != rule:
        raise InputError(f"{solution} is for --rule {answer.rule}", mend=f"--rule {answer.rule}")
    return (answer.tree or answer.strategy)[:knows]


def _written(report: PileReport, output: str, text: str) -> str | bytes:
    from icgsynth.export.canvas import html, pdf, svg
    from icgsynth.export.pile_sheet import pile_pages
    from icgsynth.export.report import in_prose

    ending = Path(output).suffix.lower()
    if ending == ".json":
        return text + "\n"
    if ending == ".csv":
        return report.csv()
    wanted = report.wanted
    pages = pile_pages(report.graph, report.found, wanted.moves, wanted.seed)
    title = in_prose(report.graph.game)
    if ending == ".pdf":
        return pdf(pages, title)
    return html(pages, title) if ending == ".html" else svg(pages, title)

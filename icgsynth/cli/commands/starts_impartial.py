"""``icgsynth starts`` for impartial games."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icgsynth.game.game import ParametricGame
    from icgsynth.game.strategy import Rule, Strategy, TargetRule
    from icgsynth.starts.impartial import Graph, Task

__all__ = ["impartial"]

_LINE_GAME = ("size", "match", "gravity", "reward", "position")


def impartial(given: dict[str, Any]) -> int:
    """Positions of one impartial game, chosen, printed and written."""
    from icgsynth.cli.options import load_game
    from icgsynth.cli.output import Progress, write_file
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.errors import InputError
    from icgsynth.starts.impartial import ImpartialWanted, Learner, default_bound, graph_of, tasks

    if misplaced := [name for name in _LINE_GAME if given[name] is not None]:
        raise InputError(f"--{misplaced[0]} is for connect, tictactoe and bottom")
    if given["count_sets"] or given["progression"] or given["rule"] in ("exact", "paper"):
        raise InputError(
            "--count-sets, --progression and the rules exact and paper are for connect, "
            "tictactoe and bottom"
        )
    rule = given["rule"] or "normal"
    game = load_game(given["game"], given["constants"], given["quiet"])
    if given["bound"] is None:
        given["bound"] = default_bound(game)
    known = _known(game, rule, given["solution"], given["knows"])
    progress = Progress(given["quiet"])
    try:
        wanted = ImpartialWanted(
            given["moves"],
            Learner(given["you"], known),
            given["opponent"],
            None if given["level"] == "any" else given["level"],
            given["count"],
            given["unique_first_move"],
            given["seed"],
        )
        graph = graph_of(game, rule, given["bound"], progress)  # type: ignore[arg-type]
        found, counts = tasks(graph, wanted)
    finally:
        progress.clear()
    value = {
        "game": game.name,
        "rule": rule,
        "bound": given["bound"],
        "states": len(graph.states),
        "moves": given["moves"],
        "you": given["you"],
        "knows": [str(one) for one in known],
        "opponent": given["opponent"],
        "variables": list(game.variables),
        "levels": counts,
        "positions": [task.value() for task in found],
    }
    text = json_text(value)
    if given["output"]:
        write_file(given["output"], _written(graph, found, given, text))
    if given["as_json"]:
        click.echo(text)
        return 0
    _told(graph, found, counts, given, known)
    if given["output"] and not given["quiet"]:
        click.echo(f"{given['output']}: {len(found)} positions")
    if len(found) < given["count"] and not given["quiet"]:
        click.echo(f"warning: {len(found)} of {given['count']} found, up to symmetry", err=True)
    return 0


def _known(
    game: ParametricGame, rule: str, solution: str | None, knows: int | None
) -> Strategy[Rule | TargetRule]:
    """The first rules of the strategy in a file."""
    from icgsynth.errors import InputError
    from icgsynth.game.strategy import Strategy
    from icgsynth.spec.solution_file import read_solution
    from icgsynth.spec.source import Source

    if solution is None:
        if knows is not None:
            raise InputError("--knows says how many rules of --solution", mend="give --solution")
        return Strategy(())
    answer = read_solution(Source.read(Path(solution), solution), game)
    if answer.rule != rule:
        raise InputError(f"{solution} is for --rule {answer.rule}", mend=f"--rule {answer.rule}")
    rules = answer.tree or answer.strategy
    return Strategy(rules[:knows])


def _written(graph: Graph, found: Sequence[Task], given: dict[str, Any], text: str) -> str | bytes:
    from icgsynth.export.canvas import html, pdf, svg
    from icgsynth.export.pile_sheet import pile_pages

    ending = Path(given["output"]).suffix.lower()
    if ending == ".json":
        return text + "\n"
    if ending == ".csv":
        return _csv(graph, found)
    pages = pile_pages(graph, found, given["moves"], given["seed"])
    title = graph.game.title or graph.game.name
    if ending == ".pdf":
        return pdf(pages, title)
    return html(pages, title) if ending == ".html" else svg(pages, title)


def _csv(graph: Graph, found: Sequence[Task]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [f"chance_{k}" for k in (1, 2, 3)]
    head = ["number", *graph.game.variables, "moves", "level", "chance", *names]
    writer.writerow([*head, "first_moves", "tempting"])
    for number, task in enumerate(found, start=1):
        row: list[Any] = [number, *task.state, task.moves, task.level, round(task.chance, 6)]
        row += [round(c, 6) for c in task.chances]
        writer.writerow([*row, " ".join(map(str, task.keys)), task.tempting or ""])
    return stream.getvalue()


def _told(
    graph: Graph,
    found: Sequence[Task],
    counts: dict[str, int],
    given: dict[str, Any],
    known: Strategy[Rule | TargetRule],
) -> None:
    game = graph.game
    levels = ", ".join(f"{n:,} {level}" for level, n in counts.items())
    click.echo(
        f"{game.name}, {graph.rule} play: {sum(counts.values()):,} of {len(graph.states):,} states "
        f"up to {given['bound']} are won in {given['moves']}"
    )
    you = (
        f"who looks {given['you']} round{'s' * (given['you'] != 1)} ahead"
        if given["you"]
        else "who plays at random"
    )
    click.echo(f"  for one {you}, against one who looks {given['opponent']}: {levels}")
    for one in known:
        click.echo(f"  who knows: {one}")
    for number, task in enumerate(found, start=1):
        chances = ", ".join(f"{100 * c:.0f}%" for c in task.chances)
        click.echo(f"\n{number}. {game.show(task.state)}   {task.level}, {100 * task.chance:.4g} %")
        click.echo(f"   wins: {', '.join(map(str, task.keys))}")
        click.echo(f"   best play: {' '.join(map(str, task.line))}")
        if task.tempting is not None:
            answer = f", answered by {task.answer}" if task.answer is not None else ""
            click.echo(f"   tempting: {task.tempting}{answer}")
        click.echo(f"   depth 1 to 3 wins {chances}")

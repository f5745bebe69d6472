"""``icgsynth table``."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.options import (
    json_option,
    load_game,
    output_option,
    quiet_option,
    rule_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from icgsynth.export.panels import Table
    from icgsynth.game.game import PlayRule

__all__ = ["table"]

_FORMATS = (".svg", ".png", ".csv", ".json")
_USUAL = 20
_HEAPS = 119


@click.command()
@spec_argument
@rule_option(both=False)
@set_option
@click.option(
    "-b",
    "--bound",
    type=click.IntRange(0, 1_000_000),
    default=None,
    help="The legal states with every coordinate between -N and N; of heaps, those up to N.  "
    f"[default: {_USUAL}; of heaps {_HEAPS}]",
)
@output_option("A drawing (.svg, .png) or a table (.csv, .json), told by the ending.", *_FORMATS)
@timeout_option(20, whole=True)
@json_option
@quiet_option
@unused_seed_option
def table(
    spec: str,
    rule: PlayRule,
    constants: tuple[tuple[str, int], ...],
    bound: int | None,
    output: str | None,
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """The states of a box labelled by backward induction: losing, winning or unknown.

    Nothing is guessed: a state whose outcome depends on states outside the box is unknown.

    Of a game of heaps that split, by its code or name, the values of the heaps: a line for each
    period, the values that do not repeat in brackets.

    \b
    Try:  icgsynth table nim2
          icgsynth table wythoff --bound 30 -o wythoff.svg
          icgsynth table 0.77 --bound 200

    \b
    Exit codes: 0 done; 2 bad usage or bad input, or a box too large to
                label; 4 it was not labelled within the budget.
    """
    from icgsynth.spec.heap_code import looks_like_code

    if looks_like_code(spec):
        if constants or rule == "misere":
            option = "--set" if constants else "--rule misere"
            raise click.UsageError(f"{option} is not for the values of heaps")
        from icgsynth.cli.heap_answers import table_of_heaps

        last = _HEAPS if bound is None else bound
        return table_of_heaps(spec, last + 1, timeout, as_json, output, quiet)
    from icgsynth.budget import Budget
    from icgsynth.export.panels import Table, require_drawable
    from icgsynth.game.box import MAX_CELLS, Box
    from icgsynth.game.labels import label
    from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
    from icgsynth.prove.ranking_function import find_ranking

    bound, budget = _USUAL if bound is None else bound, Budget(timeout)
    game = eliminate_quantifiers(load_game(spec, constants, quiet, blocking=True), budget)
    box = Box.of(game, bound)
    box.require(MAX_CELLS)
    if not (as_json or output) or (output and Path(output).suffix.lower() in (".svg", ".png")):
        require_drawable(box.states)  # before the work
    # A ranking is only an order to label in: the labels are checked without it.
    ranking = find_ranking(game, budget)
    components = ranking.components if ranking is not None else None
    labels = label(game, box, rule, components)
    head = {"game": game.name, "rule": rule, "bound": bound}
    _deliver(Table.of(game, rule, labels), head, as_json, output)
    if output and not quiet and not as_json:
        counts = ", ".join(f"{n:,} {kind}" for kind, n in labels.counts.items() if n)
        click.echo(f"{output}: {counts}")
    return 0


def _deliver(found: Table, head: dict[str, Any], is_json: bool, output: str | None) -> None:
    """Print the table, as JSON behind ``head`` where ``is_json``; and write it to a file."""
    from icgsynth.cli.output import as_json, write_file
    from icgsynth.export.table import table_csv, table_png, table_svg, table_text, table_value

    def as_data(found: Table) -> str:
        return as_json(head | table_value(found)) + "\n"

    if is_json:
        click.echo(as_data(found), nl=False)
    elif not output:
        click.echo(table_text(found, width=get_terminal_size().columns), nl=False)
    if output:
        draw: dict[str, Callable[[Table], str | bytes]]
        draw = {".csv": table_csv, ".svg": table_svg, ".png": table_png, ".json": as_data}
        write_file(output, draw[Path(output).suffix.lower()](found))

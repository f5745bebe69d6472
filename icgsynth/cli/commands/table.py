"""``icgsynth table``."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

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

    from icgsynth.game.game import PlayRule

__all__ = ["table"]

_FORMATS = (".svg", ".png", ".csv")


@click.command()
@spec_argument
@rule_option(both=False)
@set_option
@click.option(
    "--bound",
    type=click.IntRange(0, 1_000_000),
    default=20,
    show_default=True,
    help="The legal states with every coordinate between -N and N.",
)
@output_option("A drawing (.svg, .png) or a table (.csv), told by the ending.")
@timeout_option(20, " for the order of the states")
@json_option
@quiet_option
@unused_seed_option
def table(
    spec: str,
    rule: PlayRule,
    constants: tuple[tuple[str, int], ...],
    bound: int,
    output: str | None,
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """The states of a box labelled by backward induction: losing, winning or unknown.

    Nothing is guessed: a state whose outcome depends on states outside the box is unknown.

    \b
    Exit codes: 0 done; 2 bad usage or bad input, or a box too large to label.
    """
    from icgsynth.budget import Budget
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import write_file
    from icgsynth.errors import InputError
    from icgsynth.export.table import (
        Table,
        table_csv,
        table_png,
        table_svg,
        table_text,
        table_value,
    )
    from icgsynth.game.box import Box
    from icgsynth.game.labels import label
    from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
    from icgsynth.prove.ranking_function import find_ranking

    ending = Path(output).suffix.lower() if output else ""
    if output and ending not in _FORMATS:
        mend = f"end its name in {', '.join(_FORMATS)}"
        raise InputError(f"{output}: no such kind of table", mend=mend)
    budget = Budget(timeout)
    game = eliminate_quantifiers(load_game(spec, constants, quiet), budget)
    # A ranking is only an order to label in: the labels are checked without it.
    ranking = find_ranking(game, budget)
    components = ranking.components if ranking is not None else None
    labels = label(game, Box.of(game, bound), rule, components)
    found = Table.of(game, rule, labels)
    if as_json:
        head = {"game": game.name, "rule": rule, "bound": bound}
        click.echo(json_text(head | table_value(found)))
    elif not output:
        click.echo(table_text(found, width=get_terminal_size().columns), nl=False)
    if output:
        draw: dict[str, Callable[[Table], str | bytes]]
        draw = {".csv": table_csv, ".svg": table_svg, ".png": table_png}
        write_file(output, draw[ending](found))
        if not quiet and not as_json:
            counts = ", ".join(f"{n:,} {kind}" for kind, n in labels.counts.items() if n)
            click.echo(f"{output}: {counts}")
    return 0

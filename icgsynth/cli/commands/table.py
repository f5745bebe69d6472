"""The command ``icgsynth table``: show who wins in the states of a box."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by, of_subject
from icgsynth.cli.options import output_option, rule_option, timeout_option, where_option

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule
    from icgsynth.subjects import Subject

_FORMATS = (".svg", ".png", ".csv", ".json")
_USUAL = 20  # default bound of a box: some 40 columns for two variables
_HEAPS = 119  # size of the last heap by default: six lines of 20 values


@click.command()
@of_subject
@rule_option(both=False)
@click.option(
    "-b",
    "--bound",
    type=click.IntRange(0, 1_000_000),
    default=None,
    help="The legal states with every coordinate between -N and N; of heaps, those up to N.  "
    f"[default: {_USUAL}, or fewer for many variables; of heaps {_HEAPS}]",
)
@click.option(
    "--solve",
    is_flag=True,
    help="Solve the game too, for states whose moves lead out of the box.",
)
@where_option("Show only the states where this holds, such as 'a + b = 100'.")
@deliver_by(
    output_option("A drawing (.svg, .png) or a table (.csv, .json), by its ending.", *_FORMATS),
    timeout_option(20),
)
def table(
    asked: Subject,
    delivery: Delivery,
    rule: PlayRule,
    bound: int | None,
    solve: bool,
    where: str | None,
) -> int:
    """Show which small states are lost, won or unknown, counting back from the ends.

    A state is unknown if it depends on states outside the box; --solve finds an answer for these.

    Of a game of heaps, by its code or name, the table shows the values of the heaps: a line for
    each period, with the values that do not repeat in brackets.  Of rules that begin with "heaps"
    it shows the values of the first heaps.

    \b
    Try:  icgsynth table nim2
          icgsynth table wythoff --bound 30 -o wythoff.svg
          icgsynth table 0.77 --bound 200

    \b
    Exit codes: 0 done; 2 bad usage or bad input, or a box too large to
                label; 4 it was not labelled within the budget.
    """
    from icgsynth.subjects import AskedTable

    width = get_terminal_size().columns
    quiet, path = delivery.quiet, delivery.output
    wanted = AskedTable(rule, bound, path, delivery.as_json, width, quiet, solve, where)
    return ask([asked.to_table(wanted)], delivery._replace(output=None))

"""``icgsynth table``."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask
from icgsynth.cli.options import (
    json_option,
    output_option,
    quiet_option,
    rule_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule

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
@timeout_option(20)
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
    from icgsynth.subjects import AskedTable, subject

    asked = AskedTable(rule, bound, output, as_json, get_terminal_size().columns, quiet)
    question = subject(spec, dict(constants)).to_table(asked)
    return ask([question], Delivery(timeout, as_json, None, quiet))

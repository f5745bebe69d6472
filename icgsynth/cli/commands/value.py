"""The command ``icgsynth value``: find and prove Grundy values."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by, of_subject
from icgsynth.cli.options import output_option, rule_option, timeout_option

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule
    from icgsynth.subjects import Subject

_BOUND = 20  # default bound of the coordinates in a table


@click.command()
@of_subject
@click.option(
    "--at",
    default=None,
    metavar="STATE",
    help="Give the value of this state only; for heaps, of one heap or a row, as 12,5.",
)
@click.option(
    "--to",
    "most",
    type=click.IntRange(1),
    default=None,
    metavar="N",
    help="For a game of heaps: look for a period in at most N values, G(0) to G(N - 1).  "
    "[default: as many as a quarter of the memory holds]",
)
@rule_option(both=False)
@click.option(
    "--table",
    "drawing",
    is_flag=False,
    flag_value="-",
    default=None,
    metavar="FILE",
    help="The values of a box of states as well: a picture (.svg, .png) or data (.csv), told by "
    "the ending of FILE; without FILE, or with -, as text.",
)
@click.option(
    "-b",
    "--bound",
    type=click.IntRange(0, 1_000_000),
    default=None,
    help="For --table: the legal states with every coordinate between -N and N.  "
    f"[default: {_BOUND}, or fewer for many variables]",
)
@deliver_by(
    timeout_option(60),
    output_option(
        "Write the JSON there, also where nothing is proved; of a code, go on from what is there.",
        "",
        ".json",
        is_answer=True,
    ),
    details=("method",),
)
def value(
    asked: Subject,
    delivery: Delivery,
    at: str | None,
    most: int | None,
    rule: PlayRule,
    drawing: str | None,
    bound: int | None,
) -> int:
    """Find the Grundy values of a game, as a function of its state, and prove them.

    SPEC may be a sum of games, as in 'nim2 + 2*chomp_2row + 0.77'.  STATE then has the states of
    the components in order, as in '3,7;5,1;4,2;12,5': of heaps a row of any length.

    SPEC may be the code of a game of heaps that split: d0.d1d2.., where the bits 1, 2, 4 and 8 of
    the digit d_k allow to take k and leave no heap, one, two or three; 4u splits a heap into two
    unequal ones.  The answer is the period of the values, as for a file that begins with "heaps".
    With --rule misere it is the misere quotient, or who wins the row of heaps that --at names.

    \b
    Try:  icgsynth value take_away --set n=5
          icgsynth value nim2 --table nim2.svg
          icgsynth value 0.77           Kayles: period 12
          icgsynth value 0.07 --at 1000
          icgsynth value 0.77 --rule misere --at 5,8,12
          icgsynth value 4u --to 10000  Grundy's game: no period is known
          icgsynth value 'nim2 + 0.77' --at '3,7;12,5'

    \b
    Exit codes: 0 proved; 2 bad usage or bad input; 3 the game may never end;
                4 unknown: what was seen is printed, and nothing is claimed.
    """
    from icgsynth.subjects import AskedValue

    width = get_terminal_size().columns
    for_file = bool(delivery.output) or (delivery.as_json and at is None)
    wanted = AskedValue(at, rule, most, drawing, bound, width, for_file, delivery.output)
    return ask([asked.to_value(wanted)], delivery)

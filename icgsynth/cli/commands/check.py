"""The command ``icgsynth check``: are the rules of a game well formed?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by, of_subject
from icgsynth.cli.options import timeout_option

if TYPE_CHECKING:
    from icgsynth.subjects import Subject


@click.command()
@of_subject
@deliver_by(timeout_option(20))
def check(asked: Subject, delivery: Delivery) -> int:
    """Check the rules of a game: that moves stay legal and that play always ends.

    \b
    Try:  icgsynth check nim2
          icgsynth check mine.icg --set n=5

    \b
    Exit codes: 0 play always ends (a refuted closure or ending is a
                warning); 2 bad usage or bad input; 3 the game may never end:
                a cycle is printed; 4 whether play always ends is unknown.
    """
    return ask([asked.to_check()], delivery)

"""``icgsynth check``."""

from __future__ import annotations

import click

from icgsynth.cli.asking import Delivery, ask
from icgsynth.cli.options import (
    json_option,
    quiet_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)


@click.command()
@spec_argument
@set_option
@timeout_option(20)
@json_option
@quiet_option
@unused_seed_option
def check(
    spec: str,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Is the game well formed: closed, ending where it says, and always ending?

    \b
    Try:  icgsynth check nim2
          icgsynth check mine.icg --set n=5

    \b
    Exit codes: 0 play always ends (a refuted closure or ending is a
                warning); 2 bad usage or bad input; 3 the game may never end:
                a cycle is printed; 4 whether play always ends is unknown.
    """
    from icgsynth.subjects import subject

    question = subject(spec, dict(constants)).to_check()
    return ask([question], Delivery(timeout, as_json, None, quiet))

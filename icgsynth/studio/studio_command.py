"""The command ``icgsynth studio``, which opens pages in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth import wings
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import set_option
from icgsynth.cli.output import DONE

if TYPE_CHECKING:
    from icgsynth.studio.faults import Data


@click.command()
@click.argument(
    "spec",
    metavar="[SPEC|ANSWER]",
    required=False,
    shell_complete=complete_names("icg", "gdl"),
)
@set_option
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    show_default="8642, or one that is free",
    help="The port of this machine to serve at; your browser keeps your games for each port.",
)
@click.option("--no-open", is_flag=True, help="Do not open the browser; print the address only.")
def studio(
    spec: str | None, constants: tuple[tuple[str, int], ...], port: int | None, no_open: bool
) -> int:
    """Open pages in the browser to play, to write rules, and to see why.

    Prints one line, the address with its token, and opens it.  Only this machine can reach the
    server, and only with the token.  Ctrl-C ends it.  SPEC may be an .icg or GDL file, or the
    name of a game in the catalog; ANSWER a file that 'icgsynth solve -o' wrote.

    \b
    Try:  icgsynth studio
          icgsynth studio tictactoe
          icgsynth studio my-game.icg --port 8000

    \b
    Exit codes: 0 done; 2 bad usage or bad input.
    """
    opened = None if spec is None else _open_game(spec, dict(constants))
    try:
        from icgsynth.studio.server import serve
    except ImportError:
        raise wings.lacking("the studio needs starlette, uvicorn and jinja2", "studio") from None
    try:
        serve(port, not no_open, opened, click.echo)
    except KeyboardInterrupt:
        return DONE
    return DONE


def _open_game(spec: str, constants: dict[str, int]) -> Data:
    """Return as JSON what the first page shows: the game ``spec``, or the content of a file."""
    from icgsynth.studio.opening import opening

    return opening(spec, constants)

"""The command ``icgsynth show``: print the rules of a game of the catalog."""

from __future__ import annotations

import click

from icgsynth.cli.completion import complete_names
from icgsynth.cli.output import say
from icgsynth.errors import InputError


@click.command()
@click.argument("name", metavar="NAME", shell_complete=complete_names("icg", "gdl", "asp"))
def show(name: str) -> int:
    """Show the rules of a game of the catalog, as they are in its file.

    They are in the language of the file: .icg, GDL, or clingo's. Where two games have one name,
    NAME with its ending says which, as nim.lp.

    \b
    Try:  icgsynth show nim2
          icgsynth show tictactoe

    \b
    Exit codes: 0 done; 2 bad usage, or no game of that name.
    """
    from icgsynth.spec.catalog import KINDS, did_you_mean, files, heap_codes

    known = {path.name: path for kind in KINDS for path in files(kind).values()} | files(*KINDS)
    if name in known:
        say(known[name].read_text("utf-8"), is_data=True, nl=False)
        return 0
    if name in heap_codes():
        message = f"{name} is the code {heap_codes()[name]} of heaps, and no file of rules"
        raise InputError(message, mend=f"'icgsynth value {name}' says them")
    mend = f"{did_you_mean(name, files(*KINDS))} 'icgsynth list' shows the catalog".strip()
    raise InputError(f"there is no catalog game '{name[:80]}'", mend=mend)

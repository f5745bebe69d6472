"""``icgsynth list``."""

from __future__ import annotations

import click

from icgsynth.cli.options import json_option, unused_quiet_option, unused_seed_option

__all__ = ["list_games"]


@click.command(name="list")
@click.option("--finite", is_flag=True, help="The finite games instead, for 'fft' and 'play'.")
@json_option
@unused_quiet_option
@unused_seed_option
def list_games(finite: bool, as_json: bool) -> int:
    """The games of the catalog, with the constants that --set can change.

    \b
    Exit codes: 0 done; 2 bad usage.
    """
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.spec.catalog import entries, finite_entries

    found = list(finite_entries() if finite else entries())
    if as_json:
        values = [
            {
                "name": e.name,
                "title": e.title,
                "constants": {name: str(term) for name, term in e.constants},
                "citations": list(e.citations),
            }
            for e in found
        ]
        click.echo(json_text(values))
        return 0
    width = max(len(e.name) for e in found)
    for entry in found:
        constants = ", ".join(f"{name}={term}" for name, term in entry.constants)
        click.echo(
            f"{entry.name:<{width}}  {entry.title}" + (f"  [{constants}]" if constants else "")
        )
    return 0

"""``icgsynth list``."""

from __future__ import annotations

import click

from icgsynth.cli.options import json_option, unused_quiet_option, unused_seed_option
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.screen import say
from icgsynth.spec.heap_names import NamedHeaps, heap_entries


@click.command(name="list")
@click.option("--finite", is_flag=True, help="The finite games instead, for 'fft' and 'play'.")
@click.option("--heaps", is_flag=True, help="The games of heaps that split, for 'value'.")
@json_option
@unused_quiet_option
@unused_seed_option
def list_games(finite: bool, heaps: bool, as_json: bool) -> int:
    """The games of the catalog, with the constants that --set can change.

    With --heaps, also what is published of their nim sequences; 'icgsynth value NAME' proves it.

    \b
    Try:  icgsynth list
          icgsynth list --finite

    \b
    Exit codes: 0 done; 2 bad usage.
    """
    from icgsynth.spec.catalog import blocking_entries, entries, finite_entries

    if finite and heaps:
        raise click.UsageError("--finite or --heaps, not both")
    if heaps:
        return _heaps(as_json)
    both = (*entries(), *blocking_entries())
    found = list(finite_entries()) if finite else sorted(both, key=lambda entry: entry.name)
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
        say(f"{entry.name:<{width}}  {entry.title}" + (f"  [{constants}]" if constants else ""))
    return 0


def _heaps(as_json: bool) -> int:
    """Name, code, title, and from where on the values are published to repeat."""
    found = heap_entries()
    if as_json:
        click.echo(json_text([_heap_value(entry) for entry in found]))
        return 0
    widths = [max(map(len, column)) for column in zip(*map(_cells, found), strict=True)]
    for entry in found:
        cells = zip(_cells(entry), widths, strict=True)
        say("  ".join(f"{cell:<{width}}" for cell, width in cells).rstrip())
    return 0


def _cells(entry: NamedHeaps) -> tuple[str, ...]:
    code = entry.code if entry.title else ""
    return (entry.name, code, entry.title, _known(entry))


def _heap_value(entry: NamedHeaps) -> dict[str, object]:
    preperiod, period, saltus = entry.repeats or (None, None, None)
    return {
        "name": entry.name,
        "code": entry.code,
        "title": entry.title,
        "preperiod": preperiod,
        "period": period,
        "saltus": saltus,
        "citations": list(entry.citations),
    }


def _known(entry: NamedHeaps) -> str:
    if entry.repeats is None:
        return "no period is known"
    preperiod, period, saltus = entry.repeats
    rise = f", values + {saltus}" if saltus else ""
    return f"period {period:,} from heap {preperiod:,} on{rise}"

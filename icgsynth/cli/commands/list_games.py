"""The command ``icgsynth list``: print the games of the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.options import json_option
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.output import envelope, say
from icgsynth.errors import InputError
from icgsynth.spec.catalog import NamedHeaps, heap_entries

if TYPE_CHECKING:
    from icgsynth.spec.catalog import Entry

_LANGUAGES = {"gdl": "  (GDL)", "asp": "  (clingo)"}


@click.command(name="list")
@click.argument("word", metavar="[WORD]", default="")
@click.option("--finite", is_flag=True, help="Only finite games, for 'fft', 'learn' and 'play'.")
@click.option("--heaps", is_flag=True, help="The games of heaps that split, for 'value'.")
@json_option
def list_games(word: str, finite: bool, heaps: bool, as_json: bool) -> int:
    """List the games of the catalog, all or those with WORD in name or title.

    Impartial games come first, then the finite games in GDL, then those in clingo's language. In
    brackets stand the constants that --set can change, with their values.

    With --heaps, also what is published of their nim sequences; 'icgsynth value NAME' proves it.

    \b
    Try:  icgsynth list
          icgsynth list wythoff
          icgsynth list --finite

    \b
    Exit codes: 0 done; 2 bad usage, or no game with that word.
    """
    from icgsynth.spec.catalog import entries, finite_entries

    if finite and heaps:
        raise click.UsageError("--finite or --heaps, not both")
    found: dict[str, list[Entry | NamedHeaps]] = {"heaps": list(heap_entries())} if heaps else {}
    if not (heaps or finite):
        found["icg"] = list(entries("icg", "blocking", "piles"))
    if not heaps:
        found |= {"gdl": list(finite_entries()), "asp": list(finite_entries("asp"))}
    has = [(kind, e) for kind, listed in found.items() for e in listed if _has(word, e)]
    if not has:
        message = f"no game here has '{word[:80]}' in its name or title"
        raise InputError(message, mend="icgsynth list shows all, icgsynth list --heaps other games")
    if as_json:
        click.echo(json_text(envelope([_value(kind, entry) for kind, entry in has])))
        return 0
    rows = [_cells(kind, entry) for kind, entry in has]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _has(word: str, entry: Entry | NamedHeaps) -> bool:
    return word.lower() in f"{entry.name} {entry.title}".lower()


def _cells(kind: str, entry: Entry | NamedHeaps) -> tuple[str, ...]:
    """Return the cells of a row: name, title with constants; of heaps name, code, title, period."""
    if isinstance(entry, NamedHeaps):
        return (entry.name, entry.code if entry.title else "", entry.title, _describe_known(entry))
    constants = ", ".join(f"{name}={value}" for name, value in entry.constants)
    language = _LANGUAGES.get(kind, "")
    return (entry.name, entry.title + language + (f"  [{constants}]" if constants else ""))


def _value(kind: str, entry: Entry | NamedHeaps) -> dict[str, object]:
    value: dict[str, object] = {"game": entry.name, "name": entry.name, "title": entry.title}
    value["language"] = kind
    if isinstance(entry, NamedHeaps):
        preperiod, period, saltus = entry.repeats or (None, None, None)
        value |= {"code": entry.code, "preperiod": preperiod, "period": period, "saltus": saltus}
    else:
        value["constants"] = {name: str(term) for name, term in entry.constants}
    return value | {"citations": list(entry.citations)}


def _describe_known(entry: NamedHeaps) -> str:
    if entry.repeats is None:
        return "no period is known"
    preperiod, period, saltus = entry.repeats
    rise = f", values + {saltus}" if saltus else ""
    return f"period {period:,} from heap {preperiod:,} on{rise}"

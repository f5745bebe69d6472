"""The directives ``catalog`` and ``references``: made from specs/ when the docs are built."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from icgsynth.spec.catalog import entries
from icgsynth.spec.heap_names import catalog_dir, heap_entries
from icgsynth.spec.theorem_catalog import theorem_entries

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

Entry = dict[str, str]

_ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)^\}", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"\[(\w+)\]")
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)
_ACCENT = re.compile(r"\{\\([`'^\"u])\{?(\w)\}?\}")
_COMBINING = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "u": "\u0306"}


class Catalog(SphinxDirective):
    """One row a game: name, title, constants with their defaults, citations."""

    def run(self) -> list[Node]:
        rows = ["| Name | Title | Constants | Citation |", "|---|---|---|---|"]
        for entry in entries():
            constants = ", ".join(f"`{name} = {term}`" for name, term in entry.constants)
            cited = ", ".join(f"[{key}](#ref-{key})" for key in entry.citations)
            rows.append(f"| `{entry.name}` | {entry.title} | {constants} | {cited} |")
        return self.parse_text_to_nodes("\n".join(rows))


class Theorems(SphinxDirective):
    """One row a theorem: family, rule, range, formula, strategy, how it was found, source."""

    def run(self) -> list[Node]:
        heads = ("Family", "Play", "For every", "Loses iff", "Strategy", "Found by", "Known from")
        rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
        for entry in theorem_entries():
            fixed = "".join(f", `{name} = {value}`" for name, value in entry["fixed"].items())
            moves = "; ".join(map(_rule, entry["strategy"]))
            source = _KEY.sub(r"[\1](#ref-\1)", entry["source"]) or "not known to us"
            cells = (f"`{entry['game']}`{fixed}", entry["rule"], f"`{entry['for']}`")
            cells += (f"`{entry['losing']['formula']}`", moves, entry["by"], source)
            rows.append(f"| {' | '.join(cells)} |")
        return self.parse_text_to_nodes("\n".join(rows))


def _rule(rule: dict[str, Any]) -> str:
    arguments = ", ".join(rule["args"].values())
    return f"if `{rule['when']}`: `{rule['action']}({arguments})`"


class Heaps(SphinxDirective):
    """One row a game of heaps: name, code, title, what is published, citations."""

    def run(self) -> list[Node]:
        rows = ["| Name | Code | Title | Preperiod, period, saltus | Citation |", "|---" * 5 + "|"]
        for entry in heap_entries():
            known = "not known" if entry.repeats is None else ", ".join(map(str, entry.repeats))
            cited = ", ".join(f"[{key}](#ref-{key})" for key in entry.citations)
            cells = (f"`{entry.name}`", f"`{entry.code}`", entry.title, known, cited)
            rows.append(f"| {' | '.join(cells)} |")
        return self.parse_text_to_nodes("\n".join(rows))


class References(SphinxDirective):
    """The entries of references.bib, in order."""

    def run(self) -> list[Node]:
        text = (catalog_dir() / "references.bib").read_text(encoding="utf-8")
        parts = [f"(ref-{key})=\n**{key}**\n: {_written(e)}\n" for key, e in _entries(text)]
        return self.parse_text_to_nodes("\n".join(parts))


def _entries(text: str) -> Iterator[tuple[str, Entry]]:
    for kind, key, body in _ENTRY.findall(text):
        fields = {name.lower(): _plain(value) for name, value in _FIELD.findall(body)}
        yield key, {"kind": kind, **fields}


def _plain(value: str) -> str:
    """TeX as Unicode: accents, dashes, protecting braces."""
    composed = _ACCENT.sub(lambda m: m[2] + _COMBINING[m[1]], value)
    text = unicodedata.normalize("NFC", composed).replace("--", "–").replace(r"\mathcal", "")
    return text.replace("$", "").replace("{", "").replace("}", "")


def _written(entry: Entry) -> str:
    """``Authors. Title. Where, year. Link.``"""
    names = [" ".join(reversed(n.split(", "))) for n in entry["author"].split(" and ")]
    where = [
        f"*{entry[k]}*" for k in ("journal", "booktitle", "school", "howpublished") if k in entry
    ]
    if "volume" in entry:
        number = f"({entry['number']})" if "number" in entry else ""
        where.append(f"{entry['volume']}{number}")
    where += [entry[k] for k in ("pages", "edition", "publisher", "address") if k in entry]
    parts = [", ".join(names), entry["title"], ", ".join([*where, entry["year"]])]
    parts += [entry["note"]] if "note" in entry else []
    if "doi" in entry:
        parts.append(f"[doi:{entry['doi']}](https://doi.org/{entry['doi']})")
    if "eprint" in entry:
        parts.append(f"[arXiv:{entry['eprint']}](https://arxiv.org/abs/{entry['eprint']})")
    return ". ".join(part.rstrip(".") for part in parts) + "."


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("catalog", Catalog)
    app.add_directive("heaps", Heaps)
    app.add_directive("references", References)
    app.add_directive("theorems", Theorems)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Read the references of the catalog, which ``cite`` names, from ``references.bib``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from icgsynth.spec.catalog import catalog_dir

_ENTRY = re.compile(r"@\w+\{(\w+),\n(.*?)^\}", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)
_ACCENT = re.compile(r"\{\\([`'^\"u])\{?(\w)\}?\}")
_COMBINING = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "u": "\u0306"}
_LARGER = ("journal", "booktitle", "school", "howpublished")  # what holds the work


@dataclass(frozen=True)
class Reference:
    """One entry of the bibliography; ``fields`` are in Unicode, by their names in small letters."""

    key: str
    fields: Mapping[str, str]

    def text(self, mark: str = "") -> str:
        """Return ``Authors. Title. Where, year``, with ``mark`` around the journal or book."""
        entry = self.fields
        names = [" ".join(reversed(n.split(", "))) for n in entry["author"].split(" and ")]
        where = [f"{mark}{entry[field]}{mark}" for field in _LARGER if field in entry]
        if "volume" in entry:
            number = f"({entry['number']})" if "number" in entry else ""
            where.append(f"{entry['volume']}{number}")
        small = ("pages", "edition", "publisher", "address")
        where += [entry[field] for field in small if field in entry]
        parts = [", ".join(names), entry["title"], ", ".join([*where, entry["year"]])]
        parts += [entry["note"]] if "note" in entry else []
        return ". ".join(part.rstrip(".") for part in parts)

    @property
    def links(self) -> dict[str, str]:
        """The web addresses of the work, each by its name, such as ``doi:10.1000/1``."""
        found = {}
        if "doi" in self.fields:
            found[f"doi:{self.fields['doi']}"] = f"https://doi.org/{self.fields['doi']}"
        if "eprint" in self.fields:
            name = self.fields["eprint"]
            found[f"arXiv:{name}"] = f"https://arxiv.org/abs/{name}"
        return found


@cache
def references() -> Mapping[str, Reference]:
    """Return all entries of the bibliography by key, in the order of the file."""
    text = (catalog_dir() / "references.bib").read_text(encoding="utf-8")
    found = {}
    for key, body in _ENTRY.findall(text):
        fields = {name.lower(): _plain(value) for name, value in _FIELD.findall(body)}
        found[key] = Reference(key, fields)
    return found


def _plain(value: str) -> str:
    """Return TeX as plain Unicode: accents, dashes and quotes, without braces and signs."""
    composed = _ACCENT.sub(lambda m: m[2] + _COMBINING[m[1]], value)
    text = unicodedata.normalize("NFC", composed).replace("--", "–").replace("``", "“")
    text = text.replace("''", "”").replace(r"\mathcal", "")
    return text.replace("$", "").replace("{", "").replace("}", "")

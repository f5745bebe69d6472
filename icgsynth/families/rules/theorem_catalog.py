"""The theorems that come with the catalog, about its families; each use proves them anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from icgsynth.families.rules.family_file import FamilyFile, read_family
from icgsynth.spec.catalog import catalog_dir, find
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

THEOREMS = "theorems.json"


@cache
def theorem_entries() -> tuple[Mapping[str, Any], ...]:
    """Return the theorems of the catalog as JSON objects, in the order of the file."""
    return tuple(json.loads(Source.read(catalog_dir() / THEOREMS).text))


def catalog_theorems(game: str) -> Iterator[FamilyFile]:
    """Yield the theorems of the catalog about the family named ``game``."""
    path = find(game)
    if path is None:
        return
    spec = parse(Source.read(path))
    for entry in theorem_entries():
        if entry["game"] == game:
            yield read_family(Source(THEOREMS, json.dumps(entry)), spec)

"""What the page Gallery asks: every game of the catalog, with its sources and its theorems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icgsynth.studio.faults import Data, task

if TYPE_CHECKING:
    from icgsynth.spec.catalog import Entry

__all__ = ["listed"]


@task
def listed(data: Data) -> Data:
    """``games``: name, title, whether finite, constants, ``sources`` and ``theorems`` of each."""
    from icgsynth.spec.catalog import entries, finite_entries
    from icgsynth.spec.theorem_catalog import theorem_entries

    theorems: dict[str, list[str]] = {}
    for theorem in theorem_entries():
        fixed = "".join(f", {name} = {number}" for name, number in theorem["fixed"].items())
        under = "" if theorem["rule"] == "normal" else ", misère"
        text = f"For all {theorem['for']}{fixed}{under}: lost iff {theorem['losing']['formula']}"
        theorems.setdefault(theorem["game"], []).append(text)
    games = [_told(entry, False, theorems.get(entry.name, [])) for entry in entries()]
    names = {game["name"] for game in games}
    finite = [entry for entry in finite_entries() if entry.name not in names]
    return {"games": [*games, *(_told(entry, True, []) for entry in finite)]}


def _told(entry: Entry, finite: bool, theorems: list[str]) -> Data:
    from icgsynth.spec.references import references

    known = references()
    return {
        "name": entry.name,
        "title": entry.title or entry.name,
        "finite": finite,
        "constants": [f"{name} = {term}" for name, term in entry.constants],
        "sources": [
            {"text": known[key].text(), "links": known[key].links} for key in entry.citations
        ],
        "theorems": theorems,
    }

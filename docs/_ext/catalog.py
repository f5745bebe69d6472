"""The directives ``catalog`` and ``references``: made from specs/ when the docs are built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from icgsynth.families.rules.theorem_catalog import theorem_entries
from icgsynth.spec.catalog import entries, files, finite_entries, heap_entries
from icgsynth.studio.references import references

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

_GAMES = "games"  # the folder of the encyclopedia, in that of the docs
_KEY = re.compile(r"\[(\w+)\]")


class _Linked(SphinxDirective):
    """A directive whose names lead to pages of the encyclopedia, where they have been made."""

    def linked(self, name: str) -> str:
        """``name`` as code, with a link to its page if there is one beside the docs."""
        self.env.note_reread()  # what lies there may have changed, though no source has
        if not (Path(self.env.app.outdir) / _GAMES / f"{name}.html").exists():
            return f"`{name}`"
        up = "../" * self.env.docname.count("/")
        return f'<a href="{up}{_GAMES}/{name}.html"><code>{name}</code></a>'


class Catalog(_Linked):
    """One row a game: name, title, constants with their defaults, citations."""

    def run(self) -> list[Node]:
        rows = ["| Name | Title | Constants | Citation |", "|---|---|---|---|"]
        for entry in entries("icg", "blocking", "piles"):
            constants = ", ".join(f"`{name} = {term}`" for name, term in entry.constants)
            cited = ", ".join(f"[{key}](#ref-{key})" for key in entry.citations)
            rows.append(f"| {self.linked(entry.name)} | {entry.title} | {constants} | {cited} |")
        return self.parse_text_to_nodes("\n".join(rows))


class Finite(_Linked):
    """One row a finite game: name, title, the language of its rules."""

    def run(self) -> list[Node]:
        rows = ["| Name | Title | Language |", "|---|---|---|"]
        means = files("gdl", "asp")  # of two of a name the page is on this one
        for kind, language in (("gdl", "GDL"), ("asp", "clingo")):
            for entry in finite_entries(kind):
                is_meant = means[entry.name] == files(kind)[entry.name]
                name = self.linked(entry.name) if is_meant else f"`{entry.name}`"
                rows.append(f"| {name} | {entry.title} | {language} |")
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


class Heaps(_Linked):
    """One row a game of heaps: name, code, title, what is published, citations."""

    def run(self) -> list[Node]:
        rows = ["| Name | Code | Title | Preperiod, period, saltus | Citation |", "|---" * 5 + "|"]
        for entry in heap_entries():
            known = "not known" if entry.repeats is None else ", ".join(map(str, entry.repeats))
            cited = ", ".join(f"[{key}](#ref-{key})" for key in entry.citations)
            cells = (self.linked(entry.name), f"`{entry.code}`", entry.title, known, cited)
            rows.append(f"| {' | '.join(cells)} |")
        return self.parse_text_to_nodes("\n".join(rows))


class References(SphinxDirective):
    """The entries of references.bib, in order."""

    def run(self) -> list[Node]:
        parts = []
        for key, reference in references().items():
            links = [f"[{name}]({address})" for name, address in reference.links.items()]
            said = ". ".join([reference.text("*"), *links])
            parts.append(f"(ref-{key})=\n**{key}**\n: {said}.\n")
        return self.parse_text_to_nodes("\n".join(parts))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("catalog", Catalog)
    app.add_directive("finite", Finite)
    app.add_directive("heaps", Heaps)
    app.add_directive("references", References)
    app.add_directive("theorems", Theorems)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``played``: a page that plays an answer, made when the docs are built."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import icgsynth as icg
from icgsynth.export import export

if TYPE_CHECKING:
    from collections.abc import Callable

    from docutils.nodes import Node
    from sphinx.application import Sphinx

_FOLDER = "played"


class Played(SphinxDirective):
    """The page of a game of the catalog, in a frame; ``start`` is the state to begin with."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Callable[[str], str]]] = {"start": str}

    def run(self) -> list[Node]:
        name = self.arguments[0]
        up = "../" * self.env.docname.count("/")
        page = played_page(name, Path(self.env.app.outdir))
        source = f"{up}{page}#{self.options.get('start', '')}"
        frame = (
            f'<iframe src="{escape(source)}" title="{escape(name)}, to be played" loading="lazy" '
            'style="width: 100%; height: 44rem; border: 1px solid currentColor"></iframe>'
        )
        return [nodes.raw("", frame, format="html")]


def played_page(name: str, site: Path) -> str:
    """Write the page that plays the answer of a game; its address from the root of the ``site``."""
    page = site / _FOLDER / f"{name}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(export(icg.load(name).solve(), "html"), "utf-8")
    return f"{_FOLDER}/{page.name}"


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("played", Played)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

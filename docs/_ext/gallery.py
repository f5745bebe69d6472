"""The directive ``gallery``: every game of the catalog with its picture, made with the docs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from played import played_page
from sphinx.util.docutils import SphinxDirective

from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.text.finite_lines import finite_lines
from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import label
from icgsynth.export.panels import Table
from icgsynth.export.svg import table_svg
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.spec.catalog import entries, find, finite_entries, resolve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

_FOLDER = "gallery"
_BOUNDS = {1: 40, 2: 20, 3: 5}  # of the box that is drawn, by the number of variables
_OF_MORE = 3
_PLAYED = ("nim2", "chomp_2row", "take_away", "subtraction_134", "triangular_nim", "wythoff")
"""Games that are played on a page of their own: others take too long to be solved for the docs."""

_SECONDS = 20.0  # for quantifiers; each picture takes a fraction of one


class Gallery(SphinxDirective):
    """A card for each game: picture, title, name, rules, sources."""

    def run(self) -> list[Node]:
        site = Path(self.env.app.outdir)
        folder = site / _FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        up = "../" * self.env.docname.count("/")
        boards = {name: up + played_page(name, site) for name in _PLAYED}
        cards = [_impartial(entry, folder, up, boards.get(entry.name)) for entry in entries()]
        cards += [_finite(entry) for entry in finite_entries()]
        return [nodes.raw("", f'<div class="gallery">{"".join(cards)}</div>', format="html")]


def _impartial(entry: Any, folder: Path, up: str, board: str | None) -> str:
    """A game over integer states, with the table of a small box; ``board`` plays it."""
    path = find(entry.name)
    source = Source.read(path or resolve(entry.name))
    game = load_spec(source, {})
    plain = eliminate_quantifiers(game, Budget(_SECONDS))
    box = Box.of(plain, _BOUNDS.get(len(game.variables), _OF_MORE))
    drawn = table_svg(Table.of(game, "normal", label(plain, box, "normal")))
    (folder / f"{entry.name}.svg").write_text(drawn, "utf-8")
    picture = (
        f'<img src="{up}{_FOLDER}/{entry.name}.svg" loading="lazy" '
        f'alt="Losing and winning states of {escape(entry.title)} in a box">'
    )
    cited = ", ".join(
        f'<a href="{up}reference/catalog.html#ref-{key.replace("_", "-")}">{escape(key)}</a>'
        for key in entry.citations
    )
    return _card(entry, picture, "solve", source.text, cited, board)


def _finite(entry: Any) -> str:
    """A game of facts, with its board at the start where it has one."""
    rules = finite_game(entry.name)
    board = board_of(ground(rules))
    game = FiniteGame(board)
    lines = finite_lines(game, game.initial)
    picture = f"<pre>{escape(chr(10).join(lines[:12]))}</pre>"
    return _card(entry, picture, "fft synth", "", "", None)


def _card(entry: Any, picture: str, command: str, rules: str, cited: str, board: str | None) -> str:
    link = f'<p><a href="{board}">Play it here</a></p>' if board else ""
    shown = (
        f"<details><summary>Rules</summary><pre>{escape(rules)}</pre></details>" if rules else ""
    )
    sources = f"<p>Source: {cited}</p>" if cited else ""
    return (
        f'<section class="card" id="game-{entry.name}">{picture}<h3>{escape(entry.title)}</h3>'
        f"{link}<p><code>icgsynth studio {entry.name}</code></p>"
        f"<p><code>icgsynth {command} {entry.name}</code></p>{shown}{sources}</section>"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``floorplan``: the core and the wings of the package, drawn from its imports.

The layers of the core are those of the contract in ``pyproject.toml``; lines, modules and imports
are counted when the docs are made, imports inside functions as well.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
_WIDTH, _ROW, _GAP = 400, 26, 60  # pixels: of the core, of one layer, between core and wings


class Part(NamedTuple):
    """A room of the core, or a wing: what it holds, and how large it is."""

    name: str
    holds: str
    modules: int
    lines: int


class Plan(NamedTuple):
    """The layers of the core from the top, the wings, and how many imports lead where."""

    layers: tuple[tuple[str, ...], ...]
    wings: tuple[str, ...]
    parts: dict[str, Part]
    imports: Counter[tuple[str, str]]


def plan(root: Path = ROOT) -> Plan:
    """The plan of the package below ``root``."""
    config = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    contract = config["tool"]["importlinter"]["contracts"][0]
    layers = tuple(tuple(layer.split(" | ")) for layer in contract["layers"])
    rooms = {room for layer in layers for room in layer}
    wings = tuple(
        sorted(path.parent.name for path in (root / "icgsynth").glob("*/wing.json")),
    )
    size: Counter[str] = Counter()
    count: Counter[str] = Counter()
    holds: dict[str, str] = {}
    imports: Counter[tuple[str, str]] = Counter()
    for path in sorted((root / "icgsynth").rglob("*.py")):
        room = path.relative_to(root / "icgsynth").with_suffix("").parts[0]
        if room not in rooms and room not in wings:
            continue
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        size[room] += text.count("\n")
        count[room] += 1
        if path.parent.parent == root / "icgsynth" or path.parent == root / "icgsynth":
            first = (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
            if path.name == "__init__.py" or path.parent == root / "icgsynth":
                holds[room] = first
        for other in _imported(tree):
            imports[room if room in wings else "core", other if other in wings else "core"] += 1
    parts = {name: Part(name, holds[name], count[name], size[name]) for name in size}
    return Plan(layers, wings, parts, imports)


def _imported(tree: ast.AST) -> list[str]:
    """The rooms that a module imports from, once for each import."""
    found = []
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        found += [name.split(".")[1] for name in names if name.startswith("icgsynth.")]
    return found


def picture(drawn: Plan) -> str:
    """The core as a pile of its layers, and beside it the wings with their imports, as SVG."""
    height = _ROW * len(drawn.layers) + 40
    lines = sum(drawn.parts[room].lines for layer in drawn.layers for room in layer)
    shapes = [_text(_WIDTH / 2, 20, f"core: {lines:,} lines", "middle")]
    for number, layer in enumerate(drawn.layers):
        width = _WIDTH / len(layer)
        for place, room in enumerate(layer):
            shapes.append(_box(place * width, 30 + number * _ROW, width, _ROW))
            words = f"{room}: {drawn.parts[room].lines:,}"
            shapes.append(_text((place + 0.5) * width, 47 + number * _ROW, words, "middle"))
    tall = (height - 40) / len(drawn.wings)
    left = _WIDTH + _GAP
    for number, wing in enumerate(drawn.wings):
        top = 30 + number * tall
        shapes.append(_box(left, top, _WIDTH, tall - 8))
        shapes.append(_text(left + 12, top + 20, f"{wing}: {drawn.parts[wing].lines:,} lines"))
        used = [f"{n} imports of {to}" for to, n in _uses(drawn, wing)]
        shapes.append(_text(left + 12, top + 40, ", ".join(used)))
        middle = top + tall / 2 - 4
        shapes.append(
            f'<path d="M {left} {middle} h {-_GAP + 8} m 8 -5 l -10 5 l 10 5" '
            'fill="none" stroke="currentColor"/>'
        )
    size = f'viewBox="0 0 {2 * _WIDTH + _GAP} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-size="13" '
        f'aria-label="The core and its wings">{"".join(shapes)}</svg>'
    )


def _uses(drawn: Plan, wing: str) -> list[tuple[str, int]]:
    """The parts that a wing imports from, the core first."""
    found = [(to, n) for (by, to), n in drawn.imports.items() if by == wing != to]
    return sorted(found, key=lambda use: (use[0] != "core", use[0]))


def _box(x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x + 1:.1f}" y="{y:.1f}" width="{width - 2:.1f}" height="{height - 2:.1f}"'
    return f'<rect {place} fill="none" stroke="currentColor"/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor">{escape(words)}</text>'


def table(drawn: Plan) -> str:
    """A row for each room of the core from the top, and for each wing."""
    rooms = [room for layer in drawn.layers for room in layer]
    rows = []
    for name in (*rooms, *drawn.wings):
        part = drawn.parts[name]
        used = (
            "; ".join(f"{to} ({n})" for to, n in _uses(drawn, name)) if name in drawn.wings else ""
        )
        cells = (f"<code>{name}</code>", escape(part.holds), part.modules, f"{part.lines:,}", used)
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{word}</th>" for word in ("Part", "Holds", "Modules", "Lines", "Imports"))
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<table class="docutils">{body}</table>'


class FloorPlan(SphinxDirective):
    """The picture and the table."""

    def run(self) -> list[Node]:
        drawn = plan()
        return [nodes.raw("", picture(drawn) + table(drawn), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("floorplan", FloorPlan)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

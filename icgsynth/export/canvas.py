"""A page to draw on, in points from its top left corner, printed as SVG or as PDF.

Both are written by hand from the same few shapes, so that a sheet looks alike in either.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

__all__ = ["A4", "Page", "pdf", "svg", "text_width"]

A4 = (595.0, 842.0)

# The advance widths of Helvetica for the characters 32 to 126, in 1/1000 of the size (Adobe
# Font Metrics); bold ones are a little wider.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_BOLD = 1.06
_KAPPA = 0.5523  # a quarter of a circle as a Bezier curve


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, about."""
    units = sum(_WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text)
    return units * size / 1000 * (_BOLD if bold else 1.0)


@dataclass(frozen=True)
class _Line:
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class _Ring:
    x: float
    y: float
    radius: float
    colour: str
    width: float
    filled: bool


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool


_Shape: TypeAlias = _Line | _Box | _Ring | _Text


@dataclass
class Page:
    """What is drawn, in order."""

    size: tuple[float, float] = A4
    shapes: list[_Shape] = field(default_factory=list)

    def line(self, *points: tuple[float, float], colour: str, width: float) -> None:
        """A line through points, its ends round."""
        self.shapes.append(_Line(points, colour, width))

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A filled rectangle."""
        self.shapes.append(_Box(x, y, width, height, fill))

    def ring(self, x: float, y: float, radius: float, colour: str, width: float) -> None:
        """A circle around a point."""
        self.shapes.append(_Ring(x, y, radius, colour, width, False))

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
        self.shapes.append(_Ring(x, y, radius, colour, 0, True))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = "#1c232b",
        bold: bool = False,
        align: float = 0.0,
    ) -> None:
        """A line of text on the base line ``y``; ``align`` 0 begins, 0.5 centres, 1 ends at x."""
        self.shapes.append(
            _Text(x - align * text_width(text, size, bold), y, text, size, colour, bold)
        )


# --- SVG --------------------------------------------------------------------------------------


def svg(pages: Sequence[Page], title: str) -> str:
    """The pages below each other in one document."""
    width = max((page.size[0] for page in pages), default=A4[0])
    height = sum(page.size[1] for page in pages)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}pt" height="{height:g}pt" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    down = 0.0
    for page in pages:
        lines.append(f'<g transform="translate(0 {down:g})">')
        lines += [_svg_shape(shape) for shape in page.shapes]
        lines.append("</g>")
        down += page.size[1]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _svg_shape(shape: _Shape) -> str:
    if isinstance(shape, _Line):
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in shape.points)
        return (
            f'<polyline points="{points}" fill="none" stroke="{shape.colour}" '
            f'stroke-width="{shape.width:g}" stroke-linecap="round"/>'
        )
    if isinstance(shape, _Box):
        return (
            f'<rect x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" '
            f'height="{shape.height:.2f}" fill="{shape.fill}"/>'
        )
    if isinstance(shape, _Ring):
        look = (
            f'fill="{shape.colour}"'
            if shape.filled
            else f'fill="none" stroke="{shape.colour}" stroke-width="{shape.width:g}"'
        )
        return f'<circle cx="{shape.x:.2f}" cy="{shape.y:.2f}" r="{shape.radius:.2f}" {look}/>'
    weight = ' font-weight="bold"' if shape.bold else ""
    # The length holds the alignment where another font stands in for Helvetica.
    length = text_width(shape.text, shape.size, shape.bold)
    return (
        f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-size="{shape.size:g}" '
        f'fill="{shape.colour}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
        f"{weight}>{escape(shape.text)}</text>"
    )


# --- PDF --------------------------------------------------------------------------------------


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """PDF 1.4 with the fonts that every reader has; the same pages give the same bytes."""
    count = len(pages)
    first = 5  # catalog, page tree, two fonts; then a page and its content, in turn
    kids = " ".join(f"{first + 2 * i} 0 R" for i in range(count))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
    ]
    for i, page in enumerate(pages):
        width, height = page.size
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:g} {height:g}] "
            f"/Resources << /Font << /F0 3 0 R /F1 4 0 R >> >> "
            f"/Contents {first + 2 * i + 1} 0 R >>".encode()
        )
        drawn = "\n".join(["1 J", *(_pdf_shape(s, height) for s in page.shapes)])
        packed = zlib.compress(drawn.encode("cp1252", "replace"), 9)
        head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + packed + b"\nendstream")
    objects.append(f"<< /Title ({_escaped(title)}) >>".encode("cp1252", "replace"))
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for place in places:
        out += f"{place:010d} 00000 n \n".encode()
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
        f"startxref\n{table}\n%%EOF\n"
    ).encode()
    return bytes(out)


def _colour(colour: str) -> str:
    """``#rrggbb`` as three numbers from 0 to 1."""
    return " ".join(f"{int(colour[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _pdf_shape(shape: _Shape, height: float) -> str:
    if isinstance(shape, _Line):
        path = " ".join(
            f"{x:.2f} {height - y:.2f} {'l' if i else 'm'}" for i, (x, y) in enumerate(shape.points)
        )
        return f"{_colour(shape.colour)} RG {shape.width:g} w {path} S"
    if isinstance(shape, _Box):
        return (
            f"{_colour(shape.fill)} rg {shape.x:.2f} {height - shape.y - shape.height:.2f} "
            f"{shape.width:.2f} {shape.height:.2f} re f"
        )
    if isinstance(shape, _Ring):
        x, y, r, k = shape.x, height - shape.y, shape.radius, shape.radius * _KAPPA
        path = (
            f"{x + r:.2f} {y:.2f} m "
            f"{x + r:.2f} {y + k:.2f} {x + k:.2f} {y + r:.2f} {x:.2f} {y + r:.2f} c "
            f"{x - k:.2f} {y + r:.2f} {x - r:.2f} {y + k:.2f} {x - r:.2f} {y:.2f} c "
            f"{x - r:.2f} {y - k:.2f} {x - k:.2f} {y - r:.2f} {x:.2f} {y - r:.2f} c "
            f"{x + k:.2f} {y - r:.2f} {x + r:.2f} {y - k:.2f} {x + r:.2f} {y:.2f} c h"
        )
        if shape.filled:
            return f"{_colour(shape.colour)} rg {path} f"
        return f"{_colour(shape.colour)} RG {shape.width:g} w {path} S"
    return (
        f"BT {_colour(shape.colour)} rg /F{int(shape.bold)} {shape.size:g} Tf "
        f"{shape.x:.2f} {height - shape.y:.2f} Td ({_escaped(shape.text)}) Tj ET"
    )

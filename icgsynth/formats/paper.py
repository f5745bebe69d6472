"""Draw pages of paper, and write them as SVG, HTML or PDF.

fpdf2 writes PDF and knows the widths of letters.  A PDF has Helvetica alone, which has the
letters of Western Europe; SVG and HTML show all letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from unicodedata import east_asian_width

from icgsynth.errors import InputError
from icgsynth.export.canvas import Style, document, element, group, number
from icgsynth.logic.prose import tie

if TYPE_CHECKING:
    from fpdf import FPDF

A4 = (595.0, 842.0)  # points
INK, FAINT, RULE = "#1c232b", "#5d6670", "#b9c0c8"
"""The colours of main text, of secondary text, and of lines."""


@cache
def _widths(bold: bool) -> Callable[[str], int]:
    """Return a function that gives the width of a letter of Helvetica, in 1/1000 of its size."""
    from fpdf.fonts import CORE_FONTS_CHARWIDTHS

    found = CORE_FONTS_CHARWIDTHS["helveticaB" if bold else "helvetica"]

    def width(letter: str) -> int:
        if letter in found:
            return int(found[letter])
        # Of other scripts, for SVG and HTML: Chinese letters fill a square, most are as wide as n.
        return 1000 if east_asian_width(letter) in ("W", "F") else int(found["n"])

    return width


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width in points of ``text`` in letters of ``size`` points, perhaps ``bold``."""
    return sum(map(_widths(bold), text)) * size / 1000


def fitting(text: str, width: float, size: float, bold: bool = False) -> float:
    """Return the letter size in points, at most ``size``, at which ``text`` fits in ``width``.
    ``width`` is in points; ``bold``: the letters are bold."""
    return min(size, size * width / max(text_width(text, size, bold), 1.0))


def lines_of(text: str, width: float, size: float) -> list[str]:
    """Return ``text`` as lines at most 9/10 of ``width`` points wide, in letters of ``size``
    points."""
    lines: list[str] = []
    for word in tie(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= 0.9 * width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


class _Line(NamedTuple):
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float

    def svg(self) -> str:
        points = " ".join(f"{number(x)},{number(y)}" for x, y in self.points)
        look: Style = {"stroke": self.colour, "stroke_width": self.width, "stroke_linecap": "round"}
        return element("polyline", points=points, fill="none", **look)

    def pdf(self, paper: FPDF) -> None:
        paper.set_draw_color(self.colour)
        paper.set_line_width(self.width)
        paper.polyline(self.points)


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str

    def svg(self) -> str:
        return element("rect", **self._asdict())

    def pdf(self, paper: FPDF) -> None:
        paper.set_fill_color(self.fill)
        paper.rect(self.x, self.y, self.width, self.height, style="F")


class _Ring(NamedTuple):
    x: float
    y: float
    radius: float
    colour: str
    width: float  # of the line; 0 for a disc

    def svg(self) -> str:
        at: Style = {"cx": self.x, "cy": self.y, "r": self.radius}
        if not self.width:
            return element("circle", **at, fill=self.colour)
        return element("circle", **at, fill="none", stroke=self.colour, stroke_width=self.width)

    def pdf(self, paper: FPDF) -> None:
        paper.set_fill_color(self.colour)
        paper.set_draw_color(self.colour)
        paper.set_line_width(self.width)
        paper.circle(self.x, self.y, self.radius, style="D" if self.width else "F")


class _Text(NamedTuple):
    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool

    def svg(self) -> str:
        look: Style = {"font_weight": "bold"} if self.bold else {}
        return element(
            "text",
            self.text,
            x=self.x,
            y=self.y,
            font_size=self.size,
            fill=self.colour,
            # The length holds the alignment where another font stands in for Helvetica.
            textLength=text_width(self.text, self.size, self.bold),
            lengthAdjust="spacingAndGlyphs",
            **look,
        )

    def pdf(self, paper: FPDF) -> None:
        """Draw this text on ``paper``."""
        paper.set_text_color(self.colour)
        paper.set_font("helvetica", "B" if self.bold else "", self.size)
        paper.text(self.x, self.y, self.text)


_Shape: TypeAlias = _Line | _Box | _Ring | _Text


@dataclass
class Page:
    """A page with its shapes in drawing order; coordinates are points from the top left."""

    size: tuple[float, float] = A4
    shapes: list[_Shape] = field(default_factory=list)

    def line(self, *points: tuple[float, float], colour: str, width: float) -> None:
        """Draw a line through ``points``, ``width`` points thick, with round ends."""
        self.shapes.append(_Line(points, colour, width))

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Draw a filled rectangle with its upper left corner at (x, y)."""
        self.shapes.append(_Box(x, y, width, height, fill))

    def ring(self, x: float, y: float, radius: float, colour: str, width: float) -> None:
        """Draw a circle of ``radius`` around (x, y), its line ``width`` points thick."""
        self.shapes.append(_Ring(x, y, radius, colour, width))

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a filled circle of ``radius`` around (x, y)."""
        self.shapes.append(_Ring(x, y, radius, colour, 0))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str = INK,
        bold: bool = False,
        align: float = 0.0,
    ) -> None:
        """Draw ``text`` at the base line ``y``; it begins (``align`` 0) or ends (1) at ``x``."""
        left = x - align * text_width(text, size, bold)
        self.shapes.append(_Text(left, y, text, size, colour, bold))


def svg(pages: Sequence[Page], title: str) -> str:
    """Return one SVG image called ``title`` with the ``pages`` below each other."""
    width = max((page.size[0] for page in pages), default=A4[0])
    height = sum(page.size[1] for page in pages)
    elements = [element("rect", width=width, height=height, fill="white")]
    down = 0.0
    for page in pages:
        elements += group((shape.svg() for shape in page.shapes), 0, down)
        down += page.size[1]
    return document((width, height), title, elements, "pt")


def html(pages: Sequence[Page], title: str) -> str:
    """Return an HTML document called ``title`` that prints each of ``pages`` on its own sheet."""
    body = "\n".join(f"<section>\n{svg([page], title)}</section>" for page in pages)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>'
        f"{escape(title)}</title>\n<style>@page {{ size: A4; margin: 0 }} body {{ margin: 0 }} "
        "section { page-break-after: always } section:last-child { page-break-after: auto } "
        "svg { display: block; margin: 0 auto; max-width: 100% }</style>\n</head>\n<body>\n"
        f"{body}\n</body>\n</html>\n"
    )


_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # fixed, so that equal pages make equal files


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """Return ``pages`` as a PDF called ``title``; equal pages make equal bytes. Raises
    :class:`~icgsynth.errors.InputError` for letters that Helvetica does not have."""
    from fpdf import FPDF

    paper = FPDF(unit="pt")
    paper.set_creation_date(_NO_DATE)
    paper.core_fonts_encoding = "cp1252"
    paper.set_title(title)
    paper.set_auto_page_break(False)
    texts = (shape.text for page in pages for shape in page.shapes if isinstance(shape, _Text))
    _require_plain(set().union(*texts))
    for page in pages:
        paper.add_page(format=page.size)
        with paper.local_context(stroke_cap_style="round"):
            for shape in page.shapes:
                shape.pdf(paper)
    return bytes(paper.output())


_SHOWN = 12  # most letters that a message names


def _require_plain(letters: Iterable[str]) -> None:
    """Raise InputError if Helvetica lacks one of ``letters``, as those not of Western Europe."""
    missing = sorted(letter for letter in letters if not letter.encode("cp1252", "ignore"))
    if missing:
        shown = " ".join(missing[:_SHOWN]) + (" ..." if len(missing) > _SHOWN else "")
        raise InputError(
            f"the PDF cannot show {shown}: it has the letters of Western Europe alone",
            mend="write .html or .svg, which show all letters",
        )

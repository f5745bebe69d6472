"""What every picture is drawn on: elements of SVG, and pages of paper as SVG, HTML or PDF.

No other module writes an element of SVG.  PDF is fpdf2's, and so are the widths of letters; PNG is
made from SVG by resvg (the extra ``plot``).

Fonts for the letters that the fonts of every PDF reader do not have.

Helvetica knows the letters of Western Europe.  For others a font is embedded: one that the
environment names in ICGSYNTH_FONT, else DejaVu Sans, which comes with matplotlib (Cyrillic, Greek
and many more; free to embed, after the licence of Bitstream Vera), else one of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from unicodedata import east_asian_width

from icgsynth.errors import InputError
from icgsynth.logic.prose import tied

if TYPE_CHECKING:
    from fpdf import FPDF

# --- canvas --------------------------------------------------------------------------------------

A4 = (595.0, 842.0)  # points
INK, FAINT, RULE = "#1c232b", "#5d6670", "#b9c0c8"
"""The colours of letters, of letters beside the matter, and of lines."""

Style: TypeAlias = dict[str, str | float]
"""Attributes of an element that several share."""

_FONT = "Helvetica, Arial, sans-serif"


# --- elements of SVG --------------------------------------------------------------------------


def number(value: float) -> str:
    """As a picture needs it: to 1/100 of a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def element(name: str, text: str = "", /, **attributes: str | float) -> str:
    """One element; in the names of its attributes ``_`` stands for ``-``."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(each))}"'
        for key, each in attributes.items()
    )
    return f"<{name}{said}>{escape(text)}</{name}>" if text else f"<{name}{said}/>"


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def group(elements: Iterable[str], x: float, y: float) -> list[str]:
    """Elements moved to the right and down."""
    return [f'<g transform="translate({number(x)} {number(y)})">', *elements, "</g>"]


def pattern(name: str, size: float, elements: Iterable[str]) -> str:
    """What ``fill="url(#name)"`` fills with: elements within ``size`` x ``size``, on a slant."""
    given: Style = {"width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    head = element("pattern", id=name, **given, patternTransform="rotate(45)")
    return "".join(["<defs>", head[:-2] + ">", *elements, "</pattern></defs>"])


def document(
    size: tuple[float, float],
    title: str,
    elements: Iterable[str],
    unit: str = "",
    **attributes: str | float,
) -> str:
    """A whole image of width and height ``size``, in pixels or in the ``unit`` of paper.

    ``attributes`` hold for all in it, as ``font_size``.
    """
    width, height = map(number, size)
    given: Style = {"width": width + unit, "height": height + unit}
    given |= {"viewBox": f"0 0 {width} {height}", "font_family": _FONT, **attributes}
    head = element("svg", xmlns="http://www.w3.org/2000/svg", **given)
    return "\n".join([head[:-2] + ">", element("title", title), *elements, "</svg>"]) + "\n"


def on_dark(name: str, colours: Mapping[str, str]) -> str:
    """The style of the picture of the class ``name`` where people prefer dark pages.

    ``colours`` has for each colour that changes the one on dark; the first is that of letters and
    lines that name none.
    """
    changed = [
        f'.{name} [{kind}="{light}"] {{ {kind}: {dark} }}'
        for light, dark in colours.items()
        for kind in ("fill", "stroke")
    ]
    rules = "\n".join([f".{name} {{ fill: {next(iter(colours.values()))} }}", *changed])
    return element("style", f"@media (prefers-color-scheme: dark) {{\n{rules}\n}}")


def png(image: str, zoom: int) -> bytes:
    """A whole image of SVG as PNG, ``zoom`` times as large.

    :class:`~icgsynth.errors.InputError` where the extra ``plot`` is missing, or any font.
    """
    from fontTools.ttLib import TTFont

    try:
        import resvg_py
    except ImportError:
        mend = "pip install 'icgsynth[plot]', or write an .svg or .csv file"
        raise InputError("a PNG image needs resvg", mend=mend) from None
    if (path := next(_candidates(), None)) is None:
        mend = "name one, ICGSYNTH_FONT=FILE.ttf, or write an .svg or .csv file"
        raise InputError("no font was found for a PNG image", mend=mend)
    with TTFont(path, fontNumber=0, lazy=True) as font:
        family = font["name"].getBestFamilyName()
    given = {"font_files": [str(path)], "sans_serif_family": family}
    return bytes(resvg_py.svg_to_bytes(svg_string=image, zoom=zoom, **given))


# --- pages of paper ---------------------------------------------------------------------------


@cache
def _widths(bold: bool) -> Callable[[str], int]:
    """The advance width of a letter of Helvetica, in 1/1000 of the size."""
    from fpdf.fonts import CORE_FONTS_CHARWIDTHS

    found = CORE_FONTS_CHARWIDTHS["helveticaB" if bold else "helvetica"]

    def width(letter: str) -> int:
        if letter in found:
            return int(found[letter])
        # Chinese and Japanese letters fill a square; the others are about as wide as an n.
        return 1000 if east_asian_width(letter) in ("W", "F") else int(found["n"])

    return width


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, in points."""
    return sum(map(_widths(bold), text)) * size / 1000


def fitting(text: str, width: float, size: float, bold: bool = False) -> float:
    """The size of letters, at most ``size``, at which a text is no wider than ``width``."""
    return min(size, size * width / max(text_width(text, size, bold), 1.0))


def lines_of(text: str, width: float, size: float) -> list[str]:
    """Lines no wider than ``width``, with a tenth to spare for another font."""
    lines: list[str] = []
    for word in tied(text).split(" "):
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

    def write(self, paper: FPDF, families: Mapping[str, str]) -> None:
        """Onto ``paper``, with the font that each of some letters has; all others are plain."""
        paper.set_text_color(self.colour)
        at = self.x
        for family, letters in groupby(self.text, lambda letter: families.get(letter, PLAIN)):
            run = "".join(letters)
            paper.set_font(family, "B" if self.bold else "", self.size)
            paper.text(at, self.y, run)
            at += paper.get_string_width(run)


_Shape: TypeAlias = _Line | _Box | _Ring | _Text


@dataclass
class Page:
    """What is drawn, in order; in points from its top left corner."""

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
        self.shapes.append(_Ring(x, y, radius, colour, width))

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
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
        """A line of text on the base line ``y``; ``align`` 0 begins, 0.5 centres, 1 ends at x."""
        left = x - align * text_width(text, size, bold)
        self.shapes.append(_Text(left, y, text, size, colour, bold))


def svg(pages: Sequence[Page], title: str) -> str:
    """The pages below each other in one image."""
    width = max((page.size[0] for page in pages), default=A4[0])
    height = sum(page.size[1] for page in pages)
    elements = [element("rect", width=width, height=height, fill="white")]
    down = 0.0
    for page in pages:
        elements += group((shape.svg() for shape in page.shapes), 0, down)
        down += page.size[1]
    return document((width, height), title, elements, "pt")


def html(pages: Sequence[Page], title: str) -> str:
    """A page of HTML that prints each page on paper of its own."""
    body = "\n".join(f"<section>\n{svg([page], title)}</section>" for page in pages)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>'
        f"{escape(title)}</title>\n<style>@page {{ size: A4; margin: 0 }} body {{ margin: 0 }} "
        "section { page-break-after: always } section:last-child { page-break-after: auto } "
        "svg { display: block; margin: 0 auto; max-width: 100% }</style>\n</head>\n<body>\n"
        f"{body}\n</body>\n</html>\n"
    )


_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # when it was written is no one's concern


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as PDF; the same pages, the same bytes.

    Fonts are embedded only for letters that the fonts of every reader do not have;
    :class:`~icgsynth.errors.InputError` names letters that no font has.
    """
    from fpdf import FPDF

    paper = FPDF(unit="pt")
    paper.set_creation_date(_NO_DATE)
    paper.core_fonts_encoding = "cp1252"
    paper.set_title(title)
    paper.set_auto_page_break(False)
    texts = (shape.text for page in pages for shape in page.shapes if isinstance(shape, _Text))
    families = add_fonts(paper, set().union(*texts))
    for page in pages:
        paper.add_page(format=page.size)
        with paper.local_context(stroke_cap_style="round"):
            for shape in page.shapes:
                if isinstance(shape, _Text):
                    shape.write(paper, families)
                else:
                    shape.pdf(paper)
    return bytes(paper.output())


# --- fonts ---------------------------------------------------------------------------------------

PLAIN = "helvetica"
"""The family that needs no file."""

_SHOWN = 12  # letters that a message names

_FOLDERS = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    *("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts"),
)
# Fonts with many letters, as systems name their files; of each the first that is found.
_FILES = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "arialuni.ttf"),
    *("DroidSansFallbackFull.ttf", "wqy-microhei.ttc", "wqy-zenhei.ttc", "NotoSansCJK-Regular.ttc"),
    *("NotoSansSC-Regular.ttf", "msyh.ttc", "simsun.ttc", "msgothic.ttc", "malgun.ttf"),
    *("PingFang.ttc", "AppleSDGothicNeo.ttc", "STHeiti Light.ttc"),
)


def is_plain(letter: str) -> bool:
    """Whether the fonts that every reader has know ``letter``."""
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def add_fonts(paper: FPDF, letters: Iterable[str]) -> dict[str, str]:
    """Add to ``paper`` what shows ``letters``; the family of each that is not plain.

    :class:`~icgsynth.errors.InputError` names the letters that no font here has.
    """
    left = {letter for letter in letters if not is_plain(letter)}
    families: dict[str, str] = {}
    for number, path in enumerate(_candidates() if left else ()):
        found = {letter for letter in left if ord(letter) in _known(path)}
        if found:
            family = f"letters{number}"
            bold = path.with_name(path.stem + "-Bold" + path.suffix)
            paper.add_font(family, "", path)
            paper.add_font(family, "B", bold if bold.is_file() else path)
            families |= dict.fromkeys(found, family)
            left -= found
        if not left:
            break
    if left:
        shown = " ".join(sorted(left)[:_SHOWN]) + (" ..." if len(left) > _SHOWN else "")
        raise InputError(
            f"the PDF cannot show {shown}: no font here has them",
            mend="name a font that has them, ICGSYNTH_FONT=FILE.ttf; for Cyrillic and Greek "
            "pip install 'icgsynth[plot]'; or write .html or .svg, which need no font",
        )
    return families


def _candidates() -> Iterator[Path]:
    """Files of fonts, the one that is asked for first."""
    if given := os.environ.get("ICGSYNTH_FONT"):
        path = Path(given).expanduser()
        if not path.is_file():
            mend = "give the path of a TrueType font"
            raise InputError(f"ICGSYNTH_FONT: there is no file {given[:200]}", mend=mend)
        yield path
    if (found := find_spec("matplotlib")) is not None and found.origin is not None:
        own = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
        if own.is_file():
            yield own
    yield from _of_this_machine()


@cache
def _of_this_machine() -> tuple[Path, ...]:
    here: dict[str, Path] = {}
    for folder in (Path(name).expanduser() for name in _FOLDERS):
        for path in sorted(folder.rglob("*.tt[fc]")) if folder.is_dir() else ():
            here.setdefault(path.name, path)
    return tuple(here[name] for name in _FILES if name in here)


@cache
def _known(path: Path) -> frozenset[int]:
    """The letters of a font, as numbers; none where the file is no font, or cannot be embedded."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with path.open("rb") as file, TTFont(file, fontNumber=0, lazy=True) as font:
            return frozenset(font.getBestCmap() or ()) if "glyf" in font else frozenset()
    except (TTLibError, OSError, ValueError):
        return frozenset()

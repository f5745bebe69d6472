"""Write the elements of SVG of which every picture consists.

No other module writes an element of SVG.  PNG is made from SVG by resvg (the extra ``plot``).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from icgsynth import wings

Style: TypeAlias = dict[str, str | float]
"""Attributes of SVG elements, by name."""

_FONT = "Helvetica, Arial, sans-serif"


def number(value: float) -> str:
    """Return ``value`` as text for SVG, rounded to 1/100."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def element(name: str, text: str = "", /, **attributes: str | float) -> str:
    """Return the SVG element ``name`` with ``text`` inside; ``_`` in attributes means ``-``."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(each))}"'
        for key, each in attributes.items()
    )
    return f"<{name}{said}>{escape(text)}</{name}>" if text else f"<{name}{said}/>"


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def group(elements: Iterable[str], x: float, y: float) -> list[str]:
    """Return an SVG group of ``elements``, moved by ``x`` to the right and by ``y`` down."""
    return [f'<g transform="translate({number(x)} {number(y)})">', *elements, "</g>"]


def pattern(name: str, size: float, elements: Iterable[str]) -> str:
    """Return an SVG pattern ``name``: tiles of ``size`` pixels with ``elements``, turned by 45°."""
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
    """Return a whole SVG image with ``title`` and ``elements``, of width and height ``size``.

    The size is in pixels, or in ``unit`` such as "mm".  ``attributes`` are those of the root.
    """
    width, height = map(number, size)
    given: Style = {"width": width + unit, "height": height + unit}
    given |= {"viewBox": f"0 0 {width} {height}", "font_family": _FONT, **attributes}
    head = element("svg", xmlns="http://www.w3.org/2000/svg", **given)
    return "\n".join([head[:-2] + ">", element("title", title), *elements, "</svg>"]) + "\n"


def png(image: str, zoom: int) -> bytes:
    """Return the SVG document ``image`` as PNG, ``zoom`` times as large.

    Raises :class:`~icgsynth.errors.InputError` where the extra ``plot`` is missing.
    """
    try:
        import resvg_py
    except ImportError:
        instead = "write an .svg or .csv file"
        raise wings.lacking("a PNG image needs resvg", "plot", instead) from None
    if (path := _dejavu()) is None:
        needed = "a PNG image needs the font that comes with matplotlib"
        raise wings.lacking(needed, "plot", "write an .svg or .csv file")
    image_bytes = resvg_py.svg_to_bytes(
        svg_string=image, zoom=zoom, font_files=[str(path)], sans_serif_family="DejaVu Sans"
    )
    return bytes(image_bytes)


def _dejavu() -> Path | None:
    """Return the path of the DejaVu font that matplotlib contains; None without matplotlib."""
    found = find_spec("matplotlib")
    path = Path((found and found.origin) or "").parent / "mpl-data/fonts/ttf/DejaVuSans.ttf"
    return path if path.is_file() else None

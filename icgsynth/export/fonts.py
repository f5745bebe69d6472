"""Fonts for the letters that the fonts of every PDF reader do not have.

Helvetica knows the letters of Western Europe.  For others a font is embedded: one that the
environment names in ICGSYNTH_FONT, else DejaVu Sans, which comes with matplotlib (Cyrillic, Greek
and many more; free to embed, after the licence of Bitstream Vera), else one of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from icgsynth.errors import InputError

if TYPE_CHECKING:
    from fpdf import FPDF

__all__ = ["PLAIN", "add_fonts", "is_plain"]

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

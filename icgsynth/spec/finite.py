"""Finite games by file or by name: GDL in KIF, or an encoding in clingo's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import Encoding
from icgsynth.spec.asp import is_encoding, looks_like_asp, parse_asp
from icgsynth.spec.catalog import did_you_mean, resolve_finite
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.source import STDIN, Source, looks_like_gdl

__all__ = ["bias_file", "finite_game", "finite_rules", "like_with_bias"]

_FOLDERS = (("asp", ".lp"), ("gdl", ".kif"))


def _known() -> dict[str, Path]:
    """The catalog's finite games by name; encodings before KIF."""
    found: dict[str, Path] = {}
    for folder, ending in _FOLDERS:
        for path in sorted((catalog_dir() / folder).glob(f"*{ending}")):
            found.setdefault(path.stem, path)
    return found


def _resolved(game: str) -> Path:
    path = STDIN if game == "-" else Path(game)
    try:
        if path == STDIN or path.is_file():
            return path
    except (OSError, ValueError):
        pass
    known = _known()
    if game in known:
        return known[game]
    shown = "".join(c if c.isprintable() else "?" for c in game[:80])
    raise InputError(
        f"there is no file and no finite game '{shown}'",
        mend=did_you_mean(path.stem, known) or f"known: {', '.join(known)}",
    )


def finite_game(game: str, constants: Mapping[str, int] | None = None) -> Rulebook | Encoding:
    """The rules that GAME means; :class:`~icgsynth.errors.InputError` where it means none.

    ``constants`` replace those of an encoding; KIF has none.
    """
    path = _resolved(game)
    source = Source.read(path)
    if path.suffix != ".lp" and looks_like_gdl(source.text):
        if constants:
            raise InputError(
                f"{path.name}: a description in KIF has no constants", mend="leave --set out"
            )
        return parse_gdl(source)
    if path.suffix == ".lp" or looks_like_asp(source.text):
        return parse_asp(source, constants)
    raise InputError(
        f"{game[:80]}: neither an encoding in clingo's language nor GDL in KIF",
        mend="an encoding has role(...) and legal(...) rules, KIF has (role ...)",
    )


def bias_file(game: str) -> Path | None:
    """The mode bias beside a game: ``ttt_l.las``, or ``ttt.las`` for the family."""
    path = _resolved(game)
    for stem in (path.stem, path.stem.rpartition("_")[0]):
        found = path.with_name(f"{stem}.las")
        if stem and found.is_file():
            return found
    return None


def like_with_bias(game: str) -> tuple[str, ...]:
    """The encodings of the catalog that have a bias and are of the same game, by the first word.

    The comment at the head of a file begins with the name of its game: "Tic-tac-toe from ..".
    """
    path = _resolved(game)
    word = _first_word(path)
    known = {name: found for name, found in _known().items() if bias_file(name) is not None}
    return tuple(n for n, p in known.items() if p != path and word and _first_word(p) == word)


def _first_word(path: Path) -> str:
    """The first word of the file's first comment, in small letters; empty where it has none."""
    if path == STDIN:
        return ""
    found = re.match(r"[;%]\s*(?:The\s+)?([\w-]+)", Source.read(path).text)
    return found[1].lower() if found else ""


def finite_rules(spec: str) -> Rulebook | Encoding | None:
    """The rules of the finite game that SPEC means; None where it means another game."""
    path = resolve_finite(spec)
    text = Source.read(path, spec).text
    finite = is_encoding(path, text) or looks_like_gdl(text)
    return finite_game(str(path)) if finite else None

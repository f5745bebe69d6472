"""Load the rules of a finite game by file or by name: GDL in KIF, or clingo's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.rules.infix import looks_infix, looks_like_clingo
from icgsynth.errors import InputError
from icgsynth.spec.catalog import KINDS, files, resolve
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import STDIN, Source, looks_like_asp, looks_like_gdl

PREFIX = "openspiel:"  # before the name and the parameters of a game of OpenSpiel


def finite_game(game: str, constants: Mapping[str, int] | None = None) -> Rulebook | Encoding:
    """Return the rules of the finite game that ``game`` names, by name or path, else InputError.

    ``constants`` get these values; KIF has none.  Of two games of one name it is that for clingo.
    """
    return read_finite(Named(game, among=("asp", *KINDS)).file, constants)


def read_finite(source: Source, constants: Mapping[str, int] | None = None) -> Rulebook | Encoding:
    """Parse the rules of a finite game, by the file's name or content: KIF makes a Rulebook,
    clingo's language an Encoding, whose constants get the values ``constants``, by name.
    :class:`~icgsynth.errors.InputError` with the place; also for constants of a game in KIF."""
    language = _language(source.name, source.text)
    if language == "kif":
        if constants:
            raise InputError(
                f"{source.name}: a description in KIF has no constants", mend="leave --set out"
            )
        return parse_gdl(source)
    if language == "lp":
        from icgsynth.boards.rules.asp import parse_asp

        return parse_asp(source, constants)
    raise InputError(
        f"{source.name}: these are not the rules of a finite game",
        mend="write them in clingo's language, with role(...) and legal(...), or in GDL, with "
        "(role ...); an impartial game (.icg) is for 'icgsynth solve'",
    )


def _language(name: str, text: str) -> Literal["kif", "lp"] | None:
    """Return "kif" or "lp", the language of rules, by the ending of ``name`` or else by ``text``.
    None if it is neither.  Some write ``.gdl`` for GDL's keywords in clingo's language."""
    if name.endswith(".lp"):
        return "lp"
    is_named = name.endswith((".kif", ".gdl"))
    if looks_infix(text) and (is_named or looks_like_asp(text)):
        return "lp" if looks_like_clingo(text) else "kif"
    if is_named or looks_like_gdl(text):
        return "kif"
    return "lp" if looks_like_asp(text) else None


def parse_text(
    name: str, text: str, constants: Mapping[str, int] | None = None
) -> Rulebook | Encoding:
    """Parse rules that come as a string ``text``, not from a file, as the finite game ``name``.
    ``constants`` are values for those of a game in clingo's language."""
    return read_finite(Source(f"{name}.{_language('', text) or 'lp'}", text), constants)


def bias_file(game: str) -> Path | None:
    """Return the path of the file with a mode bias for learning ``game``, or None.  It stands
    beside the game's file: ``ttt_l.las`` for ``ttt_l.lp``, or else ``ttt.las``."""
    path = resolve(game, "asp", "gdl")
    for stem in (path.stem, path.stem.rpartition("_")[0]):
        found = path.with_name(f"{stem}.las")
        if stem and found.is_file():
            return found
    return None


def like_with_bias(game: str) -> tuple[str, ...]:
    """Return the names of the catalog's other encodings of ``game`` that have a mode bias.  The
    comment at the head of a file begins with the name of its game: "Tic-tac-toe from .."."""
    path = resolve(game, "asp", "gdl")
    word = _first_word(path)
    encodings = files("asp", "gdl")
    known = {name: found for name, found in encodings.items() if bias_file(name) is not None}
    return tuple(n for n, p in known.items() if p != path and word and _first_word(p) == word)


def _first_word(path: Path) -> str:
    """Return the first word of a file's first comment in lower case, or an empty string."""
    if path == STDIN:
        return ""
    found = re.match(r"[;%]\s*(?:The\s+)?([\w-]+)", Source.read(path).text)
    return found[1].lower() if found else ""

"""Finite games by file or by name: GDL in KIF, or an encoding in clingo's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import Encoding
from icgsynth.spec.asp import parse_asp
from icgsynth.spec.catalog import resolve
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.heap_names import files
from icgsynth.spec.source import STDIN, Source, is_encoding, looks_like_asp, looks_like_gdl


def finite_game(game: str, constants: Mapping[str, int] | None = None) -> Rulebook | Encoding:
    """The rules that GAME means; :class:`~icgsynth.errors.InputError` where it means none.

    ``constants`` replace those of an encoding; KIF has none.
    """
    return read_finite(
        Source.read(resolve(game, "asp", "gdl", "icg", "blocking", "piles")), constants
    )


def read_finite(source: Source, constants: Mapping[str, int] | None = None) -> Rulebook | Encoding:
    """The same of a text, which is an encoding where its name ends in ``.lp``."""
    is_named_so = source.name.endswith(".lp")
    if not is_named_so and looks_like_gdl(source.text):
        if constants:
            raise InputError(
                f"{source.name}: a description in KIF has no constants", mend="leave --set out"
            )
        return parse_gdl(source)
    if is_named_so or looks_like_asp(source.text):
        return parse_asp(source, constants)
    raise InputError(
        f"{source.name}: neither an encoding in clingo's language nor GDL in KIF",
        mend="an encoding has role(...) and legal(...) rules, KIF has (role ...)",
    )


def bias_file(game: str) -> Path | None:
    """The mode bias beside a game: ``ttt_l.las``, or ``ttt.las`` for the family."""
    path = resolve(game, "asp", "gdl")
    for stem in (path.stem, path.stem.rpartition("_")[0]):
        found = path.with_name(f"{stem}.las")
        if stem and found.is_file():
            return found
    return None


def like_with_bias(game: str) -> tuple[str, ...]:
    """The encodings of the catalog that have a bias and are of the same game, by the first word.

    The comment at the head of a file begins with the name of its game: "Tic-tac-toe from ..".
    """
    path = resolve(game, "asp", "gdl")
    word = _first_word(path)
    encodings = files("asp", "gdl")
    known = {name: found for name, found in encodings.items() if bias_file(name) is not None}
    return tuple(n for n, p in known.items() if p != path and word and _first_word(p) == word)


def _first_word(path: Path) -> str:
    """The first word of the file's first comment, in small letters; empty where it has none."""
    if path == STDIN:
        return ""
    found = re.match(r"[;%]\s*(?:The\s+)?([\w-]+)", Source.read(path).text)
    return found[1].lower() if found else ""


def finite_rules(spec: str, constants: Mapping[str, int]) -> Rulebook | Encoding | None:
    """The rules of the finite game that SPEC means; None where it means another game."""
    path = resolve(spec, "gdl", "icg", "blocking", "piles", "asp")
    text = Source.read(path, spec).text
    finite = is_encoding(path, text) or looks_like_gdl(text)
    return finite_game(str(path), constants) if finite else None

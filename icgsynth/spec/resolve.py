"""Find the game that a name means, tell its kind, and read its rules in any language."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.spec.catalog import FINITE_MEND, looks_like_code, resolve
from icgsynth.spec.source import (
    STDIN,
    Source,
    looks_like_asp,
    looks_like_gdl,
    looks_like_pddl,
    looks_like_sum,
)

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, PlayRule
    from icgsynth.spec.icg_spec import Spec

Language: TypeAlias = Literal["asp", "gdl", "pddl", "icg"]
"""A language of rules: clingo's, GDL (KIF), numeric PDDL, or ``.icg``."""

_FIRST_WORD = re.compile(r"(?:\s|#[^\n]*+)*+([A-Za-z_]\w*)")


@dataclass(frozen=True)
class Named:
    """How a person named a game: ``spec`` is a name, a path, a code, a sum, or ``-``."""

    spec: str
    constants: Mapping[str, int] = field(default_factory=dict)  # values that the person set
    text: str | None = None  # the rules, if they are in no file
    # The kinds of catalog files that have the name, in order; default: all, impartial games first.
    among: tuple[str, ...] = ()

    @cached_property
    def path(self) -> Path:
        """The path of the file of rules; InputError where there is none."""
        return resolve(self.spec, *self.among)

    @cached_property
    def source(self) -> Source:
        """The rules as text, with the name that messages use."""
        if self.text is not None:
            return Source(self.spec, self.text)
        path = str(self.path)  # messages have the ending even where the person left it out
        return Source.read(self.path, path if path.startswith(self.spec) else self.spec)

    @property
    def file(self) -> Source:
        """The text of the rules' file, named by its path, from which included files are found."""
        return Source.read(self.path)

    @property
    def language(self) -> Language:
        """The language of the rules: by the ending .lp of a file's name, else by the text."""
        if self.text is None and self.path != STDIN:
            return "asp" if self.path.suffix == ".lp" else language_of(self.source.text, "asp")
        return language_of(self.source.text)


def language_of(text: str, never: str = "") -> Language:
    """Return the language of rules, guessed from ``text``; not "asp" if ``never`` is "asp"."""
    if never != "asp" and looks_like_asp(text):
        return "asp"
    if looks_like_gdl(text):
        return "gdl"
    return "pddl" if looks_like_pddl(text) else "icg"


def kind_of(named: Named, words: Collection[str] = ()) -> str:
    """Return the kind of a named game: "sums", "codes", "finite", "game", or one of ``words``.

    "codes" are codes of heaps, "finite" is GDL or clingo's language, "game" an impartial game.  The
    ``words`` that are looked for are first words of rules ("heaps"), endings (".kif") and
    beginnings of names ("openspiel:").  Raises :class:`~icgsynth.errors.InputError` where there is
    no such game.
    """
    if named.text is None:
        if (before := named.spec.partition(":")[0] + ":") in words:
            return before
        if looks_like_sum(named.spec):
            return "sums"
        if looks_like_code(named.spec):
            return "codes"
        if (ending := named.path.suffix) in words:
            return ending
    if named.language in ("asp", "gdl"):
        return "finite"
    word = _FIRST_WORD.match(named.source.text)
    return word[1] if word and word[1] in words else "game"


_FINITE = {"gdl": "a game description (GDL)", "asp": "an encoding in clingo's language"}


def load_rules(text_source: Source, overrides: Mapping[str, int] | None = None) -> Any:
    """Return the impartial game or heaps of ``text_source``, with the constants ``overrides``."""
    if language_of(text_source.text, "asp") == "icg":
        spec = _parse(text_source)
        return spec.heaps(overrides) if spec.splits else spec.game(overrides)
    return load_spec(text_source, overrides)


def load_spec(
    text_source: Source, overrides: Mapping[str, int] | None = None, blocking: bool = False
) -> ParametricGame:
    """Read the game in ``text_source``, ``.icg`` or PDDL; ``overrides`` sets constants by name.

    Raises InputError for a finite game, and unless ``blocking`` is True for a blocking game, where
    the opponent may forbid moves.
    """
    language = language_of(text_source.text)
    if language in _FINITE:
        message = f"{text_source.name} is {_FINITE[language]}: a finite game"
        raise InputError(message, mend=FINITE_MEND.format(text_source.name))
    if language != "pddl":
        return _parse(text_source).game(overrides, blocking)
    if overrides:
        message = f"{text_source.name}: a PDDL file has no constants"
        raise InputError(message, mend="leave --set out")
    found: ParametricGame = wings.require("language", "pddl").parse_pddl(text_source)
    return found


def stated_rule(text_source: Source) -> PlayRule:
    """Return the rule of play that ``text_source`` (``.icg``) states; normal play if none."""
    text = text_source.text
    return _parse(text_source).rule if "misere" in text and not looks_like_pddl(text) else "normal"


def constant_names(text_source: Source) -> frozenset[str]:
    """Return the names of constants in ``text_source``; none in a language other than ``.icg``."""
    if language_of(text_source.text, "asp") != "icg":
        return frozenset()
    return frozenset(name for name, _ in _parse(text_source).constants)


def _parse(text_source: Source) -> Spec:
    from icgsynth.spec.icg import parse

    return parse(text_source)

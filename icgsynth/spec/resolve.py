"""Which game a name means, and of which kind it is: for commands, programs and pages alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from icgsynth.spec.catalog import looks_like_code, resolve
from icgsynth.spec.source import (
    STDIN,
    Source,
    looks_like_asp,
    looks_like_gdl,
    looks_like_pddl,
    looks_like_sum,
)

Language: TypeAlias = Literal["asp", "gdl", "pddl", "icg"]
"""What rules are written in: clingo's language, KIF, numeric PDDL, or ``.icg``."""

_FIRST_WORD = re.compile(r"(?:\s|#[^\n]*+)*+([A-Za-z_]\w*)")


@dataclass(frozen=True)
class Named:
    """A subject as it was named: ``spec`` is a name, a path, a code, a sum, or ``-``.

    ``constants`` are those that whoever asks has given; ``text`` are rules that are no file's.
    ``among`` are the kinds of files of the catalog in which a name is looked for, in this order; by
    default all, impartial games first.
    """

    spec: str
    constants: Mapping[str, int] = field(default_factory=dict)
    text: str | None = None
    among: tuple[str, ...] = ()

    @cached_property
    def path(self) -> Path:
        """The file of the rules."""
        return resolve(self.spec, *self.among)

    @cached_property
    def source(self) -> Source:
        """The rules."""
        if self.text is not None:
            return Source(self.spec, self.text)
        path = str(self.path)  # where the ending is left out, it is named in messages
        return Source.read(self.path, path if path.startswith(self.spec) else self.spec)

    @property
    def file(self) -> Source:
        """The file of the rules by its whole path: from there files that it includes are found."""
        return Source.read(self.path)

    @property
    def language(self) -> Language:
        """The language of the rules: by the ending .lp of a file's name, else by the text."""
        if self.text is None and self.path != STDIN:
            return "asp" if self.path.suffix == ".lp" else language_of(self.source.text, "asp")
        return language_of(self.source.text)


def language_of(text: str, never: str = "") -> Language:
    """The language of rules by their text; it is not taken for the language ``never``."""
    if never != "asp" and looks_like_asp(text):
        return "asp"
    if looks_like_gdl(text):
        return "gdl"
    return "pddl" if looks_like_pddl(text) else "icg"


def kind_of(named: Named, words: Collection[str] = ()) -> str:
    """The kind of a game: "sums", "codes", "finite", one of ``words``, or "game".

    ``words`` have a kind of their own: first words of rules ("heaps"), endings (".kif") and
    beginnings of names ("openspiel:").
    :class:`~icgsynth.errors.InputError` where there is no such game.
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

"""Subjects: what a person names, and the questions that can be asked of it.

The kind of a subject is told by its name, or by the first word of its rules; the module of that
kind is loaded when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, without_blocking
from icgsynth.spec.heap_names import looks_like_code
from icgsynth.spec.source import is_encoding, looks_like_asp, looks_like_gdl, looks_like_sum
from icgsynth.subjects.subject import AskedTable, AskedValue, AskedVerdict, Named, Subject

__all__ = [
    "AskedTable",
    "AskedValue",
    "AskedVerdict",
    "Named",
    "Subject",
    "impartial_game",
    "subject",
    "words",
]

_BY_NAME = {"codes", "finite", "sums"}  # kinds that are told otherwise than by such a word
_FIRST_WORD = re.compile(r"(?:\s|#[^\n]*+)*+([A-Za-z_]\w*)")


def subject(
    spec: str, constants: Mapping[str, int] | None = None, text: str | None = None
) -> Subject:
    """What ``spec`` means: a name of the catalog, a path, a code of heaps, a sum, or ``-``.

    With ``text`` these are the rules, and ``spec`` is what they are called in messages.
    :class:`~icgsynth.errors.InputError` where there is no such game; what is wrong with its rules
    is told when it is asked something.
    """
    named = Named(spec, constants or {}, text)
    found: Subject = import_module(f"{__name__}.{_kind(named)}_subject").subject(named)
    return found


def impartial_game(spec: str, constants: Mapping[str, int] | None = None) -> ParametricGame:
    """The one impartial game that ``spec`` means; :class:`~icgsynth.errors.InputError` else."""
    found = subject(spec, constants)
    if not isinstance(game := found.game, ParametricGame):
        raise InputError(f"{spec} is {found.what}, and no impartial game", mend=found.mend)
    return without_blocking(game)


def _kind(named: Named) -> str:
    """The name of the module for this kind of subject."""
    if named.text is None and looks_like_sum(named.spec):
        return "sums"
    if named.text is None and looks_like_code(named.spec):
        return "codes"
    text = named.source.text
    is_asp = looks_like_asp(text) if named.text is not None else is_encoding(named.path, text)
    if is_asp or looks_like_gdl(text):
        return "finite"
    word = _FIRST_WORD.match(text)
    return word[1] if word and word[1] in words() else "game"


@cache
def words() -> frozenset[str]:
    """The first words of rules, each with a kind of its own."""
    names = (name for _, name, _ in iter_modules(__path__) if name.endswith("_subject"))
    return frozenset(name.removesuffix("_subject") for name in names) - _BY_NAME

"""A game from a text in any of the languages of rules, told by its content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.spec.catalog import FINITE_MEND
from icgsynth.spec.icg import parse
from icgsynth.spec.resolve import language_of
from icgsynth.spec.source import Source, looks_like_pddl

_FINITE = {"gdl": "a game description (GDL)", "asp": "an encoding in clingo's language"}


def load_rules(text_source: Source, overrides: Mapping[str, int] | None = None) -> Any:
    """Return the game of ``text_source``: a ``ParametricGame``, or heaps from ``.icg``.

    ``overrides`` sets constants by name.  A blocking game is refused.
    """
    if language_of(text_source.text, "asp") == "icg":
        spec = parse(text_source)
        return spec.heaps(overrides) if spec.splits else spec.game(overrides)
    return load_spec(text_source, overrides)


def load_spec(
    text_source: Source, overrides: Mapping[str, int] | None = None, blocking: bool = False
) -> ParametricGame:
    """Return the game of ``text_source``, ``.icg`` or PDDL; ``overrides`` sets constants by name.

    InputError for a finite game, and for a blocking game unless the caller says with ``blocking``
    that it heeds ``block``.
    """
    language = language_of(text_source.text)
    if language in _FINITE:
        message = f"{text_source.name} is {_FINITE[language]}: a finite game"
        raise InputError(message, mend=FINITE_MEND.format(text_source.name))
    if language != "pddl":
        return parse(text_source).game(overrides, blocking)
    if overrides:
        message = f"{text_source.name}: a PDDL file has no constants"
        raise InputError(message, mend="leave --set out")
    found: ParametricGame = wings.require("language", "pddl").parse_pddl(text_source)
    return found


def stated_rule(text_source: Source) -> PlayRule:
    """Return the rule of play that ``text_source`` (``.icg``) states; normal play if none."""
    text = text_source.text
    return parse(text_source).rule if "misere" in text and not looks_like_pddl(text) else "normal"


def constant_names(text_source: Source) -> frozenset[str]:
    """Return the names of constants in ``text_source``; none in a language other than ``.icg``."""
    if language_of(text_source.text, "asp") != "icg":
        return frozenset()
    return frozenset(name for name, _ in parse(text_source).constants)

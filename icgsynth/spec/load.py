"""A game from a text in any of the languages of rules, told by its content."""

from __future__ import annotations

from collections.abc import Mapping

from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame
from icgsynth.game.heap_rules import HeapGame
from icgsynth.spec.catalog import FINITE_MEND
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source, looks_like_asp, looks_like_gdl, looks_like_pddl


def load_rules(
    text_source: Source, overrides: Mapping[str, int] | None = None, blocking: bool = False
) -> ParametricGame | HeapGame:
    """The game of a text; one of heaps where an ``.icg`` text begins so.

    A blocking game is refused unless the caller says with ``blocking`` that it heeds ``block``.
    """
    if not looks_like_gdl(text_source.text) and not looks_like_pddl(text_source.text):
        spec = parse(text_source)
        return spec.heaps(overrides) if spec.splits else spec.game(overrides, blocking)
    return load_spec(text_source, overrides)


def load_spec(
    text_source: Source, overrides: Mapping[str, int] | None = None, blocking: bool = False
) -> ParametricGame:
    """The game of an ``.icg`` or PDDL text; ``overrides`` sets constants of an ``.icg`` family.

    Of a blocking game as :func:`load_rules`.
    """
    is_gdl = looks_like_gdl(text_source.text)
    if is_gdl or looks_like_asp(text_source.text):
        language = "a game description (GDL)" if is_gdl else "an encoding in clingo's language"
        message = f"{text_source.name} is {language}: a finite game"
        raise InputError(message, mend=FINITE_MEND.format(text_source.name))
    if not looks_like_pddl(text_source.text):
        return parse(text_source).game(overrides, blocking)
    if overrides:
        message = f"{text_source.name}: a PDDL file has no constants"
        raise InputError(message, mend="leave --set out")
    from icgsynth.spec.pddl import parse_pddl

    return parse_pddl(text_source)


def constant_names(text_source: Source) -> frozenset[str]:
    """The names of the constants of an ``.icg`` text; a text of another language has none."""
    if looks_like_gdl(text_source.text) or looks_like_pddl(text_source.text):
        return frozenset()
    return frozenset(name for name, _ in parse(text_source).constants)

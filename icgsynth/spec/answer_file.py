"""Find out what kind of answer a file holds, before a reader for that kind is chosen.

A file is a strategy of an impartial game (:mod:`icgsynth.spec.solution_file` reads it), a
fast-and-frugal tree (:mod:`icgsynth.boards.rules.tree`) or a learned strategy
(:mod:`icgsynth.boards.learn.saved`).  All three have the schema ``icgsynth/solution/2``; older
files without a schema are told by their keys.
"""

from __future__ import annotations

from icgsynth.errors import InputError
from icgsynth.game.answers import KINDS, SCHEMA, Kind
from icgsynth.spec.catalog import resolve
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source

_OF_STRATEGY = ("strategy", "fft", "winning", "losing", "rules")


def kind_of(source: Source, otherwise: Kind = "strategy") -> Kind:
    """Return the kind of the answer in ``source``: "strategy", "tree", "learned" or "family".

    It is ``otherwise`` where nothing in the file tells.  Text that is no JSON, and not blank, is a
    tree, one rule a line.  Raises :class:`~icgsynth.errors.InputError` for faulty JSON, for an
    unknown kind, and for Grundy values, whose kind is "value".
    """
    if is_json(source):
        return _tell_kind(answer_in(source), otherwise)
    return "tree" if source.text.strip() else otherwise


def told_kind(source: Source) -> str | None:
    """Return the text of the key "kind" in the JSON object ``source``; None if there is none."""
    place = answer_in(source).get("kind") if is_json(source) else None
    return place.value if place is not None and isinstance(place.value, str) else None


def any_kind(source: Source) -> Kind:
    """Return the kind of answer in ``source``: strategy, tree, learned, family or value."""
    return "value" if told_kind(source) == "value" else kind_of(source)


def game_and_rules(source: Source, spec: str | None) -> tuple[str, str | None]:
    """Return the name of the game that an answer file is about, and the text of its rules or None.

    The name is ``spec``, or that in the file; the rules are None with a ``spec``, or where the file
    has none.  Raises :class:`~icgsynth.errors.InputError` that says what the file lacks.
    """
    if spec is not None:
        return spec, None
    said = answer_in(source).find if is_json(source) else lambda *_: None
    name, rules = said("game", Located.string, None), said("rules", Located.string, None)
    if rules is None:
        try:
            resolve(name or "")
        except InputError:
            lacking = f"has no rules, and '{name}' is no game of the catalog"
            lacking = "does not say of which game" if name is None else lacking
            mend = "give the rules: --spec FILE.icg, or its name in the catalog"
            raise InputError(f"{source.name} {lacking}", mend=mend) from None
    return name or source.name, rules


def is_json(source: Source) -> bool:
    return source.name.endswith(".json") or source.text.lstrip()[:1] in ("{", "[")


def answer_in(source: Source) -> Located:
    """Return the JSON object of the answer in ``source``: of a list the first, and within an object
    the value of "tree" or "strategy" if that is an object."""
    top = read_json(source)
    if isinstance(top.value, list) and top.value:
        top = top.value[0]
    if isinstance(top.value, dict):
        for key in ("tree", "strategy"):  # what `fft synth` and `learn` print with --json
            inner = top.value.get(key)
            if inner is not None and isinstance(inner.value, dict):
                return inner
    return top


def _tell_kind(top: Located, otherwise: Kind) -> Kind:
    if not isinstance(top.value, dict):
        return otherwise
    if (kind := top.get("kind")) is not None:
        if kind.value == "value":
            given = {"code": "CODE", "sum": "SUM"}
            spec = next((word for key, word in given.items() if top.get(key)), "SPEC")
            raise kind.error("Grundy values, and no strategy", f"icgsynth verify {spec} FILE")
        return kind.one_of(KINDS)
    if (schema := top.get("schema")) is not None:
        schema.one_of((SCHEMA,))
    return "strategy" if any(top.get(key) is not None for key in _OF_STRATEGY) else otherwise

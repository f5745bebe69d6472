"""What kind of answer a file holds: whoever is given a file asks here first.

A file is a strategy of an impartial game (:mod:`icgsynth.spec.solution_file` reads it), a
fast-and-frugal tree (:mod:`icgsynth.spec.tree`) or a learned strategy
(:mod:`icgsynth.learn.saved`).  All three have the schema ``icgsynth/solution/2``; what was written
before they had it is told by its keys.
"""

from __future__ import annotations

from typing import NamedTuple

from icgsynth.game.answers import KINDS, SCHEMA, Kind
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Status
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source

_RULES: tuple[PlayRule, ...] = ("normal", "misere")
_STATUSES: tuple[Status, ...] = ("solved", "conditional", "unknown")
_OF_STRATEGY = ("strategy", "fft", "winning", "losing", "rules")


def kind_of(source: Source, otherwise: Kind = "strategy") -> Kind:
    """The kind of the answer in ``source``; ``otherwise`` where nothing in the file tells.

    Text that is no JSON, and not blank, is a tree, one rule a line.
    :class:`~icgsynth.errors.InputError` for what begins like JSON and is none, or names another
    kind.
    """
    if _is_json(source):
        return _told(answer_in(source), otherwise)
    return "tree" if source.text.strip() else otherwise


def told_kind(source: Source) -> str | None:
    """What the answer in ``source`` calls its kind; None where it is no JSON, or says none."""
    place = answer_in(source).get("kind") if _is_json(source) else None
    return place.value if place is not None and isinstance(place.value, str) else None


def any_kind(source: Source) -> Kind:
    """The kind of the answer in ``source``, also "value", which :func:`kind_of` refuses."""
    return "value" if told_kind(source) == "value" else kind_of(source)


def game_of(source: Source) -> str | None:
    """The name of the game that an answer file is for, where it says one."""
    return answer_in(source).given("game", Located.string, None) if _is_json(source) else None


class TreeFrame(NamedTuple):
    """What a tree is for: whose it is, and of an impartial game which states it speaks of.

    ``bound``: all variables from 0 to there; ``start`` as ``"7,4"``.  None where the file does
    not say.  ``status``: how far it says that the tree is proved.
    """

    player: int | None = None
    symmetric: bool = True
    rule: PlayRule | None = None
    bound: int | None = None
    start: str | None = None
    constants: tuple[tuple[str, int], ...] = ()
    status: Status | None = None


def tree_frame(source: Source) -> TreeFrame:
    """What the file of a tree says beside its rules."""
    if not _is_json(source):
        return TreeFrame()
    top = answer_in(source)
    return TreeFrame(
        top.given("player", Located.integer, None),
        top.given("symmetric", Located.boolean, True),
        top.given("rule", lambda rule: rule.one_of(_RULES), None),
        top.given("bound", Located.integer, None),
        top.given("start", Located.string, None),
        tuple(top.named("constants", Located.integer).items()),
        top.given("status", lambda status: status.one_of(_STATUSES), None),
    )


def _is_json(source: Source) -> bool:
    return source.text.lstrip()[:1] in ("{", "[")


def answer_in(source: Source) -> Located:
    """The object that holds the answer: the first of a list, or what ``--json`` printed of it."""
    top = read_json(source)
    if isinstance(top.value, list) and top.value:
        top = top.value[0]
    if isinstance(top.value, dict):
        for key in ("tree", "strategy"):  # what `fft synth` and `learn` print with --json
            inner = top.value.get(key)
            if inner is not None and isinstance(inner.value, dict):
                return inner
    return top


def _told(top: Located, otherwise: Kind) -> Kind:
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

"""The frame of a tree's file: the entries beside its rules, such as player and bound."""

from __future__ import annotations

from typing import NamedTuple

from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Status
from icgsynth.spec.answer_file import answer_in, is_json
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source

_RULES: tuple[PlayRule, ...] = ("normal", "misere")
_STATUSES: tuple[Status, ...] = ("solved", "conditional", "unknown")


class TreeFrame(NamedTuple):
    """The frame of a tree's file: whose strategy it is, and for which states of an impartial game.

    ``bound``: all variables from 0 to there; ``start`` as ``"7,4"``.  None where the file does
    not say.  ``status``: how far it says that the tree is proved."""

    player: int | None = None
    symmetric: bool = True
    rule: PlayRule | None = None
    bound: int | None = None
    start: str | None = None
    constants: tuple[tuple[str, int], ...] = ()
    status: Status | None = None


def tree_frame(source: Source) -> TreeFrame:
    """Return the entries of a tree's file beside its rules; defaults where it is plain text."""
    if not is_json(source):
        return TreeFrame()
    top = answer_in(source)
    return TreeFrame(
        top.find("player", Located.integer, None),
        top.find("symmetric", Located.boolean, True),
        top.find("rule", lambda rule: rule.one_of(_RULES), None),
        top.find("bound", Located.integer, None),
        top.find("start", Located.string, None),
        tuple(top.by_name("constants", Located.integer).items()),
        top.find("status", lambda status: status.one_of(_STATUSES), None),
    )

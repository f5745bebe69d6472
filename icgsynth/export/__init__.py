"""Answers in other languages, and reports on them: loaded when a kind of answer is asked for.

Nothing here imports a synthesizer or a solver: a strategy prints the same however it was
found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.export.report import Report
    from icgsynth.game.answers import Answer

__all__ = ["ENDINGS", "FORMATS", "SCHEMA_PATH", "VALUE_FORMATS", "export", "report_of"]

# The JSON Schema (2020-12) of answer files.
SCHEMA_PATH = Path(__file__).with_name("solution.schema.json")

FORMATS = ("fft", "python", "html", "smt2", "latex", "asp", "dot", "walnut", "mona", "coq", "json")
"""The formats of strategies; which of them can say an answer depends on its kind."""

ENDINGS = {
    "fft": ".txt",
    "python": ".py",
    "html": ".html",
    "smt2": ".smt2",
    "latex": ".tex",
    "asp": ".asp",
    "dot": ".dot",
    "mona": ".mona",
    "coq": ".v",
    "json": ".json",
    "pdf": ".pdf",
}
"""How the names of their files end, where they have an ending of their own."""

_SAYS_DRAWN = ("json", "smt2")  # of games that may never end
_SAYS_BLOCKED = ("json", "latex", "mona", "walnut")  # of games with options that may be forbidden

VALUE_FORMATS = (*FORMATS, "bfile")
"""With those of Grundy values."""


def export(answer: Answer, fmt: str) -> str:
    """``answer`` as text in the format ``fmt``.

    :class:`~icgsynth.errors.InputError` for a format that is not in :data:`FORMATS` or cannot
    say what the answer says,
    :class:`~icgsynth.errors.Refused` where the answer lacks what the format shows.
    """
    if fmt not in VALUE_FORMATS:
        raise InputError(
            f"no export format '{fmt}'", mend=f"use one of: {', '.join(VALUE_FORMATS)}"
        )
    from icgsynth.game.answers import KINDS

    writers: Mapping[str, Callable[[Any], str]] = _module(answer).writers(answer)
    if fmt not in writers:
        known = ", ".join(name for name in VALUE_FORMATS if name in writers)
        message = f"{fmt} cannot say {KINDS.get(answer.kind, f'a {answer.kind}')}"
        raise InputError(message, mend=f"export to {known} instead")
    for is_so, what, able in (
        (getattr(answer, "draws", None) is not None, "states are drawn", _SAYS_DRAWN),
        (bool(getattr(answer.game, "block", 0)), "options may be forbidden", _SAYS_BLOCKED),
    ):
        if is_so and fmt not in able:
            raise InputError(
                f"{fmt} cannot say that {what}, as in {answer.game.name}",
                mend=f"export to {' or '.join(able)} instead",
            )
    return writers[fmt](answer)


def report_of(answer: Answer) -> Report:
    """What is said of an answer of any kind: how it stands, the formulas, the moves, the proof."""
    found: Report = _module(answer).report(answer)
    return found


def _module(answer: Answer) -> ModuleType:
    """Where answers of this kind are written: its ``report(answer)``, and ``writers(answer)`` by
    format."""
    kind = getattr(answer, "kind", None)
    name = f"{__name__}.{kind}_formats"
    if not isinstance(kind, str) or not kind.isidentifier() or find_spec(name) is None:
        raise InputError(f"no answer: {answer!r}", mend="give what solve, value or a reader gives")
    return import_module(name)

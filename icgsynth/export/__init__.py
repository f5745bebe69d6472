"""Write answers in other languages, and make reports on them; each kind is loaded when needed.

Nothing here imports a synthesizer or a solver: how a strategy prints does not depend on how it was
found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.export.report import Report
    from icgsynth.game.answers import Answer

__all__ = ["ENDINGS", "FORMATS", "SCHEMA_PATH", "VALUE_FORMATS", "export", "report_of"]

# The JSON Schema (2020-12) of answer files.
SCHEMA_PATH = Path(__file__).with_name("solution.schema.json")

FORMATS = ("fft", "python", "html", "smt2", "latex", "asp", "dot", "walnut", "coq", "json")
"""The formats of strategies; each kind of answer can be written in some of them."""

ENDINGS = {
    "openspiel": ".py", "fft": ".txt", "python": ".py", "html": ".html", "smt2": ".smt2",
    "latex": ".tex", "asp": ".asp", "dot": ".dot", "coq": ".v", "json": ".json", "pdf": ".pdf",
}  # fmt: skip
"""The file ending of each format that has one of its own."""

_SAYS_DRAWN = ("json", "smt2")  # formats for games with drawn states
_SAYS_BLOCKED = ("json", "latex", "walnut")  # formats for games with forbidden options

VALUE_FORMATS = (*FORMATS, "bfile", "openspiel")
"""All formats: of strategies, of Grundy values, and of trees of OpenSpiel's games."""


def export(answer: Answer, fmt: str) -> str:
    """Return ``answer`` as text in the format ``fmt``.

    Raises :class:`~icgsynth.errors.InputError` for a format that is not in :data:`VALUE_FORMATS`
    or cannot express the answer, and
    :class:`~icgsynth.errors.Refused` where the answer lacks a part that the format needs.
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
    """Return the report on an answer of any kind: status, formulas, moves, proof."""
    found: Report = _module(answer).report(answer)
    return found


def picture_of(answer: Answer) -> str:
    """Return the drawing of ``answer`` for a notebook; "" where its kind has none."""
    draw: Callable[[Answer], str] | None = getattr(_module(answer), "picture", None)
    return "" if draw is None else draw(answer)


def some_values(answer: Answer, terms: int | None) -> str:
    """Return the first ``terms`` Grundy values (None: the usual number) as a b-file of the OEIS."""
    text: str = _module(answer).some_values(answer, terms)
    return text


def _module(answer: Answer) -> ModuleType:
    """Return the module that writes answers of this kind; InputError for what is no answer."""
    # The module has ``report(answer)``, and ``writers(answer)`` by format.
    kind = getattr(answer, "formats", getattr(answer, "kind", None))
    name = f"{__name__}.{kind}_formats"
    if isinstance(kind, str) and kind.isidentifier():
        if (found := wings.find("formats", kind)) is not None:
            return found
        if wings.exists(name):
            return wings.load(name)
    raise InputError(f"no answer: {answer!r}", mend="give what solve, value or a reader gives")

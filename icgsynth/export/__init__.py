"""Answers in other languages, and reports on them: one file a format or report and kind.

Each is loaded when its kind is asked for.

Nothing here imports a synthesizer or a solver: a strategy prints the same however it was
found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.export.report import Report
    from icgsynth.game.answers import Answer

__all__ = ["FORMATS", "SCHEMA_PATH", "VALUE_FORMATS", "export", "report_of"]

# The JSON Schema (2020-12) of answer files.
SCHEMA_PATH = Path(__file__).with_name("solution.schema.json")

FORMATS = ("fft", "python", "html", "smt2", "latex", "asp", "dot", "walnut", "mona", "coq", "json")
"""The formats of strategies; which of them can say an answer depends on its kind."""

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

    if getattr(answer, "kind", None) not in KINDS:
        raise InputError(f"no answer: {answer!r}", mend="give what solve, value or a reader gives")
    writers = _writers(answer)
    if fmt not in writers:
        known = ", ".join(name for name in VALUE_FORMATS if name in writers)
        message = f"{fmt} cannot say {KINDS[answer.kind]}"
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


def _writers(answer: Answer) -> Mapping[str, Callable[[Any], str]]:
    """What writes answers of this kind, by format."""
    kind = answer.kind
    if kind == "value":
        from icgsynth.export.value_formats import HEAP_WRITERS, RULES_WRITERS, VALUE_WRITERS
        from icgsynth.game.heap_rows import HeapGameAnswer
        from icgsynth.game.heaps import HeapAnswer

        if isinstance(answer, HeapGameAnswer):
            return RULES_WRITERS
        return HEAP_WRITERS if isinstance(answer, HeapAnswer) else VALUE_WRITERS
    if kind == "strategy":
        from icgsynth.export.solution_formats import SOLUTION_WRITERS

        return SOLUTION_WRITERS
    from icgsynth.export.finite_formats import LEARNED_WRITERS, TREE_WRITERS

    return TREE_WRITERS if kind == "tree" else LEARNED_WRITERS


def report_of(answer: Any) -> Report:
    """What is said of an answer of any kind: how it stands, the formulas, the moves, the proof."""
    if answer.kind == "strategy":
        from icgsynth.export.solution_report import solution_report

        return solution_report(answer)
    if answer.kind == "value":
        from icgsynth.export.heap_report import heap_game_report, heap_report
        from icgsynth.export.value_report import value_report
        from icgsynth.game.heap_rows import HeapGameAnswer
        from icgsynth.game.heaps import HeapAnswer

        if isinstance(answer, HeapGameAnswer):
            return heap_game_report(answer)
        return heap_report(answer) if isinstance(answer, HeapAnswer) else value_report(answer)
    from icgsynth.export.report import Steps, Title

    lead = "The first rule that names a legal move decides:"
    rules = Steps(lead, tuple(map(str, answer.strategy)))
    return (Title(answer.game.name, answer.brief), rules)

"""Solutions in other languages: one file a format, loaded when it is asked for.

Nothing here imports a synthesizer or a solver: a strategy prints the same however it was
found.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from icgsynth.errors import InputError
from icgsynth.solution import Solution

__all__ = ["FORMATS", "SCHEMA_PATH", "Format", "export"]

# The JSON Schema (2020-12) of solution.json.
SCHEMA_PATH = Path(__file__).with_name("solution.schema.json")


class Format(NamedTuple):
    """How to write a format, and what it is, in words.

    ``needs_automaton``: only of answers that have one.
    """

    function: Callable[[Solution], str]
    description: str
    needs_automaton: bool = False


def _lazily(module: str, function: str) -> Callable[[Solution], str]:
    """``function`` of ``icgsynth.export.module``, imported with the first call."""

    def write(solution: Solution) -> str:
        text: str = getattr(import_module(f"icgsynth.export.{module}"), function)(solution)
        return text

    return write


FORMATS: dict[str, Format] = {
    "fft": Format(_lazily("fft", "fft"), "rules that people read, one a line"),
    "python": Format(_lazily("python", "python_module"), "a Python module without dependencies"),
    "smt2": Format(_lazily("smt2", "smt2"), "the proof obligations as an SMT-LIB 2.6 script"),
    "latex": Format(_lazily("latex", "latex"), "a LaTeX fragment (amsmath) with the theorem"),
    "asp": Format(_lazily("asp", "asp"), "a clingo program over a box of states"),
    "dot": Format(_lazily("dot", "dot"), "the strategy, or the automaton, as a Graphviz graph"),
    "walnut": Format(_lazily("walnut", "walnut"), "the automaton in Walnut's text format", True),
    "mona": Format(_lazily("mona", "mona"), "the automaton as a predicate for MONA", True),
    "json": Format(_lazily("json", "json_text"), "the solution file"),
}


def export(solution: Solution, fmt: str) -> str:
    """``solution`` as text in the format ``fmt``.

    :class:`~icgsynth.errors.InputError` for a format that is not in :data:`FORMATS` or cannot
    say what the solution says,
    :class:`~icgsynth.errors.Refused` where the solution lacks what the format shows.
    """
    if fmt not in FORMATS:
        raise InputError(f"no export format '{fmt}'", mend=f"use one of: {', '.join(FORMATS)}")
    return FORMATS[fmt].function(solution)

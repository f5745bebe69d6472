"""Solutions in other languages: one file a format, loaded when it is asked for.

Nothing here imports a synthesizer or a solver: a strategy prints the same however it was
found.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from icgsynth.errors import InputError
from icgsynth.game.solution import Solution

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


# Each format is imported with its first use.


def _fft(solution: Solution) -> str:
    from icgsynth.export.fft import fft

    return fft(solution)


def _python(solution: Solution) -> str:
    from icgsynth.export.python import python_module

    return python_module(solution)


def _smt2(solution: Solution) -> str:
    from icgsynth.export.smt2 import smt2

    return smt2(solution)


def _latex(solution: Solution) -> str:
    from icgsynth.export.latex import latex

    return latex(solution)


def _asp(solution: Solution) -> str:
    from icgsynth.export.asp import asp

    return asp(solution)


def _dot(solution: Solution) -> str:
    from icgsynth.export.dot import dot

    return dot(solution)


def _walnut(solution: Solution) -> str:
    from icgsynth.export.walnut import walnut

    return walnut(solution)


def _mona(solution: Solution) -> str:
    from icgsynth.export.mona import mona

    return mona(solution)


def _json(solution: Solution) -> str:
    from icgsynth.export.json import json_text

    return json_text(solution)


FORMATS: dict[str, Format] = {
    "fft": Format(_fft, "rules that people read, one a line"),
    "python": Format(_python, "a Python module without dependencies"),
    "smt2": Format(_smt2, "the proof obligations as an SMT-LIB 2.6 script"),
    "latex": Format(_latex, "a LaTeX fragment (amsmath) with the theorem"),
    "asp": Format(_asp, "a clingo program over a box of states"),
    "dot": Format(_dot, "the strategy, or the automaton, as a Graphviz graph"),
    "walnut": Format(_walnut, "the automaton in Walnut's text format", True),
    "mona": Format(_mona, "the automaton as a predicate for MONA", True),
    "json": Format(_json, "the solution file"),
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

"""Solutions in other languages: one file a format, loaded when it is asked for.

Nothing here imports a synthesizer or a solver: a strategy prints the same however it was
found.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from icgsynth.errors import InputError, Refused
from icgsynth.game.solution import Solution

if TYPE_CHECKING:
    from icgsynth.fft.tiers import TreeAnswer
    from icgsynth.finite.board import Board
    from icgsynth.finite.datalog import Rulebook
    from icgsynth.finite.encoding import Encoding
    from icgsynth.learn.saved import LearnedAnswer

__all__ = ["FORMATS", "SCHEMA_PATH", "Format", "LearnedGame", "export"]

# The JSON Schema (2020-12) of solution.json.
SCHEMA_PATH = Path(__file__).with_name("solution.schema.json")


class LearnedGame(NamedTuple):
    """A learned strategy and the finite game that it is for."""

    answer: LearnedAnswer
    board: Board
    book: Rulebook | Encoding


class Format(NamedTuple):
    """How to write a format, and what it is, in words; ``tree`` and ``learned`` where it can say
    answers for finite games.

    ``needs_automaton``: only of answers that have one.
    """

    function: Callable[[Solution], str]
    description: str
    needs_automaton: bool = False
    tree: Callable[[TreeAnswer], str] | None = None
    learned: Callable[[LearnedGame], str] | None = None


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


def _tree_fft(answer: TreeAnswer) -> str:
    return f"# {answer.name}: a fast-and-frugal tree\n{answer.tree}\n"


def _tree_python(answer: TreeAnswer) -> str:
    from icgsynth.export.finite_python import tree_module

    return tree_module(answer)


def _tree_latex(answer: TreeAnswer) -> str:
    from icgsynth.export.finite_latex import tree_latex

    return tree_latex(answer)


def _answer_json(answer: TreeAnswer | LearnedAnswer) -> str:
    from icgsynth.export.json import indented

    return indented(answer.to_json()) + "\n"


def _learned_fft(game: LearnedGame) -> str:
    from icgsynth.learn.saved import frugal_text

    if (hypothesis := game.answer.hypothesis) is None or game.answer.rules:
        raise Refused(f"{game.answer.game}: a list of cues is made from weak constraints alone")
    return frugal_text(hypothesis)


def _learned_latex(game: LearnedGame) -> str:
    from icgsynth.export.finite_latex import learned_latex

    return learned_latex(game.answer)


def _learned_asp(game: LearnedGame) -> str:
    from icgsynth.learn.saved import program_of

    return program_of(game.board, game.book, game.answer.hypothesis, game.answer.rules)


FORMATS: dict[str, Format] = {
    "fft": Format(_fft, "rules that people read, one a line", tree=_tree_fft, learned=_learned_fft),
    "python": Format(_python, "a Python module without dependencies", tree=_tree_python),
    "smt2": Format(_smt2, "the proof obligations as an SMT-LIB 2.6 script"),
    "latex": Format(
        _latex,
        "a LaTeX fragment (amsmath) with the theorem",
        tree=_tree_latex,
        learned=_learned_latex,
    ),
    "asp": Format(_asp, "a clingo program over a box of states", learned=_learned_asp),
    "dot": Format(_dot, "the strategy, or the automaton, as a Graphviz graph"),
    "walnut": Format(_walnut, "the automaton in Walnut's text format", True),
    "mona": Format(_mona, "the automaton as a predicate for MONA", True),
    "json": Format(
        _json,
        "the answer file",
        tree=_answer_json,
        learned=lambda game: _answer_json(game.answer),
    ),
}


def export(answer: Solution | TreeAnswer | LearnedGame, fmt: str) -> str:
    """``answer`` as text in the format ``fmt``.

    :class:`~icgsynth.errors.InputError` for a format that is not in :data:`FORMATS` or cannot
    say what the answer says,
    :class:`~icgsynth.errors.Refused` where the answer lacks what the format shows.
    """
    if fmt not in FORMATS:
        raise InputError(f"no export format '{fmt}'", mend=f"use one of: {', '.join(FORMATS)}")
    if isinstance(answer, Solution):
        return FORMATS[fmt].function(answer)
    if isinstance(answer, LearnedGame):
        if (write := FORMATS[fmt].learned) is not None:
            return write(answer)
        words, able = "a learned strategy", [name for name, f in FORMATS.items() if f.learned]
    else:
        if (write_tree := FORMATS[fmt].tree) is not None:
            return write_tree(answer)
        words, able = "a fast-and-frugal tree", [name for name, f in FORMATS.items() if f.tree]
    raise InputError(f"{fmt} cannot say {words}", mend=f"export to {', '.join(able)} instead")

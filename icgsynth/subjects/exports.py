"""Answer files in other formats, whatever kind of answer they hold."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from icgsynth.errors import InputError
from icgsynth.export import export
from icgsynth.game.answers import Answer
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer
from icgsynth.spec.answer_file import any_kind, game_of, told_kind
from icgsynth.spec.json_text import read_json
from icgsynth.spec.load import load_rules, load_spec
from icgsynth.spec.solution_file import file_constants, read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects import words
from icgsynth.subjects.subject import Named


class AskedExport(NamedTuple):
    """What is wanted of an answer file.

    ``spec`` names the game, where the file does not; ``rule`` chooses from two answers; ``terms``
    is how many values a b-file has.
    """

    fmt: str
    spec: str | None = None
    rule: PlayRule | None = None
    terms: int | None = None


def exported(source: Source, asked: AskedExport) -> str | bytes:
    """The answer in ``source`` in another format: as text, a sheet for a class as PDF.

    Raises as :func:`icgsynth.export.export` does; :class:`~icgsynth.errors.InputError` where the
    file is broken, or its game is not known.
    """
    told = told_kind(source)
    if asked.fmt == "pdf":
        return _sheet(source, asked)
    if told in words():
        module = import_module(f"icgsynth.subjects.{told}_subject")
        if (write := getattr(module, "exported", None)) is not None:
            text: str = write(source, asked)
            return text
    kind = any_kind(source)
    if asked.rule is not None and kind != "strategy":
        message = f"--rule is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend="leave --rule out")
    if kind == "family":
        from icgsynth.subjects.family_questions import exported_family

        return exported_family(source, asked.spec, asked.fmt)
    if kind == "value":
        return _values(source, asked)
    return export(_answer(source, kind, asked), asked.fmt)


def _sheet(source: Source, asked: AskedExport) -> bytes:
    from icgsynth.export.answer_sheet import answer_sheet

    if any_kind(source) != "strategy":
        message = "a sheet for a class is of the answer that solve finds of an impartial game"
        raise InputError(message, mend="'icgsynth starts GAME -o sheet.pdf' has boards")
    return answer_sheet(read_solution(source, _game(source, asked.spec, asked.rule), asked.rule))


def obligations(source: Source, spec: str | None, rule: PlayRule | None) -> list[tuple[str, str]]:
    """``(file name, script)`` for each obligation of the proof, in the SMT-LIB."""
    kind = any_kind(source)
    if kind == "family" and rule is None:
        from icgsynth.subjects.family_questions import theorem_files

        return theorem_files(source, spec)
    if kind != "strategy":
        option = "--split" if rule is None else "--rule"
        message = f"{option} is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend=f"leave {option} out")
    from icgsynth.export.smt2 import smt2_files

    return list(smt2_files(read_solution(source, _game(source, spec, rule), rule)))


def _answer(source: Source, kind: str, asked: AskedExport) -> Answer:
    if kind == "strategy":
        return read_solution(source, _game(source, asked.spec, asked.rule), asked.rule)
    name = asked.spec or game_of(source)
    if name is None:
        message = f"{source.name} does not say of which game"
        raise InputError(message, mend="give the rules with --spec")
    if kind == "tree":
        from icgsynth.subjects.tree_questions import tree_answer

        return tree_answer(name, source)
    from icgsynth.learn.saved import read_learned
    from icgsynth.learn.stage import unsolved
    from icgsynth.spec.finite import finite_game

    return read_learned(source, unsolved(finite_game(name)))


def _game(source: Source, spec: str | None, rule: PlayRule | None) -> ParametricGame | None:
    """The game that ``spec`` means, with the constants of the file; None without."""
    if spec is None:
        return None
    return load_spec(Named(spec).source, file_constants(source, rule), blocking=True)


def _values(source: Source, asked: AskedExport) -> str:
    from icgsynth.export.heap_table import TERMS, bfile

    if (place := read_json(source).get("fickle")) is not None:
        message = "no format can say who wins rows of heaps by rules under misere play"
        raise place.error(message, "'icgsynth verify' reads this file")
    answer = _value_answer(source, asked.spec)
    if asked.fmt == "bfile":
        return bfile(answer, asked.terms or TERMS)
    return export(answer, asked.fmt)


def _value_answer(source: Source, spec: str | None) -> GrundyAnswer | HeapAnswer | HeapGameAnswer:
    from icgsynth.spec.value_answer import (
        own_heaps,
        read_heap_answer,
        read_heap_game_answer,
        read_value_answer,
    )

    top = read_json(source)
    if top.get("code") is not None and top.get("quotient") is None:
        return read_heap_answer(source)
    game: ParametricGame | HeapGame | None = own_heaps(source)
    if spec is not None:
        game = load_rules(Named(spec).source, file_constants(source))
    if isinstance(game, HeapGame):
        return read_heap_game_answer(source, game)
    return read_value_answer(source, game)

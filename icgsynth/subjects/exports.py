"""Answer files in other formats, whatever kind of answer they hold."""

from __future__ import annotations

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.export import drop_missing_proofs, export, some_values
from icgsynth.game.answers import Answer
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.prove.needless import require_true_moves, without_false_parts
from icgsynth.spec.answer_file import any_kind, told_kind
from icgsynth.spec.load import load_spec
from icgsynth.spec.resolve import Named
from icgsynth.spec.solution_file import file_constants, read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects import module_of, words


def export_answer(
    source: Source,
    fmt: str,
    spec: str | None = None,
    rule: PlayRule | None = None,
    terms: int | None = None,
) -> str | bytes:
    """The answer in ``source`` in another format.

    ``spec`` names the game, where the file does not; ``rule`` chooses from two answers; ``terms``
    is how many values a b-file has.  Raises as :func:`read_answer` and :func:`write_answer` do.
    """
    return write_answer(read_answer(source, spec, rule), fmt, terms)


def write_answer(answer: Answer, fmt: str, terms: int | None = None) -> str | bytes:
    """``answer`` in another format: as text, a sheet for a class as PDF.

    Raises as :func:`icgsynth.export.export` does.
    """
    if fmt == "pdf":
        if not isinstance(answer, Solution):
            message = "a sheet for a class is of the answer that solve finds of an impartial game"
            raise InputError(message, mend="'icgsynth starts GAME -o sheet.pdf' has boards")
        sheet: bytes = wings.required("writer", "pdf").answer_sheet(answer)
        return sheet
    if terms is not None and fmt == "bfile" and answer.kind == "value":
        return some_values(answer, terms)
    return export(answer, fmt)


def read_answer(source: Source, spec: str | None = None, rule: PlayRule | None = None) -> Answer:
    """The answer in ``source``, of any kind; nothing is proved, but what small states refute is
    not called proved.

    :class:`~icgsynth.errors.InputError` where the file is broken, or its game is not known.
    """
    told = told_kind(source)
    if told in words() and (read := getattr(module_of(told), "read_answer", None)) is not None:
        own: Answer = read(source)
        return own
    kind = any_kind(source)
    if rule is not None and kind != "strategy":
        message = f"--rule is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend="leave --rule out")
    if kind == "value":
        return _value_answer(source, spec)
    if kind == "strategy":
        return _solution(source, spec, rule)
    other: Answer = wings.required("answer", kind).read_answer(source, spec)
    return other


def obligations(source: Source, spec: str | None, rule: PlayRule | None) -> list[tuple[str, str]]:
    """``(file name, script)`` for each obligation of the proof, in the SMT-LIB."""
    kind = any_kind(source)
    if kind == "family" and rule is None:
        files: list[tuple[str, str]] = wings.required("answer", kind).obligations(source, spec)
        return files
    if kind != "strategy":
        option = "--split" if rule is None else "--rule"
        message = f"{option} is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend=f"leave {option} out")
    solution = _solution(source, spec, rule)
    return list(wings.required("writer", "smt2").smt2_files(solution))


def _solution(source: Source, spec: str | None, rule: PlayRule | None) -> Solution:
    """The solution in ``source``, of which nothing is called proved that it does not have, or that
    small states refute."""
    found = drop_missing_proofs(read_solution(source, _game(source, spec, rule), rule))
    assert isinstance(found, Solution)
    return without_false_parts(found)


def _game(source: Source, spec: str | None, rule: PlayRule | None) -> ParametricGame | None:
    """The game that ``spec`` means, with the constants of the file; None without."""
    if spec is None:
        return None
    return load_spec(Named(spec).source, file_constants(source, rule), blocking=True)


def _value_answer(source: Source, spec: str | None) -> Answer:
    from icgsynth.spec.value_file import read_value_answer

    rules = None if spec is None else Named(spec).source
    for reader in wings.every("value file"):
        found: Answer | None = reader.read_values(source, rules)
        if found is not None:
            return found
    game = None if rules is None else load_spec(rules, file_constants(source))
    read = read_value_answer(source, game)
    require_true_moves(read)
    return read

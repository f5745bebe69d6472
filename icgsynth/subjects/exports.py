"""Read answer files of any kind, prove them again, and write them in other formats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from icgsynth import wings
from icgsynth.budget import Budget, silent
from icgsynth.errors import BudgetSpent, FalseClaim, InputError, Refused
from icgsynth.export import export, some_values
from icgsynth.export.verdict_report import answer_text
from icgsynth.game.answers import Answer, Verdict
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import PARTS, Claim, Solution
from icgsynth.prove.certificate import certify
from icgsynth.prove.well_formed import check_twice
from icgsynth.spec.answer_file import any_kind, game_and_rules, told_kind
from icgsynth.spec.resolve import Named, load_spec
from icgsynth.spec.solution_file import file_constants, read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict, module_of, subject, words


def write_answer(answer: Answer, fmt: str, terms: int | None = None) -> str | bytes:
    """Return ``answer`` in the format ``fmt``, as text, or as bytes for a PDF.

    ``terms`` is the number of values of a b-file.  Raises InputError where the format cannot
    express the answer, and Refused where the answer lacks a part that the format needs.
    """
    if fmt == "pdf":
        if not isinstance(answer, Solution):
            message = "a sheet for a class is of the answer that solve finds of an impartial game"
            raise InputError(message, mend="'icgsynth starts GAME -o sheet.pdf' has boards")
        sheet: bytes = wings.require("writer", "pdf").answer_sheet(answer)
        return sheet
    if terms is not None and fmt == "bfile" and answer.kind == "value":
        return some_values(answer, terms)
    return export(answer, fmt)


def prove_again(
    source: Source, budget: Budget, spec: str | None = None, rule: PlayRule | None = None
) -> Answer:
    """Read the answer in ``source`` and prove it again; only what is proved now is called proved.

    Anyone may have changed the file: its claims about proofs, minimal formulas and compared states
    are left out.  ``spec`` names the game if the file lacks its rules; ``rule`` chooses from two
    answers.

    Raises :class:`~icgsynth.errors.FalseClaim` where the answer is refuted, and
    :class:`~icgsynth.errors.BudgetSpent` where it calls itself proved and is not proved in time.
    """
    answer = read_answer(source, spec, rule)
    if isinstance(answer, Solution):
        return prove_solution(source, answer, budget)
    if not _claims_proof(answer):
        return answer
    read = answer.to_json()
    if "components" in read:  # a sum, which is proved where all of its parts are
        for part in json.loads(source.text)["components"]:
            prove_again(Source(source.name, json.dumps(part["answer"])), budget)
        return answer
    # Only what was read is proved, not the rest of the text. But a file of values is verified
    # whole: the values of heaps show their period by more entries than the answer keeps.
    is_value = told_kind(source) == "value"
    whole = source if is_value else Source(source.name, json.dumps(read))
    found = _find_verdict(whole, spec or read.get("code"), rule, budget)
    if isinstance(answer, GrundyAnswer):
        by, states = tuple(found["by"]), ("termination", "keeps", "reaches")
        proof, confirmed = dict.fromkeys(states, Verdict.PROVED), dict.fromkeys(states, by)
        ranking = check_twice(answer.game, budget).components
        return replace(answer, proof=proof, confirmed=confirmed, explicit=None, ranking=ranking)
    return answer


def _find_verdict(
    whole: Source, named: str | None, rule: PlayRule | None, budget: Budget
) -> Mapping[str, Any]:
    """Return the JSON verdict on the file ``whole`` of the game ``named``, or of its own if None.

    Raises FalseClaim where the answer is refuted, and BudgetSpent where it is not proved.
    """
    name, text = (named, None) if named else game_and_rules(whole, None)
    is_value = text is None and told_kind(whole) == "value"
    game = subject(name, file_constants(whole) if is_value else {}, text)
    question = game.to_verify(whole, AskedVerdict(rule))
    told = question.shown(question.search(budget, silent).run())
    if told.verdict is Verdict.REFUTED:
        raise FalseClaim(f"{whole.name}: the answer in the file is refuted\n{told.text()}")
    if told.verdict is not Verdict.PROVED:
        mend = f"'icgsynth verify {name} {whole.name}' says more; -t gives more time"
        raise BudgetSpent(f"{whole.name}: the answer in the file is not proved again; {mend}")
    found: Mapping[str, Any] = told.value()
    return found


def prove_solution(source: Source, answer: Solution, budget: Budget) -> Solution:
    """Return ``answer``, read from ``source``, with the proofs that are found now.

    Its status is "conditional" where the budget does not suffice.  Raises
    :class:`~icgsynth.errors.FalseClaim` where the answer is refuted.
    """
    unproved = replace(
        answer,
        winning=answer.winning and Claim(answer.winning.formula),
        losing=answer.losing and Claim(answer.losing.formula),
        draws=answer.draws and replace(answer.draws, minimal=False, constants_up_to=0),
        excluded=None,
        losing_states=(),
        cycle=(),
        notes=(),
        confirmed={},
        explicit=None,
        proof={},
        status="unknown",
    )
    if answer.winning is None and answer.losing is None:
        return unproved
    try:
        certificate = certify(unproved, budget)
    except (BudgetSpent, Refused) as stopped:
        proof = dict.fromkeys(PARTS[:4], Verdict.UNKNOWN)
        return replace(unproved, status="conditional", proof=proof, notes=(str(stopped),))
    if certificate.refuted:
        said = answer_text(certificate, None)
        raise FalseClaim(f"{source.name}: the answer in the file is refuted\n{said}")
    found = certificate.answer
    return replace(found, cycle=certificate.report.cycle or ())


def _claims_proof(answer: Answer) -> bool:
    """Return whether ``answer``, as it stands in its file, claims to be proved."""
    said = getattr(answer, "frame", {}).get("status") or getattr(answer, "status", "")
    proved = getattr(answer, "is_proved", getattr(answer, "is_periodic", False))
    return proved or said in ("solved", "theorem")


def read_answer(source: Source, spec: str | None = None, rule: PlayRule | None = None) -> Answer:
    """Return the answer in the file ``source`` as it stands there, of any kind; nothing is proved.

    ``spec`` names the game, where the file lacks its rules; ``rule`` chooses from two answers.
    Raises :class:`~icgsynth.errors.InputError` where the file is broken, or its game is not known.
    """
    told = told_kind(source)
    if told in words() and (read := getattr(module_of(told), "read_answer", None)) is not None:
        own: Answer = read(source)
        return own
    kind = any_kind(source)
    if rule is not None and kind not in ("strategy", "family"):
        message = f"--rule is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend="leave --rule out")
    if kind == "strategy":
        return _solution(source, spec, rule)
    if kind == "value":
        return _value_answer(source, spec)
    chosen = {} if rule is None else {"rule": rule}
    other: Answer = wings.require("answer", kind).read_answer(source, spec, **chosen)
    return other


def obligations(
    source: Source, spec: str | None, rule: PlayRule | None, budget: Budget
) -> list[tuple[str, str]]:
    """Return ``(file name, SMT-LIB script)`` for each obligation of the proof.

    The answer is proved again first.  ``spec`` names the game if the file lacks its rules; ``rule``
    chooses from two answers.  Raises FalseClaim where the answer is refuted, and
    :class:`~icgsynth.errors.InputError` for an answer that is neither of a strategy nor of a
    family.
    """
    kind = any_kind(source)
    if kind == "family":
        prove_again(source, budget, spec, rule)
        files: list[tuple[str, str]] = wings.require("answer", kind).obligations(source, spec, rule)
        return files
    if kind != "strategy":
        message = f"--split is for answers of impartial games, not a {kind} file"
        raise InputError(message, mend="leave --split out")
    solution = prove_solution(source, _solution(source, spec, rule), budget)
    return list(wings.require("writer", "smt2").smt2_files(solution))


def _solution(source: Source, spec: str | None, rule: PlayRule | None) -> Solution:
    return read_solution(source, _game(source, spec, rule), rule)


def _game(source: Source, spec: str | None, rule: PlayRule | None) -> ParametricGame | None:
    """Return the game that ``spec`` means, with constants of the file; None without ``spec``."""
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
    return read_value_answer(source, game)

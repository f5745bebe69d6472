"""What ``solve`` and ``verify`` do with games of heaps under misère play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.heap_answers import misere_row
from icgsynth.cli.options import SumRequest, load_rules
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.cli.sum_answers import load_sum, require_normal, rows_of
from icgsynth.errors import InputError
from icgsynth.export.heap_report import misere_report, row_json, row_report
from icgsynth.export.report import as_text
from icgsynth.game.game_sum import PartGame, Position, SumGame
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapCode
from icgsynth.game.misere import MisereAnswer, MisereProof
from icgsynth.game.solution import Verdict
from icgsynth.play.sum_play import read_position, row_of
from icgsynth.prove.misere_closure import prove_quotient
from icgsynth.spec.heap_code import looks_like_code, read_code
from icgsynth.spec.heap_file import read_quotient
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source
from icgsynth.spec.sum_text import looks_like_sum
from icgsynth.values.misere_search import MisereSearch

__all__ = ["answered_misere", "found_quotient", "one_code", "verify_misere"]

_MOST = 1 << 12  # heaps
_NOTHING = MisereProof(Verdict.UNKNOWN)


def answered_misere(request: SumRequest) -> int:
    """Find the misere quotient of the heaps of one code; print it, or who wins a row of heaps.

    The exit code.  A row of heaps by rules is played to its end first, where it is small.
    """
    if (found := _by_rules(request)) is not None:
        return found
    game = one_code(request)
    position = None if request.at is None else read_position(game, request.at)
    progress = Progress(request.quiet)

    def last_words() -> int:
        progress.clear()
        why = f"the budget of {request.timeout:g} s is spent"
        return _deliver(MisereAnswer(_code(game), None, _NOTHING, None, why), position, request)

    try:
        with watchdog(request.timeout, last_words):
            answer = found_quotient(game, position, request, progress)
    finally:
        progress.clear()
    return _deliver(answer, position, request)


def _by_rules(request: SumRequest) -> int | None:
    of_codes = looks_like_code(request.spec) or looks_like_sum(request.spec)
    if request.at is None or request.output or of_codes:
        return None
    game = load_rules(request.spec, request.constants, quiet=True)
    return misere_row(game, request) if isinstance(game, HeapGame) else None


def one_code(request: SumRequest) -> SumGame:
    """The sum that is asked for, of heaps of one code.

    :class:`~icgsynth.errors.InputError` where there is another component.
    """
    parts = load_sum(request.spec, request.constants, request.quiet)
    kinds = {part: isinstance(part, HeapRows) or HeapGame.of_one_pile(part) for part in parts}
    if len(kinds) > 1 and None in kinds.values():
        require_normal(request.spec, "misere")
    rows = {part: _rows(part, request.quiet) for part in kinds}
    if len(set(rows.values())) > 1:
        require_normal(request.spec, "misere")
    return SumGame(tuple(rows[part] for part in parts))


def _rows(part: PartGame, quiet: bool) -> HeapRows:
    """A component as rows of heaps; a game of one pile where it is proved to have a code."""
    if isinstance(part, HeapRows):
        return part
    pile = HeapGame.of_one_pile(part)
    if pile is None:
        message = f"{part.name}: only heaps and games of one pile have a misere quotient here"
        raise InputError(message, mend=f"icgsynth solve {part.name} --rule misere")
    return rows_of(pile, quiet)


def found_quotient(
    game: SumGame,
    position: Position | None,
    request: SumRequest,
    progress: Callable[[str], None] = lambda _: None,
) -> MisereAnswer:
    """The quotient of the heaps of ``game``; for no more heaps than ``position`` asks for."""
    most = _MOST if position is None else min(_MOST, max(row_of(position), default=0) + 1)
    return MisereSearch(_code(game), most, Budget(request.timeout), progress).run()


def _code(game: SumGame) -> HeapCode:
    part = game.parts[0]
    if not isinstance(part, HeapRows):
        raise TypeError(f"{part.name} is no game of heaps")
    return part.code


def _deliver(answer: MisereAnswer, position: Position | None, request: SumRequest) -> int:
    text = as_json(answer.to_json()) if request.output or request.json else ""
    if request.output:
        write_file(request.output, text + "\n")
    if position is None:
        say(text if request.json else as_text(misere_report(answer)), request.json, nl=request.json)
        return DONE if answer.is_solved else UNKNOWN
    found = row_json(answer, row_of(position))
    text = as_json(found) if request.json else as_text(row_report(answer, row_of(position)))
    click.echo(text, nl=request.json)
    return DONE if found["proved"] else UNKNOWN


def verify_misere(spec: str, source: Source | Located, timeout: float, json: bool) -> int:
    """Prove or refute the quotient of a file; the exit code."""
    code = read_code(spec)
    claim = read_quotient(source, code)

    def last_words() -> int:
        late = MisereProof(Verdict.UNKNOWN, f"the budget of {timeout:g} s is spent")
        return _judged(code.name, late, False, json)

    if claim is None:
        nothing = MisereProof(Verdict.UNKNOWN, "the file claims no quotient")
        return _judged(code.name, nothing, False, json)
    with watchdog(timeout, last_words):
        proof = prove_quotient(claim, Budget(timeout))
    return _judged(code.name, proof, claim.period > 0, json)


def _judged(name: str, proof: MisereProof, periodic: bool, json: bool) -> int:
    verdict, why = proof.verdict, proof.why
    if verdict is Verdict.PROVED and not periodic:
        heaps = proof.heaps - 1
        verdict = Verdict.UNKNOWN
        why = f"right for sums of heaps up to {heaps:,}, and the file claims no period"
    found: dict[str, Any] = {"code": name, "rule": "misere", "verdict": str(verdict)}
    if verdict is Verdict.PROVED:
        found |= {"closure": proof.pairs, "checked_to": proof.heaps}
        why = f"the {proof.pairs:,} pairs of all sums of heaps agree with the quotient"
    else:
        found["why"] = why
    if proof.row is not None:
        found["row"] = list(proof.row)
    say(as_json(found) if json else f"{name}, misere play: {verdict}\n  {why}", json)
    return {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(verdict, UNKNOWN)

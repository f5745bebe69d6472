"""Subjects and questions about games of heaps named by a code such as 0.77."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.answers import Finding, Verdict, name_engines
from icgsynth.game.game import Move, PlayRule
from icgsynth.game.position import Position, move_json
from icgsynth.heaps.proof.heap_replay import HEAP, values_checked
from icgsynth.heaps.proof.nim_claims import judge_period
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import HeapMove, HeapRows
from icgsynth.heaps.rules.heaps import HeapAnswer, HeapCode, NimPeriod, Values
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.heaps.text.heap_report import heap_report
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import MAX_BYTES_OF_VALUES, Source
from icgsynth.subjects import AskedTable, AskedValue, AskedVerdict, Subject
from icgsynth.subjects.question import (
    Judgement,
    Question,
    Searching,
    Told,
    plain_question,
    verdict_of,
    verification,
)

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule
    from icgsynth.heaps.subject.sums_subject import SumSubject

_DIGITS = 100  # digits of a heap that is named
_LOOKED = 2_048  # heaps among which a table looks for a period
_LAST = 119  # the largest heap of a table


def subject(named: Named) -> CodeSubject:
    """Return what answers questions on the game of heaps whose code ``named`` gives."""
    return CodeSubject(named)


class CodeSubject(Subject):
    """A game of heaps by its code, and its questions; a row of several heaps is a sum of them."""

    what = "a game of heaps"
    loaded = ("icgsynth.heaps.loaded", "LoadedCode")
    largest_file = MAX_BYTES_OF_VALUES

    @cached_property
    def game(self) -> HeapCode:
        return read_code(self.named.spec)

    @property
    def _rows(self) -> SumSubject:
        from icgsynth.heaps.subject.sums_subject import SumSubject

        return SumSubject(self.named)

    def moves(self, state: Any) -> Iterator[Move]:
        rows = HeapRows(self.game)
        return rows.moves(rows.legal_state(state))

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        return self._rows.to_solve(rule, for_file=for_file)

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        return self._rows.to_position(rule, at)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        asked.without("table", "bound", of="heaps: see icgsynth table CODE")
        is_row = asked.at is not None and ("," in asked.at or ";" in asked.at)
        if is_row or asked.rule == "misere":
            return self._rows.to_value(asked)
        self._require_no_constants()
        return _to_value(self.game, asked, _heap(asked.at))

    def to_table(self, asked: AskedTable) -> Question[HeapAnswer]:
        self._require_no_constants()
        if asked.rule == "misere":
            message = "--rule misere is not for the values of heaps"
            raise InputError(message, mend="leave --rule out")
        return _to_table(self.game, asked)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        from icgsynth.heaps.rules.heap_file import holds_quotient, read_period
        from icgsynth.heaps.rules.sum_text import holds_sum
        from icgsynth.spec.json_text import read_json

        asked.require_plain("value", coq=True)
        top = read_json(source)  # once: a nim sequence may have millions of values
        if holds_sum(top):
            return self._rows.to_verify(source, asked)
        self._require_no_constants()
        if holds_quotient(top):
            asked.require_plain("quotient")
            from icgsynth.heaps.subject.sums_subject import of_quotient

            return of_quotient(self.game, top)
        claim = read_period(top, self.game)
        silent = Finding(Verdict.UNKNOWN, "the file claims no period")
        nothing = judged_replay(self.game.name, silent)
        if claim is None:
            return verification(nothing, lambda _: nothing)
        answer = HeapAnswer(self.game, claim.values, claim, True)
        return verification(
            nothing,
            lambda budget: judged_replay(self.game.name, judge_period(claim, budget)),
            (lambda: str(wings.require("writer", "coq").heaps(answer))) if asked.coq else None,
        )

    def _require_no_constants(self) -> None:
        if self.named.constants:
            raise InputError("--set is not for games of heaps", mend="leave --set out")


def _heap(text: str | None) -> int | None:
    if text is None:
        return None
    if re.fullmatch(rf"\s*[0-9]{{1,{_DIGITS}}}\s*", text) is None:
        raise InputError("a heap is a natural number", mend="write it as in --at 1000")
    return int(text)


def _to_value(code: HeapCode, asked: AskedValue, at: int | None) -> Question[HeapAnswer]:
    """Return the question for the Grundy values of ``code``, or, with ``at``, for that of one heap.
    A question is a search, not yet begun, and how its answer is shown."""
    # A period is looked for in as many values as were asked for, and in all of the file that is to
    # be written; a period that it claims is proved first. A file that holds more stays as it is.
    begun = _read_begun(code, asked.output)

    def search(budget: Budget, progress: Progress) -> Searching[HeapAnswer]:
        return HeapSearch(code, asked.most, budget, at, progress, begun)

    claims = isinstance(begun, NimPeriod)
    count = 0 if begun is None else len(begun.values if isinstance(begun, NimPeriod) else begun)

    def show(answer: HeapAnswer) -> Told:
        is_more = answer.is_periodic or (not claims and len(answer.values) > count)
        file = answer.to_json if is_more or not count else lambda: _read_written(asked.output)
        left = f"{asked.output} is left as it is: its period was not proved again"
        warnings = (left,) if claims and not answer.is_periodic else ()
        if at is None:
            verdict = verdict_of(answer.is_periodic)
            shown = Told(verdict, lambda: heap_report(answer), answer.to_json, file)
            return replace(shown, warnings=warnings)
        value = answer.known_at(at)
        said = f"is unknown: {answer.why}" if value is None else f"= {value}"
        why = answer.why if value is None else ""
        from icgsynth.heaps.search.heap_mover import row_move

        move = row_move(answer, (at,), 0) if value else None
        option = None if move is None else HeapMove.read(str(move))
        won = "" if option is None else f"\nA winning move: {option}."
        named = None if option is None else _move_json(option)
        there = Position.of_value(code.name, [at], value, move=named, why=why)
        text = f"G({at}) {said}{won}"
        shown = Told(verdict_of(there.is_proved), lambda: text, there.to_json, file)
        return replace(shown, warnings=warnings)

    remarks = (f"going on from the {count:,} values in {asked.output}",) if count else ()
    return Question(search, show, remarks)


def _move_json(option: HeapMove) -> dict[str, Any]:
    given, left = {"heap": option.heap, "take": option.take}, list(option.left)
    return move_json(left, "take", given, component=1, leaves=left)


def _read_written(output: str | None) -> Any:
    return json.loads(Path(output or "").read_text(encoding="utf-8-sig"))


def _read_begun(code: HeapCode, output: str | None) -> Values | NimPeriod | None:
    """Return the period in the file with the path ``output``, else the values in it, else None."""
    if output is None or not (path := Path(output)).is_file():
        return None
    try:
        from icgsynth.heaps.rules.heap_file import read_begun

        # Source.read refuses a file that is to be written.
        source = Source.decode(output, path.read_bytes(), MAX_BYTES_OF_VALUES)
        return read_begun(source, code)
    except (InputError, OSError):
        return None


def last_heap(asked: AskedTable, usual: int) -> int:
    """Return the largest heap of a table: the bound of ``asked``, or else ``usual``. InputError
    where a formula is given, which heaps do not have."""
    if asked.where is not None:
        raise InputError("--where is not for heaps", mend="leave it out")
    return usual if asked.bound is None else asked.bound


def _to_table(code: HeapCode, asked: AskedTable) -> Question[HeapAnswer]:
    from icgsynth.export.table import draw_table
    from icgsynth.heaps.text.heap_table import heap_picture, heap_table_csv, heap_table_text

    count = last_heap(asked, _LAST) + 1

    def list_values(budget: Budget, progress: Progress) -> HeapAnswer:
        answer = HeapSearch(code, max(count, _LOOKED), budget, None, progress).run()
        if len(answer.first(count)) < count:
            raise BudgetSpent(f"{answer.why}; choose a smaller --bound")
        return answer

    def show(answer: HeapAnswer) -> Told:
        def draw(path: str) -> str | bytes:
            if asked.ending == ".csv":
                return heap_table_csv(answer, count)
            return draw_table(heap_picture(answer, count), path)

        return asked.present(
            text=lambda: heap_table_text(answer, count),
            summary="",
            value=lambda: {"code": code.name, "bound": count - 1, "values": answer.first(count)},
            draw=draw,
        )

    return plain_question(list_values, show)


def judged_replay(name: str, replay: Finding) -> Judgement:
    """Return what is told of a claim on the Grundy values of the game ``name``, from ``replay``,
    the finding of its check."""
    head, found, count = {"code": name}, dict[str, Any](), values_checked(replay)
    said = replay.why
    if replay.verdict is Verdict.PROVED:
        how = f"the first {count:,} values are right"
        found["checked_to"], said = count, f"{how}, which proves the period"
        if replay.by:
            found["by"] = list(replay.by)
            whole = f"{how}, and all others" if count else "the values of all heaps"
            whole = replay.why or whole
            said = f"{whole}, by {name_engines(replay.by)}"
    else:
        found["why"] = said
    if replay.witness:
        found["heap"] = replay.witness[HEAP]
    return Judgement(head, name, replay.verdict, said, found)

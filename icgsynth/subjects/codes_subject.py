"""Games of heaps that split, by their code as 0.77, or by the name of one."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from icgsynth.budget import Budget, Progress
from icgsynth.coq.function_file import heaps_coq
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.export.heap_report import heap_report
from icgsynth.export.heap_table import heap_picture, heap_table_csv, heap_table_text
from icgsynth.export.table import drawn
from icgsynth.game.answers import agreed
from icgsynth.game.game import PlayRule
from icgsynth.game.heaps import HeapAnswer, HeapCode
from icgsynth.game.solution import Verdict
from icgsynth.prove.heap_replay import Replay
from icgsynth.prove.nim_claims import judge_period
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_file import holds_quotient, read_period
from icgsynth.spec.json_text import read_json
from icgsynth.spec.source import MAX_BYTES_OF_VALUES, Source
from icgsynth.spec.sum_text import holds_sum
from icgsynth.subjects.question import (
    Judgement,
    Question,
    Searching,
    Told,
    known,
    plain_question,
    verification,
)
from icgsynth.subjects.subject import AskedTable, AskedValue, AskedVerdict, Named, Subject
from icgsynth.subjects.sums_subject import SumSubject, of_quotient
from icgsynth.values import USUAL_HEAPS
from icgsynth.values.nim_search import HeapSearch

_DIGITS = 100  # of a heap that is named
_LOOKED = 2_048  # heaps among which a table looks for a period
_LAST = 119  # heap of a table


def subject(named: Named) -> CodeSubject:
    """The game of heaps with this code."""
    return CodeSubject(named)


class CodeSubject(Subject):
    """Heaps of one code; a row of several heaps is a sum of them."""

    what = "a game of heaps"
    largest_file = MAX_BYTES_OF_VALUES

    @cached_property
    def game(self) -> HeapCode:
        return read_code(self.named.spec)

    @property
    def _rows(self) -> SumSubject:
        return SumSubject(self.named)

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
        return _to_value(self.game, asked.most or USUAL_HEAPS, _heap(asked.at))

    def to_table(self, asked: AskedTable) -> Question[HeapAnswer]:
        self._require_no_constants()
        if asked.rule == "misere":
            message = "--rule misere is not for the values of heaps"
            raise InputError(message, mend="leave --rule out")
        return _to_table(self.game, asked)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        asked.require_plain("value", coq=True)
        top = read_json(source)  # once: a nim sequence may have millions of values
        if holds_sum(top):
            return self._rows.to_verify(source, asked)
        self._require_no_constants()
        if holds_quotient(top):
            asked.require_plain("quotient")
            return of_quotient(self.game, top)
        claim = read_period(top, self.game)
        silent = Replay(Verdict.UNKNOWN, why="the file claims no period")
        nothing = judged_replay(self.game.name, silent)
        if claim is None:
            return verification(nothing, lambda _: nothing)
        answer = HeapAnswer(self.game, claim.values, claim, True)
        return verification(
            nothing,
            lambda budget: judged_replay(self.game.name, judge_period(claim, budget)),
            (lambda: heaps_coq(answer)) if asked.coq else None,
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


def _to_value(code: HeapCode, most: int, at: int | None) -> Question[HeapAnswer]:
    """The values of the heaps of a code, or that of the heap ``at``.

    A period is looked for in ``most`` values at most.
    """

    def search(budget: Budget, progress: Progress) -> Searching[HeapAnswer]:
        return HeapSearch(code, most, budget, at, progress)

    def shown(answer: HeapAnswer) -> Told:
        if at is None:
            return Told(known(answer.is_periodic), lambda: heap_report(answer), answer.to_json)
        value = answer.value(at)
        there = {"state": [at], "value": value, "proved": value is not None}
        said = f"is unknown: {answer.why}" if value is None else f"= {value}"
        return Told(
            known(value is not None), lambda: f"G({at}) {said}", lambda: there, answer.to_json
        )

    return Question(search, shown)


def _to_table(code: HeapCode, asked: AskedTable) -> Question[HeapAnswer]:
    """The values of the heaps up to a bound, a line for each period."""
    count = (_LAST if asked.bound is None else asked.bound) + 1

    def listed(budget: Budget, progress: Progress) -> HeapAnswer:
        answer = HeapSearch(code, max(count, _LOOKED), budget, None, progress).run()
        if len(answer.first(count)) < count:
            raise BudgetSpent(f"{answer.why}; choose a smaller --bound")
        return answer

    def shown(answer: HeapAnswer) -> Told:
        def draw(path: str) -> str | bytes:
            if asked.ending == ".csv":
                return heap_table_csv(answer, count)
            return drawn(heap_picture(answer, count), path)

        return asked.shown(
            text=lambda: heap_table_text(answer, count),
            summary="",
            value=lambda: {"code": code.name, "bound": count - 1, "values": answer.first(count)},
            draw=draw,
        )

    return plain_question(listed, shown)


def judged_replay(name: str, replay: Replay) -> Judgement:
    """What became of the claim on the values of heaps."""
    head, found = {"code": name}, dict[str, Any]()
    said = replay.why
    if replay.verdict is Verdict.PROVED:
        how = f"the first {replay.checked_to:,} values are right"
        found["checked_to"], said = replay.checked_to, f"{how}, which proves the period"
        if replay.by:
            found["by"] = list(replay.by)
            whole = f"{how}, and all others" if replay.checked_to else "the values of all heaps"
            whole = replay.why or whole
            said = f"{whole}, by {agreed(replay.by)}"
    else:
        found["why"] = said
    if replay.heap is not None:
        found["heap"] = replay.heap
    return Judgement(head, name, replay.verdict, said, found)

"""Subjects and questions about games of heaps by rules that begin with ``heaps``."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError, OutOfReach, Refused
from icgsynth.explicit.box import MAX_CELLS, Box
from icgsynth.export.panels import Table
from icgsynth.export.table import draw_table, values_text
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.game import PlayRule
from icgsynth.heaps.proof.heap_claims import judge_by_rules, judge_function
from icgsynth.heaps.proof.heap_play import check_heaps
from icgsynth.heaps.proof.heap_replay import HEAP
from icgsynth.heaps.proof.nim_claims import judge_period
from icgsynth.heaps.proof.tame_claims import prove_all_fickle, prove_tame
from icgsynth.heaps.rules.heap_answer_file import read_heap_game_answer
from icgsynth.heaps.rules.heap_file import read_fickle, read_function, read_game_period, read_period
from icgsynth.heaps.rules.heap_rows import GamePeriod, HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heap_spec import heap_game
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.position_text import parse_row
from icgsynth.heaps.search.heap_game_search import HeapGameSearch, code_of
from icgsynth.heaps.search.heap_values import HeapValues
from icgsynth.heaps.subject.codes_subject import judged_replay, last_heap
from icgsynth.heaps.subject.heap_row_questions import (
    DEFINED,
    RULES,
    obstacle,
    rows_by_values,
    to_win,
    to_worth,
    values_of_all,
)
from icgsynth.heaps.subject.sums_subject import quotient
from icgsynth.heaps.text.heap_game_report import heap_game_report
from icgsynth.heaps.text.misere_report import tame_report
from icgsynth.prove.well_formed import RulesReport
from icgsynth.spec.icg import parse
from icgsynth.spec.json_text import Located
from icgsynth.spec.resolve import Named
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedTable, AskedValue, AskedVerdict, Subject
from icgsynth.subjects.question import (
    Judgement,
    Question,
    Searching,
    Told,
    Work,
    plain_question,
    verdict_of,
    verification,
)

_BOUNDS, _LEAST = {1: 119, 2: 20}, 6  # numbers of the heaps of a table, by how many there are
_FIRST = 100  # heaps whose values are computed before anything is proved


def subject(named: Named) -> HeapsSubject:
    """Return what answers questions on the game of heaps whose rules ``named`` gives."""
    return HeapsSubject(named)


class HeapsSubject(Subject):
    """A game of heaps by rules, and its questions; a game proved to have a code uses the code."""

    what = "a game of heaps"
    loaded = ("icgsynth.heaps.loaded", "LoadedHeaps")

    @cached_property
    def game(self) -> HeapGame:
        """The game of heaps that the rules define."""
        return heap_game(parse(self.named.source), self.named.constants)

    def __str__(self) -> str:
        return str(self.game)

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        if rule == "normal":
            return _to_value(self.game, AskedValue())
        return self.to_value(AskedValue(rule=rule, for_file=for_file))

    def to_value(self, asked: AskedValue) -> Question[Any]:
        asked.without("table", "bound", of="games of heaps")
        if asked.at is None:
            return _to_rows(self.game) if asked.rule == "misere" else _to_value(self.game, asked)
        row = parse_row(self.game, asked.at)
        if asked.rule == "misere":
            return to_win(self.game, row, asked.for_file)
        return to_worth(self.game, row, asked)

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        row = parse_row(self.game, at)
        if rule == "misere":
            return to_win(self.game, row, for_file=False)
        return to_worth(self.game, row, None)

    def to_table(self, asked: AskedTable) -> Question[Table]:
        if asked.rule == "misere":
            message = "--rule misere is not for the values of heaps"
            raise InputError(message, mend="leave --rule out")
        return _to_table(self.game, asked)

    def to_check(self) -> Question[Any]:
        from icgsynth.heaps.proof.heap_play import check_heaps
        from icgsynth.subjects.verdict_questions import to_check_game

        game = self.game
        return to_check_game(game.name, lambda budget: check_heaps(game, budget))

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Judgement]:
        asked.require_plain("heap game")
        given = {**file_constants(source), **self.named.constants}
        game = HeapsSubject(replace(self.named, constants=given)).game
        nothing = judged_replay(game.name, Finding(Verdict.UNKNOWN))
        return verification(
            nothing, lambda budget: judged_replay(game.name, _replay(game, source, budget))
        )


# --- values under normal play -----------------------------------------------------------------


def _to_value(game: HeapGame, asked: AskedValue) -> Question[HeapGameAnswer]:
    reports = list[RulesReport]()  # what is found beside the answer

    def search(budget: Budget, progress: Progress) -> Searching[HeapGameAnswer]:
        of_heaps = HeapGameSearch(game, asked.most, budget, progress=progress)

        def run() -> HeapGameAnswer:
            reports.append(check_heaps(game, budget.share(RULES)))
            return values_of_all(of_heaps, reports[0])

        return Work(run, of_heaps.unknown)

    def show(answer: HeapGameAnswer) -> Told:
        verdict = verdict_of(answer.is_proved)
        if not answer.is_proved and reports:
            verdict = obstacle(reports[0])[0]
        return Told(verdict, lambda: heap_game_report(answer), answer.to_json)

    return Question(search, show)


def _to_table(game: HeapGame, asked: AskedTable) -> Question[Table]:
    bound = last_heap(asked, _BOUNDS.get(len(game.variables), _LEAST))

    def list_values(budget: Budget, progress: Progress) -> Table:
        progress(f"{game.name}: the values of the heaps with numbers up to {bound:,}")
        check_heaps(game, budget.share(RULES))
        box = Box.of(game.one_heap, bound)
        box.require(MAX_CELLS)
        table = HeapValues(game)
        try:
            values = [table.value(tuple(heap), budget) for heap in box.states.tolist()]
        except (BudgetSpent, OutOfReach) as spent:
            raise BudgetSpent(f"{spent}; choose a smaller --bound") from None
        found = np.array(values, np.int64)
        return Table.of_values(game.one_heap, box.states, found, "by definition")

    def show(table: Table) -> Told:
        rows = zip(table.states.tolist(), table.outcome.tolist(), strict=True)
        return asked.present(
            text=lambda: values_text(table, asked.width),
            summary="",
            value=lambda: {
                "game": game.name,
                "variables": list(game.variables),
                "bound": bound,
                "states": [{"state": heap, "value": value} for heap, value in rows],
            },
            draw=lambda path: draw_table(table, path),
        )

    return plain_question(list_values, show)


def _to_rows(game: HeapGame) -> Question[TameAnswer | MisereAnswer]:
    def show(answer: TameAnswer | MisereAnswer) -> Told:
        if isinstance(answer, MisereAnswer):
            return quotient(answer.code).shown(answer)
        return Told(answer.verdict, lambda: tame_report(answer), answer.to_json)

    def nothing(why: str) -> TameAnswer:
        return TameAnswer(HeapGameAnswer(game), why=why)

    return plain_question(lambda *given: rows_by_values(game, *given), show, nothing)


# --- the values of a file ---------------------------------------------------------------------


def _replay(game: HeapGame, source: Source, budget: Budget) -> Finding:
    verdict, why = obstacle(check_heaps(game, budget.share(RULES)))
    if why:
        return Finding(verdict, why)
    if (claim := read_fickle(source)) is None:
        return _values_replayed(game, source, budget)
    values = _values_replayed(game, claim.normal, budget.share(DEFINED))
    if values.verdict is not Verdict.PROVED:
        return values
    try:
        if claim.are_all:
            by = prove_all_fickle(read_heap_game_answer(claim.normal, game), budget)
        else:
            by = prove_tame(game, claim.heaps, budget)
    except (BudgetSpent, Refused) as stopped:
        return Finding(Verdict.UNKNOWN, str(stopped))
    if not by:
        return Finding(Verdict.UNKNOWN, "it is not shown that all values are 0 or 1")
    return Finding(Verdict.PROVED, "the values of all heaps, and that they say who wins", by=by)


def _values_replayed(game: HeapGame, source: Source | Located, budget: Budget) -> Finding:
    if (function := read_function(source, game.one_heap)) is not None:
        return judge_function(game, function, budget)
    found = code_of(game, budget)
    claim = None if found is None else read_period(source, found)
    rules = read_game_period(source, game) if found is None else None
    if claim is not None:
        return judge_period(claim, budget)
    if rules is not None:
        wrong = _wrong_early(rules, budget)
        return judge_by_rules(rules, budget) if wrong is None else wrong
    return Finding(Verdict.UNKNOWN, "the file claims no period")


def _wrong_early(claim: GamePeriod, budget: Budget) -> Finding | None:
    """Return a refutation of ``claim`` by the value of one of the first heaps, or None."""
    table = HeapValues(claim.game)
    for heap in range(_FIRST):
        if claim.game.is_legal((heap,)):
            value, claimed = table.value((heap,), budget), claim.value(heap)
            if value != claimed:
                told = f"not {claimed}" if claimed >= 0 else "the claim says that it is no heap"
                why = f"heap {heap} has the value {value}, and {told}"
                return Finding(Verdict.REFUTED, why, {HEAP: heap})
    return None

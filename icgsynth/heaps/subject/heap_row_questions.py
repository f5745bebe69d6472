"""Questions on who wins a row of heaps by rules, under normal and misère play: by definition, or
by what is proved of all heaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.game import State
from icgsynth.game.position import Position, move_json
from icgsynth.heaps.proof.heap_definition import outcomes_agree, values_agree
from icgsynth.heaps.proof.heap_play import check_heaps
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.search.heap_game_search import HeapGameSearch, code_of
from icgsynth.heaps.search.heap_values import HeapValues, Row, RowOutcomes, winning_move
from icgsynth.heaps.search.tame_search import tame_answer
from icgsynth.heaps.subject.sums_subject import quotient
from icgsynth.prove.well_formed import RulesReport
from icgsynth.subjects import AskedValue
from icgsynth.subjects.question import Question, Searching, Told, Work, plain_question

DEFINED = 0.4  # of the budget, for what is known by definition
RULES = 0.3  # of the budget, to prove that play ends
_SMALL = 2_000  # numbers of a heap whose value is looked for by definition


def _is_small(row: Row) -> bool:
    return all(abs(number) <= _SMALL for heap in row for number in heap)


def _find_values(game: HeapGame, row: Row, budget: Budget) -> dict[State, int] | None:
    """Return the Grundy values of ``row``'s heaps and of all that they lead to, by definition; None
    if that is too much."""
    # The values are checked by a second computation.
    table = HeapValues(game)
    if not _is_small(row):
        return None
    try:
        for heap in row:
            table.value(heap, budget)
        return table.known if values_agree(game, table.known, budget) else None
    except (BudgetSpent, Refused, MemoryError):
        return None


def _numbers(row: Row) -> list[Any]:
    """Return ``row`` for JSON: a list of heaps, or of the numbers of the only heap."""
    return list(row[0]) if len(row) == 1 else [h[0] if len(h) == 1 else list(h) for h in row]


def _show(row: Row) -> str:
    if not row:
        return "no heap"
    heaps = [str(heap[0]) if len(heap) == 1 else f"({', '.join(map(str, heap))})" for heap in row]
    return f"heap{'s' * (len(row) != 1)} {', '.join(heaps)}"


# --- what is known of all heaps -------------------------------------------------------------------


def obstacle(report: RulesReport) -> tuple[Verdict, str]:
    """Return (verdict, reason) where by the ``report`` on the rules no answer is possible, as where
    play may not end; the reason is "" where one is."""
    if report.cycle is not None:
        endless = f"the game may never end: {report.game.show_path(report.cycle)}"
        return Verdict.REFUTED, endless
    if not report.termination.is_proved:
        return Verdict.UNKNOWN, "whether play always ends is not known"
    if not report.closure.is_proved:
        return Verdict.UNKNOWN, "whether all heaps that are left are legal is not known"
    return Verdict.UNKNOWN, ""


def values_of_all(search: HeapGameSearch, report: RulesReport) -> HeapGameAnswer:
    """Return the answer of ``search``, which claims nothing if the ``report`` on the rules does not
    prove that play ends among legal heaps."""
    if why := obstacle(report)[1]:
        return search.unknown(why)
    answer = search.run()
    return answer if report.ranking is None else replace(answer, falls=report.ranking.claim)


def rows_by_values(game: HeapGame, budget: Budget, progress: Progress) -> TameAnswer | MisereAnswer:
    """Return the answer on misère play: by the quotient of a code, or by Grundy values."""
    nothing = HeapGameAnswer(game)
    try:
        report = check_heaps(game, budget.share(RULES))
        verdict, why = obstacle(report)
        if why:
            return TameAnswer(nothing, verdict, why=why, seconds=budget.runtime)
        code = code_of(game, budget.share(RULES))
    except (BudgetSpent, Refused) as stopped:
        return TameAnswer(nothing, why=str(stopped), seconds=budget.runtime)
    if code is not None:
        return quotient(code).search(budget, progress).run()
    falls = "" if report.ranking is None else report.ranking.claim
    return tame_answer(game, falls, budget, progress)


# --- who wins a row under normal play -------------------------------------------------------------


class _Worth(NamedTuple):
    """The values of the heaps of a row, by definition or by the ``answer`` for all heaps. ``move``
    is a winning one: the place of its heap, and what it leaves of it."""

    answer: HeapGameAnswer
    values: tuple[int, ...] | None = None
    move: tuple[int, Row] | None = None
    how: str = ""
    verdict: Verdict = Verdict.UNKNOWN


def to_worth(game: HeapGame, row: Row, asked: AskedValue | None) -> Question[_Worth]:
    """Return the question (a search and how to show its answer) for the Grundy value of ``row``,
    or, if ``asked`` is None, for its winner and a move.

    By definition, which needs no proof for all heaps; by proof for all where the heaps are large.
    """

    def search(budget: Budget, progress: Progress) -> Searching[_Worth]:
        one = row[0][0] if len(row) == len(row[0]) == 1 else None
        most = None if asked is None else asked.most
        of_heaps = HeapGameSearch(game, most, budget, one, progress)

        def run() -> _Worth:
            report = check_heaps(game, budget.share(RULES))
            verdict, why = obstacle(report)
            table = None if why else _find_values(game, row, budget.share(DEFINED))
            is_whole = table is None or (asked is not None and asked.for_file)
            answer = values_of_all(of_heaps, report) if is_whole else of_heaps.unknown("")
            how = "by the proved values of all heaps" if table is None else "by definition"

            def worth(heap: State) -> int | None:
                return answer.known_at(*heap) if table is None else table.get(heap)

            values = [value for heap in row if (value := worth(heap)) is not None]
            if len(values) < len(row):
                return _Worth(answer, verdict=verdict)
            move = winning_move(game, row, worth, budget)
            return _Worth(answer, tuple(values), move, how, Verdict.PROVED)

        return Work(run, lambda why: _Worth(of_heaps.unknown(why)))

    def show(found: _Worth) -> Told:
        return Told(
            found.verdict,
            lambda: "\n".join(_worth_lines(row, found, asked is not None)),
            _of_row(game, row, found).to_json,
            found.answer.to_json if asked else None,
        )

    return Question(search, show)


def _worth_lines(row: Row, found: _Worth, is_value: bool) -> Iterator[str]:
    """Yield the lines of a text on ``found``: the Grundy value of ``row`` and who wins it, in this
    order if ``is_value``, and a winning move."""
    name = " xor ".join(f"G({', '.join(map(str, heap))})" for heap in row)
    if found.values is None:
        said = f"{name} is" if is_value else f"{_show(row)}: who wins is"
        yield f"{said} unknown: {found.answer.why}"
        return
    value = reduce(xor, found.values)
    who = f"the player to move {'wins' if value else 'loses'}"
    each = f" = {' xor '.join(map(str, found.values))}" if len(row) > 1 and not is_value else ""
    if is_value:
        yield f"{name} = {value}"
        yield f"{who.capitalize()}."
    else:
        yield f"{_show(row)}: {who} under normal play, {found.how}"
        yield f"{name}{each} = {value}{', which is not 0' if value else ''}."
    if found.move is not None:
        place, left = found.move
        yield f"A winning move turns {_show(row[place : place + 1])} into {_show(left)}."
    elif value:
        yield "No winning move was found among those that were looked at."


def _of_row(game: HeapGame, row: Row, found: _Worth) -> Position:
    if found.values is None:
        is_endless = found.verdict is Verdict.REFUTED
        unknown = Position.of_value(game.name, _numbers(row), None, why=found.answer.why)
        return replace(unknown, may_never_end=is_endless)
    move = None
    if found.move is not None:
        place, left = found.move
        after = (*row[:place], *left, *row[place + 1 :])
        move = move_json(_numbers(after), component=place + 1, leaves=_numbers(left))
    more = {"values": list(found.values)}
    value = reduce(xor, found.values)
    return Position.of_value(game.name, _numbers(row), value, move=move, by=found.how, more=more)


# --- who wins a row under misère play ---------------------------------------------------------


class _Won(NamedTuple):
    """Whether the player to move wins a row, and what a winning move leaves; or why unknown."""

    is_won: bool | None = None
    after: Row | None = None
    why: str = ""
    how: str = "by definition"


def to_win(game: HeapGame, row: Row, for_file: bool) -> Question[_Won | MisereAnswer]:
    """Return the question (a search and how to show its answer) who wins ``row`` under misère play.

    By definition, and by a second look at all rows that play reaches.  Where that is too much the
    quotient of the game's code tells, or the values of its heaps where it has none.  An answer
    ``for_file`` is the quotient, where there is a code.
    """

    def of_code(code: HeapCode) -> Question[MisereAnswer]:
        return quotient(code, tuple(heap for (heap,) in row))

    def who_wins(budget: Budget, progress: Progress) -> _Won | MisereAnswer:
        progress(f"{game.name}: the rows that play reaches")
        found = _by_definition(game, row, budget, for_file)
        if not isinstance(found, _Won):
            return of_code(found).search(budget, progress).run()
        return found if found.is_won is not None else _by_values(game, row, budget, progress, found)

    def show(found: _Won | MisereAnswer) -> Told:
        if not isinstance(found, _Won):
            return of_code(found.code).shown(found)
        name = _show(row)
        nothing = Position(game.name, "misere", _numbers(row), why=found.why)
        if found.is_won is None:
            text = f"{name}: unknown under misere play: {found.why}"
            return Told(Verdict.UNKNOWN, lambda: text, nothing.to_json)
        who = "wins" if found.is_won else "loses"
        lines = [f"{name}: the player to move {who} under misere play, {found.how}"]
        after = None if found.after is None else move_json(_numbers(found.after))
        winner = "winning" if found.is_won else "losing"
        there = replace(nothing, winner=winner, move=after, by=found.how, is_proved=True)
        if found.after is not None:
            lines.append(f"A winning move leaves {_show(found.after)}.")
        elif found.is_won and not _is_small(row):
            lines.append("No winning move was found among those that were looked at.")
        return Told(Verdict.PROVED, lambda: "\n".join(lines), there.to_json)

    return plain_question(who_wins, show, lambda why: _Won(why=why))


def _by_definition(game: HeapGame, row: Row, budget: Budget, for_file: bool) -> _Won | HeapCode:
    """Return who wins ``row`` or why that is unknown; or the code of ``game``, where its quotient
    may tell, and always with a code if ``for_file``."""
    outcomes, code = RowOutcomes(game), None
    try:
        why = obstacle(check_heaps(game, budget.share(RULES)))[1]
        if why:
            return _Won(why=why)
        code = code_of(game, budget.share(RULES))
        if for_file and code is not None:
            return code
        within = budget.share(DEFINED)
        is_won = outcomes.wins(row, within) if _is_small(row) else None
        if is_won is not None and outcomes_agree(game, outcomes.known, within):
            return _Won(is_won, outcomes.losing_after(row))
        why = "the heaps are too large to be played to their ends"
    except (BudgetSpent, Refused, MemoryError) as stopped:
        why = str(stopped) or "the memory is spent"
    return _Won(why=why) if code is None else code


def _by_values(game: HeapGame, row: Row, budget: Budget, progress: Progress, unknown: _Won) -> _Won:
    """Return who wins ``row`` in misère play, if Grundy values tell that; else ``unknown``."""
    answer = rows_by_values(game, budget, progress)
    if not isinstance(answer, TameAnswer) or not answer.is_proved:
        return unknown
    how = "by the values of its heaps"
    return _Won(not answer.is_lost(row), answer.winning_after(row), how=how)

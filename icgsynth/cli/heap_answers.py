"""What ``value`` and ``verify`` do with games of heaps, given by a code or by rules."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.kernel import code_with, opinion_of
from icgsynth.cli.options import USUAL_HEAPS, SumRequest
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.export.coq.function_file import heaps_coq
from icgsynth.export.heap_report import heap_game_report, heap_report
from icgsynth.export.heap_table import heap_picture, heap_table_csv, heap_table_text
from icgsynth.export.report import as_text
from icgsynth.export.table import table_png, table_svg
from icgsynth.game.heap_rows import GamePeriod, HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Verdict, agreed
from icgsynth.play.parametric import read_state
from icgsynth.prove.heap_play import check_heaps
from icgsynth.prove.heap_replay import Replay
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.nim_claims import judge_by_rules, judge_function, judge_period
from icgsynth.prove.recheck.definition import outcomes_agree, values_agree
from icgsynth.prove.well_formed import RulesReport
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_file import read_function, read_game_period, read_period
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source
from icgsynth.values.heap_game_search import HeapGameSearch, code_of
from icgsynth.values.heap_values import HeapValues, Row, RowOutcomes
from icgsynth.values.nim_search import HeapSearch

__all__ = [
    "misere_row",
    "print_judged",
    "table_of_heaps",
    "value_of_heap_game",
    "value_of_heaps",
    "verify_heap_game",
    "verify_values",
]

# --- heap answers --------------------------------------------------------------------------------

_LOOKED = 2_048  # heaps among which a table looks for a period


def value_of_heaps(
    spec: str,
    most: int,
    at: int | None,
    timeout: float,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Find the values of a code, and print them; the exit code."""
    progress = Progress(quiet)
    search = HeapSearch(read_code(spec), most, Budget(timeout), at, progress)

    def last_words() -> int:
        progress.clear()
        late = search.unknown(f"the budget of {timeout:g} s is spent")
        return _deliver(late, at, json, output)

    try:
        with watchdog(timeout, last_words):
            answer = search.run()
    finally:
        progress.clear()
    return _deliver(answer, at, json, output)


def _deliver(answer: HeapAnswer, at: int | None, json: bool, output: str | None) -> int:
    text = as_json(answer.to_json()) if output or (json and at is None) else ""
    if output:
        write_file(output, text + "\n")
    if at is None:
        say(text if json else as_text(heap_report(answer)), json, nl=json)
        return DONE if answer.is_periodic else UNKNOWN
    value = answer.value(at)
    found = {"state": [at], "value": value, "proved": value is not None}
    said = f"G({at}) = {value}" if value is not None else f"G({at}) is unknown: {answer.why}"
    say(as_json(found) if json else said, json)
    return DONE if value is not None else UNKNOWN


def table_of_heaps(
    spec: str, count: int, timeout: float, json: bool, output: str | None, quiet: bool
) -> int:
    """Print the values of the heaps below ``count``, or write them to a file; the exit code."""
    ending = Path(output).suffix.lower() if output else ""
    progress = Progress(quiet)
    answer = HeapSearch(read_code(spec), max(count, _LOOKED), Budget(timeout), None, progress).run()
    progress.clear()
    if len(answer.first(count)) < count:
        raise BudgetSpent(f"{answer.why}; choose a smaller --bound")
    data = as_json({"code": answer.code.name, "bound": count - 1, "values": answer.first(count)})
    if json:
        click.echo(data)
    elif not output:
        click.echo(heap_table_text(answer, count), nl=False)
    if output and ending == ".json":
        write_file(output, data + "\n")
    elif output and ending == ".csv":
        write_file(output, heap_table_csv(answer, count))
    elif output:
        picture = heap_picture(answer, count)
        write_file(output, table_svg(picture) if ending == ".svg" else table_png(picture))
    return DONE


def verify_values(
    spec: str, source: Source | Located, timeout: float, json: bool, kernel: bool = False
) -> int:
    """Replay the claim of a file from the rules; the exit code.

    With ``kernel`` Coq is asked as well.
    """
    opinion = None
    code = read_code(spec)
    claim = read_period(source, code)
    late = Replay(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")

    def last_words() -> int:
        return print_judged(code.name, late, json)

    if claim is None:
        replay = Replay(Verdict.UNKNOWN, why="the file claims no period")
    else:
        with watchdog(timeout, last_words):
            replay = judge_period(claim, budget := Budget(timeout))
            if kernel:
                answer = HeapAnswer(code, claim.values, claim, True)
                is_proved = replay.verdict is Verdict.PROVED
                opinion = opinion_of(lambda: heaps_coq(answer), is_proved, budget)
    return print_judged(code.name, replay, json, opinion)


def print_judged(name: str, replay: Replay, json: bool, kernel: KernelOpinion | None = None) -> int:
    """Say what became of a claim; the exit code."""
    found: dict[str, Any] = {"code": name, "verdict": str(replay.verdict)}
    if replay.verdict is Verdict.PROVED:
        found["checked_to"] = replay.checked_to
        how = f"the first {replay.checked_to:,} values are right"
        text = f"{how}, which proves the period"
        if replay.by:
            found["by"] = list(replay.by)
            whole = f"{how}, and all others" if replay.checked_to else "the values of all heaps"
            text = f"{whole}, by {agreed(replay.by)}"
    else:
        found["why"] = text = replay.why
    if replay.heap is not None:
        found["heap"] = replay.heap
    if kernel is not None:
        found, text = found | {"coq": kernel.value}, f"{text}\n{kernel.line}"
    say(as_json(found) if json else f"{name}: {replay.verdict}\n  {text}", json)
    code = {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(replay.verdict, UNKNOWN)
    return code_with(code, kernel)


# --- heap game answers ---------------------------------------------------------------------------

_SMALL = 2_000  # numbers of a heap whose value is looked for by definition
_DEFINED = 0.4  # of the budget, for that
_FIRST = 100  # heaps whose values are computed before anything is proved


def value_of_heap_game(game: HeapGame, request: SumRequest, most: int = USUAL_HEAPS) -> int:
    """Find the values of the heaps of a game, and print them, or that of one row; the exit code.

    A period is looked for in ``most`` values at most.
    """
    row = None if request.at is None else _row(game, request.at)
    progress, budget = Progress(request.quiet), Budget(request.timeout)
    one = row[0][0] if row is not None and len(row) == len(row[0]) == 1 else None
    search = HeapGameSearch(game, most, budget, one, progress)
    code = UNKNOWN

    def last_words() -> int:
        progress.clear()
        return delivered(search.unknown(f"the budget of {request.timeout:g} s is spent"))

    def delivered(answer: HeapGameAnswer) -> int:
        if row is None:
            return _deliver_values(answer, request, code)
        if request.output:
            _deliver_values(answer, request, code)
        return _deliver_row(row, _value(answer, row), request, code, answer.why)

    try:
        with watchdog(request.timeout, last_words):
            report = check_heaps(game, budget.share(0.3))
            code, why = _ends(report)
            if row is not None and not why and not request.output:
                worth = _value_by_definition(game, row, budget.share(_DEFINED))
                if worth is not None:
                    progress.clear()
                    return _deliver_row(row, worth, request, DONE)
            answer = search.unknown(why) if why else search.run()
            if report.ranking is not None:
                answer = replace(answer, falls=report.ranking.claim)
    finally:
        progress.clear()
    return delivered(answer)


def misere_row(game: HeapGame, request: SumRequest) -> int | None:
    """Print who wins the row of heaps that is asked for; the exit code.

    By definition, and by a second look at all rows that play reaches.  None where that is too
    much, and the game has a code whose quotient may tell.
    """
    row = _row(game, request.at or "")
    progress, budget = Progress(request.quiet), Budget(request.timeout)
    outcomes, code = RowOutcomes(game), None
    progress(f"{game.name}: the rows that play reaches")

    def last_words() -> int:
        progress.clear()
        late = f"the budget of {request.timeout:g} s is spent"
        return _deliver_outcome(game, row, None, None, request, late)

    try:
        with watchdog(request.timeout, last_words):
            _, why = _ends(check_heaps(game, budget.share(0.3)))
            if not why:
                code = code_of(game, budget.share(0.3))
                within = budget if code is None else budget.share(_DEFINED)
                is_won = outcomes.wins(row, within) if _is_small(row) else None
                if is_won is not None and outcomes_agree(game, outcomes.known, within):
                    after = outcomes.losing_after(row)
                    return _deliver_outcome(game, row, is_won, after, request)
                why = "the heaps are too large to be played to their ends"
    except (BudgetSpent, Refused, MemoryError) as stopped:
        why = str(stopped) or "the memory is spent"
    finally:
        progress.clear()
    return _deliver_outcome(game, row, None, None, request, why) if code is None else None


def _deliver_outcome(
    game: HeapGame,
    row: Row,
    is_won: bool | None,
    after: Row | None,
    request: SumRequest,
    why: str = "",
) -> int:
    """``after``: a lost row to move to."""
    found: dict[str, Any] = {"game": game.name, "rule": "misere", "state": _numbers(row)}
    if is_won is None:
        found |= {"proved": False, "why": why}
        text = f"{_shown(row)}: unknown under misere play: {why}"
    else:
        found |= {"lost": not is_won, "proved": True, "move": None}
        who = "wins" if is_won else "loses"
        text = f"{_shown(row)}: the player to move {who} under misere play, by definition"
    if after is not None:
        found["move"] = {"after": _numbers(after)}
        text += f"\nA winning move leaves {_shown(after)}."
    say(as_json(found) if request.json else text, request.json)
    return UNKNOWN if is_won is None else DONE


def _row(game: HeapGame, text: str) -> Row:
    """``5``, ``5,8`` or, of heaps with two variables, ``5,0; 8,1``: legal heaps."""
    heaps = text.split("," if len(game.variables) == 1 and ";" not in text else ";")
    return tuple(read_state(game.one_heap, heap) for heap in heaps)


def _is_small(row: Row) -> bool:
    return all(abs(number) <= _SMALL for heap in row for number in heap)


def _value_by_definition(game: HeapGame, row: Row, budget: Budget) -> int | None:
    """The xor of the heaps' values where they are small; what was computed is looked at again."""
    table = HeapValues(game)
    try:
        worth = [table.value(heap, budget) for heap in row] if _is_small(row) else None
        if worth is None or not values_agree(game, table.known, budget):
            return None
    except (BudgetSpent, Refused, MemoryError):
        return None
    return reduce(xor, worth)


def _value(answer: HeapGameAnswer, row: Row) -> int | None:
    worth = [value for heap in row if (value := answer.value(*heap)) is not None]
    return reduce(xor, worth) if len(worth) == len(row) else None


def _shown(row: Row) -> str:
    """``heaps 5, 8`` or ``heap (5, 0)``."""
    heaps = [str(heap[0]) if len(heap) == 1 else f"({', '.join(map(str, heap))})" for heap in row]
    return f"heap{'s' * (len(row) != 1)} {', '.join(heaps) or 'none'}"


def _numbers(row: Row) -> list[Any]:
    """The row as a JSON value: of one heap its numbers."""
    return list(row[0]) if len(row) == 1 else [h[0] if len(h) == 1 else list(h) for h in row]


def _ends(report: RulesReport) -> tuple[int, str]:
    """The exit code of an answer that is not proved, and why there can be none."""
    if report.cycle is not None:
        return REFUTED, f"the game may never end: {report.game.show_path(report.cycle)}"
    if not report.termination.is_proved:
        return UNKNOWN, "whether play always ends is not known"
    if not report.closure.is_proved:
        return UNKNOWN, "whether all heaps that are left are legal is not known"
    return UNKNOWN, ""


def _deliver_values(answer: HeapGameAnswer, request: SumRequest, code: int) -> int:
    json, output = request.json, request.output
    text = as_json(answer.to_json()) if output or json else ""
    if output:
        write_file(output, text + "\n")
    if request.at is None:
        say(text if json else as_text(heap_game_report(answer)), json, nl=json)
    return DONE if answer.is_proved else code


def _deliver_row(row: Row, worth: int | None, request: SumRequest, code: int, why: str = "") -> int:
    """The exit code: ``code`` where the value is not known."""
    shown = " xor ".join(f"G({', '.join(map(str, heap))})" for heap in row)
    found = {"state": _numbers(row), "value": worth, "proved": worth is not None}
    said = f"{shown} = {worth}" if worth is not None else f"{shown} is unknown: {why}"
    say(as_json(found) if request.json else said, request.json)
    return code if worth is None else DONE


def verify_heap_game(game: HeapGame, source: Source, timeout: float, json: bool) -> int:
    """Prove or refute the values of a file; the exit code."""
    late = Replay(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")
    with watchdog(timeout, lambda: print_judged(game.name, late, json)):
        try:
            judged = _judged(game, source, Budget(timeout))
        except BudgetSpent as spent:
            judged = Replay(Verdict.UNKNOWN, why=str(spent))
    return print_judged(game.name, judged, json)


def _judged(game: HeapGame, source: Source, budget: Budget) -> Replay:
    code, why = _ends(check_heaps(game, budget.share(0.3)))
    if why:
        return Replay(Verdict.REFUTED if code == REFUTED else Verdict.UNKNOWN, why=why)
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
    return Replay(Verdict.UNKNOWN, why="the file claims no period")


def _wrong_early(claim: GamePeriod, budget: Budget) -> Replay | None:
    """A refutation by the values of the first heaps, for large claims are slow for automata."""
    table = HeapValues(claim.game)
    for heap in range(_FIRST):
        if claim.game.is_legal((heap,)):
            value, claimed = table.value((heap,), budget), claim.value(heap)
            if value != claimed:
                why = f"heap {heap} has the value {value}, and not {claimed}"
                return Replay(Verdict.REFUTED, why=why, heap=heap)
    return None

"""What ``value`` and ``verify`` do with games of heaps that are given by rules."""

from __future__ import annotations

from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.heap_answers import print_judged
from icgsynth.cli.options import SumRequest
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent
from icgsynth.export.heap_report import heap_game_report
from icgsynth.game.game import State
from icgsynth.game.heap_game_answer import GamePeriod, HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.solution import Verdict
from icgsynth.play.parametric import read_state
from icgsynth.prove.heap_play import check_heaps
from icgsynth.prove.heap_replay import Replay
from icgsynth.prove.nim_claims import judge_by_rules, judge_function, judge_period
from icgsynth.prove.well_formed import RulesReport
from icgsynth.spec.heap_file import read_function, read_game_period, read_period
from icgsynth.spec.source import Source
from icgsynth.values.heap_game_search import HeapGameSearch, code_of
from icgsynth.values.heap_values import HeapValues

__all__ = ["value_of_heap_game", "verify_heap_game"]

_FIRST = 100  # heaps whose values are computed before anything is proved


def value_of_heap_game(game: HeapGame, most: int, request: SumRequest) -> int:
    """Find the values of the heaps of a game, and print them; the exit code."""
    at = None if request.at is None else read_state(game.one_heap, request.at)
    progress, budget = Progress(request.quiet), Budget(request.timeout)
    one = None if at is None or len(at) > 1 else at[0]
    search = HeapGameSearch(game, most, budget, one, progress)
    code = UNKNOWN

    def last_words() -> int:
        progress.clear()
        late = search.unknown(f"the budget of {request.timeout:g} s is spent")
        return _deliver(late, at, request)

    try:
        with watchdog(request.timeout, last_words):
            report = check_heaps(game, budget.share(0.3))
            code, why = _ends(report)
            answer = search.unknown(why) if why else search.run()
            if report.ranking is not None:
                answer = replace(answer, falls=report.ranking.claim)
    finally:
        progress.clear()
    return _deliver(answer, at, request, code)


def _ends(report: RulesReport) -> tuple[int, str]:
    """The exit code of an answer that is not proved, and why there can be none."""
    if report.cycle is not None:
        return REFUTED, f"the game may never end: {report.game.show_path(report.cycle)}"
    if not report.termination.is_proved:
        return UNKNOWN, "whether play always ends is not known"
    if not report.closure.is_proved:
        return UNKNOWN, "whether all heaps that are left are legal is not known"
    return UNKNOWN, ""


def _deliver(
    answer: HeapGameAnswer, at: State | None, request: SumRequest, code: int = UNKNOWN
) -> int:
    json, output = request.json, request.output
    text = as_json(answer.to_json()) if output or (json and at is None) else ""
    if output:
        write_file(output, text + "\n")
    if at is None:
        say(text if json else heap_game_report(answer), json, nl=json)
        return DONE if answer.is_proved else code
    value, shown = answer.value(*at), f"G({', '.join(map(str, at))})"
    found = {"state": list(at), "value": value, "proved": value is not None}
    said = f"{shown} = {value}" if value is not None else f"{shown} is unknown: {answer.why}"
    say(as_json(found) if json else said, json)
    return DONE if value is not None else code


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

"""``icgsynth solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    RuleWord,
    SumRequest,
    json_option,
    load_rules,
    output_option,
    quiet_option,
    rule_option,
    rules_of,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)
from icgsynth.cli.screen import say

if TYPE_CHECKING:
    from icgsynth.game.heap_rules import HeapGame
    from icgsynth.game.solution import Solution

__all__ = ["solve"]


@click.command()
@spec_argument
@rule_option(both=True)
@set_option
@timeout_option(60, " for each rule")
@json_option
@output_option("Write the JSON there, also when the answer is unknown.", "", ".json")
@click.option(
    "--finite-only",
    is_flag=True,
    help="No answer, and exit code 3, where play may never end: no states are drawn.",
)
@quiet_option
@unused_seed_option
def solve(
    spec: str,
    rule: RuleWord,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    output: str | None,
    finite_only: bool,
    quiet: bool,
) -> int:
    """Find the winning formula, the cover and a strategy, and prove them.

    SPEC may be the code of a game of heaps, as 0.77, or a sum of games, as in
    'nim2 + 2*chomp_2row + 0.77': then the Grundy values of the components say who wins.  With
    --rule misere SPEC may be a code, as 0.77: its misere quotient tells who wins any row of heaps.

    Where play may never end, a third formula says which states are drawn.

    \b
    Try:  icgsynth solve nim2
          icgsynth solve take_away --set n=5 --rule both
          icgsynth solve nim2 -o nim2.json    the answer as a file

    \b
    Exit codes: 0 solved, also with drawn states; 2 bad usage or bad
                input; 3 the game may never end (the cycle is printed) and
                was not solved; 4 unknown or conditional within the budget.
    """
    from icgsynth.game.heap_rules import HeapGame
    from icgsynth.spec.heap_code import looks_like_code
    from icgsynth.spec.sum_text import looks_like_sum

    request = SumRequest(spec, constants, None, timeout, rule, as_json, output, quiet)
    if looks_like_sum(spec) or looks_like_code(spec):
        return _of_heaps(request)
    from icgsynth.budget import Budget
    from icgsynth.cli.output import Progress, watchdog
    from icgsynth.synth.search import Search

    game = load_rules(spec, constants, quiet, blocking=True)
    if isinstance(game, HeapGame):
        return _of_rules(game, request)
    done: list[Solution] = []
    report = None
    for each in rules_of(rule):
        progress = Progress(quiet)
        search = Search(game, each, Budget(timeout), progress, report, finite_only)

        def last_words(search: Search = search, progress: Progress = progress) -> int:
            progress.clear()
            late = search.unknown(f"the budget of {timeout:g} s is spent")
            return _deliver([*done, late], spec, rule, as_json, output, quiet)

        with watchdog(timeout, last_words):
            solution = search.solve()
        progress.clear()
        report = search.report
        done.append(solution)
    return _deliver(done, spec, rule, as_json, output, quiet)


def _of_rules(game: HeapGame, request: SumRequest) -> int:
    """Of heaps by rules: their values, as :mod:`icgsynth.cli.commands.value` finds them."""
    if request.rule != "normal":
        return _of_heaps(request)
    from icgsynth.cli.heap_answers import value_of_heap_game

    return value_of_heap_game(game, request)


def _of_heaps(request: SumRequest) -> int:
    if request.rule == "misere":
        from icgsynth.cli.misere_answers import answered_misere

        return answered_misere(request)
    from icgsynth.cli.sum_answers import answered_sum

    return answered_sum(request)


def _deliver(
    solutions: list[Solution],
    spec: str,
    rule: RuleWord,
    as_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import write_file
    from icgsynth.export.report import as_text
    from icgsynth.export.solution_report import solution_report

    values: Any = [s.to_json() for s in solutions]
    text = json_text(values if rule == "both" else values[0])
    if output:
        write_file(output, text + "\n")
    say(
        text if as_json else "\n".join(as_text(solution_report(s, spec)) for s in solutions),
        as_json,
    )
    if not quiet:
        for warning in dict.fromkeys(w for s in solutions for w in s.warnings):
            say(f"warning: {warning} ('icgsynth check {spec}' shows a state)", err=True)
    return max(map(_code, solutions))


def _code(solution: Solution) -> int:
    if solution.is_proved:
        return DONE
    return REFUTED if solution.proof.get("termination") == "refuted" else UNKNOWN

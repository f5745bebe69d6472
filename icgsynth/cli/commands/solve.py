"""``icgsynth solve``."""

from __future__ import annotations

import click

from icgsynth.cli.asking import Delivery, ask
from icgsynth.cli.options import (
    RuleWord,
    json_option,
    output_option,
    quiet_option,
    rule_option,
    rules_of,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)


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
@click.option(
    "--at", default=None, metavar="STATE", help="Who wins at this state alone, by which move, why."
)
@click.option("--words", is_flag=True, help="Say each rule of the strategy as a sentence too.")
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
    at: str | None,
    words: bool,
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
          icgsynth solve nim2 --at 5,3        who wins there
          icgsynth solve nim2 -o nim2.json    the answer as a file

    \b
    Exit codes: 0 solved, also with drawn states; 2 bad usage or bad
                input; 3 the game may never end (the cycle is printed) and
                was not solved; 4 unknown or conditional within the budget.
    """
    from icgsynth.subjects import subject

    asked = subject(spec, dict(constants))
    for_file = bool(output) or as_json
    questions = [
        asked.to_solve(each, finite_only, for_file, words)
        if at is None
        else asked.to_position(each, at)
        for each in rules_of(rule)
    ]
    return ask(questions, Delivery(timeout, as_json, output, quiet), several=rule == "both")

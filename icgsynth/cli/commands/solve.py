"""``icgsynth solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask, delivered, of_subject
from icgsynth.cli.options import RuleWord, output_option, rule_option, rules_of, timeout_option

if TYPE_CHECKING:
    from icgsynth.subjects.subject import Subject


@click.command()
@of_subject
@rule_option(both=True)
@delivered(
    timeout_option(60, " for each rule"),
    output_option("Write the JSON there, also when the answer is unknown.", "", ".json"),
    details=("all", "words", "method"),
)
@click.option(
    "--finite-only",
    is_flag=True,
    help="No answer, and exit code 3, where play may never end: no states are drawn.",
)
@click.option(
    "--at", default=None, metavar="STATE", help="Who wins at this state alone, by which move, why."
)
def solve(
    asked: Subject, delivery: Delivery, rule: RuleWord, finite_only: bool, at: str | None
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
    for_file = bool(delivery.output) or delivery.as_json
    questions = [
        asked.to_solve(each, finite_only, for_file) if at is None else asked.to_position(each, at)
        for each in rules_of(rule)
    ]
    return ask(questions, delivery, several=rule == "both")

"""The command ``icgsynth solve``: find who wins and a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by, of_subject
from icgsynth.cli.options import (
    RuleWord,
    output_option,
    require_use,
    rule_option,
    rules_of,
    timeout_option,
    where_option,
)

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule
    from icgsynth.subjects import Subject
    from icgsynth.subjects.question import Question


@click.command()
@of_subject
@rule_option(both=True)
@deliver_by(
    timeout_option(60, " for each rule"),
    output_option(
        "Write the JSON there, also when the answer is unknown.", "", ".json", is_answer=True
    ),
    details=("all", "words", "method"),
)
@click.option(
    "--finite-only",
    is_flag=True,
    help="No answer, and exit code 3, where play may never end: no states are drawn.",
)
@click.option(
    "--at", default=None, metavar="STATE", help="Say who wins at this state, by which move, why."
)
@where_option("List the lost states where this holds; with --all also the won ones, with moves.")
def solve(
    asked: Subject,
    delivery: Delivery,
    rule: RuleWord,
    finite_only: bool,
    at: str | None,
    where: str | None,
) -> int:
    """Find a formula for who wins and a strategy that wins, and prove both.

    SPEC may be a sum of games, as in 'nim2 + 2*chomp_2row + 0.77', or the code of a game of heaps,
    as 0.77: then Grundy values say who wins; under misere play it is the misere quotient of the
    code.  Of a finite game or a graph the answer says who wins from the start, or from each node.

    Where play may never end, a third formula says which states are drawn.

    \b
    Try:  icgsynth solve nim2
          icgsynth solve take_away --set n=5 --rule both
          icgsynth solve nim2 --at 5,3        who wins there
          icgsynth solve nim2 --where 'a + b = 100'
          icgsynth solve nim2 -o nim2.json    the answer as a file

    \b
    Exit codes: 0 solved, also with drawn states; 2 bad usage or bad
                input; 3 the game may never end (the cycle is printed) and
                was not solved; 4 unknown or conditional within the budget.
    """
    for_file = bool(delivery.output) or delivery.as_json
    require_use(at is None, "the whole game, and not with --at", "where")

    def question(each: PlayRule) -> Question[Any]:
        if where is not None:
            return asked.to_list(each, where)
        if at is not None:
            return asked.to_position(each, at)
        return asked.to_solve(each, finite_only, for_file)

    questions = [question(each) for each in rules_of(rule)]
    return ask(questions, delivery, several=rule == "both")

"""The command ``icgsynth verify``: prove or refute an answer or a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by, of_subject
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import answer_rule_option, answer_source, timeout_option
from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule
    from icgsynth.subjects import Subject


@click.command()
@of_subject
@click.argument(
    "solution", metavar="[SOLUTION.json]", required=False, shell_complete=complete_names()
)
@click.option("--strategy", metavar="FILE", help="The same as SOLUTION.json.")
@click.option("--losing", metavar="FORMULA", help="Are these the losing states?")
@click.option("--winning", metavar="FORMULA", help="Are these the winning states?")
@click.option("--value", metavar="TERM", help="Is this the Grundy value?")
@answer_rule_option
@deliver_by(timeout_option(60))
@click.option(
    "--cross-check",
    "cross",
    is_flag=True,
    help="Prove it a second time: with cvc5 (the extra cvc5); an answer in digits with automata "
    "in plain Python.",
)
@click.option(
    "--coq",
    "kernel",
    is_flag=True,
    help="Have the proof assistant Coq check the theorem as well (needs its command coqc).",
)
def verify(
    asked: Subject,
    delivery: Delivery,
    solution: str | None,
    strategy: str | None,
    losing: str | None,
    winning: str | None,
    value: str | None,
    rule: PlayRule | None,
    cross: bool,
    kernel: bool,
) -> int:
    """Prove or refute a solution, also one edited by hand or found elsewhere.

    With --losing, --winning or --value one formula is judged, without a file.  Constants are taken
    from the solution unless --set gives them; --rule chooses from a solution of both rules.  A
    fast-and-frugal tree is checked in all states that play with it reaches, a learned strategy in
    all states.  Grundy values are proved again; of heaps, with a code as 0.77 for SPEC, they are
    replayed; of a sum, 'A + 2*B', each component is.

    \b
    Try:  icgsynth solve nim2 -o nim2.json
          icgsynth verify nim2 nim2.json
          icgsynth verify nim2 --losing 'a = b'

    \b
    Exit codes: 0 proved, with --cross-check twice, with --coq by Coq as
                well; a tree that is strongly optimal, a learned strategy
                that never loses; 2 bad usage or bad input; 3 refuted: a
                counterexample is printed; or cvc5 contradicts the proof;
                4 unknown within the budget, or not accepted by Coq.
    """
    from icgsynth.subjects import AskedVerdict

    wanted = AskedVerdict(rule, cross, kernel)
    said = {"losing": losing, "winning": winning, "value": value}
    given = [(kind, text) for kind, text in said.items() if text is not None]
    if (count := sum(file is not None for file in (solution, strategy)) + len(given)) != 1:
        mend = "give a file, or one of --losing, --winning and --value"
        raise InputError(f"one answer or claim is verified at a time, not {count}", mend=mend)
    if (file := solution or strategy) is not None:
        question = asked.to_verify(answer_source(file, asked.largest_file), wanted)
    else:
        question = asked.to_judge(*given[0], wanted)
    return ask([question], delivery)

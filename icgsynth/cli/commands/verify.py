"""``icgsynth verify``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.answer_source import answer_source
from icgsynth.cli.asking import Delivery, ask
from icgsynth.cli.options import (
    answer_argument,
    answer_rule_option,
    json_option,
    quiet_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule


@click.command()
@spec_argument
@answer_argument
@answer_rule_option
@set_option
@timeout_option(60)
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
@json_option
@quiet_option
@unused_seed_option
def verify(
    spec: str,
    solution: str,
    rule: PlayRule | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    cross: bool,
    kernel: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove or refute a solution, also one edited by hand or found elsewhere.

    Constants are taken from the solution unless --set gives them; --rule chooses from a
    solution of both rules.  A fast-and-frugal tree is checked in all states that play with it
    reaches, a learned strategy in all states.  Grundy values are proved again; of heaps, with a
    code as 0.77 for SPEC, they are replayed; of a sum, 'A + 2*B', each component is.

    \b
    Try:  icgsynth solve nim2 -o nim2.json
          icgsynth verify nim2 nim2.json

    \b
    Exit codes: 0 proved, with --cross-check twice, with --coq by Coq as
                well; a tree that is strongly optimal, a learned strategy
                that never loses; 2 bad usage or bad input; 3 refuted: a
                counterexample is printed; or cvc5 contradicts the proof;
                4 unknown within the budget, or not accepted by Coq.
    """
    from icgsynth.subjects import AskedVerdict, subject

    asked = subject(spec, dict(constants))
    source = answer_source(solution, asked.largest_file)
    question = asked.to_verify(source, AskedVerdict(rule, cross, kernel))
    return ask([question], Delivery(timeout, as_json, None, quiet))

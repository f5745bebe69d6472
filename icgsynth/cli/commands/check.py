"""``icgsynth check``."""

from __future__ import annotations

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    json_option,
    load_rules,
    quiet_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)
from icgsynth.cli.screen import say

__all__ = ["check"]


@click.command()
@spec_argument
@set_option
@timeout_option(20)
@json_option
@quiet_option
@unused_seed_option
def check(
    spec: str,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Is the game well formed: closed, ending where it says, and always ending?

    \b
    Try:  icgsynth check nim2
          icgsynth check mine.icg --set n=5

    \b
    Exit codes: 0 play always ends (a refuted closure or ending is a
                warning); 2 bad usage or bad input; 3 the game may never end:
                a cycle is printed; 4 whether play always ends is unknown.
    """
    from icgsynth.budget import Budget
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import watchdog
    from icgsynth.game.heap_rules import HeapGame
    from icgsynth.game.solution import Verdict
    from icgsynth.prove.confirm import check_twice
    from icgsynth.prove.verdict_report import rules_text, rules_value

    game = load_rules(spec, constants, quiet, blocking=True)
    with watchdog(timeout, lambda: _too_late(game.name, timeout, as_json)):
        budget = Budget(timeout)
        if isinstance(game, HeapGame):
            from icgsynth.prove.heap_play import check_heaps

            report = check_heaps(game, budget)
        else:
            report = check_twice(game, budget)
    say(json_text(rules_value(report)) if as_json else rules_text(report), as_json)
    for warning in () if quiet else report.warnings:
        say(f"warning: {warning}", err=True)
    if report.termination.verdict is Verdict.PROVED:
        return DONE
    return REFUTED if report.termination.verdict is Verdict.REFUTED else UNKNOWN


def _too_late(name: str, timeout: float, as_json: bool) -> int:
    from icgsynth.cli.output import as_json as json_text

    verdicts = {part: {"verdict": "unknown"} for part in ("closure", "ending", "termination")}
    told = f"{name}\n  unknown  the budget of {timeout:g} s is spent"
    say(json_text({"game": name, **verdicts}) if as_json else told, as_json)
    return UNKNOWN

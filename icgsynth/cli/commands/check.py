"""``icgsynth check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    json_option,
    load_game,
    quiet_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.prove.discharge import Finding
    from icgsynth.prove.rules import RulesReport

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
    Exit codes: 0 play always ends (a refuted closure or ending is a warning);
                2 bad usage or bad input; 3 play need not end: a cycle is printed;
                4 whether play always ends is unknown.
    """
    from icgsynth.budget import Budget
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import watchdog
    from icgsynth.game.solution import Verdict
    from icgsynth.prove.confirm import check_twice

    game = load_game(spec, constants, quiet)
    with watchdog(timeout, lambda: _too_late(game.name, timeout, as_json)):
        budget = Budget(timeout)
        report = check_twice(game, budget)
    click.echo(json_text(_value(report)) if as_json else _text(report))
    if report.termination.verdict is Verdict.PROVED:
        return DONE
    return REFUTED if report.termination.verdict is Verdict.REFUTED else UNKNOWN


def _too_late(name: str, timeout: float, as_json: bool) -> int:
    from icgsynth.cli.output import as_json as json_text

    verdicts = {part: {"verdict": "unknown"} for part in ("closure", "ending", "termination")}
    click.echo(
        json_text({"game": name, **verdicts})
        if as_json
        else f"{name}\n  unknown  the budget of {timeout:g} s is spent"
    )
    return UNKNOWN


def _value(report: RulesReport) -> dict[str, Any]:
    def finding(found: Finding) -> dict[str, Any]:
        value: dict[str, Any] = {"verdict": str(found.verdict)}
        if found.claim:
            value["claim"] = found.claim
        if found.witness is not None:
            value["witness"] = dict(found.witness)
        return value

    def claim(part: str, found: Finding) -> dict[str, Any]:
        by = report.confirmed.get(part)
        return finding(found) | ({"confirmed": list(by)} if by else {})

    value: dict[str, Any] = {
        "game": report.game.name,
        "constants": dict(report.game.constants),
        "closure": claim("closure", report.closure),
        "ending": claim("ending", report.ending),
        "termination": claim("termination", report.termination),
    }
    if report.ranking is not None:
        value["ranking"] = [str(c) for c in report.ranking.components]
    if report.cycle is not None:
        value["cycle"] = [list(state) for state in report.cycle]
    return value


def _text(report: RulesReport) -> str:
    from icgsynth.game.solution import agreed
    from icgsynth.logic.term import FALSE
    from icgsynth.prove.ranking import NO_MOVES

    game = report.game
    lines = [f"{game.name}" + (f": {game.title}" if game.title else "")]
    lines.append(_line("closure", report.closure, "no move leaves the legal states"))
    declared = "the declared end is exactly 'no action applies'"
    ending = declared if game.end != FALSE else "no end is declared: it is 'no action applies'"
    lines.append(_line("ending", report.ending, ending))
    if report.ranking is not None and report.termination.is_proved:
        bounded = "" if report.ranking == NO_MOVES else ", and is bounded below"
        lines.append(f"  termination  proved   {report.ranking.claim}{bounded}")
    elif report.cycle is not None:
        shown = game.show_path(report.cycle)
        lines.append(f"  termination  refuted  a cycle: {shown}")
    elif report.ranking is not None:
        lines.append(f"  termination  unknown  {report.termination.claim}")
    else:
        lines.append("  termination  unknown  no linear ranking function was found")
    by = tuple(dict.fromkeys(name for part in report.confirmed.values() for name in part))
    if by:
        lines.append(f"  proved by    {agreed(by)}")
    return "\n".join(lines)


def _line(name: str, finding: Finding, claim: str) -> str:
    text = f"  {name:<11}  {finding.verdict!s:<8} {claim}"
    if finding.witness is not None:
        values = ", ".join(f"{n} = {v}" for n, v in finding.witness.items())
        text += f"\n{'':24}fails at {values} (claimed: {finding.claim})"
    return text

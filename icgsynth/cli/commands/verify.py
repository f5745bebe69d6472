"""``icgsynth verify``."""

from __future__ import annotations

from pathlib import Path
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
    from icgsynth.solution import Solution
    from icgsynth.verify.certificate import Certificate

__all__ = ["verify"]


@click.command()
@spec_argument
@click.argument("solution", metavar="SOLUTION.json")
@click.option(
    "--rule",
    type=click.Choice(["normal", "misere"]),
    default=None,
    help="Which answer, where the file holds both.",
)
@set_option
@timeout_option(60)
@json_option
@quiet_option
@unused_seed_option
def verify(
    spec: str,
    solution: str,
    rule: str | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove or refute a solution, also one edited by hand or found elsewhere.

    Constants are taken from the solution unless --set gives them; --rule chooses from a
    solution of both rules.

    \b
    Exit codes: 0 proved; 2 bad usage or bad input; 3 refuted: a counterexample is printed;
                4 unknown within the budget.
    """
    from icgsynth.budget import Budget
    from icgsynth.cli.output import GRACE, Watchdog
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.spec.solution_file import file_constants, read_solution
    from icgsynth.spec.source import Source
    from icgsynth.verify.certificate import certify

    source = Source.read(Path(solution), solution)
    given = dict(constants)
    for name, number in file_constants(source, rule).items():  # type: ignore[arg-type]
        given.setdefault(name, number)
    game = load_game(spec, tuple(given.items()), quiet)
    answer = read_solution(source, game, rule)  # type: ignore[arg-type]
    with Watchdog(timeout + GRACE, lambda: _too_late(answer, timeout, as_json)):
        certificate = certify(answer, Budget(timeout))
    click.echo(json_text(_value(certificate)) if as_json else _text(certificate))
    if certificate.refuted:
        return REFUTED
    return DONE if certificate.is_proved else UNKNOWN


def _too_late(answer: Solution, timeout: float, as_json: bool) -> int:
    from icgsynth.cli.output import as_json as json_text

    value = {"game": answer.game.name, "rule": answer.rule, "verdict": "unknown", "parts": {}}
    click.echo(
        json_text(value)
        if as_json
        else f"{answer.game.name}, {answer.rule} play: unknown\n"
        f"  the budget of {timeout:g} s is spent"
    )
    return UNKNOWN


def _value(certificate: Certificate) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for name, finding in certificate.parts.items():
        parts[name] = {"verdict": str(finding.verdict)}
        if not finding.is_proved and finding.claim:
            parts[name]["claim"] = finding.claim
        if finding.witness is not None:
            parts[name]["witness"] = dict(finding.witness)
    value: dict[str, Any] = {
        "game": certificate.solution.game.name,
        "rule": certificate.solution.rule,
        "verdict": certificate.verdict,
        "parts": parts,
    }
    if certificate.explicit is not None:
        check = certificate.explicit
        value["explicit"] = {
            "bound": check.bound,
            "states": check.states,
            "disagreements": check.disagreements,
        }
    return value


def _text(certificate: Certificate) -> str:
    solution = certificate.solution
    lines = [f"{solution.game.name}, {solution.rule} play: {certificate.verdict}"]
    for name, finding in certificate.parts.items():
        stated = name != "strategy" or solution.strategy or finding.is_proved
        verdict = str(finding.verdict) if stated else "not stated"
        lines.append(f"  {name:<12} {verdict:<8} {finding.claim if stated else ''}".rstrip())
        if finding.witness is not None:
            values = ", ".join(f"{n} = {v}" for n, v in finding.witness.items())
            lines.append(f"{'':24}fails at {values}")
    if certificate.explicit is not None:
        check = certificate.explicit
        lines.append(
            f"  explicit     {check.states:,} states with coordinates up to {check.bound}: "
            f"{check.disagreements} disagree"
        )
    lines += [f"  {note}" for note in certificate.notes]
    return "\n".join(lines)

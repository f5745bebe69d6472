"""``icgsynth verify``."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.finite_answers import verify_learned, verify_tree
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
    from icgsynth.game.solution import FarCheck, Solution
    from icgsynth.prove.certificate import Certificate
    from icgsynth.prove.crosscheck import CrossCheck, Opinion
    from icgsynth.prove.discharge import Finding

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
@click.option(
    "--cross-check",
    "cross",
    is_flag=True,
    help="Prove it a second time: with cvc5 (the extra cvc5); an answer in digits with automata "
    "in plain Python.",
)
@json_option
@quiet_option
@unused_seed_option
def verify(
    spec: str,
    solution: str,
    rule: str | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    cross: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove or refute a solution, also one edited by hand or found elsewhere.

    Constants are taken from the solution unless --set gives them; --rule chooses from a
    solution of both rules.  A fast-and-frugal tree is checked in all states that play with it
    reaches, a learned strategy in all states; both are proved or refuted without a budget.

    \b
    Exit codes: 0 proved, with --cross-check twice; a tree that is strongly optimal, a learned
                strategy that never loses; 2 bad usage or bad input;
                3 refuted: a counterexample is printed; or cvc5 contradicts the proof;
                4 unknown within the budget.
    """
    from icgsynth.budget import Budget
    from icgsynth.cli.output import watchdog
    from icgsynth.prove.certificate import certify
    from icgsynth.spec.answer_file import kind_of
    from icgsynth.spec.solution_file import file_constants, read_solution
    from icgsynth.spec.source import Source

    source = Source.read(Path(solution), solution)
    given = dict(constants)
    if (kind := kind_of(source)) != "strategy":
        if cross or rule:
            option = "--cross-check" if cross else "--rule"
            raise click.UsageError(f"{option} is for answers of impartial games, not a {kind} file")
        check = verify_tree if kind == "tree" else verify_learned
        return check(spec, source, given, as_json, quiet)
    for name, number in file_constants(source, rule).items():  # type: ignore[arg-type]
        given.setdefault(name, number)
    game = load_game(spec, tuple(given.items()), quiet)
    answer = read_solution(source, game, rule)  # type: ignore[arg-type]
    if cross:
        from icgsynth.prove.crosscheck import cross_check, second_solver

        if answer.is_linear:
            second_solver()  # whether it is there at all
    known: list[Certificate] = []

    def last_words() -> int:
        if not (cross and known):
            return _too_late(answer, timeout, as_json)
        return _deliver(known[0], cross_check(known[0], Budget(0)), as_json)

    budget = Budget(timeout)
    with watchdog(timeout, last_words):
        certificate = certify(answer, budget)
        known.append(certificate)
        second = cross_check(certificate, budget) if cross else None
    return _deliver(certificate, second, as_json)


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


def _deliver(certificate: Certificate, second: CrossCheck | None, as_json: bool) -> int:
    from icgsynth.cli.output import as_json as json_text

    click.echo(json_text(_value(certificate, second)) if as_json else _text(certificate, second))
    if _verdict(certificate, second) == "refuted":
        return REFUTED
    agreed = second is None or second.verdict == "proved"
    return DONE if certificate.is_proved and agreed else UNKNOWN


def _verdict(certificate: Certificate, second: CrossCheck | None) -> str:
    """That of the proof, unless cvc5 refutes it; what cvc5 leaves open takes nothing back."""
    refuted = second is not None and second.verdict == "refuted"
    return "refuted" if refuted else certificate.verdict


def _value(certificate: Certificate, second: CrossCheck | None) -> dict[str, Any]:
    from icgsynth.game.solution import box_json

    parts: dict[str, Any] = {}
    for name, finding in certificate.parts.items():
        parts[name] = {"verdict": str(finding.verdict)}
        if not finding.is_proved and finding.claim:
            parts[name]["claim"] = finding.claim
        if finding.witness is not None:
            parts[name]["witness"] = dict(finding.witness)
        if finding.is_proved and name in certificate.confirmed:
            parts[name]["confirmed"] = list(certificate.confirmed[name])
        if second is not None and name in second.parts:
            parts[name]["cross_check"] = _opinion_value(second.parts[name])
    value: dict[str, Any] = {
        "game": certificate.solution.game.name,
        "rule": certificate.solution.rule,
        "verdict": _verdict(certificate, second),
        "parts": parts,
    }
    if second is not None:
        value["cross_check"] = {"solver": second.solver, "verdict": str(second.verdict)}
        if second.disputes:
            value["cross_check"]["disputes"] = list(second.disputes)
    if certificate.explicit is not None:
        value["explicit"] = box_json(certificate.explicit)
    return value


def _opinion_value(opinion: Opinion) -> dict[str, Any]:
    value: dict[str, Any] = {
        "verdict": str(opinion.verdict),
        "obligations": opinion.obligations,
    }
    if opinion.seconds is not None:
        value["seconds"] = round(opinion.seconds, 4)
    if opinion.claim:
        value["claim"] = opinion.claim
    if opinion.witness is not None:
        value["witness"] = dict(opinion.witness)
    return value


def _text(certificate: Certificate, second: CrossCheck | None) -> str:
    from icgsynth.game.solution import agreed

    solution = certificate.solution
    verdict = _verdict(certificate, second)
    lines = [f"{solution.game.name}, {solution.rule} play: {verdict}"]
    for name, finding in certificate.parts.items():
        stated = name != "strategy" or solution.strategy or finding.is_proved
        verdict = str(finding.verdict) if stated else "not stated"
        details = [finding.claim if stated else ""]
        if finding.is_proved and name in certificate.confirmed:
            by = f"by {agreed(certificate.confirmed[name])}"
            details = [f"{finding.claim}, {by}" if finding.claim else by]
        if finding.witness is not None:
            details.append(f"fails at {_state(finding.witness)}")
        if second is not None and name in second.parts:
            details += _opinion_text(second, name, finding)
        first, *rest = [*filter(None, details), ""]
        lines.append(f"  {name:<12} {verdict:<8} {first}".rstrip())
        lines += [f"{'':24}{detail}" for detail in rest if detail]
    if certificate.explicit is not None:
        check = certificate.explicit
        lines.append(
            f"  explicit     {check.states:,} states with coordinates up to {check.bound}: "
            f"{check.disagreements} disagree"
        )
        if check.far is not None:
            lines += _far_text(check.far)
    if second is not None:
        count = sum(opinion.obligations for opinion in second.parts.values())
        many = f"{count} obligation{'s' * (count != 1)}"
        lines.append(f"  cross-check  {second.verdict!s:<8} {second.solver}, {many}")
        lines += [f"  {dispute}" for dispute in second.disputes]
    lines += [f"  {note}" for note in certificate.notes]
    return "\n".join(lines)


def _far_text(far: FarCheck) -> list[str]:
    """What far states say, with the first that disagrees."""
    lines = [
        f"  far          {far.states:,} states with coordinates up to {far.reach}: "
        f"{far.disagreements} disagree"
    ]
    if far.witness is not None:
        lines += [f"{'':24}{far.claim}", f"{'':24}fails at {_state(far.witness)}"]
    return lines


def _opinion_text(second: CrossCheck, part: str, finding: Finding) -> list[str]:
    """What is said of a part a second time, with the claim where it is another one."""
    opinion, who = second.parts[part], second.short
    if not opinion.obligations:
        return []
    count = f"{opinion.obligations} obligation{'s' * (opinion.obligations > 1)}"
    took = "" if opinion.seconds is None else f", {opinion.seconds:.2f} s"
    lines = [f"{who}: {opinion.verdict}, {count}{took}"]
    if opinion.claim and opinion.claim != finding.claim:
        lines += textwrap.wrap(f"{who} does not prove: {opinion.claim}", 76)
        if opinion.witness is not None:
            lines.append(f"it fails at {_state(opinion.witness)}")
    return lines


def _state(witness: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in witness.items())

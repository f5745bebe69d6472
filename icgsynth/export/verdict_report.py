"""Write the results of proofs as JSON and text: for the rules of a game, and for an answer."""

from __future__ import annotations

from typing import Any

from icgsynth.explicit.labels import endless_moves
from icgsynth.game.answers import FarCheck, Finding, KernelOpinion, name_engines
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import equalities, in_rules, wrapped
from icgsynth.prove.certificate import Certificate
from icgsynth.prove.crosscheck import CrossCheck
from icgsynth.prove.ranking_function import NO_MOVES
from icgsynth.prove.rule_faults import cycle_mend, leaving
from icgsynth.prove.well_formed import RulesReport

# --- the rules of a game ----------------------------------------------------------------------


def rules_value(report: RulesReport) -> dict[str, Any]:
    """Return the findings on closure, ending and termination of a game as JSON."""

    def claim(part: str, found: Finding) -> dict[str, Any]:
        by = report.confirmed.get(part)
        return _finding_value(found) | ({"confirmed": list(by)} if by else {})

    value: dict[str, Any] = {
        "game": report.game.name,
        "constants": dict(report.game.constants),
        "closure": claim("closure", report.closure) | _leaving_value(report),
        "ending": claim("ending", report.ending),
        "termination": claim("termination", report.termination),
    }
    if report.ranking is not None:
        value["ranking"] = [str(c) for c in report.ranking.components]
    if report.cycle is not None:
        value["cycle"] = [list(state) for state in report.cycle]
        moves = map(report.game.move_between, report.cycle, report.cycle[1:])
        value["cycle_moves"] = [None if move is None else move.written for move in moves]
    return value


def _leaving_value(report: RulesReport) -> dict[str, Any]:
    """Return JSON of a move out of the legal states, with advice; {} if none is found."""
    if (found := leaving(report.game, report.closure)) is None:
        return {}
    mend = {} if found.mend is None else {"add": str(found.mend)}
    if found.bracketed is not None:
        mend = {"write": str(in_rules(found.bracketed))}
    return {"move": str(found.move), "leads_to": list(found.after), **mend}


def _finding_value(found: Finding, is_said: bool = True) -> dict[str, Any]:
    """Return ``found`` as JSON: verdict, claim if ``is_said``, and witness if there is one."""
    value: dict[str, Any] = {"verdict": str(found.verdict)}
    if found.why and is_said:
        value["claim"] = found.why
    if found.witness is not None:
        value["witness"] = dict(found.witness)
    return value


def rules_text(report: RulesReport) -> str:
    """Return the report on the rules of a game as text."""
    game = report.game
    lines = [game.name + (f": {game.title}" if game.title else "")]
    lines[0] += ", misère play" * (game.rule == "misere")
    lines.append(_closure(report))
    lines.append(_ending(report))
    if report.ranking is not None and report.termination.is_proved:
        bounded = "" if report.ranking == NO_MOVES else ", and is bounded below"
        lines.append(f"  termination  proved   {report.ranking.claim}{bounded}")
    elif report.cycle is not None:
        shown = game.show_path(report.cycle)
        lines.append(f"  termination  refuted  a cycle: {shown}")
        if mend := cycle_mend(game, report.cycle):
            lines.append(f"{'':24}{mend}")
    else:
        claim = report.termination.why or "no ranking function was found"
        lines.append(f"  termination  {report.termination.verdict:<7}  {claim}")
    if endless := endless_moves(game):
        lines.append(f"  moves        {'':7}  {endless}")
    by = tuple(dict.fromkeys(name for part in report.confirmed.values() for name in part))
    if by:
        lines.append(f"  proved by    {name_engines(by)}")
    return "\n".join(lines)


def _closure(report: RulesReport) -> str:
    """Return the line on closure: proved, or a move that leaves the legal states, with advice."""
    game, found = report.game, leaving(report.game, report.closure)
    if found is None:
        return _line("closure", report.closure, "no move leaves the legal states")
    text = f"  closure      refuted  {found.move} from {game.show(found.state)} leads to "
    text += f"{game.show(found.after)}, which is not legal"
    return text + (f"\n{'':24}{found.advice}" if found.advice else "")


def _ending(report: RulesReport) -> str:
    """Return the line on the declared end: proved, or a state where it is wrong."""
    game, state = report.game, report.ending.state(report.game)
    if state is None:
        declared = "no action applies exactly where the end is declared"
        undeclared = "the rules declare no end: the game ends where no action applies"
        claim = declared if game.end != t.FALSE else undeclared
        return _line("ending", report.ending, claim)
    is_ended = satisfies(game.end, game.env(state))
    fault = "is declared an end, but a move" if is_ended else "is not declared an end, but no move"
    return f"  ending       {report.ending.verdict!s:<8} {game.show(state)} {fault} applies there"


def _line(name: str, finding: Finding, claim: str) -> str:
    denied = "it is not so that " if finding.verdict == "refuted" else ""
    return f"  {name:<11}  {finding.verdict!s:<8} {denied}{claim}"


# --- an answer -------------------------------------------------------------------------------


def answer_verdict(certificate: Certificate, second: CrossCheck | None) -> str:
    """Return the verdict of ``certificate``, or "refuted" where ``second`` (cvc5) refutes it."""
    refuted = second is not None and second.verdict == "refuted"
    return "refuted" if refuted else certificate.verdict


def answer_value(
    certificate: Certificate, second: CrossCheck | None, kernel: KernelOpinion | None = None
) -> dict[str, Any]:
    """Return the verdict and its parts as JSON, with ``second`` (cvc5) and ``kernel`` (Coq)."""
    parts: dict[str, Any] = {}
    for name, finding in certificate.parts.items():
        parts[name] = _finding_value(finding, is_said=not finding.is_proved)
        if finding.is_proved and name in certificate.confirmed:
            parts[name]["confirmed"] = list(certificate.confirmed[name])
        if second is not None and name in second.parts:
            parts[name]["cross_check"] = _opinion_value(second, name)
    value: dict[str, Any] = {
        "game": certificate.solution.game.name,
        "rule": certificate.solution.rule,
        "verdict": answer_verdict(certificate, second),
        "parts": parts,
    }
    if second is not None:
        value["cross_check"] = {"solver": second.solver, "verdict": str(second.verdict)}
        if second.disputes:
            value["cross_check"]["disputes"] = list(second.disputes)
    if kernel is not None:
        value["coq"] = kernel.value
    if certificate.explicit is not None:
        value["explicit"] = certificate.explicit.to_json()
    return value


def _opinion_value(second: CrossCheck, part: str) -> dict[str, Any]:
    found = second.parts[part]
    value: dict[str, Any] = {"verdict": str(found.verdict), "obligations": second.obligations[part]}
    if part in second.seconds:
        value["seconds"] = round(second.seconds[part], 4)
    return value | _finding_value(found)


def answer_text(
    certificate: Certificate, second: CrossCheck | None, kernel: KernelOpinion | None = None
) -> str:
    """Return the report as text, with what ``second`` (cvc5) and ``kernel`` (Coq) say."""
    solution = certificate.solution
    verdict = answer_verdict(certificate, second)
    lines = [f"{solution.game.name}, {solution.rule} play: {verdict}"]
    for name, finding in certificate.parts.items():
        stated = name != "strategy" or solution.strategy or finding.is_proved
        verdict = str(finding.verdict) if stated else "not stated"
        details = [finding.why if stated else ""]
        if finding.is_proved and name in certificate.confirmed:
            by = f"by {name_engines(certificate.confirmed[name])}"
            details = [f"{finding.why}, {by}" if finding.why else by]
        if finding.witness is not None:
            details.append(f"fails at {equalities(finding.witness.items())}")
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
        count = sum(second.obligations.values())
        many = f"{count} obligation{'s' * (count != 1)}"
        lines.append(f"  cross-check  {second.verdict!s:<8} {second.solver}, {many}")
        lines += [f"  {dispute}" for dispute in second.disputes]
    if kernel is not None:
        lines.append(kernel.line)
    lines += [f"  {note}" for note in certificate.notes]
    return "\n".join(lines)


def _far_text(far: FarCheck) -> list[str]:
    lines = [
        f"  far          {far.states:,} states with coordinates up to {far.reach}: "
        f"{far.disagreements} disagree"
    ]
    if far.witness is not None:
        lines += [f"{'':24}{far.claim}", f"{'':24}fails at {equalities(far.witness.items())}"]
    return lines


def _opinion_text(second: CrossCheck, part: str, finding: Finding) -> list[str]:
    """Return lines on what the second solver found for ``part``, compared with ``finding``; [] for
    no obligation."""
    opinion, who = second.parts[part], second.short
    if not (number := second.obligations[part]):
        return []
    count = f"{number} obligation{'s' * (number > 1)}"
    took = f", {second.seconds[part]:.2f} s" if part in second.seconds else ""
    lines = [f"{who}: {opinion.verdict}, {count}{took}"]
    if opinion.why and opinion.why != finding.why:
        lines += wrapped(f"{who} does not prove: {opinion.why}", width=76)
        if opinion.witness is not None:
            lines.append(f"it fails at {equalities(opinion.witness.items())}")
    return lines

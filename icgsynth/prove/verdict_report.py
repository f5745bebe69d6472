"""What proofs came to, as JSON values and as text: of the rules of a game, and of an answer.

What was proved for all members of a family, as JSON values and as text.
"""

from __future__ import annotations

from typing import Any

from icgsynth.game.answers import agreed, times
from icgsynth.game.cycles import endless_moves
from icgsynth.game.solution import FarCheck, box_json
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import equalities, wrapped
from icgsynth.logic.ranges import has_products
from icgsynth.prove.certificate import Certificate
from icgsynth.prove.crosscheck import CrossCheck, Opinion
from icgsynth.prove.discharge import Finding
from icgsynth.prove.families import FamilyCounterexample, FamilyProof
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.ranking_function import NO_MOVES
from icgsynth.prove.well_formed import NEVER_ENDS, RulesReport, cycle_mend, leaving

# --- the rules of a game ----------------------------------------------------------------------


def rules_value(report: RulesReport) -> dict[str, Any]:
    """Closure, ending and termination of a game."""

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
    """The move that leaves the legal states, where it leads, and what would keep it from that."""
    if (found := leaving(report.game, report.closure)) is None:
        return {}
    mend = {} if found.mend is None else {"add": str(found.mend)}
    return {"move": str(found.move), "leads_to": list(found.after), **mend}


def _finding_value(found: Finding | Opinion, is_said: bool = True) -> dict[str, Any]:
    """The verdict, with the claim where it ``is_said``, and the state and move that refute it."""
    value: dict[str, Any] = {"verdict": str(found.verdict)}
    if found.claim and is_said:
        value["claim"] = found.claim
    if found.witness is not None:
        value["witness"] = dict(found.witness)
    return value


def rules_text(report: RulesReport) -> str:
    """The same as text."""
    game = report.game
    lines = [f"{game.name}" + (f": {game.title}" if game.title else "")]
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
    elif report.ranking is not None or report.termination.claim == NEVER_ENDS:
        lines.append(f"  termination  {report.termination.verdict:<7}  {report.termination.claim}")
    else:
        lines.append("  termination  unknown  no linear ranking function was found")
    if endless := endless_moves(game):
        lines.append(f"  moves        {'':7}  {endless}")
    by = tuple(dict.fromkeys(name for part in report.confirmed.values() for name in part))
    if by:
        lines.append(f"  proved by    {agreed(by)}")
    return "\n".join(lines)


def _closure(report: RulesReport) -> str:
    """That no move leaves the legal states, or the move that does and a way to mend it."""
    game, found = report.game, leaving(report.game, report.closure)
    if found is None:
        return _line("closure", report.closure, "no move leaves the legal states")
    text = f"  closure      refuted  {found.move} from {game.show(found.state)} leads to "
    text += f"{game.show(found.after)}, which is not legal"
    if found.mend is not None:
        text += f"\n{'':24}add '{found.mend}' to what {found.move.action} needs?"
    return text


def _ending(report: RulesReport) -> str:
    """That the end is declared where no action applies, or a state where it is not."""
    game, state = report.game, report.ending.state(report.game)
    if state is None:
        declared = "the declared end is exactly 'no action applies'"
        claim = declared if game.end != t.FALSE else "no end is declared: it is 'no action applies'"
        return _line("ending", report.ending, claim)
    ended = "is declared an end, yet without that a move would apply there"
    is_ended = satisfies(game.end, game.env(state))
    shown = f"{game.show(state)} {ended if is_ended else 'is not declared an end, but has no move'}"
    return f"  ending       {report.ending.verdict!s:<8} {shown}"


def _line(name: str, finding: Finding, claim: str) -> str:
    denied = "it is not so that " if finding.verdict == "refuted" else ""
    return f"  {name:<11}  {finding.verdict!s:<8} {denied}{claim}"


# --- an answer -------------------------------------------------------------------------------


def answer_verdict(certificate: Certificate, second: CrossCheck | None) -> str:
    """That of the proof, unless cvc5 refutes it; what cvc5 leaves open takes nothing back."""
    refuted = second is not None and second.verdict == "refuted"
    return "refuted" if refuted else certificate.verdict


def answer_value(
    certificate: Certificate, second: CrossCheck | None, kernel: KernelOpinion | None = None
) -> dict[str, Any]:
    """The verdict on an answer and on each of its parts."""
    parts: dict[str, Any] = {}
    for name, finding in certificate.parts.items():
        parts[name] = _finding_value(finding, is_said=not finding.is_proved)
        if finding.is_proved and name in certificate.confirmed:
            parts[name]["confirmed"] = list(certificate.confirmed[name])
        if second is not None and name in second.parts:
            parts[name]["cross_check"] = _opinion_value(second.parts[name])
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
        value["explicit"] = box_json(certificate.explicit)
    return value


def _opinion_value(opinion: Opinion) -> dict[str, Any]:
    value: dict[str, Any] = {"verdict": str(opinion.verdict), "obligations": opinion.obligations}
    if opinion.seconds is not None:
        value["seconds"] = round(opinion.seconds, 4)
    return value | _finding_value(opinion)


def answer_text(
    certificate: Certificate, second: CrossCheck | None, kernel: KernelOpinion | None = None
) -> str:
    """The same as text."""
    solution = certificate.solution
    verdict = answer_verdict(certificate, second)
    lines = [f"{solution.game.name}, {solution.rule} play: {verdict}"]
    for name, finding in certificate.parts.items():
        stated = name != "strategy" or solution.strategy or finding.is_proved
        verdict = str(finding.verdict) if stated else "not stated"
        details = [finding.claim if stated else ""]
        if finding.is_proved and name in certificate.confirmed:
            by = f"by {agreed(certificate.confirmed[name])}"
            details = [f"{finding.claim}, {by}" if finding.claim else by]
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
        count = sum(opinion.obligations for opinion in second.parts.values())
        many = f"{count} obligation{'s' * (count != 1)}"
        lines.append(f"  cross-check  {second.verdict!s:<8} {second.solver}, {many}")
        lines += [f"  {dispute}" for dispute in second.disputes]
    if kernel is not None:
        lines.append(kernel.line)
    lines += [f"  {note}" for note in certificate.notes]
    return "\n".join(lines)


def _far_text(far: FarCheck) -> list[str]:
    """What far states say, with the first that disagrees."""
    lines = [
        f"  far          {far.states:,} states with coordinates up to {far.reach}: "
        f"{far.disagreements} disagree"
    ]
    if far.witness is not None:
        lines += [f"{'':24}{far.claim}", f"{'':24}fails at {equalities(far.witness.items())}"]
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
        lines += wrapped(f"{who} does not prove: {opinion.claim}", width=76)
        if opinion.witness is not None:
            lines.append(f"it fails at {equalities(opinion.witness.items())}")
    return lines


# --- family report -------------------------------------------------------------------------------


def proof_value(proof: FamilyProof) -> dict[str, Any]:
    """The keys of an answer of kind "family" that speak of all members."""
    claim, certificate, wrong = proof.claim, proof.certificate, proof.counterexample
    value: dict[str, Any] = {
        "rule": claim.rule,
        "constants": list(claim.constants),
        "for": str(claim.where),
        "losing": {"formula": str(claim.losing)},
        "winning": {"formula": str(claim.winning or negation(claim.losing))},
        "strategy": [rule.to_json() for rule in claim.strategy],
        "proof": {},
        "confirmed": {},
        "played": {"members": proof.members, "states": proof.states},
    }
    if certificate is not None:
        parts = {name: str(found.verdict) for name, found in certificate.parts.items()}
        by = {name: list(engines) for name, engines in certificate.confirmed.items()}
        value |= {"proof": parts, "confirmed": by, "explicit": box_json(certificate.explicit)}
        value["ranking"] = [str(term) for term in certificate.report.components]
    if proof.why:
        value["open"] = proof.why
    if wrong is not None:
        state = None if wrong.state is None else dict(wrong.state)
        value["counterexample"] = {
            "constants": dict(wrong.constants),
            "state": state,
            "claim": wrong.claim,
        }
    return value


def said_counterexample(wrong: FamilyCounterexample) -> str:
    """``a = 7, v = 7``."""
    pairs = {**wrong.constants, **(wrong.state or {})}.items()
    return equalities(pairs)


def proof_notes(proof: FamilyProof, holds: str = "") -> list[tuple[str, str]]:
    """The verdict in some paragraphs, each with what stands before it; by whom is "Method: ".

    Of a refuted claim, ``holds`` says where it is true.
    """
    where, wrong, certificate = proof.claim.where, proof.counterexample, proof.certificate
    if wrong is not None:
        also = f"; holds for {holds}" if holds else ""
        return [("Refuted: ", f"false at {said_counterexample(wrong)}{also} ({wrong.claim}).")]
    if proof.status != "theorem" or certificate is None:
        return [("  Open, for every ", f"{where}: {proof.why}.")]
    names = " and ".join(proof.claim.constants)
    kind = "variables" if len(proof.claim.constants) > 1 else "a variable"
    parts = [certificate.confirmed.get(part, ()) for part in ("termination", "winning", "strategy")]
    first = list(dict.fromkeys(by[0] for by in parts if by))
    second = dict.fromkeys(name for by in parts for name in by[1:] if name not in first)
    ending = ", ".join(str(term) for term in certificate.report.components)
    claimed, fewest = proof.claim.solution, min(parts, key=len)
    how = times(fewest)
    if len(fewest) > 1 and has_products((*claimed.game.formulas(), *claimed.formulas())):
        how = "twice, from the same facts about products, each of which is checked"
    text = (
        f"for every {where}, proved with {names} as {kind}, {how}: play always ends "
        f"({ending} decreases), the formulas, the strategy."
    )
    method = f"{agreed([' and '.join(first), *second])}."
    return [("Theorem: ", text), ("Method:  ", method), ("Checked: ", _checked(proof, certificate))]


def proof_lines(proof: FamilyProof) -> list[str]:
    """The same in lines."""
    said = proof_notes(proof)
    return [line for head, text in said for line in wrapped(text, head, " " * len("Theorem: "))]


def _checked(proof: FamilyProof, certificate: Certificate) -> str:
    """What was compared with play, all of which agrees."""
    said, explicit = [], certificate.explicit
    if proof.members:
        said.append(f"{proof.members} members played through, {proof.states:,} states")
    if explicit is not None and explicit.states:
        said.append(f"all members on a box, {explicit.states:,} states")
    if explicit is not None and explicit.far is not None:
        said.append(f"{explicit.far.states:,} states of members up to {explicit.far.reach}")
    return f"{'; '.join(said)}; 0 disagree."

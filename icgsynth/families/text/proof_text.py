"""The result of proving a family's claim, as JSON values and as text."""

from __future__ import annotations

from typing import Any

from icgsynth.families.proof.families import FamilyCounterexample, FamilyProof
from icgsynth.game.answers import name_engines, times
from icgsynth.logic.build import negation
from icgsynth.logic.prose import equalities, wrapped
from icgsynth.logic.ranges import has_products
from icgsynth.prove.certificate import Certificate


def proof_value(proof: FamilyProof) -> dict[str, Any]:
    """Return ``proof`` as a JSON object: the formulas and the strategy for all members, the verdict
    on each part of the proof, and the counterexample if there is one."""
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
        box = certificate.explicit
        explicit = None if box is None else box.to_json()
        value |= {"proof": parts, "confirmed": by, "explicit": explicit}
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
    """Return the constants and the state of ``wrong`` as text: ``a = 7, v = 7``."""
    pairs = {**wrong.constants, **(wrong.state or {})}.items()
    return equalities(pairs)


def proof_notes(proof: FamilyProof, holds: str = "") -> list[tuple[str, str]]:
    """Return pairs (heading, paragraph) that tell the result of ``proof``, as ``("Theorem: ", "for
    ..")``. ``holds`` says for which members a refuted claim is true; "" if that is not known."""
    where, wrong, certificate = proof.claim.where, proof.counterexample, proof.certificate
    if wrong is not None:
        also = f"; holds for {holds}" if holds else ""
        return [("Refuted: ", f"false at {said_counterexample(wrong)}{also} ({wrong.claim}).")]
    if proof.status != "theorem" or certificate is None:
        opened = [("  Open, for every ", f"{where}: {proof.why}.")]
        if not proof.members:
            return opened
        played = (
            f"{proof.members} members played out in a box, {proof.states:,} states; 0 disagree."
        )
        return [*opened, ("  Checked: ", played)]
    names = " and ".join(proof.claim.constants)
    kind = "variables" if len(proof.claim.constants) > 1 else "a variable"
    parts = [certificate.confirmed.get(part, ()) for part in ("termination", "winning", "strategy")]
    first = list(dict.fromkeys(by[0] for by in parts if by))
    second = dict.fromkeys(name for by in parts for name in by[1:] if name not in first)
    ending = ", ".join(str(term) for term in certificate.report.components)
    claimed, fewest = proof.claim.solution, min(parts, key=len)
    how, shared = times(fewest), ""
    if len(fewest) > 1 and has_products((*claimed.game.formulas(), *claimed.formulas())):
        how = "twice, by two methods"
        shared = " Both use the same facts about products; each of these is checked by itself."
    text = (
        f"for every {where}, proved with {names} as {kind}, {how}: play always ends "
        f"({ending} decreases), the formulas, the strategy.{shared}"
    )
    method = f"{name_engines([' and '.join(first), *second])}."
    return [
        ("Theorem: ", text),
        ("Method:  ", method),
        ("Checked: ", _list_checks(proof, certificate)),
    ]


def proof_lines(proof: FamilyProof) -> list[str]:
    """Return the paragraphs of :func:`proof_notes`, each behind its heading, as wrapped lines."""
    said = proof_notes(proof)
    return [line for head, text in said for line in wrapped(text, head, " " * len("Theorem: "))]


def _list_checks(proof: FamilyProof, certificate: Certificate) -> str:
    """Return a sentence on how many states of members were compared with play; all agree."""
    said, explicit = [], certificate.explicit
    if proof.members:
        said.append(f"{proof.members} members played through, {proof.states:,} states")
    if explicit is not None and explicit.states:
        said.append(f"all members on a box, {explicit.states:,} states")
    if explicit is not None and explicit.far is not None:
        said.append(f"{explicit.far.states:,} states of members up to {explicit.far.reach}")
    return f"{'; '.join(said)}; 0 disagree."

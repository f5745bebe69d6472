"""What was proved for all members of a family, as JSON values and as text."""

from __future__ import annotations

import textwrap
from typing import Any

from icgsynth.game.solution import agreed, box_json, rule_json
from icgsynth.logic.build import negation
from icgsynth.prove.certificate import Certificate
from icgsynth.prove.families import FamilyCounterexample, FamilyProof

__all__ = ["proof_lines", "proof_value", "said_counterexample"]

_WIDTH = 96  # characters of a line


def proof_value(proof: FamilyProof) -> dict[str, Any]:
    """The keys of an answer of kind "family" that speak of all members."""
    claim, certificate, wrong = proof.claim, proof.certificate, proof.counterexample
    value: dict[str, Any] = {
        "rule": claim.rule,
        "status": proof.status,
        "constants": list(claim.constants),
        "for": str(claim.where),
        "losing": {"formula": str(claim.losing)},
        "winning": {"formula": str(claim.winning or negation(claim.losing))},
        "strategy": [rule_json(rule) for rule in claim.strategy],
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
    return ", ".join(f"{name} = {number}" for name, number in pairs)


def proof_lines(proof: FamilyProof, holds: str = "") -> list[str]:
    """The verdict in a few lines; of a refuted claim, ``holds`` says where it is true."""
    where, wrong, certificate = proof.claim.where, proof.counterexample, proof.certificate
    if wrong is not None:
        also = f"; holds for {holds}" if holds else ""
        text = f"false at {said_counterexample(wrong)}{also} ({wrong.claim})."
        return _wrapped(text, "Refuted: ")
    if proof.status != "theorem" or certificate is None:
        return _wrapped(f"{where}: {proof.why}.", "  Open, for every ")
    names = " and ".join(proof.claim.constants)
    kind = "variables" if len(proof.claim.constants) > 1 else "a variable"
    parts = [certificate.confirmed.get(part, ()) for part in ("termination", "winning", "strategy")]
    first = list(dict.fromkeys(by[0] for by in parts if by))
    second = dict.fromkeys(name for by in parts for name in by[1:] if name not in first)
    engines = [" and ".join(first), *second]
    ending = ", ".join(str(term) for term in certificate.report.components)
    text = (
        f"for every {where}, proved with {names} as {kind}: play always ends "
        f"({ending} decreases), the formulas, the strategy, by {agreed(engines)}."
    )
    return _wrapped(text, "Theorem: ") + _wrapped(_checked(proof, certificate), "Checked: ")


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


def _wrapped(text: str, head: str) -> list[str]:
    indent = " " * min(len(head), 9)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False
    )

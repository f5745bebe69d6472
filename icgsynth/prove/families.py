"""One answer for every member of a family: a theorem, or refuted by a member and a state.

The constants of the family are variables that no action changes, and their range is part of what
is legal; so the answer is a :class:`~icgsynth.game.solution.Solution` of one game, proved like any
other.  A formula alone proves nothing, for a set of losing states that is too small passes all
that is asked of it: a theorem has formulas, a strategy and the end of play.  Two things are asked
besides: that there is a member, and that every divisor is at least 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.obligations import Obligation
from icgsynth.logic.build import free_names
from icgsynth.prove.certificate import Certificate, certify
from icgsynth.prove.deciders import decide, second_opinion
from icgsynth.prove.discharge import is_model
from icgsynth.prove.family_obligations import divisor_obligations
from icgsynth.prove.family_play import is_member, play_member, small_members

__all__ = ["FamilyCounterexample", "FamilyProof", "FamilyStatus", "prove_family"]

FamilyStatus: TypeAlias = Literal["theorem", "conjecture", "refuted"]

_PLAYED = 8  # small members that are played through before any proof
_SOUGHT = 60  # the same, in search of a counterexample smaller than the one that was found
_PLAY_SHARE = 0.2  # of the budget, for each of the two
_NEEDED = ("termination", "winning", "strategy")


@dataclass(frozen=True)
class FamilyCounterexample:
    """A member, and a state of it; no state where a divisor is not positive."""

    constants: Mapping[str, int]
    state: Mapping[str, int] | None
    claim: str


@dataclass(frozen=True)
class FamilyProof:
    """How a claim stands; ``why`` says what is open, of a conjecture.

    So many ``members`` were played through, at so many ``states``.
    """

    claim: FamilyClaim
    status: FamilyStatus
    why: str = ""
    counterexample: FamilyCounterexample | None = None
    certificate: Certificate | None = None
    members: int = 0
    states: int = 0


def prove_family(claim: FamilyClaim, budget: Budget) -> FamilyProof:
    """Refute the claim by play, or prove it for all members, or say what is open."""
    solution = claim.solution
    found = _divided(claim, budget)
    if found is not None:
        return found
    played = _played(claim, _PLAYED, budget.share(_PLAY_SHARE))
    if played.status == "refuted":
        return played
    model = decide((solution.game.legal,), solution.game.variables, budget)
    if model.kind != "sat" or not is_member(solution.game.legal, model.model or {}):
        return FamilyProof(claim, "conjecture", "no member is known to have a legal state")
    try:
        certificate = certify(solution, budget)
    except (BudgetSpent, Refused) as stopped:
        return replace(played, status="conjecture", why=str(stopped))
    done = replace(played, certificate=certificate)
    if certificate.refuted:
        return _refuted(done, certificate, budget)
    for part in _NEEDED:
        finding = certificate.parts[part]
        if not finding.is_proved:
            return replace(done, status="conjecture", why=f"{part}: {finding.claim}".rstrip(": "))
    far = certificate.explicit.far if certificate.explicit is not None else None
    if not (certificate.is_proved and far is not None and far.states):
        return replace(done, status="conjecture", why="no far state of a member could be checked")
    return replace(done, status="theorem")


# --- divisors ---------------------------------------------------------------------------------


def _divided(claim: FamilyClaim, budget: Budget) -> FamilyProof | None:
    """What is wrong with the divisors; None where all are at least 1 in the whole range."""
    for divisor, obligation in divisor_obligations(claim):
        what = f"that {obligation.claim}"
        if not free_names(divisor) <= set(claim.constants):
            return FamilyProof(claim, "conjecture", f"{what}: it is not one of constants alone")
        parts, names = obligation.parts, obligation.names
        reply = decide(parts, names, budget)
        if reply.kind == "unsat":
            reply = second_opinion(parts, names, reply.by, budget)
        if reply.kind == "unsat":
            continue
        constants = reply.model
        if reply.kind == "unknown" or constants is None or not is_member(claim.where, constants):
            return FamilyProof(claim, "conjecture", what)
        wrong = FamilyCounterexample(constants, None, f"the divisor {divisor} is not positive")
        return FamilyProof(claim, "refuted", counterexample=wrong)
    return None


# --- refutation -------------------------------------------------------------------------------


def _played(claim: FamilyClaim, most: int, budget: Budget) -> FamilyProof:
    """After at most so many members, the smallest first; a conjecture where none refutes it."""
    members = states = tried = 0
    solution = claim.solution
    for constants in small_members(claim.where, claim.constants):
        if tried == most or budget.is_spent:
            break
        count, state = play_member(solution, constants, budget)
        members, states, tried = members + (count > 0), states + count, tried + 1
        if state is not None:
            wrong = FamilyCounterexample(constants, state, "play on a box says otherwise")
            return FamilyProof(claim, "refuted", "", wrong, None, members, states)
    return FamilyProof(claim, "conjecture", "", None, None, members, states)


def _refuted(done: FamilyProof, certificate: Certificate, budget: Budget) -> FamilyProof:
    """With a counterexample by play where a small member has one, else that of the proof."""
    smaller = _played(done.claim, _SOUGHT, budget.share(_PLAY_SHARE))
    if smaller.status == "refuted":
        return smaller
    names = done.claim.constants
    found = [(f.claim, f.witness) for p, f in certificate.parts.items() if p in certificate.refuted]
    explicit = certificate.explicit
    if explicit is not None and explicit.far is not None and explicit.far.disagreements:
        found.append((explicit.far.claim, explicit.far.witness))
    for claim, witness in found:
        if witness is not None:
            constants = {name: witness[name] for name in names}
            state = {v: witness[v] for v in done.claim.game.variables if v not in names}
            lost = Obligation(claim, (), (done.claim.losing,))
            if claim == certificate.parts["strategy"].claim and is_model(lost, witness):
                claim += "; a condition has to leave out this state, which is lost"
            wrong = FamilyCounterexample(constants, state, claim)
            return replace(done, status="refuted", counterexample=wrong)
    return replace(done, status="conjecture", why="play on a box says otherwise")

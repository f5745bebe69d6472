"""Find a theorem about all members of a range, or of a part of it, from one table of states.

A formula that agrees with the whole table and is no theorem is a guess: one that a member refutes
may be a theorem for the others, and one that is neither proved nor refuted is a conjecture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.families.proof.families import FamilyProof, prove_family
from icgsynth.families.proof.family_range import narrower
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search.member_table import GameFamily
from icgsynth.families.search.theorem_search import (
    Guesses,
    claim_of,
    family_theorem,
    theorem_about,
    theorem_of_most,
    with_strategy,
)
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction, size
from icgsynth.prove.certificate import certify
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.recheck.drawn_members import put_constants

_SEARCH = 0.85  # of the time, to look for theorems
_EFFORTS = ((0.1, 0.03), (0.3, 0.07), (1.0, 0.1))  # shares of time, for range and part
_FIRST = 0.8  # of the range's time, for formulas that are learned
_GUESSES = 0.3  # of what is left, to find parts of the range for refuted formulas
_WIDER = 0.2  # of the time, for the whole range once there is a theorem for a part
_FEWEST = 3  # members in a range that nobody asked for
_TRIED = 3  # guesses of each kind that are tried for a part of the range

Values = Mapping[str, int]


class Learned(NamedTuple):
    """A theorem, or the proof of a weaker claim, learned from ``members`` members.

    ``part`` is a theorem for a part of the range of a refuted claim; a conjecture is ``proved_for``
    some members one by one."""

    proof: FamilyProof | None = None
    members: int = 0
    part: FamilyProof | None = None
    proved_for: tuple[Values, ...] = ()


def learn(families: Sequence[GameFamily], grid: Sequence[Values], seconds: float) -> Learned:
    """Return the first theorem for one of ``families``, else a weaker claim; the worker calls it.
    ``families`` are the range that is asked for and, where it may be another one, parts of it,
    large ones first. ``grid`` has the members to learn from, ``seconds`` are for all of it."""
    budget, (asked, *parts) = Budget(seconds, work=seconds), families
    guesses: Guesses = defaultdict(list)
    search, refuted = budget.share(_SEARCH), None
    # The whole range and its parts in turn, with more time in each round: so a hard whole range
    # does not keep an easy part from being found.
    for whole, part in _EFFORTS:
        time = search.within(whole * seconds)
        first = time.share(_FIRST)
        proof = family_theorem(asked, grid, first, guesses)
        proof = proof or with_strategy(asked, guesses, time)
        if proof is not None:
            return Learned(proof, len(grid))
        is_cut = first.is_spent or time.is_spent
        some = theorem_of_most(asked, grid, search.within(whole * seconds)) if parts else None
        if some is not None:
            return Learned(some, len(grid))
        for family in parts:
            members, time = list(filter(family.includes, grid)), search.within(part * seconds)
            if len(members) >= _FEWEST:
                proof = family_theorem(family, members, time)
                if proof is not None:
                    wider = family_theorem(asked, grid, search.within(_WIDER * seconds))
                    return Learned(wider, len(grid)) if wider else Learned(proof, len(members))
            is_cut |= time.is_spent
        refuted = refuted or _true_for_a_part(asked, guesses, search.share(_GUESSES))
        if parts and refuted is not None and _has_others(refuted.part, grid, search):
            return Learned(refuted.part, len(grid))
        # Nothing ended for want of time: more of it would bring the same.
        if not is_cut:
            break
    if parts and refuted is not None and not _has_others(refuted.part, grid, budget):
        refuted = None
    made = refuted or _conjecture(asked, guesses, grid, budget) or Learned()
    return made._replace(members=len(grid))


def _has_others(part: FamilyProof | None, grid: Sequence[Values], budget: Budget) -> bool:
    """Return whether the theorem ``part`` is about a member with a constant larger than in all of
    ``grid``, the members that it was learned from; False if it is None."""
    if part is None:
        return False
    claim, last = part.claim, {name: max(member[name] for member in grid) for name in grid[0]}
    past = [t.compare(t.Name(name), ">", number) for name, number in last.items()]
    return decide((claim.where, disjunction(past)), claim.constants, budget).kind == "sat"


def _true_for_a_part(family: GameFamily, guesses: Guesses, budget: Budget) -> Learned | None:
    """Return a claim, of a formula in ``guesses``, that a member refutes, with a theorem that the
    formula is right for a part of the range; None if none is found."""

    def prove(claim: FamilyClaim) -> FamilyProof:
        some = replace(family, range_=claim.where)
        return theorem_about(some, claim.losing, budget) or FamilyProof(claim, "conjecture")

    with suppress(BudgetSpent, Refused):
        for losing in (*guesses["refuted"][:_TRIED], *guesses["right"][:_TRIED]):
            refuted = prove_family(claim_of(family, losing), budget)
            if refuted.status == "refuted":
                part = narrower(refuted, budget, prove)
                if part is not None:
                    return Learned(refuted, part=part)
    return None


def _conjecture(
    family: GameFamily,
    guesses: Guesses,
    grid: Sequence[Values],
    budget: Budget,
) -> Learned | None:
    """Return as a conjecture the shortest formula in ``guesses`` that is not refuted, if it is
    proved for each member in ``grid`` by itself; otherwise None."""
    for some in (guesses["right"], guesses["open"]):
        for losing in sorted(some, key=size)[:1]:
            proof = prove_family(claim_of(family, losing), budget.share(0.5))
            known = tuple(each for each in grid if _is_proved(proof.claim, each, budget))
            if proof.status == "conjecture" and len(known) == len(grid):
                return Learned(proof, proved_for=known)
    return None


def _is_proved(claim: FamilyClaim, constants: Values, budget: Budget) -> bool:
    """Return whether ``claim`` is proved, by all checks, for the member with ``constants``; False
    once the time is over."""
    try:
        member = put_constants(claim.solution, (), constants).solution
        return not budget.is_spent and certify(member, budget.share(0.3)).is_proved
    except (BudgetSpent, Refused):
        return False

"""The whole proof about all members of a family, each obligation in linear arithmetic.

Where the divisors and factors are constants of the family, an obligation has products of unknowns.
It is written as a linear one over more names, with facts about products of integers; that these
contradict each other is for any solver of linear arithmetic to see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.obligations import Obligation
from icgsynth.game.obligations.stated import Stated, stated
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, negation, substitute, walk
from icgsynth.prove.deciders import decide
from icgsynth.prove.deciders.products import decide_products, has_products
from icgsynth.prove.deciders.products.facts import told
from icgsynth.prove.product_proofs import Combination, Division, Fact, LinearClaim, Split
from icgsynth.prove.recheck.drawn_members import conjuncts
from icgsynth.prove.well_formed import check_rules

__all__ = ["divisor_obligations", "linear_claims"]

_RULES_SHARE = 0.3  # of the budget, for the moves and the ranking that the proof names


def linear_claims(claim: FamilyClaim, budget: Budget) -> Iterator[LinearClaim]:
    """Every obligation: without a model, they prove the claim for all members in the range.

    One for which no proof is found in time is given as it stands.  InputError where a divisor is
    not known to be positive: nothing is meant by what it divides.
    """
    solution = claim.solution
    listed = [("range", each) for _, each in divisor_obligations(claim)]
    for _, needed in listed:
        if decide(needed.parts, needed.names, budget).kind != "unsat":
            message = f"it is not proved that {needed.claim} for all members"
            raise InputError(message, mend="give a smaller range of members in 'for'")
    report = check_rules(solution.game, budget.share(_RULES_SHARE))
    model = decide((solution.game.legal,), solution.game.variables, budget).model
    if model is not None:
        numbers = {name: t.Int(number) for name, number in model.items()}
        words = f"some member has a legal state: {solution.game.show(tuple(model.values()))}"
        no_member = negation(substitute(solution.game.legal, numbers))
        listed.append(("range", Obligation(words, (), (no_member,))))
    for part, obligation in listed:
        yield _linear(Stated(part, obligation, False, False), budget)
    for each in stated(solution, report.movers.acts, report.bounded):
        yield _linear(each, budget)


def _linear(claim: Stated, budget: Budget) -> LinearClaim:
    given = claim.obligation
    if not has_products(given.parts):
        is_known = decide(given.parts, given.names, budget).kind == "unsat"
        return LinearClaim(replace(claim, is_known=is_known), given.parts)
    proof = decide_products(given.parts, given.names, budget).proof
    if proof is None:
        return LinearClaim(replace(claim, is_known=False), given.parts)
    names = (*given.names, *proof.definitions)
    linear = replace(claim, obligation=Obligation(given.claim, names, proof.parts), is_known=True)
    facts = tuple((_words(fact), told(fact)) for fact in proof.facts)
    return LinearClaim(linear, given.parts, proof.definitions, facts)


def _words(fact: Fact) -> str:
    """The schema, and what it is about."""
    match fact.about:
        case Division() as d:
            return f"division: {d.dividend} by {d.modulus}"
        case Split() as s:
            return f"split: {s.divided.dividend} * ({s.other})"
        case Combination() as c:
            at = ", ".join(map(str, fact.numbers))
            return f"{fact.schema} at {at}: {c.product} is {c.factor} times {c.modulus}"


# --- divisors ---------------------------------------------------------------------------------


def divisor_obligations(claim: FamilyClaim) -> Iterator[tuple[t.Term, Obligation]]:
    """Each divisor that is no positive number, and that it is at least 1 in the whole range.

    That is stated with those parts of the range which have no such divisor themselves.
    """
    solution = claim.solution
    plain = [part for part in conjuncts(claim.where) if not list(_divisors(part))]
    nodes = (*solution.game.formulas(), *solution.formulas())
    for divisor in dict.fromkeys(d for node in nodes for d in _divisors(node)):
        words = f"the divisor {divisor} is positive"
        parts = (*plain, t.Compare((divisor, t.Int(0)), ("<=",)))
        yield divisor, Obligation(words, claim.constants, parts)


def _divisors(node: t.Node) -> Iterator[t.Term]:
    for each in walk(node):
        if isinstance(each, t.Mod | t.Div):
            divisor = fold(each.divisor)
            if not isinstance(divisor, t.Int) or divisor.value < 1:
                yield divisor

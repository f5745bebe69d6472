"""Prove one answer for every member of a family, or refute it by a member and a state.

The constants of the family are variables that no action changes, and their range is part of what
is legal; so the answer is a :class:`~icgsynth.game.solution.Solution` of one game, proved like any
other.  A formula alone proves nothing, for a set of losing states that is too small passes all
that is asked of it: a theorem has formulas, a strategy and the end of play.  Two things are asked
besides: that there is a member, and that every divisor is at least 1.

Each obligation of the proof is also given in linear arithmetic: where divisors and factors are
constants of the family, it has products of unknowns, and is written as a linear one over more
names, with facts about products of integers.  That the parts contradict each other is for any
solver of linear arithmetic to see.

A claim about all members is first played through on boxes of small members, to refute it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Literal, TypeAlias

import numpy as np

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation
from icgsynth.claims.stated import state_claims
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.families.proof.by_cases import join_certificates, split_by_cases
from icgsynth.families.proof.linear_claim import LinearClaim
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts, fold, free_names, negation, substitute, walk
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import has_products
from icgsynth.prove.certificate import Certificate, certify
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.products import decide_products, restate_fact
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers, without_quantifiers
from icgsynth.prove.discharge import confirm, is_model
from icgsynth.prove.product_proofs import Combination, Division, Fact, Split
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.prove.recheck.plain import holds
from icgsynth.prove.well_formed import check_rules

# --- family obligations --------------------------------------------------------------------------

_RULES_SHARE = 0.3  # of the budget, for the moves and the ranking that the proof names


def linear_claims(claim: FamilyClaim, budget: Budget) -> Iterator[LinearClaim]:
    """Yield every obligation of ``claim`` in linear arithmetic, true if its parts have no model. An
    obligation for which no proof is found within ``budget`` is yielded as it is, marked as not
    known. InputError where a divisor is not proved positive: no quotient is defined then."""
    solution = claim.solution
    listed = [each for _, each in divisor_obligations(claim)]
    for needed in listed:
        if decide(needed.parts, needed.names, budget).kind != "unsat":
            message = f"it is not proved that {needed.claim} for all members"
            raise InputError(message, mend="give a smaller range of members in 'for'")
    report = check_rules(solution.game, budget.share(_RULES_SHARE))
    # Of no member at all everything would be proved.
    model = decide((solution.game.legal,), solution.game.variables, budget).model
    if model is not None:
        # The member is shown by an example: its negation, with numbers for names, has no model.
        numbers = {name: t.Int(number) for name, number in model.items()}
        words = f"some member has a legal state: {solution.game.show(tuple(model.values()))}"
        no_member = negation(substitute(solution.game.legal, numbers))
        listed.append(Obligation("range", words, (), (no_member,)))
    for each in (*listed, *state_claims(solution, report.movers.acts, report.bounded)):
        yield _linear(each, budget)


def _linear(given: Obligation, budget: Budget) -> LinearClaim:
    if not has_products(given.parts):
        is_known = decide(given.parts, given.names, budget).kind == "unsat"
        return LinearClaim(replace(given, is_known=is_known), given.parts)
    # Products of unknowns get names, and facts about integers that each are true: what is left is
    # linear, and its contradiction proves the given obligation.
    proof = decide_products(given.parts, given.names, budget).proof
    if proof is None:
        return LinearClaim(replace(given, is_known=False), given.parts)
    names = (*given.names, *proof.definitions)
    linear = replace(given, names=names, parts=proof.parts, is_known=True)
    facts = tuple((_words(fact), restate_fact(fact)) for fact in proof.facts)
    return LinearClaim(linear, given.parts, proof.definitions, facts)


def _words(fact: Fact) -> str:
    """Return as text what ``fact`` is: the name of its schema, and the terms that it is about."""
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
    """Yield pairs (divisor, obligation that it is at least 1) for divisors in ``claim`` that are no
    positive numbers. The obligation supposes the parts of the range without such divisors."""
    solution = claim.solution
    # A part of the range with such a divisor would suppose what is to be shown.
    plain = [part for part in conjuncts(claim.where) if not list(_divisors(part))]
    nodes = (*solution.game.formulas(), *solution.formulas())
    for divisor in dict.fromkeys(d for node in nodes for d in _divisors(node)):
        words = f"the divisor {divisor} is positive"
        parts = (*plain, t.compare(divisor, "<=", 0))
        yield divisor, Obligation("range", words, claim.constants, parts)


def _divisors(node: t.Node) -> Iterator[t.Term]:
    for each in walk(node):
        if isinstance(each, t.Mod | t.Div):
            divisor = fold(each.divisor)
            if not isinstance(divisor, t.Int) or divisor.value < 1:
                yield divisor


# --- families ------------------------------------------------------------------------------------

FamilyStatus: TypeAlias = Literal["theorem", "conjecture", "refuted"]

_PLAYED = 8  # small members that are played through before any proof
_SOUGHT = 60  # small members played in search of a counterexample smaller than the one found
_PLAY_SHARE = 0.2  # of the budget, for each of these two plays
_CASES_SHARE = 0.2  # of the budget, to see what is known of the constants in each case
_NEEDED = ("termination", "winning", "strategy")


@dataclass(frozen=True)
class FamilyCounterexample:
    """A member, and a state of it, that refute ``claim``; no state if a divisor is not positive."""

    constants: Mapping[str, int]
    state: Mapping[str, int] | None
    claim: str


@dataclass(frozen=True)
class FamilyProof:
    """The result of proving a family's claim; ``why`` says what is open, of a conjecture.

    ``members`` members were played through, at ``states`` states in all."""

    claim: FamilyClaim
    status: FamilyStatus
    why: str = ""
    counterexample: FamilyCounterexample | None = None
    certificate: Certificate | None = None
    members: int = 0
    states: int = 0


def prove_family(claim: FamilyClaim, budget: Budget) -> FamilyProof:
    """Return ``claim`` as a theorem for all members, as refuted by play, or as a conjecture. A
    claim of more than two cases of the constants is proved case by case, and one of two as well
    where it is not proved as a whole."""
    found = _check_divisors(claim, budget)
    if found is not None:
        return found
    cases = split_by_cases(claim, budget.share(_CASES_SHARE))
    whole = _prove_whole(claim, budget) if len(cases) <= 2 else None
    if whole is not None and (not cases or whole.status != "conjecture" or budget.is_spent):
        return whole
    proofs = list[FamilyProof]()
    for case in cases:
        found = _prove_whole(case, budget)
        if found.status != "theorem":
            of_case = replace(found, claim=claim, certificate=None)
            return whole if whole is not None and found.status != "refuted" else of_case
        proofs.append(found)
    made = [proof.certificate for proof in proofs if proof.certificate]
    if len({one.report.components for one in made}) > 1:  # none is known to fall in all members
        return FamilyProof(claim, "conjecture", "play ends by another ranking in each case")
    certificate = join_certificates(claim, made)
    members, states = sum(p.members for p in proofs), sum(p.states for p in proofs)
    done = FamilyProof(claim, "theorem", "", None, certificate, members, states)
    return done if certificate.is_proved else replace(done, status="conjecture")


def _prove_whole(claim: FamilyClaim, budget: Budget) -> FamilyProof:
    solution = claim.solution
    played = _play_members(claim, _PLAYED, budget.share(_PLAY_SHARE))
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
        return _refute(done, certificate, budget)
    for part in _NEEDED:
        finding = certificate.parts[part]
        if not finding.is_proved:
            return replace(done, status="conjecture", why=f"{part}: {finding.why}".rstrip(": "))
    # A theorem also needs play by the rules at far states: all else is proved of one formula.
    far = certificate.explicit.far if certificate.explicit is not None else None
    if not (certificate.is_proved and far is not None and far.states):
        return replace(done, status="conjecture", why="no far state of a member could be checked")
    return replace(done, status="theorem")


# --- divisors ---------------------------------------------------------------------------------


def _check_divisors(claim: FamilyClaim, budget: Budget) -> FamilyProof | None:
    """Return a refutation or a conjecture that names a divisor in ``claim`` which is not proved to
    be at least 1; None where all are proved."""
    for divisor, obligation in divisor_obligations(claim):
        what = f"that {obligation.claim}"
        if not free_names(divisor) <= set(claim.constants):
            return FamilyProof(claim, "conjecture", f"{what}: it is not one of constants alone")
        finding = confirm([(obligation, obligation)], budget)
        if finding.is_proved:
            continue
        constants = finding.witness
        if constants is None or not is_member(claim.where, constants):
            return FamilyProof(claim, "conjecture", what)
        wrong = FamilyCounterexample(constants, None, f"the divisor {divisor} is not positive")
        return FamilyProof(claim, "refuted", counterexample=wrong)
    return None


# --- refutation -------------------------------------------------------------------------------


def _play_members(claim: FamilyClaim, most: int, budget: Budget) -> FamilyProof:
    """Return ``claim`` refuted if play in a small box of one of the ``most`` smallest members shows
    it wrong, else as a conjecture; with the numbers of members and states that were played."""
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


def _refute(done: FamilyProof, certificate: Certificate, budget: Budget) -> FamilyProof:
    """Return ``done`` as refuted, with a state of a small member that play finds, else with one in
    which the ``certificate`` refutes a part; as a conjecture where neither has such a state."""
    smaller = _play_members(done.claim, _SOUGHT, budget.share(_PLAY_SHARE))
    if smaller.status == "refuted":
        return smaller
    names = done.claim.constants
    found = [(f.why, f.witness) for p, f in certificate.parts.items() if p in certificate.refuted]
    explicit = certificate.explicit
    if explicit is not None and explicit.far is not None and explicit.far.disagreements:
        found.append((explicit.far.claim, explicit.far.witness))
    for claim, witness in found:
        if witness is not None:
            constants = {name: witness[name] for name in names}
            state = {v: witness[v] for v in done.claim.game.variables if v not in names}
            is_lost = is_model((done.claim.losing,), witness)
            if claim == certificate.parts["strategy"].why and is_lost:
                claim += "; a condition has to leave out this state, which is lost"
            wrong = FamilyCounterexample(constants, state, claim)
            return replace(done, status="refuted", counterexample=wrong)
    return replace(done, status="conjecture", why="play on a box says otherwise")


# --- family play ---------------------------------------------------------------------------------

_SIDES = {1: 60, 2: 14}  # the largest coordinate of the box, by the number of variables
_SIDE = 6  # the largest coordinate for more variables
_GRID = {1: 200, 2: 30, 3: 8, 4: 5}  # the largest small constant, by the number of constants
_MOST = 50_000  # members looked at
_LEAST = -2  # the smallest constant of a small member


def is_member(range_: t.Formula, constants: Mapping[str, int]) -> bool:
    """Return whether the ``constants`` satisfy ``range_``; False where a divisor in it is 0."""
    try:
        return holds(range_, constants)
    except ZeroDivisionError:
        return False


def small_members(range_: t.Formula, names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield dicts of small values for the constants ``names`` that satisfy ``range_``, those with
    the smallest sum of absolute values first."""
    most = _GRID.get(len(names), 1)
    # Large ones first, so that what is cut off past _MOST begins with a negative constant.
    grid = islice(product(range(most, _LEAST - 1, -1), repeat=len(names)), _MOST)
    for numbers in sorted(grid, key=lambda drawn: (sum(map(abs, drawn)), drawn)):
        constants = dict(zip(names, numbers, strict=True))
        if is_member(range_, constants):
            yield constants


def play_member(
    solution: Solution, constants: Mapping[str, int], budget: Budget
) -> tuple[int, dict[str, int] | None]:
    """Return how many states of a small box were played out in the member with these ``constants``,
    and the smallest state where the losing formula of ``solution`` is wrong; None without one. (0,
    None) where the member cannot be played out in time."""
    try:
        member = put_constants(solution, (), constants).solution
        if member.losing is None:
            return 0, None
        game = eliminate_quantifiers(member.game, budget)
        losing = without_quantifiers(member.losing.formula, budget)
        box = Box.of(game, _SIDES.get(len(game.variables), _SIDE))
        if not box.cells:
            return 0, None
        labels = label(game, box, solution.rule, budget=budget)
    except (Refused, BudgetSpent, ZeroDivisionError):
        return 0, None
    says = on_states(losing, game.variables, labels.states)
    wrong = np.flatnonzero(labels.known & (says != (labels.outcome == LOSING)))
    if not len(wrong):
        return int(labels.known.sum()), None
    # The smallest state that is wrong is the one that people check.
    sizes = np.abs(labels.states[wrong]).sum(axis=1)
    state = labels.states[wrong[np.argmin(sizes)]]
    return int(labels.known.sum()), game.env(tuple(map(int, state)))

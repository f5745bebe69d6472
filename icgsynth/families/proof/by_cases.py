"""Prove a claim about all members of a family separately for each case of the constants.

``(k mod 3 = 0 and F) or (k mod 3 != 0 and G)`` has two cases.  In each of them what is said of
constants alone is known, and what is left is a shorter claim about fewer members.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, disjunction, free_names, negation
from icgsynth.prove.certificate import Certificate
from icgsynth.prove.discharge import confirm


def list_cases(formula: t.Formula, constants: Iterable[str]) -> list[t.Formula]:
    """Return for each disjunct of ``formula`` the conjunction of its parts on ``constants`` alone,
    equal ones once. [] where a disjunct has no such part, or where all conjunctions are equal."""
    names, found = frozenset(constants), dict[t.Formula, None]()
    for one in formula.args if isinstance(formula, t.Or) else (formula,):
        about = [part for part in conjuncts(one) if free_names(part) <= names]
        if not about:
            return []
        found[conjunction(about)] = None
    return [*found] if len(found) > 1 else []


def split_by_cases(claim: FamilyClaim, budget: Budget) -> list[FamilyClaim]:
    """Return copies of ``claim``, one for each case of the constants in its losing formula:
    together their ranges have all members. [] where the formula has no cases, or this is not proved
    within ``budget``."""
    cases = list_cases(claim.losing, claim.constants)
    if not cases or not _is_always(claim, claim.where, disjunction(cases), budget):
        return []
    return [_within(claim, case, budget) for case in cases]


def _within(claim: FamilyClaim, case: t.Formula, budget: Budget) -> FamilyClaim:
    """Return ``claim`` for the members where ``case``, a condition on the constants, is true: parts
    of its formulas that ``case`` decides are replaced by true or false."""
    where = conjunction((claim.where, case))
    known = dict[t.Formula, t.Formula]()

    def settle(node: t.Formula) -> t.Formula:
        if free_names(node) <= frozenset(claim.constants):
            if node not in known:
                known[node] = node
                for said, is_so in ((node, t.TRUE), (negation(node), t.FALSE)):
                    if _is_always(claim, where, said, budget):
                        known[node] = is_so
            return known[node]
        match node:
            case t.And(parts):
                return conjunction(map(settle, parts))
            case t.Or(parts):
                return disjunction(map(settle, parts))
            case t.Not(part):
                return negation(settle(part))
        return node

    rules = [Rule(settle(rule.when), rule.act) for rule in claim.strategy]
    return replace(
        claim,
        where=where,
        losing=settle(claim.losing),
        strategy=tuple(rule for rule in rules if rule.when != t.FALSE),
        winning=None if claim.winning is None else settle(claim.winning),
    )


def _is_always(claim: FamilyClaim, where: t.Formula, said: t.Formula, budget: Budget) -> bool:
    """Return whether two engines prove ``said`` for all values of ``claim``'s constants that
    satisfy ``where``."""
    parts = (where, negation(said))
    needed = Obligation("range", "what is said of the constants", claim.constants, parts)
    return confirm([(needed, needed)], budget).is_proved


def join_certificates(claim: FamilyClaim, made: Sequence[Certificate]) -> Certificate:
    """Return one certificate of ``claim`` from ``made``, the certificates of all its cases, which
    have one ranking. A part of the proof that some certificate lacks counts as unknown."""
    names = dict.fromkeys(chain.from_iterable(one.parts for one in made))
    lacking = Finding(Verdict.UNKNOWN)
    found = {name: _weakest([one.parts.get(name, lacking) for one in made]) for name in names}
    boxes = [one.explicit for one in made if one.explicit is not None]
    far = FarCheck(
        sum(one.far.states for one in made),
        max(one.far.up_to for one in made),
        sum(one.far.disagreements for one in made),
    )
    box = BoxCheck(
        min((one.bound for one in boxes), default=0),
        sum(one.states for one in boxes),
        sum(one.disagreements for one in boxes),
        far,
    )
    notes = tuple(dict.fromkeys(chain.from_iterable(one.notes for one in made)))
    return Certificate(claim.solution, made[0].report, found, box, notes)


def _weakest(findings: Sequence[Finding]) -> Finding:
    """Return the first of ``findings`` that is not proved. If all are proved, return the first, by
    the engines of all of them; if one finding has a single engine, by that one alone."""
    for finding in findings:
        if not finding.is_proved:
            return finding
    fewest = min((finding.by for finding in findings), key=len)
    engines = chain.from_iterable(finding.by for finding in findings)
    return replace(findings[0], by=tuple(dict.fromkeys(engines)) if len(fewest) > 1 else fewest)

"""The conjecture put to the prover, with the constant as a variable: for all members at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from icgsynth.batch.family.result import FamilyResult
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, walk
from icgsynth.process.worker import Worker
from icgsynth.prove.certificate import certify
from icgsynth.prove.families import FamilyProof, is_member, prove_family
from icgsynth.prove.family_range import narrower
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.synth.families.member_table import GameFamily, MemberTable, small_members
from icgsynth.synth.families.mined_strategy import StrategyMiner
from icgsynth.synth.families.oriented import oriented_rule

_STRATEGIES = 3  # put to the prover
_MORE = 10  # members after the solved ones that are proved one by one


def with_theorem(
    result: FamilyResult,
    family: GameFamily,
    where: t.Formula | None,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> FamilyResult:
    """``result`` with what becomes of its conjecture, if it has one.

    ``family`` has the rules; ``where`` is the range, by default from the member on from which the
    conjecture holds.  ``seconds`` bound the proof, and the search for a strategy without one.
    """
    found, is_narrowed = result.conjecture, where is None
    if found is None or result.start is None:
        return result
    if where is None:
        where = t.Compare((t.Name(result.over), t.Int(result.start)), (">=",))
    claim = FamilyClaim(
        family.game,
        (result.over,),
        where,
        result.rule,
        found.losing,
        _whole_strategy(result),
    )
    if any(isinstance(node, t.Digital | t.Recognised) for node in walk(found.losing)):
        why = "formulas of digits are not decided for all members at once"
        return replace(result, proof=FamilyProof(claim, "conjecture", why))
    progress(f"proving it for every {result.over}")
    try:
        proof = worker.call(seconds, _prove, claim, seconds)
    except BudgetSpent as spent:
        return replace(result, proof=FamilyProof(claim, "conjecture", str(spent)))
    if proof.status == "conjecture" and not claim.strategy:
        progress(f"looking for a strategy for every {result.over}")
        some = replace(family, range_=where, rule=result.rule)
        with suppress(BudgetSpent):  # it stays a conjecture
            proof = worker.call(seconds, _mined, some, proof, seconds)
    result = replace(result, proof=proof)
    if proof.status != "refuted":
        return result
    progress("looking for the members that it is true for")
    try:
        smaller = worker.call(seconds, _narrower, proof, seconds)
    except BudgetSpent:
        smaller = None
    if smaller is not None:
        return replace(result, narrower=smaller, is_narrowed=is_narrowed)
    return replace(result, also_proved=_one_by_one(result, proof, seconds, worker))


def _one_by_one(
    result: FamilyResult, refuted: FamilyProof, seconds: float, worker: Worker
) -> tuple[int, ...]:
    """Members between those that were solved and the counterexample, each proved by itself."""
    wrong = refuted.counterexample
    after = max(result.proved_for) + 1
    end = after if wrong is None else min(wrong.constants[result.over], after + _MORE)
    proved: list[int] = []
    for k in range(after, end):
        try:
            if is_member(refuted.claim.where, {result.over: k}):
                done = worker.call(seconds, _is_proved, refuted.claim, {result.over: k}, seconds)
                proved += [k] * done
        except BudgetSpent:
            break
    return tuple(proved)


def _whole_strategy(result: FamilyResult) -> tuple[Rule, ...]:
    """The rules of all cases in one list; none where a case has none."""
    found, over = result.conjecture, result.over
    if found is None or None in result.strategies:
        return ()
    rules: list[Rule] = []
    for case, strategy in zip(found.cases, result.strategies, strict=True):
        for rule in strategy.rules if strategy is not None else ():
            parts = [case.condition(over)] if len(found.cases) > 1 else []
            rules.append(Rule(conjunction((*parts, rule.when)), rule.act))
    return tuple(rules)


def _prove(claim: FamilyClaim, seconds: float) -> FamilyProof:
    """In the worker."""
    return prove_family(claim, Budget(seconds))


def _is_proved(claim: FamilyClaim, constants: Mapping[str, int], seconds: float) -> bool:
    """In the worker: one member, by the verifier."""
    member = put_constants(replace(claim, strategy=()).solution, (), constants).solution
    return certify(member, Budget(seconds)).is_proved


def _mined(family: GameFamily, proof: FamilyProof, seconds: float) -> FamilyProof:
    """In the worker: with a strategy that is found on a table of members, where that proves it."""
    budget = Budget(seconds)
    # It stays a conjecture where no table holds a number, or a quantifier is not eliminated.
    with suppress(OverflowError, Refused):
        plain = family.without_quantifiers(budget.share(0.3))
        table = MemberTable.of(plain, small_members(plain), budget)
        if not len(table.rows):
            return proof
        miner = StrategyMiner(table, proof.claim.losing, budget)
        for pairs in islice(miner.strategies(), _STRATEGIES):
            rules = tuple(oriented_rule(pair, family.free) for pair in pairs)
            found = prove_family(replace(proof.claim, strategy=rules), budget)
            if found.status == "theorem":
                return found
    return proof


def _narrower(refuted: FamilyProof, seconds: float) -> FamilyProof | None:
    """In the worker."""
    return narrower(refuted, Budget(seconds))

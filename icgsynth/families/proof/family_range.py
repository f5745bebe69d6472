"""Find the range of members for which a claim is true, if it is not the range asked for.

The range of a refuted claim is narrowed by at most two conditions on the constants that leave out
all members seen to be false, and as few true ones as can be.  That of a theorem is widened below
the least constants that were asked for.  Both are found by play and then proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, permutations

from icgsynth.budget import Budget
from icgsynth.families.proof.families import (
    FamilyCounterexample,
    FamilyProof,
    is_member,
    play_member,
    prove_family,
    small_members,
)
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts

_LOOKED_AT = 60  # small members that are played through
_TRIED = 3  # ranges put to the prover
_FEWEST = 3  # true members that make a range worth a word
_PLAY_SHARE = 0.3  # of the budget
_LEAST = 1  # constant down to which a range is widened: with 0 and less, rules mostly mean nothing
_OTHERS = 3  # members with the next smaller constant that are played through


def narrower(
    refuted: FamilyProof,
    budget: Budget,
    prove: Callable[[FamilyClaim], FamilyProof] | None = None,
) -> FamilyProof | None:
    """Return a theorem for a part of the range of the claim ``refuted``; None where none is found.
    ``prove`` is called with each narrower claim, and may give it another strategy; by default the
    claim is proved as it is."""
    prove = prove or (lambda claim: prove_family(claim, budget))
    claim = refuted.claim
    wrong = [refuted.counterexample.constants] if refuted.counterexample else []
    right: list[Mapping[str, int]] = []
    time = budget.share(_PLAY_SHARE)
    for member in islice(small_members(claim.where, claim.constants), _LOOKED_AT):
        if time.is_spent:
            break
        states, found = play_member(claim.solution, member, time)
        if member not in wrong and (states or found):
            (right if found is None else wrong).append(member)
    for where in islice(_ranges(claim, right, wrong), _TRIED):
        smaller = replace(claim, where=said_once(conjunction((claim.where, *where))))
        proof = prove(smaller)
        if proof.status == "theorem":
            return proof
    return None


def wider(
    theorem: FamilyProof, asked: Mapping[str, int], budget: Budget
) -> tuple[FamilyProof, tuple[FamilyCounterexample, ...]]:
    """Return ``theorem``, its range extended to smaller constants where that is proved, and members
    just below the range, each with a state where the formula is wrong. ``asked`` has the least
    value that was asked for of each constant; the range is extended only where it begins at that
    value."""
    wrong: list[FamilyCounterexample] = []
    for name, first in asked.items():
        bound = t.compare(t.Name(name), ">=", first)
        if first <= _LEAST or bound not in conjuncts(theorem.claim.where):
            continue
        least = first
        while least > _LEAST:
            # One smaller constant at a time, played out; the proof is asked once, for all of them.
            below = _with_bound(theorem.claim, bound, t.compare(t.Name(name), "=", least - 1))
            played, found = _play_members(below, budget)
            if found is not None:
                wrong.append(found)
            if found is not None or not played:
                break
            least -= 1
        if least < first:
            claim = _with_bound(theorem.claim, bound, t.compare(t.Name(name), ">=", least))
            proof = prove_family(claim, budget.share(0.5))
            theorem = proof if proof.status == "theorem" else theorem
    return theorem, tuple(wrong)


def _play_members(claim: FamilyClaim, budget: Budget) -> tuple[int, FamilyCounterexample | None]:
    """Return how many states were played in three small members of ``claim``, and a member with a
    state that refutes its formula; None without one."""
    seen = 0
    for member in islice(small_members(claim.where, claim.constants), _OTHERS):
        states, state = play_member(claim.solution, member, budget)
        if state is not None:
            return states, FamilyCounterexample(member, state, "play on a box says otherwise")
        seen += states
    return seen, None


def _with_bound(claim: FamilyClaim, old: t.Formula, new: t.Formula) -> FamilyClaim:
    parts = [new if part == old else part for part in conjuncts(claim.where)]
    return replace(claim, where=conjunction(parts))


def said_once(range_: t.Formula) -> t.Formula:
    """Return ``range_`` without bounds of a constant that a closer bound implies.

    ``n >= 2 and n >= 5`` is ``n >= 5``."""
    parts = list(dict.fromkeys(conjuncts(range_)))
    closest: dict[tuple[t.Term, str], int] = {}
    for part in parts:
        match part:
            case t.Compare((t.Name() as x, t.Int(number)), (">=" | "<=" as sign,)):
                closer = max if sign == ">=" else min
                closest[x, sign] = closer(number, closest.get((x, sign), number))
    return conjunction(part for part in parts if not _is_implied(part, closest))


def _is_implied(part: t.Formula, closest: Mapping[tuple[t.Term, str], int]) -> bool:
    match part:
        case t.Compare((t.Name() as x, t.Int(number)), (">=" | "<=" as sign,)):
            return closest[x, sign] != number
    return False


def _ranges(
    claim: FamilyClaim, right: Sequence[Mapping[str, int]], wrong: Sequence[Mapping[str, int]]
) -> Iterator[tuple[t.Formula, ...]]:
    """Yield tuples of one or two conditions on ``claim``'s constants that no member in ``wrong``
    satisfies and at least three in ``right`` do, those that most of ``right`` satisfy first."""
    # A condition that leaves out no false member is of no use.
    literals = [f for f in _literals(claim, right) if not all(is_member(f, w) for w in wrong)]
    pairs = chain(((f,) for f in literals), combinations(literals, 2))
    rated: list[tuple[int, int, tuple[t.Formula, ...]]] = []
    for some in pairs:
        both = conjunction(some)
        kept = sum(is_member(both, r) for r in right)
        if kept >= _FEWEST and not any(is_member(both, w) for w in wrong):
            rated.append((-kept, len(some), some))
    yield from (some for _, _, some in sorted(rated, key=lambda r: r[:2]))


def _literals(claim: FamilyClaim, right: Sequence[Mapping[str, int]]) -> Iterator[t.Formula]:
    for name in claim.constants:
        x = t.Name(name)
        for number in sorted({member[name] for member in right}):
            yield t.compare(x, ">=", number)
            yield t.compare(x, "<=", number)
        for modulus in (2, 3):
            for rest in range(modulus):
                yield t.compare(t.Mod(x, t.Int(modulus)), "=", rest)
        yield t.compare(t.Mod(x, t.Int(3)), "!=", 0)
    for first, second in permutations(claim.constants, 2):
        x, y = t.Name(first), t.Name(second)
        sides: tuple[tuple[t.Term, str], ...] = ((y, "<="), (y, "<"), (t.Mul(t.Int(2), y), "<="))
        yield from (t.compare(x, sign, side) for side, sign in sides)
    for first, second in combinations(claim.constants, 2):
        yield t.compare(t.Name(first), "!=", t.Name(second))

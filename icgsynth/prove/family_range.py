"""The members that a refuted claim is true for: a smaller range, found by play and then proved.

The range is narrowed by at most two conditions on the constants that leave out all members seen to
be false, and as few true ones as can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, permutations

from icgsynth.budget import Budget
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.logic.term import Compare, Formula, Int, Mod, Mul, Name, Term, conjunction
from icgsynth.prove.families import FamilyProof, prove_family
from icgsynth.prove.family_play import is_member, play_member, small_members

__all__ = ["narrower"]

_LOOKED_AT = 60  # small members that are played through
_TRIED = 3  # ranges put to the prover
_FEWEST = 3  # true members that make a range worth a word
_PLAY_SHARE = 0.3  # of the budget


def narrower(refuted: FamilyProof, budget: Budget) -> FamilyProof | None:
    """A theorem for a part of the range of ``refuted``; None where none is found."""
    claim = refuted.claim
    wrong = [refuted.counterexample.constants] if refuted.counterexample else []
    right: list[Mapping[str, int]] = []
    time = Budget(budget.remaining() * _PLAY_SHARE)
    for member in islice(small_members(claim.where, claim.constants), _LOOKED_AT):
        if time.is_spent:
            break
        states, found = play_member(claim.solution, member, time)
        if member not in wrong and (states or found):
            (right if found is None else wrong).append(member)
    for where in islice(_ranges(claim, right, wrong), _TRIED):
        smaller = replace(claim, where=conjunction((claim.where, *where)))
        proof = prove_family(smaller, Budget(budget.remaining()))
        if proof.status == "theorem":
            return proof
    return None


def _ranges(
    claim: FamilyClaim, right: Sequence[Mapping[str, int]], wrong: Sequence[Mapping[str, int]]
) -> Iterator[tuple[Formula, ...]]:
    """What to add to the range, that which keeps the most of ``right`` first."""
    literals = [f for f in _literals(claim, right) if not all(is_member(f, w) for w in wrong)]
    pairs = chain(((f,) for f in literals), combinations(literals, 2))
    rated: list[tuple[int, int, tuple[Formula, ...]]] = []
    for some in pairs:
        both = conjunction(some)
        kept = sum(is_member(both, r) for r in right)
        if kept >= _FEWEST and not any(is_member(both, w) for w in wrong):
            rated.append((-kept, len(some), some))
    yield from (some for _, _, some in sorted(rated, key=lambda r: r[:2]))


def _literals(claim: FamilyClaim, right: Sequence[Mapping[str, int]]) -> Iterator[Formula]:
    for name in claim.constants:
        x = Name(name)
        for number in sorted({member[name] for member in right}):
            yield Compare((x, Int(number)), (">=",))
            yield Compare((x, Int(number)), ("<=",))
        for modulus in (2, 3):
            for rest in range(modulus):
                yield Compare((Mod(x, Int(modulus)), Int(rest)), ("=",))
        yield Compare((Mod(x, Int(3)), Int(0)), ("!=",))
    for first, second in permutations(claim.constants, 2):
        x, y = Name(first), Name(second)
        sides: tuple[tuple[Term, str], ...] = ((y, "<="), (y, "<"), (Mul(Int(2), y), "<="))
        yield from (Compare((x, side), (sign,)) for side, sign in sides)
    for first, second in combinations(claim.constants, 2):
        yield Compare((Name(first), Name(second)), ("!=",))

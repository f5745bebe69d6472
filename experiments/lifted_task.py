"""Prove one theorem about members of a lifted family, and widen it to more members.

A theorem is about some of the constants, the others fixed at values that files have.  Where its
formulas are proved for more values, with the same strategy or with one that is mined again, the
range is wider, and constants that were fixed are free.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import inf
from typing import NamedTuple, TypeAlias

from experiments.agreed_members import theorems_for_some
from experiments.lifted_families import LiftedFamily
from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.families.proof.families import FamilyProof, is_member, prove_family
from icgsynth.families.proof.family_range import narrower
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search.member_table import GameFamily
from icgsynth.families.search.theorem_search import (
    Guesses,
    family_theorem,
    theorem_about,
    with_strategy,
)
from icgsynth.game.game import PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction

MORE = 20.0  # seconds for saying a theorem of more members
_SOME = 25.0  # seconds, for a theorem about files that are alike
_PROVE, _MINE, _NARROW = 3.0, 3.0, 8.0  # seconds of them for one such theorem

Values: TypeAlias = Mapping[str, int]


@dataclass(frozen=True)
class LiftedTask:
    """A theorem about the ``free`` constants is sought, in one of the ``ranges`` (conjuncts).

    All files that it is ``wanted`` for are in each of them.
    """

    family: LiftedFamily
    rule: PlayRule
    free: tuple[str, ...]
    fixed: Values
    ranges: tuple[tuple[t.Formula, ...], ...]
    wanted: tuple[Values, ...] = ()

    def members(self, where: t.Formula) -> GameFamily:
        """Return the family whose members are those of the range ``where``."""
        spec, fixed = self.family.spec, tuple(self.fixed.items())
        return GameFamily(spec, self.free, where, self.rule, fixed)


class Attempted(NamedTuple):
    """A theorem, if one was found, with the values that stay fixed; ``seconds`` on a processor.

    ``is_cut`` says that the search ended because its time was over.
    """

    proof: FamilyProof | None
    fixed: Values
    seconds: float
    is_cut: bool


def ranges(members: Sequence[Values], free: Sequence[str]) -> Iterator[tuple[t.Formula, ...]]:
    """Ranges to try, as conjuncts, which all ``members`` are in: wide ones first.

    Constants are positive where those of all members are, or not negative; and they are in the
    order that they have in all members.
    """
    least = {name: min(values[name] for values in members) for name in free}
    orders: list[t.Formula] = []
    for one, other in combinations(free, 2):
        signs = {(m[one] > m[other]) - (m[one] < m[other]) for m in members}
        words = {(-1,): "<", (1,): ">", (-1, 0): "<=", (0, 1): ">=", (-1, 1): "!="}
        if (sign := words.get(tuple(sorted(signs)))) is not None:
            orders.append(t.compare(t.Name(one), sign, t.Name(other)))
    starts = (tuple(min(n, 1) for n in least.values()), tuple(least.values()))
    for start in dict.fromkeys(starts):
        bounds = zip(free, start, strict=True)
        yield (*(t.compare(t.Name(n), ">=", at) for n, at in bounds), *orders)


def files_inside(family: LiftedFamily, proof: FamilyProof, fixed: Values) -> set[str]:
    """The files that are inside the range of a theorem."""
    free, where = proof.claim.constants, proof.claim.where
    return {
        name
        for name, values in family.members.items()
        if fixed.items() <= values.items() and is_member(where, {n: values[n] for n in free})
    }


def look_for_theorem(task: LiftedTask, seconds: float) -> Attempted:
    """The first theorem for one of the ranges, as wide as is proved.

    ``seconds`` on a processor bound the search; widening what was found has time of its own.
    """
    budget, before = Budget(inf, work=seconds), time.process_time()
    for proof in _for_some(task):
        return Attempted(proof, task.fixed, time.process_time() - before, False)
    for i, parts in enumerate(task.ranges):
        within = budget.share(1 / (len(task.ranges) - i))
        members = task.members(conjunction(parts))
        guesses: Guesses = defaultdict(list)
        try:
            first = family_theorem(members, [], within, guesses)
        except InputError:
            continue  # no constants in the range give a game
        first = first or with_strategy(members, guesses, Budget(inf, work=MORE))
        if first is not None:
            more = Budget(inf, work=MORE)
            found, fixed = _freed(task, _widened(task, first, parts, more), more)
            return Attempted(found, fixed, time.process_time() - before, False)
    return Attempted(None, task.fixed, time.process_time() - before, budget.is_spent)


def _for_some(task: LiftedTask) -> Iterator[FamilyProof]:
    """Theorems about those files that are alike, if nothing is fixed."""
    if not task.fixed and len(task.free) > 1:
        members = task.members(conjunction(task.ranges[0]))
        for proof in theorems_for_some(members, task.wanted, Budget(inf, work=_SOME)):
            if any(is_member(proof.claim.where, values) for values in task.wanted):
                yield proof


# --- for more members ---------------------------------------------------------------------------


def _proved(task: LiftedTask, budget: Budget, claim: FamilyClaim) -> FamilyProof:
    """The claim, or its formulas with a strategy that is mined for the members of its range."""
    proof = prove_family(claim, budget.within(_PROVE))
    if proof.status == "theorem":
        return proof
    fixed = {n: v for n, v in task.fixed.items() if n not in claim.constants}
    members = replace(task, free=claim.constants, fixed=fixed).members(claim.where)
    within = budget.within(_MINE)
    return theorem_about(members, claim.losing, within) or proof


def _widened(
    task: LiftedTask, proof: FamilyProof, parts: Sequence[t.Formula], budget: Budget
) -> FamilyProof:
    """Return the proof of the formulas for a wider range, as far as it can be proved."""
    for i in range(len(parts)):
        for wider in _wider(parts[i]):
            if budget.is_spent:
                return proof
            others = (*parts[:i], wider, *parts[i + 1 :])
            other = _proved(task, budget, replace(proof.claim, where=conjunction(others)))
            if other.status == "theorem":
                proof, parts = other, others
                break
    return proof


def _wider(part: t.Formula) -> Iterator[t.Formula]:
    """Without an order of two constants, or with equal ones; a bound of 1 instead of more."""
    match part:
        case t.Compare((t.Name() as name, t.Int(number)), (">=",)) if number > 1:
            yield t.compare(name, ">=", 1)
        case t.Compare((t.Name(), t.Name()) as names, (sign,)):
            yield t.TRUE
            if sign in ("<", ">"):
                yield t.Compare(names, (f"{sign}=",))


def _freed(task: LiftedTask, proof: FamilyProof, budget: Budget) -> tuple[FamilyProof, Values]:
    """Return the proof of the formulas for more values of constants that were fixed.

    First one by one; then what is left, at once and one by one, in a smaller range where a member
    refutes it, if more files are inside all the same.
    """
    fixed, family = dict(task.fixed), task.family
    single = [((name,), False) for name in fixed]
    for names, is_narrowed in (*single, ((), True), *((names, True) for names, _ in single)):
        names = names or tuple(fixed)
        if budget.is_spent or not names or not set(names) <= set(fixed):
            continue
        others = {name: value for name, value in fixed.items() if name not in names}
        free = tuple(name for name in family.constants if name not in others)
        starts = [t.compare(t.Name(n), ">=", min(1, *family.values(n))) for n in names]
        where = conjunction((proof.claim.where, *starts))
        game = family.spec.members(free, others)
        claim = replace(proof.claim, game=game, constants=free, where=where)
        wider = _proved(task, budget, claim)
        if is_narrowed and wider.status == "refuted":
            within = budget.within(_NARROW)
            wider = narrower(wider, within, partial(_proved, task, within)) or wider
        if wider.status == "theorem" and files_inside(family, wider, others) > files_inside(
            family, proof, fixed
        ):
            proof, fixed = wider, others
    return proof, fixed

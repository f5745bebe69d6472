"""A theorem learned from one table of members, where what was fitted to their answers is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from icgsynth.batch.family.result import FamilyResult
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.strategy import Rule
from icgsynth.logic.term import Compare, Formula, Int, Name
from icgsynth.process.worker import Worker
from icgsynth.prove.families import FamilyProof, prove_family
from icgsynth.synth.families.member_table import GameFamily
from icgsynth.synth.families.theorem_search import theorems

__all__ = ["with_learned_theorem"]

_TIMES = 2  # as long as a member may take
_FEWEST = 3  # proved members, for anything to be said of all
_MOST = 10  # members to learn from


def with_learned_theorem(
    result: FamilyResult,
    family: GameFamily,
    where: Formula | None,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> FamilyResult:
    """``result`` with a theorem about all members, if it has none and one is found in time.

    ``where`` is the range of the constant, by default from the first member on.  Nothing is looked
    for where a conjecture is refuted, or few members have an answer in linear arithmetic.
    """
    answers = [result.members[k].logic for k in result.proved_members]
    if result.status in ("theorem", "refuted") or answers.count("lia") < _FEWEST:
        return result
    values = list(result.members)
    if where is None:
        first = values[0] if result.start is None else result.start
        where = Compare((Name(result.over), Int(first)), (">=",))
    progress(f"looking for a theorem for every {where}")
    some = replace(family, range_=where, rule=result.rule)
    try:
        learned = worker.call(_TIMES * seconds, _learned, some, values, _TIMES * seconds)
    except BudgetSpent:
        return result
    return replace(result, learned=learned)


def _learned(family: GameFamily, values: Sequence[int], seconds: float) -> FamilyProof | None:
    """In the worker: the first theorem that is proved like any other."""
    budget, (over,) = Budget(seconds), family.free
    game = family.spec.members(family.free, dict(family.overrides))
    grid = [{over: value} for value in values if family.includes({over: value})]
    for found in theorems(family, grid[:_MOST], budget.share(0.8)):
        if found.losing is None:
            continue
        moves = tuple(pair for pair in found.strategy if isinstance(pair, Rule))
        losing = found.losing.formula
        claim = FamilyClaim(game, family.free, family.range_, family.rule, losing, moves)
        proof = prove_family(claim, budget)
        if proof.status == "theorem":
            return proof
    return None

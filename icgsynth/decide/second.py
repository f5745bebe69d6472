"""A second opinion on "unsat", by an engine that the first did not rest on.

The two share no code below the formula: isl and z3 read the obligation as it stands, not the
normal form, the bounds or the arrays that residue classes work with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from icgsynth import presburger, smt
from icgsynth.budget import Budget
from icgsynth.decide import classes
from icgsynth.smt import Answer
from icgsynth.term import Formula

__all__ = ["second_opinion"]

_QUICK = 10_000  # operations of isl, about 3 ms: enough for most obligations of games
_FULL = 30_000_000  # of isl, which seldom takes more than a second for them
_TURNS = (1.0, 8.0)  # seconds that z3 gets, and then isl, before it is the other's turn again


def second_opinion(
    parts: Iterable[Formula], names: Sequence[str], first: frozenset[str], budget: Budget
) -> Answer:
    """What an engine that is not among ``first`` says of the conjunction of ``parts``.

    "sat" comes with a model, evaluated where there is no quantifier.
    """
    given = tuple(parts)
    answer = Answer("unknown")
    if presburger.NAME not in first:
        answer = presburger.refute(given, names, budget, _QUICK)
    for seconds in _TURNS:
        turn = Budget(min(seconds, budget.remaining()))
        if answer.kind == "unknown" and smt.NAME not in first:
            answer = smt.satisfy(given, names, turn)
        if answer.kind == "unknown" and first == {smt.NAME}:
            answer = classes.satisfy(given, names, turn, classes.FULL, first)
        turn = Budget(min(seconds, budget.remaining()))
        if answer.kind == "unknown" and presburger.NAME not in first:
            answer = presburger.refute_by_remainders(given, names, turn, _FULL)
        if answer.kind == "unknown" and presburger.NAME not in first:
            answer = presburger.refute(given, names, turn, _FULL)
        if answer.kind != "unknown" or budget.is_spent:
            break
    return answer

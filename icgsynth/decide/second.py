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
_FULL = 3_000_000
_PATIENCE = 10.0  # seconds that z3 gets before isl has another, longer try


def second_opinion(
    parts: Iterable[Formula], names: Sequence[str], first: frozenset[str], budget: Budget
) -> Answer:
    """What an engine that is not among ``first`` says of the conjunction of ``parts``.

    "sat" comes with a model, evaluated where there is no quantifier.
    """
    given = tuple(parts)
    may_ask_isl = presburger.NAME not in first
    answer = Answer("unknown")
    if may_ask_isl:
        answer = presburger.refute(given, names, budget, _QUICK)
    if answer.kind == "unknown" and smt.NAME not in first:
        answer = smt.satisfy(given, names, Budget(min(_PATIENCE, budget.remaining())))
    if answer.kind == "unknown" and first == {smt.NAME}:
        answer = classes.satisfy(given, names, budget.share(0.5), classes.FULL, first)
    if answer.kind == "unknown" and may_ask_isl:
        answer = presburger.refute(given, names, budget, _FULL)
    return answer

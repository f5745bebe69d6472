"""The deciders in turn: what one of them settles is settled.

Residue classes decide nearly all obligations of games, within milliseconds; isl is next, which
copes with large moduli if the disjuncts are few.  Then z3 has a short try, for it decides quickly
or not for long.  The caps of these three count steps, so that what they settle does not depend on
the speed of the machine.  After them the first two again, with larger caps; and at last z3 with
what is left of the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.deciders import classes, presburger, products, smt
from icgsynth.prove.deciders.products import has_products
from icgsynth.prove.deciders.smt import SolverReply

__all__ = ["decide", "forget"]

_OPERATIONS = 100_000  # of isl, about 30 ms, for its first attempt
_FIRST = 2_000_000  # steps of z3, some 0.2 s, for its first attempt
_FEW_PARTS = 4  # so many parts are all asked at once
_MOST_KEPT = 20_000  # questions whose "unsat" is remembered

_settled: dict[tuple[tuple[t.Formula, ...], tuple[str, ...]], SolverReply] = {}


def forget() -> None:
    """Forget what was settled: for tests, which plant faults in the deciders."""
    _settled.clear()


def decide(parts: Iterable[t.Formula], names: Sequence[str], budget: Budget) -> SolverReply:
    """Whether the conjunction of ``parts`` has a model; ``names`` are their free names.

    "sat" comes with a model, evaluated where there is no quantifier; "unsat" with the engines
    that it rests on, and it is remembered; "unknown" is neither of the others.
    """
    key = (tuple(parts), tuple(names))
    answer = _settled.get(key)
    if answer is None:
        answer = _decide(*key, budget)
        if answer.kind == "unsat":
            if len(_settled) >= _MOST_KEPT:
                _settled.clear()
            _settled[key] = answer
    return answer


def _decide(given: tuple[t.Formula, ...], names: Sequence[str], budget: Budget) -> SolverReply:
    if has_products(given):
        return products.satisfy(given, names, budget)
    if len(given) > _FEW_PARTS:
        # A pair of a strategy, say: its own condition mostly says all, and the earlier
        # conditions in the middle, which it has to be free of, are many.
        core = _quick((*given[:2], given[-1]), names, budget)
        if core.kind == "unsat" or _is_model(given, core):
            return core
    answer = _quick(given, names, budget)
    for attempt in (_z3_at_first, classes.satisfy, presburger.satisfy, smt.satisfy):
        if answer.kind != "unknown" or budget.is_spent:
            break
        answer = attempt(given, names, budget)
    return answer


def _quick(parts: Sequence[t.Formula], names: Sequence[str], budget: Budget) -> SolverReply:
    answer = classes.satisfy(parts, names, budget, classes.QUICK)
    if answer.kind == "unknown":
        answer = presburger.satisfy(parts, names, budget, _OPERATIONS)
    return answer


def _z3_at_first(parts: Sequence[t.Formula], names: Sequence[str], budget: Budget) -> SolverReply:
    return smt.satisfy(parts, names, budget, _FIRST)


def _is_model(parts: Sequence[t.Formula], answer: SolverReply) -> bool:
    """Whether the model, if there is one, is known to satisfy all of ``parts``."""
    model = answer.model
    if model is None or any(isinstance(n, t.Quantified) for part in parts for n in walk(part)):
        return False
    return all(satisfies(part, model) for part in parts)

"""The deciders in turn, until one settles a question; and which others may confirm it.

Residue classes decide nearly all obligations of games, within milliseconds; isl is next, which
copes with large moduli if the disjuncts are few.  Then z3 has a short try, for it decides quickly
or not for long.  The caps of these three count steps, so that what they settle does not depend on
the speed of the machine.  After them the first two again, with larger caps; and at last z3 with
what is left of the budget.

A second opinion on "unsat" comes from an engine that reads nothing on which the first answer rests:

* z3 reads a formula as it stands;
* isl and residue classes read its normal form (:mod:`icgsynth.logic.normal`), and residue classes
  ask isl or z3 about what the congruences leave;
* isl reads it term by term as well, as it stands, quantifiers included;
* remainders are Python code for the formula as it stands, by a compiler that the check of far
  states uses as well, and what they leave is read by isl term by term."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import Unproved
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders import classes, presburger, smt
from icgsynth.prove.deciders.presburger.normal_sets import NORMAL
from icgsynth.prove.deciders.smt import SolverReply

# In the order of reports.
ENGINES = (classes.NAME, presburger.REMAINDERS, presburger.NAME, smt.NAME)

_QUICK = 10_000  # operations of isl, about 3 ms: enough for most obligations of games
_SOME = 100_000  # about 30 ms; for its first attempt as well
_MORE = 1_000_000  # about half a second
_FULL = 30_000_000  # about 15 s
_STEPS = 2_000_000  # of z3, some 0.2 s; for its first attempt as well
_MORE_STEPS = 50_000_000  # some seconds

_FEW_PARTS = 4  # so many parts are all asked at once
_CHEAP = 2  # engines that are asked about the core of more
_BEFORE_LONG = 4  # engines before it is looked at whether z3 alone is sure


@dataclass(frozen=True)
class Engine:
    """A way to ask for "unsat", and all that the answer may rest on.
    ``reads`` are names of :attr:`SolverReply.by`; ``seconds`` at most are spent."""

    reads: frozenset[str]
    ask: Callable[[Sequence[t.Formula], Sequence[str], Budget], SolverReply]
    seconds: float = inf


def second_engines() -> Iterator[Engine]:
    """Yield the engines of a second proof in the order they are tried, the cheapest first; some
    come again with more steps."""
    z3 = frozenset((smt.NAME,))
    code = frozenset((presburger.REMAINDERS, presburger.NAME))
    normal = frozenset((NORMAL, presburger.NAME))
    by_classes = partial(classes.satisfy, without=z3)
    isl = frozenset((presburger.NAME,))
    yield Engine(isl, partial(presburger.refute, operations=_QUICK))
    yield Engine(code, partial(_by_remainders, operations=_SOME), 0.5)
    yield Engine(z3, partial(smt.satisfy, steps=_STEPS))
    # Beside z3 this alone takes quantifiers.
    yield Engine(isl, partial(presburger.refute, operations=_MORE))
    yield Engine(code, partial(_by_remainders, operations=_FULL), 3.0)
    yield Engine(normal, partial(presburger.satisfy, operations=_FULL), 6.0)
    yield Engine(normal | {classes.NAME}, by_classes, 4.0)
    yield Engine(z3, partial(smt.satisfy, steps=_MORE_STEPS))
    yield Engine(code, partial(_by_remainders, operations=_FULL), 20.0)
    yield Engine(isl, partial(presburger.refute, operations=_FULL))


def _by_remainders(
    parts: Sequence[t.Formula], names: Sequence[str], budget: Budget, operations: int
) -> SolverReply:
    from icgsynth.prove.deciders.presburger.split import refute_by_remainders

    return refute_by_remainders(parts, names, budget, operations)


def second_opinion(
    parts: Iterable[t.Formula], names: Sequence[str], first: frozenset[str], budget: Budget
) -> SolverReply:
    """Return the reply of an engine that reads nothing named in ``first``: has the conjunction of
    ``parts`` a model over the integers?

    ``names`` are its free names.  "sat" comes with a model, evaluated where there is no quantifier;
    "unsat" is remembered."""
    key = (tuple(parts), tuple(names), first)
    return _remember(key, lambda: _second(*key, budget))


def _second(
    given: tuple[t.Formula, ...], names: Sequence[str], first: frozenset[str], budget: Budget
) -> SolverReply:
    if has_products(given):
        return _of_products(given, names, budget)
    engines = list(second_engines())
    if len(given) > _FEW_PARTS:
        # As in the first proof: a pair's own condition mostly says all.  What the core of a
        # conjunction excludes, the whole excludes.
        core = _ask((*given[:2], given[-1]), names, first, engines[:_CHEAP], budget)
        if core.kind == "unsat":
            return core
    reply = _ask(given, names, first, engines[:_BEFORE_LONG], budget)
    if reply.kind != "unknown":
        return reply
    z3 = frozenset((smt.NAME,))
    if z3 < first and smt.satisfy(given, names, budget, _STEPS).kind == "unsat":
        # z3 alone reads it as it stands and is as sure: then another engine may do without z3.
        first = z3
    return _ask(given, names, first, engines[_BEFORE_LONG:], budget)


def _ask(
    given: Sequence[t.Formula],
    names: Sequence[str],
    first: frozenset[str],
    engines: Iterable[Engine],
    budget: Budget,
) -> SolverReply:
    """Return the first reply on the conjunction ``given`` that is not "unknown".  ``engines`` are
    asked in turn, but for those that read what ``first`` names."""
    for engine in engines:
        if not engine.reads.isdisjoint(first):
            continue
        answer = engine.ask(given, names, budget.within(engine.seconds))
        if answer.kind != "unknown":
            return answer
        if budget.is_spent:
            break
    return SolverReply("unknown")


def _of_products(given: tuple[t.Formula, ...], names: Sequence[str], budget: Budget) -> SolverReply:
    """Return the reply on ``given``, a conjunction with products of unknowns.  "unsat" is by a
    proof about the products that another engine than z3 confirms."""
    from icgsynth.prove.deciders.products import decide_products
    from icgsynth.prove.recheck.products import restated

    found = decide_products(given, names, budget)
    if found.kind != "unsat" or found.proof is None:
        return SolverReply(found.kind, found.model)
    try:
        query = restated(given, found.proof)
    except Unproved:
        return SolverReply("unknown")
    first = frozenset((smt.NAME,))
    reply = second_opinion(query, (*names, *found.proof.definitions), first, budget)
    return reply if reply.kind == "unsat" else SolverReply("unknown")


_MOST_KEPT = 20_000  # questions whose "unsat" is remembered

# The formulas, their names, and for a second opinion what the first one has read.
_Question: TypeAlias = tuple[tuple[t.Formula, ...], tuple[str, ...], frozenset[str] | None]
_settled: dict[_Question, SolverReply] = {}


def decide(parts: Iterable[t.Formula], names: Sequence[str], budget: Budget) -> SolverReply:
    """Return whether the conjunction of ``parts`` has a model over the integers.

    ``names`` are its free names.  "sat" comes with a model, evaluated where there is no quantifier;
    "unsat" with the engines that it rests on, and it is remembered; "unknown" where engines give
    up, or the budget is spent."""
    given, named = tuple(parts), tuple(names)
    if budget.is_spent and (given, named, None) not in _settled:
        return SolverReply("unknown")
    return _remember((given, named, None), lambda: _decide(given, named, budget))


def _remember(question: _Question, ask: Callable[[], SolverReply]) -> SolverReply:
    """Return the reply to ``question``: "unsat" if it was so before, else that of ``ask()``."""
    answer = _settled.get(question)
    if answer is None:
        answer = ask()
        if answer.kind == "unsat":
            if len(_settled) >= _MOST_KEPT:
                _settled.clear()
            _settled[question] = answer
    return answer


def _decide(given: tuple[t.Formula, ...], names: Sequence[str], budget: Budget) -> SolverReply:
    if has_products(given):
        from icgsynth.prove.deciders.products import decide_products

        return decide_products(given, names, budget)
    if len(given) > _FEW_PARTS:
        # A pair of a strategy, say: its own condition mostly says all, and the earlier
        # conditions in the middle, which it has to be free of, are many.
        core = _quick((*given[:2], given[-1]), names, budget)
        if core.kind == "unsat" or _is_model(given, core):
            return core
    answer = _quick(given, names, budget)
    z3_at_first = partial(smt.satisfy, steps=_STEPS)
    for attempt in (z3_at_first, classes.satisfy, presburger.satisfy, smt.satisfy):
        if answer.kind != "unknown" or budget.is_spent:
            break
        answer = attempt(given, names, budget)
    return answer


def _quick(parts: Sequence[t.Formula], names: Sequence[str], budget: Budget) -> SolverReply:
    answer = classes.satisfy(parts, names, budget, classes.QUICK)
    if answer.kind == "unknown":
        answer = presburger.satisfy(parts, names, budget, _SOME)
    return answer


def _is_model(parts: Sequence[t.Formula], answer: SolverReply) -> bool:
    model = answer.model
    if model is None or any(isinstance(n, t.Quantified) for part in parts for n in walk(part)):
        return False
    return all(satisfies(part, model) for part in parts)

"""Decide by residue classes: where congruences abound, they are settled before any solver.

Negating a union of congruences is what explodes in a solver for Presburger arithmetic.  On one
residue class every congruence is true or false, and what remains is a small formula without
any.  All classes are evaluated at once, most of them to false; classes with the same remainder
are asked once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.normal import Unsupported, normal, weight
from icgsynth.prove.deciders import presburger, smt
from icgsynth.prove.deciders.grid import Grid, grid_of
from icgsynth.prove.deciders.partial import Codes, OnGrid, Partial, refutes
from icgsynth.prove.deciders.presburger.normal_sets import NORMAL
from icgsynth.prove.deciders.smt import SolverReply

NAME = "residue classes"
_OPERATIONS = 200_000  # of isl, for one remainder
_THIN = 8  # one class in so many left: go on with those alone


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits on the work for one question: counts of steps, so that the clock does not matter."""

    classes: int
    work: int  # truth values over all classes and subformulas
    codes: int  # different remainders of subformulas
    calls: int  # remainders of the whole, each a question for a solver


QUICK = Caps(classes=200_000, work=300_000_000, codes=500, calls=20)
FULL = Caps(classes=200_000, work=2_000_000_000, codes=50_000, calls=8_000)


def satisfy(
    parts: Iterable[t.Formula],
    names: Sequence[str],
    budget: Budget,
    caps: Caps = FULL,
    without: frozenset[str] = frozenset(),
) -> SolverReply:
    """Return whether the conjunction of ``parts`` has a model over the integers.

    ``names`` are all free names, and ``caps`` limits of the work.  What is left to decide on a
    residue class is asked of isl and z3, but for those named in ``without``.  "unknown" where caps
    or budget do not suffice, and for numbers of more than 62 bits."""
    given = tuple(parts)
    try:
        pieces = sorted(conjuncts(*normal(given, budget)), key=weight)
        if not names:
            names = ("",)  # numpy has no use for a grid without axes
        return _search(given, pieces, tuple(names), budget, caps, without)
    except (Unsupported, Refused, BudgetSpent, RecursionError, OverflowError):
        return SolverReply("unknown")


def _search(
    given: Sequence[t.Formula],
    pieces: Sequence[t.Formula],
    names: tuple[str, ...],
    budget: Budget,
    caps: Caps,
    without: frozenset[str],
) -> SolverReply:
    grid = grid_of(pieces, names, caps.classes)
    partial = Partial(names, caps.codes, caps.work)
    evaluator = OnGrid(partial, grid)
    left: Codes = grid.inhabited
    for piece in pieces:
        budget.check()
        left = evaluator.join_parts(t.And, [left, evaluator.of(piece)])
        alive = np.flatnonzero(left)
        if not alive.size:
            return SolverReply("unsat", by=frozenset((NORMAL, NAME)))
        if left.size > alive.size * _THIN and left.shape == grid.shape:
            left = left.ravel()[alive]
            grid = grid.take(alive)
            evaluator = OnGrid(partial, grid)
    left = np.broadcast_to(left, grid.shape).ravel()
    return _ask(given, partial, grid, left, budget, caps.calls, without)


def _ask(
    given: Sequence[t.Formula],
    partial: Partial,
    grid: Grid,
    left: Codes,
    budget: Budget,
    calls: int,
    without: frozenset[str],
) -> SolverReply:
    """Return the reply for all classes of ``grid``, joined from a solver's on each different rest.
    ``left`` has for each class the code in ``partial`` of the formula that is left to decide; a
    model must satisfy ``given``.  "unknown" for more rests than ``calls``."""
    alive = np.flatnonzero(left)
    grid = grid.take(alive)
    table = [left[alive].astype(np.int64)]
    for axis in grid.axes.values():
        table += [bound.numbers for bound in (axis.low, axis.high) if bound is not None]
    _, first = np.unique(np.stack(table, axis=1), axis=0, return_index=True)
    if len(first) > calls:
        return SolverReply("unknown")
    doubt, by = False, {NORMAL, NAME}
    for row in first:
        budget.check()
        question = _remainder(partial, grid, int(left[alive[row]]), row)
        answer = _settle(question, partial.names, budget, without)
        if answer.model is not None:
            model = {
                name: axis.modulus * answer.model[name] + int(axis.residues.numbers[row])
                for name, axis in grid.axes.items()
            }
            if all(satisfies(part, model) for part in given):
                model.pop("", None)
                return SolverReply("sat", model)
            return SolverReply("unknown")
        doubt |= answer.kind == "unknown"
        by |= answer.by
    return SolverReply("unknown") if doubt else SolverReply("unsat", by=frozenset(by))


def _remainder(partial: Partial, grid: Grid, code: int, row: NDArray[np.intp]) -> list[t.Formula]:
    """Return what is left to decide on the class number ``row`` of ``grid``, as a conjunction: the
    formula with ``code`` in ``partial``, and the bounds of the quotients."""
    question: list[t.Formula] = [partial.formulas[code]]
    for name, axis in grid.axes.items():
        if axis.modulus == 0:
            question.append(t.compare(t.Name(name), "=", 0))
        if axis.low is not None:
            question.append(t.compare(t.Name(name), ">=", int(axis.low.numbers[row])))
        if axis.high is not None:
            question.append(t.compare(t.Name(name), "<=", int(axis.high.numbers[row])))
    return question


def _settle(
    question: Sequence[t.Formula], names: Sequence[str], budget: Budget, without: frozenset[str]
) -> SolverReply:
    """Return whether the conjunction ``question``, without congruences, has a model: by
    elimination, isl or z3, but for engines named in ``without``."""
    if refutes(question, names):
        return SolverReply("unsat")
    answer = SolverReply("unknown")
    if presburger.NAME not in without:
        answer = presburger.satisfy(question, names, budget, _OPERATIONS)
    if answer.kind == "unknown" and smt.NAME not in without:
        answer = smt.satisfy(question, names, budget)
    return answer

"""Weak constraints that a bias allows, and what each costs every move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.learn.bias import Bias
from icgsynth.learn.bodies import EMPTY, Body, ModeForm, extended, form_of, forms_of, grown, matches
from icgsynth.learn.counting import PLANES, add_parity, add_up
from icgsynth.learn.move_view import MoveView
from icgsynth.learn.terms import Term, Var, substituted, variables_of
from icgsynth.learn.weak import BodyLiteral, Constraint
from icgsynth.logic.bits import unpack


@dataclass(frozen=True, eq=False)
class Candidates:
    """Weak constraints of weight 1 and what they cost k moves: ``cost`` (constraints, k)."""

    constraints: tuple[Constraint, ...]
    cost: NDArray[np.int16]
    bodies: int


def candidates(bias: Bias, view: MoveView, truth: NDArray[np.uint64], count: int) -> Candidates:
    """One constraint for every distinct column of costs, the shortest first.

    ``truth`` (atoms, w) is what holds of the ``count`` moves.  A column that is the same for
    all moves can tell none apart and is left out.  :class:`~icgsynth.errors.Refused` where the
    bias allows more than 60,000 bodies.
    """
    forms = forms_of(bias, view)
    found: dict[bytes, tuple[tuple[int, int], Constraint]] = {}
    bodies = 0
    for body in grown(bias, forms):
        bodies += 1
        for parity, group in _offers(bias, body):
            column = _column(body, truth, count, parity, group)
            if column is None or (column == column[0]).all():
                continue
            key = column.tobytes()
            size = (len(body.shape) + parity, len(body.kinds))
            if key not in found or size < found[key][0]:
                found[key] = (size, _constraint(body, forms, parity, group))
    order = sorted(found, key=lambda key: found[key][0])
    cost = np.frombuffer(b"".join(order), np.int16).reshape(len(order), count)
    return Candidates(tuple(found[key][1] for key in order), cost, bodies)


class Charge:
    """A constraint made ready to charge moves of one view, again and again."""

    def __init__(self, constraint: Constraint, view: MoveView) -> None:
        self._body, names = _body(constraint, view)
        self._constraint = constraint
        self._group = None if constraint.group is None else names.index(constraint.group)

    def of(self, truth: NDArray[np.uint64], count: int) -> NDArray[np.int64]:
        """What the constraint charges each of ``count`` moves (count,), its weight included."""
        parity = self._constraint.parity
        column = _column(self._body, truth, count, parity, self._group)
        if column is None:
            most = (1 << PLANES) - 1
            raise Refused(f"a body holds more than {most:,} times: {self._constraint}")
        return self._constraint.weight * column.astype(np.int64)


def _offers(bias: Bias, body: Body) -> Iterator[tuple[bool, int | None]]:
    yield False, None
    if bias.parity:
        yield True, None
        for v in range(len(body.kinds)):
            yield True, v


def _column(
    body: Body,
    truth: NDArray[np.uint64],
    count: int,
    parity: bool,
    group: int | None,
) -> NDArray[np.int16] | None:
    """How often a body holds for each move (count,); None where a counter overflows."""
    planes = np.zeros((PLANES, truth.shape[1]), np.uint64)
    if parity:
        size = len(body.values)
        keys = np.zeros(size, np.int64) if group is None else body.values[:, group]
        order = np.argsort(keys, kind="stable")
        fits = add_parity(truth, body.columns[order], keys[order], planes)
    else:
        fits = add_up(truth, body.columns, planes)
    if not fits:
        return None
    bits = unpack(planes, count)
    total = np.zeros(count, np.int16)
    for b in range(PLANES):
        if planes[b].any():
            total += bits[b].astype(np.int16) << b
    return total


def _constraint(body: Body, forms: list[ModeForm], parity: bool, group: int | None) -> Constraint:
    names = [Var(f"V{i}") for i in range(len(body.kinds))]
    literals = []
    for number, *chosen in body.shape:
        form = forms[number]
        places = variables_of(form.pattern)
        named = {place: names[v] for place, v in zip(places, chosen, strict=True)}
        literals.append(BodyLiteral(substituted(form.pattern, named), form.positive))
    return Constraint(tuple(literals), 1, 1, parity, None if group is None else names[group])


def _body(constraint: Constraint, view: MoveView) -> tuple[Body, list[Var]]:
    """The body of a constraint with its substitutions, and the names of its variables."""
    numbers: dict[Term, int] = {}
    names: list[Var] = []
    body = EMPTY
    for literal in sorted(constraint.body, key=lambda li: not li.positive):
        own = list(dict.fromkeys(variables_of(literal.atom)))
        names += [v for v in own if v not in names]
        rows = [
            ([numbers.setdefault(values[v], len(numbers)) for v in own], column)
            for values, column in matches(literal.atom, view)
        ]
        form = form_of(0, literal.atom, ("",) * len(own), rows, literal.positive)
        body = extended(body, form, (0, *map(names.index, own)))
    return body, names

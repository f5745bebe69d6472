"""The candidate weak constraints that a bias allows, and what each charges every move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.learn.bias import Bias
from icgsynth.boards.learn.bodies import (
    EMPTY,
    Body,
    BodyPart,
    ModeForm,
    add_literal,
    form_of,
    forms_of,
    grow_bodies,
    matches,
    text_of,
)
from icgsynth.boards.learn.counting import PLANES, add_parity, add_up
from icgsynth.boards.learn.move_view import MoveView
from icgsynth.boards.learn.terms import Term, Var, substituted, variables_of
from icgsynth.boards.learn.weak import BodyLiteral, Constraint
from icgsynth.digits.arrays import unpack
from icgsynth.errors import Refused

MOST_TIMES = 1_000_000_000
"""The most substitutions of a body for one move: cost differences fit in 32 bits."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate weak constraints of weight 1, and what each costs k moves: ``cost`` (c, k).

    ``alike[i]`` are further constraints, the shortest first, that cost every move what
    ``constraints[i]`` does, which is no longer than they are.  ``complete`` says that nothing
    else in the bias can tell two moves apart.
    """

    constraints: tuple[Constraint, ...]
    cost: NDArray[np.int32]
    bodies: int
    alike: tuple[tuple[Constraint, ...], ...] = ()
    complete: bool = True


def candidates(bias: Bias, view: MoveView, truth: NDArray[np.uint64], count: int) -> Candidates:
    """Return the weak constraints that a bias allows, one for each distinct column of costs.

    A column has the cost of each of the ``count`` moves; the shortest constraint comes first.
    ``truth`` (atoms, w) has a bit for each move, by the atoms of ``view``.  A column with one cost
    for all moves can tell none apart and is left out; where the bias has one constraint a level, so
    is a second constraint with the same column. :class:`~icgsynth.errors.Refused` past 60,000
    bodies.
    """
    forms = forms_of(bias, view)
    found: dict[bytes, list[tuple[tuple[int, int], Constraint]]] = {}
    told: set[object] = set()  # what constraints read: modes may offer one more than once
    bodies, complete = 0, True
    for body in grow_bodies(bias, forms):
        if body is None:
            complete = False
            continue
        for parity, group in _offers(bias, body):
            # Two modes may offer one literal: of constraints that read alike one is kept.
            text = (parity, text_of(body, forms, group))
            if text in told:
                continue
            told.add(text)
            bodies += not parity
            column = _column(body, truth, count, parity, group)
            if column is None:
                complete = False
            # A constraint that charges all moves alike prefers none.
            elif (column != column[0]).any():
                size = (len(body.shape) + parity, len(body.kinds))
                # Constraints with the same charges are interchangeable. The shortest stands for
                # them; the others matter only where a hypothesis may hold several of them.
                same = found.setdefault(column.tobytes(), [])
                same.append((size, _constraint(body, forms, parity, group)))
                if bias.one_per_level:
                    same[:] = [min(same, key=_size)]
    for same in found.values():
        same.sort(key=_size)
    order = sorted(found, key=lambda key: found[key][0][0])
    cost = np.frombuffer(b"".join(order), np.int32).reshape(len(order), count)
    return Candidates(
        tuple(found[key][0][1] for key in order),
        cost,
        bodies,
        tuple(tuple(constraint for _, constraint in found[key][1:]) for key in order),
        complete,
    )


def _size(sized: tuple[tuple[int, int], Constraint]) -> tuple[int, int]:
    return sized[0]


class Charge:
    """A constraint prepared to compute its cost for many moves of one view."""

    def __init__(self, constraint: Constraint, view: MoveView) -> None:
        self._body, names = _body(constraint, view)
        self._constraint = constraint
        self._group = None if constraint.group is None else names.index(constraint.group)

    def of(self, truth: NDArray[np.uint64], count: int) -> NDArray[np.int64]:
        """Return the cost (count,) of each move: the weight, as often as the body holds there. Bit
        b of word j of ``truth`` (atoms, w) is for move 64 j + b.  Refused past MOST_TIMES."""
        parity = self._constraint.parity
        column = _column(self._body, truth, count, parity, self._group)
        if column is None:
            raise Refused(f"a body holds more than {MOST_TIMES:,} times: {self._constraint}")
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
) -> NDArray[np.int32] | None:
    """Return how often ``body`` holds for each move (count,), by bits of ``truth`` (atoms, w). If
    ``parity``, return 1 where that is odd, else 0; with ``group``, a variable's number, for how
    many of its values it is odd. None past :data:`MOST_TIMES`."""
    # A body holds as often as the product of its parts says, and for an odd number of
    # substitutions where each part does.
    total = np.ones(count, np.int64)
    for part in body.parts:
        total *= _times(part, truth, count, parity, group)
        if total.max(initial=0) > MOST_TIMES:
            return None
    return total.astype(np.int32)


def _times(
    part: BodyPart, truth: NDArray[np.uint64], count: int, parity: bool, group: int | None
) -> NDArray[np.int64]:
    """Return how many rows of ``part`` hold for each move (count,), by the bits of ``truth``. If
    ``parity``, 1 if that is odd, else 0; or for how many values of ``group`` in it that is odd."""
    planes = np.zeros((PLANES, truth.shape[1]), np.uint64)
    if not parity:
        add_up(truth, part.columns, planes)
    elif group in part.variables:
        # Rows sorted by the value of the group's variable: each run of equal values is one parity.
        keys = part.values[:, part.variables.index(group)]
        order = np.argsort(keys, kind="stable")
        add_parity(truth, part.columns[order], keys[order], planes)
    else:
        add_parity(truth, part.columns, np.zeros(len(part.values), np.int64), planes)
    total = np.zeros(count, np.int64)
    used = [b for b in range(PLANES) if planes[b].any()]
    for b, bits in zip(used, unpack(planes[used], count), strict=True):
        # The planes hold the count in binary, one bit of it for 64 moves in a word.
        total += bits.astype(np.int64) << b
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
    """Return a constraint's body with all its substitutions, and its variables in order."""
    numbers: dict[Term, int] = {}
    names: list[Var] = []
    body = EMPTY
    # Positive literals first: they bind the variables that negated ones read.
    for literal in sorted(constraint.body, key=lambda li: not li.positive):
        own = list(dict.fromkeys(variables_of(literal.atom)))
        names += [v for v in own if v not in names]
        rows = [
            ([numbers.setdefault(values[v], len(numbers)) for v in own], column)
            for values, column in matches(literal.atom, view)
        ]
        form = form_of(0, literal.atom, ("",) * len(own), rows, literal.positive)
        body = add_literal(body, form, (0, *map(names.index, own)))
    return body, names

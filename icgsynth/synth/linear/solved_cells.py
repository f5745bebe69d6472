"""Arguments of an action that lead into one cell of the losing formula.

A cell is a conjunction.  Its equations, read after the action, are a linear system for the
parameters of the action.  Where the system determines every parameter, its solution is the only
move into that cell, so it is worth a try whatever the sizes of its terms.  A parameter that the
system leaves open is 0, or as much as takes a variable to 0, or a number that the rules name.

Limits on one unknown of a formula in one pass, as columns.

Cheaper and coarser than :func:`icgsynth.logic.ranges.narrow`: each comparison that is linear in the
unknown is solved for it as it stands, with the other names known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, permutations, product
from typing import Any

from numpy.typing import NDArray

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, negation, substitute, walk
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Interval, hull
from icgsynth.logic.ranges import ROOM, Linear, linear
from icgsynth.logic.simplify import linear_sum

# --- limits --------------------------------------------------------------------------------------

_FREE = Interval()


def limits(formula: t.Formula, name: str, known: Mapping[str, NDArray[Any]]) -> Interval:
    """Ends, (n,) or one number, for ``name`` wherever ``formula`` holds; None is no limit.

    ``known`` gives columns (n,) for other names; what speaks of names beyond these is passed
    over.
    """
    match formula:
        case t.And(args):
            return reduce(Interval.clipped, (limits(a, name, known) for a in args), _FREE)
        case t.Or(args):
            sides = [limits(a, name, known) for a in args if a != t.Truth(False)]
            return reduce(_either, sides) if sides else _FREE
        case t.Not(arg):
            pushed = negation(arg)
            return _FREE if isinstance(pushed, t.Not) else limits(pushed, name, known)
        case t.Compare(terms, ops):
            links = zip(terms, ops, terms[1:], strict=False)
            solved = (_limited(x, op, y, name, known) for x, op, y in links)
            return reduce(Interval.clipped, solved, _FREE)
        case _:
            return _FREE


def _either(one: Interval, other: Interval) -> Interval:
    return hull(one, True, other, True)


def _limited(
    left: t.Term, op: str, right: t.Term, name: str, known: Mapping[str, NDArray[Any]]
) -> Interval:
    form = linear(t.Sum((left, t.Neg(right))))
    factor = form.factors.get(t.Name(name), 0)
    others = {term: f for term, f in form.factors.items() if term != t.Name(name)}
    if not factor or op == "!=" or any(not free_names(term) <= known.keys() for term in others):
        return _FREE
    # factor * name + rest op 0
    column = columns(linear_sum(others, form.constant), known)
    rest = column if column.ndim else int(column)
    return (ROOM[op] - Interval(rest, rest)).divided(factor)


# --- solved cells --------------------------------------------------------------------------------

_MOST = 60  # tuples of terms for one action
_NAMED = 6  # numbers of the rules for one parameter
_PARAMETERS = 4  # of an action at most, for each order of them is tried

_Row = dict[t.Term, int]  # a sum of multiples of terms that has to be the negated constant
_Equation = tuple[_Row, int]


def solved_cells(
    game: ParametricGame, losing: t.Formula, action: Action
) -> list[dict[str, t.Term]]:
    """For each cell of ``losing`` the terms that its equations give to the parameters."""
    if not 0 < len(action.parameters) <= _PARAMETERS:
        return []
    after = game.after(action)
    forms = [form for form in map(linear, after.values()) if not _has_residue(*form.factors)]
    open_ = {p: _choices(action, forms, p) for p in action.parameters}
    found: list[dict[str, t.Term]] = []
    for system in _systems(substitute(losing, after), ()):
        for order in permutations(action.parameters):
            for terms in _solutions([_equation(form) for form in system], order, open_):
                if terms not in found:
                    found.append({p: terms[p] for p in action.parameters})
            if len(found) >= _MOST:
                return found
    return found


def _systems(formula: t.Formula, given: tuple[Linear, ...]) -> Iterator[tuple[Linear, ...]]:
    """The equations of each cell; those outside of a disjunction hold in all of its cells."""
    match formula:
        case t.Or(args):
            for arg in args:
                yield from _systems(arg, given)
        case t.And(args):
            own = (*given, *(form for arg in args for form in _equations(arg)))
            choices = [arg for arg in args if isinstance(arg, t.Or)]
            for choice in choices:
                yield from _systems(choice, own)
            if not choices:
                yield own
        case _:
            yield (*given, *_equations(formula))


def _equations(formula: t.Formula) -> Iterator[Linear]:
    """Forms that are 0 where ``formula`` holds."""
    if not isinstance(formula, t.Compare):
        return
    for (left, right), op in zip(pairwise(formula.terms), formula.ops, strict=True):
        if op == "=" and not _has_residue(left, right):
            yield linear(t.Sum((left, t.Neg(right))))


def _has_residue(*terms: t.Term) -> bool:
    return any(isinstance(n, t.Mod | t.Div) for term in terms for n in walk(term))


def _equation(form: Linear) -> _Equation:
    return dict(form.factors), form.constant


def _choices(action: Action, forms: Sequence[Linear], name: str) -> list[_Equation]:
    """Equations for a parameter; ``forms`` are the variables after the action."""
    unknown = t.Name(name)
    emptied = [_equation(form) for form in forms if abs(form.factors.get(unknown, 0)) == 1]
    named: list[int] = []
    for part in walk(action.precondition):
        match part:
            case t.Compare((term, t.Int(number)), ("=",)) if term == unknown:
                named.append(number)
            case t.Member(term, numbers) if term == unknown:
                named += [number.value for number in numbers if isinstance(number, t.Int)]
    values = dict.fromkeys([0, *named[:_NAMED]])
    fixed: list[_Equation] = [({unknown: 1}, -value) for value in values]
    return [*fixed, *emptied]


def _solutions(
    system: Sequence[_Equation], order: Sequence[str], open_: Mapping[str, Sequence[_Equation]]
) -> Iterator[dict[str, t.Term]]:
    """What the equations say the parameters are, solved in this ``order``.

    ``open_`` has further equations for each parameter, if it is left open.
    """
    solved = _solved(system, order)
    for more in product(*(open_[name] for name in order if name not in solved)):
        whole = _solved([*system, *more], order)
        terms = {name: _term(name, row) for name, row in whole.items()}
        if len(terms) == len(order) and not _mentions(terms, order):
            yield terms


def _mentions(terms: Mapping[str, t.Term], parameters: Sequence[str]) -> bool:
    own = {t.Name(name) for name in parameters}
    return any(node in own for term in terms.values() for node in walk(term))


def _solved(system: Sequence[_Equation], parameters: Sequence[str]) -> dict[str, _Equation]:
    """For each parameter that can be solved for an equation without the others that can.

    Only equations in which a parameter has the coefficient 1 or -1 are solved for it.
    """
    rows = list(system)
    solved: dict[str, _Equation] = {}
    for name in parameters:
        unknown = t.Name(name)
        pivot = next((row for row in rows if abs(row[0].get(unknown, 0)) == 1), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows = [_without(row, unknown, pivot) for row in rows]
        solved = {n: _without(row, unknown, pivot) for n, row in solved.items()}
        solved[name] = pivot
    return solved


def _without(row: _Equation, unknown: t.Term, pivot: _Equation) -> _Equation:
    """``row`` less the multiple of ``pivot`` that takes ``unknown`` out of it."""
    times = row[0].get(unknown, 0) * pivot[0][unknown]
    if not times:
        return row
    total = {
        term: row[0].get(term, 0) - times * pivot[0].get(term, 0) for term in {**row[0], **pivot[0]}
    }
    return {term: f for term, f in total.items() if f}, row[1] - times * pivot[1]


def _term(name: str, row: _Equation) -> t.Term:
    """The equation solved for ``name``, whose coefficient is 1 or -1."""
    sign = -row[0][t.Name(name)]
    rest = {term: sign * f for term, f in row[0].items() if term != t.Name(name)}
    return linear_sum(rest, sign * row[1])

"""Bounds on what an action takes from two variables, where its parameters bound each other.

Where the precondition bounds the parameters by each other, as ``l < 3 k + 2`` does, the states
before and after a move are four numbers whose relation is too large to be built.  But each bound
is about one linear form: ``3 x - y`` falls by at least -1.  So the form's values before and after
get tracks of their own, and variables are eliminated one by one.  What one form leaves open has to
be few states, which are asked about one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.nodes import NEGATED
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.linear import LinearForm

_MOST_CASES = 64  # conjunctions of one condition; beyond, nothing is decided
_TAKEN = ("0?", "1?")  # the parameters, by the variable that they are taken from


@dataclass(frozen=True)
class Bounds:
    """The bounds on parameters k and l in one case of an action: both are at least ``least``,
    and ``a k + b l + c >= 0`` for each (a, b, c) of ``pairs``."""

    least: tuple[int, int]
    pairs: tuple[tuple[int, int, int], ...]

    def forms(self, k: LinearForm, l_: LinearForm) -> Iterator[LinearForm]:
        """Yield the forms that are at least 0 iff ``k`` and ``l_`` are within the bounds."""
        for taken, low in zip((k, l_), self.least, strict=True):
            yield taken - LinearForm.of({}, low)
        for a, b, c in self.pairs:
            yield k.scaled(a) + l_.scaled(b) + LinearForm.of({}, c)

    @property
    def mirrored(self) -> Bounds:
        """Return the bounds with the parameters exchanged."""
        pairs = tuple(sorted((b, a, c) for a, b, c in self.pairs))
        return Bounds((self.least[1], self.least[0]), pairs)


def bounds_of(game: ParametricGame, action: Action) -> tuple[Bounds, ...]:
    """Return the cases of ``action`` as bounds on its two parameters; () if none of them is steep,
    or the action has another form."""
    places = _places(game, action)
    if places is None:
        return ()
    env = {v: LinearForm.of({v: 1, k: 1}) for v, k in zip(game.variables, _TAKEN, strict=True)}
    env |= {p: LinearForm.of({_TAKEN[place]: 1}) for p, place in places.items()}
    try:
        cases = _list_cases(_cases(game.applicable(action), True, env))
        found = [bounds for case in cases if (bounds := _bounds(case)) is not None]
    except Undecided:
        return ()
    return tuple(dict.fromkeys(found)) if any(map(_is_steep, found)) else ()


def _is_steep(case: Bounds) -> bool:
    """Return whether in a bound ``a k + b l + c >= 0`` of ``case`` a or b exceeds 1 in size, and no
    two bounds are the parallel sides of a strip."""
    ways = {(a, b) for a, b, _ in case.pairs if a and b}
    if any((-a, -b) in ways for a, b in ways):
        return False
    return any(max(abs(a), abs(b)) > 1 for a, b in ways)


def _places(game: ParametricGame, action: Action) -> dict[str, int] | None:
    """Return by parameter of ``action`` the index of the variable that it is taken from.  None
    unless each of two parameters is taken from one of two variables."""
    if len(game.variables) != 2 or len(action.parameters) != 2:
        return None
    found: dict[str, int] = {}
    effects = dict(action.effects)
    for place, variable in enumerate(game.variables):
        for parameter in action.parameters:
            taken = LinearForm.of({variable: 1, parameter: -1})
            names = {n: LinearForm.of({n: 1}) for n in (*game.variables, *action.parameters)}
            try:
                if linear_form(effects.get(variable, t.Name(variable)), names) == taken:
                    found[parameter] = place
            except Undecided:
                return None
    return found if len(found) == 2 and set(found.values()) == {0, 1} else None


def linear_form(term: t.Term, env: Mapping[str, LinearForm]) -> LinearForm:
    """Return ``term`` as a form, with ``env`` for its names; :class:`Undecided` if not linear."""
    match term:
        case t.Int(value):
            return LinearForm.of({}, value)
        case t.Name(name) if name in env:
            return env[name]
        case t.Sum(args):
            total = LinearForm.of({})
            for arg in args:
                total = total + linear_form(arg, env)
            return total
        case t.Neg(arg):
            return linear_form(arg, env).scaled(-1)
        case t.Mul(t.Int(factor), arg) | t.Mul(arg, t.Int(factor)):
            return linear_form(arg, env).scaled(factor)
    raise Undecided(f"not linear: {term}")


def _cases(
    formula: t.Formula, holds: bool, env: Mapping[str, LinearForm]
) -> Iterator[tuple[LinearForm, ...]]:
    """Yield tuples of forms: the truth of ``formula`` is ``holds`` iff those of one tuple are >= 0.
    ``env`` has the form of each name."""
    match formula:
        case t.Truth(value):
            if value == holds:
                yield ()
        case t.Not(arg):
            yield from _cases(arg, not holds, env)
        case t.And(args) | t.Or(args):
            parts = [_list_cases(_cases(arg, holds, env)) for arg in args]
            if isinstance(formula, t.And) == holds:
                for chosen in product(*parts):
                    yield tuple(form for part in chosen for form in part)
            else:
                for part in parts:
                    yield from part
        case t.Member(term, values):
            equal: list[t.Formula] = [t.compare(term, "=", value) for value in values]
            yield from _cases(t.Or(tuple(equal)), holds, env)
        case t.Compare((left, right), (op,)):
            zero = linear_form(left, env) - linear_form(right, env)
            yield from _signs(zero, op if holds else NEGATED[op])
        case t.Compare():
            yield from _cases(t.And(tuple(t.compare(*link) for link in formula.links)), holds, env)
        case _:
            raise Undecided(f"not linear: {formula}")


def _list_cases(cases: Iterator[tuple[LinearForm, ...]]) -> list[tuple[LinearForm, ...]]:
    found = list(islice(cases, _MOST_CASES + 1))
    if len(found) > _MOST_CASES:
        raise Undecided("too many cases")
    return found


def _signs(form: LinearForm, op: str) -> Iterator[tuple[LinearForm, ...]]:
    """Yield tuples of forms; ``form op 0`` iff those of one tuple are all at least 0."""
    if op == "=":
        yield form, form.scaled(-1)
    less = LinearForm.of({}, op in ("<", ">", "!="))  # of integers, f > 0 is f - 1 >= 0
    if op in (">", ">=", "!="):
        yield (form - less,)
    if op in ("<", "<=", "!="):
        yield (form.scaled(-1) - less,)


def _bounds(forms: Sequence[LinearForm]) -> Bounds | None:
    """Return the bounds in one case, where all ``forms`` are >= 0; None if that cannot be."""
    least = [_least(name, other, forms) for name, other in (_TAKEN, _TAKEN[::-1])]
    if min(least) < 0:
        # Only what is said of the states, which are natural, can exclude such a case.
        if any(not f.tracks & set(_TAKEN) and _largest(f, {}) < 0 for f in forms):
            return None
        raise Undecided("a parameter may be negative")
    known = dict(zip(_TAKEN, least, strict=True))
    pairs: list[tuple[int, int, int]] = []
    for form in forms:
        if _largest(form, known) < 0:
            return None
        if _largest(form.scaled(-1), known) <= 0:
            continue
        if not form.tracks <= set(_TAKEN):
            raise Undecided("a bound that depends on the state")
        parts = dict(form.parts)
        a, b = (int(parts.get(name, 0)) for name in _TAKEN)
        pairs.append((a, b, int(form.constant)))
    return Bounds((least[0], least[1]), tuple(sorted(set(pairs))))


def _least(name: str, other: str, forms: Sequence[LinearForm]) -> int:
    """Return a lower bound, from ``forms`` >= 0, of the parameter ``name``; -1 if there is none.
    It is one of ``name`` alone, or through a bound of the parameter ``other``."""

    def alone(one: str) -> int:
        return max((int(-f.constant) for f in forms if dict(f.parts) == {one: 1}), default=-1)

    start = alone(other)
    above = [f for f in forms if dict(f.parts) == {name: 1, other: -1} and start >= 0]
    return max([alone(name), *(start + int(-f.constant) for f in above)])


def _largest(form: LinearForm, least: Mapping[str, int]) -> Fraction | float:
    """Return an upper bound, maybe inf, of ``form`` if names are at least ``least``, or 0."""
    if any(c > 0 for _, c in form.parts):
        return float("inf")
    return form.constant + sum(c * least.get(name, 0) for name, c in form.parts)

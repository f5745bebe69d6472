"""Evaluation of terms and formulas: one walk over the tree, for several algebras.

An :class:`Algebra` says what the operations are; :func:`evaluate` applies them.
``INTEGERS`` gives Python's unbounded integers.  ``columns`` gives numpy arrays, one
entry a state, and guards against overflow: where an intermediate value could leave 64
bits, the columns hold Python integers instead.  ``icgsynth.prove.deciders.smt`` has the third
algebra.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any

from icgsynth.digits.int64 import SAFE
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import rebuild
from icgsynth.logic.nodes import MEANING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def _no_digits(node: t.Node, _: list[Any]) -> Any:
    raise Refused(f"this solver knows no digits: {node}")


@dataclass(frozen=True, slots=True)
class Algebra:
    """The operations with which a tree is evaluated; comparisons are Python's operators."""

    constant: Callable[[int], Any]
    truth: Callable[[bool], Any]
    conjunction: Callable[[Iterable[Any]], Any]
    disjunction: Callable[[Iterable[Any]], Any]
    negation: Callable[[Any], Any]
    minimum: Callable[[Any, Any], Any]
    maximum: Callable[[Any, Any], Any]
    absolute: Callable[[Any], Any]
    choose: Callable[[Any, Any, Any], Any]
    div: Callable[[Any, Any], Any]
    quantify: Callable[[t.Quantified, Mapping[str, Any]], Any]
    mod: Callable[[Any, Any], Any] = operator.mod
    digital: Callable[[t.Digital, list[Any]], Any] = _no_digits
    recognised: Callable[[t.Recognised, list[Any]], Any] = _no_digits
    listed: Callable[[Any, frozenset[int]], Any] | None = None  # of members that are numbers


def _no_quantifier(formula: t.Quantified, _: Mapping[str, Any]) -> Any:
    raise ValueError(f"a quantified formula has no value before elimination: {formula}")


@lru_cache(maxsize=64)
def _list_members(formula: t.Member) -> frozenset[int]:
    numbers = {member.value for member in formula.values if isinstance(member, t.Int)}
    is_whole = all(isinstance(member, t.Int) for member in formula.values)
    return frozenset(numbers) if is_whole else frozenset()


def _digital(term: t.Digital, numbers: list[int]) -> int:
    system, natural = term.system, [max(0, n) for n in numbers]
    match term.kind:
        case "nimsum":
            return system.nim_sum(natural, term.modulus)
        case "shift":
            return system.shift(natural[0])
        case "unshift":
            return system.unshift(natural[0])
        case "lowpart":
            return system.low_part(natural[0])
        case "zeros":
            return system.zeros(natural[0])
        case kind:
            raise ValueError(f"no such function of digits: {kind}")


INTEGERS = Algebra(
    constant=int,
    truth=bool,
    conjunction=all,
    disjunction=any,
    negation=operator.not_,
    minimum=min,
    maximum=max,
    absolute=abs,
    choose=lambda condition, then, otherwise: then if condition else otherwise,
    div=operator.floordiv,
    quantify=_no_quantifier,
    digital=_digital,
    recognised=lambda formula, numbers: formula.automaton.accepts(numbers),
    listed=lambda left, numbers: left in numbers,
)


def evaluate(node: t.Node, env: Mapping[str, Any], algebra: Algebra) -> Any:
    """Return the value of ``node`` by ``algebra``; ``env`` maps its free names to values.
    :class:`~icgsynth.errors.Refused` for a node that ``algebra`` does not know."""
    if (operate := _OPERATIONS.get(type(node))) is not None:
        return operate(algebra, *[evaluate(part, env, algebra) for part in t.children(node)])
    match node:
        case t.Int(number):
            return algebra.constant(number)
        case t.Name(name):
            return env[name]
        case t.Compare((left, right), (op,)):
            return MEANING[op](evaluate(left, env, algebra), evaluate(right, env, algebra))
        case t.And(args):  # one by one: a column of each of 4,000 parts is much memory
            return algebra.conjunction(evaluate(arg, env, algebra) for arg in args)
        case t.Or(args):
            return algebra.disjunction(evaluate(arg, env, algebra) for arg in args)
        case t.Compare(terms, ops):
            values = pairwise(evaluate(part, env, algebra) for part in terms)
            links = zip(ops, values, strict=True)
            return algebra.conjunction(MEANING[op](*both) for op, both in links)
        case t.Member(term, members):
            left, numbers = evaluate(term, env, algebra), _list_members(node)
            if numbers and algebra.listed is not None:
                return algebra.listed(left, numbers)
            return algebra.disjunction(left == evaluate(m, env, algebra) for m in members)
        case t.Truth(truth):
            return algebra.truth(truth)
        case t.Quantified():
            return algebra.quantify(node, env)
        case t.Digital(args=args):
            return algebra.digital(node, [evaluate(arg, env, algebra) for arg in args])
        case t.Recognised(terms=args):
            return algebra.recognised(node, [evaluate(arg, env, algebra) for arg in args])
        case t.Gcd(one, other) if algebra is INTEGERS:
            return gcd(evaluate(one, env, algebra), evaluate(other, env, algebra))
        case _:
            raise Refused(f"not known here: {node}")


def _iff(algebra: Algebra, left: Any, right: Any) -> Any:
    neither = algebra.negation(algebra.disjunction([left, right]))
    return algebra.disjunction([algebra.conjunction([left, right]), neither])


# What a node of each kind is worth in an algebra, from the values of its children, in their order.
_OPERATIONS: Mapping[type, Callable[..., Any]] = {
    t.Sum: lambda _, *parts: reduce(operator.add, parts),
    t.Neg: lambda _, arg: -arg,
    t.Mul: lambda _, left, right: left * right,
    t.Mod: lambda algebra, arg, divisor: algebra.mod(arg, divisor),
    t.Div: lambda algebra, arg, divisor: algebra.div(arg, divisor),
    t.Min: lambda algebra, left, right: algebra.minimum(left, right),
    t.Max: lambda algebra, left, right: algebra.maximum(left, right),
    t.Abs: lambda algebra, arg: algebra.absolute(arg),
    t.If: lambda algebra, *parts: algebra.choose(*parts),
    t.Not: lambda algebra, arg: algebra.negation(arg),
    t.Implies: lambda algebra, one, two: algebra.disjunction([algebra.negation(one), two]),
    t.Iff: _iff,
}


def value(term: t.Term, env: Mapping[str, int]) -> int:
    """Return the integer value of ``term``, where ``env`` maps its names to integers."""
    return int(evaluate(term, env, INTEGERS))


def satisfies(formula: t.Formula, env: Mapping[str, int]) -> bool:
    """Return whether ``formula`` holds, where ``env`` maps its names to integers; ValueError for a
    formula with a quantifier."""
    return bool(evaluate(formula, env, INTEGERS))


# --- numpy columns -------------------------------------------------------------


def columns(node: t.Node, env: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return the values of ``node`` on many states at once, as a numpy array.  ``env`` maps names
    to integer arrays that broadcast against each other.  The result is ``bool`` for a formula,
    ``int64`` (or ``object``, where 64 bits might not do) for a term, and broadcasts against
    ``env``: without a name in ``node`` it has no dimension at all."""
    import numpy as np

    @cache
    def reach(name: str) -> int:
        column = env[name]
        return max(abs(int(column.max())), abs(int(column.min()))) if column.size else 0

    wide = _magnitude(node, reach)[1] >= SAFE
    if wide:
        env = {n: c.astype(object) for n, c in env.items()}
    return np.asarray(evaluate(node, env, _column_algebra(wide)))


def on_states(node: t.Node, variables: Sequence[str], states: NDArray[np.int64]) -> NDArray[Any]:
    """Return the value (n,) of ``node``, a term or formula, on each of ``states`` (n, d), whose
    columns are the d ``variables``."""
    import numpy as np

    env = dict(zip(variables, states.T, strict=True))
    return np.array(np.broadcast_to(columns(node, env), (len(states),)))


def apply_term(term: t.Term, parts: Sequence[int | NDArray[Any]]) -> int | NDArray[Any]:
    """Return the value that ``term`` has if its children, in order, have the values ``parts``: an
    integer if all are integers, else an array, elementwise."""
    import numpy as np

    names = [t.Name(str(place)) for place in range(len(parts))]
    env = {name.name: np.atleast_1d(part) for name, part in zip(names, parts, strict=True)}
    found = columns(rebuild(term, tuple(names)), env)
    return int(found[0]) if all(isinstance(part, int) for part in parts) else found


def _magnitude(node: t.Node, reach: Callable[[str], int]) -> tuple[int, int]:
    """Return (bound on the absolute value of ``node``, bound on those of it and all its parts);
    ``reach`` maps a name to a bound on its absolute value."""
    match node:
        case t.Int(number):
            return abs(number), abs(number)
        case t.Name(name):
            return reach(name), reach(name)
        case t.Member(term) if numbers := _list_members(node):
            most = max(map(abs, numbers))
            return 1, max(most, _magnitude(term, reach)[1])
        case t.Quantified():
            _no_quantifier(node, {})
    parts = [_magnitude(c, reach) for c in t.children(node)]
    inner = max((p[1] for p in parts), default=0)
    own = [p[0] for p in parts]
    match node:
        case t.Sum():
            here = sum(own)
        case t.Mul():
            here = own[0] * own[1]
        case t.Mod():
            here = own[1]
        case t.Div() | t.Min() | t.Max() | t.Neg() | t.Abs() | t.If():
            here = max(own) + 1
        case t.Digital(system=system, modulus=modulus):
            # One digit more at most, each below the modulus or the number of digits.
            length = system.length(max(own)) + 1
            here = max(system.digits, modulus) * sum(system.weights(length))
        case _:
            here = 1
    return here, max(here, inner)


def _divisor(column: Any) -> Any:
    """Return ``column`` with each 0 replaced by 1.  A condition elsewhere excludes division by
    0."""
    return column + (column == 0)


@cache
def _column_algebra(wide: bool) -> Algebra:
    """Return the :class:`Algebra` of numpy arrays: of int64, or if ``wide`` of Python integers of
    any size."""
    import numpy as np

    from icgsynth.logic.digit_columns import digital, recognise

    def box(number: Any) -> Any:
        # Left to itself, numpy would make 64-bit numbers of Python's again, or floats.
        return np.asarray(number, dtype=object) if wide else number

    def conjunction(parts: Iterable[Any]) -> Any:
        return reduce(np.logical_and, parts)

    def disjunction(parts: Iterable[Any]) -> Any:
        return reduce(np.logical_or, parts)

    return Algebra(
        constant=box,
        truth=np.bool_,
        conjunction=conjunction,
        disjunction=disjunction,
        negation=np.logical_not,
        minimum=lambda a, b: np.minimum(box(a), box(b)),
        maximum=lambda a, b: np.maximum(box(a), box(b)),
        absolute=lambda a: np.abs(box(a)),
        choose=lambda condition, a, b: np.where(condition, box(a), box(b)),
        mod=lambda a, b: a % _divisor(b),
        div=lambda a, b: a // _divisor(b),
        quantify=_no_quantifier,
        digital=lambda term, parts: digital(term, parts, _digital),
        recognised=recognise,
        listed=None if wide else lambda left, numbers: np.isin(left, list(numbers)),
    )

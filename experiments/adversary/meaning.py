"""What terms and formulas mean at a state, in plain integers; quantifiers over all integers.

A term with one name left open is, on each residue class of that name modulo the divisors that it
meets, linear between finitely many breaks: ``mod`` and ``div`` add a constant or divide the slope,
``min``, ``max``, ``abs`` and ``if`` add breaks.  So a formula with one open name holds on finitely
many progressions, which are found exactly, however large the numbers are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import gcd, inf
from typing import Any, TypeAlias

from experiments.adversary.digits import BINARY, Digits, recognises
from experiments.adversary.reading import Node, free

__all__ = ["Env", "Language", "Progression", "Undecided", "constant", "crossings"]

Env: TypeAlias = Mapping[str, int]
# What holds from each start on, up to the next; the first start is -inf.  Of a term: (slope,
# value at 0); of a formula: True or False.  None is "not known".
_Steps: TypeAlias = list[tuple[float, Any]]
_MOST_CLASSES = 20_000
_MOST_POINTS = 20_000
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Undecided(Exception):
    """The judge cannot tell; nothing is judged then."""


@dataclass(frozen=True, slots=True)
class Progression:
    """The numbers ``residue + modulus * n`` for ``low <= n <= high``; a bound may be infinite.

    Where it is not ``sure``, each has to be looked at.
    """

    residue: int
    modulus: int
    low: float
    high: float
    sure: bool

    @property
    def is_finite(self) -> bool:
        return -inf < self.low and self.high < inf

    @property
    def count(self) -> float:
        """How many numbers they are."""
        return self.high - self.low + 1

    def at(self, n: int) -> int:
        return self.residue + self.modulus * n

    def __iter__(self) -> Iterator[int]:
        return (self.at(n) for n in range(int(self.low), int(self.high) + 1))


@dataclass(frozen=True)
class Language:
    """Evaluates nodes; ``system`` and ``sets`` are what an answer in digits brings with it."""

    system: Digits = BINARY
    sets: Mapping[str, Mapping[str, Any]] | None = None

    # --- one state -------------------------------------------------------------------------

    def value(self, node: Node, env: Env) -> int:
        """The integer that a term is."""
        match node:
            case ("int", number):
                return int(number)
            case ("name", name):
                return env[name]
            case ("if", condition, then, otherwise):
                return self.value(then if self.truth(condition, env) else otherwise, env)
            case ("call", ("min" | "max" | "abs") as function, *args):
                values = [self.value(arg, env) for arg in args]
                if function == "abs":
                    return abs(values[0])
                return min(values) if function == "min" else max(values)
            case ("call", function, *args):
                return self.system.apply(function, [self.value(arg, env) for arg in args])
            case ("neg", arg):
                return -self.value(arg, env)
        head, left, right = node[0], self.value(node[1], env), self.value(node[2], env)
        match head:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "mod":
                return left % right
            case "div":
                return left // right
            case "xor":
                return self.system.apply("nimsum", [left, right])
        raise ValueError(f"not a term: {node}")

    def truth(self, node: Node, env: Env) -> bool:
        """Whether a formula holds."""
        match node:
            case ("true",):
                return True
            case ("false",):
                return False
            case ("not", arg):
                return not self.truth(arg, env)
            case ("and", *parts):
                return all(self.truth(part, env) for part in parts)
            case ("or", *parts):
                return any(self.truth(part, env) for part in parts)
            case ("->", left, right):
                return not self.truth(left, env) or self.truth(right, env)
            case ("<->", left, right):
                return self.truth(left, env) == self.truth(right, env)
            case ("chain", terms, signs):
                values = [self.value(term, env) for term in terms]
                links = zip(signs, values, values[1:], strict=False)
                return all(_COMPARE[sign](a, b) for sign, a, b in links)
            case ("in", term, values):
                return self.value(term, env) in [self.value(v, env) for v in values]
            case ("set", name, *terms):
                automaton = (self.sets or {})[name]
                numbers = [self.value(term, env) for term in terms]
                return recognises(automaton, self.system, numbers)
            case ("exists" | "forall", *_):
                return _quantified_truth(node, tuple((n, env[n]) for n in sorted(free(node))))
        raise ValueError(f"not a formula: {node}")

    def exists(self, name: str, body: Node, env: Env) -> bool:
        """Whether ``body`` holds for some integer ``name``."""
        found = self.solutions(body, name, env)
        if any(progression.sure for progression in found):
            return True
        if sum(p.count for p in found) > _MOST_POINTS:
            raise Undecided(f"whether there is such a {name}")
        return any(self.truth(body, {**env, name: q}) for p in found for q in p)

    # --- one open name -----------------------------------------------------------------------

    def solutions(
        self,
        node: Node,
        name: str,
        env: Env,
        unknown: Sequence[str] = (),
        after: Mapping[str, Node] | None = None,
        then: Node = ("true",),
    ) -> list[Progression]:
        """Where ``node`` holds or may hold, as a condition on ``name``.

        Nothing is known of the names ``unknown``.  ``then`` has to hold as well, of the values
        that the terms ``after`` give to their names.
        """
        after = after or {}
        periods = {**dict.fromkeys(env, 0), **dict.fromkeys(unknown, 0), name: 1}
        inner = {**periods, **{key: _period(term, periods) for key, term in after.items()}}
        modulus = _lcm(1, _lcm(_period(node, periods), _period(then, inner)))
        if modulus > _MOST_CLASSES:
            raise Undecided(f"a modulus of {modulus}")
        open_env: dict[str, _Steps] = {key: _always((0, number)) for key, number in env.items()}
        open_env |= {key: _always(None) for key in unknown}
        found: list[Progression] = []
        for residue in range(modulus):
            open_env[name] = _always((modulus, residue))
            steps = self.steps(node, open_env)
            if steps != [(-inf, False)] and then != ("true",):
                there = open_env | {key: self.steps(t, open_env) for key, t in after.items()}
                steps = _zipped(_and, [steps, self.steps(then, there)])
            found += _progressions(steps, residue, modulus)
        return found

    def steps(self, node: Node, env: Mapping[str, _Steps]) -> _Steps:
        """The value of a term or formula as a function of the open name."""
        match node:
            case ("int", number):
                return _always((0, number))
            case ("name", name):
                return env[name]
            case ("true",) | ("false",):
                return _always(node[0] == "true")
            case ("exists" | "forall", name, body):
                return self._quantified(node, name, body, env)
            case ("if", condition, then, otherwise):
                parts = [self.steps(part, env) for part in (condition, then, otherwise)]
                return _zipped(_choose, parts)
            case ("chain", terms, signs):
                values = [self.steps(term, env) for term in terms]
                links = zip(signs, values, values[1:], strict=False)
                return _zipped(_and, [_compared(sign, a, b) for sign, a, b in links])
            case ("in", term, members):
                value = self.steps(term, env)
                hits = [_compared("=", value, self.steps(m, env)) for m in members]
                return _zipped(_or, hits)
            case ("call", "min" | "max", left, right):
                values = [self.steps(left, env), self.steps(right, env)]
                first = _compared("<=" if node[1] == "min" else ">=", *values)
                return _zipped(_choose, [first, *values])
            case ("call", "abs", arg):
                value = self.steps(arg, env)
                positive = _compared(">=", value, _always((0, 0)))
                return _zipped(_choose, [positive, value, _zipped(_negative, [value])])
            case ("xor", left, right):
                return self.steps(("call", "nimsum", left, right), env)
            case ("call" | "set", _, *args):
                return self._digital(node, [self.steps(arg, env) for arg in args])
        function = _BY_HEAD.get(node[0])
        if function is None:
            raise Undecided(f"{node[0]} of an open name")
        return _zipped(function, [self.steps(part, env) for part in node[1:]])

    def _quantified(self, node: Node, name: str, body: Node, env: Mapping[str, _Steps]) -> _Steps:
        known = {key: _number(env[key]) for key in free(node)}
        if None not in known.values():
            return _always(self.truth(node, {k: v for k, v in known.items() if v is not None}))
        return self.steps(body, {**env, name: _always(None)})

    def _digital(self, node: Node, args: Sequence[_Steps]) -> _Steps:
        numbers = [_number(arg) for arg in args]
        if None in numbers:
            return _always(None)
        here: Node = (*node[:2], *(("int", number) for number in numbers))
        if node[0] == "set":
            return _always(self.truth(here, {}))
        return _always((0, self.value(here, {})))


@lru_cache(maxsize=100_000)
def _quantified_truth(node: Node, values: tuple[tuple[str, int], ...]) -> bool:
    """Below a quantifier there are no digits, so it means the same in every language."""
    kind, name, body = node
    if kind == "exists":
        return Language().exists(name, body, dict(values))
    return not Language().exists(name, ("not", body), dict(values))


def constant(node: Node) -> int | None:
    """The integer that a term without names is; None where it has names."""
    return None if free(node) else Language().value(node, {})


def crossings(
    language: Language, node: Node, name: str, env: Env, residues: Sequence[int]
) -> list[int]:
    """The numbers at which the truth of ``node`` changes, as ``name`` grows within a class."""
    periods = {**dict.fromkeys(env, 0), name: 1}
    modulus = max(1, _period(node, periods))
    found: list[int] = []
    open_env: dict[str, _Steps] = {key: _always((0, number)) for key, number in env.items()}
    for residue in residues:
        open_env[name] = _always((modulus, residue % modulus))
        steps = language.steps(node, open_env)
        found += [residue % modulus + modulus * int(start) for start, _ in steps[1:]]
    return found


# --- functions of an open name that are linear from step to step -----------------------------


def _always(payload: Any) -> _Steps:
    return [(-inf, payload)]


def _number(steps: _Steps) -> int | None:
    """The value of what does not depend on the open name; None of anything else."""
    if len(steps) > 1 or steps[0][1] is None or steps[0][1][0] != 0:
        return None
    return int(steps[0][1][1])


def _zipped(function: Callable[..., Any], parts: Sequence[_Steps]) -> _Steps:
    """``function`` of what the parts are, from step to step."""
    if all(len(part) == 1 for part in parts):
        return _always(function(*(part[0][1] for part in parts)))
    found: _Steps = []
    places = [0] * len(parts)
    for start in sorted({start for part in parts for start, _ in part}):
        for i, part in enumerate(parts):
            if places[i] + 1 < len(part) and part[places[i] + 1][0] == start:
                places[i] += 1
        here = function(*(part[place][1] for part, place in zip(parts, places, strict=True)))
        _append(found, start, here)
    return found


def _append(steps: _Steps, start: float, payload: Any) -> None:
    """One more step, unless nothing changes there."""
    if not steps or steps[-1][1] != payload:
        steps.append((start, payload))


def _compared(sign: str, left: _Steps, right: _Steps) -> _Steps:
    """Where the comparison holds."""
    found: _Steps = []
    steps = _zipped(_difference, [left, right])
    for (start, line), end in zip(steps, _ends(steps), strict=True):
        inner = _against_zero(sign, line)
        for (low, holds), high in zip(inner, _ends(inner), strict=True):
            if low < end and high > start:
                _append(found, max(low, start), holds)
    return found


def _ends(steps: _Steps) -> list[float]:
    """For each step the start of the next."""
    return [*(start for start, _ in steps[1:]), inf]


def _against_zero(sign: str, line: tuple[int, int] | None) -> _Steps:
    """Where ``slope * n + value`` compares with 0 as ``sign`` says, for all n."""
    if line is None:
        return _always(None)
    slope, value = line
    if slope == 0:
        return _always(_COMPARE[sign](value, 0))
    # For n below ``root`` the line has one sign, beyond ``last`` the other.
    before = -1 if slope > 0 else 1
    root, last = -(value // slope), (-value) // slope
    steps: _Steps = [(-inf, _COMPARE[sign](before, 0))]
    if root == last:
        steps.append((root, _COMPARE[sign](0, 0)))
    return [*steps, (last + 1, _COMPARE[sign](-before, 0))]


def _progressions(steps: _Steps, residue: int, modulus: int) -> Iterator[Progression]:
    for (start, holds), end in zip(steps, _ends(steps), strict=True):
        if holds is not False:
            yield Progression(residue, modulus, start, end - 1, holds is True)


def _lcm(left: int, right: int) -> int:
    """The least common multiple, where 0 stands for "does not depend on the name"."""
    return left * right // gcd(left, right) if left and right else left or right


def _period(node: Node, periods: Mapping[str, int]) -> int:
    """The modulus on whose classes ``node`` is linear from step to step; 0 for a constant."""
    match node:
        case ("name", name):
            return periods[name]
        case ("exists" | "forall", name, body):
            return _period(body, {**periods, name: 0})
        case ("chain", terms, _):
            parts = [_period(term, periods) for term in terms]
        case ("in", term, values):
            parts = [_period(part, periods) for part in (term, *values)]
        case _:
            parts = [_period(part, periods) for part in node[1:] if isinstance(part, tuple)]
    found = reduce(_lcm, parts, 0)
    if node[0] in ("mod", "div"):
        divisor = constant(node[2])
        if not divisor or divisor < 0:
            raise Undecided("a divisor that is no positive integer")
        found *= divisor
    return found


# --- payloads ----------------------------------------------------------------------------------


def _and(*parts: bool | None) -> bool | None:
    return False if False in parts else None if None in parts else True


def _or(*parts: bool | None) -> bool | None:
    return True if True in parts else None if None in parts else False


def _not(part: bool | None) -> bool | None:
    return None if part is None else not part


def _implies(left: bool | None, right: bool | None) -> bool | None:
    return _or(_not(left), right)


def _iff(left: bool | None, right: bool | None) -> bool | None:
    return None if left is None or right is None else left == right


def _choose(condition: bool | None, then: Any, otherwise: Any) -> Any:
    if condition is None:
        return then if then == otherwise else None
    return then if condition else otherwise


def _linear(function: Callable[..., tuple[int, int]]) -> Callable[..., Any]:
    """``function`` of lines, None where one of them is."""
    return lambda *lines: None if None in lines else function(*lines)


def _times(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    if left[0] and right[0]:
        raise Undecided("a product of the open name with itself")
    return (left[0] * right[1] + left[1] * right[0], left[1] * right[1])


def _remainder(line: tuple[int, int], divisor: tuple[int, int]) -> tuple[int, int]:
    assert line[0] % divisor[1] == 0, "the classes are too coarse"
    return (0, line[1] % divisor[1])


def _quotient(line: tuple[int, int], divisor: tuple[int, int]) -> tuple[int, int]:
    assert line[0] % divisor[1] == 0, "the classes are too coarse"
    return (line[0] // divisor[1], line[1] // divisor[1])


_difference = _linear(lambda a, b: (a[0] - b[0], a[1] - b[1]))
_negative = _linear(lambda a: (-a[0], -a[1]))
_BY_HEAD: dict[str, Callable[..., Any]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "->": _implies,
    "<->": _iff,
    "+": _linear(lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "-": _difference,
    "neg": _negative,
    "*": _linear(_times),
    "mod": _linear(_remainder),
    "div": _linear(_quotient),
}

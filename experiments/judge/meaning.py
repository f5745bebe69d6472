"""What terms and formulas mean at a state, in plain integers; quantifiers over all integers.

A term with one name left open is, on each residue class of that name modulo the divisors that it
meets, linear between finitely many breaks: ``mod`` and ``div`` add a constant or divide the slope,
``min``, ``max``, ``abs`` and ``if`` add breaks.  So a formula with one open name holds on finitely
many progressions, which are found exactly, however large the numbers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from math import gcd, inf
from typing import Any, TypeAlias

from experiments.judge.as_python import FORMULAS, python
from experiments.judge.digits import BINARY, Digits, recognises
from experiments.judge.named import is_in
from experiments.judge.reading import Node, Unreadable, free, parts
from experiments.judge.steps import (
    BY_HEAD,
    Steps,
    Undecided,
    all_of,
    always,
    any_of,
    choose,
    compared,
    ends,
    fixed,
    negative,
    zipped,
)

__all__ = ["PLAIN", "Env", "Language", "Progression", "Undecided", "crossings"]

Env: TypeAlias = Mapping[str, int]
_MOST_CLASSES = 20_000
_MOST_POINTS = 20_000
_MOST_KEPT = 10_000  # functions


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
    def count(self) -> float:
        """How many numbers they are."""
        is_endless = self.low == -inf or self.high == inf
        return inf if is_endless else self.high - self.low + 1

    def at(self, n: int) -> int:
        """The number for ``n``."""
        return self.residue + self.modulus * n

    def __iter__(self) -> Iterator[int]:
        return (self.at(n) for n in range(int(self.low), int(self.high) + 1))


@dataclass(frozen=True)
class Language:
    """Evaluates nodes; ``system`` and ``sets`` are what an answer in digits brings with it.

    What is beyond it raises :class:`Undecided`.
    """

    system: Digits = BINARY
    sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    _made: dict[tuple[Node, tuple[str, ...]], Callable[..., Any]] = field(default_factory=dict)

    # --- one state -------------------------------------------------------------------------

    def function(self, node: Node, names: tuple[str, ...]) -> Callable[..., Any]:
        """A term or formula as a Python function of the values of ``names``."""
        made = self._made.get((node, names))
        if made is None:
            if len(self._made) >= _MOST_KEPT:
                self._made.clear()
            made = self._made[node, names] = self._function(node, names)
        return made

    def _function(self, node: Node, names: tuple[str, ...]) -> Callable[..., Any]:
        scope = self.scope()
        text = f"lambda {', '.join(f'v_{name}' for name in names)}: {python(node, scope)}"
        try:
            made: Callable[..., Any] = eval(text, scope)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise Undecided("it is nested too deeply for Python's reader") from error
        return made

    def scope(self) -> dict[str, Any]:
        """What the Python text of a node calls."""
        return {
            "apply": self.system.apply,
            "quantified": quantified,
            "member": self._member,
        }

    def _member(self, name: str, *numbers: int) -> bool:
        """Whether the numbers are in a set of the answer, or in one that rules name."""
        if (automaton := self.sets.get(name)) is not None:
            return recognises(automaton, self.system, numbers)
        return is_in(name, *numbers)

    def value(self, node: Node, env: Env) -> Any:
        """The integer that a term is, or whether a formula holds."""
        names = tuple(sorted(free(node)))
        return self.function(node, names)(*map(env.__getitem__, names))

    def truth(self, node: Node, env: Env) -> bool:
        """Whether a formula holds."""
        if node[0] not in FORMULAS:
            raise Unreadable(f"not a formula: {node}")
        return bool(self.value(node, env))

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
        open_env: dict[str, Steps] = {key: always((0, number)) for key, number in env.items()}
        open_env |= {key: always(None) for key in unknown}
        found: list[Progression] = []
        for residue in range(modulus):
            open_env[name] = always((modulus, residue))
            steps = self.steps(node, open_env)
            if steps != [(-inf, False)] and then != ("true",):
                there = open_env | {key: self.steps(t, open_env) for key, t in after.items()}
                steps = zipped(all_of, [steps, self.steps(then, there)])
            found += _progressions(steps, residue, modulus)
        return found

    def steps(self, node: Node, env: Mapping[str, Steps]) -> Steps:
        """The value of a term or formula as a function of the open name."""
        match node:
            case ("int", number):
                return always((0, number))
            case ("name", name):
                return env[name]
            case ("true",) | ("false",):
                return always(node[0] == "true")
            case ("exists" | "forall", name, body):
                return self._quantified(node, name, body, env)
            case ("if", condition, then, otherwise):
                parts = [self.steps(part, env) for part in (condition, then, otherwise)]
                return zipped(choose, parts)
            case ("chain", terms, signs):
                values = [self.steps(term, env) for term in terms]
                links = zip(signs, values, values[1:], strict=False)
                return zipped(all_of, [compared(sign, a, b) for sign, a, b in links])
            case ("in", term, members):
                value = self.steps(term, env)
                hits = [compared("=", value, self.steps(m, env)) for m in members]
                return zipped(any_of, hits)
            case ("call", "min" | "max", left, right):
                values = [self.steps(left, env), self.steps(right, env)]
                first = compared("<=" if node[1] == "min" else ">=", *values)
                return zipped(choose, [first, *values])
            case ("call", "abs", arg):
                value = self.steps(arg, env)
                positive = compared(">=", value, always((0, 0)))
                return zipped(choose, [positive, value, zipped(negative, [value])])
            case ("xor", left, right):
                return self.steps(("call", "nimsum", left, right), env)
            case ("call" | "set", _, *args):
                return self._digital(node, [self.steps(arg, env) for arg in args])
        function = BY_HEAD.get(node[0])
        if function is None:
            raise Undecided(f"{node[0]} of an open name")
        return zipped(function, [self.steps(part, env) for part in node[1:]])

    def _quantified(self, node: Node, name: str, body: Node, env: Mapping[str, Steps]) -> Steps:
        known = {key: fixed(env[key]) for key in free(node)}
        if None not in known.values():
            return always(self.truth(node, {k: v for k, v in known.items() if v is not None}))
        return self.steps(body, {**env, name: always(None)})

    def _digital(self, node: Node, args: Sequence[Steps]) -> Steps:
        numbers = [fixed(arg) for arg in args]
        if None in numbers:
            return always(None)
        here: Node = (*node[:2], *(("int", number) for number in numbers))
        if node[0] == "set":
            return always(self.truth(here, {}))
        return always((0, self.value(here, {})))


@lru_cache(maxsize=100_000)
def quantified(node: Node, *values: int) -> bool:
    """Whether a quantified formula holds, by the values of its free names in their order.

    Below a quantifier there are no digits, so it means the same in every language.
    """
    kind, name, body = node
    env = dict(zip(sorted(free(node)), values, strict=True))
    if kind == "exists":
        return PLAIN.exists(name, body, env)
    return not PLAIN.exists(name, ("not", body), env)


PLAIN = Language()
"""The language of rules, which has no digits."""


def crossings(node: Node, name: str, env: Env, residues: Sequence[int]) -> list[int]:
    """The numbers at which the truth of ``node`` changes, as ``name`` grows within a class."""
    periods = {**dict.fromkeys(env, 0), name: 1}
    modulus = max(1, _period(node, periods))
    found: list[int] = []
    open_env: dict[str, Steps] = {key: always((0, number)) for key, number in env.items()}
    for residue in residues:
        open_env[name] = always((modulus, residue % modulus))
        steps = PLAIN.steps(node, open_env)
        found += [residue % modulus + modulus * int(start) for start, _ in steps[1:]]
    return found


def _progressions(steps: Steps, residue: int, modulus: int) -> Iterator[Progression]:
    for (start, holds), end in zip(steps, ends(steps), strict=True):
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
    found = reduce(_lcm, (_period(part, periods) for part in parts(node)), 0)
    if node[0] in ("mod", "div"):
        divisor = 0 if free(node[2]) else PLAIN.value(node[2], {})
        if divisor <= 0:
            raise Undecided("a divisor that is no positive integer")
        found *= divisor
    return found

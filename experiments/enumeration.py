"""Enumerate formulas by size, one of each behaviour on the examples.

The grammar and the measure are those of the IJCAI line (see ``transit``): terms 0, 1, the
integers of the rules, the variables, ``+`` and ``-``; atoms ``=``, ``!=``, ``>=``, ``>`` and
``e mod c = r``; binary ``and`` and ``or``.  Size is leaves plus connectives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.logic.term import And, Compare, Formula, Int, Mod, Name, Neg, Or, Sum, Term

__all__ = ["Enumeration"]

_CHUNK = 2_000_000  # entries of the arrays that are worked on together
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    ">": np.greater,
}
_SYMMETRIC = ("=", "!=")

_Values: TypeAlias = NDArray[np.int64]
# What a formula was made of: ("=", term, term), ("mod", term, divisor, rest), or
# ("and", behaviour, behaviour).  Only the one that is asked for becomes a formula.
_Recipe: TypeAlias = tuple[Any, ...]


@dataclass
class Enumeration:
    """``states`` (examples, variables); ``target`` (examples,): where the formula has to hold.

    A term's behaviour is its row of values, one column an example; a formula's is an integer,
    one bit an example.  Each level holds what is new at its size.
    """

    states: NDArray[np.int64]
    target: NDArray[np.bool_]
    variables: Sequence[str]
    integers: Sequence[int]
    budget: Budget
    _constants: dict[int, list[int]] = field(default_factory=dict)
    _terms: dict[int, list[Term]] = field(default_factory=dict)
    _values: dict[int, _Values] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)
    _levels: dict[int, list[int]] = field(default_factory=dict)
    _recipes: dict[int, _Recipe] = field(default_factory=dict)

    def first(self) -> Formula:
        """The first formula by size that behaves as the target; ends only with the budget."""
        wanted = _behaviours(self.target[np.newaxis])[0]
        size = 0
        while True:
            size += 1
            for _ in self._steps(size):
                if wanted in self._recipes:
                    return self._formula(wanted)
                self.budget.check()

    def _steps(self, size: int) -> Iterator[None]:
        """All of one size, a batch a step."""
        self._levels[size] = []
        self._add_constants(size)
        yield from self._add_terms(size)
        yield from self._add_comparisons(size)
        yield from self._add_congruences(size)
        yield from self._add_connectives(size)

    def _formula(self, behaviour: int) -> Formula:
        match self._recipes[behaviour]:
            case ("and" | "or" as kind, left, right):
                sides = (self._formula(left), self._formula(right))
                return And(sides) if kind == "and" else Or(sides)
            case ("mod", term, divisor, rest):
                return Compare((Mod(term, Int(divisor)), Int(rest)), ("=",))
            case (relation, left, right):
                return Compare((left, right), (relation,))
        raise AssertionError("no such recipe")

    # --- terms -------------------------------------------------------------------------

    def _add_constants(self, size: int) -> None:
        """Integers made of integers: only they are divisors and remainders."""
        found = dict.fromkeys((0, 1, *self.integers)) if size == 1 else {}
        for one in range(1, size):
            for a in self._constants[one]:
                for b in self._constants[size - one]:
                    found[a + b] = found[a - b] = None
        known = {c for level in self._constants.values() for c in level}
        self._constants[size] = [c for c in found if c not in known]

    def _add_terms(self, size: int) -> Iterator[None]:
        count = len(self.states)
        self._terms[size], rows = [], []
        constants = np.repeat(self._constants[size], count).reshape(-1, count)
        rows += self._keep(size, constants, lambda i: Int(self._constants[size][i]))
        if size == 1:
            rows += self._keep(1, self.states.T, lambda i: Name(self.variables[i]))
        for one in range(1, size):
            left, right = self._terms[one], self._terms[size - one]
            for start, a, b in self._pairs(one, size - one):
                if one <= size - one:
                    plus = partial(_summed, left[start:], right, False)
                    rows += self._keep(size, (a + b).reshape(-1, count), plus)
                minus = partial(_summed, left[start:], right, True)
                rows += self._keep(size, (a - b).reshape(-1, count), minus)
                yield
        self._values[size] = np.array(rows, dtype=np.int64).reshape(-1, count)

    def _keep(self, size: int, values: _Values, term: Callable[[int], Term]) -> list[_Values]:
        """The rows of ``values`` that are new; ``term(i)`` makes the term of row i."""
        rows = []
        for i, row in enumerate(values):
            key = row.tobytes()
            if key not in self._seen:
                self._seen.add(key)
                self._terms[size].append(term(i))
                rows.append(row)
        return rows

    def _pairs(self, one: int, other: int) -> Iterator[tuple[int, _Values, _Values]]:
        """All pairs of terms of two sizes, as arrays that broadcast against each other.

        Each time the place of the first term on the left, (some, 1, examples) of the left, and
        (1, all, examples) of the right.
        """
        left, right = self._values[one], self._values[other]
        if not right.size:
            return
        step = max(1, _CHUNK // right.size)
        for start in range(0, len(left), step):
            yield start, left[start : start + step, np.newaxis], right[np.newaxis]

    # --- formulas -----------------------------------------------------------------------

    def _learn(
        self, size: int, behaviours: Sequence[int], recipe: Callable[[int], _Recipe]
    ) -> None:
        """Note what is new; ``recipe(i)`` tells how number i was made."""
        new = set(behaviours).difference(self._recipes)
        if not new:
            return
        for i, behaviour in enumerate(behaviours):
            if behaviour in new and behaviour not in self._recipes:
                self._recipes[behaviour] = recipe(i)
                self._levels[size].append(behaviour)

    def _add_comparisons(self, size: int) -> Iterator[None]:
        for one in range(1, size):
            left, right = self._terms[one], self._terms[size - one]
            for start, a, b in self._pairs(one, size - one):
                for relation, compare in _COMPARISONS.items():
                    if relation in _SYMMETRIC and one > size - one:
                        continue
                    behaviours = _behaviours(compare(a, b).reshape(-1, len(self.states)))
                    self._learn(size, behaviours, partial(_paired, relation, left[start:], right))
                    yield

    def _add_congruences(self, size: int) -> Iterator[None]:
        for of_term in range(1, size - 1):
            values, terms = self._values[of_term], self._terms[of_term]
            for of_divisor in range(1, size - of_term):
                for divisor in (c for c in self._constants[of_divisor] if c > 1):
                    rests = self._constants[size - of_term - of_divisor]
                    for rest in (r for r in rests if 0 <= r < divisor):
                        found = _behaviours(values % divisor == rest)
                        self._learn(size, found, partial(_congruent, terms, divisor, rest))
                        yield

    def _add_connectives(self, size: int) -> Iterator[None]:
        for one in range(2, (size + 1) // 2):
            right = self._levels[size - 1 - one]
            for a in self._levels[one]:
                # Bound methods, because `map` over them runs at the speed of C.
                for kind, joined in (("and", a.__and__), ("or", a.__or__)):
                    recipe = partial(_paired, kind, [a], right)
                    self._learn(size, list(map(joined, right)), recipe)
                yield


# How number i of a batch was made; pairs are numbered with the right side running fastest.


def _summed(left: Sequence[Term], right: Sequence[Term], minus: bool, i: int) -> Term:
    b = right[i % len(right)]
    return Sum((left[i // len(right)], Neg(b) if minus else b))


def _paired(kind: str, left: Sequence[Any], right: Sequence[Any], i: int) -> _Recipe:
    return (kind, left[i // len(right)], right[i % len(right)])


def _congruent(terms: Sequence[Term], divisor: int, rest: int, i: int) -> _Recipe:
    return ("mod", terms[i], divisor, rest)


def _behaviours(flags: NDArray[np.bool_]) -> list[int]:
    """(n, examples) -> n integers, bit i for example i."""
    packed = np.packbits(flags, axis=1, bitorder="little")
    width = packed.shape[1]
    if width <= 8:
        whole = np.zeros((len(packed), 8), dtype=np.uint8)
        whole[:, :width] = packed
        return whole.view("<u8").ravel().tolist()
    data = packed.tobytes()
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]

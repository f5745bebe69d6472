"""Formulas with many congruences, split by the remainders of their variables, then read by isl.

With ``x = M q + r`` a congruence of x is true or false, and isl, whose sets multiply where many
congruences are negated, gets small formulas about q.  A variable with few values is split by its
values instead.  The formula becomes Python code over the remainders, which drops most classes at
once and says what is left of it on each other class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, walk
from icgsynth.logic.nodes import SWAPPED
from icgsynth.prove.deciders.presburger import REMAINDERS
from icgsynth.prove.deciders.presburger.direct import IslReader, flat
from icgsynth.prove.deciders.presburger.normal_sets import NAME as ISL
from icgsynth.prove.deciders.presburger.remainder_code import linear_on_class, rest_of, writer_of
from icgsynth.prove.deciders.smt import SolverReply
from icgsynth.prove.recheck.plain import value

_OFTEN = 256  # numbers between two looks at the clock


# How each name is cut: it is ``step * q + r`` with one of the numbers as r; step 0 stands for the
# numbers themselves.
_Grid: TypeAlias = dict[str, tuple[int, range]]


def refute_by_remainders(
    parts: Iterable[t.Formula], names: Sequence[str], budget: Budget, operations: int
) -> SolverReply:
    """Return "unsat" where it is shown that ``parts`` have no common model, else "unknown".

    ``names`` are the free names.  At most ``operations`` of isl are spent; "unknown" for
    quantifiers.  "unsat" is by :data:`REMAINDERS`, and by isl too where that refuted the rest."""
    from icgsynth.prove.deciders.presburger.library import isl

    try:
        formula = conjunction(parts)
        grids = _grids(formula, names)
        if grids:
            reader = IslReader.over(names, budget, operations)
            search = _Search(_flat(formula), grids, reader)
            if search.is_empty(0, [numbers for _, numbers in grids[0].values()]):
                return SolverReply(
                    "unsat", by=frozenset((REMAINDERS, ISL) if search.empty else (REMAINDERS,))
                )
    except (isl.Error, Refused, BudgetSpent, RecursionError, SyntaxError, MemoryError):
        pass
    return SolverReply("unknown")


def _grids(formula: t.Formula, names: Sequence[str]) -> list[_Grid]:
    """Return partitions of the integers by remainders of ``names``, each finer than the one before.
    The first settles the commonest divisor in ``formula``, the last one all.  [] if the formula has
    quantifiers, or divides by what is no positive number."""
    nodes = list(walk(formula))
    divided = [node for node in nodes if isinstance(node, t.Mod | t.Div)]
    divisors = [node.divisor.value for node in divided if isinstance(node.divisor, t.Int)]
    plain = len(divisors) == len(divided) and all(d > 0 for d in divisors)
    if not names or not plain or any(isinstance(node, t.Quantified) for node in nodes):
        return []
    kept: set[int] = set()
    moduli = dict.fromkeys(names, 1)
    grids = []
    for divisor, _ in Counter(divisors).most_common():
        kept.add(divisor)
        _add_moduli(formula, 1, kept, moduli)
        grids.append({name: (step, range(step)) for name, step in moduli.items()})
    for name, (low, high) in _bounds(_flat(formula)).items():
        if high - low < moduli[name]:
            for grid in grids:
                grid[name] = (0, range(low, high + 1))
    return grids


def _add_moduli(node: t.Node, modulus: int, kept: set[int], moduli: dict[str, int]) -> None:
    """Raise each ``moduli[name]`` until adding it to the name changes ``node`` by a multiple of
    ``modulus``.  Divisions by a number that is not in ``kept`` are passed over."""
    match node:
        case t.Name(name):
            moduli[name] = lcm(moduli[name], modulus)
        case t.Mod(arg, t.Int(divisor)):
            if divisor in kept:
                _add_moduli(arg, divisor, kept, moduli)
        case t.Div(arg, t.Int(divisor)):
            if divisor in kept:
                _add_moduli(arg, modulus * divisor, kept, moduli)
        case _:
            for child in t.children(node):
                _add_moduli(child, modulus, kept, moduli)


@dataclass(frozen=True)
class _Search:
    """The search of the classes of ``grids``, from the coarsest, for a point of all ``parts``."""

    parts: Sequence[t.Formula]
    grids: Sequence[_Grid]
    reader: IslReader
    empty: set[t.Formula] = field(default_factory=set)  # formulas that are known to have no point
    _classes: dict[int, _Classes] = field(default_factory=dict)

    def is_empty(self, level: int, numbers: Sequence[Sequence[int]]) -> bool:
        """Return whether no class of the grid number ``level`` has a point that satisfies all
        formulas.  ``numbers`` are for each name the remainders to look at.  False says nothing."""
        if level == len(self.grids):
            return False
        if level not in self._classes:
            self._classes[level] = _Classes.of(self.parts, self.grids[level])
        for chosen, left in self._classes[level].list_rest(numbers, self.reader.budget):
            if left in self.empty:
                continue
            if self.reader.is_empty(self.reader.everything, [(left, True)]):
                self.empty.add(left)
            elif not self.is_empty(level + 1, self._finer(level, chosen)):
                return False
        return True

    def _finer(self, level: int, chosen: Sequence[int]) -> list[Sequence[int]]:
        """Return for each name the remainders on the grid ``level`` + 1 that lie in one class of
        the grid ``level``, that with the remainders ``chosen``; on the last grid, these."""
        grid, *finer = self.grids[level : level + 2]
        steps = [step for step, _ in grid.values()]
        moduli = [step for step, _ in finer[0].values()] if finer else steps
        every = zip(chosen, steps, moduli, strict=True)
        return [range(r, modulus, step) if step else (r,) for r, step, modulus in every]


@dataclass(frozen=True)
class _Classes:
    """The classes of one grid: ``tests`` by name, of remainders so far; ``settle`` by part."""

    tests: Sequence[Sequence[Callable[..., bool]]]
    settle: list[Callable[..., t.Formula]]

    @staticmethod
    def of(parts: Sequence[t.Formula], grid: _Grid) -> _Classes:
        writer = writer_of(tuple((name, step) for name, (step, _) in grid.items()))
        tests: list[list[Callable[..., bool]]] = [[] for _ in grid]
        for part in parts:
            # A part is tested as soon as the last of its names has a remainder.
            last, test = writer.test(part)
            if test is not None:
                tests[last].append(test)
        return _Classes(tests, [writer.settle(part) for part in parts])

    def list_rest(
        self, numbers: Sequence[Sequence[int]], budget: Budget
    ) -> Iterator[tuple[tuple[int, ...], t.Formula]]:
        """Yield (remainders, formula left to decide) for each class that remainders do not refute.
        ``numbers`` are for each name the remainders to look at."""
        # In what is left a name stands for its quotient.
        settle = self.settle
        for chosen in self._choose(numbers, budget):
            left = []
            for index, part in enumerate(settle):
                left.append(part(*chosen))
                if left[-1] is t.FALSE:
                    # What refutes one class refutes its neighbours, most of the time.
                    settle.insert(0, settle.pop(index))
                    break
            else:
                yield chosen, rest_of(*left)

    def _choose(
        self, numbers: Sequence[Sequence[int]], budget: Budget, *before: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield tuples of one remainder for each name that begin with ``before``, have their others
        in ``numbers``, and pass the tests."""
        depth = len(before)
        if depth == len(numbers):
            yield before
            return
        for count, number in enumerate(numbers[depth]):
            if count % _OFTEN == 0:  # there may be more numbers than time, and none may pass
                budget.check()
            if all(test(*before, number) for test in self.tests[depth]):
                yield from self._choose(numbers, budget, *before, number)


def _flat(formula: t.Formula) -> list[t.Formula]:
    return [part if positive else negation(part) for part, positive in flat([(formula, True)])]


def _bounds(parts: Iterable[t.Formula]) -> dict[str, tuple[int, int]]:
    """Return (least, greatest) value of each name that linear comparisons of this name alone in
    ``parts`` bound on both sides."""
    lows: dict[str, list[int]] = {}
    highs: dict[str, list[int]] = {}
    for part in parts:
        if not isinstance(part, t.Compare) or len(free_names(part)) != 1:
            continue
        (left, right), (op,) = part.terms, part.ops
        try:
            factors, constant = linear_on_class(t.Sum((left, t.Neg(right))), {})
        except Refused:
            continue
        for name, factor in factors.items():
            number = value(constant, {})
            if factor < 0:
                factor, number, op = -factor, -number, SWAPPED[op]
            # factor * name + number op 0, the factor positive
            if op in ("=", ">=", ">"):
                lows.setdefault(name, []).append(-((number - (op == ">")) // factor))
            if op in ("=", "<=", "<"):
                highs.setdefault(name, []).append(-(number + (op == "<")) // factor)
    return {name: (max(lows[name]), min(highs[name])) for name in lows.keys() & highs.keys()}

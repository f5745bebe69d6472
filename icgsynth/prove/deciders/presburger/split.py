"""Formulas with many congruences, split by the remainders of their variables, then read by isl.

With ``x = M q + r`` a congruence of x is true or false, and isl, whose sets multiply where many
congruences are negated, gets small formulas about q.  A variable with few values is split by its
values instead.  The formula becomes Python code over the remainders, which drops most classes at
once and says what is left of it on each other class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd, lcm
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.logic.comparisons import PYTHON, SWAPPED
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Abs,
    And,
    Compare,
    Div,
    Formula,
    If,
    Int,
    Max,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Not,
    Or,
    Quantified,
    Sum,
    Term,
    Truth,
    children,
    conjunction,
    free_names,
    negation,
    replaced,
    walk,
)
from icgsynth.prove.deciders.presburger.direct import Reader, ways_of
from icgsynth.prove.deciders.presburger.normal_sets import NAME as ISL
from icgsynth.prove.deciders.smt import Answer
from icgsynth.prove.recheck.plain import Code, value

__all__ = ["NAME", "refute_by_remainders"]

NAME = "remainders"

_MOST_CHOICES = 6  # Min, Max, Abs and If in one comparison
_OFTEN = 256  # numbers between two looks at the clock


# How each name is cut: it is ``step * q + r`` with one of the numbers as r; step 0 stands for the
# numbers themselves.
_Grid: TypeAlias = dict[str, tuple[int, range]]
_Steps: TypeAlias = Mapping[str, int]
# What a term is on a class: a factor for each quotient, and a term over the remainders.
_Linear: TypeAlias = tuple[Mapping[str, int], Term]


def refute_by_remainders(
    parts: Iterable[Formula], names: Sequence[str], budget: Budget, operations: int
) -> Answer:
    """ "unsat" where the conjunction of ``parts`` has no model, else "unknown".

    At most ``operations`` of isl are spent; "unknown" for quantifiers.  The answer is by
    :data:`NAME`, and by isl too where isl had something left to refute.
    """
    import islpy as isl

    try:
        formula = conjunction(parts)
        grids = _grids(formula, names)
        if grids:
            reader = Reader.over(names, budget, operations)
            search = _Search(tuple(_flat(formula, True)), grids, reader)
            if search.is_empty(0, [numbers for _, numbers in grids[0].values()]):
                return Answer("unsat", by=frozenset((NAME, ISL) if search.empty else (NAME,)))
    except (isl.Error, Refused, BudgetSpent, RecursionError, SyntaxError, MemoryError):
        pass
    return Answer("unknown")


def _grids(formula: Formula, names: Sequence[str]) -> list[_Grid]:
    """From the coarsest, of the divisor that occurs most, to one of all divisors together."""
    nodes = list(walk(formula))
    divided = [node for node in nodes if isinstance(node, Mod | Div)]
    divisors = [node.divisor.value for node in divided if isinstance(node.divisor, Int)]
    plain = len(divisors) == len(divided) and all(d > 0 for d in divisors)
    if not names or not plain or any(isinstance(node, Quantified) for node in nodes):
        return []
    kept: set[int] = set()
    moduli: dict[str, int] = {}
    grids = []
    for divisor, _ in Counter(divisors).most_common():
        kept.add(divisor)
        _add_moduli(formula, 1, kept, moduli)
        grids.append({name: (moduli.get(name, 1), range(moduli.get(name, 1))) for name in names})
    for name, (low, high) in _bounds(_flat(formula, True)).items():
        if high - low < moduli.get(name, 1):
            for grid in grids:
                grid[name] = (0, range(low, high + 1))
    return grids


def _add_moduli(node: Node, modulus: int, kept: set[int], moduli: dict[str, int]) -> None:
    """Let steps of the names change ``node`` by multiples of ``modulus``; of the kept divisors."""
    match node:
        case Name(name):
            moduli[name] = lcm(moduli.get(name, 1), modulus)
        case Mod(arg, Int(divisor)):
            if divisor in kept:
                _add_moduli(arg, divisor, kept, moduli)
        case Div(arg, Int(divisor)):
            if divisor in kept:
                _add_moduli(arg, modulus * divisor, kept, moduli)
        case _:
            for child in children(node):
                _add_moduli(child, modulus, kept, moduli)


@dataclass(frozen=True)
class _Search:
    """Whether no class of the ``grids`` has a point of all ``parts``."""

    parts: Sequence[Formula]
    grids: Sequence[_Grid]
    reader: Reader
    empty: set[Formula] = field(default_factory=set)  # formulas that are known to have no point
    _classes: dict[int, _Classes] = field(default_factory=dict)

    def is_empty(self, level: int, numbers: Sequence[Sequence[int]]) -> bool:
        """On the grid ``level``, among rows of ``numbers`` only; a class that is not is cut up."""
        if level == len(self.grids):
            return False
        if level not in self._classes:
            self._classes[level] = _Classes.of(self.parts, self.grids[level])
        for chosen, left in self._classes[level].left(numbers, self.reader.budget):
            if left in self.empty:
                continue
            if self.reader.is_empty(self.reader.everything, [(left, True)]):
                self.empty.add(left)
            elif not self.is_empty(level + 1, self._finer(level, chosen)):
                return False
        return True

    def _finer(self, level: int, chosen: Sequence[int]) -> list[Sequence[int]]:
        """The remainders on the next grid that belong to one class."""
        grid, *finer = self.grids[level : level + 2]
        steps = [step for step, _ in grid.values()]
        moduli = [step for step, _ in finer[0].values()] if finer else steps
        every = zip(chosen, steps, moduli, strict=True)
        return [range(r, modulus, step) if step else (r,) for r, step, modulus in every]


@dataclass(frozen=True)
class _Classes:
    """``tests`` has some for each name, of the remainders so far; ``settle`` one for each part."""

    tests: Sequence[Sequence[Callable[..., bool]]]
    settle: list[Callable[..., Formula]]

    @staticmethod
    def of(parts: Sequence[Formula], grid: _Grid) -> _Classes:
        writer = _writer(tuple((name, step) for name, (step, _) in grid.items()))
        tests: list[list[Callable[..., bool]]] = [[] for _ in grid]
        for part in parts:
            # A part is tested as soon as the last of its names has a remainder.
            last, test = writer.test(part)
            if test is not None:
                tests[last].append(test)
        return _Classes(tests, [writer.settled(part) for part in parts])

    def left(
        self, numbers: Sequence[Sequence[int]], budget: Budget
    ) -> Iterator[tuple[tuple[int, ...], Formula]]:
        """What is left of the conjunction on each class that remainders alone do not refute.

        In it a name stands for its quotient.
        """
        settle = self.settle
        for chosen in self._chosen(numbers, budget):
            left = []
            for index, part in enumerate(settle):
                left.append(part(*chosen))
                if left[-1] is FALSE:
                    # What refutes one class refutes its neighbours, most of the time.
                    settle.insert(0, settle.pop(index))
                    break
            else:
                yield chosen, _all(*left)

    def _chosen(
        self, numbers: Sequence[Sequence[int]], budget: Budget, *before: int
    ) -> Iterator[tuple[int, ...]]:
        """Rows of ``numbers`` whose beginnings all pass their test."""
        depth = len(before)
        if depth == len(numbers):
            yield before
            return
        for count, number in enumerate(numbers[depth]):
            if count % _OFTEN == 0:  # there may be more numbers than time, and none may pass
                budget.check()
            if all(test(*before, number) for test in self.tests[depth]):
                yield from self._chosen(numbers, budget, *before, number)


# --- Python code ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Text:
    """``weak`` is what a formula asks of the remainders alone, ``full`` what is left of it.

    ``full`` is None where the remainders settle all.
    """

    weak: str
    full: str | None = None


def _joined(texts: Sequence[str], word: str) -> str:
    unit, zero = ("True", "False") if word == "and" else ("False", "True")
    kept = [text for text in dict.fromkeys(texts) if text != unit]
    return zero if zero in kept else f"({f' {word} '.join(kept)})" if kept else unit


def _all_of(parts: Sequence[_Text]) -> _Text:
    weak = _joined([part.weak for part in parts], "and")
    open_ = [part.full for part in parts if part.full is not None]
    if not open_ or weak == "False":
        return _Text(weak)
    settled = _joined([part.weak for part in parts if part.full is None], "and")
    return _Text(weak, f"(all_({', '.join(open_)}) if {settled} else FALSE)")


def _any_of(parts: Sequence[_Text]) -> _Text:
    weak = _joined([part.weak for part in parts], "or")
    open_ = [part.full for part in parts if part.full is not None]
    settled = _joined([part.weak for part in parts if part.full is None], "or")
    if not open_ or settled == "True":
        return _Text(weak)
    return _Text(weak, f"(TRUE if {settled} else any_({', '.join(open_)}))")


_WRITERS = 8  # grids whose code is kept: the obligations of a game share most of their parts


@lru_cache(maxsize=_WRITERS)
def _writer(steps: tuple[tuple[str, int], ...]) -> _Writer:
    return _Writer(dict(steps))


class _Writer:
    """Formulas as code over the remainders of names; each is written and compiled once."""

    def __init__(self, steps: _Steps) -> None:
        self.steps, self.names = steps, list(steps)
        self.code = Code(self.names)
        self.code.objects.update(TRUE=TRUE, FALSE=FALSE, all_=_all, any_=_any)
        self._texts: dict[tuple[Formula, bool], _Text] = {}
        self._tests: dict[Formula, tuple[int, Callable[..., bool] | None]] = {}
        self._settled: dict[Formula, Callable[..., Formula]] = {}

    def test(self, formula: Formula) -> tuple[int, Callable[..., bool] | None]:
        """What ``formula`` asks of the remainders up to a name, which is its last; None if nothing.

        The name is told by its place.
        """
        if formula not in self._tests:
            last = max(map(self.names.index, free_names(formula)), default=0)
            code = Code(self.names[: last + 1])
            code.objects = self.code.objects
            weak = self.text(formula, True).weak
            self._tests[formula] = last, None if weak == "True" else code.function(weak)
        return self._tests[formula]

    def settled(self, formula: Formula) -> Callable[..., Formula]:
        """What is left of ``formula``, as a function of the remainders of all names."""
        if formula not in self._settled:
            text = self.text(formula, True)
            left = f"(TRUE if {text.weak} else FALSE)" if text.full is None else text.full
            self._settled[formula] = self.code.function(left)
        return self._settled[formula]

    def text(self, formula: Formula, positive: bool) -> _Text:
        """``formula``, or its negation, over the remainders."""
        key = (formula, positive)
        if key not in self._texts:
            self._texts[key] = self._text(formula, positive)
        return self._texts[key]

    def _text(self, formula: Formula, positive: bool) -> _Text:
        ways = ways_of(formula, positive)
        if ways is None:
            return self._literal(formula if positive else negation(formula))
        return _any_of([_all_of([self.text(*signed) for signed in way]) for way in ways])

    def _literal(self, formula: Formula) -> _Text:
        """True, which is weaker, for what cannot be read on the grid."""
        if not isinstance(formula, Compare):
            return _Text("True")
        choices = {node for node in walk(formula) if isinstance(node, Min | Max | Abs | If)}
        if choices and len(choices) <= _MOST_CHOICES:
            return self.text(_by_cases(formula), True)
        (left, right), (op,) = formula.terms, formula.ops
        try:
            factors, constant = _linear(Sum((left, Neg(right))), self.steps)
        except Refused:
            return _Text("True")
        number = self.code.text(constant)
        if not factors:
            return _Text(f"({number} {PYTHON[op]} 0)")
        left_over = self.code.keep(_LeftOver(factors, op).formula)
        return _Text("True", f"{left_over}({number})")


@dataclass(frozen=True)
class _LeftOver:
    """A comparison of quotients with a number that the remainders give."""

    factors: Mapping[str, int]
    op: str
    _known: dict[int, Formula] = field(default_factory=dict)

    def formula(self, number: int) -> Formula:
        """``factors + number op 0``, divided by what the factors have in common."""
        shared = gcd(*self.factors.values())
        below, above = -number // shared, -(number // shared)
        if below != above and self.op in ("=", "!="):
            return FALSE if self.op == "=" else TRUE
        bound = below if self.op in ("<=", ">") else above
        if bound not in self._known:
            terms = [Mul(Int(f // shared), Name(name)) for name, f in self.factors.items()]
            self._known[bound] = Compare((Sum(tuple(terms)), Int(bound)), (self.op,))
        return self._known[bound]


def _all(*parts: Formula) -> Formula:
    return _simplified(And, parts, TRUE, FALSE)


def _any(*parts: Formula) -> Formula:
    return _simplified(Or, parts, FALSE, TRUE)


def _simplified(
    kind: type[And] | type[Or], parts: Sequence[Formula], unit: Truth, zero: Truth
) -> Formula:
    """``parts`` joined; quicker than for formulas at large, as there is one TRUE and one FALSE."""
    kept = []
    for part in parts:
        if part is zero:
            return zero
        if part is not unit:
            kept.append(part)
    return kind(tuple(kept)) if len(kept) > 1 else kept[0] if kept else unit


# --- terms -----------------------------------------------------------------------------------


def _linear(term: Term, steps: _Steps) -> _Linear:
    """``term`` on a class: a sum of quotients, and a term over remainders."""
    match term:
        case Int():
            return {}, term
        case Name(name):
            step = steps.get(name, 1)
            return ({name: step} if step else {}), (term if name in steps else Int(0))
        case Neg(arg):
            factors, constant = _linear(arg, steps)
            return {n: -f for n, f in factors.items()}, Neg(constant)
        case Mul(Int(factor), arg) | Mul(arg, Int(factor)):
            factors, constant = _linear(arg, steps)
            return {n: f * factor for n, f in factors.items() if factor}, Mul(Int(factor), constant)
        case Sum(args):
            total: dict[str, int] = {}
            read = [_linear(arg, steps) for arg in args]
            for factors, _ in read:
                for name, factor in factors.items():
                    total[name] = total.get(name, 0) + factor
            return {n: f for n, f in total.items() if f}, Sum(tuple(c for _, c in read))
        case Mod(arg, Int(divisor)) | Div(arg, Int(divisor)):
            factors, constant = _linear(arg, steps)
            if all(factor % divisor == 0 for factor in factors.values()):
                there = type(term)(constant, Int(divisor))
                if isinstance(term, Mod):
                    return {}, there
                return {n: f // divisor for n, f in factors.items()}, there
    raise Refused(f"not linear on a class of remainders: {term}")


def _by_cases(formula: Compare) -> Formula:
    """``formula`` without the first of its choices, an outermost one."""
    choice = next(node for node in walk(formula) if isinstance(node, Min | Max | Abs | If))
    match choice:
        case Min(left, right):
            condition: Formula = Compare((left, right), ("<=",))
        case Max(left, right):
            condition = Compare((left, right), (">=",))
        case Abs(left):
            condition, right = Compare((left, Int(0)), (">=",)), Neg(left)
        case If(condition, left, right):
            pass

    first, second = replaced(formula, choice, left), replaced(formula, choice, right)
    return Or((And((condition, first)), And((Not(condition), second))))


def _flat(formula: Formula, positive: bool) -> Iterator[Formula]:
    """The parts of a conjunction, each as it stands."""
    ways = ways_of(formula, positive)
    if ways is not None and len(ways) == 1:
        for signed in ways[0]:
            yield from _flat(*signed)
    else:
        yield formula if positive else negation(formula)


def _bounds(parts: Iterable[Formula]) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of each name that single ``parts`` bound on both sides."""
    lows: dict[str, list[int]] = {}
    highs: dict[str, list[int]] = {}
    for part in parts:
        if not isinstance(part, Compare) or len(free_names(part)) != 1:
            continue
        (left, right), (op,) = part.terms, part.ops
        try:
            factors, constant = _linear(Sum((left, Neg(right))), {})
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

"""Find proofs by all cases of the names, for ``checker.v``: small numbers, remainders.

Each name is below a number, or one of some numbers, or at least another with one of its
remainders.  Where in each case some formula is false whatever the case leaves open, the formulas
contradict each other.  Coq goes through all cases again; here they are columns, and what a term is
in a case is read from its values: where the case begins, a step away and far away.  Where these
deceive, Coq refuses the proof, and nothing worse happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.coq.gallina import number
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, integers, links, walk
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import has_products, ranges

Column: TypeAlias = NDArray[Any]

_Ends: TypeAlias = tuple[Any, Any]  # the least and the largest number of a name, or None
_EMPTY = (0, -1)  # the bounds of a name that has no value

_MOST = 300_000  # cases of one proof
_SINGLE = 100  # numbers of one name that are cases of their own
_FAR = 1_000_003  # steps from where a case begins
_LARGEST = 1 << 20  # largest number of a formula: columns have 64 bits
_UNREAD = (t.Min, t.Max, t.Abs, t.If, t.Digital)  # terms that Coq leaves open


class Spread(NamedTuple):
    """The cases of a name: below ``low``, ``single`` numbers from ``low`` on, then remainders."""

    name: str
    low: int
    single: int
    period: int

    def numbers(self, steps: Column) -> Column:
        """Return the name's number in each case after each count of ``steps``, shape (cases,
        steps): a step is down by 1 in the case below ``low``, up by ``period`` in the case of a
        remainder, and nothing in the case of a single number."""
        cases = np.arange(self.single + self.period) + self.low
        far = np.where(np.arange(len(cases)) < self.single, 0, self.period)
        return np.concatenate(([self.low - 1 - steps], cases[:, None] + far[:, None] * steps))

    def text(self, place: int) -> str:
        """Return the text that ``checker.v`` reads; ``place`` is the number of the name."""
        return f"Spread {place} {number(self.low)} {self.single}%nat {self.period}%nat"


def all_cases(
    formulas: Sequence[t.Formula], places: Mapping[str, int], periods: Mapping[str, int]
) -> str | None:
    """Return a ``proof`` of ``checker.v``, by cases, that ``formulas`` contradict each other, or
    None. ``places`` numbers the names; ``periods`` has for each name a number by which it can be
    raised while all remainders stay as they are (1 without it)."""
    names = sorted(set().union(*map(free_names, formulas)))
    largest = max(chain.from_iterable(map(integers, formulas)), default=0)
    if not names or largest > _LARGEST or has_products(formulas):
        return None
    bounds = _bounds(formulas, names)
    for small in (False, True):  # small numbers one by one only where remainders are not enough
        spreads = [_spread(n, bounds[n], periods.get(n, 1), formulas, small) for n in names]
        spreads.sort(key=lambda spread: spread.single + spread.period)
        if _is_closed(spreads, [*links(*formulas)]):
            return f"(Cases [{'; '.join(s.text(places[s.name]) for s in spreads)}])"
    return None


def _bounds(formulas: Sequence[t.Formula], names: Sequence[str]) -> Mapping[str, _Ends]:
    """Return for each name (least, greatest), None for no bound, as ``formulas`` say; a formula
    that contradicts shorter ones is left out."""
    bounds: Mapping[str, _Ends] = ranges(conjunction(formulas), names, {})
    if _EMPTY not in bounds.values():
        return bounds
    kept: list[t.Formula] = []
    bounds = dict.fromkeys(names, (None, None))
    for formula in sorted(formulas, key=lambda formula: sum(1 for _ in walk(formula))):
        found = ranges(conjunction([*kept, formula]), names, {})
        if _EMPTY not in found.values():
            bounds = found
            kept.append(formula)
    return bounds


def _spread(
    name: str, bounds: _Ends, period: int, formulas: Sequence[t.Formula], small: bool
) -> Spread:
    compared = [*_find_numbers(name, formulas)]
    low, high = (end if isinstance(end, int) else None for end in bounds)
    # Coq sees where a name ends in a formula that says so, and else perhaps by remainders.
    # Cases: each number from first to last by itself, and one for each remainder past both ends.
    # Numbers compared with the name are within, so beyond them only remainders decide.
    first = min([0 if low is None else low, *compared])
    last = max([first, *compared])
    if low is not None and high is not None and low <= high:
        end = max(high, last)
        is_said = high <= last or high + 1 in compared
        if end - first < _SINGLE:
            return Spread(name, first, end - first + 1, 1 if is_said else period)
    return Spread(name, first, min(last - first + period, _SINGLE) if small else 0, period)


def _find_numbers(name: str, formulas: Sequence[t.Formula]) -> Iterator[int]:
    """Yield the numbers that the name itself is compared with in ``formulas``."""
    for node in (node for formula in formulas for node in walk(formula)):
        terms = t.children(node) if isinstance(node, t.Compare | t.Member) else ()
        if t.Name(name) in terms:
            yield from (term.value for term in terms if isinstance(term, t.Int))


def _is_closed(spreads: Sequence[Spread], formulas: Sequence[t.Formula]) -> bool:
    """Return whether in each case, one of each name's in ``spreads``, Coq sees that one of
    ``formulas`` is false all along the case; False for too many cases."""
    count = prod(1 + spread.single + spread.period for spread in spreads)
    if count > _MOST or max(abs(spread.low) for spread in spreads) > _LARGEST:
        return False
    # A case has a row for each name's case, counted in mixed radix. Its columns are the formula's
    # values at the case itself, one step of each name further, and _FAR steps further: what is
    # linear in these steps is known along the whole case.
    left, numbers = np.arange(count), {}
    for place, spread in enumerate(spreads):
        steps = np.zeros(1 + 2 * len(spreads), np.int64)
        steps[1 + place], steps[1 + len(spreads) + place] = 1, _FAR
        cases = spread.numbers(steps)
        left, row = np.divmod(left, len(cases))
        numbers[spread.name] = cases[row]
    for formula in formulas:
        # Cases that this formula closes are left out before the next one is evaluated.
        is_open = ~_is_known(formula, False, numbers)
        numbers = {name: column[is_open] for name, column in numbers.items()}
        if not is_open.any():
            return True
    return False


def _is_known(formula: t.Formula, truth: bool, numbers: Mapping[str, Column]) -> Column:
    """Return a mask (cases,): in which Coq sees that ``formula`` has the value ``truth``.
    ``numbers`` has the values of each name, a row for each case and a column for each step."""
    match formula:
        case t.Not():
            return _is_known(formula.arg, not truth, numbers)
        case t.And() | t.Or():
            return _of_parts(formula.args, isinstance(formula, t.And) == truth, truth, numbers)
        case t.Implies():
            return _is_known(t.Or((t.Not(formula.left), formula.right)), truth, numbers)
        case t.Iff():
            neither = t.And((t.Not(formula.left), t.Not(formula.right)))
            either = t.Or((t.And((formula.left, formula.right)), neither))
            return _is_known(either, truth, numbers)
        case t.Member():
            equal = tuple(t.compare(formula.term, "=", value) for value in formula.values)
            return _is_known(t.Or(equal), truth, numbers)
        case t.Compare() if len(formula.ops) > 1:
            return _is_known(t.And(tuple(links(formula))), truth, numbers)
        case t.Compare() if not any(isinstance(node, _UNREAD) for node in walk(formula)):
            return _compares(formula, truth, numbers)
        case _:
            return np.full(len(next(iter(numbers.values()))), formula == t.Truth(truth))


def _of_parts(
    parts: Sequence[t.Formula], is_all: bool, truth: bool, numbers: Mapping[str, Column]
) -> Column:
    """Return a mask (cases,): the cases where Coq sees that all ``parts`` have the value ``truth``,
    or, unless ``is_all``, that one has. ``numbers`` is as in :func:`_is_known`."""
    known = np.full(len(next(iter(numbers.values()))), is_all)
    left = np.arange(len(known))
    for part in parts:
        now = _is_known(part, truth, numbers)
        known[left] = now
        still = now if is_all else ~now
        if not still.any():
            break
        left, numbers = left[still], {name: column[still] for name, column in numbers.items()}
    return known


def _compares(formula: t.Compare, truth: bool, numbers: Mapping[str, Column]) -> Column:
    """Return a mask (cases,): in which Coq sees that the comparison ``formula`` has the value
    ``truth``. ``numbers`` has the values of each name (cases, steps)."""
    (left, right), (op,) = formula.terms, formula.ops
    # left op right is about d = left - right: first is d where the case begins, slopes how d
    # changes by a step of each name. d <= 0 stays true if no slope is positive, and so on.
    if op in (">", ">="):
        left, right, op = right, left, {">": "<", ">=": "<="}[op]
    if op == "!=":
        op, truth = "=", not truth
    first, slopes, is_linear = _difference(left, right, numbers)
    more, less = (slopes >= 0).all(axis=1), (slopes <= 0).all(axis=1)
    if op == "=" and truth:
        known = more & less & (first == 0)
    elif op == "=":
        # d is never 0 where it is beyond 0 and goes away from it, or where d is not divisible by
        # what all of its changes are divisible by.
        common = np.gcd.reduce(slopes, axis=1)
        known = (more & (first > 0)) | (less & (first < 0))
        known |= (common > 0) & (first % np.maximum(common, 1) != 0)
    else:
        room = 0 if op == "<=" else 1
        known = less & (first + room <= 0) if truth else more & (first + room > 0)
    known &= is_linear
    if known.any():
        there = {name: column[known] for name, column in numbers.items()}
        known[known] = _are_read(formula, there)
    return np.asarray(known)


def _are_read(formula: t.Compare, numbers: Mapping[str, Column]) -> Column:
    """Return a mask (cases,): in which Coq knows each remainder and quotient of ``formula``, for
    each step of a name adds a multiple of the divisor to what is divided. That ``(a - a mod 3) mod
    3`` is 0 for all a, Coq does not see. ``numbers`` has the values of each name (cases, steps)."""
    read = np.ones(len(next(iter(numbers.values()))), bool)
    for node in walk(formula):
        if isinstance(node, t.Mod | t.Div) and isinstance(node.divisor, t.Int):
            _, slopes, is_linear = _difference(node.arg, t.Int(0), numbers)
            read &= is_linear & (slopes % node.divisor.value == 0).all(axis=1)
    return read


def _difference(
    left: t.Term, right: t.Term, numbers: Mapping[str, Column]
) -> tuple[Column, Column, Column]:
    """Return three arrays about ``left`` - ``right``: its value where each case begins (cases,),
    its growth by a step of each name (cases, names), and whether it grows so however far a name
    goes (cases,). ``numbers`` has the values of each name (cases, steps)."""
    shape = next(iter(numbers.values())).shape
    values = np.broadcast_to(columns(t.Sum((left, t.Neg(right))), numbers), shape)
    names = len(numbers)
    first = values[:, 0]
    slopes = values[:, 1 : 1 + names] - values[:, :1]
    far = values[:, 1 + names :] - values[:, :1]
    return first, slopes, np.asarray((far == slopes * _FAR).all(axis=1))

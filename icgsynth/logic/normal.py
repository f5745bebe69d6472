"""Formulas as ``and`` and ``or`` of single comparisons, for the deciders that are not z3.

What is left in a comparison is linear but for ``mod`` and ``div`` by positive integers: such
terms are *quasi-affine* (Verdoolaege, isl, ICMS 2010).  ``min``, ``max``, ``abs`` and ``if``
become cases; ``not`` goes into the comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, replaced, walk
from icgsynth.logic.nodes import NEGATED

_LARGEST = 60_000  # comparisons of one conversion, with repeats; a quarter of a second
_MOST_COPIED = 6_000  # nodes copied by cases, in about 50 ms


class Unsupported(Exception):
    """Raised for a formula that is quantified, not linear, an automaton, or of too many cases."""


def normal(formulas: Iterable[t.Formula], budget: Budget | None = None) -> list[t.Formula]:
    """Return equivalents of ``formulas``, made of ``And``, ``Or``, ``Truth``, binary ``Compare``.
    Every product has a constant on its left, every divisor is a positive ``Int``.  Equal
    comparisons are one object in the whole result, so that ``id`` tells them apart. Raises
    :class:`Unsupported`, and :class:`~icgsynth.errors.BudgetSpent` past the ``budget``."""
    given = tuple(formulas)
    counts: dict[int, tuple[int, int]] = {}
    # Nested equivalences double at every level: better counted than tried.
    if sum(_comparisons(formula, counts)[0] for formula in given) > _LARGEST:
        raise Unsupported("too many comparisons")
    conversion = _Normal(budget or Budget(inf))
    return [conversion.of(formula, True) for formula in given]


def _comparisons(formula: t.Formula, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return (how many comparisons ``formula`` has with ``->`` and ``<->`` written out, how many
    its negation has); ``known`` caches these pairs by the ``id`` of the formula."""
    found = known.get(id(formula))
    if found is not None:
        return found
    match formula:
        case t.Compare(_, ops):
            found = len(ops), len(ops)
        case t.Member(_, values):
            found = len(values), len(values)
        case t.Not(arg):
            yes, no = _comparisons(arg, known)
            found = no, yes
        case t.And(args) | t.Or(args):
            parts = [_comparisons(a, known) for a in args]
            found = sum(yes for yes, _ in parts), sum(no for _, no in parts)
        case t.Implies(left, right):
            (a, b), (c, d) = _comparisons(left, known), _comparisons(right, known)
            found = b + c, a + d
        case t.Iff(left, right):
            total = sum((*_comparisons(left, known), *_comparisons(right, known)))
            found = total, total
        case _:
            found = 1, 1
    known[id(formula)] = found
    return found


def weight(formula: t.Formula) -> int:
    """Return how many comparisons ``formula``, made of ``and`` and ``or`` of comparisons, has."""
    if isinstance(formula, t.And | t.Or):
        return sum(map(weight, formula.args))
    return 1


def all_of(parts: Iterable[t.Formula]) -> t.Formula:
    """Return the conjunction of ``parts``, flattened; repeats stay, for parts are not compared."""
    return _joined(parts, t.And, t.TRUE, t.FALSE)


def any_of(parts: Iterable[t.Formula]) -> t.Formula:
    """Return the disjunction of ``parts``, flattened; repeats stay, for parts are not compared."""
    return _joined(parts, t.Or, t.FALSE, t.TRUE)


def _joined(
    parts: Iterable[t.Formula], kind: type[t.And] | type[t.Or], unit: t.Truth, zero: t.Truth
) -> t.Formula:
    kept: list[t.Formula] = []
    for part in parts:
        if isinstance(part, t.Truth):
            if part.value == zero.value:
                return zero
        elif isinstance(part, kind):
            kept.extend(part.args)
        else:
            kept.append(part)
    return unit if not kept else kept[0] if len(kept) == 1 else kind(tuple(kept))


class _Normal:
    """The conversion of formulas to normal form, which stops where cases multiply too much."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._left = _LARGEST
        self._copies_left = _MOST_COPIED
        self._links: dict[t.Compare, t.Formula] = {}

    def of(self, formula: t.Formula, positive: bool) -> t.Formula:
        """Return ``formula``, or its negation if ``positive`` is False, made of ``and``, ``or`` and
        single comparisons without ``min``, ``max``, ``abs`` and ``if``."""
        every, some = (all_of, any_of) if positive else (any_of, all_of)
        match formula:
            case t.Truth(value):
                return t.TRUE if value == positive else t.FALSE
            case t.Compare((left, right), (op,)):
                return self._link(left, op, right, positive)
            case t.Compare():
                return every(self._link(*link, positive) for link in formula.links)
            case t.Member(term, values):
                return some(self._link(term, "=", v, positive) for v in values)
            case t.Not(arg):
                return self.of(arg, not positive)
            case t.And(args):
                return every(self.of(a, positive) for a in args)
            case t.Or(args):
                return some(self.of(a, positive) for a in args)
            case t.Implies(left, right):
                return some((self.of(left, not positive), self.of(right, positive)))
            case t.Iff(left, right):
                both = all_of((self.of(left, True), self.of(right, positive)))
                return any_of((both, all_of((self.of(left, False), self.of(right, not positive)))))
            case t.Quantified() | t.Recognised():
                raise Unsupported(str(formula))

    def _link(self, left: t.Term, op: str, right: t.Term, positive: bool) -> t.Formula:
        self._left -= 1
        if self._left % 1024 == 0:
            self._budget.check()
        if self._left < 0:
            raise Unsupported("too many comparisons")
        link = t.compare(left, op if positive else NEGATED[op], right)
        known = self._links.get(link)
        if known is None:
            known = self._links[link] = self._plain(link)
        return known

    def _plain(self, link: t.Compare) -> t.Formula:
        """Return the comparison ``link`` without ``min``, ``max``, ``abs`` and ``if``: each becomes
        a disjunction of two cases.  Raises :class:`Unsupported` for a term that is not linear."""
        awkward = _awkward(link)
        if awkward is None:
            return link
        if not _is_cases(awkward):
            folded = fold(link)
            if not isinstance(folded, t.Compare):
                return folded
            found = _awkward(folded)
            if found is not None and not _is_cases(found):
                raise Unsupported(str(found))
            return self.of(folded, True)
        self._copies_left -= sum(1 for _ in walk(link))
        if self._copies_left < 0:
            raise Unsupported("too many cases")
        return any_of(
            all_of((self.of(condition, True), self.of(replaced(link, awkward, value), True)))
            for condition, value in _cases(awkward)
        )


def _awkward(link: t.Compare) -> t.Term | None:
    """Return a nonlinear part of the comparison ``link``, else an innermost ``min``, ``max``,
    ``abs`` or ``if`` in it, else None."""
    found: t.Term | None = None
    for node in walk(link):
        match node:
            case t.Min() | t.Max() | t.Abs() | t.If():
                found = node
            case t.Mod(_, divisor) | t.Div(_, divisor):
                if not isinstance(divisor, t.Int) or divisor.value <= 0:
                    return node
            case t.Mul(left, _):
                if not isinstance(left, t.Int):
                    return node
    return found


def _is_cases(node: t.Term) -> bool:
    return isinstance(node, t.Min | t.Max | t.Abs | t.If)


def _cases(node: t.Term) -> list[tuple[t.Formula, t.Term]]:
    """Return (condition, value) for each of the two cases of ``node``, a ``min``, ``max``, ``abs``
    or ``if``; exactly one condition holds."""
    match node:
        case t.Min(left, right):
            return [(t.compare(left, "<=", right), left), (t.compare(left, ">", right), right)]
        case t.Max(left, right):
            return [(t.compare(left, ">=", right), left), (t.compare(left, "<", right), right)]
        case t.Abs(arg):
            return [(t.compare(arg, ">=", 0), arg), (t.compare(arg, "<", 0), t.Neg(arg))]
        case t.If(condition, then, otherwise):
            return [(condition, then), (t.Not(condition), otherwise)]
        case _:
            raise TypeError(f"not a case distinction: {node!r}")

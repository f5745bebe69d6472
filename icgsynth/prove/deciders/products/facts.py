"""What is true of quotients, remainders and products of integers, said in linear arithmetic.

The schemas are those of :mod:`icgsynth.prove.product_proofs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.deciders.products.linearised import Linearised
from icgsynth.prove.product_proofs import Combination, Division, Fact, Split

__all__ = ["first_facts", "told"]


def first_facts(given: Linearised) -> Iterator[Fact]:
    """Those that nearly always suffice: quotients and their differences that are -1, 0 or 1."""
    for division in given.divisions:
        yield Fact("division", division)
    for split in given.splits:
        yield Fact("split", split)
    for combination in singles_and_differences(given):
        for c in (-1, 0, 1):
            yield Fact("case", combination, (c,))
        for c in (-2, 2):
            yield Fact("bound", combination, (c,))


def singles_and_differences(given: Linearised) -> Iterator[Combination]:
    """Each product alone, and the difference of any two with one modulus."""
    for i, product in enumerate(given.products):
        yield Combination(((product, 1),))
        for other in given.products[:i]:
            if other.modulus == product.modulus:
                yield Combination(((product, 1), (other, -1)))


def told(fact: Fact) -> t.Formula:
    """The fact as a linear formula."""
    match fact:
        case Fact("division", Division() as d):
            return t.Implies(_at_least(d.modulus, 1), conjunction(_divides(d)))
        case Fact("split", Split() as s):
            total = linear_sum({t.Name(s.outer): 1, t.Name(s.rest): 1})
            return t.Implies(_at_least(s.divided.modulus, 1), _equal(t.Name(s.whole), total))
        case Fact(schema, Combination() as e, numbers):
            return _about_product(schema, e.factor, e.product, e.modulus, numbers)
    raise ValueError(f"no such fact: {fact.schema}")


def _divides(division: Division) -> Iterator[t.Formula]:
    rest = t.Name(division.remainder)
    yield _equal(division.dividend, _sum((division.product, 1), (rest, 1)))
    yield _at_least(rest, 0)
    yield t.Compare((rest, division.modulus), ("<",))


def _about_product(
    schema: str, e: t.Term, p: t.Term, m: t.Term, numbers: tuple[int, ...]
) -> t.Formula:
    c = numbers[0]
    line = _sum((m, c))
    match schema:
        case "case":
            return t.Implies(_equal(e, t.Int(c)), _equal(p, line))
        case "bound":
            sides = [
                t.Implies(t.Compare((e, t.Int(c)), (op,)), t.Compare((p, line), (op,)))
                for op in (">=", "<=")
            ]
            return t.Implies(_at_least(m, 0), conjunction(sides))
        case "fixed":
            return t.Implies(_equal(m, t.Int(c)), _equal(p, _sum((e, c))))
        case "tangent":
            return conjunction(_tangent(e, p, m, c, numbers[1]))
    raise ValueError(f"no such fact: {schema}")


def _tangent(e: t.Term, p: t.Term, m: t.Term, c: int, d: int) -> Iterator[t.Formula]:
    plane = _sum((m, c), (e, d), (t.Int(1), -c * d))
    above, below = _at_least(e, c), t.Compare((e, t.Int(c)), ("<=",))
    right, left = _at_least(m, d), t.Compare((m, t.Int(d)), ("<=",))
    same = disjunction((conjunction((above, right)), conjunction((below, left))))
    mixed = disjunction((conjunction((above, left)), conjunction((below, right))))
    yield t.Implies(same, t.Compare((p, plane), (">=",)))
    yield t.Implies(mixed, t.Compare((p, plane), ("<=",)))


def _equal(left: t.Term, right: t.Term) -> t.Formula:
    return t.Compare((left, right), ("=",))


def _at_least(term: t.Term, number: int) -> t.Formula:
    return t.Compare((term, t.Int(number)), (">=",))


def _sum(*parts: tuple[t.Term, int]) -> t.Term:
    """The parts times their numbers."""
    constant = sum(n * term.value for term, n in parts if isinstance(term, t.Int))
    return linear_sum(
        _collected((term, n) for term, n in parts if not isinstance(term, t.Int)), constant
    )


def _collected(parts: Iterator[tuple[t.Term, int]]) -> dict[t.Term, int]:
    total: dict[t.Term, int] = {}
    for term, number in parts:
        total[term] = total.get(term, 0) + number
    return total

"""A second look at proofs about products of unknowns: are the facts true, and of this formula?

The proof gives names to quotients, remainders and products, and facts about them; together with
the formula over these names they contradict each other in linear arithmetic.  Here the names are
put back: each part must become the formula that is to be refuted, and in each fact about P = e M
the term P must become the product of e and M, as polynomials over the names that were there and
what is divided.  Then the schema says why the fact is true of all integers, and it is written
down again, for another solver than the one that found the contradiction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import product
from typing import TypeAlias

from icgsynth.logic.term import (
    And,
    Compare,
    Div,
    Formula,
    Implies,
    Int,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Or,
    Quantified,
    Sum,
    Term,
    children,
    free_names,
)
from icgsynth.prove.product_proofs import Combination, Division, Fact, ProductProof, Split
from icgsynth.prove.recheck.relations import Unproved

__all__ = ["restated"]

_Polynomial: TypeAlias = frozenset[tuple[tuple[Hashable, ...], int]]
_ONE = Int(1)
_ZERO = Int(0)


def restated(formulas: Iterable[Formula], proof: ProductProof) -> tuple[Formula, ...]:
    """Linear formulas without a common model, if the proof is right that ``formulas`` have none.

    :class:`~icgsynth.prove.recheck.relations.Unproved` where a part is not that of ``formulas``,
    or a fact does not follow from the definitions.
    """
    expansion = _Expansion(proof.definitions)
    given, told = tuple(formulas), proof.parts
    if len(given) != len(told):
        raise Unproved("the proof is of other formulas")
    for formula, part in zip(given, told, strict=True):
        if not free_names(formula).isdisjoint(proof.definitions):
            raise Unproved("a name of the proof stands in the formula")
        if expansion.meaning(formula) != expansion.meaning(part):
            raise Unproved(f"the proof is of another formula than {formula}")
    return (*told, *(_checked(fact, expansion) for fact in proof.facts))


# --- what names stand for ------------------------------------------------------------------------


class _Expansion:
    """Terms as polynomials, in which no name of the proof is left."""

    def __init__(self, definitions: Mapping[str, Term]) -> None:
        self._known: dict[str, _Polynomial] = {}
        for name, term in definitions.items():  # a definition may speak of earlier ones alone
            later = definitions.keys() - self._known.keys()
            if not free_names(term).isdisjoint(later):
                raise Unproved(f"{name} is defined by itself, or by what comes after it")
            self._known[name] = self.polynomial(term)

    def polynomial(self, term: Term) -> _Polynomial:
        match term:
            case Int(number):
                return _collected([((), number)])
            case Name(name):
                return self._known[name] if name in self._known else _atom(name)
            case Sum(args):
                return _collected(item for arg in args for item in self.polynomial(arg))
            case Neg(arg):
                return _times(self.polynomial(arg), _collected([((), -1)]))
            case Mul(left, right):
                return _times(self.polynomial(left), self.polynomial(right))
            case _:
                return _atom(self.meaning(term))

    def meaning(self, node: Node) -> Hashable:
        """What is equal for two nodes only if they mean the same."""
        if isinstance(node, Quantified):
            raise Unproved("a quantifier")
        parts = tuple(
            self.polynomial(part) if isinstance(part, Term) else self.meaning(part)
            for part in children(node)
        )
        told = node.ops if isinstance(node, Compare) else () if parts else str(node)
        return type(node).__name__, told, parts


def _atom(key: Hashable) -> _Polynomial:
    return frozenset({((key,), 1)})


def _collected(items: Iterable[tuple[tuple[Hashable, ...], int]]) -> _Polynomial:
    total: dict[tuple[Hashable, ...], int] = {}
    for monomial, number in items:
        total[monomial] = total.get(monomial, 0) + number
    return frozenset((m, n) for m, n in total.items() if n)


def _times(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    return _collected(
        (tuple(sorted((*m, *n), key=repr)), a * b) for (m, a), (n, b) in product(left, right)
    )


# --- facts ---------------------------------------------------------------------------------------


def _checked(fact: Fact, expansion: _Expansion) -> Formula:
    """The fact in other words, once it is known to be true."""
    of = expansion.polynomial
    match fact:
        case Fact("division", Division() as d):
            quotient, rest = Div(d.dividend, d.modulus), Mod(d.dividend, d.modulus)
            _same(of(d.quotient), of(quotient))
            _same(of(d.product), _times(of(quotient), of(d.modulus)))
            _same(of(Name(d.remainder)), of(rest))
            r = Name(d.remainder)
            whole = _line(d.dividend, "=", Sum((r, d.product)))
            return _if(_line(_ONE, "<=", d.modulus), whole, _between(_ZERO, r, d.modulus))
        case Fact("split", Split(d, other, whole, outer, rest)):
            x, m = d.dividend, d.modulus
            _same(of(Name(whole)), of(Mul(x, other)))
            _same(of(Name(outer)), of(Mul(Mul(Div(x, m), other), m)))
            _same(of(Name(rest)), of(Mul(Mod(x, m), other)))
            return _if(
                _line(_ONE, "<=", m), _line(Sum((Name(rest), Name(outer))), "=", Name(whole))
            )
        case Fact(schema, Combination() as combination, numbers):
            e, p, m = combination.factor, combination.product, combination.modulus
            _same(of(p), _times(of(e), of(m)))
            return _instance(schema, (e, p, m), *numbers)
    raise Unproved(f"an unknown fact: {fact}")


def _same(left: _Polynomial, right: _Polynomial) -> None:
    if left != right:
        raise Unproved("a name stands for something else than the fact says")


def _instance(schema: str, about: tuple[Term, Term, Term], c: int, d: int = 0) -> Formula:
    e, p, m = about
    line = Mul(Int(c), m)
    match schema:
        case "case":
            return _if(_line(e, "=", Int(c)), _line(p, "=", line))
        case "bound":  # M (e - c) has the sign of e - c
            up = _if(_line(Int(c), "<=", e), _line(line, "<=", p))
            down = _if(_line(e, "<=", Int(c)), _line(p, "<=", line))
            return _if(_line(_ZERO, "<=", m), up, down)
        case "fixed":
            return _if(_line(m, "=", Int(c)), _line(p, "=", Mul(Int(c), e)))
        case "tangent":  # (e - c)(M - d) = P - (c M + d e - c d)
            plane = Sum((line, Mul(Int(d), e), Int(-c * d)))
            signs = ((_line(Int(c), "<=", e), _line(e, "<=", Int(c))),)
            (above, below), (right, left) = (
                *signs,
                (
                    _line(Int(d), "<=", m),
                    _line(m, "<=", Int(d)),
                ),
            )
            same = Or((And((above, right)), And((below, left))))
            mixed = Or((And((above, left)), And((below, right))))
            return And((_if(same, _line(plane, "<=", p)), _if(mixed, _line(p, "<=", plane))))
    raise Unproved(f"an unknown schema: {schema}")


def _line(left: Term, op: str, right: Term) -> Formula:
    return Compare((left, right), (op,))


def _between(low: Term, term: Term, below: Term) -> Formula:
    return Compare((low, term, below), ("<=", "<"))


def _if(condition: Formula, *then: Formula) -> Formula:
    return Implies(condition, And(then) if len(then) > 1 else then[0])

"""A second check of proofs about products: are the facts true, and of this formula?

The proof gives names to quotients, remainders and products, and facts about them; together with
the formula over these names they contradict each other in linear arithmetic.  Here the names are
put back: each part must become the formula that is to be refuted, and in each fact about P = e M
the term P must become the product of e and M, as polynomials over the names that were there and
what is divided.  Then the schema says why the fact is true of all integers, and it is written
down again, for another solver than the one that found the contradiction.

Of what is said about one product P = e M at several numbers c, one formula is made: e is less than
the first number, or equal to it, or between it and the next, and so on, and each case says what
it says of P.  That is the same, and a solver has one choice to make where it had many."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import product
from typing import TypeAlias

from icgsynth.errors import Unproved
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.prove.product_proofs import Combination, Division, Fact, ProductProof, Split

_Polynomial: TypeAlias = frozenset[tuple[tuple[Hashable, ...], int]]
_SIGNS = ("case", "bound")  # the schemas in which e is compared with a number
_ONE = t.Int(1)
_ZERO = t.Int(0)


def restated(formulas: Iterable[t.Formula], proof: ProductProof) -> tuple[t.Formula, ...]:
    """Return linear formulas that follow from ``formulas`` by ``proof``, to be refuted.

    :class:`~icgsynth.errors.Unproved` where a part is not that of ``formulas``, or a fact does not
    follow from the definitions."""
    expansion = _Expansion(proof.definitions)
    given, told = tuple(formulas), proof.parts
    if len(given) != len(told):
        raise Unproved("the proof is of other formulas")
    for formula, part in zip(given, told, strict=True):
        if not free_names(formula).isdisjoint(proof.definitions):
            raise Unproved("a name of the proof stands in the formula")
        if expansion.meaning(formula) != expansion.meaning(part):
            raise Unproved(f"the proof is of another formula than {formula}")
    by_cases: dict[tuple[t.Term, t.Term, t.Term], list[Fact]] = {}
    others: list[t.Formula] = []
    for fact in proof.facts:
        if fact.schema in _SIGNS and isinstance(fact.about, Combination):
            by_cases.setdefault(_product(fact.about, expansion), []).append(fact)
        else:
            others.append(_check(fact, expansion))
    return (*told, *others, *(_in_cases(about, facts) for about, facts in by_cases.items()))


# --- what names stand for ------------------------------------------------------------------------


class _Expansion:
    """An expansion of terms into polynomials, in which no name of the proof is left."""

    def __init__(self, definitions: Mapping[str, t.Term]) -> None:
        self._known: dict[str, _Polynomial] = {}
        for name, term in definitions.items():  # a definition may speak of earlier ones alone
            later = definitions.keys() - self._known.keys()
            if not free_names(term).isdisjoint(later):
                raise Unproved(f"{name} is defined by itself, or by what comes after it")
            self._known[name] = self.polynomial(term)

    def polynomial(self, term: t.Term) -> _Polynomial:
        match term:
            case t.Int(number):
                return _collect([((), number)])
            case t.Name(name):
                return self._known[name] if name in self._known else _atom(name)
            case t.Sum(args):
                return _collect(item for arg in args for item in self.polynomial(arg))
            case t.Neg(arg):
                return _times(self.polynomial(arg), _collect([((), -1)]))
            case t.Mul(left, right):
                return _times(self.polynomial(left), self.polynomial(right))
            case _:
                return _atom(self.meaning(term))

    def meaning(self, node: t.Node) -> Hashable:
        """Return a key of ``node``; nodes with equal keys mean the same, where names are equal."""
        if isinstance(node, t.Quantified):
            raise Unproved("a quantifier")
        parts = tuple(
            self.polynomial(part) if isinstance(part, t.Term) else self.meaning(part)
            for part in t.children(node)
        )
        given = tuple(getattr(node, field.name) for field in fields(node))
        told = tuple(x for x in given if not isinstance(x, t.Node) and x != tuple(t.children(node)))
        return type(node).__name__, told, parts


def _atom(key: Hashable) -> _Polynomial:
    return frozenset({((key,), 1)})


def _collect(items: Iterable[tuple[tuple[Hashable, ...], int]]) -> _Polynomial:
    total: dict[tuple[Hashable, ...], int] = {}
    for monomial, number in items:
        total[monomial] = total.get(monomial, 0) + number
    return frozenset((m, n) for m, n in total.items() if n)


def _times(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    return _collect(
        (tuple(sorted((*m, *n), key=repr)), a * b) for (m, a), (n, b) in product(left, right)
    )


# --- facts ---------------------------------------------------------------------------------------


def _check(fact: Fact, expansion: _Expansion) -> t.Formula:
    of = expansion.polynomial
    match fact:
        case Fact("division", Division() as d):
            quotient, rest = t.Div(d.dividend, d.modulus), t.Mod(d.dividend, d.modulus)
            _same(of(d.quotient), of(quotient))
            _same(of(d.product), _times(of(quotient), of(d.modulus)))
            _same(of(t.Name(d.remainder)), of(rest))
            r = t.Name(d.remainder)
            whole = _line(d.dividend, "=", t.Sum((r, d.product)))
            return _if(_line(_ONE, "<=", d.modulus), whole, _between(_ZERO, r, d.modulus))
        case Fact("split", Split(d, other, whole, outer, rest)):
            x, m = d.dividend, d.modulus
            _same(of(t.Name(whole)), of(t.Mul(x, other)))
            _same(of(t.Name(outer)), of(t.Mul(t.Mul(t.Div(x, m), other), m)))
            _same(of(t.Name(rest)), of(t.Mul(t.Mod(x, m), other)))
            return _if(
                _line(_ONE, "<=", m),
                _line(t.Sum((t.Name(rest), t.Name(outer))), "=", t.Name(whole)),
            )
        case Fact(schema, Combination() as combination, numbers):
            return _instance(schema, _product(combination, expansion), *numbers)
    raise Unproved(f"an unknown fact: {fact}")


def _product(combination: Combination, expansion: _Expansion) -> tuple[t.Term, t.Term, t.Term]:
    """Return (factor e, product P, modulus M) of ``combination``; raise Unproved unless P = e M, as
    polynomials over the names that ``expansion`` leaves."""
    e, p, m = combination.factor, combination.product, combination.modulus
    of = expansion.polynomial
    _same(of(p), _times(of(e), of(m)))
    return e, p, m


def _in_cases(about: tuple[t.Term, t.Term, t.Term], facts: Iterable[Fact]) -> t.Formula:
    """Return one formula for what ``facts``, of schemas "case" and "bound", say of one product P =
    e M, whose (e, P, M) is ``about``."""
    # That P - c M = M (e - c) has the sign of e - c is true of M >= 0 alone.
    e, p, m = about
    numbers = [(fact.schema, fact.numbers[0]) for fact in facts]
    bounds = sorted({c for schema, c in numbers if schema == "bound"})
    pieces = t.Or(tuple(_pieces(about, sorted({c for _, c in numbers}), bounds)))
    if not bounds:
        return pieces
    cases = sorted({c for schema, c in numbers if schema == "case"})
    negative = (_if(_line(e, "=", t.Int(c)), _line(p, "=", t.Mul(t.Int(c), m))) for c in cases)
    return t.Or((t.And((_line(m, "<", _ZERO), *negative)), t.And((_line(_ZERO, "<=", m), pieces))))


def _pieces(
    about: tuple[t.Term, t.Term, t.Term], numbers: Sequence[int], bounds: Sequence[int]
) -> Iterator[t.Formula]:
    """Yield, for each of ``numbers`` and each gap between them, that e is there, with P's bounds.
    ``about`` is (e, P, M) of a product P = e M, ``bounds`` those of ``numbers`` with a bound."""
    e, p, m = about
    for low, high in zip((None, *numbers), (*numbers, None), strict=True):
        parts = []
        if low is not None:
            yield t.And((_line(e, "=", t.Int(low)), _line(p, "=", t.Mul(t.Int(low), m))))
            parts.append(_line(t.Int(low), "<", e))
            below = [c for c in bounds if c <= low]
            parts += [_line(t.Mul(t.Int(c), m), "<=", p) for c in below[-1:]]
        if high is not None:
            parts.append(_line(e, "<", t.Int(high)))
            above = [c for c in bounds if c >= high]
            parts += [_line(p, "<=", t.Mul(t.Int(c), m)) for c in above[:1]]
        if low is None or high is None or low + 1 < high:
            yield t.And(tuple(parts))


def _same(left: _Polynomial, right: _Polynomial) -> None:
    if left != right:
        raise Unproved("a name stands for something else than the fact says")


def _instance(schema: str, about: tuple[t.Term, t.Term, t.Term], c: int, d: int = 0) -> t.Formula:
    e, p, m = about
    line = t.Mul(t.Int(c), m)
    match schema:
        case "fixed":
            return _if(_line(m, "=", t.Int(c)), _line(p, "=", t.Mul(t.Int(c), e)))
        case "residue":  # e M - r M is a multiple of c where e - r is
            if c < 1:
                raise Unproved(f"residues modulo {c}")
            leaves = _line(t.Mod(e, t.Int(c)), "=", t.Int(d))
            return _if(leaves, _line(t.Mod(p, t.Int(c)), "=", t.Mod(t.Mul(t.Int(d), m), t.Int(c))))
        case "tangent":  # (e - c)(M - d) = P - (c M + d e - c d)
            plane = t.Sum((line, t.Mul(t.Int(d), e), t.Int(-c * d)))
            above, below = _line(t.Int(c), "<=", e), _line(e, "<=", t.Int(c))
            right, left = _line(t.Int(d), "<=", m), _line(m, "<=", t.Int(d))
            same = t.Or((t.And((above, right)), t.And((below, left))))
            mixed = t.Or((t.And((above, left)), t.And((below, right))))
            return t.And((_if(same, _line(plane, "<=", p)), _if(mixed, _line(p, "<=", plane))))
    raise Unproved(f"an unknown schema: {schema}")


def _line(left: t.Term, op: str, right: t.Term) -> t.Formula:
    return t.compare(left, op, right)


def _between(low: t.Term, term: t.Term, below: t.Term) -> t.Formula:
    return t.Compare((low, term, below), ("<=", "<"))


def _if(condition: t.Formula, *then: t.Formula) -> t.Formula:
    return t.Implies(condition, t.And(then) if len(then) > 1 else then[0])

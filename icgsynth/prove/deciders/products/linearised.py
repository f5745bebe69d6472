"""Formulas with ``t mod M``, ``t div M`` and ``x * M`` as linear ones over more names.

Each quotient, remainder and product of an unknown divisor or factor M gets a name, and is written
as a linear term of names.  Three rules keep the products few:

* Of ``t mod M`` each name x in t is split: with q = x div M and r = x mod M it is q M + r.  So the
  quotient of t is the sum of such q, and of one more that is small.
* ``e * M`` is the sum of the products of the names in e with M, each with its factor.
* Where x is split by M, the product of x and another term d is (q d) M + r d.

Nothing here is a claim: the definitions are kept, and the facts that hold of what they define are
stated in :mod:`icgsynth.prove.deciders.products.decision`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, rebuild, walk
from icgsynth.logic.ranges import as_number, linear
from icgsynth.logic.simplify import collect_atoms, linear_sum
from icgsynth.prove.product_proofs import Division, Product, Split


@dataclass(frozen=True)
class Linearised:
    """``parts`` over the names that were there and those in ``definitions``, in their order."""

    parts: tuple[t.Formula, ...]
    definitions: Mapping[str, t.Term]
    divisions: tuple[Division, ...]
    products: tuple[Product, ...]
    """A product of two names is here twice, with either of them as the modulus."""
    splits: tuple[Split, ...]


def linearised(parts: Iterable[t.Formula]) -> Linearised:
    """Return the formulas without products: a new name stands for each."""
    given = tuple(parts)
    divisors = {n.divisor for part in given for n in walk(part) if isinstance(n, t.Mod | t.Div)}
    rewriting = _Rewriting(frozenset().union(*map(free_names, divisors)))
    made = tuple(rewriting.formula(part) for part in given)
    splits = tuple(rewriting.splits())
    divisions = tuple(rewriting.divisions.values())
    products = tuple(_both_ways(rewriting.products.values()))
    return Linearised(made, MappingProxyType(rewriting.definitions), divisions, products, splits)


def _both_ways(products: Iterable[Product]) -> Iterator[Product]:
    for product in products:
        yield product
        if isinstance(product.modulus, t.Name) and product.modulus != product.factor:
            yield Product(product.name, product.modulus, product.factor)


class _Rewriting:
    """The names introduced so far."""

    def __init__(self, in_divisors: frozenset[str]) -> None:
        self._in_divisors = in_divisors
        self.definitions: dict[str, t.Term] = {}
        self.divisions: dict[tuple[t.Term, t.Term], Division] = {}
        self.products: dict[tuple[t.Term, t.Term], Product] = {}
        self._known: dict[t.Term, t.Term] = {}
        self._remainders: dict[str, set[t.Term]] = {}

    def formula(self, formula: t.Formula) -> t.Formula:
        return rebuild(formula, self._parts(formula))

    def term(self, term: t.Term) -> t.Term:
        if term not in self._known:
            parts = self._parts(term)
            self._known[term] = self._linear(rebuild(term, parts) if parts else term)
        return self._known[term]

    def _parts(self, node: t.Node) -> tuple[t.Node, ...]:
        return tuple(
            self.term(part) if isinstance(part, t.Term) else self.formula(part)
            for part in t.children(node)
        )

    def _linear(self, term: t.Term) -> t.Term:
        if isinstance(term, t.Mul):
            return self._product(term.left, term.right)
        if not isinstance(term, t.Mod | t.Div):
            return term
        if (number := as_number(term.divisor)) is not None:
            return type(term)(term.arg, t.Int(number))
        division = self._divided(term.arg, term.divisor)
        return division.quotient if isinstance(term, t.Div) else t.Name(division.remainder)

    # --- names -----------------------------------------------------------------------------------

    def _name(self, stem: str, meaning: t.Term) -> str:
        name = f"{stem}!{len(self.definitions) + 1}"
        self.definitions[name] = meaning
        return name

    def _product(self, left: t.Term, right: t.Term) -> t.Term:
        for factor, other in ((left, right), (right, left)):
            if (number := as_number(factor)) is not None:
                return collect_atoms(t.Mul(t.Int(number), other))
        if not free_names(right) <= self._in_divisors:
            left, right = right, left
        return self.times(left, right)

    def times(self, factor: t.Term, modulus: t.Term) -> t.Term:
        """The product of ``factor``, atom by atom, and ``modulus``, as a linear term."""
        form, unit = linear(factor), linear(modulus)
        total = {atom: form.constant * f for atom, f in unit.factors.items()}
        for atom, f in form.factors.items():
            key = atom, _plain(modulus)
            if key not in self.products:
                name = self._name("p", t.Mul(atom, modulus))
                self.products[key] = Product(name, atom, key[1])
            product = t.Name(self.products[key].name)
            total[product] = total.get(product, 0) + f
        return linear_sum(total, form.constant * unit.constant)

    def _divided(self, dividend: t.Term, modulus: t.Term) -> Division:
        dividend, modulus = _plain(dividend), _plain(modulus)
        if (dividend, modulus) not in self.divisions:
            self.divisions[dividend, modulus] = self._new_division(dividend, modulus)
        return self.divisions[dividend, modulus]

    def _new_division(self, dividend: t.Term, modulus: t.Term) -> Division:
        form, inside = linear(dividend), free_names(modulus)
        parts: list[t.Term] = []
        if dividend not in form.factors:  # a name alone is not split, but divided
            for atom, factor in form.factors.items():
                if isinstance(atom, t.Name) and atom.name not in inside:
                    if modulus in self._remainders.get(atom.name, ()):
                        continue
                    parts.append(t.Mul(t.Int(factor), self._divided(atom, modulus).quotient))
        known = linear(t.Sum(tuple(parts))).factors
        rest = linear_sum({t.Div(dividend, modulus): 1, **{q: -f for q, f in known.items()}})
        last = t.Name(self._name("q", rest))
        remainder = self._name("r", t.Mod(dividend, modulus))
        self._remainders.setdefault(remainder, set()).add(modulus)
        whole = linear_sum({**known, last: 1})
        return Division(dividend, modulus, whole, self.times(whole, modulus), remainder)

    def splits(self) -> list[Split]:
        """Return for each product x d with x divided: the products of its parts with d."""
        found: list[Split] = []
        for product in list(self.products.values()):
            for division in list(self.divisions.values()):
                q = division.quotient
                if product.factor != division.dividend or not isinstance(q, t.Name):
                    continue
                if division.modulus == product.modulus or not isinstance(product.factor, t.Name):
                    continue
                inner = self.times(q, product.modulus)
                outer = self.times(inner, division.modulus)
                rest = self.times(t.Name(division.remainder), product.modulus)
                if isinstance(outer, t.Name) and isinstance(rest, t.Name):
                    other, whole = product.modulus, product.name
                    found.append(Split(division, other, whole, outer.name, rest.name))
        return found


def _plain(term: t.Term) -> t.Term:
    form = linear(term)
    ordered = sorted(form.factors.items(), key=lambda item: str(item[0]))
    return linear_sum(dict(ordered), form.constant)

"""Proofs that no integers satisfy a formula with products of unknowns: what they consist of.

Each product, quotient and remainder has a name, and over these names the formula is linear.  Facts
about the names contradict it, in linear arithmetic.

With P = e M for integers e and M, and a number c:

* ``case``: if e = c then P = c M;
* ``bound``: if M >= 0 and e >= c then P >= c M, and likewise with <=;
* ``fixed``: if M = c then P = c e;
* ``residue`` modulo c >= 1: if e leaves a number r, then P leaves what r M leaves;
* ``tangent`` at numbers c and m: (e - c)(M - m) is at least 0 where both factors have the same
  sign, and at most 0 where they have not.

P and e are sums of products with the same M, and of their factors, with the same whole numbers
before them.  ``division`` is what ``div`` and ``mod`` mean, ``split`` that (q M + r) d = (q d) M +
r d.  Each is a fact about all integers; that a set of them contradicts a formula is therefore a
proof that no integers satisfy it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from icgsynth.logic import term as t
from icgsynth.logic.simplify import sum_of

Schema: TypeAlias = Literal["division", "split", "case", "bound", "fixed", "residue", "tangent"]


@dataclass(frozen=True, slots=True)
class Product:
    """A product: ``name`` stands for ``factor * modulus``, the factor a name or not linear."""

    name: str
    factor: t.Term
    modulus: t.Term


@dataclass(frozen=True, slots=True)
class Division:
    """A division: if ``modulus >= 1``, ``dividend = quotient * modulus + remainder``.

    ``quotient`` is a linear term of names, and ``product`` that of its products with the modulus.
    """

    dividend: t.Term
    modulus: t.Term
    quotient: t.Term
    product: t.Term
    remainder: str


@dataclass(frozen=True, slots=True)
class Split:
    """A product ``whole`` = x d as ``outer`` = q d M plus ``rest`` = r d, for x = q M + r."""

    divided: Division
    other: t.Term
    whole: str
    outer: str
    rest: str


@dataclass(frozen=True, slots=True)
class Combination:
    """A sum e of the factors of ``products``, each times a whole number, all with one M."""

    products: tuple[tuple[Product, int], ...]

    @property
    def factor(self) -> t.Term:
        return sum_of((p.factor, n) for p, n in self.products)

    @property
    def product(self) -> t.Term:
        return sum_of((t.Name(p.name), n) for p, n in self.products)

    @property
    def modulus(self) -> t.Term:
        return self.products[0][0].modulus


@dataclass(frozen=True, slots=True)
class Fact:
    """One instance of a schema of facts, with what it is about."""

    schema: Schema
    about: Division | Split | Combination
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class ProductProof:
    """A proof that ``parts`` have no model: they contradict ``facts`` in linear arithmetic.

    The parts speak of names in ``definitions`` as well, each of which speaks of earlier ones alone.
    """

    parts: tuple[t.Formula, ...]
    definitions: Mapping[str, t.Term]
    facts: tuple[Fact, ...]

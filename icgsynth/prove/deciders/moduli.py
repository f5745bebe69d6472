"""How fine residue classes have to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from icgsynth.logic import term as t


def moduli(formulas: Iterable[t.Formula], names: Sequence[str]) -> dict[str, int]:
    """For each name the least modulus whose residues settle every ``mod`` of ``formulas``."""
    found = dict.fromkeys(names, 1)
    seen: dict[t.Term, Mapping[str, Fraction]] = {}

    def divide(arg: t.Term, divisor: int) -> Mapping[str, Fraction]:
        inner = slopes(arg)
        for name, slope in inner.items():
            # The least K with slope * K in divisor * Z.
            step = slope.denominator * (divisor // gcd(divisor, slope.numerator))
            found[name] = lcm(found[name], step)
        return inner

    def slopes(term: t.Term) -> Mapping[str, Fraction]:
        """How fast ``term`` grows with each name, but for what is periodic in it."""
        known = seen.get(term)
        if known is None:
            known = seen[term] = computed(term)
        return known

    def computed(term: t.Term) -> Mapping[str, Fraction]:
        match term:
            case t.Name(name):
                return {name: Fraction(1)}
            case t.Sum(args):
                total: dict[str, Fraction] = {}
                for arg in args:
                    for name, slope in slopes(arg).items():
                        total[name] = total.get(name, Fraction(0)) + slope
                return {name: slope for name, slope in total.items() if slope}
            case t.Neg(arg):
                return {name: -slope for name, slope in slopes(arg).items()}
            case t.Mul(t.Int(factor), arg):
                return {n: s * factor for n, s in slopes(arg).items()} if factor else {}
            case t.Mod(arg, t.Int(divisor)):
                divide(arg, divisor)
                return {}
            case t.Div(arg, t.Int(divisor)):
                return {n: s / divisor for n, s in divide(arg, divisor).items()}
            case _:
                return {}

    stack: list[t.Node] = list(formulas)
    done: set[int] = set()  # equal comparisons are one object
    while stack:
        top = stack.pop()
        if isinstance(top, t.Compare):
            if id(top) not in done:
                done.add(id(top))
                for term in top.terms:
                    slopes(term)
        elif not isinstance(top, t.Truth):
            stack.extend(t.children(top))
    return found

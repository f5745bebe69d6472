"""Terms for the parameters of semi-ground actions.

Small ones are enumerated by size.  Others *aim*: where a literal of the losing formula, read
after the action, is linear in a parameter with coefficient 1 or -1, the parameter's value
that makes it hold can be solved for, whatever the coefficients of the state variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from icgsynth.game import Action, ParametricGame
from icgsynth.ranges import Linear, linear
from icgsynth.simplify import linear_sum
from icgsynth.term import (
    Compare,
    Div,
    Formula,
    Int,
    Max,
    Member,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Sum,
    Term,
    free_names,
    integers,
    size,
    substitute,
    walk,
)

__all__ = ["aimed_terms", "small_terms"]

_OFFSETS = 12  # integers tried as offsets


def aimed_terms(
    game: ParametricGame, losing: Formula, action: Action
) -> Iterator[tuple[str, Term]]:
    """Pairs of a parameter and the term, over the state and the other parameters."""
    after = substitute(losing, game.after(action))
    seen: set[tuple[str, Term]] = set()
    for literal in walk(after):
        for form, modulus in _equations(literal):
            for parameter in action.parameters:
                factor = form.factors.get(Name(parameter), 0)
                if abs(factor) != 1:
                    continue
                rest = {t: -factor * f for t, f in form.factors.items() if t != Name(parameter)}
                term = linear_sum(rest, -factor * form.constant)
                if modulus:
                    term = Mod(term, Int(modulus))
                # A parameter inside min or div, say, is not solved for.
                if parameter not in free_names(term) and (parameter, term) not in seen:
                    seen.add((parameter, term))
                    yield parameter, term


def _equations(literal: Node) -> Iterator[tuple[Linear, int]]:
    """Linear forms that are 0 where the literal just holds, with a modulus or 0."""
    match literal:
        case Compare((Mod(arg, Int(modulus)), Int(residue)), (op,)):
            residues = range(min(modulus, 8)) if op == "!=" else (residue,)
            for r in residues:
                if r != residue or op != "!=":
                    yield linear(Sum((arg, Int(-r)))), modulus
        case Member(Mod(arg, Int(modulus)), values):
            for member in values:
                if isinstance(member, Int):
                    yield linear(Sum((arg, Int(-member.value)))), modulus
        case Compare((left, right), (op,)) if not _has_residue(left, right):
            # The boundary, and one to each side of it for inequalities.
            for shift in (0,) if op == "=" else (0, 1, -1):
                yield linear(Sum((left, Neg(right), Int(shift)))), 0


def _has_residue(*terms: Term) -> bool:
    return any(isinstance(n, Mod | Div) for term in terms for n in walk(term))


def small_terms(game: ParametricGame, losing: Formula) -> Iterator[Term]:
    """Terms over the variables and the integers at hand, by size."""
    offsets = _offsets(game, losing)
    moduli = sorted(_moduli(losing) | {m for f in game.formulas() for m in _moduli(f)})
    names = [Name(v) for v in game.variables]
    buckets: dict[int, list[Term]] = {}
    for term in _all_terms(names, offsets, moduli):
        buckets.setdefault(size(term), []).append(term)
    for s in sorted(buckets):
        yield from buckets[s]


def _all_terms(names: list[Name], offsets: list[int], moduli: list[int]) -> Iterator[Term]:
    bases: list[Term] = [*names]
    for x, y in combinations(names, 2):
        bases += [Sum((x, Neg(y))), Sum((y, Neg(x))), Sum((x, y))]
    for c in offsets:
        yield Int(c)
    for base in bases:
        yield base
        for c in offsets:
            if c:
                yield _plus(base, -c)
                yield _plus(base, c)
    for x in names:
        for c in offsets:
            if c:
                yield Sum((Int(c), Neg(x)))
    for x, y in combinations(names, 2):
        yield Min(x, y)
        yield Max(x, y)
    for x, y, z in combinations(names, 3):
        for one, two, three in ((x, y, z), (y, x, z), (z, x, y)):
            yield Sum((one, Neg(two), Neg(three)))
            yield Sum((two, three, Neg(one)))
            yield Sum((one, Neg(Max(two, three))))
            yield Sum((one, Neg(Min(two, three))))
        yield Sum((x, y, z))
    for x in names:
        yield Mul(Int(2), x)
        for divisor in (2, 3):
            yield Div(x, Int(divisor))
            yield Div(_plus(x, 1), Int(divisor))
    for x, y in combinations(names, 2):
        for a, b in ((x, y), (y, x)):
            yield Div(Sum((a, Neg(b))), Int(2))
            yield Div(Sum((a, Neg(b), Int(1))), Int(2))
            yield Sum((a, Neg(Mul(Int(2), b))))
    for modulus in moduli:
        for base in bases:
            yield Mod(base, Int(modulus))
            for c in range(1, min(modulus, 60)):
                yield Mod(_plus(base, c if 2 * c <= modulus else c - modulus), Int(modulus))
            yield Sum((Mod(base, Int(modulus)), Int(1)))
        for x in names:
            for c in range(min(modulus, 60)):
                yield Mod(Sum((Int(c), Neg(x))) if c else Neg(x), Int(modulus))


def _plus(base: Term, number: int) -> Term:
    head = base.args if isinstance(base, Sum) else (base,)
    return Sum((*head, Int(number)))


def _offsets(game: ParametricGame, losing: Formula) -> list[int]:
    """Small integers and those of the rules and the formula, with their neighbours."""
    given = sorted(game.integers | integers(losing))
    near = [c + d for c in given for d in (0, -1, 1) if c + d >= 0]
    ordered = dict.fromkeys([1, 0, 2, 3, *given, *near])
    return list(ordered)[: _OFFSETS + len(given)]


def _moduli(formula: Any) -> set[int]:
    return {
        n.divisor.value for n in walk(formula) if isinstance(n, Mod) and isinstance(n.divisor, Int)
    }

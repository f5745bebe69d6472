"""Bases: families of parameter terms that differ by an integer.

A base ``t`` stands for the terms ``t + c``, or ``(t + c) mod m``, over all integers ``c``.
Which ``c`` to take is read off the winning moves (:mod:`icgsynth.synth.linear.mined`), not tried.

Small bases are listed.  Others *aim*: where a literal of the losing formula, read after the
action, is linear in a parameter, the parameter's value that makes it hold can be solved for,
whatever the coefficients of the state variables; a coefficient other than 1 divides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from math import gcd
from typing import Any

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, size, substitute, walk
from icgsynth.logic.normal import conjuncts
from icgsynth.logic.ranges import Linear, linear
from icgsynth.logic.simplify import linear_sum, simplified_term

_MODULI = 8  # tried at most, the smallest first
_LARGEST = 2**31  # modulus or divisor: machine words hold what is computed with them
_JOINT = 5  # terms for one parameter when all aim together
_STEPS = 4  # modulus up to which the next value of a residue is tried
_REMAINDERS = 8  # numerators tried for one division


@dataclass(frozen=True)
class Base:
    """``term + c`` for every c; with a ``modulus``, ``(term + c) mod modulus``."""

    term: t.Term
    modulus: int = 0

    def at(self, offset: int) -> t.Term:
        """The term with this offset, as people write it: ``3 - b``, ``(a - 2) mod 7``."""
        if not self.modulus:
            return _plus(self.term, offset)
        shift = offset % self.modulus
        if 2 * shift > self.modulus and not isinstance(self.term, t.Neg):
            shift -= self.modulus
        return t.Mod(_plus(self.term, shift), t.Int(self.modulus))

    @cached_property
    def size(self) -> int:
        """Leaves of the term without an offset; a number alone is an offset alone."""
        return 0 if self.term == t.Int(0) else size(self.at(0))


def _plus(term: t.Term, number: int) -> t.Term:
    if not number:
        return term
    if term == t.Int(0):
        return t.Int(number)
    if isinstance(term, t.Neg) and number > 0:
        return t.Sum((t.Int(number), term))
    head = term.args if isinstance(term, t.Sum) else (term,)
    return t.Sum((*head, t.Int(number)))


# --- small terms ---------------------------------------------------------------


def simple_bases(game: ParametricGame, losing: t.Formula) -> Iterator[Base]:
    """Numbers, variables, differences, the smaller of two, remainders."""
    names = [t.Name(v) for v in game.variables]
    yield Base(t.Int(0))
    yield from map(Base, names)
    for x, y in combinations(names, 2):
        yield Base(t.Sum((x, t.Neg(y))))
        yield Base(t.Sum((y, t.Neg(x))))
    for x, y in combinations(names, 2):
        yield Base(t.Min(x, y))
        yield Base(t.Sum((x, y)))
    for modulus in _moduli(game, losing):
        for x in names:
            yield Base(t.Mod(x, t.Int(modulus)))


def bases(game: ParametricGame, losing: t.Formula) -> Iterator[Base]:
    """All that are listed, simplest first within each kind."""
    yield from simple_bases(game, losing)
    names = [t.Name(v) for v in game.variables]
    moduli = _moduli(game, losing)
    for x, y in combinations(names, 2):
        yield Base(t.Max(x, y))
    yield from (Base(t.Neg(x)) for x in names)
    yield from map(Base, _of_three(names))
    for x in names:
        yield Base(t.Mul(t.Int(2), x))
        for divisor in (2, 3):
            yield from (Base(t.Div(_plus(x, c), t.Int(divisor))) for c in range(divisor))
    for x, y in combinations(names, 2):
        for a, b in ((x, y), (y, x)):
            yield Base(t.Div(t.Sum((a, t.Neg(b))), t.Int(2)))
            yield Base(t.Div(t.Sum((a, t.Neg(b), t.Int(1))), t.Int(2)))
            yield Base(t.Sum((a, t.Neg(t.Mul(t.Int(2), b)))))
    for modulus in moduli:
        # What a pile has in whole steps of the modulus.
        yield from (Base(t.Sum((x, t.Neg(t.Mod(x, t.Int(modulus)))))) for x in names)
        for x in names:
            yield Base(x, modulus)
            yield Base(t.Neg(x), modulus)
        for x, y in combinations(names, 2):
            for term in (t.Sum((x, t.Neg(y))), t.Sum((y, t.Neg(x))), t.Sum((x, y))):
                yield Base(term, modulus)
                yield Base(t.Mod(term, t.Int(modulus)))
            for a, b in ((x, y), (y, x)):
                yield Base(t.Sum((t.Mod(a, t.Int(modulus)), t.Neg(t.Mod(b, t.Int(modulus))))))


def _of_three(names: list[t.Name]) -> Iterator[t.Term]:
    for x, y, z in combinations(names, 3):
        for one, two, three in ((x, y, z), (y, x, z), (z, x, y)):
            yield t.Sum((one, t.Neg(two), t.Neg(three)))
            yield t.Sum((two, three, t.Neg(one)))
            yield t.Sum((one, t.Neg(t.Max(two, three))))
            yield t.Sum((one, t.Neg(t.Min(two, three))))
        yield t.Sum((x, y, z))


def _moduli(game: ParametricGame, losing: t.Formula) -> list[int]:
    found = {
        n.divisor.value
        for formula in (losing, *game.formulas())
        for n in walk(formula)
        if isinstance(n, t.Mod) and isinstance(n.divisor, t.Int)
    }
    return sorted(m for m in found if 1 < m <= _LARGEST)[:_MODULI]


# --- terms that aim --------------------------------------------------------------


@dataclass(frozen=True)
class Aim:
    """``divisor * parameter = factors . atoms`` up to an integer, or modulo ``modulus``.

    The atoms are names of variables and other parameters, or terms over them.
    """

    parameter: str
    factors: tuple[tuple[t.Term, int], ...]
    divisor: int = 1
    modulus: int = 0

    def bases(self, others: Mapping[str, t.Term]) -> Iterator[Base]:
        """Over the state alone, with terms for the other parameters."""
        total = linear_sum(dict(self.factors))
        form = linear(substitute(total, others))
        if self.divisor == 1:
            yield Base(linear_sum(form.factors), self.modulus)
            return
        whole = {
            term: f // self.divisor for term, f in form.factors.items() if f % self.divisor == 0
        }
        parts = {term: f for term, f in form.factors.items() if f % self.divisor}
        if not parts:
            yield Base(linear_sum(whole))
            return
        # floor((c - s) / d) is -floor((s - c + d - 1) / d): no sum of negative terms alone.
        sign = -1 if all(f < 0 for f in parts.values()) else 1
        parts = {term: sign * f for term, f in parts.items()}
        for c in _remainders(self.divisor):
            quotient = t.Div(linear_sum(parts, c), t.Int(self.divisor))
            yield Base(linear_sum({**whole, quotient: sign}))

    def beyond(self, least: t.Term, others: Mapping[str, t.Term]) -> Iterator[Base]:
        """The first values from ``least`` on that have the residue aimed at, for small moduli."""
        if not 1 < self.modulus <= _STEPS:
            return
        total = linear(substitute(linear_sum(dict(self.factors)), others))
        for c in range(self.modulus):
            gap = simplified_term(t.Sum((linear_sum(total.factors, c), t.Neg(least))))
            yield Base(t.Sum((least, t.Mod(gap, t.Int(self.modulus)))))


def _remainders(divisor: int) -> Iterable[int]:
    """Numbers below ``divisor``, 0 and the last among them, not too many."""
    if divisor <= _REMAINDERS:
        return range(divisor)
    return sorted({i * (divisor - 1) // (_REMAINDERS - 1) for i in range(_REMAINDERS)})


def aims(game: ParametricGame, losing: t.Formula, action: Action) -> list[Aim]:
    """What the literals of the losing formula, read after ``action``, say of its parameters.

    Equations of the rules come first, for they leave no choice.
    """
    after = substitute(losing, game.after(action))
    found: dict[Aim, None] = {}
    given = (p for p in conjuncts([action.precondition]) if _is_equation(p))
    for literal in (*given, *walk(after)):
        for form, modulus in _equations(literal):
            for parameter in action.parameters:
                aim = _solved(form, modulus, parameter)
                if aim is not None:
                    found[aim] = None
    return list(found)


def _is_equation(formula: t.Formula) -> bool:
    return isinstance(formula, t.Compare) and formula.ops == ("=",)


def shared_aims(game: ParametricGame, losing: t.Formula, action: Action) -> list[Base]:
    """What all parameters would have to be at once: rules often keep them near each other."""
    unit = dict.fromkeys(action.parameters, 1)
    return [Base(term) for term in dict.fromkeys(_tied_aims(game, losing, action, unit))]


def joint_aims(action: Action, aimed: Iterable[Aim]) -> list[list[t.Term]]:
    """For each parameter the terms over the state that aims give, one put into another."""
    found: dict[str, dict[t.Term, None]] = {p: {} for p in action.parameters}
    plain = [aim for aim in aimed if aim.divisor == 1 and not aim.modulus]
    for _ in action.parameters:
        for aim in plain:
            total = linear_sum(dict(aim.factors))
            others = sorted(free_names(total) & found.keys())
            for rest in product(*(list(found[p])[:2] for p in others)):
                by = dict(zip(others, rest, strict=True))
                form = linear(substitute(total, by))
                if len(found[aim.parameter]) < _JOINT:
                    found[aim.parameter][linear_sum(form.factors)] = None
    return [list(found[p]) for p in action.parameters]


def proportional(
    game: ParametricGame, losing: t.Formula, action: Action
) -> list[dict[str, t.Term]]:
    """Where the rules tie two parameters as ``p * j = q * k``: the largest that a pile allows.

    For each pile, and also in steps that keep the residues of the losing formula.
    """
    found: list[dict[str, t.Term]] = []
    for part in conjuncts([action.precondition]):
        if not isinstance(part, t.Compare) or part.ops != ("=",):
            continue
        form = linear(t.Sum((part.terms[0], t.Neg(part.terms[1]))))
        tied = {one.name: f for one, f in form.factors.items() if isinstance(one, t.Name)}
        if form.constant or len(tied) != len(form.factors) or set(tied) != set(action.parameters):
            continue
        if len(tied) != 2 or min(tied.values()) > 0 or max(tied.values()) < 0:
            continue
        (j, p), (k, q) = tied.items()
        common = gcd(p, q)
        unit = {j: abs(q) // common, k: abs(p) // common}
        for step in (1, *_moduli(game, losing)):
            for pile, term in game.after(action).items():
                for name, each in unit.items():
                    if name in free_names(term):
                        times = _times(step, t.Div(t.Name(pile), t.Int(each * step)))
                        found.append({n: _times(u, times) for n, u in unit.items()})
        tied_aims = _tied_aims(game, losing, action, unit)
        found += [{n: _times(u, times) for n, u in unit.items()} for times in tied_aims]
    return found


def _tied_aims(
    game: ParametricGame, losing: t.Formula, action: Action, unit: Mapping[str, int]
) -> Iterator[t.Term]:
    """How often the parameters take their ``unit`` to meet a literal of the losing formula."""
    own: list[t.Term] = [t.Name(p) for p in unit]
    for literal in walk(substitute(losing, game.after(action))):
        for form, modulus in _equations(literal):
            factor = sum(form.factors.get(t.Name(p), 0) * u for p, u in unit.items())
            rest = {term: f for term, f in form.factors.items() if term not in own}
            hidden = any(free_names(term) & set(unit) for term in rest)
            if modulus or hidden or not rest or not 0 < abs(factor) <= _LARGEST:
                continue
            sign = -1 if factor > 0 else 1
            aim = Aim("", tuple((term, sign * f) for term, f in rest.items()), abs(factor))
            yield from (base.term for base in aim.bases({}))


def _times(factor: int, term: t.Term) -> t.Term:
    if isinstance(term, t.Mul) and isinstance(term.left, t.Int):
        return _times(factor * term.left.value, term.right)
    return term if factor == 1 else t.Mul(t.Int(factor), term)


def _solved(form: Linear, modulus: int, parameter: str) -> Aim | None:
    factor = form.factors.get(t.Name(parameter), 0)
    if not factor or abs(factor) > _LARGEST or (modulus and abs(factor) != 1):
        return None
    sign = -1 if factor > 0 else 1
    rest = {term: sign * f for term, f in form.factors.items() if term != t.Name(parameter)}
    # A parameter inside min or div, say, is not solved for.
    if any(parameter in free_names(term) for term in rest):
        return None
    return Aim(parameter, tuple(rest.items()), abs(factor), modulus)


def _equations(literal: t.Node) -> Iterator[tuple[Linear, int]]:
    """Linear forms that are near 0 where the literal just holds, with a modulus or 0."""
    match literal:
        case t.Compare((t.Mod(arg, t.Int(modulus)), _), _) | t.Member(
            t.Mod(arg, t.Int(modulus)), _
        ):
            if 1 < modulus <= _LARGEST:
                yield linear(arg), modulus
        case t.Compare((_, t.Mod(arg, t.Int(modulus)), _), _):
            if 1 < modulus <= _LARGEST:
                yield linear(arg), modulus
        case t.Compare(terms, _) if not _has_residue(*terms):
            for left, right in pairwise(terms):
                yield linear(t.Sum((left, t.Neg(right)))), 0
        case t.Member(arg, _) if not _has_residue(arg):
            yield linear(arg), 0


def _has_residue(*terms: Any) -> bool:
    return any(isinstance(n, t.Mod | t.Div) for term in terms for n in walk(term))

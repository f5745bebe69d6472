"""Terms that the parameters of a winning move may be, whatever the constants are.

A move goes to a losing state; so a parameter is often the distance of a variable to a target, also
modulo a divisor of the losing formula: zero, another variable, its residue, the start of its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, size, walk
from icgsynth.logic.simplify import simplified_term
from icgsynth.synth.families.member_columns import few_valued
from icgsynth.synth.families.member_table import MemberTable

__all__ = ["argument_pairs", "argument_terms"]

_MOST = 3_600


def argument_terms(table: MemberTable, losing: t.Formula) -> list[t.Term]:
    """Short ones first; their divisors are at least 1 on the whole table."""
    game, free = table.family.game, [t.Name(c) for c in table.family.free]
    own = [t.Name(v) for v in game.variables[len(free) :]]
    nodes = list(walk(losing))
    divisors = list(dict.fromkeys(n.divisor for n in nodes if isinstance(n, t.Mod | t.Div)))
    residues = list(dict.fromkeys(n for n in nodes if isinstance(n, t.Mod)))
    positive = [c for c in free if table.values(c).min() >= 1]
    numbers = sorted(game.integers | {1, 2})[:6]
    found: list[t.Term] = [*map(t.Int, numbers), *own, *residues]
    for c in free:
        found += [c, t.Mul(t.Int(2), c), *_shifted(c, (1, -1, -2))]
        found += [_minus(c, r) for r in residues] + [_minus(r, c) for r in residues]
    for r in residues:
        found += _shifted(r, (1, -1, -2))
    few = few_valued(table.family) if len(own) > 2 else {}
    own = [x for x in own if x not in few]
    for x in own:
        others = [y for y in own if y != x]
        for target in _targets(others, free, divisors, positive):
            found.append(_minus(x, target))
            for m in divisors:
                found += [t.Mod(_minus(x, target), m), _minus(t.Mod(x, m), target)]
                found.append(t.Mod(_minus(target, x), m))
    distinct = dict.fromkeys(map(simplified_term, found))
    return sorted(distinct, key=size)[:_MOST]


def argument_pairs(table: MemberTable, losing: t.Formula) -> list[tuple[t.Term, t.Term]]:
    """What a move may take from two variables that go to one and the same value.

    Half of the sum modulo a divisor, or of one more divisor, is such a value.
    """
    game, free = table.family.game, [t.Name(c) for c in table.family.free]
    own = [t.Name(v) for v in game.variables[len(free) :]][:2]
    if len(own) < 2:
        return []
    divisors = [n.divisor for n in walk(losing) if isinstance(n, t.Mod | t.Div)]
    moduli = dict.fromkeys((*divisors, *(c for c in free if table.values(c).min() >= 1)))
    targets: list[t.Term] = [t.Int(0), *free]
    for m in moduli:
        total = t.Mod(t.Sum(tuple(own)), m)
        targets += [t.Mod(own[0], m), t.Mod(own[1], m), total]
        targets += [t.Div(total, t.Int(2)), t.Div(t.Sum((total, m)), t.Int(2))]
    shifted = [term for target in targets for term in (target, *_shifted(target, (1, -1)))]
    return [(_minus(own[0], target), _minus(own[1], target)) for target in shifted]


def _targets(
    others: Sequence[t.Name],
    free: Sequence[t.Name],
    divisors: Sequence[t.Term],
    positive: Sequence[t.Name],
) -> Iterator[t.Term]:
    """What a variable may be moved to, made of the ``others``, of constants and of residues."""
    found: list[t.Term] = [t.Int(0), *free, *others]
    found += [near for y in others for near in _shifted(y, (2, -2))]
    for c in free:
        for i in (1, 2, 3):
            found += _shifted(c if i == 1 else t.Mul(t.Int(i), c), (-1, 1, 2, 3))
        found += [t.Sum((y, c)) for y in others] + [_minus(y, c) for y in others]
    for m in divisors:
        found += [t.Mod(c, m) for c in free if c.name not in free_names(m)]
        for y in others:
            r = t.Mod(y, m)
            pair = t.Sum((r, t.Int(1), t.Neg(t.Mul(t.Int(2), t.Mod(r, t.Int(2))))))  # r xor 1
            found += [r, _minus(y, r), t.Mod(t.Neg(y), m), _minus(t.Int(1), r), _minus(m, r)]
            found += [t.Sum((y, t.Neg(r), t.Mod(t.Neg(y), m))), pair, _minus(r, m)]
            for c in free:
                found += [t.Sum((r, c)), _minus(r, c)]
            found += [_minus(r, t.Mod(r, c)) for c in positive]
    for target in dict.fromkeys(found):
        yield target
        yield from _shifted(target, (1, -1))


def _shifted(term: t.Term, numbers: Iterable[int]) -> list[t.Term]:
    return [t.Sum((term, t.Int(n))) if n > 0 else _minus(term, t.Int(-n)) for n in numbers]


def _minus(one: t.Term, other: t.Term) -> t.Term:
    return t.Sum((one, t.Neg(other)))

"""Columns over which the losing states of all members may have a short formula.

Residues of the variables modulo a short linear term in the constants, with what else the formulas
of games speak of.  Equal rows with different labels exclude a set of columns at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic.ranges import box_of
from icgsynth.logic.simplify import linear_sum
from icgsynth.logic.term import Div, Int, Mod, Mul, Name, Neg, Sum, Term, free_names
from icgsynth.synth.families.member_table import GameFamily, MemberTable

__all__ = ["ColumnSet", "column_sets", "is_function"]

_COEFFICIENTS = range(-1, 3)
_CONSTANTS = range(-1, 3)
_INNER = 8  # moduli of a residue
_MIXED = 6  # moduli of which the two variables may have different ones
_FAR = 1_000  # a variable whose bound is nearer has few values


@dataclass(frozen=True)
class ColumnSet:
    """The terms that a formula may speak of; constants and variables stand for themselves."""

    terms: tuple[Term, ...]

    def names(self) -> tuple[str, ...]:
        """A name for each term, with a dot unless it is one already: no name of a game."""
        named = enumerate(self.terms)
        return tuple([t.name if isinstance(t, Name) else f"icg.{i}" for i, t in named])

    def data(self, table: MemberTable) -> NDArray[np.int64]:
        """(n, terms): their values on the table."""
        return np.stack([table.values(term) for term in self.terms], axis=1).astype(np.int64)


def is_function(data: NDArray[np.int64], target: NDArray[np.bool_]) -> bool:
    """Whether equal rows of ``data`` have equal labels: otherwise no formula over them exists."""
    _, inverse = np.unique(data, axis=0, return_inverse=True)
    inverse = inverse.ravel()
    lost, all_ = np.bincount(inverse, weights=target), np.bincount(inverse)
    return bool(((lost == 0) | (lost == all_)).all())


def column_sets(table: MemberTable) -> Iterator[ColumnSet]:
    """In the order in which to try them: few columns and short moduli first."""
    family = table.family
    constants = [Name(name) for name in family.free]
    own = [Name(name) for name in family.game.variables[len(constants) :]]
    moduli = list(_moduli(table, constants))
    plain = ColumnSet((*constants, *own))
    first = _has_few_values(family)
    if first:
        yield plain
    for modulus in moduli:
        yield ColumnSet((*constants, *_residues(own, constants, modulus)))
    if len(own) == 2:
        for one, other in product(moduli[:_MIXED], repeat=2):
            if one != other:
                yield ColumnSet((*constants, Mod(own[0], one), Mod(own[1], other)))
    if not first:
        yield plain
    for modulus in moduli:
        base = (*constants, *_residues(own, constants, modulus))
        yield ColumnSet((*base, *(Div(x, modulus) for x in own)))
    for modulus in moduli:
        residues = tuple(Mod(x, modulus) for x in own)
        inner: list[Term] = [*constants, Int(2)] if len(own) > 1 else moduli[:_INNER]
        for other in inner:
            if other == modulus or table.values(other).min(initial=1) < 1:
                continue
            kind = Div if len(own) > 1 else Mod
            yield ColumnSet((*constants, *residues, *(kind(r, other) for r in residues)))
    for modulus in moduli:
        yield ColumnSet((*constants, *_residues(own, constants, modulus), *own))


def _residues(own: list[Name], constants: list[Name], modulus: Term) -> Iterator[Term]:
    """Of the variables, of the constants that are not in the modulus, of differences and sums."""
    for name in (*own, *(c for c in constants if c.name not in free_names(modulus))):
        yield Mod(name, modulus)
    for x, y in combinations(own[:2], 2):
        yield Mod(Sum((x, Neg(y))), modulus)
        yield Mod(Sum((x, y)), modulus)


def _moduli(table: MemberTable, constants: list[Name]) -> Iterator[Term]:
    """Short terms in the constants that are at least 1 for all members of the table."""
    found: list[tuple[int, Term]] = []
    for factors in product(_COEFFICIENTS, repeat=len(constants)):
        if any(factors):
            weight = sum(map(abs, factors)) + sum(f < 0 for f in factors)
            for number in _CONSTANTS:
                form: dict[Term, int] = {c: f for c, f in zip(constants, factors, strict=True) if f}
                found.append((weight + abs(number), linear_sum(form, number)))
    terms = [term for _, term in sorted(found, key=lambda pair: pair[0])]
    terms += [Sum((Mul(Int(2), c), Mod(c, Int(2)))) for c in constants]
    for term in terms:
        if len(table.rows) and table.values(term).min() >= 1:
            yield term


def _has_few_values(family: GameFamily) -> bool:
    """Whether the rules bound some variable by a number: then residues are not what matters."""
    game = family.game
    sides = box_of(game.legal, game.variables, _FAR)[len(family.free) :]
    return any(hi < _FAR for _, hi in sides)

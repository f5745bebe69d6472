"""Fit Grundy functions that are piecewise affine on each residue class of one modulus.

In a class the commonest affine functions between neighbouring states are candidates for pieces;
a small decision tree over half-planes chooses the piece.  Outside the sample it is a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd
from typing import NamedTuple, TypeAlias

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.explicit.grundy_box import ValueSample
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, walk
from icgsynth.logic.simplify import linear_sum

_MODULI = {1: 13, 2: 6, 3: 4, 4: 2}  # largest modulus, by the number of variables
_DEPTH = 5  # largest depth of a decision tree
_PIECES = 8  # most affine functions tried in one class
_LEAVES = 60  # most leaves of the whole term
_SLICED = 4  # most values of a variable for which each value is a class of its own
_NEAR = 4  # bounds below this on coordinates may be guards
_APART = 2  # bounds up to this on differences may be guards
_CONSTANTS = 3  # constant values 0, 1, 2 that are always candidates


def piecewise(sample: ValueSample, budget: Budget) -> Iterator[t.Term]:
    """Yield piecewise affine terms that fit all values of ``sample``, by rising modulus.  Terms
    with more leaves and connectives than there are states are skipped: they only list values."""
    variables = len(sample.box.variables)
    for modulus in range(1, _MODULI.get(variables, 1) + 1):
        budget.check()
        term = _with_modulus(sample, modulus)
        if term is not None and size(term) <= len(sample.values) and sample.fits(term):
            yield term


def _with_modulus(sample: ValueSample, modulus: int) -> t.Term | None:
    classes = _Classes.of(sample, modulus)
    learned: list[t.Term] = []
    for residues in classes.residues:
        part = sample.at((classes.of_state == residues).all(axis=1))
        if any(part.fits(term) for term in learned):
            continue
        term = _of_class(part, classes.steps)
        if term is None:
            return None
        learned.append(term)
        if sum(map(_leaves, learned)) > _LEAVES:
            return None
    return classes.join_learned(sample, learned)


def _leaves(term: t.Term) -> int:
    return 1 + sum(isinstance(node, t.If | t.Min | t.Max) for node in walk(term))


# --- classes -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Classes:
    """Classes of states by residues of coordinates, or by the values of short coordinates."""

    names: tuple[t.Name, ...]
    steps: tuple[int, ...]  # the modulus for each variable; 0 where each value is a class
    of_state: Ints  # (n, variables)
    residues: Ints  # (classes, variables)

    @staticmethod
    def of(sample: ValueSample, modulus: int) -> _Classes:
        steps = tuple(modulus if side > _SLICED else 0 for side in sample.box.shape)
        parts = [x % m if m else x for x, m in zip(sample.states.T, steps, strict=True)]
        of_state = np.stack(parts, axis=1)
        names = tuple(map(t.Name, sample.box.variables))
        return _Classes(names, steps, of_state, np.unique(of_state, axis=0))

    def join_learned(self, sample: ValueSample, learned: list[t.Term]) -> t.Term | None:
        """Return one term by cases of ``learned`` that fits all of ``sample``; None for []."""
        if not learned:
            return None
        right = np.stack([sample.meaning(term) == sample.values for term in learned], axis=1)
        fits = np.stack([right[self._has(r)].all(axis=0) for r in self.residues])
        left, chosen = np.ones(len(fits), dtype=bool), list[tuple[t.Term, Flags]]()
        while left.any():
            best = int(fits[left].sum(axis=0).argmax())
            chosen.append((learned[best], left & fits[:, best]))
            left &= ~fits[:, best]
        whole, done = chosen[0]
        for term, classes in chosen[1:]:
            whole = t.If(self._condition(classes, done), term, whole)
            done = done | classes
        return whole

    def _has(self, residues: Ints) -> Flags:
        same: Flags = (self.of_state == residues).all(axis=1)
        return same

    def _condition(self, inside: Flags, outside: Flags) -> t.Formula:
        """Return a formula true in the classes flagged ``inside`` and false in ``outside``."""
        by = max(self.steps)
        signs = [(0, 1, -1) if step == by else (0,) for step in self.steps]
        for factors in sorted(product(*signs), key=_weight)[1:] if by > 1 else ():
            # If residues of a small linear form separate the classes, they are the condition;
            # otherwise the classes are listed one by one.
            rest = (self.residues @ np.array(factors)) % by
            met = set(rest[inside].tolist())
            if not met & set(rest[outside].tolist()):
                whole = linear_sum(dict(zip(self.names, factors, strict=True)))
                return among(t.Mod(whole, t.Int(by)), sorted(met))
        return disjunction(self._is_in(residues) for residues in self.residues[inside])

    def _is_in(self, residues: Ints) -> t.Formula:
        parts = zip(self.names, self.steps, map(int, residues), strict=True)
        return conjunction(
            t.compare(t.Mod(name, t.Int(m)) if m else name, "=", rest)
            for name, m, rest in parts
            if m != 1
        )


def _weight(factors: tuple[int, ...]) -> tuple[int, int]:
    return sum(map(abs, factors)), -sum(factors)


def among(term: t.Term, numbers: list[int]) -> t.Formula:
    """Return the formula that ``term`` is one of ``numbers``."""
    if len(numbers) == 1:
        return t.compare(term, "=", numbers[0])
    return t.Member(term, tuple(map(t.Int, numbers)))


# --- the pieces of a class ----------------------------------------------------------------


class _Piece(NamedTuple):
    """An affine function (slopes x + constant) div scale, exact on the states of a class."""

    slopes: tuple[int, ...]
    constant: int
    scale: int

    @property
    def plainness(self) -> tuple[int, int]:
        """A sort key, less for plainer functions: (variables used, sum of absolute factors)."""
        return sum(map(bool, self.slopes)), sum(map(abs, (*self.slopes, self.constant)))

    def term(self, names: tuple[t.Name, ...]) -> t.Term:
        common = gcd(*self.slopes, self.constant, self.scale)
        scale = self.scale // common
        factors = [slope // common for slope in self.slopes]
        total = linear_sum(dict(zip(names, factors, strict=True)), self.constant // common)
        return total if scale == 1 else t.Div(total, t.Int(scale))


_Tree: TypeAlias = "int | tuple[int, _Tree, _Tree]"
"""A decision tree: the index of a piece, or of a guard with the trees if it holds and if not."""


def _of_class(part: ValueSample, steps: tuple[int, ...]) -> t.Term | None:
    """Return a term that fits ``part``, the states of one class: a small decision tree of affine
    functions, or None.  ``steps`` are the distances of neighbouring states by variable, or 0."""
    names = tuple(map(t.Name, part.box.variables))
    pieces = _common_pieces(part, steps)
    heights = np.stack([part.states @ np.array(p.slopes) + p.constant for p in pieces], axis=1)
    scale = pieces[0].scale
    hits = heights == scale * part.values[:, None]
    guards = [*_coordinates(part, names), *_differences(part, names)]
    compared = list(combinations(range(len(pieces)), 2))
    columns = [c for _, c in guards] + [heights[:, i] <= heights[:, j] for i, j in compared]
    tables = np.stack(columns, axis=1) if columns else np.zeros((len(hits), 0), dtype=bool)
    tree = _grow(hits, tables, _DEPTH)
    if tree is None:
        return None
    terms = [piece.term(names) for piece in pieces]

    def tell(tree: _Tree) -> t.Term:
        if isinstance(tree, int):
            return terms[tree]
        guard, yes, no = tree
        if guard < len(guards):
            return t.If(guards[guard][0], tell(yes), tell(no))
        i, j = compared[guard - len(guards)]
        if (yes, no) == (i, j):
            return t.Min(terms[i], terms[j])
        if (yes, no) == (j, i):
            return t.Max(terms[i], terms[j])
        return t.If(t.compare(terms[i], "<=", terms[j]), tell(yes), tell(no))

    return tell(tree)


def _common_pieces(part: ValueSample, steps: tuple[int, ...]) -> list[_Piece]:
    """Return the commonest affine functions that have the values at a state and at the next ones by
    each of ``steps`` (0: a variable that is constant), and small constants; the plainest first."""
    scale = max(1, *steps)
    known = np.ones(len(part.states), dtype=bool)
    slopes = []
    for i, step in enumerate(steps):
        if not step:
            slopes.append(np.zeros(len(part.states), dtype=np.int64))
            continue
        offset = np.zeros(len(steps), dtype=np.int64)
        offset[i] = step
        # One step in the class raises x by `scale` and the value by up - value, which is the slope
        # of scale * value.
        up = part.beside(offset)
        known &= up >= 0
        slopes.append(up - part.values)
    all_slopes = np.stack(slopes, axis=1)
    constants = scale * part.values - (all_slopes * part.states).sum(axis=1)
    rows = np.column_stack([all_slopes, constants])[known]
    found = Counter(map(tuple, rows.tolist())).most_common(_PIECES)
    pieces = [_Piece(row[:-1], row[-1], scale) for row, _ in found]
    flat = (0,) * len(steps)
    whole = (_Piece(flat, scale * c, scale) for c in range(_CONSTANTS))
    return sorted(dict.fromkeys((*pieces, *whole)), key=lambda piece: piece.plainness)


def _coordinates(part: ValueSample, names: tuple[t.Name, ...]) -> Iterator[tuple[t.Formula, Flags]]:
    for i, name in enumerate(names):
        for c in range(_NEAR):
            yield t.compare(name, "<=", c), part.states[:, i] <= c


def _differences(part: ValueSample, names: tuple[t.Name, ...]) -> Iterator[tuple[t.Formula, Flags]]:
    for i, j in combinations(range(len(names)), 2):
        apart = part.states[:, i] - part.states[:, j]
        for c in range(-_APART, _APART + 1):
            left, right = _shifted(names[i], -c), _shifted(names[j], c)
            yield t.compare(left, "<=", right), apart <= c


def _shifted(name: t.Name, constant: int) -> t.Term:
    return linear_sum({name: 1}, constant) if constant > 0 else name


def _grow(hits: Flags, guards: Flags, depth: int) -> _Tree | None:
    """Return a decision tree of at most ``depth`` levels whose leaves are right pieces, or None.
    ``hits`` (n, pieces) tells which pieces are right in n states, ``guards`` (n, guards) which
    hold."""
    whole = np.flatnonzero(hits.all(axis=0))
    if len(whole):
        return int(whole[0])
    if depth == 0 or not hits.any(axis=1).all():
        return None
    counts = guards.sum(axis=0)
    telling = np.flatnonzero((counts > 0) & (counts < len(guards)))
    if not len(telling):
        return None
    numbers = hits.astype(np.int64)
    # both[g, p]: in how many states guard g holds and piece p is right. A guard's score is what the
    # best piece gets right on each of its sides.
    both = guards[:, telling].astype(np.int64).T @ numbers
    scores = both.max(axis=1) + (numbers.sum(axis=0) - both).max(axis=1)
    best = int(telling[scores.argmax()])
    holds = guards[:, best]
    yes = _grow(hits[holds], guards[holds], depth - 1)
    no = _grow(hits[~holds], guards[~holds], depth - 1)
    return None if yes is None or no is None else (best, yes, no)

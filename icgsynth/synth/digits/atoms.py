"""The atomic formulas of short formulas about digits, and the sample of states to test them on.

:func:`atoms` lists comparisons over the variables, and over ``min`` and ``max`` of variables in
which a set is symmetric.  With v, w, x such coordinates, c, o small integers:

* ``v <= c``, ``v = c``, ``v mod m = r``, ``w <= v + c``, ``w = v + c``, ``w <= k * v + c``, these
  also with ``v + w``, and ``v = w = x`` for all variables;
* ``nimsum(v, w, ..) = c`` in a base, with small moduli;
* ``zeros(v + o) mod m = r`` and ``lowpart(v) = lowpart(w)``;
* ``w <= shift(v + o) + c``, ``w <= lowpart(v + o) + c`` and ``v + o = k * lowpart(v + o)``;

each also with ``=`` for ``<=``, and each negated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, permutations

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import Numeration
from icgsynth.logic import term as t
from icgsynth.logic.build import negation, size
from icgsynth.logic.evaluate import columns

_BOX = {1: 200, 2: 34, 3: 10, 4: 6, 5: 4}  # side of the box of a sample, by number of variables
_SMALLEST_BOX = 3  # side of the box for more variables
_FAR = 20_000  # about the largest coordinate of states outside the box
_CONSTANTS = range(-2, 6)
_LARGEST = 64  # largest constant that is read off the states
_LARGEST_MODULUS = 8  # largest modulus of sums of digits
_OFFSETS = (0, 1, 2, -1, -2)  # added to a term before its digits are read


# --- states ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SetSample:
    """A sample of legal states, a column for each variable, and which states are in the set."""

    env: Mapping[str, Ints]
    inside: Flags

    @staticmethod
    def of(inside: DFA, legal: DFA) -> SetSample:
        """Return a sample of states that ``legal`` accepts, with flags whether ``inside`` does: all
        states of a box at 0, random members of both, and neighbours of these."""
        rng = np.random.default_rng(1)
        side = _BOX.get(len(legal.tracks), _SMALLEST_BOX)
        box = np.indices((side,) * len(legal.tracks)).reshape(len(legal.tracks), -1)
        far = np.concatenate([members(inside, rng, 120), members(legal, rng, 60)], axis=1)
        near = far + rng.integers(-1, 2, size=far.shape)
        return SetSample._label(np.concatenate([box, far, near], axis=1), inside, legal)

    def plus(self, states: Ints, inside: DFA, legal: DFA) -> SetSample:
        """Return the sample with more states: those of ``states``, shape (tracks, n), that
        ``legal`` accepts, with flags whether ``inside`` does."""
        known = np.array([self.env[track] for track in legal.tracks])
        return SetSample._label(np.concatenate([known, states], axis=1), inside, legal)

    @staticmethod
    def _label(states: Ints, inside: DFA, legal: DFA) -> SetSample:
        states = np.unique(states[:, (states >= 0).all(axis=0)], axis=1)
        env = dict(zip(legal.tracks, states, strict=True))
        states = states[:, legal.holds(env)]
        env = dict(zip(legal.tracks, states, strict=True))
        return SetSample(env, inside.holds(env))

    def column(self, node: t.Term | t.Formula) -> Ints:
        """Return the value of the term or formula ``node`` in each sample state, shape (n,)."""
        if node not in self._columns:
            self._columns[node] = np.broadcast_to(columns(node, self.env), self.inside.shape)
        return self._columns[node]

    @cached_property
    def _columns(self) -> dict[t.Node, Ints]:
        return {}


def members(dfa: DFA, rng: np.random.Generator, count: int) -> Ints:
    """Return random tuples of numbers that ``dfa`` accepts, shape (tracks, ``count``); shape
    (tracks, 0) if it accepts none with numbers up to a bound."""
    system, tracks = dfa.system, len(dfa.tracks)
    length = len(system.representation(_FAR)) - 1
    alive: list[Flags] = [dfa.accepting]
    for _ in range(length):
        alive.append(np.asarray(alive[-1][dfa.delta].any(axis=1)))
    if not alive[-1][0]:
        return np.zeros((tracks, 0), dtype=np.int64)
    state = np.zeros(count, dtype=np.int64)
    places = system.digits ** np.arange(tracks - 1, -1, -1)
    numbers = np.zeros((tracks, count), dtype=np.int64)
    for left in range(length - 1, -1, -1):
        options = alive[left][dfa.delta[state]]
        symbol = (rng.random(options.shape) * options).argmax(axis=1)
        numbers += symbol // places[:, None] % system.digits * system.weight(left)
        state = dfa.delta[state, symbol]
    return numbers


def symmetric_classes(inside: DFA, legal: DFA) -> tuple[tuple[str, ...], ...]:
    """Return classes of variables; to exchange two of a class changes neither of the two sets."""
    classes: list[list[str]] = []
    for variable in legal.tracks:
        for group in classes:
            swap = {variable: group[0], group[0]: variable}
            if all(dfa.renamed(swap) == dfa for dfa in (legal, inside)):
                group.append(variable)
                break
        else:
            classes.append([variable])
    return tuple(map(tuple, classes))


# --- comparisons -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class DigitAtom:
    """A formula with its size and its truth on the states of a sample."""

    formula: t.Formula
    size: int
    truth: Flags


def atoms(
    sample: SetSample,
    system: Numeration,
    classes: tuple[tuple[str, ...], ...],
    hints: tuple[t.Formula, ...] = (),
) -> list[DigitAtom]:
    """Return atomic formulas and their negations, smallest first: for each set of states of
    ``sample`` that is the truth of some, the smallest one.  ``system`` reads digits; ``classes``
    are interchangeable variables; ``hints`` are atoms too."""
    found: dict[bytes, DigitAtom] = {}
    positive = [(hint, sample.column(hint) != 0) for hint in hints]
    positive += _comparisons(sample, system, classes)
    # Of equal sizes the first is kept, so negations only where no comparison does.
    for is_denied in (False, True):
        for formula, truth in positive:
            column = ~truth if is_denied else truth
            old = found.get(key := np.packbits(column).tobytes())
            if old is None or size(formula) < old.size:
                literal = negation(formula) if is_denied else formula
                found[key] = DigitAtom(literal, size(literal), column)
    return sorted(found.values(), key=lambda atom: atom.size)


def offset(term: t.Term, constant: int) -> t.Term:
    """Return the term ``term + constant``; for 0 ``term`` itself."""
    return t.Sum((term, t.Int(constant))) if constant else term


def _comparisons(
    sample: SetSample, system: Numeration, classes: tuple[tuple[str, ...], ...]
) -> Iterator[tuple[t.Formula, Flags]]:
    terms = _Terms(system, classes)
    for left, right in terms.measures():
        yield from _measure(sample, left, right)
    for term, modulus in terms.moduli():
        rest = sample.column(t.Mod(term, t.Int(modulus)))
        for residue in range(modulus):
            truth = rest == residue
            if truth.any() and not truth.all():
                yield t.Compare((t.Mod(term, t.Int(modulus)), t.Int(residue)), ("=",)), truth
    for equal in terms.chains():
        first, *others = map(sample.column, equal)
        truth = np.logical_and.reduce([first == other for other in others])
        yield t.Compare(equal, ("=",) * len(others)), truth


def _measure(
    sample: SetSample, left: t.Term, right: t.Term | None
) -> Iterator[tuple[t.Formula, Flags]]:
    """Yield (formula, truth (n,) in the states of ``sample``) for ``left = right + c`` and
    ``left <= right + c`` with suitable integers c; None for ``right`` means 0."""
    value = sample.column(left)
    if right is not None:
        value = value - sample.column(right)
    if isinstance(right, t.Mul):
        bounds = {-1, 0, 1}
    else:
        bounds = set(_CONSTANTS)
        for part in (value[sample.inside], value[~sample.inside]):
            if part.size:
                bounds |= {int(part.min()) - 1, int(part.max()), int(part.min())}
    low, high = int(value.min(initial=_FAR)), int(value.max(initial=-_FAR))
    for c in sorted(bounds, key=abs):
        if not low <= c <= high or low == high or abs(c) > _LARGEST:
            continue
        equal = value == c
        if equal.any():
            yield _comparison(left, "=", right, c), equal
        if c < high:
            yield _comparison(left, "<=", right, c), value <= c


def _comparison(left: t.Term, op: str, right: t.Term | None, constant: int) -> t.Formula:
    if right is None:
        return t.Compare((left, t.Int(constant)), (op,))
    if op == "<=" and constant < 0:
        return t.Compare((left, offset(right, constant + 1)), ("<",))
    return t.Compare((left, offset(right, constant)), (op,))


def extremes(classes: tuple[tuple[str, ...], ...]) -> list[tuple[t.Term, t.Term]]:
    """Return (``min``, ``max``) terms of all variables, and of each class of several."""
    whole = tuple(sorted(name for group in classes for name in group))
    groups = dict.fromkeys([whole, *classes])
    several: list[list[t.Term]] = [[*map(t.Name, group)] for group in groups if len(group) > 1]
    return [(reduce(t.Min, names), reduce(t.Max, names)) for names in several]


@dataclass(frozen=True)
class _Terms:
    system: Numeration
    classes: tuple[tuple[str, ...], ...]

    @property
    def _variables(self) -> list[t.Term]:
        return [t.Name(n) for n in sorted(name for group in self.classes for name in group)]

    @property
    def _coordinates(self) -> list[t.Term]:
        """Variables but for interchangeable pairs; ``min``, ``max`` of all and of each class."""
        paired = {name for group in self.classes if len(group) == 2 for name in group}
        alone = [t.Name(n) for n in sorted({n for g in self.classes for n in g} - paired)]
        return [*alone, *(term for pair in extremes(self.classes) for term in pair)]

    @property
    def _pairs(self) -> list[tuple[t.Term, t.Term]]:
        of = {name: group for group in self.classes for name in group}
        different: list[tuple[t.Term, t.Term]] = [
            (t.Name(a), t.Name(b)) for a, b in permutations(sorted(of), 2) if of[a] != of[b]
        ]
        ordered = [
            pair for low, high in extremes(self.classes) for pair in ((low, high), (high, low))
        ]
        return [*different, *ordered]

    @property
    def _moduli(self) -> range:
        """The moduli of sums of digits to try, as in Nim (2) and Moore's Nim_k (k + 1)."""
        largest = max(self.system.digits + 1, len(self._variables))
        return range(2, min(largest, _LARGEST_MODULUS) + 1)

    def _digital(self, kind: str, *args: t.Term, modulus: int = 2) -> t.Term:
        return t.Digital(kind, args, self.system, modulus)

    def measures(self) -> Iterator[tuple[t.Term, t.Term | None]]:
        """Yield (term, other): atoms compare the difference with constants; None for other is 0."""
        variables = self._variables
        yield from ((term, None) for term in self._coordinates)
        is_base = len(self.system.recurrence) == 1
        if len(variables) > 1:
            for modulus in self._moduli if is_base else ():
                yield self._digital("nimsum", *variables, modulus=modulus), None
            yield t.Sum(tuple(variables)), None
        if len(variables) <= 4:
            for one, other in combinations(variables, 2):
                yield one, other
                yield self._digital("lowpart", one), self._digital("lowpart", other)
                if len(variables) > 2 and is_base:
                    yield self._digital("nimsum", one, other), None
        for term in self._coordinates:
            for o in _OFFSETS[:3]:
                yield from self._multiples(
                    offset(term, o), self._digital("lowpart", offset(term, o))
                )
        # With many variables there are many pairs, and little to gain.
        offsets = _OFFSETS if len(variables) <= 2 else (0,)
        for one, other in self._pairs:
            yield from self._multiples(other, one, 4)
            for o in offsets:
                yield other, self._digital("shift", offset(one, o))
                yield other, self._digital("lowpart", offset(one, o))

    def _multiples(
        self, one: t.Term, other: t.Term, most: int = 3
    ) -> Iterator[tuple[t.Term, t.Term]]:
        yield one, other
        yield from ((one, t.Mul(t.Int(factor), other)) for factor in range(2, most + 1))

    def moduli(self) -> Iterator[tuple[t.Term, int]]:
        """Yield pairs (term, modulus): atoms tell the remainder of the term."""
        for term in self._coordinates:
            yield from ((term, modulus) for modulus in (2, 3, 4))
            for o in _OFFSETS if len(self._variables) <= 2 else (0,):
                zeros = self._digital("zeros", offset(term, o))
                yield from ((zeros, modulus) for modulus in (2, 3))
        if len(self._variables) > 1:
            yield from ((t.Sum(tuple(self._variables)), modulus) for modulus in (2, 3, 4))

    def chains(self) -> Iterator[tuple[t.Term, ...]]:
        """Yield tuples of terms that an atom says to be all equal: ``a = b = c``."""
        if len(self._variables) > 2:
            yield tuple(self._variables)
            yield tuple(self._digital("lowpart", v) for v in self._variables)

"""Learn the automaton of a sparse set of tuples of numbers from its members below a bound.

The k-tails of a word are the words of at most k symbols that lead from it into the set, and words
with the same k-tails are taken for one state (Biermann, Feldman, On the synthesis of finite-state
machines from samples of their behavior, IEEE Transactions on Computers C-21, 1972).  L* asks
for words that end far from the set, and so for a much larger bound.

For each k there is at most one conjecture: it accepts all members below the bound and nothing
else there.  Beyond the bound it is to be proved, and refuted conjectures ask for a larger k.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.numeration import Numeration
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton

_MOST_STATES = 500
_MOST_SYMBOLS = 2**12

_Ints = NDArray[np.int64]
_Hashes = NDArray[np.uint64]


def conjectures(
    system: Numeration, members: _Ints, bound: int, budget: Budget
) -> Iterator[LearnedAutomaton]:
    """The conjectures for k = 1, 2, .., in this order, each but once.

    ``members`` (count, tracks) are all elements of the set whose coordinates are below
    ``bound``.  Those are used that have no more digits than all numbers below it.
    """
    if system.digits ** members.shape[1] > _MOST_SYMBOLS:
        return
    sample = _Sample.of(system, members, bound)
    given = -1
    for k in range(1, sample.length - 1):
        if budget.is_spent or sample.symbols**k >= 2**62:
            return
        states = _states(sample, k)
        if states is None:
            continue
        if states.is_open or states.count > _MOST_STATES:
            return  # a larger k tells more words apart
        learned = _automaton(sample, states)
        if learned is not None and len(learned.accepting) != given:
            given = len(learned.accepting)
            yield learned


# --- members as words ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Sample:
    """The words of all members of at most ``length`` symbols, and their beginnings, numbered.

    ``words`` (count, length) with leading zeros; beginning 0 is the empty word, which zeros keep.
    ``path`` (count, length + 1): the beginning of each depth, up to the ``size`` (count,) of
    the word.  Beginning ``source`` and one more ``symbol`` is ``target``, each (edges,).
    """

    symbols: int
    length: int
    words: _Ints
    size: _Ints
    path: _Ints
    depth: _Ints
    source: _Ints
    symbol: _Ints
    target: _Ints

    @staticmethod
    def of(system: Numeration, members: _Ints, bound: int) -> _Sample:
        length = 0
        while system.weight(length + 1) <= bound:
            length += 1
        members = members[(members < system.weight(length)).all(axis=1)]
        words = np.zeros((len(members), length), np.int64)
        for track in range(members.shape[1]):
            rest = members[:, track].copy()
            for place, weight in enumerate(reversed(system.weights(length))):
                digit, rest = np.divmod(rest, weight)
                words[:, place] = words[:, place] * system.digits + digit
        return _Sample._numbered(system.digits ** members.shape[1], length, words)

    @staticmethod
    def _numbered(symbols: int, length: int, words: _Ints) -> _Sample:
        """The beginnings, depth by depth, from the first symbol that is not zero."""
        size = length - np.where(words.any(axis=1), (words != 0).argmax(axis=1), length)
        path = np.zeros((len(words), length + 1), np.int64)
        parts = [(np.zeros(1, np.int64),) * 4]  # a zero keeps the empty word
        count = 1
        for depth in range(length):
            rows = np.flatnonzero(size > depth)
            if not len(rows):
                break
            key = path[rows, depth] * symbols + words[rows, length - size[rows] + depth]
            found, place = np.unique(key, return_inverse=True)
            targets = count + np.arange(len(found))
            path[rows, depth + 1] = targets[place]
            parts.append((*np.divmod(found, symbols), targets, np.full(len(found), depth + 1)))
            count += len(found)
        source, symbol, target, depths = map(np.concatenate, zip(*parts, strict=True))
        return _Sample(symbols, length, words, size, path, depths, source, symbol, target)

    @cached_property
    def accepting(self) -> NDArray[np.bool_]:
        """(beginnings,): whether it is the word of a member."""
        found = np.zeros(len(self.depth), np.bool_)
        found[np.take_along_axis(self.path, self.size[:, None], axis=1)] = True
        return found

    def tails(self, k: int) -> _Hashes:
        """(beginnings,): a hash of the set of its k-tails; 0 if there is none.

        It is that of all members for beginnings of depth at most ``length - k``.
        """
        found = np.zeros(len(self.depth), np.uint64)
        code = np.zeros(len(self.words), np.int64)
        for j in range(k + 1):
            if j:
                code += self.words[:, self.length - j] * self.symbols ** (j - 1)
            begins = np.maximum(self.size - j, 0)[:, None]
            at = np.take_along_axis(self.path, begins, axis=1)[:, 0]
            np.add.at(found, at, _hashed(code, j))
        return found

    def agrees(self, transitions: NDArray[np.int32], accepting: NDArray[np.bool_]) -> bool:
        """Whether an automaton accepts these words and no others of this length."""
        states = np.zeros(len(self.words), np.int64)
        for place in range(self.length):
            states = transitions[states, self.words[:, place]].astype(np.int64)
        if not accepting[states].all():
            return False
        accepted = accepting.astype(float)
        for _ in range(self.length):
            accepted = accepted[transitions].sum(axis=1)
        return bool(accepted[0] == len(self.words))


def _hashed(numbers: _Ints, salt: int) -> _Hashes:
    """A hash of 64 bits (splitmix64): two sets with one sum of hashes are the same, or else the
    conjecture is wrong, which is found out."""
    mixed = numbers.astype(np.uint64) + np.uint64((salt + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), np.uint64)


# --- words as states -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _States:
    """The state of each beginning: -1 where its tails are not known.

    ``inner`` (beginnings,) marks those whose followers have states too, and ``first`` (count,) is
    one such beginning of each state, of the least depth; -1 if there is none.
    """

    count: int
    of: _Ints
    inner: NDArray[np.bool_]
    first: _Ints

    @property
    def is_open(self) -> bool:
        """Whether nothing tells where some state leads."""
        return bool((self.first < 0).any())


def _states(sample: _Sample, k: int) -> _States | None:
    """None where a beginning of a member has no tail at all: k is too small."""
    tails = sample.tails(k)
    known = np.flatnonzero(sample.depth <= sample.length - k)
    if not tails[known].all():
        return None
    kinds, kind = np.unique(tails[known], return_inverse=True)
    of = np.full(len(tails), -1)
    of[known] = (kind - kind[0]) % len(kinds)  # the empty word has state 0
    inner = sample.depth < sample.length - k
    first = np.full(len(kinds), -1)
    within = np.flatnonzero(inner)[::-1]
    first[of[within]] = within
    return _States(len(kinds), of, inner, first)


def _automaton(sample: _Sample, states: _States) -> LearnedAutomaton | None:
    """None where words of one state lead to different ones, or members are missed."""
    edges = np.flatnonzero(states.inner[sample.source])
    source, symbol = sample.source[edges], sample.symbol[edges]
    target = states.of[sample.target[edges]]
    rows = np.zeros(len(states.of), np.uint64)
    np.add.at(rows, source, _hashed(symbol * states.count + target, 0))
    inner = np.flatnonzero(states.inner)
    if (rows[inner] != rows[states.first[states.of[inner]]]).any():
        return None
    transitions = np.full((states.count + 1, sample.symbols), states.count, np.int32)
    transitions[states.of[source], symbol] = target
    accepting = np.append(sample.accepting[states.first], False)
    if not sample.agrees(transitions, accepting):
        return None
    return LearnedAutomaton(transitions, accepting, 0, 1, sample.length)

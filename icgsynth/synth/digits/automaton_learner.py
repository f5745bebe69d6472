"""Learn the automaton of a set of tuples of numbers from its members below a bound.

The k-tails of a word are the words of at most k symbols that lead from it into the set, and words
with the same k-tails are taken for one state (Biermann, Feldman, On the synthesis of finite-state
machines from samples of their behavior, IEEE Transactions on Computers C-21, 1972): these are the
classes of Myhill and Nerode as far as the members show them.

For each k there is at most one conjecture: it accepts all members below the bound and nothing
else there.  Of some numbers nobody may know whether they are members; a word that one of them is
a k-tail of tells no state.  Beyond the bound a conjecture is to be proved, and refuted ones ask
for a larger k.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.numeration import Numeration

_MOST_STATES = 500  # states of a guess: a wrong guess is large, a right one not
_MOST_SYMBOLS = 2**14  # columns of digits: each state has a transition for each
_MOST_WORDS = 2**21  # which take some 200 bytes each: the values of a cube of side 128

_Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class LearnedAutomaton:
    """An automaton that agrees with every known label.

    ``transitions`` (states, digits ** tracks) int32, ``accepting`` (states,) bool; state 0 is
    the initial one and a column of zeros keeps it.  A column d_1 .. d_n is the symbol
    ``(d_1 B + d_2) B + ..``, most significant column first.
    """

    transitions: NDArray[np.int32]
    accepting: Flags


@dataclass(frozen=True)
class NoFit:
    """The result that no automaton was found, and why."""

    reason: str


def learn(
    system: Numeration,
    grid: Flags,
    budget: Budget,
    max_states: int = _MOST_STATES,
    domain: Flags | None = None,
) -> LearnedAutomaton | NoFit:
    """Return the first conjecture for the set whose members below N are true in ``grid``.

    ``grid`` (N,) * n, n from 1: its indices are the numbers, read in ``system``.  ``domain``, of
    the same shape, is true where it is known whether they are members; everywhere unless given.
    ``NoFit`` past ``max_states`` states; ``ValueError`` for another shape.
    """
    if len(set(grid.shape)) != 1 or (domain is not None and domain.shape != grid.shape):
        raise ValueError(f"no cube of labels has the shape {grid.shape}")
    known = np.ones_like(grid) if domain is None else domain
    members, unknown = np.argwhere(grid & known), np.argwhere(~known)
    learned = next(conjectures(system, members, unknown, len(grid), budget), None)
    if learned is None:
        return NoFit("no time is left" if budget.is_spent else "the box is too small")
    if len(learned.accepting) > max_states:
        return NoFit(f"more than {max_states} states")
    return learned


def conjectures(
    system: Numeration, members: Ints, unknown: Ints, bound: int, budget: Budget
) -> Iterator[LearnedAutomaton]:
    """The conjectures for k = 1, 2, .., in this order, each but once.

    ``members`` (count, tracks) are the elements of the set whose coordinates are below ``bound``,
    as far as they are known, and ``unknown`` (count, tracks) may be elements too.  Those are used
    that have no more digits than all numbers below the bound.
    """
    count = len(members) + len(unknown)
    if system.digits ** members.shape[1] > _MOST_SYMBOLS or count > _MOST_WORDS:
        return
    if system.weight(3) > bound:
        return  # words of two symbols show no state and its followers
    sample = _Sample.of(system, members, unknown, bound)
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
    """The words of at most ``length`` symbols, and their beginnings, numbered.

    ``words`` (count, length) with leading zeros, those of members ``known`` (count,) to be such
    and those that may be; beginning 0 is the empty word, which zeros keep.
    ``path`` (count, length + 1): the beginning of each depth, up to the ``size`` (count,) of
    the word.  Beginning ``source`` and one more ``symbol`` is ``target``, each (edges,).
    """

    symbols: int
    length: int
    words: Ints
    known: Flags
    size: Ints
    path: Ints
    depth: Ints
    source: Ints
    symbol: Ints
    target: Ints

    @staticmethod
    def of(system: Numeration, members: Ints, unknown: Ints, bound: int) -> _Sample:
        length = 0
        while system.weight(length + 1) <= bound:
            length += 1
        tuples = np.concatenate([members, unknown])
        known = np.arange(len(tuples)) < len(members)
        short = (tuples < system.weight(length)).all(axis=1)
        tuples, known = tuples[short], known[short]
        words = np.zeros((len(tuples), length), np.int64)
        for track in range(tuples.shape[1]):
            rest = tuples[:, track].copy()
            for place, weight in enumerate(reversed(system.weights(length))):
                digit, rest = np.divmod(rest, weight)
                words[:, place] = words[:, place] * system.digits + digit
        return _Sample._number(system.digits ** members.shape[1], length, words, known)

    @staticmethod
    def _number(symbols: int, length: int, words: Ints, known: Flags) -> _Sample:
        """The beginnings, depth by depth, from the first symbol that is not zero."""
        # Leading zeros do not count: a beginning is a path from the first symbol that is not zero,
        # so that equal numbers of different width share it.
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
        return _Sample(symbols, length, words, known, size, path, depths, source, symbol, target)

    @cached_property
    def accepting(self) -> Flags:
        """(beginnings,): whether it is the word of a member."""
        found = np.zeros(len(self.depth), np.bool_)
        ends = np.take_along_axis(self.path, self.size[:, None], axis=1)[:, 0]
        found[ends[self.known]] = True
        return found

    @cached_property
    def live(self) -> Flags:
        """(beginnings,): whether a member begins so."""
        found = np.zeros(len(self.depth), np.bool_)
        found[self.path[self.known]] = True
        return found

    def tails(self, k: int) -> tuple[_Hashes, Flags]:
        """(beginnings,): a hash of the set of its k-tails, 0 if there is none; and whether these
        are all of them, as no longer word and none that may be a member has to be looked at."""
        found = np.zeros(len(self.depth), np.uint64)
        told = np.ones(len(self.depth), np.bool_)
        code = np.zeros(len(self.words), np.int64)
        for j in range(k + 1):
            if j:
                code += self.words[:, self.length - j] * self.symbols ** (j - 1)
            # Cut j symbols off the end: the beginning that is left has these as a j-tail. Hashes
            # are summed, so the sum over all its tails names the set of tails, in any order.
            begins = np.maximum(self.size - j, 0)[:, None]
            at = np.take_along_axis(self.path, begins, axis=1)[:, 0]
            np.add.at(found, at[self.known], _hash(code[self.known], j))
            told[at[~self.known]] = False
        return found, told & (self.depth <= self.length - k)

    def agrees(self, transitions: NDArray[np.int32], accepting: Flags) -> bool:
        """Whether an automaton accepts the members and no other words of this length but those
        that may be members."""
        states = np.zeros(len(self.words), np.int64)
        for place in range(self.length):
            states = transitions[states, self.words[:, place]].astype(np.int64)
        if not accepting[states[self.known]].all():
            return False
        # accepted[q]: how many words of so many symbols lead from q to acceptance. For the initial
        # state this must be the number of words of the sample that are accepted, so that no others
        # are.
        accepted = accepting.astype(float)
        for _ in range(self.length):
            accepted = accepted[transitions].sum(axis=1)
        return bool(accepted[0] == np.count_nonzero(accepting[states]))


def _hash(numbers: Ints, salt: int) -> _Hashes:
    """Return a hash of 64 bits (splitmix64) of a state's number."""
    # Two sets with one sum of hashes are the same, or else the conjecture is wrong, which the proof
    # finds out.
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
    of: Ints
    inner: Flags
    first: Ints

    @property
    def is_open(self) -> bool:
        """Whether nothing tells where some state leads."""
        return bool((self.first < 0).any())


def _states(sample: _Sample, k: int) -> _States | None:
    """None where there is no member, or one may be a k-tail of the empty word."""
    tails, told = sample.tails(k)
    known = np.flatnonzero(told & sample.live)
    if not told[0] or not sample.live.any():
        return None
    kinds, kind = np.unique(tails[known], return_inverse=True)
    of = np.full(len(tails), -1)
    of[known] = (kind - kind[0]) % len(kinds)  # the empty word has state 0
    inner = told & sample.live & (sample.depth < sample.length - k)
    inner[sample.source[~told[sample.target]]] = False
    first = np.full(len(kinds), -1)
    within = np.flatnonzero(inner)[::-1]
    first[of[within]] = within
    return _States(len(kinds), of, inner, first)


def _automaton(sample: _Sample, states: _States) -> LearnedAutomaton | None:
    """None where words of one state lead to different ones, or members are missed."""
    edges = np.flatnonzero(states.inner[sample.source] & sample.live[sample.target])
    source, symbol = sample.source[edges], sample.symbol[edges]
    target = states.of[sample.target[edges]]
    # The transitions of a beginning as one hash: all beginnings of a state must have the same.
    rows = np.zeros(len(states.of), np.uint64)
    np.add.at(rows, source, _hash(symbol * states.count + target, 0))
    inner = np.flatnonzero(states.inner)
    if (rows[inner] != rows[states.first[states.of[inner]]]).any():
        return None
    transitions = np.full((states.count + 1, sample.symbols), states.count, np.int32)
    transitions[states.of[source], symbol] = target
    accepting = np.append(sample.accepting[states.first], False)
    if not sample.agrees(transitions, accepting):
        return None
    return LearnedAutomaton(transitions, accepting)

"""Learn the automaton of a set of tuples of numbers from its members below a bound.

The k-tails of a word are the words of at most k symbols that lead from it into the set, and words
with equal k-tails are taken for one state (Biermann, Feldman, On the synthesis of finite-state
machines from samples of their behavior, IEEE Transactions on Computers C-21, 1972): these are the
Myhill-Nerode classes as far as the members show them.

For each k there is at most one conjecture: below the bound it accepts exactly the members.  For
some numbers membership may be unknown; a word with a k-tail to such a number gets no state.
Beyond the bound a conjecture must be proved; if it is refuted, a larger k is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.numeration import Numeration

_MOST_STATES = 500  # most states of a conjecture: wrong ones are large, right ones small
_MOST_SYMBOLS = 2**14  # most columns of digits: each state has a transition for each
_MOST_WORDS = 2**21  # most words, some 200 bytes each: the values of a cube of side 128

_Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class LearnedAutomaton:
    """A learned automaton, as arrays, which agrees with every known label.

    ``transitions`` (states, digits ** tracks) int32, ``accepting`` (states,) bool; state 0 is
    the initial one and a column of zeros keeps it.  A column d_1 .. d_n is the symbol
    ``(d_1 B + d_2) B + ..``, most significant column first."""

    transitions: NDArray[np.int32]
    accepting: Flags


@dataclass(frozen=True)
class NoFit:
    """The result that no automaton was found, with the reason."""

    reason: str


def learn(
    system: Numeration,
    grid: Flags,
    budget: Budget,
    max_states: int = _MOST_STATES,
    domain: Flags | None = None,
) -> LearnedAutomaton | NoFit:
    """Return the first automaton conjectured for the set of number tuples marked in ``grid``, or
    ``NoFit`` if there is none, or it has more than ``max_states`` states.

    ``grid`` has n axes of length N, n from 1; its indices are the numbers, read in ``system``.
    ``domain``, of this shape too, is true where membership is known (by default everywhere); other
    shapes raise ``ValueError``."""
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
    """Yield distinct automata of a set, for k = 1, 2, .., whose states are sets of k-tails.

    A k-tail of a word is a word of at most k symbols that leads from there into the set.
    ``members`` (count, tracks) are the elements known below ``bound``, ``unknown`` (count, tracks)
    may be elements.  A tuple is used if all numbers of so few digits are below ``bound``."""
    count = len(members) + len(unknown)
    if system.digits ** members.shape[1] > _MOST_SYMBOLS or count > _MOST_WORDS:
        return
    if system.weight(3) > bound:
        return  # words of two symbols are too short to show states with successors
    sample = _Sample.of(system, members, unknown, bound)
    given = -1
    for k in range(1, sample.length - 1):
        if budget.is_spent or sample.symbols**k >= 2**62:
            return
        states = _states(sample, k)
        if states is None:
            continue
        if states.is_open or states.count > _MOST_STATES:
            return  # a larger k has more states
        learned = _automaton(sample, states)
        if learned is not None and len(learned.accepting) != given:
            given = len(learned.accepting)
            yield learned


# --- members as words ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Sample:
    """The sample as words of at most ``length`` symbols, with their prefixes numbered.

    ``words`` (count, length) have leading zeros; ``known`` (count,) marks words of members, the
    others may be members.  Prefix 0 is the empty word, which leading zeros keep.
    ``path`` (count, length + 1): the prefix of each depth, up to the ``size`` (count,) of
    the word.  Prefix ``source`` and one more ``symbol`` is ``target``, each (edges,)."""

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
        """Return the sample of ``words`` (count, length) of ``symbols`` symbols; ``known`` (count,)
        marks the words of members.  Prefixes are numbered by depth, without leading zeros."""
        # A prefix begins at the first symbol other than zero, for numbers of any width to share it.
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
        """Flags (prefixes,) of the prefixes that are themselves the word of a known member."""
        found = np.zeros(len(self.depth), np.bool_)
        ends = np.take_along_axis(self.path, self.size[:, None], axis=1)[:, 0]
        found[ends[self.known]] = True
        return found

    @cached_property
    def live(self) -> Flags:
        """Flags (prefixes,) of the prefixes with which the word of a known member begins."""
        found = np.zeros(len(self.depth), np.bool_)
        found[self.path[self.known]] = True
        return found

    def tails(self, k: int) -> tuple[_Hashes, Flags]:
        """Return (hashes, flags), each (prefixes,): a hash of the words of at most ``k`` symbols
        that lead from the prefix to a known member, 0 for none, and whether no others can do so."""
        found = np.zeros(len(self.depth), np.uint64)
        told = np.ones(len(self.depth), np.bool_)
        code = np.zeros(len(self.words), np.int64)
        for j in range(k + 1):
            if j:
                code += self.words[:, self.length - j] * self.symbols ** (j - 1)
            # Cut j symbols off the end: the remaining prefix has these as a j-tail. Hashes are
            # summed, so that the sum over all tails identifies the set of tails.
            begins = np.maximum(self.size - j, 0)[:, None]
            at = np.take_along_axis(self.path, begins, axis=1)[:, 0]
            np.add.at(found, at[self.known], _hash(code[self.known], j))
            told[at[~self.known]] = False
        return found, told & (self.depth <= self.length - k)

    def agrees(self, transitions: NDArray[np.int32], accepting: Flags) -> bool:
        """Return whether the automaton, ``transitions`` (states, symbols) and ``accepting``
        (states,), accepts the words of known members, and else only those of possible members."""
        states = np.zeros(len(self.words), np.int64)
        for place in range(self.length):
            states = transitions[states, self.words[:, place]].astype(np.int64)
        if not accepting[states[self.known]].all():
            return False
        # accepted[q]: the number of words of a length that lead from q to acceptance. For the
        # initial state it must be the number of accepted words in the sample, so that no other
        # word is accepted.
        accepted = accepting.astype(float)
        for _ in range(self.length):
            accepted = accepted[transitions].sum(axis=1)
        return bool(accepted[0] == np.count_nonzero(accepting[states]))


def _hash(numbers: Ints, salt: int) -> _Hashes:
    """Return a hash of 64 bits (splitmix64) of each number, mixed with ``salt``."""
    # Two sets with equal sums of hashes are equal, or else the conjecture is wrong, and its proof
    # fails.
    mixed = numbers.astype(np.uint64) + np.uint64((salt + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), np.uint64)


# --- words as states -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _States:
    """The state ``of`` each prefix, -1 where its tails are not known, for ``count`` states.
    ``inner`` (prefixes,) marks prefixes whose successors have states too, and ``first`` (count,) is
    an inner prefix of each state, of least depth; -1 if there is none."""

    count: int
    of: Ints
    inner: Flags
    first: Ints

    @property
    def is_open(self) -> bool:
        """Whether the successors of some state are unknown."""
        return bool((self.first < 0).any())


def _states(sample: _Sample, k: int) -> _States | None:
    """Return states for the prefixes of ``sample``, one for each set of ``k``-tails (words of at
    most k symbols that lead to a member); None if those of the empty word are unknown."""
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
    """Return the automaton of ``states``; None if not deterministic or contrary to ``sample``."""
    edges = np.flatnonzero(states.inner[sample.source] & sample.live[sample.target])
    source, symbol = sample.source[edges], sample.symbol[edges]
    target = states.of[sample.target[edges]]
    # The transitions of a prefix as one hash, which must be equal for all prefixes of a state.
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

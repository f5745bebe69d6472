"""Learn the automaton of a set of tuples of numbers from a box of exact labels.

Angluin's L* (Learning regular sets from queries and counterexamples, Inf. Comput. 75 (1987))
with one suffix a counterexample, as in Rivest and Schapire (Inference of finite automata using
homing sequences, Inf. Comput. 103 (1993)).  The box answers the membership queries: all words
of length at most L, the greatest with ``U_L <= N``, have values in it.  Words that represent
nothing are rejected.  Equivalence is decided for every tuple of numbers in the box and for
every word that represents nothing.

The fit is strict: whatever would need a label from outside the box is :class:`NoFit`, never a
guess.  Beyond the box the automaton is a conjecture, to be proved or refuted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.numeration import Numeration
from icgsynth.synth.digits.queries import (
    TOO_SMALL,
    Flags,
    Misfit,
    Prefixes,
    Suffixes,
    Word,
    WordLabels,
)
from icgsynth.synth.digits.words import Extensions

MAX_STATES = 3000  # a set that needs more is probably not automatic
_MAX_TRACKS = 6  # numbers read side by side
_MAX_SYMBOLS = 2**14  # columns of digits: each state has a transition for each
_CHUNK = 2**18  # entries of an array that should stay in the processor's cache
_NO_TIME = "no time is left"


@dataclass(frozen=True, eq=False)
class LearnedAutomaton:
    """The least automaton that agrees with every label of the box.

    ``transitions`` (states, digits ** tracks) int32, ``accepting`` (states,) bool; state 0 is
    the initial one and a column of zeros keeps it.  A column d_1 .. d_n is the symbol
    ``(d_1 B + d_2) B + ..``, most significant column first.  ``length`` is that of the longest
    words asked for, ``rounds`` the number of conjectures, ``queries`` the looks into the box.
    """

    transitions: NDArray[np.int32]
    accepting: Flags
    queries: int
    rounds: int
    length: int


@dataclass(frozen=True)
class NoFit:
    """No automaton was found; ``states`` is how many the last conjecture had.

    ``size`` is, for a box too small, the least N in which the query that failed has an answer:
    the next worth trying.  0 otherwise, and where a label inside the box was not known.
    """

    reason: str
    states: int
    size: int = 0


def learn(
    system: Numeration,
    grid: Flags,
    budget: Budget,
    max_states: int = MAX_STATES,
    domain: Flags | None = None,
) -> LearnedAutomaton | NoFit:
    """The automaton of the set whose elements below N are the true cells of ``grid``.

    ``grid`` (N,) * n, n from 1 to 6: its indices are the numbers, read in ``system``.
    ``domain``, of the same shape, is true where the label is known; everywhere unless given.
    A cell that is not known agrees with anything, and asking for it is a misfit.
    """
    if not 1 <= grid.ndim <= _MAX_TRACKS or len(set(grid.shape)) > 1 or not grid.size:
        raise ValueError(f"a cube of 1 to {_MAX_TRACKS} dimensions, not of shape {grid.shape}")
    if domain is not None and domain.shape != grid.shape:
        raise ValueError(f"labels {grid.shape} and domain {domain.shape} differ in shape")
    if system.digits**grid.ndim > _MAX_SYMBOLS:
        return NoFit(f"more than {_MAX_SYMBOLS} symbols", 0)
    learner = _Learner(WordLabels(system, grid, domain), budget, max_states)
    try:
        return learner.run()
    except Misfit as misfit:
        return NoFit(str(misfit), learner.states, misfit.size)


# --- conjectures ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Conjecture:
    """An automaton; state k > 0 was first met from ``origins[k][0]`` by symbol
    ``origins[k][1]``, on a shortest way."""

    transitions: NDArray[np.intp]
    accepting: Flags
    origins: list[tuple[int, int]]

    def access(self, state: int) -> Word:
        """A shortest word that leads to ``state``."""
        word = []
        while state:
            state, symbol = self.origins[state]
            word.append(symbol)
        return tuple(reversed(word))

    def path(self, word: Word) -> list[int]:
        """The states before, between and after the symbols."""
        states = [0]
        for symbol in word:
            states.append(int(self.transitions[states[-1], symbol]))
        return states


class _Learner:
    """One run: the suffixes so far, and what was spent."""

    def __init__(self, labels: WordLabels, budget: Budget, max_states: int) -> None:
        self.labels, self.budget, self.max_states = labels, budget, max_states
        self.suffixes = Suffixes(labels)
        self.queries = self.rounds = self.states = 0

    def run(self) -> LearnedAutomaton:
        while True:
            conjecture = self.conjecture()
            self.rounds += 1
            word = self.disagreement(conjecture)
            if word is None:
                break
            self.suffixes.add(self.telling(conjecture, word))
        return LearnedAutomaton(
            conjecture.transitions.astype(np.int32),
            conjecture.accepting,
            self.queries,
            self.rounds,
            self.labels.length,
        )

    def check_time(self) -> None:
        if self.budget.is_spent:
            raise Misfit(_NO_TIME)

    # --- the automaton of the table ---------------------------------------------------

    def conjecture(self) -> _Conjecture:
        """The automaton whose states are the words that the suffixes tell apart, met breadth
        first from the empty word: so by shortest words."""
        labels = self.labels
        empty = Prefixes(
            np.zeros((1, labels.length + 1), np.int64), np.zeros((1, labels.tracks), np.intp)
        )
        table = self.suffixes.table(empty)
        met = _Met(len(labels.columns), _keys(table)[0], bool(table[0, 0]))
        states, words = [0], empty
        while states:
            self.states = len(met.numbers)
            self.check_room(words)
            found = [self.follow(*part, met) for part in self.parts(states, words)]
            states = [k for numbers, _ in found for k in numbers]
            words = Prefixes.join([new for _, new in found])
        return met.conjecture()

    def check_room(self, words: Prefixes) -> None:
        """Each word, a symbol and the longest suffix must fit into the box."""
        length = self.labels.length
        needed = length + 1 - words.cells.shape[1] + 1 + self.suffixes.longest
        if needed > length:
            raise Misfit(TOO_SMALL, self.labels.system.weight(needed))

    def parts(self, states: list[int], words: Prefixes) -> Iterator[tuple[list[int], Prefixes]]:
        """A few words at a time, so that their table is not too large."""
        wide = max(len(self.suffixes), words.cells.shape[1]) * len(self.labels.columns)
        step = max(1, _CHUNK // wide)
        for start in range(0, len(states), step):
            self.check_time()
            yield states[start : start + step], words[start : start + step]

    def follow(self, states: list[int], words: Prefixes, met: _Met) -> tuple[list[int], Prefixes]:
        """Fill in the rows of ``states``, met by ``words``; the states met first on the way.

        A word that no representation begins with needs no row but itself.
        """
        after = words.followed_by_all(self.labels)
        table = self.suffixes.table(after)
        self.queries += table.size
        first = len(met.numbers)
        new = met.add(states, _keys(table), table[:, 0])
        if len(met.numbers) > self.max_states:
            self.states = len(met.numbers)
            raise Misfit(f"more than {self.max_states} states")
        live = self.labels.validity.live[after.states[new]].all(axis=1)
        for offset in np.flatnonzero(~live).tolist():
            met.close(first + offset)
        kept = np.flatnonzero(live).tolist()
        return [first + i for i in kept], after[[new[i] for i in kept]]

    # --- equivalence --------------------------------------------------------------------

    def disagreement(self, conjecture: _Conjecture) -> Word | None:
        """A word the conjecture is wrong about, if there is one."""
        return self.wrong_number(conjecture) or self.wrong_word(conjecture)

    def wrong_number(self, conjecture: _Conjecture) -> Word | None:
        """One of the shortest representations of tuples in the box with another label."""
        labels = self.labels
        symbols = conjecture.transitions.shape[1]
        # A state is kept as the place of its row in the flat table of transitions.
        after = (conjecture.transitions * symbols).ravel()
        accepts = conjecture.accepting[conjecture.transitions].ravel()
        states = np.zeros((1,) * labels.tracks, np.intp)
        for step in labels.steps:
            later = []
            for rows in _slabs(step, labels.tracks):
                self.check_time()
                places = _places(states, step, rows, labels.system.digits)
                numbers = labels.mistake(accepts.take(places), step, rows)
                if numbers is not None:
                    return labels.word(numbers)
                if step is not labels.steps[-1]:
                    later.append(after.take(places))
            states = np.concatenate(later) if later else states
        return None

    def wrong_word(self, conjecture: _Conjecture) -> Word | None:
        """A shortest word that is accepted though a track of it represents nothing."""
        if self.labels.validity.is_trivial:
            return None
        for track in range(self.labels.tracks):
            self.check_time()
            word = _accepted_but_invalid(conjecture, self.labels, track)
            if word is not None:
                return word
        return None

    def telling(self, conjecture: _Conjecture, word: Word) -> Word:
        """A suffix of a mistaken word that tells two words apart that the table does not.

        Take the word, replace its first i symbols by the access word of the state they lead
        to: for i = 0 the answer is the truth, at the end the conjecture.  Where it changes,
        the rest of the word tells.  The shortest such rest leaves the most room in the box.
        """
        later: bool | None = None
        states = conjecture.path(word)
        for i in range(len(word), -1, -1):
            answer = self.labels.member(conjecture.access(states[i]) + word[i:])
            if answer is not None and later is not None and answer != later:
                return word[i + 1 :]
            later = answer
        # Somewhere between the two ends the label is not known.
        size = self.labels.system.weight(len(word))
        raise Misfit(TOO_SMALL, size if size > self.labels.size else 0)


class _Met:
    """The states met so far, by the answers for each suffix."""

    def __init__(self, symbols: int, key: bytes, accepts: bool) -> None:
        self.symbols = symbols
        self.numbers = {key: 0}
        self.accepting = [accepts]
        self.origins = [(0, 0)]
        self.rows: dict[int, NDArray[np.intp]] = {}

    def add(self, states: list[int], keys: list[bytes], accepts: Flags) -> list[int]:
        """Set the rows of ``states`` to the states of ``keys``; which keys were new."""
        numbers, new, targets = self.numbers, [], []
        for i, key in enumerate(keys):
            target = numbers.get(key)
            if target is None:
                target = numbers[key] = len(numbers)
                new.append(i)
            targets.append(target)
        self.accepting += accepts[new].tolist()
        self.origins += [(states[i // self.symbols], i % self.symbols) for i in new]
        rows = np.array(targets, np.intp).reshape(-1, self.symbols)
        self.rows.update(zip(states, rows, strict=True))
        return new

    def close(self, state: int) -> None:
        """Let every symbol keep ``state``."""
        self.rows[state] = np.full(self.symbols, state, np.intp)

    def conjecture(self) -> _Conjecture:
        rows = np.stack([self.rows[k] for k in range(len(self.numbers))])
        return _Conjecture(rows, np.array(self.accepting), self.origins)


def _keys(table: Flags) -> list[bytes]:
    """Each row as bytes."""
    packed = np.ascontiguousarray(np.packbits(table, axis=1))
    keys: list[bytes] = packed.view(f"V{packed.shape[1]}").ravel().tolist()
    return keys


def _slabs(step: Extensions, tracks: int) -> Iterator[slice]:
    """The words of the first track, so that a slab of the box is not too large."""
    count = len(step.parent)
    rows = max(1, _CHUNK // count ** (tracks - 1))
    return (slice(i, min(i + rows, count)) for i in range(0, count, rows))


def _places(
    states: NDArray[np.intp], step: Extensions, rows: slice, digits: int
) -> NDArray[np.intp]:
    """In the flat table of transitions, where the tuples of words of ``rows`` and of all words
    on the other tracks continue, ``states`` being the rows of what they extend."""
    places, tracks = states, states.ndim
    for track in range(tracks):
        chosen = rows if track == 0 else slice(None)
        shape = (-1,) + (1,) * (tracks - 1 - track)
        digit = step.digit[chosen] * digits ** (tracks - 1 - track)
        places = places.take(step.parent[chosen], axis=track) + digit.reshape(shape)
    return places


def _accepted_but_invalid(conjecture: _Conjecture, labels: WordLabels, track: int) -> Word | None:
    """Breadth first through the pairs of a state and what the system says of the track."""
    validity, symbols = labels.validity, conjecture.transitions.shape[1]
    width = len(validity.accepting)
    digit = labels.columns[:, track]
    wrong = (conjecture.accepting[:, None] & ~validity.accepting).ravel()
    seen = np.zeros(len(wrong), np.bool_)
    origin = np.zeros(len(wrong), np.intp)
    front = np.zeros(1, np.intp)
    seen[0] = True
    while len(front) and not wrong[front].any():
        state, valid = np.divmod(front, width)
        after = conjecture.transitions[state] * width + validity.transitions[valid][:, digit]
        pairs, first = np.unique(after, return_index=True)
        fresh = ~seen[pairs]
        origin[pairs[fresh]] = front[first[fresh] // symbols] * symbols + first[fresh] % symbols
        front = pairs[fresh]
        seen[front] = True
    if not len(front):
        return None
    pair, word = int(front[wrong[front].argmax()]), []
    while pair:
        pair, symbol = divmod(int(origin[pair]), symbols)
        word.append(symbol)
    return tuple(reversed(word))

"""Learn the automaton of a set of tuples of numbers from a box of exact labels.

Angluin's L* (Learning regular sets from queries and counterexamples, Inf. Comput. 75 (1987))
with one suffix a counterexample, as in Rivest and Schapire (Inference of finite automata using
homing sequences, Inf. Comput. 103 (1993)).  The box answers the membership queries: all words
of length at most L, the greatest with ``U_L <= N``, have values in it.  Words that represent
nothing are rejected.  Equivalence is decided for every tuple of numbers in the box and for
every word that represents nothing.

The fit is strict: whatever would need a label from outside the box is :class:`NoFit`, never a
guess.  Beyond the box the automaton is a conjecture, to be proved or refuted elsewhere.

A query is one look into the box.  The cell of a word is linear in its digits, so a prefix is
kept as the cells of itself followed by 0, 1, 2, .. zeros, a suffix as one number, and a table
of prefixes and suffixes is a sum of two arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.automatic.words import Extensions, Validity, extensions
from icgsynth.budget import Budget
from icgsynth.numeration import Numeration

__all__ = ["MAX_STATES", "Learned", "NoFit", "learn"]

MAX_STATES = 3000
_MAX_TRACKS = 6
_MAX_SYMBOLS = 2**14
_CHUNK = 2**18  # entries of an array that should stay in the processor's cache
_TOO_SMALL = "the box is too small"
_NO_TIME = "no time is left"

# A symbol is a column of digits, a word a tuple of symbols.
Word = tuple[int, ...]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Learned:
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


class _Misfit(Exception):
    """Learning ends without an automaton; ``size`` as in :class:`NoFit`."""

    def __init__(self, reason: str, size: int = 0) -> None:
        super().__init__(reason)
        self.size = size


def learn(
    system: Numeration,
    grid: Flags,
    budget: Budget,
    max_states: int = MAX_STATES,
    domain: Flags | None = None,
) -> Learned | NoFit:
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
    learner = _Learner(_Labels(system, grid, domain), budget, max_states)
    try:
        return learner.run()
    except _Misfit as misfit:
        return NoFit(str(misfit), learner.states, misfit.size)


# --- membership ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Labels:
    """The box as the oracle of membership queries."""

    system: Numeration
    grid: Flags
    domain: Flags | None

    @property
    def tracks(self) -> int:
        return self.grid.ndim

    @property
    def size(self) -> int:
        return len(self.grid)

    @cached_property
    def validity(self) -> Validity:
        return Validity.of(self.system)

    @cached_property
    def length(self) -> int:
        """The greatest length all of whose representations have a value in the box."""
        length = 0
        while self.system.weight(length + 1) <= self.size:
            length += 1
        return length

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        return np.array(self.system.weights(self.length), np.int64)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """(symbols, tracks): the digits of each symbol."""
        shape = (self.system.digits,) * self.tracks
        return np.indices(shape, np.int64).reshape(self.tracks, -1).T

    @cached_property
    def strides(self) -> NDArray[np.int64]:
        """(symbols,): the cells from one multiple of a symbol to the next."""
        sizes = np.array([self.size**t for t in reversed(range(self.tracks))], np.int64)
        return np.asarray(self.columns @ sizes, np.int64)

    @cached_property
    def cells(self) -> tuple[Flags, Flags | None]:
        """Labels and domain as flat arrays, one cell after the other."""
        return self.grid.ravel(), None if self.domain is None else self.domain.ravel()

    @cached_property
    def steps(self) -> tuple[Extensions, ...]:
        """The words of each length, the last cut off where the box ends."""
        if self.system.weight(self.length) == self.size:
            steps = extensions(self.validity, self.length)
        else:
            steps = extensions(self.validity, self.length + 1)
        return (*steps[:-1], steps[-1].cut(self.size)) if steps else ()

    def digits(self, word: Word) -> list[tuple[int, ...]]:
        """The digits of each track."""
        return list(zip(*(self.columns[s].tolist() for s in word), strict=True))

    def member(self, word: Word) -> bool | None:
        """Whether the tuple ``word`` represents is in the set; None if the box cannot say."""
        if not word:
            numbers: tuple[int, ...] = (0,) * self.tracks
        else:
            digits = self.digits(word)
            if not all(map(self.system.is_representation, digits)):
                return False
            numbers = tuple(map(self.system.value, digits))
        if max(numbers) >= self.size or (self.domain is not None and not self.domain[numbers]):
            return None
        return bool(self.grid[numbers])

    def mistake(self, found: Flags, step: Extensions, rows: slice) -> tuple[int, ...] | None:
        """A tuple whose label is not that in ``found``, which has the words ``rows`` of the
        first track and all words of the others."""
        words, count = step.numbers, len(step.numbers)
        low, high = np.searchsorted(words, (rows.start, rows.stop)).tolist()
        if count < len(step.parent):
            found = found[np.ix_(words[low:high] - rows.start, *[words] * (self.tracks - 1))]
        box = (slice(low, high), *[slice(count)] * (self.tracks - 1))
        differs = found != self.grid[box]
        if self.domain is not None:
            differs &= self.domain[box]
        if not differs.any():
            return None
        at = np.unravel_index(int(differs.argmax()), differs.shape)
        return (int(at[0]) + low, *map(int, at[1:]))

    def word(self, numbers: tuple[int, ...]) -> Word:
        """The numbers side by side, without leading zeros."""
        digits = [self.system.representation(v) for v in numbers]
        symbols = [0] * max(map(len, digits))
        for track in digits:
            padded = (0,) * (len(symbols) - len(track)) + track
            symbols = [s * self.system.digits + d for s, d in zip(symbols, padded, strict=True)]
        return tuple(symbols)


# --- the table of prefixes and suffixes ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Prefixes:
    """Words of one length: ``cells[i, j]`` is the cell of word i with j zeros appended,
    ``states[i, t]`` the state of the system's own automaton after its digits of track t."""

    cells: NDArray[np.int64]
    states: NDArray[np.intp]

    def __getitem__(self, rows: slice | list[int]) -> _Prefixes:
        return _Prefixes(self.cells[rows], self.states[rows])

    @staticmethod
    def join(parts: list[_Prefixes]) -> _Prefixes:
        cells = np.concatenate([part.cells for part in parts])
        return _Prefixes(cells, np.concatenate([part.states for part in parts]))

    def followed_by_all(self, labels: _Labels) -> _Prefixes:
        """Each word by each symbol, in the order of words."""
        room = self.cells.shape[1] - 1
        step = np.multiply.outer(labels.strides, labels.weights[:room])
        cells = self.cells[:, None, 1:] + step
        digits = labels.columns
        states = labels.validity.transitions[self.states[:, None, :], digits]
        return _Prefixes(cells.reshape(-1, room), states.reshape(-1, labels.tracks))


class _Suffixes:
    """The columns of the table; the first is the empty word."""

    def __init__(self, labels: _Labels) -> None:
        self.labels = labels
        self.longest = 0
        self._lengths: list[int] = []
        self._cells: list[int] = []
        self._valid: list[list[Flags]] = []  # a suffix, a track: by state, if a word ends well
        self.add(())

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, suffix: Word) -> None:
        labels = self.labels
        weights = labels.weights[: len(suffix)][::-1]
        self._cells.append(int((labels.strides[list(suffix)] * weights).sum()))
        self._lengths.append(len(suffix))
        self.longest = max(self.longest, len(suffix))
        self._valid.append([self._after(labels.columns[list(suffix), t]) for t in self._tracks])

    @property
    def _tracks(self) -> range:
        return range(self.labels.tracks)

    def _after(self, digits: NDArray[np.int64]) -> Flags:
        valid = self.labels.validity.accepting
        for digit in digits[::-1]:
            valid = valid[self.labels.validity.transitions[:, digit]]
        return valid

    def table(self, prefixes: _Prefixes) -> Flags:
        """(prefixes, suffixes): whether prefix and suffix together are in the set."""
        cells = prefixes.cells.take(self._lengths, axis=1) + np.array(self._cells)
        known, domain = self.labels.cells
        if self.labels.validity.is_trivial:
            valid = None
        else:
            by_state = np.array(self._valid).transpose(1, 2, 0)
            valid = by_state[0][prefixes.states[:, 0]]
            for track in self._tracks[1:]:
                valid &= by_state[track][prefixes.states[:, track]]
            # What represents nothing may have any value; cell 0 is as good as another.
            cells *= valid
        if domain is not None:
            asked = domain[cells] if valid is None else domain[cells] | ~valid
            if not asked.all():
                raise _Misfit(_TOO_SMALL)
        found: Flags = known[cells] if valid is None else known[cells] & valid
        return found


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

    def __init__(self, labels: _Labels, budget: Budget, max_states: int) -> None:
        self.labels, self.budget, self.max_states = labels, budget, max_states
        self.suffixes = _Suffixes(labels)
        self.queries = self.rounds = self.states = 0

    def run(self) -> Learned:
        while True:
            conjecture = self.conjecture()
            self.rounds += 1
            word = self.disagreement(conjecture)
            if word is None:
                break
            self.suffixes.add(self.telling(conjecture, word))
        return Learned(
            conjecture.transitions.astype(np.int32),
            conjecture.accepting,
            self.queries,
            self.rounds,
            self.labels.length,
        )

    def check_time(self) -> None:
        if self.budget.is_spent:
            raise _Misfit(_NO_TIME)

    # --- the automaton of the table ---------------------------------------------------

    def conjecture(self) -> _Conjecture:
        """The automaton whose states are the words that the suffixes tell apart, met breadth
        first from the empty word: so by shortest words."""
        labels = self.labels
        empty = _Prefixes(
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
            words = _Prefixes.join([new for _, new in found])
        return met.conjecture()

    def check_room(self, words: _Prefixes) -> None:
        """Each word, a symbol and the longest suffix must fit into the box."""
        length = self.labels.length
        needed = length + 1 - words.cells.shape[1] + 1 + self.suffixes.longest
        if needed > length:
            raise _Misfit(_TOO_SMALL, self.labels.system.weight(needed))

    def parts(self, states: list[int], words: _Prefixes) -> Iterator[tuple[list[int], _Prefixes]]:
        """A few words at a time, so that their table is not too large."""
        wide = max(len(self.suffixes), words.cells.shape[1]) * len(self.labels.columns)
        step = max(1, _CHUNK // wide)
        for start in range(0, len(states), step):
            self.check_time()
            yield states[start : start + step], words[start : start + step]

    def follow(self, states: list[int], words: _Prefixes, met: _Met) -> tuple[list[int], _Prefixes]:
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
            raise _Misfit(f"more than {self.max_states} states")
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
        raise _Misfit(_TOO_SMALL, size if size > self.labels.size else 0)


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


def _accepted_but_invalid(conjecture: _Conjecture, labels: _Labels, track: int) -> Word | None:
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

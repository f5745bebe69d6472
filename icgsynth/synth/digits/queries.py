"""The box of labels as the oracle of membership queries, and the table that L* fills.

A query is one look into the box.  The cell of a word is linear in its digits, so a prefix is
kept as the cells of itself followed by 0, 1, 2, .. zeros, a suffix as one number, and a table
of prefixes and suffixes is a sum of two arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.numeration import Numeration
from icgsynth.synth.digits.words import Extensions, Validity, extensions

TOO_SMALL = "the box is too small"

# A symbol is a column of digits, a word a tuple of symbols.
Word = tuple[int, ...]
Flags = NDArray[np.bool_]


class Misfit(Exception):
    """Learning ends without an automaton.

    ``size`` as in :class:`~icgsynth.synth.digits.automaton_learner.NoFit`.
    """

    def __init__(self, reason: str, size: int = 0) -> None:
        super().__init__(reason)
        self.size = size


# --- membership ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordLabels:
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
class Prefixes:
    """Words of one length: ``cells[i, j]`` is the cell of word i with j zeros appended,
    ``states[i, t]`` the state of the system's own automaton after its digits of track t."""

    cells: NDArray[np.int64]
    states: NDArray[np.intp]

    def __getitem__(self, rows: slice | list[int]) -> Prefixes:
        return Prefixes(self.cells[rows], self.states[rows])

    @staticmethod
    def join(parts: list[Prefixes]) -> Prefixes:
        cells = np.concatenate([part.cells for part in parts])
        return Prefixes(cells, np.concatenate([part.states for part in parts]))

    def followed_by_all(self, labels: WordLabels) -> Prefixes:
        """Each word by each symbol, in the order of words."""
        room = self.cells.shape[1] - 1
        step = np.multiply.outer(labels.strides, labels.weights[:room])
        cells = self.cells[:, None, 1:] + step
        digits = labels.columns
        states = labels.validity.transitions[self.states[:, None, :], digits]
        return Prefixes(cells.reshape(-1, room), states.reshape(-1, labels.tracks))


class Suffixes:
    """The columns of the table; the first is the empty word."""

    def __init__(self, labels: WordLabels) -> None:
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

    def table(self, prefixes: Prefixes) -> Flags:
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
                raise Misfit(TOO_SMALL)
        found: Flags = known[cells] if valid is None else known[cells] & valid
        return found

"""Finite automata that read several numbers at once: sets and relations of natural numbers.

An :class:`Automaton` is data, as it stands in a solution file: it says whether a tuple of
numbers is in the set, and computes unknown numbers from known ones, digit by digit.  It
needs no numpy; building and comparing automata is the business of :mod:`icgsynth.prove.automata`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import Any, TypeAlias

from icgsynth.digits.numeration import Numeration, numeration

# Ways to fill a column: the unknown digits, and the symbol of the whole column.
_Ways: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
_KEPT = 50_000  # sets of states


@dataclass(frozen=True, repr=False)
class Automaton:
    """A complete deterministic automaton on words of digit columns.  ``tracks`` name the numbers,
    each written in ``system``, all padded with leading zeros to the same length.  A column of
    digits d_1 .. d_k is the symbol ``(d_1 B + d_2) B + ..`` for B = ``system.digits``;
    ``transitions[state][symbol]`` is the next state, 0 the first. Adding or removing columns of
    zeros at the left changes no answer."""

    system: Numeration
    tracks: tuple[str, ...]
    transitions: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]

    def __post_init__(self) -> None:
        symbols, states = self.system.digits ** len(self.tracks), len(self.transitions)
        if len(self.accepting) != states or not states:
            raise ValueError("as many transition rows as accepting flags, and at least one")
        for row in self.transitions:
            if len(row) != symbols or min(row) < 0 or max(row) >= states:
                raise ValueError(f"a row has {symbols} states between 0 and {states - 1}")

    @cached_property
    def _reached(self) -> dict[tuple[Any, ...], frozenset[int]]:
        """Return the cache of sets of states that :meth:`_layers` and :meth:`_alive` compute."""
        return {}

    @cached_property
    def useful(self) -> frozenset[int]:
        """Return the states from which some word leads to an accepting state."""
        found = {q for q, accepts in enumerate(self.accepting) if accepts}
        size = 0
        while size < len(found):
            size = len(found)
            found |= {q for q, row in enumerate(self.transitions) if not found.isdisjoint(row)}
        return frozenset(found)

    @cached_property
    def _hash(self) -> int:
        return hash((self.system, self.tracks, self.transitions, self.accepting))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Automaton], tuple[object, ...]]:
        """Return what pickle needs, without caches: another process hashes strings otherwise."""
        return Automaton, (self.system, self.tracks, self.transitions, self.accepting)

    def __repr__(self) -> str:
        return f"<Automaton over {', '.join(self.tracks)} in {self.system}>"

    def __len__(self) -> int:
        return len(self.transitions)

    def accepts(self, numbers: Sequence[int]) -> bool:
        """Return whether the tuple ``numbers``, one a track, is accepted; never if one is < 0."""
        if min(numbers, default=0) < 0:
            return False
        state, digits = 0, self.system.digits
        for column in _columns([self.system.representation(n) for n in numbers]):
            symbol = 0
            for digit in column:
                symbol = symbol * digits + digit
            state = self.transitions[state][symbol]
        return self.accepting[state]

    def complete(self, known: Mapping[str, int]) -> dict[str, int] | None:
        """Return numbers for the tracks not in ``known``, {track: number}, that complete an
        accepted tuple, or None.  Of several the least are taken, column by column from the left:
        with one unknown number, the least number.  Takes time linear in the number of digits."""
        if min(known.values(), default=0) < 0:
            return None
        unknown, columns, zeros = self._open(known)
        prefix: list[_Ways] = []  # as few more columns at the left as will do
        layers = self._layers(columns, [frozenset((0,))])
        while not any(self.accepting[q] for q in layers[-1]):
            before = layers[: len(prefix) + 1]
            wider = self._layers([zeros], before)
            if wider[-1] in before:
                return None
            prefix.append(zeros)
            layers = self._layers(columns, wider)
        return self._least(prefix + columns, layers, unknown)

    def completions(self, known: Mapping[str, int], most: int) -> list[dict[str, int]]:
        """Return up to ``most`` completions of ``known``, {track: number}, to accepted tuples.
        Each maps the other tracks to numbers.  All completions, if there are fewer.  Takes time
        linear in the number of digits for each."""
        if min(known.values(), default=0) < 0:
            return []
        unknown, columns, zeros = self._open(known)
        if self._may_be_longer(columns, zeros):
            # Still longer ones repeat a state, again and again: then there are enough shorter.
            columns = [zeros] * (most * len(self)) + columns
        alive = self._alive(columns, self._layers(columns, [frozenset((0,))]))
        found: list[dict[str, int]] = []
        paths: list[tuple[int, tuple[tuple[int, ...], ...]]] = [(0, ())] if 0 in alive[0] else []
        while paths and len(found) < most:
            state, path = paths.pop()
            if (place := len(path)) == len(columns):
                written = {t: [d[i] for d in path] for i, t in enumerate(unknown)}
                found.append({t: self.system.value(word) for t, word in written.items()})
                continue
            row = self.transitions[state]
            on = [(row[s], (*path, d)) for d, s in columns[place] if row[s] in alive[place + 1]]
            paths += reversed(on)
        return found

    def _open(self, known: Mapping[str, int]) -> tuple[list[str], list[_Ways], _Ways]:
        """Return the tracks not in ``known``, {track: number}; the ways, (digits on these tracks,
        symbol), to fill each column of digits of the known numbers; and the ways to fill a column
        of zeros."""
        words = [self.system.representation(known[t]) for t in self.tracks if t in known]
        ways = partial(_ways, self.system.digits, tuple(t in known for t in self.tracks))
        unknown = [t for t in self.tracks if t not in known]
        return unknown, list(map(ways, _columns(words))), ways((0,) * len(words))

    def _layers(
        self, columns: Sequence[_Ways], layers: list[frozenset[int]]
    ) -> list[frozenset[int]]:
        """Return ``layers``, a list of sets of states, and after its last set the set reached after
        each of ``columns``: the ways, (digits on unknown tracks, symbol), to fill a column."""
        layers, reached = [*layers], self._reached
        if len(reached) > _KEPT:
            reached.clear()
        for ways in columns:
            key = layers[-1], ways
            if key not in reached:
                rows = [self.transitions[q] for q in layers[-1]]
                reached[key] = frozenset(row[symbol] for row in rows for _, symbol in ways)
            layers.append(reached[key])
        return layers

    def _least(
        self, columns: Sequence[_Ways], layers: Sequence[frozenset[int]], unknown: Sequence[str]
    ) -> dict[str, int]:
        """Return {track: number} for the tracks ``unknown``: the least accepted digits, column by
        column. ``columns`` has the :func:`_ways` to fill each, ``layers`` the states reached before
        it."""
        state, found = 0, []
        for ways, after in zip(columns, self._alive(columns, layers)[1:], strict=True):
            digits, symbol = next(w for w in ways if self.transitions[state][w[1]] in after)
            found.append(digits)
            state = self.transitions[state][symbol]
        return {t: self.system.value([d[i] for d in found]) for i, t in enumerate(unknown)}

    def _may_be_longer(self, columns: Sequence[_Ways], zeros: _Ways) -> bool:
        """Return whether an accepted completion may have more digits than there are ``columns``.
        Each is given as the ways, (digits on unknown tracks, symbol), to fill it; ``zeros`` has the
        ways where all known digits are 0."""
        # So if columns ``zeros``, the first with a digit on an open track, lead to a state from
        # which the ``columns`` may accept.
        first = {self.transitions[0][s] for d, s in zeros if any(d)}
        if not first & self.useful:
            return False
        reached = [frozenset((0,))]
        while (wider := self._layers([zeros], reached[-1:])[-1]) != reached[-1]:
            reached.append(wider)
        goal = self._alive(columns, self._layers(columns, reached[-1:]))[0]
        todo, seen = list(first), first
        while todo:
            if (state := todo.pop()) in goal:
                return True
            fresh = {self.transitions[state][s] for _, s in zeros} - seen
            seen |= fresh
            todo += fresh
        return False

    def _alive(
        self, columns: Sequence[_Ways], layers: Sequence[frozenset[int]]
    ) -> list[frozenset[int]]:
        """Return for each set of states in ``layers`` those from which the ``columns`` after it can
        be filled so that the word is accepted; a column has the ways, (digits on unknown tracks,
        symbol), to fill it."""
        alive = [frozenset(q for q in layers[-1] if self.accepting[q])]
        for ways, before in zip(reversed(columns), reversed(layers[:-1]), strict=True):
            key = before, ways, alive[-1]
            if key not in self._reached:
                symbols, rows = [symbol for _, symbol in ways], self.transitions
                leads = ((q, {rows[q][symbol] for symbol in symbols}) for q in before)
                self._reached[key] = frozenset(q for q, there in leads if there & alive[-1])
            alive.append(self._reached[key])
        return alive[::-1]

    # --- as data --------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the automaton as plain lists and numbers, ``system`` as the system's name."""
        return {
            "system": self.system.name,
            "tracks": list(self.tracks),
            "transitions": [list(row) for row in self.transitions],
            "accepting": [q for q, accepts in enumerate(self.accepting) if accepts],
        }

    @staticmethod
    def of_json(data: Mapping[str, Any]) -> Automaton:
        """Return the automaton that :meth:`to_json` wrote; ValueError says what does not fit."""
        rows = tuple(tuple(int(q) for q in row) for row in data["transitions"])
        accepting = frozenset(data["accepting"])
        if not accepting <= set(range(len(rows))):
            raise ValueError("an accepting state that does not exist")
        flags = tuple(q in accepting for q in range(len(rows)))
        tracks = tuple(str(t) for t in data["tracks"])
        return Automaton(numeration(str(data["system"])), tracks, rows, flags)


@lru_cache(maxsize=4096)
def _ways(base: int, given: tuple[bool, ...], column: tuple[int, ...]) -> _Ways:
    """Return (digits chosen, symbol of the whole column) for each choice of digits, below ``base``,
    on the tracks whose flag in ``given`` is False; ``column`` has the digits of the others."""
    ways = []
    for digits in product(range(base), repeat=len(given) - len(column)):
        known, open_ = iter(column), iter(digits)
        symbol = 0
        for is_given in given:
            symbol = symbol * base + next(known if is_given else open_)
        ways.append((digits, symbol))
    return tuple(ways)


def _columns(words: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    length = max(map(len, words), default=0)
    return zip(*((0,) * (length - len(w)) + tuple(w) for w in words), strict=True)

"""Sets and relations of natural numbers as minimal automata, and first-order logic on them.

A :class:`DFA` reads digit columns from the most significant on, like
:class:`~icgsynth.digits.automaton.Automaton`, but as numpy arrays.  It is minimal, its tracks are
sorted, and it accepts representations only; so two of them over the same tracks are the same
set iff their tables are equal.  Projection follows Büchi: guess the digits of the removed
tracks, determinise, and allow for longer words by leading zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from operator import or_, xor
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import distinct
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.minimise import Flags, Table, minimised, reaching, renumbered
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused

MAX_STATES = 20_000  # of a product or a determinisation: a wrong guess explodes, a right one not
MAX_SYMBOLS = 2**17  # columns of digits: each state has a transition for each; four of base 19
_MAX_TRANSITIONS = 2**26  # of what is being made: half a gigabyte

_Op: TypeAlias = str  # "and", "or", "minus", "xor"
_Joining: TypeAlias = Callable[[int, int], int]  # of sets of states as bits: or_, xor
_S = TypeVar("_S", bound=Hashable)


@dataclass(frozen=True, eq=False)
class DFA:
    """A minimal deterministic automaton; its state 0 is the initial one.

    Shapes: ``delta`` (states, digits ** tracks) int32, ``accepting`` (states,) bool.
    """

    system: Numeration
    tracks: tuple[str, ...]
    delta: Table
    accepting: Flags

    def __len__(self) -> int:
        return len(self.accepting)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DFA):
            return NotImplemented
        return (
            self.tracks == other.tracks
            and self.system == other.system
            and np.array_equal(self.delta, other.delta)
            and np.array_equal(self.accepting, other.accepting)
        )

    def __hash__(self) -> int:
        raise TypeError("the transitions are an array, which has no hash")

    @property
    def is_empty(self) -> bool:
        return not bool(self.accepting.any())

    # --- Boolean operations ---------------------------------------------------------------

    def __and__(self, other: DFA) -> DFA:
        for one, more in ((self, other), (other, self)):  # mostly one that leaves out nothing
            if set(more.tracks) <= set(one.tracks) and more == everything(one.system, more.tracks):
                return one
        return _product(self, other, "and")

    def __or__(self, other: DFA) -> DFA:
        tracks = _union(self, other)
        return _product(self.over(tracks), other.over(tracks), "or")

    def __sub__(self, other: DFA) -> DFA:
        return _product(self.over(_union(self, other)), other, "minus")

    def __xor__(self, other: DFA) -> DFA:
        tracks = _union(self, other)
        return _product(self.over(tracks), other.over(tracks), "xor")

    def __invert__(self) -> DFA:
        # Within the valid words: a complement in all words would accept words that are no numbers.
        return everything(self.system, self.tracks) - self

    def over(self, tracks: Iterable[str]) -> DFA:
        """Return this relation with further ``tracks``, on which every number is accepted."""
        wanted = tuple(sorted({*self.tracks, *tracks}))
        return self if wanted == self.tracks else self & everything(self.system, wanted)

    # --- tracks ---------------------------------------------------------------------------

    def renamed(self, names: Mapping[str, str]) -> DFA:
        """Return this relation with tracks renamed by ``names``, {old: new}, all different."""
        given = tuple(names.get(t, t) for t in self.tracks)
        tracks = tuple(sorted(given))
        delta = self.delta[:, spread(self.system.digits, given, tracks)]
        return DFA(self.system, tracks, *renumbered(delta, self.accepting))

    def without(self, names: Iterable[str], cap: int = MAX_STATES) -> DFA:
        """Return the projection without the tracks ``names``: the tuples on the others that some
        numbers on ``names`` complete to accepted ones.  :class:`~icgsynth.errors.Refused` past
        ``cap`` states."""
        gone = tuple(n for n in names if n in self.tracks)
        return _projected(self, gone, cap, or_) if gone else self

    def odd(self, name: str) -> DFA:
        """Return the set of the tuples on the other tracks that an odd number of values on the
        track ``name`` complete to accepted ones.  Each tuple must have finitely many.
        :class:`~icgsynth.errors.Refused` past 20,000 states."""
        return _projected(self, (name,), MAX_STATES, xor)

    # --- tuples ---------------------------------------------------------------------------

    def shortest(self) -> dict[str, int] | None:
        """Return an accepted tuple with the fewest digits, {track: number}; None if none is."""
        came: dict[int, tuple[int, int] | None] = {0: None}
        # Breadth first, the list grows while it is read: the first accepting state has a shortest
        # word.
        for state in (queue := [0]):
            if self.accepting[state]:
                return self._numbers(state, came)
            row = self.delta[state]
            for target, symbol in zip(*np.unique(row, return_index=True), strict=True):
                if int(target) not in came:
                    came[int(target)] = (state, int(symbol))
                    queue.append(int(target))
        return None

    def _numbers(self, state: int, came: Mapping[int, tuple[int, int] | None]) -> dict[str, int]:
        symbols = []
        while (step := came[state]) is not None:
            state = step[0]
            symbols.append(step[1])
        columns = digits_of(self.system.digits, len(self.tracks))
        return {
            track: self.system.value([int(columns[i, s]) for s in reversed(symbols)])
            for i, track in enumerate(self.tracks)
        }

    def contains(self, numbers: Mapping[str, int]) -> bool:
        """Return whether the tuple ``numbers``, {track: number}, is in the set."""
        return self.automaton().accepts([numbers[track] for track in self.tracks])

    def holds(self, columns: Mapping[str, NDArray[np.int64]]) -> Flags:
        """Return flags (n,): whether each of n tuples is in the set; ``columns`` has n numbers a
        track."""
        largest = max((int(c.max(initial=0)) for c in columns.values()), default=0)
        length = self.system.length(largest)
        words = _words(self.system, length, largest)
        count = len(next(iter(columns.values())))
        state = np.zeros(count, dtype=np.int32)
        for i in range(length):
            symbol = np.zeros(count, dtype=np.int64)
            for track in self.tracks:
                symbol = symbol * self.system.digits + words[columns[track], i]
            state = self.delta[state, symbol]
        return self.accepting[state]

    # --- as data --------------------------------------------------------------------------

    def automaton(self, tracks: Iterable[str] | None = None) -> Automaton:
        """Return the automaton as plain data, its tracks in the order of ``tracks``, or sorted."""
        order = self.tracks if tracks is None else tuple(tracks)
        delta = self.delta[:, spread(self.system.digits, self.tracks, order)]
        rows = tuple(tuple(row) for row in delta.tolist())
        return Automaton(self.system, order, rows, tuple(self.accepting.tolist()))

    @staticmethod
    def of(automaton: Automaton) -> DFA:
        """Return the set of tuples that ``automaton`` accepts.  :class:`~icgsynth.errors.Refused`
        where it accepts words that represent no numbers, or where leading zeros change what it
        answers."""
        delta = np.array(automaton.transitions, dtype=np.int32)
        flags = np.array(automaton.accepting, dtype=bool)
        found = read_off(automaton.system, automaton.tracks, delta, flags)
        order = spread(automaton.system.digits, automaton.tracks, found.tracks)
        if DFA(found.system, found.tracks, *minimised(delta[:, order], flags)) != found:
            raise Refused(f"an automaton accepts words that are no numbers in {found.system}")
        if found.delta[0, 0] != 0:  # equivalent states are one
            raise Refused("an automaton answers otherwise where zeros are written at the left")
        return found


def read_off(system: Numeration, tracks: tuple[str, ...], delta: Table, accepting: Flags) -> DFA:
    """Return the set of tuples whose words, valid in ``system``, the given automaton accepts.
    ``tracks`` are in the order of the table's symbols; ``delta`` (states, symbols) and
    ``accepting`` (states,) must not depend on leading zeros of valid words."""
    order = tuple(sorted(tracks))
    delta = delta[:, spread(system.digits, tracks, order)]
    raw = DFA(system, order, *minimised(delta, accepting))
    return _product(raw, everything(system, order), "and") if order else raw


@cache
def everything(system: Numeration, tracks: tuple[str, ...]) -> DFA:
    """Return the set of all tuples of numbers in ``system`` on ``tracks``, which are sorted."""
    return DFA(system, tracks, *_all_words(system, len(tracks)))


@cache
def _all_words(system: Numeration, count: int) -> tuple[Table, Flags]:
    if not count:
        return np.zeros((1, 1), np.int32), np.ones(1, bool)
    last = minimised(np.array(system.transitions, np.int32), np.array(system.accepting))
    if count == 1:
        return last
    before = tuple(f"{i:03}" for i in range(count - 1))  # names in order, before that of the last
    all_words = _product(everything(system, before), DFA(system, ("x",), *last), "and")
    return all_words.delta, all_words.accepting


@cache
def nothing(system: Numeration, tracks: tuple[str, ...]) -> DFA:
    """Return the empty set of tuples of numbers in ``system`` on ``tracks``, which are sorted."""
    symbols = system.digits ** len(tracks)
    return DFA(system, tracks, np.zeros((1, symbols), np.int32), np.zeros(1, bool))


def explore_states(
    start: _S, after: Callable[[_S], Iterable[_S]], what: str, most: float
) -> tuple[list[_S], Table]:
    """Return the states that can be reached from ``start``, and their table (states, symbols).
    ``after`` gives the next state for each symbol.  :class:`~icgsynth.errors.Refused`, which says
    ``what`` is too large, past ``most`` states."""
    number, order, rows = {start: 0}, [start], []
    for state in order:
        row = []
        for target in after(state):
            place = number.setdefault(target, len(order))
            if place == len(order):
                order.append(target)
            row.append(place)
        rows.append(row)
        _require_room(what, len(order), len(row), most)
    return order, np.array(rows, dtype=np.int32)


def _require_room(what: str, states: int, symbols: int, most: float) -> None:
    if states > most:
        raise Refused(f"{what} has more than {most:,} states")
    if states * symbols > _MAX_TRANSITIONS:
        raise Refused(f"{what} has more than {_MAX_TRANSITIONS:,} transitions")


# --- symbols ---------------------------------------------------------------------------------


@cache
def digits_of(digits: int, tracks: int) -> NDArray[np.int64]:
    """Return an array (tracks, symbols) with the digit of each track in each symbol: a column of
    ``tracks`` digits below ``digits``.  :class:`~icgsynth.errors.Refused` for too many symbols."""
    if digits**tracks > MAX_SYMBOLS:
        raise Refused(f"{tracks} numbers side by side are too many for automata of {digits} digits")
    return np.indices((digits,) * tracks, np.int64).reshape(tracks, digits**tracks)


@cache
def spread(digits: int, given: tuple[str, ...], tracks: tuple[str, ...]) -> NDArray[np.int64]:
    """Return an array that maps each symbol over ``tracks`` to the symbol over ``given``, which are
    some of these tracks; ``digits`` is how many digits there are."""
    columns = digits_of(digits, len(tracks))
    code = np.zeros(digits ** len(tracks), dtype=np.int64)
    for track in given:
        code = code * digits + columns[tracks.index(track)]
    return code


@cache
def _words(system: Numeration, length: int, largest: int) -> NDArray[np.int8]:
    left = np.arange(largest + 1)
    words = np.zeros((largest + 1, length), dtype=np.int8)
    for i, weight in enumerate(reversed(system.weights(length))):
        digit = left // weight  # many times faster than numpy's divmod
        words[:, i], left = digit, left - digit * weight
    return words


def _union(one: DFA, other: DFA) -> tuple[str, ...]:
    return tuple(sorted({*one.tracks, *other.tracks}))


# --- product ---------------------------------------------------------------------------------


def _product(one: DFA, other: DFA, op: _Op) -> DFA:
    """Return the minimal automaton, over the tracks of both, of the tuples that are in ``one`` and,
    or, minus, xor in ``other``, as ``op`` says."""
    tracks = _union(one, other)
    digits = one.system.digits
    left = one.delta[:, spread(digits, one.tracks, tracks)]
    right = other.delta[:, spread(digits, other.tracks, tracks)]
    # With "and", a pair with one side that can no longer accept is as good as dead; with
    # "minus" that side is the first.
    dead = np.zeros((len(one), len(other)), dtype=bool)
    if op in ("and", "minus"):
        dead |= ~reaching(one.delta, one.accepting)[:, None]
    if op == "and":
        dead |= ~reaching(other.delta, other.accepting)[None, :]
    # The pair (p, q) is the number p * width + q, and all dead pairs are one more, the sink.
    # ``number`` has the place of each pair in the order in which they are reached, -1 before that.
    gone = dead.ravel()
    width = len(other)
    number = np.full(len(one) * width + 1, -1, dtype=np.int32)
    sink = len(one) * width
    start = sink if gone[0] else 0
    number[start] = 0
    pairs, rows, count = np.array([start]), [], 1
    frontier = pairs
    found = [frontier]
    while frontier.size:
        p, q = np.divmod(np.minimum(frontier, sink - 1), width)
        # Row by row: code[i, s] is the pair after symbol s of the i-th pair of the frontier.
        code = left[p].astype(np.int64) * width + right[q]
        code[gone[code]] = sink
        code[frontier == sink] = sink
        rows.append(code)
        fresh = distinct(code)
        fresh = fresh[number[fresh] < 0]
        number[fresh] = np.arange(count, count + fresh.size)
        count += fresh.size
        _require_room("the product of two automata", count, left.shape[1], MAX_STATES * 10)
        frontier = fresh
        found.append(fresh)
    pairs = np.concatenate(found)
    p, q = np.divmod(np.minimum(pairs, sink - 1), width)
    a, b = one.accepting[p], other.accepting[q]
    # The sink accepts nothing; p and q are placeholders there.
    accepts = {"and": a & b, "or": a | b, "minus": a & ~b, "xor": a ^ b}[op] & (pairs != sink)
    table = number[np.concatenate(rows)]
    return DFA(one.system, tracks, *minimised(table, accepts, all_reached=True))


# --- projection ------------------------------------------------------------------------------


def _projected(dfa: DFA, gone: tuple[str, ...], cap: int, join: _Joining) -> DFA:
    """Return the set of the tuples on the other tracks that some numbers on the tracks ``gone``
    complete (``join`` is or_), or an odd number of them (xor; then a subset has the states that an
    odd number of words reach).  :class:`~icgsynth.errors.Refused` past ``cap`` states."""
    digits = dfa.system.digits
    kept = tuple(t for t in dfa.tracks if t not in gone)
    symbol = spread(digits, kept, dfa.tracks)
    symbols = digits ** len(kept)
    # Bit q of a set stands for state q: sets are joined, and compared with ``accepting``, at once.
    after = _successors(dfa, symbol, symbols, join)
    accepting = sum(1 << int(q) for q in np.flatnonzero(dfa.accepting))
    start = 1 if after[0] is not None else 0
    # Longer witnesses: any number of zero columns on the kept tracks may come first.  With or_ the
    # sets grow, for zeros alone lead from the first state to itself.  With xor they come round;
    # those that come again tell the same, for finitely many witnesses have few digits more.
    seen = set[int]()
    while start not in seen:
        seen.add(start)
        _require_room("a projection", len(seen), 1, cap)
        start = _row(after, symbols, join, start)[0]
    following = partial(_row, after, symbols, join)
    subsets, delta = explore_states(start, following, "a projection", cap)
    # or_: some witness; xor: bits are counted modulo 2 on the way, and accepting ones at the end,
    # so that the parity of the number of accepting runs is left.
    counts = [(subset & accepting).bit_count() for subset in subsets]
    flags = np.array([bool(n % 2 if join is xor else n) for n in counts])
    return DFA(dfa.system, kept, *minimised(delta, flags, all_reached=True))


def _successors(
    dfa: DFA, symbol: NDArray[np.int64], symbols: int, join: _Joining
) -> list[list[int] | None]:
    """Return for each state, and each symbol of the tracks that stay, the set of next states as the
    bits of an integer, joined by ``join``; None for a state from which nothing is accepted.
    ``symbol`` maps each symbol of ``dfa`` to one of the ``symbols`` symbols of these tracks."""
    alive = reaching(dfa.delta, dfa.accepting)
    codes = symbol.tolist()
    after: list[list[int] | None] = []
    for state, row in enumerate(dfa.delta.tolist()):
        if not alive[state]:
            after.append(None)
            continue
        masks = [0] * symbols
        for code, target in zip(codes, row, strict=True):
            if alive[target]:
                # With or_ a target counts once; with xor two columns on the removed tracks that
                # lead to one target cancel.
                masks[code] = join(masks[code], 1 << target)
        after.append(masks)
    return after


def _members(subset: int) -> Iterable[int]:
    while subset:
        low = subset & -subset
        yield low.bit_length() - 1
        subset ^= low


def _row(after: list[list[int] | None], symbols: int, join: _Joining, subset: int) -> list[int]:
    rows = [row for q in _members(subset) if (row := after[q]) is not None]
    if not rows:
        return [0] * symbols
    first, *rest = rows
    for row in rest:
        first = list(map(join, first, row))
    return first

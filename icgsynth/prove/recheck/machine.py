"""Finite automata on words of digit columns, sparse and canonical.

Every automaton here accepts only tuples of representations, and accepts a word iff it accepts
the word after a column of zeros; :mod:`icgsynth.prove.recheck.algebra` keeps both.  A transition
that is missing rejects, and no state is kept from which nothing is accepted.  The result of
:func:`explore` is minimal and numbered breadth first, so equal languages are equal data
(Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 4.4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias, TypeVar

from icgsynth.budget import Budget
from icgsynth.errors import TooLarge

_OFTEN = 1_000  # transitions between two looks at the clock
_ARCS = 20  # transitions kept for each state that is allowed: they are what fills the memory

Symbol: TypeAlias = tuple[int, ...]
_Row: TypeAlias = dict[Symbol, int]
S = TypeVar("S", bound=Hashable)


@dataclass
class Effort:
    """The limits on operations on automata: time, and the number of states."""

    budget: Budget
    max_states: int


@dataclass(frozen=True)
class Machine:
    """An automaton: ``rows[state]`` maps a column, one digit a track, to the next state.
    State 0 is the first; ``tracks`` are in alphabetical order."""

    tracks: tuple[str, ...]
    rows: tuple[_Row, ...]
    accepting: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_empty(self) -> bool:
        return not any(self.accepting)


def picker(tracks: Sequence[str], wanted: Sequence[str]) -> Callable[[Symbol], Symbol]:
    """Return a function from a column of digits on ``tracks`` to those on ``wanted`` tracks."""
    places = [tracks.index(t) for t in wanted]
    if not places:
        return lambda symbol: ()
    if len(places) == 1:
        place = places[0]
        return lambda symbol: (symbol[place],)
    return itemgetter(*places)


def explore(
    effort: Effort,
    tracks: Sequence[str],
    start: S,
    step: Callable[[S], Iterable[tuple[Symbol, S]]],
    final: Callable[[S], bool],
) -> Machine:
    """Return the minimal automaton over ``tracks`` that ``start``, ``step`` and ``final`` describe.

    ``step(state)`` yields (column, next state), ``final(state)`` says whether it accepts.  Raises
    :class:`TooLarge` and :class:`~icgsynth.errors.BudgetSpent`, as ``effort`` limits it."""
    number, states = {start: 0}, [start]
    rows: list[_Row] = []
    arcs = looked = 0
    for state in states:
        row: _Row = {}
        for symbol, after in step(state):
            known = number.setdefault(after, len(states))
            if known == len(states):
                states.append(after)
            row[symbol] = known
        rows.append(row)
        arcs += len(row)
        if arcs >= looked:
            effort.budget.check()
            looked = arcs + _OFTEN
        if len(states) > effort.max_states:
            raise TooLarge(f"an automaton of more than {effort.max_states} states")
        if arcs > _ARCS * effort.max_states:
            raise TooLarge(f"an automaton of more than {_ARCS * effort.max_states} transitions")
    accepting = [final(s) for s in states]
    _drop_dead(rows, accepting)
    merged = _classes(effort, rows, accepting)
    return _number(tuple(tracks), rows, accepting, merged)


def _drop_dead(rows: list[_Row], accepting: Sequence[bool]) -> None:
    """Remove from ``rows``, the transitions by state, those into states that accept no word."""
    before: list[list[int]] = [[] for _ in rows]
    for q, row in enumerate(rows):
        for after in set(row.values()):
            before[after].append(q)
    # Backwards from accepting states; a missing transition means that nothing is accepted after it.
    alive = {q for q, accepts in enumerate(accepting) if accepts}
    todo = list(alive)
    while todo:
        for q in before[todo.pop()]:
            if q not in alive:
                alive.add(q)
                todo.append(q)
    if len(alive) < len(rows):
        for q, row in enumerate(rows):
            rows[q] = {symbol: after for symbol, after in row.items() if after in alive}


def _classes(effort: Effort, rows: Sequence[_Row], accepting: Sequence[bool]) -> list[int]:
    """Return for each state the number of its class: two share one iff they accept equal words."""
    # Classes are split until from no class a column leads both into and out of another; of the two
    # parts the smaller is the next to split others (Hopcroft 1971).  It starts from classes whose
    # states have transitions for the same columns.
    shapes: dict[Hashable, set[int]] = {}
    before: list[list[tuple[Symbol, int]]] = [[] for _ in rows]
    for q, row in enumerate(rows):
        shapes.setdefault((accepting[q], frozenset(row)), set()).add(q)
        for symbol, after in row.items():
            before[after].append((symbol, q))
    members = list(shapes.values())
    classes = [0] * len(rows)
    for number, states in enumerate(members):
        for q in states:
            classes[q] = number
    todo = list(range(len(members)))
    while todo:
        effort.budget.check()
        sources: dict[Symbol, list[int]] = {}
        for q in members[todo.pop()]:
            for symbol, p in before[q]:
                sources.setdefault(symbol, []).append(p)
        for states_before in sources.values():
            todo += _split(states_before, classes, members)
    return classes


def _split(states: Iterable[int], classes: list[int], members: list[set[int]]) -> Iterator[int]:
    """Split classes in place: those with some, but not all, of their states in ``states``.
    ``classes`` has the number of each state's class, ``members`` the states of each class.  Yield
    the numbers of new classes."""
    inside: dict[int, set[int]] = {}
    for q in states:
        inside.setdefault(classes[q], set()).add(q)
    for number, part in inside.items():
        whole = members[number]
        if len(part) == len(whole):
            continue
        smaller = part if 2 * len(part) <= len(whole) else whole - part
        # The larger part keeps the number: if the class still waits in ``todo``, both parts do.
        whole -= smaller
        for q in smaller:
            classes[q] = len(members)
        members.append(smaller)
        yield len(members) - 1


def _number(
    tracks: tuple[str, ...], rows: Sequence[_Row], accepting: Sequence[bool], classes: Sequence[int]
) -> Machine:
    """Return the automaton with a state for each class that is reached, numbered breadth first."""
    number, order, kept = {classes[0]: 0}, [0], []
    for q in order:
        row: _Row = {}
        for symbol, after in sorted(rows[q].items()):
            new = number.setdefault(classes[after], len(order))
            if new == len(order):
                order.append(after)
            row[symbol] = new
        kept.append(row)
    return Machine(tracks, tuple(kept), tuple(accepting[q] for q in order))


def difference(left: Machine, right: Machine) -> tuple[Symbol, ...] | None:
    """Return a word, the least of the shortest, that just one of both accepts; None if equal.
    Raises ValueError where the tracks of ``left`` and ``right`` differ."""
    if left.tracks != right.tracks:
        raise ValueError("only automata on the same tracks are compared")
    dead = -1
    came: dict[tuple[int, int], tuple[tuple[int, int], Symbol] | None] = {(0, 0): None}
    todo = deque(came)
    while todo:
        pair = todo.popleft()
        p, q = pair
        if (p != dead and left.accepting[p]) != (q != dead and right.accepting[q]):
            return _word(came, pair)
        ours = left.rows[p] if p != dead else {}
        theirs = right.rows[q] if q != dead else {}
        for symbol in sorted({*ours, *theirs}):
            after = ours.get(symbol, dead), theirs.get(symbol, dead)
            if after not in came:
                came[after] = pair, symbol
                todo.append(after)
    return None


def _word(
    came: dict[tuple[int, int], tuple[tuple[int, int], Symbol] | None], pair: tuple[int, int]
) -> tuple[Symbol, ...]:
    word: list[Symbol] = []
    step = came[pair]
    while step is not None:
        word.append(step[1])
        step = came[step[0]]
    return tuple(reversed(word))

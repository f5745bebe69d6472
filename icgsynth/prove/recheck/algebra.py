"""Operations of first-order logic on automata: and, or, but not, there is.

Read with :mod:`icgsynth.prove.recheck.machine`: numbers are natural, words are padded with zeros at
the left (Hodgson, Décidabilité par automate fini, 1983; Bruyère, Hansel, Michaux, Villemaire,
Logic and p-recognizable sets of integers, 1994)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from icgsynth.errors import TooLarge
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, explore, picker

TRUE = Machine((), ({(): 0},), (True,))
FALSE = Machine((), ({},), (False,))
_DEAD = -1  # the state after a transition that is missing


def join(effort: Effort, left: Machine, right: Machine) -> Machine:
    """Return the intersection of ``left`` and ``right``; a track that both have is one number."""
    if TRUE in (left, right):
        return right if left == TRUE else left
    tracks = tuple(sorted({*left.tracks, *right.tracks}))
    if left.is_empty or right.is_empty:
        return Machine(tracks, FALSE.rows, FALSE.accepting)
    # A pair of symbols fits if they agree on the shared tracks: ``partners`` lists those of
    # ``right`` by these digits.
    shared = [t for t in left.tracks if t in right.tracks]
    ours, theirs = picker(left.tracks, shared), picker(right.tracks, shared)
    merged = picker(left.tracks + right.tracks, tracks)

    @cache
    def partners(state: int) -> dict[Symbol, list[tuple[Symbol, int]]]:
        found: dict[Symbol, list[tuple[Symbol, int]]] = {}
        for symbol, after in right.rows[state].items():
            found.setdefault(theirs(symbol), []).append((symbol, after))
        return found

    def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
        matching = partners(pair[1])
        for symbol, after in left.rows[pair[0]].items():
            for other, then in matching.get(ours(symbol), ()):
                yield merged(symbol + other), (after, then)

    def final(pair: tuple[int, int]) -> bool:
        return left.accepting[pair[0]] and right.accepting[pair[1]]

    return explore(effort, tracks, (0, 0), step, final)


def union(effort: Effort, left: Machine, right: Machine) -> Machine:
    """Return the union of the sets of tuples ``left`` and ``right``, on equal tracks.
    Raises ValueError where the tracks differ."""
    if left.tracks != right.tracks:
        raise ValueError("a union of automata on different tracks")

    def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
        p, q = pair
        ours = left.rows[p] if p != _DEAD else {}
        theirs = right.rows[q] if q != _DEAD else {}
        for symbol in {**ours, **theirs}:
            yield symbol, (ours.get(symbol, _DEAD), theirs.get(symbol, _DEAD))

    def final(pair: tuple[int, int]) -> bool:
        p, q = pair
        return (p != _DEAD and left.accepting[p]) or (q != _DEAD and right.accepting[q])

    return explore(effort, left.tracks, (0, 0), step, final)


def but_not(effort: Effort, left: Machine, right: Machine) -> Machine:
    """Return the tuples of ``left`` whose part on the tracks of ``right`` is not in ``right``.
    ``left`` has all tracks of ``right``."""
    theirs = picker(left.tracks, right.tracks)

    def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
        p, q = pair
        row = right.rows[q] if q != _DEAD else {}
        for symbol, after in left.rows[p].items():
            yield symbol, (after, row.get(theirs(symbol), _DEAD))

    def final(pair: tuple[int, int]) -> bool:
        p, q = pair
        return left.accepting[p] and not (q != _DEAD and right.accepting[q])

    return explore(effort, left.tracks, (0, 0), step, final)


def project(
    effort: Effort, machine: Machine, names: Iterable[str], is_odd: bool = False
) -> Machine:
    """Return the tuples that numbers on the tracks ``names`` can complete to accepted ones.

    These numbers may be longer than the others: the subset to start from is closed under columns
    that are zero on every track that stays.  With ``is_odd`` an odd number of completions, of
    finitely many, is asked for: subsets are of the states to which an odd number of them lead.
    Raises TooLarge where there are too many subsets."""
    gone = set(names)
    tracks = [t for t in machine.tracks if t not in gone]
    if len(tracks) == len(machine.tracks):
        return machine
    stays = picker(machine.tracks, tracks)
    add = set[int].symmetric_difference_update if is_odd else set[int].update
    rows: list[dict[Symbol, set[int]]] = []
    for row in machine.rows:
        narrow: dict[Symbol, set[int]] = {}
        for symbol, after in row.items():
            add(narrow.setdefault(stays(symbol), set()), {after})
        rows.append(narrow)

    def step(subset: frozenset[int]) -> Iterator[tuple[Symbol, frozenset[int]]]:
        found: dict[Symbol, set[int]] = {}
        for state in subset:
            for symbol, states in rows[state].items():
                add(found.setdefault(symbol, set()), states)
        for symbol, states in found.items():
            yield symbol, frozenset(states)

    def final(subset: frozenset[int]) -> bool:
        reached = sum(machine.accepting[q] for q in subset)
        return reached % 2 == 1 if is_odd else reached > 0

    # Zeros lead from state 0 to itself, so subsets grow until one stays; odd ones come round.
    start, seen = frozenset({0}), set[frozenset[int]]()
    zeros = (0,) * len(tracks)
    while start not in seen:
        seen.add(start)
        if len(seen) > effort.max_states:
            raise TooLarge(f"more than {effort.max_states} sets of states before the digits")
        start = dict(step(start)).get(zeros, frozenset())
    return explore(effort, tracks, start, step, final)


def eliminate(effort: Effort, parts: Sequence[Machine], names: Iterable[str]) -> Machine:
    """Return the tuples for which some numbers on the tracks ``names`` satisfy all ``parts``.

    One name at a time, the one with the fewest tracks beside it first, so that no more tracks than
    needed are together (bucket elimination, Dechter 1999)."""
    left, pool = set(names), list(parts)

    def beside(name: str) -> tuple[int, str]:
        return len({t for p in pool if name in p.tracks for t in p.tracks}), name

    while left:
        name = min(left, key=beside)
        left.remove(name)
        bucket = [p for p in pool if name in p.tracks]
        pool = [p for p in pool if name not in p.tracks]
        if bucket:
            pool.append(project(effort, _all_of(effort, bucket), (name,)))
    return _all_of(effort, pool)


def _all_of(effort: Effort, parts: Sequence[Machine]) -> Machine:
    result = TRUE
    for part in sorted(parts, key=lambda p: (len(p.tracks), len(p))):
        result = join(effort, result, part)
    return result


def renamed(machine: Machine, names: Mapping[str, str]) -> Machine:
    """Return ``machine`` with its tracks named anew: ``names`` maps old names to new ones."""
    new = [names.get(t, t) for t in machine.tracks]
    tracks = sorted(new)
    moved = picker(new, tracks)
    rows = tuple({moved(s): q for s, q in row.items()} for row in machine.rows)
    return Machine(tuple(tracks), rows, machine.accepting)

"""Blocking games: states with more options in a set than may be forbidden, in plain Python.

An option is a state that a move leads to.  Here all moves of all actions are one relation between
states, so an option that several moves lead to is there once, and no proof is needed that moves
lead to different states.  How many states complete a state to a pair of the relation is counted
along the runs of its automaton, up to one more than may be forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from icgsynth.game.strategy import PRIME
from icgsynth.prove.recheck.algebra import FALSE, join, union
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, explore, picker
from icgsynth.prove.recheck.numbers import Numbers

_MOST = 12  # options that may be forbidden
_Runs: TypeAlias = frozenset[tuple[int, int]]  # states, and how many words lead to each


def more_than(
    count: int, numbers: Numbers, variables: Sequence[str], moves: Iterable[Machine]
) -> Machine:
    """The states from which ``moves`` lead to more than ``count`` different states.

    Each of ``moves`` has the tracks of some ``variables`` and, primed, of those that change.
    """
    if count > _MOST:
        raise Undecided(f"more than {_MOST} forbidden options")
    effort = numbers.effort
    tracks = sorted([*variables, *(v + PRIME for v in variables)])
    whole = Machine(tuple(tracks), FALSE.rows, FALSE.accepting)
    for relation in moves:
        if not relation.is_empty:
            whole = union(effort, whole, _whole(numbers, variables, relation))
    return _count(effort, whole, sorted(variables), count + 1)


def _whole(numbers: Numbers, variables: Sequence[str], relation: Machine) -> Machine:
    for variable in variables:
        if variable + PRIME not in relation.tracks:
            same = numbers.equal(variable, variable + PRIME)
            relation = join(numbers.effort, relation, same)
        elif variable not in relation.tracks:
            relation = join(numbers.effort, relation, numbers.tuples((variable,)))
    return relation


def _count(effort: Effort, relation: Machine, kept: Sequence[str], wanted: int) -> Machine:
    """The tuples over ``kept`` that at least ``wanted`` tuples on the other tracks complete."""
    # A word of one length stands for each number, so words are counted.  Longer numbers on the
    # other tracks: the words to start from are those that are zero on the ``kept`` tracks.
    stays = picker(relation.tracks, kept)
    arcs: list[dict[Symbol, list[int]]] = []
    for row in relation.rows:
        found: dict[Symbol, list[int]] = {}
        for symbol, after in row.items():
            found.setdefault(stays(symbol), []).append(after)
        arcs.append(found)

    def step(runs: _Runs) -> Iterator[tuple[Symbol, _Runs]]:
        reached: dict[Symbol, dict[int, int]] = {}
        for state, ways in runs:
            for symbol, states in arcs[state].items():
                counts = reached.setdefault(symbol, {})
                for after in states:
                    counts[after] = min(wanted, counts.get(after, 0) + ways)
        for symbol, counts in reached.items():
            yield symbol, frozenset(counts.items())

    def final(runs: _Runs) -> bool:
        return sum(ways for state, ways in runs if relation.accepting[state]) >= wanted

    zeros = (0,) * len(kept)
    start: _Runs = frozenset({(0, 1)})
    while (longer := dict(step(start)).get(zeros, frozenset())) != start:
        start = longer
    return explore(effort, kept, start, step, final)

"""Compiled loops for :mod:`icgsynth.boards.finite.proof_numbers`: update and descend the graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.process.compiled import compiled

Ints = NDArray[Any]

SURE = np.int32(1 << 30)
"""The proof number of what can never be proved: infinity."""
OPEN = -1
"""The value of ``first`` for a state whose moves are not known."""
TAKEN = -2
"""The value of ``first`` for a state whose moves are being computed."""
_DOUBLED = 24  # doublings of a proof number at most, so that it stays below SURE


STATE_FIELDS = (
    *((np.int32, 2), (np.int32, 0), (np.int8, 0), (np.int32, 0)),
    *((np.int32, 0), (np.int32, 0), (np.int8, 0)),
)
MOVE_FIELDS = ("target", "source", "later")


class ProofGraph(NamedTuple):
    """The graph of a proof-number search: states by row, with row 0 the start, and moves by source.

    ``numbers[s]`` say about how many open states must be decided for role 0, and for role 1, until
    state s is decided for it; one is 0 where s is decided, and the other is then SURE.  A decided
    state has a greater ``depth`` than those that decide it.  ``turn`` is the role to move.  The
    moves of s lead to ``target[first[s] : first[s] + moves[s]]``; those into s are ``head[s]``,
    ``later`` of it, and so on to -1, and start in ``source``.  ``stuck`` counts how often the best
    move of s led back.
    """

    numbers: Ints
    depth: Ints
    turn: Ints
    first: Ints
    moves: Ints
    head: Ints
    stuck: Ints
    target: Ints
    source: Ints
    later: Ints


@compiled
def refresh(graph: ProofGraph, s: int) -> bool:
    """Update the proof numbers of state ``s`` from its successors; return whether it is decided
    now. False also where it was decided before, or its moves are not known."""
    numbers, mine = graph.numbers, graph.turn[s]
    if numbers[s, 0] == 0 or numbers[s, 1] == 0 or graph.first[s] < 0:
        return False
    # For the role to move it is the least number of any move.  For the other one it is that of the
    # hardest move and one more for each further move: a sum would count what several moves lead to
    # several times (Ueda, Hashimoto, Hashimoto, Iida 2008, "Weak proof-number search").
    least, most, undecided = SURE, np.int32(0), np.int32(0)
    soonest, latest = SURE, np.int32(0)
    for e in range(graph.first[s], graph.first[s] + graph.moves[s]):
        t = graph.target[e]
        near, far = numbers[t, mine], numbers[t, 1 - mine]
        least = min(least, near)
        if near == 0:
            soonest = min(soonest, graph.depth[t])
        if far == 0:
            latest = max(latest, graph.depth[t])
        else:
            most = max(most, far)
            undecided += 1
    if least == 0:
        numbers[s, mine], numbers[s, 1 - mine] = 0, SURE
        graph.depth[s] = soonest + 1
        return True
    if undecided == 0:
        numbers[s, mine], numbers[s, 1 - mine] = SURE, 0
        graph.depth[s] = latest + 1
        return True
    more = (1 << min(graph.stuck[s], _DOUBLED)) - 1
    numbers[s, mine] = min(least + more, SURE - 1)
    numbers[s, 1 - mine] = min(most + undecided - 1 + more, SURE - 1)
    return False


@compiled
def settle(graph: ProofGraph, s: int) -> None:
    """Update the proof numbers of the predecessors of the decided state ``s``, then in the same way
    of those of every state that is decided by that."""
    decided = [s]
    while decided:
        e = graph.head[decided.pop()]
        while e >= 0:
            if refresh(graph, graph.source[e]):
                decided.append(graph.source[e])
            e = graph.later[e]


@compiled
def back_up(graph: ProofGraph, path: Ints, length: int) -> None:
    """Update the proof numbers of ``path[:length]``, the last state first.  Where that decides one,
    those of its predecessors are updated too, and so on from each state that this decides."""
    for i in range(length - 1, -1, -1):
        if refresh(graph, path[i]):
            settle(graph, path[i])


@compiled
def back_up_all(graph: ProofGraph, paths: Ints, lengths: Ints) -> None:
    """Update the proof numbers of the states ``paths[i, :lengths[i]]`` for each i, last first."""
    for i in range(len(lengths)):
        back_up(graph, paths[i], lengths[i])


@compiled
def descend(graph: ProofGraph, path: Ints) -> int:
    """Write to ``path`` the states from row 0 to the most proving state; return how many there are.
    The last is open or taken, or its best move leads back, or there is no room in ``path``."""
    path[0], length = 0, 1
    while length < len(path):
        s = path[length - 1]
        if graph.first[s] < 0:
            break
        mine, best, least = graph.turn[s], -1, SURE
        for e in range(graph.first[s], graph.first[s] + graph.moves[s]):
            t = graph.target[e]
            if graph.numbers[t, mine] < least and graph.numbers[t, 1 - mine] > 0:
                best, least = t, graph.numbers[t, mine]
        back = best < 0
        for i in range(length):
            back |= path[i] == best
        if back:
            break
        path[length] = best
        length += 1
    return length


@compiled
def take(graph: ProofGraph, paths: Ints, lengths: Ints) -> int:
    """Write to ``paths`` (k, plies) up to k paths from row 0 to open states; return how many.
    ``lengths`` gets their lengths.  The last states are taken, to be expanded by the caller: their
    proof numbers are doubled until their moves are known."""
    found = 0
    for _ in range(2 * len(paths)):
        path = paths[found]
        length = descend(graph, path)
        s = path[length - 1]
        if graph.first[s] == TAKEN or min(graph.numbers[0]) == 0:
            break
        if graph.first[s] == OPEN:
            graph.first[s] = TAKEN
            for role in range(2):
                graph.numbers[s, role] = min(2 * graph.numbers[s, role] + 1, SURE - 1)
            lengths[found] = length
            found += 1
        elif graph.stuck[s] < _DOUBLED:
            graph.stuck[s] += 1
        back_up(graph, path, length)
        if found == len(paths):
            break
    return found


@compiled
def link(graph: ProofGraph, start: int, stop: int) -> None:
    """Add the moves ``start`` to ``stop`` - 1 to the lists of moves into their target states."""
    for e in range(start, stop):
        t = graph.target[e]
        graph.later[e], graph.head[t] = graph.head[t], e


@compiled
def guess(graph: ProofGraph, goals: Ints, level: int, start: int, stop: int) -> None:
    """Set the first proof numbers of the states ``start`` to ``stop`` - 1: 1 for the role to move,
    the number of moves for the other.  Ends, where ``goals[s]`` (role 0's goal) is not -1, are
    decided: for role 0 if it is ``level`` or more."""
    for s in range(start, stop):
        graph.depth[s] = 0
        for role in range(2):
            if goals[s] >= 0:
                graph.numbers[s, role] = 0 if (goals[s] >= level) == (role == 0) else SURE
            else:
                other = graph.turn[s] == 1 - role  # who has to be answered move by move
                graph.numbers[s, role] = graph.moves[s] if other else 1


@compiled
def begin(graph: ProofGraph, goals: Ints, level: int, states: int) -> None:
    """Set the proof numbers of the first ``states`` states anew, to ask if role 0 gets ``level`` or
    more.  ``goals`` (n,) are those of role 0 at ends, -1 elsewhere."""
    guess(graph, goals, level, 0, states)
    # From the last states to the first: most moves lead to later states.
    for s in range(states - 1, -1, -1):
        if graph.first[s] == TAKEN:
            graph.first[s] = OPEN
        if refresh(graph, s):
            settle(graph, s)


KERNELS = (back_up_all, take, link, guess, begin)
"""The kernels that Python calls, for :func:`~icgsynth.process.compiled.announce`."""

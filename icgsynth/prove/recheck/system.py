"""Proof, by counting, that a numeration system gives each number one representation.

For a state q of the automaton of representations let c_q(n) be the number of words of length n
accepted from q.  Checked here, for all n:

1. the weights start with U_0 = 1 and increase;
2. c_0(n) = U_n;
3. a zero at the left changes nothing, and what is accepted from any state is accepted from 0:
   so c_q(n) <= U_n;
4. for digits e < d after a state: if a word of length n may follow d, then exactly U_n may
   follow e.

By 4 the words of length n that come before ``d_(n-1) .. d_0`` in lexicographic order number
``sum d_i U_i``: the value of a representation is its rank.  With 2 the values of the words of
length n are 0 .. U_n - 1, each once.  By 3 what follows a digit at position i is worth less than
U_i: so representations are the greedy ones (Fraenkel, Systems of numeration, Amer. Math. Monthly
92, 1985).

"For all n" is finite work.  The numbers c_q(n) satisfy a linear recurrence whose order is the
number of states (Cayley, Hamilton), differences and products of such sequences one of the sum
and the product of the orders; and a sequence with a recurrence of order r that starts with r
zeros is zero."""

from __future__ import annotations

from itertools import combinations, pairwise

from icgsynth.digits.numeration import Numeration
from icgsynth.prove.recheck.machine import Effort, Machine, difference, explore


def weights(system: Numeration, count: int) -> list[int]:
    """Return the weights ``U_0 .. U_(count - 1)`` of ``system``, by its recurrence."""
    found = list(system.initial[:count])
    order = len(system.recurrence)
    while len(found) < count:
        last = found[: -order - 1 : -1]
        found.append(sum(c * u for c, u in zip(system.recurrence, last, strict=True)))
    return found


def representations(effort: Effort, system: Numeration, track: str, start: int = 0) -> Machine:
    """Return the automaton on ``track`` of the words that ``system`` accepts from ``start``."""

    def step(state: int) -> list[tuple[tuple[int, ...], int]]:
        return [((d,), q) for d, q in enumerate(system.transitions[state])]

    return explore(effort, (track,), start, step, lambda q: system.accepting[q])


def flaw(effort: Effort, system: Numeration) -> str:
    """Return in words why ``system`` is no numeration system; "" if it is proved to be one."""
    for find in (_shape, _growth, _zeros, _counts):
        if found := find(effort, system):
            return f"{system}: {found}"
    return ""


def _shape(_: Effort, system: Numeration) -> str:
    states = len(system.transitions)
    rows = all(
        len(r) == system.digits and 0 <= min(r) <= max(r) < states for r in system.transitions
    )
    if system.digits < 2 or len(system.accepting) != states or not states or not rows:
        return "the automaton of representations is not complete"
    return ""


def alternates(system: Numeration) -> bool:
    """Return whether the weights are ``U_(n+2) = a U_(n+1) - U_n``, a at least 2, from two on.

    Where they increase at first, their differences never fall: U_(n+2) - U_(n+1) is U_(n+1) - U_n
    and (a - 2) U_(n+1) more."""
    match system.recurrence:
        case (a, -1):
            return a >= 2 and len(system.initial) == 2
    return False


def _growth(_: Effort, system: Numeration) -> str:
    order = len(system.recurrence)
    natural = order and min(system.recurrence) >= 0
    if not (natural and order <= len(system.initial)) and not alternates(system):
        return "only recurrences with natural coefficients and enough initial values are known"
    # Natural coefficients: the differences satisfy the recurrence too, so they stay positive.
    first = weights(system, len(system.initial) + order + 1)
    if first[0] != 1 or any(u >= v for u, v in pairwise(first)):
        return "the weights do not increase from 1"
    return ""


def _reachable(system: Numeration) -> list[int]:
    found = [0]
    for state in found:
        found.extend(q for q in dict.fromkeys(system.transitions[state]) if q not in found)
    return found


def _zeros(effort: Effort, system: Numeration) -> str:
    every = representations(effort, system, "x")
    after_zero = representations(effort, system, "x", system.transitions[0][0])
    if difference(every, after_zero) is not None:
        return "zeros at the left change what is a representation"
    for state in _reachable(system):
        if not _contains(representations(effort, system, "x", state), every):
            return "the end of a representation is not one"
    return ""


def _contains(inner: Machine, outer: Machine) -> bool:
    pairs = [(0, 0)]
    for p, q in pairs:
        if inner.accepting[p] and not outer.accepting[q]:
            return False
        for symbol, after in inner.rows[p].items():
            # A transition that is kept leads to an accepted word.
            if symbol not in outer.rows[q]:
                return False
            pair = after, outer.rows[q][symbol]
            if pair not in pairs:
                pairs.append(pair)
    return True


def _counts(_: Effort, system: Numeration) -> str:
    states, order = len(system.transitions), len(system.initial)
    enough = states * (states + order) + order
    unit = weights(system, enough)
    counts = [[int(accepts) for accepts in system.accepting]]
    for _n in range(1, enough):
        last = counts[-1]
        counts.append([sum(last[q] for q in row) for row in system.transitions])
    if any(c[0] != u for c, u in zip(counts, unit, strict=True)):
        return "the representations of some length do not number its weight"
    for state in _reachable(system):
        for low, high in combinations(system.transitions[state], 2):
            if any(c[high] and c[low] != u for c, u in zip(counts, unit, strict=True)):
                return "the value of a representation is not its rank"
    return ""

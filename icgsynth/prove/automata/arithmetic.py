"""Proofs that a numeration system and its adder are right, by equalities of automata.

The prefix construction of :mod:`icgsynth.digits.equations` is not taken at its word.  From the
*radix order* of words alone, in which the first difference decides, the next word is defined by
"greater, and nothing in between".  That counting up is adding 1, and that the adder obeys
``x + 0 = x`` and ``x + (y + 1) = (x + y) + 1``, are equalities and inclusions of automata; by
induction the adder adds."""

from __future__ import annotations

from functools import cache

from icgsynth.digits.dfa import DFA, everything
from icgsynth.digits.equations import linear, plain
from icgsynth.digits.functions import less, same, zero
from icgsynth.digits.numeration import Numeration


@cache
def check_arithmetic(system: Numeration) -> tuple[str, ...]:
    """Return the laws of addition that ``system`` breaks, in words; () where all hold."""
    add, following = adder(system), successor(system)
    checks = {
        "each number has one representation": _counts_like_weights(system),
        "the empty word is 0, and the next word is one more": _counts_up(system, following),
        "x + 0 = x": (add & zero(system, "y")) == (same(system, "x", "z") & zero(system, "y")),
        "x + (y + 1) = (x + y) + 1": _steps(system, add, following),
        "a sum exists": add.without(("z",)) == everything(system, ("x", "y")),
        "a sum is unique": ((add & add.renamed({"z": "w"})) - same(system, "w", "z")).is_empty,
    }
    return tuple(claim for claim, holds in checks.items() if not holds)


def adder(system: Numeration) -> DFA:
    """Return the automaton of triples with ``x + y = z`` in ``system``."""
    return linear(plain(system, {"x": 1, "y": 1, "z": -1}), "=", 0)


def successor(system: Numeration) -> DFA:
    """Return the automaton of pairs (a, b) in which b is the next word after a, in radix order."""
    before = less(system, "a", "b")
    between = (less(system, "a", "c") & less(system, "c", "b")).without(("c",))
    return before - between


def _counts_up(system: Numeration, following: DFA) -> bool:
    plus_one = linear(plain(system, {"a": 1, "b": -1}), "=", -1)
    return following == plus_one and system.value(()) == 0


def _steps(system: Numeration, add: DFA, following: DFA) -> bool:
    # From x + y = z to x + (y + 1) = z + 1, one track at a time to keep columns narrow.
    moved = (add & following.renamed({"a": "y", "b": "v"})).without(("y",))
    moved = (moved & following.renamed({"a": "z", "b": "w"})).without(("z",))
    return (moved - add.renamed({"y": "v", "z": "w"})).is_empty


def _counts_like_weights(system: Numeration) -> bool:
    """Return whether, for all n, just U_n words of length n are representations, U_n the weight."""
    # The counts obey a recurrence as long as the automaton has states (Cayley and Hamilton), the
    # weights one of their own; so both together one that is as long as the two, and sequences that
    # agree so far agree for ever.
    states = len(system.transitions)
    ways = [int(accepts) for accepts in system.accepting]
    for n in range(states + len(system.recurrence) + 1):
        if ways[0] != system.weight(n):
            return False
        ways = [sum(ways[q] for q in row) for row in system.transitions]
    return True

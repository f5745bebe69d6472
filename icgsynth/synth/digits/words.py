"""The representations of a numeration system, all of one length at a time, as numpy columns.

The words that can still become representations, in lexicographic order, are numbered 0, 1, ..
for each length; a word is then the word it extends and one more digit.  Those of length i
that are representations are, in the same order, those of 0 .. ``U_i`` - 1: the order of words
is the order of numbers (Frougny, Math. Systems Theory 25 (1992)).  So what an automaton says
of all numbers of a box is computed length by length, each word from the word it extends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.numeration import Numeration


@dataclass(frozen=True, eq=False)
class Validity:
    """The automaton of a system's representations: ``transitions`` (states, digits) integers,
    ``accepting`` and ``live`` (states,) bool; a state is live if a representation can follow.
    """

    transitions: NDArray[np.intp]
    accepting: NDArray[np.bool_]
    live: NDArray[np.bool_]

    @staticmethod
    def of(system: Numeration) -> Validity:
        transitions = np.array(system.transitions, np.intp)
        accepting = np.array(system.accepting, np.bool_)
        live = accepting
        for _ in accepting:
            live = live | live[transitions].any(axis=1)
        return Validity(transitions, accepting, live)

    @property
    def is_trivial(self) -> bool:
        """Whether every word is a representation, as in base k."""
        return bool(self.accepting.all())


@dataclass(frozen=True, eq=False)
class Extensions:
    """The words of one length: word i is word ``parent[i]``, one shorter, and ``digit[i]``.

    ``numbers`` are the words that are representations: ``numbers[v]`` represents v.
    """

    parent: NDArray[np.intp]
    digit: NDArray[np.intp]
    numbers: NDArray[np.intp]

    def cut(self, count: int) -> Extensions:
        """Only the representations of 0 .. ``count`` - 1, numbered so."""
        kept = self.numbers[:count]
        return Extensions(self.parent[kept], self.digit[kept], np.arange(len(kept)))


def extensions(validity: Validity, length: int) -> tuple[Extensions, ...]:
    """The words of lengths 1 .. ``length``; the word of length 0 is number 0."""
    steps = []
    states = np.zeros(1, np.intp)
    for _ in range(length):
        after = validity.transitions[states]
        parent, digit = np.nonzero(validity.live[after])
        states = after[parent, digit]
        steps.append(Extensions(parent, digit, np.flatnonzero(validity.accepting[states])))
    return tuple(steps)

"""Compile ground rules into programs over rows of bits, in an order in which to evaluate them.

Every atom that matters has a row; a program is a list of rules over rows, cut into segments. A
segment of atoms that depend on each other through positive conditions is repeated until nothing
changes; any other segment is run once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.board_kernels import evaluate
from icgsynth.boards.finite.datalog import components
from icgsynth.digits.arrays import Words
from icgsynth.errors import Refused

ALWAYS, NEVER = 0, 1
"""The row of atoms that hold in every state, and the row of atoms that hold in none."""

Rules = Mapping[int, Sequence[tuple[int, ...]]]


@dataclass(frozen=True, eq=False)
class Program:
    """Ground rules as arrays, ready to evaluate: r rules, l conditions and s segments.

    ``head`` (r,) row; ``first`` (r + 1,) into ``body`` (l,), entries ``2 * row + negated``;
    ``segments`` (s, 3): first rule, last rule + 1, whether to repeat.
    """

    head: NDArray[np.int32]
    first: NDArray[np.int64]
    body: NDArray[np.int32]
    segments: NDArray[np.int64]

    def run(self, slices: Words) -> None:
        """Evaluate the rules on ``slices`` (rows, w), in place: each row has the bits of an atom,
        bit b of word j for the state 64 j + b."""
        evaluate(slices, slices.shape[1], self.head, self.first, self.body, self.segments)


@dataclass(frozen=True, eq=False)
class Circuit:
    """Ground rules compiled to two programs: ``state`` reads facts only, ``move`` also the moves.

    ``row`` of each atom that matters; rows 2 .. 2 + inputs - 1 are the inputs in the order given.
    """

    rows: int
    row: dict[int, int]
    state: Program
    move: Program

    def slices(self, count: int) -> Words:
        """Return zeroed rows of bits for ``count`` states (rows, w), with the row ALWAYS set."""
        slices = np.zeros((self.rows, (count + 63) // 64), np.uint64)
        slices[ALWAYS] = ~np.uint64(0)
        return slices


def circuit_of(
    rules: Rules, inputs: Sequence[int], moves: Iterable[int], outputs: Iterable[int], name: str
) -> Circuit:
    """Compile ground ``rules``, bodies by head atom, into a circuit that computes ``outputs``.

    In a body a negative number is a negated atom; atom 0 always holds.  ``inputs`` are the atoms
    set from outside, ``moves`` those of them that are moves; ``name`` is the game's, for messages.
    :class:`~icgsynth.errors.Refused` where an atom depends on its own negation.
    """
    row = {0: ALWAYS} | {atom: place + 2 for place, atom in enumerate(inputs)}
    count = len(row) + 1
    moved = set(moves)
    programs: tuple[list[_Segment], list[_Segment]] = ([], [])
    given = set(inputs) | {0}
    for group in components(
        lambda atom: _below(rules, atom, given), [atom for atom in outputs if atom not in given]
    ):
        # A component after all that it depends on: only its own rows are not known by then.
        members = set(group)
        simple = _drop_certain(group, rules, members, row, name)
        depends = any(
            abs(part) in moved for bodies in simple.values() for b in bodies for part in b
        )
        repeat = False
        for atom in group:
            # No body: never derived. An empty body: always. Neither needs a row of its own.
            bodies = simple[atom]
            if not bodies or () in bodies:
                row[atom] = ALWAYS if bodies else NEVER
                continue
            row[atom] = count
            count += 1
            repeat |= any(abs(part) in members for body in bodies for part in body)
            if depends:
                moved.add(atom)
        # Atoms that a move decides, directly or through others, go into the second program.
        written = [(row[a], body) for a in group if row[a] > NEVER for body in sorted(simple[a])]
        if written:
            programs[depends].append((repeat, [(h, _literals(b, row)) for h, b in written]))
    return Circuit(count, row, _program(programs[0]), _program(programs[1]))


_Segment = tuple[bool, list[tuple[int, list[int]]]]


def _literals(body: tuple[int, ...], row: dict[int, int]) -> list[int]:
    return [2 * row[abs(part)] + (part < 0) for part in body]


def _drop_certain(
    group: list[int], rules: Rules, members: set[int], row: dict[int, int], name: str
) -> dict[int, set[tuple[int, ...]]]:
    """Return the rules' bodies by atom of ``group``, a component of the atoms' dependency graph,
    without conditions that always hold and bodies that never do, as the ``row`` of an atom tells.
    ``members`` is ``group`` as a set. Refused, with ``name``, where one depends on its negation."""
    # An atom that is certain makes others certain: repeated until nothing changes.
    constant = {atom: r for atom, r in row.items() if r <= NEVER} if len(group) > 1 else row
    known: dict[int, int] = {}
    found: dict[int, set[tuple[int, ...]]] = {}
    settled = False
    while not settled:
        settled = True
        for atom in group:
            if atom in known:
                continue
            bodies: set[tuple[int, ...]] = set()
            for body in rules.get(atom, ()):
                kept = []
                for part in sorted(set(body)):
                    inner = abs(part)
                    # An undecided atom of this component: a "not" here would close a circle.
                    if inner in members and inner not in known:
                        if part < 0:
                            raise Refused(
                                f"{name}: the rules are not stratified: an atom depends on its "
                                "own negation"
                            )
                        kept.append(part)
                        continue
                    value = known.get(inner, constant.get(inner, 2))
                    if value > NEVER:
                        kept.append(part)
                    # A condition that never holds voids the rule; one that always does goes.
                    elif (value == ALWAYS) == (part < 0):
                        break
                else:
                    # A body that contradicts itself or holds its own head changes no least model.
                    if not any(-part in kept for part in kept):
                        bodies.add(tuple(kept))
            bodies = {body for body in bodies if atom not in body}
            found[atom] = bodies
            if not bodies or () in bodies:
                known[atom] = ALWAYS if bodies else NEVER
                settled = False
    return found


def _below(rules: Rules, atom: int, inputs: set[int]) -> list[int]:
    found = {abs(part) for body in rules.get(atom, ()) for part in body}
    return sorted(found - inputs)


def _program(segments: list[_Segment]) -> Program:
    head: list[int] = []
    first = [0]
    body: list[int] = []
    cuts: list[tuple[int, int, int]] = []
    for repeat, rules in segments:
        begin = len(head)
        for row, parts in rules:
            head.append(row)
            body.extend(parts)
            first.append(len(body))
        # Two segments in a row that run once are one segment.
        if cuts and not repeat and not cuts[-1][2]:
            cuts[-1] = (cuts[-1][0], len(head), 0)
        else:
            cuts.append((begin, len(head), int(repeat)))
    return Program(
        np.array(head, np.int32),
        np.array(first, np.int64),
        np.array(body, np.int32),
        np.array(cuts, np.int64).reshape(-1, 3),
    )

"""Semi-ground actions as candidates: where each applies, and where it wins.

They are mined from the winning moves of sample states (:mod:`icgsynth.synth.linear.mined`).  For
each, two bit vectors over the states say where it *applies* and where it *wins* (applies and
leads to a losing state), computed from the rules and the losing formula for many terms at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.int64 import FARTHEST
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns
from icgsynth.synth.linear.mined import MinedGroup, Tuples, groups, windows
from icgsynth.synth.linear.parameters import Base, simple_bases
from icgsynth.synth.linear.points import goal_points
from icgsynth.synth.linear.winning_moves import winning_moves

_POOL = 140  # groups of one action that become candidates
_SIMPLE = {1: 400, 2: 14, 3: 5}  # bases for one parameter, by the number of parameters


@dataclass(frozen=True, slots=True)
class CandidateAction:
    """``applies`` and ``wins``: shape (n,), over the states that were asked about."""

    act: SemiGroundAction
    applies: Flags
    wins: Flags

    @property
    def weight(self) -> int:
        """Return the cost for a strategy of naming this action."""
        return 4 + self.act.size


def candidates(
    game: ParametricGame,
    losing: t.Formula,
    states: Ints,
    wanted: Flags,
    budget: Budget,
    aims: Sequence[t.Formula] = (),
    reach: int | None = None,
) -> list[CandidateAction]:
    """Return actions that win in some ``wanted`` state, simplest first, one a pair of vectors.

    They move from ``states`` (n, d) to states where ``losing`` holds; ``wanted`` is (n,).  ``aims``
    are for :func:`~icgsynth.synth.linear.points.goal_points`; ``reach`` is the largest number that
    is added to a base.
    """
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    rings = windows(states)
    rows = np.flatnonzero(wanted)
    found: list[CandidateAction] = []
    for action in game.actions:
        budget.check()
        moves = winning_moves(game, losing, action, states, rows, budget)
        if not len(moves):
            continue
        tuples = _tuples(game, losing, action, aims, env)
        chosen = [MinedGroup((), ())]
        if action.parameters:
            chosen = groups(moves, tuples, rings, _POOL, reach)
        acts = [_act(action, tuples, group) for group in chosen]
        found += evaluate(game, losing, action, acts, env)
    return _distinct(c for c in found if (c.wins & wanted).any())


def extend(
    game: ParametricGame, losing: t.Formula, known: Sequence[CandidateAction], states: Ints
) -> list[CandidateAction]:
    """The ``known`` candidates over more states, which follow the old ones."""
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    more: list[CandidateAction] = []
    for action in game.actions:
        own = [c for c in known if c.act.action == action.name]
        if not own:
            continue
        acts = [c.act for c in own]
        more += [
            CandidateAction(
                old.act,
                np.concatenate([old.applies, new.applies]),
                np.concatenate([old.wins, new.wins]),
            )
            for old, new in zip(own, evaluate(game, losing, action, acts, env), strict=True)
        ]
    return sorted(more, key=lambda c: c.weight)


def _distinct(found: Iterable[CandidateAction]) -> list[CandidateAction]:
    """The lightest of those that behave alike; no printing, for there are many."""
    seen: dict[tuple[str, bytes, bytes], CandidateAction] = {}
    for candidate in sorted(found, key=lambda c: c.weight):
        key = (candidate.act.action, candidate.applies.tobytes(), candidate.wins.tobytes())
        seen.setdefault(key, candidate)
    return list(seen.values())


def _act(action: Action, tuples: Tuples, group: MinedGroup) -> SemiGroundAction:
    terms = (tuples.bases[b].at(c) for b, c in zip(group.bases, group.offsets, strict=True))
    return SemiGroundAction(action.name, tuple(zip(action.parameters, terms, strict=True)))


def _tuples(
    game: ParametricGame,
    losing: t.Formula,
    action: Action,
    aims: Sequence[t.Formula],
    env: dict[str, NDArray[Any]],
) -> Tuples:
    """The tuples of bases that the winning moves of ``action`` are compared with."""
    table = _Table(env)
    count = len(action.parameters)
    if count == 0:
        return table.tuples([])
    own = list(dict.fromkeys(table.add(b) for b in simple_bases(game, losing)))
    chosen = list(product(own[: _SIMPLE.get(count, 3)], repeat=count))
    chosen += (tuple(map(table.add, bases)) for bases in goal_points(game, losing, action, aims))
    return table.tuples(list(dict.fromkeys(chosen)))


class _Table:
    """Bases with their values over the states; those that differ by a constant are one."""

    def __init__(self, env: dict[str, NDArray[Any]]) -> None:
        self.env = env
        self.count = len(next(iter(env.values())))
        self.bases: list[Base] = []
        self.values: list[Ints] = []
        self._too_large: set[int] = set()
        self._places: dict[Base, int] = {}
        self._alike: dict[tuple[bytes, int], int] = {}

    def add(self, base: Base) -> int:
        """Return the place of ``base``, or of one before it that differs by a constant at most."""
        if base not in self._places:
            self._places[base] = self._place(base)
        return self._places[base]

    def _place(self, base: Base) -> int:
        values = np.array(np.broadcast_to(columns(base.term, self.env), (self.count,)))
        place = len(self.bases)
        if np.abs(values).max(initial=0) > FARTHEST:
            self._too_large.add(place)
            values = np.zeros(self.count, np.int64)
        else:
            values = values.astype(np.int64)
            first = values % base.modulus if base.modulus else values - values[:1]
            place = self._alike.setdefault((first.tobytes(), base.modulus), place)
        if place == len(self.bases):
            self.bases.append(base)
            self.values.append(values)
        return place

    def tuples(self, chosen: Sequence[tuple[int, ...]]) -> Tuples:
        """Those of ``chosen`` whose values fit 64 bits."""
        kept = [places for places in chosen if self._too_large.isdisjoint(places)]
        values = np.stack(self.values) if self.values else np.zeros((0, self.count), np.int64)
        return Tuples(self.bases, values, np.array(kept, dtype=np.int64))


def evaluate(
    game: ParametricGame,
    losing: t.Formula,
    action: Action,
    acts: Sequence[SemiGroundAction],
    env: Mapping[str, NDArray[Any]],
) -> list[CandidateAction]:
    """Return where each of ``acts`` of ``action`` applies and wins; ``env`` has columns (n,)."""
    if not acts:
        return []
    shape = (len(acts), len(next(iter(env.values()))))
    full = {v: column[None] for v, column in env.items()}
    given = [dict(act.arguments) for act in acts]
    for parameter in action.parameters:
        values = (columns(terms[parameter], env) for terms in given)
        full[parameter] = np.stack([np.broadcast_to(each, shape[1:]) for each in values])
    after = game.after(action)
    there = {v: np.broadcast_to(columns(after[v], full), shape) for v in game.variables}
    applies = np.array(
        np.broadcast_to(
            ~np.asarray(columns(game.end, full), dtype=bool)
            & columns(action.precondition, full)
            & columns(game.legal, there),
            shape,
        )
    )
    wins = applies.copy()
    wins[applies] = columns(losing, {v: column[applies] for v, column in there.items()})
    return [CandidateAction(a, applies[i], wins[i]) for i, a in enumerate(acts)]

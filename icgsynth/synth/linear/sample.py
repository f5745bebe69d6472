"""The sample on which a strategy is searched: goal, states, and actions that win in some.

Semi-ground actions are mined from the winning moves of the states
(:mod:`icgsynth.synth.linear.mined`).  For each, two bit vectors over the states say where it
*applies* and where it *wins* (applies and leads to a losing state), computed from the rules and the
losing formula for many terms at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints, spread
from icgsynth.digits.int64 import FARTHEST
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, integers, negation, size
from icgsynth.logic.evaluate import columns, on_states
from icgsynth.synth.linear.literals import Literals
from icgsynth.synth.linear.mined import MinedGroup, Tuples, groups, windows, winning_moves
from icgsynth.synth.linear.points import Base, goal_points, simple_bases

if TYPE_CHECKING:
    from icgsynth.synth.linear.vocabulary import Vocabulary

_POOL = 140  # most groups of one action that become candidates
_SIMPLE = {1: 400, 2: 14, 3: 5}  # bases for one parameter, by the number of parameters


@dataclass(frozen=True, slots=True)
class CandidateAction:
    """A semi-ground action, with flags (n,) of the states where it ``applies`` and ``wins``."""

    act: SemiGroundAction
    applies: Flags
    wins: Flags

    @property
    def weight(self) -> int:
        """The cost of this action in a strategy: the leaves of its arguments, and a constant."""
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
    """Return semi-ground actions (moves with terms over the state as arguments) that win in some
    state flagged in ``wanted`` (n,), the simplest first; one of those alike on ``states`` (n, d).

    To win is to lead to a state where ``losing`` holds.  ``aims`` are for
    :func:`~icgsynth.synth.linear.points.goal_points`; ``reach`` is the most that is added to a
    term."""
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
    """Return the actions ``known``, the lightest first, with flags for further ``states`` (m, d)
    appended to their flags where they apply and win."""
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
    """Return of candidates with equal action name and flags the lightest; all sorted by weight."""
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
    """Return tuples of bases (terms up to a constant), one for each parameter of ``action``, with
    their values in the states; ``env`` has the column (n,) of each variable."""
    table = _Table(env)
    count = len(action.parameters)
    if count == 0:
        return table.tuples([])
    own = list(dict.fromkeys(table.add(b) for b in simple_bases(game, losing)))
    chosen = list(product(own[: _SIMPLE.get(count, 3)], repeat=count))
    chosen += (tuple(map(table.add, bases)) for bases in goal_points(game, losing, action, aims))
    return table.tuples(list(dict.fromkeys(chosen)))


class _Table:
    """A table of bases with values over the states; bases that differ by a constant are one."""

    def __init__(self, env: dict[str, NDArray[Any]]) -> None:
        self.env = env
        self.count = len(next(iter(env.values())))
        self.bases: list[Base] = []
        self.values: list[Ints] = []
        self._too_large: set[int] = set()
        self._places: dict[Base, int] = {}
        self._alike: dict[tuple[bytes, int], int] = {}

    def add(self, base: Base) -> int:
        """Add ``base``; return its index, or that of a base that is equal but for a constant."""
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
        """Return ``chosen``, tuples of indices of bases, with the values of the bases, without
        tuples that have a base with values past 64 bits."""
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
    """Return ``acts``, moves of ``action``, each with flags (n,) of the states where it applies,
    and where it leads to a state of ``losing``; ``env`` has the column (n,) of each variable."""
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


_ROWS = 60_000  # most literals of one size
_LEAVES = 3  # most leaves of a literal in a cell
_RAYS = 40  # states from which the sample is continued outwards
_FACTORS = (3, 11)  # how many times farther out the sample is continued
_NOISE = 12  # numbers added so that farther states are not all in one residue class
_LONG = 40  # leaves above which a losing formula is long
_BATCH = 200  # states that join the sample at once
_SMALL = 13  # largest integer of a short condition
_FARTHEST = 2**50  # largest coordinate, so that computations fit 64 bits


@dataclass(frozen=True)
class Goal:
    """The goal of a strategy: the game, the rule, the winning and the losing formula.  ``ended``
    holds exactly where a legal state has no move."""

    game: ParametricGame
    rule: PlayRule
    winning: t.Formula
    losing: t.Formula
    ended: t.Formula

    @property
    def domain(self) -> t.Formula:
        """The formula of states that need a move: won ones, under misère play those with a move."""
        if self.rule == "normal":
            return self.winning
        return conjunction((self.winning, negation(self.ended)))

    @property
    def is_long(self) -> bool:
        """Whether the losing formula is so long that conditions of actions can only be long as
        well: weakest preconditions, so that no others are searched."""
        return size(self.losing) > _LONG

    @property
    def constants_up_to(self) -> int:
        """The largest integer for conditions: one above losing formula and rules, up to 61."""
        given = [c for c in integers(self.losing) | self.game.integers if c <= 60]
        return max([4, *given]) + 1


@dataclass(frozen=True)
class StateSample:
    """The ``states`` (n, d) on which a strategy is searched, with data computed over them.
    ``mined`` are candidates found earlier over the first of the states; ``tree`` is a proved
    fast-and-frugal tree, once there is one; ``reserve`` (m, d) are further states."""

    goal: Goal
    states: Ints
    budget: Budget
    mined: Sequence[CandidateAction] = field(default=(), repr=False)
    tree: tuple[Rule, ...] | None = None
    reserve: Ints | None = field(default=None, repr=False)

    def holds(self, formula: t.Formula) -> Flags:
        """Return whether ``formula`` holds in each sample state, shape (n,)."""
        return on_states(formula, self.goal.game.variables, self.states)

    @cached_property
    def domain(self) -> Flags:
        return self.holds(self.goal.domain)

    @property
    def is_aiming(self) -> bool:
        """Whether the losing formula is a disjunction, and each part of it has an equation."""
        losing = self.goal.losing
        return isinstance(losing, t.Or) and all(map(_has_equation, losing.args))

    @cached_property
    def candidates(self) -> list[CandidateAction]:
        """The moves, with terms as arguments, that win in some sample state, simplest first."""
        goal = self.goal
        known: list[CandidateAction] = []
        if self.mined:
            start = len(self.mined[0].wins)
            if start == len(self.states):
                return list(self.mined)
            known = extend(goal.game, goal.losing, self.mined, self.states[start:])
            won = np.logical_or.reduce([c.wins for c in known])
            if not (self.domain & ~won).any():
                return known
        # Some state is won by no known action: mine once more, with that state.
        found = candidates(goal.game, goal.losing, self.states, self.domain, self.budget)
        acts = {c.act for c in found}
        found += [c for c in known if c.act not in acts]
        return sorted(found, key=lambda c: c.weight)

    def wins(self, act: SemiGroundAction) -> Flags:
        """Return flags (n,) of the states in which ``act`` applies and leads to a losing state."""
        return self.candidate(act).wins

    def candidate(self, act: SemiGroundAction) -> CandidateAction:
        """Return ``act`` with flags (n,) of the sample states where it applies, and wins."""
        game = self.goal.game
        env = dict(zip(game.variables, self.states.T, strict=True))
        return evaluate(game, self.goal.losing, game.action(act.action), [act], env)[0]

    @cached_property
    def literals(self) -> Literals:
        return Literals(self.states, self.goal.constants_up_to, _ROWS, self.budget)

    @cached_property
    def terse(self) -> Literals:
        """The literals with small integers only, for frequent searches of short conditions."""
        few = min(self.goal.constants_up_to, _SMALL)
        if few == self.goal.constants_up_to:
            return self.literals
        return Literals(self.states, few, _ROWS, self.budget)

    @cached_property
    def words(self) -> Vocabulary:
        """The vocabulary of literals of a few leaves, to make conjunctions of."""
        from icgsynth.synth.linear.vocabulary import of_sizes

        return of_sizes(self.literals, _LEAVES)

    def with_state(self, state: Sequence[int]) -> StateSample:
        """Return the sample with ``state`` and the legal states one step beside it, which show
        sharp boundaries; this sample itself if it has them all, or if the state is too far out."""
        if any(abs(x) > _FARTHEST for x in state):
            return self
        point = np.array(state, dtype=np.int64)
        unit = np.eye(len(point), dtype=np.int64)
        near = np.vstack([point[None], point + unit, point - unit])
        legal = on_states(self.goal.game.legal, self.goal.game.variables, near)
        old = {s.tobytes() for s in self.states}
        fresh = [s for s in near[legal] if s.tobytes() not in old]
        if not fresh:
            return self
        return self._with(np.array(fresh))

    def with_reserve(self, acts: Sequence[SemiGroundAction]) -> StateSample:
        """Return the sample with some of the reserve states that need a move and where none of
        ``acts`` wins; this sample itself if there are none."""
        goal, reserve = self.goal, self.reserve
        if reserve is None or not len(reserve):
            return self
        there = StateSample(goal, reserve, self.budget)
        rows = np.flatnonzero(there.domain)
        for act in acts:
            self.budget.check()
            rows = rows[~StateSample(goal, reserve[rows], self.budget).wins(act)]
        if not len(rows):
            return self
        return self._with(reserve[rows[:: max(1, len(rows) // _BATCH)]])

    def _with(self, fresh: Ints) -> StateSample:
        states = np.vstack([self.states, fresh])
        return StateSample(self.goal, states, self.budget, self.candidates, reserve=self.reserve)

    def farther(self) -> StateSample:
        """Return the sample with states added that are rough multiples of its own, farther out.  In
        a box many actions for small patches do as well as a general action; farther out they do
        not.  States that no candidate wins are left out: no moves are mined from them, and the
        prover will find what is missing."""
        goal, old = self.goal, self.states
        if not len(old) or not self.candidates:
            return self
        reach = np.abs(old).max(axis=0)
        grows = reach * 2 >= reach.max()  # others may be bounded by the rules
        some = old[:: max(1, len(old) // _RAYS)]
        noise = spread(some.size).reshape(some.shape) % _NOISE
        scaled = [np.where(grows, some * factor + noise, some) for factor in _FACTORS]
        states = np.vstack([old, *scaled])
        whole = StateSample(goal, states, self.budget)
        candidates = extend(goal.game, goal.losing, self.candidates, states[len(old) :])
        won = np.logical_or.reduce([c.wins for c in candidates])
        kept = np.arange(len(states)) < len(old)
        kept |= whole.holds(goal.game.legal) & (won | ~whole.domain)
        taken = [CandidateAction(c.act, c.applies[kept], c.wins[kept]) for c in candidates]
        return StateSample(goal, states[kept], self.budget, taken, reserve=self.reserve)

    def with_tree(self, tree: tuple[Rule, ...]) -> StateSample:
        """Return the sample with ``tree`` as its proved fast-and-frugal tree."""
        return replace(self, tree=tree, mined=self.candidates)


def _has_equation(cell: t.Formula) -> bool:
    parts = cell.args if isinstance(cell, t.And) else (cell,)
    return any(isinstance(p, t.Compare) and p.ops == ("=",) for p in parts)

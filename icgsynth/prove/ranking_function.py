"""Termination: a lexicographic linear ranking function, synthesised and proved.

Each component is a linear function of the state (where the variables alone do not suffice, of
their absolute values and differences as well) that is bounded below wherever a move
exists, never increases along the moves that all earlier components leave equal, and
decreases along some of them; when no such move is left, every play ends.  Weights are
searched by size against sampled moves; the solver proves a candidate or returns a move
that it fails on, which becomes a sample (counterexample-guided synthesis of lexicographic
linear ranking functions; Bradley, Manna and Sipma, CAV 2005, is the classic account).
Once a candidate has failed, moves from small states are samples too: they cost less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from math import gcd
from random import Random

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.game.game import Action, Move, ParametricGame
from icgsynth.logic.evaluate import value
from icgsynth.logic.simplify import linear_sum
from icgsynth.logic.term import (
    Abs,
    Compare,
    Formula,
    Int,
    Name,
    Neg,
    Sum,
    Term,
    substitute,
)
from icgsynth.prove.deciders import decide

__all__ = ["NO_MOVES", "Ranking", "find_ranking"]

Weights = tuple[int, ...]
_COMPONENTS = 6  # of one ranking
_ATTEMPTS = 60  # weight vectors put to the deciders for one component
_SMALL = range(6)  # coordinates and parameters of sampled moves
_STATES, _MOVES = 40, 8  # sampled; moves are tried of each action


@dataclass(frozen=True, slots=True)
class Ranking:
    """Components in order of precedence; each with a lower bound on states that have a move."""

    components: tuple[Term, ...]
    bounds: tuple[int, ...]

    def __str__(self) -> str:
        shown = [str(c) for c in self.components]
        return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"

    @property
    def claim(self) -> str:
        """What it says of every move."""
        return "no action ever applies" if self == NO_MOVES else f"{self} decreases with every move"


# Where no action ever applies, a constant decreases with every move: there is none.
NO_MOVES = Ranking((Int(0),), (0,))


def find_ranking(game: ParametricGame, budget: Budget) -> Ranking | None:
    """A ranking function with its proof done, or None where none was found."""
    for basis in (_variables(game), _with_distances(game)):
        try:
            found = _find(_Search(game, budget, basis))
        except _Unknown:
            continue
        if found is not None:
            return found
    return None


def _find(search: _Search) -> Ranking | None:
    components: list[Term] = []
    bounds: list[int] = []
    for _ in range(_COMPONENTS):
        found = search.component()
        if found is None:
            return None
        components.append(found[0])
        bounds.append(found[1])
        if not search.advance(found[0]):
            return Ranking(tuple(components), tuple(bounds))
    return None


@dataclass
class _Search:
    """The moves still to be ranked: those along which all earlier components are equal."""

    game: ParametricGame
    budget: Budget
    basis: tuple[Term, ...]
    equal: dict[str, list[Formula]] = field(default_factory=dict)
    samples: dict[str, list[Weights]] = field(default_factory=dict)
    constant: list[Weights] = field(default_factory=list)  # along all open moves

    def __post_init__(self) -> None:
        self.equal = {action.name: [] for action in self.game.actions}
        self.samples = {name: [] for name in self.equal}
        self.candidates = list(_weights(len(self.basis), len(self.game.variables)))

    @cached_property
    def walks(self) -> dict[str, set[Weights]]:
        """How much the basis drops along some moves from small states."""
        rng, found = Random(0), {action.name: set[Weights]() for action in self.game.actions}
        for _ in range(_STATES):
            here = tuple(rng.choices(_SMALL, k=len(self.game.variables)))
            # Quantifiers, and what is divided by 0, have no value: such rules give no samples.
            with suppress(ValueError, ZeroDivisionError):
                if self.budget.is_spent or not self.game.is_legal(here):
                    continue
                for action in self.game.actions * _MOVES:
                    move = Move(
                        action.name, tuple((p, rng.choice(_SMALL)) for p in action.parameters)
                    )
                    if self.game.applies(here, move):
                        states = map(self.game.env, (here, self.game.result(here, move)))
                        found[action.name].add(self._drops(*states))
        return found

    def component(self) -> tuple[Term, int] | None:
        """The next component: never increasing on the open moves, decreasing on some."""
        rejected: set[Weights] = set()
        for _ in range(_ATTEMPTS):
            if self.budget.is_spent:
                return None
            weights = self._best(rejected)
            if weights is None:
                return None
            term = linear_sum(dict(zip(self.basis, weights, strict=True)))
            if self._increases(term):
                self._walk()
                continue
            is_constant = not self._decreases(term)
            bound = None if is_constant else self._lower_bound(term)
            if is_constant or bound is not None:
                self.constant.append(weights)
            if bound is not None:
                return term, bound
            rejected.add(weights)
        return None

    def _walk(self) -> None:
        """Take the moves from small states as samples, those that are still open."""
        for name, known in self.samples.items():
            fresh = self.walks[name].difference(known)
            known += sorted(x for x in fresh if not np.any(self._constants @ x))

    @property
    def _constants(self) -> NDArray[np.object_]:
        """(count, basis): the weights that leave every open move as it is."""
        return np.array(self.constant, object).reshape(-1, len(self.basis))

    def _best(self, rejected: set[Weights]) -> Weights | None:
        """Decreasing on most actions by the samples, no sum of constant ones; small ones first."""
        weights = np.array(self.candidates, object)
        strict = np.zeros(len(weights), np.int64)
        for deltas in self.samples.values():
            drops = weights @ np.array(deltas, object).reshape(-1, len(self.basis)).T
            strict += (drops > 0).all(axis=1)
            strict[(drops < 0).any(axis=1)] = -len(self.samples) - 1
        strict[[i for i, w in enumerate(self.candidates) if w in rejected]] = -1
        numbers, constant = weights.astype(float), self._constants.astype(float)
        spanning = np.linalg.qr(constant.T)[0]
        strict[np.isclose(numbers @ spanning @ spanning.T, numbers).all(axis=1)] = -1
        best = int(strict.argmax())
        return self.candidates[best] if strict[best] >= 0 else None

    def _drop(self, term: Term, action: Action) -> Term:
        """How much ``term`` decreases along ``action``."""
        there = substitute(term, self.game.after(action))
        return Sum((term, Neg(there)))

    def _open_move(self, action: Action, *more: Formula) -> dict[str, int] | None:
        """An open move with ``more``; None where there is none.  Raises on unknown."""
        parts = (self.game.legal, self.game.applicable(action), *self.equal[action.name], *more)
        names = (*self.game.variables, *action.parameters)
        answer = decide(parts, names, self.budget)
        if answer.kind == "unknown":
            raise _Unknown
        return dict(answer.model) if answer.model is not None else None

    def _sample(self, action: Action, model: dict[str, int]) -> None:
        after = {v: value(t, model) for v, t in self.game.after(action).items()}
        self.samples[action.name].append(self._drops(model, after))

    def _drops(self, here: Mapping[str, int], there: Mapping[str, int]) -> Weights:
        """How much each term of the basis drops from one state to the other."""
        return tuple(value(b, here) - value(b, there) for b in self.basis)

    def _increases(self, term: Term) -> bool:
        found = False
        for name in list(self.equal):
            action = self.game.action(name)
            model = self._open_move(action, _compare(self._drop(term, action), "<", 0))
            if model is not None:
                self._sample(action, model)
                found = True
        return found

    def _decreases(self, term: Term) -> bool:
        """Whether some open move makes ``term`` smaller: without, it is no progress."""
        return any(
            self._open_move(action, _compare(self._drop(term, action), ">", 0)) is not None
            for action in map(self.game.action, self.equal)
        )

    def _lower_bound(self, term: Term) -> int | None:
        """A number that ``term`` is never below where there is a move; small ones first."""
        bound = 0
        for _ in range(5):
            below = self._least(term, bound)
            if below is None:
                return bound
            bound = 4 * below - 16
        # Rules with large numbers may have a bound as large.
        bound, near = -4 * sum(map(abs, self.game.integers)) - 16, bound
        return bound if bound < near and self._least(term, bound) is None else None

    def _least(self, term: Term, bound: int) -> int | None:
        """A value of ``term`` below the bound, at an open move; None where there is none."""
        lower = _compare(term, "<", bound)
        models = (self._open_move(self.game.action(n), lower) for n in self.equal)
        return min((value(term, model) for model in models if model is not None), default=None)

    def advance(self, term: Term) -> bool:
        """Keep only the moves along which ``term`` stays equal; False when none is left."""
        for name in list(self.equal):
            action = self.game.action(name)
            self.equal[name].append(_compare(self._drop(term, action), "=", 0))
            model = self._open_move(action)
            if model is None:
                del self.equal[name], self.samples[name]
            else:
                self.samples[name] = []
                self._sample(action, model)
        return bool(self.equal)


class _Unknown(Exception):
    """The solver could not tell."""


def _compare(term: Term, op: str, number: int) -> Formula:
    return Compare((term, Int(number)), (op,))


def _variables(game: ParametricGame) -> tuple[Term, ...]:
    return tuple(Name(v) for v in game.variables)


def _with_distances(game: ParametricGame) -> tuple[Term, ...]:
    """The variables, their absolute values, and the distances between any two."""
    names = [Name(v) for v in game.variables]
    distances = [Abs(Sum((x, Neg(y)))) for x, y in combinations(names, 2)]
    return (*names, *(Abs(x) for x in names), *distances)


def _weights(count: int, variables: int) -> Iterator[Weights]:
    """Weight vectors, small ones first; the plain sum of the variables before all others.

    Twice a vector does what the vector does, and is left out.
    """
    plain = (1,) * variables + (0,) * (count - variables)
    if count > variables:
        yield from _sparse(count, variables)
        return
    reach = {1: 1, 2: 4, 3: 3, 4: 2}.get(count, 1)
    vectors = set(product(range(-reach, reach + 1), repeat=count)) if count < 9 else set()
    if 3 < count < 7:
        vectors |= set(product(range(4), repeat=count))
    vectors |= {tuple(range(1, count + 1)), tuple(range(count, 0, -1))}
    vectors = {w for w in vectors if gcd(*w) == 1} - {plain}
    yield plain
    yield from sorted(vectors, key=lambda w: (sum(map(abs, w)), sum(x < 0 for x in w), w))


def _sparse(count: int, variables: int) -> Iterator[Weights]:
    """Up to three of a large basis, and all of its distances."""
    for support in (1, 2, 3):
        for chosen in combinations(range(count), support):
            yield tuple(int(i in chosen) for i in range(count))
    if count > 2 * variables:
        yield tuple(int(i >= 2 * variables) for i in range(count))

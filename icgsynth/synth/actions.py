"""Semi-ground actions: parameter terms by size, and where each action with them wins.

For every action and every tuple of small terms, two bit vectors over sample states say
where it *applies* and where it *wins* (applies and leads to a losing state).  Both are
computed from the rules and the losing formula, for all terms at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.evaluate import columns
from icgsynth.game import Action, ParametricGame
from icgsynth.simplify import simplified_term
from icgsynth.strategy import SemiGroundAction
from icgsynth.synth.parameters import aimed_terms, small_terms
from icgsynth.term import Formula, Term, size, substitute

__all__ = ["Candidate", "candidates"]

_CELLS = 3_000_000  # states times term tuples evaluated at once
_OTHERS = 12  # terms tried for one parameter while another aims at the losing states


@dataclass(frozen=True, slots=True)
class Candidate:
    """``applies`` and ``wins``: shape (n,), over the states that were asked about."""

    act: SemiGroundAction
    applies: NDArray[np.bool_]
    wins: NDArray[np.bool_]

    @property
    def weight(self) -> int:
        """What it costs a strategy to name this action."""
        return 4 + self.act.size


def candidates(
    game: ParametricGame, losing: Formula, states: NDArray[np.int64], wanted: NDArray[np.bool_]
) -> list[Candidate]:
    """Those that win in some ``wanted`` state; simplest first, one for each pair of vectors."""
    terms = list(small_terms(game, losing))
    found: dict[tuple[str, bytes, bytes], Candidate] = {}
    for action in game.actions:
        for candidate in _of_action(game, losing, action, terms, states):
            if (candidate.wins & wanted).any():
                key = (action.name, candidate.applies.tobytes(), candidate.wins.tobytes())
                if key not in found:
                    found[key] = candidate
    return sorted(found.values(), key=lambda c: (c.weight, str(c.act)))


def _of_action(
    game: ParametricGame,
    losing: Formula,
    action: Action,
    terms: Sequence[Term],
    states: NDArray[np.int64],
) -> Iterator[Candidate]:
    count = len(action.parameters)
    env = {v: states[None, :, i] for i, v in enumerate(game.variables)}
    if count == 0:
        yield from _evaluated(game, losing, action, [()], env)
        return
    solved = list(aimed_terms(game, losing, action))
    if count == 1:
        terms = sorted([*terms, *(term for _, term in solved)], key=size)
    affordable = int((_CELLS / max(1, len(states))) ** (1 / count))
    chosen = _distinct(terms, env, max(4, affordable))
    tuples = list(product(chosen, repeat=count))
    if count > 1:
        tuples += _aimed_tuples(action, chosen, solved, env)
    step = max(1, _CELLS // max(1, len(states)))
    for start in range(0, len(tuples), step):
        yield from _evaluated(game, losing, action, tuples[start : start + step], env)


def _aimed_tuples(
    action: Action,
    chosen: Sequence[tuple[Term, NDArray[Any]]],
    solved: Sequence[tuple[str, Term]],
    env: dict[str, NDArray[Any]],
) -> list[tuple[tuple[Term, NDArray[Any]], ...]]:
    """One parameter aims at the losing states, the others are among the simplest terms."""
    tuples = []
    shape = next(iter(env.values())).shape
    others = len(action.parameters) - 1
    few = chosen[: {1: _OTHERS, 2: 6}.get(others, 3)]
    for aiming, term in solved:
        for rest in product(few, repeat=others):
            given = dict(zip((p for p in action.parameters if p != aiming), rest, strict=True))
            by = {p: t for p, (t, _) in given.items()}
            aimed = simplified_term(substitute(term, by))  # type: ignore[arg-type]
            values = np.broadcast_to(columns(aimed, env), shape)
            given[aiming] = (aimed, values)
            tuples.append(tuple(given[p] for p in action.parameters))
    return tuples


def _distinct(
    terms: Sequence[Term], env: dict[str, NDArray[Any]], most: int
) -> list[tuple[Term, NDArray[Any]]]:
    """The first ``most`` terms that differ somewhere, with their values (1, n)."""
    seen: dict[bytes, tuple[Term, NDArray[Any]]] = {}
    shape = next(iter(env.values())).shape
    for term in terms:
        values = np.ascontiguousarray(np.broadcast_to(columns(term, env), shape))
        seen.setdefault(values.tobytes(), (term, values))
        if len(seen) >= most:
            break
    return list(seen.values())


def _evaluated(
    game: ParametricGame,
    losing: Formula,
    action: Action,
    tuples: Sequence[tuple[tuple[Term, NDArray[Any]], ...]],
    env: dict[str, NDArray[Any]],
) -> Iterator[Candidate]:
    """Where each tuple applies and wins; the work is done on (tuples, states) arrays."""
    full = dict(env)
    for i, parameter in enumerate(action.parameters):
        full[parameter] = np.concatenate([t[i][1] for t in tuples])
    shape = (len(tuples), next(iter(env.values())).shape[1])
    after = game.after(action)
    there = {v: np.broadcast_to(columns(after[v], full), shape) for v in game.variables}
    applies = np.broadcast_to(
        columns(game.end, env).__invert__()
        & columns(action.precondition, full)
        & columns(game.legal, there),
        shape,
    )
    wins = applies & columns(losing, there)
    for row, chosen in enumerate(tuples):
        if wins[row].any():
            arguments = tuple(zip(action.parameters, (t for t, _ in chosen), strict=True))
            yield Candidate(SemiGroundAction(action.name, arguments), applies[row], wins[row])

"""Semi-ground actions: parameter terms by size, and where each action with them wins.

For every action and every tuple of small terms, two bit vectors over sample states say
where it *applies* and where it *wins* (applies and leads to a losing state).  Both are
computed from the rules and the losing formula, for all terms at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.evaluate import columns
from icgsynth.game import Action, ParametricGame
from icgsynth.strategy import SemiGroundAction
from icgsynth.term import (
    Div,
    Formula,
    Int,
    Max,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Sum,
    Term,
    integers,
    size,
    walk,
)

__all__ = ["Candidate", "candidates"]

_CELLS = 3_000_000  # states times term tuples evaluated at once
_OFFSETS = 12  # integers tried as offsets


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
    terms = list(_terms(game, losing))
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
    affordable = int((_CELLS / max(1, len(states))) ** (1 / count))
    chosen = _distinct(terms, env, max(4, affordable))
    tuples = list(product(chosen, repeat=count))
    step = max(1, _CELLS // max(1, len(states)))
    for start in range(0, len(tuples), step):
        yield from _evaluated(game, losing, action, tuples[start : start + step], env)


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


# --- parameter terms ---------------------------------------------------------------


def _terms(game: ParametricGame, losing: Formula) -> Iterator[Term]:
    """Terms over the variables and the integers at hand, by size."""
    offsets = _offsets(game, losing)
    moduli = sorted(_moduli(losing) | {m for f in game.formulas() for m in _moduli(f)})
    names = [Name(v) for v in game.variables]
    buckets: dict[int, list[Term]] = {}
    for term in _all_terms(names, offsets, moduli):
        buckets.setdefault(size(term), []).append(term)
    for s in sorted(buckets):
        yield from buckets[s]


def _all_terms(names: list[Name], offsets: list[int], moduli: list[int]) -> Iterator[Term]:
    bases: list[Term] = [*names]
    for x, y in combinations(names, 2):
        bases += [Sum((x, Neg(y))), Sum((y, Neg(x))), Sum((x, y))]
    for c in offsets:
        yield Int(c)
    for base in bases:
        yield base
        for c in offsets:
            if c:
                yield _plus(base, -c)
                yield _plus(base, c)
    for x in names:
        for c in offsets:
            if c:
                yield Sum((Int(c), Neg(x)))
    for x, y in combinations(names, 2):
        yield Min(x, y)
        yield Max(x, y)
    for x, y, z in combinations(names, 3):
        for one, two, three in ((x, y, z), (y, x, z), (z, x, y)):
            yield Sum((one, Neg(two), Neg(three)))
            yield Sum((two, three, Neg(one)))
            yield Sum((one, Neg(Max(two, three))))
            yield Sum((one, Neg(Min(two, three))))
        yield Sum((x, y, z))
    for x in names:
        yield Mul(Int(2), x)
        for divisor in (2, 3):
            yield Div(x, Int(divisor))
            yield Div(_plus(x, 1), Int(divisor))
    for x, y in combinations(names, 2):
        for a, b in ((x, y), (y, x)):
            yield Div(Sum((a, Neg(b))), Int(2))
            yield Div(Sum((a, Neg(b), Int(1))), Int(2))
            yield Sum((a, Neg(Mul(Int(2), b))))
    for modulus in moduli:
        for base in bases:
            yield Mod(base, Int(modulus))
            for c in range(1, min(modulus, 60)):
                yield Mod(_plus(base, c if 2 * c <= modulus else c - modulus), Int(modulus))
            yield Sum((Mod(base, Int(modulus)), Int(1)))
        for x in names:
            for c in range(min(modulus, 60)):
                yield Mod(Sum((Int(c), Neg(x))) if c else Neg(x), Int(modulus))


def _plus(base: Term, number: int) -> Term:
    head = base.args if isinstance(base, Sum) else (base,)
    return Sum((*head, Int(number)))


def _offsets(game: ParametricGame, losing: Formula) -> list[int]:
    """Small integers and those of the rules and the formula, with their neighbours."""
    given = sorted(game.integers | integers(losing))
    near = [c + d for c in given for d in (0, -1, 1) if c + d >= 0]
    ordered = dict.fromkeys([1, 0, 2, 3, *given, *near])
    return list(ordered)[: _OFFSETS + len(given)]


def _moduli(formula: Any) -> set[int]:
    return {
        n.divisor.value for n in walk(formula) if isinstance(n, Mod) and isinstance(n.divisor, Int)
    }

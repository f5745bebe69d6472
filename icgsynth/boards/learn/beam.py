"""Beam search for weak constraints, one for each level from the most important; tolerates noise.

A state of the search is a list of constraints and the moves that survive them in each example. A
level is worth what share of the examples it settles: all survivors good counts 1, a mixture counts
the share of good ones, no good survivor counts less than nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.learn.bias import Bias
from icgsynth.boards.learn.candidates import Candidates
from icgsynth.boards.learn.minimal import FoundHypothesis, Status, list_violated, penalty_of
from icgsynth.boards.learn.problem import Problem
from icgsynth.boards.learn.weak import Constraint
from icgsynth.budget import Progress, silent

_DEAD = 2.0  # the cost of an example in which no good move survives
_PER_LITERAL = 1e-3
_ENDLESS = np.int32(np.iinfo(np.int32).max)  # greater than every cost


class _Path(NamedTuple):
    score: float
    chosen: tuple[int, ...]
    alive: NDArray[np.bool_]


def beam(
    problem: Problem,
    offered: Candidates,
    bias: Bias,
    seconds: float = 60.0,
    width: int = 20,
    progress: Progress = silent,
    accept: Callable[[tuple[Constraint, ...]], bool] | None = None,
) -> FoundHypothesis:
    """Return the best hypothesis that beam search finds, with one weak constraint on each level.

    The constraints are those ``offered``, within the limits of ``bias``; ``width`` paths stay on
    each level.  Examples count by their penalties, if any.  The search ends at the first hypothesis
    that ``accept`` accepts or, without it, that breaks no example; at any rate after ``seconds``.
    It is no proof of anything: ``certified`` is false."""
    begun = time.monotonic()
    rows, good = _table(problem)
    weight = np.array([max(g.penalty, 1) for g in problem.groups], float)
    weight /= max(weight.sum(), 1.0)
    signed = _sign(offered, bias, rows)
    if not len(signed.number):
        return _without_a_cue(problem, offered)
    levels = min(bias.levels, bias.rules or bias.levels)
    lengths = np.array([offered.constraints[c].length for c in signed.number])
    paths = [_Path(0.0, (), rows >= 0)]
    best = _Path(-np.inf, (), rows >= 0)
    level = 0
    while level < levels and time.monotonic() - begun < seconds:
        level += 1
        following: dict[bytes, _Path] = {}  # of paths that leave the same moves alive, the best
        for path in paths:
            alive = _survivors(signed.cost, path.alive)
            right, dead = _judge(alive, good)
            value = (right - _DEAD * dead) @ weight
            score = value - _PER_LITERAL * (lengths + sum(lengths[list(path.chosen)]))
            for at in np.argsort(-score, kind="stable")[: 2 * width]:
                key = alive[at].tobytes()
                if key not in following or following[key].score < score[at]:
                    following[key] = _Path(float(score[at]), (*path.chosen, int(at)), alive[at])
        paths = sorted(following.values(), key=lambda path: -path.score)[:width]
        progress(f"level {level}: {_share(paths[0].alive, good):.1%} of the examples settled")
        if paths[0].score > best.score:
            best = paths[0]
        if accept is not None:
            taken = next((p for p in paths if accept(_rules(p, signed, offered))), None)
            if taken is not None:
                best = taken
                break
        elif _share(best.alive, good) == 1.0:
            break
    rules = _rules(best, signed, offered)
    numbers = signed.number[list(best.chosen)]
    weights = signed.weight[list(best.chosen), None]
    cost = weights * offered.cost[numbers].astype(np.int64)
    broken = list_violated(problem.groups, cost)
    spent = time.monotonic() - begun
    penalty = penalty_of(problem.groups, broken)
    return FoundHypothesis(
        "found", rules, False, level, len(rows), len(broken), spent, penalty=penalty
    )


def _without_a_cue(problem: Problem, offered: Candidates) -> FoundHypothesis:
    """Return the result where no candidate tells two moves apart: "none" (proved) or "unknown"."""
    count = len(problem.groups)
    hopeless = offered.complete and any(not group.penalty for group in problem.groups)
    status: Status = "none" if hopeless else "unknown"
    return FoundHypothesis(status, (), False, 0, count, count, 0.0)


def _rules(path: _Path, signed: _Signed, offered: Candidates) -> tuple[Constraint, ...]:
    rules = []
    for place, at in enumerate(path.chosen):
        base = offered.constraints[signed.number[at]]
        weight = base.weight * int(signed.weight[at])
        rules.append(replace(base, weight=weight, level=len(path.chosen) - place))
    return tuple(rules)


def _table(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return each example's moves (examples, most moves), as rows of ``problem.states``, -1 past
    the last one, and a mask of the good ones in the same shape."""
    listed = []
    for group in problem.groups:
        best = list(dict.fromkeys(a for pairs in group.alternatives for a, _ in pairs))
        worse = list(dict.fromkeys(b for pairs in group.alternatives for _, b in pairs))
        listed.append((best, [b for b in worse if b not in set(best)]))
    most = max((len(a) + len(b) for a, b in listed), default=1)
    rows = np.full((len(listed), most), -1, np.int64)
    good = np.zeros((len(listed), most), bool)
    for i, (best, worse) in enumerate(listed):
        rows[i, : len(best) + len(worse)] = best + worse
        good[i, : len(best)] = True
    return rows, good


class _Signed(NamedTuple):
    """Candidate constraints with weights, and each one's ``cost`` (c, examples, moves), least 0."""

    number: NDArray[np.int64]
    weight: NDArray[np.int64]
    cost: NDArray[np.int32]


def _sign(offered: Candidates, bias: Bias, rows: NDArray[np.int64]) -> _Signed:
    valid = rows >= 0
    numbers, weights, columns = [], [], []
    # A constraint is alone on its level, so only the order of its costs counts: of all positive
    # weights one is as good as the others, and of all negative ones.
    either: dict[int, int] = {}  # of each sign the least weight: on a level alone all do as much
    for weight in sorted(filter(None, bias.weights), key=abs):
        either.setdefault(1 if weight > 0 else -1, weight)
    seen: set[bytes] = set()
    for number in range(len(offered.constraints)):
        values = offered.cost[number][rows]
        for sign, weight in either.items():
            cost = sign * values
            # Costs less the least of the example: constraints that prefer the same moves have the
            # same column, of which the first is kept. One that prefers none is no use.
            least = np.where(valid, cost, _ENDLESS).min(axis=1, keepdims=True)
            column = np.where(valid, cost - least, 0).astype(np.int32)
            if not column.any() or (key := column.tobytes()) in seen:
                continue
            seen.add(key)
            numbers.append(number)
            weights.append(weight)
            columns.append(column)
    shape = (len(columns), *rows.shape)
    return _Signed(
        np.array(numbers, np.int64),
        np.array(weights, np.int64),
        np.array(columns, np.int32).reshape(shape),
    )


def _survivors(cost: NDArray[np.int32], alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the moves ``alive`` (examples, moves) have the least ``cost`` in their
    example. Both ``cost`` and the result are (candidates, examples, moves)."""
    shown = np.where(alive[None], cost, _ENDLESS)
    return np.asarray((shown == shown.min(axis=2, keepdims=True)) & alive[None])


def _judge(
    alive: NDArray[np.bool_], good: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return (c, examples): the share of ``good`` moves among those ``alive``, and where it is 0.
    ``good`` is (examples, moves), ``alive`` (c, examples, moves) for c candidates."""
    left = (alive & good[None]).sum(axis=2)
    return left / np.maximum(alive.sum(axis=2), 1), left == 0


def _share(alive: NDArray[np.bool_], good: NDArray[np.bool_]) -> float:
    """Return the share (0 to 1) of examples, rows of ``alive``, in which no bad move is left."""
    return float((alive & ~good).any(axis=1).__invert__().mean())

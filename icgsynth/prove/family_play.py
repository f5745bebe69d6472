"""Members of a family played through on a box: a claim about all of them is refuted there first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.labels import LOSING, label
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import on_states
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers, without_quantifiers
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.prove.recheck.plain import holds

__all__ = ["is_member", "play_member", "small_members"]

_SIDES = {1: 60, 2: 14}  # the largest coordinate of the box, for so many variables
_SIDE = 6  # for more of them
_GRID = {1: 200, 2: 30, 3: 8, 4: 5}  # the largest small constant, for so many constants
_MOST = 50_000  # members looked at
_LEAST = -2  # the smallest


def is_member(range_: t.Formula, constants: Mapping[str, int]) -> bool:
    """Whether the constants satisfy ``range_``, all divisors of which are not 0 there."""
    try:
        return holds(range_, constants)
    except ZeroDivisionError:
        return False


def small_members(range_: t.Formula, names: Sequence[str]) -> Iterator[dict[str, int]]:
    """The constants of members with small constants, the smallest first."""
    most = _GRID.get(len(names), 1)
    grid = islice(product(range(most, _LEAST - 1, -1), repeat=len(names)), _MOST)
    for numbers in sorted(grid, key=lambda drawn: (sum(map(abs, drawn)), drawn)):
        constants = dict(zip(names, numbers, strict=True))
        if is_member(range_, constants):
            yield constants


def play_member(
    solution: Solution, constants: Mapping[str, int], budget: Budget
) -> tuple[int, dict[str, int] | None]:
    """How many states of the member were labelled, and the first that the formula is wrong at.

    No state where the member cannot be played through in time.
    """
    try:
        member = put_constants(solution, (), constants).solution
        if member.losing is None:
            return 0, None
        game = eliminate_quantifiers(member.game, budget)
        losing = without_quantifiers(member.losing.formula, budget)
        box = Box.of(game, _SIDES.get(len(game.variables), _SIDE))
        if not box.cells:
            return 0, None
        labels = label(game, box, solution.rule, budget=budget)
    except (Refused, BudgetSpent, ZeroDivisionError):
        return 0, None
    says = on_states(losing, game.variables, labels.states)
    wrong = np.flatnonzero(labels.known & (says != (labels.outcome == LOSING)))
    if not len(wrong):
        return int(labels.known.sum()), None
    sizes = np.abs(labels.states[wrong]).sum(axis=1)
    state = labels.states[wrong[np.argmin(sizes)]]
    return int(labels.known.sum()), game.env(tuple(map(int, state)))

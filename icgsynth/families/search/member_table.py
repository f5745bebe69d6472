"""A table of the labelled states of some members of a family, with the constants as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import InputError, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.families.proof.families import is_member
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import on_states
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.spec.icg_spec import Spec

_STATES = 400  # states of a member
_FARTHEST = 60  # the largest coordinate in the box of a member
_MEMBERS = 40
_LARGE = 1_000_000  # constants from there on tell nothing in boxes so small
_MORE_MEMBERS = 150  # members of a larger grid
_LARGER = {1: 20, 2: 12, 3: 10, 4: 9}  # the largest constant of a larger grid, by how many are free
_LARGEST = {1: 12, 2: 7, 3: 4}  # the largest constant of a small grid, by how many are free


@dataclass(frozen=True)
class GameFamily:
    """The games of ``spec`` whose ``free`` constants satisfy ``range_``, played by ``rule``.

    ``overrides`` are the values of other constants; the rest keep their defaults."""

    spec: Spec
    free: tuple[str, ...]
    range_: t.Formula
    rule: PlayRule = "normal"
    overrides: tuple[tuple[str, int], ...] = ()

    @cached_property
    def written(self) -> ParametricGame:
        """The rules with the free constants as the first variables, without the range."""
        return self.spec.members(self.free, dict(self.overrides))

    @cached_property
    def game(self) -> ParametricGame:
        """All members as one game: the range is a part of what is legal."""
        return replace(self.written, legal=conjunction((self.range_, self.written.legal)))

    def without_quantifiers(self, budget: Budget) -> GameFamily:
        """Return the family with quantifier-free rules, which have the ``free`` constants alone.
        :class:`~icgsynth.errors.BudgetSpent` or :class:`~icgsynth.errors.Refused` where such rules
        are not found, as where a quantifier binds a factor of a constant."""
        if not self.written.is_quantified:
            return self
        plain = eliminate_quantifiers(self.written, budget)
        spec = replace(
            self.spec,
            constants=tuple((name, t.Int(1)) for name in self.free),
            legal=plain.legal,
            end=plain.end,
            actions=plain.actions,
        )
        return replace(self, spec=spec, overrides=())

    def includes(self, constants: Mapping[str, int]) -> bool:
        """Return whether the family has a member with these values of the free ``constants``."""
        return is_member(self.range_, constants)

    def member(self, constants: Mapping[str, int]) -> ParametricGame:
        """Return the game of one member; :class:`~icgsynth.errors.InputError` if there is none."""
        return self.spec.game(dict(self.overrides) | dict(constants))


def small_members(family: GameFamily) -> list[dict[str, int]]:
    """Return at most 40 members of ``family``: dicts of constants, from 0 up, the least first."""
    return _members(family, _LARGEST.get(len(family.free), 2))[:_MEMBERS]


def large_grid(family: GameFamily) -> list[dict[str, int]]:
    """Return at most 150 members of ``family``, as :func:`small_members` does, up to larger
    constants: so that even three or four constants all differ."""
    return _members(family, _LARGER.get(len(family.free), 3))[:_MORE_MEMBERS]


def _members(family: GameFamily, largest: int) -> list[dict[str, int]]:
    numbers = sorted(product(range(largest + 1), repeat=len(family.free)), key=sum)
    found = (dict(zip(family.free, each, strict=True)) for each in numbers)
    return [constants for constants in found if family.includes(constants)]


@dataclass(frozen=True, eq=False)
class MemberTable:
    """Labelled states of members: ``rows`` (n, names), int64, the constants first.

    ``losing`` and ``moving`` (n,): where the player to move loses, and where there is a move.
    ``bounds`` are the boxes of the members: no coordinate is past the bound."""

    family: GameFamily
    rows: NDArray[np.int64]
    losing: NDArray[np.bool_]
    moving: NDArray[np.bool_]
    bounds: Mapping[tuple[int, ...], int]

    @staticmethod
    def of(family: GameFamily, grid: Iterable[Mapping[str, int]], budget: Budget) -> MemberTable:
        """Return the table of those members in ``grid`` that ``family`` has, in small boxes."""
        width = len(family.game.variables)
        none = np.zeros(0, dtype=bool)
        table = MemberTable(family, np.zeros((0, width), np.int64), none, none, {})
        for constants in grid:
            if family.includes(constants):
                table = table.with_member(constants, 0, budget)
        return table

    def with_member(self, constants: Mapping[str, int], reach: int, budget: Budget) -> MemberTable:
        """Return the table with the states of one member more, in a box up to ``reach`` or more;
        the table itself if no state is new or can be labelled, or a constant is a million or more.
        :class:`~icgsynth.errors.BudgetSpent` where the labels take too long."""
        family, values = self.family, tuple(constants[name] for name in self.family.free)
        if any(abs(value) >= _LARGE for value in values):
            return self
        try:
            game = family.member(constants)
            # A member that is in the table with a smaller box is labelled again, and replaces its
            # own rows.
            bound = max(reach, _find_bound(game))
            if self.bounds.get(values, -1) >= bound:
                return self
            labels = label(game, Box.of(game, bound), family.rule, budget=budget)
        except (InputError, Refused):
            return self
        # States whose outcome depends on moves out of the box are left out: no label is guessed.
        known, count = labels.known, len(values)
        states = labels.states[known]
        rows = np.hstack([np.tile(np.array(values, np.int64), (len(states), 1)), states])
        other = (self.rows[:, :count] != np.array(values)).any(axis=1)
        return replace(
            self,
            rows=np.concatenate([self.rows[other], rows]),
            losing=np.concatenate([self.losing[other], labels.outcome[known] == LOSING]),
            moving=np.concatenate([self.moving[other], ~labels.ending[known]]),
            bounds={**self.bounds, values: bound},
        )

    def where(self, condition: t.Formula) -> MemberTable:
        """Return the table of the rows on which ``condition`` holds."""
        kept = self.values(condition).astype(bool)
        parts = (self.rows[kept], self.losing[kept], self.moving[kept])
        return replace(self, rows=parts[0], losing=parts[1], moving=parts[2])

    def values(self, node: t.Node) -> NDArray[np.int64]:
        """Return the values of a term or formula on every row, shape (n,)."""
        return on_states(node, self.family.game.variables, self.rows)


def _find_bound(game: ParametricGame) -> int:
    """Return up to which coordinate a box of ``game`` is labelled: 400 if it then has at most 400
    states, else the largest number from 2 to 60 with which it has at most 400, or else 2."""
    if Box.of(game, _STATES).cells <= _STATES:
        return _STATES
    bound = _FARTHEST
    while bound > 2 and Box.of(game, bound).cells > _STATES:
        bound -= 1
    return bound

"""Tables of a solved game: states and moves by row, and the lookup of a state by its facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena import Arena
from icgsynth.digits.arrays import pack
from icgsynth.errors import InputError
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier

_G_co = TypeVar("_G_co", covariant=True)


@dataclass(frozen=True, eq=False)
class ArenaTable(Generic[_G_co]):
    """All states and moves of an arena without symmetry, with the states as the game's own tuples.

    Row i of ``states`` (n, words) is row i of ``arena`` as ``game`` has it; from row 0 there is
    a move, else :class:`~icgsynth.errors.Refused`.
    """

    game: _G_co
    arena: Arena
    states: NDArray[Any]

    def __post_init__(self) -> None:
        self.arena.require_move()

    @property
    def source(self) -> NDArray[np.int64]:
        """The row of the state in which each move is made (m,), in ascending order."""
        return self.arena.source

    @cached_property
    def row(self) -> dict[State, int]:
        """A dictionary from each state to its row."""
        return {tuple(words): i for i, words in enumerate(self.states.tolist())}

    def state_at(self, row: int) -> State:
        """Return the state in ``row`` of the arena, as a tuple of the game."""
        return tuple(map(int, self.states[row]))

    def move_at(self, move: int) -> Move:
        """Return the move of the game that has the index ``move`` in the arena."""
        return Move(self.arena.action_name(move))

    def mask(self, strategy: Strategy[Tier[Any]]) -> NDArray[np.bool_]:
        """Return a mask (m,) of the moves that ``strategy`` keeps in each state of the arena. Its
        tiers filter the moves left in turn; the first that keeps any decides, unless it
        ``narrows``: then the next ones filter these.  Where no tier keeps a move, all are kept."""
        source = self.source
        still, decided = np.ones(len(source), bool), np.zeros(int(source[-1]) + 1, bool)
        for tier in strategy:
            kept = self.mask_of_tier(tier, still) & still
            some = np.zeros_like(decided)
            some[source[kept]] = True
            some &= ~decided
            still &= kept | ~some[source]
            if not tier.narrows:
                decided |= some
        return still

    def mask_of_tier(self, tier: Tier[Any], still: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a mask (m,): the moves of ``still`` (m,) that ``tier``, a strategy's step, keeps.
        A tier's own method ``mask`` is called where it has one; else ``keep``, state by state."""
        if (fast := getattr(tier, "mask", None)) is not None:
            known: NDArray[np.bool_] = fast(self, still)
            return known
        kept = np.zeros_like(still)
        rows = groupby(np.flatnonzero(still).tolist(), lambda move: int(self.source[move]))
        for row, span in rows:
            numbers = {self.move_at(move): move for move in span}
            for move in tier.keep(self.game, self.state_at(row), tuple(numbers)):
                kept[numbers[move]] = True
        return kept


class MoveWorth(NamedTuple):
    """The worth of a move to its player: ``value`` 1 is a win, 0 a draw, -1 a loss, None unknown.

    ``plies`` to the end, the move counted; None where not known, or where play need not end.
    """

    move: Move
    value: int | None
    plies: int | None


class Lookup:
    """Finds the row of a state in an arena from the state's facts, up to the arena's symmetries."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._bit = {name: i for i, name in enumerate(arena.literals)}
        self._rows = {row.tobytes(): i for i, row in enumerate(arena.states)}

    def row(self, facts: Iterable[str]) -> tuple[int, int]:
        """Return the row that stands for the state with ``facts``, and a group element's index.
        The element maps the state to that of the row.  Facts that are no literal are passed over;
        :class:`InputError` for a state that play does not reach."""
        arena = self._arena
        known = np.array([self._bit[fact] for fact in facts if fact in self._bit], np.int64)
        moved = arena.literal_images[:, known].astype(np.int64)
        truth = np.zeros((len(moved), len(arena.literals)), bool)
        np.put_along_axis(truth, moved, True, axis=1)
        words = pack(truth)
        for element, image in enumerate(words):
            row = self._rows.get(image.tobytes())
            if row is not None:
                return row, element
        raise InputError(f"play of {arena.name} does not reach this state", mend="start elsewhere")

    def worths(self, facts: Iterable[str]) -> list[MoveWorth]:
        """Return the worth of each move in the state with ``facts``, in the game's order."""
        arena = self._arena
        row, element = self.row(facts)
        called = self._call(element)
        moves = [(called[int(arena.action[move])], move) for move in arena.moves_of(row)]
        if element:
            moves.sort()
        sign, found = -1 if arena.mover[row] == 1 else 1, []
        for action, move in moves:
            after = arena.target[move]
            value, plies = sign * int(arena.value[after]), int(arena.distance[after]) + 1
            found.append(MoveWorth(Move(arena.actions[action]), value, plies or None))
        return found

    def name(self, facts: Iterable[str], move: int) -> str:
        """Return the name in the state with ``facts`` of the arena's move of index ``move``."""
        action = self._call(self.row(facts)[1])[int(self._arena.action[move])]
        return self._arena.actions[action]

    def _call(self, element: int) -> dict[int, int]:
        """Return a dictionary from each action b to the action a that ``element``, an index of the
        group, maps to b: a is made in the state looked up, b in the row's, to which it maps."""
        images = self._arena.action_images[element]
        return {int(image): action for action, image in enumerate(images)}

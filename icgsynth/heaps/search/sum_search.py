"""Solve a sum of games, each different component once, and look up winning moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from icgsynth.budget import Budget, Progress
from icgsynth.errors import Refused
from icgsynth.game.game import Move, State
from icgsynth.heaps.rules.game_sum import Lowering, PartAnswer, PartGame, SumAnswer, SumState
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heaps import HeapAnswer
from icgsynth.heaps.search.heap_mover import row_move
from icgsynth.heaps.search.nim_search import HeapSearch

if TYPE_CHECKING:
    from icgsynth.synth.values.game_mover import GameMover

_SECONDS = 20.0  # for one winning move


class SumSearch:
    """The search for the values of the components of a sum.

    ``position``, where it is given, is the only one that matters, with those after it: of heaps, no
    values past its largest are looked for, and small states need no function. ``for_file``
    functions are looked for all the same, each with its strategy. ``found`` has the answers.
    """

    def __init__(
        self,
        parts: Sequence[PartGame],
        budget: Budget,
        position: SumState | None = None,
        progress: Progress = lambda _: None,
        for_file: bool = False,
    ) -> None:
        self.parts = tuple(parts)
        self.budget = budget
        self.progress = progress
        self.found: dict[PartGame, PartAnswer] = {}
        self._position = position
        self._for_file = for_file

    def run(self) -> SumAnswer:
        """Return the answer; a component without a proof has what is known of it."""
        different = tuple(dict.fromkeys(self.parts))
        for index, part in enumerate(different):
            self.progress(part.name)
            self.found[part] = self._solve(part, self.budget.share(1 / (len(different) - index)))
        return self.unknown("")

    def unknown(self, why: str) -> SumAnswer:
        """Return the answers known so far; ``why`` says why the others are missing."""
        answers = (self.found.get(part) or _unknown(part, why) for part in self.parts)
        return SumAnswer(tuple(answers), self.budget.runtime)

    def _solve(self, part: PartGame, budget: Budget) -> PartAnswer:
        states = self._states(part)
        if isinstance(part, HeapRows):
            largest = max((heap for row in states for heap in row), default=0)
            # A move only makes heaps smaller: no value past the largest heap is needed.
            at = None if self._position is None else largest
            return HeapSearch(part.code, None, budget, at, self.progress).run()
        # Imported here, for a sum of heaps needs no deciders of arithmetic.
        from icgsynth.synth.values.grundy_search import grundy
        from icgsynth.synth.values.state_values import known_at

        known = known_at(part, states, budget) if states and not self._for_file else None
        return known or grundy(part, budget, self.progress, self._for_file)

    def _states(self, part: PartGame) -> list[State]:
        rows = zip(self.parts, self._position or (), strict=False)
        return [state for other, state in rows if other == part]


def _unknown(part: PartGame, why: str) -> PartAnswer:
    if isinstance(part, HeapRows):
        return HeapSearch(part.code, None, Budget(0.0)).unknown(why)
    from icgsynth.synth.values.grundy_search import nothing_known

    return nothing_known(part, why)


def winning_move(answer: SumAnswer, position: SumState) -> tuple[int, Move]:
    """Return a winning move from ``position``: the index of its component, and the move there.
    :class:`~icgsynth.errors.Refused` where there is none, or none is found."""
    if (found := SumMover(answer).find(position)) is None:
        raise Refused("no component has a winning move")
    aim, move = found
    return aim.place, move


class SumMover:
    """Finds winning moves in the positions of one sum; what it builds for that is kept."""

    def __init__(self, answer: SumAnswer) -> None:
        self.answer = answer
        self._movers: dict[PartGame, GameMover] = {}

    def find(self, position: SumState) -> tuple[Lowering, Move] | None:
        """Return (aim, move) of a winning move from ``position``; None in a lost position.
        :class:`~icgsynth.errors.Refused` where there is a winning move and none is found."""
        aims, budget = list(self.answer.aims(position)), Budget(_SECONDS)
        for aim in aims:
            if (move := self._move(position, aim, budget)) is not None:
                return aim, move
        if aims:
            raise Refused("a winning move exists, and none is found in time")
        return None

    def _move(self, position: SumState, aim: Lowering, budget: Budget) -> Move | None:
        part, state = self.answer.parts[aim.place], position[aim.place]
        if isinstance(part, HeapAnswer):
            return row_move(part, state, aim.target)
        if part.game not in self._movers:
            from icgsynth.synth.values.game_mover import GameMover

            self._movers[part.game] = GameMover(part)
        return self._movers[part.game].move(state, aim.target, budget)

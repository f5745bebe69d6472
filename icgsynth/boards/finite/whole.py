"""Solve a finite game in all its states: from rules to an arena, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import NamedTuple

from icgsynth.boards.finite.arena import SYMMETRY, Arena, arena_of_board
from icgsynth.boards.finite.board import Board, board_of
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.finite.explore import MAX_STATES
from icgsynth.boards.finite.grounder import GROUNDING, ground
from icgsynth.boards.finite.outcome import (
    PlayOutcome,
    outcome_by_line,
    outcome_by_plans,
    outcome_from,
)
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.symmetry import symmetry_of
from icgsynth.boards.rules.finite import read_finite
from icgsynth.budget import UNBOUNDED, Budget, Progress, silent
from icgsynth.errors import OutOfReach
from icgsynth.spec.source import Source

_SHARE = 0.5  # share of a budget for grounding, where that is more than GROUNDING
_WHOLE = {True: 0.8, False: 0.6}  # shares of the time for solving all states, for one role, for
# two: a line is often found in seconds, a strategy may take as long as all states
_STEP = """(role p) (init (at 0)) (<= (legal p go) (true (at 0)))
(<= (next (at 1)) (does p go)) (<= terminal (true (at 1))) (goal p 100)"""


class Whole(NamedTuple):
    """The result of solving a game: its name, and the role that wins from the start, or "draw"."""

    game: str
    winner: str


class SolvingTable:
    """The process of solving one game: ground its rules, explore its states and solve them.

    ``steps`` tells how far it is; ``OutOfReach`` which step was too large for the ``budget``.
    """

    def __init__(
        self,
        rules: Rulebook | Encoding,
        budget: Budget = UNBOUNDED,
        progress: Progress = silent,
        steps: WorkSteps | None = None,
    ) -> None:
        self.rules, self.budget, self.progress = rules, budget, progress
        self.steps = WorkSteps(rules.name) if steps is None else steps

    def board(self) -> Board:
        """Ground and compile the rules, anew at each call, within a share of the budget."""
        left = self.budget.remaining()
        seconds = GROUNDING if left == inf else min(left, max(GROUNDING, left * _SHARE))
        with self._words():
            found = ground(self.rules, seconds=seconds, steps=self.steps)
            self.steps.begin("compiling", lambda: f"{len(found.rules):,} ground rules")
            return board_of(found)

    def outcome(self, board: Board) -> PlayOutcome:
        """Return who wins from the initial state of ``board``, by all its states if not too many.
        If they are too many: by a line to the best goal, for one role, or by strategies, for two.
        :class:`OutOfReach` where that fails, too."""
        alone = len(board.roles) == 1
        try:
            return outcome_from(board, self.arena(board, share=_WHOLE[alone]))
        except OutOfReach as spent:
            why = str(spent)
        # Outside the except clause the explored states are freed: a search needs their memory.
        # Few games are too large for all states, and others need not load what follows.
        if alone:
            from icgsynth.boards.finite.puzzle_line import find_line

            if line := find_line(board, budget=self.budget):
                return outcome_by_line(board, line)
            raise OutOfReach(why)
        from icgsynth.boards.finite.proof_numbers import MAX_MET, find_forced

        symmetry = symmetry_of(board, seconds=min(SYMMETRY, self.budget.remaining() * _SHARE))
        try:
            found = find_forced(board, symmetry, MAX_MET, self.budget, self.progress, self.steps)
        except OutOfReach:
            raise OutOfReach(why) from None
        return outcome_by_plans(board, found)

    def arena(
        self, board: Board, symmetric: bool = True, most: int = MAX_STATES, share: float = 1
    ) -> Arena:
        """Explore and solve the states that play reaches from the initial state of ``board``.
        ``most`` limits the states, ``share`` the part of what is left of the budget.  If
        ``symmetric``, one state stands for all its symmetric images."""
        left = self.budget.remaining() * share
        with self._words():
            return arena_of_board(board, symmetric, most, left, self.progress, self.steps)

    @contextmanager
    def _words(self) -> Iterator[None]:
        """Raise an :class:`OutOfReach` of the with-block anew, with all steps in its message."""
        try:
            yield
        except OutOfReach as spent:
            why = str(spent).removeprefix(f"{self.rules.name}: ")
            raise OutOfReach(self.steps.too_large(why)) from None


def warm(progress: Progress) -> None:
    """Compile the machine code for finite games ahead, by solving a game of one move."""
    _arena(Source("one step", _STEP), UNBOUNDED, progress)


def solve_whole(source: Source, seconds: float) -> Whole:
    """Solve the game whose rules are in ``source``, within ``seconds``; return name and winner."""
    arena = _arena(source, Budget(seconds))
    worth = int(arena.value[0])
    return Whole(arena.name, "draw" if worth == 0 else arena.roles[worth < 0])


def _arena(source: Source, budget: Budget, progress: Progress = silent) -> Arena:
    table = SolvingTable(read_finite(source), budget, progress)
    return table.arena(table.board())

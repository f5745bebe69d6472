"""The losing states of a sparse game in the plane, row by row, without a cell for each state.

A row is a line of flags, which :mod:`~icgsynth.synth.digits.marks` fill from the losing states
before it; what is left unmarked is losing.

What comes out is a conjecture like all that is learned: that moves never lead to later rows, say,
is not proved here.  It has to agree with a labelled cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.digits.marks import Marks, MoveCase, flags, move_cases

_MOST_IN_ROW = 16  # losing states, on average
_ROWS = 64  # evaluated at once


@dataclass(frozen=True, eq=False)
class SparseTable:
    """The rules of a game with two variables, as :meth:`losing` needs them."""

    game: ParametricGame
    rule: PlayRule
    cases: tuple[MoveCase, ...]
    ending: Flags  # (side, side): the ending states of a labelled cube; there are no others

    @staticmethod
    def of(game: ParametricGame, rule: PlayRule, ending: Flags) -> SparseTable | None:
        """None where the rules are of another kind.

        ``ending`` (side, side) marks the ending states with coordinates below ``side``.
        """
        half, cases = len(ending) // 2, move_cases(game)
        if cases is None or ending[half:].any() or ending[:, half:].any():
            return None
        return SparseTable(game, rule, cases, ending)

    def losing(self, side: int, budget: Budget) -> Ints | None:
        """(count, 2): the losing states with both coordinates below ``side``, in order.

        None where they are not sparse.
        """
        found: list[tuple[int, int]] = []
        all_marks = [Marks(case, side) for case in self.cases]
        for x, (won, free) in enumerate(self._rows(side, budget)):
            budget.check()
            for marks in all_marks:
                marks.mark(won, x)
            won[free] = False
            start = len(found)
            y = _next(won, 0)
            while y < side:
                if len(found) == _MOST_IN_ROW * side:
                    return None
                found.append((x, y))
                for marks in all_marks:
                    marks.mark_here(won, x, y)
                won[free] = False
                y = _next(won, y + 1)
            for x, y in found[start:]:
                for marks in all_marks:
                    marks.note(x, y)
        return np.array(found, np.int64).reshape(-1, 2)

    def _rows(self, side: int, budget: Budget) -> Iterator[tuple[Flags, Ints]]:
        """Yield for each row (side,) where it is won whatever its moves, and the places lost so."""
        known, none = len(self.ending), np.zeros(0, np.int64)
        is_plain = self._is_plain(budget)
        for start in range(0, side, _ROWS):
            rows = np.arange(start, min(start + _ROWS, side))
            if is_plain and start >= known:
                yield from ((np.zeros(side, np.bool_), none) for _ in rows)
                continue
            legal, over = self._evaluate(rows, side)
            for won, ends in zip(~legal, over, strict=True):
                if self.rule == "normal":
                    yield won, np.flatnonzero(ends)
                else:
                    yield won | ends, none

    def _evaluate(self, rows: Ints, side: int) -> tuple[Flags, Flags]:
        """(rows, side): the legal states, and those of them that end the game."""
        cells = np.broadcast_arrays(rows[:, None], np.arange(side))
        env = dict(zip(self.game.variables, cells, strict=True))
        legal, over = flags(self.game.legal, env), flags(self.game.end, env)
        ending = np.zeros((len(rows), side), np.bool_)
        given = self.ending[rows[0] : rows[0] + len(rows), :side]
        ending[: len(given), : given.shape[1]] = given
        return legal, (over | ending) & legal

    def _is_plain(self, budget: Budget) -> bool:
        """Whether all natural states are legal, and no declared end is outside ``ending``."""
        x, y = map(t.Name, self.game.variables)
        natural = [t.Compare((v, t.Int(0)), (">=",)) for v in (x, y)]
        far = disjunction(t.Compare((v, t.Int(len(self.ending))), (">=",)) for v in (x, y))
        odd = disjunction((negation(self.game.legal), conjunction((self.game.end, far))))
        asked: tuple[t.Formula, ...] = (*natural, odd)
        return decide(asked, self.game.variables, budget.share(0.1)).kind == "unsat"


def _next(won: Flags, start: int) -> int:
    """The first place from ``start`` on that is not won."""
    rest = won[start:]
    if not len(rest):
        return len(won)
    place = int(rest.argmin())
    return len(won) if rest[place] else start + place

"""The growing cubes of labels that automata are learned from.

In the plane, where few states are losing, a table of these takes the place of labels.  A row of it
is a line of flags, which :mod:`~icgsynth.synth.digits.marks` fill from the losing states before it;
what is left unmarked is losing.  The table is a conjecture like all that is learned: that moves
never lead to later rows, say, is not proved here.  It has to agree with a labelled cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, Labels, label
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation
from icgsynth.logic.evaluate import columns
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.digits.marks import Marks, MoveCase, flags, move_cases

# Rising sides for each number of variables; what is before the bar costs a fraction of a second.
_SIDES: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    1: ((120, 1_024), (4_400, 16_384)),
    2: ((36, 100), (250, 620, 1_600, 2_600)),
    3: ((9, 17), (33, 65, 129)),
    4: ((9, 17), (33,)),
    5: ((8,), (16,)),
}
# Of a blocking game in the plane: an automaton of some dozen states in Zeckendorf's system takes
# words of 13 digits to learn, the numbers up to 609.
_BLOCKING_SIDES = (36,), (100, 611, 1_600)
_MOST_MOVES = 2**25  # held at once
_LINES = 16  # that the points of a sparse set lie on
_MOST_FLAGGED = 2_600  # side of the flags, where the losing states are listed
_LEAST_LABELLED = 100  # side of a cube, for the table of losing states to begin with
_FIRST_TABLE = 2_600  # side of the first table of losing states, where they are sparse
_LARGEST_TABLE = 200_000
_MOST_IN_ROW = 16  # losing states of a table, on average
_ROWS = 64  # of a table, evaluated at once
_GROWTH = 1.2  # power of the side that the time for a table grows with, at most


def sides(variables: int, quick: bool, blocking: bool = False) -> tuple[int, ...]:
    """Return how long cubes to label are, rising: quick ones, or larger; () past 6 variables."""
    if blocking and variables == 2:
        return _BLOCKING_SIDES[0 if quick else 1]
    return _SIDES.get(variables, ((4, 8), ()) if variables == 6 else ((), ()))[0 if quick else 1]


@dataclass(frozen=True, eq=False)
class Cube:
    """All states with coordinates below ``side``: ``losing`` and ``known``, both of shape
    (side,) * variables; a cell that is no legal state is known and not losing.

    ``labels`` are those of this cube, or of a smaller one that it agrees with.  In the second case
    ``listed``, (n, variables), are all losing states, and the flags may be those of a part only.
    """

    side: int
    losing: Flags
    known: Flags
    labels: Labels
    listed: Ints | None = None

    @property
    def is_whole(self) -> bool:
        return bool(self.known.all())

    @property
    def labelled_side(self) -> int:
        """The side of the cube whose states ``labels`` has; it may be smaller than this one."""
        return int(self.labels.box.shape[0])

    @property
    def has_flags(self) -> bool:
        """Whether ``losing`` and ``known`` are those of the whole cube."""
        return len(self.losing) == self.side

    @cached_property
    def ending(self) -> Flags:
        """The ending states of the labelled cube, of shape (labelled side,) * variables."""
        found = np.zeros((self.labelled_side,) * self.losing.ndim, dtype=bool)
        found[tuple(self.labels.states[self.labels.ending].T)] = True
        return found

    def grow(self, members: Ints, side: int) -> Cube | None:
        """The cube of that ``side`` whose losing states are ``members``, (n, variables); None
        where this one says otherwise."""
        flagged = min(side, _MOST_FLAGGED)
        losing = np.zeros((flagged,) * self.losing.ndim, dtype=bool)
        losing[tuple(members[(members < flagged).all(axis=1)].T)] = True
        if not np.array_equal(losing[tuple(slice(n) for n in self.losing.shape)], self.losing):
            return None
        return Cube(side, losing, np.ones_like(losing), self.labels, members)

    @cached_property
    def members(self) -> Ints:
        """(n, variables): the states that are known to be losing."""
        return np.argwhere(self.losing & self.known) if self.listed is None else self.listed

    def leading(self, game: ParametricGame, step: Action) -> Ints:
        """(n, variables): from these states ``step``, made once or more, leads to a losing one."""
        env = self.labels.box.columns()
        applies, after = game.applicable(step), game.after(step)
        rows = np.flatnonzero(np.broadcast_to(columns(applies, env), (len(self.labels.states),)))
        there = [columns(after[v], {n: c[rows] for n, c in env.items()}) for v in game.variables]
        following = self.labels.box.rows([np.broadcast_to(c, rows.shape) for c in there])
        leads = np.zeros(len(self.labels.states) + 1, bool)  # the last is a state outside the box
        goal = np.append(self.labels.outcome == LOSING, False)
        while True:
            more = goal[following] | leads[following]
            if (leads[rows] == more).all():
                return self.labels.states[leads[:-1]]
            leads[rows] = more

    @property
    def unknown(self) -> Ints:
        """(n, variables): the states whose label is not known."""
        return self.members[:0] if self.is_whole else np.argwhere(~self.known)

    @property
    def is_sparse(self) -> bool:
        """Whether all losing states are known and few: in the plane, near a few lines."""
        few = _LINES * self.side ** (self.losing.ndim - 1)
        return self.losing.ndim > 1 and self.is_whole and len(self.members) <= few


def cube(
    game: ParametricGame,
    rule: PlayRule,
    side: int,
    ranking: tuple[t.Term, ...] | None,
    budget: Budget,
) -> Cube:
    """Label the cube of this ``side``; :class:`~icgsynth.errors.Refused` where it is too large."""
    box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
    labels = label(game, box, rule, ranking, _MOST_MOVES, budget)
    if not len(labels.states):
        raise Refused(f"no legal state has all coordinates below {side}")
    shape, cells = box.grid, tuple(labels.states.T)
    losing, known = np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
    losing[cells] = labels.outcome == LOSING
    known[cells] = labels.known
    return Cube(side, losing, known, labels)


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


class Cubes:
    """The cubes of one game under one rule, each larger than those before.

    ``ranking`` is the proof that play ends.  Where the losing states of a cube are sparse, a table
    of these takes the place of labels for all states of the next ones.
    """

    def __init__(
        self, game: ParametricGame, rule: PlayRule, ranking: tuple[t.Term, ...], progress: Progress
    ) -> None:
        self.game, self.rule, self.ranking, self.progress = game, rule, ranking, progress
        self.side = 0  # of the largest so far
        self.was_cut = False  # whether one was left out, as it takes longer than there is
        self._seconds = 0.0  # that it took
        self._table: SparseTable | None = None
        self._labelled: Cube | None = None  # that the table begins with
        self._tabled, self._table_seconds = 0, 0.0  # the side of the largest table, its time

    @property
    def are_sparse(self) -> bool:
        """Whether the losing states were sparse, so that a table of them replaces the labels."""
        return self._table is not None

    def of_usual_sides(self, quick: bool, budget: Budget) -> Iterator[Cube]:
        """Yield labelled cubes of the ``quick`` sides or of the others, while there is time."""
        for side in sides(len(self.game.variables), quick, self.game.block > 0):
            budget.check()
            if side <= self.side:
                continue
            if self._labelling_takes(side) > budget.remaining():
                self.was_cut = True
                return
            yield self._of(side, budget)

    def next_table(self, system: Numeration, budget: Budget) -> Cube | None:
        """The next larger table, with one digit more in ``system``; None where it takes too long or
        is too large, or where the losing states are not sparse after all."""
        side = _FIRST_TABLE
        if self._tabled:
            side = next(w for w in map(system.weight, count()) if w >= 2 * self._tabled)
        takes = self._table_seconds * (side / max(1, self._tabled)) ** _GROWTH
        if takes > budget.remaining():
            self.was_cut = True
            return None
        return self._from_table(side, budget) if side <= _LARGEST_TABLE else None

    def _of(self, side: int, budget: Budget) -> Cube:
        self.progress(f"labelling the cube of side {side}")
        start = budget.runtime
        found = self._from_table(side, budget)
        if found is None:
            found = cube(self.game, self.rule, side, self.ranking, budget)
            if side >= _LEAST_LABELLED and found.is_sparse:
                self._table = SparseTable.of(self.game, self.rule, found.ending)
            self._labelled = found
        self.side, self._seconds = side, budget.runtime - start
        return found

    def _from_table(self, side: int, budget: Budget) -> Cube | None:
        """The cube without labels for all its states, where the losing ones are sparse."""
        if self._table is None or self._labelled is None:
            return None
        self.progress(f"looking for all losing states below {side}")
        start = budget.runtime
        members = self._table.losing(side, budget)
        found = None if members is None else self._labelled.grow(members, side)
        if found is None:
            self._table = None
        if side > self._tabled:
            self._tabled, self._table_seconds = side, budget.runtime - start
        return found

    def _labelling_takes(self, side: int) -> float:
        """Seconds to expect, from the last cube."""
        if not self.side:
            return 0.0
        return float(self._seconds * (side / self.side) ** len(self.game.variables))

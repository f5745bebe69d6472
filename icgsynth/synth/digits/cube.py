"""Label the growing cubes of states from which automata are learned.

In the plane, where few states are losing, a table of losing states replaces labels.  Each row is
an array of flags, which :mod:`~icgsynth.synth.digits.marks` fill from the losing states before;
states left unmarked are losing.  The table is a conjecture: for example that moves never lead to
later rows is not proved here.  It has to agree with a labelled cube."""

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

# Rising sides by number of variables: cubes that take a fraction of a second, then larger ones.
_SIDES: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    1: ((120, 1_024), (4_400, 16_384)),
    2: ((36, 100), (250, 620, 1_600, 2_600)),
    3: ((9, 17), (33, 65, 129)),
    4: ((9, 17), (33,)),
    5: ((8,), (16,)),
}
# Sides for a blocking game in the plane: to learn an automaton of some dozen states in Zeckendorf's
# system takes words of 13 digits, the numbers up to 609.
_BLOCKING_SIDES = (36,), (100, 611, 1_600)
_MOST_MOVES = 2**25  # most moves in memory at once
_LINES = 16  # most points a row, on average, of a sparse set
_MOST_FLAGGED = 2_600  # largest side of the flags, where the losing states are listed
_LEAST_LABELLED = 100  # least side of a cube from which a table of losing states is begun
_FIRST_TABLE = 2_600  # side of the first table of losing states, where they are sparse
_LARGEST_TABLE = 200_000  # largest side of a table
_MOST_IN_ROW = 16  # most losing states a row of a table, on average
_ROWS = 64  # rows of a table that are evaluated at once
_GROWTH = 1.2  # exponent of the side in the time for a table, at most


def sides(variables: int, quick: bool, blocking: bool = False) -> tuple[int, ...]:
    """Return rising sides of cubes to label for so many ``variables``: with ``quick`` small ones,
    else larger ones; () for more than 6.  ``blocking`` tells that the game forbids options."""
    if blocking and variables == 2:
        return _BLOCKING_SIDES[0 if quick else 1]
    return _SIDES.get(variables, ((4, 8), ()) if variables == 6 else ((), ()))[0 if quick else 1]


@dataclass(frozen=True, eq=False)
class Cube:
    """A cube of states with coordinates below ``side``: flags ``losing`` and ``known``, of shape
    (side,) * variables; a cell that is no legal state is known and not losing.

    ``labels`` belong to this cube, or to a smaller cube that it agrees with.  In the second case
    ``listed``, (n, variables), has all losing states, and the flags may cover a part only."""

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
        """The side of the cube that was labelled, at most that of this cube."""
        return int(self.labels.box.shape[0])

    @property
    def has_flags(self) -> bool:
        """Whether ``losing`` and ``known`` have this cube's side, not that of a smaller cube."""
        return len(self.losing) == self.side

    @cached_property
    def ending(self) -> Flags:
        """Flags of ending states of the labelled cube, of shape (labelled side,) * variables."""
        found = np.zeros((self.labelled_side,) * self.losing.ndim, dtype=bool)
        found[tuple(self.labels.states[self.labels.ending].T)] = True
        return found

    def grow(self, members: Ints, side: int) -> Cube | None:
        """Return the cube of ``side`` whose losing states are ``members`` (n, variables), all of
        them; None if this smaller cube contradicts them."""
        flagged = min(side, _MOST_FLAGGED)
        losing = np.zeros((flagged,) * self.losing.ndim, dtype=bool)
        losing[tuple(members[(members < flagged).all(axis=1)].T)] = True
        if not np.array_equal(losing[tuple(slice(n) for n in self.losing.shape)], self.losing):
            return None
        return Cube(side, losing, np.ones_like(losing), self.labels, members)

    @cached_property
    def members(self) -> Ints:
        """The states that are known to be losing, shape (n, variables)."""
        return np.argwhere(self.losing & self.known) if self.listed is None else self.listed

    def leading(self, game: ParametricGame, step: Action) -> Ints:
        """Return (n, variables) the states from which ``step``, repeated, leads to a losing one."""
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
        """The states whose label is not known, shape (n, variables)."""
        return self.members[:0] if self.is_whole else np.argwhere(~self.known)

    @property
    def is_sparse(self) -> bool:
        """Whether all losing states are known and few: in the plane a few in each row."""
        few = _LINES * self.side ** (self.losing.ndim - 1)
        return self.losing.ndim > 1 and self.is_whole and len(self.members) <= few


def cube(
    game: ParametricGame,
    rule: PlayRule,
    side: int,
    ranking: tuple[t.Term, ...] | None,
    budget: Budget,
) -> Cube:
    """Label the legal states with coordinates below ``side`` and return the cube; ``ranking`` has
    terms that decrease lexicographically with every move.  Raises :class:`~icgsynth.errors.Refused`
    if the cube is too large or has no legal state."""
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
    """The rules of a game with two variables, prepared to list sparse losing states."""

    game: ParametricGame
    rule: PlayRule
    cases: tuple[MoveCase, ...]
    ending: Flags  # (side, side): the ending states of a labelled cube; there are no others

    @staticmethod
    def of(game: ParametricGame, rule: PlayRule, ending: Flags) -> SparseTable | None:
        """Return ``game`` prepared for a table of losing states; None if moves are no linear cases,
        or ``ending`` (side, side), flags of ending states, has one in the outer half."""
        half, cases = len(ending) // 2, move_cases(game)
        if cases is None or ending[half:].any() or ending[:, half:].any():
            return None
        return SparseTable(game, rule, cases, ending)

    def losing(self, side: int, budget: Budget) -> Ints | None:
        """Return the losing states with both coordinates below ``side``, in order, shape (count,
        2); None if they are more than a few for each row."""
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
        """Yield for each x below ``side`` (won, lost): flags (side,) of the y for which (x, y) is
        illegal or won because play is over, and the y for which it is lost because play is over."""
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
        """Return (legal, ended), flags (rows, side) for the states (x, y) with x in ``rows``, y
        below ``side``: whether they are legal, and whether play is over there."""
        cells = np.broadcast_arrays(rows[:, None], np.arange(side))
        env = dict(zip(self.game.variables, cells, strict=True))
        legal, over = flags(self.game.legal, env), flags(self.game.end, env)
        ending = np.zeros((len(rows), side), np.bool_)
        given = self.ending[rows[0] : rows[0] + len(rows), :side]
        ending[: len(given), : given.shape[1]] = given
        return legal, (over | ending) & legal

    def _is_plain(self, budget: Budget) -> bool:
        """Return whether all natural states are legal and no end is past ``ending``, as proved."""
        x, y = map(t.Name, self.game.variables)
        natural = [t.Compare((v, t.Int(0)), (">=",)) for v in (x, y)]
        far = disjunction(t.Compare((v, t.Int(len(self.ending))), (">=",)) for v in (x, y))
        odd = disjunction((negation(self.game.legal), conjunction((self.game.end, far))))
        asked: tuple[t.Formula, ...] = (*natural, odd)
        return decide(asked, self.game.variables, budget.share(0.1)).kind == "unsat"


def _next(won: Flags, start: int) -> int:
    """Return the least index from ``start`` on where ``won`` is false; len(``won``) if none is."""
    rest = won[start:]
    if not len(rest):
        return len(won)
    place = int(rest.argmin())
    return len(won) if rest[place] else start + place


class Cubes:
    """Makes the cubes of one game under one rule, each larger than the cubes before.  ``ranking``
    proves that play ends.  Where the losing states of a cube are sparse, a table of losing states
    replaces labels in the next cubes."""

    def __init__(
        self, game: ParametricGame, rule: PlayRule, ranking: tuple[t.Term, ...], progress: Progress
    ) -> None:
        self.game, self.rule, self.ranking, self.progress = game, rule, ranking, progress
        self.side = 0  # side of the largest cube so far
        self.was_cut = False  # whether a cube was left out for lack of time
        self._seconds = 0.0  # time that the last cube took
        self._table: SparseTable | None = None
        self._labelled: Cube | None = None  # the cube that tables must agree with
        self._tabled, self._table_seconds = 0, 0.0  # the side of the largest table, its time

    @property
    def are_sparse(self) -> bool:
        """Whether losing states are so few that a table of them replaces labels."""
        return self._table is not None

    def of_usual_sides(self, quick: bool, budget: Budget) -> Iterator[Cube]:
        """Yield labelled cubes of rising sides, larger than any made before, while there is time;
        with ``quick`` those that take less than a second."""
        for side in sides(len(self.game.variables), quick, self.game.block > 0):
            budget.check()
            if side <= self.side:
                continue
            if self._labelling_takes(side) > budget.remaining():
                self.was_cut = True
                return
            yield self._of(side, budget)

    def next_table(self, system: Numeration, budget: Budget) -> Cube | None:
        """Return the cube of the next larger table of losing states, whose side has one more digit
        in ``system``; None if it takes too long or is too large, or these are not sparse."""
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
        """Return the cube of ``side`` made from a list of its losing states; None without one."""
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
        """Return an estimate, from the last cube, of the seconds to label a cube of ``side``."""
        if not self.side:
            return 0.0
        return float(self._seconds * (side / self.side) ** len(self.game.variables))

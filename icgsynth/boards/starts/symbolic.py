"""Sets of winning positions of line games as binary decision diagrams, for large boards.

Two variables a cell, one for X and one for O; whose turn it is, the count of stones says, so that
every ply is kept apart where it matters.  This is the only door to oxidd.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from icgsynth import wings
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.boards.starts.walk_back import walk_back
from icgsynth.budget import Progress, silent
from icgsynth.errors import BudgetSpent

NODES = 60_000_000
"""The most nodes of decision diagrams: with the caches about 3 GB, taken as needed."""

_CACHE = 16_000_000  # entries of the cache of decision diagrams


@dataclass(frozen=True, eq=False)
class SymbolicSets:
    """The numbers of reachable and won boards and the sets W_0, W_1, .. as decision diagrams.

    ``reachable``, ``won``: |V|, and |T1|, |T2|.  ``counts``: |W_0|, |W_1|, ...  ``nodes``: how
    large the diagrams of W_0, W_1, ... are."""

    game: LineGame
    reachable: int
    won: tuple[int, int]
    counts: tuple[int, ...]
    _sets: tuple[Any, ...]
    _order: tuple[int, ...]

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        return tuple(int(found.node_count()) for found in self._sets)

    def sample(self, j: int, seed: int) -> Iterator[Position]:
        """Yield positions of W_``j``, from which X wins with j + 1 stones, drawn evenly, without
        end; none where there is no such position."""
        if not self.counts[j]:
            return
        sampler = _Sampler(self._sets[j], self._order, random.Random(seed))
        while True:
            yield sampler.draw()


def symbolic_sets(
    game: LineGame,
    most: int = 4,
    progress: Progress = silent,
    nodes: int = NODES,
) -> SymbolicSets:
    """Return the sets W_0 to W_``most`` of boards of ``game`` as diagrams: in W_j X wins with j + 1
    stones. BudgetSpent where the diagrams need more than ``nodes`` nodes."""
    try:
        from oxidd.bdd import BDDManager
        from oxidd.util import DDMemoryError
    except ImportError:
        message = "boards of this size need oxidd, which is not installed"
        raise wings.lacking(message, "bdd") from None
    try:
        return _Engine(game, BDDManager(nodes, _CACHE, 1), progress).run(most)
    except (DDMemoryError, MemoryError):
        raise BudgetSpent(
            f"{game}: more than {nodes:,} nodes; nothing is claimed\n"
            "  a smaller board, or fewer directions, may do"
        ) from None


class _Engine:
    """A computation of the sets of one game: diagrams of legal moves and lines, and sweeps."""

    def __init__(self, game: LineGame, manager: Any, progress: Progress) -> None:
        self.game, self.progress = game, progress
        places = [(r, c) for r in range(game.rows) for c in range(game.columns)]
        if game.lowest < game.rows or game.rows < game.columns:
            places.sort(key=lambda place: place[::-1])  # along the shorter side, or the columns
        self.order = tuple(game.bit(*place) for place in places)
        from oxidd.util import BooleanOperator

        self.conjoin = BooleanOperator.AND
        manager.add_vars(2 * len(places))
        self.true, self.false = manager.true(), manager.false()
        self.stones = [
            {bit: manager.var(2 * i + seat) for i, bit in enumerate(self.order)} for seat in (0, 1)
        ]
        self.free = {bit: ~self.stones[0][bit] & ~self.stones[1][bit] for bit in self.order}
        self.legal = {bit: self._legal(bit) for bit in self.order}
        self.lines = [self._line(seat) for seat in (0, 1)]

    def _legal(self, bit: int) -> Any:
        """Return the diagram of boards where gravity allows a stone on the empty cell ``bit``."""
        row, column = self.game.place(bit)
        # exactly[k]: exactly k of the cells below are free, for k < lowest, cell by cell.
        exactly = [self.true] + [self.false] * (self.game.lowest - 1)
        for below in range(row):
            free = self.free[self.game.bit(below, column)]
            exactly = [
                (count & ~free) | (exactly[k - 1] & free if k else self.false)
                for k, count in enumerate(exactly)
            ]
        some = self.false
        for count in exactly:
            some |= count
        return some & self.free[bit]

    def _line(self, seat: int) -> Any:
        found = self.false
        for window in self.game.windows:
            line = self.true
            for bit in reversed(self.order):
                if window & bit:
                    line &= self.stones[seat][bit]
            found |= line
        return found

    def count(self, boards: Any) -> int:
        return int(boards.sat_count(2 * len(self.order)))

    # --- forwards --------------------------------------------------------------------------

    def run(self, most: int) -> SymbolicSets:
        level = self.true
        for bit in self.order:
            level &= self.free[bit]
        on: list[Any] = [self.false, self.false]
        reachable, won = 0, [0, 0]
        for ply in range(self.game.cells + 1):
            seat = ply % 2
            size = self.count(level)
            reachable += size
            self.progress(f"ply {ply}: {size:,} boards")
            # Only who moved last can have made a line just now.
            ended = level & self.lines[1 - seat]
            won[1 - seat] += self.count(ended)
            going = level & ~ended
            on[seat] |= going
            level = self._image(going, seat)
        del level, ended, going
        found = self._back(on, most)
        return SymbolicSets(
            self.game,
            reachable,
            (won[0], won[1]),
            tuple(self.count(one) for one in found),
            tuple(found),
            self.order,
        )

    def _image(self, boards: Any, seat: int) -> Any:
        """Return the diagram of boards after one move of ``seat`` (0: X, 1: O) from ``boards``."""
        out = self.false
        for bit in self.order:
            stone = self.stones[seat][bit]
            # On a legal board the stone's variable is false; it is forgotten and set to true.
            out |= (boards & self.legal[bit]).exists(stone) & stone
        return out

    # --- backwards -------------------------------------------------------------------------

    def _before(self, seat: int, after: Any, among: Any) -> Any:
        """Return the diagram of boards in ``among`` from which ``seat`` can move into ``after``."""
        found = self.false
        for bit in self.order:
            mine, theirs = self.stones[seat][bit], self.stones[1 - seat][bit]
            # Boards after the move have `mine` and not `theirs` in the cell; both variables are
            # forgotten, and legal[bit] then says that the cell is empty and may be played.
            before = after.apply_exists(self.conjoin, mine & ~theirs, mine & theirs)
            found |= before & self.legal[bit]
        return found & among

    def _back(self, on: list[Any], most: int) -> list[Any]:
        """Return the diagrams W_0 to W_``most`` of the boards from which X wins with 1, 2, ..
        stones. ``on`` has the boards on which play goes on: with X to move, and with O."""
        some_move = self.false
        for bit in self.order:
            some_move |= self.free[bit]
        wins = self._before(0, self.lines[0], on[0])
        # O has a move and none that makes a line: from a full board X cannot force a win.
        held = on[1] & some_move
        held ^= self._before(1, self.lines[1], held)
        return list(walk_back(self._before, on[0], wins, held, most, self.progress))


class _Sampler:
    """Draws boards of a decision diagram uniformly at random."""

    def __init__(self, diagram: Any, order: tuple[int, ...], rng: random.Random) -> None:
        self._diagram, self._order, self._rng = diagram, order, rng
        self._sizes: dict[Any, int] = {}

    def _size(self, node: Any, above: int) -> int:
        """Return how many boards ``node`` has, over the variables below the level ``above``."""
        # A node skips variables that do not matter: each doubles the number of boards below it.
        level = node.node_level()
        if level is None:
            return int(node.valid()) << (2 * len(self._order) - above - 1)
        if node not in self._sizes:
            self._sizes[node] = sum(self._size(child, level) for child in node.cofactors())
        size: int = self._sizes[node] << (level - above - 1)
        return size

    def draw(self) -> Position:
        """Return a board of the diagram, drawn uniformly at random."""
        sides, at = [0, 0], self._diagram
        for level in range(2 * len(self._order)):
            if at.node_level() != level:
                chosen = self._rng.random() < 0.5  # this variable is free
            else:
                # A branch is drawn in proportion to its boards, so all boards are equally likely.
                when_true, when_false = at.cofactors()
                size = self._size(when_true, level)
                chosen = self._rng.randrange(self._size(at, level - 1)) < size
                at = when_true if chosen else when_false
            if chosen:
                sides[level % 2] |= self._order[level // 2]
        return sides[0], sides[1]

"""A second checker of trees: slow, on states without symmetry, independent of the kernels.

It takes from an arena explored *without* symmetry only the states, the moves and what the ends are
worth: minimax, the moves of Definition 7 and the reachable states of Definition 4 are computed
here, in plain numpy; the images of the rules are those that are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icgsynth.boards.fft.tiers import images
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.tree import Tree, TreeRule
from icgsynth.errors import Refused

_Flags = npt.NDArray[np.bool_]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TreeJudgement:
    """The verdict of the second checker on a tree: whether it is optimal, and where it is not.

    ``states`` counts all states before the end, ``reached`` those that play with the tree
    reaches.  ``flaw`` is a row of the arena."""

    optimal: bool
    states: int
    reached: int
    flaw: int | None = None
    moves: tuple[str, ...] = ()


def judge(
    raw: Arena, player: int, tree: Tree, strong: bool = True, group: Arena | None = None
) -> TreeJudgement:
    """Return the verdict whether ``tree`` is strongly optimal, or weakly unless ``strong``
    (Definition 4). ``raw`` is the game of ``player`` explored without symmetry, else
    :class:`Refused`. A rule stands for its images under the symmetries of the arena ``group``;
    None: for itself."""
    if len(raw.literal_images) > 1:
        raise Refused("the raw-state check needs an arena explored without symmetry")
    game = _Moves(raw)
    value = minimax(raw)
    keeps = value[game.target] == value[game.origin]
    rules = [images(rule, group) for rule in tree.rules]
    seen = np.zeros(len(raw.mover), bool)
    seen[0] = True
    front = np.array([0])
    reached = 0
    while len(front):
        front = front[raw.mover[front] >= 0]
        reached += len(front)
        mine = front[raw.mover[front] == player]
        chosen, silent = _fire(game, mine, rules)
        # Where no rule fires, all moves are played by Definition 4, and each must keep the value.
        rest = game.of(silent)
        if not strong:
            # The optimal closure of Definition 4 plays all optimal moves.
            rest = rest[keeps[rest]]
        played = np.concatenate([chosen, rest])
        # One move that loses value refutes the tree, whose own moves led to this state.
        bad = played[~keeps[played]]
        if len(bad):
            row = int(game.origin[bad[0]])
            names = {raw.actions[int(raw.action[m])] for m in bad if game.origin[m] == row}
            total = int((raw.mover >= 0).sum())
            return TreeJudgement(False, total, reached, row, tuple(sorted(names)))
        # The opponent may play anything; new states of both kinds are the next front.
        theirs = game.of(front[raw.mover[front] != player])
        after = np.unique(game.target[np.concatenate([played, theirs])])
        front = after[~seen[after]]
        seen[front] = True
    return TreeJudgement(True, int((raw.mover >= 0).sum()), reached)


class _Moves:
    """An index of the moves of an arena, by state, and by state and action."""

    def __init__(self, raw: Arena) -> None:
        self.first = raw.first
        self.target = raw.target.astype(np.int64)
        self.origin = raw.source
        self.count = len(raw.actions)
        # State and action as one number: a binary search finds the move of a state by an action.
        key = self.origin * self.count + raw.action
        self._order = np.argsort(key, kind="stable")
        self._key = key[self._order]
        self.actions = {name: i for i, name in enumerate(raw.actions)}
        self._literals = {name: i for i, name in enumerate(raw.literals)}
        self._states = raw.states

    def of(self, states: _Ints) -> _Ints:
        """Return the indices of all moves of ``states`` (rows of the arena), state by state."""
        starts, counts = self.first[states], self.first[states + 1] - self.first[states]
        shift = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        moves: _Ints = np.arange(int(counts.sum())) + shift.astype(np.int64)
        return moves

    def by(self, states: _Ints, action: str) -> _Ints:
        """Return the indices of the moves of ``states`` (rows) that have the action ``action``."""
        wanted = states * self.count + self.actions[action]
        at = np.minimum(np.searchsorted(self._key, wanted), len(self._key) - 1)
        found: _Ints = self._order[at[self._key[at] == wanted]]
        return found

    def true(self, states: _Ints, atom: str) -> _Flags:
        """Return a mask over ``states`` (rows): True where the fact ``atom`` holds."""
        i = self._literals[atom]
        flags: _Flags = (self._states[states, i // 64] >> np.uint64(i % 64)) & np.uint64(1) == 1
        return flags


def minimax(raw: Arena) -> npt.NDArray[np.int8]:
    """Return the value of each state (n,): 1 if role 0 can force a win, -1 if role 1, else 0."""
    inner = np.flatnonzero(raw.mover >= 0)
    starts = raw.first[inner]
    first_moves = raw.mover[inner] == 0
    forced = []
    # A player forces `worth` in a state if, at its own turn, some move leads to a forced state, or
    # at the opponent's turn every move. The least fixed point, from the ends; draws are in no set.
    for worth, chooser in ((1, first_moves), (-1, ~first_moves)):
        won = (raw.mover < 0) & (raw.value == worth)
        while True:
            after = won[raw.target]
            some = np.logical_or.reduceat(after, starts)
            every = np.logical_and.reduceat(after, starts)
            now = np.where(chooser, some, every)
            if (now == won[inner]).all():
                break
            won[inner] = now
        forced.append(won)
    value: npt.NDArray[np.int8] = forced[0].astype(np.int8) - forced[1].astype(np.int8)
    return value


def _fire(
    game: _Moves, states: _Ints, rules: Sequence[tuple[TreeRule, ...]]
) -> tuple[_Ints, _Ints]:
    """Return the moves that the first rule which applies makes in each of ``states``, and the
    states in which none applies. Each rule is given as its images, which all fire at once."""
    chosen: list[_Ints] = [np.zeros(0, np.int64)]
    # Rules in order; a state leaves the list at the first group that has a legal action for it. All
    # images of a rule count as one group, so all of their moves are played.
    for group in rules:
        if not len(states):
            break
        columns: dict[str, _Flags] = {}
        fired: list[_Ints] = []
        for image in group:
            there = np.ones(len(states), bool)
            for literal in image.literals:
                if literal.atom not in columns:
                    columns[literal.atom] = game.true(states, literal.atom)
                there &= columns[literal.atom] == literal.holds
            if image.action in game.actions and there.any():
                fired.append(game.by(states[there], image.action))
        moves = np.unique(np.concatenate([np.zeros(0, np.int64), *fired]))
        chosen.append(moves)
        states = np.setdiff1d(states, game.origin[moves])
    return np.concatenate(chosen), states

"""The agents of Hahn and Shankar (2020) that play in its Table 3 and its Figure 20."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.learn.pruned import Node
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.play.masks import asked_everywhere
from icgsynth.errors import Refused
from icgsynth.game.game import Move, State
from icgsynth.play.match import Choice, Player

_MOST_ASKED = 2_000


class Agent(Player[FiniteGame]):
    """A player that is asked for all its options, and gives no reasons."""

    @abstractmethod
    def options(self, game: FiniteGame, state: State) -> tuple[Move, ...]: ...

    def choose(self, game: FiniteGame, state: State) -> Choice:
        """The first option."""
        return Choice(self.options(game, state)[0], "")


@dataclass(frozen=True, eq=False)
class ByClingo(Agent):
    """Asks clingo for the optimal answer sets of a program, ground anew at every move.

    ``program`` is a game with a strategy and without a position, as ``learn -o FILE.lp`` writes
    it; this is how the agents of Hahn and Shankar (2020) work.
    """

    program: str
    name: str

    def options(self, game: FiniteGame, state: State) -> tuple[Move, ...]:
        facts = " ".join(f"true({fact})." for fact in game.facts(state))
        control = asp.control(f"{self.program}\n{facts}\n#show does/2.", ["0", "--opt-mode=optN"])
        optimised: list[str] = []
        every: list[str] = []
        with control.solve(yield_=True) as handle:
            for model in handle:
                said = [str(atom.arguments[1]) for atom in model.symbols(shown=True)]
                every += said
                if model.optimality_proven:
                    optimised += said
        return tuple(map(Move, dict.fromkeys(optimised or every)))

    def mask(self, table: ArenaTable[FiniteGame]) -> NDArray[np.bool_]:
        if (count := len(table.arena.mover)) > _MOST_ASKED:
            raise Refused(f"{table.arena.name}: {count:,} states are too many to ask clingo of")
        return asked_everywhere(self, table)


@dataclass(frozen=True, eq=False)
class TreeAgent(Agent):
    """The best-scored moves of a tree at this state; every legal move where it is not in it.

    This is the selection of Table 3 of Hahn and Shankar (2020).  ``scores``: by the facts of a
    state, the score of each scored action for the role ``main``.
    """

    scores: dict[frozenset[str], dict[str, int]]
    main: str
    name: str

    @staticmethod
    def of(stage: Stage, root: Node, main: int, name: str) -> TreeAgent:
        """The agent of a tree; of a move scored twice the last score counts, as in the paper."""
        scores: dict[frozenset[str], dict[str, int]] = {}
        for node in root.walk():
            if node.move is not None and node.score is not None:
                facts = frozenset(stage.facts(node.state))
                scores.setdefault(facts, {})[stage.arena.action_name(node.move)] = node.score
        return TreeAgent(scores, stage.arena.roles[main], name)

    @staticmethod
    def complete(stage: Stage, main: int, name: str) -> TreeAgent:
        """The agent of the complete tree, read off the solved game."""
        scores: dict[frozenset[str], dict[str, int]] = {}
        sign = 1 if main == 0 else -1
        for state in np.flatnonzero(stage.arena.mover >= 0):
            scores[frozenset(stage.facts(int(state)))] = {
                stage.arena.action_name(m): sign * int(stage.arena.value[stage.arena.target[m]])
                for m in stage.arena.moves_of(int(state))
            }
        return TreeAgent(scores, stage.arena.roles[main], name)

    def options(self, game: FiniteGame, state: State) -> tuple[Move, ...]:
        legal = tuple(game.moves(state))
        known = self.scores.get(frozenset(game.facts(state)), {})
        scored = [move for move in legal if move.action in known]
        if not scored:
            return legal
        best = (max if game.roles[game.mover(state)] == self.main else min)(
            known[move.action] for move in scored
        )
        return tuple(move for move in scored if known[move.action] == best)

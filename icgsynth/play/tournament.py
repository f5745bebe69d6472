"""Tournaments of a finite game: who wins how often, how long a move takes, what is exact.

The agents are players.  Of the moves that one is ready to make (its options) one is picked at
random, so that ties are part of the agent.  The time of a move is that of all it does to find
these moves.
"""

from __future__ import annotations

import math
import random
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import IllegalMove, Refused
from icgsynth.finite import clingo as asp
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.worth import ArenaTable, Report, report
from icgsynth.game.game import Move, State
from icgsynth.learn.pruned import Node
from icgsynth.learn.stage import Stage
from icgsynth.play.finite import TwoPlayerGame, TwoPlayerSession
from icgsynth.play.match import Choice, Player

_G = TypeVar("_G", bound=TwoPlayerGame)

_MOST_MOVES = 10_000
_MOST_ASKED = 2_000


class Agent(Player[_G]):
    """A player that is asked for all its options, and gives no reasons."""

    @abstractmethod
    def options(self, game: _G, state: State) -> tuple[Move, ...]: ...

    def choose(self, game: _G, state: State) -> Choice:
        """The first option."""
        return Choice(self.options(game, state)[0], "")


@dataclass(frozen=True)
class Random(Agent[TwoPlayerGame]):
    """Every legal move."""

    name: str = "random"

    def options(self, game: TwoPlayerGame, state: State) -> tuple[Move, ...]:
        return tuple(game.moves(state))

    def mask(self, table: ArenaTable[Any]) -> NDArray[np.bool_]:
        return np.ones(len(table.arena.target), bool)


@dataclass(frozen=True, eq=False)
class ByClingo(Agent[FiniteGame]):
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
        return super().mask(table)


@dataclass(frozen=True, eq=False)
class TreeAgent(Agent[FiniteGame]):
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


@dataclass(frozen=True, eq=False)
class Human(Player[TwoPlayerGame]):
    """Asks: ``ask(position, legal moves)`` answers with one of them."""

    ask: Callable[[str, tuple[str, ...]], str]
    name: str = "human"

    def choose(self, game: TwoPlayerGame, state: State) -> Choice:
        legal = tuple(move.action for move in game.moves(state))
        return Choice(Move(self.ask(game.show(state), legal)), "")


# --- matches -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairing:
    """Matches of two agents: what the first won, drew and lost."""

    first: str
    second: str
    won: int
    drawn: int
    lost: int


@dataclass
class Standing:
    """One agent over all its matches; ``times`` in seconds, one a move."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    times: list[float] = field(default_factory=list, repr=False)

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    def latency(self) -> tuple[float, float]:
        """Mean and 95th percentile of a move's time, in milliseconds."""
        if not self.times:
            return 0.0, 0.0
        return 1e3 * float(np.mean(self.times)), 1e3 * float(np.percentile(self.times, 95))


def wilson(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's confidence interval for a share (Wilson 1927), by default at 95 %."""
    if not total:
        return 0.0, 1.0
    share, square = count / total, z * z
    centre = share + square / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def round_robin(
    game: _G, agents: Sequence[Player[_G]], matches: int, seed: int
) -> tuple[list[Pairing], list[Standing]]:
    """Every two agents meet ``matches`` times, taking turns to start."""
    standings = [Standing(agent.name) for agent in agents]
    pairings = []
    for i in range(len(agents)):
        for j in range(i + 1, len(agents)):
            rng = random.Random(f"{seed}/{agents[i].name}/{agents[j].name}")
            score = [0, 0, 0]
            for number in range(matches):
                seats = (i, j) if number % 2 == 0 else (j, i)
                result = _match(game, (agents[seats[0]], agents[seats[1]]),
                                (standings[seats[0]], standings[seats[1]]), rng)  # fmt: skip
                score[1 - (result if seats[0] == i else -result)] += 1
            pairings.append(Pairing(agents[i].name, agents[j].name, *score))
            for place, (won, lost) in ((i, (score[0], score[2])), (j, (score[2], score[0]))):
                standings[place].won += won
                standings[place].drawn += score[1]
                standings[place].lost += lost
    return pairings, standings


def _match(
    game: _G,
    agents: tuple[Player[_G], Player[_G]],
    standings: tuple[Standing, Standing],
    rng: random.Random,
) -> int:
    """One match; +1 where the agent that starts wins, -1 where the other does."""
    session = TwoPlayerSession(game)
    starter = session.seat
    while not session.is_over:
        if len(session.turns) >= _MOST_MOVES:
            raise Refused(f"{game.name}: a match is not over after {_MOST_MOVES:,} moves")
        place = 0 if session.seat == starter else 1
        begun = time.perf_counter()
        options = agents[place].options(game, session.state)
        standings[place].times.append(time.perf_counter() - begun)
        if not options:
            raise IllegalMove(f"{agents[place].name} has no move in {game.show(session.state)}")
        session.play(options[0] if len(options) == 1 else rng.choice(options))
    return 0 if session.winner is None else 1 if session.winner == starter else -1


# --- exact values --------------------------------------------------------------------------


def exact(stage: ArenaTable[_G], agent: Player[_G]) -> Report:
    """An agent's chances against random play and its worst case, for each of the two seats."""
    return report(stage.arena, agent.mask(stage))

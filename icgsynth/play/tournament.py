"""Tournaments of a finite game: who wins how often, how long a move takes, what is exact.

An agent names the moves it is ready to make; one of them is picked at random, so that ties are
part of the agent.  The time of a move is that of all it does to find these moves.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import IllegalMove, Refused
from icgsynth.finite import clingo as asp
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.worth import ArenaTable, Report, report
from icgsynth.game.game import Game, Move, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.learn.pruned import Node
from icgsynth.learn.stage import Stage

_G = TypeVar("_G", bound="TwoPlayerGame")
_G_contra = TypeVar("_G_contra", contravariant=True)

_MOST_MOVES = 10_000
_MOST_ASKED = 2_000


class TwoPlayerGame(Game[State], Protocol):
    """A game that two agents play: of facts, or an impartial one within a bound."""

    @property
    def roles(self) -> tuple[str, ...]: ...

    @property
    def initial(self) -> State: ...

    def mover(self, state: State) -> int:
        """The place in ``roles`` of the player to move; -1 at the end."""
        ...

    def goals(self, state: State) -> tuple[int, ...]:
        """What the end is worth to each player."""
        ...

    def show(self, state: State) -> str:
        """The state in words."""
        ...


class Agent(Protocol[_G_contra]):
    """Who plays: :meth:`options` are the moves it would make, each as likely as the others."""

    @property
    def name(self) -> str: ...

    def options(self, game: _G_contra, state: State) -> tuple[str, ...]:
        """Names of legal actions, at least one."""
        ...


def _legal(game: TwoPlayerGame, state: State) -> tuple[str, ...]:
    return tuple(move.action for move in game.moves(state))


@dataclass(frozen=True)
class Random:
    """Every legal move."""

    name: str = "random"

    def options(self, game: TwoPlayerGame, state: State) -> tuple[str, ...]:
        return _legal(game, state)


@dataclass(frozen=True, eq=False)
class Perfect:
    """Every optimal move, from the solved game."""

    stage: ArenaTable[Any]
    name: str = "perfect"

    def options(self, game: TwoPlayerGame, state: State) -> tuple[str, ...]:
        row = self.stage.row[state]
        span = self.stage.arena.moves_of(row)
        return tuple(self.stage.arena.action_name(m) for m in span if self.stage.arena.optimal[m])


@dataclass(frozen=True, eq=False)
class Strategic(Generic[_G]):
    """The moves that a strategy of tiers leaves; all where no tier keeps any."""

    strategy: Strategy[Tier[_G, Any]]
    name: str

    def options(self, game: _G, state: State) -> tuple[str, ...]:
        kept = self.strategy.keep(game, state, tuple(game.moves(state)))
        return tuple(move.action for move in kept)


@dataclass(frozen=True, eq=False)
class ByClingo:
    """Asks clingo for the optimal answer sets of a program, ground anew at every move.

    ``program`` is a game with a strategy and without a position, as ``learn -o FILE.lp`` writes
    it; this is how the agents of Hahn and Shankar (2020) work.
    """

    program: str
    name: str

    def options(self, game: FiniteGame, state: State) -> tuple[str, ...]:
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
        return tuple(dict.fromkeys(optimised or every))


@dataclass(frozen=True, eq=False)
class TreeAgent:
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

    def options(self, game: FiniteGame, state: State) -> tuple[str, ...]:
        legal = _legal(game, state)
        known = self.scores.get(frozenset(game.facts(state)), {})
        scored = [action for action in legal if action in known]
        if not scored:
            return legal
        best = (max if game.roles[game.mover(state)] == self.main else min)(
            known[action] for action in scored
        )
        return tuple(action for action in scored if known[action] == best)


@dataclass(frozen=True, eq=False)
class Human:
    """Asks: ``ask(position, legal moves)`` answers with one of them."""

    ask: Callable[[str, tuple[str, ...]], str]
    name: str = "human"

    def options(self, game: TwoPlayerGame, state: State) -> tuple[str, ...]:
        legal = _legal(game, state)
        return (self.ask(game.show(state), legal),)


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
    game: _G, agents: Sequence[Agent[_G]], matches: int, seed: int
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
    agents: tuple[Agent[_G], Agent[_G]],
    standings: tuple[Standing, Standing],
    rng: random.Random,
) -> int:
    """One match; +1 where the agent that starts wins, -1 where the other does."""
    state = game.initial
    starter = game.mover(state)
    for _ in range(_MOST_MOVES):
        mover = game.mover(state)
        if mover < 0:
            goals = game.goals(state)
            return int(np.sign(goals[starter] - goals[1 - starter]))
        seat = 0 if mover == starter else 1
        begun = time.perf_counter()
        options = agents[seat].options(game, state)
        standings[seat].times.append(time.perf_counter() - begun)
        if not options:
            raise IllegalMove(f"{agents[seat].name} has no move in {game.show(state)}")
        chosen = options[0] if len(options) == 1 else rng.choice(options)
        state = game.result(state, Move(chosen))
    raise Refused(f"{game.name}: a match is not over after {_MOST_MOVES:,} moves")


# --- exact values --------------------------------------------------------------------------


def exact(stage: ArenaTable[_G], agent: Agent[_G]) -> Report:
    """An agent's chances against random play and its worst case, for each of the two seats."""
    return report(stage.arena, _mask(stage, agent))


def _mask(stage: ArenaTable[_G], agent: Agent[_G]) -> NDArray[np.bool_]:
    if isinstance(agent, Perfect) and agent.stage is stage:
        return stage.arena.optimal
    if isinstance(agent, Strategic):
        return agent.strategy.mask(stage)
    mask = np.ones(len(stage.arena.target), bool)
    if isinstance(agent, Random):
        return mask
    if isinstance(agent, ByClingo) and len(stage.arena.mover) > _MOST_ASKED:
        raise Refused(
            f"{stage.arena.name}: {len(stage.arena.mover):,} states are too many to ask clingo of"
        )
    for state in np.flatnonzero(stage.arena.mover >= 0):
        options = set(agent.options(stage.game, stage.state_at(int(state))))
        for move in stage.arena.moves_of(int(state)):
            mask[move] = stage.arena.action_name(move) in options
    return mask

"""Tournaments of a finite game: match results, thinking times, and exact chances of each agent.

The agents are players. Of the moves that one is ready to make (its options) one is picked at
random, so that ties are part of the agent. The time of a move is what it takes to find these.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.boards.finite.worth import Report, report
from icgsynth.boards.play.finite import TwoPlayerGame, TwoPlayerSession
from icgsynth.boards.play.masks import mask_of
from icgsynth.errors import IllegalMove, Refused
from icgsynth.game.game import Move, State
from icgsynth.play.match import Choice, Player

_G = TypeVar("_G", bound=TwoPlayerGame)

_MOST_MOVES = 10_000  # moves of one match, which may never end


@dataclass(frozen=True)
class Random(Player[TwoPlayerGame]):
    """A player whose options are all legal moves."""

    name: str = "random"

    def choose(self, game: TwoPlayerGame, state: State) -> Choice:
        """Return the first legal move; a tournament draws one of :meth:`options` in its place."""
        return Choice(self.options(game, state)[0], "")

    def options(self, game: TwoPlayerGame, state: State) -> tuple[Move, ...]:
        return tuple(game.moves(state))

    def mask(self, table: ArenaTable[Any]) -> NDArray[np.bool_]:
        return np.ones(len(table.arena.target), bool)


@dataclass(frozen=True, eq=False)
class Human(Player[TwoPlayerGame]):
    """A person as a player: ``ask(position, legal moves)`` returns the move the person chose."""

    ask: Callable[[str, tuple[str, ...]], str]
    name: str = "human"

    def choose(self, game: TwoPlayerGame, state: State) -> Choice:
        legal = tuple(move.action for move in game.moves(state))
        return Choice(Move(self.ask(game.show(state), legal)), "")


# --- matches -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairing:
    """The result of all matches between two agents, counted for the first of the two."""

    first: str
    second: str
    won: int
    drawn: int
    lost: int


@dataclass
class Standing:
    """The results of one agent over all its matches; ``times`` in seconds, one for each move."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    times: list[float] = field(default_factory=list, repr=False)

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    def latency(self) -> tuple[float, float]:
        """Return the mean and 95th percentile of the agent's time for a move, in milliseconds."""
        if not self.times:
            return 0.0, 0.0
        return 1e3 * float(np.mean(self.times)), 1e3 * float(np.percentile(self.times, 95))


def wilson(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's (1927) confidence interval (low, high) for a share of which ``count`` of
    ``total`` are seen; ``z`` is the normal quantile, by default for 95 %."""
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
    """Let every two agents play ``matches`` matches, taking turns to start; return the results of
    each pair and of each agent. Each move is drawn by ``seed`` from the agent's options."""
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
    """Play one match; return 1 if the agent who starts (the first) wins, -1 if the other, 0 for a
    draw. The seconds of each move are added to ``standings``. Refused if the match is too long."""
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
    """Return an agent's exact chances against random play and its worst case, from each seat."""
    return report(stage.arena, mask_of(agent, stage))

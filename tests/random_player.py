"""A player of impartial games that moves at random, on piles of any size."""

from __future__ import annotations

import random

from icgsynth.game.game import Move
from icgsynth.game.moves import any_move, some_moves
from icgsynth.logic.ranges import ranges
from icgsynth.play.match import Choice, Player


class RandomPlayer(Player):
    """Draws an action and then its parameters, from anywhere in their range or near its ends."""

    name = "a random player"

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def choose(self, game, state) -> Choice:
        for _ in range(64):
            move = self.drawn(game, state)
            if move is not None and game.applies(state, move):
                return Choice(move, "at random")
        near = list(some_moves(game, state))
        return Choice(self.rng.choice(near) if near else any_move(game, state), "at random")

    def drawn(self, game, state) -> Move | None:
        action = self.rng.choice(game.actions)
        env, values = game.env(state), []
        for index, name in enumerate(action.parameters):
            low, high = ranges(game.applicable(action), action.parameters[index:], env)[name]
            if low is None or high is None or low > high:
                return None
            ends = [low, min(low + 16, high), max(low, high - 16), high]
            near = int(self.rng.choice(ends))
            env[name] = near if self.rng.random() < 0.25 else self.rng.randint(int(low), int(high))
            values.append((name, env[name]))
        return Move(action.name, tuple(values))

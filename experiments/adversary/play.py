"""The moves of a game and who wins in a box, by the judge's own reading of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from experiments.adversary.meaning import Env, Language, Progression
from experiments.adversary.reading import Action, Node, Rules

__all__ = [
    "Graph",
    "Move",
    "Moves",
    "Play",
    "State",
    "cycle",
    "explored",
    "formulas",
    "labelled",
    "picked",
]

State: TypeAlias = tuple[int, ...]
_EDGE = 3  # points at each end of a progression that are taken for certain
_FAR = 10**30


@dataclass(frozen=True, slots=True)
class Move:
    """``after`` is the state that it leads to."""

    action: str
    arguments: tuple[int, ...]
    after: State


@dataclass(frozen=True, slots=True)
class Moves:
    """``complete`` says that these are all moves; ``leaving`` is one that would leave the legal
    states, where one was seen."""

    moves: tuple[Move, ...]
    complete: bool
    leaving: Move | None = None


def picked(
    progressions: Sequence[Progression], most: int, rng: random.Random
) -> tuple[list[int], bool]:
    """Their numbers, and whether these are all: of more than ``most`` those near the ends, and
    some at random."""
    if sum(p.count for p in progressions) <= most:
        return sorted({q for p in progressions for q in p}), True
    found: set[int] = set()
    chosen = list(progressions)
    if len(chosen) > most:
        chosen = rng.sample(chosen, most)
    for each in chosen:
        low, high = _window(each)
        for step in range(_EDGE):
            found |= {each.at(min(low + step, high)), each.at(max(high - step, low))}
        span = max(1, high - low)
        found |= {each.at(low + rng.randrange(span + 1)) for _ in range(_EDGE)}
        found |= {each.at(low + rng.randrange(min(span, 10 ** rng.randint(1, 30)) + 1))}
    return sorted(rng.sample(sorted(found), min(most, len(found)))), False


def _window(each: Progression) -> tuple[int, int]:
    """Bounds of n, made finite."""
    reach = _FAR // each.modulus
    if each.low == -inf and each.high == inf:
        return -reach, reach
    if each.low == -inf:
        return int(each.high) - reach, int(each.high)
    if each.high == inf:
        return int(each.low), int(each.low) + reach
    return int(each.low), int(each.high)


@dataclass(frozen=True)
class Play:
    """``rules`` one state at a time; the language of rules has no digits."""

    rules: Rules
    language: Language = field(default_factory=Language)

    def env(self, state: State) -> dict[str, int]:
        """The values of the variables and constants."""
        return {**self.rules.constants, **dict(zip(self.rules.variables, state, strict=True))}

    def is_legal(self, state: State) -> bool:
        return self.language.truth(self.rules.legal, self.env(state))

    def has_ended(self, state: State) -> bool:
        """Whether the declared end holds."""
        return self.language.truth(self.rules.end, self.env(state))

    def made(self, state: State, name: str, arguments: Mapping[str, int]) -> State | None:
        """The state after a move; None where it does not apply."""
        action = next((a for a in self.rules.actions if a.name == name), None)
        if action is None or set(action.parameters) != set(arguments) or self.has_ended(state):
            return None
        env = {**self.env(state), **arguments}
        after = self._after(action, env) if self.language.truth(action.precondition, env) else None
        return after if after is not None and self.is_legal(after) else None

    def _after(self, action: Action, env: Env) -> State:
        return tuple(
            self.language.value(action.effects[v], env) if v in action.effects else env[v]
            for v in self.rules.variables
        )

    def moves(self, state: State, most: int, rng: random.Random) -> Moves:
        """The moves of a legal state, at most about ``most`` of each action."""
        if self.has_ended(state):
            return Moves((), True)
        return self.beyond_end(state, most, rng)

    def beyond_end(self, state: State, most: int, rng: random.Random) -> Moves:
        """The moves as if the game had no declared end."""
        found: list[Move] = []
        complete, leaving = True, None
        for action in self.rules.actions:
            listed, every = self._arguments(action, self.env(state), most, rng)
            complete &= every
            for move in self._applied(action, state, listed):
                if self.is_legal(move.after):
                    found.append(move)
                else:
                    leaving = move
        return Moves(tuple(found), complete, leaving)

    def into(self, state: State, target: Node, most: int, rng: random.Random) -> Iterator[Move]:
        """Moves to states where ``target`` holds, which are looked for among all moves."""
        if self.has_ended(state):
            return
        wanted: Node = ("and", self.rules.legal, target)
        for action in self.rules.actions:
            listed, _ = self._arguments(action, self.env(state), most, rng, wanted)
            for move in self._applied(action, state, listed):
                if self.language.truth(wanted, self.env(move.after)):
                    yield move

    def _applied(
        self, action: Action, state: State, listed: Iterable[tuple[int, ...]]
    ) -> Iterator[Move]:
        """The moves among those with ``listed`` arguments that the precondition allows."""
        for arguments in listed:
            env = {**self.env(state), **dict(zip(action.parameters, arguments, strict=True))}
            if self.language.truth(action.precondition, env):
                yield Move(action.name, arguments, self._after(action, env))

    def _arguments(
        self,
        action: Action,
        env: dict[str, int],
        most: int,
        rng: random.Random,
        then: Node | None = None,
    ) -> tuple[list[tuple[int, ...]], bool]:
        """Values of the parameters where the action may apply, and whether these are all.

        Only those after which ``then`` may hold are wanted; where there are too many to list,
        those after which the state is legal.
        """
        names = [name for name in action.parameters if name not in env]
        if not names:
            return [tuple(env[name] for name in action.parameters)], True
        first, *others = names
        effects = {**{v: ("name", v) for v in self.rules.variables}, **action.effects}
        wanted = self.language.solutions(
            action.precondition, first, env, others, effects, then or ("true",)
        )
        if then is None and sum(p.count for p in wanted) > most:
            wanted = self.language.solutions(
                action.precondition, first, env, others, effects, self.rules.legal
            )
        values, every = picked(wanted, most, rng)
        found: list[tuple[int, ...]] = []
        for value in values:
            rest, all_rest = self._arguments(action, {**env, first: value}, most, rng, then)
            every &= all_rest
            found += rest
        return found, every


# --- a box -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Graph:
    """The legal states of a box.  ``after`` lists where the moves lead; an ``open`` state has
    more moves, or one out of the box."""

    after: Mapping[State, tuple[State, ...]]
    open: frozenset[State]


def explored(play: Play, states: Iterable[State], most: int, rng: random.Random) -> Graph:
    """The graph of the legal ones among ``states``."""
    legal = dict.fromkeys(state for state in states if play.is_legal(state))
    after: dict[State, tuple[State, ...]] = {}
    beyond: set[State] = set()
    for state in legal:
        moves = play.moves(state, most, rng)
        inside = tuple(dict.fromkeys(move.after for move in moves.moves if move.after in legal))
        after[state] = inside
        if not moves.complete or any(move.after not in legal for move in moves.moves):
            beyond.add(state)
    return Graph(after, frozenset(beyond))


def labelled(graph: Graph, rule: str) -> dict[State, bool]:
    """Whether the player to move wins, by backward induction, where the box determines it."""
    before: dict[State, list[State]] = {state: [] for state in graph.after}
    for state, after in graph.after.items():
        for new in after:
            before[new].append(state)
    left = {state: len(after) for state, after in graph.after.items()}
    labels: dict[State, bool] = {}
    stuck = (s for s, number in left.items() if not number and s not in graph.open)
    ready = [(state, rule == "misere") for state in stuck]
    while ready:
        state, wins = ready.pop()
        if state in labels:
            continue
        labels[state] = wins
        for previous in before[state]:
            left[previous] -= wins
            if not wins:
                ready.append((previous, True))
            elif not left[previous] and previous not in graph.open:
                ready.append((previous, False))
    return labels


def cycle(graph: Graph) -> State | None:
    """A state from which play can go on for ever; None where the box shows none."""
    before: dict[State, list[State]] = {state: [] for state in graph.after}
    for state, after in graph.after.items():
        for new in after:
            before[new].append(state)
    left = {state: len(after) for state, after in graph.after.items()}
    ready = [state for state, number in left.items() if not number]
    while ready:
        for previous in before[ready.pop()]:
            left[previous] -= 1
            if not left[previous]:
                ready.append(previous)
    return next((state for state, number in left.items() if number), None)


def formulas(rules: Rules) -> Iterator[Node]:
    """Every formula and term of the rules."""
    yield from (rules.legal, rules.end)
    for action in rules.actions:
        yield action.precondition
        yield from action.effects.values()

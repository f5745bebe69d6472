"""The moves of a game, by the judge's own reading of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from math import inf
from typing import Any, NamedTuple, TypeAlias

from experiments.judge.as_python import python
from experiments.judge.meaning import PLAIN, Env, Language, Progression
from experiments.judge.reading import Action, Node, Rules, free

__all__ = ["Move", "Moves", "Play", "State", "bounds", "picked"]

State: TypeAlias = tuple[int, ...]
_EDGE = 3  # points at each end of a progression that are taken for certain
_FAR = 10**30
_TRIED = 20_000  # values of the parameters of an action that are tried one by one


class Move(NamedTuple):
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


# --- bounds that stand in a formula --------------------------------------------------------------


def bound(node: Node, name: str, known: Iterable[str], side: str) -> Node | None:
    """A term over the names ``known`` that bounds ``name`` where ``node`` holds; None if none.

    ``side`` is "lower" or "upper".  Only comparisons with ``name`` alone on a side are looked at,
    so there may be a bound where None is returned.
    """
    found: list[Node] = []
    is_or = node[0] in ("or", "in")
    match node:
        case ("and" | "or", *parts):
            each = [bound(part, name, known, side) for part in parts]
            found = [term for term in each if term is not None]
            if is_or and len(found) < len(each):
                return None
        case ("in", ("name", other), values) if other == name:
            found = list(values)
        case ("chain", terms, signs):
            for (i, left), (j, right) in combinations(enumerate(terms), 2):
                for sign, less, more in (("<", left, right), (">", right, left)):
                    if {*signs[i:j]} <= {sign, f"{sign}=", "="}:  # less + strict <= more
                        strict = signs[i:j].count(sign)
                        if side == "lower" and more == ("name", name):
                            found.append(("+", less, ("int", strict)))
                        elif side == "upper" and less == ("name", name):
                            found.append(("-", more, ("int", strict)))
    found = [term for term in found if free(term) <= set(known)]
    if not found or (is_or and node[0] == "in" and len(found) < len(node[2])):
        return None
    choice = "max" if (side == "lower") != is_or else "min"
    return found[0] if len(found) == 1 else ("call", choice, *found)


def bounds(node: Node, name: str, known: Iterable[str]) -> tuple[Node | None, Node | None]:
    """Terms over the names ``known`` between which ``name`` is where ``node`` holds."""
    return bound(node, name, known, "lower"), bound(node, name, known, "upper")


# --- one state at a time -----------------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """``rules`` one state at a time."""

    rules: Rules

    def env(self, state: State) -> dict[str, int]:
        """The values of the variables."""
        return dict(zip(self.rules.variables, state, strict=True))

    @cached_property
    def legal(self) -> Callable[..., bool]:
        """Whether a state is legal, a function of its numbers."""
        return PLAIN.function(self.rules.legal, self.rules.variables)

    @cached_property
    def ended(self) -> Callable[..., bool]:
        """Whether the declared end holds, a function of the numbers of a state."""
        return PLAIN.function(self.rules.end, self.rules.variables)

    @cached_property
    def actions(self) -> Mapping[str, _Compiled]:
        """The actions by their names."""
        return {each.name: _Compiled.of(self, each) for each in self.rules.actions}

    def made(self, state: State, name: str, arguments: Mapping[str, int]) -> State | None:
        """The state after a move; None where it does not apply."""
        action = self.actions.get(name)
        if action is None or set(action.rules.parameters) != set(arguments) or self.ended(*state):
            return None
        numbers = (*state, *(arguments[key] for key in action.rules.parameters))
        after = action.after(*numbers) if action.applies(*numbers) else None
        return after if after is not None and self.legal(*after) else None

    def moves(self, state: State, most: int, rng: random.Random) -> Moves:
        """The moves of a legal state, at most about ``most`` of an action that has very many."""
        return Moves((), True) if self.ended(*state) else self.beyond_end(state, most, rng)

    def beyond_end(self, state: State, most: int, rng: random.Random) -> Moves:
        """The moves as if the game had no declared end."""
        found: list[Move] = []
        complete, leaving = True, None
        for action in self.actions.values():
            moves = action.moves(state)
            if moves is None:
                listed, every = self._arguments(action.rules, self.env(state), most, rng)
                moves = action.made(state, listed)
                complete &= every
            for move in moves:
                if self.legal(*move.after):
                    found.append(move)
                else:
                    leaving = move
        return Moves(tuple(found), complete, leaving)

    def into(
        self, state: State, target: tuple[Language, Node], most: int, rng: random.Random
    ) -> Iterator[Move]:
        """Moves to states where ``target`` holds, which are looked for among all moves."""
        if self.ended(*state):
            return
        language, wanted = target[0], ("and", self.rules.legal, target[1])
        for action in self.actions.values():
            then = language, wanted
            listed, _ = self._arguments(action.rules, self.env(state), most, rng, then)
            for move in action.made(state, listed):
                if language.truth(wanted, self.env(move.after)):
                    yield move

    def _arguments(
        self,
        action: Action,
        env: Env,
        most: int,
        rng: random.Random,
        then: tuple[Language, Node] | None = None,
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
        language, target = then or (PLAIN, ("true",))
        solved = partial(language.solutions, action.precondition, first, env, others, effects)
        wanted = solved(target)
        if then is None and sum(p.count for p in wanted) > most:
            wanted = solved(self.rules.legal)
        values, every = picked(wanted, most, rng)
        found: list[tuple[int, ...]] = []
        for value in values:
            rest, all_rest = self._arguments(action, {**env, first: value}, most, rng, then)
            every &= all_rest
            found += rest
        return found, every


class _VeryMany(Exception):
    """So many values of a parameter are not tried one by one."""


@dataclass(frozen=True)
class _Compiled:
    """An action as functions of the numbers of a state, and of the parameters.

    ``listed`` yields the arguments and the state after every move, found by trying all numbers
    between the bounds of the parameters; it is None where the precondition does not bound them.
    """

    rules: Action
    applies: Callable[..., bool]
    after: Callable[..., State]
    listed: Callable[..., Iterator[tuple[tuple[int, ...], State]]] | None

    @staticmethod
    def of(play: Play, action: Action) -> _Compiled:
        """The action of a game."""
        variables = play.rules.variables
        names = (*variables, *action.parameters)
        effects = (action.effects.get(variable, ("name", variable)) for variable in variables)
        after: Node = ("several", *effects)
        return _Compiled(
            action,
            PLAIN.function(action.precondition, names),
            PLAIN.function(after, names),
            _loops(action, variables, after),
        )

    def moves(self, state: State) -> list[Move] | None:
        """All moves, also those that leave the legal states; None if it takes too long."""
        if self.listed is None:
            return None
        try:
            return [Move(self.rules.name, *found) for found in self.listed(*state)]
        except _VeryMany:
            return None

    def made(self, state: State, listed: Iterable[tuple[int, ...]]) -> list[Move]:
        """The moves among those with ``listed`` arguments that the precondition allows."""
        return [
            Move(self.rules.name, arguments, self.after(*state, *arguments))
            for arguments in listed
            if self.applies(*state, *arguments)
        ]


def _loops(action: Action, variables: Sequence[str], after: Node) -> Callable[..., Any] | None:
    """``listed`` of :class:`_Compiled`: a loop for each parameter, from bound to bound."""
    scope = PLAIN.scope() | {"VeryMany": _VeryMany}
    depth = "    "
    lines = [f"def listed({', '.join(f'v_{name}' for name in variables)}):", f"{depth}tried = 0"]
    known, left = list(variables), list(action.parameters)
    while left:
        found = ((n, *bounds(action.precondition, n, known)) for n in left)
        name, low, high = next((each for each in found if None not in each), ("", None, None))
        if low is None or high is None:
            return None
        left.remove(name)
        known.append(name)
        lines.append(f"{depth}low, high = {python(low, scope)}, {python(high, scope)}")
        lines.append(f"{depth}tried += max(0, 1 + high - low)")
        lines.append(f"{depth}if tried > {_TRIED}: raise VeryMany")
        lines.append(f"{depth}for v_{name} in range(low, high + 1):")
        depth += "    "
    arguments = "".join(f"v_{name}, " for name in action.parameters)
    lines.append(f"{depth}if {python(action.precondition, scope)}:")
    lines.append(f"{depth}    yield ({arguments}), {python(after, scope)}")
    exec("\n".join(lines), scope)
    listed: Callable[..., Any] = scope["listed"]
    return listed

"""The moves of a game and who wins in a box, by the judge's own reading of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import inf, prod
from typing import Any, NamedTuple, TypeAlias

from experiments.judge.as_python import python
from experiments.judge.meaning import PLAIN, Env, Language, Progression
from experiments.judge.reading import Action, Node, Rules, free

__all__ = ["Graph", "Move", "Moves", "Play", "State", "box", "endless", "explored", "outcomes"]
__all__ += ["picked"]

State: TypeAlias = tuple[int, ...]
_EDGE = 3  # points at each end of a progression that are taken for certain
_FAR = 10**30
_TRIED = 5_000  # values of the parameters of an action that are tried one by one
_NEAR = 10**6  # how far from 0, on its other side, a bound may be that a box begins at
_MANY, _SMALLER = 3, 4  # so many parameters of an action make a box that much smaller


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

_FLIPPED = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
# What each comparison "name SIGN bound" adds to the bound, to make it one that is included.
_INCLUDED = {"lower": {"=": 0, ">=": 0, ">": 1}, "upper": {"=": 0, "<=": 0, "<": -1}}


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
            for left, sign, right in zip(terms, signs, terms[1:], strict=False):
                for one, way, other in ((left, sign, right), (right, _FLIPPED.get(sign), left)):
                    if one == ("name", name) and way in _INCLUDED[side]:
                        found.append(("+", other, ("int", _INCLUDED[side][way])))
    found = [term for term in found if free(term) <= set(known)]
    if not found or (is_or and node[0] == "in" and len(found) < len(node[2])):
        return None
    choice = "max" if (side == "lower") != is_or else "min"
    return found[0] if len(found) == 1 else ("call", choice, *found)


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
    most = round(_TRIED ** (1 / max(1, len(action.parameters))))
    lines = [f"def listed({', '.join(f'v_{name}' for name in variables)}):"]
    depth = "    "
    for i, name in enumerate(action.parameters):
        known = (*variables, *action.parameters[:i])
        low, high = (bound(action.precondition, name, known, side) for side in ("lower", "upper"))
        if low is None or high is None:
            return None
        lines.append(f"{depth}low, high = {python(low, scope)}, {python(high, scope)}")
        lines.append(f"{depth}if high - low > {most}: raise VeryMany")
        lines.append(f"{depth}for v_{name} in range(low, high + 1):")
        depth += "    "
    arguments = "".join(f"v_{name}, " for name in action.parameters)
    lines.append(f"{depth}if {python(action.precondition, scope)}:")
    lines.append(f"{depth}    yield ({arguments}), {python(after, scope)}")
    exec("\n".join(lines), scope)
    listed: Callable[..., Any] = scope["listed"]
    return listed


# --- a box -------------------------------------------------------------------------------------


def box(play: Play, cells: int) -> list[State]:
    """At most about ``cells`` states, legal or not: those near a bound of a variable, or near 0."""
    if any(len(action.parameters) >= _MANY for action in play.rules.actions):
        cells //= _SMALLER
    legal, names = play.rules.legal, play.rules.variables
    bounds = [[bound(legal, name, (), side) for side in ("lower", "upper")] for name in names]
    numbers = [[None if t is None else PLAIN.value(t, {}) for t in pair] for pair in bounds]
    sides: list[range] = []
    for reach in range(cells):
        wider = [_side(low, high, reach) for low, high in numbers]
        if wider == sides or (sides and prod(map(len, wider)) > cells):
            break
        sides = wider
    return list(product(*sides))


def _side(low: int | None, high: int | None, reach: int) -> range:
    """Numbers within ``reach`` of a bound with no numbers far beyond it towards 0, or of 0."""
    first, last = -reach, reach
    if low is not None and low >= -_NEAR:
        first, last = low, low + reach
    elif high is not None and high <= _NEAR:
        first, last = high - reach, high
    first = first if low is None else max(first, low)
    return range(first, 1 + (last if high is None else min(last, high)))


@dataclass(frozen=True)
class Graph:
    """The moves of each legal state of a box."""

    moves: Mapping[State, Moves]

    @cached_property
    def after(self) -> Mapping[State, tuple[State, ...]]:
        """The different states of the box that moves lead to."""
        return {
            state: tuple(dict.fromkeys(m.after for m in moves.moves if m.after in self.moves))
            for state, moves in self.moves.items()
        }

    @cached_property
    def before(self) -> Mapping[State, Sequence[State]]:
        """The states that moves come from."""
        found: dict[State, list[State]] = {state: [] for state in self.moves}
        for state, after in self.after.items():
            for new in after:
                found[new].append(state)
        return found

    def is_open(self, state: State) -> bool:
        """Whether it has more moves than are known, or one out of the box."""
        moves = self.moves[state]
        return not moves.complete or any(move.after not in self.moves for move in moves.moves)


def explored(play: Play, states: Iterable[State], most: int, rng: random.Random) -> Graph:
    """The graph of the legal ones among ``states``."""
    return Graph({s: play.moves(s, most, rng) for s in states if play.legal(*s)})


def outcomes(graph: Graph, rule: str, block: int = 0) -> dict[State, str]:
    """Who wins, for the states of which the box says it: "won", "lost" or "drawn" for who moves.

    A state with more than ``block`` lost options is won, however play may go on elsewhere.  What is
    neither won nor lost is drawn where no way leads to a state with moves that are not known.
    """
    left = {state: len(after) for state, after in graph.after.items()}
    lost_options = dict.fromkeys(left, 0)
    is_open = {state for state in left if graph.is_open(state)}
    found: dict[State, str] = {}
    ready = [(s, "lost") for s, number in left.items() if number <= block and s not in is_open]
    if rule == "misere":
        ready = [(state, "won") for state, _ in ready]
    while ready:
        state, label = ready.pop()
        if state in found:
            continue
        found[state] = label
        for previous in graph.before[state]:
            left[previous] -= label == "won"
            lost_options[previous] += label == "lost"
            if lost_options[previous] > block:
                ready.append((previous, "won"))
            elif left[previous] <= block and previous not in is_open:
                ready.append((previous, "lost"))
    doubtful = [state for state in is_open if state not in found]
    reached = set(doubtful)
    while doubtful:
        new = {s for s in graph.before[doubtful.pop()] if s not in found} - reached
        reached |= new
        doubtful += new
    return found | {state: "drawn" for state in left if state not in found and state not in reached}


def endless(graph: Graph) -> State | None:
    """A state from which play can go on for ever; None where the box shows none."""
    left = {state: len(after) for state, after in graph.after.items()}
    ready = [state for state, number in left.items() if not number]
    while ready:
        for previous in graph.before[ready.pop()]:
            left[previous] -= 1
            if not left[previous]:
                ready.append(previous)
    return next((state for state, number in left.items() if number), None)

"""Brute force about members of families: the rules once more, as Python, and plain recursion.

Nothing of icgsynth is used: the moves are written by hand, and the formulas and strategies are
read from their text and evaluated by Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from experiments.family_statements import Family

__all__ = ["Judgement", "judged"]

Constants = Mapping[str, int]
State = tuple[int, ...]
Move = tuple[str, State, State]  # the action, its arguments, the state after it
Moves = Callable[[Constants, State], Iterable[Move]]

_FAR = 900  # the largest pile of a game of one
_SIDE = {2: 34, 3: 12}  # the largest pile of others
_LARGEST = {1: 200, 2: 33, 3: 9}  # constant, by the number of piles
_SMALL, _OTHERS = 60, 60  # members: those with the smallest constants, and some evenly spread
_WORDS = {"mod": "%", "div": "//", "=": "==", "true": "True", "false": "False"}
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+|<->|->|[<>!]=|\S")


@dataclass
class Judgement:
    """How many members and states were compared, and in which of them something was wrong."""

    members: int = 0
    states: int = 0
    disagree: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "all agree" if not self.disagree else f"WRONG at {self.disagree[0]}"


def judged(family: Family, losing: str, strategy: str) -> Judgement:
    """Formula and strategy, ``when: action(arguments)`` with ``;`` between, on many members."""
    free, (variables, moves) = family.free.split(), HAND[family.rules]
    names = ", ".join((*free, *variables))
    is_lost = _python(names, losing)
    rules = [_rule(names, text) for text in strategy.split("; ")] if strategy else []
    allowed = _python(", ".join(free), family.range_)
    found = Judgement()
    for values in _members(allowed, len(free), _LARGEST[len(variables)]):
        constants = dict(family.fixed) | dict(zip(free, values, strict=True))
        found.members += 1
        lost: dict[State, bool] = {}
        for state in _states(family, constants, len(variables)):
            after = list(moves(constants, state))
            lost[state] = not any(lost[to] for _, _, to in after)
            lost[state] &= bool(after) or family.rule == "normal"
            found.states += 1
            well = bool(is_lost(*values, *state)) == lost[state]
            if well and not lost[state] and after:
                well = _wins(rules, (*values, *state), after, lost)
            if not well:
                found.disagree.append(f"{constants}, {state}")
    return found


def _members(allowed: Callable[..., bool], count: int, largest: int) -> list[State]:
    """The constants of those that are played."""
    numbers = product(range(largest + 1), repeat=count)
    found = sorted((each for each in numbers if allowed(*each)), key=sum)
    rest = found[_SMALL:]
    return found[:_SMALL] + rest[:: -(-len(rest) // _OTHERS) or 1]


def _wins(
    rules: Sequence[tuple[Callable[..., bool], str, Callable[..., State]]],
    at: State,
    after: Sequence[Move],
    lost: Mapping[State, bool],
) -> bool:
    """Whether the first rule that applies names a move, and it leads to a losing state."""
    for when, action, arguments in rules:
        if when(*at):
            named = (action, arguments(*at))
            return any(lost[to] for does, by, to in after if (does, by) == named)
    return False


def _python(names: str, text: str) -> Callable[..., bool]:
    words = [_WORDS.get(word, word) for word in _TOKEN.findall(text)]
    if {"->", "<->", "if", "exists", "forall"} & set(words):
        raise ValueError(f"the judge cannot read {text!r}")
    made: Callable[..., bool] = eval(f"lambda {names}: {' '.join(words)}")
    return made


def _rule(names: str, text: str) -> tuple[Callable[..., bool], str, Callable[..., State]]:
    when, _, act = text.rpartition(": ")
    action, _, arguments = act.partition("(")
    inner = arguments.removesuffix(")")
    listed = _python(names, f"({inner},)" if inner else "()")
    return _python(names, when), action, listed  # type: ignore[return-value]


def _states(family: Family, constants: Constants, count: int) -> Iterable[State]:
    """In an order in which every move goes to an earlier one."""
    if count == 1:
        if family.rules == "race_to_goal":
            return [(v,) for v in range(constants["goal"], -1, -1)]
        reach = range(min(_FAR, 4 * max(constants.values()) + 100))
        sign = (1, -1) if family.rules == "two_sided_take_away" else (1,)
        return [(s * v,) for v in reach for s in sign]
    side = _SIDE[count]
    last = range(constants["c"] + 1 if "c" in constants else side)
    cells = product(*[range(side)] * (count - 1), last)
    some = (s for s in cells if family.rules != "welter2" or s[0] != s[1])
    return sorted(some, key=sum)


# --- the rules ---------------------------------------------------------------------------------


def _take(numbers: Callable[[Constants], Iterable[int]]) -> Moves:
    """From one pile."""
    return lambda c, s: [("take", (k,), (s[0] - k,)) for k in numbers(c) if 1 <= k <= s[0]]


def _race(c: Constants, s: State) -> Iterator[Move]:
    for k in range(1, c["step"] + 1):
        if s[0] + k <= c["goal"]:
            yield "add", (k,), (s[0] + k,)


def _two_sided(c: Constants, s: State) -> Iterator[Move]:
    for k in range(1, min(c["n"], abs(s[0])) + 1):
        yield ("down", (k,), (s[0] - k,)) if s[0] > 0 else ("up", (k,), (s[0] + k,))


def _mark(c: Constants, s: State) -> Iterator[Move]:
    for k in range(1, min(c["t"], s[0]) + 1):
        yield "take", (k,), (s[0] - k,)
    if s[0] and s[0] % c["d"] == 0:
        yield "divide", (s[0] // c["d"],), (s[0] // c["d"],)


def _piles(
    names: Sequence[str],
    numbers: Sequence[Callable[[Constants, int], Iterable[int]]],
    both: Callable[[Constants, State], Iterable[tuple[State, int, int]]] = lambda *_: (),
) -> Moves:
    """From one pile, or arguments and what they take from ``both`` of two."""

    def moves(c: Constants, s: State) -> Iterator[Move]:
        for i, (name, from_one) in enumerate(zip(names, numbers, strict=True)):
            for k in from_one(c, s[i]):
                if 1 <= k <= s[i]:
                    yield name, (k,), (*s[:i], s[i] - k, *s[i + 1 :])
        for arguments, j, k in both(c, s):
            if j <= s[0] and k <= s[1]:
                yield "take_both", arguments, (s[0] - j, s[1] - k)

    return moves


_AB = ("take_a", "take_b")
_ANY = [lambda c, x: range(1, x + 1)] * 2


def _up_to(*names: str) -> list[Callable[[Constants, int], Iterable[int]]]:
    return [lambda c, x, n=n: range(1, c[n] + 1) for n in names]  # type: ignore[misc]


def _near(c: Constants, s: State) -> Iterator[tuple[State, int, int]]:
    for j, k in product(range(1, s[0] + 1), range(1, s[1] + 1)):
        if abs(j - k) < c["f"]:
            yield (j, k), j, k


def _cyclic(c: Constants, s: State) -> Iterator[tuple[State, int, int]]:
    for j in range(1, c["h"]):
        yield from (((j, k), j, k) for k in range(1, c["h"] - j))


def _modular(c: Constants, s: State) -> Iterator[tuple[State, int, int]]:
    for j in range(1, s[0] + 1):
        first = (-j) % c["m"] or c["m"]
        yield from (((j, k), j, k) for k in range(first, s[1] + 1, c["m"]))


def _restricted(c: Constants, s: State) -> Iterator[tuple[State, int, int]]:
    for k in range(1, min(s) + 1):
        if max(s) - k >= c["l"] and min(s) - k >= c["m"]:
            yield (k,), k, k


def _welter(c: Constants, s: State) -> Iterator[Move]:
    a, b = s
    for k in range(1, c["l"] + 1):
        if k <= a and a - k != b:
            yield "move_a", (k,), (a - k, b)
        if k <= b and b - k != a:
            yield "move_b", (k,), (a, b - k)


_SLOW = _up_to("l", "l")
_BETWEEN = [lambda c, x: range(c["lo"], c["hi"] + 1)] * 2
HAND: dict[str, tuple[tuple[str, ...], Moves]] = {
    "take_away": (("v",), _take(lambda c: range(1, c["n"] + 1))),
    "race_to_goal": (("v",), _race),
    "interval": (("v",), _take(lambda c: range(c["a"], c["b"] + 1))),
    "subtraction2": (("v",), _take(lambda c: {c["s1"], c["s2"]})),
    "subtraction3": (("v",), _take(lambda c: {c["s1"], c["s2"], c["s3"]})),
    "one_or_neighbours": (("v",), _take(lambda c: {1, c["k"], c["k"] + 1})),
    "two_sided_take_away": (("v",), _two_sided),
    "i_mark": (("v",), _mark),
    "slow_nim2": (("a", "b"), _piles(_AB, _SLOW)),
    "mixed_take_away2": (("a", "b"), _piles(_AB, _up_to("m", "n"))),
    "interval2": (("a", "b"), _piles(_AB, _BETWEEN)),
    "modular_nim2": (
        ("a", "b"),
        _piles(_AB, [lambda c, x: [k for k in range(1, x + 1) if k % c["m"]]] * 2),
    ),
    "modular_extension_nim2": (("a", "b"), _piles(_AB, _ANY, _modular)),
    "all_but_nim2": (
        ("a", "b"),
        _piles(_AB, [lambda c, x: [k for k in range(1, x + 1) if k != c["s"]]] * 2),
    ),
    "cyclic_nimhoff": (("a", "b"), _piles(_AB, _ANY, _cyclic)),
    "welter2": (("a", "b"), _welter),
    "diagonal_step": (("a", "b"), _piles(_AB, _ANY, lambda c, s: [((), c["s"], c["s"])])),
    "wythoff_diag_set2": (
        ("a", "b"),
        _piles(_AB, _ANY, lambda c, s: [((k,), k, k) for k in {c["s1"], c["s2"]}]),
    ),
    "wythoff_direction": (
        ("a", "b"),
        _piles(_AB, _ANY, lambda c, s: [((k,), c["p"] * k, c["q"] * k) for k in range(1, 40)]),
    ),
    "restricted_low": (("a", "b"), _piles(_AB, _ANY, _restricted)),
    "near_diagonal_low": (("a", "b"), _piles(_AB, _ANY, _near)),
    "slow_nim3_low": (
        ("x", "y", "z"),
        _piles(("take_x", "take_y", "take_z"), _up_to("l", "l", "l")),
    ),
}

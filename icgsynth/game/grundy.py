"""Answers for Grundy values: the function, how far it is proved, and its periods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from math import lcm, prod
from typing import Any, ClassVar, Literal

import numpy as np

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.errors import Refused
from icgsynth.game import value_forms as forms
from icgsynth.game.answers import SCHEMA, BoxCheck, Kind, Shown, Verdict
from icgsynth.game.beside_heap import aiming
from icgsynth.game.game import GivenState, Move, ParametricGame, State
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, substitute, walk
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import is_product, ranges

_MOST_CASES = 16  # cases of the other variables that are listed
_MOST_TRIED = 10_000  # cases that are looked at, legal or not: some tenths of a second
_FARTHEST = 100_000  # number up to which values are computed to see a period: some 10 ms
_LONGEST = 2_000  # values that are listed

_LINEAR = t.Int | t.Name | t.Sum | t.Neg | t.Mul | t.Mod  # repeats, up to a constant, by its moduli
_PLAIN = _LINEAR | t.Div | t.If | t.Compare | t.Member | t.Truth | t.Not | t.And | t.Or


@dataclass(frozen=True)
class Period:
    """The eventually periodic values of ``variable`` = ``first``, ``first`` + 1, .. in one case.
    ``values`` has the ``preperiod`` first values, and one period.  Each later one is that a period
    before it, plus the ``saltus``.  The other variables are as ``given``."""

    variable: str
    given: Mapping[str, int]
    first: int
    preperiod: int
    period: int
    saltus: int
    values: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the period as an entry of ``periods`` in an answer file, for JSON."""
        data: dict[str, Any] = {"given": dict(self.given)} if self.given else {}
        data |= {"first": self.first, "preperiod": self.preperiod, "period": self.period}
        return data | {"saltus": self.saltus, "values": list(self.values)}


def periods(term: t.Term | None, game: ParametricGame) -> tuple[Period, ...]:
    """Return the eventual periods of ``term``, a Grundy function, along the only unbounded variable
    of ``game``: one for each choice of values of the bounded variables.  Empty where one of them
    has none, or there are two unbounded variables.  That values repeat follows from the form of the
    term: past all numbers that it compares the variable with, only remainders count."""
    ends = ranges(game.legal, game.variables, {})
    free = [name for name, (low, high) in ends.items() if low is None or high is None]
    if term is None or len(free) != 1 or not isinstance(first := ends[free[0]][0], int):
        return ()
    given_ends = [(low or 0, high or 0) for n, (low, high) in ends.items() if n != free[0]]
    if prod(high - low + 1 for low, high in given_ends) > _MOST_TRIED:
        return ()
    sides = [range(low, high + 1) for low, high in given_ends]
    others, found = [v for v in game.variables if v != free[0]], list[Period]()
    for numbers in product(*sides):
        given = dict(zip(others, numbers, strict=True))
        known = {name: t.Int(number) for name, number in given.items()}
        there = fold(substitute(game.legal, known))
        if there == t.FALSE:
            continue
        one = _of_case(free[0], given, first, fold(substitute(term, known)), there)
        if one is None or len(found) == _MOST_CASES:
            return ()
        found.append(one)
    return tuple(found)


def _of_case(
    name: str, given: Mapping[str, int], first: int, term: t.Term, legal: t.Formula
) -> Period | None:
    reach = _reach(term, name)
    if reach is None or (last := max(first, reach[0]) + 2 * reach[1]) > _FARTHEST:
        return None
    late, period = max(0, reach[0] - first), reach[1]
    numbers = np.arange(first, last + 1)
    env = {name: numbers}
    if not np.all(columns(legal, env)):  # a list would have gaps
        return None
    values = np.broadcast_to(columns(term, env), numbers.shape).astype(np.int64)
    for shorter in (p for p in range(1, period + 1) if period % p == 0):
        steps = values[shorter:] - values[:-shorter]
        saltus = int(steps[late])
        if (steps[late : late + period] == saltus).all():
            differs = np.flatnonzero(steps != saltus)
            start = int(differs[-1]) + 1 if len(differs) else 0
            shown = tuple(values[: start + shorter].tolist())
            is_short = len(shown) <= _LONGEST
            return Period(name, given, first, start, shorter, saltus, shown) if is_short else None
    return None


def _reach(term: t.Term, name: str) -> tuple[int, int] | None:
    """Return (start, period) such that from start on ``term`` grows by one constant from each
    number ``name`` to that a period later; None where the form of the term does not show it."""
    # The number itself is compared with numbers alone, and divided by numbers.
    parts = list(walk(term))
    rests = [part for part in parts if isinstance(part, t.Mod | t.Div)]
    inner = (node for rest in rests for node in walk(t.children(rest)[0]))
    is_linear = all(isinstance(node, _LINEAR | t.Mod) for node in inner)
    if not is_linear or not all(isinstance(node, _PLAIN) for node in parts):
        return None
    if not free_names(term) <= {name} or any(map(is_product, parts)):
        return None
    compared = [t.children(part) for part in parts if isinstance(part, t.Compare | t.Member)]
    numbers = [
        abs(side.value) + 1 for sides in compared for side in sides if isinstance(side, t.Int)
    ]
    for sides in compared:  # a remainder, or the variable, with numbers
        kinds = {type(side) for side in sides} - {t.Int}
        if len(kinds) > 1 or not kinds <= {t.Name, t.Mod}:
            return None
    divisors = (rest.divisor.value for rest in rests if isinstance(rest.divisor, t.Int))
    return max(numbers, default=0), lcm(*divisors)


@dataclass(frozen=True, repr=False)
class GrundyAnswer(Shown):
    """An answer with the Grundy function ``value`` of a game under normal play, None if unknown.

    The tracks of an automaton are the variables of the game and, last, the value.  ``proof`` says
    how three claims stand: "termination", play ends; "keeps", no move keeps the value; "reaches",
    some move reaches each smaller value.  The ``strategy`` says which: its rules call the value to
    reach :attr:`target`.  It is empty where none was found; then such a move has to be looked for
    state by state.
    """

    kind: ClassVar[Kind] = "value"
    game: ParametricGame
    status: Literal["solved", "unknown"]
    value: forms.Value | None = None
    strategy: Strategy[Rule | TargetRule] = field(default_factory=Strategy)
    proof: Mapping[str, Verdict] = field(default_factory=dict)
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explicit: BoxCheck | None = None
    ranking: tuple[t.Term, ...] = ()
    cycle: tuple[State, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    known: Mapping[State, int] = field(default_factory=dict, repr=False)

    @property
    def brief(self) -> str:
        term = f"; value: {self.term}" if self.term is not None else ""
        return f"{self.game.name}: {self.status}{term if len(term) < 80 else ''}"

    @property
    def is_proved(self) -> bool:
        return self.status == "solved"

    @property
    def term(self) -> t.Term | None:
        """Return the Grundy function if it is a term over the variables, else None."""
        return self.value if self.value is not None and forms.is_term(self.value) else None

    @property
    def periods(self) -> tuple[Period, ...]:
        """Return the eventual periods of the values along the only unbounded variable, one for each
        choice of the other variables; () if there are none."""
        return periods(self.term, self.game)

    @property
    def automaton(self) -> Automaton | None:
        """Return the Grundy function if it is an automaton (last track: the value), else None."""
        return self.value if isinstance(self.value, Automaton) else None

    @property
    def logic(self) -> str:
        """Return "lia" for linear arithmetic, or the name of the numeration system that the Grundy
        function speaks of."""
        return forms.value_logic(self.value)

    @property
    def target(self) -> str:
        """Return the name by which rules of the strategy call the Grundy value that a move is to
        reach: ``w``, or one that the game does not use."""
        return aiming(self.game).variables[-1]

    def mover(self, state: State, target: int) -> Move | None:
        """Return the strategy's move from ``state`` to a state whose Grundy value is ``target``;
        None if the strategy has none."""
        found = self.strategy.choose(aiming(self.game), (*state, target))
        return None if found is None else found.move

    def __call__(self, state: GivenState) -> int:
        """Return the proved Grundy value of ``state``; Refused if none is proved, InputError if it
        is not legal: a function says something of other states as well, which is no value."""
        here = self.game.legal_state(state)
        if (number := self.known.get(here)) is not None:
            return number
        if not self.is_proved or self.value is None:
            raise Refused(f"no Grundy function of {self.game.name} is proved")
        return forms.value_at(self.value, self.game.env(here))

    def known_at(self, state: State) -> int | None:
        """Return the proved Grundy value of the legal ``state``; None where none is proved."""
        try:
            return self(state)
        except Refused:
            return None

    def __str__(self) -> str:
        return f"{self.game.name}: {forms.value_text(self.value)}"

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON: plain dicts, lists, strings and numbers."""
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "value",
            "game": self.game.name,
            "constants": dict(self.game.constants),
            "variables": list(self.game.variables),
            "rule": "normal",
            "status": self.status,
            "logic": self.logic,
            "value": None if self.value is None else forms.value_json(self.value),
            "strategy": [_rule_json(rule, self.target) for rule in self.strategy],
            "proof": {part: str(verdict) for part, verdict in self.proof.items()},
            "confirmed": {part: list(by) for part, by in self.confirmed.items()},
            "explicit": None if self.explicit is None else self.explicit.to_json(),
            "seconds": {part: round(s, 4) for part, s in self.seconds.items()},
            "ranking": [str(component) for component in self.ranking],
            "rules": str(self.game),
        }
        if isinstance(self.value, Automaton | forms.ExponentValue):
            data["numeration"] = numeration(self.logic).to_json()
        if self.periods and not self.periods[0].given:
            data |= self.periods[0].to_json()
        elif self.periods:
            data["periods"] = [period.to_json() for period in self.periods]
        if self.cycle:
            data["cycle"] = [list(state) for state in self.cycle]
        if self.notes:
            data["notes"] = list(self.notes)
        return data


def _rule_json(rule: Rule | TargetRule, target: str) -> dict[str, Any]:
    data = rule.to_json()
    if "args" in data:
        data["arguments"] = data.pop("args")
    return {**data, "target": target}

"""Lift games whose rules differ in integers alone to one family with constants.

Two games are of one family where their variables, actions and parameters have the same names and
their rules are the same syntax tree, integers aside.  An integer that is equal in all of them stays
a number; those that differ become constants, and numbers that move together linearly are terms of
one constant.  A family is only made where each game comes back, node for node, when its own values
are put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from icgsynth.benchmark.rules.pddl import RESERVED
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, rebuild, walk
from icgsynth.logic.simplify import linear_sum
from icgsynth.spec.icg import parse
from icgsynth.spec.icg_spec import Spec
from icgsynth.spec.source import Source

_LETTERS = ("n", "m", "p", "q", "s", "t")  # for constants, those first that no name takes
_SHARED = 3  # different values that make two numbers with a factor between them one constant
_SHIFTED = 2  # the same where their difference is fixed

Column: TypeAlias = tuple[int, ...]
"""One integer of the rules in each of the games, in their order."""


@dataclass(frozen=True)
class LiftedFamily:
    """``spec`` has the constants, each with its value in the first game.

    ``members`` are the names of the games, each with the values that give it; two games may have
    the same values.  A family of one game, or of equal ones, has no constants.
    """

    spec: Spec
    members: Mapping[str, Mapping[str, int]]

    @property
    def constants(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.spec.constants)

    def values(self, constant: str) -> tuple[int, ...]:
        """Return the values of ``constant`` that the games have, ascending, each once."""
        return tuple(sorted({values[constant] for values in self.members.values()}))


def lifted(games: Iterable[tuple[str, ParametricGame]]) -> list[LiftedFamily]:
    """The families of these games, each of which has a name of its own; the largest first.

    Every game is in one of them.
    """
    found: dict[object, dict[str, ParametricGame]] = {}
    for name, game in games:
        found.setdefault(_outline(game), {})[name] = game
    families = chain.from_iterable(map(_families, found.values()))
    return sorted(families, key=lambda family: -len(family.members))


def _families(games: Mapping[str, ParametricGame]) -> Iterator[LiftedFamily]:
    """One family of games with one outline, or each game by itself where that does not work out."""
    columns = list(zip(*map(_integers, games.values()), strict=True))
    for is_linear in (True, False):
        found = _family(games, columns, is_linear)
        if found is not None:
            yield found
            return
    for name, game in games.items():
        yield LiftedFamily(_spec(game, game, ()), {name: {}})


def _family(
    games: Mapping[str, ParametricGame], columns: Sequence[Column], is_linear: bool
) -> LiftedFamily | None:
    """The family with these integers, if it is one; without factors if not ``is_linear``."""
    first = next(iter(games.values()))
    shared = _shared(columns, is_linear)
    constants = _named(shared, games)
    terms = {c: _term(s, constants) for c, s in shared.items()}
    over = _with_integers(first, iter([terms[column] for column in columns]))
    values = [
        dict(zip(constants.values(), each, strict=True)) for each in zip(*constants, strict=True)
    ]
    values = values or [{}] * len(games)
    try:
        spec = _spec(over, first, tuple(values[0].items()), _common_name(games))
        whole = all(
            _rules(spec.game(own)) == _rules(game)
            for own, game in zip(values, games.values(), strict=True)
        )
    except InputError:  # a name that the language does not have, a divisor that became negative
        return None
    return LiftedFamily(spec, dict(zip(games, values, strict=True))) if whole else None


# --- what two games of a family share -----------------------------------------------------------


def _rules(game: ParametricGame) -> tuple[object, ...]:
    return game.variables, game.legal, game.end, game.actions


def _outline(game: ParametricGame) -> object:
    """What is equal for two games of one family: all of the rules but the integers."""
    heads = tuple((a.name, a.parameters, tuple(v for v, _ in a.effects)) for a in game.actions)
    return game.variables, heads, tuple(map(_shape, game.formulas()))


def _shape(node: t.Node) -> object:
    match node:
        case t.Int():
            return int
        case t.Quantified(kind, names, body):
            return kind, names, _shape(body)
    parts = t.children(node)
    return (_head(node), tuple(map(_shape, parts))) if parts else node


def _head(node: t.Node) -> tuple[object, ...]:
    """The node without its children: its kind, and the signs of a comparison."""
    return type(node), getattr(node, "ops", ())


def _integers(game: ParametricGame) -> Column:
    """All integers of the rules, in reading order."""
    return tuple(n.value for f in game.formulas() for n in walk(f) if isinstance(n, t.Int))


def _with_integers(game: ParametricGame, terms: Iterator[t.Term]) -> ParametricGame:
    """The rules with the next term for each integer, in the order of :func:`_integers`."""

    def put(node: Any) -> Any:
        if isinstance(node, t.Int):
            return next(terms)
        return rebuild(node, tuple([put(child) for child in t.children(node)]))

    return ParametricGame(game.name, game.variables, game.actions, game.legal, game.end).mapped(put)


# --- numbers that move together -----------------------------------------------------------------


class _Shared(NamedTuple):
    """``factor * constant + offset``, where ``constant`` are its values in the games."""

    constant: Column
    factor: int
    offset: int


def _shared(columns: Sequence[Column], is_linear: bool) -> dict[Column, _Shared]:
    """What each column is: a number where the factor is 0."""
    alike: dict[object, list[Column]] = {}
    found: dict[Column, _Shared] = {}
    for column in dict.fromkeys(columns):
        if len(set(column)) == 1:
            found[column] = _Shared(column, 0, column[0])
            continue
        steps, size = _steps(column)
        key: object = column
        if is_linear and len(set(column)) >= _SHARED:
            key = steps
        elif is_linear and len(set(column)) >= _SHIFTED:
            key = steps, size
        alike.setdefault(key, []).append(column)
    for group in alike.values():
        constant = _constant_of(group)
        factor_of_it = _steps(constant)[1]
        for column in group:
            factor = _steps(column)[1] // factor_of_it
            found[column] = _Shared(constant, factor, column[0] - factor * constant[0])
    return found


def _steps(column: Column) -> tuple[Column, int]:
    """From the first game to each, in units of the largest one possible, and that unit.

    Two columns with the same steps are linear in each other.  The first step is upwards; so the
    unit is negative where the numbers first fall.
    """
    differences = [number - column[0] for number in column]
    unit = gcd(*differences)
    if next(d for d in differences if d) < 0:
        unit = -unit
    return tuple(d // unit for d in differences), unit


def _constant_of(group: Sequence[Column]) -> Column:
    """The values of a constant of which all columns of ``group`` are linear terms.

    The first column with the smallest unit, if the units of the others are multiples of it; one
    without negative numbers, if there is one.
    """
    units = [_steps(column)[1] for column in group]
    first = min(range(len(group)), key=lambda i: (abs(units[i]), min(group[i]) < 0))
    if all(unit % units[first] == 0 for unit in units):
        return group[first]
    start = group[first][0] // units[first]
    return tuple(start + step for step in _steps(group[first])[0])


def _term(shared: _Shared, constants: Mapping[Column, str]) -> t.Term:
    if shared.factor == 0:
        return t.Int(shared.offset)
    form: dict[t.Term, int] = {t.Name(constants[shared.constant]): shared.factor}
    return linear_sum(form, shared.offset)


# --- names --------------------------------------------------------------------------------------


def _named(
    shared: Mapping[Column, _Shared], games: Mapping[str, ParametricGame]
) -> dict[Column, str]:
    """A name for each constant: that which all games give a constant with these values."""
    every = list(games.values())
    taken = {
        *(v for game in every for v in game.variables),
        *(p for game in every for action in game.actions for p in action.parameters),
        *(
            n
            for f in every[0].formulas()
            for q in walk(f)
            if isinstance(q, t.Quantified)
            for n in q.names
        ),
    }
    own = {
        tuple(dict(game.constants)[name] for game in every): name
        for name, _ in reversed(every[0].constants)
        if all(name in dict(game.constants) for game in every)
    }
    constants = list(dict.fromkeys(s.constant for s in shared.values() if s.factor))
    found = {c: own[c] for c in constants if c in own}
    taken |= set(found.values())
    free = (name for name in chain(_LETTERS, (f"c{i}" for i in count(1))) if name not in taken)
    return {c: found[c] if c in found else next(free) for c in constants}


def _common_name(games: Mapping[str, ParametricGame]) -> str:
    """The beginning that the names of all games share."""
    names = [game.name for game in games.values()]
    if len(set(names)) == 1:
        return names[0]
    letters = takewhile(lambda same: len(set(same)) == 1, zip(*names, strict=False))
    common = re.sub(r"[\W_\d]+$", "", "".join(same[0] for same in letters))
    return common if common.isidentifier() and common not in RESERVED else "family"


def _spec(
    over: ParametricGame, first: ParametricGame, values: Sequence[tuple[str, int]], name: str = ""
) -> Spec:
    """The rules ``over`` constants, by way of their text: what is said reads back as it is."""
    constants = tuple([(constant, fold(t.Int(value))) for constant, value in values])
    written = Spec(
        name or first.name,
        "",
        first.citations,
        constants,
        over.variables,
        over.legal,
        over.end,
        over.actions,
    )
    return parse(Source("the family", str(written)))

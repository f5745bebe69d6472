"""The moves of a game in the plane as cases: where those into one losing state begin in a row.

The moves of a case into (x', y') that begin in row x begin at an interval of y, or at every m-th
state of one: its bounds are linear in x, x' and y'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.explicit.steps import primed, solved_for
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import difference, linear
from icgsynth.prove.automata.cones import cases

_LARGEST_STRIDE = 12  # of residues, tabulated to the power of 4: 20,736 cells
_LARGEST = 2**40  # number in a bound


@dataclass(frozen=True, eq=False)
class MoveCase:
    """Moves from (x, y) to (x', y'): those where every bound is at least 0.

    A bound is ``a x + b y`` for (a, b) of ``slopes``, all of them different, and the least of
    ``(c x' + d y' + e) // f`` for (c, d, e, f) of ``rests``.  ``residues`` (m, m, m * m), m being
    the ``stride``, says for x and y, and then for ``m x' + y'``, all modulo m, whether they allow
    the move.
    """

    slopes: tuple[tuple[int, int], ...]
    rests: tuple[tuple[tuple[int, int, int, int], ...], ...]
    residues: Flags

    @cached_property
    def stride(self) -> int:
        return len(self.residues)

    @cached_property
    def allowed(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return for each :meth:`code` the remainders of x and y that allow the move."""
        places = np.argwhere(self.residues.reshape(-1, self.stride**2).T)
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.stride**2)]
        for code, place in places.tolist():
            found[code].append(divmod(place, self.stride))
        return tuple(map(tuple, found))

    @cached_property
    def is_within_rows(self) -> bool:
        """Whether a move may end in the row where it begins, for all that single bounds say."""
        return not any(
            b == 0 and c == -a * f and d == 0 and e < 0
            for (a, b), rest in zip(self.slopes, self.rests, strict=True)
            for c, d, e, f in rest
        )

    def rest(self, x: int, y: int) -> list[int]:
        """What the bounds are for moves into (x, y), without their parts of where these begin."""
        found = []
        for (c, d, e, f), *others in self.rests:
            least = (c * x + d * y + e) // f
            for c, d, e, f in others:
                least = min(least, (c * x + d * y + e) // f)
            found.append(least)
        return found

    def code(self, x: int, y: int) -> int:
        """Return the place of (x, y) in ``residues``."""
        return x % self.stride * self.stride + y % self.stride

    def interval(self, rest: list[int], x: int) -> tuple[int, int | None]:
        """The least and the largest y in row x, None for no largest one, where all bounds hold."""
        low, high = 0, None
        for (a, b), constant in zip(self.slopes, rest, strict=True):
            value = a * x + constant
            if b > 0:
                low = max(low, -(value // b))
            elif b < 0:
                high = value // -b if high is None else min(high, value // -b)
            elif value < 0:
                return 1, 0
        return low, high


def move_cases(game: ParametricGame) -> tuple[MoveCase, ...] | None:
    """The cases of all actions; None where the rules are of another kind."""
    if len(game.variables) != 2 or game.is_quantified or game.block:
        return None
    try:
        return tuple(case for action in game.actions for case in _of_action(game, action))
    except Unsupported:
        return None


def flags(formula: t.Formula, env: dict[str, Ints]) -> Flags:
    """Return where ``formula`` holds, in the shape of the columns of ``env``."""
    shape = next(iter(env.values())).shape
    names = free_names(formula)
    found = columns(formula, {name: column for name, column in env.items() if name in names})
    return np.broadcast_to(np.asarray(found, np.bool_), shape).copy()


def _of_action(game: ParametricGame, action: Action) -> Iterator[MoveCase]:
    effects = game.after(action)
    solved, left = solved_for(action.parameters, effects)
    if len(solved) < len(action.parameters):
        raise Unsupported("a parameter that the states do not tell")
    parts: list[t.Formula] = [action.precondition]
    parts += [t.Compare((t.Name(primed(v)), effects[v]), ("=",)) for v in left]
    for name, term in reversed(solved):
        parts = [substitute(part, {name: term}) for part in parts]
    (relation,) = normal([conjunction(parts)])
    for case in cases(relation):
        yield _case(game, case)


def _case(game: ParametricGame, links: tuple[t.Compare, ...]) -> MoveCase:
    x, y = game.variables
    names = [t.Name(name) for name in (x, y, primed(x), primed(y))]
    bounds: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    others: list[t.Formula] = []
    stride = 1
    for link in links:
        left, right = link.terms
        forms = [difference(left, right), difference(right, left)]
        if not all(factor in names for factor in forms[0].factors):
            stride = lcm(stride, *map(_modulus, forms[0].factors))
            others.append(link)
            continue
        for form, sign in zip(forms, _SIGNS[link.ops[0]], strict=True):
            if sign is not None:
                a, b, c, d = (form.factors.get(name, 0) for name in names)
                e, f = form.constant + sign, gcd(a, b) or 1
                if max(map(abs, (a, b, c, d, e))) > _LARGEST:
                    raise Unsupported("large numbers")
                bounds.setdefault((a // f, b // f), []).append((c, d, e, f))
    if stride > _LARGEST_STRIDE:
        raise Unsupported("a large divisor")
    residues = np.indices((stride,) * 4, np.int64).reshape(4, -1)
    env = dict(zip((name.name for name in names), residues, strict=True))
    allowed = flags(conjunction(others), env).reshape(stride, stride, -1)
    return MoveCase(tuple(bounds), tuple(map(tuple, bounds.values())), allowed)


# What is to be added to left - right, and to right - left, so that they are at least 0.
_SIGNS: dict[str, tuple[int | None, int | None]] = {
    ">=": (0, None),
    ">": (-1, None),
    "<=": (None, 0),
    "<": (None, -1),
    "=": (0, 0),
}


def _modulus(term: t.Term) -> int:
    """Return the modulus of ``term``, a remainder of a linear term; Unsupported for others."""
    match term:
        case t.Mod(arg, t.Int(divisor)) if all(
            isinstance(part, t.Name) for part in linear(arg).factors
        ):
            return divisor
    raise Unsupported(str(term))

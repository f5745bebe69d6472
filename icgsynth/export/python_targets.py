"""From where a move leads to its parameters: the effects of an action, solved for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import PRIME
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names
from icgsynth.logic.ranges import linear, ranges

__all__ = ["Found", "Tried", "parameters"]

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """A parameter as a term over the state, the primed variables and the parameters before."""

    name: str
    term: t.Term


@dataclass(frozen=True, slots=True)
class Tried:
    """A parameter that takes each value from ``low`` to ``high``."""

    name: str
    low: int
    high: int


def parameters(game: ParametricGame, action: Action, changed: Iterable[str]) -> list[Found | Tried]:
    """How to find each parameter of ``action`` where the values of ``changed`` after it are known.

    Whoever uses it checks that the move applies and leads there.
    :class:`~icgsynth.errors.Refused` where a parameter cannot be found.
    """
    after = game.after(action)
    equations = [(name, after[name]) for name in changed]
    open_, steps = list(action.parameters), list[Found | Tried]()
    while open_:
        step = _solved(equations, open_) or _bounded(game, action, open_[0])
        open_.remove(step.name)
        steps.append(step)
    return steps


def _solved(equations: Sequence[tuple[str, t.Term]], open_: Sequence[str]) -> Found | None:
    """The first equation in which one open parameter occurs, linearly, and no other."""
    for name, term in equations:
        form = linear(term)
        unknown = [atom for atom in form.factors if free_names(atom) & set(open_)]
        if len(unknown) != 1 or not isinstance(unknown[0], t.Name):
            continue
        factor = form.factors[unknown[0]]
        sign = 1 if factor > 0 else -1
        # factor * k = primed - others
        parts = [_scaled(t.Name(name + PRIME), sign)]
        parts += [
            _scaled(one, -sign * f) for one, f in form.factors.items() if one is not unknown[0]
        ]
        if form.constant:
            parts.append(t.Int(-sign * form.constant))
        parts.sort(key=lambda part: isinstance(part, t.Neg))
        total = t.Sum(tuple(parts)) if len(parts) > 1 else parts[0]
        solved: t.Term = total if abs(factor) == 1 else t.Div(total, t.Int(abs(factor)))
        return Found(unknown[0].name, solved)
    return None


def _scaled(term: t.Term, factor: int) -> t.Term:
    scaled = term if abs(factor) == 1 else t.Mul(t.Int(abs(factor)), term)
    return scaled if factor > 0 else t.Neg(scaled)


def _bounded(game: ParametricGame, action: Action, name: str) -> Tried:
    """The values of a parameter that few are possible for, whatever the state."""
    where: t.Formula = conjunction((game.legal, game.applicable(action)))
    low, high = ranges(where, (*game.variables, *action.parameters), {})[name]
    if isinstance(low, int) and isinstance(high, int) and high - low < _MOST:
        return Tried(name, low, high)
    raise Refused(
        f"an exported program cannot tell '{name}' of {action.name} from where the move leads"
    )

"""The forms of a Grundy function: a term, an automaton, a recursion, a xor of parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import xor
from typing import Any, TypeAlias, TypeGuard

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.transitions import in_words
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, walk
from icgsynth.logic.evaluate import value

_LONGEST_RECURSION = 20_000  # steps: enough for 10^30 where each takes 1 part in 200


@dataclass(frozen=True)
class ExponentValue:
    """Values that grow like a logarithm: an automaton of base k whose last track is a power.  A
    state has the value z where the automaton accepts it with every number Z on the last track that
    has z + 1 digits: k^z <= Z < k^(z + 1).  In that notation "a smaller value" is "fewer digits",
    which an automaton can tell, and the relation stays regular where that of states and values in
    binary is not."""

    automaton: Automaton

    @property
    def base(self) -> int:
        return self.automaton.system.digits

    def accepts(self, numbers: Sequence[int]) -> bool:
        """Return whether the last of ``numbers``, z, is the Grundy value of the state that the
        others are: the automaton accepts them with base^z."""
        return self.automaton.accepts((*numbers[:-1], self.base ** numbers[-1]))


@dataclass(frozen=True)
class WindowValue:
    """The values, by a recursion, of a pile of which a player leaves any number from ``low``.

    The states are the numbers from ``least`` on, and the moves from v lead exactly to the states
    from low(v) to v - 1.  Let low(v) = v at the least v, and let low grow by 0 or 1 from each v
    to the next.  Then the states low(v) .. v have the values 0 .. v - low(v), each once.  For
    where low stays, the mex of these is one more; and where it grows, one state falls out, and
    its value is the mex.  So the value of v is v - low(v) where low(v) = low(v - 1), and
    otherwise that of low(v) - 1; that of the least v is 0.
    """

    variable: str
    low: t.Term
    least: int

    def at(self, state: int) -> int:
        """Return the Grundy value of ``state``, a number from which a move leads to low(state) ..
        state - 1, by a recursion; Refused if that takes too many steps."""
        for _ in range(_LONGEST_RECURSION):
            if state <= self.least:
                return 0
            low = self._low(state)
            if low == self._low(state - 1):
                return state - low
            state = low - 1
        raise Refused("the recursion for the value of this state takes too many steps")

    def option(self, state: int, target: int) -> int:
        """Return the number of Grundy value ``target`` that a move from ``state`` can leave;
        Refused if there is none.  The first number of a value is the first whose window is as wide,
        and the next one is the first whose window begins beyond it."""
        if not 0 <= target <= state - self._low(state):
            raise Refused(f"no number of the window has the value {target}")
        found = _first(lambda v: v - self._low(v) >= target, self.least, state)
        for _ in range(_LONGEST_RECURSION):
            if found >= self._low(state):
                return found
            found = _first(partial(self._begins_beyond, found), found, state)
        raise Refused("the recursion for this move takes too many steps")

    def _begins_beyond(self, last: int, state: int) -> bool:
        return self._low(state) > last

    def _low(self, state: int) -> int:
        return value(self.low, {self.variable: state})


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number of ``low`` .. ``high`` - 1 from which on ``holds`` is true, by
    bisection; ``high`` if there is none."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


Single: TypeAlias = "t.Term | Automaton | ExponentValue | WindowValue"
"""A term over the variables; or the automaton of the states with their values, the last track;
or one of the forms above."""


@dataclass(frozen=True)
class SumValue:
    """The xor of the values of the parts of a sum, each a function of its own variables."""

    parts: tuple[Single, ...]


Value: TypeAlias = "Single | SumValue"


def is_term(function: Value) -> TypeGuard[t.Term]:
    """Return whether ``function`` is a term, not an automaton, a recursion or a xor of parts."""
    return not isinstance(function, Automaton | ExponentValue | WindowValue | SumValue)


def variables_of(function: Single) -> tuple[str, ...]:
    """Return the variables that ``function`` reads; those of a term in alphabetical order."""
    match function:
        case WindowValue(variable):
            return (variable,)
        case ExponentValue(automaton) | (Automaton() as automaton):
            return automaton.tracks[:-1]
        case term:
            return tuple(sorted(free_names(term)))


def power_of(value: Value) -> int:
    """Return the base k if ``value``, a Grundy function, is an exponent or a number of zeros in
    base k; else 0.  It is the ``power`` of :func:`~icgsynth.game.beside_heap.beside_heap`: the
    value is proved by the sum of the game with that heap, a Nim heap for 0."""
    match value:
        case ExponentValue():
            return value.base
        case t.Digital("zeros", _, system) if len(system.recurrence) == 1:
            return system.digits
        case _:
            return 0


def value_at(function: Value, env: Mapping[str, int]) -> int:
    """Return the Grundy value that ``function`` has at ``env``, {variable: number}; Refused if its
    automaton accepts no value there."""
    match function:
        case SumValue(parts):
            return reduce(xor, (value_at(part, env) for part in parts), 0)
        case ExponentValue(automaton):
            return len(automaton.system.representation(_complete(automaton, env))) - 1
        case Automaton():
            return _complete(function, env)
        case WindowValue(variable):
            return function.at(env[variable])
        case _:
            return value(function, env)


def _complete(automaton: Automaton, env: Mapping[str, int]) -> int:
    track = automaton.tracks[-1]
    found = automaton.complete({name: env[name] for name in automaton.tracks[:-1]})
    if found is None or track not in found:
        raise Refused("the automaton has no value for this state")
    return found[track]


def value_logic(function: Value | None) -> str:
    """Return "lia" for linear arithmetic, or the name of the numeration system that ``function``
    uses; of a sum, that of a part that is a term comes before others."""
    match function:
        case None:
            return "lia"
        case SumValue(parts):
            first = sorted(parts, key=lambda part: not is_term(part))
            return next((s for s in map(value_logic, first) if s != "lia"), "lia")
        case WindowValue(_, low):
            return value_logic(low)
        case ExponentValue(automaton) | (Automaton() as automaton):
            return str(automaton.system)
        case _:
            nodes = walk(function)
            return next((str(n.system) for n in nodes if isinstance(n, t.Digital)), "lia")


def value_text(function: Value | None) -> str:
    """Return ``function`` as text: a term, the size of an automaton, the equation of a recursion,
    or parts joined by ``xor``; "unknown" for None."""
    match function:
        case None:
            return "unknown"
        case SumValue(parts):
            return " xor ".join(f"({value_text(part)})" for part in parts)
        case ExponentValue(automaton):
            return f"{in_words(automaton)}, the value an exponent"
        case Automaton():
            return in_words(function)
        case WindowValue(v, low):
            return (
                f"if low({v}) = low({v} - 1) then {v} - low({v}) else g(low({v}) - 1); low = {low}"
            )
        case _:
            return str(function)


def value_json(function: Value) -> dict[str, Any]:
    """Return the Grundy function ``function`` as JSON for an answer file, which names its form."""
    match function:
        case SumValue(parts):
            return {"xor": [value_json(part) for part in parts]}
        case ExponentValue(automaton):
            return {"automaton": automaton.to_json(), "value_track": "power"}
        case Automaton():
            return {"automaton": function.to_json()}
        case WindowValue(variable, low, least):
            return {"window": {"variable": variable, "low": str(low), "least": least}}
        case _:
            return {"term": str(function)}

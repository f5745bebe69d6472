"""A fast-and-frugal tree of an impartial game within a bound as a Python module.

A state is a set of facts as the tree names them, ``a=3`` and ``control(first)``; the functions are
those of the modules of other finite games.
"""

from __future__ import annotations

from icgsynth.export.python import game_functions
from icgsynth.fft.tiers import TreeAnswer
from icgsynth.finite.bounded_play import BoundedPlay
from icgsynth.logic import term as t

__all__ = ["rules_of"]


def rules_of(answer: TreeAnswer, game: BoundedPlay) -> tuple[dict[str, object], str]:
    """The tables and the functions that give a module the rules of ``game``."""
    variables, values = game.parametric.variables, range(answer.frame["bound"] + 1)
    tables: dict[str, object] = {
        "ROLES": game.roles,
        "VARIABLES": variables,
        "FACTS": (
            *(f"{variable}={value}" for variable in variables for value in values),
            *(f"control({role})" for role in game.roles),
        ),
        "INITIAL": game.facts(game.initial),
        "_MOVES": dict(map(_taken_apart, answer.actions)),
        "_GOALS": {"normal": ((0, 100), (100, 0)), "misere": ((100, 0), (0, 100))}[game.rule],
    }
    ended = "_ended(*state)" if game.parametric.end != t.FALSE else "False"
    functions = [_FUNCTIONS.replace("@ended@", ended), *game_functions(game.parametric)]
    return tables, "\n\n".join(part.rstrip("\n") + "\n" for part in functions)


def _taken_apart(name: str) -> tuple[str, tuple[str, tuple[int, ...]]]:
    """A move's name with its action and arguments: ``take_a(3)``, ``("take_a", (3,))``."""
    action, _, inner = name.removesuffix(")").partition("(")
    return name, (action, tuple(map(int, inner.split(","))) if inner else ())


_FUNCTIONS = '''
def _read(facts: Iterable[str]) -> tuple[tuple[int, ...], int]:
    """The values of the variables, and the place in ROLES of the player to move."""
    values, turn = {}, []
    for fact in facts:
        name, sign, value = fact.partition("=")
        if sign and name in VARIABLES and name not in values:
            values[name] = int(value)
        elif fact in _TURNS:
            turn.append(_TURNS.index(fact))
        else:
            raise ValueError(f"the game has no such fact, or it holds already: {fact!r}")
    if len(values) != len(VARIABLES) or len(turn) != 1:
        raise ValueError(f"a state says {', '.join(VARIABLES)}, and whose turn it is")
    return _legal(tuple(values[name] for name in VARIABLES)), turn[0]


_TURNS = [f"control({role})" for role in ROLES]


def _after(action: str, state: tuple[int, ...]) -> tuple[int, ...] | None:
    """The state after a move; None where it does not apply."""
    if @ended@ or action not in _MOVES:
        return None
    name, values = _MOVES[action]
    return _ACTIONS[name][1](*state, *values)


def moves(facts: Iterable[str]) -> list[str]:
    """The legal actions of the player to move."""
    state, _ = _read(facts)
    return [action for action in _MOVES if _after(action, state) is not None]


def is_over(facts: Iterable[str]) -> bool:
    """Whether the game has ended."""
    return not moves(facts)


def mover(facts: Iterable[str]) -> int:
    """The place in ROLES of the player to move; -1 at the end."""
    held = frozenset(facts)
    return -1 if is_over(held) else _read(held)[1]


def result(action: str, facts: Iterable[str]) -> frozenset[str]:
    """The state after a move; ValueError where it is not legal."""
    state, turn = _read(facts)
    after = _after(action, state)
    if after is None:
        raise ValueError(f"{action!r} is not legal here")
    named = (f"{name}={value}" for name, value in zip(VARIABLES, after))
    return frozenset((*named, _TURNS[1 - turn]))


def goals(facts: Iterable[str]) -> tuple[int, ...]:
    """What the end is worth to each role; ValueError before the end."""
    held = frozenset(facts)
    if not is_over(held):
        raise ValueError("the game is not over")
    return _GOALS[_read(held)[1]]
'''

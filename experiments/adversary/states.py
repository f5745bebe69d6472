"""States on which a claim may break: at thresholds of the rules and the answer, and far off."""

from __future__ import annotations

import random
from collections.abc import Sequence

from experiments.adversary.meaning import Undecided, crossings
from experiments.adversary.play import Play, State, formulas, picked
from experiments.adversary.reading import Node, free, walk

__all__ = ["far_number", "far_states", "state_with"]

_DIGITS = 30
_ROUNDS = 2  # each coordinate is drawn so often, given the others


def far_number(rng: random.Random) -> int:
    """Any number of digits up to 30, either sign."""
    return rng.choice((-1, 1, 1)) * rng.randrange(10 ** rng.randint(0, _DIGITS))


def far_states(
    play: Play, formulas_: Sequence[Node], count: int, rng: random.Random
) -> list[State]:
    """At most ``count`` legal states.

    A coordinate is drawn from the numbers that keep the others legal, or from where some
    comparison of the rules or of ``formulas_`` changes.
    """
    atoms = _comparisons([*formulas(play.rules), *formulas_])
    numbers = sorted({n[1] for atom in atoms for n in walk(atom) if n[0] == "int"} | {0, 1})
    found: list[State] = []
    for _ in range(count):
        try:
            state = _drawn(play, atoms, numbers, rng)
        except Undecided:
            continue
        if state is not None:
            found.append(state)
    return found


def state_with(play: Play, name: str, number: int, rng: random.Random) -> State | None:
    """A legal state in which the variable ``name`` has that value; None where none is found."""
    env = {**play.rules.constants, **dict.fromkeys(play.rules.variables, number), name: number}
    others = [variable for variable in play.rules.variables if variable != name]
    for _ in range(_ROUNDS):
        for variable in others:
            rest = {key: value for key, value in env.items() if key != variable}
            values, _ = picked(play.language.solutions(play.rules.legal, variable, rest), 12, rng)
            env[variable] = rng.choice(values) if values else env[variable]
    state = tuple(env[variable] for variable in play.rules.variables)
    return state if play.is_legal(state) else None


def _comparisons(nodes: Sequence[Node]) -> list[Node]:
    """The comparisons that no quantifier is above of, each once."""
    found: dict[Node, None] = {}
    for node in nodes:
        bound = {n[1] for n in walk(node) if n[0] in ("exists", "forall")}
        for part in walk(node):
            if part[0] == "chain" and not free(part) & bound:
                found[part] = None
    return list(found)


def _drawn(
    play: Play, atoms: Sequence[Node], numbers: Sequence[int], rng: random.Random
) -> State | None:
    names = play.rules.variables
    kind = rng.random()
    env = dict(play.rules.constants)
    for name in names:
        small = kind < 0.4 and rng.random() < 0.7
        env[name] = rng.randrange(20) if small else _number(numbers, rng)
    for _ in range(_ROUNDS):
        for name in rng.sample(names, len(names)):
            others = {key: number for key, number in env.items() if key != name}
            if atoms and rng.random() < 0.6:
                places = _crossings(play, rng.choice(atoms), name, others, numbers, rng)
                if places:
                    env[name] = rng.choice(places) + rng.randint(-3, 3)
                    if play.is_legal(tuple(env[n] for n in names)):
                        continue
            wanted = play.language.solutions(play.rules.legal, name, others)
            values, _ = picked(wanted, 12, rng)
            if values and not (env[name] in values or _legal(play, env)):
                env[name] = rng.choice(values)
    state = tuple(env[name] for name in names)
    return state if play.is_legal(state) else None


def _legal(play: Play, env: dict[str, int]) -> bool:
    return play.is_legal(tuple(env[name] for name in play.rules.variables))


def _number(numbers: Sequence[int], rng: random.Random) -> int:
    """A number of the rules or near it, a part of one, or any."""
    if rng.random() < 0.3:
        return far_number(rng)
    number = rng.choice(numbers) // rng.choice((1, 1, 1, 2, 3))
    return number + rng.randint(-3, 3)


def _crossings(
    play: Play,
    atom: Node,
    name: str,
    others: dict[str, int],
    numbers: Sequence[int],
    rng: random.Random,
) -> list[int]:
    names = free(atom)
    if name not in names:
        return []
    env = dict(others)
    for parameter in names - others.keys() - {name}:
        env[parameter] = rng.choice((1, 2, rng.randrange(9), _number(numbers, rng)))
    return crossings(play.language, atom, name, env, [rng.randrange(10**6) for _ in range(2)])

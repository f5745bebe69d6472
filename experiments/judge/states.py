"""States on which a claim may break: at thresholds of the rules and the answer, and far off."""

from __future__ import annotations

import random
from collections.abc import Sequence

from experiments.judge.meaning import PLAIN, Undecided, crossings
from experiments.judge.play import Play, State, picked
from experiments.judge.reading import Node, free, walk

__all__ = ["far_number", "far_states", "state_with"]

_DIGITS = 30
_JITTER = (0, 0, 0, 1, -1, 2, -2, 3, -3)
_MENDED = 16  # conjuncts that fail, one after the other
_ROUNDS = 2  # each coordinate is drawn so often, given the others


def far_number(rng: random.Random) -> int:
    """Any number of digits up to 30, either sign."""
    return rng.choice((-1, 1, 1)) * rng.randrange(10 ** rng.randint(0, _DIGITS))


def far_states(
    play: Play, formulas_: Sequence[Node], count: int, rng: random.Random
) -> list[State]:
    """At most ``count`` legal states.

    Half of them are led to where some conjunction of the rules or of ``formulas_`` holds.  For
    the others a coordinate is drawn from the numbers that keep the others legal, or from where
    some comparison changes.
    """
    nodes = [*play.rules.nodes(), *formulas_]
    atoms = _parts(nodes, ("chain",))
    targets = _parts(nodes, ("chain", "and", "in"))
    numbers = sorted({n[1] for atom in atoms for n in walk(atom) if n[0] == "int"} | {0, 1})
    found: list[State] = []
    for _ in range(count):
        try:
            if targets and rng.random() < 0.5:
                state = _led(play, rng.choice(targets), numbers, rng)
            else:
                state = _drawn(play, atoms, numbers, rng)
        except Undecided:
            continue
        if state is not None:
            found.append(state)
    return found


def _led(play: Play, target: Node, numbers: Sequence[int], rng: random.Random) -> State | None:
    """A legal state where ``target`` holds, or nearly so: what fails is mended, one by one."""
    names = free(target) | set(play.rules.variables)
    env = {name: _number(numbers, rng) for name in sorted(names)}
    wanted = [*_conjuncts(target), *_conjuncts(play.rules.legal)]
    for _ in range(_MENDED):
        failing = [part for part in wanted if not PLAIN.truth(part, env)]
        if not failing:
            break
        part = rng.choice(failing)
        movable = sorted(free(part))
        if not movable:
            return None
        name = rng.choice(movable)
        others = {key: number for key, number in env.items() if key != name}
        values, _ = picked(PLAIN.solutions(part, name, others), 12, rng)
        env[name] = rng.choice(values) if values else _number(numbers, rng)
    state = tuple(env[name] for name in play.rules.variables)
    return state if play.legal(*state) else None


def _conjuncts(node: Node) -> list[Node]:
    """The parts that all have to hold; a chain is one for each of its links."""
    match node:
        case ("and", *parts):
            return [inner for part in parts for inner in _conjuncts(part)]
        case ("chain", terms, signs) if len(signs) > 1:
            links = zip(terms, signs, terms[1:], strict=False)
            return [("chain", (left, right), (sign,)) for left, sign, right in links]
    return [node]


def state_with(play: Play, name: str, number: int, rng: random.Random) -> State | None:
    """A legal state in which the variable ``name`` has that value; None where none is found."""
    env = {**dict.fromkeys(play.rules.variables, number), name: number}
    others = [variable for variable in play.rules.variables if variable != name]
    for _ in range(_ROUNDS):
        for variable in others:
            rest = {key: value for key, value in env.items() if key != variable}
            values, _ = picked(PLAIN.solutions(play.rules.legal, variable, rest), 12, rng)
            env[variable] = rng.choice(values) if values else env[variable]
    state = tuple(env[variable] for variable in play.rules.variables)
    return state if play.legal(*state) else None


def _parts(nodes: Sequence[Node], heads: Sequence[str]) -> list[Node]:
    """The parts with one of these heads and no name that a quantifier binds, each once."""
    found: dict[Node, None] = {}
    for node in nodes:
        bound = {n[1] for n in walk(node) if n[0] in ("exists", "forall")}
        for part in walk(node):
            if part[0] in heads and not free(part) & bound and not _is_digital(part):
                found[part] = None
    return list(found)


def _is_digital(node: Node) -> bool:
    """Whether an automaton or digits of another system are asked, which rules do not know."""
    plain = ("min", "max", "abs")
    return any(n[0] == "set" or (n[0] == "call" and n[1] not in plain) for n in walk(node))


def _drawn(
    play: Play, atoms: Sequence[Node], numbers: Sequence[int], rng: random.Random
) -> State | None:
    names = play.rules.variables
    kind = rng.random()
    env: dict[str, int] = {}
    for name in names:
        small = kind < 0.4 and rng.random() < 0.7
        env[name] = rng.randrange(20) if small else _number(numbers, rng)
    for _ in range(_ROUNDS):
        for name in rng.sample(names, len(names)):
            others = {key: number for key, number in env.items() if key != name}
            if atoms and rng.random() < 0.6:
                places = _crossings(play, rng.choice(atoms), name, others, numbers, rng)
                if places:
                    env[name] = rng.choice(places) + rng.choice(_JITTER)
                    if _legal(play, env):
                        continue
            wanted = PLAIN.solutions(play.rules.legal, name, others)
            values, _ = picked(wanted, 12, rng)
            if values and not (env[name] in values or _legal(play, env)):
                env[name] = rng.choice(values)
    state = tuple(env[name] for name in names)
    return state if play.legal(*state) else None


def _legal(play: Play, env: dict[str, int]) -> bool:
    return bool(play.legal(*(env[name] for name in play.rules.variables)))


def _number(numbers: Sequence[int], rng: random.Random) -> int:
    """A number of the rules or near it, a part of one, or any."""
    if rng.random() < 0.3:
        return far_number(rng)
    number = rng.choice(numbers) // rng.choice((1, 1, 1, 2, 3))
    return number + rng.choice(_JITTER)


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
    return crossings(atom, name, env, [rng.randrange(10**6) for _ in range(2)])

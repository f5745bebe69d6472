"""The shortest weak constraints that order examples, by trying all that a bias allows.

Written from ``docs/reference/learn.md`` alone: bodies are all sets of literals, hypotheses all sets
of constraints, nothing is left out because something else does as much.

A term is an integer, a name, or a tuple of a name and its arguments; a name that begins with a
capital is a variable.  A *world* is the set of atoms that hold of one move.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import TypeAlias

__all__ = ["Charge", "Group", "Space", "World", "charge_of", "charges", "least"]
__all__ += ["read_space", "read_term", "settles"]

Term: TypeAlias = "int | str | tuple[Term, ...]"
World: TypeAlias = frozenset[Term]
Literal: TypeAlias = tuple[bool, Term]
Pairs: TypeAlias = Sequence[tuple[int, int]]
Key: TypeAlias = tuple[str, ...]

_LEXEME = re.compile(r"\s*(-?[0-9]+|\w+|[(),])")


def read_term(text: str) -> Term:
    """``next(at(var(n)))`` as nested tuples."""
    lexemes = _LEXEME.findall(text)[::-1]

    def read() -> Term:
        word = lexemes.pop()
        if re.fullmatch("-?[0-9]+", word):
            return int(word)
        if not lexemes or lexemes[-1] != "(":
            return str(word)
        parts: list[Term] = [word]
        while lexemes.pop() != ")":
            parts.append(read())
        return tuple(parts)

    return read()


# --- what a bias allows ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Space:
    """A bias; each mode is its recall, its atom, and whether it is positive only."""

    modes: tuple[tuple[int, Term, bool], ...]
    weights: tuple[int, ...] = (-1, 1)
    levels: int = 2
    variables: int = 4
    body: int = 4
    rules: int | None = None
    one_per_level: bool = False
    parity: bool = False
    constants: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)


def read_space(text: str) -> Space:
    """The bias in a ``.las`` text whose statements about it stand on lines of their own."""
    modes, weights = [], []
    constants: dict[str, tuple[Term, ...]] = {}
    limits: dict[str, int] = {}
    for line in text.split("\n"):
        if found := re.fullmatch(r"#modeo\((?:(\d+), )?(.*?)(, \(positive\))?\)\.", line):
            modes.append((int(found[1] or 1), read_term(found[2]), bool(found[3])))
        elif found := re.fullmatch(r"#weight\((-?\d+)\)\.", line):
            weights.append(int(found[1]))
        elif found := re.fullmatch(r"#constant\((\w+),(.*)\)\.", line):
            constants[found[1]] = (*constants.get(found[1], ()), read_term(found[2]))
        elif found := re.fullmatch(r"#(maxp|maxv|max_body|max_rules)\((\d+)\)\.", line):
            limits[found[1]] = int(found[2])
    return Space(
        tuple(modes),
        tuple(sorted({*weights} - {0})) or (-1, 1),
        limits.get("maxp", 2),
        limits.get("maxv", 4),
        limits.get("max_body", 4),
        limits.get("max_rules"),
        "#one_per_level." in text,
        "#template(parity)." in text,
        constants,
    )


def _is_variable(term: Term) -> bool:
    return isinstance(term, str) and term[:1].isupper()


def _variables(term: Term) -> set[str]:
    if isinstance(term, tuple):
        return set().union(*map(_variables, term[1:]))
    return {term} if _is_variable(term) else set()  # type: ignore[arg-type]


def _renamed(term: Term, names: Mapping[str, Term]) -> Term:
    if isinstance(term, tuple):
        return (term[0], *(_renamed(part, names) for part in term[1:]))
    return names.get(str(term), term) if _is_variable(term) else term


def _parts(term: Term) -> Iterator[Term]:
    """The term and all terms inside."""
    yield term
    if isinstance(term, tuple):
        for part in term[1:]:
            yield from _parts(part)


def _filled(
    atom: Term, space: Space, terms: Collection[Term]
) -> Iterator[tuple[Term, dict[str, str]]]:
    """The atoms that a mode's atom may be, and the types of their variables."""
    if not isinstance(atom, tuple):
        yield atom, {}
    elif atom[0] == "var" and len(atom) == 2:
        for number in range(space.variables):
            yield f"V{number}", {f"V{number}": str(atom[1])}
    elif atom[0] == "const" and len(atom) == 2:
        for term in space.constants.get(str(atom[1]), tuple(terms)):
            yield term, {}
    else:
        for parts in product(*(tuple(_filled(part, space, terms)) for part in atom[1:])):
            types: dict[str, str] = {}
            if all(types.setdefault(v, t) == t for _, known in parts for v, t in known.items()):
                yield (atom[0], *(part for part, _ in parts)), types


def _bodies(space: Space, universe: World) -> Iterator[frozenset[Literal]]:
    """All bodies; some more than once under other names of variables.

    A literal is offered where its atom can be one of ``universe``.
    """
    terms = {part for atom in universe for part in _parts(atom)}
    offered = [
        (number, (sign, atom), types)
        for number, (_, pattern, positive) in enumerate(space.modes)
        for atom, types in _filled(pattern, space, terms)
        for sign in ((True,) if positive else (True, False))
    ]
    offered = [
        entry
        for entry in offered
        if any(_matches(entry[1][1], atom, {}) is not None for atom in universe)
    ]
    for length in range(1, space.body + 1):
        for chosen in combinations(offered, length):
            numbers = [number for number, _, _ in chosen]
            if any(numbers.count(n) > space.modes[n][0] for n in numbers):
                continue
            body = frozenset(literal for _, literal, _ in chosen)
            types: dict[str, str] = {}
            typed = all(types.setdefault(v, t) == t for _, _, own in chosen for v, t in own.items())
            bound = set().union(*(_variables(atom) for sign, atom in body if sign))
            fits = len(body) == length and typed and len(types) <= space.variables
            if fits and set(types) <= bound:
                yield body


def _key(body: Collection[Literal], parity: bool, group: str | None) -> Key:
    """What a constraint reads, whatever its variables are called."""
    names = sorted(set().union(*(_variables(atom) for _, atom in body)))
    readings = []
    for order in permutations(range(len(names))):
        new: dict[str, Term] = {name: f"V{i}" for name, i in zip(names, order, strict=True)}
        told = sorted(repr((sign, _renamed(atom, new))) for sign, atom in body)
        readings.append((*told, repr(parity), repr(new.get(group or ""))))
    return min(readings)


# --- what a constraint charges --------------------------------------------------------------------


@dataclass(frozen=True)
class Charge:
    """What a constraint of weight 1 charges each move, its length, and what it reads."""

    length: int
    column: tuple[int, ...]
    key: Key


def _matches(pattern: Term, atom: Term, known: Mapping[str, Term]) -> dict[str, Term] | None:
    """``known`` with what makes ``pattern`` the ``atom``; None where nothing does."""
    if _is_variable(pattern):
        name = str(pattern)
        return {**known, name: atom} if known.get(name, atom) == atom else None
    if not isinstance(pattern, tuple):
        return dict(known) if type(pattern) is type(atom) and pattern == atom else None
    if not isinstance(atom, tuple) or len(atom) != len(pattern) or atom[0] != pattern[0]:
        return None
    found: dict[str, Term] | None = dict(known)
    for part, other in zip(pattern[1:], atom[1:], strict=True):
        found = None if found is None else _matches(part, other, found)
    return found


def _substitutions(body: Collection[Literal], world: World) -> list[dict[str, Term]]:
    found: list[dict[str, Term]] = [{}]
    for sign, pattern in body:
        if sign:
            tried = (_matches(pattern, atom, known) for known in found for atom in world)
            found = [known for known in tried if known is not None]
    return [
        known
        for known in found
        if not any(not sign and _renamed(atom, known) in world for sign, atom in body)
    ]


def charge_of(
    body: Collection[Literal], parity: bool, group: str | None, worlds: Sequence[World]
) -> Charge:
    """What ``:~ body.`` charges in each world, or its parity for each value of ``group``."""
    column = []
    for world in worlds:
        found = _substitutions(body, world)
        if parity:
            values = [known.get(group or "") for known in found]
            column.append(sum(values.count(value) % 2 for value in set(values)))
        else:
            column.append(len(found))
    return Charge(len(body) + parity, tuple(column), _key(body, parity, group))


def charges(space: Space, worlds: Sequence[World], universe: World) -> dict[Key, Charge]:
    """Every constraint of the space, once; ``universe`` are all atoms that can hold."""
    found: dict[Key, Charge] = {}
    for body in _bodies(space, universe):
        forms: list[tuple[bool, str | None]] = [(False, None)]
        if space.parity:
            names = set().union(*(_variables(atom) for _, atom in body))
            forms += [(True, None), *((True, name) for name in sorted(names))]
        for parity, group in forms:
            if (key := _key(body, parity, group)) not in found:
                found[key] = charge_of(body, parity, group, worlds)
    return found


# --- the least hypothesis -------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """One of ``alternatives`` must hold, each of whose pairs (better, worse) is ordered.

    A ``penalty`` other than 0 is what it costs that none does.
    """

    alternatives: tuple[tuple[tuple[int, int], ...], ...]
    penalty: int = 0


def settles(group: Group, costs: Sequence[tuple[int, ...]]) -> bool:
    """Whether lexicographic ``costs`` of the moves order one alternative."""
    return any(all(costs[a] < costs[b] for a, b in pairs) for pairs in group.alternatives)


def least(
    space: Space, found: Mapping[Key, Charge], groups: Sequence[Group], most: int
) -> int | None:
    """The least sum of length and penalties of groups broken, over all hypotheses.

    None where it is more than ``most``.  ``found`` are the constraints of the space
    (:func:`charges`).
    """
    pairs = sorted({pair for g in groups for pairs in g.alternatives for pair in pairs})
    rules = most if space.rules is None else space.rules
    level = _level(space, found.values(), pairs, most)
    nothing = tuple(0 for _ in pairs)
    best = {(nothing, 0): 0}
    for _ in range(space.levels):
        new = dict(best)
        for (above, many), length in best.items():
            for (below, more), further in level.items():
                if length + further <= most and many + more <= rules:
                    signs = tuple(a or b for a, b in zip(above, below, strict=True))
                    key = signs, many + more
                    new[key] = min(new.get(key, most), length + further)
        best = new
    totals = []
    for (signs, _), length in best.items():
        ordered = {pair for pair, sign in zip(pairs, signs, strict=True) if sign < 0}
        lost = [g for g in groups if not any(ordered.issuperset(a) for a in g.alternatives)]
        if all(group.penalty for group in lost):
            totals.append(length + sum(group.penalty for group in lost))
    value = min(totals, default=most + 1)
    return value if value <= most else None


def _level(
    space: Space, found: Collection[Charge], pairs: Pairs, most: int
) -> dict[tuple[tuple[int, ...], int], int]:
    """What one level can say of each pair (-1 better, 1 worse), with how many constraints.

    The values are the least lengths.
    """
    slots = []
    for charge in found:
        told = [charge.column[a] - charge.column[b] for a, b in pairs]
        if any(told):
            slots += [
                (charge.length, tuple(weight * each for each in told)) for weight in space.weights
            ]
    reached = {(tuple(0 for _ in pairs), 0): 0}
    fewest = 1 if space.one_per_level else most if space.rules is None else space.rules
    for length, difference in sorted(slots):
        for (sums, many), known in list(reached.items()):
            if known + length <= most and many < fewest:
                key = tuple(a + b for a, b in zip(sums, difference, strict=True)), many + 1
                reached[key] = min(reached.get(key, most), known + length)
    signs: dict[tuple[tuple[int, ...], int], int] = {}
    for (sums, many), length in reached.items():
        key = tuple((each > 0) - (each < 0) for each in sums), many
        signs[key] = min(signs.get(key, length), length)
    return signs

"""A game description evaluated in plain Python: naive forward chaining, relation by relation.

It takes rules whose negated relations do not depend on what they help to derive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, TypeAlias

__all__ = ["Board", "SlowGame", "read", "show"]

Term: TypeAlias = Any  # a word, or a tuple of terms
Env: TypeAlias = dict[str, Term]
Facts: TypeAlias = frozenset[Term]


def read(text: str) -> list[Term]:
    """The forms of a KIF text: nested tuples of lower-case words."""
    stack: list[list[Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(tuple(done))
        else:
            stack[-1].append(token.lower())
    return stack[0]


def show(term: Term) -> str:
    """A term as ``cell(1,2,x)``."""
    return term if isinstance(term, str) else f"{term[0]}({','.join(map(show, term[1:]))})"


def _unify(pattern: Term, term: Term, env: Env) -> Env | None:
    """``env`` grown so that ``pattern`` is ``term``; None where it cannot be."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return env if pattern == term else None
        if pattern in env:
            return env if env[pattern] == term else None
        return {**env, pattern: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for left, right in zip(pattern, term, strict=True):
        grown = _unify(left, right, env)
        if grown is None:
            return None
        env = grown
    return env


def _fill(pattern: Term, env: Env) -> Term:
    if isinstance(pattern, str):
        return env.get(pattern, pattern)
    return tuple(_fill(part, env) for part in pattern)


def _relation(atom: Term) -> str:
    name: str = atom if isinstance(atom, str) else atom[0]
    return name


_Rule: TypeAlias = tuple[Term, list[Term]]
_Level: TypeAlias = tuple[bool, list[_Rule]]  # whether to go on until nothing is new, and rules
_ASKED = ("role", "init", "legal", "next", "goal", "terminal")


class _Known:
    """Facts, found by their relation and by each word in them."""

    def __init__(self) -> None:
        self.all: set[Term] = set()
        self.by: dict[Any, list[Term]] = {}

    def add(self, fact: Term) -> bool:
        """Whether it is new."""
        if fact in self.all:
            return False
        self.all.add(fact)
        name = _relation(fact)
        for key in (name, *((name, place) for place in _places(fact))):
            self.by.setdefault(key, []).append(fact)
        return True

    def like(self, atom: Term) -> Sequence[Term]:
        """The facts that ``atom`` may be, and perhaps some more."""
        if atom in self.all:
            return [atom]
        name = _relation(atom)
        found: Sequence[Term] = self.by.get(name, ())
        for place in _places(atom):
            if not place[1].startswith("?"):
                found = min(found, self.by.get((name, place), ()), key=len)
        return found


def _places(term: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str]]:
    """The words of a term, each with where it stands."""
    if isinstance(term, str):
        yield path, term
    else:
        for i, part in enumerate(term):
            yield from _places(part, (*path, i))


class SlowGame:
    """Facts and moves are terms; a state is a frozenset of facts.

    What depends on no state is derived once, what depends on no move once a state.
    """

    def __init__(self, text: str) -> None:
        rules = [rule for form in read(text) for rule in _rules(form)]
        below: dict[str, set[str]] = {}
        for head, body in rules:
            below.setdefault(_relation(head), set()).update(map(_read_by, body))
        needs = {name: _reached(below, below[name]) for name in below}
        used = _reached(below, _ASKED) & below.keys()
        self._stage = {"true": 1, "does": 2}
        self._stage |= {n: max(self._stage.get(m, 0) for m in ("", *needs[n])) for n in used}
        # Relations that need each other, and with themselves as much, are derived together.
        groups: dict[frozenset[str], list[str]] = {}
        for name in sorted(used):
            groups.setdefault(frozenset({name} | needs[name]), []).append(name)
        self._levels: tuple[list[_Level], ...] = ([], [], [])
        for need in sorted(groups, key=len):
            names = groups[need]
            again = names[0] in needs[names[0]]
            level = [rule for rule in rules if _relation(rule[0]) in names]
            self._levels[self._stage[names[0]]].append((again, level))
        self._static = self._derived(0, (), ())
        self.roles = [fact[1] for fact in self._static.by.get("role", ())]
        self.initial = frozenset(fact[1] for fact in self._static.by.get("init", ()))

    def _derived(self, stage: int, given: Iterable[Term], before: Sequence[_Known]) -> _Known:
        """All of a stage that follows from ``given``, relation by relation, to a fixpoint."""
        known = _Known()
        layers = (*before, known)
        for fact in given:
            known.add(fact)
        for again, rules in self._levels[stage]:
            grew = True
            while grew:
                envs = ((head, env) for head, body in rules for env in self._matches(body, layers))
                found = [_fill(head, env) for head, env in envs]
                new = sum(map(known.add, found))
                grew = again and new > 0
        return known

    def _matches(self, body: Sequence[Term], layers: Sequence[_Known]) -> list[Env]:
        envs: list[Env] = [{}]
        for part in body:
            name = _relation(part)
            if name in ("distinct", "same"):
                wanted = name == "same"
                envs = [e for e in envs if (_fill(part[1], e) == _fill(part[2], e)) == wanted]
                continue
            inner = part[1] if name == "not" else part
            stage = self._stage.get(_relation(inner), 0)
            known = layers[stage] if stage < len(layers) else _Known()
            if name == "not":
                envs = [e for e in envs if _fill(inner, e) not in known.all]
                continue
            grown: list[Env] = []
            for env in envs:
                atom = _fill(part, env)
                found = (_unify(atom, fact, env) for fact in known.like(atom))
                grown += [e for e in found if e is not None]
            envs = grown
            if not envs:
                break
        return envs

    @lru_cache(maxsize=1)  # noqa: B019 - of the state that is looked at
    def _of(self, state: Facts) -> _Known:
        return self._derived(1, [("true", fact) for fact in state], [self._static])

    def look(self, state: Facts) -> tuple[bool, dict[str, list[Term]], dict[str, int]]:
        """(ended, {role: moves}, {role: goal}) of a state."""
        here = self._of(state)

        def facts(name: str) -> Sequence[Term]:
            return (self._static, here)[self._stage.get(name, 0)].by.get(name, ())

        legal = {
            r: sorted((f[2] for f in facts("legal") if f[1] == r), key=show) for r in self.roles
        }
        return bool(facts("terminal")), legal, {f[1]: int(f[2]) for f in facts("goal")}

    def after(self, state: Facts, moves: Mapping[str, Term]) -> Facts:
        """The state after ``moves``, one a role."""
        here = self._of(state)
        done = [("does", role, move) for role, move in moves.items()]
        layers = (self._static, here, self._derived(2, done, [self._static, here]))
        return frozenset(fact[1] for fact in layers[self._stage["next"]].by.get("next", ()))


_LATE = ("not", "distinct", "same")


def _rules(form: Term) -> Iterator[_Rule]:
    """A rule for each way in which the conditions of ``form`` can hold, those with ``or`` split."""
    if _relation(form) != "<=":
        yield form, []
        return
    for ways in product(*(_ways(part, True) for part in form[2:])):
        yield form[1], _ordered([part for way in ways for part in way])


def _ways(part: Term, positive: bool) -> list[list[Term]]:
    """The conditions without ``or`` and ``and`` that make ``part`` hold, or not hold."""
    name = _relation(part)
    if name == "not":
        return _ways(part[1], not positive)
    if name in ("or", "and"):
        inner = [_ways(each, positive) for each in part[1:]]
        if (name == "or") == positive:
            return [way for ways in inner for way in ways]
        return [[each for way in ways for each in way] for ways in product(*inner)]
    if name == "distinct":
        return [[part if positive else ("same", *part[1:])]]
    return [[part if positive else ("not", part)]]


def _ordered(body: list[Term]) -> list[Term]:
    """The conditions of a rule, each that only checks as soon as its variables are known."""
    late = [part for part in body if _relation(part) in _LATE]
    found: list[Term] = []
    bound: set[str] = set()
    for part in [None, *(part for part in body if _relation(part) not in _LATE)]:
        if part is not None:
            found.append(part)
            bound |= _variables(part)
        ready = [check for check in late if _variables(check) <= bound]
        found += ready
        late = [check for check in late if check not in ready]
    return found + late


def _variables(term: Term) -> set[str]:
    if isinstance(term, str):
        return {term} if term.startswith("?") else set()
    return {name for part in term for name in _variables(part)}


def _read_by(part: Term) -> str:
    """The relation that a condition reads."""
    return _relation(part[1] if _relation(part) == "not" else part)


def _reached(below: Mapping[str, Iterable[str]], roots: Iterable[str]) -> set[str]:
    """The relations ``roots``, and all that they depend on."""
    found: set[str] = set()
    pending = list(roots)
    while pending:
        if (name := pending.pop()) not in found:
            found.add(name)
            pending.extend(below.get(name, ()))
    return found


@dataclass(frozen=True)
class Board:
    """A game of two roles who take turns, all its states listed, state 0 the first.

    ``facts`` (a set of names a state), ``mover`` (a role by its number, -1 at the end), ``moves``
    ({action: state}) and ``worth`` of the ends to the role that begins: 1, 0 or -1.
    """

    roles: tuple[str, ...]
    facts: tuple[frozenset[str], ...]
    mover: tuple[int, ...]
    moves: tuple[Mapping[str, int], ...]
    worth: tuple[int, ...]

    @classmethod
    def of(cls, text: str, most: int = 2_000) -> Board:
        """The game of a description in which who is not to move has ``noop`` alone."""
        game = SlowGame(text)
        order, place = [game.initial], {game.initial: 0}
        mover, moves, worth = [], [], []
        roles = tuple(game.roles)
        first = _chooser(game.look(game.initial)[1], roles)
        if first == 1:
            roles = roles[::-1]
        for state in order:  # grows while it is walked
            ended, legal, goals = game.look(state)
            one, two = goals.get(roles[0], 0), goals.get(roles[1], 0)
            worth.append((one > two) - (one < two))
            turn = -1 if ended else _chooser(legal, roles)
            mover.append(turn)
            found: dict[str, int] = {}
            for move in () if ended else legal[roles[turn]]:
                after = game.after(state, {roles[turn]: move, roles[1 - turn]: "noop"})
                if after not in place:
                    place[after] = len(order)
                    order.append(after)
                found[show(move)] = place[after]
            moves.append(found)
            if len(order) > most:
                raise ValueError("too many states")
        facts = tuple(frozenset(map(show, state)) for state in order)
        return cls(roles, facts, tuple(mover), tuple(moves), tuple(worth))

    @cached_property
    def value(self) -> tuple[int, ...]:
        """What each state is worth to the role that begins; play must end."""
        known: dict[int, int] = {}

        def of(state: int) -> int:
            if state not in known:
                after = [of(to) for to in self.moves[state].values()]
                best = max if self.mover[state] == 0 else min
                known[state] = best(after) if after else self.worth[state]
            return known[state]

        return tuple(of(state) for state in range(len(self.facts)))

    def good(self, state: int) -> set[str]:
        """The moves that keep the value of a state."""
        return {a for a, to in self.moves[state].items() if self.value[to] == self.value[state]}

    def of_player(self, player: int) -> Iterator[int]:
        """The states in which a player is to move."""
        return (state for state, mover in enumerate(self.mover) if mover == player)


def _chooser(legal: Mapping[str, Sequence[Term]], roles: Sequence[str]) -> int:
    """The role whose moves are not ``noop`` alone."""
    return next(i for i, role in enumerate(roles) if list(legal[role]) != ["noop"])

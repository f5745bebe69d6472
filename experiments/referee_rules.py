"""The rules of a benchmark file, compiled for the referee alone.

The meaning is that of the language: parameters range over the integers, right sides read the old
state, of several assignments to a variable the last one that fires counts, and a move applies
where its precondition holds and its result satisfies the constraint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from experiments.referee_text import (
    Expr,
    Names,
    Unreadable,
    bound,
    constant,
    formula,
    lists,
    term,
    word,
)

__all__ = ["Action", "Rules", "State", "plain", "read"]

State: TypeAlias = tuple[int, ...]
Moves: TypeAlias = Iterator[tuple[State, State, bool]]


@dataclass(frozen=True, slots=True)
class Action:
    """``moves(reach, *state)`` are the moves that apply, as (parameters, state after, at the rim).

    A parameter that the precondition does not bound is tried up to ``reach``; a move is at the rim
    where such a parameter has the last value that was tried.  ``result(*state, *parameters)`` is
    the state after a move, or None where it does not apply.  Neither asks whether play is over.
    """

    name: str
    parameters: tuple[str, ...]
    moves: Callable[..., Moves]
    result: Callable[..., State | None]


@dataclass(frozen=True, slots=True)
class Rules:
    """``ranges`` holds what the constraint says of each variable by itself; None is no bound."""

    variables: tuple[str, ...]
    ranges: tuple[tuple[int | None, int | None], ...]
    legal: Callable[..., bool]
    ended: Callable[..., bool]
    actions: tuple[Action, ...]


def plain(name: str) -> str:
    """A name as the solver may spell it: no ``?``, one kind of sign, no ``_`` at the ends."""
    return re.sub(r"\W", "_", name.removeprefix("?"), flags=re.ASCII).strip("_")


def read(text: str) -> Rules:
    """The rules of one domain; :class:`Unreadable` where it is not of this dialect."""
    sections = _sections(lists(text)[2:])
    objects = [word(name) for name in _one(sections, ":objects")]
    names = {name: f"v{i}" for i, name in enumerate(objects)}
    constraint = _condition(sections, ":constraint", ["and"])
    over = _condition(sections, ":tercondition", ["or"])
    compiler = _Compiler(names, formula(constraint, names))
    actions: list[Action] = []
    for body in sections.get(":action", []):
        actions.append(compiler.action(body, {action.name for action in actions}))
    sides = ("lower", "upper")
    lows, highs = ([constant(constraint, name, side) for name in objects] for side in sides)
    return Rules(
        tuple(plain(name) for name in objects),
        tuple(zip(lows, highs, strict=True)),
        compiler.legal,
        compiler.test("ended", formula(over, names)),
        tuple(actions),
    )


def _sections(domain: Sequence[Expr]) -> Mapping[str, list[list[Expr]]]:
    found: dict[str, list[list[Expr]]] = {}
    for section in domain:
        if isinstance(section, str) or not section:
            raise Unreadable(f"not a section: {section!r}")
        found.setdefault(word(section[0]), []).append(section[1:])
    unknown = set(found) - {":objects", ":constraint", ":tercondition", ":action", ":type"}
    if unknown:
        raise Unreadable(f"not a section: {min(unknown)!r}")
    return found


def _one(sections: Mapping[str, list[list[Expr]]], head: str) -> list[Expr]:
    if len(sections.get(head, [])) != 1:
        raise Unreadable(f"{head} is wanted once")
    return sections[head][0]


def _condition(sections: Mapping[str, list[list[Expr]]], head: str, default: list[Expr]) -> Expr:
    body = _one(sections, head) if head in sections else [default]
    if len(body) != 1:
        raise Unreadable(f"{head} takes one condition")
    return body[0]


class _Compiler:
    """Makes Python functions over the ``variables`` of one file; ``legal`` is the constraint."""

    def __init__(self, variables: Names, constraint: str) -> None:
        self._variables = variables
        self._state = "".join(f"{ours}, " for ours in variables.values())
        self._scope: dict[str, Any] = {
            "__builtins__": {"min": min, "max": max, "range": range},
        }
        self.legal = self.test("legal", constraint)

    def test(self, name: str, text: str) -> Callable[..., bool]:
        """A function of a state that says whether the condition holds."""
        return self._function(name, [f"def {name}({self._state}):", f"    return {text}"])

    def _function(self, name: str, lines: Sequence[str]) -> Callable[..., Any]:
        exec("\n".join(lines), self._scope)
        function: Callable[..., Any] = self._scope[name]
        return function

    def action(self, body: Sequence[Expr], taken: set[str]) -> Action:
        """An action of the file; the names in ``taken`` are those of the actions before it."""
        if len(body) % 2 == 0:
            raise Unreadable("an action is a name, and keywords each with its list")
        parts = {word(key): value for key, value in zip(body[1::2], body[2::2], strict=True)}
        parameters = [word(name) for name in parts.get(":parameters", [])]
        if len({*parameters, *self._variables}) < len(parameters) + len(self._variables):
            raise Unreadable("two things of one name")
        names = {**self._variables, **{name: f"p{i}" for i, name in enumerate(parameters)}}
        condition = parts.get(":precondition") or ["and"]
        after = self._after(parts.get(":effect", []), names)
        return Action(
            _unique(plain(word(body[0])), taken),
            tuple(plain(name) for name in parameters),
            self._moves(condition, after, parameters, names),
            self._result(condition, after, parameters, names),
        )

    def _after(self, effect: Expr, names: Names) -> str:
        """The text of the state after the move, on a line after which ``legal`` is asked."""
        new = dict(self._variables)
        for guards, variable, value in _assignments(effect, ()):
            if variable not in new:
                raise Unreadable(f"no such variable: {variable!r}")
            text = term(value, names)
            test = formula(["and", *guards], names)
            new[variable] = f"({text} if {test} else {new[variable]})" if guards else text
        return f"after = ({''.join(f'{text}, ' for text in new.values())})"

    def _moves(
        self, condition: Expr, after: str, parameters: Sequence[str], names: Names
    ) -> Callable[..., Moves]:
        lines = [f"def moves(reach, {self._state}):"]
        known, rims, depth = dict(self._variables), ["False"], "    "
        for name in parameters:
            ours = names[name]
            low, high = (bound(condition, name, known, side) for side in ("lower", "upper"))
            # Without a bound at least one value is tried, so that the rim is seen.
            lines.append(f"{depth}low = {low or (f'min(-reach, {high})' if high else '-reach')}")
            lines.append(f"{depth}high = {high or 'max(reach, low)'}")
            lines.append(f"{depth}for {ours} in range(low, high + 1):")
            rims += [f"{ours} <= -reach"] if low is None else []
            rims += [f"{ours} >= reach"] if high is None else []
            known[name] = ours
            depth += "    "
        chosen = "".join(f"{names[name]}, " for name in parameters)
        lines.append(f"{depth}if {formula(condition, names)}:")
        lines.append(f"{depth}    {after}")
        lines.append(f"{depth}    if legal(*after):")
        lines.append(f"{depth}        yield ({chosen}), after, {' or '.join(rims)}")
        return self._function("moves", lines)

    def _result(
        self, condition: Expr, after: str, parameters: Sequence[str], names: Names
    ) -> Callable[..., State | None]:
        chosen = "".join(f"{names[name]}, " for name in parameters)
        lines = [f"def result({self._state}{chosen}):", f"    {after}"]
        lines.append(f"    applies = {formula(condition, names)} and legal(*after)")
        lines.append("    return after if applies else None")
        return self._function("result", lines)


def _assignments(
    effect: Expr, guards: tuple[Expr, ...]
) -> Iterator[tuple[tuple[Expr, ...], str, Expr]]:
    """(conditions, variable, new value) in the order of the text."""
    match effect:
        case ["and", *parts]:
            for part in parts:
                yield from _assignments(part, guards)
        case ["when", condition, inner]:
            yield from _assignments(inner, (*guards, condition))
        case ["assign", str(variable), value]:
            yield guards, variable, value
        case _:
            raise Unreadable(f"not an effect: {effect!r}")


def _unique(name: str, taken: set[str]) -> str:
    """The solver calls the second action of a name NAME_2, the third NAME_3."""
    if name not in taken:
        return name
    return next(new for i in range(2, len(taken) + 3) if (new := f"{name}_{i}") not in taken)

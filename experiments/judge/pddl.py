"""Rules in the benchmark's dialect of PDDL, read into the nodes of :mod:`.reading`.

The meaning is that of the language: parameters range over the integers, right sides read the old
state, of several assignments to a variable the last one that fires counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from experiments.judge.reading import Action, Node, Rules, Unreadable

__all__ = ["read_pddl"]

Expr: TypeAlias = "str | list[Expr]"
Names: TypeAlias = Mapping[str, str]
"""Names as the file has them -> in the nodes."""

_NUMBER = re.compile(r"[+-]?[0-9]+")
_SECTIONS = {":objects", ":constraint", ":tercondition", ":action", ":type"}
_RESERVED = re.compile(
    "game|heaps|const|var|legal|end|block|action|pre|eff|into|cite|not|and|or|true|false|in"
    "|exists|forall|mod|div|min|max|abs|if|then|else"
)


def read_pddl(text: str) -> Rules:
    """The rules of one domain; :class:`Unreadable` where it is not of this dialect."""
    sections: dict[str, list[list[Expr]]] = {}
    domain = _lists(text)
    for section in domain[2:]:
        head, *body = section if isinstance(section, list) and section else [[]]
        sections.setdefault(_word(head), []).append(body)
    if not sections.keys() <= _SECTIONS or len(sections.get(":objects", [])) != 1:
        raise Unreadable(f"the sections are {', '.join(sections)}")
    objects = _named(sections[":objects"][0], {})
    legal, end = (
        _formula(_one(sections.get(head, [[[default]]])), objects)
        for head, default in ((":constraint", "and"), (":tercondition", "or"))
    )
    bodies = sections.get(":action", [])
    names = _action_names([_spelled(_word(body[0])) for body in bodies if body])
    if len(names) < len(bodies):
        raise Unreadable("an action without a name")
    actions = [_action(name, body[1:], objects) for name, body in zip(names, bodies, strict=True)]
    return Rules(str(domain[1]), tuple(objects.values()), legal, end, tuple(actions))


# --- lists and names ---------------------------------------------------------------------------


def _lists(text: str) -> list[Expr]:
    """The one list that the text holds; ``;`` starts a comment."""
    stack: list[list[Expr]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token)
        elif len(stack) == 1:
            raise Unreadable("a ')' too many")
        else:
            done = stack.pop()
            stack[-1].append(done)
    match stack:
        case [[[*whole]]]:
            return whole
    raise Unreadable("not one list")


def _one(bodies: Sequence[list[Expr]]) -> Expr:
    if len(bodies) != 1 or len(bodies[0]) != 1:
        raise Unreadable("one condition is wanted")
    return bodies[0][0]


def _word(expr: Expr) -> str:
    if not isinstance(expr, str):
        raise Unreadable(f"not a word: {expr!r}")
    return expr


def _spelled(name: str) -> str:
    """A name as the language can have it."""
    plain = re.sub(r"\W", "_", name.removeprefix("?"), flags=re.ASCII)
    plain = f"_{plain}" if plain[:1].isdigit() else plain
    return f"{plain}_" if _RESERVED.fullmatch(plain) else plain


def _named(words: Sequence[Expr], taken: Names) -> dict[str, str]:
    """New names; no two things may have the same."""
    found = {_word(word): _spelled(_word(word)) for word in words}
    if len({*found.values(), *taken.values()}) < len(words) + len(taken):
        raise Unreadable("two things of one name")
    return found


# --- actions -----------------------------------------------------------------------------------


def _action_names(written: Sequence[str]) -> list[str]:
    """The second action of a name is NAME_2, the third NAME_3, unless one is written so."""
    found: list[str] = []
    for name in written:
        numbered = (f"{name}_{number}" for number in range(2, 2 * len(written) + 2))
        free = (new for new in numbered if new not in found and new not in written)
        found.append(next(free) if name in found else name)
    return found


def _action(name: str, body: Sequence[Expr], objects: Names) -> Action:
    if len(body) % 2:
        raise Unreadable("an action is a name, and keywords each with its list")
    parts = {_word(key): value for key, value in zip(body[::2], body[1::2], strict=True)}
    parameters = _named(list(parts.get(":parameters", [])), objects)
    names = {**objects, **parameters}
    effects: dict[str, Node] = {}
    for guards, variable, value in _assignments(parts.get(":effect", []), ()):
        if variable not in objects:
            raise Unreadable(f"no such variable: {variable!r}")
        ours, term = objects[variable], _term(value, names)
        if guards:
            before = effects.get(ours, ("name", ours))
            term = ("if", ("and", *(_formula(guard, names) for guard in guards)), term, before)
        effects[ours] = term
    condition = _formula(parts.get(":precondition") or ["and"], names)
    return Action(name, tuple(parameters.values()), condition, effects)


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


# --- conditions and terms ----------------------------------------------------------------------


def _formula(expr: Expr, names: Names) -> Node:
    match expr:
        case [("and" | "or") as joint, *parts]:
            if not parts:
                return ("true",) if joint == "and" else ("false",)
            return (joint, *(_formula(part, names) for part in parts))
        case ["not", part]:
            return ("not", _formula(part, names))
        case ["imply", left, right]:
            return ("->", _formula(left, names), _formula(right, names))
        case ["%=", left, str(modulus), right] if re.fullmatch("0*[1-9][0-9]*", modulus):
            difference = ("-", _term(left, names), _term(right, names))
            return ("chain", (("mod", difference, ("int", int(modulus))), ("int", 0)), ("=",))
        case [("=" | "!=" | "<" | "<=" | ">" | ">=") as sign, left, right]:
            return ("chain", (_term(left, names), _term(right, names)), (sign,))
    raise Unreadable(f"not a condition: {expr!r}")


def _term(expr: Expr, names: Names) -> Node:
    match expr:
        case str(word) if _NUMBER.fullmatch(word):
            return ("int", int(word))
        case str(word) if word in names:
            return ("name", names[word])
        case ["-", part]:
            return ("neg", _term(part, names))
        case [("+" | "-" | "*") as sign, first, *others]:
            node = _term(first, names)
            for part in others:
                node = (sign, node, _term(part, names))
            return node
    raise Unreadable(f"not a term: {expr!r}")

"""S-expressions of the benchmark's dialect as the text of Python expressions, for the referee.

Nothing here is shared with icgsynth: a fault of its reader must not be repeated by whoever judges
its answers.  A Python text is made of integers, operators and names of the caller's choice only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

__all__ = ["Expr", "Names", "Unreadable", "bound", "constant", "formula", "lists", "term", "word"]

Expr: TypeAlias = "str | list[Expr]"
Names: TypeAlias = Mapping[str, str]
"""Names as the file has them -> in the Python text."""

_COMPARISONS = {"=": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_FLIPPED = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
# What each comparison "name SIGN bound" adds to the bound, to make it one that is included.
_STEPS = {"lower": {"=": 0, ">=": 0, ">": 1}, "upper": {"=": 0, "<=": 0, "<": -1}}
_NUMBER = re.compile(r"[+-]?[0-9]+")


class Unreadable(Exception):
    """The text is not of this dialect."""


def lists(text: str) -> list[Expr]:
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


def word(expr: Expr) -> str:
    """``expr``, which is to be a word."""
    if not isinstance(expr, str):
        raise Unreadable(f"not a word: {expr!r}")
    return expr


def formula(expr: Expr, names: Names) -> str:
    """The text of a condition."""
    if isinstance(expr, str) or not expr:
        raise Unreadable(f"not a condition: {expr!r}")
    head, *parts = expr
    match word(head), len(parts):
        case ("and" | "or") as joint, _:
            inner = f" {joint} ".join(formula(part, names) for part in parts)
            return f"({inner})" if parts else str(joint == "and")
        case "not", 1:
            return f"(not {formula(parts[0], names)})"
        case "imply", 2:
            return f"(not {formula(parts[0], names)} or {formula(parts[1], names)})"
        case "%=", 3:
            if not isinstance(parts[1], str) or not re.fullmatch("0*[1-9][0-9]*", parts[1]):
                raise Unreadable(f"not a modulus: {parts[1]!r}")
            number, modulus, rest = (term(part, names) for part in parts)
            return f"(({number} - {rest}) % {modulus} == 0)"
        case sign, 2 if sign in _COMPARISONS:
            left, right = (term(part, names) for part in parts)
            return f"({left} {_COMPARISONS[sign]} {right})"
    raise Unreadable(f"not a condition: {expr!r}")


def term(expr: Expr, names: Names) -> str:
    """The text of an integer."""
    if isinstance(expr, str):
        if _NUMBER.fullmatch(expr):
            return f"({int(expr)})"
        if expr not in names:
            raise Unreadable(f"no such name: {expr!r}")
        return names[expr]
    if not expr or expr[0] not in ("+", "-", "*") or len(expr) < 2:
        raise Unreadable(f"not a term: {expr!r}")
    sign, *parts = (expr[0], *(term(part, names) for part in expr[1:]))
    if sign == "-" and len(parts) == 1:
        return f"(-{parts[0]})"
    return f"({f' {sign} '.join(parts)})"


def bound(expr: Expr, name: str, names: Names, side: str) -> str | None:
    """The text of a bound that ``expr`` puts on ``name``, by the other ``names``; None if none.

    ``side`` is "lower" or "upper".  Only comparisons with ``name`` alone on a side are looked at,
    so there may be a bound where None is returned.
    """
    if isinstance(expr, str) or not expr:
        return None
    head, *parts = expr
    if head in ("and", "or"):
        found = [bound(part, name, names, side) for part in parts]
        bounds = [text for text in found if text is not None]
        if not bounds or (head == "or" and len(bounds) < len(parts)):
            return None
        choice = "max" if (side == "lower") == (head == "and") else "min"
        return bounds[0] if len(bounds) == 1 else f"{choice}({', '.join(bounds)})"
    if len(parts) != 2 or not isinstance(head, str) or head not in _FLIPPED:
        return None
    if parts[1] == name:
        head, parts = _FLIPPED[head], parts[::-1]
    if parts[0] != name or head not in _STEPS[side]:
        return None
    try:
        return f"({term(parts[1], names)} + {_STEPS[side][head]})"
    except Unreadable:  # it speaks of a parameter that is chosen later, or of the name itself
        return None


def constant(expr: Expr, name: str, side: str) -> int | None:
    """A bound that is an integer."""
    text = bound(expr, name, {}, side)
    if text is None:
        return None
    return int(eval(text, {"__builtins__": {}, "min": min, "max": max}))

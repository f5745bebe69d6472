"""Spellings of an answer that make members alike which the search wrote differently.

Every spelling is equivalent to what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable

from icgsynth.batch.family.shape import shape_of
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, rebuild, walk

__all__ = ["SPELLINGS", "as_found", "in_order"]


def as_found(node: t.Node) -> t.Node:
    """The answer as the search wrote it."""
    return node


def in_order(node: t.Node) -> t.Node:
    """The answer with ``and`` and ``or`` in an order of shapes, and sets as progressions.

    A linear term inside a ``mod`` gets its integer written even if that is 0, since the
    integer of another member may differ.
    """
    node = rebuild(node, tuple([in_order(child) for child in t.children(node)]))
    match node:
        case t.And(args):
            return t.And(tuple(sorted(args, key=_key)))
        case t.Or(args):
            return t.Or(tuple(sorted(args, key=_key)))
        case t.Member(term, values):
            return _progression(node, term, [v.value for v in values if isinstance(v, t.Int)])
        case t.Mod(arg, divisor) if _has_name(arg):
            return t.Mod(_padded(arg), divisor)
        case _:
            return node


SPELLINGS: tuple[Callable[[t.Node], t.Node], ...] = (as_found, in_order)


def _key(node: t.Node) -> tuple[str, tuple[int, ...]]:
    """By shape first, for the integers are what differs."""
    shape, values = shape_of([node])
    return str(shape.patterns[0]), values


def _progression(node: t.Member, term: t.Term, values: list[int]) -> t.Formula:
    """``t in {0, 2, 4}`` as ``t <= 4 and t mod 2 = 0``; unchanged if the steps differ."""
    values = sorted(set(values))
    if len(values) < 2 or len(values) < len(node.values):
        return node
    first, last, step = values[0], values[-1], values[1] - values[0]
    if values != list(range(first, last + 1, step)):
        return node
    least: t.Formula = t.Compare((t.Int(first), term, t.Int(last)), ("<=", "<="))
    if first == 0 and isinstance(term, t.Mod):
        least = t.Compare((term, t.Int(last)), ("<=",))
    if step == 1:
        return least
    return conjunction((least, t.Compare((t.Mod(term, t.Int(step)), t.Int(first % step)), ("=",))))


def _padded(term: t.Term) -> t.Term:
    """``term`` with an integer summand at its end."""
    args = term.args if isinstance(term, t.Sum) else (term,)
    constant = sum(arg.value for arg in args if isinstance(arg, t.Int))
    rest = sorted((arg for arg in args if not isinstance(arg, t.Int)), key=_key)
    return t.Sum((*rest, t.Int(constant)))


def _has_name(node: t.Node) -> bool:
    return any(isinstance(part, t.Name) for part in walk(node))

"""Shapes: terms and formulas with their integers taken out.

The integers of a formula become numbered holes, in reading order, so that answers of several
members that differ in their numbers only have the same pattern.  A hole is a
:class:`~icgsynth.logic.term.Name` that no parser reads, ``?3``; putting terms in is a substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.logic import term as t
from icgsynth.logic.build import fold, rebuild, substitute, walk

__all__ = ["Shape", "fill", "instantiate", "read_modulo", "shape_of", "signed"]


@dataclass(frozen=True, slots=True)
class Shape:
    """``patterns`` with ``holes`` numbered throughout; equal for answers that look the same."""

    patterns: tuple[t.Node, ...]
    holes: int


def shape_of(nodes: Iterable[t.Node]) -> tuple[Shape, tuple[int, ...]]:
    """The common shape of ``nodes`` and the integers that fill its holes."""
    values: list[int] = []
    patterns = tuple([_open(signed(node), values) for node in nodes])
    return Shape(patterns, len(values)), tuple(values)


def _open(node: t.Node, values: list[int]) -> t.Node:
    if isinstance(node, t.Int):
        values.append(node.value)
        return _hole(len(values) - 1)
    return rebuild(node, tuple([_open(child, values) for child in t.children(node)]))


def _hole(number: int) -> t.Name:
    return t.Name(f"?{number}")


def _number(node: t.Node) -> int | None:
    """Which hole ``node`` is; None if it is none."""
    return int(node.name[1:]) if isinstance(node, t.Name) and node.name[0] == "?" else None


def signed(node: t.Node) -> t.Node:
    """``node`` with minus signs moved into integers: ``v - 3`` is ``v`` plus the integer -3."""
    node = rebuild(node, tuple([signed(child) for child in t.children(node)]))
    match node:
        case t.Neg(t.Int(value)):
            return t.Int(-value)
        case t.Neg(t.Mul(t.Int(value), right)):
            return t.Mul(t.Int(-value), right)
        case _:
            return node


def read_modulo(shape: Shape) -> dict[int, tuple[int, bool]]:
    """Holes that matter modulo another: to the hole of that modulus, and whether it is inside.

    In ``(v + ?0) mod ?1 = ?2`` the holes 0 (inside) and 2 (outside) are read modulo hole 1.
    """
    found: dict[int, tuple[int, bool]] = {}

    def note(terms: Sequence[t.Node], divisor: t.Node, inside: bool) -> None:
        modulus = _number(divisor)
        for term in terms:
            if (hole := _number(term)) is not None and modulus is not None:
                found[hole] = (modulus, inside)

    for node in (n for pattern in shape.patterns for n in walk(pattern)):
        match node:
            case t.Mod(t.Sum(args), divisor):
                note(args, divisor, True)
            case t.Compare((t.Mod(_, divisor), right), ("=" | "!=",)):
                note((right,), divisor, False)
            case t.Member(t.Mod(_, divisor), members):
                note(members, divisor, False)
    return found


def fill(shape: Shape, terms: Sequence[t.Term]) -> tuple[t.Node, ...]:
    """The patterns with ``terms`` in their holes, as people would write them."""
    by = {_hole(i).name: term for i, term in enumerate(terms)}
    return tuple([fold(_flat(fold(substitute(p, by)))) for p in shape.patterns])


def _flat(node: t.Node) -> t.Node:
    """Each sum without sums in it, its integers added up, and not negative at its start."""
    node = rebuild(node, tuple([_flat(child) for child in t.children(node)]))
    if not isinstance(node, t.Sum):
        return node
    flat = [a for arg in node.args for a in (arg.args if isinstance(arg, t.Sum) else (arg,))]
    args: list[t.Term] = [arg for arg in flat if not isinstance(arg, t.Int)]
    args.append(t.Int(sum(arg.value for arg in flat if isinstance(arg, t.Int))))
    first = next((i for i, arg in enumerate(args) if not _is_negative(arg)), 0)
    return t.Sum((args[first], *args[:first], *args[first + 1 :]))


def _is_negative(term: t.Term) -> bool:
    match term:
        case t.Neg():
            return True
        case t.Int(value) | t.Mul(t.Int(value), _):
            return value < 0
        case _:
            return False


def instantiate(node: t.Kind, values: Mapping[str, int]) -> t.Kind | None:
    """``node`` with numbers for its constants; None where that makes a divisor 0 or less."""
    put = fold(substitute(node, {name: t.Int(value) for name, value in values.items()}))
    for part in walk(put):
        if isinstance(part, t.Mod | t.Div):
            divisor = part.divisor
            if not isinstance(divisor, t.Int) or divisor.value <= 0:
                return None
    return put

"""Shapes: terms and formulas with their integers taken out.

The integers of a formula become numbered holes, in reading order, so that answers of several
members that differ in their numbers only have the same pattern.  A hole is a
:class:`~icgsynth.logic.term.Name` that no parser reads, ``?3``; putting terms in is a substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.logic.term import (
    Compare,
    Div,
    Int,
    Kind,
    Member,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Sum,
    Term,
    children,
    fold,
    rebuild,
    substitute,
    walk,
)

__all__ = ["Shape", "fill", "instantiate", "read_modulo", "shape_of", "signed"]


@dataclass(frozen=True, slots=True)
class Shape:
    """``patterns`` with ``holes`` numbered throughout; equal for answers that look the same."""

    patterns: tuple[Node, ...]
    holes: int


def shape_of(nodes: Iterable[Node]) -> tuple[Shape, tuple[int, ...]]:
    """The common shape of ``nodes`` and the integers that fill its holes."""
    values: list[int] = []
    patterns = tuple([_open(signed(node), values) for node in nodes])
    return Shape(patterns, len(values)), tuple(values)


def _open(node: Node, values: list[int]) -> Node:
    if isinstance(node, Int):
        values.append(node.value)
        return _hole(len(values) - 1)
    return rebuild(node, tuple([_open(child, values) for child in children(node)]))


def _hole(number: int) -> Name:
    return Name(f"?{number}")


def _number(node: Node) -> int | None:
    """Which hole ``node`` is; None if it is none."""
    return int(node.name[1:]) if isinstance(node, Name) and node.name[0] == "?" else None


def signed(node: Node) -> Node:
    """``node`` with minus signs moved into integers: ``v - 3`` is ``v`` plus the integer -3."""
    node = rebuild(node, tuple([signed(child) for child in children(node)]))
    match node:
        case Neg(Int(value)):
            return Int(-value)
        case Neg(Mul(Int(value), right)):
            return Mul(Int(-value), right)
        case _:
            return node


def read_modulo(shape: Shape) -> dict[int, tuple[int, bool]]:
    """Holes that matter modulo another: to the hole of that modulus, and whether it is inside.

    In ``(v + ?0) mod ?1 = ?2`` the holes 0 (inside) and 2 (outside) are read modulo hole 1.
    """
    found: dict[int, tuple[int, bool]] = {}

    def note(terms: Sequence[Node], divisor: Node, inside: bool) -> None:
        modulus = _number(divisor)
        for term in terms:
            if (hole := _number(term)) is not None and modulus is not None:
                found[hole] = (modulus, inside)

    for node in (n for pattern in shape.patterns for n in walk(pattern)):
        match node:
            case Mod(Sum(args), divisor):
                note(args, divisor, True)
            case Compare((Mod(_, divisor), right), ("=" | "!=",)):
                note((right,), divisor, False)
            case Member(Mod(_, divisor), members):
                note(members, divisor, False)
    return found


def fill(shape: Shape, terms: Sequence[Term]) -> tuple[Node, ...]:
    """The patterns with ``terms`` in their holes, as people would write them."""
    by = {_hole(i).name: term for i, term in enumerate(terms)}
    return tuple([fold(_flat(fold(substitute(p, by)))) for p in shape.patterns])


def _flat(node: Node) -> Node:
    """Each sum without sums in it, its integers added up, and not negative at its start."""
    node = rebuild(node, tuple([_flat(child) for child in children(node)]))
    if not isinstance(node, Sum):
        return node
    flat = [a for arg in node.args for a in (arg.args if isinstance(arg, Sum) else (arg,))]
    args: list[Term] = [arg for arg in flat if not isinstance(arg, Int)]
    args.append(Int(sum(arg.value for arg in flat if isinstance(arg, Int))))
    first = next((i for i, arg in enumerate(args) if not _is_negative(arg)), 0)
    return Sum((args[first], *args[:first], *args[first + 1 :]))


def _is_negative(term: Term) -> bool:
    match term:
        case Neg():
            return True
        case Int(value) | Mul(Int(value), _):
            return value < 0
        case _:
            return False


def instantiate(node: Kind, values: Mapping[str, int]) -> Kind | None:
    """``node`` with numbers for its constants; None where that makes a divisor 0 or less."""
    put = fold(substitute(node, {name: Int(value) for name, value in values.items()}))
    for part in walk(put):
        if isinstance(part, Mod | Div):
            divisor = part.divisor
            if not isinstance(divisor, Int) or divisor.value <= 0:
                return None
    return put

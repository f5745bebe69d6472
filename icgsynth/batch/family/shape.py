"""Shapes: terms and formulas with their integers taken out.

The integers of a formula become numbered holes, in reading order, so that answers of several
members that differ in their numbers only have the same pattern.  A hole is a
:class:`~icgsynth.logic.term.Name` that no parser reads, ``?3``; putting terms in is a substitution.

Rules of a strategy taken apart into terms and formulas, and put together again.

Spellings of an answer that make members alike which the search wrote differently.

Every spelling is equivalent to what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias, cast

from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, rebuild, substitute, walk

# --- shape ---------------------------------------------------------------------------------------


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


# --- rule parts ----------------------------------------------------------------------------------

Head: TypeAlias = tuple[str, tuple[str, ...]]  # an action and the names of its parameters


def head_of(rule: Rule) -> Head:
    """The action and the names of its parameters, without their terms."""
    return rule.act.action, tuple([name for name, _ in rule.act.arguments])


def nodes_of(rule: Rule) -> tuple[t.Node, ...]:
    """The condition, then the arguments."""
    return (rule.when, *[term for _, term in rule.act.arguments])


def rule_of(head: Head, rest: Iterator[t.Node]) -> Rule:
    """The rule that ``head`` and the next of ``rest`` make, in the order of :func:`nodes_of`."""
    action, parameters = head
    when, *terms = islice(rest, 1 + len(parameters))
    arguments = tuple(zip(parameters, cast("list[t.Term]", terms), strict=True))
    return Rule(cast("t.Formula", when), SemiGroundAction(action, arguments))


def instantiate_rule(rule: Rule, over: str, k: int) -> Rule | None:
    """The rule with ``k`` for the constant; None where that makes a divisor 0 or less."""
    nodes = [instantiate(node, {over: k}) for node in nodes_of(rule)]
    if None in nodes:
        return None
    return rule_of(head_of(rule), iter([node for node in nodes if node is not None]))


# --- spelling ------------------------------------------------------------------------------------


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

"""Immutable integer terms and formulas of linear integer arithmetic.

The grammar is the one of the ``.icg`` language (docs, *The language*): sums,
products with a constant, ``mod`` and ``div`` by a constant (floor, as in Python),
``min``, ``max``, ``abs``, ``if``; comparisons in chains, membership in a finite
set, the connectives and quantifiers over the integers.

``str`` prints what the parser reads back.  What a term *means* is given by
:mod:`icgsynth.evaluate`, once for integers, numpy columns and SMT alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "FALSE",
    "TRUE",
    "Abs",
    "And",
    "Compare",
    "Div",
    "Formula",
    "If",
    "Iff",
    "Implies",
    "Int",
    "Max",
    "Member",
    "Min",
    "Mod",
    "Mul",
    "Name",
    "Neg",
    "Node",
    "Not",
    "Or",
    "Quantified",
    "Sum",
    "Term",
    "Truth",
    "children",
    "conjunction",
    "disjunction",
    "fold",
    "free_names",
    "holds",
    "integers",
    "map_names",
    "negation",
    "rebuild",
    "size",
    "substitute",
    "walk",
]


class _Printed:
    """Shared by all nodes: ``str`` is concrete syntax."""

    __slots__ = ()

    def __str__(self) -> str:
        return _render(self)[0]  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Int(_Printed):
    value: int


@dataclass(frozen=True, slots=True)
class Name(_Printed):
    name: str


@dataclass(frozen=True, slots=True)
class Sum(_Printed):
    """Two or more summands; a difference is a sum with a :class:`Neg`."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Neg(_Printed):
    arg: Term


@dataclass(frozen=True, slots=True)
class Mul(_Printed):
    """A product; linear when one side has no variable in it."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Mod(_Printed):
    arg: Term
    divisor: Term


@dataclass(frozen=True, slots=True)
class Div(_Printed):
    arg: Term
    divisor: Term


@dataclass(frozen=True, slots=True)
class Min(_Printed):
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Max(_Printed):
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Abs(_Printed):
    arg: Term


@dataclass(frozen=True, slots=True)
class If(_Printed):
    condition: Formula
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Truth(_Printed):
    value: bool


@dataclass(frozen=True, slots=True)
class Compare(_Printed):
    """A chain ``terms[0] ops[0] terms[1] ops[1] ...``, true when every link is."""

    terms: tuple[Term, ...]
    ops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member(_Printed):
    """``term in {values}``."""

    term: Term
    values: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Not(_Printed):
    arg: Formula


@dataclass(frozen=True, slots=True)
class And(_Printed):
    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or(_Printed):
    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies(_Printed):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Iff(_Printed):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Quantified(_Printed):
    """``exists`` or ``forall`` over the integers."""

    kind: str
    names: tuple[str, ...]
    body: Formula


Term: TypeAlias = Int | Name | Sum | Neg | Mul | Mod | Div | Min | Max | Abs | If
Formula: TypeAlias = Truth | Compare | Member | Not | And | Or | Implies | Iff | Quantified
Node: TypeAlias = Term | Formula

TRUE = Truth(True)
FALSE = Truth(False)

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


# --- structure -------------------------------------------------------------


def children(node: Node) -> tuple[Node, ...]:
    """The direct subterms and subformulas, in reading order."""
    match node:
        case Sum(args) | And(args) | Or(args):
            return args
        case Neg(arg) | Abs(arg) | Not(arg):
            return (arg,)
        case Mul(left, right) | Min(left, right) | Max(left, right):
            return (left, right)
        case Implies(left, right) | Iff(left, right):
            return (left, right)
        case Mod(arg, divisor) | Div(arg, divisor):
            return (arg, divisor)
        case If(condition, then, otherwise):
            return (condition, then, otherwise)
        case Compare(terms, _):
            return terms
        case Member(term, values):
            return (term, *values)
        case Quantified(_, _, body):
            return (body,)
        case _:
            return ()


def rebuild(node: Node, parts: tuple[Node, ...]) -> Node:
    """``node`` with its :func:`children` replaced by ``parts``."""
    match node:
        case Int() | Name() | Truth():
            return node
        case Sum() | And() | Or():
            return type(node)(parts)  # type: ignore[arg-type]
        case Compare(_, ops):
            return Compare(parts, ops)  # type: ignore[arg-type]
        case Member():
            return Member(parts[0], parts[1:])  # type: ignore[arg-type]
        case Quantified(kind, names, _):
            return Quantified(kind, names, parts[0])  # type: ignore[arg-type]
        case _:
            return type(node)(*parts)  # type: ignore[arg-type]


def walk(node: Node) -> Iterator[Node]:
    """Every node below and including ``node``, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def free_names(node: Node) -> frozenset[str]:
    """The names that occur free."""
    match node:
        case Name(name):
            return frozenset((name,))
        case Quantified(_, names, body):
            return free_names(body) - set(names)
        case _:
            return frozenset().union(*(free_names(c) for c in children(node)))


def integers(node: Node) -> frozenset[int]:
    """The integers written in ``node``, by absolute value."""
    return frozenset(abs(n.value) for n in walk(node) if isinstance(n, Int))


def substitute(node: Node, by: Mapping[str, Term]) -> Node:
    """Replace free names simultaneously.

    Bound names are renamed where a replacement would be captured.
    """
    match node:
        case Name(name):
            return by.get(name, node)
        case Quantified(kind, names, body):
            inner = {k: v for k, v in by.items() if k not in names}
            taken = frozenset().union(*(free_names(t) for t in inner.values()))
            fresh = {n: _fresh(n, taken | free_names(body)) for n in names if n in taken}
            inner.update({old: Name(new) for old, new in fresh.items()})
            renamed = tuple(fresh.get(n, n) for n in names)
            return Quantified(kind, renamed, substitute(body, inner))  # type: ignore[arg-type]
        case _:
            return rebuild(node, tuple(substitute(c, by) for c in children(node)))


def _fresh(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def fold(node: Node) -> Node:
    """Compute every subterm that has no name in it, and drop trivial truths.

    The result is equivalent; sums keep their shape, so that what people wrote
    stays recognisable.
    """
    parts = tuple(fold(c) for c in children(node))
    match node, parts:
        case (Neg(), (Int(v),)):
            return Int(-v)
        case (Neg(), (Neg(inner),)):
            return inner
        case (Abs(), (Int(v),)):
            return Int(abs(v))
        case (Mul(), (Int(a), Int(b))):
            return Int(a * b)
        case (Mul(), (Int(1), other)) | (Mul(), (other, Int(1))):
            return other
        case (Mul(), (left, Int() as coefficient)):
            return Mul(coefficient, left)  # type: ignore[arg-type]
        case (Mod(), (Int(a), Int(m))) if m > 0:
            return Int(a % m)
        case (Div(), (Int(a), Int(m))) if m > 0:
            return Int(a // m)
        case (Min(), (Int(a), Int(b))):
            return Int(min(a, b))
        case (Max(), (Int(a), Int(b))):
            return Int(max(a, b))
        case (If(), (Truth(value), then, otherwise)):
            return then if value else otherwise
        case (Sum(), _):
            return _fold_sum(parts)  # type: ignore[arg-type]
        case (Compare(_, ops), _) if all(isinstance(p, Int) for p in parts):
            values = [p.value for p in parts]  # type: ignore[union-attr]
            links = zip(values, ops, values[1:], strict=False)
            return Truth(all(holds(op, a, b) for a, op, b in links))
        case (Not(), (Truth(value),)):
            return Truth(not value)
        case (And(), _):
            return conjunction(parts)  # type: ignore[arg-type]
        case (Or(), _):
            return disjunction(parts)  # type: ignore[arg-type]
        case _:
            return rebuild(node, parts)


def holds(op: str, left: int, right: int) -> bool:
    """One comparison of two integers."""
    match op:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _fold_sum(parts: tuple[Term, ...]) -> Term:
    if all(isinstance(p, Int) for p in parts):
        return Int(sum(p.value for p in parts if isinstance(p, Int)))
    kept = tuple(p for p in parts if p != Int(0))
    return kept[0] if len(kept) == 1 else Sum(kept)


# --- connectives that do not pile up ----------------------------------------


def conjunction(args: Iterable[Formula]) -> Formula:
    """``and`` of ``args``: flattened, without repeats, ``true`` when empty."""
    return _join(args, And, TRUE, FALSE)


def disjunction(args: Iterable[Formula]) -> Formula:
    """``or`` of ``args``: flattened, without repeats, ``false`` when empty."""
    return _join(args, Or, FALSE, TRUE)


def _join(
    args: Iterable[Formula], kind: type[And] | type[Or], unit: Truth, zero: Truth
) -> Formula:
    flat: dict[Formula, None] = {}
    for arg in args:
        if arg == zero:
            return zero
        for part in arg.args if isinstance(arg, kind) else (arg,):
            if part != unit:
                flat[part] = None
    if not flat:
        return unit
    return kind(tuple(flat)) if len(flat) > 1 else next(iter(flat))


def negation(formula: Formula) -> Formula:
    """The complement, with ``not`` pushed down to the literals where that adds nothing."""
    match formula:
        case Truth(value):
            return Truth(not value)
        case Not(arg):
            return arg
        case Compare(terms, (op,)):
            return Compare(terms, (_OPPOSITE[op],))
        case And(args):
            return disjunction(negation(a) for a in args)
        case Or(args):
            return conjunction(negation(a) for a in args)
        case _:
            return Not(formula)


# --- size ------------------------------------------------------------------


def size(node: Node) -> int:
    """Leaves plus connectives (docs, *The language*, "Size").

    Each occurrence of a name or an integer is a leaf, so a coefficient, a modulus and
    each member of a set count; ``true`` and ``false`` count nothing.

    >>> size(Compare((Name("a"), Name("b")), ("!=",)))
    2
    """
    match node:
        case Int() | Name():
            return 1
        case And(args) | Or(args):
            return sum(map(size, args)) + len(args) - 1
        case Not(arg):
            return size(arg) + 1
        case Implies(left, right) | Iff(left, right):
            return size(left) + size(right) + 1
        case Quantified(_, names, body):
            return len(names) + size(body)
        case _:
            return sum(map(size, children(node)))


# --- printing ----------------------------------------------------------------

# Binding strength, loosest first; the same numbers for terms and formulas.
_IFF, _IMPLIES, _OR, _AND, _NOT, _ATOM = range(6)
_SUM, _PRODUCT, _UNARY, _PRIMARY = range(4)


def _show(node: Node, at_least: int) -> str:
    """``node`` as text, in parentheses if it binds looser than ``at_least``."""
    text, strength = _render(node)
    return text if strength >= at_least else f"({text})"


def _render(node: Node) -> tuple[str, int]:
    match node:
        case Int(value):
            return str(value), _PRIMARY if value >= 0 else _UNARY
        case Name(name):
            return name, _PRIMARY
        case Sum(args):
            return _render_sum(args), _SUM
        case Neg(arg):
            return "-" + _show(arg, _UNARY), _UNARY
        case Mul(left, right):
            return f"{_show(left, _PRODUCT)} * {_show(right, _UNARY)}", _PRODUCT
        case Mod(arg, divisor):
            return f"{_show(arg, _PRODUCT)} mod {_show(divisor, _UNARY)}", _PRODUCT
        case Div(arg, divisor):
            return f"{_show(arg, _PRODUCT)} div {_show(divisor, _UNARY)}", _PRODUCT
        case Min(left, right):
            return f"min({left}, {right})", _PRIMARY
        case Max(left, right):
            return f"max({left}, {right})", _PRIMARY
        case Abs(arg):
            return f"abs({arg})", _PRIMARY
        case If(condition, then, otherwise):
            # `else` reaches as far right as it can: parentheses everywhere but at the top.
            return f"if {condition} then {then} else {otherwise}", _SUM - 1
        case _:
            return _render_formula(node)


def _render_sum(args: tuple[Term, ...]) -> str:
    text = _show(args[0], _PRODUCT)
    for arg in args[1:]:
        if isinstance(arg, Neg):
            text += " - " + _show(arg.arg, _PRODUCT)
        elif isinstance(arg, Int) and arg.value < 0:
            text += f" - {-arg.value}"
        elif isinstance(arg, Mul) and isinstance(arg.left, Int) and arg.left.value < 0:
            text += " - " + _show(Mul(Int(-arg.left.value), arg.right), _PRODUCT)
        else:
            text += " + " + _show(arg, _PRODUCT)
    return text


def _render_formula(node: Formula) -> tuple[str, int]:
    match node:
        case Truth(value):
            return ("true" if value else "false"), _ATOM
        case Compare(terms, ops):
            text = _show(terms[0], _SUM)
            for op, term in zip(ops, terms[1:], strict=True):
                text += f" {op} {_show(term, _SUM)}"
            return text, _ATOM
        case Member(term, values):
            return f"{_show(term, _SUM)} in {{{', '.join(map(str, values))}}}", _ATOM
        case Not(arg):
            # Brackets even around one comparison: `not a = b` reads badly.
            return f"not {_show(arg, _ATOM)}" if _is_word(arg) else f"not ({arg})", _NOT
        case And(args):
            return " and ".join(_show(a, _AND + 1) for a in args), _AND
        case Or(args):
            return " or ".join(_show(a, _OR + 1) for a in args), _OR
        case Implies(left, right):
            return f"{_show(left, _IMPLIES + 1)} -> {_show(right, _IMPLIES)}", _IMPLIES
        case Iff(left, right):
            return f"{_show(left, _IFF)} <-> {_show(right, _IFF + 1)}", _IFF
        case Quantified(kind, names, body):
            # Like `else`, a quantifier reaches as far right as it can.
            return f"{kind} {', '.join(names)}. {body}", _IFF - 1
        case _:
            raise TypeError(f"not a formula: {node!r}")


def _is_word(node: Formula) -> bool:
    return isinstance(node, Truth)


def map_names(node: Node, rename: Callable[[str], str]) -> Node:
    """``node`` with every free name passed through ``rename``."""
    return substitute(node, {n: Name(rename(n)) for n in free_names(node)})

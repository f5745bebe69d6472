"""What one does with terms and formulas: look at their parts, replace, compute, negate, measure.

The nodes themselves, and how they are written, are in :mod:`icgsynth.logic.nodes`; all their
names can be had here too.  What a term *means* is given by :mod:`icgsynth.logic.evaluate`, once
for integers, numpy columns and SMT alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from icgsynth.logic.comparisons import MEANING, NEGATED
from icgsynth.logic.nodes import (
    FALSE,
    TRUE,
    Abs,
    And,
    Compare,
    Digital,
    Div,
    Formula,
    If,
    Iff,
    Implies,
    Int,
    Kind,
    Max,
    Member,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Not,
    Or,
    Quantified,
    Recognised,
    Sum,
    Term,
    Truth,
    children,
)

__all__ = [
    "FALSE",
    "TRUE",
    "Abs",
    "And",
    "Compare",
    "Digital",
    "Div",
    "Formula",
    "If",
    "Iff",
    "Implies",
    "Int",
    "Kind",
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
    "Recognised",
    "Sum",
    "Term",
    "Truth",
    "children",
    "conjunction",
    "disjunction",
    "fold",
    "free_names",
    "integers",
    "map_names",
    "negation",
    "rebuild",
    "replaced",
    "size",
    "substitute",
    "walk",
]


# --- structure -------------------------------------------------------------


def rebuild(node: Kind, parts: tuple[Node, ...]) -> Kind:
    """``node`` with its :func:`children` replaced by ``parts``, which are of the same kinds."""
    terms, formulas = cast("tuple[Term, ...]", parts), cast("tuple[Formula, ...]", parts)
    match node:
        case Int() | Name() | Truth():
            return node
        case Sum():
            return Sum(terms)
        case And() | Or():
            return type(node)(formulas)
        case Compare(_, ops):
            return Compare(terms, ops)
        case Member():
            return Member(terms[0], terms[1:])
        case Digital(kind, _, system, modulus):
            return Digital(kind, terms, system, modulus)
        case Recognised(automaton, _, name):
            return Recognised(automaton, terms, name)
        case Quantified(kind, names, _):
            return Quantified(kind, names, formulas[0])
        case If():
            return If(formulas[0], terms[1], terms[2])
        case Neg() | Abs():
            return type(node)(terms[0])
        case Mul() | Mod() | Div() | Min() | Max():
            return type(node)(terms[0], terms[1])
        case Not():
            return Not(formulas[0])
        case Implies() | Iff():
            return type(node)(formulas[0], formulas[1])


def walk(node: Node) -> Iterator[Node]:
    """Every node below and including ``node``, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def free_names(node: Node) -> frozenset[str]:
    """The names that occur free."""
    found: set[str] = set()
    stack = [node]
    while stack:
        match top := stack.pop():
            case Name(name):
                found.add(name)
            case Quantified(_, names, body):
                found |= free_names(body) - set(names)
            case _:
                stack.extend(children(top))
    return frozenset(found)


def integers(node: Node) -> frozenset[int]:
    """The integers written in ``node``, by absolute value."""
    return frozenset(abs(n.value) for n in walk(node) if isinstance(n, Int))


def substitute(node: Kind, by: Mapping[str, Term]) -> Kind:
    """Replace free names simultaneously.

    Bound names are renamed where a replacement would be captured.
    """
    match node:
        case Name(name):
            return by.get(name, node)
        case Quantified(kind, names, body):
            inner = {k: v for k, v in by.items() if k not in names}
            taken = frozenset().union(*(free_names(term) for term in inner.values()))
            fresh = {n: _fresh(n, taken | free_names(body)) for n in names if n in taken}
            inner.update({old: Name(new) for old, new in fresh.items()})
            renamed = tuple(fresh.get(n, n) for n in names)
            return Quantified(kind, renamed, substitute(body, inner))
        case _:
            return rebuild(node, tuple([substitute(c, by) for c in children(node)]))


def replaced(node: Kind, old: Term, new: Term) -> Kind:
    """``node`` with ``new`` wherever the term ``old`` stands."""
    if isinstance(node, Term) and node == old:
        return new
    return rebuild(node, tuple([replaced(c, old, new) for c in children(node)]))


def _fresh(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def fold(node: Kind) -> Kind:
    """Compute every subterm that has no name in it, and drop trivial truths.

    The result is equivalent; sums keep their shape, so that what people wrote
    stays recognisable.
    """
    return _computed(rebuild(node, tuple([fold(c) for c in children(node)])))


def _computed(node: Kind) -> Kind:
    """:func:`fold` where the parts of ``node`` are folded already."""
    match node:
        case Sum(args):
            return _fold_sum(args)
        case Neg() | Abs() | Mul() | Mod() | Div() | Min() | Max() | If():
            return _computed_term(node)
        case Compare():
            return _computed_chain(node)
        case Not(Truth(value)):
            return Truth(not value)
        case And(args):
            return conjunction(args)
        case Or(args):
            return disjunction(args)
        case _:
            return node


def _computed_chain(chain: Compare) -> Formula:
    values = [term.value for term in chain.terms if isinstance(term, Int)]
    if len(values) < len(chain.terms):
        return chain
    links = zip(chain.ops, values, values[1:], strict=False)
    return Truth(all(MEANING[op](a, b) for op, a, b in links))


def _computed_term(term: Term) -> Term:
    match term:
        case Neg(Int(v)):
            return Int(-v)
        case Neg(Neg(inner)):
            return inner
        case Abs(Int(v)):
            return Int(abs(v))
        case Mul(Int(a), Int(b)):
            return Int(a * b)
        case Mul(Int(1), other) | Mul(other, Int(1)):
            return other
        case Mul(Int(-1), other) | Mul(other, Int(-1)):
            return other.arg if isinstance(other, Neg) else Neg(other)
        case Mul(Int(0), _) | Mul(_, Int(0)):
            return Int(0)
        case Mul(left, Int() as coefficient):
            return Mul(coefficient, left)
        case Mod(Int(a), Int(m)) if m > 0:
            return Int(a % m)
        case Div(Int(a), Int(m)) if m > 0:
            return Int(a // m)
        case Min(Int(a), Int(b)):
            return Int(min(a, b))
        case Max(Int(a), Int(b)):
            return Int(max(a, b))
        case If(Truth(value), then, otherwise):
            return then if value else otherwise
        case _:
            return term


def _fold_sum(parts: tuple[Term, ...]) -> Term:
    values = [p.value for p in parts if isinstance(p, Int)]
    if len(values) == len(parts):
        return Int(sum(values))
    kept = [p for p in parts if p != Int(0)]
    for i, part in enumerate(kept[1:], 1):
        # `a + -2 * b` is written, and read back, as `a - 2 * b`.
        if isinstance(part, Mul) and isinstance(part.left, Int) and part.left.value < 0:
            kept[i] = Neg(Mul(Int(-part.left.value), part.right))
    return kept[0] if len(kept) == 1 else Sum(tuple(kept))


def map_names(node: Kind, rename: Callable[[str], str]) -> Kind:
    """``node`` with every free name passed through ``rename``."""
    return substitute(node, {n: Name(rename(n)) for n in free_names(node)})


# --- connectives that do not pile up ----------------------------------------


def conjunction(args: Iterable[Formula]) -> Formula:
    """``and`` of ``args``: flattened, without repeats, ``true`` when empty."""
    return _join(args, And, TRUE, FALSE)


def disjunction(args: Iterable[Formula]) -> Formula:
    """``or`` of ``args``: flattened, without repeats, ``false`` when empty."""
    return _join(args, Or, FALSE, TRUE)


def _join(args: Iterable[Formula], kind: type[And] | type[Or], unit: Truth, zero: Truth) -> Formula:
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
            return Compare(terms, (NEGATED[op],))
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

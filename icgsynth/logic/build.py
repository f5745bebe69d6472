"""Operations on terms and formulas: parts, substitution, folding of constants, negation, size.

The nodes themselves, and how they are written, are in :mod:`icgsynth.logic.term`.  What a term
*means* is given by :mod:`icgsynth.logic.evaluate`, once for integers, numpy columns and SMT alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, cast

from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.nodes import MEANING, NEGATED

# --- structure -------------------------------------------------------------


class Rewriting(Protocol):
    """The type of a function that maps each term to a term, and each formula to a formula."""

    def __call__(self, node: t.Kind, /) -> t.Kind: ...


def rebuild(node: t.Kind, parts: tuple[t.Node, ...]) -> t.Kind:
    """Return a copy of ``node`` with its children replaced, in reading order, by ``parts``: terms
    by terms, and formulas by formulas."""
    terms, formulas = cast("tuple[t.Term, ...]", parts), cast("tuple[t.Formula, ...]", parts)
    match node:
        case t.Int() | t.Name() | t.Truth():
            return node
        case t.Sum():
            return t.Sum(terms)
        case t.And() | t.Or():
            return type(node)(formulas)
        case t.Compare(_, ops):
            return t.Compare(terms, ops)
        case t.Member():
            return t.Member(terms[0], terms[1:])
        case t.Digital(kind, _, system, modulus):
            return t.Digital(kind, terms, system, modulus)
        case t.Recognised(automaton, _, name):
            return t.Recognised(automaton, terms, name)
        case t.Quantified(kind, names, _):
            return t.Quantified(kind, names, formulas[0])
        case t.If():
            return t.If(formulas[0], terms[1], terms[2])
        case t.Neg() | t.Abs():
            return type(node)(terms[0])
        case t.Mul() | t.Mod() | t.Div() | t.Min() | t.Max() | t.Gcd():
            return type(node)(terms[0], terms[1])
        case t.Not():
            return t.Not(formulas[0])
        case t.Implies() | t.Iff():
            return type(node)(formulas[0], formulas[1])


def walk(node: t.Node) -> Iterator[t.Node]:
    """Yield ``node`` and every node below it, each one before its children, from left to right."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(t.children(top)))


def free_names(node: t.Node) -> frozenset[str]:
    """Return the names that occur free in ``node``, that is, not bound by a quantifier."""
    found: set[str] = set()
    stack = [node]
    while stack:
        match top := stack.pop():
            case t.Name(name):
                found.add(name)
            case t.Quantified(_, names, body):
                found |= free_names(body) - set(names)
            case _:
                stack.extend(t.children(top))
    return frozenset(found)


def integers(node: t.Node) -> frozenset[int]:
    """Return the absolute values of the integer constants in ``node``."""
    return frozenset(abs(n.value) for n in walk(node) if isinstance(n, t.Int))


def substitute(node: t.Kind, by: Mapping[str, t.Term]) -> t.Kind:
    """Return ``node`` with its free names replaced, all at once, by the terms in ``by``.  Bound
    names are renamed where a replacement would be captured."""
    match node:
        case t.Name(name):
            return by.get(name, node)
        case t.Quantified(kind, names, body):
            inner = {k: v for k, v in by.items() if k not in names}
            taken = frozenset().union(*(free_names(term) for term in inner.values()))
            fresh = {n: _fresh(n, taken | free_names(body)) for n in names if n in taken}
            inner.update({old: t.Name(new) for old, new in fresh.items()})
            renamed = tuple(fresh.get(n, n) for n in names)
            return t.Quantified(kind, renamed, substitute(body, inner))
        case _:
            return rebuild(node, tuple([substitute(c, by) for c in t.children(node)]))


def replaced(node: t.Kind, old: t.Term, new: t.Term) -> t.Kind:
    """Return ``node`` with every occurrence of the term ``old`` replaced by ``new``."""
    if isinstance(node, t.Term) and node == old:
        return new
    return rebuild(node, tuple([replaced(c, old, new) for c in t.children(node)]))


def _fresh(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def fold(node: t.Kind) -> t.Kind:
    """Return an equivalent of ``node`` with constant parts computed: ``a + 2 * 3`` as ``a + 6``.
    ``true`` and ``false`` vanish from ``and``, ``or`` and ``not``.  Sums are not reordered, so that
    what people wrote stays recognisable."""
    return _compute(rebuild(node, tuple([fold(c) for c in t.children(node)])))


def _compute(node: t.Kind) -> t.Kind:
    """Return ``node`` computed at its root if it is constant there, as 5 for ``2 + 3``."""
    match node:
        case t.Sum(args):
            return _fold_sum(args)
        case t.Neg() | t.Abs() | t.Mul() | t.Mod() | t.Div() | t.Min() | t.Max() | t.If():
            return _computed_term(node)
        case t.Compare():
            return _computed_chain(node)
        case t.Not(t.Truth(value)):
            return t.Truth(not value)
        case t.And(args):
            return conjunction(args)
        case t.Or(args):
            return disjunction(args)
        case _:
            return node


def _computed_chain(chain: t.Compare) -> t.Formula:
    values = [term.value for term in chain.terms if isinstance(term, t.Int)]
    if len(values) < len(chain.terms):
        return chain
    links = zip(chain.ops, values, values[1:], strict=False)
    return t.Truth(all(MEANING[op](a, b) for op, a, b in links))


def _computed_term(term: t.Term) -> t.Term:
    match term:
        case t.Neg(t.Int(v)):
            return t.Int(-v)
        case t.Neg(t.Neg(inner)):
            return inner
        case t.Abs(t.Int(v)):
            return t.Int(abs(v))
        case t.Mul(t.Int(a), t.Int(b)):
            return t.Int(a * b)
        case t.Mul(t.Int(1), other) | t.Mul(other, t.Int(1)):
            return other
        case t.Mul(t.Int(-1), other) | t.Mul(other, t.Int(-1)):
            return other.arg if isinstance(other, t.Neg) else t.Neg(other)
        case t.Mul(t.Int(0), _) | t.Mul(_, t.Int(0)):
            return t.Int(0)
        case t.Mul(left, t.Int() as coefficient):
            return t.Mul(coefficient, left)
        case t.Mod(t.Int(a), t.Int(m)) if m > 0:
            return t.Int(a % m)
        case t.Div(t.Int(a), t.Int(m)) if m > 0:
            return t.Int(a // m)
        case t.Min(t.Int(a), t.Int(b)):
            return t.Int(min(a, b))
        case t.Max(t.Int(a), t.Int(b)):
            return t.Int(max(a, b))
        case t.If(t.Truth(value), then, otherwise):
            return then if value else otherwise
        case _:
            return term


def _fold_sum(parts: tuple[t.Term, ...]) -> t.Term:
    values = [p.value for p in parts if isinstance(p, t.Int)]
    if len(values) == len(parts):
        return t.Int(sum(values))
    kept = [p for p in parts if p != t.Int(0)]
    for i, part in enumerate(kept[1:], 1):
        # `a + -2 * b` is written, and read back, as `a - 2 * b`.
        if isinstance(part, t.Mul) and isinstance(part.left, t.Int) and part.left.value < 0:
            kept[i] = t.Neg(t.Mul(t.Int(-part.left.value), part.right))
    return kept[0] if len(kept) == 1 else t.Sum(tuple(kept))


def map_names(node: t.Kind, rename: Callable[[str], str]) -> t.Kind:
    """Return ``node`` with every free name renamed by the function ``rename``."""
    return substitute(node, {n: t.Name(rename(n)) for n in free_names(node)})


# --- what holds together -----------------------------------------------------


def conjuncts(*formulas: t.Formula) -> Iterator[t.Formula]:
    """Yield the conjuncts of ``formulas``: nested ``and`` is taken apart, ``true`` is left out."""
    for formula in formulas:
        if isinstance(formula, t.And):
            yield from conjuncts(*formula.args)
        elif formula != t.TRUE:
            yield formula


def links(*formulas: t.Formula) -> Iterator[t.Formula]:
    """Yield the conjuncts of ``formulas``, each chain ``a < b < c`` as ``a < b`` and ``b < c``."""
    for part in conjuncts(*formulas):
        if isinstance(part, t.Compare):
            yield from (t.compare(*link) for link in part.links)
        else:
            yield part


# --- connectives that do not pile up ----------------------------------------


def conjunction(args: Iterable[t.Formula]) -> t.Formula:
    """Return the ``and`` of ``args``, without repeats and ``true``, nested ``and`` taken apart; of
    no formula ``true``, of one that formula, and ``false`` if one is ``false``."""
    return _join(args, t.And, t.TRUE, t.FALSE)


def disjunction(args: Iterable[t.Formula]) -> t.Formula:
    """Return the ``or`` of ``args``, without repeats and ``false``, nested ``or`` taken apart; of
    no formula ``false``, of one that formula, and ``true`` if one is ``true``."""
    return _join(args, t.Or, t.FALSE, t.TRUE)


def _join(
    args: Iterable[t.Formula], kind: type[t.And] | type[t.Or], unit: t.Truth, zero: t.Truth
) -> t.Formula:
    flat: dict[t.Formula, None] = {}
    for arg in args:
        if arg == zero:
            return zero
        for part in arg.args if isinstance(arg, kind) else (arg,):
            if part != unit:
                flat[part] = None
    if not flat:
        return unit
    return kind(tuple(flat)) if len(flat) > 1 else next(iter(flat))


def negation(formula: t.Formula) -> t.Formula:
    """Return the negation of ``formula``: of ``and`` and ``or`` the parts are negated, of
    ``a < b`` it is ``a >= b``, of ``not f`` it is ``f``, and before most other formulas ``not``
    is written."""
    match formula:
        case t.Truth(value):
            return t.Truth(not value)
        case t.Not(arg):
            return arg
        case t.Compare(terms, (op,)):
            return t.Compare(terms, (NEGATED[op],))
        case t.And(args):
            return disjunction(negation(a) for a in args)
        case t.Or(args):
            return conjunction(negation(a) for a in args)
        case _:
            return t.Not(formula)


# --- size ------------------------------------------------------------------


def size(node: t.Node) -> int:
    """Return the size of ``node``: leaves plus connectives (docs, *The language*, "Size").

    Each occurrence of a name or an integer is a leaf, so a coefficient, a modulus and
    each member of a set count; ``true`` and ``false`` count nothing.  A sign counts as ``not``
    does, unless it stands between two terms or before an integer alone.

    >>> size(t.Compare((t.Name("a"), t.Name("b")), ("!=",)))
    2
    """
    try:
        known: int = node._size
    except AttributeError:
        known = _count(node)
        object.__setattr__(node, "_size", known)  # nodes do not change
    return known


def _count(node: t.Node) -> int:
    match node:
        case t.Int() | t.Name():
            return 1
        case t.Compare(terms):
            return sum(map(size, terms))
        case t.And(args) | t.Or(args):
            return sum(map(size, args)) + len(args) - 1
        case t.Not(arg) | t.Neg(arg):
            return size(arg) + 1
        case t.Sum():
            return sum(map(size, t.summands(node)))
        case t.Mul(t.Int(factor), arg) if factor < 0:
            return size(arg) + 2
        case t.Implies(left, right) | t.Iff(left, right):
            return size(left) + size(right) + 1
        case t.Quantified(_, names, body):
            return len(names) + size(body)
        case _:
            return sum(map(size, t.children(node)))


def refuse_quantifiers(nodes: Iterable[t.Node], target: str) -> None:
    """Raise :class:`Refused` if a quantifier is in one of ``nodes``.  Its message names ``target``,
    the format or solver that has no quantifiers."""
    for node in nodes:
        for part in walk(node):
            if isinstance(part, t.Quantified):
                raise Refused(f"{target} cannot say '{part}'; eliminate the quantifier first")


_HARD: Mapping[type[t.Node], int] = {
    **dict.fromkeys((t.Implies, t.Iff), 12),
    **dict.fromkeys((t.Min, t.Max, t.Abs), 6),
    **dict.fromkeys((t.Not, t.Neg), 6),
    **dict.fromkeys((t.Or, t.Mul), 4),
    t.Sum: 3,
}
_HARD_OPERATOR = {"=": 0, "!=": 1}  # 2 for the inequalities


def reading(node: t.Node) -> tuple[int, int]:
    """Return (size of ``node``, weighted count of operators in it that make it hard to read)."""
    hard = 0
    for part in walk(node):
        hard += _HARD.get(type(part), 0)
        if isinstance(part, t.Compare):
            hard += sum(_HARD_OPERATOR.get(op, 2) for op in part.ops)
        elif isinstance(part, t.Int):
            hard += part.value < 0
    return size(node), hard

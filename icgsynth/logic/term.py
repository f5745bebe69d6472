"""Immutable integer terms and formulas of linear integer arithmetic.

The grammar is the one of the ``.icg`` language (docs, *The language*): sums,
products with a constant, ``mod`` and ``div`` by a constant (floor, as in Python),
``min``, ``max``, ``abs``, ``if``; comparisons in chains, membership in a finite
set, the connectives and quantifiers over the integers.  Answers, but not rules, may also
speak of digits in a numeration system (:class:`Digital`) and of sets that an automaton
recognises (:class:`Recognised`): these go beyond Presburger arithmetic.

``str`` prints what the parser reads back.  What a term *means* is given by
:mod:`icgsynth.logic.evaluate`, once for integers, numpy columns and SMT alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration

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

    __slots__ = ("_hash",)

    def __str__(self) -> str:
        return _render(self)[0]  # type: ignore[arg-type]


N = TypeVar("N", bound=_Printed)


def _hashed_once(node: type[N]) -> type[N]:
    """Keep each hash: left to itself, a node hashes all below it whenever it is looked up."""
    compute = node.__hash__

    def kept(self: N) -> int:
        try:
            return self._hash  # type: ignore[attr-defined, no-any-return]
        except AttributeError:
            object.__setattr__(self, "_hash", compute(self))
            return self._hash  # type: ignore[attr-defined, no-any-return]

    node.__hash__ = kept  # type: ignore[assignment, method-assign]
    return node


@dataclass(frozen=True, slots=True)
class Int(_Printed):
    value: int


@dataclass(frozen=True, slots=True)
class Name(_Printed):
    name: str


@_hashed_once
@dataclass(frozen=True, slots=True)
class Sum(_Printed):
    """Two or more summands; a difference is a sum with a :class:`Neg`."""

    args: tuple[Term, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Neg(_Printed):
    arg: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Mul(_Printed):
    """A product; linear when one side has no variable in it."""

    left: Term
    right: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Mod(_Printed):
    arg: Term
    divisor: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Div(_Printed):
    arg: Term
    divisor: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Min(_Printed):
    left: Term
    right: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Max(_Printed):
    left: Term
    right: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Abs(_Printed):
    arg: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class If(_Printed):
    condition: Formula
    then: Term
    otherwise: Term


@_hashed_once
@dataclass(frozen=True, slots=True)
class Digital(_Printed):
    """A function of the digits of natural numbers; a negative argument counts as 0.

    ``kind`` is "nimsum" (of one or more numbers: each column of digits added modulo ``modulus``;
    with modulus 2 printed ``a xor b``), "shift" (a digit 0 appended), "unshift" (the last digit
    dropped), "lowpart" (the weight of the last digit that is not 0) or "zeros" (how many zeros
    come after it).  See :class:`~icgsynth.digits.numeration.Numeration`.
    """

    kind: str
    args: tuple[Term, ...]
    system: Numeration
    modulus: int = 2


@dataclass(frozen=True, slots=True)
class Truth(_Printed):
    value: bool


@_hashed_once
@dataclass(frozen=True, slots=True)
class Compare(_Printed):
    """A chain ``terms[0] ops[0] terms[1] ops[1] ...``, true when every link is."""

    terms: tuple[Term, ...]
    ops: tuple[str, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Member(_Printed):
    """``term in {values}``."""

    term: Term
    values: tuple[Term, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Recognised(_Printed):
    """``(terms) in name``: the automaton accepts the numbers, in the order of its tracks.

    False where one of them is negative.
    """

    automaton: Automaton
    terms: tuple[Term, ...]
    name: str = "L"


@_hashed_once
@dataclass(frozen=True, slots=True)
class Not(_Printed):
    arg: Formula


@_hashed_once
@dataclass(frozen=True, slots=True)
class And(_Printed):
    args: tuple[Formula, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Or(_Printed):
    args: tuple[Formula, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Implies(_Printed):
    left: Formula
    right: Formula


@_hashed_once
@dataclass(frozen=True, slots=True)
class Iff(_Printed):
    left: Formula
    right: Formula


@_hashed_once
@dataclass(frozen=True, slots=True)
class Quantified(_Printed):
    """``exists`` or ``forall`` over the integers."""

    kind: str
    names: tuple[str, ...]
    body: Formula


Term: TypeAlias = Int | Name | Sum | Neg | Mul | Mod | Div | Min | Max | Abs | If | Digital
Formula: TypeAlias = (
    Truth | Compare | Member | Recognised | Not | And | Or | Implies | Iff | Quantified
)
Node: TypeAlias = Term | Formula

TRUE = Truth(True)
FALSE = Truth(False)

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


# --- structure -------------------------------------------------------------


def children(node: Node) -> tuple[Node, ...]:
    """The direct subterms and subformulas, in reading order."""
    match node:
        case Sum(args) | And(args) | Or(args) | Digital(args=args):
            return args
        case Recognised(terms=terms):
            return terms
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
        case Digital(kind, _, system, modulus):
            return Digital(kind, parts, system, modulus)  # type: ignore[arg-type]
        case Recognised(automaton, _, name):
            return Recognised(automaton, parts, name)  # type: ignore[arg-type]
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
        case (Mul(), (Int(-1), other)) | (Mul(), (other, Int(-1))):
            return other.arg if isinstance(other, Neg) else Neg(other)  # type: ignore[arg-type]
        case (Mul(), (Int(0), _)) | (Mul(), (_, Int(0))):
            return Int(0)
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
    kept = [p for p in parts if p != Int(0)]
    for i, part in enumerate(kept[1:], 1):
        # `a + -2 * b` is written, and read back, as `a - 2 * b`.
        if isinstance(part, Mul) and isinstance(part.left, Int) and part.left.value < 0:
            kept[i] = Neg(Mul(Int(-part.left.value), part.right))
    return kept[0] if len(kept) == 1 else Sum(tuple(kept))


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


_Text: TypeAlias = tuple[str, int]


def _render(node: Node) -> _Text:
    """``node`` as text with its binding strength; iterative, for nesting has no bound here."""
    done: list[_Text] = []
    todo: list[tuple[Node, bool]] = [(node, False)]
    while todo:
        top, ready = todo.pop()
        parts = _printed_children(top)
        if ready or not parts:
            count = len(parts)
            rendered = done[len(done) - count :]
            del done[len(done) - count :]
            done.append(_compose(top, rendered))
        else:
            todo.append((top, True))
            todo.extend((part, False) for part in reversed(parts))
    return done[0]


def _printed_children(node: Node) -> tuple[Node, ...]:
    """Like :func:`children`, but summands without the sign that is printed before them."""
    if isinstance(node, Sum):
        return (node.args[0], *(_unsigned(a)[1] for a in node.args[1:]))
    return children(node)


def _unsigned(term: Term) -> tuple[str, Term]:
    match term:
        case Neg(arg):
            return " - ", arg
        case Int(value) if value < 0:
            return " - ", Int(-value)
        case Mul(Int(value), right) if value < 0:
            return " - ", Mul(Int(-value), right)
        case _:
            return " + ", term


def _at_least(part: _Text, strength: int) -> str:
    """The part's text, in parentheses if it binds looser than ``strength``."""
    text, own = part
    return text if own >= strength else f"({text})"


def _compose(node: Node, parts: list[_Text]) -> _Text:
    match node:
        case Int(value):
            return str(value), _PRIMARY if value >= 0 else _UNARY
        case Name(name):
            return name, _PRIMARY
        case Sum(args):
            text = _at_least(parts[0], _PRODUCT)
            for arg, part in zip(args[1:], parts[1:], strict=True):
                text += _unsigned(arg)[0] + _at_least(part, _PRODUCT)
            return text, _SUM
        case Neg():
            return "-" + _at_least(parts[0], _UNARY), _UNARY
        case Mul() | Mod() | Div():
            sign = {Mul: "*", Mod: "mod", Div: "div"}[type(node)]
            left, right = _at_least(parts[0], _PRODUCT), _at_least(parts[1], _UNARY)
            return f"{left} {sign} {right}", _PRODUCT
        case Min() | Max() | Abs():
            word = {Min: "min", Max: "max", Abs: "abs"}[type(node)]
            return f"{word}({', '.join([text for text, _ in parts])})", _PRIMARY
        case Digital("nimsum", args, _, 2) if len(args) > 1:
            return " xor ".join([_at_least(part, _PRODUCT) for part in parts]), _SUM
        case Digital(kind, _, _, modulus):
            word = f"nimsum_{modulus}" if kind == "nimsum" else kind
            return f"{word}({', '.join([text for text, _ in parts])})", _PRIMARY
        case If():
            condition, then, otherwise = (text for text, _ in parts)
            # `else` reaches as far right as it can: parentheses everywhere but at the top.
            return f"if {condition} then {then} else {otherwise}", _SUM - 1
        case _:
            return _compose_formula(node, parts)


def _compose_formula(node: Node, parts: list[_Text]) -> _Text:
    match node:
        case Truth(value):
            return ("true" if value else "false"), _ATOM
        case Compare(_, ops):
            text = _at_least(parts[0], _SUM)
            for op, part in zip(ops, parts[1:], strict=True):
                text += f" {op} {_at_least(part, _SUM)}"
            return text, _ATOM
        case Member():
            members = ", ".join([text for text, _ in parts[1:]])
            return f"{_at_least(parts[0], _SUM)} in {{{members}}}", _ATOM
        case Recognised(name=name):
            if len(parts) == 1:
                return f"{_at_least(parts[0], _SUM)} in {name}", _ATOM
            return f"({', '.join([text for text, _ in parts])}) in {name}", _ATOM
        case Not(arg):
            # Brackets even around one comparison: `not a = b` reads badly.
            text = parts[0][0]
            return (f"not {text}" if isinstance(arg, Truth) else f"not ({text})"), _NOT
        case And():
            return " and ".join([_at_least(p, _AND + 1) for p in parts]), _AND
        case Or():
            # Parentheses that precedence does not ask for, but people do.
            return " or ".join([_at_least(p, _NOT) for p in parts]), _OR
        case Implies():
            left, right = _at_least(parts[0], _IMPLIES + 1), _at_least(parts[1], _IMPLIES)
            return f"{left} -> {right}", _IMPLIES
        case Iff():
            return f"{_at_least(parts[0], _IFF)} <-> {_at_least(parts[1], _IFF + 1)}", _IFF
        case Quantified(kind, names, _):
            # Like `else`, a quantifier reaches as far right as it can.
            return f"{kind} {', '.join(names)}. {parts[0][0]}", _IFF - 1
        case _:
            raise TypeError(f"not a term or formula: {node!r}")


def map_names(node: Node, rename: Callable[[str], str]) -> Node:
    """``node`` with every free name passed through ``rename``."""
    return substitute(node, {n: Name(rename(n)) for n in free_names(node)})

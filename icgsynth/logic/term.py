"""The kinds of nodes of terms and formulas, each with its text in the language.

The grammar is the one of the ``.icg`` language (docs, *The language*): sums,
products with a constant, ``mod`` and ``div`` by a constant (floor, as in Python),
``min``, ``max``, ``abs``, ``if``; comparisons in chains, membership in a finite
set, the connectives and quantifiers over the integers.  Answers, but not rules, may also
speak of digits in a numeration system (:class:`Digital`) and of sets that an automaton
recognises (:class:`Recognised`): these go beyond Presburger arithmetic.

``str`` of a node is what the parser reads back.  :mod:`icgsynth.logic.build` has what one does
with nodes.  Other modules write ``from icgsynth.logic import term as t``, and ``t.Sum``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar, cast, final

from icgsynth import wings
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.logic.nodes import Readable, Written, frozen, join_texts

if TYPE_CHECKING:
    from sympy import Basic

# Binding strength, loosest first; terms and formulas do not mix, so their numbers may be the same.
_IFF, _IMPLIES, _OR, _AND, _NOT, _ATOM = range(6)
_SUM, _PRODUCT, _UNARY, _PRIMARY = range(4)


class _Node(Readable):
    """Base of the nodes of terms and formulas."""

    __slots__ = ("_hash", "_size")
    _size: int  # set when it is first asked for

    def write(self, parts: Sequence[Written]) -> Written:
        """Return the text of this term or formula with the binding strength of its operator, made
        of ``parts``, the same for each of its children in reading order."""
        raise NotImplementedError

    def __str__(self) -> str:
        return _text(cast("Node", self), children)

    def to_sympy(self) -> Basic:
        """Return this term or formula in SymPy; InputError for parts that SymPy does not have."""
        found: Basic = wings.require("writer", "sympy").expression(self)
        return found


class _Product(_Node):
    """Base of products, remainders and quotients: they bind to the left."""

    __slots__ = ()
    sign: ClassVar[str]

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(f"{parts[0].at(_PRODUCT)} {self.sign} {parts[1].at(_UNARY)}", _PRODUCT)


class _Function(_Node):
    """Base of terms written as their class's name with arguments in parentheses."""

    __slots__ = ()

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(f"{type(self).__name__.lower()}({join_texts(parts)})", _PRIMARY)


@final
@frozen
class Int(_Node):
    value: int

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(str(self.value), _PRIMARY if self.value >= 0 else _UNARY)


@final
@frozen
class Name(_Node):
    name: str

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(self.name, _PRIMARY)


@final
@frozen
class Sum(_Node):
    """A sum of two or more terms; a difference is a sum with a :class:`Neg`."""

    args: tuple[Term, ...]

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(join_sum(self, [part.at(_PRODUCT) for part in parts]), _SUM)


@final
@frozen
class Neg(_Node):
    arg: Term

    def write(self, parts: Sequence[Written]) -> Written:
        return Written("-" + parts[0].at(_UNARY), _UNARY)


@final
@frozen
class Mul(_Product):
    """A product; linear when one side has no variable in it."""

    left: Term
    right: Term
    sign: ClassVar[str] = "*"


@final
@frozen
class Mod(_Product):
    arg: Term
    divisor: Term
    sign: ClassVar[str] = "mod"


@final
@frozen
class Div(_Product):
    arg: Term
    divisor: Term
    sign: ClassVar[str] = "div"


@final
@frozen
class Min(_Function):
    left: Term
    right: Term


@final
@frozen
class Max(_Function):
    left: Term
    right: Term


@final
@frozen
class Gcd(_Function):
    """The greatest common divisor, at least 0; games are made without it (:mod:`.numbers`)."""

    left: Term
    right: Term


@final
@frozen
class Abs(_Function):
    arg: Term


@final
@frozen
class If(_Node):
    condition: Formula
    then: Term
    otherwise: Term

    def write(self, parts: Sequence[Written]) -> Written:
        condition, then, otherwise = (part.text for part in parts)
        # `else` reaches as far right as it can: parentheses everywhere but at the top.
        return Written(f"if {condition} then {then} else {otherwise}", _SUM - 1)


@final
@frozen
class Digital(_Node):
    """A function of the digits of natural numbers; a negative argument counts as 0.  ``kind`` is
    "nimsum" (of one or more numbers: each column of digits added modulo ``modulus``; with modulus 2
    printed ``a xor b``), "shift" (a digit 0 appended), "unshift" (the last digit dropped),
    "lowpart" (the weight of the last digit that is not 0) or "zeros" (how many zeros come after
    it).  See :class:`~icgsynth.digits.numeration.Numeration`."""

    kind: str
    args: tuple[Term, ...]
    system: Numeration
    modulus: int = 2

    def write(self, parts: Sequence[Written]) -> Written:
        if self.kind == "nimsum" and self.modulus == 2 and len(parts) > 1:
            return Written(" xor ".join([part.at(_PRODUCT) for part in parts]), _SUM)
        word = f"nimsum_{self.modulus}" if self.kind == "nimsum" else self.kind
        return Written(f"{word}({join_texts(parts)})", _PRIMARY)


@final
@frozen
class Truth(_Node):
    value: bool

    def write(self, parts: Sequence[Written]) -> Written:
        return Written("true" if self.value else "false", _ATOM)


@final
@frozen
class Compare(_Node):
    """A chain ``terms[0] ops[0] terms[1] ops[1] ...``, true when every link is."""

    terms: tuple[Term, ...]
    ops: tuple[str, ...]

    @property
    def links(self) -> Iterator[tuple[Term, str, Term]]:
        """Yield ``(terms[i], ops[i], terms[i + 1])`` for each comparison in the chain."""
        return zip(self.terms, self.ops, self.terms[1:], strict=False)

    def write(self, parts: Sequence[Written]) -> Written:
        links = zip(self.ops, parts[1:], strict=True)
        chain = [f" {op} {part.at(_SUM)}" for op, part in links]
        return Written(parts[0].at(_SUM) + "".join(chain), _ATOM)


@final
@frozen
class Member(_Node):
    """The formula ``term in {values}``."""

    term: Term
    values: tuple[Term, ...]

    def write(self, parts: Sequence[Written]) -> Written:
        return _member(parts, "in")


def _member(parts: Sequence[Written], word: str) -> Written:
    return Written(f"{parts[0].at(_SUM)} {word} {{{join_texts(parts[1:])}}}", _ATOM)


@final
@frozen
class Recognised(_Node):
    """The formula ``(terms) in name``: the automaton accepts the terms' numbers, by track.  False
    where one of them is negative."""

    automaton: Automaton
    terms: tuple[Term, ...]
    name: str = "L"

    def write(self, parts: Sequence[Written]) -> Written:
        one = len(parts) == 1
        return Written(
            f"{parts[0].at(_SUM) if one else f'({join_texts(parts)})'} in {self.name}", _ATOM
        )


@final
@frozen
class Not(_Node):
    arg: Formula

    def write(self, parts: Sequence[Written]) -> Written:
        if len(parts) > 1:  # those of a membership: see `spell`
            return _member(parts, "not in")
        # Parentheses even around one comparison: `not a = b` reads badly.
        text = parts[0].text
        return Written(f"not {text}" if isinstance(self.arg, Truth) else f"not ({text})", _NOT)


@final
@frozen
class And(_Node):
    args: tuple[Formula, ...]

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(" and ".join([part.at(_NOT) for part in parts]), _AND)


@final
@frozen
class Or(_Node):
    args: tuple[Formula, ...]

    def write(self, parts: Sequence[Written]) -> Written:
        # Parentheses around a conjunction: precedence does not ask for them, but people do.
        return Written(" or ".join([part.at(_NOT) for part in parts]), _OR)


@final
@frozen
class Implies(_Node):
    left: Formula
    right: Formula

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(f"{parts[0].at(_OR)} -> {parts[1].at(_IMPLIES)}", _IMPLIES)


@final
@frozen
class Iff(_Node):
    left: Formula
    right: Formula

    def write(self, parts: Sequence[Written]) -> Written:
        return Written(f"{parts[0].at(_IFF)} <-> {parts[1].at(_IMPLIES)}", _IFF)


@final
@frozen
class Quantified(_Node):
    """A formula with ``exists`` or ``forall`` over the integers."""

    kind: str
    names: tuple[str, ...]
    body: Formula

    def write(self, parts: Sequence[Written]) -> Written:
        # Like `else`, a quantifier reaches as far right as it can.
        return Written(f"{self.kind} {', '.join(self.names)}. {parts[0].text}", _IFF - 1)


Term: TypeAlias = Int | Name | Sum | Neg | Mul | Mod | Div | Min | Max | Gcd | Abs | If | Digital
Formula: TypeAlias = (
    Truth | Compare | Member | Recognised | Not | And | Or | Implies | Iff | Quantified
)
Node: TypeAlias = Term | Formula
# For functions that make a term of a term, and a formula of a formula.
Kind = TypeVar("Kind", Term, Formula, Node)

TRUE = Truth(True)
FALSE = Truth(False)


def compare(left: Term | int, op: str, right: Term | int) -> Compare:
    """Return the formula ``left op right``; ``op`` is one of = != < <= > >=.  An int on either
    side, also as ``right``, becomes a constant term."""
    one = left if isinstance(left, _Node) else Int(left)
    other = right if isinstance(right, _Node) else Int(right)
    return Compare((one, other), (op,))


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct subterms and subformulas of ``node``, in reading order."""
    return _CHILDREN[type(node)](node)


# By the kind of the node, for a search asks a million times, and a row of cases is slow.
_CHILDREN: Mapping[type, Callable[[Any], tuple[Node, ...]]] = {
    **dict.fromkeys((Int, Name, Truth), lambda _: ()),
    **dict.fromkeys((Sum, And, Or, Digital), attrgetter("args")),
    **dict.fromkeys((Recognised, Compare), attrgetter("terms")),
    **dict.fromkeys((Neg, Abs, Not), lambda node: (node.arg,)),
    **dict.fromkeys((Mul, Min, Max, Gcd, Implies, Iff), attrgetter("left", "right")),
    **dict.fromkeys((Mod, Div), attrgetter("arg", "divisor")),
    If: attrgetter("condition", "then", "otherwise"),
    Member: lambda node: (node.term, *node.values),
    Quantified: lambda node: (node.body,),
}


def spell(node: Node) -> str:
    """Return the text of ``node`` as people write it: with ``a not in {1, 2}`` and ``min(a, b, c)``
    in place of ``not (a in {1, 2})`` and ``min(min(a, b), c)``.  The parser reads it."""
    return _text(node, spoken_parts)


def spoken_parts(node: Node) -> tuple[Node, ...]:
    """Return the nodes that :func:`spell` writes as children of ``node``.  For the negation of
    ``a in {1, 2}`` these are a, 1, 2; for a nested ``min`` or ``max`` all of its arguments in one
    tuple; for other nodes the :func:`children`."""
    match node:
        case Not(Member() as member):
            return children(member)
        case Min() | Max():
            parts: list[Node] = [node]
            while isinstance(first := parts[-1], Min | Max) and type(first) is type(node):
                parts[-1:] = (first.right, first.left)
            return tuple(reversed(parts))
        case _:
            return children(node)


def _text(node: Node, parts_of: Callable[[Node], tuple[Node, ...]]) -> str:
    """Return the text of ``node``; ``parts_of`` maps a node to its children as they are written."""
    # Iterative, for nesting has no bound here.
    done: list[Written] = []
    todo: list[tuple[Node, bool]] = [(node, False)]
    while todo:
        top, ready = todo.pop()
        parts = summands(top) if isinstance(top, Sum) else parts_of(top)
        if ready or not parts:
            first = len(done) - len(parts)
            done[first:] = [top.write(done[first:])]
        else:
            todo.append((top, True))
            todo.extend((part, False) for part in reversed(parts))
    return done[0].text


def summands(node: Sum) -> tuple[Term, ...]:
    """Return the terms of the sum ``node`` as they are printed: those after the first without a
    minus sign, which is printed between them, as a and b of ``a - b``."""
    return (node.args[0], *(_unsigned(arg)[1] for arg in node.args[1:]))


def join_sum(node: Sum, texts: Sequence[str]) -> str:
    """Return the text of the sum ``node``, from the ``texts`` of its :func:`summands`."""
    rest = zip(node.args[1:], texts[1:], strict=True)
    return texts[0] + "".join([_unsigned(arg)[0] + text for arg, text in rest])


def _unsigned(term: Term) -> tuple[str, Term]:
    """Return the sign, " + " or " - ", that is printed before ``term`` in a sum, and the rest."""
    match term:
        case Neg(arg):
            return " - ", arg
        case Int(value) if value < 0:
            return " - ", Int(-value)
        case Mul(Int(value), right) if value < 0:
            return " - ", Mul(Int(-value), right)
        case _:
            return " + ", term

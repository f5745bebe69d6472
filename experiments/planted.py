"""Small faults to plant in a module: another operator, a bound moved by one, a condition dropped.

A fault replaces one piece of the source text.  What cannot change what the program computes is
left as it is: annotations, docstrings, what is said in a message, ``__all__``, decorators,
assertions, and what is for the type checker alone.

A limit is a whole number of 2 or more (written with ``+ - * ** // <<`` of numbers alone) that a
name in capitals has outside of functions, also as one of two names (``_NEAR, _FAR = 7, 100``) or
in a record (``QUICK = Caps(calls=20)``).  Most say how far a search looks: 64 cases or 65, no
answer is wrong.  So there one fault is planted instead of one for each number in it: the limit is
0, nothing is looked at.  Limits within functions, in tables and of 0 and 1 are moved by one like
any number.

Three more make no other program, or another that is as good, and are not planted: ``<`` for ``<=``
beside a number with a point, which is hardly ever met exactly; another seed in ``Random(3)`` or
``default_rng(3)``; and what numpy is told with ``assume_unique`` to save work.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

__all__ = ["Fault", "faults"]

# Of two operators that differ in one case only, or that people confuse.
_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "%"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_BOUNDS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Arguments of these names say something to people, or state what holds anyway.
_SPOKEN = {"mend", "note", "help", "repr", "strict", "slots", "frozen", "assume_unique"}
_OF_CHANCE = {"Random", "default_rng"}
_SILENT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class Fault:
    """In the line ``line`` of ``module``, ``was`` becomes ``now``: whole lines, blanks joined.

    It replaces the bytes from ``begin`` to ``end`` of the source by ``new``.  ``again`` counts the
    earlier faults of the same two texts in the module.
    """

    module: str
    line: int
    kind: str
    was: str
    now: str
    again: int
    begin: int
    end: int
    new: str

    def rank(self, seed: int) -> str:
        """Where it stands in the order of ``seed``; it stays when other lines change."""
        name = f"{seed} {self.module} {self.again}: {self.was} -> {self.now}"
        return sha256(name.encode()).hexdigest()

    def planted(self, source: str) -> str:
        """The source with the fault in it."""
        text = source.encode()
        return (text[: self.begin] + self.new.encode() + text[self.end :]).decode()


def faults(module: str, source: str) -> Iterator[Fault]:
    """Every fault that can be planted in ``source``, in its order there."""
    text = source.encode()
    starts = [0, *(at + 1 for at, byte in enumerate(text) if byte == ord("\n"))]
    seen: Counter[tuple[str, str]] = Counter()
    for kind, begin, end, new in _Places(text, starts).under(ast.parse(source)):
        line = text.count(b"\n", 0, begin)
        stop = (text + b"\n").index(b"\n", end)
        before, after = text[starts[line] : begin].decode(), text[end:stop].decode()
        was, now = (
            " ".join(f"{before}{middle}{after}".split())
            for middle in (text[begin:end].decode(), new)
        )
        yield Fault(module, line + 1, kind, was, now, seen[was, now], begin, end, new)
        seen[was, now] += 1


_Place = tuple[str, int, int, str]
"""A kind, where the replaced text begins and ends (bytes), and the new text."""


class _Places:
    """Walks the syntax tree of a source; ``starts`` are the first bytes of its lines."""

    def __init__(self, text: bytes, starts: list[int]) -> None:
        self._text, self._starts = text, starts
        self._limits: list[ast.expr] = []  # of what is above the node that is looked at

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin = self._starts[node.lineno - 1] + node.col_offset
        return begin, self._starts[node.end_lineno - 1] + node.end_col_offset

    def _said(self, node: ast.expr) -> str:
        begin, end = self._span(node)
        return self._text[begin:end].decode()

    def under(self, node: ast.AST) -> Iterator[_Place]:
        """Yield the places of ``node`` and of all nodes below it."""
        if isinstance(node, _SILENT) or _is_for_the_checker(node):
            return
        for limit in self._limits:
            if limit is node:
                yield "limit", *self._span(limit), "0"
                return
        self._limits += _limits(node)
        yield from self._at(node)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.under(child)

    def _at(self, node: ast.AST) -> Iterator[_Place]:
        """The faults of this node alone."""
        match node:
            case ast.Compare():
                operands = [node.left, *node.comparators]
                for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
                    kind = "bound" if isinstance(operator, _BOUNDS) else "comparison"
                    if kind == "comparison" or not (_has_point(left) or _has_point(right)):
                        yield from self._operator(kind, left, operator, right)
            case ast.BinOp() if not _is_text(node.left) and not _is_text(node.right):
                yield from self._operator("operator", node.left, node.op, node.right)
            case ast.AugAssign() if not _is_text(node.value):
                yield from self._operator("operator", node.target, node.op, node.value)
            case ast.BoolOp(values=values):
                sign = "and" if isinstance(node.op, ast.And) else "or"
                for value in values:
                    kept = [f"({self._said(other)})" for other in values if other is not value]
                    yield "dropped condition", *self._span(node), f" {sign} ".join(kept)
            case ast.UnaryOp(op=ast.Not()):
                yield "comparison", *self._span(node), f"({self._said(node.operand)})"
            case ast.If(test=test) | ast.IfExp(test=test) if not _is_not(test):
                yield "swapped branches", *self._span(test), f"not ({self._said(test)})"
            case ast.comprehension(ifs=conditions):
                for condition in conditions:
                    yield "dropped condition", *self._span(condition), "True"
            case ast.Constant(value=bool(value)):
                yield "constant", *self._span(node), str(not value)
            case ast.Constant(value=int(value)):
                yield "off by one", *self._span(node), str(value + 1)
            case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
                yield "operator", *self._span(node.func), _NAMES[name]

    def _operator(
        self, kind: str, left: ast.expr, operator: ast.AST, right: ast.expr
    ) -> Iterator[_Place]:
        """Between two operands there are its sign, blanks and parentheses."""
        if type(operator) not in _OPERATORS:
            return
        old, new = _OPERATORS[type(operator)]
        begin, end = self._span(left)[1], self._span(right)[0]
        if (at := self._text.find(old.encode(), begin, end)) >= 0:
            yield kind, at, at + len(old), new


def _is_for_the_checker(node: ast.AST) -> bool:
    """Also what is said to people, and seeds: none of it changes what is claimed."""
    match node:
        case ast.keyword(arg=name):
            return name in _SPOKEN
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name == "__all__"
        case ast.If(test=ast.Name(id=name)):
            return name == "TYPE_CHECKING"
        case ast.Call(func=ast.Name(id=name)):
            return name in ("cast", "say", "print") or name in _OF_CHANCE
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _OF_CHANCE
        case ast.Subscript(value=ast.Name(id=name)):
            return name == "Literal"
    return False


def _limits(node: ast.AST) -> list[ast.expr]:
    """The numbers that are given to names in capitals, but 0 and 1."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = zip(names, values, strict=False)
        case ast.Assign(targets=names, value=value):
            pairs = zip(names, [value], strict=False)
        case _:
            return []
    found: list[ast.expr] = []
    for name, value in pairs:
        if isinstance(name, ast.Name) and name.id.isupper():
            found.append(value)
            if isinstance(value, ast.Call):
                found += [*value.args, *(keyword.value for keyword in value.keywords)]
    return list(filter(_is_large, found))


def _is_large(value: ast.expr) -> bool:
    """Whether it is written with whole numbers alone, and is neither 0 nor 1."""
    parts = [part for part in ast.walk(value) if isinstance(part, ast.expr)]
    numbers = [part.value for part in parts if isinstance(part, ast.Constant)]
    return (
        all(isinstance(part, ast.Constant | ast.BinOp) for part in parts)
        and all(type(number) is int for number in numbers)
        and numbers not in ([0], [1])
    )


def _has_point(node: ast.expr) -> bool:
    """Whether a number with a point is written in it."""
    return any(
        isinstance(part, ast.Constant) and type(part.value) is float for part in ast.walk(node)
    )


def _is_text(node: ast.expr) -> bool:
    """A string or a list that is written out: with another operator there is no such value."""
    match node:
        case ast.JoinedStr() | ast.List() | ast.Tuple() | ast.ListComp():
            return True
        case ast.Constant(value=value):
            return isinstance(value, str | bytes)
        case ast.BinOp(left=left, right=right):
            return _is_text(left) or _is_text(right)
    return False


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)

"""Terms and formulas as Python expressions of the same value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from icgsynth.export.python_digits import DigitNames, helper_names
from icgsynth.logic import term as t
from icgsynth.logic.comparisons import PYTHON

__all__ = ["Writer", "own_names"]

_WIDTH = 98

# What the exported module's own code says, but for the functions of digits.
_OWN_NAMES = frozenset(
    {"VARIABLES", "is_legal", "is_winning", "move", "result", "action", "params", "state"}
    | {"target", "known", "found", "powers", "power", "_PARTS", "_low", "next", "enumerate"}
    | {"after", "applies", "names", "apply", "name", "value", "values", "annotations"}
    | {"_ACTIONS", "_ended", "_ints", "_legal", "__debug__", "__name__", "__all__"}
    | {"abs", "dict", "int", "isinstance", "len", "max", "min", "set", "str", "tuple", "type"}
    | {"zip", "bool", "range", "ValueError", "RuntimeError", "NotImplementedError"}
)


def own_names() -> frozenset[str]:
    """All names of the exported module's own code.

    A variable of the game by one of them would hide it, so it is renamed.
    """
    return _OWN_NAMES | helper_names()


# Binding strength in Python, loosest first.
_DIGITS = {
    "shift": "_shift",
    "unshift": "_unshift",
    "zeros": "_zeros",
    "lowpart": "_low_part",
}
_CHOICE, _OR, _AND, _NOT, _COMPARE, _XOR, _SUM, _PRODUCT, _UNARY, _ATOM = range(10)

# Python's parser and compiler refuse deep nesting (200 parentheses); what is deeper than
# this is computed in steps of its own.
_DEEP = 40
_LONG = 100


class _Piece(NamedTuple):
    """An expression: its text, how tightly it binds, how deep it nests."""

    text: str
    strength: int
    depth: int

    def at(self, at_least: int) -> str:
        """The text, in parentheses if it binds looser than ``at_least``."""
        return self.text if self.strength >= at_least else f"({self.text})"


class Writer:
    """Expressions of one function; ``steps`` are the assignments that go before them.

    ``digits`` gathers what formulas need that speak of digits; of the names ``natural`` it is
    known that they are not negative.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        digits: DigitNames | None = None,
        natural: frozenset[str] = frozenset(),
    ) -> None:
        self.names = names
        self._digits = DigitNames(own_names()) if digits is None else digits
        self._natural = natural
        self.steps: list[str] = []
        self._taken = {*names.values(), *own_names()}

    def show(self, node: t.Node) -> _Piece:
        """``node`` as a Python expression of the same value."""
        piece = self._combine(node, [self.show(c) for c in t.children(node)])
        return self._step(piece) if piece.depth > _DEEP else piece

    def spread(self, formula: t.Formula, margin: str, room: int = 0) -> str:
        """``formula`` as text, one disjunct (or conjunct) a line where it is long.

        ``margin`` is the indentation of the line it stands on, ``room`` what else it needs.
        """
        if not isinstance(formula, t.And | t.Or):
            return self.show(formula).text
        word, strength = ("and", _NOT) if isinstance(formula, t.And) else ("or", _AND)
        texts = [self.show(arg).at(strength) for arg in formula.args]
        line = f" {word} ".join(texts)
        if len(margin) + room + len(line) <= _WIDTH:
            return line
        listed = [f"{margin}    {texts[0]}", *(f"{margin}    {word} {text}" for text in texts[1:])]
        return "\n".join(["(", *listed, f"{margin})"])

    def _step(self, piece: _Piece) -> _Piece:
        name = f"t{len(self.steps) + 1}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        self.steps.append(f"{name} = {piece.text}")
        return _Piece(name, _ATOM, 0)

    def _combine(self, node: t.Node, parts: list[_Piece]) -> _Piece:
        depth = 1 + max((p.depth for p in parts), default=0)
        text, strength = self._text(node, parts)
        return _Piece(text, strength, depth)

    def _text(self, node: t.Node, parts: list[_Piece]) -> tuple[str, int]:
        match node:
            case t.Int(value):
                return str(value), _ATOM if value >= 0 else _UNARY
            case t.Name(name):
                return self.names[name], _ATOM
            case t.Truth(truth):
                return str(truth), _ATOM
            case t.Sum(args):
                return self._sum(args, parts), _SUM
            case t.Neg():
                return f"-{parts[0].at(_UNARY)}", _UNARY
            case t.Mul() | t.Mod() | t.Div():
                sign = {t.Mul: "*", t.Mod: "%", t.Div: "//"}[type(node)]
                return f"{parts[0].at(_PRODUCT)} {sign} {parts[1].at(_UNARY)}", _PRODUCT
            case t.Min() | t.Max() | t.Abs():
                inside = ", ".join(p.text for p in parts)
                return f"{type(node).__name__.lower()}({inside})", _ATOM
            case t.Digital():
                return self._digital(node, parts)
            case t.If():
                condition, then, otherwise = parts
                tests = f"{then.at(_OR)} if {condition.at(_OR)} else {otherwise.at(_CHOICE)}"
                return tests, _CHOICE
            case _:
                return self._formula(node, parts)

    def _formula(self, node: t.Node, parts: list[_Piece]) -> tuple[str, int]:
        match node:
            case t.Compare(_, ops):
                links = zip(ops, parts[1:], strict=True)
                chain = "".join(f" {PYTHON[op]} {p.at(_XOR)}" for op, p in links)
                return parts[0].at(_XOR) + chain, _COMPARE
            case t.Member():
                members = ", ".join(p.text for p in parts[1:])
                return f"{parts[0].at(_XOR)} in {{{members}}}", _COMPARE
            case t.Recognised(automaton, _, name):
                known = self._digits.automaton(automaton, name)
                inside = ", ".join([known, *(p.text for p in parts)])
                return f"{self._digits.function('_accepts')}({inside})", _ATOM
            case t.Not():
                return f"not {parts[0].at(_NOT)}", _NOT
            case t.And():
                return " and ".join(p.at(_NOT) for p in parts), _AND
            case t.Or():
                return " or ".join(p.at(_AND) for p in parts), _OR
            case t.Implies():
                return f"not {parts[0].at(_NOT)} or {parts[1].at(_AND)}", _OR
            case t.Iff():
                # A bare comparison on either side would make Python read a chain.
                return f"{parts[0].at(_ATOM)} == {parts[1].at(_ATOM)}", _COMPARE
            case _:
                raise TypeError(f"not a term or formula: {node!r}")

    def _digital(self, term: t.Digital, parts: list[_Piece]) -> tuple[str, int]:
        """A function of digits; Python's own exclusive or where it is the same."""
        texts = [p.text for p in parts]
        is_xor = term.kind == "nimsum" and term.modulus == 2 and term.system.name == "base-2"
        if is_xor and len(parts) > 1 and all(map(self._is_natural, term.args)):
            return " ^ ".join(p.at(_SUM) for p in parts), _XOR
        system = self._digits.system(term.system)
        if term.kind == "nimsum":
            inside = ", ".join([system, str(term.modulus), *texts])
            return f"{self._digits.function('_nim_sum')}({inside})", _ATOM
        word = _DIGITS[term.kind]
        return f"{self._digits.function(word)}({system}, {texts[0]})", _ATOM

    def _is_natural(self, term: t.Term) -> bool:
        match term:
            case t.Name(name):
                return name in self._natural
            case t.Int(value):
                return value >= 0
            case _:
                return isinstance(term, t.Digital)

    def _sum(self, args: Sequence[t.Term], parts: Sequence[_Piece]) -> str:
        signed = [_signed(arg, part) for arg, part in zip(args, parts, strict=True)]
        while len(signed) > _LONG:
            groups = [signed[i : i + _LONG] for i in range(0, len(signed), _LONG)]
            totals = [self._step(_Piece(_added(group), _SUM, 0)) for group in groups]
            signed = [("+", total.text) for total in totals]
        return _added(signed)


def _signed(arg: t.Term, part: _Piece) -> tuple[str, str]:
    """A summand as a sign and what follows it."""
    loose = part.at(_PRODUCT)
    return ("-", loose[1:]) if loose.startswith("-") and _is_negated(arg) else ("+", loose)


def _is_negated(arg: t.Term) -> bool:
    """Whether a printed minus sign in front may become a subtraction."""
    return isinstance(arg, t.Neg | t.Int | t.Mul)


def _added(signed: Sequence[tuple[str, str]]) -> str:
    first, *rest = signed
    head = first[1] if first[0] == "+" else f"-{first[1]}"
    return head + "".join(f" {sign} {text}" for sign, text in rest)

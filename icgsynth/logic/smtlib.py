"""Terms and formulas in SMT-LIB 2.6, printed as they stand.

``div`` and ``mod`` by a positive integer mean the same in SMT-LIB (theory Ints) as in the
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icgsynth.logic.identifiers import apart
from icgsynth.logic.term import (
    Abs,
    And,
    Compare,
    Div,
    If,
    Iff,
    Implies,
    Int,
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
    Sum,
    Truth,
    children,
    walk,
)

__all__ = ["expression", "preamble", "remainders", "symbol"]

# Names that are taken: the reserved words (SMT-LIB 2.6, section 3.1), and the symbols of theories,
# of the standard's and of those that z3 and cvc5 add.  Not every solver takes them in bars.
_TAKEN = re.compile(
    r"BINARY|DECIMAL|HEXADECIMAL|NUMERAL|STRING|_|as|assert|echo|exists|exit|forall|let|match|par"
    r"|pop|push|reset"
    r"|Array|Bool|Int|R[NT][AENPZ]|Real|RegLan|String|arc(cos|cot|csc|sec|sin|tan)|bag|bv\w+|concat"
    r"|cos|cot|csc|distinct|div_total|divisible|eqrange|exp|extract|fp|if|iff|implies|int|is_int"
    r"|ite|member|mod_total|pi|piand|power|pto|rem|repeat|round(NearestTiesTo|Toward)\w+"
    r"|[su]bv_to_int|sec|select|sep|seq|set|sin|sqrt|store|tan|to_int|to_real|tuple|union|wand|xor"
)
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# QF_LIA leaves out div, mod and abs, though most solvers read them under that name.
_BEYOND_QF_LIA: frozenset[type[Node]] = frozenset({Mod, Div, Abs, Quantified})
_CASES = 60  # the largest divisor whose remainders are listed

_FUNCTIONS: dict[type[Node], str] = {
    Min: "(define-fun icg.min ((x Int) (y Int)) Int (ite (<= x y) x y))",
    Max: "(define-fun icg.max ((x Int) (y Int)) Int (ite (<= x y) y x))",
}
_OPERATORS: dict[type[Node], str] = {
    Sum: "+",
    Neg: "-",
    Mul: "*",
    Mod: "mod",
    Div: "div",
    Min: "icg.min",
    Max: "icg.max",
    Abs: "abs",
    If: "ite",
    Not: "not",
    And: "and",
    Or: "or",
    Implies: "=>",
    Iff: "=",
}


def preamble(formulas: Iterable[Node]) -> list[str]:
    """``set-logic`` for ``formulas``, and the functions that SMT-LIB does not have."""
    kinds = {type(node) for formula in formulas for node in walk(formula)}
    logic = "ALL" if kinds & _BEYOND_QF_LIA else "QF_LIA"
    return [f"(set-logic {logic})", *(text for kind, text in _FUNCTIONS.items() if kind in kinds)]


def remainders(formulas: Iterable[Node]) -> list[str]:
    """For each ``mod`` and ``div`` of ``formulas`` that the remainder is one of finitely many.

    That is true of all integers.  Said aloud, it gives a solver cases to split on; without
    it some look for a model among ever larger numbers.
    """
    found: dict[tuple[Node, int], None] = {}
    for node in (part for formula in formulas for part in _outside_quantifiers(formula)):
        match node:
            case Mod(arg, Int(divisor)) | Div(arg, Int(divisor)) if divisor <= _CASES:
                found[arg, divisor] = None
    return [
        _any(f"(= (mod {expression(term)} {divisor}) {rest})" for rest in range(divisor))
        for term, divisor in found
    ]


def _outside_quantifiers(node: Node) -> Iterator[Node]:
    if not isinstance(node, Quantified):
        yield node
        for child in children(node):
            yield from _outside_quantifiers(child)


def symbol(name: str) -> str:
    """``name`` as an SMT-LIB symbol that is not taken; no name of a game has a dot."""
    barred = name if _SIMPLE.fullmatch(name) else f"|{name}|"
    return apart([name], _TAKEN.fullmatch, lambda _: barred, ".")[name]


def expression(node: Node) -> str:
    """``node`` as an SMT-LIB term."""
    parts = [expression(c) for c in children(node)]
    match node:
        case Int(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case Name(name):
            return symbol(name)
        case Truth(truth):
            return "true" if truth else "false"
        case Compare(_, ops):
            return _chain(ops, parts)
        case Member():
            return _let({"icg.m": parts[0]}, _any(f"(= icg.m {value})" for value in parts[1:]))
        case Quantified(kind, names, _):
            bound = " ".join(f"({symbol(name)} Int)" for name in names)
            return f"({kind} ({bound}) {parts[0]})"
        case And(args) | Or(args) if len(args) == 1:
            return parts[0]
        case _:
            return f"({_OPERATORS[type(node)]} {' '.join(parts)})"


def _chain(ops: tuple[str, ...], terms: list[str]) -> str:
    if len(set(ops)) == 1 and ops[0] != "!=":
        return f"({ops[0]} {' '.join(terms)})"
    if len(ops) == 1:
        return f"(distinct {terms[0]} {terms[1]})"
    # Each inner term stands in two links: it is named, so that it is written once.
    names = {f"icg.c{i}": term for i, term in enumerate(terms)}
    listed = list(names)
    words = ("distinct" if op == "!=" else op for op in ops)
    links = (f"({w} {listed[i]} {listed[i + 1]})" for i, w in enumerate(words))
    return _let(names, f"(and {' '.join(links)})")


def _let(names: dict[str, str], body: str) -> str:
    bindings = " ".join(f"({name} {term})" for name, term in names.items())
    return f"(let ({bindings}) {body})"


def _any(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"(or {' '.join(listed)})"

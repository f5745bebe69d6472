"""Terms and formulas in SMT-LIB 2.6, printed as they stand.

``div`` and ``mod`` by a positive integer mean the same in SMT-LIB (theory Ints) as in the
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.identifiers import apart

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
_BEYOND_QF_LIA: frozenset[type[t.Node]] = frozenset({t.Mod, t.Div, t.Abs, t.Quantified})
_CASES = 60  # the largest divisor whose remainders are listed

_FUNCTIONS: dict[type[t.Node], str] = {
    t.Min: "(define-fun icg.min ((x Int) (y Int)) Int (ite (<= x y) x y))",
    t.Max: "(define-fun icg.max ((x Int) (y Int)) Int (ite (<= x y) y x))",
}
_OPERATORS: dict[type[t.Node], str] = {
    t.Sum: "+",
    t.Neg: "-",
    t.Mul: "*",
    t.Mod: "mod",
    t.Div: "div",
    t.Min: "icg.min",
    t.Max: "icg.max",
    t.Abs: "abs",
    t.If: "ite",
    t.Not: "not",
    t.And: "and",
    t.Or: "or",
    t.Implies: "=>",
    t.Iff: "=",
}


def preamble(formulas: Iterable[t.Node]) -> list[str]:
    """Return the SMT-LIB lines before ``formulas``: ``set-logic``, and min and max if used."""
    kinds = {type(node) for formula in formulas for node in walk(formula)}
    logic = "ALL" if kinds & _BEYOND_QF_LIA else "QF_LIA"
    return [f"(set-logic {logic})", *(text for kind, text in _FUNCTIONS.items() if kind in kinds)]


def remainders(formulas: Iterable[t.Node]) -> list[str]:
    """Return SMT-LIB formulas ``x mod m = 0 or .. or x mod m = m - 1`` for x mod m in ``formulas``.
    Also for x div m; m is at most 60.  They are true of all integers, and give a solver cases to
    split on; without them some look for a model among ever larger numbers."""
    found: dict[tuple[t.Node, int], None] = {}
    for node in (part for formula in formulas for part in _outside_quantifiers(formula)):
        match node:
            case t.Mod(arg, t.Int(divisor)) | t.Div(arg, t.Int(divisor)) if divisor <= _CASES:
                found[arg, divisor] = None
    return [
        _any(f"(= (mod {expression(term)} {divisor}) {rest})" for rest in range(divisor))
        for term, divisor in found
    ]


def _outside_quantifiers(node: t.Node) -> Iterator[t.Node]:
    if not isinstance(node, t.Quantified):
        yield node
        for child in t.children(node):
            yield from _outside_quantifiers(child)


def symbol(name: str) -> str:
    """Return ``name`` as an SMT-LIB symbol: in bars if it has other letters than simple symbols
    have, and with a dot behind it if it is reserved."""
    barred = name if _SIMPLE.fullmatch(name) else f"|{name}|"
    return apart([name], _TAKEN.fullmatch, lambda _: barred, ".")[name]


def expression(node: t.Node) -> str:
    """Return ``node`` in SMT-LIB; Refused for functions of digits, automata and ``gcd``."""
    parts = [expression(c) for c in t.children(node)]
    match node:
        case t.Int(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case t.Name(name):
            return symbol(name)
        case t.Truth(truth):
            return "true" if truth else "false"
        case t.Compare(_, ops):
            return _chain(ops, parts)
        case t.Member():
            return _let({"icg.m": parts[0]}, _any(f"(= icg.m {value})" for value in parts[1:]))
        case t.Quantified(kind, names, _):
            bound = " ".join(f"({symbol(name)} Int)" for name in names)
            return f"({kind} ({bound}) {parts[0]})"
        case t.And(args) | t.Or(args) if len(args) == 1:
            return parts[0]
        case t.Digital() | t.Recognised() | t.Gcd():
            raise Refused(f"SMT-LIB has no words for {node}")
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

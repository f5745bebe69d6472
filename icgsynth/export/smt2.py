"""The proof obligations of a solution as an SMT-LIB 2.6 script for any solver.

Each obligation is one ``check-sat`` between ``push`` and ``pop``; every answer should be
``unsat``.  The terms are printed as they stand: ``div`` and ``mod`` by a positive integer
mean the same in SMT-LIB (theory Ints) as in the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from icgsynth.export.header import formulas, header, title
from icgsynth.game import ParametricGame
from icgsynth.obligations import (
    Obligation,
    closure,
    ending_has_no_move,
    strategy_obligations,
    tree_obligations,
    winning_obligations,
)
from icgsynth.solution import Solution, Verdict
from icgsynth.strategy import SemiGroundAction
from icgsynth.term import (
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
    Term,
    Truth,
    children,
    walk,
)

__all__ = ["expression", "smt2", "symbol"]

# SMT-LIB 2.6, section 3.1: reserved words; a symbol spelt like one needs bars.
_RESERVED = frozenset(
    {"BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "_", "as", "exists", "forall"}
    | {"let", "match", "par", "assert", "echo", "exit", "pop", "push", "reset"}
)
# Symbols of theories, which even in bars would name the function of the theory.
_THEORY = frozenset(
    {
        "ite",
        "xor",
        "distinct",
        "Int",
        "Real",
        "Bool",
        "select",
        "store",
        "Array",
        "concat",
        "extract",
    }
    | {"repeat", "divisible", "is_int", "to_int", "to_real", "String", "RegLan", "pi", "exp", "sin"}
    | {"cos", "tan", "union", "member", "set", "seq", "implies", "iff", "if", "rem", "power", "int"}
)
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# QF_LIA leaves out div, mod and abs, though most solvers read them under that name.
_BEYOND_QF_LIA: frozenset[type[Node]] = frozenset({Mod, Div, Abs, Quantified})
_SMALL = (1, 2, 3)
_GUESSES = 400


def smt2(solution: Solution, movers: Iterable[SemiGroundAction] | None = None) -> str:
    """The script.

    ``movers`` are semi-ground actions one of which applies in every losing state that has
    not ended (only misère play asks); without them, those of the strategy and small moves.
    """
    game = solution.game
    obligations = list(_obligations(solution, movers))
    parts = [part for obligation, _ in obligations for part in obligation.parts]
    kinds = {type(node) for part in parts for node in walk(part)}
    return "\n".join(
        [
            *(_comment(line) for line in header(solution)),
            *_notes(solution, guessed=movers is None),
            "(set-info :smt-lib-version 2.6)",
            f"(set-logic {'ALL' if kinds & _BEYOND_QF_LIA else 'QF_LIA'})",
            f"(set-info :source |{_barred(title(solution))}; written by icgsynth|)",
            '(set-info :category "crafted")',
            *(text for kind, text in _FUNCTIONS.items() if kind in kinds),
            *(f"(declare-const {symbol(name)} Int)" for name in game.variables),
            "",
            *(_block(game, obligation, status) for obligation, status in obligations),
            "(exit)\n",
        ]
    )


def _comment(text: str) -> str:
    return "; " + " ".join(text.split("\n")) if text else ";"


def _barred(text: str) -> str:
    return text.replace("|", "/").replace("\\", "/")


def _notes(solution: Solution, guessed: bool) -> list[str]:
    lines = ["", "Every check-sat below is to answer unsat; together they prove the formulas"]
    lines += ["above, and the strategy, provided that play always ends (not part of this file)."]
    if guessed and solution.rule == "misere":
        lines += ["That a losing state has a move is shown with the moves of the strategy and"]
        lines += ["with small ones; `sat` there may only mean that a move is not among them."]
    return [_comment(line) for line in [*lines, ""]]


# --- the obligations --------------------------------------------------------------------


def _obligations(
    solution: Solution, movers: Iterable[SemiGroundAction] | None
) -> Iterator[tuple[Obligation, str]]:
    """Each obligation with its known status: ``unsat`` where its part is proved."""
    game, rule = solution.game, solution.rule
    winning, losing = formulas(solution)
    acts = tuple(_guessed(solution) if movers is None else movers)
    tree = tree_obligations(game, rule, winning, losing, solution.tree) if solution.tree else ()
    strategy: Iterable[Obligation] = ()
    if solution.strategy:
        strategy = strategy_obligations(game, rule, winning, losing, solution.strategy)
    parts: tuple[tuple[str, Iterable[Obligation]], ...] = (
        ("closure", closure(game)),
        ("ending", ending_has_no_move(game)),
        ("winning", winning_obligations(game, rule, winning, losing, acts)),
        ("strategy", strategy),
        ("strategy", tree),
    )
    for part, obligations in parts:
        proved = solution.proof.get(part) == Verdict.PROVED
        for obligation in obligations:
            guess = movers is None and obligation.claim == "a losing state has a move"
            yield obligation, "unsat" if proved and not guess else "unknown"


def _guessed(solution: Solution) -> Iterator[SemiGroundAction]:
    """Moves of the strategy, then each action with small integers and variables."""
    seen: dict[SemiGroundAction, None] = {}
    for pair in (*solution.strategy, *solution.tree):
        seen[pair.act] = None
    yield from seen
    game = solution.game
    terms: list[Term] = [*map(Int, _SMALL), *map(Name, game.variables)]
    for action in game.actions:
        count = len(action.parameters)
        choices = terms if len(terms) ** count <= _GUESSES else terms[:1]
        for chosen in product(choices, repeat=count):
            act = SemiGroundAction(action.name, tuple(zip(action.parameters, chosen, strict=True)))
            if act not in seen:
                yield act


def _block(game: ParametricGame, obligation: Obligation, status: str) -> str:
    parameters = obligation.names[len(game.variables) :]
    lines = [_comment(obligation.claim), "(push 1)"]
    lines += [f"(declare-const {symbol(name)} Int)" for name in parameters]
    lines += [f"(assert {expression(part)})" for part in obligation.parts]
    lines += [f"(set-info :status {status})", "(check-sat)", "(pop 1)", ""]
    return "\n".join(lines)


# --- terms -----------------------------------------------------------------------------------

# Names with a dot are ours: no name of a game has one.
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


def symbol(name: str) -> str:
    """``name`` as an SMT-LIB symbol that is not taken."""
    if name in _RESERVED or not _SIMPLE.fullmatch(name):
        return f"|{name}|"
    return f"icg.{name}" if name in _THEORY else name


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

"""The explicit-time form of an encoding (Hahn and Shankar 2020, section 3.2.2).

Every rule is read at a time: ``true(F)`` is ``holds(F,T)``, ``next(F)`` is ``holds(F,T+1)``, and
the other keywords get the time as their last argument.
"""

from __future__ import annotations

from typing import Any

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.encoding import Encoding

__all__ = ["over_time"]

_TIMED = frozenset({"true", "next", "does", "legal", "goal", "terminal"})
_CLOCK = "T__"


def over_time(book: Encoding, horizon: int) -> str:
    """The program for plays of at most ``horizon`` moves.

    Every stable model is a match: ``holds(F,T)``, ``does(R,A,T)``, ``goal(R,N,T)``.
    """
    trees, _ = asp.parse_statements("\n".join(statement.text for statement in book.statements))
    lines = [
        *_with_times(trees),
        f"time(0..{horizon}).",
        "holds(F,0) :- init(F).",
        f"1 {{ does(R,A,T) : legal(R,A,T) }} 1 :- legal(R,_,T), T < {horizon}.",
        "#show does/3. #show goal/3.",
    ]
    return "\n".join(lines)


def _with_times(trees: list[Any]) -> list[str]:
    """Every rule with the time at which it is read."""
    timed = set(_TIMED)
    rules = [tree for tree in trees if tree.ast_type == asp.syntax().ASTType.Rule]
    grown = True
    while grown:
        grown = False
        for tree in rules:
            name = tree.head.atom.symbol.name
            names = {symbol.name for symbol in asp.symbols_of(tree)}
            if name not in timed and names & timed:
                timed.add(name)
                grown = True
    return [_clocked(tree, timed) if tree in rules else str(tree) for tree in trees]


def _clocked(tree: Any, timed: set[str]) -> str:
    ast = asp.syntax()
    touched = False

    def clocked(atom: Any) -> Any:
        nonlocal touched
        symbol = atom.symbol
        if symbol.ast_type != ast.ASTType.Function or symbol.name not in timed:
            return atom
        touched = True
        place = symbol.location
        now = ast.Variable(place, _CLOCK)
        if symbol.name == "next":
            one = ast.SymbolicTerm(place, asp.number(1))
            now = ast.BinaryOperation(place, ast.BinaryOperator.Plus, now, one)
        name = "holds" if symbol.name in ("true", "next") else symbol.name
        return atom.update(symbol=symbol.update(name=name, arguments=[*symbol.arguments, now]))

    text = str(asp.with_atoms(tree, clocked))
    if not touched:
        return text
    joint = "; " if len(tree.body) else " :- "
    return f"{text.removesuffix('.')}{joint}time({_CLOCK})."

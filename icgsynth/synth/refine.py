"""The disjunctive cover of a winning formula (Wu et al., AAMAS 2020, "Refining").

Literals of the forms ``!=``, ``<=``, ``>=`` and "not congruent" become disjunctions of the
others, conjunction is distributed over disjunction, and contradictory cells are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from icgsynth.budget import Budget
from icgsynth.game import ParametricGame
from icgsynth.smt import satisfy
from icgsynth.term import (
    And,
    Compare,
    Formula,
    Iff,
    Implies,
    Int,
    Member,
    Mod,
    Not,
    Or,
    Truth,
    conjunction,
    disjunction,
    negation,
)

__all__ = ["refine", "split", "tidy"]

_MOST_CELLS = 600


def refine(game: ParametricGame, winning: Formula, budget: Budget) -> tuple[Formula, ...]:
    """Cells whose disjunction is ``winning`` on legal states, none of them empty."""
    cells = split(winning)
    if cells is None:
        return (winning,)
    return tuple(_satisfiable(game, cells, budget))


def _satisfiable(
    game: ParametricGame, cells: Iterable[Formula], budget: Budget
) -> Iterable[Formula]:
    for cell in cells:
        if satisfy((game.legal, cell), game.variables, budget).kind != "unsat":
            yield cell


def tidy(game: ParametricGame, cell: Formula, budget: Budget) -> Formula:
    """``cell`` without what its other literals imply, or exclude, on legal states."""
    kept: list[Formula] = list(cell.args) if isinstance(cell, And) else [cell]
    for literal in list(reversed(kept)):
        rest = [part for part in kept if part is not literal]
        if not rest:
            break
        parts = (game.legal, *rest, negation(literal))
        if satisfy(parts, game.variables, budget).kind == "unsat":
            kept = rest
    for i, literal in enumerate(kept):
        if isinstance(literal, Or):
            others = (game.legal, *kept[:i], *kept[i + 1 :])
            possible = [
                part
                for part in literal.args
                if satisfy((*others, part), game.variables, budget).kind != "unsat"
            ]
            kept[i] = disjunction(possible)
    return conjunction(kept)


def split(formula: Formula) -> list[Formula] | None:
    """The cells before contradictions are dropped; None where there would be too many."""
    match formula:
        case Truth(value):
            return [formula] if value else []
        case Or(args):
            parts = [split(a) for a in args]
            if any(p is None for p in parts):
                return None
            flat = dict.fromkeys(cell for p in parts if p is not None for cell in p)
            return list(flat) if len(flat) <= _MOST_CELLS else None
        case And(args):
            factors = [split(a) for a in args]
            count = 1
            for factor in factors:
                if factor is None:
                    return None
                count *= len(factor)
            if count > _MOST_CELLS:
                return None
            return [
                conjunction(choice) for choice in product(*(f for f in factors if f is not None))
            ]
        case Implies(left, right):
            return split(Or((negation(left), right)))
        case Iff(left, right):
            return split(Or((And((left, right)), And((negation(left), negation(right))))))
        case Not(arg):
            pushed = negation(arg)
            return _literal(formula) if isinstance(pushed, Not) else split(pushed)
        case _:
            return _literal(formula)


def _literal(literal: Formula) -> list[Formula]:
    """The disjuncts of one literal."""
    match literal:
        case Compare((Mod(_, Int(modulus)) as term, Int(residue)), ("!=",)):
            others = (r for r in range(modulus) if r != residue)
            return [Compare((term, Int(r)), ("=",)) for r in others]
        case Compare((left, right), ("!=",)):
            return [Compare((left, right), (">",)), Compare((left, right), ("<",))]
        case Compare((left, right), ("<=",)):
            return [Compare((left, right), ("<",)), Compare((left, right), ("=",))]
        case Compare((left, right), (">=",)):
            return [Compare((left, right), (">",)), Compare((left, right), ("=",))]
        case Member(term, values):
            return [Compare((term, v), ("=",)) for v in values]
        case Not(Member(Mod(_, Int(modulus)) as term, values)):
            excluded = set(values)
            return [
                Compare((term, Int(r)), ("=",)) for r in range(modulus) if Int(r) not in excluded
            ]
        case _:
            return [literal]

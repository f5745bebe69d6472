"""The disjunctive cover of a winning formula (Wu et al., AAMAS 2020, "Refining").

Literals of the forms ``!=``, ``<=``, ``>=`` and "not congruent" become disjunctions of the
others, conjunction is distributed over disjunction, and contradictory cells are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.term import (
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
from icgsynth.prove.deciders import decide

__all__ = ["Legal", "refine", "split", "tidy"]

_MOST_CELLS = 64  # more are not a cover that anybody reads
_LARGEST_LISTED = 10_000  # modulus whose residues are listed, to be counted then


@dataclass(frozen=True)
class Legal:
    """The legal states of ``game``: some at hand, all of them through the solver.

    ``states`` (n, d) are legal; a formula that holds on one of them needs no solver to be
    satisfiable, and most do.
    """

    game: ParametricGame
    states: NDArray[np.int64]
    budget: Budget

    def may_hold(self, *parts: Formula) -> bool:
        """Whether the conjunction holds somewhere; True also where that is not known."""
        if on_states(conjunction(parts), self.game.variables, self.states).any():
            return True
        answer = decide((self.game.legal, *parts), self.game.variables, self.budget)
        return answer.kind != "unsat"


def refine(legal: Legal, winning: Formula) -> tuple[Formula, ...]:
    """Cells whose disjunction is ``winning`` on legal states, none of them empty."""
    cells = split(winning)
    if cells is None:
        return winning.args if isinstance(winning, Or) else (winning,)
    return tuple(cell for cell in cells if legal.may_hold(cell))


def tidy(legal: Legal, cell: Formula) -> Formula:
    """``cell`` without what its other literals imply, or exclude, on legal states."""
    kept: list[Formula] = list(cell.args) if isinstance(cell, And) else [cell]
    for literal in list(reversed(kept)):
        rest = [part for part in kept if part is not literal]
        if rest and not legal.may_hold(*rest, negation(literal)):
            kept = rest
    for i, literal in enumerate(kept):
        if isinstance(literal, Or):
            others = (*kept[:i], *kept[i + 1 :])
            possible = [part for part in literal.args if legal.may_hold(*others, part)]
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
    """The disjuncts of one literal; itself where they would be too many."""
    cells = _disjuncts(literal)
    return cells if len(cells) <= _MOST_CELLS else [literal]


def _disjuncts(literal: Formula) -> list[Formula]:
    match literal:
        case Compare((Mod(_, Int(modulus)), _), ("!=",)) | Not(Member(Mod(_, Int(modulus)), _)) if (
            modulus > _LARGEST_LISTED
        ):
            return [literal]
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

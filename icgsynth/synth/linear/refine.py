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
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation
from icgsynth.logic.evaluate import on_states
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

    def may_hold(self, *parts: t.Formula) -> bool:
        """Whether the conjunction holds somewhere; True also where that is not known."""
        if on_states(conjunction(parts), self.game.variables, self.states).any():
            return True
        answer = decide((self.game.legal, *parts), self.game.variables, self.budget)
        return answer.kind != "unsat"


def refine(legal: Legal, winning: t.Formula) -> tuple[t.Formula, ...]:
    """Cells whose disjunction is ``winning`` on legal states, none of them empty."""
    cells = split(winning)
    if cells is None:
        return winning.args if isinstance(winning, t.Or) else (winning,)
    return tuple(cell for cell in cells if legal.may_hold(cell))


def tidy(legal: Legal, cell: t.Formula) -> t.Formula:
    """``cell`` without what its other literals imply, or exclude, on legal states."""
    kept: list[t.Formula] = list(cell.args) if isinstance(cell, t.And) else [cell]
    for literal in list(reversed(kept)):
        rest = [part for part in kept if part is not literal]
        if rest and not legal.may_hold(*rest, negation(literal)):
            kept = rest
    for i, literal in enumerate(kept):
        if isinstance(literal, t.Or):
            others = (*kept[:i], *kept[i + 1 :])
            possible = [part for part in literal.args if legal.may_hold(*others, part)]
            kept[i] = disjunction(possible)
    return conjunction(kept)


def split(formula: t.Formula) -> list[t.Formula] | None:
    """The cells before contradictions are dropped; None where there would be too many."""
    match formula:
        case t.Truth(value):
            return [formula] if value else []
        case t.Or(args):
            parts = [split(a) for a in args]
            if any(p is None for p in parts):
                return None
            flat = dict.fromkeys(cell for p in parts if p is not None for cell in p)
            return list(flat) if len(flat) <= _MOST_CELLS else None
        case t.And(args):
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
        case t.Implies(left, right):
            return split(t.Or((negation(left), right)))
        case t.Iff(left, right):
            return split(t.Or((t.And((left, right)), t.And((negation(left), negation(right))))))
        case t.Not(arg):
            pushed = negation(arg)
            return _literal(formula) if isinstance(pushed, t.Not) else split(pushed)
        case _:
            return _literal(formula)


def _literal(literal: t.Formula) -> list[t.Formula]:
    """The disjuncts of one literal; itself where they would be too many."""
    cells = _disjuncts(literal)
    return cells if len(cells) <= _MOST_CELLS else [literal]


def _disjuncts(literal: t.Formula) -> list[t.Formula]:
    match literal:
        case t.Compare((t.Mod(_, t.Int(modulus)), _), ("!=",)) | t.Not(
            t.Member(t.Mod(_, t.Int(modulus)), _)
        ) if modulus > _LARGEST_LISTED:
            return [literal]
        case t.Compare((t.Mod(_, t.Int(modulus)) as term, t.Int(residue)), ("!=",)):
            others = (r for r in range(modulus) if r != residue)
            return [t.Compare((term, t.Int(r)), ("=",)) for r in others]
        case t.Compare((left, right), ("!=",)):
            return [t.Compare((left, right), (">",)), t.Compare((left, right), ("<",))]
        case t.Compare((left, right), ("<=",)):
            return [t.Compare((left, right), ("<",)), t.Compare((left, right), ("=",))]
        case t.Compare((left, right), (">=",)):
            return [t.Compare((left, right), (">",)), t.Compare((left, right), ("=",))]
        case t.Member(term, values):
            return [t.Compare((term, v), ("=",)) for v in values]
        case t.Not(t.Member(t.Mod(_, t.Int(modulus)) as term, values)):
            excluded = set(values)
            return [
                t.Compare((term, t.Int(r)), ("=",))
                for r in range(modulus)
                if t.Int(r) not in excluded
            ]
        case _:
            return [literal]

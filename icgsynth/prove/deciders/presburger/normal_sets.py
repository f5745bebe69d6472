"""Conjunctions of normal formulas (:mod:`icgsynth.logic.normal`), decided by isl.

isl decides Presburger arithmetic with sets of integer points: a conjunction is intersected
conjunct by conjunct until nothing is left, or something is.  Moduli cost it less than they
cost z3; many disjuncts cost it more.

A model is checked by evaluation before it is returned, so that only "unsat" is believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts, negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.normal import Unsupported, normal, weight
from icgsynth.prove.deciders.smt import SolverReply

NAME = "isl"
NORMAL = "normal form"  # what isl reads here, and residue classes as well
OPERATIONS = 2_000_000  # isl's own count; this many take about a second
_PIECES = 12  # a union of more basic sets is worth the time to merge them


def satisfy(
    parts: Iterable[t.Formula],
    names: Sequence[str],
    budget: Budget,
    operations: int = OPERATIONS,
) -> SolverReply:
    """Return whether the conjunction of ``parts`` has a model over the integers, by isl.

    ``names`` are all free names.  At most ``operations`` of isl are spent, whose number depends on
    nothing but the question; "unknown" where they, or the budget, do not suffice, and for what is
    not linear or is quantified."""
    from icgsynth.prove.deciders.presburger.library import isl

    given = tuple(parts)
    if budget.is_spent:
        return SolverReply("unknown")
    context = isl.Context()
    context.set_on_error(isl.on_error.CONTINUE)  # no text on stderr
    context.set_max_operations(operations)
    try:
        sets = _Sets(context, {name: f"x{i}" for i, name in enumerate(names)}, budget)
        left = sets.restrict(sets.everything(), conjuncts(*normal(given, budget)))
        if left.is_empty():
            return SolverReply("unsat", by=frozenset((NORMAL, NAME)))
        point = left.sample_point()
        axis = isl.dim_type.set
        values = [point.get_coordinate_val(axis, i).to_python() for i in range(len(names))]
    except (isl.Error, Unsupported, BudgetSpent, RecursionError, OverflowError):
        return SolverReply("unknown")
    model = dict(zip(names, map(int, values), strict=True))
    right = all(satisfies(part, model) for part in given)
    return SolverReply("sat", model) if right else SolverReply("unknown")


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of integer points for isl; ``axes`` has the text of each name there."""

    context: Any
    axes: Mapping[str, str]
    budget: Budget

    def everything(self) -> Any:
        return self._read("1 = 1")

    def _read(self, condition: str) -> Any:
        from icgsynth.prove.deciders.presburger.library import isl

        return isl.Set(f"{{ [{','.join(self.axes.values())}] : {condition} }}", self.context)

    def _where(self, literals: Sequence[t.Formula]) -> Any:
        return self._read(" and ".join(self._text(literal) for literal in literals))

    def restrict(self, points: Any, formulas: Iterable[t.Formula]) -> Any:
        """Return the part of the isl set ``points`` where all of the normal ``formulas`` hold."""
        # The comparisons come first, in one go; then what is short, for it may leave nothing.
        literals: list[t.Formula] = []
        clauses: list[t.Or] = []
        for formula in conjuncts(*formulas):
            if formula == t.FALSE:
                return points.subtract(points)
            if isinstance(formula, t.Or):
                clauses.append(formula)
            else:
                literals.append(formula)
        if literals:
            points = points.intersect(self._where(literals))
        for clause in sorted(clauses, key=weight):
            if points.is_empty():
                return points
            self.budget.check()
            points = self._choose(points, clause)
            if points.n_basic_set() > _PIECES:
                points = points.coalesce()
        return points

    def _choose(self, points: Any, clause: t.Or) -> Any:
        """Return the part of the isl set ``points`` where some disjunct of ``clause`` holds."""
        # Literals are dealt with by taking away where they all fail, so that no union is built and
        # the pieces stay disjoint.
        literals = [a for a in clause.args if isinstance(a, t.Compare)]
        others = [a for a in clause.args if not isinstance(a, t.Compare)]
        rest = points
        if literals:
            rest = points.intersect(self._where([negation(a) for a in literals]))
        if not others:
            return points.subtract(rest) if literals else rest
        found = points.subtract(rest) if literals else None
        for other in others:
            if rest.is_empty():
                break
            self.budget.check()
            piece = self.restrict(rest, [other])
            found = piece if found is None else found.union(piece)
        return rest if found is None else found

    # --- text -------------------------------------------------------------------------

    def _text(self, literal: t.Formula) -> str:
        match literal:
            case t.Compare((left, right), (op,)):
                return f"{self._term(left)} {op} {self._term(right)}"
            case t.And():
                raise TypeError(f"not a literal: {literal}")
            case _:
                return "1 = 1" if literal == t.TRUE else "1 = 0"

    def _term(self, term: t.Term) -> str:
        match term:
            case t.Int(number):
                return f"({number})"
            case t.Name(name):
                return self.axes[name]
            case t.Sum(args):
                return f"({' + '.join(map(self._term, args))})"
            case t.Neg(arg):
                return f"(-1 * {self._term(arg)})"
            case t.Mul(t.Int(factor), arg):
                return f"({factor} * {self._term(arg)})"
            case t.Mod(arg, t.Int(divisor)):
                return f"({self._term(arg)} mod {divisor})"
            case t.Div(arg, t.Int(divisor)):
                return f"floor({self._term(arg)} / {divisor})"
            case _:
                raise Unsupported(str(term))

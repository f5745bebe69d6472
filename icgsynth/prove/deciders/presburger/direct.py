"""Formulas read by isl as they stand, term by term: the second reading of an obligation.

Nothing here knows the normal forms, bounds or arrays of the other deciders: a term becomes
a piecewise quasi-affine expression of isl's, a comparison the set of points where it holds.  A
conjunction is refuted branch by branch, the literals first; quantified formulas are projected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.logic import term as t
from icgsynth.logic.nodes import NEGATED
from icgsynth.prove.deciders.smt import SolverReply

_FEW = 3  # choices that are made without a look at what they leave of the others
_Signed: TypeAlias = tuple[t.Formula, bool]  # a formula, or its negation
_Ways: TypeAlias = list[list[_Signed]]  # alternatives, each a conjunction
_METHODS = {"=": "eq_set", "!=": "ne_set", "<": "lt_set", "<=": "le_set"}
_METHODS |= {">": "gt_set", ">=": "ge_set"}


def refute(
    parts: Iterable[t.Formula], names: Sequence[str], budget: Budget, operations: int
) -> SolverReply:
    """Return "unsat" if isl shows that no integers for ``names`` satisfy all ``parts``.
    Else "unknown".  At most ``operations`` of isl are spent; quantifiers are allowed."""
    from icgsynth.prove.deciders.presburger.library import isl

    try:
        reader = IslReader.over(names, budget, operations)
        if reader.is_empty(reader.everything, [(part, True) for part in parts]):
            return SolverReply("unsat", by=frozenset(("isl",)))
    except (isl.Error, Refused, BudgetSpent, RecursionError):
        pass
    return SolverReply("unknown")


@dataclass(frozen=True)
class IslReader:
    """A reader of terms and formulas; ``axes`` has the coordinate of isl for each name."""

    isl: Any  # the library, which takes long to load: see :mod:`.library`
    context: Any
    axes: Mapping[str, int]
    dimensions: int
    budget: Budget
    _known: dict[object, Any] = field(default_factory=dict)

    @staticmethod
    def over(names: Sequence[str], budget: Budget, operations: int) -> IslReader:
        """Return a reader over ``names`` that spends at most ``operations`` of isl."""
        from icgsynth.prove.deciders.presburger.library import isl

        context = isl.Context()
        context.set_on_error(isl.on_error.CONTINUE)  # no text on stderr
        context.set_max_operations(operations)
        return IslReader(isl, context, {n: i for i, n in enumerate(names)}, len(names), budget)

    @property
    def everything(self) -> Any:
        return self.isl.Set.universe(self.isl.Space.set_alloc(self.context, 0, self.dimensions))

    # --- is a conjunction empty? ----------------------------------------------------------

    def is_empty(self, points: Any, todo: Sequence[_Signed], choices: Sequence[_Ways] = ()) -> bool:
        """Return whether no point of the isl set ``points`` satisfies all of a conjunction.

        It consists of ``todo``, formulas with a sign (False: negated), and of ``choices``, each a
        list of alternatives, which are again conjunctions."""
        while todo or choices:
            self.budget.check()
            literals, found = _parts(todo)
            if literals is None:
                return True
            choices = [*found, *choices]
            # Equations and inequalities keep a set convex; "!=" cuts it in two.
            for literal in sorted(literals, key=_cuts):
                points = points.intersect(self.region(*literal))
                if points.is_empty():
                    return True
            if len(choices) > _FEW:
                # A way that contradicts the points is left out; it may leave one, or none at all.
                choices = [
                    [way for way in ways if not self._contradicts(points, way)] for ways in choices
                ]
            choices = sorted(choices, key=len)
            if not choices:
                return bool(points.is_empty())
            if not choices[0]:
                return True
            single = [ways[0] for ways in choices if len(ways) == 1]
            # Only the shortest choice is opened: no point may be left for any of its ways.
            if not single:
                return all(self.is_empty(points, way, choices[1:]) for way in choices[0])
            todo, choices = [signed for way in single for signed in way], choices[len(single) :]
        return bool(points.is_empty())

    def _contradicts(self, points: Any, way: Sequence[_Signed]) -> bool:
        """Return whether no point of the isl set ``points`` satisfies the conjunction ``way``; only
        its comparisons other than ``!=`` are looked at."""
        convex = [s for s in way if ways_of(*s) is None and not _cuts(s)]
        for signed in convex:
            points = points.intersect(self.region(*signed))
        return bool(convex) and bool(points.is_empty())

    # --- sets -----------------------------------------------------------------------------

    def region(self, formula: t.Formula, positive: bool = True) -> Any:
        """Return the isl set of points where ``formula`` is true, or false if not ``positive``."""
        key = (formula, positive)
        found = self._known.get(key)
        if found is None:
            self.budget.check()
            found = self._known[key] = self._region(formula, positive)
        return found

    def _region(self, formula: t.Formula, positive: bool) -> Any:
        match formula:
            case t.Compare((left, right), (op,)):
                method = _METHODS[op if positive else NEGATED[op]]
                return getattr(self.term(left), method)(self.term(right))
            case t.Quantified(kind, names, body):
                # Not (exists x: p) is the complement of the projection of p; (for all x: p) is the
                # complement of that of not p.
                there = self._projected(names, body, kind == "exists")
                return there if positive == (kind == "exists") else there.complement()
        ways = ways_of(formula, positive)
        if ways is None:
            raise Refused(f"isl cannot read {formula}")
        union = self.everything.subtract(self.everything)
        for way in ways:
            part = self.everything
            for signed in way:
                part = part.intersect(self.region(*signed))
            union = union.union(part)
        return union.coalesce()

    def _projected(self, names: Sequence[str], body: t.Formula, positive: bool) -> Any:
        """Return the isl set of points at which some integers for ``names`` make ``body`` true, or
        false if not ``positive``."""
        axes = {**self.axes, **{name: self.dimensions + i for i, name in enumerate(names)}}
        inner = IslReader(self.isl, self.context, axes, self.dimensions + len(names), self.budget)
        points, kind = inner.region(body, positive), self.isl.dim_type.set
        return points.project_out(kind, self.dimensions, len(names))

    # --- terms ----------------------------------------------------------------------------

    def term(self, term: t.Term) -> Any:
        """Return ``term`` as a piecewise quasi-affine expression of isl."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._term(term)
        return found

    def _number(self, number: int) -> Any:
        return self.isl.Val.read_from_str(self.context, str(number))

    def _affine(self, name: str | None, constant: int = 0) -> Any:
        isl = self.isl
        space = isl.LocalSpace.from_space(isl.Space.set_alloc(self.context, 0, self.dimensions))
        if name is None:
            affine = isl.Aff.zero_on_domain(space).set_constant_val(self._number(constant))
        else:
            affine = isl.Aff.var_on_domain(space, isl.dim_type.set, self.axes[name])
        return isl.PwAff.from_aff(affine)

    def _term(self, term: t.Term) -> Any:
        match term:
            case t.Int(number):
                return self._affine(None, number)
            case t.Name(name):
                return self._affine(name)
            case t.Sum(args):
                total = self.term(args[0])
                for arg in args[1:]:
                    total = total.add(self.term(arg))
                return total
            case t.Neg(arg):
                return self.term(arg).neg()
            case t.Mul(t.Int(factor), arg) | t.Mul(arg, t.Int(factor)):
                return self.term(arg).scale_val(self._number(factor))
            case t.Mod(arg, t.Int(divisor)) if divisor > 0:
                return self.term(arg).mod_val(self._number(divisor))
            case t.Div(arg, t.Int(divisor)) if divisor > 0:
                return self.term(arg).scale_down_val(self._number(divisor)).floor()
            case t.Min(left, right):
                return self.term(left).min(self.term(right))
            case t.Max(left, right):
                return self.term(left).max(self.term(right))
            case t.Abs(arg):
                return self.term(arg).max(self.term(arg).neg())
            case t.If(condition, then, otherwise):
                here = self.term(then).intersect_domain(self.region(condition))
                there = self.term(otherwise).intersect_domain(self.region(condition, False))
                return here.union_add(there)
        raise Refused(f"isl cannot read {term}")


def _parts(todo: Sequence[_Signed]) -> tuple[list[_Signed] | None, list[_Ways]]:
    """Return (literals, choices) whose conjunction is ``todo``; (None, []) if that is false.  A
    formula with a sign (False: negated) is a literal, or is taken apart; a choice is a list of
    alternatives, each a conjunction."""
    literals: list[_Signed] = []
    choices: list[_Ways] = []
    open_ = list(todo)
    while open_:
        signed = open_.pop()
        ways = ways_of(*signed)
        if ways is None and _cuts(signed):
            choices.append(_sides(signed))
        elif ways is None:
            literals.append(signed)
        elif len(ways) == 1:
            open_.extend(ways[0])
        elif not ways:
            return None, []
        else:
            choices.append([flat(way) for way in ways])
    return literals, choices


def _sides(literal: _Signed) -> _Ways:
    formula = literal[0]
    assert isinstance(formula, t.Compare)
    return [[(t.Compare(formula.terms, (op,)), True)] for op in "<>"]


def flat(way: Sequence[_Signed]) -> list[_Signed]:
    """Return the conjuncts of ``way``, and of conjunctions in it, as pairs of a formula and whether
    it is true (not negated)."""
    found: list[_Signed] = []
    for signed in way:
        ways = ways_of(*signed)
        found += [signed] if ways is None or len(ways) != 1 else flat(ways[0])
    return found


def _cuts(literal: _Signed) -> bool:
    formula, positive = literal
    return isinstance(formula, t.Compare) and formula.ops[0] == ("!=" if positive else "=")


def ways_of(formula: t.Formula, positive: bool) -> list[list[_Signed]] | None:
    """Return conjunctions of which one must hold for ``formula`` to be true, or false if not
    ``positive``; None for a literal.

    A conjunction is a list of formulas with a sign (False: negated)."""
    match formula:
        case t.Truth(value):
            return [[]] if value == positive else []
        case t.Not(arg):
            return [[(arg, not positive)]]
        case t.And(args) if positive:
            return [[(arg, True) for arg in args]]
        case t.Or(args) if not positive:
            return [[(arg, False) for arg in args]]
        case t.And(args) | t.Or(args):
            return [[(arg, positive)] for arg in args]
        case t.Implies(left, right):
            if positive:
                return [[(left, False)], [(right, True)]]
            return [[(left, True), (right, False)]]
        case t.Iff(left, right):
            return [[(left, True), (right, positive)], [(left, False), (right, not positive)]]
        case t.Compare(ops=ops) if len(ops) > 1:
            parts: list[_Signed] = [(t.compare(*link), positive) for link in formula.links]
            return [parts] if positive else [[part] for part in parts]
        case t.Member(term, values):
            parts = [(t.compare(term, "=", value), positive) for value in values]
            return [[part] for part in parts] if positive else [parts]
        case _:
            return None

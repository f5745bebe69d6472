"""Formulas of the rules as automata.

An environment gives each name a linear form over tracks, whose numbers are natural: ``a``, or
``-1 - a`` for a negative number, or ``a - a'`` for a parameter that an effect determines.
A term is a list of cases, each a linear form under guards: ``mod`` and ``div`` have a case for
each remainder, so no quotient needs a track; ``min``, ``max``, ``abs`` and ``if`` two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import TypeAlias

from icgsynth.recheck.algebra import FALSE, TRUE, project
from icgsynth.recheck.linear import Environment, Form, Kind, fresh, signs
from icgsynth.recheck.logic import Logic
from icgsynth.recheck.machine import Machine
from icgsynth.recheck.relations import Relations
from icgsynth.term import (
    Abs,
    And,
    Compare,
    Div,
    Formula,
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
    Not,
    Or,
    Quantified,
    Sum,
    Term,
    Truth,
)

__all__ = ["Formulas", "Undecided"]

# A guard is a relation that is built only if it is needed, or an automaton.
_Guard: TypeAlias = tuple[Form, Kind] | Machine
_Case: TypeAlias = tuple[tuple[_Guard, ...], Form]


class Undecided(Exception):
    """Something that is not linear arithmetic, or not what this checker can do."""


class Formulas:
    """From formulas to automata, with the relations of one system."""

    def __init__(self, relations: Relations, logic: Logic) -> None:
        self._relations = relations
        self._logic = logic

    def conjuncts(self, formula: Formula, env: Environment) -> list[Machine]:
        """Automata that hold together iff ``formula`` does; no rest after one that never holds."""
        if not isinstance(formula, And):
            return [self.formula(formula, env)]
        parts: list[Machine] = []
        for arg in formula.args:
            parts += self.conjuncts(arg, env)
            if parts[-1].is_empty:
                return [FALSE]
        return parts

    def formula(self, formula: Formula, env: Environment) -> Machine:
        """Where ``formula`` holds, on the tracks that matter."""
        match formula:
            case Truth(value):
                return TRUE if value else FALSE
            case Compare(terms, ops):
                links = zip(terms, ops, terms[1:], strict=False)
                return self._logic.both(self._link(a, op, b, env) for a, op, b in links)
            case Member(term, values):
                return self._logic.some(self._link(term, "=", v, env) for v in values)
            case And(args):
                return self._logic.both(self.formula(a, env) for a in args)
            case Or(args):
                return self._logic.some(self.formula(a, env) for a in args)
            case Not(arg):
                return self._logic.negation(self.formula(arg, env))
            case Implies(left, right):
                return self._logic.some(
                    (self._logic.negation(self.formula(left, env)), self.formula(right, env))
                )
            case Iff(left, right):
                one, other = self.formula(left, env), self.formula(right, env)
                neither = self._logic.both((self._logic.negation(one), self._logic.negation(other)))
                return self._logic.some((self._logic.both((one, other)), neither))
            case Quantified("exists", names, body):
                return self._exists(names, body, env)
            case Quantified(_, names, body):
                return self._logic.negation(self._exists(names, Not(body), env))
        raise Undecided(f"not linear arithmetic: {formula}")

    def _exists(self, names: Sequence[str], body: Formula, env: Environment) -> Machine:
        tracks: list[str] = []
        for name in names:
            spoken = {**env, **{t: Form.of({t: 1}) for t in tracks}}
            tracks.append(fresh(name, spoken))
        inner = (self.formula(body, {**env, **signed}) for signed in signs(names, tracks))
        return self._logic.some(project(self._logic.effort, m, tracks) for m in inner)

    # --- comparisons ------------------------------------------------------------------------

    def _link(self, left: Term, op: str, right: Term, env: Environment) -> Machine:
        pairs = product(self.cases(left, env), self.cases(right, env))
        return self._logic.some(
            self._guarded((*guards, *more), self._compared(form, op, other))
            for (guards, form), (more, other) in pairs
        )

    def _compared(self, left: Form, op: str, right: Form) -> Machine:
        match op:
            case "=":
                return self._relation(left - right, "=")
            case "!=":
                return self._logic.negation(self._relation(left - right, "="))
            case "<":
                return self._logic.negation(self._relation(left - right, ">="))
            case ">":
                return self._logic.negation(self._relation(right - left, ">="))
            case "<=":
                return self._relation(right - left, ">=")
            case _:
                return self._relation(left - right, ">=")

    def _relation(self, form: Form, kind: Kind) -> Machine:
        whole = form.denominator
        modulus = kind * whole if isinstance(kind, int) else kind
        return self._relations.relation(form.scaled(whole), modulus)

    def _guarded(self, guards: Sequence[_Guard], machine: Machine) -> Machine:
        if machine.is_empty:
            return FALSE
        built = (g if isinstance(g, Machine) else self._relation(*g) for g in guards)
        return self._logic.both((machine, *built))

    # --- terms --------------------------------------------------------------------------------

    def cases(self, term: Term, env: Environment) -> list[_Case]:
        """Linear forms under guards; for all values of the tracks one case and no other holds."""
        match term:
            case Int(value):
                return [((), Form.of({}, value))]
            case Name(name):
                return [((), env[name])]
            case Sum(args):
                parts = [self.cases(a, env) for a in args]
                return reduce(lambda xs, ys: _paired(xs, ys, Form.__add__), parts)
            case Neg(arg):
                return [(guards, form.scaled(-1)) for guards, form in self.cases(arg, env)]
            case Mul(left, right):
                return _paired(self.cases(left, env), self.cases(right, env), _product)
            case Mod(arg, divisor):
                return [
                    (guards, Form.of({}, r))
                    for guards, _, r, _ in self._remainders(arg, divisor, env)
                ]
            case Div(arg, divisor):
                return [
                    (guards, (form - Form.of({}, r)).scaled(Fraction(1, by)))
                    for guards, form, r, by in self._remainders(arg, divisor, env)
                ]
            case Min(left, right):
                return self.cases(If(Compare((left, right), ("<=",)), left, right), env)
            case Max(left, right):
                return self.cases(If(Compare((left, right), (">=",)), left, right), env)
            case Abs(arg):
                return self.cases(If(Compare((arg, Int(0)), (">=",)), arg, Neg(arg)), env)
            case If(condition, then, otherwise):
                yes = self.formula(condition, env)
                return [
                    ((held, *guards), form)
                    for held, branch in ((yes, then), (self._logic.negation(yes), otherwise))
                    if not held.is_empty
                    for guards, form in self.cases(branch, env)
                ]
        raise Undecided(f"not linear arithmetic: {term}")

    def _remainders(
        self, arg: Term, divisor: Term, env: Environment
    ) -> Iterator[tuple[tuple[_Guard, ...], Form, int, int]]:
        """Guards, the form of ``arg``, its remainder and the divisor (floor division)."""
        for (guards, form), (more, by) in product(self.cases(arg, env), self.cases(divisor, env)):
            modulus = _whole(by)
            if modulus <= 0:
                raise Undecided(f"a divisor that is not positive: {divisor}")
            if not form.parts and form.denominator == 1:
                yield (*guards, *more), form, int(form.constant) % modulus, modulus
                continue
            for r in range(modulus):
                rest = form - Form.of({}, r), modulus
                yield (rest, *guards, *more), form, r, modulus


def _paired(
    left: list[_Case], right: list[_Case], combine: Callable[[Form, Form], Form]
) -> list[_Case]:
    return [((*g, *h), combine(x, y)) for (g, x), (h, y) in product(left, right)]


def _product(left: Form, right: Form) -> Form:
    if left.parts and right.parts:
        raise Undecided("a product of two unknowns")
    return left.scaled(right.constant) if not right.parts else right.scaled(left.constant)


def _whole(form: Form) -> int:
    if form.parts or form.denominator != 1:
        raise Undecided("a divisor that is not a constant")
    return int(form.constant)

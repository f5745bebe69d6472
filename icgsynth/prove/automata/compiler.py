"""Formulas of the whole language, digits included, as automata (Büchi 1960, Bruyère et al. 1994).

Every free name is a natural number on a track of its own.  Inside, terms may be any integers:
``a - b`` is never a track, only what it is compared with counts.  A term that is not linear
becomes cases (``min``, ``max``, ``abs``, ``if``) or gets a track that is projected away
(``mod``, ``div``, functions of digits).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count, product
from math import prod
from operator import and_, or_

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, everything, nothing
from icgsynth.digits.equations import Reading, congruent, linear, plain, shifted, summed
from icgsynth.digits.functions import ends_in_zeros, low_part, shortened
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.logic.term import (
    Abs,
    And,
    Compare,
    Digital,
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
    Recognised,
    Sum,
    Term,
    Truth,
    disjunction,
    free_names,
    negation,
    substitute,
)

__all__ = ["Compiler"]

_ZERO = Int(0)
_FRESH = "?"  # no name of the language has it
_MOST_CASES = 4_096  # of one term; an automaton is built for each


@dataclass(frozen=True)
class _Value:
    """One case of a term: under ``conditions``, what ``reading`` reads plus ``constant``.

    ``fresh`` are tracks that the conditions speak of and that have to be projected away.
    """

    reading: Reading
    constant: int = 0
    conditions: tuple[DFA, ...] = ()
    fresh: tuple[str, ...] = ()

    def plus(self, other: _Value) -> _Value:
        return _Value(
            self.reading.plus(other.reading),
            self.constant + other.constant,
            (*self.conditions, *other.conditions),
            (*self.fresh, *other.fresh),
        )

    def times(self, factor: int) -> _Value:
        return replace(self, reading=self.reading.scaled(factor), constant=self.constant * factor)


@dataclass
class Compiler:
    """Compiles formulas into automata over one numeration system, each formula once.

    Raises :class:`~icgsynth.errors.Refused` where a size is passed, and
    :class:`~icgsynth.errors.BudgetSpent`.
    """

    system: Numeration
    budget: Budget
    _known: dict[Formula, DFA] = field(default_factory=dict)
    _sets: dict[object, DFA] = field(default_factory=dict)
    _names: Iterator[int] = field(default_factory=count)

    def formula(self, formula: Formula) -> DFA:
        """The tuples of natural numbers for the free names that make ``formula`` true."""
        found = self._known.get(formula)
        if found is None:
            self.budget.check()
            found = self._known[formula] = self._formula(formula)
        return found

    def all_of(self, formulas: Iterable[Formula]) -> DFA:
        """Their conjunction, the smallest automata first."""
        return self._meet([self.formula(f) for f in formulas])

    def _meet(self, parts: list[DFA]) -> DFA:
        parts.sort(key=lambda part: (len(part.tracks), len(part)))
        return reduce(and_, parts) if parts else everything(self.system, ())

    def _formula(self, formula: Formula) -> DFA:
        match formula:
            case Truth(value):
                return (everything if value else nothing)(self.system, ())
            case Not(arg):
                return ~self.formula(arg)
            case And(args):
                return self.all_of(args)
            case Or(args):
                return self._join([self.formula(a) for a in args])
            case Implies(left, right):
                return self._join([~self.formula(left), self.formula(right)])
            case Iff(left, right):
                return ~(self.formula(left) ^ self.formula(right))
            case Compare(terms, ops):
                links = zip(terms, ops, terms[1:], strict=False)
                return self._meet([self._link(a, op, b) for a, op, b in links])
            case Member(term, values):
                equal = (Compare((term, value), ("=",)) for value in values)
                return self.formula(disjunction(equal))
            case Recognised():
                return self._recognised(formula)
            case Quantified():
                return self._quantified(formula)

    def _join(self, parts: list[DFA]) -> DFA:
        return reduce(or_, parts) if parts else nothing(self.system, ())

    def _quantified(self, formula: Quantified) -> DFA:
        """Over all integers: a natural number, or -1 minus one."""
        if formula.kind == "forall":
            denied = Quantified("exists", formula.names, negation(formula.body))
            return ~self.formula(denied)
        body = formula.body
        if 2 ** len(formula.names) > _MOST_CASES:
            raise Refused("a quantifier has too many names")
        for name in formula.names:
            below: Term = Sum((Int(-1), Neg(Name(name))))
            mirrored: Formula = substitute(body, {name: below})
            body = disjunction((body, mirrored))
        return self.formula(body).without(formula.names)

    def _recognised(self, formula: Recognised) -> DFA:
        """The automaton's tracks filled by terms: renamed where these are names."""
        if formula.automaton.system != self.system:
            raise Refused(f"{formula.name} is a set of words in {formula.automaton.system}")
        raw = self._sets.get(formula.automaton)
        if raw is None:
            raw = self._sets[formula.automaton] = DFA.of(formula.automaton)
        names: dict[str, str] = {}
        parts, fresh = [], []
        for track, term in zip(formula.automaton.tracks, formula.terms, strict=True):
            if isinstance(term, Name) and term.name not in names.values():
                names[track] = term.name
                continue
            names[track] = self._fresh()
            fresh.append(names[track])
            parts.append(self._link(Name(names[track]), "=", term))
        return self._meet([raw.renamed(names), *parts]).without(fresh)

    def _fresh(self) -> str:
        return f"{_FRESH}{next(self._names)}"

    # --- comparisons -----------------------------------------------------------------------

    def _link(self, left: Term, op: str, right: Term) -> DFA:
        """One comparison; the tracks are the free names, whatever cancels."""
        tracks = tuple(sorted(free_names(left) | free_names(right)))
        found = self._residue(left, op, right)
        if found is None:
            found = self._difference(Sum((left, Neg(right))), op)
        return found.over(tracks)

    def _residue(self, left: Term, op: str, right: Term) -> DFA | None:
        """``term mod m = r``, which needs no track for the quotient."""
        match left, right:
            case Mod(term, Int(modulus)), Int(residue) if modulus > 0:
                pass
            case Int(residue), Mod(term, Int(modulus)) if modulus > 0:
                pass
            case _:
                return None
        if op not in ("=", "!="):
            return None
        if isinstance(term, Digital) and term.kind == "zeros":
            return self._zeros(term, op, modulus, residue)
        parts = []
        for value in self._values(term):
            hit = congruent(value.reading, modulus, residue - value.constant)
            if not 0 <= residue < modulus:
                hit = nothing(self.system, hit.tracks)
            parts.append(self._closed(hit if op == "=" else ~hit, value))
        return self._join(parts)

    def _zeros(self, term: Digital, op: str, modulus: int, residue: int) -> DFA:
        name = self._fresh()
        found = ends_in_zeros(self.system, name, modulus, residue)
        here = self._meet([self._natural(name, term.args[0]), found]).without((name,))
        return here if op == "=" else ~here

    def _difference(self, term: Term, op: str) -> DFA:
        """``term op 0``."""
        return self._join(
            [self._closed(self._against_zero(value, op), value) for value in self._values(term)]
        )

    def _against_zero(self, value: _Value, op: str) -> DFA:
        goal = -value.constant
        match op:
            case "=":
                return linear(value.reading, "=", goal)
            case "!=":
                return ~linear(value.reading, "=", goal)
            case "<=":
                return linear(value.reading, "<=", goal)
            case "<":
                return linear(value.reading, "<=", goal - 1)
            case ">":
                return ~linear(value.reading, "<=", goal)
            case _:
                return ~linear(value.reading, "<=", goal - 1)

    def _closed(self, condition: DFA, value: _Value) -> DFA:
        """``condition`` under those of the case, without its fresh tracks."""
        return self._meet([condition, *value.conditions]).without(value.fresh)

    # --- terms -------------------------------------------------------------------------------

    def _values(self, term: Term) -> list[_Value]:
        """The cases of a term; their conditions cover everything and exclude each other."""
        self.budget.check()
        match term:
            case Int(number):
                return [_Value(plain(self.system, {}), number)]
            case Name(name):
                return [_Value(plain(self.system, {name: 1}))]
            case Sum(args):
                return self._sums([self._values(a) for a in args])
            case Neg(arg):
                return [v.times(-1) for v in self._values(arg)]
            case Mul(Int(factor), arg) | Mul(arg, Int(factor)):
                return [v.times(factor) for v in self._values(arg)]
            case Min(left, right):
                return self._choice(Compare((left, right), ("<=",)), left, right)
            case Max(left, right):
                return self._choice(Compare((left, right), (">=",)), left, right)
            case Abs(arg):
                return self._choice(Compare((arg, _ZERO), (">=",)), arg, Neg(arg))
            case If(condition, then, otherwise):
                return self._choice(condition, then, otherwise)
            case Mod(arg, Int(divisor)) if divisor > 0:
                rest: Term = Mul(Int(-divisor), Div(arg, Int(divisor)))
                return self._values(Sum((arg, rest)))
            case Div(arg, Int(divisor)) if divisor > 0:
                return list(self._quotients(arg, divisor))
            case Digital():
                return self._digital(term)
            case _:
                raise Refused(f"automata cannot add up {term}")

    def _sums(self, cases: list[list[_Value]]) -> list[_Value]:
        if prod(map(len, cases)) > _MOST_CASES:
            raise Refused("a term has too many cases")
        return [reduce(_Value.plus, parts) for parts in product(*cases)]

    def _choice(self, condition: Formula, then: Term, otherwise: Term) -> list[_Value]:
        here = self.formula(condition)
        return [
            replace(value, conditions=(*value.conditions, where))
            for where, term in ((here, then), (~here, otherwise))
            for value in self._values(term)
        ]

    def _quotients(self, arg: Term, divisor: int) -> Iterator[_Value]:
        """``floor(arg / divisor)`` on a fresh track, which holds a natural number q or -1 - q."""
        for value in self._values(arg):
            for sign, offset in ((1, 0), (-1, -1)):
                name = self._fresh()
                quotient = _Value(plain(self.system, {name: sign}), offset)
                # 0 <= arg - divisor * quotient < divisor
                rest = value.plus(quotient.times(-divisor))
                least = ~linear(rest.reading, "<=", -rest.constant - 1)
                most = linear(rest.reading, "<=", divisor - 1 - rest.constant)
                yield replace(
                    quotient,
                    conditions=(*value.conditions, least, most),
                    fresh=(*value.fresh, name),
                )

    def _digital(self, term: Digital) -> list[_Value]:
        if term.system != self.system:
            raise Refused(f"{term} speaks of digits in {term.system}, not in {self.system}")
        names, conditions, fresh = [], [], []
        for arg in term.args:
            if isinstance(arg, Name) and arg.name not in names:
                names.append(arg.name)
                continue
            names.append(self._fresh())
            fresh.append(names[-1])
            conditions.append(self._natural(names[-1], arg))
        match term.kind:
            case "nimsum":
                reading = summed(self.system, tuple(sorted(names)), term.modulus)
            case "shift":
                reading = shifted(self.system, names[0])
            case "lowpart" | "unshift":
                part = self._fresh()
                fresh.append(part)
                define = low_part if term.kind == "lowpart" else shortened
                conditions.append(define(self.system, names[0], part))
                reading = plain(self.system, {part: 1})
            case _:
                raise Refused(f"automata cannot add up {term}, only its residues")
        return [_Value(reading, 0, tuple(conditions), tuple(fresh))]

    def _natural(self, name: str, term: Term) -> DFA:
        """``name = max(0, term)``."""
        return self._link(Name(name), "=", Max(_ZERO, term))

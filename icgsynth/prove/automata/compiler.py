"""Formulas of the whole language, digits included, as automata (Büchi 1960, Bruyère et al. 1994).

Every free name is a natural number on a track of its own.  Inside, terms may be any integers:
``a - b`` is never a track, only what it is compared with counts.  A term that is not linear
becomes cases (``min``, ``max``, ``abs``, ``if``) or gets a track that is projected away
(``mod``, ``div``, functions of digits)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count, product
from math import prod
from operator import and_, or_

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, everything, nothing
from icgsynth.digits.equations import Reading, congruent, linear, plain, read_digit_sum, read_shift
from icgsynth.digits.functions import ends_in_zeros, low_part, shortened
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction, free_names, negation, substitute
from icgsynth.logic.nodes import NEGATED

_ZERO = t.Int(0)
_FRESH = "?"  # no name of the language has it
_MOST_CASES = 4_096  # of one term; an automaton is built for each


@dataclass(frozen=True)
class _Value:
    """One case of a term: where ``conditions`` hold, the value is ``reading`` plus ``constant``.
    ``fresh`` are tracks that the conditions speak of and that have to be projected away."""

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
    """A compiler of formulas into automata over one numeration system, each formula once.

    Raises :class:`~icgsynth.errors.Refused` where a size is passed, and
    :class:`~icgsynth.errors.BudgetSpent`."""

    system: Numeration
    budget: Budget
    _known: dict[t.Formula, DFA] = field(default_factory=dict)
    _sets: dict[object, DFA] = field(default_factory=dict)
    _naturals: dict[t.Term, DFA] = field(default_factory=dict)  # on a track that is called _FRESH
    _names: Iterator[int] = field(default_factory=count)

    def formula(self, formula: t.Formula) -> DFA:
        """Return the automaton of the natural numbers, by free name, that satisfy ``formula``."""
        found = self._known.get(formula)
        if found is None:
            self.budget.check()
            found = self._known[formula] = self._formula(formula)
        return found

    def all_of(self, formulas: Iterable[t.Formula]) -> DFA:
        """Return the conjunction of ``formulas``, from the smallest automata first."""
        return self._meet([self.formula(f) for f in formulas])

    def _meet(self, parts: list[DFA]) -> DFA:
        parts.sort(key=lambda part: (len(part.tracks), len(part)))
        return reduce(and_, parts) if parts else everything(self.system, ())

    def _formula(self, formula: t.Formula) -> DFA:
        match formula:
            case t.Truth(value):
                return (everything if value else nothing)(self.system, ())
            case t.Not(arg):
                return ~self.formula(arg)
            case t.And(args):
                return self.all_of(args)
            case t.Or(args):
                return self._join([self.formula(a) for a in args])
            case t.Implies(left, right):
                return self._join([~self.formula(left), self.formula(right)])
            case t.Iff(left, right):
                return ~(self.formula(left) ^ self.formula(right))
            case t.Compare():
                return self._meet([self._link(*link) for link in formula.links])
            case t.Member(term, values):
                equal = (t.compare(term, "=", value) for value in values)
                return self.formula(disjunction(equal))
            case t.Recognised():
                return self._recognise(formula)
            case t.Quantified():
                return self._quantify(formula)

    def _join(self, parts: list[DFA]) -> DFA:
        return reduce(or_, parts) if parts else nothing(self.system, ())

    def _quantify(self, formula: t.Quantified) -> DFA:
        """Return the automaton of a quantified formula; each name is a natural n or -1 - n."""
        if formula.kind == "forall":
            denied = t.Quantified("exists", formula.names, negation(formula.body))
            return ~self.formula(denied)
        body = formula.body
        if 2 ** len(formula.names) > _MOST_CASES:
            raise Refused("a quantifier has too many names")
        for name in formula.names:
            below: t.Term = t.Sum((t.Int(-1), t.Neg(t.Name(name))))
            mirrored: t.Formula = substitute(body, {name: below})
            body = disjunction((body, mirrored))
        return self.formula(body).without(formula.names)

    def _recognise(self, formula: t.Recognised) -> DFA:
        """Return the automaton of ``formula``: a given automaton accepts the values of terms."""
        if formula.automaton.system != self.system:
            raise Refused(f"{formula.name} is a set of words in {formula.automaton.system}")
        raw = self._sets.get(formula.automaton)
        if raw is None:
            raw = self._sets[formula.automaton] = DFA.of(formula.automaton)
        names: dict[str, str] = {}
        parts, fresh = [], []
        for track, term in zip(formula.automaton.tracks, formula.terms, strict=True):
            if isinstance(term, t.Name) and term.name not in names.values():
                names[track] = term.name
                continue
            names[track] = self._fresh()
            fresh.append(names[track])
            parts.append(self._link(t.Name(names[track]), "=", term))
        return self._meet([raw.renamed(names), *parts]).without(fresh)

    def _fresh(self) -> str:
        return f"{_FRESH}{next(self._names)}"

    # --- comparisons -----------------------------------------------------------------------

    def _link(self, left: t.Term, op: str, right: t.Term) -> DFA:
        """Return the automaton of ``left op right``, with a track for each free name in either."""
        tracks = tuple(sorted(free_names(left) | free_names(right)))
        found = self._residue(left, op, right)
        if found is None:
            found = self._difference(t.Sum((left, t.Neg(right))), op)
        return found.over(tracks)

    def _residue(self, left: t.Term, op: str, right: t.Term) -> DFA | None:
        """Return the automaton of ``x mod m = r`` (or ``!=``); None for other comparisons."""
        match left, right:
            case t.Mod(term, t.Int(modulus)), t.Int(residue) if modulus > 0:
                pass
            case t.Int(residue), t.Mod(term, t.Int(modulus)) if modulus > 0:
                pass
            case _:
                return None
        if op not in ("=", "!="):
            return None
        if isinstance(term, t.Digital) and term.kind == "zeros":
            return self._zeros(term, op, modulus, residue)
        parts = []
        for value in self._values(term):
            hit = congruent(value.reading, modulus, residue - value.constant)
            if not 0 <= residue < modulus:
                hit = nothing(self.system, hit.tracks)
            parts.append(self._close(hit if op == "=" else ~hit, value))
        return self._join(parts)

    def _zeros(self, term: t.Digital, op: str, modulus: int, residue: int) -> DFA:
        name = self._fresh()
        found = ends_in_zeros(self.system, name, modulus, residue)
        here = self._meet([self._natural(name, term.args[0]), found]).without((name,))
        return here if op == "=" else ~here

    def _difference(self, term: t.Term, op: str) -> DFA:
        return self._join(
            [self._close(self._against_zero(value, op), value) for value in self._values(term)]
        )

    def _against_zero(self, value: _Value, op: str) -> DFA:
        if op in ("!=", ">", ">="):
            return ~self._against_zero(value, NEGATED[op])
        if op == "=":
            return linear(value.reading, "=", -value.constant)
        return linear(value.reading, "<=", -value.constant - (op == "<"))  # of integers

    def _close(self, condition: DFA, value: _Value) -> DFA:
        """Return ``condition`` and the conditions of ``value``, its fresh tracks projected away."""
        return self._meet([condition, *value.conditions]).without(value.fresh)

    # --- terms -------------------------------------------------------------------------------

    def _values(self, term: t.Term) -> list[_Value]:
        """Return the cases of ``term``: linear values under conditions, of which just one holds."""
        self.budget.check()
        match term:
            case t.Int(number):
                return [_Value(plain(self.system, {}), number)]
            case t.Name(name):
                return [_Value(plain(self.system, {name: 1}))]
            case t.Sum(args):
                return self._sums([self._values(a) for a in args])
            case t.Neg(arg):
                return [v.times(-1) for v in self._values(arg)]
            case t.Mul(t.Int(factor), arg) | t.Mul(arg, t.Int(factor)):
                return [v.times(factor) for v in self._values(arg)]
            case t.Min(left, right):
                return self._choice(t.compare(left, "<=", right), left, right)
            case t.Max(left, right):
                return self._choice(t.compare(left, ">=", right), left, right)
            case t.Abs(arg):
                return self._choice(t.compare(arg, ">=", _ZERO), arg, t.Neg(arg))
            case t.If(condition, then, otherwise):
                return self._choice(condition, then, otherwise)
            case t.Mod(arg, t.Int(divisor)) if divisor > 0:
                rest: t.Term = t.Mul(t.Int(-divisor), t.Div(arg, t.Int(divisor)))
                return self._values(t.Sum((arg, rest)))
            case t.Div(arg, t.Int(divisor)) if divisor > 0:
                return list(self._quotients(arg, divisor))
            case t.Digital():
                return self._digital(term)
            case _:
                raise Refused(f"automata cannot add up {term}")

    def _sums(self, cases: list[list[_Value]]) -> list[_Value]:
        if prod(map(len, cases)) > _MOST_CASES:
            raise Refused("a term has too many cases")
        return [reduce(_Value.plus, parts) for parts in product(*cases)]

    def _choice(self, condition: t.Formula, then: t.Term, otherwise: t.Term) -> list[_Value]:
        here = self.formula(condition)
        return [
            replace(value, conditions=(*value.conditions, where))
            for where, term in ((here, then), (~here, otherwise))
            for value in self._values(term)
        ]

    def _quotients(self, arg: t.Term, divisor: int) -> Iterator[_Value]:
        """Yield the cases of ``arg div divisor``: the number q of a fresh track, or -1 - q."""
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

    def _digital(self, term: t.Digital) -> list[_Value]:
        if term.system != self.system:
            raise Refused(f"{term} speaks of digits in {term.system}, not in {self.system}")
        names, conditions, fresh = [], [], []
        for arg in term.args:
            if isinstance(arg, t.Name) and arg.name not in names:
                names.append(arg.name)
                continue
            names.append(self._fresh())
            fresh.append(names[-1])
            conditions.append(self._natural(names[-1], arg))
        match term.kind:
            case "nimsum":
                reading = read_digit_sum(self.system, tuple(sorted(names)), term.modulus)
            case "shift":
                reading = read_shift(self.system, names[0])
            case "lowpart" | "unshift":
                part = self._fresh()
                fresh.append(part)
                define = low_part if term.kind == "lowpart" else shortened
                conditions.append(define(self.system, names[0], part))
                reading = plain(self.system, {part: 1})
            case _:
                raise Refused(f"automata cannot add up {term}, only its residues")
        return [_Value(reading, 0, tuple(conditions), tuple(fresh))]

    def _natural(self, name: str, term: t.Term) -> DFA:
        """Return the automaton of ``name = max(0, term)``, made once for all names."""
        known = self._naturals.get(term)
        if known is None:
            known = self._link(t.Name(_FRESH), "=", t.Max(_ZERO, term))
            self._naturals[term] = known
        return known.renamed({_FRESH: name})

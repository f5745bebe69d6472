"""Parsers of the terms, conditions and effects of the PDDL dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, islice
from typing import NamedTuple

from icgsynth.errors import InputError, OutsideLogic
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold
from icgsynth.spec.sexpr import Expr, List, Symbol, show_expr
from icgsynth.spec.source import MAX_DIGITS, Source, quoted

MAX_CONDITIONS = 100  # conditional effects on one variable; each is a case of its new value

INTEGER = re.compile(r"[+-]?[0-9]+")

_COMPARISONS = ("=", "!=", "<", ">", "<=", ">=")
_TERMS = "+, -, *, mod, div, min, max, abs"
_CONDITIONS = f"and, or, not, imply, {', '.join(_COMPARISONS)}, %="
_EFFECTS = "and, when, assign, increase, decrease"


class Effect(NamedTuple):
    """A conditional effect: if ``guard``, ``variable`` is set to ``term``, or ``term`` is added."""

    variable: str
    guard: t.Formula
    term: t.Term
    adds: bool
    target: Symbol


class Expressions:
    """A parser of PDDL expressions; ``variables`` and ``parameters`` map PDDL to ``.icg`` names."""

    def __init__(
        self, source: Source, variables: Mapping[str, str], parameters: Mapping[str, str]
    ) -> None:
        self.source = source
        self.variables = variables
        self.parameters = parameters

    def _open(self, expr: List, known: str, what: str) -> tuple[str, Sequence[Expr]]:
        if expr.head is None:
            mend = f"{what} starts with one of: {known}"
            raise self.source.error(f"expected {what}", expr.start, mend)
        return expr.head.word, expr.items[1:]

    def _unknown(self, expr: List, known: str, what: str) -> InputError:
        head = expr.head or Symbol("", expr.start)
        message = f"{quoted(head.text)} does not start {what}"
        return self.source.error(message, head.start, f"use one of: {known}")

    def _count(self, expr: List, wanted: int) -> None:
        count = len(expr.items) - 1
        if count != wanted:
            head = expr.head.text if expr.head else ""
            plural = "" if wanted == 1 else "s"
            message = f"{quoted(head)} takes {wanted} operand{plural}, not {count}"
            raise self.source.error(message, expr.start, "count the parentheses")

    def formula(self, expr: Expr) -> t.Formula:
        """Parse a condition into a formula, without simplifying the formula."""
        if isinstance(expr, Symbol):
            if expr.word in ("true", "false"):
                return t.TRUE if expr.word == "true" else t.FALSE
            message = f"{quoted(expr.text)} is not a condition"
            raise self.source.error(message, expr.start, "write one, as in (= ?v1 0)")
        head, operands = self._open(expr, _CONDITIONS, "a condition")
        match head:
            case "and":
                return t.And(tuple(map(self.formula, operands)))
            case "or":
                return t.Or(tuple(map(self.formula, operands)))
            case "not":
                self._count(expr, 1)
                return t.Not(self.formula(operands[0]))
            case "imply":
                self._count(expr, 2)
                return t.Implies(self.formula(operands[0]), self.formula(operands[1]))
            case "%=":
                self._count(expr, 3)
                modulus = self._divisor(operands[1])
                sides = (self.term(operands[0]), self.term(operands[2]))
                return t.Compare(tuple(_compute(t.Mod(side, modulus)) for side in sides), ("=",))
            case _ if head in _COMPARISONS:
                self._count(expr, 2)
                return t.Compare(tuple(map(self.term, operands)), (head,))
            case _:
                raise self._unknown(expr, _CONDITIONS, "a condition")

    def term(self, expr: Expr) -> t.Term:
        """Parse a linear integer term; products and quotients of integers are computed."""
        if isinstance(expr, Symbol):
            if INTEGER.fullmatch(expr.text):
                return t.Int(int(expr.text))
            return t.Name(self._name_of(expr))
        head, operands = self._open(expr, _TERMS, "a term")
        match head:
            case "+" | "*" | "min" | "max":
                if not operands:
                    self._count(expr, 2)
                parts = list(map(self.term, operands))
                if head == "+":
                    return self._sum(parts, expr.start)
                return self._product(parts, expr) if head == "*" else _balance(head, parts)
            case "-":
                if not operands:
                    self._count(expr, 2)
                first, *others = map(self.term, operands)
                if not others:
                    return _minus(first)
                return self._sum([first, *map(_minus, others)], expr.start)
            case "mod" | "%" | "div":
                self._count(expr, 2)
                kind = t.Div if head == "div" else t.Mod
                return _compute(kind(self.term(operands[0]), self._divisor(operands[1])))
            case "abs":
                self._count(expr, 1)
                return _compute(t.Abs(self.term(operands[0])))
            case _:
                raise self._unknown(expr, _TERMS, "a term")

    def _name_of(self, atom: Symbol) -> str:
        written = atom.text.removeprefix("?")
        name = self.variables.get(written) or self.parameters.get(written)
        if name is None:
            known = list(islice(chain(self.variables, self.parameters), 1_000))
            close = get_close_matches(written[:40], known, 3, 0.5)
            mend = f"declared are: {_some(close or known)}"
            raise self.source.error(f"unknown name {quoted(atom.text)}", atom.start, mend)
        return name

    def _target(self, expr: Expr, head: str) -> Symbol:
        if not isinstance(expr, Symbol):
            mend = f"write the variable, as in ({head} ?v1 0)"
            raise self.source.error("expected a variable", expr.start, mend)
        if expr.text.removeprefix("?") in self.parameters:
            mend = f"an effect assigns variables only: {_some(self.variables)}"
            raise self.source.error(f"{quoted(expr.text)} is a parameter", expr.start, mend)
        return expr

    def _sum(self, parts: Sequence[t.Term], at: int) -> t.Term:
        flat = [a for p in parts for a in (p.args if isinstance(p, t.Sum) else (p,))]
        if all(isinstance(a, t.Int) for a in flat):
            return self._require_modulus(sum(a.value for a in flat if isinstance(a, t.Int)), at)
        first, *others = [a for a in flat if a != t.Int(0)]
        return t.Sum((first, *map(_as_difference, others))) if others else first

    def _product(self, parts: Sequence[t.Term], expr: List) -> t.Term:
        factor = t.Int(1)
        others: list[tuple[t.Term, Expr]] = []
        for part, operand in zip(parts, expr.items[1:], strict=True):
            if isinstance(part, t.Int):
                factor = self._require_modulus(factor.value * part.value, expr.start)
            else:
                others.append((part, operand))
        if len(others) > 1:
            message = f"{show_expr(others[0][1])} times {show_expr(others[1][1])} is not linear"
            mend = "all but one factor of '*' must be integers"
            raise OutsideLogic(message, self.source.span(expr.start), mend)
        return _times(factor, others[0][0]) if others and factor.value else factor

    def _require_modulus(self, number: int, at: int) -> t.Int:
        if abs(number) >= 10**MAX_DIGITS:
            message = f"an integer of more than {MAX_DIGITS:,} digits"
            raise self.source.error(message, at, "use smaller integers")
        return t.Int(number)

    def _divisor(self, expr: Expr) -> t.Int:
        divisor = self.term(expr)
        if not isinstance(divisor, t.Int):
            message = f"division by {show_expr(expr)} is not linear"
            raise OutsideLogic(message, self.source.span(expr.start), "a divisor is an integer")
        if divisor.value <= 0:
            message = f"a divisor must be positive, not {show_expr(expr)}"
            raise self.source.error(message, expr.start, "use 1 or more")
        return divisor

    def effects(self, expr: Expr, guard: t.Formula = t.TRUE) -> list[Effect]:
        """Return the assignments in an effect, in order, each under ``guard`` and its condition."""
        if isinstance(expr, Symbol):
            mend = "write one, as in (assign ?v1 0)"
            raise self.source.error(f"{quoted(expr.text)} is not an effect", expr.start, mend)
        head, operands = self._open(expr, _EFFECTS, "an effect")
        match head:
            case "and":
                return [effect for part in operands for effect in self.effects(part, guard)]
            case "when":
                self._count(expr, 2)
                condition = fold(self.formula(operands[0]))
                return self.effects(operands[1], conjunction((guard, condition)))
            case "assign" | "increase" | "decrease":
                self._count(expr, 2)
                target, term = self._target(operands[0], head), self.term(operands[1])
                change = _minus(term) if head == "decrease" else term
                return [Effect(self._name_of(target), guard, change, head != "assign", target)]
            case _:
                raise self._unknown(expr, _EFFECTS, "an effect")

    def new_value(self, effects: Sequence[Effect]) -> t.Term:
        """Return a variable's new value by all its ``effects``; InputError for mixed kinds."""
        variable, _, _, adds, _ = effects[0]
        for odd in (e for e in effects if e.adds != adds):
            message = f"{quoted(odd.target.text)} is both assigned and increased"
            raise self.source.error(message, odd.target.start, "write one (assign ...)")
        for excess in effects[MAX_CONDITIONS:]:
            message = f"more than {MAX_CONDITIONS} effects on {quoted(excess.target.text)}"
            raise self.source.error(message, excess.target.start, "write several actions")
        old: t.Term = t.Name(variable)
        fired = [effect for effect in effects if effect.guard != t.FALSE]
        # Increases add up, whichever fire: v + (if c then t else 0) + ..
        if adds and len(fired) > 1:
            changes = [
                e.term if e.guard == t.TRUE else t.If(e.guard, e.term, t.Int(0)) for e in fired
            ]
            return self._sum([old, *changes], effects[0].target.start)
        for _, guard, term, _, target in fired:
            new = self._sum([t.Name(variable), term], target.start) if adds else term
            # A later effect under the same guard replaces the earlier one.
            if isinstance(old, t.If) and old.condition == guard:
                old = old.otherwise
            old = new if guard == t.TRUE else t.If(guard, new, old)
        return old


def _compute(term: t.Term) -> t.Term:
    return fold(term) if all(isinstance(p, t.Int) for p in t.children(term)) else term


def _balance(head: str, parts: Sequence[t.Term]) -> t.Term:
    """Return ``head``, "min" or "max", of many ``parts`` as a balanced tree of binary terms."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    sides = (_balance(head, parts[:middle]), _balance(head, parts[middle:]))
    return _compute(t.Min(*sides) if head == "min" else t.Max(*sides))


def _minus(term: t.Term) -> t.Term:
    match term:
        case t.Int(number):
            return t.Int(-number)
        case t.Neg(inner):
            return inner
        case t.Mul(t.Int(factor), other):
            return _times(t.Int(-factor), other)
        case _:
            return t.Neg(term)


def _times(factor: t.Int, term: t.Term) -> t.Term:
    if factor.value == 1:
        return term
    return _minus(term) if factor.value == -1 else t.Mul(factor, term)


def _as_difference(term: t.Term) -> t.Term:
    """Return a summand ``-2 * a`` as ``-(2 * a)``, which prints as a subtraction in a sum."""
    if isinstance(term, t.Mul) and isinstance(term.left, t.Int) and term.left.value < 0:
        return t.Neg(_times(t.Int(-term.left.value), term.right))
    return term


def _some(names: Iterable[str]) -> str:
    return ", ".join("?" + name[:40] for name in islice(names, 9))

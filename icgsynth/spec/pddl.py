"""The numeric-PDDL dialect of the field's benchmark -> :class:`~icgsynth.game.ParametricGame`.

A domain declares integer variables (``:objects``), the legal states (``:constraint``), the
declared ending states (``:tercondition``) and actions; the meaning is that of the ``.icg``
language (docs, *The language*).  What differs:

* ``?v1`` becomes ``v1``, characters beyond letters, digits and ``_`` become ``_``, and a
  reserved word of ``.icg`` gets a trailing ``_``;
* right sides read the old state; where several ``assign`` of one variable fire, the last
  one wins; ``increase`` and ``decrease`` add up;
* ``(%= e c r)`` says ``e mod c = r mod c``; ``div`` and ``mod`` round down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, islice
from typing import NamedTuple, TypeAlias, TypeVar

from icgsynth.errors import InputError, OutsideLogic
from icgsynth.game import Action, ParametricGame
from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source
from icgsynth.term import (
    FALSE,
    TRUE,
    Abs,
    And,
    Compare,
    Div,
    Formula,
    If,
    Implies,
    Int,
    Max,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Not,
    Or,
    Sum,
    Term,
    children,
    conjunction,
    fold,
)

__all__ = ["looks_like_pddl", "parse_pddl"]

MAX_CONDITIONS = 100
MAX_WARNINGS = 50

RESERVED = frozenset(
    """abs action and cite const div eff else end exists false forall game if in legal max min
    mod not or pre then true var""".split()  # noqa: SIM905
)
_START = re.compile(r"(?:\s|;[^\n]*+)*+\(")
_TOKEN = re.compile(r"[ \t\r\n\f\v]+|;[^\n]*|(?P<token>[()]|[^ \t\r\n\f\v();]+)")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_TOO_LONG = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")


def looks_like_pddl(text: str) -> bool:
    """Whether the first character beside blanks and ``;`` comments is ``(``."""
    return _START.match(text) is not None


def parse_pddl(source: Source) -> ParametricGame:
    """Read one domain; :class:`~icgsynth.errors.InputError` with the place where it fails."""
    return _Domain(source).read(_read(source))


# --- parenthesised lists -----------------------------------------------------------


class _Atom(NamedTuple):
    text: str
    start: int

    @property
    def word(self) -> str:
        """Keywords and operators are read in any case."""
        return self.text.lower()


class _List(NamedTuple):
    items: tuple[_Atom | _List, ...]
    start: int

    @property
    def head(self) -> _Atom | None:
        """The keyword or operator that the list starts with."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, _Atom) else None


_Expr: TypeAlias = _Atom | _List
_N = TypeVar("_N", Formula, Term)


def _read(source: Source) -> _List:
    """The one list that ``source`` holds, without recursion."""
    whole: _List | None = None
    open_lists: list[tuple[int, list[_Expr]]] = []
    for match in _TOKEN.finditer(source.text):
        token, start = match["token"], match.start()
        if token is None:
            continue
        if whole is not None:
            what = "unmatched ')'" if token == ")" else "text after the end of the domain"
            raise source.error(what, start, "remove it: a file holds one (define ...)")
        if token == "(":
            if len(open_lists) == MAX_DEPTH:
                message = f"nested more than {MAX_DEPTH} deep"
                raise source.error(message, start, "write it with fewer parentheses")
            open_lists.append((start, []))
        elif not open_lists:
            message = f"expected '(', not {_quoted(token)}"
            raise source.error(message, start, "a file is one (define (domain NAME) ...)")
        elif token == ")":
            opened, items = open_lists.pop()
            done = _List(tuple(items), opened)
            if open_lists:
                open_lists[-1][1].append(done)
            else:
                whole = done
        else:
            open_lists[-1][1].append(_atom(source, token, start))
    if open_lists:
        raise source.error("'(' is never closed", open_lists[-1][0], "add the ')' that is missing")
    if whole is None:
        raise source.error("the text is empty", 0, "write (define (domain NAME) ...)")
    return whole


def _atom(source: Source, text: str, start: int) -> _Atom:
    if not text.isprintable():
        at = next(i for i, char in enumerate(text) if not char.isprintable())
        raise source.error(f"unexpected character {text[at]!r}", start + at, "remove it")
    if len(text) > MAX_DIGITS and (run := _TOO_LONG.search(text)):
        message = f"an integer of more than {MAX_DIGITS:,} digits"
        raise source.error(message, start + run.start(), "shorten it")
    return _Atom(text, start)


def _quoted(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


def _written(expr: _Expr) -> str:
    """An expression in a message."""
    if isinstance(expr, _Atom):
        return _quoted(expr.text)
    return f"'({expr.head.text[:40] if expr.head else ''} ...)'"


def _clean(text: str) -> str:
    """A name of the ``.icg`` language for a name of this one; empty for none."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text.removeprefix("?"))
    if name[:1].isdigit():
        name = "_" + name
    return name + "_" if name in RESERVED else name


# --- terms, conditions and effects ---------------------------------------------------

_COMPARISONS = ("=", "!=", "<", ">", "<=", ">=")
_TERMS = "+, -, *, mod, div, min, max, abs"
_CONDITIONS = f"and, or, not, imply, {', '.join(_COMPARISONS)}, %="
_EFFECTS = "and, when, assign, increase, decrease"


class _Effect(NamedTuple):
    variable: str
    guard: Formula
    term: Term
    adds: bool
    target: _Atom


class _Expressions:
    """Reads expressions over declared names: as written, without the ``?`` -> in the game."""

    def __init__(
        self, source: Source, variables: Mapping[str, str], parameters: Mapping[str, str]
    ) -> None:
        self.source = source
        self.variables = variables
        self.parameters = parameters

    def _open(self, expr: _List, known: str, what: str) -> tuple[str, Sequence[_Expr]]:
        if expr.head is None:
            mend = f"{what} starts with one of: {known}"
            raise self.source.error(f"expected {what}", expr.start, mend)
        return expr.head.word, expr.items[1:]

    def _unknown(self, expr: _List, known: str, what: str) -> InputError:
        head = expr.head or _Atom("", expr.start)
        message = f"{_quoted(head.text)} does not start {what}"
        return self.source.error(message, head.start, f"use one of: {known}")

    def _count(self, expr: _List, wanted: int) -> None:
        count = len(expr.items) - 1
        if count != wanted:
            head = expr.head.text if expr.head else ""
            plural = "" if wanted == 1 else "s"
            message = f"{_quoted(head)} takes {wanted} operand{plural}, not {count}"
            raise self.source.error(message, expr.start, "count the parentheses")

    def formula(self, expr: _Expr) -> Formula:
        if isinstance(expr, _Atom):
            if expr.word in ("true", "false"):
                return TRUE if expr.word == "true" else FALSE
            message = f"{_quoted(expr.text)} is not a condition"
            raise self.source.error(message, expr.start, "write one, as in (= ?v1 0)")
        head, operands = self._open(expr, _CONDITIONS, "a condition")
        match head:
            case "and":
                return And(tuple(map(self.formula, operands)))
            case "or":
                return Or(tuple(map(self.formula, operands)))
            case "not":
                self._count(expr, 1)
                return Not(self.formula(operands[0]))
            case "imply":
                self._count(expr, 2)
                return Implies(self.formula(operands[0]), self.formula(operands[1]))
            case "%=":
                self._count(expr, 3)
                modulus = self._divisor(operands[1])
                sides = (self.term(operands[0]), self.term(operands[2]))
                return Compare(tuple(_computed(Mod(side, modulus)) for side in sides), ("=",))
            case _ if head in _COMPARISONS:
                self._count(expr, 2)
                return Compare(tuple(map(self.term, operands)), (head,))
            case _:
                raise self._unknown(expr, _CONDITIONS, "a condition")

    def term(self, expr: _Expr) -> Term:
        if isinstance(expr, _Atom):
            if _INTEGER.fullmatch(expr.text):
                return Int(int(expr.text))
            return Name(self._known(expr))
        head, operands = self._open(expr, _TERMS, "a term")
        match head:
            case "+" | "*" | "min" | "max":
                if not operands:
                    self._count(expr, 2)
                parts = list(map(self.term, operands))
                if head == "+":
                    return self._sum(parts, expr.start)
                return self._product(parts, expr) if head == "*" else _balanced(head, parts)
            case "-":
                if not operands:
                    self._count(expr, 2)
                first, *others = map(self.term, operands)
                if not others:
                    return _minus(first)
                return self._sum([first, *map(_minus, others)], expr.start)
            case "mod" | "%" | "div":
                self._count(expr, 2)
                kind = Div if head == "div" else Mod
                return _computed(kind(self.term(operands[0]), self._divisor(operands[1])))
            case "abs":
                self._count(expr, 1)
                return _computed(Abs(self.term(operands[0])))
            case _:
                raise self._unknown(expr, _TERMS, "a term")

    def _known(self, atom: _Atom) -> str:
        written = atom.text.removeprefix("?")
        name = self.variables.get(written) or self.parameters.get(written)
        if name is None:
            known = list(islice(chain(self.variables, self.parameters), 1_000))
            close = get_close_matches(written[:40], known, 3, 0.5)
            mend = f"declared are: {_some(close or known)}"
            raise self.source.error(f"unknown name {_quoted(atom.text)}", atom.start, mend)
        return name

    def _target(self, expr: _Expr, head: str) -> _Atom:
        if not isinstance(expr, _Atom):
            mend = f"write the variable, as in ({head} ?v1 0)"
            raise self.source.error("expected a variable", expr.start, mend)
        if expr.text.removeprefix("?") in self.parameters:
            mend = f"an effect assigns variables only: {_some(self.variables)}"
            raise self.source.error(f"{_quoted(expr.text)} is a parameter", expr.start, mend)
        return expr

    def _sum(self, parts: Sequence[Term], at: int) -> Term:
        flat = [a for p in parts for a in (p.args if isinstance(p, Sum) else (p,))]
        if all(isinstance(a, Int) for a in flat):
            return self._bounded(sum(a.value for a in flat if isinstance(a, Int)), at)
        first, *others = [a for a in flat if a != Int(0)]
        return Sum((first, *map(_as_difference, others))) if others else first

    def _product(self, parts: Sequence[Term], expr: _List) -> Term:
        factor = Int(1)
        others: list[tuple[Term, _Expr]] = []
        for part, operand in zip(parts, expr.items[1:], strict=True):
            if isinstance(part, Int):
                factor = self._bounded(factor.value * part.value, expr.start)
            else:
                others.append((part, operand))
        if len(others) > 1:
            message = f"{_written(others[0][1])} times {_written(others[1][1])} is not linear"
            mend = "all but one factor of '*' must be integers"
            raise OutsideLogic(message, self.source.span(expr.start), mend)
        return _times(factor, others[0][0]) if others and factor.value else factor

    def _bounded(self, number: int, at: int) -> Int:
        if abs(number) >= 10**MAX_DIGITS:
            message = f"an integer of more than {MAX_DIGITS:,} digits"
            raise self.source.error(message, at, "use smaller integers")
        return Int(number)

    def _divisor(self, expr: _Expr) -> Int:
        divisor = self.term(expr)
        if not isinstance(divisor, Int):
            message = f"division by {_written(expr)} is not linear"
            raise OutsideLogic(message, self.source.span(expr.start), "a divisor is an integer")
        if divisor.value <= 0:
            message = f"a divisor must be positive, not {_written(expr)}"
            raise self.source.error(message, expr.start, "use 1 or more")
        return divisor

    def effects(self, expr: _Expr, guard: Formula = TRUE) -> list[_Effect]:
        """The assignments in ``expr``, in reading order."""
        if isinstance(expr, _Atom):
            mend = "write one, as in (assign ?v1 0)"
            raise self.source.error(f"{_quoted(expr.text)} is not an effect", expr.start, mend)
        head, operands = self._open(expr, _EFFECTS, "an effect")
        match head:
            case "and":
                return [effect for part in operands for effect in self.effects(part, guard)]
            case "when":
                self._count(expr, 2)
                condition = _folded(self.formula(operands[0]))
                return self.effects(operands[1], conjunction((guard, condition)))
            case "assign" | "increase" | "decrease":
                self._count(expr, 2)
                target, term = self._target(operands[0], head), self.term(operands[1])
                change = _minus(term) if head == "decrease" else term
                return [_Effect(self._known(target), guard, change, head != "assign", target)]
            case _:
                raise self._unknown(expr, _EFFECTS, "an effect")

    def combined(self, effects: Sequence[_Effect]) -> Term:
        """The new value of the one variable of ``effects``."""
        variable, _, _, adds, _ = effects[0]
        for odd in (e for e in effects if e.adds != adds):
            message = f"{_quoted(odd.target.text)} is both assigned and increased"
            raise self.source.error(message, odd.target.start, "write one (assign ...)")
        for excess in effects[MAX_CONDITIONS:]:
            message = f"more than {MAX_CONDITIONS} effects on {_quoted(excess.target.text)}"
            raise self.source.error(message, excess.target.start, "write several actions")
        old: Term = Name(variable)
        fired = [effect for effect in effects if effect.guard != FALSE]
        if adds and len(fired) > 1:
            changes = [e.term if e.guard == TRUE else If(e.guard, e.term, Int(0)) for e in fired]
            return self._sum([old, *changes], effects[0].target.start)
        for _, guard, term, _, target in fired:
            new = self._sum([Name(variable), term], target.start) if adds else term
            if isinstance(old, If) and old.condition == guard:
                old = old.otherwise
            old = new if guard == TRUE else If(guard, new, old)
        return old


def _folded(node: _N) -> _N:
    return fold(node)  # type: ignore[return-value]


def _computed(term: Term) -> Term:
    """``term``, as an integer where its parts are integers."""
    return _folded(term) if all(isinstance(p, Int) for p in children(term)) else term


def _balanced(head: str, parts: Sequence[Term]) -> Term:
    """``min`` or ``max`` of many, nested as little as possible."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    sides = (_balanced(head, parts[:middle]), _balanced(head, parts[middle:]))
    return _computed(Min(*sides) if head == "min" else Max(*sides))


def _minus(term: Term) -> Term:
    match term:
        case Int(number):
            return Int(-number)
        case Neg(inner):
            return inner
        case Mul(Int(factor), other):
            return _times(Int(-factor), other)
        case _:
            return Neg(term)


def _times(factor: Int, term: Term) -> Term:
    if factor.value == 1:
        return term
    return _minus(term) if factor.value == -1 else Mul(factor, term)


def _as_difference(term: Term) -> Term:
    """A summand as it prints: ``- 2 * a`` subtracts a product, and reads back as that."""
    if isinstance(term, Mul) and isinstance(term.left, Int) and term.left.value < 0:
        return Neg(_times(Int(-term.left.value), term.right))
    return term


def _some(names: Iterable[str]) -> str:
    return ", ".join("?" + name[:40] for name in islice(names, 9))


# --- the sections of a domain ----------------------------------------------------------


class _Domain:
    """Collects the sections of one domain, in any order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.warnings: list[tuple[int, str]] = []
        self.variables: dict[str, str] = {}
        self.taken: frozenset[str] = frozenset()
        self.formulas: dict[str, _Expr] = {}
        self.actions: list[_List] = []

    def read(self, domain: _List) -> ParametricGame:
        name = self._head(domain)
        for section in domain.items[2:]:
            self._section(section)
        end = self.source.text.rstrip().rfind(")")
        if not self.variables:
            raise self.source.error("the game has no variable", end, "add (:objects ?v1)")
        if not self.actions:
            mend = "add (:action NAME :parameters (?k) :precondition ... :effect ...)"
            raise self.source.error("the game has no action", end, mend)
        legal = self._formula(":constraint", TRUE)
        end_formula = self._formula(":tercondition", FALSE)
        variables = tuple(self.variables.values())
        actions = self._actions()
        warnings = self._warnings()
        return ParametricGame(name, variables, actions, legal, end_formula, warnings=warnings)

    def _formula(self, which: str, default: Formula) -> Formula:
        if which not in self.formulas:
            return default
        expressions = _Expressions(self.source, self.variables, {})
        return _folded(expressions.formula(self.formulas[which]))

    def _head(self, domain: _List) -> str:
        match domain.items:
            case (_Atom() as define, _List((_Atom() as keyword, _Atom() as name)), *_) if (
                define.word == "define" and keyword.word == "domain"
            ):
                return self._name(name)
        mend = "a file is one (define (domain NAME) ...)"
        raise self.source.error("not a PDDL domain", domain.start, mend)

    def _name(self, expr: _Expr) -> str:
        if isinstance(expr, _List):
            raise self.source.error("expected a name, not a list", expr.start, "write a name")
        name = _clean(expr.text)
        if not name or expr.text.startswith(":") or _INTEGER.fullmatch(expr.text):
            message = f"{_quoted(expr.text)} is not a name"
            raise self.source.error(message, expr.start, "a name starts with a letter")
        return name

    def _warn(self, expr: _Expr, message: str) -> None:
        self.warnings.append((expr.start, message))

    def _warnings(self) -> tuple[str, ...]:
        shown = [f"{self.source.span(at)}: {text}" for at, text in self.warnings[:MAX_WARNINGS]]
        if (more := len(self.warnings) - MAX_WARNINGS) > 0:
            shown.append(f"{self.source.name}: and {more:,} more warnings")
        return tuple(shown)

    def _section(self, section: _Expr) -> None:
        if isinstance(section, _Atom) or section.head is None:
            mend = "a section looks like (:constraint ...)"
            raise self.source.error("expected a section", section.start, mend)
        head, body = section.head, section.items[1:]
        match head.word:
            case ":objects":
                self.variables |= self._declared(body, "variable")
                self.taken = frozenset(self.variables.values())
            case ":constraint" | ":tercondition":
                self._condition(section, head.word, body)
            case ":action":
                self.actions.append(section)
            case ":type":
                if any(isinstance(b, _List) or b.word != "normal" for b in body):
                    self._warn(section, "':type' is ignored; choose the rule when solving")
            case ":requirements" | ":types" | ":predicates":
                self._warn(section, f"'{head.word}' is ignored")
            case _:
                known = ":objects, :constraint, :tercondition, :action"
                message = f"{_quoted(head.text)} is not part of this dialect"
                raise self.source.error(message, head.start, f"its sections are: {known}")

    def _condition(self, section: _List, which: str, body: Sequence[_Expr]) -> None:
        if which in self.formulas:
            joint = "and" if which == ":constraint" else "or"
            message = f"'{which}' is given twice"
            raise self.source.error(message, section.start, f"join them: ({joint} ... ...)")
        if len(body) != 1:
            message = f"'{which}' takes one condition, not {len(body)}"
            raise self.source.error(message, section.start, "join them: (and ... ...)")
        self.formulas[which] = body[0]

    def _declared(self, body: Sequence[_Expr], kind: str) -> dict[str, str]:
        """Names as written, without the ``?`` -> in the game; a type after ``-`` is ignored."""
        names: dict[str, str] = {}
        used: set[str] = set()
        is_type = False
        for expr in body:
            if is_type:
                self._warn(expr, "types are ignored: every name stands for an integer")
            is_dash = not is_type and isinstance(expr, _Atom) and expr.text == "-"
            if is_dash or is_type:
                is_type = is_dash
                continue
            name = self._name(expr)
            written = expr.text.removeprefix("?") if isinstance(expr, _Atom) else ""
            if name in self.taken or name in used:
                other = "variable" if name in self.taken else kind
                clash = "" if name == written else f" (it reads as {_quoted(name)})"
                message = f"{_quoted(written)} is already a {other}{clash}"
                raise self.source.error(message, expr.start, f"rename this {kind}")
            names[written] = name
            used.add(name)
        return names

    def _actions(self) -> tuple[Action, ...]:
        actions: dict[str, Action] = {}
        names = [self._action_name(section) for section in self.actions]
        written = frozenset(names)
        repeats: dict[str, int] = {}
        for section, name in zip(self.actions, names, strict=True):
            unique = name
            while unique in actions or (unique != name and unique in written):
                repeats[name] = repeats.get(name, 1) + 1
                unique = f"{name}_{repeats[name]}"
            if unique != name:
                message = f"a second action named {_quoted(name)}; it is read as {_quoted(unique)}"
                self._warn(section, message)
            actions[unique] = self._action(unique, section)
        return tuple(actions.values())

    def _action_name(self, section: _List) -> str:
        if len(section.items) < 2:
            raise self.source.error("an action without a name", section.start, "name it")
        return self._name(section.items[1])

    def _action(self, name: str, section: _List) -> Action:
        parts = self._keywords(section)
        parameters: dict[str, str] = {}
        if (declared := parts.get(":parameters")) is not None:
            if isinstance(declared, _Atom):
                message = f"expected a list, not {_quoted(declared.text)}"
                raise self.source.error(message, declared.start, "write :parameters (?k)")
            parameters = self._declared(declared.items, "parameter")
        expressions = _Expressions(self.source, self.variables, parameters)
        condition = parts.get(":precondition", _List((), section.start))
        is_empty = isinstance(condition, _List) and not condition.items
        precondition = TRUE if is_empty else _folded(expressions.formula(condition))
        by_variable: dict[str, list[_Effect]] = {}
        written = parts.get(":effect")
        for effect in expressions.effects(written) if written is not None else ():
            by_variable.setdefault(effect.variable, []).append(effect)
        if not by_variable:
            mend = "add :effect (assign ?v1 ...)"
            raise self.source.error(f"action {_quoted(name)} has no effect", section.start, mend)
        effects = tuple((v, _folded(expressions.combined(es))) for v, es in by_variable.items())
        return Action(name, tuple(parameters.values()), precondition, effects)

    def _keywords(self, section: _List) -> dict[str, _Expr]:
        """What follows each of an action's keywords."""
        parts: dict[str, _Expr] = {}
        for at in range(2, len(section.items), 2):
            keyword = section.items[at]
            word = keyword.word if isinstance(keyword, _Atom) else ""
            if word not in (":parameters", ":precondition", ":effect"):
                mend = "an action has :parameters, :precondition and :effect, each with one list"
                raise self.source.error("expected a keyword", keyword.start, mend)
            if word in parts:
                message, mend = f"'{word}' is given twice", "join them: (and ... ...)"
                raise self.source.error(message, keyword.start, mend)
            if at + 1 == len(section.items):
                message = f"nothing follows '{word}'"
                raise self.source.error(message, keyword.start, "write its list after it")
            parts[word] = section.items[at + 1]
        return parts

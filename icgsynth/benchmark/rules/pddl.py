"""Parser of the numeric PDDL dialect of the field's benchmark, for parametric games.

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
from collections.abc import Sequence

from icgsynth.benchmark.rules.pddl_terms import INTEGER, Effect, Expressions
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import fold
from icgsynth.spec.sexpr import Expr, List, Symbol, read_lists
from icgsynth.spec.source import Source, quoted

MAX_WARNINGS = 50  # warnings shown of one file: a screen of a terminal

# Advice for sections of other PDDL dialects: what to write here in their place.
INSTEAD = {
    ":functions": "write each number as a variable: (:objects ?v1 ?v2)",
    ":durative-action": "moves take no time: write (:action ...)",
    ":derived": "write its condition where it is used",
    ":constants": "there are no objects here: write numbers",
}

RESERVED = frozenset(
    """abs action and block cite const coprime div eff else end exists false forall game heaps if in
    into legal max min misere mod not or pre then true var""".split()  # noqa: SIM905
)


def parse_pddl(source: Source) -> ParametricGame:
    """Parse a PDDL domain; :class:`~icgsynth.errors.InputError` with the place where it fails."""
    return _Domain(source).read(_whole(source))


def _whole(source: Source) -> List:
    """Return the one ``(define ..)`` list of a PDDL file; InputError if there is none or more."""
    whole: List | None = None
    for expr in read_lists(source, "remove it: a file holds one (define ...)"):
        if whole is not None:
            mend = "remove it: a file holds one (define ...)"
            raise source.error("text after the end of the domain", expr.start, mend)
        if isinstance(expr, Symbol):
            message = f"expected '(', not {quoted(expr.text)}"
            raise source.error(message, expr.start, "a file is one (define (domain NAME) ...)")
        whole = expr
    if whole is None:
        raise source.error("the text is empty", 0, "write (define (domain NAME) ...)")
    return whole


class _Domain:
    """Collects the sections of a PDDL domain, in any order, and makes a game of them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.warnings: list[tuple[int, str]] = []
        self.variables: dict[str, str] = {}
        self.taken: frozenset[str] = frozenset()
        self.formulas: dict[str, Expr] = {}
        self.actions: list[List] = []

    def read(self, domain: List) -> ParametricGame:
        name = self._head(domain)
        for section in domain.items[2:]:
            self._section(section)
        end = self.source.text.rstrip().rfind(")")
        if not self.variables:
            self._refuse_facts(domain)
            raise self.source.error("the game has no variable", end, "add (:objects ?v1)")
        if not self.actions:
            mend = "add (:action NAME :parameters (?k) :precondition ... :effect ...)"
            raise self.source.error("the game has no action", end, mend)
        legal = self._formula(":constraint", t.TRUE)
        end_formula = self._formula(":tercondition", t.FALSE)
        variables = tuple(self.variables.values())
        actions = self._actions()
        warnings = self._warnings()
        return ParametricGame(name, variables, actions, legal, end_formula, warnings=warnings)

    def _refuse_facts(self, domain: List) -> None:
        for section in domain.items[2:]:
            if isinstance(section, List) and section.head and section.head.word == ":predicates":
                mend = "write a 0 or 1 for each fact, and a number for each count: (:objects ?v1)"
                message = "this domain's states are facts, not integers"
                raise self.source.error(message, section.start, mend)

    def _formula(self, which: str, default: t.Formula) -> t.Formula:
        if which not in self.formulas:
            return default
        expressions = Expressions(self.source, self.variables, {})
        return fold(expressions.formula(self.formulas[which]))

    def _head(self, domain: List) -> str:
        match domain.items:
            case (Symbol() as define, List((Symbol() as keyword, Symbol() as name)), *_) if (
                define.word == "define" and keyword.word == "domain"
            ):
                return self._name(name)
        mend = "a file is one (define (domain NAME) ...)"
        match domain.items:
            case (_, List((Symbol(text="problem"), *_)), *_):
                mend = "give the domain's file; 'play --start 3,5' begins in a state"
        raise self.source.error("not a PDDL domain", domain.start, mend)

    def _name(self, expr: Expr) -> str:
        if isinstance(expr, List):
            raise self.source.error("expected a name, not a list", expr.start, "write a name")
        name = _clean(expr.text)
        if not name or expr.text.startswith(":") or INTEGER.fullmatch(expr.text):
            message = f"{quoted(expr.text)} is not a name"
            raise self.source.error(message, expr.start, "a name starts with a letter")
        return name

    def _warn(self, expr: Expr, message: str) -> None:
        self.warnings.append((expr.start, message))

    def _warnings(self) -> tuple[str, ...]:
        shown = [f"{self.source.span(at)}: {text}" for at, text in self.warnings[:MAX_WARNINGS]]
        if (more := len(self.warnings) - MAX_WARNINGS) > 0:
            shown.append(f"{self.source.name}: and {more:,} more warnings")
        return tuple(shown)

    def _section(self, section: Expr) -> None:
        if isinstance(section, Symbol) or section.head is None:
            mend = "a section looks like (:constraint ...)"
            raise self.source.error("expected a section", section.start, mend)
        head, body = section.head, section.items[1:]
        match head.word:
            case ":objects":
                self.variables |= self._parse_declarations(body, "variable")
                self.taken = frozenset(self.variables.values())
            case ":constraint" | ":tercondition":
                self._condition(section, head.word, body)
            case ":action":
                self.actions.append(section)
            case ":type":
                if any(isinstance(b, List) or b.word != "normal" for b in body):
                    self._warn(section, "':type' is ignored; choose the rule when solving")
            case ":requirements" | ":types" | ":predicates":
                self._warn(section, f"'{head.word}' is ignored")
            case _:
                known = ":objects, :constraint, :tercondition, :action"
                message = f"{quoted(head.text)} is not part of this dialect"
                mend = INSTEAD.get(head.word, f"its sections are: {known}")
                raise self.source.error(message, head.start, mend)

    def _condition(self, section: List, which: str, body: Sequence[Expr]) -> None:
        if which in self.formulas:
            joint = "and" if which == ":constraint" else "or"
            message = f"'{which}' is given twice"
            raise self.source.error(message, section.start, f"join them: ({joint} ... ...)")
        if len(body) != 1:
            message = f"'{which}' takes one condition, not {len(body)}"
            raise self.source.error(message, section.start, "join them: (and ... ...)")
        self.formulas[which] = body[0]

    def _parse_declarations(self, body: Sequence[Expr], kind: str) -> dict[str, str]:
        """Map each declared name, without ``?``, to its ``.icg`` name; InputError if wrong."""
        names: dict[str, str] = {}
        used: set[str] = set()
        is_type = False
        for expr in body:
            if is_type:
                self._warn(expr, "types are ignored: every name stands for an integer")
            is_dash = not is_type and isinstance(expr, Symbol) and expr.text == "-"
            if is_dash or is_type:
                is_type = is_dash
                continue
            name = self._name(expr)
            written = expr.text.removeprefix("?") if isinstance(expr, Symbol) else ""
            if name in self.taken or name in used:
                other = "variable" if name in self.taken else kind
                clash = "" if name == written else f" (it reads as {quoted(name)})"
                message = f"{quoted(written)} is already a {other}{clash}"
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
            # A number is added until the name is free, and is not that of an action further down.
            while unique in actions or (unique != name and unique in written):
                repeats[name] = repeats.get(name, 1) + 1
                unique = f"{name}_{repeats[name]}"
            if unique != name:
                message = f"a second action named {quoted(name)}; it is read as {quoted(unique)}"
                self._warn(section, message)
            actions[unique] = self._action(unique, section)
        return tuple(actions.values())

    def _action_name(self, section: List) -> str:
        if len(section.items) < 2:
            raise self.source.error("an action without a name", section.start, "name it")
        return self._name(section.items[1])

    def _action(self, name: str, section: List) -> Action:
        parts = self._keywords(section)
        parameters: dict[str, str] = {}
        if (declared := parts.get(":parameters")) is not None:
            if isinstance(declared, Symbol):
                message = f"expected a list, not {quoted(declared.text)}"
                raise self.source.error(message, declared.start, "write :parameters (?k)")
            parameters = self._parse_declarations(declared.items, "parameter")
        expressions = Expressions(self.source, self.variables, parameters)
        condition = parts.get(":precondition", List((), section.start))
        is_empty = isinstance(condition, List) and not condition.items
        precondition = t.TRUE if is_empty else fold(expressions.formula(condition))
        by_variable: dict[str, list[Effect]] = {}
        written = parts.get(":effect")
        for effect in expressions.effects(written) if written is not None else ():
            by_variable.setdefault(effect.variable, []).append(effect)
        if not by_variable:
            mend = "add :effect (assign ?v1 ...)"
            raise self.source.error(f"action {quoted(name)} has no effect", section.start, mend)
        effects = tuple((v, fold(expressions.new_value(es))) for v, es in by_variable.items())
        return Action(name, tuple(parameters.values()), precondition, effects)

    def _keywords(self, section: List) -> dict[str, Expr]:
        """Return the expression after each keyword, as ``:effect``; InputError if one is wrong."""
        parts: dict[str, Expr] = {}
        for at in range(2, len(section.items), 2):
            keyword = section.items[at]
            word = keyword.word if isinstance(keyword, Symbol) else ""
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


def _clean(text: str) -> str:
    """Return a PDDL name as a valid ``.icg`` name; "" where no character is left."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text.removeprefix("?"))
    if name[:1].isdigit():
        name = "_" + name
    return name + "_" if name in RESERVED else name

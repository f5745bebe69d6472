"""Read the ``.icg`` language: text -> :class:`Spec` -> :class:`ParametricGame`.

A :class:`Spec` keeps the constants by name (a family of games); :meth:`Spec.game` and
:meth:`Spec.heaps` put their values in.  ``str`` of each is text that reads back to an equal object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from icgsynth import wings
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import InputError, Span, all_faults
from icgsynth.game.game import Action, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import fold
from icgsynth.spec.elaborate import Elaborator, Listed, Scope
from icgsynth.spec.icg_spec import Spec, linear
from icgsynth.spec.lalr import SyntaxTree, Token
from icgsynth.spec.source import Source
from icgsynth.spec.syntax import read_items, read_tree


@lru_cache(maxsize=4)  # texts; the rule of play is asked first, and then the game
def parse(source: Source) -> Spec:
    """Return the rules of one game; InputError lists up to ten faults of syntax, or else others."""
    tree = read_items(source)
    if tree.data in ("heaps", "piles"):
        found: Spec = wings.require("rules", "heaps").read(source, tree)
        return found
    return SpecReader(source).read(tree)


def parse_formula(
    text: str,
    names: Iterable[str],
    name: str = "formula",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> t.Formula:
    """Return the formula ``text``, whose free names are among ``names`` and ``constants``.

    Constants may stand in divisors, which are then not checked to be positive.  A numeration
    ``system`` allows functions of digits (``a xor b = 0``), ``sets`` membership in sets by name
    (``(a, b) in L``).  Messages call the text ``name``.
    """
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    formula = linear(elaborator.formula(read_tree(source, "formula")))
    elaborator.require_positive_divisors()
    return formula


def parse_term(
    text: str,
    names: Iterable[str],
    name: str = "term",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> t.Term:
    """Return the term ``text``, whose free names are among ``names`` and ``constants``.

    Only constants may stand in divisors.  Functions of digits need a numeration ``system``; in
    conditions ``sets`` are automata by name.  Messages call the text ``name``.
    """
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    term = linear(elaborator.term(read_tree(source, "term")))
    elaborator.require_positive_divisors()
    return term


# --- the items of a file ---------------------------------------------------------


class SpecReader:
    """Reads the items of one ``.icg`` file into a :class:`Spec`, and collects their faults."""

    leads = "eff"  # the keyword before the effects of an action

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scope = Scope()
        self.elaborator = Elaborator(source, self.scope)
        self.listed: dict[str, Listed] = {}
        self.elaborator.listed = self.listed
        self.system = base(2)  # numeration of digits in preconditions
        self.constants: list[tuple[str, t.Term]] = []
        self.variables: list[str] = []
        self.citations: list[str] = []
        self.actions: dict[str, Any] = {}
        self.order: list[str] = []
        self.formulas: dict[str, t.Formula] = {}
        self.legal_place: Span | None = None
        self.block: t.Term = t.Int(0)
        self.block_place: Span | None = None
        self.rule: PlayRule = "normal"
        self.faults: list[InputError] = []

    @contextmanager
    def _collect(self) -> Iterator[None]:
        """Add an InputError of the ``with`` block to ``faults``; undo declarations made in it."""
        known = self.scope.save()
        try:
            yield
        except InputError as error:
            if all(error.message != fault.message for fault in self.faults):  # a name, again
                self.faults.append(error)
            self.scope.restore(known)
            self.elaborator.surface()

    def read(self, tree: SyntaxTree) -> Spec:
        name, title, *items = tree.children
        for item in items:
            if isinstance(item, SyntaxTree):
                with self._collect():
                    getattr(self, f"_{item.data}")(item)
        if self.faults:
            raise all_faults(self.faults)
        end = len(self.source.text.rstrip())
        if not self.variables:
            raise self.source.error("the game has no variable", end, "add: var a")
        if not self.order:
            mend = f"add: action NAME(k) pre ... {self.leads} ..."
            raise self.source.error("the game has no action", end, mend)
        return Spec(
            str(name),
            str(title)[1:-1] if title else "",
            tuple(self.citations),
            tuple(self.constants),
            tuple(self.variables),
            self.formulas.get("legal", t.TRUE),
            self.formulas.get("end", t.FALSE),
            tuple(self.actions.values()),
            divisors=tuple(self.elaborator.divisors),
            legal_place=self.legal_place,
            block=self.block,
            block_place=self.block_place,
            products=tuple(self.elaborator.products),
            digits=self.elaborator.digits,
            listed=tuple(self.listed.values()),
            rule=self.rule,
        )

    def _const(self, item: SyntaxTree) -> None:
        name, _, tree = item.children
        term: t.Term = t.Int(1)  # of a constant without a value, so that its name is known
        with self._collect():
            term = self.elaborator.constant_term(tree)
        self.scope.declare(self.source, token_of(name), "constant")
        self.constants.append((str(name), fold(term)))

    def _var(self, item: SyntaxTree) -> None:
        for name in item.children:
            with self._collect():
                self.scope.declare(self.source, token_of(name), "variable")
                self.variables.append(str(name))

    def _misere(self, item: SyntaxTree) -> None:
        if self.order or self.rule == "misere":
            mend = "put it before the first action, once"
            raise self.source.error("'misere' is out of place", item.start, mend)
        self.rule = "misere"

    def _cite(self, item: SyntaxTree) -> None:
        self.citations.extend(str(name) for name in item.children)

    def _legal(self, item: SyntaxTree) -> None:
        self._once("legal", item)
        self.legal_place = self.source.span(item.start)

    def _end(self, item: SyntaxTree) -> None:
        self._once("end", item)

    def _block(self, item: SyntaxTree) -> None:
        if self.block_place is not None:
            raise self.source.error("'block' is given twice", item.start, "leave one out")
        self.block_place = self.source.span(item.start)
        self.block = fold(self.elaborator.constant_term(item.children[0]))

    def _once(self, what: str, item: SyntaxTree) -> None:
        if what in self.formulas:
            mend = "join them with 'and'" if what == "legal" else "join them with 'or'"
            raise self.source.error(f"'{what}' is given twice", item.start, mend)
        self.formulas[what] = self.elaborator.formula(item.children[0])

    def _action(self, item: SyntaxTree) -> None:
        name, declared, formula, effects = self._head(item)
        assigned: dict[str, t.Term] = {}
        for effect in effects:
            target, term = effect.children
            with self._collect():
                self._check_target(token_of(target), assigned)
            with self._collect():
                assigned[str(target)] = self.elaborator.term(term)
        self._forget(declared)
        self.actions[name] = Action(name, declared, formula, tuple(assigned.items()))

    def _split(self, item: SyntaxTree) -> None:
        self._head(item)
        mend = "write 'heaps' for 'game' in the first line, or 'eff' for 'into'"
        raise self.source.error("'into' in a game that is not one of heaps", item.start, mend)

    def _head(self, item: SyntaxTree) -> tuple[str, tuple[str, ...], t.Formula, list[SyntaxTree]]:
        """Return the name, parameters, precondition and trees of effects of the action ``item``."""
        name, parameters, precondition, *rest = item.children
        if str(name) in self.actions:
            message = f"a second action named '{name}'"
            self.faults.append(self.source.error(message, name.start, "rename one of them"))
        assert isinstance(parameters, SyntaxTree)
        names = []
        for parameter in (token_of(p) for p in parameters.children if p is not None):
            with self._collect():
                self.scope.declare(self.source, parameter, "parameter")
                names.append(parameter)
        formula: t.Formula = t.TRUE
        self.elaborator.system = self.system
        with self._collect():
            formula = self.elaborator.formula(precondition)
        self.system, self.elaborator.system = self.elaborator.system, None
        self.order.append(str(name))
        return str(name), tuple(str(p) for p in names), formula, rest

    def _forget(self, parameters: Iterable[str]) -> None:
        for parameter in parameters:
            self.scope.forget(parameter)

    def _check_target(self, target: Token, assigned: Mapping[str, t.Term]) -> None:
        offset = target.start
        if str(target) in assigned:
            raise self.source.error(
                f"'{target}' is assigned twice", offset, "an effect assigns a variable once"
            )
        self.scope.require(self.source, target)
        if (kind := self.scope.kind(str(target))) != "variable":
            mend = f"an effect assigns variables only: {', '.join(self.variables)}"
            raise self.source.error(f"'{target}' is a {kind}", offset, mend)


def token_of(child: object) -> Token:
    """Return ``child`` of a syntax tree, typed as the token that it is."""
    assert isinstance(child, Token)
    return child

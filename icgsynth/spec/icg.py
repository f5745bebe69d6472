"""The ``.icg`` language: text -> :class:`Spec` -> :class:`~icgsynth.game.game.ParametricGame`.

A :class:`Spec` keeps the constants by name (a family of games); :meth:`Spec.game` and
:meth:`Spec.heaps` put their values in.  ``str`` of each is text that reads back to an equal object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import InputError, Span
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.heap_rules import HeapAction, HeapGame
from icgsynth.logic.evaluate import value
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Formula,
    Int,
    Kind,
    Name,
    Term,
    fold,
    integers,
    substitute,
)
from icgsynth.spec.elaborate import Divisor, Elaborator, Scope
from icgsynth.spec.lalr import SyntaxTree, Token
from icgsynth.spec.source import MAX_DIGITS, Source
from icgsynth.spec.syntax import read_tree

__all__ = ["Spec", "parse", "parse_formula", "parse_term"]

_LIMIT = 10**MAX_DIGITS


class _Put(Protocol):
    """A term or formula with the values of the constants in it."""

    def __call__(self, node: Kind) -> Kind: ...


@dataclass(frozen=True)
class Spec:
    """One ``.icg`` file: a game, or a family of games through its constants.

    Of a game of heaps the moves are ``splits``, and it has no ``actions``.
    """

    name: str
    title: str
    citations: tuple[str, ...]
    constants: tuple[tuple[str, Term], ...]
    variables: tuple[str, ...]
    legal: Formula
    end: Formula
    actions: tuple[Action, ...]
    splits: tuple[HeapAction, ...] = ()
    divisors: tuple[Divisor, ...] = field(default=(), compare=False, repr=False)
    legal_place: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        parts = self.name, self.variables
        body = (
            HeapGame(*parts, self.splits, self.legal, self.title, self.citations)
            if self.splits
            else ParametricGame(
                *parts, self.actions, self.legal, self.end, self.title, self.citations
            )
        )
        lines = str(body).splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("var "))
        lines[at:at] = [f"const {name} = {term}" for name, term in self.constants]
        return "\n".join(lines) + "\n"

    def game(self, overrides: Mapping[str, int] | None = None) -> ParametricGame:
        """The member of the family with these constants; the others keep their defaults.

        :class:`~icgsynth.errors.InputError` for a game of heaps, which is no such game.
        """
        values = self._values(overrides)
        put = self._putting({name: Int(number) for name, number in values.items()})
        return replace(self._with(put, self.variables), constants=tuple(values.items()))

    def members(self, free: Iterable[str], overrides: Mapping[str, int]) -> ParametricGame:
        """All members of the family at once: the ``free`` constants are variables that stay.

        They come first among the variables; nothing is said of their values.  The other
        constants are as in :meth:`game`, but one whose default speaks of a free one is that term.
        """
        names = tuple(free)
        self._require_constants((*names, *overrides))
        by: dict[str, Term] = {}
        for name, default in self.constants:
            if name not in names:
                given = overrides.get(name)
                by[name] = fold(substitute(default, by)) if given is None else Int(given)
        return self._with(self._putting(by), (*names, *self.variables))

    def _with(self, put: _Put, variables: tuple[str, ...]) -> ParametricGame:
        if self.splits:
            message = f"{self.name} is a game of heaps, of which values alone are known"
            raise InputError(message, mend="use icgsynth value or icgsynth check")
        actions = tuple(
            Action(
                a.name,
                a.parameters,
                put(a.precondition),
                tuple((name, put(term)) for name, term in a.effects),
            )
            for a in self.actions
        )
        return ParametricGame(
            self.name,
            variables,
            actions,
            put(self.legal),
            put(self.end),
            self.title,
            self.citations,
            legal_place=self.legal_place,
        )

    def heaps(self, overrides: Mapping[str, int] | None = None) -> HeapGame:
        """The same for a game of heaps, whose rules have no quantifiers."""
        values = self._values(overrides)
        put = self._putting({name: Int(number) for name, number in values.items()})
        splits = tuple(
            HeapAction(
                a.name,
                a.parameters,
                put(a.precondition),
                tuple(tuple(put(term) for term in heap) for heap in a.into),
            )
            for a in self.splits
        )
        found = HeapGame(
            self.name,
            self.variables,
            splits,
            put(self.legal),
            self.title,
            self.citations,
            tuple(values.items()),
            self.legal_place,
        )
        if found.one_heap.is_quantified:
            message = f"{self.name}: a quantifier in the rules of a game of heaps"
            raise InputError(message, mend="make it a parameter of the action, or use mod and div")
        return found

    def _values(self, overrides: Mapping[str, int] | None) -> dict[str, int]:
        """The constants."""
        overrides = dict(overrides or {})
        self._require_constants(overrides)
        values: dict[str, int] = {}
        for name, default in self.constants:
            values[name] = overrides.get(name, value(default, values))
            _require_writable(values[name], f"the constant {name}")
        self._check_divisors(values)
        return values

    def _require_constants(self, names: Iterable[str]) -> None:
        unknown = [name for name in names if name not in dict(self.constants)]
        if unknown:
            known = ", ".join(name for name, _ in self.constants)
            mend = f"it has: {known}" if known else "it has no constants; leave --set out"
            raise InputError(f"{self.name} has no constant '{unknown[0]}'", mend=mend)

    @staticmethod
    def _putting(by: Mapping[str, Term]) -> _Put:
        def put(node: Kind) -> Kind:
            folded = fold(substitute(node, by) if by else node)
            _require_writable(max(integers(folded), default=0), "an integer")
            return folded

        return put

    def _check_divisors(self, values: Mapping[str, int]) -> None:
        for term, source, offset in self.divisors:
            divisor = value(term, values)
            if not 0 < divisor < _LIMIT:
                span = source.span(offset)
                _require_writable(divisor, "the divisor", span)
                shown = str(term) if isinstance(term, Int) else f"{term} = {divisor}"
                raise InputError(f"a divisor must be positive, not {shown}", span, "use 1 or more")


def parse(source: Source) -> Spec:
    """Read one game; :class:`~icgsynth.errors.InputError` with the place where it fails."""
    return _SpecReader(source).read(read_tree(source, "file"))


def parse_formula(
    text: str,
    names: Iterable[str],
    name: str = "formula",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> Formula:
    """Read a formula whose free names are among ``names`` and ``constants``.

    The constants may stand in divisors, which are then not known to be positive.  With a
    numeration ``system`` it may speak of digits (``a xor b = 0``), with ``sets`` of these by their
    names (``(a, b) in L``).
    """
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    start = "digit formula" if system is not None or sets else "formula"
    formula = fold(elaborator.formula(read_tree(source, start)))
    elaborator.require_positive_divisors()
    return formula


def parse_term(
    text: str,
    names: Iterable[str],
    name: str = "term",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> Term:
    """Read a term; otherwise as :func:`parse_formula`."""
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    start = "digit term" if system is not None or sets else "term"
    term = fold(elaborator.term(read_tree(source, start)))
    elaborator.require_positive_divisors()
    return term


def _require_writable(number: int, what: str, span: Span | None = None) -> None:
    """Computed integers keep to the limit of written ones, so that answers can be read back."""
    if abs(number) >= _LIMIT:
        raise InputError(f"{what} grows past {MAX_DIGITS:,} digits", span, "use smaller constants")


# --- the items of a file ---------------------------------------------------------


class _SpecReader:
    """Collects the items of one file; names are declared before they are used."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scope = Scope()
        self.elaborator = Elaborator(source, self.scope)
        self.constants: list[tuple[str, Term]] = []
        self.variables: list[str] = []
        self.citations: list[str] = []
        self.actions: dict[str, Action] = {}
        self.splits: dict[str, HeapAction] = {}
        self.order: list[str] = []
        self.into: list[tuple[int, int]] = []  # how many terms a heap has, and where it stands
        self.is_heaps = False
        self.formulas: dict[str, Formula] = {}
        self.legal_place: Span | None = None

    def read(self, tree: SyntaxTree) -> Spec:
        name, title, *items = tree.children
        self.is_heaps = tree.data == "heaps"
        for item in items:
            if isinstance(item, SyntaxTree):
                getattr(self, f"_{item.data}")(item)
        end = len(self.source.text.rstrip())
        if not self.variables:
            raise self.source.error("the game has no variable", end, "add: var a")
        if not self.order:
            mend = f"add: action NAME(k) pre ... {'into' if self.is_heaps else 'eff'} ..."
            raise self.source.error("the game has no action", end, mend)
        if self.is_heaps and not self.splits:
            mend = "write 'game' for 'heaps', or give the heaps that are left: into n - k, k"
            raise self.source.error("a game of heaps without 'into'", tree.start, mend)
        return Spec(
            str(name),
            str(title)[1:-1] if title else "",
            tuple(self.citations),
            tuple(self.constants),
            tuple(self.variables),
            self.formulas.get("legal", TRUE),
            self.formulas.get("end", FALSE),
            () if self.is_heaps else tuple(self.actions.values()),
            self._all_splits() if self.is_heaps else (),
            tuple(self.elaborator.divisors),
            self.legal_place,
        )

    def _const(self, item: SyntaxTree) -> None:
        name, _, tree = item.children
        term = self.elaborator.constant_term(tree)
        self.scope.declare(self.source, _token(name), "constant")
        self.constants.append((str(name), fold(term)))

    def _var(self, item: SyntaxTree) -> None:
        for name in item.children:
            self.scope.declare(self.source, _token(name), "variable")
            self.variables.append(str(name))

    def _cite(self, item: SyntaxTree) -> None:
        self.citations.extend(str(name) for name in item.children)

    def _legal(self, item: SyntaxTree) -> None:
        self._once("legal", item)
        self.legal_place = self.source.span(item.start)

    def _end(self, item: SyntaxTree) -> None:
        if self.is_heaps:
            mend = "leave it out: a heap of which no action leaves others has no move"
            raise self.source.error("'end' in a game of heaps", item.start, mend)
        self._once("end", item)

    def _once(self, what: str, item: SyntaxTree) -> None:
        if what in self.formulas:
            mend = "join them with 'and'" if what == "legal" else "join them with 'or'"
            raise self.source.error(f"'{what}' is given twice", item.start, mend)
        self.formulas[what] = self.elaborator.formula(item.children[0])

    def _action(self, item: SyntaxTree) -> None:
        name, declared, formula, effects = self._head(item)
        assigned: dict[str, Term] = {}
        for effect in effects:
            target, term = effect.children
            self._check_target(_token(target), assigned)
            assigned[str(target)] = self.elaborator.term(term)
        self._forget(declared)
        self.actions[name] = Action(name, declared, formula, tuple(assigned.items()))

    def _split(self, item: SyntaxTree) -> None:
        name, declared, formula, heaps = self._head(item)
        if not self.is_heaps:
            mend = "write 'heaps' for 'game' in the first line, or 'eff' for 'into'"
            raise self.source.error("'into' in a game that is not one of heaps", item.start, mend)
        into = tuple([tuple([self.elaborator.term(t) for t in heap.children]) for heap in heaps])
        self._forget(declared)
        self.into += [(len(heap.children), heap.start) for heap in heaps]
        self.splits[name] = HeapAction(name, declared, formula, into)

    def _head(self, item: SyntaxTree) -> tuple[str, tuple[str, ...], Formula, list[SyntaxTree]]:
        """The name of an action, its parameters, which are declared, its precondition, the rest."""
        name, parameters, precondition, *rest = item.children
        if str(name) in {**self.actions, **self.splits}:
            offset = name.start
            raise self.source.error(f"a second action named '{name}'", offset, "rename one of them")
        assert isinstance(parameters, SyntaxTree)
        names = [_token(p) for p in parameters.children if p is not None]
        for parameter in names:
            self.scope.declare(self.source, parameter, "parameter")
        formula = self.elaborator.formula(precondition)
        self.order.append(str(name))
        return str(name), tuple(str(p) for p in names), formula, rest

    def _forget(self, parameters: Iterable[str]) -> None:
        for parameter in parameters:
            self.scope.forget(parameter)

    def _all_splits(self) -> tuple[HeapAction, ...]:
        """The moves of a game of heaps in their order; an effect leaves one heap."""
        for count, start in self.into:
            if count != len(self.variables):
                shown = ", ".join(self.variables)
                mend = f"write {shown if len(self.variables) == 1 else f'({shown})'} for each heap"
                message = f"a heap of {count} numbers, not of {len(self.variables)}"
                raise self.source.error(message, start, mend)
        left = {
            a.name: HeapAction(
                a.name,
                a.parameters,
                a.precondition,
                (tuple(dict(a.effects).get(v, Name(v)) for v in self.variables),),
            )
            for a in self.actions.values()
        }
        return tuple((left | self.splits)[name] for name in self.order)

    def _check_target(self, target: Token, assigned: Mapping[str, Term]) -> None:
        offset = target.start
        if str(target) in assigned:
            raise self.source.error(
                f"'{target}' is assigned twice", offset, "an effect assigns a variable once"
            )
        self.scope.require(self.source, target)
        if (kind := self.scope.kind(str(target))) != "variable":
            mend = f"an effect assigns variables only: {', '.join(self.variables)}"
            raise self.source.error(f"'{target}' is a {kind}", offset, mend)


def _token(child: object) -> Token:
    assert isinstance(child, Token)
    return child

"""The ``.icg`` language: text -> :class:`Spec` -> :class:`~icgsynth.game.game.ParametricGame`.

A :class:`Spec` keeps the constants by name (a family of games); :meth:`Spec.game` puts
their values in.  ``str`` of either is text that reads back to an equal object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import InputError, Span
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic.evaluate import value
from icgsynth.logic.term import FALSE, TRUE, Formula, Int, Kind, Term, fold, integers, substitute
from icgsynth.spec.elaborate import Divisor, Elaborator, Scope
from icgsynth.spec.lalr import SyntaxTree, Token
from icgsynth.spec.source import MAX_DIGITS, Source
from icgsynth.spec.syntax import read_tree

__all__ = ["Spec", "parse", "parse_formula", "parse_term"]

_LIMIT = 10**MAX_DIGITS


@dataclass(frozen=True)
class Spec:
    """One ``.icg`` file: a game, or a family of games through its constants."""

    name: str
    title: str
    citations: tuple[str, ...]
    constants: tuple[tuple[str, Term], ...]
    variables: tuple[str, ...]
    legal: Formula
    end: Formula
    actions: tuple[Action, ...]
    divisors: tuple[Divisor, ...] = field(default=(), compare=False, repr=False)
    legal_place: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        body = ParametricGame(
            self.name,
            self.variables,
            self.actions,
            self.legal,
            self.end,
            self.title,
            self.citations,
        )
        lines = str(body).splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("var "))
        lines[at:at] = [f"const {name} = {term}" for name, term in self.constants]
        return "\n".join(lines) + "\n"

    def game(self, overrides: Mapping[str, int] | None = None) -> ParametricGame:
        """The member of the family with these constants; the others keep their defaults."""
        overrides = dict(overrides or {})
        unknown = [name for name in overrides if name not in dict(self.constants)]
        if unknown:
            known = ", ".join(name for name, _ in self.constants)
            mend = f"it has: {known}" if known else "it has no constants; leave --set out"
            raise InputError(f"{self.name} has no constant '{unknown[0]}'", mend=mend)
        values: dict[str, int] = {}
        for name, default in self.constants:
            values[name] = overrides.get(name, value(default, values))
            _require_writable(values[name], f"the constant {name}")
        self._check_divisors(values)

        by: dict[str, Term] = {name: Int(number) for name, number in values.items()}

        def put(node: Kind) -> Kind:
            folded = fold(substitute(node, by) if by else node)
            _require_writable(max(integers(folded), default=0), "an integer")
            return folded

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
            self.variables,
            actions,
            put(self.legal),
            put(self.end),
            self.title,
            self.citations,
            tuple(values.items()),
            legal_place=self.legal_place,
        )

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
) -> Formula:
    """Read a formula whose free names are among ``names``.

    With a numeration ``system`` it may speak of digits (``a xor b = 0``), with ``sets`` of
    these by their names (``(a, b) in L``).
    """
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(variables=names), system, sets)
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
) -> Term:
    """Read a term whose free names are among ``names``; otherwise as :func:`parse_formula`."""
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(variables=names), system, sets)
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
        self.formulas: dict[str, Formula] = {}
        self.legal_place: Span | None = None

    def read(self, tree: SyntaxTree) -> Spec:
        name, title, *items = tree.children
        for item in items:
            if isinstance(item, SyntaxTree):
                getattr(self, f"_{item.data}")(item)
        end = len(self.source.text.rstrip())
        if not self.variables:
            raise self.source.error("the game has no variable", end, "add: var a")
        if not self.actions:
            mend = "add: action NAME(k) pre ... eff ..."
            raise self.source.error("the game has no action", end, mend)
        return Spec(
            str(name),
            str(title)[1:-1] if title else "",
            tuple(self.citations),
            tuple(self.constants),
            tuple(self.variables),
            self.formulas.get("legal", TRUE),
            self.formulas.get("end", FALSE),
            tuple(self.actions.values()),
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
        self._once("end", item)

    def _once(self, what: str, item: SyntaxTree) -> None:
        if what in self.formulas:
            mend = "join them with 'and'" if what == "legal" else "join them with 'or'"
            raise self.source.error(f"'{what}' is given twice", item.start, mend)
        self.formulas[what] = self.elaborator.formula(item.children[0])

    def _action(self, item: SyntaxTree) -> None:
        name, parameters, precondition, *effects = item.children
        if str(name) in self.actions:
            offset = name.start
            raise self.source.error(f"a second action named '{name}'", offset, "rename one of them")
        assert isinstance(parameters, SyntaxTree)
        names = [_token(p) for p in parameters.children if p is not None]
        for parameter in names:
            self.scope.declare(self.source, parameter, "parameter")
        formula = self.elaborator.formula(precondition)
        assigned: dict[str, Term] = {}
        for effect in effects:
            assert isinstance(effect, SyntaxTree)
            target, term = effect.children
            self._check_target(_token(target), assigned)
            assigned[str(target)] = self.elaborator.term(term)
        for parameter in names:
            self.scope.forget(str(parameter))
        declared = tuple(str(p) for p in names)
        self.actions[str(name)] = Action(str(name), declared, formula, tuple(assigned.items()))

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

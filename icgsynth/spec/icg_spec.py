"""What an ``.icg`` file says, before its constants have values: a game, or a family of games."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Literal, TypeAlias

from icgsynth import wings
from icgsynth.errors import InputError, OutsideLogic, Span
from icgsynth.game.game import Action, ParametricGame, PlayRule, not_blocking
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, fold, integers, substitute, walk
from icgsynth.logic.evaluate import value
from icgsynth.spec.elaborate import Divisor, Listed
from icgsynth.spec.source import MAX_DIGITS

_LIMIT = 10**MAX_DIGITS
_NONE, _ONE = t.Int(0), t.Int(1)
_DIVISORS = (
    "the right side of 'mod' and 'div' must be a constant, or what the other conditions of a move "
    "keep at 1 or more, as 'pre 1 <= k and n mod k = 0'"
)
_PLAIN_ONLY = "products and quotients of unknowns do not go with 'block', quantifiers or digits"


How: TypeAlias = Literal["first", "all", "at most", "exactly"]


@dataclass(frozen=True)
class Touch:
    """Which piles a move touches; the count is constant."""

    how: How
    count: t.Term = _ONE
    place: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Spec:
    """One ``.icg`` file: a game, or a family of games through its constants.

    Of a game of heaps the moves are ``splits``, and it has no ``actions``.  With ``touch`` it is
    any number of piles, and all else are the rules of one.
    """

    name: str
    title: str
    citations: tuple[str, ...]
    constants: tuple[tuple[str, t.Term], ...]
    variables: tuple[str, ...]
    legal: t.Formula
    end: t.Formula
    actions: tuple[Action, ...]
    splits: tuple[Any, ...] = ()
    divisors: tuple[Divisor, ...] = field(default=(), compare=False, repr=False)
    legal_place: Span | None = field(default=None, compare=False, repr=False)
    block: t.Term = _NONE
    block_place: Span | None = field(default=None, compare=False, repr=False)
    products: tuple[tuple[t.Term, OutsideLogic], ...] = field(default=(), compare=False, repr=False)
    digits: Span | None = field(default=None, compare=False, repr=False)
    touch: Touch | None = None
    listed: tuple[Listed, ...] = field(default=(), compare=False, repr=False)
    rule: PlayRule = "normal"

    def __str__(self) -> str:
        parts = self.name, self.variables
        more = self.title, self.citations
        body = (
            _heaps().HeapGame(*parts, self.splits, self.legal, *more, rule=self.rule)
            if self.splits
            else ParametricGame(*parts, self.actions, self.legal, self.end, *more, rule=self.rule)
        )
        if self.touch is not None and isinstance(body, ParametricGame):
            lines = _heaps().rules_text(body, self.touch.how, self.touch.count).splitlines()
        else:
            lines = str(body).splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("var "))
        first = next(i for i, line in enumerate(lines) if line.startswith("action "))
        lines[first:first] = [f"block {self.block}"] if self.block != t.Int(0) else []
        lines[at:at] = [f"const {name} = {term}" for name, term in self.constants]
        return "\n".join(lines) + "\n"

    def game(
        self, overrides: Mapping[str, int] | None = None, blocking: bool = False
    ) -> ParametricGame:
        """The member of the family with these constants; the others keep their defaults.

        :class:`~icgsynth.errors.InputError` for a game of heaps, which is no such game; and for a
        blocking game, unless the caller says with ``blocking`` that it heeds ``block``.  Of any
        number of piles it is the game of so many as the constant "piles" says.
        """
        if self.touch is not None:
            constants = dict(overrides or {})
            if (number := constants.pop("piles", 0)) < 1:
                message = f"{self.name} is any number of piles, and no one game"
                raise InputError(message, mend="say how many: --set piles=3")
            found: ParametricGame = self.piles(constants).member(number)
            return found
        values = self.values(overrides)
        put = self.putting({name: t.Int(number) for name, number in values.items()})
        found = replace(
            self._with(put, self.variables),
            constants=tuple(values.items()),
            warnings=() if self.legal_place else (self._all_legal(),),
        )
        most = value(self.block, values)
        if most < 0:
            message = f"'block' takes 0 or more, not {most}"
            raise InputError(message, self.block_place, "so many options are forbidden at most")
        if most and not blocking:
            raise not_blocking(self.name)
        if self.products:
            found = self._with_products(self._of_constants(found), put)
        found = replace(found, block=most)
        if not self.listed:
            return found
        bounded: ParametricGame = wings.require("rules", "sets").bound_sets(found, self.listed)
        return bounded

    @staticmethod
    def _of_constants(game: ParametricGame) -> ParametricGame:
        """Return the game with a case a value for each product with a parameter of few values."""
        from icgsynth.game.repeated import by_value, steps_of_multiples

        steps = steps_of_multiples(game)
        return replace(
            game, actions=tuple(a if a.name in steps else by_value(game, a) for a in game.actions)
        )

    def _with_products(self, game: ParametricGame, put: Rewriting) -> ParametricGame:
        """``game``, whose actions may have products, and divide by what is at least 1."""
        from icgsynth.game.repeated import products, products_last, products_of, steps_of_multiples

        steps = steps_of_multiples(game)
        if wrong := {*products_of((game.legal, game.end))}:
            raise self._fault(wrong, put)
        actions = []
        for action in game.actions:
            is_plain = action.name in steps or not products(action)
            known = action if is_plain else products_last(game, action)
            if known is None:
                fault = self._fault({p for p in products(action) if not isinstance(p, t.Mul)}, put)
                raise OutsideLogic(fault.message, fault.span, _DIVISORS)
            actions.append(known)
        is_open = any(map(products, actions))
        if is_open and (game.is_quantified or game.has_digits or self.block != t.Int(0)):
            fault = self.products[0][1]
            raise OutsideLogic(fault.message, fault.span, _PLAIN_ONLY)
        return replace(game, actions=tuple(actions))

    def _fault(self, wrong: Container[t.Term], put: Rewriting) -> OutsideLogic:
        """Return the fault of the first product that is ``wrong``, or of one that it is part of."""
        found = (fault for product, fault in self.products if put(product) in wrong)
        return next(found, self.products[0][1])

    def _all_legal(self) -> str:
        some = " and ".join(f"{variable} >= 0" for variable in self.variables)
        return (
            f"{self.name} has no line 'legal', so negative numbers are states too; to leave them "
            f"out add 'legal {some}', to keep them 'legal true'"
        )

    def members(self, free: Iterable[str], overrides: Mapping[str, int]) -> ParametricGame:
        """All members of the family at once: the ``free`` constants are variables that stay.

        They come first among the variables; nothing is said of their values.  The other
        constants are as in :meth:`game`, but one whose default speaks of a free one is that term.
        """
        names = tuple(free)
        self._require_constants((*names, *overrides))
        self._require_linear()
        if self.block != t.Int(0):
            raise not_blocking(self.name)
        by: dict[str, t.Term] = {}
        for name, default in self.constants:
            if name not in names:
                given = overrides.get(name)
                by[name] = fold(substitute(default, by)) if given is None else t.Int(given)
        found = self._with(self.putting(by), (*names, *self.variables))
        rest = (part for node in found.formulas() for part in walk(node) if isinstance(part, t.Gcd))
        if (common := next(rest, None)) is not None:
            raise InputError(f"{common} in the rules of a family", mend="choose its constants")
        return found

    def _require_linear(self) -> None:
        """Raise where there are products of unknowns, digits or sets; one game may have them."""
        for _, fault in self.products:
            raise fault
        self.require_plain()

    def require_plain(self) -> None:
        """Raise where there are digits or sets."""
        for listed in self.listed:
            mend = "they may stand in the rules of one game, or of piles of which one is touched"
            raise InputError(f"{listed.name} in these rules", listed.place, mend)
        if self.digits is not None:
            mend = "digits may stand in the rules of one game, or of piles of which one is touched"
            raise InputError("digits in these rules", self.digits, mend)

    def _with(self, put: Rewriting, variables: tuple[str, ...]) -> ParametricGame:
        if self.splits:
            message = f"{self.name} is a game of heaps, of which values alone are known"
            raise InputError(message, mend="use icgsynth value or icgsynth check")
        if self.touch is not None:
            message = f"{self.name} is any number of piles, and no one game"
            raise InputError(message, mend="say how many: --set piles=3")
        return ParametricGame(
            self.name,
            variables,
            tuple([action.mapped(put) for action in self.actions]),
            put(self.legal),
            put(self.end),
            self.title,
            self.citations,
            legal_place=self.legal_place,
            rule=self.rule,
        )

    def heaps(self, overrides: Mapping[str, int] | None = None) -> Any:
        """The game of heaps with these constants; the others keep their defaults."""
        return _heaps().heap_game(self, overrides)

    def piles(self, overrides: Mapping[str, int] | None = None) -> Any:
        """The game of any number of piles, of a file that begins so."""
        return _heaps().pile_game(self, overrides)

    def formulas(self) -> Iterable[t.Node]:
        """The formulas and terms of the rules, and the terms of the constants."""
        yield from (self.legal, self.end, *(term for _, term in self.constants))
        for action in self.actions:
            yield from (action.precondition, *(term for _, term in action.effects))

    def values(self, overrides: Mapping[str, int] | None) -> dict[str, int]:
        """The constants with their values, of which ``overrides`` gives some."""
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
    def putting(by: Mapping[str, t.Term]) -> Rewriting:
        """A function that puts terms in the place of the constants."""

        def put(node: t.Kind) -> t.Kind:
            folded = linear(substitute(node, by) if by else node)
            _require_writable(max(integers(folded), default=0), "an integer")
            return folded

        return put

    def _check_divisors(self, values: Mapping[str, int]) -> None:
        for term, source, offset in self.divisors:
            divisor = value(term, values)
            if not 0 < divisor < _LIMIT:
                span = source.span(offset)
                _require_writable(divisor, "the divisor", span)
                shown = str(term) if isinstance(term, t.Int) else f"{term} = {divisor}"
                raise InputError(f"a divisor must be positive, not {shown}", span, "use 1 or more")


def linear(node: t.Kind) -> t.Kind:
    """:func:`~icgsynth.logic.build.fold`, and each gcd with a number is said by remainders."""
    if any(isinstance(part, t.Gcd) for part in walk(node)):
        node = wings.require("rules", "gcd").of_constants(fold(node))
    return fold(node)


def _require_writable(number: int, what: str, span: Span | None = None) -> None:
    """Computed integers keep to the limit of written ones, so that answers can be read back."""
    if abs(number) >= _LIMIT:
        raise InputError(f"{what} grows past {MAX_DIGITS:,} digits", span, "use smaller constants")


def _heaps() -> ModuleType:
    """The module of the wing that knows games of heaps and of piles."""
    return wings.require("rules", "heaps")

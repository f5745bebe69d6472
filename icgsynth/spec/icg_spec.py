"""The rules of an ``.icg`` file with constants not yet set: a game, or a family of games."""

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
    """Which piles a move changes: ``how`` with a constant ``count``, as "at most 2"."""

    how: How
    count: t.Term = _ONE
    place: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Spec:
    """The rules of one ``.icg`` file: a game, or with constants a family of games.

    A game of heaps has its moves in ``splits`` and no ``actions``.  With ``touch`` the game is
    played on any number of piles, and the other fields are the rules of one pile.
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
        """Return the game with the constants ``overrides``; other constants keep their defaults.

        Raises :class:`~icgsynth.errors.InputError` for a game of heaps; and for a blocking game,
        where the opponent may forbid moves, unless ``blocking`` allows it.  For rules of any number
        of piles the override "piles" sets the number.
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
        """Return ``game`` with each product ``k * b`` written as ``if k = 2 then 2 * b else ..``.

        This is done for parameters k of few values, but not in actions that repeat a step k times.
        """
        from icgsynth.game.repeated import by_value, steps_of_multiples

        steps = steps_of_multiples(game)
        return replace(
            game, actions=tuple(a if a.name in steps else by_value(game, a) for a in game.actions)
        )

    def _with_products(self, game: ParametricGame, put: Rewriting) -> ParametricGame:
        """Return ``game`` with conditions on products and quotients put last in each action.

        Raises OutsideLogic for one that is not allowed, found in the rules by means of ``put``,
        which replaces constants by their values.
        """
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
        """Return the error noted for a product that ``put`` maps into ``wrong``; else the first."""
        found = (fault for product, fault in self.products if put(product) in wrong)
        return next(found, self.products[0][1])

    def _all_legal(self) -> str:
        some = " and ".join(f"{variable} >= 0" for variable in self.variables)
        return (
            f"{self.name} has no line 'legal', so negative numbers are states too; to leave them "
            f"out add 'legal {some}', to keep them 'legal true'"
        )

    def members(self, free: Iterable[str], overrides: Mapping[str, int]) -> ParametricGame:
        """Return one game for all members of the family: ``free`` constants become variables.

        They come first, no move changes them, and their values are not bounded.  Another constant
        has its value in ``overrides``, or its default, a term that may contain free constants.
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
        """Raise InputError if the rules have products of unknowns, digits or named sets."""
        for _, fault in self.products:
            raise fault
        self.require_plain()

    def require_plain(self) -> None:
        """Raise InputError if the rules have digits or named sets."""
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
        """Return the game of heaps with the constants ``overrides``; others keep their defaults."""
        return _heaps().heap_game(self, overrides)

    def piles(self, overrides: Mapping[str, int] | None = None) -> Any:
        """Return the game on any number of piles, with the constants ``overrides`` set."""
        return _heaps().pile_game(self, overrides)

    def formulas(self) -> Iterable[t.Node]:
        """Yield the formulas and terms of the rules, and the terms of the constants."""
        yield from (self.legal, self.end, *(term for _, term in self.constants))
        for action in self.actions:
            yield from (action.precondition, *(term for _, term in action.effects))

    def values(self, overrides: Mapping[str, int] | None) -> dict[str, int]:
        """Return the value of each constant: that in ``overrides``, else its default.  InputError
        for a name that is no constant, or a value that makes a divisor less than 1."""
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
        """Return a function that replaces constants in a term or formula by the terms ``by``."""

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
    """Return ``node`` with constants folded, and each gcd with a constant written by remainders."""
    if any(isinstance(part, t.Gcd) for part in walk(node)):
        node = wings.require("rules", "gcd").of_constants(fold(node))
    return fold(node)


def _require_writable(number: int, what: str, span: Span | None = None) -> None:
    """Raise InputError if ``number`` has too many digits to be read back from an answer file."""
    if abs(number) >= _LIMIT:
        raise InputError(f"{what} grows past {MAX_DIGITS:,} digits", span, "use smaller constants")


def _heaps() -> ModuleType:
    return wings.require("rules", "heaps")

"""The impartial game over integer states, its actions and its moves.

:class:`ParametricGame` is the ICG of Definition 2.2 (Wu et al., AAMAS 2020): state
variables, actions, legal states and declared ending states, with unboundedly many states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from operator import index
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args
from unicodedata import normalize

from icgsynth.digits.numeration import Numeration
from icgsynth.errors import IllegalMove, InputError, Span
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, conjunction, fold, integers, substitute, walk
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.nodes import Readable
from icgsynth.logic.prose import in_rules

State: TypeAlias = tuple[int, ...]
PlayRule: TypeAlias = Literal["normal", "misere"]
GivenRule: TypeAlias = Literal["normal", "misere", "misère"] | None
PlainMove: TypeAlias = tuple[str, dict[str, int]]
GivenState: TypeAlias = int | Iterable[int] | Mapping[str, int]
"""A state as somebody gives it: an integer for each variable of the game, in their order or by
name; of one variable the integer alone."""

_MOVES_KEPT = 8192  # moves whose formulas are remembered


@dataclass(frozen=True, slots=True, repr=False)
class Move(Readable):
    """A ground action, as ``take_a(k=3)``: an action with numbers for its parameters."""

    action: str
    arguments: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(str(v) for _, v in self.arguments)
        return f"{self.action}({inner})" if self.arguments else self.action

    @property
    def plain(self) -> PlainMove:
        """Return the pair ``(action, {parameter: value})``."""
        return self.action, dict(self.arguments)

    @property
    def written(self) -> str:
        """Return the move as text with the action's name in the rules: ``split(2)`` for the action
        ``split.1``, one of several that were made of ``split``."""
        return str(Move(self.action.partition(".")[0], self.arguments))


@dataclass(frozen=True, slots=True, repr=False)
class Action(Readable):
    """An action, with its parameters, precondition and effects, which are simultaneous."""

    name: str
    parameters: tuple[str, ...]
    precondition: t.Formula
    effects: tuple[tuple[str, t.Term], ...]

    def __str__(self) -> str:
        head = f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name
        effects = ", ".join(f"{name} := {in_rules(term)}" for name, term in self.effects)
        return f"action {head}\n  pre {in_rules(self.precondition)}\n  eff {effects}"

    def mapped(self, by: Rewriting) -> Action:
        """Return the action with the function ``by`` applied to its precondition and to the terms
        of its effects."""
        precondition = by(self.precondition)
        effects = tuple([(name, by(term)) for name, term in self.effects])
        return Action(self.name, self.parameters, precondition, effects)

    def move(self, values: Iterable[int]) -> Move:
        """Return the move with these ``values`` of the parameters, in their order."""
        return Move(self.name, tuple(zip(self.parameters, values, strict=True)))


@dataclass(frozen=True)
class ParametricGame:
    """An impartial game whose states are integer vectors (constants already substituted).

    ``end`` is the declared ending formula, ``false`` where none is declared.  A state is
    *ending* where ``end`` holds or no action applies.

    With ``block`` = m > 0, in a blocking game, the opponent forbids up to m options before each
    move, the states that moves lead to: under normal play a state is lost iff at most m of its
    options are lost.  The moves listed here are those of the rules, before any is forbidden.

    ``rule`` is the rule of play that the file states, for whoever asks without one.
    """

    name: str
    variables: tuple[str, ...]
    actions: tuple[Action, ...]
    legal: t.Formula = t.TRUE
    end: t.Formula = t.FALSE
    title: str = ""
    citations: tuple[str, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    legal_place: Span | None = field(default=None, compare=False, repr=False)
    block: int = 0
    rule: PlayRule = "normal"

    def __str__(self) -> str:
        lines = [f"game {self.name}" + (f' "{self.title}"' if self.title else "")]
        if self.citations:
            lines.append("cite " + ", ".join(self.citations))
        lines += ["misere"] * (self.rule == "misere")
        lines += [f"const {name} = {number}" for name, number in self.constants]
        lines.append("var " + ", ".join(self.variables))
        if self.legal != t.TRUE:
            lines.append(f"legal {in_rules(self.legal)}")
        if self.end != t.FALSE:
            lines.append(f"end {in_rules(self.end)}")
        if self.block:
            lines.append(f"block {self.block}")
        return "\n".join([*lines, *map(str, self.actions)]) + "\n"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def mapped(self, by: Rewriting) -> ParametricGame:
        """Return the game with the function ``by`` applied to its formulas and terms: those of the
        legal states, then of the end, then of the actions."""
        legal, end = by(self.legal), by(self.end)
        actions = tuple([action.mapped(by) for action in self.actions])
        return replace(self, actions=actions, legal=legal, end=end)

    # --- one state ---------------------------------------------------------

    def env(self, state: Iterable[int]) -> dict[str, int]:
        """Return {variable: its value in ``state``}; :class:`~icgsynth.errors.InputError` where
        ``state`` is not one integer for each variable."""
        try:
            return dict(zip(self.variables, map(index, state), strict=True))
        except (TypeError, ValueError):
            raise no_state(self.name, self.variables, state) from None

    def legal_state(self, given: GivenState) -> State:
        """Return ``given`` as a legal state; :class:`~icgsynth.errors.InputError` for any other.
        The error's message names the variable that is wrong."""
        state = given_numbers(self.name, self.variables, given)
        if not self.is_legal(state):
            message = f"{self.show(state)} is not a legal state"
            raise InputError(message, mend=f"legal: {in_rules(self.legal)}")
        return state

    def is_legal(self, state: State) -> bool:
        return satisfies(self.legal, self.env(state))

    def action(self, name: str) -> Action:
        """Return the action called ``name``; KeyError if there is none."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, Action]:
        return {a.name: a for a in self.actions}

    def applies(self, state: State, move: Move) -> bool:
        action = self._by_name.get(move.action)
        if action is None or tuple(n for n, _ in move.arguments) != action.parameters:
            return False
        may_move = self.is_legal(state) and not satisfies(self.end, self.env(state))
        return may_move and self._fits(state, move)

    def _fits(self, state: State, move: Move) -> bool:
        """Return whether the precondition of ``move`` holds in ``state``, with a legal result."""
        pre, env = self._by_name[move.action].precondition, self.env(state) | dict(move.arguments)
        return satisfies(pre, env) and self.is_legal(self._after(state, move))

    def result(self, state: State, move: Move) -> State:
        if not self.applies(state, move):
            raise IllegalMove(f"{move} does not apply in {self.show(state)}")
        return self._after(state, move)

    def _after(self, state: State, move: Move) -> State:
        env = self.env(state) | dict(move.arguments)
        effects = dict(self._by_name[move.action].effects)
        return tuple(value(effects[v], env) if v in effects else env[v] for v in self.variables)

    def moves(self, state: State) -> Iterator[Move]:
        """Yield every move that applies in ``state``; OverflowError where a parameter of an action
        has no bound there."""
        return (move for move in self.propose(state) if self._fits(state, move))

    def propose(self, state: State) -> Iterator[Move]:
        """Yield all moves that apply in ``state``, and perhaps others; OverflowError where a
        parameter of an action has no bound there."""
        from icgsynth.logic.ranges import candidates

        if not self.is_legal(state) or satisfies(self.end, self.env(state)):
            return
        for action, applies in zip(self.actions, self._applicable, strict=True):
            for arguments in candidates(applies, action.parameters, self.env(state)):
                yield action.move(arguments)

    @cached_property
    def _applicable(self) -> tuple[t.Formula, ...]:
        return tuple(self.applicable(action) for action in self.actions)

    def show(self, state: State) -> str:
        """Return the text of ``state``: ``(a, b) = (7, 4)``, or ``v = 7`` for one variable."""
        if len(state) == 1:
            return f"{self.variables[0]} = {state[0]}"
        return f"({', '.join(self.variables)}) = ({', '.join(map(str, state))})"

    def show_path(self, states: Sequence[State]) -> str:
        """Return the text of ``states``, a path, with the action that leads from each to the next:
        ``(a, b): (1, 0) -back-> (0, 1)``."""
        names = ", ".join(self.variables)
        shown = [str(s[0]) if len(s) == 1 else str(tuple(s)) for s in states]
        moves = [self.move_between(*pair) for pair in pairwise(states)]
        arrows = ["->" if move is None else f"-{move.written}->" for move in moves]
        steps = "".join(f" {arrow} {state}" for arrow, state in zip(arrows, shown[1:], strict=True))
        return f"{names if len(self.variables) == 1 else f'({names})'}: {shown[0]}{steps}"

    def move_between(self, state: State, after: State) -> Move | None:
        """Return the first move, in the order of the actions, that leads from ``state`` to the
        state ``after``; None if none is found."""
        from icgsynth.logic.ranges import candidates

        env = self.env(state)
        for action in self.actions:
            terms = self.after(action)
            there = [t.compare(terms[v], "=", x) for v, x in self.env(after).items()]
            leads = conjunction((self.applicable(action), *there))
            with suppress(OverflowError):  # a parameter that has no bounds, even so
                for arguments in candidates(leads, action.parameters, env):
                    move = action.move(arguments)
                    if self.applies(state, move) and self.result(state, move) == after:
                        return move
        return None

    # --- all states at once --------------------------------------------------

    def after(self, action: Action, arguments: Mapping[str, t.Term] = {}) -> Mapping[str, t.Term]:
        """Return {variable: its term after ``action``}; ``arguments`` maps parameters to terms that
        are put in for them."""
        return _after(self, action, tuple(arguments.items()))

    def applicable(self, action: Action, arguments: Mapping[str, t.Term] = {}) -> t.Formula:
        """Return the formula that ``action`` applies: play is not over, the precondition holds, the
        result is legal.  ``arguments`` maps parameters to terms that are put in for them."""
        return _applicable(self, action, tuple(arguments.items()))

    def formulas(self) -> Iterator[t.Node]:
        """Yield every formula and term of the rules."""
        yield self.legal
        yield self.end
        for action in self.actions:
            yield action.precondition
            yield from (term for _, term in action.effects)

    @cached_property
    def integers(self) -> frozenset[int]:
        """Return the absolute values of all integers in the rules."""
        return frozenset().union(*(integers(f) for f in self.formulas()))

    @cached_property
    def systems(self) -> tuple[Numeration, ...]:
        """Return the numeration systems of the functions of digits, as ``xor``, in the rules; ()
        for none."""
        nodes = (node for formula in self.formulas() for node in walk(formula))
        return tuple(dict.fromkeys(n.system for n in nodes if isinstance(n, t.Digital)))

    @property
    def has_digits(self) -> bool:
        """Return whether the rules have a function of digits, such as ``xor``."""
        return bool(self.systems)

    @cached_property
    def is_quantified(self) -> bool:
        return any(isinstance(n, t.Quantified) for f in self.formulas() for n in walk(f))


def without_digits(game: ParametricGame) -> ParametricGame:
    """Return ``game`` with every condition on digits in a precondition replaced by ``true``: it has
    all moves of ``game`` and perhaps more."""
    actions = [replace(a, precondition=_weakened(a.precondition)) for a in game.actions]
    return replace(game, actions=tuple(actions))


def _weakened(formula: t.Formula) -> t.Formula:
    if not any(isinstance(node, t.Digital) for node in walk(formula)):
        return formula
    if isinstance(formula, t.And | t.Or):
        return fold(type(formula)(tuple(map(_weakened, formula.args))))
    return t.TRUE


def not_blocking(name: str) -> InputError:
    """Return the error for a question that cannot be asked of the game called ``name``, as in it
    the opponent may forbid moves."""
    message = f"{name} is a blocking game ('block'), which this does not know"
    return InputError(message, mend="use icgsynth check, solve, verify or table, and --rule normal")


def without_blocking(game: ParametricGame) -> ParametricGame:
    """Return ``game``; :class:`~icgsynth.errors.InputError` if moves may be forbidden in it."""
    if game.block:
        raise not_blocking(game.name)
    return game


def without_accent(word: str) -> str:
    """Return ``word`` with ``misere`` for ``misère``, in either Unicode form of the letter."""
    return normalize("NFC", word).replace("è", "e")


def play_rule(word: str) -> PlayRule:
    """Return "normal" or "misere" for ``word``, which may be ``misère`` as well;
    :class:`~icgsynth.errors.InputError` for other words."""
    plain = without_accent(str(word))
    if plain not in get_args(PlayRule):
        raise _no_rule(word)
    return cast(PlayRule, plain)


def _no_rule(word: object) -> InputError:
    mend = "there are two: 'normal' and 'misere'"
    return InputError(f"no rule of play is {word!r}", mend=mend)


def require_defined(game: ParametricGame, rule: PlayRule) -> None:
    """Raise :class:`~icgsynth.errors.InputError` where ``game`` cannot be played by ``rule``, or
    there is no such rule.  Misère play of a blocking game is not defined: whether a state wins all
    of whose options may be forbidden is settled nowhere."""
    if rule not in get_args(PlayRule):
        raise _no_rule(rule)
    if game.block and rule == "misere":
        message = f"{game.name}: misère play of a blocking game is not defined"
        mend = "a state whose options are all forbidden may count as won or as lost"
        raise InputError(message, mend=f"use --rule normal: {mend}")


# A search asks for the same moves again and again, and so does each of its proofs.


@lru_cache(maxsize=_MOVES_KEPT)
def _after(
    game: ParametricGame, action: Action, arguments: tuple[tuple[str, t.Term], ...]
) -> Mapping[str, t.Term]:
    effects, given = dict(action.effects), dict(arguments)
    terms = {v: fold(substitute(effects.get(v, t.Name(v)), given)) for v in game.variables}
    return MappingProxyType(terms)


@lru_cache(maxsize=_MOVES_KEPT)
def _applicable(
    game: ParametricGame, action: Action, arguments: tuple[tuple[str, t.Term], ...]
) -> t.Formula:
    pre = substitute(action.precondition, dict(arguments))
    legal_after = substitute(game.legal, _after(game, action, arguments))
    guard = t.TRUE if game.end == t.FALSE else t.Not(game.end)
    parts: tuple[t.Formula, ...] = (guard, pre, legal_after)
    return fold(conjunction(parts))


def given_numbers(game: str, variables: tuple[str, ...], given: GivenState) -> State:
    """Return the state ``given`` by a user as a tuple of the numbers of ``variables``.
    :class:`~icgsynth.errors.InputError`, which names ``game`` and the variable that is wrong, where
    it is not one integer for each."""
    try:
        if isinstance(given, Mapping):
            row = tuple(index(given[name]) for name in variables)
        else:
            row = tuple(map(index, given if isinstance(given, Iterable) else (given,)))
        if len(row) == len(given if isinstance(given, Mapping) else variables):
            return row
    except (KeyError, TypeError):
        pass
    raise no_state(game, variables, given)


def no_state(game: str, variables: tuple[str, ...], given: object) -> InputError:
    """Return the error that says why ``given`` is no state of the game called ``game``, whose
    ``variables`` have an integer each."""
    mend = f"give an integer for each variable: {', '.join(variables)}"
    if isinstance(given, Mapping):
        unknown = [str(name) for name in given if name not in variables]
        lacking = [name for name in variables if name not in given]
        if unknown or lacking:
            said = f"has no variable {unknown[0]}" if unknown else f"has no {lacking[0]}"
            return InputError(f"{game if unknown else 'the state'} {said}", mend=mend)
        given = [given[name] for name in variables]
    if isinstance(given, list | tuple) and len(given) == len(variables):
        for name, number in zip(variables, given, strict=True):
            if not hasattr(number, "__index__"):
                return InputError(f"{name} is an integer, not {number!r}", mend=mend)
    return InputError(f"{given!r} is no state of {game}", mend=mend)

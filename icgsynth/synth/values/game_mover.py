"""Find a move of a parametric game to a state of given Grundy value, for numbers of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base, numeration
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.components import components
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.moves import some_moves
from icgsynth.game.value_forms import (
    ExponentValue,
    Single,
    SumValue,
    WindowValue,
    is_term,
    power_of,
    variables_of,
)
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, substitute
from icgsynth.logic.ranges import candidates
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.values import heap_is, unxor

_LISTED = 1_000  # choices of parameters of an action that are tried one by one
_SECONDS = 5.0  # time for one question to the deciders


class GameMover:
    """Finds moves to states of a given value, in one game with a proved Grundy function."""

    def __init__(self, answer: GrundyAnswer) -> None:
        self.answer = answer
        self.game: ParametricGame = answer.game
        self._power = 0 if answer.value is None else power_of(answer.value)
        self._beside = beside_heap(self.game, self._power)
        self._rules: Rules | None = None
        self._automata: dict[str, Automaton] = {}
        self._parts: dict[tuple[str, ...], GameMover] = {}

    def move(self, state: State, target: int, budget: Budget) -> Move | None:
        """Return a move from ``state`` to one of the Grundy value ``target``; None if not found.

        First moves near the bounds of their parameters are tried, at a small state all moves.  Then
        deciders of linear arithmetic solve for the parameters; for a function of digits an
        automaton of moves computes the state after the move; and for a xor of parts a move in one
        part is searched.  At last more moves are tried.  Each one found is checked by the rules."""
        if self.game.is_quantified:
            raise Refused(f"{self.game.name} has a rule with a quantifier: no move is looked for")
        asked = (state, target, budget)
        ways = (self._decide, self._by_automata, self._in_part)
        found = chain.from_iterable(way(*asked) for way in ways)
        for move in chain(some_moves(self.game, state), found, self._list_moves(state)):
            if self.game.applies(state, move):
                after = self.game.result(state, move)
                if self.answer(after) == target:
                    return move
        return None

    def _list_moves(self, state: State) -> Iterator[Move]:
        for action in self.game.actions:
            applies = self.game.applicable(action)
            listed = candidates(applies, action.parameters, self.game.env(state))
            try:
                for values in islice(listed, _LISTED):
                    yield action.move(values)
            except OverflowError:
                continue

    def _decide(self, state: State, target: int, budget: Budget) -> Iterator[Move]:
        """Yield moves to states of the value ``target`` that a decider of arithmetic finds."""
        for action in self.game.actions:
            goal = self._goal(action, state, target)
            move = None if goal is None else self._model(action, state, (goal,), budget)
            if move is not None:
                yield move

    def _goal(self, action: Action, state: State, target: int) -> t.Formula | None:
        """Return a linear formula that ``action`` leads from ``state`` to a state of the Grundy
        value ``target``; None if the values are not linear."""
        after, value, term = self.game.after(action), self.answer.value, self.answer.term
        if isinstance(value, WindowValue):
            return t.compare(after[value.variable], "=", value.option(state[0], target))
        if term is None or self.answer.logic != "lia":
            return None
        return t.compare(substitute(term, dict(after)), "=", target)

    def _model(
        self, action: Action, state: State, goals: tuple[t.Formula, ...], budget: Budget
    ) -> Move | None:
        """Return a move by ``action`` from ``state`` for which ``goals`` hold, or None."""
        here: dict[str, t.Term] = {name: t.Int(v) for name, v in self.game.env(state).items()}
        asked = (self.game.applicable(action), *goals)
        parts = tuple(fold(substitute(part, here)) for part in asked)
        share = budget.within(_SECONDS)
        reply = decide(parts, action.parameters, share)
        if reply.model is None:
            return None
        return action.move([reply.model[name] for name in action.parameters])

    # --- values of digits -----------------------------------------------------------------------

    def _by_automata(self, state: State, target: int, budget: Budget) -> Iterator[Move]:
        """Yield moves to states of the value ``target``: an automaton tells the state after the
        move, a decider its parameters."""
        heap = self._power**target if self._power else target
        env = {**self.game.env(state), self._beside.variables[-1]: heap}
        for action in self.game.actions:
            try:
                moves, after = self._into(action, budget)
                found = moves.complete({n: v for n, v in env.items() if n in moves.tracks})
            except (Refused, BudgetSpent):
                return
            if found is None:
                continue
            results = self.game.after(action)
            goals = tuple(
                t.compare(results[name], "=", found[later]) for name, later in after.items()
            )
            if (move := self._model(action, state, goals, budget)) is not None:
                yield move

    def _into(self, action: Action, budget: Budget) -> tuple[Automaton, Mapping[str, str]]:
        """Return (automaton, names) for ``action``: it accepts a state, a heap, and the state after
        a move, if the heap is the value of the latter; ``names`` has by variable the one after."""
        value = self.answer.value
        if isinstance(value, ExponentValue):
            value = value.automaton
        if value is None or isinstance(value, SumValue | WindowValue):
            raise Refused("no one automaton tells the value")
        if self._rules is None:
            system = base(2) if self.answer.logic == "lia" else numeration(self.answer.logic)
            require_natural(self.game, budget)
            self._rules = Rules.of(self.game, system, budget)
        step = self._rules.step(action.name)
        if action.name not in self._automata:
            is_heap = heap_is(self._beside, value, self._power)
            relation = self._rules.compiler.formula(is_heap).over(self._beside.variables)
            self._automata[action.name] = step.into(relation).automaton()
        return self._automata[action.name], step.after

    # --- values that are a xor ------------------------------------------------------------------

    def _in_part(self, state: State, target: int, budget: Budget) -> Iterator[Move]:
        """Yield moves to the value ``target`` in one part, where the value is a xor of parts."""
        value = self.answer.value
        if not isinstance(value, SumValue):
            return
        env = self.game.env(state)
        change = self.answer(state) ^ target
        for game in components(self.game, end_is_implied=True):
            here = tuple(env[name] for name in game.variables)
            for part in chain.from_iterable(map(_pieces, value.parts)):
                if not {*variables_of(part)} <= {*game.variables}:
                    continue
                if game.variables not in self._parts:
                    answer = replace(self.answer, value=part, game=game)
                    self._parts[game.variables] = GameMover(answer)
                mover = self._parts[game.variables]
                now = mover.answer(here)
                if now ^ change < now:
                    move = mover.move(here, now ^ change, budget)
                    if move is not None:
                        yield move


def move_to_zero(answer: GrundyAnswer, state: State, budget: Budget) -> Move | None:
    """Return a move from ``state`` to one of value 0; None if it has value 0, or none is found."""
    if answer.known_at(state):
        with suppress(Refused, BudgetSpent):
            return GameMover(answer).move(state, 0, budget)
    return None


def _pieces(part: Single) -> tuple[Single, ...]:
    """Return the terms whose xor is ``part``; (``part``,) if it is no term."""
    return unxor(part) if is_term(part) else (part,)

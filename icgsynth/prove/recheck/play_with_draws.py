"""Checks of an answer with drawn states, on a box and at far states, by the rules as written.

Two looks that share nothing with the provers.  In a box all moves are listed and played out: what
is won or lost there, and what is drawn because no move leads out, has to be what the formulas
say.  And at states of all sizes one step is made: a losing state's moves have to lead to winning
states of a lower level, the rules' move from a winning state to a losing one of a lower level,
from a drawn state to a drawn one, and no move from a drawn state to a losing one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from icgsynth.budget import Budget
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.moves import some_moves
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic.build import negation
from icgsynth.logic.ranges import bound_of_box, box_of
from icgsynth.prove.recheck.action_moves import Mover, Pair
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.far import ask_judge
from icgsynth.prove.recheck.far_judges import Judge
from icgsynth.prove.recheck.plain import compile_node

_CELLS = 700  # integer points of the box that is played out
_MOST = 30  # the largest coordinate in it
_MOVES = 400_000  # looked at for that
_PARAMETERS = 2  # of an action all of whose moves are looked at


def check_draws(
    solution: Solution, plain: ParametricGame, budget: Budget, states: int = 4_000
) -> BoxCheck:
    """Return at how many states ``solution`` is wrong: in a box and at up to ``states`` far ones.
    The box is played out by ``plain``, the rules without quantifiers."""
    box = _Box.of(plain)
    try:
        judge = _DrawnJudge(solution, random.Random(0))
    except (TooHard, RecursionError):
        return BoxCheck(box.bound, 0, 0, FarCheck(0, 0, 0))
    found = box.play(solution.rule == "misere", budget.share(0.5))
    wrong = sum(judge.kind(state) != kind for state, kind in found.items())
    far = ask_judge(judge, list(found), states, budget.share(0.8))
    return BoxCheck(box.bound, len(found), wrong, far)


# --- one step ----------------------------------------------------------------------------------


class _DrawnJudge(Judge):
    """The judge of an answer with drawn states; every other state has a level."""

    def __init__(self, solution: Solution, rng: random.Random) -> None:
        self.draws, (_, losing, drawn) = solution.stated_draws, solution.three_sides()
        super().__init__(solution, rng)
        self.sides = [self.wins, self.loses, self.function(drawn)]
        self.levels = [self.function(level) for level in self.draws.levels]
        rank = self.draws.rank
        self.rank = None if rank is None else compile_node(rank, self.game.variables)
        not_losing = negation(losing)
        self.to_losing = [Mover(self.game, action, not_losing, ()) for action in self.game.actions]
        self.plays = [self.pair(rule) for rule in solution.strategy if isinstance(rule, Rule)]
        self.keeps = [self.pair(rule) for rule in self.draws.keeping]

    @property
    def said(self) -> Solution:
        solution, draws = self.solution, self.draws
        return replace(
            solution,
            cover=(*solution.cover, draws.drawn, draws.ranked, *draws.levels),
            strategy=Strategy((*solution.strategy, *draws.keeping)),
        )

    def kind(self, state: State) -> int:
        """Return what ``state`` is called: 0 winning, 1 losing, 2 drawn; -1 if not just one."""
        held = [i for i, side in enumerate(self.sides) if side(*state)]
        return held[0] if len(held) == 1 else -1

    def level(self, state: State) -> int | None:
        """Return the rank of ``state``, or the place of the first level formula that holds.
        None where the rank is negative, or no formula holds."""
        if self.rank is not None:
            return rank if (rank := self.rank(*state)) >= 0 else None
        return next((i for i, level in enumerate(self.levels) if level(*state)), None)

    def failure(self, state: State) -> Finding | None:
        claim = self._wrong(state)
        return Finding(Verdict.REFUTED, claim, self.game.env(state)) if claim else None

    def _wrong(self, state: State) -> str:
        """Return in words the claim of the answer that fails at ``state``; "" if none is seen."""
        kind = self.kind(state)
        if kind < 0:
            return "each state is exactly one of winning, losing and drawn"
        level = self.level(state)
        if kind < 2 and level is None:
            return "a winning or losing state has a level"
        if not self.can_move(state, bool(self.ended(*state))):
            right = 0 if self.solution.rule == "misere" else 1
            return "" if kind == right else "a state without a move is rightly named"
        return (self._check_won, self._check_lost, self._check_drawn)[kind](
            state, -1 if level is None else level
        )

    def _leads_to(self, after: State, kind: int, level: int) -> bool:
        lower = self.level(after)
        return self.kind(after) == kind and lower is not None and lower < level

    def _check_won(self, state: State, level: int) -> str:
        after = _play(self.plays, state)
        if after is None:
            return "the strategy has a move that applies for every winning state"
        self.states.offer(after)
        if not self._leads_to(after, 1, level):
            return "the strategy leads to a losing state of a lower level"
        return ""

    def _check_lost(self, state: State, level: int) -> str:
        for mover in self.movers:
            for arguments in mover.telling.some(self.rng.random, state):
                after = mover.after(state, arguments)
                if after is not None and not self._leads_to(after, 0, level):
                    return "every move from a losing state leads to a winning one, a level lower"
            if _leads(mover, state):  # some move, of all of them, to a state that does not win
                return "every move from a losing state leads to a winning one"
        return ""

    def _check_drawn(self, state: State, _: int) -> str:
        for mover in self.to_losing:
            points = mover.telling.some(self.rng.random, state)
            if mover.first_bad(state, (), points) is not None or _leads(mover, state):
                return "no move from a drawn state leads to a losing one"
        after = _play(self.keeps, state)
        if after is None:
            return "a rule that keeps the draw applies in every drawn state"
        self.states.offer(after)
        return "" if self.kind(after) == 2 else "the rule for drawn states leads to a drawn one"


def _leads(mover: Mover, state: State) -> bool:
    """Return whether a move leads out of the winning states; False also where it is too hard."""
    # With many parameters to try, or where it is too hard, only the moves near boundaries are
    # looked at, which was done before.
    if len(mover.action.parameters) > _PARAMETERS:
        return False
    try:
        return mover.can_win(state)
    except TooHard:
        return False


def _play(pairs: Sequence[Pair], state: State) -> State | None:
    for pair in pairs:
        found = pair.play(*state)
        if found is not None:
            return found[1] if found else None
    return None


# --- a box -------------------------------------------------------------------------------------


class _Box:
    """The legal states with small coordinates, with all their moves."""

    def __init__(self, game: ParametricGame, bound: int) -> None:
        self.game, self.bound = game, bound
        sides = box_of(game.legal, game.variables, bound)
        points = product(*(range(lo, hi + 1) for lo, hi in sides))
        self.states = [state for state in points if game.is_legal(state)]

    @staticmethod
    def of(game: ParametricGame) -> _Box:
        """Return the largest box of states of ``game`` that has at most :data:`_CELLS` cells."""
        bound = bound_of_box(game.legal, game.variables, _MOST, _CELLS)
        return _Box(game, bound)

    def play(self, misere: bool, budget: Budget) -> dict[State, int]:
        """Return by state 0 where it is surely winning, 1 losing, 2 drawn; no other states."""
        # Round by round: a state is winning as soon as a move leads to a losing state, losing once
        # all its moves lead to winning ones; in the end those left are drawn from which no way
        # leads out of the box.
        moves, opened = self._moves(budget)
        kinds: dict[State, int] = {}
        for state, after in moves.items():
            if not after and state not in opened:
                kinds[state] = 0 if misere else 1
        changed = True
        while changed:
            changed = False
            for state, after in moves.items():
                if state in kinds:
                    continue
                known = {kinds.get(there) for there in after}
                if 1 in known:
                    kinds[state], changed = 0, True
                elif state not in opened and known == {0}:
                    kinds[state], changed = 1, True
        opened -= kinds.keys()
        while spread := {
            state
            for state, after in moves.items()
            if state not in kinds and state not in opened and opened & after
        }:
            opened |= spread
        left = (state for state in moves if state not in kinds and state not in opened)
        return kinds | dict.fromkeys(left, 2)

    def _moves(self, budget: Budget) -> tuple[dict[State, set[State]], set[State]]:
        """Return (states after, by state, within the box; states that may have others besides)."""
        inside, spent = set(self.states), 0
        moves: dict[State, set[State]] = {state: set() for state in self.states}
        opened: set[State] = set()
        for state, after in moves.items():
            if spent > _MOVES or budget.is_spent:
                opened.add(state)
                continue
            try:
                for move in self.game.moves(state):
                    spent += 1
                    after.add(self.game.result(state, move))
            except OverflowError:  # a parameter without bounds
                opened.add(state)
                after |= {self.game.result(state, move) for move in some_moves(self.game, state)}
            if not after <= inside:
                opened.add(state)
                after &= inside
        return moves, opened

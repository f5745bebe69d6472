"""Judges of an answer at single states, by the rules, in Python integers.

Nothing here is shared with the provers: formulas are read by :mod:`icgsynth.prove.recheck.plain`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from icgsynth.errors import Refused
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.game import State
from icgsynth.game.repeated import stepwise
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import integers
from icgsynth.prove.recheck.action_moves import Aimed, Arguments, Mover, Pair
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.plain import Code, Function, compile_node
from icgsynth.prove.recheck.states import Aims, States

_MANY = 20_000  # moves of one action in one state


class Judge(ABC):
    """Base of the judges, who check the rules and an answer at one state after the other.
    ``movers`` have the moves of each action, and know where the answer says "winning"."""

    def __init__(
        self, solution: Solution, rng: random.Random, ranking: Sequence[t.Term] = ()
    ) -> None:
        game = solution.game
        self.solution, self.game, self.rng = solution, game, rng
        self.wins = self.function(solution.winning_formula)
        self.loses = self.function(solution.losing_formula)
        self.ended = self.function(game.end)
        winning = solution.winning_formula
        self.movers = [Mover(game, action, winning, ranking) for action in game.actions]
        self.by_name = {mover.action.name: mover for mover in self.movers}
        nodes = [*game.formulas(), *solution.formulas()]
        special = frozenset().union(*(integers(node) for node in nodes))
        aims, legal = Aims.of(stepwise(game), self.said), self.function(game.legal)
        self.states = States(game.variables, game.legal, legal, aims, special, rng)

    @property
    def said(self) -> Solution:
        """Return the answer whose comparisons tell near which boundaries far states are drawn."""
        return self.solution

    def function(self, formula: t.Node) -> Function:
        """Return ``formula``, or a term, as a Python function of the numbers of a state."""
        return compile_node(formula, self.game.variables)

    @abstractmethod
    def failure(self, state: State) -> Finding | None:
        """Return what is wrong with the answer at the legal ``state``; None if nothing is seen."""

    def pair(self, rule: Rule) -> Pair:
        """Return ``rule`` with the moves of its action, to be played at single states."""
        return Pair(self.game, rule, self.by_name[rule.act.action])

    def can_move(self, state: State, over: bool) -> bool:
        """Return whether a move applies in ``state``; False where play is declared ``over``."""
        return not over and any(mover.can_move(state, self.rng.random) for mover in self.movers)


class OrdinaryJudge(Judge):
    """The judge of an answer that calls each state won or lost."""

    def __init__(self, solution: Solution, ranking: tuple[t.Term, ...], rng: random.Random) -> None:
        super().__init__(solution, rng, ranking)
        self.covered = self.function(t.Or(solution.cover)) if solution.cover else None
        code = Code(self.game.variables)
        self.rank = code.function(f"({''.join(code.text(term) + ', ' for term in ranking)})")
        self.has_ranking = bool(ranking)
        said = (solution.winning_formula, solution.losing_formula)
        self.says = code.function(f"({', '.join(map(code.text, said))})")
        self.strategy = [
            self.pair(rule)
            if isinstance(rule, Rule)
            else Aimed(self.game, rule, self.by_name[rule.action])
            for rule in solution.strategy
        ]
        self.tree = [self.pair(rule) for rule in solution.tree]
        self.asked = 0

    def failure(self, state: State) -> Finding | None:
        self.asked += 1
        wins, loses = self.says(*state)
        if wins == loses:
            return self._at(state, "each state is either winning or losing")
        automaton = self.solution.automaton
        if automaton is not None and automaton.accepts(state) != loses:
            return self._at(state, "the automaton recognises the states of the losing formula")
        if self.covered is not None and bool(self.covered(*state)) != wins:
            return self._at(state, "the cells of the cover together are the winning states")
        over = bool(self.ended(*state))
        return self._check_lost(state, over) if loses else self._check_won(state, over)

    def _check_lost(self, state: State, over: bool) -> Finding | None:
        rank = self.rank(*state)
        if not over and (failure := self._slips(state, rank)) is not None:
            return failure
        if self.solution.rule == "misere" and not self.can_move(state, over):
            return self._at(state, "under misère a losing state has a move")
        return None

    def _slips(self, state: State, rank: tuple[int, ...]) -> Finding | None:
        """Return what is wrong with some move from a losing ``state``, of the ranking ``rank``;
        None where each move tried leads to a winning state and lowers the ranking."""
        tried = [(mover, self.try_at(mover, state)) for mover in self.movers]
        pairs = [
            p for p in (*self.strategy, *self.tree) if isinstance(p, Pair) or self.asked % 8 == 0
        ]
        played = ((p.mover, p.arguments(*state)) for p in pairs)
        tried += [(mover, [arguments]) for mover, arguments in played if arguments is not None]
        for mover, points in tried:
            found = mover.first_bad(state, rank, points)
            if found is not None:
                return self._check_move(state, mover, *found, wanted=True)
        return None

    def try_at(self, mover: Mover, state: State) -> Sequence[Arguments]:
        """Return some arguments, to be tried at a losing ``state``, of the action of ``mover``."""
        return mover.telling.some(self.rng.random, state)

    def _check_won(self, state: State, over: bool) -> Finding | None:
        if over:
            if self.solution.rule == "misere":
                return None
            return self._at(state, "a state without a move is losing")
        for pairs, strict in ((self.strategy, True), (self.tree, False)):
            if pairs and (failure := self._plays(state, pairs, strict)) is not None:
                return failure
        if not self.strategy and self._must_move(state) and not self._can_win(state):
            return self._at(state, "a winning state has a move to a losing state")
        if self.asked % 4 or not self.has_ranking:
            return None
        rank = self.rank(*state)
        for mover in self.movers:
            found = mover.first_rising(state, rank, mover.moves.some(self.rng.random, state))
            if found is not None:
                return self._check_move(state, mover, *found, wanted=False)
        return None

    def _plays(self, state: State, pairs: Sequence[Pair | Aimed], strict: bool) -> Finding | None:
        """Return what is wrong with the first of ``pairs`` that matches ``state``; None if it wins.
        With ``strict`` a rule matches by its condition alone, else only where its move applies."""
        name = "strategy" if strict else "tree"
        for pair in pairs:
            played = pair.play(*state)
            if played is None:
                continue
            if not played:
                if not strict or not pair.is_bound(state):
                    continue
                if not self._must_move(state):
                    return None
                claim = f"the {name}: the move of '{pair.rule}' is legal"
                arguments = pair.arguments(*state)
                mover = None if arguments is None else pair.mover
                return self._at(state, claim, mover, arguments or ())
            arguments, after = played
            if self.asked % 2 == 0:
                self.states.offer(after)
            if not self.loses(*after):
                claim = f"the {name}: '{pair.rule}' leads to a losing state"
                return self._at(state, claim, pair.mover, arguments)
            if self.has_ranking and self.rank(*after) >= self.rank(*state):
                return self._check_move(state, pair.mover, arguments, after, wanted=False)
            return None
        if not self._must_move(state):
            return None
        return self._at(state, f"the {name} has a move for every winning state")

    def _must_move(self, state: State) -> bool:
        return self.solution.rule == "normal" or self.can_move(state, False)

    def _can_win(self, state: State) -> bool:
        try:
            return any(mover.can_win(state) for mover in self.movers)
        except TooHard:
            return True

    # --- failures -------------------------------------------------------------------------------

    def _check_move(
        self, state: State, mover: Mover, arguments: Sequence[int], after: State, wanted: bool
    ) -> Finding:
        """Return a finding on a move by ``mover`` to the state ``after``: it does not win, where
        that is ``wanted``, or it does not lower the ranking."""
        if wanted and not self.wins(*after):
            return self._at(
                state, "no move leads from a losing state to a losing state", mover, arguments
            )
        return self._at(state, "the ranking decreases with every move", mover, arguments)

    def _at(
        self,
        state: State,
        claim: str,
        mover: Mover | None = None,
        arguments: Sequence[int] = (),
    ) -> Finding:
        witness = dict(zip(self.game.variables, state, strict=True))
        if mover is not None:
            claim = f"{claim} (here {mover.action.name})"
            witness |= zip(mover.action.parameters, arguments, strict=True)
        return Finding(Verdict.REFUTED, claim, witness)


class EveryMove(OrdinaryJudge):
    """A judge who lists all moves of each state; :class:`TooHard` for many.
    The ranking has to fall with each of them."""

    def failure(self, state: State) -> Finding | None:
        if (failure := super().failure(state)) is not None or self.ended(*state):
            return failure
        rank = self.rank(*state)
        for mover in self.movers:
            found = mover.first_rising(state, rank, self.try_at(mover, state))
            if found is not None:
                return self._check_move(state, mover, *found, wanted=False)
        return None

    def try_at(self, mover: Mover, state: State) -> Sequence[Arguments]:
        try:
            return mover.list_all(state, _MANY)
        except Refused as why:
            raise TooHard(str(why)) from None

    def can_move(self, state: State, over: bool) -> bool:
        return not over and any(m.applies(state, self.try_at(m, state)) for m in self.movers)

    def _can_win(self, state: State) -> bool:
        return any(m.first_losing(state, self.try_at(m, state)) is not None for m in self.movers)


class EveryValue(EveryMove):
    """A judge of a term as the Grundy value of each state, by all of its moves.

    No move may keep the value, and to each smaller one a move has to lead.  Of the ``solution``
    nothing else is asked."""

    def __init__(self, solution: Solution, value: t.Term, ranking: tuple[t.Term, ...]) -> None:
        super().__init__(solution, ranking, random.Random(0))
        self.value = self.function(value)

    def failure(self, state: State) -> Finding | None:
        value, rank = self.value(*state), self.rank(*state)
        met = set[int]()
        for mover in () if self.ended(*state) else self.movers:
            points = self.try_at(mover, state)
            if (up := mover.first_rising(state, rank, points)) is not None:
                return self._check_move(state, mover, *up, wanted=False)
            after = (mover.after(state, arguments) for arguments in points)
            met |= {self.value(*there) for there in after if there is not None}
        if value in met:
            return self._at(state, f"no move keeps the value {value}")
        if value < 0 or not met.issuperset(range(value)):
            return self._at(state, f"moves lead to all values below {value}")
        return None


class BlockingJudge(OrdinaryJudge):
    """A judge of a blocking game, who counts options.

    Of a losing state some moves are tried, and all that the strategy names; of a winning state it
    has to name more moves than may be forbidden."""

    def _check_lost(self, state: State, over: bool) -> Finding | None:
        rank, lost = self.rank(*state), set[State]()
        for mover in () if over else self.movers:
            points = mover.telling.some(self.rng.random, state)
            if self.has_ranking and (up := mover.first_rising(state, rank, points)) is not None:
                return self._check_move(state, mover, *up, wanted=False)
            found = (mover.after(state, arguments) for arguments in points)
            lost |= {after for after in found if after is not None and self.loses(*after)}
        if self.asked % 8 == 0 and not over:
            lost |= {
                after for _, _, after in self._list_named(state) if after and self.loses(*after)
            }
        if len(lost) <= self.game.block:
            return None
        return self._at(state, f"a losing state has at most {self.game.block} losing options")

    def _check_won(self, state: State, over: bool) -> Finding | None:
        if over:
            return self._at(state, "a state without a move is losing")
        rank, different = self.rank(*state), set[State]()
        for pair, arguments, after in self._list_named(state):
            if after is None:
                return self._at(state, f"the strategy: '{pair.rule}' names a move that applies")
            if not self.loses(*after):
                claim = f"the strategy: '{pair.rule}' leads to losing states"
                return self._at(state, claim, pair.mover, arguments)
            if self.has_ranking and self.rank(*after) >= rank:
                return self._check_move(state, pair.mover, arguments, after, wanted=False)
            if self.asked % 2 == 0:
                self.states.offer(after)
            different.add(after)
        if len(different) > self.game.block or not self.strategy:
            return None
        claim = f"the strategy names more than {self.game.block} moves for every winning state"
        return self._at(state, claim)

    def _list_named(self, state: State) -> Iterator[tuple[Aimed, Sequence[int], State | None]]:
        """Yield (rule, arguments, state after) for the moves that the strategy names in ``state``;
        the state is None where the move does not apply."""
        for pair in self.strategy:
            if isinstance(pair, Aimed):
                for _, move in pair.aim(state, self.game.block + 1):
                    yield (pair, *move) if move is not None else (pair, (), None)

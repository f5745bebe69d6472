"""The answer at far states: the rules as they were written, in Python integers.

Thousands of random legal states, with coordinates up to 10^30 and next to every boundary of the
rules and of the answer, are put through the original rules.  A losing state's moves have to lead
to winning states, a winning state's move to a losing one, and the ranking has to fall.  This
shares nothing with the provers: formulas are read by :mod:`icgsynth.prove.recheck.plain`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from icgsynth.budget import Budget
from icgsynth.game.game import State
from icgsynth.game.solution import FarCheck, Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import integers, walk
from icgsynth.prove.recheck.action_moves import Aimed, Mover, Pair
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.drawn_members import constants_in_products, draw_members
from icgsynth.prove.recheck.plain import Code, Function, compiled, limited
from icgsynth.prove.recheck.states import Aims, States
from icgsynth.prove.recheck.sums import is_xor

_DIGITS_COST = 2  # how many times longer a state takes where digits are read one by one
_BLOCKING_COST = 16  # the same where several moves are named at each state
_STEPS = 50_000  # numbers tried for quantifiers at one state
_ENOUGH = 20  # disagreements, after which no more are looked for
_MEMBERS = 20  # of a family, among which the states are divided
_GIVEN_UP = 50  # states that are too hard to decide, after which the check stops


def check_far(
    solution: Solution,
    budget: Budget,
    states: int = 4_000,
    seed: int = 0,
    ranking: Sequence[t.Term] = (),
) -> FarCheck:
    """Check ``solution`` at ``states`` legal states; at fewer where there are fewer, or no time.

    A wrong answer is not checked to the end.

    Answers in digits take longer to read, so they are checked at a part of the states.

    ``ranking`` has the components of what decreases with every move, in order of precedence.
    States where the rules or the answer take too long to evaluate are not counted.  Where
    constants of a family are variables, and factors or divisors, states are those of members.
    """
    if solution.winning is None or solution.losing is None:
        return FarCheck(0, 0, 0)
    tally, rng = _Tally(), random.Random(seed)
    try:
        if names := constants_in_products(solution):
            each = -(-states // _MEMBERS)
            drawn = draw_members(solution, ranking, names, _MEMBERS, rng)
            for constants, member, ranks in drawn:
                tally.constants = constants
                _check(_Judge(member, ranks, rng), tally, each, budget)
        else:
            kind = _BlockingJudge if solution.game.block else _Judge
            judge = kind(solution, tuple(ranking), rng)
            _check(judge, tally, -(-states // _cost(solution)), budget)
    except (TooHard, RecursionError):
        return tally.result() if tally.failed else FarCheck(0, 0, 0)
    return tally.result()


def _check(judge: _Judge, tally: _Tally, states: int, budget: Budget) -> None:
    with limited(_STEPS) as left:  # anew for each state
        for state in judge.states.draw(states, budget):
            try:
                failure = judge.failure(state)
            except TooHard:
                tally.skipped += 1
            else:
                tally.states.append((*tally.constants.values(), *state))
                if failure is not None:
                    witness = {**tally.constants, **failure.witness}
                    tally.failed.append(_Failure(failure.claim, witness))
            if tally.skipped == _GIVEN_UP or len(tally.failed) >= _ENOUGH:
                break
            left[0] = _STEPS


@dataclass
class _Tally:
    """What was found so far."""

    states: list[State] = field(default_factory=list)
    failed: list[_Failure] = field(default_factory=list)
    skipped: int = 0
    constants: Mapping[str, int] = field(default_factory=dict)  # of the member at hand

    def result(self) -> FarCheck:
        reach = max(map(abs, chain.from_iterable(self.states)), default=0)
        counts = len(self.states), reach, len(self.failed)
        if not self.failed:
            return FarCheck(*counts)
        return FarCheck(*counts, self.failed[0].claim, self.failed[0].witness)


def _cost(solution: Solution) -> int:
    """How many times longer a state takes than in linear arithmetic, very roughly."""
    if solution.game.block:
        return _BLOCKING_COST
    nodes = (n for f in solution.formulas() for n in walk(f))
    digits = any(
        isinstance(n, t.Recognised) or (isinstance(n, t.Digital) and not is_xor(n)) for n in nodes
    )
    aimed = any(isinstance(rule, TargetRule) for rule in solution.strategy)
    return _DIGITS_COST if digits or aimed else 1


@dataclass(frozen=True, slots=True)
class _Failure:
    claim: str
    witness: Mapping[str, int]


class _Judge:
    """The rules and the answer, ready to be asked about one state after the other."""

    def __init__(self, solution: Solution, ranking: tuple[t.Term, ...], rng: random.Random) -> None:
        game = solution.game
        self.solution, self.game, self.rng = solution, game, rng
        self.winning = solution.winning_formula
        self.wins, self.loses = (
            self._function(self.winning),
            self._function(solution.losing_formula),
        )
        self.ended = self._function(game.end)
        self.covered = self._function(t.Or(solution.cover)) if solution.cover else None
        code = Code(game.variables)
        self.rank = code.function(f"({''.join(code.text(term) + ', ' for term in ranking)})")
        self.has_ranking = bool(ranking)
        self.movers = [Mover(game, action, self.winning, ranking) for action in game.actions]
        self.by_name = {mover.action.name: mover for mover in self.movers}
        self.strategy = [
            Pair(game, rule, self.by_name[rule.act.action])
            if isinstance(rule, Rule)
            else Aimed(game, rule, self.by_name[rule.action])
            for rule in solution.strategy
        ]
        self.tree = [Pair(game, rule, self.by_name[rule.act.action]) for rule in solution.tree]
        self.states = self._states()
        self.asked = 0

    def _function(self, formula: t.Formula) -> Function:
        return compiled(formula, self.game.variables)

    def _states(self) -> States:
        nodes = [*self.game.formulas(), *self.solution.formulas()]
        special = frozenset().union(*(integers(node) for node in nodes))
        aims = Aims.of(self.game, self.solution)
        legal = self._function(self.game.legal)
        return States(self.game.variables, self.game.legal, legal, aims, special, self.rng)

    # --- one state ----------------------------------------------------------------------------

    def failure(self, state: State) -> _Failure | None:
        """What is wrong at a legal ``state``; None where nothing is."""
        self.asked += 1
        wins, loses = self.wins(*state), self.loses(*state)
        if wins == loses:
            return self._at(state, "each state is either winning or losing")
        automaton = self.solution.automaton
        if automaton is not None and automaton.accepts(state) != loses:
            return self._at(state, "the automaton recognises the states of the losing formula")
        if self.covered is not None and bool(self.covered(*state)) != wins:
            return self._at(state, "the cells of the cover together are the winning states")
        over = bool(self.ended(*state))
        return self._lost(state, over) if loses else self._won(state, over)

    def _lost(self, state: State, over: bool) -> _Failure | None:
        rank = self.rank(*state)
        if not over and (failure := self._slips(state, rank)) is not None:
            return failure
        if self.solution.rule == "misere" and not self._can_move(state, over):
            return self._at(state, "under misère a losing state has a move")
        return None

    def _slips(self, state: State, rank: tuple[int, ...]) -> _Failure | None:
        """A wrong move at a losing state: of a sample, and of what the strategy would play."""
        tried = [(m, m.telling.some(self.rng.random, state)) for m in self.movers]
        pairs = [
            p for p in (*self.strategy, *self.tree) if isinstance(p, Pair) or self.asked % 8 == 0
        ]
        played = ((p.mover, p.arguments(*state)) for p in pairs)
        tried += [(mover, [arguments]) for mover, arguments in played if arguments is not None]
        for mover, points in tried:
            found = mover.first_bad(state, rank, points)
            if found is not None:
                return self._moved(state, mover, *found, wanted=True)
        return None

    def _won(self, state: State, over: bool) -> _Failure | None:
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
                return self._moved(state, mover, *found, wanted=False)
        return None

    def _plays(self, state: State, pairs: Sequence[Pair | Aimed], strict: bool) -> _Failure | None:
        """Whether the first pair that matches wins; ``strict``: a condition alone matches."""
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
                claim = f"the {name}: where {pair.rule}, the action applies"
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
                return self._moved(state, pair.mover, arguments, after, wanted=False)
            return None
        if not self._must_move(state):
            return None
        return self._at(state, f"the {name} has a move for every winning state")

    def _must_move(self, state: State) -> bool:
        """Whether a winning state has to be won by a move: under misère not where there is none."""
        return self.solution.rule == "normal" or self._can_move(state, False)

    def _can_win(self, state: State) -> bool:
        """Whether a move leads to a losing state, or nobody can tell."""
        try:
            return any(mover.can_win(state) for mover in self.movers)
        except TooHard:
            return True

    def _can_move(self, state: State, over: bool) -> bool:
        return not over and any(mover.can_move(state, self.rng.random) for mover in self.movers)

    # --- failures -------------------------------------------------------------------------------

    def _moved(
        self, state: State, mover: Mover, arguments: Sequence[int], after: State, wanted: bool
    ) -> _Failure:
        """Why a move is wrong: it leads to a state that does not win, or the ranking stays."""
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
    ) -> _Failure:
        witness = dict(zip(self.game.variables, state, strict=True))
        if mover is not None:
            claim = f"{claim} (here {mover.action.name})"
            witness |= zip(mover.action.parameters, arguments, strict=True)
        return _Failure(claim, witness)


class _BlockingJudge(_Judge):
    """The same of a blocking game: options are counted.

    Of a losing state some moves are tried, and all that the strategy names; of a winning state it
    has to name more moves than may be forbidden.
    """

    def _lost(self, state: State, over: bool) -> _Failure | None:
        rank, lost = self.rank(*state), set[State]()
        for mover in () if over else self.movers:
            points = mover.telling.some(self.rng.random, state)
            if self.has_ranking and (up := mover.first_rising(state, rank, points)) is not None:
                return self._moved(state, mover, *up, wanted=False)
            found = (mover.after(state, arguments) for arguments in points)
            lost |= {after for after in found if after is not None and self.loses(*after)}
        if self.asked % 8 == 0 and not over:
            lost |= {after for _, _, after in self._named(state) if after and self.loses(*after)}
        if len(lost) <= self.game.block:
            return None
        return self._at(state, f"a losing state has at most {self.game.block} losing options")

    def _won(self, state: State, over: bool) -> _Failure | None:
        if over:
            return self._at(state, "a state without a move is losing")
        rank, different = self.rank(*state), set[State]()
        for pair, arguments, after in self._named(state):
            if after is None:
                return self._at(state, f"the strategy: '{pair.rule}' names a move that applies")
            if not self.loses(*after):
                claim = f"the strategy: '{pair.rule}' leads to losing states"
                return self._at(state, claim, pair.mover, arguments)
            if self.has_ranking and self.rank(*after) >= rank:
                return self._moved(state, pair.mover, arguments, after, wanted=False)
            if self.asked % 2 == 0:
                self.states.offer(after)
            different.add(after)
        if len(different) > self.game.block or not self.strategy:
            return None
        claim = f"the strategy names more than {self.game.block} moves for every winning state"
        return self._at(state, claim)

    def _named(self, state: State) -> Iterator[tuple[Aimed, Sequence[int], State | None]]:
        """What the strategy names, up to one more than may be forbidden of each action."""
        for pair in self.strategy:
            if isinstance(pair, Aimed):
                for _, move in pair.named(state, self.game.block + 1):
                    yield (pair, *move) if move is not None else (pair, (), None)

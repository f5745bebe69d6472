"""The claims of an answer as equations between sets of states, for any engine of sets.

Each part of an answer is a list of equations between two sets.  An engine has the sets
(:class:`StateSets`): it says which states a formula or a rule speaks of, and looks whether two sets
are equal.  Where linear formulas are enough, no sets are needed: :mod:`~.stated` has obligations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import Refused
from icgsynth.game.game import PlayRule
from icgsynth.game.line import Line
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction

S = TypeVar("S")  # a set of states of an engine, or a relation between states before and after

_TARGETS = "{} leads to the targets of its automaton, and these are losing"


@dataclass(frozen=True, slots=True)
class Equation(Generic[S]):
    """The ``claim`` that two sets are equal; a state that only one of them has refutes it."""

    claim: str
    left: S
    right: S


class StateSets(Protocol[S]):
    """The states of a game, legal, none and ending ones, and its moves, as sets of one engine.

    Every method may raise what the engine raises where a question is out of its reach."""

    @property
    def legal(self) -> S: ...
    @property
    def none(self) -> S: ...
    @property
    def ending(self) -> S: ...

    def where(self, formula: t.Formula) -> S:
        """Return the legal states where ``formula`` holds."""

    def both(self, one: S, other: S) -> S:
        """Return the set of states that are in both sets."""

    def without(self, one: S, other: S) -> S:
        """Return the set of states that are in ``one`` and not in ``other``."""

    def recognise(self, automaton: Automaton) -> S:
        """Return the legal states that ``automaton`` accepts."""

    def solves(self, losing: S, rule: PlayRule, runs: Mapping[str, S]) -> Iterator[Equation[S]]:
        """Yield equations that hold only if ``losing`` are the losing states under ``rule``.

        ``runs`` has, for each action that repeats a step, the states from which it leads to
        ``losing``.  An engine may leave to the equations of the strategy that each winning state
        has a move to a losing one; it then looks at these too.  Where ``losing`` is wrong it may
        raise."""

    def repeats(self) -> Collection[str]:
        """Return the names of the actions that repeat a step (:mod:`icgsynth.game.repeated`)."""

    def once_before(self, action: str, goal: S) -> S:
        """Return the legal states from which one step of ``action`` leads into ``goal``."""

    def by(self, act: SemiGroundAction, goal: S | None) -> S:
        """Return the states where ``act`` applies and, if there is a ``goal``, leads into it."""

    def name(self, pair: TargetRule, where: S, losing: S) -> tuple[S, S]:
        """Return the moves from ``where`` that ``pair`` names, and those of them to ``losing``."""

    def sources(self, moves: S) -> S:
        """Return the states that ``moves`` start from."""

    def along(self, pair: TargetRule, line: Line, where: S, losing: S) -> S:
        """Return the states ``where`` from which ``pair`` leads along its line to ``losing``."""

    def unblocked(self, moves: Sequence[S]) -> S:
        """Return the legal states that keep one of ``moves``, whichever the opponent forbids."""


def parts_of(solution: Solution) -> list[str]:
    """Return the names of the parts that ``solution`` claims: "winning", "strategy", .."""
    parts = ["winning", "strategy", *["drawn"] * (solution.draws is not None)]
    return parts + ["fft"] * bool(solution.tree) + ["cover"] * bool(solution.cover)


@dataclass(frozen=True, eq=False)
class StatedParts(Generic[S]):
    """The equations that each part of ``solution`` claims; ``losing`` are its losing states.

    The equations of a part have to be looked at in order, each before the next is asked for."""

    solution: Solution
    sets: StateSets[S]
    losing: S

    @property
    def parts(self) -> Mapping[str, Callable[[], Iterator[Equation[S]]]]:
        """Return, by the name of each part, the function that yields the equations of that part."""
        return {
            "winning": self.winning,
            "strategy": self.strategy,
            "fft": self.tree,
            "cover": self.cover,
        }

    def winning(self) -> Iterator[Equation[S]]:
        """Yield the equations which say that ``losing`` and the winning formula are right.

        They say that any automaton accepts the ``losing`` states, that the winning formula holds in
        all other legal states, and what the rule of play demands of these sets.  Raises Refused
        where no rule tells where an action repeats its step."""
        sets, solution = self.sets, self.solution
        if solution.automaton is not None:
            claim = "the automaton recognises the states of the losing formula"
            yield Equation(claim, sets.recognise(solution.automaton), self.losing)
        won = sets.where(solution.winning_formula)
        yield Equation("each state is either winning or losing", won, self._won)
        runs: dict[str, S] = {}
        for pair in solution.strategy:
            if isinstance(pair, RunRule):
                runs[pair.action], equation = self._run(pair)
                yield equation
        if missing := set(sets.repeats()) - runs.keys():
            raise Refused(f"no rule says where {min(missing)} leads to a losing state")
        yield from sets.solves(self.losing, solution.rule, runs)

    def strategy(self) -> Iterator[Equation[S]]:
        """Yield the equations of the strategy: the first rule that matches wins, and one does."""
        if self.solution.game.block:
            yield from self._unblocked()
            return
        if not self.solution.strategy:
            raise Refused("there is no strategy")
        left = self._to_move
        for pair in self.solution.strategy:
            used = self.sets.both(self.sets.where(pair.when), left)
            if isinstance(pair, Rule):
                claim = f"where {pair.when}, {pair.act} applies and leads to a losing state"
                yield self._wins(pair, used, claim)
            elif isinstance(pair, RunRule):
                run, equation = self._run(pair)
                yield equation
                used = self.sets.both(used, run)
            elif pair.line is None:
                moves, right = self.sets.name(pair, used, self.losing)
                yield Equation(_TARGETS.format(pair.action), moves, right)
                used = self.sets.sources(moves)
            else:
                used = self.sets.along(pair, pair.line, used, self.losing)
            left = self.sets.without(left, used)
        yield Equation("the strategy covers every winning state", left, self.sets.none)

    def _run(self, pair: RunRule) -> tuple[S, Equation[S]]:
        """Return the states that the automaton of ``pair`` accepts, and the equation that from
        these, and no others, its action leads to a losing state."""
        sets, run = self.sets, self.sets.recognise(pair.target)
        neither = sets.without(self._won, run)
        before = sets.once_before(pair.action, sets.without(sets.legal, neither))
        claim = f"from a state that its automaton accepts, and from no other, {pair.action} leads"
        return run, Equation(f"{claim} to a losing state", run, before)

    def _unblocked(self) -> Iterator[Equation[S]]:
        """Yield the equations that the strategy of a blocking game names more winning moves than
        the opponent may forbid."""
        named: list[S] = []
        for pair in self.solution.strategy:
            if not isinstance(pair, TargetRule) or pair.line is not None:
                raise Refused("in a blocking game automata name the moves")
            moves, right = self.sets.name(pair, self.sets.where(pair.when), self.losing)
            yield Equation(_TARGETS.format(pair.action), moves, right)
            named.append(moves)
        left = self.sets.without(self._to_move, self.sets.unblocked(named))
        claim = f"the strategy names more than {self.solution.game.block} moves where it wins"
        yield Equation(claim, left, self.sets.none)

    def tree(self) -> Iterator[Equation[S]]:
        """Yield the equations of the tree: the first rule that applies leads to a losing state."""
        left = self._to_move
        for pair in self.solution.tree:
            used = self.sets.both(self.sets.where(pair.when), left)
            used = self.sets.both(used, self.sets.by(pair.act, None))
            yield self._wins(pair, used, f"the rule '{pair}', where it is the first to apply, wins")
            left = self.sets.without(left, used)
        yield Equation("the tree covers every winning state", left, self.sets.none)

    def cover(self) -> Iterator[Equation[S]]:
        """Yield the equation that the cells of the cover together are the winning states."""
        cells = self.sets.where(disjunction(self.solution.cover))
        yield Equation("the cells of the cover together are the winning states", cells, self._won)

    @property
    def _won(self) -> S:
        return self.sets.without(self.sets.legal, self.losing)

    @property
    def _to_move(self) -> S:
        is_misere = self.solution.rule == "misere"  # there an ended state is won
        return self.sets.without(self._won, self.sets.ending) if is_misere else self._won

    def _wins(self, pair: Rule, used: S, claim: str) -> Equation[S]:
        wrong = self.sets.without(used, self.sets.by(pair.act, self.losing))
        return Equation(claim, wrong, self.sets.none)

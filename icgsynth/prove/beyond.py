"""Answers that speak of digits or automata, judged by automata: sets compared, not formulas.

What an answer states is written in :mod:`icgsynth.claims.over_sets`; here its sets of
states are automata.  A difference of two sets is a state, shown as a counterexample."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.budget import Budget
from icgsynth.claims.game import fires, moves_to
from icgsynth.claims.over_sets import Equation, StatedParts
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import PROVED, Finding, Verdict
from icgsynth.game.game import PlayRule
from icgsynth.game.line import Line
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.prove.automata.arithmetic import check_arithmetic
from icgsynth.prove.automata.blocking import Moves
from icgsynth.prove.automata.cones import Along
from icgsynth.prove.automata.game_automata import Rules, require_natural


def judge(solution: Solution, parts: Sequence[str], budget: Budget) -> dict[str, Finding]:
    """Return a dict from each name in ``parts`` of ``solution`` to its finding, by automata.
    A finding is unknown where automata become too large or cannot express the part."""
    try:
        statement = _statement(solution, budget)
    except (Refused, BudgetSpent) as stopped:
        return dict.fromkeys(parts, Finding(Verdict.UNKNOWN, str(stopped)))
    return {part: _find(statement, part) for part in parts}


def _statement(solution: Solution, budget: Budget) -> StatedParts[DFA]:
    system = solution.one_system
    require_natural(solution.game, budget)
    if failures := check_arithmetic(system):
        raise Refused(f"the arithmetic of {system} could not be certified: {failures[0]}")
    rules = Rules.of(solution.game, system, budget)
    sets = _Automata(rules, solution.losing_formula)
    return StatedParts(solution, sets, rules.states_where(solution.losing_formula))


def _find(statement: StatedParts[DFA], part: str) -> Finding:
    try:
        for equation in statement.parts[part]():
            witness = (equation.left ^ equation.right).shortest()
            if witness is not None:
                return Finding(Verdict.REFUTED, equation.claim, witness)
    except (Refused, BudgetSpent) as stopped:
        return Finding(Verdict.UNKNOWN, str(stopped))
    return PROVED


@dataclass(frozen=True, eq=False)
class _Automata:
    """The sets of states of ``rules`` as automata; ``goal`` is the formula of losing states."""

    rules: Rules
    goal: t.Formula

    @property
    def legal(self) -> DFA:
        return self.rules.legal

    @property
    def none(self) -> DFA:
        return nothing(self.rules.compiler.system, self.rules.states)

    def where(self, formula: t.Formula) -> DFA:
        return self.rules.states_where(formula)

    def both(self, one: DFA, other: DFA) -> DFA:
        return one & other

    def without(self, one: DFA, other: DFA) -> DFA:
        return one - other

    def recognise(self, automaton: Automaton) -> DFA:
        return DFA.of(automaton) & self.legal

    @property
    def ending(self) -> DFA:
        return self.rules.ending()

    def repeats(self) -> Collection[str]:
        return {step.action.name for step in self.rules.repeated}

    def once_before(self, action: str, goal: DFA) -> DFA:
        if action not in self.repeats():
            raise Refused(f"{action} repeats no step")
        return self.rules.once_before(action, goal)

    def solves(
        self, losing: DFA, rule: PlayRule, runs: Mapping[str, DFA]
    ) -> Iterator[Equation[DFA]]:
        """Yield an equation that fails at a state if ``losing`` is not the set of lost states;
        ``runs`` are, by action, the states from which a repeated step leads into it."""
        witness = self.rules.refutation(losing, rule, runs)
        if witness is not None:
            claim = "a winning state has a move to a losing state"
            if losing.contains(witness):
                claim = "no move leads from a losing state to a losing state"
            there = conjunction(t.compare(t.Name(v), "=", n) for v, n in witness.items())
            yield Equation(claim, self.where(there), self.none)

    def by(self, act: SemiGroundAction, goal: DFA | None) -> DFA:
        """Return where ``act`` applies and, unless ``goal`` is None, leads to a losing state."""
        if goal is None:
            return self.where(fires(self.rules.game, act))
        return self.where(moves_to(self.rules.game, act, self.goal))

    def name(self, pair: TargetRule, where: DFA, losing: DFA) -> tuple[DFA, DFA]:
        step = self.rules.step(pair.action)
        if not set(pair.target.tracks) <= {*self.rules.states, *step.after.values()}:
            raise Refused("a track of a target is no variable")
        moves = DFA.of(pair.target) & where
        return moves, moves - self.rules.wrong_moves(pair.action, moves, losing)

    def sources(self, moves: DFA) -> DFA:
        return moves.without(track for track in moves.tracks if track not in self.rules.states)

    def along(self, pair: TargetRule, line: Line, where: DFA, losing: DFA) -> DFA:
        rules, step = self.rules, self.rules.step(pair.action)
        if not step.cones or line.track in rules.states:
            raise Refused("an automaton along a line is judged where an action has cones alone")
        if sorted(pair.changed) != sorted(step.changed):
            raise Refused(f"the targets of {pair.action} are not all that it changes")
        x, y = rules.game.variables
        along = Along(rules.compiler, (x, y), line, DFA.of(pair.target))
        if not along.is_right(step.cones, losing):
            raise Refused(f"not all that {pair.action} may do along a line is a winning move")
        return along.sources(where)

    def unblocked(self, moves: Sequence[DFA]) -> DFA:
        states = self.rules.states
        primed = ([x for x in states if x + PRIME in named.tracks] for named in moves)
        return self.rules.unblocked(map(Moves, map(tuple, primed), moves))

"""Answers that speak of digits or automata, judged by automata: sets compared, not formulas.

The losing set is right iff it obeys one equation (see :meth:`Rules.refutation`); a strategy is
right iff each of its pairs, where it is the first to match, leads into that set, and together
they leave nothing out.  A difference of two sets is a state, shown as a counterexample.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame
from icgsynth.game.line import Line
from icgsynth.game.obligations.game import fires, moves_to
from icgsynth.game.solution import Solution, Verdict
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.prove.automata.arithmetic import certify
from icgsynth.prove.automata.blocking import Moves
from icgsynth.prove.automata.cones import Along
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.discharge import PROVED, Finding


def system_of(solution: Solution) -> Numeration:
    """The one system whose digits ``solution`` speaks of; Refused where there are several."""
    systems = set(solution.systems())
    if len(systems) != 1:
        named = " and ".join(sorted(map(str, systems))) or "none"
        raise Refused(f"an answer has to keep to one numeration system, this one has {named}")
    return next(iter(systems))


@dataclass(frozen=True, eq=False)
class Judge:
    """What a solution states, as sets of states over ``rules``."""

    solution: Solution
    rules: Rules
    losing: DFA

    @staticmethod
    def of(game: ParametricGame, solution: Solution, budget: Budget) -> Judge:
        """:class:`~icgsynth.errors.Refused` where automata cannot judge it."""
        system = system_of(solution)
        require_natural(game, budget)
        if failures := certify(system):
            raise Refused(f"the arithmetic of {system} could not be certified: {failures[0]}")
        rules = Rules.of(game, system, budget)
        return Judge(solution, rules, rules.states_where(solution.losing_formula))

    # --- the winning formula ------------------------------------------------------------------

    def winning(self) -> Finding:
        """Both formulas, and the automaton where there is one."""
        stated = self.solution.automaton
        if stated is not None:
            witness = ((DFA.of(stated) & self.rules.legal) ^ self.losing).shortest()
            if witness is not None:
                claim = "the automaton recognises the states of the losing formula"
                return _refuted(claim, witness)
        won = self.rules.states_where(self.solution.winning_formula)
        witness = (won ^ (self.rules.legal - self.losing)).shortest()
        if witness is not None:
            return _refuted("each state is either winning or losing", witness)
        witness = self.rules.refutation(self.losing, self.solution.rule)
        if witness is None:
            return PROVED
        if self.losing.contains(witness):
            return _refuted("no move leads from a losing state to a losing state", witness)
        return _refuted("a winning state has a move to a losing state", witness)

    # --- strategies -----------------------------------------------------------------------------

    def strategy(self) -> Finding:
        """Read first match: each pair wins where it is used, and nothing is left."""
        if self.rules.game.block:
            return self._unblocked_strategy()
        left = self._to_move()
        for pair in self.solution.strategy:
            used, wrong, claim = (
                self._aimed(pair) if isinstance(pair, TargetRule) else self._said(pair)
            )
            if (witness := (wrong & left).shortest()) is not None:
                return _refuted(claim, witness)
            left = left - used
        return _nothing_left(left, "the strategy covers every winning state")

    def _unblocked_strategy(self) -> Finding:
        """All pairs are read: what they name wins, and more is named than may be forbidden."""
        named: list[Moves] = []
        for pair in self.solution.strategy:
            if not isinstance(pair, TargetRule) or pair.line is not None:
                return Finding(Verdict.UNKNOWN, "in a blocking game automata name the moves")
            if not set(pair.target.tracks) <= set(self.rules.step(pair.action).relation.tracks):
                return Finding(Verdict.UNKNOWN, "a track of a target is no variable")
            _, wrong, claim = self._aimed(pair)
            if (witness := wrong.shortest()) is not None:
                return _refuted(claim, witness)
            step = self.rules.step(pair.action)
            named.append(step.moves(step.relation & self._moves(pair)))
        left = self._to_move() - self.rules.unblocked(named)
        most = self.rules.game.block
        return _nothing_left(left, f"the strategy names more than {most} moves where it wins")

    def _said(self, pair: Rule) -> tuple[DFA, DFA, str]:
        """Where a pair is used, where it is wrong, and the claim."""
        used = self.rules.states_where(pair.when)
        claim = f"where {pair.when}, {pair.act} applies and leads to a losing state"
        return used, used - self._wins(pair), claim

    def _aimed(self, pair: TargetRule) -> tuple[DFA, DFA, str]:
        if pair.line is not None:
            return self._led(pair, pair.line)
        step = self.rules.step(pair.action)
        primes = step.after.values()
        moves = self._moves(pair)
        claim = f"{pair.action} leads to the targets of its automaton, and these are losing"
        wrong = self.rules.wrong_moves(pair.action, moves, self.losing)
        return moves.without(primes), wrong, claim

    def _led(self, pair: TargetRule, line: Line) -> tuple[DFA, DFA, str]:
        """The same for moves along a line."""
        rules, step = self.rules, self.rules.step(pair.action)
        if not step.cones or line.track in rules.states:
            raise Refused("an automaton along a line is judged where an action has cones alone")
        if sorted(pair.changed) != sorted(step.changed):
            raise Refused(f"the targets of {pair.action} are not all that it changes")
        x, y = rules.game.variables
        along = Along(rules.compiler, (x, y), line, DFA.of(pair.target))
        if not along.is_right(step.cones, self.losing):
            raise Refused(f"not all that {pair.action} may do along a line is a winning move")
        used = along.sources(rules.states_where(pair.when))
        return used, nothing(used.system, used.tracks), ""

    def _moves(self, pair: TargetRule) -> DFA:
        return DFA.of(pair.target) & self.rules.states_where(pair.when)

    def tree(self) -> Finding:
        """The first rule whose condition holds and whose action applies leads to a losing state."""
        left = self._to_move()
        for pair in self.solution.tree:
            used = self.rules.states_where(pair.when)
            used = used & self.rules.states_where(fires(self.rules.game, pair.act))
            witness = ((used & left) - self._wins(pair)).shortest()
            if witness is not None:
                claim = f"the rule '{pair}', where it is the first to apply, wins"
                return _refuted(claim, witness)
            left = left - used
        return _nothing_left(left, "the tree covers every winning state")

    def cover(self) -> Finding:
        """The cells together are the winning states."""
        cells = self._any_of(self.solution.cover)
        witness = (cells ^ (self.rules.legal - self.losing)).shortest()
        if witness is None:
            return PROVED
        return _refuted("the cells of the cover together are the winning states", witness)

    def _to_move(self) -> DFA:
        """The winning states where a move has to be made: under misère an ended one is won."""
        won = self.rules.legal - self.losing
        return won if self.solution.rule == "normal" else won - self.rules.ending()

    def _wins(self, pair: Rule) -> DFA:
        wins = moves_to(self.rules.game, pair.act, self.solution.losing_formula)
        return self.rules.states_where(wins)

    def _any_of(self, formulas: Iterable[t.Formula]) -> DFA:
        empty = nothing(self.rules.compiler.system, self.rules.states)
        return reduce(lambda a, b: a | b, map(self.rules.states_where, formulas), empty)


def _nothing_left(left: DFA, claim: str) -> Finding:
    witness = left.shortest()
    return PROVED if witness is None else _refuted(claim, witness)


def _refuted(claim: str, witness: dict[str, int]) -> Finding:
    return Finding(Verdict.REFUTED, claim, witness)

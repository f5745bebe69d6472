"""All that an answer in digits states, proved again from its formulas and the rules.

Nothing is taken from the first proof: the losing states are those of the losing formula, as
:mod:`icgsynth.prove.recheck.formulas` reads it, and every other part is compared with them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from functools import partial

from icgsynth.budget import Budget
from icgsynth.digits.numeration import Numeration, base
from icgsynth.game.line import Line
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, Rule, TargetRule
from icgsynth.prove.recheck.algebra import join, project
from icgsynth.prove.recheck.equation import (
    Recheck,
    Refuted,
    attempt,
    positions,
    require_equal,
    require_independent,
    require_solution,
)
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.line_moves import LineMoves
from icgsynth.prove.recheck.machine import Effort, Machine, difference
from icgsynth.prove.recheck.positions import changes
from icgsynth.prove.recheck.reading import read, read_strictly


def recheck_answer(
    solution: Solution,
    budget: Budget,
    max_states: int = 50_000,
    only: Container[str] | None = None,
) -> Mapping[str, Recheck]:
    """How the parts "winning", "strategy", and "fft" and "cover" where they are stated, stand.

    With ``only`` the other parts are passed over.  The strategy, the tree and the cover are judged
    against the losing formula, whether or not that is right.  What is trusted is listed at
    :func:`~icgsynth.prove.recheck.equation.recheck`.
    """
    effort, prepared = Effort(budget, max_states), list[_Answer]()
    first = attempt(solution.game, effort, lambda: prepared.append(_Answer(solution, effort)))
    parts: dict[str, Callable[[_Answer], None]] = {
        "winning": _Answer.winning,
        "strategy": _Answer.strategy,
    }
    if solution.tree:
        parts["fft"] = _Answer.tree
    if solution.cover:
        parts["cover"] = _Answer.cover
    if only is not None:
        parts = {part: check for part, check in parts.items() if part in only}
    if not prepared:
        return dict.fromkeys(parts, first)
    answer = prepared[0]
    found = {
        part: attempt(solution.game, effort, partial(check, answer))
        for part, check in parts.items()
    }
    if (winning := found.get("winning")) is not None:
        found["winning"] = replace(
            winning,
            operations=winning.operations + first.operations,
            largest=max(winning.largest, first.largest),
        )
    return found


class _Answer:
    """An answer with its losing states; each method raises :class:`Refuted` or an open question."""

    def __init__(self, solution: Solution, effort: Effort) -> None:
        if solution.losing is None or solution.winning is None:
            raise Undecided("the answer has no formulas")
        self._solution = solution
        self._effort = effort
        self._there = positions(solution.game, _system(solution), effort)
        self._losing = self._there.where(solution.losing_formula)
        self._is_followed = False  # whether the strategy has been proved

    def winning(self) -> None:
        """Both formulas, and the automaton where there is one."""
        there, solution = self._there, self._solution
        if solution.automaton is not None:
            if sorted(solution.automaton.tracks) != sorted(solution.game.variables):
                raise Undecided("the tracks of the automaton are not the variables of the game")
            stated = join(self._effort, there.legal, read(there.numbers, solution.automaton))
            claim = "the automaton recognises the states of the losing formula"
            require_equal(there, stated, self._losing, claim)
        won = there.where(solution.winning_formula)
        claim = "each state is either winning or losing"
        require_equal(there, won, there.without(there.legal, self._losing), claim)
        if any(there.cones.values()):
            # A strategy that leaves no state out shows that all others have such a move.
            require_independent(there, self._losing, solution.rule)
            self.strategy()
        else:
            require_solution(there, self._losing, solution.rule)

    def strategy(self) -> None:
        """Read first match: each pair wins where it is used, and nothing is left."""
        if self._there.game.block:
            self._unblocked_strategy()
        elif not self._is_followed:
            self._follow()
            self._is_followed = True

    def _follow(self) -> None:
        left = self._there.to_move(self._losing, self._solution.rule)
        if not self._solution.strategy and not left.is_empty:
            raise Undecided("there is no strategy")
        for pair in self._solution.strategy:
            used = join(self._effort, left, self._there.where(pair.when))
            if isinstance(pair, TargetRule) and pair.line is not None:
                used = self._along(pair, pair.line, used)
            elif isinstance(pair, TargetRule):
                used = self._aimed(pair, used)
            else:
                claim = f"where {pair.when}, {pair.act} applies and leads to a losing state"
                self._require_win(pair, used, claim)
            left = self._there.without(left, used)
        self._require_none(left, "the strategy covers every winning state")

    def tree(self) -> None:
        """The first rule whose condition holds and whose action applies leads to a losing state."""
        left = self._there.to_move(self._losing, self._solution.rule)
        for pair in self._solution.tree:
            used = join(self._effort, left, self._there.where(pair.when))
            used = join(self._effort, used, self._there.by(pair.act, None))
            claim = f"the rule '{pair}', where it is the first to apply, wins"
            self._require_win(pair, used, claim)
            left = self._there.without(left, used)
        self._require_none(left, "the tree covers every winning state")

    def cover(self) -> None:
        """The cells together are the winning states."""
        there = self._there
        claim = "the cells of the cover together are the winning states"
        cells = there.any_of(self._solution.cover)
        require_equal(there, cells, there.without(there.legal, self._losing), claim)

    def _unblocked_strategy(self) -> None:
        """In a blocking game all pairs are read, and more is named than may be forbidden."""
        there, named = self._there, list[Machine]()
        for pair in self._solution.strategy:
            if not isinstance(pair, TargetRule) or pair.line is not None:
                raise Undecided("in a blocking game automata name the moves")
            named.append(self._targets(pair, there.where(pair.when)))
        left = there.without(self._there.to_move(self._losing, "normal"), there.unblocked(named))
        most = there.game.block
        self._require_none(left, f"the strategy names more than {most} moves where it wins")

    def _aimed(self, pair: TargetRule, where: Machine) -> Machine:
        """Those of the states ``where`` that have a target, if all targets are winning moves."""
        primed = {t for t in pair.target.tracks if t.endswith(PRIME)}
        return project(self._effort, self._targets(pair, where), primed)

    def _along(self, pair: TargetRule, line: Line, where: Machine) -> Machine:
        """The same for moves along a line."""
        there = self._there
        if not (cases := there.cones.get(pair.action, ())):
            raise Undecided("an automaton along a line is judged where parameters bound each other")
        target = read_strictly(there.numbers, pair.target, {line.track})
        if target is None:
            raise Undecided("the automaton of a target accepts words that are no numbers")
        x, y = there.game.variables
        return LineMoves(there.relations, (x, y), cases, line, target).winning(where, self._losing)

    def _targets(self, pair: TargetRule, where: Machine) -> Machine:
        """The moves that the pair names in the states ``where``, if all are winning moves."""
        there, tracks = self._there, pair.target.tracks
        action = next((a for a in there.game.actions if a.name == pair.action), None)
        primed = {t for t in tracks if t.endswith(PRIME)}
        if action is None or primed != {v + PRIME for v in changes(action)}:
            raise Undecided(f"the targets of {pair.action} are not all that it changes")
        known = set(tracks) - primed
        if not known <= set(there.game.variables):
            raise Undecided("a track of a target is no variable")
        target = read_strictly(there.numbers, pair.target, known)
        if target is None:
            raise Undecided("the automaton of a target accepts words that are no numbers")
        aims = join(self._effort, where, target)
        word = difference(aims, there.moves(action, self._losing, aims))
        if word is not None:
            claim = f"{pair.action} leads to the targets of its automaton, and these are losing"
            raise Refuted(claim, there.state(aims, word))
        return aims

    def _require_win(self, pair: Rule, where: Machine, claim: str) -> None:
        wrong = self._there.without(where, self._there.by(pair.act, self._losing))
        self._require_none(wrong, claim)

    def _require_none(self, states: Machine, claim: str) -> None:
        require_equal(self._there, states, self._there.none, claim)


def _system(solution: Solution) -> Numeration:
    """The system of the answer; any will do where it speaks of no digits."""
    systems = set(solution.systems()) or {base(2)}
    if len(systems) > 1:
        named = " and ".join(sorted(map(str, systems)))
        raise Undecided(f"an answer keeps to one numeration system, this one has {named}")
    return systems.pop()

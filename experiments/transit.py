"""A peer: winning formulas by enumeration and counterexamples, as the line of IJCAI 2020 does it.

Wu et al. (IJCAI 2020, doi 10.24963/ijcai.2020/236) enumerate formulas in the manner of TRANSIT
(Udupa et al., PLDI 2013).  The smallest formula that fits the examples is tried on the
constraints of Definition 3.1, with their quantifiers, by z3; counterexamples, three a round,
become examples.

This is what is described there, written anew, with these differences in its favour: behaviours
are bit vectors; examples are labelled by the backward induction of this package; a
counterexample that the formula labels rightly brings along a successor that it labels wrongly;
and a query may take all the time that is left.  One difference is for soundness: where z3
answers ``unknown`` there is no answer.

What it does not do: refine the formula into a cover, look for a strategy, or prove that play
ends.

``python -m experiments.transit GAME RULE SECONDS [n=3 ...]`` prints one line of JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import z3  # noqa: F401  (loaded before the clock starts)

from experiments.enumeration import Enumeration
from experiments.peer import Found, run
from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, UNKNOWN, label
from icgsynth.game.game import Action, ParametricGame, PlayRule, State
from icgsynth.logic.build import conjunction, disjunction, negation, substitute
from icgsynth.logic.evaluate import columns, satisfies
from icgsynth.logic.term import FALSE, Compare, Formula, Int, Name, Quantified
from icgsynth.prove.deciders.smt import satisfy

__all__ = ["synthesize"]

_A_ROUND = 3  # counterexamples
_SMALL = 16  # the box that is labelled first, and the widest, by the number of variables
_WIDEST = {1: 100, 2: 100, 3: 30, 4: 14}


def synthesize(game: ParametricGame, rule: PlayRule, budget: Budget) -> Found:
    """A formula for the losing states that satisfies the constraints."""
    oracle = _Oracle(game, rule)
    examples = dict(islice(oracle.smallest(FALSE), _A_ROUND))
    if not examples:
        return Found(None, "no state can be labelled")
    integers = sorted(game.integers)
    while True:
        states = np.array(list(examples), dtype=np.int64).reshape(-1, len(game.variables))
        target = np.array(list(examples.values()), dtype=bool)
        losing = Enumeration(states, target, game.variables, integers, budget).first()
        refuted, doubt = _counterexamples(game, rule, losing, budget)
        if not refuted:
            budget.check()
            return Found(None if doubt else losing, doubt)
        new = {s: lost for s, lost in oracle.explain(refuted, losing) if s not in examples}
        if not new:
            # Every counterexample is too far away to be labelled: small states in their place.
            unseen = ((s, lost) for s, lost in oracle.smallest(losing) if s not in examples)
            new = dict(islice(unseen, _A_ROUND))
        if not new:
            return Found(None, "no counterexample can be labelled")
        examples |= new


# --- labels --------------------------------------------------------------------------------


class _Oracle:
    """Who wins in a state, by explicit play in a box that grows once when it has to."""

    def __init__(self, game: ParametricGame, rule: PlayRule) -> None:
        self._game, self._rule = game, rule
        # Wide enough for the integers of the rules to matter.
        largest = 2 * max(game.integers, default=0)
        self._widest = max(largest, _WIDEST.get(len(game.variables), 8))
        self._label(min(_SMALL, self._widest))
        if not self._labels.known.any():
            self._label(self._widest)

    def _label(self, bound: int) -> None:
        """The labels up to ``bound``, or half of it where those are too many, and so on."""
        while True:
            try:
                self._labels = label(self._game, Box.of(self._game, bound), self._rule)
                self._bound = bound
                return
            except Refused:
                if bound <= 2:
                    raise
                self._widest = bound = bound // 2

    def is_losing(self, state: State) -> bool | None:
        """None where the labels do not say."""
        if self._bound < max(map(abs, state)) <= self._widest:
            self._label(self._widest)
        outcome = self._labels.at(state)
        return None if outcome == UNKNOWN else outcome == LOSING

    def explain(self, states: list[State], losing: Formula) -> Iterator[tuple[State, bool]]:
        """Labels of ``states``, and of one successor of each where it is that which is wrong."""
        for state in states:
            lost = self.is_losing(state)
            if lost is None:
                continue
            yield state, lost
            if lost == satisfies(losing, self._game.env(state)):
                yield from islice(self._wrong_successors(state, losing), 1)

    def _wrong_successors(self, state: State, losing: Formula) -> Iterator[tuple[State, bool]]:
        for move in self._game.moves(state):
            after = self._game.result(state, move)
            lost = self.is_losing(after)
            if lost is not None and lost != satisfies(losing, self._game.env(after)):
                yield after, lost

    def smallest(self, losing: Formula) -> Iterator[tuple[State, bool]]:
        """Labelled states: first those that ``losing`` has wrong, each time small ones first."""
        rows = np.flatnonzero(self._labels.known)
        if not len(rows):
            return
        lost = self._labels.outcome[rows] == LOSING
        said = columns(losing, self._labels.box.columns(rows))
        size = np.abs(self._labels.states[rows]).sum(axis=1)
        for i in np.lexsort((size, said == lost)):
            yield tuple(map(int, self._labels.states[rows[i]])), bool(lost[i])


# --- the constraints --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Violation:
    """A conjunction whose models are counterexamples to one constraint."""

    parts: tuple[Formula, ...]
    names: tuple[str, ...]  # parameters that stand free in it


def _counterexamples(
    game: ParametricGame, rule: PlayRule, losing: Formula, budget: Budget
) -> tuple[list[State], str]:
    """At most three states where a constraint fails; and, where z3 did not decide, which one.

    Without a state and without a doubt, the formula is proved.
    """
    found: list[State] = []
    doubt = ""
    for number, violation in enumerate(_violations(game, rule, losing), 1):
        while len(found) < _A_ROUND:
            names = (*game.variables, *violation.names)
            elsewhere = [_differs(game, state) for state in found]
            answer = satisfy((*violation.parts, *elsewhere), names, budget)
            if answer.model is None:
                if answer.kind == "unknown":
                    doubt = doubt or f"z3 does not decide constraint {number} for {losing}"
                break
            found.append(tuple(answer.model[v] for v in game.variables))
    return found, doubt


def _differs(game: ParametricGame, state: State) -> Formula:
    values = zip(game.variables, state, strict=True)
    return disjunction(Compare((Name(v), Int(c)), ("!=",)) for v, c in values)


def _violations(game: ParametricGame, rule: PlayRule, losing: Formula) -> Iterator[_Violation]:
    """The negated constraints, those without a quantifier first.

    Under misere an ending state is winning, and what ends the game is that no action applies,
    declared or not.
    """
    winning = negation(losing)
    if rule == "normal":
        yield _Violation((game.legal, game.end, winning), ())
    for action in game.actions:
        there = _after(game, losing, action)
        yield _Violation((game.legal, losing, game.applicable(action), there), action.parameters)
    hopeless = [_always(a, negation(_wins(game, losing, a))) for a in game.actions]
    if rule == "normal":
        yield _Violation((game.legal, winning, *hopeless), ())
        return
    stuck = [_always(a, negation(game.applicable(a))) for a in game.actions]
    yield _Violation((game.legal, losing, *stuck), ())
    for action in game.actions:
        yield _Violation(
            (game.legal, winning, game.applicable(action), *hopeless), action.parameters
        )


def _after(game: ParametricGame, formula: Formula, action: Action) -> Formula:
    return substitute(formula, game.after(action))


def _wins(game: ParametricGame, losing: Formula, action: Action) -> Formula:
    return conjunction((game.applicable(action), _after(game, losing, action)))


def _always(action: Action, formula: Formula) -> Formula:
    """For all parameters of the action."""
    return Quantified("forall", action.parameters, formula) if action.parameters else formula


if __name__ == "__main__":
    run(synthesize)

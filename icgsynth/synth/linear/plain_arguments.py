"""A proved strategy as a person would write it: numbers and variables where a case allows them.

Terms are mined over all sample states.  Where a case fixes the value of one, a number takes its
place: ``if v mod 5 = 4: take(v mod 5 - 1)`` says ``take(3)``.  Every replacement is proved, and so
is the strategy that comes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, substitute
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.simplify import simplified_term
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.linear.conditions import is_weakest, weakest_precondition
from icgsynth.synth.linear.pairs import prove_pairs
from icgsynth.synth.linear.parameters import Base
from icgsynth.synth.linear.polish import shorter, split
from icgsynth.synth.linear.sample import Goal, StateSample

_CELLS = 12  # of one case: with more there would be more rules as well


def cost(rules: Sequence[Rule]) -> tuple[int, int, int]:
    """Fewer rules first, then less to read and to reckon; of equal ones the more numbers.

    A term is worked out once, wherever it stands.
    """
    terms = [
        part for rule in rules for _, part in rule.act.arguments if not isinstance(part, t.Int)
    ]
    reckoned = sum(1 + size(term) for term in set(terms))
    conditions = sum(size(rule.when) for rule in rules if rule.when != t.TRUE)
    return len(rules), conditions + reckoned, len(terms)


def plainly(sample: StateSample, pairs: tuple[Rule, ...], budget: Budget) -> tuple[Rule, ...]:
    """The proved ``pairs`` in plain terms, rules of the same move joined, proved again.

    The ``pairs`` themselves where nothing is plainer, or the budget does not last.
    """
    plain: list[Rule] = []
    with suppress(BudgetSpent):
        for pair in pairs:
            act = plain_act(sample, pair.act, pair.when, budget)
            plain.append(Rule(_plain_case(sample.goal, pair, act), act))
    found = (*plain, *pairs[len(plain) :])
    joined = _joined(found)
    for rules in dict.fromkeys((_in_numbers(sample, joined), joined, found)):
        if rules == pairs or prove_pairs(sample.goal, rules, budget).is_proved:
            return rules
    return pairs


def plain_act(
    sample: StateSample, act: SemiGroundAction, case: t.Formula, budget: Budget
) -> SemiGroundAction:
    """``act`` with plainer terms of the same value on all legal states where ``case`` holds."""
    game = sample.goal.game
    here = sample.states[sample.holds(conjunction((game.legal, case)))]

    def plainest(term: t.Term) -> t.Term:
        for plain in sorted(_alike(term, game.variables, here), key=size):
            differs = t.Compare((term, plain), ("!=",))
            if decide((game.legal, case, differs), game.variables, budget).kind == "unsat":
                return plain
        return term

    return replace(act, arguments=tuple((name, plainest(part)) for name, part in act.arguments))


def _alike(term: t.Term, variables: Sequence[str], states: NDArray[np.int64]) -> Iterator[t.Term]:
    """A number or shorter terms that are equal to ``term`` on ``states`` (n, d)."""
    if not len(states):
        return
    fixed = {
        v: t.Int(int(c[0])) for v, c in zip(variables, states.T, strict=True) if np.ptp(c) == 0
    }
    found = [simplified_term(substitute(term, fixed))]
    values = on_states(term, variables, states)
    for base in (Base(t.Int(0)), *(Base(t.Name(v)) for v in variables)):
        offsets = values - on_states(base.term, variables, states)
        if np.ptp(offsets) == 0:
            found.append(base.at(int(offsets[0])))
    for plain in found:
        if size(plain) < size(term) or (isinstance(plain, t.Int) and plain != term):
            yield plain


def _plain_case(goal: Goal, pair: Rule, act: SemiGroundAction) -> t.Formula:
    """The condition of ``pair`` for ``act``; the weakest precondition of that if it is shorter."""
    if not is_weakest(goal, pair):
        return shorter(pair.when)
    return min(pair.when, weakest_precondition(goal, act), key=size)


def _in_numbers(sample: StateSample, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The plainer for it, residues moved from one case to another that makes the same move.

    What the sample says of a residue is for the prover to confirm.
    """
    parts = {rule: _by_cell(sample, rule) for rule in rules}
    tried = (_joined([q for r in rules for q in (parts[r] if r is p else (r,))]) for p in rules)
    best = min((rules, *tried), key=cost)
    return rules if best == rules else _in_numbers(sample, best)


def _by_cell(sample: StateSample, rule: Rule) -> list[Rule]:
    """One rule for each cell of the condition, in plain terms as far as the sample shows."""
    cells, game = split(rule.when) or [], sample.goal.game
    if len(cells) > _CELLS or all(isinstance(term, t.Int) for _, term in rule.act.arguments):
        return [rule]
    parts: list[Rule] = []
    for cell in cells:
        here = sample.states[sample.holds(conjunction((game.legal, cell)))]
        terms = tuple(
            (name, min(_alike(term, game.variables, here), key=size, default=term))
            for name, term in rule.act.arguments
        )
        parts.append(Rule(cell, replace(rule.act, arguments=terms)))
    return parts


def _joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """One rule for each move, at the place of the first that makes it."""
    cases: dict[SemiGroundAction, list[t.Formula]] = {}
    for rule in rules:
        cases.setdefault(rule.act, []).append(rule.when)
    whole = {act: c[0] if len(c) == 1 else shorter(disjunction(c)) for act, c in cases.items()}
    return tuple(Rule(when, act) for act, when in whole.items())

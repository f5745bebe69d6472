"""A strategy as a person would write it: numbers and variables where a case allows them.

Terms are mined over all sample states.  Where a case fixes the value of one, a number takes its
place: ``if v mod 5 = 4: take(v mod 5 - 1)`` says ``take(3)``.  That a term has one value is seen on
the sample; the strategy that comes of it is for the prover to confirm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, substitute
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.simplify import simplified_term
from icgsynth.synth.linear.conditions import is_weakest, split, weakest_precondition
from icgsynth.synth.linear.parameters import Base
from icgsynth.synth.linear.polish import shorter
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


def word_rules(sample: StateSample, pairs: Sequence[Rule]) -> tuple[Rule, ...]:
    """The ``pairs`` in plain terms, as far as the sample shows; rules of the same move joined."""
    plain: list[Rule] = []
    for pair in pairs:
        here = sample.holds(conjunction((sample.goal.game.legal, pair.when)))
        act = plain_act(sample, pair.act, here)
        plain.append(Rule(_plain_case(sample.goal, pair, act), act))
    return _in_numbers(sample, _joined(plain))


def plain_act(sample: StateSample, act: SemiGroundAction, here: Flags) -> SemiGroundAction:
    """``act`` with plainer terms of the same value in the sample states ``here``, shape (n,)."""
    names, states = sample.goal.game.variables, sample.states[here]
    terms = (
        (name, min(_alike(term, names, states), key=size, default=term))
        for name, term in act.arguments
    )
    return replace(act, arguments=tuple(terms))


def _alike(term: t.Term, variables: Sequence[str], states: Ints) -> Iterator[t.Term]:
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
    """The plainer for it, residues moved from one case to another that makes the same move."""
    parts = {rule: _by_cell(sample, rule) for rule in rules}
    tried = (_joined([q for r in rules for q in (parts[r] if r is p else (r,))]) for p in rules)
    best = min((rules, *tried), key=cost)
    return rules if best == rules else _in_numbers(sample, best)


def _by_cell(sample: StateSample, rule: Rule) -> list[Rule]:
    cells, game = split(rule.when), sample.goal.game
    in_numbers = all(isinstance(term, t.Int) for _, term in rule.act.arguments)
    if cells is None or len(cells) > _CELLS or in_numbers:
        return [rule]
    parts: list[Rule] = []
    for cell in cells:
        here = sample.holds(conjunction((game.legal, cell)))
        parts.append(Rule(cell, plain_act(sample, rule.act, here)))
    return parts


def _joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """One rule for each move, at the place of the first that makes it."""
    cases: dict[SemiGroundAction, list[t.Formula]] = {}
    for rule in rules:
        cases.setdefault(rule.act, []).append(rule.when)
    whole = {act: c[0] if len(c) == 1 else shorter(disjunction(c)) for act, c in cases.items()}
    return tuple(Rule(when, act) for act, when in whole.items())

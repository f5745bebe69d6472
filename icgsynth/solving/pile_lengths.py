"""How long play in one pile lasts, which decides games whose moves are made in all piles at once.

Whoever wins a pile wants it to be over soon, and the other player late.  So the length of play is 0
where no move is possible; else it is 1 + the least length after a move to a lost state, or where
there is none 1 + the greatest length after any move.  A state is lost where its length is even, and
under misère play where it is odd.

Play in all piles is over as soon as one of them is.  So whoever wins the pile of least length wins:
that player makes a move in each pile that shortens its length by one; whatever the other one does,
the least length falls, and it is the length of a pile that the same player wins (C. A. B. Smith,
Graphs and composite games, 1966).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.labels import UNKNOWN, LabelLimits, listed_moves
from icgsynth.game.obligations.game import Obligation, obligation
from icgsynth.game.piles import ByLengths
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, exists, fold, negation, substitute, walk
from icgsynth.prove.discharge import confirm, in_two_forms
from icgsynth.solving.search import solve
from icgsynth.synth.checked import free, sides
from icgsynth.values.grundy_box import BoxValues, Ints, ValueSample
from icgsynth.values.pieces import piecewise
from icgsynth.values.short_terms import short_terms

_MOST_MOVES = 1 << 20  # of a box
_TRIED = 3  # terms
_SIDES = {1: 120, 2: 24, 3: 10}  # of the box, by the number of unbounded variables
_SHORTEST_SIDE = 6
_LONGEST = 40  # period


def by_lengths(pile: ParametricGame, rule: PlayRule, budget: Budget) -> ByLengths:
    """The theorem for piles of this kind, its length of play proved by two engines.

    :class:`~icgsynth.errors.Refused` where no term of linear arithmetic is found and proved.
    """
    side = _SIDES.get(len(free(pile)), _SHORTEST_SIDE)
    box = Box(pile.variables, sides(pile, side), pile.legal)
    sample = ValueSample.of(BoxValues(box, lengths(pile, box, rule, budget)))
    fitting = chain(short_terms(sample), _rising(sample, budget), piecewise(sample, budget))
    linear = (f for f in fitting if not any(isinstance(node, t.Digital) for node in walk(f)))
    for length in islice(linear, _TRIED):
        with suppress(BudgetSpent, Refused):
            found = confirm(length_claims(pile, rule, length, budget), budget.share(0.5))
            if found.finding.is_proved:
                return _with_least(ByLengths(pile, rule, length, found.by), budget)
    raise Refused("how long play in one pile lasts is not known")


def _rising(sample: ValueSample, budget: Budget) -> Iterator[t.Term]:
    """Terms of one variable that rise by the same amount with every period."""
    if len(sample.box.variables) > 1 or len(sample.values) < sample.box.size:
        return
    variable, half = t.Name(sample.box.variables[0]), len(sample.values) // 2
    for period in range(2, min(_LONGEST, half)):
        rises = sample.values[period:] - sample.values[:-period]
        rise = int(rises[-1])
        if rise and (rises[half:] == rise).all():
            steps = fold(t.Mul(t.Int(rise), t.Div(variable, t.Int(period))))
            rest = sample.values - sample.meaning(steps)
            least = int(rest.min())
            found = ValueSample.of(BoxValues(sample.box, rest - least))
            for term in piecewise(found, budget):
                yield fold(t.Sum((steps, term, t.Int(least))))


def lengths(pile: ParametricGame, box: Box, rule: PlayRule, budget: Budget) -> Ints:
    """The length of play from each state of ``box``, (n,); UNKNOWN where a move leaves the box.

    Raises as :func:`~icgsynth.game.labels.listed_moves` does.
    """
    edges, barred = listed_moves(pile, box, LabelLimits(_MOST_MOVES, budget))
    left = edges.out_degrees()
    found = np.full(box.size, UNKNOWN, dtype=np.int64)
    last = np.flatnonzero((left == 0) & ~barred)
    for length in range(box.size):
        budget.check()
        if not len(last):
            break
        found[last] = length
        before = edges.sources(last)
        np.subtract.at(left, before, 1)
        # Next come the states of the player who wins after an even number of moves, or who loses.
        is_lost = length % 2 == (rule == "misere")
        new = np.unique(before) if is_lost else np.flatnonzero(left == 0)
        last = new[(found[new] == UNKNOWN) & ~barred[new]]
    return found


def length_claims(
    pile: ParametricGame, rule: PlayRule, length: t.Term, budget: Budget
) -> Iterator[tuple[Obligation, Obligation]]:
    """That ``length`` is the length of play."""

    def claim(said: str, *parts: t.Formula) -> tuple[Obligation, Obligation]:
        return in_two_forms(obligation(pile, "length", said, *parts), budget)

    def is_won(term: t.Term) -> t.Formula:
        return t.compare(t.Mod(term, t.Int(2)), "=", int(rule == "normal"))

    one_less = t.Sum((length, t.Int(-1)))
    moves = [
        (action, pile.applicable(action), substitute(length, dict(pile.after(action))))
        for action in pile.actions
    ]
    yield claim("no length is negative", t.compare(length, "<", 0))
    shortens = disjunction(
        exists(action.parameters, conjunction((applies, t.compare(then, "=", one_less))))
        for action, applies, then in moves
    )
    yield claim("some move shortens play by one", t.compare(length, ">", 0), t.Not(shortens))
    for action, applies, then in moves:
        name = action.name
        yield claim(f"{name} needs play to go on", applies, t.compare(length, "=", 0))
        soon = conjunction((negation(is_won(then)), t.compare(then, "<", one_less)))
        yield claim(f"{name} wins no sooner", applies, is_won(length), soon)
        wrong = disjunction((negation(is_won(then)), t.compare(then, ">", one_less)))
        yield claim(f"{name} delays no more", applies, negation(is_won(length)), wrong)


def _with_least(theorem: ByLengths, budget: Budget) -> ByLengths:
    """``theorem`` with the answer for the least pile, where that is proved to decide."""
    pile = theorem.pile
    if len(pile.variables) > 1:
        return theorem
    variable, larger = pile.variables[0], t.Name(f"{pile.variables[0]}_larger")
    there = {variable: larger}
    shorter = t.compare(substitute(theorem.length, there), "<", theorem.length)
    said = obligation(
        pile,
        "length",
        "a larger pile has no shorter play",
        substitute(pile.legal, there),
        t.compare(t.Name(variable), "<", larger),
        shorter,
    )
    with suppress(BudgetSpent, Refused):
        grows = confirm([(said, said)], budget.share(0.5))
        if grows.finding.is_proved:
            one = solve(pile, theorem.rule, budget)
            if one.is_proved and one.is_linear:
                return replace(theorem, grows=grows.by, one=one)
    return theorem

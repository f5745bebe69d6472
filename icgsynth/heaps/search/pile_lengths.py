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
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import BoxValues, Ints, ValueSample
from icgsynth.explicit.labels import UNKNOWN, listed_moves
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.heaps.proof.pile_claims import prove_growth, prove_length
from icgsynth.heaps.rules.pile_answer import ByLengths
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, walk
from icgsynth.solve.search import solve
from icgsynth.synth.checked import box_within, free
from icgsynth.synth.values.pieces import piecewise
from icgsynth.synth.values.short_terms import short_terms

_MOST_MOVES = 1 << 20  # moves of a box
_TRIED = 3  # terms that are tried for the length of play
_SIDES = {1: 120, 2: 24, 3: 10}  # of the box, by the number of unbounded variables
_SHORTEST_SIDE = 6
_LONGEST = 40  # the longest period that is tried


def by_lengths(pile: ParametricGame, rule: PlayRule, budget: Budget) -> ByLengths:
    """Return the theorem for ``pile`` by its length of play, which two engines have proved.
    :class:`~icgsynth.errors.Refused` where no term of linear arithmetic is found and proved."""
    side = _SIDES.get(len(free(pile)), _SHORTEST_SIDE)
    box = box_within(pile, side)
    sample = ValueSample.of(BoxValues(box, lengths(pile, box, rule, budget)))
    fitting = chain(short_terms(sample), _rising(sample, budget), piecewise(sample, budget))
    linear = (f for f in fitting if not any(isinstance(node, t.Digital) for node in walk(f)))
    for length in islice(linear, _TRIED):
        with suppress(BudgetSpent, Refused):
            by = prove_length(pile, rule, length, budget)
            return _with_least(ByLengths(pile, rule, length, by), budget)
    raise Refused("how long play in one pile lasts is not known")


def _rising(sample: ValueSample, budget: Budget) -> Iterator[t.Term]:
    """Yield terms of one variable that fit ``sample`` and rise by a constant with every period."""
    if len(sample.box.variables) > 1 or len(sample.values) < sample.box.size:
        return
    variable, half = t.Name(sample.box.variables[0]), len(sample.values) // 2
    for period in range(2, min(_LONGEST, half)):
        # rise * (v div period) + a rest that repeats: the second half of the values shows the rise,
        # the rest is fitted piece by piece.
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
    """Return the number of moves of play from each state of ``box``, (n,): the winner hurries, the
    loser delays. UNKNOWN if a move may leave the box; Refused where there are too many moves."""
    edges, barred = listed_moves(pile, box, _MOST_MOVES, budget)
    left = edges.out_degrees()
    found = np.full(box.size, UNKNOWN, dtype=np.int64)
    last = np.flatnonzero((left == 0) & ~barred)
    for length in range(box.size):
        budget.check()
        if not len(last):
            break
        found[last] = length
        # Length of play: the player who wins in the end hurries, the other delays. A state whose
        # player wins takes the first move that settles it; one whose player loses waits for the
        # last.
        before = edges.sources(last)
        # left: moves to states whose length is not known yet.
        np.subtract.at(left, before, 1)
        # Next come the states of the player who wins after an even number of moves, or who loses.
        is_lost = length % 2 == (rule == "misere")
        new = np.unique(before) if is_lost else np.flatnonzero(left == 0)
        last = new[(found[new] == UNKNOWN) & ~barred[new]]
    return found


def _with_least(theorem: ByLengths, budget: Budget) -> ByLengths:
    """Return ``theorem`` with the answer for one pile, if the least pile is proved to decide."""
    with suppress(BudgetSpent, Refused):
        if grows := prove_growth(theorem, budget.share(0.5)):
            one = solve(theorem.pile, theorem.rule, budget)
            if one.is_proved and one.is_linear:
                return replace(theorem, grows=grows, one=one)
    return theorem

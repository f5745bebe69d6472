"""Learn short conditions for the moves of a strategy from the table of members.

What makes a move win is a long formula, for the move is put into it.  Over the residues of which
the losing formula speaks there is often a short one that holds in the same states of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.families.search.learned import learn
from icgsynth.families.search.member_columns import few_valued, find_columns
from icgsynth.families.search.member_table import MemberTable
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, size, walk
from icgsynth.synth.linear.bank import EnumerationEffort
from icgsynth.synth.linear.formula_learner import FormulaLearner

_LONGEST, _WIDE = 8, 20  # leaves and connectives of a condition: all are tried, or a cover
_CONSTANTS_UP_TO = 2
_EFFORT = EnumerationEffort(rows=20_000, pairs=1_000_000)
_SECONDS = 15.0  # for one condition; mostly the effort ends it long before

Bits = NDArray[np.bool_]


def short_conditions(
    table: MemberTable,
    losing: t.Formula,
    wins: Mapping[SemiGroundAction, Bits],
    budget: Budget,
) -> tuple[Rule, ...] | None:
    """Return rules with short conditions for the moves of ``wins``, in their order; None where no
    short condition is found for one of them. ``wins`` has a mask (n,) for each move: the rows of
    ``table`` in which it wins. Conditions may use the residues and quotients in ``losing``, the
    formula of the losing states."""
    acts, rules = list(wins), list[Rule]()
    open_ = np.ones(len(table.rows), dtype=bool)
    for i, act in enumerate(acts):
        # alone: won by this move and by no later one, so the condition has to hold there.
        later = [wins[other] for other in acts[i + 1 :]]
        alone = wins[act] & ~np.logical_or.reduce(later) if later else wins[act]
        pool = _pool(table, losing, act)
        # Where a later move wins as well, the condition may hold or not.
        free = wins[act] & ~alone
        # First "just where it wins"; then without the states where it may hold or not.
        parts = [_part(table, open_, wins[act])]
        if (free & open_).any():
            parts.append(_part(table, open_ & ~free, alone))
        found = [formula for part in parts for formula in _learn(part, pool, budget)]
        if not found:
            return None
        when = min(found, key=size)
        rules.append(Rule(when, act))
        # The next rule is only asked where no rule so far holds.
        open_ &= ~table.values(when).astype(bool)
    return tuple(rules)


def _part(table: MemberTable, rows: Bits, target: Bits) -> MemberTable:
    """Return ``table`` with only the rows in the mask ``rows``, labelled by ``target`` there."""
    return replace(table, rows=table.rows[rows], losing=target[rows], moving=table.moving[rows])


def _pool(table: MemberTable, losing: t.Formula, act: SemiGroundAction) -> tuple[t.Term, ...]:
    """Return the terms that a condition of ``act`` may use: variables, constants, arguments of the
    move, residues in these or ``losing``, its quotients, and variables modulo the same divisors."""
    constants = [t.Name(c) for c in table.family.free]
    plain = [t.Name(x) for x in table.family.game.variables[len(constants) :]]
    arguments = [term for _, term in act.arguments if free_names(term)]
    spoken: dict[t.Term, None] = {}
    _collect(losing, spoken)
    nodes = [n for node in (losing, *arguments) for n in walk(node)]
    inner = [n for n in nodes if isinstance(n, t.Mod)]
    # A formula may speak of the residue of one variable, and of how far it is from another.
    divisors = {n.divisor: None for n in inner if n.arg in plain}
    few = few_valued(table.family)
    others = [t.Mod(x, divisor) for divisor in divisors for x in plain if x not in few]
    return tuple(dict.fromkeys((*plain, *arguments, *others, *constants, *inner, *spoken)))


def _collect(node: t.Formula | t.Term, found: dict[t.Term, None]) -> None:
    """Add to ``found`` the residues and quotients in ``node``, without those inside others."""
    if isinstance(node, t.Mod | t.Div):
        found[node] = None
        return
    for child in t.children(node):
        _collect(child, found)


def _learn(table: MemberTable, pool: tuple[t.Term, ...], budget: Budget) -> list[t.Formula]:
    """Return in a list one short formula over terms of ``pool`` that is true in exactly the rows of
    ``table`` labelled as losing; [] if none is found."""
    if table.losing.all():
        return [t.TRUE]
    if not table.losing.any():
        return []
    for columns in find_columns(table, pool):
        some = budget.within(_SECONDS)
        for formula in learn(table, columns, _CONSTANTS_UP_TO, _EFFORT, some, _ask):
            return [formula]
    return []


def _ask(learner: FormulaLearner) -> Iterator[t.Formula]:
    """Yield all formulas of ``learner`` up to size 8, then its longer formulas up to size 20."""
    yield from learner.up_to(_LONGEST)
    yield from (formula for formula in learner.costly() if size(formula) <= _WIDE)

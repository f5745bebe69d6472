"""Solve a game without a bound on its states that play only moves away from.

A race from 0 up to 100 has 101 states; counted from the goal and without the bound 0 it has all
numbers, and the losing ones may have a short formula.  It is then proved for these 101."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, links, negation, substitute, walk
from icgsynth.logic.nodes import SWAPPED
from icgsynth.logic.ranges import difference, ends_of, has_products
from icgsynth.synth.checked import Recounted
from icgsynth.synth.linear.polish import shorter

_LEAST = 16  # values of a bounded variable: one with fewer is a mark, such as "has passed"
_FAR = 2  # distance from 0 from which a least value is worth shifting to 0
_MOST_LISTED = 16  # members of a set in the rules; a longer set is a bound of the states


def said_of(game: ParametricGame, more: Recounted, solution: Solution) -> Solution | None:
    """Return ``solution``, found for the rewritten rules ``more``, as a claim on ``game`` that is
    not yet proved; None where it uses automata, which read the variables of ``more``."""
    pairs = (*solution.strategy, *solution.tree)
    is_read = not any(isinstance(n, t.Recognised) for n in walk(solution.losing_formula))
    if not is_read or not all(isinstance(pair, Rule) for pair in pairs):
        return None
    there, losing = solution.mapped(more.back), shorter(more.back(solution.losing_formula))
    return Solution(
        game=game,
        rule=solution.rule,
        status="unknown",
        winning=Claim(negation(losing)),
        losing=Claim(losing),
        cover=there.cover,
        strategy=there.strategy,
        tree=there.tree,
        logic=solution.logic,
    )


def wider(game: ParametricGame) -> Recounted | None:
    """Return ``game`` without the bounds from which all its moves lead away, with variables counted
    from the end of play; None if there is no such bound."""
    nodes = [node for formula in game.formulas() for node in walk(formula)]
    is_listed = any(isinstance(n, t.Member) and len(n.values) > _MOST_LISTED for n in nodes)
    needs_few = is_listed or has_products(game.formulas())  # states, to be played out
    if needs_few or game.block or game.is_quantified or game.has_digits:
        return None
    parts = list(links(game.legal))
    terms, given = dict[str, t.Term](), dict[str, t.Term]()
    left_out = set[t.Formula]()
    for name in game.variables:
        above, below = (dict(_cuts(parts, name, op)) for op in ("<=", ">="))
        first, last = max(below.values(), default=0), min(above.values(), default=0)
        ends = [_change(game, action, name) for action in game.actions]
        if (above and below and last - first < _LEAST) or all(end == (0, 0) for end in ends):
            continue
        this = t.Name(name)
        if all(most is not None and most <= 0 for _, most in ends):
            left_out |= above.keys()
            if abs(first) >= _FAR:
                terms[name] = t.Sum((this, t.Int(-first)))
                given[name] = t.Sum((this, t.Int(first)))
        elif above and all(least is not None and least >= 0 for least, _ in ends):
            left_out |= below.keys()
            terms[name] = given[name] = t.Sum((t.Int(last), t.Neg(this)))
    if not (left_out or terms):
        return None
    legal = conjunction(part for part in parts if part not in left_out)
    return Recounted.of(replace(game, legal=legal), terms, given)


def _cuts(parts: list[t.Formula], name: str, direction: str) -> Iterator[tuple[t.Formula, int]]:
    """Yield (part, n) for those of the conjuncts ``parts`` that tell ``name <= n`` (``direction``
    "<="), or ``name >= n`` (">=")."""
    for part in parts:
        if not isinstance(part, t.Compare) or part.ops[0] not in ("<", "<=", ">", ">="):
            continue
        form, op = difference(*part.terms), part.ops[0]
        factor = form.factors.get(t.Name(name), 0)
        if len(form.factors) != 1 or abs(factor) != 1:
            continue
        op = op if factor > 0 else SWAPPED[op]
        if op[0] == direction[0]:
            yield part, -form.constant * factor - (op == "<") + (op == ">")


def _change(game: ParametricGame, action: Action, name: str) -> tuple[Any, Any]:
    """Return the least and the largest number that ``action`` may add to the variable ``name``;
    None in place of a bound that is not known."""
    after = game.after(action)
    there = substitute(game.legal, after)
    added = t.Sum((after[name], t.Neg(t.Name(name))))
    return ends_of(added, [game.legal, action.precondition, there])

"""Find conditions for semi-ground actions: short ones on a sample, or weakest preconditions.

A short condition is a shortest formula between two sets of sample states.  Unlike the bank of
formulas, which excludes whole sizes, the search tries only literals of up to four leaves and
pairs of literals, so that it is cheap.

Where no short condition is found, an action gets cells of the winning formula, refined into a
disjunctive cover (Wu et al., AAMAS 2020, "Refining"): literals of the forms ``!=``, ``<=``, ``>=``
and "not congruent" become disjunctions of the others, conjunction is distributed over disjunction,
and contradictory cells are dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np

from icgsynth.claims.game import moves_to
from icgsynth.digits.arrays import Flags, distinct, pack
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, links, negation, reading, size
from icgsynth.logic.nodes import SWAPPED
from icgsynth.logic.simplify import simplified
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.bank import Target, above, below, find_joins
from icgsynth.synth.linear.cells import cover_between, factored
from icgsynth.synth.linear.literals import form_of, linear_term
from icgsynth.synth.linear.points import moduli
from icgsynth.synth.linear.polish import Legal
from icgsynth.synth.linear.sample import CandidateAction, Goal, StateSample

# --- short conditions ----------------------------------------------------------------------------

_LARGEST = 4  # most leaves of a literal
_PAIRS = 4_000_000  # most pairs of literals of two sizes


def smallest_between(
    sample: StateSample, lower: Flags, upper: Flags, longest: int
) -> t.Formula | None:
    """Return a shortest formula that holds in the sample states flagged in ``lower`` (n,), and only
    in those of ``upper`` (n,); None if none of up to ``longest`` leaves and connectives is found.
    Tried are literals, pairs of literals, and ``term mod m in {..}``."""
    target = Target(pack(lower[None])[0], ~pack(~upper[None])[0])
    tables = {s: sample.terse.of_size(s) for s in range(2, min(longest, _LARGEST) + 1)}
    known = {s: table for s, table in tables.items() if table is not None}
    over = {s: above(table.bits, target) for s, table in known.items()}
    under = {s: below(table.bits, target) for s, table in known.items()}
    variables = sample.goal.game.variables
    for s in range(2, longest + 1):
        found: list[t.Formula] = []
        if s in known:
            fits = np.intersect1d(over[s], under[s], assume_unique=True)
            found += [known[s].literal(int(i)).formula(variables) for i in fits]
        for left in range(2, (s - 1) // 2 + 1):
            right = s - 1 - left
            if left not in known or right not in known:
                continue
            one, other = known[left], known[right]
            for is_and in (True, False):
                sample.budget.check()
                join, side = (conjunction, over) if is_and else (disjunction, under)
                rows = side[left], side[right]
                for i, j in find_joins(one.bits, other.bits, rows, target, is_and, _PAIRS) or ():
                    parts = (one.literal(i), other.literal(j))
                    found.append(join([part.formula(variables) for part in parts]))
        if found:
            return min(found, key=reading)
    members = (f for size, f in _members(sample, lower, upper) if size <= longest)
    return next(members, None)


def _members(sample: StateSample, lower: Flags, upper: Flags) -> Iterator[tuple[int, t.Formula]]:
    """Yield (size, formula) for formulas ``term mod m in {..}`` that hold in all states of
    ``lower`` (n,), and only in those of ``upper`` (n,), shortest first."""
    goal = sample.goal
    found: list[tuple[int, t.Formula]] = []
    for form in _forms(sample.states.shape[1]):
        values = sample.states @ np.array(form, dtype=np.int64)
        for modulus in moduli(goal.game, goal.losing):
            residues = values % modulus
            needed = distinct(residues[lower])
            if len(needed) > 1 and not np.isin(residues[~upper], needed).any():
                term = t.Mod(linear_term(form, goal.game.variables), t.Int(modulus))
                formula = t.Member(term, tuple(t.Int(int(r)) for r in needed))
                found.append((sum(map(abs, form)) + 1 + len(needed), formula))
    return iter(sorted(found, key=lambda f: f[0]))


def _forms(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the coefficients of the forms ``x``, ``x + y`` and ``x - y`` in ``count`` variables."""
    for i in range(count):
        yield form_of(count, {i: 1})
        for j, sign in product(range(i + 1, count), (1, -1)):
            yield form_of(count, {i: 1, j: sign})


# --- cells ---------------------------------------------------------------------------------------

_MOST_CELLS = 64  # most cells of a cover that people read


def refine(legal: Legal, winning: t.Formula) -> tuple[t.Formula, ...]:
    """Return formulas whose disjunction is ``winning`` in the legal states: conjunctions of
    literals (cells), without those proved to hold in no legal state.  Where these are too many,
    they are the disjuncts of ``winning`` itself."""
    cells = split(winning)
    if cells is None:
        return winning.args if isinstance(winning, t.Or) else (winning,)
    return tuple(cell for cell in cells if legal.may_hold(cell))


def split(formula: t.Formula) -> list[t.Formula] | None:
    """Return conjunctions of literals whose disjunction is ``formula``, [] if that is false; None
    if the conjunctions are too many."""
    match formula:
        case t.Truth(value):
            return [formula] if value else []
        case t.Or(args):
            parts = [split(a) for a in args]
            if any(p is None for p in parts):
                return None
            flat = dict.fromkeys(cell for p in parts if p is not None for cell in p)
            return list(flat) if len(flat) <= _MOST_CELLS else None
        case t.And(args):
            factors = [split(a) for a in args]
            count = 1
            for factor in factors:
                if factor is None:
                    return None
                count *= len(factor)
            if count > _MOST_CELLS:
                return None
            return [
                conjunction(choice) for choice in product(*(f for f in factors if f is not None))
            ]
        case t.Implies(left, right):
            return split(t.Or((negation(left), right)))
        case t.Iff(left, right):
            return split(t.Or((t.And((left, right)), t.And((negation(left), negation(right))))))
        case t.Not(arg):
            pushed = negation(arg)
            return _literal(formula) if isinstance(pushed, t.Not) else split(pushed)
        case _:
            return _literal(formula)


def _literal(literal: t.Formula) -> list[t.Formula]:
    """Return disjuncts of ``literal``, as ``<`` and ``=`` of ``<=``; itself alone if too many."""
    cells = list(islice(_disjuncts(literal), _MOST_CELLS + 1))
    return cells if len(cells) <= _MOST_CELLS else [literal]


def _disjuncts(literal: t.Formula) -> Iterator[t.Formula]:
    match literal:
        case t.Compare((t.Mod(_, t.Int(modulus)) as term, t.Int(residue)), ("!=",)):
            yield from (t.compare(term, "=", r) for r in range(modulus) if r != residue)
        case t.Compare((left, right), ("!=",)):
            yield from (t.compare(left, op, right) for op in (">", "<"))
        case t.Compare((left, right), ("<=",)):
            yield from (t.compare(left, op, right) for op in ("<", "="))
        case t.Compare((left, right), (">=",)):
            yield from (t.compare(left, op, right) for op in (">", "="))
        case t.Member(term, values):
            yield from (t.compare(term, "=", v) for v in values)
        case t.Not(t.Member(t.Mod(_, t.Int(modulus)) as term, values)):
            excluded = set(values)
            rest = (r for r in range(modulus) if t.Int(r) not in excluded)
            yield from (t.compare(term, "=", r) for r in rest)
        case _:
            yield literal


# --- conditions ----------------------------------------------------------------------------------

_LONGEST_CONDITION = 7  # most leaves and connectives of a condition that is searched
_ACTION = 4  # cost of one more action in a strategy
_WHOLE_CELLS = 64  # most cells of the winning formula that are tried
_PER_CELL = 3  # actions that win on all of a cell, the lightest
_CELLS_PER_STATE = 3  # cells for each state: few, as each action asks for cells


def weakest_precondition(goal: Goal, act: SemiGroundAction) -> t.Formula:
    """Return a formula that holds in just those legal states where ``act`` applies and leads to a
    state of ``goal.losing``; conjuncts of the condition of legality are left out."""
    given = set(_links(simplified(goal.game.legal)))
    parts = _links(simplified(moves_to(goal.game, act, goal.losing)))
    return conjunction(p for p in parts if p not in given)


def narrow_to_cells(sample: StateSample, acts: Sequence[SemiGroundAction]) -> tuple[Rule, ...]:
    """Return rules with actions of ``acts``; together they win in all sample states needing a move.

    The condition of a rule is the weakest precondition to reach a few chosen disjuncts of the
    losing formula, so its action wins there by definition.  Where disjuncts have no equations, each
    of ``acts`` has a rule; its condition is the weakest precondition to reach any losing state."""
    goal, losing = sample.goal, sample.goal.losing
    if not sample.is_aiming or not isinstance(losing, t.Or):
        return tuple(Rule(weakest_precondition(goal, act), act) for act in acts)
    into: list[tuple[int, t.Formula]] = [
        (i, cell) for cell in losing.args for i in range(len(acts))
    ]
    wins = np.array([sample.holds(moves_to(goal.game, acts[i], cell)) for i, cell in into])
    weights = [acts[i].size + size(cell) for i, cell in into]
    kept: dict[int, list[t.Formula]] = {}
    for i in cover_of([*wins], weights, sample.domain & wins.any(axis=0)) or ():
        act, cell = into[i]
        kept.setdefault(act, []).append(cell)
    return tuple(
        Rule(weakest_precondition(replace(goal, losing=disjunction(cells)), acts[i]), acts[i])
        for i, cells in kept.items()
    )


def _links(formula: t.Formula) -> list[t.Formula]:
    """Return the conjuncts of ``formula``, simplified, without true ones; a chain of comparisons is
    several conjuncts, and a number stands on the right."""
    parts = links(formula)
    plain = [simplified(_turn(p)) if isinstance(p, t.Compare) else p for p in parts]
    return [p for p in plain if p != t.TRUE]


def _turn(link: t.Compare) -> t.Compare:
    (left, right), (op,) = link.terms, link.ops
    if not isinstance(left, t.Int):
        return link
    return t.compare(right, SWAPPED[op], left)


def is_weakest(goal: Goal, rule: Rule) -> bool:
    """Return whether the condition of ``rule`` is its weakest precondition, and not short."""
    # A short condition is no weakest precondition, so nothing is computed for it.
    return size(rule.when) > _LONGEST_CONDITION and rule.when == weakest_precondition(
        goal, rule.act
    )


def shape_rules(sample: StateSample, acts: Sequence[SemiGroundAction]) -> tuple[Rule, ...]:
    """Return rules with short conditions that win wherever they match in the sample, and one of
    which matches in each sample state that needs a move; () if there is no such state.

    Their actions are some of ``acts``, of which one wins in each of these states, or actions that
    win on a whole conjunction of the winning formula."""
    if not sample.domain.any():
        return ()
    options = _whole_cells(sample)
    cover = cover_of([o.holds for o in options], [o.price for o in options], sample.domain)
    if cover is not None:
        return _merged(sample, [options[i] for i in cover])
    known = {c.act: c for c in sample.candidates}
    chosen = [known[act] for act in dict.fromkeys(acts) if act in known]
    return _condition(sample, chosen)


# --- whole cells -------------------------------------------------------------------


@dataclass(frozen=True)
class _Option:
    """An action with a condition on which it wins everywhere, and its price."""

    candidate: CandidateAction
    condition: t.Formula
    holds: Flags
    price: int


def _whole_cells(sample: StateSample) -> list[_Option]:
    """Return parts of the winning formula, each with an action that wins in all of it."""
    options: list[_Option] = []
    candidates = sample.candidates  # the lightest first
    if not candidates:
        return options
    wins = np.array([c.wins for c in candidates]) & sample.domain
    for formula in _list_given(sample.goal)[:_WHOLE_CELLS]:
        holds = sample.holds(formula)
        if not holds.any():
            continue
        for i in np.flatnonzero(wins[:, holds].all(axis=1))[:_PER_CELL]:
            price = _ACTION + candidates[i].act.size + size(formula)
            options.append(_Option(candidates[i], formula, holds, price))
    return options


def _list_given(goal: Goal) -> list[t.Formula]:
    """Return formulas to try as conditions: the winning formula, that of states that need a move,
    the disjuncts of the first, and conjunctions that it is the disjunction of, if these are few."""
    given: dict[t.Formula, None] = {goal.winning: None, goal.domain: None}
    if isinstance(goal.winning, t.Or):
        given |= dict.fromkeys(goal.winning.args)
    given |= dict.fromkeys(split(goal.winning) or ())
    return list(given)


def _merged(sample: StateSample, chosen: Sequence[_Option]) -> tuple[Rule, ...]:
    """Return one rule for each needed action of the options ``chosen``; its condition is the
    disjunction of their conditions, or a shorter one that suffices in the sample."""
    by_act: dict[SemiGroundAction, list[_Option]] = {}
    for option in chosen:
        by_act.setdefault(option.candidate.act, []).append(option)
    groups = sorted(by_act.values(), key=lambda g: -sum(int(o.holds.sum()) for o in g))
    conditions = [factored([o.condition for o in g]) for g in groups]
    holds = [sample.holds(c) for c in conditions]
    rules: list[Rule] = []
    for i, group in enumerate(groups):
        needed = _find_needed(sample, holds, i)
        if not needed.any():
            holds[i] = np.zeros_like(needed)
            continue
        wins = group[0].candidate.wins & sample.domain
        shorter = smallest_between(
            sample, needed, wins, min(_LONGEST_CONDITION, size(conditions[i]) - 1)
        )
        if shorter is not None:
            conditions[i], holds[i] = shorter, sample.holds(shorter)
        rules.append(Rule(conditions[i], group[0].candidate.act))
    return tuple(rules)


def _find_needed(sample: StateSample, holds: Sequence[Flags], i: int) -> Flags:
    """Return flags (n,) of the sample states that need a move and are in no set of ``holds``, each
    (n,), but perhaps in the one with index ``i``."""
    others = np.zeros(len(sample.states), bool)
    for j, vector in enumerate(holds):
        if j != i:
            others |= vector
    return sample.domain & ~others


# --- conditions for given actions ----------------------------------------------------


def _condition(sample: StateSample, chosen: Sequence[CandidateAction]) -> tuple[Rule, ...]:
    """Return rules for the actions of ``chosen`` that are needed, each with a short condition if
    one is found, else with its weakest precondition."""
    holds = [c.wins & sample.domain for c in chosen]
    # An action is left out if the others win all its states as well; actions that win in few
    # states are tried first.
    for i in sorted(range(len(chosen)), key=lambda i: int(holds[i].sum())):
        if not _find_needed(sample, holds, i).any():
            holds[i] = np.zeros_like(holds[i])
    rules: list[Rule] = []
    for i, candidate in enumerate(chosen):
        needed = _find_needed(sample, holds, i)
        if not needed.any():
            holds[i] = np.zeros_like(needed)
            continue
        condition = _short(sample, candidate, needed)
        if condition is None:
            condition = weakest_precondition(sample.goal, candidate.act)
        else:
            holds[i] = sample.holds(condition)
        rules.append(Rule(condition, candidate.act))
    return tuple(rules)


def _short(sample: StateSample, candidate: CandidateAction, needed: Flags) -> t.Formula | None:
    """Return a short formula that holds in the states ``needed`` (n,), and only where the action of
    ``candidate`` wins; None if none is found."""
    wins = candidate.wins & sample.domain
    found = smallest_between(sample, needed, wins, _LONGEST_CONDITION)
    if found is not None:
        return found
    weakest = weakest_precondition(sample.goal, candidate.act)
    options = [o for o in (_pruned(sample, weakest, wins), _cells(sample, wins, needed)) if o]
    return min(options, key=size, default=None)


def _pruned(sample: StateSample, weakest: t.Formula, wins: Flags) -> t.Formula | None:
    """Return the conjunction ``weakest`` without conjuncts that it can spare and still be false
    outside ``wins`` (n,) in the sample; None if it needs all."""
    parts = list(weakest.args) if isinstance(weakest, t.And) else [weakest]
    vectors = [sample.holds(p) for p in parts]
    kept = list(range(len(parts)))
    for i in sorted(kept, key=lambda i: -size(parts[i])):
        rest = [j for j in kept if j != i]
        if rest and not (np.logical_and.reduce([vectors[j] for j in rest]) & ~wins).any():
            kept = rest
    return conjunction(parts[i] for i in kept) if len(kept) < len(parts) else None


def _cells(sample: StateSample, wins: Flags, needed: Flags) -> t.Formula | None:
    """Return a cheap disjunction of conjunctions that holds in the sample states ``needed`` (n,),
    and only in those of ``wins`` (n,); None if none is found."""
    goal = sample.goal
    ended = sample.holds(goal.ended) & (goal.rule == "misere")
    names, budget = goal.game.variables, sample.budget
    found = cover_between(sample.words, needed, wins | ended, names, budget, _CELLS_PER_STATE)
    if found is None:
        return None
    # A cell may contain ending states, which one more conjunct excludes.
    if (sample.holds(found) & ended).any():
        found = conjunction((found, negation(goal.ended)))
    return found

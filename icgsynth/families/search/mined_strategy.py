"""Mine a strategy for all members of a family from a table, given their losing formula.

First come terms that the parameters of a winning move may be, whatever the constants are.

A move goes to a losing state; so a parameter is often the distance of a variable to a target, also
modulo a divisor of the losing formula: zero, another variable, its residue, the start of its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, permutations, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.claims.game import fires, moves_to
from icgsynth.digits.arrays import pack
from icgsynth.families.search.member_columns import few_valued, large_numbers
from icgsynth.families.search.member_table import MemberTable
from icgsynth.families.search.mined_conditions import short_conditions
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, links, negation, rebuild, size, walk
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import linear_sum, simplified, simplified_term
from icgsynth.synth.cover import Weighted, as_integer, cheapest_cover

# --- move arguments ------------------------------------------------------------------------------

_MOST = 3_600  # terms tried as arguments: the shortest ones


def argument_terms(table: MemberTable, losing: t.Formula) -> list[t.Term]:
    """Return terms that a parameter of a winning move may be, the short ones first: variables,
    constants, residues in the formula ``losing``, and differences of these."""
    game, free = table.family.game, [t.Name(c) for c in table.family.free]
    own = [t.Name(v) for v in game.variables[len(free) :]]
    nodes = list(walk(losing))
    divisors = list(dict.fromkeys(n.divisor for n in nodes if isinstance(n, t.Mod | t.Div)))
    residues = list(dict.fromkeys(n for n in nodes if isinstance(n, t.Mod)))
    positive = [c for c in free if table.values(c).min() >= 1]
    numbers = sorted(game.integers | {1, 2})[:6]
    large = large_numbers(table.family)
    found: list[t.Term] = [*map(t.Int, numbers), *own, *residues]
    for c in free:
        found += [c, t.Mul(t.Int(2), c), *_add_numbers(c, (1, -1, -2))]
        found += [_minus(c, r) for r in residues] + [_minus(r, c) for r in residues]
    for r in residues:
        found += _add_numbers(r, (1, -1, -2))
    few = few_valued(table.family) if len(own) > 2 else {}
    own = [x for x in own if x not in few]
    for x in own:
        others = [y for y in own if y != x]
        for target in _targets(others, [*free, *large], divisors, positive):
            found.append(_minus(x, target))
            for m in divisors:
                found += [t.Mod(_minus(x, target), m), _minus(t.Mod(x, m), target)]
                found.append(t.Mod(_minus(target, x), m))
    distinct = dict.fromkeys(map(simplified_term, found))
    named = [simplified_term(term) for term in _named_by_rules(game)]
    return list(dict.fromkeys((*named, *sorted(distinct, key=size)[:_MOST])))


def _named_by_rules(game: ParametricGame) -> Iterator[t.Term]:
    """Yield the terms that the rules equate with a parameter, as 1 and ``2 * n`` where a rule says
    ``k = 1 or k = 2 * n``."""
    for action in game.actions:
        for node in walk(action.precondition):
            if isinstance(node, t.Compare) and node.ops == ("=",):
                for one, other in permutations(node.terms):
                    is_parameter = isinstance(one, t.Name) and one.name in action.parameters
                    if is_parameter and free_names(other).isdisjoint(action.parameters):
                        yield other


def argument_pairs(table: MemberTable, losing: t.Formula) -> list[tuple[t.Term, t.Term]]:
    """Return pairs (x - v, y - v): amounts which, taken from the first two variables x and y, bring
    both to one value v, as half of (x + y) modulo a divisor in ``losing``; [] for one variable."""
    game, free = table.family.game, [t.Name(c) for c in table.family.free]
    own = [t.Name(v) for v in game.variables[len(free) :]][:2]
    if len(own) < 2:
        return []
    divisors = [n.divisor for n in walk(losing) if isinstance(n, t.Mod | t.Div)]
    moduli = dict.fromkeys((*divisors, *(c for c in free if table.values(c).min() >= 1)))
    targets: list[t.Term] = [t.Int(0), *free]
    for m in moduli:
        total = t.Mod(t.Sum(tuple(own)), m)
        targets += [t.Mod(own[0], m), t.Mod(own[1], m), total]
        # Two variables with x + y = s or s + m go to the same value s / 2 or (s + m) / 2.
        targets += [t.Div(total, t.Int(2)), t.Div(t.Sum((total, m)), t.Int(2))]
    shifted = [term for target in targets for term in (target, *_add_numbers(target, (1, -1)))]
    return [(_minus(own[0], target), _minus(own[1], target)) for target in shifted]


def _targets(
    others: Sequence[t.Name],
    free: Sequence[t.Name | t.Int],
    divisors: Sequence[t.Term],
    positive: Sequence[t.Name],
) -> Iterator[t.Term]:
    """Yield terms that a variable may equal after a move, made of ``others`` (variables), ``free``
    (constants) and residues by ``divisors``, or by the constants ``positive``."""
    found: list[t.Term] = [t.Int(0), *free, *others]
    found += [near for y in others for near in _add_numbers(y, (2, -2))]
    for c in free:
        for i in (1, 2, 3):
            found += _add_numbers(c if i == 1 else t.Mul(t.Int(i), c), (-1, 1, 2, 3))
        found += [t.Sum((y, c)) for y in others] + [_minus(y, c) for y in others]
    for m in divisors:
        found += [t.Mod(c, m) for c in free if not free_names(c) & free_names(m)]
        for y in others:
            r = t.Mod(y, m)
            # r xor 1 = r + 1 - 2 (r mod 2): the partner of r where states go in pairs.
            pair = t.Sum((r, t.Int(1), t.Neg(t.Mul(t.Int(2), t.Mod(r, t.Int(2))))))  # r xor 1
            found += [r, _minus(y, r), t.Mod(t.Neg(y), m), _minus(t.Int(1), r), _minus(m, r)]
            found += [t.Sum((y, t.Neg(r), t.Mod(t.Neg(y), m))), pair, _minus(r, m)]
            for c in free:
                found += [t.Sum((r, c)), _minus(r, c)]
            found += [_minus(r, t.Mod(r, c)) for c in positive]
    for target in dict.fromkeys(found):
        yield target
        yield from _add_numbers(target, (1, -1))


def _add_numbers(term: t.Term, numbers: Iterable[int]) -> list[t.Term]:
    return [t.Sum((term, t.Int(n))) if n > 0 else _minus(term, t.Int(-n)) for n in numbers]


def _minus(one: t.Term, other: t.Term) -> t.Term:
    return t.Sum((one, t.Neg(other)))


# --- mined strategy ------------------------------------------------------------------------------

_SAMPLE = 300  # winning rows on which candidates are compared at first
_MORE = 40  # of the rows that a cover misses join the sample
_ROUNDS = 6
_PAIRS = 64  # terms of each parameter of an action with two
_RULES = 16
_ORDERS = 24  # orders of actions tried: all of four actions
_EACH = (3, 50)  # what a move costs, besides the leaves of its arguments


_Column: TypeAlias = NDArray[np.int64]
_Values: TypeAlias = Mapping[str, _Column]


class StrategyMiner:
    """Looks for winning moves into states of the formula ``losing`` on the rows of ``table``."""

    def __init__(self, table: MemberTable, losing: t.Formula, budget: Budget) -> None:
        self.table, self.losing, self.budget = table, losing, budget
        self.game = table.family.game
        self.need = np.flatnonzero(~table.losing & table.moving)
        self.terms = argument_terms(table, losing)
        self.pairs = argument_pairs(table, losing)

    def strategies(self) -> Iterator[tuple[Rule, ...]]:
        """Yield strategies that win in all rows of the table with a move to make, those with short
        conditions first. Where no row is won by a move, only the empty strategy is yielded."""
        if not len(self.need):
            yield ()
            return
        seen: list[set[SemiGroundAction]] = []
        for each in _EACH:
            acts = self._cover(each)
            if acts and set(acts) not in seen:
                seen.append(set(acts))
                yield from self._with_conditions(acts)

    def _with_conditions(self, acts: list[SemiGroundAction]) -> Iterator[tuple[Rule, ...]]:
        wins = {act: self._holds(moves_to(self.game, act, self.losing)) for act in acts}
        learned = short_conditions(self.table, self.losing, wins, self.budget)
        if learned is not None:
            yield learned
        whole: list[list[t.Formula]] = []
        order = self._tree(acts, wins)
        # Then a rule needs no more than "it is won" and that its move applies.
        if order is not None:
            winning = negation(self.losing)
            whole.append([conjunction((winning, fires(self.game, a))) for a in order])
        else:
            order = acts
        wins_where = [moves_to(self.game, a, self.losing) for a in order]
        whole += [[_congruent(condition) for condition in wins_where], wins_where]
        for conditions in whole:
            short = self._shorten(order, conditions, wins)
            yield tuple(Rule(w, a) for w, a in zip(short, order, strict=True))
        for conditions in whole:
            yield tuple(Rule(w, a) for w, a in zip(conditions, order, strict=True))

    def _holds(self, formula: t.Formula) -> NDArray[np.bool_]:
        return self.table.values(formula).astype(bool)

    # --- moves ---------------------------------------------------------------------------------

    def _cover(self, each: int) -> list[SemiGroundAction]:
        """Return few moves, actions with terms as arguments, of which one wins on each row that
        needs a move; [] if not found. The cost of a move is ``each`` and its size."""
        # A fixed seed: the same table gives the same strategy.
        mixed = np.random.default_rng(0).permutation(self.need)
        sample = mixed[:_SAMPLE]
        for _ in range(_ROUNDS):
            self.budget.check()
            chosen = self._cheapest(sample, each)
            if not chosen:
                return []
            wins = [self._holds(moves_to(self.game, a, self.losing)) for a in chosen]
            missed = mixed[~np.logical_or.reduce(wins)[mixed]]
            if not len(missed):
                return chosen
            # By counterexamples: rows that the cover of the sample misses join the sample.
            sample = np.concatenate([sample, missed[:_MORE]])
        return []

    def _cheapest(self, sample: NDArray[np.int64], each: int) -> list[SemiGroundAction]:
        moves = [move for action in self.game.actions for move in self._moves(action, sample)]
        sets = [Weighted(as_integer(pack(row[None])[0]), each + act.size) for act, row in moves]
        whole = as_integer(pack(np.ones((1, len(sample)), dtype=bool))[0])
        chosen = cheapest_cover(sets, whole) or []
        return [moves[i][0] for i in chosen] if len(chosen) <= _RULES else []

    def _moves(
        self, action: Action, sample: NDArray[np.int64]
    ) -> Iterator[tuple[SemiGroundAction, NDArray[np.bool_]]]:
        """Yield pairs (move, mask): ``action`` with terms as its arguments, and the mask of the
        rows ``sample`` (places in the table) in which it leads to a losing state, at least one."""
        env = dict(zip(self.game.variables, self.table.rows[sample].T, strict=True))
        data = _distinct(self.terms, env, len(sample))
        count = len(action.parameters)
        forms: list[tuple[t.Term, ...]] = list(product(data, repeat=count)) if count < 2 else []
        if count == 2:
            forms = [*product(list(data)[:_PAIRS], repeat=2), *self.pairs]
            data |= {x: _column(x, env, len(sample)) for pair in self.pairs for x in pair}
        if not forms:
            return
        parameters = tuple((p, t.Name(p)) for p in action.parameters)
        formula = moves_to(self.game, SemiGroundAction(action.name, parameters), self.losing)
        given = {
            p: np.stack([data[form[i]] for form in forms]) for i, p in enumerate(action.parameters)
        }
        wins = np.broadcast_to(columns(formula, env | given), (len(forms), len(sample)))
        for form, row in zip(forms, wins.astype(bool), strict=True):
            if row.any():
                pairs = tuple(zip(action.parameters, form, strict=True))
                yield SemiGroundAction(action.name, pairs), row

    # --- conditions ----------------------------------------------------------------------------

    def _tree(
        self,
        acts: Sequence[SemiGroundAction],
        wins: dict[SemiGroundAction, NDArray[np.bool_]],
    ) -> list[SemiGroundAction] | None:
        """Return ``acts`` in such an order that in every row that needs a move, the first that
        applies wins; or None. ``wins`` has for each move a mask of the rows where it wins."""
        fire = {act: self._holds(fires(self.game, act)) for act in acts}
        for order in islice(permutations(acts), _ORDERS):
            open_ = np.zeros(len(self.table.rows), dtype=bool)
            open_[self.need] = True
            for act in order:
                # It applies in a winning state that no earlier move decides, and does not win
                # there.
                if (open_ & fire[act] & ~wins[act]).any():
                    break
                open_ &= ~fire[act]
            else:
                return list(order)
        return None

    def _shorten(
        self,
        order: Sequence[SemiGroundAction],
        conditions: Sequence[t.Formula],
        wins: dict[SemiGroundAction, NDArray[np.bool_]],
    ) -> list[t.Formula]:
        """Return ``conditions`` of the moves ``order`` without needless conjuncts: still no rule
        fires in a row where its move loses. ``wins`` has for each move the mask of rows it wins."""
        open_ = np.ones(len(self.table.rows), dtype=bool)
        short = []
        for act, condition in zip(order, conditions, strict=True):
            parts = [
                p for p in dict.fromkeys(links(simplified(condition))) if not isinstance(p, t.Truth)
            ]
            masks = {part: self._holds(part) for part in parts}
            # The longest parts first: what goes is worth the most.
            for part in sorted(masks, key=size, reverse=True):
                rest = [masks[p] for p in parts if p != part]
                where = np.logical_and.reduce(rest) if rest else np.ones_like(open_)
                # Without this part the rule still fires in no open row where its move does not win.
                if not (where & open_ & ~wins[act]).any():
                    parts.remove(part)
            short.append(conjunction(parts))
            open_ &= ~self._holds(short[-1])
        return short


def _congruent(node: t.Kind) -> t.Kind:
    """Return ``node`` with ``(x + y mod m) mod m`` as ``(x + y) mod m``, which is linear."""
    made = rebuild(node, tuple(map(_congruent, t.children(node)))) if t.children(node) else node
    if not isinstance(made, t.Mod):
        return made
    form = linear(made.arg)
    factors: dict[t.Term, int] = {}
    constant = form.constant
    for atom, factor in form.factors.items():
        inner = linear(
            atom.arg if isinstance(atom, t.Mod) and atom.divisor == made.divisor else atom
        )
        # (x + c (y mod M)) mod M = (x + c y) mod M, for the difference is a multiple of M.
        constant += factor * inner.constant
        for term, count in inner.factors.items():
            factors[term] = factors.get(term, 0) + factor * count
    kept = {term: count for term, count in factors.items() if count}
    return rebuild(made, (linear_sum(kept, constant), made.divisor))


def _distinct(terms: Iterable[t.Term], env: _Values, count: int) -> dict[t.Term, _Column]:
    """Return one term for each different column of values (count,), with the column; ``env`` has
    the values of the names on the sample."""
    seen: dict[bytes, tuple[t.Term, _Column]] = {}
    for term in terms:
        column = _column(term, env, count)
        seen.setdefault(column.tobytes(), (term, column))
    return dict(seen.values())


def _column(term: t.Term, env: _Values, count: int) -> _Column:
    return np.broadcast_to(columns(term, env), (count,)).astype(np.int64)

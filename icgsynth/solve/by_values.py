"""Solve a game that is a sum of independent parts by the Grundy values of the parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal, TypeAlias

from icgsynth.budget import Budget, Progress
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.components import components
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, rebuild, size, substitute, walk
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.certificate import certify
from icgsynth.prove.value_strategy import Moves
from icgsynth.prove.values import in_digits, unxor, xor_of
from icgsynth.synth.digits.targets import whole_strategy
from icgsynth.synth.values.grundy_search import parts_solved
from icgsynth.synth.values.short_terms import window
from icgsynth.synth.values.value_moves import moves_of_sum

_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked


Unsaid: TypeAlias = Literal["unsaid"]  # the values are known, but no formula is fit to read


@dataclass(frozen=True)
class PartsClaim:
    """The claim that the values of a game's parts make about the whole game; not proved yet.
    ``values`` has the value of each part as a term; ``moves`` are the rules of a strategy."""

    claim: Solution
    values: tuple[t.Term, ...]
    moves: Moves

    @property
    def has_cases(self) -> bool:
        return any(isinstance(node, t.If) for value in self.values for node in walk(value))

    @property
    def is_misere(self) -> bool:
        return self.claim.rule == "misere"

    @property
    def is_parity(self) -> bool:
        """Whether the xor of the values is one term, such as a remainder by 2: then a short linear
        formula says who wins."""
        return len(unxor(_of_parities(xor_of(self.values)))) == 1

    @property
    def size(self) -> int:
        """The number of leaves and connectives of the losing formula under misère play, else of the
        values, and 1 for each part; values that differ in the variable's name alone count once."""
        if self.is_misere:
            return size(self.claim.losing_formula)
        functions = dict.fromkeys(map(_of_n, self.values))
        return len(self.values) + sum(map(size, functions))

    def prove(self, budget: Budget) -> Solution | None:
        """Return the answer, proved from the rules of the whole game; None without a proof."""
        with suppress(BudgetSpent, Refused):
            if self.has_cases or not self.moves:  # cases in a condition are for nobody to read
                return self._with_automata(budget)
            found = self._with_terms(budget.share(0.5) if self.is_misere else budget)
            # Where all values are 0 the moves of misère play may have to raise one.
            return self._with_automata(budget) if found is None and self.is_misere else found
        return None

    def _with_terms(self, budget: Budget) -> Solution | None:
        rules = tuple(r.mapped(_of_parities) for r in self.moves if isinstance(r, Rule))
        cover = self.claim.cover if self.is_misere else tuple(rule.when for rule in rules)
        claim = replace(self.claim, strategy=Strategy(rules), cover=cover)
        if claim.is_linear:
            within = budget.within(_LINEAR)
            with suppress(BudgetSpent, Refused):
                if (proved := certify(claim, within).solved) is not None:
                    return proved
        return certify(in_digits(claim, budget), budget).solved

    def _with_automata(self, budget: Budget) -> Solution | None:
        rules = Rules.of(self.claim.game, base(2), budget)
        lost = rules.states_where(self.claim.sides()[1])
        moves = whole_strategy(rules, lost, rules.legal - lost, Budget(0.0))
        claim = replace(in_digits(self.claim, budget), strategy=Strategy(moves))
        return certify(claim, budget).solved


def by_values(
    game: ParametricGame, rule: PlayRule, budget: Budget, progress: Progress
) -> PartsClaim | Unsaid | None:
    """Return the claim which states of a sum are lost; None if ``game`` is none, or values unknown.

    In normal play a state is lost exactly where the xor of the values of its parts is 0 (Sprague
    1935, Grundy 1939).  In misère play of three parts or more xor 0 is tried where a value is 2 or
    more, and xor 1 elsewhere, as in Nim (Bouton 1901).  "unsaid" where the values under normal
    play, also of one pile, are known but by no terms, or over two parts have values by cases."""
    parts = components(game, end_is_implied=game.end == t.FALSE)
    if not game.block and rule == "normal" and window(game, budget) is not None:
        return "unsaid"  # by a recursion
    if game.block or len(parts) < (2 if rule == "normal" else 3):
        return None
    with suppress(BudgetSpent, Refused):
        found: list[GrundyAnswer] = []
        values: list[t.Term] = []
        for part in parts_solved(parts, budget, progress):
            if not part.is_proved:
                return None
            found.append(part)
            values += [part.term] if part.term is not None else []
        if len(values) < len(found):
            return "unsaid" if rule == "normal" else None
        losing = _is_zero(values) if rule == "normal" else _is_lost_in_misere(values)
        won = negation(losing)
        claim = Solution(
            game, rule, "unknown", winning=Claim(won), losing=Claim(losing), cover=(won,)
        )
        whole = moves_of_sum(found, values, t.Int(0))
        moves = whole if rule == "normal" else _moves_in_misere(found, values)
        made = PartsClaim(claim, tuple(values), moves)
        return "unsaid" if made.has_cases and not made.is_misere and len(parts) > 2 else made
    return None


def _is_lost_in_misere(values: Sequence[t.Term]) -> t.Formula:
    """Return the formula: maximum of ``values`` 1 and xor 1, or maximum above 1 and xor 0."""
    most, whole = reduce(t.Max, values), xor_of(values)
    small = t.And((t.compare(most, "=", 1), t.compare(whole, "=", 1)))
    return t.Or((small, t.And((t.compare(most, ">", 1), t.compare(whole, "=", 0)))))


def _moves_in_misere(found: Sequence[GrundyAnswer], values: Sequence[t.Term]) -> Moves:
    """Return rules for misère play of a sum, from the rules of its parts, ``found``: they make the
    xor of the ``values`` of the parts 0, or 1 where no other part has a value above 1."""
    owner = {action.name: part for part in found for action in part.game.actions}
    moves: list[Rule] = []
    for aim, op in ((0, ">"), (1, "<=")):
        for rule in moves_of_sum(found, values, t.Int(aim)):
            assert isinstance(rule, Rule)
            pairs = zip(found, values, strict=True)
            others = [value for part, value in pairs if part is not owner[rule.act.action]]
            size_of_others = t.compare(reduce(t.Max, others), op, 1)
            moves.append(Rule(conjunction((size_of_others, rule.when)), rule.act))
    return tuple(moves)


def _of_n(value: t.Term) -> t.Term:
    """Return ``value`` with its one variable renamed to n; unchanged if it has several."""
    names = free_names(value)
    return substitute(value, dict.fromkeys(names, t.Name("n"))) if len(names) == 1 else value


def _is_zero(values: Sequence[t.Term]) -> t.Formula:
    """Return the formula that the xor of ``values`` is 0; for two values, that they are equal."""
    match unxor(_of_parities(xor_of(values))):
        case (one, other):
            return t.compare(one, "=", other)
        case terms:
            return t.compare(xor_of(terms), "=", t.Int(0))


def _of_parities(node: t.Kind) -> t.Kind:
    """Return ``node`` with ``(a + b) mod 2`` in place of ``a mod 2 xor b mod 2``."""
    if isinstance(node, t.Digital):
        return _joined(node.args)
    return rebuild(node, tuple([_of_parities(part) for part in t.children(node)]))


def _joined(terms: Sequence[t.Term]) -> t.Term:
    """Return the xor of ``terms``, in which all terms ``x mod 2`` are one remainder of a sum."""
    odd = [term for term in terms if isinstance(term, t.Mod) and term.divisor == t.Int(2)]
    if len(odd) < 2:
        return xor_of(terms)
    whole = linear_sum(Counter(term.arg for term in odd))
    return xor_of([*(term for term in terms if term not in odd), t.Mod(whole, t.Int(2))])

"""A game that is a sum: its losing states are those of the value 0, which is proved anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from icgsynth.budget import Budget, Progress
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.game_sum import components
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, negation, rebuild, size, substitute, walk
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.value_strategy import Moves
from icgsynth.prove.values import in_digits, xor_of, xored
from icgsynth.solving.by_theorem import proved_anew
from icgsynth.synth.digits.targets import whole_strategy
from icgsynth.values.grundy_search import parts_solved
from icgsynth.values.value_moves import moves_of_sum

_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked


@dataclass(frozen=True)
class PartsClaim:
    """What the values of the parts of a game say about the whole; not proved yet.

    ``values`` are those of the parts, and the rules ``moves`` say where to move with them.
    """

    claim: Solution
    values: tuple[t.Term, ...]
    moves: Moves

    @property
    def has_cases(self) -> bool:
        return any(isinstance(node, t.If) for value in self.values for node in walk(value))

    @property
    def is_parity(self) -> bool:
        """Whether no value is greater than 1, so that linear arithmetic says it in fewer words."""
        return len(xored(_of_parities(xor_of(self.values)))) == 1

    @property
    def size(self) -> int:
        """Leaves and connectives to read; functions of one variable are said once."""
        functions = dict.fromkeys(map(_of_n, self.values))
        return len(self.values) + sum(map(size, functions))

    def proved(self, budget: Budget) -> Solution | None:
        """The answer, proved anew; None where it is not.

        Nothing of the values is believed: formula and strategy are proved from the rules, as
        :mod:`~icgsynth.prove.certificate` does.
        """
        with suppress(BudgetSpent, Refused):
            if self.has_cases or not self.moves:  # cases in a condition are for nobody to read
                return self._with_automata(budget)
            return self._with_terms(budget)
        return None

    def _with_terms(self, budget: Budget) -> Solution | None:
        rules = tuple(r.mapped(_of_parities) for r in self.moves if isinstance(r, Rule))
        cover = tuple(rule.when for rule in rules)
        claim = replace(self.claim, strategy=Strategy(rules), cover=cover)
        if claim.is_linear:
            within = budget.within(_LINEAR)
            with suppress(BudgetSpent, Refused):
                if (proved := proved_anew(claim, within)) is not None:
                    return proved
        return proved_anew(in_digits(claim, budget), budget)

    def _with_automata(self, budget: Budget) -> Solution | None:
        """Automata know where to move to."""
        rules = Rules.of(self.claim.game, base(2), budget)
        lost = rules.states_where(self.claim.sides()[1])
        moves = whole_strategy(rules, lost, rules.legal - lost, Budget(0.0))
        claim = replace(in_digits(self.claim, budget), strategy=Strategy(moves))
        return proved_anew(claim, budget)


def by_values(
    game: ParametricGame, rule: PlayRule, budget: Budget, progress: Progress
) -> PartsClaim | None:
    """Which states are lost, where ``game`` is a sum; None where it is none, or nobody knows.

    In normal play a state is lost exactly where its value, the xor of those of its parts, is 0
    (Sprague 1935, Grundy 1939).
    """
    parts = components(game, end_is_implied=game.end == t.FALSE)
    if rule != "normal" or game.block or len(parts) < 2:
        return None
    with suppress(BudgetSpent, Refused):
        found: list[GrundyAnswer] = []
        values: list[t.Term] = []
        for part in parts_solved(parts, budget, progress):
            if not part.is_proved or part.term is None:
                return None
            found.append(part)
            values.append(part.term)
        losing = _is_zero(values)
        claim = Solution(
            game=game,
            rule=rule,
            status="unknown",
            winning=Claim(negation(losing)),
            losing=Claim(losing),
            cover=(negation(losing),),
        )
        return PartsClaim(claim, tuple(values), moves_of_sum(found, values, t.Int(0)))
    return None


def _of_n(value: t.Term) -> t.Term:
    """The same for all functions of one variable that differ in its name alone."""
    names = free_names(value)
    return substitute(value, dict.fromkeys(names, t.Name("n"))) if len(names) == 1 else value


def _is_zero(values: Sequence[t.Term]) -> t.Formula:
    """That the xor of the values is 0: of two, that they are equal."""
    match xored(_of_parities(xor_of(values))):
        case (one, other):
            return t.compare(one, "=", other)
        case terms:
            return t.compare(xor_of(terms), "=", t.Int(0))


def _of_parities(node: t.Kind) -> t.Kind:
    """The same with the remainder of one sum in place of ``a mod 2 xor b mod 2``."""
    if isinstance(node, t.Digital):
        return _joined(node.args)
    return rebuild(node, tuple([_of_parities(part) for part in t.children(node)]))


def _joined(terms: Sequence[t.Term]) -> t.Term:
    """The xor of the terms, those of the form ``x mod 2`` as one."""
    odd = [term for term in terms if isinstance(term, t.Mod) and term.divisor == t.Int(2)]
    if len(odd) < 2:
        return xor_of(terms)
    whole = linear_sum(Counter(term.arg for term in odd))
    return xor_of([*(term for term in terms if term not in odd), t.Mod(whole, t.Int(2))])

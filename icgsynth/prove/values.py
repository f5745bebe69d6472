"""Proofs of Grundy functions, each as the losing set of the game beside a Nim heap.

That z = g(x) are the lost states of the sum says two things: no move of the game keeps the value,
and some move reaches each smaller one.  Both are proved by the provers of winning formulas, then
by a second engine, and states of all sizes are put through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.claims.game import sum_obligations
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import ALL_STATES
from icgsynth.game import value_forms as forms
from icgsynth.game.answers import FarCheck, Finding, Verdict
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.components import components
from icgsynth.game.game import ParametricGame
from icgsynth.game.moves import some_moves
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, walk
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.boxcheck import NAMES, few_states, values_everywhere
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import confirm
from icgsynth.prove.recheck.far import check_far, check_values
from icgsynth.prove.well_formed import RulesReport, check_twice
from icgsynth.prove.windows import judge_window

_WHOLE = 16  # states of a sum whose moves are looked at
_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked
_MAY_NOT_END = Finding(Verdict.UNKNOWN, "whether play always ends is not known")

HeapValue: TypeAlias = t.Term | Automaton | forms.ExponentValue
"""What is proved beside a heap."""


@dataclass(frozen=True)
class BesideHeap:
    """The sum of a game and a heap, with what is proved of its rules.
    ``power``: 0 for a Nim heap, or the base in which the digits of the heap count."""

    report: RulesReport
    power: int = 0

    @staticmethod
    def of(game: ParametricGame, budget: Budget, power: int = 0) -> BesideHeap:
        """Return the sum of ``game`` and a heap, its rules checked by two engines.

        ``power`` is 0 for a Nim heap, or a base: then only the number of the heap's digits counts.
        Raises :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated."""
        both = beside_heap(game, power)
        return BesideHeap(check_twice(both, budget), power)

    def judge(self, value: HeapValue, budget: Budget) -> Finding:
        """Return the finding whether ``value`` is the Grundy function of the game.

        It is proved only if play ends, two engines prove it and far states agree.  Raises
        ValueError if the value is of another base than the heap."""
        if self.power != forms.power_of(value):
            raise ValueError(f"{value} is not a claim about this heap")
        if not self.report.termination.is_proved:
            return _MAY_NOT_END
        claim = self.claim(value)
        if not claim.is_linear:
            return self._judge(claim, value, budget)
        first = Finding(Verdict.UNKNOWN, "no engine could be asked")
        # Solvers try which of two terms is the lesser; automata know, and are asked first.
        has_lesser = isinstance(value, t.Term) and any(
            isinstance(n, t.Min | t.Max) for n in walk(value)
        )
        for is_linear in (not has_lesser, has_lesser):
            within = budget.within(_LINEAR) if is_linear else budget
            with suppress(Refused, BudgetSpent):
                asked = claim if is_linear else in_digits(claim, within)
                first = self._judge(asked, value, within)
            if first.verdict is not Verdict.UNKNOWN or first.is_contradicted:
                break
        return first

    def _judge(self, claim: Solution, value: HeapValue, budget: Budget) -> Finding:
        found = certify(claim, budget, Given(self.report), only=("winning",))
        return found.of_part("winning", partial(self._tell, value))

    def _tell(self, value: HeapValue, finding: Finding) -> str:
        """Return in words how the witness of ``finding``, a state and a heap, refutes ``value``."""
        if (at := finding.state(self.report.game)) is None:
            return finding.why
        *state, heap = at
        named = dict(zip(self.report.game.variables, state, strict=False))
        where = ", ".join(f"{name} = {number}" for name, number in named.items())
        try:
            claimed = forms.value_at(value, named)
        except Refused:
            return f"no value is claimed at {where}"
        if claimed < 0:
            return f"{claimed} is claimed at {where}"
        size = len(base(self.power).representation(heap)) - 1 if self.power else heap
        if size == claimed:
            return f"a move from {where} keeps the value {claimed}"
        return f"{claimed} is claimed at {where}, where no move leads to the value {size}"

    def far(
        self, value: HeapValue, budget: Budget, strategy: Sequence[Rule | TargetRule] = ()
    ) -> FarCheck:
        """Return at how many states of any size ``value`` or a ``strategy`` of the sum is wrong."""
        rules = Strategy(tuple(strategy))
        claim = replace(self.claim(value), game=self.report.as_written, strategy=rules)
        return check_far(claim, budget, ranking=self.report.components)

    def claim(self, value: HeapValue) -> Solution:
        """Return the claim that the sum is lost just where the size of the heap is ``value``."""
        game = self.report.game
        relation = value.automaton if isinstance(value, forms.ExponentValue) else value
        if isinstance(relation, Automaton):  # the heap by the name that it has here
            relation = replace(relation, tracks=(*relation.tracks[:-1], game.variables[-1]))
        losing = heap_is(game, relation, self.power)
        return Solution(
            game=game,
            rule="normal",
            status="unknown",
            winning=Claim(negation(losing)),
            losing=Claim(losing),
            ranking=self.report.components,
            automaton=relation if isinstance(relation, Automaton) else None,
            logic=str(relation.system) if isinstance(relation, Automaton) else "lia",
        )


def in_digits(claim: Solution, budget: Budget) -> Solution:
    """Return the linear ``claim`` with its losing states as an automaton over binary digits.
    Raises :class:`~icgsynth.errors.Refused` for negative numbers, or automata too large."""
    game, system = claim.game, base(2)
    require_natural(game, budget)
    _, losing = claim.sides()
    lost = Rules.of(game, system, budget).states_where(losing)
    return replace(claim, automaton=lost.automaton(game.variables), logic=str(system))


def proved_parts(
    game: ParametricGame, report: RulesReport, budget: Budget
) -> tuple[ParametricGame, ...]:
    """Return the games whose sum ``game`` is, if two engines prove it; else ().
    ``report`` is on its rules."""
    parts = () if game.is_quantified else components(report.game, report.ending.is_proved)
    if len(parts) < 2:
        return ()
    claims = sum_obligations(report.game, parts)
    found = confirm(((claim, claim) for claim in claims), budget)
    return parts if found.is_proved else ()


def judge_value(game: ParametricGame, value: forms.Value, budget: Budget) -> Finding:
    """Return the finding whether ``value`` is the Grundy function of ``game``.

    A game that is proved to be a sum is judged part by part.  Raises as
    :func:`~icgsynth.prove.well_formed.check_twice` does."""
    report = check_twice(game, budget.share(0.3))
    if not report.termination.is_proved:
        return _MAY_NOT_END
    parts = proved_parts(game, report, budget.share(0.2))
    if parts and (isinstance(value, forms.SumValue) or forms.is_term(value)):
        judged = _judge_sum(game, parts, value, budget.share(0.5))
        if judged.is_proved or judged.is_contradicted:
            return judged
    else:
        judged = Finding(Verdict.UNKNOWN, "it is not proved that the game comes apart")
    if isinstance(value, forms.SumValue):
        return judged
    return judge_single(game, value, budget)


def judge_single(game: ParametricGame, value: forms.Single, budget: Budget) -> Finding:
    """Return the finding whether ``value`` is the Grundy function of ``game``, taken as a whole.
    Raises as :func:`~icgsynth.prove.well_formed.check_twice` does."""
    if isinstance(value, forms.WindowValue):
        return judge_window(game, value, budget)
    if isinstance(value, t.Term) and few_states(game.legal, game.variables) is not None:
        report = check_twice(game, budget.share(0.3))
        if (played := judged_by_play(report, value, budget)) is not None:
            return played
    power = forms.power_of(value)
    return BesideHeap.of(game, budget.share(0.3), power).judge(value, budget)


def judged_by_play(report: RulesReport, value: t.Term, budget: Budget) -> Finding | None:
    """Return the finding whether ``value`` is the Grundy value in all legal states, by play.
    ``report`` is on the game.  None if the states are many or play does not prove it."""
    found = values_everywhere(report.game, value)
    if found is None or not found.is_proved or not report.termination.is_proved:
        return None
    far = check_values(report.game, value, budget.share(0.8), ALL_STATES.states, report.components)
    if far is None:
        return None
    if far.disagreements:
        why = f"the proof is contradicted, please report this: {far.claim}"
        return Finding(Verdict.UNKNOWN, why, checked=far, is_contradicted=True)
    return Finding(Verdict.PROVED, by=NAMES, checked=far)


def _judge_sum(
    game: ParametricGame,
    parts: Sequence[ParametricGame],
    value: t.Term | forms.SumValue,
    budget: Budget,
) -> Finding:
    """Return the finding whether ``value`` is the Grundy function of ``game``, the sum of
    ``parts``: proved if it is the xor of one function of each part, each of them proved."""
    engines: dict[str, None] = {}
    fars: list[FarCheck] = []
    shares: list[list[forms.Single]] = [[] for _ in parts]
    given = value.parts if isinstance(value, forms.SumValue) else (value,)
    piles = [pile for one in given for pile in (unxor(one) if forms.is_term(one) else (one,))]
    for pile in piles:
        at = [i for i, part in enumerate(parts) if _speaks_of(pile, part)]
        if not at:
            return Finding(Verdict.UNKNOWN, f"{forms.value_text(pile)} speaks of no one part")
        shares[at[0]].append(pile)
    for i, (part, share) in enumerate(zip(parts, shares, strict=True)):
        within = budget.share(1 / (len(parts) - i + 1))
        terms = [pile for pile in share if forms.is_term(pile)]
        others = [pile for pile in share if not forms.is_term(pile)]
        if others and len(share) > 1:
            return Finding(Verdict.UNKNOWN, f"{part.name}: one function and no more")
        judged = judge_single(part, others[0] if others else xor_of(terms), within)
        if not judged.is_proved:
            return replace(judged, why=f"{part.name}: {judged.why}")
        engines |= dict.fromkeys(judged.by)
        fars += [judged.checked] if judged.checked is not None else []
    if isinstance(value, forms.SumValue):
        far = far_of_sum(game, value, fars, budget.share(0.5))
    else:
        far = BesideHeap.of(game, budget.share(0.3)).far(value, budget.share(0.5))
    if far.disagreements:
        return Finding(Verdict.UNKNOWN, far.claim, checked=far, is_contradicted=True)
    return Finding(Verdict.PROVED, by=tuple(engines), checked=far)


def _speaks_of(pile: forms.Single, part: ParametricGame) -> bool:
    names = forms.variables_of(pile)
    return set(names) <= set(part.variables) if forms.is_term(pile) else names == part.variables


def far_of_sum(
    game: ParametricGame, value: forms.SumValue, parts: Sequence[FarCheck], budget: Budget
) -> FarCheck:
    """Return the checks at far states of all ``parts`` of a sum added up, with some more states.
    At a few random states of ``game`` moves are tried: one that keeps ``value`` disagrees."""
    states = sum(far.states for far in parts)
    up_to = max((far.up_to for far in parts), default=0)
    rng = Random(0)
    for _ in range(_WHOLE):
        state = tuple(rng.getrandbits(rng.randrange(1, 100)) for _ in game.variables)
        if budget.is_spent or not game.is_legal(state):
            continue
        states, env = states + 1, game.env(state)
        for move in some_moves(game, state):
            after = game.env(game.result(state, move))
            if forms.value_at(value, after) == forms.value_at(value, env):
                return FarCheck(states, up_to, 1, f"{move} keeps the value", env)
    return FarCheck(states, up_to, 0)


def xor_of(terms: Sequence[t.Term]) -> t.Term:
    """Return the term for the bitwise xor of ``terms``; 0 for no terms."""
    if len(terms) == 1:
        return terms[0]
    piles = tuple(pile for term in terms for pile in unxor(term))
    return (
        t.Digital("nimsum", piles, base(2)) if len(piles) > 1 else piles[0] if piles else t.Int(0)
    )


def unxor(term: t.Term) -> tuple[t.Term, ...]:
    """Return the terms whose bitwise xor ``term`` is: itself if it is no xor, none for 0."""
    if term == t.Int(0):
        return ()
    is_xor = isinstance(term, t.Digital) and term == t.Digital("nimsum", term.args, base(2))
    return term.args if isinstance(term, t.Digital) and is_xor else (term,)


def heap_is(both: ParametricGame, value: t.Term | Automaton, power: int) -> t.Formula:
    """Return the formula that the heap, the last variable of ``both``, is ``value``.
    If ``power`` is a base k > 0, ``value`` is an exponent z, and k^z <= heap < k^(z+1)."""
    names = tuple(map(t.Name, both.variables))
    if isinstance(value, Automaton):
        return t.Recognised(value, names, LOSING_SET)
    if power and isinstance(value, t.Digital):
        # k^zeros(t) is lowpart(t), of which automata can speak.
        low = t.Digital("lowpart", value.args, value.system)
        next_power = t.Mul(t.Int(power), low)
        return conjunction((t.compare(low, "<=", names[-1]), t.compare(names[-1], "<", next_power)))
    return t.compare(names[-1], "=", value)

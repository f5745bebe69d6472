"""Search for theorems about all members of a family: found from a few, proved for all.

Formulas are learned from one table; one that some member refutes is no theorem, and that member
joins the table.  For a formula that nothing refutes a strategy is mined, and the whole is proved
and confirmed as the answer for a single game is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import tee
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.claims.game import strategy_obligations
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.families.proof.by_cases import list_cases, split_by_cases
from icgsynth.families.proof.families import FamilyProof, prove_family
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search.learned import formulas_for
from icgsynth.families.search.member_cases import formulas_by_cases, formulas_of_cases
from icgsynth.families.search.member_columns import ColumnSet, column_tiers
from icgsynth.families.search.member_table import (
    GameFamily,
    MemberTable,
    large_grid,
    small_members,
)
from icgsynth.families.search.mined_strategy import StrategyMiner
from icgsynth.families.search.oriented import oriented, oriented_rule, shortened
from icgsynth.families.search.residue_sets import residue_set, residue_sets, with_exceptions
from icgsynth.game.answers import Finding
from icgsynth.game.game import State
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, size, walk
from icgsynth.prove.certificate import prove_winning
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.discharge import discharge
from icgsynth.prove.well_formed import RulesReport, check_twice

_LEARN, _PROVE = 12.0, 20.0  # seconds of one attempt
_PASSES = (1.0, 4.0, 16.0)  # factors of the time of an attempt, where some attempt was too short
_ROUNDS = 12  # rounds in which a member joins the table
_BEST = 4  # sets of columns of a tier over which longer formulas are learned at once
_CASES = 3  # times as long a formula by cases may be, and the search for its strategy
_MEMBERS = 36  # of one constant: three for each remainder by 12
_WHOLE = 2  # cases of a formula, up to which it is proved as a whole
_FEW, _MANY = 10, 40  # members of a small grid, and of the larger one that is taken instead
_LONG = 40  # leaves and connectives; longer formulas are tried when nothing else is left
_FARTHEST = {1: 400, 2: 100}  # coordinate to which a member is played, by the number of variables
_NEAR = 30  # the coordinate for more variables
_ENDS = (BudgetSpent, Refused, OverflowError)  # ends of a search; the last: no table holds a number

Guesses: TypeAlias = defaultdict[str, list[t.Formula]]
"""Formulas that agreed with the table: "refuted" ones are wrong for another member, of "right" ones
it is proved that no lost state leads to a lost one, and of "open" ones nothing."""


def claim_of(family: GameFamily, losing: t.Formula, strategy: Iterable[Rule] = ()) -> FamilyClaim:
    """Return the claim that in all members of ``family`` the states of ``losing`` are lost and
    ``strategy`` wins, with all formulas put plainly, as ``v >= 1`` for ``1 <= v``."""
    said = oriented(losing, family.free)
    rules = tuple(oriented_rule(rule, family.free) for rule in strategy)
    return FamilyClaim(family.written, family.free, family.range_, family.rule, said, rules)


def family_theorem(
    family: GameFamily,
    grid: Iterable[Mapping[str, int]],
    budget: Budget,
    guesses: Guesses | None = None,
) -> FamilyProof | None:
    """Return a theorem about all members of ``family``; None where none is found within ``budget``.
    ``grid`` are the constants of the members to learn from, small ones where it is empty. If given,
    ``guesses`` gets the formulas that were tried, under "refuted", "right" or "open"."""
    if not budget.counts_work:  # a busy machine finds as much, unless the time on the wall is over
        budget = replace(budget.share(1.0), work=budget.remaining())
    with suppress(*_ENDS):
        search = _search(family, list(grid) or small_members(family), budget)
        if search is not None:
            search.guesses = search.guesses if guesses is None else guesses
            return search.theorem()
    return None


def theorem_about(family: GameFamily, losing: t.Formula, budget: Budget) -> FamilyProof | None:
    """Return a theorem, with a strategy: that ``losing``, or a shorter equivalent, tells the losing
    states of all members. None where none is proved in time, as where the formula is wrong."""
    with suppress(*_ENDS, ZeroDivisionError):
        members = small_members(family)
        # Few members would be agreed with by chance.
        if len(members) < _FEW:
            members = large_grid(family)[:_MANY]
        search = _search(family, members, budget, losing)
        return None if search is None else search.about(losing)
    return None


def with_strategy(family: GameFamily, guesses: Guesses, budget: Budget) -> FamilyProof | None:
    """Return the theorem of the shortest formula in ``guesses["right"]`` with a strategy, which is
    looked for in this ``family`` within ``budget``; None where there is none."""
    right = guesses["right"]
    return theorem_about(family, min(right, key=size), budget) if right else None


def theorem_of_most(
    family: GameFamily, grid: Iterable[Mapping[str, int]], budget: Budget
) -> FamilyProof | None:
    """Return a theorem about all members but those with certain remainders of one constant; None if
    none is found within ``budget``. ``grid`` has the constants of the members to learn from."""
    with suppress(*_ENDS, ZeroDivisionError):
        search = _search(family, grid, budget)
        table = search and search.with_more_members()
        for left_out, losing in (
            formulas_of_cases(table, budget, residue_set, False) if table else ()
        ):
            where = conjunction((family.range_, *map(negation, left_out)))
            found = left_out and theorem_about(replace(family, range_=where), losing, budget)
            if found:
                return found
    return None


def _search(
    family: GameFamily,
    grid: Iterable[Mapping[str, int]],
    budget: Budget,
    losing: t.Formula | None = None,
) -> _Search | None:
    """Return a search that learns from the members in ``grid``; None if none of their states is
    labelled, the formula ``losing``, if given, is wrong in one, or play is not proved to end."""
    plain = family.without_quantifiers(budget.share(0.3))
    table = MemberTable.of(plain, grid, budget.share(0.3))
    if not len(table.rows):
        return None  # perhaps no constants are in the range: then all would be proved
    if losing is not None and (table.values(losing) != table.losing).any():
        return None
    report = check_twice(plain.game, budget.share(0.3))
    if not report.termination.is_proved:
        return None
    return _Search(family, report, table, budget)


@dataclass
class _Search:
    written: GameFamily
    report: RulesReport
    table: MemberTable
    budget: Budget
    guesses: Guesses = field(default_factory=lambda: defaultdict(list))
    seen: set[t.Formula] = field(default_factory=set)
    later: list[t.Formula] = field(default_factory=list)
    undecided: set[t.Formula] = field(default_factory=set)
    tiers: Iterator[list[ColumnSet]] | None = None  # all those of the table
    patience: float = 1.0
    is_cut: bool = False  # whether some attempt of this pass ended because its time was over

    @property
    def family(self) -> GameFamily:
        """The family without quantifiers; what is proved is about the ``written`` rules."""
        return self.table.family

    def theorem(self) -> FamilyProof | None:
        """Return a theorem, or None. The search is repeated with 4 and 16 times as much time for
        each attempt, as long as some attempt ended for want of time."""
        for self.patience in _PASSES:
            self.is_cut, self.later = False, []
            found = self._pass()
            if found is not None or not self.is_cut:
                return found
            # Formulas that were right or open when the time of an attempt ended are looked at
            # again.
            self.seen -= self.undecided
        return None

    def _pass(self) -> FamilyProof | None:
        """Return a theorem of a formula that agrees with the table, or None. A member that refutes
        one joins the table, and formulas are learned anew, some times; then long ones are tried."""
        for _ in range(_ROUNDS):
            before = self.table
            for losing in self._offer():
                found = self.about(losing)
                if found is not None:
                    return found
                if self.table is not before:
                    break
            if self.table is before:
                break
        for losing in sorted(self.later, key=size):
            if not (self.table.values(losing) != self.table.losing).any():
                found = self.about(losing)
                if found is not None:
                    return found
        return None

    def _offer(self) -> Iterator[t.Formula]:
        """Yield formulas for the losing states, from short ones over few columns to long ones."""
        yield from self._new(residue_sets(self.table, self.budget), _LONG)
        yield from self._new(with_exceptions(self.table, self.budget), _LONG)
        rest: list[ColumnSet] = []
        for number, tier in enumerate(self._tiers()):
            for chosen in tier:
                yield from self._over(chosen, False)
            if number == 0:
                budget = self._attempt(_LEARN)
                cases = formulas_by_cases(self.with_more_members(), budget, residue_set)
                yield from self._new(cases, _CASES * _LONG)
            for chosen in tier[:_BEST]:
                yield from self._over(chosen, True)
            rest += tier[_BEST:]
        cases = formulas_by_cases(self.table, self._attempt(_CASES * _LEARN))
        yield from self._new(cases, _CASES * _LONG)
        for chosen in rest:
            yield from self._over(chosen, True)

    def with_more_members(self) -> MemberTable:
        """Return the table with so many members that each case of the only constant has some."""
        table, family = self.table, self.family
        if len(family.free) == 1:
            known = table.rows[:, 0]
            for value in range(int(known.max()) + 1, int(known.min()) + _MEMBERS):
                if family.includes(constants := {family.free[0]: value}):
                    table = table.with_member(constants, 0, self.budget)
        return table

    def _tiers(self) -> Iterator[list[ColumnSet]]:
        """Yield the lists of :func:`column_tiers` of the table, each made when needed, and kept."""
        self.tiers, again = tee(self.tiers or column_tiers(self.table, self.budget))
        return again

    def _over(self, chosen: ColumnSet, costly: bool) -> Iterator[t.Formula]:
        self.budget.check()
        budget = self._attempt(_LEARN)
        yield from self._new(formulas_for(self.table, chosen, budget, costly), _LONG)
        self.is_cut |= budget.is_spent

    def _new(self, offered: Iterable[t.Formula], longest: int) -> Iterator[t.Formula]:
        """Yield those formulas in ``offered`` that were not looked at before and have a size up to
        ``longest``; longer ones are kept for later."""
        for losing in offered:
            self.budget.check()
            if losing in self.seen:
                continue
            self.seen.add(losing)
            if size(losing) > longest:
                self.later.append(losing)
            else:
                yield losing

    def _attempt(self, seconds: float) -> Budget:
        return self.budget.within(seconds * self.patience)

    def about(self, losing: t.Formula) -> FamilyProof | None:
        """Return the theorem, with a strategy, that ``losing`` or a shorter equivalent tells the
        losing states; None where no proof or no strategy is found."""
        cases = list_cases(losing, self.family.free)
        if len(cases) > _WHOLE:
            return self._by_cases(losing, cases)
        if not self._divides([losing]):
            return None
        budget = self._attempt(_PROVE)
        winning = negation(losing)
        right = prove_winning(self.report, self.family.rule, winning, losing, budget)
        if not right.is_proved:
            # The counterexample is a state of some member: that member joins the table, and no
            # formula that it refutes is offered again.
            verdict = "refuted" if self._learn_from(right) else "open"
            self.guesses[verdict].append(losing)
            if budget.is_spent:
                self.is_cut = True
                self.undecided.add(losing)
            return None
        self.undecided.add(losing)
        self.guesses["right"].append(losing)
        short = shortened(self.table, losing, self.budget.share(0.1))
        for _ in range(_ROUNDS):
            before = self.table
            found = self._with_strategy(short)
            if found is not None:
                self.undecided.remove(losing)
                return found
            # A member that joined while a strategy was sought may refute the formula after all.
            if (self.table.values(short) != self.table.losing).any():
                self.guesses["right"].remove(losing)
                self.guesses["refuted"].append(losing)
                return None
            if self.table is before:
                return None
        return None

    def _by_cases(self, losing: t.Formula, cases: Iterable[t.Formula]) -> FamilyProof | None:
        """Return the theorem that ``losing`` tells the losing states, joined from a theorem for
        each of ``cases``, conditions on the constants; None if one is not found."""
        rules: list[Rule] = []
        family, budget = self.written, self._attempt(_CASES * _PROVE)
        claim = FamilyClaim(family.written, family.free, family.range_, family.rule, losing)
        for case, of_case in zip(cases, split_by_cases(claim, budget), strict=False):
            some = replace(family, range_=of_case.where)
            found = theorem_about(some, of_case.losing, budget)
            if found is None:
                if prove_family(claim, budget).status == "refuted":
                    self.guesses["refuted"].append(losing)
                return None
            rules += [
                Rule(conjunction((case, rule.when)), rule.act) for rule in found.claim.strategy
            ]
        proof = prove_family(claim_of(family, losing, rules), self.budget)
        return proof if proof.status == "theorem" else None

    def _divides(self, nodes: Iterable[t.Node]) -> bool:
        """Return whether every divisor in ``nodes`` is proved at least 1 for all members."""
        inner = {n.divisor for node in nodes for n in walk(node) if isinstance(n, t.Mod | t.Div)}
        for divisor in inner:
            parts = (self.family.range_, t.compare(divisor, "<", 1))
            if decide(parts, self.family.free, self.budget.share(0.1)).kind != "unsat":
                return False
        return True

    def _with_strategy(self, losing: t.Formula) -> FamilyProof | None:
        rule, game = self.family.rule, self.family.game
        for pairs in StrategyMiner(self.table, losing, self.budget).strategies():
            terms = [term for pair in pairs for _, term in pair.act.arguments]
            if not self._divides([*(pair.when for pair in pairs), *terms]):
                continue
            budget = self._attempt(_PROVE)
            # With "no lost state leads to a lost one" from above these prove the formula: a winning
            # state has a move to a lost one, and play ends.
            needed = strategy_obligations(game, rule, negation(losing), losing, pairs)
            finding = discharge(needed, budget)
            if finding.is_proved:
                found = self._certify(losing, pairs)
                if found is not None:
                    return found
                self.is_cut = True
            self.is_cut |= budget.is_spent
            if self._learn_from(finding):
                return None
        return None

    def _certify(self, losing: t.Formula, pairs: tuple[Rule, ...]) -> FamilyProof | None:
        """Return the theorem of ``losing`` and the rules ``pairs``, their conditions shortened, if
        two engines prove each part of it; else None."""
        short = [replace(p, when=shortened(self.table, p.when, self.budget)) for p in pairs]
        proof = prove_family(claim_of(self.written, losing, short), self.budget.share(0.6))
        found, parts = proof.certificate, ("termination", "winning", "strategy")
        if proof.status != "theorem" or found is None:
            return None
        return proof if all(len(found.confirmed.get(p, ())) > 1 for p in parts) else None

    def _learn_from(self, finding: Finding) -> bool:
        """Add to the table the member that has the state by which ``finding`` is a refutation, or
        enlarge its box; return whether the table has changed, False without such a state."""
        state: State | None = finding.state(self.family.game)
        if state is None:
            return False
        count = len(self.family.free)
        most = _FARTHEST.get(len(state) - count, _NEAR)
        # The box of the member has to hold the state that refutes, unless that is too far to label.
        reach = min(max(map(abs, state[count:])) + 1, most)
        constants = dict(zip(self.family.free, state[:count], strict=True))
        table = self.table.with_member(constants, reach, self.budget)
        is_new, self.table = table is not self.table, table
        if is_new:
            self.tiers = None
        return is_new

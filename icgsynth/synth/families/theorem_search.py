"""Theorems about all members of a family, found from the labels of a few and proved for all.

Formulas are learned from one table; one that some member refutes is no theorem, and that member
joins the table.  For a formula that nothing refutes a strategy is mined, and the whole is proved
and confirmed as the answer for a single game is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import State
from icgsynth.game.obligations.game import strategy_obligations
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, size, walk
from icgsynth.prove.answer import prove_winning
from icgsynth.prove.confirm import check_twice
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.discharge import Finding, discharge
from icgsynth.prove.families import FamilyProof, prove_family
from icgsynth.prove.well_formed import RulesReport
from icgsynth.synth.families.consensus import agreed, formulas_by_cases
from icgsynth.synth.families.learned import formulas_for
from icgsynth.synth.families.member_columns import ColumnSet, column_tiers
from icgsynth.synth.families.member_table import (
    GameFamily,
    MemberTable,
    large_grid,
    small_members,
)
from icgsynth.synth.families.mined_strategy import StrategyMiner
from icgsynth.synth.families.oriented import oriented, oriented_rule, shortened

_LEARN, _PROVE = 12.0, 20.0  # seconds of one attempt
_PASSES = (1.0, 4.0, 16.0)  # times as long, where the time of some attempt was too short
_ROUNDS = 12  # of members that join the table
_BEST = 4  # sets of columns of a tier over which longer formulas are learned at once
_CASES = 3  # times as long a formula by cases may be
_FEW, _MANY = 10, 40  # members of a small grid, and of the larger one that is taken instead
_LONG = 40  # leaves and connectives; longer formulas are tried when nothing else is left
_FARTHEST = {1: 400, 2: 100}  # coordinate to which a member is played, by the number of variables
_NEAR = 30  # the same for more of them


Guesses: TypeAlias = defaultdict[str, list[t.Formula]]
"""Formulas that agreed with the table: "refuted" ones are wrong for another member, of "right" ones
it is proved that no lost state leads to a lost one, and of "open" ones nothing."""


def family_theorems(
    family: GameFamily,
    grid: Iterable[Mapping[str, int]],
    budget: Budget,
    progress: Callable[[str], None] = lambda _: None,
    guesses: Guesses | None = None,
) -> Iterator[FamilyProof]:
    """Theorems about all members, with their proofs; mostly the first is all one wants.

    ``grid`` are the constants of the members from which to learn, small ones where it is empty.
    ``guesses`` get the formulas that were looked at.
    Ends where nothing more is found, or the budget is spent.
    """
    if not budget.counts_work:  # a busy machine finds as much, unless the time on the wall is over
        budget = Budget(budget.remaining(), work=budget.remaining())
    try:
        search = _search(family, list(grid) or small_members(family), budget, progress)
        if search is not None:
            if guesses is not None:
                search.guesses = guesses
            yield from search.theorems()
    except (BudgetSpent, Refused, OverflowError):  # the last: a number that no table holds
        return


def theorem_about(
    family: GameFamily,
    losing: t.Formula,
    budget: Budget,
    progress: Callable[[str], None] = lambda _: None,
) -> FamilyProof | None:
    """The theorem with this formula, or a shorter one that says the same, and a strategy found.

    None where no strategy is found and proved, as where the formula is wrong.
    """
    try:
        members = small_members(family)
        if len(members) < _FEW:
            members = large_grid(family)[:_MANY]
        search = _search(family, members, budget, progress, losing)
        return None if search is None else next(search.about(losing), None)
    except (BudgetSpent, Refused, OverflowError, ZeroDivisionError):
        return None


def theorems_for_some(
    family: GameFamily,
    wanted: Sequence[Mapping[str, int]],
    budget: Budget,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[FamilyProof]:
    """Theorems about parts of the range, those about most of the ``wanted`` members first."""
    try:
        plain = family.without_quantifiers(budget.share(0.2))
        members = [*large_grid(family), *(m for m in wanted if family.includes(m))]
        table = MemberTable.of(plain, members, budget.share(0.3))
        rows = {tuple(member[name] for name in family.free) for member in wanted}
        for found in agreed(table, rows, budget.share(0.6)):
            progress(f"for every {found.where}: loses iff {found.losing}")
            some = replace(family, range_=conjunction((family.range_, found.where)))
            proof = theorem_about(some, found.losing, budget.share(0.4))
            if proof is not None:
                yield proof
    except (BudgetSpent, Refused, OverflowError):
        return


def _search(
    family: GameFamily,
    grid: Iterable[Mapping[str, int]],
    budget: Budget,
    progress: Callable[[str], None],
    losing: t.Formula | None = None,
) -> _Search | None:
    """None where no member has a labelled state, or play is not proved to end.

    None as well where ``losing`` is given and does not agree with the table.
    """
    plain = family.without_quantifiers(budget.share(0.3))
    table = MemberTable.of(plain, grid, budget.share(0.3))
    if not len(table.rows):
        return None  # perhaps no constants are in the range: then all would be proved
    if losing is not None and (table.values(losing) != table.losing).any():
        return None
    report = check_twice(plain.game, budget.share(0.3))
    if not report.termination.is_proved:
        return None
    return _Search(family, report, table, budget, progress)


@dataclass
class _Search:
    written: GameFamily
    report: RulesReport
    table: MemberTable
    budget: Budget
    progress: Callable[[str], None]
    guesses: Guesses = field(default_factory=lambda: defaultdict(list))
    seen: set[t.Formula] = field(default_factory=set)
    later: list[t.Formula] = field(default_factory=list)
    undecided: set[t.Formula] = field(default_factory=set)
    tiers: list[list[ColumnSet]] = field(default_factory=list)  # those of the table so far
    coming: Iterator[list[ColumnSet]] | None = None  # the rest of them
    patience: float = 1.0
    is_cut: bool = False  # whether some attempt of this pass ended because its time was over

    @property
    def family(self) -> GameFamily:
        """Without quantifiers; what is proved in the end is about the rules as ``written``."""
        return self.table.family

    def theorems(self) -> Iterator[FamilyProof]:
        """All attempts, and those that were cut short again with more time."""
        for self.patience in _PASSES:
            self.is_cut, self.later = False, []
            yield from self._pass()
            if not self.is_cut:
                return
            self.progress("what was cut short is tried again, with more time")
            self.seen -= self.undecided

    def _pass(self) -> Iterator[FamilyProof]:
        """What the columns offer, again and again as long as a member that refutes it joins."""
        for _ in range(_ROUNDS):
            before = self.table
            yield from self._over_all()
            if self.table is before:
                break
        for losing in sorted(self.later, key=size):
            if not (self.table.values(losing) != self.table.losing).any():
                yield from self.about(losing)

    def _over_all(self) -> Iterator[FamilyProof]:
        """From short formulas over few columns to long ones; stops where a member joins."""
        rest: list[ColumnSet] = []
        for tier in self._tiers():
            tries = [(each, False) for each in tier] + [(each, True) for each in tier[:_BEST]]
            rest += tier[_BEST:]
            for chosen, costly in tries:
                if (yield from self._over(chosen, costly)):
                    return
        cases = formulas_by_cases(self.table, self._attempt(_CASES * _LEARN))
        if (yield from self._proved(cases, _CASES * _LONG)):
            return
        for chosen in rest:
            if (yield from self._over(chosen, True)):
                return

    def _tiers(self) -> Iterator[list[ColumnSet]]:
        """Each is made when it is needed, and once for a table."""
        if self.coming is None:
            self.tiers, self.coming = [], column_tiers(self.table, self.budget)
        yield from self.tiers
        for tier in self.coming:
            self.tiers.append(tier)
            yield tier

    def _over(self, chosen: ColumnSet, costly: bool) -> Generator[FamilyProof, None, bool]:
        self.budget.check()
        budget = self._attempt(_LEARN)
        offered = formulas_for(self.table, chosen, budget, costly)
        stopped = yield from self._proved(offered, _LONG)
        self.is_cut |= budget.is_spent and not stopped
        return stopped

    def _proved(
        self, offered: Iterable[t.Formula], longest: int
    ) -> Generator[FamilyProof, None, bool]:
        """The theorems among the formulas; whether a member that refutes one has joined."""
        before = self.table
        for losing in offered:
            self.budget.check()
            if losing in self.seen:
                continue
            self.seen.add(losing)
            if size(losing) > longest:
                self.later.append(losing)
                continue
            yield from self.about(losing)
            if self.table is not before:
                return True
        return False

    def _attempt(self, seconds: float) -> Budget:
        return self.budget.within(seconds * self.patience)

    def about(self, losing: t.Formula) -> Iterator[FamilyProof]:
        """The theorem with this formula, if there is one."""
        self.progress(f"loses iff {losing}")
        if not self._divides([losing]):
            return
        budget = self._attempt(_PROVE)
        right = self._winning(losing, budget)
        if not right.is_proved:
            verdict = "refuted" if self._learn_from(right) else "open"
            self.guesses[verdict].append(losing)
            if budget.is_spent:
                self.is_cut = True
                self.undecided.add(losing)
            return
        self.undecided.add(losing)
        self.guesses["right"].append(losing)
        short = shortened(self.table, losing, self.budget.share(0.1))
        for _ in range(_ROUNDS):
            before = self.table
            found = self._with_strategy(short)
            if found is not None:
                self.undecided.remove(losing)
                yield found
                return
            if (self.table.values(short) != self.table.losing).any():
                self.guesses["right"].remove(losing)
                self.guesses["refuted"].append(losing)
                return
            if self.table is before:
                return

    def _divides(self, nodes: Iterable[t.Node]) -> bool:
        """Whether every divisor is at least 1 for all members."""
        inner = {n.divisor for node in nodes for n in walk(node) if isinstance(n, t.Mod | t.Div)}
        for divisor in inner:
            parts = (self.family.range_, t.compare(divisor, "<", 1))
            if decide(parts, self.family.free, self.budget.share(0.1)).kind != "unsat":
                return False
        return True

    def _winning(self, losing: t.Formula, budget: Budget) -> Finding:
        return prove_winning(self.report, self.family.rule, negation(losing), losing, budget)

    def _with_strategy(self, losing: t.Formula) -> FamilyProof | None:
        rule, game = self.family.rule, self.family.game
        for pairs in StrategyMiner(self.table, losing, self.budget).strategies():
            if not self._divides([pair.when for pair in pairs] + _terms(pairs)):
                continue
            self.progress("; ".join(map(str, pairs)))
            budget = self._attempt(_PROVE)
            needed = strategy_obligations(game, rule, negation(losing), losing, pairs)
            finding = discharge(needed, budget)
            if finding.is_proved:
                found = self._certified(losing, pairs)
                if found is not None:
                    return found
                self.is_cut = True
            self.is_cut |= budget.is_spent
            if self._learn_from(finding):
                return None
        return None

    def _certified(self, losing: t.Formula, pairs: tuple[Rule, ...]) -> FamilyProof | None:
        """The theorem, where all of it is proved twice and nothing disagrees."""
        family = self.written
        game = family.spec.members(family.free, dict(family.overrides))
        short = [replace(p, when=shortened(self.table, p.when, self.budget)) for p in pairs]
        rules = tuple(oriented_rule(pair, family.free) for pair in short)
        said = oriented(losing, family.free)
        claim = FamilyClaim(game, family.free, family.range_, family.rule, said, rules)
        proof = prove_family(claim, self.budget.share(0.6))
        self.progress(f"{proof.status}: loses iff {losing} {proof.why}")
        found, parts = proof.certificate, ("termination", "winning", "strategy")
        if proof.status != "theorem" or found is None:
            return None
        return proof if all(len(found.confirmed.get(p, ())) > 1 for p in parts) else None

    def _learn_from(self, finding: Finding) -> bool:
        """Whether the member that refutes a claim, if one does, has joined the table."""
        state: State | None = finding.state(self.family.game)
        if state is None:
            return False
        count = len(self.family.free)
        most = _FARTHEST.get(len(state) - count, _NEAR)
        reach = min(max(map(abs, state[count:])) + 1, most)
        constants = dict(zip(self.family.free, state[:count], strict=True))
        self.progress(f"refuted at {self.family.game.show(state)}")
        table = self.table.with_member(constants, reach, self.budget)
        is_new, self.table = table is not self.table, table
        if is_new:
            self.coming = None
        return is_new


def _terms(pairs: Iterable[Rule]) -> list[t.Node]:
    return [term for pair in pairs for _, term in pair.act.arguments]

"""Theorems about families that were lifted from files: one for each file's own constants, if found.

The rules of a lifted family have all constants; nothing else of the files is looked at.  A theorem
about all of the constants comes first.  Where none is found, some of them are fixed at values that
files have, and the others stay free: one theorem may speak of those files only.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeAlias

from icgsynth.batch.family.members import FamilyMember
from icgsynth.batch.family.result import FamilyStanding
from icgsynth.batch.family.run import solve_family
from icgsynth.batch.family.theorem import with_theorem
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError, legible
from icgsynth.game.game import PlayRule
from icgsynth.logic.term import TRUE, Compare, Formula, Int, Name, conjunction
from icgsynth.process.worker import Worker
from icgsynth.prove.families import FamilyProof, prove_family
from icgsynth.prove.family_play import is_member
from icgsynth.prove.family_range import narrower
from icgsynth.spec.lifted import LiftedFamily
from icgsynth.synth.families.member_table import GameFamily
from icgsynth.synth.families.theorem_search import family_theorems

__all__ = ["LiftedResult", "LiftedTheorem", "prove_lifted"]

_FREE = 3  # constants of one theorem
_WHOLE = {1: 0.5, 2: 0.4, 3: 0.2}  # of the budget, for all constants at once, by how many
_PART = {1: 0.1, 2: 0.2}  # of what is left then, for so many free ones, the others fixed
_MOST = 8  # constants of a family of which some are fixed
_MEMBERS = 8  # from the least on, besides those of the files, to which a formula is fitted
_PROOFS = 8  # times as long as one of them may take, for what is made of them
_LEARN = 0.75  # of the time for a theorem; the rest is for saying it of more members
_LESS = 0.25  # of what is left, for a theorem that says the same of more members
_FEWER = 0.5  # what a search is worth less for each in vain with the same free constants

Values: TypeAlias = Mapping[str, int]
_Part: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, int], ...]]
"""Constants that stay free, and the others with their values."""


@dataclass(frozen=True)
class LiftedTheorem:
    """``proof`` is for members with the ``fixed`` values; ``files`` are inside its range."""

    proof: FamilyProof
    fixed: Values
    files: tuple[str, ...]


@dataclass(frozen=True)
class LiftedResult:
    """What was found about a family under a rule; ``why`` it is no theorem for some file.

    Where there is no theorem at all, ``unproved`` may be a conjecture, which is open or refuted.
    ``crashes`` are what went wrong in the worker, a fault of ours each.
    """

    family: LiftedFamily
    rule: PlayRule
    theorems: tuple[LiftedTheorem, ...] = ()
    why: str = ""
    unproved: FamilyProof | None = None
    seconds: float = 0.0
    crashes: tuple[str, ...] = ()

    @property
    def status(self) -> FamilyStanding:
        """The best that is known for some of the files."""
        if self.theorems:
            return "theorem"
        return "none" if self.unproved is None else self.unproved.status

    @property
    def inside(self) -> tuple[str, ...]:
        """The files that some theorem speaks of."""
        found = {name for theorem in self.theorems for name in theorem.files}
        return tuple(name for name in self.family.members if name in found)

    @property
    def outside(self) -> tuple[str, ...]:
        known = set(self.inside)
        return tuple(name for name in self.family.members if name not in known)


def prove_lifted(
    family: LiftedFamily,
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> LiftedResult:
    """Theorems for as many files of the family as the budget of ``seconds`` allows."""
    if not family.constants:
        same = len(family.members) > 1
        return LiftedResult(family, rule, (), "its files are one game" if same else "one file only")
    started = time.monotonic()
    search = _Search(family, rule, Budget(seconds), worker, progress)
    why = search.run()
    unproved = None if search.found else search.unproved
    spent = time.monotonic() - started
    crashes = tuple(dict.fromkeys(search.crashes))
    return LiftedResult(family, rule, tuple(search.found), why, unproved, spent, crashes)


# --- what to try --------------------------------------------------------------------------------


@dataclass
class _Search:
    family: LiftedFamily
    rule: PlayRule
    budget: Budget
    worker: Worker
    progress: Callable[[str], None]
    found: list[LiftedTheorem] = field(default_factory=list)
    open: dict[str, Values] = field(default_factory=dict)
    vain: Counter[tuple[str, ...]] = field(default_factory=Counter)
    unproved: FamilyProof | None = None
    crashes: list[str] = field(default_factory=list)

    def run(self) -> str:
        """Why there is no theorem for some file, empty where there is one for each."""
        family, count = self.family, len(self.family.constants)
        self.open = dict(family.members)
        if count <= _FREE:
            seconds = self.budget.remaining() * _WHOLE[count]
            self._try(family.constants, {}, list(family.members.values()), seconds)
        if count == 1 and not self.found:
            try:
                self._fit()
            except RuntimeError as crash:
                self.crashes.append(str(crash))
        left = self.budget.remaining()
        searches = _parts(family)
        while self.open and searches and not self.budget.is_spent:
            best = max(searches, key=lambda part: self._worth(part, searches[part]))
            files = [name for name in searches.pop(best) if name in self.open]
            if files:
                free, fixed = best
                seconds = min(left * _PART[len(free)], self.budget.remaining())
                self._try(free, dict(fixed), [family.members[name] for name in files], seconds)
        if count > _MOST:
            return f"more than {_MOST} integers differ"
        if self.crashes:
            spent = f"the search crashed ({legible(self.crashes[0])})"
        else:
            spent = "the time is spent" if self.budget.is_spent else "nothing fits"
        return spent if self.open else ""

    def _worth(self, part: _Part, files: Sequence[str]) -> float:
        """How many files a theorem would be about, for the time that it may take."""
        free, _ = part
        count = sum(name in self.open for name in files)
        return count * _FEWER ** self.vain[free] / _PART[len(free)]

    def _try(
        self, free: tuple[str, ...], fixed: Values, members: Sequence[Values], seconds: float
    ) -> None:
        """One theorem for these members, which have the ``fixed`` values in common."""
        held = "".join(f", {name} = {value}" for name, value in fixed.items())
        self.progress(f"{self.family.spec.name}: every {', '.join(free)}{held}")
        task = _Task(self.family, self.rule, free, fixed, tuple(_ranges(members, free)))
        try:
            found = self.worker.call(seconds, _theorem, task, seconds)
        except BudgetSpent:
            found = None
        except RuntimeError as crash:
            found = None
            self.crashes.append(str(crash))
        if found is None:
            self.vain[free] += 1
            return
        self._keep(*found)

    def _keep(self, proof: FamilyProof, fixed: Values) -> None:
        """A theorem, with the files that it is about and no earlier one."""
        inside = _files(self.family, proof, fixed)
        files = [name for name in self.open if name in inside]
        if files:
            self.found.append(LiftedTheorem(proof, fixed, tuple(files)))
            self.open = {name: v for name, v in self.open.items() if name not in inside}

    def _fit(self) -> None:
        """What is fitted to the answers of some members, where one constant is all there is."""
        family, (name,) = self.family, self.family.constants
        least, files = min(family.values(name)), set(family.values(name))
        members: dict[int, FamilyMember] = {}
        for value in sorted(files | set(range(least, least + _MEMBERS))):
            try:
                members[value] = FamilyMember(value, "unknown", family.spec.game({name: value}))
            except InputError as error:
                members[value] = FamilyMember(value, "invalid", why=error.message)
        seconds = self.budget.remaining() / (len(members) + _PROOFS)  # for a member
        try:
            found = solve_family(members, name, self.rule, seconds, self.worker, self.progress)
        except InputError:
            return  # none of them has a legal state
        every = GameFamily(family.spec, (name,), TRUE, self.rule)
        seconds = max(self.budget.remaining(), seconds) / 2
        told = with_theorem(found, every, None, seconds, self.worker, self.progress)
        for proof in (told.proof, told.narrower):
            if proof is not None and proof.status == "theorem":
                self._keep(proof, {})
        self.unproved = told.proof


def _parts(family: LiftedFamily) -> dict[_Part, list[str]]:
    """One or two constants that stay free, with values of the others, and the files that have them.

    Empty where that would be too many.
    """
    names = family.constants
    found: dict[_Part, list[str]] = {}
    for count in _PART if len(names) <= _MOST else ():
        for free in combinations(names, count) if count < len(names) else ():
            for name, values in family.members.items():
                fixed = tuple((n, values[n]) for n in names if n not in free)
                found.setdefault((free, fixed), []).append(name)
    return found


def _ranges(members: Sequence[Values], free: Sequence[str]) -> Iterator[tuple[Formula, ...]]:
    """Ranges to try, as conjuncts, which all ``members`` are in: wide ones first.

    Constants are positive where those of all members are, or not negative; and they are in the
    order that they have in all members.
    """
    least = {name: min(values[name] for values in members) for name in free}
    orders: list[Formula] = []
    for one, other in combinations(free, 2):
        signs = {(m[one] > m[other]) - (m[one] < m[other]) for m in members}
        words = {(-1,): "<", (1,): ">", (-1, 0): "<=", (0, 1): ">=", (-1, 1): "!="}
        if (sign := words.get(tuple(sorted(signs)))) is not None:
            orders.append(Compare((Name(one), Name(other)), (sign,)))
    starts = (tuple(min(n, 1) for n in least.values()), tuple(least.values()))
    for start in dict.fromkeys(starts):
        bounds = zip(free, start, strict=True)
        yield (*(Compare((Name(n), Int(at)), (">=",)) for n, at in bounds), *orders)


# --- one theorem, in the worker -----------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    family: LiftedFamily
    rule: PlayRule
    free: tuple[str, ...]
    fixed: Values
    ranges: tuple[tuple[Formula, ...], ...]


def _theorem(task: _Task, seconds: float) -> tuple[FamilyProof, Values] | None:
    """The first theorem for one of the ranges, as wide as is proved; and what stays fixed."""
    budget = Budget(seconds)
    for i, parts in enumerate(task.ranges):
        time_left = budget.share(_LEARN / (len(task.ranges) - i))
        try:
            proof = _learned(task, conjunction(parts), time_left)
        except InputError:
            continue  # no constants in the range give a game
        if proof is not None:
            return _freed(task, _widened(proof, parts, budget), budget)
    return None


def _learned(task: _Task, where: Formula, budget: Budget) -> FamilyProof | None:
    some = GameFamily(task.family.spec, task.free, where, task.rule, tuple(task.fixed.items()))
    return next(family_theorems(some, [], budget), None)


def _widened(proof: FamilyProof, parts: Sequence[Formula], budget: Budget) -> FamilyProof:
    """The same formulas for a wider range, as far as that is proved."""
    for i in range(len(parts)):
        for wider in _wider(parts[i]):
            if budget.is_spent:
                return proof
            others = (*parts[:i], wider, *parts[i + 1 :])
            other = prove_family(
                replace(proof.claim, where=conjunction(others)), budget.share(_LESS)
            )
            if other.status == "theorem":
                proof, parts = other, others
                break
    return proof


def _wider(part: Formula) -> Iterator[Formula]:
    """Without an order of two constants, or with equal ones; a bound of 1 instead of more."""
    match part:
        case Compare((Name() as name, Int(number)), (">=",)) if number > 1:
            yield Compare((name, Int(1)), (">=",))
        case Compare((Name(), Name()) as names, (sign,)):
            yield TRUE
            if sign in ("<", ">"):
                yield Compare(names, (f"{sign}=",))


def _freed(task: _Task, proof: FamilyProof, budget: Budget) -> tuple[FamilyProof, Values]:
    """The same formulas for other values of constants that were fixed, where that is proved.

    First one by one; then what is left, at once and one by one, in a smaller range where a member
    refutes it, if more files are inside all the same.
    """
    fixed, family = dict(task.fixed), task.family
    single = [((name,), False) for name in fixed]
    for names, is_narrowed in (*single, ((), True), *((names, True) for names, _ in single)):
        names = names or tuple(fixed)
        if budget.is_spent or not names or not set(names) <= set(fixed):
            continue
        others = {name: value for name, value in fixed.items() if name not in names}
        free = tuple(name for name in family.constants if name not in others)
        starts = [Compare((Name(n), Int(min(1, *family.values(n)))), (">=",)) for n in names]
        where = conjunction((proof.claim.where, *starts))
        game = family.spec.members(free, others)
        claim = replace(proof.claim, game=game, constants=free, where=where)
        wider = prove_family(claim, budget.share(_LESS))
        if is_narrowed and wider.status == "refuted":
            wider = narrower(wider, budget.share(_LESS)) or wider
        if wider.status == "theorem" and _files(family, wider, others) > _files(
            family, proof, fixed
        ):
            proof, fixed = wider, others
    return proof, fixed


def _files(family: LiftedFamily, proof: FamilyProof, fixed: Values) -> set[str]:
    """The files that are inside the range of a theorem."""
    free, where = proof.claim.constants, proof.claim.where
    return {
        name
        for name, values in family.members.items()
        if fixed.items() <= values.items() and is_member(where, {n: values[n] for n in free})
    }

"""The conjecture that agrees with the most members: one for all, or one for each residue.

Candidates come from the answers of several members.  Each is held against the proved answers of
all members, one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from icgsynth.batch.family.fit import Fit, fit, fit_residue
from icgsynth.batch.family.shape import (
    SPELLINGS,
    Shape,
    fill,
    instantiate,
    read_modulo,
    shape_of,
    signed,
)
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, size, walk
from icgsynth.logic.evaluate import columns
from icgsynth.process.worker import Worker
from icgsynth.prove.deciders.portfolio import decide, second_opinion
from icgsynth.prove.deciders.smt import SolverReply

# --- conjecture ----------------------------------------------------------------------------------

_JUDGED = 8  # candidates compared with the members
_MODULI = (2, 3)  # of the constant, for a formula for each residue


@dataclass(frozen=True, slots=True)
class Case:
    """The formula where the constant has the residue ``residue`` modulo ``modulus`` (1: all)."""

    losing: t.Formula
    fitted_on: tuple[int, ...]
    judgement: MemberJudgement
    modulus: int = 1
    residue: int = 0

    def has(self, k: int) -> bool:
        """Whether the case is about member ``k``."""
        return k % self.modulus == self.residue

    def when(self, over: str) -> str:
        """``n even``, ``n mod 3 = 1``; empty if the case is about all members."""
        if self.modulus == 1:
            return ""
        if self.modulus == 2:
            return f"{over} {('even', 'odd')[self.residue]}"
        return str(self.condition(over))

    def condition(self, over: str) -> t.Formula:
        return t.Compare((t.Mod(t.Name(over), t.Int(self.modulus)), t.Int(self.residue)), ("=",))


@dataclass(frozen=True, slots=True)
class Conjecture:
    """One case, or one for each residue of the constant ``over``."""

    over: str
    cases: tuple[Case, ...]

    @property
    def losing(self) -> t.Formula:
        """One formula with the constant free in it."""
        if len(self.cases) == 1:
            return self.cases[0].losing
        return disjunction(
            conjunction((case.condition(self.over), case.losing)) for case in self.cases
        )

    @property
    def winning(self) -> t.Formula:
        if len(self.cases) == 1:
            return negation(self.cases[0].losing)
        return disjunction(
            conjunction((case.condition(self.over), negation(case.losing))) for case in self.cases
        )

    @property
    def judgement(self) -> MemberJudgement:
        """How all members stand."""
        parts = [case.judgement for case in self.cases]
        return MemberJudgement(
            tuple(sorted(k for part in parts for k in part.agreeing)),
            tuple(sorted((d for part in parts for d in part.disagreeing), key=lambda d: d.value)),
            tuple(sorted(k for part in parts for k in part.undecided)),
        )

    @property
    def fitted_on(self) -> tuple[int, ...]:
        return tuple(sorted(k for case in self.cases for k in case.fitted_on))

    @property
    def start(self) -> int | None:
        """The member from which on all agree; None for no conjecture to speak of."""
        return self.judgement.start


def find_conjecture(
    proved: Mapping[int, t.Formula], judge: MemberJudge, rejected: Collection[t.Formula] = ()
) -> Conjecture | None:
    """The best that fits the ``proved`` losing formulas; its ``start`` is None if it fails some.

    None where nothing fits even a part of them; never one that is ``rejected``.
    """
    whole = _best(proved, judge, 1, 0, rejected)
    nearest = None if whole is None else Conjecture(judge.over, (whole,))
    best = nearest if nearest is not None and nearest.start is not None else None
    for modulus in _MODULI:
        if best is not None and not best.judgement.disagreeing:
            return best
        cases = [_best(proved, judge, modulus, residue, ()) for residue in range(modulus)]
        known = tuple([case for case in cases if case and case.judgement.start is not None])
        split = Conjecture(judge.over, known)
        if len(known) == modulus and split.start is not None and split.losing not in rejected:
            best = min([best, split] if best else [split], key=_exceptions)
    return best or nearest


def _exceptions(conjecture: Conjecture) -> int:
    return len(conjecture.judgement.disagreeing)


def _best(
    proved: Mapping[int, t.Formula],
    judge: MemberJudge,
    modulus: int,
    residue: int,
    rejected: Collection[t.Formula],
) -> Case | None:
    """The candidate for one residue that agrees with the most members of it."""
    own = {k: formula for k, formula in proved.items() if k % modulus == residue}
    best: tuple[tuple[bool, int, int], Case] | None = None
    for candidate in candidates({k: (f,) for k, f in own.items()}, judge.over)[:_JUDGED]:
        losing = candidate.nodes[0]
        if not isinstance(losing, t.Formula) or losing in rejected:
            continue
        judgement = judge.judge(losing, sorted(own))
        case = Case(losing, candidate.fitted_on, judgement, modulus, residue)
        rank = (judgement.start is not None, len(judgement.agreeing), -size(losing))
        if best is None or rank > best[0]:
            best = (rank, case)
        if len(judgement.agreeing) == len(own):
            break
    return best and best[1]


# --- generalised ---------------------------------------------------------------------------------

_FEWEST = 3  # members of one shape
_EXCEPTIONS = 3  # of the smallest members of a shape that may be left out

Row = tuple[int, tuple[int, ...]]  # a value of the constant, and the integers in the holes


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """``nodes`` with the constant's name free in them; ``predicted`` members besides the fitted
    ones have the very integers that it says."""

    nodes: tuple[t.Node, ...]
    fitted_on: tuple[int, ...]
    predicted: tuple[int, ...] = ()


def candidates(answers: Mapping[int, Sequence[t.Node]], name: str) -> list[CandidateAnswer]:
    """Different candidates, those that most members bear out first.

    ``answers`` maps values of the constant ``name`` to nodes in an order that all share (the
    losing formula, say).  Members of one shape make a candidate together, without the smallest
    of them if need be.
    """
    found: dict[tuple[t.Node, ...], CandidateAnswer] = {}
    for shape, rows in _groups(answers):
        for start in range(min(_EXCEPTIONS, len(rows) - _FEWEST) + 1):
            candidate = _candidate(shape, rows[start:], name)
            if candidate is not None:
                known = found.get(candidate.nodes)
                if known is None or _support(known) < _support(candidate):
                    found[candidate.nodes] = candidate
    return sorted(found.values(), key=lambda c: (-_support(c), sum(map(size, c.nodes))))


def _support(candidate: CandidateAnswer) -> int:
    return len(candidate.fitted_on) + len(candidate.predicted)


def _groups(answers: Mapping[int, Sequence[t.Node]]) -> Iterator[tuple[Shape, list[Row]]]:
    """Members of one shape, in every spelling, ascending."""
    for spelling in SPELLINGS:
        groups: dict[Shape, list[Row]] = {}
        for k in sorted(answers):
            shape, values = shape_of([spelling(signed(node)) for node in answers[k]])
            groups.setdefault(shape, []).append((k, values))
        yield from ((shape, rows) for shape, rows in groups.items() if len(rows) >= _FEWEST)


def _candidate(shape: Shape, rows: Sequence[Row], name: str) -> CandidateAnswer | None:
    """A function for every hole, put in; None where some hole has none."""
    modulo = read_modulo(shape)
    fits: dict[int, Fit] = {}
    # A modulus comes before what is read modulo it.
    for hole in sorted(range(shape.holes), key=lambda h: (h in modulo, h)):
        points = [(k, values[hole]) for k, values in rows]
        found = fit(points, name)
        if hole in modulo and not (found and found.exact):
            divisor, inside = modulo[hole]
            if divisor in fits:
                moduli = [values[divisor] for _, values in rows]
                by = fits[divisor].term
                found = fit_residue(points, moduli, name, by, inside) or found
        if found is None:
            return None
        fits[hole] = found
    terms: list[t.Term] = [fits[hole].term for hole in range(shape.holes)]
    used = max((found.used for found in fits.values()), default=(len(rows) + 1) // 2)
    fitted_on = tuple(k for k, _ in rows[:used])
    exact = all(found.exact for found in fits.values())
    predicted = tuple(k for k, _ in rows[used:]) if exact else ()
    return CandidateAnswer(fill(shape, terms), fitted_on, predicted)


# --- member judge --------------------------------------------------------------------------------

_SIDES = {1: 5_000, 2: 80, 3: 20}  # of the box for each number of variables: some 8,000 states


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A member that a conjecture is wrong for, with a state that shows it.

    ``state`` is None where the conjecture says nothing, for want of a positive divisor.
    """

    value: int
    state: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class MemberJudgement:
    """How a conjecture stands at each member it was compared with, all ascending.

    ``agreeing`` is proved member by member; of ``undecided`` ones nothing is known.
    """

    agreeing: tuple[int, ...]
    disagreeing: tuple[Disagreement, ...] = ()
    undecided: tuple[int, ...] = ()

    @property
    def start(self) -> int | None:
        """The member from which on all agree, if only a few before it do not; None otherwise."""
        wrong = [d.value for d in self.disagreeing]
        return None if self.undecided else settled_from(self.agreeing, wrong)


def settled_from(right: Iterable[int], wrong: Iterable[int]) -> int | None:
    """Where the right values begin that no wrong one follows.

    None unless those are at least half of all values, and at least three.

    >>> settled_from([1, 2, 3, 4], []), settled_from([3, 4, 5, 6], [1, 2])
    (1, 3)
    >>> print(settled_from([1, 2, 3, 4, 5, 6], [7]))
    None
    """
    right, wrong = sorted(right), sorted(wrong)
    last = wrong[-1] if wrong else None
    after = [value for value in right if last is None or value > last]
    enough = len(after) >= 3 and 2 * len(after) >= len(right) + len(wrong)
    return after[0] if enough else None


@dataclass
class MemberJudge:
    """Compares in ``worker``, each time within ``seconds``; remembers what it has compared."""

    games: Mapping[int, ParametricGame]
    losing: Mapping[int, t.Formula]
    over: str
    seconds: float
    worker: Worker

    def __post_init__(self) -> None:
        self._seen: dict[tuple[int, t.Formula], SolverReply] = {}

    def judge(self, conjecture: t.Formula, values: Sequence[int]) -> MemberJudgement:
        """Whether ``conjecture`` says of each member what is proved of it, on its legal states."""
        agreeing: list[int] = []
        disagreeing: list[Disagreement] = []
        undecided: list[int] = []
        for k in values:
            here = instantiate(conjecture, {self.over: k})
            if here is None:
                disagreeing.append(Disagreement(k, None))
                continue
            answer = self._compare(k, here)
            if answer.kind == "unsat":
                agreeing.append(k)
            elif answer.kind == "sat":
                disagreeing.append(Disagreement(k, answer.model))
            else:
                undecided.append(k)
        return MemberJudgement(tuple(agreeing), tuple(disagreeing), tuple(undecided))

    def _compare(self, k: int, here: t.Formula) -> SolverReply:
        """A legal state of member ``k`` where ``here`` and its losing formula differ."""
        if here == self.losing[k]:
            return SolverReply("unsat")
        if (k, here) not in self._seen:
            game = self.games[k]
            differs = t.Not(t.Iff(here, self.losing[k]))
            try:
                answer = self.worker.call(
                    self.seconds, _satisfy, game.legal, differs, game.variables, self.seconds
                )
            except BudgetSpent:
                answer = SolverReply("unknown")
            self._seen[k, here] = answer
        return self._seen[k, here]


def _satisfy(
    legal: t.Formula, differs: t.Formula, variables: tuple[str, ...], seconds: float
) -> SolverReply:
    """In the worker: "unsat" only where two engines say so; of digits only states may tell."""
    if any(isinstance(node, t.Digital) for node in walk(differs)):
        return _seen_in_box(legal, differs, variables)
    budget, parts = Budget(seconds), (legal, differs)
    answer = decide(parts, variables, budget)
    if answer.kind != "unsat":
        return answer
    return second_opinion(parts, variables, answer.by, budget)


def _seen_in_box(legal: t.Formula, differs: t.Formula, variables: tuple[str, ...]) -> SolverReply:
    """A legal state of a box where ``differs`` holds; "unknown" without one."""
    side = _SIDES.get(len(variables), 8)
    box = Box(variables, ((0, side - 1),) * len(variables), legal)
    rows = np.flatnonzero(np.broadcast_to(columns(differs, box.columns()), (box.size,)))
    if not len(rows):
        return SolverReply("unknown")
    return SolverReply("sat", dict(zip(variables, map(int, box.states[rows[0]]), strict=True)))

"""A conjecture against the proved answers of the members, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from icgsynth.batch.family.shape import instantiate
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import columns
from icgsynth.process.worker import Worker
from icgsynth.prove.deciders import decide, second_opinion
from icgsynth.prove.deciders.smt import SolverReply

__all__ = ["Disagreement", "MemberJudge", "MemberJudgement", "settled_from"]

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

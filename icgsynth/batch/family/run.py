"""From the members to the conjecture, or from one table of states to a theorem about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from icgsynth.batch.family.conjecture import Case, Disagreement, MemberJudge, find_conjecture
from icgsynth.batch.family.fitted_strategy import Certifier, FittedStrategy, find_strategy
from icgsynth.batch.family.learned_theorem import LearnedTheorem, learn_theorem
from icgsynth.batch.family.members import FamilyMember, FamilyRequest, load_members, solve_members
from icgsynth.batch.family.result import FamilyResult
from icgsynth.batch.family.theorem import with_theorem
from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.process.watchdog import GRACE
from icgsynth.process.worker import Worker

# --- run -----------------------------------------------------------------------------------------

_ROUNDS = 3  # conjectures that members without an answer of their own may refute


_LOADING = 60.0  # seconds to load the solvers, on a busy machine


def new_worker() -> Worker:
    """The process that solves and checks members; one that does not heed its budget is ended."""
    worker = Worker(_load, GRACE)
    worker.start()
    return worker


def _load() -> None:
    """In the worker: what takes long to import is imported before any clock runs."""
    from icgsynth.logic import term as t
    from icgsynth.prove.deciders.smt import satisfy

    satisfy((t.TRUE,), (), Budget(_LOADING))


def solve_family(
    members: Mapping[int, FamilyMember],
    over: str,
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> FamilyResult:
    """Solve ``members``, fit a conjecture in the constant ``over``, check it member by member.

    ``seconds`` bound the work on one member: its solution, and each check of it.
    """
    started = time.monotonic()

    def count(ready: int) -> None:
        progress(_estimate(over, list(members), ready, time.monotonic() - started))

    done = solve_members(members, rule, seconds, worker, count)
    progress(f"fitting a formula in {over}")
    every = {k: member.game for k, member in done.items() if member.game is not None}
    certifier = Certifier(every, rule, over, seconds, worker, progress)
    return replace(_conclude(done, certifier), seconds=time.monotonic() - started)


def _estimate(over: str, values: list[int], ready: int, elapsed: float) -> str:
    text = f"{over} = {values[ready]}: {ready} of {len(values)} members done"
    if ready:
        text += f", about {elapsed / ready * (len(values) - ready):.0f} s left"
    return text


def _conclude(members: Mapping[int, FamilyMember], certifier: Certifier) -> FamilyResult:
    """The first conjecture that stands; otherwise the first one found, with what refutes it."""
    over = certifier.over
    proved: dict[int, t.Formula] = {}
    games: dict[int, ParametricGame] = {}
    for k, member in members.items():
        if member.solution is not None and member.losing is not None:
            proved[k], games[k] = member.losing, member.solution.game
    judge = MemberJudge(games, proved, over, certifier.seconds, certifier.worker)
    rejected: list[t.Formula] = []
    results: list[FamilyResult] = []
    for _ in range(_ROUNDS):
        nearest = find_conjecture(proved, judge, rejected)
        result = FamilyResult(over, certifier.rule, members, nearest)
        if nearest is not None and result.conjecture is not None:
            result = _checked(result, nearest.cases, certifier)
            rejected.append(nearest.losing)
        results.append(result)
        if nearest is None or nearest.start is None:
            break
        if result.conjecture is not None:
            return result
    return results[0]


def _checked(result: FamilyResult, cases: tuple[Case, ...], certifier: Certifier) -> FamilyResult:
    """With a strategy for each case, and with what the verifier says of open members."""
    solutions = {k: member.solution for k, member in result.members.items()}
    pairs = {
        k: [pair for pair in s.strategy if isinstance(pair, Rule)]
        for k, s in solutions.items()
        if s is not None and s.is_proved
    }
    for case in cases:
        strategy = find_strategy(case, pairs, certifier)
        result = replace(result, strategies=(*result.strategies, strategy))
        for k in result.unsolved:
            if case.has(k) and result.members[k].status in ("unknown", "conditional"):
                result = _settled(result, k, case, strategy, certifier)
            if result.conjecture is None:
                return result
    return result


def _settled(
    result: FamilyResult,
    k: int,
    case: Case,
    strategy: FittedStrategy | None,
    certifier: Certifier,
) -> FamilyResult:
    """With member ``k`` proved from the conjecture, or refuting it, or still open."""
    # A strategy is a witness that spares the proof a quantifier; but it may be wrong by itself.
    for rules in dict.fromkeys([strategy.rules if strategy else (), ()]):
        verdict, state = certifier.certify(k, case.losing, rules)
        if verdict == "proved":
            return replace(result, settled=tuple(sorted((*result.settled, k))))
        if state is not None:
            return replace(result, refuted=(*result.refuted, Disagreement(k, state)))
    return result


# --- answered ------------------------------------------------------------------------------------

FamilyAnswer: TypeAlias = LearnedTheorem | FamilyResult

_AGAIN = 3  # the same, where the members' answers have no formula in common
_FEWEST = 3  # of those answers, for a second attempt


def answer_family(
    request: FamilyRequest,
    rule: PlayRule,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> FamilyAnswer:
    """A theorem learned from one table, where there is one.

    Otherwise each member is solved, and one formula fitted to all answers, where one constant
    varies; where that is no theorem, there is more time for the table.
    """
    started, several = time.monotonic(), len(request.values) > 1
    learned = learn_theorem(request, rule, request.seconds, worker, progress, parts=several)
    if several or learned.proof is not None:
        return learned
    (over,) = request.values
    wanted = sorted(member[over] for member in request.grid)
    members = load_members(request.family, wanted)
    found = solve_family(members, over, rule, request.seconds, worker, progress)
    where, seconds = request.where, request.seconds
    found = with_theorem(found, request.family, where, seconds, worker, progress)
    linear = [k for k in found.proved_members if found.members[k].logic == "lia"]
    if found.status in ("none", "conjecture") and len(linear) >= _FEWEST:
        seconds = _AGAIN * request.seconds
        learned = learn_theorem(request, rule, seconds, worker, progress, parts=True)
    elapsed = time.monotonic() - started
    return replace(found if learned.proof is None else learned, seconds=elapsed)

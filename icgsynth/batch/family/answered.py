"""The answer for all members of a family: from one table, or else from the members' answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from icgsynth.batch.family.learned_theorem import LearnedTheorem, learn_theorem
from icgsynth.batch.family.members import load_members
from icgsynth.batch.family.request import FamilyRequest
from icgsynth.batch.family.result import FamilyResult
from icgsynth.batch.family.run import solve_family
from icgsynth.batch.family.theorem import with_theorem
from icgsynth.game.game import PlayRule
from icgsynth.process.worker import Worker

__all__ = ["FamilyAnswer", "answer_family"]

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

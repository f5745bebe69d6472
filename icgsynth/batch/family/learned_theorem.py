"""A theorem about all members, learned from one table of the states of a few."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from icgsynth.batch.family.members import FamilyMember, FamilyRequest, load_members, solve_members
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.process.worker import Worker
from icgsynth.prove.families import FamilyCounterexample, FamilyProof, is_member
from icgsynth.prove.family_range import wider
from icgsynth.prove.verdict_report import proof_value
from icgsynth.synth.families.member_table import GameFamily
from icgsynth.synth.families.theorem_search import family_theorems

_MOST = {1: 12}  # members to learn from, where one constant varies
_MOST_OF_SEVERAL = 40
_FIRST = 0.6  # of the time, for the range that is asked for
_SOON = 0.07  # of the time, for each range where several constants vary
_WIDER = 0.3  # of the time, for the whole range once there is a theorem for a part
_EXCEPTIONS = 3  # first members that a theorem may leave out
_FEWEST = 3  # members in a range that nobody asked for


@dataclass(frozen=True)
class LearnedTheorem:
    """What was found for ``request``: a theorem, or none.

    ``members`` of the table were learned from.  Where one constant varies, ``exceptions`` are the
    first members, each solved by itself, that the theorem is not about.  ``below`` are members
    with smaller constants than were asked for, with a state of each where the formula is wrong.
    """

    request: FamilyRequest
    rule: PlayRule
    proof: FamilyProof | None
    members: int = 0
    exceptions: Mapping[int, FamilyMember] | None = None
    below: tuple[FamilyCounterexample, ...] = ()
    seconds: float = 0.0

    @property
    def status(self) -> str:
        return "none" if self.proof is None else "theorem"

    def to_json(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers."""
        request, exceptions = self.request, self.exceptions or {}
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "family",
            "game": request.example.name,
            "constants": list(request.values),
            "fixed": request.fixed,
            "over": {name: [some[0], some[-1]] for name, some in request.values.items()},
            "rule": self.rule,
            "status": self.status,
            "losing": None,
            "winning": None,
            "strategy": [],
        }
        if self.proof is not None:
            data |= proof_value(self.proof)
        data["exceptions"] = list(exceptions)
        data["members"] = [member.to_json() for member in exceptions.values()]
        return data | {"learned_from": self.members, "seconds": round(self.seconds, 4)}


def learn_theorem(
    request: FamilyRequest,
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
    *,
    parts: bool = False,
) -> LearnedTheorem:
    """The first theorem that is found within ``seconds``.

    It is about the range that is asked for, by default about all members from the first on; with
    ``parts`` it may be about a part of these.
    """
    budget = Budget(seconds)
    progress(f"looking for a theorem for every {request.range_}")
    ranges = [request.range_, *(_narrower(request) if parts and request.where is None else ())]
    families = [request.within(where, rule) for where in ranges]
    most = _MOST.get(len(request.values), _MOST_OF_SEVERAL)
    grid = [dict(member) for member in request.grid[:most]]
    try:
        found = worker.call(seconds, _learned, families, grid, seconds)
    except BudgetSpent:
        found = None
    if found is None:
        return LearnedTheorem(request, rule, None, len(grid), seconds=budget.elapsed())
    proof, members = found
    below: tuple[FamilyCounterexample, ...] = ()
    if request.where is None and not budget.is_spent:
        progress("looking for smaller members that it is true for")
        first, left = {name: some[0] for name, some in request.values.items()}, budget.remaining()
        with suppress(BudgetSpent):
            proof, below = worker.call(left, _wider, proof, first, left)
    exceptions = _exceptions(request, proof, worker, progress)
    return LearnedTheorem(request, rule, proof, members, exceptions, below, budget.elapsed())


def _wider(
    proof: FamilyProof, first: Mapping[str, int], seconds: float
) -> tuple[FamilyProof, tuple[FamilyCounterexample, ...]]:
    """In the worker."""
    return wider(proof, first, Budget(seconds))


def _learned(
    families: Sequence[GameFamily], grid: Sequence[Mapping[str, int]], seconds: float
) -> tuple[FamilyProof, int] | None:
    """In the worker: for the first range that has a theorem, and from how many members."""
    budget, (asked, *narrower) = Budget(seconds), families
    short = (1 - _FIRST) * seconds / max(1, len(narrower))
    tries = [(asked, _FIRST * seconds if narrower else seconds)]
    tries += [(family, short) for family in narrower]
    if narrower and len(asked.free) > 1:  # a range is mostly needed, and found soon
        tries = [(family, _SOON * seconds) for family in families] + [(asked, seconds)]
    for family, most in tries:
        members = [constants for constants in grid if family.includes(constants)]
        if len(members) < _FEWEST and family is not asked:
            continue
        time = budget.within(most)
        for proof in family_theorems(family, members, time):
            if family is asked or len(asked.free) == 1:
                return proof, len(members)
            time = budget.within(_WIDER * seconds)
            wider = next(family_theorems(asked, grid, time), None)
            return (proof, len(members)) if wider is None else (wider, len(grid))
    return None


def _narrower(request: FamilyRequest) -> Iterator[t.Formula]:
    """Parts of the range that are worth a try, large ones first."""
    conditions: list[t.Formula] = []
    if len(request.values) == 1:
        ((name, values),) = request.values.items()
        later = values[1 : _EXCEPTIONS + 1]
        yield from (t.Compare((t.Name(name), t.Int(v)), (">=",)) for v in later)
    for sign, pairs in (("!=", combinations), ("<=", permutations), ("<", permutations)):
        conditions += [t.Compare(pair, (sign,)) for pair in pairs(map(t.Name, request.values), 2)]
    for constant in map(t.Name, request.values):
        conditions += [
            t.Compare((t.Mod(constant, t.Int(2)), t.Int(rest)), ("=",)) for rest in (0, 1)
        ]
    yield from (conjunction((request.range_, condition)) for condition in conditions)


def _exceptions(
    request: FamilyRequest,
    proof: FamilyProof,
    worker: Worker,
    progress: Callable[[str], None],
) -> dict[int, FamilyMember]:
    """The first members of the only constant, where the theorem is about later ones alone."""
    if request.where is not None or len(request.values) > 1:
        return {}
    ((name, values),) = request.values.items()
    out = [value for value in values if not is_member(proof.claim.where, {name: value})]
    if not 0 < len(out) <= _EXCEPTIONS or out != list(values[: len(out)]):
        return {}
    progress("solving the exceptions")
    try:
        members = load_members(request.family, out)
        return solve_members(members, proof.claim.rule, request.seconds, worker)
    except InputError as error:
        return {value: FamilyMember(value, "invalid", why=error.message) for value in out}

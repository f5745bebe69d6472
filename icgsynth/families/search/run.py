"""Answer a question about a family; a worker process does the work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, permutations

from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import BudgetSpent, InputError, OutOfReach, Refused
from icgsynth.families.proof.families import (
    FamilyCounterexample,
    FamilyProof,
    is_member,
    prove_family,
)
from icgsynth.families.proof.family_range import said_once, wider
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search.members import FamilyAnswer, FamilyRequest, solve_members
from icgsynth.families.search.table_search import Learned, learn
from icgsynth.families.search.theorem_search import claim_of
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, walk
from icgsynth.process.watchdog import GRACE
from icgsynth.process.worker import Worker
from icgsynth.prove.recheck.definition import played_out
from icgsynth.prove.recheck.drawn_members import put_constants

_LOADING = 60.0  # seconds to load the solvers, on a busy machine
_MOST = 12  # members to learn from, where one constant varies
_MOST_OF_SEVERAL = 40
_TABLE = 0.75  # of the time, for the table; what is left may go to members
_EXCEPTIONS = 3  # first members that a theorem may leave out
_FEWEST = 3  # members whose one formula makes a conjecture
_MEMBER = 10.0  # seconds for one member by itself


def new_worker() -> Worker:
    """Return a started process that solves and checks members, and is ended past its budget."""
    worker = Worker(_load, GRACE)
    worker.start()
    return worker


def _load() -> None:
    """Import in the worker what takes long to import, before any clock runs."""
    from icgsynth.prove.deciders.smt import satisfy

    satisfy((t.TRUE,), (), Budget(_LOADING))


def answer_family(
    request: FamilyRequest, rule: PlayRule, worker: Worker, progress: Progress = silent
) -> FamilyAnswer:
    """Return the answer to ``request`` under ``rule``: a theorem or conjecture for all members,
    learned from one table by ``worker``; or else single members' answers. ``progress`` hears of the
    work. A theorem may be about a part of the range, unless one is given by hand."""
    started, one = time.monotonic(), len(request.values) == 1
    progress(f"looking for a theorem for every {request.range_}")
    ranges = [request.range_, *(_narrower(request) if request.where is None else ())]
    families = [request.within(where, rule) for where in ranges]
    grid = [dict(member) for member in request.grid[: _MOST if one else _MOST_OF_SEVERAL]]
    # With one constant the rest of the time goes to its members, one by one, if no theorem is
    # found.
    seconds = request.seconds * (_TABLE if one else 1)
    try:
        learned = worker.call(seconds, learn, families, grid, seconds)
    except (BudgetSpent, OutOfReach):
        learned = Learned(members=len(grid))
    if learned.proof is not None and learned.proof.status == "conjecture":
        learned = learned._replace(proof=_tell(request, rule, learned.proof, worker))
    proof, values, below = learned.proof, list[int](), tuple[FamilyCounterexample, ...]()
    if proof is None and one:
        values = sorted(value for member in request.grid for value in member.values())
    elif proof is not None and proof.status == "theorem" and request.where is None:
        progress("looking for smaller members that it is true for")
        values = _exceptions(request, proof.claim.where)
        proof, below = _with_smaller_members(request, proof, worker)
    members = solve_members(request, values, rule, _MEMBER, worker, progress)
    found = FamilyAnswer(
        request, rule, *learned._replace(proof=proof), members, below, time.monotonic() - started
    )
    return _in_common(found, worker) if proof is None else found


def _in_common(found: FamilyAnswer, worker: Worker) -> FamilyAnswer:
    """Return ``found`` with a theorem or conjecture added, if all solved members but some first
    have one losing formula: that it is right for all later members. InputError where none is a
    game."""
    if found.members and all(m.status == "invalid" for m in found.members.values()):
        raise InputError(next(iter(found.members.values())).why, mend="give --over other values")
    known = {value: m.losing for value, m in found.members.items() if m.losing is not None}
    for value, losing in known.items():
        # From the first member on whose formula all later ones share.
        later = {k: other for k, other in known.items() if k >= value}
        if len(later) >= _FEWEST and set(later.values()) == {losing}:
            (over,) = found.request.values
            start = t.compare(t.Name(over), ">=", value)
            where = said_once(conjunction((found.request.range_, start)))
            family = found.request.within(where, found.rule)
            proof = _proof_of(claim_of(family, losing, found.members[value].rules), worker)
            if proof.status == "theorem":
                return replace(found, proof=proof, learned_from=0)
            if (told := _tell(found.request, found.rule, proof, worker)) is not None:
                known_for = tuple({over: k} for k in later)
                return replace(found, proof=told, learned_from=0, proved_for=known_for)
    return found


def _tell(
    request: FamilyRequest, rule: PlayRule, proof: FamilyProof, worker: Worker
) -> FamilyProof | None:
    """Return the conjecture ``proof`` with how many of the request's members, and states of these,
    were played out; None where one of them refutes it, or cannot be played out in this time."""
    claim, games = proof.claim, list[tuple[ParametricGame, t.Formula]]()
    members = (member for member in request.grid if is_member(claim.where, member))
    try:
        for member in members:
            losing = put_constants(claim.solution, (), member).solution.losing
            if losing is None:
                return None
            games.append((request.family.member(member), losing.formula))
        states = worker.call(request.seconds, _played_states, games, rule, request.seconds)
    except (BudgetSpent, InputError, ZeroDivisionError):
        return None
    return None if states is None else replace(proof, members=len(games), states=states)


def _played_states(
    games: Sequence[tuple[ParametricGame, t.Formula]], rule: PlayRule, seconds: float
) -> int | None:
    """Return how many states of ``games``, pairs of a game and its losing formula, were played out;
    None where one refutes its formula, or cannot be played out. The worker process calls it."""
    budget, states = Budget(seconds), 0
    try:
        for game, losing in games:
            count, wrong = played_out(game, rule, losing, budget)
            if wrong is not None:
                return None
            states += count
    except (BudgetSpent, Refused):
        return None
    return states


def _proof_of(claim: FamilyClaim, worker: Worker) -> FamilyProof:
    """Return the proof of ``claim`` for all members; a conjecture where time runs out."""
    why = "it is the formula of all solved members"
    if any(isinstance(node, t.Digital) for node in walk(claim.losing)):
        why = "formulas of digits are not decided for all members at once"
    else:
        with suppress(BudgetSpent, OutOfReach):
            proof = worker.call(_MEMBER, _prove, claim, _MEMBER)
            if proof.status == "theorem":
                return proof
    return FamilyProof(replace(claim, strategy=()), "conjecture", why)


def _prove(claim: FamilyClaim, seconds: float) -> FamilyProof:
    """Return what is proved of ``claim`` within ``seconds``; runs in the worker."""
    return prove_family(claim, Budget(seconds))


def _narrower(request: FamilyRequest) -> Iterator[t.Formula]:
    """Yield ranges within that of ``request`` for which a theorem may hold, the widest first."""
    conditions: list[t.Formula] = []
    if len(request.values) == 1:
        ((name, values),) = request.values.items()
        later = values[1 : _EXCEPTIONS + 1]
        yield from (t.compare(t.Name(name), ">=", v) for v in later)
    for sign, pairs in (("!=", combinations), ("<=", permutations), ("<", permutations)):
        conditions += [t.Compare(pair, (sign,)) for pair in pairs(map(t.Name, request.values), 2)]
    for constant in map(t.Name, request.values):
        conditions += [t.compare(t.Mod(constant, t.Int(2)), "=", rest) for rest in (0, 1)]
    yield from (conjunction((request.range_, condition)) for condition in conditions)


def _with_smaller_members(
    request: FamilyRequest, proof: FamilyProof, worker: Worker
) -> tuple[FamilyProof, tuple[FamilyCounterexample, ...]]:
    """Return ``proof``, extended to smaller constants where that is proved, and members just below
    its range, each with a state where the formula is wrong; ``worker`` does the work."""
    first = {name: some[0] for name, some in request.values.items()}
    try:
        return worker.call(request.seconds, _wider, proof, first, request.seconds)
    except (BudgetSpent, OutOfReach):
        return proof, ()


def _wider(
    proof: FamilyProof, first: Mapping[str, int], seconds: float
) -> tuple[FamilyProof, tuple[FamilyCounterexample, ...]]:
    """Return :func:`wider` of ``proof`` and ``first``, the least constants that were asked for,
    found within ``seconds``. The worker process calls it."""
    return wider(proof, first, Budget(seconds))


def _exceptions(request: FamilyRequest, where: t.Formula) -> list[int]:
    """Return the values that the range ``where`` leaves out, if there is one constant and these are
    at most three, the first ones; else []."""
    if len(request.values) > 1:
        return []
    ((name, values),) = request.values.items()
    out = [value for value in values if not is_member(where, {name: value})]
    return out if len(out) <= _EXCEPTIONS and out == list(values[: len(out)]) else []

"""Requests about families of games, the answers of single members, and answers for all members.

A request has the rules, which constants vary and how, and the range.  The JSON form of the answer
is described in the docs, *Work with a family of games*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any, Literal, TypeAlias

from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.families.proof.families import FamilyCounterexample, FamilyProof, is_member
from icgsynth.families.search.member_table import GameFamily
from icgsynth.families.text.proof_text import proof_value
from icgsynth.game.answers import SCHEMA, Verdict
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, walk
from icgsynth.logic.ranges import ranges
from icgsynth.process.worker import Worker
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.resolve import Named, constant_names, load_spec

# --- request -------------------------------------------------------------------------------------

_LOOKED_AT = 2_000  # members that are tried to find one that is a game


@dataclass(frozen=True)
class FamilyRequest:
    """A request for answers for ``values`` of constants, and then for all values.

    ``family`` has the rules, and an open range; ``where`` is the range that ``--for`` gives: the
    constants where its formula holds, none of which is below the first value of ``--over``.
    ``grid`` has the members in it, small constants first; ``example`` is one of them.  ``seconds``
    bound the work on the whole answer."""

    family: GameFamily
    values: Mapping[str, tuple[int, ...]]
    where: t.Formula | None
    seconds: float
    grid: Sequence[Mapping[str, int]]
    example: ParametricGame

    @property
    def range_(self) -> t.Formula:
        """The range to answer for: ``where``, or else all constants from their first values on."""
        return _from_first_on(self.values, t.TRUE) if self.where is None else self.where

    @property
    def fixed(self) -> dict[str, int]:
        """The constants that neither vary nor are computed from one that varies, by name."""
        given, varying = dict(self.family.overrides), set(self.values)
        for name, default in self.family.spec.constants:
            if name not in given and free_names(default) & varying:
                varying.add(name)
        return {name: k for name, k in self.example.constants if name not in varying}

    def within(self, where: t.Formula, rule: PlayRule) -> GameFamily:
        """Return the family of all members in the range ``where``, played under ``rule``."""
        return replace(self.family, range_=where, rule=rule)


def family_request(
    spec: str,
    values: Mapping[str, tuple[int, ...]],
    where: str | None,
    constants: Mapping[str, int],
    seconds: float,
) -> FamilyRequest:
    """Return the request for the family ``spec``: the members to look at, the range and limits.

    ``values`` has the values of each constant that varies, ``constants`` those that are fixed;
    ``where`` is a formula in the names of the constants that vary; ``seconds`` are for all members.
    :class:`~icgsynth.errors.InputError` where none of the members is a game, or in the range."""
    source = Named(spec).source
    if not constant_names(source):
        load_spec(source, {})  # what is wrong with the rules comes first
        mend = f"it is one game, and no family: icgsynth solve {spec} answers it"
        raise InputError(f"{spec} has no constant '{next(iter(values))}'", mend=mend)
    family = GameFamily(parse(source), tuple(values), t.TRUE, "normal", tuple(constants.items()))
    family.game  # noqa: B018 (it is an error to vary what is no constant)
    range_ = None if where is None else parse_formula(where, (), "--for", constants=family.free)
    grid = _grid(values, range_)
    if not grid:
        message = f"no member of --over is in the range '{(where or '')[:60]}'"
        raise InputError(message, mend="give --over some of its values")
    where_ = None if range_ is None else _from_first_on(values, range_)
    return FamilyRequest(family, values, where_, seconds, grid, _example(family, grid))


def _from_first_on(values: Mapping[str, tuple[int, ...]], range_: t.Formula) -> t.Formula:
    """Return ``range_`` and the bound ``name >= first value`` for each name in ``values``, where
    the range does not imply it."""
    known = ranges(range_, list(values), {})
    low = [name for name, (lo, _) in known.items() if lo is None or lo < values[name][0]]
    bounds = [t.compare(t.Name(name), ">=", values[name][0]) for name in low]
    return conjunction([*bounds, *([] if range_ == t.TRUE else [range_])])


def _grid(values: Mapping[str, tuple[int, ...]], range_: t.Formula | None) -> list[dict[str, int]]:
    # Small members first: they are labelled soonest, and wrong formulas fail there.
    rows = sorted(product(*values.values()), key=lambda row: (sum(map(abs, row)), row))
    members = [dict(zip(values, row, strict=True)) for row in rows]
    return [member for member in members if range_ is None or is_member(range_, member)]


def _example(family: GameFamily, grid: Sequence[Mapping[str, int]]) -> ParametricGame:
    first: InputError | None = None
    for member in islice(grid, _LOOKED_AT):
        try:
            return family.member(member)
        except InputError as error:
            first = first or error
    raise first or InputError("there is no member", mend="give --over other values")


# --- members -------------------------------------------------------------------------------------

_TO_PLAY = 0.15  # of the time, to play members out: a box takes some tenths of a second

MemberStatus: TypeAlias = Literal["solved", "conditional", "unknown", "endless", "invalid"]


@dataclass(frozen=True)
class FamilyMember:
    """The answer for one ``value`` of the constant; ``why`` says what keeps it from being solved.

    It is invalid where the rules cannot be read with that value."""

    value: int
    status: MemberStatus
    solution: Solution | None = None
    why: str = ""

    @property
    def losing(self) -> t.Formula | None:
        """The losing formula, if it and the end of play are proved; a strategy may be missing. None
        as well where the formula has an automaton."""
        solution = self.solution
        if solution is None or solution.losing is None or solution.explicit is None:
            return None
        proved = all(_holds(solution, part) for part in ("termination", "winning"))
        proved = proved and not solution.explicit.disagreements
        formula = solution.losing.formula
        return formula if proved and not _needs_automaton(formula) else None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the member's strategy that need no automaton."""
        strategy = () if self.solution is None else self.solution.strategy
        return tuple(rule for rule in strategy if isinstance(rule, Rule))

    @property
    def logic(self) -> str:
        """The numeration system whose digits the answer uses; "lia" for linear arithmetic."""
        return "lia" if self.solution is None else self.solution.logic

    def to_json(self) -> dict[str, Any]:
        """Return one entry of ``members`` in the JSON of a family's answer."""
        data: dict[str, Any] = {"n": self.value, "status": self.status}
        claim = None if self.solution is None else self.solution.losing
        data["losing"] = None if claim is None else str(claim.formula)
        if self.logic != "lia":
            data["logic"] = self.logic
        if self.why:
            data["why"] = self.why
        return data


def solve_members(
    request: FamilyRequest,
    values: Sequence[int],
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Progress = silent,
) -> dict[int, FamilyMember]:
    """Return the members whose one constant has the ``values``, solved under ``rule``, by value.
    ``worker`` solves each within ``seconds``, until its time is over but for a part, in which
    members are played out to see whether a conjecture may be told; ``progress`` hears of it."""
    found: dict[int, FamilyMember] = {}
    # Members that come last may find nothing left: they are unknown, and say so.
    spared = _TO_PLAY * request.seconds
    for over, value in product(request.values, values):
        progress(f"{over} = {value}: {len(found)} of {len(values)} members done")
        try:
            game = request.family.member({over: value})
        except InputError as error:
            found[value] = FamilyMember(value, "invalid", why=error.message)
        else:
            share = worker.until.within(min(seconds, worker.until.remaining() - spared))
            found[value] = _solve_member(value, game, rule, share, worker)
    return found


def _solve_member(
    value: int, game: ParametricGame, rule: PlayRule, share: Budget, worker: Worker
) -> FamilyMember:
    try:
        share.check()
        answer = worker.call(share.seconds, _solve, game, rule, share.seconds, share.whole)
    except (BudgetSpent, OutOfReach):
        return FamilyMember(value, "unknown", why="it was not solved in time")
    if isinstance(answer, str):
        return FamilyMember(value, "invalid", why=answer)
    why = ""
    if answer.status == "conditional":
        parts = [p for p in ("termination", "winning", "strategy") if not _holds(answer, p)]
        why = f"not proved: {', '.join(parts)}" if parts else "labels of a box disagree with it"
    elif answer.status == "unknown":
        why = answer.notes[0] if answer.notes else "no answer"
    elif answer.losing is not None and _needs_automaton(answer.losing.formula):
        why = f"an automaton in {answer.logic} tells the losing states, and no short formula"
    return FamilyMember(value, "endless" if answer.cycle else answer.status, answer, why)


def _needs_automaton(formula: t.Formula) -> bool:
    return any(isinstance(node, t.Recognised) for node in walk(formula))


def _holds(solution: Solution, part: str) -> bool:
    return solution.proof.get(part) is Verdict.PROVED


def _solve(game: ParametricGame, rule: PlayRule, seconds: float, whole: float) -> Solution | str:
    """Return the answer for ``game``, or a text on what is wrong with its rules; the worker calls
    it. ``seconds`` are a share of ``whole``, the seconds for all members."""
    from icgsynth.solve.search import solve

    try:
        return solve(game, rule, Budget(seconds, whole=whole))
    except InputError as error:
        return error.message


# --- answers -------------------------------------------------------------------------------------

FamilyStanding: TypeAlias = Literal["theorem", "conjecture", "refuted", "none"]


@dataclass(frozen=True)
class FamilyAnswer:
    """The answer to ``request``: a theorem, or the ``proof`` of a weaker claim, or nothing.

    A refuted claim is true for a part of the range, of which ``part`` is the proof.  A conjecture
    is ``proved_for`` these members one by one.  It was ``learned_from`` so many members.

    ``members`` were solved by themselves, by the value of the only constant that varies: the first
    ones, where a theorem is not about them, or all where nothing is found.  ``below`` are members
    with smaller constants than were asked for, with a state of each where the formula is wrong."""

    request: FamilyRequest
    rule: PlayRule
    proof: FamilyProof | None = None
    learned_from: int = 0
    part: FamilyProof | None = None
    proved_for: tuple[Mapping[str, int], ...] = ()
    members: Mapping[int, FamilyMember] = field(default_factory=dict)
    below: tuple[FamilyCounterexample, ...] = ()
    seconds: float = 0.0

    @property
    def status(self) -> FamilyStanding:
        """The standing for the whole range; "none" where there is not even a conjecture."""
        return "none" if self.proof is None else self.proof.status

    @property
    def exceptions(self) -> tuple[int, ...]:
        """The values of the one constant, among ``members``, that are not in the claim's range."""
        if self.proof is None:
            return ()
        where, (over, *_) = self.proof.claim.where, self.request.values
        return tuple(value for value in self.members if not is_member(where, {over: value}))

    def to_json(self) -> dict[str, Any]:
        """Return the answer as a JSON object: plain dicts, lists, strings and numbers."""
        request = self.request
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
        if self.part is not None:
            data["holds_for"] = str(self.part.claim.where)
        if self.status == "conjecture":
            data["proved_for"] = [dict(constants) for constants in self.proved_for]
        data["exceptions"] = list(self.exceptions)
        data["members"] = [member.to_json() for member in self.members.values()]
        data["learned_from"] = self.learned_from
        data["rules"] = str(request.family.spec)
        return data | {"seconds": {"total": round(self.seconds, 4)}}

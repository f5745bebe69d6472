"""What is asked of a family, its members, and what is known of each.

Asked are its rules, which constants vary and how, and for what range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any, Literal, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, walk
from icgsynth.logic.ranges import ranges
from icgsynth.process.worker import Worker
from icgsynth.prove.families import is_member
from icgsynth.spec.catalog import resolve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.load import constant_names, load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.families.member_table import GameFamily

# --- request -------------------------------------------------------------------------------------

_LOOKED_AT = 2_000  # members, to find one that is a game


@dataclass(frozen=True)
class FamilyRequest:
    """Answers are wanted for ``values`` of constants, and then for all.

    ``family`` has the rules, and an open range; ``where`` is the range that ``--for`` gives: the
    constants where its formula holds, none of which is below the first value of ``--over``.
    ``grid`` has the members in it, small constants first; ``example`` is one of them.  ``seconds``
    bound the work on one member.
    """

    family: GameFamily
    values: Mapping[str, tuple[int, ...]]
    where: t.Formula | None
    seconds: float
    grid: Sequence[Mapping[str, int]]
    example: ParametricGame

    @property
    def range_(self) -> t.Formula:
        """The range that is given, or from the first value of each constant on."""
        return _from_first_on(self.values, t.TRUE) if self.where is None else self.where

    @property
    def fixed(self) -> dict[str, int]:
        """The other constants, but for those that are computed from one that varies."""
        given, varying = dict(self.family.overrides), set(self.values)
        for name, default in self.family.spec.constants:
            if name not in given and free_names(default) & varying:
                varying.add(name)
        return {name: k for name, k in self.example.constants if name not in varying}

    def within(self, where: t.Formula, rule: PlayRule) -> GameFamily:
        """The members of the range ``where``."""
        return replace(self.family, range_=where, rule=rule)


def family_request(
    spec: str,
    values: Mapping[str, tuple[int, ...]],
    where: str | None,
    constants: Mapping[str, int],
    seconds: float,
) -> FamilyRequest:
    """``where`` is a formula in the names of the constants that vary.

    :class:`~icgsynth.errors.InputError` where none of the members is a game, or in the range.
    """
    source = Source.read(resolve(spec), spec)
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
    """``range_``, and each constant at least its first value, where that does not follow."""
    known = ranges(range_, list(values), {})
    low = [name for name, (lo, _) in known.items() if lo is None or lo < values[name][0]]
    bounds = [t.Compare((t.Name(name), t.Int(values[name][0])), (">=",)) for name in low]
    return conjunction([*bounds, *([] if range_ == t.TRUE else [range_])])


def _grid(values: Mapping[str, tuple[int, ...]], range_: t.Formula | None) -> list[dict[str, int]]:
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

MemberStatus: TypeAlias = Literal["solved", "conditional", "unknown", "endless", "invalid"]


@dataclass(frozen=True)
class FamilyMember:
    """The game for one ``value`` of the constant.

    ``game`` is None where the rules cannot be read with that value; ``why`` says what keeps a
    member from being solved.
    """

    value: int
    status: MemberStatus
    game: ParametricGame | None = None
    solution: Solution | None = None
    why: str = ""

    @property
    def losing(self) -> t.Formula | None:
        """The losing formula, where that it is right is proved; a strategy may be missing.

        None too where an automaton alone tells the losing states: it has no integers to fit.
        """
        solution = self.solution
        if solution is None or solution.losing is None or solution.explicit is None:
            return None
        proved = all(_holds(solution, part) for part in ("termination", "winning"))
        proved = proved and not solution.explicit.disagreements
        formula = solution.losing.formula
        return formula if proved and not _needs_automaton(formula) else None

    @property
    def logic(self) -> str:
        """ "lia", or the numeration system whose digits the answer speaks of."""
        return "lia" if self.solution is None else self.solution.logic

    def to_json(self) -> dict[str, Any]:
        """One entry of ``members``."""
        data: dict[str, Any] = {"n": self.value, "status": self.status}
        claim = None if self.solution is None else self.solution.losing
        data["losing"] = None if claim is None else str(claim.formula)
        if self.logic != "lia":
            data["logic"] = self.logic
        if self.why:
            data["why"] = self.why
        return data


def load_members(family: GameFamily, values: Sequence[int]) -> dict[int, FamilyMember]:
    """The members with the one free constant at each of ``values``, not solved yet.

    Raises :class:`~icgsynth.errors.InputError` where none of them is a game.
    """
    (over,) = family.free
    found: dict[int, FamilyMember] = {}
    first: InputError | None = None
    for value in values:
        try:
            game = family.member({over: value})
        except InputError as error:
            first = first or error
            found[value] = FamilyMember(value, "invalid", why=error.message)
        else:
            found[value] = FamilyMember(value, "unknown", game, why="not looked at")
    if first is not None and all(member.game is None for member in found.values()):
        raise first
    return found


def solve_members(
    members: Mapping[int, FamilyMember],
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[int, FamilyMember]:
    """Each member solved within ``seconds``; ``progress`` hears how many are done.

    Raises :class:`~icgsynth.errors.InputError` where none of them is a game.
    """
    found: dict[int, FamilyMember] = {}
    for value, member in members.items():
        progress(len(found))
        found[value] = member
        if member.game is not None:
            found[value] = _solved(member.value, member.game, rule, seconds, worker)
    if all(member.status == "invalid" for member in found.values()):
        first = next(iter(found.values()))
        raise InputError(first.why, mend="give --over other values")
    return found


def _solved(
    value: int, game: ParametricGame, rule: PlayRule, seconds: float, worker: Worker
) -> FamilyMember:
    try:
        answer = worker.call(seconds, _solve, game, rule, seconds)
    except BudgetSpent as spent:
        return FamilyMember(value, "unknown", game, why=str(spent))
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
    return FamilyMember(value, "endless" if answer.cycle else answer.status, game, answer, why)


def _needs_automaton(formula: t.Formula) -> bool:
    return any(isinstance(node, t.Recognised) for node in walk(formula))


def _holds(solution: Solution, part: str) -> bool:
    return solution.proof.get(part) is Verdict.PROVED


def _solve(game: ParametricGame, rule: PlayRule, seconds: float) -> Solution | str:
    """In the worker: the answer, or what is wrong with the rules."""
    from icgsynth.synth.search import solve

    try:
        return solve(game, rule, Budget(seconds))
    except InputError as error:
        return error.message

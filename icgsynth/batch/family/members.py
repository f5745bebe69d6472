"""The members of a family, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.process.worker import Worker
from icgsynth.synth.families.member_table import GameFamily

__all__ = ["FamilyMember", "MemberStatus", "load_members", "solve_members"]

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

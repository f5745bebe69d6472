"""What `family` finds; its JSON form is described in the docs, *Work with a family of games*."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from icgsynth.batch.family.conjecture import Case, Conjecture, Disagreement, settled_from
from icgsynth.batch.family.fitted_strategy import FittedStrategy
from icgsynth.batch.family.members import FamilyMember
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import rule_json
from icgsynth.logic.build import negation
from icgsynth.prove.families import FamilyProof
from icgsynth.prove.verdict_report import proof_value

FamilyStanding: TypeAlias = Literal["theorem", "conjecture", "refuted", "none"]


@dataclass(frozen=True)
class FamilyResult:
    """The members of one family under one rule, and the conjecture that says them all.

    ``nearest`` is the best conjecture found, whether it is one to speak of or not;
    ``strategies`` has an entry for each of its cases.  Of the members without a proved answer,
    ``settled`` ones are proved from the conjecture, and ``refuted`` ones refute it.  ``proof`` is
    for all members, and ``narrower``, if that is refuted, for some; ``is_narrowed`` where nobody
    asked for a range, so that this is the theorem.
    """

    over: str
    rule: PlayRule
    members: Mapping[int, FamilyMember]
    nearest: Conjecture | None
    strategies: tuple[FittedStrategy | None, ...] = ()
    settled: tuple[int, ...] = ()
    refuted: tuple[Disagreement, ...] = ()
    proof: FamilyProof | None = None
    narrower: FamilyProof | None = None
    also_proved: tuple[int, ...] = ()
    is_narrowed: bool = False
    seconds: float = 0.0

    @property
    def proved_members(self) -> tuple[int, ...]:
        """Members whose losing formula the search found and proved."""
        return tuple(k for k, member in self.members.items() if member.losing is not None)

    @property
    def unsolved(self) -> tuple[int, ...]:
        """Members without a proved answer of their own."""
        return tuple(k for k, member in self.members.items() if member.losing is None)

    @property
    def agreeing(self) -> tuple[int, ...]:
        return self.nearest.judgement.agreeing if self.nearest else ()

    @property
    def disagreeing(self) -> tuple[Disagreement, ...]:
        own = self.nearest.judgement.disagreeing if self.nearest else ()
        return tuple(sorted((*own, *self.refuted), key=lambda d: d.value))

    @property
    def undecided(self) -> tuple[int, ...]:
        """Proved members that could not be compared within the budget."""
        return self.nearest.judgement.undecided if self.nearest else ()

    @property
    def proved_for(self) -> tuple[int, ...]:
        """Members for which the conjecture is proved, one by one."""
        return tuple(sorted((*self.agreeing, *self.settled)))

    @property
    def start(self) -> int | None:
        """The member from which on the conjecture holds; None where there is none."""
        if self.undecided:
            return None
        return settled_from(self.proved_for, [d.value for d in self.disagreeing])

    @property
    def conjecture(self) -> Conjecture | None:
        """The conjecture, if every member that is proved agrees with it, a few first ones aside."""
        return self.nearest if self.start is not None else None

    @property
    def status(self) -> FamilyStanding:
        """What is known of the conjecture for all members; "none" where there is none."""
        if self.conjecture is None:
            return "none"
        if self.is_narrowed:
            return "theorem"
        return "conjecture" if self.proof is None else self.proof.status

    @property
    def constants(self) -> dict[str, int]:
        """The other constants, but for those that are computed from ``over``."""
        games = [m.game for m in self.members.values() if m.game is not None]
        shared = set.intersection(*[set(game.constants) for game in games])
        fixed = [(name, value) for name, value in games[0].constants if (name, value) in shared]
        return {name: value for name, value in fixed if name != self.over}

    def to_json(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers."""
        name = next(m.game.name for m in self.members.values() if m.game is not None)
        found = self.conjecture
        values = list(self.members)
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "family",
            "game": name,
            "constants": [self.over],
            "fixed": self.constants,
            "over": {self.over: [values[0], values[-1]]},
            "rule": self.rule,
            "status": self.status,
            "losing": {"formula": str(found.losing)} if found else None,
            "winning": {"formula": str(found.winning)} if found else None,
            "strategy": [],
            "checked_to": max(self.proved_for) if found else None,
            "from": self.start,
            "fitted_on": list(self.nearest.fitted_on) if self.nearest else [],
            "proved_members": list(self.proved_members),
            "agreeing": list(self.agreeing),
            "disagreeing": [_disagreement(d) for d in self.disagreeing],
            "exceptions": [d.value for d in self.disagreeing] if found else [],
            "undecided": list(self.undecided),
            "unsolved": list(self.unsolved),
            "settled": list(self.settled),
        }
        if found is None:
            data["nearest"] = str(self.nearest.losing) if self.nearest else None
        elif len(found.cases) > 1:
            data["cases"] = [
                {"when": case.when(self.over)} | self._answer(case, strategy)
                for case, strategy in zip(found.cases, self.strategies, strict=True)
            ]
        elif self.strategies and self.strategies[0]:
            data |= _strategy(self.strategies[0])
        proof = self.narrower if self.is_narrowed else self.proof
        if proof is not None:
            data |= proof_value(proof)
        if self.narrower is not None and not self.is_narrowed:
            data["holds_for"] = str(self.narrower.claim.where)
        if self.status == "refuted":
            data["proved_for"] = [*self.proved_for, *self.also_proved]
        data["members"] = [member.to_json() for member in self.members.values()]
        data["seconds"] = round(self.seconds, 4)
        return data

    def _answer(self, case: Case, strategy: FittedStrategy | None) -> dict[str, Any]:
        answer = {"losing": str(case.losing), "winning": str(negation(case.losing))}
        return answer | (_strategy(strategy) if strategy else {})


def _strategy(strategy: FittedStrategy) -> dict[str, Any]:
    return {
        "strategy": [rule_json(rule) for rule in strategy.rules],
        "strategy_fitted_on": list(strategy.fitted_on),
        "strategy_proved_for": list(strategy.certified),
    }


def _disagreement(found: Disagreement) -> dict[str, Any]:
    state = None if found.state is None else dict(found.state)
    return {"n": found.value, "state": state}

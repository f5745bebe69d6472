"""What `family` finds; its JSON form is described in the docs, *Work with a family of games*."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from icgsynth.batch.family.members import FamilyMember, FamilyRequest
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import PlayRule
from icgsynth.prove.families import FamilyCounterexample, FamilyProof, is_member
from icgsynth.prove.verdict_report import proof_value

FamilyStanding: TypeAlias = Literal["theorem", "conjecture", "refuted", "none"]


@dataclass(frozen=True)
class FamilyAnswer:
    """What was found for ``request``: a theorem, or the ``proof`` of what is none, or nothing.

    A refuted claim is true for a part of the range, of which ``part`` is the proof.  A conjecture
    is ``proved_for`` these members one by one.  It was ``learned_from`` so many members.

    ``members`` were solved by themselves, by the value of the only constant that varies: the first
    ones, where a theorem is not about them, or all where nothing is found.  ``below`` are members
    with smaller constants than were asked for, with a state of each where the formula is wrong.
    """

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
        """What is known for the whole range; "none" where there is not even a conjecture."""
        return "none" if self.proof is None else self.proof.status

    @property
    def exceptions(self) -> tuple[int, ...]:
        """First members that the answer is not about."""
        if self.proof is None:
            return ()
        where, (over, *_) = self.proof.claim.where, self.request.values
        return tuple(value for value in self.members if not is_member(where, {over: value}))

    def to_json(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers."""
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
        return data | {"seconds": {"total": round(self.seconds, 4)}}

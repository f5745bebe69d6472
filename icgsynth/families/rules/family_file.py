"""Read and write answer files of kind "family", about all members; nothing is proved here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.game.answers import SCHEMA, Kind, Shown
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Status
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.icg_spec import Spec
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_file import RuleReader, inside
from icgsynth.spec.solution_parts import chosen_answer, rule_of
from icgsynth.spec.source import Source


@dataclass(frozen=True, repr=False)
class FamilyFile(Shown):
    """The claim of a file about a family, the values of the other constants, and its status.

    ``rules`` are those of the whole family; ``exceptions`` are members that it is not about."""

    kind: ClassVar[Kind] = "family"
    claim: FamilyClaim
    fixed: Mapping[str, int]
    status: str
    rules: Spec
    exceptions: tuple[int, ...] = ()

    @property
    def brief(self) -> str:
        return f"{self.game.name}, {self.claim.rule} play: {self.status}"

    @property
    def game(self) -> ParametricGame:
        """The one game of all members, whose first variables are the constants."""
        return self.claim.game

    @property
    def strategy(self) -> Strategy[Rule]:
        """The strategy for all members."""
        return Strategy(self.claim.strategy)

    @property
    def solution(self) -> Solution:
        """The claim as an answer for :attr:`game`, solved if the file calls it a theorem."""
        status: Status = "solved" if self.status == "theorem" else "conditional"
        return replace(self.claim.solution, status=status)

    def to_json(self) -> dict[str, Any]:
        """Return the answer as its JSON file has it; reading this gives the answer again."""
        claim = self.claim
        data: dict[str, Any] = {"schema": SCHEMA, "kind": "family", "game": self.rules.name}
        return data | {
            "constants": list(claim.constants),
            "fixed": dict(self.fixed),
            "rule": claim.rule,
            "status": self.status,
            "for": str(claim.where),
            "losing": {"formula": str(claim.losing)},
            "winning": {"formula": str(claim.solution.winning_formula)},
            "strategy": [rule.to_json() for rule in claim.strategy],
            "exceptions": list(self.exceptions),
            "rules": str(self.rules),
        }


def read_family(source: Source, spec: Spec, rule: PlayRule | None = None) -> FamilyFile:
    """Return the answer in the JSON file ``source`` for the family whose rules are ``spec``.
    ``rule`` chooses where the file has a list of two answers, one for each play rule.
    :class:`InputError` says which place of the file is wrong, and how."""
    entry = chosen_answer(read_json(source), rule, spec.name)
    names = tuple(name.string() for name in entry.need("constants", '["n"]').list())
    if not names or len(set(names)) < len(names):
        raise entry.need("constants", '["n"]').error("names of constants, each once", '["n"]')
    fixed = entry.by_name("fixed", Located.integer)
    if both := sorted(set(names) & fixed.keys()):
        raise entry.need("fixed", "{}").error(f"{both[0]} varies, and is fixed", "leave it out")
    losing = entry.get("losing")
    if losing is None or losing.value is None:
        raise entry.error("no formula of the losing states", "give a theorem or a conjecture")
    place = entry.need("for", f'"{names[0]} >= 1"')
    game = inside(place, lambda: spec.members(names, fixed))
    where = inside(place, lambda: parse_formula(place.string(), (), source.name, constants=names))
    reader = RuleReader(game, None, {})
    reader.constants = names
    formula = reader.formula(losing.need("formula", '"..."'))
    claim = FamilyClaim(
        game,
        names,
        where,
        rule_of(entry, rule),
        formula,
        entry.every("strategy", reader.rule),
        entry.find("winning", lambda side: reader.formula(side.need("formula", '"..."')), None),
    )
    exceptions = tuple(place.integer() for place in entry.items("exceptions"))
    status = entry.find("status", Located.string, "")
    return FamilyFile(claim, fixed, status, spec, exceptions)

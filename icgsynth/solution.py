"""What `solve` finds: the winning formula, its cover, the strategy, and what is proved.

A :class:`Solution` is frozen and prints well; its JSON form is the contract with other
programs (docs, *The solution file*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any, Literal, TypeAlias

from icgsynth.game import ParametricGame, PlayRule, State
from icgsynth.strategy import Rule
from icgsynth.term import Formula, size

__all__ = ["SCHEMA", "BoxCheck", "Claim", "Exclusion", "Solution", "Status", "Verdict"]

SCHEMA = "icgsynth/solution/1"
Status: TypeAlias = Literal["solved", "conditional", "unknown"]

PARTS = ("closure", "ending", "termination", "winning", "strategy")


class Verdict(StrEnum):
    """How a claim stands."""

    PROVED = "proved"
    REFUTED = "refuted"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula for a set of states.

    ``minimal`` is true only if every smaller formula of the documented grammar, with
    integers and moduli up to ``constants_up_to``, is excluded.
    """

    formula: Formula
    minimal: bool = False
    constants_up_to: int = 0

    @property
    def size(self) -> int:
        return size(self.formula)


@dataclass(frozen=True, slots=True)
class BoxCheck:
    """The comparison with explicit backward induction: every coordinate within ``bound``."""

    bound: int
    states: int
    disagreements: int


@dataclass(frozen=True, slots=True)
class Exclusion:
    """No formula of at most ``size``, with constants up to ``constants_up_to``, fits the labels."""

    size: int
    constants_up_to: int


@dataclass(frozen=True)
class Solution:
    """The answer for one game under one rule; parts that are not known are None or empty."""

    game: ParametricGame
    rule: PlayRule
    status: Status
    winning: Claim | None = None
    losing: Claim | None = None
    cover: tuple[Formula, ...] = ()
    strategy: tuple[Rule, ...] = ()
    tree: tuple[Rule, ...] = ()
    proof: Mapping[str, Verdict] = field(default_factory=dict)
    explicit: BoxCheck | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    logic: str = "lia"
    excluded: Exclusion | None = None
    ranking: tuple[str, ...] = ()
    losing_states: tuple[State, ...] = ()
    cycle: tuple[State, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        return self.status == "solved"

    @property
    def is_still(self) -> bool:
        """Whether no action ever applies: then, and only then, a constant is a ranking."""
        return self.ranking == ("0",)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the rules say otherwise than their author may think."""
        said = {
            "closure": "some move would leave the legal states, and so does not apply",
            "ending": "the declared end is not exactly where no action applies",
        }
        return tuple(text for part, text in said.items() if self.proof.get(part) is Verdict.REFUTED)

    def to_json(self) -> dict[str, Any]:
        """The value of ``solution.json``, made of plain dicts, lists, strings and numbers."""
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "game": self.game.name,
            "constants": dict(self.game.constants),
            "variables": list(self.game.variables),
            "rule": self.rule,
            "status": self.status,
            "logic": self.logic,
            "winning": _claim(self.winning),
            "losing": _claim(self.losing),
            "cover": [str(cell) for cell in self.cover],
            "strategy": [rule_json(rule) for rule in self.strategy],
            "fft": [rule_json(rule) for rule in self.tree],
            "proof": {part: str(verdict) for part, verdict in self.proof.items()},
            "explicit": _box(self.explicit),
            "seconds": {part: round(s, 4) for part, s in self.seconds.items()},
            "ranking": list(self.ranking),
            "rules": str(self.game),
        }
        if self.excluded is not None:
            data["excluded"] = {
                "size": self.excluded.size,
                "constants_up_to": self.excluded.constants_up_to,
            }
        if self.losing_states:
            data["losing_states"] = [list(state) for state in self.losing_states]
        if self.cycle:
            data["cycle"] = [list(state) for state in self.cycle]
        if self.notes:
            data["notes"] = list(self.notes)
        return data

    # How a solution looks in a terminal and in a notebook is the exporters' business, which
    # stand above this module: they are looked up by name when they are asked for.

    def __str__(self) -> str:
        return _shown("report", self)

    def _repr_latex_(self) -> str:
        return _shown("latex", self)

    def _repr_svg_(self) -> str | None:
        return _shown("picture", self) or None


def _shown(exporter: str, solution: Solution) -> str:
    module = import_module(f"icgsynth.export.{exporter}")
    return str(getattr(module, exporter)(solution))


def rule_json(rule: Rule) -> dict[str, Any]:
    """One entry of ``strategy`` or ``fft``."""
    arguments = {name: str(term) for name, term in rule.act.arguments}
    return {"when": str(rule.when), "action": rule.act.action, "args": arguments}


def _claim(claim: Claim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    return {
        "formula": str(claim.formula),
        "size": claim.size,
        "minimal": claim.minimal,
        "constants_up_to": claim.constants_up_to,
    }


def _box(check: BoxCheck | None) -> dict[str, int] | None:
    if check is None:
        return None
    return {
        "bound": check.bound,
        "states": check.states,
        "disagreements": check.disagreements,
    }

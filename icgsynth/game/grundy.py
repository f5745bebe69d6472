"""The Grundy function of a game, found and proved, or how far that came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.errors import Refused
from icgsynth.game import value_forms as forms
from icgsynth.game.answers import SCHEMA, BoxCheck, Kind, Verdict
from icgsynth.game.beside_heap import aiming
from icgsynth.game.game import GivenState, Move, ParametricGame, State
from icgsynth.game.shown import Shown
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.game.value_periods import Period, periods
from icgsynth.logic import term as t


@dataclass(frozen=True, repr=False)
class GrundyAnswer(Shown):
    """The Grundy function under normal play, ``value``; None where none is known.

    The tracks of an automaton are the variables of the game and, last, the value.  ``proof`` says
    how three claims stand: "termination", play ends; "keeps", no move keeps the value; "reaches",
    some move reaches each smaller value.  The ``strategy`` says which: rules that speak of
    the value to reach as :attr:`target`.  It is empty where none was found; then such a move has to
    be looked for state by state.
    """

    kind: ClassVar[Kind] = "value"
    game: ParametricGame
    status: Literal["solved", "unknown"]
    value: forms.Value | None = None
    strategy: Strategy[Rule | TargetRule] = field(default_factory=Strategy)
    proof: Mapping[str, Verdict] = field(default_factory=dict)
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explicit: BoxCheck | None = None
    ranking: tuple[t.Term, ...] = ()
    cycle: tuple[State, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    known: Mapping[State, int] = field(default_factory=dict, repr=False)

    @property
    def brief(self) -> str:
        term = f"; value: {self.term}" if self.term is not None else ""
        return f"{self.game.name}: {self.status}{term if len(term) < 80 else ''}"

    @property
    def is_proved(self) -> bool:
        return self.status == "solved"

    @property
    def term(self) -> t.Term | None:
        """The function where it is a term over the variables."""
        return self.value if self.value is not None and forms.is_term(self.value) else None

    @property
    def periods(self) -> tuple[Period, ...]:
        """Return the periods of one variable, for each case of the others; none if it has none."""
        return periods(self.term, self.game)

    @property
    def automaton(self) -> Automaton | None:
        """The function where it is told by an automaton, whose last track is the value."""
        return self.value if isinstance(self.value, Automaton) else None

    @property
    def logic(self) -> str:
        """ "lia", or the name of the numeration system that the function speaks of."""
        return forms.value_logic(self.value)

    @property
    def target(self) -> str:
        """The name of the value to reach: ``w``, where the game does not use it."""
        return aiming(self.game).variables[-1]

    def mover(self, state: State, target: int) -> Move | None:
        """The move of the strategy from ``state`` to a state of the value ``target``."""
        found = self.strategy.choose(aiming(self.game), (*state, target))
        return None if found is None else found.move

    def __call__(self, state: GivenState) -> int:
        """The proved value of a legal state; Refused where none is, InputError for no such state.

        A function says something of other states as well, which is no value.
        """
        here = self.game.legal_state(state)
        if (number := self.known.get(here)) is not None:
            return number
        if not self.is_proved or self.value is None:
            raise Refused(f"no Grundy function of {self.game.name} is proved")
        return forms.value_at(self.value, self.game.env(here))

    def known_at(self, state: State) -> int | None:
        """The proved value of a legal state; None where none is."""
        try:
            return self(state)
        except Refused:
            return None

    def __str__(self) -> str:
        return f"{self.game.name}: {forms.value_text(self.value)}"

    def to_json(self) -> dict[str, Any]:
        """The value of its file: plain dicts, lists, strings and numbers."""
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "value",
            "game": self.game.name,
            "constants": dict(self.game.constants),
            "variables": list(self.game.variables),
            "rule": "normal",
            "status": self.status,
            "logic": self.logic,
            "value": None if self.value is None else forms.value_json(self.value),
            "strategy": [_rule_json(rule, self.target) for rule in self.strategy],
            "proof": {part: str(verdict) for part, verdict in self.proof.items()},
            "confirmed": {part: list(by) for part, by in self.confirmed.items()},
            "explicit": None if self.explicit is None else self.explicit.to_json(),
            "seconds": {part: round(s, 4) for part, s in self.seconds.items()},
            "ranking": [str(component) for component in self.ranking],
            "rules": str(self.game),
        }
        if isinstance(self.value, Automaton | forms.ExponentValue):
            data["numeration"] = numeration(self.logic).to_json()
        if self.periods and not self.periods[0].given:
            data |= self.periods[0].to_json()
        elif self.periods:
            data["periods"] = [period.to_json() for period in self.periods]
        if self.cycle:
            data["cycle"] = [list(state) for state in self.cycle]
        if self.notes:
            data["notes"] = list(self.notes)
        return data


def _rule_json(rule: Rule | TargetRule, target: str) -> dict[str, Any]:
    data = rule.to_json()
    if "args" in data:
        data["arguments"] = data.pop("args")
    return {**data, "target": target}

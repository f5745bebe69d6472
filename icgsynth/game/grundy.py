"""The Grundy function of a game, found and proved, or how far that came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import Refused
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.solution import BoxCheck, Verdict, box_json, numeration_json
from icgsynth.logic.evaluate import value
from icgsynth.logic.term import Digital, Term, walk

__all__ = ["GrundyAnswer"]


@dataclass(frozen=True)
class GrundyAnswer:
    """The Grundy function under normal play: ``term``, or else ``automaton``; or neither is known.

    The tracks of the automaton are the variables of the game and, last, the value.  ``proof`` says
    how three claims stand: "termination", play ends; "keeps", no move keeps the value; "reaches",
    some move reaches each smaller value.
    """

    game: ParametricGame
    status: Literal["solved", "unknown"]
    term: Term | None = None
    automaton: Automaton | None = None
    proof: Mapping[str, Verdict] = field(default_factory=dict)
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explicit: BoxCheck | None = None
    ranking: tuple[Term, ...] = ()
    cycle: tuple[State, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        return self.status == "solved"

    @property
    def logic(self) -> str:
        """ "lia", or the name of the numeration system that the function speaks of."""
        if self.automaton is not None:
            return str(self.automaton.system)
        nodes = () if self.term is None else walk(self.term)
        return next((str(n.system) for n in nodes if isinstance(n, Digital)), "lia")

    def at(self, state: State) -> int:
        """The proved value of a legal state; Refused where no function is proved."""
        env = self.game.env(state)
        if self.is_proved and self.term is not None:
            return value(self.term, env)
        if self.is_proved and self.automaton is not None:
            found = self.automaton.complete(env)
            if found is not None:
                return found[self.automaton.tracks[-1]]
        raise Refused(f"no Grundy function of {self.game.name} is proved")

    def __str__(self) -> str:
        if self.term is not None:
            return f"{self.game.name}: {self.term}"
        states = "" if self.automaton is None else f"an automaton of {len(self.automaton)} states"
        return f"{self.game.name}: {states or 'unknown'}"

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
            "value": self._told(),
            "strategy": [],
            "proof": {part: str(verdict) for part, verdict in self.proof.items()},
            "confirmed": {part: list(by) for part, by in self.confirmed.items()},
            "explicit": box_json(self.explicit),
            "seconds": {part: round(s, 4) for part, s in self.seconds.items()},
            "ranking": [str(component) for component in self.ranking],
            "rules": str(self.game),
        }
        if self.automaton is not None:
            data["numeration"] = numeration_json(self.automaton.system)
        if self.cycle:
            data["cycle"] = [list(state) for state in self.cycle]
        if self.notes:
            data["notes"] = list(self.notes)
        return data

    def _told(self) -> dict[str, Any] | None:
        if self.term is not None:
            return {"term": str(self.term)}
        return None if self.automaton is None else {"automaton": self.automaton.to_json()}

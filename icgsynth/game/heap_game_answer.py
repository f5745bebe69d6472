"""What is claimed of the values of a game of heaps by rules, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from icgsynth.digits.automaton import Automaton
from icgsynth.game.answers import SCHEMA, Kind
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer, Repeating, Values
from icgsynth.game.strategy import Strategy
from icgsynth.game.value_forms import value_at, value_json, value_logic
from icgsynth.logic import term as t

__all__ = ["GamePeriod", "HeapGameAnswer"]


@dataclass(frozen=True)
class GamePeriod(Repeating):
    """The claim that G(n + period) = G(n) + saltus for all n >= preperiod, of a game by rules.

    Where n is not legal, G(n) means nothing, and 0 stands in ``values``.
    """

    game: HeapGame
    preperiod: int
    period: int
    values: Values
    saltus: int = 0


@dataclass(frozen=True)
class HeapGameAnswer:
    """What is known of the values of a game by rules.

    ``by_code``: the answer for the code that the game was shown to have.  Otherwise ``values`` are
    the first ones, and ``period`` is proved by those in ``by``; or there is none, and ``saltus`` =
    (m, p, s) is what is seen, from heap m on G(n + p) = G(n) + s.  Or ``function`` is proved to be
    the value, as that of a :class:`~icgsynth.game.grundy.GrundyAnswer` is.  ``falls`` says why play
    ends.
    """

    kind: ClassVar[Kind] = "value"
    game: HeapGame
    values: Values = field(default_factory=lambda: np.zeros(0, np.int64))
    period: GamePeriod | None = None
    by: tuple[str, ...] = ()
    by_code: HeapAnswer | None = None
    saltus: tuple[int, int, int] | None = None
    function: t.Term | Automaton | None = None
    falls: str = ""
    why: str = ""
    seconds: float = 0.0

    @property
    def is_proved(self) -> bool:
        """Whether the values of all heaps are."""
        if self.by_code is not None:
            return self.by_code.is_periodic
        return self.period is not None or self.function is not None

    @property
    def strategy(self) -> Strategy[Any]:
        """None: a move is looked for among the options of a heap."""
        return Strategy()

    @property
    def of_one_heap(self) -> GrundyAnswer:
        """The proved function, as that of a game whose states are single heaps, without moves."""
        game = replace(self.game.one_heap, actions=())
        return GrundyAnswer(game, "solved", self.function, confirmed={"keeps": self.by})

    def first(self, count: int) -> list[int]:
        """G(0) to G(count - 1), or as many of these as are known."""
        known = self.values if self.period is None else self.period.unrolled(count)
        return [int(value) for value in known[:count]]

    def value(self, *heap: int) -> int | None:
        """The value of a legal heap where it is proved, else None."""
        if self.by_code is not None:
            return self.by_code.value(*heap)
        if self.function is not None:
            return value_at(self.function, dict(zip(self.game.variables, heap, strict=True)))
        return None if self.period is None else self.period.value(*heap)

    def to_json(self) -> dict[str, Any]:
        """The value of its file."""
        named = {"game": self.game.name, "constants": dict(self.game.constants)}
        if self.by_code is not None:
            return self.by_code.to_json() | named | {"rules": str(self.game)}
        shown: dict[str, Any] = {"schema": SCHEMA, "kind": "value"} | named
        period = self.period
        shown |= {
            "variables": list(self.game.variables),
            "rules": str(self.game),
            "status": "solved" if self.is_proved else "unknown",
            "preperiod": None if period is None else period.preperiod,
            "period": None if period is None else period.period,
            "saltus": None if period is None else period.saltus,
            "values": (self.values if period is None else period.values).tolist(),
            "proved": self.is_proved,
            "checked_to": len(self.values),
        }
        if self.function is not None:
            shown |= {"logic": value_logic(self.function), "value": value_json(self.function)}
        if self.is_proved:
            shown["confirmed"] = {"values": list(self.by)}
        else:
            shown["why"] = self.why
        return shown | {"seconds": {"total": round(self.seconds, 3)}}

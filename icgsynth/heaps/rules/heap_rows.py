"""Rows of heaps under one code, played move by move, with heaps of any number of digits.

Also claims and answers about the values of a game of heaps by rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import IllegalMove, Refused
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import GivenState, Move, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.value_forms import WindowValue, value_at, value_json, value_logic
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import (
    NO_HEAP,
    HeapAnswer,
    HeapCode,
    OfHeaps,
    Repeating,
    Values,
    heap_row,
)
from icgsynth.logic import term as t
from icgsynth.logic.nodes import ShownByName

# --- heap rows -----------------------------------------------------------------------------------

_MAX_DIGITS = 1_000  # digits of a heap's size that is read, as spec.source.MAX_DIGITS
_HOW = "write a move such as: take 1 leave 4,6; or take 2; or split 4,8"


class HeapMove(NamedTuple):
    """A move that takes ``take`` from a heap and leaves the heaps ``left``, largest first."""

    take: int
    left: tuple[int, ...]

    @property
    def heap(self) -> int:
        """The size of the heap that the move is made in: what is taken and what is left."""
        return self.take + sum(self.left)

    def __str__(self) -> str:
        left = ",".join(map(str, self.left))
        if not self.take:
            return f"split {left}"
        return f"take {self.take}" + (f" leave {left}" if left else "")

    @property
    def move(self) -> Move:
        """This move as a :class:`Move` without arguments, whose name is ``take 1 leave 4,6``,
        say."""
        return Move(str(self))

    @staticmethod
    def read(text: str) -> HeapMove:
        """Return the move in ``take 1 leave 4,6``, ``take 2`` or ``split 4,8``; or IllegalMove."""
        verb, *words = re.sub(r"[,()]", " ", text).split() or [""]
        if verb == "split":
            words.insert(0, "0")
        if words[1:2] in (["leave"], ["into"]):
            del words[1]
        if verb not in ("take", "split") or not words or not all(map(_is_number, words)):
            raise IllegalMove(_HOW)
        take, *left = map(int, words)
        return HeapMove(take, tuple(sorted(left, reverse=True)))


@dataclass(frozen=True, repr=False)
class HeapRows(ShownByName):
    """The game of ``code``: a state is a row of heaps, and a move is made in one of them."""

    code: HeapCode

    @property
    def name(self) -> str:
        return self.code.name

    def legal_state(self, given: GivenState) -> State:
        """Return ``given`` as the tuple of the heaps' sizes; :class:`InputError` if it is no
        row."""
        return heap_row(self.name, given)

    def is_legal(self, state: State) -> bool:
        return min(state, default=0) >= 0

    def allows(self, option: HeapMove) -> bool:
        """Return whether the code allows ``option`` in a heap of the size ``option.heap``."""
        code, heaps = self.code, len(option.left)
        if not 0 <= option.take <= code.most_taken or min(option.left, default=1) < 1:
            return False
        if heaps == 2 and option.take in code.unequal and option.left[0] == option.left[1]:
            return False
        return bool(code.digits[option.take] >> heaps & 1)

    def why_not(self, state: State, option: HeapMove) -> str:
        """Return why the move ``option`` is not legal in the row ``state``; "" where it is."""
        if option.heap not in state:
            mend = "" if option.left else ": say what is left, as in take 1 leave 11"
            return f"there is no heap of {option.heap}{mend}"
        return "" if self.allows(option) else f"{self.name} has no move '{option}'"

    def applies(self, state: State, move: Move) -> bool:
        try:
            option = HeapMove.read(str(move))
        except IllegalMove:
            return False
        return not self.why_not(state, option)

    def result(self, state: State, move: Move) -> State:
        option = HeapMove.read(str(move))
        if refusal := self.why_not(state, option):
            raise IllegalMove(refusal)
        at = state.index(option.heap)
        return (*state[:at], *option.left, *state[at + 1 :])

    def moves(self, state: State) -> Iterator[Move]:
        """Yield every legal move from the row ``state``; only for small heaps, which have few."""
        for heap in sorted({*state}, reverse=True):
            for take in range(min(heap, self.code.most_taken) + 1):
                for heaps in range(4):
                    for left in _partitions(heap - take, heaps, heap):
                        if self.allows(option := HeapMove(take, left)):
                            yield option.move

    def some_move(self, state: State) -> Move | None:
        """Return a legal move from the row ``state`` that takes little; None where there is no
        move.

        For each number to take and each number of heaps to leave, the heaps 1, .., 1 and the rest
        are tried; where they must be unequal, two heaps that are 1 and 1 could not be others.
        """
        for heap in sorted(state, reverse=True):
            for take in range(min(heap, self.code.most_taken) + 1):
                for heaps in (1, 2, 3, 0):
                    # All but one of the heaps left are 1, so that `rest` is what the last one has.
                    rest = heap - take - max(0, heaps - 1)
                    if rest < (heaps > 0) or (heaps == 0 and rest):
                        continue
                    left = (rest,) + (1,) * (heaps - 1) if heaps else ()
                    if self.allows(option := HeapMove(take, left)):
                        return option.move
        return None

    def show(self, state: State) -> str:
        """Return the row ``state`` as text: ``heap 12``, ``heaps 12, 5`` or ``no heap``."""
        if not state:
            return "no heap"
        return f"heap{'s' * (len(state) > 1)} {', '.join(map(str, state))}"


def _partitions(size: int, heaps: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield each way to write ``size`` as ``heaps`` descending parts from 1 to ``largest``."""
    if heaps < 2:
        if size <= largest and (size > 0) == (heaps == 1):
            yield (size,) * heaps
        return
    # Each of the other heaps keeps at least 1, and none is larger than the one before it: so each
    # partition comes once.
    for first in range(min(largest, size - heaps + 1), 0, -1):
        for rest in _partitions(size - first, heaps - 1, first):
            yield (first, *rest)


def _is_number(word: str) -> bool:
    return len(word) <= _MAX_DIGITS and word.isascii() and word.isdigit()


# --- heap game answer ----------------------------------------------------------------------------


@dataclass(frozen=True)
class GamePeriod(Repeating):
    """The claim that G(n + period) = G(n) + saltus for all n >= preperiod, of a game by rules.

    For these n + period is a legal heap exactly if n is.  What is no legal heap has no value, and
    :data:`~icgsynth.heaps.rules.heaps.NO_HEAP` stands for it in ``values``.
    """

    game: HeapGame
    preperiod: int
    period: int
    values: Values
    saltus: int = 0


@dataclass(frozen=True)
class HeapGameAnswer(OfHeaps):
    """The answer to the search for the Grundy values of a game of heaps by rules.

    ``by_code``: the answer for the code that the game was shown to have.  Otherwise ``values`` are
    the first ones, and ``period`` is proved by those in ``by``; or there is none, and ``saltus`` =
    (m, p, s) is what is seen, from heap m on G(n + p) = G(n) + s.  Or ``function`` is proved to be
    the value, as that of a :class:`~icgsynth.game.grundy.GrundyAnswer` is; with ``periods`` it says
    how the heaps repeat for each choice of the variables that take a few values.  ``known`` are
    heaps of several variables with their values by definition.  ``falls`` says why play ends.
    """

    game: HeapGame
    values: Values = field(default_factory=lambda: np.zeros(0, np.int64))
    period: GamePeriod | None = None
    by: tuple[str, ...] = ()
    by_code: HeapAnswer | None = None
    saltus: tuple[int, int, int] | None = None
    function: t.Term | Automaton | WindowValue | None = None
    known: Mapping[State, int] = field(default_factory=dict)
    periods: Mapping[tuple[tuple[str, int], ...], GamePeriod] = field(default_factory=dict)
    falls: str = ""
    why: str = ""
    seconds: float = 0.0

    @property
    def is_proved(self) -> bool:
        """Whether the values of all heaps are proved."""
        if self.by_code is not None:
            return self.by_code.is_periodic
        return self.period is not None or self.function is not None

    @property
    def of_one_heap(self) -> GrundyAnswer:
        """The proved value function as the answer on the game of a single heap, without its
        moves."""
        game = replace(self.game.one_heap, actions=())
        return GrundyAnswer(game, "solved", self.function, confirmed={"keeps": self.by})

    def first(self, count: int) -> list[int]:
        """Return the values G(0) to G(count - 1), as far as known; NO_HEAP for illegal heaps."""
        known = self.values if self.period is None else self.period.first_values(count)
        return [int(value) for value in known[:count]]

    def __call__(self, state: GivenState) -> int:
        """Return the Grundy value of a heap; Refused if unproved, InputError if illegal."""
        value = self.known_at(*self.game.one_heap.legal_state(state))
        if value is None:
            raise Refused(f"the value of {state!r} in {self.game.name} is not proved: {self.why}")
        return value

    def known_at(self, *heap: int) -> int | None:
        """Return the Grundy value of the heap with these numbers, one for each variable; None if it
        is not proved, InputError if it is no legal heap."""
        self.game.one_heap.legal_state(heap)
        if self.by_code is not None:
            return self.by_code.known_at(*heap)
        if self.function is not None:
            return value_at(self.function, dict(zip(self.game.variables, heap, strict=True)))
        return None if self.period is None else self.period.value(*heap)

    def to_json(self) -> dict[str, Any]:
        """Return the dict that is written to the answer's JSON file."""
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
            "values": _list_values(self.values if period is None else period.values),
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


def _list_values(values: Values) -> list[int | None]:
    return [None if value == NO_HEAP else value for value in values.tolist()]

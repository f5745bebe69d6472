"""Games of heaps that split, by their codes, and what is claimed of their nim sequences.

A position is a row of heaps; a move takes from one heap and leaves it as a few smaller ones.  The
code ``d0.d1d2d3`` says which moves there are: where bit j of the digit d_k is set (the bits weigh
1, 2, 4 and 8), k may be taken from a heap so that exactly j heaps are left.  Octal digits leave at
most two heaps, hexadecimal ones three (Guy and Smith 1956).  The *nim sequence* G(0), G(1), ..
holds the value of each heap: the least natural number that no option of the heap has, and the
value of a row of heaps is the xor of their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import index, xor
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import InputError, Refused
from icgsynth.game.answers import SCHEMA, Kind, Shown
from icgsynth.game.game import GivenState, State
from icgsynth.logic.nodes import ShownByName

if TYPE_CHECKING:
    from icgsynth.game.strategy import Strategy

Values = NDArray[np.integer[Any]]

NO_HEAP = -1  # stands in a list of values where the number is no legal heap: no value is negative


@dataclass(frozen=True, slots=True, repr=False)
class HeapCode(ShownByName):
    """The code d0.d1d2.. of a game of heaps: ``digits`` are d_0, d_1, .., the last of them not 0.
    Two heaps left by taking a number in ``unequal`` must differ in size (Grundy's game, ``4u``)."""

    digits: tuple[int, ...]
    unequal: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """The code as people write it: ``0.77``, ``4.444``, ``4u``."""
        shown = [
            f"{digit:X}{'u' if place in self.unequal else ''}"
            for place, digit in enumerate(self.digits)
        ]
        return shown[0] + ("." + "".join(shown[1:]) if len(shown) > 1 else "")

    def taking(self, heaps: int) -> tuple[int, ...]:
        """Return the numbers that may be taken from a heap if exactly ``heaps`` heaps are left."""
        return tuple(k for k, digit in enumerate(self.digits) if digit >> heaps & 1)

    @property
    def most_taken(self) -> int:
        return len(self.digits) - 1

    @property
    def most_heaps(self) -> int:
        """The largest number of heaps that a move leaves."""
        return max(digit.bit_length() for digit in self.digits) - 1


@dataclass(frozen=True, slots=True)
class SparseMask:
    """A mask that calls a few heaps rare: a hint that saves time, and on which no proof rests.

    The *class* of a heap n is the parity of the bits of G(n) and ``bits``; with ``by_position``
    the parity of n is added.  It is chosen so that few heaps have the class that is rare.
    """

    bits: int = 0
    by_position: bool = False

    def __str__(self) -> str:
        return f"0x{self.bits:x}" + ("+pos" if self.by_position else "")


class Repeating:
    """A sequence G with G(n + period) = G(n) + saltus for all n >= preperiod. ``values`` are G(0),
    .., G(preperiod + period - 1), with :data:`NO_HEAP` for what is no heap."""

    preperiod: int
    period: int
    values: Values
    saltus: int

    @property
    def first_heap(self) -> int:
        """The size of the least legal heap: the first whose value is not :data:`NO_HEAP`."""
        return int(np.argmax(self.values != NO_HEAP))

    @property
    def law(self) -> str:
        """The law of the sequence as text, ``G(n + 12) = G(n)``; it holds for n >= preperiod."""
        return f"G(n + {self.period}) = G(n){f' + {self.saltus}' if self.saltus else ''}"

    def value(self, heap: int) -> int:
        """Return the Grundy value G(heap) that the law of the sequence gives a heap of any size."""
        periods, place = divmod(max(0, heap - self.preperiod), self.period)
        return int(self.values[min(heap, self.preperiod + place)]) + periods * self.saltus

    def exceptions(self) -> Values:
        """Return the array of the sizes n < preperiod whose G(n) is not what the periodic part,
        continued backwards, would give."""
        early, block = np.split(self.values, [self.preperiod])
        # The block is continued backwards to heap 0: rolled so that its first value stands at the
        # preperiod.
        fitting = np.resize(np.roll(block, self.preperiod), self.preperiod)
        if self.saltus:
            periods = (np.arange(self.preperiod) - self.preperiod) // self.period
            fitting = fitting + periods * self.saltus
        found: Values = np.flatnonzero((early != fitting) & (early != NO_HEAP))
        return found

    def first_values(self, count: int) -> Values:
        """Return the array of the Grundy values G(0), .., G(count - 1) that the law gives."""
        begin, block = np.split(self.values, [self.preperiod])
        more = max(0, count - len(begin))
        # Each further period adds the saltus once.
        risen = np.arange(more) // self.period * self.saltus
        return np.concatenate([begin, np.resize(block, more) + risen])[:count]


@dataclass(frozen=True, repr=False)
class NimPeriod(ShownByName, Repeating):
    """The claim that G(n + period) = G(n) + saltus for all n >= preperiod, of a code's game.
    ``values`` are G(0), .., G(preperiod + period - 1)."""

    code: HeapCode
    preperiod: int
    period: int
    values: Values
    mask: SparseMask = SparseMask()
    saltus: int = 0

    @property
    def name(self) -> str:
        """Return the name of the claim: the game, and how its values repeat."""
        return f"{self.code.name}: period {self.period} from {self.preperiod} on"

    @property
    def has_theorem(self) -> bool:
        """Whether a theorem says that the first :attr:`needed` values prove the claim."""
        return not self.saltus and not self.code.unequal

    @property
    def needed(self) -> int:
        """How many values, from G(0) on, prove the period.

        Let h be the most heaps that a move leaves, t the largest number taken, and m the larger
        of 1 and the preperiod.  If G repeats as claimed up to heap h (m + p) + t - 1, then it does
        for ever: the largest heap that a move leaves of a larger heap n + p is at least m + p, and
        p less of it are an option of n with the same value by induction; and the reverse.  For
        octal games this is the theorem of Guy and Smith (1956), with 2 m + 2 p + t values.
        """
        start = max(1, self.preperiod)
        heaps = max(1, self.code.most_heaps)
        return heaps * (start + self.period) + self.code.most_taken


@dataclass(frozen=True, slots=True)
class RareHeaps:
    """The number of heaps that are rare by ``mask``, and the last of them."""

    mask: SparseMask
    count: int
    last: int


class OfHeaps:
    """An answer about heaps, which has no rules of a strategy: moves are looked for as needed."""

    kind: ClassVar[Kind] = "value"
    formats: ClassVar[str] = "heaps"

    @property
    def strategy(self) -> Strategy[Any]:
        """The empty strategy, for moves are looked for among the options when they are needed."""
        from icgsynth.game.strategy import Strategy

        return Strategy()


@dataclass(frozen=True, repr=False)
class HeapAnswer(OfHeaps, Shown):
    """The answer to the search for a nim sequence and its period.

    ``values`` are G(0), G(1), .. as far as they were computed.  ``proved``: a replay from the
    rules alone has accepted the ``period``, or, where there is none, each of the ``values``; or
    those in ``by`` have proved the period, and ``checked_to`` values were replayed.
    ``saltus`` = (m, p, s) is seen and not proved: from heap m on G(n + p) = G(n) + s.  ``why``
    says what was in the way of a proof, and ``seconds`` is how long the search took.
    """

    code: HeapCode
    values: Values
    period: NimPeriod | None
    proved: bool
    rare: RareHeaps | None = None
    saltus: tuple[int, int, int] | None = None
    why: str = ""
    seconds: float = 0.0
    by: tuple[str, ...] = ()
    checked_to: int = 0

    @property
    def brief(self) -> str:
        return f"{self.code.name}: {'proved' if self.proved else 'unknown'}"

    @property
    def game(self) -> HeapCode:
        """The rules, which are a code."""
        return self.code

    @property
    def is_periodic(self) -> bool:
        """Whether a period is proved."""
        return self.proved and self.period is not None

    @property
    def largest(self) -> int:
        """The size of the first heap with the largest computed value."""
        return int(np.argmax(self.values))

    def first(self, count: int) -> list[int]:
        """Return the Grundy values G(0) to G(count - 1), or as many of these as are known."""
        known = self.values if self.period is None else self.period.first_values(count)
        return [int(value) for value in known[:count]]

    def __call__(self, state: GivenState) -> int:
        """Return the Grundy value of ``state``, a heap or a row; Refused if it is not proved."""
        row = heap_row(self.code.name, state)
        values = [value for value in map(self.known_at, row) if value is not None]
        if len(values) < len(row):
            raise Refused(f"the value of {state!r} in {self.code.name} is not proved: {self.why}")
        return reduce(xor, values, 0)

    def known_at(self, heap: int) -> int | None:
        """Return the Grundy value of a heap, None if it is not proved; InputError if negative."""
        if heap < 0:
            mend = "a heap is a natural number"
            raise InputError(f"{heap} is no heap of {self.code.name}", mend=mend)
        if not self.proved:
            return None
        if self.period is not None:
            return self.period.value(heap)
        return int(self.values[heap]) if heap < len(self.values) else None

    def to_json(self) -> dict[str, Any]:
        """Return the dict that is written to the answer's JSON file."""
        shown: dict[str, Any] = {"schema": SCHEMA, "kind": "value", "code": self.code.name}
        if self.is_periodic and (period := self.period) is not None:
            shown |= {
                "status": "solved",
                "preperiod": period.preperiod,
                "period": period.period,
                "saltus": period.saltus,
                "values": period.values.tolist(),
                "proved": True,
                "checked_to": self.checked_to,
                "mask": period.mask.bits,
                "mask_by_position": period.mask.by_position,
            }
            if self.by:
                shown["confirmed"] = {"values": list(self.by)}
            return shown | {"seconds": {"total": round(self.seconds, 3)}}
        shown |= {"status": "unknown", "preperiod": None, "period": None, "saltus": None}
        shown |= {"values": self.values.tolist(), "proved": False}
        shown |= {"checked_to": len(self.values), "why": self.why}
        if len(self.values):
            heap = self.largest
            shown["largest"] = {"heap": heap, "value": int(self.values[heap])}
        if self.rare is not None:
            shown["rare"] = {
                "count": self.rare.count,
                "last": self.rare.last,
                "mask": self.rare.mask.bits,
                "mask_by_position": self.rare.mask.by_position,
            }
        return shown | {"seconds": {"total": round(self.seconds, 3)}}


def heap_row(game: str, given: GivenState) -> State:
    """Return the tuple of the heaps' sizes in ``given``: ``12``, ``(12, 5)`` or ``{"heap": 12}``.
    :class:`~icgsynth.errors.InputError`, which names the ``game``, for anything else."""
    row: Iterable[Any] = given if isinstance(given, Iterable) else (given,)
    if isinstance(given, Mapping) and [*given] == ["heap"]:
        row = given.values()
    try:
        sizes = tuple(map(index, row))
        if min(sizes, default=0) >= 0:
            return sizes
    except TypeError:
        pass
    message = f"{given!r} is no row of heaps of {game}"
    raise InputError(message, mend='give their sizes, as 12, (12, 5) or {"heap": 12}')

"""Misère quotients of codes of heaps: claims, proofs and answers about rows of heaps.

Who cannot move wins.  Nim values alone do not decide rows; a finite commutative monoid may.
A :class:`MisereQuotient` gives each heap an *element* of the monoid, such that a row of heaps is
lost for the player to move exactly if the product of its elements is one of ``lost``, the
P-portion.  The smallest such monoid is the misère quotient of the game (Plambeck 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import xor
from typing import Any, TypeAlias

from icgsynth.errors import InputError, Refused
from icgsynth.game.answers import SCHEMA, Verdict
from icgsynth.game.game import GivenState, State
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer, HeapMove
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapCode, OfHeaps, heap_row
from icgsynth.heaps.rules.presentations import Presentation, presentation

Row: TypeAlias = tuple[int, ...]
TameRow: TypeAlias = tuple[State, ...]
_LOOKED_AT = 100_000  # moves of one heap that are tried


@dataclass(frozen=True)
class MisereQuotient:
    """The claim that a row of heaps is lost exactly if the product of its elements is in ``lost``.

    ``table[x][y]`` is the product of the elements x and y; the element 0 is the identity.
    ``heaps`` are the elements of heap 0, heap 1, ..  With a ``period`` p > 0 the claim is for rows
    of heaps of any size: ``heaps`` ends with heap n0 + p - 1, where n0 >= 1 is the preperiod, and
    heap n + p has the element of heap n for all n >= n0.  With ``period`` 0 the claim is for
    rows of the listed heaps alone.
    """

    code: HeapCode
    table: tuple[tuple[int, ...], ...]
    lost: frozenset[int]
    heaps: tuple[int, ...]
    period: int = 0

    @property
    def order(self) -> int:
        """The number of elements of the monoid."""
        return len(self.table)

    @property
    def preperiod(self) -> int:
        return len(self.heaps) - self.period

    @property
    def lost_heaps(self) -> tuple[int, ...]:
        """The listed heaps that the player to move loses when the heap is alone."""
        return tuple(heap for heap, element in enumerate(self.heaps) if element in self.lost)

    @property
    def needed(self) -> int:
        """How many heaps, from heap 0 on, a proof of the claim looks at."""
        if not self.period:
            return len(self.heaps)
        most = max(1, self.code.most_heaps)
        return most * (self.preperiod + self.period) + self.code.most_taken

    @property
    def presentation(self) -> Presentation:
        """The presentation of the monoid by generators and relations."""
        return presentation(self.table, self.heaps)

    def knows(self, heap: int) -> bool:
        """Return whether the claim covers rows that contain a heap of size ``heap``."""
        return self.period > 0 or heap < len(self.heaps)

    def element(self, heap: int) -> int:
        """Return the monoid element of a covered heap of size ``heap``; InputError if negative."""
        if heap < 0:
            mend = "a heap is a natural number"
            raise InputError(f"{heap} is no heap of {self.code.name}", mend=mend)
        if heap >= len(self.heaps):
            # The heap of the listed period with the same remainder.
            heap = self.preperiod + (heap - self.preperiod) % self.period
        return self.heaps[heap]

    def product(self, row: Iterable[int]) -> int:
        """Return the monoid element of ``row``: the product of its heaps' elements."""
        return reduce(lambda x, heap: self.table[x][self.element(heap)], row, 0)

    def is_lost(self, row: Iterable[int]) -> bool:
        """Return whether the player to move loses ``row``, if the claim is true."""
        return self.product(row) in self.lost

    def winning_move(self, row: Row) -> HeapMove | None:
        """Return a move from ``row`` to a row that the other player loses; None where there is
        none.

        Of two parts past the preperiod, p counters of the smaller one can go over to the larger one
        without a change of the product, so that only the largest part need be large.
        """
        # Equal heaps have the same moves, so each size is tried once.
        for heap in dict.fromkeys(row):
            at = row.index(heap)
            rest = self.product(row[:at] + row[at + 1 :])
            for move in heap_moves(self.code, heap, len(self.heaps)):
                if self.table[rest][self.product(move.left)] in self.lost:
                    return move
        return None


def heap_moves(code: HeapCode, heap: int, most: int) -> Iterator[HeapMove]:
    """Yield the moves of a heap of size ``heap``; all but the largest part are up to ``most``."""
    for k in range(min(heap, code.most_taken) + 1):
        digit, rest = code.digits[k], heap - k
        if digit & 1 and not rest:
            yield HeapMove(k, ())
        if digit & 2 and rest:
            yield HeapMove(k, (rest,))
        for a in range(1, min(rest // 2, most) + 1 if digit & 4 else 1):
            if rest != 2 * a or k not in code.unequal:
                yield HeapMove(k, (rest - a, a))
        for a in range(1, min(rest // 3, most) + 1 if digit & 8 else 1):
            for b in range(a, min((rest - a) // 2, most) + 1):
                yield HeapMove(k, (rest - a - b, b, a))


@dataclass(frozen=True, slots=True)
class MisereProof:
    """The verdict on a misère quotient, by ``pairs`` pairs of the ``heaps`` first heaps, and why.
    ``row``: a row of heaps at which the claim contradicts itself, if that is the reason."""

    verdict: Verdict
    why: str = ""
    pairs: int = 0
    heaps: int = 0
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class RowCheck:
    """How many rows were compared with plain play, by code that the proof does not use.

    ``whole``: all rows of up to ``size`` counters in all, played to the end.  ``single``: random
    rows of heaps up to ``largest``, of which the next moves were looked at.
    """

    whole: int
    size: int
    single: int
    largest: int
    disagreements: int


@dataclass(frozen=True)
class MisereAnswer(OfHeaps):
    """The answer on a code's game under misère play. ``quotient`` is proved if ``proof`` says so;
    without a period it is for the heaps it lists. ``why`` says what was in the way of a period."""

    code: HeapCode
    quotient: MisereQuotient | None
    proof: MisereProof
    check: RowCheck | None = None
    why: str = ""
    seconds: float = 0.0

    @property
    def game(self) -> HeapCode:
        """The rules, which are a code."""
        return self.code

    @property
    def is_proved(self) -> bool:
        return self.quotient is not None and self.proof.verdict is Verdict.PROVED

    @property
    def is_solved(self) -> bool:
        """Whether the quotient is proved for heaps of any size."""
        return self.is_proved and self.quotient is not None and self.quotient.period > 0

    def is_winning(self, state: GivenState) -> bool:
        """Return whether the player to move wins ``state``, a heap or row; Refused if unproved."""
        row = heap_row(self.code.name, state)
        if not self.is_proved or self.quotient is None or not all(map(self.quotient.knows, row)):
            raise Refused(f"who wins {state!r} in {self.code.name} is not proved: {self.why}")
        return not self.quotient.is_lost(row)

    def to_json(self) -> dict[str, Any]:
        """Return the dict that is written to the answer's JSON file."""
        shown: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "value",
            "code": self.code.name,
            "rule": "misere",
            "status": "solved" if self.is_solved else "unknown",
            "quotient": None,
        }
        if self.is_proved and (quotient := self.quotient) is not None:
            shown["quotient"] = {
                "order": quotient.order,
                "table": [list(row) for row in quotient.table],
                "P": sorted(quotient.lost),
                "phi": list(quotient.heaps),
                "lost_heaps": list(quotient.lost_heaps),
                "preperiod": quotient.preperiod if quotient.period else None,
                "period": quotient.period or None,
                "closure": self.proof.pairs,
                "checked_to": self.proof.heaps,
                "words": list(quotient.presentation.words),
            }
        shown["proved"] = self.is_proved
        if (check := self.check) is not None:
            shown["explicit"] = {
                "rows": check.whole,
                "up_to": check.size,
                "far": {"rows": check.single, "up_to": check.largest},
                "disagreements": check.disagreements,
            }
        if not self.is_solved:
            shown["why"] = self.why
        return shown | {"seconds": {"total": round(self.seconds, 3)}}


@dataclass(frozen=True)
class TameAnswer(OfHeaps):
    """The answer on rows of heaps by rules under misère play, where Grundy values decide.

    A row of ``fickle`` heaps alone, which have these values 0 and 1, is lost exactly where its
    value is 1, and any other row exactly where its value is 0, as under normal play; where all
    heaps have the value 0 or 1, they are ``all_fickle``.  Proved by the engines in ``by``, or
    ``why`` says what was in the way; refuted where play may never end.
    ``checked``: whether small rows are won, by play to the end.
    """

    values: HeapGameAnswer
    verdict: Verdict = Verdict.UNKNOWN
    fickle: Mapping[int, int] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    checked: Mapping[TameRow, bool] = field(default_factory=dict)
    why: str = ""
    seconds: float = 0.0
    all_fickle: bool = False

    @property
    def game(self) -> HeapGame:
        """The rules of the game of heaps."""
        return self.values.game

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    def is_winning(self, state: GivenState) -> bool:
        """Return whether the player to move wins ``state``, a heap or row; Refused if unproved."""
        if not self.is_proved:
            raise Refused(f"who wins {state!r} is not proved: {self.why}")
        if len(self.game.variables) > 1:
            return not self.is_lost((self.game.one_heap.legal_state(state),))
        return not self.is_lost(tuple((size,) for size in heap_row(self.game.name, state)))

    def value(self, row: TameRow) -> int:
        """Return the xor of the heaps' Grundy values in ``row``; an unproved one counts as 0."""
        return reduce(xor, (self.values.known_at(*heap) or 0 for heap in row), 0)

    def is_lost(self, row: TameRow) -> bool:
        """Return whether the player to move loses ``row`` in misère play, if the answer is true."""
        # True counts as 1: a row of fickle heaps alone is lost at the value 1, any other at 0.
        return self.value(row) == (self.all_fickle or all(heap[0] in self.fickle for heap in row))

    def winning_after(self, row: TameRow) -> TameRow | None:
        """Return the row after a winning move from ``row`` under misère play; None if there is none
        among the first 100,000 moves of each heap."""
        for place, heap in enumerate(row):
            for left in islice(self.values.game.options(heap), _LOOKED_AT):
                after = (*row[:place], *left, *row[place + 1 :])
                if self.is_lost(after):
                    return after
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the dict for the answer's JSON file, with the Grundy values and their proof."""
        game = self.values.game
        fickle = [[heap for heap, v in self.fickle.items() if v == of] for of in (0, 1)]
        shown: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "value",
            "game": game.name,
            "constants": dict(game.constants),
            "rule": "misere",
            "status": "solved" if self.is_proved else "unknown",
            "proved": self.is_proved,
            "fickle": "all" if self.all_fickle else fickle,
            "normal": self.values.to_json(),
            "rules": str(game),
        }
        shown |= {"confirmed": {"misere": list(self.by)}} if self.is_proved else {"why": self.why}
        return shown | {"seconds": {"total": round(self.seconds, 3)}}

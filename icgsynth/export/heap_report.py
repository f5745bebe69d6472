"""The nim sequence of a game of heaps for the terminal: what it is, and how it is proved."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import numpy as np

from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod

__all__ = ["heap_report", "moves_in_words"]

_WIDTH = 96
_MOST = 240  # values shown of a sequence
_HEAPS = 40  # exceptional heaps shown
_LEAVING = ("no heap", "one heap", "two heaps", "three heaps")


def heap_report(answer: HeapAnswer) -> str:
    """The report, ending in a newline."""
    name = answer.code.name
    lines = [*_wrapped(f"{name}: {moves_in_words(answer.code)}")]
    if answer.is_periodic and (period := answer.period) is not None:
        lines += [f"solved and proved in {answer.seconds:.2f} s", "", *_sequence(period), ""]
        lines += [*_facts(period), "", *_proof(period)]
    else:
        lines += [f"unknown after {answer.seconds:.2f} s: {answer.why}", "", *_unknown(answer)]
    return "\n".join(lines) + "\n"


def moves_in_words(code: HeapCode) -> str:
    """The moves of a code: "take 1 or 2 from a heap and leave no heap, one heap or two heaps"."""
    kinds: dict[tuple[int, bool], list[int]] = {}
    for k, digit in enumerate(code.digits):
        if digit:
            kinds.setdefault((digit, k in code.unequal), []).append(k)
    parts = []
    for (digit, unequal), taken in kinds.items():
        left = [_LEAVING[heaps] for heaps in range(4) if digit >> heaps & 1]
        if unequal:
            left = [words.replace("two heaps", "two unequal heaps") for words in left]
        if taken == [0]:
            parts.append(f"split a heap into {_either(left)}")
        else:
            parts.append(f"take {_either(map(str, taken))} from a heap and leave {_either(left)}")
    return "; or ".join(parts)


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _sequence(claim: NimPeriod) -> list[str]:
    """The values, the period in brackets; of a long sequence the first values."""
    shown = [str(value) for value in claim.values[:_MOST]]
    cut = len(claim.values) > _MOST
    if claim.preperiod < len(shown):
        shown[claim.preperiod] = "(" + shown[claim.preperiod]
    shown[-1] += " ..." if cut else ")"
    return ["G(0), G(1), ... =", *_wrapped(" ".join(shown), "  ")]


def _facts(claim: NimPeriod) -> list[str]:
    largest = int(np.argmax(claim.values))
    lines = [
        f"preperiod      {claim.preperiod:,}",
        f"period         {claim.period:,}",
        f"largest value  {int(claim.values[largest])}, first of heap {largest:,}",
    ]
    heaps = _exceptions(claim)
    if len(heaps):
        shown = " ".join(map(str, heaps[:_HEAPS])) + (" ..." if len(heaps) > _HEAPS else "")
        what = f"{len(heaps):,} heaps before the preperiod's end differ from the period: {shown}"
        lines += _wrapped(f"exceptions     {what}", "", " " * 15)
    return lines


def _exceptions(claim: NimPeriod) -> list[int]:
    """The heaps before the preperiod's end that do not have the value of the period."""
    early = np.arange(claim.preperiod)
    block = claim.values[claim.preperiod :]
    wrong = np.flatnonzero(claim.values[early] != block[(early - claim.preperiod) % claim.period])
    return [int(heap) for heap in wrong]


def _proof(claim: NimPeriod) -> list[str]:
    start, heaps, taken = max(1, claim.preperiod), claim.code.most_heaps, claim.code.most_taken
    heaps = max(1, heaps)
    total = f"{heaps} * ({start} + {claim.period}) + {taken} = {claim.needed:,}"
    theorem = (
        "the periodicity theorem of Guy and Smith, 1956"
        if heaps == 2
        else "as in the periodicity theorem of Guy and Smith, 1956"
    )
    text = (
        f"G(n + {claim.period}) = G(n) for all n >= {claim.preperiod}; no smaller period or "
        f"preperiod will do. A replay from the rules found each of the first {claim.needed:,} "
        f"values right, and {total} are enough ({theorem})."
    )
    return _wrapped(f"Proved: {text}", "", " " * 8)


def _unknown(answer: HeapAnswer) -> list[str]:
    values = answer.values
    if not len(values):
        return ["no value was computed"]
    shown = " ".join(map(str, values[:_MOST])) + (" ..." if len(values) > _MOST else "")
    lines = ["G(0), G(1), ... =", *_wrapped(shown, "  "), ""]
    lines.append(f"computed       {len(values):,} values")
    lines.append(f"largest value  {int(values[answer.largest])}, first of heap {answer.largest:,}")
    if (rare := answer.rare) is not None:
        words = f"{rare.count:,} heaps by the mask {rare.mask}, the last of them {rare.last:,}"
        lines.append(f"rare values    {words}")
    if answer.saltus is not None:
        start, step, rise = answer.saltus
        more = f" + {rise}" if rise else ""
        seen = f"G(n + {step}) = G(n){more} from n = {start} on, as far as was looked; not proved"
        lines.append(f"seen           {seen}")
    return lines


def _wrapped(text: str, indent: str = "", later: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if later is None else later,
        break_long_words=False,
    )

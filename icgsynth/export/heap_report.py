"""The nim sequence of a game of heaps for the terminal: what it is, and how it is proved."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import numpy as np

from icgsynth.game.heap_game_answer import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod, Repeating, Values
from icgsynth.game.solution import agreed

__all__ = ["heap_game_report", "heap_report", "moves_in_words"]

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
        lines += [*_facts(period), "", *_proof(answer, period)]
    else:
        lines += [f"unknown after {answer.seconds:.2f} s: {answer.why}", "", *_unknown(answer)]
    return "\n".join(lines) + "\n"


def heap_game_report(answer: HeapGameAnswer) -> str:
    """The report on a game by rules, ending in a newline."""
    game = answer.game
    lines = [*_wrapped(game.name + (f": {game.title}" if game.title else ""))]
    if answer.by_code is not None:
        how = "shown by automata, and by listing the moves of small heaps"
        lines += _wrapped(f"the game of the code {answer.by_code.code.name}, {how}")
        return "\n".join(lines) + "\n\n" + heap_report(answer.by_code)
    period = answer.period
    ends = f"Heaps are legal where {game.legal}, and play always ends: {answer.falls}."
    if answer.function is not None:
        lines += [f"solved and proved in {answer.seconds:.2f} s", "", *_function(answer), ""]
        text = (
            "no option of a heap has its value, and each smaller one is that of an option, "
            f"by {agreed(answer.by)}."
        )
        return "\n".join([*lines, *_wrapped(f"Proved: {text} {ends}", "", " " * 8)]) + "\n"
    if period is None:
        lines += [f"unknown after {answer.seconds:.2f} s: {answer.why}", ""]
        lines += _seen(answer.values, answer.saltus)
        return "\n".join(lines) + "\n"
    lines += [f"solved and proved in {answer.seconds:.2f} s", "", *_sequence(period), ""]
    lines += [*_facts(period), ""]
    text = f"Proved: {_repeats(period, answer.by)} {ends}"
    return "\n".join([*lines, *_wrapped(text, "", " " * 8)]) + "\n"


def _function(answer: HeapGameAnswer) -> Iterable[str]:
    from icgsynth.export.value_report import function_lines

    return function_lines(answer.of_one_heap)


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


def _sequence(claim: Repeating) -> list[str]:
    """The values, the period in brackets; of a long sequence the first values."""
    shown = [str(value) for value in claim.values[:_MOST]]
    cut = len(claim.values) > _MOST
    if claim.preperiod < len(shown):
        shown[claim.preperiod] = "(" + shown[claim.preperiod]
    shown[-1] += " ..." if cut else ")"
    if claim.saltus:
        shown.append(f"and so on, {claim.saltus} more with each period")
    return ["G(0), G(1), ... =", *_wrapped(" ".join(shown), "  ")]


def _facts(claim: Repeating) -> list[str]:
    largest = int(np.argmax(claim.values))
    lines = [f"preperiod      {claim.preperiod:,}", f"period         {claim.period:,}"]
    if claim.saltus:
        return [*lines, f"saltus         {claim.saltus:,}"]
    value = int(claim.values[largest])
    lines.append(f"largest value  {value}, first of heap {largest:,}")
    heaps = claim.exceptions()
    if len(heaps):
        shown = " ".join(map(str, heaps[:_HEAPS])) + (" ..." if len(heaps) > _HEAPS else "")
        what = f"{len(heaps):,} heaps before the preperiod's end differ from the period: {shown}"
        lines += _wrapped(f"exceptions     {what}", "", " " * 15)
    return lines


def _proof(answer: HeapAnswer, claim: NimPeriod) -> list[str]:
    if answer.by:
        checked = f"the first {answer.checked_to:,} values, by a replay from the rules."
        proved = _wrapped(f"Proved: {_repeats(claim, answer.by)}", "", " " * 8)
        return [*proved, f"Checked: {checked}"]
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


def _repeats(claim: Repeating, by: tuple[str, ...]) -> str:
    rise = f" + {claim.saltus}" if claim.saltus else ""
    return (
        f"G(n + {claim.period}) = G(n){rise} for all n >= {claim.preperiod}, by {agreed(by)}, from "
        "the definition alone; no smaller period or preperiod will do."
    )


def _unknown(answer: HeapAnswer) -> list[str]:
    rare = ""
    if answer.rare is not None:
        found = answer.rare
        rare = f"{found.count:,} heaps by the mask {found.mask}, the last of them {found.last:,}"
    return _seen(answer.values, answer.saltus, rare)


def _seen(values: Values, saltus: tuple[int, int, int] | None, rare: str = "") -> list[str]:
    if not len(values):
        return ["no value was computed"]
    shown = " ".join(map(str, values[:_MOST])) + (" ..." if len(values) > _MOST else "")
    lines = ["G(0), G(1), ... =", *_wrapped(shown, "  "), ""]
    largest = int(np.argmax(values))
    lines.append(f"computed       {len(values):,} values")
    lines.append(f"largest value  {int(values[largest])}, first of heap {largest:,}")
    if rare:
        lines.append(f"rare values    {rare}")
    if saltus is not None:
        start, step, rise = saltus
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

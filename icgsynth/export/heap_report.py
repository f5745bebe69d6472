"""The nim sequence or the misère quotient of a game of heaps: what it is, how it is proved."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from icgsynth.game.heap_rows import HeapGameAnswer, HeapMove
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod, Repeating, Values
from icgsynth.game.misere import MisereAnswer, MisereQuotient, Row
from icgsynth.game.presentations import Presentation
from icgsynth.game.solution import agreed

__all__ = [
    "heap_game_report",
    "heap_report",
    "misere_report",
    "moves_in_words",
    "row_json",
    "row_report",
]

# --- heap report ---------------------------------------------------------------------------------

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


# --- misere report -------------------------------------------------------------------------------

_RELATIONS = 60  # more are counted
_LOST = 120


def misere_report(answer: MisereAnswer) -> str:
    """The report, ending in a newline."""
    name = answer.code.name
    lines = _told(f"{name}: {moves_in_words(answer.code)}", "", 0)
    seconds = f"in {answer.seconds:.2f} s"
    if answer.is_solved:
        lines.append(f"misere play, solved and proved {seconds}")
    else:
        lines += _told(f"misere play, unknown {seconds}: {answer.why}", "", 2)
    if answer.is_proved and (quotient := answer.quotient) is not None:
        lines += ["", *_quotient(quotient), "", *_quotient_proof(answer, quotient)]
    return "\n".join(lines) + "\n"


def row_report(answer: MisereAnswer, row: Row) -> str:
    """Who wins a row of heaps under misere play, and by which move; ending in a newline."""
    found = row_json(answer, row)
    heaps = f"heap{'s' * (len(row) != 1)} {', '.join(map(str, row)) or 'none'}"
    lines = [f"  {answer.code.name}  {heaps}", ""]
    if not found["proved"]:
        lines += _told(f"unknown: {found['why']}", "", 2)
        return "\n".join(lines) + "\n"
    is_in, whom = ("in", "loses") if found["lost"] else ("not in", "wins")
    text = f"The product of their elements is {found['element']}, {is_in} P"
    lines.append(f"{text}: under misere play the player to move {whom}.")
    if option := found["move"]:
        lines.append(f"A winning move: {HeapMove(option['take'], tuple(option['leave']))}")
    elif not found["lost"]:
        lines.append("No move is left, or needed.")
    return "\n".join(lines) + "\n"


def row_json(answer: MisereAnswer, row: Row) -> dict[str, Any]:
    """The same as a JSON value."""
    quotient = answer.quotient
    found: dict[str, Any] = {"code": answer.code.name, "rule": "misere", "state": list(row)}
    if not answer.is_proved or quotient is None or not all(map(quotient.knows, row)):
        return found | {"proved": False, "why": answer.why}
    option = quotient.winning_move(row)
    return found | {
        "element": quotient.presentation.words[quotient.product(row)],
        "lost": quotient.is_lost(row),
        "proved": True,
        "move": None
        if option is None
        else {"heap": option.heap, "take": option.take, "leave": list(option.left)},
    }


def _quotient(quotient: MisereQuotient) -> Iterator[str]:
    said = quotient.presentation
    whose = "A row of heaps"
    if not quotient.period:
        whose += f" up to {len(quotient.heaps) - 1}"
    text = "is lost for the player to move exactly if the product of their elements is one of P."
    yield from _told(f"{whose} {text}", "", 0)
    yield ""
    letters = zip(said.generators, said.heaps, strict=True)
    text = ", ".join(f"{letter} = heap {heap}" for letter, heap in letters)
    yield from _told(f"{quotient.order:,} elements, generated by {text or 'none'}", "monoid     ")
    yield from _told(_relations(said), "relations  ")
    lost = [said.words[x] for x in sorted(quotient.lost)]
    text = " ".join(lost[:_LOST]) + (" ..." if len(lost) > _LOST else "")
    yield from _told(f"{len(lost):,} elements: {text}", "P          ")
    yield from ("", "heap 0, heap 1, ... =", *_told(_elements(quotient, said), "  "))
    if quotient.period:
        yield from ("", f"preperiod  {quotient.preperiod:,}", f"period     {quotient.period:,}")
        yield ""
        text = "To win, make a move after which the product of the heaps is one of P."
        yield from _told(text, "", 0)


def _relations(said: Presentation) -> str:
    shown = [f"{left} = {right}" for left, right in said.relations[:_RELATIONS]]
    if more := len(said.relations) - len(shown):
        shown.append(f"and {more:,} more")
    return ", ".join(shown) or "none"


def _elements(quotient: MisereQuotient, said: Presentation) -> str:
    """The elements of the heaps as words, the period in brackets."""
    shown = [said.words[x] for x in quotient.heaps[:_MOST]]
    cut = len(quotient.heaps) > _MOST
    if quotient.period and quotient.preperiod < len(shown):
        shown[quotient.preperiod] = "(" + shown[quotient.preperiod]
        shown[-1] += "" if cut else ")"
    return " ".join(shown) + (" ..." if cut else "")


def _quotient_proof(answer: MisereAnswer, quotient: MisereQuotient) -> Iterator[str]:
    proof = answer.proof
    whom = "of any size" if quotient.period else f"up to {len(quotient.heaps) - 1:,}"
    text = (
        f"for all sums of heaps {whom}. The sums have {proof.pairs:,} pairs of an element and the "
        "set of elements after a move, and in each of them the element is one of P exactly if none "
        "after a move is, and there is a move."
    )
    if quotient.period:
        text += (
            f" The heaps below {proof.heaps:,} have all the pairs that there are, and no smaller "
            "period or preperiod will do."
        )
    text += " The monoid is the misere quotient: no smaller one will do."
    yield from _told(text, "Proved: ")
    if (check := answer.check) is not None:
        text = (
            f"play to the end of all {check.whole:,} rows of up to {check.size} counters, and a "
            f"move by the rules at {check.single:,} rows of heaps up to {check.largest:,}; "
            f"{check.disagreements} disagree."
        )
        yield from _told(text, "Checked: ")


def _told(text: str, first: str, indent: int | None = None) -> list[str]:
    rest = " " * (len(first) if indent is None else indent)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False
    )

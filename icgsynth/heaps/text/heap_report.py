"""The report on the nim sequence of a code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from icgsynth.export import report as doc
from icgsynth.heaps.proof.plain_replay import looked_at
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapAnswer, HeapCode, NimPeriod, Repeating, Values

if TYPE_CHECKING:
    from icgsynth.heaps.rules.heap_rows import HeapGameAnswer

_COLUMN = 15  # characters of the column of names
_MOST = 240  # values shown of a sequence
_HEAPS = 40  # exceptional heaps shown
_LEAVING = ("no heap", "one heap", "two heaps", "three heaps")


def heap_report(answer: HeapAnswer) -> doc.Report:
    """Return the report on a nim sequence: its period and proof, or what was computed."""
    name = f"{answer.code.name}: {moves_in_words(answer.code)}"
    if answer.is_periodic and (period := answer.period) is not None:
        return (
            doc.Title(name, solved_line(answer)),
            *sequence(period),
            doc.notes(*_proof(answer, period)),
        )
    rare = ""
    if (found := answer.rare) is not None:
        of = f"value & {found.mask.bits:#x}{' + heap' if found.mask.by_position else ''}"
        rare = f"{found.count:,}, by the parity of the ones in {of}; the largest is {found.last:,}"
    return (doc.Title(name, unknown_line(answer)), *tell_seen(answer.values, answer.saltus, rare))


def solved_line(answer: HeapAnswer | HeapGameAnswer) -> str:
    """Return the line with the time in which the answer was found and proved."""
    return f"solved and proved in {answer.seconds:.2f} s"


def unknown_line(answer: HeapAnswer | HeapGameAnswer) -> str:
    """Return the line that no answer is proved, with the time and the reason."""
    return f"unknown after {answer.seconds:.2f} s: {answer.why}"


def moves_in_words(code: HeapCode) -> str:
    """Return the moves of a code in words, such as "take 1 or 2 from a heap and leave one heap"."""
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
            parts.append(f"split a heap into {either(left)}")
        else:
            parts.append(f"take {either(map(str, taken))} from a heap and leave {either(left)}")
    return "; or ".join(parts)


def either(words: Iterable[str]) -> str:
    """Return the words as a list in English: with commas and "or"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _first(heap: int) -> str:
    return f"G({heap}), G({heap + 1}), ... ="


def _show(values: Values) -> list[str]:
    return ["-" if value == NO_HEAP else str(value) for value in values]


def sequence(claim: Repeating, head: str = "") -> tuple[doc.Notes, doc.Facts]:
    """Return the first values from the first legal heap on, the period in brackets, and facts about
    the sequence, as parts of a report. ``head`` is put before the values."""
    first = claim.first_heap
    head, before = head or _first(first), claim.preperiod - first
    values = claim.values[first:]
    shown, cut = _show(values[:_MOST]), len(values) > _MOST
    if before < len(shown):
        shown[before] = "(" + shown[before]
    shown[-1] += " ..." if cut else ")"
    if claim.saltus:
        shown.append(f"and so on, {claim.saltus} more with each period")
    return (_values(" ".join(shown), head), doc.Facts(tuple(_facts(claim)), _COLUMN))


def _values(shown: str, head: str) -> doc.Notes:
    return doc.notes(head, doc.Note(shown, "  "))


def _facts(claim: Repeating) -> Iterator[tuple[str, str]]:
    yield "preperiod", f"{claim.preperiod:,}"
    yield "period", f"{claim.period:,}"
    if claim.saltus:
        yield "saltus", f"{claim.saltus:,}"
        return
    yield "largest value", _largest(claim.values)
    heaps = claim.exceptions()
    if len(heaps):
        shown = " ".join(map(str, heaps[:_HEAPS])) + (" ..." if len(heaps) > _HEAPS else "")
        text = f"{len(heaps):,} heaps before the preperiod's end differ from the period: {shown}"
        yield "exceptions", text


def _largest(values: Values) -> str:
    heap = int(np.argmax(values))
    return f"{int(values[heap])}, first of heap {heap:,}"


def _proof(answer: HeapAnswer, claim: NimPeriod) -> Iterator[doc.Note]:
    if answer.by:
        yield from repeats(claim, answer.by)
        checked = f"the first {answer.checked_to:,} values, by a replay from the rules."
        yield doc.Note(checked, "Checked: ")
        return
    start, heaps, taken = max(1, claim.preperiod), claim.code.most_heaps, claim.code.most_taken
    heaps = max(1, heaps)
    total = f"{heaps} * ({start} + {claim.period}) + {taken} = {claim.needed:,}"
    theorem = (
        "the periodicity theorem of Guy and Smith, 1956"
        if heaps == 2
        else "as in the periodicity theorem of Guy and Smith, 1956"
    )
    is_drawn = looked_at(claim.code, claim.needed) < claim.needed
    text = (
        f"{claim.law} for all n >= {claim.preperiod}; no smaller period or "
        f"preperiod will do. A replay from the rules found each of the first {claim.needed:,} "
        f"values right, and {total} are enough ({theorem}). A second one, which shares no code "
        f"with it, agrees on the first {looked_at(claim.code, claim.needed):,}"
        f"{' and on later ones drawn at random' if is_drawn else ''}."
    )
    yield doc.Note(text, "Proved: ")


def repeats(claim: Repeating, by: tuple[str, ...]) -> Iterator[doc.Note]:
    """Yield the note that the values of ``claim`` repeat, and the engines that prove it."""
    law = claim.law
    if (claim.values[claim.first_heap :] == NO_HEAP).any():
        law += f", and n + {claim.period} is a heap exactly if n is,"
    said = f"{law} for all n >= {claim.preperiod}, and no smaller period or preperiod will do"
    return doc.tell_proofs([(said, by)], "from the definition")


def tell_seen(
    values: Values, saltus: tuple[int, int, int] | None, rare: str = ""
) -> tuple[doc.Notes, doc.Facts] | tuple[doc.Notes]:
    """Return parts of a report: the computed ``values``, a ``saltus`` (from heap, period, rise)
    that is seen and not proved, and what is said of ``rare`` heaps."""
    heaps = np.flatnonzero(values != NO_HEAP)
    if not len(heaps):
        return (doc.notes("no value was computed"),)
    first = int(heaps[0])
    shown = " ".join(_show(values[first:][:_MOST]))
    shown += " ..." if len(values) - first > _MOST else ""
    rows = [("computed", f"{len(heaps):,} values"), ("largest value", _largest(values))]
    if rare:
        rows.append(("rare heaps", rare))
    if saltus is not None:
        start, step, rise = saltus
        more = f" + {rise}" if rise else ""
        seen = f"G(n + {step}) = G(n){more} from n = {start} on, as far as was looked; not proved"
        rows.append(("seen", seen))
    return (_values(shown, _first(first)), doc.Facts(tuple(rows), _COLUMN))

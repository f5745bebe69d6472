"""The reports on the nim sequence and on the misère quotient of a game of heaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from icgsynth.export import report as doc
from icgsynth.export.panels import Table
from icgsynth.export.table import values_text
from icgsynth.export.value_report import function_lines
from icgsynth.game import titles
from icgsynth.game.box import Box
from icgsynth.game.heap_rows import HeapGameAnswer, HeapMove
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod, Repeating, Values
from icgsynth.game.misere import MisereAnswer, MisereQuotient, Row, TameAnswer
from icgsynth.game.presentations import Presentation
from icgsynth.prove.plain_replay import looked_at

# --- heap report ---------------------------------------------------------------------------------

_COLUMN, _NARROW = 15, 11  # characters of the column of names, of values and of quotients
_MOST = 240  # values shown of a sequence
_HEAPS = 40  # exceptional heaps shown
_SIDES = (64, 32, 16, 8, 4, 2, 1)  # of the box of heaps of several numbers that is shown
_CELLS = 400  # of it
_FIRST = "G(0), G(1), ... ="
_LEAVING = ("no heap", "one heap", "two heaps", "three heaps")


def heap_report(answer: HeapAnswer) -> doc.Report:
    """The values of the heaps of a code, their period and its proof; or what was computed."""
    name = f"{answer.code.name}: {moves_in_words(answer.code)}"
    if answer.is_periodic and (period := answer.period) is not None:
        return (
            doc.Title(name, _solved(answer)),
            *_sequence(period),
            doc.notes(*_proof(answer, period)),
        )
    rare = ""
    if (found := answer.rare) is not None:
        rare = f"{found.count:,} heaps by the mask {found.mask}, the last of them {found.last:,}"
    return (doc.Title(name, _unknown(answer)), *_seen(answer.values, answer.saltus, rare))


def heap_game_report(answer: HeapGameAnswer) -> doc.Report:
    """The same of a game by rules, whose values may be a function or those of a code."""
    name, period = titles.named(answer.game), answer.period
    if answer.by_code is not None:
        how = "shown by automata, and by listing the moves of small heaps"
        same = f"the game of the code {answer.by_code.code.name}, {how}"
        return (doc.Title(name, same), *heap_report(answer.by_code))
    ends = f"Heaps are legal where {answer.game.legal}, and play always ends: {answer.falls}."
    if answer.function is not None:
        said = "no option of a heap has its value, each smaller one is that of an option"
        function = (doc.Listing(tuple(function_lines(answer.of_one_heap))),)
        text = doc.notes(*doc.proved([(said, answer.by)], "for all heaps"), doc.Note(ends, " " * 8))
        shown = _sequences(answer) if answer.periods else function
        return (doc.Title(name, _solved(answer)), *shown, text)
    if period is None:
        seen = _grid(answer) if answer.known else _seen(answer.values, answer.saltus)
        return (doc.Title(name, _unknown(answer)), *seen)
    proof = doc.notes(*_repeats(period, answer.by), doc.Note(ends, " " * 8))
    return (doc.Title(name, _solved(answer)), *_sequence(period), proof)


def _solved(answer: HeapAnswer | HeapGameAnswer) -> str:
    return f"solved and proved in {answer.seconds:.2f} s"


def _unknown(answer: HeapAnswer | HeapGameAnswer) -> str:
    return f"unknown after {answer.seconds:.2f} s: {answer.why}"


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


def _sequences(answer: HeapGameAnswer) -> Iterator[doc.Part]:
    """The values for each choice of the variables that take a few."""
    for few, period in answer.periods.items():
        names = dict(few)
        heaps = [", ".join(str(names.get(v, n)) for v in answer.game.variables) for n in (0, 1)]
        yield from _sequence(period, f"G({heaps[0]}), G({heaps[1]}), ... =")


def _grid(answer: HeapGameAnswer) -> Iterator[doc.Part]:
    """The values of the heaps whose numbers are small, as far as all of them are known."""
    game = answer.game.one_heap
    for side in _SIDES:
        states = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal).states
        values = [answer.known.get(tuple(state)) for state in states.tolist()]
        if 0 < len(values) <= _CELLS and None not in values:
            table = Table.of_values(game, states, np.array(values, np.int64), "")
            table = replace(table, title="Values by definition; nothing is claimed of other heaps.")
            yield doc.Listing(tuple(values_text(table).splitlines()))
            return
    yield doc.notes("no value was computed")


def _sequence(claim: Repeating, head: str = _FIRST) -> tuple[doc.Notes, doc.Facts]:
    """The values, the period in brackets, of a long sequence the first; then their facts."""
    shown = [str(value) for value in claim.values[:_MOST]]
    cut = len(claim.values) > _MOST
    if claim.preperiod < len(shown):
        shown[claim.preperiod] = "(" + shown[claim.preperiod]
    shown[-1] += " ..." if cut else ")"
    if claim.saltus:
        shown.append(f"and so on, {claim.saltus} more with each period")
    return (_values(" ".join(shown), head), doc.Facts(tuple(_facts(claim)), _COLUMN))


def _values(shown: str, head: str = _FIRST) -> doc.Notes:
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
        yield from _repeats(claim, answer.by)
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


def _repeats(claim: Repeating, by: tuple[str, ...]) -> Iterator[doc.Note]:
    said = f"{claim.law} for all n >= {claim.preperiod}, and no smaller period or preperiod will do"
    return doc.proved([(said, by)], "from the definition")


def _seen(
    values: Values, saltus: tuple[int, int, int] | None, rare: str = ""
) -> tuple[doc.Notes, doc.Facts] | tuple[doc.Notes]:
    """What was computed, where nothing is proved."""
    if not len(values):
        return (doc.notes("no value was computed"),)
    shown = " ".join(map(str, values[:_MOST])) + (" ..." if len(values) > _MOST else "")
    rows = [("computed", f"{len(values):,} values"), ("largest value", _largest(values))]
    if rare:
        rows.append(("rare values", rare))
    if saltus is not None:
        start, step, rise = saltus
        more = f" + {rise}" if rise else ""
        seen = f"G(n + {step}) = G(n){more} from n = {start} on, as far as was looked; not proved"
        rows.append(("seen", seen))
    return (_values(shown), doc.Facts(tuple(rows), _COLUMN))


# --- misere report -------------------------------------------------------------------------------

_RELATIONS = 60  # more are counted
_LOST = 120


def misere_report(answer: MisereAnswer) -> doc.Report:
    """The quotient, what of it is lost, and the proof; or why none is known."""
    name = f"{answer.code.name}: {moves_in_words(answer.code)}"
    seconds = f"in {answer.seconds:.2f} s"
    if not answer.is_solved:
        title = doc.Title(name, f"misere play, unknown {seconds}: {answer.why}")
    else:
        title = doc.Title(name, f"misere play, solved and proved {seconds}")
    if not answer.is_proved or (quotient := answer.quotient) is None:
        return (title,)
    return (title, *_quotient(quotient), doc.notes(*_quotient_proof(answer, quotient)))


def tame_report(answer: TameAnswer) -> doc.Report:
    """Who wins a row of heaps by rules under misere play, by their values; or why none is known."""
    name, seconds = titles.named(answer.values.game), f"in {answer.seconds:.2f} s"
    if not answer.is_proved:
        return (doc.Title(name, f"misere play, unknown {seconds}: {answer.why}"),)
    fickle = ", ".join(f"{heap}" for heap in answer.fickle)
    ones = [f"{heap}" for heap, value in answer.fickle.items() if value]
    rows = (
        f"A row with another heap than {_either(fickle.split(', '))} is lost for the player to move"
    )
    rows = f"{rows} exactly if its value is 0, as under normal play."
    alone = "A row of these heaps alone is lost"
    alone += f" exactly if the number of heaps {_either(ones)} in it is odd." if ones else " never."
    said = "each move of these heaps leaves such heaps, with the other of the values 0 and 1; from "
    said += "another heap there are moves to such heaps with both values, or with none"
    played = f"Checked: play to the end of {len(answer.checked)} rows of small heaps; 0 disagree."
    proof = doc.notes(*doc.proved([(said, answer.by)], "for rows of heaps of any size"), played)
    return (
        doc.Title(name, f"misere play, solved and proved {seconds}"),
        doc.notes(rows, alone),
        *heap_game_report(answer.values)[1:],
        proof,
    )


def row_report(answer: MisereAnswer, row: Row) -> doc.Report:
    """Who wins a row of heaps under misere play, and by which move."""
    found = row_json(answer, row)
    heaps = f"heap{'s' * (len(row) != 1)} {', '.join(map(str, row)) or 'none'}"
    of_row = doc.Listing((f"  {answer.code.name}  {heaps}",))
    if not found["proved"]:
        return (of_row, doc.notes(doc.Note(f"unknown: {found['why']}", indent=2)))
    is_in, whom = ("in", "loses") if found["lost"] else ("not in", "wins")
    text = f"The product of their elements is {found['element']}, {is_in} P"
    said = [f"{text}: under misere play the player to move {whom}."]
    if option := found["move"]:
        said.append(f"A winning move: {HeapMove(option['take'], tuple(option['leave']))}")
    elif not found["lost"]:
        said.append("No move is left, or needed.")
    return (of_row, doc.notes(*said))


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


def _quotient(quotient: MisereQuotient) -> Iterator[doc.Part]:
    said = quotient.presentation
    whose = "A row of heaps"
    if not quotient.period:
        whose += f" up to {len(quotient.heaps) - 1}"
    text = "is lost for the player to move exactly if the product of their elements is one of P."
    yield doc.notes(f"{whose} {text}")
    letters = zip(said.generators, said.heaps, strict=True)
    generated = ", ".join(f"{letter} = heap {heap}" for letter, heap in letters) or "none"
    lost = [said.words[x] for x in sorted(quotient.lost)]
    shown = " ".join(lost[:_LOST]) + (" ..." if len(lost) > _LOST else "")
    rows = (
        ("monoid", f"{quotient.order:,} elements, generated by {generated}"),
        ("relations", _relations(said)),
        ("P", f"{len(lost):,} elements: {shown}"),
    )
    yield doc.Facts(rows, _NARROW)
    yield doc.notes("heap 0, heap 1, ... =", doc.Note(_elements(quotient, said), "  "))
    if quotient.period:
        repeats = (("preperiod", f"{quotient.preperiod:,}"), ("period", f"{quotient.period:,}"))
        yield doc.Facts(repeats, _NARROW)
        yield doc.notes("To win, make a move after which the product of the heaps is one of P.")


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


def _quotient_proof(answer: MisereAnswer, quotient: MisereQuotient) -> Iterator[doc.Note]:
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
    yield doc.Note(text, "Proved: ")
    if (check := answer.check) is not None:
        text = (
            f"play to the end of all {check.whole:,} rows of up to {check.size} counters, and a "
            f"move by the rules at {check.single:,} rows of heaps up to {check.largest:,}; "
            f"{check.disagreements} disagree."
        )
        yield doc.Note(text, "Checked: ")

"""The reports on the misère quotient of a code, and on misère play of tame heaps."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game
from icgsynth.game.position import Position, move_json
from icgsynth.heaps.rules.heap_rows import HeapMove
from icgsynth.heaps.rules.misere import MisereAnswer, MisereQuotient, Row, TameAnswer
from icgsynth.heaps.rules.presentations import Presentation
from icgsynth.heaps.text.heap_game_report import heap_game_report
from icgsynth.heaps.text.heap_report import either, moves_in_words

_NARROW = 11  # characters of the column of names
_RELATIONS = 60  # relations that are written out; more are counted
_LOST = 120  # lost elements that are written out
_MOST = 240  # heaps whose elements are written out


def misere_report(answer: MisereAnswer) -> doc.Report:
    """Return the report on a misère quotient, its lost elements and proof; or why none is known."""
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
    """Return the report on who wins rows of heaps under misère play by values, or why unknown."""
    name, seconds = call_game(answer.values.game), f"in {answer.seconds:.2f} s"
    if not answer.is_proved:
        return (doc.Title(name, f"misere play, unknown {seconds}: {answer.why}"),)
    told, said = _tell_rows(answer)
    played = f"Checked: play to the end of {len(answer.checked)} rows of small heaps; 0 disagree."
    proof = doc.notes(
        *doc.tell_proofs([(said, answer.by)], "for rows of heaps of any size"), played
    )
    return (
        doc.Title(name, f"misere play, solved and proved {seconds}"),
        doc.notes(*told),
        *heap_game_report(answer.values)[1:],
        proof,
    )


def _tell_rows(answer: TameAnswer) -> tuple[list[str], str]:
    """Return (sentences that say which rows are lost, what is proved of the moves)."""
    if answer.all_fickle:
        told = "A row is lost for the player to move exactly if its value is 1: "
        told += "each row is won under misere play exactly if it is lost under normal play."
        said = "all heaps have the value 0 or 1, so that each move changes the value of a row"
        return [told], said
    fickle = [f"{heap}" for heap in answer.fickle]
    ones = [f"{heap}" for heap, value in answer.fickle.items() if value]
    rows = f"A row with another heap than {either(fickle)} is lost for the player to move"
    rows = f"{rows} exactly if its value is 0, as under normal play."
    alone = "A row of these heaps alone is lost"
    alone += f" exactly if the number of heaps {either(ones)} in it is odd." if ones else " never."
    said = "each move of these heaps leaves such heaps, with the other of the values 0 and 1; from "
    said += "another heap there are moves to such heaps with both values, or with none"
    return [rows, alone], said


def row_report(answer: MisereAnswer, row: Row) -> doc.Report:
    """Return the report on who wins ``row`` under misère play, and by which move."""
    found = row_position(answer, row)
    heaps = f"heap{'s' * (len(row) != 1)} {', '.join(map(str, row)) or 'none'}"
    of_row = doc.Listing((f"  {answer.code.name}  {heaps}",))
    if not found.is_proved:
        return (of_row, doc.notes(doc.Note(f"unknown: {found.why}", indent=2)))
    is_in, whom = ("is", "loses") if found.winner == "losing" else ("is not", "wins")
    text = (
        f"The product of their elements is {found.more['element']}, which {is_in} one of the lost"
    )
    said = [f"{text} elements P: under misere play the player to move {whom}."]
    if found.move is not None:
        given, left = found.move["args"], found.move["leaves"]
        move = HeapMove(int(given["take"]), tuple(left))
        said.append(f"A winning move: in the heap of {given['heap']}, {move}")
    elif found.winner != "losing":
        said.append("No move is left, or needed.")
    return (of_row, doc.notes(*said))


def row_position(answer: MisereAnswer, row: Row) -> Position:
    """Return who wins ``row`` under misère play, by the quotient, as a :class:`Position`."""
    quotient, name = answer.quotient, answer.code.name
    if not answer.is_proved or quotient is None or not all(map(quotient.knows, row)):
        return Position(name, "misere", row, why=answer.why)
    move = None
    if (option := quotient.winning_move(row)) is not None:
        place = row.index(option.heap)
        after = (*row[:place], *option.left, *row[place + 1 :])
        given, left = {"heap": option.heap, "take": option.take}, list(option.left)
        move = move_json(after, "take", given, component=place + 1, leaves=left)
    more = {"element": quotient.presentation.words[quotient.product(row)]}
    winner = "losing" if quotient.is_lost(row) else "winning"
    return Position(
        name, "misere", row, winner, move, by="by the quotient", is_proved=True, more=more
    )


def _quotient(quotient: MisereQuotient) -> Iterator[doc.Part]:
    said = quotient.presentation
    whose = "A row of heaps"
    if not quotient.period:
        whose += f" up to {len(quotient.heaps) - 1}"
    text = "is lost for the player to move exactly if the product of their elements is in P."
    yield doc.notes(f"{whose} {text}")
    letters = zip(said.generators, said.heaps, strict=True)
    generated = ", ".join(f"{letter} = heap {heap}" for letter, heap in letters) or "none"
    lost = [said.words[x] for x in sorted(quotient.lost)]
    shown = " ".join(lost[:_LOST]) + (" ..." if len(lost) > _LOST else "")
    rows = (
        ("monoid", f"{quotient.order:,} elements, generated by {generated}"),
        ("relations", _relations(said)),
        ("P", f"{len(lost):,} elements: {shown}"),
        ("alone", _lost_alone(quotient)),
    )
    yield doc.Facts(rows, _NARROW)
    yield doc.notes("heap 0, heap 1, ... =", doc.Note(_elements(quotient, said), "  "))
    if quotient.period:
        repeats = (("preperiod", f"{quotient.preperiod:,}"), ("period", f"{quotient.period:,}"))
        yield doc.Facts(repeats, _NARROW)
        yield doc.notes("To win, make a move after which the product of the heaps is one of P.")


def _lost_alone(quotient: MisereQuotient) -> str:
    """Return in words which heaps, as the only heap, the player to move loses."""
    heaps, start, period = quotient.lost_heaps, quotient.preperiod, quotient.period
    single = [heap for heap in heaps if heap < start or not period]
    shown = " ".join(map(str, single[:_LOST])) + (" .." if len(single) > _LOST else "")
    said = [f"heaps {shown}"] if single else []
    if rests := sorted(heap % period for heap in heaps if period and heap >= start):
        more = ", ".join(map(str, rests))
        said.append(f"from heap {start} on those that leave {more} when divided by {period}")
    end = "" if rests or not period else " and no others"
    return f"lost are {', and '.join(said)}{end}" if said else "no single heap is lost"


def _relations(said: Presentation) -> str:
    shown = [f"{left} = {right}" for left, right in said.relations[:_RELATIONS]]
    if more := len(said.relations) - len(shown):
        shown.append(f"and {more:,} more")
    return ", ".join(shown) or "none"


def _elements(quotient: MisereQuotient, said: Presentation) -> str:
    """Return the heaps' elements as words of the presentation ``said``, the period in brackets."""
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

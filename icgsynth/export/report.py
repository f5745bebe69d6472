"""Reports on answers, made of parts, and how they are written as text and as HTML.

Each kind of answer makes its report in a file of its own, as
:mod:`icgsynth.export.solution_report` does; titles, lines and columns are laid out here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Literal, TypeAlias

from icgsynth.game.answers import name_engines, times
from icgsynth.logic import term as t
from icgsynth.logic.prose import WIDTH, wrapped

if TYPE_CHECKING:
    from icgsynth.game.answers import BoxCheck

# --- parts ---------------------------------------------------------------------------------------

Detail: TypeAlias = Literal["", "all", "words", "method"]
"""The option that shows a part of a report: none, for all readers; "all" for other strategies that
win too, "words" for rules as sentences, "method" for how the answer was found and proved."""


@dataclass(frozen=True)
class Title:
    """The title of a report: the ``name`` of the game, and below the rule and the status."""

    name: str
    standing: str


@dataclass(frozen=True)
class Side:
    """One side of an answer: ``word``, such as "loses", and the formula of its states."""

    word: str
    formula: str
    facts: str = ""  # such as the formula's size, for readers who ask for the method


@dataclass(frozen=True)
class Sides:
    """The part that says who wins where: a ``lead``, then a formula for each side."""

    lead: str
    sides: tuple[Side, ...]


@dataclass(frozen=True)
class Steps:
    """A numbered list of rules to try one after the other, after a ``lead``."""

    lead: str
    steps: tuple[str, ...]
    detail: Detail = ""


@dataclass(frozen=True)
class Cases:
    """A list of rules in two columns: condition, which may be empty, and move."""

    lead: str
    rows: tuple[tuple[str, str], ...]
    detail: Detail = ""


@dataclass(frozen=True)
class Note:
    """A paragraph of a report; ``head``, such as "Proved: ", stands before the text."""

    text: str
    head: str = ""
    indent: int | None = None  # blanks before all lines but the first; None: the head's width
    detail: Detail = ""


@dataclass(frozen=True)
class Notes:
    """Paragraphs that follow each other without a gap."""

    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Facts:
    """A list of names, in a column of ``width`` characters, with a text for each."""

    rows: tuple[tuple[str, str], ...]
    width: int


@dataclass(frozen=True)
class Listing:
    """Lines that are printed unchanged: a table of an automaton, the cases of a function."""

    lines: tuple[str, ...]


Part: TypeAlias = Title | Sides | Steps | Cases | Notes | Facts | Listing
Report: TypeAlias = tuple[Part, ...]


def notes(*texts: str | Note) -> Notes:
    """Return the report part of the paragraphs ``texts``, which are notes or plain texts."""
    return Notes(tuple(Note(text) if isinstance(text, str) else text for text in texts))


_OF_ALL = {"loses": "lost", "wins": "won", "draws": "drawn"}  # of the player: of the state


def who_wins(lead: str, sides: Iterable[tuple[str, t.Formula, str]]) -> Iterator[Part]:
    """Yield the parts of a report that say, after ``lead``, who wins where.

    Each of ``sides`` is a word, a formula and facts.  A side that holds nowhere, or everywhere,
    gets a sentence in place of the formula.
    """
    sides = list(sides)
    shown = [
        Side(word, t.spell(f), facts) for word, f, facts in sides if not isinstance(f, t.Truth)
    ]
    if shown:
        yield Sides(lead, tuple(shown))
    everywhere = [word for word, formula, _ in sides if formula == t.TRUE]
    nowhere = [word for word, formula, _ in sides if formula == t.FALSE]
    said = [f"Every state is {_OF_ALL[word]}." for word in everywhere]
    said += [f"No state is {_OF_ALL[word]}." for word in nowhere if not everywhere]
    if said:
        yield notes(" ".join(said))


def tell_proofs(
    parts: Iterable[tuple[str, Sequence[str]]], where: str = "for all states"
) -> Iterator[Note]:
    """Yield notes on what was proved ``where``: ``parts`` are pairs of a name and its engines.

    The notes say how often each part was proved, and for readers who ask by which engines.
    """
    said = dict[tuple[str, ...], list[str]]()
    for part, by in parts:
        said.setdefault(tuple(by), []).append(part)
    for often in dict.fromkeys(map(times, said)):
        told = [text for by, texts in said.items() if times(by) == often for text in texts]
        yield Note(f"{', '.join(filter(None, [*told, where, often]))}.", "Proved: ")
    engines = [(by, f": {', '.join(texts)}" if len(said) > 1 else "") for by, texts in said.items()]
    for by, what in engines:
        if by:
            yield Note(f"{name_engines(by)}{what}.", "Method: ", detail="method")


def tell_checks(box: BoxCheck, near: str, far: str) -> Note:
    """Return the note on how often play disagrees with the answer in the ``box``, and outside.

    ``near`` and ``far`` say in words what was compared there.
    """
    wrong, there = box.disagreements, box.far
    said = f"{near} at {box.states:,} states with numbers up to {box.bound}"
    if there is not None:
        wrong += there.disagreements
        too_hard = "at no farther state, for the rules or the answer are too hard to evaluate"
        reached = f"{far} at {there.states:,} states with numbers up to {there.reach}"
        said += f", {reached if there.states else too_hard}"
    return Note(f"{said}; {wrong} disagree.", "Checked: ")


# --- text ----------------------------------------------------------------------------------------

_MOST = 14  # most rules shown in text
_LISTED = 30  # most rules shown in HTML
_CONDITION = 46  # characters of a condition beside its move
_FORMULA = 44  # characters of a formula before the column of facts begins
_OVER = 8  # characters by which the facts behind a formula may pass the width


def as_text(report: Report, details: Collection[Detail] = ()) -> str:
    """Return the report as text for a terminal, with parts for the ``details`` asked for.

    A blank line stands between the parts, and a newline at the end.
    """
    parts = ("\n".join(_lines(part)) for part in _select(report, details))
    return "\n\n".join(filter(None, parts)) + "\n"


def _select(report: Report, details: Collection[Detail]) -> Iterator[Part]:
    """Yield the parts of the report for all readers and for ``details``, and drop the others."""
    wanted = ("", *details)
    for part in report:
        match part:
            case Notes(each):
                yield Notes(tuple(note for note in each if note.detail in wanted))
            case Sides(_, sides) if "method" not in wanted:
                yield replace(part, sides=tuple(replace(side, facts="") for side in sides))
            case Steps() | Cases() if part.detail not in wanted:
                pass
            case _:
                yield part


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Title(name, standing):
            yield from wrapped(name)
            yield from wrapped(standing, rest="  ") if standing else ()
        case Sides(lead, sides):
            yield from (*wrapped(lead), "")
            yield from _sides(sides)
        case Steps(lead, steps, _):
            yield from (*wrapped(lead), "")
            for number, step in enumerate(steps[:_MOST], 1):
                yield from wrapped(step, f"  {number}. ")
            yield from _rest(len(steps))
        case Cases(lead, rows, _):
            yield from (*wrapped(lead), "")
            yield from _columns(rows[:_MOST])
            yield from _rest(len(rows))
        case Notes(each):
            for note in each:
                indent = len(note.head) if note.indent is None else note.indent
                yield from wrapped(note.text, note.head, " " * indent)
        case Facts(rows, width):
            for name, text in rows:
                yield from wrapped(text, f"{name:<{width}}")
        case Listing(lines):
            yield from lines


def _sides(sides: Sequence[Side]) -> Iterator[str]:
    width = min(_FORMULA, max(len(side.formula) for side in sides))
    for side in sides:
        head = f"  {side.word:<5}  iff  "
        line = f"{head}{side.formula:<{width}}   {side.facts}"
        if len(line.rstrip()) <= WIDTH + (_OVER if side.facts else 0):
            yield line.rstrip()
            continue
        yield from wrapped(side.formula, head)
        if side.facts:
            yield f"{' ' * len(head)}[{side.facts}]"


def _columns(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each row of two columns, or two lines if the first is long."""
    width = min(_CONDITION, max(len(left) for left, _ in rows))
    for left, right in rows:
        if len(left) > width:
            yield from (*wrapped(left, "  "), " " * (width + 4) + right)
        else:
            yield f"  {left:<{width}}  {right}" if width else f"  {right}"


def _rest(count: int) -> Iterator[str]:
    if count > _MOST:
        yield f"  ... and {count - _MOST} more (--json has them all)"


# --- HTML ----------------------------------------------------------------------------------------


def as_html(report: Report) -> str:
    """Return the report as HTML, with the parts for all readers; text is escaped."""
    return "\n".join(map(_element, _select(report, ())))


def _element(part: Part) -> str:
    match part:
        case Title(name, standing):
            return f"<p><strong>{escape(name)}</strong><br>{escape(standing)}</p>"
        case Sides(lead, sides):
            shown = (f"{side.word} if and only if {_code(side.formula)}" for side in sides)
            return f"<p>{escape(lead)}<br>{',<br>'.join(shown)}.</p>"
        case Steps(lead, steps, _):
            return f"<p>{escape(lead)}</p>{_list_steps(steps)}"
        case Cases(lead, rows, _):
            return f"<p>{escape(lead)}</p>{_table(rows, _code)}"
        case Notes(each):
            texts = (f"{note.head.strip()} {note.text}".strip() for note in each)
            return "\n".join(f"<p>{escape(text)}</p>" for text in texts)
        case Facts(rows, _):
            return _table(rows, escape)
        case Listing(lines):
            return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _list_steps(steps: Sequence[str]) -> str:
    """Return ``steps`` as an ordered list in HTML; of more than 30 only the first 30."""
    items = "".join(f"<li>{_code(step)}</li>" for step in steps[:_LISTED])
    more = len(steps) - _LISTED
    return f"<ol>{items}</ol>" + (f"<p>and {more:,} more</p>" if more > 0 else "")


def _table(rows: Sequence[tuple[str, str]], written: Callable[[str], str]) -> str:
    filled = [row if any(left for left, _ in rows) else row[1:] for row in rows]
    lines = ("".join(f"<td>{written(cell)}</td>" for cell in row) for row in filled)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"

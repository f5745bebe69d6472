"""The games of the encyclopedia, and their answers, each found once and kept.

An answer is kept in a file that is named by the game, the question, and a digest of the rules and
of the program's version, so that it is found again while these are the same.  What is unknown is
kept under the seconds that were given as well: with more seconds it is asked again.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import icgsynth
from icgsynth import LoadedGame
from icgsynth.errors import BudgetSpent, IcgError
from icgsynth.export import export, report_of
from icgsynth.export.heap_report import moves_in_words
from icgsynth.export.report import Title, as_html
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.piles import PileGame
from icgsynth.game.solution import Verdict
from icgsynth.spec.catalog import Entry, blocking_entries, entries, find
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_names import heap_entries
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedValue

Asked: TypeAlias = Literal["normal", "misere", "value", "rows"]

_GRACE = 5.0  # seconds that a search may take past its budget
_HEAPS = 240  # first values of heaps that are kept


@dataclass(frozen=True)
class Game:
    """One game: ``rules`` as its file has them, or the code of heaps; what is ``asked`` of it.

    ``about`` is the first comment of the file, or the moves of the heaps in words.
    """

    name: str
    title: str
    citations: tuple[str, ...]
    rules: str
    about: str
    asked: tuple[Asked, ...]

    @property
    def is_heaps(self) -> bool:
        return self.asked == ("value",)


def games() -> Iterator[Game]:
    """The catalog: games, blocking games, rows of heaps or piles by rules, and heaps by codes."""
    for entry in entries():
        yield _game(entry, ("normal", "misere", "value"))
    for entry in blocking_entries():
        yield _game(entry, ("normal",))
    for entry in entries("piles"):
        yield _game(entry, ("rows",))
    for heaps in heap_entries():
        words = moves_in_words(read_code(heaps.code))
        about = f"Code {heaps.code}: a position is a row of heaps. A move: {words}."
        if heaps.repeats is not None:
            numbers = zip(("preperiod", "period", "saltus"), heaps.repeats, strict=True)
            about += f" Published: {', '.join(f'{name} {n:,}' for name, n in numbers)}."
        title = heaps.title or f"Heaps {heaps.code}"
        yield Game(heaps.name, title, heaps.citations, heaps.code, about, ("value",))


def _game(entry: Entry, asked: tuple[Asked, ...]) -> Game:
    path = find(entry.name)
    assert path is not None  # it is of the catalog
    text = Source.read(path).text
    head = takewhile(lambda line: line.startswith("#"), text.splitlines())
    about = " ".join(" ".join(line.lstrip("# ") for line in head).split())
    return Game(entry.name, entry.title, entry.citations, text, about, asked)


class Kept(NamedTuple):
    """What is known of a question.

    ``said`` is the report as HTML, ``file`` the value of the answer's file where it is proved,
    ``coq`` the theorem for Coq, empty where there is none in time, and ``values`` the first ones of
    heaps.
    """

    said: str
    file: dict[str, Any] | None = None
    coq: str = ""
    values: Sequence[int] = ()

    def source(self, name: str) -> Source:
        """The answer's file; it must be proved."""
        return Source(f"{name}.json", json.dumps(self.file))


def kept(game: Game, asked: Asked, folder: Path, seconds: float) -> Kept:
    """The answer that lies in the ``folder``, or else one that is found in so many ``seconds``."""
    digest = sha256(f"{icgsynth.__version__}\0{game.rules}".encode()).hexdigest()[:16]
    proved = folder / f"{game.name}.{asked}.{digest}.json"
    unknown = proved.with_suffix(f".{seconds:g}s.json")
    for path in (proved, unknown):
        if path.exists():
            return Kept(*json.loads(path.read_text("utf-8")))
    found = _found(game.name, asked, seconds)
    folder.mkdir(parents=True, exist_ok=True)
    path = unknown if found.file is None else proved
    aside = path.with_suffix(".new")
    aside.write_text(json.dumps(found), "utf-8")
    aside.replace(path)
    return found


def _found(name: str, asked: Asked, seconds: float) -> Kept:
    """The answer that is found now, and its file for Coq, for which proofs are searched as well."""
    loaded = icgsynth.load(name)
    if asked == "rows":
        return _of_rows(loaded, seconds)
    try:
        with _at_most(seconds):
            answer = loaded.value(seconds) if asked == "value" else loaded.solve(asked, seconds)
    except IcgError as error:
        return Kept(f"<p>Nothing is claimed: {escape(str(error))}.</p>")
    is_heaps = isinstance(answer, HeapAnswer)
    said = as_html(tuple(part for part in report_of(answer) if not isinstance(part, Title)))
    values = answer.first(_HEAPS) if is_heaps else ()
    if not (answer.is_periodic if is_heaps else answer.is_proved):
        return Kept(said, values=values)
    coq = ""
    with suppress(IcgError), _at_most(seconds):
        coq = export(answer, "coq")
    return Kept(said, answer.to_json(), coq, values)


def _of_rows(loaded: LoadedGame, seconds: float) -> Kept:
    """Who wins any number of piles, or the values of heaps."""
    subject = loaded.subject
    is_piles = isinstance(loaded.game, PileGame)
    question = subject.to_solve("normal") if is_piles else subject.to_value(AskedValue())
    with _at_most(seconds):
        answer = question.answer(seconds)
    told, values = question.shown(answer), []
    if isinstance(answer, HeapGameAnswer):
        values = (answer.by_code or answer).first(_HEAPS)
    report = told.report()
    parts = () if isinstance(report, str) else report
    said = as_html(tuple(part for part in parts if not isinstance(part, Title)))
    is_proved = told.verdict is Verdict.PROVED
    return Kept(said, told.value() if is_proved else None, values=values)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Interrupt a step of a search that looks at its budget too seldom, or has none.

    A library may put an exception of its own in the place of the interruption, or drop it: so it
    comes again each second, and is told by itself.
    """
    late = BudgetSpent(f"the budget of {seconds:g} s is spent")
    spent: list[int] = []

    def interrupt(number: int, _: object) -> None:
        spent.append(number)
        raise late

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE, 1.0)
    try:
        yield
    except Exception:
        if spent:
            raise late from None
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)

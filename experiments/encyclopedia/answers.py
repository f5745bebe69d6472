"""The games of the encyclopedia, and their answers, each found once and kept.

An answer is kept in a file that is named by the game, the question, and a digest of the rules and
of the program's version, so that it is found again while these are the same.  What is unknown is
kept under the seconds that were given as well: with more seconds it is asked again.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import icgsynth
from icgsynth import Loaded
from icgsynth.boards.fft.search import search, warm
from icgsynth.boards.fft.tree_questions import Made, Setting, TreeTable, to_make
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.starts.task_report import TaskSheet
from icgsynth.boards.starts.tasks import SolvedGame, TasksWanted, tasks
from icgsynth.boards.subject.finite_spec import FiniteSpec
from icgsynth.boards.text.finite_view import finite_board
from icgsynth.boards.text.sheet import Frame
from icgsynth.budget import Budget, silent
from icgsynth.errors import BudgetSpent, IcgError
from icgsynth.export import export, report_of
from icgsynth.export.report import Title, as_html
from icgsynth.formats.paper import Page, svg
from icgsynth.game.answers import Verdict
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapAnswer
from icgsynth.heaps.rules.piles import PileGame
from icgsynth.heaps.text.heap_report import moves_in_words
from icgsynth.spec.catalog import Entry, entries, files, find, finite_entries, heap_entries
from icgsynth.spec.source import Source
from icgsynth.studio.references import Reference, references
from icgsynth.subjects import AskedValue

Asked: TypeAlias = Literal["normal", "misere", "value", "rows", "tree"]

_GRACE = 5.0  # seconds that a search may take past its budget
_HEAPS = 240  # first values of heaps that are kept
_FINITE = 20.0  # seconds for a finite game, at most
_STARTS = 6  # positions of a finite game to begin with
_PICTURE = (150.0, 115.0)  # of each of them, in points
_INCLUDED = re.compile(r'^#include "(.*)"\.\n', re.MULTILINE)


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
    """The catalog: games, blocking games, rows of heaps or piles by rules, and heaps by codes.

    Finite games come last; of two of one name that one which the name means to most commands.
    """
    for entry in entries():
        yield _game(entry, ("normal", "misere", "value"))
    for entry in entries("blocking"):
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
    paths = files("gdl", "asp")
    for entry in ({e.name: e for kind in ("asp", "gdl") for e in finite_entries(kind)}).values():
        yield _finite_game(entry, paths[entry.name])


def _game(entry: Entry, asked: tuple[Asked, ...]) -> Game:
    path = find(entry.name)
    assert path is not None  # it is of the catalog
    text = Source.read(path).text
    return Game(entry.name, entry.title, entry.citations, text, _head(text, "#"), asked)


def _finite_game(entry: Entry, path: Path) -> Game:
    """A finite game, whose files cite by ``Gale 1974`` in the comment at their head."""
    text = _INCLUDED.sub(
        lambda found: path.with_name(found[1]).read_text("utf-8"), path.read_text()
    )
    about = _head(text, ";%")
    named = re.sub("[()]", "", about)
    cited = tuple(key for key, reference in references().items() if short(reference) in named)
    return Game(entry.name, entry.title, cited, text, about, ("tree",))


def _head(text: str, marks: str) -> str:
    """The comment at the head of a file, whose lines begin with one of the ``marks``."""
    lines = takewhile(lambda line: line.startswith(tuple(marks)), text.splitlines())
    return " ".join(" ".join(line.lstrip(f"{marks} ") for line in lines).split())


def short(reference: Reference) -> str:
    """``Fraenkel and Lorberbom 1991``."""
    names = [name.split(",")[0] for name in reference.fields["author"].split(" and ")]
    shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"{shown} {reference.fields['year']}"


class Kept(NamedTuple):
    """What is known of a question.

    ``said`` is the report as HTML, ``file`` the value of the answer's file where it is proved,
    ``coq`` the theorem for Coq, empty where there is none in time, and ``values`` the first ones of
    heaps.  Of a finite game ``says`` is who wins in a few words; ``parts`` are more of the page,
    each with its heading and HTML.
    """

    said: str
    file: dict[str, Any] | None = None
    coq: str = ""
    values: Sequence[int] = ()
    says: str = ""
    parts: Sequence[tuple[str, str]] = ()

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
    if asked == "tree":
        return _of_finite(FiniteSpec(name), min(seconds, _FINITE))
    loaded = icgsynth.load(name, kind=Loaded)
    if asked == "rows":
        return _of_rows(loaded, seconds)
    try:
        with _at_most(seconds):
            if asked == "value":
                answer: Any = loaded.values(seconds)
            else:
                answer = loaded.solve(asked, seconds)
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


def _of_rows(loaded: Loaded, seconds: float) -> Kept:
    """Who wins any number of piles, or the values of heaps."""
    subject = loaded.subject
    is_piles = isinstance(loaded.game, PileGame)
    question = subject.to_solve("normal") if is_piles else subject.to_value(AskedValue())
    with _at_most(seconds):
        answer = question.answer(seconds)
    told, values = question.shown(answer), []
    if isinstance(answer, HeapGameAnswer):
        values = list(takewhile(lambda v: v != NO_HEAP, _of_heaps(answer)))
    report = told.report()
    parts = () if isinstance(report, str) else report
    said = as_html(tuple(part for part in parts if not isinstance(part, Title)))
    is_proved = told.verdict is Verdict.PROVED
    return Kept(said, told.value() if is_proved else None, values=values)


def _of_heaps(answer: HeapGameAnswer) -> Iterator[int]:
    """The first values, from the first legal heap on."""
    found = (answer.by_code or answer).first(_HEAPS)
    return dropwhile(lambda value: value == NO_HEAP, found)


# --- finite games --------------------------------------------------------------------------------


def _of_finite(game: FiniteSpec, seconds: float) -> Kept:
    """Who wins from the start, a short tree, and positions to begin with."""
    warm(silent)  # compiling is no part of the search
    table = TreeTable(game, Setting(), None, None, Budget(seconds), silent)
    try:
        with _at_most(seconds):
            arena = table.arena
    except IcgError as error:
        return Kept(f"<p>The game is not solved, and nothing is claimed: {escape(str(error))}.</p>")
    with suppress(IcgError), _at_most(seconds):  # the tree that is the best so far is kept
        table.take(search(table.workshop, table.left, better=table.better))
    says, said = _start(arena)
    play = game.play
    assert isinstance(play, FiniteGame)
    parts = [("Positions to begin with", _positions(arena, play))]
    if (found := table.found) is None:
        none = f"<p>No tree that plays best was found in {seconds:g} s.</p>"
        return Kept(said + none, says=says, parts=parts)
    made = Made(table, found)

    def file(name: str) -> Any:
        return to_make(game, Setting(), None, None, name, None).shown(made).drawings()[name]

    picture = file("tree.svg")
    told = escape(found.text(""))
    tree = (
        f'<div class="wide">{picture[picture.index("<svg") :]}</div>'
        f"<details><summary>How it was found and checked</summary><pre>{told}</pre></details>"
    )
    value = json.loads(file("tree.json"))
    return Kept(said, value, says=says, parts=[("The tree", tree), *parts])


def _start(arena: Arena) -> tuple[str, str]:
    """Who wins under best play, in a few words and as HTML."""
    first, second = arena.roles
    value, moves = int(arena.value[0]), int(arena.distance[0])
    says = {1: f"{first}, who begins, wins", -1: f"{second}, the second, wins", 0: "a draw"}[value]
    lasts = f", by move {moves} of both together" * (value != 0)
    states, before = int(arena.orbit.sum()), int(arena.orbit[arena.mover >= 0].sum())
    return says, (
        f"<p>The players are {escape(first)}, who begins, and {escape(second)}.  Play reaches "
        f"{states:,} positions, {before:,} of them before the end, and all of them are solved.  "
        f"With the best play of both from the start: <strong>{escape(says)}</strong>{lasts}.</p>"
    )


def _positions(arena: Arena, game: FiniteGame) -> str:
    """Some won positions, from easy to hard, with their answers; none where no board is drawn."""
    if finite_board(game).kind == "facts":
        return ""
    graph, wanted = SolvedGame(arena, game), TasksWanted(count=_STARTS)
    report = TaskSheet(*tasks(graph, wanted), wanted, graph)
    shown = []
    for task, (draw, answer) in zip(report.found, report.sheet().positions, strict=True):
        page = Page(_PICTURE)
        draw(page, Frame(8, 8, _PICTURE[0] - 16, _PICTURE[1] - 16), False)
        said = "".join(f"<p>{escape(line.text)}</p>" for line in answer)
        shown.append(
            f"<figure>{svg([page], report.say(task))}<figcaption>{task.level}</figcaption>"
            f"<details><summary>Answer</summary>{said}</details></figure>"
        )
    asked = (
        "<p>Whoever is to move wins: with the best play of both that takes three of their moves.  "
        "Easy and hard are for one who looks two rounds ahead, against one who looks three.</p>"
    )
    return f'{asked}<div class="positions">{"".join(shown)}</div>' if shown else ""


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

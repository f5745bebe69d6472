"""The pages of one game, and what the list of all games says of it.

``NAME.html`` is on normal play, and has all that is not of one rule of play: values, sources.
``NAME-misere.html`` is on misère play.  A proved answer is a page with a board, as ``icgsynth
export --to html`` writes it, with more above and below the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from html import escape, unescape
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

import icgsynth
from experiments.encyclopedia.answers import Asked, Game, Kept, short
from icgsynth.boards.fft.tree_page import tree_page
from icgsynth.boards.fft.tree_questions import tree_answer
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.explicit.labels import label
from icgsynth.export.json import indented
from icgsynth.export.panels import LOSING, UNKNOWN, Table
from icgsynth.export.sentences import in_prose, rules_in_words
from icgsynth.export.svg import table_svg
from icgsynth.families.rules.theorem_catalog import theorem_entries
from icgsynth.formats.page.impartial_page import impartial_page
from icgsynth.formats.page.whole_page import Words, code, whole_page
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.legal_numbers import beginning
from icgsynth.game.solution import Solution
from icgsynth.heaps.rules.heap_answer_file import read_heap_answer
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heaps import HeapAnswer
from icgsynth.heaps.text.heap_table import heap_picture
from icgsynth.logic import term as t
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer
from icgsynth.studio.references import references

LIST = "index.html"
_FILES = "files"  # the folder of what can be downloaded, beside the pages
_BOUNDS = {1: 60, 2: 20, 3: 5}  # of the box that is played out, by the number of variables
_OF_MORE = 3
_SECONDS = 20.0  # for quantifiers, and for the values of the box
_LISTED = 16  # losing positions on a page
_VALUES = 40  # first values on a page
_PICTURED = 120  # heaps in a picture
_KEY = re.compile(r"\[(\w+)\]")
_DRAWN = re.compile("<style>(.*?)</style>", re.DOTALL)  # of a picture, which the page must allow
_PLAY: dict[Asked, str] = {"normal": "Normal play", "misere": "Misère play"}
_DARK = (Path(icgsynth.__file__).parent / "export/table.css").read_text("utf-8")
_STYLE = (
    Path(__file__).with_name("around.css").read_text("utf-8")
    + f"@media screen and (prefers-color-scheme: dark) {{\n{_DARK}}}\n"
)
_ENDS: dict[Asked, str] = {"normal": "who cannot move loses", "misere": "who cannot move wins"}


@dataclass(frozen=True)
class Entry:
    """What the list says of a game, and what it is found by.

    ``losing`` are the losing positions of a box for each rule of play, ``values`` the first Grundy
    values; both by the sum of the numbers, then by the numbers.  ``says`` is who loses, or how the
    values repeat; empty where nothing is proved.
    """

    name: str
    title: str
    sources: str
    words: str
    says: str
    losing: dict[str, list[State]]
    values: list[int]


def write_pages(game: Game, known: dict[Asked, Kept], folder: Path) -> Entry:
    """Write the pages of a game into the ``folder``; what the list says of it."""
    (folder / _FILES).mkdir(parents=True, exist_ok=True)
    kinds: dict[Asked, type[_Pages]] = {"value": _Heaps, "rows": _Rows, "tree": _Finite}
    return kinds.get(game.asked[0], _Impartial)(game, known, folder).write()


@dataclass(frozen=True)
class _Pages:
    """What the pages of all games have in common."""

    game: Game
    known: dict[Asked, Kept]
    folder: Path

    def write(self) -> Entry:
        """Write the pages; what the list says of them."""
        raise NotImplementedError

    def put(self, asked: Asked, page: str) -> None:
        (self.folder / address(self.game, asked)).write_text(page, "utf-8")

    def entry(self, says: str, losing: dict[str, list[State]], values: list[int]) -> Entry:
        game, cited = self.game, [references()[key] for key in self.game.citations]
        words = [game.name, game.title, game.about, *(ref.text() for ref in cited)]
        return Entry(
            game.name,
            game.title,
            "; ".join(map(short, cited)),
            " ".join(words),
            says,
            losing,
            values,
        )

    def without_board(
        self,
        asked: Asked,
        standing: str,
        below: str,
        rules: str = "",
        subtitle: str = "Normal play: who cannot move loses.",
    ) -> None:
        """Write a page that says what is known, and has no board."""
        words = Words(
            title=self.game.title,
            subtitle=subtitle,
            theorem=(),
            advice="",
            strategy=(),
            standing=standing,
            rules=rules,
            above=_navigation(self.game, asked)
            + _panel("Rules", f"<p>{escape(self.game.about)}</p>"),
            below=below,
            style=_STYLE,
        )
        self.put(asked, whole_page(words, (), ""))

    def sources(self) -> str:
        """The references in full."""
        return _panel("Sources", _listed(map(_reference, self.game.citations)))

    def files(self, asked: Asked) -> str:
        """The answer and its Coq file, written and linked; and how to prove it again."""
        kept, game = self.known[asked], self.game
        if kept.file is None:
            return ""
        made = [("The answer", "json", indented(kept.file))]
        if kept.coq:
            made.append(("The theorem with its proof, for Coq", "v", kept.coq))
        links = []
        for what, ending, text in made:
            name = f"{_FILES}/{game.name}-{asked}.{ending}"
            (self.folder / name).write_text(text, "utf-8")
            links.append(f'<a href="{name}" download>{what}</a> ({len(text) // 1000 + 1} kB)')
        spec = game.rules if game.is_heaps else game.name
        proves = code(f"icgsynth verify {spec} {game.name}-{asked}.json")
        return _listed([*links, f"{proves} proves the answer again."])


class _Heaps(_Pages):
    """Heaps that split: values alone."""

    def write(self) -> Entry:
        game, kept = self.game, self.known["value"]
        if kept.file is None:
            answer = HeapAnswer(read_code(game.rules), np.array(kept.values), None, False)
        else:
            answer = read_heap_answer(kept.source(game.name))
        picture = table_svg(heap_picture(answer, min(_PICTURED, len(kept.values))), False)
        standing = "<p>No period is proved.</p>" * (kept.file is None) + kept.said
        below = _panel("Values of the heaps", _picture(picture)) + self.sources()
        self.without_board("value", standing, below + _panel("Files", self.files("value")))
        says = ""
        if kept.file is not None:
            rises = f" + {kept.file['saltus']}" if kept.file["saltus"] else ""
            law = f"G(n + {kept.file['period']}) = G(n){rises}"
            says = f"{law} for n >= {kept.file['preperiod']}"
        return self.entry(says, {}, list(kept.values))


class _Rows(_Pages):
    """Rows of any number of heaps or piles, by rules: what is said of all of them."""

    def write(self) -> Entry:
        game, kept = self.game, self.known["rows"]
        self.without_board("rows", kept.said, self.sources(), game.rules)
        proved = "the values of all heaps" if kept.values else "who wins any number of piles"
        return self.entry(proved * (kept.file is not None), {}, list(kept.values))


class _Finite(_Pages):
    """A finite game: who wins from the start, and a tree that plays best, where one is known."""

    def write(self) -> Entry:
        game, kept = self.game, self.known["tree"]
        parts = [_panel(heading, content, "beside") for heading, content in kept.parts]
        below = "".join([*parts, self.sources(), _panel("Files", self.files("tree"))])
        below, styles = _DRAWN.sub("", below), map(unescape, _DRAWN.findall(below))
        if kept.file is None:
            self.without_board("tree", kept.said, below, game.rules, "A finite game.")
            return self.entry(kept.says, {}, [])
        rules = _panel("Rules", f"<p>{escape(game.about)}</p>") + _panel("Who wins", kept.said)
        around = {"title": game.title, "above": _navigation(game, "tree") + rules, "below": below}
        answer = tree_answer(game.name, kept.source(game.name))
        self.put(
            "tree", tree_page(answer, rules=game.rules, style=_STYLE + "".join(styles), **around)
        )
        return self.entry(kept.says, {}, [])


class _Impartial(_Pages):
    """A game over integer states, also one with options that may be forbidden."""

    def write(self) -> Entry:
        rules: tuple[PlayRule, ...] = ("normal", "misere")
        losing = {str(rule): self._page(rule) for rule in rules if rule in self.known}
        solution = self._solution("normal")
        says = "" if solution is None else f"loses iff {t.spell(solution.losing_formula)}"
        return self.entry(says, losing, self._first_values)

    @cached_property
    def _written(self) -> ParametricGame:
        return load_spec(Source(self.game.name, self.game.rules), {}, blocking=True)

    @cached_property
    def _plain(self) -> ParametricGame:
        return eliminate_quantifiers(self._written, Budget(_SECONDS))

    @cached_property
    def _box(self) -> Box:
        return Box.of(self._plain, _BOUNDS.get(len(self._written.variables), _OF_MORE))

    def _solution(self, rule: PlayRule) -> Solution | None:
        """The proved answer."""
        kept = self.known[rule]
        return None if kept.file is None else read_solution(kept.source(self.game.name))

    def _page(self, rule: PlayRule) -> list[State]:
        """Write the page on a rule of play; its losing positions in the box."""
        solution, table = self._solution(rule), self._table(rule)
        above, below = self._above(rule), self._below(rule, table)
        page = ""
        # On the board no option is forbidden and no state is drawn.
        if solution is not None and solution.draws is None and not solution.game.block:
            with suppress(IcgError):  # of rules that a page cannot say
                page = impartial_page(solution, above=above, below=below, style=_STYLE)
        self.put(rule, page or self._without_board(rule, above, below))
        return _losing(table, solution is not None)

    def _without_board(self, rule: PlayRule, above: str, below: str) -> str:
        words = Words(
            title=in_prose(self._written),
            subtitle=f"{_PLAY[rule]}: {_ENDS[rule]}.",
            theorem=(),
            advice="",
            strategy=(),
            standing=self.known[rule].said,
            rules=self.game.rules,
            above=above,
            below=below,
            style=_STYLE,
        )
        return whole_page(words, (), "")

    def _above(self, rule: PlayRule) -> str:
        said = _listed(map(escape, rules_in_words(self._written)))
        rules = f"<p>{escape(self.game.about)}</p>{said}"
        return _navigation(self.game, rule) + _panel("Rules", rules)

    def _below(self, rule: PlayRule, table: Table) -> str:
        losing = _losing(table, self.known[rule].file is not None)
        first = ", ".join(map(_position, losing[:_LISTED]))
        told = f"<p>The first ones: {first}{', ..' * (len(losing) > _LISTED)}</p>" * bool(losing)
        parts = [_panel("Losing positions", told + _picture(table_svg(table, False)), "beside")]
        if rule == "normal" and "value" in self.known:
            parts.append(self._values())
        if theorems := "".join(self._theorems(rule)):
            again = f"<p>{code('python -m experiments theorems')} proves this again.</p>"
            parts.append(_panel("The whole family", theorems + again))
        parts.append(self.sources())
        parts.append(_panel("Files", self.files(rule)))
        return "".join(parts)

    def _table(self, rule: PlayRule) -> Table:
        labels = label(self._plain, self._box, rule)
        table = Table.of(self._written, rule, labels)
        solution = self._solution(rule)
        return table if solution is None else table.completed(solution)

    # --- Grundy values ---

    def _values(self) -> str:
        values, several = self._first_values, len(self._written.variables) > 1
        first = ""
        if values:
            order = ", by the sum of the numbers and then by the first"
            if not several:
                states = self._box.states[_in_order(self._box.states), 0].tolist()
                order = (
                    f", {beginning(self._written.variables[0], states[: len(values)][:_VALUES])}"
                )
            shown = ", ".join(map(str, values[:_VALUES]))
            first = f"<p>The first values{order}: {shown}, ..</p>"
        kept = self.known["value"]
        said = kept.said
        if kept.file is None:
            tried = f"<details><summary>What was tried</summary>{said}</details>"
            said = f"<p>No formula of the values is proved.</p>{tried}"
        return _panel("Grundy values", said + first + self.files("value"), "beside")

    @cached_property
    def _first_values(self) -> list[int]:
        """Up to the first that is not known."""
        if "value" not in self.known:
            return []
        states = self._box.states
        try:
            values = box_values(self._plain, self._box, Budget(_SECONDS)).values.tolist()
        except IcgError:
            return []
        kept, found = self.known["value"], list[int]()
        function = None if kept.file is None else read_value_answer(kept.source(self.game.name))
        for row in _in_order(states):
            value = values[row]
            if value == UNKNOWN:
                if function is None:
                    break
                value = function(tuple(states[row].tolist()))
            found.append(value)
        return found

    # --- theorems ---

    def _theorems(self, rule: PlayRule) -> Iterator[str]:
        """What the catalog has of all members of the family."""
        for entry in theorem_entries():
            if (entry["game"], entry["rule"]) != (self.game.name, rule):
                continue
            fixed = "".join(f", {name} = {value}" for name, value in entry["fixed"].items())
            source = _KEY.sub(lambda found: short(references()[found[1]]), entry["source"])
            yield (
                f"<p>For every {code(entry['for'] + fixed)}: whoever is to move loses if and only "
                f"if {code(entry['losing']['formula'])}.</p>"
                f"{_listed(map(_rule, entry['strategy']), 'ol')}"
                f"<p>Known from: {escape(source) or 'no source that we know of'}.</p>"
            )


def address(game: Game, asked: Asked) -> str:
    """The file of the page."""
    return f"{game.name}{'-misere' * (asked == 'misere')}.html"


# --- parts of pages ------------------------------------------------------------------------------


def _navigation(game: Game, here: Asked) -> str:
    """The way to the list, and to the other rule of play."""
    links = [f'<a class="button" href="{LIST}">All games</a>']
    for asked in game.asked:
        if asked in _PLAY and "misere" in game.asked:
            current = ' aria-current="page"' if asked == here else ""
            to = escape(address(game, asked))
            links.append(f'<a class="button" href="{to}"{current}>{_PLAY[asked]}</a>')
    return f'<nav class="bar-of-buttons" aria-label="Pages">{"".join(links)}</nav>'


def _panel(heading: str, content: str, where: str = "") -> str:
    """A part of the page; nothing where there is no content."""
    head = f'<section class="panel {where}"><h2>{heading}</h2>'
    return f"{head}{content}</section>" if content else ""


def _listed(items: Iterable[str], kind: str = "ul") -> str:
    shown = "".join(f"<li>{item}</li>" for item in items)
    return f'<{kind} class="rules">{shown}</{kind}>' if shown else ""


def _picture(svg: str) -> str:
    return f'<div class="wide">{svg[svg.index("<svg") :]}</div>'


def _reference(key: str) -> str:
    reference = references()[key]
    links = (f'<a href="{escape(to)}">{escape(name)}</a>' for name, to in reference.links.items())
    return ". ".join([escape(reference.text()), *links]) + "."


def _rule(rule: dict[str, Any]) -> str:
    return code(f"if {rule['when']}: {rule['action']}({', '.join(rule['args'].values())})")


def _position(state: State) -> str:
    return f"({','.join(map(str, state))})" if len(state) > 1 else str(state[0])


def _in_order(states: np.ndarray[Any, Any]) -> list[int]:
    """The rows by the sum of their numbers without signs, and then by the numbers."""
    rows = [tuple(row) for row in states.tolist()]
    return sorted(range(len(rows)), key=lambda row: (sum(map(abs, rows[row])), rows[row]))


def _losing(table: Table, is_proved: bool) -> list[State]:
    """The losing states of the table, in order; up to the first of which nothing is known."""
    states, outcome = table.states.tolist(), table.outcome
    order = _in_order(table.states)
    if not is_proved:
        order = list(takewhile(lambda row: outcome[row] != UNKNOWN, order))
    return [tuple(states[row]) for row in order if outcome[row] == LOSING]

"""The encyclopedia: a page for each game, and a list that is searched.

The pages of eight games are made by the command's own functions: two with an answer, one that may
forbid options, one that no answer is found of in time, heaps that split, rows of heaps and of piles
by rules, and a finite game.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("icgsynth.studio", reason="its pages are made of parts of the studio's")

from experiments.encyclopedia import answers as of_games
from experiments.encyclopedia import build, links
from experiments.encyclopedia.answers import games, kept
from experiments.encyclopedia.pages import write_pages
from icgsynth.boards.fft.tree_questions import Setting, to_judge
from icgsynth.boards.subject.finite_spec import FiniteSpec
from icgsynth.errors import BudgetSpent
from icgsynth.spec.source import Source

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = (
    *("take_away", "blocking_nim", "triangle_game", "kayles", "subtraction_134"),
    *("lasker_nim", "moore_nim", "chomp"),
)
GAMES = {game.name: game for game in games() if game.name in NAMES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages; of no answer more than five seconds' search, and less where none is found."""
    base, searched = tmp_path_factory.mktemp("encyclopedia"), of_games._found

    def found(name: str, asked: of_games.Asked, seconds: float) -> of_games.Kept:
        return searched(name, asked, 0.3 if name == "triangle_game" else seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_games, "_found", found)
        build(list(GAMES.values()), base / "pages", base / "answers", 5.0, 1)
    return base / "pages"


def page(folder: Path, name: str) -> str:
    return (folder / name).read_text("utf-8")


def entries(folder: Path) -> dict[str, dict]:
    text = page(folder, "games.js").removeprefix("const GAMES = ").removesuffix(";\n")
    return {entry["name"]: entry for entry in json.loads(text)}


def test_every_game_of_the_catalog_has_a_page_and_every_link_leads_somewhere(folder):
    """Faults it sees: a page that is not written, a file that is linked and missing, a name that a
    link spells in another way than the file."""
    assert links(folder) > len(GAMES)
    linked = set(re.findall(r'<li id="([^"]+)"', page(folder, "index.html")))
    assert linked == set(GAMES) == set(entries(folder))


def test_a_page_has_what_is_known_of_the_game(folder):
    """Take-away is known: of n = 3 the multiples of 4 are lost, and the value is the rest.

    Faults it sees: a part that is left out, the answer of the other rule of play, the theorem of
    another rule or family."""
    normal, misere = page(folder, "take_away.html"), page(folder, "take_away-misere.html")
    assert "loses if and only if <code>v mod 4 = 0</code>" in normal
    assert "loses if and only if <code>v mod 4 = 1</code>" in misere
    for text, lost, other in ((normal, "0, 4, 8, 12", "1, 5, 9"), (misere, "1, 5, 9, 13", "0, 4")):
        assert f"The first ones: {lost}, " in text and f"The first ones: {other}" not in text
        assert 'id="play"' in text and "<svg" in text and "Ferguson" in text
    assert (
        "g(v) = v mod 4" in normal and "The first values, from v = 0 on: 0, 1, 2, 3, 0, " in normal
    )
    assert "<code>v mod (n + 1) = 0</code>" in normal and "<code>v mod (n + 1) = 1<" not in normal
    assert "<code>v mod (n + 1) = 1</code>" in misere and "<code>v mod (n + 1) = 0<" not in misere
    for asked in ("normal", "misere", "value"):
        assert "Theorem" in (folder / f"files/take_away-{asked}.v").read_text("utf-8")


def test_of_a_game_without_an_answer_the_page_claims_nothing(folder):
    """Faults it sees: a board or a formula where nothing is proved, a file of no answer."""
    text = page(folder, "triangle_game.html")
    assert "Nothing is claimed" in text and "if and only if" not in text
    assert 'id="play"' not in text and "✓" not in text and "<svg" in text
    assert entries(folder)["triangle_game"]["says"] == ""
    assert not list((folder / "files").glob("triangle_game*"))


def test_blocking_games_and_heaps_have_pages_without_a_board(folder):
    """Faults it sees: a kind of game that is left out; a board, which forbids no option, or values
    of a game where options may be forbidden; heaps without their period."""
    blocking, kayles = page(folder, "blocking_nim.html"), page(folder, "kayles.html")
    assert 'id="play"' not in blocking + kayles
    assert "a - b in {-1, 1}" in blocking and "Misère" not in blocking
    assert "Grundy values" not in blocking and entries(folder)["blocking_nim"]["values"] == []
    assert entries(folder)["kayles"]["says"] == "G(n + 12) = G(n) for n >= 71"
    assert "take 1 or 2 from a heap" in kayles and "Guy" in kayles


def test_rows_of_heaps_and_of_piles_have_pages(folder):
    """Lasker's Nim has the values 0, 1, 2, 4, 3, 5, 6, 8, 7 (Winning Ways); Moore's condition.

    Faults it sees: a kind of rules that is left out, a page without what is proved."""
    assert entries(folder)["lasker_nim"]["values"][:9] == [0, 1, 2, 4, 3, 5, 6, 8, 7]
    assert "G(0), G(1)" in page(folder, "lasker_nim.html")
    moore = page(folder, "moore_nim.html")
    assert "binary place" in moore and "Moore" in moore and entries(folder)["moore_nim"]["says"]


def test_a_finite_game_has_who_wins_a_tree_and_positions(folder):
    """Chomp is won by who begins (Gale 1974: a strategy that is stolen).

    There are 35 bars of three rows by four, C(7, 3) paths along their edges; each comes up with
    either player to move, but for the whole bar and for that without its last corner.
    Faults it sees: the winner of the other side, a tree that gives the win away, a picture whose
    colours the policy of the page forbids, a source that is cited in the comment and not listed."""
    text = page(folder, "chomp.html")
    assert "<strong>player1, who begins, wins</strong>" in text and "Play reaches 68 pos" in text
    assert entries(folder)["chomp"]["says"] == "player1, who begins, wins"
    assert 'id="play"' in text and 'class="drawn-tree"' in text and "A curious Nim-type" in text
    assert text.count("<figure>") == 6 and text.count("<style>") == 1
    tree = Source.read(folder / "files/chomp-tree.json")
    assert to_judge(FiniteSpec("chomp"), Setting(), tree).answer().strongly


def test_of_a_finite_game_that_is_not_solved_in_time_nothing_is_claimed(tmp_path):
    """Faults it sees: a tree, a winner or a board of a game that was not solved."""
    game = next(game for game in games() if game.name == "tictactoe")
    known = kept(game, "tree", tmp_path, 0.0)
    assert (known.file, known.says, known.parts) == (None, "", ())
    entry = write_pages(game, {"tree": known}, tmp_path)
    text = page(tmp_path, "tictactoe.html")
    assert "nothing is claimed" in text and 'id="play"' not in text and entry.says == ""
    assert "Three in a row wins" in text and "Winning Ways" in text


def test_a_link_that_leads_nowhere_is_told(tmp_path):
    """Faults it sees: links that are counted and not looked at."""
    (tmp_path / "one.html").write_text('<a href="one.html"></a> <a href="two.html"></a>', "utf-8")
    with pytest.raises(FileNotFoundError, match=r"two\.html"):
        links(tmp_path)


def test_an_answer_is_asked_for_once_and_again_where_the_rules_change(folder, monkeypatch):
    """Faults it sees: answers that are not kept, or kept for other rules; what was unknown in few
    seconds taken for unknown in more."""
    answers = folder.parent / "answers"
    asked: list[str] = []

    def found(name: str, *_: object) -> of_games.Kept:
        asked.append(name)
        return of_games.Kept("new")

    monkeypatch.setattr(of_games, "_found", found)
    game, unknown = GAMES["take_away"], GAMES["triangle_game"]
    assert kept(game, "normal", answers, 5.0).file and kept(unknown, "normal", answers, 5.0).said
    assert kept(game, "normal", answers, 9.0).file
    assert asked == []
    other = replace(game, rules=game.rules.replace("n = 3", "n = 4"))
    assert kept(other, "normal", answers, 5.0).said == "new"
    assert kept(unknown, "normal", answers, 9.0).said == "new"
    assert asked == ["take_away", "triangle_game"]


def test_a_search_that_drops_the_interruption_is_interrupted_all_the_same(monkeypatch):
    """A solver's callback printed it and went on, another raised an error of its own.

    Faults it sees: an alarm that comes once, an error of the solver in the place of what is said.
    """
    monkeypatch.setattr(of_games, "_GRACE", 0.0)
    dropped = 0
    with pytest.raises(BudgetSpent), of_games._at_most(0.01):
        while True:
            try:
                signal.pause()
            except BudgetSpent:
                dropped += 1
                if dropped > 1:
                    raise ValueError("the callback failed") from None
    assert dropped == 2


@pytest.fixture(scope="module")
def search(browser: Browser, folder: Path) -> Callable[[str], list[str]]:
    """Types into the list's field; the games that are shown, from above."""
    view = browser.new_page()
    view.goto((folder / "index.html").as_uri())

    def typed(query: str) -> list[str]:
        view.fill("#query", query)
        shown = view.locator("#games li:visible")
        return [item.get_attribute("id") for item in shown.all()]

    return typed


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("take-away counters", {"take_away"}),
        ("LARSSON 2011", {"blocking_nim"}),
        ("0.77", {"kayles"}),
        ("chomp gale", {"chomp"}),
        ("0, 1, 2, 3, 0, ..", {"take_away"}),
        ("0 1 2 3 1", {"kayles"}),
        ("4, 8, 12", {"take_away"}),
        ("1, 5, 9", {"take_away"}),
        ("(1,2) (2, 3)", {"blocking_nim"}),
        ("(1,2) (2,2)", set()),
        ("1, 2, 3", {"take_away", "kayles", "subtraction_134"}),
        ("2, 16", set()),
        ("16, 2", set()),
        ("", set(NAMES)),
    ],
)
def test_a_game_is_found_by_words_numbers_and_positions(query, names, search):
    """Faults it sees: capital letters or signs that count, numbers found inside longer numbers
    (2, 16 in 12, 16), dots at the end taken for a number, positions of which one is not lost."""
    assert set(search(query)) == names


def test_where_the_numbers_stand_earlier_stands_first(search):
    """The values are 0, 1, 2, 3, 1, 4, 3, 2, .. of Kayles, 0, 1, 0, 1, 2, 3, 2, .. of {1, 3, 4}.

    Faults it sees: games in the order of the list where the numbers stand earlier in another, an
    order that stays when the field is empty again."""
    before = search("")
    assert before.index("kayles") < before.index("subtraction_134")
    assert search("3, 2") == ["subtraction_134", "kayles"]
    assert search("") == before

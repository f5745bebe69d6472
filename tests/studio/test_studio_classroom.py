"""The studio in a lesson, in Chromium: a large board, one way to say moves, sliders, values."""

from __future__ import annotations

import re

import pytest
from axe_here import faults
from hand_solved import chomp
from studio_here import DESK, PHONE, at, has, hurry, until

from icgsynth.cli import run
from icgsynth.export import export
from icgsynth.spec.catalog import catalog_dir

pytestmark = pytest.mark.slow

OWN = """game mine "My game"
const n = 3
var v
legal v >= 0
action take(k) pre 1 <= k <= n and k <= v eff v := v - k
"""
PAGES = {
    "play": "/play#game=nim2&state=5,3&players=human,human",
    "board": "/play#game=tictactoe&players=human,human",
    "rules": "/rules#game=take_away",
    "build": "/build#game=chomp_2row",
    "tree": "/build#game=tictactoe",
    "gallery": "/gallery#search=nim+two",
    "puzzles": "/puzzles#game=tictactoe&moves=2",
    "automaton": "/automaton#game=wythoff&state=6,10",
    "values": "/values#game=nim2",
}
READY = {
    "play": "#strategy summary",
    "board": "#tree-1 button",
    "rules": "#answer .rules",
    "build": "#verify:enabled",
    "tree": "#verify:enabled",
    "gallery": ".card:visible svg",
    "puzzles": "#one",
    "automaton": "#drawn svg",
    "values": "#table svg",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(PAGES))
def test_axe_finds_nothing_on_any_page_and_it_fits_a_phone(page, name, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto("about:blank")
    page.goto(PAGES[name])
    page.locator(READY[name]).first.wait_for()
    if name == "play":
        page.get_by_text("Show the strategy").click()
    if name in ("play", "board"):
        page.locator("#values").check()
        page.locator(".moves .tag").first.wait_for()
    assert not faults(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert not faults(page)


def place_of(part):
    """Where it is on the page; a board that is drawn anew is gone for a moment."""
    while (found := part.bounding_box()) is None:
        part.wait_for()
    return found


@pytest.mark.parametrize(
    ("shown", "part"),
    [(PAGES["board"], ".cell"), (PAGES["play"], ".counter"), (PAGES["puzzles"], ".cell")],
)
def test_a_board_fills_the_screen_and_is_played_there(page, shown, part):
    page.goto("about:blank")
    page.goto(shown)
    board = page.locator(f"#board {part}").first
    before = place_of(board)
    page.get_by_role("button", name="Large board").click()
    page.get_by_role("button", name="Small board").wait_for()
    after = place_of(board)
    assert after["width"] > 1.4 * before["width"]
    assert after["y"] + after["height"] <= DESK["height"]
    page.locator("#board .spot").first.click()
    page.locator("#history li, #verdict:not(:empty)").first.wait_for()
    page.get_by_role("button", name="Small board").click()
    page.get_by_role("button", name="Large board").wait_for()
    assert abs(place_of(board)["width"] - before["width"]) < 2


@pytest.mark.parametrize(
    ("game", "state", "board"),
    [
        ("nim2", "12,9", "piles"),
        ("chomp_2row", "12,8", "squares"),
        ("nim2", "12,9", "lattice"),
        ("sim", "", ""),
    ],
)
def test_a_badge_holds_its_number(page, game, state, board):
    """Faults it sees: a sign of three or four letters that stands out of its counter or line."""

    def far(route):
        answer = route.fetch().json()
        for number, move in enumerate(answer["moves"].values()):
            move |= {"value": "loss", "distance": 113 if number % 2 else 13}
        route.fulfill(json=answer)

    page.route("**/play/worth", far)
    at(page, "/play", game=game, state=state, kind=board, players="human,human")
    page.locator("#strategy p, #strategy button").first.wait_for()
    page.locator("#values").check()
    page.locator(".moves .tag").first.wait_for()
    out = page.evaluate(
        """() => [...document.querySelectorAll(".counter, .square, .point, .edge")].map(node => {
          const text = node.querySelector(".sign, text");
          const on = node.matches(".edge") ? node.querySelector(".plate") : node;
          if (!text || !text.textContent || !on) return null;
          const [inner, outer] = [text, on].map(each => each.getBoundingClientRect());
          const share = node.matches(".counter") ? 0.8 : 1; // of a circle
          return inner.width <= share * outer.width + 1 ? null : text.textContent;
        }).filter(Boolean)"""
    )
    assert out == []
    signs = page.locator(".counter .sign, .square .sign, .point text, .edge text")
    assert {"\u221213", "\u2212113"} <= set(signs.all_text_contents())


def test_a_move_is_said_in_the_same_words_wherever_it_is_said(page):
    """In the list, as a hint, in the line of play, and where a win is given away."""
    at(page, "/play", game="wythoff", state="9,4", players="human,human")
    has(page, "#strategy", "Proved")
    buttons = page.locator(".moves button .label").all_inner_texts()
    assert "take 4 from a and 4 from b: a = 5, b = 0" in buttons
    page.locator("#hint").click()
    hint = page.locator("#hinted").inner_text()
    said = page.locator(".moves button.hint .label").inner_text()
    assert hint.startswith(f"Hint: {said}. It wins")
    page.locator(".moves button", has_text="take 4 from a and 4 from b").click()
    has(page, "#history button", "first player: take 4 from a and 4 from b: a = 5, b = 0")
    has(page, "#history .gave", said)
    assert re.search(r"line=take_both%284%29", page.url)


def test_rules_are_solved_only_after_they_were_looked_at(page):
    """Fault it sees: rules typed during a check are solved at once; "Play it" is another game."""
    asked = []

    def note(request):
        if request.url.endswith(("/rules/check", "/play/solve")):
            asked.append((request.url.rpartition("/")[2], request.post_data_json["game"]))

    held = []
    page.on("request", note)
    page.route("**/rules/check", lambda route: held.append(route), times=1)
    page.goto("/rules")
    until(page, lambda: held)
    page.locator("#text").fill(OWN)
    held[0].continue_()
    has(page, "#answer", "v mod 4 = 0")
    page.locator("#play").click()
    page.wait_for_url("**/play#rules=*")
    games = {"check": None}
    for what, game in asked:
        assert games["check"] in (None, game) or what == "check"
        games[what] = game


def test_a_lesson_from_ones_own_rules_to_the_link_loses_nothing(page):
    """Fault it sees: what was said of a move is gone once another page was looked at."""
    page.goto("/rules")
    page.locator("#text").fill(OWN)
    has(page, "#answer", "v mod 4 = 0")
    page.locator("#play").click()
    has(page, "#strategy", "Proved")
    page.locator(".moves button").first.click()
    has(page, "#history li:nth-child(2)", "second player: take")
    told, link = page.locator("#history").inner_text(), page.url
    for ending, words in (("pdf", "A sheet for a class (PDF)"), ("html", "A page to play (HTML)")):
        page.locator("#save summary").click()
        with page.expect_download() as file:
            page.get_by_role("button", name=words).click()
        assert file.value.suggested_filename == f"mine.{ending}"
    menu = page.get_by_role("navigation")
    menu.get_by_role("link", name="Build and verify").click()
    page.locator("#verify:enabled").click()
    has(page, "#standing", "proved")
    menu.get_by_role("link", name="Play", exact=True).click()
    has(page, "#history li:nth-child(2)", "second player: take")
    assert page.locator("#history").inner_text() == told
    other = page.context.new_page()
    other.goto(link)
    has(other, "#history li:nth-child(2)", "second player: take")
    has(other, "#strategy", "Proved")


def test_five_rules_by_hand_are_verified_and_locked_while_the_rest_is_filled_in(page):
    at(page, "/build", game="tictactoe")
    page.locator("#verify:enabled").wait_for()
    hurry(page)
    rules = [
        ("", "mark(2,2)"),
        ("cell(3,1,o) and not cell(2,3,o)", "mark(2,1)"),
        ("not cell(2,1,o)", "mark(2,3)"),
        ("cell(2,1,x)", "mark(3,1)"),
        ("cell(1,1,x)", "mark(3,3)"),
    ]
    for number, (condition, move) in enumerate(rules, 1):
        page.locator("#add").click()
        page.get_by_label(f"condition of rule {number}").fill(condition)
        page.get_by_label(f"move of rule {number}").fill(move)
    page.locator("#verify").click()
    has(page, "#standing", "strongly optimal")
    for number in (1, 2, 3):
        page.get_by_label(f"Lock rule {number}", exact=True).click()
    for number in (5, 4):
        page.get_by_label(f"Delete rule {number}").click()
    page.locator("#rest").click()
    has(page, "#moved", "added")
    for number, (condition, move) in enumerate(rules[:3], 1):
        assert page.get_by_label(f"condition of rule {number}").input_value() == condition
        assert page.get_by_label(f"move of rule {number}").input_value() == move
    page.locator("#verify").click()
    has(page, "#standing", "strongly optimal")


def test_a_slider_changes_the_game_and_its_picture(page):
    """The losing states of 1 to n counters are the multiples of n + 1."""
    at(page, "/rules", rules=OWN)
    has(page, "#answer", "v mod 4 = 0")
    drawn = page.locator("#table svg").inner_html()
    page.get_by_label("n, as a slider").fill("6")
    has(page, "#answer", "v mod 7 = 0")
    until(page, lambda: page.locator("#table svg").inner_html() != drawn)
    assert page.get_by_label("n =").input_value() == "6" and "set.n=6" in page.url
    page.locator("#play").click()
    has(page, "#strategy", "v mod 7 = 0")
    slider = page.get_by_label("n, as a slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    has(page, "#strategy", "v mod 6 = 0")
    assert slider.evaluate("e => e === document.activeElement")
    page.locator(".moves button").nth(4).wait_for()
    assert page.locator(".moves button").count() == 5
    page.get_by_role("navigation").get_by_role("link", name="Puzzles").click()
    page.locator("#one").wait_for()
    has(page, "#number", "My game")


def test_values_and_sums_have_a_page(page):
    page.goto("/values#game=nim2")
    page.locator("#table svg").wait_for()
    has(page, "#value", "a xor b")
    page.get_by_label("Game or sum").fill("nim2 + 0.77")
    page.get_by_label("At the state").fill("2,3; 8")
    page.get_by_role("button", name="Find the values").click()
    has(page, "#value", "the player to move loses")
    assert page.locator("#table-panel").is_hidden()
    page.get_by_role("navigation").get_by_role("link", name="Play").click()
    has(page, "#title", "Nim on two piles")  # a sum has no board: the game before is kept
    at(page, "/values", rules=OWN)
    has(page, "#value", "v mod 4")
    page.get_by_label("Game or sum").fill("nowhere + nim2")
    page.get_by_role("button", name="Find the values").click()
    has(page, "#fault", "no game")


def test_rules_of_ones_own_have_an_automaton(page):
    rules = (catalog_dir() / "wythoff.icg").read_text("utf-8").replace("game wythoff", "game mine")
    at(page, "/automaton", rules=rules, state="6,10")
    page.locator("#drawn svg").wait_for()
    page.get_by_role("button", name="To the end").click()
    assert page.locator("#verdict").inner_text().endswith(" loses.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_an_exported_page(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto("about:blank")
    page.set_content(export(chomp(), "html"))
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        page.locator(".square").first.wait_for()
        assert not faults(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawn_trees_follow_the_theme(page, scheme, tmp_path):
    """Faults it sees: white paper on a dark page, or dark letters on dark paper."""
    tree = tmp_path / "tree.txt"
    tree.write_text("mark(2,2)\nif cell(1,1,x) and not cell(3,3,o): mark(3,3)\n", "utf-8")
    drawn, learned = tmp_path / "tree.svg", tmp_path / "learned.svg"
    assert run(["fft", "show", "tictactoe", str(tree), "-o", str(drawn), "--quiet"]) == 0
    assert run(["learn", "nim_s", "--method", "pruned", "-o", str(learned), "--quiet"]) == 0
    page.emulate_media(color_scheme=scheme)

    def bright(selector):
        colour = page.locator(selector).first.evaluate("e => getComputedStyle(e).fill")
        return sum(map(int, re.findall(r"\d+", colour))) > 3 * 128

    for picture in (drawn, learned):
        page.goto("about:blank")
        page.set_content(picture.read_text("utf-8"))
        assert bright("svg > rect") == (scheme == "light")
        assert bright("svg > text") == (scheme == "dark")

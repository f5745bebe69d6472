"""Games of one's own in the studio: kept by name in the browser, known to sums, never lost."""

from __future__ import annotations

import socket

import pytest
from studio_here import ask, at, has, hurry, to, until, work

from icgsynth.spec.catalog import catalog_dir
from icgsynth.studio.server import _bind

OWN = """game counters "Take 1, 3 or 4"
var n
legal n >= 0
action take(k) pre k in {1, 3, 4} and k <= n eff n := n - k
"""
MISERE = OWN.replace("var n", "misere\nvar n")
BOARD = """; Two squares.
(role a) (role b) (init (control a)) (init (free 1)) (init (free 2))
(<= (legal ?r (take ?n)) (true (control ?r)) (true (free ?n)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (next (free ?n)) (true (free ?n)) (not (taken ?n)))
(<= (taken ?n) (does ?r (take ?n)))
(<= terminal (not (true (free 1))) (not (true (free 2))))
(<= (goal a 0) (true (control a))) (<= (goal a 100) (true (control b)))
(<= (goal b 100) (true (control a))) (<= (goal b 0) (true (control b)))
"""


def taken(values, number):
    """The least number that is no value of what is left after 1, 3 or 4 counters are taken."""
    after = {values[number - k] for k in (1, 3, 4) if k <= number}
    return next(v for v in range(len(after) + 1) if v not in after)


def lost(number):
    """Whether who is to move loses where taking the last counter loses."""
    return number > 0 and not any(lost(number - k) for k in (1, 3, 4) if k <= number)


@pytest.mark.slow
def test_a_sum_knows_ones_own_games(client):
    """Faults it sees: a name of one's own is looked for in the catalog alone; another value."""
    values = []
    for number in range(8):
        values.append(taken(values, number))
    for number in (5, 7):
        for a, b in ((3, 3), (6, 5)):
            data = {"game": {"name": "counters + nim2"}, "own": {"counters": OWN, "unused": "x"}}
            found = work(client, "/values/find", at=f"{number}; {a},{b}", **data)
            assert f"xor of the values is {values[number] ^ a ^ b}:" in found["html"]
    assert "no game" in work(client, "/values/find", **{**data, "own": {}})["fault"]["message"]


@pytest.mark.slow
def test_the_values_of_ones_own_rules_under_misere_play_say_who_wins(client):
    game = {"text": OWN, "rule": "misere"}
    for number in (4, 5, 6, 8):
        found = work(client, "/values/find", game=game, at=str(number))
        assert ("loses" in found["html"]) == lost(number), number
    assert work(client, "/rules/check", game={"text": MISERE})["rule"] == "misere"
    assert work(client, "/rules/check", game={"text": OWN})["rule"] == "normal"


def test_what_a_page_says_has_no_words_of_the_command_line(client):
    """Fault it sees: "use --rule normal" or "icgsynth value" on a page, which has neither."""
    games = ({"name": "nim2 + 0.77", "rule": "misere"}, {"name": "lasker + nim2"})
    own = {"lasker": (catalog_dir() / "piles" / "lasker_nim.icg").read_text("utf-8")}
    for game in games:
        found = work(client, "/values/find", game=game, own=own)["fault"]
        assert found["mend"] and "--" not in found["mend"] and "icgsynth" not in found["mend"]


@pytest.mark.slow
def test_a_board_game_of_ones_own_goes_by_its_name(client):
    """Faults it sees: "your rules" on sheets; a name that leads out of a folder or to clingo."""
    for name in ("Two squares", "../x/Two squares", "Two squares.lp"):
        game = {"text": BOARD, "name": name}
        title = work(client, "/puzzles/find", game=game, moves=1, count=1)["title"]
        assert "Two squares" in title and "/" not in title
    found = work(client, "/files/save", game=game, format="rules")
    assert found["name"] == "Two_squares.lp.kif"
    assert ask(client, "/files/open", name="squares.kif", text=BOARD)["game"]["name"] == "squares"


def test_every_page_says_which_games_are_for_it(client):
    """Faults it sees: a page for boards alone, or a link that leads to another such page."""
    board = ask(client, "/game/fit", game={"name": "tictactoe"})["unfit"]
    assert set(board) == {"automaton", "values"}
    assert "Tic-tac-toe is a board game" in board["values"]["why"]
    assert ask(client, "/game/fit", game={"text": OWN})["unfit"] == {}
    work(client, "/play/solve", game={"text": OWN, "rule": "normal"})
    assert set(ask(client, "/game/fit", game={"text": OWN, "rule": "normal"})["unfit"]) == {
        "automaton"
    }
    nim = ask(client, "/game/fit", game={"name": "nim2", "rule": "misere"})["unfit"]
    assert set(nim) == {"values"} and not set(nim["values"]["pages"]) & {"values", "automaton"}
    for page, found in board.items():
        for name in found["games"]:
            assert page not in ask(client, "/game/fit", game={"name": name})["unfit"]


def test_two_studios_at_once_have_two_ports():
    """A browser keeps games for one address.  Fault it sees: the second studio does not start."""
    with socket.socket() as first, socket.socket() as second:
        for each in (first, second):
            _bind(each, None)
            each.listen()
        ports = [each.getsockname()[1] for each in (first, second)]
    assert ports[0] != ports[1] and all(ports)


# --- in the browser ------------------------------------------------------------------------------


def kept(page):
    """The names and rules that this browser keeps."""
    found = page.evaluate("Own.all()")
    return {name: each["text"] for name, each in found.items()}


def begin_with(page, name):
    page.locator("#game").fill(name)
    page.locator("#game").press("Enter")


@pytest.mark.slow
def test_looking_at_another_game_loses_nothing_of_ones_own(page):
    """Faults it sees: rules that vanish after a look elsewhere; half of a text; an overwrite."""
    at(page, "/rules")
    has(page, "#name", "Nim on two piles")
    page.locator("#text").fill(OWN[:30])
    has(page, "#kept", "not finished")
    page.locator("#text").fill(OWN)
    has(page, "#name", "Take 1, 3 or 4")
    to(page, "Gallery")
    page.locator('.card[aria-label="Nim on two piles"]').get_by_role("link", name="Play").click()
    has(page, "#title", "Nim on two piles")
    to(page, "Rules")
    has(page, "#name", "Nim on two piles")
    assert kept(page) == {"counters": OWN}
    begin_with(page, "counters")
    has(page, "#name", "Take 1, 3 or 4")
    assert page.locator("#text").input_value() == OWN
    # Another name is another game; the one before stays as it was.
    page.locator("#text").fill(OWN.replace("counters", "coins").replace("1, 3", "1, 2"))
    has(page, "#kept", "coins")
    assert list(kept(page)) == ["counters", "coins"] and kept(page)["counters"] == OWN
    # A game of the catalog that is changed does not take its name.
    begin_with(page, "nim2")
    has(page, "#name", "Nim on two piles")
    page.locator("#text").press("Control+End")
    page.locator("#text").type("# mine")
    has(page, "#kept", "my_nim2")
    assert list(kept(page)) == ["counters", "coins", "my_nim2"]


@pytest.mark.slow
def test_ones_own_games_are_listed_played_and_deleted_only_on_purpose(page):
    at(page, "/play", rules=OWN)
    has(page, "#title", "Take 1, 3 or 4")
    at(page, "/play", rules=BOARD)
    has(page, "#strategy", "wins with best play")
    assert page.locator("#game").input_value() == "Two squares"
    begin_with(page, "counters")
    has(page, "#title", "Take 1, 3 or 4")
    to(page, "Gallery")
    page.locator("#cards .card").first.wait_for()
    titles = page.locator(".card h3").all_inner_texts()
    assert titles[:4] == ["Take 1, 3 or 4", "Two squares", "Nim on two piles", "Tic-tac-toe"]
    page.locator("#own-cards").get_by_role("button", name="Delete").first.click()
    assert list(kept(page)) == ["Two squares"]
    page.get_by_role("button", name="Undo").click()
    assert list(kept(page)) == ["counters", "Two squares"]
    page.locator("#own-cards").get_by_role("button", name="Delete").last.click()
    page.reload()
    page.locator("#own-cards .card").first.wait_for()
    assert list(kept(page)) == ["counters"]
    # A new studio at this address still has it.
    page.evaluate("sessionStorage.clear()")
    at(page, "/values")
    has(page, "#value", "nim2")
    page.locator("#game").fill("counters + nim2")
    page.locator("#at").fill("5; 1,2")
    page.get_by_role("button", name="Find the values").click()
    has(page, "#value", "xor of the values is 0")


@pytest.mark.slow
def test_a_line_misere_moves_the_field_of_the_rule(page):
    at(page, "/rules", rules=OWN)
    has(page, "#answer", "Proved")
    page.locator("#text").fill(MISERE)
    until(page, lambda: page.locator("#rule").input_value() == "misere")
    has(page, "#answer", "Proved")
    page.locator("#rule").select_option("normal")  # whoever wants it otherwise has it so
    has(page, "#table", "normal play")
    to(page, "Play")
    has(page, "#title", "Take 1, 3 or 4")
    assert page.locator("#rule").input_value() == "normal"
    at(page, "/play", rules=MISERE)
    has(page, "#title", "Take 1, 3 or 4")
    assert page.locator("#rule").input_value() == "misere"


@pytest.mark.slow
def test_a_page_that_is_not_for_a_game_leads_to_what_is(page):
    at(page, "/play", game="tictactoe")
    page.locator("nav .grey").nth(1).wait_for()
    assert page.locator("nav .grey").all_inner_texts() == ["Automaton", "Values"]
    for name in ("Automaton", "Values"):
        to(page, name)
        page.locator(".note-box").wait_for()
        assert page.locator(".fault").count() == 0
    page.locator(".note-box").get_by_role("link", name="Nim on two piles").click()
    has(page, "#value", "a xor b")
    at(page, "/automaton", game="nim2")
    page.locator(".note-box").get_by_role("link", name="Play").click()
    has(page, "#title", "Nim on two piles")


@pytest.mark.slow
def test_a_strategy_that_is_found_is_the_one_of_all_pages(page):
    """Faults it sees: Build begins empty, or Play plays another list than the one that was made."""
    at(page, "/play", game="tictactoe")
    hurry(page)
    page.get_by_role("button", name="Find a short strategy for o").click()
    page.locator("#tree-1 .rules li").first.wait_for()
    rules = page.locator("#tree-1 .rules li").count()
    to(page, "Build and verify")
    page.locator("#verify:enabled").wait_for()
    assert (
        page.locator(".made-rule").count() == rules and page.locator("#role").input_value() == "o"
    )
    page.get_by_label("Delete rule 1", exact=True).click()
    page.locator("#verify").click()
    page.locator("#standing.badge.loss, #standing.badge.win").wait_for()
    to(page, "Play")
    page.get_by_text("Show the strategy for o").click()
    assert page.locator("#tree-1 .rules li").count() == rules - 1
    at(page, "/build", game="nim2")
    page.locator(".made-rule").nth(1).wait_for()
    page.get_by_label("Delete rule 2", exact=True).click()
    page.locator("#verify").click()
    has(page, "#verdict", "Refuted")
    to(page, "Play")
    has(page, "#strategy", "Your strategy plays")
    page.get_by_role("button", name="Play the proved strategy instead").click()
    until(page, lambda: page.locator("#own").count() == 0)
    has(page, "#strategy", "proved for all states")


@pytest.mark.slow
def test_the_strategy_is_closed_until_someone_asks_for_it(page):
    at(page, "/play", game="nim2", state="5,3")
    page.get_by_text("Show the strategy").wait_for()
    assert page.locator("#rules").is_hidden()
    page.get_by_text("Show the strategy").click()
    assert page.locator("#rules").is_visible()
    page.locator(".counter.spot").first.click()
    page.locator("#history li").nth(1).wait_for()
    assert page.locator("#rules").is_visible()


@pytest.mark.slow
def test_what_is_wider_than_its_place_shows_an_edge_that_goes_at_its_end(page):
    at(page, "/rules", game="take_away", **{"set.n": "30"})
    table = page.locator("#answer .wide")
    table.wait_for()
    until(page, lambda: "more-right" in (table.get_attribute("class") or ""))
    table.evaluate("part => part.scrollTo(1e6, 0)")
    until(page, lambda: "more-left" in (table.get_attribute("class") or ""))
    assert "more-right" not in table.get_attribute("class")
    assert table.get_attribute("tabindex") == "0"


@pytest.mark.slow
def test_what_runs_tells_its_seconds_and_a_save_is_cancelled(page):
    at(page, "/build", game="chomp_3row")
    has(page, "#progress", "at most 5")
    page.locator("#cancel").click()
    at(page, "/rules", game="chomp_3row")
    has(page, "#name", "Chomp")
    page.locator("#save summary").click()
    assert page.locator("#formats").get_by_role("button").all_inner_texts()
    page.get_by_role("button", name="Solve the game").click()
    has(page, "#formats", "s so far, at most")
    page.locator("#formats").get_by_role("button", name="Cancel").click()
    has(page, "#formats", "Cancelled")

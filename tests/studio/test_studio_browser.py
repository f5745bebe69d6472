"""The studio as people see it: in Debian's Chromium, from the command that starts it."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from studio_here import PHONE, at, has, hurry

import icgsynth

pytestmark = pytest.mark.slow

CHANGE = """game change "Change: take coppers, or change a silver"
var s, c
legal s >= 0 and c >= 0
action take(k)    pre 1 <= k <= c             eff c := c - k
action change(k)  pre s >= 1 and 0 <= k <= s  eff s := s - 1, c := c + k
"""
CARELESS = "game careless\nvar a\nlegal a >= 0\naction take(k) pre k <= a eff a := a - k\n"


def status(page):
    return page.locator("#status").inner_text()


def test_the_token_leaves_the_address(page):
    assert "token" not in page.url
    page.reload()
    has(page, "#status", "is to move")


def test_a_whole_game_of_nim_is_won_on_the_board(page):
    at(page, "/play", game="nim2", state="5,3")
    has(page, "#strategy", "Proved for all states")
    # To make the piles equal is to win, whatever the other player does.
    for made in range(0, 10, 2):
        has(page, "#status", re.compile("first player is to move|has won"))
        if "has won" in status(page):
            break
        piles = [p.locator(".counter").count() for p in page.locator(".pile").all()]
        larger = piles.index(max(piles))
        page.locator(".pile").nth(larger).locator(".counter").nth(min(piles)).click()
        page.locator("#history li").nth(made).wait_for()
    assert "The first player has won" in status(page)
    assert page.locator("#history li").count() >= 4


def test_a_move_that_gives_the_game_away_is_named_and_taken_back(page):
    at(page, "/play", game="nim2", state="5,3", players="human,strategy")
    has(page, "#strategy", "Proved")
    page.locator("#values").check()
    good = page.locator(".moves button.win")
    good.first.wait_for()
    assert good.count() == 1 and "+7" in good.inner_text() and "rule 1" in good.inner_text()
    page.get_by_text("Show the strategy").click()
    assert page.locator("#strategy .rules li.lit code").inner_text().endswith("take_a(a - b)")
    page.locator(".moves button", has_text="a = 4").click()
    has(page, "#history .gave", "take 2 from a: a = 3")
    has(page, "#history li:nth-child(2)", "rule")
    page.locator("#undo").click()
    has(page, "#status", "(5, 3)")
    page.locator("#redo").click()
    page.locator("#undo").click()
    page.locator("#hint").click()
    assert page.locator(".moves button.hint").count() == 1


def test_a_game_goes_on_where_another_one_is_not_found(page):
    at(page, "/play", game="nim2", state="5,3", players="human,human")
    has(page, "#strategy", "Proved")
    page.locator("#game").fill("tictacto")
    page.locator("#choose button").click()
    has(page, "#fault", "did you mean tictactoe")
    page.locator(".moves button", has_text="a = 3").click()
    has(page, "#status", "(3, 3)")
    page.locator("#game").fill("tictactoe")
    page.locator("#choose button").click()
    has(page, "#status", "x is to move")
    assert page.locator(".grid .cell.spot").count() == 9


def test_a_link_to_no_game_is_a_fault_and_the_page_stays_usable(page):
    at(page, "/play", game="nimm2")
    has(page, "#fault", "did you mean")
    for button in ("#undo", "#hint", "#values"):
        page.locator(button).click()
    page.locator("#game").fill("NIM2")
    page.locator("#choose button").click()
    has(page, "#status", "is to move")


def test_the_keyboard_plays_and_the_address_keeps_the_state(page):
    at(page, "/play", game="nim2", state="2,1", players="human,human")
    page.locator(".counter.spot").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    has(page, "#status", "(1, 1)")
    kept = page.url
    page.goto("about:blank")
    page.goto(kept)
    has(page, "#status", "(1, 1)")


def test_a_board_that_is_drawn_again_keeps_the_focus_where_it_was(page):
    at(page, "/play", game="nim2", state="2,1", players="human,human")
    has(page, "#strategy", "Proved")
    page.locator(".counter.spot").first.focus()
    page.keyboard.press("ArrowRight")
    page.locator("#values").evaluate("box => box.click()")  # which draws the board again
    page.locator(".moves button.win").wait_for()
    page.keyboard.press("Enter")
    has(page, "#status", "(1, 1)")


def test_a_lattice_is_shaded_on_demand(page):
    at(page, "/play", game="nim2", state="5,3", players="human,human")
    has(page, "#strategy", "Proved")
    page.locator("#shade").check()
    page.locator(".lattice rect.losing").first.wait_for(state="attached")
    count = page.locator(".lattice rect.losing").count()
    assert count == page.evaluate("Number(document.querySelectorAll('.lattice .dot').length)") > 12


def test_piles_of_thirty_digits_are_played_by_typing(page):
    big = 10**30
    at(page, "/play", game="nim2", state=f"{big},7", players="human,human")
    has(page, "#strategy", "Proved")
    form = page.locator(".moves form").first
    form.locator("input").fill(str(big - 7))
    form.locator("button").click()
    has(page, "#status", "(7, 7)")


def test_a_whole_game_of_tic_tac_toe_is_not_won_against_perfect_play(page):
    at(page, "/play", game="tictactoe", players="human,perfect")
    has(page, "#strategy", "5,478 states")
    for made in range(0, 10, 2):
        has(page, "#status", re.compile("^x is to move|has won|draw"))
        if "is to move" not in status(page):
            break
        page.locator(".grid .cell.spot").first.click()
        page.locator("#history li").nth(made).wait_for()
    assert status(page) in ("A draw.", "o has won.")
    assert page.locator(".grid .cell svg").count() >= 6


def test_the_game_of_the_tutorial_is_typed_and_solved(page):
    at(page, "/rules")
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially(CHANGE[:60])
    page.locator("#text").fill(CHANGE)
    has(page, "#result", "Play always ends")
    has(page, "#answer", "loses exactly where s = c")
    has(page, "#answer", "Proved for all states")
    page.locator("#table svg").wait_for()
    page.locator("#play").click()
    has(page, "#title", "Change")


def test_an_answer_is_said_in_sentences_with_its_words_explained(page):
    """Faults it sees: formulas alone; what `shift` means is on the exported page alone."""
    at(page, "/play", game="wythoff", state="4,7")
    has(page, "#strategy", "Proved for all states")
    page.get_by_text("Show the strategy").click()
    sentences = page.locator("#rules li p").all_inner_texts()
    assert len(sentences) == page.locator("#rules li").count()
    assert all(re.match(r"If .*, (take|make) .*\.$", said) for said in sentences)
    told = page.locator("#strategy .meanings").inner_text()
    assert "shift(4) = 7" in told and "zeros(n) is how many zeros rep(n) ends in" in told
    at(page, "/rules", game="take_away", **{"set.n": 3})
    cells = page.locator(".remainders td")
    cells.first.wait_for()
    # Whoever has a multiple of 4 counters loses.
    assert cells.all_inner_texts() == ["loses", "wins", "wins", "wins"]


def test_a_fault_is_shown_with_its_place_and_a_cycle_is_mended_by_a_click(page):
    at(page, "/rules", rules=CARELESS.replace("eff a", "eff b"))
    has(page, "#result", "Line 4, column")
    page.get_by_text("Go to the place").click()
    assert page.evaluate("(t => t.value.slice(t.selectionStart, t.selectionEnd))(text)") == "b"
    page.locator("#text").fill(CARELESS)
    has(page, "#result", "-take(0)->")
    page.get_by_text("Add 1 <= k to take").click()
    has(page, "#result", "Play always ends")
    assert "pre 1 <= k and k <= a" in page.locator("#text").input_value()


def test_a_long_solve_is_cancelled(page):
    at(page, "/rules", game="chomp_3row")
    has(page, "#result", "Play always ends")
    page.locator("#solve").click()
    page.wait_for_timeout(2_000)
    page.locator("#cancel").click()
    has(page, "#answer", "cancelled")
    assert page.locator("#cancel").is_hidden()
    at(page, "/play", game="subtraction2")
    has(page, "#strategy", "Proved")


def test_begin_with_and_a_mend_are_undone_in_the_editor(page):
    """Fault it sees: the text is put in behind the editor's back, and its undo knows nothing."""
    at(page, "/rules", rules=CARELESS)
    has(page, "#result", "-take(0)->")
    page.get_by_text("Add 1 <= k to take").click()
    has(page, "#result", "Play always ends")
    page.locator("#game").fill("nim2")
    page.locator("#game").press("Enter")
    has(page, "#name", "Nim on two piles")
    page.keyboard.press("Control+z")
    has(page, "#name", "careless")
    assert "1 <= k and" in page.locator("#text").input_value()
    page.keyboard.press("Control+z")  # what was typed beside it
    page.keyboard.press("Control+z")
    has(page, "#result", "-take(0)->")
    assert page.locator("#text").input_value() == CARELESS


def test_a_check_that_an_edit_outdated_is_cancelled(page):
    """Fault it sees: the page waits for what it asked of a text that is no more."""
    at(page, "/rules", rules=CARELESS)
    has(page, "#result", "-take(0)->")
    page.route("**/rules/check", lambda route: None, times=1)  # it is never answered
    with page.expect_request("**/rules/check"):
        page.locator("#text").fill(CHANGE + "# slow")
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/rules/check")):
        page.locator("#text").fill(CHANGE)
        has(page, "#result", "Play always ends")


def test_a_reload_keeps_the_game_its_history_and_who_moves(page):
    """Faults it sees: the address has the last state alone; who moves is counted from there."""
    at(page, "/play", game="nim2", state="5,3", players="human,human")
    has(page, "#strategy", "Proved")
    page.locator(".moves button", has_text="a = 4").click()
    has(page, "#history .gave", "take 2 from a: a = 3")
    page.locator(".moves button", has_text="b = 1").click()
    has(page, "#status", "The first player is to move: (a, b) = (4, 1)")
    page.locator(".moves button", has_text="a = 1").click()
    has(page, "#status", "The second player is to move: (a, b) = (1, 1)")
    page.locator("#undo").click()
    page.locator("#undo").click()
    has(page, "#status", "The second player is to move: (a, b) = (4, 3)")
    told = page.locator("#history").inner_text()
    for _ in range(2):
        page.reload()
        has(page, "#status", "The second player is to move: (a, b) = (4, 3)")
        assert page.locator("#history").inner_text() == told
        assert page.locator("#start").input_value() == "5,3"
    page.locator("#redo").click()
    has(page, "#status", "The first player is to move: (a, b) = (4, 1)")
    # Another game takes its place, and Back brings the whole of it again.
    page.locator("#game").fill("chomp_2row")
    page.locator("#choose button").click()
    page.locator(".square").first.wait_for()
    page.go_back()
    has(page, "#status", "The first player is to move: (a, b) = (4, 1)")
    assert page.locator("#history").inner_text() == told


def test_back_takes_a_move_back_and_the_reply_with_it(page):
    """Faults it sees: Back leaves the game, or the machine at once moves again."""
    at(page, "/play", game="nim2", state="5,3", players="human,strategy")
    has(page, "#strategy", "Proved")
    page.locator(".moves button", has_text="a = 4").click()
    has(page, "#status", "The second player has played: take 1 from a")
    page.locator(".moves button", has_text="a = 1").click()
    has(page, "#status", "The second player has played: take 2 from b")
    page.go_back()
    has(page, "#status", "is to move: (a, b) = (3, 3)")
    page.go_back()
    has(page, "#status", "is to move: (a, b) = (5, 3)")
    page.wait_for_timeout(1_000)
    assert "(5, 3)" in status(page)
    page.go_forward()
    has(page, "#status", "(3, 3)")
    page.go_back()
    page.locator(".moves button", has_text="a = 3").click()
    has(page, "#status", "(3, 3)")


def test_enter_makes_no_move_that_nobody_chose(page):
    """Fault it sees: once a move is made, the focus is on another one."""
    at(page, "/play", game="nim2", state="5,3", players="human,strategy")
    has(page, "#strategy", "Proved")
    page.locator(".counter.spot").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.locator("#history li").nth(1).wait_for()
    for _ in range(3):
        page.keyboard.press("Enter")
    page.wait_for_timeout(1_000)
    assert page.locator("#history li").count() == 2
    page.keyboard.press("ArrowRight")
    assert "counter" in page.evaluate("document.activeElement.className")


def test_a_reload_keeps_a_strategy_that_was_found(page):
    """Fault it sees: the tree is in the page alone, and has to be looked for again."""
    at(page, "/play", game="tictactoe", players="human,human")
    hurry(page)
    page.get_by_role("button", name="Find a short strategy for o").click()
    page.locator("#tree-1 .rules li").first.wait_for()
    rules = page.locator("#tree-1 .rules").inner_text()
    page.reload()
    page.get_by_text("Show the strategy for o").click()
    assert page.locator("#tree-1 .rules").inner_text() == rules
    assert page.get_by_role("button", name="Find a short strategy for x").count() == 1


def test_the_machine_moves_while_other_work_goes_on_and_after_a_cancel(page):
    """Faults it sees: its move waits for long work of another page, or forgets with its cancel."""
    at(page, "/play", game="tictactoe", players="human,perfect")
    has(page, "#strategy", "5,478 states")
    other = page.context.new_page()
    at(other, "/build", game="chomp_3row")
    has(other, "#work", "Cancel")
    third = page.context.new_page()
    at(third, "/play", game="nim2")  # is solved in short, though the long work goes on
    has(third, "#strategy", "Proved")
    page.locator(".grid .cell.spot").nth(4).click()
    page.locator("#history li").nth(1).wait_for()
    assert other.locator("#work").is_visible()
    other.locator("#cancel").click()
    has(other, "#fault", "cancelled")
    page.locator(".grid .cell.spot").first.click()
    page.locator("#history li").nth(3).wait_for()
    assert "nothing is known" not in page.locator("#history").inner_text()


def test_a_machine_whose_strategy_is_cancelled_plays_perfectly(page):
    """Fault it sees: who waits for a strategy that never comes says nothing and never moves."""
    page.route("**/play/tree", lambda route: None)  # it is never found
    with page.expect_request("**/play/tree"):
        at(page, "/play", game="connect3", players="strategy,human")
    page.locator("#cancel").click()
    has(page, "#fault", "Perfect play stands in for it")
    page.locator("#history li").first.wait_for()


def test_an_answer_that_fails_is_asked_for_again(page):
    """Fault it sees: a machine that had no answer once never moves again."""
    at(page, "/play", game="nim2", state="5,3", players="human,perfect")
    has(page, "#strategy", "Proved")
    failed = {"fault": {"message": "its process has ended"}}
    page.route("**/play/reply", lambda route: route.fulfill(json=failed), times=2)
    page.locator(".moves button", has_text="a = 4").click()
    has(page, "#fault", "has ended")
    page.get_by_role("button", name="Let the machine move").click()
    page.locator("#history li").nth(1).wait_for()
    assert page.locator("#fault").inner_text() == ""


def test_hostile_names_stay_text(page):
    title = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    rules = CHANGE.replace("Change: take coppers, or change a silver", title)
    at(page, "/rules", rules=rules)
    has(page, "#name", "<img src=x")
    page.locator("#table svg").wait_for()
    at(page, "/play", rules=rules, state="3,3")
    has(page, "#title", "<script>alert(2)</script>")
    has(page, "#strategy", "Proved")
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_tables_follow_the_theme(page, scheme):
    """Faults it sees: white paper on a dark page, or dark letters on dark paper."""
    page.emulate_media(color_scheme=scheme)
    at(page, "/rules", game="nim2")
    page.locator("#table svg").wait_for()

    def bright(selector):
        colour = page.locator(selector).first.evaluate("e => getComputedStyle(e).fill")
        return sum(map(int, re.findall(r"\d+", colour))) > 3 * 128

    # In the page; then alone, as notebooks and readers of the docs have it.
    alone = icgsynth.load("nim2").solve().table(5).svg
    for part, letters in (("#table svg", "#table svg text[font-style]"), ("svg", "svg > text")):
        assert bright(f"{part} > rect") == (scheme == "light")
        assert bright(letters) == (scheme == "dark")
        page.goto("about:blank")
        page.set_content(alone)


@pytest.mark.parametrize(
    "path",
    [
        *("/play#game=chomp_2row&state=9,7", "/play#game=sim", "/rules"),
        *("/build#game=chomp_2row", "/build#game=tictactoe&role=o"),
    ],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone(page, path, scheme):
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme=scheme)
    page.goto("about:blank")
    page.goto(path)
    page.locator("#status, #result, .made-rule, #add").first.wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        "[...document.querySelectorAll('main button, nav a, main select')].filter(e => "
        "e.offsetParent && e.getBoundingClientRect().height < 32).map(e => e.outerHTML)"
    )
    assert not small
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    is_dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < 3 * 128
    assert is_dark == (scheme == "dark")


def test_rules_in_an_address_may_hold_any_character(page):
    rules = CHANGE.replace("coppers", "Münzen & 100 % + #1 ²")
    page.goto("about:blank")
    page.goto(f"/rules#rules={quote(rules)}")
    has(page, "#name", "Münzen & 100 % + #1 ²")

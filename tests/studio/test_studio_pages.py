"""The studio's pages Gallery, Puzzles and Automaton: what they ask, and what people see."""

from __future__ import annotations

import re

import pytest
from studio_here import DESK, PHONE, ask, opened_page, work

from icgsynth.spec.catalog import catalog_dir, finite_names, names
from icgsynth.studio.references import references

SIZES = {"desk": DESK, "phone": PHONE}


# --- references ----------------------------------------------------------------------------------


def test_references_are_read_as_people_write_them():
    known = references()
    text = (catalog_dir() / "references.bib").read_text("utf-8")
    assert list(known) == re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    said = known["abuku2025"]
    assert said.text().startswith("Tomoaki Abuku, Hiroki Inazu,")
    assert said.links == {"arXiv:2509.04943": "https://arxiv.org/abs/2509.04943"}
    assert "*Journal of Mathematics, Tokushima University*" in known["abuku2021"].text("*")
    assert not any(set("{}\\$") & set(each.text()) for each in known.values())


# --- Gallery -------------------------------------------------------------------------------------


def test_the_gallery_has_every_game_of_the_catalog_with_its_sources(client):
    games = {game["name"]: game for game in ask(client, "/gallery/list")["games"]}
    assert set(games) == {*names(), *finite_names()}
    assert not games["nim2"]["finite"] and games["tictactoe"]["finite"]
    assert games["take_away"]["constants"] == ["n = 3"]
    assert any("v mod (n + 1) = 0" in said for said in games["take_away"]["theorems"])
    for name in ("chomp_2row", "wythoff"):
        text = (catalog_dir() / f"{name}.icg").read_text("utf-8")
        cited = re.search(r"^cite (.*)$", text, re.MULTILINE)[1].split(", ")
        assert [s["text"] for s in games[name]["sources"]] == [
            references()[key].text() for key in cited
        ]


# --- Puzzles -------------------------------------------------------------------------------------

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def forces(cells, mark, left):
    """Whether x wins at Tic-tac-toe with at most ``left`` more of its own, ``mark`` to move."""
    if any(all(cells[at] == "o" for at in row) for row in ROWS):
        return False
    if any(all(cells[at] == "x" for at in row) for row in ROWS):
        return True
    free = [at for at in range(9) if cells[at] is None]
    if not free or left == 0:
        return False
    after = ((*cells[:at], mark, *cells[at + 1 :]) for at in free)
    if mark == "x":
        return any(forces(each, "o", left - 1) for each in after)
    return all(forces(each, "x", left) for each in after)


def find(client, **data):
    return work(client, "/puzzles/find", **data)


# From 4 counters, or from 3 by another way, one or two are taken; who takes the last one wins.
COUNTERS = """(role a) (role b) (init (control a)) (init (left 4)) (next_to a b) (next_to b a)
(less 4 3) (less 3 2) (less 2 1) (less 1 0) (<= (less2 ?n ?k) (less ?n ?m) (less ?m ?k))
(<= (legal ?r (take 1)) (true (control ?r)) (true (left ?n)) (less ?n ?k))
(<= (legal ?r (take 2)) (true (control ?r)) (true (left ?n)) (less2 ?n ?k))
(<= (legal ?r noop) (true (control ?s)) (next_to ?s ?r))
(<= (next (left ?k)) (true (left ?n)) (does ?r (take 1)) (less ?n ?k))
(<= (next (left ?k)) (true (left ?n)) (does ?r (take 2)) (less2 ?n ?k))
(<= (next (control ?s)) (true (control ?r)) (next_to ?r ?s)) (<= terminal (true (left 0)))
(<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (true (control ?s)) (next_to ?s ?r))
"""


def test_a_sheet_says_of_each_position_who_moves(client):
    """Both a and b may be to move with 1 or 2 left, and a alone with 4: that is asked of all."""
    found = find(client, game={"text": COUNTERS}, moves=1, count=9)
    tasks = {puzzle["task"] for puzzle in found["puzzles"]}
    assert found["asked"] == "" and len(tasks) == 2
    for puzzle in found["puzzles"]:
        turn = puzzle["view"]["turn"]
        assert puzzle["task"] == f"{turn} is to move and can win: with best play it takes one move."
    found = find(client, game={"text": COUNTERS}, moves=2, count=9)
    assert found["asked"] == "a is to move and can win: with best play it takes 2 moves."
    assert {puzzle["task"] for puzzle in found["puzzles"]} == {found["asked"]}


def test_the_title_says_under_which_rule_and_with_which_constants_one_wins(client):
    game = {"name": "take_away", "rule": "misere", "constants": {"n": 4}}
    assert find(client, game=game, moves=1)["title"].endswith(" with n = 4, misère play")


@pytest.mark.slow
@pytest.mark.parametrize("moves", [2, 3])
@pytest.mark.parametrize("own", [False, True], ids=["catalog", "own rules"])
def test_the_keys_of_a_puzzle_are_the_moves_that_win(client, moves, own):
    """Moves are called as the rules call them, also in best play on a board that is turned."""
    rules = (catalog_dir() / "gdl" / "tictactoe.kif").read_text("utf-8")
    game = {"text": rules} if own else {"name": "tictactoe"}
    found = find(client, game=game, moves=moves, count=9)
    assert 1 < len(found["puzzles"]) <= 9
    chances = [puzzle["chance"] for puzzle in found["puzzles"]]
    assert chances == sorted(chances, reverse=True)
    for puzzle in found["puzzles"]:
        board, mover = puzzle["view"]["board"], puzzle["view"]["turn"]
        # The mover is called x, for `forces`.
        marks = {tuple(cell["at"]): "xo"[cell["mark"] != mover] for cell in board["cells"]}
        cells = tuple(marks.get((at // 3, at % 3)) for at in range(9))
        assert forces(cells, "x", moves) and not forces(cells, "x", moves - 1)
        wins = set()
        for move in puzzle["view"]["moves"]:
            row, column = move["spot"]["cell"]
            at = 3 * row + column
            assert move["move"] == f"mark({row + 1},{column + 1})"
            if forces((*cells[:at], "x", *cells[at + 1 :]), "o", 4):
                wins.add(move["move"])
        assert set(puzzle["keys"]) == wins != set()
        assert puzzle["answer"][0] == f"What wins: {', or '.join(puzzle['keys'])}."
        line = [said.strip() for said in puzzle["answer"][2:] if said.startswith("  mark")]
        free = {(at // 3, at % 3) for at in range(9) if cells[at] is None}
        places = [(int(said[5]) - 1, int(said[7]) - 1) for said in line]
        assert len(places) == 2 * moves - 1 == len(set(places)) and set(places) <= free
        mine = {3 * row + column for row, column in places[::2]}
        mine |= {at for at in range(9) if cells[at] == "x"}
        assert any(mine >= set(row) for row in ROWS)


@pytest.mark.slow
def test_a_puzzle_of_lines_that_is_often_missed_names_a_wrong_move_that_tempts(client):
    """Faults it sees: no move tempts, or one that wins as soon."""
    found = find(client, game={"name": "bottom"}, moves=3, count=2)
    assert {puzzle["chance"] < 1 for puzzle in found["puzzles"]} == {True, False}
    for puzzle in found["puzzles"]:
        move, tempts, _ = puzzle["notes"][0].partition(" tempts")
        assert (tempts and move not in puzzle["keys"]) or puzzle["chance"] == 1


@pytest.mark.slow
def test_the_keys_of_a_puzzle_of_nim_are_bouton_s(client):
    found = find(client, game={"name": "nim3", "rule": "normal"}, moves=3, count=6, level="graded")
    assert found["title"] == "Nim on three piles" and found["puzzles"]
    for puzzle in found["puzzles"]:
        piles = [int(count) for count in puzzle["view"]["board"]["counts"]]
        wins = set()
        for at, name in enumerate("abc"):
            rest = piles[(at + 1) % 3] ^ piles[(at + 2) % 3]
            if rest < piles[at]:
                wins.add(f"take_{name}({piles[at] - rest})")
        assert set(puzzle["keys"]) == wins


def test_what_is_asked_wrongly_of_the_puzzles_is_told(client):
    assert "no game" in find(client, game={"name": "nowhere"})["fault"]["message"]
    assert "level" in find(client, game={"name": "nim3"}, level="harder")["fault"]["message"]
    assert "moves" in find(client, game={"name": "nim3"}, moves=-1)["fault"]["message"]
    known = {game["name"] for game in ask(client, "/puzzles/games")["games"]}
    assert {"tictactoe", "connect3", "nim3", "wythoff"} <= known


# --- Automaton -----------------------------------------------------------------------------------


def solve(client, name):
    work(client, "/play/solve", game={"name": name, "rule": "normal"})


@pytest.mark.slow
def test_a_state_is_walked_through_the_automaton_of_its_game(client):
    solve(client, "wythoff")
    game = {"name": "wythoff", "rule": "normal"}
    fibonacci = [1, 2]
    while len(fibonacci) < 150:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    lost = {(1, 2), (3, 5), (4, 7), (6, 10), (8, 13)}  # Wythoff 1907
    for state in [*lost, (0, 0), (1, 3), (6, 11), (5, 5), (10**30, 10**30 + 7)]:
        found = ask(client, "/automaton/walk", game=game, state=",".join(map(str, state)))
        weights = list(map(int, found["weights"]))
        assert weights == fibonacci[: len(weights)][::-1]
        for number, digits in zip(state, found["digits"], strict=True):
            assert sum(d * w for d, w in zip(digits, weights, strict=True)) == number
            assert "11" not in "".join(map(str, digits))
        read = {
            (edge["from"], word): edge["to"] for edge in found["edges"] for word in edge["reads"]
        }
        at = 0
        for column, told in zip(zip(*found["digits"], strict=True), found["path"][1:], strict=True):
            at = read.get((at, ",".join(map(str, column))))
            assert told == at
        assert found["accepts"] == (at in found["accepting"]) == (state in {*lost, (0, 0)})
    assert found["states"] == list(range(len(found["states"])))


def test_what_has_no_automaton_says_so(client):
    def fault(**data):
        return ask(client, "/automaton/walk", **data)["fault"]["message"]

    assert "no answer" in fault(game={"name": "wythoff", "rule": "misere"})
    assert "finite game" in fault(game={"name": "tictactoe", "rule": "normal"})
    solve(client, "nim2")
    assert "no digits" in fault(game={"name": "nim2", "rule": "normal"})


@pytest.mark.parametrize(
    "game", [[], 7, "nim2", None, {"name": []}, {"name": "../nim2"}, {}], ids=str
)
def test_what_is_no_game_is_told_and_breaks_nothing(client, game):
    for found in (find(client, game=game), ask(client, "/automaton/walk", game=game, answer={})):
        assert found["fault"]["message"] and "internal" not in found["fault"]["message"]
    assert "fault" in find(client, game={"name": "nim3"}, count="many", seed=[], level=3)
    assert len(ask(client, "/gallery/list", game=game)["games"]) > 100


# --- Values --------------------------------------------------------------------------------------


def test_values_of_a_game_and_of_a_sum_are_those_of_their_theory(client):
    """Bouton: nim has the xor; 0.77 is Kayles, whose heap of 8 has the value 1."""
    nim = work(client, "/values/find", game={"name": "nim2"})
    assert "a xor b" in nim["html"] and nim["svg"].startswith("<svg")
    one = work(client, "/values/find", game={"name": "nim2"}, at="6,3")
    assert "= 5" in one["html"] and "svg" not in one
    whole = work(client, "/values/find", game={"name": "nim2 + 0.77"}, at="2,3; 8")
    assert "the player to move loses" in whole["html"]
    whole = work(client, "/values/find", game={"name": "nim2 + 0.77"}, at="2,5; 8")
    assert "the player to move wins" in whole["html"]


@pytest.mark.parametrize("name", ["/etc/passwd", "nim2 + ./x.icg", "-", "2*../nim2", "", "+"])
def test_a_sum_names_no_file_of_this_machine(client, name, tmp_path, monkeypatch):
    (tmp_path / "x.icg").write_text((catalog_dir() / "nim2.icg").read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert "no game" in work(client, "/values/find", game={"name": name})["fault"]["message"]


# --- in the browser ------------------------------------------------------------------------------


@pytest.fixture(params=list(SIZES))
def page(request, browser, address):
    with opened_page(browser, address, SIZES[request.param]) as found:
        found.goto("about:blank")
        yield found
        assert found.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_game_is_found_in_the_gallery_answered_and_played(page):
    page.goto("/gallery")
    page.locator(".card").first.wait_for()
    page.get_by_label("Search").fill("chomp two rows")
    titles = page.locator(".card:visible h2, .card:visible h3").all_inner_texts()
    assert titles and all("chomp" in title.lower() and "two rows" in title for title in titles)
    assert "#search=chomp+two+rows" in page.url
    card = page.locator('.card[aria-label="Chomp on two rows"]')
    card.locator(".card-picture svg").wait_for()
    card.get_by_text("Rules", exact=True).click()
    card.get_by_text("action eat1(k)").wait_for()
    card.get_by_role("button", name="Answer").click()
    card.get_by_text("Proved for all states.").wait_for()
    assert "a = b + 1" in card.locator(".card-answer").inner_text()
    card.get_by_role("link", name="Play").click()
    page.locator(".square").first.wait_for()
    assert "/play#game=chomp_2row" in page.url


@pytest.mark.slow
def test_the_gallery_draws_board_games_as_boards(page):
    page.goto("/gallery#show=finite")
    page.locator(".card:visible").first.wait_for()
    assert page.locator(".card:visible").count() == len(set(finite_names()) - set(names()))
    page.locator('.card[aria-label="Tic-tac-toe"]').scroll_into_view_if_needed()
    page.locator('.card[aria-label="Tic-tac-toe"] .cell').nth(8).wait_for()


@pytest.mark.slow
def test_puzzles_are_solved_one_after_the_other_and_printed(page):
    page.goto("/puzzles#game=tictactoe&moves=2")
    page.locator("#one").wait_for()
    assert re.fullmatch("[xo] is to move .* 2 moves.", page.locator("#task").inner_text())
    page.get_by_role("button", name="Show the answer").click()
    key = re.match(r"What wins: (mark\(.,.\))", page.locator("#answer pre").inner_text())[1]
    page.get_by_role("button", name="Next").click()
    assert "puzzle 2 of" in page.locator("#number").inner_text()
    assert page.locator("#answer").is_hidden()
    page.get_by_role("button", name="Previous").click()
    page.locator(f'#board .moves button[value="{key}"]').click()
    assert page.locator("#verdict").inner_text() == f"Right: {key}."
    others = page.locator("#board .moves button")
    wrong = [o for o in others.all() if o.get_attribute("value") != key]
    for other in wrong:
        other.click()
        said = page.locator("#verdict").inner_text()
        assert "Right: mark" in said or "does not win in 2 moves" in said
    count = page.locator("#steps li").count()
    page.emulate_media(media="print")
    assert page.locator("#sheet .grid").count() == count
    assert page.locator("#sheet .grid").first.is_visible()
    assert not page.locator("#one").is_visible()
    page.emulate_media(media="screen")
    page.goto("about:blank")  # an address that differs after its # alone loads nothing anew
    page.goto("/puzzles#game=tictactoe&moves=1")
    page.locator("#one").wait_for()
    page.emulate_media(media="print")
    boards = page.locator("#sheet .sheet-boards").first.locator(".sheet-one")
    heading = page.locator("#sheet > p")
    movers = set()
    for board in boards.all():
        crosses, noughts = (board.locator(f".mark-{mark}").count() for mark in "xo")
        movers.add(mover := "x" if crosses == noughts else "o")
        said = heading if heading.count() else board.locator("h3 + p")
        assert said.text_content().startswith(f"{mover} is to move and can win")
    assert len(movers) == 1 + (heading.count() == 0) == 2
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_a_search_for_puzzles_is_cancelled(page):
    page.goto("/puzzles#game=tictactoe4&moves=4")
    page.get_by_role("button", name="Cancel").click()
    page.locator("#work").wait_for(state="hidden")
    page.get_by_label("Game").fill("nim3")
    page.get_by_role("button", name="Find puzzles").click()
    page.locator("#number", has_text="Nim on three piles").wait_for()


@pytest.mark.slow
def test_digits_are_read_one_after_the_other(page):
    page.goto("/automaton#game=wythoff&state=6,10")
    page.locator("#shown").wait_for()
    assert page.locator("#verdict").inner_text() == "In state 0; 5 to read."
    page.get_by_role("button", name="Read a digit").click()
    assert page.locator("#digits .now").count() == 4
    assert page.locator("#drawn .state.now").count() == 1
    page.get_by_label("Digits read").press("ArrowRight")
    assert "step=2" in page.url
    page.get_by_role("button", name="To the end").click()
    assert page.locator("#verdict").inner_text().endswith(" loses.")
    page.get_by_label("State", exact=True).fill("6,11")
    page.get_by_role("button", name="Read its digits").click()
    page.locator("#verdict", has_text="In state 0").wait_for()
    page.get_by_role("button", name="To the end").click()
    assert page.locator("#verdict").inner_text().endswith(" wins.")
    page.get_by_label("State", exact=True).fill("-1,2")
    page.get_by_role("button", name="Read its digits").click()
    assert "not a legal state" in page.locator("#fault .fault").inner_text()
    page.get_by_label("Game").fill("nim2")
    page.get_by_role("button", name="Read its digits").click()
    page.locator("#fault", has_text="needs no digits").wait_for()

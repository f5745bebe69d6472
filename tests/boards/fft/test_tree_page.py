"""The page that plays a fast-and-frugal tree: its symmetries, and its moves in a browser."""

import json
import random

import pytest

from icgsynth.boards.fft.tree_page import _orbit, _tree
from icgsynth.boards.fft.tree_questions import tree_answer
from icgsynth.cli import run
from icgsynth.export import export
from icgsynth.spec.source import Source

LARGEST = 60_000  # bytes of a page

# The five rules of README.md, and two others that speak of many images.
TICTACTOE = [
    ["cell(1,3,o)", "not cell(2,1,o)", "mark(2,3)"],
    ["mark(2,2)"],
    ["cell(1,1,x)", "mark(3,3)"],
    ["not cell(2,1,o)", "mark(2,3)"],
    ["cell(2,1,x)", "mark(3,1)"],
]
SIM = [
    ["line(1,2,red)", "line(2,3,red)", "not line(1,3,blue)", "colour(1,4)"],
    ["not line(1,6,blue)", "colour(5,6)"],
    ["colour(1,2)"],
]
CONNECT = [["cell(2,1,red)", "not cell(3,1,yellow)", "drop(3)"], ["drop(2)"], ["drop(1)"]]
NIM = [["heap(a,0)", "not heap(b,0)", "reduce(b,0)"], ["reduce(a,0)"], ["reduce(c,0)"]]
TREES = [("tictactoe", TICTACTOE), ("sim", SIM), ("connect3", CONNECT), ("nim", NIM)]


def saved(folder, name, rules, **more):
    """A file with the tree."""
    file = folder / f"{name}.json"
    strategy = [{"if": rule[:-1], "do": rule[-1]} for rule in rules]
    data = {"schema": "icgsynth/solution/2", "kind": "tree", "game": name, "strategy": strategy}
    file.write_text(json.dumps(data | {"player": 1, "symmetric": True} | more), "utf-8")
    return file


def answered(file):
    return tree_answer(file.stem, Source.read(file, str(file)))


@pytest.mark.parametrize(("name", "rules"), TREES)
def test_symmetries_give_the_images_that_the_answer_has(tmp_path, name, rules):
    answer = answered(saved(tmp_path, name, rules))
    data, game = _tree(answer, answer.game), answer.game
    for rule, tier in zip(data["tree"], answer.strategy, strict=True):
        found = set()
        for *literals, action in _orbit(rule, data["symmetries"]):
            said = frozenset((game.board.facts[one >> 1], one % 2 == 0) for one in literals)
            found.add((said, game.board.actions[action]))
        wanted = {
            (frozenset((one.atom, one.holds) for one in image.literals), image.action)
            for image in tier.images
        }
        assert found == wanted
    assert len(data["symmetries"]) <= 6


@pytest.mark.parametrize(("name", "rules"), TREES)
def test_the_page_of_a_tree_is_small_and_asks_for_nothing(tmp_path, name, rules):
    page = export(answered(saved(tmp_path, name, rules)), "html")
    assert len(page.encode()) < LARGEST
    assert "default-src 'none'" in page
    assert page.count("<script") == 1


def test_a_page_says_proved_only_of_a_tree_whose_file_does(tmp_path):
    def page(**more):
        return export(answered(saved(tmp_path, "tictactoe", TICTACTOE, **more)), "html")

    assert "Proved: x never gives anything away" in page(status="solved")
    assert "Proved: o never gives anything away" in page(status="solved", player=2)
    for more in ({}, {"status": "unknown"}, {"status": "conditional"}):
        assert "roved:" not in page(**more) and "is not written here" in page(**more)
    assert "is not written here" in page(status="solved", player=None)


def test_a_tree_within_a_bound_is_refused_with_the_remedy(tmp_path, capsys):
    more = {"bound": 5, "rule": "normal", "variables": ["v"], "symmetric": False}
    file = saved(tmp_path, "take_away", [["take(1)"]], **more)
    assert run(["export", str(file), "--to", "html"]) == 2
    error = capsys.readouterr().err
    assert "take_away" in error.splitlines()[0] and "bound" in error.splitlines()[0]
    assert "icgsynth solve take_away -o FILE" in error


def held(page, game):
    """The state on the page, as the page's own field says it."""
    page.get_by_role("combobox").select_option("facts")
    rows = page.locator(".facts tr")
    facts = []
    for row in rows.all():
        name, *terms = row.locator("th, td").all_inner_texts()
        facts.append(f"{name}({','.join(terms)})" if terms else name)
    bits = [0] * game.board.words
    for fact in facts:
        place = game.board.facts.index(fact)
        bits[place // 64] |= 1 << place % 64
    return tuple(bits)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), TREES)
def test_games_against_a_tree_go_by_the_rules_and_the_tree(browser, tmp_path, name, rules):
    """Played at random to the end; each reply is the tree's, each state is the game's."""
    answer = answered(saved(tmp_path, name, rules))
    game = answer.game
    file = tmp_path / "page.html"
    file.write_text(export(answer, "html"), "utf-8")
    rng = random.Random(name)
    wrong = []
    page = browser.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.goto(file.as_uri())
    assert wrong == [file.as_uri()]
    for _ in range(3):
        page.get_by_role("button", name="New game").click()
        while page.locator(".moves button").count():
            buttons = page.locator(".moves button")
            buttons.nth(rng.randrange(buttons.count())).click()
        state = game.initial
        first = game.mover(state)
        for line in page.locator(".log li").all_inner_texts():
            by, _, text = line.partition(": ")
            moves = {str(move): move for move in game.moves(state)}
            assert text in moves
            assert (by == "The strategy") == (game.mover(state) == first)
            if by == "The strategy":
                kept = answer.strategy.choose(game, state)
                assert text == str(kept.move if kept else next(game.moves(state)))
            state = game.result(state, moves[text])
        assert game.mover(state) == -1
        assert held(page, game) == state
        goals = game.goals(state)
        said = page.locator(".board-says").inner_text()
        if goals[0] == goals[1]:
            assert said == "The game is over: a draw."
        else:
            won = goals[first] > goals[1 - first]
            assert said.endswith("so the strategy wins." if won else "so you win.")
        page.get_by_role("combobox").select_option(index=0)
    assert len(wrong) == 1


@pytest.mark.slow
def test_a_board_is_clicked_and_the_rule_is_lit_in_its_image(browser, tmp_path):
    file = tmp_path / "page.html"
    text = export(answered(saved(tmp_path, "tictactoe", TICTACTOE)), "html")
    file.write_text(text, "utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    assert "mark(2,2), by rule 2" in page.locator(".board-says").inner_text()
    page.locator(".cell").nth(8).click()  # o takes the corner below on the right
    said = page.locator(".board-says").inner_text()
    fired = page.locator("#strategy li.lit")
    assert fired.count() == 1
    assert "cell(3,3,o)" in said  # the image that fired, not the rule as it is written
    page.get_by_role("button", name="You play x").click()
    page.get_by_role("button", name="Hint", exact=True).click()
    assert page.locator(".cell.hint").count() == 1

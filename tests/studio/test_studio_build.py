"""The studio's page Build and verify: strategies made by hand are proved, or refuted and mended."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from itertools import pairwise
from urllib.parse import urlencode

import pytest
from automatic_solved import nim3_by_automata
from studio_here import ask, hurry, let_in, until, work

from icgsynth.export import export

CHOMP = {"name": "chomp_2row", "rule": "normal"}
EAT1 = {"when": "a > b + 1", "action": "eat1", "args": {"k": "b + 2"}}
EAT2 = {"when": "a = b", "action": "eat2", "args": {"k": "a"}}


@pytest.fixture(scope="module")
def client():
    with let_in() as found:
        assert work(found, "/play/solve", game=CHOMP)["answer"] is not None
        yield found


# --- impartial games -----------------------------------------------------------------------------


def test_a_right_strategy_is_proved_and_its_file_is_what_verify_takes(client, tmp_path):
    found = work(client, "/build/verify", game=CHOMP, losing="a = b + 1", rules=[EAT1, EAT2])
    assert found["verdict"] == "proved" and "line" not in found
    path = tmp_path / "chomp.json"
    path.write_text(json.dumps(found["answer"]))
    command = [sys.executable, "-m", "icgsynth", "verify", "chomp_2row", str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    command = [sys.executable, "-m", "icgsynth", "export", str(path), "--to", "python"]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_a_rule_that_is_missing_is_shown_added_and_proved(client):
    broken = work(client, "/build/verify", game=CHOMP, losing="", rules=[EAT1])
    # Two equal rows of one square are the smallest state that only the second rule wins.
    assert (broken["verdict"], broken["state"], broken["number"]) == ("refuted", "1,1", None)
    right = work(client, "/build/rule", game=CHOMP, state=broken["state"])
    assert (right["rule"], right["move"]) == (EAT2, "eat2(1)")
    assert work(client, "/build/verify", game=CHOMP, rules=[EAT1, EAT2])["verdict"] == "proved"


def test_a_wrong_move_is_shown_with_the_play_that_it_loses(client):
    wrong = {"when": "true", "action": "eat1", "args": {"k": "a"}}
    found = work(client, "/build/verify", game=CHOMP, rules=[wrong, EAT1, EAT2])
    assert (found["verdict"], found["number"]) == ("refuted", 1)
    line = found["line"]
    assert [step["by"] for step in line[:2]] == ["the strategy", "the other player"]
    assert line[0]["state"] == found["state"] and "made" not in line[-1]
    # Each state follows from the one before by the move that is named, and play is over.
    for before, after in pairwise(line):
        move = {"game": CHOMP, "state": before["state"], "move": before["made"]}
        assert ask(client, "/play/move", **move)["state"] == after["state"]
    last = ask(client, "/play/view", game=CHOMP, state=line[-1]["state"])
    # Whoever cannot move loses, and that is the strategy: its turns are the even places.
    assert last["over"] and (len(line) - 1) % 2 == 0


def test_a_wrong_formula_is_never_proved(client):
    found = work(client, "/build/verify", game=CHOMP, losing="a = b + 2", rules=[EAT1, EAT2])
    assert found["verdict"] == "refuted"
    assert any(claim["verdict"] == "refuted" for claim in found["claims"])
    # The rules themselves win: no state may be shown where they would not.
    assert "state" not in found


def test_no_rules_are_no_strategy(client):
    assert work(client, "/build/verify", game=CHOMP, rules=[])["verdict"] != "proved"


def test_the_rest_is_completed_and_what_is_not_needed_is_dropped(client):
    assert work(client, "/build/rest", game=CHOMP, rules=[EAT2])["rules"] == [EAT2, EAT1]
    twice = {"when": "a = b and a >= 5", "action": "eat2", "args": {"k": "a"}}
    short = work(client, "/build/shorten", game=CHOMP, rules=[twice, EAT1, EAT2])
    assert short["rules"] == [EAT1, EAT2]
    locked = {"rules": [twice, EAT1, EAT2], "metas": ["mine", "", ""]}
    assert work(client, "/build/shorten", game=CHOMP, **locked)["rules"] == locked["rules"]
    refused = work(client, "/build/shorten", game=CHOMP, rules=[EAT1])["fault"]
    assert "proved" in refused["message"]


def test_a_strategy_by_hand_is_played_as_it_stands(client):
    """Fault it sees: what plays is the proved strategy, or what follows from the formula."""
    wrong = {"when": "a = 3 and b = 1", "action": "eat1", "args": {"k": "2"}}
    data = {"game": CHOMP, "losing": "", "rules": [wrong], "player": {"kind": "strategy"}}
    assert ask(client, "/play/reply", state="3,1", **data)["move"] == "eat1(2)"
    there = ask(client, "/play/reply", state="5,1", **data)
    assert there["fired"] is None and "no rule" in there["reason"]
    unread = {**data, "rules": [{**wrong, "when": "a ="}]}
    assert "rule 1: " in ask(client, "/play/reply", state="3,1", **unread)["fault"]["message"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"when": "a >", "action": "eat1", "args": {"k": "1"}}, "rule 2: "),
        ({"when": "true", "action": "eat3", "args": {"k": "1"}}, "rule 2: no such action"),
        ({"when": "true", "action": "eat1", "args": {}}, "rule 2: eat1 needs the argument 'k'"),
        ({"when": "c = 1", "action": "eat1", "args": {"k": "1"}}, "rule 2: "),
    ],
)
def test_a_rule_that_cannot_be_read_is_named(client, rule, said):
    fault = work(client, "/build/verify", game=CHOMP, rules=[EAT1, rule])["fault"]
    assert fault["message"].startswith(said) and fault["mend"]


@pytest.mark.slow
def test_rules_in_words_stand_beside_those_that_aim_by_an_automaton(client):
    """Where the third pile is empty, the first becomes as large as the second."""
    answer = json.loads(export(nim3_by_automata(), "json"))
    game = {"text": answer["rules"], "rule": "normal"}
    own = {"when": "c = 0 and a > b", "action": "take_a", "args": {"k": "a - b"}}
    rules = [own, *answer["strategy"]]
    found = work(client, "/build/verify", game=game, answer=answer, rules=rules)
    assert found["verdict"] == "proved"


def test_an_unsolved_game_asks_for_its_losing_states(client):
    game = {"name": "nim2", "rule": "normal"}
    take = [
        {"when": "a > b", "action": "take_a", "args": {"k": "a - b"}},
        {"when": "a < b", "action": "take_b", "args": {"k": "b - a"}},
    ]
    assert "lose" in work(client, "/build/verify", game=game, rules=take)["fault"]["message"]
    found = work(client, "/build/verify", game=game, losing="a = b", rules=take)
    assert found["verdict"] == "proved"


# --- finite games --------------------------------------------------------------------------------

TTT = {"name": "tictactoe"}


@pytest.fixture(scope="module")
def whole(client):
    """Tic-tac-toe, solved whole in the process for long work."""
    assert "states" in work(client, "/play/explore", game=TTT)["text"]
    return {"game": TTT, "role": "x"}


def texts(rules):
    """Rules of the page as lines of a tree."""
    return [(f"if {r['when']}: " if r["when"] else "") + r["action"] for r in rules]


@pytest.mark.slow
def test_a_tree_is_completed_proved_broken_and_mended(client, whole, tmp_path):
    assert ask(client, "/build/begin", game=TTT)["roles"] == ["x", "o"]
    done = work(client, "/build/rest", **whole, rules=["mark(2,2)"], seconds=4)
    rules = texts(done["rules"])
    proved = work(client, "/build/verify", **whole, rules=rules)
    assert proved["verdict"] == "proved" and "line" not in proved
    assert proved["standing"] == "strongly optimal"
    saved = work(client, "/files/save", **whole, tree="\n".join(rules), format="json")
    path = tmp_path / "tree.json"
    path.write_bytes(b64decode(saved["data"]))
    command = [sys.executable, "-m", "icgsynth", "verify", "tictactoe", str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    # A rule that marks any corner or edge first leaves the middle: not every such move is good
    # after the first reply.
    broken = ["if cell(1,1,x): mark(1,2)", *rules]
    for _ in range(20):
        found = work(client, "/build/verify", **whole, rules=broken)
        if found["verdict"] == "proved":
            break
        data = {"rules": broken, "state": found["state"], "number": found["number"]}
        right = work(client, "/build/rule", **whole, **data)
        assert set(right["move"].split(" or ")) <= set(found["good"])
        place = len(broken) if found["number"] is None else found["number"] - 1
        broken = [*broken[:place], *texts([right["rule"]]), *broken[place:]]
    assert found["verdict"] == "proved"
    short = texts(work(client, "/build/shorten", **whole, rules=broken)["rules"])
    assert len(short) < len(broken)
    assert work(client, "/build/verify", **whole, rules=short)["verdict"] == "proved"


@pytest.mark.slow
def test_the_rest_of_a_tree_keeps_every_rule_that_stands_there(client, whole):
    """Fault it sees: a rule that the search can do without is deleted, and nobody is told."""
    own = ["if cell(1,1,o) and cell(1,2,o): mark(1,3)"]  # which a tree for o can do without
    done = work(client, "/build/rest", **{**whole, "role": "o"}, rules=own, seconds=4)
    assert own[0] in texts(done["rules"])
    own = ["if cell(1,1,x): mark(2,2)", "mark(2,2)"]
    done = work(client, "/build/rest", **whole, rules=own, seconds=4)
    rules = texts(done["rules"])
    assert [rule for rule in rules if rule in own] == own and len(rules) > len(own)
    assert work(client, "/build/verify", **whole, rules=rules)["verdict"] == "proved"


@pytest.mark.slow
def test_a_tree_is_strongly_or_weakly_optimal_or_neither(client, whole):
    """Without rules x may go wrong, but no rule does; with a wrong one x gives a draw away."""
    for rules, standing in (([], "weakly optimal"), (["mark(1,2)"], "not optimal")):
        found = work(client, "/build/verify", **whole, rules=rules)
        assert (found["verdict"], found["standing"]) == ("refuted", standing)


@pytest.mark.slow
def test_what_is_locked_is_left_when_a_tree_is_shortened(client, whole):
    """Faults it sees: a locked rule goes, or the names of meta-rules are lost in a file."""
    done = work(client, "/build/rest", **whole, rules=["mark(2,2)"], seconds=4)
    rules = [*texts(done["rules"]), "if cell(1,1,x): mark(1,2)", "if cell(1,1,x): mark(1,3)"]
    last = len(rules) - 2
    metas = [*[""] * last, "mine", "mine"]
    short = work(client, "/build/shorten", **whole, rules=rules, metas=metas)["rules"]
    assert [rule["of"] for rule in short if "of" in rule] == [last, last + 1]
    free = work(client, "/build/shorten", **whole, rules=rules)["rules"]
    assert len(free) <= len(short) - 2 and not any("of" in rule for rule in free)
    tree = "mark(2,2)\nmeta mine:\n  if cell(1,1,x): mark(1,2)\n  mark(1,3)\n"
    begun = ask(client, "/build/begin", game=TTT, tree=tree)["rules"]
    assert [rule.get("meta") for rule in begun] == [None, "mine", "mine"]


@pytest.mark.slow
def test_the_line_that_refutes_a_tree_is_a_play_of_the_game(client, whole):
    # Without a rule every legal move is made, and some answer of x to a reply loses the win.
    found = work(client, "/build/verify", **whole, rules=[])
    assert (found["verdict"], found["number"]) == ("refuted", None)
    line = found["line"]
    for before, after in pairwise(line):
        move = {"game": TTT, "state": before["state"], "move": before["made"]}
        assert ask(client, "/play/move", **move)["state"] == after["state"]
    moves = ask(client, "/play/view", game=TTT, state=line[-1]["state"])["view"]["moves"]
    assert set(found["good"]) < {move["move"] for move in moves}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("if cell(1,1,x): fly", "rule 1: the game has no action fly"),
        ("meta a:\n mark(1,1)", "rule 1 is not one rule"),
        ("mark(1,1)\nmark(1,2)", "rule 1 is not one rule"),
        ("", "rule 1 is not one rule"),
    ],
)
def test_what_is_no_rule_of_a_tree_is_named(client, whole, text, said):
    fault = work(client, "/build/verify", **whole, rules=[text])["fault"]
    assert fault["message"] == said and fault["mend"]
    wrong = work(client, "/build/verify", game=TTT, role="z", rules=[])["fault"]
    assert "no player z" in wrong["message"]
    early = work(client, "/build/shorten", **whole, rules=[])["fault"]
    assert "proved" in early["message"]


# --- as people see it ----------------------------------------------------------------------------


def built(page, **words):
    """The page with a strategy from a permalink, once the game is solved."""
    page.goto("about:blank")
    page.goto(f"/build#{urlencode(words)}")
    page.locator("#verify:enabled").wait_for()
    return page


def verdict(page, text):
    page.locator("#verify").click()
    page.locator("#verdict", has_text=text).wait_for()


@pytest.mark.slow
def test_a_deleted_rule_is_missed_added_and_the_strategy_proved_again(page):
    built(page, game="chomp_2row")
    page.locator(".made-rule").nth(1).wait_for()
    verdict(page, "✓ Proved")
    page.get_by_label("Delete rule 2").click()
    # What was proved was another strategy.
    assert page.locator("#verdict").inner_text() == ""
    verdict(page, "Refuted")
    page.locator("#correct").click()
    page.locator("#moved", has_text="is now rule 2").wait_for()
    verdict(page, "✓ Proved")
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="The answer (JSON)").click()
    assert json.loads(download.value.path().read_text())["status"] == "solved"
    # The address holds the strategy; keys alone put rule 2 first.
    page.get_by_label("Move up rule 2").press("Enter")
    page.reload()
    page.locator(".made-rule").nth(1).wait_for()
    assert page.get_by_label("condition of rule 1").input_value() == "a = b"


@pytest.mark.slow
def test_a_tree_is_broken_and_mended_by_clicks(page):
    hurry(built(page, game="tictactoe", role="x"))
    page.locator(".moves button", has_text="2,2").click()
    assert page.get_by_label("move of rule 1").input_value() == "mark(2,2)"
    page.locator("#rest").click()
    page.locator("#moved", has_text="rules were added").wait_for()
    verdict(page, "✓ Proved")
    # A first rule by clicks, which marks an edge wherever it can.
    page.locator("#add").click()
    added = page.locator(".made-rule").count()
    page.locator(".moves button", has_text="1,2").click()
    for place in range(added, 1, -1):
        page.get_by_label(f"Move up rule {place}", exact=True).press("Enter")
    assert page.locator("#verdict").inner_text() == ""
    verdict(page, "rule 1 plays")
    page.locator("#said", has_text="fails").wait_for()
    page.locator("#first").click()
    page.locator("#said", has_text="Position 1 of").wait_for()
    # Mended by hand: the wrong rule goes, and with it the last one, which was needed.
    page.get_by_label("Delete rule 1", exact=True).click()
    page.get_by_label(f"Delete rule {added - 1}", exact=True).click()
    verdict(page, "Refuted")
    for _ in range(20):
        page.locator("#correct").click()
        page.locator("#correct").wait_for(state="detached")
        verdict(page, re.compile("✓ Proved|Refuted"))
        if "Proved" in page.locator("#verdict").inner_text():
            break
    assert "✓ Proved" in page.locator("#verdict").inner_text()


@pytest.mark.slow
def test_a_fact_is_asked_for_denied_and_taken_out_again(page):
    built(page, game="tictactoe", role="x", state="cell(1,1,x) control(o)")
    page.locator("#add").click()
    chip = page.locator("#chips button", has_text="cell(1,1,x)")
    for wanted in ("cell(1,1,x)", "not cell(1,1,x)", ""):
        chip.click()
        assert page.get_by_label("condition of rule 1").input_value() == wanted


@pytest.mark.slow
def test_every_change_of_a_strategy_is_undone_and_done_again(page):
    """Faults it sees: a change that is not taken down, each key taken down, a role forgotten."""

    def rules():
        return [field.input_value() for field in page.locator(".made-rule .act").all()]

    built(page, game="tictactoe", role="x")
    page.locator(".moves button", has_text="2,2").click()
    page.get_by_label("condition of rule 1").press_sequentially("cell(1,1,x)")
    page.locator("#add").click()
    page.get_by_label("move of rule 2").press_sequentially("mark(1,3)")
    page.locator("#empty").click()
    page.locator("#role").select_option("o")
    assert rules() == []
    page.locator("#undo").click()
    assert (page.locator("#role").input_value(), rules()) == ("x", [])
    page.locator("#undo").click()
    assert rules() == ["mark(2,2)", "mark(1,3)"]
    page.locator("#undo").click()
    assert rules() == ["mark(2,2)", ""]
    page.keyboard.press("Control+z")
    assert rules() == ["mark(2,2)"]
    assert page.get_by_label("condition of rule 1").input_value() == "cell(1,1,x)"
    page.keyboard.press("Control+z")
    assert page.get_by_label("condition of rule 1").input_value() == ""
    for _ in range(3):
        page.locator("#redo").click()
    assert rules() == ["mark(2,2)", "mark(1,3)"]
    page.reload()
    page.locator(".made-rule").nth(1).wait_for()
    assert rules() == ["mark(2,2)", "mark(1,3)"]


@pytest.mark.slow
def test_another_game_is_left_by_back_to_the_strategy_before(page):
    """Fault it sees: *Begin* throws the rules of the game before away."""
    built(page, game="chomp_2row")
    page.get_by_label("Delete rule 2").click()
    page.locator("#game").fill("nim2")
    page.locator("#choose button").click()
    page.locator("#title", has_text="Nim").wait_for()
    page.locator("#verify:enabled").wait_for()
    page.go_back()
    page.locator("#title", has_text="Chomp").wait_for()
    page.locator("#verify:enabled").wait_for()
    assert page.locator(".made-rule").count() == 1


@pytest.mark.slow
def test_the_correct_rule_is_looked_for_as_long_as_the_page_says(page):
    """Fault it sees: *Add the correct rule* has seconds of its own."""
    built(page, game="tictactoe", role="x")
    page.locator("#seconds").fill("3")
    verdict(page, "Refuted")
    with page.expect_request("**/build/rule") as asked:
        page.locator("#correct").click()
    assert asked.value.post_data_json["seconds"] == 3
    page.locator("#moved", has_text="is now rule 1").wait_for()


def asks(page, row, column):
    """What the drawn rule asks for in a cell of Tic-tac-toe, and whether its move is there."""
    cell = page.locator(".grid .cell").nth(3 * (row - 1) + column - 1)
    found = [each.get_attribute("class") for each in cell.locator(".asked").all()]
    return found, "aimed" in cell.get_attribute("class")


@pytest.mark.slow
def test_the_chosen_rule_is_drawn_on_a_board_that_says_its_coordinates(page):
    """Faults it sees: rows for columns, a denied fact drawn as one that is asked for."""
    rule = {"when": "cell(1,2,x) and not cell(3,1,o)", "action": "mark(2,3)"}
    other = {"when": "", "action": "mark(2,2)"}
    built(page, game="tictactoe", role="x", strategy=json.dumps([rule, other]))
    names = page.locator(".grid-name").all_inner_texts()
    assert list(filter(None, names)) == ["1", "2", "3", "1", "2", "3"]
    page.get_by_label("condition of rule 1").focus()
    assert asks(page, 1, 2) == (["asked"], False)
    assert asks(page, 3, 1) == (["asked denied"], False)
    assert asks(page, 2, 3) == ([], True) and asks(page, 2, 1) == ([], False)
    page.get_by_label("condition of rule 2").focus()
    assert page.locator(".asked").count() == 0 and asks(page, 2, 2) == ([], True)


@pytest.mark.slow
def test_locked_rules_stay_move_as_one_and_are_played(page):
    """Faults it sees: a locked rule is changed by a click, deleted, torn apart, or not played."""
    hurry(built(page, game="tictactoe", role="x"))
    page.locator(".moves button", has_text="2,2").click()
    page.get_by_label("Lock rule 1", exact=True).click()
    assert page.get_by_label("condition of rule 1").get_attribute("readonly") is not None
    assert page.get_by_label("Delete rule 1", exact=True).is_disabled()
    page.locator(".moves button", has_text="3,3").click()
    assert page.get_by_label("move of rule 1").input_value() == "mark(2,2)"
    page.get_by_label("condition of rule 2").fill("cell(1,1,x)")
    page.get_by_label("Lock rule 2", exact=True).click()
    page.get_by_label("Meta-rule of rule 2", exact=True).fill("corner")
    page.get_by_label("Meta-rule of rule 2", exact=True).press("Enter")
    page.get_by_label("Meta-rule of rule 1", exact=True).fill("corner")
    page.get_by_label("Meta-rule of rule 1", exact=True).press("Enter")
    page.locator("#rest").click()
    page.locator("#moved", has_text="added").wait_for()
    moves = [each.input_value() for each in page.locator(".made-rule .act").all()]
    at = moves.index("mark(2,2)")
    assert moves[at + 1] == "mark(3,3)" and page.locator("[aria-pressed=true]").count() == 2
    verdict(page, "Proved")
    assert page.locator("#standing").inner_text() == "strongly optimal"
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="The rules of play").click()
    saved = download.value.path().read_text()
    assert "meta corner:\n  mark(2,2)\n  if cell(1,1,x): mark(3,3)\n" in saved
    page.locator("#empty").click()
    assert page.locator("#standing").inner_text() == "not verified"
    assert page.locator(".made-rule").count() == 2
    page.locator("#undo").click()
    page.locator("#play").click()
    page.locator("#history li", has_text="mark(2,2)").wait_for()
    assert page.get_by_label("x", exact=True).input_value() == "strategy"


@pytest.mark.slow
def test_a_proved_strategy_clears_the_board_and_an_own_one_is_played(page):
    """Faults it sees: the old counterexample stays on the board; Play it plays the proved rules."""
    built(page, game="chomp_2row")
    start = page.locator("#state").input_value()
    page.get_by_label("Delete rule 2").click()
    verdict(page, "Refuted")
    assert page.locator("#standing").inner_text() == "refuted"
    page.locator("#state").wait_for()
    until(page, lambda: page.locator("#state").input_value() == "1,1")
    page.locator("#undo").click()
    verdict(page, "✓ Proved")
    assert page.locator("#standing").inner_text() == "proved"
    until(page, lambda: page.locator("#state").input_value() == start)
    page.get_by_label("Delete rule 2").click()
    page.get_by_label("condition of rule 1").fill("a = 4 and b = 4")
    page.get_by_label("move of rule 1").select_option("eat2")
    page.get_by_label("k of rule 1").fill("2")
    page.locator("#state").fill("4,4")
    page.locator("#show").click()
    until(page, lambda: "state=4%2C4" in page.locator("#play").get_attribute("href"))
    page.locator("#play").click()
    page.get_by_text("Show your strategy").click()
    page.locator("#own li.lit").wait_for()
    page.locator("#history li", has_text="take 3 from b: b = 1").wait_for()

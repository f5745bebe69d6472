"""The studio's one game through all pages, and its files: opened where they belong, and saved."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from urllib.parse import urlencode

import pytest
from studio_here import ask, has, to, work

from icgsynth.export import FORMATS
from icgsynth.studio.tasks.file_tasks import SAVED

NIM2 = {"name": "nim2", "rule": "normal"}
OWN = """game single
var a
legal a >= 0
action take(k)
  pre 1 <= k <= 2 and k <= a
  eff a := a - k
"""
TREE = "if cell(1,1,x) and not cell(2,2,o): mark(2,2)\nmark(2,2)\n"


def opened(client, name, text, **more):
    return ask(client, "/files/open", name=name, text=text, **more)


def saved(client, fmt, **data):
    found = work(client, "/files/save", format=fmt, **data)
    if "fault" in found:
        return found["fault"]
    return found["name"], b64decode(found["data"])


# --- opened --------------------------------------------------------------------------------------


def test_a_file_is_told_by_what_it_holds(client):
    """Faults it sees: the ending decides, or a tree is taken for rules of a game."""
    tree = {"kind": "tree", "strategy": [{"if": [], "do": "mark(2,2)"}], "player": 2}
    assert opened(client, "x.txt", OWN) == {"game": {"text": OWN}}
    # Without a game at hand nothing tells which one a tree in plain text belongs to.
    own = {"name": "sim", "rule": "normal"}
    assert opened(client, "x", TREE, game=own) == {"game": own, "tree": TREE}
    named = {**tree, "game": "tictactoe"}
    found = opened(client, "x", json.dumps(named), game=own)
    assert found["game"]["name"] == "tictactoe" and found["player"] == 2
    assert opened(client, "x", json.dumps(tree), game=own)["game"] == own
    assert "open its game first" in opened(client, "x", TREE, game=NIM2)["fault"]["mend"]
    assert "no page" in opened(client, "x", '{"kind": "learned"}')["fault"]["message"]
    assert (
        "tree for chess"
        in opened(client, "x", json.dumps({**tree, "game": "chess"}))["fault"]["message"]
    )
    for text in ("{", "[", "[]", "[1]", "{}", "", "\0", "((((", "game", "[" * 5_000):
        found = opened(client, "x", text)
        assert "game" in found or found["fault"]["message"]


def test_an_answer_from_a_file_is_none_before_it_is_proved_again(client):
    """Fault it sees: a file that says "solved" is believed."""
    work(client, "/play/solve", game=NIM2)
    answer = json.loads(saved(client, "json", game=NIM2)[1])
    wrong = {**answer, "losing": {"formula": "a = b + 1"}, "winning": {"formula": "a != b + 1"}}
    game = opened(client, "x.json", json.dumps(wrong))["game"]
    assert "no answer" in saved(client, "json", game=game)["message"]
    assert work(client, "/play/solve", game=game, seconds=30)["told"]["status"] == "refuted"


# --- saved ---------------------------------------------------------------------------------------


def offered(client, **data):
    found = work(client, "/files/formats", **data)
    return {each["format"] for each in found["formats"]}, found["solve"]


@pytest.mark.slow
def test_the_menu_has_the_formats_that_can_be_written_and_no_other(client):
    """Faults it sees: a format that only refuses; one that is left out though it can be written."""
    assert set(SAVED) == {*FORMATS, "pdf", "rules"}
    assert offered(client, game={"name": "nim3", "rule": "misere"}) == ({"rules"}, True)
    work(client, "/play/solve", game=NIM2)
    can, solve = offered(client, game=NIM2)
    written = {fmt for fmt in SAVED if isinstance(saved(client, fmt, game=NIM2), tuple)}
    assert (can, solve) == (written, False) and "walnut" not in can and "pdf" in can
    assert offered(client, game={"name": "tictactoe"}) == ({"rules"}, False)
    heaps = "heaps kayles\nheap n\nlegal n >= 0\naction a pre n >= 1 leaves n - 1"
    assert offered(client, game={"text": heaps}) == ({"rules"}, False)


def test_what_is_saved_is_what_export_writes(client, tmp_path):
    work(client, "/play/solve", game=NIM2)
    name, answer = saved(client, "json", game=NIM2)
    assert name == "nim2.json"
    (tmp_path / name).write_bytes(answer)
    for fmt in ("python", "latex", "smt2"):
        command = [sys.executable, "-m", "icgsynth", "export", str(tmp_path / name), "--to", fmt]
        printed = subprocess.run(command, capture_output=True, check=True).stdout
        # Whether a formula is minimal is not proved of a file.
        found = saved(client, fmt, game=NIM2)[1]
        assert re.sub(rb" +\(minimal, .*\)", b"", found).strip() == printed.strip()
    assert saved(client, "pdf", game=NIM2)[1].startswith(b"%PDF")
    assert saved(client, "rules", game={"text": OWN}) == ("single.icg", OWN.encode())
    assert "walnut" in saved(client, "walnut", game=NIM2)["message"]
    assert "solve the game" in saved(client, "json", game={"name": "nim3"})["mend"]
    assert "no export format" in saved(client, "../x", game=NIM2)["message"]


def test_a_strategy_by_hand_says_solved_only_once_it_is_verified(client):
    rules = [
        {"when": "a > b", "action": "take_a", "args": {"k": "a - b"}},
        {"when": "a < b", "action": "take_b", "args": {"k": "b - a"}},
    ]
    data = {"game": NIM2, "losing": "a = b", "rules": rules}
    assert json.loads(saved(client, "json", **data)[1])["status"] == "unknown"
    assert work(client, "/build/verify", **data)["verdict"] == "proved"
    assert json.loads(saved(client, "json", **data)[1])["status"] == "solved"
    fewer = {**data, "rules": rules[:1]}
    assert json.loads(saved(client, "json", **fewer)[1])["status"] == "unknown"


@pytest.mark.slow
def test_a_tree_is_saved_for_the_command_line(client, tmp_path):
    game, tree = {"name": "tictactoe"}, "mark(2,2)\nif cell(2,2,x): mark(1,1)\n"
    for fmt in ("fft", "python", "html", "latex", "asp", "json"):
        name, content = saved(client, fmt, game=game, tree=tree, role="o")
        assert name.startswith("tictactoe.") and len(content) > 20
    path = tmp_path / name
    path.write_bytes(content)
    kept = json.loads(content)
    assert kept["player"] == 2 and kept["strategy"][1]["if"] == ["cell(2,2,x)"]
    command = [sys.executable, "-m", "icgsynth", "verify", "tictactoe", str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 3
    assert kept["status"] == "unknown"
    five = """mark(2,2)
    if cell(3,1,o) and not cell(2,3,o): mark(2,1)
    if not cell(2,1,o): mark(2,3)
    if cell(2,1,x): mark(3,1)
    if cell(1,1,x): mark(3,3)"""
    right = {"game": game, "tree": five, "role": "x"}
    assert json.loads(saved(client, "json", **right)[1])["status"] == "solved"
    assert b"Proved: x never gives anything away" in saved(client, "html", **right)[1]


# --- in a browser --------------------------------------------------------------------------------


def at(page, path, **words):
    page.goto("about:blank")
    page.goto(f"{path}#{urlencode(words)}")


def put(page, path):
    page.locator("#file").set_input_files(path)


@pytest.mark.slow
def test_rules_of_ones_own_go_with_one_through_all_pages(page):
    """Faults it sees: a page that begins anew, or forgets what was done on it."""
    at(page, "/rules", rules=OWN)
    has(page, "#answer", "Proved")
    to(page, "Play")
    has(page, "#title", "single")
    has(page, "#strategy", "a mod 3 = 0")
    page.locator(".moves button").first.click()
    page.locator("#history li").first.wait_for()
    to(page, "Build and verify")
    has(page, "#title", "single")
    page.locator(".made-rule").first.wait_for()
    page.get_by_label("Delete rule 1", exact=True).click()
    left = page.locator(".made-rule").count()
    to(page, "Puzzles")
    has(page, "#number", "single: puzzle 1")
    to(page, "Automaton")
    has(page, "#fault", "no digits")
    assert page.locator("#game").input_value() == "single"
    to(page, "Gallery")
    to(page, "Play")
    page.locator("#history li").first.wait_for()
    to(page, "Build and verify")
    page.locator("#verify:enabled").wait_for()
    assert page.locator(".made-rule").count() == left
    to(page, "Rules")
    has(page, "#name", "single")
    assert page.locator("#text").input_value() == OWN
    # Another game on one page is another game on all of them, and by its name.
    page.locator("#game").fill("nim2")
    page.locator("#game").press("Enter")
    has(page, "#name", "Nim on two piles")
    to(page, "Play")
    has(page, "#title", "Nim on two piles")
    assert page.locator("#game").input_value() == "nim2"
    assert page.locator("#history li").count() == 0


@pytest.mark.slow
def test_files_open_where_they_belong_and_are_saved_from_every_page(page, tmp_path):
    (tmp_path / "own.icg").write_text(OWN)
    (tmp_path / "tree.txt").write_text(TREE)
    (tmp_path / "bad.json").write_text('{"kind": "learned"}')
    has(page, "#strategy", "Proved")
    put(page, tmp_path / "own.icg")
    has(page, "#name", "single")
    has(page, "#answer", "Proved")
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="The answer (JSON)").click()
    assert download.value.suggested_filename == "single.json"
    download.value.save_as(tmp_path / "single.json")
    assert json.loads((tmp_path / "single.json").read_text())["losing"]["formula"] == "a mod 3 = 0"
    to(page, "Gallery")
    put(page, tmp_path / "bad.json")
    has(page, "#filed", "no page")
    put(page, tmp_path / "single.json")
    has(page, "#strategy", "Proved for all states")
    at(page, "/play", game="tictactoe")
    has(page, "#status", "to move")
    put(page, tmp_path / "tree.txt")
    page.locator("#verify:enabled").wait_for()
    assert [each.input_value() for each in page.locator(".made-rule .when").all()] == [
        "cell(1,1,x) and not cell(2,2,o)",
        "",
    ]
    page.locator("#save summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="The rules of play").click()
    assert TREE in download.value.path().read_text()

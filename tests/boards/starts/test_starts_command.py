"""The command starts: streams, exit codes, files, and what they hold."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from xml.etree import ElementTree

import pytest
from commands import call

from icgsynth.cli import run

SMALL = ("starts", "bottom", "--level", "hard", "--count", "3", "--quiet")
SMALLER = ("starts", "bottom", "--size", "3x3", "--moves", "2", "--count", "3", "--quiet")


def value_of(capfd, *arguments):
    code, out, err = call(capfd, *arguments, "--json", "--quiet")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_sets_are_counted(capfd):
    exact = value_of(capfd, "starts", "tictactoe", "--count-sets")
    assert (exact["reachable"], exact["T1"], exact["T2"]) == (5478, 626, 316)
    assert exact["W"][0] == 1498 and len(exact["W"]) == 5


def test_the_engine_is_chosen_by_memory(capfd):
    pytest.importorskip("oxidd")
    dense = value_of(capfd, "starts", "bottom", "--size", "3x3", "--count-sets")
    other = value_of(capfd, "starts", "bottom", "--size", "3x3", "--count-sets", "--memory", "1e-6")
    assert (dense["engine"], other["engine"]) == ("dense", "symbolic")
    for name in ("reachable", "T1", "T2", "W"):
        assert dense[name] == other[name]
    code, _, err = call(
        capfd, "starts", "bottom", "--count-sets", "--engine", "dense", "--memory", "1e-6"
    )
    assert code == 2 and "raise --memory" in err
    chosen = value_of(capfd, "starts", "bottom", "--size", "3x3", "--engine", "symbolic",
                      "--count", 2)  # fmt: skip
    assert len(chosen["positions"]) == 2 and chosen["levels"] == {}


def test_the_list_says_all_about_a_position(capfd, tmp_path):
    path = tmp_path / "list.json"
    value = value_of(capfd, *SMALL[:-1], "--unique-first-move", "-o", path)
    again = json.loads(path.read_text("utf-8"))
    del value["seconds"], again["seconds"]
    assert value == again
    assert value["such_positions"] == 970 == sum(value["levels"]["depth 2"].values())
    for position in value["positions"]:
        assert position["level"] == "hard" and position["chances"][1] <= 1 / 3 + 1e-5
        assert position["first_moves"] == [position["solution"]["move"]]
        stones = sum(c in "XO" for c in position["board"])
        assert len(position["path"]) == stones


@pytest.mark.slow
def test_the_same_seed_makes_the_same_sheet(capfd, tmp_path):
    for ending in ("pdf", "svg", "html", "csv"):
        one, two = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
        for path in (one, two):
            assert call(capfd, *SMALLER, "--seed", 5, "-o", path)[0] == 0
        assert one.read_bytes() == two.read_bytes()


def test_the_sheet_as_svg_and_html(capfd, tmp_path):
    path = tmp_path / "sheet.svg"
    assert call(capfd, *SMALL, "-o", path)[0] == 0
    root = ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{space}text")]
    assert texts.count("X plays") == 3 and any(t.startswith("Answers.") for t in texts)
    # Nothing is drawn off the page (A4, in points), two pages below each other.
    for circle in root.iter(f"{space}circle"):
        assert 0 < float(circle.get("cx")) < 595 and 0 < float(circle.get("cy")) < 842
    for text in root.iter(f"{space}text"):
        assert float(text.get("x")) + float(text.get("textLength")) <= 595
    assert call(capfd, *SMALL, "-o", tmp_path / "sheet.html")[0] == 0
    html = (tmp_path / "sheet.html").read_text("utf-8")
    assert html.count("<section>") == 2 and "page-break-after" in html


def test_the_sheet_as_pdf_is_whole(capfd, tmp_path):
    """Every object lies where the table says, and the pages' drawings unpack."""
    path = tmp_path / "sheet.pdf"
    assert call(capfd, *SMALL, "-o", path)[0] == 0
    data = path.read_bytes()
    assert data.startswith(b"%PDF-1.") and data.endswith(b"%%EOF\n")
    table = int(re.search(rb"startxref\n(\d+)", data)[1])
    assert data[table:].startswith(b"xref\n")
    places = re.findall(rb"^(\d{10}) 00000 n $", data[table:], re.MULTILINE)
    for number, place in enumerate(places, start=1):
        assert data[int(place) :].startswith(b"%d 0 obj" % number)
    assert data.count(b"/Type /Page\n") == 2
    drawn = b""
    for found in re.finditer(rb"/FlateDecode\n/Length (\d+)\n>>\nstream\n", data):
        drawn += zlib.decompress(data[found.end() : found.end() + int(found[1])])
    assert b"(X plays) Tj" in drawn and b"Tempting" in drawn


def test_the_sheet_as_csv(capfd, tmp_path):
    path = tmp_path / "sheet.csv"
    assert call(capfd, *SMALL, "-o", path)[0] == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    assert [row["level"] for row in rows] == ["hard"] * 3
    assert all(float(row["chance_2"]) <= 0.3334 for row in rows)


def test_one_position(capfd):
    board = "O...O/X.X.X/X.O.X/XXOXO/OOOXO"  # Figures 1(e) and 4 of the paper
    value = value_of(capfd, "starts", "connect", "--position", board, "--you", 2)
    assert (value["wins_in"], value["level"], value["mover"]) == (3, "hard", "X")
    assert value["values"] == {"b3": 3, "c5": 6, "d3": 0}
    code, out, _ = call(capfd, "starts", "connect", "--position", board, "--you", 3, "--quiet")
    assert code == 0 and "X forces a win in 3" in out and "100 %, easy" in out


def test_few_positions_are_told(capfd):
    code, out, err = call(capfd, "starts", "tictactoe", "--level", "hard", "--unique-first-move")
    assert code == 0 and "1 of 12 found" in err and out.count("hard, category") == 1
    value = value_of(capfd, "starts", "tictactoe", "--moves", 5)
    assert value["positions"] == [] and value["such_positions"] == 0


def test_impartial_games(capfd, tmp_path):
    value = value_of(capfd, "starts", "nim3", "--moves", 3, "--you", 1, "--bound", 6, "--count", 4)
    assert value["states"] == 343 and len(value["positions"]) == 4
    for position in value["positions"]:
        a, b, c = position["state"]
        assert a ^ b ^ c and position["moves"] == 3
    for ending in ("svg", "pdf", "html", "csv", "json"):
        path = tmp_path / f"nim.{ending}"
        code, out, _ = call(capfd, "starts", "nim2", "--bound", 8, "-o", path, "--count", 4)
        assert code == 0 and path.stat().st_size > 100 and str(path) in out


def test_knowing_a_part_of_the_strategy(capfd, tmp_path):
    path = tmp_path / "nim2.json"
    assert run(["solve", "nim2", "--quiet", "-o", str(path)]) == 0
    capfd.readouterr()
    common = ("starts", "nim2", "--bound", 9, "--moves", 2, "--you", 0, "--count", 99)
    chances = []
    for knows in ((), ("--knows", 1), ("--knows", 0)):
        value = value_of(capfd, *common, "--solution", path, *knows)
        assert len(value["knows"]) == (knows[1] if knows else 2)
        chances.append({tuple(p["state"]): p["chance"] for p in value["positions"]})
    whole, part, none = chances
    assert set(whole) == set(part) and set(whole.values()) == {1}
    # Who knows nothing does as well in symmetric positions, of which one is listed.
    none |= {state[::-1]: chance for state, chance in none.items()}
    assert set(none) == set(part)
    # To know one of the two rules helps where it is needed, and harms nowhere.
    assert all(none[state] <= part[state] + 1e-9 for state in none)
    assert any(none[state] < part[state] == 1 for state in none)
    assert any(part[state] < 1 for state in none)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("connect", "--size", "5"), "no size"),
        (("connect", "--match", "9"), "no 9 in a line"),
        (("connect", "--win", "Z"), "no such way to win"),
        (("connect", "--gravity", "up"), "no such gravity"),
        (("connect", "--rule", "misere"), "it goes with impartial games"),
        (("connect", "--set", "n=3"), "for impartial games"),
        (("connect", "--moves", "0"), "no win in 0 moves"),
        (("connect", "--you", "0"), "1 to 8 rounds"),
        (("connect", "-o", "sheet.doc"), "its ending is none that is written here"),
        (("connect", "--reward", "1,x"), "no list of integers"),
        (("connect", "--reward", "0,90"), "smaller weights"),
        (("connect", "--position", "X"), "not a board"),
        (("tictactoe", "--position", "XXX/OO./..."), "has ended"),
        (("nim2", "--size", "3x3"), "it goes with connect"),
        (("nim2", "--count-sets"), "it goes with connect"),
        (("nim2", "--knows", "1"), "give --solution"),
        (("nim2", "--moves", "0"), "takes a move"),
        (("no_such_game",), "no catalog game"),
        (("nim3", "--bound", "99"), "choose a smaller --bound"),
    ],
)
def test_bad_usage_says_what_to_mend(capfd, arguments, message):
    code, out, err = call(capfd, "starts", *arguments, "--quiet")
    assert (code, out) == (2, "") and message in err


@pytest.mark.slow
def test_a_game_that_never_ends_is_refused(capfd, tmp_path):
    path = tmp_path / "loop.icg"
    path.write_text("game loop\nvar a\nlegal 0 <= a <= 3\naction go pre true eff a := 3 - a\n")
    code, _, err = call(capfd, "starts", path)
    assert code == 2 and "the game may never end" in err


@pytest.mark.parametrize(
    ("options", "mend"),
    [
        (("--moves", "1", "--level", "hard"), "--level any has 40 more"),
        (("--moves", "100"), "another --moves"),
        (("--moves", "2", "--unique-first-move", "--count", "500"), "--unique-first-move"),
    ],
)
def test_the_option_to_change_is_named(capfd, options, mend):
    """Kills: one sentence for every case; 40 is the number of piles (n, 0) and (0, n), n <= 20."""
    code, _, err = call(capfd, "starts", "nim2", *options)
    assert code == 0 and mend in err


@pytest.mark.parametrize("ending", ["pdf", "json"])
def test_no_position_is_no_sheet(tmp_path, ending, capfd):
    """Who can take all that is left wins at once and cannot miss it: no such position is hard."""
    sheet = tmp_path / f"sheet.{ending}"
    arguments = ["take_away", "--moves", "1", "--level", "hard", "-b", "12"]
    code, out, err = call(capfd, "starts", *arguments, "-o", str(sheet))
    assert (code, sheet.exists()) == (4, False)
    assert "is not written" in out and "--level any" in err
    assert (
        call(capfd, "starts", *arguments[:3], "-b", "12", "-o", str(sheet))[0] == 0
        and sheet.exists()
    )


def test_rules_with_quantifiers_are_graded_and_played(capfd, tmp_path):
    """Fault it sees: a quantifier that is left in the rules, which ends in a traceback."""
    path = tmp_path / "skips.icg"
    path.write_text(
        "game skips var a, b legal a >= 0 and b >= 0 and exists k. a = 3 * k + b\n"
        "action left(k) pre 1 <= k <= a and forall j. (k != 2 * j or j <= b) eff a := a - k\n"
        "action right(k) pre 1 <= k <= b eff b := b - k\n"
    )
    assert call(capfd, "starts", path, "--bound", 6, "-q").returncode == 0
    assert call(capfd, "tournament", path, "--bound", 4, "--matches", 2, "-q").returncode == 0

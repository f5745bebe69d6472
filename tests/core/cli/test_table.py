"""Tables: what is drawn is what was labelled."""

import csv
import io
import itertools
import json
import re
import sys
import xml.etree.ElementTree as ET
from functools import reduce
from itertools import pairwise, product
from operator import xor

import numpy as np
import pytest
from commands import call, refused
from effort import Calls
from hand_solved import CHOMP, NIM2, TAKE_AWAY, game
from plain_play import worth

from icgsynth.cli import run
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import label
from icgsynth.explicit.steps import steps_of
from icgsynth.export.panels import COLOURS, ILLEGAL, Table, panels, ticks
from icgsynth.export.sentences import rules_in_words
from icgsynth.export.svg import table_png, table_svg
from icgsynth.export.table import table_csv, table_text, values_text
from icgsynth.spec.catalog import resolve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.subjects import value_questions

LOSING, WINNING, UNKNOWN = 0, 1, -1


def table(states, outcome, ending=lambda s: False, names=("a", "b"), title="A game: normal play"):
    listed = [tuple(s) for s in states]
    return Table(
        title,
        names,
        np.array(listed, dtype=np.int64).reshape(len(listed), len(names)),
        np.array([outcome(s) for s in listed], dtype=np.int8),
        np.array([ending(s) for s in listed], dtype=bool),
    )


def nim(bound, names=("a", "b")):
    return table(
        product(range(bound + 1), repeat=len(names)),
        lambda s: WINNING if reduce(xor, s) else LOSING,
        lambda s: not any(s),
        names,
    )


def strip(low, high):
    kinds = {0: LOSING, 1: UNKNOWN}
    return table(
        ((v,) for v in range(low, high + 1)),
        lambda s: kinds.get(s[0] % 4, WINNING),
        lambda s: s[0] == 0,
        ("v",),
    )


def cells(svg, kind):
    """How many cells of a kind an SVG paints, by the area of its rectangles."""
    fill = "url(#unknown)" if kind == UNKNOWN else COLOURS[kind]
    area, size = 0, None
    for element in ET.fromstring(svg).iter():
        if element.tag.endswith("path") and element.get("fill") == fill:
            for width, height in re.findall(r"h(\d+)v(\d+)h-", element.get("d")):
                size = int(height)
                area += int(width) * int(height)
    return area // size**2 if size else 0


def words(svg):
    return [e.text for e in ET.fromstring(svg).iter() if e.tag.endswith("text")]


# --- the labels of a real solver ------------------------------------------------------------


@pytest.mark.parametrize("text", [NIM2, CHOMP, TAKE_AWAY])
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_with_the_explicit_solver(text, rule):
    of = game(text)
    found = label(of, Box.of(of, 12), rule)
    drawn = Table.of(of, rule, found)
    assert drawn.title.startswith(of.title) and ("misère" in drawn.title) == (rule == "misere")
    svg = table_svg(drawn)
    for kind in (LOSING, WINNING, UNKNOWN):
        assert cells(svg, kind) == int((found.outcome == kind).sum())
    rows = list(csv.DictReader(io.StringIO(table_csv(drawn))))
    assert len(rows) == len(found.states)
    for row, state, outcome, ending in zip(
        rows, found.states, found.outcome, found.ending, strict=True
    ):
        assert [int(row[name]) for name in of.variables] == state.tolist()
        assert row["outcome"] == {LOSING: "losing", WINNING: "winning"}[int(outcome)]
        assert row["ending"] == str(int(ending))


# --- SVG ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [0, 1, 12, 40, 200])
def test_svg_grid(bound):
    svg = table_svg(nim(bound))
    assert cells(svg, LOSING) == bound + 1
    assert cells(svg, WINNING) == (bound + 1) * bound
    said = words(svg)
    assert {"a", "b", "losing", "the game is over", "A game: normal play"} <= set(said)
    assert ("winning" in said) == (bound > 0) and "unknown" not in said
    root = ET.fromstring(svg)
    assert 100 < float(root.get("width")) < 900 and 100 < float(root.get("height")) < 900
    numbers = [w for w in said if w and re.fullmatch(r"-?\d+", w)]
    assert len(numbers) <= 30 and "0" in numbers


def test_svg_losing_cells_stand_where_they_are():
    """The origin is below and to the left: (0, 3) is three cells above it."""
    svg = table_svg(
        table(product(range(4), repeat=2), lambda s: LOSING if s == (0, 3) else WINNING)
    )
    path = next(
        e.get("d")
        for e in ET.fromstring(svg).iter()
        if e.get("fill") == COLOURS[LOSING] and e.get("d")
    )
    assert path.startswith("M0 0h")


@pytest.mark.parametrize(
    ("low", "high"), [(0, 0), (0, 40), (-13, 27), (7, 300), (0, 1500), (0, 5000)]
)
def test_svg_strip(low, high):
    svg = table_svg(strip(low, high))
    for kind, rest in ((LOSING, (0,)), (UNKNOWN, (1,)), (WINNING, (2, 3))):
        assert cells(svg, kind) == sum(v % 4 in rest for v in range(low, high + 1))
    if high <= 300:
        assert {str(v) for v in range(low, high + 1)} <= set(words(svg))
    assert ("the game is over" in words(svg)) == (low <= 0 <= high)


def test_each_word_of_a_legend_stands_between_its_sign_and_the_next():
    *_, legend = ET.fromstring(table_svg(strip(-13, 500)))
    *squares, dot = (e for e in legend if not e.tag.endswith("text"))
    signs = [(float(e.get("x")), float(e.get("x")) + float(e.get("width"))) for e in squares]
    middle, radius = float(dot.get("cx")), float(dot.get("r"))
    signs.append((middle - radius, middle + radius))
    starts = [float(e.get("x")) for e in legend if e.tag.endswith("text")]
    assert len(starts) == len(signs) == 4
    edges = [x for sign, start in zip(signs, starts, strict=True) for x in (*sign, start)]
    assert edges == sorted(edges)


def test_svg_strip_frames_the_ending_state():
    """The frame is around the number 0, where the game is over, and around no other."""
    root = ET.fromstring(table_svg(strip(-13, 27)))
    drawing = next(e for e in root if len(e.findall(".//{*}text")) > 40)
    (frame,) = (e for e in drawing.iter() if e.tag.endswith("rect") and e.get("rx"))
    (zero,) = (
        e
        for e in drawing.iter()
        if e.tag.endswith("text") and e.text == "0" and e.get("text-anchor") == "middle"
    )
    left, high, side = (float(frame.get(name)) for name in ("x", "y", "width"))
    assert left < float(zero.get("x")) < left + side
    assert high < float(zero.get("y")) < high + side


def test_svg_slices_are_capped_and_said():
    svg = table_svg(nim(20, ("a", "b", "c")))
    captions = [w for w in words(svg) if w and w.startswith("c = ")]
    assert captions == [f"c = {i}" for i in range(12)]
    assert any("12 of 21 slices" in (w or "") for w in words(svg))
    four = table_svg(nim(2, ("a", "b", "c", "d")))
    assert "c = 2, d = 1" in words(four) and not any("slices" in (w or "") for w in words(four))


def test_svg_escapes_its_title():
    svg = table_svg(table([(0, 0)], lambda s: LOSING, title='<a> & "b": normal play'))
    assert '<a> & "b": normal play' in words(svg)


def test_svg_takes_little_work():
    with Calls() as calls:
        svg = table_svg(nim(200))
    assert calls.count < 800_000  # about 165,000 as counted
    assert len(svg) < 100_000


# --- slices ----------------------------------------------------------------------------------


def test_panels_keep_the_slices_near_zero():
    signed = table(product([0, 1], [0, 1], range(-4, 5)), lambda s: WINNING, names=("a", "b", "c"))
    found, total = panels(signed, 3)
    assert total == 9 and [panel.caption for panel in found] == ["c = -1", "c = 0", "c = 1"]
    assert found[0].cells.shape == (2, 2)


def test_panels_mark_what_is_not_legal():
    (panel,), _ = panels(table([(0, 0), (2, 1)], lambda s: LOSING), 1)
    assert panel.cells.tolist() == [[LOSING, ILLEGAL], [ILLEGAL, ILLEGAL], [ILLEGAL, LOSING]]


@pytest.mark.parametrize(
    ("lo", "hi", "most"), [(0, 40, 11), (-7, 3, 4), (5, 5, 2), (0, 200, 11), (1, 10**6, 9)]
)
def test_ticks_are_round_and_few(lo, hi, most):
    found = ticks(lo, hi, most)
    assert 1 <= len(found) <= most + 1 and all(lo <= t <= hi for t in found)
    steps = {y - x for x, y in pairwise(found)}
    assert len(steps) <= 1 and all(str(s).rstrip("0") in ("1", "2", "5") for s in steps)


def test_an_empty_box():
    with pytest.raises(Refused, match="no legal state"):
        table_svg(table([], lambda s: LOSING))
    assert table_csv(table([], lambda s: LOSING)) == "a,b,outcome,ending\n"


def test_a_box_too_large_to_draw():
    corners = table([(0, 0), (10**6, 10**6)], lambda s: LOSING)
    for draw in (table_svg, table_text):
        with pytest.raises(Refused, match="too large to draw"):
            draw(corners)


def test_what_never_ends_within_the_box_is_not_blamed_on_what_is_outside_alone(tmp_path, capfd):
    """All states are in the box; sees a warning that names states outside and nothing else."""
    (path := tmp_path / "g.icg").write_text(
        "game g var p legal 0 <= p <= 1 action turn pre true eff p := 1 - p"
    )
    code, out, err = call(capfd, "table", path)
    assert code == 0 and "?" in out and "may not end" in err


# --- CSV, PNG, text ---------------------------------------------------------------------------


def test_csv():
    lines = table_csv(strip(-1, 1)).splitlines()
    assert lines == ["v,outcome,ending", "-1,winning,0", "0,losing,1", "1,unknown,0"]
    clash = table([(1, 2)], lambda s: WINNING, names=("outcome", "b"))
    assert table_csv(clash).splitlines()[0] == "outcome,b,outcome_,ending"


@pytest.mark.parametrize(
    "drawn", [lambda: nim(30), lambda: nim(1, ("a", "b", "c")), lambda: strip(-8, 70)]
)
def test_png(drawn):
    pytest.importorskip("resvg_py")
    data = table_png(drawn())
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) > 5_000


def test_png_without_the_extra(monkeypatch):
    pytest.importorskip("matplotlib", reason="what is missing is the other package of the extra")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(InputError) as caught:
        table_png(nim(3))
    assert "[plot]" in caught.value.mend


def test_text_grid():
    text = table_text(nim(3))
    assert [line[3:] for line in text.splitlines()[4:8]] == [
        "│ · · · ■",
        "│ · · ■ ·",
        "│ · ■ · ·",
        "│ ◆ · · ·",
    ]
    assert "■ losing" in text and "◆ losing, the game is over" in text and "unknown" not in text


@pytest.mark.parametrize(
    "drawn", [lambda: nim(150), lambda: strip(-30, 900), lambda: nim(60, ("a", "b", "c"))]
)
def test_text_fits(drawn):
    large = drawn()
    for width in (20, 40, 80, 200):
        text = table_text(large, width=width, height=20)
        rows = [line for line in text.splitlines() if "│" in line]
        assert rows and max(map(len, rows)) <= width
        assert ("fit" in text and "a file (-o) shows" in text) or len(large.variables) == 1


def test_values_of_one_variable_tell_where_they_are_cut():
    """Sees: the first rows alone, as if there were no more."""
    numbers = table([(v,) for v in range(300)], lambda s: s[0] % 5, lambda s: False, ("v",))
    assert "Only v up to 29 fits here" in values_text(numbers, height=3)  # ten in a row
    assert "Only" not in values_text(numbers, height=30)


def test_text_grid_of_a_single_state():
    rows = [line for line in table_text(nim(0)).splitlines() if "│" in line]
    assert [row.split() for row in rows] == [["0", "│", "◆"]]


@pytest.mark.parametrize("width", range(12, 60, 4))
def test_rows_of_a_text_strip_begin_at_multiples_of_five(width):
    """So a state is found: 37 is two behind the 35, or seven behind the 30."""
    text = table_text(strip(0, 200), width=width, height=99)
    rows = [line for line in text.splitlines() if "│" in line]
    assert rows and all(int(row.split("│")[0]) % 5 == 0 for row in rows)


def test_text_strip():
    rows = [line for line in table_text(strip(-2, 25)).splitlines() if "│" in line]
    assert rows[0].split("│")[1].split() == ["·", "·"]
    assert rows[1].split("│")[0].strip() == "0"
    assert "".join(rows[1].split("│")[1].split()) == "◆?··" + "■?··" * 4


# --- pictures that are looked at -----------------------------------------------------------------


def load(name):
    """A game of the catalog."""
    return load_spec(Source.read(resolve(name)), {})


def image(name, bound):
    """The picture of a table: (rows, columns), True where it is white."""
    pyplot = pytest.importorskip("matplotlib.image")
    game = load(name)
    data = table_png(Table.of(game, "normal", label(game, Box.of(game, bound), "normal")))
    return (pyplot.imread(io.BytesIO(data))[:, :, :3] > 0.99).all(axis=2)


@pytest.mark.parametrize(("name", "bound"), [("nim2", 12), ("triangle_game", 5), ("odd_only", 30)])
def test_a_table_has_no_blank_band(name, bound):
    blank = image(name, bound).all(axis=1)
    longest = max(len([*run]) for white, run in itertools.groupby(blank) if white)
    assert longest <= 2 * 48  # twice as many pixels as the drawing, where none is higher than 48


def test_the_panels_of_a_table_stand_apart_from_what_is_above_and_below():
    blank = image("triangle_game", 5).all(axis=1)
    changes = np.flatnonzero(np.diff(blank.astype(int)))
    assert len(changes) // 2 >= 8  # title, two rows with caption, numbers and name each, legend


def test_a_sheet_has_the_rules_of_its_game(tmp_path):
    path = tmp_path / "sheet.svg"
    arguments = ["starts", "nim2", "--moves", "2", "--you", "1", "--count", "2", "-q"]
    assert run([*arguments, "-o", str(path)]) == 0
    text = re.sub("<[^>]*>", "\n", path.read_text()).replace("&lt;", "<").replace("&gt;", ">")
    for line in rules_in_words(load("nim2")):
        assert line in text
    assert re.search(r"take_a\(k\): take k from a, where 1 <= k <= a", text)
    assert "Who cannot move loses." in text


def test_rules_in_words_leave_nothing_out():
    said = list(rules_in_words(load("chomp_2row")))
    assert "a >= 1 and 0 <= b <= a" in said[0]
    assert "a = 1 and b = 0" in said[-1]
    (first,) = [line for line in said if "eat1(k)" in line]
    assert all(part in first for part in ("make a = k - 1", "min(b, k - 1)", "2 <= k <= a"))
    source = Source("free", "game g\nvar v\naction a pre v > 0 eff v := v - 1\n")
    (said,) = rules_in_words(load_spec(source, {}))
    assert said == "The move a: take 1 from v, where v > 0."


# --- what depends on states outside the box ------------------------------------------------------

CHANGE = """game change
var s, c
legal s >= 0 and c >= 0
action take(k)    pre 1 <= k <= c             eff c := c - k
action change(k)  pre s >= 1 and 0 <= k <= s  eff s := s - 1, c := c + k
"""


def test_a_proved_answer_tells_of_the_edge_of_the_box(capfd, tmp_path):
    path = tmp_path / "change.icg"
    path.write_text(CHANGE, "utf-8")
    wide = load_spec(Source.read(path))
    labels = label(wide, Box.of(wide, 12), "normal")
    plain = call(capfd, "table", path, "--bound", 6, "--json")
    assert "--solve" in plain.stderr
    whole = call(capfd, "table", path, "--bound", 6, "--json", "--solve")
    assert whole.stderr == ""
    names = {0: "losing", 1: "winning"}
    by_definition, solved = (json.loads(each.stdout)["states"] for each in (plain, whole))
    assert {each["outcome"] for each in by_definition} == {"losing", "winning", "unknown"}
    for before, found in zip(by_definition, solved, strict=True):
        assert found["outcome"] == names[labels.at(tuple(found["state"]))]
        assert before["outcome"] in ("unknown", found["outcome"])


OR = """game everything
var a, b
legal a >= 0 and b >= 0
action take(k)
  pre k >= 1 and (a = 0 or k <= a) and (b = 0 or k <= b){more}
  eff a := max(a - k, 0), b := max(b - k, 0)
"""


def test_bounds_under_or_are_seen_and_what_lacks_one_is_named(capfd, tmp_path):
    """Everything Nim on two piles: exactly one pile of 1, or none left, loses (Codeforces 1965A).

    Faults it sees: bounds under ``or`` are not seen by the table, or by the second opinion on
    values of single states; the remedy is not said, or said of a game that needs none.
    """
    path = tmp_path / "game.icg"
    path.write_text(OR.replace("{more}", " and a + b >= 1"), "utf-8")
    found = call(capfd, "table", path, "--bound", 5, "--json")
    assert found.stderr == ""
    for each in json.loads(found.stdout)["states"]:
        least, most = sorted(each["state"])
        is_lost = most == 0 or least == 1 < most
        assert each["outcome"] == ("losing" if is_lost else "winning")
    for state in ((2, 1), (3, 2)):
        shown = call(capfd, "value", path, "--at", ",".join(map(str, state)), "--json", "-t", 5)
        assert json.loads(shown.stdout)["value"] == worth(load_spec(Source.read(path)))(state)
    path.write_text(OR.replace("{more}", ""), "utf-8")
    assert "add one, as k <= a + b" in call(capfd, "table", path, "--bound", 5).stderr


def test_where_nothing_is_proved_the_table_stays_as_it_is(capfd):
    """The time of the search was the table's, too: nothing was printed."""
    given = ("table", "triangle_game", "--bound", 5, "--json", "-t", 1)
    plain, solved = (call(capfd, *given, *more) for more in ((), ("--solve",)))
    assert (plain.returncode, solved.returncode) == (0, 0)
    assert json.loads(plain.stdout)["states"] == json.loads(solved.stdout)["states"]
    assert "no proved answer" in solved.stderr


def test_the_usual_box_of_many_variables_is_a_small_one(capfd, tmp_path):
    """Up to 20 there are 10^15 states: the box that nobody asked for was an error of the input."""
    names = [f"p{i}" for i in range(12)]
    legal = " and ".join(f"{name} >= 0" for name in names)
    path = tmp_path / "many.icg"
    path.write_text(f"game many var {', '.join(names)} legal {legal}\n" + ONE_DOWN, "utf-8")
    assert json.loads(call(capfd, "table", path, "--json", "-q").stdout)["bound"] == 1
    assert "cells" in refused(capfd, "table", path, "--bound", 20)


ONE_DOWN = "action down pre p0 > 0 eff p0 := p0 - 1"


def test_a_table_keeps_to_its_budget(capfd, monkeypatch):
    given = []

    def spent(*_, budget, **__):
        given.append(budget.seconds)
        raise BudgetSpent("the budget is spent")

    monkeypatch.setattr(value_questions, "label", spent)
    assert call(capfd, "table", "nim2", "-t", 7).returncode == 4
    assert given == [7]


ODD = "game g var v legal v >= 0 action t(k) pre 1 <= k <= v and (2 * k) mod 2 = 1 eff v := v - k"


def test_moves_are_looked_for_in_pieces_that_leave_time_to_look_at_it():
    """A piece without a move was passed over: its reader could not look at the time."""
    never = load_spec(Source("never.icg", ODD))
    (step,) = steps_of(never, Box.of(never, 1_000), 10**7)
    pieces = [len(source) for source, _ in step.into(np.arange(1_001))]
    assert len(pieces) > 1
    assert sum(pieces) == 0

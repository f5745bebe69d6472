"""Pictures that are looked at: no blank bands, and what a pupil has to know beside the task."""

from __future__ import annotations

import io
import itertools
import re

import numpy as np
import pytest

from icgsynth.cli import run
from icgsynth.export.canvas import A4, Page, text_width
from icgsynth.export.pile_sheet import moves_in_words, pile_pages
from icgsynth.export.sheet import draw_board, sheet_pages
from icgsynth.export.table import Table, table_png
from icgsynth.game.box import Box
from icgsynth.game.labels import label
from icgsynth.spec.catalog import resolve
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source
from icgsynth.starts.choose import Wanted, choose, grade
from icgsynth.starts.impartial import solved_box
from icgsynth.starts.lines import LineGame
from icgsynth.starts.pile_tasks import ImpartialWanted, tasks


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
    assert longest <= 48  # 0.4 inch at 120 dots an inch


def test_the_panels_of_a_table_stand_apart_from_what_is_above_and_below():
    blank = image("triangle_game", 5).all(axis=1)
    changes = np.flatnonzero(np.diff(blank.astype(int)))
    assert len(changes) // 2 >= 8  # title, two rows with caption, numbers and name each, legend


def test_a_sheet_has_the_rules_of_its_game(tmp_path):
    path = tmp_path / "sheet.svg"
    arguments = ["starts", "nim2", "--moves", "2", "--you", "1", "--count", "2", "-q"]
    assert run([*arguments, "-o", str(path)]) == 0
    text = re.sub("<[^>]*>", "\n", path.read_text()).replace("&lt;", "<").replace("&gt;", ">")
    for line in moves_in_words(load("nim2")):
        assert line in text
    assert re.search(r"take_a\(k\): .*a - k.*1 <= k <= a", text)
    assert "Who cannot move loses." in text


def test_rules_in_words_leave_nothing_out():
    said = moves_in_words(load("chomp_2row"))
    assert "a >= 1 and 0 <= b <= a" in said[0]
    assert "a = 1 and b = 0" in said[-1]
    (first,) = [line for line in said if line.startswith("eat1(k)")]
    assert all(part in first for part in ("a becomes k - 1", "min(b, k - 1)", "2 <= k <= a"))
    source = Source("free", "game g\nvar v\naction a pre v > 0 eff v := v - 1\n")
    assert moves_in_words(load_spec(source, {})) == ["a: v becomes v - 1, where v > 0."]


def extent(shape):
    """Left, top, right and bottom of what is drawn on a page."""
    match type(shape).__name__:
        case "_Line":
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case "_Box":
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case "_Ring":
            r = shape.radius
            return shape.x - r, shape.y - r, shape.x + r, shape.y + r
    wide = text_width(shape.text, shape.size, shape.bold)
    return shape.x, shape.y - shape.size / 2, shape.x + wide, shape.y


def require_on_paper(page):
    for left, top, right, bottom in map(extent, page.shapes):
        assert left >= 0 and top >= 0 and right <= A4[0] and bottom <= A4[1]


def test_a_long_title_stays_on_the_paper():
    """Whoever writes a game writes its title; a long one once ran over the edge."""
    title = "A game whose title says all there is to say about its rules, and about its moves too"
    rules = f'game g "{title}" var v legal v >= 0 action take(k) pre 1 <= k <= v eff v := v - k'
    graph = solved_box(load_spec(Source("g", rules), {}), "normal", 5)
    found, _ = tasks(graph, ImpartialWanted(1, count=2))
    pages = pile_pages(graph, found, 1, 0)
    assert len(pages) == 2
    for page in pages:
        require_on_paper(page)


def test_a_sheet_stays_on_its_paper_and_its_texts_off_the_boards():
    """A rule past the margin, or an answer that is printed over a board."""
    source = grade(LineGame(5, 3, 3, "RCD", 1), Wanted(2, 1, 1, count=14, seed=1))
    for page in sheet_pages(source, choose(source)):
        require_on_paper(page)
        drawn = [(type(shape).__name__, shape, extent(shape)) for shape in page.shapes]
        texts = [place for kind, _, place in drawn if kind == "_Text"]
        frames = [p for kind, shape, p in drawn if kind == "_Line" and len(shape.points) > 2]
        assert frames
        for left, top, right, bottom in frames:
            for x, y, x_end, y_end in texts:
                assert x_end <= left or x >= right or y_end <= top or y >= bottom


def test_the_colour_of_a_cell_lies_under_the_stone_in_it():
    game, page = LineGame(3, 4, 3, "RCD", 3), Page()
    state = game.read("..../O.../..X.")  # O on the second row from below
    draw_board(page, game, state, 100.0, 50.0, 20.0, [(state[1], "#00ff00")])
    (box,) = (extent(s) for s in page.shapes if type(s).__name__ == "_Box")
    (ring,) = (s for s in page.shapes if type(s).__name__ == "_Ring")
    assert ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) == pytest.approx((ring.x, ring.y))

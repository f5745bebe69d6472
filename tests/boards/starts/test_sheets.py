"""Sheets of positions: what is drawn stays on its paper, and in its place."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest
from catalog_answers import solved
from hand_solved import loser_of
from locked_game import LOCKED, answer

from experiments.judge.meaning import PLAIN
from experiments.judge.reading import parsed
from icgsynth.boards.starts.choose import Wanted, choose, grade
from icgsynth.boards.starts.impartial import solved_box
from icgsynth.boards.starts.line_report import LineSheet, draw_board
from icgsynth.boards.starts.lines import LineGame
from icgsynth.boards.starts.task_report import PileSheet
from icgsynth.boards.starts.tasks import TasksWanted, tasks
from icgsynth.boards.text.sheet import sheet_pages
from icgsynth.budget import Budget
from icgsynth.formats.answer_sheet import sheet_pages as class_pages
from icgsynth.formats.paper import A4, Page, text_width
from icgsynth.game.strategy import Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.solve.search import solve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

ONE_SIDED = """game g
var a, b
legal a >= 0 and b >= 0
action take_a(k) pre 1 <= k <= 3 and k <= a eff a := a - k
action take_b(k) pre 1 <= k <= 2 and k <= b eff b := b - k
"""


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
    wanted = TasksWanted(1, count=2)
    pages = sheet_pages(PileSheet(*tasks(graph, wanted), wanted, graph, 5).sheet())
    assert len(pages) == 2
    for page in pages:
        require_on_paper(page)


def test_a_sheet_stays_on_its_paper_and_its_texts_off_the_boards():
    """A rule past the margin, or an answer that is printed over a board."""
    source = grade(LineGame(5, 3, 3, "RCD", 1), Wanted(2, 1, 1, count=14, seed=1))
    for page in sheet_pages(LineSheet(source, choose(source), "dense").sheet()):
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


# --- the sheet of an answer ----------------------------------------------------------------------


def _boxes(page):
    return [shape for shape in page.shapes if type(shape).__name__ == "_Box"]


def test_the_table_of_a_sheet_is_dark_where_the_player_to_move_loses():
    """Kills: a table of the winning states, one that is turned, one without its last row."""
    game = load_spec(Source("g", ONE_SIDED), {})
    _, page = class_pages(solve(game, "normal", Budget(30)))
    dark = {(round(b.x, 3), round(b.y, 3)) for b in _boxes(page) if b.fill == "#1c232b"}
    columns, rows = (sorted({round(b[i], 3) for b in _boxes(page)}) for i in (0, 1))
    assert len(columns) == len(rows) == 11
    found = {(columns.index(x), rows.index(y)) for x, y in dark}
    loses = loser_of(game, "normal")
    assert found == {(a, b) for a in range(11) for b in range(11) if loses((a, b))}
    assert found != {(b, a) for a, b in found}


def test_a_sheet_with_draws_says_of_no_drawn_state_that_it_is_won():
    """Who unlocks lets the other take all: it wins where there is nothing to take."""
    _, page = class_pages(answer(LOCKED, "normal"))
    said = " ".join(shape.text for shape in page.shapes if hasattr(shape, "text"))
    loses, draws = (
        re.search(rf"{words} where (.*?), (?:neither player|and) wins", said)[1]
        for words in ("The player to move loses", "neither player wins")
    )
    assert ", and wins elsewhere." in said
    for a, b in product(range(5), repeat=2):
        fate = [PLAIN.truth(parsed(text), {"a": a, "b": b}) for text in (loses, draws)]
        assert fate == [a == b == 0, a > 0 and b > 0]


def test_questions_stand_off_the_lines_to_write_on():
    """Kills: a line that begins at one place, under the text of a state with long names."""
    rules = "game g var sticks_of_wood, stones legal sticks_of_wood >= 0 and stones >= 0\n"
    for v in ("sticks_of_wood", "stones"):
        rules += f"action take_{v}(k) pre 1 <= k <= {v} eff {v} := {v} - k\n"
    page, _ = class_pages(solve(load_spec(Source("g", rules), {}), "normal", Budget(30)))
    require_on_paper(page)
    texts = [s for s in page.shapes if hasattr(s, "text") and "= (" in s.text]
    lines = [extent(s) for s in page.shapes if type(s).__name__ == "_Line"][2:]
    assert len(texts) == len(lines) == 8
    for left, _, right, bottom in map(extent, texts):
        near = [line for line in lines if abs(line[1] - bottom) < 6]
        assert len(near) == 2 and all(x >= right or x_end <= left for x, _, x_end, _ in near)


def test_a_long_strategy_goes_on_on_the_next_page(monkeypatch):
    """Kills: puzzles below the edge of the paper, rules that are dropped without a word."""
    monkeypatch.setattr("icgsynth.formats.answer_sheet._MOST_RULES", 39)
    made = solved("chomp_2row")
    rule = made.strategy[0]
    long = conjunction([rule.when, *(t.compare(t.Name("a"), "!=", 100 + i) for i in range(4))])
    rules = Strategy((*[replace(rule, when=long)] * 40, *made.strategy))
    made = replace(made, strategy=rules, tree=Strategy(()))
    first, *pages = class_pages(made)
    assert len(pages) > 1
    for page in (first, *pages):
        require_on_paper(page)
    asked = " ".join(s.text for s in first.shapes if hasattr(s, "text"))
    said = " ".join(s.text for page in pages for s in page.shapes if hasattr(s, "text"))
    assert "Make a winning move" in asked and "8.  " in asked and "8.  " in said
    assert f"{len(made.tree or made.strategy) - 39} more rules have no room here." in said

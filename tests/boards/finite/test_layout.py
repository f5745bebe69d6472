"""Where facts stand on a board, and the pictures of trees."""

import xml.etree.ElementTree as ET
from itertools import combinations, product

from icgsynth.boards.fft.tree_svg import tree_svg
from icgsynth.boards.finite.layout import layout_of
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule

GRID = [f"cell({i},{j},{v})" for i, j in product((1, 2, 3), (1, 2)) for v in "xo"]
GRAPH = [f"line({a},{b},{c})" for a, b in combinations(range(1, 7), 2) for c in ("red", "blue")]
SVG = "{http://www.w3.org/2000/svg}"


def test_a_grid_is_all_rows_with_all_columns():
    board = layout_of(["control(x)", *GRID])
    assert (board.shape, board.relation) == ("grid", "cell")
    assert (board.rows, board.columns) == (("1", "2", "3"), ("1", "2"))
    assert board.place("cell(3,2,o)") == (("3", "2"), "o")
    assert board.place("control(x)") is None
    assert board.place("cell(2,3,o)") is None


def test_a_missing_cell_or_a_counter_is_no_grid():
    assert layout_of(GRID[2:]) is None
    assert layout_of([f"heap({h},{n})" for h in "abc" for n in range(4)]) is None
    assert layout_of(["control(x)", "over"]) is None


def test_what_holds_once_in_each_row_is_a_counter():
    facts = [f"has({h},{n})" for h, n in product(range(1, 5), range(5))]
    assert layout_of(facts) is not None
    assert layout_of(facts, ["has(1,1)", "has(2,3)", "has(3,3)", "has(4,4)"]) is None
    assert layout_of(facts, ["has(1,1)", "has(1,3)", "has(3,3)", "has(4,4)"]) is not None


def test_squares_without_a_value_are_a_grid():
    board = layout_of([f"square({i},{j})" for i, j in product((1, 2), (1, 2, 3))])
    assert (board.valued, board.place("square(2,3)")) == (False, (("2", "3"), ""))


def test_a_cell_may_be_a_term_of_its_own():
    cells = [f"cell({i},{j})" for i, j in product((1, 2), (1, 2, 3))]
    facts = [f"free({c})" for c in cells] + [f"has({p},{c})" for c in cells for p in "ab"]
    board = layout_of(facts)
    assert (board.relation, board.vacant) == ("has", "")
    assert board.place("has(b,cell(2,3))") == (("2", "3"), "b")
    assert board.cells("mark(cell(2,3))") == (("2", "3"),)
    free = [f"free({c})" for c in cells if c != "cell(1,3)"]
    assert layout_of(facts, [*free, "has(a,cell(1,3))"]).vacant == "free"
    assert layout_of(facts, [*free, "has(a,cell(1,2))"]).vacant == ""


def test_all_pairs_of_points_are_a_graph():
    board = layout_of(GRAPH)
    assert (board.shape, board.rows) == ("graph", tuple("123456"))
    assert board.place("line(2,5,red)") == (("2", "5"), "red")
    assert board.cells("colour(2,5)") == (("2", "5"),)
    assert board.cells("colour(5,2)") == ()


def test_actions_name_cells():
    board = layout_of(GRID)
    assert board.cells("mark(1,2)") == (("1", "2"),)
    assert board.cells("slide(1,2,3,1)") == (("1", "2"), ("3", "1"))
    assert board.cells("place(x,3,2)") == (("3", "2"),)
    assert board.cells("drop(2)") == board.cells("noop") == ()


def drawn(tree, facts):
    return ET.fromstring(tree_svg(tree, facts, "a < b", "c & d"))


def boxes(root):
    """The width of each box that is framed as the cell of a move is, the legend's last."""
    framed = [e for e in root.iter(f"{SVG}rect") if e.get("stroke") == "#2f9e44"]
    return [float(e.get("width")) for e in framed]


def test_a_drawing_has_a_frame_for_the_move_and_a_stroke_for_each_negation():
    rule = TreeRule((Literal("cell(1,1,x)"), Literal("cell(2,2,o)", False)), "mark(3,1)")
    root = drawn(Tree((rule, Meta("last", (TreeRule((), "mark(1,2)"),)))), GRID)
    assert not root.findall(f".//{SVG}circle")  # which would look like the mark of a player
    assert len(boxes(root)) == 3
    assert boxes(root)[0] == boxes(root)[1] > 3 * boxes(root)[2]
    strokes = [e for e in root.iter(f"{SVG}line") if e.get("stroke") == "#d6336c"]
    assert len(strokes) == 2  # the rule's, and that of the legend
    texts = [e.text for e in root.iter(f"{SVG}text")]
    assert "last" in texts
    assert {"mark(3,1)", "mark(1,2)", "x", "o", "1", "2"} <= set(texts)


def test_the_frame_of_a_move_is_a_square_within_its_own_cell():
    """A frame that reaches over into the cells beside it."""
    root = drawn(Tree((TreeRule((), "mark(1,2)"), TreeRule((), "mark(3,1)"))), GRID)
    framed = [e for e in root.iter(f"{SVG}rect") if e.get("stroke") == "#2f9e44"]
    assert framed and all(e.get("width") == e.get("height") for e in framed)


def test_the_legend_names_the_signs_that_occur_and_no_others():
    def said(*literals):
        root = drawn(Tree((TreeRule(literals, "mark(3,1)"),)), GRID)
        return {e.text for e in root.iter(f"{SVG}text")}

    there, struck = "a mark: it must be there", "a mark struck out: it must not be there"
    always = {"the move", "the first rule that applies decides"}
    held, negated = Literal("cell(1,1,x)"), Literal("cell(2,2,o)", False)
    assert said() & {there, struck} == set()
    assert said(held) & {there, struck} == {there}
    assert said(negated) & {there, struck} == {struck}
    assert said(held, negated) >= {there, struck} | always


def test_a_graph_shows_all_its_points_and_facts_without_a_board_are_words():
    root = drawn(Tree((TreeRule((Literal("line(1,2,red)"),), "colour(3,4)"),)), GRAPH)
    assert len(root.findall(f".//{SVG}circle")) == 6
    rule = TreeRule((Literal("heap(a,0)"), Literal("heap(b,1)", False)), "reduce(c,0)")
    texts = [e.text for e in drawn(Tree((rule,)), ["heap(a,0)", "heap(b,1)"]).iter(f"{SVG}text")]
    assert "heap(a,0), not heap(b,1)" in texts

"""Answers in a notebook: one piece of HTML, and a ``repr`` of one line."""

import inspect
import re
from contextlib import suppress
from xml.etree import ElementTree

import pytest

import icgsynth as icg
from icgsynth.heaps.rules.heap_code import read_code

HOSTILE = """game g "<script>alert(1)</script> & more"
var a
legal a >= 0
action take(k) pre 1 <= k <= 2 and k <= a eff a := a - k
"""


def well_formed(text):
    """The HTML as a tree: every element is closed, and nothing but text was escaped."""
    closed = text.replace("<br>", "<br/>").replace("<details open>", "<details>")
    return ElementTree.fromstring(closed)


def words(tree):
    return " ".join("".join(tree.itertext()).split())


def test_a_solution_shows_theorem_rules_and_picture():
    solution = icg.load("nim2").solve()
    tree = well_formed(solution._repr_html_())
    said = words(tree)
    assert said.index("loses if") < said.index("a = b") < said.index("wins") < said.index("a != b")
    assert [item.findtext("code") for item in tree.iter("li")] == ["take_a(a - b)", "take_b(b - a)"]
    assert sum(e.tag.endswith("svg") for e in tree.iter()) == 1
    assert "amsmath" not in said
    assert repr(solution) == "<Solution nim2, normal play: solved; losing: a = b>"


def test_the_theorem_of_a_solution_is_read_without_unfolding_its_report():
    tree = well_formed(icg.load("nim2").solve()._repr_html_())
    said = [words(paragraph) for paragraph in tree.iter("p")]
    assert any("a = b" in text and "a != b" in text for text in said)


def test_text_of_a_game_stays_text():
    solution = icg.loads(HOSTILE).solve()
    html = solution._repr_html_()
    assert "<script" not in html
    assert "<script>alert(1)</script> & more" in words(well_formed(html))


def test_an_unknown_answer_has_its_report():
    from icgsynth.budget import Budget
    from icgsynth.solve.search import Search

    search = Search(icg.load("chomp_3row").game, "normal", Budget(1))
    answer = search.unknown("no time")
    tree = well_formed(answer._repr_html_())
    said = words(tree)
    assert "chomp_3row" in said and "normal play, unknown in" in said
    assert "Nothing is claimed. Why: no time." in said
    assert not list(tree.iter("li"))
    assert repr(answer) == "<Solution chomp_3row, normal play: unknown>"


def test_values_have_their_report():
    answer = icg.load("nim2").values()
    assert "g(a, b) = a xor b" in words(well_formed(answer._repr_html_()))
    assert repr(answer) == "<GrundyAnswer nim2: solved; value: a xor b>"


def test_a_game_shows_its_rules():
    game = icg.loads(HOSTILE)
    assert repr(game) == "<LoadedGame g>"
    assert "<script" not in game._repr_html_()
    assert "action take(k)" in words(well_formed(game._repr_html_()))


def test_nim_sequences_trees_and_learned_strategies():
    pytest.importorskip("numba")
    from icgsynth.boards.fft.tiers import TreeAnswer, strategy_of
    from icgsynth.boards.finite.board import board_of
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.boards.finite.grounder import ground
    from icgsynth.boards.finite.tree import Literal, Tree, TreeRule
    from icgsynth.boards.rules.finite import finite_game
    from icgsynth.heaps.rules.heaps import HeapAnswer

    heaps = HeapAnswer(read_code("0.07"), (0, 0, 1), None, False)
    assert repr(heaps) == "<HeapAnswer 0.07: unknown>"
    assert "0.07" in words(well_formed(heaps._repr_html_()))
    game = FiniteGame(board_of(ground(finite_game("tictactoe"))))
    rules = (TreeRule((Literal("cell(1,1,x)"),), "mark(2,2)"), TreeRule((), "mark(1,1)"))
    tree = Tree(rules)
    answer = TreeAnswer(game, tree, strategy_of(tree), game.board.actions, {})
    drawn = well_formed(answer._repr_html_())
    listed = [item.findtext("code") for item in drawn.iter("li")]
    assert listed == ["if cell(1,1,x): mark(2,2)", "mark(1,1)"]
    assert repr(answer) == "<TreeAnswer tictactoe: 2 rules>"


def parts_of(value, depth=2):
    """What a person reaches from ``value`` by names without an underscore, and it."""
    if not type(value).__module__.startswith("icgsynth"):
        return
    yield value
    names = [n for n in dir(value) if n[0] != "_" and n != "subject"] if depth else []
    for name in names:
        found = inspect.getattr_static(value, name, None)
        if not callable(found) and not callable(getattr(type(value), name, None)):
            with suppress(icg.Refused):
                yield from parts_of(getattr(value, name), depth - 1)


@pytest.mark.parametrize("spec", ["nim2", "0.07", "nim2 + 0.07", "tictactoe"])
def test_no_part_of_an_answer_shows_how_it_is_built(spec):
    """Kills: a class left to the text of a dataclass, ``BoxCheck(bound=60, states=3721, ..``."""
    if spec == "tictactoe":
        pytest.importorskip("numba")
    game = icg.load(spec, kind=icg.Loaded)
    met = [*parts_of(game), *parts_of(game.game)]
    for ask in ("solve", "values", "check"):
        with suppress(icg.InputError):
            answer = getattr(game, ask)()
            met += [*parts_of(answer), *getattr(answer, "parts", ())]
            if hasattr(answer, "verify"):
                met += answer.verify().parts.values()
    assert len(met) > 2 or spec == "tictactoe"
    inner = {"Span", "Numeration", "Bounded", "Movers", "Ranking", "SparseMask"}
    for each in met:
        if type(each).__name__ not in inner:
            assert not re.search(r"\b[A-Z]\w*\(\w+=| object at 0x", repr(each)), repr(each)[:99]

"""The experiment on the CoG 2020 paper: what it takes as given is held against other sources."""

import functools
import operator

import pytest

pytest.importorskip("numba")

from experiments import cog2020
from experiments.cog2020_known import NEWELL_SIMON, TABLE_IV, newell_simon
from icgsynth.boards.fft.synthesis import FoundTree
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.spec.source import Source


def test_newell_and_simon_have_the_numbers_of_the_authors_tool():
    tree = newell_simon("x", "o")
    sizes = {m.name: len(m.rules) for m in tree.items if isinstance(m, Meta)}
    assert list(sizes.values()) == [14, 14, 4, 7, 1, 1]
    assert tree.figure == NEWELL_SIMON == (41, 123)
    assert len(set(tree.rules)) == 41


def test_a_win_of_newell_and_simon_completes_a_line():
    # Up to the symmetries of the square there are three lines: side, middle, diagonal.
    win = newell_simon("x", "o").items[0]
    for rule in win.rules:
        cells = {(int(li.atom[5]), int(li.atom[7])) for li in rule.literals}
        cells.add((int(rule.action[5]), int(rule.action[7])))
        rows, columns = {i for i, _ in cells}, {j for _, j in cells}
        assert len(cells) == 3
        assert len(rows) == 1 or len(columns) == 1 or all(i == j for i, j in cells)


def test_table_iv_has_nineteen_rules():
    rules = TABLE_IV.strip().splitlines()
    assert len(rules) == len(set(rules)) == 19
    assert TABLE_IV.count("heap(") == 24


@pytest.mark.parametrize("name", ["nim", "nim-misere"])
def test_both_rules_of_nim_are_bouton_s(name):
    # Bouton (1901): under misère a position of heaps of at most one is won by parity.
    game = cog2020.arena(name)
    checked = 0
    for row in range(len(game.mover)):
        if game.mover[row] < 0:
            continue
        facts = [f[5:-1].split(",") for f in game.facts(row) if f.startswith("heap(")]
        heaps = [int(size) for _, size in facts]
        if len(heaps) < 4:
            continue  # a heap whose size never changes is no fact
        won = functools.reduce(operator.xor, heaps) != 0
        if name == "nim-misere" and max(heaps) <= 1:
            won = sum(heaps) % 2 == 0
        for_first = won == (game.mover[row] == 0)
        assert game.value[row] == (1 if for_first else -1), heaps
        checked += 1
    assert checked == 342


def test_goals_swapped_twice_are_the_goals():
    book = parse_gdl(Source.read(cog2020.GAMES / "nim.kif"))
    once = cog2020.swapped(book)
    assert once != book
    assert cog2020.swapped(once) == book


def test_the_log_knows_what_was_there_by_when(capsys):
    log = cog2020.Log()
    one = TreeRule((Literal("a"),), "go")
    log(FoundTree(Tree((one, one)), 1.0, "first"))
    log(FoundTree(Tree((one,)), 5.0, "second"))
    assert [log.rules(t) for t in (0.5, 1, 4, 5)] == [cog2020.MANY, 2, 2, 1]
    assert "second" in capsys.readouterr().out

"""Trees that are said to be minimal, against all smaller trees, on raw states.

The games have symmetries: facts that have one value in every state that stands for others vary in
these.  What icgsynth says is judged by ``experiments.judge``, which shares no line with it.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")
pytest.importorskip("pysat")
pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")

from experiments.adversary import trees
from experiments.adversary.command import CAMPAIGN
from experiments.attempts import tried
from experiments.judge.gdl import Board
from experiments.judge.trees import Bench, smallest, varying
from icgsynth.boards.fft import language, minimality
from icgsynth.boards.fft.minimality import Minimality, prove_minimal
from icgsynth.boards.fft.synthesis import greedy
from icgsynth.boards.fft.tree_report import Delivered
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.tree import Literal, Tree, TreeRule
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.spec.source import Source

# One puts a coin with a side up, the other has to say which: in all states that stand for others
# one side is up, and the other is not.
COIN = """(role q) (role p) (init (control q)) (side h) (side t)
(<= (legal q (put ?s)) (true (control q)) (side ?s)) (<= (legal p noop) (true (control q)))
(<= (legal p (guess ?s)) (true (control p)) (side ?s)) (<= (legal q noop) (true (control p)))
(<= (next (coin ?s)) (does q (put ?s))) (<= (next (control p)) (true (control q)))
(<= (next won) (true (coin ?s)) (does p (guess ?s))) (<= (next end) (true (control p)))
(<= terminal (true end)) (<= (goal p 100) (true won)) (<= (goal p 0) (not (true won)))
(<= (goal q 0) (true won)) (<= (goal q 100) (not (true won)))
"""
# Of four cards two show each side, and two are also called bad, which tells the player nothing.
CARDS = (
    COIN.replace("(<= (legal q (put ?s)) (true (control q)) (side ?s))", "").replace(
        "(<= (next (coin ?s)) (does q (put ?s)))", ""
    )
    + """(shows d0 h) (shows d1 t) (shows d2 h) (shows d3 t)
(<= (legal q (put ?d)) (true (control q)) (shows ?d ?s))
(<= (next (coin ?s)) (does q (put ?d)) (shows ?d ?s)) (<= (next (card ?d)) (does q (put ?d)))
(<= (next (bad ?d)) (does q (put ?d)) (distinct ?d d0) (distinct ?d d1))
"""
)


def solved(text, symmetric=True):
    return arena_of_board(board_of(ground(parse_gdl(Source("g", text)))), symmetric)


@pytest.fixture(autouse=True)
def no_process(monkeypatch):
    """The questions are small: a process for each takes longer than its answer."""
    monkeypatch.setattr(
        minimality, "_solve", lambda clauses, _: minimality._work(clauses.tobytes())
    )


@pytest.mark.parametrize("text", [COIN, CARDS], ids=["coin", "cards"])
def test_a_fact_that_varies_in_raw_states_is_offered(text):
    """One literal is enough, and none is not: the player has to say which side is up."""
    shop = Workshop(solved(text), 1)
    board = Board.of(text)
    assert set(shop.language.names) == varying(board, 1) >= {"coin(h)", "coin(t)"}
    tree = Tree((TreeRule((Literal("coin(h)"),), "guess(h)"),))
    assert shop.is_optimal(tree)
    found = prove_minimal(shop, greedy(shop), 60)
    assert found.is_minimal and found.tree.figure == tree.figure == (1, 1)
    # The report claims as much as is proved.
    assert "minimal" in Delivered(shop, tree, True, found).text("")
    unproved = (
        None,
        *(replace(found, **{part: False}) for part in ("fewest_rules", "fewest_literals")),
    )
    assert all("minimal" not in Delivered(shop, tree, True, part).text("") for part in unproved)


def test_a_player_whose_states_no_fact_tells_apart_has_trees_too():
    """Who puts the card has one state, in which all moves are good."""
    shop = Workshop(solved(CARDS), 0)
    assert shop.language.names == ()
    found = prove_minimal(shop, greedy(shop), 60)
    assert found.is_minimal and found.tree.figure == (0, 0)


def test_the_smallest_tree_of_the_judge_is_that_of_a_game_solved_by_hand():
    """Without symmetry each side takes a rule, or one rule and all that is left."""
    board = Board.of(COIN)
    alone = [({}, {})]
    turned = {"coin(h)": "coin(t)", "coin(t)": "coin(h)"}
    both = [*alone, (turned, {"guess(h)": "guess(t)", "guess(t)": "guess(h)"})]
    atoms = {"coin(h)", "coin(t)"}
    assert smallest(Bench(board, 1, both), atoms, (9, 9)) == (1, 1)
    assert smallest(Bench(board, 1, alone), atoms, (9, 9)) == (2, 1)
    assert smallest(Bench(board, 1, alone), (), (9, 9)) == (9, 9)


# --- many games ----------------------------------------------------------------------------------


def test_what_is_said_of_trees_is_true():
    tally, faults = tried(CAMPAIGN, "trees", 5, 20)
    assert faults == []
    assert tally.proved > 17


def test_a_language_judged_on_some_states_of_each_family_is_caught(monkeypatch):
    monkeypatch.setattr(language, "_always", lambda truth, arena: truth.all(axis=0))
    assert tried(CAMPAIGN, "trees", 5, 12)[0].false > 1


def test_a_certificate_for_a_tree_that_is_too_large_is_caught(monkeypatch):
    def lie(shop, tree, budget):
        return Minimality(Tree((*tree.rules, *tree.rules[-1:])), (), True, True)

    monkeypatch.setattr(trees, "prove_minimal", lie)
    assert tried(CAMPAIGN, "trees", 5, 12)[0].false > 5


def test_a_wrong_verdict_on_a_tree_is_caught(monkeypatch):
    monkeypatch.setattr(Workshop, "is_optimal", lambda *_: True)
    assert tried(CAMPAIGN, "trees", 5, 12)[0].false > 5


def test_games_are_drawn_by_their_seed_alone():
    drawn = [trees.board_game(random.Random(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]

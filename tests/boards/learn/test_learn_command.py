"""``icgsynth learn`` and ``icgsynth tournament``: JSON, files, exit codes, agents."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from asp_oracle import SPECS, answers
from commands import call

from icgsynth.boards.play.tournament import wilson
from icgsynth.boards.rules.finite import like_with_bias


@pytest.mark.slow
def test_the_largest_tic_tac_toe(capfd):
    """The issue's line: at most six constraints that never lose."""
    code, out, err = call(
        capfd, "learn", SPECS / "ttt_l.lp", "--method", "weak", "--json", "--quiet"
    )
    value = json.loads(out)
    assert (code, err) == (0, "")
    assert {"constraints", "length", "certified_minimal", "never_loses", "strategy"} <= set(value)
    assert len(value["constraints"]) <= 6 and value["strategy"]["strategy"]
    assert value["never_loses"] is True
    assert value["certified_minimal"] is False
    assert value["right_states"] == value["states"] == 1455


def test_constraints_that_can_lose_are_3_with_a_way_to_better_ones(capfd):
    """A bias made from the rules of Tic-tac-toe has no word for lines; that of ttt_l has."""
    code, out, err = call(capfd, "learn", "tictactoe", "--budget", "5")
    assert code == 3
    assert re.search("^  worth +can lose", out, re.MULTILINE)
    assert "loses after mark(" in out
    assert "icgsynth learn ttt_l" in err
    assert "icgsynth fft synth" in err and "synth tictactoe" in err
    # No encoding of Chomp has a bias.
    code, _, err = call(capfd, "learn", "chomp", "--budget", "5")
    assert code == 3
    assert "ttt_l" not in err and "--bias" in err
    assert call(capfd, "learn", "chomp", "--budget", "5", "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("game", "like"),
    [
        ("tictactoe", ("ttt_l", "ttt_m", "ttt_s")),
        ("nim_1357", ("nim", "nim_l", "nim_m", "nim_s")),
        ("chomp", ()),
    ],
)
def test_games_that_are_alike(game, like):
    assert like_with_bias(game) == like


def test_what_is_learned_plays_on_from_its_file(capfd, tmp_path):
    saved, program = tmp_path / "s.json", tmp_path / "s.lp"
    assert call(capfd, "learn", "nim", "--quiet", "-o", saved)[0] == 0
    assert call(capfd, "learn", "nim", "--quiet", "-o", program)[0] == 0
    # 1, 3, 5, 7 are 1, 3, 5, 0 mod 7, whose sum is 7: only 5 can be made 5 xor 7 = 2.
    assert answers(program.read_text()) == {"a/remove(3,3)"}
    code, out, _ = call(
        capfd, "tournament", "nim", "--agents", f"weak:{saved},perfect", "--matches", "20",
        "--json", "--quiet",
    )  # fmt: skip
    assert code == 0
    (pair,) = json.loads(out)["pairs"]
    assert (pair["won"], pair["lost"]) == (10, 10)  # whoever starts wins


def test_examples_out_and_in(capfd, tmp_path):
    task = tmp_path / "m.las"
    options = ("--method", "weak", "--examples", "decisions", "--quiet", "--json")
    paper = SPECS / "ttt_paper.las"
    code, first, _ = call(capfd, "learn", "ttt_m", *options, "--bias", paper, "-o", task)
    assert code == 0
    code, again, _ = call(capfd, "learn", "ttt_m", "--quiet", "--json", "--bias", task)
    assert code == 0
    assert json.loads(first)["constraints"] == json.loads(again)["constraints"]
    assert json.loads(again)["certified_minimal"] is True


GAME = """
role(a). role(b). pile(1..2). amount(1..3). control(P) :- role(P).
base(has(H,0..3)) :- pile(H). base(control(P)) :- role(P).
legal(P,remove(H,N)) :- true(control(P)), true(has(H,S)), amount(N), N <= S, not terminal.
0 { does(P,A) } 1 :- legal(P,A), not terminal.
:- does(P,A), does(P,B), A < B.
:- not does(P,_), true(control(P)), not terminal.
next(control(b)) :- true(control(a)), not terminal.
next(control(a)) :- true(control(b)), not terminal.
next(has(H,S-N)) :- does(_,remove(H,N)), true(has(H,S)), N <= S.
next(has(H,S)) :- true(has(H,S)), not does(_,remove(H,_)), not terminal.
some :- true(has(_,S)), S > 0.
terminal :- not some.
goal(P,-1) :- true(control(P)), not some.
goal(P,1) :- goal(Q,-1), role(P), P != Q.
#modeo(1, next(has(var(pile),var(size))), (positive)).
#template(parity).
#weight(1). #maxp(1). #maxv(2). #max_body(1).
#pos(e1, {}, {}, { true(control(a)). true(has(1,3)). true(has(2,1)). does(a,remove(1,2)). }).
#pos(e2, {}, {}, { true(control(a)). true(has(1,3)). true(has(2,1)). does(a,remove(1,1)). }).
#pos(e3, {}, {}, { true(control(a)). true(has(1,3)). true(has(2,1)). does(a,remove(2,1)). }).
#brave_ordering(e1, e2). #brave_ordering(e1, e3).
"""


def test_a_task_that_brings_its_game_along(capfd, tmp_path):
    """Two piles: make them equal.  The hypothesis is judged on the game from the first context."""
    path = tmp_path / "task.las"
    path.write_text(GAME)
    code, out, err = call(capfd, "learn", path, "--json", "--quiet")
    value = json.loads(out)
    assert (code, err) == (0, "")
    assert value["certified_minimal"] is True
    assert value["length"] == 2
    assert value["right_states"] == value["states"]
    path.write_text("#modeo(1, next(p), (positive)).\n")
    code, _, err = call(capfd, "learn", path, "--quiet")
    assert code == 2
    assert "rules of its game" in err


@pytest.mark.slow
def test_the_other_methods(capfd, tmp_path):
    picture, rules, tree = tmp_path / "t.svg", tmp_path / "r.lp", tmp_path / "f.txt"
    code, out, _ = call(capfd, "learn", "ttt_m", "--method", "pruned", "-o", picture, "--json")
    assert (code, json.loads(out)["value"]) == (0, 1)
    assert picture.read_text().startswith("<svg")
    code, out, _ = call(capfd, "learn", "nim_m", "--method", "rules", "-o", rules, "--json")
    value = json.loads(out)
    assert code == 0
    assert value["rules"] == len(value["strategy"]["strategy"][0]["act"]) > 0
    assert "best_do(" in rules.read_text()
    assert call(capfd, "learn", "ttt_l", "--quiet", "-o", tree)[0] == 0
    assert "keep the moves" in tree.read_text()


def test_the_screen_names_the_kinds_that_rules_are_lifted_over(capfd):
    command = ("learn", "nim_s", "--method", "rules", "--quiet")
    kinds = json.loads(call(capfd, *command, "--json")[1])["lifted_over"]
    text = call(capfd, *command)[1]
    assert kinds and all(kind in text for kind in kinds)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["learn", "chess"], "no file and no catalog game"),
        (["learn", "nim", "--set", "q=1"], "there is no constant q"),
        (["learn", "nim", "--bias", "gone.las"], "gone.las"),
        (["learn", "nim", "--method", "rules", "--lift", "king"], "no such kind"),
        (["learn", "nim", "--method", "pruned", "--main", "c"], "no role"),
        (["tournament", "nim", "--agents", "random"], "needs two agents"),
        (["tournament", "nim", "--agents", "random,oracle"], "no agent 'oracle'"),
        (["tournament", "nim", "--agents", "random,random"], "named twice"),
        (["tournament", "nim", "--agents", "random,weak:gone.json"], "gone.json"),
        (["tournament", "nim", "--agents", "random,fft:gone.txt"], "gone.txt"),
    ],
)
def test_bad_usage_is_one_message(capfd, arguments, said):
    code, out, err = call(capfd, *arguments, "--quiet")
    assert (code, out) == (2, "")
    assert said in err


def test_no_hypothesis_is_exit_3(capfd, tmp_path):
    """A bias that sees nothing of the move: that there is none is proved."""
    path = tmp_path / "b.las"
    path.write_text("#modeo(1, true(control(var(p))), (positive)).\n#weight(1).\n#maxp(1).\n")
    code, out, _ = call(capfd, "learn", "nim_s", "--bias", path, "--search", "minimal", "--quiet")
    assert code == 3
    assert "proved: no hypothesis" in out


def test_a_tournament_is_repeatable_and_counts_everything(capfd):
    line = ["tournament", "ttt_m", "--agents", "perfect, random,rules,", "--matches", "30"]
    one = json.loads(call(capfd, *line, "--json", "--quiet")[1])
    two = json.loads(call(capfd, *line, "--json", "--quiet")[1])
    assert one["pairs"] == two["pairs"]
    for pair in one["pairs"]:
        assert pair["won"] + pair["drawn"] + pair["lost"] == 30
        low, high = pair["interval"]
        assert low <= pair["won"] / 30 <= high
    exact = {a["agent"]: a.get("exact") for a in one["agents"]}
    assert exact["perfect"]["never_loses"] is True
    assert all(a["ms_per_move"]["mean"] > 0 for a in one["agents"])


def test_a_fast_and_frugal_tree_is_an_agent(capfd, tmp_path, monkeypatch):
    """Newell and Simon's first rules: win, or else anything; it beats random play.

    What is random depends on how the agents are spelt, so the file has no path that changes.
    """
    monkeypatch.chdir(tmp_path)
    Path("tree.txt").write_text("if cell(1,1,x) and cell(1,2,x): mark(1,3)\nmark(2,2)\n")
    code, out, _ = call(
        capfd, "tournament", "tictactoe", "--agents", "fft:tree.txt,random", "--matches", "60",
        "--json", "--quiet",
    )  # fmt: skip
    assert code == 0
    (pair,) = json.loads(out)["pairs"]
    assert pair["won"] > pair["lost"]


@pytest.mark.slow
def test_a_fast_and_frugal_tree_is_judged_as_by_its_own_checker():
    """An optimal tree, and one that is not, as tiers: the same verdict as the fft package's."""
    from finite_arenas import arena_of_rules

    from icgsynth.boards.fft.synthesis import greedy
    from icgsynth.boards.fft.tiers import strategy_of
    from icgsynth.boards.fft.workshop import Workshop
    from icgsynth.boards.finite.tree import Tree
    from icgsynth.boards.finite.worth import worst_case
    from icgsynth.boards.learn.stage import stage_of
    from icgsynth.boards.rules.finite import finite_game
    from icgsynth.boards.rules.tree import parse_tree
    from icgsynth.spec.source import Source

    book = finite_game("tictactoe")
    folded, stage = arena_of_rules(book), stage_of(book)
    shop = Workshop(folded, 0)
    good = greedy(shop)
    text = str(good)
    bad = Tree(good.items[1:])
    again = parse_tree(Source("t", text), folded.literals, folded.actions)
    for tree in (good, again, bad):
        mask = stage.mask(strategy_of(tree, folded))
        worst = worst_case(stage.arena, mask, 0)
        if shop.is_optimal(tree):
            assert worst.outcome == worst.deserved == 0
        # Play with the tree from the start, all ties and replies: strongly optimal or not.
        seen, pending, flaw = {0}, [0], False
        while pending:
            state = pending.pop()
            mine = stage.arena.mover[state] == 0
            for move in stage.arena.moves_of(state):
                if mine and not mask[move]:
                    continue
                flaw |= bool(mine and not stage.arena.optimal[move])
                after = int(stage.arena.target[move])
                if after not in seen:
                    seen.add(after)
                    pending.append(after)
        assert shop.is_optimal(tree) == (not flaw)
    assert shop.is_optimal(good)
    assert not shop.is_optimal(bad)


def test_wilson_s_interval():
    """Against the defining equation: the bounds are where the normal score equals z."""
    for count, total in ((0, 10), (3, 10), (181, 300), (300, 300)):
        low, high = wilson(count, total)
        for bound in (low, high):
            if 0 < bound < 1:
                score = (count / total - bound) / math.sqrt(bound * (1 - bound) / total)
                assert abs(score) == pytest.approx(1.959964)
        assert low <= count / total <= high

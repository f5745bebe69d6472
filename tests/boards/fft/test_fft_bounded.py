"""Trees of parametric games on bounded instances, and trees as tiers of one strategy type."""

import json
import re

import pytest
from catalog_answers import solved
from speed import sampled

import icgsynth as icg
from icgsynth.boards.finite.bounded_play import follow
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule
from icgsynth.cli import run
from icgsynth.game.strategy import Strategy

pytest.importorskip("numba")
pytest.importorskip("clingo")

GAMES = [
    ("nim2", "normal"),
    ("nim2", "misere"),
    ("chomp_l", "normal"),
    ("empty_and_divide", "normal"),
    ("bounded_wythoff", "misere"),
]


@sampled(("game", "rule"), GAMES)
def test_the_box_agrees_with_the_proof(game, rule):
    found = solved(game, rule)
    assert found.is_proved
    for tiers in (found.tree, found.strategy):
        if tiers:
            verdict = follow(found.game, Strategy(tiers), 9, rule)
            assert verdict.is_optimal and verdict.won > 0
            assert verdict.states <= 10 ** len(found.game.variables)


def test_won_states_of_nim_are_bouton_s():
    found = solved("nim2", "normal")
    verdict = follow(found.game, found.strategy, 20)
    assert (verdict.states, verdict.won) == (21 * 21, 21 * 20)


def test_a_silent_or_wrong_strategy_is_refuted_at_a_smallest_state():
    found = solved("nim2", "normal")
    silent = follow(found.game, Strategy(()), 5)
    assert not silent.is_optimal and sum(silent.flaw) == 1 and silent.move is None
    # Emptying the first pile wins only where the second is empty.
    rule = next(r for r in found.strategy if r.act.action == "take_a")
    wrong = icg.load("nim2").game
    emptying = type(rule)(
        rule.when, type(rule.act)("take_a", ((rule.act.arguments[0][0], icg_name("a")),))
    )
    others = tuple(r for r in found.strategy if r is not rule)
    verdict = follow(wrong, Strategy((emptying, *others)), 5)
    assert verdict.flaw == (2, 1)
    assert (str(verdict.move), verdict.tier, verdict.winning) == ("take_a(2)", 1, ("take_a(1)",))


def icg_name(text):
    from icgsynth.logic.term import Name

    return Name(text)


# --- tiers of finite games --------------------------------------------------------------


@pytest.fixture(scope="module")
def tictactoe():
    from icgsynth.boards.finite.arena import arena_of_board
    from icgsynth.boards.finite.board import board_of
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.boards.finite.grounder import ground
    from icgsynth.boards.rules.gdl import parse_gdl
    from icgsynth.spec.catalog import catalog_dir
    from icgsynth.spec.source import Source

    board = board_of(ground(parse_gdl(Source.read(catalog_dir() / "gdl" / "tictactoe.kif"))))
    return FiniteGame(board), arena_of_board(board)


def marks(game, *moves):
    state = game.initial
    for text in moves:
        state = game.result(state, next(m for m in game.moves(state) if str(m) == text))
    return state


def test_a_rule_plays_all_its_images(tictactoe):
    from icgsynth.boards.fft.tiers import strategy_of

    game, arena = tictactoe
    tree = Tree((TreeRule((Literal("cell(1,1,x)"),), "mark(3,3)"), TreeRule((), "mark(2,2)")))
    state = marks(game, "mark(1,3)", "mark(2,2)")
    first = strategy_of(tree, arena).tiers[0]
    assert [str(m) for m in first.keep(game, state, None)] == ["mark(3,1)"]
    assert strategy_of(tree).tiers[0].keep(game, state, None) == ()
    state = marks(game, "mark(1,1)", "mark(2,2)", "mark(1,3)", "mark(1,2)")
    kept = first.keep(game, state, None)
    assert {str(m) for m in kept} == {"mark(3,1)", "mark(3,3)"}
    assert first.keep(game, state, kept[:1]) == kept[:1]
    first = strategy_of(tree, arena).choose(game, game.initial)
    assert str(first.move) == "mark(2,2)" and first.tier.rule == tree.items[1]


def test_a_meta_rule_is_its_rules_under_its_name(tictactoe):
    from icgsynth.boards.fft.tiers import strategy_of

    _, arena = tictactoe
    win = TreeRule((Literal("cell(1,1,x)"), Literal("cell(1,2,x)")), "mark(1,3)")
    tiers = strategy_of(Tree((Meta("win", (win,)), TreeRule((), "mark(2,2)"))), arena).tiers
    assert [t.group for t in tiers] == ["win", ""]
    assert len(tiers[0].images) == 8 and len(tiers[1].images) == 1
    assert str(tiers[0]).startswith("win: if ")


def test_tiers_and_kernels_see_the_same_tree(tictactoe):
    """Every state that play reaches: the moves of the tiers keep the value of the arena."""
    from icgsynth.boards.fft.synthesis import greedy
    from icgsynth.boards.fft.tiers import strategy_of
    from icgsynth.boards.fft.workshop import Workshop
    from icgsynth.boards.finite.arena_table import Lookup
    from icgsynth.boards.play.worths import keeping

    game, arena = tictactoe
    tree = greedy(Workshop(arena, 0), seed=3)
    strategy, lookup = strategy_of(tree, arena), Lookup(arena)
    seen, queue, asked = {game.initial}, [game.initial], 0
    while queue:
        state = queue.pop()
        mover = game.mover(state)
        if mover < 0:
            continue
        moves = tuple(game.moves(state))
        if mover == 0:
            fired = (t.keep(game, state, None) for t in strategy)
            moves = next((kept for kept in fired if kept), moves)
            worths = lookup.worths(game.facts(state))
            assert [each.move for each in worths] == list(game.moves(state))
            assert set(moves) <= set(keeping(worths))
            asked += 1
        for move in moves:
            after = game.result(state, move)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    assert asked > 20


# --- the command --------------------------------------------------------------------------


@pytest.mark.slow
def test_fft_verify_takes_a_solution(icgsynth, tmp_path):
    path = tmp_path / "solution.json"
    assert icgsynth("solve", "nim2", "-o", path, "--quiet").returncode == 0
    good = icgsynth("fft", "verify", "nim2", path, "--bound", 12, "--json")
    assert good.returncode == 0, good.stderr
    value = json.loads(good.stdout)
    assert value["strongly_optimal"] is True
    assert (value["states"], value["won"], value["proof"]) == (169, 156, "proved")
    assert "a - b" in path.read_text()
    path.write_text(path.read_text().replace('"a - b"', '"a"'))
    bad = icgsynth("fft", "verify", "nim2", path, "--bound", 12)
    assert bad.returncode == 3 and "IT IS WRONG" in bad.stdout
    other = icgsynth("fft", "verify", "tictactoe", path)
    assert other.returncode == 2 and "impartial" in other.stderr


@pytest.mark.slow
def test_a_bounded_impartial_game_is_a_finite_game(icgsynth, tmp_path):
    path = tmp_path / "tree.txt"
    done = icgsynth(
        "fft", "synth", "nim2", "--bound", 4, "--start", "3,2", "--budget", 1, "-o", path
    )
    assert done.returncode == 0, done.stderr
    same = icgsynth("fft", "verify", "nim2", path, "--bound", 4, "--start", "3,2")
    other = icgsynth("fft", "verify", "nim2", path, "--bound", 4, "--start", "4,1")
    assert same.returncode == 0 and other.returncode in (2, 3)


@pytest.mark.slow
def test_play_against_a_tree_and_against_perfect_play(icgsynth, tmp_path):
    path = tmp_path / "tree.txt"
    path.write_text("mark(2,2)\n")
    done = icgsynth("play", "tictactoe", "--strategy", path, "--first", "machine", typed="quit\n")
    assert done.returncode == 0, done.stderr
    assert "[rule 1: mark(2,2)]" in done.stdout
    assert "Good-bye." in done.stdout
    lost = icgsynth(
        "play", "tictactoe", typed="1 1\nmark(9,9)\n1 2\n2 1\n3 3\n2 3\n3 2\n3 1\n1 3\n"
    )
    assert lost.returncode == 0, lost.stderr
    assert "mark(9,9) is no move" in lost.stdout
    assert lost.stdout.rstrip().endswith(("A draw.", "The machine wins.", "Good-bye."))
    assert icgsynth("play", "tictactoe", "--start", "1,1").returncode == 2
    assert icgsynth("play", "nim2", "--strategy", path).returncode == 2


def test_a_tree_is_drawn(icgsynth, tmp_path):
    path, picture = tmp_path / "tree.txt", tmp_path / "tree.svg"
    path.write_text("if x(1,1) and not o(2,2): mark(3,3)\nmark(2,2)\n")
    done = icgsynth("fft", "show", "tictactoe", path, "-o", picture)
    assert done.returncode == 0, done.stderr
    assert picture.read_text().startswith("<svg") and "2 rules, 2 literals" in picture.read_text()


# --- what fft synth says of an impartial game ------------------------------------------------


@pytest.mark.slow
def test_the_proved_strategy_comes_first(capfd, tmp_path):
    """Two rules make the piles equal in every state; by single states they are hundreds."""
    saved, text = tmp_path / "nim2.json", tmp_path / "nim2.txt"
    assert run(["fft", "synth", "nim2", "-o", str(saved), "--quiet"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("nim2: 2 rules, proved")
    # 31 * 31 states; the 31 with equal piles are lost.
    assert re.search(r"optimal in 961 states, .* from 0 to 30; 930 ", out)
    assert out.endswith("\n\ntake_a(a - b)  # 1\ntake_b(b - a)  # 2\n")
    assert run(["fft", "verify", "nim2", str(saved), "--bound", "9", "--quiet"]) == 0
    assert run(["verify", "nim2", str(saved), "--quiet"]) == 0
    capfd.readouterr()
    assert run(["fft", "synth", "take_away", "--json", "-o", str(text), "--rule", "misere"]) == 0
    value = json.loads(capfd.readouterr().out)
    assert value["strongly_optimal"] is True and value["certified_minimal"] is False
    assert value["rules"] == len(value["text"].splitlines()) == len(text.read_text().splitlines())
    assert value["tree"]["proof"]["strategy"] == "proved"
    assert run(["fft", "synth", "take_away", "-o", str(tmp_path / "take.svg")]) == 2


@pytest.mark.parametrize(("method", "proved"), [("search", True), ("algorithm2", False)])
def test_an_algorithm_that_is_asked_for_runs_also_where_a_proof_is_known(capfd, method, proved):
    assert run(["fft", "synth", "subtraction_23", "--method", method, "--json", "--quiet"]) == 0
    assert ("proof" in json.loads(capfd.readouterr().out)["tree"]) == proved


def test_a_long_tree_is_cut_on_the_screen_and_whole_in_its_file(capfd, tmp_path):
    path = tmp_path / "tree.txt"
    options = ["--bound", "9", "--budget", "1", "--no-certify", "--quiet", "-o", str(path)]
    assert run(["fft", "synth", "nim2", *options]) == 0
    out = capfd.readouterr().out
    rules = path.read_text().splitlines()
    assert len(rules) > 41
    assert f"nim2: {len(rules)} rules" in out
    assert f"# and {len(rules) - 40:,} more; -o FILE writes them all\n" in out
    shown = out.split("\n\n", 1)[1].splitlines()[:-1]
    assert [line.rpartition("  # ")[0].rstrip() for line in shown] == rules[:40]
    assert run(["fft", "show", "nim2", str(path), "--bound", "9", "--quiet"]) == 0
    assert "more; -o FILE" not in capfd.readouterr().out


@pytest.mark.slow
def test_without_a_proved_strategy_single_states_are_asked(capfd):
    """In a second nothing is proved of Chomp with three rows."""
    assert run(["fft", "synth", "chomp_3row", "--bound", "4", "--budget", "2", "--quiet"]) == 0
    assert "proved for all states" not in capfd.readouterr().out

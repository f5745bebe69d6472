"""``icgsynth fft``: exit codes, JSON, and what is printed beside a figure."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("numba")
pytest.importorskip("clingo")

FIVE = """
if x(1,3) and o(3,3): mark(2,1)
mark(2,2)
"""
GOOD = """
if o(1,3) and not o(2,1): mark(2,3)
mark(2,2)
if x(1,1): mark(3,3)
if not o(2,1): mark(2,3)
if x(2,1): mark(3,1)
"""


@pytest.fixture
def run(icgsynth):
    def run(*arguments):
        return icgsynth("fft", *arguments)

    return run


@pytest.fixture
def tree(tmp_path):
    def write(text):
        path = tmp_path / f"tree{len(list(tmp_path.iterdir()))}.txt"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.slow
def test_synth_json(run, tmp_path):
    out = tmp_path / "tree.json"
    done = run("synth", "tictactoe", "--budget", 3, "--no-certify", "--json", "-o", out)
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert value["rules"] <= 6
    assert value["strongly_optimal"] is True
    assert value["certified_minimal"] is False
    assert value["symmetry"] == {"group": 8}
    assert value["language"]["sign"] == "signed"
    assert value["raw_check"]["states"] == 4520
    again = run("verify", "tictactoe", out, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["strongly_optimal"] is True


@pytest.mark.slow
def test_verify_and_show_a_good_tree(run, tree):
    path = tree(GOOD)
    done = run("verify", "tictactoe", path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "strongly optimal, 5 rules, 5 literals" in done.stdout
    assert "checked   again" in done.stdout
    assert run("verify", "tictactoe", path, "--symmetry", "off").returncode == 3
    assert "5 rules, 5 literals" in run("show", "tictactoe", path).stdout


@pytest.mark.slow
def test_minimise(run, tree):
    done = run("minimise", "tictactoe", tree(GOOD + "mark(1,1)\n"), "--budget", 1, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rules"] == 5
    assert run("minimise", "tictactoe", tree(FIVE), "--budget", 1).returncode == 3


def test_bad_input_is_told_once_and_without_a_traceback(run, tree, tmp_path):
    good = tree("mark(1,1)")
    bad = tmp_path / "bad.txt"
    bad.write_text("if z(1,1): mark(1,1)")
    for arguments, words in (
        (["verify", "tictactoe", good, "--player", "z"], "no player 'z'"),
        (["verify", "tictactoe", bad], "no fact z(1,1)"),
        (["synth", "tick_tack"], "no catalog game"),
        (["verify", "tictactoe", "nowhere.txt"], "no such file"),
    ):
        done = run(*arguments)
        assert done.returncode == 2, done.stderr
        assert words in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_json_of_synth_is_a_tree_and_json_without_rules_is_none(run, tmp_path):
    path = tmp_path / "out.json"
    path.write_text(run("synth", "tictactoe", "--method", "algorithm2", "--json").stdout)
    done = run("verify", "tictactoe", path)
    assert done.returncode == 0, done.stderr
    for text in ('{"schema": "icgsynth/solution/2", "kind": "tree"}', '{"foo": 1}'):
        path.write_text(text)
        done = run("verify", "tictactoe", path)
        assert done.returncode == 2
        assert "strategy" in done.stderr

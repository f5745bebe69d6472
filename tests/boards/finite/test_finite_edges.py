"""Edges of the finite side: games without a choice, huge numbers, letters of all kinds."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from commands import call

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments.judge.gdl import SlowGame, show
from icgsynth.boards.finite.board import board_of, in_order
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.layout import layout_of
from icgsynth.boards.learn.problem import of_stage
from icgsynth.boards.learn.saved import read_constraint
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.learn.terms import read_term
from icgsynth.boards.learn.weak_learner import learn_weak
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.errors import InputError
from icgsynth.spec.json_text import read_json
from icgsynth.spec.source import Source

OVER = """(role a) (role b) (init over) (init (p 1))
(<= (legal ?p go) (role ?p)) (<= (next (p 2)) (true (p 1)))
(<= terminal (true over)) (goal a 100) (goal b 0)
"""
LETTERS = """
(role à) (role β) (init (zug à)) (init (übrig 2)) (init (naïve "q" a,b))
(<= (legal ?p nehmé) (true (zug ?p))) (<= (legal ?p (wart:# ü)) (true (zug ?p)))
(<= (legal ?p noop) (role ?p) (not (true (zug ?p))))
(<= (next (zug β)) (true (zug à))) (<= (next (zug à)) (true (zug β)))
(<= (next (übrig 1)) (true (übrig 2)) (does ?p nehmé))
(<= (next (übrig 0)) (true (übrig 1)) (does ?p nehmé))
(<= (next (übrig ?n)) (true (übrig ?n)) (does ?p (wart:# ü)))
(<= terminal (true (übrig 0)))
(<= (goal ?p 0) (true (zug ?p))) (<= (goal ?p 100) (role ?p) (not (true (zug ?p))))
"""
STRINGS = """role("à"). role("β"). init(zug("à")). init(left(2)). init(s("été,(\\\\")).
legal(P,take("né:# `x` \\"q\\"")) :- true(zug(P)). legal(P,wait) :- true(zug(P)).
next(zug("β")) :- true(zug("à")). next(zug("à")) :- true(zug("β")).
next(left(N-1)) :- true(left(N)), does(_,take(_)), N > 0.
next(left(N)) :- true(left(N)), does(_,wait). next(s(X)) :- true(s(X)).
terminal :- true(left(0)).
goal(P,-1) :- true(zug(P)). goal(P,1) :- role(P), not true(zug(P)).
"""


def said(capfd, *arguments):
    """The exit code and all output of a command, which is never a traceback."""
    code, out, err = call(capfd, *arguments, *(["--quiet"] if "play" not in arguments else []))
    return code, out + err


# --- letters -------------------------------------------------------------------------------


def test_letters_outside_ascii_are_whole():
    """clingo counts bytes: every name is the same as in a simulator that reads the text itself."""
    slow = SlowGame(LETTERS)
    game = FiniteGame(board_of(ground(parse_gdl(Source("g.kif", LETTERS)))))
    assert game.roles == ("à", "β")
    want = {show(fact) for fact in slow.initial} - {'naïve("q",a,b)'}
    assert set(game.facts(game.initial)) == want | {'naïve("\\"q\\"","a,b")'}
    _, legal, _ = slow.look(slow.initial)
    assert {move.action for move in game.moves(game.initial)} == {show(m) for m in legal["à"]}


@pytest.mark.slow
def test_strings_of_an_encoding_are_whole(tmp_path, capfd):
    game = FiniteGame(board_of(ground(parse_asp(Source("g.lp", STRINGS)))))
    assert set(game.facts(game.initial)) == {'zug("à")', "left(2)", 's("été,(\\\\")'}
    moves = {move.action for move in game.moves(game.initial)}
    assert moves == {'take("né:# `x` \\"q\\"")', "wait"}
    path = tmp_path / "g.lp"
    path.write_text(STRINGS, "utf-8")
    tree = tmp_path / "tree.txt"
    assert said(capfd, "fft", "synth", path, "--budget", "1", "--no-certify", "-o", tree)[0] == 0
    assert said(capfd, "fft", "verify", path, tree)[0] == 0
    assert said(capfd, "learn", path)[0] in (0, 3)


def test_a_complaint_of_clingo_about_a_long_line_of_letters():
    """clingo cuts a message after a number of bytes, within a letter of several bytes too."""
    long = "é" * 400
    with pytest.raises(InputError):
        ground(parse_asp(Source("g.lp", STRINGS + f'p("{long}",X) :- not q("{long}",X).\n')))


def test_names_of_digits():
    """Other digits than 0 to 9, and long ones, are names; no two names have one place."""
    names = ["c(1)", "c(01)", "c(²)", "c(٣)", "c(10)", "c(2)", "c(" + "9" * 900 + ")", "٣x", "1x"]
    assert sorted(names, key=in_order).index("c(2)") < sorted(names, key=in_order).index("c(10)")
    assert len({in_order(name) for name in names}) == len(names)
    layout_of([f"cell({a},{b})" for a in "²٣" for b in "²٣"])
    assert read_term("c(1)") == ("c", 1)
    with pytest.raises(InputError, match="not a term"):
        read_term("c(01)")


# --- games without a choice ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ("fft", "synth", "GAME"),
        ("fft", "verify", "GAME", "TREE"),
        ("fft", "show", "GAME", "TREE"),
        ("fft", "minimise", "GAME", "TREE"),
        ("learn", "GAME"),
        *(("learn", "GAME", "--method", method) for method in ("rules", "pruned")),
        ("tournament", "GAME"),
        ("tournament", "GAME", "--agents", "fft:TREE,random"),
    ],
)
def test_a_game_that_is_over_before_it_begins(tmp_path, capfd, command):
    game, tree = tmp_path / "over.kif", tmp_path / "tree.txt"
    game.write_text(OVER, "utf-8")
    tree.write_text("go\n", "utf-8")
    words = [w.replace("GAME", str(game)).replace("TREE", str(tree)) for w in command]
    code, text = said(capfd, *words)
    assert code == 2
    assert "before it begins" in text


def test_where_every_move_is_as_good_nothing_is_learned():
    """On 2 by 2 two in a line always win: the empty hypothesis keeps the value, and is shortest."""
    stage = stage_of(finite_game("mnk", {"m": 2, "n": 2, "k": 2}))
    assert stage.arena.optimal.all()
    problem = of_stage(stage)
    assert problem.groups == ()
    from icgsynth.boards.learn.bias import bias_of

    for search in ("auto", "minimal", "beam"):
        found = learn_weak(stage, problem, bias_of(stage), search)
        assert found.found.status == "found"
        assert found.hypothesis is not None
        assert found.hypothesis.length == 0
        assert found.judged is not None
        assert found.judged.report.right == found.judged.report.states


@pytest.mark.parametrize("method", ["weak", "rules", "pruned"])
def test_learning_where_every_move_is_as_good(tmp_path, capfd, method):
    sizes = [word for name in "mnk" for word in ("--set", f"{name}=2")]
    out = tmp_path / "out.json"
    code, text = said(capfd, "learn", "mnk", *sizes, "--method", method, "--json", "-o", out)
    assert code == 0
    assert json.loads(text)["game"] == "mnk"
    if method == "weak":
        agents = f"weak:{out},weak,perfect,random"
        assert said(capfd, "tournament", "mnk", *sizes, "--agents", agents, "--matches", 2)[0] == 0
        for ending in ("lp", "las", "txt"):
            file = tmp_path / f"out.{ending}"
            assert said(capfd, "learn", "mnk", *sizes, "-o", file)[0] == 0


# --- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["-1", "4294967296", "1" * 23, "1" * 5_000, "x", "nan"])
@pytest.mark.parametrize(
    "command",
    [
        ("fft", "synth", "nim"),
        ("fft", "minimise", "nim", "t"),
        ("fft", "verify", "nim", "t"),
        ("learn", "ttt_l"),
        ("tournament", "ttt_l"),
        ("starts", "tictactoe"),
        ("play", "tictactoe"),
        ("sweep", "nim2", "-o", "r"),
        ("solve", "nim2"),
    ],
)
def test_a_seed_that_is_none(capfd, command, seed):
    code, text = said(capfd, *command, "--seed", seed)
    assert code == 2
    assert "'--seed'" in text


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "4294967295"])
def test_a_seed_that_is_one(capfd, seed):
    assert said(capfd, "learn", "nim_l", "--method", "pruned", "--seed", seed)[0] == 0
    arguments = ("--method", "algorithm2", "--no-raw", "--seed", seed)
    assert said(capfd, "fft", "synth", "nim", *arguments)[0] == 0
    agents = ("--agents", "random,perfect", "--matches", "2")
    assert said(capfd, "tournament", "nim_l", *agents, "--seed", seed)[0] == 0


@pytest.mark.parametrize(
    "command",
    [
        ("starts", "tictactoe", "--memory"),
        ("sweep", "nim2", "-o", "r", "--memory"),
        ("sweep", "nim2", "-o", "r", "--timeout"),
        ("fft", "synth", "nim", "--budget"),
        ("learn", "ttt_l", "--budget"),
    ],
)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "0", "-1"])
def test_an_amount_that_is_none(tmp_path, monkeypatch, capfd, command, value):
    monkeypatch.chdir(tmp_path)
    code, text = said(capfd, *command, value)
    assert code == 2
    assert "invalid value for " in text and f"'{command[-1]}'" in text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "weight",
    ["1" * 30, "1e999", str(1 << 62), str(-(1 << 63)), "NaN", "true", '"3"', "2.5", "1000000"],
)
@pytest.mark.parametrize("key", ["weight", "level"])
def test_a_weight_that_is_no_small_integer(tmp_path, capfd, key, weight):
    value = {"weight": "1", "level": "1", key: weight}
    body = f'"body": ["next(has(X,Y))"], "weight": {value["weight"]}, "level": {value["level"]}'
    path = tmp_path / "s.json"
    path.write_text('{"kind": "learned", "strategy": [{"prefer": [{' + body + "}]}]}", "utf-8")
    code, text = said(capfd, "tournament", "ttt_l", "--agents", f"weak:{path},random")
    assert code == 2
    assert f"{path}:1:" in text


def constraint(value):
    return read_constraint(read_json(Source("c.json", json.dumps(value))))


def test_the_greatest_weights_add_up():
    value = {"body": ["next(has(X,Y))"], "weight": 999_999, "level": -999_999}
    assert constraint(value).weight == 999_999


@pytest.mark.parametrize(
    "value",
    [
        {"body": ["next(has(X,Y))", "not next(has(Z,Y))"]},
        {"body": ["next(has(X,Y))"], "parity": {"group": "Z"}},
        {"body": ["next(has(99999999999,Y))"]},
        {"body": ["next(has(" + "9" * 5_000 + ",Y))"]},
    ],
)
def test_a_constraint_that_means_nothing(value):
    with pytest.raises(InputError):
        constraint({"weight": 1, "level": 1} | value)


@pytest.mark.parametrize(
    "line",
    [
        f"#modeo({'9' * 5_000}, next(has(var(p),var(c)))).",
        f"#modeo(1, next(has({'9' * 5_000},var(c)))).",
        "#modeo(1, next(has(2147483648,var(c)))).",
        f"#weight({'9' * 30}).",
        "#weight(2147483648).",
        f"#maxp({'9' * 30}).",
        "#maxp(999999).",
        "#maxv(-1).",
        f"#constant(c, {'9' * 30}).",
        f"#some_ordering(o@{'9' * 30}, {{e1}}, {{e2}}).",
    ],
)
def test_numbers_of_a_task(tmp_path, capfd, line):
    path = tmp_path / "task.las"
    path.write_text(f"#modeo(1, next(has(var(p),var(c)))).\n{line}\n", "utf-8")
    code, text = said(capfd, "learn", "ttt_l", "--bias", path)
    assert code == 2
    assert f"{path}:2:1: " in text


def test_numbers_that_clingo_would_change(tmp_path, capfd):
    code, text = said(capfd, "learn", "nim", "--set", "n=2147483648")
    assert (code, "up to 2,147,483,647" in text) == (2, True)
    game = tmp_path / "g.lp"
    game.write_text(STRINGS.replace("init(left(2))", "init(left(4294967298))"), "utf-8")
    code, text = said(capfd, "fft", "synth", game)
    assert code == 2
    column = STRINGS.index("left(2)") + len("left(") + 1
    assert re.search(rf":1:{column}: .*2,147,483,647", text)
    path = tmp_path / "s.json"
    value = {"kind": "learned", "background": ["p(4294967297)."], "strategy": []}
    value["strategy"] = [{"prefer": [{"body": ["p(X)"], "weight": 1, "level": 1}]}]
    path.write_text(json.dumps(value), "utf-8")
    code, text = said(capfd, "tournament", "ttt_l", "--agents", f"weak:{path},random")
    assert code == 2
    assert "2,147,483,647" in text


@pytest.mark.parametrize("start", ["9" * 20 + ",1", "10001,1"])
def test_a_start_too_far_to_be_solved_whole(tmp_path, capfd, start):
    tree = tmp_path / "tree.txt"
    tree.write_text("take_a(1)\n", "utf-8")
    code, text = said(capfd, "fft", "verify", "nim2", tree, "--start", start)
    assert code == 2
    assert "values from 0 to 10,000" in text


KERNEL = """
from typing import NamedTuple
import numpy as np
from icgsynth.process.compiled import compiled

class NAME(NamedTuple):
    numbers: np.ndarray

@compiled
def total(of):
    return of.numbers.sum()

print(total(NAME(np.arange(4))))
"""


@pytest.mark.slow
def test_machine_code_for_types_of_an_older_version_is_made_anew(tmp_path):
    """The list of cached machine code names the class, which then has another name."""
    script = tmp_path / "kernel.py"
    for name in ("Before", "Before", "After"):
        script.write_text(KERNEL.replace("NAME", name), "utf-8")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "6\n"), done.stderr

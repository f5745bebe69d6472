"""``icgsynth play`` of finite games and of games of lines, as a person meets it."""

import io
import re
import subprocess
import sys

import pytest
from catalog_answers import solved

pytest.importorskip("numba")
pytest.importorskip("clingo")


@pytest.fixture
def play(icgsynth):
    def play(*arguments, typed):
        return icgsynth("play", *arguments, typed=typed)

    return play


def test_perfect_play_is_never_beaten(play):
    # Taking the first move on offer each time: the machine punishes it, or draws.
    typed = "".join(f"{i} {j}\n" for i in (1, 2, 3) for j in (1, 2, 3)) * 3
    for first in ("you", "machine"):
        done = play("tictactoe", "--first", first, typed=typed)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] in ("A draw.", "The machine wins.")
        assert "machine: mark(" in done.stdout


def test_constants_of_an_encoding_shape_its_board(play):
    done = play("mnk", "--set", "m=1", "--set", "k=2", typed="mark 1 1\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "free(cell(1,3))" in done.stdout and "cell(2," not in done.stdout


def test_a_board_that_is_too_large_for_the_budget_is_told():
    line = [
        sys.executable,
        "-m",
        "icgsynth",
        *["play", "mnk", "--set", "m=9", "--set", "n=9", "-t", "0.5"],
    ]
    done = subprocess.run(line, input="", capture_output=True, text=True, timeout=60)
    assert done.returncode == 4
    assert (
        "not solved" in done.stderr
        and "--timeout" in done.stderr
        and "Traceback" not in done.stderr
    )


def test_help_lists_the_moves_and_a_wrong_one_is_explained(play):
    done = play("tictactoe", typed="help\nmark(9,9)\nmark 2 2\nquit\n")
    assert done.returncode == 0
    assert "mark(1,1) mark(1,2)" in done.stdout
    assert "mark(9,9) is no move" in done.stdout


def test_a_game_of_lines_from_a_position(play):
    done = play("tictactoe", "--opponent", 2, "--start", "X.O/.../.OX", typed="b2\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("You win.")
    lost = play("tictactoe", "--opponent", 1, "--start", "X../OO./X..", typed="c3\n")
    assert lost.stdout.rstrip().endswith("The machine wins.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["connect"], "against whom"),
        (["nim2", "--opponent", "2"], "is not for nim2"),
        (["tictactoe", "--opponent", "2", "--start", "XX"], "is not a board"),
        (["mnk", "--set", "q=2"], "known: first, k, m, n"),
        (["tictactoe", "--set", "n=2"], "has no constants"),
        (
            ["tictactoe", "--strategy", "a", "--solution", "b"],
            "--solution is not for a game with --strategy",
        ),
        (["tictactoe", "--start", "1,1"], "--start is not for a finite game"),
        (["nim2", "--strategy", "tree.txt"], "--strategy does nothing here"),
        (["tictactoe", "--strategy", "nowhere.txt"], "no such file"),
    ],
)
def test_bad_input_is_told(play, arguments, words):
    done = play(*arguments, typed="")
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr


def test_a_learned_strategy_is_played_and_names_its_constraint(icgsynth, play, tmp_path):
    path = tmp_path / "learned.json"
    assert icgsynth("learn", "nim_l", "--quiet", "-o", path).returncode == 0
    typed = "remove(2,1)\nquit\n"
    done = play("nim_l", "--strategy", path, "--first", "machine", typed=typed)
    assert done.returncode == 0, done.stderr
    # Piles of 1, 3, 3, 4: only 4 -> 1 leaves a nim-sum of 0.
    assert re.search(r"^machine: remove\(4,3\) +\[rule 1: :~", done.stdout, re.MULTILINE)
    other = play("tictactoe", "--strategy", path, typed="")
    assert other.returncode == 2 and "Traceback" not in other.stderr


FIVE = """\
if o(1,3) and not o(2,1): mark(2,3)
mark(2,2)
if x(1,1): mark(3,3)
if not o(2,1): mark(2,3)
if x(2,1): mark(3,1)
"""


def test_the_image_of_the_rule_that_fires_is_named(play, tmp_path):
    """The five rules play x.  After 1 2 the fourth names an edge beside the middle, by lot."""
    tree = tmp_path / "five.txt"
    tree.write_text(FIVE)
    reasons = set()
    for seed in range(5):
        options = ("tictactoe", "--strategy", tree, "--first", "machine", "--seed", seed)
        out = play(*options, typed="1 2\nquit\n").stdout
        move, reason = re.findall(r"^machine: (\S+)   \[(.*)\]$", out, re.MULTILINE)[1]
        assert reason.endswith(f": {move}")
        reasons.add(reason)
    assert reasons == {
        "rule 4: if not cell(2,1,o): mark(2,3)",
        "an image of rule 4: if not cell(2,3,o): mark(2,1)",
    }


def test_hint_why_and_undo(play, tmp_path):
    """After x in the middle every corner draws and every edge loses."""
    tree = tmp_path / "five.txt"
    tree.write_text(FIVE)
    typed = "undo\nwhy\n3 2\nwhy\nundo\nwhy\nhint\nquit\n"
    out = play("tictactoe", "--strategy", tree, "--first", "machine", typed=typed).stdout
    assert "you have not moved yet" in out
    first, second, third = out.split("the machine played ")[1:]
    assert first.startswith("mark(2,2)   [rule 2: mark(2,2)]\n") and "nobody" in first
    assert "you lose" in second
    assert re.search(r"mark\(3,2\) .*move 1 gave it away; mark\([13],[13]\) keeps", second)
    assert third.startswith("mark(2,2)") and "nobody wins" in third and "gave it away" not in third
    assert re.search(r"mark\([13],[13]\) +\[it keeps the draw\]", third)


SIM = """\
         1            2 3 4 5 6
                    1 r . . . .
   6           2    2   . . . .
                    3     . . .
   5           3    4       . .
                    5         .
         4          r = red
"""


def test_sim_is_drawn():
    from icgsynth.boards.text.finite_lines import drawn_lines

    points = {"1": (0.5, 0), "2": (0.93, 0.25), "3": (0.93, 0.75)}
    points |= {"4": (0.5, 1), "5": (0.07, 0.75), "6": (0.07, 0.25)}
    pairs = [(a, b) for a in points for b in points if a < b]
    board = {
        "kind": "graph",
        "nodes": [{"name": n, "at": at} for n, at in points.items()],
        "edges": [{"ends": p, "mark": "red" if p == ("1", "2") else None} for p in pairs],
    }
    assert "\n".join([*drawn_lines(board), ""]) == SIM


@pytest.mark.parametrize(
    ("board", "lines"),
    [
        ({"kind": "piles", "names": ["a", "big"], "counts": ["3", "0"]}, ["    a  ooo", "  big"]),
        ({"kind": "piles", "names": ["a"], "counts": ["9" * 30]}, []),
        ({"kind": "squares", "rows": ["4", "2"]}, ["  1  ####", "  2  ##"]),
        ({"kind": "facts", "facts": ["a = -1"]}, []),
        (
            {
                "kind": "grid",
                "rows": 2,
                "columns": 2,
                "drops": True,
                "cells": [{"at": [1, 0], "mark": "red"}, {"at": [1, 1], "mark": "blue"}],
            },
            ["  . .", "  r b", "  1 2", "b = blue  r = red"],
        ),
    ],
)
def test_boards_as_lines(board, lines):
    from icgsynth.boards.text.finite_lines import drawn_lines

    assert drawn_lines(board) == lines


def test_columns_have_one_name_each_in_connect(play):
    done = play("connect", "--opponent", 1, "--size", "4x4", "--match", 3, typed="help\nb\nquit\n")
    assert "  a column: a b c d\n" in done.stdout
    assert "   a b c d\n" in done.stdout
    (machine,) = [line for line in done.stdout.splitlines() if line.startswith("machine: ")]
    assert machine[9:11] in ("a ", "b ", "c ", "d ")
    cells = play("tictactoe", "--opponent", 1, "--start", "XO./.../...", typed="help\nquit\n")
    assert "  a cell: a1 a2 b1 b2 c1 c2 c3\n" in cells.stdout


class Keyboard(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self):
        return True


def test_after_a_lost_game_one_can_ask_why_and_play_on(monkeypatch, capsys):
    """Nim on (2, 1): 1 from the first pile wins, both of it lose; then a second try."""
    from icgsynth.play.advice import Guide
    from icgsynth.play.parametric import Session, StrategyPlayer
    from icgsynth.play.person import dialogue

    answer = solved("nim2")
    machine = StrategyPlayer(answer)
    session = Session(answer.game, "normal", (2, 1))
    monkeypatch.setattr("sys.stdin", Keyboard("take_a 2\nwhy\nundo\ntake_a 1\ntake_b 1\n"))
    dialogue(session, machine, 0, Guide(machine, True), "\nNo move is left.")
    out = capsys.readouterr().out
    ended, _, more = out.partition("The machine wins.")
    assert "take_b(1)" in ended and "the machine played take_b(1)" in more
    assert re.search(r"take_a\(2\) .*move 1 gave it away; take_a\(1\) wins", more)
    assert out.rstrip().endswith("\nYou win.")
    moves = [str(turn.choice.move) for turn in session.turns]
    assert moves == ["take_a(1)", "take_a(1)", "take_b(1)"]

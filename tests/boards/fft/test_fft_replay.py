"""A counterexample is a line of play that another simulator replays, also up to symmetry."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from speed import sampled

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments.judge.gdl import SlowGame, show
from icgsynth.cli import run

GAMES = Path(__file__).parents[3] / "specs" / "gdl"


@cache
def slow(name):
    return SlowGame((GAMES / f"{name}.kif").read_text("utf-8"))


def replayed(name, line):
    """The state after ``line``, every move of it legal; who does not move says what it can."""
    game = slow(name)
    state = game.initial
    for action in line:
        ended, legal, _ = game.look(state)
        assert not ended
        names = {role: {show(move): move for move in moves} for role, moves in legal.items()}
        (mover,) = [role for role, moves in names.items() if len(moves) > 1 or action in moves]
        assert action in names[mover], (action, sorted(names[mover]))
        moves = {
            r: names[r][action] if r == mover else next(iter(names[r].values())) for r in names
        }
        state = game.after(state, moves)
    return state


def worth(name, state, known):
    """What a state is worth to the first role under best play, by plain minimax."""
    if state not in known:
        game = slow(name)
        ended, legal, goals = game.look(state)
        one, two = game.roles
        if ended:
            known[state] = goals[one] - goals[two]
        else:
            values = [
                worth(name, game.after(state, {one: a, two: b}), known)
                for a in legal[one]
                for b in legal[two]
            ]
            known[state] = (max if len(legal[one]) > 1 else min)(values)
    return known[state]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A function that gives the lines of an optimal tree, made once for each game and player."""
    folder = tmp_path_factory.mktemp("trees")

    @cache
    def made(name, player):
        path = folder / f"{name}{player}.txt"
        arguments = ["--method", "algorithm2", "--player", player, "--no-raw", "--quiet"]
        assert run(["fft", "synth", name, *arguments, "-o", str(path)]) == 0
        return path.read_text("utf-8").splitlines()

    return made


def broken(rng, lines):
    """A tree that goes wrong late, if it does: a rule lost, moved, or with another's action."""
    lines = list(lines)
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.choice(("lose", "move", "act")):
        case "lose":
            del lines[at]
        case "move":
            lines.insert(other, lines.pop(at))
        case "act":
            condition, colon, _ = lines[at].rpartition(": ")
            lines[at] = condition + colon + lines[other].rpartition(": ")[2]
    return "\n".join(lines) + "\n"


@sampled(
    ("name", "player", "option"),
    [
        ("tictactoe", "1", "--no-raw"),
        ("tictactoe", "2", "--no-raw"),
        ("tictactoe", "1", "--raw"),
        ("three_mens_morris", "1", "--no-raw"),
        ("connect3", "1", "--no-raw"),
        ("nim", "1", "--no-raw"),
    ],
)
def test_a_broken_tree_is_refuted_by_a_line_of_play(tmp_path, capfd, good, name, player, option):
    rng = random.Random(f"{name}/{player}/{option}")
    lines = good(name, player)
    tree = tmp_path / "tree.txt"
    lengths = []
    for _ in range(6):
        tree.write_text(broken(rng, lines), "utf-8")
        capfd.readouterr()
        arguments = [option, "--player", player, "--json", "--quiet"]
        code = run(["fft", "verify", name, str(tree), *arguments])
        found = json.loads(capfd.readouterr().out)["counterexample"]
        assert code == (0 if found is None else 3)
        if found is None:
            continue
        state = replayed(name, found["line"])
        assert sorted(map(show, state)) == sorted(found["state"])
        _, legal, _ = slow(name).look(state)
        there = {show(move) for moves in legal.values() for move in moves if len(moves) > 1}
        assert set(found["moves"]) <= there
        assert set(found["optimal"]) < there
        assert not set(found["moves"]) <= set(found["optimal"])
        lengths.append(len(found["line"]))
    assert lengths
    assert max(lengths) > 1, "the trees should go wrong late enough to tell"


@pytest.mark.parametrize("seed", [0, 3])
def test_the_move_of_a_counterexample_is_wrong(tmp_path, capfd, seed):
    """By minimax in plain Python, from the state that the line leads to."""
    rng = random.Random(seed)
    actions = [f"mark({r},{c})" for r in "123" for c in "123"]
    facts = [f"cell({r},{c},{v})" for r in "123" for c in "123" for v in "xo"]
    good = ["mark(2,2)", f"if {rng.choice(facts)}: {rng.choice(actions)}", rng.choice(actions)]
    tree = tmp_path / "tree.txt"
    tree.write_text("\n".join(good), "utf-8")
    assert run(["fft", "verify", "tictactoe", str(tree), "--no-raw", "--json", "--quiet"]) == 3
    found = json.loads(capfd.readouterr().out)["counterexample"]
    state = replayed("tictactoe", found["line"])
    game, known = slow("tictactoe"), {}
    _, legal, _ = game.look(state)
    (mover,) = [role for role, moves in legal.items() if len(moves) > 1]
    (other,) = [role for role in game.roles if role != mover]
    after = {
        show(move): worth("tictactoe", game.after(state, {mover: move, other: "noop"}), known)
        for move in legal[mover]
    }
    best = (max if mover == game.roles[0] else min)(after.values())
    assert {move for move, value in after.items() if value == best} == set(found["optimal"])
    assert any(after[move] != best for move in found["moves"])


def test_the_line_is_printed_as_it_is_played(tmp_path, capfd):
    tree = tmp_path / "tree.txt"
    tree.write_text("mark(2,2)\nmark(1,1)\n", "utf-8")
    assert run(["fft", "verify", "tictactoe", str(tree), "--no-raw", "--quiet"]) == 3
    out = capfd.readouterr().out
    lines = [text.split(". ", 1)[1].split(": ") for text in out.split("\n") if text[4:5].isdigit()]
    state = replayed("tictactoe", [action for _, action in lines])
    assert [who for who, _ in lines] == [("x", "o")[i % 2] for i in range(len(lines))]
    assert set(out.split("the state: ")[1].split("\n")[0].split()) == set(map(show, state))


def test_exports_of_trees_load_no_solver():
    """Fault it sees: an export that loads z3, which takes a fifth of a second."""
    code = (
        "import sys, icgsynth.boards.fft.tree_formats; assert not {'z3', 'islpy'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

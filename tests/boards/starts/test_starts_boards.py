"""``icgsynth starts`` of finite games: graded by other engines too, and whole sheets."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from xml.etree import ElementTree

import pytest
from commands import call, refused
from speed import sampled
from test_sheets import require_on_paper

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

import icgsynth as icg
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.starts.dense import sets, space
from icgsynth.boards.starts.impartial import solved_box
from icgsynth.boards.starts.lines import line_game
from icgsynth.boards.starts.task_report import TaskSheet
from icgsynth.boards.starts.tasks import Pupil, SolvedGame, TasksWanted, own_moves, tasks
from icgsynth.boards.text.sheet import sheet_pages
from icgsynth.spec.catalog import resolve
from icgsynth.spec.source import Source


def solved(name):
    path = resolve(name, "gdl")
    board = board_of(ground(parse_gdl(Source.read(path))))
    return SolvedGame(arena_of_board(board), FiniteGame(board))


@pytest.fixture(scope="module")
def tictactoe():
    return solved("tictactoe")


def test_as_many_are_won_as_in_the_game_of_lines(tictactoe):
    """By the engine of lines, X wins with 1, 2, 3 stones from 1498, 260 and 72 boards."""
    arena = tictactoe.arena
    mine = (arena.mover == 0) & (arena.value > 0)
    found = Counter()
    for moves, orbit in zip(own_moves(arena)[mine], arena.orbit[mine], strict=True):
        found[int(moves)] += int(orbit)
    lines = sets(space(line_game("tictactoe"))).counts
    assert [found[j + 1] for j in range(5)] == list(lines)


def test_nim_is_graded_as_the_impartial_game_of_the_same_rules():
    """Heaps of 1, 5, 4 and 2, by the board and by the box: the same states, chances and levels."""
    rules = (
        "game g var a, b, c, d legal a >= 0 and b >= 0 and c >= 0 and d >= 0 and a <= 1 and b <= 5"
        " and c <= 4 and d <= 2\n"
    ) + "".join(f"action t{v}(k) pre 1 <= k <= {v} eff {v} := {v} - k\n" for v in "abcd")
    board, box = solved("nim"), solved_box(icg.loads(rules).game, "normal", 5)
    wanted = TasksWanted(None, Pupil(1), 2, count=400)
    by_heaps = {task.state: task for task in tasks(box, wanted)[0]}
    found, counts = tasks(board, wanted)
    assert len(found) == sum(counts.values()) > 100
    compared = 0
    for task in found:
        held = [fact for fact in board.game.facts(task.state) if fact.startswith("heap(")]
        state = tuple(int(fact[len("heap(a,") : -1]) for fact in sorted(held))
        same = by_heaps.get(state)
        if same is None:  # one of those that are symmetric in the box
            continue
        assert (task.distance, task.moves, task.level) == (same.distance, same.moves, same.level)
        assert task.chances == pytest.approx(same.chances)
        assert len(task.keys) == len(same.keys)
        compared += 1
    assert compared > 50


def test_the_counts_are_those_of_all_states_and_no_two_chosen_are_alike(tictactoe):
    wanted = TasksWanted(2, Pupil(1), 3, count=10_000)
    found, counts = tasks(tictactoe, wanted)
    arena = tictactoe.arena
    assert sum(counts.values()) == sum(int(arena.orbit[task.row]) for task in found)
    assert len({task.row for task in found}) == len(found)
    one = TasksWanted(2, Pupil(1), 3, count=10_000, unique_first_move=True, level="hard")
    some, _ = tasks(tictactoe, one)
    assert {t.row for t in some} == {t.row for t in found if t.level == "hard" and len(t.keys) == 1}


@sampled("name", ["connect3", "sim", "tictactoe"], fast=1)
def test_best_play_and_replies_are_plays_of_the_game(name):
    """A row stands for turned boards too: moves called as on another board apply nowhere here."""
    graph = solved(name)
    for task in tasks(graph, TasksWanted(3, Pupil(1), count=30))[0]:
        lost = [move for move in (task.tempting, task.answer) if move is not None]
        for line in (task.line, lost):
            state = task.state
            for name in line:
                moves = {move.action: move for move in graph.game.moves(state)}
                state = graph.game.result(state, moves[name])
            assert line is lost or graph.game.mover(state) < 0


@sampled("name", ["connect3", "nim", "sim", "three_mens_morris", "tictactoe"], fast=2)
def test_a_sheet_stays_on_its_paper(name):
    graph = solved(name)
    wanted = TasksWanted(2, Pupil(1), count=14)
    report = TaskSheet(*tasks(graph, wanted), wanted, graph)
    pages = sheet_pages(report.sheet())
    assert len(pages) > 2
    for page in pages:
        require_on_paper(page)


def test_all_formats(capfd, tmp_path):
    asked = ("starts", resolve("tictactoe", "gdl"), "--moves", 2, "--you", 1, "--count", 3)
    code, out, err = call(capfd, *asked, "--json", "--quiet", "-o", tmp_path / "a.csv")
    assert (code, err) == (0, "")
    value = json.loads(out)
    assert value["states"] == 5478 and len(value["positions"]) == 3
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text("utf-8"))))
    for row, position in zip(rows, value["positions"], strict=True):
        assert row["facts"].split() == position["facts"] and row["mover"] == position["mover"]
        assert row["first_moves"].split() == position["first_moves"]
    for ending in ("pdf", "html", "svg", "json"):
        path = tmp_path / f"a.{ending}"
        assert call(capfd, *asked, "--quiet", "-o", path)[0] == 0
        assert path.stat().st_size > 500
    drawing = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = [e.text for e in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("I play") == 3 and {"x to move", "o to move"} & set(texts)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "3x3"], "connect, tictactoe and bottom"),
        (["--progression"], "connect, tictactoe and bottom"),
        (["--rule", "misere"], "impartial"),
        (["--bound", "3"], "impartial games"),
        (["--set", "n=3"], "constants"),
        (["--moves", "0"], "a win takes a move"),
    ],
)
def test_bad_input_is_told(capfd, options, words):
    assert words in refused(capfd, "starts", "connect3", *options)


def test_a_game_that_is_not_solved_is_refused_with_the_reason(capfd, tmp_path):
    path = tmp_path / "both.kif"
    path.write_text(
        "(role a) (role b) (init s) (<= terminal (true t)) (goal a 0) (goal b 100)\n"
        "(legal a x) (legal a y) (legal b x) (legal b y)\n"
        "(<= (next t) (does a x) (does b y)) (<= (next s) (not (does a x)))\n"
    )
    assert "both players have a choice" in refused(capfd, "starts", path)

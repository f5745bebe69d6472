"""A budget is for all that a command does, whatever stage it is in; out of reach is exit 4.

Each of the commands below takes more than half a minute when it is left alone.  The bound here is
there to catch one that does not end: without the watch of one stage, that of its row fails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from commands import HANGS
from numba import config
from speed import sampled

from icgsynth import budget
from icgsynth.boards.fft.anneal import anneal
from icgsynth.boards.fft.bench import TESTS
from icgsynth.boards.fft.minimality import TreeClauses, ask
from icgsynth.boards.fft.search import warm
from icgsynth.boards.fft.synthesis import greedy
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.bounded import arena_of_box
from icgsynth.budget import CLOCK, Budget, on_the_clock, silent
from icgsynth.cli import run
from icgsynth.errors import BudgetSpent
from icgsynth.process.compiled import _leave_out_avx512, _njit, _without_scipy
from icgsynth.process.worker import Worker
from icgsynth.spec.catalog import resolve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

END = 20.0  # seconds of a budget, within which a run with a budget of 1 has ended

FOUR_ROWS = """game four_rows "Chomp with four rows"
var a, b, c, d
legal d >= 0 and c >= d and b >= c and a >= b
action r1(j) pre 1 <= j <= a
  eff a := j - 1, b := min(b, j - 1), c := min(c, j - 1), d := min(d, j - 1)
action r2(j) pre 1 <= j <= b eff b := j - 1, c := min(c, j - 1), d := min(d, j - 1)
action r3(j) pre 1 <= j <= c eff c := j - 1, d := min(d, j - 1)
action r4(j) pre 1 <= j <= d eff d := j - 1
"""

LONG = [
    pytest.param("fft show four_rows.icg --bound 18 tree.txt", id="show"),
    pytest.param("fft synth nim3 --bound 20", id="the greedy algorithm"),
    pytest.param("fft synth four_rows.icg --bound 18", id="the states of a box"),
    pytest.param("fft synth nim3 --bound 20 --method algorithm2 --exhaustive", id="Algorithm 2"),
    pytest.param("fft verify four_rows.icg --bound 18 tree.txt", id="fft verify"),
    pytest.param("tournament four_rows.icg --bound 18", id="tournament"),
    pytest.param("starts connect --size 5x5 --match 4 -o sheet.json", id="starts, dense"),
    pytest.param("starts tictactoe --size 5x4 --match 4 --count-sets", id="starts, symbolic"),
    pytest.param("family nim3_third --over n=2..90", id="family"),
    pytest.param("learn sim", id="learn"),
]


@sampled("line", LONG)
def test_every_stage_of_a_command_ends_with_its_budget(line, tmp_path):
    (tmp_path / "four_rows.icg").write_text(FOUR_ROWS)
    (tmp_path / "tree.txt").write_text("r1(1)\n")
    command = [sys.executable, "-m", "icgsynth", *line.split(), "--timeout", "1", "--quiet"]
    # What numba has to compile first is no part of the budget, and is not in that of the test.
    warm(silent)
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=on_the_clock(END) + 60,
        env=os.environ,
    )
    assert done.returncode == 4, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert re.search("budget|in time|took more than|the game has more", done.stdout + done.stderr)


@pytest.mark.slow
def test_a_search_that_is_cut_says_the_best_so_far(capfd):
    assert run(["fft", "synth", "tictactoe", "--timeout", "2", "--quiet"]) == 0
    assert "strongly optimal" in capfd.readouterr().out


def test_a_game_that_is_too_large_is_out_of_reach(tmp_path, capfd):
    """The exit code is 4; it once was 2, as if the input were at fault."""
    rows = [f"(init (cell {i} o)) (<= (legal p (turn {i})) (true (cell {i} o)))" for i in range(21)]
    rows += [f"(<= (next (cell {i} x)) (does p (turn {i})))" for i in range(21)]
    rows += [
        f"(<= (next (cell {i} ?v)) (true (cell {i} ?v)) (not (does p (turn {i}))))"
        for i in range(21)
    ]
    rows += [f"(<= (full {i}) (true (cell {i} x)))" for i in range(21)]
    full = " ".join(f"(full {i})" for i in range(21))
    text = "(role p)\n" + "\n".join(rows) + f"\n(<= terminal {full})\n(goal p 100)\n"
    file = tmp_path / "switches.kif"
    file.write_text(text)
    assert run(["learn", str(file), "--quiet"]) == 4
    assert "more states" in capfd.readouterr().err


# --- the parts ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shop():
    game = load_spec(Source.read(resolve("nim3"), "nim3"))
    return Workshop(arena_of_box(game, 5)[0], 0)


def test_local_search_ends_with_what_it_has(shop):
    """Without a look at the time, the kernel would make them all."""
    tree = greedy(shop)
    size = shop.load(tree)
    assert shop.stands(size, True)
    effort = 300_000
    with shop.within(0.05):
        size = anneal(shop.view, shop.bench, size, effort, 1.0, True)
    assert shop.bench.tally[TESTS] < effort
    assert shop.is_optimal(shop.read(size, kept=True))


def test_what_is_cut_is_optimal_or_nothing(shop):
    """However early it is cut; and the time of one search is not that of the next."""
    for seconds in (0.0, 0.001, 0.003, 0.01, 0.03):
        with shop.within(seconds):
            time.sleep(0.002 * (seconds == 0))
            tree = greedy(shop, seed=7)
        assert tree is None or shop.is_optimal(tree)
    assert greedy(shop, seed=7) is not None
    shop._late.fill(1)
    try:
        assert greedy(shop, seed=7) is None
    finally:
        shop._late.fill(0)


def test_a_question_is_written_down_within_its_time(shop):
    tree = greedy(shop)
    with pytest.raises(BudgetSpent):
        TreeClauses(shop.view, 3, Budget(0))
    asked = ask(shop, tree.figure[0] - 1, None, 0.0)
    assert (asked.answer, asked.clauses) == ("unknown", 0)


def test_the_clock_of_budgets_stands_still_while_machine_code_is_made(monkeypatch):
    monkeypatch.setattr(budget, "_pace", lambda: 1.0)
    some = Budget(0.2)
    CLOCK.stop()
    CLOCK.stop()
    time.sleep(0.3)
    CLOCK.go()
    assert not some.is_spent  # one stop within another
    CLOCK.go()
    left = some.remaining()
    assert left > 0
    time.sleep(left + 0.05)
    assert some.is_spent


def test_compiling_stops_the_clock(monkeypatch):
    stops, stop = [], CLOCK.stop
    monkeypatch.setattr(CLOCK, "stop", lambda: (stops.append(1), stop()))
    assert _njit()(lambda number: number + 1)(1) == 2
    assert stops and not CLOCK._stops


def test_seconds_that_a_person_gives_count_the_making_of_machine_code(tmp_path):
    """In an empty cache: it took 33 seconds, and then refused the box as if it were bad input."""
    piles = [f"p{i}" for i in range(12)]
    text = f"game kalaha var {', '.join(piles)} legal {' and '.join(f'{p} >= 0' for p in piles)}"
    moves = [f" action s{i} pre p{i} > 0 eff p{i} := 0, p0 := p0 + p{i}" for i in range(1, 12)]
    (tmp_path / "kalaha.icg").write_text(text + "".join(moves))
    line = "-m icgsynth fft synth kalaha.icg -t 3 --bound 1"
    given = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": on_the_clock(120)}
    begun = time.monotonic()
    empty = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, *line.split()], env=empty, **given)
    assert (done.returncode, time.monotonic() - begun < on_the_clock(END)) == (4, True)
    assert "compiling" in done.stderr
    whole = line.replace("-t 3 --bound 1", "-t 1")
    done = subprocess.run([sys.executable, *whole.split()], env=os.environ, **given)
    assert done.returncode == 4, done.stderr


@pytest.mark.parametrize("named", [None, "generic"])
def test_kernels_are_compiled_without_avx512_unless_a_processor_is_named(monkeypatch, named):
    """With AVX-512 LLVM makes wrong code of loops that store under a condition."""
    monkeypatch.setattr(config, "CPU_NAME", named)
    monkeypatch.setattr(config, "CPU_FEATURES", None)
    _leave_out_avx512()
    assert (config.CPU_NAME == "generic") == (named is not None)
    assert (config.CPU_FEATURES is None) == (named is not None)
    assert "+avx512" not in (config.CPU_FEATURES or "")


def test_numba_finds_no_scipy_and_everybody_else_does(monkeypatch):
    """Fault seen: scipy stays hidden, or one that is loaded is taken away."""
    monkeypatch.delitem(sys.modules, "scipy", raising=False)
    with pytest.raises(ImportError), _without_scipy():
        import_module("scipy")
    assert "scipy" not in sys.modules
    there = ModuleType("scipy")
    monkeypatch.setitem(sys.modules, "scipy", there)
    with _without_scipy():
        assert import_module("scipy") is there
    assert sys.modules["scipy"] is there


def test_a_watchdog_waits_while_the_clock_stands_and_leaves_no_process_behind(tmp_path):
    """Children were left to work on, for as long as their last question took."""
    script = """
import threading, time
from icgsynth.budget import CLOCK
from icgsynth.process.watchdog import Watchdog
from icgsynth.process.worker import Worker
worker = Worker()
worker.start()
print(worker._child._process.pid, flush=True)
CLOCK.stop()
def last_words():
    print("the time is over", time.monotonic() - begun > 1, flush=True)
    return 4
begun = time.monotonic()
with Watchdog(0.3, last_words):
    threading.Timer(1.1, CLOCK.go).start()
    worker.call(600, time.sleep, 600)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, env=os.environ
    )
    pid, said = done.stdout.splitlines()
    assert (done.returncode, said) == (4, "the time is over True"), done.stderr
    deadline = time.monotonic() + HANGS
    while _is_running(int(pid)):
        assert time.monotonic() < deadline, "the worker goes on"
        time.sleep(0.05)


def _is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_budget_for_all_calls_of_a_worker():
    """Each call had its own seconds, however many there were."""
    with Worker() as worker:
        worker.start()
        worker.until = Budget(1.0)
        with pytest.raises(BudgetSpent):
            worker.call(600, time.sleep, 600)
        begun = time.monotonic()
        for _ in range(100):
            with pytest.raises(BudgetSpent):
                worker.call(600, time.sleep, 600)
        assert time.monotonic() - begun < 60

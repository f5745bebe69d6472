"""Other processes: what became of them is said, and none outlives its time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from commands import HANGS

from icgsynth.errors import BudgetSpent
from icgsynth.process.started import Ending, Started
from icgsynth.process.worker import Closed, Worker, tell


def python(code):
    return [sys.executable, "-c", code]


def test_the_input_and_the_output_of_a_process():
    code = "import sys; print(sys.stdin.read().upper()); sys.stderr.write('first\\nlast')"
    with Started(python(code)) as child:
        ending = child.run(b"one\ntwo", 30)
    assert (ending.code, ending.killed, ending.how) == (0, False, "exit code 0")
    assert ending.told == (b"ONE", b"TWO")
    assert ending.last_words == "last"


def test_a_process_that_is_late_is_killed_and_keeps_its_whole_lines():
    code = (
        "import time; print('told', flush=True); print('cut', end='', flush=True); time.sleep(60)"
    )
    with Started(python(code)) as child:
        ending = child.run(b"", 1.5)
    assert ending.killed and ending.how == "SIGKILL" and child.was_late
    assert ending.told == (b"told",)


def test_a_process_that_is_left_is_no_more():
    with Started(python("import time; time.sleep(60)")) as child:
        pass
    assert child.stop().how == "SIGKILL" and not child.was_late


@pytest.mark.skipif(sys.platform != "linux", reason="sets the limit of another process")
def test_memory_is_bounded():
    code = "import sys; sys.stdin.read(); bytearray(10**9)"
    with Started(python(code), memory=400_000_000) as child:
        ending = child.run(b"", 30)
    assert ending.code == 1 and ending.lacked_memory(400_000_000)


def test_a_crash_is_for_want_of_memory_only_where_much_was_in_use():
    crash = Ending(-signal.SIGSEGV, "")
    assert crash.lacked_memory(1) and not crash.lacked_memory(10**15)
    assert Ending(-signal.SIGABRT, "std::bad_alloc").lacked_memory(10**15)
    assert not Ending(1, "ValueError: no").lacked_memory(1)


def test_a_worker_answers_again_after_a_call_that_was_late():
    with Worker() as worker:
        with pytest.raises(BudgetSpent, match=r"the budget of 0\.5 s is spent"):
            worker.call(0.5, time.sleep, 60)
        with pytest.raises(BudgetSpent, match=r"has ended \(exit code 3\)"):
            worker.call(30, os._exit, 3)
        with pytest.raises(RuntimeError, match="ValueError: invalid literal"):
            worker.call(30, int, "x")
        assert worker.call(30, pow, 2, 10) == 1024


def test_a_worker_is_closed_while_it_works():
    worker = Worker()
    threading.Timer(1.0, worker.close).start()
    with pytest.raises(Closed):
        worker.call(60, time.sleep, 60)  # which raises nothing at its end
    with pytest.raises(Closed):
        worker.call(60, pow, 2, 2)


@pytest.mark.parametrize(("work", "code"), [("time.sleep(60)", 4), ("pass", 7)])
def test_a_watchdog_ends_what_is_late_and_nothing_else(work, code):
    script = f"""
import sys, time
from icgsynth.process.watchdog import Watchdog
def last_words():
    print("known", flush=True)
    return 4
with Watchdog({0.5 if code == 4 else 600}, last_words):
    {work}
sys.exit(7)
"""
    done = subprocess.run(
        python(script), capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert (done.returncode, done.stdout) == (code, "known\n" if code == 4 else "")


def told_and_done(count):
    for number in range(count):
        tell(number)
    return "done"


def test_a_call_tells_how_far_it_is_before_it_answers():
    heard = []
    with Worker(hear=heard.append) as worker:
        assert worker.call(30, told_and_done, 3) == "done"
        assert heard == [0, 1, 2]
    tell("nobody listens here")


def test_the_end_of_a_command_loads_nothing():
    """Fault it sees: each access to a file waited for the work, and the end took 10 s."""
    code = """
import sys
from icgsynth.process.watchdog import _leave

class Refusing:
    def find_spec(self, name, *_):
        raise ImportError(name)

def words():
    sys.meta_path.insert(0, Refusing())
    return 4

_leave(words)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 4


def test_a_watchdog_does_not_wait_for_last_words_that_take_long():
    """The words once were made by work without an end, such as a search in rules of 200 names."""
    script = """
import time
from icgsynth.process.watchdog import Watchdog
def last_words():
    while True:
        sum(range(1000))
def fewer():
    print("spent", flush=True)
    return 4
with Watchdog(0.2, last_words, fewer):
    time.sleep(60)
"""
    done = subprocess.run(
        python(script), capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert (done.returncode, done.stdout) == (4, "spent\n")


def run_at_pace_1(script, *before):
    environment = {**os.environ, "ICGSYNTH_PACE": "1"}
    command = [*before, *python(script)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, env=environment)


@pytest.mark.parametrize("counted", [True, False])
def test_a_slow_start_is_a_part_of_the_budget(counted):
    """Of a program that answers one command; a process that answers many counts none."""
    script = f"""
import time
from icgsynth.process.watchdog import count_start, slow_start
time.sleep(1.2)
if {counted}:
    count_start()
print(slow_start() > 0.5 if {counted} else slow_start() == 0)
"""
    done = run_at_pace_1(script)
    assert done.stdout == "True\n", done.stderr


def test_what_a_shell_did_before_is_no_start():
    """``bash -c 'make && icgsynth ..'``.  Sees: a budget that is spent before anything begins."""
    script = """
from icgsynth.process.watchdog import count_start, slow_start
count_start()
print(slow_start() < 0.4)
"""
    done = run_at_pace_1(script, "sh", "-c", 'sleep 1; exec "$@"', "sh")
    assert done.stdout == "True\n", done.stderr


def test_a_command_whose_last_words_take_long_ends_with_one_value():
    """Neither the search nor what is known after it ends by itself."""
    script = """
import sys, time
from icgsynth.cli import main
from icgsynth.solve.search import Search
Search.solve = lambda self: time.sleep(600)
Search.unknown = lambda self, why: time.sleep(600)
main(["solve", "nim2", "--timeout", "0.2", "--json"])
"""
    done = run_at_pace_1(script)
    assert done.returncode == 4, done.stderr
    assert json.loads(done.stdout)["status"] == "unknown"

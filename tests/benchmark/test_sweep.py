"""``icgsynth sweep``: nothing lost, nothing twice, whatever stops it; limits, streams, clusters."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import csv
import json
import os
import random
import select
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import HANGS
from hypothesis import given
from hypothesis import strategies as st

from icgsynth.benchmark.sweep import cluster
from icgsynth.benchmark.sweep.job_worker import Fresh, Warm, run_here
from icgsynth.benchmark.sweep.jobs import find, messages
from icgsynth.benchmark.sweep.record import (
    HEAD,
    PREFIX,
    SCHEMA,
    STATUSES,
    Limits,
    complete,
    line,
    parse,
)
from icgsynth.benchmark.sweep.results_file import Store
from icgsynth.benchmark.sweep.summary import Summary
from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.process.worker import Closed
from icgsynth.spec.catalog import resolve

LIMITS = Limits(10.0, 2_000_000_000)
LONG = ("--timeout", "60")  # the outcome of a small game is then the same on a busy machine
ALONE = (*LONG, "--jobs", "1")  # processes that start cost more than what a few games take
LOOP = "game loop\nvar a\nlegal 0 <= a <= 3\naction go pre true eff a := 3 - a\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def subtraction(numbers):
    words = " or ".join(f"k = {n}" for n in numbers)
    name = "_".join(map(str, numbers))
    return (
        f"game subtraction_{name}\nvar v\nlegal v >= 0\n"
        f"action take(k) pre ({words}) and k <= v eff v := v - k\n"
    )


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A working directory, and a function that writes so many small games into a folder."""
    monkeypatch.chdir(tmp_path)

    def write(count, folder="games"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for n in range(count):
            text = subtraction(sorted({1 + n % 3, 2 + n // 3}))
            (tmp_path / folder / f"s ({n},[{n}]).icg").write_text(text)
        return folder

    return write


def call(capfd, *arguments):
    code = run(["sweep", *map(str, arguments)])
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return code, out, err


def start(*arguments, **options):
    command = [sys.executable, "-m", "icgsynth", "sweep", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, start_new_session=True, **(pipes | options))


def records(path="r.jsonl"):
    return [json.loads(text) for text in Path(path).read_bytes().splitlines()]


def whole_lines(path="r.jsonl"):
    return Path(path).read_bytes().count(b"\n") if Path(path).exists() else 0


def wait_for(condition):
    deadline = time.monotonic() + HANGS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def key(record):
    return tuple(record[name] for name in ("file", "rule", "sha256", "timeout", "memory"))


def essence(found):
    """The set of records, up to order and to what is measured; each key once."""
    assert max(collections.Counter(map(key, found)).values()) == 1, "a pair was run twice"
    for record in found:
        del record["seconds"], record["megabytes"]
        if record["solution"]:
            del record["solution"]["seconds"]
    return sorted(json.dumps(record, sort_keys=True) for record in found)


# --- what is swept ---------------------------------------------------------------------------


def named(*arguments, warn=lambda _: None, results="r.jsonl"):
    jobs = find(arguments, ["normal"], Path(results), warn)
    return [job.file for job in jobs]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["a.icg", "b/c.pddl", "b/(1,2)[3] x.icg", "b/d[e]/f.icg", "b/de/g.icg", "b/notes.txt"]
    for name in [*names, "b/.hidden.icg", "b/.git/h.icg"]:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name)
    return names


def test_a_folder_stands_for_the_spec_files_below_it(tree):
    assert sorted(named("b")) == sorted(n for n in tree if n[0] == "b" and "notes" not in n)
    assert named("./b//d[e]/") == ["b/d[e]/f.icg"]
    assert len(named(".")) == 5


def test_patterns(tree):
    assert named("*.icg") == ["a.icg"]
    assert named("**/*.icg") == ["a.icg", "b/(1,2)[3] x.icg", "b/d[e]/f.icg", "b/de/g.icg"]
    assert named("b/*.txt") == ["b/notes.txt"], "the pattern says which files"
    assert sorted(named("b/*")) == sorted(named("b")), "as the shell would name them"
    assert sorted(named("**")) == sorted(named("."))


def test_a_path_that_exists_is_not_a_pattern(tree):
    assert named("b/(1,2)[3] x.icg") == ["b/(1,2)[3] x.icg"]
    assert named("b/d[e]/*.icg") == ["b/d[e]/f.icg"]
    assert named("b/d[d-f]/*.icg") == ["b/de/g.icg"]


def test_each_file_once_and_the_results_never(tree):
    assert named("a.icg", "*.icg", "./a.icg") == ["a.icg"]
    Path("b/r.icg").write_text("")
    assert "b/r.icg" not in named("b", "b/r.icg", "a.icg", results="b/r.icg")


def test_names_of_the_catalog(tree):
    (job,) = find(["nim2"], ["misere"], Path("r"))
    assert (job.file, job.family, job.rule) == ("nim2", "catalog", "misere")
    assert Path(job.path).name == "nim2.icg"


def test_a_family_is_a_folder(tree):
    found = {job.file: job.family for job in find(["b", "a.icg"], ["normal"], Path("r"))}
    assert found["b/de/g.icg"] == "de"
    assert found["a.icg"] == Path.cwd().name


def test_nothing_is_bad_usage(tree, capfd):
    warnings = []
    assert named("a.icg", "x/*.icg", warn=warnings.append) == ["a.icg"]
    assert warnings == ["no spec file is named by 'x/*.icg'"]
    Path("empty").mkdir()
    code, out, err = call(capfd, "x/*.icg", "empty", "-o", "r.jsonl")
    assert (code, out) == (2, "")
    assert "no spec file is named by 'x/*.icg', 'empty'\n  give files, folders" in err
    assert not Path("r.jsonl").exists()
    code, _, err = call(capfd, "nim2x", "-o", "r.jsonl")
    assert code == 2
    assert "there is no file and no catalog game 'nim2x'\n  did you mean nim2" in err


# --- the results file --------------------------------------------------------------------------


def a_record(file="f.icg", **columns):
    message = {"file": file, "family": "x", "rule": "normal", "sha256": "0"}
    limits = {"timeout": LIMITS.timeout, "memory": LIMITS.memory}
    return complete(message | limits, {"status": "solved", "exit": 0, "seconds": 0.1} | columns)


def read(path, limits=LIMITS):
    with Store(path) as store:
        return list(store.records(limits))


texts = st.text() | st.sampled_from(
    ["", "-", "null", '"', '""', "a,b", "é", "\udc80", "1", "\u2028"]
)
values = st.none() | st.booleans() | st.integers() | st.floats(0, 1e9) | st.lists(texts)


@given(texts, st.none() | texts, st.none() | texts, st.dictionaries(texts, values), st.booleans())
def test_a_record_is_read_as_it_was_written(file, losing, reason, solution, is_row):
    """``-o r.csv`` was a file of JSON lines.  Whatever the texts hold, a record is one line."""
    record = a_record(file, losing=losing, reason=reason, solution=solution)
    written = line(record, is_row)
    assert parse(written, is_row) == record
    assert written.count(b"\n") == 1 and written.endswith(b"\n")
    if is_row:
        (cells,) = csv.reader([written.decode()])
        assert len(cells) == len(next(csv.reader([HEAD.decode()]))) == len(record)
    else:
        assert written.startswith(PREFIX) and written.isascii()


@pytest.mark.parametrize("name", ["r.CSV", "r.jsonl"])
@pytest.mark.parametrize("kept", [0, 1, 5, 8, len(PREFIX), len(PREFIX) + 7, 30, -1, -3])
def test_a_torn_line_is_cut_off(tmp_path, name, kept):
    """But for one that lacks nothing but its end, and is kept."""
    path, is_row = tmp_path / name, name == "r.CSV"
    head = HEAD if is_row else b""
    whole = head + line(a_record("a"), is_row)
    path.write_bytes(whole + line(a_record("b"), is_row)[:kept])
    files = ["a", "b"] if kept == -1 and not is_row else ["a"]
    assert [r["file"] for r in read(path)] == files
    with Store(path) as store:
        list(store.records(LIMITS))
        store.add(a_record("c"))
    assert [r["file"] for r in read(path)] == [*files, "c"]
    path.write_bytes(head[:-9])
    assert read(path) == [] and path.read_bytes() == b""


def test_a_table_is_a_table_and_grows(games, capfd):
    games(1)
    more = (*ALONE, "--rule", "normal")
    assert call(capfd, "games", "-o", "r.csv", *more)[0] == 0
    code, out, _ = call(capfd, "games", "nim2", "-o", "r.csv", *more, "--json")
    assert (code, json.loads(out)["total"]["pairs"]) == (0, 2)
    with Path("r.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert call(capfd, "games", "nim2", "-o", "r.jsonl", *more)[0] == 0
    for row, record in zip(
        sorted(rows, key=lambda row: row["file"]),
        sorted(records(), key=lambda record: record["file"]),
        strict=True,
    ):
        assert list(row) == list(record)
        same = ("file", "status", "logic", "losing", "rule", "sha256")
        assert [row[name] for name in same] == [record[name] for name in same]
        assert (int(row["size"]), row["minimal"]) == (record["size"], "true")
        assert json.loads(row["solution"])["losing"] == record["solution"]["losing"]


ASP = """role(a). role(b). init(control(a)). init(n(3)).
legal(P,take(1)) :- true(control(P)), true(n(M)), M > 0.
legal(P,take(2)) :- true(control(P)), true(n(M)), M > 1.
next(n(M-K)) :- does(_,take(K)), true(n(M)), M >= K.
next(control(b)) :- true(control(a)).
next(control(a)) :- true(control(b)).
terminal :- true(n(0)).
goal(a,1) :- terminal, true(control(b)).
goal(a,-1) :- terminal, true(control(a)).
goal(b,1) :- terminal, true(control(a)).
goal(b,-1) :- terminal, true(control(b)).
"""


def test_finite_games_are_solved_whole(games, capfd):
    """Who wins from three, where one or two are taken: the second player."""
    games(1)
    Path("games/three.lp").write_text(ASP)
    Path("games/tictactoe.kif").write_text(resolve("tictactoe", "gdl").read_text())
    Path("games/wrong.lp").write_text("foo(1).")
    for name in ("r.csv", "r.jsonl"):
        for _ in range(2):
            assert call(capfd, "games", "-o", name, *ALONE, "--rule", "both", "-q")[0] == 0
    found = {r["file"]: r for r in records() if r["rule"] is None}
    assert len(found) == 3 and len(records()) == 5
    lost, drawn, wrong = (found[f"games/{n}"] for n in ("three.lp", "tictactoe.kif", "wrong.lp"))
    assert (lost["status"], lost["exit"], lost["winner"]) == ("solved", 0, "b")
    assert (drawn["status"], drawn["game"], drawn["winner"]) == ("solved", "tictactoe", "draw")
    assert (wrong["status"], wrong["exit"]) == ("error", 2) and "role" in wrong["reason"]
    with Path("r.csv").open(newline="") as stream:
        rows = {row["file"]: row for row in csv.DictReader(stream) if not row["rule"]}
    assert {name: row["winner"] or None for name, row in rows.items()} == {
        name: record["winner"] for name, record in found.items()
    }


def test_a_finite_game_past_its_time_is_unknown(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sim.kif").write_text(resolve("sim", "gdl").read_text())
    assert call(capfd, "sim.kif", "-o", "r.jsonl", "--timeout", "0.01", "-q")[0] == 0
    (record,) = records()
    assert (record["status"], record["exit"], record["winner"]) == ("unknown", 4, None)


TABLE, LINE = "r.csv", "r.jsonl"


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        *((TABLE, text, None) for text in (b"a,b,c\n", HEAD + b"1,2\n", HEAD + HEAD, b"x")),
        (TABLE, line(a_record()), None),
        (LINE, b"my notes", 1),
        (LINE, b"my notes\n", 1),
        (LINE, b'{"schema": "icgsynth/solution/2"}\n', 1),
        (LINE, line(a_record()) + b"my notes\n" + line(a_record()), 2),
        (LINE, line(a_record()) + b"my notes", 2),
        (LINE, line(a_record()) + b"\n", 2),
        (LINE, line(a_record()) + b"[" * 100_000 + b"\n", 2),
        (LINE, line(a_record()).replace(SCHEMA.encode(), b"icgsynth/sweep/2"), 1),
        (LINE, line(a_record()).replace(b'"seconds": 0.1', b'"seconds": 1e999'), 1),
        (LINE, line(a_record()).replace(b'"seconds": 0.1', b'"seconds": ' + b"1" * 5_000), 1),
        *(
            (LINE, line(a_record(**wrong)), 1)
            for wrong in (
                *({"seconds": s} for s in (None, float("nan"), float("inf"), True, -1.0)),
                *({"status": "won"}, {"size": 1 << 64}, {"size": "3"}),
                *({"unbounded": "two"}, {"reason": 3}),
            )
        ),
    ],
)
def test_a_file_of_something_else_is_not_touched(tmp_path, name, text, number):
    path = tmp_path / name
    path.write_bytes(text)
    with pytest.raises(InputError) as refused:
        read(path)
    if number is not None:
        assert f"r.jsonl:{number}:1: " in str(refused.value)
        assert "choose another -o" in refused.value.mend
    assert path.read_bytes() == text


def _within(limit, body):
    """Run ``body`` in a process whose files may hold ``limit`` bytes: a disk that is full."""
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n" + textwrap.dedent(body)
    )
    # -B: Python would leave a part of its bytecode in a file that it cannot write whole.
    command = [sys.executable, "-B", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@linux
def test_a_line_that_finds_no_room_is_not_begun(tmp_path):
    """Whatever fits, the file ends with a whole line, also after a further attempt."""
    whole = line(a_record("a"))
    for room in (1, 40, len(whole) - 1):
        path = tmp_path / f"{room}.jsonl"
        path.write_bytes(whole)
        done = _within(
            len(whole) + room,
            f"""
            from pathlib import Path
            from icgsynth.errors import InputError
            from icgsynth.benchmark.sweep.record import parse
            from icgsynth.benchmark.sweep.results_file import Store
            record = parse(Path({str(path)!r}).read_bytes())
            with Store(Path({str(path)!r})) as store:
                for _ in range(3):
                    try:
                        store.add(record)
                    except InputError as error:
                        print(error)
            """,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("no room for a line") == 3
        assert path.read_bytes() == whole
        assert [r["file"] for r in read(path)] == ["a"]


def test_other_limits_need_another_file(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(line(a_record()))
    said = r"r\.jsonl:1: the results there are of --timeout 10 --memory 2GB, not of"
    with pytest.raises(InputError, match=f"{said} --timeout 9 --memory 2GB\n  choose another -o"):
        read(path, Limits(9, LIMITS.memory))
    with pytest.raises(InputError, match=f"{said} --timeout 10 --memory 1500MB"):
        read(path, Limits(10, 1_500_000_000))
    assert path.read_bytes() == line(a_record())


def test_two_sweeps_do_not_write_into_one_file(tmp_path):
    with Store(tmp_path / "r.jsonl"):
        with pytest.raises(InputError, match="another sweep is writing there"):
            Store(tmp_path / "r.jsonl")
        with Store(tmp_path / "other.jsonl"):
            pass
    read(tmp_path / "r.jsonl")


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="no such file or directory\n  choose another place"):
        Store(tmp_path / "none/r.jsonl")
    with pytest.raises(InputError, match="not a regular file"):
        Store(Path(os.devnull))


# --- one process ---------------------------------------------------------------------------------


def run_isolated(body, timeout=20.0, memory=600_000_000):
    """The record of a job whose work is ``body``, forked from a process without threads."""
    script = f"""
import ctypes, json, os, sys, time
from icgsynth.benchmark.sweep.job_worker import run_isolated
def do(message, tell):
{textwrap.indent(textwrap.dedent(body), "    ")}
limits = {{"timeout": {timeout}, "memory": {memory}}}
print(json.dumps(run_isolated({{"file": "f", "rule": "normal", "text": ""}} | limits, do=do)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


UNKNOWN, ERROR = ("unknown", 4), ("error", 1)
SPENT = "the memory of 600MB is spent"


CRASH = "ended without an answer "


@pytest.mark.parametrize(
    ("body", "outcome", "reason"),
    [
        ("blocks = []\nwhile True:\n    blocks.append(bytearray(10_000_000))", UNKNOWN, SPENT),
        ('raise RuntimeError("can\'t start new thread")', UNKNOWN, SPENT),
        ('os.write(2, b"  what():  std::bad_alloc"); os.abort()', UNKNOWN, SPENT),
        # As a library that does not look whether it got its memory.
        ("block = b'1' * 400_000_000; ctypes.string_at(0)", UNKNOWN, SPENT),
        ("os.kill(os.getpid(), 9)", UNKNOWN, "killed from outside"),
        ("os.abort()", ERROR, CRASH + "(SIGABRT)"),
        ("ctypes.string_at(0)", ERROR, CRASH + "(SIGSEGV)"),
        ("os._exit(3)", ERROR, CRASH + "(exit code 3)"),
        ("os.write(2, b'no luck\\n'); os._exit(3)", ERROR, CRASH + "(exit code 3): no luck"),
        ("print('on stdout', flush=True); 1 / 0", ERROR, CRASH + "(exit code 70): ZeroDivision"),
        ("pass", ERROR, CRASH + "(exit code 0)"),
    ],
)
def test_a_process_that_ends_without_an_answer_is_a_record(body, outcome, reason):
    record = run_isolated(body)
    assert (record["status"], record["exit"]) == outcome
    assert reason in record["reason"]
    assert record["megabytes"] > 5


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("time.sleep(60)", marks=pytest.mark.slow),
        "ctypes.PyDLL(None).sleep(60)",  # nothing else runs in Python meanwhile
    ],
)
def test_a_process_that_hangs_is_killed(body):
    before, after = "tell({'game': 'g', 'unbounded': 2})", "tell({'game': 'slept to the end'})"
    record = run_isolated(f"{before}\n{body}\n{after}", timeout=0.3)
    assert (record["status"], record["exit"]) == ("unknown", 4)
    assert record["reason"] == "killed after 1.2 s: the budget was not heeded"
    assert (record["game"], record["unbounded"]) == ("g", 2), "what was told is kept"
    assert record["seconds"] >= 1.2


def message(tmp_path, text, rule="normal", timeout=60.0):
    (tmp_path / "g.icg").write_bytes(text if isinstance(text, bytes) else text.encode())
    jobs = find([str(tmp_path / "g.icg")], [rule], Path("none"))
    return next(messages(jobs, Limits(timeout, LIMITS.memory)))


@pytest.fixture(params=[Warm, Fresh])
def worker(request):
    made = request.param()
    yield made
    made.close()


def test_a_worker_gives_the_record_of_each_job(tmp_path, worker):
    record = worker.run(message(tmp_path, subtraction([1, 2]), rule="misere"))
    assert (record["status"], record["exit"], record["reason"]) == ("solved", 0, None)
    assert (record["losing"], record["size"], record["minimal"]) == ("v mod 3 = 1", 3, True)
    assert (record["game"], record["rule"], record["logic"]) == ("subtraction_1_2", "misere", "lia")
    assert (record["unbounded"], record["disagreements"]) == (1, 0)
    assert record["strategy"] == len(record["solution"]["strategy"]) > 0
    assert record["seconds"] > 0
    record = worker.run(message(tmp_path, LOOP))
    assert (record["status"], record["exit"], record["strategy"]) == ("solved", 0, 0)
    assert record["solution"]["drawn"]["formula"] == "true"
    for text in ("game g var a legal a >= c", b"game g var \xff"):
        record = worker.run(message(tmp_path, text))
        assert (record["status"], record["exit"], record["solution"]) == ("error", 2, None)
        assert "g.icg:1:" in record["reason"]
    missing = message(tmp_path, "") | {"text": None, "reason": "g.icg: permission denied"}
    record = worker.run(missing)
    assert (record["status"], record["exit"]) == ("error", 2)


def test_a_budget_that_is_spent_is_unknown(tmp_path):
    text = (Path(__file__).parents[2] / "specs/chomp_3row.icg").read_text("utf-8")
    worker = Warm()
    record = worker.run(message(tmp_path, text, timeout=1.0))
    worker.close()
    assert (record["status"], record["exit"], record["losing"]) == ("unknown", 4, None)
    assert record["unbounded"] == 3
    assert record["reason"]


@pytest.mark.slow
@linux
def test_a_warm_process_that_was_killed_is_started_again(tmp_path):
    worker = Warm()
    job = message(tmp_path, subtraction([1, 2]))
    worker.run(job)
    (warm,) = [pid for pid in children(os.getpid()) if b"serve" in command_of(pid)]
    os.kill(warm, signal.SIGKILL)
    assert worker.run(job)["status"] == "solved"
    worker.close()
    with pytest.raises(Closed):
        worker.run(job)


def test_where_no_process_can_be_started_the_sweep_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "icgsynth.process.worker.python_calling", lambda *_: [sys.executable, "-c", "1 / 0"]
    )
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        Warm().run(message(tmp_path, LOOP))


# --- the crew --------------------------------------------------------------------------------


class Idle:
    """Answers at once."""

    def run(self, message):
        if message == "bad":
            raise ValueError(message)
        return {"of": message}

    def close(self):
        pass


def test_all_are_delivered_once():
    got = []
    run_here(iter(map(str, range(500))), 7, got.append, lambda: None, Idle)
    assert sorted(int(r["of"]) for r in got) == list(range(500))


def test_a_fault_of_a_thread_is_heard():
    with pytest.raises(ValueError, match="bad"):
        run_here(iter(["a", "bad"]), 1, lambda _: None, lambda: None, Idle)


def test_what_is_finished_when_it_is_stopped_is_delivered():
    got = []

    def deliver(record):
        got.append(record)
        if len(got) == 3:
            time.sleep(0.2)  # the others end meanwhile
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_here(iter(map(str, range(20))), 4, deliver, lambda: None, Idle)
    assert sorted(int(r["of"]) for r in got) == list(range(20))


# --- the command ------------------------------------------------------------------------------


def test_a_sweep_and_what_it_prints(games, capfd):
    folder = games(2)
    Path("loop.icg").write_text(LOOP)
    Path("bad.icg").write_text("game g var a legal a >= c")
    arguments = (folder, "loop.icg", "bad.icg", "nim2", "-o", "r.jsonl", *LONG)
    code, out, err = call(capfd, *arguments)
    assert code == 0
    assert "bad.icg:1:25: " in err
    found = records()
    assert all(list(r) == list(found[0]) for r in found)
    assert {r["schema"] for r in found} == {SCHEMA}
    before = Path("r.jsonl").read_bytes()

    assert call(capfd, *arguments) == (0, out, err), "nothing is left to do"
    assert Path("r.jsonl").read_bytes() == before

    code, out, _ = call(capfd, *arguments, "--json")
    value = json.loads(out)
    assert value["results"] == "r.jsonl"
    counts = dict.fromkeys(("pairs", *STATUSES, "strategy"), 0)
    counts |= {"pairs": 10, "solved": 8, "endless": 0, "error": 2, "strategy": 8}
    assert {name: value["total"][name] for name in counts} == counts
    assert value["total"]["p90_seconds"] >= value["total"]["median_seconds"] > 0
    some = {name: family["pairs"] for name, family in value["families"].items()}
    assert some == {"games": 4, "catalog": 2, Path.cwd().name: 4}
    assert value["two_or_more_unbounded"]["pairs"] == 2
    assert [e["file"] for e in value["errors"]] == ["bad.icg"] * 2

    asked = (folder, *arguments[4:], "--rule", "misere", "--quiet", "--json")
    code, out, err = call(capfd, *asked)
    assert (code, err) == (0, "")
    assert json.loads(out)["total"]["pairs"] == 2, "only what was asked for counts"
    assert Path("r.jsonl").read_bytes() == before


@pytest.mark.slow
def test_the_solution_is_that_of_solve(games, capfd):
    games(1)
    (name,) = map(str, Path("games").iterdir())
    assert call(capfd, name, "-o", "r.jsonl", *ALONE)[0] == 0
    assert run(["solve", name, "--rule", "both", "--json"]) == 0
    expected = json.loads(capfd.readouterr().out)
    found = sorted((r["solution"] for r in records()), key=lambda s: s["rule"], reverse=True)
    for solution in (*found, *expected):
        del solution["seconds"]
    assert found == expected


@pytest.mark.slow
def test_a_changed_file_is_run_again(games, capfd):
    folder = games(2)
    arguments = (folder, "-o", "r.jsonl", "--rule", "normal", *ALONE)
    call(capfd, *arguments)
    changed = sorted(Path(folder).iterdir())[0]
    changed.write_text(subtraction([1, 2, 3]))
    code, out, err = call(capfd, *arguments)
    assert (code, len(records())) == (0, 3)
    assert f"1 file has changed since, and will be run again: {changed}\n" in err
    assert records()[-1]["losing"] == "v mod 4 = 0"
    assert out.splitlines()[-1].split()[:3] == ["total", "2", "2"], "the older line does not count"
    assert "changed" not in call(capfd, *arguments)[2]
    essence(records())


def test_bad_usage_is_2_and_touches_nothing(games, capfd):
    games(1)
    assert call(capfd, "games")[0] == 2, "-o is needed"
    assert call(capfd, "-o", "r.jsonl")[0] == 2
    for size in ("2", "1GB2", "100MB", "x", "-1GB", "1e9999", "inf"):
        assert call(capfd, "games", "-o", "r.jsonl", f"--memory={size}")[0] == 2, size
    assert call(capfd, "games", "-o", "r.jsonl", "--jobs", "0")[0] == 2
    assert not Path("r.jsonl").exists()
    call(capfd, "games", "-o", "r.jsonl", "--memory", "2000MB", *ALONE)
    before = Path("r.jsonl").read_bytes()
    assert call(capfd, "games", "-o", "r.jsonl", "--memory", "2GB", *LONG)[0] == 0
    assert call(capfd, "games", "-o", "r.jsonl", "--memory", "2GiB", *LONG)[:2] == (2, "")
    assert Path("r.jsonl").read_bytes() == before


@pytest.mark.slow
def test_progress_on_a_terminal(games):
    import pty

    folder = games(1)
    for quiet in ([], ["--quiet"]):
        master, slave = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
        process = start(
            folder, "-o", f"r{len(quiet)}.jsonl", *ALONE, *quiet, stderr=slave, env=environment
        )
        os.close(slave)
        shown = b""
        while select.select([master], [], [], 60)[0]:
            try:
                shown += os.read(master, 65_536)
            except OSError:  # the other end is closed
                break
        process.communicate(timeout=60)
        os.close(master)
        assert (b"2/2" in shown, b"solved 2" in shown, b"/s" in shown) == (not quiet,) * 3


def test_the_figures_of_a_family():
    """Seconds have three decimals."""
    summary = Summary()
    for n in range(10):
        status = "solved" if n % 2 else "conditional"
        summary.add(
            a_record(size=n, seconds=n + 4e-4, strategy=n % 2, unbounded=1 + n // 8, status=status)
        )
    summary.add(a_record(family="y", status="unknown", seconds=100.0))
    value = summary.value()
    assert value["families"]["x"]["median_size"] == 4.5
    assert value["families"]["x"]["median_seconds"] == 4.5
    assert value["families"]["x"]["p90_seconds"] == 8.0
    assert value["families"]["x"]["strategy"] == 5
    assert value["two_or_more_unbounded"]["pairs"] == 2
    assert value["total"]["pairs"] == 11


# --- stopped, and run again ------------------------------------------------------------------


def running():
    """The processes that have not ended, by the process that started them."""
    found = collections.defaultdict(list)
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            found[int(fields[1])].append(int(folder.name))
    return found


def children(pid):
    """The processes that ``pid`` started."""
    return running()[pid]


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def descendants(pid):
    started = running()
    found = [pid]
    for each in found:
        found += started[each]
    return found[1:]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def killed_and_resumed(games, count, kills, seed):
    """The records of a sweep that was killed so often, and those of one left alone."""
    folder = games(count)
    alone = start(folder, "-o", "alone.jsonl", *LONG)
    alone.communicate(timeout=600)
    assert alone.returncode == 0
    chance = random.Random(seed)
    for _ in range(kills):
        process = start(folder, "-o", "r.jsonl", *LONG)
        # The first process takes a while to start: let most kills come after that.
        lines = whole_lines() + chance.randrange(3)
        wait_for(lambda p=process, n=lines: whole_lines() > n or p.poll() is not None)
        time.sleep(chance.random() * 0.5)
        process.kill()
        process.communicate()
    done = start(folder, "-o", "r.jsonl", *LONG)
    done.communicate(timeout=600)
    assert done.returncode == 0
    return records("r.jsonl"), records("alone.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "kills"), [(4, 2), pytest.param(24, 6, marks=pytest.mark.nightly)]
)
def test_killed_many_times_and_resumed(games, count, kills):
    resumed, alone = killed_and_resumed(games, count, kills, seed=0)
    assert len(alone) == 2 * count
    assert essence(resumed) == essence(alone)


@linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_the_sweep(games, capfd, how):
    process = start("chomp_3row", "-o", "r.jsonl", "--timeout", "100", "--jobs", "2")
    # Two processes that fork, and a fork of one of them: the other's game may be solved already.
    wait_for(lambda: len(descendants(process.pid)) >= 3)
    time.sleep(0.3)
    started = descendants(process.pid)
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    wait_for(lambda: not any(map(is_running, started)))
    assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert "Traceback" not in err
    if how == signal.SIGINT:
        assert "0 of 2 are done; the same command goes on from there" in err


@linux
def test_a_job_does_not_outlive_the_process_that_forked_it(games):
    process = start("chomp_3row", "-o", "r.jsonl", "--timeout", "100", "--jobs", "1")
    wait_for(lambda: len(descendants(process.pid)) == 2)
    (warm,) = children(process.pid)
    (job,) = children(warm)
    os.kill(warm, signal.SIGKILL)
    wait_for(lambda: not is_running(job))
    process.kill()
    process.communicate()


# Chomp on three rows.  Under misère play it is not solved; else one takes all in a moment.
CHOMP = """
(define (domain chomp)
  (:objects ?a ?b ?c)
  (:constraint (and (>= ?a ?b) (>= ?b ?c) (>= ?c 0)))
  (:action top :parameters (?k) :precondition (and (>= ?k 0) (< ?k ?a))
    :effect (and (assign ?a ?k) (when (> ?b ?k) (assign ?b ?k)) (when (> ?c ?k) (assign ?c ?k))))
  (:action middle :parameters (?k) :precondition (and (>= ?k 0) (< ?k ?b))
    :effect (and (assign ?b ?k) (when (> ?c ?k) (assign ?c ?k))))
  (:action low :parameters (?k) :precondition (and (>= ?k 0) (< ?k ?c)) :effect (assign ?c ?k)))
"""


@linux
def test_a_sweep_does_not_outlive_the_experiment_that_started_it(tmp_path):
    (tmp_path / "chomp.pddl").write_text(CHOMP)
    options = ["--timeout=100", f"--pddl={tmp_path}", f"--results={tmp_path / 'r.jsonl'}"]
    command = [sys.executable, "-m", "experiments", "reach", *options]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE)
    # The sweep, two processes that fork, and the one that is at work on misère play.
    wait_for(lambda: len(descendants(process.pid)) >= 4)
    started = descendants(process.pid)
    process.terminate()
    process.communicate(timeout=60)
    wait_for(lambda: not any(map(is_running, started)))
    assert process.returncode == 128 + signal.SIGTERM


# --- a cluster --------------------------------------------------------------------------------

CLUSTER = """
import subprocess, sys
from distributed import LocalCluster

if __name__ == "__main__":
    options = {"threads_per_worker": 1, "dashboard_address": None, "local_directory": "spill"}
    with LocalCluster(n_workers=2, **options) as cluster:
        print(cluster.scheduler_address, flush=True)
        print(*[nanny.pid for nanny in cluster.workers.values()], flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def real_cluster(games, tmp_path):
    """The address of a cluster of two processes on this machine, and their ids."""
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "cluster.py"], text=True, **pipes)
    yield process.stdout.readline().strip(), list(map(int, process.stdout.readline().split()))
    process.communicate("", timeout=60)


@pytest.mark.slow
def test_a_cluster_gives_the_same(games, capfd, real_cluster):
    folder = games(2)
    address, _ = real_cluster
    for extra, file in ((["--dask", address], "there.jsonl"), ([], "r.jsonl")):
        code, out, err = call(capfd, folder, "-o", file, *ALONE, *extra)
        assert (code, err) == (0, "")
    assert essence(records("there.jsonl")) == essence(records())
    code, again, _ = call(capfd, folder, "-o", "r.jsonl", *LONG, "--dask", address)
    assert (code, again) == (0, out)


@linux
@pytest.mark.slow
def test_a_lost_worker_costs_nothing(games, real_cluster):
    folder = games(5)
    address, pids = real_cluster
    process = start(folder, "-o", "r.jsonl", *LONG, "--dask", address)
    wait_for(lambda: whole_lines() >= 2)
    os.kill(pids[0], signal.SIGKILL)
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert len(essence(records())) == 10
    assert {r["status"] for r in records()} == {"solved"}


@pytest.mark.slow
def test_a_cluster_that_is_gone_is_said(games, real_cluster):
    folder = games(8)
    process = start(folder, "-o", "r.jsonl", *LONG, "--dask", real_cluster[0])
    wait_for(lambda: whole_lines() >= 1)
    # The fixture's process: all of the cluster ends with its stdin.
    (owner,) = [p for p in children(os.getpid()) if b"cluster.py" in command_of(p)]
    for pid in [owner, *descendants(owner)]:
        with contextlib.suppress(ProcessLookupError):  # one that ends with its parent
            os.kill(pid, signal.SIGKILL)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Traceback" not in err
    assert "run the same command again, it goes on from there" in err
    essence(records())


class FakeClient:
    """A cluster of three threads whose jobs end, one at a time, as ``outcome`` says."""

    status = "running"

    def __init__(self, outcome):
        self.outcome, self.waiting, self.most = outcome, {}, 0

    def nthreads(self):
        return {"one": 1, "two": 2}

    def submit(self, function, message, pure):
        assert not pure
        future = FakeFuture(self, f"key {message['file']}")
        self.waiting[future.key] = message
        self.most = max(self.most, len(self.waiting))
        return future

    def cancel(self, futures):
        assert {f.key for f in futures} == set(self.waiting)

    def close(self, timeout):
        self.status = "closed"


class FakeFuture:
    def __init__(self, client, key):
        self.client, self.key = client, key

    def add_done_callback(self, call):
        call(self)

    def result(self):
        message = self.client.waiting.pop(self.key)
        answer = self.client.outcome(message)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def on_fake(monkeypatch, outcome, number):
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    client, got = FakeClient(outcome), []
    monkeypatch.setattr(cluster, "connect", lambda _: client)
    jobs = ({**a_record(str(n)), "text": "x"} for n in range(number))
    cluster.run_there(jobs, "here", got.append, lambda: None, pytest.fail)
    assert client.status == "closed"
    return client, got


def test_a_bounded_number_of_games_is_at_the_cluster(monkeypatch):
    client, got = on_fake(monkeypatch, lambda message: message["file"], 100)
    assert sorted(map(int, got)) == list(range(100))
    assert client.most == 12


def test_what_the_cluster_says_of_a_job(monkeypatch):
    from distributed import KilledWorker

    lost = KilledWorker("key", SimpleNamespace(address="tcp://x"), 3)
    _, (record,) = on_fake(monkeypatch, lambda _: lost, 1)
    assert (record["file"], record["status"], record["exit"]) == ("0", "error", 1)
    assert "its workers were lost" in record["reason"]
    parse(line(record))
    with pytest.raises(InputError, match=r"cannot do such jobs .*No module.*\n.*install the same"):
        on_fake(monkeypatch, lambda _: ModuleNotFoundError("No module named 'icgsynth'"), 9)
    with pytest.raises(InputError, match=r"connection to the cluster is lost\n.*it goes on from"):
        on_fake(monkeypatch, lambda _: asyncio.CancelledError("key"), 9)


def test_an_address_where_nobody_is(games, capfd):
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    folder = games(1)
    for address in ("nowhere", "what://127.0.0.1:1"):
        code, out, err = call(capfd, folder, "-o", "r.jsonl", "--dask", address)
        assert (code, out) == (2, "")
        assert f"--dask {address}: no scheduler answers" in err


def test_without_the_extra(games, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, out, err = call(capfd, games(1), "-o", "r.jsonl", "--dask", "tcp://127.0.0.1:1")
    assert (code, out, "[cluster]'" in err) == (2, "", True)

"""The plugins of the tests: what they cost, which run by default, which are near to a change."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path
from types import SimpleNamespace

import changed
import costs
import numpy as np
import pace
import pytest
import stages
from costs import Bill, Prices
from figures import WINGS
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import _Clock
from icgsynth.wings import wings


def config(markexpr="not slow and not nightly", args=("tests",), **more):
    """Return what stands for pytest's configuration of a run."""
    given = {"keyword": "", "maxfail": 0, "changed": False, "markexpr": markexpr} | more
    return SimpleNamespace(
        args=[*args], getini=lambda _: ["tests"], option=SimpleNamespace(**given), stash={}
    )


def bill(prices, **more):
    found = Bill(config(**more))
    found.pytest_testnodedown(SimpleNamespace(workeroutput={"costs": prices}))
    return found


def test_a_dear_test_and_a_dear_run_are_told_by_name():
    """Faults they see: a whole default run whose price nobody looks at; what is made for all tests
    laid upon the test that asks first."""
    over = costs.DEAREST + 0.1
    assert bill({"a": costs.DEAREST, "(made for all)": over}).too_dear() == []
    (said,) = bill({"a": 0.1, "b": over}).too_dear()
    assert said.startswith("b costs 3.1 ")
    number = int(costs.CEILING / costs.DEAREST) + 1
    (said,) = bill({str(n): costs.DEAREST for n in range(number)}).too_dear()
    assert f"at most {costs.CEILING}" in said
    # Only the first run on a machine makes machine code, and a later one is no cheaper for it.
    assert bill({"a": 0.1, costs.CODE: 2.0 * costs.CEILING}).too_dear() == []


def test_on_a_busy_machine_no_run_is_too_dear():
    """A fault it sees: a run that fails for want of a processor."""
    for waited, many in ((costs.BUSY, 1), (2 * costs.BUSY, 0)):
        found = bill({"a": costs.DEAREST + 0.1})
        found.pytest_testnodedown(SimpleNamespace(workeroutput={"costs": {}, "waited": waited}))
        found.pytest_testnodedown(SimpleNamespace(workeroutput={"costs": {}, "waited": 0.0}))
        assert len(found.too_dear()) == many


@pytest.mark.parametrize(
    "more",
    [{"markexpr": "slow"}, {"args": ("tests/test_a.py",)}, {"keyword": "a"}, {"maxfail": 1}],
)
def test_other_runs_have_no_ceiling(more):
    assert bill({"a": 1000.0}, **more).too_dear() == []


def test_a_run_that_is_too_dear_fails():
    for price, ends in ((costs.CEILING + 1.0, 1), (0.1, 0)):
        session = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
        bill({"a": price}).pytest_sessionfinish(session)
        assert session.exitstatus == ends


def test_prices_of_two_workers_are_added():
    both = bill({"a": 1.0, "(reading)": 2.0})
    both.pytest_testnodedown(SimpleNamespace(workeroutput={"costs": {"b": 0.5, "(reading)": 3.0}}))
    assert both._found == {"a": 1.0, "b": 0.5, "(reading)": 5.0}


@pytest.mark.parametrize("slower", [1, 3])
def test_a_slow_processor_makes_nothing_dearer(monkeypatch, slower):
    """What takes three times as long there costs as much, for the loop takes so long as well."""
    now = [0.0]
    clock = SimpleNamespace(process_time=lambda: now[0])
    monkeypatch.setattr(costs, "time", clock)
    monkeypatch.setattr(costs, "spent", lambda: now[0])
    monkeypatch.setattr(costs, "MADE", costs.Counter())
    found = Prices()
    found.calibrate = lambda: found._loops.append(slower / costs.LOOPS)
    test = found.pytest_runtest_protocol(SimpleNamespace(nodeid="a"))
    next(test)
    now[0] += 2.0 * slower
    costs.make_for_all("the answer of nim", 0.5 * slower)
    with pytest.raises(StopIteration):
        next(test)
    assert found.calibrated() == pytest.approx(
        {"a": 1.5, "(the answer of nim)": 0.5, "(starting, and reading the tests)": 0.0}
    )


def test_what_a_child_spends_counts():
    """Fault it sees: a test that lets a process work seems to cost nothing."""
    before = costs.spent()
    work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; read end"
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(["sh", "-c", work], **given) as child:
        child.stdout.readline()
        at_work = costs.spent() - before
        child.communicate("\n")
    assert 0.02 < at_work < costs.spent() - before + 0.03  # and no second is counted twice
    assert costs.spent() - before < 2 * at_work + 0.1


def test_a_thread_that_ends_meanwhile_ends_no_run():
    """Fault it sees: the run breaks off, for the system says nothing of a thread that ended."""
    assert costs._read(Path("/proc/self/task/0/children")) == ""


def test_machine_code_is_charged_to_no_test(monkeypatch):
    """Fault it sees: the test that needs a kernel first seems dear; next time it is another one."""
    now, clock = [0.0], _Clock()
    monkeypatch.setattr(costs, "CLOCK", clock)
    monkeypatch.setattr(costs, "spent", lambda: now[0])
    monkeypatch.setattr(costs, "MADE", costs.Counter())
    costs.watch_compiling()
    for seconds, step in ((1.0, clock.stop), (2.0, clock.stop), (4.0, clock.go), (8.0, clock.go)):
        now[0] += seconds
        step()
    assert costs.MADE == {"machine code": 14.0}


# --- stages -----------------------------------------------------------------------------------


def test_the_default_run_keeps_the_cheapest_cases_of_each_test():
    """Faults they see: a test of which no case is left though one is cheap; the dear cases kept."""
    most = stages.MOST
    prices = {f"t[{n}]": most * (n + 1) / 6 for n in range(12)}  # 0 to 5 would be cheap enough
    prices |= {"cheap": most, "dear": most + 0.1}
    prices |= {f"trifles[{n}]": stages.CHEAP for n in range(9)}
    dear = stages.dear(prices)
    assert set(prices) - set(dear) == {
        *(f"t[{n}]" for n in range(stages.CASES)),
        *(f"trifles[{n}]" for n in range(9)),
        "cheap",
    }
    assert dear["dear"] == most + 0.1


def test_a_test_is_spare_where_two_others_run_each_of_its_lines():
    """Faults they see: both of two dear tests go that only stand for each other; a cheap one goes;
    one goes whose lines were not watched, as they run in another process."""
    lines = {"dear": [1, 2], "next": [1, 2, 3], "third": [2, 3], "fourth": [1, 2], "cheap": [2]}
    prices = {"dear": 5.0, "next": 4.0, "third": 3.0, "fourth": 2.0, "cheap": 0.01, "unseen": 9.0}
    spare = stages.spare(prices, {test: np.array(run) for test, run in lines.items()})
    assert spare == {"dear": 5.0}  # then two run line 1, two line 3, and four line 2
    arrays = {test: np.array(run) for test, run in lines.items()}
    assert not stages.spare({"dear": 0.1, "unseen": 9.0}, arrays, least=0.2)


def test_of_each_test_that_goes_to_the_night_a_case_is_left():
    """Faults it sees: a test of which no case is run by day; one without cases that goes."""
    tests = ["a[1]", "a[2]", "a[3]", "b", "c[1]", "c[2]"]
    found = {"a[1]": 1.0, "a[2]": 3.0, "a[3]": 2.0, "b": 9.0, "c[2]": 0.5}
    assert set(stages.with_another_case(found, tests)) == {"a[2]", "a[3]", "c[2]"}


def test_the_lines_of_a_test_are_read_from_what_pytest_cov_wrote(tmp_path):
    """Fault it sees: what a test runs in its preparation counts as another test's."""
    with sqlite3.connect(tmp_path / ".coverage") as base:
        base.execute("create table context (id integer, context text)")
        base.execute("create table line_bits (file_id integer, context_id integer, numbits blob)")
        names = ("", "t.py::test[a|b]|setup", "t.py::test[a|b]|run")
        base.executemany("insert into context values (?, ?)", enumerate(names))
        rows = [(1, 0, b"\xff"), (1, 1, b"\x06"), (1, 2, b"\x00\x01"), (2, 2, b"\x02")]
        base.executemany("insert into line_bits values (?, ?, ?)", rows)
    found = stages.read_lines(tmp_path / ".coverage")
    first, second = stages.LONGEST, 2 * stages.LONGEST
    assert {test: list(run) for test, run in found.items()} == {
        "t.py::test[a|b]": [first + 1, first + 2, first + 8, second + 1]
    }


def test_slow_tests_draw_a_part_of_their_examples_and_others_all_of_theirs():
    """Fault it sees: hypothesis keeps the settings of a test elsewhere, and all are drawn."""
    drawn = {"slow": [], "": []}

    def item(name):
        @settings(max_examples=40, database=None)
        @given(st.integers())
        def test(n):
            drawn[name].append(n)

        return SimpleNamespace(function=test, get_closest_marker=lambda mark: mark == name)

    items = [item(name) for name in drawn]
    stages.draw_fewer([*items, *items])  # each has several cases
    for each in items:
        each.function()
    assert len(drawn["slow"]) <= 40 / stages.ONE_IN < len(drawn[""])


@pytest.mark.parametrize("table", [stages.TABLE, stages.NIGHT], ids=lambda path: path.stem)
def test_each_test_of_the_list_is_there(table):
    """A test that was renamed or went is taken out of ``second_stage.csv`` or ``night.csv``.

    The tests of a wing may be missing with the wing.
    """
    left_out = tuple(f"tests/{wing}/" for wing in WINGS if wing not in wings())
    tests = [test for test in stages.read(table) if not test.startswith(left_out)]
    functions = {test.partition("[")[0] for test in tests}
    texts = {}
    for function in sorted(functions):
        file, *_, name = function.split("::")
        if file not in texts:
            path = changed.ROOT / file
            texts[file] = path.read_text("utf-8") if path.exists() else ""
        assert f"def {name}(" in texts[file], f"{function} stands in {table.name}"


# --- what was changed ---------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path):
    """A repository with a package of two modules, of which one uses the other."""
    texts = {
        "icgsynth/__init__.py": "",
        "icgsynth/low.py": "one = 1\n",
        "icgsynth/high.py": "from icgsynth.low import one\n",
        "icgsynth/page/__init__.py": "from icgsynth.low import one\n",
        "icgsynth/page/page.css": "",
        "tests/test_low.py": "from icgsynth.low import one\n",
        "tests/test_high.py": "from icgsynth.high import one\n",
        "tests/test_page.py": "from icgsynth import page\n",
        "tests/whole/test_docs.py": "",
        "docs/a.md": "",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    names = {
        f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    for line in ("init -q -b work", "add .", "commit -q -m first"):
        subprocess.run(["git", *line.split()], cwd=tmp_path, check=True, env=os.environ | names)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("icgsynth/low.py", ["test_low", "test_high", "test_page"]),
        ("icgsynth/high.py", ["test_high"]),
        ("icgsynth/page/page.css", ["test_page"]),
        ("docs/a.md", ["test_docs"]),
        ("tests/test_low.py", ["test_low"]),
        ("tests/test_new.py", ["test_new"]),
        ("README", []),
    ],
)
def test_the_tests_that_use_what_was_changed_are_found_nearest_first(checkout, path, tests):
    """Faults it sees: a file that git does not know yet is no change, nor is one of style."""
    assert changed.changed(checkout) == []
    with (checkout / path).open("a") as stream:
        stream.write("\n")
    assert changed.changed(checkout) == [path]
    found = changed.asked_by(checkout, [path])
    names = [Path(name).stem for name in found]
    assert names[:1] == tests[:1] and set(names) == set(tests)


def test_what_differs_from_the_main_branch_is_changed_in_later_commits_too(checkout):
    subprocess.run(
        ["git", "update-ref", "refs/remotes/origin/main", "HEAD"], cwd=checkout, check=True
    )
    (checkout / "icgsynth/high.py").write_text("one = 2\n")
    names = {
        f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    env = os.environ | names
    subprocess.run(["git", "commit", "-q", "-a", "-m", "two"], cwd=checkout, check=True, env=env)
    assert changed.changed(checkout) == ["icgsynth/high.py"]


def test_the_nearest_files_run_until_a_minute_is_full(tmp_path):
    (tmp_path / "t.csv").write_text("test,seconds\na::x,20\na::y,20\nb::x,30\nc::x,1\n(made),9\n")
    known = changed.prices(tmp_path / "t.csv")
    assert known == {"a": 40, "b": 30, "c": 1}
    assert changed.within(["a", "b", "c", "new"], known, 60) == ["a", "c", "new"]
    assert changed.within(["a"], known, 1) == ["a"]


# --- the pace -------------------------------------------------------------------------------------


def test_budgets_last_longer_while_the_processor_is_shared(tmp_path, monkeypatch):
    """Faults it sees: a budget that other work uses up; one that stays long when it is quiet."""
    monkeypatch.setattr(pace, "SCHEDULED", tmp_path / "schedstat")
    crowd = pace.Crowd()
    assert crowd.look() == 1.0  # where the system says nothing
    now = [0.0, 0.0]
    for ran, waited, factor in (
        (1.0, 3.0, pace.MARGIN * 4),
        (0.1, 0.1, pace.MARGIN * 4),  # too short to say
        (0.9, 0.0, 1.0),
        (1.0, 1000.0, pace.LONGEST),
    ):
        now = [now[0] + ran, now[1] + waited]
        pace.SCHEDULED.write_text(" ".join(str(int(1e9 * s)) for s in now) + " 7\n")
        assert crowd.look() == pytest.approx(factor)

"""Budgets, in seconds as they pass and in seconds of this process on a processor."""

from __future__ import annotations

import ast
import time
from math import inf
from pathlib import Path

import pytest

from icgsynth import budget
from icgsynth.budget import Budget, on_the_clock
from icgsynth.errors import BudgetSpent


@pytest.fixture(autouse=True)
def _pace(monkeypatch):
    """A second is a second here, however slow the machine is."""
    monkeypatch.setattr(budget, "_pace", lambda: 1.0)


def test_sleep_is_no_work():
    counted = Budget(inf, work=0.2)
    part = counted.share(0.5)
    plain = Budget(0.2)
    time.sleep(0.3)
    assert plain.is_spent and not counted.is_spent and not part.is_spent
    assert counted.remaining() > 0.1
    with pytest.raises(BudgetSpent):
        plain.check()


def test_work_is_counted():
    counted, plain = Budget(inf, work=0.05), Budget(inf)
    while time.process_time() < counted.worked + 0.1:
        pass
    assert counted.is_spent and counted.within(1).is_spent and not plain.is_spent


def test_the_clock_counts_as_well():
    counted = Budget(0.1, work=60)
    time.sleep(0.2)
    assert counted.is_spent and counted.within(1).is_spent


def test_a_second_of_a_budget_lasts_longer_where_the_pace_is_slow(monkeypatch):
    monkeypatch.setattr(budget, "_pace", lambda: 1000.0)
    one, started = Budget(1, work=1), time.monotonic()
    time.sleep(0.1)
    assert one.remaining() > 0.9 or time.monotonic() - started > 100
    assert on_the_clock(2) == 2000


@pytest.mark.parametrize(
    ("told", "pace"), [("", 1), ("5", 5), ("2.5", 2.5), ("0.1", 1), ("-3", 1), ("inf", 1), ("x", 1)]
)
def test_a_pace_that_makes_no_sense_is_one(monkeypatch, told, pace):
    monkeypatch.undo()  # the fixture's
    monkeypatch.setenv("ICGSYNTH_PACE", told)
    assert budget._pace.__wrapped__() == pace


PACKAGE = Path(budget.__file__).parent


def test_a_share_is_not_told_as_a_budget_that_somebody_gave():
    """Kills: "the budget of 0.551 s is spent", where 60 were given."""
    part = Budget(60).within(30).within(0)
    with pytest.raises(BudgetSpent, match="share of the budget of 60 s"):
        part.check()
    with pytest.raises(BudgetSpent, match=r"^the budget of 0 s"):
        Budget(float("inf")).within(0).check()


def test_no_inner_share_is_told_as_a_budget_of_its_own():
    """ "The budget of 0.0853 s is spent": parts of what was left were made as budgets anew."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(getattr(node, "func", None), ast.Name) and node.func.id == "Budget":
                text = ast.unparse(node)
                assert "remaining()" not in text or "whole=" in text, f"{path}:{node.lineno}"


# Each takes as long as the rules want it to, and no time at all is its default.
LISTING = {"box_values": 3, "find_cycle": 3, "label": 6, "steps_of": 4}


def test_moves_are_nowhere_listed_without_a_budget():
    """``check`` labelled a box, and ``certify`` compared one, for as long as it took."""
    seen = set[str]()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = node.func.id if isinstance(getattr(node, "func", None), ast.Name) else ""
            if name in LISTING:
                seen.add(name)
                is_given = any(keyword.arg == "budget" for keyword in node.keywords)
                is_given |= len(node.args) >= LISTING[name]
                starred = any(isinstance(argument, ast.Starred) for argument in node.args)
                assert is_given or starred, f"{path.relative_to(PACKAGE)}:{node.lineno}"
    assert seen == set(LISTING)

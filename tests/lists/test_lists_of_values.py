"""Lists of values and of states lost by them, against the definition.

Faults it sees: a row that begins at another number than it says, a value of another row, and a
state of the value 0 that is left out.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from commands import call

from icgsynth import loads
from icgsynth.export.report import as_text
from icgsynth.lists.value_rows import value_rows
from icgsynth.lists.winners import winner_report
from icgsynth.synth.values.grundy_search import grundy, nothing_known


@cache
def value(n, k):
    """Of a pile of n, of which at most one part in k is taken."""
    options = {value(n - taken, k) for taken in range(1, n // k + 1)}
    return next(g for g in range(n + 1) if g not in options)


def test_rows_of_values_are_those_of_the_definition():
    text = "game g var n, k legal n >= 3 and 2 <= k <= 4 and n - k != 6 "
    game = loads(text + "action take(t) pre t >= 1 and k * t <= n - 20 eff n := n - t").game
    told = as_text(value_rows(nothing_known(game)))
    rows = re.findall(r"k = (\d), n = (\d+)\.\.(\d+):  ([\d \n]+)", told)
    assert [int(row[0]) for row in rows] == [2, 3, 4]
    for k, first, last, values in rows:
        assert (int(first), int(last)) == (3, int(k) + 5)
        assert [*map(int, values.split())] == [0] * (int(last) - 2)


def test_rows_of_values_tell_each_case():
    text = "game g var n, k legal n >= 0 and 1 <= k <= 3 "
    game = loads(text + "action take(t) pre t >= 1 and k * t <= n eff n := n - t").game
    rows = re.findall(
        r"k = (\d), n = 0\.\.24:  ([\d \n]+)", as_text(value_rows(nothing_known(game)))
    )
    for k, values in rows:
        assert [*map(int, values.split())] == [value(n, int(k)) for n in range(25)]
    assert len(rows) == 3


@pytest.mark.slow
@pytest.mark.parametrize(("part", "order"), [(2, ", in any order"), (3, "")])
def test_lost_states_that_may_be_exchanged_are_listed_once(part, order):
    """Of the first pile at most half is taken, of the second at most one part."""
    text = "game g var a, b legal a >= 0 and b >= 0 "
    text += "action x(t) pre t >= 1 and 2 * t <= a eff a := a - t "
    text += f"action y(t) pre t >= 1 and {part} * t <= b eff b := b - t"
    answer = grundy(loads(text).game, has_strategy=False)
    (told,) = re.findall(r"lost states(.*?): ([\d (),\n]+)", as_text(winner_report(answer, "g")))
    found = [tuple(map(int, pair)) for pair in re.findall(r"(\d+),(\d+)", told[1])]
    states = sorted(product(range(40), repeat=2), key=lambda s: (max(s), s))
    lost = [
        s for s in states if value(s[0], 2) == value(s[1], part) and (s[0] <= s[1] or not order)
    ]
    assert told[0] == order and found == lost[: len(found)] and len(found) > 9


@pytest.mark.slow
def test_a_pile_that_loses_by_a_recursion_is_told_by_it(capfd, tmp_path):
    path = tmp_path / "strange.icg"
    text = "game g var n legal n >= 0 action take(t) pre t >= 1 and 3 * t <= n eff n := n - t"
    path.write_text(text, "utf-8")
    done = call(capfd, "solve", path)
    assert done.returncode == 0
    (told,) = re.findall(r"lost states: ([\d ]+) \.\.\.", done.stdout)
    lost = [*map(int, told.split())]
    assert lost == [n for n in range(lost[-1] + 1) if value(n, 3) == 0] and len(lost) > 9

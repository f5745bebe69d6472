"""Games of few states without a short formula: the list of lost states is that of plain play.

Faults it sees: a state left out or added, drawn called lost, and counts that are exchanged.
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from itertools import product

import pytest
from commands import call

from icgsynth.export.report import as_text
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.lists.state_list import list_value, lost_rows
from icgsynth.logic import term as t
from icgsynth.prove.boxcheck import outcomes_everywhere
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.subjects import game_subject


def rules(moves, side):
    cases = " or ".join(f"a = {a} and b = {b} and c = {c} and d = {d}" for (a, b), (c, d) in moves)
    return (
        f"game g var a, b legal 0 <= a <= {side} and 0 <= b <= {side} "
        f"action go(c, d) pre 0 <= c <= {side} and 0 <= d <= {side} and ({cases}) "
        "eff a := c, b := d"
    )


def by_rounds(moves, states, rule):
    """1 won, -1 lost, 0 drawn: won if a move leads to a lost state, lost if all lead to won."""
    known = dict.fromkeys(states, 0)
    for _ in states:
        for state in states:
            after = [there for here, there in moves if here == state]
            if any(known[s] < 0 for s in after) or (not after and rule == "misere"):
                known[state] = 1
            elif all(known[s] > 0 for s in after):
                known[state] = -1
    return known


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("seed", range(2))
def test_outcomes_of_random_moves(seed, rule):
    rng, states = random.Random(seed), list(product(range(4), repeat=2))
    moves = sorted({(rng.choice(states), rng.choice(states)) for _ in range(26)})
    game = load_spec(Source("g", rules(moves, 3)), {})
    right = by_rounds(moves, states, rule)
    assert {-1, 0, 1} == set(right.values())
    assert outcomes_everywhere(game, rule) == right


@pytest.mark.slow
def test_a_game_without_a_short_formula_is_told_by_its_states(capfd, tmp_path, monkeypatch):
    monkeypatch.setattr(game_subject, "_LONGEST", 0)  # no formula is short
    rng, states = random.Random(7), list(product(range(5), repeat=2))
    moves = sorted({(rng.choice(states), rng.choice(states)) for _ in range(40)})
    right, path = by_rounds(moves, states, "normal"), tmp_path / "g.icg"
    path.write_text(rules(moves, 4), "utf-8")
    done = call(capfd, "solve", path, "-t", 4, "-q", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"]) == (0, "solved")
    assert found["table"]["losing"] == [list(s) for s in states if right[s] < 0]
    assert found["table"]["drawn"] == [list(s) for s in states if right[s] == 0]
    said = call(capfd, "solve", path, "-t", 4, "-q").stdout
    numbers = [list(right.values()).count(n) for n in (-1, 1, 0)]
    assert "{} are lost and {} won for the player to move, and {} drawn".format(*numbers) in said


def test_a_list_holds_no_formula_that_is_not_proved(tmp_path):
    """Fault it sees: "solved" above formulas of which a budget proved none."""
    game = load_spec(Source("g", rules([((0, 0), (1, 1)), ((1, 1), (0, 0))], 1)), {})
    claim = Claim(t.TRUE)
    found = list_value(Solution(game, "normal", "unknown", winning=claim), {(0, 0): 0, (0, 1): -1})
    assert (found["status"], found["winning"], found["losing"]) == ("solved", None, None)
    assert found["table"] == {"losing": [[0, 1]], "drawn": [[0, 0]]}


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize(("most", "order"), [(99, ", in any order"), (2, "")])
def test_lost_states_near_zero_are_listed_where_nothing_is_told(rule, most, order):
    """Fault it sees: states of which the moves leave the box, or sorted ones of unequal piles."""
    text = "game g var a, b legal a >= 0 and b >= 0 "
    text += "action one(k) pre 1 <= k <= a eff a := a - k "
    text += f"action other(k) pre 1 <= k <= b and k <= {most} eff b := b - k "
    text += "action grow pre a >= 2 and b >= 2 eff a := a + b, b := 0"

    @cache
    def is_lost(a, b):
        after = [(a - k, b) for k in range(1, a + 1)]
        after += [(a, b - k) for k in range(1, min(b, most) + 1)]
        after += [(a + b, 0)] if a >= 2 and b >= 2 else []
        return (bool(after) or rule == "normal") and not any(is_lost(*state) for state in after)

    game = load_spec(Source("g", text), {})
    told = as_text(lost_rows(Solution(game, rule, "unknown")))
    found = [tuple(map(int, pair)) for pair in re.findall(r"(\d+),(\d+)", told.split(":", 1)[1])]
    near = [s for s in product(range(12), repeat=2) if is_lost(*s) and (not order or s[0] <= s[1])]
    assert [s for s in found if max(s) < 12] == near and order in " ".join(told.split())
    claim = Claim(t.TRUE)
    proof = dict.fromkeys(("termination", "winning", "strategy"), Verdict.PROVED)
    assert not lost_rows(Solution(game, rule, "solved", winning=claim, losing=claim, proof=proof))


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_list_is_whole_where_moves_leave_its_box(rule):
    """Fault it sees: (15, 1) left out, for its moves lead past the box; a range one too long."""
    text = "game g var n, q legal n >= 0 and q >= 0 action take(k) pre 1 <= k <= q and k <= n "
    game = load_spec(Source("g", f"{text} eff n := n - k, q := 3 * k"), {})
    told = as_text(lost_rows(Solution(game, rule, "unknown")))

    @cache
    def is_lost(n, q):
        after = [(n - k, 3 * k) for k in range(1, min(n, q) + 1)]
        return (bool(after) or rule == "normal") and not any(is_lost(*state) for state in after)

    listed = re.findall(r"(\d+),(\d+)(?:\.\.(\d+))?", told.split(":", 1)[1])
    found = [(int(n), q) for n, low, high in listed for q in range(int(low), int(high or low) + 1)]
    assert found == [s for s in product(range(26), repeat=2) if is_lost(*s)]
    assert any(high for *_, high in listed)

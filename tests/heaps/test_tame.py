"""Heaps by rules under misère play: where values are said to decide, they do."""

from __future__ import annotations

import json
import random
from itertools import combinations_with_replacement, product

import pytest
from commands import call, refused, validate
from plain_play import misere_wins

from icgsynth.budget import Budget, silent
from icgsynth.errors import BudgetSpent
from icgsynth.game.answers import Verdict
from icgsynth.heaps.search import heap_game_search, tame_search
from icgsynth.heaps.search.tame_search import tame_answer
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

TAKE_ANY = "action take(k) pre 1 <= k <= n into n - k"
SPLIT = "action split(i) pre 1 <= i < n into i, n - i"
GAMES = {
    "nim": TAKE_ANY,  # Bouton (1902): as under normal play, unless all heaps are 1
    "lasker": f"{TAKE_ANY}\n{SPLIT}",
    "turtles": "action one pre n >= 1 eff n := 0 action two(i) pre 1 <= i < n eff n := i\n"
    "action three(i, j) pre 1 <= i < j and j < n into i, j",
    "lieges": "action one pre n >= 1 eff n := n - 1\n"
    "action split pre n >= 2 and n mod 2 = 0 into n div 2, n div 2, n div 2, n div 2",
}


def heaps(rules):
    return parse(Source("h.icg", f"heaps h\nvar n\nlegal n >= 0\n{rules}\n")).heaps({})


def answered(rules, seconds=30):
    return tame_answer(heaps(rules), "n decreases", Budget(seconds), silent)


def brute_force(game):
    """Who wins a row under misère play, from the definition alone."""
    return misere_wins(lambda heap: [[size for (size,) in left] for left in game.options((heap,))])


@pytest.mark.parametrize("name", GAMES)
def test_values_say_who_wins_rows_that_are_played_to_the_end(name):
    """Kills: fickle heaps with the wrong value, a row of them that is taken for another."""
    answer = answered(GAMES[name])
    assert answer.is_proved and answer.fickle == {0: 0, 1: 1} and len(answer.by) > 1
    wins = brute_force(answer.values.game)
    for count in range(3):
        for row in combinations_with_replacement(range(2, 6), count):
            for ones in range(2):
                whole = (*[1] * ones, *row)
                assert answer.is_winning(whole) == wins(whole), whole
                after = answer.winning_after(tuple((heap,) for heap in whole))
                assert (after is None) == (not answer.is_winning(whole) or not any(whole))
                assert after is None or answer.is_lost(after)


def random_rules(rng):
    """A few actions that take some, take any number, or split, where a remainder allows it."""

    def where():
        return rng.choice(["", f" and n mod {rng.randrange(2, 4)} = {rng.randrange(2)}"])

    least, most = rng.randrange(1, 4), rng.choice([3, 4])
    kinds = [
        f"action a{{}}(k) pre {least} <= k <= n{where()} into n - k",
        f"action a{{}}(k) pre {least} <= k <= {most} and k <= n{where()} into n - k",
        f"action a{{}} pre n >= {least}{where()} into n - {least}",
        f"action a{{}} pre n >= {most}{where()} into n - {most}, 1",
        f"action a{{}}(i) pre {least} <= i and 2 * i <= n and n >= {most}{where()} into i, n - i",
        "action a{} pre n >= 2 and n mod 2 = 0 into n div 2, n div 2",
    ]
    chosen = rng.sample(kinds, rng.randrange(1, 4))
    return "\n".join(rule.format(place) for place, rule in enumerate(chosen))


def test_random_rules_whose_values_are_said_to_decide():
    """What is proved is so for all small rows, also without the play that the search compares with.

    Kills: a claim of the theorem that is left out, or is made of one action alone.
    """
    rng, proved = random.Random(12), 0
    for _ in range(12):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tame_search, "_play_rows", lambda game, budget: {})
            answer = answered(random_rules(rng), 4)
        if not answer.is_proved:
            continue
        proved += 1
        wins = brute_force(answer.values.game)
        for count in range(4):
            for row in combinations_with_replacement(range(6), count):
                assert answer.is_winning(row) == wins(row), (str(answer.values.game), row)
    assert proved > 1


WRONG = [{}, {0: 0}, {0: 0, 1: 0}, {0: 1, 1: 0}, {0: 0, 1: 1, 2: 0}, {0: 0, 1: 1, 2: 1}]


@pytest.mark.parametrize("fickle", [*WRONG, {0: 0, 2: 1}])
def test_wrong_fickle_heaps_are_not_proved(fickle, monkeypatch):
    """In Lasker's Nim the fickle heaps are 0 and 1; other sets prove nothing."""
    monkeypatch.setattr(tame_search, "_play_rows", lambda game, budget: {})
    monkeypatch.setattr(tame_search, "_fickle", lambda game, budget: fickle)
    assert answered(GAMES["lasker"]).verdict is Verdict.UNKNOWN


def test_the_play_to_the_end_is_heeded(monkeypatch):
    monkeypatch.setattr(tame_search, "_play_rows", lambda game, budget: {((1,), (1,)): False})
    answer = answered(GAMES["lasker"])
    assert not answer.is_proved and "please report" in answer.why


def test_spent_time_is_not_called_a_lack_of_functions(monkeypatch):
    """Kills: what is not found in its share of the time is said not to be there."""

    def spent(*_):
        raise BudgetSpent("spent")

    monkeypatch.setattr(heap_game_search, "heap_functions", spent)
    monkeypatch.setattr(heap_game_search, "seen_on_heaps", lambda values: None)
    assert answered(GAMES["turtles"], 2).why.endswith("in this time")


def test_the_report_and_large_rows(tmp_path, capfd):
    path = tmp_path / "lasker.icg"
    path.write_text(str(heaps(GAMES["lasker"])), "utf-8")
    kept = tmp_path / "lasker.json"
    told = call(capfd, "solve", path, "--rule", "misere", "-o", kept)
    assert told.returncode == 0 and "exactly if its value is 0, as" in told.stdout
    won = call(capfd, "value", path, "--rule", "misere", "--at", "200,900,30", "-t", "10")
    assert won.returncode == 0 and "wins under misere play, by the values" in won.stdout
    far = call(capfd, "value", path, "--rule", "misere", "--at", f"{10**28},3", "-t", "10")
    assert "wins" in far.stdout and "No winning move was found among those" in far.stdout
    lost = call(capfd, "value", path, "--rule", "misere", "--at", "1200,1200", "-t", "10")
    assert "loses under misere play" in lost.stdout
    judged = call(capfd, "verify", path, kept)
    assert judged.returncode == 0 and "that they say who wins" in judged.stdout
    claim = json.loads(kept.read_text("utf-8"))
    validate(claim)
    assert "latex cannot say" in refused(capfd, "export", kept, "--to", "latex")
    for wrong in ([[0], []], [[0], [2]], [[1], [0]]):
        kept.write_text(json.dumps(claim | {"fickle": wrong}), "utf-8")
        assert call(capfd, "verify", path, kept).returncode == 4
    for broken in (7, [[0]], [["x"], []], [[-1], [1]]):
        kept.write_text(json.dumps(claim | {"fickle": broken}), "utf-8")
        assert refused(capfd, "verify", path, kept)
    row = tmp_path / "row.json"
    asked = ("--rule", "misere", "--at", "5,6", "-o", row)
    assert call(capfd, "value", path, *asked).returncode == 0
    assert json.loads(row.read_text("utf-8"))["winning"] is True
    two = "heaps two var n, c legal n >= 0 and c = 0 action t(k) pre 1 <= k <= n into (n - k, 0)"
    path.write_text(two, "utf-8")
    assert call(capfd, "value", path, "-o", row).returncode == 0
    values = json.loads(row.read_text("utf-8"))
    kept.write_text(json.dumps({"game": "two", "fickle": [[0], [1]], "normal": values}), "utf-8")
    judged = call(capfd, "verify", path, kept)
    assert judged.returncode == 4 and "several numbers" in judged.stdout
    many = f"heaps many var n legal n >= 0 action t(k) pre 1 <= k <= n into n - k{', 0' * 40}"
    path.write_text(many, "utf-8")
    told = call(capfd, "solve", path, "--rule", "misere", "--timeout", "10")
    assert told.returncode == 4 and "a move may leave more than" in " ".join(told.stdout.split())
    path.write_text("heaps up var n legal n >= 0 action up pre n >= 0 into n + 1, n", "utf-8")
    assert call(capfd, "value", path, "--rule", "misere").returncode == 3


PARITY = {
    # Each move splits an odd heap into three odd ones: who wins is told by how many moves are left.
    "three": "legal n >= 1 and n mod 2 = 1\naction split(i, j) pre i >= 1 and j >= 1 and i + j < n "
    "and i mod 2 = 1 and j mod 2 = 1 into i, j, n - i - j",
    "odd": "legal n >= 0\naction take(k) pre 1 <= k <= n and k mod 2 = 1 into n - k",
}


@pytest.mark.parametrize("name", [pytest.param("three", marks=pytest.mark.slow), "odd"])
def test_misere_play_is_the_opposite_where_all_values_are_0_or_1(name, tmp_path, capfd):
    """Kills: rows called lost at the value 0, and a file of values up to 2 that is believed."""
    (path := tmp_path / "h.icg").write_text(f"heaps h\nvar n\n{PARITY[name]}\n")
    answer = tame_answer(parse(Source.read(path)).heaps({}), "n decreases", Budget(30), silent)
    assert answer.is_proved and answer.all_fickle and len(answer.by) > 1
    wins = brute_force(answer.values.game)
    sizes = [heap for heap in range(8) if answer.values.game.is_legal((heap,))]
    for count in range(4):
        for row in combinations_with_replacement(sizes, count):
            assert answer.is_winning(row) == wins(row), row
    kept = tmp_path / "a.json"
    assert call(capfd, "solve", path, "--rule", "misere", "-o", kept).returncode == 0
    claim = json.loads(kept.read_text("utf-8"))
    validate(claim)
    assert claim["fickle"] == "all" and call(capfd, "verify", path, kept).returncode == 0
    larger = "legal n >= 1 and n mod 2 = 1 action take(k) pre k in {2, 4} and k < n into n - k"
    path.write_text(f"heaps h var n {larger}", "utf-8")  # values 0, 1 and 2
    assert call(capfd, "value", path, "-o", kept).returncode == 0
    values = {"normal": json.loads(kept.read_text("utf-8")), "rules": path.read_text("utf-8")}
    kept.write_text(json.dumps(claim | values), "utf-8")
    judged = call(capfd, "verify", path, kept)
    assert judged.returncode == 4 and "0 or 1" in judged.stdout


BAR = """heaps bar
var a, b
legal a >= 1 and b >= 1
action across(k) pre 1 <= k < a into (k, b), (a - k, b)
action along(k) pre 1 <= k < b into (a, k), (a, b - k)
"""


def broken(bar):
    """What is left of a bar that is broken along a line, in every way."""
    a, b = bar
    across = [((k, b), (a - k, b)) for k in range(1, a)]
    return across + [((a, k), (a, b - k)) for k in range(1, b)]


@pytest.mark.slow
def test_misere_play_of_heaps_with_two_numbers_is_solved_where_values_are_0_or_1(tmp_path, capfd):
    """A bar of a by b squares: ab - 1 moves.  Kills: a row that is lost at the value 0."""
    (path := tmp_path / "bar.icg").write_text(BAR)
    answer = tame_answer(parse(Source.read(path)).heaps({}), "a + b decreases", Budget(30), silent)
    assert answer.is_proved and answer.all_fickle and len(answer.by) > 1
    wins = misere_wins(broken)
    for a, b, c in product(range(1, 4), range(1, 3), range(1, 4)):
        row = ((a, b), (c, 2))
        assert answer.is_lost(row) != wins(row), row
        after = answer.winning_after(row)
        assert (after is None) == (answer.is_lost(row) or all(bar == (1, 1) for bar in row))
        assert after is None or not wins(after)
    (kept := tmp_path / "bar.json").write_text(json.dumps(answer.to_json()), "utf-8")
    validate(answer.to_json())
    assert call(capfd, "verify", path, kept).returncode == 0

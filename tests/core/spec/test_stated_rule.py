"""The word ``misere`` in a file: misère play is meant by every question that names no rule."""

import json
from functools import cache
from pathlib import Path

import pytest

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT
from icgsynth.errors import InputError
from icgsynth.spec.icg import parse
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.source import Source
from icgsynth.subjects import subject

COUNTERS = """game counters "Take 1, 3 or 4 counters"
misere
var n
legal n >= 0
action take(k) pre k in {1, 3, 4} and k <= n eff n := n - k
"""
PILES = COUNTERS.replace("game", "piles", 1).replace("legal", "touch one legal")
HEAPS = "heaps h cite x misere var n legal n >= 0 action take(k) pre 1 <= k <= n into n - k"


@cache
def wins(n):
    """Who cannot move wins: by the definition."""
    left = [n - k for k in (1, 3, 4) if k <= n]
    return not left or not all(map(wins, left))


@pytest.fixture
def counters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counters.icg").write_text(COUNTERS, encoding="utf-8")
    return "counters.icg"


def told(capsys, *arguments):
    run([*arguments, "--json", "-q"])
    return json.loads(capsys.readouterr().out)


def test_every_command_means_misere_play(counters, capsys):
    assert told(capsys, "table", counters)["rule"] == "misere"
    for n in range(1, 12):
        assert told(capsys, "solve", counters, "--at", str(n))["winning"] == wins(n)
    claimed = told(capsys, "verify", counters, "--losing", "n mod 7 in {1, 3}")
    assert (claimed["rule"], claimed["verdict"]) == ("misere", "proved")
    assert told(capsys, "solve", counters, "--rule", "normal")["rule"] == "normal"
    run(["check", counters])
    assert "misère play" in capsys.readouterr().out.splitlines()[0]
    run(["play", counters, "--start", "1"])
    assert "who cannot move wins" in capsys.readouterr().out


def test_python_means_misere_play(counters):
    solution = icg.load(counters).solve()
    assert solution.rule == "misere"
    assert [solution.is_winning((n,)) for n in range(40)] == [wins(n) for n in range(40)]
    assert icg.load(counters).solve(rule="normal").rule == "normal"


def test_an_answer_carries_the_word_and_its_own_rule(counters, capsys):
    for rule in ("misere", "normal"):
        assert run(["solve", counters, "--rule", rule, "-o", f"{rule}.json"]) == 0
        written = json.loads(Path(f"{rule}.json").read_text("utf-8"))
        assert (written["rule"], "\nmisere\n" in written["rules"]) == (rule, True)
        assert run(["verify", counters, f"{rule}.json"]) == 0
        assert f"{rule} play: proved" in capsys.readouterr().out


@pytest.mark.parametrize("text", [COUNTERS, PILES, HEAPS])
def test_the_text_reads_back(text):
    spec = parse(Source("a", text))
    assert (spec.rule, parse(Source("a", str(spec)))) == ("misere", spec)
    if spec.touch is None:
        game = load_rules(Source("a", text))
        assert load_rules(Source("a", str(game))) == game and game.rule == "misere"
    assert subject("a", text=text).rule == "misere"
    assert subject("a", text=text.replace("misere", "")).rule == "normal"


def test_a_sum_with_such_a_component_is_no_sum_of_normal_play(counters):
    assert subject(f"{counters} + nim2").rule == "misere"
    assert subject("kayles + nim2").rule == "normal"


@pytest.mark.parametrize(
    "text",
    [
        "game g misere misere var n action a pre n > 0 eff n := 0",
        "game g var n action a pre n > 0 eff n := 0 misere",
    ],
)
def test_the_word_stands_once_and_before_the_actions(text):
    with pytest.raises(InputError, match="out of place"):
        parse(Source("a", text))


def test_a_word_in_a_comment_or_of_pddl_states_nothing():
    assert subject("a", text=COUNTERS.replace("misere", "# misere")).rule == "normal"
    assert subject("a", text="(define (domain misere) )").rule == "normal"


def test_the_option_that_many_try_is_answered(counters, capsys):
    assert run(["solve", counters, "--misere"]) == BAD_INPUT
    assert "--rule misere" in capsys.readouterr().err

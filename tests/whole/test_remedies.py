"""Messages that say how to go on: each names the file, the command or the option that helps."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from catalog_answers import solved
from command_answers import written
from commands import call, refused

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.export.panels import require_drawable
from icgsynth.game.answers import Finding, Verdict
from icgsynth.prove.rule_faults import leaving
from icgsynth.solve import search
from icgsynth.spec.catalog import catalog_dir
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.digits.automatic_search import AutomaticSearch


@pytest.fixture
def chomp(tmp_path):
    path = tmp_path / "c2.json"
    path.write_text(written("solve", "chomp_2row"), "utf-8")
    return path


def test_an_answer_for_another_game_is_named(capfd, chomp):
    err = refused(capfd, "verify", "nim2", chomp)
    assert "chomp_2row" in err.splitlines()[0] and "nim2" in err.splitlines()[0]
    assert f"icgsynth verify chomp_2row {chomp}" in err


def test_the_same_rules_under_another_name_are_verified(capfd, chomp, tmp_path):
    rules = (catalog_dir() / "chomp_2row.icg").read_text().replace("game chomp_2row", "game bites")
    (tmp_path / "bites.icg").write_text(rules)
    assert run(["verify", str(tmp_path / "bites.icg"), str(chomp)]) == 0


@pytest.mark.parametrize("command", [("export", "--to", "fft"), ("verify", "nim2")])
def test_a_game_in_the_place_of_an_answer(capfd, command):
    err = refused(capfd, *command, "chomp_2row")
    assert "a game of the catalog" in err
    assert "'icgsynth solve chomp_2row -o chomp_2row.json' writes one" in err
    err = refused(capfd, *command, "tictactoe")
    assert "'icgsynth fft synth tictactoe -o tictactoe.json' writes one" in err
    err = refused(capfd, *command, catalog_dir() / "nim2.icg")
    assert "has the rules of a game" in err


def test_an_answer_comes_from_standard_input(capfd, monkeypatch, chomp):
    with chomp.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(["verify", "chomp_2row", "-"]) == 0


def test_one_game_out_of_a_file_of_many(capfd):
    theorems = catalog_dir() / "theorems.json"
    err = refused(capfd, "verify", "take_away", theorems)
    assert "2 solutions of take_away" in err and "--rule" in err
    err = refused(capfd, "verify", "subtraction3", theorems, "--rule", "normal")
    assert "solutions" in err and "subtraction3" in err and "one of them" in err
    err = refused(capfd, "verify", "nim2", theorems)
    assert "no answer for nim2" in err
    assert "all_but_nim2, " in err


@pytest.mark.slow
def test_the_one_theorem_of_a_game_is_proved(capfd):
    theorems = catalog_dir() / "theorems.json"
    assert run(["verify", "take_away", str(theorems), "--rule", "misere"]) == 0


@pytest.mark.parametrize("game", ["nim2", "tictactoe"])
@pytest.mark.parametrize("text", ["hello world", "if a then b", "this is\nno tree"])
def test_text_that_is_no_tree_is_refused_before_a_game_is_solved(
    capfd, monkeypatch, tmp_path, game, text
):
    monkeypatch.setattr("icgsynth.boards.subject.finite_spec.FiniteSpec.arena", None)
    (tmp_path / "notes.txt").write_text(text)
    err = refused(capfd, "verify", game, tmp_path / "notes.txt")
    assert "notes.txt:1:" in err
    assert "'if FACT and not FACT: ACTION'" in err


@pytest.mark.parametrize("output", [(), ("-o", "x.svg"), ("-o", "x.png")])
@pytest.mark.parametrize("command", ["table", "value"])
def test_a_box_too_large_to_draw_is_refused_before_it_is_labelled(
    capfd, monkeypatch, tmp_path, command, output
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("icgsynth.subjects.value_questions.label", None)
    monkeypatch.setattr("icgsynth.subjects.value_questions.box_values", None)
    arguments = ["--table", *output[1:]] if command == "value" else output
    err = refused(capfd, command, "nim2", "--bound", "2000", *arguments)
    assert "--bound" in err and ".csv" in err


def test_what_can_be_drawn_has_at_most_four_million_places():
    corners = np.array([[0, 0], [1999, 1999]])
    assert require_drawable(corners) == ((0, 1999), (0, 1999))
    with pytest.raises(Refused, match="too large to draw"):
        require_drawable(np.array([[0, 0], [1999, 2000]]))


def test_a_box_without_states_may_be_the_fault_of_the_rules():
    """No --bound helps where the rules allow no state at all, as 2 * a = 1 does."""
    with pytest.raises(Refused, match="larger --bound, or weaken 'legal'"):
        require_drawable(np.zeros((0, 1), dtype=int))


def test_a_search_that_ended_by_itself_does_not_ask_for_more_time():
    stopped = replace(solved("nim2"), status="unknown", winning=None, losing=None)
    early = str(replace(stopped, exhausted=True, notes=("why", "one", "two")))
    assert "more time will hardly help" in early
    assert "a larger --timeout" not in early
    late = str(replace(stopped, notes=("the budget is spent",)))
    assert "a larger --timeout" in late and "hardly help" not in late
    assert "icgsynth value nim2" in late
    misere, no_end = replace(stopped, rule="misere"), replace(stopped, proof={})
    assert not any("icgsynth value" in str(each) for each in (misere, no_end))


def test_a_search_that_has_no_time_for_a_larger_box_does_not_say_that_all_is_spent(monkeypatch):
    """Faults it sees: a search that leaves half of its time says that this was spent, or that more
    would not help.
    """
    late = search.Moment.BEFORE_LONGER
    monkeypatch.setattr(search.Search, "_linear", lambda *given: given[-1](late))
    monkeypatch.setattr(AutomaticSearch, "search", lambda *_: None)
    monkeypatch.setattr(AutomaticSearch, "was_cut", True)
    rules = "game g var a, b legal a >= 0 and b >= 0 action t(k) pre 1 <= k <= a eff a := a - k"
    found = icg.loads(rules).solve()
    assert (found.status, found.exhausted) == ("unknown", False)
    assert "longer than the time that was left" in found.notes[0]
    assert "was spent" not in str(found)


@pytest.mark.slow
def test_a_game_is_given_up_before_the_time_is_over(capfd, tmp_path):
    """At most a third is taken, and not 1, 4, 7, ..: the lost numbers have no formula."""
    game, path = tmp_path / "third.icg", tmp_path / "third.json"
    game.write_text(
        "game third var n legal n >= 0\n"
        "action take(k) pre 1 <= k and 3 * k <= n and k mod 3 != 1 eff n := n - k"
    )
    lost: list[int] = []
    for n in range(40):
        if not any(n - k in lost for k in range(1, n // 3 + 1) if k % 3 != 1):
            lost.append(n)
    out = call(capfd, "solve", game, "--timeout", "120", "-v", "-o", path).stdout
    tried = [line for line in out.splitlines() if line.startswith("  Tried: ")]
    assert len(tried) == len(set(tried)) > 2
    assert "more time will hardly help" in out
    known = json.loads(path.read_text())
    assert len(known["notes"]) == len(set(known["notes"]))
    assert any("base-2" in note for note in known["notes"])
    assert not any("not automatic" in note for note in known["notes"])
    assert known["losing_states"][:8] == [[n] for n in lost[:8]]


# --- check names the move that is at fault, where it leads, and what would mend it ---------------


HEAD = "game g\nvar a\nlegal a >= 0\n"
NO_LOWER = HEAD + "action take(k) pre k <= a eff a := a - k\n"
NO_UPPER = HEAD + "action take(k) pre 1 <= k <= 2 eff a := a - k\n"
MIRRORED = "game g\nvar a\nlegal 0 <= a <= 1\naction turn pre true eff a := 1 - a\n"


def checked(capfd, tmp_path, text, *options):
    path = tmp_path / "g.icg"
    path.write_text(text)
    return call(capfd, "check", path, *options)[:2]


def test_a_cycle_names_its_move_and_the_missing_bound(capfd, tmp_path):
    code, out = checked(capfd, tmp_path, NO_LOWER)
    assert code == 3
    assert re.search(
        r"^  termination +refuted .* 0 -take\(0\)-> 0\n +add '1 <= k'", out, re.MULTILINE
    )
    mended = NO_LOWER.replace("pre k <= a", "pre 1 <= k and k <= a")
    assert checked(capfd, tmp_path, mended)[0] == 0


def test_a_cycle_of_several_moves(capfd, tmp_path):
    code, out = checked(capfd, tmp_path, MIRRORED)
    assert code == 3
    assert "0 -turn-> 1 -turn-> 0\n" in out
    assert "add" not in out
    value = json.loads(checked(capfd, tmp_path, MIRRORED, "--json")[1])
    assert (value["cycle"], value["cycle_moves"]) == ([[0], [1], [0]], ["turn", "turn"])


def test_a_move_that_leaves_the_legal_states_is_shown(capfd, tmp_path):
    code, out = checked(capfd, tmp_path, NO_UPPER)
    assert code == 0
    found = json.loads(checked(capfd, tmp_path, NO_UPPER, "--json")[1])["closure"]
    a, k = found["witness"]["a"], found["witness"]["k"]
    assert re.search(rf"refuted +take\({k}\) from a = {a} leads to a = {a - k}\b", out)
    assert (found["move"], found["leads_to"], found["add"]) == (f"take({k})", [a - k], "k <= a")
    assert "add 'k <= a'" in out
    assert "no move leaves" not in out


@pytest.mark.parametrize(
    ("rules", "witness", "mend"),
    [
        ("var a\nlegal a >= 0\naction take(k) pre true eff a := a - k", {"a": 1, "k": 2}, "k <= a"),
        (
            "var a, b\nlegal 0 <= b <= a\naction cut(k) pre true eff a := k",
            {"a": 2, "b": 2, "k": 1},
            "k >= b",
        ),
        # What a result needs for being legal speaks of the state before the move.
        ("var a\nlegal a mod 2 = 0\naction take pre true eff a := a - 1", {"a": 0}, None),
    ],
)
def test_the_condition_that_is_missing(rules, witness, mend):
    game = load_spec(Source("g", f"game g\n{rules}\n"))
    found = leaving(game, Finding(Verdict.REFUTED, "", witness))
    assert found is not None
    assert mend is None or str(found.mend) == mend
    if found.mend is not None:
        added = rules.replace("pre true", f"pre {found.mend}")
        assert leaving(load_spec(Source("g", f"game g\n{added}\n")), found_again(witness)) is None


def found_again(witness):
    return Finding(Verdict.REFUTED, "", witness)


def test_a_long_condition_is_not_proposed():
    legal = " and ".join(f"a != {n} and a >= {n - 90}" for n in range(9))
    rules = f"game g\nvar a\nlegal {legal}\naction take(k) pre true eff a := a - k\n"
    found = leaving(load_spec(Source("g", rules)), found_again({"a": 20, "k": 200}))
    assert found is not None
    assert found.after == (-180,)
    assert found.mend is None


@pytest.mark.parametrize(
    ("end", "shown"),
    [
        ("a = 0 or a = 7", "a = 7 is declared an end, but a move applies there"),
        ("a < 0", "a = 0 is not declared an end, but no move applies there"),
    ],
)
def test_a_wrong_end_is_shown_at_a_state(capfd, tmp_path, end, shown):
    code, out = checked(capfd, tmp_path, NO_UPPER.replace("action", f"end {end}\naction"))
    assert code == 0
    assert f"  ending       refuted  {shown}\n" in out


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("k = 1 or k = 3 or k = 4 and k <= n", "(k = 1 or k = 3 or k = 4) and k <= n"),
        ("k <= n and k = 1 or k = 3", "k <= n and (k = 1 or k = 3)"),
        ("1 <= n and (k = 2 or k = 3 and k <= n)", "1 <= n and (k = 2 or k = 3) and k <= n"),
    ],
)
def test_a_condition_that_stands_beside_an_or_is_told_brackets(tmp_path, capsys, written, meant):
    """The line that is proposed is one: with it no move leaves the legal states."""
    path = tmp_path / "g.icg"
    rules = "game g var n legal n >= 0 action take(k) pre {} eff n := n - k"
    path.write_text(rules.format(written), encoding="utf-8")
    run(["check", str(path)])
    out = capsys.readouterr().out
    assert f"'and' binds closer than 'or': write 'pre {meant}'" in out and "add '" not in out
    path.write_text(rules.format(meant), encoding="utf-8")
    run(["check", str(path)])
    assert "closure      proved" in capsys.readouterr().out


def test_a_condition_that_is_nowhere_is_added(tmp_path, capsys):
    path = tmp_path / "g.icg"
    rules = "game g var n legal n >= 0 action take(k) pre k = 1 or k = 3 and n > 5 eff n := n - k"
    path.write_text(rules, encoding="utf-8")
    run(["check", str(path)])
    assert "add 'k <= n'" in capsys.readouterr().out

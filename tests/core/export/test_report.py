"""Reports as text and as HTML: each kind of part on its own, away from any answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

import icgsynth as icg
from icgsynth.export.report import (
    Cases,
    Facts,
    Listing,
    Note,
    Notes,
    Side,
    Sides,
    Steps,
    Title,
    as_html,
    as_text,
    notes,
    tell_checks,
    tell_proofs,
)
from icgsynth.export.sentences import call_game, in_prose
from icgsynth.export.solution_report import solution_report
from icgsynth.game.answers import BoxCheck, FarCheck
from icgsynth.logic.prose import WIDTH, equalities, wrapped
from icgsynth.solve.search import solve

LONG = " and ".join(f"v{i} mod 3 = {i}" for i in range(12))


def test_lines_break_beside_no_equals_sign():
    for first in ("", "Proved: ", "x" * 9):
        lines = wrapped(LONG, first)
        assert " ".join(line.strip() for line in lines) == (first + LONG).strip()
        assert len(lines) > 1 and max(map(len, lines)) <= WIDTH
        assert not any(line.strip().startswith("=") or line.endswith("=") for line in lines)
        assert all(line.startswith(" " * len(first)) for line in lines[1:])


def test_a_word_longer_than_a_line_stays_whole_and_no_text_leaves_the_head():
    assert wrapped(f"n {'9' * 120} m", "  ") == ["  n", f"  {'9' * 120}", "  m"]
    assert wrapped("", "Proved: ") == ["Proved: "]


def test_a_game_is_called_by_its_constants():
    game = icg.load("take_away", {"n": 5}).game
    assert equalities(game.constants) == "n = 5"
    assert call_game(game) == f"take_away (n = 5): {game.title}"
    assert in_prose(game) == f"{game.title} with n = 5"
    bare = replace(game, title="", constants=())
    assert (call_game(bare), in_prose(bare)) == ("take_away", "take_away")


def test_parts_stand_a_line_apart_and_empty_ones_leave_none():
    report = (Title("nim", "solved"), Notes(()), Listing(()), notes("one", Note("two", "  B: ")))
    assert as_text(report) == "nim\nsolved\n\none\n  B: two\n"


def test_facts_of_sides_stand_in_a_column_or_below():
    short = Sides("A player", (Side("loses", "a = b", "size 2"), Side("wins", "a != b", "size 2")))
    assert as_text((short,), ("method",)).splitlines()[2:] == [
        "  loses  iff  a = b    size 2",
        "  wins   iff  a != b   size 2",
    ]
    long = Sides("A player", (Side("loses", LONG, "size 36"),))
    (_, _, first, *rest) = as_text((long,), ("method",)).split("\n")
    assert first.startswith("  loses  iff  v0 mod 3 = 0")
    assert rest[-2:] == [f"{' ' * 14}[size 36]", ""]


@pytest.mark.parametrize("count", [14, 15])
def test_of_many_rules_some_are_shown_and_the_rest_counted(count):
    steps = as_text((Steps("Do", tuple(f"take({i})" for i in range(count))),))
    cases = as_text((Cases("Do", tuple((f"a = {i}", f"take({i})") for i in range(count))),))
    for text in (steps, cases):
        assert ("... and 1 more (--json has them all)" in text) == (count > 14)
        assert ("take(14)" in text) is False
    html = as_html((Steps("Do", tuple("ab" * 16)),))
    assert html.count("<li>") == 30 and "and 2 more" in html


def test_a_long_case_has_its_move_on_a_line_of_its_own():
    lines = as_text((Cases("Do", (("a > b", "x"), (LONG, "y"))),)).splitlines()
    assert lines[2].split() == ["a", ">", "b", "x"]
    assert lines[-1].split() == ["y"] and lines[-1].index("y") == lines[2].index("x")


def test_a_column_of_names():
    lines = as_text((Facts((("period", "12"), ("exceptions", LONG)), 12),)).splitlines()
    assert lines[0] == "period      12" and lines[1].startswith("exceptions  v0")
    assert all(line.startswith(" " * 12) for line in lines[2:])


@pytest.mark.parametrize(
    "part",
    [
        Title("<b>", "<b>"),
        Sides("<b>", (Side("loses", "<b>"),)),
        Steps("<b>", ("<b>",)),
        Cases("<b>", (("<b>", "<b>"),)),
        notes(Note("<b>", "<b>")),
        Facts((("<b>", "<b>"),), 5),
        Listing(("<b>",)),
    ],
)
def test_nothing_of_a_game_becomes_html(part):
    assert "<b>" in as_text((part,))
    html = as_html((part,))
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_an_empty_column_is_left_out_of_a_table():
    assert as_html((Cases("Do", (("", "x"),)),)).count("<td>") == 1


def test_a_part_is_shown_to_those_who_ask_for_it():
    report = (
        Sides("A player", (Side("loses", "a = b", "size 2"),)),
        Steps("In words:", ("take all",), "words"),
        Cases("The same:", (("a > b", "take(a - b)"),), "all"),
        notes("Proved.", Note("isl", "Method: ", detail="method")),
    )
    marks = {"words": "take all", "all": "take(a - b)", "method": "size 2"}
    for asked in ((), ("words",), ("all",), ("method",), ("all", "words", "method")):
        text = as_text(report, asked)
        assert {name for name, mark in marks.items() if mark in text} == set(asked)
        assert ("Method: isl" in text) == ("method" in asked) and "Proved." in text
    assert all(mark not in as_html(report) for mark in marks.values())


def test_twice_is_said_of_what_two_engines_proved_and_of_nothing_else():
    parts = [("it ends", ("isl", "z3")), ("it wins", ("isl",)), ("it is", ())]
    said = [note.text for note in tell_proofs(parts) if not note.detail]
    assert [("twice" in text, "once" in text) for text in said] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert [text.split(",")[0] for text in said] == ["it ends", "it wins", "it is"]
    how = [note.text for note in tell_proofs(parts) if note.detail == "method"]
    assert how == ["isl, confirmed by z3: it ends.", "isl: it wins."]


def test_what_was_checked_counts_what_disagrees_near_and_far():
    box = BoxCheck(9, 100, 1, FarCheck(40, 10**30, 2))
    assert tell_checks(box, "play", "far play").text.endswith("; 3 disagree.")
    assert "no farther state" in tell_checks(replace(box, far=FarCheck(0, 0, 0)), "a", "b").text


def test_a_part_that_nobody_confirms_is_not_told_as_proved():
    """Sees what one engine alone proved told as "proved for this member"."""
    game = icg.loads("game g var n legal n >= 0 action a pre n >= 1 eff n := n - 1").game
    doubted = replace(solve(game), notes=("fft: it covers (nobody confirms it)",))
    told = as_text(solution_report(doubted))
    assert "nobody confirms it" in told and "proved for this member" not in told

"""``icgsynth show`` and ``icgsynth list WORD``: what the catalog holds, and its rules."""

from __future__ import annotations

import json

import pytest
from commands import call

from icgsynth.spec.catalog import KINDS, files


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_are_shown_as_they_are(capfd, kind):
    """A mutant that prints the game as it was read loses the comments."""
    for path in files(kind).values():
        assert call(capfd, "show", path.name) == (0, path.read_text("utf-8"), "")


def test_a_name_needs_no_ending(capfd):
    assert call(capfd, "show", "nim2") == call(capfd, "show", "nim2.icg")
    assert call(capfd, "show", "nim") == call(capfd, "show", "nim.kif"), "as for play"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nim22", "there is no catalog game 'nim22'\n  did you mean nim2"),
        ("NIM2", "there is no catalog game 'NIM2'\n  did you mean nim2?"),
        ("zzzzzzzz", "there is no catalog game 'zzzzzzzz'\n  'icgsynth list' shows the catalog"),
        ("kayles", "kayles is the code 0.77 of heaps, and no file of rules"),
        ("../specs/nim2.icg", "there is no catalog game '../specs/nim2.icg'"),
        ("", "there is no catalog game ''"),
    ],
)
def test_another_name_is_one_message(capfd, name, said):
    code, out, err = call(capfd, "show", name)
    assert (code, out) == (2, "")
    assert err.startswith(f"icgsynth: {said}")


def listed(capfd, *arguments):
    code, out, err = call(capfd, "list", *arguments, "--json")
    assert (code, err) == (0, "")
    return {(game["name"], game["language"]) for game in json.loads(out)}


def test_a_word_filters_by_name_and_title_in_any_case(capfd):
    """A mutant that looks at names alone misses ``ttt_s``, one that heeds case the first word."""
    found = listed(capfd, "TIC-tac")
    assert {("tictactoe", "gdl"), ("ttt_s", "asp")} <= found
    assert found < listed(capfd)
    assert {("wythoff", "icg"), ("blocking_wythoff", "icg")} <= listed(capfd, "wythoff")
    assert listed(capfd, "nim", "--finite") < listed(capfd, "nim")
    assert listed(capfd, "kayles", "--heaps") == {("kayles", "heaps"), ("dawsons_kayles", "heaps")}


def test_constants_of_an_encoding_are_listed(capfd):
    code, out, _ = call(capfd, "list", "mnk")
    assert code == 0
    assert out == "mnk  The m,n,k game  (clingo)  [m=3, n=3, k=3, first=a]\n"


def test_a_word_that_no_game_has_is_one_message(capfd):
    code, out, err = call(capfd, "list", "zzz")
    assert (code, out) == (2, "")
    assert err.startswith("icgsynth: no game here has 'zzz' in its name or title\n")

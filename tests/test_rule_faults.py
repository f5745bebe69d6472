"""``check`` names the move that is at fault, where it leads, and what would mend it."""

import json
import re

import pytest
from commands import call

from icgsynth.game.solution import Verdict
from icgsynth.prove.discharge import Finding
from icgsynth.prove.rule_faults import leaving
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source

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
        ("a = 0 or a = 7", "a = 7 is declared an end, yet without that a move would apply there"),
        ("a < 0", "a = 0 is not declared an end, but has no move"),
    ],
)
def test_a_wrong_end_is_shown_at_a_state(capfd, tmp_path, end, shown):
    code, out = checked(capfd, tmp_path, NO_UPPER.replace("action", f"end {end}\naction"))
    assert code == 0
    assert f"  ending       refuted  {shown}\n" in out

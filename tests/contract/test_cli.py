"""The contract of the command line (docs, *Command line*): exit codes, streams, files, budgets."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from commands import call, process, validate
from speed import sampled

from icgsynth.cli import group, run
from icgsynth.export import FORMATS
from icgsynth.subjects import subject
from icgsynth.wings import wings

LOOP = "game loop\nvar a\nlegal 0 <= a <= 3\naction go pre true eff a := 3 - a\n"
STAY = """game stay
var a, b
legal a >= 0 and b >= 0
action take(k) pre 1 <= k <= a eff a := a - k
action stay pre b >= 1 eff a := a
"""
CLIMB = "game climb\nvar a\nlegal a >= 0\naction go pre true eff a := a + 1\n"
# The declared end leaves moves over, and one precondition lets a pile go below zero.
LOOSE = (
    "game loose\nvar a\nlegal a >= 0\nend a = 7\naction take(k) pre 1 <= k <= 2 eff a := a - k\n"
)


def ended(*arguments, **more):
    """The exit code, stdout and stderr of a process."""
    done = process(*arguments, **more)
    return done.returncode, done.stdout, done.stderr


def one_json_value(text):
    value, end = json.JSONDecoder().raw_decode(text)
    assert text[end:].strip() == "", "more than one JSON value on stdout"
    return value


def valid(text):
    value = one_json_value(text)
    validate(value)
    return value


@pytest.fixture(scope="module")
def nim2(tmp_path_factory):
    """Solutions of two-pile Nim for both rules, as solve writes them."""
    path = tmp_path_factory.mktemp("nim2") / "nim2.json"
    assert run(["solve", "nim2", "--rule", "both", "--quiet", "-o", str(path)]) == 0
    return json.loads(path.read_text("utf-8"))


# --- help ------------------------------------------------------------------------------------

CODES = {  # of each command
    "check": "0234",
    "solve": "0234",
    "value": "0234",
    "verify": "0234",
    "export": "02",
    "table": "02",
    "play": "02",
    "family": "0234",
    "sweep": "02",
    "learn": "0234",
    "tournament": "02",
    "list": "02",
    "show": "02",
    "fft": "0234",
    "starts": "024",
    **{wing: "02" for wing in wings() if wing == "studio"},  # it may be left out
}


def test_the_commands_are_those_of_the_contract():
    assert set(group.commands) == set(CODES)


@pytest.mark.parametrize("command", CODES)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_the_exit_codes(capfd, command, flag):
    code, out, err = call(capfd, command, flag)
    assert (code, err) == (0, "")
    said = out.partition("Exit codes:")[2].partition("Options:")[0]
    assert said, "no exit codes"
    for digit in CODES[command]:
        assert f"{digit} " in said, f"exit code {digit} is not explained"


@pytest.mark.parametrize("command", CODES)
def test_every_option_has_a_help(command):
    context = click.Context(group.commands[command], **group.context_settings)
    for parameter in group.commands[command].get_params(context):
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{command} {parameter.name}"


def test_version(capfd):
    code, out, _ = call(capfd, "--version")
    assert code == 0
    assert out.startswith("icgsynth ")


def test_defaults_are_those_of_the_contract():
    def default(command, name):
        options = {p.name: p.default for p in group.commands[command].params}
        return options[name]

    assert default("solve", "rule") is None  # as the rules state, which is normal play in most
    assert subject("nim2").rule == "normal"
    assert default("solve", "timeout") == 60
    assert default("check", "timeout") == 20


# --- exit codes, each by a real run ------------------------------------------------------------


def test_a_game_that_never_ends_is_drawn(capfd, spec):
    code, out, _ = call(capfd, "solve", spec(LOOP), "--json")
    value = one_json_value(out)
    assert (code, value["status"]) == (0, "solved")
    assert [value[key]["formula"] for key in ("winning", "losing", "drawn")] == [
        *("false", "false", "true")
    ]


@pytest.mark.parametrize("text", [LOOP, STAY])
def test_the_cycle_is_one(capfd, spec, text):
    """Each state of the printed cycle has a move to the next."""
    code, out, _ = call(capfd, "check", spec(text), "--json")
    assert code == 3
    cycle = one_json_value(out)["cycle"]
    assert len(cycle) >= 2
    assert cycle[0] == cycle[-1]
    for before, after in itertools.pairwise(cycle):
        if text == LOOP:
            assert 0 <= before[0] <= 3
            assert after == [3 - before[0]]
        else:
            taken = after[0] < before[0] and after[1] == before[1]
            assert min(before) >= 0
            assert taken or (before == after and before[1] >= 1)


def test_a_move_in_every_state_is_3(capfd, spec):
    code, out, _ = call(capfd, "check", spec(CLIMB))
    assert code == 3
    assert "refuted" in out and "every legal state has a move" in out


def test_an_answer_without_termination_is_conditional(capfd, spec):
    """``a := a + 1`` for ever: no claim may rest on the obligations alone."""
    for rule in ("normal", "misere"):
        code, out, _ = call(capfd, "solve", spec(CLIMB), "--json", "--rule", rule, "--timeout", 5)
        assert code == 3
        solution = valid(out)
        assert solution["status"] == "unknown"
        assert solution["proof"]["termination"] == "refuted"


def test_both_rules_give_the_worse_code(capfd, spec):
    code, out, _ = call(capfd, "solve", spec(LOOP), "--rule", "both", "--finite-only", "--json")
    assert code == 3
    assert [s["status"] for s in valid(out)] == ["unknown", "unknown"]


def test_both_rules_check_what_does_not_depend_on_them_once(capfd, monkeypatch):
    from icgsynth.solve import search

    asked, prove = [], search.check_twice
    monkeypatch.setattr(search, "check_twice", lambda *a: asked.append(a) or prove(*a))
    code, out, _ = call(capfd, "solve", "nim2", "--rule", "both", "--json")
    assert code == 0 and len(asked) == 1
    first, second = valid(out)
    rules = ("closure", "ending", "termination")
    for part in rules:
        assert first["proof"][part] == second["proof"][part] == "proved"
        assert first["confirmed"].get(part) == second["confirmed"].get(part)


def test_refuted_closure_and_ending_are_warnings(capfd, spec):
    path = spec(LOOSE)
    code, out, err = call(capfd, "check", path, "--json")
    value = one_json_value(out)
    assert code == 0
    first, second = err.splitlines()
    assert first.startswith("warning: ") and "leave the legal" in first
    assert second.startswith("warning: ") and "declared end" in second
    assert call(capfd, "check", path, "--quiet")[2] == ""
    assert value["closure"]["verdict"] == value["ending"]["verdict"] == "refuted"
    assert value["termination"]["verdict"] == "proved"
    # a = 0 with k = 1 or 2, or a = 1 with k = 2.
    at = value["closure"]["witness"]
    assert at["a"] - at["k"] < 0 <= at["a"] and 1 <= at["k"] <= 2
    # At 7 there would be moves; at 0 there is none, though no end is declared there.
    assert value["ending"]["witness"]["a"] in (0, 7)


def test_a_refuted_closure_is_a_warning_of_solve(capfd, spec):
    code, out, err = call(capfd, "solve", spec(LOOSE), "--timeout", 20)
    assert "warning" in err
    assert "warning" not in out
    assert code in (0, 4)
    code, _, err = call(capfd, "solve", spec(LOOSE), "--timeout", 20, "--quiet")
    assert err == ""


# --- streams and files ---------------------------------------------------------------------------


def test_json_is_one_value_and_valid(capfd):
    code, out, err = call(capfd, "solve", "nim2", "--json")
    assert (code, err) == (0, "")
    solution = valid(out)
    assert isinstance(solution, dict)
    assert solution["status"] == "solved"
    assert solution["losing"]["formula"] == "a = b"
    assert solution["winning"]["size"] == 2
    assert {solution["proof"][p] for p in ("termination", "winning", "strategy")} == {"proved"}
    assert solution["explicit"]["disagreements"] == 0
    assert solution["seconds"]["total"] > 0


def test_both_rules_are_a_list_normal_first(nim2):
    validate(nim2)
    assert [s["rule"] for s in nim2] == ["normal", "misere"]


def test_set_reaches_the_answer(capfd):
    code, out, _ = call(capfd, "solve", "take_away", "--set", "n=5", "--json")
    assert code == 0
    solution = valid(out)
    assert solution["constants"] == {"n": 5}
    assert solution["losing"]["formula"] == "v mod 6 = 0"
    _, out, _ = call(capfd, "solve", "take_away", "--set", "n=4", "--set", "n=5", "--json")
    assert valid(out)["constants"] == {"n": 5}


def test_the_output_file_holds_the_json_and_stdout_the_report(capfd, tmp_path):
    path = tmp_path / "out.json"
    code, out, _ = call(capfd, "solve", "nim2", "-o", path)
    assert code == 0
    assert valid(path.read_text("utf-8"))["game"] == "nim2"
    assert "wins" in out
    with pytest.raises(ValueError):
        json.loads(out)


def test_the_output_file_is_replaced_whole(capfd, tmp_path):
    path = tmp_path / "out.json"
    path.write_text("x" * 100_000)
    call(capfd, "solve", "nim2", "-o", path)
    valid(path.read_text("utf-8"))
    assert list(tmp_path.iterdir()) == [path], "something was left behind"
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("place", ["missing/out.json", ".", "file/out.json"])
def test_an_output_file_that_cannot_be_written(capfd, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    code, _out, err = call(capfd, "solve", "nim2", "-o", place)
    assert code == 2
    assert err.strip()


@pytest.mark.slow
def test_no_escape_codes_when_piped():
    for arguments in (["solve", "nim2"], ["check", "nim2"], ["list"], ["solve", "--help"]):
        code, out, err = ended(*arguments, env={"TERM": "xterm-256color", "FORCE_COLOR": ""})
        assert code == 0
        assert "\x1b" not in out + err


def test_no_color_is_honoured():
    code, out, err = ended("solve", "nim2", env={"NO_COLOR": "1", "TERM": "xterm-256color"})
    assert code == 0
    assert "\x1b" not in out + err


def test_a_reader_who_leaves_early_sees_no_traceback():
    done = subprocess.run(
        f"{sys.executable} -m icgsynth list | head -1; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr and "internal" not in done.stderr


def test_list_names_every_game(capfd):
    specs = Path(__file__).parents[2] / "specs"
    code, out, _ = call(capfd, "list")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    impartial = sorted(p.stem for p in specs.rglob("*.icg"))
    finite = [p.stem for kind in ("gdl/*.kif", "asp/*.lp") for p in sorted(specs.glob(kind))]
    assert names == impartial + finite
    code, out, _ = call(capfd, "list", "--json")
    assert [e["name"] for e in one_json_value(out)] == names
    code, out, _ = call(capfd, "list", "--finite")
    assert [line.split()[0] for line in out.splitlines()] == finite


# --- budgets -------------------------------------------------------------------------------------

# Nobody knows an answer of these games: whoever does not heed the budget does not end.


@sampled("game", ["chomp_3row", "maharaja_nim"])
@sampled("timeout", [0.5, 3])
def test_a_small_budget_is_kept(tmp_path, game, timeout):
    path = tmp_path / "out.json"
    code, out, _err = ended("solve", game, "--timeout", timeout, "--json", "-o", path)
    assert code == 4
    solution = valid(out)
    assert solution["status"] == "unknown"
    assert solution["winning"] is None and solution["losing"] is None
    assert solution["strategy"] == []
    assert valid(path.read_text("utf-8")) == solution, "on exit 4 the file is written as well"


def test_both_rules_with_a_small_budget():
    code, out, _ = ended("solve", "chomp_3row", "--rule", "both", "--timeout", 0.3, "--json")
    assert code == 4
    assert [s["rule"] for s in valid(out)] == ["normal", "misere"]


@sampled("command", ["check", "solve"])
def test_very_many_variables(spec, command):
    """numpy has no arrays of so many dimensions."""
    names = [f"x{i}" for i in range(80)]
    takes = (f"action t{n}(k) pre 1 <= k <= {n} eff {n} := {n} - k" for n in names)
    legal = " and ".join(f"{n} >= 0" for n in names)
    path = spec("\n".join([f"game many var {', '.join(names)} legal {legal}", *takes]))
    code, _, err = ended(command, path, "--timeout", 2)
    assert (code in (0, 4), err) == (True, "")


# --- verify --------------------------------------------------------------------------------------


def verify(capfd, tmp_path, game, solution, *options):
    path = tmp_path / "solution.json"
    path.write_text(solution if isinstance(solution, str) else json.dumps(solution), "utf-8")
    return call(capfd, "verify", game, path, *options)


def test_what_solve_found_is_proved(capfd, tmp_path, nim2):
    for solution in nim2:
        code, out, _ = verify(capfd, tmp_path, "nim2", solution)
        assert code == 0, out
        assert "proved" in out
    code, out, _ = verify(capfd, tmp_path, "nim2", nim2, "--rule", "misere", "--json")
    assert code == 0
    assert one_json_value(out)["verdict"] == "proved"


def test_a_list_of_two_wants_a_rule(capfd, tmp_path, nim2):
    code, out, err = verify(capfd, tmp_path, "nim2", nim2)
    assert (code, out) == (2, "")
    assert "--rule" in err


@pytest.mark.parametrize(
    ("winning", "losing"),
    [
        ("a != b + 1", "a = b + 1"),
        ("a > b", "a <= b"),
        ("true", "false"),
        ("false", "true"),
        ("a != b or a = 1000", "a = b and a != 1000"),
        ("a != b and a + b != 999", "a = b or a + b = 999"),
        ("a != b", "a = b and a <= 50"),  # the two do not complement each other
        ("a != b", "a = b or a = b + 7"),
    ],
)
def test_an_edited_formula_is_refuted(capfd, tmp_path, nim2, winning, losing):
    edited = dict(nim2[0], winning={"formula": winning}, losing={"formula": losing}, cover=[])
    code, out, _ = verify(capfd, tmp_path, "nim2", edited, "--json")
    assert code == 3
    value = one_json_value(out)
    assert value["verdict"] == "refuted"
    witnesses = [p["witness"] for p in value["parts"].values() if "witness" in p]
    assert witnesses, "no counterexample"
    assert all(w["a"] >= 0 and w["b"] >= 0 for w in witnesses)


@pytest.mark.parametrize(
    "strategy",
    [
        [{"when": "a > b", "action": "take_a", "args": {"k": "a - b"}}],  # a < b is left out
        [
            {"when": "a > b", "action": "take_a", "args": {"k": "a - b"}},
            {"when": "a < b", "action": "take_b", "args": {"k": "1"}},
        ],
        [
            {"when": "a > b", "action": "take_a", "args": {"k": "a - b"}},
            {"when": "a < b", "action": "take_a", "args": {"k": "b - a"}},
        ],
        [{"when": "true", "action": "take_a", "args": {"k": "a - b"}}],
        [
            {"when": "a > b + 100", "action": "take_a", "args": {"k": "a - b - 1"}},
            {"when": "a > b", "action": "take_a", "args": {"k": "a - b"}},
            {"when": "a < b", "action": "take_b", "args": {"k": "b - a"}},
        ],
    ],
)
def test_an_edited_strategy_is_refuted(capfd, tmp_path, nim2, strategy):
    edited = dict(nim2[0], strategy=strategy, fft=[])
    code, out, _ = verify(capfd, tmp_path, "nim2", edited, "--json")
    assert code == 3
    assert one_json_value(out)["parts"]["strategy"]["verdict"] == "refuted"


def test_another_right_answer_is_proved(capfd, tmp_path, nim2):
    """Written by hand: longer formulas, rules in another order and of another shape."""
    by_hand = {
        "rule": "normal",
        "winning": {"formula": "not (a = b) or a < b"},
        "losing": {"formula": "a <= b and a >= b"},
        "strategy": [
            {"when": "b >= a + 1", "action": "take_b", "args": {"k": "max(a, b) - min(a, b)"}},
            {"when": "a > b", "action": "take_a", "args": {"k": "abs(b - a)"}},
        ],
    }
    code, out, _ = verify(capfd, tmp_path, "nim2", by_hand)
    assert code == 0, out


def test_a_condition_that_holds_in_a_losing_state_is_refuted(capfd, tmp_path, nim2):
    # Definition 2.4 (1): the conditions together are the winning formula, no more.
    strategy = [
        {"when": "b > a", "action": "take_b", "args": {"k": "b - a"}},
        {"when": "true", "action": "take_a", "args": {"k": "a - b"}},
    ]
    code, out, _ = verify(capfd, tmp_path, "nim2", dict(nim2[0], strategy=strategy, fft=[]))
    assert code == 3, out
    assert "fails at a = 0, b = 0" in out


@pytest.mark.parametrize(
    "edit",
    [
        {"fft": [{"when": "true", "action": "take_a", "args": {"k": "1"}}]},
        {"cover": ["a > b"]},
        {"rule": "misere", "fft": [], "cover": []},
    ],
)
def test_another_edited_part_is_refuted(capfd, tmp_path, nim2, edit):
    assert verify(capfd, tmp_path, "nim2", nim2[0] | edit).returncode == 3


def test_an_answer_of_a_game_with_a_cycle_is_refuted(capfd, tmp_path, spec):
    answer = {"rule": "normal", "winning": "a > 0", "losing": "a = 0"}
    code, _out, _ = verify(capfd, tmp_path, spec(LOOP), answer)
    assert code == 3


def test_an_answer_without_termination_is_not_proved(capfd, tmp_path, spec):
    """The obligations hold for 'a mod 2 = 0' in the game that goes up for ever."""
    answer = {
        "rule": "normal",
        "winning": "a mod 2 = 1",
        "losing": "a mod 2 = 0",
        "strategy": [{"when": "a mod 2 = 1", "action": "go", "args": {}}],
    }
    code, out, _ = verify(capfd, tmp_path, spec(CLIMB), answer, "--json")
    assert code == 3
    assert one_json_value(out)["verdict"] == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"rule": "normal"}',
        '{"rule": "normal", "winning": {"formula": "a != "}}',
        '{"rule": "normal", "winning": {"formula": "a != c"}}',
        '{"rule": "normal", "winning": {"formula": "a * b = 1"}}',
        '{"rule": "sideways", "winning": {"formula": "a != b"}}',
        '{"rule": "normal", "winning": 7}',
        '{"rule": "normal", "winning": "a != b", "strategy": [{"when": "true"}]}',
        '{"rule": "normal", "winning": "a != b", "strategy": [{"action": "fly", "args": {}}]}',
        '{"rule": "normal", "winning": "a != b", "strategy": [{"action": "take_a"}]}',
        '{"rule": "normal", "winning": "a != b", "variables": ["x", "y"]}',
        "\x00\x01",
        "[" * 100_000,
    ],
)
def test_a_malformed_solution_is_2(capfd, tmp_path, text):
    name = "nim2" if "rule" in text else "take_away"  # what may be a tree is read with its states
    code, out, err = verify(capfd, tmp_path, name, text)
    assert (code, out) == (2, "")
    assert "solution.json:" in err
    assert "^" in err


# --- export --------------------------------------------------------------------------------------


LINEAR = sorted(set(FORMATS) - {"walnut"})


@pytest.mark.parametrize("fmt", LINEAR)
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_every_format_is_written(capfd, tmp_path, nim2, fmt, rule):
    path, out_path = tmp_path / "nim2.json", tmp_path / "out"
    path.write_text(json.dumps(nim2), "utf-8")
    code, out, err = call(capfd, "export", path, "--to", fmt, "--rule", rule)
    assert (code, err) == (0, "")
    assert out.strip()
    code, nothing, _ = call(capfd, "export", path, "--to", fmt, "--rule", rule, "-o", out_path)
    assert code == 0
    assert nothing == ""
    assert out_path.read_text("utf-8").rstrip() == out.rstrip()


def test_export_of_two_wants_a_rule(capfd, tmp_path, nim2):
    path = tmp_path / "nim2.json"
    path.write_text(json.dumps(nim2), "utf-8")
    code, out, err = call(capfd, "export", path, "--to", "fft")
    assert (code, out) == (2, "")
    assert "--rule" in err


# --- table -----


@pytest.mark.parametrize("end", [".svg", ".png"])
def test_a_table_as_a_picture(capfd, tmp_path, end):
    path = tmp_path / f"nim2{end}"
    asked = ("table", "nim2", "--bound", "5", "--rule", "misere", "-o", path)
    code, out, _ = call(capfd, *asked)
    assert (code, str(path) in out) == (0, True)
    code, out, _ = call(capfd, *asked, "-q")
    assert (code, out) == (0, "")
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG") if end == ".png" else b"<svg" in data[:500]


# --- play -----


def test_play_from_a_given_start():
    """The person takes what makes both piles equal; the strategy can only lose, and ends."""
    done = process("play", "nim2", "--start", "1,0", input="take_a 1\n")
    assert done.returncode == 0, done.stderr


@sampled("start", ["7", "7,4,1", "x,y", "-1,3", "1.5,2", ""])
def test_a_start_that_is_no_legal_state_is_2(start):
    code, _out, err = ended("play", "nim2", "--start", start)
    assert code == 2
    assert err.strip()

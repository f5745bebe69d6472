"""The contract of the Python package: ``icg.load(...).solve(...)`` and its frozen results."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy
import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.digits.numeration import numeration
from icgsynth.errors import IcgError, InputError
from icgsynth.export import export
from icgsynth.play.parametric import Session
from icgsynth.spec.icg import parse_formula

SPECS = Path(__file__).parents[2] / "specs"


def test_load_and_solve_from_a_file():
    """The line of the contract; misère Nim: as in normal play but with heaps of one."""
    solution = icg.load(SPECS / "nim2.icg").solve(rule="misere")
    assert solution.status == "solved"
    assert solution.rule == "misere"
    for a in range(12):
        for b in range(12):
            lost = (a == b and a >= 2) or a + b == 1
            from icgsynth.logic.evaluate import satisfies

            assert satisfies(solution.losing.formula, {"a": a, "b": b}) == lost
            assert satisfies(solution.winning.formula, {"a": a, "b": b}) != lost


def test_results_are_frozen():
    solution = icg.load("nim2").solve()
    for thing, name in ((solution, "status"), (solution.winning, "formula")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


def test_results_print_in_a_notebook():
    solution = icg.load("nim2").solve()
    assert "a = b" in solution._repr_latex_()
    drawn = ElementTree.fromstring(solution._repr_svg_())
    assert drawn.tag.endswith("svg")
    words = " ".join(e.text or "" for e in drawn.iter() if e.tag.endswith("text"))
    assert "losing" in words


def test_bad_input_raises_one_root():
    for bad in ("game", "game g var a legal a >= c", ""):
        with pytest.raises(InputError) as caught:
            icg.loads(bad)
        assert isinstance(caught.value, IcgError)
        assert "text:1:" in str(caught.value)
    with pytest.raises(InputError):
        icg.load("no_such_game")
    with pytest.raises(InputError):
        icg.load("nim2", {"n": 3})


def test_public_names():
    for name in icg.__all__:
        assert hasattr(icg, name)


HEAVY = ("z3", "islpy", "cvc5", "numpy", "lark", "distributed", "matplotlib", "resvg_py", "rich")


@pytest.mark.parametrize(
    "code",
    [
        "import icgsynth",
        "from icgsynth.cli import run; assert run(['--help']) == 0",
        "from icgsynth.cli import run; assert run(['solve', '--help']) == 0",
        "from icgsynth.cli import run; assert run(['--version']) == 0",
    ],
)
def test_help_loads_nothing_heavy(code):
    """Issue 2: help in under 0.25 s; what costs is the import of z3, numpy and lark."""
    code += f"; import sys; found = [m for m in {HEAVY!r} if m in sys.modules]"
    code += "; sys.exit(', '.join(found) if found else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- arguments that are none of those allowed ------------------------------------------------

NIM2 = icg.load("nim2")
_BELOW = [-1, -1e-9, float("-inf"), float("nan")]
_NO_NUMBERS = ["5", None, True, [1], 2j]

ARGUMENTS = {
    **{f"rule {x!r}": partial(NIM2.solve, rule=x) for x in ("miséry", "both", "Normal", "")},
    **{f"rule {x!r}": partial(NIM2.solve, rule=x) for x in (3, ["normal"], b"normal")},
    **{f"solve for {x!r} s": partial(NIM2.solve, timeout=x) for x in [*_BELOW, *_NO_NUMBERS]},
    **{f"check for {x!r} s": partial(NIM2.check, timeout=x) for x in [*_BELOW, *_NO_NUMBERS]},
    **{f"values for {x!r} s": partial(NIM2.values, timeout=x) for x in [*_BELOW, *_NO_NUMBERS]},
    **{f"processor time {x!r}": partial(Budget, 1.0, work=x) for x in [*_BELOW, *_NO_NUMBERS]},
    **{f"load {x!r}": partial(icg.load, x) for x in (3, None, b"nim2", "")},
    **{f"loads {x!r}": partial(icg.loads, x) for x in (3, None, b"game g")},
    **{
        f"constants {x!r}": partial(icg.load, "take_away", x)
        for x in (["n"], "n", 5, {"n": "5"}, {"n": 5.0}, {"n": True}, {"n": None}, {3: 3}, {"m": 1})
    },
    **{
        f"state {x!r}": partial(ask, x)
        for x in ((1,), (1, 2, 3), "ab", (1.0, 2), ("1", 2), None, 3, (None, 1))
        for ask in (NIM2.game.is_legal, lambda state: list(NIM2.game.moves(state)))
    },
    "a state of a session": lambda: Session(NIM2.game, "normal", (1,)),
    "a rule of a session": lambda: Session(NIM2.game, "both", (1, 2)),
    "a format": lambda: export(NIM2.solve(), "pdf"),
    "an answer": lambda: export(NIM2, "json"),
    "a text of a formula": lambda: parse_formula(3, ["a"]),
    **{f"system {x!r}": partial(numeration, x) for x in ("", "base-1", "base-x", 2, None)},
}


@pytest.mark.parametrize("ask", ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_are_checked_where_they_enter(ask):
    """One clear message, at once; and nothing is answered to a question that was not asked."""
    with pytest.raises(InputError) as caught:
        ask()
    assert len(str(caught.value).splitlines()) <= 3


def test_integers_of_numpy_are_numbers_of_a_state_like_others():
    """They are made plain at once: 2^62 + 2^62 is no number of theirs."""
    game = icg.loads("game g var a, b legal a + b >= 0 action t(k) pre 1 <= k <= a eff a := a - k")
    assert game.game.is_legal((numpy.int64(2**62), numpy.int64(2**62)))
    assert set(map(type, game.game.env((numpy.int64(1), numpy.int8(2))).values())) == {int}


# --- states, the catalog, files -------------------------------------------------------------------

PILE = "game pile var n legal n >= 0 action take(k) pre 1 <= k <= 3 and k <= n eff n := n - k"


def test_a_state_is_an_integer_a_tuple_or_a_mapping():
    """Faults it sees: one of them that some question does not take. Lost are multiples of 4."""
    game = icg.loads(PILE)
    solution, values = game.solve(), game.values()
    for n in (8, (8,), [8], {"n": 8}, numpy.int64(8)):
        assert not solution.is_winning(n) and solution.move(n) is None and values(n) == 0
        assert [move for _, move in game.moves(n)] == [{"k": 1}, {"k": 2}, {"k": 3}]
        assert "is lost" in solution.why(n) and not solution.is_drawn(n)
    assert values({"n": 7}) == 3 and solution.move(7) == ("take", {"k": 3})


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"m": 12}, "has no variable m"),
        ({"a": 1}, "has no b"),
        ({"a": 1, "b": 2, "c": 3}, "has no variable c"),
        ({"a": 1, "b": "2"}, "b is an integer, not '2'"),
        ((1, 2.5), "b is an integer, not 2.5"),
        ((1,), "each variable: a, b"),
        ((1, -1), "legal: a >= 0 and b >= 0"),
    ],
)
def test_an_error_names_the_variable(state, said):
    for ask in (NIM2.moves, NIM2.game.legal_state):
        with pytest.raises(InputError, match=said):
            ask(state)


def test_the_namespace_holds_what_is_meant_for_programs():
    """Kills: imports of the package's own, such as ``cast``, that an editor shows."""
    assert dir(icg) == sorted(icg.__all__)
    assert not {"cast", "islice", "replace", "wings", "Any"} & {*dir(icg)}


def test_the_catalog_is_listed_by_name_and_title():
    found = icg.catalog()
    assert found["nim2"] == "Nim on two piles" and {"tictactoe", "kayles"} <= {*found}
    assert {path.stem for path in SPECS.glob("*.icg")} <= {*found}


def test_load_takes_every_kind_and_refuses_another_than_was_asked_for():
    assert type(icg.load("tictactoe")).__name__ == "LoadedBoard"
    assert icg.load("0.77").moves(2) == icg.load("0.77", kind=icg.Loaded).moves(2)
    with pytest.raises(InputError, match=r"kind=LoadedBoard, from icgsynth\.boards\.loaded_board"):
        icg.load("tictactoe", kind=icg.LoadedGame)


def test_an_answer_file_is_read_as_the_answer_that_wrote_it(tmp_path):
    solution, values = NIM2.solve(), icg.loads(PILE).values()
    for answer in (solution, values):
        path = tmp_path / "answer.json"
        answer.save(path)
        again = icg.read(path, kind=type(answer))
        for key in ("rules", "status", "strategy", "proof", "logic"):
            assert again.to_json()[key] == answer.to_json()[key]
        assert str(again) == str(answer) or again.losing.formula == answer.losing.formula
        with pytest.raises(InputError, match="and no LoadedGame"):
            icg.read(path, kind=icg.LoadedGame)
    (tmp_path / "broken.json").write_text('{"kind": "strategy"}', "utf-8")
    with pytest.raises(InputError, match=r"broken\.json:1"):
        icg.read(tmp_path / "broken.json")


def test_a_sheet_is_bytes_of_pdf_and_of_other_answers_none():
    assert NIM2.solve().export("pdf").startswith(b"%PDF")
    with pytest.raises(InputError, match="sheet for a class"):
        icg.loads(PILE).values().export("pdf")

"""Games that may never end: three kinds of states, proved, and compared with play by other code."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import product

import pytest
from commands import validate
from locked_game import LOCKED, WHO, answer, played_out
from speed import sampled

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.export import FORMATS, export
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic.build import disjunction
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import FALSE, TRUE
from icgsynth.play.parametric import StrategyPlayer
from icgsynth.prove.certificate import certify
from icgsynth.prove.recheck.play_with_draws import check_draws
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

# The pile a may grow without end, so that no box shows all moves.
GROWS = """game grows
var a, b
legal a >= 0 and b >= 0 and b <= 2
action take(k)
  pre a >= 1 and b >= 1 and k <= 0
  eff a := a - k
"""
SAID = ("winning", "losing", "drawn", "levels", "strategy")


def kinds(solution: Solution, state: tuple[int, ...]) -> list[int]:
    env = solution.game.env(state)
    return [i for i, side in enumerate(solution.three_sides()) if satisfies(side, env)]


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_the_formulas_and_levels_are_those_of_play_by_hand(rule: str) -> None:
    solution = answer(LOCKED, rule)
    assert solution.is_proved and solution.draws is not None
    assert solution.proof["termination"] == "refuted"
    for state, (kind, moves) in played_out(rule, 9).items():
        assert kinds(solution, state) == [kind], state
        if moves is not None:
            env = solution.game.env(state)
            held = [i for i, f in enumerate(solution.draws.levels) if satisfies(f, env)]
            assert held[0] >= moves
    for part in ("winning", "strategy", "drawn"):
        assert len(solution.confirmed[part]) > 1


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_the_rules_keep_a_draw_and_win_otherwise(rule: str) -> None:
    solution = answer(LOCKED, rule)
    player = StrategyPlayer(solution)
    for state, (kind, _) in played_out(rule, 7).items():
        assert player.wins(solution.game, state) is (None if kind == 2 else kind == 0)
        if not list(solution.game.moves(state)):
            continue
        choice = player.choose(solution.game, state)
        if kind != 1:
            assert choice.rule is not None
            assert kinds(solution, solution.game.result(state, choice.move)) == [2 if kind else 1]
        if kind == 2:
            assert "drawn" in choice.reason


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_where_no_box_is_closed_a_guess_is_proved(rule: str) -> None:
    solution = answer(GROWS, rule)
    assert solution.is_proved
    for a in (0, 1, 5, 2**31, 10**30):
        for b in (0, 1, 2):
            over = a == 0 or b == 0
            assert kinds(solution, (a, b)) == [WHO[rule] if over else 2]


def test_without_draws_the_answer_is_that_play_may_never_end() -> None:
    solution = solve(icg.loads(LOCKED).game, "normal", Budget(60))
    assert solution.status == "unknown" and solution.cycle and solution.draws is None


def test_wins_of_any_length_are_said_by_a_term() -> None:
    """One counter at a time: parity decides, and who would lose by unlocking rattles for ever."""
    solution = answer(LOCKED.replace("k <= a", "k <= 1 and k <= a"), "normal")
    assert solution.status == "solved" and solution.draws.rank is not None
    for a, b in product(range(12), repeat=2):
        lost, drawn = b == 0 and a % 2 == 0, b > 0 and a % 2 == 1
        assert kinds(solution, (a, b)) == [1 if lost else 2 if drawn else 0]


# --- files -------------------------------------------------------------------------------------


def again(solution: Solution) -> Solution:
    source = Source("locked.json", json.dumps(solution.to_json()))
    return read_solution(source)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_file_says_it_all_and_is_proved_again(rule: str) -> None:
    solution = answer(LOCKED, rule)
    data = solution.to_json()
    validate(data)
    assert data["drawn"]["formula"] == str(solution.three_sides()[2])
    assert [entry.get("keeps") for entry in data["strategy"]].count("draw") == 1
    read = again(solution)
    assert {k: read.to_json()[k] for k in SAID} == {k: data[k] for k in SAID}
    assert certify(read, Budget(60)).verdict == "proved"


def broken(solution: Solution) -> dict[str, Solution]:
    """What is wrong in one place each."""
    draws = solution.draws
    assert draws is not None
    winning, losing, drawn = solution.three_sides()
    (keep,) = draws.keeping
    unlock = Strategy((Rule(keep.when, SemiGroundAction("unlock")),))
    too_wide = Strategy((Rule(TRUE, keep.act),))
    both = disjunction((losing, drawn))
    return {
        "drawn called lost": replace(
            solution, losing=Claim(both), draws=replace(draws, drawn=FALSE, keeping=Strategy())
        ),
        "drawn called won": replace(
            solution,
            winning=Claim(disjunction((winning, drawn))),
            draws=replace(draws, drawn=FALSE, keeping=Strategy()),
        ),
        "lost called drawn": replace(
            solution, losing=Claim(FALSE), draws=replace(draws, drawn=both)
        ),
        "two kinds at once": replace(solution, draws=replace(draws, drawn=TRUE)),
        "one level": replace(solution, draws=replace(draws, levels=(TRUE,))),
        "no level": replace(solution, draws=replace(draws, levels=())),
        "wrong order": replace(solution, draws=replace(draws, levels=draws.levels[::-1])),
        "gives the draw away": replace(solution, draws=replace(draws, keeping=unlock)),
        "keeps elsewhere": replace(solution, draws=replace(draws, keeping=too_wide)),
        "keeps nothing": replace(solution, draws=replace(draws, keeping=Strategy())),
        "no rule wins": replace(solution, strategy=Strategy()),
        "the other rule of play": replace(
            solution, rule="misere" if solution.rule == "normal" else "normal"
        ),
    }


FAULTS = (
    *("drawn called lost", "drawn called won", "lost called drawn", "two kinds at once"),
    *("one level", "no level", "wrong order", "gives the draw away", "keeps elsewhere"),
    *("keeps nothing", "no rule wins", "the other rule of play"),
)


@pytest.mark.parametrize("name", FAULTS)
@sampled("rule", ["normal", "misere"])
def test_an_answer_with_one_fault_is_refuted(rule: str, name: str) -> None:
    certificate = certify(broken(answer(LOCKED, rule))[name], Budget(60))
    assert certificate.verdict == "refuted", name
    wrong = [part for part in certificate.refuted if part not in ("explicit", "far")]
    assert wrong, "only play by hand has seen it"


def test_play_by_hand_stops_at_a_declared_end() -> None:
    """Seen: moves that the rules write for states where play is over, taken for moves."""
    found = answer(LOCKED.replace("action take", "end a = 0\naction take"), "normal")
    for a, b in product(range(6), repeat=2):  # without a the mover has lost, locked or not
        assert kinds(found, (a, b)) == [1 if a == 0 else 2 if b else 0]
    assert not check_draws(found, found.game, Budget(20), 200).far.disagreements


def test_a_rule_that_keeps_a_draw_needs_drawn_states() -> None:
    data = answer(LOCKED, "normal").to_json()
    for key, said in (("drawn", "names no drawn states"), ("winning", "winning")):
        less = {k: v for k, v in data.items() if k != key}
        with pytest.raises(InputError, match=said):
            read_solution(Source("locked.json", json.dumps(less)))


@pytest.mark.parametrize("fmt", FORMATS)
def test_no_format_calls_a_drawn_state_lost(fmt: str) -> None:
    solution = answer(LOCKED, "normal")
    if fmt in ("json", "smt2"):
        assert "drawn" in export(solution, fmt)
        return
    with pytest.raises(InputError, match="cannot say that states are drawn"):
        export(solution, fmt)


def test_nobody_gets_two_sides_of_three() -> None:
    solution = answer(LOCKED, "normal")
    with pytest.raises(InputError, match="drawn"):
        solution.sides()
    assert solution._repr_svg_() is None and not solution._repr_latex_()
    assert "draws  iff" in str(solution)


# --- the command -------------------------------------------------------------------------------


def said(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = run(list(arguments))
    return code, out.getvalue()


def test_exit_codes(tmp_path) -> None:  # type: ignore[no-untyped-def]
    spec, file = tmp_path / "locked.icg", tmp_path / "locked.json"
    spec.write_text(LOCKED)
    assert said("solve", str(spec), "-o", str(file), "--quiet")[0] == 0
    assert said("solve", str(spec), "--finite-only", "--quiet")[0] == 3
    assert said("check", str(spec))[0] == 3
    assert said("verify", str(spec), str(file))[0] == 0
    code, text = said("export", str(file), "--to", "python")
    assert code == 2 and "cannot say that states are drawn" in text
    data = json.loads(file.read_text())
    data["losing"], data["drawn"] = data["drawn"], data["losing"]
    file.write_text(json.dumps(data))
    assert said("verify", str(spec), str(file))[0] == 3


# --- how the three kinds are said ------------------------------------------------------------

SWAP = """action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
action swap  pre a != b  eff a := b, b := a
"""
SAID_SHORTLY = {
    # rules: rule of play, sizes of the winning, losing and drawn formulas
    "var a legal a >= 0 action down(k) pre 1 <= k <= a eff a := a - k "
    "action swing pre a >= 1 eff a := a + 1": ("normal", 2, 2, 0),  # a > 0, a = 0
    "var a action one pre a > 0 eff a := a - 1 action two pre a > 1 eff a := a - 2 "
    "action stay pre a >= 3 eff a := a + 1": ("normal", 3, 2, 2),  # 0 < a <= 2, a <= 0, a > 2
    f"var a, b {SWAP}": ("misere", 5, 0, 5),  # a <= 0 and a = b, false, a > 0 or a != b
}


@pytest.mark.parametrize("rules", SAID_SHORTLY, ids=range(len(SAID_SHORTLY)))
def test_answers_with_drawn_states_are_worded_like_others(rules):
    """As short as can be, and said to be so: "not (1 <= 1 <= a) or a - 1 < 0" was for a <= 0."""
    rule, *sizes = SAID_SHORTLY[rules]
    found = answer(f"game said {rules}", rule)
    assert found.status == "solved"
    claims = (found.winning, found.losing, found.drawn)
    assert [claim.size for claim in claims] == sizes
    assert all(claim.minimal for claim in claims)
    assert again(found).drawn == found.drawn


def test_a_set_that_is_empty_or_everything_is_said_in_words():
    """No state is drawn where somebody can always win, and all are where play never ends."""
    rules = next(iter(SAID_SHORTLY))
    assert "No state is drawn." in str(answer(f"game said {rules}", "normal"))
    up_and_down = "action up pre true eff a := a + 1 action down pre a > 0 eff a := a - 1"
    on = answer(f"game on var a legal a >= 0 {up_and_down}", "normal")
    assert on.draws.drawn == TRUE and "Every state is drawn." in str(on)
    for shown in (str(on), on._repr_html_()):
        assert "if and only if" not in shown and " iff " not in shown
    assert on.why([2]).endswith(", which is drawn too.")


def test_the_report_says_in_how_many_moves_a_win_comes_also_if_in_one():
    """Who has one counter takes it and wins; with more one can only wait."""
    rules = "var a legal a >= 0 action take pre a = 1 eff a := 0 action wait pre a > 1 eff a := a"
    found = answer(f"game said {rules}", "normal")
    assert len(found.draws.levels) == 2
    lines = [line.split(maxsplit=1) for line in str(found).splitlines()]
    assert ["0", str(found.draws.levels[0])] in lines and ["1", "otherwise"] in lines


# --- a win that takes any number of moves -----------------------------------------------------

TRANSFER = """game transfer
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
action ab  pre a > b  eff a := a - 1, b := b + 1
action ba  pre b > a  eff b := b - 1, a := a + 1
"""


def test_levels_without_a_bound_are_a_term_that_falls():
    """Lost where a = b, as in Nim: whoever wins makes the piles equal, and they get smaller."""
    found = answer(TRANSFER, "normal")
    assert found.status == "solved"
    assert all(kinds(found, (a, b)) == [int(a == b)] for a in range(9) for b in range(9))
    data = json.loads(export(found, "json"))
    assert (data["levels"], data["rank"]) == ([], "a + b")
    validate(data)
    again = read_solution(Source("t.json", export(found, "json")))
    assert again.draws == found.draws and certify(again, Budget(20)).is_proved


@sampled("rank", ["0", "a", "a + b - 1", "-a - b", "a * 2 - b", "max(a, b) mod 3"])
def test_a_term_that_does_not_fall_is_refuted(rank):
    """By the obligations, and by play at single states, which shares no code with them."""
    found = answer(TRANSFER, "normal")
    term = parse_term(rank, found.game.variables)
    wrong = replace(found, draws=replace(found.draws, rank=term))
    assert certify(wrong, Budget(20)).refuted
    assert check_draws(wrong, wrong.game, Budget(20), 400).far.disagreements


def test_a_file_with_a_rank_and_levels_is_refused():
    """The levels beside a rank would be believed without a proof."""
    data = json.loads(export(answer(TRANSFER, "normal"), "json")) | {"levels": ["a = 0"]}
    with pytest.raises(InputError, match="both a rank and levels"):
        read_solution(Source("t.json", json.dumps(data)))

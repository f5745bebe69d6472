"""What a game and its answer say of one state in Python, against play that is labelled whole."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from catalog_answers import solved
from commands import call
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from locked_game import LOCKED, answer, played_out

import icgsynth as icg
from icgsynth.errors import InputError, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, Labels, label
from icgsynth.game.game import Move, PlainMove
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import TargetRule

GAMES = [
    ("nim2", "normal"),
    ("nim2", "misere"),
    ("chomp_2row", "normal"),
    ("take_away", "misere"),
    ("wythoff", "normal"),  # in digits
    ("wythoff_2", "normal"),  # also with rules that compute where to go
]
BOUND = 24
FAR = 10**30


@cache
def labels(name: str, rule: str) -> Labels:
    solution = solved(name, rule)
    return label(solution.game, Box.of(solution.game, BOUND), rule, solution.ranking)


def after(solution: Solution, state: tuple[int, ...], move: PlainMove) -> tuple[int, ...]:
    return solution.game.result(state, Move(move[0], tuple(move[1].items())))


@pytest.mark.parametrize(("name", "rule"), GAMES)
@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(st.integers(0, BOUND), min_size=2, max_size=2))
def test_who_wins_and_how_is_that_of_the_labels(name, rule, numbers):
    """Killed: sides that change places, a move in a lost state, None in a won one, a move to a
    state that is won, an end of misère play that is lost."""
    solution, table = solved(name, rule), labels(name, rule)
    state = tuple(numbers[: len(solution.game.variables)])
    assume(solution.game.is_legal(state))
    outcome, moves = table.at(state), icg.load(name).moves(state)
    assert outcome != UNKNOWN
    assert moves == [(m.action, dict(m.arguments)) for m in solution.game.moves(state)]
    assert solution.is_winning(state) is (outcome == WINNING)
    assert solution.is_drawn(state) is False
    move, why = solution.move(state), solution.why(state)
    if outcome == LOSING or not moves:
        assert move is None
        assert (" is lost" in why) is (outcome == LOSING)
        assert ("play is over" in why) is (not moves)
    else:
        assert move in moves
        there = after(solution, state, move)
        assert table.at(there) == LOSING
        assert " is won: by rule " in why
        said = (
            f"{Move(move[0], tuple(move[1].items()))} leads to {solution.game.show(there)}, which"
        )
        assert f"{said} is lost, for " in why


@pytest.mark.parametrize(("name", "rule"), GAMES)
@settings(deadline=None, max_examples=20)
@given(numbers=st.lists(st.integers(FAR, 2 * FAR), min_size=2, max_size=2))
def test_states_of_thirty_digits(name, rule, numbers):
    """A mutant that lists all moves to find one does not end."""
    solution = solved(name, rule)
    state = tuple(numbers[: len(solution.game.variables)])
    assume(solution.game.is_legal(state))
    move = solution.move(state)
    assert (move is None) is not solution.is_winning(state)
    assert move is None or not solution.is_winning(after(solution, state, move))
    assert str(state[0]) in solution.why(state)


def test_a_rule_that_computes_its_target_is_named():
    """A mutant that leaves out the rules of automata falls back on the losing states."""
    solution = solved("wythoff_2")
    computed = [i for i, rule in enumerate(solution.plan, 1) if isinstance(rule, TargetRule)]
    numbers = "|".join(map(str, computed))  # one, or more where the time was short
    said = re.compile(rf"by rule ({numbers}), (take_\w+) to a losing \(.*\), the move \2\(")
    states = [(a, b) for a in range(9) for b in range(9) if said.search(solution.why((a, b)))]
    assert states
    for state in states:
        there = after(solution, state, solution.move(state))
        assert labels("wythoff_2", "normal").at(there) == LOSING


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_drawn_states(rule):
    """Killed: drawn states that are winning, or lost, or without a move; moves that lose a draw."""
    solution = answer(LOCKED, rule)
    for state, (kind, _) in played_out(rule, 7).items():
        assert solution.is_winning(state) is (kind == 0)
        assert solution.is_drawn(state) is (kind == 2)
        move, moves = solution.move(state), icg.loads(LOCKED).moves(state)
        assert (move is None) is (kind == 1 or not moves)
        if move is not None:
            there = after(solution, state, move)
            assert solution.is_drawn(there) is (kind == 2)
            assert solution.is_winning(there) is False
        if kind == 2:
            assert "is drawn: by rule " in solution.why(state)
    assert solution.is_drawn((FAR, 2)) and solution.move((FAR, 2)) is not None


def test_a_state_is_given_in_order_or_by_names():
    """A mutant that takes a mapping's values in its own order finds (4, 7)."""
    solution = solved("nim2")
    for state in ((7, 4), [7, 4], {"b": 4, "a": 7}, iter((7, 4))):
        assert solution.move(state) == ("take_a", {"k": 3})


BAD = [(7,), (7, 4, 1), (-1, 4), {"a": 7}, {"a": 7, "x": 4}, {"a": 1, "b": 2, "c": 3}]


@pytest.mark.parametrize("state", [*BAD, 7, "74", (7.0, 4), (None, 1), None])
def test_what_is_no_legal_state_is_refused_with_a_mend(state):
    """A mutant of any of the questions that does not look says "lost" of (-1, 4)."""
    solution, game = solved("nim2"), icg.load("nim2")
    for ask in (solution.is_winning, solution.is_drawn, solution.move, solution.why, game.moves):
        with pytest.raises(InputError) as caught:
            ask(state)
        assert caught.value.mend.startswith(("give an integer for each variable", "legal: a >= 0"))


def test_what_is_not_known_is_not_said():
    from icgsynth.budget import Budget
    from icgsynth.solve.search import Search

    unknown = Search(icg.load("chomp_3row").game, "normal", Budget(1)).unknown("no time")
    for ask in (unknown.is_winning, unknown.is_drawn, unknown.move):
        with pytest.raises(Refused):
            ask((3, 2, 1))


def test_moves_are_listed_while_they_are_few():
    """A mutant without a limit fills the memory."""
    with pytest.raises(Refused, match="more than 100,000 moves"):
        icg.load("nim2").moves((FAR, 4))
    assert icg.load("take_away").moves((FAR,)) == [("take", {"k": k}) for k in (1, 2, 3)]
    with pytest.raises(InputError, match="a finite game, whose moves are not listed"):
        icg.load("tictactoe", kind=icg.Loaded).moves((1, 2))


@pytest.mark.parametrize("word", ["misere", "misère", "mise\u0300re"])
def test_misere_may_have_its_accent(capfd, word):
    """The accent may be a sign of its own, as in names of files on a Mac."""
    assert icg.load("take_away").solve(rule=word).rule == "misere"
    assert call(capfd, "table", "take_away", "--rule", word, "--bound", "3")[0] == 0


@pytest.mark.parametrize("word", ["both", "misery", "", 1])
def test_another_rule_is_refused_at_once(word):
    for name in ("nim2", "0.77"):
        with pytest.raises(InputError, match=r"no rule of play is .*\n  there are two"):
            icg.load(name, kind=icg.Loaded).solve(rule=word)


def test_verify_save_export_and_table(tmp_path):
    solution = solved("nim2")
    assert solution.verify().verdict == "proved" and solution.verify().is_proved
    path = tmp_path / "nim2.json"
    solution.save(path)
    assert json.loads(path.read_text("utf-8")) == solution.to_json()
    for wrong in (tmp_path / "nim2.txt", tmp_path):
        with pytest.raises(InputError):
            solution.save(wrong)
    assert "def move(" in solution.export("python")
    with pytest.raises(InputError, match=r"no export format 'cobol'\n  use one of: fft"):
        solution.export("cobol")
    with pytest.raises(InputError, match="bound -1"):
        solution.table(-1)
    table = solution.table(4)
    assert repr(table).startswith("Nim on two piles: normal play\na, b from 0 to 4")
    assert table._repr_svg_().startswith("<svg")


def test_a_table_has_no_unknown_states_where_the_answer_is_proved():
    """The edge of a small box is as a larger one has it, which knows more by definition.

    Kills: the edge in the colours of the other side.
    """
    text = solved("corner_knight", "normal").table(5).text
    larger = labels("corner_knight", "normal")
    assert "the edge of the box by the proved answer" in text
    rows = [line.partition("│") for line in text.splitlines() if "│" in line]
    drawn = {int(b): line.split() for b, _, line in rows}
    assert set(drawn) == set(range(6)) and any(line[5] == "·" for line in drawn.values())
    for b, line in drawn.items():
        for a, sign in enumerate(line):
            assert (sign in "■◆") == (larger.at((a, b)) == LOSING)


def test_a_wrong_answer_is_refuted():
    """A mutant that believes the status says "proved"."""
    from dataclasses import replace

    nim = solved("nim2")
    found = replace(nim, winning=nim.losing, losing=nim.winning).verify()
    assert (found.verdict, found.is_proved) == ("refuted", False)


def test_nothing_is_shown_as_the_text_of_a_dataclass():
    for name, rule in GAMES:
        solution = solved(name, rule)
        parts = (solution.winning, solution.losing, solution.cover, solution.strategy)
        more = (solution.plan, list(solution.tree), solution.proof, solution.ranking)
        game = (solution.game, solution.game.actions, list(solution.game.formulas()))
        for part in (*parts, *more, *game):
            assert not [word for word in ("=(", "Name(", "name=", "Verdict") if word in repr(part)]
    assert repr(solved("nim2").losing) == "<Claim a = b>"
    assert repr(solved("nim2").losing.formula) == "a = b"
    assert repr(solved("nim2").strategy[0]) == "if a > b: take_a(a - b)"
    assert repr(icg.load("nim2").game) == "<ParametricGame nim2>"

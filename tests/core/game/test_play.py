"""Matches: strategies win what they should, against anyone, on piles of any size."""

from dataclasses import replace
from itertools import product

import pytest
from effort import Calls
from hand_solved import ALL, chomp, chomp_misere, game, nim2, nim2_misere, solved, take_away
from random_player import RandomPlayer

from icgsynth.errors import IllegalMove, InputError, Refused
from icgsynth.game.game import Move
from icgsynth.game.moves import any_move, is_over, some_moves, why_not
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Strategy
from icgsynth.logic.evaluate import satisfies
from icgsynth.play.match import Choice, Player, match
from icgsynth.play.parametric import Session, StrategyPlayer
from icgsynth.spec.state_text import format_state, parse_move, parse_state

NIM = nim2().game
LARGE = 10**30


def move(action, **arguments):
    return Move(action, tuple(arguments.items()))


def winning_states(solution, side):
    of = solution.game
    for state in product(range(side), repeat=len(of.variables)):
        if of.is_legal(state) and satisfies(solution.winning.formula, of.env(state)):
            yield state


# --- matches ------------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_the_strategy_wins_every_winning_state(build):
    solution = build()
    for seed, state in enumerate(winning_states(solution, 7)):
        session = Session(solution.game, solution.rule, state)
        turns = list(match(session, (StrategyPlayer(solution), RandomPlayer(seed))))
        assert session.is_over and session.winner == 0, (state, turns)
        assert [t.seat for t in turns] == [i % 2 for i in range(len(turns))]
        for turn in turns[::2]:
            assert turn.choice.rule is not None and turn.choice.wins
            assert turn.choice.reason.startswith("rule ")
            assert str(turn.choice.rule) in turn.choice.reason


@pytest.mark.parametrize("build", ALL)
def test_the_strategy_wins_from_the_second_seat(build):
    solution = build()
    of = solution.game
    states = product(range(6), repeat=len(of.variables))
    losing = [
        s for s in states if of.is_legal(s) and not satisfies(solution.winning.formula, of.env(s))
    ]
    assert losing
    for state in losing:
        session = Session(of, solution.rule, state)
        list(match(session, (RandomPlayer(1), StrategyPlayer(solution))))
        assert session.winner == 1, state


def test_a_player_who_does_not_say_how_to_choose_is_none():
    """Fails where options stand for the choice as the choice stands for options."""

    class Undecided(Player):
        def options(self, game, state):
            return tuple(game.moves(state))

    with pytest.raises(TypeError):
        Undecided()


def test_a_wrong_strategy_can_lose():
    wrong = solved(
        NIM, "normal", "a != b", "a = b", ("a > 0", "take_a", "1"), ("b > 0", "take_b", "1")
    )
    lost = 0
    for seed in range(10):
        session = Session(NIM, "normal", (5, 3))
        list(match(session, (StrategyPlayer(wrong), StrategyPlayer(nim2()))))
        lost += session.winner == 1
        assert session.turns[0].choice.move == move("take_a", k=1), seed
    assert lost == 10


@pytest.mark.parametrize("build", [nim2, nim2_misere, chomp, chomp_misere])
def test_huge_piles(build):
    solution = build()
    with Calls() as calls:
        session = Session(solution.game, solution.rule, (3 * LARGE, LARGE))
        turns = list(match(session, (StrategyPlayer(solution), RandomPlayer(7))))
    assert session.winner == 0
    assert all(solution.game.applies(t.before, t.choice.move) for t in turns)
    assert calls.count < 1_000_000  # at most 175,000 as counted


def test_delaying_moves_are_small_and_said():
    choice = StrategyPlayer(nim2()).choose(NIM, (LARGE, LARGE))
    assert choice.move in (move("take_a", k=1), move("take_b", k=1))
    assert choice.wins is False and choice.rule is None
    assert choice.reason.startswith("delaying: ")
    choice = StrategyPlayer(chomp()).choose(chomp().game, (LARGE + 1, LARGE))
    assert choice.move in (move("eat1", k=LARGE + 1), move("eat2", k=LARGE))


def test_a_formula_without_rules_is_enough():
    bare = replace(nim2(), strategy=Strategy(), tree=Strategy(), status="conditional")
    choice = StrategyPlayer(bare).choose(NIM, (7, 4))
    assert choice.move == move("take_a", k=3) and choice.wins
    assert "losing state: a = b" in choice.reason and "not proved" in choice.reason


def test_nothing_known_still_plays():
    choice = StrategyPlayer(Solution(NIM, "normal", "unknown")).choose(NIM, (2, 4))
    assert NIM.applies((2, 4), choice.move)
    assert choice.wins is None and "not known" in choice.reason


def test_rules_of_an_unproved_strategy_that_do_not_apply():
    wrong = solved(NIM, "normal", "a != b", "a = b", ("true", "take_a", "a + 1"))
    choice = StrategyPlayer(wrong).choose(NIM, (7, 4))
    assert NIM.applies((7, 4), choice.move) and choice.rule is None


def test_no_move_where_the_game_is_over():
    player = StrategyPlayer(nim2())
    with pytest.raises(IllegalMove, match="the game is over"):
        player.choose(NIM, (0, 0))


# --- sessions -----------------------------------------------------------------------------


def test_who_wins():
    for rule, winner in (("normal", 1), ("misere", 0)):
        session = Session(NIM, rule, (0, 0))
        assert session.is_over and session.winner == winner and session.turns == []
    session = Session(NIM, "normal", (1, 0))
    assert session.winner is None
    turn = session.play(Choice(move("take_a", k=1), "why not"))
    assert (turn.number, turn.seat, turn.before, turn.after) == (1, 0, (1, 0), (0, 0))
    assert turn.choice.reason == "why not"
    assert session.is_over and session.winner == 0


def test_an_illegal_move_changes_nothing():
    session = Session(NIM, "normal", (2, 1))
    with pytest.raises(IllegalMove, match="it needs 1 <= k <= a, not 1 <= 3 <= 2"):
        session.play(move("take_a", k=3))
    assert (session.state, session.seat, session.turns) == ((2, 1), 0, [])
    session.play(move("take_a", k=2))
    session.play(move("take_b", k=1))
    with pytest.raises(IllegalMove, match="it needs 1 <= k <= a"):
        session.play(move("take_a", k=1))


def test_what_cannot_be_played():
    with pytest.raises(IllegalMove, match="not a legal state"):
        Session(NIM, "normal", (-1, 0))
    with pytest.raises(InputError, match="no state of"):
        Session(NIM, "normal", (1,))
    quantified = game("game g var a legal exists k. a = 2 * k action t pre a > 0 eff a := a - 2")
    with pytest.raises(Refused, match="quantifier"):
        Session(quantified, "normal", (2,))


def test_endless_play_is_stopped():
    loop = game("game g var a action t pre true eff a := 1 - a")
    session = Session(loop, "normal", (0,))
    with pytest.raises(Refused, match="not over after 50 moves"):
        list(match(session, (RandomPlayer(), RandomPlayer()), most=50))


# --- moves without lists --------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_small_states_have_all_moves(build):
    of = build().game
    for state in product(range(-1, 4), repeat=len(of.variables)):
        if of.is_legal(state):
            listed = set(of.moves(state))
            assert set(some_moves(of, state)) == listed
            assert is_over(of, state) == (not listed)


def test_moves_far_from_the_bounds_are_found():
    sparse = game(
        "game g var a legal a >= 0 action t(k) pre 1 <= k <= a and k mod 701 = 350 eff a := a - k"
    )
    assert dict(any_move(sparse, (LARGE,)).arguments)["k"] % 701 == 350
    assert not is_over(sparse, (LARGE,)) and is_over(sparse, (349,))


def test_parameters_without_a_bound():
    up = game("game g var a legal a <= 100 action t(k) pre k >= 1 eff a := a - k")
    assert not is_over(up, (-LARGE,))
    stuck = game("game g var a action t(k) pre k > a and k mod 90000 = 7 eff a := k")
    with pytest.raises(Refused, match="too hard to tell"):
        is_over(stuck, (10,))


def test_two_parameters_and_none():
    of = game(
        "game g var a, b legal a >= 0 and b >= 0 "
        "action both(i, j) pre 0 <= i <= a and 0 <= j <= b and i + j >= 1 "
        "eff a := a - i, b := b - j "
        "action none pre a = 1 and b = 1 eff a := 0"
    )
    assert set(some_moves(of, (1, 1))) == set(of.moves((1, 1)))
    assert len(set(some_moves(of, (1, 1)))) == 4


def test_why_not():
    assert why_not(NIM, (2, 2), move("take_a", k=1)) == ""
    assert "is not a legal state" in why_not(NIM, (-2, 2), move("take_a", k=1))
    assert why_not(NIM, (2, 2), move("take_c", k=1)) == "there is no action 'take_c'"
    assert "takes the parameters (k)" in why_not(NIM, (2, 2), move("take_a", j=1))
    assert "is over in (a, b) = (1, 0)" in why_not(chomp().game, (1, 0), move("eat2", k=1))
    of = game("game g var a legal a >= 5 action t(k) pre k >= 1 and k <= 3 eff a := a - k")
    said = why_not(of, (9,), move("t", k=4))
    assert "t(4)" in said and "a = 9" in said and "k <= 3, not 4 <= 3" in said
    said = why_not(of, (6,), move("t", k=2))
    assert "t(2)" in said and "a = 4" in said and said.endswith("a >= 5")


# --- what people type ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["take_a 3", " take_a(3) ", "take_a k=3", "take_a(k = 3)", "take_a ( +3 )", "take_a\t3"]
)
def test_moves_that_people_type(text):
    assert parse_move(NIM, (7, 4), text) == move("take_a", k=3)


def test_an_action_alone_needs_no_name():
    of = take_away().game
    for text in ("2", "(2)", "k=2", "take 2"):
        assert parse_move(of, (9,), text) == move("take", k=2)
    plain = game("game g var a legal a >= 0 action pass pre a > 0 eff a := a - 1")
    for text in ("pass", "pass()", "pass ( )"):
        assert parse_move(plain, (2,), text) == Move("pass")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "write a move such as: take_a k"),
        ("take_a(3", "write a move such as"),
        ("take_a(3) now", "write a move such as"),
        ("3", "which action? The actions are: take_a k, take_b k"),
        ("tak_a 3", "no action 'tak_a'; did you mean take_a?"),
        ("quit", "no action 'quit'"),
        ("take_a", "take_a takes 1 number, not 0: take_a k"),
        ("take_a 1, 2", "take_a takes 1 number, not 2"),
        ("take_a x", "'x' is not an integer"),
        ("take_a 1.5", "'1.5' is not an integer"),
        ("take_a j=1", "no parameter 'j'; there is k"),
        ("take_a 9", "it needs 1 <= k <= a, not 1 <= 9 <= 7"),
        ("take_a -1", "it needs 1 <= k <= a"),
        ("take_a " + "9" * 2000, "has more than 1,000 digits"),
        ("take_a ٣", "is not an integer"),
    ],
)
def test_moves_that_cannot_be_made(text, message):
    with pytest.raises(IllegalMove) as caught:
        parse_move(NIM, (7, 4), text)
    assert message in str(caught.value) and len(str(caught.value)) < 300


def test_states_that_people_type():
    for text in ("7,4", "(7, 4)", "7 4", "a=7 b=4", "b = 4, a = 7"):
        assert parse_state(NIM, text) == (7, 4)
    assert parse_state(NIM, f"{LARGE},0") == (LARGE, 0)
    for text in ("", "7", "7,4,1", "7,x", "-1,3", "a=7,a=4", "c=1 b=2", "7;4"):
        with pytest.raises(InputError) as caught:
            parse_state(NIM, text)
        assert caught.value.mend


def test_a_state_that_is_written_is_read_back():
    """Fault it sees: ``format_state`` that ends in a comma, as a tuple of one number does."""
    for text, states in (("a, b", [(-LARGE, 2**62), (0, -1)]), ("n", [(-7,), (2**31,)])):
        of = game(f"game g var {text} legal true action stay pre false eff {text[0]} := {text[0]}")
        assert [parse_state(of, format_state(state)) for state in states] == states


@pytest.mark.parametrize("rule", ["k in {1, 3, 4}", "(k = 1 or k = 3 or k = 4)"])
def test_of_few_numbers_those_that_are_allowed_are_told(rule):
    of = game(f"game g var n legal n >= 0 action take(k) pre {rule} and k <= n eff n := n - k")
    said = why_not(of, (9,), move("take", k=2))
    assert said == "take(2) is not allowed in n = 9: k must be 1, 3 or 4"
    assert "k <= n, not 4 <= 3" in why_not(of, (3,), move("take", k=4))

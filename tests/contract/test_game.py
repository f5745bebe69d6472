"""The Game and Tier protocols: one class of laws each, run against every implementation.

A later kind of game (a board, a graph) or of tier adds a subclass with its examples.
"""

from __future__ import annotations

import itertools

import pytest

import icgsynth as icg
from icgsynth.errors import IcgError, IllegalMove
from icgsynth.game.game import Move
from icgsynth.game.strategy import IntoLosing, Rule, SemiGroundAction, Strategy
from icgsynth.logic.term import TRUE
from icgsynth.spec.icg import parse_formula, parse_term


class GameContract:
    """What every game must do; ``game``, some ``states`` and some ``illegal`` ones."""

    @pytest.fixture
    def game(self):
        raise NotImplementedError

    states = ()
    illegal = ()
    counts = {}  # noqa: RUF012  state -> number of moves, from the rules by hand

    def test_name(self, game):
        assert game.name

    def test_legal(self, game):
        assert all(game.is_legal(s) for s in self.states)
        assert not any(game.is_legal(s) for s in self.illegal)

    def test_every_listed_move_applies_and_leads_to_a_legal_state(self, game):
        for state in self.states:
            for move in game.moves(state):
                assert game.applies(state, move)
                assert game.is_legal(game.result(state, move))

    def test_moves_come_once_and_in_a_fixed_order(self, game):
        for state in self.states:
            moves = list(game.moves(state))
            assert len(set(moves)) == len(moves)
            assert list(game.moves(state)) == moves

    def test_the_number_of_moves(self, game):
        for state, count in self.counts.items():
            assert len(list(game.moves(state))) == count, state

    def test_a_move_that_does_not_apply_is_refused(self, game):
        for state in self.states:
            for move in (Move("no_such_action"), Move("no_such_action", (("k", 1),))):
                assert not game.applies(state, move)
                with pytest.raises(IllegalMove):
                    game.result(state, move)

    def test_nothing_applies_in_an_illegal_state(self, game):
        moves = {m for s in self.states for m in game.moves(s)}
        for state in self.illegal:
            assert list(game.moves(state)) == []
            for move in moves:
                assert not game.applies(state, move)

    def test_listing_and_applying_agree(self, game):
        """Every move seen anywhere applies exactly where it is listed."""
        seen = {m for s in self.states for m in game.moves(s)}
        for state in self.states:
            listed = set(game.moves(state))
            assert {m for m in seen if game.applies(state, m)} == listed

    def test_states_are_values(self, game):
        for state in self.states:
            for move in game.moves(state):
                assert game.result(state, move) == game.result(state, move)
                hash(game.result(state, move))


class TestNim(GameContract):
    states = tuple(itertools.product(range(5), repeat=2))
    illegal = ((-1, 0), (3, -2))
    counts = {s: sum(s) for s in states}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        return icg.load("nim2").game


class TestTakeAway(GameContract):
    states = tuple((v,) for v in range(12))
    illegal = ((-1,),)
    counts = {(v,): min(v, 5) for v in range(12)}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        return icg.load("take_away", {"n": 5}).game


class TestChomp(GameContract):
    """In the ending state (1, 0) no action applies; (a, b) has a - 1 + b moves elsewhere."""

    states = tuple((a, b) for a in range(1, 6) for b in range(a + 1))
    illegal = ((0, 0), (2, 3), (3, -1))
    counts = {s: s[0] - 1 + s[1] for s in states}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        return icg.load("chomp_2row").game


class TestDeclaredEnd(GameContract):
    """Where ``end`` holds no action applies, and a result must be legal."""

    states = tuple((v,) for v in range(10))
    illegal = ((10,), (-1,))
    counts = {(0,): 0, (1,): 1, (2,): 2, (7,): 0, (8,): 2, (9,): 2}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        text = "game g var v legal 0 <= v <= 9 end v = 7 action t(k) pre 1 <= k <= 2 eff v := v - k"
        return icg.loads(text).game


class TestBigNumbers(GameContract):
    states = ((10**30,), (10**30 + 1,), (0,))
    illegal = ((-(10**40),),)
    counts = {(10**30,): 3, (0,): 0}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        return icg.load("take_away", {"n": 3}).game


class TestSimultaneousEffects(GameContract):
    states = ((1, 2), (5, 0), (0, 0), (3, 7))
    illegal = ((-1, 2),)
    counts = {(5, 0): 1, (0, 0): 0, (1, 2): 1}  # noqa: RUF012

    @pytest.fixture
    def game(self):
        text = "game g var a, b legal a >= 0 and b >= 0 action s pre a > 0 eff a := b, b := a - 1"
        return icg.loads(text).game

    def test_both_effects_read_the_old_state(self, game):
        assert game.result((5, 2), Move("s")) == (2, 4)


def test_an_unbounded_parameter_is_an_error_and_no_endless_loop():
    text = "game g var a legal a >= 0 action up(k) pre k >= 1 eff a := a + k"
    game = icg.loads(text).game
    assert game.applies((3,), Move("up", (("k", 10**9),)))
    with pytest.raises((OverflowError, IcgError)):
        list(game.moves((3,)))


# --- tiers -----


class TierContract:
    """A tier filters moves: it keeps legal moves only, and of given ones only these."""

    @pytest.fixture
    def game(self):
        return icg.load("nim2").game

    @pytest.fixture
    def tier(self, game):
        raise NotImplementedError

    states = tuple(itertools.product(range(5), repeat=2))

    def test_keeps_moves_that_apply(self, game, tier):
        for state in self.states:
            assert all(game.applies(state, m) for m in tier.keep(game, state, None))

    def test_none_means_all_moves(self, game, tier):
        for state in self.states:
            moves = tuple(game.moves(state))
            assert set(tier.keep(game, state, None)) == set(tier.keep(game, state, moves))

    def test_filters_what_is_given(self, game, tier):
        for state in self.states:
            moves = tuple(game.moves(state))
            for given in (moves, moves[::2], moves[:1], ()):
                kept = tier.keep(game, state, given)
                assert set(kept) <= set(given)
                assert set(tier.keep(game, state, kept)) == set(kept), "not idempotent"

    def test_a_strategy_takes_the_first_tier_that_keeps_a_move(self, game, tier):
        never = Rule(parse_formula("a < 0", ["a", "b"]), SemiGroundAction("take_a", ()))
        for state in self.states:
            kept = tier.keep(game, state, None)
            for tiers in ((tier,), (never, tier), (tier, never)):
                chosen = Strategy(tiers).choose(game, state)
                assert (None if chosen is None else (chosen.moves, chosen.tier)) == (
                    (kept, tier) if kept else None
                )


def semi_ground(action, argument):
    return SemiGroundAction(action, (("k", parse_term(argument, ["a", "b"])),))


class TestRuleWithCondition(TierContract):
    @pytest.fixture
    def tier(self, game):
        return Rule(parse_formula("a > b", game.variables), semi_ground("take_a", "a - b"))

    def test_what_it_says(self, game, tier):
        assert tier.keep(game, (5, 2), None) == (Move("take_a", (("k", 3),)),)
        assert tier.keep(game, (2, 5), None) == ()


class TestRuleThatNeedsToApply(TierContract):
    @pytest.fixture
    def tier(self):
        return Rule(TRUE, semi_ground("take_b", "b - a"))

    def test_what_it_says(self, game, tier):
        assert tier.keep(game, (2, 5), None) == (Move("take_b", (("k", 3),)),)
        assert tier.keep(game, (5, 2), None) == ()
        assert tier.keep(game, (2, 2), None) == ()


class TestIntoTheLosingSet(TierContract):
    @pytest.fixture
    def tier(self, game):
        return IntoLosing(parse_formula("a = b", game.variables))

    def test_what_it_says(self, game, tier):
        assert tier.keep(game, (5, 2), None) == (Move("take_a", (("k", 3),)),)
        assert tier.keep(game, (2, 2), None) == ()


class TestRuleThatNeverApplies(TierContract):
    @pytest.fixture
    def tier(self):
        return Rule(TRUE, semi_ground("take_a", "a + 1"))

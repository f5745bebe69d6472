"""The verifier of finite strategies beside plain recursions, and tiers in order."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from finite_arenas import arena_of_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.boards.finite import worth
from icgsynth.boards.finite.worth import (
    Chances,
    chances,
    report,
    right_states,
    show_chance,
    worst_case,
)
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.game.strategy import Strategy
from icgsynth.spec.source import Source


@cache
def stage(name):
    return stage_of(finite_game(name))


def moves_kept(arena, mask, state):
    """The strategy's moves; all where the mask keeps none."""
    span = range(int(arena.first[state]), int(arena.first[state + 1]))
    return [m for m in span if mask[m]] or list(span)


def worst_by_recursion(arena, mask, player, state=0):
    if arena.mover[state] < 0:
        return int(arena.value[state]) * (1 if player == 0 else -1)
    span = range(int(arena.first[state]), int(arena.first[state + 1]))
    moves = moves_kept(arena, mask, state) if arena.mover[state] == player else span
    return min(worst_by_recursion(arena, mask, player, int(arena.target[m])) for m in moves)


def chances_by_recursion(arena, mask, player, state=0):
    """Win and loss of ``player``, exactly."""
    if arena.mover[state] < 0:
        value = int(arena.value[state]) * (1 if player == 0 else -1)
        return Fraction(value == 1), Fraction(value == -1)
    span = range(int(arena.first[state]), int(arena.first[state + 1]))
    moves = moves_kept(arena, mask, state) if arena.mover[state] == player else span
    found = [chances_by_recursion(arena, mask, player, int(arena.target[m])) for m in moves]
    return sum(w for w, _ in found) / len(found), sum(x for _, x in found) / len(found)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_mask_is_judged_as_by_recursion(data):
    arena = stage(data.draw(st.sampled_from(["nim_s", "ttt_s"]))).arena
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    mask = rng.random(len(arena.target)) < data.draw(st.sampled_from([0.0, 0.3, 0.7, 1.0]))
    for player in (0, 1):
        found = worst_case(arena, mask, player)
        assert found.outcome == worst_by_recursion(arena, mask, player)
        assert bool(found.line) == (found.outcome < found.deserved)
        exact = chances(arena, mask, player)
        win, loss = chances_by_recursion(arena, mask, player)
        assert exact == Chances(win, 1 - win - loss, loss)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worth, "_MOST_EXACT", 0)
            rounded = chances(arena, mask, player)
        assert rounded.rounded and rounded.win + rounded.draw + rounded.loss == 1
        for name in ("win", "draw", "loss"):
            right, near = getattr(exact, name), getattr(rounded, name)
            assert near == pytest.approx(float(right), abs=1e-12)
            assert (near == 0) == (right == 0)
            assert (near == 1) == (right == 1)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_the_sentence_agrees_with_the_chances(data):
    """Against random play a seat loses now and then exactly where it can lose at all.

    Fails where "never loses" is said of all seats and is meant of those that are not lost at
    the start.
    """
    arena = stage(data.draw(st.sampled_from(["nim_s", "nim_l", "ttt_s"]))).arena
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    mask = rng.random(len(arena.target)) < data.draw(st.sampled_from([0.3, 0.7, 1.0]))
    if data.draw(st.booleans()):
        mask = arena.optimal & mask
    verdict = report(arena, mask)
    said = verdict.says(arena.roles, " over all").split("; ")
    for role, chance, deserved in zip(
        arena.roles, verdict.random, (arena.value[0], -arena.value[0]), strict=True
    ):
        mine = [part for part in said if re.search(rf"\bas {role}\b", part)]
        mine = mine or [part for part in said if " as " not in part]
        (part,) = mine
        if deserved < 0:
            assert part == f"as {role} the start is lost"
        else:
            assert part.startswith("never loses" if chance.loss == 0 else "can lose")
            assert part.endswith("(proved over all)" if chance.loss == 0 else "(shown over all)")
    assert verdict.never_loses == all("can lose" not in part for part in said)


@given(st.fractions(0, 1) | st.integers(1, 10**30).map(lambda n: Fraction(1, n)), st.booleans())
def test_a_chance_that_is_neither_0_nor_1_is_not_shown_as_one(chance, turned):
    chance = 1 - chance if turned else chance
    text = show_chance(chance)
    assert (text == "0") == (chance == 0)
    assert (text == "1") == (chance == 1)
    assert float(text.split()[-1]) == pytest.approx(float(chance), abs=1e-4)
    assert text not in ("0.0000", "1.0000")


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_line_of_a_lost_game_can_be_replayed(seed):
    found = stage("ttt_m")
    arena = found.arena
    mask = np.random.default_rng(seed).random(len(arena.target)) < 0.4
    for player in (0, 1):
        worst = worst_case(arena, mask, player)
        state = 0
        for action in worst.line:
            span = range(int(arena.first[state]), int(arena.first[state + 1]))
            (move,) = (m for m in span if arena.actions[int(arena.action[m])] == action)
            assert arena.mover[state] != player or move in moves_kept(arena, mask, state)
            state = int(arena.target[move])
        if worst.line:
            assert arena.mover[state] < 0
            assert int(arena.value[state]) * (1 if player == 0 else -1) == worst.outcome


def test_perfect_play_is_right_everywhere():
    arena = stage("mnk").arena
    verdict = report(arena, arena.optimal)
    assert verdict.right == verdict.states
    assert verdict.never_loses
    every = np.ones(len(arena.target), bool)
    assert not report(arena, every).never_loses
    right, states = right_states(arena, every)
    assert 0 < right < states == 4520


def test_random_against_random_is_the_known_figure():
    """Tic-tac-toe at random: X wins 737 of 1260, O 121 of 420, drawn 8 of 63."""
    arena = stage("mnk").arena
    found = chances(arena, np.ones(len(arena.target), bool), 0)
    assert found == Chances(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))


def test_games_that_can_go_on_are_judged():
    """Three Men's Morris: perfect play never loses, and chances settle to a sum of 1."""
    arena = stage("three_mens_morris").arena
    verdict = report(arena, arena.optimal)
    assert verdict.never_loses
    for worst, found in zip(verdict.worst, verdict.random, strict=True):
        assert found.rounded
        assert found.win + found.draw + found.loss == 1
        assert (found.loss == 0) == (worst.outcome >= 0)


def test_what_never_ends_is_a_draw():
    """Of three moves one wins, one leads into a circle, one back to the start: half and half."""
    text = """
    (role a) (role b) (init s) (<= (legal a win) (true s)) (<= (legal a turn) (true s))
    (<= (legal a again) (true s)) (legal b noop) (<= (legal a go) (not (true s)))
    (<= (next won) (true s) (does a win)) (<= (next c) (true s) (does a turn))
    (<= (next s) (true s) (does a again)) (<= (next d) (true c)) (<= (next c) (true d))
    (<= terminal (true won)) (goal a 100) (goal b 0)
    """
    arena = arena_of_rules(parse_gdl(Source("g.kif", text)), symmetric=False)
    every = np.ones(len(arena.target), bool)
    found = chances(arena, every, 0)
    assert found.rounded and found.loss == 0
    assert found.win == pytest.approx(0.5) and found.draw == pytest.approx(0.5)
    sure = Chances(Fraction(1), Fraction(0), Fraction(0), rounded=True)
    assert chances(arena, arena.optimal, 0) == sure


def test_long_fractions_are_rounded_instead(monkeypatch, capfd):
    """Python prints no integer of more than 4,300 digits, and nobody reads one of 1,000."""
    monkeypatch.setattr(worth, "_MOST_BITS", 40)
    assert run(["tournament", "nim2", "--start", "9,9", "--matches", "2", "--json"]) == 0
    exact = json.loads(capfd.readouterr().out)["agents"][0]["exact"]
    assert "fractions" not in exact["against_random"]["first"]
    assert exact["against_random"]["first"]["draw"] == 0
    assert exact["against_random"]["second"]["fractions"] == {"win": "1", "draw": "0", "loss": "0"}
    assert "(rounded)" in exact["says"]


@pytest.mark.parametrize("game", ["nim2", "wythoff", "chomp_2row"])
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_no_draw_is_printed_of_games_without_draws(game, rule, capfd):
    """Fails where a draw is what rounding left of 1."""
    assert run(["tournament", game, "-r", rule, "--matches", "2", "-b", "6", "--json"]) == 0
    exact = json.loads(capfd.readouterr().out)["agents"][0]["exact"]
    for odds in exact["against_random"].values():
        parts = {name: Fraction(text) for name, text in odds.pop("fractions").items()}
        assert parts["draw"] == 0
        assert sum(parts.values()) == 1
        assert odds == {name: float(part) for name, part in parts.items()}


def test_a_folded_arena_is_refused():
    folded = arena_of_rules(finite_game("tictactoe"))
    with pytest.raises(Refused, match="raw states"):
        report(folded, folded.optimal)


# --- tiers in order ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fixed:
    """Keeps moves of a set; ``narrows`` passes them on."""

    actions: frozenset[str]
    narrows: bool

    def keep(self, game, state, moves):
        found = tuple(game.moves(state)) if moves is None else moves
        return tuple(m for m in found if m.action in self.actions)


@dataclass(frozen=True)
class FixedInAll(Fixed):
    """Knows its moves in all states at once."""

    def mask(self, table, still):
        names = [table.arena.action_name(m) for m in range(len(still))]
        return still & np.array([n in self.actions for n in names])


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_one_state_and_all_states_agree(seed):
    """Seen: moves of another state, and tiers below one that decides."""
    found, rng = stage("nim_s"), random.Random(seed)
    tiers = tuple(
        rng.choice((Fixed, FixedInAll))(
            frozenset(rng.sample(found.arena.actions, rng.randrange(5))), rng.random() < 0.5
        )
        for _ in range(3)
    )
    strategy = Strategy(tiers)
    mask = found.mask(strategy)
    for state in np.flatnonzero(found.arena.mover >= 0):
        span = found.arena.moves_of(int(state))
        words = tuple(map(int, found.states[state]))
        legal = tuple(found.game.moves(words))
        kept = strategy.keep(found.game, words, legal)
        chosen = strategy.choose(found.game, words)
        assert {m.action for m in kept} == {found.arena.action_name(m) for m in span if mask[m]}
        # By hand: every tier that keeps something narrows, up to the first that decides.
        left = {m.action for m in legal}
        last = None
        for tier in tiers:
            if left & tier.actions:
                left, last = left & tier.actions, tier
                if not tier.narrows:
                    break
        assert {m.action for m in kept} == left
        assert (None if chosen is None else chosen.tier) == last
        assert chosen is None or (chosen.moves == kept and chosen.move == kept[0])

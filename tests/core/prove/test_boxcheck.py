"""The check of an answer in a box, against play by recursion: it finds all that is wrong there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hand_solved import as_python, chomp, loser_of, nim2, nim2_misere, rules
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import label
from icgsynth.game.solution import Claim
from icgsynth.game.strategy import Strategy
from icgsynth.prove.boxcheck import check_on_box, wrong_parts
from icgsynth.spec.icg import parse_formula

BOUND = 5
LABELS = {
    build: label(game := build().game, Box.of(game, BOUND), build().rule)
    for build in (nim2, nim2_misere, chomp)
}
CONDITIONS = st.sampled_from(["true", "a > b", "b > a", "a >= 2", "a = b", "b <= 1"])
TAKEN = st.sampled_from(["a - b", "b - a", "1", "a", "b", "a - 1", "b + 1"])
RULES = st.lists(st.tuples(CONDITIONS, st.sampled_from("ab"), TAKEN), max_size=4)


def says(text, state):
    return eval(as_python(text).replace("true", "True"), {}, dict(zip("ab", state, strict=True)))


def is_won_by(lost, lines, state, skips):
    """Whether the first rule that matches wins; one that ``skips`` matches where it applies."""
    for when, pile, taken in lines:
        if says(when, state):
            place, taken = "ab".index(pile), says(taken, state)
            if 1 <= taken <= state[place]:
                after = list(state)
                after[place] -= taken
                return lost(tuple(after))
            if not skips:
                return False
    return False


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([nim2, nim2_misere]), CONDITIONS, CONDITIONS, RULES, RULES)
def test_each_state_that_shows_an_answer_wrong_is_found(build, wins, loses, lines, tree):
    """Seen: a rule after the first that matches, a move that does not apply, one to a won state,
    a state of misère play without a move, and formulas that both hold or both fail."""
    game, labels = build().game, LABELS[build]

    def read(lines):
        return Strategy(rules(game, *((when, f"take_{pile}", k) for when, pile, k in lines)))

    said = [Claim(parse_formula(text, game.variables)) for text in (wins, loses)]
    answer = replace(build(), winning=said[0], losing=said[1], strategy=read(lines),
                     tree=read(tree), cover=())  # fmt: skip
    lost = loser_of(game, answer.rule)
    expected = {"winning": set(), "strategy": set(), "fft": set()}
    for state in map(tuple, labels.states.tolist()):
        if says(wins, state) == lost(state) or says(loses, state) != lost(state):
            expected["winning"].add(state)
        if not lost(state) and (answer.rule == "normal" or any(state)):
            for part, played, skips in (("strategy", lines, False), ("fft", tree, True)):
                if not is_won_by(lost, played, state, skips):
                    expected[part].add(state)
    if not tree:
        del expected["fft"]
    found = wrong_parts(answer, labels)
    shown = {p: set(map(tuple, labels.states[rows].tolist())) for p, rows in found.items()}
    assert shown == expected
    counted = [states for part, states in expected.items() if part != "strategy" or lines]
    assert check_on_box(answer, labels, BOUND).disagreements == len(set().union(*counted))


@pytest.mark.parametrize("build", LABELS)
@pytest.mark.parametrize("most", [7, 20, None])
def test_of_many_states_some_are_compared(build, most):
    """Seen: formulas or moves that are not looked at where the box is large."""
    answer, labels = build(), LABELS[build]
    right = check_on_box(answer, labels, BOUND, most)
    assert right.disagreements == 0
    assert 4 <= right.states <= (len(labels.states) if most is None else most + 1)
    swapped = replace(answer, winning=answer.losing, losing=answer.winning)
    assert check_on_box(swapped, labels, BOUND, most).disagreements == right.states
    silent = replace(answer, strategy=answer.strategy[:1], tree=Strategy())
    assert check_on_box(silent, labels, BOUND, most).disagreements > 0

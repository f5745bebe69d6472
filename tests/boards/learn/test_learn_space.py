"""What ``learn`` proves of a bias, held against all that the bias allows by its text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from experiments.adversary.constraints import Question, drawn, judged_learning
from experiments.judge.hypotheses import Group
from icgsynth.boards.learn.terms import format_term

STILL = {("true", ("at", 0)), ("true", ("control", "a"))}


def question(bias, worlds, orderings=((0, 1), (0, 2)), search="minimal"):
    """One choice of go(1), which wins, and moves that lose; ``worlds`` is what holds of each."""
    moves = [
        frozenset({("does", "a", ("go", i)), ("next", ("at", i)), *STILL, *world})
        for i, world in enumerate(worlds, 1)
    ]
    rules = [
        f"{format_term(a)} :- does(_,go({i}))." for i, w in enumerate(worlds, 1) for a in sorted(w)
    ]
    groups = tuple(Group(((pair,),)) for pair in orderings)
    worths = (1, *(-1 for _ in worlds[1:]))
    universe = frozenset.union(*moves)
    return Question(worths, "\n".join([*rules, bias]), tuple(moves), universe, groups, search)


def said(asked):
    """The first line of what is printed, after it was judged."""
    outcome = judged_learning(asked)
    assert outcome.wrong == "", outcome.text
    return next(line for line in outcome.text.split("\n") if line.startswith("made_up: "))


PQ = "#modeo(1, p).\n#modeo(1, q).\n"


@pytest.mark.parametrize(
    ("bias", "worlds", "line"),
    [
        # A negated literal without a variable beside a positive one, and alone.
        (PQ + "#weight(-1).\n#maxp(1).\n#max_body(2).", [{"p"}, {"p", "q"}, set()], "length 2"),
        (PQ + "#weight(1).\n#maxp(1).\n#max_body(1).", [{"p"}, {"q"}, {"q"}], "length 1"),
        ("#modeo(1, p).\n#weight(1).\n#maxp(1).", [{"p"}, set(), set()], "length 1, minimal"),
        # With (positive) it is not offered.
        ("#modeo(1, p, (positive)).\n#weight(1).", [{"p"}, set(), set()], "proved: no hypothesis"),
        # One body on two levels, and twice on one level with two weights.
        (
            PQ + "#weight(-1).\n#weight(1).\n#maxp(2).\n#max_body(1).",
            [{"p", "q"}, {"q"}, {"p"}],
            "length 2, minimal",
        ),
    ],
)
def test_the_space_is_that_of_the_text(bias, worlds, line):
    assert line in said(question(bias, worlds))


def test_constraints_that_charge_alike_serve_side_by_side():
    """go(2) is charged p and r, go(1) is charged q: p + r + q orders go(3), go(1), go(2).

    Kills: one constraint for all that charge alike; p + q charges go(1) and go(2) the same.
    """
    bias = "\n".join(f"#modeo(1, {name}, (positive))." for name in "pqr")
    bias += "\n#weight(1).\n#maxp(1).\n#max_body(1)."
    asked = question(bias, [{"q"}, {"p", "r"}, set()], ((0, 1), (2, 0)))
    assert "length 3, minimal (proved)" in said(asked)


def test_literals_need_share_no_variable():
    """Only go(1) has a p and a q: one body of two variables says it, shorter than two bodies."""
    bias = "#modeo(1, p(var(t)), (positive)).\n#modeo(1, q(var(s)), (positive)).\n#weight(-1)."
    worlds = [{("p", 1), ("q", 2)}, {("p", 1), ("p", 2)}, {("q", 1), ("q", 2)}]
    assert "1 weak constraint, length 2, minimal (proved)" in said(question(bias, worlds))


@pytest.mark.parametrize("search", ["minimal", "auto", "beam"])
def test_no_claim_about_a_bias_is_false(search):
    """Some biases each, of one and of several variables, with negation, constants, parities.

    ``python -m experiments adversary --kinds constraints`` tries many.
    """
    for seed in range(6):
        asked = replace(drawn(random.Random(f"{search} {seed}"), small=True), search=search)
        outcome = judged_learning(asked)
        assert outcome.wrong == "", outcome.text


def test_a_wrong_certificate_is_caught(monkeypatch):
    """A search that leaves out negated literals is seen by the judge."""
    from icgsynth.boards.learn import candidates

    right = candidates.forms_of
    monkeypatch.setattr(
        candidates, "forms_of", lambda *a: [form for form in right(*a) if form.positive]
    )
    asked = question("#modeo(1, p).\n#weight(1).", [{"p"}, set(), set()])
    assert "of all hypotheses up to 5 the least has 1" in judged_learning(asked).wrong


def test_penalties_are_part_of_what_is_minimal():
    """The empty hypothesis is shorter, and breaks both orderings: 1 + 3 is less than 0 + 5."""
    asked = question("#modeo(1, p).\n#weight(1).", [{"p"}, set()], ())
    groups = (Group((((0, 1),),), 3), Group((((1, 0),),), 2))
    line = said(replace(asked, groups=groups))
    assert "length 1, penalty 2, their sum minimal (proved); 1 of 2" in line

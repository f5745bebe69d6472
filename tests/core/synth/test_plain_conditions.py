"""No formula or condition that is printed says what no state meets, or what all do."""

from __future__ import annotations

import pytest
from catalog_answers import solved
from speed import sampled

from experiments.catalog import committed
from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.logic import term as t
from icgsynth.logic.build import negation, walk
from icgsynth.logic.evaluate import on_states
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.spec.icg import parse_formula

SIDES = {
    1: 200,
    2: 30,
    3: 12,
    4: 6,
}  # numbers up to this, by variables; beyond it a solver is asked

LINEAR = [
    key for key, row in committed().items() if row["logic"] == "lia" and row["pace"] == "quick"
]


def printed(answer):
    """All formulas and conditions of ``answer`` that people read, each with where it stands."""
    claims = {"winning": answer.winning, "losing": answer.losing}
    yield from ((side, claim.formula) for side, claim in claims.items() if claim is not None)
    yield from (("cover", cell) for cell in answer.cover)
    for rule in (*answer.strategy, *answer.tree):
        yield f"the condition of {rule.act}", rule.when


def parts(formula):
    """``formula``, the formulas it is made of, and the links of chains."""
    for node in walk(formula):
        if isinstance(node, t.Formula):
            yield node
        if isinstance(node, t.Compare) and len(node.ops) > 1:
            yield from (t.compare(*link) for link in node.links)


def idle(game, formula):
    """Parts of ``formula`` that hold in no legal state, or in all of them.

    What is so in a box is asked of the deciders; what is not needs no proof.
    """
    side = SIDES.get(len(game.variables), 3)
    states = Box(game.variables, ((-side, side),) * len(game.variables), game.legal).states
    for part in parts(formula):
        holds = on_states(part, game.variables, states)
        suspects = [p for p, seen in ((part, holds), (negation(part), ~holds)) if not seen.any()]
        for suspect in suspects:
            if decide((game.legal, suspect), game.variables, Budget(20)).kind == "unsat":
                yield str(part)


@sampled(("name", "rule"), LINEAR, fast=20)
def test_each_part_of_what_is_said_tells_some_states_from_others(name, rule):
    """Seen: ``2 * c = 1`` in a condition."""
    answer = solved(name, rule)
    said = [(where, formula) for where, formula in printed(answer) if formula != t.TRUE]
    assert not [(where, part) for where, f in said for part in idle(answer.game, f)]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a = b", 0),
        ("a = b or 2 * a = 1", 1),
        ("a > b and a + b >= 0", 1),
        ("not (a + b < 0) and a = 1", 2),  # what is denied, and its denial
        ("0 <= a <= 3 and b = 1", 1),
        ("a = 1000 and b = 1000", 0),  # in no state of the box
    ],
)
def test_what_no_state_or_each_state_meets_is_seen(text, faults):
    game = solved("nim2").game
    assert len(list(idle(game, parse_formula(text, game.variables)))) == faults

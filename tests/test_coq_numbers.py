"""Proofs by remainders and bounds of ``numbers.v``: what is found is so, and Coq goes along."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from coq_here import is_accepted, require_accepted

import icgsynth as icg
from icgsynth.export import export
from icgsynth.export.coq.certificates import remainders
from icgsynth.export.coq.gallina import data, library, number
from icgsynth.export.coq.rough_numbers import splits
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import on_states
from icgsynth.spec.icg import parse_formula

OPENING = "Require Import ZArith Lia Bool List.\nUnset Lia Cache.\nOpen Scope Z_scope.\n"
OPENING += library("formulas") + library("numbers")
NAMES = ("x", "y")
BOX = np.stack(np.meshgrid(np.arange(-40, 90), np.arange(-40, 90)), axis=-1).reshape(-1, 2)

# What contradicts itself where names have lower bounds: by remainders alone, with small numbers,
# with bounds, with each operation.
NATURAL = ("x >= 0", "y >= 0")
CONTRADICTIONS = [
    ("x mod 7 = 3", "(x + y) mod 7 = 1", "y mod 7 != 5"),
    ("x < 5 and x mod 5 != x",),
    ("x < y mod 4", "x > 3"),
    ("x >= 2 and x <= 9", "x mod 4 in {0, 1}", "not (x in {4, 5, 8, 9})"),
    ("min(x mod 3, 5) > 2",),
    ("max(x mod 3, y mod 4) > 3",),
    ("abs(x mod 3 - 5) < 3",),
    ("(if x mod 2 = 0 then 1 else 2) > 2",),
    ("x >= 6", "x div 6 < 1", "y mod 2 = y mod 2"),
    ("(x div 2) mod 3 != (x mod 6) div 2",),
    ("x mod 2 = 0 <-> x mod 2 = 1",),
    ("not (x mod 2 = 0 -> x mod 4 in {0, 2})",),
    ("(4 * (x mod 9)) mod 4 != 0",),
]


def found_for(texts):
    formulas = [parse_formula(text, NAMES) for text in (*NATURAL, *texts)]
    return formulas, splits(formulas, NAMES, remainders(formulas))


def random_texts(rng):
    """Some comparisons, of which few hold together."""

    def term():
        kinds = ["{v}", "{v} + {c}", "2 * {v} - {w}", "({v} + {w}) mod {m}", "({v} - {c}) mod {m}"]
        kinds += ["({v} div 2) mod {m}", "min({v} mod {m}, {c})", "max({v}, {c}) mod {m}"]
        return rng.choice(kinds).format(
            v=rng.choice(NAMES), w=rng.choice(NAMES), c=rng.randrange(6), m=rng.choice((2, 3, 4, 6))
        )

    def comparison():
        return f"{term()} {rng.choice(('=', '!=', '<', '>='))} {rng.randrange(-1, 7)}"

    bounds = [f"{name} >= {rng.randrange(3)}" for name in NAMES]
    return [*bounds, *(comparison() for _ in range(3)), f"{comparison()} or {comparison()}"]


@pytest.mark.parametrize("texts", CONTRADICTIONS)
def test_cases_are_found_that_close_all(texts):
    assert found_for(texts)[1] is not None


def test_what_closes_all_cases_holds_nowhere():
    """Brute force finds no numbers for formulas that are said to contradict each other."""
    rng, found = random.Random(5), 0
    for _ in range(400):
        formulas, cases = found_for(random_texts(rng))
        if cases is not None:
            found += 1
            assert not on_states(conjunction(formulas), NAMES, BOX).any(), formulas
    assert found > 40  # some are open, for they hold somewhere, or more would have to be known


@pytest.mark.parametrize(
    "text", ["x mod 7 = 3", "x >= 0 or y mod 2 = 0", "x > 10000000 and x mod 2 = 0"]
)
def test_nothing_is_found_where_nothing_is_to_be_found(text):
    assert found_for([text])[1] is None


def lemma(i, formulas, cases, label="impossible"):
    places = {name: i for i, name in enumerate(NAMES)}
    facts = "".join(f"{data(f, places)} :: " for f in formulas)
    told = "".join(
        f"({places[s.name]}%nat, ({number(s.low)}, {number(s.high)}, {s.period})) :: "
        for s in cases
    )
    text = f"impossible ({told}nil) (flat_map conjuncts ({facts}nil)) (fun _ => any_number)"
    return f"Theorem t{i} : {text} = true.\nProof. vm_compute. reflexivity. Qed.\n"


@pytest.mark.slow
def test_coq_goes_through_the_cases_that_are_found(coq):
    """What is computed in columns is what ``numbers.v`` computes."""
    rng = random.Random(6)
    drawn = [found_for(texts) for texts in CONTRADICTIONS]
    drawn += [found_for(random_texts(rng)) for _ in range(300)]
    closed = [(formulas, cases) for formulas, cases in drawn if cases is not None]
    assert len(closed) > 40
    text = "".join(lemma(i, *pair) for i, pair in enumerate(closed))
    require_accepted(f"{OPENING}{text}Print Assumptions t0.")


@pytest.mark.slow
@pytest.mark.parametrize("place", range(4))
def test_coq_refuses_cases_that_stay_open(coq, place):
    """Another number in a formula, or cases that are too few."""
    formulas, cases = found_for(CONTRADICTIONS[0])
    changed = [
        (found_for(("x mod 7 = 3", "(x + y) mod 7 = 1", "y mod 7 != 4"))[0], cases),
        (formulas, cases[:1]),
        (formulas, [replaced._replace(period=5) for replaced in cases]),
        (formulas, [replaced._replace(period=0) for replaced in cases]),
    ][place]
    assert is_accepted(f"{OPENING}{lemma(0, formulas, cases)}Print Assumptions t0.")
    wrong = f"{OPENING}{lemma(0, *changed)}Print Assumptions t0."
    assert not is_accepted(wrong)


PILES = """game piles
var a, b, c
legal a >= 0 and b >= 0 and 0 <= c <= 3
action take_a(k)  pre 1 <= k <= 12 and k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= 12 and k <= b  eff b := b - k
action take_c(k)  pre 1 <= k <= 12 and k <= c  eff c := c - k
"""


@pytest.mark.slow
def test_coq_accepts_three_piles_with_a_remainder(coq):
    """Slow Nim, by 13 and a small third pile; and refuses it with another losing formula."""
    answer = icg.loads(PILES).solve(timeout=120)
    assert answer.is_proved
    text = export(answer, "coq")
    assert "refuted_by_numbers" in text
    assert is_accepted(text)
    losing = replace(answer.losing, formula=parse_formula("(a - b) mod 13 = c", "abc"))
    assert not is_accepted(export(replace(answer, losing=losing), "coq"))

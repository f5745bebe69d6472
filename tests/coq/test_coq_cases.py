"""Proofs by all cases of the names: what is found is so, and Coq goes along."""

from __future__ import annotations

import random

import numpy as np
import pytest
from coq_here import is_accepted, opening, require_accepted

from icgsynth.coq.all_cases import all_cases
from icgsynth.coq.certificates import remainders
from icgsynth.coq.gallina import data
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import on_states
from icgsynth.spec.icg import parse_formula

OPENING = opening("no_functions", "no_readers", "formulas", "alike", "checker")
NAMES = ("x", "y")
PLACES = {name: place for place, name in enumerate(NAMES)}
BOX = np.stack(np.meshgrid(np.arange(-40, 90), np.arange(-40, 90)), axis=-1).reshape(-1, 2)

# What contradicts itself where names have lower bounds: by remainders alone, with small numbers,
# with bounds, with each kind of formula.
NATURAL = ("x >= 0", "y >= 0")
CONTRADICTIONS = [
    ("x mod 7 = 3", "(x + y) mod 7 = 1", "y mod 7 != 5"),
    ("x < 5 and x mod 5 != x",),
    ("x < y mod 4", "x > 3"),
    ("x >= 2 and x <= 9", "x mod 4 in {0, 1}", "not (x in {4, 5, 8, 9})"),
    ("x >= 6", "x div 6 < 1", "y mod 2 = y mod 2"),
    ("(x div 2) mod 3 != (x mod 6) div 2",),
    ("x mod 2 = 0 <-> x mod 2 = 1",),
    ("not (x mod 2 = 0 -> x mod 4 in {0, 2})",),
    ("(4 * (x mod 9)) mod 4 != 0",),
    ("x + y < 0 or x + 2 * y < -3",),
]


def found_for(texts):
    formulas = [parse_formula(text, NAMES) for text in (*NATURAL, *texts)]
    return formulas, all_cases(formulas, PLACES, remainders(formulas))


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


def test_bounds_that_contradict_each_other_still_bound():
    """The cases of ``x`` are few by the first two formulas, although all three bound no number.

    Kills: bounds of all formulas together, or none, where they leave nothing.
    """
    remainders_alone_do_not_decide = "x >= 1 and (x - y) mod 251 + y mod 250 != x mod 252"
    for order in ((0, 1), (1, 0)):
        texts = ["not x >= 1", remainders_alone_do_not_decide]
        assert found_for([texts[place] for place in order])[1] is not None


def test_what_closes_all_cases_holds_nowhere():
    """Brute force finds no numbers for formulas that are said to contradict each other.

    Kills: cases that leave out a number, a step or a remainder.
    """
    rng, found = random.Random(5), 0
    for _ in range(400):
        formulas, proof = found_for(random_texts(rng))
        if proof is not None:
            found += 1
            assert not on_states(conjunction(formulas), NAMES, BOX).any(), formulas
    assert found > 40  # some are open, for they hold somewhere, or more would have to be known


@pytest.mark.parametrize(
    "text",
    [
        *("x mod 7 = 3", "x >= 0 or y mod 2 = 0", "x > 10000000 and x mod 2 = 0", "min(x, 1) > 1"),
        *("x = 1 and not x < 1", "x = 1 and not x <= 0", "x <= 1 and x >= 1", "x < 2 and x > 0"),
    ],
)
def test_nothing_is_found_where_coq_would_find_nothing(text):
    """What holds somewhere, and what Coq does not read.  Kills: a bound that is off by one."""
    assert found_for(text.split(" and "))[1] is None


@pytest.mark.parametrize(
    "texts",
    [
        ("25 mod 13 = 1",),
        ("false",),
        (f"x > {-(10**30)}", f"x < {-(10**30)}", "x mod 13 = 2"),
        (f"x >= {2**62}", f"x < {2**62 + 4}", "x mod 13 > 40"),
        (f"x >= {2**63 - 1}", "x mod 13 = 13"),
        (f"x mod {10**30} > {10**30}",),
        (f"x = {10**30} * y", "x mod 13 = 13"),
        (f"x = {2**20} * y", f"y = {2**20} * z", f"z = {2**20} * w", f"w > {2**20}", "x < y"),
    ],
)
def test_what_columns_do_not_hold_is_left_to_others(texts):
    """Numbers past 64 bits, also where only a bound has them, and formulas without names.

    Kills: a guard of the numbers, or of no names, that is not there.
    """
    formulas = [parse_formula(text, "wxyz") for text in texts]
    places = {name: place for place, name in enumerate("wxyz")}
    assert all_cases(formulas, places, remainders(formulas)) is None


def theorem(place, formulas, proof):
    facts = "".join(f"{data(f, PLACES)} :: " for f in formulas)
    text = f"Theorem t{place} : refutes {proof} ({facts}nil) = true."
    return f"{text}\nProof. vm_compute. reflexivity. Qed.\n"


@pytest.mark.slow
def test_coq_goes_through_the_cases_that_are_found(coq):
    """What seems to be false at the numbers that are tried is so for Coq in the whole case."""
    rng = random.Random(6)
    drawn = [found_for(texts) for texts in CONTRADICTIONS]
    drawn += [found_for(random_texts(rng)) for _ in range(300)]
    closed = [(formulas, proof) for formulas, proof in drawn if proof is not None]
    assert len(closed) > 40
    text = "".join(theorem(place, *pair) for place, pair in enumerate(closed))
    require_accepted(f"{OPENING}{text}Print Assumptions t0.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [("13%nat]", "12%nat]"), ("Spread 0 0 ", "Spread 0 1 "), ("13%nat]", "0%nat]")],
)
def test_coq_refuses_cases_that_stay_open(coq, old, new):
    """One remainder fewer, another least number, and none at all."""
    texts = ("x mod 13 = 3", "(x + y) mod 13 = 1", "y mod 13 != 11")
    formulas, proof = found_for(texts)
    assert is_accepted(f"{OPENING}{theorem(0, formulas, proof)}Print Assumptions t0.")
    assert old in proof
    wrong = theorem(0, formulas, proof.replace(old, new))
    assert not is_accepted(f"{OPENING}{wrong}Print Assumptions t0.")


def test_remainders_that_cancel_whatever_is_open_are_not_taken_for_known():
    """What holds for all integers need not be seen by the checker, which knows a remainder only
    where the open part is a multiple of the divisor: negative numbers are not split by remainders.

    Kills a reading of terms by their values alone.
    """
    text = "(x - (x + y - 1) mod 3) mod 3 != 1"
    either = ["y = 0", "y in {0, 3}"]
    for texts in ((text, bound) for bound in either):
        formulas = [parse_formula(t, NAMES) for t in texts]
        assert all_cases(formulas, PLACES, remainders(formulas)) is None
        formulas.append(parse_formula("x >= 0", NAMES))
        assert all_cases(formulas, PLACES, remainders(formulas)) is not None

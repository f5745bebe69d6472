"""Proofs for the checker of ``checker.v``: that Coq accepts what is found, and nothing wrong.

The search for proofs reads formulas as the checker does; here Coq computes what it makes of them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import permutations, product

import pytest
from coq_here import is_accepted, opening, require_accepted

from icgsynth.coq.certificates import (
    STEPS,
    NoProof,
    SearchSteps,
    certificate,
    remainders,
)
from icgsynth.coq.gallina import data, number
from icgsynth.coq.linear_facts import (
    AffineForm,
    Both,
    Fact,
    Row,
    Unknowns,
    contradiction,
    negated,
)
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse_formula

OPENING = opening("no_functions", "no_readers", "formulas", "alike", "checker")

PLACES = {"x": 0, "y": 1, "z": 2}


# Alternatives of which each could be refuted by others too: who denies it has to be found.
DENIED = " or ".join(
    f"({x} mod {m} != {m - 2} and ({x} + {y}) mod 25 in {{{rest}}})"
    for x, y, m, rest in [
        ("x", "y", 2, "0, 5, 7, 14, 16, 21, 23"),
        ("y", "x", 4, "6, 7, 14, 15, 22, 23, 24"),
        ("x", "y", 3, "2, 3, 7, 14, 18, 19, 23"),
        ("y", "x", 5, "0, 5, 7, 9, 12, 14, 16, 21, 23"),
        ("x", "z", 7, "4, 5, 6, 7, 8, 9, 10, 11, 12, 16"),
        ("y", "z", 9, "2, 3, 10, 11, 18, 19"),
    ]
)
CONTRADICTIONS = [
    ("4 * x - y = 2", "y = 0"),
    ("2 * x + 4 * y = z", "z mod 2 = 1"),
    ("x div 3 = y", "x < 3 * y or x > 3 * y + 2"),
    ("(x div 2) mod 3 != (x mod 6) div 2",),
    ("min(x, y) > max(x, y) - abs(x - y)",),
    ("(if x > y then x else y) != max(x, y)",),
    ("x mod 1009 = y mod 1009", "0 < x - y < 1009"),
    ("3 * x <= 7", "2 * x >= 5"),
    ("3 * x = 2 * y + 2 * z", "1 <= x", "x <= 1"),
    ("x = y <-> x < y", "x <= y"),
    ("x in {1, 2, 3}", "y = x + 1", "not (y in {2, 3, 4})"),
    (DENIED, f"not ({DENIED})"),
]


@pytest.mark.slow
def test_the_checker_accepts_the_proofs_that_are_found(coq):
    """Theorems about each kind of term and of formula."""
    places = {"x": 0, "y": 1, "z": 2}
    text = OPENING
    for i, parts in enumerate(CONTRADICTIONS):
        formulas = [parse_formula(part, "xyz") for part in parts]
        facts = "".join(f"{data(f, places)} :: " for f in formulas)
        proof = certificate(formulas, places)
        text += f"Theorem t{i} : refutes {proof} ({facts}nil) = true.\n"
        text += "Proof. vm_compute. reflexivity. Qed.\n"
    require_accepted(text + "Print Assumptions t0.")


@pytest.mark.slow
def test_the_checker_refuses_proofs_of_what_is_not_so(coq):
    """A right proof is accepted; with a number or a formula changed it is not."""
    texts = ["x mod 2 = y mod 2", "x + y >= 3", "x <= 1", "y <= 2 or y = 1"]
    formulas = [parse_formula(text, "xy") for text in texts]
    places = {"x": 0, "y": 1}
    proof = certificate(formulas, places)
    facts = f"{' :: '.join(data(f, places) for f in formulas)} :: nil"

    def accepted(facts, proof):
        text = f"{OPENING}\nTheorem t : refutes {proof} ({facts}) = true.\n"
        return is_accepted(text + "Proof. vm_compute. reflexivity. Qed.\nPrint Assumptions t.")

    assert accepted(facts, proof)
    for old, new in [("(K 3)", "(K 2)"), ("Le (X 1)", "Ge (X 1)")]:
        assert old in facts and not accepted(facts.replace(old, new), proof)
    for old, new in [
        ("Residues 0 2", "Residues 0 1"),
        ("(Sum ", "(Cut (1 :: nil) 0 Done "),
        ("Part 2 1", "Part 1 1"),
    ]:
        assert old in proof and not accepted(facts, proof.replace(old, new))


def test_the_proofs_of_a_file_have_so_many_steps_together():
    """Two proofs take what one takes twice; past that the file is refused."""
    formulas = [parse_formula("x < y or x > y + 2", "xy"), parse_formula("y <= x <= y + 2", "xy")]
    effort = SearchSteps()
    proof = certificate(formulas, PLACES, effort)
    steps = STEPS - effort.left
    assert steps > 1
    enough = SearchSteps(2 * steps)
    assert [certificate(formulas, PLACES, enough) for _ in range(2)] == [proof, proof]
    with pytest.raises(Refused, match=f"more than {2 * steps} steps"):
        certificate(formulas, PLACES, enough)


def test_what_is_denied_word_for_word_needs_few_steps():
    """Some for each comparison, though other facts contradict the same ones."""
    formulas = [parse_formula(part, "xyz") for part in (f"not ({DENIED})", DENIED)]
    comparisons = DENIED.count(",") + 2 * DENIED.count("or")
    effort = SearchSteps()
    certificate(formulas, PLACES, effort)
    assert STEPS - effort.left < 10 * comparisons


def test_that_five_numbers_are_in_some_order_takes_a_few_steps_for_each():
    """Each of 120 disjunctions denies one order; one after the other, the cases are millions."""
    orders = [f"not ({' <= '.join(order)})" for order in permutations("vwxyz")]
    effort = SearchSteps()
    places = {name: i for i, name in enumerate("vwxyz")}
    certificate([parse_formula(order, "vwxyz") for order in orders], places, effort)
    assert STEPS - effort.left < 20 * len(orders)


@pytest.mark.parametrize("texts", CONTRADICTIONS[:-1])
def test_bounds_and_remainders_are_contradicted_in_few_steps(texts):
    """None needs to go through the values of a number without bounds, one after the other."""
    effort = SearchSteps()
    certificate([parse_formula(text, "xyz") for text in texts], PLACES, effort)
    assert STEPS - effort.left < 100


@pytest.mark.parametrize("text", ["(x div 3) mod 4 = 1", "(2 * x + y) mod 12 = x div 5 mod 2"])
def test_no_remainder_changes_when_a_name_grows_by_its_period(text):
    """Else a proof by cases would leave out some of the cases."""
    formula = parse_formula(text, "xy")
    periods = remainders([formula])
    for name, start in product(periods, range(60)):
        at = {"x": 1, "y": 1, name: start}
        later = at | {name: start + periods[name]}
        assert satisfies(formula, at) == satisfies(formula, later)


def test_what_has_a_solution_is_not_contradicted():
    """x >= 1 and x >= 5: no sum of the two, with any factors, is wrong."""
    rows = [Row(AffineForm({0: 1}, -least), False) for least in (1, 5)]
    assert contradiction(rows).multipliers is None


def test_names_in_any_order_of_a_set_give_the_same_proof():
    """Sets of names come in another order in each process, unless Python is told not to."""
    run = (
        "from icgsynth.coq.certificates import certificate\n"
        "from icgsynth.spec.icg import parse_formula\n"
        "texts = ['alpha + beta > gamma or beta mod 6 = 2', 'beta mod 3 = 1',\n"
        "         'gamma >= alpha + beta + abs(delta - alpha)', 'delta != alpha']\n"
        "names = ('alpha', 'beta', 'gamma', 'delta')\n"
        "places = {name: i for i, name in enumerate(names)}\n"
        "print(certificate([parse_formula(text, names) for text in texts], places))\n"
    )
    proofs = set()
    for seed in "0123":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", run], capture_output=True, text=True, env=environment, check=True
        )
        proofs.add(done.stdout)
    assert len(proofs) == 1 and proofs.pop().strip()


@pytest.mark.parametrize("texts", CONTRADICTIONS)
def test_a_negation_has_the_words_of_the_negated_formula(texts):
    for text in texts:
        formula, table = parse_formula(text, "xyz"), Unknowns()
        if not any(isinstance(node, t.Iff) for node in walk(formula)):
            assert negated(table.restate(formula)) == table.restate(formula, holds=False)


# --- random formulas ----------------------------------------------------------------------------


def random_term(rng: random.Random, depth: int) -> t.Term:
    """Any kind of term; sums in sums, and divisors that are not written as numbers, among them."""

    def term() -> t.Term:
        return random_term(rng, depth - 1)

    if depth <= 0 or rng.random() < 0.2:
        return rng.choice([*map(t.Name, PLACES), t.Int(rng.randint(-4, 4))])
    divisor = rng.choice([t.Int(2), t.Int(3), t.Sum((t.Int(1), t.Int(2))), t.Neg(t.Int(-4))])
    match rng.randrange(10):
        case 0 | 1 | 2:
            args = [term() for _ in range(rng.choice([2, 2, 3]))]
            return t.Sum(tuple(t.Neg(a) if rng.random() < 0.3 else a for a in args))
        case 3:
            return t.Mul(t.Int(rng.randint(-3, 3)), term())
        case 4:
            return t.Mod(term(), divisor)
        case 5:
            return t.Div(term(), divisor)
        case 6:
            return rng.choice([t.Min, t.Max])(term(), term())
        case 7:
            return t.Abs(term())
        case 8:
            return t.If(random_formula(rng, 1), term(), term())
    return t.Neg(term())


def random_formula(rng: random.Random, depth: int) -> t.Formula:
    """Any kind of formula."""

    def formula() -> t.Formula:
        return random_formula(rng, depth - 1)

    if depth <= 0 or rng.random() < 0.4:
        count = rng.choice([2, 2, 3])
        terms = tuple(random_term(rng, 2) for _ in range(count))
        if rng.random() < 0.15:
            return t.Member(terms[0], terms[1:])
        ops = tuple(rng.choice(["=", "!=", "<", "<=", ">", ">="]) for _ in terms[1:])
        return t.Compare(terms, ops)
    match rng.randrange(6):
        case 0 | 1:
            return rng.choice([t.And, t.Or])((formula(), formula(), formula()))
        case 2:
            return t.Not(formula())
        case 3:
            return t.Implies(formula(), formula())
        case 4:
            return t.Iff(formula(), formula())
    return t.Truth(rng.random() < 0.5)


def regrouped(term: t.Term, rng: random.Random) -> t.Term:
    """A term for which Coq has the same words: the first parts of its sum are put together."""
    if isinstance(term, t.Sum) and len(term.args) > 2 and rng.random() < 0.5:
        return t.Sum((t.Sum(term.args[:2]), *term.args[2:]))
    return term


def told(fact: Fact) -> str:
    """The fact as the checker has it, with no more numbers than are needed."""
    if isinstance(fact, Both):
        return f"({'All' if fact.is_and else 'Any'} {told(fact.left)} {told(fact.right)})"
    assert not isinstance(fact, bool)
    numbers = [fact.form.of.get(i, 0) for i in range(max(fact.form.of) + 1)]
    row = "".join(f"{number(n)} :: " for n in numbers)
    return f"({'Zero' if fact.is_equal else 'Nonneg'} ({row}nil) {number(fact.form.constant)})"


TRIMMED = """
Fixpoint short (v : list Z) : list Z := match v with
| nil => nil
| a :: v => match short v with nil => if a =? 0 then nil else a :: nil | w => a :: w end
end.
Fixpoint trimmed (f : fact) : fact := match f with
| Nonneg v c => Nonneg (short v) c | Zero v c => Zero (short v) c
| All f g => All (trimmed f) (trimmed g) | Any f g => Any (trimmed f) (trimmed g) | f => f
end.
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", [20, pytest.param(120, marks=pytest.mark.nightly)])
def test_what_coq_makes_of_formulas_is_what_the_search_makes_of_them(coq, count):
    """The facts that a proof starts from, each at its place, and the proofs that are found."""
    rng = random.Random(18)
    text, proofs = OPENING + TRIMMED, 0
    for i in range(count):
        sums = t.Sum(tuple(random_term(rng, 1) for _ in range(3)))
        modulus = t.Int(rng.randint(2, 5))
        same = [t.Mod(regrouped(sums, rng), modulus) for _ in range(2)]
        formulas = [
            t.Compare((same[0], same[1], t.Name("x")), (rng.choice(["<", "<=", "="]), "!=")),
            *(random_formula(rng, 2) for _ in range(rng.randint(1, 4))),
        ]
        table = Unknowns()
        facts = table.list_facts(formulas)
        terms = "".join(f"{data(term, PLACES)} :: " for term in table)
        given = f"({''.join(f'{data(f, PLACES)} :: ' for f in formulas)}nil)"
        if facts is None:
            meant = "None"
        else:
            meant = f"Some ({''.join(f'{told(fact)} :: ' for fact in reversed(facts))}nil)"
        text += (
            f"Example f{i} : option_map (map trimmed) (opened ({terms}nil) {given}) = {meant}.\n"
        )
        text += "Proof. vm_compute. reflexivity. Qed.\n"
        try:
            proof = certificate(formulas, PLACES)
        except NoProof:
            continue
        proofs += 1
        text += f"Example p{i} : refutes {proof} {given} = true.\n"
        text += "Proof. vm_compute. reflexivity. Qed.\n"
    assert proofs > count / 4
    require_accepted(text + "Print Assumptions f0.")

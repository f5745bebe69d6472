"""Files that are the same but for integers: lifted to a family, put back, proved for all values."""

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import strategies as st
from plain_play import loser
from speed import examples

pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")

from experiments import lifted_families as module
from experiments import lifted_task
from experiments.lifted_families import lifted
from experiments.lifted_task import Attempted, LiftedTask, look_for_theorem
from experiments.lifted_theorems import prove_lifted
from icgsynth.families.proof.families import FamilyProof
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.logic.build import conjunction
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import FALSE
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

TAKE = """game take
var v
legal v >= 0
action take(k) pre 1 <= k <= {} and k <= v eff v := v - k
"""
TWO = """game take
var v, w
legal v >= 0 and w >= 0
action take(k) pre 1 <= k <= {} and k <= v eff v := v - k
"""
# The bound k of a move is also a divisor, with k + 1 beside it; 2 * k - 7 falls below 0.
BOTH = """game both "Bound and divisor"
var v
legal v >= {low}
action take(k) pre 1 <= k <= {k} and (k mod {k} = 0 or v mod {more} != 2) and k <= v eff v := v - k
"""
PDDL = """(define (domain take{0}) (:objects ?v) (:constraint (>= ?v 0))
  (:action take :parameters (?k) :precondition (and (<= 1 ?k) (<= ?k {0}) (<= ?k ?v))
           :effect (assign ?v (- ?v ?k))))
"""


def games(texts):
    return [(f"{i}.icg", load_spec(Source("a file", text))) for i, text in enumerate(texts)]


def one_family(*texts):
    (found,) = lifted(games(texts))
    for name, game in games(texts):
        member = replace(found.spec.game(found.members[name]), constants=())
        plain = replace(game, title="", constants=())
        assert str(member).splitlines()[1:] == str(plain).splitlines()[1:]
    return found


@pytest.mark.parametrize(
    ("texts", "values", "said"),
    [
        ([TAKE.format(k) for k in (4, 2, 9)], {"n": (2, 4, 9)}, ["1 <= k <= n and k <= v"]),
        ([TAKE.format(3)] * 2, {}, []),
        (
            [BOTH.format(k=k, more=k + 1, low=2 * k - 7) for k in (5, 2, 3)],
            {"n": (2, 3, 5)},
            ["legal v >= 2 * n - 7", "k mod n = 0 or v mod (n + 1) != 2"],
        ),
        # Two files support a difference, and no factor.
        ([BOTH.format(k=k, more=k + 1, low=0) for k in (2, 5)], {"n": (2, 5)}, []),
        ([BOTH.format(k=k, more=2 * k, low=0) for k in (2, 5)], {"n": (2, 5), "m": (4, 10)}, []),
        # A number that breaks the line is a constant of its own.
        (
            [BOTH.format(k=k, more=k + 1 + (k == 9), low=0) for k in (2, 5, 7, 9)],
            {"n": (2, 5, 7, 9), "m": (3, 6, 8, 11)},
            [],
        ),
        # Multiples of what no number is itself, and numbers that fall while others rise.
        (
            [BOTH.format(k=3 * t, more=2 * t + 1, low=0) for t in (1, 2, 4)],
            {"n": (1, 2, 4)},
            ["k <= 3 * n", "v mod (2 * n + 1)"],
        ),
        (
            [BOTH.format(k=k, more=20 - k, low=-k) for k in (2, 5, 7)],
            {"n": (2, 5, 7)},
            ["mod (-n + 20)", "legal v >= -n"],
        ),
    ],
)
def test_numbers_that_differ_are_terms_of_few_constants(texts, values, said):
    found = one_family(*texts)
    assert {name: found.values(name) for name in found.constants} == values
    assert all(part in str(found.spec) for part in said)


# --- lifting ------------------------------------------------------------------------------------


def test_the_names_of_constants_are_free_or_the_files_own():
    text = "game g\nvar n, m\nlegal n >= 0 and (exists q. q = m + {})\n"
    text += "action go(p) pre 1 <= p <= n eff n := n - p\n"
    assert one_family(*(text.format(k) for k in (1, 2, 4))).constants == ("s",)
    own = "game g\nconst most = {}\nvar v\nlegal v >= 0\n"
    own += "action take(k) pre 1 <= k <= most and k <= v eff v := v - k\n"
    assert one_family(*(own.format(k) for k in (3, 4, 8))).constants == ("most",)


@pytest.mark.parametrize(
    "other",
    [
        TWO.format(4),  # another pile
        TAKE.format(4).replace("<= v eff", "< v eff"),
        TAKE.format(4).replace("eff v := v - k", "eff v := v + k"),
        TAKE.format(4).replace("take(k)", "grab(k)"),
        TAKE.format(4).replace("1 <= k", "1 < k"),
        TAKE.format("4 and v mod 2 = 0"),
    ],
    ids=["piles", "operator", "sign", "action", "chain", "conjunct"],
)
def test_rules_that_differ_in_more_than_integers_are_not_one_family(other):
    first = TAKE.format(2)
    assert len(lifted(games([first, other]))) == 2
    assert lifted(games([first, TAKE.format(3), other]))[0].constants == ("n",)


def test_pddl_and_icg_are_read_alike():
    found = lifted(
        [
            ("a.icg", load_spec(Source("a", TAKE.format(3)))),
            *((f"{k}.pddl", load_spec(Source("b", PDDL.format(k)))) for k in (5, 8)),
        ]
    )
    assert [len(family.members) for family in found] == [2, 1]
    assert found[0].spec.name == "take"
    assert found[0].values("n") == (5, 8)


@examples(
    30,
    100,
    st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=2, max_size=6),
    st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=5),
)
def test_what_is_lifted_comes_back_node_for_node(members, terms):
    """Any integers, linear in two numbers: each file's own text is what its values give."""
    texts = []
    for a, b in members:
        numbers = [x * a + y * b + z for x, y, z in terms]
        legal = " and ".join(f"{i + 2} * v >= {n}" for i, n in enumerate(numbers))
        texts.append(f"game g\nvar v\nlegal {legal}\naction go pre v > 0 eff v := v - {a + 40}\n")
    found = one_family(*texts)
    assert len(found.constants) <= 2 + len(terms)
    assert str(parse(Source("again", str(found.spec)))) == str(found.spec)


def test_a_family_that_does_not_give_its_files_back_is_none(monkeypatch):
    """The check, and not the lifting, is what is relied on."""
    true_term = module._term
    monkeypatch.setattr(
        module, "_term", lambda s, names: true_term(s._replace(offset=s.offset + 1), names)
    )
    found = lifted(games([TAKE.format(2), TAKE.format(3)]))
    assert [(len(f.members), f.constants) for f in found] == [(1, ()), (1, ())]


def test_a_thousand_files():
    texts = [TAKE.format(k) for k in range(1, 501)] + [TWO.format(k) for k in range(2, 502)]
    found = lifted(games(texts))
    assert [(len(f.members), f.constants) for f in found] == [(500, ("n",)), (500, ("n",))]


# --- theorems -----------------------------------------------------------------------------------


class Search:
    """In place of the worker: a theorem wherever ``accepts`` says so, about all in the range."""

    def __init__(self, accepts):
        self.accepts, self.asked = accepts, []

    def call(self, _seconds, _function, task, again):
        self.asked.append(dict(task.fixed))
        if not self.accepts(task):
            return Attempted(None, {}, again / 10, False)
        where = conjunction(task.ranges[0])
        game = task.family.spec.members(task.free, dict(task.fixed))
        claim = FamilyClaim(game, task.free, where, task.rule, FALSE)
        return Attempted(FamilyProof(claim, "theorem"), task.fixed, again / 10, False)


THREE = """game three
var v
legal v >= 0
action take(k) pre (k = {} or k = {} or k = {}) and k <= v eff v := v - k
"""


def three(*sets):
    return one_family(*(THREE.format(*each) for each in sets))


IDLE = """game take
var v
legal v >= 0 and v + {} >= 0
action take(k) pre 1 <= k <= {} and k mod {} = 0 and k <= v eff v := v - k
"""


EITHER = """game take
var v
legal v >= 0
action take(k) pre 1 <= k and (k <= {} or k <= {}) and k <= v eff v := v - k
"""


COUNTERS = """game two
var a, b
legal a >= 0 and 0 <= b <= {}
action left(k) pre 1 <= k <= a eff a := a - k
action right(k) pre 1 <= k <= b eff b := b - k
action both(k) pre k >= {} and k <= a and k <= b eff a := a - k, b := b - k
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "rows", "where", "fixed", "still", "inside"),
    [
        # The first constant does not matter; that every p-th move alone is there, does.
        (IDLE, [(1, 4, 1), (4, 3, 1), (2, 7, 2)], "m >= 1", {"n": 4, "p": 1}, {"p": 1}, [0, 1]),
        # Up to m, or up to n: with n = 1 that is up to m, and so it is for all n up to m.
        (EITHER, [(1, 4), (2, 3), (4, 7), (6, 2)], "m >= 1", {"n": 1}, {}, [0, 1, 2]),
        # A strategy is mined again: with n = 1 one counter is what is missing, else a difference.
        (COUNTERS, [(1, 2), (1, 3), (3, 8), (4, 5)], "m >= 2", {"n": 1}, {}, [0, 1, 2, 3]),
    ],
)
def test_constants_are_freed_again_where_they_can(text, rows, where, fixed, still, inside):
    family = one_family(*(text.format(*row) for row in rows))
    ranges = ((parse_formula(where, (), constants=("m",)),),)
    task = LiftedTask(family, "normal", ("m",), fixed, ranges)
    proof, found, _, _ = look_for_theorem(task, 240)
    assert (proof.status, proof.claim.constants, found) == ("theorem", ("n", "m"), still)
    files = lifted_task.files_inside(family, proof, found)
    assert sorted(files) == [f"{i}.icg" for i in inside]
    for numbers in [*product((1, 2, 3, 9), (1, 2, 5)), *(row[:2] for row in rows)]:
        constants = dict(zip("nm", numbers, strict=True)) | still
        if satisfies(proof.claim.where, constants):
            game = family.spec.game(constants)
            is_lost = loser(game, "normal")
            for state in filter(game.is_legal, product(range(12), repeat=len(game.variables))):
                env = constants | game.env(state)
                assert satisfies(proof.claim.losing, env) == is_lost(state), env


def test_constants_are_fixed_where_there_is_no_theorem_for_all():
    family = three((1, 2, 4), (1, 2, 7), (1, 2, 8), (1, 5, 9), (2, 5, 8), (3, 5, 9))
    worker = Search(lambda task: task.fixed in ({"n": 1, "m": 2}, {"m": 5, "p": 9}))
    found = prove_lifted(family, "normal", 60, worker)
    assert worker.asked[0] == {}
    files = [(dict(t.fixed), t.files) for t in found.theorems]
    assert ({"n": 1, "m": 2}, ("0.icg", "1.icg", "2.icg")) in files
    assert ({"m": 5, "p": 9}, ("3.icg", "5.icg")) in files
    assert found.outside == ("4.icg",)
    assert sorted((*found.inside, *found.outside)) == sorted(family.members)


def test_files_outside_the_range_of_a_theorem_are_named():
    family = one_family(*(TAKE.format(k) for k in (3, 5, 9)))

    class Narrow(Search):
        def call(self, *arguments):
            found = super().call(*arguments)
            if found.proof is None or self.asked.count({}) > 1:
                return found._replace(proof=None)
            where = parse_formula("n >= 4", (), constants=("n",))
            claim = replace(found.proof.claim, where=where)
            return found._replace(proof=replace(found.proof, claim=claim))

    found = prove_lifted(family, "normal", 60, Narrow(lambda task: not task.fixed))
    assert (found.inside, found.outside) == (("1.icg", "2.icg"), ("0.icg",))


def test_a_search_that_finds_nothing_says_so():
    family = three((1, 2, 4), (1, 2, 7), (1, 3, 8))
    found = prove_lifted(family, "normal", 60, Search(lambda task: False))
    assert (found.theorems, found.why, found.inside) == ((), "nothing fits", ())
    alone = three((1, 2, 4))
    assert prove_lifted(alone, "normal", 60, Search(None)).why == "one file only"


@pytest.mark.slow
def test_a_theorem_about_the_files_that_are_alike():
    """What is below the least number n modulo n + p loses where no gap is wider than n."""
    sets = [(3, 4, 7), (2, 3, 5), (3, 5, 8), (4, 7, 9), (4, 5, 8), (1, 6, 9), (2, 5, 7)]
    family = three(*sets)
    assert family.constants == ("n", "m", "p")
    members = tuple(family.members.values())
    ways = tuple(lifted_task.ranges(members, family.constants))
    found = look_for_theorem(LiftedTask(family, "normal", family.constants, {}, ways, members), 5)
    assert found.proof is not None and found.proof.status == "theorem"
    assert lifted_task.files_inside(family, found.proof, {}) >= {f"{i}.icg" for i in range(5)}
    claim, wrong = found.proof.claim, 0
    for n, m, p in combinations(range(1, 14), 3):
        if not satisfies(claim.where, {"n": n, "m": m, "p": p}):
            wrong += m <= 2 * n and p <= n + m
            continue
        lost = []
        for v in range(70):
            lost.append(not any(v >= k and lost[v - k] for k in (n, m, p)))
            assert satisfies(claim.losing, {"n": n, "m": m, "p": p, "v": v}) == lost[v]
    assert wrong == 0, "all members without wide gaps are inside"


@pytest.mark.slow
def test_the_files_that_are_alike_are_found_among_two_constants_too():
    """With n, n + 1 or m taken, what is below n modulo n + m loses where m <= 2 * n + 1."""
    sets = [(1, 3), (2, 4), (2, 5), (3, 6), (4, 8), (1, 6), (2, 9)]
    family = three(*((n, n + 1, m) for n, m in sets))
    assert family.constants == ("n", "m")
    members = tuple(family.members.values())
    ways = tuple(lifted_task.ranges(members, family.constants))
    found = look_for_theorem(LiftedTask(family, "normal", family.constants, {}, ways, members), 5)
    assert found.proof is not None and found.proof.status == "theorem"
    claim = found.proof.claim
    inside = [(n, m) for n, m in sets if satisfies(claim.where, {"n": n, "m": m})]
    assert len(inside) > 1
    for (n, m), v in product(inside, range(60)):
        assert satisfies(claim.losing, {"n": n, "m": m, "v": v}) == (v % (n + m) < n)


def test_the_ranges_hold_all_files_and_the_order_of_their_constants():
    family = three((2, 5, 6), (3, 4, 9), (4, 9, 8))
    asked = Search(lambda task: False)
    tasks = []
    asked.accepts = lambda task: tasks.append(task) or False
    prove_lifted(family, "normal", 60, asked)
    for task in tasks:
        for parts in task.ranges:
            where = conjunction(parts)
            some = [v for v in family.members.values() if task.fixed.items() <= v.items()]
            assert all(satisfies(where, v) for v in some)
    first = {str(part) for part in tasks[0].ranges[0]}
    assert {"n >= 1", "m >= 1", "n < m", "m != p"} <= first
    family = three((2, 5, 6), (3, 4, 5), (4, 8, 9))  # the last two move together
    assert family.constants == ("n", "m")


@pytest.mark.parametrize("names", [("end1", "end2"), ("game", "games"), ("a1", "b1")])
def test_a_common_name_is_a_name(names):
    """What two names have in common may be nothing, or a word of the language."""
    texts = [
        PDDL.format(k).replace(f"domain take{k}", f"domain {n}") for k, n in enumerate(names, 2)
    ]
    (found,) = lifted([(t, load_spec(Source("a", t))) for t in texts])
    assert found.constants == ("n",)


def test_more_constants_than_can_be_chosen_from():
    numbers = [
        [10 * i + j * j * (i % 7) * (i % 5) + j**3 * (i % 3) for j in range(5)] for i in range(40)
    ]
    text = "game many\nvar v\nlegal v >= 0\naction take(k) pre k <= v and ("
    texts = [
        text + " or ".join(f"k = {n[j] + i * 1000}" for i, n in enumerate(numbers))
        for j in range(5)
    ]
    family = one_family(*(t + ") eff v := v - k\n" for t in texts))
    assert len(family.constants) > 8
    found = prove_lifted(family, "normal", 60, Search(None))
    assert not found.theorems and "more than 8" in found.why

"""Cones of moves: read from the rules, and proofs that go around their relations."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
from second_proof import positions

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.digits.numeration import Numeration, parry
from icgsynth.game.game import ParametricGame
from icgsynth.logic.build import disjunction
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Formula
from icgsynth.prove.automata.cones import cones, steepness
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.recheck.answer_parts import Refuted, require_independent
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.machine import Effort, Machine
from icgsynth.prove.recheck.steep_bounds import bounds_of
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

RULES = """
game cone "cone"
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
action both(j, k)
  pre {pre}
  eff a := a - j, b := b - k
"""
FRAENKEL = (
    "1 <= j <= a and 1 <= k <= b and (j <= k and k < {s} * j + {t} or k <= j and j < {s} * k + {t})"
)
SAID = "b = shift(a) and zeros(a) mod 2 = 0 or a = shift(b) and zeros(b) mod 2 = 0"


def game(pre: str) -> ParametricGame:
    return load_spec(Source("cone.icg", RULES.format(pre=pre)))


def fraenkel(s: int, t: int) -> ParametricGame:
    return game(FRAENKEL.format(s=s, t=t))


def formula(system: Numeration) -> Formula:
    return parse_formula(SAID, ["a", "b"], system=system)


def lost(s: int, t: int, side: int) -> set[tuple[int, int]]:
    """By backward induction from the definition of the game."""
    found: set[tuple[int, int]] = set()
    for a, b in sorted(product(range(side), repeat=2), key=sum):
        wins = any(
            (a == x) != (b == y) or (a > x and b > y and _in_cone(s, t, a - x, b - y))
            for x, y in found
            if x <= a and y <= b
        )
        if not wins:
            found.add((a, b))
    return found


def _in_cone(s: int, t: int, j: int, k: int) -> bool:
    return min(j, k) > 0 and max(j, k) < s * min(j, k) + t


WITHIN = [
    *((FRAENKEL.format(s=s, t=t), partial(_in_cone, s, t)) for s, t in ((2, 1), (2, 3), (5, 4))),
    # What is not below the other parameter is not negative, and a gap to it counts.
    ("1 <= j <= a and j <= k <= b and k < 2 * j + 1", lambda j, k: 1 <= j <= k < 2 * j + 1),
    ("1 <= j <= a and j <= k <= b and k < 3 * j + 2", lambda j, k: 1 <= j <= k < 3 * j + 2),
    ("2 <= j <= a and j + 3 <= k <= b and k < 3 * j", lambda j, k: j >= 2 and j + 3 <= k < 3 * j),
]


@pytest.mark.parametrize(("pre", "within"), WITHIN)
def test_cones_are_the_moves_of_the_action(pre: str, within: Callable[[int, int], bool]) -> None:
    rules = game(pre)
    found, again = cones(rules, rules.actions[2]), bounds_of(rules, rules.actions[2])
    assert found
    assert {c.least for c in found} == {c.least for c in again}
    told = [(c.least, c.bounds) for c in found], [(c.least, c.pairs) for c in again]
    for j, k in product(range(-3, 25), repeat=2):
        for each in told:
            said = any(
                j >= least[0] and k >= least[1] and all(x * j + y * k + z >= 0 for x, y, z in lines)
                for least, lines in each
            )
            assert said == within(j, k)


def test_the_steepness_of_a_game_is_that_of_its_cones() -> None:
    assert steepness(fraenkel(5, 4)) == ((5, 4),)


@pytest.mark.parametrize(
    "pre",
    [
        "j <= a and k <= b and k < 2 * j + 1",  # parameters that may be negative
        "j <= a and j <= k <= b and k < 2 * j + 1",
        "1 <= j <= a and j - 2 <= k <= b and k < 2 * j + 1",
        "1 <= j <= a and 1 <= k <= b and j <= k and k < j + 2",  # not steep
        "1 <= j <= a and 1 <= k <= b and k < 2 * j + a",  # depends on where it begins
        "1 <= j <= a and 1 <= k <= b and k < 2 * j + 1 and k mod 2 = 0",
    ],
)
def test_other_actions_have_no_cones(pre: str) -> None:
    rules = game(pre)
    assert cones(rules, rules.actions[2]) is None
    assert bounds_of(rules, rules.actions[2]) == ()


@pytest.mark.slow
def test_the_losing_pairs_are_proved_and_wrong_ones_refuted() -> None:
    rules, system = fraenkel(2, 1), parry((2, 2))
    automata = Rules.of(rules, system, Budget(300))
    truth = formula(system)
    right = automata.states_where(truth)
    states = {s for s in product(range(40), repeat=2) if satisfies(truth, rules.env(s))}
    assert states == lost(2, 1, 40)
    assert automata.refutation(right, "normal") is None
    assert automata.refutation(right, "misere") is not None
    far = {"a": system.value((1,) + (0,) * 4), "b": system.value((1,) + (0,) * 5)}
    assert right.contains(far)
    one = parse_formula(f"a = {far['a']} and b = {far['b']}", ["a", "b"])
    fewer = right - automata.states_where(one)
    # Nobody can move from the pair that is left out to a losing one.
    assert automata.refutation(fewer, "normal") == far
    other = parse_formula(f"a = {far['a']} and b = {far['b'] - 1}", ["a", "b"])
    more = right | automata.states_where(other)
    assert automata.refutation(more, "normal") is not None


@pytest.mark.slow
def test_the_second_proof_finds_moves_between_losing_states() -> None:
    rules, system = fraenkel(2, 1), parry((2, 2))
    there = positions(rules, system, Effort(Budget(300), 50_000))
    right = there.where(formula(system))
    require_independent(there, right, "normal")
    with pytest.raises(Refuted):
        require_independent(there, right, "misere")
    # (5, 9) has a move within the cone to (1, 3).
    more = there.where(disjunction((formula(system), parse_formula("a = 5 and b = 9", ["a", "b"]))))
    with pytest.raises(Refuted) as caught:
        require_independent(there, more, "normal")
    assert caught.value.witness is not None
    everything = there.where(parse_formula("a + b >= 0", ["a", "b"]))
    with pytest.raises((Refuted, Undecided)):
        require_independent(there, everything, "normal")


@pytest.mark.parametrize(("x", "y"), ["ab", "ba"])
def test_the_second_proof_knows_variables_in_any_order(x: str, y: str) -> None:
    """From (3, 5) a move of the cone leads to (0, 0), from (5, 3) none does."""
    text = RULES.format(pre="1 <= j <= a and j <= k <= b and k < 2 * j + 1")
    names = {"a": x, "b": y}
    text = re.sub(r"\b[ab]\b", lambda found: names[found[0]], text)
    rules = load_spec(Source("cone.icg", text))
    assert rules.variables == (x, y)
    there = positions(rules, parry((2, 2)), Effort(Budget(300), 50_000))

    def states(*pairs: tuple[int, int]) -> Machine:
        said = [parse_formula(f"{x} = {i} and {y} = {j}", [x, y]) for i, j in pairs]
        return there.where(disjunction(said))

    require_independent(there, states((0, 0), (5, 3)), "normal")
    with pytest.raises(Refuted) as caught:
        require_independent(there, states((0, 0), (3, 5)), "normal")
    assert caught.value.witness == (3, 5)


def test_bounds_past_64_bits_are_no_error() -> None:
    """No state that is looked at has a move by ``both``: its least parameter is past 10^30."""
    huge = 10**30
    pre = f"1 <= j <= a and j + {huge} <= k <= b and k < 3 * j + {2 * huge}"
    rules = RULES.format(pre=pre).replace("action take_b(k)  pre 1 <= k <= b  eff b := b - k\n", "")
    solution = icg.loads(rules).solve(timeout=2)
    (action,) = [action for action in solution.game.actions if action.name == "both"]
    (found,), (again,) = cones(solution.game, action) or (), bounds_of(solution.game, action)
    assert found.least == again.least == (1, huge + 1)
    assert found.bounds == again.pairs

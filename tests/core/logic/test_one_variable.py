"""Games along one line: lost numbers as intervals, and by cases of what was done last."""

from itertools import product

import pytest
from plain_play import loser

import icgsynth as icg
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies

MULTIPLIED = """game multiply "Multiply by 2 to 9 until 1000 is reached (UVa 847)"
var p
legal 1 <= p and p < 9000
end p >= 1000
"""
EIGHT = "".join(f"action t{k} pre true eff p := {k} * p\n" for k in range(2, 10))
ONE = "action times(k) pre 2 <= k <= 9 eff p := k * p\n"
DIVIDED = """game divide
var n
legal 0 <= n <= 3000
action half pre n >= 1 eff n := n div 2
action third pre n >= 1 eff n := n div 3
"""


@pytest.mark.parametrize(
    ("rules", "lost"),
    [
        (MULTIPLIED + EIGHT, [(4, 6), (56, 111), (1000, 8999)]),
        pytest.param(MULTIPLIED + ONE, [(4, 6), (56, 111), (1000, 8999)], marks=pytest.mark.slow),
        (DIVIDED, [(0, 0), (3, 5), (18, 35), (108, 215), (648, 1295)]),
    ],
)
def test_the_lost_numbers_of_a_finite_game_are_said_as_intervals(rules, lost):
    """Faults it sees: a box is too large to label when each effect is only looked at backwards;
    thresholds of thousands are searched without an end, and the list of intervals is never tried.
    """
    asked = icg.loads(rules)
    game = asked.game
    is_lost = loser(game, "normal")
    solution = asked.solve()
    assert solution.is_proved
    (variable,) = game.variables
    for number in range(10_000):
        if game.is_legal((number,)):
            by_hand = any(low <= number <= high for low, high in lost)
            assert is_lost((number,)) == by_hand
            assert satisfies(solution.losing.formula, {variable: number}) == by_hand


@pytest.mark.parametrize("blocked", ["n mod 5 != 0 or n = 0", "n mod 7 not in {2, 3}"])
def test_numbers_that_rules_leave_out_do_not_hide_a_period(blocked):
    """Faults it sees: no period is looked for where the legal numbers have unequal gaps."""
    rules = f"""game frog "A frog goes back 1 to 3 squares, of which some are blocked"
    var n
    legal n >= 0 and ({blocked})
    action hop(k) pre 1 <= k <= 3 and k <= n eff n := n - k
    """
    game = icg.loads(rules).game
    solution = icg.loads(rules).solve()
    is_lost = loser(game, "normal")
    assert solution.is_proved and solution.logic == "lia"
    for number in range(200):
        if game.is_legal((number,)):
            assert satisfies(solution.losing.formula, {"n": number}) == is_lost((number,))


DIE = """var n, top
legal n >= 0 and 1 <= top <= 6
action tip(k) pre 1 <= k <= 6 and k <= n and k != top and k != 7 - top eff n := n - k, top := k
"""
NO_REPEAT = """var n, last
legal n >= 0 and 0 <= last <= 5
action take(k) pre 1 <= k <= 5 and k <= n and k != last eff n := n - k, last := k
"""
PASS = """var n, mine, yours
legal n >= 0 and 0 <= mine <= 1 and 0 <= yours <= 1
action take(k) pre 1 <= k <= 3 and k <= n eff n := n - k, mine := yours, yours := mine
action pass pre mine = 1 and n >= 1 eff mine := yours, yours := 0
"""


@pytest.mark.parametrize(("rules", "period"), [(DIE, 9), (NO_REPEAT, 13), (PASS, 4)])
def test_a_memory_of_few_values_is_told_case_by_case(rules, period):
    """Faults it sees: remainders of sums such as n + last, in which the cases are not to be seen;
    a case that is told with the period of another.
    """
    asked = icg.loads(f"game memory {rules}")
    game, solution = asked.game, asked.solve()
    losing = solution.losing.formula
    assert solution.is_proved
    assert {part for part in walk(losing) if isinstance(part, t.Mod)} == {
        t.Mod(t.Name("n"), t.Int(period))
    }
    is_lost = loser(game, "normal")
    for state in product(range(60), *(range(7) for _ in game.variables[1:])):
        if game.is_legal(state):
            env = dict(zip(game.variables, state, strict=True))
            assert satisfies(losing, env) == is_lost(state), state

"""A person who does what a sentence says, word after word, makes the move of the rule."""

from __future__ import annotations

import re
from itertools import product

import pytest
from automatic_solved import nim_target
from hand_solved import CHOMP, NIM2, as_python, game

from icgsynth.export.sentences import formula_said, rules_in_words, sentences
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse_formula, parse_term

RULES = """game rules
var a, b, p
action both(k)      pre k >= 1          eff a := a - k, b := b - k
action apart(j, k)  pre j >= 1 and k >= 1  eff a := a - j, b := b - k
action hand_on(k)   pre k >= 1          eff a := a - k, b := b + k
action refill(k)    pre k >= 1          eff a := a - k, b := b + 1
action split(k)     pre k >= 1          eff a := a - k - 1, b := k
action turn(k)      pre k >= 1          eff a := a - k, p := 1
action empty        pre true            eff a := 0
action all(k)       pre k >= 1          eff a := a - k, b := b - k, p := p - k
action eat(k)       pre k >= 1          eff b := k - 1
"""

CASES = [
    (NIM2, "a > b", "take_a", {"k": "a - b"}),
    (NIM2, "a <= 3 and a + b > 3", "take_b", {"k": "a + b - 3"}),
    (NIM2, "a > 1", "take_a", {"k": "a - 1"}),
    (NIM2, "b > 1 and a = b", "take_b", {"k": "a"}),
    (NIM2, "a mod 4 != 0", "take_a", {"k": "a mod 4"}),
    (NIM2, "a mod 4 > 1", "take_a", {"k": "a mod 4 - 1"}),
    (CHOMP, "a > 2 and b = 0", "eat1", {"k": "3"}),
    (CHOMP, "a > b + 1", "eat1", {"k": "b + 2"}),
    (RULES, "a > 1 and b > 1", "both", {"k": "1"}),
    (RULES, "a = b and a > 0", "both", {"k": "a"}),
    (RULES, "a > 0 and a < b", "both", {"k": "a"}),
    (RULES, "a > 2", "both", {"k": "a - 2"}),
    (RULES, "a > b and b > 0", "apart", {"j": "a - b", "k": "b"}),
    (RULES, "b > a and a > 0", "apart", {"j": "a", "k": "b - a"}),
    (RULES, "a > 0 and b > 0", "apart", {"j": "b", "k": "a"}),
    (RULES, "a > b and p > 0", "apart", {"j": "a - b", "k": "p"}),
    (RULES, "a > p", "hand_on", {"k": "a - p"}),
    (RULES, "a > b", "refill", {"k": "a - b"}),
    (RULES, "a > b and b > 0", "split", {"k": "b"}),
    (RULES, "a > 0", "turn", {"k": "1"}),
    (RULES, "p = 1 and a > 0", "turn", {"k": "a"}),
    (RULES, "a > 0", "empty", {}),
    (RULES, "a > 0 and b > 0 and p > 0", "all", {"k": "p"}),
    (RULES, "a = b and b > 0", "eat", {"k": "a"}),
    (RULES, "a = 0", "eat", {"k": "a + 1"}),
]

TERM = r"(?:[^,()]|\([^()]*\))+?"
STEP = re.compile(
    r"(?:(?P<verb>take|leave|add|make) )?"
    rf"(?:(?P<made>[abp]) = (?P<after>{TERM})|(?P<what>{TERM}) (?P<of>of|from|in|to) "
    r"(?P<names>(?:both |each of )?[abp](?:, [abp])*(?: and [abp](?= and |,|$))?))(?:, | and |$)"
)


def number(text: str, state: dict[str, int]) -> int:
    """What a term, or an amount in words, is in a state."""
    less, _, rest = text.rpartition(" less than ")
    found = re.fullmatch(r"the remainder when (.*) is divided by (\d+)", rest)
    said = f"({found[1]}) % {found[2]} - {less or 0}" if found else text
    return int(eval(as_python(said), {"min": min, "max": max}, state))


def obeyed(said: str, before: dict[str, int]) -> dict[str, int]:
    """The state after what is said is done in its order."""
    body, _, aims = said.removesuffix(".").partition(", so that ")
    body, at_once, _ = body.partition(", counted with the numbers before the move")
    state, end, verb = dict(before), 0, ""
    while end < len(body):
        step = STEP.match(body, end)
        assert step, (body, body[end:])
        end, verb = step.end(), step["verb"] or verb
        seen = before if at_once else dict(state)
        for name in [step["made"]] if step["made"] else re.findall(r"\b[abp]\b", step["names"]):
            if step["what"] == "all":
                assert (verb, step["of"]) == ("take", "of")
                state[name] = 0
                continue
            amount = number(step["after"] or step["what"], seen)
            if verb in ("take", "add"):
                assert step["of"] == {"take": "from", "add": "to"}[verb] and amount > 0
            moved = {"take": -amount, "add": amount, "leave": amount - state[name]}
            state[name] = amount if verb == "make" else state[name] + moved[verb]
    for aim in filter(None, aims.split(" and ")):
        name, value = aim.split(" = ")
        assert state[name] == number(value, state), aim
    return state


@pytest.mark.parametrize(("rules", "when", "action", "arguments"), CASES)
def test_what_is_said_is_the_move(rules, when, action, arguments):
    """Kills: a take that should be an add, "so that" of a number that the move changes as well,

    a part that reads what an earlier one has changed, equations of the condition that are lost.
    """
    of = game(rules)
    condition = parse_formula(when, of.variables)
    given = tuple((name, parse_term(term, of.variables)) for name, term in arguments.items())
    (said,) = sentences(of, Strategy((Rule(condition, SemiGroundAction(action, given)),)))
    opening = f"If {formula_said(condition)}, "
    move = said.removeprefix(opening)
    assert said != move and ("mod" in when or opening == f"If {when}, ")
    after, seen = of.after(of.action(action), dict(given)), 0
    for state in product(range(8), repeat=len(of.variables)):
        env = of.env(state)
        if of.is_legal(state) and satisfies(condition, env):
            seen += 1
            new = {v: number(str(after[v]), env) for v in after}
            assert obeyed(move, env) == {**env, **new}, (said, state)
    assert seen


def said_of(action: str, arguments: dict[str, str], when: str = "a > 5") -> str:
    of = game(RULES)
    given = tuple((name, parse_term(term, of.variables)) for name, term in arguments.items())
    rule = Rule(parse_formula(when, of.variables), SemiGroundAction(action, given))
    return next(sentences(of, Strategy((rule,))))


def test_the_same_is_said_once():
    assert said_of("both", {"k": "1"}).endswith("take 1 from both a and b.")
    assert said_of("all", {"k": "b + 1"}).count("b + 1") == 1
    assert said_of("both", {"k": "a"}, "a = b and a > 0").endswith("take all of a and b.")
    assert said_of("apart", {"j": "3", "k": "4"}).count("take") == 1


def test_a_number_that_the_condition_gives_is_not_changed_in_words():
    assert "p" not in said_of("turn", {"k": "1"}, "p = 1 and a > 0").partition(": ")[2]


def test_a_rule_that_aims_says_for_what():
    """An automaton finds the move: there is no more to say than what it leaves."""
    of = game(NIM2)
    rules = list(sentences(of, Strategy((TargetRule(t.TRUE, "take_a", nim_target("ab", "a")),))))
    assert len(rules) == 1 and "take_a" in rules[0] and "losing" in rules[0]
    assert "if there is one" in rules[0]


def test_that_numbers_are_never_negative_goes_without_saying():
    assert next(rules_in_words(game(NIM2))).startswith("The move take_a(k): take k from a")
    assert "b <= a" in next(rules_in_words(game(CHOMP)))


def test_a_long_condition_is_said_by_its_aim():
    """Faults it sees: a short condition that is hidden; an aim where moves may be forbidden."""
    of = game(RULES)
    long = parse_formula(" or ".join(f"a = {n} and b = {n} + 1" for n in range(9)), of.variables)
    short = parse_formula("a > 5", of.variables)
    act = SemiGroundAction("both", (("k", parse_term("1", of.variables)),))
    rules = Strategy((Rule(long, act), Rule(short, act)))
    by_aim = list(sentences(of, rules, by_aim=True))
    assert by_aim[0].startswith("If that leads to a losing state, ")
    assert by_aim[1].startswith("If a > 5, ")
    assert next(sentences(of, rules)).startswith("If (a = 0")


@pytest.mark.parametrize("formula", ["a mod 7 in {0, 5}", "not a mod 7 in {0, 5}", "a mod 7 != 3"])
def test_a_remainder_is_said_in_words(formula):
    """Read back as a person reads it, the words are the formula."""
    said = formula_said(parse_formula(formula, ["a"]))
    found = re.fullmatch(
        r"a (leaves|does not leave) remainder (\d)(?: or (\d))? when divided by 7", said
    )
    assert found, said
    remainders = {int(digit) for digit in found.groups()[1:] if digit}
    for a in range(20):
        is_said = (a % 7 in remainders) == (found[1] == "leaves")
        assert is_said == eval(formula.replace("mod", "%"), {"a": a})


def test_what_may_be_taken_is_said_in_words():
    of = game("game g var n legal n >= 0 action t(k) pre k in {1, 3, 4} and k <= n eff n := n - k")
    assert list(rules_in_words(of)) == [
        "The move t(k): take k from n, where k is 1, 3 or 4 and k <= n."
    ]

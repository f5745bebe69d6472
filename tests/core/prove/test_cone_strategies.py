"""Strategies that take within a cone: moves along a line, proved twice, written and read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hand_solved import loaded
from test_cones import formula, fraenkel, lost

from icgsynth.budget import Budget
from icgsynth.claims.over_sets import StatedParts
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import parry
from icgsynth.errors import InputError, Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.line import Line
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic.build import negation
from icgsynth.logic.term import TRUE
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.beyond import judge
from icgsynth.prove.recheck.answer_parts import recheck_answer
from icgsynth.spec.icg import parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.synth.digits.targets import whole_strategy


@cache
def answer(s: int, t: int) -> Solution:
    """Fraenkel's pairs, with a strategy that is not proved yet."""
    game = fraenkel(s, t)
    system = parry((s + t - 1, s))
    said = formula(system)
    rules = Rules.of(game, system, Budget(300))
    losing = rules.states_where(said)
    strategy = whole_strategy(rules, losing, rules.legal - losing, Budget(0.001))
    return Solution(
        game=game,
        rule="normal",
        status="unknown",
        winning=Claim(negation(said)),
        losing=Claim(said),
        strategy=Strategy(strategy),
        logic=str(system),
    )


def proved_first(solution: Solution) -> bool:
    return judge(solution, ["strategy"], Budget(300))["strategy"].is_proved


def proved_again(solution: Solution, part: str = "strategy") -> bool:
    found = recheck_answer(solution, Budget(300), only=(part,))
    return found[part].verdict is Verdict.PROVED


def along(solution: Solution) -> tuple[int, TargetRule, Line]:
    """The place of the rule along a line with the largest automaton."""
    rules = [
        (place, rule)
        for place, rule in enumerate(solution.strategy)
        if isinstance(rule, TargetRule) and rule.line is not None
    ]
    place, rule = max(rules, key=lambda pair: len(pair[1].target))
    assert rule.line is not None
    return place, rule, rule.line


def changed(solution: Solution, rule: Rule | TargetRule) -> Solution:
    place, _, _ = along(solution)
    tiers = list(solution.strategy)
    tiers[place] = rule
    return replace(solution, strategy=Strategy(tuple(tiers)))


@pytest.mark.slow
@pytest.mark.parametrize(("s", "t"), [(2, 1), (2, 3), (3, 2)])
def test_the_strategy_wins_in_a_box(s: int, t: int) -> None:
    solution, losing = answer(s, t), lost(s, t, 20)
    for state in product(range(20), repeat=2):
        chosen = solution.strategy.choose(solution.game, state)
        if state in losing:
            continue
        assert chosen is not None
        assert solution.game.applies(state, chosen.move)
        assert solution.game.result(state, chosen.move) in losing
    assert len(losing) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("s", "t"), [(2, 1), (2, 3)])
def test_both_proofs_accept_it(s: int, t: int) -> None:
    solution = answer(s, t)
    assert proved_first(solution)
    assert proved_again(solution)
    assert proved_again(solution, "winning")
    # What is left without the rules along lines is found missing.
    _, rule, _ = along(solution)
    fewer = changed(solution, replace(rule, when=negation(TRUE)))
    assert not proved_first(fewer)
    assert not proved_again(fewer)
    assert not proved_again(fewer, "winning")


def wrong_lines() -> Iterator[Line]:
    _, _, line = along(answer(2, 1))
    yield replace(line, least=line.least - 1)
    yield replace(line, most=line.most + 1)
    yield replace(line, takes=0)
    yield replace(line, takes=-1)
    yield replace(line, takes=40)
    yield replace(line, term=parse_term(f"{line.term} + 1", ["a", "b"]))
    yield replace(line, least=line.least - 1, most=line.most - 1)


@pytest.mark.slow
def test_other_lines_are_not_proved() -> None:
    solution = answer(2, 1)
    _, rule, _ = along(solution)
    for line in wrong_lines():
        other = changed(solution, replace(rule, line=line))
        assert not proved_first(other), line
        assert not proved_again(other), line


@pytest.mark.slow
def test_other_automata_are_not_proved() -> None:
    solution = answer(2, 1)
    _, rule, _ = along(solution)
    target = rule.target
    for state in range(0, len(target), 4):
        flags = tuple(flag != (q == state) for q, flag in enumerate(target.accepting))
        other = changed(solution, replace(rule, target=replace(target, accepting=flags)))
        if not proved_first(other):
            assert not proved_again(other), state
        else:
            assert same(replace(target, accepting=flags), target), state


def same(one: Automaton, other: Automaton) -> bool:
    return all(one.accepts(pair) == other.accepts(pair) for pair in product(range(120), repeat=2))


def test_a_line_gives_the_other_variable() -> None:
    line = Line("d", parse_term("3 * a - b + 2", ["a", "b"]), "b", -1, 1, 1)
    assert list(line.values({"a": 0, "b": 2})) == [1, 0]
    assert line.evaluate(5, {"a": 4, "b": 99}) == 9
    assert str(line.solve(parse_term("d", ["d"]), {"a": parse_term("c", ["c"])})) == "3 * c - d + 2"
    for term, gives in (("a - 2 * b", "b"), ("a - b", "c"), ("a - b mod 2", "b")):
        with pytest.raises(ValueError, match=r"factor|linear"):
            Line("d", parse_term(term, ["a", "b"]), gives, 0, 0, 1)


def test_the_rule_says_what_it_does() -> None:
    _, rule, line = along(answer(2, 1))
    assert str(rule).startswith("both to a losing (")
    assert str(line) in str(rule)
    with pytest.raises(ValueError, match="tracks"):
        replace(rule, line=replace(line, track="e"))


def test_an_answer_with_lines_is_read_back(tmp_path: Path) -> None:
    solution = answer(2, 1)
    path = tmp_path / "answer.json"
    data = solution.to_json()
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read_solution(Source.read(path)).strategy == solution.strategy
    place, _, _ = along(solution)
    entry = data["strategy"][place]
    wrong = [
        ({"track": "a"}, "variable of the game"),
        ({"track": "e"}, "track"),
        ({"gives": "c"}, "does not change"),
        ({"term": "a - a"}, "factor"),
        ({"falls": [1]}, "two integers"),
        ({"falls": [1, 0]}, "nothing is between"),
        ({"falls": [0, 10**12]}, "at most 1000 values"),
    ]
    for part, message in wrong:
        strategy = [*data["strategy"]]
        strategy[place] = entry | {"line": entry["line"] | part}
        path.write_text(json.dumps(data | {"strategy": strategy}), encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_solution(Source.read(path))


@pytest.mark.slow
def test_the_module_plays_as_the_strategy() -> None:
    solution, losing = answer(2, 3), lost(2, 3, 30)
    module = loaded(solution)
    move, result = module["move"], module["result"]
    for state in product(range(30), repeat=2):
        made = move(*state)
        assert (made is None) == (state in losing)
        assert made is None or result(*made, *state) in losing


def test_a_rule_along_a_line_names_no_moves_of_a_blocking_game() -> None:
    """A mutant takes the tracks of the line, which are no states, for the moves that it names."""
    found = answer(2, 1)
    _, rule, _ = along(found)
    claim = replace(found, game=replace(found.game, block=1), strategy=Strategy((rule,)))
    with pytest.raises(Refused, match="blocking"):
        next(StatedParts(claim, None, None).strategy())

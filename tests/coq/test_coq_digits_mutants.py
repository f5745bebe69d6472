"""Answers in digits with one entry or one number changed, each known to be wrong from small states:
Coq accepts none.  (Answers in linear arithmetic are changed by ``python -m experiments coq``.)"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from catalog_answers import solved
from coq_here import complaint
from speed import sampled

import icgsynth as icg
from icgsynth.errors import IcgError, Refused
from icgsynth.export import export
from icgsynth.game.game import Move
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic.build import rebuild
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.term import Compare, Int, Name, Node, children

SIZES = {
    "mark": 40,
    "nim3": 6,
    "wythoff": 12,
}  # the states that are looked at have numbers below these
SEED = 18


def wrong_at(answer: Solution) -> tuple[int, ...] | None:
    """A state where the answer is not what the moves say, found backwards from the end."""
    game, lost = answer.game, set()
    states = product(range(SIZES[game.name]), repeat=len(game.variables))
    for state in sorted(states, key=sum):
        if not game.is_legal(state):
            continue
        here = dict(zip(game.variables, state, strict=True))
        wins = any(game.result(state, move) in lost for move in game.moves(state))
        if not wins:
            lost.add(state)
        if {answer.automaton.accepts(state), satisfies(answer.losing.formula, here)} != {not wins}:
            return state
        rule = next((r for r in answer.strategy if satisfies(r.when, here)), None)
        if wins and (rule is None or not leads(answer, state, rule, here, lost)):
            return state
    return None


def leads(answer, state, rule, here, lost):
    """Whether the rule names a move that applies, to a lost state."""
    given = tuple((name, value(term, here)) for name, term in rule.act.arguments)
    move = Move(rule.act.action, given)
    return move in answer.game.moves(state) and answer.game.result(state, move) in lost


# --- the changes --------------------------------------------------------------------------------


def transitions(answer: Solution) -> Iterator[Solution]:
    """Another state after one column of digits."""
    automaton = answer.automaton
    for q, row in enumerate(automaton.transitions):
        for column, target in enumerate(row):
            for other in {*range(len(automaton.transitions))} - {target}:
                rows = [list(r) for r in automaton.transitions]
                rows[q][column] = other
                yield replace(
                    answer, automaton=replace(automaton, transitions=tuple(map(tuple, rows)))
                )


def accepting(answer: Solution) -> Iterator[Solution]:
    """One state accepts that did not, or the reverse."""
    automaton = answer.automaton
    for q, accepts in enumerate(automaton.accepting):
        flags = (*automaton.accepting[:q], not accepts, *automaton.accepting[q + 1 :])
        yield replace(answer, automaton=replace(automaton, accepting=flags))


def rules(answer: Solution) -> Iterator[Solution]:
    """One number of the rules is larger or smaller by one."""
    text = str(answer.game)
    start = text.index("legal")
    for found in re.finditer(r"\b\d+\b", text[start:]):
        for step in (-1, 1):
            first, last = start + found.start(), start + found.end()
            changed = f"{text[:first]}{int(found[0]) + step}{text[last:]}"
            try:
                yield replace(answer, game=icg.loads(changed).game)
            except IcgError:  # no divisor is 0
                continue


def changed(node: Node, variables: tuple[str, ...]) -> Iterator[Node]:
    """One number larger or smaller by one, another variable, or < for <= or the reverse."""
    match node:
        case Int(number):
            yield from (Int(number - 1), Int(number + 1))
        case Name(variable):
            yield from (Name(other) for other in variables if other != variable)
        case Compare(terms, ("<" | "<=" as op,)):
            yield Compare(terms, ("<=" if op == "<" else "<",))
    below = children(node)
    for i, child in enumerate(below):
        for other in changed(child, variables):
            yield rebuild(node, (*below[:i], other, *below[i + 1 :]))


def strategy(answer: Solution) -> Iterator[Solution]:
    """A condition or an argument of the strategy."""
    names = answer.game.variables
    for i, rule in enumerate(answer.strategy):
        assert isinstance(rule, Rule)
        others = [replace(rule, when=when) for when in changed(rule.when, names)]
        for j, (name, term) in enumerate(rule.act.arguments):
            for other in changed(term, names):
                given = (*rule.act.arguments[:j], (name, other), *rule.act.arguments[j + 1 :])
                others.append(replace(rule, act=replace(rule.act, arguments=given)))
        for other in others:
            tiers = (*answer.strategy[:i], other, *answer.strategy[i + 1 :])
            yield replace(answer, strategy=tiers)


def files(change, game, count):
    """Files of so many answers that are wrong by this change."""
    found, texts = [*change(solved(game))], []
    random.Random(SEED).shuffle(found)
    for each in found:
        if wrong_at(each) is None:
            continue
        try:
            texts.append(export(each, "coq"))
        except Refused:
            continue  # no file, so nothing that Coq could accept
        if len(texts) == count:
            break
    return texts


@pytest.mark.parametrize("game", sorted(SIZES))
def test_the_answers_are_right_before_the_change(game):
    assert wrong_at(solved(game)) is None


@pytest.mark.slow
@sampled(("games", "count"), [(("mark", "nim3"), 1), (tuple(SIZES), 3)], 1, pytest.mark.nightly)
@pytest.mark.parametrize("change", [transitions, accepting, rules, strategy])
def test_coq_refuses(coq, change, games, count):
    for game in games:
        wrong = files(change, game, count)
        assert len(wrong) == count
        for said in map(complaint, wrong):
            assert "expected to have type" in said, "what automata decide is not so"

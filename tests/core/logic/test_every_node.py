"""Every kind of node is printed, computed, bounded or refused by all that print and walk nodes.

A new kind fails the first test until it has a sample here, and then wherever it was forgotten.
The values of the samples at two points are written by hand.
"""

from __future__ import annotations

from functools import partial
from typing import get_args

import numpy as np
import pytest
from node_samples import NAMES, ODD, POINTS, SAMPLES, TERMS

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base
from icgsynth.errors import IcgError
from icgsynth.formats.page.javascript_terms import JavaScript
from icgsynth.formats.python_digits import DigitNames
from icgsynth.formats.python_terms import Writer
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    fold,
    free_names,
    map_names,
    negation,
    rebuild,
    size,
    substitute,
    walk,
)
from icgsynth.logic.evaluate import columns, satisfies, value
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.prose import in_rules
from icgsynth.logic.ranges import ranges
from icgsynth.logic.simplify import simplified
from icgsynth.logic.smtlib import expression
from icgsynth.mathematics.latex import mathematics
from icgsynth.prove.deciders import classes, presburger, smt
from icgsynth.prove.recheck import plain
from icgsynth.spec.icg import parse_formula, parse_term

REFUSALS = (IcgError, Unsupported, ValueError)  # but no KeyError and no failed assertion

CASES = [pytest.param(*sample, id=kind.__name__) for kind, sample in SAMPLES.items()]


def of_kind(node):
    """Whether it is a term, and no formula."""
    return isinstance(node, TERMS)


def is_worth(node, number):
    """The formula that says what a node is worth."""
    if of_kind(node):
        return t.compare(node, "=", t.Int(number))
    return node if number else t.Not(node)


def at(env):
    """The formulas that say which numbers the names are."""
    return [t.compare(t.Name(name), "=", t.Int(number)) for name, number in env.items()]


# What gives a node of the same worth; who refuses a kind raises one of the REFUSALS.
WALKERS = {
    "substitute": lambda node: substitute(node, {"y": t.Int(0)}),
    "rebuild": lambda node: rebuild(node, t.children(node)),
    "map_names": lambda node: map_names(node, str),
    "fold": fold,
    "in_rules": in_rules,
    "negation": lambda node: node if of_kind(node) else negation(negation(node)),
    "simplified": lambda node: node if of_kind(node) else simplified(node),
    "normal": lambda node: node if of_kind(node) else t.And((*normal([node]), t.TRUE)),
    "parse": lambda node: (parse_term if of_kind(node) else parse_formula)(
        str(node), NAMES, system=base(2), sets={"L": ODD}
    ),
}


def from_python(node, env):
    """What the exported Python says."""
    digits = DigitNames(())
    writer = Writer({name: name for name in NAMES}, digits)
    text = writer.show(node).text
    if writer.steps or isinstance(node, t.Digital | t.Recognised):
        return None  # speaks of functions that stand elsewhere in the module
    return eval(text, {**env})


def from_columns(node, env):
    """What numpy says, of one state."""
    return np.broadcast_to(columns(node, {n: np.array([v]) for n, v in env.items()}), 1)[0]


EVALUATORS = {
    "evaluate": lambda node, env: (value if of_kind(node) else satisfies)(node, env),
    "columns": from_columns,
    "recheck": lambda node, env: (plain.value if of_kind(node) else plain.holds)(node, env),
    "compiled": lambda node, env: plain.compile_node(node, NAMES)(*env.values()),
    "python": from_python,
}
PRINTERS = {
    "str": str,
    "SMT-LIB": expression,
    "LaTeX": mathematics,
    "JavaScript": lambda node: JavaScript().show(node, {name: name for name in NAMES}),
    "Python": lambda node: Writer({n: n for n in NAMES}, DigitNames(())).show(node).text,
}
DECIDERS = {
    "z3": smt.satisfy,
    "isl": presburger.satisfy,
    "isl, term by term": partial(presburger.refute, operations=1_000_000),
    "residue classes": classes.satisfy,
}


def test_every_kind_has_a_sample():
    assert SAMPLES.keys() == {*TERMS, *get_args(t.Formula)}
    assert all(type(node) is kind for kind, (node, _) in SAMPLES.items())


@pytest.mark.parametrize(("node", "worth"), CASES)
def test_every_evaluator_says_what_a_node_is_worth_or_refuses_it(node, worth):
    told = 0
    for number, env in zip(worth, POINTS, strict=True):
        for name, evaluator in EVALUATORS.items():
            try:
                found = evaluator(node, env)
            except REFUSALS:
                continue
            assert found is None or found == number, name
            told += found is not None
    assert told >= 2, "somebody says it"


@pytest.mark.parametrize(("node", "worth"), CASES)
def test_every_walker_keeps_what_a_node_is_worth(node, worth):
    for name, walker in WALKERS.items():
        try:
            again = walker(node)
        except REFUSALS:
            continue
        for number, env in zip(worth, POINTS, strict=True):
            found = (plain.value if of_kind(again) else plain.holds)(again, env)
            assert found == number, name
    assert size(node) >= 0 and free_names(node) <= {*NAMES} and node in set(walk(node))


@pytest.mark.parametrize(("node", "worth"), CASES)
def test_every_printer_writes_each_name_or_refuses(node, worth):
    for name, printer in PRINTERS.items():
        try:
            text = printer(node)
        except REFUSALS:
            continue
        assert all(letter in text for letter in free_names(node)), name


@pytest.mark.parametrize(("node", "worth"), CASES)
def test_no_bound_contradicts_what_a_node_is_worth(node, worth):
    for number, env in zip(worth, POINTS, strict=True):
        known = t.And((*at(env), is_worth(node, number)))
        for name, (low, high) in ranges(known, NAMES, {}).items():
            assert (low is None or low <= env[name]) and (high is None or env[name] <= high)


@pytest.mark.slow
@pytest.mark.parametrize(("node", "worth"), CASES)
def test_no_decider_contradicts_what_a_node_is_worth(node, worth):
    for number, env in zip(worth, POINTS, strict=True):
        claim = is_worth(node, number)
        for name, decider in DECIDERS.items():
            for right, never in ((claim, "unsat"), (t.Not(claim), "sat")):
                try:
                    reply = decider([*at(env), right], NAMES, Budget(20.0))
                except REFUSALS:
                    continue
                assert reply.kind != never, name

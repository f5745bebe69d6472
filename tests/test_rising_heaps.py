"""Nim sequences that automata prove: values that rise, and heaps that must be unequal.

The oracle is the definition, in plain Python, as in :mod:`plain_play`.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain_play import heap_values
from speed import sampled

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.game.heaps import HeapCode, NimPeriod
from icgsynth.game.solution import Verdict
from icgsynth.prove.automata.nim_sequence import sequence_flaw
from icgsynth.prove.heap_replay import replay_period
from icgsynth.prove.nim_claims import judge_period
from icgsynth.prove.recheck.nim_recheck import recheck_sequence
from icgsynth.spec.heap_code import read_code
from icgsynth.values.nim_periods import least_rise
from icgsynth.values.nim_search import HeapSearch

ENGINES = [sequence_flaw, recheck_sequence]
SEEN = {  # code: preperiod, period and saltus, as seen by the definition up to some hundreds
    "0.8": (1, 3, 1),
    "8": (1, 2, 1),
    "0.A8": (1, 4, 2),
    "0.BF": (4, 1, 1),
    "0.E8": (1, 1, 1),
    "0.3F": (0, 6, 3),
    "4.07u": (1, 4, 0),
}


def claimed(name, values, preperiod, period, saltus=0):
    return NimPeriod(read_code(name), preperiod, period, np.array(values), saltus=saltus)


def accepted(engine, claim):
    try:
        return not engine(claim, UNBOUNDED)
    except Refused:
        return False


@sampled("name", reversed(SEEN), fast=3)
def test_values_that_no_theorem_proves(name):
    answer = HeapSearch(read_code(name), 1_024, UNBOUNDED).run()
    claim = answer.period
    assert answer.is_periodic and len(answer.by) == 2
    assert (claim.preperiod, claim.period, claim.saltus) == SEEN[name]
    assert claim.unrolled(60).tolist() == list(heap_values(read_code(name), 60))
    assert [claim.value(n) for n in range(60)] == claim.unrolled(60).tolist()
    assert judge_period(claim, UNBOUNDED).verdict is Verdict.PROVED
    assert judge_period(claim, Budget(0)).verdict is Verdict.UNKNOWN
    assert replay_period(claim).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(("name", "formula"), [("0.8", (1, 3)), ("8", (1, 2))])
def test_the_published_values_of_far_heaps(name, formula):
    """0.8: G(n) = (n - 1) div 3; 8.: (n - 1) div 2, for n >= 1."""
    first, step = formula
    claim = HeapSearch(read_code(name), 1_024, UNBOUNDED, at=10**30).run().period
    for n in (1, 2, 3, 2**31, 2**62 + 1, 2**63, 10**30):
        assert claim.value(n) == (n - first) // step


@pytest.mark.slow
@given(st.sampled_from(sorted(SEEN.keys() - {"0.3F"})), st.data())
@settings(max_examples=15, deadline=None)
def test_no_wrong_value_passes(name, data):
    code = read_code(name)
    preperiod, period, saltus = SEEN[name]
    later = data.draw(st.integers(0, 4))
    true = list(heap_values(code, preperiod + period + later))
    at = data.draw(st.integers(0, len(true) - 1))
    true[at] = data.draw(st.integers(0, 9).filter(lambda v: v != true[at]))
    wrong = claimed(name, true, preperiod + later, period, saltus)
    assert judge_period(wrong, UNBOUNDED).verdict is Verdict.REFUTED
    assert not any(accepted(engine, wrong) for engine in ENGINES)


@pytest.mark.parametrize("name", sorted(SEEN.keys() - {"0.3F"}))
def test_longer_claims_than_the_least_are_refuted(name):
    preperiod, period, saltus = SEEN[name]
    values = heap_values(read_code(name), preperiod + 3 * period + 1)
    for late, times in ((1, 1), (0, 3)):
        whole = values[: preperiod + late + times * period]
        claim = claimed(name, whole, preperiod + late, times * period, times * saltus)
        judged = judge_period(claim, UNBOUNDED)
        assert (judged.verdict, judged.by) == (Verdict.REFUTED, ())
        assert "not the least" in judged.why
        assert all(accepted(engine, claim) for engine in ENGINES), "true, if not least"


@pytest.mark.parametrize("saltus", [0, 1, 2, 4, 9, 2**30])
def test_a_wrong_saltus_names_the_first_heap_with_another_value(saltus):
    """0.3F rises by 3 in 6 heaps; "the period is not the least" was said of a saltus of 0."""
    preperiod, period, right = SEEN["0.3F"]
    values = heap_values(read_code("0.3F"), preperiod + 2 * period)
    wrong = claimed("0.3F", values[: preperiod + period], preperiod, period, saltus)
    judged = judge_period(wrong, UNBOUNDED)
    assert judged.verdict is Verdict.REFUTED and right == 3
    assert judged.heap == preperiod + period
    assert f"G({judged.heap})" in judged.why


HEXADECIMAL = st.builds(
    lambda first, rest, last: HeapCode((first, *rest, last)),
    st.sampled_from([0, 4, 8, 12]),
    st.lists(st.integers(0, 15), max_size=1),
    st.integers(1, 15),
)


@given(HEXADECIMAL)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_what_automata_prove_is_so_heap_values(code):
    claim = least_rise(code, np.array(heap_values(code, 40)))
    assume(claim is not None and claim.period < 5)
    longer = list(heap_values(code, 60))
    if accepted(sequence_flaw, claim):
        assert claim.unrolled(60).tolist() == longer


def test_automata_and_the_theorem_agree():
    """0.71: preperiod 3, period 6, by the replay of its first values."""
    claim = HeapSearch(read_code("0.71"), 512, UNBOUNDED).run().period
    assert claim.has_theorem
    assert all(accepted(engine, claim) for engine in ENGINES)
    values = claim.values.copy()
    values[4] ^= 1
    assert not any(accepted(engine, replace(claim, values=values)) for engine in ENGINES)


def test_the_command_proves_and_verifies(tmp_path, capfd):
    file = tmp_path / "rising.json"
    assert run(["value", "0.3F", "-o", str(file)]) == 0
    assert "G(n + 6) = G(n) + 3 for all n >= 0" in capfd.readouterr().out
    assert run(["verify", "0.3F", str(file)]) == 0
    found = json.loads(file.read_text())
    assert (found["status"], found["saltus"]) == ("solved", 3)
    for change in ({"saltus": 4}, {"values": [0, 1, 2, 0, 1, 3]}, {"saltus": 2**31 - 1}):
        file.write_text(json.dumps(found | change))
        assert run(["verify", "0.3F", str(file)]) == 3

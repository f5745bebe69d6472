"""Games of heaps that split: codes, nim sequences, periods and their replay.

The oracle is the definition, in plain Python: the options of a heap are listed from the code, and
its value is the least that none of them has.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import xor

import jsonschema
import numpy as np
import pytest
from commands import bare, call
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain_play import HEAP_CODES, heap_values
from speed import examples, sampled, shared

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.errors import InputError, Refused
from icgsynth.export import SCHEMA_PATH
from icgsynth.game.answers import FarCheck, Finding, Verdict
from icgsynth.heaps.proof import heap_replay
from icgsynth.heaps.proof.heap_replay import replay_period, replay_values, values_checked
from icgsynth.heaps.proof.nim_claims import judge_period
from icgsynth.heaps.proof.nim_recheck import recheck_sequence
from icgsynth.heaps.proof.nim_sequence import sequence_flaw
from icgsynth.heaps.proof.plain_replay import least_unmet, option_values, row
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import HeapMove
from icgsynth.heaps.rules.heaps import HeapCode, NimPeriod, SparseMask
from icgsynth.heaps.search.nim_periods import least_period, least_rise, least_saltus
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.heaps.search.plain_values import extend_plainly
from icgsynth.heaps.search.sparse_space import extend_sparsely, rare_heaps
from icgsynth.heaps.subject.codes_subject import _to_value
from icgsynth.spec import catalog
from icgsynth.spec.catalog import catalog_dir, heap_entries, looks_like_code
from icgsynth.spec.source import MAX_BYTES
from icgsynth.subjects import AskedValue

NONE = np.zeros(0, np.int32)
validate = jsonschema.Draft202012Validator(json.loads(SCHEMA_PATH.read_text())).validate


# --- the oracle ----------------------------------------------------------------------------------


def periodic_with(values, preperiod, period):
    return all(values[n + period] == values[n] for n in range(preperiod, len(values) - period))


def sequence(name, count):
    return extend_plainly(read_code(name), NONE, count, UNBOUNDED)


def found(name, most=2_000):
    answer = HeapSearch(read_code(name), most, UNBOUNDED).run()
    return answer, answer.period


# --- codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "digits"),
    [
        ("0.77", "0.77", (0, 7, 7)),
        (".07", "0.07", (0, 0, 7)),
        ("4.444", "4.444", (4, 4, 4, 4)),
        ("0.3f", "0.3F", (0, 3, 15)),
        ("C.8", "C.8", (12, 8)),
        ("heap:0.770", "0.77", (0, 7, 7)),
        ("4", "4", (4,)),
        ("4.", "4", (4,)),
    ],
)
def test_codes_are_read(text, name, digits):
    code = read_code(text)
    assert (code.name, code.digits, code.unequal) == (name, digits, frozenset())
    assert read_code(code.name) == code
    assert looks_like_code(text)


def test_grundys_game_splits_into_unequal_heaps():
    assert read_code("4u") == read_code("4u.") == HeapCode((4,), frozenset({0}))
    assert read_code("0.04u").unequal == {2}


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "empty"),
        ("heap:", 6, "empty"),
        ("0.7G", 4, "no digit"),
        ("1.7", 1, "takes nothing"),
        ("2", 1, "takes nothing"),
        ("B.1", 1, "takes nothing"),
        ("0.333...", 6, "without an end"),
        ("0.(3)", 3, "without an end"),
        ("0.7.7", 4, "no digit"),
        ("77", 2, "more than one digit"),
        ("0.2u", 4, "unequal"),
        ("0.4uu", 5, "unequal"),
        ("0.00", 1, "no move"),
        ("-1", 1, "no digit"),
    ],
)
def test_bad_codes_are_refused_with_their_place(text, column, said):
    with pytest.raises(InputError, match=said) as refused:
        read_code(text)
    assert refused.value.span.column == column
    assert refused.value.mend


def test_names_of_games_and_files_are_no_codes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0.77").write_text("")
    for text in ("nim2", "./rules.icg", "0.77", "chomp_2row", "-"):
        assert not looks_like_code(text)


# --- sequences -----------------------------------------------------------------------------------


@given(HEAP_CODES)
@settings(max_examples=25, deadline=None)
def test_values_are_those_of_the_definition(code):
    assert tuple(extend_plainly(code, NONE, 40, UNBOUNDED)) == heap_values(code, 40)


@pytest.mark.parametrize("name", ["0.8", "4u", "0.77"])
def test_a_sequence_is_continued(name):
    code, whole = read_code(name), sequence(name, 90)
    assert (extend_plainly(code, whole[:31], 90, UNBOUNDED) == whole).all()


@pytest.mark.parametrize(
    "name", ["0.16", "0.127", "0.007", "4.444", "4u", "0.04u", "0.333", "0.106"]
)
def test_the_sparse_space_gives_the_same_values(name):
    """Also from a short start, by a mask that is badly chosen: it costs time and nothing else."""
    plain = sequence(name, 2_500)
    for start in (20, 300):
        sparse = extend_sparsely(read_code(name), plain[:start], 2_500, UNBOUNDED)
        assert (sparse == plain).all()


def test_nothing_is_computed_without_a_budget():
    known = sequence("0.16", 100)
    assert len(extend_plainly(read_code("0.16"), known, 200, Budget(0))) == 100
    assert len(extend_sparsely(read_code("0.16"), known, 200, Budget(0))) == 100


@pytest.mark.parametrize("name", ["0.16", "0.127", "0.34", "4.102"])
def test_no_mask_makes_fewer_heaps_rare(name):
    """The transform against a count mask by mask."""
    code, values = read_code(name), sequence(name, 200)
    positions = {k % 2 for k in code.taking(2)}
    counts = []
    for bits in range(1 << int(values.max()).bit_length()):
        parity = [int(v & bits).bit_count() % 2 for v in values]
        counts.append(sum(p == 0 for p in parity[1:]))
        if len(positions) == 1:
            rare = min(positions)
            counts.append(sum((p + n) % 2 == rare for n, p in enumerate(parity) if n))
    assert rare_heaps(code, values).count == min(counts)


# --- periods: the least ones, by the theorem's bound ---------------------------------------------


def test_kayles_as_published():
    """Guy and Smith 1956; the exceptional heaps as in Winning Ways."""
    _, claim = found("0.77")
    assert claim.values[1:13].tolist() == [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    wrong = [n for n in range(71) if claim.values[n] != period[n % 12]]
    assert wrong == [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]
    assert claim.value(10**30) == period[10**30 % 12]


@examples(6, 30, HEAP_CODES)
def test_a_period_is_the_least_and_its_bound_is_met(code):
    claim = least_period(code, extend_plainly(code, NONE, 400, UNBOUNDED))
    if claim is None:
        return
    values = heap_values(code, 60)
    start, step = claim.preperiod, claim.period
    assert claim.first_values(60).tolist() == list(values)
    start_of_pairs = max(1, start)
    if code.most_heaps == 2:
        assert claim.needed == 2 * start_of_pairs + 2 * step + code.most_taken
    whole = claim.first_values(claim.needed).tolist()
    assert periodic_with(whole, start, step)
    assert not any(periodic_with(whole, start, p) for p in range(1, step))
    assert start == 0 or not periodic_with(whole, start - 1, step)


def test_one_value_too_few_proves_nothing():
    code = read_code("0.77")
    values = sequence("0.77", 168)
    assert least_period(code, values).needed == 168
    assert least_period(code, values[:167]) is None


def test_grundys_game_has_no_theorem():
    repeated = np.resize(np.array([0, 1], np.int32), 1_000)
    assert least_period(read_code("4u"), repeated) is None
    claim = NimPeriod(read_code("4u"), 0, 2, np.array([0, 1]))
    assert replay_period(claim).verdict is Verdict.UNKNOWN


def test_the_search_ends_where_values_rise_for_ever(monkeypatch):
    """Take 1 and leave three heaps: G(n) = (n - 1) div 3 for n >= 1, seen and not proved."""
    monkeypatch.setattr("icgsynth.heaps.proof.nim_claims._LONGEST", 1)
    answer = HeapSearch(read_code("0.8"), 10**6, UNBOUNDED).run()
    assert len(answer.values) < 2_000 and answer.saltus == (1, 3, 1)
    assert not answer.proved and "rise for ever" in answer.why
    assert answer.values[1:].tolist() == [(n - 1) // 3 for n in range(1, len(answer.values))]
    assert least_saltus(read_code("0.77"), sequence("0.77", 100)) is None


def test_161_is_not_36():
    """A published table says that they are the same game; they differ first at heap 519."""
    one, other = sequence(".161", 600), sequence(".36", 600)
    assert np.flatnonzero(one != other)[0] == 519


@pytest.mark.parametrize(
    ("name", "preperiod", "period"), [("0.156", 3_479, 349), ("0.644", 3_256, 442)]
)
def test_periods_past_what_the_definition_reaches(name, preperiod, period):
    """Kenyon 1967, Austin 1976: found by the sparse space, and replayed."""
    answer, claim = found(name, 1 << 14)
    assert answer.is_periodic
    assert (claim.preperiod, claim.period) == (preperiod, period)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "preperiod", "period"),
    [("0.16", 105_351, 149_459), ("0.56", 326_640, 144), ("0.127", 46_578, 4)],
)
def test_periods_of_gangolli_and_plambeck(name, preperiod, period):
    answer, claim = found(name, 1 << 20)
    assert answer.is_periodic
    assert (claim.preperiod, claim.period) == (preperiod, period)


@pytest.mark.slow
def test_rare_heaps_of_grundys_game():
    """1,274 heaps with heap 0 counted, the last 82,860 (as published)."""
    rare = found("4u", 1 << 18)[0].rare
    assert (rare.count + 1, rare.last, rare.mask) == (1_274, 82_860, SparseMask(0xFE))


# --- the replay ----------------------------------------------------------------------------------


@pytest.mark.parametrize("plainly", [4_096, 0])
@given(HEAP_CODES, st.integers(0, 15), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_replay_agrees_with_the_definition_whatever_the_mask(
    plainly, code, bits, by_position, data
):
    """True values are accepted, and a list that ends with another value is refuted there.

    With all pairs of each heap, and by machine code that stops after a few pairs and goes on.
    """
    mask = SparseMask(bits, by_position)
    values = np.array(heap_values(code, 40))
    heap = data.draw(st.integers(0, 39))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("icgsynth.heaps.proof.heap_replay._PLAIN", plainly)
        patch.setattr("icgsynth.heaps.proof.heap_replay._PAIRS", 16)
        assert replay_values(code, values, mask).verdict is Verdict.PROVED
        for wrong in {*range(values[heap] + 3)} - {values[heap]}:
            replay = replay_values(code, np.array([*values[:heap], wrong]), mask)
            assert (replay.verdict, replay.witness) == (Verdict.REFUTED, {"n": heap})


def test_no_mask_lets_a_smaller_value_pass(monkeypatch):
    """Of Kayles.  A mutant takes heaps for common by position where the mask does not say so."""
    monkeypatch.setattr("icgsynth.heaps.proof.heap_replay._PLAIN", 0)
    code, masks = read_code("0.77"), [SparseMask(*m) for m in product(range(16), (False, True))]
    for heap, mask in product((20, 30, 31), masks):
        *values, right = heap_values(code, heap + 1)
        for wrong in range(right):
            replay = replay_values(code, np.array([*values, wrong]), mask)
            assert (replay.verdict, replay.witness) == (Verdict.REFUTED, {"n": heap})


def test_a_period_that_breaks_off_is_refuted():
    """0.161 begins with all that 0.36 shows before heap 519, and the replay goes on past it."""
    answer, _ = found(".36", 700)
    values = answer.values[:500]
    replay = replay_period(NimPeriod(read_code(".36"), 400, 100, values))
    assert replay.verdict is Verdict.REFUTED


def test_a_replay_without_budget_claims_nothing():
    replay = replay_period(found("0.77")[1], Budget(0))
    assert (replay.verdict, values_checked(replay)) == (Verdict.UNKNOWN, 0)


@given(HEAP_CODES.map(lambda code: HeapCode(code.digits)))
@settings(max_examples=40, deadline=None)
def test_the_second_replay_agrees_with_the_definition(code):
    values = row(list(heap_values(code, 40)))
    assert [least_unmet(option_values(code, heap, values)) for heap in range(40)] == list(values)


@pytest.mark.parametrize("top", [4, 32, 64, 128])
def test_a_set_of_values_is_turned_by_nim_addition(top):
    """Fault seen: half of a word has the wrong place, or a value is in another word's column."""
    bits = heap_replay._Bits(np.array([0, 1, top - 1]), top)
    for by in {0, 1, 3, top // 2, top - 1}:
        for values in ({0}, {1, top - 1}, {0, top // 2}):
            sets = reduce(np.bitwise_or, (bits.single[:, [value]] for value in values))
            wanted = reduce(np.bitwise_or, (bits.single[:, [value ^ by]] for value in values))
            assert (bits.turn(sets, by) == wanted).all()


@pytest.mark.parametrize("name", ["0.77", "0.137", "0.F", "4.444"])
def test_a_wrong_value_that_the_first_replay_misses_is_not_proved(name, monkeypatch):
    """The first replay says "right" to everything."""
    claim = found(name)[1]
    assert judge_period(claim, UNBOUNDED).verdict is Verdict.PROVED
    yes = Finding(Verdict.PROVED, checked=FarCheck(claim.needed, claim.needed - 1, 0))
    monkeypatch.setattr("icgsynth.heaps.proof.nim_claims.replay_period", lambda *_: yes)
    for place in range(len(claim.values)):
        wrong = claim.values.copy()
        wrong[place] += 1
        judged = judge_period(dataclasses.replace(claim, values=wrong), UNBOUNDED)
        assert judged.verdict is Verdict.UNKNOWN and "contradict" in judged.why
    assert judge_period(claim, Budget(0)).verdict is Verdict.UNKNOWN


def mutated(claim, rng):
    """A claim that differs from a true one in what it says of the sequence."""
    values = claim.values.tolist()
    at = rng.randrange(len(values))
    preperiod, period = claim.preperiod, claim.period
    match rng.randrange(7):
        case 0:
            values[at] ^= 1 << rng.randrange(4)
        case 1:
            values[at] = rng.choice([v for v in range(2 * max(values) + 2) if v != values[at]])
        case 2:
            values[at] = rng.choice([10**6, 10**9])
        case 3:
            period *= (factor := rng.choice([2, 3, 5]))
            values += values[preperiod:] * (factor - 1)
        case 4:
            preperiod += (later := rng.randint(1, 2 * period))
            values += [claim.value(len(values) + n) for n in range(later)]
        case 5:
            del values[at]
            preperiod, period = (
                (preperiod - 1, period) if at < preperiod else (preperiod, period - 1)
            )
        case _:
            values.insert(at, rng.randrange(max(values) + 1))
            preperiod, period = (
                (preperiod + 1, period) if at < preperiod else (preperiod, period + 1)
            )
    return NimPeriod(claim.code, preperiod, period, np.array(values), claim.mask)


SHORT = ["0.77", "0.07", "0.137", "0.15", "0.71", "0.3", "4.444"]
LONG = ["0.156", "0.644", "0.355", "0.16"]


@pytest.mark.parametrize(
    ("names", "count"), [pytest.param(SHORT, 150, id="short"), *shared([(LONG, 150)], 12)]
)
def test_mutations_are_all_refuted(names, count):
    rng, claims = random.Random(16), [found(name, 1 << 20)[1] for name in names]
    done = 0
    while done < count:
        claim = mutated(claims[done % len(claims)], rng)
        if claim.period > 0:
            replay = replay_period(claim)
            assert replay.verdict is Verdict.REFUTED
            assert "not the least" in replay.why or replay.witness
            done += 1


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def kayles(capfd, tmp_path):
    path = tmp_path / "kayles.json"
    assert call(capfd, "value", "0.77", "-o", path)[0] == 0
    return path


def test_the_file_is_that_of_the_contract(kayles, capfd):
    value = json.loads(kayles.read_text())
    validate(value)
    assert (value["kind"], value["code"]) == ("value", "0.77")
    assert (value["preperiod"], value["period"], value["saltus"]) == (71, 12, 0)
    assert (value["proved"], value["checked_to"]) == (True, 168)
    assert value["values"] == list(heap_values(read_code("0.77"), 83))
    code, out, _ = call(capfd, "value", "0.77", "--json")
    assert code == 0
    shown = json.loads(out)
    assert {**shown, "seconds": 0} == {**value, "seconds": 0}


def test_the_file_is_proved_again(kayles, capfd):
    code, out, _ = call(capfd, "verify", "0.77", kayles)
    assert (code, out.splitlines()[0]) == (0, "0.77: proved")
    assert call(capfd, "verify", "0.77", kayles, "--rule", "misere")[0] == 2
    code, out, _ = call(capfd, "verify", "heap:.77", kayles, "--json")
    assert (code, bare(json.loads(out))) == (
        0,
        {"code": "0.77", "verdict": "proved", "checked_to": 168},
    )


def test_the_catalog_of_games_of_heaps(capfd):
    entries = heap_entries()
    assert len({entry.name for entry in entries}) == len({entry.code for entry in entries})
    bib = (catalog_dir() / "references.bib").read_text("utf-8")
    for entry in entries:
        assert looks_like_code(entry.name)
        assert read_code(entry.name) == read_code(entry.code)
        assert all(f"{{{key}," in bib for key in entry.citations)
    assert not {entry.name for entry in entries} & set(catalog.names())
    code, out, _ = call(capfd, "list", "--heaps", "--json")
    assert (code, len(json.loads(out))) == (0, len(entries))
    assert call(capfd, "list", "--heaps", "--finite")[0] == 2


@pytest.mark.parametrize(
    "entry",
    [e for e in heap_entries() if e.repeats and sum(e.repeats) < 2_000],
    ids=lambda entry: entry.name,
)
def test_what_is_published_is_proved(entry, capfd):
    code, out, _ = call(capfd, "value", entry.name, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["preperiod"], found["period"], found["saltus"]) == entry.repeats


# --- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["0.77", "0.07", "4u", pytest.param("0.3F", marks=pytest.mark.slow), "0.3", "0.644"]
)
def test_a_table_shows_the_values_heap_values(code, capfd, tmp_path):
    known = list(heap_values(read_code(code), 90))
    exit_code, out, _ = call(capfd, "table", code, "--bound", "89")
    rows = [line.split("│") for line in out.splitlines()[2:]]
    assert exit_code == 0
    assert [int(value.strip("()")) for _, row in rows for value in row.split()] == known
    columns = len(rows[0][1].split())
    assert [int(start) for start, _ in rows] == list(range(0, 90, columns))
    path = tmp_path / "t.csv"
    assert call(capfd, "table", code, "--bound", "89", "-o", path)[0] == 0
    picture = tmp_path / "t.svg"
    assert call(capfd, "table", code, "--bound", "89", "-o", picture)[0] == 0
    assert picture.read_text().count("</text>") > 90
    lines = [line.split(",") for line in path.read_text().splitlines()[1:]]
    assert [int(value) for _, value, _ in lines] == known
    code, out, _ = call(capfd, "table", code, "--bound", "89", "--json")
    assert json.loads(out)["values"] == known


@given(st.integers(0, 40), st.integers(1, 8), st.integers(0, 3), st.data())
def test_exceptions_are_the_heaps_that_do_not_fit_the_period(before, period, rise, data):
    start = before + period
    values = data.draw(st.lists(st.integers(200, 203), min_size=start, max_size=start))
    claim = NimPeriod(read_code("0.77"), before, period, np.array(values), saltus=rise)
    fits = {n for n in range(before) if (claim.value(n + 60 * period) == values[n] + 60 * rise)}
    assert set(claim.exceptions()) == set(range(before)) - fits


def test_what_a_table_of_heaps_cannot_be(capfd, tmp_path):
    for more in (("-o", tmp_path / "t.pdf"), ("--set", "n=3"), ("--rule", "misere")):
        assert call(capfd, "table", "0.77", *more)[0] == 2
    assert call(capfd, "table", "0.6", "--bound", "1000000", "--timeout", "0.5")[0] == 4
    assert not (tmp_path / "t.pdf").exists()


# --- files --------------------------------------------------------------------------------------


def test_the_file_of_a_long_sequence_may_be_longer_than_others(kayles, capfd):
    kayles.write_text(kayles.read_text() + " " * MAX_BYTES)
    assert call(capfd, "verify", "0.77", kayles)[0] == 0
    code, _, err = call(capfd, "verify", "nim2", kayles)
    assert code == 2
    assert f"larger than {MAX_BYTES:,} bytes" in err


def edited(path, **changes):
    value = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: what for key, what in value.items() if what is not ...}))


def test_a_wrong_value_is_refuted_with_its_heap(kayles, capfd):
    values = json.loads(kayles.read_text())["values"]
    edited(kayles, values=[*values[:80], values[80] ^ 1, *values[81:]])
    code, out, _ = call(capfd, "verify", "0.77", kayles, "--json")
    assert code == 3
    assert json.loads(out)["heap"] == 80


@pytest.mark.parametrize(
    "change",
    [
        {"code": "0.07"},
        {"code": ...},
        {"kind": "tree"},
        {"values": [0, 1, 2]},
        {"values": "0123"},
        {"values": ...},
        {"period": 0},
        {"period": -12},
        {"period": 12.5},
        {"preperiod": None},
        {"checked_to": 167},
        {"mask": -1},
        {"mask_by_position": 1},
    ],
    ids=str,
)
def test_a_broken_file_is_2(kayles, capfd, change):
    edited(kayles, **change)
    code, _, err = call(capfd, "verify", "0.77", kayles)
    assert code == 2, err
    assert "kayles.json:1:" in err


def test_a_file_without_a_proved_period_is_4(kayles, capfd):
    edited(kayles, period=None, preperiod=None)
    assert call(capfd, "verify", "0.77", kayles)[0] == 4


def test_the_values_are_no_strategy(kayles, capfd):
    code, _, err = call(capfd, "verify", "nim2", kayles)
    assert (code, "icgsynth verify CODE FILE" in err) == (2, True)
    code, _, err = call(capfd, "export", kayles, "--to", "fft")
    assert (code, "fft cannot say Grundy values" in err) == (2, True)


def test_without_a_period_nothing_is_claimed(capfd, tmp_path):
    path = tmp_path / "grundy.json"
    code, out, _ = call(capfd, "value", "4u", "--to", "300", "-o", path)
    assert code == 4
    assert "Proved" not in out
    value = json.loads(path.read_text())
    validate(value)
    assert (value["period"], value["proved"], value["checked_to"]) == (None, False, 300)
    assert value["values"] == list(heap_values(read_code("4u"), 300))
    largest = max(value["values"])
    assert value["largest"] == {"heap": value["values"].index(largest), "value": largest}
    assert value["rare"]["count"] > 0
    assert call(capfd, "verify", "4u", path)[0] == 4


def test_the_value_of_one_heap(capfd):
    code, out, _ = call(capfd, "value", "0.77", "--at", 10**18, "--json")
    found = json.loads(out)
    told = {"kind": "position", "state": [10**18], "value": 1, "winning": True, "proved": True}
    assert (code, found | told) == (0, found)
    code, out, _ = call(capfd, "value", "4u", "--at", "50")
    assert (code, out) == (0, f"G(50) = {heap_values(read_code('4u'), 51)[50]}\n")
    code, out, _ = call(capfd, "value", "4u", "--at", "500", "--to", "300", "--json")
    found = json.loads(out)
    assert (code, found | {"state": [500], "value": None, "proved": False}) == (4, found)


@pytest.mark.parametrize("name, heap", [(".53C", 3), ("4.2", 2), ("0.6", 6), ("4u", 40)])
def test_the_value_of_a_won_heap_names_a_move_to_0(capfd, name, heap):
    game = read_code(name)
    move = json.loads(call(capfd, "value", name, "--at", heap, "--json")[1])["move"]
    take, left = int(move["args"]["take"]), move["leaves"]
    assert (move["action"], move["args"]["heap"], move["state"]) == ("take", str(heap), left)
    assert take in game.taking(len(left))
    assert take + sum(left) == heap
    assert name != "4u" or len(set(left)) == 2
    values = heap_values(game, heap + 1)
    assert reduce(xor, (values[each] for each in left), 0) == 0
    assert (
        f"A winning move: {HeapMove(take, tuple(left))}."
        in call(capfd, "value", name, "--at", heap)[1]
    )


def test_a_spent_budget_is_4():
    """In a process of its own: on a busy machine the command ends it."""
    command = ["value", "0.0007", "--timeout", "0.2", "--to", str(1 << 24)]
    whole = [sys.executable, "-m", "icgsynth", *command]
    done = subprocess.run(whole, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 4
    assert re.search("budget of 0.2 s|in time", done.stdout)


@pytest.mark.parametrize(
    "arguments", [("0.77", "--at", "-5"), ("0.77", "--at", "3,x"), ("0.9Z",), ("nim2", "--to", "9")]
)
def test_bad_usage_is_2(capfd, arguments):
    assert call(capfd, "value", *arguments)[0] == 2


def test_codes_as_cgsuite_writes_them():
    """``4!.0`` is Grundy's game; ``0.[3]``, which is Nim, has no end."""
    assert read_code("4!.0") == read_code("4u") and looks_like_code("4!.0")
    assert looks_like_code("0.[3]")
    with pytest.raises(InputError, match="without an end") as caught:
        read_code("0.[3]")
    assert "action take" in caught.value.mend


# --- values that rise, and heaps that must be unequal: proved by automata ------------------------


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
    assert claim.first_values(60).tolist() == list(heap_values(read_code(name), 60))
    assert [claim.value(n) for n in range(60)] == claim.first_values(60).tolist()
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
    assert judged.witness == {"n": preperiod + period}
    assert f"G({preperiod + period})" in judged.why


@given(HEAP_CODES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_what_automata_prove_is_so_heap_values(code):
    claim = least_rise(code, np.array(heap_values(code, 40)))
    assume(claim is not None and claim.period < 5)
    longer = list(heap_values(code, 60))
    if accepted(sequence_flaw, claim):
        assert claim.first_values(60).tolist() == longer


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


def test_a_longer_search_goes_on_from_the_file(tmp_path):
    """0.45 has its period from 498 on, which 300 values do not show (published)."""
    path = tmp_path / "values.json"
    assert run(["value", "0.45", "--to", "300", "-o", str(path), "-q"]) == 4
    left = json.loads(path.read_text())["values"]
    begun = HeapSearch(read_code("0.45"), None, UNBOUNDED, begun=np.array(left))
    assert len(left) == 300
    assert begun.run().period.preperiod == 498
    assert run(["value", "0.45", "-o", str(path), "-q"]) == 0
    assert json.loads(path.read_text())["period"] == 20


def test_the_file_keeps_the_values_that_a_shorter_search_does_not_reach(tmp_path, capfd):
    """Nothing of the file is lost: not the values, and the report has as many of them."""
    path = tmp_path / "grundy.json"
    values = list(heap_values(read_code("4u"), 50))
    kept = []
    for options in (["--to", "40"], ["--to", "20"], ["--at", "7"], ["--to", "50"]):
        run(["value", "4u", *options, "-o", str(path), "-q"])
        kept.append(json.loads(path.read_text())["values"])
    assert kept == [values[:40]] * 3 + [values]
    reports = capfd.readouterr().out
    assert [int(n) for n in re.findall(r"computed +(\d+) values", reports)] == [40, 40, 50]


def test_the_file_keeps_the_period_that_a_shorter_search_does_not_reach(tmp_path, capfd):
    """Kayles has the period 12 from 71 on, which 50 values do not show (published)."""
    path, given = tmp_path / "kayles.json", ["value", "0.77", "-q", "-o"]
    assert run([*given, str(path)]) == 0
    assert run([*given, str(path), "--to", "50"]) == 0
    assert "G(n + 12) = G(n) for all n >= 71" in capfd.readouterr().out.split("0.77: take")[2]
    assert run([*given, str(path), "--at", "5"]) == 0
    late = _to_value(read_code("0.77"), AskedValue(output=str(path)), None).shown
    told = late(HeapSearch(read_code("0.77"), 9, Budget(0)).unknown("no time"))
    assert told.verdict is Verdict.UNKNOWN
    assert "left as it is" in told.warnings[0]
    assert told.file() == json.loads(path.read_text())
    assert (told.file()["period"], told.file()["proved"]) == (12, True)


def test_wrong_values_to_go_on_from_are_refused(tmp_path):
    left = found("0.77", 80)[0].values.copy()
    left[40] += 1
    with pytest.raises(InputError, match="heap 40"):
        HeapSearch(read_code("0.77"), 2_000, UNBOUNDED, begun=left).run()


def test_values_of_a_changed_file_are_not_gone_on_from_nor_shown(tmp_path, capfd):
    """Fault it sees: without a period, a wrong value of the file was printed and written again."""
    path = tmp_path / "4u.json"
    call(capfd, "value", "4u", "--to", 40, "-o", path)
    value = json.loads(path.read_text())
    path.write_text(json.dumps(value | {"values": [0, 0, 0, 2, *value["values"][4:]]}))
    before = path.read_bytes()
    for more in (("--to", 20), ("--to", 60), ("--at", 50)):
        code, out, err = call(capfd, "value", "4u", *more, "-o", path)
        assert code == 2 and not out and "G(3) is not 2" in err
        assert path.read_bytes() == before

"""Misère quotients of heaps that split: the search, the proof, files and commands.

The oracle is play: rows of heaps are sorted tuples, their moves are listed from the code, and who
cannot move wins.
"""

from __future__ import annotations

import copy
import dataclasses
import io
import itertools
import json
import random
from functools import cache

import jsonschema
import pytest
from commands import bare, call
from hypothesis import given, settings
from plain_play import HEAP_CODES, heap_options, misere_wins

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.export import SCHEMA_PATH
from icgsynth.game.answers import Verdict
from icgsynth.heaps.proof.misere_closure import prove_quotient
from icgsynth.heaps.proof.misere_rows import check_rows
from icgsynth.heaps.rules.game_sum import SumGame
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_file import read_quotient
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereQuotient
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.heaps.subject.sum_play import MiserePlayer, SumSession, row_of
from icgsynth.spec.source import Source

# code, order, order of the P-portion, preperiod, period.  Kayles is in T. Plambeck and A. Siegel,
# Misère quotients for impartial games (2008); 0.123 in T. Plambeck, Taming the wild in impartial
# combinatorial games (2005).
KNOWN = [
    ("0.333", 6, 2, 1, 4),
    ("0.3033", 6, 2, 1, 7),
    ("0.123", 20, 5, 5, 5),
    ("0.75", 8, 2, 8, 2),
    ("0.53", 16, 3, 21, 9),
    ("0.71", 36, 9, 3, 6),
    ("0.72", 24, 5, 16, 4),
    ("0.77", 40, 9, 71, 12),
    ("0.15", 42, 12, 66, 10),
    ("0.115", 42, 12, 92, 14),
]


# --- the oracle ----------------------------------------------------------------------------------


def after(code, row):
    return {
        tuple(sorted(row[:i] + row[i + 1 :] + parts))
        for i, heap in enumerate(row)
        for parts in heap_options(code, heap)
    }


@cache
def is_lost(code, row):
    rows = after(code, row)
    return bool(rows) and not any(is_lost(code, each) for each in rows)


def rows_up_to(total):
    """All rows of heaps with at most ``total`` counters."""

    def of(left, least):
        yield ()
        for heap in range(least, left + 1):
            for rest in of(left - heap, heap):
                yield (heap, *rest)

    return of(total, 1)


@cache
def found(name, most=600):
    answer = MisereSearch(read_code(name), most, UNBOUNDED).run()
    assert answer.is_proved
    return answer


def quotient(name):
    return found(name).quotient


# --- the search ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "order", "lost", "preperiod", "period"), KNOWN)
def test_quotients_that_are_known(name, order, lost, preperiod, period):
    claim = quotient(name)
    assert (claim.order, len(claim.lost)) == (order, lost)
    assert (claim.preperiod, claim.period) == (preperiod, period)
    assert found(name).is_solved
    assert found(name).check.disagreements == 0
    # The theorem on periods: the heaps below h (m + p) + t have all pairs, where a move leaves h.
    splits = any(int(digit) & 4 for digit in name[2:])
    assert found(name).proof.heaps >= (1 + splits) * (preperiod + period) + len(name) - 2


def test_a_quotient_whose_short_rows_have_to_be_learned():
    """In 0.54 no finite depth of play tells which rows below heap 14 are alike beside it."""
    answer = found("0.54", 20)
    assert answer.quotient.order == 42
    assert answer.check.disagreements == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heaps", "order"), [(25, 24), pytest.param(26, 144, marks=pytest.mark.nightly)]
)
def test_the_quotient_of_dawsons_kayles_grows(heaps, order):
    """As far as 24 elements it is quickly found; heap 25 makes them 144."""
    assert found("0.07", heaps).quotient.order == order


@pytest.mark.parametrize("name", ["0.77", "0.123", "0.71", "4.3", "0.3F"])
def test_rows_are_lost_where_play_says_so(name):
    claim = found(name, 11 if name == "0.3F" else 600).quotient
    for row in rows_up_to(13):
        if all(map(claim.knows, row)):
            assert claim.is_lost(row) == is_lost(claim.code, row), row


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(HEAP_CODES)
def test_what_is_proved_of_any_code_is_so(code):
    answer = MisereSearch(code, 7, Budget(1)).run()
    claim = answer.quotient
    for row in rows_up_to(9):
        if claim is not None and all(map(claim.knows, row)):
            assert claim.is_lost(row) == is_lost(code, row)
            move = claim.winning_move(row)
            if move is None:
                assert is_lost(code, row) or not after(code, row)
            else:
                made = tuple(sorted(HeapRows(code).result(row, move.move)))
                assert made in after(code, row)
                assert is_lost(code, made)


def test_kayles_heaps_with_one_value_are_not_alike():
    """Heaps 1 and 8 of Kayles are both 1 under normal play; a row tells them apart here."""
    claim = quotient("0.77")
    assert claim.element(1) != claim.element(8)
    rest = next(
        row
        for row in rows_up_to(9)
        if is_lost(claim.code, tuple(sorted((1, *row))))
        != is_lost(claim.code, tuple(sorted((8, *row))))
    )
    assert claim.is_lost((1, *rest)) != claim.is_lost((8, *rest))


def test_heaps_of_any_size():
    claim = quotient("0.77")
    for heap in (10**30, 10**18 + 1, 2**63, 2**31 - 1):
        same = 71 + (heap - 71) % 12
        for rest in ((), (3,), (5, 10**30), (2, 2, 7)):
            row = (heap, *rest)
            assert claim.is_lost(row) == claim.is_lost((same, *rest))
            move = claim.winning_move(row)
            if move is not None:
                made = HeapRows(claim.code).result(row, move.move)
                assert claim.is_lost(made)
                assert sum(row) - sum(made) in (1, 2)


def test_the_elements_as_words():
    words, heaps, relations = quotient("0.333").presentation
    assert sorted(words) == ["1", "a", "ab", "ab^2", "b", "b^2"]
    assert heaps == (1, 2)
    assert relations == (("a^2", "1"), ("b^3", "b"))


def test_the_words_of_a_quotient_are_its_elements():
    """As many words as elements are normal: no left side of a relation divides them."""
    claim = quotient("0.77")
    said = claim.presentation
    assert len(set(said.words)) == claim.order
    # The P-portion as published for Kayles, with the same generators.
    lost = {said.words[x] for x in claim.lost}
    assert lost == {"a", "b^2", "ac", "ac^2", "d", "ad^2", "e", "ade", "adf"}


# --- the proof -----------------------------------------------------------------------------------


def proved(claim):
    return prove_quotient(claim).verdict


@pytest.mark.parametrize("name", ["0.123", "0.72", "0.77"])
def test_one_element_of_p_left_out_or_added(name):
    claim = quotient(name)
    for x in range(claim.order):
        wrong = dataclasses.replace(claim, lost=claim.lost ^ {x})
        proof = prove_quotient(wrong)
        assert proof.verdict is Verdict.REFUTED
        if proof.row is not None:  # the row contradicts the claim, or a row after a move does
            rows = [proof.row, *after(claim.code, proof.row)]
            assert any(wrong.is_lost(row) != claim.is_lost(row) for row in rows)


@pytest.mark.parametrize("name", ["0.123", "0.53", "0.75"])
def test_every_other_period_of_the_sequence_is_refuted(name):
    """Also one that the first heaps have, and a multiple, and a preperiod that is too late."""
    claim = quotient(name)
    start, period = claim.preperiod, claim.period
    for preperiod, step in itertools.product(range(1, start + 3), range(1, 2 * period + 3)):
        if (preperiod, step) != (start, period):
            heaps = tuple(map(claim.element, range(preperiod + step)))
            other = dataclasses.replace(claim, heaps=heaps, period=step)
            assert proved(other) is Verdict.REFUTED, (preperiod, step)


def test_how_many_heaps_prove_a_period():
    """A game that keeps the claimed period up to the last heap that a proof looks at, and no more.

    Taking k from the whole heap k is no move of any other heap: it spoils heap k alone.
    """
    claim = quotient("0.333")
    for k in range(4, 12):
        digits = (*claim.code.digits, *[0] * (k - 4), 1)
        other = dataclasses.replace(claim, code=HeapCode(digits))
        # Heap k can now be emptied, which is new: taking 1 to 3 never empties a heap above 3.
        lost = [is_lost(other.code, row) != claim.is_lost(row) for row in rows_up_to(12)]
        assert any(lost) == (proved(other) is Verdict.REFUTED)


def test_a_table_that_is_no_reduced_monoid():
    claim = quotient("0.333")
    m = claim.order
    swapped = [list(row) for row in claim.table]
    swapped[1][2], swapped[2][1] = swapped[2][1], (swapped[2][1] + 1) % m
    assert proved(dataclasses.replace(claim, table=tuple(map(tuple, swapped)))) is Verdict.REFUTED
    # Every element twice, side by side: a monoid that tells the truth, but no quotient.
    pairs = [(x, e) for x in range(m) for e in (0, 1)]
    number = {pair: i for i, pair in enumerate(pairs)}
    table = tuple(tuple(number[claim.table[x][y], (e + f) % 2] for y, f in pairs) for x, e in pairs)
    lost = frozenset(number[x, e] for x, e in pairs if x in claim.lost)
    heaps = tuple(number[x, 1] if h else 0 for h, x in enumerate(claim.heaps))
    twice = MisereQuotient(claim.code, table, lost, heaps, claim.period)
    assert "one of them will do" in prove_quotient(twice).why
    larger = (*((*row, m) for row in claim.table), tuple([m] * (m + 1)))
    more = dataclasses.replace(claim, table=larger)
    assert "of no row of heaps" in prove_quotient(more).why


def test_relabelled_elements_are_proved():
    claim = quotient("0.123")
    rng = random.Random(5)
    label = [0, *rng.sample(range(1, claim.order), claim.order - 1)]
    back = {new: old for old, new in enumerate(label)}
    table = tuple(
        tuple(label[claim.table[back[x]][back[y]]] for y in range(claim.order))
        for x in range(claim.order)
    )
    lost = frozenset(label[x] for x in claim.lost)
    heaps = tuple(label[x] for x in claim.heaps)
    assert proved(MisereQuotient(claim.code, table, lost, heaps, claim.period)) is Verdict.PROVED


def test_no_theorem_where_heaps_must_be_unequal():
    claim = quotient("0.333")
    other = dataclasses.replace(claim, code=HeapCode((4, 3), frozenset({0})))
    assert proved(other) is Verdict.UNKNOWN


def test_a_spent_budget_proves_nothing():
    assert prove_quotient(quotient("0.77"), Budget(0)).verdict is Verdict.UNKNOWN
    answer = MisereSearch(read_code("0.77"), 600, Budget(0)).run()
    assert not answer.is_solved


def test_play_disagrees_with_a_wrong_claim():
    claim = quotient("0.123")
    for x in range(claim.order):
        wrong = dataclasses.replace(claim, lost=claim.lost ^ {x})
        assert check_rows(wrong).disagreements


# --- files and commands --------------------------------------------------------------------------


def same_up_to_names(claim, other):
    """Whether ``other`` is ``claim`` with other numbers for the elements."""
    names = {0: 0}
    front = [0]
    for x in front:
        for heap in range(max(claim.needed, other.needed)):
            one = claim.table[x][claim.element(heap)]
            two = other.table[names[x]][other.element(heap)]
            if names.setdefault(one, two) != two:
                return False
            if one not in front:
                front.append(one)
    return {names[x] for x in claim.lost} == other.lost and len(set(names.values())) == other.order


def mutated(value, rng):
    """A copy of an answer's value with one number changed, or two exchanged."""
    made = copy.deepcopy(value)
    quotient = made["quotient"]
    kind = rng.choice(["table", "both", "P", "phi", "preperiod", "period", "shorter"])
    order = quotient["order"]
    x, y, z = (rng.randrange(order) for _ in range(3))
    if kind == "table":
        quotient["table"][x][y] = z
    elif kind == "both":
        quotient["table"][x][y] = quotient["table"][y][x] = z
    elif kind == "P":
        quotient["P"] = sorted(set(quotient["P"]) ^ {x})
    elif kind == "phi":
        quotient["phi"][rng.randrange(len(quotient["phi"]))] = x
    elif kind == "shorter":
        step = rng.choice([-1, 1, 2])
        quotient["preperiod"] += step
        quotient["phi"] = quotient["phi"][:step] if step < 0 else quotient["phi"] + [x] * step
    else:
        quotient[kind] += rng.choice([-1, 1, quotient[kind]])
    return made


@pytest.mark.parametrize("name", ["0.333", "0.123", "0.53", "0.72"])
def test_mutated_answers_are_refused_or_refuted(name):
    claim, value = quotient(name), found(name).to_json()
    rng = random.Random(name)
    refuted = 0
    for _ in range(100):
        made = mutated(value, rng)
        if made == value:
            continue
        try:
            other = read_quotient(Source("file", json.dumps(made)), claim.code)
        except InputError:
            refuted += 1
            continue
        if proved(other) is Verdict.PROVED:
            assert same_up_to_names(claim, other)
        else:
            refuted += 1
    assert refuted > 80


def test_an_answer_is_written_and_proved_again(tmp_path, capsys):
    file = tmp_path / "kayles.json"
    assert run(["solve", "0.77", "--rule", "misere", "-o", str(file), "--quiet"]) == 0
    capsys.readouterr()
    value = json.loads(file.read_text())
    assert value["quotient"]["order"] == 40
    jsonschema.validate(value, json.loads(SCHEMA_PATH.read_text()))
    assert run(["verify", "0.77", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["closure"] == 1417
    assert run(["verify", "0.07", str(file)]) == 2
    value["quotient"]["P"].pop()
    file.write_text(json.dumps(value))
    assert run(["verify", "0.77", str(file), "--json"]) == 3
    assert "row" in json.loads(capsys.readouterr().out)


def test_where_no_period_is_found(tmp_path, capsys):
    file = tmp_path / "grundy.json"
    words = ["solve", "4u.3", "--rule", "misere", "-o", str(file), "--timeout", "0.3", "--json"]
    assert run(words) == 4
    value = json.loads(capsys.readouterr().out)
    jsonschema.validate(value, json.loads(SCHEMA_PATH.read_text()))
    assert value["status"] == "unknown"
    assert run(["verify", "4u.3", str(file)]) == 4


@pytest.mark.parametrize("row", [(), (1,), (8,), (1, 8), (5, 8, 12), (4, 4, 1), (2, 3, 7)])
def test_who_wins_a_row(row, capsys):
    code = read_code("0.77")
    words = ["--rule", "misere", "--json"]
    at = ",".join(map(str, row or (0,)))
    assert run(["value", "0.77", "--at", at, *words]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["winning"], value["proved"]) == (not is_lost(code, tuple(sorted(row))), True)
    if move := value["move"]:
        others = list(row)
        others.remove(int(move["args"]["heap"]))
        made = tuple(sorted([*others, *move["leaves"]]))
        assert made == tuple(sorted(move["state"])) and made in after(code, tuple(sorted(row)))
        assert is_lost(code, made)
    else:
        assert not value["winning"] or not row
    if len(row) > 1:  # the same row as a sum
        spec, apart = f"{len(row)}*0.77", at.replace(",", ";")
        assert run(["value", spec, "--at", apart, *words]) == 0
        assert bare(json.loads(capsys.readouterr().out)) == bare(value)


def test_a_row_of_small_heaps_where_no_period_is_known(capsys):
    assert run(["value", "0.07", "--rule", "misere", "--at", "12,5"]) == 0
    told = "loses" if is_lost(read_code("0.07"), (5, 12)) else "wins"
    assert f"the player to move {told}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("spec", ["0.77 + 0.07", "0.77 + nim2", "nim2", "2*nim2"])
def test_other_sums_are_refused(spec, capsys):
    for command in ("solve", "value", "play"):
        if command == "value" or spec != "nim2":
            assert run([command, spec, "--rule", "misere"]) == 2
            assert "misere" in capsys.readouterr().err


@pytest.mark.parametrize("row", [(5, 8), (3, 3, 2), (7,), (1, 2, 3)])
def test_piles_of_a_subtraction_game(row, capsys):
    """By the moves of the rules themselves: take 1, 3 or 4."""
    wins = misere_wins(lambda pile: [(pile - k,) for k in (1, 3, 4) if k <= pile])
    at = ";".join(map(str, row))
    words = ["value", f"{len(row)}*subtraction_134", "--rule", "misere", "--at", at, "--json"]
    assert run(words) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["winning"], value["proved"]) == (wins(row), True)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("start", [(8,), (5, 8), (1, 2, 4), (9, 9), (7, 3, 2)])
def test_the_player_wins_every_row_that_is_won(first, start):
    """Against a player who moves at random, also as the second player."""
    claim = quotient("0.77")
    game, rng = SumGame((HeapRows(claim.code),) * len(start)), random.Random(repr(start))
    machine = MiserePlayer(claim)
    for _ in range(20):
        session = SumSession(game, tuple((heap,) for heap in start), "misere")
        must_win = False
        while not session.is_over:
            row = tuple(sorted(row_of(session.state)))
            if session.seat == first:
                must_win |= not is_lost(claim.code, row)
                session.play(machine.choose(game, session.state))
            else:
                session.play(rng.choice([*game.moves(session.state)]))
        assert session.winner == session.seat
        assert session.winner == first or not must_win


def test_play_in_the_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("take 1 leave 3,4\ntake 1\nquit\n"))
    assert run(["play", "0.77", "--rule", "misere", "--start", "8", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "who cannot move wins" in out
    assert "machine: 1 take 1 leave 3" in out
    assert "there is no heap of 1" in out


@pytest.mark.parametrize(
    "change",
    [
        {"table": [[0, 1], [1]]},
        {"table": []},
        {"table": [[0, 1], [1, 2]]},
        {"order": 7},
        {"P": [-1]},
        {"P": [True]},
        {"phi": []},
        {"phi": [0, 10**30]},
        {"preperiod": 0},
        {"period": None},
        {"period": 10**40},
    ],
)
def test_files_that_are_broken(change, tmp_path, capsys):
    value = found("0.333").to_json()
    value["quotient"] |= change
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(value))
    assert run(["verify", "0.333", str(file)]) == 2
    assert "broken.json:" in capsys.readouterr().err


def test_single_heaps_that_are_lost_are_listed(capfd):
    """Kayles: 1, 4, 9, 12 and 20 (Sibert and Conway 1992), and by play of single heaps here.

    Faults it sees: a heap left out or added, heaps of the period taken for single ones, and a
    move that does not say in which heap it is made.
    """

    @cache
    def is_won(row: tuple[int, ...]) -> bool:
        if not any(row):
            return True
        for i, heap in enumerate(row):
            rest = row[:i] + row[i + 1 :]
            for taken in (1, 2):
                for left in range((heap - taken) // 2 + 1 if heap >= taken else 0):
                    parts = (left, heap - taken - left)
                    if not is_won(tuple(sorted(h for h in (*rest, *parts) if h))):
                        return True
        return False

    done = call(capfd, "solve", "0.77", "--rule", "misere")
    assert "lost are heaps 1 4 9 12 20 and no others" in done.stdout
    found = json.loads(call(capfd, "solve", "0.77", "--rule", "misere", "--json").stdout)
    lost = found["quotient"]["lost_heaps"]
    assert lost == [1, 4, 9, 12, 20]
    assert [n for n in range(1, 15) if not is_won((n,))] == [n for n in lost if n < 15]
    said = call(capfd, "solve", "0.77", "--rule", "misere", "--at", "5,3").stdout
    assert "in the heap of 5, take 2 leave 3" in said

"""Sums of games: how they are read, their values, their winning moves, and play.

The oracles are play by the rules: who wins small positions of a sum is found by trying all moves,
and the sum of games of the language is again a game of the language, whose box is labelled.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from operator import xor

import jsonschema
import pytest
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import heap_options, least_without, worth

from icgsynth import load, loads
from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.numeration import base
from icgsynth.errors import IllegalMove, InputError
from icgsynth.export import SCHEMA_PATH
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.heaps.loaded import LoadedSum
from icgsynth.heaps.rules.game_sum import SumAnswer, SumGame
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import HeapMove, HeapRows
from icgsynth.heaps.rules.position_text import parse_position, parse_sum_move
from icgsynth.heaps.rules.sum_text import read_sum
from icgsynth.heaps.search.heap_mover import heap_option
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.heaps.search.sum_search import SumMover, SumSearch
from icgsynth.heaps.subject.sum_play import SumPlayer, SumSession
from icgsynth.play.match import match
from icgsynth.spec.icg import parse_term
from icgsynth.spec.source import looks_like_sum
from icgsynth.synth.values import state_values
from icgsynth.synth.values.grundy_search import grundy
from icgsynth.synth.values.state_values import known_at

HUGE = 10**30


# Grundy functions that others prove: here they save the time, and play by the rules judges them.
KNOWN = {
    "nim2": "a xor b",
    "subtraction_134": "if v mod 7 in {1, 3} then 1 else if v mod 7 in {4, 6} then 2 else "
    "if v mod 7 = 5 then 3 else 0",
    "chomp_2row": "if (a + b) mod 2 = 0 then (2 * a + b - 1) div 2 else "
    "min(3 * ((a - b - 1) div 2), a - b - 1 + b div 2)",
    "take_away": "v mod 4",
    "bounded_wythoff": "(a + b) mod 3",
    "cyclic_nimhoff": "4 * ((a div 4) xor (b div 4)) + (a + b) mod 4",
    "odd_or_even_nim": "if c = 2 then if v <= 1 then v + 1 else 0 else if c = 1 then v else "
    "if v <= 0 then 0 else v - 1",
}


@cache
def solved(spec):
    return SumAnswer(tuple(map(answered, read_sum(spec))))


@cache
def answered(part):
    if isinstance(part, HeapRows):
        return heaps(part.name)
    if part.name not in KNOWN:
        return grundy(part)
    term = parse_term(KNOWN[part.name], part.variables, system=base(2))
    return GrundyAnswer(part, "solved", value=term)


@cache
def mover(spec):
    return SumMover(solved(spec))


@cache
def heaps(code):
    return HeapSearch(read_code(code), 2_000, UNBOUNDED).run()


# --- the reader ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("nim2 + 0.77", ["nim2", "0.77"]),
        ("nim2+.77", ["nim2", "0.77"]),
        ("2*nim2 + 0.7 + nim2", ["nim2", "nim2", "0.7", "nim2"]),
        ("  2 * 4u  ", ["4u", "4u"]),
        ("0.77", ["0.77"]),
        ("heap:0.77 + specs/mark.icg", ["0.77", "mark"]),
    ],
)
def test_sums_are_read(text, names):
    parts = read_sum(text)
    assert [part.name for part in parts] == names
    assert len(SumGame(parts).parts) == len(names)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "an empty component"),
        ("nim2 +", 6, "an empty component"),
        ("nim2 ++ mark", 6, "an empty component"),
        ("nim2 + 3*", 9, "no game behind it"),
        ("nim2 + 0*mark", 8, "a number from 1 on"),
        ("nim2 + -1*mark", 8, "a number from 1 on"),
        ("0.77*2", 1, "a number from 1 on"),
        ("1000*nim2 + mark", 13, "more than 1,000 components"),
        ("9" * 500 + "*nim2", 1, "more than 1,000 components"),
        ("nim2 + nimm2", 8, "there is no file and no catalog game 'nimm2'"),
        ("nim2 + 0.7G", 11, "'G' is no digit"),
        ("nim2 + 2*1.7", 10, "takes nothing"),
        ("- + -", 5, "standard input twice"),
    ],
)
def test_a_broken_sum_is_refused_with_its_place(text, column, said):
    with pytest.raises(InputError) as caught:
        read_sum(text)
    assert caught.value.span is not None
    assert (caught.value.span.column, said in caught.value.message) == (column, True)


def test_an_unknown_component_keeps_its_hint():
    with pytest.raises(InputError, match="no catalog game") as caught:
        read_sum("mark + chomp_2raw")
    assert "did you mean chomp_2row" in caught.value.mend


def test_a_file_with_a_plus_in_its_name_is_that_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert looks_like_sum("a+b*c.icg")
    (tmp_path / "a+b*c.icg").write_text(
        "game one var v legal v >= 0 action t pre v >= 1 eff v := 0"
    )
    assert not looks_like_sum("a+b*c.icg")


def test_a_constant_goes_to_all_that_have_it():
    parts = read_sum("take_away + nim2 + take_away", {"n": 5})
    assert [part.constants for part in parts] == [(("n", 5),), (), (("n", 5),)]
    with pytest.raises(InputError, match="no component has a constant 'm'"):
        read_sum("take_away + nim2", {"m": 5})


# --- moves of heaps ------------------------------------------------------------------------------

PERIODIC = ["0.77", "0.07", "0.137", "4.444", "0.3", "0.123", "0.F"]
CODES = [*PERIODIC, "0.37", "0.04u", "4u"]
RISING = ["8", "0.8", "0.A8", "0.3F"]


@pytest.mark.parametrize("code", CODES + RISING)
def test_every_smaller_value_of_a_heap_is_reached_by_a_legal_move(code):
    answer, row = heaps(code), HeapRows(read_code(code))
    for heap in range(20 if code in RISING else 60):
        value = answer.known_at(heap) if answer.proved else None
        for target in range(value or 0):
            option = heap_option(answer, heap, target)
            assert option is not None
            after = row.result((heap,), option.move)
            assert reduce(xor, map(answer.known_at, after), 0) == target


def test_a_smaller_value_may_ask_for_three_heaps():
    """Heaps without a period too: of some, only a cut into three leads to a smaller value."""
    answer, cuts = HeapSearch(read_code("0.18"), 60, UNBOUNDED).run(), 0
    for heap in range(40):
        for target in range(int(answer.values[heap])):
            option = heap_option(answer, heap, target)
            assert option is not None
            after = HeapRows(answer.code).result((heap,), option.move)
            assert reduce(xor, (int(answer.values[left]) for left in after), 0) == target
            cuts += len(after) == 3
    assert cuts


@pytest.mark.parametrize("code", PERIODIC + RISING)
@settings(max_examples=25)
@given(data=st.data())
def test_of_a_huge_heap_too(code, data):
    answer, row = heaps(code), HeapRows(read_code(code))
    heap = data.draw(st.integers(1, 10**30) | st.integers(1, 500))
    value = answer.known_at(heap)
    targets = range(value) if value < 20 else {data.draw(st.integers(0, value - 1)), value - 1, 0}
    for target in targets:
        option = heap_option(answer, heap, target)
        assert option is not None
        after = row.result((heap,), option.move)
        assert sum(after) == heap - option.take
        assert reduce(xor, map(answer.known_at, after), 0) == target


@pytest.mark.parametrize("code", CODES)
def test_moves_of_rows_are_those_of_the_code(code):
    """Those listed apply; all others of the right form do not; a row with a move names one."""
    row = HeapRows(read_code(code))
    for heap in range(9):
        listed = {str(move) for move in row.moves((heap,))}
        written = {
            str(HeapMove(take, left))
            for take in range(heap + 1)
            for heaps in range(4)
            for left in product(range(1, heap + 1), repeat=heaps)
            if take + sum(left) == heap and sorted(left, reverse=True) == list(left)
            if row.applies((heap,), HeapMove(take, left).move)
        }
        assert listed == written
        left = {tuple(sorted(row.result((heap,), move))) for move in row.moves((heap,))}
        assert left == heap_options(row.code, heap)
        move = row.some_move((heap,))
        assert (move is None) == (not listed)
        assert move is None or str(move) in listed


@pytest.mark.parametrize(
    "text", ["", "take", "leave 4", "take x", "take 1 leave", "take -1", "hit 2"]
)
def test_what_is_no_move_of_a_heap_is_refused(text):
    with pytest.raises(IllegalMove):
        row = HeapRows(read_code("0.77"))
        row.result((1, 4), HeapMove.read(text).move)
        assert text == "take 1 leave"  # the whole heap of 1
        raise IllegalMove("")


@cache
def value_of_a_heap(heap):
    """In 0.7, by trying all moves."""
    options = heap_options(read_code("0.7"), heap)
    return least_without({reduce(xor, map(value_of_a_heap, parts), 0) for parts in options})


@settings(max_examples=10, deadline=None)
@given(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.lists(st.integers(0, 5), max_size=2))
def test_a_sum_is_asked_from_python(pair, row):
    """Play by the rules of the two games judges.

    Faults it sees: a move in the wrong component; one listed twice or left out; a won position
    that is called lost.
    """
    game, (a, b) = load("nim2 + 0.7", kind=LoadedSum), pair
    takes = [("a", k) for k in range(1, a + 1)] + [("b", k) for k in range(1, b + 1)]
    moves = game.moves((pair, row))
    nim = [(name, given) for name, given in moves if name.startswith("1 ")]
    assert sorted((name[-1], given["k"]) for name, given in nim) == sorted(takes)
    kayles = {heap: {*heap_options(read_code("0.7"), heap)} for heap in row}
    assert len(moves) - len(nim) == sum(map(len, kayles.values()))
    answer = solved("nim2 + 0.7")
    total = reduce(xor, map(value_of_a_heap, row), a ^ b)
    assert answer.is_winning(({"b": b, "a": a}, row)) == (total != 0)
    chosen = answer.move((pair, row))
    assert (chosen is None) == (total == 0)
    assert chosen is None or chosen in moves


@pytest.mark.parametrize(
    "position", [5, ((3, 7),), ((3, 7), "12"), ((3, 7), (-1,)), ((3,), (1,)), ((3, 7), ("a",))]
)
def test_what_is_no_position_of_a_sum_is_bad_input(position):
    game, answer = load("nim2 + 0.7", kind=LoadedSum), solved("nim2 + 0.7")
    for ask in (game.moves, answer.is_winning, answer.move):
        with pytest.raises(InputError) as caught:
            ask(position)
        assert caught.value.mend.startswith("give ")


# --- values of positions -------------------------------------------------------------------------

SMALL = "chomp_2row + subtraction_134 + 0.77"


def positions(limit):
    number = st.integers(0, limit)
    pair = st.tuples(number, number).map(lambda p: (max(1, *p), min(p)))
    return st.tuples(pair, st.tuples(number), st.lists(number, max_size=3).map(tuple))


@cache
def wins(position):
    """By trying all moves of the sum."""
    game = solved(SMALL).game
    return any(not wins(game.result(position, move)) for move in game.moves(position))


@settings(max_examples=12, deadline=None)
@given(positions(3))
def test_who_wins_a_position_is_what_play_says(position):
    assert wins(position) == (solved(SMALL).known_at(position) != 0)


@settings(max_examples=30, deadline=None)
@given(positions(40) | positions(HUGE))
def test_the_winning_move_is_legal_and_leads_to_a_lost_position(position):
    answer = solved(SMALL)
    found = mover(SMALL).find(position)
    assert (found is None) == (answer.known_at(position) == 0)
    if found is not None:
        aim, move = found
        after = answer.game.result(position, answer.game.number_move(aim.place, move))
        assert answer.known_at(after) == 0


@pytest.mark.parametrize(
    ("spec", "state"),
    [
        ("nim2 + 0.77", ((HUGE, HUGE + 5), (HUGE // 7,))),
        ("cyclic_nimhoff + take_away", ((5**40, HUGE), (HUGE + 1,))),
        ("odd_or_even_nim + bounded_wythoff", ((HUGE, 1), (HUGE, HUGE + 1))),
        pytest.param("mark + 0.7", ((HUGE // 7,), (0,)), marks=pytest.mark.slow),
        pytest.param("delete_nim + 0.8", ((HUGE, 3**60), (HUGE,)), marks=pytest.mark.slow),
        pytest.param("2*at_least_half2", ((HUGE, 7), (9, HUGE // 9)), marks=pytest.mark.slow),
        pytest.param("i_mark + nim2", ((HUGE + 3,), (HUGE, 2 * HUGE)), marks=pytest.mark.slow),
    ],
)
def test_digits_and_automata_have_movers_at_any_size(spec, state):
    answer = solved(spec)
    assert answer.known_at(state)
    aim, move = mover(spec).find(state)
    after = answer.game.result(state, answer.game.number_move(aim.place, move))
    assert answer.known_at(after) == 0


def test_each_component_is_solved_once():
    search = SumSearch(read_sum("3*0.77 + 0.7 + 0.77"), UNBOUNDED)
    answer = search.run()
    assert len(search.found) == 2
    assert answer.parts[0] is answer.parts[4]
    assert answer.game.name == "3*0.77 + 0.7 + 0.77"


def test_of_a_position_no_period_is_needed():
    """No period of Grundy's game is known, but a small heap has a proved value."""
    parts = read_sum("4u + 0.77")
    position = ((50, 12), (7,))
    answer = SumSearch(parts, UNBOUNDED, position).run()
    assert answer.known_at(position) is not None
    assert answer.known_at(((60,), (7,))) is None


# --- play ----------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(positions(5))
def test_the_machine_wins_every_won_position(position):
    answer = solved(SMALL)
    machine = SumPlayer(answer, mover(SMALL).find)

    class Other:
        name = "the last move there is"

        def choose(self, game, state):
            *_, last = game.moves(state)
            return replace(machine.choose(game, state), move=last)

    session = SumSession(answer.game, position)
    for _ in match(session, (machine, Other())):
        pass
    assert session.winner == 0 or answer.known_at(position) == 0


def test_what_people_type_is_the_move_that_is_shown():
    game = solved(SMALL).game
    position = ((4, 2), (5,), (12, 3))
    for move in game.moves(position):
        assert parse_sum_move(game, position, str(move)) == move
    assert str(parse_sum_move(game, position, "3 take 1 leave 4,7")) == "3 take 1 leave 7,4"
    for text in ("take 3", "4 take 1", "0 take 1", "3 take 1", "3 take 1 leave 5,5", "2 take 2"):
        with pytest.raises(IllegalMove):
            parse_sum_move(game, position, text)


@pytest.mark.parametrize(
    "text", ["", "3,7", "3,7;5", "3,7;5;12;1", "3,7;5;x", "3,7;5;-1", "3,7;5;", "0,7;5;1", ";;"]
)
def test_a_broken_position_is_refused(text):
    with pytest.raises(InputError):
        parse_position(solved(SMALL).game, text)


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_position_of_the_contract(capfd):
    """The values are known: xor, Dawson's Kayles, a table by v mod 7."""
    spec = "nim2 + 2*0.07 + subtraction_134"
    code, out, _ = call(capfd, "value", spec, "--at", "3,7;5;5;12", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["state"] == [[3, 7], [5], [5], [12]]
    assert (found["value"], found["proved"]) == (3 ^ 7 ^ 0 ^ 0 ^ 3, True)
    assert [part["value"] for part in found["components"]] == [4, 0, 0, 3]
    move = found["move"]
    assert (move["component"], move["value"]) == (1, 3)
    left = {"take_a": 3, "take_b": 7}[move["action"]] - int(move["args"]["k"])
    assert left ^ {"take_a": 7, "take_b": 3}[move["action"]] == 3
    assert (found["kind"], found["winning"]) == ("position", True)
    (a, b), *others = move["state"]
    assert (a ^ b, others) == (3, [[5], [5], [12]])


def test_a_lost_position_has_no_move(capfd):
    code, out, _ = call(capfd, "value", "0.77 + 2*0.07", "--at", "0;5,1;5", "--json")
    found = json.loads(out)
    assert (code, found["value"], found["winning"]) == (0, 0, False)
    assert found["move"] is None


def test_the_move_of_a_heap_as_json(capfd):
    code, out, _ = call(capfd, "value", "0.77", "--at", "3,1", "--json")
    found = json.loads(out)
    assert (code, found["value"], found["state"]) == (0, 3 ^ 1, [[3, 1]])
    move = found["move"]
    assert (move["component"], move["action"]) == (1, "take")
    heap, taken = int(move["args"]["heap"]), int(move["args"]["take"])
    assert heap == taken + sum(move["leaves"])
    (row,) = move["state"]
    assert sorted(row) == sorted([3 + 1 - heap, *move["leaves"]])


def test_a_component_that_may_never_end_is_named_and_exits_with_3(capfd, tmp_path):
    file = tmp_path / "turn.icg"
    file.write_text("game turn\nvar v\nlegal 0 <= v <= 3\naction on pre v <= 1 eff v := 1 - v\n")
    code, out, _ = call(capfd, "solve", f"0.77 + {file}")
    assert code == 3
    assert "turn: no values are proved: the game may never end" in out
    assert "Proved are the values of component 1." in out
    code, out, _ = call(capfd, "value", f"0.77 + {file}", "--at", "6;1", "--json")
    found = json.loads(out)
    assert (code, found["value"], found["proved"]) == (3, None, False)
    assert [part["value"] for part in found["components"]][1] is None
    assert call(capfd, "play", f"0.77 + {file}", "--start", "6;1")[0] == 3


def test_an_unproved_component_exits_with_4(capfd):
    code, out, _ = call(capfd, "solve", "0.77 + wythoff", "--timeout", "0.2")
    assert code == 4
    assert "wythoff: no values are proved" in out
    far = ("--start", "5;3000,3000", "--timeout", "0.2")
    assert call(capfd, "play", "0.77 + wythoff", *far)[0] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "nim2 + 0.77", "--rule", "misere"),
        ("solve", "nim2 + 0.77", "--rule", "both"),
        ("play", "nim2 + 0.77", "--rule", "misere"),
        ("play", "nim2 + 0.77", "--solution", "x.json"),
        ("value", "nim2 + 0.77", "--to", "9"),
        ("value", "nim2 + 0.77", "--at", "3,4"),
        ("value", "nim2 + 0.77", "--set", "n=3"),
        ("check", "nim2 + 0.77"),
    ],
)
def test_bad_usage_is_2(capfd, arguments):
    code, out, err = call(capfd, *arguments)
    assert (code, out) == (2, "")
    assert "did you mean" not in err


# --- files ---------------------------------------------------------------------------------------

HEAPS = "0.77 + 2*0.07"


@pytest.fixture
def written(tmp_path, capfd):
    file = tmp_path / "sum.json"
    assert call(capfd, "solve", HEAPS, "-o", file)[0] == 0
    data = json.loads(file.read_text("utf-8"))
    jsonschema.validate(data, json.loads(SCHEMA_PATH.read_text("utf-8")))
    assert (data["kind"], data["status"], data["rule"]) == ("value", "solved", "normal")
    return file, data


def test_each_component_of_a_file_is_proved_again(written, capfd):
    file, _ = written
    code, out, _ = call(capfd, "verify", HEAPS, file, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["sum"], found["verdict"]) == (HEAPS, "proved")
    assert [(c["name"], c["times"]) for c in found["components"]] == [("0.77", 1), ("0.07", 2)]
    assert call(capfd, "verify", "0.77 + 0.07 + 0.07", file)[0] == 0


@pytest.mark.parametrize("seed", range(15))
def test_one_wrong_value_of_one_component_is_refuted(written, capfd, seed):
    file, right = written
    draw = random.Random(seed)
    place = draw.randrange(2)
    values = list(right["components"][place]["answer"]["values"])
    values[draw.randrange(len(values))] ^= draw.randint(1, 15)
    wrong = json.loads(json.dumps(right))
    wrong["components"][place]["answer"]["values"] = values
    file.write_text(json.dumps(wrong), "utf-8")
    code, out, _ = call(capfd, "verify", HEAPS, file)
    assert code == 3
    assert f"{('0.77', '0.07')[place]}: refuted" in out
    assert f"{('0.07', '0.77')[place]}: proved" in out


@pytest.mark.slow
def test_a_wrong_function_of_a_component_is_refuted(capfd, tmp_path):
    file = tmp_path / "sum.json"
    assert call(capfd, "solve", "take_away + 0.7", "--set", "n=5", "-o", file)[0] == 0
    assert call(capfd, "verify", "take_away + 0.7", file)[0] == 0, "the constants of the file"
    data = json.loads(file.read_text("utf-8"))
    assert data["components"][0]["answer"]["value"]["term"] == "v mod 6"
    data["components"][0]["answer"]["value"]["term"] = "v mod 7"
    file.write_text(json.dumps(data), "utf-8")
    code, out, _ = call(capfd, "verify", "take_away + 0.7", file)
    assert (code, "take_away: refuted" in out) == (3, True)


@pytest.mark.parametrize(
    ("spec", "change"),
    [
        ("0.77 + 0.07", {}),
        ("2*0.07 + 0.77", {}),
        ("0.77", {}),
        ("take_away", {}),
        (HEAPS, {"components": []}),
        (HEAPS, {"components": [{"times": 0, "answer": {}}]}),
        (HEAPS, {"components": [{"times": 1}]}),
        (HEAPS, {"components": [{"times": 10**9, "answer": {}}]}),
        (HEAPS, {"rule": "misere"}),
        (HEAPS, {"kind": "strategy"}),
    ],
)
def test_a_broken_file_and_one_of_another_sum_are_bad_input(written, capfd, spec, change):
    file, data = written
    file.write_text(json.dumps(data | change), "utf-8")
    code, out, err = call(capfd, "verify", spec, file)
    assert (code, out, "internal error" in err) == (2, "", False)


# --- values by definition ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "state"),
    [
        ("wythoff", (6, 9)),
        ("chomp_3row", (4, 3, 2)),
        ("two_sided_take_away", (-7,)),
        ("mark", (50,)),
    ],
)
def test_small_states_have_values_by_definition(spec, state):
    (game,) = read_sum(spec)
    answer = known_at(game, [state], UNBOUNDED)

    value = worth(game)
    assert not answer.is_proved, "no function is claimed"
    assert len(answer.known) > 7
    assert all(answer(here) == value(here) for here in answer.known)


def test_states_without_such_a_value_have_none():
    turn = loads("game turn var v legal 0 <= v <= 3 action on pre v <= 1 eff v := 1 - v").game
    (wythoff,) = read_sum("wythoff")
    assert known_at(turn, [(1,)], UNBOUNDED) is None, "play goes on for ever"
    assert known_at(turn, [(2,)], UNBOUNDED)((2,)) == 0
    assert known_at(wythoff, [(40, 60)], Budget(0.05)) is None, "the time is spent"
    assert known_at(wythoff, [(HUGE, 3)], UNBOUNDED) is None


def test_where_the_two_ways_disagree_nothing_is_claimed(monkeypatch):
    (game,) = read_sum("wythoff")
    right = state_values.box_values

    def wrong(*given):
        found = right(*given)
        found.values[-1] += 1
        return found

    monkeypatch.setattr(state_values, "box_values", wrong)
    assert known_at(game, [(3, 4)], UNBOUNDED) is None


def test_a_sum_is_played_from_a_small_position_without_any_function(capfd):
    """In Wythoff's game the state (1, 2) is lost, and beside it a row of 0.7 is as by itself."""
    code, out, _ = call(capfd, "value", "wythoff + 0.7", "--at", "1,2;1", "--json")
    found = json.loads(out)
    assert (code, found["value"], found["proved"]) == (0, 1, True)
    assert found["move"] | {"value": 0} == found["move"]
    assert call(capfd, "value", "wythoff", "--at", "1,2")[1] == "g(1, 2) = 0\n"


# --- heaps by rules ------------------------------------------------------------------------------


def test_heaps_by_rules_are_a_component_where_they_have_a_code(capfd, tmp_path):
    file, other = tmp_path / "pins.icg", tmp_path / "twice.icg"
    rules = "heaps pins var n legal n >= 0 action hit(k, i) pre 1 <= k <= 2 and 0 <= i <= n - k "
    file.write_text(f"{rules} into i, n - k - i")
    code, out, err = call(capfd, "value", f"0.7 + {file}", "--at", "1;12,5", "--json")
    assert (code, json.loads(out)["components"][1]["value"]) == (0, 4 ^ 4)
    assert "pins is the game of the code 0.77" in err
    other.write_text("heaps twice var n legal n >= 0 action t(i) pre 1 <= i and 2 * i < n into i")
    code, out, err = call(capfd, "solve", f"0.7 + {other}")
    assert (code, out) == (2, "")
    assert "twice: its heaps are not shown to have the moves of a code" in err

"""solution.json read back: whole, edited by hand, foreign, and broken in many ways."""

import json
from dataclasses import replace

import pytest
from effort import Calls
from hand_solved import ALL, chomp_misere, nim2, nim2_misere, take_away
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

from icgsynth.errors import InputError
from icgsynth.export import export
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Exclusion
from icgsynth.logic.build import negation
from icgsynth.logic.term import TRUE, Int
from icgsynth.spec.json_text import read_json
from icgsynth.spec.solution_file import file_constants, read_solution
from icgsynth.spec.source import Source

NIM_RULES = str(nim2().game)


def read(data, game=None, rule=None):
    text = data if isinstance(data, str) else json.dumps(data)
    return read_solution(Source("s.json", text), game, rule)


def refusal(data, game=None, rule=None):
    with pytest.raises(InputError) as caught:
        read(data, game, rule)
    return caught.value


def at(error, text):
    """The text of the file from the place of ``error`` on."""
    lines = text.splitlines()
    return lines[error.span.line - 1][error.span.column - 1 :]


# --- what must read ---------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
@pytest.mark.parametrize("with_game", [True, False])
def test_round_trip(build, with_game):
    solution = build()
    again = read(export(solution, "json"), solution.game if with_game else None)
    assert again == solution
    assert again.to_json() == solution.to_json()


def test_round_trip_of_optional_parts():
    solution = replace(
        take_away(5),
        status="conditional",
        excluded=Exclusion(3, 8),
        losing_states=((0,), (6,)),
        notes=('über «quotes» " \\ \n',),
        proof={"termination": Verdict.UNKNOWN, "closure": Verdict.REFUTED},
        explicit=None,
        seconds={"total": 1.5},
        logic="base-2",
    )
    assert read(export(solution, "json")) == solution


def test_the_least_that_reads():
    for data in (
        {"rule": "normal", "losing": "a = b", "rules": NIM_RULES},
        {"rule": "normal", "losing": {"formula": "a = b"}, "game": "nim2"},
    ):
        solution = read(data)
        assert str(solution.losing.formula) == "a = b"
        assert solution.winning.formula == negation(solution.losing.formula)
        assert solution.status == "unknown" and not solution.strategy
        assert not solution.winning.minimal
    solution = read({"winning": "a != b"}, nim2().game, "misere")
    assert solution.rule == "misere" and str(solution.losing.formula) == "a = b"


def test_rules_that_people_write():
    pairs = [
        {"action": "take_a", "args": {"k": 1}},
        {"when": "b>0", "action": "take_b", "args": {"k": "b"}},
    ]
    solution = read(
        {"rule": "normal", "winning": "a != b", "strategy": pairs, "x": [1]}, nim2().game
    )
    assert [str(rule) for rule in solution.strategy] == ["take_a(1)", "if b > 0: take_b(b)"]
    assert solution.strategy[0].when == TRUE
    assert solution.strategy[0].act.arguments == (("k", Int(1)),)


def test_null_is_left_out():
    data = dict.fromkeys(nim2().to_json()) | {"rule": "normal", "winning": "a != b", "game": "nim2"}
    assert read(data).status == "unknown"


def test_variables_in_another_order():
    data = {"rule": "normal", "winning": "a != b", "variables": ["b", "a"]}
    assert read(data, nim2().game).game == nim2().game


def test_catalog_with_constants():
    data = {"rule": "normal", "game": "take_away", "constants": {"n": 7}, "losing": "v mod 8 = 0"}
    game = read(data).game
    assert game.constants == (("n", 7),) and 7 in game.integers
    assert file_constants(Source("s.json", json.dumps(data))) == {"n": 7}


def test_a_list_of_two():
    both = [nim2().to_json(), nim2_misere().to_json()]
    assert read(both, rule="normal") == nim2()
    assert read(both, rule="misere") == nim2_misere()
    assert read(both[:1]) == nim2()
    assert file_constants(Source("s.json", json.dumps(both)), "misere") == {}
    assert "--rule" in refusal(both).mend
    assert "no solutions for misere" in refusal(both[:1], rule="misere").message
    assert "2 solutions for normal" in refusal([both[0]] * 2, rule="normal").message
    assert "no solution" in refusal([]).message


def test_an_answer_that_is_unknown_may_be_solved_with_more_time():
    """As ``solve -o`` writes it where it finds nothing; before, it said to add a formula."""
    said = refusal({"game": "nim2", "rule": "normal", "status": "unknown", "winning": None})
    assert "neither a winning" in said.message
    assert "longer --timeout" in said.mend


# --- what must not, and where it says so ---------------------------------------------------

WRONG = [
    ('{"winning": "a != b"}', "'rule' is missing", '{"winning"'),
    ('{"rule": "normal"}', "neither a winning nor a losing", '{"rule"'),
    ('{"rule": "both", "winning": "a != b"}', "unexpected 'both'", '"both"'),
    ('{"rule": 1, "winning": "a != b"}', "a number where a string", "1,"),
    ('{"rule": "normal", "winning": 3}', "a number where an object", "3}"),
    ('{"rule": "normal", "winning": {"size": 3}}', "'formula' is missing", '{"size"'),
    ('{"rule": "normal", "winning": {"formula": ["a"]}}', "a list where a string", '["a"]'),
    ('{"rule": "normal", "winning": "a != c"}', "unknown name 'c'", 'c"}'),
    ('{"rule": "normal", "winning": "a !!= b"}', "unexpected character '!'", "!!="),
    ('{"rule": "normal", "winning": ""}', "ends too early", '"}'),
    ('{"rule": "normal", "winning": "a * b = 1"}', "not linear", "a * b"),
    ('{"rule": "normal", "winning": "a mod 0 = 1"}', "a divisor must be positive", "0 ="),
    ('{"rule": "normal", "winning": "\\u0061 = 1 and\\n b = c"}', "unknown name 'c'", 'c"}'),
    ('{"rule": "normal", "winning": "a = 1 and \\" b"}', "unexpected character", '\\" b'),
    ('{"rule": "normal", "winning": "a = b", "status": "proved"}', "unexpected", '"proved"'),
    ('{"rule": "normal", "winning": "a = b", "schema": "icgsynth/2"}', "unexpected", '"icgsynth'),
    ('{"rule": "normal", "winning": "a = b", "cover": "a"}', "a string where a list", '"a"'),
    ('{"rule": "normal", "winning": "a = b", "cover": ["b = d"]}', "unknown name 'd'", 'd"]'),
    ('{"rule": "normal", "winning": "a = b", "proof": {"luck": "proved"}}', "no such part", '"pro'),
    ('{"rule": "normal", "winning": "a = b", "proof": {"ending": "yes"}}', "unexpected", '"yes"'),
    ('{"rule": "normal", "winning": "a = b", "explicit": {"bound": 3}}', "'states' is", '{"bound"'),
    (
        '{"rule": "normal", "winning": "a = b", "seconds": {"total": true}}',
        "where a number",
        "true",
    ),
    ('{"rule": "normal", "winning": "a = b", "losing_states": [[1]]}', "a state of 1", "[1]"),
    ('{"rule": "normal", "winning": "a = b", "losing_states": [[1, 2.5]]}', "an integer", "2.5"),
    ('{"rule": "normal", "winning": "a = b", "variables": ["a", "c"]}', "speaks of a, c", '["a"'),
    ('{"rule": "normal", "winning": {"formula": "a = b", "minimal": 1}}', "where true or", "1}"),
]


@pytest.mark.parametrize(("text", "message", "place"), WRONG)
def test_complaints_point_into_the_file(text, message, place):
    error = refusal(text, nim2().game)
    assert message in error.message
    assert at(error, text).startswith(place)
    assert error.span.source == "s.json" and error.mend
    assert "^" in str(error)


@pytest.mark.parametrize(
    ("pair", "message", "place"),
    [
        ('{"when": "true"}', "'action' is missing", '{"when"'),
        ('{"action": "take_c"}', "no such action", '"take_c"'),
        ('{"action": ["take_a"]}', "a list where a string", '["take_a"]'),
        ('{"action": "take_a"}', "take_a needs the argument 'k'", '{"action"'),
        ('{"action": "take_a", "args": {}}', "take_a needs the argument 'k'", "{}}"),
        ('{"action": "take_a", "args": {"k": "a", "j": "b"}}', "no parameter 'j'", '"b"'),
        ('{"action": "take_a", "args": {"k": "a -"}}', "ends too early", '"}}'),
        ('{"action": "take_a", "args": {"k": true}}', "true or false where a string", "true"),
        ('{"action": "take_a", "args": {"k": "k"}}', "unknown name 'k'", 'k"}}'),
        ('{"action": "take_a", "args": {"k": "1"}, "when": "a > x"}', "name 'x'", 'x"}'),
        ('"take_a"', "a string where an object", '"take_a"'),
    ],
)
@pytest.mark.parametrize("key", ["strategy", "fft"])
def test_complaints_about_rules(pair, message, place, key):
    text = f'{{\n  "rule": "normal", "winning": "a != b",\n  "{key}": [\n    {pair}\n  ]\n}}'
    error = refusal(text, nim2().game)
    assert message in error.message and error.mend
    assert error.span.line == 4 and at(error, text).startswith(place)


def test_which_game():
    assert "--spec" in refusal({"rule": "normal", "winning": "a = b"}).mend
    error = refusal({"rule": "normal", "winning": "a = b", "game": "nonesuch"})
    assert "has no rules" in error.message and "--spec" in error.mend
    error = refusal(
        {"rule": "normal", "game": "take_away", "constants": {"m": 3}, "losing": "v = 0"}
    )
    assert "no constant 'm'" in error.message and error.span
    error = refusal(
        {"rule": "normal", "game": "take_away", "constants": {"n": 3}, "losing": "v = 0"},
        take_away(5).game,
    )
    assert "n = 3" in error.message and "n = 5" in error.message


def test_errors_in_embedded_rules_point_into_the_string():
    rules = NIM_RULES.replace("legal a >= 0", "legal c >= 0")
    text = json.dumps({"rule": "normal", "winning": "a != b", "rules": rules})
    error = refusal(text)
    assert "unknown name 'c'" in error.message
    assert at(error, text).startswith("c >= 0")


def test_the_rule_must_agree():
    text = export(nim2(), "json")
    error = refusal(text, rule="misere")
    assert "for normal play, not misere" in error.message and at(error, text).startswith('"normal"')


# What the properties below do not draw: depth, length, strange letters, values that are no object.
BROKEN = [
    *("   \n", "{'rule': 'normal'}", '{"rule": "nor\nmal"}', '{"rule": "\\x"}'),
    *('{"rule": "\\u12"}', "\x00\x01\x02", "PK\x03\x04" + "\ufffd" * 40, "٣"),
    *("1", "null", '"a != b"', '[1, "x"]', '{"rule": ' + "9" * 5000 + "}"),
    *("[" * 100_000, '{"a":' * 50_000, "[" * 90 + "]" * 90, '"' + "\\" * 1001),
]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_files_are_refused_at_a_place(text):
    error = refusal(text, nim2().game, "normal")
    assert error.span is not None and error.mend, str(error)
    assert len(str(error)) < 1000 and str(error).isprintable() is False  # lines, no more
    assert str(error).encode("utf-8")


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ('{"rule": 1, "rule": 2}', "the key 'rule' is given twice", '"rule": 2'),
        ('{"seconds": 1e99999}', "a number too large", "1e99999"),
        ('{"seconds": NaN}', "unexpected 'NaN'", "NaN"),
        ('{"s": "\\ud800"}', "half of a surrogate pair", '"'),
        ('{"s": "a\tb"}', "a control character", "\tb"),
        ('{"a": 1} 2', "text after the JSON value", "2"),
        ("[1, 2", "the text ends too early", ""),
        ("", "the file is empty", ""),
        ('{"a": 01}', "unexpected '01'", "01"),
        ("[" * 101 + "]" * 101, "nested more than 100 deep", "[]"),
        ("[" + "9" * 1002 + "]", "digits", "999"),
    ],
)
def test_json_complaints(text, message, place):
    with pytest.raises(InputError) as caught:
        read_json(Source("s.json", text))
    assert message in caught.value.message
    assert (at(caught.value, text) if text else "").startswith(place)


def test_large_numbers():
    base = {"rule": "normal", "winning": f"a > {'9' * 900}"}
    assert read(base, nim2().game).winning.formula
    assert (
        "digits" in refusal({"rule": "normal", "winning": f"a > {'9' * 1100}"}, nim2().game).message
    )
    long = '{"rule": "normal", "winning": "a = b", "seconds": {"total": ' + "9" * 900 + "}}"
    assert "too large" in refusal(long, nim2().game).message


@pytest.mark.parametrize("n", [150, 400, 5000])
def test_deep_formulas(n):
    for text in (
        "(" * n + "a = 1" + ")" * n,
        "not " * n + "a = 1",
        "a = " + "-" * n + "1",
        "a = " + "abs(" * n + "a" + ")" * n,
    ):
        data = {"rule": "normal", "winning": text}
        if n > 220:
            assert "deep" in refusal(data, nim2().game).message
        else:
            assert read(data, nim2().game).winning is not None


def test_places_behind_escapes():
    text = '{"s": "\\u00e9\\ud83d\\ude00\\n\\"x\\\\y"}'
    value = read_json(Source("s.json", text)).object()["s"]
    assert value.string() == 'é😀\n"x\\y'
    for index, char in enumerate(value.string()):
        if char in "xy":
            assert text[value.offset(index)] == char


def test_a_large_file_reads_with_work_in_proportion():
    states = [[i, i] for i in range(20_000)]
    text = json.dumps(nim2().to_json() | {"losing_states": states})
    with Calls() as calls:
        assert len(read(text).losing_states) == 20_000
    assert calls.count < 300 * 20_000  # about 70 for each state as counted


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


def plain(located):
    match located.value:
        case dict() as members:
            return {key: plain(value) for key, value in members.items()}
        case list() as items:
            return [plain(item) for item in items]
        case value:
            return value


@examples(8, 100, json_values, st.sampled_from([None, 2]), st.booleans())
def test_reads_json_as_the_standard_library_does(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    try:
        found = plain(read_json(Source("s.json", text)))
    except InputError as error:
        assert "surrogate" in error.message
        return
    assert found == json.loads(text)


def test_a_long_list_of_numbers_is_read_at_once():
    numbers = [n * n % 1013 for n in range(20_000)]
    for indent in (None, 1):
        text = json.dumps({"values": numbers, "more": [1, 2]}, indent=indent)
        found = read_json(Source("s.json", text)).object()
        assert found["values"].naturals(1012).tolist() == numbers
        assert [item.integer() for item in found["values"].list()] == numbers
        assert found["more"].naturals(2).tolist() == [1, 2]
        with pytest.raises(InputError, match="out of range"):
            found["values"].naturals(1011)


@pytest.mark.parametrize("wrong", ["-1", "1.5", "01", "", "1 2", str(10**30), "9" * 5000, "null"])
def test_a_slip_in_a_long_list_of_numbers_is_told_with_its_place(wrong):
    text = "[" + "12,\n" * 10_000 + wrong + "\n" + ",12" * 10_000 + "]"
    with pytest.raises(InputError) as caught:
        read_json(Source("s.json", text)).naturals(100)
    assert caught.value.span is not None
    assert caught.value.span.line in (10_001, 10_002)


CHARACTERS = st.sampled_from([*'{}[]:,"\\ \n\t0123456789-+.eEtrufalsn', "null", "true", "é"])


@given(st.lists(CHARACTERS, max_size=30).map("".join))
@settings(max_examples=200, deadline=None)
def test_reads_or_refuses_anything(text):
    try:
        found = plain(read_json(Source("s.json", text)))
    except InputError as error:
        assert error.span is not None
        return
    assert found == json.loads(text)


@examples(12, 60, st.data())
def test_any_value_in_any_place_gives_no_traceback(data):
    solution = chomp_misere().to_json()
    key = data.draw(st.sampled_from(sorted(solution)))
    solution[key] = data.draw(json_values)
    try:
        read(solution, chomp_misere().game if data.draw(st.booleans()) else None)
    except InputError as error:
        assert error.span is not None

"""Moves that leave any number of heaps: ``repeat HEAP for NAME in FIRST..LAST`` after ``into``.

The oracle is the definition, in plain Python, on options that each test writes down by itself.
"""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_play import misere_wins, values_of

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.digits.numeration import base
from icgsynth.errors import InputError, OutsideLogic, Refused
from icgsynth.export import SCHEMA_PATH
from icgsynth.game.answers import Verdict
from icgsynth.heaps.proof.heap_claims import judge_function
from icgsynth.heaps.proof.heap_definition import values_agree
from icgsynth.heaps.proof.heap_play import check_heaps
from icgsynth.heaps.proof.splitting import graph_of_term, is_code, values_flaw
from icgsynth.heaps.proof.splitting_recheck import recheck_heaps
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.search.heap_game_search import HeapGameSearch, code_of
from icgsynth.heaps.search.heap_values import HeapValues, RowOutcomes
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.recheck.algebra import project
from icgsynth.prove.recheck.machine import Effort
from icgsynth.prove.recheck.numbers import Numbers
from icgsynth.prove.recheck.reading import read
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.source import Source

ONE = "heaps x var n legal n >= 0\n"
RULER = ONE + "action turn(k) pre 1 <= k <= n into repeat n - j for j in 1..k - 1"
# Equal parts, as many as are taken; and one heap more.
EQUAL = ONE + "action cut(k) pre 1 <= k <= 3 and k <= n into n - k, repeat n - k for j in 2..k"
# The numbers of a range may be negative, and the range may be empty; two ranges in one move.
BELOW = (
    ONE
    + "action a(k) pre 1 <= k <= 2 and k <= n into repeat -j for j in 1 - n..-k\n"
    + "action b pre n >= 3 into repeat 0 for j in 2..1, repeat min(j, 2) for j in n - 2..n"
)
# Of heaps of two variables.
PAIRS = (
    "heaps x var a, b legal a >= 0 and b >= 0\n"
    "action left(k) pre 1 <= k <= a into repeat (a - k, j) for j in b..b + 1\n"
    "action right pre b >= 1 into (a, b - 1), repeat (0, 0) for j in 0..a"
)


# Cut into as many equal parts, or multiplied: parameters of few values.
PARTS = (
    "heaps x var n legal n >= 1\n"
    "action cut(k) pre 2 <= k <= 4 and n mod k = 0 into repeat n div k for i in 1..k\n"
    "action some(k, j) pre 2 <= k <= 3 and 1 <= j and k * j < n into j, n - k * j"
)


def parts(n):
    cut = [(n // k,) * k for k in (2, 3, 4) if n % k == 0]
    return [*cut, *((j, n - k * j) for k in (2, 3) for j in range(1, n) if k * j < n)]


def ruler(n):
    return [[n - j for j in range(1, k)] for k in range(1, n + 1)]


def equal(n):
    return [[n - k] * k for k in range(1, min(3, n) + 1)]


def below(n):
    first = [[-j for j in range(1 - n, -k + 1)] for k in (1, 2) if k <= n]
    return first + [[min(j, 2) for j in range(n - 2, n + 1)]] * (n >= 3)


def pairs(heap):
    a, b = heap
    left = [[(a - k, b), (a - k, b + 1)] for k in range(1, a + 1)]
    return left + [[(a, b - 1), *[(0, 0)] * (a + 1)]] * (b >= 1)


GAMES = [(RULER, ruler), (EQUAL, equal), (BELOW, below)]


def rules(text, **constants):
    return load_rules(Source("text", text), constants)


# --- the language --------------------------------------------------------------------------------

CONSTANT = "heaps x const m = 2 var n legal n >= 0\n"
TERMS = st.sampled_from(["n", "k", "n - k", "2 * k - 1", "-1", "(n + m) div 2", "m", "n mod 3"])
HEAPS = TERMS | st.sampled_from(["j", "n - j", "-j", "j div 2 + k", "max(j, 0)"])


@st.composite
def repeats(draw):
    heaps = []
    for is_one in draw(st.lists(st.booleans(), min_size=1, max_size=3)):
        ranged = "" if is_one else f"repeat {draw(HEAPS)} for j in {draw(TERMS)}..{draw(TERMS)}"
        heaps.append(ranged or draw(TERMS))
    return f"{CONSTANT}action t(k) pre k < n into {', '.join(heaps)}"


@given(repeats())
@settings(deadline=None)
def test_rules_that_are_printed_read_back(text):
    """Faults it sees: a range or a name is not printed, or printed of another repeat."""
    game, spec = rules(text), parse(Source("text", text))
    assert rules(str(game)).actions == game.actions
    assert parse(Source("text", str(spec))) == spec
    assert spec.heaps({"m": 5}) == rules(text, m=5)


def test_pairs_and_constants_are_read():
    game = rules(PAIRS)
    assert rules(str(game)) == game
    for heap in itertools.product(range(4), repeat=2):
        left = sorted(map(sorted, game.options(heap)))
        assert left == sorted(map(sorted, pairs(heap)))


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("game x var n action t pre n >= 1 into repeat n for j in 1..2", 46, "unexpected 'n'"),
        ("heaps x var n action t pre n >= 1 into repeat n for n in 1..2", 53, "already a variable"),
        ("heaps x var n action t(k) pre n > k into repeat n for k in 1..2", 55, "already a param"),
        ("heaps x var n action t pre n >= 1 into repeat (n, 1) for j in 1..2", 47, "of 2 numbers"),
        ("heaps x var n action t pre n >= 1 into repeat 1 for j in j..2", 58, "unknown name 'j'"),
        ("heaps x var n action t pre n >= 1 into repeat 1 for j in 1..2, j", 64, "unknown name"),
        ("heaps x var n action t pre n >= 1 into repeat 1 for j in 1.2", 59, r"unexpected '\.'"),
        ("heaps x var n action t pre n >= 1 into repeat 1 for j in n..n * n", 61, "not linear"),
        ("heaps repeat var n action t pre n >= 1 into 1", 7, "reserved word"),
    ],
)
def test_bad_rules_are_refused_with_their_place(text, column, said):
    with pytest.raises(InputError, match=said) as refused:
        rules(text)
    assert refused.value.span.column == column
    assert refused.value.mend


def test_the_words_are_names_in_other_games():
    """Faults it sees: the words are reserved in all files."""
    game = rules("game repeat var for legal for >= 0 action t pre for >= 1 eff for := for - 1")
    assert (game.name, game.variables) == ("repeat", ("for",))
    piles = "piles for var repeat legal repeat >= 0 action t pre repeat > 0 eff repeat := 0"
    assert parse(Source("text", piles)).variables == ("repeat",)


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("t pre n >= 1 into repeat n - j for j in 1..n + 1", 2, "not legal: n = "),
        ("t pre n >= 1 into 0, repeat n - j for j in 0..0", 3, "may never end"),
        ("t(k) pre k >= 2 and n >= 1 into repeat 0 for j in 1..k", 2, "infinitely many"),
    ],
)
def test_games_that_are_not_well_formed(tmp_path, capfd, body, code, said):
    """Faults it sees: the heaps of a range are not among those that must be legal, and smaller."""
    file = tmp_path / "x.icg"
    file.write_text(f"{ONE}action {body}")
    assert run(["value", str(file)]) == code
    out = capfd.readouterr()
    assert said in out.out + out.err
    assert run(["check", str(file)]) == code


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "options"), [*GAMES, (PAIRS, pairs)])
def test_values_by_definition(text, options):
    """Faults it sees: an end of a range is left out, no heaps have no value, a range is ignored."""
    game, table = rules(text), HeapValues(rules(text))
    assert check_heaps(game, UNBOUNDED).termination.is_proved
    sides = 5 if options is pairs else 24
    heaps = list(itertools.product(range(sides), repeat=len(game.variables)))
    plain = heaps if options is pairs else range(sides)
    assert [table.value(heap, UNBOUNDED) for heap in heaps] == values_of(options, plain)
    assert values_agree(game, table.known, UNBOUNDED)
    for heap in heaps[:12]:
        wrong = {**table.known, heap: table.known[heap] + 1}
        assert not values_agree(game, wrong, UNBOUNDED)


def test_a_parameter_of_few_values_may_divide_and_multiply():
    """Faults it sees: a value left out, as many heaps as another value says; a division by 0 or a
    product of many values that is read."""
    game = rules(PARTS)
    for n in range(1, 40):
        assert sorted(map(sorted, game.options((n,)))) == sorted(
            sorted((m,) for m in left) for left in parts(n)
        )
    for wrong in ("0 <= k <= 4", "2 <= k <= 30"):
        with pytest.raises(OutsideLogic, match="is not linear"):
            rules(PARTS.replace("2 <= k <= 4", wrong))
    letters = "abcdef"  # 16 ** 6 choices
    pre = " and ".join(f"1 <= {x} <= 16 and {x} * n <= 99" for x in letters)
    with pytest.raises(OutsideLogic, match="is not linear"):
        rules(f"{ONE}action t({', '.join(letters)}) pre {pre} and n >= 1 into n - 1")
    twins = rules(f"{PARTS}\naction cut_2 pre n >= 5 into n - 5")
    names = [action.name for action in twins.actions]
    assert len(names) == len({*names}) == 6


@pytest.mark.parametrize(("text", "options"), [*GAMES[1:], (PAIRS, pairs)])
def test_values_are_proved_and_those_by_definition(text, options):
    """Faults it sees: one of two numbers is repeated, a range below 0 counts for nothing."""
    answer = HeapGameSearch(rules(text), 512, Budget(60)).run()
    assert answer.is_proved and len(answer.by) == 2
    if options is pairs:
        heaps = list(itertools.product(range(9), repeat=2))
        assert [answer.known_at(*heap) for heap in heaps] == values_of(pairs, heaps)
    else:
        assert [answer.known_at(n) for n in range(80)] == values_of(options, range(80))


def test_ruler_is_that_of_the_literature():
    """The largest power of 2 that divides n (Winning Ways, chapter 14), for heaps of any size."""
    answer = HeapGameSearch(rules(RULER), 512, Budget(60)).run()
    assert str(answer.function) == "lowpart(n)" and len(answer.by) == 2
    for n in (*range(1, 200), 3 * 2**70, 10**30 + 1):
        assert answer.known_at(n) == n & -n
    for other in ("lowpart(n + 1)", "2 * lowpart(n)", "if n = 1000 then 5 else lowpart(n)"):
        term = parse_term(other, ["n"], system=base(2))
        assert judge_function(answer.game, term, UNBOUNDED).verdict is Verdict.REFUTED


CLAIMS = {
    "if n = 0 then 0 else 2 - n mod 2": lambda n: n and 2 - n % 2,
    "if n > 2 then 0 else n": lambda n: n if n <= 2 else 0,
    "n mod 2": lambda n: n % 2,
    "min(n, 2)": lambda n: min(n, 2),
    "0": lambda n: 0,
}


@pytest.mark.parametrize(("text", "options"), GAMES[1:])
def test_no_wrong_term_is_proved(text, options):
    """Faults it sees: an even number of equal heaps is taken for one heap, by either engine."""
    game = rules(text)
    proved, first = [], values_of(options, range(40))
    for said, claim in CLAIMS.items():
        term = parse_term(said, ["n"])
        graph = graph_of_term(game, term, UNBOUNDED)
        is_true = first == [claim(n) for n in range(40)]
        proved += [said] * is_true
        assert (values_flaw(game, graph, UNBOUNDED) == "") == is_true
        assert (recheck_heaps(game, graph, term, UNBOUNDED) == "") == is_true
        judged = judge_function(game, term, UNBOUNDED).verdict
        assert judged is (Verdict.PROVED if is_true else Verdict.REFUTED)
    assert len(proved) == 1


@pytest.mark.parametrize(
    ("formula", "count"),
    [
        ("1 <= j and j <= a", lambda a: a),
        ("j < 5 * a + 9 and j mod 3 = 1", lambda a: (5 * a + 10) // 3),
        ("a < j and j < 40 and (a + j) mod 2 = 0", lambda a: len(range(a + 2, 40, 2))),
        ("j = 0 and a in {2, 7}", lambda a: int(a in (2, 7))),
        ("j < 0", lambda _: 0),
        ("j < 64 and j >= a", lambda a: max(0, 64 - a)),
    ],
)
def test_numbers_of_which_there_are_an_odd_number(formula, count):
    """Faults it sees: longer numbers are not counted, or are counted once for each length."""
    system, effort = base(2), Effort(UNBOUNDED, 10_000)
    whole = Compiler(system, UNBOUNDED).formula(parse_formula(formula, ["a", "j"])).over("aj")
    odd = whole.odd("j")
    again = project(effort, read(Numbers(system, effort), whole.automaton()), "j", is_odd=True)
    for a in range(70):
        assert odd.contains({"a": a}) == count(a) % 2
        state = 0
        for digit in f"{a:b}":
            state = again.rows[state].get((int(digit),), -1) if state >= 0 else -1
        assert (state >= 0 and again.accepting[state]) == count(a) % 2


# --- what does not take them ---------------------------------------------------------------------


def test_they_have_no_code():
    """Faults it sees: a code is looked for in the heaps outside of the range."""
    nim = rules(
        ONE + "action take(k) pre 1 <= k <= 2 and k <= n into n - k, repeat 1 for j in 1..0"
    )
    assert code_of(nim, UNBOUNDED) is None
    assert not is_code(nim, read_code("0.33"), UNBOUNDED)


@given(st.sampled_from(GAMES), st.lists(st.integers(0, 6), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_rows_under_misere_play_are_played_to_the_end(game, row):
    text, options = game
    assume(sum(row) <= 9)
    won = RowOutcomes(rules(text)).wins(tuple((heap,) for heap in row), UNBOUNDED)
    assert won == misere_wins(options)(row)


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        ("value {} --rule misere --quiet", 4, "a move may leave more than 8 heaps"),
        ("value {}+nim2", 2, "not shown to have the moves of a code"),
        ("table {} --bound 9", 0, "Grundy values, by definition"),
        ("play {}", 2, "a game of heaps"),
        ("solve {} --set k=1", 2, "has no constant"),
        ("export {} --to coq", 2, "an answer file belongs here"),
    ],
)
def test_other_questions_have_one_clear_answer(tmp_path, capfd, asked, code, said):
    file = tmp_path / "x.icg"
    file.write_text(EQUAL)
    assert run(asked.format(file).split()) == code
    out = capfd.readouterr()
    assert said in out.out + out.err and "internal error" not in out.err


def test_more_heaps_than_can_be_listed():
    """Nothing is claimed, and nothing is taken for all of them."""
    game = rules(ONE + "action t pre n >= 1 into repeat 0 for j in 1..100001 * n")
    assert check_heaps(game, UNBOUNDED).closure.is_proved
    with pytest.raises(Refused, match="100,000"):
        list(game.options((1,)))
    answer = HeapGameSearch(game, 512, Budget(5)).run()
    assert not answer.is_proved and "100,000" in answer.why


def test_files_are_written_and_verified(tmp_path, capfd):
    game, file = tmp_path / "game.icg", tmp_path / "values.json"
    game.write_text(RULER)
    assert run(["value", str(game), "-o", str(file)]) == 0
    found = json.loads(file.read_text())
    jsonschema.validate(found, json.loads(SCHEMA_PATH.read_text()))
    assert rules(found["rules"]) == rules(RULER)
    assert run(["verify", str(game), str(file)]) == 0
    capfd.readouterr()
    assert run(["export", str(file), "--to", "python"]) == 0
    module = {"__name__": "exported"}
    exec(capfd.readouterr().out, module)
    assert [module["value"](n) for n in range(1, 100)] == [n & -n for n in range(1, 100)]
    found["value"]["term"] = "2 * lowpart(n)"
    file.write_text(json.dumps(found))
    assert run(["verify", str(game), str(file)]) == 3

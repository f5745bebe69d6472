"""Any number of piles: ``piles NAME`` and ``touch`` in .icg, and what is proved of every number.

The oracle is the definition, in plain Python, on the numbers that may be taken from a pile.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from commands import call, refused
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget, silent
from icgsynth.errors import InputError, Refused
from icgsynth.export.report import as_text
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Claim
from icgsynth.heaps.loaded import LoadedPiles
from icgsynth.heaps.proof.pile_claims import length_claims, zero_turns
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.pile_answer import ByLengths, ByRows, ByValues, PilesAnswer
from icgsynth.heaps.rules.piles import join_moves
from icgsynth.heaps.search.pile_search import PileSearch, targets, winning_move
from icgsynth.heaps.text.pile_report import pile_report
from icgsynth.logic import term as t
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.prove.discharge import confirm
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source

LEAST_OF_3 = t.Min(t.Min(t.Name("v_1"), t.Name("v_2")), t.Name("v_3"))
NIM = "action take(t) pre 1 <= t <= v eff v := v - t"
WAYS = ("first", "all", "one", "at most 2", "at most 3", "exactly 2", "exactly 3")
RULES = ("normal", "misere")


def taking(numbers) -> str:
    listed = ", ".join(map(str, sorted(numbers)))
    return f"action take(t) pre t in {{{listed}}} and t <= v eff v := v - t"


def spec(touch: str, action: str = NIM):
    return parse(Source("x", f"piles g\nconst k = 2\nvar v\nlegal v >= 0\ntouch {touch}\n{action}"))


def answer(touch, action=NIM, rule="normal", members=False, seconds=60.0):
    return PileSearch(spec(touch, action).piles(), rule, Budget(seconds), silent, members).run()


# --- the definition -------------------------------------------------------------------------------


def sets_touched(touch: str, alive: list[bool]) -> list[tuple[int, ...]]:
    """The sets of piles that a move may touch, where ``alive`` says which have a move."""
    live, (how, *count) = [i for i, lives in enumerate(alive) if lives], touch.split()
    if how == "first":
        return [(live[0],)] if live else []
    if how == "all":
        return [tuple(live)] if all(alive) else []
    if how == "one":
        return [(i,) for i in live]
    most = int(count[-1])
    sizes = [most] if how == "exactly" else range(1, most + 1)
    return [way for size in sizes for way in combinations(live, size)]


def options(touch, piles, left):
    """What a move leaves of ``piles``, where ``left`` gives what it leaves of one."""
    for way in sets_touched(touch, [bool(left(v)) for v in piles]):
        for new in product(*(left(piles[i]) for i in way)):
            after = list(piles)
            for place, number in zip(way, new, strict=True):
                after[place] = number
            yield tuple(after)


def winner(touch, rule, left):
    """Whether the player to move wins ``piles``, by definition."""

    @cache
    def wins(piles):
        after = set(options(touch, piles, left))
        return any(not wins(each) for each in after) if after else rule == "misere"

    return wins


def nim(v):
    return range(v)


def without(numbers):
    return lambda v: [v - t for t in numbers if t <= v]


# --- the rules of a certain number of piles -------------------------------------------------------


@pytest.mark.parametrize("touch", WAYS)
def test_the_moves_of_some_piles_are_those_of_the_definition(touch):
    """Faults it sees: ``touch first`` that forgets the piles before, another count of piles, an
    end that is forgotten, a pile that is touched twice."""
    numbers = {2, 3}
    game = spec(touch, f"end v = 3 {taking(numbers)}").piles()

    def left(v):
        return [] if v == 3 else without(numbers)(v)

    for count in (1, 2, 3):
        try:
            member = plain_rules(game.member(count))
        except InputError:
            assert touch.startswith("exactly") and count < int(touch[-1])
            continue
        for piles in product(range(6), repeat=count):
            found = {member.result(piles, move) for move in member.moves(piles)}
            assert found == set(options(touch, piles, left)), piles


def test_too_many_moves_are_refused_before_they_are_made():
    game = spec("at most 20").piles()
    with pytest.raises(Refused, match="40 piles"):
        game.member(40)


# --- theorems -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_moores_theorem_and_its_moves_are_right_where_piles_are_those_of_nim(most, rule):
    """Faults it sees: a remainder by k in place of k + 1, a move that touches too many piles, the
    exception of misère play left out, or made for larger piles too."""

    class Pile:
        def __call__(self, pile):
            return pile[0]

    wins, theorem = winner(f"at most {most}", rule, nim), ByValues(Pile(), rule, most)
    for count, bound in ((1, 8), (2, 6), (3, 5), (4, 4), (5, 3)):
        for piles in product(range(bound), repeat=count):
            assert theorem.wins([(v,) for v in piles]) == wins(piles), piles
            if wins(piles) and any(piles):
                aims = targets(piles, most, rule)
                after = tuple(aims.get(i, v) for i, v in enumerate(piles))
                assert 1 <= len(aims) <= most and all(v < piles[i] for i, v in aims.items())
                assert not wins(after), (piles, after)


@examples(
    2,
    5,
    st.sets(st.integers(1, 4), min_size=1),
    st.sampled_from(["first", "one", "all"]),
    st.data(),
)
def test_what_is_proved_of_every_number_of_piles_is_so_of_some(numbers, touch, data):
    """Faults it sees: the two answers of ``touch first`` changed, piles read from the first to the
    last, a move in a pile that is over, values that are added in place of xor; under misère play
    one pile at a time unknown, piles of the values 0 and 1 won as under normal play, no move where
    all values are 0; of all piles the longest decides, or the winner of a pile delays."""
    rule = data.draw(st.sampled_from(RULES))
    found = answer(touch, taking(numbers), rule)
    wins = winner(touch, rule, without(numbers))
    assert found.theorem is not None, found.why
    row = st.lists(st.integers(0, 7), min_size=int(touch == "all"), max_size=4)
    for piles in data.draw(st.lists(row, max_size=40)):
        states = [(v,) for v in piles]
        assert found.theorem.wins(states) == wins(tuple(piles)), piles
        moves = winning_move(found.theorem, states, Budget(20))
        can_move = any(options(touch, piles, without(numbers)))
        assert bool(moves) == (wins(tuple(piles)) and can_move)
        if moves:
            member = plain_rules(found.game.member(len(piles), [tuple(moves)]))
            assert not wins(member.result(tuple(piles), join_moves(moves)))


@pytest.mark.parametrize("rule", RULES)
def test_piles_whose_values_fall_are_as_good_as_those_of_nim(rule):
    """Take a multiple of 3 from at most 9: the value is how many such moves there are.

    Faults it sees: numbers in place of values in the theorem."""
    action = "action take(t) pre 1 <= t <= v and v <= 9 and (v - t) mod 3 = 0 eff v := v - t"

    def left(v):
        return [v - t for t in range(1, v + 1) if v <= 9 and (v - t) % 3 == 0]

    found = answer("at most 2", action, rule)
    assert isinstance(found.theorem, ByValues) and found.theorem.falls, found.why
    assert found.theorem.function((7,)) == 3
    wins = winner("at most 2", rule, left)
    for piles in product(range(0, 12, 1), repeat=2):
        assert found.theorem.wins([(v,) for v in piles]) == wins(piles), piles
    for piles in product((0, 1, 4, 6, 9), repeat=3):
        assert found.theorem.wins([(v,) for v in piles]) == wins(piles), piles


def test_moores_theorem_is_not_claimed_where_a_move_raises_the_value():
    """From 2 counters, of which one can take 1, 3 or 4, to 1, whose value is more.

    Faults it sees: Moore's theorem of all values; a theorem for every k where only k = 1 is one."""
    action = taking({1, 3, 4})
    for touch, rule in (("at most k", "normal"), ("at most k", "misere")):
        found = answer(touch, action, rule)
        assert found.theorem is None and "v = 2, t = 1" in found.why
    game = spec("at most k", action).piles({"k": 1})
    found = PileSearch(game, "normal", Budget(60), silent, False).run()
    assert found.theorem is not None and not found.theorem.falls
    assert "k >= 1" not in as_text(pile_report(found, "g"))


# Take one or two, or a whole pile of three (0.331); the moves of 0.123.  In each some pile of the
# value 0 has moves, and none to the value 1: 4 to 2 and 3 of the values 2 and 3, 6 to 4 and 3.
WHOLE = f"{taking({1, 2})} action whole pre v = 3 eff v := 0"
RIGID = (
    "action one pre v = 1 eff v := 0 action two pre v >= 3 eff v := v - 2 "
    "action three pre v >= 3 eff v := v - 3"
)


def whole(v):
    return [v - t for t in (1, 2, 3) if t <= v and (t < 3 or v == 3)]


def rigid(v):
    return [0] if v == 1 else [v - t for t in (2, 3) if v >= 3]


@pytest.mark.parametrize(
    ("action", "left", "rows"), [(WHOLE, whole, TameAnswer), (RIGID, rigid, MisereAnswer)]
)
def test_misere_piles_that_are_not_as_counters_of_nim_are_rows_of_heaps(action, left, rows):
    """Faults it sees: the rule by values claimed of a pile of the value 0 that cannot go to 1; the
    quotient of another code; a move to piles that are won."""
    found = answer("one", action, "misere")
    assert isinstance(found.theorem, ByRows) and isinstance(found.theorem.rows, rows), found.why
    assert json.loads(json.dumps(found.to_json()))["rows"]["status"] == "solved"
    wins = winner("one", "misere", left)
    for count, bound in ((1, 16), (2, 10), (3, 7), (4, 5)):
        for piles in product(range(bound), repeat=count):
            states = [(v,) for v in piles]
            assert found.theorem.wins(states) == wins(piles), piles
            if moves := winning_move(found.theorem, states, Budget(20)):
                member = plain_rules(found.game.member(count, [tuple(moves)]))
                assert not wins(member.result(piles, join_moves(moves)))
            else:
                assert not wins(piles) or not any(options("one", piles, left))


def test_no_misere_rule_by_values_where_a_pile_of_the_value_0_cannot_turn():
    """Faults it sees: a condition that asks for a move to the value 0, or asks it of all piles."""
    function = answer("one", WHOLE).theorem.function
    with pytest.raises(Refused, match="v = 4"):
        zero_turns(function, Budget(60))
    assert len(zero_turns(answer("one", taking({1, 3, 4})).theorem.function, Budget(60))) == 2


def test_the_theorem_is_for_every_k_where_the_rules_of_a_pile_do_not_speak_of_it():
    """Faults it sees: "every k" where k bounds what is taken, or where exactly k are touched."""
    assert "k >= 1" in as_text(pile_report(answer("at most k"), "g"))
    bounded = answer("at most k", "action take(t) pre 1 <= t <= v and v <= k eff v := v - t")
    assert bounded.theorem is not None
    assert "k >= 1" not in as_text(pile_report(bounded, "g"))
    exactly = spec("exactly k").piles({"k": 1})
    assert (exactly.how, exactly.counted) == ("at most", "")


@pytest.mark.parametrize(("touch", "count"), [("one", "m"), ("all", "m"), ("at most m", "p")])
def test_how_many_piles_there_are_has_a_letter_of_its_own(touch, count):
    """A pile has n counters: sees "with n piles" of it, and one letter for a count and a bound."""
    rules = f"piles g const m = 2 var n legal n >= 0 touch {touch} {NIM.replace('v', 'n')}"
    game = parse(Source("x", rules)).piles()
    told = as_text(pile_report(PileSearch(game, "normal", Budget(60), silent, False).run(), "g"))
    assert f"With {count} piles, for every {count} >= 1" in told and "n_n" not in told
    assert touch == "all" or f"n_{count}" in told


def length(rule, left):
    """How long play in one pile lasts, whose winner hurries and whose loser delays."""

    @cache
    def of(v):
        after = [of(w) for w in left(v)]
        lost = [n for n in after if n % 2 == (rule == "misere")]
        return 1 + (min(lost) if lost else max(after)) if after else 0

    return of


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("numbers", "grows"), [({2, 3}, True), ({1, 3, 4}, False)])
def test_the_shortest_play_decides_where_all_piles_are_touched(numbers, grows, rule):
    """Faults it sees: the least pile is said to decide where a larger one may be over sooner; a
    length that is right about who wins, and else wrong, is proved."""
    found = answer("all", taking(numbers), rule).theorem
    assert isinstance(found, ByLengths) and (found.one is not None) == grows
    of = length(rule, without(numbers))
    assert [found.at((v,)) for v in range(60)] == [of(v) for v in range(60)]
    text = as_text(pile_report(answer("all", taking(numbers), rule), "g"))
    assert ("of which the least is v" if grows else "the least of l(v_1), ..., l(v_n)") in text
    far = [(10**30 + 7,), (2**63 + 5,), (5,)]
    if found.wins(far):
        moves = winning_move(found, far, Budget(20))
        left = [found.pile.result(pile, moves[i]) for i, pile in enumerate(far)]
        assert not found.wins(left)
    two = t.Int(2)
    for wrong in (t.Sum((found.length, two)), t.Mod(found.length, two), t.Min(found.length, two)):
        claims = length_claims(found.pile, rule, wrong, Budget(20))
        assert confirm(claims, Budget(20)).verdict is Verdict.REFUTED, wrong


def test_a_far_pile_of_nim_gets_its_move_where_all_piles_are_touched():
    """Any number may be taken.  Faults it sees: moves that are tried one by one."""
    found = answer("all").theorem
    moves = winning_move(found, [(10**30,), (5,)], Budget(20))
    assert {i: dict(move.arguments)["t"] for i, move in moves.items()} == {0: 10**30, 1: 5}


def test_without_a_theorem_some_numbers_of_piles_are_solved_and_no_more_is_claimed():
    """Exactly two piles.  Faults it sees: a member of other rules, a claim of all numbers."""
    found = answer("exactly 2", members=True, seconds=30)
    assert found.theorem is None and list(found.members) == [2, 3, 4]
    assert found.members[2].is_proved
    wins = winner("exactly 2", "normal", nim)
    for count, solution in found.members.items():
        for piles in product(range(5), repeat=count) if solution.is_proved else ():
            assert solution.is_winning(piles) == wins(piles), piles
    text = as_text(pile_report(found, "g"))
    assert "no theorem for every number of piles" in text
    assert found.to_json()["status"] == "unknown"


def test_a_formula_of_all_piles_that_some_numbers_share_is_a_conjecture():
    """Faults it sees: a conjecture from one number of piles, from one that is not proved, from
    formulas that differ, or of piles by themselves; one that is called proved."""
    game = spec("all", taking({2, 3})).piles()
    members = {n: solve(game.member(n), "normal", Budget(60)) for n in (2, 3)}
    found = PilesAnswer(game, "normal", members=members)
    assert str(found.conjecture) == "min(v_1, ..., v_n) mod 5 <= 1"
    assert "Conjecture: with n piles" in as_text(pile_report(found, "g"))
    assert found.to_json()["status"] == "unknown"
    left_out = members | {4: replace(members[3], status="unknown")}
    assert replace(found, members=left_out).conjecture is None
    assert replace(found, members=left_out, played=frozenset({4})).conjecture is not None
    unknown = replace(members[3], status="unknown")
    first = replace(members[3], losing=Claim(parse_formula("v_1 mod 5 <= 1", ["v_1"])))
    other = replace(members[3], losing=Claim(t.compare(LEAST_OF_3, "=", 0)))
    for third in (unknown, first, other):
        assert replace(found, members={2: members[2], 3: third}).conjecture is None
    assert replace(found, members={3: first}).conjecture is None


def test_numbers_of_piles_that_are_not_solved_are_played_out(monkeypatch):
    """Four piles are not solved; what two and three share is right of them, or is not."""
    game = spec("all", taking({2, 3})).piles()
    search = PileSearch(game, "normal", Budget(60), lambda _: None, True)
    unsolved = replace(solve(game.member(2), "normal", Budget(60)), status="unknown")
    least = t.Name("min(v_1, ..., v_n)")
    for rest, agree in ((1, {3}), (2, set())):
        losing = t.compare(t.Mod(least, t.Int(5)), "<=", rest)
        monkeypatch.setattr(PilesAnswer, "shared", losing)
        search._solved = {3: replace(unsolved, game=game.member(3))}
        assert search._agreeing(search.unknown("")) == agree


def test_an_automaton_of_some_piles_is_not_called_by_a_name_that_nothing_explains():
    """Faults it sees: a set L in the report, of which there is no word."""
    halves = "action halve pre v >= 1 eff v := v div 2"
    found = answer("at most 2", halves, members=True, seconds=5)
    assert found.members[2].is_proved
    text = as_text(pile_report(found, "g"))
    assert " in L" not in text and "With 2 piles: proved" in text


# --- the language ---------------------------------------------------------------------------------


@pytest.mark.parametrize("touch", [*WAYS, "at most k", "exactly k", "at most 1", "exactly 1"])
def test_what_is_written_reads_back(touch):
    found = spec(touch)
    assert parse(Source("y", str(found))) == found
    again = parse(Source("y", str(found.piles()))).piles()
    assert (again.how, again.count) == (found.piles().how, found.piles().count)


def test_one_pile_is_touched_where_nothing_is_said():
    text = f"piles g var v legal v >= 0 {NIM}"
    game = parse(Source("x", text)).piles()
    assert (game.how, game.count) == ("at most", 1)


@pytest.mark.parametrize(
    "text",
    [
        f"piles g var v legal v >= 0 touch most 2 {NIM}",
        f"piles g var v legal v >= 0 touch at most v {NIM}",
        f"piles g var v legal v >= 0 touch at most q {NIM}",
        f"piles g var v legal v >= 0 touch all 2 {NIM}",
        f"piles g var v legal v >= 0 touch at most {NIM}",
        f"piles g var v legal v >= 0 touch 2 {NIM}",
        f"piles g var v legal v >= 0 touch all touch all {NIM}",
        f"piles g var v legal v >= 0 touch exactly 0 {NIM}",
        f"piles g var v legal v >= 0 block 1 {NIM}",
        f"game g var v legal v >= 0 touch all {NIM}",
        "piles g var v legal v >= 0 action take(t) pre 1 <= t <= v into v - t",
        "piles g var v legal v >= 0 touch all"
        " action take(t) pre lowpart(t) = t and t <= v eff v := v - t",
        "piles g var a, b legal a >= 0 and b >= 1 touch at most 2"
        " action take(k) pre 1 <= k and k * b <= a eff a := a - k * b",
    ],
)
def test_a_wrong_file_is_refused_with_its_place(text):
    with pytest.raises(InputError) as refusal:
        icg.loads(text, kind=icg.Loaded)
    assert refusal.value.span is not None and refusal.value.mend


# --- commands -------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """Moore's Nim, the first pile alone, subtraction, and exactly two piles."""
    rules = {"moore": ("at most k", NIM), "first": ("first", NIM), "two": ("exactly 2", NIM)}
    rules["one"] = ("one", taking({1, 3, 4}))
    found = {}
    for name, (touch, action) in rules.items():
        found[name] = str(tmp_path / f"{name}.icg")
        (tmp_path / f"{name}.icg").write_text(str(spec(touch, action)), "utf-8")
    return found


def test_a_position_has_any_number_of_piles(files, capfd):
    """13, 11, 7 are 1101, 1011, 111 in binary: by k = 2 the two in the place of 8 are too few.
    Of 1, 1, 0, 3 the first two change who moves.  Faults it sees: k that --set does not change."""

    def asked(name, at, *more):
        ended = call(capfd, "solve", files[name], "--at", at, "--json", *more)
        assert ended.returncode == 0
        return json.loads(ended.stdout)

    won = asked("moore", "13,11,7,7")
    touched = [v for v, w in zip((13, 11, 7, 7), won["move"]["state"], strict=True) if v != w]
    assert won["winning"] and won["proved"] and 1 <= len(touched) <= 2
    assert winner("at most 2", "normal", nim)((3, 3, 3)) is False
    assert not asked("moore", "3,3,3")["winning"]
    assert asked("moore", "3,3,3", "--set", "k=1")["winning"]
    assert asked("first", "1,1,0,3")["move"]["state"] == [0, 1, 0, 3]
    assert asked("two", "2,2,2")["winning"] == winner("exactly 2", "normal", nim)((2, 2, 2))
    assert asked("one", "5,6,7")["winning"]


def test_play_that_may_never_end_is_told(tmp_path, capfd):
    """One pile goes round.  Faults it sees: "unknown" where it is known that no answer exists."""
    path = tmp_path / "turn.icg"
    path.write_text(
        "piles turn var v legal 0 <= v <= 3 action on pre v <= 1 eff v := 1 - v", "utf-8"
    )
    ended = call(capfd, "solve", path)
    assert ended.returncode == 3 and "may never end" in ended.stdout


def test_the_words_of_piles_are_names_elsewhere():
    """Faults it sees: rules that were read, and are no more since there are piles."""
    action = "action touch(all) pre 1 <= all and all <= piles eff piles := piles - all"
    game = icg.loads(f"# no piles\ngame piles\nvar piles\nlegal piles >= 0\n{action}\n").game
    assert game.name == "piles" and game.actions[0].name == "touch"
    with pytest.raises(InputError, match="unexpected 'touch'"):
        parse(Source("a", "game a var v legal v >= 0 touch one action t pre v > 0 eff v := v - 1"))


def test_many_piles_and_many_moves_are_refused_and_nothing_is_lost(tmp_path, capfd):
    """Numbers of 31 digits, binomials of thousands, and four piles of eight moves each, where those
    of two and three are known.  Faults it sees: a crash, a hang, silence."""
    for count in (10**30, 20_000, 1_001):
        path = tmp_path / "exactly.icg"
        path.write_text(str(spec(f"exactly {count}", NIM)), "utf-8")
        ended = call(capfd, "solve", path, "--timeout", "2")
        assert ended.returncode == 4
        assert "too many to write out" in " ".join(ended.stdout.split())
        assert "--set" not in ended.stdout
    path = tmp_path / "eight.icg"
    moves = " ".join(f"action t{i} pre v >= {i} eff v := v - {i}" for i in range(1, 9))
    path.write_text(str(spec("at most 4", moves)), "utf-8")
    ended = call(capfd, "solve", path, "--timeout", "15")  # two are enough where nothing else runs
    assert ended.returncode == 4 and "4 piles of " in ended.stdout and "With 3" in ended.stdout
    assert "too many to write out" in refused(capfd, "solve", path, "--at", ",".join("3" * 2_000))
    assert "too many to write out" in refused(capfd, "solve", path, "--set", f"piles={10**9}")


def test_what_such_rules_are_asked_and_what_they_are_not(files, capfd):
    assert call(capfd, "check", files["moore"]).returncode == 0
    assert json.loads(call(capfd, "solve", files["first"], "--json").stdout)["kind"] == "piles"
    assert call(capfd, "value", files["one"], "--at", "5,6,7").stdout.startswith("g(5, 6, 7) = 1")
    assert "losing" in call(capfd, "table", files["two"], "--bound", "4").stdout
    assert call(capfd, "solve", files["two"], "--timeout", "3").returncode == 4
    assert "values add where one pile" in refused(capfd, "value", files["moore"])
    assert "any number of piles" in refused(capfd, "family", files["moore"], "--over", "k=1..3")
    assert "any number of piles" in refused(capfd, "solve", f"{files['moore']} + nim2")
    answer_file = f"{files['first']}.json"
    assert call(capfd, "solve", files["first"], "-o", answer_file).returncode == 0
    assert "any number of piles" in refused(capfd, "verify", files["first"], answer_file)
    assert "piles" in refused(capfd, "export", answer_file, "--to", "python")
    assert "2 piles, and here are 1" in refused(capfd, "solve", files["two"], "--at", "3")
    assert "not an integer" in refused(capfd, "solve", files["one"], "--at", "3,x")


def test_the_game_of_so_many_piles_is_one_as_any_other(files, tmp_path, capfd):
    """Faults it sees: a quantifier that is left, which cannot be played, and a number of piles that
    the file of an answer does not tell."""
    given, path = ["--set", "piles=2"], str(tmp_path / "two.json")
    assert call(capfd, "solve", files["first"], *given, "-o", path).returncode == 0
    assert json.loads((tmp_path / "two.json").read_text("utf-8"))["constants"]["piles"] == 2
    assert call(capfd, "verify", files["first"], path).returncode == 0
    loaded = icg.load(files["first"], {"piles": 2, "k": 3})
    assert not loaded.game.is_quantified
    solution = loaded.solve()
    wins = winner("first", "normal", nim)
    for piles in product(range(6), repeat=2):
        assert solution.is_winning(piles) == wins(piles)
    assert "say how many" in refused(capfd, "family", files["moore"], "--over", "k=1..3")
    assert "--set piles=3" in refused(capfd, "play", files["moore"])
    assert "no constant 'piles'" in refused(capfd, "solve", "nim2", "--set", "piles=2")
    assert "60 piles" in call(capfd, "solve", files["two"], "--set", "piles=60").stderr


def test_a_theorem_answers_from_python(files):
    """Faults it sees: piles that no rule knows, a theorem where there is none."""
    answer, wins = (
        icg.load(files["first"], kind=LoadedPiles).solve(),
        winner("first", "normal", nim),
    )
    for piles in product(range(4), repeat=3):
        assert answer.is_winning([(pile,) for pile in piles]) == wins(piles)
    assert repr(answer).startswith("<PilesAnswer ")
    with pytest.raises(InputError, match="not a legal state"):
        answer.is_winning([(1,), (-1,)])
    with pytest.raises(Refused, match="there is no theorem"):
        icg.load(files["two"], kind=LoadedPiles).solve(timeout=1).is_winning([(1,), (2,)])


def test_the_studio_shows_the_theorem(files):
    studio = pytest.importorskip("icgsynth.studio.tasks.rules_tasks")
    game = {"text": str(spec("at most k")), "rule": "normal"}
    assert studio.check({"game": game})["other"]
    found = studio.find_answer({"game": game, "seconds": 30})
    assert found["verdict"] == "proved" and "binary place" in found["html"]

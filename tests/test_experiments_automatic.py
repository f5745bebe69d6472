"""The benchmark of automatic sets: its oracles against brute force, its rows from canned answers.

The brute force here has rules of its own, written down by hand, and the games of the catalog and
of ``experiments/variants`` have to agree with them: what judges an answer must not be wrong.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from speed import sampled

import icgsynth as icg
from experiments import automatic, automatic_answers, automatic_known
from experiments import automatic_variants as prior
from experiments.automatic import Figure, Solved, figures
from experiments.automatic_variants import Variant, variants
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base, ostrowski
from icgsynth.game.game import Move
from icgsynth.game.solution import Verdict
from icgsynth.spec.catalog import resolve
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source

SMALL = {1: 80, 2: 8, 3: 4, 4: 2, 5: 2}  # of the boxes, by variables
XOR = Automaton(base(2), ("a", "b", "c"), ((0, 1, 1, 0, 1, 0, 0, 1), (1,) * 8), (True, False))


def named(figure):
    return f"{figure.case.name} {figure.rule}"


def game_of(case):
    return icg.load(case.spec, dict(case.constants)).game


# --- moves, written down by hand ---------------------------------------------------------------


def nim(*piles):
    for i, pile in enumerate(piles):
        for left in range(pile):
            yield (*piles[:i], left, *piles[i + 1 :])


def moore(*piles):
    yield from nim(*piles)
    for i, j in combinations(range(len(piles)), 2):
        for left, right in product(range(piles[i]), range(piles[j])):
            after = list(piles)
            after[i], after[j] = left, right
            yield tuple(after)


def queen(m=1, over=0):
    def moves(a, b):
        if a + b > over:
            yield from nim(a, b)
            for j, k in product(range(1, a + 1), range(1, b + 1)):
                if abs(j - k) < m:
                    yield (a - j, b - k)

    return moves


def fibonacci(n, q):
    for k in range(1, min(n, q) + 1):
        yield (n - k, 2 * k)


def mark(d):
    def moves(v):
        yield from ((v - k,) for k in range(1, d) if k <= v)
        if v:
            yield (v // d,)

    return moves


def transfer(*boxes):
    for i, j in product(range(3), repeat=2):
        for k in range(1, boxes[i] if i != j else 0):
            after = list(boxes)
            after[i], after[j] = boxes[i] - k, k
            yield tuple(after)


def half(v):
    yield from ((v - k,) for k in range(1, v // 2 + 1))


def divide(a, b):
    yield from ((box - k, k) for box in (a, b) for k in range(1, box))


def delete(a, b):
    yield from ((box - 1 - k, k) for box in (a, b) for k in range(box))


def up_to(most):
    return lambda v: ((v - k,) for k in range(1, min(most, v) + 1))


def rules_of(figure):
    constants = dict(figure.constants)
    name = figure.game
    if re.fullmatch(r"nim\d", name):
        return nim
    return {
        "moore_nim3": moore,
        "moore_nim4": moore,
        "wythoff": queen(),
        "wythoff_2": queen(constants.get("l", 2)),
        "wythoff_terminal": queen(1, constants.get("l", 1)),
        "fibonacci_nim": fibonacci,
        "mark": mark(constants.get("d", 2)),
        "empty_and_transfer3": transfer,
        "take_up_to_half": half,
        "empty_and_divide": divide,
        "delete_nim": delete,
        "take_away": up_to(constants.get("n", 3)),
    }[name]


def lost(moves, rule):
    @cache
    def loses(*state):
        after = list(moves(*state))
        return rule == "normal" if not after else not any(loses(*s) for s in after)

    return loses


# --- the figures -------------------------------------------------------------------------------


def test_the_list_of_the_issue():
    asked = [figure for figure in figures() if figure.bound is not None]
    names = [(f.case.name, f.rule) for f in asked]
    assert len(names) == len(set(names)) == 25
    for piles in (3, 4, 5):
        assert (f"nim{piles}", "normal") in names
    assert {rule for name, rule in names if name == "nim3"} == {"normal", "misere"}
    for name in ("wythoff", "wythoff_2 l=2", "wythoff_2 l=3"):
        assert {rule for other, rule in names if other == name} == {"normal", "misere"}
    assert sum(f.game == "wythoff_terminal" for f in asked) == 6
    assert {f.game: f.bound for f in asked}["wythoff"] == 2
    assert {f.bound for f in asked if f.game != "wythoff"} == {15}


@sampled("figure", figures(), ids=named, fast=5)
def test_the_game_has_the_moves_that_it_should(figure):
    game, moves = game_of(figure.case), rules_of(figure)
    assert dict(figure.constants).items() <= dict(game.constants).items()
    for state in automatic_answers.box(game, SMALL[len(game.variables)]):
        assert {game.result(state, m) for m in game.moves(state)} == set(moves(*state)), state


@pytest.mark.parametrize("figure", figures(), ids=named)
def test_the_oracle_agrees_with_brute_force(figure):
    game, loses = game_of(figure.case), lost(rules_of(figure), figure.rule)
    side = {1: 300, 2: 34, 3: 9, 4: 5, 5: 3}[len(game.variables)]
    states = list(automatic_answers.box(game, side))
    assert len(states) > 200
    assert [s for s in states if figure.loses(*s) != loses(*s)] == []


@pytest.mark.parametrize("figure", figures(), ids=named)
def test_play_ends_and_stays_legal(figure):
    report = icg.load(figure.game, dict(figure.constants)).check()
    parts = (report.closure, report.ending, report.termination)
    assert all(part.verdict is Verdict.PROVED for part in parts)


def test_brute_force_over_the_rules_of_the_language():
    for figure in figures():
        game = game_of(figure.case)
        loses = automatic_answers.brute_force(game, figure.rule)
        for state in automatic_answers.box(game, {1: 30, 2: 5}.get(len(game.variables), 1)):
            assert loses(*state) == figure.loses(*state)


# --- the variants ------------------------------------------------------------------------------


def test_the_variants():
    listed = variants()
    assert 12 <= len(listed) <= 30
    keys = {(v.name, rule) for v in listed for rule in v.rules}
    assert len(keys) == sum(len(v.rules) for v in listed)
    cited = {key for v in listed for key in re.findall(r"[a-z]+\d{4}", v.source)}
    bib = Path(prior.__file__).parents[1] / "specs" / "references.bib"
    assert all(f"{{{key}," in bib.read_text("utf-8") for key in cited)
    used = {Path(v.spec).stem for v in listed if not v.unsaid}
    assert {path.stem for path in prior.FOLDER.glob("*.icg")} <= used


SAID = [v for v in variants() if not v.unsaid]


@pytest.mark.parametrize("variant", SAID, ids=lambda v: v.name)
def test_the_text_of_a_variant(variant):
    source = Source.read(resolve(variant.spec))
    game = load_spec(source, dict(variant.constants), blocking=True)
    assert game.name == variant.game
    bib = Path(prior.__file__).parents[1] / "specs" / "references.bib"
    assert all(f"{{{key}," in bib.read_text("utf-8") for key in game.citations)
    if Path(variant.spec).parent == prior.FOLDER:  # those of the catalog have tests of their own
        report = icg.load(variant.spec, dict(variant.constants)).check()
        parts = (report.closure, report.ending, report.termination)
        assert all(part.verdict is Verdict.PROVED for part in parts)


def variant_game(name, **constants):
    return icg.load(Variant(name, "").spec, constants).game


def losing_states(game, side, rule="normal"):
    loses = automatic_answers.brute_force(game, rule)
    return {state for state in automatic_answers.box(game, side) if loses(*state)}


@pytest.mark.parametrize(("k", "side"), [(2, 3), (3, 1)])
def test_blocking_says_what_larsson_counts(k, side):
    """(a, b) is lost iff fewer than k options are; the game has the blocked ones in its state."""

    @cache
    def loses(a, b):
        return sum(loses(*s) for s in set(queen()(a, b))) < k

    said = {state[:2] for state in losing_states(variant_game(f"wythoff_blocking{k}"), side)}
    assert said == {s for s in product(range(side + 1), repeat=2) if loses(*s)}
    source = Source.read(resolve("blocking_wythoff"))
    counted = load_spec(source, {"m": k - 1}, blocking=True)
    assert losing_states(counted, 9) == {s for s in product(range(10), repeat=2) if loses(*s)}
    if k == 3:  # as its first comment has it
        for a, b in product(range(20), repeat=2):
            low, high = sorted((a, b))
            assert loses(a, b) == (high in (2 * low + 1, 2 * low + 2) or a == b == 0)


def test_blocked_moves():
    diagonal, number = (variant_game(f"wythoff_blocked_{w}") for w in ("diagonal", "number"))
    assert diagonal.applies((3, 3, 2), move("take_both", k=3, s=0))
    assert not diagonal.applies((3, 3, 2), move("take_both", k=2, s=0))
    assert not number.applies((3, 3, 2), move("take_a", k=2, s=0))
    assert number.applies((3, 3, 2), move("take_a", k=1, s=3))


def move(action, **arguments):
    return Move(action, tuple(arguments.items()))


def test_what_may_be_adjoined_to_wythoff():
    """Duchene et al. (2010): iff it is no difference of two lost states."""
    wythoff = {s for s in product(range(11), repeat=2) if automatic_known.wythoff(1, *s)}
    assert losing_states(variant_game("wythoff_adjoined", p=1, q=3), 10) == wythoff
    assert losing_states(variant_game("wythoff_adjoined", p=1, q=2), 10) != wythoff


def test_the_bouncing_queen():
    """Fokkink and Rust: the differences and the sums are each number once, as the piles are."""
    pairs = sorted(s for s in losing_states(variant_game("wythoff_bounce"), 16) if s[0] < s[1])
    assert pairs == [(1, 2), (3, 5), (4, 8), (6, 11), (7, 13), (9, 16)]
    marks = sorted(n for a, b in pairs for n in (b - a, a + b))
    assert marks == [1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 20, 25]


def test_other_ends():
    loses = lost(queen(2, 1), "normal")
    assert losing_states(variant_game("wythoff_2_end"), 9) == {
        s for s in product(range(10), repeat=2) if loses(*s)
    }
    square = variant_game("wythoff_square_end", l=2)
    for state in product(range(6), repeat=2):
        moves = set() if max(state) <= 2 else set(queen()(*state))
        assert {square.result(state, m) for m in square.moves(state)} == moves


# --- rows --------------------------------------------------------------------------------------

ANSWER = {
    "status": "solved",
    "logic": "base-2",
    "losing": {"formula": "a xor b xor c = 0"},
    "automaton": XOR.to_json(),
    "strategy": [{"when": "true", "action": "take_a", "args": {"k": "1"}}],
    "proof": {"strategy": "proved"},
    "seconds": {"prove": 0.004, "total": 0.8},
}
UNKNOWN = {
    "status": "unknown",
    "logic": "lia",
    "losing": None,
    "strategy": [],
    "proof": {},
    "seconds": {},
    "notes": ["not found: base-2\nmore", "second"],
}
NIM3 = next(figure for figure in figures() if figure.game == "nim3")


def nim3_counts(answer):
    return automatic_answers.compared(answer, game_of(NIM3.case), NIM3.loses, 4)


def test_a_figure_that_is_met():
    row = automatic.figure_row(NIM3, Solved(ANSWER, 1.234, 0.004), nim3_counts(ANSWER))
    assert tuple(row) == automatic.FIELDS
    assert row["verdict"] == "OK"
    assert (row["logic"], row["states"], row["strategy"]) == ("base-2", "2", "terms")
    assert (row["wrong"], row["compared"]) == ("0", "125")
    assert (row["seconds"], row["bound"], row["prove"]) == ("1.23", "15", "0.004")
    lines = automatic.figure_line(row).splitlines()
    assert "base-2" in lines[0]
    assert lines[0].endswith("OK")
    assert lines[1].strip() == "a xor b xor c = 0"
    assert lines[2].strip() == "prototype: base-2, 2 states, proof 2-8 ms, 0.7-1.4 s"


def test_figures_that_are_missed():
    counts = (125, 0)

    def verdict(answer, wall, prove, counts):
        return automatic.figure_row(NIM3, Solved(answer, wall, prove), counts)["verdict"]

    assert verdict(ANSWER, 15.0, 0.6, counts) == "MISS: 15 s, MISS: proof 0.5 s"
    assert verdict(ANSWER, 1.0, 0.1, (125, 3)) == "MISS: wrong"
    assert verdict(ANSWER, 1.0, 0.1, (0, 0)) == "MISS: nothing to compare"
    assert verdict(ANSWER | {"status": "conditional"}, 1.0, 0.1, counts) == "MISS: not solved"
    free = Figure("nim3", "normal", NIM3.loses, 4, bound=None)
    assert automatic.figure_row(free, Solved(ANSWER, 99.0, 9.0), counts)["verdict"] == "OK"


def test_a_figure_without_an_answer():
    solved = Solved(UNKNOWN, 60.0, 0.0)
    row = automatic.figure_row(NIM3, solved, nim3_counts(UNKNOWN))
    assert row["verdict"] == "MISS: not solved, MISS: 15 s"
    assert (row["logic"], row["states"], row["losing"], row["strategy"]) == ("",) * 4
    assert solved.reason == "not found: base-2"
    assert "not found: base-2" in automatic.figure_line(row, solved.reason)


def test_an_automaton_without_a_formula():
    answer = ANSWER | {"losing": None, "strategy": []}
    solved = Solved(answer, 1.0, 0.1)
    assert (solved.logic, solved.formula, solved.strategy) == ("base-2", "", "automaton")
    assert Solved(answer | {"proof": {}}, 1.0, 0.1).strategy == ""
    assert nim3_counts(answer) == (125, 0)


def test_a_wrong_automaton_is_counted():
    data = XOR.to_json()
    assert nim3_counts(ANSWER | {"automaton": data | {"accepting": [0, 1]}}) == (125, 106)
    assert nim3_counts(ANSWER | {"automaton": data | {"accepting": [7]}}) == (0, 0)
    tracks = data | {"tracks": ["a", "b", "x"]}
    assert nim3_counts(ANSWER | {"automaton": tracks}) == (0, 0)


def test_tracks_may_come_in_another_order():
    follows = Automaton(base(2), ("b", "a"), ((0, 1, 2, 2), (1, 1, 1, 1), (2,) * 4), (True,) * 3)
    # Up to now b = a; then a is larger, or not less than b.
    swapped = Automaton(follows.system, ("b", "a"), follows.transitions, (False, True, False))
    (said,) = automatic_answers.answered({"automaton": swapped.to_json()}, icg.load("nim2").game)
    assert [said(a, 1) for a in range(4)] == [False, False, True, True]


def test_a_formula_of_lia_is_compared():
    game = icg.load("take_away", {"n": 50}).game
    figure = next(f for f in figures() if f.game == "take_away")
    answer = {"status": "solved", "logic": "lia", "losing": {"formula": "v mod 51 = 0"}}
    assert automatic_answers.compared(answer, game, figure.loses, 200) == (201, 0)
    answer["losing"] = {"formula": "v mod 50 = 0"}
    assert automatic_answers.compared(answer, game, figure.loses, 200) == (201, 7)


def test_zeckendorf_answers_are_read():
    # All words of the system: every number is lost.
    everything = Automaton(ostrowski(1), ("n", "q"), ((0,) * 4,), (True,))
    game = icg.load("fibonacci_nim").game
    answer = {"automaton": everything.to_json()}
    assert automatic_answers.compared(answer, game, automatic_known.fibonacci_nim, 5)[0] == 36
    (said,) = automatic_answers.answered(answer, game)
    assert all(said(n, 0) for n in range(9))


def test_the_rows_of_variants():
    variant = Variant("wythoff_adjoined", "duchene2010", (("p", 1), ("q", 3)))
    row = prior.variant_row(variant, "normal", Solved(ANSWER, 1.5, 0.1), (169, 0))
    assert tuple(row) == prior.FIELDS
    assert (row["outcome"], row["states"]) == ("solved", "2")
    assert "base-2, 2 states, 0 wrong of 169   [duchene2010]" in prior.variant_line(row)
    row = prior.variant_row(variant, "normal", Solved(UNKNOWN, 60.0, 0.0), (0, 0))
    assert (row["outcome"], row["reason"]) == ("not found", "not found: base-2")
    assert "not found: base-2" in prior.variant_line(row)
    wrong = prior.variant_row(variant, "normal", Solved(ANSWER, 1.5, 0.1), (169, 1))
    assert wrong["outcome"] == "wrong"
    unsaid = next(v for v in variants() if v.unsaid)
    row = prior.unsaid_row(unsaid)
    assert tuple(row) == prior.FIELDS
    assert unsaid.unsaid in prior.variant_line(row)
    assert unsaid.cases() == []


# --- the benchmark -----------------------------------------------------------------------------


def record(family, status, logic=None, rule="normal", number=0):
    file = f"bench/{family}/{number}.pddl"
    return {
        "file": file,
        "family": family,
        "rule": rule,
        "status": status,
        "logic": logic,
        "reason": None if status == "solved" else "not found: zeckendorf\nand more",
    }


RECORDS = [
    *[record("nim", "solved", "lia", number=i) for i in range(6)],
    record("wythoff", "solved", "zeckendorf"),
    record("wythoff", "solved", "lia", number=1),
    record("wythoff", "solved", "lia", "misere", number=1),
    record("wythoff", "unknown", "lia", "misere"),
    record("l-wythoffff-game", "endless"),
]


def test_the_percentage_by_logic():
    lines = list(automatic.logic_lines(RECORDS))
    assert lines[0] == "solved and proved, of 11 pairs"
    assert [line.split()[:2] for line in lines[1:]] == [
        ["lia", "8"],
        ["zeckendorf", "1"],
        ["all", "9"],
    ]
    assert lines[-1].split()[2] == "81.8"
    assert lines[-1].endswith("MISSED")
    assert list(automatic.logic_lines(RECORDS[:6]))[-1].endswith("met")
    assert list(automatic.logic_lines([]))[-1].endswith("MISSED")


def test_the_families_with_irrational_slopes():
    rows = {row["family"]: row for row in automatic.family_rows(RECORDS)}
    assert tuple(rows) == automatic.IRRATIONAL
    wythoff = rows["wythoff"]
    assert tuple(wythoff) == automatic.FAMILY_FIELDS
    assert (wythoff["pairs"], wythoff["solved"], wythoff["not_found"]) == ("4", "3", "1")
    assert wythoff["logics"] == "lia 2, zeckendorf 1"
    assert rows["l-wythoffff-game"]["endless"] == "1"
    assert rows["3rd-l-m-restricted-wythoff"]["pairs"] == "0"
    assert "lia 2, zeckendorf 1" in automatic.family_line(wythoff)


def test_the_benchmark_reads_what_the_sweep_wrote(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "bench"
    (folder / "wythoff").mkdir(parents=True)
    for name in ("0.pddl", "1.pddl"):
        (folder / "wythoff" / name).write_text("")
    results = tmp_path / "automatic.jsonl"
    monkeypatch.chdir(tmp_path)
    old = record("wythoff", "error") | {"file": "bench/wythoff/0.pddl"}
    gone = record("wythoff", "solved", "lia", number=9)
    results.write_text("".join(f"{json.dumps(r)}\n" for r in (old, gone, *RECORDS)))
    read = automatic.read_records(results, Path("bench"))
    assert [r["status"] for r in read] == ["unknown", "solved", "solved", "solved"]

    asked = []
    monkeypatch.setattr(automatic, "RESULTS", results)
    monkeypatch.setattr(automatic.reach, "main", lambda arguments: asked.append(arguments) or 0)
    assert automatic.main(["--pddl", "bench", "--jobs", "1"]) == 1  # less than 97 %
    limits = ["--timeout=30", "--jobs=1", f"--results={results}"]
    assert asked == [["--pddl", "bench", *limits]]
    out = capsys.readouterr().out
    assert "not found: bench/wythoff/0.pddl (misere): not found: zeckendorf\n" in out
    monkeypatch.setattr(automatic.reach, "main", lambda _: 2)
    assert automatic.main(["--pddl", "bench"]) == 2


# --- the command -------------------------------------------------------------------------------


def process(answer, code=0):
    return subprocess.CompletedProcess([], code, json.dumps(answer) if answer else "", "a fault")


def test_the_table_is_written_and_compared(tmp_path, monkeypatch, capsys):
    commands = []

    def run(command, **_):
        commands.append(command)
        return process(ANSWER)

    monkeypatch.setattr(automatic_answers.subprocess, "run", run)
    monkeypatch.setattr(automatic, "figures", lambda: [NIM3])
    monkeypatch.setattr(automatic, "FIGURES", tmp_path / "automatic.csv")
    assert automatic.main([]) == 1  # no table yet
    assert automatic.main(["--update", "--runs", "3"]) == 0
    assert len(commands) == 4
    assert commands[0][1:5] == ["-m", "icgsynth", "solve", "nim3"]
    with (tmp_path / "automatic.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert tuple(row) == automatic.FIELDS
    assert automatic.main(["--only", "nim3", "--timeout", "5"]) == 0
    assert "all answers as in automatic.csv" in capsys.readouterr().out
    monkeypatch.setattr(automatic_answers.subprocess, "run", lambda *_, **__: process(UNKNOWN))
    assert automatic.main([]) == 1
    assert "nim3 normal: status was 'solved', is 'unknown'" in capsys.readouterr().out


def test_the_variants_are_written(tmp_path, monkeypatch, capsys):
    listed = [Variant("take_away", "bouton1901"), Variant("euclid", "cole1969", unsaid="no")]
    answer = {"status": "solved", "logic": "lia", "losing": {"formula": "v mod 4 = 0"}}
    monkeypatch.setattr(automatic_answers.subprocess, "run", lambda *_, **__: process(answer))
    monkeypatch.setattr(automatic, "variants", lambda: listed)
    monkeypatch.setattr(automatic, "VARIANTS", tmp_path / "automatic_variants.csv")
    assert automatic.main(["--variants", "--update"]) == 0
    assert automatic.main(["--variants"]) == 0
    assert "solved: 1, cannot be said: 1" in capsys.readouterr().out
    answer["losing"] = {"formula": "v mod 5 = 0"}
    assert automatic.main(["--variants"]) == 1


def test_a_process_that_fails(monkeypatch):
    monkeypatch.setattr(automatic_answers.subprocess, "run", lambda *_, **__: process(None, 1))
    solved = automatic_answers.solve(NIM3.case, 5, runs=3)
    assert (solved.status, solved.reason) == ("failed", "a fault")

    def hang(*_, **__):
        raise subprocess.TimeoutExpired("solve", 5)

    monkeypatch.setattr(automatic_answers.subprocess, "run", hang)
    assert automatic_answers.solve(NIM3.case, 5).reason == "it did not end within 5 s"


@pytest.mark.parametrize(
    "arguments", [["--only", "chess"], ["--update", "--only", "nim3"], ["--runs=0"]]
)
def test_arguments_that_do_not_fit(arguments):
    with pytest.raises(SystemExit) as left:
        automatic.main(arguments)
    assert left.value.code == 2


def test_a_wrong_formula_beside_a_right_automaton_is_seen():
    game = icg.load("nim2").game
    equal = Automaton(base(2), ("a", "b"), ((0, 1, 1, 0), (1, 1, 1, 1)), (True, False))
    answer = {"automaton": equal.to_json(), "logic": "base-2"}

    def lost(a, b):
        return a == b

    right, wrong = {"formula": "a xor b = 0"}, {"formula": "a xor b = 1"}
    assert automatic_answers.compared(answer | {"losing": right}, game, lost, 5) == (36, 0)
    assert automatic_answers.compared(answer | {"losing": wrong}, game, lost, 5)[1] > 0

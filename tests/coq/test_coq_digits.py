"""Answers in digits for Coq: the library, right answers accepted, wrong ones refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import reduce
from itertools import product
from math import isqrt
from operator import xor

import pytest
from catalog_answers import solved
from coq_here import as_data_alone, is_accepted, require_accepted

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.output import DONE
from icgsynth.coq.coq_file import coq as coq_file
from icgsynth.coq.digits_parts import Parts, system_text
from icgsynth.coq.digits_tracks import Tracks
from icgsynth.digits.numeration import base, numeration
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.logic.term import Digital, Name, compare

SYSTEMS = ["base-2", "base-3", "base-10", "zeckendorf", "ostrowski-2", "ostrowski-3", "unit-3"]
SYSTEMS += ["unit-4", "tribonacci", "parry-2-1-1", "parry-1-0-1"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_weights_are_how_many_words_there_are(name):
    """What the library makes of the system: positions weigh as much as in icgsynth."""
    system = numeration(name)
    states = [tuple(map(int, p)) for p in re.findall(r"\((\d+), (\d+)\)", system_text(system))]
    counts, weights = [1] * len(states), []
    for _ in range(20):
        weights.append(counts[0])
        counts = [top * counts[0] + counts[turn] for top, turn in states]
    assert tuple(weights) == system.weights(20)


def test_a_system_of_another_kind_is_refused():
    with pytest.raises(Refused, match="does not know the words of ostrowski-2-2"):
        system_text(numeration("ostrowski-2-2"))


def test_columns_that_are_no_digits_are_refused():
    """Modulo 3 a column of binary digits can be 2, which is a digit of no number."""
    term = Digital("nimsum", (Name("a"), Name("b")), base(2), 3)
    with pytest.raises(Refused, match="has no automaton for 'nimsum_3"):
        Tracks(Parts(), ("a", "b")).form([compare(term, "=", 0)])


def test_an_answer_without_a_ranking_is_refused():
    with pytest.raises(Refused, match="what each move decreases"):
        export(replace(solved("nim3"), ranking=()), "coq")


def test_the_file_states_the_rules():
    text = export(solved("nim3"), "coq")
    assert "((1 <= k /\\ k <= b), [a; (b - k); c]) := eq_refl." in text
    assert "says (losing found) [a; b; c] = ((nimsum 2 [a; b; c]) = 0) := eq_refl." in text
    assert "strategy := [rule_1; rule_2; rule_3]; whole := true |}" in text


# --- what Coq says ------------------------------------------------------------------------------


def goals(states, losing):
    """Return goals for Coq: it computes what the automaton says of each of ``states``."""
    lines = []
    for state in states:
        numbers = "; ".join(map(str, state))
        value = str(losing(*state)).lower()
        lines.append(f"Goal reads Losing [{numbers}] = {value}.")
        lines.append("Proof. vm_compute. reflexivity. Qed.")
    return "\n".join(lines)


def phi(n):
    """floor(n * (1 + sqrt 5) / 2)."""
    return (n + isqrt(5 * n * n)) // 2


FAR = [(phi(n), phi(n) + n) for n in (10**6, 10**20, 10**20 + 1)]
ACCEPTED = {
    ("nim3", "normal"): goals(
        product((0, 5, 6, 10**12), (3, 5), (6, 10**12 ^ 3)), lambda a, b, c: a ^ b == c
    ),
    ("nim3", "misere"): goals(
        product((0, 1), (0, 1, 7), (1, 7)),
        lambda a, b, c: (a ^ b ^ c == 0) == (max(a, b, c) > 1),
    ),
    ("nim5", "misere"): goals(
        product((0, 1), (0, 1), (1,), (0, 6), (1, 7)),
        lambda *heaps: (reduce(xor, heaps) == 0) == (max(heaps) > 1),
    ),
    ("wythoff", "normal"): goals(
        [*FAR, *((a, b + 1) for a, b in FAR), *product(range(6), range(6))],
        lambda a, b: min(a, b) == phi(abs(a - b)),
    ),
    ("fibonacci_nim", "normal"): "",
}


# What the language says of these functions, from its documentation or by hand.
FUNCTIONS = """
Goal map shift [4; 1; 0; -3] = [7; 2; 0; 0].
Proof. vm_compute. reflexivity. Qed.
Goal map unshift [11; 1; 0] = [7; 0; 0].
Proof. vm_compute. reflexivity. Qed.
Goal map zeros [11; 7; 1; 0; 13] = [2; 1; 0; 0; 5].
Proof. vm_compute. reflexivity. Qed.
Goal map lowpart [11; 7; 4; 0] = [3; 2; 1; 0].
Proof. vm_compute. reflexivity. Qed.
Goal map (DigitFunctions.nimsum [(1, 0)]%nat 2) [[12; 10]; [5; 3; 6]; [1; 7; 9; 4]] = [6; 0; 11].
Proof. vm_compute. reflexivity. Qed.
Goal DigitFunctions.nimsum [(2, 0)]%nat 3 [4; 8] = 0.  (* 11 and 22 in base 3 *)
Proof. vm_compute. reflexivity. Qed.
"""


@pytest.mark.slow
def test_functions_of_digits_are_those_of_the_language(coq):
    text = export(solved("wythoff"), "coq")
    before, _, _ = text.partition("(* The answer *)")
    closed = f"{before}{FUNCTIONS}Goal True. exact I. Qed. Print Assumptions Digits.is_system.\n"
    require_accepted(closed)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rule"), ACCEPTED)
def test_coq_accepts(coq, game, rule):
    """And its automaton says who loses by the published rule, for small and large numbers."""
    text = export(solved(game, rule), "coq")
    more = ACCEPTED[game, rule]
    require_accepted(text.replace("Print Assumptions", f"{more}\nPrint Assumptions"))


ODD = """
game given
var top, parts, Y
legal top >= 0 and parts >= 0 and Y >= 0
action empty(k)  pre 1 <= k <= top  eff top := top - k
action holds(uses)  pre 1 <= uses <= parts  eff parts := parts - uses
action win_k(y)  pre 1 <= y <= Y  eff Y := Y - y
"""


@pytest.mark.slow
def test_any_names_will_do(coq):
    """Words of the library among them."""
    require_accepted(export(icg.loads(ODD).solve(timeout=60), "coq"))


HALVES = """
game even_moves
var a, b
legal a >= 0 and b >= 0
action first(k)   pre 1 <= k <= a and k mod 2 = 0                  eff a := a - k
action second(k)  pre 1 <= k <= b and k mod 2 = 0                  eff b := b - k
action both(k)    pre 1 <= k and k <= a and k + 4 <= b or 1 <= k and k <= b and k + 4 <= a
                  eff a := a - k, b := b - k
"""


@pytest.mark.nightly  # a large file
def test_a_condition_tells_coq_that_half_a_difference_is_natural(coq):
    """``a - b`` is even in a move of the strategy, which is made only where ``b < a``."""
    require_accepted(export(icg.loads(HALVES).solve(timeout=60), "coq"))


@pytest.mark.slow
def test_verify_asks_coq(coq, tmp_path, capsys):
    file = tmp_path / "mark.json"
    file.write_text(json.dumps(solved("mark").to_json()), "utf-8")
    assert run(["verify", "mark", str(file), "--coq", "--timeout", "300"]) == DONE
    assert re.search("^  coq +proved .*Coq", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
def test_a_false_table_of_moves_is_refused(coq):
    """The tables are only proposals: with one entry changed nothing is proved."""
    text = coq_file(replace(solved("nim3"), strategy=()))
    before, opening, after = text.partition("Definition table_of_Into_1 ")
    table, end, rest = after.partition("].\n")
    assert "Go 2; Go 3" in table
    changed = table.replace("Go 2; Go 3", "Go 2; Go 2", 1)
    assert not is_accepted(f"{before}{opening}{changed}{end}{rest}")


def statement_changed():
    """The file of a small game with one number of what it states made larger by one."""
    text = as_data_alone(export(solved("mark"), "coq"))
    start, end = text.index("Definition rule_1 "), text.index("(* The same answer")
    for found in re.finditer(r"(?<=[KX] )\d+", text[start:end]):
        first, last = start + found.start(), start + found.end()
        yield f"{text[:first]}{int(found[0]) + 1}{text[last:]}"


@pytest.mark.slow
@pytest.mark.parametrize("one_in", [5, pytest.param(1, marks=pytest.mark.nightly)])
def test_no_number_of_the_answer_can_be_another(coq, one_in):
    """Numbers of the formulas and of the strategy are changed, one in each text."""
    changed = [*statement_changed()]
    assert len(changed) > 5
    assert not any(map(is_accepted, changed[::one_in]))

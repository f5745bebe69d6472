"""Games with cones for Coq: right answers accepted, wrong tables and wrong answers refused."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest
from catalog_answers import solved
from coq_here import is_accepted

import icgsynth as icg
from icgsynth.export import export
from icgsynth.game.solution import Solution

pytestmark = pytest.mark.usefixtures("coq")


def fraenkel(s, t, count):
    """The losing pairs of (s, t)-Wythoff: A_n is the least number not used yet, and
    B_n = s A_n + t n (Fraenkel, Annals of Combinatorics 2, 1998)."""
    used, pairs = set(), []
    for n in range(count):
        a = next(i for i in range(len(used) + 1) if i not in used)
        pairs.append((a, s * a + t * n))
        used |= {*pairs[-1]}
    return pairs


def goals(pairs, others):
    """Lines of a file: what the automaton says of these states."""
    lines = []
    for (a, b), value in [*((p, "true") for p in pairs), *((p, "false") for p in others)]:
        lines.append(f"Goal reads Losing [{a}; {b}] = {value}.")
        lines.append("Proof. vm_compute. reflexivity. Qed.")
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", pytest.param("misere", marks=pytest.mark.nightly)])
def test_coq_accepts_moves_along_lines(rule):
    answer = solved("st_wythoff", rule)
    text = export(answer, "coq")
    assert "table_of_Line_1_aims" in text
    assert "table_of_Into_" not in text, "the relations of the actions are not in the file"
    if rule == "normal":
        pairs = fraenkel(2, 1, 400)
        shown = [*pairs[:5], *((b, a) for a, b in pairs[:5]), *pairs[-3:]]
        others = {*product(range(8), repeat=2)} - {*pairs} - {(b, a) for a, b in pairs}
        text = text.replace("Print Assumptions", f"{goals(shown, others)}\nPrint Assumptions")
    assert is_accepted(text)


EVENS = """
game evens
var T, v
legal T >= 0 and v >= 0
action aims(k)     pre 1 <= k <= v and k mod 2 = 0  eff v := v - k
action along_1(t)  pre 1 <= t <= T and t mod 2 = 0  eff T := T - t
action both(e, Z)
  pre 1 <= e <= v and 1 <= Z <= T and (e <= Z and Z < 2 * e + 1 or Z <= e and e < 2 * Z + 1)
  eff v := v - e, T := T - Z
"""


@pytest.mark.slow
@pytest.mark.nightly  # half a minute of the processor
def test_other_actions_may_have_remainders_and_any_names_will_do():
    answer = icg.loads(EVENS).solve(timeout=60)
    assert answer.is_proved
    assert is_accepted(export(answer, "coq"))


# --- what is wrong -------------------------------------------------------------------------------


def with_rules(old: str, new: str) -> Solution:
    """The answer for other rules: it is wrong for them among the small states already."""
    answer = solved("st_wythoff")
    text = str(answer.game)
    assert text.count(old) == 2
    game = icg.loads(text.replace(old, new)).game
    lost: set[tuple[int, int]] = set()
    for state in sorted(product(range(12), repeat=2), key=sum):
        if not any(game.result(state, move) in lost for move in game.moves(state)):
            lost.add(state)
    assert lost != {
        state for state in product(range(12), repeat=2) if answer.automaton.accepts(state)
    }
    return replace(answer, game=game)


@pytest.mark.slow
@pytest.mark.parametrize("bound", ["2 * j", pytest.param("2 * j + 2", marks=pytest.mark.nightly)])
def test_coq_refuses_the_answer_for_another_cone(bound):
    """Without the moves at its bound, or with one more."""
    wrong = with_rules("< 2 * j + 1", f"< {bound}")
    assert not is_accepted(export(wrong, "coq"))


def tables(text: str) -> list[str]:
    """The automata of lines and of where they have moves."""
    return re.findall(r"^Definition table_of_((?:Cone|Line)_\w+) : automaton", text, re.M)


@pytest.mark.slow
@pytest.mark.nightly  # twenty seconds; of other tables test_coq_digits.py says so
def test_no_table_of_moves_has_to_be_believed():
    """Each is a proposal: where it accepts all that it can, nothing is proved."""
    text = export(solved("st_wythoff"), "coq")
    names = tables(text)
    assert {"Cone_1", "Line_1_aims", "Line_1_moves", "Line_1_begins"} <= {*names}
    for table in ("Cone_1", "Line_1_aims", "Line_1_moves", "Line_1_begins"):
        before, opening, after = text.partition(f"Definition table_of_{table} : automaton")
        body, end, rest = after.partition("].\n")
        assert "(false, " in body
        changed = body.replace("(false, ", "(true, ")
        assert not is_accepted(f"{before}{opening}{changed}{end}{rest}"), table


@pytest.mark.slow
def test_no_state_is_left_out():
    """A table of states with a move that accepts less: then there is no proof that all have one."""
    text = export(solved("st_wythoff"), "coq")
    table = [name for name in tables(text) if re.fullmatch(r"Cone_\d+", name)][-1]
    before, opening, after = text.partition(f"Definition table_of_{table} : automaton")
    body, end, rest = after.partition("].\n")
    assert not is_accepted(f"{before}{opening}{body.replace('(true, ', '(false, ')}{end}{rest}")

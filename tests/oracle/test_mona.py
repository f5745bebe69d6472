"""MONA, a decision procedure for WS1S, as a third opinion on automatic sets.

The rules stand here in WS1S, written by hand; only the automaton of the losing states, and for
Zeckendorf words the adder, are exported from our side.  Run where the Debian package ``mona`` is
installed; ``.ci/run`` installs it if it can.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from automatic_solved import wythoff_set
from catalog_answers import solved
from speed import sampled
from ws1s import predicate

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import everything
from icgsynth.digits.numeration import ostrowski
from icgsynth.prove.automata.arithmetic import adder

pytestmark = pytest.mark.skipif(shutil.which("mona") is None, reason="the program mona is missing")

LESS = (
    "pred less(var2 A, var2 B) =\n"
    "  ex1 i: i in B & i notin A & (all1 j: j > i => (j in A <=> j in B));\n"
)


def mona(text: str, folder: Path) -> str:
    """What MONA says: "valid", or a counterexample."""
    source = folder / "theorem.mona"
    source.write_text("ws1s;\n" + text)
    done = subprocess.run(
        ["mona", "-q", str(source)], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def losing(name: str, rule: str = "normal") -> str:
    """The predicate ``losing``."""
    automaton = solved(name, rule).automaton  # type: ignore[arg-type]
    assert automaton is not None
    return predicate(automaton, "losing")


def by_hand(wrong_in: int = -1) -> str:
    """Wythoff's losing states by hand; what is said in one state of the automaton may be wrong."""
    right = wythoff_set()
    flags = tuple(flag != (q == wrong_in) for q, flag in enumerate(right.accepting))
    return predicate(Automaton(right.system, right.tracks, right.transitions, flags), "losing")


def nim(piles: int, misere: bool = False) -> str:
    """Each pile may be replaced by a smaller one; the winner makes the last move, or does not."""
    names = [f"X{i}" for i in range(piles)]

    def replaced(pile: str) -> str:
        return ", ".join("T" if name == pile else name for name in names)

    moves = " | ".join(f"(ex2 T: less(T, {x}) & losing({replaced(x)}))" for x in names)
    over = " & ".join(f"empty({x})" for x in names)
    wins = f"({moves}) | ({over})" if misere else moves
    listed = ", ".join(names)
    return LESS + f"all2 {listed}: losing({listed}) <=> ~({wins});\n"


def wythoff() -> str:
    system = ostrowski(1)
    sums = predicate(adder(system).automaton(("x", "y", "z")), "plus")
    words = predicate(everything(system, ("x",)).automaton(), "word")
    return (
        LESS
        + sums
        + words
        + """all2 X, Y: (word(X) & word(Y)) => (losing(X, Y) <=> ~(
    (ex2 T: word(T) & less(T, X) & losing(T, Y))
  | (ex2 T: word(T) & less(T, Y) & losing(X, T))
  | (ex2 K, S, T: word(K) & word(S) & word(T) & ~empty(K)
       & plus(K, S, X) & plus(K, T, Y) & losing(S, T))));
"""
    )


@sampled("piles", [3, 4])
def test_nim(piles: int, tmp_path: Path):
    assert "is valid" in mona(losing(f"nim{piles}") + nim(piles), tmp_path)


def test_misere_nim(tmp_path: Path):
    assert "is valid" in mona(losing("nim3", "misere") + nim(3, misere=True), tmp_path)
    assert "is valid" not in mona(losing("nim3", "misere") + nim(3), tmp_path)


@pytest.mark.slow
def test_wythoff(tmp_path: Path):
    assert "is valid" in mona(losing("wythoff") + wythoff(), tmp_path)


@pytest.mark.parametrize("state", range(3))
def test_a_wrong_automaton_is_refuted(state: int, tmp_path: Path):
    assert "is valid" in mona(by_hand() + wythoff(), tmp_path)
    assert "is valid" not in mona(by_hand(state) + wythoff(), tmp_path)

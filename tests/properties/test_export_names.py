"""No two names of a game become one in what is exported, and none hides a word of the language.

``_q`` and ``x_q`` were both ``x_q'`` for Coq, so that a rule about one spoke of the other.
"""

from __future__ import annotations

import keyword
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")
pytest.importorskip("icgsynth.coq", reason="the wing of Coq is not there")

from icgsynth.benchmark.rules.pddl import RESERVED
from icgsynth.coq.gallina import libraries, library, name
from icgsynth.formats.asp import clingo_constants, clingo_variables
from icgsynth.formats.page.impartial_page import _Program
from icgsynth.formats.python import python_names
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.identifiers import apart
from icgsynth.logic.smtlib import symbol
from icgsynth.mathematics.latex import _name as latex_name

# Words that no target has, and names for all of them to keep.
FREE = ("a", "b2", "heap", "take_a", "x_q", "k_")
# Words that some target has, and what stands before or behind names there.
PARTS = [
    *("", "_", "x", "x_", "V", "V_", "act_", "v", "new_", "_do_", "St", "s", "a", "A", "1", "12"),
    *("k", "q", "n", "X1", "x1", "left", "xO", "pair", "tt", "ex_intro", "le_n", "Z", "nil"),
    *("as", "fun", "forall", "let", "mod", "rank", "lose", "won", "legal", "if", "class", "None"),
    *("par", "and", "distinct", "Int", "state", "answer", "moves", "lambda", "not"),
]
PLAIN = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("".join)
NAMES = st.lists(
    st.sampled_from(FREE)
    | PLAIN.filter(
        lambda text: re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", text) and text not in RESERVED
    ),
    min_size=2,
    max_size=12,
    unique=True,
)
# Words of the languages, each from its manual.
GALLINA = {
    *("as", "at", "cofix", "else", "end", "exists", "exists2", "fix", "for", "forall", "fun", "if"),
    *("in", "let", "match", "mod", "return", "then", "using", "where", "with", "Prop", "SProp"),
    *("Set", "Type", "_", "true", "false", "nil", "cons", "pair", "left", "right", "inl", "inr"),
    *("tt", "xI", "xO", "xH", "Z0", "Zpos", "Zneg", "Z", "nat", "bool", "list", "conj"),
    *("or_introl", "or_intror", "ex_intro", "eq_refl", "exist", "existT", "le_n", "le_S"),
}
SMT_LIB = {
    *("BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"),
    *("_", "as", "let", "exists", "forall"),
    *("match", "par", "assert", "echo", "exit", "pop", "push", "reset", "true", "false", "not"),
    *("and", "or", "xor", "ite", "distinct", "div", "mod", "abs", "Int", "Bool", "Real"),
}


def distinct(given_names, ours):
    made = [ours(text) for text in given_names]
    assert len(set(made)) == len(made), sorted(zip(made, given_names, strict=True))
    return made


def is_whole(given_names, ours, spelling, reserved):
    """All are apart, rightly spelled and none of the reserved words; free words stay."""
    made = distinct(given_names, ours)
    assert all(re.fullmatch(spelling, text) for text in made), made
    assert not reserved.intersection(made)
    assert all(ours(text) == text for text in given_names if text in FREE)
    return made


WORDS = st.lists(st.text("abB_", min_size=1, max_size=3), max_size=8)


@given(WORDS, WORDS, st.sampled_from([str, str.lower]))
@example(["A", "a", "a_", "b"], ["b", "b_"], str.lower)
def test_names_are_set_apart(names, taken, spelled):
    """A name stays exactly where it may, and its place too; here spelling makes names alike."""
    found = apart(names, taken.__contains__, spelled)
    assert list(found) == list(dict.fromkeys(names))
    made = distinct(found, found.__getitem__)
    assert not set(taken).intersection(made)
    for text, ours in found.items():
        stays = text not in taken and spelled(text) == text
        assert (ours == text) if stays else re.fullmatch(f"{spelled(text)}_*", ours)


@given(NAMES)
def test_coq(names):
    """With the names of terms that proofs give; none is one of the library's definitions."""
    terms = [f"{text}!{i}" for i, text in enumerate(sorted(names))]
    made = is_whole([*names, *terms], name, "[A-Za-z_][A-Za-z0-9_']*", GALLINA)
    defined = re.compile(r"^(?:Lemma|Theorem|Definition|Fixpoint) (\w+)", re.M)
    assert not {*made} & {word for part in libraries() for word in defined.findall(library(part))}


@given(NAMES, st.data())
def test_python(names, data):
    """With names of values after a move, as automata have them."""
    later = [f"{text}'" for text in data.draw(st.lists(st.sampled_from(names), unique=True))]
    found = python_names([*names, *later])
    made = is_whole([*names, *later], found.__getitem__, "[A-Za-z_]\\w*", {*keyword.kwlist})
    assert not any(text.startswith("_do_") for text in made)


@given(NAMES)
def test_clingo(names):
    found, actions = clingo_variables(names), clingo_constants(names)
    made = distinct(names, found.__getitem__)
    assert all(re.fullmatch(r"[A-Z]\w*", text) for text in made)
    assert not any(re.fullmatch("X[0-9]+", text) for text in made)
    is_whole(names, actions.__getitem__, r"_*[a-z]\w*", {"n", "not"})


@given(NAMES)
def test_smtlib(names):
    is_whole(names, symbol, r"[A-Za-z_.][A-Za-z0-9_.]*", SMT_LIB)
    distinct([*names, *(f"{text}'" for text in names)], symbol)


@given(NAMES)
def test_smtlib_as_z3_reads_it(names):
    z3 = pytest.importorskip("z3")
    solver = z3.Solver()
    made = [symbol(text) for text in names]
    declared = "".join(f"(declare-const {text} Int)" for text in made)
    values = "".join(f"(assert (= {text} {number}))" for number, text in enumerate(made))
    solver.from_string(declared + values)
    assert solver.check() == z3.sat


@given(NAMES)
def test_latex(names):
    distinct(names, latex_name)


@given(NAMES, st.integers(0, 11))
def test_javascript(names, count):
    """A page has places instead of names: no variable's is one of a parameter."""
    state, taken = tuple(names[: count + 1]), tuple(names[count + 1 :])
    action = Action("go", taken, t.TRUE, ())
    found = _Program(ParametricGame("g", state, (action,)))._names(action)
    assert all(re.fullmatch(r"[sp]\[[0-9]+\]", text) for text in distinct(names, found.get))

"""No two names of a game become one in what is exported.

``_q`` and ``x_q`` were both ``x_q'`` for Coq, so that a rule about one spoke of the other.
"""

from __future__ import annotations

import keyword
import re

from hypothesis import given
from hypothesis import strategies as st

from icgsynth.export.asp import _asp_names, _constant
from icgsynth.export.coq.gallina import LIBRARY, library, name
from icgsynth.export.latex import _name as latex_name
from icgsynth.export.python import _python_names
from icgsynth.logic.smtlib import symbol

# Words that some target has, and what stands before or behind names there.
PARTS = [
    *(
        "",
        "_",
        "x",
        "x_",
        "V_",
        "act_",
        "v",
        "new_",
        "_do_",
        "St",
        "s",
        "a",
        "A",
        "1",
        "12",
        "k",
        "q",
    ),
    *("as", "fun", "forall", "let", "mod", "rank", "lose", "won", "legal", "if", "class", "None"),
    *("par", "and", "distinct", "Int", "state", "answer", "moves"),
]
PLAIN = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("".join)
NAMES = st.sets(
    PLAIN.filter(lambda text: re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", text)), min_size=2, max_size=12
)
GALLINA = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")


def distinct(given_names, ours):
    made = [ours(text) for text in given_names]
    assert len(set(made)) == len(made), sorted(zip(made, given_names, strict=True))
    return made


@given(NAMES)
def test_coq(names):
    """With the names of terms that proofs give; none is one of the library's definitions."""
    made = distinct([*names, *(f"{text}!{i}" for i, text in enumerate(sorted(names)))], name)
    assert all(GALLINA.fullmatch(text) and text != "_" for text in made)
    defined = re.compile(r"^(?:Lemma|Theorem|Definition|Fixpoint) (\w+)", re.M)
    assert not {*made} & {word for part in LIBRARY for word in defined.findall(library(part))}


@given(NAMES)
def test_python(names):
    found = _python_names(names)
    made = distinct(names, found.__getitem__)
    assert not any(map(keyword.iskeyword, made))


@given(NAMES)
def test_clingo(names):
    made = distinct(names, _asp_names(sorted(names)).__getitem__)
    assert all(text[0].isupper() for text in made)
    assert all(re.match("_*[a-z]", text) for text in distinct(names, _constant))


@given(NAMES)
def test_latex_and_smtlib(names):
    distinct(names, latex_name)
    distinct(names, symbol)

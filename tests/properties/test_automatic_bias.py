"""The bias made from a game alone, on facts that are drawn.

What the words ``mine_`` and ``theirs_`` mean is asked of clingo, and the kinds of arguments are
those that the facts were made with.  Seen: arguments lost or in the wrong order, the player's
argument taken for another, one player's facts called the other's, facts of two players split,
kinds of one head mixed with others, players that never occur in a place, ``control``.
"""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.learn.bias import bias_of

clingo = pytest.importorskip("clingo")

ROLES = ("a", "b")
VALUES = {
    "player": ROLES,
    "one player": ("b",),
    "cell": ("cell(1,2)", "cell(2,2)"),
    "two heads": ("cell(1)", "edge(1)"),
    "mixed": ("cell(1)", "none"),
    "number": ("0", "7"),
    "name": ("a", "left"),  # a player's name beside another
}
KINDS = {"player": "player", "one player": "player", "cell": "cell"}
SHAPES = st.dictionaries(
    st.tuples(st.sampled_from(["has", "at", "free"]), st.integers(0, 3)),
    st.lists(st.sampled_from(sorted(VALUES)), min_size=3, max_size=3),
    min_size=1,
    max_size=3,
).filter(lambda shapes: any(arity for _, arity in shapes))


def facts_of(shapes):
    """Every fact of the shapes, by name and arguments."""
    for (name, arity), kinds in shapes.items():
        for row in product(*(VALUES[kind] for kind in kinds[:arity])):
            yield name, row


def written(name, row):
    return f"{name}({','.join(row)})" if row else name


def stage(facts, book):
    found = ["control(a)", "control(b)", *(written(*fact) for fact in facts)]
    return SimpleNamespace(board=SimpleNamespace(roles=ROLES, facts=found), book=book)


def encoding():
    return Encoding("drawn", (), ROLES, has_base=False)


def is_split(kinds):
    return sum(KINDS.get(kind) == "player" for kind in kinds) == 1


@settings(max_examples=80)
@given(SHAPES, st.booleans())
def test_each_predicate_has_its_arguments_and_their_kinds(shapes, has_encoding):
    """For a game in KIF nothing is split; facts without arguments are left out."""
    book = encoding() if has_encoding else Rulebook("drawn", ())
    expected = []
    for (name, arity), kinds in shapes.items():
        kinds = kinds[:arity]
        places = [("var", KINDS.get(kind, f"{name}{at}")) for at, kind in enumerate(kinds)]
        if has_encoding and is_split(kinds):
            others = [place for place in places if place[1] != "player"]
            expected += [(f"mine_{name}", *others), (f"theirs_{name}", *others)]
        elif kinds:
            expected.append(("next", (name, *places)))
    bias = bias_of(stage(list(facts_of(shapes)), book))
    assert sorted(map(str, expected)) == sorted(str(mode.atom) for mode in bias.modes)
    assert bool(bias.background) == any(str(each[0]) != "next" for each in expected)


@settings(max_examples=40)
@given(SHAPES, st.sampled_from(ROLES), st.data())
def test_mine_is_of_the_player_who_moves_and_theirs_of_the_other(shapes, mover, data):
    facts = sorted(facts_of(shapes))
    bias = bias_of(stage(facts, encoding()))
    holds = data.draw(st.lists(st.sampled_from(facts), unique=True))
    split = {
        (name, arity): kinds[:arity].index(next(k for k in kinds if KINDS.get(k) == "player"))
        for (name, arity), kinds in shapes.items()
        if is_split(kinds[:arity])
    }
    expected = set()
    for name, row in holds:
        if (at := split.get((name, len(row)))) is not None:
            word = "mine" if row[at] == mover else "theirs"
            expected.add(written(f"{word}_{name}", row[:at] + row[at + 1 :]))
    control = clingo.Control(["--warn=none"])
    control.add("base", [], bias.background)
    control.add("base", [], "".join(f"next({written(*fact)})." for fact in holds))
    control.add("base", [], f"does({mover},go).")
    control.ground([("base", [])])
    shown = (str(atom.symbol) for atom in control.symbolic_atoms)
    assert {atom for atom in shown if atom.startswith(("mine_", "theirs_"))} == expected

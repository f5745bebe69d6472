"""The counts of words in ``tests/words.py`` find what they are for; their ceilings are figures."""

from __future__ import annotations

import ast

import pytest
import words
from figures import Module, modules


def module(text, name="icgsynth.game.one"):
    return Module(name, f"{name}.py", text, tuple(ast.walk(ast.parse(text))))


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("MOST = 3\n", True),
        ("_MOST: int = -3 * 2**4\n", True),
        ("SIZES = (1, 2.5)\n", True),
        ("ONE = np.uint64(1)\n", True),
        ("# states; a second\nMOST = 3\n", False),
        ("MOST = 3  # states\n", False),
        ('MOST = 3\n"""States."""\n', False),
        ("# of another\nLEAST = 1\nMOST = 3\n", True),
        ("most = 3\nZERO = t.Int(0)\nIS = True\nEMPTY = ()\nPLACE = 'a'\n", False),
    ],
)
def test_a_constant_without_a_word_is_found(text, silent):
    """Faults it sees: a kind of number, or of word, that is overlooked."""
    assert bool(list(words.silent_constants([module(text)]))) is silent


def test_functions_named_by_one_participle_are_found():
    """Faults it sees: a verb or a property counted, an irregular or private name left out."""
    text = """
def shown(): ...
def _listed(): ...
def need(): ...
def show(): ...
def shown_moves(): ...
class A:
    def told(self): ...
    @property
    def solved(self): ...
"""
    found = {each.split()[-1] for each in words.participles([module(text)])}
    assert found == {"shown", "_listed", "told"}


def test_a_participle_may_name_a_function_only_while_one_has_that_name():
    """Faults it sees: a word that stays on the list when its last function is renamed."""
    names = {each.split()[-1].strip("_") for each in words.participles(modules())}
    assert not words.CHANGED - names


def test_docstrings_that_lean_on_the_line_above_are_found():
    text = (
        '"""The same again."""\ndef f():\n    """Same as g."""\ndef g():\n    """All the same."""\n'
        'def h():\n    """Those of g."""\n'
    )
    assert list(words.leaning_docstrings([module(text)])) == [
        "icgsynth.game.one.py:1",
        "icgsynth.game.one.py:2",
        "icgsynth.game.one.py:6",
    ]


def test_what_a_docstring_leaves_out_is_found():
    """Faults it sees: a function of one room alone counted; an argument or error not asked for."""
    text = '''
def moves(game: Game, state: State, most: int) -> list[Move]:
    """The moves in ``state``."""
    raise Refused("too many")

def near(most: int) -> int: ...

def far(most: int) -> int: ...
'''
    one = module(text)
    inside = module("from icgsynth.game.one import near\n", "icgsynth.game.two")
    outside = module("from icgsynth.game.one import moves\n", "icgsynth.play.three")
    by_name = module("from icgsynth.game import one\none.far(1)\n", "icgsynth.play.four")
    found = list(words.unlisted([one, inside, outside]))
    assert found == ["icgsynth.game.one.py:2 moves: most, Refused"]
    assert len(list(words.unlisted([one, inside, outside, by_name]))) == 2

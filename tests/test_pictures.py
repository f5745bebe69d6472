"""Pictures that are looked at: no blank bands, and what a pupil has to know beside the task."""

from __future__ import annotations

import io
import itertools
import re

import numpy as np
import pytest

from icgsynth.cli import run
from icgsynth.export.pile_sheet import moves_in_words
from icgsynth.export.table import Table, table_png
from icgsynth.game.box import Box
from icgsynth.game.labels import label
from icgsynth.spec.catalog import resolve
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source


def load(name):
    """A game of the catalog."""
    return load_spec(Source.read(resolve(name)), {})


def image(name, bound):
    """The picture of a table: (rows, columns), True where it is white."""
    pyplot = pytest.importorskip("matplotlib.image")
    game = load(name)
    data = table_png(Table.of(game, "normal", label(game, Box.of(game, bound), "normal")))
    return (pyplot.imread(io.BytesIO(data))[:, :, :3] > 0.99).all(axis=2)


@pytest.mark.parametrize(("name", "bound"), [("nim2", 12), ("triangle_game", 5), ("odd_only", 30)])
def test_a_table_has_no_blank_band(name, bound):
    blank = image(name, bound).all(axis=1)
    longest = max(len([*run]) for white, run in itertools.groupby(blank) if white)
    assert longest <= 48  # 0.4 inch at 120 dots an inch


def test_the_panels_of_a_table_stand_apart_from_what_is_above_and_below():
    blank = image("triangle_game", 5).all(axis=1)
    changes = np.flatnonzero(np.diff(blank.astype(int)))
    assert len(changes) // 2 >= 8  # title, two rows with caption, numbers and name each, legend


def test_a_sheet_has_the_rules_of_its_game(tmp_path):
    path = tmp_path / "sheet.svg"
    arguments = ["starts", "nim2", "--moves", "2", "--you", "1", "--count", "2", "-q"]
    assert run([*arguments, "-o", str(path)]) == 0
    text = re.sub("<[^>]*>", "\n", path.read_text()).replace("&lt;", "<").replace("&gt;", ">")
    for line in moves_in_words(load("nim2")):
        assert line in text
    assert re.search(r"take_a\(k\): .*a - k.*1 <= k <= a", text)
    assert "Who cannot move loses." in text


def test_rules_in_words_leave_nothing_out():
    said = moves_in_words(load("chomp_2row"))
    assert "a >= 1 and 0 <= b <= a" in said[0]
    assert "a = 1 and b = 0" in said[-1]
    (first,) = [line for line in said if line.startswith("eat1(k)")]
    assert all(part in first for part in ("a becomes k - 1", "min(b, k - 1)", "2 <= k <= a"))
    source = Source("free", "game g\nvar v\naction a pre v > 0 eff v := v - 1\n")
    assert moves_in_words(load_spec(source, {})) == ["a: v becomes v - 1, where v > 0."]

"""``python -m experiments exploring``: the rules in GDL are those of OpenSpiel's games."""

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pyspiel")

from experiments import exploring


@pytest.mark.parametrize(
    "game", ["breakthrough(rows=3,columns=3)", "connect_four(rows=3,columns=4,x_in_row=3)"]
)
def test_both_sides_find_the_same_game(game):
    """Faults it sees: rules that differ from OpenSpiel's, a text that does not tell who moves."""
    ours = exploring.told(exploring.of_rules, game)
    theirs = exploring.told(exploring.of_pyspiel, game)
    assert (ours["positions"], ours["moves"]) == (theirs["positions"], theirs["moves"])
    row = exploring.row(game, ours, theirs)
    assert float(row["bytes_ratio"]) == pytest.approx(
        float(row["dict_bytes"]) / float(row["kept_bytes"]), rel=0.1
    )

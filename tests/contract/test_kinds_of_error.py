"""The exit code of each kind of error, and which error says that no second engine agrees."""

from __future__ import annotations

import pytest

from icgsynth import errors
from icgsynth.budget import Budget
from icgsynth.cli import group, run
from icgsynth.logic import term as t
from icgsynth.prove.deciders import quantifiers

UNKNOWN, BAD_INPUT = 4, 2


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.BudgetSpent, UNKNOWN),
        (errors.TooLarge, UNKNOWN),
        (errors.NotFound, UNKNOWN),
        (errors.Unconfirmed, UNKNOWN),
        (errors.CannotExpress, BAD_INPUT),
        (errors.Refused, BAD_INPUT),
        (errors.InputError, BAD_INPUT),
    ],
)
def test_what_a_command_cannot_answer_has_an_exit_code(error, code, monkeypatch, capsys):
    """Faults it sees: a new kind of error that is taken for a crash, or for bad input."""

    def refuse(**_):
        raise error("there are too many")

    monkeypatch.setattr(group, "main", refuse)
    assert run([]) == code
    assert "there are too many" in capsys.readouterr().err


def test_an_elimination_that_no_second_solver_confirms_is_unconfirmed(monkeypatch):
    """Faults it sees: what isl alone says is believed, or is called a want of time."""
    monkeypatch.setattr(quantifiers, "_is_equivalent", lambda *_: False)
    n, k = t.Name("n"), t.Name("k")
    even = t.Quantified("exists", ("k",), t.compare(n, "=", t.Mul(t.Int(2), k)))
    quantifiers._known.clear()
    with pytest.raises(errors.Unconfirmed, match="write it without one"):
        quantifiers.without_quantifiers(even, Budget(10))

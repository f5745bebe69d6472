"""A dozen games of the catalog under both rules, checked by Coq, and one by its second checker.

``python -m pytest -m nightly`` runs them.  The slow tests ask Coq about a few games.
"""

from __future__ import annotations

import subprocess

import pytest
from catalog_answers import solved
from coq_here import require_coq

from icgsynth.coq.coqc import check_file
from icgsynth.export import export

pytestmark = pytest.mark.nightly

MINUTES = 600.0  # seconds that Coq may take, on any machine; it takes at most about ten
GAMES = (
    # with strategies in linear arithmetic
    *("nim2", "all_but_nim2", "chomp_3row_third", "cyclic_nimhoff", "monotonic_nim2"),
    *("odd_or_even_nim", "silver_dollar3", "subtraction_134", "take_away"),
    # in digits: powers of 2 and Zeckendorf's system
    *("nim3", "fibonacci_nim", "mark", "wythoff"),
)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("game", GAMES)
def test_coq_accepts(game, rule):
    require_coq()
    found = check_file(export(solved(game, rule), "coq"), MINUTES)
    assert found.is_proved, found.why


def test_the_second_checker_accepts(tmp_path):
    """``coqchk`` reads the compiled file, and the standard library, without ``coqc``."""
    require_coq()
    (tmp_path / "answer.v").write_text(export(solved("nim2"), "coq"), "utf-8")
    limits = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": MINUTES}
    subprocess.run(["coqc", "-q", "answer.v"], check=True, **limits)
    done = subprocess.run(["coqchk", "-silent", "-o", "answer"], check=True, **limits)
    summary = done.stdout + done.stderr
    assert "* Axioms: <none>" in summary
    assert summary.count("<none>") == summary.count("\n* ") - 1  # all but the theory's own line

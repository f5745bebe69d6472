"""What Coq makes of games whose names are words of its own."""

from __future__ import annotations

import re
import subprocess

import pytest
from catalog_answers import solved
from coq_here import MINUTES, require_accepted

import icgsynth as icg
from icgsynth.coq.gallina import name
from icgsynth.export import export

# Nim on two piles, with names to be put in.
NIM = """game g var @a, @b legal @a >= 0 and @b >= 0
action @c(@k) pre 1 <= @k <= @a eff @a := @a - @k
action @d(@k) pre 1 <= @k <= @b eff @b := @b - @k"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        "left right pair inl xO",
        "xI xH true_ tt existT",
        "Z O S nil cons",
        "le_n or_introl left right conj",
        "_a a _ x_ __",
    ],
)
def test_coq_accepts_games_whose_names_are_constructors(coq, names):
    text = NIM
    for letter, word in zip("abcdk", names.split(), strict=True):
        text = text.replace(f"@{letter}", word)
    require_accepted(export(icg.loads(text).solve(timeout=60), "coq"))


@pytest.mark.slow
def test_a_parameter_and_a_bound_name_that_were_one(coq):
    """Only even numbers may be taken, so a player has lost with 0 or 1."""
    text = """game g var v legal v >= 0
    action take(x_q) pre 1 <= x_q <= v and (exists _q. x_q = 2 * _q) eff v := v - x_q"""
    answer = icg.loads(text).solve(timeout=60)
    require_accepted(export(answer, "coq"))


@pytest.mark.slow
def test_no_name_that_coq_knows_hinders_a_pattern(coq, tmp_path):
    """A constructor in the place of a variable would be an error, or another meaning."""
    text = export(solved("nim2"), "coq")
    said = compiled(tmp_path, f"{text}\nSearch _.")
    known = sorted({*re.findall(r"^([A-Za-z_]\w*):", said, re.MULTILINE)} - {"take_a", "take_b"})
    assert len(known) > 1000 and {"left", "xO", "pair", "Zpos"} <= {*known}
    tried = (
        f"Definition t{i} (s : Z * Z) : Z := let '({name(word)}, y') := s in {name(word)} - y'."
        f"\nCheck (eq_refl : t{i} (7, 2) = 5)."
        for i, word in enumerate(known)
    )
    compiled(tmp_path, "\n".join([text, *tried]))


def compiled(folder, text):
    """What Coq says to a text that it has to accept."""
    (folder / "t.v").write_text(text, "utf-8")
    ran = subprocess.run(
        ["coqc", "t.v"], cwd=folder, capture_output=True, text=True, check=False, timeout=MINUTES
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout

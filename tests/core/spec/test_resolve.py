"""One function tells of which kind a game is, whoever asks and however it was named."""

from __future__ import annotations

import pytest

from icgsynth.errors import InputError
from icgsynth.spec.resolve import Named, kind_of, language_of

WORDS = {"heaps", "piles"}
ICG = "# Nim\ngame g\nvar n\nlegal n >= 0\naction take pre n >= 1 eff n := n - 1\n"
KIF = "; a game\n(role x)\n(init (cell 1))\n"
LP = "role(x).\nlegal(x, go) :- true(on).\n"
PDDL = "; rules\n(define (domain d))\n"


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("nim2", "game"), ("0.77", "codes"), ("kayles", "codes"), ("nim2 + 2*0.77", "sums")],
)
def test_a_name_tells_the_kind(spec, kind):
    assert kind_of(Named(spec), WORDS) == kind


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        (ICG, "icg", "game"),
        (ICG.replace("game g", "heaps g"), "icg", "heaps"),
        (ICG.replace("game g", "piles g"), "icg", "piles"),
        (KIF, "gdl", "finite"),
        (LP, "asp", "finite"),
        (PDDL, "pddl", "game"),
    ],
)
def test_rules_tell_the_language_and_the_kind(text, language, kind, tmp_path):
    assert language_of(text) == Named("mine", {}, text).language == language
    assert kind_of(Named("mine", {}, text), WORDS) == kind
    file = tmp_path / f"mine.{'lp' if language == 'asp' else 'txt'}"
    file.write_text(text, "utf-8")
    assert kind_of(Named(str(file)), WORDS) == kind


def test_a_first_word_without_a_kind_of_its_own_is_that_of_a_game():
    assert kind_of(Named("mine", {}, ICG.replace("game g", "heaps g"))) == "game"


def test_a_file_is_an_encoding_by_its_name_alone(tmp_path):
    (tmp_path / "odd.lp").write_text("fact(1).\n", "utf-8")
    (tmp_path / "odd.txt").write_text(LP, "utf-8")
    assert kind_of(Named(str(tmp_path / "odd.lp"))) == "finite"
    assert kind_of(Named(str(tmp_path / "odd.txt"))) == "game"


def test_a_name_that_nothing_has_is_refused():
    with pytest.raises(InputError):
        kind_of(Named("no such game"))

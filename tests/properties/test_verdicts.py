"""When a whole answer is proved, refuted or unknown, from how each of its parts stands.

All combinations are tried.  The law is written out here: an answer is proved only if each part
that it states is.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from catalog_answers import solved

import icgsynth as icg
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.strategy import Strategy
from icgsynth.prove.certificate import Certificate

ANY = (Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN)
STATED = ("termination", "winning", "strategy", "cover")
WARNINGS = ("closure", "ending")  # a game may break these rules and be solved all the same

MAY_NOT_END = "game open\nvar a\nlegal 0 <= a <= 2\naction stay pre a = 2 eff a := 2\n" + (
    "action down pre a >= 1 eff a := a - 1\n"
)


def certificate(answer, verdicts, explicit=None):
    parts = {name: Finding(verdict) for name, verdict in verdicts.items()}
    return Certificate(answer, None, parts, explicit)


def test_an_answer_is_proved_only_if_each_stated_part_is():
    """Seen: some for all, a part that is not asked, a refutation that does not count."""
    answer = solved("nim2")
    assert answer.strategy
    for verdicts in product(ANY, repeat=len(STATED)):
        found = certificate(answer, dict(zip(STATED, verdicts, strict=True)))
        expected = (
            "refuted"
            if Verdict.REFUTED in verdicts
            else "proved"
            if set(verdicts) == {Verdict.PROVED}
            else "unknown"
        )
        assert found.verdict == expected
        assert found.is_proved == (expected == "proved")


def test_without_a_strategy_none_has_to_be_proved():
    """What an answer does not state is not asked for, and what it states is."""
    answer = replace(solved("nim2"), strategy=Strategy(()))
    for verdicts in product((Verdict.PROVED, Verdict.UNKNOWN), repeat=3):
        found = certificate(
            answer, dict(zip(("termination", "winning", "strategy"), verdicts, strict=True))
        )
        assert found.is_proved == (verdicts[:2] == (Verdict.PROVED, Verdict.PROVED))


@pytest.mark.parametrize("verdict", ANY)
def test_rules_that_are_broken_without_harm_are_a_warning(verdict):
    proved = dict.fromkeys(STATED, Verdict.PROVED)
    found = certificate(solved("nim2"), proved | dict.fromkeys(WARNINGS, verdict))
    assert found.verdict == "proved"


@pytest.mark.parametrize("near", [0, 1, 5])
@pytest.mark.parametrize("far", [None, 0, 1])
@pytest.mark.parametrize("may_end", [True, False])
def test_a_state_that_says_otherwise_refutes_whatever_is_proved(near, far, may_end):
    """Within the box or far from it.  Seen: a refutation beside proofs that is not looked at."""
    answer = solved("nim2") if may_end else icg.loads(MAY_NOT_END).solve()
    proved = dict.fromkeys((*STATED, "drawn"), Verdict.PROVED)
    judged = None if far is None else FarCheck(50, 10**30, far)
    found = certificate(answer, proved, BoxCheck(9, 100, near, judged))
    assert found.verdict == ("refuted" if near or far else "proved")
    assert found.is_proved == (not near and not far)
    assert found.refuted == ["explicit"] * bool(near) + ["far"] * bool(far)


def test_with_draws_each_part_is_asked_and_play_need_not_end():
    """Seen: some for all, a part that is passed over, endless play called a fault."""
    answer = icg.loads(MAY_NOT_END).solve()
    assert answer.draws is not None
    names = ("winning", "strategy", "drawn")
    for verdicts in product(ANY, repeat=len(names)):
        parts = dict(zip(names, verdicts, strict=True)) | {"termination": Verdict.REFUTED}
        found = certificate(answer, parts)
        assert found.is_proved == (set(verdicts) == {Verdict.PROVED})
        assert (found.verdict == "refuted") == (Verdict.REFUTED in verdicts)

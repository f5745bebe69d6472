"""What may happen to who asks Coq: a ``coqc`` that fails, hangs or lies; what it cannot be told.

Most of these tests put a script in the place of ``coqc``.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from catalog_answers import solved
from coq_here import require_coq

from icgsynth.cli import run
from icgsynth.cli.output import DONE, UNKNOWN
from icgsynth.coq.coqc import check_file
from icgsynth.errors import InputError
from icgsynth.export import export

MINUTES = 300.0  # seconds that a coqc may take, on any machine

SAYS = 'if [ "$1" = --version ]; then echo "The Coq Proof Assistant, version 8.16.1"; exit 0; fi\n'
CLOSED = 'echo "Closed under the global context"\n'


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    """Puts a ``coqc`` with this script before all others."""

    def put(script):
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "coqc").write_text(script, "utf-8")
        (folder / "coqc").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    return put


@pytest.mark.parametrize(
    ("script", "is_proved", "why"),
    [
        (CLOSED, True, ""),
        (f"{CLOSED}exit 1\n", False, "exit code 1"),
        ("exit 0\n", False, "it does not say 'Closed under the global context'"),
        ("echo not Closed under the global context\n", False, "it does not say"),
        (f"{CLOSED}kill -9 $$\n", False, "SIGKILL"),
        ("echo 'Error: No such goal.' >&2; exit 1\n", False, "No such goal."),
    ],
)
def test_coqc_has_to_end_well_and_say_that_nothing_is_assumed(pretended, script, is_proved, why):
    pretended(f"#!/bin/sh\n{SAYS}{script}")
    found = check_file("", MINUTES)
    assert (found.checker, found.is_proved) == ("Coq 8.16.1", is_proved)
    assert found.why.startswith(why) and bool(found.why) != is_proved


@pytest.mark.parametrize("script", [f"{SAYS}{CLOSED}exec sleep 600\n", "exec sleep 600\n"])
def test_a_coqc_that_hangs_is_ended(pretended, script):
    """One hangs at its work, the other at the question for its version."""
    pretended(f"#!/bin/sh\n{script}")
    begun = time.monotonic()
    assert check_file("", 0.5).why == "its time was over"
    assert time.monotonic() - begun < 300


def test_a_coqc_that_is_no_program_is_said(pretended):
    pretended("nothing to run")
    with pytest.raises(InputError, match=r"coqc cannot be started: exec format error"):
        check_file("", MINUTES)


def test_what_coq_cannot_be_told_is_no_fault_of_the_answer(pretended, tmp_path, capsys):
    """The proofs of icgsynth are shown, and why Coq was not asked."""
    pretended(f"#!/bin/sh\n{SAYS}{CLOSED}")
    rules = tmp_path / "even.icg"
    rules.write_text(
        "game even var a legal a >= 0 "
        "action take pre a > 0 eff a := if (exists q. a = 2 * q) then a - 2 else a - 1"
    )
    file = str(tmp_path / "even.json")
    assert run(["solve", str(rules), "-o", file, "--quiet"]) == DONE
    capsys.readouterr()
    assert run(["verify", str(rules), file, "--coq", "--timeout", "300"]) == UNKNOWN
    out, err = capsys.readouterr()
    assert re.search(r"^  winning +proved", out, re.MULTILINE) and not err
    assert re.search(r"^  coq +unknown  asked of Coq 8\.16\.1: coq cannot say", out, re.MULTILINE)


@pytest.mark.slow
def test_files_in_the_folder_do_not_stand_in_for_libraries(tmp_path, monkeypatch):
    """``coqc`` finds libraries in the folder that it is called in, before its own."""
    require_coq()
    for word in ("ZArith", "Lia", "List", "Bool", "Zwf"):
        (tmp_path / f"{word}.v").write_text("Definition nothing := 0.\n", "utf-8")
        subprocess.run(["coqc", "-q", f"{word}.v"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    text = export(solved("nim2"), "coq")
    assert check_file(text, MINUTES).is_proved
    Path("answer.v").write_text(text, "utf-8")
    done = subprocess.run(["coqc", "-q", "answer.v"], capture_output=True, text=True, check=True)
    assert "Closed under the global context\n" in done.stdout

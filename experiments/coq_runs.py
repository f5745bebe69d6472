"""Find one answer, export it and check it in Coq, by the commands that a user has.

The answer is found (``icgsynth solve`` or ``value``, or a theorem of the catalog), exported
(``icgsynth export --to coq``) and checked (``coqc``), each in a process of its own with a limit on
its processor time.  Nothing of icgsynth judges what ``coqc`` says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from experiments.measure import ROOT

__all__ = ["Case", "Ran", "Row", "Seconds", "accepted", "checked_case", "coqc", "ran"]

RULES = "rules.icg"  # of a theorem, where they are not in the catalog
_CLOSED = "Closed under the global context"
_WALL = 10  # times the processor time: a machine with much other work is no reason to give up
_MEMORY = 8_000_000  # kilobytes of address space; ten times what large files take
_WHY = 160  # characters of a reason
_SETTINGS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}

Row = dict[str, str]


class Ran(NamedTuple):
    """A process that has ended: its exit code (negative: the signal), its words, CPU seconds."""

    code: int
    out: str
    err: str
    seconds: float


class Seconds(NamedTuple):
    """Limits: of wall time for the search, of processor time for the file and for coqc."""

    solve: float = 20.0
    export: int = 120
    coqc: int = 120


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to be checked.

    ``kind`` is "game" (``spec`` is solved), "value" (its Grundy values are), or "family";
    ``spec`` is a name of the catalog, a path or a code, or the text of the theorem's entry, which
    has the rules under "rules" where they are not in the catalog.
    """

    what: str
    rule: str
    kind: str
    spec: str

    @property
    def key(self) -> str:
        """The case in a journal."""
        return json.dumps([self.what, self.rule, self.kind, self.spec])


def ran(command: Sequence[str], seconds: int, folder: Path) -> Ran:
    """Run a command in ``folder`` with at most ``seconds`` of processor time."""
    # The shell sets the limit: doing it between fork and exec is not safe beside threads.
    limited = ["sh", "-c", f'ulimit -t {seconds}; ulimit -v {_MEMORY}; exec "$@"', "sh", *command]
    out, err = folder / "stdout", folder / "stderr"
    with out.open("wb") as told, err.open("wb") as said:
        process = subprocess.Popen(
            limited,
            cwd=folder,
            env={**os.environ, **_SETTINGS, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=said,
            start_new_session=True,
        )
        timer = threading.Timer(_WALL * seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    words, fault = (path.read_text("utf-8", "replace") for path in (out, err))
    return Ran(process.returncode, words, fault, usage.ru_utime + usage.ru_stime)


def coqc(text: str, seconds: int) -> Ran:
    """What ``coqc`` says of a file, in a folder that is deleted afterwards."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "answer.v").write_text(text, "utf-8")
        return ran(["coqc", "-q", "answer.v"], seconds, folder)


def accepted(checked: Ran) -> bool:
    """Whether the theorem is proved, and rests on nothing that is only assumed."""
    return checked.code == 0 and _CLOSED in checked.out.splitlines()


def checked_case(case: Case, limits: Seconds) -> Row | None:
    """The row of a case; None where there is no proved answer to be checked."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        answer = _answer(case, limits, folder)
        if answer is None:
            return None
        row = {"what": case.what, "rule": case.rule, "kind": answer, "accepted": "no"}
        row |= {"coqc_s": "", "generator_s": "", "bytes": "", "why": ""}
        command = ["export", "answer.json", "--to", "coq", "-o", "answer.v"]
        if (folder / RULES).exists():
            command += ["--spec", RULES]
        written = _icgsynth(command, limits.export, folder)
        if written.code != 0:
            return row | {"why": f"no file: {_reason(written)}"}
        row["generator_s"] = f"{written.seconds:.2f}"
        text = (folder / "answer.v").read_text("utf-8")
        row["bytes"] = str(len(text.encode()))
        found = coqc(text, limits.coqc)
        row["coqc_s"] = f"{found.seconds:.2f}"
        if accepted(found):
            return row | {"accepted": "yes"}
        return row | {"why": _reason(found) or "it assumes something"}


def _icgsynth(arguments: Sequence[str], seconds: int, folder: Path) -> Ran:
    return ran([sys.executable, "-m", "icgsynth", *arguments], seconds, folder)


def _answer(case: Case, limits: Seconds, folder: Path) -> str | None:
    """Write the answer's file; which kind of proof it needs, or None without an answer."""
    file = folder / "answer.json"
    if case.kind == "family":
        entry = json.loads(case.spec)
        if (rules := entry.pop("rules", None)) is not None:
            (folder / RULES).write_text(rules, "utf-8")
        file.write_text(json.dumps(entry), "utf-8")
        return "family"
    given = [case.spec, "--timeout", f"{limits.solve:g}", "--quiet", "-o", "answer.json"]
    command = ["value", *given] if case.kind == "value" else ["solve", *given, "--rule", case.rule]
    # The command keeps to its own limit, which is one of wall time.
    done = _icgsynth(command, 60 + round(4 * limits.solve), folder)
    if done.code != 0 or not file.exists():
        return None
    if case.kind == "value":
        return "value"
    return "linear" if json.loads(file.read_text("utf-8"))["logic"] == "lia" else "digits"


def _reason(done: Ran) -> str:
    """Why there is no file, or no proof; without times and paths."""
    if done.code < 0:
        return "its time was over"
    if "Out of memory" in done.err or "MemoryError" in done.err:
        return "it had too little memory"
    said = done.err.partition("Error:")[2] or done.err.partition("error:")[2] or done.err
    return " ".join(said.split())[:_WHY]

"""How the processes that do jobs are started: a Python like this one, with a function to call."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from icgsynth.batch.sweep.job import failed
from icgsynth.batch.sweep.record import Record, complete

__all__ = ["Closed", "command", "environment", "not_run"]


class Closed(Exception):
    """A worker was closed while it had, or was given, a job."""


def command(what: str) -> list[str]:
    """A Python that finds modules where this one does, and not in the folder it is called in."""
    code = (
        "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
        f"from icgsynth.batch.sweep.serve import {what}; {what}()"
    )
    return [sys.executable, "-P", "-c", code, json.dumps(sys.path)]


def environment() -> dict[str, str]:
    """One thread a process, little address space in reserve, the same order of sets each run."""
    wanted = {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",
        "PYTHONHASHSEED": "0",
    }
    return wanted | os.environ


def not_run(message: Mapping[str, Any], reason: str, code: int) -> Record:
    """The record of a job that could not be run; ``code`` as ``icgsynth solve`` would end."""
    return complete(message, {**failed("error", reason, code), "seconds": 0.0})

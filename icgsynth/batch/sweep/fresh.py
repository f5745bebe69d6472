"""A fresh process for each job, where there is no ``fork``."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from icgsynth.batch.sweep.isolated import KILL_AFTER, judge
from icgsynth.batch.sweep.record import Record, complete
from icgsynth.batch.sweep.start import Closed, command, environment, not_run

__all__ = ["Fresh"]

_START = 10.0  # seconds that the process may take to load everything


class Fresh:
    """Starts a process for each job; its time is bounded, its memory is not."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def run(self, message: Mapping[str, Any]) -> Record:
        if message["text"] is None:
            return not_run(message, message["reason"], code=2)
        if self._closed:
            raise Closed
        start = time.monotonic()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command("once"), stdin=pipe, stdout=pipe, stderr=pipe, env=environment()
        )
        killed = False
        with self._process as process:
            try:
                data = json.dumps(message).encode() + b"\n"
                out, said = process.communicate(data, message["timeout"] + KILL_AFTER + _START)
            except subprocess.TimeoutExpired:
                killed = True
                process.kill()
                out, said = process.communicate()
        columns: dict[str, Any] = {}
        for line in out.splitlines():
            columns |= json.loads(line)
        if "status" not in columns:
            columns |= judge(message, process.returncode, said, killed)
        columns["seconds"] = round(time.monotonic() - start, 3)
        return complete(message, columns)

    def close(self) -> None:
        self._closed = True
        if self._process is not None:
            self._process.kill()

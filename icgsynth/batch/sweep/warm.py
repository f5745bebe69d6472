"""A process that has everything loaded and forks a child for each job: no start-up to wait for."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from typing import Any

from icgsynth.batch.sweep.isolated import KILL_AFTER
from icgsynth.batch.sweep.record import Record
from icgsynth.batch.sweep.serve import READY
from icgsynth.batch.sweep.start import Closed, command, environment, not_run

__all__ = ["Warm"]

_STUCK = 20.0  # seconds past a kill that the process itself gets, which does the killing
_TRIES = 2


class Warm:
    """A process that has everything loaded and forks a child for each job."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()  # held while the process starts or ends
        self._busy = threading.Lock()  # held while its pipes are in use
        self._closed = False

    def run(self, message: Mapping[str, Any]) -> Record:
        if message["text"] is None:
            return not_run(message, message["reason"], code=2)
        data = json.dumps(message).encode() + b"\n"
        code: int | None = None
        for _ in range(_TRIES):
            with self._busy:
                process = self._started()
                answer = _asked(process, data, message["timeout"] + KILL_AFTER + _STUCK)
            if answer:
                record: Record = json.loads(answer)
                return record
            code = self._stop()
        reason = f"the process that starts the others ended twice (exit code {code})"
        return not_run(message, reason, code=1)

    def close(self) -> None:
        self._closed = True
        self._stop()

    def _started(self) -> subprocess.Popen[bytes]:
        with self._changing:
            if self._closed:
                raise Closed
            if self._process is None:
                self._process = self._start()
            return self._process

    def _start(self) -> subprocess.Popen[bytes]:
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                command("serve"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                bufsize=0,
                env=environment(),
                # The terminal's Ctrl-C is for the process that writes the results.
                start_new_session=True,
            )
            assert process.stdout is not None
            if process.stdout.read(len(READY)) == READY:
                return process
            process.kill()
            with process:
                process.wait()
            said.seek(0)
            words = said.read().decode("utf-8", "replace").strip().splitlines()
        raise RuntimeError(
            f"no process for jobs can be started: {words[-1:] or process.returncode}"
        )

    def _stop(self) -> int | None:
        """Kill the process, if there is one; its exit code."""
        with self._changing:
            process, self._process = self._process, None
            if process is None:
                return None
            process.kill()
            code = process.wait()
        with self._busy:  # whoever reads from it is at the end by now
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
        return code


def _asked(process: subprocess.Popen[bytes], data: bytes, patience: float) -> bytes:
    """One line in, one line out; nothing where the process ends, or is stuck."""
    assert process.stdin is not None and process.stdout is not None
    timer = threading.Timer(patience, process.kill)
    timer.daemon = True
    timer.start()
    try:
        view = memoryview(data)
        while view:
            view = view[process.stdin.write(view) or 0 :]
        parts: list[bytes] = []
        while part := process.stdout.read(1 << 20):
            parts.append(part)
            if part.endswith(b"\n"):
                return b"".join(parts)
    except (OSError, ValueError):  # it died, or was closed, while it was written to
        return b""
    finally:
        timer.cancel()
    return b""

"""The process that jobs are forked from: a job a line on stdin, a record a line on stdout.

It ends with its stdin, and takes a running job with it, so nothing outlives whoever started it,
however that ended.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator

from icgsynth.batch.sweep.isolated import Orphaned, isolated
from icgsynth.batch.sweep.job import Columns, warm, work

__all__ = ["READY", "once", "serve"]

READY = b"ready\n"  # the first line on stdout
_DEPTH = 10_000  # frames: rules may nest deeper than Python's default allows


def serve() -> None:
    """Do jobs until stdin ends."""
    sys.setrecursionlimit(_DEPTH)
    warm()
    gc.collect()
    gc.freeze()  # what is loaded is never looked at again, so its pages stay shared
    os.write(1, READY)
    for line in _messages():
        try:
            record = isolated(json.loads(line), orphaned_by=0)
        except Orphaned:
            return
        data = memoryview(json.dumps(record).encode() + b"\n")
        while data:
            data = data[os.write(1, data) :]


def once() -> None:
    """Do the one job on stdin in this very process, where there is no ``fork``."""
    sys.setrecursionlimit(_DEPTH)

    def tell(columns: Columns) -> None:
        sys.stdout.write(json.dumps(columns) + "\n")
        sys.stdout.flush()

    work(json.loads(sys.stdin.buffer.readline()), tell)


def _messages() -> Iterator[bytes]:
    """Lines of stdin, unbuffered: its end is watched for while a job runs."""
    parts: list[bytes] = []
    while data := os.read(0, 1 << 20):
        parts.append(data)
        if data.endswith(b"\n"):  # the next line only comes after the answer to this one
            yield b"".join(parts)
            parts.clear()

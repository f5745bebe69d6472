"""The results file: whole lines are added to its end, and never changed.

A line is written by one call to the system, and cut off again where only a part of it found room,
so only a process that is killed leaves the last line torn; the next sweep cuts that off.  A lock
keeps a second sweep out.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from icgsynth.benchmark.sweep.record import HEAD, PREFIX, SCHEMA, Limits, Record, line, parse
from icgsynth.errors import InputError, Span

_SYNC = 1.0  # seconds until a written line is flushed to the disk


class Store:
    """The results file of one running sweep, opened and locked; close it by leaving ``with``."""

    def __init__(self, path: Path) -> None:
        """Open and lock the file; :class:`InputError` if that fails or another sweep holds it."""
        self._path, self._is_table = path, path.suffix.lower() == ".csv"
        self._head, self._prefix = (HEAD, SCHEMA.encode()) if self._is_table else (b"", PREFIX)
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a regular file", mend="choose another -o")
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            self._refuse(error, "choose another place")
        self._synced = time.monotonic()
        self._dirty = self._torn = False
        try:
            _lock(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            raise InputError(
                f"{path}: another sweep is writing there",
                mend="wait for it, stop it, or choose another -o",
            ) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(InputError):  # what can be said of the disk was said when it was written to
            self.sync(now=True)
        os.close(self._descriptor)

    def records(self, limits: Limits) -> Iterator[Record]:
        """Yield the records in the file, in order; cut off a torn last line at the end.

        Raises :class:`InputError` at a line that is not of a sweep, or of one with other limits;
        the file is then as it was.
        """
        number, end, last = 0, 0, b""
        with os.fdopen(os.dup(self._descriptor), "rb") as stream:
            stream.seek(0)
            for number, text in enumerate(stream, 1):
                last = text
                if not text.endswith(b"\n") and not self._is_whole(text):
                    break
                end += len(text)
                if number > 1 or text != self._head:
                    yield self._check(number, text, limits)
        if last and last.endswith(b"\n"):
            return
        try:
            if last and self._is_whole(last):  # all but its end was written
                os.write(self._descriptor, b"\n")
            elif self._is_torn(last):
                os.ftruncate(self._descriptor, end)
            elif last:
                self._not_ours(number, last, "this line was not written by a sweep")
        except OSError as error:
            self._refuse(error, "choose another -o")

    def add(self, record: Record) -> None:
        """Append a record as one line, whole or, with InputError, not at all."""
        if self._torn:
            raise InputError(f"{self._path}: the last line is torn", mend="run the sweep again")
        end = os.fstat(self._descriptor).st_size
        data = (b"" if end else self._head) + line(record, self._is_table)
        try:
            written = os.write(self._descriptor, data)
        except OSError as error:
            self._refuse(error, "mend that and run the same command again: it goes on from here")
        if written < len(data):
            try:
                os.ftruncate(self._descriptor, end)
            except OSError:  # nothing may follow the torn line; the next sweep cuts it off
                self._torn = True
            raise InputError(
                f"{self._path}: no room for a line",
                mend="free some space and run the same command again: it goes on from here",
            )
        self._dirty = True
        self.sync()

    def sync(self, now: bool = False) -> None:
        """Flush the lines to the disk, at most once a second unless ``now`` is true."""
        if self._dirty and (now or time.monotonic() - self._synced >= _SYNC):
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self._refuse(error, "mend that and run the same command again")
            self._synced = time.monotonic()
            self._dirty = False

    def _check(self, number: int, text: bytes, limits: Limits) -> Record:
        try:
            record = parse(text, self._is_table)
        except ValueError as error:
            self._not_ours(number, text, str(error))
        there = Limits(record["timeout"], record["memory"])
        if there != limits:
            raise InputError(
                f"{self._path}:{number}: the results there are of {there}, not of {limits}",
                mend="choose another -o, or give the limits that are there",
            )
        return record

    def _is_whole(self, text: bytes) -> bool:
        try:
            parse(text, self._is_table)
        except ValueError:
            return False
        return not self._is_table  # a row may have been cut in its last cell

    def _is_torn(self, text: bytes) -> bool:
        """Return whether ``text`` begins as a sweep's line does, as far as ``text`` goes."""
        size = min(len(text), len(self._prefix))
        return text[:size] == self._prefix[:size] or self._head.startswith(text)

    def _not_ours(self, number: int, text: bytes, why: str) -> NoReturn:
        shown = text.decode("utf-8", "replace").rstrip("\n")
        span = Span(str(self._path), number, 1, shown)
        raise InputError(why, span, "choose another -o: this file was not touched")

    def _refuse(self, error: OSError, mend: str) -> NoReturn:
        reason = (error.strerror or "cannot be written").lower()
        raise InputError(f"{self._path}: {reason}", mend=mend) from None


def _lock(descriptor: int) -> None:
    """Lock the file until the descriptor is closed; OSError where another process holds a lock."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

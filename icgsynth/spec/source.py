"""Read a named text from a file or stdin: decoding, limits of size, and places in the text."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from icgsynth.errors import InputError, Span

STDIN = Path("/dev/stdin")  # what '-' means on the command line

MAX_BYTES = 4_000_000  # bytes of a file of rules: far more than anybody writes by hand
MAX_BYTES_OF_VALUES = 100_000_000  # bytes of a nim sequence: .354 takes 38 MB
MAX_DEPTH = 220  # brackets within each other: Python's recursion bears it
MAX_DIGITS = 1_000  # digits of an integer: the time to read them grows with the square
_ROLE = re.compile(r"^[^;\n]*?\(\s*role\s", re.IGNORECASE | re.MULTILINE)
_ROLE_OF_ASP = re.compile(r"^[^%\n]*\brole\s*\(", re.MULTILINE)
_START = re.compile(r"(?:\s|;[^\n]*+)*+\(")


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the name that messages call it by."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"no text: {self.text!r}", mend="give a string")

    @classmethod
    def read(cls, path: Path, name: str | None = None, most: int = MAX_BYTES) -> Source:
        """Read the file at ``path``, decoded as UTF-8, a byte-order mark skipped.

        Raises :class:`~icgsynth.errors.InputError` where it cannot be read, or has more than
        ``most`` bytes.
        """
        name = "<stdin>" if path == STDIN else name or str(path)
        try:
            if path == STDIN:
                data = _of_stdin(sys.stdin.buffer, name)
            else:
                with path.open("rb") as stream:
                    data = _bytes(stream, name, most)
        except OSError as error:
            reason = (error.strerror or "cannot be read").lower()
            raise InputError(f"{name}: {reason}", mend="check the path") from None
        except ValueError:  # a character that no name of a file may have, such as NUL
            raise InputError(f"{name}: no file has such a name", mend="check the path") from None
        return cls.decode(name, data, most)

    @classmethod
    def decode(cls, name: str, data: bytes, most: int = MAX_BYTES) -> Source:
        """Decode ``data`` (UTF-8, at most ``most`` bytes); InputError at a byte that is wrong."""
        if len(data) > most:
            raise InputError(
                f"{name}: the file is larger than {most:,} bytes",
                mend="split it, or shorten it",
            )
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
            before = data[: error.start + start].decode("utf-8-sig", "replace")
            source = cls(name, data.decode("utf-8-sig", "replace"))
            byte = data[error.start + start]
            raise InputError(
                f"not UTF-8 text (byte 0x{byte:02x})",
                source.span(len(before)),
                "save the file as UTF-8",
            ) from None
        return cls(name, text.replace("\r\n", "\n").replace("\r", "\n"))

    def span(self, offset: int) -> Span:
        """Return the line and column of the character at ``offset``, which is cut to the text."""
        offset = min(max(offset, 0), len(self.text))
        line = self.text.count("\n", 0, offset) + 1
        start = self.text.rfind("\n", 0, offset) + 1
        stop = self.text.find("\n", offset)
        text = self.text[start : stop if stop >= 0 else len(self.text)]
        return Span(self.name, line, offset - start + 1, text)

    def error(self, message: str, offset: int, mend: str = "") -> InputError:
        """Return an input error that points at the character ``offset``."""
        return InputError(message, self.span(offset), mend)


_written: ContextVar[Path | None] = ContextVar("the file that is to be written", default=None)


@contextmanager
def to_be_written(path: Path) -> Iterator[None]:
    """Forbid within the ``with`` block that the file at ``path``, to be written, is read."""
    token = _written.set(path)
    try:
        yield
    finally:
        _written.reset(token)


def _bytes(stream: IO[bytes], name: str, most: int = MAX_BYTES) -> bytes:
    """Return up to ``most`` + 1 bytes of ``stream``; InputError for the file to be written."""
    written = _written.get()
    with suppress(FileNotFoundError, ValueError):  # a new file; a stream that is no file
        if written and os.path.samestat(os.fstat(stream.fileno()), written.stat()):
            raise InputError(
                f"{name}: the same file is to be read and to be written",
                mend="choose another place",
            )
    return stream.read(most + 1)


@lru_cache(maxsize=1)
def _of_stdin(stdin: IO[bytes], name: str) -> bytes:
    """Return all bytes of standard input; they are read once, and later calls return them again."""
    return _bytes(stdin, name)


def quoted(text: str) -> str:
    """Return ``text`` in quotes for a message, cut to 40 characters."""
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


def is_file(name: str) -> bool:
    """Return whether there is a file ``name``; False where no file can have that name."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def looks_like_sum(spec: str) -> bool:
    """Return whether ``spec`` has + or *, as a sum of games, and is not the name of a file."""
    return ("+" in spec or "*" in spec) and not is_file(spec)


def looks_like_gdl(text: str) -> bool:
    """Return whether ``text`` holds a list ``(role ...)``, as every game description (GDL) does."""
    if not text.lstrip().startswith(("(", ";")):
        return False
    return _ROLE.search(text) is not None


def looks_like_pddl(text: str) -> bool:
    """Return whether ``text`` begins with ``(`` after blanks and ``;`` comments."""
    return _START.match(text) is not None


def looks_like_asp(text: str) -> bool:
    """Return whether ``text`` has ``:-`` and ``role(..)``, as clingo encodings of games do."""
    return ":-" in text and _ROLE_OF_ASP.search(text) is not None

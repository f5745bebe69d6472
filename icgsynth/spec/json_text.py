"""Read JSON (RFC 8259) into values with their places, so that errors can point into the file.

The reader is stricter than the standard library's: a key given twice, ``NaN``, numbers past 64-bit
floats and half a surrogate pair are errors.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder, loads
from typing import NoReturn, TypeAlias, TypeVar

from icgsynth.errors import InputError
from icgsynth.spec.source import MAX_DIGITS, Source, quoted

_MAX_DEPTH = 100  # lists and objects within each other: Python's recursion bears it
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NATURALS = re.compile(r"\[[0-9][0-9, \t\n\r]{10000,}+\]")  # long lists: no places are kept
_WORD = re.compile(r"[^\s\[\]{}:,\"]+")
_HEX = r"\\u[0-9a-fA-F]{4}"
_ESCAPE = re.compile(rf"\\u[dD][89abAB][0-9a-fA-F]{{2}}{_HEX}|{_HEX}|\\.|.", re.DOTALL)
_STRINGS = JSONDecoder()
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

_T = TypeVar("_T")
_U = TypeVar("_U")
_List: TypeAlias = "list[Located]"
Value: TypeAlias = (
    "dict[str, Located] | list[Located] | array[int] | str | int | float | bool | None"
)


@dataclass(frozen=True, slots=True)
class Located:
    """A JSON value and the offset where it starts in ``source``."""

    value: Value
    source: Source
    start: int

    @property
    def kind(self) -> str:
        """The JSON name of the value's type, such as "an object"."""
        match self.value:
            case dict():
                return "an object"
            case list() | array():
                return "a list"
            case str():
                return "a string"
            case bool():
                return "true or false"
            case None:
                return "null"
            case _:
                return "a number"

    # --- values of one kind, or an error at the place ------------------------------

    def error(self, message: str, mend: str = "") -> InputError:
        """Return an input error that points at this value."""
        return self.source.error(message, self.start, mend)

    def _wrong(self, wanted: str) -> InputError:
        return self.error(f"{self.kind} where {wanted} belongs", f"write {wanted}")

    def object(self) -> dict[str, Located]:
        if not isinstance(self.value, dict):
            raise self._wrong("an object")
        return self.value

    def list(self) -> _List:
        if isinstance(self.value, array):
            return [Located(number, self.source, self.start) for number in self.value]
        if not isinstance(self.value, list):
            raise self._wrong("a list")
        return self.value

    def naturals(self, most: int) -> array[int]:
        """Return this list of integers as an array; InputError for one outside 0 to ``most``."""
        if isinstance(self.value, array) and max(self.value) <= most:
            return self.value
        return array("q", (item.within(0, most) for item in self.list()))

    def string(self) -> str:
        if not isinstance(self.value, str):
            raise self._wrong("a string")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._wrong("true or false")
        return self.value

    def strings(self) -> tuple[str, ...]:
        return tuple([item.string() for item in self.list()])

    def integer(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self._wrong("an integer")
        return self.value

    def integers(self) -> tuple[int, ...]:
        return tuple([item.integer() for item in self.list()])

    def number(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self._wrong("a number")
        try:
            return float(self.value)
        except OverflowError:
            raise self.error("a number too large", "use a smaller one") from None

    def within(self, least: int, most: int) -> int:
        """Return the integer that this is; InputError unless it is from ``least`` to ``most``."""
        number = self.integer()
        if not least <= number <= most:
            mend = f"write an integer from {least} to {most:,}"
            raise self.error(f"{number} is out of range", mend)
        return number

    def one_of(self, words: Iterable[_T]) -> _T:
        """Return the one of ``words`` that is equal to this string; InputError for none."""
        text, known = self.string(), tuple(words)
        for word in known:
            if str(word) == text:
                return word
        raise self.error(f"unexpected {quoted(text)}", "one of: " + ", ".join(map(str, known)))

    # --- the members of an object ---------------------------------------------------

    def get(self, key: str) -> Located | None:
        """Return the value of ``key`` in this object; None where it is left out or null."""
        found = self.object().get(key)
        return None if found is None or found.value is None else found

    def need(self, key: str, example: str) -> Located:
        """Return the value of ``key``; if it is missing, InputError that advises ``example``."""
        found = self.get(key)
        if found is None:
            raise self.error(f"the key '{key}' is missing", f'add "{key}": {example}')
        return found

    def members(self, key: str) -> dict[str, Located]:
        """Return the members of the object under ``key``; {} where it is left out or null."""
        found = self.get(key)
        return {} if found is None else found.object()

    def items(self, key: str) -> _List:
        """Return the items of the list under ``key``; [] where it is left out or null."""
        found = self.get(key)
        return [] if found is None else found.list()

    def find(self, key: str, read: Callable[[Located], _T], otherwise: _U) -> _T | _U:
        """Return ``read(value)`` for the value of ``key``; ``otherwise`` if it is missing."""
        found = self.get(key)
        return otherwise if found is None else read(found)

    def every(self, key: str, read: Callable[[Located], _T]) -> tuple[_T, ...]:
        """Return ``read(item)`` for each item of the list under ``key``."""
        return tuple(read(item) for item in self.items(key))

    def by_name(self, key: str, read: Callable[[Located], _T]) -> dict[str, _T]:
        """Return ``read(value)`` for each member of the object under ``key``, by its name."""
        return {name: read(member) for name, member in self.members(key).items()}

    def offset(self, index: int) -> int:
        """Return the offset in the file of character ``index`` of this string, counting escapes."""
        at = self.start + 1
        for _ in range(index):
            match = _ESCAPE.match(self.source.text, at)
            if match is None or match.group() == '"':
                break
            at = match.end()
        return at


def read_json(source: Source | Located) -> Located:
    """Return the JSON value in ``source``, unchanged if read before; InputError at a fault."""
    if isinstance(source, Located):
        return source
    reader = _Reader(source)
    value = reader.value(reader.skip(0), 0)
    end = reader.skip(reader.end)
    if end < len(source.text):
        raise source.error("text after the JSON value", end, "a file holds one JSON value")
    return value


class _Reader:
    """A recursive-descent parser of JSON; ``end`` is the offset behind the last value read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.end = 0

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def fail(self, at: int, expected: str) -> NoReturn:
        if at >= len(self.text):
            message = "the text ends too early" if self.text.strip() else "the file is empty"
            raise self.source.error(message, at, f"expected {expected}")
        word = _WORD.match(self.text, at)
        shown = word.group() if word else self.text[at]
        shown = shown if len(shown) <= 20 else shown[:17] + "..."
        raise self.source.error(f"unexpected {shown!r}", at, f"expected {expected}")

    def value(self, at: int, depth: int) -> Located:
        if depth >= _MAX_DEPTH:
            raise self.source.error(f"nested more than {_MAX_DEPTH} deep", at, "write it flatter")
        char = self.text[at : at + 1]
        value: Value
        if char == "{":
            value = self._object(at, depth)
        elif char == "[":
            value = self._list(at, depth)
        elif char == '"':
            value = self._string(at)
        elif char == "-" or char.isdecimal():
            value = self._number(at)
        else:
            word = _WORD.match(self.text, at)
            if word is None or word.group() not in _WORDS:
                self.fail(at, "a JSON value")
            value = _WORDS[word.group()]
            self.end = word.end()
        return Located(value, self.source, at)

    def _object(self, at: int, depth: int) -> dict[str, Located]:
        members: dict[str, Located] = {}
        at = self.skip(at + 1)
        while self.text[at : at + 1] != "}" or members:
            if self.text[at : at + 1] != '"':
                self.fail(at, "a key in double quotes")
            key = self._string(at)
            if key in members:
                raise self.source.error(f"the key '{key}' is given twice", at, "keep one of them")
            at = self.skip(self.end)
            if self.text[at : at + 1] != ":":
                self.fail(at, "':' after the key")
            members[key] = self.value(self.skip(at + 1), depth + 1)
            at = self.skip(self.end)
            if self.text[at : at + 1] == "}":
                break
            if self.text[at : at + 1] != ",":
                self.fail(at, "',' or '}'")
            at = self.skip(at + 1)
        self.end = at + 1
        return members

    def _list(self, at: int, depth: int) -> list[Located] | array[int]:
        if (long := _NATURALS.match(self.text, at)) is not None:
            with suppress(ValueError, OverflowError):  # told with its place, below
                numbers = array("q", loads(long.group()))
                self.end = long.end()
                return numbers
        items: list[Located] = []
        at = self.skip(at + 1)
        while self.text[at : at + 1] != "]" or items:
            items.append(self.value(at, depth + 1))
            at = self.skip(self.end)
            if self.text[at : at + 1] == "]":
                break
            if self.text[at : at + 1] != ",":
                self.fail(at, "',' or ']'")
            at = self.skip(at + 1)
        self.end = at + 1
        return items

    def _string(self, at: int) -> str:
        try:
            text, self.end = _STRINGS.raw_decode(self.text, at)
        except JSONDecodeError as error:
            raise self.source.error(*_tell_fault(error.msg, error.pos)) from None
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise self.source.error("half of a surrogate pair in a string", at, "write both halves")
        return str(text)

    def _number(self, at: int) -> int | float:
        match = _NUMBER.match(self.text, at)
        if match is None:
            self.fail(at, "a JSON number")
        word = _WORD.match(self.text, at)
        if word is not None and word.end() != match.end():
            self.fail(at, "a JSON number")
        self.end = match.end()
        if match.group(1) is None and match.group(2) is None:
            if len(match.group()) > MAX_DIGITS + 1:
                message = f"an integer of more than {MAX_DIGITS:,} digits"
                raise self.source.error(message, at, "shorten it")
            return int(match.group())
        number = float(match.group())
        if not math.isfinite(number):
            raise self.source.error("a number too large", at, "use a smaller one")
        return number


def _tell_fault(message: str, at: int) -> tuple[str, int, str]:
    """Return message, offset and advice for the ``message`` and offset of Python's JSON decoder."""
    if message.startswith("Unterminated"):
        return "a string without an end", at, "close it with a double quote on the same line"
    if message.startswith("Invalid control"):
        return "a control character in a string", at, r"write it as \n, \t or \u00XX"
    return "a bad escape in a string", at, r"write \\ for a backslash"

"""Access to clingo in this process: parse programs to syntax trees, and solve small programs.

Grounding a description that a stranger wrote happens in a process of its own
(:mod:`icgsynth.boards.finite.grounder`); what is solved here are programs of our own making.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from icgsynth import wings
from icgsynth.errors import InputError

GREATEST = (1 << 31) - 1
"""The greatest integer of clingo, which silently wraps around greater ones."""

DEEPEST = 220
"""The greatest depth of nested brackets in a program or a term."""

_LONGEST = 2_000  # operators of a sum between two commas or brackets
_LEXEME = re.compile(
    r"""(?P<block>%\*)|%[^\n]*
      |"(?:[^"\\\n]|\\[\\n"])*"
      |[_']*[A-Za-z][A-Za-z0-9_']*
      |(?P<number>0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]+)
      |(?P<quote>")|.""",
    re.VERBOSE | re.DOTALL,
)
_NESTING = re.compile(r'%[^\n]*|"(?:[^"\\\n]|\\.)*"|[]()\[{},;.+*/&?^|~-]')
_BLOCK = re.compile(r"%\*|\*%")
_SUSPECT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|0[xob]|[0-9]{10}")

Message = tuple[int, int, str]
"""Line and column (1-based; 0 where unknown), and the text of a message from clingo."""


def _clingo() -> Any:
    if find_spec("clingo") is None:
        message = "answer set programming needs clingo, which is not installed"
        raise wings.lacking(message, "fft")
    import clingo

    return clingo


def with_atoms(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return a syntax ``tree`` of clingo's with each symbolic atom replaced by ``change(atom)``."""

    def visit(_: Any, atom: Any) -> Any:
        return change(atom)

    transformer = type("Atoms", (syntax().Transformer,), {"visit_SymbolicAtom": visit})
    return transformer().visit(tree)


def symbols_of(tree: Any) -> list[Any]:
    """Return the symbols of all atoms in the syntax ``tree`` of clingo's, from left to right."""
    found: list[Any] = []

    def note(atom: Any) -> Any:
        found.append(atom.symbol)
        return atom

    with_atoms(tree, note)
    return found


def syntax() -> Any:
    """Return the module ``clingo.ast``; InputError where clingo is not installed."""
    _clingo()
    import clingo.ast

    return clingo.ast


def number(value: int) -> Any:
    """Return the integer ``value``, within :data:`GREATEST` of 0, as a symbol of clingo."""
    return _clingo().Number(value)


def misread(text: str) -> tuple[int, str] | None:
    """Return the offset of the first text that clingo would misread, and a message; None if none.

    Misread are integers past :data:`GREATEST`, which wrap around, a NUL, which ends the text, and
    letters outside ASCII that stand neither in a string nor in a comment: they are cut in two in
    clingo's message.  Other control characters, and a string that is not closed, are reported too.
    """
    # Nearly all texts end here: ASCII without control characters, long integers or other bases.
    if text.isascii() and not _SUSPECT.search(text):
        return None
    if (at := text.find("\0")) >= 0:
        return at, "an unexpected character '\\x00'"
    at = 0
    # One lexeme after the other, so that what stands in strings and comments is left alone.
    while (found := _LEXEME.match(text, at)) is not None:
        start, at = at, found.end()
        lexeme = found.group()
        if found["block"]:
            at = _after_block(text, start)
        elif found["quote"]:
            return (
                start,
                'a string that is not closed, or has another escape than \\n, \\\\ and \\"',
            )
        elif found["number"] and _value(lexeme) > GREATEST:
            return start, f"an integer past {GREATEST:,}, the greatest that clingo holds"
        elif lexeme[0] == '"':
            odd = (c for c in lexeme if c != "\t" and unicodedata.category(c) == "Cc")
            if (control_character := next(odd, None)) is not None:
                return start, f"an unexpected character {control_character!r} in a string"
        elif not lexeme.isascii() and lexeme[0] != "%":
            return start, f"an unexpected character {lexeme!r}"
    return None


def _too_deep(text: str) -> tuple[int, str] | None:
    """Return the offset where ``text`` nests too deep for clingo, and a message, else None."""
    depth = run = 0
    for found in _NESTING.finditer(text):
        lexeme = found.group()
        depth += (lexeme in "([{") - (lexeme in ")]}")
        # run counts operators since the last bracket or comma: a long sum is parsed by recursion.
        run = 0 if lexeme in ",;.()[]{}" else run + (len(lexeme) == 1)
        if depth > DEEPEST or run > _LONGEST:
            return found.start(), f"nested more than {DEEPEST} deep, or a sum of {_LONGEST} parts"
    return None


def _after_block(text: str, at: int) -> int:
    """Return the offset after the block comment that starts at ``at``; blocks may be nested."""
    depth = 0
    for found in _BLOCK.finditer(text, at):
        depth += 1 if found.group() == "%*" else -1
        if not depth:
            return found.end()
    return len(text)


def _value(digits: str) -> int:
    if len(digits) > 40:
        return GREATEST + 1
    return int(digits, 0) if digits[:2] in ("0x", "0o", "0b") else int(digits)


def parse_statements(text: str) -> tuple[list[Any], list[Message]]:
    """Return the statements of ``text``, in clingo's language, as syntax trees, and the errors."""
    ast = syntax()
    if (found := misread(text) or _too_deep(text)) is not None:
        offset, message = found
        line = text[:offset].rpartition("\n")[2]
        return [], [(text.count("\n", 0, offset) + 1, len(line.encode()) + 1, message)]
    statements: list[Any] = []
    said: list[str] = []

    def hear(code: Any, message: str) -> None:
        said.append(message)

    try:
        ast.parse_string(text, statements.append, logger=hear)
    except RuntimeError as error:
        if not said:
            said.append(str(error))
    return statements, [_place(message) for message in said]


def _place(message: str) -> Message:
    """Parse a clingo message ``<string>:3:5-6: error: ..`` into line, column and text."""
    place, _, rest = message.partition(": error: ")
    if not rest:
        place, _, rest = message.partition(": info: ")
    numbers = place.split(":")[1:3]
    if len(numbers) == 2 and numbers[0].isdecimal():
        column = numbers[1].split("-")[0]
        return int(numbers[0]), int(column) if column.isdecimal() else 1, " ".join(rest.split())
    return 0, 0, " ".join((rest or message).split())


def control(text: str = "", options: Sequence[str] = ()) -> Any:
    """Return a :class:`clingo.Control` with the program ``text`` added and grounded.  ``options``
    are those of clingo's command line. :class:`~icgsynth.errors.InputError` for what clingo would
    misread."""
    clingo = _clingo()
    if (found := misread(text)) is not None:
        raise InputError(f"{found[1]}: {text[found[0] :][:40]!r}", mend="see clingo's language")
    made = clingo.Control(["--warn=none", *options], logger=lambda *_: None)
    if text:
        made.add("base", [], text)
        made.ground([("base", [])])
    return made

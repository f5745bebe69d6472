"""Read codes of games of heaps: ``0.77``, ``.07``, ``4.444``, hexadecimal ``0.3F``, ``4u``.

This reader is all that the search for a period and the replay of its proof have in common.
"""

from __future__ import annotations

from icgsynth.errors import InputError
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.spec.catalog import heap_codes
from icgsynth.spec.source import Source

_DIGITS = "0123456789ABCDEF"
_MOST = 1_000  # digits of a code
_HOW = "a code is d0.d1d2.., as in 0.77, 4.444, 0.3F or 4u"


def read_code(text: str) -> HeapCode:
    """Return the game whose octal or hexadecimal code, or name, is ``text``, as ``0.77``.

    ``heap:`` may stand before a code.  :class:`~icgsynth.errors.InputError` with its place for a
    digit that is out of range or lets play go on for ever; for a code without end, or without move.
    """
    text = heap_codes().get(text, text)
    source = Source("<code>", text)
    at = len("heap:") if text.startswith("heap:") else 0
    if not text[at:].strip():
        raise source.error("the code is empty", at, _HOW)
    if len(text) > _MOST:
        raise InputError(f"a code of more than {_MOST:,} digits", mend=_HOW)
    _refuse_endless(source, at)
    head, point, tail = text[at:].partition(".")
    before = _places(source, at, head)
    after = _places(source, at + len(head) + len(point), tail)
    if len(before) > 1:
        mend = "write the others after it" if point else f"write 0.{text[at:]}"
        raise source.error("more than one digit before the point", before[1][0], mend)
    first = before or [(at, 0, False)]
    _check_first(source, *first[0])
    places = first + after
    while places and not places[-1][1]:
        places.pop()
    if not places:
        raise source.error("all digits are 0, so that there is no move", at, _HOW)
    unequal = frozenset(k for k, (_, _, is_unequal) in enumerate(places) if is_unequal)
    return HeapCode(tuple(digit for _, digit, _ in places), unequal)


def _refuse_endless(source: Source, start: int) -> None:
    """Raise InputError if the code from offset ``start`` on has no end, as 0.333... or 0.(3)."""
    for mark in ("..", "…", "(", "["):
        if (at := source.text.find(mark, start)) >= 0:
            raise source.error(
                "a code without an end: a move could take any number",
                at,
                "write the digits up to the largest number that is taken; where any number is, "
                "write the rules as a game (0.[3] is Nim: action take(k) pre 1 <= k <= a ..)",
            )


def _places(source: Source, start: int, digits: str) -> list[tuple[int, int, bool]]:
    """Return (offset in ``source``, value, whether two heaps left must differ) for each digit.

    ``digits`` is the text of the digits, which begins at offset ``start``; InputError if it is
    wrong.
    """
    found: list[tuple[int, int, bool]] = []
    for at, char in enumerate(digits, start):
        if char in "u!":  # CGSuite writes 4!.0
            if not found or found[-1][1] & 12 != 4 or found[-1][2]:
                mend = "write it behind a digit from 4 to 7, as in 4u"
                raise source.error(f"'{char}' without two heaps that could be unequal", at, mend)
            found[-1] = (*found[-1][:2], True)
        elif char.upper() in _DIGITS:
            found.append((at, _DIGITS.index(char.upper()), False))
        else:
            mend = "a digit is 0 to 7, or 8, 9, A to F where three heaps may be left"
            raise source.error(f"{char!r} is no digit of a code", at, mend)
    return found


def _check_first(source: Source, at: int, digit: int, _: bool) -> None:
    if digit & 3:
        raise source.error(
            f"the digit {digit:X} before the point: a move that takes nothing must leave two heaps "
            "or three",
            at,
            "d0 is 0, 4, 8 or C",
        )

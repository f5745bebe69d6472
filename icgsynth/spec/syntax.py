"""Parse ``.icg`` texts to syntax trees, and suggest how to correct syntax errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from icgsynth.errors import InputError, Span, all_faults
from icgsynth.spec.lalr import END, Token, Unexpected, tables
from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source, quoted

DIGIT_FUNCTIONS = re.compile(r"shift|unshift|lowpart|zeros|nimsum_([0-9]{1,4})")
NO_DIGITS = (
    "rules are linear but for binary digits in what a move requires; other digits belong to an "
    'answer, whose "logic" names a numeration system, such as "base-2"'
)

_SPOKEN = {
    "NAME": "a name",
    "INT": "an integer",
    "STRING": "a string",
    "COMPARISON": "a comparison",
    "EQUAL": "'='",
    "SIGN": "'+' or '-'",
    "$END": "the end of the file",
}
_LIMITED = re.compile(
    rf"""\#[^\n]* | "[^"\n]*["\n]? | (?P<open>[({{]) | (?P<close>[)}}])
    | (?<![0-9]) (?P<digits>[0-9]{{{MAX_DIGITS + 1}}})""",
    re.VERBOSE,
)
_ITEMS = re.compile(
    r"""\#[^\n]* | "[^"\n]*["\n]? | \b(?P<item>const|var|legal|end|block|misere|cite|action)\b""",
    re.VERBOSE,
)
_FIRST_WORD = re.compile(r"(?:#[^\n]*|\s+)*+(\w*)")
_LIKE = 0.8  # least similarity of a misspelt word to a word of the language
_MOST_FAULTS = 10  # syntax errors that are reported for one file
_ORDINARY = 100_000  # characters of a file; a longer one is not parsed again after an error


def read_items(source: Source) -> Any:
    """Return the syntax tree of a file; InputError with up to ten faults, or one in a long file."""
    faults: list[InputError] = []
    less: Source | None = source
    first = _FIRST_WORD.match(source.text)
    start = first[1] if first is not None and first[1] in ("heaps", "piles") else "file"
    while less is not None and len(faults) < _MOST_FAULTS:
        try:
            tree = read_tree(less, start)
            break
        except InputError as fault:
            faults.append(fault)
            less = _without_item(less, fault)
    if faults:
        raise all_faults(_with_lines(source, faults))
    return tree


def _without_item(source: Source, fault: InputError) -> Source | None:
    """Return ``source`` with blanks for the declaration that has ``fault``, so that further errors
    can be found; None where that makes no sense."""
    if fault.span is None or "another name" in fault.mend or len(source.text) > _ORDINARY:
        return None
    lines = source.text.split("\n")[: fault.span.line - 1]
    place = sum(len(line) + 1 for line in lines) + fault.span.column - 1
    starts = [match.start() for match in _ITEMS.finditer(source.text) if match["item"]]
    # The error of an item that ends too early is at the first word of the next item.
    before = [start for start in starts if start < place]
    if not before:
        return None
    end = next((start for start in starts if start >= max(place, before[-1] + 1)), None)
    item = source.text[before[-1] : end]
    rest = "" if end is None else source.text[end:]
    return Source(source.name, source.text[: before[-1]] + re.sub(r"[^\n]", " ", item) + rest)


def _with_lines(source: Source, faults: list[InputError]) -> list[InputError]:
    """Return ``faults`` sorted by place; each quotes its line as it stands in ``source``."""
    lines = source.text.split("\n")
    placed = [(fault.span, fault) for fault in faults if fault.span is not None]
    placed.sort(key=lambda pair: (pair[0].line, pair[0].column))
    return [
        type(fault)(fault.message, replace(span, text=lines[span.line - 1]), fault.mend)
        for span, fault in placed
    ]


def read_tree(source: Source, start: str) -> Any:
    """Return the syntax tree of ``source`` for the start symbol ``start``; InputError if wrong."""
    _check_limits(source)
    syntax = tables(start)
    try:
        return syntax.parse(source.text)
    except Unexpected as error:
        token = error.token
        expected = sorted(_SPOKEN.get(kind) or syntax.spoken[kind] for kind in error.kinds)
        listed = ", ".join(expected[:8]) + (", ..." if len(expected) > 8 else "")
        if not token.kind:
            message, offset = f"unexpected character {str(token)!r}", token.start
        elif token.kind == END:
            message, offset = "the text ends too early", len(source.text.rstrip())
        else:
            is_word = token.kind.isupper() and token.isidentifier() and token.kind != "NAME"
            message = f"unexpected {quoted(token)}" + " (a reserved word)" * is_word
            offset = token.start
            item = _ITEMS.fullmatch(token)
            if item is not None and item["item"] and "'action'" not in expected:
                read = takewhile(lambda each: each.start < offset, syntax.tokens(source.text))
                end = max((each.start + len(each) for each in read), default=offset)
                if "\n" in source.text[end:offset]:  # what is missing is in the line before
                    message, offset = "the line ends too early", end
        mend = find_habit(source.span(offset))
        if not mend:
            mend = _mend(token, expected)
            if line := _rewrite(source, start, source.span(offset)):
                named = re.search("write '(.*?)'", mend)
                mend = f"{mend if named and named[1] in line else 'write'}: {line}"
        raise source.error(message, offset, mend or f"expected {listed}") from None


_SHORT = 160  # characters of a line that is printed corrected
_PARSED = 100_000  # characters that are parsed to find the mend of one line: about half a second


class Habits(NamedTuple):
    """Spellings of other languages that people use in rules, read from ``habits.toml``."""

    words: Mapping[str, str]
    says: Sequence[tuple[re.Pattern[str], str]]
    writes: Sequence[tuple[re.Pattern[str], str]]


@cache
def _habits() -> Habits:
    import tomllib

    read = tomllib.loads(Path(__file__).with_name("habits.toml").read_text("utf-8"))
    words = {each: word for several, word in read["words"].items() for each in several.split()}
    changes = [rf"\b{each}\b" if each.isalpha() else rf"\s*{re.escape(each)}+\s*" for each in words]
    says = {each["line"].replace("§", "(?P<here>)"): each["mend"] for each in read["says"]}
    signs = [(change, f" {word} ") for change, word in zip(changes, words.values(), strict=True)]
    return Habits(
        words,
        [(re.compile(pattern), mend) for pattern, mend in says.items()],
        [(re.compile(pattern), word) for pattern, word in read["writes"]["patterns"] + signs],
    )


def find_habit(place: Span) -> str:
    """Return advice on a known mistake at ``place``, as from other languages; "" if none."""
    for pattern, mend in _habits().says if len(place.text) <= 10 * _SHORT else ():
        for found in pattern.finditer(place.text):
            if found.start("here") == place.column - 1:
                plain = re.sub(r"\W", "_", found[0].rpartition(" ")[2])
                numbers = ", ".join(re.findall(r"\b\d+", found[0]))
                given = {"plain": plain, "numbers": numbers, "file": place.source}
                return mend.format_map(given | found.groupdict(""))
    return ""


def _rewrite(source: Source, start: str, place: Span) -> str:
    """Return the line at ``place`` with other languages' spellings corrected; "" if still wrong."""
    lines = source.text.split("\n")
    before = lines[: place.line - 1]
    after = [each.partition("#")[0] for each in lines[place.line :]]
    line, behind = place.text, len("\n".join(["", *after]).lstrip())

    def fault(changed: str) -> tuple[bool, int]:
        """Return whether ``changed`` is wrong, and the number of characters after its fault."""
        text = "\n".join([*before, changed, *after])
        # The line is right if the fault is behind it, not where an item might begin.
        try:
            tables(start).parse(text)
        except Unexpected as error:
            left = len(text) - error.token.start
            return left > behind or (left == behind and "ACTION" not in error.kinds), left
        return False, -1

    if not line or len(line) > _SHORT or '"' in line:
        return ""
    tries = iter(range(_PARSED // len(source.text)))
    found = fault(line)
    while found[0]:
        changed = (each for _, each in zip(tries, _changes(line), strict=False))
        line, before_it = min(changed, key=fault, default=""), found
        found = fault(line)
        if found >= before_it:
            return ""
    return " ".join(line.split())


def _changes(line: str) -> Iterator[str]:
    """Yield copies of ``line``, each with one spelling of another language corrected."""
    code = line.partition("#")[0]
    for pattern, written in _habits().writes:
        for found in pattern.finditer(code):
            yield line[: found.start()] + found.expand(written) + line[found.end() :]


def _mend(token: Token, expected: list[str]) -> str:
    """Return advice to replace or remove ``token`` where ``expected`` may stand; "" if unknown."""
    word = _habits().words.get(str(token).lower(), "")
    if f"'{word}'" in expected or (word and not token.kind):
        return f"write '{word}'"
    near = get_close_matches(f"'{token}'", expected, 1, _LIKE) if token.kind == "NAME" else []
    unknown = "" if token.kind else "remove it"
    return f"did you mean {near[0]}?" if near else unknown


def _check_limits(source: Source) -> None:
    """Raise InputError for nesting or integers past the limits, before any recursion."""
    depth = 0
    for match in _LIMITED.finditer(source.text):
        match match.lastgroup:
            case "open":
                depth += 1
                if depth > MAX_DEPTH:
                    message = f"nested more than {MAX_DEPTH} deep"
                    mend = "write it with fewer parentheses"
                    raise source.error(message, match.start(), mend)
            case "close":
                depth -= 1
            case "digits":
                message = f"an integer of more than {MAX_DIGITS:,} digits"
                raise source.error(message, match.start(), "shorten it")

"""The syntax of ``.icg`` texts: characters -> tree, by the grammar in ``icg.lark``."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

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
_LIKE = 0.8  # of a misspelt word that is taken for one of the language
_MOST_FAULTS = 10  # of the syntax of one file
_ORDINARY = 100_000  # characters of a file that is read again for each fault


def read_items(source: Source) -> Any:
    """Parse a file; raise an error for each wrong item if the file has an ordinary length."""
    faults: list[InputError] = []
    left, first = source, _FIRST_WORD.match(source.text)
    start = first[1] if first is not None and first[1] in ("heaps", "piles") else "file"
    while True:
        try:
            tree = read_tree(left, start)
        except InputError as fault:
            faults.append(fault)
            less = _without_item(left, fault)
            if less is None or len(faults) == _MOST_FAULTS or len(left.text) > _ORDINARY:
                break
            left = less
        else:
            break
    if faults:
        raise all_faults(_with_lines(source, faults))
    return tree


def _without_item(source: Source, fault: InputError) -> Source | None:
    """``source`` with blanks for the item that is at fault; None where it is in none."""
    if fault.span is None:
        return None
    lines = source.text.split("\n")[: fault.span.line - 1]
    place = sum(len(line) + 1 for line in lines) + fault.span.column - 1
    starts = [match.start() for match in _ITEMS.finditer(source.text) if match["item"]]
    # The word that begins the next item is where an item fails that ends too early.
    before = [start for start in starts if start < place]
    if not before:
        return None
    end = next((start for start in starts if start >= max(place, before[-1] + 1)), None)
    item = source.text[before[-1] : end]
    rest = "" if end is None else source.text[end:]
    return Source(source.name, source.text[: before[-1]] + re.sub(r"[^\n]", " ", item) + rest)


def _with_lines(source: Source, faults: list[InputError]) -> list[InputError]:
    """The faults in their order, with the lines of the text as it was written."""
    lines = source.text.split("\n")
    placed = [(fault.span, fault) for fault in faults if fault.span is not None]
    placed.sort(key=lambda pair: (pair[0].line, pair[0].column))
    return [
        type(fault)(fault.message, replace(span, text=lines[span.line - 1]), fault.mend)
        for span, fault in placed
    ]


def read_tree(source: Source, start: str) -> Any:
    """The tree of ``source`` from the rule ``start``; InputError where it has none."""
    _check_limits(source)
    syntax = tables(start)
    try:
        return syntax.parse(source.text)
    except Unexpected as error:
        token = error.token
        if not token.kind:
            message = f"unexpected character {str(token)!r}"
            raise source.error(message, token.start, _character_mend(token)) from None
        if token.kind == "XOR":
            mend = "put the sum in parentheses"
            raise source.error("'xor' after a sum", token.start, mend) from None
        expected = sorted(_SPOKEN.get(kind) or syntax.spoken[kind] for kind in error.kinds)
        listed = ", ".join(expected[:8]) + (", ..." if len(expected) > 8 else "")
        if token.kind == END:
            message, offset = "the text ends too early", len(source.text.rstrip())
        else:
            message, offset = f"unexpected {_quoted(token)}", token.start
            item = _ITEMS.fullmatch(token)
            if item is not None and item["item"] and "'action'" not in expected:
                read = takewhile(lambda each: each.start < offset, syntax.tokens(source.text))
                end = max((each.start + len(each) for each in read), default=offset)
                if "\n" in source.text[end:offset]:  # what is missing is in the line before
                    message, offset = "the line ends too early", end
        mend = _habit(source.span(offset))
        if token.kind != END:
            mend = mend or _mend(source.text, token, error.before, expected)
        raise source.error(message, offset, mend or f"expected {listed}") from None


def _quoted(token: Token) -> str:
    text = str(token)
    reserved = token.kind.isupper() and text.isidentifier() and token.kind != "NAME"
    return quoted(text) + (" (a reserved word)" if reserved else "")


# What other languages and textbooks write, and what it is called here.
_SIMILAR = {
    sign: word
    for word, signs in (
        *(("and", "&∧"), ("or", "|∨"), ("not", "~¬"), ("not, or !=", "!")),
        *(("mod", "%"), ("div", "/"), ("xor", "^⊕"), ("in", "∈"), ("*", "·×"), ("-", "−")),
        *(("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("->", "→⇒"), ("<->", "↔⇔")),
        *(("exists", "∃"), ("forall", "∀")),
    )
    for sign in signs
}


_WORDS = {
    **dict.fromkeys(("vars", "variable", "variables"), "var"),
    **dict.fromkeys(("effect", "effects", "then"), "eff"),
    **dict.fromkeys(("precondition", "requires", "when"), "pre"),
    **dict.fromkeys(("actions", "move", "moves"), "action"),
    **dict.fromkeys(("constant", "consts"), "const"),
    **dict.fromkeys((",", ";"), "and"),
}
_CHANGED = re.compile(r"([-+*])=\s*(\w+)?")


_HABITS = {
    r"\s*(?P<word>game|heaps|piles)\s+(?P<name>\w+)\s+(?P<here>[A-Za-z][^\"#]*)": (
        'put the title in quotes: {word} {name} "{here}"'
    ),
    r"\s*const\s+(?P<name>\w+)(?P<here>)\s*(?:#.*)?$": "give it a value: const {name} = 4",
    r"(?:.*\s)?(?:game|heaps|piles|var|const|action)\s+(?:\w+\s*,\s*)*"
    r"(?P<dashed>\w+(?P<here>[-.])[\w.-]+)": "a name has letters, digits and _: {plain}",
    r"(?:.*\W)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<some>\d+(?:\s*,\s*\d+|\s+or\s+\d+)+)": (
        "write '{name} in {{{numbers}}}'"
    ),
    r"\s*(?P<here>start|init|initial|initially)\b[^#\d-]*(?P<at>[^#]*)": (
        "rules have no start: 'icgsynth play {file} --start {at}' gives one"
    ),
    r"(?:.*\s)?var\s+(?:\w+\s*,\s*)*(?P<name>\w+)\s*(?P<here>:?=)\s*(?P<at>-?\w*)": (
        "write 'var {name}'; 'icgsynth play {file} --start {at}' says where play starts"
    ),
}
"""Lines as people write them out of habit, and the mend; a fault in them is ``here``."""


def _habit(place: Span) -> str:
    """The mend where a line of rules is written as in prose; empty where it is not."""
    for pattern, mend in _HABITS.items():
        if (found := re.match(pattern, place.text)) is not None:
            given = {name: (text or "").strip() for name, text in found.groupdict().items()}
            given["file"], given["plain"] = place.source, re.sub(r"\W", "_", found[0].split()[-1])
            given["numbers"] = ", ".join(re.findall(r"\d+", given.get("some", "")))
            at = place.column - 1
            if found.start("here") == at if "here" in given else found.start("some") < at:
                return mend.format_map(given)
    return ""


def _mend(text: str, token: Token, name: object, expected: list[str]) -> str:
    """Return the mend for a word of another language at this place; "" where none is known."""
    word = _WORDS.get(str(token).lower(), "")
    if f"'{word}'" in expected:
        return f"write '{word}'"
    before = text[max(0, token.start - 1) : token.start]
    match before + token:
        case "==":
            return "write '=' for equal"
        case "=>":
            return "write '->' for implies, or '>=' for at least"
        case "<>":
            return "write '!='"
        case _ if "':='" in expected:
            if found := _CHANGED.match(text, token.start):
                return f"write '{name} := {name} {found[1]} {found[2] or '..'}'"
            return "write ':='" if token == "=" else ""
    near = get_close_matches(f"'{token}'", expected, 1, _LIKE) if token.kind == "NAME" else []
    return f"did you mean {near[0]}?" if near else ""


def _character_mend(found: str) -> str:
    if found == '"':
        return "close the string on the same line"
    if found in _SIMILAR:
        return f"write '{_SIMILAR[found]}'"
    if not found.isascii():
        return "only comments and strings may hold characters beyond ASCII"
    return "use parentheses, or braces for a set: {1, 3}" if found in "[]" else "remove it"


def _check_limits(source: Source) -> None:
    """Refuse nesting and integers past the limits before any recursion meets them."""
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

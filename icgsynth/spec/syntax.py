"""The syntax of ``.icg`` texts: characters -> tree, by the grammar in ``icg.lark``.

Formulas and terms of answers may say more: the starts with ``digit`` in front read them, by
``icg.lark`` and ``digits.lark`` together.

Compiling the grammar takes longer than reading a game, so the compiled tables stand in
``icg.tables``.  They are used where grammar and lark are the ones they were made from;
otherwise the grammar is compiled.  After a change of either, write them again::

    python -c "from icgsynth.spec.syntax import write_tables; write_tables()"
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import compress, decompress

import lark
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer, PatternStr

from icgsynth.errors import InputError, OutsideLogic
from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source

__all__ = [
    "DIGIT_FUNCTIONS",
    "NO_DIGITS",
    "STARTS",
    "TokenReader",
    "compiled",
    "grammar",
    "load",
    "read_tree",
    "write_tables",
]

STARTS = ("file", "formula", "term", "digit formula", "digit term")
DIGIT_FUNCTIONS = re.compile(r"shift|unshift|lowpart|zeros|nimsum_([0-9]{1,4})")
NO_DIGITS = (
    "rules are linear; digits belong to an answer, "
    'whose "logic" names a numeration system, such as "base-2"'
)

_GRAMMAR = Path(__file__).with_name("icg.lark")
_DIGITS = Path(__file__).with_name("digits.lark")
TABLES = Path(__file__).with_name("icg.tables")
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


def read_tree(source: Source, start: str) -> Tree[Token]:
    """The tree of ``source`` from the rule ``start``; InputError where it has none."""
    _check_limits(source)
    parser = parser_of(start)
    try:
        return parser.parse(source.text)
    except UnexpectedCharacters as error:
        offset = error.pos_in_stream or 0
        found = source.text[offset]
        message = f"unexpected character {found!r}"
        raise source.error(message, offset, _character_mend(found)) from None
    except (UnexpectedEOF, UnexpectedToken) as error:
        token = getattr(error, "token", None)
        if token is not None and (outside := _beyond(source, token, error)) is not None:
            raise outside from None
        names = getattr(error, "accepts", None) or error.expected
        expected = sorted(_spoken(parser, name) for name in names)
        listed = ", ".join(expected[:8]) + (", ..." if len(expected) > 8 else "")
        if token is None or token.type == "$END":
            raise source.error(
                "the text ends too early", len(source.text.rstrip()), f"expected {listed}"
            ) from None
        offset = token.start_pos if token.start_pos is not None else 0
        raise source.error(f"unexpected {_quoted(token)}", offset, f"expected {listed}") from None


def _beyond(
    source: Source, token: Token, error: UnexpectedEOF | UnexpectedToken
) -> InputError | None:
    """What to say where rules speak of digits or sets as answers do; None where they do not."""
    offset = token.start_pos or 0
    state = getattr(error, "state", None)
    last = state.value_stack[-1] if state is not None and state.value_stack else None
    before = last if isinstance(last, Token) else Token("", "")
    if token == "xor" and "SIGN" in error.expected:
        return OutsideLogic("'xor' is not linear", source.span(offset), NO_DIGITS)
    if token == "(" and before.type == "NAME" and DIGIT_FUNCTIONS.fullmatch(before):
        message = f"'{before}' is not linear"
        return OutsideLogic(message, source.span(before.start_pos or 0), NO_DIGITS)
    if token.type == "XOR":
        return source.error("'xor' after a sum", offset, "put the sum in parentheses")
    named = re.match(r",[^(){}]*\)\s*in\s+([A-Za-z_]\w*)", source.text[offset:])
    if named or (token.type == "NAME" and before == "in"):
        what = named[1] if named else _quoted(token).strip("'")
        mend = "list its integers: k in {1, 3}; an answer may name a set that an automaton knows"
        return source.error(f"'{what}' is not a set here", offset, mend)
    return None


def _quoted(token: Token) -> str:
    text = str(token)
    shown = text if len(text) <= 40 else text[:37] + "..."
    reserved = token.type.isupper() and text.isidentifier() and token.type != "NAME"
    return f"'{shown}'" + (" (a reserved word)" if reserved else "")


def _spoken(parser: Lark, name: str) -> str:
    if name in _SPOKEN:
        return _SPOKEN[name]
    pattern = parser.get_terminal(name).pattern
    return f"'{pattern.value}'"


def _character_mend(found: str) -> str:
    if found == '"':
        return "close the string on the same line"
    if not found.isascii():
        return "only comments and strings may hold characters beyond ASCII"
    similar = {"&": "and", "|": "or", "!": "not, or !=", "%": "mod", "/": "div", "~": "not"}
    return f"write '{similar[found]}'" if found in similar else "remove it"


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


# --- the parser ------------------------------------------------------------------


class TokenReader(Lexer):
    """The tokens of lark's basic lexer without lines and columns, in a third of its time."""

    def __init__(self, conf: LexerConf) -> None:
        words = [t for t in conf.terminals if _is_word(t)]
        self._words = {t.pattern.value: t.name for t in words}
        self._xor = self._words.pop("xor", "NAME")
        others = [t for t in conf.terminals if t not in words]
        others.sort(key=lambda t: -t.pattern.max_width)
        ignored = "|".join(t.pattern.to_regexp() for t in others if t.name in conf.ignore)
        tokens = "|".join(
            f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in others if t.name not in conf.ignore
        )
        self._token = re.compile(rf"(?:{ignored})*+(?:{tokens}|(?P<unknown>(?s:.))|\Z)")

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        words = self._words
        before = ""
        for match in self._token.finditer(text):
            kind = match.lastgroup
            if kind is None:
                return
            value, start = match[kind], match.start(kind)
            if kind == "unknown":
                raise UnexpectedCharacters(text, start, 1, 1)  # type: ignore[no-untyped-call]
            if kind == "NAME":
                kind = words.get(value, kind)
                if value == "xor" and before in ("NAME", "INT", "RPAR"):
                    kind = self._xor  # between operands; anywhere else it is a name
            before = kind
            yield Token(kind, value, start)


def _is_word(terminal: Any) -> bool:
    return isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isidentifier()


@cache
def parser_of(start: str) -> Lark:
    return load(start) or compiled(start)


def compiled(start: str) -> Lark:
    """The parser of the rule ``start``, from the grammar.

    Each rule has its own: only the words that it can reach are reserved.
    """
    return Lark(
        grammar(start),
        parser="lalr",
        lexer=TokenReader,
        start=start.removeprefix("digit "),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def grammar(start: str) -> str:
    """The text of the grammar that reads ``start``."""
    files = (_GRAMMAR, _DIGITS) if start.startswith("digit ") else (_GRAMMAR,)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def load(start: str) -> Lark | None:
    """The parser of ``start`` from the tables; None if they are of another grammar or lark."""
    try:
        with TABLES.open("rb") as stream:
            if stream.readline() != _origin():
                return None
            return Lark.load(BytesIO(decompress(pickle.load(stream)[start])))
    except FileNotFoundError:
        return None


def write_tables() -> None:
    """Make the tables anew."""
    tables: dict[str, bytes] = {}
    for start in STARTS:
        compiled(start).save(stream := BytesIO())
        tables[start] = compress(stream.getvalue())
    TABLES.write_bytes(_origin() + pickle.dumps(tables))


def _origin() -> bytes:
    """What the tables are made from, as one line."""
    text = grammar("digit file")
    return f"lark {lark.__version__} {sha256(text.encode()).hexdigest()}\n".encode()

"""Pygments lexer for ``.icg`` files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ITEMS = (
    *("game", "heaps", "piles", "const", "var", "legal", "end", "touch"),
    *("action", "pre", "eff", "into", "cite", "repeat", "for"),
)
WORDS = ("not", "and", "or", "true", "false", "in", "exists", "forall", "if", "then", "else")
FUNCTIONS = ("min", "max", "abs", "mod", "div")


class IcgLexer(RegexLexer):
    """The words of the language; everything else is a name, a number or a sign."""

    name = "icg"
    aliases: ClassVar[list[str]] = ["icg"]
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"#.*", Comment.Single),
            (r'"[^"\n]*"', String),
            (words(ITEMS, r"\b", r"\b"), Keyword.Declaration),
            (words(WORDS, r"\b", r"\b"), Operator.Word),
            (words(FUNCTIONS, r"\b", r"\b"), Name.Builtin),
            (r"[A-Za-z_]\w*", Name),
            (r"\d+", Number.Integer),
            (r":=|<->|->|<=|>=|!=|[-+*=<>]", Operator),
            (r"[(){},.]", Punctuation),
            (r"\s+|.", Text),  # also what is no part of the language: examples show errors
        ]
    }


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_lexer("icg", IcgLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

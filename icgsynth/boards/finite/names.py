"""Write, split and quote the names of facts and actions, such as ``cell(1,1,x)``.

A name that a tree could misread, because it holds a blank, a colon or a word of the tree's own,
stands between backquotes there, as in :func:`quoted`.
"""

from __future__ import annotations

import re

_KEYWORDS = frozenset({"if", "not", "and", "or", "meta", "true", "always"})
_BARE = re.compile(r"[\w+*/=<>.'(),-]+")
_ODD = re.compile(r"(?:^|[(,])[(),]|\)[^,)]|,$")  # a tuple, an empty argument, text after ")"
_QUOTED = re.compile(r"`((?:[^`]|``)+)`")
_DEEPEST = 15  # the greatest depth of brackets in a name without quotes


def shown_fact(term: object) -> str:
    """Format a ground ``term`` of KIF, nested lists of strings, as in ``cell(1,1,x)``.  A constant
    with a comma or a quotation mark is written as a string, so that names differ."""
    if isinstance(term, str):
        if "," in term or '"' in term:
            return '"' + term.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return term
    assert isinstance(term, list | tuple)
    return f"{shown_fact(term[0])}({','.join(map(shown_fact, term[1:]))})"


def arguments(inner: str, opening: str = "(", closing: str = ")") -> list[str]:
    """Split ``inner`` at commas that stand in no bracket and in no string.  ``opening`` and
    ``closing`` are the letters that are brackets.  An empty text has no part."""
    found, depth, start, at = [], 0, 0, 0
    while at < len(inner):
        letter = inner[at]
        if letter == '"':
            at += 1
            while at < len(inner) and inner[at] != '"':
                at += 2 if inner[at] == "\\" else 1
        elif letter == "," and not depth:
            found.append(inner[start:at])
            start = at + 1
        else:
            depth += (letter in opening) - (letter in closing)
        at += 1
    return [*found, inner[start:]] if inner else []


def words(name: str) -> tuple[str, ...]:
    """Split ``name`` into words: ``cell(1,2,x)`` into cell, 1, 2 and x; at least one."""
    return tuple(re.findall(r"[^\s(),]+", name)) or (name,)


def is_number(word: str) -> bool:
    """Return whether ``word`` consists of the digits 0 to 9 alone."""
    return word.isascii() and word.isdecimal()


def quoted(name: str) -> str:
    """Return ``name`` as trees of rules have it: in backquotes if it could be misread without."""
    first = re.split(r"\W", name, maxsplit=1)[0]
    depth = deepest = 0
    for letter in name:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
        if depth < 0 or (letter == "," and not depth):
            break
    reads_back = (
        _BARE.fullmatch(name)
        and not depth
        and deepest <= _DEEPEST
        and not _ODD.search(name)
        and first.lower() not in _KEYWORDS
    )
    return name if reads_back else "`" + name.replace("`", "``") + "`"


def unquoted(text: str) -> str | None:
    """Return the name that ``text`` has between backquotes (doubled ones halved), or None."""
    found = _QUOTED.fullmatch(text)
    return found.group(1).replace("``", "`") if found else None

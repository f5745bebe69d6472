"""Warnings for encodings in clingo's language that are written with habits of GDL and of Prolog.

clingo has no keyword ``distinct(A,B)``: it is read as ``A != B``.  A keyword inside a term is a
name there, and a predicate that no rule derives never holds; both are warned of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.rules.gdl_habits import tell_unmade

_GIVEN = {("true", 1), ("does", 2)}  # predicates given by a position and a move
_ALIKE = 0.75  # similarity of a misspelt name to a known one (difflib's ratio)
_PROLOG = {
    r"\\\+|~": "not",
    r"=\\=|\\==?": "!=",
    r"=<": "<=",
    r"\bis\b": "=",
    r"&+(?=\s*\w+\()|\band\b": ",",
    r"<-|<=(?=\s*\w+\()": ":-",
}  # signs of Prolog and of logic, and what clingo has in their place


def find_mend(text: str, at: int) -> tuple[int, str]:
    """Return where to mend a syntax error that clingo reports at ``at`` in ``text``, and how.
    Places are offsets in ``text``; the second result is advice, as "end the rule with '.'"."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].partition("\n")[0].partition("%")[0]
    for sign, written in _PROLOG.items():
        if found := re.search(sign, line):
            return start + found.start(), f"write '{written}' for '{found.group()}'"
    before = re.sub("%[^\n]*", lambda found: " " * len(found.group()), text[:start]).rstrip()
    if before and not before.endswith(".") and not text[start:at].strip():
        return len(before), "end the rule with '.'"
    return at, "see clingo's language: rules end in '.'"


def with_distinct(tree: Any) -> tuple[Any, bool]:
    """Return a rule with ``A != B`` in place of each ``distinct(A,B)``, and whether it had any.
    ``tree`` is the rule's syntax tree of clingo's."""
    ast = asp.syntax()
    kind, found = ast.ASTType, False
    body = []
    for part in tree.body:
        symbol = _symbol(part, kind)
        if symbol is not None and symbol.name == "distinct" and len(symbol.arguments) == 2:
            left, right = symbol.arguments
            guard = ast.Guard(ast.ComparisonOperator.NotEqual, right)
            part, found = part.update(atom=ast.Comparison(left, [guard])), True
        body.append(part)
    return (tree.update(body=body), True) if found else (tree, False)


def _symbol(part: Any, kind: Any) -> Any | None:
    """Return the atom of a body condition, as clingo's symbol; None for any other condition."""
    if part.ast_type != kind.Literal or part.atom.ast_type != kind.SymbolicAtom:
        return None
    symbol = part.atom.symbol
    return symbol if symbol.ast_type == kind.Function else None


def warn_underived(rules: Sequence[tuple[Any, str]]) -> Iterator[str]:
    """Yield a warning for each predicate in a body that no rule derives.  ``rules`` are pairs of a
    syntax tree of clingo's and the text of its place."""
    heads = {_signature(tree.head.atom.symbol) for tree, _ in rules} | _GIVEN
    names = sorted({name for name, _ in heads})
    inside = {name for tree, _ in rules for whole in asp.symbols_of(tree) for name in _inner(whole)}
    told: set[tuple[str, int]] = set()
    for tree, place in rules:
        for part in tree.body:
            for symbol in asp.symbols_of(part):
                if (known := _signature(symbol)) in heads or known in told:
                    continue
                told.add(known)
                near = get_close_matches(known[0], names, 1, _ALIKE)
                asked = f"; did you mean {near[0]}?" if near else ""
                if known[0] in inside:
                    asked = f"; a fact is asked for by true({known[0]}(..))"
                yield f"{place}: no rule derives {known[0]}/{known[1]}: it never holds{asked}"


def warn_unmade(rules: Sequence[tuple[Any, str]]) -> Iterator[str]:
    """Yield a warning for each fact in a condition ``true``, and each move in ``does``, that no
    rule for ``init``, ``next`` or ``legal`` makes.  ``rules`` are pairs of a syntax tree of
    clingo's and the text of its place."""
    for word, makers in (("true", ("init", "next")), ("does", ("legal",))):
        heads = [tree.head.atom.symbol for tree, _ in rules]
        made = [_fact_signature(symbol.arguments[-1]) for symbol in heads if symbol.name in makers]
        known = [known for known in made if known]
        told = {name for name, _ in known}
        for tree, place in rules if len(known) == len(made) else ():
            for part in tree.body:
                for symbol in asp.symbols_of(part):
                    asked = _fact_signature(symbol.arguments[-1]) if symbol.name == word else None
                    if asked is not None and asked[0] not in told:
                        told.add(asked[0])
                        yield f"{place}: {tell_unmade(*asked, makers, [name for name, _ in known])}"


def _fact_signature(term: Any) -> tuple[str, int] | None:
    """Return the name and the number of arguments of a fact or a move; None for a variable."""
    kind = asp.syntax().ASTType
    if term.ast_type == kind.SymbolicTerm:
        return str(term), 0
    return _signature(term) if term.ast_type == kind.Function else None


def warn_misplaced(rules: Sequence[tuple[Any, str]]) -> Iterator[str]:
    """Yield a warning for each keyword inside a term, a mere name there.  ``rules`` are pairs of a
    syntax tree of clingo's and the text of its place."""
    for tree, place in rules:
        for symbol in asp.symbols_of(tree):
            for name in _inner(symbol):
                if name in ("true", "does", "distinct", "legal", "next"):
                    yield f"{place}: {name}(..) inside a term is a name there, and no condition"


def _inner(symbol: Any) -> Iterator[str]:
    pending = list(getattr(symbol, "arguments", ()))
    while pending:
        term = pending.pop()
        if getattr(term, "name", "") and len(getattr(term, "arguments", ())):
            yield term.name
        pending.extend(getattr(term, "arguments", ()))


def _signature(symbol: Any) -> tuple[str, int]:
    return symbol.name, len(symbol.arguments)

"""Warnings for likely slips in GDL rules that the language does not forbid.

A name may be taken with two numbers of arguments, a fact may be asked for without ``true``, and a
keyword may be misspelt in one of its rules: then a condition never holds, or a rule is never read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches

from icgsynth.boards.finite.datalog import DatalogAtom, DatalogLiteral, DatalogRule, Term

_ALIKE = 0.75  # similarity of a misspelt keyword to a real one (difflib's ratio)
_Counts = dict[str, dict[int, int]]  # of each name: the line that first has so many arguments


def find_meant(atom: DatalogAtom, read: Collection[str], known: Mapping[str, int]) -> str | None:
    """Return the keyword that the head ``atom`` seems to misspell; None if there is none.  None
    also if it is in ``read``, the relations that rules read; ``known`` has keywords' arities."""
    if (name := atom.relation) in read or name in known:
        return None
    fit = [word for word, count in known.items() if count == len(atom.arguments)]
    return next(iter(get_close_matches(name, fit, 1, _ALIKE)), None)


def find_slips(
    rules: Sequence[DatalogRule], read: Collection[str], known: Mapping[str, int]
) -> Iterator[str]:
    """Yield a warning for each likely slip in the GDL ``rules``, such as a misspelt keyword.

    ``read`` are the relations that some rule has as a condition, ``known`` the keywords' arities.
    """
    inside: _Counts = {}
    for rule in rules:
        for term in _terms(rule):
            _count(term, rule.line, inside)
    heads = {(rule.head.relation, len(rule.head.arguments)) for rule in rules}
    heads |= {("true", 1), ("does", 2)}
    missing: dict[tuple[str, int], int] = {}
    for rule in rules:
        for part in rule.body:
            if isinstance(part, DatalogLiteral):
                relation = part.atom.relation, len(part.atom.arguments)
                if relation not in heads:
                    missing.setdefault(relation, rule.line)
    for (name, count), line in sorted(missing.items()):
        asked = f"; a fact is asked for by (true ({name} ..))" if name in inside else ""
        yield f"line {line}: no rule derives {name}/{count}: it never holds{asked}"
    yield from _find_unmade(rules)
    for name, counts in sorted(inside.items()):
        (first, at), *others = counts.items()
        for count, line in others:
            yield f"line {line}: {name} has {count} arguments here, and {first} in line {at}"
    told: set[str] = set()
    for rule in rules:
        name = rule.head.relation
        if name not in told and (near := find_meant(rule.head, read, known)):
            told.add(name)
            yield f"line {rule.line}: no rule reads {name}: did you mean {near}?"


def _find_unmade(rules: Sequence[DatalogRule]) -> Iterator[str]:
    """Yield a warning for each fact in a condition ``true``, and each move in ``does``, that no
    rule for ``init``, ``next`` or ``legal`` makes."""
    for word, makers in (("true", ("init", "next")), ("does", ("legal",))):
        made = {_signature(r.head.arguments[-1]) for r in rules if r.head.relation in makers}
        asked = {
            signature: rule.line
            for rule in reversed(rules)
            for part in rule.body
            if isinstance(part, DatalogLiteral) and part.atom.relation == word
            if (signature := _signature(part.atom.arguments[-1])) is not None
        }
        if None not in made:  # else a variable stands for any fact or move
            known = [signature[0] for signature in made if signature]
            for (name, count), line in sorted(asked.items()):
                if (name, count) not in made and name not in known:
                    yield f"line {line}: {tell_unmade(name, count, makers, known)}"


def tell_unmade(name: str, count: int, makers: Sequence[str], known: Sequence[str]) -> str:
    """Return the text of a warning: no rule for ``makers`` makes the fact or move ``name``.
    ``count`` is its number of arguments, and ``known`` are the names that such rules do make."""
    near = get_close_matches(name, known, 1, _ALIKE)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"no rule for {' or '.join(makers)} makes {name}/{count}: it never holds{meant}"


def _signature(term: Term) -> tuple[str, int] | None:
    if isinstance(term, tuple):
        return str(term[0]), len(term) - 1
    return (term, 0) if isinstance(term, str) else None


def _terms(rule: DatalogRule) -> Iterator[Term]:
    yield from rule.head.arguments
    for part in rule.body:
        if isinstance(part, DatalogLiteral):
            yield from part.atom.arguments
        else:
            yield from (part.left, part.right)


def _count(term: Term, line: int, found: _Counts) -> None:
    """Note in ``found`` how many arguments each function in ``term`` has, and on which line."""
    if isinstance(term, tuple):
        found.setdefault(str(term[0]), {}).setdefault(len(term) - 1, line)
        for inner in term[1:]:
            _count(inner, line, found)

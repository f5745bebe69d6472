"""A game description in clingo's language: rules, what may hold, what may be done.

Constants are quoted strings, so that no name can clash; relations are ``r0``, ``r1``, ..., and
``g_true`` and so on for the keywords; a term is a tuple of its function's name and arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icgsynth.datalog import Atom, Comparison, Rule, Rulebook, Term, Variable, variables

__all__ = ["program_of"]

_KEYWORDS = ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
_ARITY = {"terminal": 0, "does": 2, "legal": 2, "goal": 2}


def program_of(book: Rulebook) -> Iterator[str]:
    """The lines of the program; the keywords' atoms are shown."""
    return _Program(book).lines()


class _Program:
    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.names: dict[tuple[str, int], str] = {}
        self.uses_constants = False

    def lines(self) -> Iterator[str]:
        for rule in self.book.rules:
            if rule.head.relation not in ("base", "input") or rule.body:
                yield self._rule(rule)
        yield "dom(F) :- g_init(F). dom(F) :- g_next(F)."
        yield "{ g_true(F) } :- dom(F)."
        yield "{ g_does(R,A) } :- g_legal(R,A)."
        if self.uses_constants:
            yield from (f"constant({text})." for text in sorted(self._constants()))
        yield from (f"#show g_{word}/{_ARITY.get(word, 1)}." for word in _KEYWORDS)

    def _rule(self, rule: Rule) -> str:
        self._numbers: dict[str, int] = {}
        bound: set[str] = set()
        used: set[str] = set(_names(rule.head.arguments))
        parts = []
        for part in rule.body:
            if isinstance(part, Comparison):
                used.update(_names((part.left, part.right)))
                sign = "=" if part.equal else "!="
                parts.append(f"{self._term(part.left)}{sign}{self._term(part.right)}")
            else:
                names = set(_names(part.atom.arguments))
                used |= names
                bound |= names if part.positive else set()
                parts.append(("" if part.positive else "not ") + self._atom(part.atom))
        for name in sorted(used - bound):
            self.uses_constants = True
            parts.append(f"constant({self._variable(name)})")
        head = self._atom(rule.head)
        return f"{head} :- {', '.join(parts)}." if parts else f"{head}."

    def _atom(self, atom: Atom) -> str:
        if atom.relation in _KEYWORDS:
            name = f"g_{atom.relation}"
        else:
            key = (atom.relation, len(atom.arguments))
            name = self.names.setdefault(key, f"r{len(self.names)}")
        inner = ",".join(map(self._term, atom.arguments))
        return f"{name}({inner})" if inner else name

    def _term(self, term: Term) -> str:
        if isinstance(term, str):
            return _string(term)
        if isinstance(term, Variable):
            return self._variable(term.name)
        return "(" + ",".join(map(self._term, term)) + ")"

    def _variable(self, name: str) -> str:
        return f"V{self._numbers.setdefault(name, len(self._numbers))}"

    def _constants(self) -> set[str]:
        found: set[str] = set()
        for rule in self.book.rules:
            pending: list[Term] = list(rule.head.arguments)
            for part in rule.body:
                sides = (part.left, part.right) if isinstance(part, Comparison) else None
                pending += sides or part.atom.arguments  # type: ignore[union-attr]
            while pending:
                term = pending.pop()
                if isinstance(term, str):
                    found.add(_string(term))
                elif isinstance(term, tuple):
                    pending.extend(term[1:])
        return found


def _names(terms: Iterable[Term]) -> Iterator[str]:
    for term in terms:
        yield from variables(term)


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

"""The only door to clingo: rules with variables -> ground rules.

What may be true and who may do what is over-approximated: a fact may hold if it is initial or
some rule could make it hold next, a move may be made if some rule could make it legal.  clingo
instantiates the rules over these (semi-naive, simplifying what is certain) in a process of its
own, so that a description that explodes is stopped, with the count that was reached.

A variable that no positive condition binds ranges over the constants of the description.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import IO

from icgsynth.datalog import Atom, Comparison, Rule, Rulebook, Term, Variable, variables
from icgsynth.errors import InputError, Refused

__all__ = ["TRUE", "Ground", "ground", "shown_fact"]

TRUE = 0
"""The atom that always holds."""

_KEYWORDS = ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
_ARITY = {"terminal": 0, "does": 2, "legal": 2, "goal": 2}
_MEMORY = 3 << 30


@dataclass
class Ground:
    """Ground rules over numbered atoms; a name that is missing never holds.

    ``rules``: ``(head, body)`` with the atoms of the body negated by their sign.  ``true`` and
    ``does`` are the inputs; the other tables are what the rules derive.  :data:`TRUE` is the
    atom of what always holds.
    """

    name: str
    rules: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    init: list[str] = field(default_factory=list)
    true: dict[str, int] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    does: dict[tuple[str, str], int] = field(default_factory=dict)
    legal: dict[tuple[str, str], int] = field(default_factory=dict)
    goal: dict[tuple[str, int], int] = field(default_factory=dict)
    terminal: int | None = None


def ground(book: Rulebook, max_rules: int = 2_000_000, seconds: float = 30.0) -> Ground:
    """The ground rules of ``book``.

    :class:`~icgsynth.errors.Refused` past ``max_rules`` ground rules or ``seconds``, with the
    count reached; :class:`~icgsynth.errors.InputError` where clingo is not installed or a
    ``goal`` is no integer.
    """
    if find_spec("clingo") is None:
        raise InputError(
            "reading game descriptions needs clingo, which is not installed",
            mend="pip install 'icgsynth[fft]'",
        )
    program = "\n".join(_Program(book).lines())
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--warn=none", "-"]
    found = Ground(book.name)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        _limit_memory(process.pid)
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            _feed(process.stdin, program)
            complete = _read(found, process.stdout, max_rules)
            if not complete:
                process.kill()
            errors = process.stderr.read()
        finally:
            timer.cancel()
            process.kill()
    reached = f"{len(found.rules):,} ground rules"
    if late.is_set():
        raise Refused(f"{book.name}: grounding took more than {seconds:g} s; it reached {reached}")
    if not complete:
        raise Refused(
            f"{book.name}: the description grounds to more than {max_rules:,} rules "
            f"(it reached {reached})"
        )
    if found.terminal is None and not found.rules:
        why = errors.strip().splitlines()[-1:] or ["no reason given"]
        raise Refused(f"{book.name}: clingo could not ground the rules at {reached}: {why[0]}")
    _order_roles(found, book)
    return found


def _feed(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.close()
    except BrokenPipeError:
        pass  # clingo's own message follows


def _limit_memory(pid: int) -> None:
    try:
        from resource import RLIMIT_AS, prlimit
    except ImportError:  # not Linux: the limits of rules and seconds remain
        return
    try:
        prlimit(pid, RLIMIT_AS, (_MEMORY, _MEMORY))
    except (OSError, ValueError):
        return


def _order_roles(found: Ground, book: Rulebook) -> None:
    """Roles in the order in which the description names them."""
    written = [
        shown_fact(rule.head.arguments[0])
        for rule in book.rules
        if rule.head.relation == "role" and not any(variables(rule.head.arguments[0]))
    ]
    place = {role: i for i, role in reversed(list(enumerate(written)))}
    found.roles.sort(key=lambda role: place.get(role, len(place)))


# --- the program -----------------------------------------------------------------------


class _Program:
    """A rulebook in clingo's language; constants are strings, so that no name can clash."""

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


# --- the answer ------------------------------------------------------------------------


def _read(found: Ground, stream: IO[str], max_rules: int) -> bool:
    """Read clingo's intermediate format (aspif); false where there are too many rules."""
    certain: set[int] = set()
    for line in stream:
        kind, _, rest = line.partition(" ")
        if kind == "1":
            fields = rest.split()
            # choice, heads, the heads, 0 (a normal body), literals, the literals
            if fields[0] != "0" or fields[1] != "1" or fields[3] != "0":
                continue
            head, body = int(fields[2]), tuple(map(int, fields[5:]))
            if not body:
                certain.add(head)
                continue
            found.rules.append((head, body))
            if len(found.rules) > max_rules:
                return False
        elif kind == "4":
            length, _, rest = rest.partition(" ")
            text, literals = rest[: int(length)], rest[int(length) :].split()
            _name(found, text, int(literals[1]) if literals[0] == "1" else TRUE)
    if certain:
        found.rules[:0] = [(head, ()) for head in sorted(certain)]
    return True


def _name(found: Ground, text: str, atom: int) -> None:
    relation, _, inner = text.partition("(")
    nested = json.loads("[" + _as_json(inner[:-1]) + "]") if inner else []
    arguments = [shown_fact(argument) for argument in nested]
    if relation == "g_role":
        found.roles.append(arguments[0])
    elif relation == "g_init":
        found.init.append(arguments[0])
    elif relation in ("g_true", "g_next"):
        (found.true if relation == "g_true" else found.next)[arguments[0]] = atom
    elif relation in ("g_does", "g_legal"):
        table = found.does if relation == "g_does" else found.legal
        table[arguments[0], arguments[1]] = atom
    elif relation == "g_goal":
        found.goal[arguments[0], _goal(found, arguments[1])] = atom
    elif relation == "g_terminal":
        found.terminal = atom


def _as_json(text: str) -> str:
    """clingo's tuples of strings as JSON; no constant of KIF holds a parenthesis."""
    return text.replace("(", "[").replace(")", "]")


def _goal(found: Ground, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1_000_000:
        raise InputError(
            f"{found.name}: a goal is worth {text[:40]!r}",
            mend="write an integer from 0 to 100",
        )
    return value


def shown_fact(term: object) -> str:
    """A ground term as people write it: ``cell(1,1,x)``."""
    if isinstance(term, str):
        return term
    assert isinstance(term, list | tuple)
    return f"{term[0]}({','.join(map(shown_fact, term[1:]))})"

"""Learning tasks in ILASP's files (``.las``): background, mode bias, ordered examples.

Read are normal rules (the game and its background), ``#modeo`` and the limits of
:mod:`icgsynth.learn.bias`, ``#pos(id, {inclusions}, {exclusions}, {context}).`` whose context
(or inclusions) gives a state by ``true(F).`` facts and a move by ``does(R,A).``, and
``#brave_ordering`` or ``#cautious_ordering`` of two of them: with one move a context there is
one answer set, so both mean the same.  ``id@penalty`` marks an ordering or an example as noisy.
``#some_ordering({g1,...},{b1,...}).`` is ours: some of the first is better than all the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.learn.bias import Bias, Mode, Place
from icgsynth.learn.tasks import Example, Ordering, Task
from icgsynth.learn.terms import Term, read_term, shown
from icgsynth.spec.source import Source

__all__ = ["read_task"]

_INCLUDE = re.compile(r'#include\s+"([^"\n]+)"')
_NUMBERS = {"#maxp": "levels", "#maxv": "variables", "#max_body": "body", "#max_rules": "rules"}
_GREATEST_LIMIT = 100
_NOT_LEARNED = ("#modeh", "#modeb", "#modeha", "#modebs")


def read_task(source: Source) -> Task:
    """The task in ``source``; :class:`~icgsynth.errors.InputError` with the place of a fault."""
    return _Reader(source).task()


class _Reader:
    def __init__(self, source: Source, depth: int = 0) -> None:
        self.source, self.depth = source, depth
        self.modes: list[Mode] = []
        self.weights: list[int] = []
        self.limits: dict[str, int] = {}
        self.flags: set[str] = set()
        self.constants: list[tuple[str, Term]] = []
        self.rules: list[str] = []
        self.examples: dict[str, Example] = {}
        self.orderings: list[Ordering] = []

    def task(self) -> Task:
        self.read()
        bias = None
        brings = re.search(r"\blegal\s*\(", "\n".join(self.rules)) is not None
        if self.modes:
            bias = Bias(
                tuple(self.modes),
                tuple(dict.fromkeys(self.weights)) or (-1, 1),
                one_per_level="one_per_level" in self.flags,
                parity="parity" in self.flags,
                constants=tuple(self.constants),
                background="" if brings else "\n".join(self.rules),
            ).over(**self.limits)
        return Task(self.source, bias, "\n".join(self.rules), self.examples, tuple(self.orderings))

    def read(self) -> None:
        for offset, text in _statements(self.source):
            self._statement(offset, text)

    def _statement(self, offset: int, text: str) -> None:
        word = re.match(r"#\w+|:~|", text)
        assert word is not None
        name = word.group()
        inner = text[len(name) :].strip()
        if name == "#include":
            self._include(offset, text)
        elif name == "#modeo":
            self.modes.append(self._mode(offset, inner))
        elif name in _NOT_LEARNED:
            raise self.source.error(
                f"{name}: rules are not learned here, only weak constraints",
                offset,
                "state the predicate as a background rule, or offer #template(parity).",
            )
        elif name == "#weight":
            self.weights.append(self._integer(offset, inner))
        elif name in _NUMBERS:
            self.limits[_NUMBERS[name]] = number = self._integer(offset, inner)
            if not 0 <= number <= _GREATEST_LIMIT:
                raise self.source.error(
                    f"{name} goes from 0 to {_GREATEST_LIMIT}", offset, f"write {name}(3)."
                )
        elif name in ("#one_per_level", "#template"):
            flag = inner.strip("() ") or "one_per_level"
            if flag not in ("one_per_level", "parity"):
                raise self.source.error(f"no template {flag}", offset, "write #template(parity).")
            self.flags.add(flag)
        elif name == "#constant":
            kind, value = self._parts(offset, inner, 2)
            self.constants.append((kind.strip(), self._term(offset, value)))
        elif name == "#pos":
            self._example(offset, inner)
        elif name in ("#brave_ordering", "#cautious_ordering", "#some_ordering"):
            self._ordering(offset, name, inner)
        elif name in ("#const", ""):
            self.rules.append(f"{text}.")
        elif name == ":~":
            raise self.source.error(
                "a weak constraint: this is a hypothesis, not a task",
                offset,
                "read hypotheses with 'tournament' or 'learn --verify'",
            )
        else:
            known = "#modeo, #weight, #maxp, #maxv, #max_body, #constant, #pos, #brave_ordering"
            raise self.source.error(f"{name} is not read", offset, f"known: {known}, ...")

    def _include(self, offset: int, text: str) -> None:
        found = _INCLUDE.match(text)
        if found is None or self.depth > 7:
            raise self.source.error("a bad #include", offset, 'write #include "file.las".')
        path = Path(self.source.name).parent / found.group(1)
        inner = _Reader(Source.read(path), self.depth + 1)
        inner.read()
        self.modes += inner.modes
        self.weights += inner.weights
        self.limits |= inner.limits
        self.flags |= inner.flags
        self.constants += inner.constants
        self.rules += inner.rules
        self.examples |= inner.examples
        self.orderings += inner.orderings

    def _mode(self, offset: int, inner: str) -> Mode:
        parts = self._arguments(offset, inner)
        recall = 1
        if parts and re.fullmatch(r"\s*[0-9]+\s*", parts[0]):
            recall = self._integer(offset, parts.pop(0))
        if not parts or len(parts) > 2:
            raise self.source.error(
                "a mode is a recall, an atom and (positive)",
                offset,
                "write #modeo(1, next(free(var(cell))), (positive)).",
            )
        positive = len(parts) == 2 and parts[1].strip() in ("(positive)", "positive")
        if len(parts) == 2 and not positive:
            raise self.source.error(f"{parts[1].strip()[:40]} is not read", offset, "(positive)")
        return Mode(recall, _with_places(self._term(offset, parts[0])), positive)

    def _example(self, offset: int, inner: str) -> None:
        parts = self._arguments(offset, inner)
        if len(parts) != 4:
            raise self.source.error(
                f"an example has four parts, not {len(parts)}",
                offset,
                "write #pos(e1, {}, {}, { true(...). does(a,...). }).",
            )
        name = parts[0].split("@")[0].strip()
        if parts[2].strip("{} \n\t"):
            raise self.source.error(
                "an example with exclusions", offset, "give the state and the move as context"
            )
        facts, moves = [], []
        texts = [t for _, t in _statements(Source("", parts[3].strip()[1:-1]), cut=False)]
        texts += [t for t in _split(parts[1].strip()[1:-1]) if t.strip()]
        for text in texts:
            term = self._term(offset, text)
            if isinstance(term, tuple) and term[0] == "true" and len(term) == 2:
                facts.append(shown(term[1]))
            elif isinstance(term, tuple) and term[0] == "does" and len(term) == 3:
                moves.append((shown(term[1]), shown(term[2])))
            else:
                raise self.source.error(
                    f"{text.strip()[:40]} in the context of {name}",
                    offset,
                    "the context holds true(F) and one does(R,A)",
                )
        if len(moves) != 1:
            raise self.source.error(
                f"{len(moves)} moves in the context of {name}", offset, "give one does(R,A)"
            )
        if name in self.examples:
            raise self.source.error(f"a second example {name}", offset, "name it otherwise")
        self.examples[name] = Example(frozenset(facts), moves[0], offset)

    def _ordering(self, offset: int, name: str, inner: str) -> None:
        parts = [part.strip() for part in self._arguments(offset, inner)]
        penalty = 0
        if parts and "@" in parts[0]:
            label, _, number = parts[0].partition("@")
            penalty = self._integer(offset, f"({number})")
            parts[0] = label.strip()
        sign = parts.pop() if parts and parts[-1] in ("<", "=") else "<"
        if sign == "=":
            raise self.source.error("an ordering '='", offset, "only '<' is read")
        if len(parts) == 3:
            parts = parts[1:]
        if len(parts) != 2:
            raise self.source.error("an ordering names two examples", offset, f"{name}(e1,e2).")
        good, bad = (
            tuple(n.strip() for n in part.strip("{}").split(",") if n.strip()) for part in parts
        )
        if not good or not bad:
            raise self.source.error("an ordering of nothing", offset, f"{name}(e1,e2).")
        self.orderings.append(Ordering(good, bad, penalty, offset))

    def _term(self, offset: int, text: str) -> Term:
        try:
            return read_term(text.strip())
        except InputError as error:
            raise self.source.error(error.message, offset, error.mend) from None

    def _integer(self, offset: int, inner: str) -> int:
        digits = inner.strip().strip("() ")
        if not re.fullmatch(r"-?[0-9]{1,6}", digits):
            message = f"not an integer of at most six digits: {digits[:30]!r}"
            raise self.source.error(message, offset, "write (2)")
        return int(digits)

    def _parts(self, offset: int, inner: str, count: int) -> list[str]:
        parts = self._arguments(offset, inner)
        if len(parts) != count:
            raise self.source.error(f"{count} arguments are needed", offset, "see the reference")
        return parts

    def _arguments(self, offset: int, inner: str) -> list[str]:
        if not (inner.startswith("(") and inner.endswith(")")):
            raise self.source.error("expected arguments in brackets", offset, "#modeo(1, ...).")
        return list(_split(inner[1:-1]))


def _with_places(term: Term) -> Term | Place:
    if isinstance(term, tuple):
        if term[0] in ("var", "const") and len(term) == 2 and isinstance(term[1], str):
            return Place(term[1], term[0] == "const")
        return (term[0], *(_with_places(part) for part in term[1:]))  # type: ignore[arg-type]
    return term


def _statements(source: Source, cut: bool = True) -> Iterator[tuple[int, str]]:
    """Statements and where they start; comments are left out."""
    text = source.text
    start, depth, at = 0, 0, 0
    out: list[str] = []
    while at < len(text):
        letter = text[at]
        if letter == "%":
            stop = text.find("*%", at) + 2 if text.startswith("%*", at) else text.find("\n", at)
            at = len(text) if stop <= 0 or stop == 1 else stop
            continue
        if letter == '"':
            stop = text.find('"', at + 1)
            stop = len(text) if stop < 0 else stop + 1
            out.append(text[at:stop])
            at = stop
            continue
        if letter in "({[":
            depth += 1
        elif letter in ")}]":
            depth -= 1
        elif letter == "." and depth == 0:
            if text.startswith("..", at):
                out.append("..")
                at += 2
                continue
            yield start, "".join(out).strip()
            out = []
            at += 1
            start = at
            continue
        if not out and not letter.isspace():
            start = at
        if out or not letter.isspace():
            out.append(letter)
        at += 1
    rest = "".join(out).strip()
    if rest:
        if cut:
            raise source.error("a statement without its '.'", start, "end it with '.'")
        yield start, rest


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no bracket."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        if letter in "({[":
            depth += 1
        elif letter in ")}]":
            depth -= 1
        elif letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]

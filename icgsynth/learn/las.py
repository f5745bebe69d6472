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
from typing import Any

from icgsynth.errors import InputError
from icgsynth.finite.names import arguments
from icgsynth.learn.bias import Bias, Mode, Pattern, Place
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
    def __init__(self, source: Source) -> None:
        self.source, self.depth = source, 0  # files that include each other
        self.at = 0  # where the statement that is being read starts
        self.modes: list[Mode] = []
        self.weights: list[int] = []
        self.limits: dict[str, Any] = {}
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
                **self.limits,
            )
        return Task(self.source, bias, "\n".join(self.rules), self.examples, tuple(self.orderings))

    def read(self) -> None:
        for at, text in _statements(self.source):
            self.at = at
            self._statement(text)

    def _fault(self, message: str, mend: str) -> InputError:
        """An error at the statement that is being read."""
        return self.source.error(message, self.at, mend)

    def _statement(self, text: str) -> None:
        word = re.match(r"#\w+|:~|", text)
        assert word is not None
        name = word.group()
        inner = text[len(name) :].strip()
        if name == "#include":
            self._include(text)
        elif name == "#modeo":
            self.modes.append(self._mode(inner))
        elif name in _NOT_LEARNED:
            raise self._fault(
                f"{name}: rules are not learned here, only weak constraints",
                "state the predicate as a background rule, or offer #template(parity).",
            )
        elif name == "#weight":
            self.weights.append(self._integer(inner))
        elif name in _NUMBERS:
            self.limits[_NUMBERS[name]] = number = self._integer(inner)
            if not 0 <= number <= _GREATEST_LIMIT:
                raise self._fault(f"{name} goes from 0 to {_GREATEST_LIMIT}", f"write {name}(3).")
        elif name in ("#one_per_level", "#template"):
            flag = inner.strip("() ") or "one_per_level"
            if flag not in ("one_per_level", "parity"):
                raise self._fault(f"no template {flag}", "write #template(parity).")
            self.flags.add(flag)
        elif name == "#constant":
            kind, value = self._pair(inner)
            self.constants.append((kind.strip(), self._term(value)))
        elif name == "#pos":
            self._example(inner)
        elif name in ("#brave_ordering", "#cautious_ordering", "#some_ordering"):
            self._ordering(name, inner)
        elif name in ("#const", ""):
            self.rules.append(f"{text}.")
        elif name == ":~":
            raise self._fault(
                "a weak constraint: this is a hypothesis, not a task",
                "read hypotheses with 'tournament' or 'learn --verify'",
            )
        else:
            known = "#modeo, #weight, #maxp, #maxv, #max_body, #constant, #pos, #brave_ordering"
            raise self._fault(f"{name} is not read", f"known: {known}, ...")

    def _include(self, text: str) -> None:
        found = _INCLUDE.match(text)
        if found is None or self.depth > 7:
            raise self._fault("a bad #include", 'write #include "file.las".')
        outer = self.source
        self.source = Source.read(Path(outer.name).parent / found.group(1))
        self.depth += 1
        self.read()
        self.source, self.depth = outer, self.depth - 1

    def _mode(self, inner: str) -> Mode:
        parts = self._arguments(inner)
        recall = 1
        if parts and re.fullmatch(r"\s*[0-9]+\s*", parts[0]):
            recall = self._integer(parts.pop(0))
        if not parts or len(parts) > 2:
            raise self._fault(
                "a mode is a recall, an atom and (positive)",
                "write #modeo(1, next(free(var(cell))), (positive)).",
            )
        positive = len(parts) == 2 and parts[1].strip() in ("(positive)", "positive")
        if len(parts) == 2 and not positive:
            raise self._fault(f"{parts[1].strip()[:40]} is not read", "(positive)")
        return Mode(recall, _with_places(self._term(parts[0])), positive)

    def _example(self, inner: str) -> None:
        parts = self._arguments(inner)
        if len(parts) != 4:
            raise self._fault(
                f"an example has four parts, not {len(parts)}",
                "write #pos(e1, {}, {}, { true(...). does(a,...). }).",
            )
        name = parts[0].split("@")[0].strip()
        if parts[2].strip("{} \n\t"):
            raise self._fault(
                "an example with exclusions", "give the state and the move as context"
            )
        facts, moves = [], []
        texts = [t for _, t in _statements(Source("", parts[3].strip()[1:-1]), cut=False)]
        texts += [t for t in _parts(parts[1].strip()[1:-1]) if t.strip()]
        for text in texts:
            term = self._term(text)
            if isinstance(term, tuple) and term[0] == "true" and len(term) == 2:
                facts.append(shown(term[1]))
            elif isinstance(term, tuple) and term[0] == "does" and len(term) == 3:
                moves.append((shown(term[1]), shown(term[2])))
            else:
                raise self._fault(
                    f"{text.strip()[:40]} in the context of {name}",
                    "the context holds true(F) and one does(R,A)",
                )
        if len(moves) != 1:
            raise self._fault(f"{len(moves)} moves in the context of {name}", "give one does(R,A)")
        example = Example(frozenset(facts), moves[0], self.at)
        if self.examples.setdefault(name, example) != example:
            raise self._fault(f"a second example {name}", "name it otherwise")

    def _ordering(self, name: str, inner: str) -> None:
        parts = [part.strip() for part in self._arguments(inner)]
        penalty = 0
        if parts and "@" in parts[0]:
            label, _, number = parts[0].partition("@")
            penalty = self._integer(f"({number})")
            parts[0] = label.strip()
        sign = parts.pop() if parts and parts[-1] in ("<", "=") else "<"
        if sign == "=":
            raise self._fault("an ordering '='", "only '<' is read")
        if len(parts) == 3:
            parts = parts[1:]
        if len(parts) != 2:
            raise self._fault("an ordering names two examples", f"{name}(e1,e2).")
        good, bad = (
            tuple(n.strip() for n in part.strip("{}").split(",") if n.strip()) for part in parts
        )
        if not good or not bad:
            raise self._fault("an ordering of nothing", f"{name}(e1,e2).")
        self.orderings.append(Ordering(good, bad, penalty, self.at))

    def _term(self, text: str) -> Term:
        try:
            return read_term(text.strip())
        except InputError as error:
            raise self._fault(error.message, error.mend) from None

    def _integer(self, inner: str) -> int:
        digits = inner.strip().strip("() ")
        if not re.fullmatch(r"-?[0-9]{1,6}", digits):
            message = f"not an integer of at most six digits: {digits[:30]!r}"
            raise self._fault(message, "write (2)")
        return int(digits)

    def _pair(self, inner: str) -> list[str]:
        parts = self._arguments(inner)
        if len(parts) != 2:
            raise self._fault("2 arguments are needed", "see the reference")
        return parts

    def _arguments(self, inner: str) -> list[str]:
        if not (inner.startswith("(") and inner.endswith(")")):
            raise self._fault("expected arguments in brackets", "#modeo(1, ...).")
        parts = _parts(inner[1:-1])
        return parts if parts and parts[-1].strip() else parts[:-1]


def _parts(text: str) -> list[str]:
    """The parts between commas that stand in no bracket and in no string."""
    return arguments(text, "({[", ")}]")


def _with_places(term: Term) -> Pattern:
    if isinstance(term, tuple):
        if term[0] in ("var", "const") and len(term) == 2 and isinstance(term[1], str):
            return Place(term[1], term[0] == "const")
        return (term[0], *(_with_places(part) for part in term[1:]))
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

"""Learning tasks in ILASP's files (``.las``): background, mode bias, ordered examples.

Read are normal rules (the game and its background), ``#modeo`` and the limits of
:mod:`icgsynth.boards.learn.bias`, ``#pos(id, {inclusions}, {exclusions}, {context}).`` whose
context (or inclusions) gives a state by ``true(F).`` facts and a move by ``does(R,A).``, and
``#brave_ordering`` or ``#cautious_ordering`` of two of them: with one move a context there is one
answer set, so both mean the same.  ``id@penalty`` marks an ordering or an example as noisy.
``#some_ordering({g1,...},{b1,...}).`` is ours: some of the first is better than all the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.finite.names import arguments
from icgsynth.boards.learn.bias import Bias, Mode
from icgsynth.boards.learn.move_view import no_background
from icgsynth.boards.learn.problem import ExampleGroup, Problem
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import (
    Term,
    Var,
    format_term,
    read_term,
    signature_of,
    variables_of,
)
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.errors import InputError
from icgsynth.spec.source import Source

# --- las -----------------------------------------------------------------------------------------

_INCLUDE = re.compile(r'#include\s+"([^"\n]+)"')
_NUMBERS = {"#maxp": "levels", "#maxv": "variables", "#max_body": "body", "#max_rules": "rules"}
_GREATEST_LIMIT = 100  # of levels, variables, literals or rules: more is a typing error
_NOT_LEARNED = ("#modeh", "#modeb", "#modeha", "#modebs")


def read_task(source: Source) -> Task:
    """Parse a learning task; :class:`~icgsynth.errors.InputError` with the place of a fault."""
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
        self.faults: list[InputError] = []  # of rules that are no background
        self.examples: dict[str, Example] = {}
        self.orderings: list[Ordering] = []

    def task(self) -> Task:
        self.read()
        bias = None
        # A task that has rules for `legal` brings a game along: then its rules are the game, and
        # else background, which may only look at positions and moves.
        brings = re.search(r"\blegal\s*\(", "\n".join(self.rules)) is not None
        if self.faults and not brings:
            raise self.faults[0]
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
            term = self._term(value)
            if next(variables_of(term), None) is not None or value.strip() == "_":
                raise self._fault(f"a variable: {value.strip()[:40]}", "name a constant")
            self.constants.append((kind.strip(), term))
        elif name == "#pos":
            self._example(inner)
        elif name in ("#brave_ordering", "#cautious_ordering", "#some_ordering"):
            self._ordering(name, inner)
        elif name in ("#const", ""):
            self.rules.append(f"{text}.")
            if found := no_background(self.rules[-1]):
                self.faults.append(self._fault(*found))
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
        atom = self._term(parts[0])
        if not re.fullmatch(r"_*[a-z][\w']*", str(signature_of(atom)[0])) or not _is_mode(atom):
            raise self._fault(
                f"not the atom of a mode: {parts[0].strip()[:40]}",
                "write a predicate's name, with places var(type) and const(type) alone, such as "
                "next(has(var(player),const(cell)))",
            )
        return Mode(recall, atom, positive)

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
        # The context is a list of statements, in the language of the file itself; inclusions count
        # as context, since one answer set is meant.
        texts = [t for _, t in _statements(Source("", parts[3].strip()[1:-1]), cut=False)]
        texts += [t for t in _parts(parts[1].strip()[1:-1]) if t.strip()]
        for text in texts:
            term = self._term(text)
            if isinstance(term, tuple) and term[0] == "true" and len(term) == 2:
                facts.append(format_term(term[1]))
            elif isinstance(term, tuple) and term[0] == "does" and len(term) == 3:
                moves.append((format_term(term[1]), format_term(term[2])))
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
            if penalty < 1:
                raise self._fault(f"a penalty of {penalty}", "write one of 1 or more")
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


def _is_mode(term: Term, inside: bool = False) -> bool:
    """Return whether ``term`` may be a mode's atom: types in ``var`` and ``const``, no variables.
    Those stand as arguments alone: ``inside`` is True for a part of the atom."""
    match term:
        case ("var" | "const", *types):
            return inside and len(types) == 1 and isinstance(types[0], str) and _is_mode(types[0])
        case (_, *parts):
            return all(_is_mode(part, True) for part in parts)
    return not isinstance(term, Var) and term not in ("_", "not")


def _parts(text: str) -> list[str]:
    """Return the parts of ``text`` between commas that stand in no bracket and in no string."""
    return arguments(text, "({[", ")}]")


_PIECE = re.compile(r'%(?=\*).*?(?:\*%|\Z)|%[^\n]*|"[^"]*"?|\.\.|.', re.DOTALL)


def _statements(source: Source, cut: bool = True) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each statement in ``source``, without its '.'.  If ``cut``,
    InputError where the last one has none."""
    # A statement ends at a '.' outside of brackets; _PIECE takes comments, strings and '..' as one
    # piece each, so that points within them do not count.
    start, depth = 0, 0
    out: list[str] = []
    for found in _PIECE.finditer(source.text):
        piece = found.group()
        if piece[0] == "%" or (not out and piece.isspace()):
            continue
        if not out:
            start = found.start()
        if piece == "." and depth == 0:
            yield start, "".join(out).strip()
            out = []
            continue
        # Contexts hold statements with points of their own, in braces.
        depth += (piece in ("(", "{", "[")) - (piece in (")", "}", "]"))
        out.append(piece)
    rest = "".join(out).strip()
    if rest:
        if cut:
            raise source.error("a statement without its '.'", start, "end it with '.'")
        yield start, rest


# --- tasks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Example:
    """A learning example: a move (role, action) made in a state, given by its facts."""

    facts: frozenset[str]
    move: tuple[str, str]
    offset: int


@dataclass(frozen=True)
class Ordering:
    """The demand that some example of ``good`` is preferred to all of ``bad``, by names."""

    good: tuple[str, ...]
    bad: tuple[str, ...]
    penalty: int
    offset: int


@dataclass(frozen=True)
class Task:
    """A parsed learning task; ``rules`` are its normal rules, game and background together."""

    source: Source
    bias: Bias | None
    rules: str
    examples: dict[str, Example]
    orderings: tuple[Ordering, ...]

    @property
    def is_game(self) -> bool:
        """Whether the rules describe a game of their own."""
        return re.search(r"\blegal\s*\(", self.rules) is not None


def game_of(task: Task) -> Encoding:
    """Return the game whose rules a learning task contains, parsed.  Without ``init`` it starts at
    the first example.  :class:`~icgsynth.errors.InputError` where the task has no rules of a game,
    or no start."""
    if not task.is_game:
        raise InputError(
            f"{task.source.name}: a task without the rules of its game",
            mend="give the game too: learn GAME --bias FILE.las",
        )
    start = ""
    if not re.search(r"\binit\s*\(", task.rules):
        if not task.examples:
            raise InputError(
                f"{task.source.name}: no state to start from", mend="add init(F) or an example"
            )
        first = next(iter(task.examples.values()))
        start = "\n" + " ".join(f"init({fact})." for fact in sorted(first.facts))
    return parse_asp(Source(task.source.name, task.rules + start))


def problem_of(task: Task, stage: Stage) -> Problem:
    """Convert the orderings of ``task`` to a learning problem over moves of the game on ``stage``.
    A context need not be reachable, but its facts and its move must be the game's: InputError."""
    game = stage.game
    moves = sorted({example.move for example in task.examples.values()})
    known = {(r, a) for r in stage.arena.roles for a in stage.board.actions}
    states: list[tuple[int, ...]] = []
    chosen: list[int] = []
    place: dict[str, int] = {}
    for name, example in task.examples.items():
        if example.move not in known:
            raise task.source.error(
                f"{stage.arena.name} has no move {'/'.join(example.move)} (example {name})",
                example.offset,
                "give does(R,A) with a role and an action of the game",
            )
        try:
            words = game.state_of(tuple(sorted(example.facts)))
        except InputError as error:
            raise task.source.error(
                f"{error.message} (example {name})", example.offset, error.mend
            ) from None
        place[name] = len(states)
        states.append(words)
        chosen.append(moves.index(example.move))
    groups = []
    for ordering in task.orderings:
        for name in (*ordering.good, *ordering.bad):
            if name not in place:
                raise task.source.error(
                    f"there is no example {name}", ordering.offset, "add #pos(...)"
                )
        alternatives = tuple(
            tuple((place[g], place[b]) for b in ordering.bad) for g in ordering.good
        )
        groups.append(ExampleGroup(alternatives, ordering.penalty))
    if not groups:
        raise InputError(f"{task.source.name}: no ordering", mend="add #brave_ordering(e1,e2).")
    return Problem(
        np.array(states, np.uint64).reshape(len(states), stage.board.words),
        tuple(moves),
        np.array(chosen, np.int64),
        tuple(groups),
    )


def format_las(stage: Stage, problem: Problem, bias: Bias | None = None) -> str:
    """Return ``problem`` as the text of a ``.las`` file, with ``bias`` if given."""
    lines = [f"% ordered examples from {stage.arena.name}"]
    if bias is not None:
        lines.append(bias.text())
    used = sorted({r for g in problem.groups for a in g.alternatives for p in a for r in p})
    for row in used:
        facts = " ".join(
            f"true({f})." for f in stage.game.facts(tuple(map(int, problem.states[row])))
        )
        role, action = problem.moves[int(problem.chosen[row])]
        lines.append(f"#pos(e{row}, {{}}, {{}}, {{ {facts} does({role},{action}). }}).")
    for number, group in enumerate(problem.groups):
        label = f"o{number}@{group.penalty}, " if group.penalty else ""
        if len(group.alternatives) == 1:
            lines += [f"#brave_ordering({label}e{g}, e{b})." for g, b in group.alternatives[0]]
            continue
        good = ",".join(f"e{pairs[0][0]}" for pairs in group.alternatives)
        bad = ",".join(f"e{b}" for _, b in group.alternatives[0])
        lines.append(f"#some_ordering({label}{{{good}}}, {{{bad}}}).")
    return "\n".join(lines) + "\n"

"""Ground the rules of a game with clingo's grounder, which runs in a process of its own.

What may be true and who may do what is over-approximated: a fact may hold if it is initial or some
rule could make it hold next, a move may be made if some rule could make it legal.  clingo
instantiates the rules over these (semi-naive, simplifying what is certain) in a process of its own,
so that a description that explodes is stopped, with the count that was reached.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import IO, Literal, TypeAlias

from icgsynth import wings
from icgsynth.boards.finite.datalog import Rulebook, variables
from icgsynth.boards.finite.domain import LIMIT, with_base
from icgsynth.boards.finite.encoding import Encoding, Statement, program_of
from icgsynth.boards.finite.names import arguments, shown_fact
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.errors import InputError, OutOfReach
from icgsynth.process.started import Started

TRUE = 0
"""The atom that always holds."""

GROUNDING = 30.0
"""Seconds that grounding may take."""

_MEMORY = 3 << 30  # bytes that clingo's process may use
_LAST = 1.0  # seconds that clingo gets to end after its last rule
_SPARE = 1 << 40  # the first number of auxiliary atoms, past those of clingo
_End: TypeAlias = Literal["whole", "full", "cut"]


@dataclass
class Ground:
    """The ground rules of a game over numbered atoms; a name that is missing never holds.

    ``rules``: ``(head, body)`` with the atoms of the body negated by their sign; :data:`TRUE`
    always holds. ``true`` and ``does`` are the inputs; the other tables are what the rules derive.
    """

    name: str
    rules: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    roles: dict[str, int] = field(default_factory=dict)
    init: dict[str, int] = field(default_factory=dict)
    true: dict[str, int] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    does: dict[tuple[str, str], int] = field(default_factory=dict)
    legal: dict[tuple[str, str], int] = field(default_factory=dict)
    goal: dict[tuple[str, int], int] = field(default_factory=dict)
    terminal: int | None = None
    view: dict[str, int] = field(default_factory=dict)  # other atoms that were asked for
    plain: bool = False  # terms are clingo's own, not quoted strings
    spare: int = 0  # auxiliary atoms so far
    raised: int = 0  # by how much all goals were raised
    book: Rulebook | Encoding | None = None  # the rules before grounding, which have lines

    def at(self, relation: str, *arguments: str) -> str:
        """Return the game's name and the line of a rule for ``relation``, to begin a message.
        ``arguments`` are the first ones of its head; the name alone where no line is known."""
        line = self.book.line_of(relation, *arguments) if self.book is not None else 0
        return f"{self.name}, line {line}" if line else self.name

    @property
    def likely_slip(self) -> str:
        """The first warning that guesses what a rule should say, to end a message; "" if none."""
        guesses = [line for line in getattr(self.book, "warnings", ()) if "did you mean" in line]
        return f"\n  this may be why: {guesses[0]}" if guesses else ""

    def bodies(self) -> dict[int, list[tuple[int, ...]]]:
        """Return a dictionary from each atom that is no fact or move to the bodies of its rules."""
        inputs = {*self.true.values(), *self.does.values()}
        found: dict[int, list[tuple[int, ...]]] = {}
        for head, body in self.rules:
            if head not in inputs:
                found.setdefault(head, []).append(body)
        return found


def ground(
    book: Rulebook | Encoding,
    max_rules: int = 2_000_000,
    seconds: float = GROUNDING,
    steps: WorkSteps | None = None,
) -> Ground:
    """Ground the rules of ``book`` by clingo; if a goal is below 0, all goals are raised equally.

    ``steps`` is told how many ground rules there are so far. :class:`~icgsynth.errors.OutOfReach`
    past ``max_rules`` ground rules or ``seconds``, with the count;
    :class:`~icgsynth.errors.InputError` without clingo, or where a ``goal`` is no integer.
    """
    if find_spec("clingo") is None:
        message = "reading game descriptions needs clingo, which is not installed"
        raise wings.lacking(message, "fft")
    found = Ground(book.name, plain=isinstance(book, Encoding), book=book)
    if isinstance(book, Encoding) and book.counting is not None and seconds > LIMIT:
        return _of_counting(book, book.counting, max_rules, seconds, steps)
    if steps is not None:
        steps.begin("grounding", lambda: f"{len(found.rules):,} ground rules")
    lines = book.program() if isinstance(book, Encoding) else program_of(book)
    end, late, errors = _run("\n".join(lines), found, max_rules, seconds)
    reached = f"{len(found.rules):,} ground rules"
    if late:
        raise OutOfReach(
            f"{book.name}: grounding took more than {seconds:.3g} s; it reached {reached}"
        )
    if end == "full":
        raise OutOfReach(
            f"{book.name}: the description grounds to more than {max_rules:,} rules "
            f"(it reached {reached})"
        )
    if end == "cut":
        if isinstance(book, Encoding):
            _blame(book, errors)
        why = errors.strip().splitlines()[-1:] or ["it gave no reason"]
        raise OutOfReach(f"{book.name}: clingo gave up after {reached}: {why[0][:200]}")
    _order_roles(found, book)
    _raise_goals(found)
    return found


def _of_counting(
    book: Encoding, rule: Statement, max_rules: int, seconds: float, steps: WorkSteps | None
) -> Ground:
    """Ground ``book``, whose ``rule`` for next does arithmetic: if that does not end soon, over the
    facts that legal moves lead to; InputError if these are too many.  See ``ground``."""
    # Where grounding may be endless, the facts that legal moves lead to serve as ``base``.
    with suppress(OutOfReach):
        return ground(book, max_rules, LIMIT, steps)
    if (based := with_base(book)) is None:
        message = "no bound is known of what this rule counts, for no rule says base(...)"
        mend = "say what may hold, as in: base(pile(0..9)). base(turn(P)) :- role(P)."
        raise InputError(message, rule.span, mend)
    return ground(based, max_rules, seconds, steps)


def _blame(book: Encoding, errors: str) -> None:
    """Raise InputError at the rule in ``book`` that clingo's ``errors`` name; return if none is."""
    told = re.search(r"-:(\d+):\d+[-:\d]*: error: (.*(?:\n(?![^\n]*: error:).+)*)", errors)
    if told is None or int(told.group(1)) > len(book.statements):
        return
    rule = book.statements[int(told.group(1)) - 1]
    told_of = re.sub(r"-:\d+:\d+[-:\d]*: (note|info): |\[#inc_base\];?", "", told.group(2))
    message = " ".join(told_of.split())
    raise InputError(
        message[:200],
        rule.span,
        "every variable needs a positive condition that binds it"
        if "unsafe" in message
        else "see clingo's language",
    )


def _raise_goals(found: Ground) -> None:
    least = min((value for _, value in found.goal), default=0)
    if least < 0:
        found.raised = -least
        found.goal = {(role, value - least): atom for (role, value), atom in found.goal.items()}


def _run(program: str, found: Ground, max_rules: int, seconds: float) -> tuple[_End, bool, str]:
    """Add the ground rules of ``program`` to ``found``; return how it ended (whole, full: past
    ``max_rules``, or cut), whether for want of ``seconds``, and clingo's errors."""
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--warn=none", "-"]
    with Started(command, memory=_MEMORY) as clingo, clingo.within(seconds):
        clingo.send(program.encode())  # where clingo ends before it read all, it says why
        end = _read(found, clingo.stdout, max_rules)
        ending = clingo.stop(patience=0.0 if end == "full" else _LAST)
    return end, clingo.was_late and end == "cut", ending.said


def _order_roles(found: Ground, book: Rulebook | Encoding) -> None:
    """Sort the roles of ``found`` into the order in which the description ``book`` names them."""
    written = (
        list(book.roles)
        if isinstance(book, Encoding)
        else [
            shown_fact(rule.head.arguments[0])
            for rule in book.rules
            if rule.head.relation == "role" and not any(variables(rule.head.arguments[0]))
        ]
    )
    place = {role: i for i, role in reversed(list(enumerate(written)))}
    order = sorted(found.roles, key=lambda role: place.get(role, len(place)))
    found.roles = {role: found.roles[role] for role in order}


# --- the answer ------------------------------------------------------------------------


def _read(found: Ground, stream: IO[bytes], max_rules: int) -> _End:
    """Add the ground rules in ``stream`` (aspif) to ``found``; return how it ended: "whole", "full"
    past ``max_rules`` rules, or "cut" where the format's last line is missing."""
    # The format counts the length of a name in bytes.
    certain: set[int] = set()
    for line in stream:
        if not line.endswith(b"\n"):
            break  # clingo was stopped in the middle of a line
        kind, _, rest = line.partition(b" ")
        if kind == b"1":
            fields = rest.split()
            # choice, heads, the heads, 0 (a normal body), literals, the literals
            # Choices and constraints are skipped: the states and moves that they guess are inputs.
            if fields[0] != b"0" or fields[1] != b"1":
                continue
            if fields[3] == b"1":
                _weigh(found, int(fields[2]), list(map(int, fields[4:])))
                if len(found.rules) > max_rules:
                    return "full"
                continue
            head, body = int(fields[2]), tuple(map(int, fields[5:]))
            if not body:
                certain.add(head)
                continue
            found.rules.append((head, body))
            if len(found.rules) > max_rules:
                return "full"
        elif kind == b"4":
            length, _, rest = rest.partition(b" ")
            text, literals = rest[: int(length)].decode(), rest[int(length) :].split()
            atom = int(literals[1]) if literals[0] != b"0" else TRUE
            # A name shown under several conditions, or under a negation, gets an atom of its own.
            if len(literals) > 2 or atom < 0:
                found.spare += 1
                atom = _SPARE + found.spare
                found.rules.append((atom, tuple(map(int, literals[1:]))))
            _name(found, text, atom)
        elif kind.strip() == b"0":
            found.rules[:0] = [(head, ()) for head in sorted(certain)]
            return "whole"
    return "cut"


def _weigh(found: Ground, head: int, fields: list[int]) -> None:
    """Add to ``found`` rules for ``head``: it holds where literals that hold have enough weight.
    ``fields`` are the least weight, the count of literals, then each literal and its weight."""
    # ``fields``: bound, the number of literals, then each with its weight (positive, as clingo
    # prints them).  Rules share what they have in common.
    # Atom (place, need): the literals from place on have a weight of at least `need` together. It
    # holds if the literal at `place` does and (place + 1, need - weight) holds, or without it, if
    # (place + 1, need) holds. Heavier literals first, so that few needs differ.
    bound = fields[0]
    parts = sorted(zip(fields[2::2], fields[3::2], strict=True), key=lambda part: -part[1])
    rest = [0]
    for _, weight in reversed(parts):
        rest.append(rest[-1] + weight)
    rest.reverse()
    atoms: dict[tuple[int, int], int] = {(0, bound): head}
    pending = [(0, bound)]
    while pending:
        place, need = pending.pop()
        atom = atoms[place, need]
        if need <= 0:
            found.rules.append((atom, ()))
            continue
        if rest[place] < need:
            continue
        literal, weight = parts[place]
        for body, key in (
            ((literal,), (place + 1, max(0, need - weight))),
            ((), (place + 1, need)),
        ):
            if rest[key[0]] < key[1]:
                continue
            if key[1] == 0:
                found.rules.append((atom, body))
                continue
            if key not in atoms:
                found.spare += 1
                atoms[key] = _SPARE + found.spare
                pending.append(key)
            found.rules.append((atom, (*body, atoms[key])))


def _name(found: Ground, text: str, atom: int) -> None:
    relation, _, inner = text.partition("(")
    parts = arguments(inner[:-1]) if found.plain else _split_arguments(inner)
    if relation in ("g_role", "g_init"):
        (found.roles if relation == "g_role" else found.init)[parts[0]] = atom
    elif relation in ("g_true", "g_next"):
        (found.true if relation == "g_true" else found.next)[parts[0]] = atom
    elif relation in ("g_does", "g_legal"):
        table = found.does if relation == "g_does" else found.legal
        table[parts[0], parts[1]] = atom
    elif relation == "g_goal":
        found.goal[parts[0], _goal(found, parts[1])] = atom
    elif relation == "g_view":
        found.view[",".join(parts)] = atom
    elif relation == "g_terminal":
        found.terminal = atom


def _split_arguments(inner: str) -> list[str]:
    """Return the arguments in ``inner``, the text after an atom's "(", as names: ``f(a,1)``."""
    if not inner:
        return []
    return [shown_fact(part) for part in json.loads("[" + _as_json(inner[:-1]) + "]")]


def _as_json(text: str) -> str:
    """Rewrite clingo's tuples of strings as JSON lists; no constant of KIF holds a parenthesis."""
    return text.replace("(", "[").replace(")", "]")


def _goal(found: Ground, text: str) -> int:
    shape = r"-?[0-9]{1,9}" if found.plain else r"0|[1-9][0-9]{0,8}"
    value = int(text) if re.fullmatch(shape, text) else 1 << 40
    if abs(value) > 1_000_000:
        raise InputError(
            f"{found.name}: a goal is worth {text[:40]!r}",
            mend="write an integer" if found.plain else "write an integer from 0 to 100",
        )
    return value

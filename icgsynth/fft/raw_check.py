"""A second opinion on a tree: slow, on raw states, with nothing in common with the kernels.

It takes from an arena explored *without* symmetry only the states, the moves and what the
ends are worth: minimax, the moves of Definition 7 and the reachable states of Definition 4 are
computed here, in plain numpy; the images of the rules are those that are played.

A tree read a second time, for the second checker: nothing here is shared with the first reader.

The first reader (:mod:`icgsynth.spec.tree`) cuts a line into tokens and asks at each one what may
follow.  This one goes through the line character by character, and looks for what is written in a
table of all spellings of all names.  The two must come to the same rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icgsynth.errors import InputError, Refused
from icgsynth.fft.tiers import images
from icgsynth.finite.arena import Arena
from icgsynth.finite.tree import Literal, Tree, TreeRule

# --- reread --------------------------------------------------------------------------------------

_Piece = tuple[str, str]  # a kind ("name", "word" or "mark") and the text
_NOT, _AND, _ANYWAY = ("not", "!", "¬"), ("and", "&", "∧"), ("true", "always", "⊤")


def reread(name: str, text: str, facts: Sequence[str], actions: Sequence[str]) -> list[TreeRule]:
    """The rules of the tree in ``text``, those of meta-rules one by one.

    :class:`~icgsynth.errors.InputError` for what this reader cannot read.
    """
    reader = _Reader(name, _spellings(facts), _spellings(actions))
    if text.strip()[:1] in ("{", "["):
        value = json.loads(text)
        value = value.get("tree", value)
        single = [
            rule
            for item in value["strategy"]
            for rule in (item["rules"] if "meta" in item else [item])
        ]
        return [reader.of_json(rule) for rule in single]
    rules = []
    for line in text.split("\n"):
        pieces = list(_pieces(line))
        if pieces and not (pieces[0] == ("word", "meta") and pieces[-1] == ("mark", ":")):
            rules.append(reader.rule(pieces))
    return rules


def _pieces(line: str) -> Iterator[_Piece]:
    """Quoted names, words and marks, up to a comment."""
    at, word = 0, ""
    while at < len(line):
        letter = line[at]
        close = _closing(line, at + 1) if letter == "`" and not word else -1
        if close > at + 1:
            yield "name", line[at + 1 : close].replace("``", "`")
            at = close + 1
            continue
        if letter == "#":
            break
        if letter in "(),:" or letter.isspace():
            if word:
                yield "word", word
            word = ""
            if not letter.isspace():
                yield "mark", letter
        else:
            word += letter
        at += 1
    if word:
        yield "word", word


def _closing(line: str, at: int) -> int:
    """Where the name that begins at ``at`` ends: the first backquote that is not doubled; or -1."""
    while (at := line.find("`", at)) >= 0:
        if line[at + 1 : at + 2] != "`":
            return at
        at += 2
    return -1


class _Reader:
    def __init__(
        self, name: str, facts: list[dict[str, set[str]]], actions: list[dict[str, set[str]]]
    ) -> None:
        self.name, self.facts, self.actions = name, facts, actions

    def rule(self, pieces: list[_Piece]) -> TreeRule:
        """``if CONDITION: ACTION``, or ``ACTION`` alone."""
        literals: list[Literal] = []
        if pieces[0] == ("word", "if"):
            colon = pieces.index(("mark", ":")) if ("mark", ":") in pieces else len(pieces)
            for part in _split(pieces[1:colon]):
                literals += self.literal(part)
            pieces = pieces[colon + 1 :]
        return TreeRule(tuple(dict.fromkeys(literals)), self.found(pieces, self.actions))

    def of_json(self, item: dict[str, object]) -> TreeRule:
        """A rule of the JSON form."""
        texts = item.get("if", [])
        assert isinstance(texts, list)
        literals = [li for text in texts for li in self.literal(list(_pieces(str(text))))]
        action = self.found(list(_pieces(str(item["do"]))), self.actions)
        return TreeRule(tuple(dict.fromkeys(literals)), action)

    def literal(self, pieces: list[_Piece]) -> list[Literal]:
        """``FACT`` or ``not FACT``; none for what always holds."""
        signs = 0
        while signs < len(pieces) and pieces[signs][0] == "word" and pieces[signs][1] in _NOT:
            signs += 1
        rest = pieces[signs:]
        if not signs and len(rest) == 1 and rest[0][0] == "word" and rest[0][1] in _ANYWAY:
            exact, *others = (table.get(rest[0][1], set()) for table in self.facts)
            if not exact and not any(others):
                return []
        return [Literal(self.found(rest, self.facts), signs % 2 == 0)]

    def found(self, pieces: list[_Piece], tables: list[dict[str, set[str]]]) -> str:
        """The name that is written: as it stands, in another case, or in a short form."""
        if len(pieces) == 1 and pieces[0][0] == "name":
            written = pieces[0][1]
            meant = tables[0].get(written, set())
        else:
            written = _plain(pieces)
            spelled = (written, written.lower(), written.lower())
            each = (table.get(key, set()) for table, key in zip(tables, spelled, strict=True))
            meant = next((names for names in each if names), set())
        if len(meant) != 1:
            raise InputError(
                f"{self.name}: the second reader finds {'two meanings' if meant else 'no meaning'} "
                f"for {written[:60]!r}",
                mend="write the name in full, between backquotes",
            )
        return next(iter(meant))


def _split(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """The parts between the words for "and" that stand in no bracket and are no names.

    Such a word is a name where a literal has to begin.
    """
    part: list[_Piece] = []
    depth = 0
    for piece in pieces:
        depth += (piece == ("mark", "(")) - (piece == ("mark", ")"))
        begun = any(kind != "word" or text not in _NOT for kind, text in part)
        if piece[0] == "word" and piece[1] in _AND and not depth and begun:
            yield part
            part = []
        else:
            part.append(piece)
    yield part


def _plain(pieces: Iterable[_Piece]) -> str:
    """``( cell 1 1 x )`` and ``cell ( 1 , 1 , x )`` as ``cell(1,1,x)``; "" for neither."""
    open_terms: list[list[str]] = [[]]
    before: _Piece = ("mark", "")
    for piece in pieces:
        if piece == ("mark", "("):
            # After a word it opens the arguments of that word, else a term in KIF.
            open_terms.append([open_terms[-1].pop()] if before[0] == "word" else [])
        elif piece == ("mark", ")"):
            head, *rest = open_terms.pop() or [""]
            if not open_terms:
                return ""
            open_terms[-1].append(f"{head}({','.join(rest)})" if rest else head)
        elif piece != ("mark", ","):
            open_terms[-1].append(piece[1])
        before = piece
    whole = open_terms[0]
    return whole[0] if len(open_terms) == 1 and len(whole) == 1 else ""


def _spellings(names: Sequence[str]) -> list[dict[str, set[str]]]:
    """Names by how they may be written: as they stand, in small letters, in a short form."""
    exact: dict[str, set[str]] = {}
    small: dict[str, set[str]] = {}
    short: dict[str, set[str]] = {}
    for name in names:
        exact.setdefault(name, set()).add(name)
        small.setdefault(name.lower(), set()).add(name)
        for spelling in _short_forms(name):
            short.setdefault(spelling.lower(), set()).add(name)
    return [exact, small, short]


def _short_forms(name: str) -> Iterator[str]:
    """``x(1,1)``, ``1(1,x)`` for ``cell(1,1,x)``: one argument stands for the relation."""
    if not name.endswith(")") or name.startswith(("(", '"')):
        return
    parts, depth, inside = [""], 0, False
    for at in range(name.index("(") + 1, len(name) - 1):
        letter = name[at]
        if inside and name[at - 1] == "\\" and _is_escaped(name, at):
            parts[-1] += letter
            continue
        inside ^= letter == '"'
        depth += 0 if inside else (letter == "(") - (letter == ")")
        if letter == "," and not depth and not inside:
            parts.append("")
        else:
            parts[-1] += letter
    for at, part in enumerate(parts):
        rest = parts[:at] + parts[at + 1 :]
        yield f"{part}({','.join(rest)})" if rest else part


def _is_escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before ``at``."""
    return (at - len(text[:at].rstrip("\\"))) % 2 == 1


# --- raw check -----------------------------------------------------------------------------------

_Flags = npt.NDArray[np.bool_]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TreeJudgement:
    """The verdict, and how much was looked at.

    ``states`` counts all states before the end, ``reached`` those that play with the tree
    reaches.  ``flaw`` is a row of the arena.
    """

    optimal: bool
    states: int
    reached: int
    flaw: int | None = None
    moves: tuple[str, ...] = ()


def judge(
    raw: Arena, player: int, tree: Tree, strong: bool = True, group: Arena | None = None
) -> TreeJudgement:
    """Definition 4 on the raw states of ``raw``; rules fire through the images of ``group``.

    ``group`` is an arena of the same game whose symmetries to use (none: only the rules as
    they are).  :class:`Refused` where ``raw`` itself was explored up to symmetry.
    """
    if len(raw.literal_images) > 1:
        raise Refused("the raw-state check needs an arena explored without symmetry")
    game = _Moves(raw)
    value = minimax(raw)
    keeps = value[game.target] == value[game.origin]
    rules = [images(rule, group) for rule in tree.rules]
    seen = np.zeros(len(raw.mover), bool)
    seen[0] = True
    front = np.array([0])
    reached = 0
    while len(front):
        front = front[raw.mover[front] >= 0]
        reached += len(front)
        mine = front[raw.mover[front] == player]
        chosen, silent = _fired(game, mine, rules)
        rest = game.of(silent)
        if not strong:
            # The optimal closure of Definition 4 plays all optimal moves.
            rest = rest[keeps[rest]]
        played = np.concatenate([chosen, rest])
        bad = played[~keeps[played]]
        if len(bad):
            row = int(game.origin[bad[0]])
            names = {raw.actions[int(raw.action[m])] for m in bad if game.origin[m] == row}
            total = int((raw.mover >= 0).sum())
            return TreeJudgement(False, total, reached, row, tuple(sorted(names)))
        theirs = game.of(front[raw.mover[front] != player])
        after = np.unique(game.target[np.concatenate([played, theirs])])
        front = after[~seen[after]]
        seen[front] = True
    return TreeJudgement(True, int((raw.mover >= 0).sum()), reached)


class _Moves:
    """The moves of an arena, found by state, and by state and action."""

    def __init__(self, raw: Arena) -> None:
        self.first = raw.first
        self.target = raw.target.astype(np.int64)
        self.origin = raw.source
        self.count = len(raw.actions)
        key = self.origin * self.count + raw.action
        self._order = np.argsort(key, kind="stable")
        self._key = key[self._order]
        self.actions = {name: i for i, name in enumerate(raw.actions)}
        self._literals = {name: i for i, name in enumerate(raw.literals)}
        self._states = raw.states

    def of(self, states: _Ints) -> _Ints:
        """All moves of ``states``."""
        starts, counts = self.first[states], self.first[states + 1] - self.first[states]
        shift = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        moves: _Ints = np.arange(int(counts.sum())) + shift.astype(np.int64)
        return moves

    def by(self, states: _Ints, action: str) -> _Ints:
        """The move by ``action`` of each of ``states`` that has it."""
        wanted = states * self.count + self.actions[action]
        at = np.minimum(np.searchsorted(self._key, wanted), len(self._key) - 1)
        found: _Ints = self._order[at[self._key[at] == wanted]]
        return found

    def true(self, states: _Ints, atom: str) -> _Flags:
        """Where a fact holds, of ``states``."""
        i = self._literals[atom]
        flags: _Flags = (self._states[states, i // 64] >> np.uint64(i % 64)) & np.uint64(1) == 1
        return flags


def minimax(raw: Arena) -> npt.NDArray[np.int8]:
    """The value of every state for role 0: what a player can force, else 0 (n,)."""
    inner = np.flatnonzero(raw.mover >= 0)
    starts = raw.first[inner]
    first_moves = raw.mover[inner] == 0
    forced = []
    for worth, chooser in ((1, first_moves), (-1, ~first_moves)):
        won = (raw.mover < 0) & (raw.value == worth)
        while True:
            after = won[raw.target]
            some = np.logical_or.reduceat(after, starts)
            every = np.logical_and.reduceat(after, starts)
            now = np.where(chooser, some, every)
            if (now == won[inner]).all():
                break
            won[inner] = now
        forced.append(won)
    value: npt.NDArray[np.int8] = forced[0].astype(np.int8) - forced[1].astype(np.int8)
    return value


def _fired(
    game: _Moves, states: _Ints, rules: Sequence[tuple[TreeRule, ...]]
) -> tuple[_Ints, _Ints]:
    """The moves that the first applicable rules choose, and the states where none applies."""
    chosen: list[_Ints] = [np.zeros(0, np.int64)]
    for group in rules:
        if not len(states):
            break
        columns: dict[str, _Flags] = {}
        fired: list[_Ints] = []
        for image in group:
            there = np.ones(len(states), bool)
            for literal in image.literals:
                if literal.atom not in columns:
                    columns[literal.atom] = game.true(states, literal.atom)
                there &= columns[literal.atom] == literal.holds
            if image.action in game.actions and there.any():
                fired.append(game.by(states[there], image.action))
        moves = np.unique(np.concatenate([np.zeros(0, np.int64), *fired]))
        chosen.append(moves)
        states = np.setdiff1d(states, game.origin[moves])
    return np.concatenate(chosen), states

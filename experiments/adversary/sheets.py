"""Sheets of positions read back: each is what is printed above it, beside it and of all."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import icgsynth as icg
from experiments.adversary.boards import board_game
from experiments.attempts import Outcome, crashed
from experiments.judge.gdl import Board
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from experiments.judge.starts import Grades
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.starts.hardness import percent
from icgsynth.boards.starts.impartial import solved_box
from icgsynth.boards.starts.task_report import PileSheet, TaskSheet
from icgsynth.boards.starts.tasks import Pupil, SolvedGame, TasksWanted, tasks
from icgsynth.boards.text.sheet import sheet_pages
from icgsynth.formats.paper import Page
from icgsynth.spec.source import Source
from icgsynth.wings import wings

__all__ = ["pile_game", "sheets"]

# Moves of two piles; each may lead where another does.
_WAYS = (
    "take(k) pre 1 <= k <= {n} and k <= a eff a := a - k",
    "halve pre a >= 1 eff a := a div 2",
    "drop pre a >= {n} eff a := a - {n}",
    "clear pre b >= 1 eff b := 0",
    "less(k) pre 1 <= k <= b and k <= {n} eff b := b - k",
    "both(k) pre 1 <= k <= a and k <= b eff a := a - k, b := b - k",
    "pour pre a >= 2 eff a := a - 2, b := b + 1",
)
_BOUND = 3  # of their numbers


def sheets(rng: random.Random) -> Outcome:
    """A sheet of a board game or of an impartial one."""
    wanted = TasksWanted(
        rng.choice((1, 1, 2, 3, None)),
        Pupil(rng.randrange(3)),
        rng.randrange(3),
        rng.choice(("easy", "hard", None, None)),
        rng.choice((3, 12, 30)),
        rng.random() < 0.3,
        rng.randrange(100),
    )
    text = board_game(rng, 0.3) if rng.random() < 0.5 else pile_game(rng)
    rule = rng.choice(("normal", "misere"))
    shown = f"{text}; {rule}, {wanted}"
    try:
        printed = _of_board(text, wanted) if "(role" in text else _of_piles(text, rule, wanted)
        wrong = next(printed.faults(), "")
    except Exception:
        return crashed(shown)
    return Outcome("proved", len(printed.report.found), wrong, shown if wrong else "")


def pile_game(rng: random.Random) -> str:
    """Two piles, and some ways to take from them."""
    ways = rng.sample(_WAYS, rng.randint(2, 4))
    actions = "".join(f"action {way.format(n=rng.randint(1, 3))}\n" for way in sorted(ways))
    return f"game piles\nvar a, b\nlegal a >= 0 and b >= 0\n{actions}"


def _of_board(text: str, wanted: TasksWanted) -> _Printed:
    rules = board_of(ground(parse_gdl(Source("g", text))))
    graph = SolvedGame(arena_of_board(rules), FiniteGame(rules))
    found, counts = tasks(graph, wanted)
    return _Printed(TaskSheet(found, counts, wanted, graph), Board.of(text))


def _of_piles(text: str, rule: Any, wanted: TasksWanted) -> _Printed:
    graph = solved_box(icg.loads(text).game, rule, _BOUND)
    found, counts = tasks(graph, wanted)
    return _Printed(PileSheet(found, counts, wanted, graph, _BOUND), _box(text, rule))


def _box(text: str, rule: str) -> Board:
    """The states of a box from which play stays there, whose first player is to move, and all
    that play reaches."""
    play, rng = Play(read_rules(text)), random.Random(0)
    states = [(a, b) for a in range(_BOUND + 1) for b in range(_BOUND + 1)]
    after: dict[tuple[int, ...], dict[str, tuple[int, ...]]] = {
        state: {
            f"{m.action}({', '.join(map(str, m.arguments))})" if m.arguments else m.action: m.after
            for m in play.moves(state, 1_000, rng).moves
        }
        for state in states
    }
    inside: set[tuple[int, ...]] = set()
    while new := {s for s in states if s not in inside and set(after[s].values()) <= inside}:
        inside |= new
    order = [(state, player) for player in (0, 1) for state in states if state in inside]
    place: dict[tuple[tuple[int, ...], int], int] = {turn: i for i, turn in enumerate(order)}
    lost = -1 if rule == "normal" else 1
    return Board(
        ("first", "second"),
        tuple(frozenset({f"a = {a}", f"b = {b}", f"turn {turn}"}) for (a, b), turn in order),
        tuple(turn if after[state] else -1 for state, turn in order),
        tuple(
            {move: place[to, 1 - turn] for move, to in after[state].items()}
            for state, turn in order
        ),
        tuple(lost if turn == 0 else -lost for _, turn in order),
    )


# --- what is printed -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Printed:
    """The positions that icgsynth found and prints, and the game as the judge reads it."""

    report: TaskSheet
    board: Board

    @property
    def _piles(self) -> bool:
        return isinstance(self.report, PileSheet)

    def faults(self) -> Iterator[str]:
        """What is false of what is printed."""
        grades, wanted = Grades(self.board), self.report.wanted
        depths = wanted.you.depth, wanted.opponent
        firsts = range(len(self.board.facts) // 2 if self._piles else len(self.board.facts))
        won = [s for s in firsts if grades.wins(s) and wanted.moves in (None, grades.own(s))]
        levels = Counter(grades.level(state, depths) for state in won)
        if any(levels[level] != many for level, many in self.report.counts.items()):
            yield f"{self.report.counts}; in truth {levels}"
        rows = list(csv.DictReader(io.StringIO(self.report.csv())))
        questions, answers = _read(sheet_pages(self.report.sheet()))
        value = self.report.value()["positions"]
        said = "\n".join(self.report.lines()).split("\n\n")[1:]
        for number, position in enumerate(value, start=1):
            state = self._state(position)
            wrong = partial(_Position, self.board, grades, state, position, wanted)
            texts = questions.get(number, []), answers.get(number, []), said[number - 1]
            if (fault := wrong(*texts, rows[number - 1]).fault(self._piles)) is not None:
                yield f"position {number}, {sorted(self.board.facts[state])}: {fault}"
        yield from self._faults_of_page()

    def _state(self, position: dict[str, Any]) -> int:
        """The state of a position in JSON; the first player is to move in those of piles."""
        if self._piles:
            a, b = position["state"]
            return self.board.facts.index(frozenset({f"a = {a}", f"b = {b}", "turn 0"}))
        held = frozenset(position["facts"])
        return self.board.facts.index(held)

    def _faults_of_page(self) -> Iterator[str]:
        """What the page Puzzles of the studio says of the same positions, if there is a studio."""
        if "studio" not in wings():
            return
        from icgsynth.studio.tasks.puzzle_tasks import asked_of_all, solved_puzzle

        found = [solved_puzzle(self.report.graph.game, task) for task in self.report.found]
        asked = asked_of_all(found)
        for puzzle, task in zip(found, self.report.found, strict=True):
            printed = asked or puzzle["task"]
            who = "You are" if self._piles else f"{self.report.graph.arena.mover_name(task.row)} is"
            if not printed.startswith(f"{who} to move and can win"):
                yield f"{printed!r} is printed with {task}"


def _read(pages: Sequence[Page]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The texts of each position on the pages with the questions, and on those with the answers."""
    parts: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    for page in pages:
        texts: list[Any] = [shape for shape in page.shapes if hasattr(shape, "text")]
        part = parts[any(shape.text.startswith("Answers. ") for shape in texts)]
        into: list[str] = []
        for shape in texts:
            if shape.bold and shape.text == str(len(part) + 1) and shape.size in (11, 12):
                into = part[len(part) + 1] = []
            into.append(shape.text)
    return parts


@dataclass(frozen=True)
class _Position:
    """One position with what is printed of it: in JSON, on paper, as text, in a table."""

    board: Board
    grades: Grades
    state: int
    position: dict[str, Any]
    wanted: TasksWanted
    question: list[str]
    answer: list[str]
    text: str
    row: dict[str, str]

    def fault(self, piles: bool) -> str | None:
        """What is false, if anything."""
        board, grades, state, said = self.board, self.grades, self.state, self.position
        mover = board.mover[state]
        if not grades.wins(state):
            return "the player to move does not win"
        if not piles:
            turn = f"{board.roles[mover]} to move"
            if said["mover"] != board.roles[mover] or self.row["mover"] != board.roles[mover]:
                return f"{said['mover']} is to move"
            if not any(turn in line for line in self.question) or turn not in self.text:
                return f"{turn} is not printed with it: {self.question}"
        if said["moves"] != grades.own(state) or said["distance"] != grades.plies(state):
            return f"{said['moves']} moves, {said['distance']} in all"
        if self.wanted.moves not in (None, said["moves"]):
            return f"{said['moves']} moves"
        keys = board.good(state)
        printed = " ".join(self.answer)
        if set(said["first_moves"]) != keys or len(said["first_moves"]) != len(keys):
            return f"{said['first_moves']} win; in truth {sorted(keys)}"
        if any(key not in printed or key not in self.text for key in keys):
            return f"{sorted(keys)} win; printed is {printed}"
        if self.wanted.unique_first_move and len(keys) != 1:
            return f"{sorted(keys)} win"
        return self._fault_of_chances() or grades.wrong_line(state, said["line"]) or None

    def _fault_of_chances(self) -> str:
        """What is false of the chances, and of the move that tempts."""
        grades, state, said = self.grades, self.state, self.position
        mover, other = self.board.mover[state], self.wanted.opponent
        depths = (self.wanted.you.depth, 1, 2, 3)
        truth = [float(grades.chance(state, mover, (depth, other))) for depth in depths]
        told = [said["chance"], *said["chances"]]
        if any(abs(one - two) > 1e-6 for one, two in zip(truth, told, strict=True)):
            return f"chances {told}; in truth {truth}"
        if said["level"] != grades.level(state, (depths[0], other)):
            return f"it is {said['level']}"
        odds = ", ".join(f"{percent(chance)}%" for chance in truth[1:])
        if odds not in self.text or odds not in " ".join(self.answer):
            return f"{odds} is not printed: {self.answer}"
        bad = set(grades.drawn(state, depths[0])) - self.board.good(state)
        tempting = said["temptation"]
        if (tempting is None) != (not bad) or (tempting and tempting["move"] not in bad):
            return f"{tempting} tempts; in truth {sorted(bad)}"
        if tempting and tempting["reply"]:
            after = self.board.moves[state][tempting["move"]]
            if tempting["reply"] not in self.board.good(after):
                return f"{tempting['reply']} does not answer {tempting['move']}"
        return ""

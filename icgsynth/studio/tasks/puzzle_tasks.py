"""What the page Puzzles asks: positions of a game that are won, from easy to hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import entries, finite_names
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import impartial_of, rule_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icgsynth.starts.hardness import Level
    from icgsynth.starts.puzzles import Puzzle
    from icgsynth.starts.tasks import StartTask

LINES = {
    "tictactoe": ("Tic-tac-toe", "tictactoe", "3x3", 3),
    "tictactoe4": ("Tic-tac-toe, three in a line on 4x4", "tictactoe", "4x4", 3),
    "connect3": ("Connect-3 on 4x4", "connect", "4x4", 3),
    "connect4": ("Connect-4 on 4x5", "connect", "4x5", 4),
    "bottom": ("Bottom-2, three in a line on 4x4", "bottom", "4x4", 3),
}
"""Games of lines: the title, and what :func:`icgsynth.starts.lines.line_game` is given."""

_LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
_MOST_MOVES = 6
_MOST = 24  # puzzles at a time
_OPPONENT = 3  # rounds that the other one looks ahead
_LOOKS = 1  # rounds that you do, in an impartial game


@task
def puzzle_games(data: Data) -> Data:
    """The names and titles of the games that there are puzzles of; games of lines first."""
    lines = {name: title for name, (title, *_) in LINES.items()}
    found = lines | {entry.name: entry.title for entry in entries() if entry.name not in lines}
    return {"games": [{"name": name, "title": title} for name, title in found.items()]}


@task
def puzzles(data: Data) -> Data:
    """``puzzles`` of a game, the easiest first: ``view``, ``keys`` (moves that win), ``answer``.

    ``moves`` of your own are to win; ``level`` is one of three, or ``graded``: some of each.
    ``count`` are wanted; ``seed`` chooses among them.  ``playable``: other pages know the game.
    """
    moves = _number(data, "moves", 3, _MOST_MOVES)
    count, seed = _number(data, "count", 9, _MOST), _number(data, "seed", 0, 2**31)
    level = data.get("level", "graded")
    if level != "graded" and level not in _LEVELS:
        raise InputError("there is no such level", mend=f"graded, {', '.join(_LEVELS)}")
    levels = _LEVELS if level == "graded" else (level,)
    each = -(-count // len(levels))
    name = str(data["game"].get("name"))
    found = _lines if name in LINES else _piles
    title, listed = found(data, levels, (moves, each, seed))
    listed.sort(key=lambda puzzle: -puzzle["chance"])
    playable = name not in LINES or name in finite_names()
    return {"title": title, "moves": moves, "puzzles": listed[:count], "playable": playable}


def _number(data: Data, name: str, default: int, most: int) -> int:
    value = data.get(name, default)
    if not isinstance(value, int) or not 0 <= value <= most:
        raise InputError(f"{name} is a number up to {most}")
    return max(value, name != "seed")


_Sought = tuple[int, int, int]  # how many moves, how many puzzles of a level, the seed


def _lines(data: Data, levels: tuple[Level, ...], sought: _Sought) -> tuple[str, list[Data]]:
    from icgsynth.starts.choose import Wanted, choose, grade
    from icgsynth.starts.lines import line_game

    title, preset, size, match = LINES[data["game"]["name"]]
    game = line_game(preset, size, match)
    moves, each, seed = sought
    you = max(1, moves - 1)
    found: list[Data] = []
    for level in levels:
        wanted = Wanted(moves, you, _OPPONENT, level, each, seed=seed)
        found += map(_line_puzzle, choose(grade(game, wanted, tell), False))
    return title, found


def _line_puzzle(puzzle: Puzzle) -> Data:
    from icgsynth.export.sheet import answer_lines
    from icgsynth.export.views.line_view import line_view
    from icgsynth.starts.puzzles import cell_name

    game = puzzle.game
    return {
        "view": line_view(game, puzzle.state),
        "task": f"X is to move and wins with {_moves(puzzle.moves)} of its own.",
        "keys": [cell_name(game, cell) for cell in puzzle.keys],
        "level": puzzle.level,
        "chance": puzzle.chance,
        "answer": [f"{'  ' * depth}{text}" for depth, text in answer_lines(puzzle)],
        "notes": [*_tempted(puzzle), _chance(puzzle.you, puzzle.chance)],
    }


def _tempted(puzzle: Puzzle) -> Iterator[str]:
    from icgsynth.starts.puzzles import cell_name

    if (found := puzzle.temptation) is not None:
        move = cell_name(puzzle.game, found.cell)
        after = "" if found.reply is None else f"; after {cell_name(puzzle.game, found.reply)}"
        yield f"{move} tempts{after}: {found.verdict}."


def _chance(depth: int, chance: float) -> str:
    from icgsynth.starts.hardness import percent

    rounds = "one round" if depth == 1 else f"{depth} rounds"
    return (
        f"Who looks {rounds} ahead wins from here with {percent(chance)} % against one who looks "
        f"{_OPPONENT} ahead."
    )


def _piles(data: Data, levels: tuple[Level, ...], sought: _Sought) -> tuple[str, list[Data]]:
    from icgsynth.starts.impartial import default_bound, solved_box
    from icgsynth.starts.tasks import Pupil, TasksWanted, tasks

    game = impartial_of(data["game"], f"choose an impartial game, or one of {', '.join(LINES)}")
    graph = solved_box(game, rule_of(data["game"]), default_bound(game), tell)
    moves, each, seed = sought
    found: list[Data] = []
    for level in levels:
        wanted = TasksWanted(moves, Pupil(_LOOKS), _OPPONENT, level, each, seed=seed)
        found += (_pile_puzzle(game, one) for one in tasks(graph, wanted)[0])
    return game.title or game.name, found


def _pile_puzzle(game: ParametricGame, one: StartTask) -> Data:
    from icgsynth.export.views.parametric_view import parametric_view

    return {
        "view": parametric_view(game, one.state),
        "task": f"You are to move and win with {_moves(one.moves)} of your own.",
        "keys": list(one.keys),
        "level": one.level,
        "chance": one.chance,
        "answer": list(_pile_answer(one)),
        "notes": [_chance(_LOOKS, one.chance)],
    }


def _pile_answer(one: StartTask) -> Iterator[str]:
    yield f"{', or '.join(one.keys)} wins."
    yield f"Best play: {', '.join(one.line)}."
    if one.tempting is not None:
        answer = f", for then comes {one.answer}" if one.answer is not None else ""
        yield f"{one.tempting} tempts and loses{answer}."


def _moves(count: int) -> str:
    return "one move" if count == 1 else f"{count} moves"

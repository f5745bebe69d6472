"""Tasks of the page Puzzles: won positions of a game to solve, from easy to hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.export.sentences import in_prose
from icgsynth.game.game import ParametricGame, State
from icgsynth.process.worker import tell
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import game_of, rule_of, title_of
from icgsynth.studio.tasks.page_states import read, say_move, state_view
from icgsynth.studio.tasks.play_tasks import games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.boards.starts.hardness import Level
    from icgsynth.boards.starts.puzzles import Puzzle
    from icgsynth.boards.starts.tasks import StartTask

LINES = {
    "tictactoe4": ("Tic-tac-toe, three in a line on 4x4", "tictactoe", "4x4", 3),
    "connect4": ("Connect-4 on 4x5", "connect", "4x5", 4),
    "bottom": ("Bottom-2, three in a line on 4x4", "bottom", "4x4", 3),
}
"""Games of lines that are not in the catalog, or too large to be solved whole.

The title, and what :func:`icgsynth.boards.starts.lines.line_game` is given.
"""

_LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
_MOST_MOVES = 6  # moves to a win of a puzzle: people do not look further
_MOST = 24  # puzzles at a time, at most
_OPPONENT = 3  # rounds that the other player looks ahead
_LOOKS = 1  # rounds that you look ahead, in a game that is solved


@task
def puzzle_games(data: Data) -> Data:
    """Return ``{"games": ..}``: name and title of each game with puzzles; games of lines come
    last."""
    lines = [{"name": name, "title": title} for name, (title, *_) in LINES.items()]
    return {"games": [*games(data)["games"], *lines]}


@task
def puzzles(data: Data) -> Data:
    """Return as JSON ``puzzles`` of ``data``'s game, the easy ones first.

    A puzzle has its ``view``, ``keys`` (moves that win), ``answer``, and a ``task``, which says who
    is to move and what that player can do; where all puzzles have one task, it is ``asked`` of all,
    and elsewhere that is empty. They are won by so many ``moves`` of one's own; ``level`` is one of
    three, or ``graded``: some of each. ``count`` are wanted; ``seed`` chooses among them.
    ``playable``: other pages know the game. InputError for another level."""
    moves = _number(data, "moves", 3, _MOST_MOVES)
    count, seed = _number(data, "count", 9, _MOST), _number(data, "seed", 0, 2**31)
    level = data.get("level", "graded")
    if level != "graded" and level not in _LEVELS:
        raise InputError("there is no such level", mend=f"graded, {', '.join(_LEVELS)}")
    levels = _LEVELS if level == "graded" else (level,)
    each = -(-count // len(levels))
    playable = data["game"].get("name") not in LINES
    title, listed = (_solve if playable else _lines)(data, levels, (moves, each, seed))
    listed.sort(key=lambda puzzle: -puzzle["chance"])
    chosen = listed[:count]
    told = {"title": title, "moves": moves, "puzzles": chosen, "playable": playable}
    return told | {"asked": asked_of_all(chosen)}


def asked_of_all(chosen: list[Data]) -> str:
    """Return the text of the task that all puzzles ``chosen`` have; "" where they differ."""
    tasks = {puzzle["task"] for puzzle in chosen}
    return tasks.pop() if len(tasks) == 1 else ""


def _number(data: Data, name: str, default: int, most: int) -> int:
    value = data.get(name, default)
    if not isinstance(value, int) or not 0 <= value <= most:
        raise InputError(f"{name} is a number up to {most}")
    return max(value, name != "seed")


_Sought = tuple[int, int, int]  # moves, puzzles of a level, seed


def _lines(data: Data, levels: tuple[Level, ...], sought: _Sought) -> tuple[str, list[Data]]:
    from icgsynth.boards.starts.choose import Wanted, choose, grade
    from icgsynth.boards.starts.lines import line_game

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
    from icgsynth.boards.starts.line_report import answer_lines
    from icgsynth.boards.starts.puzzles import cell_name
    from icgsynth.boards.text.finite_view import line_view

    game = puzzle.game
    return {
        "view": line_view(game, puzzle.state),
        "task": f"X is to move and wins with {_moves(puzzle.moves)} of its own.",
        "keys": [cell_name(game, cell) for cell in puzzle.keys],
        "level": puzzle.level,
        "chance": puzzle.chance,
        "answer": [f"{'  ' * line.depth}{line.text}" for line in answer_lines(puzzle)],
        "notes": [*_tempt(puzzle), _chance(puzzle.you, puzzle.chance)],
    }


def _tempt(puzzle: Puzzle) -> Iterator[str]:
    from icgsynth.boards.starts.puzzles import cell_name

    if (found := puzzle.temptation) is not None:
        move = cell_name(puzzle.game, found.cell)
        after = "" if found.reply is None else f"; after {cell_name(puzzle.game, found.reply)}"
        yield f"{move} tempts{after}: {found.verdict}."


def _chance(depth: int, chance: float) -> str:
    from icgsynth.boards.starts.hardness import percent

    rounds = "one round" if depth == 1 else f"{depth} rounds"
    return (
        f"Who looks {rounds} ahead wins from here with {percent(chance)} % against one who looks "
        f"{_OPPONENT} ahead."
    )


def _solve(data: Data, levels: tuple[Level, ...], sought: _Sought) -> tuple[str, list[Data]]:
    """Return the title of the game in ``data``, which is solved first, and puzzles as JSON for all
    ``levels``. ``sought`` is (winner's moves to the win, most puzzles of a level, seed)."""
    from icgsynth.boards.starts.impartial import default_bound, solved_box
    from icgsynth.boards.starts.tasks import Pupil, SolvedGame, TasksWanted, tasks

    game = game_of(data["game"])
    if isinstance(game, ParametricGame):
        rule = rule_of(data["game"])
        title = in_prose(game) + (", misère play" if rule == "misere" else "")
        graph: SolvedGame = solved_box(game, rule, default_bound(game), tell)
    else:
        title = title_of(data["game"], game)
        graph = SolvedGame(arenas.arena_of(data["game"], data["seconds"], tell), game)
    moves, each, seed = sought
    found: list[Data] = []
    for level in levels:
        wanted = TasksWanted(moves, Pupil(_LOOKS), _OPPONENT, level, each, seed=seed)
        found += (solved_puzzle(game, one) for one in tasks(graph, wanted)[0])
    return title, found


def solved_puzzle(game: ParametricGame | FiniteGame, one: StartTask) -> Data:
    """Return the puzzle ``one``, of a solved game, as JSON for the page (as :func:`puzzles` has
    it)."""
    view = state_view(game, one.state)
    who = "You are" if view["turn"] is None else f"{view['turn']} is"
    return {
        "view": view,
        "task": f"{who} to move and can win: with best play it takes {_moves(one.moves)}.",
        "keys": list(one.keys),
        "level": one.level,
        "chance": one.chance,
        "answer": list(_solved_answer(game, one)),
        "notes": [_chance(_LOOKS, one.chance)],
    }


def _solved_answer(game: ParametricGame | FiniteGame, one: StartTask) -> Iterator[str]:
    keys = [words for key in one.keys for words in _in_words(game, one.state, key)]
    yield f"What wins: {', or '.join(keys)}."
    yield "Best play:"
    yield from (f"  {words}" for words in _in_words(game, one.state, *one.line))
    if one.tempting is not None:
        reply = () if one.answer is None else (one.answer,)
        move, *then = _in_words(game, one.state, one.tempting, *reply)
        yield f"What tempts and does not win: {move}."
        yield from (f"  Then comes {words}." for words in then)


def _in_words(game: ParametricGame | FiniteGame, state: State, *moves: str) -> Iterator[str]:
    """Yield ``moves``, texts of moves made one after the other from ``state``, in words."""
    for text in moves:
        move = read(game, state, text)
        yield say_move(game, state, move)
        state = game.result(state, move)


def _moves(count: int) -> str:
    return "one move" if count == 1 else f"{count} moves"

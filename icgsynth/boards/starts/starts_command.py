"""The command ``icgsynth starts``: find starting positions of chosen difficulty."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import (
    GIGABYTES,
    answer_source,
    output_option,
    require_use,
    seed_option,
    set_option,
    timeout_option,
)
from icgsynth.cli.output import require_ending
from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, PlayRule
    from icgsynth.game.strategy import Rule as Step
    from icgsynth.game.strategy import Strategy, TargetRule
    from icgsynth.subjects import Subject
    from icgsynth.subjects.question import Question

_FORMATS = (".pdf", ".html", ".svg", ".json", ".csv")


class _Weights(click.ParamType[tuple[int, ...]]):
    """A command-line option type: integers with commas between, as ``0,0,2,3``."""

    name = "weights"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        try:
            return tuple(int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{str(value)[:40]!r} is no list of integers, as in 0,0,2,3", param, ctx)


@click.command()
@click.argument("game", shell_complete=complete_names("icg", "boards"))
@click.option("--size", metavar="ROWSxCOLUMNS", help="The board, as in 5x5.")
@click.option("--match", type=int, metavar="N", help="How many marks in a line win.")
@click.option(
    "--win", default="RCD", show_default=True, help="Winning lines: R rows, C columns, D diagonals."
)
@click.option(
    "--gravity", metavar="full|none|bottom-L",
    help="Marks go on the lowest free cell of a column, on any, or on one of the L lowest.",
)  # fmt: skip
@click.option(
    "--moves", type=int, default=3, show_default=True, help="You win in this many of your moves."
)
@click.option(
    "--you", type=int, default=2, show_default=True, help="How many rounds you look ahead."
)
@click.option(
    "--opponent",
    type=int,
    default=3,
    show_default=True,
    help="How many rounds the opponent looks ahead.",
)
@click.option(
    "--level",
    type=click.Choice(["easy", "medium", "hard", "any"]),
    default="any",
    show_default=True,
    help="Your chance to win: at least 2/3 (easy), at most 1/3 (hard), or between.",
)
@click.option(
    "--count", type=int, default=12, show_default=True, help="How many positions to find."
)
@click.option(
    "--unique-first-move", is_flag=True,
    help="Only one first move wins (in games of lines: wins within --moves).",
)  # fmt: skip
@click.option(
    "--progression", is_flag=True, help="From easy to hard, by how far you must look ahead."
)
@click.option(
    "--count-sets",
    is_flag=True,
    help="Only count the state space and the sets W_0, W_1, ... (won in that many moves).",
)
@click.option(
    "--up-to", type=click.IntRange(0, 31), default=4, show_default=True,
    help="The last set that --count-sets counts.",
)  # fmt: skip
@click.option("--position", metavar="BOARD", help="Say how hard this one is, as in ..O/.XX/OXO.")
@click.option(
    "-r",
    "--rule",
    type=click.Choice(["normal", "misere"]),
    help="Impartial games: who cannot move loses or wins.  [default: normal; misere "
    "where the rules say so]",
)
@click.option(
    "--reward",
    type=_Weights(),
    metavar="0,0,2,3",
    help="What 0, 1, ... marks in an open line are worth to a player who looks ahead.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "dense", "symbolic"]),
    default="auto",
    show_default=True,
    help="One bit per position, or decision diagrams (extra bdd), which auto takes past --memory.",
)
@click.option(
    "--memory", type=GIGABYTES, default=2.0,
    show_default=True, metavar="GB", help="What one bit per position may take.",
)  # fmt: skip
@click.option(
    "-b",
    "--bound", type=click.IntRange(0, 10_000), metavar="N",
    help="Impartial games: states with coordinates up to this; by default about 500 states.",
)  # fmt: skip
@click.option(
    "--solution", metavar="FILE.json", help="Impartial games: you play by part of this answer."
)
@click.option(
    "--knows", type=click.IntRange(0, 1000), metavar="N", help="Of --solution: first N rules."
)
@set_option
@deliver_by(
    output_option("A sheet (.pdf, .html, .svg) or a list (.json, .csv), by its ending.", *_FORMATS),
    timeout_option(None),
)
@seed_option
def starts(**given: Any) -> int:
    """Find starting positions of chosen difficulty, for any game that is solved whole.

    GAME is connect, tictactoe, bottom (Bottom-2), an impartial game, or a finite game in GDL: a
    file or a name of the catalog.  You are to move, in games of lines as X.  A position is hard
    if the exact chance is small that a player who looks --you rounds ahead wins against one who
    looks --opponent rounds ahead.

    \b
    Try:  icgsynth starts connect --moves 3 --level hard -o sheet.pdf
          icgsynth starts tictactoe --size 4x4 --count-sets --json
          icgsynth starts nim3 --moves 3 --you 1 --level hard
          icgsynth starts connect3 --moves 4 --level hard

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 4 no position for the
                file of -o, or the memory or the budget is spent.
    """
    from icgsynth.boards.starts.lines import PRESETS

    if given["game"] in PRESETS:
        return _of_lines(given)
    from icgsynth.boards.subject.finite_subject import FiniteSubject
    from icgsynth.boards.subject.openspiel_subject import OpenSpielSubject
    from icgsynth.subjects import subject

    found = subject(given["game"], dict(given["constants"]))
    is_board = isinstance(found, FiniteSubject | OpenSpielSubject)
    return _of_board(given, found) if is_board else _of_piles(given, found)


def _of_lines(given: dict[str, Any]) -> int:
    from icgsynth.boards.starts.choose import Wanted
    from icgsynth.boards.starts.lines import line_game
    from icgsynth.boards.starts.reward import Reward
    from icgsynth.boards.starts.start_questions import engine_for, to_choose, to_count, to_grade

    if given["constants"] or given["solution"] or given["knows"] is not None:
        raise InputError("--set, --solution and --knows are for impartial games")
    require_use(False, "impartial games", "bound", "rule")
    require_use(given["count_sets"], "--count-sets", "up_to")
    delivery: Delivery = given["delivery"]
    output = delivery.output
    if output and (given["count_sets"] or given["position"] is not None):
        require_ending(output, ".json")
    game = line_game(given["game"], given["size"], given["match"], given["win"], given["gravity"])
    if given["count_sets"]:
        most: int = given["up_to"]
        engine = engine_for(game, given["engine"], given["memory"])
        return ask([to_count(game, most, engine)], delivery)
    wanted = Wanted(you=given["you"], reward=Reward(given["reward"] or ()), **_parse_wanted(given))
    if given["position"] is not None:
        return ask([to_grade(game, wanted, given["position"])], delivery)
    engine = engine_for(game, given["engine"], given["memory"])
    return _list_starts(given, partial(to_choose, game, wanted, engine, given["progression"]))


_ONLY_LINES = (
    *("size", "match", "win", "gravity", "reward", "position"),
    *("engine", "memory", "up_to", "count_sets", "progression"),
)


def _of_piles(given: dict[str, Any], found: Subject) -> int:
    """Run ``icgsynth starts`` by options ``given`` for an impartial game; return the exit code."""
    from icgsynth.boards.starts.impartial import default_bound
    from icgsynth.boards.starts.start_questions import to_choose_piles
    from icgsynth.boards.starts.tasks import Pupil, TasksWanted
    from icgsynth.prove.deciders.quantifiers import plain_rules
    from icgsynth.subjects import impartial_game

    require_use(False, "connect, tictactoe and bottom", *_ONLY_LINES)
    game = plain_rules(impartial_game(found))
    rule: PlayRule = given["rule"] or game.rule
    known = _read_strategy(game, rule, given["solution"], given["knows"])
    bound = default_bound(game) if given["bound"] is None else given["bound"]
    wanted = TasksWanted(you=Pupil(given["you"], known), **_parse_wanted(given))
    return _list_starts(given, partial(to_choose_piles, game, rule, bound, wanted))


def _of_board(given: dict[str, Any], found: Subject) -> int:
    from icgsynth.boards.starts.start_questions import to_choose_boards
    from icgsynth.boards.starts.tasks import Pupil, TasksWanted

    require_use(False, "connect, tictactoe and bottom", *_ONLY_LINES)
    require_use(False, "impartial games", "rule", "bound", "solution", "knows")
    wanted = TasksWanted(you=Pupil(given["you"]), **_parse_wanted(given))
    return _list_starts(given, partial(to_choose_boards, found.game, wanted))


def _parse_wanted(given: dict[str, Any]) -> dict[str, Any]:
    names = ("moves", "opponent", "count", "unique_first_move", "seed")
    level = None if given["level"] == "any" else given["level"]
    return {"level": level} | {name: given[name] for name in names}


def _list_starts(given: dict[str, Any], question: Callable[[str | None], Question[Any]]) -> int:
    """Ask the question that ``question`` returns for the file of option -o, which lists positions;
    return the exit code."""
    delivery: Delivery = given["delivery"]
    return ask([question(delivery.output)], delivery._replace(output=None))


def _read_strategy(
    game: ParametricGame, rule: PlayRule, solution: str | None, knows: int | None
) -> Strategy[Step | TargetRule]:
    """Return the first ``knows`` rules (None: all) of the answer in the file ``solution``, none
    without a file; InputError if it is for another rule of play."""
    from icgsynth.game.strategy import Strategy
    from icgsynth.spec.solution_file import read_solution

    if solution is None:
        if knows is not None:
            raise InputError("--knows says how many rules of --solution", mend="give --solution")
        return Strategy()
    answer = read_solution(answer_source(solution), game)
    if answer.rule != rule:
        raise InputError(f"{solution} is for --rule {answer.rule}", mend=f"--rule {answer.rule}")
    return (answer.tree or answer.strategy)[:knows]

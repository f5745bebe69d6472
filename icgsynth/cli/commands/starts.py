"""``icgsynth starts``: starting positions of chosen difficulty."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli import screen
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import (
    GIGABYTES,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    set_option,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from icgsynth.starts.choose import PositionSource, Wanted
    from icgsynth.starts.dense import Rule
    from icgsynth.starts.lines import LineGame
    from icgsynth.starts.puzzles import Puzzle

__all__ = ["starts"]

_FORMATS = (".pdf", ".html", ".svg", ".json", ".csv")
_GIGA = 10**9


class _Weights(click.ParamType[tuple[int, ...]]):
    """``0,0,2,3``."""

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
@click.option("--match", type=int, metavar="N", help="How many in a line win.")
@click.option(
    "--win", default="RCD", show_default=True, help="The lines that win: rows, columns, diagonals."
)
@click.option("--gravity", metavar="full|none|bottom-L", help="Which cells may be taken.")
@click.option(
    "--moves", type=int, default=3, show_default=True, help="The win takes so many of your moves."
)
@click.option(
    "--you", type=int, default=2, show_default=True, help="How many rounds you look ahead."
)
@click.option(
    "--opponent", type=int, default=3, show_default=True, help="How many rounds the other does."
)
@click.option(
    "--level",
    type=click.Choice(["easy", "medium", "hard", "any"]),
    default="any",
    show_default=True,
    help="You win at least 2/3 (easy), at most 1/3 (hard), or between.",
)
@click.option("--count", type=int, default=12, show_default=True, help="How many positions.")
@click.option("--unique-first-move", is_flag=True, help="Only one first move wins in time.")
@click.option(
    "--progression", is_flag=True, help="From easy to hard: easy at depth k and not at k - 1."
)
@click.option("--count-sets", is_flag=True, help="Count the state space and W_0, W_1, ... only.")
@click.option(
    "--up-to", type=click.IntRange(0, 31), default=4, show_default=True,
    help="The last set that --count-sets counts.",
)  # fmt: skip
@click.option("--position", metavar="BOARD", help="Grade this one, as in ..O/.XX/OXO.")
@click.option(
    "-r",
    "--rule",
    type=click.Choice(["exact", "paper", "normal", "misere"]),
    help="How sets are formed: by true distance, or as in the paper; for impartial games, who "
    "cannot move loses or wins.  [default: exact; normal]",
)
@click.option(
    "--reward", type=_Weights(), metavar="0,0,2,3", help="The worth of 0, 1, ... in an open line."
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "dense", "symbolic"]),
    default="auto",
    show_default=True,
    help="An array of bits, or decision diagrams (extra bdd), which auto takes past --memory.",
)
@click.option(
    "--memory", type=GIGABYTES, default=2.0,
    show_default=True, metavar="GB", help="What an array of bits may take.",
)  # fmt: skip
@click.option(
    "-b",
    "--bound", type=click.IntRange(0, 10_000), metavar="N",
    help="Impartial games: states with coordinates up to this; by default about 500 states.",
)  # fmt: skip
@click.option(
    "--solution", metavar="FILE.json", help="Impartial games: you know a part of this strategy,"
)
@click.option(
    "--knows", type=click.IntRange(0, 1000), metavar="N", help="namely its first N rules."
)
@set_option
@output_option(
    "A sheet (.pdf, .html, .svg) or a list (.json, .csv), told by the ending.",
    *_FORMATS,
)
@timeout_option(None, whole=True)
@seed_option
@json_option
@quiet_option
def starts(**given: Any) -> int:
    """Starting positions of chosen difficulty, for Connect, Tic-tac-toe and impartial games.

    GAME is connect, tictactoe, bottom (Bottom-2), or an impartial game: a file or a name of the
    catalog.  You are X, who moves first and moves now.  How hard a position is, is the exact
    chance that a player who looks --you rounds ahead wins against one who looks --opponent
    rounds ahead.

    \b
    Try:  icgsynth starts connect --moves 3 --level hard -o sheet.pdf
          icgsynth starts tictactoe --size 4x4 --count-sets --json
          icgsynth starts nim3 --moves 3 --you 1 --level hard

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 4 unknown: the memory or
                the budget is spent.
    """
    from icgsynth.starts.lines import PRESETS

    if given["game"] not in PRESETS:
        from icgsynth.cli.commands.starts_impartial import impartial

        return impartial(given)
    return _line_game(given)


def _line_game(given: dict[str, Any]) -> int:
    from icgsynth.cli.options import require_use
    from icgsynth.cli.output import Progress, require_ending
    from icgsynth.errors import InputError
    from icgsynth.starts.choose import Wanted
    from icgsynth.starts.lines import line_game
    from icgsynth.starts.reward import Reward

    if given["rule"] in ("normal", "misere"):
        raise InputError(f"--rule {given['rule']} is for impartial games", mend="exact or paper")
    if given["constants"] or given["solution"] or given["knows"] is not None:
        raise InputError("--set, --solution and --knows are for impartial games")
    require_use(False, "impartial games", "bound")
    require_use(given["count_sets"], "--count-sets", "up_to")
    if given["output"] and (given["count_sets"] or given["position"] is not None):
        require_ending(given["output"], ".json")
    game = line_game(given["game"], given["size"], given["match"], given["win"], given["gravity"])
    progress = Progress(given["quiet"])
    try:
        if given["count_sets"]:
            return _count(game, given, progress)
        wanted = Wanted(
            given["moves"],
            given["you"],
            given["opponent"],
            None if given["level"] == "any" else given["level"],
            given["count"],
            given["unique_first_move"],
            given["seed"],
            Reward(given["reward"] or ()),
            given["rule"] or "exact",
        )
        if given["position"] is not None:
            return _one(game, wanted, given, progress)
        return _sheet(game, wanted, given, progress)
    finally:
        progress.clear()


def _engine(game: LineGame, given: dict[str, Any], most: int) -> str:
    """Which engine is to be used, and that it can be."""
    from icgsynth.errors import Refused
    from icgsynth.starts.dense import predicted_bytes

    needs = predicted_bytes(game, most)
    if given["engine"] != "auto":
        if given["engine"] == "dense" and needs > given["memory"] * _GIGA:
            raise Refused(
                f"{game} takes {needs / _GIGA:.1f} GB as an array, and --memory is "
                f"{given['memory']:g}\n  raise --memory, or take --engine symbolic"
            )
        return str(given["engine"])
    return "dense" if needs <= given["memory"] * _GIGA else "symbolic"


# --- counting --------------------------------------------------------------------------------


def _count(game: LineGame, given: dict[str, Any], say: Callable[[str], None]) -> int:
    """``--count-sets``."""
    from icgsynth.cli.output import deliver
    from icgsynth.export.starts_report import Counted
    from icgsynth.starts.dense import paper_domain, sets, space
    from icgsynth.starts.symbolic import symbolic_sets

    rule: Rule = given["rule"] or "exact"
    most: int = given["up_to"]
    engine = _engine(game, given, most)
    begun = time.perf_counter()
    if engine == "dense":
        domain = paper_domain(game) if rule == "paper" else "reachable"
        whole = space(game, domain, say)
        found = sets(whole, rule, most, say)
        counted = Counted(game, rule, engine, whole.reachable, whole.won, found.counts)
    else:
        drawn = symbolic_sets(game, rule, most, say)
        counted = Counted(game, rule, engine, drawn.reachable, drawn.won, drawn.counts)
    value = counted.value() | {"seconds": {"total": round(time.perf_counter() - begun, 3)}}
    deliver(value, "\n".join(counted.lines()), given["as_json"], given["output"])
    return 0


# --- one position ----------------------------------------------------------------------------


def _one(game: LineGame, wanted: Wanted, given: dict[str, Any], say: Callable[[str], None]) -> int:
    """``--position``."""
    from icgsynth.cli.output import deliver
    from icgsynth.errors import InputError
    from icgsynth.export.starts_report import GradedPosition
    from icgsynth.starts.hardness import expected_classes, level_of
    from icgsynth.starts.puzzles import cell_name
    from icgsynth.starts.query import Query

    state = game.read(given["position"])
    query = Query(game, wanted.reward, say)
    if game.winner(state) is not None:
        raise InputError("play has ended on this board", mend="give one without a line")
    chance = query.chance(state, wanted.you, wanted.opponent)
    depth = wanted.you if game.mover(state) == 0 else wanted.opponent
    graded = GradedPosition(
        game,
        state,
        wanted.moves,
        query.soonest(state, wanted.moves),
        wanted.you,
        wanted.opponent,
        chance,
        level_of(chance),
        expected_classes(chance),
        {cell_name(game, c): v for c, v in query.values(state, depth).items()},
    )
    deliver(graded.value(), "\n".join(graded.lines()), given["as_json"], given["output"])
    return 0


# --- a sheet ---------------------------------------------------------------------------------


def _sheet(
    game: LineGame, wanted: Wanted, given: dict[str, Any], say: Callable[[str], None]
) -> int:
    """Choose positions, print them, and write the sheet."""
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import write_file
    from icgsynth.export.starts_report import sheet_lines, sheet_value
    from icgsynth.starts.choose import choose, draw, grade

    engine = _engine(game, given, wanted.moves - 1)
    begun = time.perf_counter()
    source: PositionSource = (grade if engine == "dense" else draw)(game, wanted, say)
    puzzles = choose(source, given["progression"])
    seconds = {"total": round(time.perf_counter() - begun, 3)}
    text = json_text(sheet_value(source, puzzles, engine) | {"seconds": seconds})
    if given["output"]:
        write_file(given["output"], _written(source, puzzles, given["output"], text))
    if given["as_json"]:
        click.echo(text)
        return 0
    screen.say("\n".join(sheet_lines(source, puzzles)))
    if given["output"] and not given["quiet"]:
        click.echo(f"{given['output']}: {len(puzzles)} positions")
    if len(puzzles) < wanted.count and not given["quiet"]:
        screen.say(f"warning: {len(puzzles)} of {wanted.count} found, up to symmetry", err=True)
    return 0


def _written(
    source: PositionSource, puzzles: Sequence[Puzzle], output: str, text: str
) -> str | bytes:
    from icgsynth.export import sheet

    ending = Path(output).suffix.lower()
    if ending == ".json":
        return text + "\n"
    if ending == ".csv":
        return sheet.sheet_csv(puzzles)
    if ending == ".pdf":
        return sheet.sheet_pdf(source, puzzles)
    return (sheet.sheet_html if ending == ".html" else sheet.sheet_svg)(source, puzzles)

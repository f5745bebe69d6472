"""``icgsynth play``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth import wings
from icgsynth.budget import Budget
from icgsynth.cli import options as opt
from icgsynth.cli.codes import UNKNOWN
from icgsynth.cli.options import answer_source
from icgsynth.cli.output import Progress, watchdog
from icgsynth.cli.playing import AskedPlay, LineOptions
from icgsynth.cli.screen import say
from icgsynth.errors import IllegalMove, InputError

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule, State
    from icgsynth.game.solution import Solution
    from icgsynth.play.match import Seat


@click.command()
@opt.played_argument
@opt.rule_option(both=False)
@opt.set_option
@click.option("--start", metavar="7,4", default=None, help="The state to begin in.")
@click.option(
    "--first",
    type=click.Choice(["you", "machine"]),
    default="you",
    show_default=True,
    help="Who moves first.",
)
@click.option(
    "--solution",
    "--theorem",
    "solution",
    metavar="FILE.json",
    default=None,
    help="Play this answer file, also one for all members of a family, instead of solving the "
    "game first; of a finite game, as --strategy.",
)
@click.option(
    "--strategy",
    "tree",
    metavar="TREE",
    default=None,
    help="Of a finite game: play this tree, or what learn wrote (.json), instead of perfectly.",
)
@click.option(
    "--opponent",
    type=click.IntRange(0, 20),
    metavar="K",
    help="Of connect, tictactoe and bottom: play against one who looks K rounds ahead; --start "
    "takes a board, as in ..O/.XX/OXO.",
)
@click.option("--size", metavar="ROWSxCOLUMNS", help="Of these: the board, as in 5x5.")
@click.option("--match", "length", type=int, metavar="N", help="How many in a line win.")
@click.option("--win", default="RCD", show_default=True, help="Rows, columns, diagonals.")
@click.option("--gravity", metavar="full|none|bottom-L", help="Which cells may be taken.")
@opt.timeout_option(60, " for solving the game first")
@opt.seed_option
@opt.quiet_option
def play(
    spec: str,
    rule: PlayRule,
    constants: tuple[tuple[str, int], ...],
    start: str | None,
    first: str,
    solution: str | None,
    tree: str | None,
    opponent: int | None,
    size: str | None,
    length: int | None,
    win: str,
    gravity: str | None,
    timeout: float,
    seed: int,
    quiet: bool,
) -> int:
    """Play against the strategy, which names the rule behind each of its moves.

    SPEC may be a sum, as 'nim2 + 2*0.77': a move begins with the number of the component,
    "1 take_a 3", of heaps "2 take 1 leave 4,6"; --start has the states in order, '3,7;12,5;4'.

    SPEC may also be a finite game: a GDL file, or the name of one in specs/gdl; or, with
    --opponent, one of the games of 'icgsynth starts'.

    Type a move as in "take_a 3", or: help (the actions), hint, why (how you stand), undo, quit.

    \b
    Try:  icgsynth play nim2
          icgsynth play chomp_2row --start 7,4

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 4 no strategy in time.
    """
    seat: Seat = 0 if first == "you" else 1
    board = LineOptions(opponent, size, length, win, gravity)
    asked = AskedPlay(spec, dict(constants), rule, start, seat, solution, tree, board, seed)
    for players in wings.every("play"):
        code: int | None = players.play_match(asked, timeout, quiet)
        if code is not None:
            return code
    opt.require_use(False, "a game of 'icgsynth starts'", "opponent", "size", "length", "gravity")
    opt.require_use(False, "a finite game; --solution takes a file here", "tree")
    answer = _answer(spec, dict(constants), rule, solution, timeout, quiet)
    return _against(answer, start, seed, seat)


def _against(answer: Solution, start: str | None, seed: int, seat: Seat) -> int:
    """One game from ``start``, or a state by lot, the person in ``seat``; 0 however it ends."""
    from icgsynth.explicit.openings import some_state
    from icgsynth.play.advice import Guide
    from icgsynth.play.parametric import Session, StrategyPlayer
    from icgsynth.play.person import dialogue
    from icgsynth.spec.state_text import parse_state

    game, machine = answer.game, StrategyPlayer(answer)

    def loses(state: State) -> bool:
        return machine.wins(game, state) is False

    state = some_state(game, seed, loses) if start is None else parse_state(game, start)
    try:
        session = Session(game, answer.rule, state)
    except IllegalMove as illegal:
        raise InputError(str(illegal), mend="choose another --start") from None
    last = "wins" if answer.rule == "misere" else "loses"
    click.echo(f"{game.name}: who cannot move {last}.")
    guide = Guide(machine, answer.is_proved)
    dialogue(session, machine, seat, guide, "\nNo move is left.")
    return 0


def _answer(
    spec: str,
    constants: dict[str, int],
    rule: PlayRule,
    solution: str | None,
    timeout: float,
    quiet: bool,
) -> Solution:
    from icgsynth.solve.search import solve
    from icgsynth.spec.answer_file import kind_of
    from icgsynth.spec.solution_file import read_solution
    from icgsynth.subjects import impartial_game
    from icgsynth.subjects.subject import remarks_on

    game = impartial_game(spec, constants)
    for remark in () if quiet else remarks_on(game):
        say(remark, err=True)
    if solution is not None:
        source = answer_source(solution)
        if (kind := kind_of(source)) == "family":
            known: Solution = wings.required("answer", kind).member_answer(spec, source, game, rule)
            return known
        if kind != "strategy":
            raise InputError(
                f"{solution} is a {kind} file, which plays within a bound only",
                mend=f"tournament {game.name} --agents answer:{solution},human",
            )
        return read_solution(source, game)
    progress = Progress(quiet)

    def last_words() -> int:
        progress.clear()
        click.echo(f"{game.name}: no strategy was found in {timeout:g} s", err=True)
        return UNKNOWN

    with watchdog(timeout, last_words):
        answer = solve(game, rule, Budget(timeout), progress, finite_only=False)
    progress.clear()
    if not answer.is_proved and not quiet:
        click.echo("warning: the strategy is not proved; the machine may err", err=True)
    return answer

"""The command ``icgsynth play``: a match of a person against the strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.cli import options as opt
from icgsynth.cli.asking import Delivery, wait_for
from icgsynth.cli.options import answer_source
from icgsynth.cli.output import say
from icgsynth.cli.playing import AskedPlay, LineOptions
from icgsynth.errors import BudgetSpent, IllegalMove, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from icgsynth.game.game import ParametricGame, PlayRule, State
    from icgsynth.game.solution import Solution
    from icgsynth.spec.source import Source


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
@opt.timeout_option(60, " for solving the game, or proving the file, first")
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
    Exit codes: 0 done; 2 bad usage or bad input; 3 the file is refuted;
                4 no strategy in time.
    """
    from icgsynth.spec.resolve import Named

    asked = AskedPlay(
        Named(spec, dict(constants)),
        rule,
        start,
        0 if first == "you" else 1,
        solution,
        tree,
        LineOptions(opponent, size, length, win, gravity),
        seed,
        Delivery(timeout, quiet=quiet),
    )
    if (code := _other_match(asked)) is not None:
        return code
    opt.require_use(False, "a game of 'icgsynth starts'", "opponent", "size", "length", "gravity")
    opt.require_use(False, "a finite game; --solution takes a file here", "tree")
    return _against(_find_answer(asked), asked)


def _other_match(asked: AskedPlay) -> int | None:
    """Play a match of a game that is not impartial and return its exit code; None if impartial."""
    from icgsynth.spec.resolve import kind_of
    from icgsynth.subjects import words

    lines = wings.find("play", "lines")
    code: int | None = None if lines is None else lines.play_match(asked)
    if code is None and (players := wings.find("play", kind_of(asked.named, words()))):
        code = players.play_match(asked)
    return code


def _against(answer: Solution, asked: AskedPlay) -> int:
    """Play one match against ``answer`` from the given start, or a random one; return 0."""
    from icgsynth.explicit.openings import some_state
    from icgsynth.play.advice import Guide
    from icgsynth.play.parametric import Session, StrategyPlayer
    from icgsynth.play.person import dialogue
    from icgsynth.spec.state_text import parse_state

    game, machine, start = answer.game, StrategyPlayer(answer), asked.start

    def loses(state: State) -> bool:
        return machine.wins(game, state) is False

    state = some_state(game, asked.seed, loses) if start is None else parse_state(game, start)
    try:
        session = Session(game, answer.rule, state)
    except IllegalMove as illegal:
        raise InputError(str(illegal), mend="choose another --start") from None
    last = "wins" if answer.rule == "misere" else "loses"
    click.echo(f"{game.name}: who cannot move {last}.")
    guide = Guide(machine, answer.is_proved)
    dialogue(session, machine, asked.seat, guide, "\nNo move is left.")
    return 0


def _find_answer(asked: AskedPlay) -> Solution:
    """Return the answer that the machine plays by: that of the file in ``asked``, or found now."""
    from icgsynth.solve.search import solve
    from icgsynth.subjects import find_subject, impartial_game, remarks_on
    from icgsynth.subjects.question import Work

    game = impartial_game(find_subject(asked.named))
    quiet, rule, solution = asked.delivery.quiet, asked.rule, asked.solution
    for remark in () if quiet else remarks_on(game):
        say(remark, err=True)
    known = None if solution is None else _known_answer(asked, answer_source(solution), game)

    def search(budget: Budget, progress: Progress) -> Work[Solution]:
        def give_up(_: str) -> NoReturn:
            seconds = asked.delivery.timeout
            raise BudgetSpent(f"{game.name}: no strategy was found in {seconds:g} s")

        def run() -> Solution:
            if known is not None:
                return known(budget)
            return solve(game, rule, budget, progress, finite_only=False)

        return Work(run, give_up)

    answer = wait_for(search, asked.delivery)
    if not answer.is_proved and not quiet:
        click.echo("warning: the strategy is not proved; the machine may err", err=True)
    return answer


def _known_answer(
    asked: AskedPlay, source: Source, game: ParametricGame
) -> Callable[[Budget], Solution]:
    """Return a function that proves the answer file ``source`` within a budget and returns its
    answer for ``game``. InputError here for a file of neither a strategy nor a family."""
    from icgsynth.spec.answer_file import kind_of
    from icgsynth.spec.solution_file import read_solution
    from icgsynth.subjects.exports import prove_again, prove_solution

    kind, spec = kind_of(source), asked.named.spec
    if kind == "family":
        member = wings.require("answer", kind).member_answer

        def prove_member(budget: Budget) -> Solution:
            prove_again(source, budget, spec, asked.rule)
            known: Solution = member(asked.named, source, game, asked.rule)
            return known

        return prove_member
    if kind != "strategy":
        raise InputError(
            f"{source.name} is a {kind} file, which plays within a bound only",
            mend=f"tournament {game.name} --agents answer:{source.name},human",
        )
    solution = read_solution(source, game)
    return lambda budget: prove_solution(source, solution, budget)

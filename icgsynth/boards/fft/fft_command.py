"""The command ``icgsynth fft``: find, check, minimise and draw trees of finite games."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from icgsynth.boards.fft import RAW_CHECK
from icgsynth.budget import Budget, Progress
from icgsynth.cli import WholeHelp
from icgsynth.cli.asking import Delivery, ask, deliver_by, wait_for
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import (
    answer_source,
    output_option,
    require_use,
    rule_option,
    seed_option,
    set_option,
    timeout_option,
)

if TYPE_CHECKING:
    from icgsynth.boards.fft.tree_questions import Setting, TreeTable
    from icgsynth.boards.fft.tree_report import Verified
    from icgsynth.boards.subject.finite_spec import FiniteSpec
    from icgsynth.game.game import PlayRule

F = TypeVar("F", bound=Callable[..., Any])


box_option = click.option(
    "-b",
    "--bound",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Of an impartial game (.icg): all variables from 0 to N; by default some 1,000 states.",
)
_GAME_OPTIONS = (
    click.argument("game", shell_complete=complete_names("gdl", "icg")),
    click.option(
        "--player",
        default="auto",
        show_default=True,
        metavar="1|2|ROLE|auto",
        help="Whose strategy; auto is the winner, or player 1 where there is none.",
    ),
    click.option(
        "--literals",
        "sign",
        type=click.Choice(["signed", "positive"]),
        default="signed",
        show_default=True,
        help="Whether rules may also say that a fact does not hold (signed).",
    ),
    click.option(
        "--symmetry",
        type=click.Choice(["on", "off"]),
        default="on",
        show_default=True,
        help="Whether a rule also stands for itself mirrored and turned.",
    ),
    click.option(
        "--all-facts", is_flag=True, help="Also use facts that others determine, such as blank."
    ),
    box_option,
    click.option("--start", metavar="7,4", help="Of an impartial game: the initial state."),
    rule_option(both=False),
    set_option,
)


def _game_options(budget: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator of ``fft`` commands that adds the options of the game and of trees, and
    those of the decorator ``budget``. The command gets ``game`` and ``setting`` in place of the
    single options."""

    def packing(command: F) -> F:
        @wraps(command)
        def run_with_setting(
            game: str,
            bound: int | None,
            start: str | None,
            rule: PlayRule,
            constants: tuple[tuple[str, int], ...],
            **given: Any,
        ) -> Any:
            from icgsynth.boards.fft.tree_questions import Setting
            from icgsynth.boards.subject.finite_spec import FiniteSpec

            setting = Setting(*(given.pop(name) for name in Setting._fields))
            spec = FiniteSpec(game, bound, start, rule, dict(constants))
            return command(game=spec, setting=setting, **given)

        wrapped: Any = run_with_setting
        for option in reversed((*_GAME_OPTIONS, deliver_by(budget))):
            wrapped = option(wrapped)
        return cast(F, wrapped)

    return packing


_judging = timeout_option(300)
_tree_file = output_option(
    "Write the tree there: JSON (.json), a picture (.svg), or text (.txt).",
    *("", ".json", ".svg", ".txt"),
)
raw_option = click.option(
    "--raw/--no-raw",
    default=None,
    help="Check on raw states with a second, separate checker too (slow for large games; "
    f"by default up to {RAW_CHECK:,} states).",
)


@click.group(cls=WholeHelp)
def fft() -> None:
    """Find and check optimal strategies of finite games as short lists of rules.

    GAME is a GDL file (.kif), or the name of one in specs/gdl; or an impartial game (.icg, or
    a name of the catalog), which is finite within a --bound.  TREE is a text file with one
    rule a line, as in 'if x(1,1) and not o(2,2): mark(3,3)', or JSON of fft synth.  It is
    strongly optimal if all its moves are, and weakly if those are that one of its rules makes.

    \b
    Try:  icgsynth fft synth tictactoe -o five.txt
          icgsynth fft show tictactoe five.txt
          icgsynth fft verify tictactoe five.txt

    \b
    Exit codes: 0 done, optimal; 2 bad usage or bad input; 3 refuted: a
                counterexample is printed; 4 unknown: nothing was found
                within the budget.
    """


@fft.command()
@_game_options(
    timeout_option(
        60,
        ": to solve the game, to look for a better tree, and for a proof that none is smaller",
        names=("--budget",),
    )
)
@click.option(
    "--method",
    type=click.Choice(["search", "algorithm2"]),
    default="search",
    show_default=True,
    help="Local search and a proof, or one run of the paper's Algorithm 2.",
)
@click.option(
    "--states",
    type=click.Choice(["random", "near_end", "far_end", "near_start"]),
    default="near_end",
    show_default=True,
    help="Algorithm 2: which state comes next.",
)
@click.option(
    "--exhaustive",
    is_flag=True,
    help="Algorithm 2: try all subsets of a new rule's literals, instead of one pass.",
)
@click.option(
    "--complete", metavar="TREE", type=click.Path(), help="Start from the rules of this tree."
)
@click.option("--certify/--no-certify", default=True, help="Try to prove the tree minimal.")
@raw_option
@_tree_file
@seed_option
def synth(
    game: FiniteSpec,
    setting: Setting,
    delivery: Delivery,
    raw: bool | None,
    output: str | None,
    method: str,
    states: Any,
    exhaustive: bool,
    complete: str | None,
    certify: bool,
    seed: int,
) -> int:
    """Synthesise a short strongly optimal tree; the best so far when the budget ends.

    \b
    Try:  icgsynth fft synth tictactoe
          icgsynth fft synth tictactoe --budget 20 -o tree.svg

    \b
    Exit codes: 0 a strongly optimal tree; 2 bad usage or bad input; 4 none
                found within the budget.
    """
    from icgsynth.boards.fft.minimality import Minimality
    from icgsynth.boards.fft.search import search
    from icgsynth.boards.fft.synthesis import GreedyChoices, greedy
    from icgsynth.boards.fft.tree_questions import Setting, to_make

    searching = method == "search"
    require_use(searching, "--method search", "certify")
    require_use(method == "algorithm2", "--method algorithm2", "states", "exhaustive")
    if game.is_whole and searching and complete is None and setting == Setting():
        delivery = delivery._replace(budget=Budget(delivery.timeout))
        code = _prove_strategy(game, delivery, output)
        if code is not None:
            return code

    def work(table: TreeTable) -> None:
        shop, start = table.workshop, table.tree
        if searching:
            table.take(search(shop, table.left, seed, start, certify, table.tell, table.better))
            return
        choices = GreedyChoices(states, exhaustive=exhaustive)
        with shop.within(table.left):
            tree = greedy(shop, seed, choices, start)
        table.take(None if tree is None else Minimality(tree))

    partial = answer_source(complete) if complete else None
    return ask([to_make(game, setting, partial, raw, output, work)], delivery)


def _prove_strategy(game: FiniteSpec, delivery: Delivery, output: str | None) -> int | None:
    """Search for a strategy of ``game`` proved for all states, in half of the time; if one is
    found, report it and write it to the file ``output`` (None: to none). Return the exit code, None
    if none is found."""
    from icgsynth.boards.fft.box_questions import ProvedTree, proved_tree, to_tell
    from icgsynth.subjects.question import Work

    def search(budget: Budget, progress: Progress) -> Work[ProvedTree | None]:
        return Work(lambda: proved_tree(game, budget.share(1 / 2), progress))

    found = wait_for(search, delivery)
    return None if found is None else ask([to_tell(found, output)], delivery)


@fft.command()
@_game_options(_judging)
@click.argument("tree", shell_complete=complete_names())
@click.option("--weak", is_flag=True, help="Exit 0 also where only weakly optimal.")
@raw_option
def verify(
    game: FiniteSpec, setting: Setting, delivery: Delivery, raw: bool | None, tree: str, weak: bool
) -> int:
    """Check that a tree makes only optimal moves in all states that play with it reaches.

    Of an impartial game TREE may be a solution of 'icgsynth solve -o': its tree, or without
    one its strategy, is played in all states within the --bound.

    \b
    Try:  icgsynth fft synth tictactoe -o five.txt
          icgsynth fft verify tictactoe five.txt

    \b
    Exit codes: 0 strongly optimal (with --weak: weakly); 2 bad usage or bad
                input; 3 not so: the state and the line of play to it are
                printed; 4 unknown within the budget.
    """
    from icgsynth.boards.fft.box_questions import to_follow
    from icgsynth.boards.fft.tree_frame import tree_frame
    from icgsynth.boards.fft.tree_questions import to_judge
    from icgsynth.spec.answer_file import kind_of

    source = answer_source(tree)
    if kind_of(source, "tree") == "strategy":
        return ask([to_follow(game, source)], delivery)
    if not tree_frame(source).symmetric:  # each of its rules stands for itself alone
        setting = setting._replace(symmetry="off")
    return ask([to_judge(game, setting, source, raw, weak)], delivery)


@fft.command()
@_game_options(timeout_option(60, names=("--budget",)))
@click.argument("tree", shell_complete=complete_names())
@raw_option
@_tree_file
@seed_option
def minimise(
    game: FiniteSpec,
    setting: Setting,
    delivery: Delivery,
    raw: bool | None,
    output: str | None,
    tree: str,
    seed: int,
) -> int:
    """Make an optimal tree smaller: first by deletion, then by local search for the budget.

    \b
    Try:  icgsynth fft minimise tictactoe mine.txt -o smaller.txt

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 3 the tree is not optimal;
                4 it was not judged within the budget.
    """
    from icgsynth.boards.fft.minimality import Minimality
    from icgsynth.boards.fft.synthesis import FoundTree, improve
    from icgsynth.boards.fft.synthesis import minimise as by_deletion
    from icgsynth.boards.fft.tree_questions import to_make

    def work(table: TreeTable) -> Verified | None:
        shop, best = table.workshop, table.tree
        if not shop.is_optimal(best):
            return table.verdict(False)
        table.better(FoundTree(best, 0.0, "given"))
        with shop.within(table.left):
            best = by_deletion(shop, best, seed)
        for found in improve(shop, table.left, seed, best):
            best = found.tree
            table.better(found)
            table.tell(f"{found.how}: {best.figure[0]} rules, {best.figure[1]} literals")
        table.take(Minimality(best))
        return None

    return ask([to_make(game, setting, answer_source(tree), raw, output, work)], delivery)


@fft.command()
@_game_options(_judging)
@click.argument("tree", shell_complete=complete_names())
@_tree_file
def show(
    game: FiniteSpec, setting: Setting, delivery: Delivery, output: str | None, tree: str
) -> int:
    """Print a tree with the game's names, numbered, and its figures; or draw it.

    \b
    Try:  icgsynth fft show tictactoe five.txt -o five.svg

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 4 the game is too large for
                the budget.
    """
    from icgsynth.boards.fft.tree_questions import to_make

    return ask([to_make(game, setting, answer_source(tree), None, output, None)], delivery)

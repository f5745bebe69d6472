"""The command ``icgsynth learn``: learn weak constraints, rules or pruned trees of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.asking import Delivery, ask, deliver_by
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import output_option, require_use, set_option, timeout_option
from icgsynth.cli.output import require_ending
from icgsynth.spec.source import Source

if TYPE_CHECKING:
    from icgsynth.boards.learn.weak_learner import Search
    from icgsynth.budget import Budget, Progress
    from icgsynth.subjects.question import Told

_ENDINGS = {"weak": (".las", ".lp", ".txt"), "rules": (".lp", ".svg")}  # of a method; a tree else


@click.command()
@click.argument("game", metavar="GAME", shell_complete=complete_names("asp", "gdl"))
@click.option(
    "--method",
    type=click.Choice(["weak", "rules", "pruned"]),
    default="weak",
    show_default=True,
    help="Weak constraints (preferences among moves); rules; the pruned tree of play.",
)
@set_option
@click.option(
    "--bias",
    metavar="FILE.las",
    type=click.Path(),
    help="weak: what may be learned, and examples if it has any; "
    "else the .las file beside the game, else one made from the game.",
)
@click.option(
    "--search",
    type=click.Choice(["auto", "minimal", "beam"]),
    default="auto",
    show_default=True,
    help="weak: the shortest set of constraints, with a certificate, or a beam search, which "
    "may break a few examples.",
)
@click.option(
    "--examples",
    "wanted",
    type=click.Choice(["states", "decisions"]),
    default="states",
    show_default=True,
    help="weak: order the moves of all states, or the pairs of the pruned tree's decision points.",
)
@click.option(
    "--main",
    "main_role",
    metavar="ROLE",
    help="pruned, rules: whose outcome is maximised; by default the first role.",
)
@click.option(
    "--lift",
    multiple=True,
    metavar="NAME",
    help="rules: put variables only for constants of the kind of this one (or of this place: role, "
    "has/1); may repeat. By default for every kind that may be renamed, and roles.",
)
@deliver_by(
    timeout_option(60, names=("--budget",)),
    output_option(
        "Write the result there; by its ending: .json a strategy, .lp a program for clingo, .las "
        "the examples, .txt a fast-and-frugal tree, .svg a tree.",
        *("", ".json", ".las", ".lp", ".svg", ".txt"),
    ),
)
def learn(
    game: str,
    method: str,
    constants: tuple[tuple[str, int], ...],
    bias: str | None,
    search: Search,
    wanted: str,
    main_role: str | None,
    lift: tuple[str, ...],
    delivery: Delivery,
) -> int:
    """Learn a strategy of a finite game from its rules, and prove what it is worth.

    GAME is an encoding in clingo's language (.lp), a GDL file (.kif), the name of one in
    specs/asp or specs/gdl, or an ILASP task (.las) with the rules of its game.  What is learned
    is judged on all states that play can reach, against every opponent and for every way to
    break ties.

    \b
    Try:  icgsynth learn ttt_l
          icgsynth learn nim --method weak -o nim.lp
          icgsynth learn ttt_m --method rules --json

    \b
    Exit codes: 0 learned; 2 bad usage or bad input; 3 nothing that --bias
                allows fits (proved), or what was learned breaks examples and
                can lose: the play is printed; 4 none was found in time.
    """
    from icgsynth.boards.learn.learning import LearningRun
    from icgsynth.boards.rules.finite import finite_game
    from icgsynth.subjects.question import Question, Work

    if game.endswith(".las"):
        from icgsynth.boards.learn.las import game_of, read_task

        book: Any = game_of(read_task(Source.read(Path(game))))
        bias = bias or game
    else:
        book = finite_game(game, dict(constants))
    weak = method == "weak"
    require_use(weak, "--method weak", "bias", "search", "wanted")
    require_use(method == "rules", "--method rules", "lift")
    clues = method in ("pruned", "rules") or (weak and wanted == "decisions")
    require_use(clues, "--method pruned or rules, and --examples decisions", "main_role")
    require_ending(delivery.output or "", "", ".json", *_ENDINGS.get(method, (".svg",)))

    def begin(budget: Budget, progress: Progress) -> Work[Told]:
        run = LearningRun(game, book, delivery.output or "", budget, progress)

        def learn_it() -> Told:
            if weak:
                return run.weak(bias, search, wanted, main_role)
            return run.learn_pruned(method == "rules", main_role, lift)

        return Work(learn_it, run.last_words)

    remarks = tuple(f"warning: {warning}" for warning in book.warnings)
    question = Question(begin, lambda learned: learned, remarks)
    return ask([question], delivery._replace(output=None))

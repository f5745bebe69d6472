"""``icgsynth learn``: minimax trees, rules and weak constraints from a game's rules."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    AMOUNT,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    set_option,
)

if TYPE_CHECKING:
    from icgsynth.learn.bias import Bias
    from icgsynth.learn.kinds import Kind
    from icgsynth.learn.learner import LearnedHypothesis, Search
    from icgsynth.learn.problem import Problem
    from icgsynth.learn.pruned import PrunedTree
    from icgsynth.learn.stage import Stage

__all__ = ["learn"]


@click.command()
@click.argument("game", metavar="GAME")
@click.option(
    "--method",
    type=click.Choice(["weak", "rules", "pruned", "minimax"]),
    default="weak",
    show_default=True,
    help="Weak constraints; best_do rules; the pruned tree; the complete tree.",
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
    help="weak: the shortest hypothesis with a certificate, or beam search, one constraint a "
    "level, tolerant of noise.",
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
    "--engine",
    type=click.Choice(["clingo", "table"]),
    default=None,
    help="pruned, rules: who finds the optimised matches; clingo by default for an encoding.",
)
@click.option(
    "--main",
    "main_role",
    metavar="ROLE",
    help="pruned, rules, minimax: whose outcome is maximised; by default the first role.",
)
@click.option(
    "--lift",
    multiple=True,
    metavar="NAME",
    help="rules: lift only the kinds that hold this constant or place (role, has/1); may repeat. "
    "By default every kind whose renamings are sound, and roles.",
)
@click.option(
    "--budget",
    type=AMOUNT,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="weak: how long to search.",
)
@json_option
@output_option(
    "Write the result there; by its ending: .json a strategy, .lp a program for clingo, .las the "
    "examples, .txt a fast-and-frugal tree, .svg a tree."
)
@quiet_option
@seed_option
def learn(
    game: str,
    method: str,
    constants: tuple[tuple[str, int], ...],
    bias: str | None,
    search: Search,
    wanted: str,
    engine: str | None,
    main_role: str | None,
    lift: tuple[str, ...],
    budget: float,
    as_json: bool,
    output: str | None,
    quiet: bool,
    seed: int,
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
    Exit codes: 0 learned; 2 bad usage or bad input; 3 there is no hypothesis in the bias (proved);
                4 none was found within the budget.
    """
    from icgsynth.spec.finite import finite_game

    begun = time.monotonic()
    if game.endswith(".las"):
        from icgsynth.learn.las import read_task
        from icgsynth.learn.tasks import game_of
        from icgsynth.spec.source import Source

        book: Any = game_of(read_task(Source.read(Path(game))))
        bias = bias or game
    else:
        book = finite_game(game, dict(constants))
    run = _Run(game, book, as_json, output, quiet, seed, begun)
    if method == "weak":
        return run.weak(bias, search, wanted, engine, main_role, budget)
    if method == "minimax":
        return run.minimax(main_role)
    return run.pruned(method == "rules", engine, main_role, lift)


class _Run:
    """What the methods share: the game on its stage, and where results go."""

    def __init__(
        self,
        game: str,
        book: Any,
        as_json: bool,
        output: str | None,
        quiet: bool,
        seed: int,
        begun: float,
    ) -> None:
        from icgsynth.cli.output import teller
        from icgsynth.finite.compiled import Notice
        from icgsynth.learn.stage import stage_of

        self.game, self.as_json, self.output = game, as_json, output
        self.quiet, self.seed, self.begun = quiet, seed, begun
        self.tell = teller(quiet)
        for warning in book.warnings:
            self.tell(Notice(f"warning: {warning}"))
        self.stage: Stage = stage_of(book, progress=self.tell)

    def main(self, role: str | None) -> int:
        """The player whose outcome is maximised: an index into the arena's roles."""
        from icgsynth.errors import InputError

        roles = self.stage.arena.roles
        chosen = self.stage.board.roles[0] if role is None else role
        if chosen not in roles:
            raise InputError(
                f"there is no role {chosen[:40]!r}", mend=f"--main {' or --main '.join(roles)}"
            )
        return roles.index(chosen)

    # --- weak constraints -------------------------------------------------------------

    def weak(
        self,
        bias_path: str | None,
        search: Search,
        wanted: str,
        engine: str | None,
        main_role: str | None,
        budget: float,
    ) -> int:
        from icgsynth.learn.learner import learn_weak

        bias, problem = self._task(bias_path, wanted, engine, main_role)
        if (self.output or "").endswith(".las"):
            from icgsynth.learn.tasks import written

            self._write(written(self.stage, problem, bias))
        found = learn_weak(self.stage, problem, bias, search, budget, self.tell)
        self._export_weak(found)
        self._say_weak(found)
        if found.hypothesis is None:
            return REFUTED if found.found.status == "none" else UNKNOWN
        return DONE

    def _task(
        self, bias_path: str | None, wanted: str, engine: str | None, main_role: str | None
    ) -> tuple[Bias, Problem]:
        """The bias, and the examples that it brings or that the game gives."""
        from icgsynth.errors import InputError
        from icgsynth.learn.automatic_bias import bias_of
        from icgsynth.learn.las import read_task
        from icgsynth.learn.problem import of_stage, pairs_of_stage
        from icgsynth.learn.tasks import problem_of
        from icgsynth.spec.finite import bias_file
        from icgsynth.spec.source import Source

        path = Path(bias_path) if bias_path else bias_file(self.game)
        task = read_task(Source.read(path)) if path else None
        if task is not None and task.bias is None:
            raise InputError(f"{path}: no #modeo", mend="add a mode bias; see the reference")
        if task is None:
            self.tell("no .las file beside the game: the bias is made from its rules")
            bias = bias_of(self.stage)
        else:
            assert task.bias is not None
            bias = task.bias
        if task is not None and task.orderings:
            return bias, problem_of(task, self.stage)
        if wanted == "decisions":
            tree = self._tree(engine, self.main(main_role), None)
            pairs = [(d.good, d.bad) for d in tree.decisions]
            return bias, pairs_of_stage(self.stage, pairs)
        return bias, of_stage(self.stage)

    def _export_weak(self, found: LearnedHypothesis) -> None:
        from icgsynth.cli.output import as_json
        from icgsynth.learn.saved import LearnedAnswer, frugal_text, program_of

        output = self.output or ""
        if found.hypothesis is None or not output or output.endswith(".las"):
            return
        if output.endswith(".lp"):
            self._write(program_of(self.stage.board, self.stage.book, found.hypothesis))
        elif output.endswith(".txt"):
            self._write(frugal_text(found.hypothesis))
        else:
            answer = LearnedAnswer.of(self.stage.name, found.hypothesis)
            self._write(as_json(answer.to_json()) + "\n")

    def _say_weak(self, found: LearnedHypothesis) -> None:
        from icgsynth.cli.output import as_json
        from icgsynth.export.learn_report import weak_lines, weak_value

        seconds = round(time.monotonic() - self.begun, 3)
        if self.as_json:
            spent = {"total": seconds, "learn": round(found.seconds, 3)}
            click.echo(as_json(weak_value(self.stage, found) | {"seconds": spent}))
        else:
            click.echo("\n".join(weak_lines(self.stage, found, seconds)))

    # --- trees and rules ----------------------------------------------------------------

    def _tree(self, engine: str | None, main: int, kinds: tuple[Kind, ...] | None) -> PrunedTree:
        from icgsynth.finite.encoding import Encoding
        from icgsynth.learn.matches import ByTable, MatchesByClingo
        from icgsynth.learn.pruned import pruned_minimax
        from icgsynth.learn.rules import Lifting

        clingo = isinstance(self.stage.book, Encoding) if engine is None else engine == "clingo"
        finder = (
            MatchesByClingo(self.stage, main, self.seed) if clingo else ByTable(self.stage, main)
        )
        images = None if kinds is None else Lifting(self.stage, kinds).images
        return pruned_minimax(self.stage, finder, main, images)

    def _kinds(self, lift: tuple[str, ...]) -> tuple[Kind, ...]:
        """The kinds of constants that rules may rename: those named, or all that are sound."""
        from icgsynth.learn.kinds import kinds_of, sound_kinds

        offered = kinds_of(self.stage)
        return _named(offered, lift) if lift else sound_kinds(self.stage, offered)

    def pruned(
        self, rules: bool, engine: str | None, main_role: str | None, lift: tuple[str, ...]
    ) -> int:
        from icgsynth.export.learn_report import pruned_lines, pruned_value

        main = self.main(main_role)
        kinds = self._kinds(lift) if rules else None
        started = time.process_time()
        tree = self._tree(engine, main, kinds)
        spent = round(time.process_time() - started, 3)
        value = pruned_value(self.stage, main, tree, "pruned" if kinds is None else "rules")
        lines = list(pruned_lines(self.stage, main, tree, spent))
        if kinds is not None:
            self._lift(tree, kinds, value, lines)
        self._finish(value, lines, tree.root, spent)
        return DONE

    def _lift(
        self, tree: PrunedTree, kinds: tuple[Kind, ...], value: dict[str, Any], lines: list[str]
    ) -> None:
        """Add the rules of the tree's decision points to what is said; write them for clingo."""
        from icgsynth.export.learn_report import lifted_lines, lifted_value
        from icgsynth.game.strategy import Strategy
        from icgsynth.learn.learner import judged
        from icgsynth.learn.rules import lifted
        from icgsynth.learn.saved import program_of
        from icgsynth.learn.tiers import Act

        made = lifted(self.stage, kinds, [(d.state, d.good) for d in tree.decisions])
        verdict = judged(Strategy((Act(made.rules),)), self.stage)
        value |= lifted_value(self.stage, kinds, made, verdict)
        lines += lifted_lines(self.stage, kinds, made, verdict)
        if (self.output or "").endswith(".lp"):
            self._write(program_of(self.stage.board, self.stage.book, None, made.rules))

    def minimax(self, main_role: str | None) -> int:
        from icgsynth.export.learn_report import complete_lines, complete_value
        from icgsynth.learn.trees import alpha_beta, complete, complete_tree

        main = self.main(main_role)
        small = complete(self.stage, main, walk=False).nodes < 200_000_000
        complete(self.stage, main, walk=False) if not small else complete(self.stage, main)
        started = time.perf_counter()
        found = complete(self.stage, main, walk=small)
        spent = round(time.perf_counter() - started, 6)
        table = alpha_beta(self.stage, main, table=True)
        folded = alpha_beta(self.stage, main, table=True, symmetric=True)
        searches = {"table": table.states, "table_and_symmetry": folded.states}
        if found.nodes < 3_000_000:
            searches = {"plain": alpha_beta(self.stage, main).states, **searches}
        value = complete_value(self.stage, main, found.value, found.nodes, searches)
        lines = list(complete_lines(value, spent))
        drawn = (self.output or "").endswith(".svg")
        root = complete_tree(self.stage, main) if drawn else None
        self._finish(value, lines, root, spent)
        return DONE

    def _finish(self, value: dict[str, Any], lines: list[str], root: Any, spent: float) -> None:
        """Print, and write the file that is asked for."""
        from icgsynth.cli.output import as_json
        from icgsynth.export.minimax_svg import tree_svg

        value["seconds"] = {
            "total": round(time.monotonic() - self.begun, 3),
            "tree": spent,
        }
        output = self.output or ""
        if output.endswith(".svg") and root is not None:
            worth = f"value {value['value']:+d} for {value['main']}"
            title = f"{self.stage.name}: {value['method']}, {worth}"
            self._write(tree_svg(self.stage, root, title))
        elif output and not output.endswith(".lp"):
            self._write(as_json(value.get("strategy", value)) + "\n")
        click.echo(as_json(value) if self.as_json else "\n".join(lines))

    def _write(self, text: str) -> None:
        from icgsynth.cli.output import write_file

        assert self.output is not None
        write_file(self.output, text)


def _named(kinds: tuple[Kind, ...], lift: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds that hold a constant or a place of this name."""
    from icgsynth.errors import InputError
    from icgsynth.learn.terms import shown

    chosen = []
    for name in lift:
        found = [
            kind
            for kind in kinds
            if name in map(shown, kind.constants)
            or any(name == f"{root}/{'/'.join(map(str, way))}" for root, way in kind.places)
            or (name == "role" and kind is kinds[0])
        ]
        if not found:
            known = "; ".join(map(str, kinds))
            raise InputError(f"--lift {name[:40]}: there is no such kind", mend=f"known: {known}")
        chosen += found
    return tuple(dict.fromkeys(chosen))

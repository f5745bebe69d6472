"""What the methods of ``icgsynth learn`` do, and where their results go."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import click

from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.learn.best_do import lifted, pruned_tree
from icgsynth.boards.learn.bias import Bias, bias_of
from icgsynth.boards.learn.kinds import Kind, kinds_of, sound_kinds
from icgsynth.boards.learn.las import format_las, problem_of, read_task
from icgsynth.boards.learn.learn_report import (
    lifted_lines,
    lifted_value,
    pruned_lines,
    pruned_value,
    weak_lines,
    weak_value,
)
from icgsynth.boards.learn.minimax_svg import tree_svg
from icgsynth.boards.learn.problem import Problem, of_stage, pairs_of_stage
from icgsynth.boards.learn.pruned import PrunedTree
from icgsynth.boards.learn.saved import LearnedAnswer, frugal_text, program_of
from icgsynth.boards.learn.stage import Stage, stage_at
from icgsynth.boards.learn.terms import format_term
from icgsynth.boards.learn.tiers import Act
from icgsynth.boards.learn.weak_learner import LearnedHypothesis, Search, judge_strategy, learn_weak
from icgsynth.boards.rules.finite import bias_file, like_with_bias
from icgsynth.boards.text.outcome_report import winner_line, winner_value
from icgsynth.budget import Budget, Notice
from icgsynth.cli.asking import Delivery
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.output import Progress, as_json, envelope, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.strategy import Strategy
from icgsynth.spec.source import Source


class LearningRun:
    """What the methods share: the game on its stage, and where results go."""

    def __init__(self, game: str, book: Any, delivery: Delivery) -> None:
        self.game, self.as_json, self.output = game, delivery.as_json, delivery.output or ""
        self.quiet, self.begun, timeout = delivery.quiet, time.monotonic(), delivery.timeout
        self.tell = Progress(self.quiet, timeout)
        for warning in book.warnings:
            self.tell(Notice(f"warning: {warning}"))
        self._budget = Budget(timeout)
        self._table = SolvingTable(book, self._budget, self.tell)

    @cached_property
    def stage(self) -> Stage:
        """The game, with all its states solved."""
        return stage_at(self._table)

    def last_words(self) -> NoReturn:
        """Who wins, should the time end before anything is learned, or why it is not known."""
        why = f"the budget of {self._budget.seconds:g} s is spent"
        if "stage" not in vars(self):
            raise BudgetSpent(self._table.steps.too_large(why))
        raise BudgetSpent(f"{winner_line(self.stage.arena)}\n  {why}: nothing was learned")

    def main(self, role: str | None) -> int:
        """The player whose outcome is maximised: an index into the arena's roles."""
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
        main_role: str | None,
    ) -> int:
        bias, problem = self._task(bias_path, wanted, main_role)
        if self.output.endswith(".las"):
            write_file(self.output, format_las(self.stage, problem, bias))
        found = learn_weak(self.stage, problem, bias, search, self._budget.remaining(), self.tell)
        self._export_weak(found)
        keeps = found.judged is None or found.judged.report.never_loses
        if found.hypothesis is None:
            code = REFUTED if found.found.status == "none" else UNKNOWN
        else:  # where it loses, it may be as the examples have it
            code = DONE if keeps or not found.found.violated else REFUTED
        self._say_weak(found, code)
        if found.hypothesis is not None and code == REFUTED:
            self._advise(bias_path)
        return code

    def _task(
        self, bias_path: str | None, wanted: str, main_role: str | None
    ) -> tuple[Bias, Problem]:
        """The bias, and the examples that it brings or that the game gives."""
        path = Path(bias_path) if bias_path else bias_file(self.game)
        task = read_task(Source.read(path)) if path else None
        if task is None:
            self.tell("no .las file beside the game: the bias is made from its rules")
        elif task.bias is None:
            raise InputError(f"{path}: no #modeo", mend="add a mode bias; see the reference")
        bias = bias_of(self.stage) if task is None or task.bias is None else task.bias
        if task is not None and task.orderings:
            return bias, problem_of(task, self.stage)
        if wanted == "decisions":
            tree = pruned_tree(self.stage, self.main(main_role))
            pairs = [(d.good, d.bad) for d in tree.decisions]
            return bias, pairs_of_stage(self.stage, pairs)
        return bias, of_stage(self.stage)

    def _advise(self, bias_path: str | None) -> None:
        """Say on stderr what may find a strategy that does not lose."""
        if self.quiet:
            return
        said = "what was learned can lose; a strategy that does not may come from"
        click.echo(f"icgsynth: {said}", err=True)
        own = bias_path is not None or bias_file(self.game) is not None
        for name in () if own else like_with_bias(self.game)[:1]:
            click.echo(f"  icgsynth learn {name}, the same game with a bias made for it", err=True)
        click.echo(f"  icgsynth fft synth {self.game}, a tree of rules", err=True)
        click.echo(f"  icgsynth learn {self.game} --bias FILE.las, a bias of your own", err=True)

    def _export_weak(self, found: LearnedHypothesis) -> None:
        output = self.output
        if found.hypothesis is None or not output or output.endswith(".las"):
            return
        if output.endswith(".lp"):
            write_file(self.output, program_of(LearnedAnswer.of(self.stage, found.hypothesis)))
        elif output.endswith(".txt"):
            write_file(self.output, frugal_text(found.hypothesis))
        else:
            answer = LearnedAnswer.of(self.stage, found.hypothesis)
            write_file(self.output, as_json(answer.to_json()) + "\n")

    def _say_weak(self, found: LearnedHypothesis, code: int) -> None:
        self.tell.clear()
        seconds = round(time.monotonic() - self.begun, 3)
        if self.as_json:
            spent = {"total": seconds, "learn": round(found.seconds, 3)}
            value = weak_value(self.stage, found) | winner_value(self.stage.arena)
            value |= {"seconds": spent}
            click.echo(as_json(envelope(value, code)))
        else:
            lines = weak_lines(self.stage, found, seconds)
            say("\n".join([winner_line(self.stage.arena), *lines]))

    # --- trees and rules ----------------------------------------------------------------

    def _kinds(self, lift: tuple[str, ...]) -> tuple[Kind, ...]:
        """The kinds of constants that rules may rename: those named, or all that are sound."""
        offered = kinds_of(self.stage)
        return _find_kinds(offered, lift) if lift else sound_kinds(self.stage, offered)

    def learn_pruned(self, rules: bool, main_role: str | None, lift: tuple[str, ...]) -> int:
        main = self.main(main_role)
        kinds = self._kinds(lift) if rules else None
        started = time.process_time()
        tree = pruned_tree(self.stage, main, kinds)
        spent = round(time.process_time() - started, 3)
        value = pruned_value(self.stage, main, tree, "pruned" if kinds is None else "rules")
        value |= winner_value(self.stage.arena)
        lines = [winner_line(self.stage.arena), *pruned_lines(self.stage, main, tree, spent)]
        if kinds is not None:
            self._lift(tree, kinds, value, lines)
        self._finish(value, lines, tree.root, spent)
        return DONE

    def _lift(
        self, tree: PrunedTree, kinds: tuple[Kind, ...], value: dict[str, Any], lines: list[str]
    ) -> None:
        """Add the rules of the tree's decision points to what is said; write them for clingo."""
        made = lifted(self.stage, kinds, tree.decisions)
        verdict = judge_strategy(Strategy((Act(made.rules),)), self.stage)
        value |= lifted_value(self.stage, kinds, made, verdict)
        lines += lifted_lines(self.stage, kinds, made, verdict)
        if self.output.endswith(".lp"):
            write_file(self.output, program_of(LearnedAnswer(self.stage, (made.rules,))))

    def _finish(self, value: dict[str, Any], lines: list[str], root: Any, spent: float) -> None:
        """Print, and write the file that is asked for."""
        self.tell.clear()
        total = round(time.monotonic() - self.begun, 3)
        value = envelope(value | {"seconds": {"total": total, "tree": spent}})
        output = self.output
        if output.endswith(".svg") and root is not None:
            worth = f"value {value['value']:+d} for {value['main']}"
            title = f"{self.stage.name}: {value['method']}, {worth}"
            write_file(self.output, tree_svg(self.stage, root, title))
        elif output and not output.endswith(".lp"):
            write_file(self.output, as_json(value.get("strategy", value)) + "\n")
        say(as_json(value) if self.as_json else "\n".join(lines), self.as_json)


def _find_kinds(kinds: tuple[Kind, ...], lift: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds that hold a constant or a place of this name."""
    chosen = []
    for name in lift:
        found = [
            kind
            for kind in kinds
            if name in map(format_term, kind.constants)
            or any(name == f"{root}/{'/'.join(map(str, way))}" for root, way in kind.places)
            or (name == "role" and kind is kinds[0])
        ]
        if not found:
            known = "; ".join(map(str, kinds))
            raise InputError(f"--lift {name[:40]}: there is no such kind", mend=f"known: {known}")
        chosen += found
    return tuple(dict.fromkeys(chosen))
